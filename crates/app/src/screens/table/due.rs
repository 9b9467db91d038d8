//! The pending tests: their chances, and the button that rolls one from the list.

use super::action_panel::ActionPanel;
use super::game::Game;
use super::play_view::missing_hint;
use super::reply_to;
use crate::message::{Command, Now};
use crate::parts::odds::harm;
use adjutant_engine::{Chance, OddsOptions, OddsReport, OutcomeChance};
use adjutant_game::{Attempt, PendingTest, Unit};
use adjutant_pack::{Chart, EffectKind, Pack};
use adjutant_wording::en::page::{parts, table as text};
use std::collections::BTreeMap;

/// How many chances are calculated at once. The others follow after the next frame: the list must
/// not delay a tap.
const AT_ONCE: usize = 8;
/// How many rolls the calculation of a chance may try: the list must not delay a tap.
const ROLLS: usize = 2_000;

/// The chance of each pending test or what it needs first, by the test's id. Empty where there is
/// nothing to say.
pub type DueChances = BTreeMap<String, String>;

impl Game {
    /// Calculates the next chances of pending tests. Asks to be called again for the others.
    pub(super) fn weigh_due(&mut self) -> Option<Command> {
        let open = |pending: &&PendingTest| !self.due_chances.contains_key(&pending.due.id);
        let note = |pending: &PendingTest| {
            (pending.due.id.clone(), self.due_note(pending).unwrap_or_default())
        };
        let weighed: Vec<_> = self.table.pending().filter(open).take(AT_ONCE).map(note).collect();
        let full = weighed.len() == AT_ONCE;
        self.due_chances.extend(weighed);
        full.then(|| Command::NextFrame { reply_to: reply_to::Game::WeighDue.into() })
    }

    /// The chance of the best result of a test, or what must be chosen first.
    fn due_note(&self, pending: &PendingTest) -> Option<String> {
        let attempt = Attempt::of_test(&pending.due);
        let panel = ActionPanel::new(self.pack.clone(), &pending.due.chart, attempt)?;
        if let Some(role) = self.table.open_roles(pending).next() {
            return Some(text::choose_role(&parts::role(&self.pack, role)));
        }
        let situation = self.table.situation_for(&self.me, panel.attempt.request()).ok()?;
        let needs: Vec<String> =
            adjutant_engine::needs(&situation).into_iter().map(|need| need.key).collect();
        if !needs.is_empty() {
            return Some(missing_hint(panel.chart(), &needs));
        }
        let most = OddsOptions { most: Some(ROLLS), ..OddsOptions::default() };
        let unit = panel.actor(&self.table);
        best(&self.pack, panel.chart(), unit, &adjutant_engine::odds(&situation, &most).ok()?)
    }

    /// Rolls a test of the list. One that needs something first is opened.
    pub(super) fn roll_pending(&mut self, now: &Now, id: &str) -> Vec<Command> {
        let todo = self.open_due(id, false);
        let ready = self.panel.as_ref().is_some_and(|panel| {
            panel.pending().is_some_and(|pending| pending == id)
                && panel.is_ready()
                && panel.ask.is_none()
        });
        if ready { self.roll_or_ask(now, false) } else { todo }
    }
}

/// The chance of the best results: those that lift a status which the unit has, else the least
/// harmful ones. None if no such result stands out.
fn best(pack: &Pack, chart: &Chart, unit: Option<&Unit>, report: &OddsReport) -> Option<String> {
    let [branch] = &report.branches[..] else { return None };
    let results = &branch.spread.results;
    if branch.spread.several_ends || results.iter().any(|known| known.of.is_some()) {
        return None;
    }
    let lifted = |known: &OutcomeChance| {
        let mut landings = chart.landings.iter();
        let landing = landings.find(|landing| pack.results()[landing.result].id == known.id)?;
        landing.effects.iter().find_map(|effect| match effect.kind {
            EffectKind::Lift(status) => unit?.statuses.contains(&status).then_some(status),
            _ => None,
        })
    };
    let least = results.iter().filter_map(|known| harm(pack, &known.id)).min();
    let status = results.iter().find_map(lifted);
    let good = |known: &&OutcomeChance| match status {
        Some(_) => lifted(known) == status,
        None => harm(pack, &known.id) == least && least.is_some(),
    };
    let good: Vec<&OutcomeChance> = results.iter().filter(good).collect();
    if good.is_empty() || good.len() == results.len() {
        return None;
    }
    let percent = Chance::sum(good.iter().map(|known| &known.chance)).percent();
    let what = match status {
        Some(status) => text::no_longer(&pack.statuses()[status].title.to_lowercase()),
        None => {
            let mut titles: Vec<&str> = good.iter().map(|known| known.title.as_str()).collect();
            titles.dedup();
            titles.join(" / ")
        }
    };
    Some(text::due_chance(&adjutant_engine::percent_in_words(percent), &what))
}
