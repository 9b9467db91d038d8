//! A table by scores: read with a roll, with the difference of two, or with a number that is asked.

use super::modifiers::of_chart;
use super::pen::{MOST_WORDS, Pen};
use super::rolls::{dry_reach, rolls, with_roll};
use super::rows;
use super::toml::{clip, quoted};
use super::total::difference;
use crate::link::{Chart, ChartRoll};
use crate::model::{Against, BandRow, BandTable, GuessKind};
use crate::num::Num;
use std::fmt::Write;

/// The highest value that a score is compared with.
const HIGHEST_VALUE: i32 = 40;

/// A table read with a roll, with the difference of two, or with a number that is asked.
pub(crate) fn bands_read(chart: &Chart, table: &BandTable, pen: &mut Pen<'_>) -> String {
    // What happens besides does not take the place of a row.
    let natural = chart.natural.iter().filter(|row| !row.guessed);
    let table = &BandTable { rows: natural.chain(&table.rows).cloned().collect(), ..table.clone() };
    let chart = &with_roll(chart, table, pen);
    let sides = Sides::of(table, chart);
    let (mut columns, words) = match &sides {
        Some(sides) => (String::new(), sides.words()),
        None if table.columns.len() > 1 && table.columns.len() <= MOST_WORDS => {
            pen.choice(super::pen::across(&table.across), &table.columns)
        }
        None => (String::new(), Vec::new()),
    };
    let words_are_sides = sides.is_some();
    let mut dry = dry_reach(chart);
    let lower = table.score.to_lowercase();
    let winner = ["win by", "wins by", "won by"].iter().any(|words| lower.contains(words));
    let loser = ["lose", "beaten", "lost by"].iter().any(|word| lower.contains(word))
        && !lower.contains("loser lost");
    if chart.rolls.len() >= 2 || table.against.is_some() {
        dry = (None, None);
    }
    let extra = rows::goes_beyond(table, dry);
    if extra {
        pen.guess(GuessKind::Beyond, chart.line, chart.at.clone(), &table.score);
    }
    let made = rolls(chart, extra, pen);
    let mut read = String::new();
    let (score, reach, die) = match made.as_slice() {
        [] => (asked(table, chart, pen), (None, None), None),
        [(name, reach)] => (name.clone(), *reach, Some(name.clone())),
        [(first, _), (second, _), ..] if sides.is_some() => {
            columns = sides.map(|sides| sides.column(first, second)).unwrap_or_default();
            (format!("abs({first} - {second})"), (Some(0), None), None)
        }
        [(first, _), (second, _), ..] if (loser || winner) && columns.is_empty() => {
            let kind = if winner { GuessKind::WinnerSide } else { GuessKind::LoserSide };
            difference(chart, kind, pen);
            return margin(table, first, second, winner, chart, pen);
        }
        [(first, _), (second, _), ..] if loser || winner => {
            let kind = if winner { GuessKind::WinnerSide } else { GuessKind::LoserSide };
            difference(chart, kind, pen);
            (format!("abs({first} - {second})"), (Some(0), None), None)
        }
        [(first, a), (second, b), ..] => {
            if table.against.is_none() {
                difference(chart, GuessKind::Difference, pen);
            }
            let least = a.0.zip(b.1).map(|(x, y)| x - y);
            let most = a.1.zip(b.0).map(|(x, y)| x - y);
            (format!("{first} - {second}"), (least, most), None)
        }
    };
    let (score, reach) = match &table.against {
        Some(Against::Value(name)) => {
            let value = pen.question(name, None, |label| {
                format!("number = {label}, from = 0, to = {HIGHEST_VALUE}")
            });
            (format!("{score} - {value}"), (None, None))
        }
        _ => (score, reach),
    };
    let _ = writeln!(read, "score  = \"{score}\"");
    // Where both columns read alike, it does not matter which side lost.
    let alike = |row: &BandRow| row.cells.iter().all(|cell| cell.text == row.cells[0].text);
    let needless = words_are_sides && table.rows.iter().all(alike);
    if !columns.is_empty() && !needless {
        let _ = writeln!(read, "column = \"{columns}\"");
    }
    // A difference below the first row is not on the sheet.
    let low = tie(table).filter(|_| made.len() >= 2);
    let reach = (low.or(reach.0), reach.1);
    let mut rows = rows::bands(table, &words, reach, die.as_deref(), pen);
    if let Some(low) = low {
        let missing = pen.results.id(rows::NOT_ON_SHEET);
        rows.insert_str(0, &format!("  {{ to = {}, all = \"{missing}\" }},\n", low - 1));
        if !loser {
            let least = format!("{} or less", low - 1);
            let at = chart.at.clone();
            pen.guess(GuessKind::Gap { from: least.clone(), to: least }, chart.line, at, "");
        }
    }
    if !pen.shift.is_empty() {
        let _ = write!(read, "shift  = [\n{}]\n", pen.shift);
    }
    let _ = write!(read, "rows   = [\n{rows}]\n");
    read
}

/// The columns of a table by a margin that say which side lost or won: "Attacker lost".
struct Sides {
    /// The column for the first roll, and for the second.
    names: [String; 2],
    /// The order of the columns is that of the rolls.
    in_order: bool,
    won: bool,
}

impl Sides {
    fn of(table: &BandTable, chart: &Chart) -> Option<Sides> {
        let ([left, right], [a, b, ..]) = (table.columns.as_slice(), chart.rolls.as_slice()) else {
            return None;
        };
        let says = |column: &str, ways: &[&str]| {
            column.to_lowercase().split_whitespace().any(|word| ways.contains(&word))
        };
        let both = |ways: &[&str]| says(left, ways) && says(right, ways);
        let won = both(&["won", "wins", "win"]);
        if !won && !both(&["lost", "loses", "lose", "beaten"]) {
            return None;
        }
        let starts = |column: &str, roll: &ChartRoll| {
            let who = roll.line.who.as_deref().unwrap_or_default().to_lowercase();
            !who.is_empty() && column.to_lowercase().starts_with(&who)
        };
        // One name is enough: the other column is for the other side.
        let in_order = starts(left, a) || starts(right, b);
        if !in_order && !starts(left, b) && !starts(right, a) {
            return None;
        }
        let plain = |name: &str| name.replace(['\'', '"'], "");
        let (first, second) = if in_order { (left, right) } else { (right, left) };
        Some(Sides { names: [plain(first), plain(second)], in_order, won })
    }

    /// The names of the columns, as they stand.
    fn words(&self) -> Vec<String> {
        let [first, second] = self.names.clone();
        if self.in_order { vec![first, second] } else { vec![second, first] }
    }

    /// Which column is read.
    fn column(&self, first: &str, second: &str) -> String {
        let sign = if self.won { '>' } else { '<' };
        let [a, b] = &self.names;
        format!("if({first} {sign} {second}, '{a}', '{b}')")
    }
}

/// The two numbers whose ratio a table is read by: "Attacker to defender" with rows below 1.
fn ratio(table: &BandTable) -> Option<(&str, &str)> {
    let (first, second) = table.score.split_once(" to ")?;
    let short = |name: &str| !name.trim().is_empty() && name.split_whitespace().count() <= 3;
    let mut ends = table.rows.iter().flat_map(|row| [row.band.low(), row.band.high()]).flatten();
    let parts = ends.any(|end| end.as_whole().is_none());
    (parts && short(first) && short(second)).then_some((first.trim(), second.trim()))
}

/// The score is a number that the player knows.
pub(crate) fn asked(table: &BandTable, chart: &Chart, pen: &mut Pen<'_>) -> String {
    if let Some((first, second)) = ratio(table).filter(|_| chart.loose.is_empty()) {
        let mut number = |name: &str, from: &str| {
            pen.question(&crate::capital(name), None, |label| {
                format!("number = {label}, from = {from}, to = 1000, step = \"1/2\"")
            })
        };
        let (first, second) = (number(first, "0"), number(second, "\"1/2\""));
        return format!("{first} / {second}");
    }
    let label = if table.score.is_empty() { "Score" } else { &table.score };
    let plain: Vec<_> = table.rows.iter().filter(|row| !row.band.natural).collect();
    let ends = plain.iter().flat_map(|row| [row.band.from, row.band.to]).flatten();
    let mut fine = 1;
    let mut open = false;
    for (n, with) in ends {
        let shown = n.to_string();
        let below =
            shown.split_once('/').and_then(|(_, below)| below.parse::<i32>().ok()).unwrap_or(1);
        if fine % below != 0 {
            fine = (fine * below).min(10_000);
        }
        open |= !with;
    }
    let step = match (fine, open) {
        (1, true)
            if plain.iter().any(|row| {
                row.band
                    .from
                    .zip(row.band.to)
                    .is_some_and(|((a, x), (b, y))| !x && !y && a.plus(1) == b)
            }) =>
        {
            ", step = \"1/2\"".to_owned()
        }
        (1, _) => String::new(),
        (fine, _) => format!(", step = \"1/{fine}\""),
    };
    let whole = |n: Num, up: bool| {
        n.as_whole().unwrap_or_else(|| if up { n.plus(1).floor() } else { n.floor() })
    };
    let first = plain.first().map_or(0, |row| {
        row.band.from.map_or_else(
            || row.band.to.map_or(0, |(n, _)| whole(n, false) - 20),
            |(n, _)| whole(n, false),
        )
    });
    let last = plain.last().map_or(20, |row| {
        row.band.to.map_or_else(
            || row.band.from.map_or(20, |(n, _)| whole(n, true) + 20),
            |(n, _)| whole(n, true),
        )
    });
    let first = if label == "Distance" { 0 } else { first };
    let first = if plain.first().is_some_and(|row| {
        row.band.from.is_none() && row.band.to.is_some_and(|(n, _)| n >= Num::whole(0))
    }) && !chart.title.is_empty()
    {
        first.max(-20)
    } else {
        first
    };
    let id = pen.question(label, None, |label| {
        format!("number = {label}, from = {first}, to = {}{step}", last.max(first + 1))
    });
    if chart.loose.is_empty() {
        return id;
    }
    let mut reach = (None, None);
    let adds = of_chart(chart, false, &mut reach, pen);
    let _ = write!(
        pen.steps,
        "[[step]]\nwork_out = \"{id}\"\nas    = \"total\"\ntitle = {}\nadd   = [\n{adds}]\n",
        quoted(&clip(label, 100))
    );
    "total".into()
}

/// The lowest score of a table that starts above a tie.
fn tie(table: &BandTable) -> Option<i32> {
    table
        .rows
        .iter()
        .find(|row| !row.band.natural)
        .and_then(|row| row.band.low())
        .and_then(Num::as_whole)
        .filter(|low| *low >= 1)
}

/// A table by how much one side lost or won: the column says which. A tie may have no row on the sheet.
fn margin(
    table: &BandTable,
    first: &str,
    second: &str,
    won: bool,
    chart: &Chart,
    pen: &mut Pen<'_>,
) -> String {
    let who = |place: usize, otherwise: &str| {
        let name = chart
            .rolls
            .get(place)
            .and_then(|roll| roll.line.who.clone())
            .filter(|_| !chart.rolls[0].line.both);
        let name = crate::capital(&name.unwrap_or_else(|| otherwise.to_owned()));
        format!("{name} {}", if won { "won" } else { "lost" })
    };
    let (a, b) = (who(0, "first side"), who(1, "second side"));
    let (said, sign) = if won { ("winner won", '>') } else { ("loser lost", '<') };
    let mut read = format!(
        "score  = \"abs({first} - {second})\"\ntext   = \"By how much the {said}\"\ncolumn = \"if({first} {sign} {second}, '{}', '{}')\"\nrows   = [\n",
        a.replace('\'', ""),
        b.replace('\'', "")
    );
    if let Some(low) = tie(table) {
        let missing = pen.results.id(rows::NOT_ON_SHEET);
        let _ = writeln!(read, "  {{ to = {}, all = \"{missing}\" }},", low - 1);
    }
    let single = BandTable {
        rows: table
            .rows
            .iter()
            .map(|row| crate::model::BandRow {
                cells: row.cells.iter().take(1).cloned().collect(),
                ..row.clone()
            })
            .collect(),
        ..table.clone()
    };
    let text = rows::bands(&single, &[], (tie(table).or(Some(0)), None), None, pen);
    let columns = format!("{} = ", quoted(&a.replace('\'', "")));
    for line in text.lines() {
        // Both columns read the same.
        let line = match line.split_once("all = ") {
            Some((start, cell)) => {
                let cell = cell.trim_end_matches(" },");
                format!("{start}{columns}{cell}, {} = {cell} }},", quoted(&b.replace('\'', "")))
            }
            None => line.to_owned(),
        };
        let _ = writeln!(read, "{line}");
    }
    read.push_str("]\n");
    read
}
