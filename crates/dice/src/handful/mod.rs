//! Exact odds of one handful of dice.
//!
//! The caller has already evaluated every rule on every face; this module knows neither packs nor
//! expressions. [`Die::new`] works out what one die can come to after re-rolls and explosions.
//! The caller scores each of these ends, and [`distribution`] counts in how many ways the handful
//! comes to each combination of the values that are asked for.
//!
//! - Sums alone are the n-th power of one die's distribution (`power`).
//! - Kept dice, sets and runs are counted by a walk over the faces (`walk`).
//! - Re-rolls of some dice and extra dice split the handful into cases (`mixture`, `plan`).
//!
//! ```
//! use adjutant_dice::handful::*;
//! use adjutant_dice::Number;
//! // 4d6, keep the highest three.
//! let rules = Rules { keep_highest: Some(3), ..Rules::default() };
//! let faces: Vec<DieFace> = (1..=6).map(DieFace::number).collect();
//! let die = Die::new(&faces, &rules).unwrap();
//! let scores: Vec<Score> = (die.finished().iter())
//!     .map(|end| Score { rank: end.value, sums: vec![end.value] })
//!     .collect();
//! let kinds = [DiceKind { count: 4, die: &die, scores: &scores }];
//! let odds = distribution(&kinds, &rules, &[Live::Sum(0, Over::Kept)], false).unwrap();
//! assert_eq!(odds.total, 1296_u32.into());
//! let eighteen = odds.outcomes.last().unwrap();
//! assert_eq!((eighteen.values[0], eighteen.ways.clone()), (Number::from(18), 21_u32.into()));
//! ```

mod count;
mod die;
mod examples;
mod features;
mod keep;
mod layout;
mod mixture;
mod plan;
mod power;
#[cfg(test)]
mod tests;
mod walk;
mod weight;

use crate::{Number, NumberError};
pub use die::{Die, DieFace, Finished, Reroll, Rules, Trail};
use num_bigint::BigUint;

/// The worth of a finished die, in the order of [`Die::finished`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// By what dice are kept. Of equal ranks the higher value is kept as higher, then the die of
    /// the later kind.
    pub rank: Number,
    /// The amount that the die adds to each sum. All scores have equally many.
    pub sums: Vec<Number>,
}

/// Equal dice of a handful.
#[derive(Clone, Copy, Debug)]
pub struct DiceKind<'a> {
    /// The number of these dice in the first roll.
    pub count: u32,
    /// The faces and rules that the dice share.
    pub die: &'a Die,
    /// The worth of each end of the die, in the order of [`Die::finished`].
    pub scores: &'a [Score],
}

/// Over which dice a sum goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The dice that the rules keep, with extra dice.
    Kept,
    /// Every die, kept or not, with extra dice.
    All,
}

/// A value of the handful that something later reads. All but sums look at every die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Live {
    /// The sum at this place of [`Score::sums`].
    Sum(usize, Over),
    /// The size of the largest group of equal values.
    Width,
    /// The value of the largest group; of several, the highest. 0 without dice.
    Height,
    /// The highest value that at least two dice show, or 0.
    Pair,
    /// The number of different values that at least two dice show.
    Pairs,
    /// The longest run of whole values without a gap, such as 3 for 2, 3, 3, 4. 0 without dice.
    Run,
    /// The highest value, or 0 without dice.
    Highest,
    /// The lowest value, or 0 without dice.
    Lowest,
    /// 1 if at least two dice show the same value, else 0.
    Doubles,
}

/// In how many ways a handful comes to each outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The sum of the ways of all outcomes.
    pub total: BigUint,
    /// Every outcome that is possible, in ascending order of its values.
    pub outcomes: Vec<Outcome>,
}

/// One outcome of a handful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The values asked for, in the order of the call.
    pub values: Vec<Number>,
    /// In how many of the ways.
    pub ways: BigUint,
    /// Dice that come to this, if they were asked for: those of the first roll by kind, then the
    /// extra dice in the order in which they come.
    pub example: Option<Vec<Trail>>,
}

/// Why the odds of a handful cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandfulError {
    /// More memory or work than [`MOST_CELLS`] allows.
    #[error("the dice need {cells} cells, and {MOST_CELLS} are allowed")]
    TooLarge {
        /// A lower bound of the cells that it would take.
        cells: u128,
    },
    /// The weights of a single die outgrow 128 bits.
    #[error("one die can fall in too many ways")]
    DieTooLarge,
    /// A sum is beyond the bounds of a number.
    #[error(transparent)]
    Number(NumberError),
    /// A die without faces.
    #[error("a die needs a face")]
    NoFaces,
    /// A rule re-rolls every face without end.
    #[error("re-roll rule {rule} never ends")]
    Endless {
        /// The place of the rule.
        rule: usize,
    },
    /// There are not as many scores as ends of the die, or sums as are asked for.
    #[error("the scores of a die do not match its ends")]
    Scores,
    /// Equal values have different ranks, or runs are asked for where ranks do not follow values:
    /// kept dice and groups cannot be counted in one walk.
    #[error("dice are kept in another order than their values")]
    Order,
}

/// The most cells that one handful may take.
pub const MOST_CELLS: u128 = 4_000_000;

/// Counts the ways in which a handful comes to each combination of the live values. With
/// `examples`, each outcome has dice that come to it.
pub fn distribution(
    kinds: &[DiceKind<'_>],
    rules: &Rules,
    live: &[Live],
    examples: bool,
) -> Result<Distribution, HandfulError> {
    let plan = plan::Plan::new(kinds, rules, live, examples)?;
    if !examples && !plan.needs_walk() {
        return power::distribution(&plan);
    }
    // Faster than the walk, for which the page has no room.
    if !cfg!(target_arch = "wasm32")
        && !examples
        && let Some(found) = keep::distribution(&plan)?
    {
        return Ok(found);
    }
    walk::distribution(&plan, examples)
}
