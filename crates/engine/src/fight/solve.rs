//! Solves a fight exactly. States in a cycle are solved together: the probability mass of the few
//! states that close the cycles is unknown, everything else is a linear combination of them, and
//! the unknowns are eliminated one by one. Nothing is cut off, however long the fight may last.

use super::chain::{EndPoint, FightChain, Link, Node};
use super::limits::FightLimits;
use super::mass::{Fraction, Mass};
use super::wide::Weighed;
use super::{SideAtStart, TotalAtStart};
use crate::error::NoOdds;
use crate::odds::{Chance, OddsError};
use adjutant_dice::Number;
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeMap;

/// The maximum number of unknowns in one cycle of states.
const MOST_UNKNOWN: usize = 400;
/// The maximum work with fractions, in digits times sums, before floats are used instead: some
/// tenths of a second.
pub(crate) const MOST_WORK: f64 = 2e6;

/// A decision of the fight and its probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionOdds {
    /// The id of the decision.
    pub id: String,
    /// The title of the decision.
    pub title: String,
    /// Its probability.
    pub chance: Chance,
}

/// The losses of one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideOdds {
    /// The side's id.
    pub id: String,
    /// The side's title.
    pub title: String,
    /// The number of units at the start.
    pub began: u32,
    /// The mean number of units lost.
    pub lost: Chance,
    /// The probability of each number of units left.
    pub left: Vec<(u32, Chance)>,
    /// The totals that the fight asks for.
    pub totals: Vec<TotalOdds>,
}

/// The total of a value over the units of a side that are left, such as men or firepower.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalOdds {
    /// The id of the value.
    pub id: String,
    /// The label of the value.
    pub title: String,
    /// The total at the start.
    pub began: Number,
    /// The mean of the total that is left.
    pub mean_left: Chance,
    /// The probability of each total that may be left.
    pub left: Vec<(Number, Chance)>,
}

/// The odds of a fight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FightOdds {
    /// Whether the odds are exact. Otherwise they were computed with floats, to about twelve
    /// digits.
    pub exact: bool,
    /// The possible decisions. Together with `never` they add up to 1.
    pub ends: Vec<DecisionOdds>,
    /// The probability that the fight is never decided.
    pub never: Chance,
    /// The mean number of rounds; `None` if the fight may never end.
    pub rounds: Option<Chance>,
    /// The losses of each side, in fights that are decided.
    pub sides: Vec<SideOdds>,
}

/// The probability mass that arrives at each node, while a chain is solved.
struct Flow<'a, M> {
    limits: &'a FightLimits<'a>,
    nodes: &'a [Node],
    at: Vec<M>,
    ends: Vec<M>,
    never: M,
    rounds: M,
}

impl FightChain {
    /// The weight of each end in the order of [`FightChain::ends`], and the total. `None` if the
    /// fast algorithm does not apply.
    pub fn ways(&self) -> Option<(Vec<BigUint>, BigUint)> {
        self.wide.as_ref().map(|wide| wide.weigh()).map(|weighed| (weighed.ends, weighed.total))
    }

    /// The odds. They are exact unless the fractions would have thousands of digits.
    pub fn solve(&self) -> Result<FightOdds, OddsError> {
        self.solve_within(&FightLimits::default())
    }

    /// The same within limits.
    pub fn solve_within(&self, limits: &FightLimits<'_>) -> Result<FightOdds, OddsError> {
        limits.check(0)?;
        match &self.wide {
            Some(_) => self.solve_exactly(),
            None if self.work() > MOST_WORK => self.solve_circles::<f64>(false, limits),
            None => self.solve_circles::<Fraction>(true, limits),
        }
    }

    /// The exact odds, however long it takes.
    pub fn solve_exactly(&self) -> Result<FightOdds, OddsError> {
        let Some(Weighed { ends, rounds, total }) = self.wide.as_ref().map(|wide| wide.weigh())
        else {
            return self.solve_circles::<Fraction>(true, &FightLimits::default());
        };
        let ends: Vec<Fraction> = ends.iter().map(|ways| Fraction::share(ways, &total)).collect();
        Ok(self.told(&ends, &Fraction::zero(), &Fraction::share(&rounds, &total), true))
    }

    /// The odds computed with floats.
    pub fn solve_nearly(&self) -> Result<FightOdds, OddsError> {
        self.solve_circles::<f64>(false, &FightLimits::default())
    }

    /// The exact odds by the general algorithm, which works for any chain. The reference for the
    /// fast one.
    pub fn solve_the_long_way(&self) -> Result<FightOdds, OddsError> {
        self.solve_circles::<Fraction>(true, &FightLimits::default())
    }

    fn work(&self) -> f64 {
        work(&self.nodes)
    }

    fn solve_circles<M: Mass>(
        &self,
        exact: bool,
        limits: &FightLimits<'_>,
    ) -> Result<FightOdds, OddsError> {
        let flow = Flow::<M>::through(&self.nodes, self.ends.len(), limits)?;
        Ok(self.told(&flow.ends, &flow.never, &flow.rounds, exact))
    }

    fn told<M: Mass>(&self, ends: &[M], never: &M, rounds: &M, exact: bool) -> FightOdds {
        let chance = M::chance;
        let sum = |holds: &dyn Fn(usize) -> bool| {
            let mut sum = M::zero();
            (0..ends.len()).filter(|end| holds(*end)).for_each(|end| sum.add(&ends[end]));
            sum
        };
        let decided = self.decisions.iter().enumerate().map(|(place, (id, title))| {
            let chance = chance(&sum(&|end| self.ends[end].decision == place));
            DecisionOdds { id: id.clone(), title: title.clone(), chance }
        });
        let zero = chance(&M::zero());
        let sides = self.sides.iter_enumerated().map(|(side, known)| {
            let SideAtStart { id, title, began, totals } = known;
            let mut lost = M::zero();
            for (end, mass) in self.ends.iter().zip(ends) {
                lost.add(&mass.times(&M::share(
                    &BigUint::from(began - end.left[side].min(*began)),
                    &BigUint::from(1_u32),
                )));
            }
            let left = (0..=*began)
                .map(|count| (count, chance(&sum(&|end| self.ends[end].left[side] == count))))
                .filter(|(_, c)| *c != zero);
            SideOdds {
                id: id.clone(),
                title: title.clone(),
                began: *began,
                lost: chance(&lost),
                left: left.collect(),
                totals: (totals.iter().enumerate())
                    .map(|(place, total)| {
                        self.total_odds(total, |end| end.totals[side][place], ends)
                    })
                    .collect(),
            }
        });
        FightOdds {
            exact,
            ends: decided.collect(),
            rounds: never.is_zero().then(|| chance(rounds)),
            never: chance(never),
            sides: sides.collect(),
        }
    }

    fn total_odds<M: Mass>(
        &self,
        known: &TotalAtStart,
        total: impl Fn(&EndPoint) -> Number,
        ends: &[M],
    ) -> TotalOdds {
        let mut left: BTreeMap<Number, M> = BTreeMap::new();
        for (end, mass) in self.ends.iter().zip(ends).filter(|(_, mass)| !mass.is_zero()) {
            left.entry(total(end)).or_insert_with(M::zero).add(mass);
        }
        let mut mean = M::zero();
        for (number, mass) in &left {
            let parts = [number.numerator(), number.denominator()].map(i64::unsigned_abs);
            mean.add(&mass.times(&M::share(&parts[0].into(), &parts[1].into())));
        }
        TotalOdds {
            id: known.id.clone(),
            title: known.title.clone(),
            began: known.began,
            mean_left: mean.chance(),
            left: left.iter().map(|(number, mass)| (*number, mass.chance())).collect(),
        }
    }
}

/// The estimated work to solve the cycles of a chain with fractions, in digits times sums.
pub(crate) fn work(nodes: &[Node]) -> f64 {
    let (circles, circle_of) = placed_circles(nodes);
    let mut digits = 0.0;
    let mut work = 0.0;
    for (place, circle) in circles.iter().enumerate() {
        let inside = |node: usize| circle_of[node] == place;
        digits += circle.iter().map(|node| nodes[*node].total.bits() as f64).sum::<f64>();
        if circle.len() > 1 {
            let closing = order_within(nodes, circle, &inside).1.len() as f64;
            let ways: usize = circle.iter().map(|node| nodes[*node].out.len()).sum();
            work += (ways as f64 * closing + closing.powi(3)) * (digits / 64.0).max(1.0);
        }
    }
    work
}

/// The exact chance of each end of a chain that starts at its first node, and the chance that it
/// never ends.
pub(crate) fn arrivals(
    nodes: &[Node],
    ends: usize,
    limits: &FightLimits<'_>,
) -> Result<(Vec<Chance>, Chance), OddsError> {
    let flow = Flow::<Fraction>::through(nodes, ends, limits)?;
    Ok((flow.ends.iter().map(Mass::chance).collect(), flow.never.chance()))
}

/// The circles of a chain in topological order, and the place of each node's circle in this list.
fn placed_circles(nodes: &[Node]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let circles = circles(nodes);
    let mut circle_of = vec![0; nodes.len()];
    for (place, circle) in circles.iter().enumerate() {
        circle.iter().for_each(|node| circle_of[*node] = place);
    }
    (circles, circle_of)
}

impl<'a, M: Mass> Flow<'a, M> {
    /// Passes the whole mass from the first node through a chain.
    fn through(
        nodes: &'a [Node],
        ends: usize,
        limits: &'a FightLimits<'a>,
    ) -> Result<Flow<'a, M>, OddsError> {
        let mut flow = Flow {
            limits,
            nodes,
            at: vec![M::zero(); nodes.len()],
            ends: vec![M::zero(); ends],
            never: M::zero(),
            rounds: M::zero(),
        };
        if let Some(first) = flow.at.first_mut() {
            *first = M::one();
        }
        let (circles, circle_of) = placed_circles(nodes);
        for (place, circle) in circles.iter().enumerate() {
            limits.check(0)?;
            flow.pass(circle, |node| circle_of[node] == place)?;
        }
        Ok(flow)
    }

    /// The divisor of a node: its total weight minus the weight of its transition to itself.
    fn divisor(&self, node: usize) -> BigUint {
        let own = self.nodes[node].out.iter().find(|(link, _)| *link == Link::Node(node));
        own.map_or_else(
            || self.nodes[node].total.clone(),
            |(_, weight)| &self.nodes[node].total - weight,
        )
    }

    /// Passes the mass that has arrived in a cycle on to the nodes after it.
    fn pass(&mut self, circle: &[usize], inside: impl Fn(usize) -> bool) -> Result<(), OddsError> {
        let leaves = |node: &usize| {
            self.nodes[*node]
                .out
                .iter()
                .any(|(link, _)| !matches!(link, Link::Node(next) if inside(*next)))
        };
        if !circle.iter().any(leaves) {
            let stuck: Vec<M> = circle.iter().map(|node| self.at[*node].clone()).collect();
            stuck.iter().for_each(|mass| self.never.add(mass));
            return Ok(());
        }
        let masses = if circle.len() > 1 {
            self.solve(circle, &inside)?
        } else {
            vec![self.at[circle[0]].clone()]
        };
        for (node, mass) in circle.iter().zip(masses).filter(|(_, mass)| !mass.is_zero()) {
            let divisor = self.divisor(*node);
            let known = &self.nodes[*node];
            if known.round {
                self.rounds.add(&mass.times(&M::share(&known.total, &divisor)));
            }
            for (link, weight) in &known.out {
                match link {
                    Link::End(end) => self.ends[*end].add(&mass.times(&M::share(weight, &divisor))),
                    Link::Node(next) if !inside(*next) => {
                        self.at[*next].add(&mass.times(&M::share(weight, &divisor)))
                    }
                    Link::Node(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The total mass that ever arrives at each node of a cycle.
    fn solve(
        &self,
        circle: &[usize],
        inside: &impl Fn(usize) -> bool,
    ) -> Result<Vec<M>, OddsError> {
        let (order, closing) = order_within(self.nodes, circle, inside);
        if closing.len() > MOST_UNKNOWN {
            return Err(crate::odds::TooMany::States.beyond(closing.len(), MOST_UNKNOWN));
        }
        let unknown = |node: usize| closing.iter().position(|known| *known == node);
        let width = closing.len() + 1;
        let bytes = circle.len() * width * size_of::<M>();
        // Each node's mass as a linear combination: a known part, and a coefficient for each
        // unknown.
        let place: std::collections::HashMap<usize, usize> =
            circle.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let mut sums: Vec<Vec<M>> = circle
            .iter()
            .map(|node| {
                std::iter::once(self.at[*node].clone())
                    .chain((1..width).map(|_| M::zero()))
                    .collect()
            })
            .collect();
        for node in &order {
            self.limits.check(bytes)?;
            let sum = match unknown(*node) {
                Some(closing) => (0..width)
                    .map(|place| if place == closing + 1 { M::one() } else { M::zero() })
                    .collect(),
                None => sums[place[node]].clone(),
            };
            let divisor = self.divisor(*node);
            for (link, weight) in &self.nodes[*node].out {
                let Link::Node(next) = link else { continue };
                if next == node || !inside(*next) {
                    continue;
                }
                let share = M::share(weight, &divisor);
                for (to, from) in
                    sums[place[next]].iter_mut().zip(&sum).filter(|(_, from)| !from.is_zero())
                {
                    to.add(&from.times(&share));
                }
            }
        }
        let solved =
            eliminate(closing.iter().map(|node| sums[place[node]].clone()).collect(), self.limits)?;
        Ok(circle
            .iter()
            .map(|node| match unknown(*node) {
                Some(closing) => solved[closing].clone(),
                None => {
                    let sum = &sums[place[node]];
                    let mut mass = sum[0].clone();
                    sum[1..]
                        .iter()
                        .zip(&solved)
                        .for_each(|(times, value)| mass.add(&times.times(value)));
                    mass
                }
            })
            .collect())
    }
}

/// Solves x = known + sums of x, one unknown after another. Uses only sums and products, so no
/// precision is lost.
fn eliminate<M: Mass>(
    mut rows: Vec<Vec<M>>,
    limits: &FightLimits<'_>,
) -> Result<Vec<M>, OddsError> {
    let count = rows.len();
    let endless = || OddsError::Refused(NoOdds::EndlessFight);
    for gone in (0..count).rev() {
        limits.check(0)?;
        let rest = rows[gone][gone + 1].over_rest().ok_or_else(endless)?;
        let mut own = rows[gone].clone();
        own[gone + 1] = M::zero();
        own.iter_mut().for_each(|mass| *mass = mass.times(&rest));
        for row in rows.iter_mut().take(gone) {
            let times = std::mem::replace(&mut row[gone + 1], M::zero());
            if !times.is_zero() {
                row.iter_mut().zip(&own).for_each(|(to, from)| to.add(&from.times(&times)));
            }
        }
        rows[gone] = own;
    }
    let mut solved: Vec<M> = Vec::with_capacity(count);
    for row in rows {
        let mut mass = row[0].clone();
        row[1..].iter().zip(&solved).for_each(|(times, value)| mass.add(&times.times(value)));
        solved.push(mass);
    }
    Ok(solved)
}

fn next_of(nodes: &[Node], node: usize) -> impl Iterator<Item = usize> {
    nodes[node]
        .out
        .iter()
        .filter_map(|(link, _)| if let Link::Node(next) = link { Some(*next) } else { None })
}

/// The strongly connected components of a chain in topological order (Tarjan's algorithm). A node
/// that never returns is a component of its own.
fn circles(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut number = vec![usize::MAX; nodes.len()];
    let mut low = vec![0; nodes.len()];
    let mut waiting: Vec<usize> = Vec::new();
    let mut on = vec![false; nodes.len()];
    let mut found = Vec::new();
    let mut count = 0;
    for first in 0..nodes.len() {
        if number[first] != usize::MAX {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = vec![(first, next_of(nodes, first).collect())];
        (number[first], low[first], on[first]) = (count, count, true);
        count += 1;
        waiting.push(first);
        while let Some((node, ahead)) = path.last_mut() {
            let node = *node;
            if let Some(next) = ahead.pop() {
                if number[next] == usize::MAX {
                    (number[next], low[next], on[next]) = (count, count, true);
                    count += 1;
                    waiting.push(next);
                    path.push((next, next_of(nodes, next).collect()));
                } else if on[next] {
                    low[node] = low[node].min(number[next]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[node]);
            }
            if low[node] == number[node] {
                let from = waiting.iter().rposition(|known| *known == node).unwrap_or(0);
                let circle = waiting.split_off(from);
                circle.iter().for_each(|node| on[*node] = false);
                found.push(circle);
            }
        }
    }
    found.reverse();
    found
}

/// Orders the nodes of a cycle so that all transitions lead forward, except those to the nodes that
/// close it.
fn order_within(
    nodes: &[Node],
    circle: &[usize],
    inside: &impl Fn(usize) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let mut state: std::collections::HashMap<usize, bool> = std::collections::HashMap::new();
    let (mut order, mut closing) = (Vec::new(), Vec::new());
    for first in circle {
        if state.contains_key(first) {
            continue;
        }
        let ahead = |node: usize| {
            next_of(nodes, node).filter(|next| *next != node && inside(*next)).collect::<Vec<_>>()
        };
        let mut path = vec![(*first, ahead(*first))];
        state.insert(*first, true);
        while let Some((node, left)) = path.last_mut() {
            let node = *node;
            match left.pop() {
                Some(next) => match state.get(&next) {
                    Some(true) if !closing.contains(&next) => closing.push(next),
                    Some(_) => {}
                    None => {
                        state.insert(next, true);
                        path.push((next, ahead(next)));
                    }
                },
                None => {
                    state.insert(node, false);
                    order.push(node);
                    path.pop();
                }
            }
        }
    }
    order.reverse();
    (order, closing)
}
