//! Names and ids, and the fields they are given to.

use super::keys::toml_type;
use super::{Sentence, said};
use adjutant_pack::problem::{FieldProblem, NameProblem};
use adjutant_pack::{LONGEST_PATH, LONGEST_SHORT};

pub(super) fn name(problem: &NameProblem) -> Sentence {
    let another = "choose another name";
    match problem {
        NameProblem::NotAName { name } => said(
            format!("`{name}` cannot stand in an expression"),
            "begin with a small letter and use small letters, digits and _",
        ),
        NameProblem::Reserved { name } => {
            said(format!("`{name}` has a meaning of its own in expressions"), another)
        }
        NameProblem::ReservedOnCard { name } => {
            said(format!("`{name}` has a meaning of its own on a card"), another)
        }
        NameProblem::NotAnId { name } => said(
            format!("`{name}` is not an id"),
            "use small letters, digits and hyphens, at most 64",
        ),
        NameProblem::NotAWord { word } => said(
            format!("the choice `{word}` is not written in small letters, digits and hyphens"),
            "write choice = { short-name = \"What is shown\" }",
        ),
        NameProblem::ResultIsNumber { name } => {
            said(format!("the result `{name}` would be taken for a number"), "give its id a letter")
        }
        NameProblem::WordIsNumber { word } => said(
            format!("the word `{word}` of a choice would be taken for a number"),
            "give it a letter: d1, or make it a number",
        ),
        NameProblem::TwoPhases { name } => {
            said(format!("there are two phases `{name}`"), "give each phase an id of its own")
        }
        NameProblem::AttributeTaken { name } => said(
            format!("`{name}` is taken already"),
            "a status of the same name is an attribute already; choose another name",
        ),
        NameProblem::StepTaken { name } => said(
            format!("`{name}` is taken already in this chart"),
            "give each step and each input a name of its own",
        ),
        NameProblem::LookUpTaken { name } => said(
            format!("`{name}` is taken already in this chart"),
            "give each step, each input and each look-up a name of its own",
        ),
        NameProblem::IsARole { name } => said(format!("`{name}` is a role already"), another),
        NameProblem::IsAChart { name } => said(
            format!("`{name}` is a chart already"),
            "give the fight another id, so that a command can tell them apart",
        ),
        NameProblem::IsARowKey { name } => said(
            format!("the column `{name}` has the name of a row's own key"),
            "rename that word of the choice",
        ),
        NameProblem::KnownFromUnit { role, name } => {
            said(format!("`{role}.{name}` is known from the unit already"), "take the question out")
        }
        NameProblem::AskedTwice { name } => said(format!("`{name}` is asked for twice"), another),
        NameProblem::TwoSides { title } => {
            said(format!("two sides are called `{title}`"), "give each a title of its own")
        }
    }
}

pub(super) fn field(problem: &FieldProblem) -> Sentence {
    let one_kind = "give it exactly one of yes_no = \"…\", choice = { … } or number = \"…\"";
    match problem {
        FieldProblem::NoKind { name } => {
            said(format!("`{name}` does not say what it accepts"), one_kind)
        }
        FieldProblem::TwoKinds { name, kinds } => {
            let help = match kinds.contains(&"work_out") {
                true => "a value that is worked out has only label = \"…\" and work_out = \"…\"",
                false => one_kind,
            };
            said(format!("`{name}` is of two kinds at once: {}", kinds.join(" and ")), help)
        }
        FieldProblem::BadDefault { name, accepts } => said(
            format!("the default of `{name}` is not one that it accepts"),
            format!("accepted: {}", super::super::accepted(accepts)),
        ),
        FieldProblem::NotAccepted { name, error, accepts } => said(
            format!("{name}: {}", crate::en::answer_error(error)),
            format!("accepted: {}", super::super::accepted(accepts)),
        ),
        FieldProblem::NoWords { found } => said(
            format!("`choice` is {}, but its words are expected here", toml_type(*found)),
            "write choice = { ap = \"AP\", he = \"HE\" }",
        ),
        FieldProblem::WordWithFields { word } => said(
            format!("the word `{word}` has a table, but its label is expected here"),
            format!(
                "words with numbers of their own go into a list: [list.x] {word} = {{ title = \"…\", worth = 1 }}, then choice = \"x\""
            ),
        ),
        FieldProblem::WordCount { found } => said(
            format!("a choice has {found} words"),
            "a choice has 2 to 100: choice = { ap = \"AP\", he = \"HE\" }",
        ),
        FieldProblem::Backwards { name, from, to } => {
            said(format!("`{name}` goes from {from} to {to}"), "from must not be above to")
        }
        FieldProblem::BadBy => said(
            "`by` names what each has a value of its own",
            "write by = \"part\" for a list or a chart called part, or by = [\"head\", \"body\"]",
        ),
        FieldProblem::ByWithoutResults { chart } => said(
            format!("the chart `{chart}` has no rows with results"),
            "name a chart whose rows are results, or a list",
        ),
        FieldProblem::BadStep { name, step } => said(
            format!("`{name}` goes in steps of {step}"),
            "a step is above zero: 1, or \"1/2\" for halves",
        ),
        FieldProblem::OptionWithoutDefault { name } => {
            said(format!("option `{name}` has no default"), "add default = …")
        }
        FieldProblem::OptionWithoutStanding { name } => said(
            format!("option `{name}` does not say how sure it is"),
            "add standing = \"reading\", \"public\" or \"house\"",
        ),
        FieldProblem::OptionWithoutOrigin { name } => {
            said(format!("option `{name}` does not say where it is from"), "add origin = \"…\"")
        }
        FieldProblem::MemoryWithoutDefault { name } => {
            said(format!("memory `{name}` has no value to begin with"), "add default = …")
        }
        FieldProblem::ChartOptionNotYesNo { name } => {
            said(format!("option `{name}` is not a yes/no"), "a chart is opened by a yes/no option")
        }
        FieldProblem::PhaseOptionNotYesNo { name } => said(
            format!("the option `{name}` is not a yes or no"),
            "only a yes-or-no option can open a phase",
        ),
        FieldProblem::StatusWithoutUnits { name } => said(
            format!("status `{name}` does not say which units can have it"),
            "add of = \"…\" with a unit kind",
        ),
        FieldProblem::Harm { found } => said(
            format!("`harm` is {found}: it goes from 0 to 3"),
            "write 0 for no harm, 1 for slight, 2 for serious, 3 for a unit that is out or close to it",
        ),
        FieldProblem::SymbolPath { found } => said(
            format!("`{found}` cannot be drawn as a path"),
            format!(
                "write the data of an SVG path, such as \"M2 4h20v16H2z\", with at most {LONGEST_PATH} characters"
            ),
        ),
        FieldProblem::ShortLength { found } => said(
            format!("a short label has 1 to {LONGEST_SHORT} characters, and this one has {found}"),
            "abbreviate it as the sheet does",
        ),
        FieldProblem::ShortTaken { short } => said(
            format!("two attributes of this unit have the short label `{short}`"),
            "give each its own",
        ),
        FieldProblem::UserTableWithoutResults { name } => said(
            format!("user table `{name}` lists no results"),
            "add results = [\"…\"]: what the table can say",
        ),
    }
}
