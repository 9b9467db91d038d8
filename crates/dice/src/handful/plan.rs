//! A handful made ready for counting: its cases, and in each case parts of equal dice.

use super::die::{Die, Rules, kept_between};
use super::layout::Layout;
use super::mixture::{Component, KindPart, choose, components};
use super::{DiceKind, HandfulError, Live, MOST_CELLS};
use crate::Number;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// One end of one die.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub rank: Number,
    pub value: Number,
    /// The distance by which the die moves the place of the sums if it is kept, and in any case.
    pub kept: i64,
    pub all: i64,
    pub weight: u128,
    pub places: Vec<usize>,
    pub rerolls: usize,
    pub rule: Option<usize>,
}

/// Dice that are rolled alike.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    /// Ends that bring no extra die, and those that do.
    pub plain: Vec<Term>,
    pub extra: Vec<Term>,
}

pub(super) struct Plan<'a> {
    pub kinds: &'a [DiceKind<'a>],
    pub rules: &'a Rules,
    pub live: &'a [Live],
    examples: bool,
    pub layout: Layout,
    pub components: Vec<Component>,
    /// The number of dice in the first roll.
    pub dice: u32,
    /// Set if the number of dice is certain.
    pub certain: bool,
}

impl<'a> Plan<'a> {
    pub fn new(
        kinds: &'a [DiceKind<'a>],
        rules: &'a Rules,
        live: &'a [Live],
        examples: bool,
    ) -> Result<Plan<'a>, HandfulError> {
        let sums = live.iter().filter_map(|live| match live {
            Live::Sum(place, _) => Some(place + 1),
            _ => None,
        });
        let sums = sums.max().unwrap_or(0);
        let fits = |kind: &DiceKind<'_>| {
            kind.scores.len() == kind.die.finished().len()
                && kind.scores.iter().all(|score| score.sums.len() >= sums)
        };
        if !kinds.iter().all(fits) {
            return Err(HandfulError::Scores);
        }
        let dice: u32 = kinds.iter().map(|kind| kind.count).fold(0, u32::saturating_add);
        if u128::from(dice) > MOST_CELLS {
            return Err(HandfulError::TooLarge { cells: dice.into() });
        }
        let certain = !kinds.iter().any(|kind| kind.count > 0 && kind.die.extras());
        let most = if certain {
            dice
        } else {
            dice.saturating_mul(rules.extra_at_most.saturating_add(1)).min(1 << 24)
        };
        let kept = certain.then(|| kept_between(rules, dice, 0, dice));
        let layout = Layout::new(kinds, live, most, kept, certain.then_some(dice))?;
        let counted: Vec<(u32, &Die)> = kinds.iter().map(|kind| (kind.count, kind.die)).collect();
        let components = components(&counted, rules)?;
        Ok(Plan { kinds, rules, live, examples, layout, components, dice, certain })
    }

    /// Tells if more is asked for than sums over every die.
    pub fn needs_walk(&self) -> bool {
        let keeps = if self.certain {
            kept_between(self.rules, self.dice, 0, self.dice) < self.dice
        } else {
            self.rules.keep_highest.is_some()
                || self.rules.keep_lowest.is_some()
                || self.rules.needs_total()
        };
        let sums = |live: &&Live| matches!(live, Live::Sum(..));
        let any_kept = |live: &Live| matches!(live, Live::Sum(_, super::Over::Kept));
        (keeps && self.live.iter().any(any_kept)) || !self.live.iter().all(|live| sums(&live))
    }

    /// Every end of the dice of a part, with its score.
    pub fn terms(&self, part: &KindPart) -> Terms {
        let kind = &self.kinds[part.kind];
        let mut terms = Terms { plain: Vec::new(), extra: Vec::new() };
        for (start, end, weight) in part.ends(kind.die) {
            let score = &kind.scores[end.finished];
            let (kept, all) = self.layout.shifts(&score.sums);
            let term = Term {
                rank: score.rank,
                value: kind.die.finished()[end.finished].value,
                kept,
                all,
                weight,
                places: if self.examples {
                    std::iter::once(start).chain(end.then.iter().copied()).collect()
                } else {
                    Vec::new()
                },
                rerolls: end.rerolls,
                rule: end.rule,
            };
            let brings = end.brings_extra && kind.die.extras();
            if brings { terms.extra.push(term) } else { terms.plain.push(term) }
        }
        terms
    }

    /// All extra dice of a kind: no limited rule takes them.
    pub fn fresh(&self, kind: usize) -> KindPart {
        let starts = (0..self.kinds[kind].die.faces().len()).collect();
        KindPart { kind, starts, taken: None }
    }

    /// The weight of one die of this kind.
    pub fn one(&self, kind: usize) -> BigUint {
        let die = self.kinds[kind].die;
        BigUint::from(die.scale()) * die.faces().len()
    }

    /// The weight of the whole handful.
    pub fn total(&self) -> BigUint {
        (0..self.kinds.len()).map(|kind| self.one(kind).pow(self.most(kind))).product()
    }

    /// The most dice of a kind that there can be, with extra dice.
    pub fn most(&self, kind: usize) -> u32 {
        let kind = &self.kinds[kind];
        let rolls = if kind.die.extras() { self.rules.extra_at_most.saturating_add(1) } else { 1 };
        kind.count.saturating_mul(rolls)
    }
}

/// So many chains of dice, each of at most `length`: in how many ways they have so many dice that
/// bring no extra die and so many that do, as places (plain, extra) with their weight.
pub(super) fn chains(first: u32, length: u32) -> BTreeMap<(u32, u32), BigUint> {
    // Chains that go on; dice so far.
    let mut open: BTreeMap<(u32, u32, u32), BigUint> =
        crate::one_entry((first, 0, 0), BigUint::from(1_u32));
    for _ in 0..length {
        let mut next = BTreeMap::new();
        for ((now, plain, extra), ways) in open {
            for goes_on in 0..=now {
                let key = (goes_on, plain + now - goes_on, extra + goes_on);
                *next.entry(key).or_insert(BigUint::ZERO) += &ways * choose(now, goes_on);
            }
        }
        open = next;
    }
    let mut splits = BTreeMap::new();
    for ((_, plain, extra), ways) in open {
        *splits.entry((plain, extra)).or_insert(BigUint::ZERO) += ways;
    }
    splits
}
