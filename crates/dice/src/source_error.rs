//! What a source lacks, and what can be wrong with what it gives. `Display` is for developers; the
//! sentences for players are in `adjutant_wording::en`.

use crate::{Accepts, AnswerError, DeckError, Text};
use serde::{Deserialize, Serialize};

/// What a run lacks to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The name of the step, question or input.
    pub key: String,
    /// For the player: what it is for, or the question.
    pub what_for: String,
    /// The unit that it is for, if the chart runs for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<Text>,
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
        /// The names of the faces, if they have names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        faces: Vec<Text>,
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

/// Why a source gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum SourceError {
    /// The source has nothing to give. The caller may ask a player and try again.
    Missing(Box<Missing>),
    /// A number that is not on the die.
    BadFace {
        /// The number.
        face: u32,
        /// The sides of the die.
        sides: u32,
        /// What the roll is for.
        what_for: Text,
    },
    /// A name that is not on the die.
    BadFaceName {
        /// The name.
        face: Text,
        /// The faces of the die.
        known: Vec<Text>,
        /// What the roll is for.
        what_for: Text,
    },
    /// A card that is not in the deck.
    BadCard(DeckError),
    /// An answer that the question does not accept.
    NotAccepted {
        /// The question.
        key: Text,
        /// What is wrong with the answer.
        error: AnswerError,
    },
    /// More was given than the run asked for.
    Unused(Unused),
    /// The run asks for this, and something else is recorded.
    Mismatch(Box<Missing>),
    /// In this game dice and cards come from sealed rolls only.
    SealedOnly,
    /// The player was asked and broke off.
    Cancelled,
    /// The player cannot be asked.
    Unreachable {
        /// What the terminal says.
        why: Text,
    },
    /// The operating system gives no random numbers.
    NoEntropy {
        /// What the operating system says.
        why: Text,
    },
    /// A source that explores all outcomes has come to the end of its choices.
    Paused,
}

/// Input that a run did not ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unused {
    /// Faces that a player gave.
    Faces(Vec<Text>),
    /// Cards that a player gave.
    Cards(Vec<u32>),
    /// Questions that were answered beforehand and did not come up.
    Answers(Vec<Text>),
    /// So many recorded inputs.
    Recorded(usize),
}
