//! What to do next: the first pending test, or what the phase allows.

use crate::state::{PendingTest, Unit};
use crate::table::Table;
use crate::turn::ReachedEnding;
use adjutant_pack::{Chart, OptionId, Phase, RoleId};

/// What to do now.
#[derive(Clone, Debug)]
pub struct Guide<'a> {
    /// The current turn.
    pub turn: u32,
    /// The current phase; `None` if the pack has none.
    pub phase: Option<&'a Phase>,
    /// The test to roll first.
    pub next: Option<&'a PendingTest>,
    /// The index of the side that the test is for.
    pub side: Option<usize>,
    /// Whether attacks declared together wait to take effect.
    pub held: bool,
    /// The charts that can be rolled in this phase, if no test is due.
    pub charts: Vec<&'a Chart>,
    /// The endings that have been reached.
    pub endings: Vec<ReachedEnding<'a>>,
}

impl Table {
    /// What to do now: the first pending test and its side; else the purpose of the phase and the
    /// charts that can be rolled.
    pub fn guide(&self) -> Guide<'_> {
        let (phase, turn) = self.turn();
        let next = self.pending().next();
        let endings = self.endings();
        let charts: Vec<&Chart> = match (next, phase) {
            (None, Some(phase)) => phase
                .charts
                .iter()
                .map(|chart| &self.pack.charts()[*chart])
                .filter(|chart| self.can_be_rolled(chart))
                .collect(),
            _ => Vec::new(),
        };
        let side = next.and_then(|pending| {
            self.sides().iter().position(|side| Some(side) == pending.due.side.as_ref())
        });
        Guide { turn, phase, next, side, held: !self.state.held.is_empty(), charts, endings }
    }

    /// Whether no option closes a chart and there are units that can have its roles.
    fn can_be_rolled(&self, chart: &Chart) -> bool {
        let on = |option: OptionId| {
            self.state.options.get(option).copied().is_some_and(adjutant_pack::Value::is_yes)
        };
        let Some(place) = self.pack.chart_id(&chart.id) else { return false };
        let able = |unit: &Unit, at: RoleId| {
            let fit = !unit.is_out(&self.pack) && unit.stopped_by(&self.pack, place, at).is_none();
            fit && unit.kind == chart.roles[at].kind
        };
        let enemies = |unit: &Unit, role: &adjutant_pack::Role| {
            let faces = |other: &RoleId| {
                self.state.here().any(|known| known.side != unit.side && able(known, *other))
            };
            self.sides().len() < 2 || role.enemies.iter().all(faces)
        };
        let there = |(at, role): (RoleId, &adjutant_pack::Role)| {
            self.state.here().any(|unit| able(unit, at) && enemies(unit, role))
        };
        let cards = !self.pack.only_draws_from(chart, |deck| !self.state.has(deck));
        cards && chart.needs_option.is_none_or(on) && chart.roles.iter_enumerated().all(there)
    }
}
