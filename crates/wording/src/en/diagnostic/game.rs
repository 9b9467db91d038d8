//! Fights, phases, templates, starts and endings.

use super::{Sentence, said};
use adjutant_pack::problem::{FightProblem, TurnProblem};

pub(super) fn fight(problem: &FightProblem) -> Sentence {
    match problem {
        FightProblem::ActionKind => said(
            "an action either rolls a chart or lifts statuses",
            "give it chart = \"…\" or lift = \"…\"",
        ),
        FightProblem::PreferNotACondition => {
            said("`prefer` is not a condition", "write prefer = \"!target.suppressed\"")
        }
        FightProblem::EndNotSaid => said(
            "it is not said when the fight is over",
            "add either when = \"ours.count == 0\" or result = \"…\" with a result that decides it",
        ),
        FightProblem::ActionCount { fight, found, most } => said(
            format!("the fight has {found} actions"),
            format!("a round has 1 to {most}: [[fight.{fight}.action]]"),
        ),
        FightProblem::SideCount { fight, found } => said(
            format!("the fight has {found} sides"),
            format!("it takes 1 to 4: [fight.{fight}.side.ours] unit = \"…\""),
        ),
        FightProblem::UnitCount { most } => {
            said(format!("a side has 1 to {most} units at most"), "write most = 20")
        }
        FightProblem::NoTotal { attribute } => said(
            format!("`{attribute}` has no total: it is not a number, or it may be below 0"),
            "name a number of these units that starts at 0 or more",
        ),
        FightProblem::NoRoster => said("a fight has no roster to count on", "take `count` out"),
        FightProblem::SideOfOtherKind { role, side } => said(
            format!("`{role}` is not taken by units of the kind that `{side}` has"),
            "name a side of that kind",
        ),
        FightProblem::RoleNotTaken { role } => said(
            format!("it is not said who takes the role `{role}`"),
            format!("add it to who = {{ {role} = \"…\" }}"),
        ),
        FightProblem::InputNotGiven { input, chart } => said(
            format!("`{input}` must be known when `{chart}` is rolled"),
            format!("add it to with = {{ {input} = … }}"),
        ),
        FightProblem::LiftsFromNoUnit => {
            said("it does not say which side loses the status", "add of = \"…\" with a side")
        }
        FightProblem::DeckPerSide { chart } => said(
            format!(
                "a fight cannot roll `{chart}`: it draws from a deck that each side has of its own"
            ),
            "use another chart, or take per = \"side\" out of the deck",
        ),
        FightProblem::FollowedTogether { chart, from } => said(
            format!(
                "a fight cannot follow to `{chart}`: `{from}` has it rolled for several units at once"
            ),
            "leave it out of follow, or take all = true out of the follow-up so that each unit tests by itself",
        ),
        FightProblem::SideMemory { chart } => said(
            format!(
                "a fight cannot roll `{chart}`: it reads or changes what the game remembers for a side"
            ),
            "use another chart, or a memory of the whole game",
        ),
        FightProblem::NumberedUnit { chart } => said(
            format!("a fight cannot roll `{chart}`: it changes a unit by its number in the group"),
            "use another chart: the units of a fight have no numbers",
        ),
        FightProblem::StatusOfOtherKind { status, side } => said(
            format!("`{status}` is not a status of the units of `{side}`"),
            "name a status of their kind",
        ),
    }
}

pub(super) fn turn(problem: &TurnProblem) -> Sentence {
    match problem {
        TurnProblem::LiftsNothing => {
            said("it is not said which status is lifted", "add status = \"…\"")
        }
        TurnProblem::NameTooLong => said(
            "a unit made from it would have too long a name: at most 50 letters",
            "add a short name = \"…\"",
        ),
        TurnProblem::TimesForUnits => {
            said("`times` does not go with a test for units", "take it out")
        }
        TurnProblem::DueWithoutRole => {
            said("it is not said which role the unit takes", "add role = \"…\"")
        }
        TurnProblem::OnlyForUnits { key, group_only } => {
            let with =
                if *group_only { "for = \"group\"" } else { "for = \"each\" or for = \"group\"" };
            said(format!("`{key}` only goes with {with}"), "take it out")
        }
        TurnProblem::SideCount { start, found } => said(
            format!("the start has {found} sides"),
            format!("a table has 1 to 8: [start.{start}.side.ours] title = \"…\""),
        ),
        TurnProblem::UnitTextTooLong { key } => {
            said(format!("the {key} of this unit is too long"), "use at most 50 letters")
        }
        TurnProblem::WinsWithoutSide { wins } => said(
            format!("`{wins}` has won, but the condition names no side"),
            "write when = \"side.… >= 4\", or wins = { most = \"side.…\" }",
        ),
        TurnProblem::EndsWithoutUnits => said(
            "it is not said when the game is over",
            "add when = \"…\", or none = [ { of = \"…\" } ]",
        ),
    }
}
