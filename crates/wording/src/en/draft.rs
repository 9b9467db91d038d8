//! Drafts of packs: kinds of pieces, guesses, and why a source is not read.

use adjutant_draft::{
    Draft, DraftError, Format, Guess, GuessKind, LARGEST_SOURCE, LONGEST_LINE, MOST_LINES,
    PieceKind,
};

/// Why a source is not read.
pub fn draft_error(error: &DraftError) -> String {
    match error {
        DraftError::Empty => "it has no text".to_owned(),
        DraftError::TooLarge { size } => format!(
            "it has {size} bytes, and a sheet may have {LARGEST_SOURCE}: draft its pages one by one"
        ),
        DraftError::TooManyLines { lines } => format!(
            "it has {lines} lines, and a sheet may have {MOST_LINES}: draft its pages one by one"
        ),
        DraftError::LongLine { line } => format!(
            "line {line} is longer than {LONGEST_LINE} bytes: this is not the text of a sheet"
        ),
    }
}

/// A line of a source, as a report shows it.
pub fn draft_line(text: &str) -> String {
    adjutant_pack::clip(&text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}

/// The README of a draft of this text: where it is from, its guesses, and what was not understood.
/// `line` names a line of the text.
pub fn draft_readme(draft: &Draft, text: &str, from: &str, line: impl Fn(u32) -> String) -> String {
    let mut readme = format!(
        "# {}\n\nDrafted from {from} by Adjutant. Compare it with the sheet.\n",
        draft.title
    );
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            readme.push_str(&format!("\n## {title}\n\n{}", lines.concat()));
        }
    };
    let guess = |guess: &Guess| format!("- Line {}: {}\n", line(guess.line), draft_guess(guess));
    list("Guesses", draft.guesses.iter().map(guess).collect());
    let missed = |(n, text): (u32, &str)| format!("- Line {}: {}\n", line(n), draft_line(text));
    list("Not understood", draft.not_understood(text).map(missed).collect());
    readme
}

/// How a source was read.
pub fn draft_format(format: Format) -> &'static str {
    match format {
        Format::Text => "plain text",
        Format::Markdown => "Markdown",
        Format::Html => "HTML",
        Format::Sheet => "a spreadsheet",
    }
}

/// What a piece of the source is.
pub fn piece_kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Title => "title",
        PieceKind::Roll => "roll",
        PieceKind::Modifiers => "modifiers",
        PieceKind::Bands => "table of scores",
        PieceKind::Grid => "grid",
        PieceKind::Definitions => "terms",
        PieceKind::Phases => "phases of the turn",
        PieceKind::Note => "note",
        PieceKind::Ignored => "ignored",
        PieceKind::NotUnderstood => "not understood",
    }
}

/// What was decided where the sheet leaves something open.
pub fn draft_guess(guess: &Guess) -> String {
    let printed = adjutant_pack::clip(&guess.printed);
    match &guess.kind {
        GuessKind::Sides { count: 1, sides } => {
            format!("the sheet does not name the die: a d{sides}")
        }
        GuessKind::Sides { count, sides } => {
            format!("the sheet does not name the dice: {count}d{sides}")
        }
        GuessKind::Repaired { read } => format!("“{printed}” is read with the figure {read}"),
        GuessKind::Date { read } => format!("“{printed}” looks like a date: {read}"),
        GuessKind::Sign { minus: true } => {
            format!("“{printed}” has no sign: taken as a penalty, like its neighbours")
        }
        GuessKind::Sign { minus: false } => format!("“{printed}” has no sign: taken as a bonus"),
        GuessKind::Merged { read } => format!("one cell for all columns: {read}"),
        GuessKind::Blank => "a blank cell: no result".to_owned(),
        GuessKind::Table { title } => format!("uses the table “{title}”"),
        GuessKind::List { title } => format!("uses the modifiers “{title}”"),
        GuessKind::Difference => "the score is the first total minus the second".to_owned(),
        GuessKind::LoserSide => {
            "the loser suffers the result; a tie is not on the sheet".to_owned()
        }
        GuessKind::WinnerSide => {
            "the score is by how much the higher total beats the lower".to_owned()
        }
        GuessKind::Open => format!("the row “{printed}” also holds for what lies beyond it"),
        GuessKind::Beyond => {
            "the dice alone do not reach every row: other modifiers are asked".to_owned()
        }
        GuessKind::Gap { from, to } if from == to => format!("there is no row for {from}"),
        GuessKind::Gap { from, to } => format!("there is no row for {from} to {to}"),
        GuessKind::Exclusive => format!("“{printed}” has two figures: only the first counts"),
        GuessKind::PoolSize { count } => format!("the number of dice is not printed: {count}"),
        GuessKind::Passes => format!("“{printed}” changes the number of passes, not the dice"),
        GuessKind::OnTheDie => {
            "the modifiers change the die, not the number that it must reach".to_owned()
        }
        GuessKind::OneByOne { per } => {
            format!("rolled once for each {per}: each roll is read by itself")
        }
        GuessKind::OnTheNumber => {
            "the modifiers change the number that the dice are compared with".to_owned()
        }
        GuessKind::Total => "the dice are added up, and their total is compared".to_owned(),
        GuessKind::Targets => {
            "the table holds what the dice must reach: this or more succeeds".to_owned()
        }
        GuessKind::NoTarget => format!("“{printed}” is not a number to reach: nothing is rolled"),
        GuessKind::TwoFigures => format!("“{printed}” has two figures: kept as text"),
        GuessKind::Nearness => {
            "these modifiers count for this chart because they stand near it".to_owned()
        }
        GuessKind::SameTitle => {
            format!("the roll under the title “{printed}” may be of something else")
        }
        GuessKind::LeftOut => format!("the row “{printed}” is not understood and left out"),
        GuessKind::Mixed => {
            format!("“{printed}” may hold words of a chart that stands beside it")
        }
        GuessKind::Joined => "columns without headings are read as one text".to_owned(),
        GuessKind::Sentence => format!("the rows are read out of the sentence “{printed}”"),
        GuessKind::Parted => {
            format!("the cells of “{printed}” stand close: parted by the columns above")
        }
        GuessKind::Order => {
            format!(
                "“{printed}” and the rows below it were put together from single lines, in order"
            )
        }
        GuessKind::OneOf => {
            format!("“{printed}”: perhaps only one of these can hold; each is asked by itself")
        }
        GuessKind::SharedEnd => format!("two rows hold {printed}: it belongs to the first"),
        GuessKind::Carried => format!("“{printed}” has the figure of the line above"),
        GuessKind::Cut => format!("“{printed}” is too long for a pack: the rest is left out"),
        GuessKind::Refused => format!("“{printed}” could not be made into a chart"),
    }
}
