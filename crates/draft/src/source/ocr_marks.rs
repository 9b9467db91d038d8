//! Bullets that OCR took for letters and signs: "e +1 die: target is near", "¢ Stunned: -3". Rules
//! between headings that it took for bars: "Weapon Close | Effective | Long" above "Jezail 6 7 8".

use super::SheetRow;
use super::gutter::PageLine;

/// Signs that OCR makes of bullets and that start no line otherwise.
const SIGNS: [&str; 6] = ["¢ ", "« ", "» ", "© ", "® ", "@ "];
/// A letter that OCR makes of them, too.
const LETTER: &str = "e ";
/// So many lines with such marks are a list.
const LEAST: usize = 3;
/// The farthest that lines of one list may be apart.
const NEAR: usize = 8;

/// Takes such marks off where several lines near each other have them.
pub(super) fn remove(rows: &mut [SheetRow]) {
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

/// Tells if the mark at the start of a line is a sign; none if no such mark is there.
fn mark(row: &SheetRow) -> Option<bool> {
    let text = &row.cells.first()?.text;
    let sign = SIGNS.iter().any(|mark| text.starts_with(mark));
    let rest = text.split_once(' ')?.1;
    let starts = rest.starts_with(|c: char| c.is_alphanumeric() || "+-–−".contains(c));
    (starts && row.table.is_none() && (sign || text.starts_with(LETTER))).then_some(sign)
}

/// Takes bars out of a line of headings if the lines below it have none and are one cell each: there, bars
/// tell nothing that their rows tell, too.
pub(super) fn drop_bars(page: &mut [PageLine]) {
    let shown = |line: &PageLine| line.chars.iter().map(|(_, c)| *c).collect::<String>();
    for place in 0..page.len() {
        let head = shown(&page[place]);
        let bars = head.matches(" | ").count();
        if bars < 2 || head.contains("  ") || head.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let mut below = page[place + 1..].iter().map(shown).filter(|line| !line.trim().is_empty());
        // A name, and a value for each heading.
        let is_row = |line: String| {
            let words: Vec<&str> = line.split(' ').collect();
            let figures = words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit()));
            !line.contains('|')
                && !line.contains("  ")
                && words.len() > bars
                && figures.count() >= 2
        };
        if !(0..2).all(|_| below.next().is_some_and(is_row)) {
            continue;
        }
        let chars = &mut page[place].chars;
        let bar = |chars: &[(usize, char)]| {
            chars.windows(2).position(|pair| pair[0].1 == '|' && pair[1].1 == ' ')
        };
        while let Some(at) = bar(chars) {
            chars.drain(at..at + 2);
        }
    }
}
