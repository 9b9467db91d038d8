//! Look-ups, rolls without rules for rolling again, and the reading at the end.

use super::decks::Left;
use super::spread::{Mix, Spread};
use super::{Done, Found, Halted, Live, MOST_STATES, Reading, Scope, State, States};
use crate::error::ResolveError;
use crate::odds::hands::{Hand, Hands};
use crate::odds::request::{AnswerOdds, OddsError, TooMany};
use crate::resolution::ResultLine;
use crate::run::{ChartOutcome, Skips};
use crate::situation::Values;
use adjutant_dice::{Number, Text};
use adjutant_pack::{
    Chart, Facet, Formula, IdVec, LookUp, Lookup, RoleId, Slot, StepId, StepKind, Value,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'p> States<'_, 'p> {
    /// A step that looks another chart up.
    pub(super) fn look_up_step(
        &mut self,
        scope: &Scope,
        step: StepId,
        look_up: &LookUp,
        state: &State,
    ) -> Result<Spread<State>, Halted> {
        let chart = self.known(scope.chart);
        let known = &chart.steps[step];
        let (starts, values) = self.at(scope.chart, &state.values, |run| {
            if run.holds_or(known.when.as_ref(), true)? {
                return run.look_up_starts(known, look_up).map(Some);
            }
            run.skip(known);
            Ok(None)
        })?;
        let Some(starts) = starts else {
            return Ok(Spread::sure(State { values, ..state.clone() }));
        };
        let cells = chart.read.rows.iter().flat_map(|row| &row.cells);
        let passes_on = cells.clone().any(|cell| cell.result_of == Some(step));
        let live = self.live(scope);
        let at = adjutant_pack::Id::index(step);
        let later = live.decks[at].clone();
        let wanted = passes_on || reads_value(&known.facets);
        let found = match (&look_up.times, starts.as_slice()) {
            (None, [start]) => {
                self.look_up(scope, look_up, start.clone(), &state.left, wanted, &later)?
            }
            _ => {
                // The next run draws what this one leaves.
                let later: Vec<bool> =
                    later.iter().zip(&live.drawn[at]).map(|(later, own)| *later || *own).collect();
                self.series(scope, look_up, starts, &state.left, wanted, &later)?.into()
            }
        };
        let mut mix = Mix::default();
        for (found, weight) in &found.parts {
            let mut after = self.after_look_up(scope, state, &values, &known.facets, found)?;
            if passes_on {
                let result = found.result.as_ref().map(|(id, _, _)| id.clone());
                after.done.taken.push((step, result, found.value));
            }
            mix.add(weight, Spread::sure(after));
        }
        Ok(mix.done(&found.total))
    }

    /// How a chart comes out that is looked up from this one.
    pub(super) fn look_up(
        &mut self,
        scope: &Scope,
        look_up: &LookUp,
        start: Values,
        left: &Left,
        value: bool,
        later: &[bool],
    ) -> Result<Rc<Spread<Found>>, Halted> {
        let there = self.known(look_up.chart);
        let names_value = there.other_names.iter().any(|(origin, _)| {
            matches!(origin, adjutant_pack::NameSource::Cell | adjutant_pack::NameSource::Value)
        });
        let skips = Skips { value: !value && !names_value, changes: scope.skips.changes };
        let decks = later.iter().zip(&scope.decks).map(|(a, b)| *a || *b).collect();
        let roles = (!skips.changes).then(|| self.roles(scope, look_up));
        let inner = Scope { chart: look_up.chart, roles, skips, decks };
        let key = (inner, start.to_vec(), left.clone());
        if let Some(found) = self.looked_up.get(&key) {
            return Ok(found.clone());
        }
        let found = Rc::new(self.chart(&key.0, &start, left.clone())?);
        self.looked_up.insert(key, found.clone());
        Ok(found)
    }

    /// A chart that is looked up several times: the sum of its values, and all that its runs bring
    /// about.
    fn series(
        &mut self,
        scope: &Scope,
        look_up: &LookUp,
        starts: Vec<Values>,
        left: &Left,
        wanted: bool,
        later: &[bool],
    ) -> Result<Spread<Found>, Halted> {
        let mut now = Spread::sure(Found {
            result: None,
            value: Some(Number::ZERO),
            left: left.clone(),
            done: Done::default(),
            counts: Vec::new(),
        });
        for start in starts {
            let mut mix = Mix::default();
            for (before, weight) in now.parts {
                let run =
                    self.look_up(scope, look_up, start.clone(), &before.left, wanted, later)?;
                let mut parts: BTreeMap<Found, BigUint> = BTreeMap::new();
                for (found, ways) in &run.parts {
                    let both = self.both(look_up, &before, found, wanted)?;
                    *parts.entry(both).or_default() += ways;
                }
                mix.add(&weight, Spread { parts, total: run.total.clone() });
            }
            now = mix.done(&now.total);
            self.spend(now.parts.len())?;
            if now.parts.len() > MOST_STATES {
                return Err(TooMany::States.beyond(now.parts.len(), MOST_STATES).into());
            }
        }
        Ok(now)
    }

    /// Some runs of a series and the next one together.
    fn both(
        &self,
        look_up: &LookUp,
        before: &Found,
        found: &Found,
        wanted: bool,
    ) -> Result<Found, OddsError> {
        let more = found.value.filter(|_| wanted).unwrap_or(Number::ZERO);
        let sum = before.value.unwrap_or(Number::ZERO).plus(more).map_err(|error| {
            let chart = self.known(look_up.chart).title.clone();
            OddsError::Refused(ResolveError::Arithmetic { chart, error }.into())
        })?;
        let mut done = before.done.clone();
        done.add(found.done.also.iter().cloned());
        done.effects.extend(found.done.effects.iter().cloned());
        done.next.extend(found.done.next.iter().cloned());
        let left = found.left.clone();
        Ok(Found { result: None, value: Some(sum), left, done, counts: Vec::new() })
    }

    /// What the roles of a chart that is looked up are called.
    fn roles(&self, scope: &Scope, look_up: &LookUp) -> IdVec<RoleId, Text> {
        let (here, there) = (self.known(scope.chart), self.known(look_up.chart));
        let mut names: IdVec<RoleId, Text> =
            there.roles.iter().map(|role| role.id.clone()).collect();
        for (role, of) in &look_up.who {
            names[*role] = match &scope.roles {
                Some(names) => names[*of].clone(),
                None => here.roles[*of].id.clone(),
            };
        }
        names
    }

    /// The state after a chart was looked up.
    pub(super) fn after_look_up(
        &self,
        scope: &Scope,
        state: &State,
        values: &[Option<Value>],
        facets: &[(Facet, Slot)],
        found: &Found,
    ) -> Result<State, OddsError> {
        let line = |(id, title, on): &(Text, Text, Option<Text>)| ResultLine {
            id: id.clone(),
            title: title.clone(),
            means: Text::default(),
            on: on.clone(),
            because: None,
        };
        let outcome = ChartOutcome {
            result: found.result.as_ref().map(line),
            value: found.value,
            ..ChartOutcome::default()
        };
        let ((), values) = self.at(scope.chart, values, |run| {
            run.set_looked_up(facets, &outcome);
            Ok(())
        })?;
        let mut done = state.done.clone();
        done.add(found.done.also.iter().cloned());
        done.effects.extend(found.done.effects.iter().cloned());
        done.next.extend(found.done.next.iter().cloned());
        Ok(State { values, ended: None, left: found.left.clone(), done })
    }

    /// The reading of a chart after its steps.
    pub(super) fn read(&self, scope: &Scope, state: State) -> Result<Reading, Halted> {
        let tallies =
            |chart: &Chart| chart.each.as_ref().is_some_and(|each| !each.tally.is_empty());
        if state.ended.is_some() && tallies(self.known(scope.chart)) {
            return Err(Halted::Unfit);
        }
        if let Some(ended) = state.ended {
            let mut found = Found {
                result: ended.result,
                value: ended.value,
                left: state.left,
                done: state.done,
                counts: Vec::new(),
            };
            self.leave(scope, &mut found);
            return Ok(Reading::Sure(found));
        }
        if let Some(value) = only_value(self.known(scope.chart), scope.skips)
            && let Ok(value) = value.number(&Known(&state.values))
        {
            let (left, done) = (state.left, state.done);
            let mut found =
                Found { result: None, value: Some(value), left, done, counts: Vec::new() };
            self.leave(scope, &mut found);
            return Ok(Reading::Sure(found));
        }
        let read = self.tries(scope, &state, None, &|run| {
            let found = run.finish(None)?;
            let result = found.result.map(|line| (line.id, line.title, line.on));
            Ok((result, found.value, found.counts))
        })?;
        Ok(Reading::Open(read.map(|((result, value, counts), state)| {
            let mut found = Found { result, value, left: state.left, done: state.done, counts };
            self.leave(scope, &mut found);
            found
        })))
    }

    /// Takes out what only the chart itself could read.
    fn leave(&self, scope: &Scope, found: &mut Found) {
        found.done.taken.clear();
        super::decks::forget_decks(&mut found.left, &scope.decks);
    }

    /// A roll or a draw.
    pub(super) fn roll(
        &mut self,
        scope: &Scope,
        place: StepId,
        state: &State,
        live: &Live,
    ) -> Result<Spread<State>, Halted> {
        let step = &self.known(scope.chart).steps[place];
        let (rolls, values) = self.at(scope.chart, &state.values, |run| {
            let rolls = run.holds_or(step.when.as_ref(), true)?;
            if !rolls {
                run.skip(step);
            }
            Ok(rolls)
        })?;
        let state = State { values, ..state.clone() };
        if !rolls {
            return Ok(Spread::sure(state));
        }
        let at = adjutant_pack::Id::index(place);
        let StepKind::Roll(roll) = &step.kind else {
            return self.until_read(scope, place, &state, None, live);
        };
        // A die is chosen after the last roll, but the rules for rolling again look at every die.
        let chosen = roll.choose.is_some() && !step.again.is_empty();
        let key = format!("{}.", step.name);
        let weighed = |(name, taken): &(String, AnswerOdds)| {
            name.starts_with(&key) && matches!(taken, AnswerOdds::Weighed(_))
        };
        let hands =
            Hands { states: self, chart: scope.chart, place, step, roll, live: &live.names[at] };
        let found = match chosen || self.asked.answers.iter().any(weighed) {
            true => None,
            false => hands.all(&state.values)?,
        };
        match found {
            Some(found) if step.again.is_empty() => self.settled(scope, place, &state, found),
            Some(found) => self.until_read(scope, place, &state, Some(&found), live),
            // A card that is drawn on the way would be lost.
            None if live.drawn[at].contains(&true) => Err(Halted::Unfit),
            None => Ok(self.explore(scope, place, &state)?),
        }
    }

    /// All states after a roll that counts as it lies.
    fn settled(
        &self,
        scope: &Scope,
        place: StepId,
        state: &State,
        found: Spread<Hand>,
    ) -> Result<Spread<State>, Halted> {
        let step = &self.known(scope.chart).steps[place];
        let mut parts = std::collections::BTreeMap::new();
        if step.add.is_empty() && step.most.is_none() && step.least.is_none() {
            let mut before = state.clone();
            for (facet, slot) in &step.facets {
                if *facet == Facet::Again {
                    let none = Value::Number(adjutant_dice::Number::ZERO);
                    before.values[adjutant_pack::Id::index(*slot)] = Some(none);
                }
            }
            // Hands are in the order of their values, so equal states follow each other.
            let mut after: Vec<(State, BigUint)> = Vec::with_capacity(found.parts.len());
            for (hand, weight) in found.parts {
                let mut state = before.clone();
                for (slot, value) in hand.values {
                    state.values[adjutant_pack::Id::index(slot)] = Some(value);
                }
                match after.last_mut() {
                    Some((last, known)) if *last == state => *known += weight,
                    _ => after.push((state, weight)),
                }
            }
            return Ok(Spread { parts: adjutant_dice::map_of(after), total: found.total });
        }
        for (hand, weight) in found.parts {
            let ((), values) = self.at(scope.chart, &state.values, |run| {
                for (slot, value) in &hand.values {
                    run.set(*slot, *value);
                }
                run.set_facet(step, Facet::Again, Value::Number(adjutant_dice::Number::ZERO));
                let Some(natural) = hand.natural else { return Ok(()) };
                let mut entry = run.new_roll(step, crate::resolution::RollKind::Dice);
                let total = run.modify(place, step, natural, &mut entry)?;
                run.set_facet(step, Facet::Total, Value::Number(total));
                Ok(())
            })?;
            *parts.entry(State { values, ..state.clone() }).or_default() += weight;
        }
        Ok(Spread { parts, total: found.total })
    }
}

/// The values of a state by name.
struct Known<'s>(&'s [Option<Value>]);

impl Lookup for Known<'_> {
    fn get(&self, slot: Slot) -> Option<Value> {
        self.0.get(adjutant_pack::Id::index(slot)).copied().flatten()
    }
}

/// The value of a chart that reads nothing else.
fn only_value(chart: &Chart, skips: Skips) -> Option<&Formula> {
    let read = &chart.read;
    let bare = read.rows.is_empty()
        && read.user_table.is_none()
        && read.also.is_empty()
        && read.effects.is_empty()
        && chart.together.is_none()
        && chart.each.is_none()
        && skips.changes
        && !skips.value;
    read.value.as_ref().filter(|_| bare)
}

/// Whether the value of what is looked up is read.
pub(super) fn reads_value(facets: &[(Facet, Slot)]) -> bool {
    facets.iter().any(|(facet, _)| *facet == Facet::Value)
}
