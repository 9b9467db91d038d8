//! Tables of a forum: `[tr][td]`. The other tags only say how a text looks, and are left to the reader of
//! plain text, as the page may have columns.

use super::{Copy, Count, bytes};
use crate::source::SourceLine;
use std::ops::Range;

/// The most lines of one row.
const MOST_LINES: usize = 60;

pub(super) fn is_one(count: Count<'_>) -> bool {
    count(&|text| text.contains("[td]") || text.contains("[TD]")) >= 2
}

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::default();
    let mut rows: Vec<(Vec<String>, Range<usize>)> = Vec::new();
    // The row so far, which may go over several lines.
    let mut open: Option<(String, Range<usize>)> = None;
    let mut longest = 0;
    for line in lines {
        let lower = line.text.to_ascii_lowercase();
        let own = bytes(*line);
        if open.is_none() && !lower.contains("[tr]") {
            if lower.trim() == "[table]" || lower.trim() == "[/table]" {
                end_table(&mut rows, &mut made);
                made.skip(*line);
            } else {
                end_table(&mut rows, &mut made);
                made.same(*line);
            }
            continue;
        }
        let (text, from) = open.get_or_insert_with(|| (String::new(), own.clone()));
        text.push(' ');
        text.push_str(line.text);
        from.end = from.end.max(own.end);
        longest += 1;
        if lower.contains("[/tr]") || longest > MOST_LINES {
            longest = 0;
            let (text, from) = open.take().unwrap_or_default();
            rows.extend(cells(&text).into_iter().map(|cells| (cells, from.clone())));
        }
    }
    if let Some((text, from)) = open {
        rows.extend(cells(&text).into_iter().map(|cells| (cells, from.clone())));
    }
    end_table(&mut rows, &mut made);
    made
}

/// The cells of the rows in a text.
fn cells(text: &str) -> Vec<Vec<String>> {
    let lower = text.to_ascii_lowercase();
    let starts: Vec<usize> = lower.match_indices("[tr]").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut rows = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let end = lower[start..end].find("[/tr]").map_or(end, |at| start + at);
        let (row, lower) = (&text[start..end], &lower[start..end]);
        let mut starts: Vec<usize> = lower.match_indices("[td]").map(|(at, _)| at + 4).collect();
        starts.extend(lower.match_indices("[th]").map(|(at, _)| at + 4));
        starts.sort_unstable();
        let ends = starts.iter().skip(1).map(|next| next - 4).chain([row.len()]);
        let cell = |(from, to): (usize, usize)| {
            let to = lower[from..to].find("[/t").map_or(to, |at| from + at);
            row[from..to].trim().to_owned()
        };
        rows.push(starts.iter().copied().zip(ends).take(50).map(cell).collect());
    }
    rows
}

/// Writes the rows with their columns below each other.
fn end_table(rows: &mut Vec<(Vec<String>, Range<usize>)>, made: &mut Copy) {
    let columns = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.0.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).min(200)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (cells, from) in rows.drain(..) {
        let mut shown = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            shown.push_str(cell);
            shown.push_str(&" ".repeat((width + 4).saturating_sub(cell.chars().count())));
        }
        made.line(shown.trim_end(), from);
    }
}
