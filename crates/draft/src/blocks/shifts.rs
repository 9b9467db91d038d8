//! Column shifts in a sentence: "Column shifts: defender in town 1L; across river 2L; armour 1R."

use super::Pieces;
use crate::amount::{self, Amount};
use crate::model::{GuessKind, Modifier, PrintedCell};
use crate::source::SheetRow;
use crate::token::tokens;

/// The shifts of a row. Parts that are not understood are said.
pub(crate) fn read(row: &SheetRow, pieces: &mut Pieces) -> Option<Vec<Modifier>> {
    let text = row.text();
    let (head, said) = text.split_once(':')?;
    let named = head.to_lowercase();
    if !named.contains("shift") || head.split_whitespace().count() > 4 {
        return None;
    }
    let parts: Vec<&str> = said.trim_end_matches('.').split(';').map(str::trim).collect();
    let read: Vec<Option<Modifier>> = parts.iter().map(|part| of_part(part, row)).collect();
    if read.iter().flatten().count() < 2 {
        return None;
    }
    for (part, _) in parts.iter().zip(&read).filter(|(_, read)| read.is_none()) {
        pieces.guess(GuessKind::LeftOut, row.line, row.at(), part);
    }
    Some(read.into_iter().flatten().collect())
}

/// "defender in town 1L"
fn of_part(part: &str, row: &SheetRow) -> Option<Modifier> {
    let (label, last) = part.rsplit_once(' ')?;
    let (amount, next) = amount::prefix(&tokens(last))?;
    let whole = next == tokens(last).len() && matches!(amount, Amount::Shift(_));
    // "1R or 2R" leaves the shift open.
    let open = label.ends_with(" or") || label.ends_with(',') || label.contains(':');
    let words = label.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    (whole && !open && words).then(|| Modifier {
        label: PrintedCell { text: label.trim().to_owned(), at: row.at() },
        amount,
        line: row.line,
        guessed: false,
    })
}
