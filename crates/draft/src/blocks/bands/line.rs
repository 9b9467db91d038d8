//! The band of one row, also where OCR or a spreadsheet spoilt it.

use crate::band::{self, Band};
use crate::model::GuessKind;
use crate::num::Num;
use crate::source::{RowCell, SheetRow};
use crate::token::{Token, tokens};

/// The band of a row, and where the words start if they share its first cell.
pub(crate) fn of_row(row: &SheetRow) -> Option<(Band, Option<usize>, bool)> {
    *row.readings.band.get_or_init(|| read(row))
}

fn read(row: &SheetRow) -> Option<(Band, Option<usize>, bool)> {
    let filled = row.filled();
    let first = *filled.first()?;
    // "9 or more → Damage" says what follows a row. "12 ormore" is mended.
    if row.text().contains('→') || unglued(&first.text).is_some() {
        return None;
    }
    if row.table.is_some()
        && row.cells.first().is_some_and(|c| c.text.is_empty())
        && row.cells.len() > 1
    {
        return None;
    }
    if filled.len() > 1 {
        let cell = first.text.as_str();
        // A label before its band in brackets: "A tie (0 or less)".
        let band = band::whole(cell)
            .or_else(|| passes(cell))
            .or_else(|| score_word(cell).map(|(_, band)| band))
            .or_else(|| difference_cell(cell))
            .or_else(|| bracketed(cell).filter(|b| !b.is_single()))?;
        let numbered = band.is_single() && cell.ends_with(['.', ')']);
        return Some((band, None, numbered));
    }
    let tokens = tokens(&first.text);
    if let Some((at, band)) = difference(&tokens) {
        return Some((band, Some(tokens[at - 1].end), false));
    }
    let at = band::prefix(&tokens)?;
    let next = tokens.get(at.next)?;
    let letters = tokens[at.next..].iter().any(|t| t.word().is_some());
    let unit = next.is_any(&[
        "d", "st", "nd", "rd", "th", "x", "cm", "mm", "inches", "inch", "points", "turns", "hexes",
        "figures", "or", "and", "in", "of", "to", "per", "phase", "failure", "failures", "fails",
    ]);
    // "2-3 To its left flank" starts a text.
    let text = next.is_any(&["in", "to", "of"])
        && next.word().is_some_and(|word| word.starts_with(char::is_uppercase))
        && tokens.get(at.next + 1).is_some_and(|t| t.word().is_some_and(|w| w == w.to_lowercase()));
    let unit = unit && !text;
    let glued = next.start == tokens[at.next - 1].end && next.word().is_some();
    if !letters || unit || glued || next.sign('/') || next.sign('(') && tokens.len() < at.next + 3 {
        return None;
    }
    let numbered = next.sign('.') || next.sign(')');
    // "2. 5-6 sheers off": the items of a list are numbered, and each is a row.
    if numbered
        && at.band.is_single()
        && let Some(own) = tokens.get(at.next + 1..).and_then(band::prefix)
        && tokens.get(at.next + 1 + own.next).is_some_and(|t| t.word().is_some_and(|w| w.len() > 2))
    {
        return Some((own.band, Some(tokens[at.next + own.next].end), false));
    }
    Some((at.band, Some(tokens[at.next - 1].end), numbered))
}

/// "1 passed, two to one or more" and "1 passed, otherwise" in the first of several cells: the band, and
/// the condition if it is one.
pub(crate) fn conditional(row: &SheetRow) -> Option<(Band, Option<String>)> {
    let filled = row.filled();
    let first = filled.first().filter(|_| filled.len() > 1)?;
    let tokens = tokens(&first.text);
    let at = band::prefix(&tokens)?;
    let unit = tokens.get(at.next)?.is_any(&["passed", "passes", "hits", "successes"]);
    let comma = at.next + usize::from(unit);
    tokens.get(comma).filter(|t| t.sign(','))?;
    let text = crate::token::rest(&first.text, tokens[comma].end);
    let words = text.split_whitespace().filter(|w| w.chars().any(char::is_alphabetic)).count();
    if text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("otherwise")) {
        Some((at.band, None))
    } else {
        (words >= 2).then_some((at.band, Some(text)))
    }
}

/// "Win by 1-2: pushed back": the band of a difference before a colon, and where the words start. A tie
/// is a difference of 0.
pub(crate) fn difference(tokens: &[Token]) -> Option<(usize, Band)> {
    let first = tokens.first()?;
    let named =
        first.is_any(&["win", "wins", "won", "lose", "loses", "lost", "beaten", "difference"]);
    let from = 1 + usize::from(tokens.get(1)?.is_any(&["by", "of"]));
    if named && from == 2 {
        let at = band::prefix(&tokens[from..])?;
        let next = from + at.next;
        return tokens.get(next)?.sign(':').then_some((next + 1, at.band));
    }
    let tie = first.is_any(&["draw", "tie", "tied", "equal"]) && tokens.get(1)?.sign(':');
    (tie && tokens.len() > 2).then(|| (2, Band::exactly(Num::whole(0))))
}

/// "Win by 1-2" in the first of several cells.
fn difference_cell(cell: &str) -> Option<Band> {
    let line = format!("{cell}: -");
    difference(&tokens(&line))
        .map(|(_, band)| band)
        .filter(|band| band.low() != Some(Num::whole(0)))
}

/// "Tie" in the first of several cells, beside a row such as "Win by 1-2".
pub(crate) fn tied(rows: &[SheetRow], place: usize) -> Option<Band> {
    let first = |row: &SheetRow| {
        let filled = row.filled();
        filled.first().filter(|_| filled.len() > 1).map(|cell| cell.text.clone())
    };
    let beside = [place.checked_sub(1), Some(place + 1)];
    let won =
        |at: usize| rows.get(at).and_then(first).is_some_and(|c| difference_cell(&c).is_some());
    let (_, band) = difference(&tokens(&format!("{}: -", first(&rows[place])?)))?;
    beside.into_iter().flatten().any(won).then_some(band)
}

/// "Win by" of "Win by 1-2: pushed back".
pub(crate) fn difference_word(row: &SheetRow) -> Option<String> {
    let filled = row.filled();
    let text = match filled.as_slice() {
        [only] => only.text.clone(),
        [first, ..] => format!("{}: -", first.text),
        [] => return None,
    };
    let tokens = tokens(&text);
    let (_, band) = difference(&tokens)?;
    (band != Band::exactly(Num::whole(0)))
        .then(|| text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// A band after the word for the score: "DIE 1", "Roll 2-3".
pub(crate) fn score_word(cell: &str) -> Option<(String, Band)> {
    let (word, rest) = cell.trim().split_once(' ')?;
    let word = word.trim_end_matches(':');
    let scores = ["die", "dice", "roll", "score", "total", "dr"];
    let band =
        scores.contains(&word.to_lowercase().as_str()).then(|| band::whole(rest.trim()))??;
    Some((word.to_owned(), band))
}

/// A band in brackets after a label: "A tie (0 or less)".
fn bracketed(cell: &str) -> Option<Band> {
    let open = cell.strip_suffix(')')?.rfind('(').filter(|at| *at > 0)?;
    band::whole(&cell[open + 1..cell.len() - 1])
}

/// One score in brackets, between rows with bands in brackets: "Both the same (0)".
pub(crate) fn single_bracketed(row: &SheetRow, last: Option<&SheetRow>) -> Option<Band> {
    let filled = row.filled();
    let above = last?.filled();
    let first = |cells: &[&RowCell]| cells.first().and_then(|c| bracketed(&c.text));
    first(&above)?;
    (filled.len() > 1).then(|| first(&filled)).flatten()
}

/// "Pass 2D6", "2 passed"
fn passes(text: &str) -> Option<Band> {
    let tokens = tokens(text);
    let first = tokens.first()?;
    if first.is_any(&["pass", "passed", "passes"]) {
        let n = tokens.get(1)?.num()?;
        let rest: &[Token] = &tokens[2..];
        return (rest.is_empty() || rest[0].is("d")).then_some(Band::exactly(n));
    }
    None
}

/// A row whose band OCR or a spreadsheet spoilt.
pub(crate) fn mended(row: &SheetRow) -> Option<Mended> {
    row.readings.mended.get_or_init(|| read_mended(row)).clone()
}

/// Tells if a band was spoilt and can be mended.
pub(crate) fn is_mended(row: &SheetRow) -> bool {
    row.readings.mended.get_or_init(|| read_mended(row)).is_some()
}

/// The band, where the words start if they share its cell, whether it is numbered, and what was mended.
pub(crate) type Mended = (Band, Option<usize>, bool, Option<GuessKind>);

fn read_mended(row: &SheetRow) -> Option<Mended> {
    let filled = row.filled();
    let first = *filled.first()?;
    if let Some(text) = unglued(&first.text) {
        let mut changed = row.unread_copy();
        changed.cells.iter_mut().find(|cell| cell.at == first.at)?.text = text.clone();
        let (band, words, numbered) = of_row(&changed)?;
        let read = crate::token::before(&text, words.unwrap_or(text.chars().count()));
        // The words are looked up in the printed text.
        let lost = text.chars().count() as isize - first.text.chars().count() as isize;
        let words = words.map(|from| from.saturating_add_signed(-lost));
        return Some((band, words, numbered, Some(GuessKind::Repaired { read })));
    }
    if filled.len() < 2 {
        // Band and words share the cell: only its first word is mended.
        let read = band::repaired(first.text.split(' ').next()?)?;
        let (_, words) = first.text.split_once(' ')?;
        let mut changed = row.unread_copy();
        let cell = changed.cells.iter_mut().find(|c| c.at == first.at)?;
        cell.text = format!("{read} {words}");
        let (band, _, numbered) = of_row(&changed)?;
        let from = tokens(&cell_text(&changed))
            .get(band::prefix(&tokens(&cell_text(&changed)))?.next - 1)?
            .end;
        return Some((band, Some(from), numbered, Some(GuessKind::Repaired { read })));
    }
    if let Some(band) = date(&first.text) {
        let read = format!("{}-{}", band.low()?, band.high()?);
        return Some((band, None, false, Some(GuessKind::Date { read })));
    }
    let read = band::repaired(&first.text)?;
    let band = band::whole(&read)?;
    let numbered = band.is_single() && read.ends_with(['.', ')']);
    Some((band, None, numbered, Some(GuessKind::Repaired { read })))
}

/// "12 ormore", "Oorless": a score with the blank that OCR lost. None if no blank is lost.
fn unglued(text: &str) -> Option<String> {
    const ENDS: [(&str, &str); 10] = [
        ("ormore", "or more"),
        ("orless", "or less"),
        ("orfewer", "or fewer"),
        ("orhigher", "or higher"),
        ("orlower", "or lower"),
        ("orbetter", "or better"),
        ("0rmore", "or more"),
        ("0rless", "or less"),
        ("andover", "and over"),
        ("andup", "and up"),
    ];
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let at =
        words.iter().take(2).position(|word| ENDS.iter().any(|(end, _)| word.ends_with(end)))?;
    let (end, read) = ENDS.iter().find(|(end, _)| words[at].ends_with(end))?;
    let number = words[at].strip_suffix(end)?.to_owned();
    words[at] = match (at, number.as_str()) {
        (0, number) => {
            let digits = band::repaired(number).unwrap_or_else(|| number.to_owned());
            digits.parse::<i32>().ok()?;
            format!("{digits} {read}")
        }
        (_, "") => (*read).to_owned(),
        _ => return None,
    };
    Some(words.join(" "))
}

fn cell_text(row: &SheetRow) -> String {
    row.filled().first().map(|c| c.text.clone()).unwrap_or_default()
}

/// A band that a spreadsheet took for a date: `4-Feb`, `02-Apr`, `Feb-4`.
fn date(text: &str) -> Option<Band> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let tokens = tokens(text);
    let [first, dash, second] = tokens.as_slice() else { return None };
    (dash.sign('-') || dash.sign('/') || dash.sign('.')).then_some(())?;
    let month = |t: &Token| MONTHS.iter().position(|m| t.is(m)).map(|m| m as i32 + 1);
    let day = |t: &Token| t.num().and_then(Num::as_whole).filter(|n| (1..=31).contains(n));
    let (a, b) = match (month(first), month(second)) {
        (Some(m), None) => (m, day(second)?),
        (None, Some(m)) => (day(first)?, m),
        _ => return None,
    };
    Some(Band::between(Num::whole(a.min(b)), Num::whole(a.max(b))))
}
