//! What the places of cells on a page of `pdftotext -layout` say: a column that starts one blank after a
//! long cell, and cells that are centred beside two lines and so stand on a line of their own.

use super::{RowCell, SheetRow};
use crate::amount::{self, Amount};

/// The number of rows above and below that show where the columns start.
const NEAR: usize = 6;

/// Mends the rows of one strip.
pub(super) fn mend(rows: &mut Vec<SheetRow>, first: usize) {
    super::centred::join(rows, first);
    part_cells(&mut rows[first..]);
    part(&mut rows[first..]);
    let mut place = first;
    while place < rows.len() {
        if let Some(joined) = figure(&rows[place..]) {
            rows[place] = joined;
            rows.drain(place + 1..place + 3);
        } else if let Some(joined) = corner(&rows[place..]) {
            rows[place + 2] = joined;
            rows.remove(place + 1);
        }
        place += 1;
    }
}

/// The farthest that a column may drift from one row to the next.
const DRIFT: usize = 3;

/// Parts cells of a table by scores that stand only one blank apart. The row before shows where the
/// columns start.
fn part_cells(rows: &mut [SheetRow]) {
    for place in 1..rows.len() {
        let (before, after) = rows.split_at_mut(place);
        let row = &mut after[0];
        let scored = before.iter().rev().take(4).find(|scored| {
            scored.cells.len() >= 3 && crate::band::whole(&scored.cells[0].text).is_some()
        });
        let Some(scored) = scored.filter(|scored| scored.cells.len() == row.cells.len() + 1) else {
            continue;
        };
        if let Some(parted) = drifted(row, scored).or_else(|| score_apart(row, scored)) {
            row.cells = parted;
            row.parted = true;
        }
    }
}

/// "10-12 4   3" below "8-9   3   2": the score and the first figure as cells, though OCR moved them.
fn score_apart(row: &SheetRow, known: &SheetRow) -> Option<Vec<RowCell>> {
    let cell = row.cells.first()?;
    let (score, figure) = cell.text.rsplit_once(' ')?;
    let short = |text: &str| text.len() <= 3 && text.chars().all(|c| c.is_ascii_digit());
    if !short(figure) || !short(&known.cells[1].text) || crate::band::whole(score).is_none() {
        return None;
    }
    let cut = cell.at.end - figure.len().min(cell.at.end - cell.at.start);
    let x = cell.x.1.saturating_sub(figure.len());
    let first = RowCell { text: score.to_owned(), at: cell.at.start..cut, x: (cell.x.0, x) };
    let second = RowCell { text: figure.to_owned(), at: cut..cell.at.end, x: (x, cell.x.1) };
    Some([first, second].into_iter().chain(row.cells[1..].iter().cloned()).collect())
}

/// The cells of a row with one cell parted, if a word starts where a column of the other row starts.
fn drifted(row: &SheetRow, known: &SheetRow) -> Option<Vec<RowCell>> {
    let (left, known_left) = (row.cells.first()?.x.0, known.cells.first()?.x.0);
    let starts: Vec<usize> =
        known.cells.iter().map(|cell| cell.x.0 - known_left.min(cell.x.0)).collect();
    // The first column that no cell of this row starts.
    let missing = (1..starts.len()).find(|at| {
        row.cells.get(*at).is_none_or(|cell| (cell.x.0 - left).abs_diff(starts[*at]) > DRIFT)
    })?;
    let cell = row.cells.get(missing - 1)?;
    let wanted = left + starts[missing];
    let raw = cell.text.chars().count() == cell.x.1.checked_sub(cell.x.0)?;
    let mut words = Vec::new();
    for (at, (byte, c)) in cell.text.char_indices().enumerate() {
        if c != ' ' && byte > 0 && cell.text[..byte].ends_with(' ') {
            words.push((at, byte));
        }
    }
    let (at, byte) = words
        .into_iter()
        .filter(|(at, _)| (cell.x.0 + at).abs_diff(wanted) <= DRIFT)
        .min_by_key(|(at, _)| (cell.x.0 + at).abs_diff(wanted))
        .filter(|_| raw)?;
    let cut = (cell.at.start + byte).min(cell.at.end);
    let first = RowCell {
        text: cell.text[..byte].trim_end().to_owned(),
        at: cell.at.start..cut,
        x: (cell.x.0, cell.x.0 + at - 1),
    };
    let second = RowCell {
        text: cell.text[byte..].to_owned(),
        at: cut..cell.at.end,
        x: (cell.x.0 + at, cell.x.1),
    };
    let mut cells = row.cells.clone();
    cells[missing - 1] = second;
    cells.insert(missing - 1, first);
    // Only a row of the same table: its first cell is a band now.
    crate::band::whole(&cells[0].text).is_some().then_some(cells)
}

/// Parts a cell where a word starts exactly at a column of the rows around it.
fn part(rows: &mut [SheetRow]) {
    for place in 0..rows.len() {
        let count = rows[place].cells.len() + 1;
        let around = place.saturating_sub(NEAR)..rows.len().min(place + NEAR + 1);
        let near: Vec<&SheetRow> =
            rows[around].iter().filter(|row| row.cells.len() == count && count >= 3).collect();
        let starts = |row: &SheetRow| row.cells.iter().map(|cell| cell.x.0).collect::<Vec<usize>>();
        let columns = near
            .iter()
            .map(|row| starts(row))
            .enumerate()
            .find(|(at, own)| near[at + 1..].iter().any(|row| starts(row) == *own));
        let Some((at, starts)) = columns else { continue };
        if let Some(cells) = parted(&rows[place], &starts, near[at]) {
            rows[place].cells = cells;
        }
    }
}

/// The cells of a row with one cell parted, so that each starts at its column.
fn parted(row: &SheetRow, starts: &[usize], known: &SheetRow) -> Option<Vec<RowCell>> {
    let missing = (0..starts.len())
        .find(|at| row.cells.get(*at).is_none_or(|cell| cell.x.0 != starts[*at]))?;
    let rest = row.cells[missing.min(row.cells.len())..].iter().map(|cell| cell.x.0);
    let cell = row.cells.get(missing.checked_sub(1)?)?;
    let at = starts[missing].checked_sub(cell.x.0)?;
    let raw = cell.text.chars().count() == cell.x.1.checked_sub(cell.x.0)?;
    let byte = cell.text.char_indices().nth(at).map(|(byte, _)| byte).filter(|_| raw)?;
    let (left, right) = cell.text.split_at(byte);
    // A small letter starts a cell only where others of the column do so, too.
    let small = |text: &str| text.starts_with(char::is_lowercase);
    let fits = rest.eq(starts[missing + 1..].iter().copied())
        && left.ends_with(' ')
        && !right.starts_with(' ')
        && (!small(right) || small(&known.cells[missing].text));
    if !fits {
        return None;
    }
    let cut = (cell.at.start + byte).min(cell.at.end);
    let first = RowCell {
        text: left.trim_end().to_owned(),
        at: cell.at.start..cut,
        x: (cell.x.0, cell.x.0 + at - 1),
    };
    let second =
        RowCell { text: right.to_owned(), at: cut..cell.at.end, x: (cell.x.0 + at, cell.x.1) };
    let mut cells = row.cells.clone();
    cells[missing - 1] = first;
    cells.insert(missing, second);
    Some(cells)
}

/// A figure that is centred beside a label of two lines: it stands on a line between them.
fn figure(rows: &[SheetRow]) -> Option<SheetRow> {
    let [above, beside, below, ..] = rows else { return None };
    let ([label], [figure], [rest]) =
        (above.cells.as_slice(), beside.cells.as_slice(), below.cells.as_slice())
    else {
        return None;
    };
    let bare = amount::whole(&figure.text)
        .is_some_and(|found| found.label.is_empty() && matches!(found.amount, Amount::Plus(_)));
    let near = below.line <= above.line + 2 && above.strip == below.strip;
    let fits = bare
        && near
        && figure.x.0 > label.x.1 + 1
        && label.text.starts_with(char::is_alphabetic)
        && !label.text.ends_with(['.', ':'])
        && amount::beside(&label.text).is_none()
        && rest.x.0.abs_diff(label.x.0) <= 1
        && rest.text.starts_with(char::is_lowercase);
    fits.then(|| {
        let text = format!("{} {}", label.text, rest.text);
        let label = RowCell { text, at: label.at.start..rest.at.end, x: label.x };
        SheetRow { cells: vec![label, figure.clone()], ..above.unread_copy() }
    })
}

/// A heading of the rows that is centred beside two lines of other headings: "Range in yards" above
/// "Calibre" above "0-3   4-7". The lower headings with that of the rows.
fn corner(rows: &[SheetRow]) -> Option<SheetRow> {
    let [above, beside, below, first, second, ..] = rows else { return None };
    let ([over], [own]) = (above.cells.as_slice(), beside.cells.as_slice()) else { return None };
    let columns = &below.cells;
    let right = columns.first()?.x.0;
    let data = |row: &SheetRow| row.cells.len() == columns.len() + 1 && !row.gap;
    let fits = columns.len() >= 2
        && !beside.gap
        && !below.gap
        && data(first)
        && data(second)
        && own.x.1 < right
        && over.x.0 > own.x.1
        && over.x.1 > right
        && own.text.split_whitespace().count() <= 3
        && own.text.starts_with(char::is_alphanumeric);
    fits.then(|| {
        let mut joined = below.unread_copy();
        joined.cells.insert(0, own.clone());
        joined
    })
}

#[cfg(test)]
mod tests {
    use super::super::plain;

    fn rows(text: &str) -> Vec<String> {
        let shown = |row: &super::SheetRow| {
            row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ")
        };
        plain::rows(text).iter().map(shown).collect()
    }

    #[test]
    fn a_long_name_one_blank_before_its_column() {
        let text = "Element       Beaten  Doubled\nArmoured foot Recoil  Lost\nLight foot    Flee    Lost\n";
        assert_eq!(rows(text)[1], "Armoured foot | Recoil | Lost");
    }

    #[test]
    fn cells_centred_beside_two_lines() {
        let text = "Long range                -1\nSecond team at the same\n                          +1\ntarget\n";
        assert_eq!(rows(text)[1], "Second team at the same target | +1");
        let text = "              Range in yards\n   Gun\n              0-3   4-7\nSix inch      4     6\nTen inch      3     6\n";
        assert_eq!(rows(text)[1], "Gun | 0-3 | 4-7");
    }
}
