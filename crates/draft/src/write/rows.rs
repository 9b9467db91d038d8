//! The rows of a table: what the printed bands leave open is closed, and said.

use super::pen::Pen;
use super::results::Results;
use super::toml::key;
use crate::band::{Band, BandEnd};
use crate::model::{BandRow, BandTable, GuessKind, PrintedCell};
use crate::num::{self, Num};

/// The result of scores for which the sheet has no row.
pub(crate) const NOT_ON_SHEET: &str = "Not on the sheet";

/// The lowest and highest total that dice and modifiers can give; `None` is open.
pub(crate) type Reach = (Option<i32>, Option<i32>);

/// The lowest and highest number of a d66.
pub(crate) const TENS_AND_ONES: Reach = (Some(11), Some(66));

/// A cell as it is written.
pub(crate) fn cell(cell: &PrintedCell, as_number: bool, results: &mut Results) -> String {
    if as_number && let Some((n, _)) = num::of_cell(&cell.text) {
        return match n.as_whole() {
            Some(n) => n.to_string(),
            None => format!("{{ value = \"{n}\" }}"),
        };
    }
    format!("\"{}\"", results.id(&cell.text))
}

/// Writes the rows of a table by bands.
pub(crate) fn bands(
    table: &BandTable,
    words: &[String],
    reach: Reach,
    die: Option<&str>,
    pen: &mut Pen<'_>,
) -> String {
    let scored = table.rows.iter().filter(|row| !row.band.natural);
    let as_number = num::of_cells(scored.flat_map(|row| &row.cells)).is_some();
    let mut text = String::new();
    let (natural, others): (Vec<&BandRow>, Vec<&BandRow>) =
        table.rows.iter().partition(|row| row.band.natural);
    let (on_condition, plain): (Vec<&BandRow>, Vec<&BandRow>) =
        others.into_iter().partition(|row| row.when.is_some());
    if let Some(die) = die {
        text.push_str(&naturals(natural.into_iter(), words, as_number, die, pen));
    }
    for row in on_condition {
        let condition = row.when.as_deref().unwrap_or_default();
        let id = pen.question(condition, None, |label| format!("yes_no = {label}"));
        text.push_str(&format!(
            "  {{ {}when = \"{id}\", {} }},\n",
            limits(row.band),
            cells(row, words, as_number, pen.results)
        ));
    }
    ends(&plain, reach, pen);
    for (place, row) in plain.iter().enumerate() {
        let last = place + 1 == plain.len();
        let end = match row.band.to {
            Some((n, true)) if !last => format!("to = {}, ", written(n)),
            Some((n, false)) if !last => format!("below = {}, ", written(n)),
            _ => String::new(),
        };
        text.push_str(&format!("  {{ {end}{} }},\n", cells(row, words, as_number, pen.results)));
        if let Some(next) = plain.get(place + 1)
            && let Some((from, to)) = gap(row.band, next.band)
            && !(reach == TENS_AND_ONES && is_between_tens(from, to))
        {
            let at = next.cells.first().map(|c| c.at.clone()).unwrap_or_default();
            pen.guess(
                GuessKind::Gap { from: from.to_string(), to: to.to_string() },
                next.line,
                at,
                "",
            );
            let missing = pen.results.id(NOT_ON_SHEET);
            text.push_str(&format!("  {{ to = {}, all = \"{missing}\" }},\n", written(to)));
        }
    }
    text
}

/// Rows for faces before modifiers.
pub(crate) fn naturals<'r>(
    rows: impl Iterator<Item = &'r BandRow>,
    words: &[String],
    as_number: bool,
    die: &str,
    pen: &mut Pen<'_>,
) -> String {
    rows.map(|row| {
        format!(
            "  {{ when = \"{}\", label = \"Natural {}\", {} }},\n",
            condition(row.band, &format!("{die}.natural")),
            in_words(row.band),
            cells(row, words, as_number, pen.results)
        )
    })
    .collect()
}

/// Both ends of a band, as a row on a condition needs them.
fn limits(band: Band) -> String {
    let end = |end: Option<BandEnd>, with: &str, without: &str| match end {
        Some((n, true)) => format!("{with} = {}, ", written(n)),
        Some((n, false)) => format!("{without} = {}, ", written(n)),
        None => String::new(),
    };
    end(band.from, "from", "above") + &end(band.to, "to", "below")
}

fn written(n: Num) -> String {
    match n.as_whole() {
        Some(n) => n.to_string(),
        None => format!("\"{n}\""),
    }
}

fn cells(row: &BandRow, words: &[String], as_number: bool, results: &mut Results) -> String {
    let made: Vec<String> = row.cells.iter().map(|c| cell(c, as_number, results)).collect();
    if words.len() < 2 || made.iter().all(|cell| *cell == made[0]) {
        return format!("all = {}", made.first().cloned().unwrap_or_default());
    }
    words
        .iter()
        .zip(made)
        .map(|(word, cell)| format!("{} = {cell}", key(word)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// 27 to 30 and the like, which a d66 cannot show.
fn is_between_tens(from: Num, to: Num) -> bool {
    let (from, to) = (from.as_whole().unwrap_or(0), to.as_whole().unwrap_or(0));
    from % 10 == 7 && to == from + 3
}

/// The scores between two rows.
fn gap(low: Band, high: Band) -> Option<(Num, Num)> {
    let ((to, with_to), (from, with_from)): (BandEnd, BandEnd) = (low.to?, high.from?);
    if to.as_whole().is_none() || from.as_whole().is_none() || !with_to || !with_from {
        return None;
    }
    (to.plus(1) < from).then(|| (to.plus(1), from.plus(-1)))
}

/// Says that the first and last row hold beyond what is printed.
fn ends(rows: &[&BandRow], reach: Reach, pen: &mut Pen<'_>) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let low = first.band.low().and_then(Num::as_whole);
    let high = last.band.high().and_then(Num::as_whole);
    if low.is_some_and(|low| reach.0.is_none_or(|least| least < low)) {
        pen.guess(
            GuessKind::Open,
            first.line,
            first.cells.first().map(|c| c.at.clone()).unwrap_or_default(),
            &in_words(first.band),
        );
    }
    if high.is_some_and(|high| reach.1.is_none_or(|most| most > high)) {
        pen.guess(
            GuessKind::Open,
            last.line,
            last.cells.first().map(|c| c.at.clone()).unwrap_or_default(),
            &in_words(last.band),
        );
    }
}

/// Tells if some row can never be reached.
pub(crate) fn goes_beyond(table: &BandTable, reach: Reach) -> bool {
    table.rows.iter().filter(|row| !row.band.natural).any(|row| {
        let low = row.band.low().and_then(Num::as_whole);
        let high = row.band.high().and_then(Num::as_whole);
        low.zip(reach.1).is_some_and(|(low, most)| low > most)
            || high.zip(reach.0).is_some_and(|(high, least)| high < least)
    })
}

fn condition(band: Band, name: &str) -> String {
    match (band.from, band.to) {
        (Some(from), Some(to)) if from == to => format!("{name} == {}", from.0),
        (Some((from, _)), Some((to, _))) => format!("{name} >= {from} and {name} <= {to}"),
        (Some((from, _)), None) => format!("{name} >= {from}"),
        (None, Some((to, _))) => format!("{name} <= {to}"),
        (None, None) => "yes".into(),
    }
}

pub(crate) fn in_words(band: Band) -> String {
    band.to_string()
}
