//! Checked integer arithmetic. Card weights can exceed 128 bits, and big integers are slow. So each
//! calculation is generic: it runs first with fixed-width integers that report overflow, and again
//! with big integers if they do.

use num_bigint::BigUint;

/// A non-negative integer. An operation that overflows returns `None`.
pub(super) trait Whole: Clone {
    fn of(n: u64) -> Self;
    fn of_big(n: &BigUint) -> Option<Self>;
    fn is_nothing(&self) -> bool;
    fn plus(&self, other: &Self) -> Option<Self>;
    /// Subtracts; `None` if the result is negative.
    fn less(&self, other: &Self) -> Option<Self>;
    fn times(&self, other: &Self) -> Option<Self>;
    /// Adds the product of two numbers.
    fn add_product(&mut self, a: &Self, b: &Self) -> Option<()>;
    /// Divides by a number that divides it exactly.
    fn over(&self, n: u64) -> Self;
    fn big(&self) -> BigUint;

    fn scaled(&self, n: u64) -> Option<Self> {
        self.times(&Self::of(n))
    }
}

/// Implements the trait for the built-in integers.
macro_rules! machine_whole {
    ($($kind:ty),*) => {$(
        impl Whole for $kind {
            fn of(n: u64) -> $kind {
                <$kind>::from(n)
            }
            fn of_big(n: &BigUint) -> Option<$kind> {
                <$kind>::try_from(n).ok()
            }
            fn is_nothing(&self) -> bool {
                *self == 0
            }
            fn plus(&self, other: &$kind) -> Option<$kind> {
                self.checked_add(*other)
            }
            fn less(&self, other: &$kind) -> Option<$kind> {
                self.checked_sub(*other)
            }
            fn times(&self, other: &$kind) -> Option<$kind> {
                self.checked_mul(*other)
            }
            fn add_product(&mut self, a: &$kind, b: &$kind) -> Option<()> {
                *self = self.checked_add(a.checked_mul(*b)?)?;
                Some(())
            }
            fn over(&self, n: u64) -> $kind {
                self / <$kind>::from(n)
            }
            fn big(&self) -> BigUint {
                BigUint::from(*self)
            }
        }
    )*};
}

machine_whole!(u64, u128);

impl Whole for BigUint {
    fn of(n: u64) -> BigUint {
        BigUint::from(n)
    }
    fn of_big(n: &BigUint) -> Option<BigUint> {
        Some(n.clone())
    }
    fn is_nothing(&self) -> bool {
        *self == BigUint::ZERO
    }
    fn plus(&self, other: &BigUint) -> Option<BigUint> {
        Some(self + other)
    }
    fn less(&self, other: &BigUint) -> Option<BigUint> {
        (self >= other).then(|| self - other)
    }
    fn times(&self, other: &BigUint) -> Option<BigUint> {
        Some(self * other)
    }
    fn add_product(&mut self, a: &BigUint, b: &BigUint) -> Option<()> {
        *self += a * b;
        Some(())
    }
    fn over(&self, n: u64) -> BigUint {
        self / n
    }
    fn big(&self) -> BigUint {
        self.clone()
    }
}

/// An integer of a fixed number of 64-bit words, the lowest first. It does not allocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Wide<WORDS> {
    /// The number of words in use.
    fn len(&self) -> usize {
        self.0.iter().rposition(|word| *word != 0).map_or(0, |place| place + 1)
    }
}

/// Splits a double word into its low word and the carry.
fn split(n: u128) -> (u64, u64) {
    (n as u64, (n >> 64) as u64)
}

impl<const WORDS: usize> Whole for Wide<WORDS> {
    fn of(n: u64) -> Self {
        let mut words = [0; WORDS];
        if let Some(first) = words.first_mut() {
            *first = n;
        }
        Wide(words)
    }

    fn of_big(n: &BigUint) -> Option<Self> {
        let mut words = [0; WORDS];
        for (place, digit) in n.iter_u64_digits().enumerate() {
            *words.get_mut(place)? = digit;
        }
        Some(Wide(words))
    }

    fn is_nothing(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let (mut sum, mut carry) = (*self, 0);
        for (word, more) in sum.0.iter_mut().zip(other.0) {
            (*word, carry) = split(u128::from(*word) + u128::from(more) + u128::from(carry));
        }
        (carry == 0).then_some(sum)
    }

    fn less(&self, other: &Self) -> Option<Self> {
        let (mut rest, mut owed) = (*self, false);
        for (word, less) in rest.0.iter_mut().zip(other.0) {
            let (first, a) = word.overflowing_sub(less);
            let (second, b) = first.overflowing_sub(u64::from(owed));
            (*word, owed) = (second, a || b);
        }
        (!owed).then_some(rest)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::of(0);
        product.add_product(self, other)?;
        Some(product)
    }

    fn add_product(&mut self, a: &Self, b: &Self) -> Option<()> {
        let (long, short) = (a.len(), b.len());
        // A product has as many words as both factors together, or one fewer. The smaller size must
        // fit.
        if long + short > WORDS + 1 {
            return None;
        }
        for (place, times) in b.0[..short].iter().enumerate() {
            let mut carry = 0;
            for (word, factor) in self.0[place..].iter_mut().zip(&a.0[..long]) {
                (*word, carry) = split(
                    u128::from(*factor) * u128::from(*times)
                        + u128::from(*word)
                        + u128::from(carry),
                );
            }
            let mut above = place + long;
            while carry != 0 {
                let word = self.0.get_mut(above)?;
                (*word, carry) = split(u128::from(*word) + u128::from(carry));
                above += 1;
            }
        }
        Some(())
    }

    fn over(&self, n: u64) -> Self {
        let (mut whole, mut rest) = (*self, 0);
        for word in whole.0.iter_mut().rev() {
            let here = rest << 64 | u128::from(*word);
            (*word, rest) = ((here / u128::from(n)) as u64, here % u128::from(n));
        }
        whole
    }

    fn big(&self) -> BigUint {
        let halves =
            self.0[..self.len()].iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide(words: [u64; 3]) -> Wide<3> {
        Wide(words)
    }

    proptest! {
        /// Every operation gives the same as with big integers, or `None` because it does not fit.
        #[test]
        fn a_wide_number_is_right_or_none(
            a in prop::array::uniform3(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()]),
            b in prop::array::uniform3(prop_oneof![3 => Just(0), 1 => Just(u64::MAX), 1 => any::<u64>()]),
            c in prop::array::uniform3(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()]),
        ) {
            let (a, b, c) = (wide(a), wide(b), wide(c));
            let most = BigUint::from(1_u32) << 192_u32;
            let fits = |n: BigUint| Some(n).filter(|n| *n < most);
            prop_assert_eq!(a.plus(&b).map(|n| n.big()), fits(a.big() + b.big()));
            prop_assert_eq!(a.times(&b).map(|n| n.big()), fits(a.big() * b.big()));
            prop_assert_eq!(a.less(&b).map(|n| n.big()), Whole::less(&a.big(), &b.big()));
            prop_assert_eq!(a.over(c.0[0].max(1)).big(), a.big() / c.0[0].max(1));
            let mut sum = c;
            let done = sum.add_product(&a, &b);
            prop_assert_eq!(done.map(|()| sum.big()), fits(c.big() + a.big() * b.big()));
        }
    }
}
