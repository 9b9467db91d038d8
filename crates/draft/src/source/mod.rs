//! From bytes to rows of cells, one reader for each way a sheet arrives. The order of the rows is the
//! reading order; every cell knows its bytes in the source.

mod align;
mod capitals;
mod centred;
mod column_dump;
mod furniture;
mod gutter;
mod html;
mod markdown;
mod ocr_marks;
mod one_blank;
mod plain;
mod sheet;
mod side;
mod spacing;
mod translate;
mod viewer;

pub use html::{read_entities, tag_end};

use crate::model::Format;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// A cell of a row, with its place across the page. In a table with markup, the place is the number
/// of the column times [`COLUMN`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowCell {
    pub text: String,
    pub at: Range<usize>,
    pub x: (usize, usize),
}

/// The distance between columns of a table with markup.
pub(crate) const COLUMN: usize = 1000;

/// Where the figure of a modifier stands in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureAt {
    First,
    Last,
}

/// A printed row with its markup and its place on the page.
#[derive(Debug, Default)]
pub(crate) struct SheetRow {
    pub cells: Vec<RowCell>,
    /// The line of the source, from 1.
    pub line: u32,
    /// A blank line or a break stands before it.
    pub gap: bool,
    /// That is one line, and another column of the page has text on it: perhaps it is no break, because
    /// the lines of the columns stand at different heights.
    pub beside: bool,
    /// The strip of the page. Nothing goes on from one strip to the next.
    pub strip: u32,
    /// The table with markup to which it belongs.
    pub table: Option<u32>,
    /// It is a heading by its markup.
    pub head: bool,
    /// It is an item of a list by its mark.
    pub bullet: bool,
    /// It is page furniture.
    pub furniture: bool,
    /// One of its cells was parted where the row above has a column.
    pub parted: bool,
    /// Its first words stand out by their markup: so many characters.
    pub lead: Option<usize>,
    /// It was put together of lines by their order.
    pub ordered: bool,
    /// The results of the readers, as long as the row is not changed.
    pub readings: Readings,
}

/// The results of readers that are asked again and again of the same row, since they look ahead.
/// Each is worked out once.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    /// The band, and where the words start if they share the first cell.
    pub band: OnceCell<Option<(crate::band::Band, Option<usize>, bool)>>,
    /// The band with what OCR or a spreadsheet spoilt mended.
    pub mended: OnceCell<Option<crate::blocks::Mended>>,
    /// The name and the number or other value, if the row is a pair of them.
    pub named: OnceCell<Option<(RowCell, RowCell)>>,
    pub modifiers: OnceCell<Option<(Vec<crate::model::Modifier>, FigureAt)>>,
}

impl SheetRow {
    /// A copy to be changed. The readings stay behind: they are of the row as it was.
    pub fn unread_copy(&self) -> SheetRow {
        SheetRow {
            cells: self.cells.clone(),
            line: self.line,
            gap: self.gap,
            beside: self.beside,
            strip: self.strip,
            table: self.table,
            head: self.head,
            bullet: self.bullet,
            furniture: self.furniture,
            parted: self.parted,
            lead: self.lead,
            ordered: self.ordered,
            readings: Readings::default(),
        }
    }

    /// All cells that are not empty, joined.
    pub fn text(&self) -> String {
        let mut texts = self.cells.iter().map(|c| c.text.as_str()).filter(|t| !t.is_empty());
        let mut all = texts.next().unwrap_or_default().to_owned();
        for text in texts {
            all.push(' ');
            all.push_str(text);
        }
        all
    }

    pub fn at(&self) -> Range<usize> {
        let start = self.cells.iter().map(|c| c.at.start).min().unwrap_or(0);
        let end = self.cells.iter().map(|c| c.at.end).max().unwrap_or(start);
        start..end
    }

    /// The cells that are not empty.
    pub fn filled(&self) -> Vec<&RowCell> {
        self.cells.iter().filter(|cell| !cell.text.is_empty()).collect()
    }
}

/// The format of a source, by its look.
pub(crate) fn detect(text: &str) -> Format {
    let probe: String = text.chars().take(200_000).collect();
    let lower = probe.to_ascii_lowercase();
    if ["<table", "<html", "<tr", "<td", "<h1", "<h2", "<li>", "<p>", "<div"]
        .iter()
        .any(|tag| lower.contains(tag))
    {
        return Format::Html;
    }
    if sheet::looks_like_one(&probe) {
        return Format::Sheet;
    }
    if markdown::looks_like_one(&probe) {
        return Format::Markdown;
    }
    Format::Text
}

/// The rows of a source.
pub(crate) fn rows(text: &str, format: Format) -> Vec<SheetRow> {
    let copied = match format {
        Format::Text | Format::Markdown => translate::copy(text),
        Format::Html => html::positioned::copy(text),
        Format::Sheet => None,
    };
    let mut rows = match (&copied, format) {
        (Some(copy), _) => {
            let mut rows =
                if copy.markdown { markdown::rows(&copy.text) } else { plain::rows(&copy.text) };
            copy.give_back(text, &mut rows);
            rows
        }
        (None, Format::Text) => plain::rows(text),
        (None, Format::Markdown) => markdown::rows(text),
        (None, Format::Html) => html::rows(text),
        (None, Format::Sheet) => sheet::rows(text),
    };
    // Every row has a text: an item such as "- **" is nothing but its gap.
    let mut gap = false;
    rows.retain_mut(|row| {
        let blank = row.cells.iter().all(|cell| cell.text.is_empty());
        row.gap |= gap;
        gap = blank && row.gap;
        !blank
    });
    rows
}

/// A line of the source with its number from 1 and its first byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceLine<'t> {
    pub number: u32,
    pub start: usize,
    pub text: &'t str,
    /// A form feed stands before it.
    pub page: bool,
}

pub(crate) fn lines(text: &str) -> Vec<SourceLine<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (place, line) in text.split('\n').enumerate() {
        let mut shown = line.strip_suffix('\r').unwrap_or(line);
        let mut from = start;
        let mut page = false;
        while let Some(rest) = shown.strip_prefix(['\u{c}', '\u{feff}']) {
            page |= shown.starts_with('\u{c}');
            from += shown.len() - rest.len();
            shown = rest;
        }
        lines.push(SourceLine { number: place as u32 + 1, start: from, text: shown, page });
        start += line.len() + 1;
    }
    lines
}

/// A superscript figure, which marks a note.
pub(crate) fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// The text of a cell: single blanks, no note marks, broken ligatures joined.
pub(crate) fn cell_text(text: &str) -> String {
    let mut clean = Cow::Borrowed(text);
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        clean = Cow::Owned(printable(text));
    }
    let mut joined = String::with_capacity(clean.len());
    for word in clean.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    if !matches!(joined.as_str(), "*" | "†" | "‡") {
        let kept = joined.trim_end_matches(['*', '†', '‡', '§']).trim_end().len();
        joined.truncate(kept);
    }
    joined
}

/// A text without raised figures, ligatures and characters that have no width.
fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_raised(c) => {}
            'ﬁ' => clean.push_str("fi"),
            'ﬂ' => clean.push_str("fl"),
            'ﬀ' => clean.push_str("ff"),
            'ﬃ' => clean.push_str("ffi"),
            '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => {}
            c if c.is_control() => clean.push(' '),
            c => clean.push(c),
        }
    }
    clean
}
