//! All states of a fight and their transitions. Steps within a round are joined, so there is one
//! node for each state in which a round can start, with integer weights. (If reactions within a
//! round may repeat without end, the states they return to are kept as well.)

use super::limits::{FightLimits, bytes_of, bytes_of_ways};
use super::rules::{FightRules, NextState};
use super::state::FightState;
use super::wide::Wide;
use super::{FightSituation, SideAtStart};
use crate::odds::OddsError;
use adjutant_dice::Number;
use adjutant_pack::{FightSideId, IdVec};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// The default maximum number of states. A fight with more is too large.
pub(super) const MOST_STANDINGS: usize = 60_000;

/// How a fight ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndPoint {
    /// The decision, as an index into [`FightChain::decisions`].
    pub decision: usize,
    /// The number of units left on each side.
    pub left: IdVec<FightSideId, u32>,
    /// The totals over these units that each side of the fight asks for.
    pub totals: IdVec<FightSideId, Vec<Number>>,
}

/// A state or an end of the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Link {
    Node(usize),
    End(usize),
}

/// The transitions of a state, with weights.
pub(crate) type Ways = Vec<(Link, BigUint)>;

/// A node: its transitions and their total weight.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Whether a round starts in this state.
    pub round: bool,
    pub out: Ways,
    pub total: BigUint,
}

/// The Markov chain of a fight: its states and transitions.
#[derive(Clone, Debug)]
pub struct FightChain {
    pub(super) nodes: Vec<Node>,
    pub(super) ends: Vec<EndPoint>,
    pub(super) decisions: Vec<(String, String)>,
    pub(super) sides: IdVec<FightSideId, SideAtStart>,
    /// The fast algorithm, if no state returns except directly to itself.
    pub(super) wide: Option<Wide>,
}

/// The states found so far.
pub(super) struct StateIndex {
    places: HashMap<FightState, usize>,
    rounds: Vec<bool>,
    ends: Vec<EndPoint>,
    end_places: HashMap<EndPoint, usize>,
}

impl StateIndex {
    fn place(&mut self, standing: FightState, open: &mut Vec<FightState>) -> usize {
        match self.places.entry(standing) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let place = self.rounds.len();
                self.rounds.push(new.key().begins_round());
                open.push(new.key().clone());
                *new.insert(place)
            }
        }
    }

    fn end(&mut self, end: EndPoint) -> usize {
        *self.end_places.entry(end.clone()).or_insert_with(|| {
            self.ends.push(end);
            self.ends.len() - 1
        })
    }
}

impl FightChain {
    /// Finds all states. A fight with too many is [`OddsError::TooLarge`].
    pub fn new(situation: &FightSituation<'_>) -> Result<FightChain, OddsError> {
        FightChain::within(situation, MOST_STANDINGS)
    }

    /// The same with a maximum number of states, for callers that need a quick answer.
    pub fn within(situation: &FightSituation<'_>, most: usize) -> Result<FightChain, OddsError> {
        FightChain::limited(
            situation,
            &FightLimits { standings: most.min(MOST_STANDINGS), ..FightLimits::default() },
        )
    }

    /// The same with limits on time and memory too. Beyond one of them the error is
    /// [`OddsError::OverLimit`].
    pub fn limited(
        situation: &FightSituation<'_>,
        limits: &FightLimits<'_>,
    ) -> Result<FightChain, OddsError> {
        let (mut ring, start) = FightRules::new(situation)?;
        let (mut found, mut steps) = explore(&mut ring, start.clone(), limits)?;
        if ring.keep_decks()? {
            let cards = ring.decks.whole.clone();
            (found, steps) = explore(&mut ring, FightState { cards, ..start }, limits)?;
        }
        let sides = situation.fight().sides.ids().map(|side| situation.at_start(side)).collect();
        let nodes = joined(&steps, &found.rounds, limits)?;
        let wide = Wide::new(&nodes, found.ends.len());
        Ok(FightChain { nodes, ends: found.ends, decisions: ring.decisions(), sides, wide })
    }

    /// The possible decisions of the fight: id and title.
    pub fn decisions(&self) -> &[(String, String)] {
        &self.decisions
    }

    /// All possible ends of the fight.
    pub fn ends(&self) -> &[EndPoint] {
        &self.ends
    }

    /// The number of states in the chain.
    pub fn standings(&self) -> usize {
        self.nodes.len()
    }
}

/// Explores every reachable state and its transitions.
pub(super) fn explore(
    ring: &mut FightRules<'_>,
    start: FightState,
    limits: &FightLimits<'_>,
) -> Result<(StateIndex, Vec<Ways>), OddsError> {
    let mut found = StateIndex {
        places: HashMap::new(),
        rounds: Vec::new(),
        ends: Vec::new(),
        end_places: HashMap::new(),
    };
    let mut open = Vec::new();
    found.place(start, &mut open);
    let mut steps: Vec<Ways> = Vec::new();
    let mut bytes = 0;
    while let Some(standing) = open.get(steps.len()).cloned() {
        if open.len() > limits.standings {
            return Err(crate::odds::TooMany::States.beyond(open.len(), limits.standings));
        }
        limits.check(bytes)?;
        // A state is stored twice: in the list and as a key of the index.
        bytes += 2 * bytes_of(&standing);
        let mut out: BTreeMap<Link, BigUint> = BTreeMap::new();
        for (weight, to) in ring.step(standing)? {
            let link = match to {
                NextState::Standing(standing) => Link::Node(found.place(standing, &mut open)),
                NextState::End(end) => Link::End(found.end(end)),
            };
            *out.entry(link).or_default() += weight;
        }
        let out: Ways = out.into_iter().collect();
        bytes += bytes_of_ways(&out);
        steps.push(out);
    }
    Ok((found, steps))
}

/// Joins the steps within a round. The remaining states are the first one, those in which a round
/// starts, and those that return within a round.
fn joined(
    steps: &[Ways],
    rounds: &[bool],
    limits: &FightLimits<'_>,
) -> Result<Vec<Node>, OddsError> {
    let mut kept = rounds.to_vec();
    if let Some(first) = kept.first_mut() {
        *first = true;
    }
    let order = last_first(steps, &mut kept);
    let mut leads: Vec<Option<Leads>> = vec![None; steps.len()];
    let mut gathered = Gathered { nodes: steps.len(), ..Gathered::default() };
    let mut bytes: usize = steps.iter().map(|out| bytes_of_ways(out)).sum();
    for node in order {
        limits.check(bytes)?;
        let found = spread(&steps[node], &kept, &leads, &mut gathered);
        bytes += bytes_of_ways(&found.0);
        leads[node] = Some(found);
    }
    let mut place = vec![0; steps.len()];
    let mut count = 0;
    for node in 0..steps.len() {
        place[node] = count;
        count += usize::from(kept[node]);
    }
    let keep =
        |link: Link| if let Link::Node(node) = link { Link::Node(place[node]) } else { link };
    let mut nodes = Vec::with_capacity(count);
    for node in (0..steps.len()).filter(|node| kept[*node]) {
        let Some((out, total)) = leads[node].take() else { continue };
        let out = out.into_iter().map(|(link, weight)| (keep(link), weight)).collect();
        nodes.push(Node { round: rounds[node], out, total });
    }
    Ok(nodes)
}

/// All nodes in an order in which each comes after the nodes that it is expanded through, beginning
/// with those that are not kept. A node that returns to itself without passing a kept one is kept
/// as well.
fn last_first(steps: &[Ways], kept: &mut [bool]) -> Vec<usize> {
    let (mut seen, mut open) = (kept.to_vec(), vec![false; steps.len()]);
    let mut order = Vec::with_capacity(steps.len());
    let ends: Vec<usize> = (0..steps.len()).filter(|node| kept[*node]).collect();
    for first in 0..steps.len() {
        if seen[first] {
            continue;
        }
        let mut path = vec![(first, 0)];
        (seen[first], open[first]) = (true, true);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            match steps[node].get(*edge) {
                Some((link, _)) => {
                    *edge += 1;
                    if let Link::Node(next) = *link {
                        if open[next] {
                            kept[next] = true;
                        }
                        if !seen[next] {
                            (seen[next], open[next]) = (true, true);
                            path.push((next, 0));
                        }
                    }
                }
                None => {
                    open[node] = false;
                    order.push(node);
                    path.pop();
                }
            }
        }
    }
    order.into_iter().chain(ends).collect()
}

/// The transitions of a node and their total weight.
type Leads = (Vec<(Link, BigUint)>, BigUint);

/// Adds up weights by target. Each link has its own slot, so no search is needed.
#[derive(Default)]
struct Gathered {
    /// The number of nodes. Ends come after them.
    nodes: usize,
    weights: Vec<BigUint>,
    touched: Vec<usize>,
}

impl Gathered {
    fn add(&mut self, link: Link, weight: BigUint) {
        let place = match link {
            Link::Node(node) => node,
            Link::End(end) => self.nodes + end,
        };
        if place >= self.weights.len() {
            self.weights.resize(place + 1, BigUint::ZERO);
        }
        if self.weights[place] == BigUint::ZERO {
            self.touched.push(place);
            self.weights[place] = weight;
        } else {
            self.weights[place] += weight;
        }
    }

    /// Takes all weights, in the order of the links.
    fn take(&mut self) -> Vec<(Link, BigUint)> {
        self.touched.sort_unstable();
        self.touched.dedup();
        let link = |place: usize| {
            if place < self.nodes { Link::Node(place) } else { Link::End(place - self.nodes) }
        };
        self.touched
            .drain(..)
            .map(|place| (link(place), std::mem::take(&mut self.weights[place])))
            .collect()
    }
}

/// The transitions of a node after expanding all nodes that are not kept.
fn spread(
    out: &[(Link, BigUint)],
    kept: &[bool],
    leads: &[Option<Leads>],
    gathered: &mut Gathered,
) -> Leads {
    let through = |link: &Link| {
        if let Link::Node(node) = link {
            leads[*node].as_ref().filter(|_| !kept[*node])
        } else {
            None
        }
    };
    let one = BigUint::from(1_u32);
    let common = out
        .iter()
        .filter_map(|(link, _)| through(link))
        .fold(one, |common, (_, total)| joint(common, total));
    for (link, weight) in out {
        match through(link) {
            None => gathered.add(*link, weight * &common),
            Some((next, total)) => {
                let scale = weight * (&common / total);
                next.iter().for_each(|(link, weight)| gathered.add(*link, weight * &scale));
            }
        }
    }
    let mut found = gathered.take();
    if let Some(shared) = shared(found.iter().map(|(_, weight)| weight)) {
        found.iter_mut().for_each(|(_, weight)| *weight /= &shared);
    }
    let total = found.iter().map(|(_, weight)| weight).sum();
    (found, total)
}

/// The least common multiple. The totals of one round are usually multiples of each other already.
fn joint(common: BigUint, total: &BigUint) -> BigUint {
    if (&common % total) == BigUint::ZERO { common } else { common.lcm(total) }
}

/// The greatest common divisor of the weights, if it is above 1. A gcd of long numbers is slow, a
/// remainder is not: most weights are multiples of the divisor found so far, and once it is 1 the
/// search ends.
fn shared<'a>(weights: impl Iterator<Item = &'a BigUint>) -> Option<BigUint> {
    let one = BigUint::from(1_u32);
    let mut shared = BigUint::ZERO;
    for weight in weights {
        if shared == BigUint::ZERO {
            shared.clone_from(weight);
            continue;
        }
        let rest = weight % &shared;
        if rest != BigUint::ZERO {
            shared = shared.gcd(&rest);
        }
        if shared == one {
            return None;
        }
    }
    (shared > one).then_some(shared)
}
