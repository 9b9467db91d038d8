//! What is known in a state of a fight: the names of the fight's expressions, the inputs of the
//! charts it rolls, and the possible effects of a chart, cached by its inputs.

use super::rules::{Changes, FightRules};
use super::run_effects::RunEffects;
use super::state::{FightState, Roles, UnitState, Who};
use crate::error::NoOdds;
use crate::odds::{OddsError, weigh_within};
use crate::situation::{Given, Situation};
use adjutant_dice::{Accepts, Missing, Number, Text, Wanted};
use adjutant_pack::{
    Action, AttributeId, ChartId, FightAbout, FightInputId, FightOrigin, FightSideId, FilledFrom,
    Formula, Id, IdVec, InputId, Lookup, MemoryId, RoleId, Slot, UnitFacet, Value,
};
use std::rc::Rc;

/// The values of a fight's names in one state.
pub(super) struct View<'a, 'p> {
    pub ring: &'a FightRules<'p>,
    pub standing: &'a FightState,
    pub units: &'a [Option<Who>],
}

impl Lookup for View<'_, '_> {
    fn get(&self, slot: Slot) -> Option<Value> {
        let ring = self.ring;
        let number = |n: usize| Some(Value::Number(Number::from(n as u32)));
        match ring.fight().names.get(slot)?.origin {
            FightOrigin::Input(input) => ring.situation.input(input),
            FightOrigin::Option(option) => ring.situation.options.get(option).copied(),
            FightOrigin::Memory(memory) => self.standing.memory.get(memory).copied(),
            FightOrigin::Count(side) => number(self.standing.sides[side].len()),
            FightOrigin::Lost(side) => {
                number(ring.begin[side].saturating_sub(self.standing.sides[side].len()))
            }
            FightOrigin::Total(side, attribute) => {
                ring.total(self.standing, side, attribute).ok().map(Value::Number)
            }
            FightOrigin::Of(role, facet) => {
                ring.facet(self.standing, (*self.units.get(role.index())?)?, facet)
            }
        }
    }
}

impl<'p> FightRules<'p> {
    pub(super) fn facet(&self, standing: &FightState, who: Who, facet: UnitFacet) -> Option<Value> {
        let state = self.barracks.state(standing.sides[who.0].get(who.1)?.state);
        match facet {
            UnitFacet::Attribute(place) => state.attributes[place],
            UnitFacet::Status(place) => Some(Value::YesNo(state.statuses[place])),
        }
    }

    /// The sum of an attribute over the units of a side that are still in the fight.
    pub(super) fn total(
        &self,
        standing: &FightState,
        side: FightSideId,
        attribute: AttributeId,
    ) -> Result<Number, OddsError> {
        let mut sum = Number::ZERO;
        for unit in &standing.sides[side] {
            let value = self.barracks.state(unit.state).attributes[attribute];
            let Some(value) = value.and_then(Value::number) else {
                return Err(self.lacks(self.attribute_input(side, attribute), || {
                    let known = &self.situation.pack.kinds()[self.fight().sides[side].kind];
                    known.has[attribute].id.clone()
                }));
            };
            sum = sum.plus(value).map_err(|error| OddsError::Refused(NoOdds::Arithmetic(error)))?;
        }
        Ok(sum)
    }

    /// The state of a unit.
    pub(super) fn like(&self, standing: &FightState, who: Who) -> &UnitState {
        self.barracks.state(standing.sides[who.0][who.1].state)
    }

    pub(super) fn eval(
        &self,
        formula: &Formula,
        standing: &FightState,
        units: &[Option<Who>],
    ) -> Result<Value, OddsError> {
        formula.eval(&View { ring: self, standing, units }).map_err(|stop| match stop {
            adjutant_pack::EvalError::Missing(slot) => self.missing(slot, units),
            adjutant_pack::EvalError::Sum(error) => {
                let (fight, formula) = (self.fight().title.as_str().into(), formula.text.clone());
                OddsError::Refused(NoOdds::Formula { fight, formula, error })
            }
        })
    }

    pub(super) fn holds(
        &self,
        formula: Option<&Formula>,
        standing: &FightState,
        units: &[Option<Who>],
    ) -> Result<bool, OddsError> {
        formula.map_or(Ok(true), |formula| self.eval(formula, standing, units).map(Value::is_yes))
    }

    /// The error for a missing input of the fight.
    pub(super) fn missing(&self, slot: Slot, units: &[Option<Who>]) -> OddsError {
        let input = match self.fight().names[slot].origin {
            FightOrigin::Input(input) => Some(input),
            FightOrigin::Total(side, attribute) => self.attribute_input(side, attribute),
            FightOrigin::Of(role, UnitFacet::Attribute(attribute)) => units
                .get(role.index())
                .copied()
                .flatten()
                .and_then(|who| self.attribute_input(who.0, attribute)),
            _ => None,
        };
        self.lacks(input, || self.fight().names[slot].text.as_str().into())
    }

    /// The error for a value that is not known: it can be given as an input, or it has a name.
    fn lacks(&self, input: Option<FightInputId>, name: impl Fn() -> Text) -> OddsError {
        match input.map(|input| &self.fight().inputs[input]) {
            Some(input) => {
                OddsError::Needs(vec![need(&input.name, &input.field.label, &input.field.accepts)])
            }
            None => OddsError::Refused(NoOdds::NoValue { name: name() }),
        }
    }

    pub(super) fn attribute_input(
        &self,
        side: FightSideId,
        attribute: AttributeId,
    ) -> Option<FightInputId> {
        self.fight().inputs.position(|input| input.about == FightAbout::Attribute(side, attribute))
    }

    /// The value given for a whole side, by the name that a chart uses for it.
    pub(super) fn side_input(&self, side: FightSideId, id: &str) -> Option<Value> {
        let fight = self.fight();
        let name = format!("{}.{id}", fight.sides[side].id);
        self.situation.input(fight.inputs.position(|input| input.name == name)?)
    }

    /// Checks everything that the first roll of every action needs, so that all missing inputs are
    /// reported at once.
    pub(super) fn check_needs(&self, start: &FightState) -> Result<(), OddsError> {
        let pack = self.situation.pack;
        let mut needed: Vec<Missing> = Vec::new();
        for action in &self.fight().actions {
            let Action::Roll(roll) = action else { continue };
            let units: Roles = roll
                .who
                .iter()
                .map(|side| (!start.sides[*side].is_empty()).then_some((*side, 0)))
                .collect();
            // A formula that cannot be evaluated yet must not hide other missing inputs.
            let (mut with, mut short) = (Vec::new(), Vec::new());
            for (place, formula) in &roll.with {
                match self.eval(formula, start, &units) {
                    Ok(value) => with.push((*place, value)),
                    Err(OddsError::Needs(more)) => {
                        needed.extend(more);
                        short.push(pack.charts()[roll.chart].inputs[*place].name.as_str());
                    }
                    Err(stop) => return Err(stop),
                }
            }
            let inputs = self.inputs(roll.chart, &[], &with, start, &units)?;
            let there = self.chart_situation(roll.chart, inputs, &start.memory)?;
            needed.extend(
                self.needs_of(&there, &units)
                    .into_iter()
                    .filter(|need| !short.contains(&need.key.as_str())),
            );
            needed.extend(self.needs_of_next(roll.chart, &roll.who));
        }
        for followed in &self.fight().follow {
            needed.extend(self.needs_of_followed(followed.chart, start));
        }
        for (side, known) in self.fight().sides.iter_enumerated() {
            for attribute in &known.totals {
                match self.total(start, side, *attribute) {
                    Err(OddsError::Needs(more)) => needed.extend(more),
                    other => drop(other?),
                }
            }
        }
        let mut seen: Vec<String> = Vec::new();
        needed.retain(|need| {
            !seen.contains(&need.key) && {
                seen.push(need.key.clone());
                true
            }
        });
        if needed.is_empty() { Ok(()) } else { Err(OddsError::Needs(needed)) }
    }

    /// The attributes that a chart passes to its follow-ups.
    fn needs_of_next(&self, chart: ChartId, who: &IdVec<RoleId, FightSideId>) -> Vec<Missing> {
        let here = &self.situation.pack.charts()[chart];
        let followed = |next: &&adjutant_pack::FollowUpRule| {
            self.fight().follow.iter().any(|known| known.chart == next.chart)
        };
        let mut found = Vec::new();
        for slot in here
            .follow_ups()
            .filter(followed)
            .flat_map(|next| {
                let with = next.with.iter().map(|(_, formula)| formula);
                with.chain(next.times.iter().map(|series| &series.times))
            })
            .flat_map(|formula| formula.slots())
        {
            let Some(adjutant_pack::NameSource::Input(input)) =
                here.names.get(slot).map(|name| name.origin)
            else {
                continue;
            };
            let (Some(role), Some((_, id))) =
                (here.inputs[input].role, here.inputs[input].name.split_once('.'))
            else {
                continue;
            };
            let name = format!("{}.{id}", self.fight().sides[who[role]].id);
            let known = self.fight().inputs.iter_enumerated().find(|(_, input)| input.name == name);
            if let Some((_, input)) =
                known.filter(|(place, _)| self.situation.input(*place).is_none())
            {
                found.push(need(&input.name, &input.field.label, &input.field.accepts));
            }
        }
        found
    }

    /// The attributes of each side's units that a follow-up chart needs. Its other inputs are
    /// passed when it follows.
    fn needs_of_followed(&self, chart: ChartId, start: &FightState) -> Vec<Missing> {
        let there = &self.situation.pack.charts()[chart];
        let mut found = Vec::new();
        for (side, known) in
            self.fight().sides.iter_enumerated().filter(|(side, _)| !start.sides[*side].is_empty())
        {
            let units: Roles = there
                .roles
                .iter()
                .map(|role| (role.kind == known.kind).then_some((side, 0)))
                .collect();
            let inputs = self.inputs(chart, &[], &[], start, &units).unwrap_or_default();
            let Ok(situation) = self.chart_situation(chart, inputs, &start.memory) else {
                continue;
            };
            // A question of the fight may have the name of an input that the follow-up passes.
            let needs = crate::needs::needs(&situation).into_iter();
            found.extend(needs.filter_map(|need| self.need_of_side(&situation, &units, &need)));
        }
        found
    }

    /// The needs of a chart, under the names of the fight.
    pub(super) fn needs_of(&self, there: &Situation<'_>, units: &[Option<Who>]) -> Vec<Missing> {
        crate::needs::needs(there)
            .into_iter()
            .map(|need| self.need_of_side(there, units, &need).unwrap_or(need))
            .collect()
    }

    /// What a chart needs of a unit, under the name that it has for the unit's side in the fight.
    fn need_of_side(
        &self,
        there: &Situation<'_>,
        units: &[Option<Who>],
        need: &Missing,
    ) -> Option<Missing> {
        let (role, id) = need.key.split_once('.')?;
        let side = units.get(there.chart().role(role)?.index()).copied().flatten()?.0;
        let name = format!("{}.{id}", self.fight().sides[side].id);
        let input = self.fight().inputs.iter().find(|input| input.name == name)?;
        Some(Missing {
            key: name,
            what_for: input.field.label.to_string(),
            member: None,
            wanted: need.wanted.clone(),
        })
    }

    pub(super) fn chart_situation(
        &self,
        chart: ChartId,
        inputs: Given,
        memory: &IdVec<MemoryId, Value>,
    ) -> Result<Situation<'p>, OddsError> {
        let pack = self.situation.pack;
        let mut there = Situation::new(pack, &pack.charts()[chart].id)
            .map_err(|error| OddsError::Refused(NoOdds::Input(error)))?;
        there.options.clone_from(&self.situation.options);
        there.memory = memory.clone();
        there.given = inputs;
        Ok(there)
    }

    /// The inputs of a chart: values already known, those that the fight sets, and the units' own.
    pub(super) fn inputs(
        &self,
        chart: ChartId,
        with: &[(InputId, Formula)],
        known: &[(InputId, Value)],
        standing: &FightState,
        units: &[Option<Who>],
    ) -> Result<Given, OddsError> {
        let pack = self.situation.pack;
        let chart = &pack.charts()[chart];
        let mut inputs = Given::filled(None, chart.inputs.len());
        for (place, input) in chart.inputs.iter_enumerated() {
            if let Some((_, value)) = known.iter().find(|(known, _)| *known == place) {
                inputs[place] = Some(*value);
            } else if let Some((_, formula)) = with.iter().find(|(known, _)| *known == place) {
                inputs[place] = Some(self.eval(formula, standing, units)?);
            } else if let Some(who) =
                input.role.and_then(|role| units.get(role.index()).copied().flatten())
            {
                let id = input.name.split_once('.').map_or("", |(_, id)| id);
                let kind = &pack.kinds()[self.fight().sides[who.0].kind];
                inputs[place] = match input.source {
                    FilledFrom::Status(status) => {
                        self.facet(standing, who, UnitFacet::Status(status))
                    }
                    FilledFrom::Attribute(_) => {
                        let attribute = kind.has.position(|field| field.id == id);
                        attribute.and_then(|attribute| {
                            self.facet(standing, who, UnitFacet::Attribute(attribute))
                        })
                    }
                    FilledFrom::Situation => self.side_input(who.0, id),
                    FilledFrom::SideMemory(_) => input.field.start,
                };
            }
        }
        Ok(inputs)
    }

    /// The possible effects of a chart, cached by its inputs.
    pub(super) fn changes(
        &mut self,
        chart: ChartId,
        inputs: Given,
        standing: &FightState,
        units: &[Option<Who>],
    ) -> Result<Changes, OddsError> {
        let memory = &standing.memory;
        let key = (chart, inputs, memory.clone());
        if let Some(check) = self.decks.checks.get(&key).cloned() {
            return check.drawn(&standing.cards[check.deck], &self.decks.whole[check.deck]);
        }
        if let Some(known) = self.runs.get(&key) {
            return Ok(known.clone());
        }
        let pack = self.situation.pack;
        let there = self.chart_situation(chart, key.1.clone(), memory)?;
        let fight = self.fight();
        let kept = |resolution: &crate::Resolution, _: &crate::odds::Besides| {
            RunEffects::of(pack, fight, &pack.charts()[chart], resolution)
        };
        let mut rolls = self.rolls;
        let weighed = weigh_within(&there, &self.situation.asked, &kept, &mut rolls);
        self.rolls = rolls;
        let changes = weighed.map_err(|stop| match stop {
            OddsError::Needs(_) => OddsError::Needs(self.needs_of(&there, units)),
            other => other,
        })?;
        if changes.keys().any(|change| change.appear) {
            return Err(OddsError::Refused(NoOdds::NewUnits {
                chart: pack.charts()[chart].title.clone(),
            }));
        }
        let changes: Changes =
            Rc::new(changes.into_iter().map(|(change, weight)| (weight, change)).collect());
        self.runs.insert(key, changes.clone());
        Ok(changes)
    }
}

fn need(key: &str, what_for: &str, accepts: &Accepts) -> Missing {
    Missing {
        key: key.to_owned(),
        what_for: what_for.to_owned(),
        member: None,
        wanted: Wanted::Input { accepts: accepts.clone() },
    }
}
