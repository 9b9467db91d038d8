//! Why a library has no answer, as data.

use crate::{Fault, StoppedRoll};
use adjutant_dice::{Accepts, Missing};
use serde::Serialize;

/// Why there is no answer. Lists that do not apply are empty.
#[derive(Debug, Serialize)]
pub struct QueryFault<'f> {
    pub kind: FaultKind,
    /// All sentences, one in a line.
    pub message: String,
    /// Everything that is wrong.
    pub sentences: Vec<String>,
    /// The inputs, options and answers that cannot be used.
    pub inputs: Vec<InputFault>,
    /// What is missing.
    pub needs: Vec<Missing>,
    /// A roll that stopped, as far as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StoppedRoll<'f>>,
    /// The faults of a pack.
    pub faults: Vec<Fault>,
}

/// The class of a fault. Each has a class of exceptions in the libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The pack has faults.
    Pack,
    /// Nothing has this name.
    NotFound,
    /// Something was given that cannot be used.
    Input,
    /// Something must be given first.
    Needs,
    /// The rules do not allow this here.
    Refused,
    /// Exact odds would take too much work.
    TooLarge,
    /// A limit of time or memory was reached.
    Limit,
    /// The caller stopped the work.
    Stopped,
    /// The request cannot be read.
    Request,
}

/// An input, an option, an answer, a name or a face that cannot be used.
#[derive(Debug, Serialize)]
pub struct InputFault {
    pub name: String,
    pub message: String,
    /// What is accepted.
    pub accepts: Option<Accepts>,
    /// The same in words.
    pub accepted: Option<String>,
    /// The known name that was most likely meant.
    pub nearest: Option<String>,
    /// The known names, where a name is unknown.
    pub known: Vec<String>,
}
