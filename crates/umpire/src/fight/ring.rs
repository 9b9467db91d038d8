//! One step of a fight: from a standing to those that may come next, each with its weight. A step throws
//! one chart, or carries out one thing that is due.

use super::FightSituation;
use super::change::Change;
use super::state::{Barracks, Due, Fighter, Standing, UnitState};
use crate::odds::OddsStop;
use num_bigint::BigUint;
use sheet::{Action, Fight, FightAbout, FightThrow, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// What a chart may do, with its weights.
pub(super) type Changes = Rc<Vec<(BigUint, Change)>>;
/// A chart with its inputs and what the table remembers.
pub(super) type RunKey = (usize, Vec<Option<Value>>, Vec<Value>);

/// Where a step leads.
#[derive(Clone, Debug)]
pub(super) enum To {
    Standing(Standing),
    /// The fight is over: how it was decided, and how many units of each side are left.
    End(usize, Vec<u32>),
}

/// The ground a fight is fought on.
pub(super) struct Ring<'p> {
    pub situation: FightSituation<'p>,
    pub barracks: Barracks,
    pub begin: Vec<usize>,
    pub runs: HashMap<RunKey, Changes>,
}

impl<'p> Ring<'p> {
    pub fn new(situation: &FightSituation<'p>) -> Result<(Ring<'p>, Standing), OddsStop> {
        if let Some(why) = situation.closed() {
            return Err(OddsStop::Refused(why));
        }
        let (pack, fight) = (situation.pack, situation.fight());
        let mut barracks = Barracks::default();
        let mut sides = Vec::new();
        for (side, known) in fight.sides.iter().enumerate() {
            let mut state = UnitState {
                attributes: pack.kinds[known.kind].has.iter().map(|field| field.start).collect(),
                statuses: vec![false; pack.statuses.len()],
            };
            for (place, input) in fight.inputs.iter().enumerate() {
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
        let ring = Ring { situation: situation.clone(), barracks, begin, runs: HashMap::new() };
        let mut start = Standing { sides, due: Vec::new(), action: 0, holding: false, decided: None, memory, cards: Vec::new() };
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
    fn decided(&self, standing: &Standing) -> Result<Option<usize>, OddsStop> {
        let fight = self.fight();
        if standing.decided.is_some() {
            return Ok(standing.decided);
        }
        if fight.ends.is_empty() {
            let left: Vec<usize> = (0..fight.sides.len()).filter(|side| !standing.sides[*side].is_empty()).collect();
            return Ok(match left.as_slice() {
                [] => Some(fight.sides.len()),
                [last] if fight.sides.len() > 1 => Some(*last),
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
    pub fn step(&mut self, mut standing: Standing) -> Result<Vec<(BigUint, To)>, OddsStop> {
        let one = || BigUint::from(1_u32);
        if !standing.holding && !standing.due.is_empty() && standing.decided.is_none() {
            return self.carry_out(standing);
        }
        if !standing.holding
            && let Some(end) = self.decided(&standing)?
        {
            let left = standing.sides.iter().map(|side| side.len() as u32).collect();
            return Ok(vec![(one(), To::End(end, left))]);
        }
        let fight = self.fight();
        match fight.actions.get(standing.action) {
            None => {
                standing.action = 0;
                Ok(vec![(one(), To::Standing(standing.in_order()))])
            }
            Some(Action::Lift { side, statuses, when }) => {
                for place in 0..standing.sides[*side].len() {
                    if self.holds(when.as_ref(), &standing, &[Some((*side, place))])? {
                        let mut state = self.barracks.state(standing.sides[*side][place].state).clone();
                        statuses.iter().for_each(|status| state.statuses[*status] = false);
                        standing.sides[*side][place].state = self.barracks.place(state);
                    }
                }
                Ok(vec![(one(), To::Standing(self.next_action(standing)))])
            }
            Some(Action::Throw(throw)) => self.throw(standing, throw),
        }
    }

    fn next_action(&self, mut standing: Standing) -> Standing {
        standing.action += 1;
        standing.sides.iter_mut().flatten().for_each(|unit| unit.acted = false);
        let goes_on = matches!(self.fight().actions.get(standing.action), Some(Action::Throw(throw)) if throw.at_once);
        standing.holding &= goes_on;
        standing.in_order()
    }

    fn throw(&mut self, mut standing: Standing, throw: &'p FightThrow) -> Result<Vec<(BigUint, To)>, OddsStop> {
        let mut units = vec![None; throw.who.len()];
        if let Some(role) = throw.each {
            let side = throw.who[role];
            let mut turn = None;
            for place in 0..standing.sides[side].len() {
                units[role] = Some((side, place));
                if !standing.sides[side][place].acted && self.holds(throw.when.as_ref(), &standing, &units)? {
                    turn = Some(place);
                    break;
                }
            }
            let Some(place) = turn else {
                return Ok(vec![(BigUint::from(1_u32), To::Standing(self.next_action(standing)))]);
            };
            units[role] = Some((side, place));
            standing.sides[side][place].acted = true;
        }
        let mut found = Vec::new();
        for (ways, units) in self.filled(&standing, units, &throw.who, &throw.prefer) {
            let missing = units.iter().any(Option::is_none);
            // A chart thrown once for all has its condition looked at when its units are known.
            let off = throw.each.is_none() && !missing && !self.holds(throw.when.as_ref(), &standing, &units)?;
            let mut after = standing.clone();
            if missing || off {
                after = if throw.each.is_none() { self.next_action(after) } else { after.in_order() };
                found.push((ways, To::Standing(after)));
                continue;
            }
            let inputs = self.inputs(throw.chart, &throw.with, &[], &standing, &units)?;
            let changes = self.changes(throw.chart, inputs, &standing.memory, &units)?;
            let held = throw.at_once || matches!(self.fight().actions.get(standing.action + 1), Some(Action::Throw(next)) if next.at_once);
            for (weight, change) in changes.iter() {
                let mut after = standing.clone();
                after.holding |= held;
                self.land(&mut after, throw.chart, &units, None, change)?;
                let after = if throw.each.is_none() { self.next_action(after) } else { after.in_order() };
                found.push((weight * &ways, To::Standing(after)));
            }
        }
        Ok(found)
    }

    /// Carries out the first thing that is due.
    fn carry_out(&mut self, mut standing: Standing) -> Result<Vec<(BigUint, To)>, OddsStop> {
        let one = BigUint::from(1_u32);
        match standing.due.remove(0) {
            Due::Land { roles, effects } => {
                self.apply(&mut standing, &roles, &effects)?;
                Ok(vec![(one, To::Standing(standing.in_order()))])
            }
            Due::Run { chart, roles, with, cause } => {
                let fight = self.fight();
                let Some(followed) = fight.follow.iter().find(|known| known.chart == chart) else {
                    return Ok(vec![(one, To::Standing(standing.in_order()))]);
                };
                let mut found = Vec::new();
                for (ways, units) in self.opponents(&standing, chart, roles, cause) {
                    if units.iter().any(Option::is_none) {
                        found.push((ways, To::Standing(standing.clone().in_order())));
                        continue;
                    }
                    let inputs = self.inputs(chart, &followed.with, &with, &standing, &units)?;
                    let changes = self.changes(chart, inputs, &standing.memory, &units)?;
                    for (weight, change) in changes.iter() {
                        let mut after = standing.clone();
                        self.land(&mut after, chart, &units, cause, change)?;
                        found.push((weight * &ways, To::Standing(after.in_order())));
                    }
                }
                Ok(found)
            }
        }
    }
}
