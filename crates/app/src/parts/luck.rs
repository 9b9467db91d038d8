//! Where a throw on the page comes from: what came before an answer was missing, then what the player said just now, then –
//! unless he throws his own dice – luck. A die once thrown stays thrown: it is noted and given again.

use super::ask::Given;
use adjutant_dice::{Answer, Came, CardAsk, DiceAsk, Question, Random, Seam, Source, Stop};

/// What comes now: from the player, or from luck.
pub struct Fresh {
    /// Whether the player throws and draws himself.
    own: bool,
    luck: Random,
    said: Option<Given>,
    last: Source,
}

impl Fresh {
    /// With thirty-two bytes of luck, and what the player said.
    pub fn new(luck: [u8; 32], own: bool, said: Option<Given>) -> Fresh {
        Fresh { own, luck: Random::from_bytes(luck), said, last: Source::Ours }
    }
}

impl Seam for Fresh {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        self.last = if self.own { Source::Typed } else { Source::Ours };
        if !self.own {
            return self.luck.throw(ask);
        }
        match self.said.take() {
            Some(Given::Dice(faces)) => adjutant_dice::Typed::new().with_dice(faces).throw(ask),
            other => {
                self.said = other;
                Err(ask.need())
            }
        }
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        self.last = if self.own { Source::Typed } else { Source::Ours };
        if !self.own {
            return self.luck.draw(ask);
        }
        match self.said.take() {
            Some(Given::Card(card)) => ask.deck.can_take(card).map(|()| card).map_err(|fault| Stop::Refused(fault.to_string())),
            other => {
                self.said = other;
                Err(ask.need())
            }
        }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        match self.said.take() {
            Some(Given::Answer(key, text)) if key == ask.key => ask.accepts.read(&text).map_err(Stop::Refused),
            other => {
                self.said = other;
                Err(ask.need())
            }
        }
    }

    fn source(&self) -> Source {
        self.last
    }
}

/// What came before, then what comes now; all of it is noted.
pub struct Going {
    came: Vec<Came>,
    next: usize,
    fresh: Fresh,
}

impl Going {
    /// Goes on from what came before.
    pub fn new(came: Vec<Came>, fresh: Fresh) -> Going {
        Going { came, next: 0, fresh }
    }

    /// All that came, for the next try.
    pub fn into_record(self) -> Vec<Came> {
        self.came
    }

    fn noted<T>(
        &mut self,
        take: impl Fn(&Came) -> Option<T>,
        ask: impl FnOnce(&mut Fresh) -> Result<T, Stop>,
        note: impl Fn(&T) -> Came,
    ) -> Result<T, Stop> {
        self.next += 1;
        match self.came.get(self.next - 1) {
            Some(came) => take(came).ok_or_else(|| Stop::Refused("what came before does not fit any more; throw again".to_owned())),
            None => {
                let found = ask(&mut self.fresh)?;
                self.came.push(note(&found));
                Ok(found)
            }
        }
    }
}

impl Seam for Going {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        let fits = |faces: &Vec<u32>| faces.len() == ask.count as usize && faces.iter().all(|face| (1..=ask.sides).contains(face));
        let take = |came: &Came| match came {
            Came::Dice(faces) if fits(faces) => Some(faces.clone()),
            _ => None,
        };
        self.noted(take, |fresh| fresh.throw(ask), |faces| Came::Dice(faces.clone()))
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        let take = |came: &Came| match came {
            Came::Card(card) if ask.deck.can_take(*card).is_ok() => Some(*card),
            _ => None,
        };
        self.noted(take, |fresh| fresh.draw(ask), |card| Came::Card(*card))
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        let take = |came: &Came| match came {
            Came::Answer(answer) if ask.accepts.holds(answer) => Some(answer.clone()),
            _ => None,
        };
        self.noted(take, |fresh| fresh.answer(ask), |answer| Came::Answer(answer.clone()))
    }

    fn source(&self) -> Source {
        self.fresh.source()
    }
}
