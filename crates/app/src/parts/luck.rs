//! Where a throw on the page comes from: what came before an answer was missing, then what the player said just now, then –
//! unless he throws his own dice – luck. A die once thrown stays thrown: it is noted and given again.

use super::ask::EnteredFace;
use adjutant_dice::{Answer, CardRequest, DiceRequest, InputSource, Question, RandomInput, ReplayedInput, SourceError, ThrownBy};

/// What comes now: from the player, or from luck.
pub struct Fresh {
    /// Whether the player throws and draws himself.
    own: bool,
    luck: RandomInput,
    said: Option<EnteredFace>,
    last: ThrownBy,
}

impl Fresh {
    /// With thirty-two bytes of luck, and what the player said.
    pub fn new(luck: [u8; 32], own: bool, said: Option<EnteredFace>) -> Fresh {
        Fresh { own, luck: RandomInput::from_bytes(luck), said, last: ThrownBy::Ours }
    }
}

impl InputSource for Fresh {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.last = if self.own { ThrownBy::Typed } else { ThrownBy::Ours };
        if !self.own {
            return self.luck.dice(ask);
        }
        match self.said.take() {
            Some(EnteredFace::Dice(faces)) => adjutant_dice::EnteredInput::new().with_dice(faces).dice(ask),
            other => {
                self.said = other;
                Err(ask.missing())
            }
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.last = if self.own { ThrownBy::Typed } else { ThrownBy::Ours };
        if !self.own {
            return self.luck.card(ask);
        }
        match self.said.take() {
            Some(EnteredFace::Card(card)) => ask.checked(card),
            other => {
                self.said = other;
                Err(ask.missing())
            }
        }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match self.said.take() {
            Some(EnteredFace::Answer(key, text)) if key == ask.key => ask.read(&text),
            other => {
                self.said = other;
                Err(ask.missing())
            }
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.last
    }
}

/// What came before, then what comes now; all of it is noted.
pub struct Going {
    came: Vec<ReplayedInput>,
    next: usize,
    fresh: Fresh,
}

impl Going {
    /// Goes on from what came before.
    pub fn new(came: Vec<ReplayedInput>, fresh: Fresh) -> Going {
        Going { came, next: 0, fresh }
    }

    /// All that came, for the next try.
    pub fn into_record(self) -> Vec<ReplayedInput> {
        self.came
    }

    fn noted<T>(
        &mut self,
        take: impl Fn(&ReplayedInput) -> Option<T>,
        ask: impl FnOnce(&mut Fresh) -> Result<T, SourceError>,
        note: impl Fn(&T) -> ReplayedInput,
    ) -> Result<T, SourceError> {
        self.next += 1;
        match self.came.get(self.next - 1) {
            Some(came) => take(came).ok_or(SourceError::Paused),
            None => {
                let found = ask(&mut self.fresh)?;
                self.came.push(note(&found));
                Ok(found)
            }
        }
    }
}

impl InputSource for Going {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let fits = |faces: &Vec<u32>| faces.len() == ask.count as usize && faces.iter().all(|face| (1..=ask.sides).contains(face));
        let take = |came: &ReplayedInput| match came {
            ReplayedInput::Dice(faces) if fits(faces) => Some(faces.clone()),
            _ => None,
        };
        self.noted(take, |fresh| fresh.dice(ask), |faces| ReplayedInput::Dice(faces.clone()))
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let take = |came: &ReplayedInput| match came {
            ReplayedInput::Card(card) if ask.deck.can_take(*card).is_ok() => Some(*card),
            _ => None,
        };
        self.noted(take, |fresh| fresh.card(ask), |card| ReplayedInput::Card(*card))
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let take = |came: &ReplayedInput| match came {
            ReplayedInput::Answer(answer) if ask.accepts.holds(answer) => Some(answer.clone()),
            _ => None,
        };
        self.noted(take, |fresh| fresh.answer(ask), |answer| ReplayedInput::Answer(answer.clone()))
    }

    fn thrown_by(&self) -> ThrownBy {
        self.fresh.thrown_by()
    }
}
