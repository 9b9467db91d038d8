//! Counts many samples of a chart with few outcomes. Most charts are a few dice, so their odds are
//! integers over a small total such as 100. Then half a random word decides a sample, without bias:
//! the 2³² halves are divided in whole multiples of the total, and a half beyond the last multiple
//! (at most one in 65 536) is rejected and drawn again.
//!
//! Only the number of samples of each outcome matters, not their order. So whole rows of halves are
//! compared with the end of each outcome's share, which a processor does several at a time.

use super::sample_rng::Lanes;
use num_bigint::BigUint;
use num_integer::Integer;

/// The largest total. A larger one would reject too often.
const LARGEST_TOTAL: u32 = 1 << 16;
/// With more outcomes than this, a table look-up is faster than the comparisons.
const MOST_OUTCOMES: usize = 12;
/// The number of halves made at a time. They stay in the processor's L1 cache.
pub(super) const ROW: usize = 2048;

#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The last half of each outcome's share. Halves beyond the last share are rejected.
    last: Vec<u32>,
}

impl Halves {
    /// For outcomes with these weights; `None` if there are too many or their total is too large.
    pub(super) fn new(weights: &[BigUint]) -> Option<Halves> {
        let shared = weights.iter().fold(BigUint::ZERO, |shared, weight| shared.gcd(weight));
        if shared == BigUint::ZERO
            || weights.len() > MOST_OUTCOMES
            || weights.contains(&BigUint::ZERO)
        {
            return None;
        }
        let weights = weights
            .iter()
            .map(|weight| u32::try_from(weight / &shared).ok())
            .collect::<Option<Vec<u32>>>()?;
        let total = weights
            .iter()
            .try_fold(0_u32, |sum, weight| sum.checked_add(*weight))
            .filter(|total| *total <= LARGEST_TOTAL)?;
        let each = (1_u64 << 32) / u64::from(total);
        let mut end = 0;
        let share = |weight: &u32| {
            end += u64::from(*weight) * each;
            (end - 1) as u32
        };
        Some(Halves { last: weights.iter().map(share).collect() })
    }

    /// Takes samples and adds them to the counts of the outcomes.
    pub(super) fn count(&self, luck: &mut Lanes, samples: u64, counts: &mut [u64]) {
        let mut row = [0_u32; ROW];
        let mut left = samples;
        while left > 0 {
            luck.fill(&mut row);
            let taken = &row[..left.min(ROW as u64) as usize];
            let mut below = 0;
            for (last, count) in self.last.iter().zip(counts.iter_mut()) {
                let up_to = taken.iter().map(|half| u32::from(half <= last)).sum::<u32>();
                *count += u64::from(up_to - below);
                below = up_to;
            }
            left -= u64::from(below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(list: &[u32]) -> Vec<BigUint> {
        list.iter().map(|weight| BigUint::from(*weight)).collect()
    }

    #[test]
    fn every_outcome_has_exactly_its_share_of_the_halves_that_count() {
        for list in [
            vec![1],
            vec![18, 36, 27, 19],
            vec![1, 1],
            vec![3; 7],
            vec![65_535, 1],
            vec![600, 1200, 3000],
        ] {
            let halves = Halves::new(&weights(&list)).expect("few and small");
            let counting = u64::from(halves.last[list.len() - 1]) + 1;
            let total: u64 = list.iter().map(|weight| u64::from(*weight)).sum();
            assert!(counting > (1 << 32) - u64::from(LARGEST_TOTAL));
            let mut before = 0;
            for (weight, last) in list.iter().zip(&halves.last) {
                let end = u64::from(*last) + 1;
                assert_eq!((end - before) * total, u64::from(*weight) * counting);
                before = end;
            }
        }
    }

    #[test]
    fn many_outcomes_and_large_totals_are_left_to_the_table() {
        assert!(Halves::new(&weights(&[65_536, 1])).is_none());
        assert!(Halves::new(&weights(&[1; MOST_OUTCOMES + 1])).is_none());
        assert!(Halves::new(&weights(&[0, 1])).is_none());
    }

    #[test]
    fn exactly_so_many_samples_are_taken() {
        let halves = Halves::new(&weights(&[32_768, 32_000, 1])).expect("few and small");
        for samples in [0, 1, 2047, 2048, 2049, 1_000_000] {
            let mut counts = [0; 3];
            halves.count(&mut Lanes::of_block(3, 1), samples, &mut counts);
            assert_eq!(counts.iter().sum::<u64>(), samples);
        }
    }
}
