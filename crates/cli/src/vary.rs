//! One or two inputs varied: what values each goes through, the situation of every cell, and tables
//! whose colours go with the numbers. Charts and fights share it; what a cell says is theirs.

use crate::paint::{HEAD, Table};
use crate::setup::pair;
use adjutant_api::AxisQuery;
use adjutant_engine::InputError;
use adjutant_pack::Field;
use adjutant_query::{TakesInputs, VaryError};
use adjutant_wording::en;
use anstyle::{Ansi256Color, Style};

pub use adjutant_query::{Axis, cell_place};

/// The axes that were asked for, by the inputs there are: `name=1..8` or `name=yes,no`.
pub fn axes(
    title: &str,
    inputs: &[(&str, &Field)],
    vary: &[String],
) -> Result<Vec<Axis>, Vec<String>> {
    let asked = |text: &String| {
        let (name, values) = pair(text).map_err(|why| vec![why.to_string()])?;
        Ok(AxisQuery { input: name.to_owned(), values: vec![values.to_owned()] })
    };
    let over = vary.iter().map(asked).collect::<Result<Vec<_>, Vec<String>>>()?;
    adjutant_query::axes(title, inputs, &over).map_err(|why| vec![sentence(&why)])
}

/// What is wrong, with the option that it was typed after.
fn sentence(why: &VaryError) -> String {
    match why {
        VaryError::NotANumber { name, text, .. } => {
            format!("--vary {name}: `{text}` is not a number: write {name}=1..8")
        }
        VaryError::Number { .. } | VaryError::Empty(_) | VaryError::NotAccepted { .. } => {
            format!("--{why}")
        }
        _ => why.to_string(),
    }
}

/// The situation of every cell, row by row.
pub fn cells<S: TakesInputs>(situation: &S, axes: &[Axis]) -> Result<Vec<Vec<S>>, Vec<String>> {
    let refused = |error: InputError| vec![en::input_error(&error)];
    adjutant_query::cells(situation, axes).map_err(refused)
}

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
    (format!(" {text:>8} "), heat(percent))
}

/// A table over two inputs; of each cell its words and its per cent.
pub fn two_ways<T>(
    down: &Axis,
    across: &Axis,
    grid: &[Vec<T>],
    cell: impl Fn(&T) -> (String, f64),
) -> String {
    let mut table = Table::new(2);
    table.head(
        std::iter::once(format!("{} \\ {}", down.label, across.label))
            .chain(across.values.iter().map(|value| format!("{value:>9}"))),
    );
    for (value, row) in down.values.iter().zip(grid) {
        let cells = row.iter().map(&cell).map(|(text, percent)| hot(&text, percent));
        table.row(std::iter::once((value.clone(), HEAD)).chain(cells));
    }
    table.print()
}
