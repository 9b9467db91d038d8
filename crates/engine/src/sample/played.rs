//! A chart with too many ways for exact chances, played in full for every sample. It is slow beside a
//! table, and the only way.

use super::Luck;
use crate::odds::{AnswerOdds, Asked, Chance, Chanced, OddsStop, Outcome, open_need, outcome};
use crate::run::resolve;
use crate::situation::Situation;
use adjutant_dice::{Answer, CardAsk, DiceAsk, Question, Seam, Stop};

/// A chart in one situation, to be played as it stands again and again.
///
/// ```
/// use adjutant_engine::{Asked, Luck, Played, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let rally = Played::new(&Situation::new(&pack, "rally").unwrap(), &Asked::default()).unwrap();
/// let outcome = rally.play(&mut Luck::of_block(7, 0)).unwrap();
/// assert!(outcome.result.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Played<'p> {
    situation: Situation<'p>,
    asked: Asked,
}

impl<'p> Played<'p> {
    /// A chain of charts is not followed in play.
    pub fn new(situation: &Situation<'p>, asked: &Asked) -> Result<Played<'p>, OddsStop> {
        match asked.follow {
            true => Err(OddsStop::Refused("the chain of charts has too many ways, and play does not follow it: sample one chart".into())),
            false => Ok(Played { situation: situation.clone(), asked: asked.clone() }),
        }
    }

    /// Plays once, with the decks as they were given.
    pub fn play(&self, luck: &mut Luck) -> Result<Outcome, OddsStop> {
        let mut seam = Player { luck, asked: &self.asked };
        match resolve(&mut self.situation.clone(), &mut seam) {
            Ok(account) => Ok(outcome(&account, &[]).into_counted()),
            Err(stopped) => Err(stopped.refused.map_or_else(|| open_need(&stopped.account), OddsStop::Refused)),
        }
    }

    /// An outcome with its names, and no chance.
    pub(super) fn unweighed(&self, outcome: &Outcome) -> Chanced {
        outcome.chanced(&self.situation.chart().id, Chance::sum([]))
    }
}

/// Quick luck, and answers as they were agreed.
struct Player<'a> {
    luck: &'a mut Luck,
    asked: &'a Asked,
}

impl Seam for Player<'_> {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        Ok((0..ask.count).map(|_| self.luck.below(u64::from(ask.sides)) as u32 + 1).collect())
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        let place = self.luck.below(u64::from(ask.deck.left()));
        ask.deck.cards().nth(place as usize).ok_or_else(|| ask.need())
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
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
                Err(ask.need())
            }
            None => Err(ask.need()),
        }
    }
}
