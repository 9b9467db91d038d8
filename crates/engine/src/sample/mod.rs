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

use crate::odds::{Chance, OddsError, OddsOptions, OddsOutcome, OutcomeChance, outcome, weigh};
use crate::situation::Situation;
use alias::Alias;
use halves::Halves;
use num_bigint::BigUint;
use sample_rng::Lanes;
use std::collections::BTreeMap;

/// A block of samples from a table: a few thousandths of a second.
const TABLE_BLOCK: u64 = 1 << 20;
/// A block of charts played in full: each takes as long as thousands of looks at a table.
const PLAY_BLOCK: u64 = 1 << 10;

/// A chart in one situation, folded into a table of its outcomes. Outcomes are told apart by their result;
/// a chart without results by its value; several units by what all of them got.
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
    /// The quick way to count, if the chances are simple.
    halves: Option<Halves>,
}

impl Prepared {
    /// Works out the exact chances and folds them. A question that is open must be answered first.
    pub fn new(situation: &Situation<'_>, asked: &OddsOptions) -> Result<Prepared, OddsError> {
        let (weights, total) = weigh(situation, asked, &[], &outcome)?;
        let mut merged: BTreeMap<OddsOutcome, BigUint> = BTreeMap::new();
        for (outcome, weight) in weights {
            *merged.entry(outcome.into_counted()).or_default() += weight;
        }
        let root = &situation.chart().id;
        let weights: Vec<BigUint> = merged.values().cloned().collect();
        let (table, halves) = (Alias::new(&weights), Halves::new(&weights));
        let outcomes = merged.into_iter().map(|(outcome, ways)| outcome.chanced(root, Chance::new(ways, total.clone()))).collect();
        Ok(Prepared { outcomes, table, halves })
    }

    /// The outcomes with their exact chances, which make one; a sample is a place in this list.
    pub fn outcomes(&self) -> &[OutcomeChance] {
        &self.outcomes
    }

    /// One sample. Nothing is allocated.
    #[inline]
    pub fn sample(&self, luck: &mut SampleRng) -> usize {
        self.table.at(luck.word())
    }

    /// Of the 2⁶⁴ words that luck may give, how many give each outcome.
    pub fn words(&self) -> Vec<u128> {
        let mut words = self.table.words();
        words.truncate(self.outcomes.len());
        words
    }

    /// Many samples, added to a count for each outcome.
    fn count(&self, luck: &mut Lanes, samples: u64, counts: &mut [u64]) {
        match &self.halves {
            Some(halves) => halves.count(luck, samples, counts),
            None => self.table.count(luck, samples, counts),
        }
    }
}

/// What was counted so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    samples: u64,
    /// By place in a prepared chart's list.
    counts: Vec<u64>,
    /// By outcome, for charts played in full.
    found: BTreeMap<OddsOutcome, u64>,
}

impl Tally {
    /// How many samples it holds.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Adds another tally of the same chart.
    pub fn add(&mut self, other: Tally) {
        self.samples += other.samples;
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        for (outcome, more) in other.found {
            *self.found.entry(outcome).or_default() += more;
        }
    }
}

/// An outcome and how often it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The outcome; its chance stands at nought where the sampler knows none.
    pub what: OutcomeChance,
    /// How often it came.
    pub count: u64,
}

/// Samples a chart by the quickest way there is.
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
    /// From a table.
    Prepared(Prepared),
    /// By playing the chart each time.
    Played(PlayedSampler<'p>),
}

impl<'p> Sampler<'p> {
    /// A table where the exact chances can be listed, else the chart itself.
    pub fn new(situation: &Situation<'p>, asked: &OddsOptions) -> Result<Sampler<'p>, OddsError> {
        match Prepared::new(situation, asked) {
            Ok(prepared) => Ok(Sampler::Prepared(prepared)),
            Err(OddsError::TooLarge) => PlayedSampler::new(situation, asked).map(Sampler::Played),
            Err(stop) => Err(stop),
        }
    }

    /// Whether the exact chances are known.
    pub fn is_exact(&self) -> bool {
        matches!(self, Sampler::Prepared(_))
    }

    fn block_size(&self) -> u64 {
        if self.is_exact() { TABLE_BLOCK } else { PLAY_BLOCK }
    }

    /// How many blocks so many samples make; the last may be short.
    pub fn blocks(&self, samples: u64) -> u64 {
        samples.div_ceil(self.block_size())
    }

    /// Takes the samples of one block of a whole of so many.
    pub fn sample_block(&self, seed: u64, block: u64, of: u64, tally: &mut Tally) -> Result<(), OddsError> {
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
                    *tally.found.entry(played.play(&mut luck)?).or_default() += 1;
                }
            }
        }
        tally.samples += samples;
        Ok(())
    }

    /// The outcomes with their counts: all that a table knows, or those that came up in play.
    pub fn counted(&self, tally: &Tally) -> Vec<Counted> {
        match self {
            Sampler::Prepared(prepared) => {
                let counts = tally.counts.iter().copied().chain(std::iter::repeat(0));
                prepared.outcomes.iter().zip(counts).map(|(what, count)| Counted { what: what.clone(), count }).collect()
            }
            Sampler::Played(played) => {
                let line = |(outcome, count): (&OddsOutcome, &u64)| Counted { what: played.unweighed(outcome), count: *count };
                tally.found.iter().map(line).collect()
            }
        }
    }
}
