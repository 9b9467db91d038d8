//! Faults in a log, and differences between a record and the rules.

use super::{play_error, rejection};
use adjutant_dice::RecordedInput;
use adjutant_game::{Difference, LogError, LogFault, Mismatch, NotPlain, RecordPart};

/// A fault in a log, with the number of the line.
pub fn log_error(error: &LogError) -> String {
    format!("event {}: {}", error.event, log_fault(&error.fault))
}

/// A fault in a line of a log.
pub fn log_fault(fault: &LogFault) -> String {
    match fault {
        LogFault::OutOfOrder { found } => {
            format!("a line with the number {found} is here: a line is missing, doubled or out of order")
        }
        LogFault::BrokenChain => "it does not follow from the line before: a line has been altered, dropped or exchanged".into(),
        LogFault::WrongNumber { found } => format!("the line has the number {found}"),
        LogFault::NotVouchedFor { by } => format!("its fingerprint differs from the one in event {by}"),
        LogFault::OtherEnd => "the log does not end with the line it should: lines are missing, or the last has been altered".into(),
        LogFault::Rejected(found) => rejection(found),
        LogFault::Differs(found) => difference(found),
        LogFault::NotReplayable(error) => play_error(error),
    }
}

/// An event whose record differs from what the rules give.
pub fn mismatch(mismatch: &Mismatch) -> String {
    format!("event {}: {}", mismatch.event, difference(&mismatch.difference))
}

/// How a record differs from what the rules give.
pub fn difference(difference: &Difference) -> String {
    match difference {
        Difference::Results { recorded, given } => {
            format!(
                "the result is recorded as {}; the chart gives {}",
                titles(recorded),
                titles(given)
            )
        }
        Difference::ResultUnits { results } => {
            format!(
                "{} is recorded for another unit than the one the chart gives it to",
                titles(results)
            )
        }
        Difference::Part(part) => {
            let what = match part {
                RecordPart::Value => "the value",
                RecordPart::Order => "the order",
                RecordPart::Changes => "what changes",
                RecordPart::NewUnits => "who appears",
                RecordPart::FollowUps => "what follows",
                RecordPart::Cards => "what became of the cards",
                RecordPart::Unapplied => "whether the outcome can be applied",
            };
            format!("{what} is not recorded as the chart gives it")
        }
        Difference::DueAtStart => {
            "the tests due at the start are not recorded as the sheet gives them".into()
        }
        Difference::PhaseLifts => {
            "the statuses that end in this phase are not recorded as the sheet gives them".into()
        }
        Difference::PhaseDue => {
            "the tests due in this phase are not recorded as the sheet gives them".into()
        }
        Difference::Incomplete => {
            "what its pending test or the roster settles is not recorded with it".into()
        }
        Difference::NotPlayable(error) => {
            format!("the chart cannot be rolled like this: {}", play_error(error))
        }
        Difference::Rejected(found) => rejection(found),
        Difference::CallFails { call, error } => {
            format!("the call of event {call} does not come to this: {}", play_error(error))
        }
        Difference::SealedInputs { recorded, given } => match (inputs(recorded), inputs(given)) {
            (was, is) if was == is => "the sealed roll differs from what the links give".into(),
            (was, is) => format!("the sealed roll is recorded as {was}; the links give {is}"),
        },
    }
}

fn titles(titles: &[adjutant_dice::Text]) -> String {
    if titles.is_empty() { "no result".into() } else { titles.join(", ") }
}

fn inputs(inputs: &[RecordedInput]) -> String {
    let one = |input: &RecordedInput| match input {
        RecordedInput::Dice { faces, .. } => {
            format!("[{}]", faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
        }
        RecordedInput::Card { card, .. } => format!("card {card}"),
        RecordedInput::Answer { answer } => format!("“{answer}”"),
    };
    if inputs.is_empty() {
        "nothing".into()
    } else {
        inputs.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

/// Why the text of a log is not byte for byte what was written.
pub fn not_plain(found: &NotPlain) -> String {
    match found {
        NotPlain::CarriageReturn { line } => {
            format!("line {line} ends with CR LF; the lines of a log end with LF alone")
        }
        NotPlain::Blank { line } => format!("line {line} is blank; a log has no blank lines"),
    }
}
