//! The one seam. What a running chart may ask for, and what it is told when nobody can say.

use crate::{Accepts, Answer, Deck};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Dice asked for.
#[derive(Clone, Copy, Debug)]
pub struct DiceRequest<'a> {
    /// The step's name in the chart.
    pub key: &'a str,
    /// For the player: what this throw is for.
    pub what_for: &'a str,
    /// How many dice.
    pub count: u32,
    /// How many sides each has.
    pub sides: u32,
}

/// A card asked for.
#[derive(Clone, Copy, Debug)]
pub struct CardRequest<'a> {
    /// The step's name in the chart.
    pub key: &'a str,
    /// For the player: what this card is for.
    pub what_for: &'a str,
    /// The deck's id.
    pub deck_id: &'a str,
    /// The cards left; never empty when asked.
    pub deck: &'a Deck,
}

/// A question to a player.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The name under which the answer is given.
    pub key: &'a str,
    /// For the player: the question.
    pub prompt: &'a str,
    /// What may be answered.
    pub accepts: &'a Accepts,
}

/// What a run stopped for want of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The name of the step, question or input.
    pub key: String,
    /// For the player: what it is for.
    pub what_for: String,
    /// What is wanted.
    #[serde(flatten)]
    pub wanted: Wanted,
}

/// The thing wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "wanted")]
pub enum Wanted {
    /// Faces of dice.
    Dice {
        /// How many dice.
        count: u32,
        /// How many sides each has.
        sides: u32,
    },
    /// A card of a deck.
    Card {
        /// The deck's id.
        deck: String,
    },
    /// A player's answer.
    Answer {
        /// What may be answered.
        accepts: Accepts,
    },
    /// A value that the chart must have before it starts.
    Input {
        /// What may be given.
        accepts: Accepts,
    },
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            Wanted::Dice { count, sides } => write!(f, "{count}d{sides} for {} ({})", self.key, self.what_for),
            Wanted::Card { deck } => write!(f, "a card of the deck {deck} for {} ({})", self.key, self.what_for),
            Wanted::Answer { accepts } | Wanted::Input { accepts } => write!(f, "{}: {accepts} – {}", self.key, self.what_for),
        }
    }
}

/// Why the seam gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Nobody has said yet.
    #[error("needed: {0}")]
    Need(Missing),
    /// What was said cannot be.
    #[error("{0}")]
    Refused(String),
}

impl DiceRequest<'_> {
    /// The need this ask leaves when nobody answers it.
    pub fn need(&self) -> SourceError {
        let wanted = Wanted::Dice { count: self.count, sides: self.sides };
        SourceError::Need(Missing { key: self.key.into(), what_for: self.what_for.into(), wanted })
    }
}

impl CardRequest<'_> {
    /// The need this ask leaves when nobody answers it.
    pub fn need(&self) -> SourceError {
        let wanted = Wanted::Card { deck: self.deck_id.into() };
        SourceError::Need(Missing { key: self.key.into(), what_for: self.what_for.into(), wanted })
    }
}

impl Question<'_> {
    /// The need this question leaves when nobody answers it.
    pub fn need(&self) -> SourceError {
        let wanted = Wanted::Answer { accepts: self.accepts.clone() };
        SourceError::Need(Missing { key: self.key.into(), what_for: self.prompt.into(), wanted })
    }
}

/// What of the faces a rule will look at. A source that explores all outcomes may take faces that come
/// to the same for one; every other source may ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// Only what the dice come to.
    Total {
        /// When only some dice count: how many, and whether the lowest.
        keep: Option<(u32, bool)>,
        /// When each die counts as one if it passes: how many of its faces pass, and whether the low ones.
        pass: Option<(u32, bool)>,
    },
    /// Which faces there are, in any order.
    Faces,
    /// Which face each die shows.
    Order,
}

/// Where in a run something is asked for. A throw or draw that is made again within one step, with
/// nothing else changed, stands where it stood: whoever explores all outcomes need not go round for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The step, counted over the whole run.
    pub step: u32,
    /// Which of the sets of inputs that were in force during this step: 0 with which it began, the next for each that was new when
    /// inputs were asked anew.
    pub asked: u32,
    /// Whether all else is as when this step began.
    pub as_begun: bool,
}

/// Who stood behind something that came through the seam. A log marks every throw with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrownBy {
    /// The program threw or drew.
    #[default]
    Ours,
    /// A player typed it: real dice, real cards, an answer.
    Typed,
    /// Several players made it together, so that none of them could foresee or choose it.
    Sealed,
}

/// Where faces, cards and answers come from.
///
/// An implementation gives exactly `count` faces, each from 1 to `sides`; a card that is in the deck
/// (the caller takes it out); an answer that is accepted. Or it stops and says why.
pub trait InputSource {
    /// Throws dice.
    fn throw(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError>;
    /// Draws a card.
    fn draw(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError>;
    /// Asks a player.
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError>;

    /// Who stood behind the dice or the card that came last; answers are always a player's.
    fn source(&self) -> ThrownBy {
        ThrownBy::Ours
    }

    /// Throws dice of which only some things matter.
    fn throw_for(&mut self, ask: &DiceRequest<'_>, _matters: Relevance, _whence: Site) -> Result<Vec<u32>, SourceError> {
        self.throw(ask)
    }

    /// Draws a card at a known place in the run.
    fn draw_for(&mut self, ask: &CardRequest<'_>, _whence: Site) -> Result<u32, SourceError> {
        self.draw(ask)
    }
}

impl<S: InputSource + ?Sized> InputSource for &mut S {
    fn throw(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        (**self).throw(ask)
    }
    fn draw(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        (**self).draw(ask)
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        (**self).answer(ask)
    }
    fn source(&self) -> ThrownBy {
        (**self).source()
    }
    fn throw_for(&mut self, ask: &DiceRequest<'_>, matters: Relevance, whence: Site) -> Result<Vec<u32>, SourceError> {
        (**self).throw_for(ask, matters, whence)
    }
    fn draw_for(&mut self, ask: &CardRequest<'_>, whence: Site) -> Result<u32, SourceError> {
        (**self).draw_for(ask, whence)
    }
}
