//! Expressions that are sums: parts, each times a number, and a fixed number.

use super::{Expr, Op, Slot};
use adjutant_dice::Number;

/// A sum of parts, each times a number, and a fixed number.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSum<P> {
    /// Each part once, in the order of the expression, and the number that it is multiplied by.
    pub parts: Vec<(P, Number)>,
    /// What is added whatever the parts are.
    pub fixed: Number,
}

impl<P: PartialEq> LinearSum<P> {
    /// A number.
    pub fn number(fixed: Number) -> LinearSum<P> {
        LinearSum { parts: Vec::new(), fixed }
    }

    /// One part.
    pub fn part(part: P) -> LinearSum<P> {
        LinearSum { parts: vec![(part, Number::ONE)], fixed: Number::ZERO }
    }

    /// The number, if no part counts.
    pub fn constant(&self) -> Option<Number> {
        self.parts.iter().all(|(_, times)| *times == Number::ZERO).then_some(self.fixed)
    }

    /// The sum of two. `None` if a number becomes too large.
    pub fn plus(mut self, other: LinearSum<P>) -> Option<LinearSum<P>> {
        self.fixed = self.fixed.plus(other.fixed).ok()?;
        for (part, times) in other.parts {
            match self.parts.iter_mut().find(|(known, _)| *known == part) {
                Some((_, known)) => *known = known.plus(times).ok()?,
                None => self.parts.push((part, times)),
            }
        }
        Some(self)
    }

    /// The sum times a number. `None` if a number becomes too large.
    pub fn times(mut self, by: Number) -> Option<LinearSum<P>> {
        self.fixed = self.fixed.times(by).ok()?;
        for (_, times) in &mut self.parts {
            *times = times.times(by).ok()?;
        }
        Some(self)
    }
}

impl Expr {
    /// The expression as a sum. `leaf` says what stands for a name and for anything that is not
    /// added or multiplied. `None` if it is no such sum.
    ///
    /// ```
    /// use adjutant_dice::Number;
    /// use adjutant_pack::{Expr, LinearSum, Op, Slot, Value};
    /// let (a, two) = (Expr::Slot(Slot::FIRST), Expr::Fixed(Value::Number(Number::from(2))));
    /// let twice = Expr::Pair(Op::Times, Box::new(two.clone()), Box::new(a));
    /// let score = Expr::Pair(Op::Minus, Box::new(two), Box::new(twice));
    /// let sum = score.linear(&mut |leaf| match leaf {
    ///     Expr::Slot(slot) => Some(LinearSum::part(*slot)),
    ///     _ => None,
    /// });
    /// let parts = vec![(Slot::FIRST, Number::from(-2))];
    /// assert_eq!(sum, Some(LinearSum { parts, fixed: Number::from(2) }));
    /// ```
    pub fn linear<P: PartialEq>(
        &self,
        leaf: &mut dyn FnMut(&Expr) -> Option<LinearSum<P>>,
    ) -> Option<LinearSum<P>> {
        match self {
            Expr::Fixed(value) => Some(LinearSum::number(value.number()?)),
            Expr::Negative(inner) => inner.linear(leaf)?.times(Number::from(-1)),
            Expr::Pair(Op::Plus, a, b) => a.linear(leaf)?.plus(b.linear(leaf)?),
            Expr::Pair(Op::Minus, a, b) => {
                a.linear(leaf)?.plus(b.linear(leaf)?.times(Number::from(-1))?)
            }
            Expr::Pair(Op::Times, a, b) => {
                let (a, b) = (a.linear(leaf)?, b.linear(leaf)?);
                match (a.constant(), b.constant()) {
                    (Some(a), _) => b.times(a),
                    (None, Some(b)) => a.times(b),
                    (None, None) => None,
                }
            }
            other => leaf(other),
        }
    }
}

impl Expr {
    /// The names that are added and taken away (true), in order. `None` if the expression is
    /// anything but a sum of names.
    pub fn signed_names(&self) -> Option<Vec<(Slot, bool)>> {
        let sum = self.linear(&mut |leaf| match leaf {
            Expr::Slot(slot) => Some(LinearSum::part(*slot)),
            _ => None,
        })?;
        let signed = |(slot, times): (Slot, Number)| match times.as_whole() {
            Some(1) => Some((slot, false)),
            Some(-1) => Some((slot, true)),
            _ => None,
        };
        sum.parts
            .into_iter()
            .map(signed)
            .collect::<Option<_>>()
            .filter(|_| sum.fixed == Number::ZERO)
    }
}
