//! Words and what they mean: `WORD – text`, `WORD: text`, `AE = text`.

use super::{Context, Taken, titles};
use crate::dice::{self, RollLine};
use crate::model::{Content, Definition, PrintedCell};
use crate::source::SheetRow;
use crate::token::tokens;
use crate::{amount, band};

/// The marks between a word and its meaning.
const MARKS: [&str; 5] = [" = ", " – ", " — ", " - ", ": "];

pub(crate) fn read(rows: &[SheetRow], context: &Context) -> Option<Taken> {
    if let Some(taken) = keys(rows) {
        return Some(taken);
    }
    let (first, mark) = of_row(&rows[0], None)?;
    let mut list = vec![first];
    let mut taken = 1;
    while let Some(row) = rows.get(taken) {
        if row.head || row.furniture {
            break;
        }
        if let Some((next, _)) = of_row(row, Some(mark)) {
            list.push(next);
        } else if goes_on(row, &list) {
            if let Some(last) = list.last_mut() {
                last.text = format!("{} {}", last.text, row.text());
            }
        } else {
            break;
        }
        taken += 1;
    }
    let enough = list.len() >= 2 || context.forced;
    enough.then_some((Content::Definitions(list), taken))
}

/// A word and its meaning, and the mark between them.
fn of_row(row: &SheetRow, wanted: Option<&'static str>) -> Option<(Definition, &'static str)> {
    let cells = row.filled();
    let line = row.line;
    if let [term, meaning] = cells.as_slice()
        && wanted.is_none_or(|mark| mark == "  ")
        && is_term(&term.text)
        && meaning.text.split_whitespace().count() >= 4
        && band::whole(&term.text).is_none()
    {
        let term = PrintedCell {
            text: term.text.trim_end_matches([':', '=', '-', '–']).trim().to_owned(),
            at: term.at.clone(),
        };
        return Some((Definition { term, text: meaning.text.clone(), line }, "  "));
    }
    let [only] = cells.as_slice() else { return None };
    // "Figure: 2d6 against Rep" says what is rolled.
    let rolls =
        |line: &RollLine| line.dice.is_some() && (line.test.is_some() || line.per.is_some());
    if dice::roll_line(&only.text).is_some_and(|line| rolls(&line) && line.who.is_some()) {
        return None;
    }
    let marks: Vec<&'static str> = match wanted {
        Some(mark) => MARKS.iter().filter(|known| same(known, mark)).copied().collect(),
        None => MARKS.to_vec(),
    };
    for mark in marks {
        let Some(at) = only.text.find(mark) else { continue };
        let (term, text) = (&only.text[..at], only.text[at + mark.len()..].trim());
        let least = if mark == " = " { 1 } else { 4 };
        if !is_term(term)
            || is_rule(text)
            || titles::announces_modifiers(&format!("{term}:"))
            || text.split_whitespace().count() < least
            || amount::whole(text).is_some()
        {
            continue;
        }
        let term =
            PrintedCell { text: term.trim().to_owned(), at: only.at.start..only.at.start + at };
        return Some((Definition { term, text: text.to_owned(), line }, mark));
    }
    None
}

/// "To hit: roll 1d6 per model. Regulars hit on 4+, veterans on 3+" is no explanation of a word.
fn is_rule(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    let rolls = ["roll", "throw"].contains(&first.as_str());
    let per = || dice::roll_line(text).is_some_and(|line| line.per.is_some());
    super::prose::has_targets(text) || (rolls && per())
}

fn same(one: &str, other: &str) -> bool {
    one == other
        || (one.trim().chars().all(|c| "-–—".contains(c))
            && other.trim().chars().all(|c| "-–—".contains(c)))
}

fn is_term(text: &str) -> bool {
    let text = text.trim();
    let words = text.split_whitespace().count();
    (1..=4).contains(&words)
        && text.chars().count() <= 40
        && text
            .chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || c == '*' || c == '†')
        && text.chars().any(|c| c.is_alphanumeric())
        && band::prefix(&tokens(text)).is_none()
        && amount::leading(text).is_none()
        && !["note", "notes", "example", "source", "hint", "result", "results"]
            .contains(&text.to_lowercase().as_str())
}

/// The rest of a meaning. A blank line inside it is a page break or a wrapped scan.
fn goes_on(row: &SheetRow, list: &[Definition]) -> bool {
    let text = row.text();
    let open =
        list.last().is_some_and(|last| !last.text.trim_end().ends_with(['.', '!', ')', ';']));
    let lower = text.chars().next().is_some_and(char::is_lowercase);
    if row.gap {
        return open && lower;
    }
    (open || lower) && row.filled().len() == 1 && !titles::is_short_name(&text) || (open && lower)
}

/// Several codes on one line: "D = disrupted, E = eliminated; – = no effect".
fn keys(rows: &[SheetRow]) -> Option<Taken> {
    let row = &rows[0];
    let text = row.text();
    if text.matches('=').count() < 2 {
        return None;
    }
    let mut list = Vec::new();
    for part in text.split([';', ',']) {
        let (term, meaning) = part.split_once('=')?;
        let term = term.trim().rsplit(':').next().unwrap_or("").trim();
        if term.is_empty() || term.split_whitespace().count() > 3 || meaning.trim().is_empty() {
            return None;
        }
        list.push(Definition {
            term: PrintedCell { text: term.to_owned(), at: row.at() },
            text: meaning.trim().to_owned(),
            line: row.line,
        });
    }
    (list.len() >= 2).then_some((Content::Definitions(list), 1))
}
