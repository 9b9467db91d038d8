//! Dice that can be thrown: so many, with so many sides.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most dice one roll may have.
pub const MOST_DICE: u32 = 200;
/// The most sides a die may have.
pub const MOST_SIDES: u32 = 1000;

/// A handful of equal dice, as players write it: `2d6`, `1d10`, `d6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dice {
    /// The number of dice, at most [`MOST_DICE`].
    pub count: u32,
    /// The number of sides of each, from 2 to [`MOST_SIDES`].
    pub sides: u32,
}

/// Why a text names no dice that can be rolled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum DiceError {
    /// Not of the form NdS.
    Form,
    /// No dice, or too many.
    Count(u64),
    /// A die with too few or too many sides.
    Sides(u64),
}

impl Dice {
    /// So many dice with so many sides, if they can be rolled.
    pub fn new(count: u32, sides: u32) -> Result<Dice, DiceError> {
        if !(1..=MOST_DICE).contains(&count) {
            return Err(DiceError::Count(count.into()));
        }
        if !(2..=MOST_SIDES).contains(&sides) {
            return Err(DiceError::Sides(sides.into()));
        }
        Ok(Dice { count, sides })
    }
}

impl FromStr for Dice {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Dice, DiceError> {
        let (count, sides) = text.trim().split_once(['d', 'D']).ok_or(DiceError::Form)?;
        let read = |part: &str| part.parse::<u32>().map_err(|_| DiceError::Form);
        let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(count) || !all_digits(sides) {
            return Err(DiceError::Form);
        }
        Dice::new(if count.is_empty() { 1 } else { read(count)? }, read(sides)?)
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_read_or_refused() {
        assert_eq!("2d6".parse(), Ok(Dice { count: 2, sides: 6 }));
        assert_eq!("d10".parse(), Ok(Dice { count: 1, sides: 10 }));
        assert_eq!("0d6".parse::<Dice>(), Err(DiceError::Count(0)));
        assert_eq!("2d1".parse::<Dice>(), Err(DiceError::Sides(1)));
        assert_eq!("201d6".parse::<Dice>(), Err(DiceError::Count(201)));
        for text in ["", "6", "d", "2d", "xd6", "2d6+1", "99999999999d6", "-1d6"] {
            assert!(text.parse::<Dice>().is_err(), "{text}");
        }
    }
}
