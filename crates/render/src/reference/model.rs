//! The content of a sheet, independent of its format: sections of paragraphs, amounts, tables and
//! items. Markdown, HTML and the typesetter render the same sections and add no words.

/// The content of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// The name of the game or table.
    pub title: String,
    /// What it is: "Quick reference", for example.
    pub kind: String,
    /// The author of the game.
    pub by: String,
    /// A sentence about it.
    pub about: String,
    /// Where the facts come from.
    pub source: String,
    /// The copyright notice.
    pub notice: String,
    /// The pack and its version.
    pub pack: String,
    /// Its license, language and web page, as far as it gives them.
    pub facts: String,
    pub sections: Vec<Section>,
    /// The titles of charts whose chances took too long to compute.
    pub odds_left_out: Vec<String>,
}

/// A section: a chart, the turn, the statuses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    pub title: String,
    /// A word beside the title: that it is an option.
    pub tag: String,
    /// Whether it may be broken between its parts to fill a column.
    pub loose: bool,
    /// Whether it is looked up rarely, and set in the smallest letters.
    pub small: bool,
    /// The phases of the turn that it belongs to, from 1, or the side that it is about.
    pub accent: Accent,
    pub parts: Vec<Part>,
}

/// What a colour means. The same is always said by a shape, a number or a word, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Accent {
    #[default]
    None,
    /// Phases of the turn, counted from 1.
    Phases(Vec<u8>),
    /// How bad it is: 0 not at all, 3 out or close to it.
    Harm(u8),
    /// A side of the game, by its index.
    Side(u8),
}

/// The style of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    /// What a chart is about.
    About,
    Note,
    /// An important line: an option, a user's own table.
    Strong,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(Tone, String),
    /// A heading within the section, with what is rolled.
    Step {
        title: String,
        roll: String,
    },
    Amounts(Vec<Amount>),
    Table(Table),
    Items(Vec<Item>),
    /// Numbers in large letters, side by side.
    Figures(Vec<Figure>),
}

/// A number in large letters with what it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    pub value: String,
    pub label: String,
    pub accent: Accent,
}

/// A label with its amount.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Amount {
    pub label: String,
    pub amount: String,
    /// The formula, if it is short.
    pub spelt: String,
    /// When it counts, in words. The label says it already, so paper leaves it out.
    pub when: String,
}

/// A term with a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// A number or a box to tick, or empty.
    pub mark: String,
    /// What it is about, or empty.
    pub term: String,
    pub text: String,
    /// Lines of their own below the text: sums.
    pub lines: Vec<String>,
    pub accent: Accent,
}

/// A table. The first column names the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// May be empty.
    pub caption: String,
    /// What the columns are about, above their heads; may be empty.
    pub across: String,
    pub heads: Vec<String>,
    /// In a row with only two cells the second is for all columns.
    pub rows: Vec<Vec<String>>,
    /// Whether it is a form to be filled in by hand.
    pub form: bool,
    /// Whether it is a grid of many small cells.
    pub grid: bool,
    /// How bad the result in a cell is, row by row as in `rows`; empty if it is not known.
    pub harm: Vec<Vec<u8>>,
    /// A small bar chart at the end of each row; empty if there is none.
    pub bars: Vec<Bar>,
}

impl Table {
    /// The caption with what the columns are about, where there is no place above the columns.
    pub fn full_caption(&self) -> String {
        match (self.caption.is_empty(), self.across.is_empty()) {
            (_, true) => self.caption.clone(),
            (true, false) => self.across.clone(),
            (false, false) => format!("{} – {}", self.caption, self.across),
        }
    }

    /// How bad the result in a cell is.
    pub fn harm_at(&self, row: usize, cell: usize) -> u8 {
        self.harm.get(row).and_then(|row| row.get(cell)).copied().unwrap_or(0)
    }
}

/// What was expected and what came, on a scale from 0 to `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    pub expected: f64,
    pub actual: f64,
    pub most: f64,
}
