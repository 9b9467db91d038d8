//! What went wrong in the test cases of a pack.

use super::resolve::case_error;
use super::unknown_name::{no_such_name, suggestion};
use adjutant_engine::{CaseFailure, CaseOutcome, Compared, Difference, Expected};
use adjutant_pack::GridCell;

/// What was not as a case expects.
pub fn case_failure(failure: &CaseFailure) -> String {
    match failure {
        CaseFailure::UnknownResult(unknown) => {
            format!("{}: {}", no_such_name(unknown), suggestion(unknown))
        }
        CaseFailure::OtherReason { part, reason } => {
            format!("refused with “{}”, which does not say “{part}”", case_error(reason))
        }
        CaseFailure::NotRefused { part, outcome } => {
            format!("not refused with “{part}”: {}", happened(outcome))
        }
        CaseFailure::DidNotStop { key, outcome } => {
            format!("did not ask for `{key}`: {}", happened(outcome))
        }
        CaseFailure::DidNotEnd(outcome) => happened(outcome),
        CaseFailure::Differs(list) => list.iter().map(difference).collect::<Vec<_>>().join("; "),
        CaseFailure::Cell { at, wanted, outcome } => {
            let at: Vec<String> =
                at.iter().map(|(axis, value)| format!("{axis} {value}")).collect();
            format!("{}: expected {}: {}", at.join(", "), cell(wanted), happened(outcome))
        }
    }
}

fn happened(outcome: &CaseOutcome) -> String {
    match outcome {
        CaseOutcome::Done(Some(result), Some(value)) => format!("the result is {result} ({value})"),
        CaseOutcome::Done(Some(result), None) => format!("the result is {result}"),
        CaseOutcome::Done(None, Some(value)) => format!("the value is {value}"),
        CaseOutcome::Done(None, None) => "there is no result".into(),
        CaseOutcome::Stopped(error) => case_error(error),
        CaseOutcome::Refused(error) => format!("refused: {}", case_error(error)),
    }
}

fn cell(cell: &GridCell) -> String {
    match cell {
        GridCell::Again => "another card or die".into(),
        GridCell::Value(n) => n.to_string(),
        GridCell::Result(id) => id.clone(),
    }
}

fn difference(difference: &Difference) -> String {
    let Difference { what, wanted, found } = difference;
    let what = match what {
        Compared::Result => "the result is".into(),
        Compared::On => "the result is for".into(),
        Compared::Column => "the column is".into(),
        Compared::Score => "the score is".into(),
        Compared::Value => "the value is".into(),
        Compared::Total(step) => format!("the total of {step} is"),
        Compared::Effects => "the effects are".into(),
        Compared::Next => "what follows is".into(),
        Compared::Also => "the further results are".into(),
        Compared::Order => "the order is".into(),
        Compared::ResultOf(unit) => format!("the result of {unit} is"),
    };
    format!("{what} {}, not {}", expected(found), expected(wanted))
}

fn expected(expected: &Expected) -> String {
    match expected {
        Expected::One(one) => one.clone().unwrap_or_else(|| "none".into()),
        Expected::List(list) => format!("[{}]", list.join(", ")),
        Expected::Groups(groups) => {
            let groups: Vec<String> =
                groups.iter().map(|group| format!("[{}]", group.join(", "))).collect();
            format!("[{}]", groups.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_dice::Number;

    fn one(text: &str) -> Expected {
        Expected::One(Some(text.into()))
    }

    #[test]
    fn a_failure_says_what_came_out_and_what_was_expected() {
        let result =
            Difference { what: Compared::Result, wanted: one("hit"), found: Expected::One(None) };
        let list = |ids: &[&str]| Expected::List(ids.iter().map(|id| (*id).to_owned()).collect());
        let next = Difference { what: Compared::Next, wanted: list(&["rally"]), found: list(&[]) };
        let cell = CaseFailure::Cell {
            at: vec![("dice".into(), "3".into()), ("cover".into(), "yes".into())],
            wanted: GridCell::Again,
            outcome: CaseOutcome::Done(Some("miss".into()), Some(Number::from(2))),
        };
        for (failure, text) in [
            (
                CaseFailure::Differs(vec![result, next]),
                "the result is none, not hit; what follows is [], not [rally]",
            ),
            (cell, "dice 3, cover yes: expected another card or die: the result is miss (2)"),
            (
                CaseFailure::NotRefused {
                    part: "no target".into(),
                    outcome: CaseOutcome::Done(None, None),
                },
                "not refused with “no target”: there is no result",
            ),
        ] {
            assert_eq!(case_failure(&failure), text);
        }
    }
}
