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
    pub parts: Vec<Part>,
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
}

/// A table. The first column names the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// May be empty.
    pub caption: String,
    pub heads: Vec<String>,
    /// In a row with only two cells the second is for all columns.
    pub rows: Vec<Vec<String>>,
    /// Whether it is a form to be filled in by hand.
    pub form: bool,
    /// Whether it is a grid of many small cells.
    pub grid: bool,
}
