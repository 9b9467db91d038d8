//! Exact fractions. Halved firepower and odds such as 5 : 11 are compared exactly, never as floats,
//! so every number in a pack is a reduced fraction of two bounded integers. The bound keeps each
//! operation inside 128 bits: an amount beyond it is rejected, never wrapped.

use crate::gcd;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// The largest numerator or denominator a [`Number`] may hold.
pub const LARGEST: i64 = 1_000_000_000_000;

/// An exact fraction.
///
/// ```
/// use adjutant_dice::Number;
/// let five_to_eleven = Number::from(5).over(Number::from(11)).unwrap();
/// let half: Number = "1/2".parse().unwrap();
/// assert!(five_to_eleven < half);
/// assert_eq!("2.5".parse::<Number>().unwrap().to_string(), "5/2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    top: i64,
    bottom: i64,
}

/// Why a sum has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The amount has outgrown what a sheet can hold.
    #[error("number too large")]
    TooLarge,
    /// Something was divided by nothing.
    #[error("division by zero")]
    DivisionByZero,
    /// The text is no number.
    #[error("not a number")]
    NotANumber,
}

impl Number {
    /// The number 0.
    pub const ZERO: Number = Number { top: 0, bottom: 1 };
    /// The number 1.
    pub const ONE: Number = Number { top: 1, bottom: 1 };

    fn reduced(top: i128, bottom: i128) -> Result<Number, NumberError> {
        if bottom == 0 {
            return Err(NumberError::DivisionByZero);
        }
        let (top, bottom) = if bottom < 0 { (-top, -bottom) } else { (top, bottom) };
        if bottom == 1 {
            return i64::try_from(top).map_or(Err(NumberError::TooLarge), Number::bounded);
        }
        let shared = gcd(top.unsigned_abs(), bottom.unsigned_abs()) as i128;
        let (top, bottom) = (top / shared, bottom / shared);
        match (i64::try_from(top), i64::try_from(bottom)) {
            (Ok(t), Ok(b)) if t.abs() <= LARGEST && b <= LARGEST => {
                Ok(Number { top: t, bottom: b })
            }
            _ => Err(NumberError::TooLarge),
        }
    }

    /// Whole numbers, which most are, need no reducing.
    fn bounded(top: i64) -> Result<Number, NumberError> {
        if (-LARGEST..=LARGEST).contains(&top) {
            Ok(Number { top, bottom: 1 })
        } else {
            Err(NumberError::TooLarge)
        }
    }

    /// A whole number, refused when it is beyond [`LARGEST`].
    pub fn whole(n: i64) -> Result<Number, NumberError> {
        Number::bounded(n)
    }

    /// Adds exactly; a sum beyond [`LARGEST`] is refused.
    pub fn plus(self, other: Number) -> Result<Number, NumberError> {
        if self.bottom == 1 && other.bottom == 1 {
            return Number::bounded(self.top + other.top);
        }
        let (a, b, c, d) = self.wide(other);
        Number::reduced(a * d + c * b, b * d)
    }

    /// Subtracts exactly; a difference beyond [`LARGEST`] is refused.
    pub fn minus(self, other: Number) -> Result<Number, NumberError> {
        self.plus(-other)
    }

    /// Multiplies exactly; a product beyond [`LARGEST`] is refused.
    pub fn times(self, other: Number) -> Result<Number, NumberError> {
        let (a, b, c, d) = self.wide(other);
        Number::reduced(a * c, b * d)
    }

    /// The quotient; dividing by nothing is refused.
    pub fn over(self, other: Number) -> Result<Number, NumberError> {
        let (a, b, c, d) = self.wide(other);
        Number::reduced(a * d, b * c)
    }

    fn wide(self, other: Number) -> (i128, i128, i128, i128) {
        (self.top.into(), self.bottom.into(), other.top.into(), other.bottom.into())
    }

    /// Rounded down to a whole number.
    pub fn floor(self) -> Number {
        Number { top: self.top.div_euclid(self.bottom), bottom: 1 }
    }

    /// Rounded up to a whole number.
    pub fn ceil(self) -> Number {
        -((-self).floor())
    }

    /// The number without its sign.
    pub fn abs(self) -> Number {
        Number { top: self.top.abs(), bottom: self.bottom }
    }

    /// Tells if nothing is left below the line.
    pub fn is_whole(self) -> bool {
        self.bottom == 1
    }

    /// The whole number it is, if it is one.
    pub fn as_whole(self) -> Option<i64> {
        self.is_whole().then_some(self.top)
    }

    /// The part above the line.
    pub fn numerator(self) -> i64 {
        self.top
    }

    /// The part below the line, always positive.
    pub fn denominator(self) -> i64 {
        self.bottom
    }

    /// Tells if it is a whole multiple of `step`.
    pub fn is_multiple_of(self, step: Number) -> bool {
        (step == Number::ONE && self.is_whole()) || self.over(step).is_ok_and(Number::is_whole)
    }

    /// Written with its sign, as modifiers are: `+1`, `-2`, `+1/2`.
    pub fn signed(self) -> String {
        if self.top < 0 { self.to_string() } else { format!("+{self}") }
    }
}

impl Default for Number {
    fn default() -> Self {
        Number::ZERO
    }
}

impl From<i32> for Number {
    fn from(n: i32) -> Self {
        Number { top: n.into(), bottom: 1 }
    }
}

impl From<u32> for Number {
    fn from(n: u32) -> Self {
        Number { top: n.into(), bottom: 1 }
    }
}

impl Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        Number { top: -self.top, bottom: self.bottom }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.bottom == other.bottom {
            return self.top.cmp(&other.top);
        }
        let (a, b, c, d) = self.wide(*other);
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bottom == 1 {
            f.pad(&self.top.to_string())
        } else {
            f.pad(&format!("{}/{}", self.top, self.bottom))
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Number, NumberError> {
        let text = text.trim();
        let (negative, body) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let value = unsigned(body)?;
        Ok(if negative { -value } else { value })
    }
}

fn unsigned(body: &str) -> Result<Number, NumberError> {
    if let Some((top, bottom)) = body.split_once('/') {
        return Number::reduced(digits(top)?, digits(bottom)?);
    }
    if let Some(whole) = body.strip_suffix('½') {
        let whole = if whole.is_empty() { 0 } else { digits(whole)? };
        return Number::reduced(whole * 2 + 1, 2);
    }
    if let Some((whole, part)) = body.split_once('.') {
        if part.len() > 9 {
            return Err(NumberError::TooLarge);
        }
        let scale = 10_i128.pow(part.len() as u32);
        return Number::reduced(digits(whole)? * scale + digits(part)?, scale);
    }
    Number::reduced(digits(body)?, 1)
}

fn digits(text: &str) -> Result<i128, NumberError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::NotANumber);
    }
    if text.len() > 18 {
        return Err(NumberError::TooLarge);
    }
    text.parse().map_err(|_| NumberError::NotANumber)
}

/// A whole number is written as a JSON number, any other as text (`"7/2"`), so that nothing is
/// rounded.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(n) => serializer.serialize_i64(n),
            None => serializer.collect_str(self),
        }
    }
}

// By hand, as `untagged` would bring a buffer for any JSON into the engine in the browser.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
                words.write_str("a whole number, or a number as text")
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Number, E> {
                Number::whole(n).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Number, E> {
                i64::try_from(n)
                    .map_err(|_| NumberError::TooLarge)
                    .and_then(Number::whole)
                    .map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_read_as_players_write_them() {
        for (text, shown) in [
            ("3", "3"),
            ("-1", "-1"),
            ("+2", "2"),
            ("2.5", "5/2"),
            ("1/2", "1/2"),
            ("4/8", "1/2"),
            ("½", "1/2"),
            ("2½", "5/2"),
            ("−1", "-1"),
        ] {
            assert_eq!(text.parse::<Number>().unwrap().to_string(), shown, "{text}");
        }
        for text in ["", "x", "1/", "/2", "1.2.3", "--1", "1e9", "nan", "1/-2", "."] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::NotANumber), "{text}");
        }
        assert_eq!("1/0".parse::<Number>(), Err(NumberError::DivisionByZero));
        assert_eq!("9999999999999999999999".parse::<Number>(), Err(NumberError::TooLarge));
    }

    #[test]
    fn rounding_goes_the_way_its_name_says() {
        let n: Number = "-7/2".parse().unwrap();
        assert_eq!(n.floor(), Number::from(-4));
        assert_eq!(n.ceil(), Number::from(-3));
    }

    proptest! {
        #[test]
        fn arithmetic_is_exact_or_refused(a in -LARGEST..=LARGEST, b in 1..=LARGEST, c in -LARGEST..=LARGEST, d in 1..=LARGEST) {
            let (x, y) = (Number::reduced(a.into(), b.into()).unwrap(), Number::reduced(c.into(), d.into()).unwrap());
            if let Ok(sum) = x.plus(y) {
                prop_assert_eq!(sum.minus(y), Ok(x));
            }
            if let Ok(product) = x.times(y) && y != Number::ZERO {
                prop_assert_eq!(product.over(y), Ok(x));
            }
            prop_assert!(x.floor() <= x && x <= x.ceil());
            prop_assert_eq!(x.to_string().parse::<Number>(), Ok(x));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,24}") {
            let _ = text.parse::<Number>();
        }
    }
}
