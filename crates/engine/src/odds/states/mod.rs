//! Exact odds step by step. After each step only the values that something later reads are kept,
//! and equal states merge, so the cost is that of what a chart means, not of its number of ways.
//!
//! Each step is run by the chart's own code from a snapshot of its names. A handful of dice gives
//! its outcomes through the algebra ([`hands`](super::hands)); cards are counted by the blocks that
//! a run tells apart ([`decks`]); a chart that is looked up is worked out once for equal inputs;
//! anything else is explored, but only within its step. Names that nothing reads later have no
//! value in a state, so a name that was missed stops the run instead of giving wrong odds.

mod again;
mod decks;
mod folded;
mod live;
mod members;
mod spread;
mod steps;
mod weigh;

use super::distribution::{OddsOutcome, add_weight};
use super::request::{OddsError, OddsOptions, TooMany};
use super::script::{ExploredChoice, Script};
use super::search::Search;
use crate::change::Change;
use crate::decks::Decks;
use crate::error::ResolveError;
use crate::resolution::{FollowUp, Resolution, ResultLine};
use crate::run::{ChartOutcome, Halt, Run, Shared, Skips};
use crate::situation::{Situation, Values};
use adjutant_dice::{Answer, InputSource, Number, Text};
use adjutant_pack::{
    Chart, ChartId, DeckId, Formula, Id, IdVec, RoleId, Slot, Step, StepId, StepKind, Value,
};
use decks::{Blocks, Left};
use live::{Live, forget, live_after, nothing_to_forget};
pub(super) use members::weigh_members;
use num_bigint::BigUint;
pub(super) use spread::{Mix, Spread, shared};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
pub(super) use weigh::{changes, weigh};

/// The most states after one step.
const MOST_STATES: usize = 1_000_000;

/// The most states that are made for one question, over all steps.
const MOST_WORK: usize = 10_000_000;

/// A result: its id, its title and the role it is for.
pub(super) type ResultKey = (Text, Text, Option<Text>);

/// A result in addition to the main one: id, title, and the label of its line.
pub(super) type AlsoKey = (Text, Text, Option<Text>);

/// Where a run stands between two steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// First, because states are ordered often and differ in this most.
    left: Left,
    values: Vec<Option<Value>>,
    /// Set if a step has ended the chart.
    ended: Option<Ended>,
    done: Done,
}

/// What a run has brought about so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Done {
    pub also: Vec<AlsoKey>,
    /// Only where a chain is followed.
    pub effects: Vec<Change>,
    pub next: Vec<FollowUp>,
    /// What was looked up by the steps whose result may be passed on.
    taken: Vec<(StepId, Option<Text>, Option<Number>)>,
}

impl Done {
    /// Adds results in addition. One that comes twice counts once.
    fn add(&mut self, also: impl Iterator<Item = AlsoKey>) {
        for also in also {
            if let Err(place) = self.also.binary_search(&also) {
                self.also.insert(place, also);
            }
        }
    }
}

/// How a chart ended early.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ended {
    result: Option<ResultKey>,
    value: Option<Number>,
}

/// How a chart comes out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub result: Option<ResultKey>,
    pub value: Option<Number>,
    left: Left,
    pub done: Done,
    /// Which tallies the unit counts for, where there are several.
    counts: Vec<bool>,
}

/// A chart as one caller runs it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Scope {
    chart: ChartId,
    /// What the caller calls its roles.
    roles: Option<IdVec<RoleId, Text>>,
    skips: Skips,
    /// Which decks are read after the chart.
    decks: Vec<bool>,
}

/// Why there is no answer yet.
enum Halted {
    Odds(OddsError),
    /// A block of cards was split.
    Split,
    /// The chart can only be explored.
    Unfit,
}

impl From<OddsError> for Halted {
    fn from(error: OddsError) -> Halted {
        Halted::Odds(error)
    }
}

/// The weight of each outcome in order, and the total.
pub(crate) type Outcomes = (Vec<(OddsOutcome, BigUint)>, BigUint);

/// The charts that were looked up, by starting values and cards left.
type LookedUp = HashMap<(Scope, Vec<Option<Value>>, Left), Rc<Spread<Found>>>;

pub(super) struct States<'a, 'p> {
    pub situation: &'a Situation<'p>,
    pub asked: &'a OddsOptions,
    pub said: &'a [(String, Answer)],
    classes: HashMap<Text, Vec<u32>>,
    looked_up: LookedUp,
    /// How many states may still be made.
    left: usize,
    /// For each chart, what is read after each step.
    live: HashMap<(ChartId, Skips), Rc<Live>>,
    blocks: Blocks,
    /// What came of a card at a step.
    drawn: BTreeMap<(ChartId, StepId, Vec<u32>, State, u32), again::Drawn>,
    /// Where the cards of each block lead, while the blocks stay as they are.
    fans: again::Fans,
    /// For each step of a chart, by what later formulas tell states apart.
    folds: HashMap<(ChartId, Skips, StepId), folded::Known>,
}

impl<'a, 'p> States<'a, 'p> {
    fn new(
        situation: &'a Situation<'p>,
        asked: &'a OddsOptions,
        said: &'a [(String, Answer)],
    ) -> States<'a, 'p> {
        States {
            situation,
            asked,
            said,
            classes: HashMap::new(),
            looked_up: HashMap::new(),
            left: asked.most.unwrap_or(usize::MAX).min(MOST_WORK),
            live: HashMap::new(),
            blocks: Blocks::new(&situation.decks),
            drawn: BTreeMap::new(),
            fans: again::Fans::new(),
            folds: HashMap::new(),
        }
    }

    /// Forgets what depends on the blocks, after one was split.
    fn start_again(&mut self) {
        self.looked_up.clear();
        self.fans.clear();
    }

    fn known(&self, chart: ChartId) -> &'p Chart {
        &self.situation.pack().charts()[chart]
    }

    /// The cards left at the start, of the decks that a chart draws from.
    fn decks_now(&mut self, scope: &Scope) -> Left {
        let live = self.live(scope);
        let drawn = |deck: DeckId| {
            let at = deck.index();
            scope.decks[at] || live.drawn.iter().any(|drawn| drawn[at])
        };
        let decks = self.situation.decks.iter_enumerated();
        decks.map(|(id, deck)| drawn(id).then(|| self.blocks.left(id, deck))).collect()
    }

    fn live(&mut self, scope: &Scope) -> Rc<Live> {
        let key = (scope.chart, scope.skips);
        if let Some(known) = self.live.get(&key) {
            return known.clone();
        }
        let live = Rc::new(live_after(self.situation, self.known(scope.chart), scope.skips));
        self.live.insert(key, live.clone());
        live
    }

    /// How a chart comes out from these values.
    fn chart(
        &mut self,
        scope: &Scope,
        values: &Values,
        left: Left,
    ) -> Result<Spread<Found>, Halted> {
        let start = State { values: values.to_vec(), ended: None, left, done: Done::default() };
        let mut now = Spread::sure(start);
        let live = self.live(scope);
        let mut covered = 0;
        for (at, step) in self.known(scope.chart).steps.ids().enumerate() {
            if covered > 0 {
                covered -= 1;
                continue;
            }
            if let Some((steps, after)) = self.chained(scope, step, &now, &live)? {
                (now, covered) = (after, steps - 1);
                continue;
            }
            let name = &self.known(scope.chart).steps[step].name;
            now = self.advance(scope, step, now, &live, at).map_err(|halted| match halted {
                Halted::Odds(error) => Halted::Odds(error.in_step(name)),
                other => other,
            })?;
            now = self.folded((scope.chart, scope.skips), step, now);
            if now.parts.len() > MOST_STATES {
                let large = TooMany::States.beyond(now.parts.len(), MOST_STATES);
                return Err(large.in_step(name).into());
            }
        }
        let mut sure: BTreeMap<Found, BigUint> = BTreeMap::new();
        let mut mix = Mix::default();
        for (state, weight) in now.parts {
            match self.read(scope, state)? {
                Reading::Sure(found) => add_weight(&mut sure, found, weight),
                Reading::Open(spread) => mix.add(&weight, spread),
            }
        }
        if mix.is_empty() {
            return Ok(Spread { parts: sure, total: now.total });
        }
        mix.add(&spread::one(), Spread { parts: sure, total: spread::one() });
        Ok(mix.done(&now.total))
    }

    /// The states after several handfuls that are counted as one. None if the steps from here must
    /// be taken one by one.
    fn chained(
        &mut self,
        scope: &Scope,
        step: StepId,
        before: &Spread<State>,
        live: &Live,
    ) -> Result<Option<(usize, Spread<State>)>, OddsError> {
        let Some((state, _)) = before.parts.iter().next().filter(|_| before.parts.len() == 1)
        else {
            return Ok(None);
        };
        if state.ended.is_some() {
            return Ok(None);
        }
        let found = super::compose::chain(self, scope.chart, step, &state.values, &live.names)?;
        let Some(super::compose::Chain { steps, after, total }) = found else { return Ok(None) };
        self.spend(after.len())?;
        let (left, done) = (&state.left, &state.done);
        let named = |(values, weight)| {
            let state = State { values, ended: None, left: left.clone(), done: done.clone() };
            (state, weight)
        };
        Ok(Some((
            steps,
            Spread { parts: adjutant_dice::map_of(after.into_iter().map(named)), total },
        )))
    }

    fn spend(&mut self, states: usize) -> Result<(), OddsError> {
        if self.asked.stop.is_due() {
            return Err(OddsError::OverLimit(crate::fight::Limit::Time));
        }
        match self.left.checked_sub(states) {
            Some(left) => self.left = left,
            None => {
                let most = self.asked.most.unwrap_or(usize::MAX).min(MOST_WORK);
                return Err(TooMany::States.beyond(most - self.left + states, most));
            }
        }
        Ok(())
    }

    /// All states after a step.
    fn advance(
        &mut self,
        scope: &Scope,
        step: StepId,
        before: Spread<State>,
        live: &Live,
        at: usize,
    ) -> Result<Spread<State>, Halted> {
        let known = self.known(scope.chart);
        let alone = before.parts.len() == 1;
        let mut mix = Mix::default();
        for (state, weight) in before.parts {
            if state.ended.is_some() {
                mix.add(&weight, Spread::sure(state));
                continue;
            }
            self.spend(1)?;
            let after = match &known.steps[step].kind {
                StepKind::LookUp(look_up) => self.look_up_step(scope, step, look_up, &state)?,
                StepKind::Roll(_) | StepKind::Draw(_) => self.roll(scope, step, &state, live)?,
                _ => self.explore(scope, step, &state)?,
            };
            self.spend(after.parts.len())?;
            let later = |(drawn, after): (&bool, &bool)| *drawn || *after;
            let decks: Vec<bool> = live.decks[at].iter().zip(&scope.decks).map(later).collect();
            let clean = |state: &State| {
                state.left.iter().all(Option::is_none)
                    && nothing_to_forget(known, &state.values, &live.names[at])
            };
            let after = match after.parts.keys().all(clean) {
                true => after,
                false => after.map(|mut state| {
                    forget(known, &mut state.values, &live.names[at]);
                    decks::forget_decks(&mut state.left, &decks);
                    state
                }),
            };
            if alone && weight == before.total {
                return Ok(after);
            }
            mix.add(&weight, after);
        }
        Ok(mix.done(&before.total))
    }

    /// Runs something from a snapshot of a chart's names.
    fn with_run<R>(
        &self,
        scope: &Scope,
        values: &[Option<Value>],
        decks: &mut Decks,
        source: &mut dyn InputSource,
        resolution: &mut Resolution,
        act: impl FnOnce(&mut Run<'p, '_, '_>) -> Result<R, Halt>,
    ) -> Result<(R, Vec<Option<Value>>), Halt> {
        let mut shared = Shared {
            pack: self.situation.pack,
            options: &self.situation.options,
            memory: &self.situation.memory,
            decks,
            owners: &self.situation.owners,
            source,
            resolution,
            rolls: 0,
            member: None,
            brief: true,
            skips: scope.skips,
        };
        let mut run = Run::new(&mut shared, scope.chart, values.iter().copied().collect());
        if let Some(roles) = &scope.roles {
            run.call_all(roles);
        }
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
        let scope = Scope { chart, roles: None, skips: Skips::default(), decks: Vec::new() };
        let mut script = Script::new(&[], self.asked, self.said, &self.classes, false);
        let mut resolution = Resolution::default();
        let mut decks = self.situation.decks.clone();
        let ran = self.with_run(&scope, values, &mut decks, &mut script, &mut resolution, act);
        let ran = ran.map_err(|halt| stopped(halt, &mut resolution));
        match script.tried(ran, &resolution, Decks::default())?.end {
            Ok(found) => Ok(found),
            Err(super::script::End::Stop(stop)) => Err(stop),
            Err(_) => Err(TooMany::Ways.beyond(0, 0)),
        }
    }

    /// Every way that something can go from a state, with the state after it. A card to draw may be
    /// given. The cards left change only by a reshuffle.
    fn tries<K: Ord + Clone>(
        &self,
        scope: &Scope,
        state: &State,
        card: Option<(DeckId, u32)>,
        act: &dyn Fn(&mut Run<'p, '_, '_>) -> Result<K, Halt>,
    ) -> Result<Spread<(K, State)>, OddsError> {
        self.tries_round(scope, state, card, false, act)
    }

    /// The same, where a roll may be made again without end if `goes_round` is set.
    fn tries_round<K: Ord + Clone>(
        &self,
        scope: &Scope,
        state: &State,
        card: Option<(DeckId, u32)>,
        goes_round: bool,
        act: &dyn Fn(&mut Run<'p, '_, '_>) -> Result<K, Halt>,
    ) -> Result<Spread<(K, State)>, OddsError> {
        let decks = self.some_decks(&state.left, card);
        let mut search: Search<(K, State)> =
            Search::new(&self.known(scope.chart).title, self.asked);
        let mut picks: Vec<ExploredChoice> =
            card.map(|(_, card)| ExploredChoice::Card(card)).into_iter().collect();
        let found = search.go(
            &|picks| {
                let mut script =
                    Script::new(picks, self.asked, self.said, &self.classes, goes_round);
                let mut resolution = Resolution::default();
                self.look_ups_of(scope, state, &mut resolution);
                let mut after = decks.clone();
                let ran = self.with_run(
                    scope,
                    &state.values,
                    &mut after,
                    &mut script,
                    &mut resolution,
                    act,
                );
                let ran = ran.map_err(|halt| stopped(halt, &mut resolution));
                let ran = ran.map(|(found, values)| {
                    let left = self.reshuffled(&state.left, &decks, &after);
                    let mut done = state.done.clone();
                    done.add(resolution.also.iter().map(also_key));
                    done.effects.append(&mut resolution.effects);
                    done.next.append(&mut resolution.next);
                    if scope.skips.changes {
                        done.effects.clear();
                        done.next.clear();
                    }
                    (found, State { values, ended: None, left, done })
                });
                script.tried(ran, &resolution, Decks::default())
            },
            &mut picks,
        )?;
        Ok(Spread { parts: found.outcomes, total: found.total })
    }

    /// What was looked up, where a result may be passed on.
    fn look_ups_of(&self, scope: &Scope, state: &State, resolution: &mut Resolution) {
        let chart = self.known(scope.chart);
        for (step, result, value) in &state.done.taken {
            resolution.steps.push(crate::resolution::Step::LookUp(crate::resolution::LookUpStep {
                name: chart.steps[*step].name.clone(),
                chart: Text::default(),
                result: result.clone(),
                title: None,
                on: None,
                value: *value,
                says: None,
            }));
        }
    }

    /// Decks with so many cards left. Any will do where no card is drawn.
    fn some_decks(&self, left: &Left, card: Option<(DeckId, u32)>) -> Decks {
        let mut decks = self.situation.decks.clone();
        for (deck, left) in left.iter().enumerate() {
            let id = DeckId::from_index(deck);
            if let Some(left) = left {
                let card = card.filter(|(of, _)| *of == id).map(|(_, card)| card);
                decks[id] = self.blocks.some_deck(id, left, card);
            }
        }
        decks
    }

    /// The cards left, where whole decks may have been reshuffled.
    fn reshuffled(&self, left: &Left, before: &Decks, after: &Decks) -> Left {
        let mut left = left.clone();
        for (id, deck) in after.iter_enumerated() {
            if deck.left() == deck.size()
                && before[id].left() < deck.size()
                && let Some(Some(left)) = left.get_mut(id.index())
            {
                *left = self.blocks.full(id);
            }
        }
        left
    }

    /// Every way that one step can go.
    fn explore(
        &self,
        scope: &Scope,
        step: StepId,
        state: &State,
    ) -> Result<Spread<State>, OddsError> {
        let scope = Scope { skips: Skips { value: false, ..scope.skips }, ..scope.clone() };
        let known = &self.known(scope.chart).steps[step];
        let goes_round = super::reach::goes_round_step(self.situation.pack(), known);
        let after = self.tries_round(&scope, state, None, goes_round, &|run| {
            Ok(run.step(step)?.map(Ended::from))
        })?;
        Ok(after.map(|(ended, state)| State { ended, ..state }))
    }
}

impl From<ChartOutcome> for Ended {
    fn from(found: ChartOutcome) -> Ended {
        let result = found.result.map(|line| (line.id, line.title, line.on));
        Ended { result, value: found.value }
    }
}

fn also_key(line: &ResultLine) -> AlsoKey {
    (line.id.clone(), line.title.clone(), line.because.clone())
}

/// What a state is read as.
enum Reading {
    Sure(Found),
    Open(Spread<Found>),
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

/// The names that a step's own rules and modifiers read.
pub(super) fn read_in_step(step: &Step, slot: Slot) -> bool {
    let own = |formula: &Formula| formula.slots().contains(&slot);
    step.again.iter().any(|rule| {
        own(&rule.when)
            || rule.ask.iter().any(|ask| ask.assume.as_ref().is_some_and(own))
            || rule.look_up.iter().flat_map(|look_up| &look_up.given).any(|(_, given)| own(given))
            || rule.stop.iter().any(|stop| stop.when.as_ref().is_some_and(own))
            || rule.ask_again.iter().any(|fresh| fresh.when.as_ref().is_some_and(own))
    }) || step
        .add
        .iter()
        .any(|modifier| own(modifier.amount.formula()) || modifier.when.as_ref().is_some_and(own))
        || step.most.iter().chain(&step.least).any(own)
}
