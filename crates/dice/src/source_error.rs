//! What a source lacks, and what can be wrong with what it gives. `Display` is for developers; the
//! sentences for players are in `adjutant_wording::en`.

use crate::{Accepts, AnswerError, DeckError, Text};
use serde::{Deserialize, Serialize};

/// An input without which a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The name of the step, question or input.
    pub key: String,
    /// For the player: what it is for, or the question.
    pub what_for: String,
    /// The unit that it is for, if the chart runs for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<Text>,
    /// The kind of input, with the values that are accepted.
    #[serde(flatten)]
    pub wanted: Wanted,
}

/// The kind of an input, with all that a form for it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "wanted")]
pub enum Wanted {
    /// Faces of one roll.
    Dice {
        /// The number of dice.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
        /// The names of the faces, if they have names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        faces: Vec<Text>,
    },
    /// A card of a deck.
    Card {
        /// The deck's id in the pack.
        deck: String,
    },
    /// An answer to a question that comes up in the run.
    Answer {
        /// The answers among which the player chooses.
        accepts: Accepts,
    },
    /// A value that the chart must have before it starts.
    Input {
        /// The values that the input accepts.
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
        /// The number that was given as a face.
        face: u32,
        /// The sides of the die.
        sides: u32,
        /// The purpose of the roll, as the player reads it.
        what_for: Text,
    },
    /// A name that is not on the die.
    BadFaceName {
        /// The text that was given as a face.
        face: Text,
        /// The faces of the die.
        known: Vec<Text>,
        /// The purpose of the roll, as the player reads it.
        what_for: Text,
    },
    /// A card that is not in the deck.
    BadCard(DeckError),
    /// An answer that the question does not accept.
    NotAccepted {
        /// The question's key.
        key: Text,
        /// The reason from the reader of the answer.
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
        /// The terminal's own message.
        why: Text,
    },
    /// The operating system gives no random numbers.
    NoEntropy {
        /// The operating system's own message.
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
