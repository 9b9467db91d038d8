//! Sampling: many rolls at once. Samples show what happens, and check the odds from outside.
//!
//! A chart whose odds can be listed is [`Prepared`]: inputs, modifiers, bands and redraws become
//! one table of outcomes, and a sample is one random word and one look-up, without allocation. If
//! only counts are needed and the odds are integers over a small total, half a word and a few
//! comparisons are enough, without bias. A chart with too many ways is run in full for every sample
//! ([`PlayedSampler`]). A deck that continues from check to check is a [`LiveDeck`].
//!
//! Work is cut into blocks of a fixed size. Each block has its own random generator, from the seed
//! and the block's number, so the number of threads does not change the counts.

mod alias;
mod evidence;
mod halves;
mod live_deck;
mod played_sampler;
mod sample_rng;

pub use evidence::{Evidence, chi_square, wilson};
pub use live_deck::LiveDeck;
pub use played_sampler::PlayedSampler;
pub use sample_rng::SampleRng;

use crate::odds::{Chance, OddsError, OddsOptions, OddsOutcome, OutcomeChance, Unfollowed, weigh};
use crate::situation::Situation;
use alias::Alias;
use halves::Halves;
use num_bigint::BigUint;
use sample_rng::Lanes;
use std::collections::{BTreeMap, BTreeSet};

/// The block size for samples from a table: a few milliseconds.
const TABLE_BLOCK: u64 = 1 << 20;
/// The block size for charts run in full: each run takes as long as thousands of table look-ups.
const PLAY_BLOCK: u64 = 1 << 10;

/// A chart in one situation, compiled into a table of its outcomes. Outcomes are distinguished by
/// their result; without results by their value; for several units by the results of all of them.
///
/// ```
/// use adjutant_engine::{OddsOptions, SampleRng, Prepared, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "rally").unwrap();
/// let rally = Prepared::new(&situation, &OddsOptions::default()).unwrap();
/// let id = rally.sample(&mut SampleRng::of_block(7, 0));
/// println!("{}, chance {}", rally.outcomes()[id].title, rally.outcomes()[id].chance.exact());
/// ```
#[derive(Clone, Debug)]
pub struct Prepared {
    outcomes: Vec<OutcomeChance>,
    table: Alias,
    /// The fast way to count, if the odds are integers over a small total.
    halves: Option<Halves>,
    unfollowed: BTreeSet<Unfollowed>,
}

impl Prepared {
    /// Computes the exact odds and compiles them. Open questions must be answered first.
    pub fn new(situation: &Situation<'_>, asked: &OddsOptions) -> Result<Prepared, OddsError> {
        let (weights, total) = weigh(situation, asked)?;
        let mut merged: BTreeMap<OddsOutcome, BigUint> = BTreeMap::new();
        let mut unfollowed = BTreeSet::new();
        for (outcome, weight) in weights {
            unfollowed.extend(outcome.unfollowed.iter().cloned());
            *merged.entry(outcome.into_counted()).or_default() += weight;
        }
        let root = &situation.chart().id;
        let weights: Vec<BigUint> = merged.values().cloned().collect();
        let (table, halves) = (Alias::new(&weights), Halves::new(&weights));
        let outcomes = merged
            .into_iter()
            .map(|(outcome, ways)| outcome.chanced(root, Chance::new(ways, total.clone())))
            .collect();
        Ok(Prepared { outcomes, table, halves, unfollowed })
    }

    /// The outcomes with their exact probabilities, which add up to 1. A sample is an index into
    /// this list.
    pub fn outcomes(&self) -> &[OutcomeChance] {
        &self.outcomes
    }

    /// Takes one sample. Does not allocate.
    #[inline]
    pub fn sample(&self, luck: &mut SampleRng) -> usize {
        self.table.at(luck.word())
    }

    /// Of the 2⁶⁴ words of the generator, the number that give each outcome.
    pub fn words(&self) -> Vec<u128> {
        let mut words = self.table.words();
        words.truncate(self.outcomes.len());
        words
    }

    /// Takes many samples and adds them to the count of each outcome.
    fn count(&self, luck: &mut Lanes, samples: u64, counts: &mut [u64]) {
        match &self.halves {
            Some(halves) => halves.count(luck, samples, counts),
            None => self.table.count(luck, samples, counts),
        }
    }
}

/// The counts so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    samples: u64,
    /// By index in a prepared chart's list.
    counts: Vec<u64>,
    /// By outcome, for charts run in full.
    found: BTreeMap<OddsOutcome, u64>,
    /// What was not followed, of charts run in full.
    unfollowed: BTreeSet<Unfollowed>,
}

impl Tally {
    /// The number of samples counted.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Adds the counts of another tally of the same chart.
    pub fn add(&mut self, other: Tally) {
        self.samples += other.samples;
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        for (outcome, more) in other.found {
            *self.found.entry(outcome).or_default() += more;
        }
        self.unfollowed.extend(other.unfollowed);
    }
}

/// An outcome and its number of occurrences.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The outcome. Its probability is 0 if the sampler does not know it.
    pub what: OutcomeChance,
    /// The number of times it occurred.
    pub count: u64,
}

/// Samples a chart with the fastest available method.
///
/// ```
/// use adjutant_engine::{OddsOptions, Sampler, Situation, Tally};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let sampler = Sampler::new(&Situation::new(&pack, "rally").unwrap(), &OddsOptions::default()).unwrap();
/// let mut tally = Tally::default();
/// for block in 0..sampler.blocks(1000) {
///     sampler.sample_block(7, block, 1000, &mut tally).unwrap();
/// }
/// assert_eq!(tally.samples(), 1000);
/// assert_eq!(sampler.counted(&tally).iter().map(|line| line.count).sum::<u64>(), 1000);
/// ```
#[derive(Clone, Debug)]
pub enum Sampler<'p> {
    /// From a table of outcomes.
    Prepared(Prepared),
    /// By running the chart for every sample.
    Played(Box<PlayedSampler<'p>>),
}

impl<'p> Sampler<'p> {
    /// Uses a table if the exact odds can be computed, else the chart itself.
    pub fn new(situation: &Situation<'p>, asked: &OddsOptions) -> Result<Sampler<'p>, OddsError> {
        match Prepared::new(situation, asked) {
            Ok(prepared) => Ok(Sampler::Prepared(prepared)),
            Err(OddsError::TooLarge(_)) => {
                Ok(Sampler::Played(Box::new(PlayedSampler::new(situation, asked))))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Whether the exact odds are known.
    pub fn is_exact(&self) -> bool {
        matches!(self, Sampler::Prepared(_))
    }

    fn block_size(&self) -> u64 {
        if self.is_exact() { TABLE_BLOCK } else { PLAY_BLOCK }
    }

    /// The number of blocks for this many samples. The last block may be short.
    pub fn blocks(&self, samples: u64) -> u64 {
        samples.div_ceil(self.block_size())
    }

    /// Takes the samples of one block, where `of` is the total number of samples.
    pub fn sample_block(
        &self,
        seed: u64,
        block: u64,
        of: u64,
        tally: &mut Tally,
    ) -> Result<(), OddsError> {
        let size = self.block_size();
        let samples = of.saturating_sub(block.saturating_mul(size)).min(size);
        match self {
            Sampler::Prepared(prepared) => {
                tally.counts.resize(prepared.outcomes.len(), 0);
                prepared.count(&mut Lanes::of_block(seed, block), samples, &mut tally.counts);
            }
            Sampler::Played(played) => {
                let mut luck = SampleRng::of_block(seed, block);
                for _ in 0..samples {
                    let outcome = played.play_whole(&mut luck)?;
                    if !outcome.unfollowed.is_empty() {
                        tally.unfollowed.extend(outcome.unfollowed.iter().cloned());
                    }
                    *tally.found.entry(outcome.into_counted()).or_default() += 1;
                }
            }
        }
        tally.samples += samples;
        Ok(())
    }

    /// The charts that would follow and were not run: all that may be, or those that came.
    pub fn unfollowed(&self, tally: &Tally) -> Vec<Unfollowed> {
        let found = match self {
            Sampler::Prepared(prepared) => &prepared.unfollowed,
            Sampler::Played(_) => &tally.unfollowed,
        };
        found.iter().cloned().collect()
    }

    /// The outcomes with their counts: all outcomes of a table, or those that occurred.
    pub fn counted(&self, tally: &Tally) -> Vec<Counted> {
        match self {
            Sampler::Prepared(prepared) => {
                let counts = tally.counts.iter().copied().chain(std::iter::repeat(0));
                prepared
                    .outcomes
                    .iter()
                    .zip(counts)
                    .map(|(what, count)| Counted { what: what.clone(), count })
                    .collect()
            }
            Sampler::Played(played) => {
                let line = |(outcome, count): (&OddsOutcome, &u64)| Counted {
                    what: played.unweighed(outcome),
                    count: *count,
                };
                tally.found.iter().map(line).collect()
            }
        }
    }
}
