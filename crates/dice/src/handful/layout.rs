//! Where a combination of sums lies in one array: each sum is a digit of the place.

use super::{DiceKind, HandfulError, Live, MOST_CELLS, Over};
use crate::{Number, NumberError, gcd};

/// One live sum. A die adds `(worth − low) / step` to its digit.
#[derive(Clone, Debug)]
struct Digit {
    live: usize,
    place: usize,
    over: Over,
    /// The common denominator of all worths; `low` and `step` are multiplied by it.
    bottom: i128,
    low: i128,
    step: i128,
    /// The digit of nothing.
    origin: i128,
    /// The number of dice that count, if that is certain: each has lost `low`.
    counted: i128,
    length: i128,
    stride: i128,
}

/// The digits of all live sums.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    digits: Vec<Digit>,
    /// The number of places.
    pub cells: u128,
    /// The place of a handful without dice.
    pub origin: i64,
}

impl Layout {
    /// `most` dice may count, `kept` of them exactly if that is certain.
    pub fn new(
        kinds: &[DiceKind<'_>],
        live: &[Live],
        most: u32,
        kept: Option<u32>,
        all: Option<u32>,
    ) -> Result<Layout, HandfulError> {
        let mut layout = Layout { digits: Vec::new(), cells: 1, origin: 0 };
        for (at, one) in live.iter().enumerate() {
            let Live::Sum(place, over) = *one else { continue };
            let certain = if over == Over::Kept { kept } else { all };
            let mut digit = digit(kinds, place, certain, most)?;
            (digit.live, digit.over) = (at, over);
            digit.stride = layout.cells as i128;
            layout.cells = layout.cells.saturating_mul(digit.length as u128);
            if layout.cells > 1 << 62 {
                return Err(HandfulError::TooLarge { cells: layout.cells });
            }
            layout.origin += (digit.origin * digit.stride) as i64;
            layout.digits.push(digit);
        }
        Ok(layout)
    }

    /// The distances by which a die that is kept, and any die, moves the place.
    pub fn shifts(&self, sums: &[Number]) -> (i64, i64) {
        let (mut kept, mut all) = (0, 0);
        for digit in &self.digits {
            let shift = (digit.shift(sums[digit.place]) * digit.stride) as i64;
            match digit.over {
                Over::Kept => kept += shift,
                Over::All => all += shift,
            }
        }
        (kept, all)
    }

    /// Writes the sums that a place stands for where the live values want them.
    pub fn read(&self, place: i64, values: &mut [Number]) -> Result<(), HandfulError> {
        for digit in &self.digits {
            let steps = place / (digit.stride as i64) % (digit.length as i64);
            let top = (i128::from(steps) - digit.origin) * digit.step + digit.counted * digit.low;
            let top = i64::try_from(top).map_err(|_| HandfulError::Number(NumberError::TooLarge));
            let whole = Number::whole(top?).map_err(HandfulError::Number)?;
            values[digit.live] = match digit.bottom {
                1 => whole,
                bottom => Number::whole(bottom as i64)
                    .and_then(|bottom| whole.over(bottom))
                    .map_err(HandfulError::Number)?,
            };
        }
        Ok(())
    }

    /// The number of places, if an array may hold them `times` over.
    pub fn array(&self, times: u128) -> Result<usize, HandfulError> {
        let cells = self.cells.saturating_mul(times);
        if cells > MOST_CELLS {
            Err(HandfulError::TooLarge { cells })
        } else {
            Ok(self.cells as usize)
        }
    }
}

impl Digit {
    fn shift(&self, worth: Number) -> i128 {
        let top = i128::from(worth.numerator()) * (self.bottom / i128::from(worth.denominator()));
        (top - self.low) / self.step
    }
}

fn digit(
    kinds: &[DiceKind<'_>],
    place: usize,
    certain: Option<u32>,
    most: u32,
) -> Result<Digit, HandfulError> {
    let worths = || kinds.iter().flat_map(|kind| kind.scores).map(|score| score.sums[place]);
    let mut bottom = 1_u128;
    for worth in worths().filter(|worth| !worth.is_whole()) {
        let other = u128::from(worth.denominator().unsigned_abs());
        bottom = bottom / gcd(bottom, other) * other;
        if bottom > u128::from(crate::LARGEST.unsigned_abs()) {
            return Err(HandfulError::Number(NumberError::TooLarge));
        }
    }
    let bottom = bottom as i128;
    let tops = || {
        worths()
            .map(|worth| i128::from(worth.numerator()) * (bottom / i128::from(worth.denominator())))
    };
    let low = if certain.is_some() { tops().min().unwrap_or(0) } else { 0 };
    let step = tops().fold(0, |step, top| gcd(step, (top - low).unsigned_abs()));
    let step = step.max(1) as i128;
    let (least, greatest) = tops().fold((0, 0), |(least, greatest), top| {
        let steps = (top - low) / step;
        (steps.min(least), steps.max(greatest))
    });
    let dice = i128::from(certain.unwrap_or(most));
    Ok(Digit {
        live: 0,
        place,
        over: Over::Kept,
        bottom,
        low,
        step,
        origin: -least * dice,
        counted: i128::from(certain.unwrap_or(0)),
        length: (greatest - least) * dice + 1,
        stride: 1,
    })
}
