//! Between which numbers an expression can lie. Always at least as wide as the truth: what lies outside
//! can never be reached, so the check may call it a fault.

use super::{Expr, Func, Op, Slot};
use crate::value::Value;
use adjutant_dice::Number;

/// The least and the greatest number; none where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub from: Option<Number>,
    /// The greatest.
    pub to: Option<Number>,
    /// Whether only whole numbers come up.
    pub whole: bool,
}

impl Range {
    /// Anything at all.
    pub const ANY: Range = Range { from: None, to: None, whole: false };

    /// Between two numbers.
    pub fn between(from: Number, to: Number, whole: bool) -> Range {
        Range { from: Some(from), to: Some(to), whole }
    }

    /// Just this number.
    pub fn just(n: Number) -> Range {
        Range::between(n, n, n.is_whole())
    }

    /// The narrowest range around both.
    pub fn or(self, other: Range) -> Range {
        Range { from: both(self.from, other.from, Ord::min), to: both(self.to, other.to, Ord::max), whole: self.whole && other.whole }
    }

    /// The sum of two.
    pub fn plus(self, other: Range) -> Range {
        let add = |a: Option<Number>, b: Option<Number>| a?.plus(b?).ok();
        Range { from: add(self.from, other.from), to: add(self.to, other.to), whole: self.whole && other.whole }
    }

    /// The product of two.
    pub fn times(self, other: Range) -> Range {
        self.corners(other, Number::times, self.whole && other.whole)
    }

    /// Neither above this nor below that.
    pub fn clamped(self, least: Option<Range>, most: Option<Range>) -> Range {
        let mut found = self;
        if let Some(most) = most {
            // The lesser of two is bounded above by either, below only if both are.
            found.to = either(found.to, most.to, Ord::min);
            found.from = both(found.from, most.from, Ord::min);
            found.whole &= most.whole;
        }
        if let Some(least) = least {
            found.from = either(found.from, least.from, Ord::max);
            found.to = both(found.to, least.to, Ord::max);
            found.whole &= least.whole;
        }
        found
    }

    /// Rounded down.
    pub fn floor(self) -> Range {
        Range { from: self.from.map(Number::floor), to: self.to.map(Number::floor), whole: true }
    }

    fn negative(self) -> Range {
        Range { from: self.to.map(|n| -n), to: self.from.map(|n| -n), whole: self.whole }
    }

    fn corners(self, other: Range, f: impl Fn(Number, Number) -> Result<Number, adjutant_dice::NumberError>, whole: bool) -> Range {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.from, self.to, other.from, other.to) else { return Range { whole, ..Range::ANY } };
        let all: Result<Vec<Number>, _> = [(a, c), (a, d), (b, c), (b, d)].into_iter().map(|(x, y)| f(x, y)).collect();
        match all {
            Ok(all) => Range { from: all.iter().copied().min(), to: all.iter().copied().max(), whole },
            Err(_) => Range { whole, ..Range::ANY },
        }
    }
}

/// One of two ends, where each bounds the whole.
fn either(a: Option<Number>, b: Option<Number>, pick: fn(Number, Number) -> Number) -> Option<Number> {
    match (a, b) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) => a.or(b),
    }
}

/// One of two ends, where only both together bound the whole.
fn both(a: Option<Number>, b: Option<Number>, pick: fn(Number, Number) -> Number) -> Option<Number> {
    Some(pick(a?, b?))
}

impl Expr {
    /// Between which numbers it lies, given that of its names.
    pub fn range(&self, names: &dyn Fn(Slot) -> Range) -> Range {
        match self {
            Expr::Fixed(Value::Number(n)) => Range::just(*n),
            Expr::Fixed(_) | Expr::Not(_) => Range::ANY,
            Expr::Slot(slot) => names(*slot),
            Expr::Negative(inner) => inner.range(names).negative(),
            Expr::Pair(op, a, b) => {
                let (a, b) = (a.range(names), b.range(names));
                match op {
                    Op::Plus => a.plus(b),
                    Op::Minus => a.plus(b.negative()),
                    Op::Times => a.times(b),
                    Op::Over if b.from.is_some_and(|n| n > Number::ZERO) || b.to.is_some_and(|n| n < Number::ZERO) => {
                        a.corners(b, Number::over, false)
                    }
                    _ => Range::ANY,
                }
            }
            Expr::Call(func, parts) => called(*func, parts, names),
        }
    }
}

fn called(func: Func, parts: &[Expr], names: &dyn Fn(Slot) -> Range) -> Range {
    let all: Vec<Range> = parts.iter().map(|part| part.range(names)).collect();
    let whole = all.iter().all(|r| r.whole);
    let fold = |f: fn(Number, Number) -> Number, ends: &dyn Fn(&Range) -> Option<Number>| {
        all.iter().map(ends).reduce(|a, b| Some(f(a?, b?))).flatten()
    };
    match (func, all.as_slice()) {
        (Func::If, [_, a, b]) => a.or(*b),
        // The least is no greater than any part with an upper end, and no less than the least of all ends.
        (Func::Min, _) => Range { from: fold(Ord::min, &|r| r.from), to: all.iter().filter_map(|r| r.to).min(), whole },
        (Func::Max, _) => Range { from: all.iter().filter_map(|r| r.from).max(), to: fold(Ord::max, &|r| r.to), whole },
        (Func::Floor, [a]) => a.floor(),
        (Func::Ceil, [a]) => Range { from: a.from.map(Number::ceil), to: a.to.map(Number::ceil), whole: true },
        (Func::Abs, [a]) => {
            let top = a.from.zip(a.to).map(|(x, y)| x.abs().max(y.abs()));
            let positive = a.from.filter(|n| *n > Number::ZERO).or(a.to.filter(|n| *n < Number::ZERO).map(|n| -n));
            Range { from: positive.or(Some(Number::ZERO)), to: top, whole: a.whole }
        }
        _ => Range::ANY,
    }
}
