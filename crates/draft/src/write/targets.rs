//! A table of the numbers that dice must reach: one chart looks the number up, and one rolls.

use super::grid::grid_read;
use super::modifiers::modifiers;
use super::pen::{MOST_WORDS, Pen};
use super::rolls::rolls;
use super::rows;
use super::table::asked;
use super::toml::{clip, quoted};
use crate::dice::{Dice, Needs, RollLine, find};
use crate::link::{Chart, ChartRoll, ScoreTable, is_nothing, target};
use crate::model::{BandTable, GuessKind, PrintedCell, WordTable};
use crate::token::tokens;
use std::fmt::Write;

/// Stands for a cell without a number.
const NEVER: i32 = 999;

/// Writes the look-up and the roll, if the table holds numbers to reach and the dice are known.
pub(crate) fn targets_read(chart: &Chart, pen: &mut Pen<'_>) -> Option<String> {
    let dice = dice_of(chart);
    if !chart.has_targets(dice.is_some()) || chart.rolls.len() > 1 {
        return None;
    }
    let mut own = with_roll(chart, dice)?;
    let start = pen.ask.len();
    let read = match &chart.reading {
        ScoreTable::Grid(grid) => grid_read(&numbers_of(grid, pen), pen),
        ScoreTable::Bands(table) => bands_read(&rows_of(table, pen), chart, pen),
        ScoreTable::Nothing => return None,
    };
    let needed = look_up(chart, "needed", "Number needed", &read, start, pen);
    pen.guess(GuessKind::Targets, chart.line, chart.at.clone(), &chart.title);
    let under = own.needs() == Some(Needs::OrLess);
    // What makes a roll under a number easier or harder changes the number.
    let number = if under { changed(&mut own, &needed, pen) } else { format!("{needed}.value") };
    let made = rolls(&own, false, pen);
    let (name, _) = made.first()?;
    let mut never = String::new();
    if read.contains(&NEVER.to_string()) {
        let id = pen.results.id("Not possible");
        never = format!(
            "  {{ when = \"{needed}.value == {NEVER}\", label = \"Not possible\", all = \"{id}\" }},\n"
        );
    }
    never.push_str(&rows::naturals(chart.natural.iter(), &[], false, name, pen));
    let [failure, success] = ["Failure", "Success"].map(|text| pen.results.id(text));
    let score = if under { format!("{number} - {name}") } else { format!("{name} - {number}") };
    Some(format!(
        "score  = \"{score}\"\nrows   = [\n{never}  {{ below = 0, all = \"{failure}\" }},\n  {{ all = \"{success}\" }},\n]\n"
    ))
}

/// Writes the table as a chart of its own, with the questions from `start` on, and a step that looks its
/// number up. Returns the name of the step.
fn look_up(
    chart: &Chart,
    name: &str,
    title: &str,
    read: &str,
    start: usize,
    pen: &mut Pen<'_>,
) -> String {
    let asked = pen.ask[start..].to_owned();
    let id = format!("{}-{name}", chart.id);
    let whole = format!("{}: {}", chart.title, title.to_lowercase());
    pen.before = format!(
        "\n[chart.{id}]\ntitle = {}\n\n[chart.{id}.ask]\n{asked}\n[chart.{id}.read]\n{read}",
        quoted(&clip(&whole, 150))
    );
    let given: Vec<String> = asked
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| format!("{name} = \"{name}\""))
        .collect();
    let step = pen.ids.take(name.to_owned(), None, crate::ids::Style::Underscore);
    let _ = write!(
        pen.steps,
        "[[step]]\nlook_up = \"{id}\"\nas    = \"{step}\"\ntitle = \"{title}\"\nwith  = {{ {} }}\n",
        given.join(", ")
    );
    step
}

/// A grid of numbers with modifiers: the number is looked up, then changed.
pub(crate) fn changed_read(chart: &Chart, grid: &WordTable, pen: &mut Pen<'_>) -> String {
    let start = pen.ask.len();
    let read = grid_read(grid, pen);
    let number = look_up(chart, "table", "In the table", &read, start, pen);
    pen.guess(GuessKind::OnTheNumber, chart.line, chart.at.clone(), "");
    let prefix = chart.id.replace('-', "_");
    let adds = modifiers(&chart.loose, &prefix, false, false, 6, &mut (None, None), chart, pen);
    let _ = write!(
        pen.steps,
        "[[step]]\nwork_out = \"{number}.value\"\nas    = \"total\"\ntitle = \"Total\"\nadd   = [\n{adds}]\n"
    );
    "value = \"total\"\n".to_owned()
}

/// Writes the number with the modifiers of the roll as a step, and returns its name.
fn changed(own: &mut Chart, needed: &str, pen: &mut Pen<'_>) -> String {
    let list = std::mem::take(&mut own.rolls[0].modifiers);
    if list.is_empty() {
        return format!("{needed}.value");
    }
    let (source, at) = (own.rolls[0].source, own.rolls[0].at.clone());
    pen.guess(GuessKind::OnTheNumber, source, at, "");
    let prefix = own.id.replace('-', "_");
    let adds = modifiers(&list, &prefix, false, false, 6, &mut (None, None), own, pen);
    let name = pen.ids.take("number".to_owned(), Some(&prefix), crate::ids::Style::Underscore);
    let _ = write!(
        pen.steps,
        "[[step]]\nwork_out = \"{needed}.value\"\nas    = \"{name}\"\ntitle = \"Number\"\nadd   = [\n{adds}]\n"
    );
    name
}

/// The dice of the roll, of the title, or of a heading such as "1d6 needed".
fn dice_of(chart: &Chart) -> Option<Dice> {
    let roll = chart.rolls.first().and_then(|roll| roll.line.dice);
    let heads: Vec<&str> = match &chart.reading {
        ScoreTable::Bands(table) => table.columns.iter().map(String::as_str).collect(),
        ScoreTable::Grid(grid) => grid.columns.iter().map(|c| c.text.as_str()).collect(),
        ScoreTable::Nothing => Vec::new(),
    };
    let of_head = |text: &&str| find(&tokens(text)).map(|(dice, _, _)| dice).filter(|d| d.named);
    roll.or(chart.titled).or_else(|| heads.iter().find_map(of_head))
}

/// The chart with one roll. Without dice, modifiers or a title such as "Armour save" show that something
/// is rolled.
fn with_roll(chart: &Chart, dice: Option<Dice>) -> Option<Chart> {
    let mut own = chart.clone();
    if own.rolls.is_empty() {
        if dice.is_none() && own.loose.is_empty() && !crate::speaks_of_reach(&own.title) {
            return None;
        }
        let dice = dice.or(Some(Dice { count: 1, sides: 6, named: false }));
        let line = RollLine { dice, ..RollLine::default() };
        let modifiers = std::mem::take(&mut own.loose);
        let (source, at) = (chart.line, chart.at.clone());
        own.rolls.push(ChartRoll::new(line, modifiers, source, at));
    }
    own.rolls[0].line.test = None;
    Some(own)
}

/// A cell as a number, with a guess if it has none.
fn number(cell: &PrintedCell, line: u32, pen: &mut Pen<'_>) -> PrintedCell {
    let n = target(&cell.text);
    if n.is_none() || is_nothing(&cell.text) {
        pen.guess(GuessKind::NoTarget, line, cell.at.clone(), &cell.text);
    }
    PrintedCell { text: n.unwrap_or(NEVER).to_string(), at: cell.at.clone() }
}

fn numbers_of(grid: &WordTable, pen: &mut Pen<'_>) -> WordTable {
    let mut own = grid.clone();
    for row in &mut own.rows {
        row.cells = row.cells.iter().map(|cell| number(cell, row.line, pen)).collect();
    }
    own
}

fn rows_of(table: &BandTable, pen: &mut Pen<'_>) -> BandTable {
    let mut own = table.clone();
    for row in &mut own.rows {
        row.cells = row.cells.iter().map(|cell| number(cell, row.line, pen)).collect();
    }
    own
}

fn bands_read(table: &BandTable, chart: &Chart, pen: &mut Pen<'_>) -> String {
    let (columns, words) = if table.columns.len() > 1 && table.columns.len() <= MOST_WORDS {
        pen.choice(super::pen::across(&table.across), &table.columns)
    } else {
        (String::new(), Vec::new())
    };
    let plain = Chart { loose: Vec::new(), ..chart.clone() };
    let score = asked(table, &plain, pen);
    let mut read = format!("score  = \"{score}\"\n");
    if !columns.is_empty() {
        let _ = writeln!(read, "column = \"{columns}\"");
    }
    let rows = rows::bands(table, &words, (None, None), None, pen);
    let _ = write!(read, "rows   = [\n{rows}]\n");
    read
}
