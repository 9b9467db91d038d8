//! Keys, and the types of their values.

use super::{Sentence, said, suggestion};
use adjutant_pack::LONGEST_TEXT;
use adjutant_pack::problem::{KeyProblem, Owner, Part, TomlType, Wanted};

pub(super) fn key(problem: &KeyProblem) -> Sentence {
    match problem {
        KeyProblem::Unknown { owner, key } => {
            said(format!("{} has no key `{}`", self::owner(owner), key.name), suggestion(key))
        }
        KeyProblem::Misplaced { owner, key } => said(
            format!("`{key}` does not go with the rest of {}", self::owner(owner)),
            "it goes with something else than what is said here: take it out",
        ),
        KeyProblem::NoPackSection => said(
            "there is no [pack] section",
            "begin the file with [pack], id = \"…\" and title = \"…\"",
        ),
        KeyProblem::MissingText { owner, key } => {
            said(format!("{} has no `{key}`", self::owner(owner)), format!("add {key} = \"…\""))
        }
        KeyProblem::Missing { key } => {
            said(format!("`{key}` is missing here"), format!("add {key} = …"))
        }
        KeyProblem::Empty { key } => {
            said(format!("`{key}` is empty"), format!("write {key} = \"…\""))
        }
        KeyProblem::WrongType { key, found, wanted } => said(
            format!(
                "`{key}` is {}, but {} is expected here",
                toml_type(*found),
                self::wanted(*wanted)
            ),
            match (found, wanted) {
                (TomlType::Table, Wanted::Expression) => {
                    format!("a name with a dot stands in quotes: \"{key}.…\" = \"…\"")
                }
                (_, Wanted::Tables) => format!("write {key} = {}", example_of_list(key)),
                _ => format!("write {key} = {}", example(*wanted)),
            },
        ),
        KeyProblem::InexactNumber { key } => said(
            format!("`{key}` is not a number that can be held exactly"),
            "write it as 3, -1, 2.5 or \"1/2\", below a million million",
        ),
        KeyProblem::NotWhole { key, found, most } => {
            said(format!("`{key}` is {found}"), format!("write a whole number from 1 to {most}"))
        }
        KeyProblem::NotAnExpression { key } => {
            said(format!("`{key}` is not an expression"), "write it as a text")
        }
        KeyProblem::NotAValue { key } => {
            said(format!("`{key}` is not a value"), "write a number, true or false, or a word")
        }
        KeyProblem::AmongQuestions { key } => said(
            format!("`{key}` stands among the questions, but belongs to the chart"),
            "put it above the line [chart.….ask]",
        ),
        KeyProblem::BelongsAbove { key, part, section } => said(
            format!("`{key}` stands under `{part}`, but belongs to the {section} itself"),
            format!("put it above the line [{section}.….{part}]"),
        ),
        KeyProblem::ControlCharacter { character } => said(
            format!("the text holds a control character ({})", character.escape_unicode()),
            "take it out: texts are plain",
        ),
        KeyProblem::TextTooLong { bytes } => said(
            format!("the text is {bytes} bytes long: at most {LONGEST_TEXT} are shown"),
            "shorten it",
        ),
    }
}

fn owner(owner: &Owner) -> String {
    match owner {
        Owner::File(file) => (*file).to_owned(),
        Owner::TablesFile => "the tables file".into(),
        Owner::Section(path) => format!("[{path}]"),
        Owner::Named(name) => format!("`{name}`"),
        Owner::DeckField(name) => format!("the deck field `{name}`"),
        Owner::Key(key) => (*key).to_owned(),
        Owner::Part(part) => self::part(*part).to_owned(),
    }
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Action => "an action",
        Part::AgainRule => "an again rule",
        Part::AlsoLine => "an also line",
        Part::Attributes => "the attributes",
        Part::Case => "a case",
        Part::Cell => "a cell",
        Part::Count => "what is counted",
        Part::DeckFields => "the deck's fields",
        Part::Due => "what falls due",
        Part::Effect => "an effect",
        Part::Enemies => "the enemies",
        Part::Joined => "the units that join",
        Part::FollowUp => "a follow-up",
        Part::Grid => "a grid",
        Part::GridRows => "the rows of the grid",
        Part::InsteadLine => "an instead line",
        Part::Modifier => "a modifier",
        Part::Phase => "a phase",
        Part::PhaseLift => "what a phase lifts",
        Part::Place => "a place",
        Part::PrintedTable => "the printed table",
        Part::Question => "the question",
        Part::RerollRule => "the re-roll rule",
        Part::Roles => "the roles",
        Part::Row => "a row",
        Part::StartUnit => "a unit",
        Part::Step => "a step",
        Part::Symbols => "the symbols of an attribute",
        Part::Shorts => "the short labels of words",
        Part::Tally => "a tally",
        Part::UnitsLeft => "units of which none is left",
    }
}

pub(super) fn toml_type(kind: TomlType) -> &'static str {
    match kind {
        TomlType::Text => "a text",
        TomlType::Number => "a number",
        TomlType::YesNo => "yes or no",
        TomlType::Date => "a date",
        TomlType::List => "a list",
        TomlType::Table => "a table",
    }
}

fn wanted(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Text => "a text",
        Wanted::Number => "a number",
        Wanted::YesNo => "yes or no",
        Wanted::Expression => "an expression",
        Wanted::Table => "a table",
        Wanted::Tables => "a list of tables",
    }
}

/// What stands in a list of tables.
fn example_of_list(key: &str) -> &'static str {
    match key {
        "reroll" => "[ { when = \"face == 1\", because = \"…\" } ]",
        "next" => "[ { chart = \"…\", why = \"…\" } ]",
        "effects" => "[ { status = \"…\" } ]",
        "add" | "shift" => "[ { label = \"…\", plus = 1 } ]",
        "rows" => "[ { to = 4, all = \"…\" }, { all = \"…\" } ]",
        "step" => "[ { roll = \"1d6\" } ]",
        _ => example(Wanted::Tables),
    }
}

fn example(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Text => "\"…\"",
        Wanted::Number => "3",
        Wanted::YesNo => "true",
        Wanted::Expression => "\"close && !firer.suppressed\"",
        Wanted::Table => "{ … }",
        Wanted::Tables => "[ { … }, { … } ]",
    }
}
