//! A table that turns one random word into an outcome with one look-up (Walker's alias method with
//! Vose's construction). The number of columns is a power of two. All columns have the same height,
//! and each holds at most two outcomes: the word's first bits select the column, the other bits the
//! height in it.
//!
//! All arithmetic is integer. The 2⁶⁴ words are divided among the outcomes, so that each gets the
//! number of words nearest to its exact probability: each is off by less than one word, a
//! probability of 1/2⁶⁴ ≈ 5.4 × 10⁻²⁰. That is the resolution; a rarer outcome may have no word at
//! all. The table itself adds no error: each outcome gets exactly its share of the words.

use super::sample_rng::Lanes;
use num_bigint::BigUint;

/// One column: below the mark is the outcome with the column's own index, above it the other.
#[derive(Clone, Copy, Debug)]
struct Column {
    mark: u64,
    other: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Alias {
    columns: Vec<Column>,
    /// The number of bits of a word that are the height.
    bits: u32,
}

impl Alias {
    /// A table for outcomes with these weights. At least one weight must not be 0.
    pub(super) fn new(weights: &[BigUint]) -> Alias {
        // At least two columns, so that a column's height always fits in a word.
        let count = weights.len().max(2).next_power_of_two();
        let bits = 64 - count.trailing_zeros();
        let full = 1_u128 << bits;
        let mut left = shares(weights);
        left.resize(count, 0);
        let mut columns: Vec<Column> =
            (0..count).map(|own| Column { mark: full as u64, other: own }).collect();
        let (mut low, mut high): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|place| left[*place] < full);
        // Each low column is filled up from a high one, which may become low itself. The shares
        // fill all columns exactly, so while one is low another is high.
        while let (Some(small), Some(large)) = (low.pop(), high.pop()) {
            columns[small] = Column { mark: left[small] as u64, other: large };
            left[large] -= full - left[small];
            if left[large] < full { low.push(large) } else { high.push(large) }
        }
        Alias { columns, bits }
    }

    /// The outcome of a word.
    #[inline]
    pub(super) fn at(&self, word: u64) -> usize {
        let own = (word >> self.bits) as usize;
        let height = word & ((1 << self.bits) - 1);
        let column = self.columns[own];
        if height < column.mark { own } else { column.other }
    }

    /// Takes samples and adds them to the counts of the outcomes. There are two counts for each
    /// outcome, so that a sample need not wait for the write of the previous one.
    pub(super) fn count(&self, luck: &mut Lanes, samples: u64, counts: &mut [u64]) {
        let mut both = vec![[0_u64; 2]; self.columns.len()];
        for _ in 0..samples / 2 {
            let (first, second) = luck.words();
            both[self.at(first)][0] += 1;
            both[self.at(second)][1] += 1;
        }
        if samples % 2 == 1 {
            both[self.at(luck.words().0)][0] += 1;
        }
        for (count, [first, second]) in counts.iter_mut().zip(both) {
            *count += first + second;
        }
    }

    /// The number of words that give each outcome.
    pub(super) fn words(&self) -> Vec<u128> {
        let mut words = vec![0; self.columns.len()];
        for (own, column) in self.columns.iter().enumerate() {
            words[own] += u128::from(column.mark);
            words[column.other] += (1_u128 << self.bits) - u128::from(column.mark);
        }
        words
    }
}

/// Divides the 2⁶⁴ words by weight: each outcome gets the integer part of its share, and the
/// remaining words go to the outcomes with the largest fractional parts.
fn shares(weights: &[BigUint]) -> Vec<u128> {
    let all = 1_u128 << 64;
    let total: BigUint = weights.iter().sum();
    if total == BigUint::ZERO {
        return Vec::from([all]);
    }
    let due: Vec<BigUint> = weights.iter().map(|weight| weight << 64).collect();
    let mut shares: Vec<u128> =
        due.iter().map(|due| u128::try_from(due / &total).unwrap_or(all)).collect();
    let mut by_rest: Vec<usize> = (0..weights.len()).collect();
    by_rest.sort_by_key(|place| std::cmp::Reverse(&due[*place] % &total));
    let remain = all - shares.iter().sum::<u128>();
    for place in by_rest.into_iter().take(remain as usize) {
        shares[place] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_belongs_to_one_outcome_and_none_is_off_by_a_word() {
        for weights in [
            vec![1_u32],
            vec![1, 2],
            vec![9, 19 * 4, 17, 28],
            vec![1; 37],
            (1..300).collect(),
            vec![u32::MAX, 1, 1],
        ] {
            let weights: Vec<BigUint> = weights.into_iter().map(BigUint::from).collect();
            let total: BigUint = weights.iter().sum();
            let words = Alias::new(&weights).words();
            assert_eq!(words.iter().sum::<u128>(), 1 << 64);
            for (weight, words) in weights.iter().zip(&words) {
                let (due, got) = (weight << 64, BigUint::from(*words) * &total);
                let off = if due > got { due - got } else { got - due };
                assert!(off < total, "{weight} of {total}");
            }
            assert!(words[weights.len()..].iter().all(|words| *words == 0));
        }
    }

    #[test]
    fn the_first_and_the_last_word_of_a_column_lie_on_either_side_of_its_mark() {
        let table = Alias::new(&[BigUint::from(1_u32), BigUint::from(3_u32)]);
        let quarter = 1_u64 << 62;
        assert_eq!([0, quarter - 1, quarter, u64::MAX].map(|word| table.at(word)), [0, 0, 1, 1]);
    }
}
