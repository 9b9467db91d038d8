//! Exact odds of a chain of charts. Each chart of the chain is worked out by itself, and chains that
//! have come to the same are one, so the cost is that of what can happen, not of its number of ways.

use super::chain::{SituationKey, Walk, WalkKey};
use super::distribution::OddsOutcome;
use super::explore::{self, open_need, outcome};
use super::request::{OddsError, OddsOptions, TooMany};
use super::script::{End, Script};
use super::search::Search;
use super::states::{self, AlsoKey, Found, Mix, Outcomes, ResultKey, Spread};
use crate::change::Change;
use crate::decks::Decks;
use crate::error::{InputError, NoOdds};
use crate::resolution::{FollowUp, Inputs, MemberLine, Resolution, ResultLine};
use crate::run::{closed, inputs, resolve, run_ready};
use crate::situation::Situation;
use adjutant_dice::{Answer, Number, Text};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Whether odds go down the chain of charts. This is a value and not a flag, so that a program that
/// never follows (the page of a first visit) does not carry the code for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Follow(Option<ChainOdds>);

/// How a chain is worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainOdds {
    /// Every way that it can end.
    pub(super) weigh: Weigh,
    /// One run of it.
    pub(super) run: Run,
}

type Weigh = fn(&Situation<'_>, &OddsOptions, Answers<'_>) -> Result<Outcomes, OddsError>;
type Run = fn(&Situation<'_>, &OddsOptions, &mut Script<'_>) -> Result<Ran, OddsError>;
/// Answers to the questions that were open.
type Answers<'a> = &'a [(String, Answer)];

impl Follow {
    /// Down to the last results.
    pub fn chain() -> Follow {
        Follow(Some(ChainOdds { weigh, run }))
    }

    /// The whole chain if so, else the first chart alone.
    pub fn when(on: bool) -> Follow {
        if on { Follow::chain() } else { Follow::default() }
    }

    /// Whether the chain is followed.
    pub fn is_on(self) -> bool {
        self.0.is_some()
    }

    pub(super) fn chain_odds(self) -> Option<ChainOdds> {
        self.0
    }
}

/// A run of a chain: its ends, or where the picks ended; and the decks as it left them.
pub(super) struct Ran {
    pub(super) ends: Result<Vec<Resolution>, End>,
    pub(super) decks: Decks,
}

/// Runs a chain chart by chart, by the picks of a script.
fn run(
    first: &Situation<'_>,
    asked: &OddsOptions,
    script: &mut Script<'_>,
) -> Result<Ran, OddsError> {
    let refused = |error: InputError| OddsError::Refused(NoOdds::Input(error));
    let mut walk = Walk::new(first, asked);
    loop {
        let resolution = match resolve(&mut walk.situation, script) {
            Ok(resolution) => resolution,
            Err(mut stopped) => {
                for need in &mut stopped.resolution.needs {
                    need.key = walk.name_of(&need.key).unwrap_or_else(|| need.key.clone());
                }
                let end = explore::ended(script.end.take(), stopped.refused, &stopped.resolution)?;
                return Ok(Ran { ends: Err(end), decks: walk.situation.decks });
            }
        };
        walk.ran(resolution).map_err(refused)?;
        if !walk.step().map_err(refused)? {
            let decks = std::mem::take(&mut walk.situation.decks);
            return Ok(Ran { ends: Ok(walk.ends()), decks });
        }
        script.chain += 1;
    }
}

/// The most chains that are told apart after one chart.
const MOST_CHAINS: usize = 200_000;

/// How one chart of a chain came out, as far as the rest of the chain tells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Played {
    result: Option<ResultKey>,
    value: Option<Number>,
    also: Vec<AlsoKey>,
    effects: Vec<Change>,
    next: Vec<FollowUp>,
    together: bool,
    members: Vec<(Text, Option<ResultKey>, Option<Number>)>,
    /// The decks after it, if it may have changed them.
    decks: Option<Decks>,
}

/// Where a chain stands: at its end, or before its next chart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    End(OddsOutcome),
    Before(usize),
}

/// A chart of the chain and its spread.
type Charts = BTreeMap<SituationKey, Rc<Spread<Played>>>;

struct Chains<'a> {
    asked: &'a OddsOptions,
    said: &'a [(String, Answer)],
    classes: HashMap<Text, Vec<u32>>,
    goes_round: bool,
    charts: Charts,
    rolls: usize,
}

/// Every way that a chain can end.
pub(super) fn weigh(
    first: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Outcomes, OddsError> {
    let (classes, goes_round) = super::reach::terms(first, asked);
    let charts = BTreeMap::new();
    let mut chains = Chains { asked, said, classes, goes_round, charts, rolls: 0 };
    let mut walks = vec![Walk::new(first, asked)];
    let mut now = Spread::sure(Place::Before(0));
    while !walks.is_empty() {
        let mut later = Later::default();
        let mut mix = Mix::default();
        for (place, weight) in now.parts {
            match place {
                Place::End(_) => mix.add(&weight, Spread::sure(place)),
                Place::Before(walk) => mix.add(&weight, chains.run(&walks[walk], &mut later)?),
            }
        }
        now = mix.done(&now.total);
        walks = later.walks;
    }
    let ends = now.parts.into_iter().filter_map(|(place, weight)| match place {
        Place::End(outcome) => Some((outcome, weight)),
        Place::Before(_) => None,
    });
    Ok((ends.collect(), now.total))
}

/// The chains that go on, each once.
#[derive(Default)]
struct Later<'a, 'p> {
    walks: Vec<Walk<'a, 'p>>,
    known: BTreeMap<WalkKey, usize>,
}

impl<'a, 'p> Later<'a, 'p> {
    fn place(&mut self, walk: Walk<'a, 'p>) -> Result<usize, OddsError> {
        let walks = &mut self.walks;
        let place = *self.known.entry(walk.key()).or_insert_with(|| {
            walks.push(walk);
            walks.len() - 1
        });
        match walks.len() > MOST_CHAINS {
            true => Err(TooMany::States.beyond(walks.len(), MOST_CHAINS)),
            false => Ok(place),
        }
    }
}

impl<'a> Chains<'a> {
    /// Where a chain stands after its next chart.
    fn run<'p>(
        &mut self,
        walk: &Walk<'a, 'p>,
        later: &mut Later<'a, 'p>,
    ) -> Result<Spread<Place>, OddsError> {
        let refused = |error: InputError| OddsError::Refused(NoOdds::Input(error));
        let spread = self.chart(walk)?;
        let known = match walk.situation.brief {
            true => Inputs::default(),
            false => inputs(&walk.situation, &walk.situation.units()),
        };
        let mut parts: BTreeMap<Place, _> = BTreeMap::new();
        for (played, weight) in &spread.parts {
            let mut after = walk.clone();
            if let Some(decks) = &played.decks {
                after.situation.decks.clone_from(decks);
            }
            let chart = &walk.situation.chart().id;
            after.ran(played.resolution(chart, known.clone())).map_err(refused)?;
            let place = match after.step().map_err(refused)? {
                true => Place::Before(later.place(after)?),
                false => Place::End(ended(after)?),
            };
            *parts.entry(place).or_default() += weight;
        }
        Ok(Spread { parts, total: spread.total.clone() })
    }

    /// How the next chart of a chain comes out.
    fn chart(&mut self, walk: &Walk<'a, '_>) -> Result<Rc<Spread<Played>>, OddsError> {
        let key = walk.situation_key();
        if let Some(known) = self.charts.get(&key) {
            return Ok(known.clone());
        }
        let name = |mut error: OddsError| {
            if let OddsError::Needs(missing) = &mut error {
                for need in missing {
                    need.key = walk.name_of(&need.key).unwrap_or_else(|| need.key.clone());
                }
            }
            if let OddsError::Open(question) = &mut error {
                question.key = walk.name_of(&question.key).unwrap_or_else(|| question.key.clone());
            }
            error
        };
        let found = Rc::new(self.spread(&walk.situation).map_err(name)?);
        self.charts.insert(key, found.clone());
        Ok(found)
    }

    fn spread(&mut self, situation: &Situation<'_>) -> Result<Spread<Played>, OddsError> {
        if let Some(error) = closed(situation) {
            let error = Box::new(error);
            return Err(OddsError::Refused(NoOdds::Resolve(error)));
        }
        let units = situation.units();
        let missing = crate::needs::needs_of(situation, &units);
        if !missing.is_empty() {
            return Err(open_need(&Resolution { needs: missing, ..Resolution::default() }));
        }
        if situation.chart().together.is_none()
            && let Some(found) = states::changes(situation, self.asked, self.said)
        {
            return Ok(found?.map(Played::of_state));
        }
        self.explored(situation)
    }

    /// Every way that one chart can go.
    fn explored(&mut self, situation: &Situation<'_>) -> Result<Spread<Played>, OddsError> {
        let units = situation.units();
        let mut search: Search<Played> = Search::new(&situation.chart().title, self.asked);
        search.rolls = self.rolls;
        let found = search.go(
            &|picks| {
                let mut script =
                    Script::new(picks, self.asked, self.said, &self.classes, self.goes_round);
                let mut resolution = Resolution::default();
                let mut decks = situation.decks.clone();
                let ran =
                    run_ready(situation, &mut decks, &mut script, units.clone(), &mut resolution);
                let changed = (decks != situation.decks).then(|| decks.clone());
                let kept = ran.map(|()| Played::of(&resolution, changed));
                script.tried(kept, &resolution, decks)
            },
            &mut Vec::new(),
        );
        self.rolls = search.rolls;
        let found = found?;
        Ok(Spread { parts: found.outcomes, total: found.total })
    }
}

/// How a chain ended. Of equal ends only one counts, but that there were several is kept.
fn ended(walk: Walk<'_, '_>) -> Result<OddsOutcome, OddsError> {
    let ends = walk.ends();
    let (first, others) = ends.split_first().ok_or_else(|| TooMany::Ways.beyond(0, 0))?;
    let mut found = outcome(first, &[]);
    let mut besides: Vec<OddsOutcome> = Vec::new();
    for other in others.iter().map(|other| outcome(other, &[])) {
        if other != found && !besides.contains(&other) {
            besides.push(other);
        }
    }
    if besides.is_empty() && !others.is_empty() {
        besides.push(found.clone());
    }
    found.besides = besides;
    Ok(found)
}

impl Played {
    fn of(resolution: &Resolution, decks: Option<Decks>) -> Played {
        let key = |line: &ResultLine| (line.id.clone(), line.title.clone(), line.on.clone());
        let also = |line: &ResultLine| (line.id.clone(), line.title.clone(), line.because.clone());
        let member =
            |line: &MemberLine| (line.name.clone(), line.result.as_ref().map(key), line.value);
        Played {
            result: resolution.result.as_ref().map(key),
            value: resolution.value,
            also: resolution.also.iter().map(also).collect(),
            effects: resolution.effects.clone(),
            next: resolution.next.clone(),
            together: resolution.lands_together,
            members: resolution.members.iter().map(member).collect(),
            decks,
        }
    }

    fn of_state(found: Found) -> Played {
        let Found { result, value, done, .. } = found;
        Played {
            result,
            value,
            also: done.also,
            effects: done.effects,
            next: done.next,
            together: false,
            members: Vec::new(),
            decks: None,
        }
    }

    /// The resolution, as far as a chain reads it.
    fn resolution(&self, chart: &Text, inputs: Inputs) -> Resolution {
        let line = |(id, title, on): &ResultKey, because: Option<&Text>| ResultLine {
            id: id.clone(),
            title: title.clone(),
            means: Text::default(),
            on: on.clone(),
            because: because.cloned(),
        };
        let also = |(id, title, because): &AlsoKey| {
            line(&(id.clone(), title.clone(), None), because.as_ref())
        };
        let member = |(name, result, value): &(Text, Option<ResultKey>, Option<Number>)| {
            let result = result.as_ref().map(|result| line(result, None));
            MemberLine { name: name.clone(), score: None, row: None, result, value: *value }
        };
        Resolution {
            chart: chart.clone(),
            inputs,
            result: self.result.as_ref().map(|result| line(result, None)),
            value: self.value,
            also: self.also.iter().map(also).collect(),
            effects: self.effects.clone(),
            next: self.next.clone(),
            lands_together: self.together,
            members: self.members.iter().map(member).collect(),
            ..Resolution::default()
        }
    }
}
