//! The JSON of `adjutant diff`.

use crate::Replayed;
use adjutant_diff::PackDiff;
use serde::Serialize;

/// How two versions of a pack differ.
#[derive(Debug, Serialize)]
pub struct PackDiffData<'d> {
    #[serde(flatten)]
    pub diff: &'d PackDiff,
    /// Cases of the first version that pass there and fail by the rules of the second.
    pub failing_cases: Vec<CaseDiff>,
    /// Cases of the second version that fail by its own rules.
    pub own_failing_cases: Vec<CaseDiff>,
    /// Logs that were given, replayed by the rules of the second version.
    pub games: Vec<Replayed<'d>>,
}

/// A case that fails.
#[derive(Debug, Serialize)]
pub struct CaseDiff {
    pub name: String,
    /// What is not as expected.
    pub why: String,
}
