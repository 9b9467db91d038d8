//! What a draft found: pieces of the source, charts made of them, guesses, and an account of every
//! line. The sentences about them are in the crate `wording`.

use crate::amount::Amount;
use crate::band::Band;
use crate::dice::RollLine;
use std::ops::Range;

/// The markup of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain text, also with columns made of blanks or tabs, as OCR and `pdftotext -layout` write it.
    Text,
    /// Markdown, with tables of bars and lists.
    Markdown,
    /// HTML, also a fragment.
    Html,
    /// A spreadsheet: values with commas, semicolons or tabs between them.
    Sheet,
}

/// The kind of a piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The title of the sheet or of a section.
    Title,
    /// A sentence that says what is rolled.
    Roll,
    /// A list of modifiers.
    Modifiers,
    /// A table from bands of scores to results.
    Bands,
    /// A table with words down and across.
    Grid,
    /// Words and what they mean.
    Definitions,
    /// The phases of a turn.
    Phases,
    /// Text that is kept as a note.
    Note,
    /// Page numbers and the like.
    Ignored,
    /// Something that looks like a table or list, and cannot be read.
    NotUnderstood,
}

impl PieceKind {
    /// All kinds, in the order in which an editor offers them.
    pub const ALL: [PieceKind; 10] = [
        PieceKind::Title,
        PieceKind::Roll,
        PieceKind::Modifiers,
        PieceKind::Bands,
        PieceKind::Grid,
        PieceKind::Definitions,
        PieceKind::Phases,
        PieceKind::Note,
        PieceKind::Ignored,
        PieceKind::NotUnderstood,
    ];

    /// Its name where a kind is saved.
    pub fn id(self) -> &'static str {
        match self {
            PieceKind::Title => "title",
            PieceKind::Roll => "roll",
            PieceKind::Modifiers => "modifiers",
            PieceKind::Bands => "bands",
            PieceKind::Grid => "grid",
            PieceKind::Definitions => "definitions",
            PieceKind::Phases => "phases",
            PieceKind::Note => "note",
            PieceKind::Ignored => "ignored",
            PieceKind::NotUnderstood => "not_understood",
        }
    }

    /// The kind of this name.
    pub fn of_id(id: &str) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

/// A wish of the author: this part of the source is that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Bytes of the source.
    pub at: Range<usize>,
    /// The kind that the author gives them.
    pub kind: PieceKind,
}

/// A cell as it is printed, with its bytes in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedCell {
    /// The text, without markup and note marks.
    pub text: String,
    /// Bytes of the source.
    pub at: Range<usize>,
}

/// A modifier of a list or a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Modifier {
    /// The words beside the amount.
    pub label: PrintedCell,
    /// The effect on the roll or the table.
    pub amount: Amount,
    /// The line, from 1.
    pub line: u32,
    /// It was repaired or read with doubt.
    pub guessed: bool,
}

/// One row of a table by bands.
#[derive(Clone, Debug, PartialEq)]
pub struct BandRow {
    /// The scores to which the row applies.
    pub band: Band,
    /// A text for each column; empty where the sheet is blank.
    pub cells: Vec<PrintedCell>,
    /// The line, from 1.
    pub line: u32,
    /// It was repaired or read with doubt.
    pub guessed: bool,
    /// The row holds only on this condition: "two to one or more". A row "otherwise" follows.
    pub when: Option<String>,
}

/// A table from bands of scores to results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BandTable {
    /// The heading of the bands.
    pub score: String,
    /// The headings of the columns; one empty heading if there is only one column.
    pub columns: Vec<String>,
    /// The text printed above the columns; empty if there is none.
    pub across: String,
    /// The rows, from the lowest band to the highest.
    pub rows: Vec<BandRow>,
    /// The bands are those of a difference, and this is what the score is compared with.
    pub against: Option<Against>,
}

/// The other value of a comparison, where the rows of a table say so in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// A value of the unit: "Below the kill number".
    Value(String),
    /// The roll of the other side: "Attacker higher". A higher roll of the first is above 0.
    Sides {
        /// The side that is printed or rolls first.
        first: String,
        /// The side whose roll is subtracted.
        second: String,
    },
}

/// One row of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridRow {
    /// The heading at its left.
    pub head: PrintedCell,
    /// A text for each column; empty where the sheet is blank.
    pub cells: Vec<PrintedCell>,
    /// The line, from 1.
    pub line: u32,
}

/// A table with words down and across.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordTable {
    /// The heading of the row heads.
    pub corner: String,
    /// The headings of the columns.
    pub columns: Vec<PrintedCell>,
    /// The rows, in the order of the sheet.
    pub rows: Vec<GridRow>,
}

/// A word and what it means, or a phase and what happens in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The word or phase as printed.
    pub term: PrintedCell,
    /// The text after the word.
    pub text: String,
    /// The line, from 1.
    pub line: u32,
}

/// The content of a piece, for each [`PieceKind`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "PieceKind describes them")]
pub enum Content {
    Title(String),
    Roll(RollLine),
    Modifiers(Vec<Modifier>),
    Bands(BandTable),
    Grid(WordTable),
    Definitions(Vec<Definition>),
    Phases(Vec<Definition>),
    Note(String),
    Ignored,
    /// Nothing could be made of it.
    NotUnderstood(String),
}

impl Content {
    /// The kind of piece that holds this.
    pub fn kind(&self) -> PieceKind {
        match self {
            Content::Title(_) => PieceKind::Title,
            Content::Roll(_) => PieceKind::Roll,
            Content::Modifiers(_) => PieceKind::Modifiers,
            Content::Bands(_) => PieceKind::Bands,
            Content::Grid(_) => PieceKind::Grid,
            Content::Definitions(_) => PieceKind::Definitions,
            Content::Phases(_) => PieceKind::Phases,
            Content::Note(_) => PieceKind::Note,
            Content::Ignored => PieceKind::Ignored,
            Content::NotUnderstood(_) => PieceKind::NotUnderstood,
        }
    }
}

/// A piece of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The content that was read.
    pub content: Content,
    /// Bytes of the source, in the order of the lines. A piece in a column of a page has several.
    pub at: Vec<Range<usize>>,
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// The charts that use it, by id.
    pub charts: Vec<String>,
    /// The use that the draft makes of it.
    pub became: LineUse,
}

/// Something that the sheet does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The decision.
    pub kind: GuessKind,
    /// The line, from 1.
    pub line: u32,
    /// Bytes of the source.
    pub at: Range<usize>,
    /// The text of the sheet that led to it.
    pub printed: String,
    /// The chart, by id.
    pub chart: Option<String>,
}

/// A decision where the sheet leaves something open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuessKind {
    /// The dice have these sides.
    Sides {
        /// The number of dice.
        count: u32,
        /// The number of sides that is assumed.
        sides: u32,
    },
    /// Letters were read as digits.
    Repaired {
        /// The text with digits.
        read: String,
    },
    /// A date of a spreadsheet was read as a band.
    Date {
        /// The band.
        read: String,
    },
    /// A figure without sign is taken as a penalty or a bonus.
    Sign {
        /// It is taken as a penalty.
        minus: bool,
    },
    /// A blank cell is taken to be merged with its neighbour.
    Merged {
        /// The text of the neighbour.
        read: String,
    },
    /// A blank cell has no result.
    Blank,
    /// A chart uses this table, which stands elsewhere.
    Table {
        /// The title of the table.
        title: String,
    },
    /// A chart uses these modifiers, which stand elsewhere.
    List {
        /// The title of the list.
        title: String,
    },
    /// The score is the first roll less the second.
    Difference,
    /// The table is read from the loser's side; equal totals have no row.
    LoserSide,
    /// The table is read with the margin of the winner.
    WinnerSide,
    /// The first or the last row also holds for what lies beyond the printed scores.
    Open,
    /// The printed scores go beyond the dice: a free number is added.
    Beyond,
    /// Scores between two rows have no row.
    Gap {
        /// The first missing score.
        from: String,
        /// The last missing score.
        to: String,
    },
    /// Two modifiers that exclude each other.
    Exclusive,
    /// Modifiers of which perhaps only one can hold.
    OneOf,
    /// So many dice are rolled.
    PoolSize {
        /// The number of dice that is assumed.
        count: u32,
    },
    /// Modifiers of this kind change the number of passes.
    Passes,
    /// Modifiers change the die, not the number that it must reach.
    OnTheDie,
    /// Modifiers change the value that the dice are compared with.
    OnTheNumber,
    /// The total of the dice must reach the number, not one of them.
    Total,
    /// The cells of the table are the numbers that the dice must reach.
    Targets,
    /// A cell without a number: nothing can be rolled there.
    NoTarget,
    /// Each roll is read in the table by itself: the chart rolls once.
    OneByOne {
        /// The thing that each die is rolled for.
        per: String,
    },
    /// A cell with two figures: the text is kept.
    TwoFigures,
    /// Columns without headings are read as one text.
    Joined,
    /// Rows were read out of a sentence that does not tell to roll.
    Sentence,
    /// Two cells that stand close were parted by the columns of the row above.
    Parted,
    /// Lines were put together as cells of one row, by their order.
    Order,
    /// A shared end belongs to the nearer band.
    SharedEnd,
    /// The figure of this line holds for the lines below it.
    Carried,
    /// The part of the line that is kept is not all of it.
    Cut,
    /// Modifiers are counted for a roll or a table because they stand near it.
    Nearness,
    /// A row of a table was not understood, so the table lacks it.
    LeftOut,
    /// Another roll stands under the same title, or the roll stands in another column of the page: it
    /// may be of something else.
    SameTitle,
    /// Two charts may stand side by side here: words of one in the other.
    Mixed,
    /// The check refused the chart, so it is kept as notes.
    Refused,
}

/// The use that is made of a line or a piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// There is nothing on it.
    Blank,
    /// It is in a chart, a term or the turn.
    Used,
    /// It is kept as a note.
    Note,
    /// It is page furniture.
    Ignored,
    /// It is listed as not understood.
    NotUnderstood,
}

/// The number of lines for each use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Lines in charts, terms and the turn.
    pub used: usize,
    /// Lines kept as notes.
    pub notes: usize,
    /// Lines of page furniture.
    pub ignored: usize,
    /// Lines that were not understood.
    pub not_understood: usize,
}
