//! Headings of two to four lines above a grid, as printed pages have them: "Full   Speed" above
//! "Ship" above "speed   gained". Each word goes to the column below it.

use super::super::columns::{Columns, words_of};
use super::super::titles;
use crate::source::{RowCell, SheetRow};

/// The most lines of headings.
const MOST_LINES: usize = 4;

/// The headings as one row, and how many rows they take. None if one row of headings is enough.
pub(super) fn merge(rows: &[SheetRow]) -> Option<(SheetRow, usize)> {
    if rows[0].table.is_some() || rows[0].bullet {
        return None;
    }
    let lines = rows.iter().take(MOST_LINES + 1).position(is_data).filter(|at| *at >= 2)?;
    let heads = &rows[..lines];
    let near = rows[..=lines].windows(2).all(|pair| pair[1].line <= pair[0].line + 2);
    if !near || !heads.iter().enumerate().all(|(at, row)| is_heading(row, at, rows[0].strip)) {
        return None;
    }
    let body: Vec<&SheetRow> =
        rows[lines..].iter().take(8).take_while(|row| is_data(row)).collect();
    let columns = Columns::of(&body);
    // A row of words that stand in the rows below, too, is one of them.
    let cells: Vec<&str> =
        body.iter().flat_map(|row| row.filled()).map(|cell| cell.text.as_str()).collect();
    let one_of_them = |row: &SheetRow| {
        row.filled().iter().skip(1).filter(|cell| cells.contains(&cell.text.as_str())).count() >= 2
    };
    if heads.iter().any(one_of_them) {
        return None;
    }
    if body.len() < 2 || columns.count() < 3 {
        return None;
    }
    let mut merged: Vec<Option<RowCell>> = vec![None; columns.count()];
    // "Class" alone above all headings says what they are.
    let over =
        usize::from(lines >= 3 && heads[0].filled().len() == 1 && heads[1].filled().len() >= 3);
    for (at, row) in heads.iter().enumerate().skip(over) {
        if (at + 1 < lines && spread(row, &columns, &mut merged))
            || word_by_word(row, &columns, &mut merged)
        {
            continue;
        }
        for cell in row.filled() {
            let over = columns.under(cell);
            let words = words_of(cell);
            match over.as_slice() {
                // "Speed Turning": one word above each column.
                [_, _, ..] if words.len() == over.len() => {
                    for (column, word) in over.iter().zip(&words) {
                        add(&mut merged[*column], word);
                    }
                }
                // "Leg" above "Dry" and "Mud": a heading of several columns.
                [_, _, ..] if at + 1 < lines => {
                    for column in &over {
                        add(&mut merged[*column], cell);
                    }
                }
                [_, _, ..] => return None,
                _ => add(&mut merged[columns.of_cell(cell)], cell),
            }
        }
    }
    let named = merged.iter().skip(1).all(Option::is_some);
    let cells = merged.into_iter().enumerate().map(|(column, cell)| {
        let x = columns.span(column);
        cell.map_or_else(RowCell::default, |cell| RowCell { x, ..cell })
    });
    let (first, last) = (&rows[0], &rows[lines - 1]);
    named.then(|| {
        let row = SheetRow {
            cells: cells.collect(),
            line: last.line,
            gap: first.gap,
            ..last.unread_copy()
        };
        (row, lines)
    })
}

/// "Leg   Track   Wheel" above six columns: each heads two of them.
fn spread(row: &SheetRow, columns: &Columns, found: &mut [Option<RowCell>]) -> bool {
    let filled = row.filled();
    let (heads, under) = (filled.len(), columns.count() - 1);
    let each = under / heads.max(1);
    let even = heads >= 2 && each >= 2 && each * heads == under;
    // Each stands above the middle of its columns.
    let above = |(place, cell): (usize, &&RowCell)| {
        let (first, last) = (columns.span(1 + place * each), columns.span((place + 1) * each));
        cell.x.0 + 2 >= first.0 && cell.x.1 <= last.1 + 2
    };
    if !even || !filled.iter().enumerate().all(above) {
        return false;
    }
    for (place, cell) in filled.iter().enumerate() {
        for slot in found.iter_mut().skip(1 + place * each).take(each) {
            add(slot, cell);
        }
    }
    true
}

/// "Slow   Full Under" above three columns: as many words as columns, some of them one blank apart.
fn word_by_word(row: &SheetRow, columns: &Columns, found: &mut [Option<RowCell>]) -> bool {
    let filled = row.filled();
    let words: Vec<RowCell> = filled.iter().flat_map(|cell| words_of(cell)).collect();
    let corner = usize::from(words.len() + 1 == columns.count());
    let named = words.first().is_some_and(|word| word.x.0 > columns.span(0).1);
    if words.len() == filled.len()
        || words.len() + corner != columns.count()
        || (corner == 1) != named
    {
        return false;
    }
    for (slot, word) in found.iter_mut().skip(corner).zip(&words) {
        add(slot, word);
    }
    true
}

fn add(to: &mut Option<RowCell>, more: &RowCell) {
    match to {
        Some(cell) => {
            cell.text = format!("{} {}", cell.text, more.text);
            cell.at.start = cell.at.start.min(more.at.start);
            cell.at.end = cell.at.end.max(more.at.end);
        }
        None => *to = Some(more.clone()),
    }
}

/// A row of the table: a name, and figures or short codes.
fn is_data(row: &SheetRow) -> bool {
    let filled = row.filled();
    let values = filled.iter().skip(1).filter(|cell| is_value(&cell.text)).count();
    filled.len() >= 3 && values * 3 >= (filled.len() - 1) * 2
}

fn is_value(text: &str) -> bool {
    let short = text.chars().count() <= 8;
    let figure = text
        .trim_start_matches(['+', '-', '–', '−'])
        .starts_with(|c: char| c.is_ascii_digit() || "½¼¾⅓⅔".contains(c));
    let range = text.trim_end_matches(['"', '″']).contains(['-', '–']) && figure;
    let code = text.len() <= 3 && text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    short
        && (figure && !range && !text.ends_with(['"', '″'])
            || code
            || crate::link::is_nothing(text))
        || (short && text.ends_with('+') && figure)
}

/// A line of headings: short cells, no sentence, no title.
fn is_heading(row: &SheetRow, at: usize, strip: u32) -> bool {
    let filled = row.filled();
    let text = row.text();
    let title = filled.len() == 1
        && (titles::shouts(titles::without_bracket(&text))
            || (at == 0 && row.gap && text.split_whitespace().count() > 2));
    row.table.is_none()
        && row.strip == strip
        && !row.head
        && !row.bullet
        && !title
        && filled.iter().all(|cell| {
            cell.text.chars().count() <= 30
                // "Cmd:" above "command" is a heading of two lines.
                && !cell.text.ends_with(['.', ';'])
                && (filled.len() >= 3 || !cell.text.ends_with(':'))
                && crate::amount::beside(&cell.text).is_none()
        })
        && crate::dice::roll_line(&text).is_none()
}
