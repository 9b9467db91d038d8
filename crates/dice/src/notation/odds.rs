//! Exact odds of a formula.

use super::{Formula, FormulaNode, Operator, Term};
use crate::handful::{DiceKind, HandfulError, Live, Over, Score, distribution};
use crate::{Number, NumberError};
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// In how many ways a formula comes to each number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberOdds {
    /// The sum of the ways of all numbers.
    pub total: BigUint,
    /// Every number that is possible, in ascending order, with its ways.
    pub ways: Vec<(Number, BigUint)>,
}

/// Why a formula has no odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// A handful cannot be counted.
    #[error(transparent)]
    Handful(#[from] HandfulError),
    /// A number outgrows its bounds, or something is divided by 0.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// Two parts together have too many pairs of numbers.
    #[error("{pairs} pairs of numbers, and {MOST_PAIRS} are allowed")]
    TooLarge {
        /// The number of pairs that would be joined.
        pairs: u128,
    },
}

/// The most pairs of numbers that the operators of one formula join.
const MOST_PAIRS: u128 = 2_000_000;

/// The comparison of two formulas, in ways out of the total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first is higher.
    pub wins: BigUint,
    /// Both come to the same number.
    pub ties: BigUint,
    /// The first is lower.
    pub loses: BigUint,
    /// The sum of the three above.
    pub total: BigUint,
}

/// A mean as a fraction, of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeanFraction {
    /// Set if the mean is below 0.
    pub negative: bool,
    /// The numerator without its sign; not reduced.
    pub over: BigUint,
    /// The denominator, above 0.
    pub under: BigUint,
}

impl NumberOdds {
    /// The mean as a fraction, before any rounding.
    pub fn mean(&self) -> MeanFraction {
        let mut common = BigUint::from(1_u32);
        for (value, _) in &self.ways {
            let bottom = value.denominator().unsigned_abs();
            if &common % bottom != BigUint::ZERO {
                common *= bottom;
            }
        }
        let sum = |negative: bool| -> BigUint {
            let side = self.ways.iter().filter(|(value, _)| (*value < Number::ZERO) == negative);
            side.map(|(value, ways)| {
                let scale = &common / value.denominator().unsigned_abs();
                ways * value.numerator().unsigned_abs() * scale
            })
            .sum()
        };
        let (plus, minus) = (sum(false), sum(true));
        let negative = minus > plus;
        let over = if negative { minus - plus } else { plus - minus };
        MeanFraction { negative, over, under: &self.total * common }
    }
}

impl Formula {
    /// Counts in how many ways the formula comes to each number.
    pub fn odds(&self) -> Result<NumberOdds, FormulaError> {
        node(&self.root, &mut 0)
    }
}

/// Rolls one formula against another.
pub fn compare(first: &NumberOdds, second: &NumberOdds) -> Comparison {
    let (mut wins, mut ties) = (BigUint::ZERO, BigUint::ZERO);
    let mut below = BigUint::ZERO;
    let mut others = second.ways.iter().peekable();
    for (value, ways) in &first.ways {
        while let Some((_, more)) = others.next_if(|(other, _)| other < value) {
            below += more;
        }
        wins += ways * &below;
        if let Some((_, same)) =
            others.peek().filter(|(other, _)| other.cmp(value) == Ordering::Equal)
        {
            ties += ways * same;
        }
    }
    let total = &first.total * &second.total;
    let loses = &total - &wins - &ties;
    Comparison { wins, ties, loses, total }
}

fn node(of: &FormulaNode, pairs: &mut u128) -> Result<NumberOdds, FormulaError> {
    match of {
        FormulaNode::Number(n) => {
            Ok(NumberOdds { total: 1_u32.into(), ways: vec![(*n, 1_u32.into())] })
        }
        FormulaNode::Dice(term) => dice(term),
        FormulaNode::Minus(inner) => {
            let NumberOdds { total, ways } = node(inner, pairs)?;
            Ok(NumberOdds { total, ways: ways.into_iter().rev().map(|(n, w)| (-n, w)).collect() })
        }
        FormulaNode::Both(operator, a, b) => {
            let (a, b) = (node(a, pairs)?, node(b, pairs)?);
            *pairs += a.ways.len() as u128 * b.ways.len() as u128;
            if *pairs > MOST_PAIRS {
                return Err(FormulaError::TooLarge { pairs: *pairs });
            }
            join(*operator, &a, &b)
        }
    }
}

fn dice(term: &Term) -> Result<NumberOdds, FormulaError> {
    let die = term.die()?;
    let scores: Vec<Score> = die.finished().iter().map(|end| term.score(end.value)).collect();
    let kinds = [DiceKind { count: term.count, die: &die, scores: &scores }];
    let distribution_of_sums =
        distribution(&kinds, &term.rules(), &[Live::Sum(0, Over::Kept)], false)?;
    let ways =
        distribution_of_sums.outcomes.into_iter().map(|outcome| (outcome.values[0], outcome.ways));
    Ok(NumberOdds { total: distribution_of_sums.total, ways: ways.collect() })
}

fn join(operator: Operator, a: &NumberOdds, b: &NumberOdds) -> Result<NumberOdds, FormulaError> {
    let mut ways_of: BTreeMap<Number, BigUint> = BTreeMap::new();
    for (one, ways) in &a.ways {
        for (other, more) in &b.ways {
            *ways_of.entry(operator.apply(*one, *other)?).or_default() += ways * more;
        }
    }
    Ok(NumberOdds { total: &a.total * &b.total, ways: ways_of.into_iter().collect() })
}
