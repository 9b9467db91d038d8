//! Figures that lost their sign or were misread.

use super::super::joined;
use super::row::{begins_with_band, modifier, of_row};
use crate::amount::{self, Amount};
use crate::band;
use crate::model::{Modifier, PrintedCell};
use crate::num::Num;
use crate::source::{FigureAt, RowCell, SheetRow};
use crate::token::tokens;

/// A row with the shape of a modifier whose figure has no sign.
pub(super) fn unsigned_shape(row: &SheetRow, end: FigureAt) -> bool {
    let cells = row.filled();
    let number = |cell: &RowCell| {
        band::whole(&cell.text)
            .filter(band::Band::is_single)
            .and_then(|b| b.low())
            .and_then(Num::as_whole)
            .is_some_and(|n| (0..=9).contains(&n))
    };
    match (cells.as_slice(), end) {
        ([first, .., last], FigureAt::First) => {
            number(first) && last.text.chars().any(char::is_alphabetic)
        }
        ([first, .., last], FigureAt::Last) => {
            number(last) && first.text.chars().any(char::is_alphabetic)
        }
        _ => false,
    }
}

/// The bare figure of a row, and its words.
pub(super) fn figure_of(row: &SheetRow, end: FigureAt) -> Option<(Num, PrintedCell)> {
    let cells = row.filled();
    let (figure, words) = match end {
        FigureAt::First => (*cells.first()?, joined(&cells[1..])),
        FigureAt::Last => (*cells.last()?, joined(&cells[..cells.len() - 1])),
    };
    Some((band::whole(&figure.text)?.low()?, words))
}

/// A figure without sign among signed ones. Zero needs no sign.
pub(super) fn unsigned(
    rows: &[SheetRow],
    place: usize,
    end: FigureAt,
    list: &[Modifier],
) -> Option<(Modifier, bool)> {
    let row = &rows[place];
    let cells = row.filled();
    if list.len() < 2 {
        return None;
    }
    if let ([only], FigureAt::First) = (cells.as_slice(), end) {
        // One line with a bare figure; two of them are a table.
        let table = rows.get(place + 1).is_some_and(|next| begins_with_band(&next.text()));
        let tokens = tokens(&only.text);
        let n =
            tokens.first()?.num().filter(|n| n.as_whole().is_some_and(|n| (0..=9).contains(&n)))?;
        if table
            || row.gap
            || tokens.get(1)?.word().is_none()
            || tokens[1].is_any(&["or", "to", "d", "and"])
        {
            return None;
        }
        let words = PrintedCell {
            text: crate::token::rest(&only.text, tokens[0].end),
            at: only.at.clone(),
        };
        return Some(signed_like(n, words, row.line, list, next_minus(rows, place)));
    }
    if !unsigned_shape(row, end) {
        return None;
    }
    let (n, words) = figure_of(row, end)?;
    if ["at most", "at least", "maximum", "minimum"].contains(&words.text.to_lowercase().as_str()) {
        return None;
    }
    Some(signed_like(n, words, row.line, list, next_minus(rows, place)))
}

/// Tells a penalty from a bonus in the next row; none if it is no modifier.
pub(super) fn next_minus(rows: &[SheetRow], place: usize) -> Option<bool> {
    let (list, _) = rows.get(place + 1).and_then(of_row)?;
    list.first().map(is_minus)
}

pub(super) fn is_minus(modifier: &Modifier) -> bool {
    matches!(&modifier.amount, Amount::Plus(n) if *n < Num::whole(0))
        || matches!(&modifier.amount, Amount::Each { by, .. } if *by < Num::whole(0))
}

/// A modifier with the sign of its neighbours.
pub(super) fn signed_like(
    n: Num,
    words: PrintedCell,
    line: u32,
    list: &[Modifier],
    next: Option<bool>,
) -> (Modifier, bool) {
    let last = list.last().is_some_and(is_minus);
    let most = list.iter().rev().take(3).filter(|known| is_minus(known)).count() >= 2;
    let minus = last && next.unwrap_or(most);
    let mut made = modifier(Amount::Plus(if minus { n.negative() } else { n }), words, line);
    made.guessed = n != Num::whole(0);
    (made, minus)
}

/// Figures whose digits OCR took for letters.
pub(super) fn repaired(row: &SheetRow, end: FigureAt) -> Option<(Vec<Modifier>, String)> {
    let mut changed = row.unread_copy();
    let filled = row.filled().len();
    let mut read = String::new();
    if filled > 1 {
        for cell in changed.cells.iter_mut().filter(|c| c.text.len() <= 4) {
            if amount::whole(&cell.text).is_none()
                && let Some(figure) = band::repaired(&cell.text)
            {
                cell.text = figure.clone();
                read = figure;
            }
        }
    } else {
        let cell = changed.cells.iter_mut().find(|c| !c.text.is_empty())?;
        let mut words: Vec<String> = cell.text.split(' ').map(str::to_owned).collect();
        let at = if end == FigureAt::First { 0 } else { words.len() - 1 };
        words[at] = band::repaired(&words[at])?;
        read = words[at].clone();
        cell.text = words.join(" ");
    }
    if read.is_empty() {
        return None;
    }
    let (mut list, found) = of_row(&changed)?;
    for each in &mut list {
        each.guessed = true;
    }
    (found == end).then_some((list, read))
}
