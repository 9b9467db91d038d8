//! What to do next: the first pending test, or what the phase allows.

use crate::event::Values;
use crate::state::{PendingTest, Unit};
use crate::table::Table;
use crate::turn::ReachedEnding;
use adjutant_pack::{Chart, OptionId, Phase, RoleId};
use serde::{Deserialize, Serialize};

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
    /// Whether simultaneous attacks wait for their results to be applied.
    pub held: bool,
    /// The charts that can be rolled in this phase, if no test is due.
    pub charts: Vec<&'a Chart>,
    /// The endings that have been reached.
    pub endings: Vec<ReachedEnding<'a>>,
}

/// Whose move it is, as one player sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhoseMove {
    /// Not known.
    #[default]
    Unknown,
    /// This player's.
    Yours,
    /// This player is asked to allow something.
    Asked,
    /// The side with the test to roll. Another player has it, or the game is played by two on one
    /// device.
    Side(String),
    /// Any side may act.
    Any,
    /// An ending was reached.
    Over,
}

impl Table {
    /// Whether a consent of this player is asked for.
    pub fn is_asked(&self, who: &str) -> bool {
        self.asked().is_some_and(|asked| asked.no.is_empty()) && self.may_consent(who)
    }

    /// Whose move it is, as this player sees it. A game that is not shared and has one side that a
    /// player runs is always that player's.
    pub fn whose_move(&self, who: &str, shared: bool) -> WhoseMove {
        if self.is_asked(who) {
            return WhoseMove::Asked;
        }
        let guide = self.guide();
        if !guide.endings.is_empty() && guide.next.is_none() {
            return WhoseMove::Over;
        }
        let played = (0..self.sides().len()).filter(|side| !self.is_run_by_sheet(*side));
        let alone = !shared && played.count() < 2;
        match guide.side.filter(|side| !self.is_run_by_sheet(*side)) {
            _ if alone => WhoseMove::Yours,
            Some(side) if self.side_of(who) == Some(side) => WhoseMove::Yours,
            Some(side) => WhoseMove::Side(self.sides()[side].clone()),
            None => WhoseMove::Any,
        }
    }

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
            let ruling = || self.state.ruling(&self.pack, (place, at), unit, &Values::new());
            unit.kind == chart.roles[at].kind && !unit.is_out(&self.pack) && ruling().is_none()
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
