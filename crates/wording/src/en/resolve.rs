//! Why an input is not accepted, a chart cannot be run, or odds cannot be computed.

use super::dice::{answer_error, deck_error, list, needed, number_error, source_error};
use super::numbers::grouped;
use super::unknown_name::nearest_or_all;
use adjutant_dice::{Answer, Text};
use adjutant_engine::{
    AnswerOddsError, CaseError, InputError, Interrupted, Limit, ModifierLine, NoOdds, NotFollowed,
    OddsError, OptionOff, ResolveError, TooLarge, TooMany, Unfollowed,
};
use adjutant_pack::{Noun, Relation, UnknownName};

/// Why an input, an option or a memory is not accepted.
pub fn input_error(error: &InputError) -> String {
    match error {
        InputError::Unknown { owner, unknown } => has_no(owner, unknown),
        InputError::NoInputs { chart, name } => {
            format!("`{name}` is not asked for: {chart} needs no inputs")
        }
        InputError::NotAccepted { name, .. } | InputError::NotAWord { name, .. } => {
            format!("{name}: {}", input_error_beside_name(error))
        }
        InputError::TooManyMembers { most } => format!("at most {most} units can take part"),
        InputError::NoDeck { chart } => format!("{chart} draws no cards, so none can be gone"),
        InputError::NoHand { chart } => format!("{chart} plays no cards of a hand"),
        InputError::Card(error) => deck_error(*error),
        InputError::Memory(error) => number_error(*error),
        InputError::MemoryOfSide { name, inputs } => memory_of_side(name, inputs),
    }
}

fn memory_of_side(name: &str, inputs: &[Text]) -> String {
    let each = format!("each side has its own `{name}`");
    match inputs {
        [] => format!("{each}, and this chart does not read it"),
        _ => {
            let inputs: Vec<String> = inputs.iter().map(|input| format!("`{input}`")).collect();
            format!("{each}: give it as {}", inputs.join(" or "))
        }
    }
}

/// Like [`input_error`], for a place where the name of the input stands already.
pub fn input_error_beside_name(error: &InputError) -> String {
    match error {
        InputError::NotAccepted { error, note, .. } => {
            format!("{}{}", answer_error(error), after(note))
        }
        InputError::NotAWord { note, .. } => format!("not a word of this pack{}", after(note)),
        InputError::Unknown { .. }
        | InputError::NoInputs { .. }
        | InputError::TooManyMembers { .. }
        | InputError::NoDeck { .. }
        | InputError::NoHand { .. }
        | InputError::Card(_)
        | InputError::MemoryOfSide { .. }
        | InputError::Memory(_) => input_error(error),
    }
}

fn after(note: &Text) -> String {
    if note.is_empty() { String::new() } else { format!(". {note}") }
}

/// Says that `owner` does not have the name, and which names it has.
fn has_no(owner: &Text, unknown: &UnknownName) -> String {
    let lacks = match unknown.noun {
        Noun::Chart => "has no chart",
        Noun::Fight => "has no fight",
        Noun::Input => "has no input",
        Noun::Option => "has no option",
        Noun::Memory => "remembers no",
        _ => "has no",
    };
    format!("{owner} {lacks} `{}`: {}", unknown.name, nearest_or_all(unknown))
}

/// How many chits a bag has.
pub fn chits_left(chits: usize) -> String {
    match chits {
        1 => "1 chit".to_owned(),
        chits => format!("{chits} chits"),
    }
}

/// Why a chart cannot be run.
pub fn resolve_error(error: &ResolveError) -> String {
    match error {
        ResolveError::OptionOff(off) => option_off(off),
        ResolveError::BagWithoutGame { chart, bag } => format!(
            "{chart} draws from {bag}, which holds a chit for each unit of a roster: play it in a game"
        ),
        ResolveError::Source(error) => source_error(error),
        ResolveError::Card(error) => deck_error(*error),
        ResolveError::Formula { chart, formula, error } => {
            format!("{chart}: `{formula}`: {}", number_error(*error))
        }
        ResolveError::NoValue { chart, formula, name } => {
            format!("{chart}: `{formula}`: `{name}` has no value here")
        }
        ResolveError::Arithmetic { chart, error } => format!("{chart}: {}", number_error(*error)),
        ResolveError::TooManyDice { chart, step, dice, most } => {
            format!("{chart}: {step} would be {dice} dice: at most {most} can be rolled")
        }
        ResolveError::TooManyTimes { chart, step, times, most } => {
            format!("{chart}: {step} would be {times} runs: at most {most} can be made")
        }
        ResolveError::BadSides { chart, step, sides, most } => {
            format!(
                "{chart}: {step} would roll a die with {sides} sides: 2 to {most} can be rolled"
            )
        }
        ResolveError::TooManyRolls { chart, most } => {
            format!("{chart}: stopped after {most} rolls: this would never end")
        }
        ResolveError::NoRow { chart, score } => format!(
            "{chart}: no row is for {}",
            score.as_ref().map_or("this".to_owned(), Answer::to_string)
        ),
        ResolveError::NoResult { key } => format!("{key}: no result was given"),
        ResolveError::NotAccepted { key, answer, accepts } => {
            format!("{key}: `{answer}` is not accepted: {}", super::accepted(accepts))
        }
        ResolveError::InputNotAccepted { chart, input, answer, accepts } => {
            format!("{chart}: {input}: `{answer}` is not accepted: {}", super::accepted(accepts))
        }
        ResolveError::EmptyCard { chart, card, field } => {
            format!("{chart}: card {card} has nothing to read under “{field}”")
        }
        ResolveError::NoCardRow { chart, field, row, from, to } => {
            format!("{chart}: {field} has no row {row}: {from} to {to} are on the cards")
        }
    }
}

/// A chart or a fight requires an option that is off.
pub fn option_off(off: &OptionOff) -> String {
    let OptionOff { title, option, certainty, origin } = off;
    format!(
        "{title} is a {}, and its option `{option}` is off (origin: {})",
        certainty.name(),
        origin.trim_end_matches('.')
    )
}

/// Why a run stopped: what is missing, or why it cannot go on.
pub fn interrupted(stopped: &Interrupted) -> String {
    match &stopped.refused {
        Some(error) => resolve_error(error),
        None => needed(&stopped.resolution.needs),
    }
}

/// Why a test case of a pack did not run to its end.
pub fn case_error(error: &CaseError) -> String {
    match error {
        CaseError::Input(error) => input_error(error),
        CaseError::Source(error) => source_error(error),
        CaseError::Resolve(error) => resolve_error(error),
        CaseError::Needs(needs) => needed(needs),
    }
}

/// Why the odds of a chart or a fight cannot be computed, whatever the inputs.
pub fn no_odds(error: &NoOdds) -> String {
    match error {
        NoOdds::Resolve(error) => resolve_error(error),
        NoOdds::Input(error) => input_error(error),
        NoOdds::Endless { chart } => format!("{chart} would never end"),
        NoOdds::EndlessFight => "this fight would never end".into(),
        NoOdds::EndlessCards => "a check with cards would never end".into(),
        NoOdds::Formula { fight, formula, error } => {
            format!("{fight}: `{formula}`: {}", number_error(*error))
        }
        NoOdds::NoValue { name } => format!("`{name}` has no value here"),
        NoOdds::Arithmetic(error) => number_error(*error),
        NoOdds::NewUnits { chart } => {
            format!("{chart}: odds do not cover units that appear during a fight")
        }
        NoOdds::SeriesOfChains => {
            "choose either several checks or the chain that follows one check".into()
        }
        NoOdds::SeriesOfCards { chart } => format!(
            "{chart} takes more than one card or dice as well: a series from one deck needs checks of a single card"
        ),
    }
}

/// Why there are no odds.
pub fn odds_error(error: &OddsError) -> String {
    match error {
        OddsError::Open(question) => {
            format!("the odds depend on an answer: {} ({})", question.prompt, question.key)
        }
        OddsError::Needs(needs) => format!("needed first: {}", list(needs)),
        OddsError::Refused(why) => no_odds(why),
        OddsError::TooLarge(large) => too_large(large),
        OddsError::OverLimit(limit) => over_limit(*limit).into(),
    }
}

/// Exact odds would take too much: what, how much, and how much is allowed.
pub fn too_large(large: &TooLarge) -> String {
    let TooLarge { of, step, size, limit } = large;
    let at = step.as_ref().map_or(String::new(), |step| format!(" at the step `{step}`"));
    let what = match of {
        TooMany::Ways => "ways to try",
        TooMany::States => "situations to keep apart",
        TooMany::Cells => "cells to count",
        TooMany::Answers => "combinations of answers",
        TooMany::Combinations => "combinations of results",
    };
    if *size == 0 {
        return format!("too large for exact odds{at}; sample it instead");
    }
    let many = |n: u128| u64::try_from(n).map_or_else(|_| format!("{:.0e}", n as f64), grouped);
    format!(
        "too large for exact odds{at}: {} or more {what}, and {} are allowed; sample it instead",
        many(*size),
        many(*limit)
    )
}

/// A fight needs more than the caller allows.
pub fn over_limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "this fight takes more time than is allowed",
        Limit::Memory => "this fight takes more memory than is allowed",
    }
}

/// The second of two results that a yes-or-no question decides between.
pub fn otherwise(result: &str) -> String {
    format!("otherwise: {result}")
}

/// A line of the odds who acts first; without a unit, several act first together.
pub fn acts_first(unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{unit} acts first"),
        None => "Several act first, together".to_owned(),
    }
}

/// A chart that would follow and is not in the odds.
pub fn not_followed(what: &Unfollowed) -> String {
    let title = &what.title;
    match what.why {
        NotFollowed::Others(of) => {
            let whom = match of {
                Relation::Group => "the others of its group",
                Relation::Joined => "the units that take part with it",
                Relation::Side => "its side",
                Relation::Enemy => "the enemy",
                Relation::All => "all other units",
            };
            format!("then, not followed: {title}, for {whom}")
        }
        NotFollowed::NoUnit => format!("then, not followed: {title}, which needs another unit"),
        NotFollowed::TooLong => format!("not followed further, at {title}: too long to work out"),
        NotFollowed::Endless => {
            format!("not followed to an end, from {title}: goes on without end")
        }
    }
}

/// Why a text is neither an answer nor a probability.
pub fn answer_odds_error(error: &AnswerOddsError) -> String {
    match error {
        AnswerOddsError::NotAChance { text, accepts } => {
            format!(
                "`{text}` is neither an answer ({}) nor a chance such as 1/6",
                super::accepted(accepts)
            )
        }
        AnswerOddsError::OutOfRange(number) => {
            format!("`{number}` is not a chance: a chance is between 0 and 1")
        }
        AnswerOddsError::NotAccepted { text, accepts } => {
            format!(
                "`{text}` is not accepted: {}, or chances such as a:1/3,b:2/3",
                super::accepted(accepts)
            )
        }
        AnswerOddsError::Answer(error) => answer_error(error),
        AnswerOddsError::Sum(error) => number_error(*error),
        AnswerOddsError::NotOne { text, sum } => {
            format!("the chances of `{text}` make {sum}, not 1")
        }
    }
}

/// The column that was read, with the shifts that moved it: `1:1 (Wood -1)`.
pub fn column_read(head: &str, shifts: &[ModifierLine]) -> String {
    let counted: Vec<String> = shifts
        .iter()
        .filter(|line| line.counted)
        .filter_map(|line| Some(format!("{} {}", line.label, line.value?.signed())))
        .collect();
    if counted.is_empty() { head.to_owned() } else { format!("{head} ({})", counted.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_dice::Accepts;
    use adjutant_engine::AnswerOdds;

    #[test]
    fn a_text_that_is_no_chance() {
        let said = |text| answer_odds_error(&AnswerOdds::read(&Accepts::YesNo, text).unwrap_err());
        assert!(said("7/6").contains("between 0 and 1"));
        assert!(said("perhaps").contains("1/6"));
    }
}
