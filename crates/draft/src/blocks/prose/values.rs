//! Values in sentences: "heavy foot go 150 paces, light foot 250".

use super::sentences;
use crate::model::{GridRow, PrintedCell, WordTable};
use std::ops::Range;

/// The verbs between a unit and the value that follows.
const VERBS: [&str; 18] = [
    "go", "goes", "move", "moves", "reach", "reaches", "need", "needs", "count", "counts", "cost",
    "costs", "march", "marches", "ride", "rides", "travel", "travels",
];

/// "Heavy foot go 150 paces, light foot 250 and horse 400": a value for each name, with the sentence.
pub(super) fn values_in_sentences(
    text: &str,
    at: &Range<usize>,
    line: u32,
) -> Vec<(WordTable, String)> {
    let mut grids = Vec::new();
    for sentence in sentences(text) {
        let list =
            sentence.rsplit(':').next().unwrap_or(sentence).trim_end_matches(['.', ';', ' ']);
        let parts: Vec<&str> = list.split(", and ").flat_map(|part| part.split(", ")).collect();
        // The last two names may be joined by "and".
        let (last, first) =
            parts.split_last().map_or(("", &parts[..0]), |(last, rest)| (*last, rest));
        let mut parts: Vec<&str> = first.to_vec();
        match last.split_once(" and ").filter(|(one, two)| {
            [one, two].iter().all(|part| part.contains(|c: char| c.is_ascii_digit()))
        }) {
            Some((one, two)) => parts.extend([one, two]),
            None => parts.push(last),
        }
        let rows: Option<Vec<GridRow>> = parts
            .iter()
            .enumerate()
            .map(|(place, part)| value(part.trim(), place == 0, at, line))
            .collect();
        if let Some(rows) = rows.filter(|rows| rows.len() >= 3) {
            grids.push((grid(rows), list.to_owned()));
        }
    }
    grids
}

/// "light foot 9 cm" or "a unit of heavy foot marches 6 cm in a turn". The first part has its verb.
fn value(part: &str, verb: bool, at: &Range<usize>, line: u32) -> Option<GridRow> {
    let part = [" in a turn", " each turn", " per turn", " a turn"]
        .iter()
        .find_map(|turn| part.strip_suffix(turn))
        .unwrap_or(part);
    let words: Vec<&str> = part.split_whitespace().filter(|w| !["up", "to"].contains(w)).collect();
    let figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let number = words.iter().position(figure)?;
    let verb_at = number.checked_sub(1).filter(|_| VERBS.contains(&words[number - 1]));
    let name = &words[..verb_at.unwrap_or(number)];
    let name = match name {
        [first, second, of, named @ ..]
            if first.eq_ignore_ascii_case("a") && *second == "unit" && *of == "of" =>
        {
            named
        }
        [first, of, named @ ..] if first.eq_ignore_ascii_case("units") && *of == "of" => named,
        _ => name,
    };
    let clear =
        (1..=5).contains(&name.len()) && words[number..].len() <= 2 && (verb_at.is_some() || !verb);
    let row = || GridRow {
        head: cell(&name.join(" "), at),
        cells: vec![cell(&words[number..].join(" "), at)],
        line,
    };
    clear.then(row)
}

fn cell(text: &str, at: &Range<usize>) -> PrintedCell {
    PrintedCell { text: text.to_owned(), at: at.clone() }
}

fn grid(rows: Vec<GridRow>) -> WordTable {
    WordTable { corner: String::new(), columns: vec![PrintedCell::default()], rows }
}
