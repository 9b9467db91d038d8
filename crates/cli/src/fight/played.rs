//! A fight played many times, by many hands. Each block of fights has luck of its own and begins with a player who
//! remembers nothing, so the counts depend on the seed and on nothing else.

use crate::crew::{self, Work};
use std::collections::BTreeMap;
use std::time::Instant;
use umpire::{EndPoint, FightPlayer, FightSituation, Luck, OddsStop};

/// How many fights have luck of their own in common.
pub const BLOCK: u64 = 1 << 10;

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
    fn note(&mut self, played: Option<(EndPoint, u32)>) {
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

    fn add(&mut self, other: FightTally) {
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
    pub fn lost(&self, side: usize, began: u32) -> (f64, f64) {
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

/// Plays so many fights, or as many as there is time for.
pub fn play(
    situation: &FightSituation<'_>,
    seed: u64,
    fights: u64,
    threads: usize,
    until: Option<Instant>,
) -> Result<FightTally, OddsStop> {
    let mut whole = FightTally::default();
    let hand = |work: &Work| play_blocks(situation, seed, fights, work);
    crew::run((fights.div_ceil(BLOCK), fights, threads, until), hand, |part| whole.add(part))?;
    Ok(whole)
}

/// One hand's part.
pub fn play_blocks(situation: &FightSituation<'_>, seed: u64, fights: u64, work: &Work) -> Result<FightTally, OddsStop> {
    let mut player = FightPlayer::new(situation)?;
    let mut tally = FightTally::default();
    while let Some(block) = work.next() {
        player.afresh()?;
        let mut luck = Luck::of_block(seed, block);
        for _ in 0..BLOCK.min(fights - block * BLOCK) {
            // One fight may be long, so Ctrl-C is heard after each.
            if work.halted() {
                break;
            }
            tally.note(player.play(&mut luck)?);
            work.did(1);
        }
    }
    Ok(tally)
}
