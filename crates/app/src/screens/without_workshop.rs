//! Stands in for the lab, fights, the pack editor and packs in links in the small edition of the engine. Opening
//! one of them asks the script for the full edition, which starts at the same address.

use crate::app::{Page, Shared};
use crate::message::{Command, Now, Reply};
use crate::route::Query;
use adjutant_wording::en::page as words;
use maud::html;
use serde::{Deserialize, Serialize};

/// The fight screen, elsewhere.
pub mod fight {
    pub use super::{ChartScreen as State, Message};
}

/// The odds lab, elsewhere.
pub mod lab {
    pub use super::{ChartScreen as State, Message};
}

/// The pack editor, elsewhere.
pub mod pack_editor {
    pub use super::{EditorScreen as State, Message};
}

/// Packs in links, elsewhere.
pub mod pack_link {
    pub use super::{LinkScreen as State, Message};
}

/// These screens send nothing before the full edition shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {}

/// The lab or a fight, until the full edition is here.
#[derive(Debug, Default)]
pub struct ChartScreen;

impl ChartScreen {
    /// The address leads here.
    pub fn open(&mut self, _: &mut Shared, _: &str, _: &str, _: &Query) -> Vec<Command> {
        vec![Command::FetchWorkshop]
    }

    /// Never called: there are no messages.
    pub fn update(&mut self, _: &mut Shared, message: Message) -> Vec<Command> {
        match message {}
    }

    /// Never called: this screen waits for nothing.
    pub fn reply(&mut self, _: &Shared, _: u64, _: &Reply) -> Vec<Command> {
        Vec::new()
    }

    /// What is shown meanwhile.
    pub fn view(&self, shared: &Shared) -> Page {
        loading(shared)
    }
}

/// The pack editor, until the full edition is here.
#[derive(Debug, Default)]
pub struct EditorScreen;

impl EditorScreen {
    /// The address leads here.
    pub fn open(&mut self, _: &mut Shared) -> Vec<Command> {
        vec![Command::FetchWorkshop]
    }

    /// The address leads to "Paste a sheet".
    pub fn open_paste(&mut self, shared: &mut Shared) -> Vec<Command> {
        self.open(shared)
    }

    /// What is shown meanwhile.
    pub fn view_paste(&self, shared: &Shared) -> Page {
        self.view(shared)
    }

    /// Never called: there are no messages.
    pub fn update(&mut self, _: &mut Shared, _: &Now, message: Message) -> Vec<Command> {
        match message {}
    }

    /// Never called: this screen waits for nothing.
    pub fn reply(&mut self, _: u64, _: &Reply) -> Vec<Command> {
        Vec::new()
    }

    /// Never called: this screen saves nothing.
    pub fn saved(&mut self, _: &mut Shared, _: u64, _: Reply) -> Vec<Command> {
        Vec::new()
    }

    /// What is shown meanwhile.
    pub fn view(&self, shared: &Shared) -> Page {
        loading(shared)
    }
}

/// A pack in a link, until the full edition is here.
#[derive(Debug, Default)]
pub struct LinkScreen;

impl LinkScreen {
    /// The address leads to a link.
    pub fn open(&mut self, _: &str) -> Vec<Command> {
        vec![Command::FetchWorkshop]
    }

    /// The address leads to a pack that is handed on.
    pub fn hand_on(&mut self, _: &Shared, _: &str) -> Vec<Command> {
        vec![Command::FetchWorkshop]
    }

    /// Never called: there are no messages.
    pub fn update(&mut self, _: &mut Shared, message: Message) -> Vec<Command> {
        match message {}
    }

    /// What is shown meanwhile.
    pub fn view(&self, shared: &Shared) -> Page {
        loading(shared)
    }
}

fn loading(shared: &Shared) -> Page {
    let what = if shared.no_workshop { words::NOT_LOADED } else { words::LOADING };
    Page::plain(words::LOADING, html! { p.loading role="status" { (what) } })
}
