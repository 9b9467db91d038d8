//! Exact odds step by step. After each step only the values that something later reads are kept,
//! and equal states merge, so the cost is that of what a chart means, not of its number of ways.
//!
//! Each step is run by the chart's own code from a snapshot of its names. A handful of dice gives
//! its outcomes through the algebra ([`hands`](super::hands)); a chart that is looked up is worked
//! out once for equal inputs; anything else is explored, but only within its step. Names that
//! nothing reads later have no value in a state, so a name that was missed stops the run instead of
//! giving wrong odds.

use super::distribution::OddsOutcome;
use super::explore::{AnswerOdds, OddsError, OddsOptions, Script, Search, reach};
use super::hands::{Hand, Hands};
use crate::decks::Decks;
use crate::error::{NoOdds, ResolveError};
use crate::resolution::{Resolution, ResultLine};
use crate::run::{ChartOutcome, Halt, Run, Shared, closed};
use crate::situation::{Situation, Values};
use adjutant_dice::{Answer, InputSource, Number, Text};
use adjutant_pack::{
    Chart, ChartId, Formula, IdVec, LookUp, NameSource, Roll, Slot, Step, StepId, StepKind, Value,
};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The most states after one step.
const MOST_STATES: usize = 1_000_000;

/// The most states that are made for one question, over all steps.
const MOST_WORK: usize = 10_000_000;

/// A result in addition to the main one: id, title, and the label of its line.
type AlsoKey = (Text, Text, Option<Text>);

/// Where a run stands between two steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    values: Vec<Option<Value>>,
    also: Vec<AlsoKey>,
    /// Set if a step has ended the chart.
    ended: Option<Ended>,
}

/// How a chart ended early: the result, with its title and role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ended {
    result: Option<(Text, Text, Option<Text>)>,
    value: Option<Number>,
}

/// Weights over a total.
#[derive(Clone)]
pub(super) struct Spread<K> {
    pub parts: BTreeMap<K, BigUint>,
    pub total: BigUint,
}

/// How a chart that is looked up comes out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    result: Option<(Text, Text, Option<Text>)>,
    value: Option<Number>,
    also: Vec<AlsoKey>,
}

/// The weight of each outcome, and the total.
type Outcomes = (BTreeMap<OddsOutcome, BigUint>, BigUint);

/// The charts that were looked up, by chart and starting values.
type LookedUp = HashMap<(ChartId, Vec<Option<Value>>), Rc<Spread<Found>>>;

pub(super) struct States<'a, 'p> {
    pub situation: &'a Situation<'p>,
    pub asked: &'a OddsOptions,
    pub said: &'a [(String, Answer)],
    classes: HashMap<Text, Vec<u32>>,
    looked_up: LookedUp,
    /// How many states may still be made.
    left: usize,
    /// For each chart, the names that are read after each step.
    live: HashMap<ChartId, Rc<Vec<Vec<bool>>>>,
}

/// The odds of a chart, or none if the chart has something that is only explored: cards, several
/// units, a result that is passed on, a chain that is followed.
pub(super) fn weigh(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Option<Result<Outcomes, OddsError>> {
    let mut charts = Vec::new();
    reach(situation.pack(), situation.chart(), false, &mut charts);
    if asked.follow || !charts.iter().all(|chart| fits(chart)) {
        return None;
    }
    if let Some(error) = closed(situation) {
        return Some(Err(OddsError::Refused(error.into())));
    }
    let units = situation.units();
    let missing = crate::needs::needs_of(situation, &units);
    if !missing.is_empty() {
        return Some(Err(OddsError::Needs(missing)));
    }
    let [(_, values)] = units.as_slice() else { return None };
    let mut states = States {
        situation,
        asked,
        said,
        classes: HashMap::new(),
        looked_up: HashMap::new(),
        left: asked.most.unwrap_or(usize::MAX).min(MOST_WORK),
        live: HashMap::new(),
    };
    Some(states.chart(situation.chart, values.clone()).map(|spread| {
        let chart = &situation.chart().id;
        let outcomes = spread.parts.into_iter().map(|(found, weight)| {
            let key = OddsOutcome {
                chart: chart.clone(),
                result: found.result,
                value: found.value,
                also: found.also,
                members: Vec::new(),
                besides: Vec::new(),
            };
            (key, weight)
        });
        (outcomes.collect(), spread.total)
    }))
}

/// Whether a chart can be worked out step by step.
fn fits(chart: &Chart) -> bool {
    let draws = |step: &Step| matches!(step.kind, StepKind::Draw(_));
    let passes_on =
        chart.read.rows.iter().flat_map(|row| &row.cells).any(|c| c.result_of.is_some());
    chart.each.is_none() && !passes_on && !chart.steps.iter().any(draws)
}

/// For each step, which names are read after it.
fn live_after(chart: &Chart) -> Vec<Vec<bool>> {
    let mut now = vec![false; chart.names.len()];
    let mark = |now: &mut Vec<bool>, formulas: Vec<&Formula>| {
        for slot in formulas.into_iter().flat_map(Formula::slots) {
            now[adjutant_pack::Id::index(slot)] = true;
        }
    };
    mark(&mut now, chart.formulas_after_steps());
    let mut found = Vec::new();
    for step in chart.steps.iter().rev() {
        found.push(now.clone());
        mark(&mut now, step.formulas());
    }
    found.reverse();
    found
}

impl<'p> States<'_, 'p> {
    /// How a chart comes out from these values.
    fn chart(&mut self, chart: ChartId, values: Values) -> Result<Spread<Found>, OddsError> {
        let start = State { values: values.to_vec(), also: Vec::new(), ended: None };
        let mut now =
            Spread { parts: BTreeMap::from([(start, BigUint::from(1_u32))]), total: one() };
        let known = &self.situation.pack().charts()[chart];
        let live = self.live.entry(chart).or_insert_with(|| Rc::new(live_after(known))).clone();
        let mut covered = 0;
        for (at, step) in known.steps.ids().enumerate() {
            if covered > 0 {
                covered -= 1;
                continue;
            }
            if let Some((steps, after)) = self.chained(chart, step, &now, &live)? {
                (now, covered) = (after, steps - 1);
                continue;
            }
            now = self.advance(chart, step, now, &live[at])?;
            if now.parts.len() > MOST_STATES {
                return Err(OddsError::TooLarge);
            }
        }
        let mut mix = Mix::default();
        for (state, weight) in now.parts {
            let read = self.read(chart, &state)?;
            mix.add(&weight, read);
        }
        Ok(mix.done(&now.total))
    }

    /// The states after several handfuls that are counted as one. None if the steps from here must
    /// be taken one by one.
    fn chained(
        &mut self,
        chart: ChartId,
        step: StepId,
        before: &Spread<State>,
        live: &[Vec<bool>],
    ) -> Result<Option<(usize, Spread<State>)>, OddsError> {
        let Some((state, _)) = before.parts.iter().next().filter(|_| before.parts.len() == 1)
        else {
            return Ok(None);
        };
        if state.ended.is_some() {
            return Ok(None);
        }
        let found = super::compose::chain(self, chart, step, &state.values, live)?;
        let Some(super::compose::Chain { steps, after }) = found else { return Ok(None) };
        self.spend(after.parts.len())?;
        let with = |values| State { values, also: state.also.clone(), ended: None };
        let parts = after.parts.into_iter().map(|(values, weight)| (with(values), weight));
        let spread = Spread { parts: parts.collect(), total: after.total };
        Ok(Some((steps, spread)))
    }

    fn spend(&mut self, states: usize) -> Result<(), OddsError> {
        if self.asked.stop.is_due() {
            return Err(OddsError::OverLimit(crate::fight::Limit::Time));
        }
        self.left = self.left.checked_sub(states).ok_or(OddsError::TooLarge)?;
        Ok(())
    }

    /// All states after a step.
    fn advance(
        &mut self,
        chart: ChartId,
        step: StepId,
        before: Spread<State>,
        live: &[bool],
    ) -> Result<Spread<State>, OddsError> {
        let known = &self.situation.pack().charts()[chart];
        let mut mix = Mix::default();
        for (state, weight) in before.parts {
            if state.ended.is_some() {
                mix.add(&weight, Spread { parts: BTreeMap::from([(state, one())]), total: one() });
                continue;
            }
            self.spend(1)?;
            let after = match &known.steps[step].kind {
                StepKind::LookUp(look_up) => self.look_up(chart, step, look_up, &state)?,
                StepKind::Roll(roll) => match self.roll(chart, step, roll, &state, live)? {
                    Some(after) => after,
                    None => self.explore(chart, step, &state)?,
                },
                _ => self.explore(chart, step, &state)?,
            };
            self.spend(after.parts.len())?;
            let mut cut: BTreeMap<State, BigUint> = BTreeMap::new();
            for (mut state, weight) in after.parts {
                forget(known, &mut state, live);
                *cut.entry(state).or_default() += weight;
            }
            mix.add(&weight, Spread { parts: cut, total: after.total });
        }
        Ok(mix.done(&before.total))
    }

    /// Runs something from a snapshot of a chart's names.
    pub fn with_run<R>(
        &self,
        chart: ChartId,
        values: &[Option<Value>],
        source: &mut dyn InputSource,
        resolution: &mut Resolution,
        act: impl FnOnce(&mut Run<'p, '_, '_>) -> Result<R, Halt>,
    ) -> Result<(R, Vec<Option<Value>>), Halt> {
        let mut decks = self.situation.decks.clone();
        let mut shared = Shared {
            pack: self.situation.pack,
            options: &self.situation.options,
            memory: &self.situation.memory,
            decks: &mut decks,
            owners: &self.situation.owners,
            source,
            resolution,
            rolls: 0,
            member: None,
            brief: true,
        };
        let mut run = Run::new(&mut shared, chart, values.iter().copied().collect());
        let found = act(&mut run)?;
        Ok((found, run.slots.values.to_vec()))
    }

    /// The same where nothing is rolled. A question is answered as the request says, or is open.
    pub fn at<R>(
        &self,
        chart: ChartId,
        values: &[Option<Value>],
        act: impl FnOnce(&mut Run<'p, '_, '_>) -> Result<R, Halt>,
    ) -> Result<(R, Vec<Option<Value>>), OddsError> {
        let mut script = Script::new(&[], self.asked, self.said, &self.classes, false);
        let mut resolution = Resolution::default();
        let ran = self.with_run(chart, values, &mut script, &mut resolution, act);
        let ran = ran.map_err(|halt| stopped(halt, &mut resolution));
        match script.tried(ran, &resolution, Decks::default())?.end {
            Ok(found) => Ok(found),
            Err(super::explore::End::Stop(stop)) => Err(stop),
            Err(_) => Err(OddsError::TooLarge),
        }
    }

    /// Every way that one step can go.
    fn explore(
        &self,
        chart: ChartId,
        step: StepId,
        state: &State,
    ) -> Result<Spread<State>, OddsError> {
        let title = &self.situation.pack().charts()[chart].title;
        let mut search: Search<State> = Search::new(title, self.asked);
        let goes_round = super::explore::goes_round_step(
            self.situation.pack(),
            &self.situation.pack().charts()[chart].steps[step],
        );
        let found = search.go(
            &|picks| {
                let mut script =
                    Script::new(picks, self.asked, self.said, &self.classes, goes_round);
                let mut resolution = Resolution::default();
                let ran =
                    self.with_run(chart, &state.values, &mut script, &mut resolution, |run| {
                        run.step(step)
                    });
                let ran = ran.map_err(|halt| stopped(halt, &mut resolution));
                let ran = ran.map(|(ended, values)| {
                    let mut also = state.also.clone();
                    also.extend(resolution.also.iter().map(also_key));
                    State { values, also, ended: ended.map(|found| found.into()) }
                });
                script.tried(ran, &resolution, Decks::default())
            },
            &mut Vec::new(),
        )?;
        Ok(Spread { parts: found.outcomes, total: found.total })
    }

    /// A chart that is looked up.
    fn look_up(
        &mut self,
        chart: ChartId,
        step: StepId,
        look_up: &LookUp,
        state: &State,
    ) -> Result<Spread<State>, OddsError> {
        let known = &self.situation.pack().charts()[chart].steps[step];
        let (start, values) = self.at(chart, &state.values, |run| {
            if run.holds_or(known.when.as_ref(), true)? {
                return run.look_up_start(look_up).map(Some);
            }
            run.skip(known);
            Ok(None)
        })?;
        let Some(start) = start else {
            let state = State { values, ..state.clone() };
            return Ok(Spread { parts: BTreeMap::from([(state, one())]), total: one() });
        };
        let key = (look_up.chart, start.to_vec());
        let found = match self.looked_up.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = Rc::new(self.chart(look_up.chart, start)?);
                self.looked_up.insert(key, found.clone());
                found
            }
        };
        let mut parts: BTreeMap<State, BigUint> = BTreeMap::new();
        for (found, weight) in &found.parts {
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
            let ((), values) = self.at(chart, &values, |run| {
                run.set_looked_up(&known.facets, &outcome);
                Ok(())
            })?;
            let mut also = state.also.clone();
            also.extend(found.also.iter().cloned());
            *parts.entry(State { values, also, ended: None }).or_default() += weight;
        }
        Ok(Spread { parts, total: found.total.clone() })
    }

    /// The reading of a chart after its steps.
    fn read(&self, chart: ChartId, state: &State) -> Result<Spread<Found>, OddsError> {
        if let Some(ended) = &state.ended {
            let Ended { result, value } = ended.clone();
            let found = Found { result, value, also: state.also.clone() };
            return Ok(Spread { parts: BTreeMap::from([(found, one())]), total: one() });
        }
        let title = &self.situation.pack().charts()[chart].title;
        let mut search: Search<Found> = Search::new(title, self.asked);
        let found = search.go(
            &|picks| {
                let mut script = Script::new(picks, self.asked, self.said, &self.classes, false);
                let mut resolution = Resolution::default();
                let ran =
                    self.with_run(chart, &state.values, &mut script, &mut resolution, |run| {
                        run.finish(None)
                    });
                let ran = ran.map_err(|halt| stopped(halt, &mut resolution));
                let ran = ran.map(|(found, _)| {
                    let mut also = state.also.clone();
                    also.extend(resolution.also.iter().map(also_key));
                    let result = found.result.map(|line| (line.id, line.title, line.on));
                    Found { result, value: found.value, also }
                });
                script.tried(ran, &resolution, Decks::default())
            },
            &mut Vec::new(),
        )?;
        Ok(Spread { parts: found.outcomes, total: found.total })
    }

    /// A roll of dice, by the algebra of handfuls. None if it must be explored.
    fn roll(
        &self,
        chart: ChartId,
        place: StepId,
        roll: &Roll,
        state: &State,
        live: &[bool],
    ) -> Result<Option<Spread<State>>, OddsError> {
        let step = &self.situation.pack().charts()[chart].steps[place];
        let special = step
            .again
            .iter()
            .any(|rule| rule.look_up.is_some() || rule.stop.is_some() || rule.ask_again.is_some());
        // A die is chosen after the last roll, but the rules for rolling again look at every die.
        let chosen = roll.choose.is_some() && !step.again.is_empty();
        let key = format!("{}.", step.name);
        let weighed = |(name, taken): &(String, AnswerOdds)| {
            name.starts_with(&key) && matches!(taken, AnswerOdds::Weighed(_))
        };
        if special || chosen || self.asked.answers.iter().any(weighed) {
            return Ok(None);
        }
        let (rolls, values) = self.at(chart, &state.values, |run| {
            let rolls = run.holds_or(step.when.as_ref(), true)?;
            if !rolls {
                run.skip(step);
            }
            Ok(rolls)
        })?;
        if !rolls {
            let state = State { values, ..state.clone() };
            return Ok(Some(Spread { parts: BTreeMap::from([(state, one())]), total: one() }));
        }
        let hands = Hands { states: self, chart, place, step, roll, live };
        let Some(found) = hands.all(&values)? else { return Ok(None) };
        let mut again = RollAgain { states: self, chart, place, step, found: &found };
        let after = again.from(&IdVec::filled(0, step.again.len()), &values)?;
        let mut parts: BTreeMap<State, BigUint> = BTreeMap::new();
        for (values, weight) in after.parts {
            let state = State { values, also: state.also.clone(), ended: None };
            *parts.entry(state).or_default() += weight;
        }
        Ok(Some(Spread { parts, total: after.total }))
    }
}

/// Rolls a handful until no rule sends it back.
struct RollAgain<'s, 'a, 'p> {
    states: &'s States<'a, 'p>,
    chart: ChartId,
    place: StepId,
    step: &'p Step,
    found: &'s Spread<Hand>,
}

impl RollAgain<'_, '_, '_> {
    /// All values after the roll, when each rule has been used so many times. A roll that a rule
    /// without a limit sends back adds nothing: the rest is weighted without it.
    fn from(
        &mut self,
        held: &IdVec<adjutant_pack::AgainId, u32>,
        values: &[Option<Value>],
    ) -> Result<Spread<Vec<Option<Value>>>, OddsError> {
        let mut mix = Mix::default();
        let mut back = BigUint::ZERO;
        for (hand, weight) in &self.found.parts {
            let (rule, after) = self.states.at(self.chart, values, |run| {
                for (slot, value) in &hand.values {
                    run.set(*slot, *value);
                }
                for (facet, slot) in &self.step.facets {
                    if *facet == adjutant_pack::Facet::Again {
                        let times = held.iter().sum::<u32>();
                        run.set(*slot, Value::Number(Number::from(times)));
                    }
                }
                run.again_rule(self.step, held)
            })?;
            match rule {
                Some(rule) if self.step.again[rule].at_most.is_none() => back += weight,
                Some(rule) => {
                    let mut more = held.clone();
                    more[rule] += 1;
                    let rest = self.from(&more, values)?;
                    mix.add(weight, rest);
                }
                None => {
                    let after = self.total(hand, &after)?;
                    let parts = BTreeMap::from([(after, one())]);
                    mix.add(weight, Spread { parts, total: one() });
                }
            }
        }
        let left = &self.found.total - back;
        if left == BigUint::ZERO {
            let chart = self.states.situation.pack().charts()[self.chart].title.clone();
            return Err(OddsError::Refused(NoOdds::Endless { chart }));
        }
        Ok(mix.done(&left))
    }

    /// The values with the total after modifiers.
    fn total(
        &self,
        hand: &Hand,
        values: &[Option<Value>],
    ) -> Result<Vec<Option<Value>>, OddsError> {
        let Some(natural) = hand.natural else { return Ok(values.to_vec()) };
        let ((), values) = self.states.at(self.chart, values, |run| {
            let mut entry = run.new_roll(self.step, crate::resolution::RollKind::Dice);
            let total = run.modify(self.place, self.step, natural, &mut entry)?;
            run.set_facet(self.step, adjutant_pack::Facet::Total, Value::Number(total));
            Ok(())
        })?;
        Ok(values)
    }
}

impl From<ChartOutcome> for Ended {
    fn from(found: ChartOutcome) -> Ended {
        let result = found.result.map(|line| (line.id, line.title, line.on));
        Ended { result, value: found.value }
    }
}

fn one() -> BigUint {
    BigUint::from(1_u32)
}

fn also_key(line: &ResultLine) -> AlsoKey {
    (line.id.clone(), line.title.clone(), line.because.clone())
}

/// Takes the value of every name that nothing reads later.
fn forget(chart: &Chart, state: &mut State, live: &[bool]) {
    for ((value, name), live) in state.values.iter_mut().zip(chart.names.iter()).zip(live) {
        let of_step = matches!(
            name.origin,
            NameSource::Step(..) | NameSource::Again(..) | NameSource::Face(..)
        );
        if of_step && !live {
            *value = None;
        }
    }
}

fn stopped(halt: Halt, resolution: &mut Resolution) -> Option<Box<ResolveError>> {
    match halt {
        Halt::Need(need) => {
            resolution.needs.push(*need);
            None
        }
        Halt::Refused(error) => Some(error),
    }
}

/// A mixture of spreads with different totals, brought to one total at the end.
struct Mix<K> {
    parts: Vec<(BigUint, Spread<K>)>,
}

impl<K> Default for Mix<K> {
    fn default() -> Mix<K> {
        Mix { parts: Vec::new() }
    }
}

impl<K: Ord> Mix<K> {
    fn add(&mut self, weight: &BigUint, spread: Spread<K>) {
        self.parts.push((weight.clone(), spread));
    }

    /// The mixture, where the weights are parts of `total`.
    fn done(self, total: &BigUint) -> Spread<K> {
        let common = self.parts.iter().fold(one(), |common, (_, spread)| {
            if (&common % &spread.total) == BigUint::ZERO {
                common
            } else {
                common.lcm(&spread.total)
            }
        });
        let mut parts: BTreeMap<K, BigUint> = BTreeMap::new();
        for (weight, spread) in self.parts {
            let scale = weight * (&common / &spread.total);
            for (key, ways) in spread.parts {
                *parts.entry(key).or_default() += ways * &scale;
            }
        }
        // A common factor of all weights only makes them longer.
        let total = total * &common;
        let shared = parts.values().fold(total.clone(), |shared, ways| shared.gcd(ways));
        if shared > one() {
            parts.values_mut().for_each(|ways| *ways /= &shared);
            return Spread { parts, total: total / shared };
        }
        Spread { parts, total }
    }
}

/// The names that a step's own rules and modifiers read.
pub(super) fn read_in_step(step: &Step, slot: Slot) -> bool {
    let own = |formula: &Formula| formula.slots().contains(&slot);
    step.again.iter().any(|rule| {
        own(&rule.when) || rule.ask.iter().any(|ask| ask.assume.as_ref().is_some_and(own))
    }) || step
        .add
        .iter()
        .any(|modifier| own(modifier.amount.formula()) || modifier.when.as_ref().is_some_and(own))
        || step.most.iter().chain(&step.least).any(own)
}
