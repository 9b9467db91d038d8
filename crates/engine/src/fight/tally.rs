//! Counts of a fight that is simulated many times: how it ended, how long it took, the losses, and
//! the margin of error.

use super::chain::EndPoint;
use adjutant_dice::Number;
use adjutant_pack::FightSideId;
use std::collections::BTreeMap;

/// The counts of many simulated fights.
#[derive(Clone, Debug, Default)]
pub struct FightTally {
    /// The number of fights.
    pub fights: u64,
    /// The number of fights by their end.
    pub ends: BTreeMap<EndPoint, u64>,
    /// The number of fights that were not decided within the step limit.
    pub undecided: u64,
    rounds: u64,
    rounds_squared: u128,
}

impl FightTally {
    /// Adds the end of one fight and its number of rounds; `None` if it was not decided.
    pub fn note(&mut self, played: Option<(EndPoint, u32)>) {
        self.fights += 1;
        match played {
            None => self.undecided += 1,
            Some((end, rounds)) => {
                self.rounds += u64::from(rounds);
                self.rounds_squared += u128::from(rounds) * u128::from(rounds);
                *self.ends.entry(end).or_default() += 1;
            }
        }
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: FightTally) {
        self.fights += other.fights;
        self.undecided += other.undecided;
        self.rounds += other.rounds;
        self.rounds_squared += other.rounds_squared;
        for (end, more) in other.ends {
            *self.ends.entry(end).or_default() += more;
        }
    }

    /// The number of fights with such an end.
    pub fn count(&self, holds: impl Fn(&EndPoint) -> bool) -> u64 {
        self.ends.iter().filter(|(end, _)| holds(end)).map(|(_, count)| count).sum()
    }

    /// The mean number of rounds and its margin of error; `None` if some fights were not decided.
    pub fn rounds(&self) -> Option<(f64, f64)> {
        (self.undecided == 0).then(|| self.mean(self.rounds as f64, self.rounds_squared as f64))
    }

    /// The mean number of units that a side lost, and its margin of error.
    pub fn lost(&self, side: FightSideId, began: u32) -> (f64, f64) {
        let lost = |end: &EndPoint| {
            f64::from(began.saturating_sub(end.left.get(side).copied().unwrap_or(0)))
        };
        let sum = |power: i32| {
            self.ends.iter().map(|(end, count)| lost(end).powi(power) * *count as f64).sum()
        };
        self.mean(sum(1), sum(2))
    }

    /// The number of fights by the total that a side has left, for one of its totals.
    pub fn totals(&self, side: FightSideId, place: usize) -> BTreeMap<Number, u64> {
        let mut counts = BTreeMap::new();
        for (end, count) in &self.ends {
            let total = end.totals.get(side).and_then(|totals| totals.get(place));
            if let Some(total) = total {
                *counts.entry(*total).or_default() += count;
            }
        }
        counts
    }

    /// The mean of such a total and its margin of error.
    pub fn mean_total(&self, side: FightSideId, place: usize) -> (f64, f64) {
        let value = |total: &Number| total.numerator() as f64 / total.denominator() as f64;
        let counts = self.totals(side, place);
        let sum = |power: i32| {
            counts.iter().map(|(total, count)| value(total).powi(power) * *count as f64).sum()
        };
        self.mean(sum(1), sum(2))
    }

    /// A mean with half the width of its 95 % interval.
    fn mean(&self, sum: f64, squares: f64) -> (f64, f64) {
        let n = self.fights.max(1) as f64;
        let mean = sum / n;
        let variance = (squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        (mean, 1.96 * (variance / n).sqrt())
    }
}
