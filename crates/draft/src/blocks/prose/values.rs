//! Values in sentences: "heavy foot go 150 paces, light foot 250", "Bold 4+, Steady 5+".

use super::sentences;
use crate::band;
use crate::model::{Cell, Grid, GridRow};
use crate::token::{Token, before, rest, tokens};
use std::ops::Range;

/// What a unit does with the value that follows.
const VERBS: [&str; 18] = [
    "go", "goes", "move", "moves", "reach", "reaches", "need", "needs", "count", "counts", "cost",
    "costs", "march", "marches", "ride", "rides", "travel", "travels",
];

/// "Heavy foot go 150 paces, light foot 250 and horse 400": a value for each name, with the sentence.
pub(super) fn values_in_sentences(text: &str, at: &Range<usize>, line: u32) -> Vec<(Grid, String)> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let said =
            sentence.rsplit(':').next().unwrap_or(sentence).trim_end_matches(['.', ';', ' ']);
        let parts: Vec<&str> = said.split(", and ").flat_map(|part| part.split(", ")).collect();
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
            found.push((grid(rows), said.to_owned()));
        }
    }
    found
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
    let said = number.checked_sub(1).filter(|_| VERBS.contains(&words[number - 1]));
    let name = &words[..said.unwrap_or(number)];
    let name = match name {
        [first, second, of, named @ ..]
            if first.eq_ignore_ascii_case("a") && *second == "unit" && *of == "of" =>
        {
            named
        }
        [first, of, named @ ..] if first.eq_ignore_ascii_case("units") && *of == "of" => named,
        _ => name,
    };
    let known =
        (1..=5).contains(&name.len()) && words[number..].len() <= 2 && (said.is_some() || !verb);
    let row = || GridRow {
        head: cell(&name.join(" "), at),
        cells: vec![cell(&words[number..].join(" "), at)],
        line,
    };
    known.then(row)
}

fn cell(text: &str, at: &Range<usize>) -> Cell {
    Cell { text: text.to_owned(), at: at.clone() }
}

fn grid(rows: Vec<GridRow>) -> Grid {
    Grid { corner: String::new(), columns: vec![Cell::default()], rows }
}

/// Names with the numbers that dice must reach: "Bold 4+, Steady 5+, Cautious 6+", or in words.
pub(super) fn inline_values(text: &str, at: &Range<usize>, line: u32) -> Option<Grid> {
    terse(text, at, line).or_else(|| {
        sentences(text).into_iter().find_map(|said| {
            let parts = said.trim_end_matches(['.', ';', ' ']).split(", ");
            let rows: Option<Vec<GridRow>> = parts.map(|part| passes(part, at, line)).collect();
            rows.filter(|rows| rows.len() >= 2).map(grid)
        })
    })
}

/// "Bold 4+, Steady 5+, Cautious 6+"
fn terse(text: &str, at: &Range<usize>, line: u32) -> Option<Grid> {
    let said = sentences(text).into_iter().find(|text| text.matches("+").count() >= 3)?;
    let said = said.rsplit(':').next().unwrap_or(said).trim_end_matches(['.', ';', ' ']);
    let one = |part: &str| {
        let (name, number) = part.trim().rsplit_once(' ')?;
        let named = name.chars().all(|c| c.is_alphabetic() || " -'".contains(c))
            && name.split_whitespace().count() <= 3;
        let reach = number.ends_with('+') && crate::link::target(number).is_some();
        (named && reach).then(|| GridRow {
            head: cell(name, at),
            cells: vec![cell(number, at)],
            line,
        })
    };
    let rows: Vec<GridRow> = said.split(',').map(one).collect::<Option<_>>()?;
    (rows.len() >= 3).then(|| grid(rows))
}

/// "Veterans pass on a 6 or more"
fn passes(part: &str, at: &Range<usize>, line: u32) -> Option<GridRow> {
    const PASS: [&str; 12] = [
        "pass", "passes", "need", "needs", "save", "saves", "hit", "hits", "succeed", "succeeds",
        "stand", "stands",
    ];
    let part = part.strip_prefix("and ").unwrap_or(part);
    let found = tokens(part);
    let verb = found.iter().position(|t| t.is_any(&PASS)).filter(|at| (1..=4).contains(at))?;
    let plain = found[..verb].iter().all(|t: &Token| t.word().is_some());
    let joints = found[verb + 1..].iter().take_while(|t| t.is_any(&["on", "a", "an"])).count();
    let from = verb + 1 + joints;
    let read = found.get(from..).and_then(band::prefix)?;
    let whole = from + read.next == found.len() && read.band.to.is_none();
    (plain && whole).then(|| GridRow {
        head: cell(before(part, found[verb].start).trim(), at),
        cells: vec![cell(rest(part, found[from].start).trim(), at)],
        line,
    })
}
