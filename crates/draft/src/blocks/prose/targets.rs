//! Numbers that dice must reach, in a sentence: "Bold 4+, Steady 5+", "4+ at short range, 5+ at long".

use super::sentences;
use crate::band;
use crate::model::{GridRow, PrintedCell, WordTable};
use crate::token::{before, rest, tokens};
use std::ops::Range;

/// Words between a name and its number.
const JOINTS: [&str; 10] =
    ["on", "need", "needs", "hit", "hits", "save", "saves", "at", "require", "requires"];

/// Words between a number and what it is for.
const PURPOSES: [&str; 8] = ["at", "for", "against", "vs", "versus", "in", "if", "when"];

/// The names and numbers of the first sentence that lists them, as a table.
pub(super) fn in_sentences(text: &str, at: &Range<usize>, line: u32) -> Option<WordTable> {
    let cell = |text: &str| PrintedCell { text: text.to_owned(), at: at.clone() };
    let row = |(name, number): (String, String)| GridRow {
        head: cell(&name),
        cells: vec![cell(&number)],
        line,
    };
    let rows = is_said(text)?.into_iter().map(row).collect();
    Some(WordTable { corner: String::new(), columns: vec![PrintedCell::default()], rows })
}

/// The same as pairs.
pub(super) fn is_said(text: &str) -> Option<Vec<(String, String)>> {
    // Most texts have no such number, and tokens take time.
    let open = ["+", " or more", " or better", " or higher", " or above", " or over"];
    if !open.iter().any(|end| text.contains(end)) {
        return None;
    }
    let all = sentences(text);
    let in_words = |said: &&str| {
        let parts = said.trim_end_matches(['.', ';', ' ']).split(", ");
        let rows: Option<Vec<(String, String)>> = parts.map(passes).collect();
        rows.filter(|rows| rows.len() >= 2)
    };
    // "Militia save on 6. Line save on 5+. Guard save on 4+."
    let one_each = || {
        let rows = all.iter().filter_map(|said| one(said.trim_end_matches(['.', ';', ' '])));
        let rows: Vec<(String, String)> = rows.collect();
        (rows.len() >= 2).then_some(rows)
    };
    let listed = all.iter().find_map(|said| target_list(said));
    listed.or_else(|| all.iter().find_map(in_words)).or_else(one_each)
}

/// "Veterans pass on a 6 or more"
fn passes(part: &str) -> Option<(String, String)> {
    const PASS: [&str; 12] = [
        "pass", "passes", "need", "needs", "save", "saves", "hit", "hits", "succeed", "succeeds",
        "stand", "stands",
    ];
    let part = part.strip_prefix("and ").unwrap_or(part);
    let tokens = tokens(part);
    let verb = tokens.iter().position(|t| t.is_any(&PASS)).filter(|at| (1..=4).contains(at))?;
    let plain = tokens[..verb].iter().all(|t| t.word().is_some());
    let joints = tokens[verb + 1..].iter().take_while(|t| t.is_any(&["on", "a", "an"])).count();
    let from = verb + 1 + joints;
    let read = tokens.get(from..).and_then(band::prefix)?;
    let whole = from + read.next == tokens.len() && read.band.to.is_none();
    let name = before(part, tokens[verb].start).trim().to_owned();
    (plain && whole).then(|| (name, rest(part, tokens[from].start).trim().to_owned()))
}

/// A list of names and numbers, and nothing else behind its colon.
pub(crate) fn target_list(said: &str) -> Option<Vec<(String, String)>> {
    if said.matches('+').count() < 2 {
        return None;
    }
    let list = said.rsplit(':').next().unwrap_or(said).trim_end_matches(['.', ';', ' ']);
    let list = list.replace(", and ", ", ").replace("+ and ", "+, ");
    let rows: Vec<(String, String)> = list.split(',').map(one).collect::<Option<_>>()?;
    (rows.len() >= 2).then_some(rows)
}

fn one(part: &str) -> Option<(String, String)> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let (first, last) = (words.first()?, words.last()?);
    let joined = words.len() >= 3 && JOINTS.contains(&words[words.len() - 2]);
    let reach = |word: &str| {
        let open = word.ends_with('+') || (joined && word.parse::<u32>().is_ok());
        open && crate::link::target(word).is_some()
    };
    let (mut name, number) = if reach(last) {
        (&words[..words.len() - 1], *last)
    } else if reach(first) && words.get(1).is_some_and(|word| PURPOSES.contains(word)) {
        (&words[2..], *first)
    } else {
        return None;
    };
    while let Some((joint, rest)) = name.split_last()
        && reach(last)
        && JOINTS.contains(&joint.to_lowercase().as_str())
    {
        name = rest;
    }
    let plain = |word: &&str| word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c));
    let named = (1..=4).contains(&name.len()) && name.iter().all(plain);
    named.then(|| (name.join(" "), number.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::target_list;

    fn pairs(text: &str) -> Vec<(String, String)> {
        target_list(text).unwrap_or_default()
    }

    #[test]
    fn names_before_and_after_their_numbers() {
        let pair = |name: &str, number: &str| (name.to_owned(), number.to_owned());
        assert_eq!(
            pairs("To hit: 4+ at short range, 5+ at long range."),
            [pair("short range", "4+"), pair("long range", "5+")]
        );
        assert_eq!(
            pairs("Regulars hit on 4+, veterans on 3+ and militia on 6+"),
            [pair("Regulars", "4+"), pair("veterans", "3+"), pair("militia", "6+")]
        );
        assert!(pairs("On 4+ it hits, on 6+ it kills").is_empty());
        assert!(pairs("4+ hit, 6+ kill").is_empty());
    }
}
