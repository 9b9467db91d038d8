//! Why there is no answer: data first, then its sentences and its JSON.

use crate::cards::DrawError;
use crate::idle::Asked;
use crate::vary::VaryError;
use adjutant_api::{FaultKind, InputFault, QueryFault, StoppedRoll};
use adjutant_dice::{Accepts, AnswerError, Missing, SourceError, Text};
use adjutant_engine::{
    AnswerOddsError, InputError, Interrupted, Limit, OddsError, UnaskedQuestions,
};
use adjutant_pack::UnknownName;
use adjutant_wording::en::{self, questions::unknown_question};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.sentences().join("\n"))]
pub enum QueryError {
    /// The pack has no such chart or fight.
    Unknown(Box<InputError>),
    /// Everything that was given and cannot be used.
    Invalid(Vec<InvalidInput>),
    /// There are no odds.
    Odds(Box<OddsError>),
    /// A roll stopped before its end; the part that was run is in it.
    Roll(Box<StoppedRun>),
    /// Faces, cards or answers were given that the roll did not use.
    Unused(SourceError),
    /// There is no luck to be had from the system.
    NoLuck(SourceError),
    /// An input cannot be varied like this.
    Vary(Box<VaryError>),
    /// Cards cannot be drawn like this.
    Draw(Box<DrawError>),
    /// Not one fight was over in time.
    NoFightEnded,
    /// The caller stopped the work.
    Stopped,
}

/// A run that stopped, with everything that came before.
#[derive(Clone, Debug, PartialEq)]
pub struct StoppedRun {
    /// The run until then; `needs` has what is missing.
    pub resolution: Box<adjutant_engine::Resolution>,
    /// Why it cannot go on; none if something is missing.
    pub refused: Option<Box<adjutant_engine::ResolveError>>,
}

impl From<Interrupted> for QueryError {
    fn from(stopped: Interrupted) -> QueryError {
        let Interrupted { resolution, refused } = stopped;
        QueryError::Roll(Box::new(StoppedRun { resolution, refused }))
    }
}

impl From<OddsError> for QueryError {
    fn from(error: OddsError) -> QueryError {
        QueryError::Odds(Box::new(error))
    }
}

impl From<InputError> for QueryError {
    /// The pack has no such chart or fight.
    fn from(error: InputError) -> QueryError {
        QueryError::Unknown(Box::new(error))
    }
}

impl From<VaryError> for QueryError {
    fn from(error: VaryError) -> QueryError {
        QueryError::Vary(Box::new(error))
    }
}

impl From<DrawError> for QueryError {
    fn from(error: DrawError) -> QueryError {
        QueryError::Draw(Box::new(error))
    }
}

/// Something that was given and cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidInput {
    /// An input, an option, a memory or a card.
    #[error("{}", en::input_error(.0))]
    Input(InputError),
    /// None of the charts asks the question; `title` is the chart or fight.
    #[error("{}", unknown_question(.title, .unknown))]
    #[allow(missing_docs, reason = "the fields are clear")]
    Question { title: Text, unknown: UnknownName },
    /// An answer that the question does not accept.
    #[error("{key}: {}", en::answer_error(.error))]
    #[allow(missing_docs, reason = "the fields are clear")]
    Answer { key: String, error: AnswerError },
    /// Neither an answer nor a chance.
    #[error("{key}: {}", en::answer_odds_error(.error))]
    #[allow(missing_docs, reason = "the fields are clear")]
    AnswerOdds { key: String, error: AnswerOddsError },
    /// Answers to questions that cannot come up.
    #[error("{}", en::unasked(&.0.keys))]
    Unasked(UnaskedQuestions),
    /// A face that is not a number, for dice whose faces have no names.
    #[error("dice: `{0}` is not a whole number")]
    Face(String),
    /// A setting that has no effect on what is asked.
    #[error("`{name}` has no effect on {}: leave it out", .asked.name())]
    #[allow(missing_docs, reason = "the fields are clear")]
    NoEffect { name: &'static str, asked: Asked },
}

impl QueryError {
    /// Everything that is wrong, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        vec![match self {
            QueryError::Unknown(error) => en::input_error(error),
            QueryError::Invalid(wrong) => return wrong.iter().map(ToString::to_string).collect(),
            QueryError::Odds(error) => match &**error {
                OddsError::Needs(needs) => return needs.iter().map(en::missing).collect(),
                other => en::odds_error(other),
            },
            QueryError::Roll(stopped) => match &stopped.refused {
                Some(error) => en::resolve_error(error),
                None => return stopped.resolution.needs.iter().map(en::missing).collect(),
            },
            QueryError::Unused(error) | QueryError::NoLuck(error) => en::source_error(error),
            QueryError::Vary(error) => error.to_string(),
            QueryError::Draw(error) => error.to_string(),
            QueryError::NoFightEnded => {
                "not one fight was over in time: allow more time, or let fewer units fight".into()
            }
            QueryError::Stopped => "the work was stopped".into(),
        }]
    }

    /// The class of the fault.
    pub fn kind(&self) -> FaultKind {
        match self {
            QueryError::Unknown(_) => FaultKind::NotFound,
            QueryError::Draw(error) if matches!(**error, DrawError::Unknown { .. }) => {
                FaultKind::NotFound
            }
            QueryError::Invalid(_)
            | QueryError::Unused(_)
            | QueryError::Vary(_)
            | QueryError::Draw(_) => FaultKind::Input,
            QueryError::Odds(error) => match **error {
                OddsError::Needs(_) | OddsError::Open(_) => FaultKind::Needs,
                OddsError::Refused(_) => FaultKind::Refused,
                OddsError::TooLarge(_) => FaultKind::TooLarge,
                OddsError::OverLimit(Limit::Time | Limit::Memory) => FaultKind::Limit,
            },
            QueryError::Roll(stopped) => match stopped.refused {
                Some(_) => FaultKind::Refused,
                None => FaultKind::Needs,
            },
            QueryError::NoLuck(_) => FaultKind::Refused,
            QueryError::NoFightEnded => FaultKind::Limit,
            QueryError::Stopped => FaultKind::Stopped,
        }
    }

    /// The inputs that the caller can add and ask again.
    pub fn needs(&self) -> &[Missing] {
        match self {
            QueryError::Odds(error) => match &**error {
                OddsError::Needs(needs) => needs,
                _ => &[],
            },
            QueryError::Roll(stopped) => &stopped.resolution.needs,
            _ => &[],
        }
    }

    /// The JSON of the libraries.
    pub fn data(&self) -> QueryFault<'_> {
        let sentences = self.sentences();
        let inputs = match self {
            QueryError::Unknown(error) => vec![of_input(error)],
            QueryError::Invalid(wrong) => wrong.iter().map(InvalidInput::data).collect(),
            QueryError::Odds(error) => match &**error {
                OddsError::Open(question) => {
                    let message = en::odds_error(error);
                    vec![accepting(question.key.clone(), message, &question.accepts)]
                }
                _ => Vec::new(),
            },
            QueryError::Vary(error) => error.input().into_iter().collect(),
            QueryError::Draw(error) => match &**error {
                DrawError::Unknown { unknown, .. } => vec![misnamed(unknown, sentences.concat())],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let stopped = match self {
            QueryError::Roll(stopped) => Some(StoppedRoll {
                resolution: &stopped.resolution,
                error: stopped.refused.as_deref().map(en::resolve_error),
            }),
            _ => None,
        };
        QueryFault {
            kind: self.kind(),
            message: sentences.join("\n"),
            sentences,
            inputs,
            needs: self.needs().to_vec(),
            stopped,
            faults: Vec::new(),
        }
    }
}

impl InvalidInput {
    fn data(&self) -> InputFault {
        let message = self.to_string();
        match self {
            InvalidInput::Input(error) => of_input(error),
            InvalidInput::Question { unknown, .. } => misnamed(unknown, message),
            InvalidInput::Answer { key, error } => of_answer(key.clone(), message, error),
            InvalidInput::AnswerOdds { key, error } => match error {
                AnswerOddsError::NotAChance { accepts, .. }
                | AnswerOddsError::NotAccepted { accepts, .. } => {
                    accepting(key.clone(), message, accepts)
                }
                _ => plain(key.clone(), message),
            },
            InvalidInput::Unasked(idle) => plain(idle.keys.join(", "), message),
            InvalidInput::Face(_) => plain("dice".into(), message),
            InvalidInput::NoEffect { name, .. } => plain((*name).to_owned(), message),
        }
    }
}

fn plain(name: String, message: String) -> InputFault {
    InputFault { name, message, accepts: None, accepted: None, nearest: None, known: Vec::new() }
}

pub(crate) fn accepting(name: String, message: String, accepts: &Accepts) -> InputFault {
    let accepted = Some(en::accepted(accepts));
    InputFault { accepts: Some(accepts.clone()), accepted, ..plain(name, message) }
}

pub(crate) fn misnamed(unknown: &UnknownName, message: String) -> InputFault {
    InputFault {
        nearest: unknown.nearest.as_ref().map(ToString::to_string),
        known: unknown.known.iter().map(ToString::to_string).collect(),
        ..plain(unknown.name.to_string(), message)
    }
}

pub(crate) fn of_answer(name: String, message: String, error: &AnswerError) -> InputFault {
    match error {
        AnswerError::NotAccepted { accepts, .. } => accepting(name, message, accepts),
        AnswerError::Number { .. } => plain(name, message),
    }
}

fn of_input(error: &InputError) -> InputFault {
    let message = en::input_error(error);
    match error {
        InputError::Unknown { unknown, .. } => misnamed(unknown, message),
        InputError::NotAccepted { name, error, .. } => of_answer(name.to_string(), message, error),
        InputError::NoInputs { name, .. } | InputError::NotAWord { name, .. } => {
            plain(name.to_string(), message)
        }
        InputError::NoHand { .. } => plain("hand".into(), message),
        InputError::NoDeck { .. } | InputError::Card(_) => plain("gone".into(), message),
        InputError::MemoryOfSide { name, .. } => plain(name.to_string(), message),
        InputError::TooManyMembers { .. } | InputError::Memory(_) => plain(String::new(), message),
    }
}
