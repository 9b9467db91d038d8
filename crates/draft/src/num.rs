//! A small exact number, as sheets print them.

use std::cmp::Ordering;
use std::fmt;

/// A whole number or a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Num {
    above: i32,
    below: i32,
}

impl Num {
    /// A whole number.
    pub fn whole(n: i32) -> Num {
        Num { above: n, below: 1 }
    }

    /// A fraction; `below` must be positive.
    pub fn ratio(above: i32, below: i32) -> Num {
        let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs().max(1));
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let by = a.max(1) as i32;
        Num { above: above / by, below: (below / by).max(1) }
    }

    /// The number, if it is whole.
    pub fn as_whole(self) -> Option<i32> {
        (self.below == 1).then_some(self.above)
    }

    pub(crate) fn floor(self) -> i32 {
        self.above.div_euclid(self.below)
    }

    pub(crate) fn negative(self) -> Num {
        Num { above: self.above.saturating_neg(), ..self }
    }

    pub(crate) fn plus(self, n: i32) -> Num {
        Num { above: self.above.saturating_add(n.saturating_mul(self.below)), ..self }
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Num) -> Ordering {
        let left = i64::from(self.above) * i64::from(other.below);
        left.cmp(&(i64::from(other.above) * i64::from(self.below)))
    }
}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below {
            1 => write!(f, "{}", self.above),
            below => write!(f, "{}/{below}", self.above),
        }
    }
}
