//! Tables over one or two inputs, whose colours go with the numbers. Charts and fights share it;
//! what a cell says is theirs.

use crate::paint::{HEAD, Table};
use adjutant_query::Axis;
use anstyle::{Ansi256Color, Style};

/// From blue through grey to orange: told apart by the colour-blind, and the number says it anyway.
fn heat(percent: f64) -> Style {
    const STEPS: [u8; 6] = [24, 31, 67, 101, 136, 172];
    let step = ((percent / 100.0 * STEPS.len() as f64) as usize).min(STEPS.len() - 1);
    Style::new()
        .fg_color(Some(Ansi256Color(231).into()))
        .bg_color(Some(Ansi256Color(STEPS[step]).into()))
}

/// A cell in the colour of its per cent.
pub fn hot(text: &str, percent: f64) -> (String, Style) {
    (text.to_owned(), heat(percent))
}

/// A table over two inputs; of each cell its words and its per cent.
pub fn two_ways<T>(
    down: &Axis,
    across: &Axis,
    grid: &[Vec<T>],
    cell: impl Fn(&T) -> (String, f64),
) -> String {
    let mut table = Table::of_figures(2);
    table.head(
        std::iter::once(format!("{} \\ {}", down.label, across.label))
            .chain(across.values.iter().cloned()),
    );
    for (value, row) in down.values.iter().zip(grid) {
        let cells = row.iter().map(&cell).map(|(text, percent)| hot(&text, percent));
        table.row(std::iter::once((value.clone(), HEAD)).chain(cells));
    }
    table.print()
}
