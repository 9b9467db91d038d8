//! Tables by scores whose columns stand one blank apart on some lines, as narrow columns of a PDF give
//! them: "0 passed Hunkers   Hunkers Leaves the". Where every row has as many texts with a capital as
//! there are headings, the cells are parted there, and marked.

use super::{RowCell, SheetRow};
use crate::token::tokens;
use crate::{band, dice};

/// The number of rows below a heading that are looked at.
const FAR: usize = 24;

/// Parts the cells of such tables.
pub(super) fn part(rows: &mut [SheetRow]) {
    for place in 0..rows.len() {
        if let Some(parted) = table(&rows[place..rows.len().min(place + FAR)]) {
            for (at, cells) in parted {
                let row = &mut rows[place + at];
                row.cells = cells;
                row.parted = at > 0;
            }
        }
    }
}

/// The rows that change, by their place below the heading.
fn table(rows: &[SheetRow]) -> Option<Vec<(usize, Vec<RowCell>)>> {
    let head = &rows[0];
    let first = head.cells.first().filter(|_| head.table.is_none())?;
    let named = |text: &str| dice::whole(text).is_some_and(|dice| dice.named) || text == "Die";
    let word = first.text.split(' ').next().unwrap_or_default();
    let starts = named(&first.text) || (named(word) && head.cells.len() <= 2);
    // The headings themselves may stand one blank apart, or have capitals inside.
    [groups(&head.cells, 1), head.cells.clone()]
        .into_iter()
        .filter(|heads| starts && (3..=6).contains(&heads.len()))
        .find_map(|heads| below(rows, &heads))
}

/// The rows that change below these headings.
fn below(rows: &[SheetRow], heads: &[RowCell]) -> Option<Vec<(usize, Vec<RowCell>)>> {
    let head = &rows[0];
    let mut changed = Vec::new();
    if heads.len() != head.cells.len() {
        changed.push((0, heads.to_vec()));
    }
    let mut scored = 0;
    for (at, row) in rows.iter().enumerate().skip(1) {
        let Some(cell) = row.cells.first().filter(|_| row.strip == head.strip) else { break };
        let Some(words) = score_words(&cell.text) else {
            // A line that goes on with the cells above it.
            let goes_on = cell.text.starts_with(|c: char| c.is_lowercase() || c == '(');
            if goes_on && row.table.is_none() && row.line <= rows[at - 1].line + 2 {
                continue;
            }
            break;
        };
        scored += 1;
        if row.cells.len() == heads.len() {
            continue;
        }
        let cells = groups(&row.cells, words);
        if cells.len() != heads.len() {
            return None;
        }
        changed.push((at, cells));
    }
    (scored >= 3 && changed.iter().any(|(at, _)| *at > 0)).then_some(changed)
}

/// The number of words in the score at the start of a cell: 2 of "0 passed Hunkers".
fn score_words(text: &str) -> Option<usize> {
    let tokens = tokens(text);
    let at = band::prefix(&tokens)?;
    let unit = tokens.get(at.next).is_some_and(|t| t.is_any(&["passed", "passes", "successes"]));
    let end = tokens[at.next - 1 + usize::from(unit)].end;
    let start: String = text.chars().take(end).collect();
    Some(start.split_whitespace().count())
}

/// The cells, parted before each capital. The first so many words are one cell.
fn groups(cells: &[RowCell], first: usize) -> Vec<RowCell> {
    let mut groups: Vec<RowCell> = Vec::new();
    let mut left = first;
    for cell in cells {
        let mut byte = 0;
        for (place, word) in cell.text.split(' ').enumerate() {
            let x = cell.x.0 + cell.text[..byte].chars().count();
            let x = (x, x + word.chars().count());
            let start = (cell.at.start + byte).min(cell.at.end);
            let at = start..(start + word.len()).min(cell.at.end);
            byte += word.len() + 1;
            let opens = left == 0
                && (place == 0 || word.starts_with(char::is_uppercase) || groups.len() == 1);
            match groups.last_mut() {
                Some(last) if !opens => {
                    last.text = format!("{} {word}", last.text);
                    (last.x.1, last.at.end) = (x.1, at.end);
                }
                _ => groups.push(RowCell { text: word.to_owned(), at, x }),
            }
            left = left.saturating_sub(1);
        }
    }
    groups
}
