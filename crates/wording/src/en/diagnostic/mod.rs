//! Diagnostics of a pack as sentences. One file for each group of problems, as in
//! `pack/src/problem`.

mod chart;
mod deck;
mod die;
mod expression;
mod field;
mod file;
mod game;
mod head;
mod keys;
mod read;
mod result;
mod term;

pub use expression::expression;
pub use file::bundle;

use super::unknown_name::{no_such_name, suggestion};
use adjutant_dice::Text;
use adjutant_pack::problem::{Counted, Problem, Unused};
use adjutant_pack::{Diagnostic, UnknownName};

/// A diagnostic in English: the fault and its fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

fn said(message: impl Into<String>, help: impl Into<String>) -> Sentence {
    Sentence { message: message.into(), help: help.into() }
}

fn unknown(name: &UnknownName) -> Sentence {
    said(no_such_name(name), suggestion(name))
}

/// The words of a choice as expressions write them: `'ap', 'he'`.
fn quoted(words: &[Text]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ")
}

/// A diagnostic of a pack. The sentence leaves out the place, which the file and the span give.
pub fn diagnostic(fault: &Diagnostic) -> Sentence {
    problem(&fault.problem)
}

/// A problem in a pack.
pub fn problem(problem: &Problem) -> Sentence {
    match problem {
        Problem::UnknownName(name) => unknown(name),
        Problem::TooMany { what, most, found } => too_many(*what, *most, *found),
        Problem::Unused { what, name } => unused(*what, name),
        Problem::NoChart => {
            said("the pack has no chart", "add one: [chart.my-chart] with title, step and read")
        }
        Problem::File(problem) => file::file(problem),
        Problem::Toml(problem) => file::toml(problem),
        Problem::Key(problem) => keys::key(problem),
        Problem::Head(problem) => head::head(problem),
        Problem::Name(problem) => field::name(problem),
        Problem::Field(problem) => field::field(problem),
        Problem::Expr(problem) => expression(problem),
        Problem::Chart(problem) => chart::chart(problem),
        Problem::Chain(problem) => chart::chain(problem),
        Problem::Step(problem) => chart::step(problem),
        Problem::Die(problem) => die::die(problem),
        Problem::Roll(problem) => die::roll(problem),
        Problem::Read(problem) => read::read(problem),
        Problem::Row(problem) => read::row(problem),
        Problem::Effect(problem) => result::effect(problem),
        Problem::Term(problem) => term::term(problem),
        Problem::Deck(problem) => deck::deck(problem),
        Problem::Csv(problem) => deck::csv(problem),
        Problem::Layout(problem) => deck::layout(problem),
        Problem::Fight(problem) => game::fight(problem),
        Problem::Turn(problem) => game::turn(problem),
        Problem::Case(problem) => file::case(problem),
    }
}

fn too_many(what: Counted, most: usize, found: usize) -> Sentence {
    let (has, help) = match what {
        Counted::CardColumns => {
            return said(
                format!("the file has {found} columns: at most {most} stand on a card"),
                "take some out",
            );
        }
        Counted::Starts => {
            return said(format!("the pack has more than {most} starts"), "take some out");
        }
        Counted::Endings => {
            return said(format!("the pack has more than {most} endings"), "take some out");
        }
        Counted::CardPlaces => (format!("the card has {found} places"), "join some of them"),
        Counted::Charts => (format!("the pack has {found} charts"), "split the pack"),
        Counted::Fights => (format!("the pack has {found} fights"), "split the pack"),
        Counted::Options => (format!("the pack has {found} options"), "split the pack"),
        Counted::Inputs => (format!("the chart asks for {found} inputs"), "split the chart"),
        Counted::Modifiers => (format!("the step has {found} modifiers"), "join some of them"),
        Counted::Rows => (format!("the chart has {found} rows"), "split it"),
        Counted::Steps => {
            (format!("the chart has {found} steps"), "split it into charts that look each other up")
        }
        Counted::Templates => (format!("the pack has {found} templates"), "take some out"),
        Counted::Terms => (format!("the pack has {found} terms"), "take some out"),
    };
    said(format!("{has}: at most {most} are allowed"), help)
}

fn unused(what: Unused, name: &str) -> Sentence {
    match what {
        Unused::Result => said(
            format!("no chart ever gives the result `{name}`"),
            "use it in a row, or take it out",
        ),
        Unused::Option => said(
            format!("nothing asks for the option `{name}`"),
            "name it as option.… in a condition, or take it out",
        ),
        Unused::Memory => said(
            format!("nothing reads or sets the memory `{name}`"),
            "use it as memory.…, or take it out",
        ),
        Unused::Reading => said(
            format!("nothing rests on the reading `{name}`"),
            "name it in a chart's readings, a step, a modifier or a row",
        ),
        Unused::Input => said(
            format!("`{name}` is asked for but nothing uses it"),
            "use it in a modifier, a row or a step, or take it out",
        ),
    }
}
