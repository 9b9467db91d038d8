//! The headings of a grid: on one line or two, over one column or several.

use super::super::{bands, columns, titles};
use crate::source::{RowCell, SheetRow};

/// "Target Close Effective" above rows of three cells: one blank between the headings.
pub(super) fn one_blank_head(rows: &[SheetRow]) -> Option<SheetRow> {
    let (first, next) = (&rows[0], rows.get(1)?);
    let filled = first.filled();
    let width = next.filled().len();
    let plain = first.table.is_none() && next.table.is_none() && !next.gap && !first.bullet;
    if !plain || width < 3 || filled.len() != 1 || titles::shouts(&filled[0].text) {
        return None;
    }
    let words: Vec<RowCell> = filled.iter().flat_map(|cell| columns::words_of(cell)).collect();
    let named = |word: &RowCell| {
        word.text.starts_with(char::is_uppercase)
            && word.text.chars().all(|c| c.is_alphabetic() || c == '-')
    };
    let figures = |row: &SheetRow| {
        let cells = row.filled();
        cells.len() == width
            && cells[1..].iter().all(|c| c.text.chars().count() <= 6)
            && cells[1..].iter().any(|c| c.text.contains(|c: char| c.is_ascii_digit()))
    };
    let rows_fit = rows[1..].iter().take(3).filter(|row| figures(row)).count() >= 2;
    (words.len() == width && words.iter().all(named) && rows_fit)
        .then(|| SheetRow { cells: words, ..first.unread_copy() })
}

/// The number of words in a row of headings, if each starts with a capital.
pub(super) fn words(row: &SheetRow) -> Option<usize> {
    let filled = row.filled();
    let words: Vec<&str> = filled.iter().flat_map(|cell| cell.text.split(' ')).collect();
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    (row.table.is_none() && words.iter().all(capital)).then_some(words.len())
}

/// Tells if the first cell is a name and a figure: "Infantry 4".
pub(super) fn ends_with_figure(row: &SheetRow) -> bool {
    let first = row.filled().first().map(|cell| cell.text.clone()).unwrap_or_default();
    let name = |name: &str| name.chars().any(char::is_alphabetic);
    first.rsplit_once(' ').is_some_and(|(head, last)| name(head) && last.parse::<u32>().is_ok())
}

/// A row whose head and first figure are one cell: "Infantry 4   4   2".
pub(super) fn parted(row: &SheetRow, widest: usize) -> SheetRow {
    let mut own = row.unread_copy();
    let filled = row.filled().len();
    if row.table.is_some() || filled + 1 != widest || row.cells.len() != filled {
        return own;
    }
    let first = &row.cells[0];
    let figure = |text: &str| text.chars().next().is_some_and(|c| c.is_ascii_digit());
    if let Some((head, last)) = first.text.rsplit_once(' ')
        && figure(last)
        && row.cells[1..].iter().all(|c| figure(&c.text) || crate::link::is_nothing(&c.text))
    {
        let cut = first.at.end - last.len().min(first.at.end - first.at.start);
        let x = first.x.1.saturating_sub(last.chars().count());
        let second = RowCell { text: last.to_owned(), at: cut..first.at.end, x: (x, first.x.1) };
        own.cells[0] = RowCell {
            text: head.to_owned(),
            at: first.at.start..cut,
            x: (first.x.0, x.saturating_sub(1)),
        };
        own.cells.insert(1, second);
    }
    own
}

/// Two rows of headings as one: "Range | Range" above "0-10 | 10-20".
pub(super) fn joined_heads(rows: &[SheetRow], head: usize) -> Option<SheetRow> {
    let (above, below) = (&rows[head], rows.get(head + 1)?);
    if above.table.is_none() || above.table != below.table || above.cells.len() != below.cells.len()
    {
        return None;
    }
    let word = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let twice = above
        .cells
        .windows(2)
        .skip(1)
        .any(|pair| word(&pair[0].text) && pair[0].text == pair[1].text);
    let corner = below.cells[0].text.is_empty() || below.cells[0].text == above.cells[0].text;
    if !twice || !corner {
        return None;
    }
    let mut joined = below.unread_copy();
    for (cell, over) in joined.cells.iter_mut().zip(&above.cells) {
        if cell.text != over.text {
            cell.text = format!("{} {}", over.text, cell.text).trim().to_owned();
        }
    }
    Some(joined)
}

/// Two lines of headings in plain text as one: "March" above "column". The lower line has no heading
/// for the rows, and the rows start further left.
pub(super) fn stacked_heads(rows: &[SheetRow], head: usize) -> Option<SheetRow> {
    let (above, below, first) = (&rows[head], rows.get(head + 1)?, rows.get(head + 2)?);
    let (upper, lower) = (above.filled(), below.filled());
    let left = first.filled().first()?.x.0;
    // "Effective   Max" above "Weapon   Class   Range   Range": headings of some columns go on below.
    let whole = lower.len() >= 4
        && first.filled().len() == lower.len()
        && upper.len() < lower.len()
        && upper.first()?.x.0 > lower.first()?.x.1
        && !below.gap;
    let words = |cell: &&RowCell| {
        cell.text.chars().any(char::is_alphabetic) && cell.text.chars().count() <= 14
    };
    // "Top   Climb" above "Machine   speed   rate": by their order, since OCR loses indentation.
    let by_order = upper.len() + 1 == lower.len()
        && lower.len() >= 3
        && first.filled().len() == lower.len()
        && above.table.is_none()
        && lower.iter().skip(1).all(|cell| cell.text.starts_with(char::is_lowercase));
    if by_order && upper.iter().chain(&lower).all(words) {
        let mut joined = below.unread_copy();
        for (cell, over) in joined.cells.iter_mut().skip(1).zip(&upper) {
            cell.text = format!("{} {}", over.text, cell.text);
        }
        return Some(joined);
    }
    if whole && above.table.is_none() && upper.iter().chain(&lower).all(words) {
        let mut joined = below.unread_copy();
        for over in &upper {
            let apart = |cell: &&mut RowCell| (over.x.0 + over.x.1).abs_diff(cell.x.0 + cell.x.1);
            if let Some(cell) = joined.cells.iter_mut().min_by_key(apart) {
                cell.text = format!("{} {}", over.text, cell.text);
            }
        }
        return Some(joined);
    }
    let plain = [above, below, first].iter().all(|row| row.table.is_none());
    let short = |cell: &&RowCell| cell.text.chars().count() <= 14 && !cell.text.ends_with('.');
    let fits = plain
        && !below.gap
        && first.filled().len() >= 3
        && upper.len() >= 2
        && lower.first()?.x.0 > left + 3
        && upper.last()?.x.1 + 4 >= lower.last()?.x.0
        && upper.iter().all(short)
        && lower.iter().all(short);
    if !fits {
        return None;
    }
    if upper.len() < lower.len() && lower.iter().all(|cell| cell.x.0 > left + 3) {
        // "MP cost" above "Leg", "Mech" and "Rail": one heading over several columns.
        let mut joined = below.unread_copy();
        for cell in &mut joined.cells {
            let apart = |over: &&&RowCell| (over.x.0 + over.x.1).abs_diff(cell.x.0 + cell.x.1);
            if let Some(over) = upper.iter().min_by_key(apart) {
                cell.text = format!("{} {}", over.text, cell.text);
            }
        }
        return Some(joined);
    }
    let mut joined = above.unread_copy();
    for cell in lower {
        let over = |known: &RowCell| {
            let apart = (known.x.0 + known.x.1).abs_diff(cell.x.0 + cell.x.1);
            (known.x.0 < cell.x.1 && cell.x.0 < known.x.1) || apart <= 6
        };
        match joined.cells.iter_mut().find(|known| over(known)) {
            Some(known) => {
                known.text = format!("{} {}", known.text, cell.text);
                known.x = (known.x.0.min(cell.x.0), known.x.1.max(cell.x.1));
            }
            None => joined.cells.push(cell.clone()),
        }
    }
    joined.cells.sort_by_key(|cell| cell.x.0);
    Some(joined)
}

/// The row with the headings, and a heading above it for all of them.
pub(super) fn head_row(rows: &[SheetRow]) -> Option<(usize, Option<String>)> {
    let first = &rows[0];
    if first.filled().len() >= 2 {
        return head_like(first).then_some((0, None));
    }
    // One cell above the columns of a table with markup: what stands across.
    let next = rows.get(1)?;
    if first.table.is_none() {
        // "Movement cost" above the middle of "Terrain   Foot   Horse   Motor".
        let only = first.filled().first().map(|cell| (cell.x.0, cell.text.clone()))?;
        let left = next.filled().first().filter(|c| !bands::score_head(&c.text))?.x.0;
        let over = next.filled().len() >= 4 && only.0 > left + 4 && !next.gap && !first.bullet;
        return (over && next.table.is_none() && head_like(next) && head_like(first))
            .then_some((1, Some(only.1)));
    }
    let above = next.table == first.table
        && first.cells.iter().position(|c| !c.text.is_empty()).is_some_and(|at| at > 0);
    (above && next.filled().len() >= 2 && head_like(next)).then_some((1, None))
}

pub(super) fn head_like(row: &SheetRow) -> bool {
    let cells = row.filled();
    cells.iter().all(|c| {
        c.text.chars().count() <= 45
            && !(c.text.ends_with('.')
                && !c.text.ends_with("...")
                && c.text.split_whitespace().count() > 2)
    })
}
