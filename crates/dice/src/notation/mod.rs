//! Dice as players write them: `4d6kh3+2`, `2d8!`, `10d6cs>=5`.
//!
//! [`parse`] reads a text, [`Formula::odds`] counts its exact odds by [`crate::handful`], and
//! [`Formula::roll`] rolls it with dice from an [`crate::InputSource`]. Both act in the same
//! order: re-roll, explode, extra dice, keep or drop, count. docs/command.md has the list of what
//! can be written.

mod odds;
mod parse;
mod roll;
#[cfg(test)]
mod tests;

use crate::Number;
use crate::handful::{Die, DieFace, HandfulError, Reroll, Rules, Score};
pub use odds::{Comparison, FormulaError, MeanFraction, NumberOdds, compare};
pub use parse::{Expected, LONGEST_TEXT, NotationError, NotationErrorKind, parse};
pub use roll::{DieRecord, FormulaRoll, RollError, TermRoll};

/// The most times that one die explodes, and the most extra dice that follow from one die.
pub const MOST_EXPLOSIONS: u32 = 10;

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    pub(crate) root: FormulaNode,
    text: String,
}

impl Formula {
    /// The text without spaces.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tells a formula with dice from a number alone.
    pub fn has_dice(&self) -> bool {
        any_dice(&self.root, &|_| true)
    }

    /// After how many explosions a die stops, if any of its dice explodes.
    pub fn most_explosions(&self) -> Option<u32> {
        let explodes = |term: &Term| term.explode.is_some() || term.extra.is_some();
        any_dice(&self.root, &explodes).then_some(MOST_EXPLOSIONS)
    }
}

fn any_dice(node: &FormulaNode, holds: &dyn Fn(&Term) -> bool) -> bool {
    match node {
        FormulaNode::Number(_) => false,
        FormulaNode::Dice(term) => holds(term),
        FormulaNode::Minus(inner) => any_dice(inner, holds),
        FormulaNode::Both(_, a, b) => any_dice(a, holds) || any_dice(b, holds),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormulaNode {
    Number(Number),
    Dice(Box<Term>),
    Minus(Box<FormulaNode>),
    Both(Operator, Box<FormulaNode>, Box<FormulaNode>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

impl Operator {
    fn apply(self, a: Number, b: Number) -> Result<Number, crate::NumberError> {
        match self {
            Operator::Plus => a.plus(b),
            Operator::Minus => a.minus(b),
            Operator::Times => a.times(b),
            Operator::Over => a.over(b),
        }
    }
}

/// The faces of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// 1 to so many.
    Sides(u32),
    /// So many d6, read as digits: d66 has the faces 11 to 66.
    Digits(u32),
    /// −1, 0 and 1.
    Fudge,
}

/// A condition on one face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub compare: Compare,
    pub with: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Test {
    fn holds(self, value: Number) -> bool {
        let with = Number::from(self.with);
        match self.compare {
            Compare::Equal => value == with,
            Compare::Less => value < with,
            Compare::AtMost => value <= with,
            Compare::More => value > with,
            Compare::AtLeast => value >= with,
        }
    }
}

/// A handful of equal dice with what happens to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub text: String,
    pub count: u32,
    pub shape: Shape,
    /// The condition, and whether it is repeated until it does not hold.
    pub rerolls: Vec<(Test, bool)>,
    pub explode: Option<Test>,
    pub extra: Option<Test>,
    pub keep_highest: Option<u32>,
    pub keep_lowest: Option<u32>,
    pub drop_highest: u32,
    pub drop_lowest: u32,
    pub successes: Option<Test>,
    pub failures: Option<Test>,
}

impl Term {
    fn new(count: u32, shape: Shape) -> Term {
        Term {
            text: String::new(),
            count,
            shape,
            rerolls: Vec::new(),
            explode: None,
            extra: None,
            keep_highest: None,
            keep_lowest: None,
            drop_highest: 0,
            drop_lowest: 0,
            successes: None,
            failures: None,
        }
    }

    /// The values on the faces, in ascending order.
    pub fn values(&self) -> Vec<i32> {
        match self.shape {
            Shape::Sides(sides) => (1..=sides as i32).collect(),
            Shape::Fudge => vec![-1, 0, 1],
            Shape::Digits(digits) => (0..digits).fold(vec![0], |known, _| {
                known.iter().flat_map(|n| (1..=6).map(move |digit| n * 10 + digit)).collect()
            }),
        }
    }

    pub fn rules(&self) -> Rules {
        let reroll = |(_, again): &(Test, bool)| Reroll {
            at_most: if *again { None } else { Some(1) },
            dice: None,
        };
        // Unless dice bring others, how many are kept is known.
        let drops = (self.drop_highest, self.drop_lowest);
        let kept = |dropped: u32| Some(self.count.saturating_sub(dropped));
        let (keep_highest, keep_lowest) = match drops {
            (0, low) if low > 0 && self.extra.is_none() => (kept(low), None),
            (high, 0) if high > 0 && self.extra.is_none() => (None, kept(high)),
            _ => (self.keep_highest, self.keep_lowest),
        };
        Rules {
            rerolls: self.rerolls.iter().map(reroll).collect(),
            explode_at_most: if self.explode.is_some() { MOST_EXPLOSIONS } else { 0 },
            extra_at_most: if self.extra.is_some() { MOST_EXPLOSIONS } else { 0 },
            watch_rerolled: false,
            keep_highest,
            keep_lowest,
            drop_highest: self.drop_highest,
            drop_lowest: self.drop_lowest,
        }
    }

    pub fn faces(&self) -> Vec<DieFace> {
        let face = |value: i32| {
            let value = Number::from(value);
            let holds = |test: Option<Test>| test.is_some_and(|test| test.holds(value));
            let applies =
                self.rerolls.iter().enumerate().filter(|(_, (test, _))| test.holds(value));
            DieFace {
                rerolls: applies.fold(0, |bits, (rule, _)| bits | 1 << rule),
                explodes: holds(self.explode),
                brings_extra: holds(self.extra),
                ..DieFace::number(value)
            }
        };
        self.values().into_iter().map(face).collect()
    }

    pub fn die(&self) -> Result<Die, HandfulError> {
        Die::new(&self.faces(), &self.rules())
    }

    /// The amount that a finished die adds to the total.
    pub fn worth(&self, value: Number) -> Number {
        let yes =
            |test: Option<Test>| Number::from(i32::from(test.is_some_and(|t| t.holds(value))));
        match (self.successes, self.failures) {
            (None, None) => value,
            (Some(_), None) => yes(self.successes),
            (None, Some(_)) => yes(self.failures),
            (Some(_), Some(_)) => match (yes(self.successes), yes(self.failures)) {
                (Number::ONE, Number::ONE) => Number::ZERO,
                (Number::ONE, _) => Number::ONE,
                (_, failed) => -failed,
            },
        }
    }

    pub fn score(&self, value: Number) -> Score {
        Score { rank: value, sums: vec![self.worth(value)] }
    }
}
