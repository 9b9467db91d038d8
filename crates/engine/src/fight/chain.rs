//! All states of a fight and their transitions. Steps within a round are joined, so there is one
//! node for each state in which a round can start, with integer weights. (If reactions within a
//! round may repeat without end, the states they return to are kept as well.)

use super::FightSituation;
use super::limits::{FightLimits, bytes_of, bytes_of_ways};
use super::rules::{FightRules, NextState};
use super::state::FightState;
use super::wide::Wide;
use crate::odds::OddsError;
use adjutant_pack::{FightSideId, IdVec};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// How many standings are looked at most, before the fight is called too large.
pub(super) const MOST_STANDINGS: usize = 60_000;

/// How a fight ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndPoint {
    /// How it was decided, by its place in [`FightChain::decisions`].
    pub decision: usize,
    /// How many units of each side were left.
    pub left: IdVec<FightSideId, u32>,
}

/// A standing or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Link {
    Node(usize),
    End(usize),
}

/// Where a standing leads, with weights.
pub(super) type Ways = Vec<(Link, BigUint)>;

/// A node: where it leads, and what the weights make together.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Whether a round begins here.
    pub round: bool,
    pub out: Ways,
    pub total: BigUint,
}

/// All standings of a fight that matter, and where each leads.
#[derive(Clone, Debug)]
pub struct FightChain {
    pub(super) nodes: Vec<Node>,
    pub(super) ends: Vec<EndPoint>,
    pub(super) decisions: Vec<(String, String)>,
    /// Each side's id, name, and how many units it began with.
    pub(super) sides: IdVec<FightSideId, (String, String, u32)>,
    /// The quick way, where no standing comes again but at once.
    pub(super) wide: Option<Wide>,
}

/// The standings found so far.
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
    /// Finds all standings. A fight with too many is [`OddsError::TooLarge`].
    pub fn new(situation: &FightSituation<'_>) -> Result<FightChain, OddsError> {
        FightChain::within(situation, MOST_STANDINGS)
    }

    /// The same with so many standings at most, for those who must not wait.
    pub fn within(situation: &FightSituation<'_>, most: usize) -> Result<FightChain, OddsError> {
        FightChain::limited(situation, &FightLimits { standings: most.min(MOST_STANDINGS), ..FightLimits::default() })
    }

    /// The same with limits in time and memory too; beyond one of them it is [`OddsError::OverLimit`].
    pub fn limited(situation: &FightSituation<'_>, limits: &FightLimits<'_>) -> Result<FightChain, OddsError> {
        let (mut ring, start) = FightRules::new(situation)?;
        let (mut found, mut steps) = explore(&mut ring, start.clone(), limits)?;
        if ring.keep_decks()? {
            let cards = ring.decks.whole.clone();
            (found, steps) = explore(&mut ring, FightState { cards, ..start }, limits)?;
        }
        let fight = situation.fight();
        let sides =
            fight.sides.iter().zip(ring.begin()).map(|(side, begin)| (side.id.clone(), side.title.clone(), *begin as u32)).collect();
        let nodes = joined(&steps, &found.rounds, limits)?;
        let wide = Wide::new(&nodes, found.ends.len());
        Ok(FightChain { nodes, ends: found.ends, decisions: ring.decisions(), sides, wide })
    }

    /// The ways the fight can be decided: id and name.
    pub fn decisions(&self) -> &[(String, String)] {
        &self.decisions
    }

    /// The ways the fight can end.
    pub fn ends(&self) -> &[EndPoint] {
        &self.ends
    }

    /// How many standings it has.
    pub fn standings(&self) -> usize {
        self.nodes.len()
    }
}

/// Every standing that can be reached, and where each leads.
pub(super) fn explore(
    ring: &mut FightRules<'_>,
    start: FightState,
    limits: &FightLimits<'_>,
) -> Result<(StateIndex, Vec<Ways>), OddsError> {
    let mut found = StateIndex { places: HashMap::new(), rounds: Vec::new(), ends: Vec::new(), end_places: HashMap::new() };
    let mut open = Vec::new();
    found.place(start, &mut open);
    let mut steps: Vec<Ways> = Vec::new();
    let mut bytes = 0;
    while let Some(standing) = open.get(steps.len()).cloned() {
        if open.len() > limits.standings {
            return Err(OddsError::TooLarge);
        }
        limits.check(bytes)?;
        // It is kept in the list and by its place.
        bytes += 2 * bytes_of(&standing);
        let mut out: BTreeMap<Link, BigUint> = BTreeMap::new();
        for (weight, to) in ring.step(standing)? {
            let link = match to {
                NextState::Standing(standing) => Link::Node(found.place(standing, &mut open)),
                NextState::End(decision, left) => Link::End(found.end(EndPoint { decision, left })),
            };
            *out.entry(link).or_default() += weight;
        }
        let out: Ways = out.into_iter().collect();
        bytes += bytes_of_ways(&out);
        steps.push(out);
    }
    Ok((found, steps))
}

/// Joins the steps within a round: what remains are the standings where a round begins, the first, and
/// those that come again within a round.
fn joined(steps: &[Ways], rounds: &[bool], limits: &FightLimits<'_>) -> Result<Vec<Node>, OddsError> {
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
    let keep = |link: Link| if let Link::Node(node) = link { Link::Node(place[node]) } else { link };
    let mut nodes = Vec::with_capacity(count);
    for node in (0..steps.len()).filter(|node| kept[*node]) {
        let Some((out, total)) = leads[node].take() else { continue };
        let out = out.into_iter().map(|(link, weight)| (keep(link), weight)).collect();
        nodes.push(Node { round: rounds[node], out, total });
    }
    Ok(nodes)
}

/// All nodes, each after those it is looked through to: first the ones not kept. One of these that comes
/// again without a kept one in between is kept as well.
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

/// Where a node leads, with weights and their total.
type Leads = (Vec<(Link, BigUint)>, BigUint);

/// Weights added up by where they lead, each link at a place of its own, so that none is searched for.
#[derive(Default)]
struct Gathered {
    /// How many nodes there are; ends come after them.
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

    /// All of them, in the order of the links.
    fn take(&mut self) -> Vec<(Link, BigUint)> {
        self.touched.sort_unstable();
        self.touched.dedup();
        let link = |place: usize| if place < self.nodes { Link::Node(place) } else { Link::End(place - self.nodes) };
        self.touched.drain(..).map(|place| (link(place), std::mem::take(&mut self.weights[place]))).collect()
    }
}

/// Where a node leads when all that is not kept is passed through.
fn spread(out: &[(Link, BigUint)], kept: &[bool], leads: &[Option<Leads>], gathered: &mut Gathered) -> Leads {
    let through = |link: &Link| if let Link::Node(node) = link { leads[*node].as_ref().filter(|_| !kept[*node]) } else { None };
    let one = BigUint::from(1_u32);
    let common = out.iter().filter_map(|(link, _)| through(link)).fold(one, |common, (_, total)| joint(common, total));
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

/// The least number that both divide. Totals of one round are mostly multiples of each other already.
fn joint(common: BigUint, total: &BigUint) -> BigUint {
    if (&common % total) == BigUint::ZERO { common } else { common.lcm(total) }
}

/// The greatest number above one that divides all of these. A long gcd is slow, a remainder is not: most
/// weights are multiples of what was found so far, and there is nothing more to find below two.
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
