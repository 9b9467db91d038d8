//! Stands in for the luck of a game and its battle reports in the small edition of the engine. The
//! script fetches the full edition, which opens the game again and does what the address says.

use super::game::Game;
use crate::app::Shared;
use crate::message::Command;
use crate::route::{GameTask, Route};
use adjutant_wording::en::page as words;
use maud::Markup;

/// Only the full edition makes statistics.
#[derive(Debug)]
pub(super) enum Luck {}

impl Luck {
    pub fn view(&self) -> Markup {
        match *self {}
    }
}

impl Game {
    /// Has the full edition do it. Meanwhile the game stays on the screen.
    pub(super) fn begin(&mut self, shared: &mut Shared, task: GameTask) -> Vec<Command> {
        let to = Route::Task(self.card.id.clone(), task).to_string();
        let fetch = [Command::Go { to, replace: true }, Command::FetchWorkshop];
        fetch.into_iter().chain([shared.tell(words::LOADING)]).collect()
    }

    /// Never called: nothing was begun here.
    pub(super) fn work_on(&mut self, _: GameTask, _: u32) -> Vec<Command> {
        Vec::new()
    }
}
