//! One step of a fight: from a standing to those that may come next, each with its weight. A step throws
//! one chart, or carries out one thing that is due.

use super::FightSituation;
use super::decks::Decks;
use super::run_effects::RunEffects;
use super::state::{FightState, Fighter, PendingStep, Roles, UnitState, UnitStates, Who};
use crate::error::ResolveError;
use crate::odds::OddsError;
use crate::situation::Given;
use adjutant_pack::{Action, ChartId, Fight, FightAbout, FightSideId, FightThrow, Id, IdVec, MemoryId, Value};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::rc::Rc;

/// What a chart may do, with its weights.
pub(super) type Changes = Rc<Vec<(BigUint, RunEffects)>>;
/// A chart with its inputs and what the table remembers.
pub(super) type RunKey = (ChartId, Given, IdVec<MemoryId, Value>);

/// How many throws are made at most to find out what the charts of one fight do.
const MOST_THROWS: usize = 3_000_000;

/// Where a step leads.
#[derive(Clone, Debug)]
pub(super) enum NextState {
    Standing(FightState),
    /// The fight is over: how it was decided, and how many units of each side are left.
    End(usize, IdVec<FightSideId, u32>),
}

/// The ground a fight is fought on.
pub(super) struct FightRules<'p> {
    pub situation: FightSituation<'p>,
    pub barracks: UnitStates,
    pub begin: IdVec<FightSideId, usize>,
    pub runs: HashMap<RunKey, Changes>,
    pub decks: Decks,
    /// How many throws may still be made to find out what charts do.
    pub throws: usize,
}

impl<'p> FightRules<'p> {
    pub fn new(situation: &FightSituation<'p>) -> Result<(FightRules<'p>, FightState), OddsError> {
        if let Some(off) = situation.closed() {
            return Err(OddsError::Refused(ResolveError::OptionOff(off).into()));
        }
        let (pack, fight) = (situation.pack, situation.fight());
        let mut barracks = UnitStates::default();
        let mut sides = IdVec::new();
        for (side, known) in fight.sides.iter_enumerated() {
            let mut state = UnitState {
                attributes: pack.kinds()[known.kind].has.iter().map(|field| field.start).collect(),
                statuses: IdVec::filled(false, pack.statuses().len()),
            };
            for (place, input) in fight.inputs.iter_enumerated() {
                match input.about {
                    FightAbout::Attribute(of, attribute) if of == side => state.attributes[attribute] = situation.input(place),
                    FightAbout::Status(of, status) if of == side => {
                        state.statuses[status] = situation.input(place).is_some_and(Value::is_yes);
                    }
                    _ => {}
                }
            }
            let fighter = Fighter { state: barracks.place(state), acted: false };
            sides.push(vec![fighter; situation.count(side) as usize]);
        }
        let begin = sides.iter().map(Vec::len).collect();
        let memory = situation.memory.clone();
        let ring = FightRules {
            situation: situation.clone(),
            barracks,
            begin,
            runs: HashMap::new(),
            decks: Decks::default(),
            throws: MOST_THROWS,
        };
        let mut start = FightState { sides, due: Vec::new(), action: 0, holding: false, decided: None, memory, cards: IdVec::new() };
        ring.sweep(&mut start, &[])?;
        ring.check_needs(&start)?;
        Ok((ring, start.in_order()))
    }

    pub fn fight(&self) -> &'p Fight {
        self.situation.fight()
    }

    pub fn begin(&self) -> &[usize] {
        &self.begin
    }

    /// The ways a fight can be decided.
    pub fn decisions(&self) -> Vec<(String, String)> {
        self.situation.decisions()
    }

    /// How a fight that stands like this is decided, if it is.
    fn decided(&self, standing: &FightState) -> Result<Option<usize>, OddsError> {
        let fight = self.fight();
        if standing.decided.is_some() {
            return Ok(standing.decided);
        }
        if fight.ends.is_empty() {
            let left: Vec<FightSideId> = fight.sides.ids().filter(|side| !standing.sides[*side].is_empty()).collect();
            return Ok(match left.as_slice() {
                [] => Some(fight.sides.len()),
                [last] if fight.sides.len() > 1 => Some(last.index()),
                _ => None,
            });
        }
        for (place, end) in fight.ends.iter().enumerate().filter(|(_, end)| end.when.is_some()) {
            if self.holds(end.when.as_ref(), standing, &[])? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Where a standing may lead, and how likely; the weights are whole numbers.
    pub fn step(&mut self, standing: FightState) -> Result<Vec<(BigUint, NextState)>, OddsError> {
        let (to, new_round) = self.settle(standing)?;
        let NextState::Standing(standing) = to else { return Ok(vec![(BigUint::from(1_u32), to)]) };
        if new_round {
            return Ok(vec![(BigUint::from(1_u32), NextState::Standing(standing))]);
        }
        let after = match self.fight().actions.get(standing.action) {
            _ if !standing.holding && !standing.due.is_empty() => self.carry_out(standing)?,
            Some(Action::Throw(throw)) => self.throw(standing, throw)?,
            _ => vec![(BigUint::from(1_u32), standing)],
        };
        after.into_iter().map(|(weight, standing)| Ok((weight, self.settle(standing)?.0))).collect()
    }

    /// Goes on until luck has a say, the fight is decided, or a round begins; and whether one does.
    fn settle(&mut self, mut standing: FightState) -> Result<(NextState, bool), OddsError> {
        let fight = self.fight();
        loop {
            if !standing.holding && standing.decided.is_none() && !standing.due.is_empty() {
                let PendingStep::Land { .. } = standing.due[0] else { break };
                if let PendingStep::Land { roles, effects } = standing.due.remove(0) {
                    self.apply(&mut standing, &roles, &effects)?;
                }
                continue;
            }
            if !standing.holding
                && let Some(end) = self.decided(&standing)?
            {
                let left = standing.sides.iter().map(|side| side.len() as u32).collect();
                return Ok((NextState::End(end, left), false));
            }
            match fight.actions.get(standing.action) {
                None => {
                    standing.action = 0;
                    return Ok((NextState::Standing(standing.in_order()), true));
                }
                Some(Action::Lift { side, statuses, when }) => {
                    for place in 0..standing.sides[*side].len() {
                        if self.holds(when.as_ref(), &standing, &[Some((*side, place))])? {
                            let mut state = self.barracks.state(standing.sides[*side][place].state).clone();
                            statuses.iter().for_each(|status| state.statuses[*status] = false);
                            standing.sides[*side][place].state = self.barracks.place(state);
                        }
                    }
                    self.next_action(&mut standing);
                }
                Some(Action::Throw(throw)) if throw.each.is_some() && self.whose_turn(&standing, throw)?.is_none() => {
                    self.next_action(&mut standing);
                }
                Some(Action::Throw(_)) => break,
            }
        }
        Ok((NextState::Standing(standing.in_order()), false))
    }

    /// The unit that throws next, where each of a side does. Of unlike units the order is that of what they
    /// are like, so that it does not depend on what was met before.
    fn whose_turn(&self, standing: &FightState, throw: &FightThrow) -> Result<Option<Who>, OddsError> {
        let Some(role) = throw.each else { return Ok(None) };
        let side = throw.who[role];
        let mut units = Roles::filled(None, throw.who.len());
        let mut first: Option<Who> = None;
        for who in (0..standing.sides[side].len()).filter(|place| !standing.sides[side][*place].acted).map(|place| (side, place)) {
            units[role] = Some(who);
            let before = first.is_none_or(|first| self.like(standing, who) < self.like(standing, first));
            if before && self.holds(throw.when.as_ref(), standing, &units)? {
                first = Some(who);
            }
        }
        Ok(first)
    }

    fn next_action(&self, standing: &mut FightState) {
        standing.action += 1;
        standing.sides.iter_mut().flatten().for_each(|unit| unit.acted = false);
        let goes_on = matches!(self.fight().actions.get(standing.action), Some(Action::Throw(throw)) if throw.at_once);
        standing.holding &= goes_on;
    }

    fn throw(&mut self, mut standing: FightState, throw: &'p FightThrow) -> Result<Vec<(BigUint, FightState)>, OddsError> {
        let mut units = Roles::filled(None, throw.who.len());
        if let (Some(role), Some(who)) = (throw.each, self.whose_turn(&standing, throw)?) {
            units[role] = Some(who);
            standing.sides[who.0][who.1].acted = true;
        }
        let held = throw.at_once || matches!(self.fight().actions.get(standing.action + 1), Some(Action::Throw(next)) if next.at_once);
        let mut found = Vec::new();
        for (ways, units) in self.filled(&standing, units, &throw.who, &throw.prefer) {
            // A chart thrown once for all has its condition looked at when its units are known.
            let on = units.iter().all(Option::is_some)
                && !self.is_stopped(&standing, throw.chart, &units)
                && (throw.each.is_some() || self.holds(throw.when.as_ref(), &standing, &units)?);
            let nothing = Rc::new(vec![(BigUint::from(1_u32), RunEffects::default())]);
            let changes = match on {
                true => {
                    let inputs = self.inputs(throw.chart, &throw.with, &[], &standing, &units)?;
                    self.changes(throw.chart, inputs, &standing, &units)?
                }
                false => nothing,
            };
            for (weight, change) in changes.iter() {
                let mut after = standing.clone();
                after.holding |= held;
                self.land(&mut after, &units, None, change)?;
                if throw.each.is_none() {
                    self.next_action(&mut after);
                }
                found.push((weight * &ways, after));
            }
        }
        Ok(found)
    }

    /// Carries out the first chart that is due.
    fn carry_out(&mut self, mut standing: FightState) -> Result<Vec<(BigUint, FightState)>, OddsError> {
        let one = BigUint::from(1_u32);
        let PendingStep::Run { chart, roles, with, cause } = standing.due.remove(0) else { return Ok(vec![(one, standing)]) };
        let Some(followed) = self.fight().follow.iter().find(|known| known.chart == chart) else { return Ok(vec![(one, standing)]) };
        let mut found = Vec::new();
        for (ways, units) in self.opponents(&standing, chart, roles, cause) {
            if units.iter().any(Option::is_none) || self.is_stopped(&standing, chart, &units) {
                found.push((ways, standing.clone()));
                continue;
            }
            let inputs = self.inputs(chart, &followed.with, &with, &standing, &units)?;
            let changes = self.changes(chart, inputs, &standing, &units)?;
            for (weight, change) in changes.iter() {
                let mut after = standing.clone();
                self.land(&mut after, &units, cause, change)?;
                found.push((weight * &ways, after));
            }
        }
        Ok(found)
    }
}
