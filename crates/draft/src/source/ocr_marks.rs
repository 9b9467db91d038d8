//! Bullets that OCR took for letters and signs: "e +1 die: target is near", "¢ Stunned: -3".

use super::Row;

/// Signs that OCR makes of bullets and that start no line otherwise.
const SIGNS: [&str; 6] = ["¢ ", "« ", "» ", "© ", "® ", "@ "];
/// A letter that OCR makes of them, too.
const LETTER: &str = "e ";
/// So many lines with such marks are a list.
const LEAST: usize = 3;
/// How far lines of one list may be apart.
const NEAR: usize = 8;

/// Takes such marks off where several lines near each other have them.
pub(super) fn remove(rows: &mut [Row]) {
    let marks: Vec<Option<bool>> = rows.iter().map(mark).collect();
    for place in 0..rows.len() {
        let Some(sign) = marks[place] else { continue };
        let near = &marks[place.saturating_sub(NEAR)..rows.len().min(place + NEAR + 1)];
        let signs = near.iter().filter(|mark| **mark == Some(true)).count();
        let all = near.iter().filter(|mark| mark.is_some()).count();
        // A letter alone may be a word: a sign near it shows that it is none.
        if all < LEAST || (!sign && signs == 0) {
            continue;
        }
        let row = &mut rows[place];
        if let Some(first) = row.cells.first_mut()
            && let Some((mark, rest)) = first.text.split_once(' ')
        {
            first.at.start = (first.at.start + mark.len() + 1).min(first.at.end);
            first.x.0 = (first.x.0 + 2).min(first.x.1);
            first.text = rest.to_owned();
            row.bullet = true;
        }
    }
}

/// Whether a line starts with such a mark, and whether it is a sign.
fn mark(row: &Row) -> Option<bool> {
    let text = &row.cells.first()?.text;
    let sign = SIGNS.iter().any(|mark| text.starts_with(mark));
    let rest = text.split_once(' ')?.1;
    let starts = rest.starts_with(|c: char| c.is_alphanumeric() || "+-–−".contains(c));
    (starts && row.table.is_none() && (sign || text.starts_with(LETTER))).then_some(sign)
}
