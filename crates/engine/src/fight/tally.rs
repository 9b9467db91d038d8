//! What is counted of a fight that is played many times: how it ended, how long it took, what it cost, and how far off
//! that may be.

use super::chain::EndPoint;
use adjutant_pack::FightSideId;
use std::collections::BTreeMap;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct FightTally {
    /// How many fights were played.
    pub fights: u64,
    /// How they ended.
    pub ends: BTreeMap<EndPoint, u64>,
    /// How many were not decided while anybody looked.
    pub undecided: u64,
    rounds: u64,
    rounds_squared: u128,
}

impl FightTally {
    /// Notes how a fight was decided and how many rounds it took; nothing if it was not.
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

    /// Adds what others have counted.
    pub fn add(&mut self, other: FightTally) {
        self.fights += other.fights;
        self.undecided += other.undecided;
        self.rounds += other.rounds;
        self.rounds_squared += other.rounds_squared;
        for (end, more) in other.ends {
            *self.ends.entry(end).or_default() += more;
        }
    }

    /// How many ended like this.
    pub fn count(&self, holds: impl Fn(&EndPoint) -> bool) -> u64 {
        self.ends.iter().filter(|(end, _)| holds(end)).map(|(_, count)| count).sum()
    }

    /// How many rounds they took on average, and how far off that may be; none if some were not decided.
    pub fn rounds(&self) -> Option<(f64, f64)> {
        (self.undecided == 0).then(|| self.mean(self.rounds as f64, self.rounds_squared as f64))
    }

    /// How many units a side lost on average, and how far off that may be.
    pub fn lost(&self, side: FightSideId, began: u32) -> (f64, f64) {
        let lost = |end: &EndPoint| f64::from(began.saturating_sub(end.left.get(side).copied().unwrap_or(0)));
        let sum = |power: i32| self.ends.iter().map(|(end, count)| lost(end).powi(power) * *count as f64).sum();
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
