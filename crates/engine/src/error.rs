//! Why an input is not accepted, a chart cannot be run, or odds cannot be computed.
//!
//! The variants carry data only. `Display` prints the `Debug` form, for developers; the sentences
//! for players are in `adjutant_wording::en`.
#![allow(
    missing_docs,
    reason = "a comment stands where the name of a variant or field does not say enough"
)]

use adjutant_dice::{
    Accepts, Answer, AnswerError, DeckError, Number, NumberError, SourceError, Text,
};
use adjutant_pack::{Certainty, Noun, PackOption, UnknownName};

/// Why an input, an option or a memory is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum InputError {
    Unknown {
        /// The title of the pack, the chart or the fight that does not have the name.
        owner: Text,
        unknown: UnknownName,
    },
    NoInputs {
        chart: Text,
        name: Text,
    },
    NotAccepted {
        name: Text,
        error: Box<AnswerError>,
        /// The pack's remark on the input. May be empty.
        note: Text,
    },
    /// The word is accepted, but the pack does not have it.
    NotAWord {
        name: Text,
        note: Text,
    },
    TooManyMembers {
        most: usize,
    },
    NoDeck {
        chart: Text,
    },
    NoHand {
        chart: Text,
    },
    Card(DeckError),
    /// A memory is too large or too small to store.
    Memory(NumberError),
    /// Each side has its own value of this memory: a chart asks for it as an input.
    MemoryOfSide {
        name: Text,
        /// The inputs of the chart that read it.
        inputs: Vec<Text>,
    },
}

impl InputError {
    /// Adds the pack's remark on the input.
    pub(crate) fn with_note(mut self, text: &str) -> InputError {
        if let InputError::NotAccepted { note, .. } | InputError::NotAWord { note, .. } = &mut self
        {
            *note = text.into();
        }
        self
    }
}

/// The error for a name that `owner` does not have.
pub(crate) fn unknown<'a>(
    owner: &str,
    noun: Noun,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> InputError {
    InputError::Unknown { owner: owner.into(), unknown: UnknownName::new(noun, name, known) }
}

/// Why a chart cannot be run. A chart or step is named by its title.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum ResolveError {
    OptionOff(OptionOff),
    /// A bag is filled from the roster of a game.
    BagWithoutGame {
        chart: Text,
        bag: Text,
    },
    Source(SourceError),
    Card(DeckError),
    Formula {
        chart: Text,
        formula: Text,
        error: NumberError,
    },
    NoValue {
        chart: Text,
        formula: Text,
        name: Text,
    },
    /// A modifier makes a total that is out of range.
    Arithmetic {
        chart: Text,
        error: NumberError,
    },
    TooManyDice {
        chart: Text,
        step: Text,
        dice: i64,
        most: u32,
    },
    TooManyTimes {
        chart: Text,
        step: Text,
        times: i64,
        most: u32,
    },
    BadSides {
        chart: Text,
        step: Text,
        sides: Number,
        most: u32,
    },
    TooManyRolls {
        chart: Text,
        most: u32,
    },
    NoRow {
        chart: Text,
        score: Option<Answer>,
    },
    NoResult {
        key: Text,
    },
    /// An answer to a question.
    NotAccepted {
        key: Text,
        answer: Answer,
        accepts: Accepts,
    },
    /// An input of a chart that is looked up.
    InputNotAccepted {
        chart: Text,
        input: Text,
        answer: Answer,
        accepts: Accepts,
    },
    EmptyCard {
        chart: Text,
        card: u32,
        field: Text,
    },
    NoCardRow {
        chart: Text,
        field: Text,
        row: Number,
        from: u32,
        to: u32,
    },
}

/// A chart or a fight requires an option of the pack that is off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub struct OptionOff {
    /// The title of the chart or the fight.
    pub title: Text,
    /// The option's id.
    pub option: Text,
    pub certainty: Certainty,
    pub origin: Text,
}

impl OptionOff {
    pub(crate) fn new(title: &str, option: &PackOption) -> OptionOff {
        OptionOff {
            title: title.into(),
            option: option.field.id.clone(),
            certainty: option.standing,
            origin: option.origin.clone(),
        }
    }
}

/// Why the odds of a chart or a fight cannot be computed, whatever the inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum NoOdds {
    Resolve(Box<ResolveError>),
    Input(InputError),
    Endless {
        chart: Text,
    },
    EndlessFight,
    EndlessCards,
    Formula {
        fight: Text,
        formula: Text,
        error: NumberError,
    },
    NoValue {
        name: Text,
    },
    /// A value of a unit or a memory is out of range.
    Arithmetic(NumberError),
    NewUnits {
        chart: Text,
    },
    SeriesOfChains,
    SeriesOfCards {
        chart: Text,
    },
}

impl From<ResolveError> for NoOdds {
    fn from(error: ResolveError) -> NoOdds {
        NoOdds::Resolve(Box::new(error))
    }
}
