//! The integers that count ways. The total of a handful is known before anything is counted, and
//! no count on the way is larger, so the narrowest type that holds the total is chosen once and
//! the loops need no checks.

use num_bigint::BigUint;

/// The types that count ways.
pub(super) enum Width {
    U64,
    U128,
    U192,
    U256,
    Big,
}

impl Width {
    /// The narrowest type for numbers of this many bits. The page has only the widest: it downloads
    /// one copy of every loop instead of five.
    #[inline(always)]
    pub fn of(bits: u64) -> Width {
        match bits {
            _ if cfg!(target_arch = "wasm32") => Width::Big,
            0..=64 => Width::U64,
            65..=128 => Width::U128,
            129..=192 => Width::U192,
            193..=256 => Width::U256,
            _ => Width::Big,
        }
    }
}

/// An unsigned integer that is wide enough for the handful at hand.
pub(super) trait Weight: Clone + Default {
    fn from_big(n: &BigUint) -> Self;
    /// The two lowest words and, if it is longer, the whole.
    fn words(&self) -> Result<[u64; 2], BigUint>;
    fn to_big(&self) -> BigUint;
    fn is_zero(&self) -> bool;
    fn bits(&self) -> u64 {
        self.to_big().bits()
    }
    /// The number of products of single words that one product of this size takes, about.
    fn cost(_bits: u64) -> u64 {
        1
    }
    /// `self += a × b`.
    fn add_product(&mut self, a: &Self, b: &Self);

    /// `self += narrow × b`.
    fn add_narrow<S: Weight>(&mut self, narrow: &S, b: &Self) {
        self.add_product(&Self::widened(narrow), b);
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        product.add_product(self, other);
        product
    }

    fn one() -> Self {
        Self::from_words([1, 0])
    }

    fn from_words(words: [u64; 2]) -> Self;

    /// The same number, which must fit.
    fn widened<S: Weight>(narrow: &S) -> Self {
        match narrow.words() {
            Ok(words) => Self::from_words(words),
            Err(big) => Self::from_big(&big),
        }
    }
}

impl Weight for u64 {
    fn words(&self) -> Result<[u64; 2], BigUint> {
        Ok([*self, 0])
    }

    fn from_words(words: [u64; 2]) -> Self {
        words[0]
    }

    fn from_big(n: &BigUint) -> Self {
        n.iter_u64_digits().next().unwrap_or(0)
    }

    fn to_big(&self) -> BigUint {
        BigUint::from(*self)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

impl Weight for u128 {
    fn words(&self) -> Result<[u64; 2], BigUint> {
        Ok([*self as u64, (*self >> 64) as u64])
    }

    fn from_words(words: [u64; 2]) -> Self {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }

    fn from_big(n: &BigUint) -> Self {
        let mut digits = n.iter_u64_digits();
        let low = digits.next().unwrap_or(0);
        u128::from(low) | u128::from(digits.next().unwrap_or(0)) << 64
    }

    fn to_big(&self) -> BigUint {
        BigUint::from(*self)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

/// `N` words of 64 bits, lowest word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const N: usize>([u64; N]);

pub(super) type U192 = Wide<3>;
pub(super) type U256 = Wide<4>;

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Wide([0; N])
    }
}

impl<const N: usize> Wide<N> {
    fn long(&self) -> BigUint {
        let words = self.0.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]);
        BigUint::new(words.collect())
    }

    /// `self += word × b`, moved up by `at` words.
    fn add_word(&mut self, at: usize, word: u64, b: &Self) {
        let mut carry = 0_u128;
        for (sum, factor) in self.0[at..].iter_mut().zip(b.0) {
            let step = u128::from(word) * u128::from(factor) + u128::from(*sum) + carry;
            *sum = step as u64;
            carry = step >> 64;
        }
    }
}

impl<const N: usize> Weight for Wide<N> {
    fn cost(_: u64) -> u64 {
        3
    }

    fn words(&self) -> Result<[u64; 2], BigUint> {
        if self.0[2..].iter().all(|word| *word == 0) {
            Ok([self.0[0], self.0[1]])
        } else {
            Err(self.long())
        }
    }

    fn from_words(words: [u64; 2]) -> Self {
        let mut wide = Wide::default();
        wide.0[..2].copy_from_slice(&words);
        wide
    }

    fn from_big(n: &BigUint) -> Self {
        let mut words = [0; N];
        for (word, digit) in words.iter_mut().zip(n.iter_u64_digits()) {
            *word = digit;
        }
        Wide(words)
    }

    fn to_big(&self) -> BigUint {
        self.words().map_or_else(|long| long, |words| BigUint::from(u128::from_words(words)))
    }

    fn is_zero(&self) -> bool {
        self.0 == [0; N]
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        for (at, word) in a.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            self.add_word(at, *word, b);
        }
    }

    fn add_narrow<S: Weight>(&mut self, narrow: &S, b: &Self) {
        match narrow.words() {
            Ok([low, 0]) => self.add_word(0, low, b),
            _ => self.add_product(&Self::widened(narrow), b),
        }
    }
}

impl Weight for BigUint {
    fn cost(bits: u64) -> u64 {
        30 + bits / 16
    }

    fn words(&self) -> Result<[u64; 2], BigUint> {
        let mut digits = self.iter_u64_digits();
        match (digits.next(), digits.next(), digits.next()) {
            (low, high, None) => Ok([low.unwrap_or(0), high.unwrap_or(0)]),
            _ => Err(self.clone()),
        }
    }

    fn from_words(words: [u64; 2]) -> Self {
        BigUint::from(u128::from_words(words))
    }

    fn from_big(n: &BigUint) -> Self {
        n.clone()
    }

    fn to_big(&self) -> BigUint {
        self.clone()
    }

    fn is_zero(&self) -> bool {
        *self == BigUint::ZERO
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

/// Pascal's triangle up to `most`.
pub(super) fn binomials<W: Weight>(most: usize) -> Vec<Vec<W>> {
    let one = W::one();
    let mut rows = vec![vec![one.clone()]];
    for n in 1..=most {
        let before = &rows[n - 1];
        let mut row = vec![one.clone()];
        for k in 1..n {
            let mut next = before[k].clone();
            next.add_product(&before[k - 1], &one);
            row.push(next);
        }
        row.push(one.clone());
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wide_products_agree_with_big_integers(a: [u64; 2], b: [u64; 2], c: [u64; 3]) {
            let (a, b, c) = (U256::from_words(a), U256::from_words(b), Wide([c[0], c[1], c[2], 0]));
            let mut sum = c;
            sum.add_product(&a, &b);
            prop_assert_eq!(sum.to_big(), c.to_big() + a.to_big() * b.to_big());
            prop_assert_eq!(U256::from_big(&sum.to_big()), sum);
        }
    }
}
