//! Effects and follow-ups.

use super::expression::value_kind;
use super::{Sentence, said};
use adjutant_pack::problem::EffectProblem;
use adjutant_pack::with_article;

pub(super) fn effect(problem: &EffectProblem) -> Sentence {
    let one_of =
        "give it exactly one of status, lift, set, add, remember, leaves, appear, reshuffle, note";
    let add_kind = "add its unit kind to the status's `of`";
    match problem {
        EffectProblem::DoesNothing => said("this effect does nothing", one_of),
        EffectProblem::DoesSeveral { keys } => {
            said(format!("this effect does several things: {}", keys.join(", ")), one_of)
        }
        EffectProblem::MissingKey { key } => {
            said(format!("`{key}` is missing in this effect"), format!("add {key} = \"…\""))
        }
        EffectProblem::RemembersNothing => {
            said("it is not said what to remember", "add either to = \"…\" or by = \"…\"")
        }
        EffectProblem::InsteadWithoutWhen => said("`when` is missing here", "add when = \"it.…\""),
        EffectProblem::ResultOfOtherKind { result, kind, role } => said(
            format!("the result `{result}` is for units of kind `{kind}`, but applies to `{role}`"),
            "write on = \"…\" to say which role it applies to",
        ),
        EffectProblem::AllWithoutUnits => said(
            "`all` only goes with what happens to units",
            "take it out, or use status, lift, set, add or leaves",
        ),
        EffectProblem::NthWithoutUnits => said(
            "`nth` only goes with what happens to one unit",
            "take it out, or use status, lift, set, add, leaves or a note on a role, without all = true",
        ),
        EffectProblem::RoleCannotHave { role, status } => {
            said(format!("`{role}` cannot have the status `{status}`"), add_kind)
        }
        EffectProblem::KindCannotHave { kind, status } => {
            said(format!("{} cannot have the status `{status}`", with_article(kind)), add_kind)
        }
        EffectProblem::TemplateOfOtherKind { template, kind } => said(
            format!("the template `{template}` is not one of {}", with_article(kind)),
            "name a template of that kind",
        ),
        EffectProblem::CannotGrow { name, kind } => said(
            format!("`{name}` is {} and cannot grow", value_kind(*kind)),
            "say what it becomes: to = \"…\"",
        ),
        EffectProblem::LandsOnNoUnit { chart } => said(
            format!("in chart `{chart}` this effect applies to no role"),
            "add on = \"role\" to the row, or lands_on = \"role\" to the chart",
        ),
        EffectProblem::OnlyForOthers { key } => said(
            format!("`{key}` only goes with a follow-up for others"),
            "add for = \"group\", or take it out",
        ),
        EffectProblem::AllWithoutEach { chart } => said(
            format!("`{chart}` is not run for each of several units in this role"),
            "take `all` out, or give that chart each = \"…\" with the role",
        ),
        EffectProblem::OthersWithoutRole => {
            said("it is not said which role the others take", "add role = \"…\"")
        }
    }
}
