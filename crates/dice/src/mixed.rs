//! Real dice or cards beside random ones. If the player entered any dice, all dice are the
//! player's: too few faces stop the run, the generator never adds to them. The same goes for cards.

use crate::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Question, RandomInput,
    SourceError, Text, ThrownBy,
};

/// Typed faces or cards where the player gave any, a generator for the rest.
pub struct MixedInput {
    typed: EnteredInput,
    luck: RandomInput,
    own_dice: bool,
    own_cards: bool,
    last: ThrownBy,
}

impl MixedInput {
    /// All dice and cards from the generator.
    pub fn new(luck: RandomInput) -> MixedInput {
        MixedInput {
            typed: EnteredInput::new(),
            luck,
            own_dice: false,
            own_cards: false,
            last: ThrownBy::Program,
        }
    }

    /// The player's own dice.
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> MixedInput {
        self.own_dice = true;
        self.typed = self.typed.with_dice(faces);
        self
    }

    /// The player's own dice, as players write their faces.
    pub fn with_faces<T: Into<Text>>(mut self, faces: impl IntoIterator<Item = T>) -> MixedInput {
        self.own_dice = true;
        self.typed = self.typed.with_faces(faces);
        self
    }

    /// The player's own cards.
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> MixedInput {
        self.own_cards = true;
        self.typed = self.typed.with_cards(cards);
        self
    }

    /// An answer given beforehand.
    pub fn with_answer(mut self, key: impl Into<String>, answer: impl Into<String>) -> MixedInput {
        self.typed = self.typed.with_answer(key, answer);
        self
    }

    /// That all typed faces and cards were used.
    pub fn finish(&self) -> Result<(), SourceError> {
        self.typed.finish()
    }
}

impl InputSource for MixedInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.last = if self.own_dice { ThrownBy::Player } else { ThrownBy::Program };
        if self.own_dice { self.typed.dice(ask) } else { self.luck.dice(ask) }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.last = if self.own_cards { ThrownBy::Player } else { ThrownBy::Program };
        if self.own_cards { self.typed.card(ask) } else { self.luck.card(ask) }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        self.typed.answer(ask)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.last
    }
}
