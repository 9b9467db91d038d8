//! One step of a fight: from a state to the possible next states, each with its weight. A step
//! rolls one chart or carries out one pending item.

use super::FightSituation;
use super::chain::EndPoint;
use super::decks::Decks;
use super::run_effects::RunEffects;
use super::state::{FightState, Fighter, PendingStep, Roles, UnitState, UnitStates, Who};
use crate::error::ResolveError;
use crate::odds::OddsError;
use crate::situation::Given;
use adjutant_pack::{
    Action, ChartId, Fight, FightAbout, FightRoll, FightSideId, Id, IdVec, MemoryId, Value,
};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::rc::Rc;

/// The possible effects of a chart, with their weights.
pub(super) type Changes = Rc<Vec<(BigUint, RunEffects)>>;
/// A chart with its inputs and the game's memory.
pub(super) type RunKey = (ChartId, Given, IdVec<MemoryId, Value>);

/// The maximum number of rolls to find the effects of all charts of one fight.
const MAX_ROLLS: usize = 3_000_000;

/// The target of a step.
#[derive(Clone, Debug)]
pub(super) enum NextState {
    Standing(FightState),
    End(EndPoint),
}

/// The rules of one fight, with a cache of what its charts do.
pub(super) struct FightRules<'p> {
    pub situation: FightSituation<'p>,
    pub barracks: UnitStates,
    pub begin: IdVec<FightSideId, usize>,
    pub runs: HashMap<RunKey, Changes>,
    pub decks: Decks,
    /// The remaining budget of rolls to find the effects of charts.
    pub rolls: usize,
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
                    FightAbout::Attribute(of, attribute) if of == side => {
                        state.attributes[attribute] = situation.input(place)
                    }
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
            rolls: MAX_ROLLS,
        };
        let mut start = FightState {
            sides,
            due: Vec::new(),
            action: 0,
            holding: false,
            decided: None,
            memory,
            cards: IdVec::new(),
        };
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

    /// The possible decisions of the fight.
    pub fn decisions(&self) -> Vec<(String, String)> {
        self.situation.decisions()
    }

    /// The decision of a fight in this state, if there is one.
    fn decided(&self, standing: &FightState) -> Result<Option<usize>, OddsError> {
        let fight = self.fight();
        if standing.decided.is_some() {
            return Ok(standing.decided);
        }
        if fight.ends.is_empty() {
            let left: Vec<FightSideId> =
                fight.sides.ids().filter(|side| !standing.sides[*side].is_empty()).collect();
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

    fn end_point(&self, decision: usize, standing: &FightState) -> Result<EndPoint, OddsError> {
        let mut totals = IdVec::with_capacity(standing.sides.len());
        for (side, known) in self.fight().sides.iter_enumerated() {
            let sums = known.totals.iter().map(|attribute| self.total(standing, side, *attribute));
            totals.push(sums.collect::<Result<Vec<_>, _>>()?);
        }
        let left = standing.sides.iter().map(|side| side.len() as u32).collect();
        Ok(EndPoint { decision, left, totals })
    }

    /// The possible next states, with integer weights.
    pub fn step(&mut self, standing: FightState) -> Result<Vec<(BigUint, NextState)>, OddsError> {
        let (to, new_round) = self.settle(standing)?;
        let NextState::Standing(standing) = to else { return Ok(vec![(BigUint::from(1_u32), to)]) };
        if new_round {
            return Ok(vec![(BigUint::from(1_u32), NextState::Standing(standing))]);
        }
        let after = match self.fight().actions.get(standing.action) {
            _ if !standing.holding && !standing.due.is_empty() => self.carry_out(standing)?,
            Some(Action::Roll(roll)) => self.roll(standing, roll)?,
            _ => vec![(BigUint::from(1_u32), standing)],
        };
        after.into_iter().map(|(weight, standing)| Ok((weight, self.settle(standing)?.0))).collect()
    }

    /// Advances until a roll is needed, the fight is decided, or a round starts. Also returns
    /// whether a round starts.
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
                return Ok((NextState::End(self.end_point(end, &standing)?), false));
            }
            match fight.actions.get(standing.action) {
                None => {
                    standing.action = 0;
                    return Ok((NextState::Standing(standing.in_order()), true));
                }
                Some(Action::Lift { side, statuses, when }) => {
                    for place in 0..standing.sides[*side].len() {
                        if self.holds(when.as_ref(), &standing, &[Some((*side, place))])? {
                            let mut state =
                                self.barracks.state(standing.sides[*side][place].state).clone();
                            statuses.iter().for_each(|status| state.statuses[*status] = false);
                            standing.sides[*side][place].state = self.barracks.place(state);
                        }
                    }
                    self.next_action(&mut standing);
                }
                Some(Action::Roll(roll))
                    if roll.each.is_some() && self.whose_turn(&standing, roll)?.is_none() =>
                {
                    self.next_action(&mut standing);
                }
                Some(Action::Roll(_)) => break,
            }
        }
        Ok((NextState::Standing(standing.in_order()), false))
    }

    /// The unit that rolls next, if each unit of a side rolls. Different units are ordered by their
    /// attributes and statuses, so that the order does not depend on the states met before.
    fn whose_turn(
        &self,
        standing: &FightState,
        roll: &FightRoll,
    ) -> Result<Option<Who>, OddsError> {
        let Some(role) = roll.each else { return Ok(None) };
        let side = roll.who[role];
        let mut units = Roles::filled(None, roll.who.len());
        let mut first: Option<Who> = None;
        for who in (0..standing.sides[side].len())
            .filter(|place| !standing.sides[side][*place].acted)
            .map(|place| (side, place))
        {
            units[role] = Some(who);
            let before =
                first.is_none_or(|first| self.like(standing, who) < self.like(standing, first));
            if before && self.holds(roll.when.as_ref(), standing, &units)? {
                first = Some(who);
            }
        }
        Ok(first)
    }

    fn next_action(&self, standing: &mut FightState) {
        standing.action += 1;
        standing.sides.iter_mut().flatten().for_each(|unit| unit.acted = false);
        let goes_on = matches!(self.fight().actions.get(standing.action), Some(Action::Roll(roll)) if roll.at_once);
        standing.holding &= goes_on;
    }

    fn roll(
        &mut self,
        mut standing: FightState,
        roll: &'p FightRoll,
    ) -> Result<Vec<(BigUint, FightState)>, OddsError> {
        let mut units = Roles::filled(None, roll.who.len());
        if let (Some(role), Some(who)) = (roll.each, self.whose_turn(&standing, roll)?) {
            units[role] = Some(who);
            standing.sides[who.0][who.1].acted = true;
        }
        let held = roll.at_once
            || matches!(self.fight().actions.get(standing.action + 1), Some(Action::Roll(next)) if next.at_once);
        let mut found = Vec::new();
        for (ways, units) in self.filled(&standing, units, &roll.who, &roll.prefer) {
            // The condition of a chart rolled once for all is checked when its units are known.
            let on = units.iter().all(Option::is_some)
                && !self.is_stopped(&standing, roll.chart, &units)
                && (roll.each.is_some() || self.holds(roll.when.as_ref(), &standing, &units)?);
            let nothing = Rc::new(vec![(BigUint::from(1_u32), RunEffects::default())]);
            let changes = match on {
                true => {
                    let inputs = self.inputs(roll.chart, &roll.with, &[], &standing, &units)?;
                    self.changes(roll.chart, inputs, &standing, &units)?
                }
                false => nothing,
            };
            for (weight, change) in changes.iter() {
                let mut after = standing.clone();
                after.holding |= held;
                self.land(&mut after, &units, None, change)?;
                if roll.each.is_none() {
                    self.next_action(&mut after);
                }
                found.push((weight * &ways, after));
            }
        }
        Ok(found)
    }

    /// Carries out the first pending chart.
    fn carry_out(
        &mut self,
        mut standing: FightState,
    ) -> Result<Vec<(BigUint, FightState)>, OddsError> {
        let one = BigUint::from(1_u32);
        let PendingStep::Run { chart, roles, with, cause } = standing.due.remove(0) else {
            return Ok(vec![(one, standing)]);
        };
        let Some(followed) = self.fight().follow.iter().find(|known| known.chart == chart) else {
            return Ok(vec![(one, standing)]);
        };
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
