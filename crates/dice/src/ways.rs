//! In how many ways dice come to the same. Whole numbers all the way: a roll of n dice with s
//! sides has s to the n ways, and each outcome so many of them. Sums by convolution, passes by
//! binomials, kept dice by counting face by face – never by walking all the ways.

use crate::{DiceRequest, Relevance};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// One outcome of a throw: faces that stand for all that come to the same, and how many ways there
/// are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Faces that come to this.
    pub faces: Vec<u32>,
    /// In how many ways.
    pub ways: BigUint,
}

/// Why the ways cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum WaysError {
    /// There are too many outcomes to tell apart.
    TooMany {
        /// The number of dice of the roll.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
    },
}

/// The most outcomes that are told apart in one roll.
const MOST_OUTCOMES: u64 = 100_000;
/// The most counting for one roll.
const MOST_WORK: u64 = 20_000_000;

/// Every outcome of a roll that matters, with its ways; together they make sides to the power of
/// count.
///
/// ```
/// use adjutant_dice::{DiceRequest, Relevance, ways};
/// let relevance = Relevance::Total { keep: None, pass: None };
/// let sums = ways(&DiceRequest { relevance, ..DiceRequest::new("dr", "", 2, 6) }).unwrap();
/// assert_eq!(sums.len(), 11);
/// assert_eq!(sums[5].ways, 6_u32.into(), "six ways to roll a seven");
/// ```
pub fn ways(ask: &DiceRequest<'_>) -> Result<Vec<Way>, WaysError> {
    let too_many = WaysError::TooMany { count: ask.count, sides: ask.sides };
    match ask.relevance {
        Relevance::Total { keep, pass } => {
            let keep = keep.filter(|(kept, _)| *kept < ask.count);
            let counted = match (keep, pass) {
                (None, Some((faces, _))) => passes(ask.count, ask.sides, faces.min(ask.sides)),
                (None, None) => sums(ask, too_many)?,
                (Some(keep), pass) => kept(ask, keep, pass, too_many)?,
            };
            Ok(counted
                .into_iter()
                .map(|(total, ways)| Way { faces: stand_in(ask, keep, pass, total), ways })
                .collect())
        }
        Relevance::Faces => unordered(ask).ok_or(too_many),
        Relevance::Order => ordered(ask).ok_or(too_many),
    }
}

/// The number of dice that pass, by the binomial rule.
fn passes(count: u32, sides: u32, passing: u32) -> BTreeMap<u32, BigUint> {
    let (pass, fail) = (BigUint::from(passing), BigUint::from(sides - passing));
    let mut ways_by_passes = BTreeMap::new();
    let mut choose = BigUint::from(1_u32);
    for passed in 0..=count {
        let ways = &choose * pass.pow(passed) * fail.pow(count - passed);
        if ways != BigUint::ZERO {
            ways_by_passes.insert(passed, ways);
        }
        choose = choose * (count - passed) / (passed + 1);
    }
    ways_by_passes
}

/// Sums, one die added at a time; a running window makes each addition one step.
fn sums(ask: &DiceRequest<'_>, too_many: WaysError) -> Result<BTreeMap<u32, BigUint>, WaysError> {
    let (count, sides) = (ask.count as usize, ask.sides as usize);
    if (count * count * sides) as u64 > MOST_WORK {
        return Err(too_many);
    }
    let mut ways = vec![BigUint::from(1_u32)];
    for _ in 0..count {
        let mut next = vec![BigUint::ZERO; ways.len() + sides];
        let mut window = BigUint::ZERO;
        for (sum, place) in next.iter_mut().enumerate().skip(1) {
            if let Some(enters) = ways.get(sum - 1) {
                window += enters;
            }
            if let Some(leaves) = sum.checked_sub(sides + 1).and_then(|place| ways.get(place)) {
                window -= leaves;
            }
            place.clone_from(&window);
        }
        ways = next;
    }
    let mut ways_by_sum = BTreeMap::new();
    for (sum, ways) in (0..).zip(ways).filter(|(_, ways)| *ways != BigUint::ZERO) {
        ways_by_sum.insert(sum, ways);
    }
    Ok(ways_by_sum)
}

/// Kept dice, face by face from the end that is kept: so many of the dice left show this face, and
/// of these so many as are still to be kept count.
fn kept(
    ask: &DiceRequest<'_>,
    keep: (u32, bool),
    pass: Option<(u32, bool)>,
    too_many: WaysError,
) -> Result<BTreeMap<u32, BigUint>, WaysError> {
    let (keep, lowest) = keep;
    let most = if pass.is_some() { keep } else { keep * ask.sides };
    if u64::from(ask.sides) * u64::from(ask.count).pow(2) * u64::from(most + 1) > MOST_WORK {
        return Err(too_many);
    }
    let binomials = pascal(ask.count);
    let mut states: BTreeMap<(u32, u32), BigUint> = crate::one_entry((0, 0), BigUint::from(1_u32));
    let order: Vec<u32> =
        if lowest { (1..=ask.sides).collect() } else { (1..=ask.sides).rev().collect() };
    for face in order {
        let worth = match pass {
            None => face,
            Some((faces, low)) => {
                u32::from(if low { face <= faces } else { face > ask.sides - faces.min(ask.sides) })
            }
        };
        let mut next: BTreeMap<(u32, u32), BigUint> = BTreeMap::new();
        for ((placed, total), ways) in &states {
            let left = ask.count - placed;
            for show in 0..=left {
                let counting = show.min(keep.saturating_sub(*placed));
                let choose = &binomials[left as usize][show as usize];
                *next.entry((placed + show, total + counting * worth)).or_default() +=
                    ways * choose;
            }
        }
        states = next;
    }
    let placed = states.into_iter().filter(|((placed, _), _)| *placed == ask.count);
    Ok(crate::map_of(placed.map(|((_, total), ways)| (total, ways))))
}

fn pascal(most: u32) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::from(1_u32)]];
    for n in 1..=most as usize {
        let before = &rows[n - 1];
        let row = (0..=n)
            .map(|k| {
                k.checked_sub(1).map_or(BigUint::ZERO, |k| before[k].clone())
                    + before.get(k).cloned().unwrap_or_default()
            })
            .collect();
        rows.push(row);
    }
    rows
}

/// Faces that come to this total: the kept dice make it, the others lie beyond them.
fn stand_in(
    ask: &DiceRequest<'_>,
    keep: Option<(u32, bool)>,
    pass: Option<(u32, bool)>,
    total: u32,
) -> Vec<u32> {
    let (kept, lowest) = keep.unwrap_or((ask.count, true));
    let beyond = if lowest { ask.sides } else { 1 };
    let mut faces = match pass {
        Some((_, low)) => {
            let (passing, failing) = if low { (1, ask.sides) } else { (ask.sides, 1) };
            (0..kept).map(|die| if die < total { passing } else { failing }).collect()
        }
        None => {
            let mut left = total.saturating_sub(kept);
            (0..kept)
                .map(|_| {
                    let more = left.min(ask.sides - 1);
                    left -= more;
                    1 + more
                })
                .collect::<Vec<u32>>()
        }
    };
    faces.resize(ask.count as usize, beyond);
    faces
}

/// Every handful of faces, with in how many orders it can lie.
fn unordered(ask: &DiceRequest<'_>) -> Option<Vec<Way>> {
    let mut outcomes = 1_u64;
    for n in 0..u64::from(ask.count) {
        outcomes = outcomes.checked_mul(u64::from(ask.sides) + n)? / (n + 1);
    }
    if outcomes > MOST_OUTCOMES {
        return None;
    }
    let factorial: Vec<BigUint> = std::iter::once(BigUint::from(1_u32))
        .chain((1..=ask.count).scan(BigUint::from(1_u32), |f, n| {
            *f *= n;
            Some(f.clone())
        }))
        .collect();
    let mut outcomes = Vec::new();
    let mut faces = vec![1; ask.count as usize];
    loop {
        let mut ways = factorial[ask.count as usize].clone();
        for same in faces.chunk_by(|a, b| a == b) {
            ways /= &factorial[same.len()];
        }
        outcomes.push(Way { faces: faces.clone(), ways });
        let Some(place) = faces.iter().rposition(|face| *face < ask.sides) else {
            return Some(outcomes);
        };
        let next = faces[place] + 1;
        faces[place..].fill(next);
    }
}

/// Every roll by itself.
fn ordered(ask: &DiceRequest<'_>) -> Option<Vec<Way>> {
    let outcomes = u64::from(ask.sides).checked_pow(ask.count).filter(|n| *n <= MOST_OUTCOMES)?;
    let one = |mut n: u64| {
        let faces = (0..ask.count).map(|_| {
            let face = n % u64::from(ask.sides) + 1;
            n /= u64::from(ask.sides);
            face as u32
        });
        Way { faces: faces.collect(), ways: BigUint::from(1_u32) }
    };
    Some((0..outcomes).map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The outcome of a roll, in the slow and obvious way.
    fn total(
        faces: &[u32],
        sides: u32,
        keep: Option<(u32, bool)>,
        pass: Option<(u32, bool)>,
    ) -> u32 {
        let mut sorted = faces.to_vec();
        sorted.sort_unstable();
        if keep.is_some_and(|(_, lowest)| !lowest) {
            sorted.reverse();
        }
        sorted.truncate(keep.map_or(faces.len(), |(kept, _)| kept as usize));
        let worth = |face: &u32| match pass {
            None => *face,
            Some((passing, true)) => u32::from(*face <= passing),
            Some((passing, false)) => u32::from(*face > sides - passing),
        };
        sorted.iter().map(worth).sum()
    }

    proptest! {
        #[test]
        fn counting_agrees_with_walking_all_the_ways(
            count in 0_u32..5, sides in 2_u32..7,
            keep in prop::option::of((0_u32..6, any::<bool>())), pass in prop::option::of((0_u32..7, any::<bool>())),
        ) {
            let pass = pass.map(|(faces, low)| (faces.min(sides), low));
            let ask = DiceRequest::new("x", "", count, sides);
            let mut walked: BTreeMap<u32, BigUint> = BTreeMap::new();
            for way in ordered(&ask).unwrap() {
                *walked.entry(total(&way.faces, sides, keep, pass)).or_default() += way.ways;
            }
            let mut counted = BTreeMap::new();
            for way in ways(&DiceRequest { relevance: Relevance::Total { keep, pass }, ..ask }).unwrap() {
                counted.insert(total(&way.faces, sides, keep, pass), way.ways);
            }
            prop_assert_eq!(&counted, &walked);
            let handfuls: BigUint = unordered(&ask).unwrap().iter().map(|way| &way.ways).sum();
            prop_assert_eq!(handfuls, BigUint::from(sides).pow(count));
        }
    }

    #[test]
    fn two_hundred_dice_are_counted_exactly() {
        let ask = DiceRequest::new("x", "", 200, 6);
        for relevance in [
            Relevance::Total { keep: None, pass: None },
            Relevance::Total { keep: None, pass: Some((2, true)) },
        ] {
            let all: BigUint =
                ways(&DiceRequest { relevance, ..ask }).unwrap().iter().map(|way| &way.ways).sum();
            assert_eq!(all, BigUint::from(6_u32).pow(200));
        }
        assert!(ways(&ask).is_err());
    }
}
