//! Limits on the time and memory to solve or simulate a fight.

use super::chain::{Link, MOST_STANDINGS};
use super::state::FightState;
use crate::odds::OddsError;
use num_bigint::BigUint;
use std::fmt;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The allowed time is over.
    Time,
    /// The fight needs more memory than allowed.
    Memory,
}

/// The limits for a fight. The engine has no clock: the caller decides when the time is over.
#[derive(Clone, Copy)]
pub struct FightLimits<'a> {
    /// The maximum number of states.
    pub standings: usize,
    /// The approximate maximum number of bytes in use.
    pub memory: usize,
    /// Called repeatedly. Returns true to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

fn never() -> bool {
    false
}

impl Default for FightLimits<'_> {
    fn default() -> Self {
        FightLimits { standings: MOST_STANDINGS, memory: usize::MAX, stop: &never }
    }
}

impl fmt::Debug for FightLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FightLimits")
            .field("standings", &self.standings)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl FightLimits<'_> {
    /// Checks the limits with this many bytes in use.
    pub(super) fn check(&self, bytes: usize) -> Result<(), OddsError> {
        if bytes > self.memory {
            return Err(OddsError::OverLimit(Limit::Memory));
        }
        if (self.stop)() { Err(OddsError::OverLimit(Limit::Time)) } else { Ok(()) }
    }
}

/// The approximate size of a state in bytes.
pub(super) fn bytes_of(standing: &FightState) -> usize {
    let sides: usize = standing.sides.iter().map(|side| 24 + side.len() * 8).sum();
    let cards: usize = standing.cards.iter().map(|deck| 24 + deck.len() * 4).sum();
    size_of::<FightState>() + sides + cards + standing.due.len() * 160 + standing.memory.len() * 24
}

/// The approximate size of the transitions of a state in bytes.
pub(super) fn bytes_of_ways(ways: &[(Link, BigUint)]) -> usize {
    ways.iter()
        .map(|(_, weight)| size_of::<(Link, BigUint)>() + 16 + weight.bits() as usize / 8)
        .sum()
}
