//! Exact odds of a chain of charts. Each chart of the chain is worked out by itself, and chains that
//! have come to the same are one, so the cost is that of what can happen, not of its number of ways.
//! A chain that comes back to where it was is solved, like the circles of a fight. What is too long
//! even so is cut: the cut chains are an outcome with a chance of their own.

use super::chain::{LONGEST_CHAIN, SituationKey, Walk, WalkKey};
use super::distribution::{Chance, OddsOutcome};
use super::explore::{self, Besides, alone, open_need, outcome};
use super::request::{OddsError, OddsOptions, TooMany};
use super::script::{End, Script};
use super::search::Search;
use super::states::{self, AlsoKey, Found, Outcomes, ResultKey, Spread, shared};
use super::unfollowed::NotFollowed;
use crate::change::Change;
use crate::decks::Decks;
use crate::error::{InputError, NoOdds};
use crate::fight::{self, FightLimits, Link, Node};
use crate::resolution::{FollowUp, Inputs, MemberLine, Resolution, ResultLine};
use crate::run::{closed, inputs, resolve, run_ready};
use crate::situation::Situation;
use adjutant_dice::{Answer, Number, Text};
use adjutant_pack::{ChartId, Pack};
use num_bigint::BigUint;
use num_integer::Integer;
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

/// A run of a chain: its first end and all else, or where the picks ended; and the decks as it left
/// them.
pub(super) struct Ran {
    pub(super) ends: Result<(Resolution, Besides), End>,
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
            return Ok(Ran { ends: Ok(walk.ended()), decks });
        }
        if walk.is_too_long() {
            let ends = Ok(walk.cut(NotFollowed::TooLong));
            return Ok(Ran { ends, decks: std::mem::take(&mut walk.situation.decks) });
        }
        script.chain += 1;
    }
}

/// The most chains that are told apart.
const MOST_CHAINS: usize = 20_000;
/// The most that is followed of a chain, in ways times their digits, before the rest is cut: a second
/// or two.
const MOST_DIGITS: u64 = 1_000_000;
/// Odds of which chains are cut before so many charts tell too little: they are refused.
const FEWEST_CHARTS: usize = 8;

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
    let mut graph = Graph::default();
    graph.place(Walk::new(first, asked));
    let (mut digits, mut path_digits) = (0, 1);
    while !graph.open.is_empty()
        && graph.lengths.len() < LONGEST_CHAIN
        && graph.nodes.len() <= MOST_CHAINS
        && digits <= MOST_DIGITS
    {
        graph.lengths.push(graph.nodes.len());
        let mut longest = 0;
        for (node, walk) in std::mem::take(&mut graph.open) {
            if asked.stop.is_due() {
                return Err(OddsError::OverLimit(crate::fight::Limit::Time));
            }
            let ways = chains.run(&walk, &mut graph)?;
            longest = longest.max(ways.total.bits());
            digits += ways.out.len() as u64 * (1 + path_digits / 64);
            graph.nodes[node] = ways;
        }
        path_digits += longest;
    }
    graph.cut(first)?;
    graph.solve(first, asked)
}

/// The chains that are told apart, what they lead to, and how they end.
#[derive(Default)]
struct Graph<'a, 'p> {
    nodes: Vec<Node>,
    /// The chart that each of them runs next.
    charts: Vec<ChartId>,
    /// How many there were before their first, second and further charts were run.
    lengths: Vec<usize>,
    places: BTreeMap<WalkKey, usize>,
    /// Those that were not run yet.
    open: Vec<(usize, Walk<'a, 'p>)>,
    ends: Vec<OddsOutcome>,
    end_places: BTreeMap<OddsOutcome, usize>,
}

/// A node with one way.
fn sure(link: Link) -> Node {
    let one = BigUint::from(1_u32);
    Node { round: false, out: vec![(link, one.clone())], total: one }
}

impl<'a, 'p> Graph<'a, 'p> {
    fn place(&mut self, walk: Walk<'a, 'p>) -> Link {
        let next = self.nodes.len();
        let place = *self.places.entry(walk.key()).or_insert(next);
        if place == next {
            // Until it is run, it leads to itself.
            self.nodes.push(sure(Link::Node(next)));
            self.charts.push(walk.situation.chart);
            self.open.push((next, walk));
        }
        Link::Node(place)
    }

    fn end(&mut self, outcome: OddsOutcome) -> Link {
        let next = self.ends.len();
        let place = *self.end_places.entry(outcome.clone()).or_insert(next);
        if place == next {
            self.ends.push(outcome);
        }
        Link::End(place)
    }

    /// Cuts chains that are not followed to their end: all that were not run, and as many of the
    /// longest as it takes to solve the rest.
    fn cut(&mut self, first: &Situation<'_>) -> Result<(), OddsError> {
        let mut length = self.lengths.len();
        let mut cut = !self.open.is_empty();
        let mut work = fight::work(&self.nodes);
        while cut || work > fight::MOST_WORK {
            if length < FEWEST_CHARTS {
                let large = TooMany::States.beyond(self.nodes.len(), MOST_CHAINS);
                return Err(large.in_step(&first.chart().title));
            }
            self.keep(self.lengths[length - 1], first.pack());
            work = fight::work(&self.nodes);
            (cut, length) = (false, length * 2 / 3);
        }
        Ok(())
    }

    /// Keeps so many chains. All others end where they are.
    fn keep(&mut self, most: usize, pack: &Pack) {
        let charts = std::mem::take(&mut self.charts);
        self.open.clear();
        self.nodes.truncate(most);
        for node in 0..most {
            let mut out: BTreeMap<Link, BigUint> = BTreeMap::new();
            for (link, weight) in std::mem::take(&mut self.nodes[node].out) {
                let link = match link {
                    Link::Node(next) if next >= most => {
                        self.end(Walk::cut_at(&pack.charts()[charts[next]], NotFollowed::TooLong))
                    }
                    link => link,
                };
                *out.entry(link).or_default() += weight;
            }
            self.nodes[node].out = out.into_iter().collect();
        }
        self.charts = charts;
    }

    /// The weight of each end. Chains that never end are one more end.
    fn solve(self, first: &Situation<'_>, asked: &OddsOptions) -> Result<Outcomes, OddsError> {
        let stop = || asked.stop.is_due();
        let limits = FightLimits { stop: &stop, ..FightLimits::default() };
        let (chances, never) = fight::arrivals(&self.nodes, self.ends.len(), &limits)?;
        let mut weights: Vec<(OddsOutcome, Chance)> = self.ends.into_iter().zip(chances).collect();
        if *never.ways() != BigUint::ZERO {
            weights.push((Walk::cut_at(first.chart(), NotFollowed::Endless), never));
        }
        weights.retain(|(_, chance)| *chance.ways() != BigUint::ZERO);
        weights.sort_by(|(one, _), (other, _)| one.cmp(other));
        let one = BigUint::from(1_u32);
        let total = weights.iter().fold(one, |total, (_, chance)| total.lcm(chance.of()));
        let whole =
            |(end, chance): (OddsOutcome, Chance)| (end, chance.ways() * (&total / chance.of()));
        let outcomes = weights.into_iter().map(whole).collect();
        Ok((outcomes, total))
    }
}

impl<'a> Chains<'a> {
    /// Where a chain stands after its next chart.
    fn run<'p>(
        &mut self,
        walk: &Walk<'a, 'p>,
        graph: &mut Graph<'a, 'p>,
    ) -> Result<Node, OddsError> {
        let refused = |error: InputError| OddsError::Refused(NoOdds::Input(error));
        let spread = self.chart(walk)?;
        let known = match walk.situation.brief {
            true => Inputs::default(),
            false => inputs(&walk.situation, &walk.situation.units()),
        };
        let mut parts: BTreeMap<Link, BigUint> = BTreeMap::new();
        for (played, weight) in &spread.parts {
            let mut after = walk.clone();
            if let Some(decks) = &played.decks {
                after.situation.decks.clone_from(decks);
            }
            let chart = &walk.situation.chart().id;
            after.ran(played.resolution(chart, known.clone())).map_err(refused)?;
            let place = match after.step().map_err(refused)? {
                true if after.is_too_long() => {
                    let cut = Walk::cut_at(after.situation.chart(), NotFollowed::TooLong);
                    graph.end(cut)
                }
                true => graph.place(after),
                false => graph.end(ended(&after)),
            };
            *parts.entry(place).or_default() += weight;
        }
        let shared = shared(&spread.total, parts.values());
        let out = parts.into_iter().map(|(link, weight)| (link, weight / &shared)).collect();
        Ok(Node { round: false, out, total: &spread.total / shared })
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
fn ended(walk: &Walk<'_, '_>) -> OddsOutcome {
    let (first, besides) = walk.ended();
    let mut found = outcome(&first, &besides);
    let others = std::mem::take(&mut found.besides);
    let first = alone(&first);
    for other in &others {
        if *other != first && !found.besides.contains(other) {
            found.besides.push(other.clone());
        }
    }
    if found.besides.is_empty() && !others.is_empty() {
        found.besides.push(first);
    }
    found
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
