//! Where a roll on the page comes from: what the player entered just now, or, unless the player
//! rolls real dice, random numbers.

use super::ask::EnteredFace;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, RandomInput, SourceError, ThrownBy,
};

/// What the player entered, or random numbers.
pub struct Fresh {
    /// Whether the player rolls and draws for real.
    own: bool,
    luck: RandomInput,
    said: Option<EnteredFace>,
    last: ThrownBy,
}

impl Fresh {
    /// With 32 random bytes, and what the player entered.
    pub fn new(luck: [u8; 32], own: bool, said: Option<EnteredFace>) -> Fresh {
        Fresh { own, luck: RandomInput::from_bytes(luck), said, last: ThrownBy::Program }
    }
}

impl InputSource for Fresh {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.last = if self.own { ThrownBy::Player } else { ThrownBy::Program };
        if !self.own {
            return self.luck.dice(ask);
        }
        match self.said.take() {
            Some(EnteredFace::Dice(faces)) => {
                adjutant_dice::EnteredInput::new().with_dice(faces).dice(ask)
            }
            other => {
                self.said = other;
                Err(ask.missing())
            }
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.last = if self.own { ThrownBy::Player } else { ThrownBy::Program };
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
