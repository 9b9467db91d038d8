//! Problems of the section `[pack]` in words.

use super::{Sentence, said};
use adjutant_pack::FORMAT;
use adjutant_pack::problem::HeadProblem;

pub(super) fn head(problem: &HeadProblem) -> Sentence {
    match problem {
        HeadProblem::Format { found } => said(
            format!("this pack has the format {found}, and this program reads format {FORMAT}"),
            format!(
                "write format = {FORMAT}, or use the version of Adjutant that the pack was made for"
            ),
        ),
        HeadProblem::License { found } => said(
            format!("`{found}` does not have the form of an SPDX license"),
            "write an id of https://spdx.org/licenses, such as \"CC-BY-4.0\" or \"MIT OR Apache-2.0\"",
        ),
        HeadProblem::Url { found } => said(
            format!("`{found}` is not the address of a web page"),
            "write the whole address, such as \"https://example.org/my-game\"",
        ),
        HeadProblem::Language { found } => said(
            format!("`{found}` does not have the form of a language tag"),
            "write a tag such as \"en\", \"de\" or \"pt-BR\"",
        ),
    }
}
