//! A table that turns one random word into an outcome at one look (Walker's alias method, laid out as
//! Vose does). There is a power of two of columns, all equally high, and each holds at most two outcomes:
//! the word's first bits choose the column, the rest of its bits the height in it.
//!
//! All of it is whole numbers. The 2⁶⁴ words are shared out among the outcomes, so that each gets the
//! words nearest to its exact chance: none is off by as much as one word, a chance of 1/2⁶⁴ ≈ 5.4 × 10⁻²⁰.
//! That is the resolution; an outcome rarer than that may have no word at all. The table itself adds no
//! error: what it gives each outcome is exactly its share of the words.

use super::sample_rng::Lanes;
use num_bigint::BigUint;

/// One column: below the mark stands the outcome of the column's own number, above it the other.
#[derive(Clone, Copy, Debug)]
struct Column {
    mark: u64,
    other: usize,
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Alias {
    columns: Vec<Column>,
    /// How many bits of a word are the height.
    bits: u32,
}

impl Alias {
    /// For outcomes with these weights, of which one at least is not nought.
    pub(super) fn new(weights: &[BigUint]) -> Alias {
        // Two columns at least, so that a column's height always fits a word.
        let count = weights.len().max(2).next_power_of_two();
        let bits = 64 - count.trailing_zeros();
        let full = 1_u128 << bits;
        let mut left = shares(weights);
        left.resize(count, 0);
        let mut columns: Vec<Column> = (0..count).map(|own| Column { mark: full as u64, other: own }).collect();
        let (mut low, mut high): (Vec<usize>, Vec<usize>) = (0..count).partition(|place| left[*place] < full);
        // Each low column is filled up by a high one, which may be low thereafter. The shares make exactly
        // all columns full, so while one is low another is high.
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

    /// Takes so many samples and adds them to the counts of the outcomes. Two counts are kept side by side,
    /// so that one sample need not wait until the one before it is written down.
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

    /// How many of all words give each outcome.
    pub(super) fn words(&self) -> Vec<u128> {
        let mut words = vec![0; self.columns.len()];
        for (own, column) in self.columns.iter().enumerate() {
            words[own] += u128::from(column.mark);
            words[column.other] += (1_u128 << self.bits) - u128::from(column.mark);
        }
        words
    }
}

/// The 2⁶⁴ words, shared out by weight: each the whole part of its due, and the words that remain to
/// those with the largest parts cut off.
fn shares(weights: &[BigUint]) -> Vec<u128> {
    let all = 1_u128 << 64;
    let total: BigUint = weights.iter().sum();
    if total == BigUint::ZERO {
        return Vec::from([all]);
    }
    let due: Vec<BigUint> = weights.iter().map(|weight| weight << 64).collect();
    let mut shares: Vec<u128> = due.iter().map(|due| u128::try_from(due / &total).unwrap_or(all)).collect();
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
        for weights in [vec![1_u32], vec![1, 2], vec![9, 19 * 4, 17, 28], vec![1; 37], (1..300).collect(), vec![u32::MAX, 1, 1]] {
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
