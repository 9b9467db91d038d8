//! The cells of a CSV file, with their places. A cell is changed by the bytes of its value.

use std::ops::Range;

/// A larger file is edited as text.
pub const MOST_CELLS: usize = 600;

/// A cell: its place with quotation marks, and its text without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub at: Range<usize>,
    pub text: String,
}

/// The lines of a CSV file. Empty lines are left out.
pub fn lines(text: &str) -> Vec<Vec<Cell>> {
    let mut lines = vec![Vec::new()];
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut start = mark;
    let mut quoted = false;
    let bounds = text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]);
    for (at, c) in bounds.skip_while(move |(at, _)| *at < mark) {
        match c {
            Some('"') => quoted = !quoted,
            Some(',' | '\n') | None if !quoted || c.is_none() => {
                if let Some(line) = lines.last_mut() {
                    line.push(cell(text, start..at));
                }
                start = at + 1;
                if c != Some(',') {
                    lines.push(Vec::new());
                }
            }
            _ => {}
        }
    }
    lines.retain(|line| line.iter().any(|cell| !cell.at.is_empty()));
    lines
}

fn cell(text: &str, at: Range<usize>) -> Cell {
    let raw = &text[at.clone()];
    let inside = raw.trim();
    let start = at.start + (raw.len() - raw.trim_start().len());
    let shown = match inside.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => inside.to_owned(),
    };
    Cell { at: start..start + inside.len(), text: shown }
}

/// A text as a cell.
fn written(text: &str) -> String {
    let text: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The file with another text in the cell at this place.
pub fn set(text: &str, at: usize, value: &str) -> Option<String> {
    let lines = lines(text);
    let cell = lines.iter().flatten().find(|cell| cell.at.start == at)?;
    Some(format!("{}{}{}", &text[..cell.at.start], written(value), &text[cell.at.end..]))
}

/// The file with a copy of the line at this place above it.
pub fn copy(text: &str, at: usize) -> Option<String> {
    let line = whole_line(text, at)?;
    let copied = text[line.clone()].trim_end_matches(['\r', '\n']);
    let end = if text[line.clone()].ends_with("\r\n") { "\r\n" } else { "\n" };
    Some(format!("{}{copied}{end}{}", &text[..line.start], &text[line.start..]))
}

/// The file without the line at this place. The heading stays.
pub fn remove(text: &str, at: usize) -> Option<String> {
    let first = lines(text).first().and_then(|line| line.first()).map(|cell| cell.at.start)?;
    let line = whole_line(text, at).filter(|_| at != first)?;
    Some(format!("{}{}", &text[..line.start], &text[line.end..]))
}

/// The line whose first cell is at this place, with its end.
fn whole_line(text: &str, at: usize) -> Option<Range<usize>> {
    let lines = lines(text);
    let line = lines.iter().find(|line| line.first().is_some_and(|cell| cell.at.start == at))?;
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let last = line.last()?.at.end;
    let end = text[last..].find('\n').map_or(text.len(), |end| last + end + 1);
    Some(start..end)
}
