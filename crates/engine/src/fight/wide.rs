//! The fast algorithm for a fight in which no state returns except directly to itself (a round that
//! changes nothing). Then the states have an order, and each is computed once, in fixed-width
//! integers over one common denominator.
//!
//! The denominator contains each state's share as often as any course of the fight can meet it, so
//! every division is exact.

use super::chain::{Link, Node};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The widest integers in use, in 64-bit words.
const WIDEST: usize = 32;

/// One state: its divisor, and where its shares go.
#[derive(Clone, Debug)]
struct Share {
    place: usize,
    /// The odd factor of the divisor.
    odd: u64,
    /// Its inverse modulo 2⁶⁴, which turns an exact division into one multiplication for each word.
    inverse: u64,
    /// The power of two in the divisor.
    twos: u32,
    /// The number of rounds started for each share, if a round starts in this state.
    rounds: u64,
    out: Vec<(usize, u64)>,
}

/// The states in topological order.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    shares: Vec<Share>,
    places: usize,
    nodes: usize,
    denominator: BigUint,
    words: usize,
}

/// The outcome: the weight of each end, the number of rounds, and their common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    pub ends: Vec<BigUint>,
    pub rounds: BigUint,
    pub total: BigUint,
}

impl Wide {
    /// `None` if the fight has longer cycles or its numbers are too large.
    pub fn new(nodes: &[Node], ends: usize) -> Option<Wide> {
        let order = in_order(nodes)?;
        let mut shares = Vec::with_capacity(order.len());
        // The most times that any path meets each factor of a divisor, up to a state and up to its
        // end.
        let mut met: Vec<BTreeMap<u64, u32>> = vec![BTreeMap::new(); nodes.len()];
        let mut most: BTreeMap<u64, u32> = BTreeMap::new();
        for node in order {
            let known = &nodes[node];
            let own = known
                .out
                .iter()
                .find(|(link, _)| *link == Link::Node(node))
                .map_or(BigUint::ZERO, |(_, weight)| weight.clone());
            let divisor = u64::try_from(&known.total - own).ok().filter(|divisor| *divisor > 0)?;
            let mut here = std::mem::take(&mut met[node]);
            for factor in factors(divisor) {
                *here.entry(factor).or_default() += 1;
            }
            let mut out = Vec::new();
            for (link, weight) in known.out.iter().filter(|(link, _)| *link != Link::Node(node)) {
                let place = match link {
                    Link::Node(next) => {
                        here.iter().for_each(|(factor, times)| {
                            let known = met[*next].entry(*factor).or_default();
                            *known = (*known).max(*times);
                        });
                        *next
                    }
                    Link::End(end) => nodes.len() + end,
                };
                out.push((place, u64::try_from(weight).ok()?));
            }
            for (factor, times) in here {
                let known = most.entry(factor).or_default();
                *known = (*known).max(times);
            }
            let twos = divisor.trailing_zeros();
            let rounds = if known.round { u64::try_from(&known.total).ok()? } else { 0 };
            shares.push(Share {
                place: node,
                odd: divisor >> twos,
                inverse: inverse(divisor >> twos),
                twos,
                rounds,
                out,
            });
        }
        let denominator = most.iter().fold(BigUint::from(1_u32), |all, (factor, times)| {
            all * BigUint::from(*factor).pow(*times)
        });
        let words = (denominator.bits() as usize).div_ceil(64);
        (words <= WIDEST).then_some(Wide {
            shares,
            places: nodes.len() + ends,
            nodes: nodes.len(),
            denominator,
            words,
        })
    }

    /// Computes the weights of all ends.
    pub fn weigh(&self) -> Weighed {
        // A page downloads the module: fewer widths make it smaller.
        if cfg!(target_arch = "wasm32") {
            return match self.words {
                0..=6 => self.forward::<6>(),
                _ => self.forward::<WIDEST>(),
            };
        }
        match self.words {
            0..=2 => self.forward::<2>(),
            3..=4 => self.forward::<4>(),
            5 => self.forward::<5>(),
            6 => self.forward::<6>(),
            7..=8 => self.forward::<8>(),
            9..=12 => self.forward::<12>(),
            13..=16 => self.forward::<16>(),
            17..=24 => self.forward::<24>(),
            _ => self.forward::<WIDEST>(),
        }
    }

    fn forward<const N: usize>(&self) -> Weighed {
        let mut masses = vec![[0_u64; N]; self.places];
        // A mass is at most 1. The number of rounds can be much larger, so its carry is kept.
        let (mut rounds, mut more) = ([0_u64; N], 0_u128);
        if let Some(first) = masses.first_mut() {
            for (word, digit) in first.iter_mut().zip(self.denominator.iter_u64_digits()) {
                *word = digit;
            }
        }
        for share in &self.shares {
            let one = divided(&masses[share.place], share);
            for (place, weight) in &share.out {
                add_times(&mut masses[*place], &one, *weight);
            }
            if share.rounds > 0 {
                more += u128::from(add_times(&mut rounds, &one, share.rounds));
            }
        }
        let whole = |words: &[u64; N]| {
            BigUint::new(
                words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect(),
            )
        };
        let rounds = whole(&rounds) + (BigUint::from(more) << (64 * N));
        Weighed {
            ends: masses[self.nodes..].iter().map(whole).collect(),
            rounds,
            total: self.denominator.clone(),
        }
    }
}

/// The nodes in topological order, with node 0 first. `None` if a node returns other than directly
/// to itself.
fn in_order(nodes: &[Node]) -> Option<Vec<usize>> {
    let mut before = vec![0_u32; nodes.len()];
    let next = |node: usize| {
        let links = nodes[node].out.iter();
        links.filter_map(move |(link, _)| {
            if let Link::Node(next) = link {
                Some(*next).filter(|next| *next != node)
            } else {
                None
            }
        })
    };
    (0..nodes.len()).flat_map(next).for_each(|node| before[node] += 1);
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|node| before[*node] == 0).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(node) = ready.pop() {
        order.push(node);
        for next in next(node) {
            before[next] -= 1;
            if before[next] == 0 {
                ready.push(next);
            }
        }
    }
    (order.len() == nodes.len()).then_some(order)
}

/// The prime factors of a number, with repetition. A remainder without small factors counts as one
/// factor.
fn factors(mut number: u64) -> Vec<u64> {
    let mut found = Vec::new();
    for prime in 2..=4096_u64 {
        if prime * prime > number {
            break;
        }
        while number.is_multiple_of(prime) {
            found.push(prime);
            number /= prime;
        }
    }
    if number > 1 {
        found.push(number);
    }
    found
}

/// The inverse of an odd number modulo 2⁶⁴, by Newton's method: each iteration doubles the correct
/// digits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// An exact division, from the lowest word up.
#[inline]
fn divided<const N: usize>(mass: &[u64; N], share: &Share) -> [u64; N] {
    let mut found = *mass;
    if share.twos > 0 {
        for place in 0..N {
            let above = if place + 1 < N { found[place + 1] << (64 - share.twos) } else { 0 };
            found[place] = (found[place] >> share.twos) | above;
        }
    }
    if share.odd == 1 {
        return found;
    }
    let mut carry = 0_u64;
    for word in &mut found {
        let (rest, borrowed) = word.overflowing_sub(carry);
        *word = rest.wrapping_mul(share.inverse);
        carry = ((u128::from(*word) * u128::from(share.odd)) >> 64) as u64 + u64::from(borrowed);
    }
    found
}

/// Adds a multiple and returns the overflow.
#[inline]
fn add_times<const N: usize>(sum: &mut [u64; N], one: &[u64; N], weight: u64) -> u64 {
    let mut carry = 0_u64;
    for (word, one) in sum.iter_mut().zip(one) {
        let all = u128::from(*one) * u128::from(weight) + u128::from(*word) + u128::from(carry);
        (*word, carry) = (all as u64, (all >> 64) as u64);
    }
    carry
}
