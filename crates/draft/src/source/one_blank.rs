//! Tables whose columns stand one blank apart, as OCR and viewers write them: "Ship Close hauled Beam
//! reach" above "Two decker 4 7". Rows show how many columns there are; capitals show where the words of
//! a column start.

use super::SheetRow;
use super::viewer::{CellPart, Made};
use crate::{band, dice};

/// The longest table that is put together.
const LONGEST: usize = 60;

/// From and to, in words of a line.
type Words = (usize, usize);

/// Reads a heading and the rows below it. A blank line may stand between them.
pub(super) fn table(rows: &[SheetRow]) -> Option<Made> {
    let head = line(rows, 0)?;
    let heads: Vec<&str> = head.split(' ').collect();
    if !(3..=24).contains(&heads.len()) || heads.iter().any(|word| word.ends_with(['.', ';'])) {
        return None;
    }
    // "short (to 8in) 4+" is one name and its number.
    let open = |word: &&str| word.starts_with('(') && !word.ends_with(')');
    if heads.iter().any(open) {
        return None;
    }
    // "roll d10, need" announces the rows below it.
    if heads[0].eq_ignore_ascii_case("roll") && dice::roll_line(head).is_some() {
        return None;
    }
    grid(rows, &heads).or_else(|| texts(rows, &heads))
}

/// The headings of a line that has one cell, parted at capitals.
pub(super) fn heads(row: &SheetRow, at: usize) -> Vec<CellPart> {
    let text = row.cells.first().map_or("", |cell| cell.text.as_str());
    let words: Vec<&str> = text.split(' ').collect();
    parts(at, by_capitals(&words, 0))
}

/// The text of a line that has one cell.
fn line(rows: &[SheetRow], at: usize) -> Option<&str> {
    let row = rows.get(at)?;
    let plain = row.table.is_none() && !row.head && !row.furniture && !row.bullet;
    match row.cells.as_slice() {
        [only] if plain && row.strip == rows[0].strip => Some(only.text.as_str()),
        _ => None,
    }
}

/// A name or a score, and then figures or codes.
fn grid(rows: &[SheetRow], heads: &[&str]) -> Option<Made> {
    let first = values_of(line(rows, 1)?)?;
    let columns = first.len();
    if is_data(heads) {
        return None;
    }
    // A stray sign in the first row must not count as a column.
    let stray = columns > 3 && line(rows, 1)?.contains(" = ");
    let columns = columns - usize::from(stray);
    if columns < 3 {
        return None;
    }
    let groups = head_groups(heads, columns).or_else(|| without_corner(rows, heads, columns))?;
    let mut made = Made { rows: vec![parts(0, groups)], ..Made::default() };
    while made.rows.len() < LONGEST
        && let Some(text) = line(rows, made.rows.len())
        && let Some(row) = values_of(text)
            .filter(|row| row.len() == columns)
            .or_else(|| with_word(text).filter(|row| row.len() == columns))
            .or_else(|| from_the_end(text, columns))
            .or_else(|| {
                let row = values_of(text).filter(|row| row.len() + 1 == columns)?;
                is_short(text, &row, made.rows.len()).then_some(row)
            })
    {
        let words: Vec<&str> = text.split(' ').collect();
        let odd = row.len() < columns
            || row[1..].iter().any(|(from, _)| !is_sure(words[*from]))
            || words[row[0].0..row[0].1].contains(&"=");
        if odd {
            made.parted.push(made.rows.len());
        }
        made.rows.push(parts(made.rows.len(), row));
    }
    made.taken = made.rows.len();
    (made.taken >= 3).then_some(made)
}

/// A row whose last cell may be blank. Which cell it is cannot be seen, so the row is marked.
fn is_short(text: &str, row: &[Words], rows: usize) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let signed = |(from, _): &Words| words[*from].starts_with(['+', '-', '–', '−']);
    let signs = row[1..].iter().filter(|cell| signed(cell)).count();
    // "Enemy within 12" -1" is a modifier.
    let modifier = signs > 0 && signs + 1 < row.len();
    row.len() >= 3 && rows >= 4 && !modifier && !words.contains(&"=")
}

/// A score, and then as many texts as there are headings, each with a capital.
fn texts(rows: &[SheetRow], heads: &[&str]) -> Option<Made> {
    let scored = dice::whole(heads[0]).is_some_and(|dice| dice.named)
        || dice::mended(heads[0]).is_some()
        || crate::score_head(heads[0]);
    let groups = by_capitals(heads, 0);
    if !scored || !(3..=5).contains(&groups.len()) {
        return None;
    }
    let columns = groups.len();
    let mut made = Made { rows: vec![parts(0, groups)], ..Made::default() };
    while made.rows.len() < LONGEST
        && let Some(text) = line(rows, made.rows.len())
    {
        let words: Vec<&str> = text.split(' ').collect();
        let read = band::repaired(words[0]);
        if band::whole(read.as_deref().unwrap_or(words[0])).is_none() || words.len() < columns {
            break;
        }
        let mut row = vec![(0, 1)];
        row.extend(by_capitals(&words, 1));
        if row.len() != columns {
            row.truncate(1);
            row.extend(by_letters(&words, 1));
        }
        if row.len() != columns {
            // A row that cannot be parted makes all of them doubtful.
            return None;
        }
        made.parted.push(made.rows.len());
        made.rows.push(parts(made.rows.len(), row));
    }
    made.taken = made.rows.len();
    (made.taken >= 4).then_some(made)
}

fn parts(row: usize, words: Vec<Words>) -> Vec<CellPart> {
    words.into_iter().map(|words| CellPart { row, words: Some(words) }).collect()
}

/// Headings that are figures themselves are a row of the table.
fn is_data(heads: &[&str]) -> bool {
    const CORNERS: [&str; 16] = [
        "weapon", "weapons", "gun", "guns", "target", "unit", "troop", "troops", "type", "range",
        "ship", "vehicle", "class", "terrain", "team", "piece",
    ];
    if CORNERS.contains(&heads[0].to_lowercase().as_str()) {
        return false;
    }
    // "Magazine rifle 4 6 8"
    let figures = heads.iter().rev().take_while(|word| word.parse::<u32>().is_ok()).count();
    let named = heads[0].chars().any(char::is_alphabetic) && !crate::score_head(heads[0]);
    if figures >= 2 && named && figures < heads.len() {
        return true;
    }
    heads[1..].iter().all(|word| is_value(word))
        && heads[0].chars().any(char::is_alphabetic)
        && !crate::score_head(heads[0])
        && heads[1..].iter().any(|word| !word.contains('-'))
}

/// The headings, if they can be parted into so many: at capitals and at ranges, or word by word.
fn head_groups(heads: &[&str], columns: usize) -> Option<Vec<Words>> {
    let groups = by_capitals(heads, 0);
    if groups.len() == columns {
        return Some(groups);
    }
    let groups = with_units(heads, groups);
    if groups.len() == columns {
        return Some(groups);
    }
    (heads.len() == columns).then(|| (0..columns).map(|at| (at, at + 1)).collect())
}

/// Headings of one word each, and none for the names: "Open Scrub Rocky" above "Mule train 5 4 3". Three
/// rows have to show that.
fn without_corner(rows: &[SheetRow], heads: &[&str], columns: usize) -> Option<Vec<Words>> {
    let groups = by_capitals(heads, 0);
    let each = groups.len() == heads.len() && heads.len() + 1 == columns;
    let named = |at: usize| {
        let text = line(rows, at)?;
        let name = values_of(text).filter(|row| row.len() == columns)?[0];
        let first = text.split(' ').nth(name.0)?;
        (first.len() >= 3 && first.chars().all(char::is_alphabetic)).then_some(())
    };
    let fits = each && columns >= 4 && (1..=3).all(|at| named(at).is_some());
    fits.then(|| [vec![(0, 0)], groups].concat())
}

/// The groups with a unit that stands behind several headings: "Infantry MP Motorised MP".
fn with_units(heads: &[&str], groups: Vec<Words>) -> Vec<Words> {
    let unit = |(from, to): &Words| {
        let word = heads[*from];
        *to == from + 1
            && word.len() <= 3
            && word.chars().all(|c| c.is_ascii_uppercase())
            && heads.iter().filter(|other| **other == word).count() >= 2
    };
    let mut joined: Vec<Words> = Vec::new();
    for (place, group) in groups.into_iter().enumerate() {
        match joined.last_mut() {
            Some(last) if place > 1 && unit(&group) => last.1 = group.1,
            _ => joined.push(group),
        }
    }
    joined
}

/// Groups of words that start with a capital or a figure. A unit belongs to the figure before it.
fn by_capitals(words: &[&str], from: usize) -> Vec<Words> {
    let mut groups: Vec<Words> = Vec::new();
    for (at, word) in words.iter().enumerate().skip(from) {
        let figure = word.starts_with(|c: char| c.is_ascii_digit() || "<>≤≥".contains(c));
        let starts = word.starts_with(char::is_uppercase) || figure;
        match groups.last_mut() {
            Some(last) if !starts => last.1 = at + 1,
            _ => groups.push((at, at + 1)),
        }
    }
    groups
}

/// Groups of words that start with a capital. A figure belongs to the words before it, and a sign that OCR
/// saw between two columns to none.
fn by_letters(words: &[&str], from: usize) -> Vec<Words> {
    let mut groups: Vec<Words> = Vec::new();
    for (at, word) in words.iter().enumerate().skip(from) {
        match groups.last_mut() {
            Some(last) if !word.starts_with(char::is_uppercase) => {
                last.1 = if *word == "=" { last.1 } else { at + 1 };
            }
            _ => groups.push((at, at + 1)),
        }
    }
    groups
}

/// The words of a name and of its values, each from and to. A row of figures alone has no name.
fn values_of(text: &str) -> Option<Vec<Words>> {
    let words: Vec<&str> = text.split(' ').collect();
    if !(3..=24).contains(&words.len()) {
        return None;
    }
    if words.iter().all(|word| is_value(word)) {
        return Some((0..words.len()).map(|at| (at, at + 1)).collect());
    }
    // "12 pounder": a figure may start the name.
    let named = words.iter().position(|word| word.chars().any(char::is_lowercase))?;
    let named = if words[0].starts_with(char::is_uppercase) { 0 } else { named };
    let first = (named + 1..words.len()).find(|at| is_value(words[*at]))?;
    let mut values = vec![(0, first)];
    for (at, word) in words.iter().enumerate().skip(first) {
        match values.last_mut() {
            // A unit after its figure: "2 turns".
            Some(last) if !is_value(word) && at > first && is_figure(words[last.0], *last) => {
                last.1 = at + 1;
            }
            _ if is_value(word) => values.push((at, at + 1)),
            _ => return None,
        }
    }
    Some(values)
}

/// The same where the last cell is a word: "Raise the fallen 11+ 6" game".
fn with_word(text: &str) -> Option<Vec<Words>> {
    let (start, _) = text.rsplit_once(' ')?;
    let count = start.split(' ').count();
    let mut values = values_of(start)?;
    values.push((count, count + 1));
    Some(values)
}

/// The same with one cell that OCR spoilt: "Bondi Tin 3 in 3 in". The cells are counted from the end.
fn from_the_end(text: &str, columns: usize) -> Option<Vec<Words>> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut groups: Vec<Words> = Vec::new();
    let (mut end, mut odd) = (words.len(), 0);
    while groups.len() + 1 < columns {
        let last = end.checked_sub(1).filter(|last| *last > 0)?;
        let unit = !is_value(words[last]) && is_figure(words[last - 1], (last - 1, last));
        let start = if unit && last > 1 { last - 1 } else { last };
        if !is_value(words[start]) {
            odd += if words[start].chars().count() <= 3 { 1 } else { 2 };
        }
        groups.push((start, end));
        end = start;
    }
    // A stray sign between the name and its figures.
    let name = if words[..end].last() == Some(&"=") { end - 1 } else { end };
    groups.push((0, name));
    groups.reverse();
    let named = words[..name].iter().all(|word| word.chars().any(char::is_alphabetic));
    (odd <= 1 && name >= 1 && named).then_some(groups)
}

fn is_figure(word: &str, (from, to): Words) -> bool {
    to == from + 1 && word.chars().all(|c| c.is_ascii_digit())
}

/// Tells if a word can stand in a cell: a figure, a dash, `4+`, a short code.
fn is_value(word: &str) -> bool {
    let word = word.trim_end_matches('~');
    let short = word.chars().count() <= 4;
    let code = short && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    is_sure(word)
        || code
        || (short && word.ends_with('+'))
        || ["none", "no", "No", "x", "=", "na", "n/a"].contains(&word)
        || is_misread_code(word)
        || band::repaired(word).is_some_and(|read| is_sure(&read))
}

/// Writes "A1" for "Al" in a table that has a code such as "A2", and marks the row.
pub(super) fn mend_codes(rows: &mut [SheetRow]) {
    let letters: Vec<char> = rows
        .iter()
        .flat_map(|row| &row.cells)
        .filter_map(|cell| match cell.text.as_bytes() {
            [letter, digit] if digit.is_ascii_digit() => Some(char::from(*letter)),
            _ => None,
        })
        .collect();
    for row in rows {
        for cell in row.cells.iter_mut().filter(|cell| is_misread_code(&cell.text)) {
            if let Some(letter) = cell.text.chars().next().filter(|c| letters.contains(c)) {
                cell.text = format!("{letter}1");
                row.parted = true;
            }
        }
    }
}

/// A code whose figure OCR took for a letter: "Al" for "A1".
fn is_misread_code(word: &str) -> bool {
    let mut chars = word.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_uppercase());
    letter && matches!((chars.next(), chars.next()), (Some('l' | 'I'), None))
}

/// Tells if a word is a figure, a dash or a code beyond doubt.
fn is_sure(word: &str) -> bool {
    let bare = word.trim_start_matches(['+', '-', '–', '—', '−', '<', '>']);
    let figure = bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.chars().filter(|c| c.is_alphabetic()).count() <= 2;
    let code = word.chars().all(|c| c.is_ascii_uppercase()) && word.len() <= 2;
    figure || ["-", "–", "—", "−", "none"].contains(&word) || code
}
