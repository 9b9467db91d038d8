//! Simulates a fight many times: for fights with too many states, and to check the exact solution
//! from outside. The transitions of a state are computed once and cached ([`FightMemory`]). Fights
//! are played in blocks that start fresh, so a seed gives the same counts for any number of
//! threads, however the work is cut.

use super::FightSituation;
use super::chain::{EndPoint, explore};
use super::decks::Decks;
use super::limits::{FightLimits, Limit, bytes_of};
use super::rules::{Changes, FightRules, NextState, RunKey};
use super::state::{FightState, UnitStates};
use crate::odds::OddsError;
use crate::sample::SampleRng;
use adjutant_pack::{FightSideId, IdVec};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The maximum number of steps in one fight. Only a fight that is never decided needs more.
const MOST_STEPS: u64 = 1_000_000;
/// The number of steps between two checks of the time limit.
const STEPS_UNASKED: u64 = 1 << 12;
/// The maximum number of cached states. Beyond it a state is computed again each time.
const MOST_KEPT: usize = 200_000;

/// The transitions of a state, each with the cumulative weight.
type Ways = Vec<(u64, usize)>;

/// Simulates a fight any number of times.
pub struct FightPlayer<'p> {
    ring: FightRules<'p>,
    standings: Vec<FightState>,
    places: HashMap<FightState, usize>,
    ways: Vec<Option<Ways>>,
    ends: Vec<EndPoint>,
    /// The approximate size of the states in bytes.
    bytes: usize,
}

/// The cache of a [`FightPlayer`], for another player of the same fight in the same situation. A
/// page simulates in slices and cannot keep one player alive. The second player continues as the
/// first would have, so the slicing does not change the counts.
#[derive(Default)]
pub struct FightMemory {
    kept: Option<Box<SuspendedPlayer>>,
}

/// All of a player except the situation.
struct SuspendedPlayer {
    barracks: UnitStates,
    begin: IdVec<FightSideId, usize>,
    runs: HashMap<RunKey, Changes>,
    decks: Decks,
    rolls: usize,
    standings: Vec<FightState>,
    places: HashMap<FightState, usize>,
    ways: Vec<Option<Ways>>,
    ends: Vec<EndPoint>,
    bytes: usize,
}

impl std::fmt::Debug for FightMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "FightMemory({} standings)",
            self.kept.as_ref().map_or(0, |kept| kept.standings.len())
        )
    }
}

/// Ends are numbered downwards from here.
const END: usize = usize::MAX;

impl<'p> FightPlayer<'p> {
    /// A player for a fight in its situation.
    pub fn new(situation: &FightSituation<'p>) -> Result<FightPlayer<'p>, OddsError> {
        FightPlayer::limited(situation, &FightLimits::default())
    }

    /// The same within limits.
    pub fn limited(
        situation: &FightSituation<'p>,
        limits: &FightLimits<'_>,
    ) -> Result<FightPlayer<'p>, OddsError> {
        let (mut ring, mut start) = FightRules::new(situation)?;
        if !situation.pack.decks().is_empty() {
            // A first pass finds the checks that draw cards. A fight too large for it is simulated
            // with full decks.
            match explore(&mut ring, start.clone(), limits) {
                Ok(_) if ring.keep_decks()? => start.cards.clone_from(&ring.decks.whole),
                Ok(_) | Err(OddsError::TooLarge(_) | OddsError::OverLimit(Limit::Memory)) => {}
                Err(stop) => return Err(stop),
            }
        }
        let places = HashMap::from([(start.clone(), 0)]);
        Ok(FightPlayer {
            ring,
            standings: vec![start],
            places,
            ways: vec![None],
            ends: Vec::new(),
            bytes: 0,
        })
    }

    /// Restores a player from the cache of another player of the same fight.
    pub fn with(
        situation: &FightSituation<'p>,
        memory: FightMemory,
    ) -> Result<FightPlayer<'p>, OddsError> {
        let Some(kept) = memory.kept else { return FightPlayer::new(situation) };
        let SuspendedPlayer {
            barracks,
            begin,
            runs,
            decks,
            rolls,
            standings,
            places,
            ways,
            ends,
            bytes,
        } = *kept;
        let ring = FightRules { situation: situation.clone(), barracks, begin, runs, decks, rolls };
        Ok(FightPlayer { ring, standings, places, ways, ends, bytes })
    }

    /// Turns the player into its cache.
    pub fn into_memory(self) -> FightMemory {
        let FightPlayer { ring, standings, places, ways, ends, bytes } = self;
        let FightRules { situation: _, barracks, begin, runs, decks, rolls } = ring;
        FightMemory {
            kept: Some(Box::new(SuspendedPlayer {
                barracks,
                begin,
                runs,
                decks,
                rolls,
                standings,
                places,
                ways,
                ends,
                bytes,
            })),
        }
    }

    /// Drops all cached states, so that the next simulation depends only on its random numbers and
    /// not on earlier ones: unit states are numbered in the order they are met. The effects of
    /// charts stay cached.
    pub fn afresh(&mut self) -> Result<(), OddsError> {
        self.afresh_within(&FightLimits::default())
    }

    /// The same within limits.
    pub fn afresh_within(&mut self, limits: &FightLimits<'_>) -> Result<(), OddsError> {
        let runs = std::mem::take(&mut self.ring.runs);
        *self = FightPlayer::limited(&self.ring.situation, limits)?;
        self.ring.runs = runs;
        Ok(())
    }

    /// The possible decisions of the fight: id and title.
    pub fn decisions(&self) -> Vec<(String, String)> {
        self.ring.decisions()
    }

    /// The number of units on each side at the start.
    pub fn begin(&self) -> &[usize] {
        self.ring.begin()
    }

    /// Simulates one fight. Returns its end and the number of rounds; `None` if it was not decided
    /// in a million steps.
    pub fn play(&mut self, luck: &mut SampleRng) -> Result<Option<(EndPoint, u32)>, OddsError> {
        self.play_within(luck, &FightLimits::default())
    }

    /// The same within limits: a fight that takes too long stops with [`OddsError::OverLimit`].
    pub fn play_within(
        &mut self,
        luck: &mut SampleRng,
        limits: &FightLimits<'_>,
    ) -> Result<Option<(EndPoint, u32)>, OddsError> {
        if self.standings.len() > MOST_KEPT || self.bytes > limits.memory / 2 {
            self.bytes = 0;
            self.standings.truncate(1);
            self.ways.truncate(1);
            self.ways[0] = None;
            self.places = HashMap::from([(self.standings[0].clone(), 0)]);
        }
        let (mut here, mut rounds) = (0, 0);
        for step in 0..MOST_STEPS {
            if step % STEPS_UNASKED == 0 {
                limits.check(self.bytes)?;
            }
            rounds += u32::from(self.standings[here].begins_round());
            if self.ways[here].is_none() {
                limits.check(self.bytes)?;
                self.work_out(here)?;
            }
            let Some(ways) = &self.ways[here] else { continue };
            let total = ways.last().map_or(1, |(up_to, _)| *up_to);
            let word = if ways.len() > 1 { luck.below(total) } else { 0 };
            let taken = ways[ways.partition_point(|(up_to, _)| *up_to <= word)].1;
            if taken > END - self.ends.len() - 1 {
                return Ok(Some((self.ends[END - taken].clone(), rounds)));
            }
            here = taken;
        }
        Ok(None)
    }

    fn work_out(&mut self, here: usize) -> Result<(), OddsError> {
        let steps = self.ring.step(self.standings[here].clone())?;
        let weights = in_words(&steps.iter().map(|(weight, _)| weight.clone()).collect::<Vec<_>>());
        let mut ways = Vec::with_capacity(steps.len());
        let mut sum = 0;
        for (weight, (_, to)) in weights.into_iter().zip(steps) {
            let place = match to {
                NextState::End(end) => {
                    let known =
                        self.ends.iter().position(|known| *known == end).unwrap_or_else(|| {
                            self.ends.push(end);
                            self.ends.len() - 1
                        });
                    END - known
                }
                NextState::Standing(standing) => match self.places.get(&standing) {
                    Some(place) => *place,
                    None => {
                        let place = self.standings.len();
                        self.bytes += 2 * bytes_of(&standing);
                        self.standings.push(standing.clone());
                        self.ways.push(None);
                        self.places.insert(standing, place);
                        place
                    }
                },
            };
            sum += weight;
            ways.push((sum, place));
        }
        self.bytes += size_of_val(ways.as_slice());
        self.ways[here] = Some(ways);
        Ok(())
    }
}

/// The weights as 64-bit integers: unchanged if they fit, else all shortened to 48 binary digits.
fn in_words(weights: &[BigUint]) -> Vec<u64> {
    let total: BigUint = weights.iter().sum();
    let cut = total.bits().saturating_sub(48);
    weights.iter().map(|weight| u64::try_from(weight >> cut).unwrap_or(u64::MAX >> 16)).collect()
}
