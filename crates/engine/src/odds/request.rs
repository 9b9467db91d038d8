//! What is asked of odds, and why there may be none.

use crate::error::NoOdds;
use adjutant_dice::{Answer, Missing, Text};

/// How a question to a player is taken.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerOdds {
    /// Always this answer.
    Always(Answer),
    /// Each answer so many times of the whole.
    Weighed(Vec<(Answer, u64)>),
}

/// What goes beyond the situation.
#[derive(Clone, Debug, Default)]
pub struct OddsOptions {
    /// How questions are taken, by name.
    pub answers: Vec<(String, AnswerOdds)>,
    /// Whether to go down the chain of charts to the last results.
    pub follow: super::Follow,
    /// Inputs for the charts that follow, by name: a unit's values by its role in the first chart,
    /// or in the chart that asks for them.
    pub later: Vec<(String, String)>,
    /// How many rolls are made at most to find the odds; without it, as many as a command may wait
    /// for. A page that must answer while a player types says less.
    pub most: Option<usize>,
    /// When to give up with [`OddsError::OverLimit`].
    pub stop: super::Stop,
    /// A question that is open even where its answer could be assumed.
    pub left_open: Option<String>,
}

impl OddsOptions {
    /// Whether the answer to a question may be assumed.
    pub(crate) fn may_assume(&self, key: &str) -> bool {
        self.left_open.as_deref() != Some(key)
    }
}

/// A question that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenQuestion {
    /// Its name.
    pub key: String,
    /// What it asks.
    pub prompt: String,
    /// What may be answered.
    pub accepts: adjutant_dice::Accepts,
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{:?}", self)]
pub enum OddsError {
    /// A question must be answered first.
    Open(OpenQuestion),
    /// Something must be known first.
    Needs(Vec<Missing>),
    /// The chart cannot be run like this.
    Refused(NoOdds),
    /// Exact odds would take too much work.
    TooLarge(TooLarge),
    /// A fight takes more time or memory than the caller allows.
    OverLimit(crate::fight::Limit),
}

/// How large exact odds would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What there is too much of.
    pub of: TooMany,
    /// The step that it happens in, if it is one.
    pub step: Option<Text>,
    /// How many there are, at least.
    pub size: u128,
    /// How many are allowed.
    pub limit: u128,
}

/// What exact odds can have too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// Ways that a chart or a step can go, each of which is tried.
    Ways,
    /// Situations after a step, or of a fight.
    States,
    /// Cells in the count of a handful of dice.
    Cells,
    /// Combinations of answers to open questions.
    Answers,
    /// Combinations of the results of several checks.
    Combinations,
}

impl TooMany {
    /// The error for so many, where fewer are allowed.
    pub(crate) fn beyond(self, size: usize, limit: usize) -> OddsError {
        let (size, limit) = (size as u128, limit as u128);
        OddsError::TooLarge(TooLarge { of: self, step: None, size, limit })
    }
}

impl OddsError {
    /// Names the step that was too large, if no step is named yet.
    pub(super) fn in_step(self, name: &Text) -> OddsError {
        match self {
            OddsError::TooLarge(large) if large.step.is_none() => {
                OddsError::TooLarge(TooLarge { step: Some(name.clone()), ..large })
            }
            other => other,
        }
    }
}
