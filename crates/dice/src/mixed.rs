//! Real dice and ours, mixed: whatever kind the player typed is taken from him alone – too few faces
//! stop the run, they are never topped up by the generator – and the kinds he left to us are thrown.

use crate::{Answer, CardAsk, DiceAsk, Question, Random, Seam, Source, Stop, Typed};

/// Typed faces or cards where the player gave any, a generator for the rest.
pub struct Mixed {
    typed: Typed,
    luck: Random,
    own_dice: bool,
    own_cards: bool,
    last: Source,
}

impl Mixed {
    /// All dice and cards from the generator.
    pub fn new(luck: Random) -> Mixed {
        Mixed { typed: Typed::new(), luck, own_dice: false, own_cards: false, last: Source::Ours }
    }

    /// The player's own dice.
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> Mixed {
        self.own_dice = true;
        self.typed = self.typed.with_dice(faces);
        self
    }

    /// The player's own cards.
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> Mixed {
        self.own_cards = true;
        self.typed = self.typed.with_cards(cards);
        self
    }

    /// An answer given beforehand.
    pub fn with_answer(mut self, key: impl Into<String>, answer: impl Into<String>) -> Mixed {
        self.typed = self.typed.with_answer(key, answer);
        self
    }

    /// That all typed faces and cards were used.
    pub fn finish(&self) -> Result<(), Stop> {
        self.typed.finish()
    }
}

impl Seam for Mixed {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        self.last = if self.own_dice { Source::Typed } else { Source::Ours };
        if self.own_dice { self.typed.throw(ask) } else { self.luck.throw(ask) }
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        self.last = if self.own_cards { Source::Typed } else { Source::Ours };
        if self.own_cards { self.typed.draw(ask) } else { self.luck.draw(ask) }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        self.typed.answer(ask)
    }

    fn source(&self) -> Source {
        self.last
    }
}
