//! Marks of notes in cells: `DR(2)` in a table with a note "(2) The defender retreats two hexes." below
//! it. The mark is taken off the cell; the note stays as it is.

use crate::source::SheetRow;
use std::collections::BTreeSet;

/// The rows without marks in their cells; none if the sheet has no such notes.
pub(crate) fn removed(rows: &[SheetRow]) -> Option<Vec<SheetRow>> {
    let marks: BTreeSet<&str> = rows.iter().filter_map(mark_of_note).collect();
    if marks.is_empty() {
        return None;
    }
    let mut changed = rows.iter().map(SheetRow::unread_copy).collect::<Vec<_>>();
    for row in changed.iter_mut().filter(|row| row.filled().len() >= 3) {
        for cell in row.cells.iter_mut().skip(1) {
            let kept = unmarked(&cell.text, &marks).map(str::len);
            if let Some(kept) = kept {
                cell.text.truncate(kept);
            }
        }
    }
    Some(changed)
}

/// "(1)" of "(1) The attacker loses one step more."
fn mark_of_note(row: &SheetRow) -> Option<&str> {
    let first = &row.filled().first()?.text;
    let end = first.find([')', ']'])? + 1;
    let (mark, note) = first.split_at(end);
    let inside = mark.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let short = inside.len() == 1 && inside.chars().all(|c| c.is_ascii_alphanumeric());
    let words = note.split_whitespace().count() >= 2 || (note.is_empty() && row.filled().len() > 1);
    (short && words && row.filled().len() <= 2).then_some(mark)
}

fn unmarked<'t>(text: &'t str, marks: &BTreeSet<&str>) -> Option<&'t str> {
    let open = text.rfind(['(', '['])?;
    let kept = text.get(..open)?.trim_end();
    (marks.contains(text.get(open..)?) && !kept.is_empty()).then_some(kept)
}
