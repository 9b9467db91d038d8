//! What stands on a sheet, in words, before anybody thinks of paper: sections of lines, amounts, tables and items. Markdown, HTML
//! and the typesetter set the same sections and add no word.

/// A sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// The game's name.
    pub title: String,
    /// What it is: a quick reference.
    pub kind: String,
    /// Who made the game.
    pub by: String,
    /// A sentence about it.
    pub about: String,
    /// Where the facts come from.
    pub source: String,
    /// What must be said with it.
    pub notice: String,
    /// The pack and its version.
    pub pack: String,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A section: a chart, the turn, the statuses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its name.
    pub title: String,
    /// A word beside its name: that it is an option.
    pub tag: String,
    /// Whether it may be broken between its parts to fill a column, as a list of remarks may.
    pub loose: bool,
    /// What stands in it.
    pub parts: Vec<Part>,
}

/// How a paragraph is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As the rest.
    Plain,
    /// What a chart is about.
    About,
    /// A remark.
    Note,
    /// A line that matters: an option, a table of one's own.
    Strong,
}

/// What stands in a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A paragraph.
    Text(Tone, String),
    /// A heading within the section, with what is thrown.
    Step {
        /// Its name.
        title: String,
        /// The dice.
        throw: String,
    },
    /// Lines of a label and an amount.
    Amounts(Vec<Amount>),
    /// A table.
    Table(Table),
    /// Lines of a mark, a term and a text.
    Items(Vec<Item>),
}

/// A label with its amount.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Amount {
    /// What it is for.
    pub label: String,
    /// How much.
    pub amount: String,
    /// How it is worked out, where it is short enough to stand with it.
    pub spelt: String,
    /// When it counts, in words. The label says it already, so paper leaves it out.
    pub when: String,
}

/// A term with a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// A number or a box to tick; or nothing.
    pub mark: String,
    /// What it is about; or nothing.
    pub term: String,
    /// What is said.
    pub text: String,
}

/// A table. The first column names the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What stands above it; or nothing.
    pub caption: String,
    /// The heads of its columns.
    pub heads: Vec<String>,
    /// Its rows; one with two cells only has the second for all columns.
    pub rows: Vec<Vec<String>>,
    /// Whether it is a form to be filled in by hand.
    pub form: bool,
    /// Whether it is a grid of many small cells.
    pub grid: bool,
}
