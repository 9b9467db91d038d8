//! Luck for sampling: xoshiro256++, which gives a word in about a nanosecond. Play at the table does not
//! use it: there nobody may foresee a throw, and `adjutant_dice::RandomInput` is for that; here billions are wanted.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A quick generator for one block of samples.
///
/// ```
/// use adjutant_engine::SampleRng;
/// assert_eq!(SampleRng::of_block(7, 3).below(1000), SampleRng::of_block(7, 3).below(1000));
/// ```
#[derive(Clone, Debug)]
pub struct SampleRng {
    words: Xoshiro256PlusPlus,
}

impl SampleRng {
    /// The luck of a block: the same for ever for the same seed and number. No two blocks of one seed
    /// begin alike, as every step from the number to the generator's state can be undone.
    pub fn of_block(seed: u64, block: u64) -> SampleRng {
        SampleRng { words: Xoshiro256PlusPlus::seed_from_u64(mixed(mixed(seed).wrapping_add(block))) }
    }

    /// The next word.
    #[inline]
    pub(super) fn word(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// A number from 0 to `n` − 1, each equally likely; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let n = n.max(1);
        // Words beyond the last whole multiple of n would favour the low numbers.
        let last_fair = u64::MAX - (u64::MAX % n + 1) % n;
        loop {
            let word = self.word();
            if word <= last_fair {
                return word % n;
            }
        }
    }

    /// The same for small numbers, without a division (Lemire's way): half a word, n times as long, falls into
    /// one of n stretches; the few that would favour a stretch are thrown again.
    #[inline]
    pub(super) fn below_32(&mut self, n: u32) -> u32 {
        loop {
            let long = (self.word() >> 32) * u64::from(n);
            let part = long as u32;
            // Only a part below n can be one too many, so the division is hardly ever made.
            if part >= n || part >= n.wrapping_neg() % n.max(1) {
                return (long >> 32) as u32;
            }
        }
    }
}

/// Luck for a whole block of samples: two generators side by side, so that the processor works on one
/// while it waits for the other.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    first: SampleRng,
    second: SampleRng,
}

impl Lanes {
    /// The luck of a block; its lanes are those of no other block.
    pub(super) fn of_block(seed: u64, block: u64) -> Lanes {
        let lane = block.wrapping_mul(2);
        Lanes { first: SampleRng::of_block(seed, lane), second: SampleRng::of_block(seed, lane.wrapping_add(1)) }
    }

    /// A row of halves of words, fresh from the lanes in turn.
    pub(super) fn fill(&mut self, row: &mut [u32]) {
        let (mut first, mut second) = (self.first.clone(), self.second.clone());
        for four in row.chunks_exact_mut(4) {
            let (a, b) = (first.word(), second.word());
            four.copy_from_slice(&[a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]);
        }
        (self.first, self.second) = (first, second);
    }

    /// Two words, one from each lane.
    #[inline]
    pub(super) fn words(&mut self) -> (u64, u64) {
        (self.first.word(), self.second.word())
    }
}

/// The finish of SplitMix64: every bit of the number has its say in every bit of the outcome.
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_block_mean_the_same_words_for_ever() {
        let first = |seed, block| SampleRng::of_block(seed, block).word();
        assert_eq!(
            [first(7, 0), first(7, 1), first(8, 0)],
            [5_925_286_037_941_606_541, 8_133_838_414_423_109_802, 4_399_804_893_240_035_078]
        );
    }

    #[test]
    fn numbers_below_are_even_by_chi_square() {
        let mut luck = SampleRng::of_block(1, 0);
        let mut seen = [0_f64; 6];
        (0..60_000).for_each(|_| seen[luck.below(6) as usize] += 1.0);
        let chi: f64 = seen.iter().map(|n| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "chi-square {chi} is beyond the 0.1 % point of five degrees");
    }

    #[test]
    fn small_numbers_below_are_even_by_chi_square_and_in_bounds() {
        let mut luck = SampleRng::of_block(2, 0);
        let mut seen = [0_f64; 6];
        (0..60_000).for_each(|_| seen[luck.below_32(6) as usize] += 1.0);
        let chi: f64 = seen.iter().map(|n| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "chi-square {chi} is beyond the 0.1 % point of five degrees");
        assert!((0..1000).all(|_| luck.below_32(1) == 0 && luck.below_32(3_000_000_000) < 3_000_000_000));
    }
}
