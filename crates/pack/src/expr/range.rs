//! Interval arithmetic: the range that an expression can lie in. The range is never too narrow: a
//! value outside it cannot occur, so the check may report it as an error.

use super::{Expr, Func, Op, Slot};
use crate::value::Value;
use adjutant_dice::Number;

/// The lowest and the highest number; `None` means unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lowest number.
    pub from: Option<Number>,
    /// The highest number.
    pub to: Option<Number>,
    /// Whether all numbers in it are whole.
    pub whole: bool,
}

impl Range {
    /// No limits.
    pub const ANY: Range = Range { from: None, to: None, whole: false };

    /// From one number to another, both included.
    pub fn between(from: Number, to: Number, whole: bool) -> Range {
        Range { from: Some(from), to: Some(to), whole }
    }

    /// A single number.
    pub fn just(n: Number) -> Range {
        Range::between(n, n, n.is_whole())
    }

    /// The smallest range that contains both.
    pub fn or(self, other: Range) -> Range {
        Range {
            from: both(self.from, other.from, Ord::min),
            to: both(self.to, other.to, Ord::max),
            whole: self.whole && other.whole,
        }
    }

    /// The range of the sum.
    pub fn plus(self, other: Range) -> Range {
        let add = |a: Option<Number>, b: Option<Number>| a?.plus(b?).ok();
        Range {
            from: add(self.from, other.from),
            to: add(self.to, other.to),
            whole: self.whole && other.whole,
        }
    }

    /// The range of the product.
    pub fn times(self, other: Range) -> Range {
        self.corners(other, Number::times, self.whole && other.whole)
    }

    /// The range after a lower and an upper limit are applied.
    pub fn clamped(self, least: Option<Range>, most: Option<Range>) -> Range {
        let mut found = self;
        if let Some(most) = most {
            // Either operand of a minimum bounds it from above; only both together bound it from
            // below.
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

    /// The range after rounding down.
    pub fn floor(self) -> Range {
        Range { from: self.from.map(Number::floor), to: self.to.map(Number::floor), whole: true }
    }

    fn negative(self) -> Range {
        Range { from: self.to.map(|n| -n), to: self.from.map(|n| -n), whole: self.whole }
    }

    fn corners(
        self,
        other: Range,
        f: impl Fn(Number, Number) -> Result<Number, adjutant_dice::NumberError>,
        whole: bool,
    ) -> Range {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.from, self.to, other.from, other.to)
        else {
            return Range { whole, ..Range::ANY };
        };
        let all: Result<Vec<Number>, _> =
            [(a, c), (a, d), (b, c), (b, d)].into_iter().map(|(x, y)| f(x, y)).collect();
        match all {
            Ok(all) => {
                Range { from: all.iter().copied().min(), to: all.iter().copied().max(), whole }
            }
            Err(_) => Range { whole, ..Range::ANY },
        }
    }
}

/// Combines two ends where each bounds the result on its own.
fn either(
    a: Option<Number>,
    b: Option<Number>,
    pick: fn(Number, Number) -> Number,
) -> Option<Number> {
    match (a, b) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) => a.or(b),
    }
}

/// Combines two ends where only both together bound the result.
fn both(
    a: Option<Number>,
    b: Option<Number>,
    pick: fn(Number, Number) -> Number,
) -> Option<Number> {
    Some(pick(a?, b?))
}

impl Expr {
    /// The range of the expression, given the ranges of its names.
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
                    Op::Over
                        if b.from.is_some_and(|n| n > Number::ZERO)
                            || b.to.is_some_and(|n| n < Number::ZERO) =>
                    {
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
        // Any upper end bounds the minimum from above; all lower ends together bound it from below.
        (Func::Min, _) => Range {
            from: fold(Ord::min, &|r| r.from),
            to: all.iter().filter_map(|r| r.to).min(),
            whole,
        },
        (Func::Max, _) => Range {
            from: all.iter().filter_map(|r| r.from).max(),
            to: fold(Ord::max, &|r| r.to),
            whole,
        },
        (Func::Floor, [a]) => a.floor(),
        (Func::Ceil, [a]) => {
            Range { from: a.from.map(Number::ceil), to: a.to.map(Number::ceil), whole: true }
        }
        (Func::Abs, [a]) => {
            let top = a.from.zip(a.to).map(|(x, y)| x.abs().max(y.abs()));
            let positive = a
                .from
                .filter(|n| *n > Number::ZERO)
                .or(a.to.filter(|n| *n < Number::ZERO).map(|n| -n));
            Range { from: positive.or(Some(Number::ZERO)), to: top, whole: a.whole }
        }
        _ => Range::ANY,
    }
}
