//! Charts, their steps, and chains of charts.

use super::{Sentence, said};
use crate::en::dice_error;
use adjutant_pack::problem::{CanNeverHold, ChainProblem, ChartProblem, Lapse, StepProblem};

pub(super) fn chart(problem: &ChartProblem) -> Sentence {
    match problem {
        ChartProblem::OwnEnemy { role } => {
            said(format!("`{role}` cannot be an enemy of itself"), "name another role of the chart")
        }
        ChartProblem::CountedNotANumber => said(
            "only a number, or whether there is such a unit, can be counted on the roster",
            "make the question a number without at_least, or a yes_no without sum, least and most",
        ),
        ChartProblem::CountedDepends => said(
            "what is counted depends on the units counted alone, on options and on what the table remembers",
            "speak of `other` only: !other.…",
        ),
        ChartProblem::CountedTwice => {
            said("units are counted in one way only", "keep one of sum, least and most")
        }
        ChartProblem::JoinedEach { role } => said(
            format!("the chart is run for each unit in the role `{role}`"),
            "remove the role from joined, or remove each",
        ),
        ChartProblem::NoneJoin { role } => said(
            format!("no units join the one in the role `{role}`"),
            "name the role in the chart's joined, or write for = \"group\"",
        ),
        ChartProblem::OnlyDepends { role } => said(
            "whom a chart is for depends on the unit's own values and statuses, on questions without a role, on options and on memory",
            format!("speak of `{role}` only: {role}.…"),
        ),
        ChartProblem::NeedsEach { key } => {
            said(format!("`{key}` needs several units"), "add each = \"role\" to the chart")
        }
        ChartProblem::PrintedByOther { name } => {
            said(format!("`{name}` is not a number"), "a printed table goes by two numbers")
        }
        ChartProblem::PrintedHeads => said(
            "the first line holds something that is not a number",
            "write the values across in the first line, after an empty cell",
        ),
        ChartProblem::PrintedLine => said(
            "the line does not fit the first one",
            "begin with a number, then one cell for each value across",
        ),
        ChartProblem::RoleKind { role, kind } => {
            said(format!("`{role}` takes a unit of kind `{kind}`"), "name a role of that kind")
        }
    }
}

pub(super) fn step(problem: &StepProblem) -> Sentence {
    let one_of = "give a step exactly one of roll, draw, ask, look_up or work_out";
    match problem {
        StepProblem::DoesNothing => said("this step does nothing", one_of),
        StepProblem::DoesSeveral { keys } => {
            said(format!("this step does several things: {}", keys.join(", ")), one_of)
        }
        StepProblem::NoName => {
            said("this step has no name", "add as = \"…\": the name that later lines use")
        }
        StepProblem::NoLimit => said(
            "this step has no number to limit",
            "put most and least on a roll, a draw with read, or a work_out",
        ),
        StepProblem::SkippedQuestion => said(
            "a choice that may be skipped needs a default",
            "give the question a default: it is the answer when the question is not asked",
        ),
        StepProblem::SkippedWord => said(
            "a step that works out a word cannot be skipped",
            "put the condition inside: work_out = \"if(…, 'a', 'b')\"",
        ),
        StepProblem::BadDice { dice, error, sum } => {
            let help = match sum {
                _ if dice.to_ascii_lowercase().ends_with("df") => {
                    "define the die, [die.fudge] faces = [-1, -1, 0, 0, 1, 1], then roll = \"fudge\" with count = 4"
                }
                _ if dice.contains('(') => {
                    "write roll = \"d6\", and the number of dice as count = \"guns\""
                }
                true => {
                    "write roll = \"2d6\", and what is added as add = [ { label = \"…\", plus = 1 } ]"
                }
                false if dice.starts_with(|c: char| c.is_alphabetic() && c != 'd') => {
                    "write roll = \"d6\", and the number of dice as count = \"guns\""
                }
                false => "write roll = \"2d6\"",
            };
            said(format!("`{dice}` cannot be rolled: {}", dice_error(error)), help)
        }
        StepProblem::NeverSoManyDice => said(
            "so many dice can never be rolled",
            "the number of dice must lie between 0 and 200",
        ),
        StepProblem::PassBoth => said(
            "a die cannot pass both at most and at least",
            "keep one of pass_at_most and pass_at_least",
        ),
        StepProblem::ReadWithoutBy { field, from, to } => said(
            format!("`{field}` is a row of numbers"),
            format!("add by = \"…\", a number from {from} to {to}"),
        ),
        StepProblem::ReadNotANumber { field } => said(
            format!("`{field}` is not read as a number"),
            "leave `read` out and name the field in the rows: card.…",
        ),
        StepProblem::LookUpOfSeveral { chart } => said(
            format!("`{chart}` is for several units and cannot be looked up"),
            "use it as a follow-up",
        ),
        StepProblem::LookUpNeeds { chart, input } => said(
            format!("`{chart}` needs `{input}`, which is not given here"),
            match input.contains('.') {
                true => format!("add with = {{ \"{input}\" = \"…\" }} or map its role with who"),
                false => format!("add with = {{ {input} = \"…\" }}"),
            },
        ),
        StepProblem::ModifierWithoutAmount { label } => said(
            format!("the modifier `{label}` does not say how much"),
            "give it exactly one of plus, times or dice",
        ),
        StepProblem::DiceOnOther => said("only a roll has dice to add", "use plus"),
        StepProblem::NothingToModify => said(
            "this step has no number to modify",
            "put the modifier on a roll, a draw with read, or a work_out",
        ),
        StepProblem::AgainOnOther => {
            said("only a roll or a draw can be made again", "take the again rule out")
        }
        StepProblem::ReshuffledDice => said("dice cannot be reshuffled", "take reshuffle out"),
        StepProblem::AgainOfSeveral => said(
            "several cards cannot be drawn again as one",
            "draw a single card, or let each and tally count only the cards that matter",
        ),
        StepProblem::NeverSoManyTimes { most } => said(
            format!("a chart is never run so many times; a series has 0 to {most} runs"),
            "correct times",
        ),
        StepProblem::NeverSoManyCards { most } => said(
            format!("so many cards are never drawn; a draw takes 0 to {most}"),
            "correct count",
        ),
        StepProblem::UnreadableCards { count, first, field } => {
            let message = match count {
                1 => format!("card {first} of the deck has no `{field}` to read"),
                n => {
                    format!("{n} cards of the deck have no `{field}` to read, such as card {first}")
                }
            };
            said(
                message,
                "add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ]",
            )
        }
        StepProblem::NeverHolds { what } => {
            said(never_holds(what), "the condition is false whatever is given: mend it")
        }
        StepProblem::Endless { several: false } => said(
            "this would never end: the rule always holds",
            "say when it is made again, or add at_most = 1",
        ),
        StepProblem::Endless { several: true } => said(
            "this would never end: one of the rules always holds",
            "let some roll be read, or add at_most = 1",
        ),
    }
}

fn never_holds(what: &CanNeverHold) -> String {
    match what {
        CanNeverHold::Step => "this step can never happen".into(),
        CanNeverHold::Modifier(label) => format!("the modifier `{label}` can never count"),
        CanNeverHold::AgainRule => "this again rule can never hold".into(),
        CanNeverHold::AlsoLine => "this line can never hold".into(),
    }
}

pub(super) fn chain(problem: &ChainProblem) -> Sentence {
    match problem {
        ChainProblem::Circle { charts } => {
            said(format!("this can never end: {}", charts.join(" looks up ")), "break the circle")
        }
        ChainProblem::TooLong { most } => said(
            format!("more than {most} charts look each other up in a row"),
            "join some of them",
        ),
        ChainProblem::TooManyLookUps { most } => said(
            format!("the chart sets off more than {most} look-ups"),
            "look up fewer charts, or join some of them",
        ),
        ChainProblem::NeverEnds { chart } => said(
            format!("the chain of charts from `{chart}` can never end"),
            "let one of its results be without a follow-up",
        ),
        ChainProblem::ResultLapses { result, chart, why } => {
            let (does, help) = lapse(why);
            said(format!("`{result}` {does}, so `{chart}` would never be rolled"), help)
        }
        ChainProblem::RowLapses { chart, why } => {
            let (does, help) = lapse(why);
            said(format!("a row {does}, so its follow-up `{chart}` would never be rolled"), help)
        }
    }
}

fn lapse(why: &Lapse) -> (String, &'static str) {
    match why {
        Lapse::Left => (
            "takes its unit off the table".into(),
            "put on a status with out = true instead of `leaves`, and add now = true to the follow-up; or, if only one of the two can happen, give each a row of its own",
        ),
        Lapse::Status(status) => (
            format!("puts on `{status}`, which rules its unit out"),
            "add now = true to the follow-up",
        ),
    }
}
