//! What it may cost to weigh or to play a fight.

use super::chain::{Link, MOST_STANDINGS};
use super::state::FightState;
use crate::odds::OddsError;
use num_bigint::BigUint;
use std::fmt;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time that was allowed is over.
    Time,
    /// It would take more memory than was allowed.
    Memory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "this fight takes more time than is allowed",
            Limit::Memory => "this fight takes more memory than is allowed",
        })
    }
}

/// How much a fight may cost. The engine has no clock: the caller says when the time is over.
#[derive(Clone, Copy)]
pub struct FightLimits<'a> {
    /// How many standings are looked at.
    pub standings: usize,
    /// About how many bytes are held.
    pub memory: usize,
    /// Called again and again: true to give up.
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
        f.debug_struct("FightLimits").field("standings", &self.standings).field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl FightLimits<'_> {
    /// Whether it may go on with so many bytes held.
    pub(super) fn check(&self, bytes: usize) -> Result<(), OddsError> {
        if bytes > self.memory {
            return Err(OddsError::OverLimit(Limit::Memory));
        }
        if (self.stop)() { Err(OddsError::OverLimit(Limit::Time)) } else { Ok(()) }
    }
}

/// About how many bytes a standing takes.
pub(super) fn bytes_of(standing: &FightState) -> usize {
    let sides: usize = standing.sides.iter().map(|side| 24 + side.len() * 8).sum();
    let cards: usize = standing.cards.iter().map(|deck| 24 + deck.len() * 4).sum();
    size_of::<FightState>() + sides + cards + standing.due.len() * 160 + standing.memory.len() * 24
}

/// About how many bytes the ways out of a standing take.
pub(super) fn bytes_of_ways(ways: &[(Link, BigUint)]) -> usize {
    ways.iter().map(|(_, weight)| size_of::<(Link, BigUint)>() + 16 + weight.bits() as usize / 8).sum()
}
