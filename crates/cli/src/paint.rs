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
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<(String, Style)>>,
    indent: usize,
    /// How many of the first rows are a head.
    heads: usize,
}

impl Table {
    pub fn new(indent: usize) -> Table {
        Table { indent, ..Table::default() }
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

    /// How wide the table would be without any wrapping.
    pub fn natural_width(&self) -> usize {
        let widths = self.widths();
        self.indent + widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
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
        Table { rows, indent: self.indent, heads: 1 }
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |(text, _): &(String, Style)| {
            text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
        };
        (0..columns)
            .map(|column| {
                self.rows.iter().filter_map(|row| row.get(column)).map(widest).max().unwrap_or(0)
            })
            .collect()
    }

    /// The widths that fit the terminal: the widest columns give way first, and their cells are
    /// wrapped.
    fn fitted(&self) -> Vec<usize> {
        let mut widths = self.widths();
        let room = width().saturating_sub(self.indent + 2 * widths.len().saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let Some(widest) = widths.iter_mut().max() else { break };
            if *widest <= 10 {
                break;
            }
            *widest -= 1;
        }
        widths
    }

    /// The table as text.
    pub fn print(&self) -> String {
        let widths = self.fitted();
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            out.push_str(&self.line(row, &widths));
            if place + 1 == self.heads {
                let rule = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
                out.push_str(&format!(
                    "{}{}\n",
                    " ".repeat(self.indent),
                    in_style(DIM, "─".repeat(rule))
                ));
            }
        }
        out
    }

    fn line(&self, row: &[(String, Style)], widths: &[usize]) -> String {
        let cells: Vec<Vec<String>> =
            row.iter().zip(widths).map(|((text, _), width)| wrapped(text, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        for part in 0..height {
            let texts: Vec<&str> =
                cells.iter().map(|cell| cell.get(part).map_or("", String::as_str)).collect();
            let filled =
                texts.iter().rposition(|text| !text.is_empty()).map_or(0, |place| place + 1);
            out.push_str(&" ".repeat(self.indent));
            for (column, text) in texts[..filled].iter().enumerate() {
                let pad = if column + 1 < filled {
                    widths[column].saturating_sub(text.width()) + 2
                } else {
                    0
                };
                if text.is_empty() {
                    out.push_str(&" ".repeat(pad));
                } else {
                    out.push_str(&format!("{}{}", in_style(row[column].1, text), " ".repeat(pad)));
                }
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }
}

/// Text broken at spaces to fit a width.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        if paragraph.width() <= width {
            lines.push(paragraph.to_owned());
            continue;
        }
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// A paragraph, wrapped and indented.
pub fn paragraph(indent: usize, style: Style, text: &str) -> String {
    let room = width().saturating_sub(indent).max(24);
    wrapped(text, room)
        .iter()
        .map(|line| format!("{}{}\n", " ".repeat(indent), in_style(style, line)))
        .collect()
}
