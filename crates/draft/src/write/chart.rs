//! One chart: its questions, steps, modifiers and rows.

use super::grid::grid_read;
use super::pen::Pen;
use super::results::Results;
use super::table::bands_read;
use super::targets::{changed_read, targets_read};
use super::toml::{clip, list, quoted};
use super::total::value_read;
use crate::ids::Ids;
use crate::link::{Chart, ScoreTable};
use crate::model::{Guess, GuessKind};
use std::fmt::Write;

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
        before: String::new(),
    };
    if chart.again {
        pen.guess(GuessKind::SameTitle, chart.line, chart.at.clone(), &chart.title);
    }
    let targets = targets_read(chart, &mut pen);
    let read = match &chart.reading {
        _ if targets.is_some() => targets.unwrap_or_default(),
        reading @ ScoreTable::Grid(grid) if chart.changes(reading) => {
            changed_read(chart, grid, &mut pen)
        }
        ScoreTable::Grid(grid) => grid_read(grid, &mut pen),
        ScoreTable::Bands(table) => bands_read(chart, table, &mut pen),
        ScoreTable::Nothing => value_read(chart, &mut pen),
    };
    let mut text = std::mem::take(&mut pen.before);
    text += &format!("\n[chart.{}]\ntitle = {}\n", chart.id, quoted(&clip(&chart.title, 150)));
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
