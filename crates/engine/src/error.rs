//! Why an input is not accepted, a chart cannot be run, or odds cannot be computed.
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
pub enum InputError {
    #[error("{}", unknown_in_words(owner, unknown))]
    Unknown {
        /// The title of the pack, the chart or the fight that does not have the name.
        owner: Text,
        unknown: UnknownName,
    },
    #[error("`{name}` is not asked for: {chart} needs no inputs")]
    NoInputs { chart: Text, name: Text },
    #[error("{name}: {error}{}", after(.note))]
    NotAccepted {
        name: Text,
        error: Box<AnswerError>,
        /// The pack's remark on the input. May be empty.
        note: Text,
    },
    /// The word is accepted, but the pack does not have it.
    #[error("{name}: not a word of this pack{}", after(.note))]
    NotAWord { name: Text, note: Text },
    #[error("at most {most} units can take part")]
    TooManyMembers { most: usize },
    #[error("{chart} draws no cards, so none can be gone")]
    NoDeck { chart: Text },
    #[error("{0}")]
    Card(DeckError),
    /// A memory is too large or too small to store.
    #[error("{0}")]
    Memory(NumberError),
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

fn after(note: &Text) -> String {
    if note.is_empty() { String::new() } else { format!(". {note}") }
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

/// Says that `owner` does not have the name, and which names it has.
fn unknown_in_words(owner: &Text, unknown: &UnknownName) -> String {
    let lacks = match unknown.noun {
        Noun::Chart => "has no chart",
        Noun::Fight => "has no fight",
        Noun::Input => "has no input",
        Noun::Option => "has no option",
        Noun::Memory => "remembers no",
        _ => "has no",
    };
    let known = match &unknown.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if unknown.known.is_empty() => "there is none".to_owned(),
        None => format!("there are: {}", unknown.known.join(", ")),
    };
    format!("{owner} {lacks} `{}`: {known}", unknown.name)
}

/// Why a chart cannot be run. A chart or step is named by its title.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    #[error("{0}")]
    OptionOff(OptionOff),
    #[error("{0}")]
    Source(SourceError),
    #[error("{0}")]
    Card(DeckError),
    #[error("{chart}: `{formula}`: {error}")]
    Formula { chart: Text, formula: Text, error: NumberError },
    #[error("{chart}: `{formula}`: `{name}` has no value here")]
    NoValue { chart: Text, formula: Text, name: Text },
    /// A modifier makes a total that is out of range.
    #[error("{chart}: {error}")]
    Arithmetic { chart: Text, error: NumberError },
    #[error("{chart}: {step} would be {dice} dice: at most {most} can be rolled")]
    TooManyDice { chart: Text, step: Text, dice: i64, most: u32 },
    #[error("{chart}: stopped after {most} rolls: this would never end")]
    TooManyRolls { chart: Text, most: u32 },
    #[error("{chart}: no row is for {}", .score.as_ref().map_or("this".to_owned(), Answer::to_string))]
    NoRow { chart: Text, score: Option<Answer> },
    #[error("{key}: no result was given")]
    NoResult { key: Text },
    /// An answer to a question.
    #[error("{key}: `{answer}` is not accepted: {accepts}")]
    NotAccepted { key: Text, answer: Answer, accepts: Accepts },
    /// An input of a chart that is looked up.
    #[error("{chart}: {input}: `{answer}` is not accepted: {accepts}")]
    InputNotAccepted { chart: Text, input: Text, answer: Answer, accepts: Accepts },
    #[error("{chart}: card {card} has nothing to read under “{field}”")]
    EmptyCard { chart: Text, card: u32, field: Text },
    #[error("{chart}: {field} has no row {row}: {from} to {to} are on the cards")]
    NoCardRow { chart: Text, field: Text, row: Number, from: u32, to: u32 },
}

/// A chart or a fight requires an option of the pack that is off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{title} is a {}, and its option `{option}` is off (origin: {})", .certainty.name(), .origin.trim_end_matches('.'))]
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
pub enum NoOdds {
    #[error("{0}")]
    Resolve(Box<ResolveError>),
    #[error("{0}")]
    Input(InputError),
    #[error("{chart} would never end")]
    Endless { chart: Text },
    #[error("this fight would never end")]
    EndlessFight,
    #[error("a check with cards would never end")]
    EndlessCards,
    #[error("{fight}: `{formula}`: {error}")]
    Formula { fight: Text, formula: Text, error: NumberError },
    #[error("`{name}` has no value here")]
    NoValue { name: Text },
    /// A value of a unit or a memory is out of range.
    #[error("{0}")]
    Arithmetic(NumberError),
    #[error("{chart}: units that appear in the midst of a fight are not worked out")]
    NewUnits { chart: Text },
    #[error("several checks and the chain that follows one of them cannot be told at once")]
    SeriesOfChains,
    #[error(
        "{chart} takes more than one card or dice as well: only checks of a single card can be told as a series from one deck"
    )]
    SeriesOfCards { chart: Text },
    #[error("the chain of charts has too many ways, and play does not follow it: sample one chart")]
    SampledChain,
}

impl From<ResolveError> for NoOdds {
    fn from(error: ResolveError) -> NoOdds {
        NoOdds::Resolve(Box::new(error))
    }
}
