//! The random generator for sampling: xoshiro256++, about a nanosecond for each word. Games do not
//! use it, because their rolls must be unpredictable; they use `adjutant_dice::RandomInput`.
//! Sampling needs billions of numbers.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A fast generator for one block of samples.
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
    /// The generator of a block, always the same for the same seed and number. No two blocks of one
    /// seed start in the same state, because every step from the number to the state is invertible.
    pub fn of_block(seed: u64, block: u64) -> SampleRng {
        SampleRng {
            words: Xoshiro256PlusPlus::seed_from_u64(mixed(mixed(seed).wrapping_add(block))),
        }
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

    /// The same for small numbers, without a division (Lemire's method): half a word times n falls
    /// into one of n intervals. The few values that would favour an interval are rejected and drawn
    /// again.
    #[inline]
    pub(super) fn below_32(&mut self, n: u32) -> u32 {
        loop {
            let long = (self.word() >> 32) * u64::from(n);
            let part = long as u32;
            // Only a part below n can be biased, so the division is rarely needed.
            if part >= n || part >= n.wrapping_neg() % n.max(1) {
                return (long >> 32) as u32;
            }
        }
    }
}

/// The generator for a whole block of samples: two generators side by side, so that the processor
/// works on one while it waits for the other.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    first: SampleRng,
    second: SampleRng,
}

impl Lanes {
    /// The generators of a block. No two blocks share a lane.
    pub(super) fn of_block(seed: u64, block: u64) -> Lanes {
        let lane = block.wrapping_mul(2);
        Lanes {
            first: SampleRng::of_block(seed, lane),
            second: SampleRng::of_block(seed, lane.wrapping_add(1)),
        }
    }

    /// Fills a row with halves of words, from the lanes in turn.
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

/// The finalizer of SplitMix64: every input bit affects every output bit.
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
        assert!(
            (0..1000)
                .all(|_| luck.below_32(1) == 0 && luck.below_32(3_000_000_000) < 3_000_000_000)
        );
    }
}
