//! One chart: its questions, steps, modifiers and rows.

use super::modifiers::modifiers;
use super::results::Results;
use super::rows::{self, Reach};
use super::toml::{clip, list, quoted};
use crate::amount::Amount;
use crate::dice::{Dice, Test};
use crate::ids::{Ids, Style, slug};
use crate::link::{Chart, Reading, Roll};
use crate::model::{BandTable, Grid, Guess, GuessKind};
use crate::num::Num;
use std::fmt::Write;
use std::ops::Range;

/// What a chart may have by the limits of a pack.
const MOST_WORDS: usize = 100;

/// What is written while a chart is made.
pub(crate) struct Pen<'w> {
    pub results: &'w mut Results,
    guesses: &'w mut Vec<Guess>,
    chart: String,
    ids: Ids,
    ask: String,
    steps: String,
    pub shift: String,
}

impl Pen<'_> {
    pub fn guess(&mut self, kind: GuessKind, line: u32, at: Range<usize>, printed: &str) {
        self.guesses.push(Guess {
            kind,
            line,
            at,
            printed: printed.to_owned(),
            chart: Some(self.chart.clone()),
        });
    }

    pub fn question(
        &mut self,
        label: &str,
        prefix: Option<&str>,
        field: impl FnOnce(&str) -> String,
    ) -> String {
        let label = clip(label, 150);
        let id =
            self.ids.take(slug(&label, Style::Underscore, "question"), prefix, Style::Underscore);
        let field = field(&quoted(&label));
        let _ = writeln!(self.ask, "{id} = {{ {field} }}");
        id
    }

    fn choice(&mut self, label: &str, words: &[String]) -> (String, Vec<String>) {
        let mut ids = Ids::default();
        let ids: Vec<String> = words
            .iter()
            .map(|word| ids.take(slug(word, Style::Hyphen, "nothing"), None, Style::Hyphen))
            .collect();
        let pairs: Vec<String> = ids
            .iter()
            .zip(words)
            .map(|(id, word)| {
                format!("{id} = {}", quoted(&clip(if word.is_empty() { "–" } else { word }, 100)))
            })
            .collect();
        let question = self.question(label, None, |label| {
            format!("choice = {{ {} }}, label = {label}", pairs.join(", "))
        });
        (question, ids)
    }
}

pub(crate) fn write(chart: &Chart, results: &mut Results, guesses: &mut Vec<Guess>) -> String {
    let ids = Ids::with(&["die", "first", "second", "total", "passed"]);
    let mut pen = Pen {
        results,
        guesses,
        chart: chart.id.clone(),
        ids,
        ask: String::new(),
        steps: String::new(),
        shift: String::new(),
    };
    let read = match &chart.reading {
        Reading::Grid(grid) => grid_read(grid, &mut pen),
        Reading::Bands(table) => bands_read(chart, table, &mut pen),
        Reading::Nothing => value_read(chart, &mut pen),
    };
    let mut text =
        format!("\n[chart.{}]\ntitle = {}\n", chart.id, quoted(&clip(&chart.title, 150)));
    if !chart.notes.is_empty() {
        let _ = writeln!(text, "notes = {}", list(&chart.notes));
    }
    if !pen.ask.is_empty() {
        let _ = write!(text, "\n[chart.{}.ask]\n{}", chart.id, pen.ask);
    }
    text.push_str(&pen.steps.replace("[[step]]", &format!("\n[[chart.{}.step]]", chart.id)));
    let _ = write!(text, "\n[chart.{}.read]\n{read}", chart.id);
    text
}

/// A grid: one question for the rows, one for the columns.
fn grid_read(grid: &Grid, pen: &mut Pen<'_>) -> String {
    let heads: Vec<String> =
        grid.rows.iter().map(|row| row.head.text.clone()).take(MOST_WORDS).collect();
    let columns: Vec<String> =
        grid.columns.iter().map(|c| c.text.clone()).take(MOST_WORDS).collect();
    if grid.rows.len() > MOST_WORDS || grid.columns.len() > MOST_WORDS {
        pen.guess(GuessKind::Cut, grid.rows[0].line, grid.rows[0].head.at.clone(), &grid.corner);
    }
    let as_number = rows::numbers(grid.rows.iter().flat_map(|row| &row.cells));
    let corner = if grid.corner.is_empty() { "Row" } else { &grid.corner };
    let mut read = String::new();
    let (down, words) =
        if heads.len() >= 2 { pen.choice(corner, &heads) } else { Default::default() };
    let (across, ids) =
        if columns.len() >= 2 { pen.choice("Column", &columns) } else { Default::default() };
    if heads.len() >= 2 {
        let _ = writeln!(read, "score  = \"{down}\"");
    } else {
        // One row: the column alone decides.
        let _ = writeln!(read, "score  = \"{across}\"");
    }
    if columns.len() >= 2 && heads.len() >= 2 {
        let _ = writeln!(read, "column = \"{across}\"");
    }
    read.push_str("rows   = [\n");
    if heads.len() < 2 {
        for (id, cell) in ids.iter().zip(&grid.rows[0].cells) {
            let _ = writeln!(
                read,
                "  {{ is = \"{id}\", all = {} }},",
                rows::cell(cell, as_number.is_some(), pen.results)
            );
        }
    }
    for (row, word) in grid.rows.iter().zip(&words) {
        for cell in row.cells.iter().filter(|c| two_figures(&c.text)) {
            pen.guess(GuessKind::TwoFigures, row.line, cell.at.clone(), &cell.text);
        }
        let made: Vec<String> = row
            .cells
            .iter()
            .take(MOST_WORDS)
            .map(|cell| rows::cell(cell, as_number.is_some(), pen.results))
            .collect();
        let cells = if ids.len() < 2 || made.iter().all(|cell| *cell == made[0]) {
            format!("all = {}", made.first().cloned().unwrap_or_default())
        } else {
            ids.iter()
                .zip(made)
                .map(|(id, cell)| format!("{id} = {cell}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let _ = writeln!(read, "  {{ is = \"{word}\", {cells} }},");
    }
    read.push_str("]\n");
    if let Some(unit) = as_number.filter(|unit| !unit.is_empty()) {
        let _ = writeln!(read, "value  = \"cell\"\nunit   = {}", quoted(&unit));
    }
    read
}

fn two_figures(text: &str) -> bool {
    let figures = crate::token::tokens(text).iter().filter(|t| t.num().is_some()).count();
    figures == 2 && text.chars().count() <= 10 && (text.contains('/') || text.contains('('))
}

/// The rolls of a chart as steps: their names, and how far their totals reach.
fn rolls(chart: &Chart, extra: bool, pen: &mut Pen<'_>) -> Vec<(String, Reach)> {
    let mut made = Vec::new();
    let several = chart.rolls.len() > 1;
    for (place, roll) in chart.rolls.iter().take(2).enumerate() {
        let who = roll.line.who.clone().unwrap_or_default();
        let both = roll.line.both && several;
        let fallback = if several { ["first", "second"][place] } else { "die" };
        let name = if several && !both && !who.is_empty() {
            slug(&who, Style::Underscore, fallback)
        } else {
            fallback.to_owned()
        };
        let name =
            if name == fallback { name } else { pen.ids.take(name, None, Style::Underscore) };
        let title = if both { ["Our side", "Their side"][place].to_owned() } else { who.clone() };
        let prefix = if several { name.clone() } else { chart.id.replace('-', "_") };
        let reach = step(roll, &name, &title, &prefix, extra && place == 0, chart, pen);
        made.push((name, reach));
    }
    made
}

/// Writes one roll.
fn step(
    roll: &Roll,
    name: &str,
    title: &str,
    prefix: &str,
    extra: bool,
    chart: &Chart,
    pen: &mut Pen<'_>,
) -> Reach {
    let guessed = roll.line.dice.or(chart.titled).unwrap_or(Dice {
        count: pool_size(chart),
        sides: 6,
        named: false,
    });
    if !guessed.named {
        pen.guess(
            GuessKind::Sides { count: guessed.count, sides: guessed.sides },
            roll.source,
            roll.at.clone(),
            "",
        );
    }
    let mut text = String::from("[[step]]\n");
    let one_by_one = roll.line.per.as_ref().filter(|_| reads_one_die(chart, roll, guessed.sides));
    if let Some(per) = one_by_one {
        let kind = GuessKind::OneByOne { per: per.clone() };
        pen.guess(kind, roll.source, roll.at.clone(), per);
    }
    let per = roll.line.per.as_ref().filter(|_| one_by_one.is_none());
    match per {
        Some(per) => {
            let count = pen.question(&crate::capital(per), None, |label| {
                format!("number = {label}, from = 0, to = 40")
            });
            let _ = writeln!(text, "roll  = \"d{}\"\ncount = \"{count}\"", guessed.sides);
        }
        None => {
            let _ = writeln!(text, "roll  = \"{}d{}\"", guessed.count, guessed.sides);
        }
    }
    let _ = writeln!(text, "as    = \"{name}\"");
    if !title.is_empty() {
        let _ = writeln!(text, "title = {}", quoted(&clip(&crate::capital(title), 100)));
    }
    let pool = write_test(roll, &mut text, pen);
    let mut reach: Reach = match (pool, per) {
        (true, None) => (Some(0), Some(guessed.count as i32)),
        (true, Some(_)) => (Some(0), Some(40)),
        (false, Some(_)) => (Some(0), Some(40 * guessed.sides as i32)),
        (false, None) => (Some(guessed.count as i32), Some((guessed.count * guessed.sides) as i32)),
    };
    let adds =
        modifiers(&roll.modifiers, prefix, extra, pool, guessed.sides, &mut reach, chart, pen);
    if !adds.is_empty() {
        let _ = write!(text, "add   = [\n{adds}]\n");
    }
    pen.steps.push_str(&text);
    reach
}

/// Whether the table has rows for the faces of one die, and no test comes before it.
fn reads_one_die(chart: &Chart, roll: &Roll, sides: u32) -> bool {
    let Reading::Bands(table) = &chart.reading else { return false };
    let mut ends = table.rows.iter().flat_map(|row| [row.band.low(), row.band.high()]).flatten();
    roll.line.test.is_none()
        && ends.all(|end| end.as_whole().is_some_and(|n| n >= 1 && n.unsigned_abs() <= sides))
}

/// A test of a single die that has modifiers: they change the die, which is then read in two rows.
fn tested_die(chart: &Chart) -> Option<(Chart, i32, [&'static str; 2])> {
    let [roll] = chart.rolls.as_slice() else { return None };
    let one = roll.line.dice.or(chart.titled).is_none_or(|dice| dice.count == 1);
    if !one || roll.line.per.is_some() || roll.modifiers.is_empty() {
        return None;
    }
    let (to, results) = match roll.line.test.as_ref()? {
        Test::AtLeast(n) => (n.as_whole()?.checked_sub(1)?, ["Failure", "Success"]),
        Test::AtMost(n) => (n.as_whole()?, ["Success", "Failure"]),
        Test::AtMostValue(_) => return None,
    };
    let mut plain = chart.clone();
    plain.rolls[0].line.test = None;
    Some((plain, to, results))
}

/// How many dice a pool has if the sheet does not say: the highest number of passes in the table.
fn pool_size(chart: &Chart) -> u32 {
    if let Some(count) = chart.count {
        return count;
    }
    let Reading::Bands(table) = &chart.reading else { return 1 };
    let tested = chart.rolls.iter().any(|roll| roll.line.test.is_some());
    let most = table
        .rows
        .iter()
        .filter_map(|row| row.band.low())
        .filter_map(Num::as_whole)
        .max()
        .unwrap_or(1);
    if tested { most.clamp(1, 20) as u32 } else { 1 }
}

fn write_test(roll: &Roll, text: &mut String, pen: &mut Pen<'_>) -> bool {
    let (key, value) = match &roll.line.test {
        None => return false,
        Some(Test::AtLeast(n)) => ("pass_at_least", n.to_string()),
        Some(Test::AtMost(n)) => ("pass_at_most", n.to_string()),
        Some(Test::AtMostValue(name)) => (
            "pass_at_most",
            pen.question(name, None, |label| format!("number = {label}, from = 1, to = 20")),
        ),
    };
    let _ = writeln!(text, "{key} = \"{value}\"\ncounted = \"passes\"");
    true
}

/// Rolls or modifiers without a table: the total is the answer.
fn value_read(chart: &Chart, pen: &mut Pen<'_>) -> String {
    if let Some((plain, to, results)) = tested_die(chart) {
        let roll = &plain.rolls[0];
        pen.guess(GuessKind::OnTheDie, roll.source, roll.at.clone(), "");
        rolls(&plain, false, pen);
        let [first, last] = results.map(|text| pen.results.id(text));
        return format!(
            "score  = \"die\"\nrows   = [\n  {{ to = {to}, all = \"{first}\" }},\n  {{ all = \"{last}\" }},\n]\n"
        );
    }
    let made = rolls(chart, false, pen);
    match made.as_slice() {
        [] if chart.loose.iter().any(|modifier| matches!(modifier.amount, Amount::Dice(_))) => {
            // Dice are added to a number of dice that the player knows.
            let mut reach = (Some(0), None);
            let count =
                pen.question("Dice", None, |label| format!("number = {label}, from = 0, to = 40"));
            let adds = modifiers(
                &chart.loose,
                &chart.id.replace('-', "_"),
                false,
                true,
                6,
                &mut reach,
                chart,
                pen,
            );
            pen.guess(
                GuessKind::Sides { count: 1, sides: 6 },
                chart.line,
                chart.at.clone(),
                &chart.title,
            );
            let _ = write!(
                pen.steps,
                "[[step]]\nroll  = \"d6\"\ncount = \"{count}\"\nas    = \"die\"\nadd   = [\n{adds}]\n"
            );
            "value = \"die\"\n".into()
        }
        [] => {
            let mut reach = (Some(0), Some(0));
            let adds = modifiers(
                &chart.loose,
                &chart.id.replace('-', "_"),
                false,
                false,
                6,
                &mut reach,
                chart,
                pen,
            );
            let _ = write!(
                pen.steps,
                "[[step]]\nwork_out = \"0\"\nas    = \"total\"\ntitle = \"Modifiers\"\nadd   = [\n{adds}]\n"
            );
            "value = \"total\"\n".into()
        }
        [(name, _)] => format!("value = \"{name}\"\n"),
        [(first, _), (second, _), ..] => {
            difference(chart, GuessKind::Difference, pen);
            format!("value = \"{first} - {second}\"\n")
        }
    }
}

fn difference(chart: &Chart, kind: GuessKind, pen: &mut Pen<'_>) {
    if let Some(second) = chart.rolls.get(1) {
        pen.guess(kind, second.source, second.at.clone(), second.line.who.as_deref().unwrap_or(""));
    }
}

/// A table read with a roll, with the difference of two, or with a number that is asked.
fn bands_read(chart: &Chart, table: &BandTable, pen: &mut Pen<'_>) -> String {
    let chart = &with_roll(chart, table, pen);
    let (columns, words) = if table.columns.len() > 1 && table.columns.len() <= MOST_WORDS {
        pen.choice("Column", &table.columns)
    } else {
        (String::new(), Vec::new())
    };
    let mut dry = dry_reach(chart);
    let lower = table.score.to_lowercase();
    let loser = ["lose", "beaten", "lost by"].iter().any(|word| lower.contains(word))
        && !lower.contains("loser lost");
    if chart.rolls.len() >= 2 {
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
        [(first, _), (second, _), ..] if loser && columns.is_empty() => {
            difference(chart, GuessKind::LoserSide, pen);
            return lost_by(table, first, second, chart, pen);
        }
        [(first, _), (second, _), ..] if loser => {
            difference(chart, GuessKind::LoserSide, pen);
            (format!("abs({first} - {second})"), (Some(0), None), None)
        }
        [(first, a), (second, b), ..] => {
            difference(chart, GuessKind::Difference, pen);
            let least = a.0.zip(b.1).map(|(x, y)| x - y);
            let most = a.1.zip(b.0).map(|(x, y)| x - y);
            (format!("{first} - {second}"), (least, most), None)
        }
    };
    let _ = writeln!(read, "score  = \"{score}\"");
    if !columns.is_empty() {
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

/// The chart with a roll, if the table shows that dice are rolled.
fn with_roll(chart: &Chart, table: &BandTable, pen: &mut Pen<'_>) -> Chart {
    let mut own = chart.clone();
    if !own.rolls.is_empty() {
        for roll in &mut own.rolls {
            if roll.line.dice.is_none() && roll.line.test.is_none() {
                roll.line.dice = crate::dice::whole(&table.score).or(chart.titled);
            }
            if roll.line.test.is_some() && roll.line.dice.is_none() {
                let count = pool_size(chart);
                pen.guess(GuessKind::PoolSize { count }, roll.source, roll.at.clone(), "");
                roll.line.dice = Some(Dice { count, sides: 6, named: true });
            }
        }
        return own;
    }
    if let Some(line) = crate::dice::roll_line(&table.score).filter(|line| line.test.is_some()) {
        own.rolls.push(Roll {
            line,
            modifiers: std::mem::take(&mut own.loose),
            source: chart.line,
            at: chart.at.clone(),
        });
        return own;
    }
    let Some(dice) =
        chart.titled.or_else(|| of_head(&table.score)).or_else(|| unnamed(table, chart))
    else {
        return own;
    };
    let line =
        crate::dice::RollLine { who: None, dice: Some(dice), test: None, per: None, both: false };
    own.rolls.push(Roll {
        line,
        modifiers: std::mem::take(&mut own.loose),
        source: chart.line,
        at: chart.at.clone(),
    });
    own
}

fn of_head(score: &str) -> Option<Dice> {
    let found = crate::token::tokens(score);
    if found.iter().any(|t| t.is_any(&["passed", "successes", "pass"])) {
        return None;
    }
    crate::dice::find(&found).map(|(dice, _, _)| dice).filter(|dice| dice.named)
}

/// Dice that the sheet does not name, by the scores of the table.
fn unnamed(table: &BandTable, chart: &Chart) -> Option<Dice> {
    let lower = table.score.to_lowercase();
    let rolled = ["roll", "die", "dice"].iter().any(|word| lower.contains(word));
    if !rolled && (chart.loose.is_empty() || !lower.is_empty() && !crate::score_head(&lower)) {
        return None;
    }
    if ["passed", "successes", "lose", "win", "differ"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let low = table.rows.iter().filter_map(|row| row.band.low()).filter_map(Num::as_whole).min();
    let high = table
        .rows
        .iter()
        .filter_map(|row| row.band.high().or(row.band.low()))
        .filter_map(Num::as_whole)
        .max()?;
    let dice = |count, sides| Some(Dice { count, sides, named: false });
    match (low, high) {
        (Some(2), 11 | 12) => dice(2, 6),
        (Some(3), 17 | 18) => dice(3, 6),
        (Some(1) | None, 4) if low == Some(1) => dice(1, 4),
        (_, 8) if low == Some(1) => dice(1, 8),
        (_, 10) if low == Some(1) => dice(1, 10),
        (_, 12) if low == Some(1) => dice(1, 12),
        (_, 20) if low == Some(1) => dice(1, 20),
        (_, 96..=100) => dice(1, 100),
        _ => dice(1, 6),
    }
}

/// How far the total of the only roll reaches, before anything is written.
fn dry_reach(chart: &Chart) -> Reach {
    let [roll] = chart.rolls.as_slice() else { return (None, None) };
    let dice = roll.line.dice.or(chart.titled).unwrap_or(Dice {
        count: pool_size(chart),
        sides: 6,
        named: false,
    });
    if roll.line.per.is_some() {
        return (Some(0), Some(40 * if roll.line.test.is_some() { 1 } else { dice.sides as i32 }));
    }
    let pool = roll.line.test.is_some();
    let mut reach: (i32, i32) = if pool {
        (0, dice.count as i32)
    } else {
        (dice.count as i32, (dice.count * dice.sides) as i32)
    };
    for modifier in &roll.modifiers {
        let by = match &modifier.amount {
            Amount::Plus(n) => n.as_whole().unwrap_or(1),
            Amount::Dice(n) if pool => *n,
            Amount::Dice(n) => n.saturating_mul(dice.sides as i32),
            Amount::Shift(_) => 0,
            _ => return (None, None),
        };
        if by < 0 {
            reach.0 = reach.0.saturating_add(by)
        } else {
            reach.1 = reach.1.saturating_add(by)
        }
    }
    (Some(reach.0), Some(reach.1))
}

/// The score is a number that the player knows.
fn asked(table: &BandTable, chart: &Chart, pen: &mut Pen<'_>) -> String {
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
    let adds = modifiers(
        &chart.loose,
        &chart.id.replace('-', "_"),
        false,
        false,
        6,
        &mut reach,
        chart,
        pen,
    );
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
        .first()
        .and_then(|row| row.band.low())
        .and_then(Num::as_whole)
        .filter(|low| *low >= 1)
}

/// A table of the loser: the column says who lost, and a tie has no row on the sheet.
fn lost_by(
    table: &BandTable,
    first: &str,
    second: &str,
    chart: &Chart,
    pen: &mut Pen<'_>,
) -> String {
    let who = |place: usize, otherwise: &str| {
        let name = chart
            .rolls
            .get(place)
            .and_then(|roll| roll.line.who.clone())
            .filter(|_| !chart.rolls[0].line.both);
        format!("{} lost", crate::capital(&name.unwrap_or_else(|| otherwise.to_owned())))
    };
    let (a, b) = (who(0, "first side"), who(1, "second side"));
    let mut read = format!(
        "score  = \"abs({first} - {second})\"\ntext   = \"By how much the loser lost\"\ncolumn = \"if({first} < {second}, '{}', '{}')\"\nrows   = [\n",
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
    let columns = format!("{} = ", super::toml::quoted(&a.replace('\'', "")));
    for line in text.lines() {
        // Both columns read the same.
        let line = match line.split_once("all = ") {
            Some((start, cell)) => {
                let cell = cell.trim_end_matches(" },");
                format!(
                    "{start}{columns}{cell}, {} = {cell} }},",
                    super::toml::quoted(&b.replace('\'', ""))
                )
            }
            None => line.to_owned(),
        };
        let _ = writeln!(read, "{line}");
    }
    read.push_str("]\n");
    read
}
