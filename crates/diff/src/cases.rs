//! Which test cases fail: those of the earlier version, run against the later one.

use crate::Version;
use adjutant_engine::{CaseFailure, SayError, try_suite};
use adjutant_pack::{Files, Pack, read_cases, read_pack};

/// A case that passes in the earlier version and fails in the later one.
#[derive(Clone, Debug)]
pub struct FailingCase {
    /// The sentence by which the case goes in `cases.toml`.
    pub name: String,
    /// The expectation that is not met.
    pub why: CaseFailure,
}

/// The cases of the earlier version that the later one fails, and the later version's own cases
/// that it fails.
pub fn failing_cases(
    before: &Version<'_>,
    after: &Version<'_>,
    say: SayError,
) -> (Vec<FailingCase>, Vec<FailingCase>) {
    let passed_no_more = {
        let old = failures(before.files, before, say);
        let new = failures(before.files, after, say);
        let was_wrong = |case: &FailingCase| old.iter().any(|known| known.name == case.name);
        new.into_iter().filter(|case| !was_wrong(case)).collect()
    };
    (passed_no_more, failures(after.files, after, say))
}

/// The cases in `files` that a version fails.
fn failures(files: &Files, version: &Version<'_>, say: SayError) -> Vec<FailingCase> {
    let Ok(suite) = read_cases(files) else { return Vec::new() };
    let filled: Option<Pack> =
        suite.tables.as_ref().and_then(|tables| read_pack(version.files, Some(tables)).ok());
    let report = try_suite(version.pack, filled.as_ref(), &suite, say);
    let case =
        |failure: adjutant_engine::Failure| FailingCase { name: failure.name, why: failure.why };
    report.failures.into_iter().map(case).collect()
}
