//! The reference algorithm: every way that a run can go. The run is repeated with a list of
//! choices. Where the list ends, the possibilities are noted, and each is tried in turn.

use super::chain::Walk;
use super::distribution::{Distribution, OddsOutcome};
use super::search::{Search, Tried, Weighed};
use crate::decks::Decks;
use crate::error::{InputError, NoOdds, ResolveError};
use crate::resolution::Resolution;
use crate::run::{closed, resolve, run_ready};
use crate::situation::{Situation, Unit};
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Missing, Number, Question, Site, SourceError,
    Text, ThrownBy, Wanted, ways,
};
use adjutant_pack::{
    CardCell, Chart, DeckFieldKind, EffectKind, FacePart, Facet, Formula, Pack, StepKind, Value,
};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// How many rolls are made for one question at most, over all runs.
pub(super) const MAX_ROLLS: usize = 300_000;

/// How a question to a player is taken.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerOdds {
    /// Always this answer.
    Always(Answer),
    /// Each answer so many times of the whole.
    Weighed(Vec<(Answer, u64)>),
}

/// What goes beyond the situation.
#[derive(Clone, Debug, Default)]
pub struct OddsOptions {
    /// How questions are taken, by name.
    pub answers: Vec<(String, AnswerOdds)>,
    /// Whether to go down the chain of charts to the last results.
    pub follow: bool,
    /// Inputs for the charts that follow, by name: a unit's values by its role in the first chart,
    /// or in the chart that asks for them.
    pub later: Vec<(String, String)>,
    /// How many rolls are made at most to find the odds; without it, as many as a command may wait
    /// for. A page that must answer while a player types says less.
    pub most: Option<usize>,
    /// When to give up with [`OddsError::OverLimit`].
    pub stop: super::Stop,
    /// A question that is open even where its answer could be assumed.
    pub left_open: Option<String>,
}

impl OddsOptions {
    /// Whether the answer to a question may be assumed.
    pub(crate) fn may_assume(&self, key: &str) -> bool {
        self.left_open.as_deref() != Some(key)
    }
}

/// A question that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenQuestion {
    /// Its name.
    pub key: String,
    /// What it asks.
    pub prompt: String,
    /// What may be answered.
    pub accepts: adjutant_dice::Accepts,
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{:?}", self)]
pub enum OddsError {
    /// A question must be answered first.
    Open(OpenQuestion),
    /// Something must be known first.
    Needs(Vec<Missing>),
    /// The chart cannot be run like this.
    Refused(NoOdds),
    /// Exact odds would take too much work.
    TooLarge(TooLarge),
    /// A fight takes more time or memory than the caller allows.
    OverLimit(crate::fight::Limit),
}

/// How large exact odds would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What there is too much of.
    pub of: TooMany,
    /// The step that it happens in, if it is one.
    pub step: Option<Text>,
    /// How many there are, at least.
    pub size: u128,
    /// How many are allowed.
    pub limit: u128,
}

/// What exact odds can have too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// Ways that a chart or a step can go, each of which is tried.
    Ways,
    /// Situations after a step, or of a fight.
    States,
    /// Cells in the count of a handful of dice.
    Cells,
    /// Combinations of answers to open questions.
    Answers,
    /// Combinations of the results of several checks.
    Combinations,
}

impl TooMany {
    /// The error for so many, where fewer are allowed.
    pub(crate) fn beyond(self, size: usize, limit: usize) -> OddsError {
        let (size, limit) = (size as u128, limit as u128);
        OddsError::TooLarge(TooLarge { of: self, step: None, size, limit })
    }
}

impl OddsError {
    /// Names the step that was too large, if no step is named yet.
    pub(super) fn in_step(self, name: &Text) -> OddsError {
        match self {
            OddsError::TooLarge(large) if large.step.is_none() => {
                OddsError::TooLarge(TooLarge { step: Some(name.clone()), ..large })
            }
            other => other,
        }
    }
}

/// One input that a run was given.
#[derive(Clone, Debug)]
pub(super) enum ExploredChoice {
    Dice(Vec<u32>),
    Card(u32),
    /// How many cards of each class were drawn at once.
    Cards(Vec<u32>),
    Answer(Answer),
}

/// Where a run stands at a roll or draw: the chart of the chain, the step with its inputs, and how
/// many cards of each class are left. From two such places with the same picks before the step, the
/// run goes on alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RunState {
    pub(super) chain: usize,
    pub(super) step: (u32, u32),
    pub(super) left: Vec<u32>,
}

/// Where a list of picks ended.
pub(super) enum End {
    /// What could come next, and in how many ways; and where the run stands, if that is all that
    /// counts.
    Fork(Vec<(ExploredChoice, BigUint)>, Option<RunState>),
    /// The run stands where it stood before.
    Round(RunState),
    Stop(OddsError),
}

/// Plays picks and notes where they end.
pub(super) struct Script<'a> {
    picks: &'a [ExploredChoice],
    next: usize,
    asked: &'a OddsOptions,
    said: &'a [(String, Answer)],
    classes: &'a HashMap<Text, Vec<u32>>,
    /// Whether going round a step leaves nothing behind but cards of its own deck.
    goes_round: bool,
    /// Which chart of the chain is being run.
    chain: usize,
    /// Where the run stood at each pick.
    stood: Vec<Option<RunState>>,
    /// The deck that was drawn from first.
    deck: Option<String>,
    end: Option<End>,
}

impl<'a> Script<'a> {
    /// For something that draws no cards and comes to no place twice.
    pub(super) fn new(
        picks: &'a [ExploredChoice],
        asked: &'a OddsOptions,
        said: &'a [(String, Answer)],
        classes: &'a HashMap<Text, Vec<u32>>,
        goes_round: bool,
    ) -> Script<'a> {
        Script {
            picks,
            next: 0,
            asked,
            said,
            classes,
            goes_round,
            chain: 0,
            stood: Vec::new(),
            deck: None,
            end: None,
        }
    }

    /// What came of a run with these picks. A run that stopped says why, unless its picks ended.
    pub(super) fn tried<K>(
        mut self,
        ran: Result<K, Option<Box<ResolveError>>>,
        resolution: &Resolution,
        decks: Decks,
    ) -> Result<Tried<K>, OddsError> {
        let end = match ran {
            Ok(kept) => Ok(kept),
            Err(refused) => Err(ended(self.end.take(), refused, resolution)?),
        };
        Ok(Tried { end, stood: self.stood, deck: self.deck, decks })
    }

    fn next_pick(&mut self) -> Option<ExploredChoice> {
        let pick = self.picks.get(self.next).cloned();
        self.next += 1;
        pick
    }

    fn standing(&self, site: Site, left: Vec<u32>) -> Option<RunState> {
        (site.unchanged && self.goes_round).then_some(RunState {
            chain: self.chain,
            step: (site.step, site.attempt),
            left,
        })
    }

    /// Notes where the picks ended.
    fn fork(
        &mut self,
        ways: Vec<(ExploredChoice, BigUint)>,
        standing: Option<RunState>,
    ) -> SourceError {
        let before = standing
            .as_ref()
            .filter(|here| self.stood.iter().flatten().any(|known| known == *here));
        self.end = Some(match before {
            Some(before) => End::Round(before.clone()),
            None => End::Fork(ways, standing),
        });
        SourceError::Paused
    }
}

impl InputSource for Script<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let standing = self.standing(ask.site, Vec::new());
        if let Some(ExploredChoice::Dice(faces)) = self.next_pick() {
            self.stood.push(standing);
            return Ok(faces);
        }
        match ways(ask) {
            Ok(ways) => Err(self.fork(
                ways.into_iter().map(|way| (ExploredChoice::Dice(way.faces), way.ways)).collect(),
                standing,
            )),
            Err(_) => {
                let size = u128::from(ask.sides).saturating_pow(ask.count);
                let large = TooLarge {
                    of: TooMany::Ways,
                    step: Some(ask.key.into()),
                    size,
                    limit: MAX_ROLLS as u128,
                };
                self.end = Some(End::Stop(OddsError::TooLarge(large)));
                Err(SourceError::Paused)
            }
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.deck.get_or_insert_with(|| ask.deck_id.to_owned());
        let classes = self.classes.get(ask.deck_id);
        let left = left_of(classes, ask);
        let standing = self.standing(ask.site, left.clone());
        if let Some(ExploredChoice::Card(class)) = self.next_pick() {
            self.stood.push(standing);
            // A card of the class that is still there stands for all of them.
            return ask
                .deck
                .cards()
                .find(|card| class_of(classes, *card) == class)
                .ok_or(SourceError::Paused);
        }
        let ways = (0..)
            .zip(left)
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| (ExploredChoice::Card(class), BigUint::from(count)));
        Err(self.fork(ways.collect(), standing))
    }

    /// Several cards at once: how many of each class, in as many ways as they can be picked.
    fn cards(&mut self, ask: &CardRequest<'_>, count: u32) -> Result<Vec<u32>, SourceError> {
        self.deck.get_or_insert_with(|| ask.deck_id.to_owned());
        let classes = self.classes.get(ask.deck_id);
        if let Some(ExploredChoice::Cards(counts)) = self.next_pick() {
            self.stood.push(None);
            let mut open = counts;
            let mut drawn = Vec::new();
            for card in ask.deck.cards() {
                if let Some(open) = open.get_mut(class_of(classes, card) as usize)
                    && *open > 0
                {
                    *open -= 1;
                    drawn.push(card);
                }
            }
            return Ok(drawn);
        }
        let mut ways = Vec::new();
        picked(&left_of(classes, ask), count, &mut Vec::new(), BigUint::from(1_u32), &mut ways);
        if ways.len() > MAX_ROLLS {
            let large = TooMany::Ways.beyond(ways.len(), MAX_ROLLS);
            self.end = Some(End::Stop(large));
            return Err(SourceError::Paused);
        }
        Err(self.fork(ways, None))
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let fixed = self.said.iter().find(|(key, _)| key == ask.key).map(|(_, answer)| answer);
        let taken =
            self.asked.answers.iter().find(|(key, _)| key == ask.key).map(|(_, taken)| taken);
        match (fixed, taken) {
            (Some(answer), _) | (None, Some(AnswerOdds::Always(answer))) => Ok(given(ask, answer)),
            (None, Some(AnswerOdds::Weighed(answers))) => {
                if let Some(ExploredChoice::Answer(answer)) = self.next_pick() {
                    self.stood.push(None);
                    return Ok(given(ask, &answer));
                }
                let ways = answers
                    .iter()
                    .map(|(answer, weight)| {
                        (ExploredChoice::Answer(answer.clone()), BigUint::from(*weight))
                    })
                    .collect();
                Err(self.fork(ways, None))
            }
            (None, None)
                if self.asked.may_assume(ask.key)
                    && ask.assume.is_some_and(|assume| ask.accepts.holds(assume)) =>
            {
                ask.assume.cloned().ok_or(SourceError::Paused)
            }
            (None, None) => {
                let open = OpenQuestion {
                    key: ask.key.into(),
                    prompt: ask.prompt.into(),
                    accepts: ask.accepts.clone(),
                };
                self.end = Some(End::Stop(OddsError::Open(open)));
                Err(SourceError::Paused)
            }
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Program
    }
}

/// An answer given for all cases: a face is picked if it lies there, else what is assumed.
pub(super) fn given(ask: &Question<'_>, answer: &Answer) -> Answer {
    let lies = ask.accepts.holds(answer);
    let first = || ask.accepts.words()?.first().map(|word| Answer::Choice(word.id.clone()));
    let instead = || ask.assume.cloned().or_else(first);
    match lies || !matches!(answer, Answer::Choice(_)) {
        true => answer.clone(),
        false => instead().unwrap_or_else(|| answer.clone()),
    }
}

/// How many cards of each class are left.
fn left_of(classes: Option<&Vec<u32>>, ask: &CardRequest<'_>) -> Vec<u32> {
    let most = classes.and_then(|classes| classes.iter().max());
    let mut left = vec![0; most.map_or(0, |most| *most as usize + 1)];
    for card in ask.deck.cards() {
        if let Some(count) = left.get_mut(class_of(classes, card) as usize) {
            *count += 1;
        }
    }
    left
}

/// Every way to pick so many cards, by their numbers in each class. Stops where there are too many.
fn picked(
    left: &[u32],
    count: u32,
    before: &mut Vec<u32>,
    ways: BigUint,
    found: &mut Vec<(ExploredChoice, BigUint)>,
) {
    let Some((here, rest)) = left.split_first() else {
        if count == 0 {
            found.push((ExploredChoice::Cards(before.clone()), ways));
        }
        return;
    };
    let after: u32 = rest.iter().sum();
    for taken in count.saturating_sub(after)..=count.min(*here) {
        if found.len() > MAX_ROLLS {
            return;
        }
        before.push(taken);
        let of_class = num_integer::binomial(BigUint::from(*here), BigUint::from(taken));
        picked(rest, count - taken, before, &ways * of_class, found);
        before.pop();
    }
}

fn class_of(classes: Option<&Vec<u32>>, card: u32) -> u32 {
    classes.and_then(|classes| classes.get(card as usize - 1)).copied().unwrap_or(card)
}

/// What is kept of a run, to tell it from others. A chain of charts may have several ends: the
/// second list has those besides the first.
pub(crate) type Classify<'a, K> = &'a dyn Fn(&Resolution, &[Resolution]) -> K;

pub(super) struct Explorer<'a, 'p, K> {
    situation: &'a Situation<'p>,
    units: Vec<Unit>,
    asked: &'a OddsOptions,
    said: &'a [(String, Answer)],
    pub(super) classes: HashMap<Text, Vec<u32>>,
    goes_round: bool,
    /// Whether something happens when a deck runs out or is reshuffled.
    deck_events: bool,
    kept: Classify<'a, K>,
    search: Search<K>,
}

/// All chances, given answers to the questions that were open.
pub(super) fn explore(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Distribution, OddsError> {
    let (outcomes, total) = weigh(situation, asked, said, &outcome)?;
    Ok(Distribution::new(&situation.chart().id, &outcomes, &total))
}

/// Everything that is kept of some run, with its weight, and the total of the weights.
pub(crate) fn weigh<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    kept: Classify<'_, K>,
) -> Result<(BTreeMap<K, BigUint>, BigUint), OddsError> {
    weigh_and_tell(situation, asked, said, kept).map(|(outcomes, total, _)| (outcomes, total))
}

/// The same with a number of rolls to spend, shared by several questions.
pub(crate) fn weigh_within<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    kept: Classify<'_, K>,
    rolls: &mut usize,
) -> Result<BTreeMap<K, BigUint>, OddsError> {
    let mut explorer = Explorer::new(situation, asked, &[], kept)?;
    explorer.search.rolls = MAX_ROLLS.saturating_sub(*rolls);
    // What is kept of a run may tell how often a deck was reshuffled.
    explorer.goes_round &= !explorer.deck_events;
    let started = explorer.search.rolls;
    let found = explorer.go();
    *rolls = rolls.saturating_sub(explorer.search.rolls - started);
    found.map(|found| found.outcomes)
}

/// The same, and whether a card was drawn for it.
pub(super) fn weigh_and_tell<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    kept: Classify<'_, K>,
) -> Result<(BTreeMap<K, BigUint>, BigUint, bool), OddsError> {
    let mut explorer = Explorer::new(situation, asked, said, kept)?;
    let found = explorer.go()?;
    Ok((found.outcomes, found.total, explorer.search.drew))
}

/// The scores of one of several units with their weights, and whether a card was drawn for them.
pub(super) fn weigh_score(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    unit: Unit,
) -> Result<(BTreeMap<Number, BigUint>, BigUint, bool), OddsError> {
    let score = |resolution: &Resolution, _: &[Resolution]| match resolution.score {
        Some(Answer::Number(score)) => score,
        _ => Number::ZERO,
    };
    let mut explorer = Explorer::new(situation, asked, said, &score)?;
    explorer.units = vec![unit];
    let found = explorer.go()?;
    Ok((found.outcomes, found.total, explorer.search.drew))
}

impl<'a, 'p, K: Ord + Clone> Explorer<'a, 'p, K> {
    /// For a chart that is open and has what it needs.
    pub(super) fn new(
        situation: &'a Situation<'p>,
        asked: &'a OddsOptions,
        said: &'a [(String, Answer)],
        kept: Classify<'a, K>,
    ) -> Result<Self, OddsError> {
        if let Some(error) = closed(situation) {
            return Err(OddsError::Refused(error.into()));
        }
        let units = situation.units();
        let missing = crate::needs::needs_of(situation, &units);
        if !missing.is_empty() {
            return Err(OddsError::Needs(missing));
        }
        let mut charts = Vec::new();
        reach(situation.pack(), situation.chart(), asked.follow, &mut charts);
        let deck_events = charts.iter().any(|chart| !chart.deck_events.is_empty());
        let (classes, goes_round) = terms(situation, asked);
        Ok(Explorer {
            situation,
            units,
            asked,
            said,
            classes,
            goes_round,
            deck_events,
            kept,
            search: Search::new(&situation.chart().title, asked),
        })
    }
}

impl<K: Ord + Clone> Explorer<'_, '_, K> {
    fn go(&mut self) -> Result<Weighed<K>, OddsError> {
        let fresh = Search::new(&self.situation.chart().title, self.asked);
        let mut search = std::mem::replace(&mut self.search, fresh);
        let found = search.go(&|picks| self.run(picks), &mut Vec::new());
        self.search = search;
        found
    }

    /// One run: how it came out, or where the picks ended.
    pub(super) fn run(&self, picks: &[ExploredChoice]) -> Result<Tried<K>, OddsError> {
        let mut script = Script::new(picks, self.asked, self.said, &self.classes, self.goes_round);
        if !self.asked.follow {
            // Needs were settled before; inputs matter only to a chart that follows.
            let mut resolution =
                Resolution { chart: self.situation.chart().id.clone(), ..Resolution::default() };
            let mut decks = self.situation.decks.clone();
            let units = self.units.clone();
            let ran = run_ready(self.situation, &mut decks, &mut script, units, &mut resolution);
            let kept = ran.map(|()| (self.kept)(&resolution, &[]));
            return script.tried(kept, &resolution, decks);
        }
        let refused = |error: InputError| OddsError::Refused(NoOdds::Input(error));
        let mut walk = Walk::new(self.situation, self.asked);
        loop {
            let resolution = match resolve(&mut walk.situation, &mut script) {
                Ok(resolution) => resolution,
                Err(mut stopped) => {
                    for need in &mut stopped.resolution.needs {
                        need.key = walk.name_of(&need.key).unwrap_or_else(|| need.key.clone());
                    }
                    let end = Err(ended(script.end.take(), stopped.refused, &stopped.resolution)?);
                    return Ok(Tried {
                        end,
                        stood: script.stood,
                        deck: script.deck,
                        decks: walk.situation.decks,
                    });
                }
            };
            walk.ran(resolution).map_err(refused)?;
            if !walk.step().map_err(refused)? {
                let decks = std::mem::take(&mut walk.situation.decks);
                let ends = walk.ends();
                let (first, others) =
                    ends.split_first().ok_or_else(|| TooMany::Ways.beyond(0, 0))?;
                return Ok(Tried {
                    end: Ok((self.kept)(first, others)),
                    stood: script.stood,
                    deck: script.deck,
                    decks,
                });
            }
            script.chain += 1;
        }
    }
}

/// Where a run that stopped has ended: at the end of its picks, or for good.
fn ended(
    end: Option<End>,
    refused: Option<Box<ResolveError>>,
    resolution: &Resolution,
) -> Result<End, OddsError> {
    match (end, refused) {
        (Some(end), _) => Ok(end),
        (None, Some(error)) => Err(OddsError::Refused(NoOdds::Resolve(error))),
        (None, None) => Err(open_need(resolution)),
    }
}

/// What a run that stopped for want of something lacks.
pub(crate) fn open_need(resolution: &Resolution) -> OddsError {
    let answer = resolution.needs.iter().find_map(|need| match &need.wanted {
        Wanted::Answer { accepts } => Some(OpenQuestion {
            key: need.key.clone(),
            prompt: need.what_for.clone(),
            accepts: accepts.clone(),
        }),
        _ => None,
    });
    answer.map_or_else(|| OddsError::Needs(resolution.needs.clone()), OddsError::Open)
}

/// How a run came out, and how its other ends did.
pub(crate) fn outcome(resolution: &Resolution, others: &[Resolution]) -> OddsOutcome {
    let name = |result: &crate::ResultLine| (result.id.clone(), result.title.clone());
    let members = resolution.members.iter().map(|member| {
        let value = || member.value.map_or("Nothing".into(), |value| value.to_string().into());
        let (id, title) =
            member.result.as_ref().map(name).unwrap_or_else(|| ("none".into(), value()));
        (member.name.clone(), id, title)
    });
    OddsOutcome {
        chart: resolution.chart.clone(),
        result: resolution
            .result
            .as_ref()
            .map(|result| (result.id.clone(), result.title.clone(), result.on.clone())),
        value: resolution.value,
        also: resolution
            .also
            .iter()
            .map(|also| (also.id.clone(), also.title.clone(), also.because.clone()))
            .collect(),
        members: if resolution.members.len() > 1 { members.collect() } else { Vec::new() },
        besides: others.iter().map(|resolution| outcome(resolution, &[])).collect(),
    }
}

/// Which cards come to the same for a chart and all that follow from it, and whether a step that is
/// rolled again stands as it stood.
pub(super) fn terms(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> (HashMap<Text, Vec<u32>>, bool) {
    let mut charts = Vec::new();
    reach(situation.pack(), situation.chart(), asked.follow, &mut charts);
    let deck_events = charts.iter().any(|chart| !chart.deck_events.is_empty());
    let round = goes_round(situation.pack(), asked.follow, &charts);
    (classes(situation, asked.follow, &charts), round && !(asked.follow && deck_events))
}

/// Which cards come to the same for all charts that may be run: those that agree in every field
/// read.
fn classes(situation: &Situation<'_>, follow: bool, charts: &[&Chart]) -> HashMap<Text, Vec<u32>> {
    let (pack, first) = (situation.pack(), situation.chart());
    // What is given settles which of several numbers the first chart reads – if it is given once
    // for all, is not asked again during the run, and the chart does not come again with something
    // else.
    let known = situation.known_names();
    let fresh =
        first.steps.iter().flat_map(|step| &step.again).any(|again| again.ask_again.is_some());
    let returns = follow
        && charts
            .iter()
            .flat_map(|chart| chart.follow_ups())
            .any(|next| pack.charts()[next.chart].id == first.id);
    let once = situation.members.is_empty() && !fresh && !returns;
    let settled = |chart: &Chart, by: &Formula| match chart.id == first.id && once {
        true => by.eval_partly(&known, &mut Vec::new()),
        false => by.constant(),
    };
    let mut found = HashMap::new();
    for (deck, sheet) in pack.decks().iter_enumerated() {
        let mut cells: Vec<usize> = Vec::new();
        let mut by_number = false;
        for (chart, step) in
            charts.iter().flat_map(|chart| chart.steps.iter().map(move |step| (*chart, step)))
        {
            let StepKind::Draw(draw) = &step.kind else { continue };
            if draw.deck != deck {
                continue;
            }
            // A player picks one card, not one of a class.
            by_number |= draw.pick.is_some();
            by_number |= step.facets.iter().any(|(facet, _)| *facet == Facet::Card);
            cells.extend(step.facets.iter().filter_map(|(facet, _)| {
                if let Facet::Field(field) = facet {
                    Some(sheet.fields[*field].first_cell)
                } else {
                    None
                }
            }));
            let one = draw.several.iter().flat_map(|several| &several.face);
            cells.extend(one.filter_map(|(part, _)| match part {
                FacePart::Card(field) => Some(sheet.fields[*field].first_cell),
                _ => None,
            }));
            if let Some((field, by)) = &draw.read {
                let known = &sheet.fields[*field];
                match (
                    &known.kind,
                    by.as_ref()
                        .and_then(|by| settled(chart, by))
                        .and_then(Value::number)
                        .and_then(adjutant_dice::Number::as_whole),
                ) {
                    (DeckFieldKind::Numbers { from, .. }, Some(by)) => {
                        cells.push(known.first_cell + (by - i64::from(*from)).max(0) as usize)
                    }
                    (DeckFieldKind::Numbers { from, to }, None) => {
                        cells.extend((0..=(to - from) as usize).map(|n| known.first_cell + n))
                    }
                    _ => cells.push(known.first_cell),
                }
            }
        }
        if sheet.chits.is_some() {
            let chits = 0..situation.decks[deck].size();
            let list = chits.map(|chit| if by_number { chit } else { 0 });
            found.insert(sheet.id.clone(), list.collect());
            continue;
        }
        let mut seen: Vec<Vec<Option<&CardCell>>> = Vec::new();
        let list = sheet.cards.iter().enumerate().map(|(number, card)| {
            if by_number {
                return number as u32;
            }
            let sign: Vec<Option<&CardCell>> =
                cells.iter().map(|cell| card.cells.get(*cell).and_then(Option::as_ref)).collect();
            let place = seen.iter().position(|known| *known == sign).unwrap_or_else(|| {
                seen.push(sign);
                seen.len() - 1
            });
            place as u32
        });
        found.insert(sheet.id.clone(), list.collect());
    }
    found
}

/// The chart, those it looks up, and those that may follow.
pub(super) fn reach<'p>(
    pack: &'p Pack,
    chart: &'p Chart,
    follow: bool,
    found: &mut Vec<&'p Chart>,
) {
    if found.iter().any(|known| known.id == chart.id) {
        return;
    }
    found.push(chart);
    for step in &chart.steps {
        if let StepKind::LookUp(look_up) = &step.kind {
            reach(pack, &pack.charts()[look_up.chart], follow, found);
        }
        for look_up in step.again.iter().filter_map(|again| again.look_up.as_ref()) {
            reach(pack, &pack.charts()[look_up.chart], follow, found);
        }
    }
    for next in chart.follow_ups().filter(|_| follow) {
        reach(pack, &pack.charts()[next.chart], follow, found);
    }
}

/// The same for one step: nothing but the roll itself changes when it is made again.
pub(super) fn goes_round_step(pack: &Pack, step: &adjutant_pack::Step) -> bool {
    step.again.iter().filter_map(|again| again.look_up.as_ref()).all(|look_up| {
        let mut between = Vec::new();
        reach(pack, &pack.charts()[look_up.chart], false, &mut between);
        between.iter().all(|chart| chart.read.also.is_empty())
    })
}

/// Whether every step that is rolled or drawn again stands as it stood: what a chart looked up in
/// between leaves behind – another deck changed, a result in addition, something remembered or to
/// follow – would count.
fn goes_round(pack: &Pack, follow: bool, charts: &[&Chart]) -> bool {
    charts.iter().flat_map(|chart| &chart.steps).all(|step| {
        let own = if let StepKind::Draw(draw) = &step.kind { Some(draw.deck) } else { None };
        let mut between = Vec::new();
        for look_up in step.again.iter().filter_map(|again| again.look_up.as_ref()) {
            reach(pack, &pack.charts()[look_up.chart], false, &mut between);
        }
        between.iter().all(|chart| {
            let draws = chart
                .steps
                .iter()
                .any(|step| matches!(&step.kind, StepKind::Draw(draw) if Some(draw.deck) != own));
            let lasting = chart.effects().any(|effect| match effect.kind {
                EffectKind::Reshuffle(deck) => Some(deck) != own,
                EffectKind::Remember(..) | EffectKind::RememberMore(..) => follow,
                _ => false,
            });
            !draws
                && !lasting
                && chart.read.also.is_empty()
                && (!follow || chart.follow_ups().next().is_none())
        })
    })
}
