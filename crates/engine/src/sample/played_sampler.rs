//! Samples a chart with too many outcomes for exact odds: runs it in full for every sample. This is
//! much slower than a table, but always possible.

use super::SampleRng;
use crate::error::NoOdds;
use crate::odds::{
    AnswerOdds, Chance, OddsError, OddsOptions, OddsOutcome, OutcomeChance, alone, open_need,
    outcome, played_chain,
};
use crate::run::resolve;
use crate::situation::Situation;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, ThrownBy,
};

/// A chart in one situation, to be run again and again.
///
/// ```
/// use adjutant_engine::{OddsOptions, SampleRng, PlayedSampler, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let rally = PlayedSampler::new(&Situation::new(&pack, "rally").unwrap(), &OddsOptions::default());
/// let outcome = rally.play(&mut SampleRng::of_block(7, 0)).unwrap();
/// assert!(outcome.result.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct PlayedSampler<'p> {
    situation: Situation<'p>,
    asked: OddsOptions,
}

impl<'p> PlayedSampler<'p> {
    /// A sampler for the chart, and for the charts that follow if the options say so.
    pub fn new(situation: &Situation<'p>, asked: &OddsOptions) -> PlayedSampler<'p> {
        PlayedSampler { situation: situation.clone(), asked: asked.clone() }
    }

    /// Runs the chart once, with the decks of the situation.
    pub fn play(&self, luck: &mut SampleRng) -> Result<OddsOutcome, OddsError> {
        self.play_whole(luck).map(OddsOutcome::into_counted)
    }

    /// The same, with all that counts do not distinguish.
    pub(super) fn play_whole(&self, luck: &mut SampleRng) -> Result<OddsOutcome, OddsError> {
        let mut source = Player { luck, asked: &self.asked };
        if self.asked.follow.is_on() {
            let (first, besides) = played_chain(&self.situation, &self.asked, &mut source)?;
            return Ok(outcome(&first, &besides));
        }
        match resolve(&mut self.situation.clone(), &mut source) {
            Ok(resolution) => Ok(alone(&resolution)),
            Err(stopped) => Err(stopped.refused.map_or_else(
                || open_need(&stopped.resolution),
                |error| OddsError::Refused(NoOdds::Resolve(error)),
            )),
        }
    }

    /// An outcome with its names, and probability 0.
    pub(super) fn unweighed(&self, outcome: &OddsOutcome) -> OutcomeChance {
        outcome.chanced(&self.situation.chart().id, Chance::sum([]))
    }
}

/// An input source with the fast generator and the configured answers.
struct Player<'a> {
    luck: &'a mut SampleRng,
    asked: &'a OddsOptions,
}

impl InputSource for Player<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Ok((0..ask.count).map(|_| self.luck.below(u64::from(ask.sides)) as u32 + 1).collect())
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let place = self.luck.below(u64::from(ask.deck.left()));
        ask.deck.cards().nth(place as usize).ok_or_else(|| ask.missing())
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match self.asked.answers.iter().find(|(key, _)| key == ask.key).map(|(_, taken)| taken) {
            Some(AnswerOdds::Always(answer)) => Ok(answer.clone()),
            Some(AnswerOdds::Weighed(answers)) => {
                let mut place = self.luck.below(answers.iter().map(|(_, weight)| weight).sum());
                for (answer, weight) in answers {
                    match place.checked_sub(*weight) {
                        Some(beyond) => place = beyond,
                        None => return Ok(answer.clone()),
                    }
                }
                Err(ask.missing())
            }
            None => ask.assume.cloned().ok_or_else(|| ask.missing()),
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Program
    }
}
