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

/// Rows whose columns line up. Cells hold plain text; a style is put on afterwards, so widths are true.
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

    /// The table as text; the last column is wrapped to the terminal.
    pub fn print(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(column))
                    .map(|(text, _)| text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let before: usize = self.indent + widths.iter().take(columns.saturating_sub(1)).map(|w| w + 2).sum::<usize>();
        let last = width().saturating_sub(before).max(24);
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            out.push_str(&self.line(row, &widths, last, before));
            if place + 1 == self.heads {
                let rule = before + widths.last().copied().unwrap_or(0).min(last);
                out.push_str(&format!("{}{}\n", " ".repeat(self.indent), in_style(DIM, "─".repeat(rule.saturating_sub(self.indent)))));
            }
        }
        out
    }

    fn line(&self, row: &[(String, Style)], widths: &[usize], last: usize, before: usize) -> String {
        let mut line = " ".repeat(self.indent);
        let filled = row.iter().rposition(|(text, _)| !text.is_empty()).map_or(0, |place| place + 1);
        let row = &row[..filled];
        for (column, (text, style)) in row.iter().enumerate() {
            let ends = column + 1 == widths.len();
            let parts = if ends { wrapped(text, last) } else { vec![text.clone()] };
            let shown = parts.iter().map(|part| in_style(*style, part)).collect::<Vec<_>>().join(&format!("\n{}", " ".repeat(before)));
            line.push_str(&shown);
            if column + 1 < row.len() {
                line.push_str(&" ".repeat(widths[column].saturating_sub(text.width()) + 2));
            }
        }
        line.push('\n');
        line
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
    wrapped(text, room).iter().map(|line| format!("{}{}\n", " ".repeat(indent), in_style(style, line))).collect()
}
