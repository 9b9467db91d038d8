//! Problems of the glossary in words.

use super::{Sentence, said};
use adjutant_pack::problem::TermProblem;

pub(super) fn term(problem: &TermProblem) -> Sentence {
    match problem {
        TermProblem::TwoOfOneTitle { title } => said(
            format!("the term `{title}` is explained twice"),
            "explain it once: join the two texts",
        ),
        TermProblem::LongTitle { found, most } => said(
            format!("the title of a term has {found} characters: at most {most} are allowed"),
            "write the term as the sheet writes it, and the rest in its text",
        ),
        TermProblem::LongText { found, most } => said(
            format!("the text of a term has {found} characters: at most {most} are allowed"),
            "a sentence or two are enough: the rest belongs in `about` or `notes` of a chart",
        ),
        TermProblem::Unused { title } => said(
            format!("no text of this pack uses the term `{title}`"),
            "write the title as the sheet writes it, or take the term out",
        ),
    }
}
