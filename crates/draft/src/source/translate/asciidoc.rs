//! AsciiDoc: headings with equals signs, tables between lines of `|===`.

use super::{Copy, Count, bytes};
use crate::source::SourceLine;

pub(super) fn is_one(count: Count<'_>) -> bool {
    count(&|text| text == "|===") >= 2
        || count(&|text| heading(text).is_some()) >= 2 && count(&|text| text.contains(":: ")) >= 2
}

/// The level and the text of "== Movement". "== TURN ==" is a heading of a plain text.
fn heading(text: &str) -> Option<(usize, &str)> {
    let level = text.chars().take_while(|c| *c == '=').count();
    let name = text[level..].strip_prefix(' ')?.trim();
    ((1..=6).contains(&level) && !name.is_empty() && !name.ends_with('=')).then_some((level, name))
}

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::markdown();
    let mut place = 0;
    while let Some(line) = lines.get(place) {
        let text = line.text.trim_end();
        place += 1;
        if text == "|===" {
            made.skip(*line);
            place += table(&lines[place..], columns(lines, place), &mut made);
        } else if let Some((level, name)) = heading(text) {
            made.line(&format!("{} {name}", "#".repeat(level)), bytes(*line));
        } else if text.starts_with(':') && text[1..].contains(':') && place < 12
            || text.starts_with('[') && text.ends_with(']')
            || text.starts_with("//")
        {
            made.skip(*line);
        } else if let Some(item) = text.strip_prefix(". ") {
            made.line(&format!("1. {item}"), bytes(*line));
        } else if let Some(title) =
            text.strip_prefix('.').filter(|t| t.starts_with(char::is_alphabetic))
        {
            made.line(title, bytes(*line));
        } else if let Some((term, meaning)) = text.split_once(":: ") {
            made.blank();
            made.line(term, bytes(*line));
            made.line(&format!(":   {}", meaning.trim()), bytes(*line));
        } else {
            made.same(*line);
        }
    }
    made
}

/// The number of columns that a line such as `[cols="1,3"]` above the table gives.
fn columns(lines: &[SourceLine<'_>], place: usize) -> Option<usize> {
    let above = lines[..place - 1].iter().rev().take(2).find(|line| line.text.contains("cols="))?;
    let columns = above.text.split("cols=").nth(1)?.trim_start_matches('"');
    let columns = columns.split(['"', ']']).next()?;
    match columns.split_once('*') {
        Some((count, _)) => count.trim().parse().ok(),
        None => Some(columns.split(',').count()),
    }
    .filter(|count| (1..=50).contains(count))
}

/// Reads a table up to its end and returns how many lines it took.
fn table(lines: &[SourceLine<'_>], columns: Option<usize>, made: &mut Copy) -> usize {
    let end = lines.iter().position(|line| line.text.trim_end() == "|===").unwrap_or(lines.len());
    let first = lines[..end].iter().find(|line| line.text.starts_with('|'));
    let columns = columns.or(first.map(|line| cells(line.text).count())).unwrap_or(1);
    let mut row: Vec<String> = Vec::new();
    let mut from = None;
    let mut rows = 0;
    made.blank();
    for line in &lines[..end] {
        if !line.text.contains('|') {
            // A cell goes on.
            if let Some(last) = row.last_mut() {
                last.push(' ');
                last.push_str(line.text.trim());
            }
            continue;
        }
        for cell in cells(line.text) {
            if row.len() == columns {
                rows += 1;
                made.row(&row, from.take().unwrap_or_else(|| bytes(*line)));
                row.clear();
                if rows == 1 {
                    made.rule(columns);
                }
            }
            row.push(cell.to_owned());
            let own = bytes(*line);
            from = Some(
                from.map_or(own.clone(), |known: std::ops::Range<usize>| known.start..own.end),
            );
        }
    }
    if let Some(from) = from {
        made.row(&row, from);
    }
    if let Some(line) = lines.get(end) {
        made.skip(*line);
    }
    (end + 1).min(lines.len())
}

/// The cells of "|Unit |Road |Clear". What stands before the first bar says how its cell looks.
fn cells(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').skip(1).map(str::trim)
}
