//! Tables that a viewer or plain `pdftotext` gives column by column: a heading and all its cells, a blank
//! line, the next heading and all its cells. The cells belong together by their order.

use super::SheetRow;
use super::viewer::{CellPart, LineKind, Made, run};
use crate::band;

/// The most columns that are put together.
const MOST_COLUMNS: usize = 12;
/// The farthest that a column may stand below its table.
const FAR: usize = 20;

/// A column from here to the end of its block, and the columns below it. `length` is that of the block
/// from here on, `next` that of the block below it.
pub(super) fn table(
    rows: &[SheetRow],
    kinds: &[LineKind],
    length: usize,
    next: usize,
) -> Option<Made> {
    if length < 3 || next != length || !rows.get(length)?.gap {
        return None;
    }
    let mut ends = vec![0, length];
    while ends.len() <= MOST_COLUMNS
        && let Some(start) = ends.last().copied()
        && rows.get(start).is_some_and(|row| row.gap)
        && start + length <= rows.len()
        && run(rows, start) == start + length
        && kinds[start] == LineKind::Words
    {
        ends.push(start + length);
    }
    let columns = ends.len() - 1;
    let values = |column: usize| {
        let start = column * length;
        kinds[start + 1..start + length].iter().all(|kind| kind.is_value())
    };
    let fits = if is_scale(&rows[..length]) {
        columns >= 2
    } else {
        let names = kinds[..length].iter().all(|kind| *kind == LineKind::Words);
        names && columns >= 3 && (1..columns).all(values)
    };
    let cells =
        |at: usize| (0..columns).map(|column| CellPart::line(column * length + at)).collect();
    fits.then(|| Made {
        rows: (0..length).map(cells).collect(),
        taken: columns * length,
        each: true,
        ..Made::default()
    })
}

/// Scores below their heading.
fn is_scale(rows: &[SheetRow]) -> bool {
    let text = |row: &SheetRow| row.cells.first().map(|cell| cell.text.clone()).unwrap_or_default();
    let bands: Option<Vec<band::Band>> =
        rows[1..].iter().map(|row| band::whole(&text(row))).collect();
    crate::score_head(&text(&rows[0]))
        && bands.is_some_and(|bands| bands.windows(2).all(|pair| pair[0].is_before(&pair[1])))
}

/// A last column that stands in a block of its own below the table and what follows it: a heading, and
/// as many values as the table has rows. Returns where it starts.
pub(super) fn late_column(rows: &[SheetRow], kinds: &[LineKind], made: &Made) -> Option<usize> {
    let length = made.rows.len();
    let starts = made.taken..rows.len().min(made.taken + FAR);
    let start = starts.into_iter().find(|at| rows[*at].gap)?;
    let own = run(rows, start) == start + length
        && kinds[start] == LineKind::Words
        && kinds.get(start + 1..start + length)?.iter().all(|kind| kind.is_value());
    own.then_some(start)
}
