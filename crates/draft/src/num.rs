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
    /// The number `n` over 1.
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

/// A number cell: the number, and the unit after it.
pub(crate) fn of_cell(text: &str) -> Option<(Num, String)> {
    let tokens = crate::token::tokens(text);
    let (value, next) = match tokens.as_slice() {
        [first, ..] if first.num().is_some() => (first.num()?, 1),
        [sign, first, ..] if (sign.sign('-') || sign.sign('+')) && first.start == sign.end => {
            let n = first.num()?;
            (if sign.sign('-') { n.negative() } else { n }, 2)
        }
        _ => return None,
    };
    let rest = &tokens[next..];
    let unit = crate::token::tidy(&text.chars().skip(tokens[next - 1].end).collect::<String>());
    let inches = matches!(rest, [only] if only.sign('"'));
    let word = matches!(rest, [only] if only.is_any(&["inches", "inch", "cm", "hexes", "mm", "mp", "mf", "yards", "hits", "points"]));
    match () {
        () if rest.is_empty() => Some((value, String::new())),
        () if inches => Some((value, "inches".into())),
        () if word => Some((value, unit)),
        () => None,
    }
}

/// The unit of cells that are all numbers.
pub(crate) fn of_cells<'c>(cells: impl Iterator<Item = &'c crate::PrintedCell>) -> Option<String> {
    let mut unit = String::new();
    let mut any = false;
    for cell in cells.filter(|cell| !cell.text.is_empty() && cell.text != "-" && cell.text != "–")
    {
        let (_, own) = of_cell(&cell.text)?;
        any = true;
        if !own.is_empty() {
            unit = own;
        }
    }
    any.then_some(unit)
}
