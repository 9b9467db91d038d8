//! An unfinished roll: dice were rolled, and a question is open. The attempt is saved with the game,
//! so that the same dice are there after a reload, and no player can roll again what was seen.

use super::action_panel::ActionPanel;
use super::game::Game;
use crate::app::Shared;
use crate::message::Command;
use crate::parts::ask;
use adjutant_dice::OwnLuck;
use adjutant_game::{Attempt, Stamp};

impl Game {
    /// Saves the unfinished roll, or deletes it when the roll is finished. A server stores its own
    /// unfinished rolls.
    pub fn save_unfinished(&self, shared: &mut Shared) -> Option<Command> {
        if self.server.is_some() || self.waiting.is_some() {
            return None;
        }
        let panel = self.panel.as_ref().filter(|panel| panel.is_underway());
        let value = panel.and_then(|panel| serde_json::to_string(&panel.attempt).ok());
        if shared.rolls.get(&self.card.id) == value.as_ref() {
            return None;
        }
        match &value {
            Some(text) => shared.rolls.insert(self.card.id.clone(), text.clone()),
            None => shared.rolls.remove(&self.card.id),
        };
        Some(Command::SaveValue { key: format!("roll:{}", self.card.id), value })
    }

    /// Restores a saved roll. One that does not fit the game any more is ignored.
    pub fn restore_unfinished(&mut self, shared: &Shared) {
        let text = shared.rolls.get(&self.card.id).filter(|_| self.server.is_none());
        let Some(attempt) = text.and_then(|text| serde_json::from_str::<Attempt>(text).ok()) else {
            return;
        };
        let stamp = Stamp::new("-", &self.me);
        let Some(chart) = attempt.chart(&self.table).map(|chart| chart.id.to_string()) else {
            return;
        };
        if !attempt.replays(&self.table, &stamp) {
            return;
        }
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), &chart, attempt) else { return };
        panel.settle(&self.table, &self.me);
        // Nothing new is rolled: what is missing is asked for.
        let mut nothing = ask::source([0; 32], OwnLuck::ALL, None);
        let progress = panel.attempt.roll(&self.table, &stamp, &mut nothing);
        self.panel = Some(panel);
        self.stopped(progress);
        self.wrong.clear();
    }
}
