//! An unfinished roll: dice were rolled, and a question is open. It is saved with the table, so
//! that the same dice are there after a reload, and no player can roll again what was seen.

use super::action_panel::ActionPanel;
use super::game::Game;
use crate::app::Shared;
use crate::message::Command;
use crate::parts::luck::Fresh;
use adjutant_dice::{RecordedInput, set_of};
use adjutant_game::{PlayError, PlayRequest, Stamp};
use serde::{Deserialize, Serialize};

/// What is saved.
#[derive(Serialize, Deserialize)]
struct UnfinishedRoll {
    request: PlayRequest,
    strangers: Vec<String>,
    own: bool,
    inputs: Vec<RecordedInput>,
}

impl UnfinishedRoll {
    fn of(panel: &ActionPanel) -> UnfinishedRoll {
        UnfinishedRoll {
            request: panel.play(),
            strangers: panel.strangers.iter().cloned().collect(),
            own: panel.own,
            inputs: panel.recorded.clone(),
        }
    }
}

impl Game {
    /// Saves the unfinished roll, or deletes it when the roll is finished. A server stores its own
    /// unfinished rolls.
    pub fn save_unfinished(&self, shared: &mut Shared) -> Option<Command> {
        if self.server.is_some() || self.waiting.is_some() {
            return None;
        }
        let panel = self.panel.as_ref().filter(|panel| panel.is_underway());
        let value = panel.and_then(|panel| serde_json::to_string(&UnfinishedRoll::of(panel)).ok());
        if shared.rolls.get(&self.card.id) == value.as_ref() {
            return None;
        }
        match &value {
            Some(text) => shared.rolls.insert(self.card.id.clone(), text.clone()),
            None => shared.rolls.remove(&self.card.id),
        };
        Some(Command::SaveValue { key: format!("roll:{}", self.card.id), value })
    }

    /// Restores a saved roll. One that the table does not accept any more is ignored.
    pub fn restore_unfinished(&mut self, shared: &Shared) {
        let kept = shared.rolls.get(&self.card.id).filter(|_| self.server.is_none());
        let Some(unfinished) =
            kept.and_then(|text| serde_json::from_str::<UnfinishedRoll>(text).ok())
        else {
            return;
        };
        let request = unfinished.request;
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), &request.chart) else { return };
        (panel.who, panel.form.given, panel.pending) =
            (request.units, request.given, request.pending);
        (panel.side, panel.anyway) = (request.new_units_side, request.anyway);
        panel.left_out = request.left_out;
        (panel.strangers, panel.own, panel.recorded) =
            (set_of(unfinished.strangers), unfinished.own, unfinished.inputs);
        panel.settle(&self.table, &self.me);
        // Nothing new is rolled: what is missing is asked for.
        let mut none = Fresh::new([0; 32], true, None);
        let tried = self.table.continue_play(
            &Stamp::new("-", &self.me),
            &panel.play(),
            &panel.recorded,
            &mut none,
        );
        let stop = match tried {
            Err(PlayError::Rejected(_) | PlayError::RuledOut(_)) => return,
            Err(stop) => Some(stop),
            Ok(_) => None,
        };
        self.panel = Some(panel);
        if let Some(stop) = stop {
            self.stopped(stop);
            self.wrong.clear();
        }
    }
}
