//! Colours with a meaning, and tables whose columns line up. Nothing is said by colour alone.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

pub const HEAD: Style = Style::new().bold();
pub const RESULT: Style = AnsiColor::Green.on_default().bold();
pub const NAME: Style = AnsiColor::Cyan.on_default();
pub const DIM: Style = Style::new().dimmed();
pub const WARN: Style = AnsiColor::Yellow.on_default();

/// Text in a style.
pub fn in_style(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The width of the terminal, or a page's width where there is none.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).clamp(40, 160)
}

/// Rows whose columns line up. Cells hold plain text; a style is put on afterwards, so widths are
/// true.
///
/// A table that is too wide for the terminal wraps its texts between words, the widest column first.
/// Figures are never wrapped: if their columns do not fit side by side, the table is printed in parts,
/// each with the labels of its rows.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<(String, Style)>>,
    indent: usize,
    /// How many of the first rows are a head.
    heads: usize,
    /// All columns but the first hold figures.
    figures: bool,
}

/// The widths that a column may have.
struct Column {
    /// Without any wrapping.
    natural: usize,
    /// With a break between any two words that may be parted.
    least: usize,
}

/// A column of text that is not narrower is not wrapped.
const NARROW: usize = 10;
/// The blanks that a column adds: between two columns of text, or around a figure.
const GAP: usize = 2;

impl Table {
    pub fn new(indent: usize) -> Table {
        Table { indent, ..Table::default() }
    }

    /// A table of figures, each row with a label. Figures stand at the right of their columns.
    pub fn of_figures(indent: usize) -> Table {
        Table { indent, figures: true, ..Table::default() }
    }

    pub fn head<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|cell| (cell.into(), HEAD)).collect());
        self.heads = self.rows.len();
    }

    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = (T, Style)>) {
        self.rows.push(cells.into_iter().map(|(cell, style)| (cell.into(), style)).collect());
    }

    pub fn plain<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.row(cells.into_iter().map(|cell| (cell, Style::new())));
    }

    /// The width of the table without any wrapping.
    pub fn natural_width(&self) -> usize {
        let widths: Vec<usize> = self.columns().iter().map(|column| column.natural).collect();
        self.indent + self.across(&widths)
    }

    /// The same table with rows and columns changed.
    pub fn turned(&self) -> Table {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<(String, Style)>, column: usize| {
            row.get(column).cloned().unwrap_or_default()
        };
        let mut rows: Vec<Vec<(String, Style)>> = (0..columns)
            .map(|column| self.rows.iter().map(|row| cell(row, column)).collect())
            .collect();
        for head in rows.first_mut().into_iter().flatten() {
            head.1 = HEAD;
        }
        Table { rows, heads: 1, ..*self }
    }

    fn columns(&self) -> Vec<Column> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest_word = |text: &str| text.split(' ').map(UnicodeWidthStr::width).max();
        let column = |place: usize| {
            let (mut natural, mut least) = (0, 0);
            for (at, row) in self.rows.iter().enumerate() {
                for line in row.get(place).into_iter().flat_map(|(text, _)| text.lines()) {
                    natural = natural.max(line.width());
                    let figure = self.is_figure(place) && at >= self.heads;
                    let word = if figure { None } else { widest_word(line) };
                    least = least.max(word.unwrap_or(line.width()));
                }
            }
            let narrow = if self.is_figure(place) { 0 } else { NARROW };
            Column { natural, least: least.max(narrow).min(natural) }
        };
        (0..columns).map(column).collect()
    }

    fn is_figure(&self, column: usize) -> bool {
        self.figures && column > 0
    }

    /// The width of columns with the blanks between them.
    fn across(&self, widths: &[usize]) -> usize {
        let gaps = GAP * widths.len().saturating_sub(1) + usize::from(self.figures);
        widths.iter().sum::<usize>() + gaps
    }

    /// The widths that fit the room: the widest column gives way first.
    fn fitted(&self, columns: &[&Column], room: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = columns.iter().map(|column| column.natural).collect();
        while self.across(&widths) > room {
            let wide = widths.iter_mut().zip(columns).filter(|(width, of)| **width > of.least);
            let Some((widest, _)) = wide.max_by_key(|(width, _)| **width) else { break };
            *widest -= 1;
        }
        widths
    }

    /// The parts in which the table is printed, as columns beside the first.
    fn parts(&self, columns: &[Column], room: usize) -> Vec<std::ops::Range<usize>> {
        let least: Vec<usize> = columns.iter().map(|column| column.least).collect();
        let count = columns.len();
        if !self.figures || count < 2 || self.across(&least) <= room {
            return std::iter::once(1.min(count)..count).collect();
        }
        let widest = least[1..].iter().max().map_or(GAP, |width| width + GAP);
        let most = (room.saturating_sub(self.across(&least[..1])) / widest).max(1);
        // As many in each part, as far as possible: not seven and one.
        let size = (count - 1).div_ceil((count - 1).div_ceil(most));
        (1..count).step_by(size).map(|from| from..count.min(from + size)).collect()
    }

    /// The table as text, for the terminal as wide as it is.
    pub fn print(&self) -> String {
        self.print_within(width())
    }

    fn print_within(&self, width: usize) -> String {
        let (columns, room) = (self.columns(), width.saturating_sub(self.indent));
        let parts = self.parts(&columns, room);
        let part = |range: std::ops::Range<usize>| {
            let places: Vec<usize> = (0..range.start.min(1)).chain(range).collect();
            let own: Vec<&Column> = places.iter().map(|place| &columns[*place]).collect();
            self.print_part(&places, &self.fitted(&own, room))
        };
        parts.into_iter().map(part).collect::<Vec<_>>().join("\n")
    }

    fn print_part(&self, places: &[usize], widths: &[usize]) -> String {
        let mut out = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            let cells = places.iter().map_while(|place| row.get(*place)).collect::<Vec<_>>();
            self.line(&cells, widths, &mut out);
            if at + 1 == self.heads {
                let rule = in_style(DIM, "─".repeat(self.across(widths)));
                out.push_str(&format!("{}{rule}\n", " ".repeat(self.indent)));
            }
        }
        out
    }

    fn line(&self, row: &[&(String, Style)], widths: &[usize], out: &mut String) {
        let cells: Vec<Vec<String>> =
            row.iter().zip(widths).map(|((text, _), width)| wrapped(text, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for part in 0..height {
            let texts: Vec<&str> =
                cells.iter().map(|cell| cell.get(part).map_or("", String::as_str)).collect();
            let filled = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
            out.push_str(&" ".repeat(self.indent));
            for (column, text) in texts[..filled].iter().enumerate() {
                let (style, free) = (row[column].1, widths[column].saturating_sub(text.width()));
                let gap = if self.figures { 1 } else { GAP };
                if text.is_empty() {
                    let blanks = widths[column] + if self.is_figure(column) { GAP } else { gap };
                    out.push_str(&" ".repeat(blanks));
                } else if self.is_figure(column) {
                    let padded = format!(" {}{text} ", " ".repeat(free));
                    out.push_str(&in_style(style, padded).to_string());
                } else {
                    out.push_str(&in_style(style, text).to_string());
                    out.push_str(&" ".repeat(if column + 1 < filled { free + gap } else { 0 }));
                }
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
    }
}

/// Text broken between words to fit a width. A word that is too long stays whole.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrap_lines(text, wrapping(width).break_words(false))
}

/// Text broken to fit a width, if need be within a word.
pub fn broken(text: &str, width: usize) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    wrap_lines(&words.join(" "), wrapping(width))
}

fn wrapping(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

fn wrap_lines(text: &str, options: textwrap::Options<'_>) -> Vec<String> {
    let wrap = |line| textwrap::wrap(line, &options).into_iter().map(String::from);
    let lines: Vec<String> = text.lines().flat_map(wrap).collect();
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// A paragraph, wrapped and indented.
pub fn paragraph(indent: usize, style: Style, text: &str) -> String {
    let room = width().saturating_sub(indent).max(24);
    wrapped(text, room)
        .iter()
        .map(|line| format!("{}{}\n", " ".repeat(indent), in_style(style, line)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn chances(columns: usize) -> Table {
        let mut table = Table::of_figures(2);
        let label = "Firer: HESA / Target: defence".to_owned();
        table.head(std::iter::once(label).chain((1..=columns).map(|n| n.to_string())));
        for row in 1..=2 {
            let cells = (1..=columns).map(|n| (format!("{n}{row}.5 %"), Style::new()));
            table.row(std::iter::once((row.to_string(), HEAD)).chain(cells));
        }
        table
    }

    #[test]
    fn figures_are_never_wrapped_and_no_line_is_wider_than_the_terminal() {
        for (columns, width) in (1..=20).flat_map(|n| (40..=100).map(move |width| (n, width))) {
            let text = plain(&chances(columns).print_within(width));
            assert!(text.lines().all(|line| line.trim_end().width() <= width), "{text}");
            for (row, column) in [(1, 1), (2, columns)] {
                assert!(text.contains(&format!(" {column}{row}.5 %")), "{text}");
            }
        }
    }

    #[test]
    fn parts_of_a_table_have_the_labels_of_the_rows() {
        let text = plain(&chances(8).print_within(60));
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let heads: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains('─')).collect();
        assert_eq!(heads.len(), 2, "{text}");
        for head in heads {
            assert!(lines[head + 1].starts_with("  1 ") && lines[head + 2].starts_with("  2 "));
        }
    }

    #[test]
    fn texts_are_broken_between_words_and_long_words_only_where_that_is_asked() {
        assert_eq!(wrapped("one two abcdefghij", 6), ["one", "two", "abcdefghij"]);
        assert_eq!(broken("one  two\nabcdefghij", 6), ["one", "two", "abcdef", "ghij"]);
        assert_eq!(wrapped("one\ntwo", 20), ["one", "two"]);
        assert_eq!((wrapped("", 10), broken("", 10)), (vec![String::new()], vec![String::new()]));
    }
}
