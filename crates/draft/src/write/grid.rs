//! A grid: words down and across.

use super::pen::{MOST_WORDS, Pen};
use super::rows;
use super::toml::quoted;
use crate::model::{GuessKind, WordTable};
use std::fmt::Write;

/// A grid: one question for the rows, one for the columns.
pub(crate) fn grid_read(grid: &WordTable, pen: &mut Pen<'_>) -> String {
    let heads: Vec<String> =
        grid.rows.iter().map(|row| named(&row.head.text)).take(MOST_WORDS).collect();
    let columns: Vec<String> =
        grid.columns.iter().map(|c| c.text.clone()).take(MOST_WORDS).collect();
    if grid.rows.len() > MOST_WORDS || grid.columns.len() > MOST_WORDS {
        pen.guess(GuessKind::Cut, grid.rows[0].line, grid.rows[0].head.at.clone(), &grid.corner);
    }
    let as_number = crate::num::of_cells(grid.rows.iter().flat_map(|row| &row.cells));
    // "Range   0-2000   2001-5000": the corner names what stands across, not the rows.
    let scale = |texts: &[String]| texts.iter().all(|text| crate::band::whole(text).is_some());
    let named = !grid.corner.is_empty();
    let is_across = named && scale(&columns) && !scale(&heads) && crate::names_scale(&grid.corner);
    let corner = if named && !is_across { &grid.corner } else { "Row" };
    let top = match () {
        () if is_across => grid.corner.as_str(),
        () if columns.iter().all(|text| crate::is_distance(text)) => "Range",
        () => "Column",
    };
    let mut read = String::new();
    let (down, words) =
        if heads.len() >= 2 { pen.choice(corner, &heads) } else { Default::default() };
    let (across, ids) =
        if columns.len() >= 2 { pen.choice(top, &columns) } else { Default::default() };
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

/// A row head without the dash that parts it from its cell.
fn named(text: &str) -> String {
    text.trim_end_matches([' ', '–', '—', '-', ':']).to_owned()
}

fn two_figures(text: &str) -> bool {
    let figures = crate::token::tokens(text).iter().filter(|t| t.num().is_some()).count();
    figures == 2 && text.chars().count() <= 10 && (text.contains('/') || text.contains('('))
}
