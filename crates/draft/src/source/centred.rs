//! Cells that are centred beside cells of two lines, as `pdftotext -layout` writes them: "March", "12  6
//! 18" and "column" on three lines are one row. Another row of the table shows where its columns are.

use super::{RowCell, SheetRow};
use crate::{amount, band};

/// The number of rows above and below that show the columns.
const NEAR: usize = 6;
/// The farthest that a cell may stand from its column.
const DRIFT: usize = 3;

/// Joins such lines of one strip.
pub(super) fn join(rows: &mut Vec<SheetRow>, first: usize) {
    let mut place = first;
    while place + 1 < rows.len() {
        if let Some(joined) = joined(rows, first, place) {
            rows[place] = joined;
            rows.drain(place + 1..place + 3);
        } else if let Some(score) = long_score(&rows[place], &rows[place + 1]) {
            rows[place].cells[0] = score;
            rows.remove(place + 1);
        }
        place += 1;
    }
}

/// "12 or   Stands" above "better": a score that goes on in the next line.
fn long_score(row: &SheetRow, below: &SheetRow) -> Option<RowCell> {
    let ([score, _, ..], [rest]) = (row.cells.as_slice(), below.cells.as_slice()) else {
        return None;
    };
    let open = score.text.ends_with(" or") || score.text.ends_with(['-', '–']);
    let fits = open
        && !below.gap
        && below.line == row.line + 1
        && rest.x.0.abs_diff(score.x.0) <= 1
        && !rest.text.contains(' ');
    let joined = both(score, rest);
    fits.then(|| band::whole(&joined.text))?.map(|_| joined)
}

/// The row that three lines make.
fn joined(rows: &[SheetRow], first: usize, place: usize) -> Option<SheetRow> {
    let [above, beside, below, ..] = &rows[place..] else { return None };
    let follow = !beside.gap && !below.gap && below.line <= above.line + 2;
    if !follow || above.cells.len() != below.cells.len() || above.bullet || below.bullet {
        return None;
    }
    // Lines that take turns may belong together in another way.
    let again = |row: Option<&SheetRow>| {
        row.filter(|row| is_scored(row) == is_scored(beside)).is_some_and(|row| {
            let pairs = row.cells.iter().zip(&beside.cells);
            row.cells.len() == beside.cells.len()
                && pairs.into_iter().all(|(one, two)| one.x.0.abs_diff(two.x.0) <= DRIFT)
        })
    };
    let before = place > first && is_scored(beside) && again(rows.get(place - 1));
    if before || again(rows.get(place + 3)) {
        return None;
    }
    let mut cells = Vec::new();
    for (upper, lower) in above.cells.iter().zip(&below.cells) {
        if !are_near(upper, lower) || !goes_on(&upper.text, &lower.text) {
            return None;
        }
        cells.push(both(upper, lower));
    }
    let free =
        |cell: &RowCell| cells.iter().all(|other| cell.x.1 < other.x.0 || other.x.1 < cell.x.0);
    if !beside.cells.iter().all(free) {
        return None;
    }
    cells.extend(beside.cells.iter().cloned());
    cells.sort_by_key(|cell| cell.x.0);
    let mut row = SheetRow { cells, ..above.unread_copy() };
    let before = &rows[first.max(place.saturating_sub(NEAR))..place];
    let after = &rows[place + 3..rows.len().min(place + 3 + NEAR)];
    let headed = after.first().is_some_and(|next| !next.gap && is_head_of(&row, next));
    if let Some(next) = after.first().filter(|_| headed) {
        part_words(&mut row, beside, next.cells.len());
    }
    let alike = before.iter().chain(after).any(|known| is_like(&row, known));
    (headed || alike).then_some(row)
}

/// Tells if two cells stand under each other.
fn are_near(one: &RowCell, two: &RowCell) -> bool {
    one.x.0.abs_diff(two.x.0) <= DRIFT || (one.x.0 < two.x.1 && two.x.0 < one.x.1)
}

/// Tells if a text may go on in the line below. A title and a sentence do not.
fn goes_on(upper: &str, lower: &str) -> bool {
    let shouts = crate::titles_shout(upper) && !crate::titles_shout(lower);
    !shouts && !upper.ends_with(['.', ':', ';']) && !lower.ends_with(':')
}

/// One cell of two lines.
fn both(upper: &RowCell, lower: &RowCell) -> RowCell {
    let range = upper.text.starts_with(|c: char| c.is_ascii_digit())
        && upper.text.ends_with(['-', '–'])
        && lower.text.starts_with(|c: char| c.is_ascii_digit());
    let blank = if range { "" } else { " " };
    RowCell {
        text: format!("{}{blank}{}", upper.text, lower.text),
        at: upper.at.start..lower.at.end.max(upper.at.end),
        x: (upper.x.0.min(lower.x.0), upper.x.1.max(lower.x.1)),
    }
}

/// Tells if a row starts with a score or a figure with its sign.
fn is_scored(row: &SheetRow) -> bool {
    let first = row.cells.first().map_or("", |cell| cell.text.as_str());
    band::whole(first).is_some() || amount::whole(first).is_some()
}

/// Tells if a row has the columns of another one, and cells of the same kind in them.
fn is_like(row: &SheetRow, known: &SheetRow) -> bool {
    let pairs = || row.cells.iter().zip(&known.cells);
    row.cells.len() == known.cells.len()
        && row.cells.len() >= 2
        && pairs().all(|(one, two)| are_near(one, two))
        && if is_scored(row) {
            is_scored(known)
        } else {
            row.cells.len() >= 3 && pairs().skip(1).all(|(one, two)| is_short(one) && is_short(two))
        }
}

/// Tells if a row holds the headings of the row below it, some of which may stand one blank apart.
fn is_head_of(row: &SheetRow, next: &SheetRow) -> bool {
    let words = |cell: &RowCell| cell.text.split(' ').count();
    let (Some(first), Some(last)) = (row.cells.first(), row.cells.last()) else { return false };
    let (Some(left), Some(right)) = (next.cells.first(), next.cells.last()) else { return false };
    let fits = if row.cells.len() == next.cells.len() {
        row.cells.iter().zip(&next.cells).skip(1).all(|(one, two)| are_near(one, two))
    } else {
        row.cells.iter().map(words).sum::<usize>() >= next.cells.len()
    };
    // Rows by score may hold words, if each has its heading.
    let scored = row.cells.len() == next.cells.len()
        && (crate::score_head(&first.text) || crate::dice::whole(&first.text).is_some())
        && band::whole(&left.text).is_some();
    row.cells.len() >= 3
        && next.cells.len() >= row.cells.len()
        && (scored || next.cells[1..].iter().all(is_short))
        && are_near(first, left)
        && are_near(last, right)
        && fits
}

/// Parts headings of one line that stand one blank apart, if each word is one of so many headings.
fn part_words(row: &mut SheetRow, beside: &SheetRow, columns: usize) {
    let mut cells = Vec::new();
    for cell in &row.cells {
        let raw = cell.text.chars().count() + cell.x.0 == cell.x.1;
        if !raw || !beside.cells.contains(cell) {
            cells.push(cell.clone());
            continue;
        }
        let mut byte = 0;
        for word in cell.text.split(' ') {
            let x = cell.x.0 + cell.text[..byte].chars().count();
            let start = (cell.at.start + byte).min(cell.at.end);
            let at = start..(start + word.len()).min(cell.at.end);
            let x = (x, x + word.chars().count());
            cells.push(RowCell { text: word.to_owned(), at, x });
            byte += word.len() + 1;
        }
    }
    let capitals = cells.iter().all(|cell| !cell.text.starts_with(char::is_lowercase));
    if cells.len() == columns && capitals {
        row.cells = cells;
    }
}

/// Tells if a cell holds a figure, a dash or a code.
fn is_short(cell: &RowCell) -> bool {
    let text = cell.text.as_str();
    let code = text.chars().count() <= 3 && text == text.to_uppercase();
    code || (text.chars().count() <= 8 && text.contains(|c: char| c.is_ascii_digit()))
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
    fn names_of_two_lines() {
        let text = "                            About\n  Order    Open Road Wood\n                            Face\nLine       8    9     4     2\nAttack\n           6    8     3     4\ncolumn\nScreen     9    9     8     0\n";
        assert_eq!(
            rows(text),
            [
                "Order | Open | Road | Wood | About Face",
                "Line | 8 | 9 | 4 | 2",
                "Attack column | 6 | 8 | 3 | 4",
                "Screen | 9 | 9 | 8 | 0"
            ]
        );
    }

    #[test]
    fn scores_and_texts_of_two_lines() {
        let text = "Score     Result\n          Flees to the rear of\n2 or less\n          the field\n3-7       Halts\n8 or\n          Carries on\nmore\n";
        assert_eq!(
            rows(text),
            [
                "Score | Result",
                "2 or less | Flees to the rear of the field",
                "3-7 | Halts",
                "8 or more | Carries on"
            ]
        );
    }

    #[test]
    fn a_score_that_goes_on_below() {
        let text = "12 or      Frenzy\nbetter\n8-11       Firm\n7 or less  Runs\n";
        assert_eq!(rows(text), ["12 or better | Frenzy", "8-11 | Firm", "7 or less | Runs"]);
    }

    #[test]
    fn lines_that_take_turns_stay_apart() {
        let text =
            "+1      Close range\n        In cover\n-1\n        Long range\n-2\n        Moving\n";
        assert_eq!(rows(text)[1..], ["In cover", "-1", "Long range", "-2", "Moving"]);
    }

    #[test]
    fn a_group_above_its_rows_stays_alone() {
        let text = "MOVES\n           Road  Open\nFoot\nLine       8     6\nColumn     9     7\n";
        assert_eq!(rows(text)[0], "MOVES");
        assert_eq!(rows(text)[2], "Foot");
    }
}
