//! What a source lacks, and what can be wrong with what it gives.

use crate::{Accepts, AnswerError, DeckError, Text};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run lacks to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The name of the step, question or input.
    pub key: String,
    /// For the player: what it is for, or the question.
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
            Wanted::Dice { count, sides } => {
                write!(f, "{count}d{sides} for {} ({})", self.key, self.what_for)
            }
            Wanted::Card { deck } => {
                write!(f, "a card of the deck {deck} for {} ({})", self.key, self.what_for)
            }
            Wanted::Answer { accepts } | Wanted::Input { accepts } => {
                write!(f, "{}: {accepts} – {}", self.key, self.what_for)
            }
        }
    }
}

/// Why a source gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The source has nothing to give. The caller may ask a player and try again.
    #[error("needed: {0}")]
    Missing(Missing),
    /// A number that is not on the die.
    #[error("{face} is not a face of a d{sides}, which has 1 to {sides} ({what_for})")]
    BadFace {
        /// The number.
        face: u32,
        /// The sides of the die.
        sides: u32,
        /// What the roll is for.
        what_for: Text,
    },
    /// A card that is not in the deck.
    #[error("{0}")]
    BadCard(DeckError),
    /// An answer that the question does not accept.
    #[error("{key}: {error}")]
    NotAccepted {
        /// The question.
        key: Text,
        /// What is wrong with the answer.
        error: AnswerError,
    },
    /// More was given than the run asked for.
    #[error("{0}")]
    Unused(Unused),
    /// The run asks for this, and something else is recorded.
    #[error("{}", mismatch(.0))]
    Mismatch(Missing),
    /// In this game dice and cards come from sealed rolls only.
    #[error(
        "rolls are sealed in this game: call the roll, or ask to remove a player from the sealed group"
    )]
    SealedOnly,
    /// The player was asked and broke off.
    #[error("stopped; nothing is recorded")]
    Cancelled,
    /// The player cannot be asked.
    #[error("the terminal cannot be asked: {why}")]
    Unreachable {
        /// What the terminal says.
        why: Text,
    },
    /// The operating system gives no random numbers.
    #[error("the operating system gives no random numbers: {why}")]
    NoEntropy {
        /// What the operating system says.
        why: Text,
    },
    /// A source that explores all outcomes has come to the end of its choices.
    #[error("paused")]
    Paused,
}

/// Input that a run did not ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unused {
    /// Faces that a player gave.
    Faces(Vec<u32>),
    /// Cards that a player gave.
    Cards(Vec<u32>),
    /// So many recorded inputs.
    Recorded(usize),
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rest, one, many) = match self {
            Unused::Faces(faces) => (faces, "die face", "die faces"),
            Unused::Cards(cards) => (cards, "card", "cards"),
            Unused::Recorded(1) => {
                return f.write_str(
                    "a face, card or answer is recorded that the chart does not ask for",
                );
            }
            Unused::Recorded(rest) => {
                return write!(
                    f,
                    "{rest} faces, cards or answers are recorded that the chart does not ask for"
                );
            }
        };
        let list: Vec<String> = rest.iter().map(u32::to_string).collect();
        let (what, was) = if rest.len() == 1 { (one, "was") } else { (many, "were") };
        write!(f, "{} {what} too many: {} {was} not asked for", rest.len(), list.join(","))
    }
}

fn mismatch(asked: &Missing) -> String {
    let what_for = &asked.what_for;
    match &asked.wanted {
        Wanted::Dice { count, sides } => {
            format!("{what_for} asks for {count}d{sides}, and that is not what is recorded")
        }
        Wanted::Card { .. } => format!("{what_for} asks for a card, and none is recorded"),
        Wanted::Answer { .. } | Wanted::Input { .. } => {
            format!("`{what_for}` is asked, and no answer is recorded")
        }
    }
}
