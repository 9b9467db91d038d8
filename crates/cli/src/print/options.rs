//! Which options mean something for what is printed. One that would change nothing is refused, so
//! that no one waits for its effect.

use crate::args::{Backs, Print, Program};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Cards, laid out on paper as a PDF.
    CardsOnPaper,
    /// Cards as pictures.
    CardsAsPng,
    CardsAsSvg,
    /// A reference sheet as a PDF.
    SheetOnPaper,
    SheetAsPng,
    SheetAsSvg,
    /// A reference sheet as text: .html or .md.
    SheetAsText,
    /// Files for another program.
    For(Program),
}

impl Target {
    fn is_cards(self) -> bool {
        matches!(self, Target::CardsOnPaper | Target::CardsAsPng | Target::CardsAsSvg)
    }

    fn is_for_a_program(self) -> bool {
        matches!(self, Target::For(_))
    }

    /// Whether something is drawn: csv, excel and json hold no pictures.
    fn is_drawn(self) -> bool {
        !matches!(
            self,
            Target::SheetAsText | Target::For(Program::Csv | Program::Excel | Program::Json)
        )
    }

    /// Whether it is a sheet that is laid out in columns on pages.
    fn is_paged_sheet(self) -> bool {
        matches!(self, Target::SheetOnPaper | Target::SheetAsPng | Target::SheetAsSvg)
    }

    /// Whether the size of the paper counts.
    fn is_on_paper(self) -> bool {
        matches!(
            self,
            Target::CardsOnPaper | Target::SheetOnPaper | Target::SheetAsPng | Target::SheetAsSvg
        )
    }
}

/// A sentence for each option that was given and has no effect.
pub(super) fn without_effect(asked: &Print, target: Target) -> Vec<String> {
    let pictures = matches!(target, Target::CardsAsPng | Target::CardsAsSvg);
    let (paper_backs, paper_only) = match asked.backs {
        Some(Backs::Duplex) => ("--backs duplex", true),
        Some(Backs::Gutterfold) => ("--backs gutterfold", true),
        _ => ("--backs", false),
    };
    let drawn =
        if target.is_for_a_program() { "is for drawn cards" } else { "is for what is drawn" };
    let service = target == Target::For(Program::PrintService);
    let paged = "is for sheets as .pdf, .png and .svg";
    let all = [
        (
            "--paper",
            asked.paper.is_some(),
            target.is_on_paper(),
            "is for cards as .pdf, and for sheets as .pdf, .png and .svg",
        ),
        ("--pages", asked.pages.is_some(), target.is_paged_sheet(), paged),
        ("--columns", asked.columns.is_some(), target.is_paged_sheet(), paged),
        ("--orientation", asked.orientation.is_some(), target.is_paged_sheet(), paged),
        (
            "--size",
            asked.size.is_some(),
            target.is_drawn() && (target.is_cards() || target.is_for_a_program()),
            "is for drawn cards",
        ),
        (
            "--backs",
            asked.backs.is_some(),
            target.is_cards(),
            "is for cards as .pdf, .png and .svg",
        ),
        (
            paper_backs,
            paper_only && pictures,
            false,
            "is for cards as .pdf, pictures have `separate` or `none`",
        ),
        (
            "--bleed",
            asked.bleed.is_some(),
            target.is_cards() || service,
            "is for cards as .pdf, .png and .svg",
        ),
        ("--marks", asked.marks.is_some(), target == Target::CardsOnPaper, "is for cards as .pdf"),
        ("--url", asked.url.is_some() && service, false, "is for tabletop-simulator and foundry"),
        ("--key", asked.key, target == Target::CardsOnPaper, "is for cards as .pdf"),
        ("--low-ink", asked.low_ink, target.is_drawn(), drawn),
        ("--large", asked.large, target.is_drawn(), drawn),
        (
            "--cards",
            asked.cards.is_some(),
            target.is_cards() || service,
            "is for paper and pictures of a deck",
        ),
        (
            "--dpi",
            asked.dpi.is_some(),
            matches!(target, Target::CardsAsPng | Target::SheetAsPng) || service,
            "is for pictures as .png",
        ),
    ];
    let wrong = all.iter().filter(|(_, given, applies, _)| *given && !*applies);
    wrong
        .map(|(flag, _, _, what)| format!("{flag} {what}: it has no effect here, leave it out"))
        .collect()
}
