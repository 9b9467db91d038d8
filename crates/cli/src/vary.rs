//! One or two inputs varied: what values each goes through, the situation of every cell, and tables
//! whose colours go with the numbers. Charts and fights share it; what a cell says is theirs.

use crate::error::Said;
use crate::paint::{HEAD, Table};
use crate::setup::{TakesInputs, pair};
use adjutant_api::Entries;
use adjutant_dice::{Accepts, Number};
use adjutant_pack::{Field, Noun, UnknownName};
use adjutant_wording::en::unknown_name::nearest_or_all;
use anstyle::{Ansi256Color, Style};
use anyhow::{anyhow, bail};

/// The most cells a table may have.
const MOST_CELLS: usize = 2000;

/// An input and the values it goes through.
pub struct Axis {
    pub name: String,
    pub label: String,
    pub values: Vec<String>,
}

/// The axes that were asked for, by the inputs there are.
pub fn axes(
    title: &str,
    inputs: &[(&str, &Field)],
    vary: &[String],
) -> Result<Vec<Axis>, Vec<String>> {
    if vary.len() > 2 {
        return Err(vec!["at most two inputs can be varied".into()]);
    }
    let axes: anyhow::Result<Vec<Axis>> =
        vary.iter().map(|text| axis(title, inputs, text)).collect();
    let axes = axes.map_err(|why| vec![why.to_string()])?;
    if let [down, across] = axes.as_slice()
        && down.name == across.name
    {
        return Err(vec![format!("`{}` is varied twice", down.name)]);
    }
    if axes.iter().map(|axis| axis.values.len()).product::<usize>() > MOST_CELLS {
        return Err(vec![format!("the table would have more than {MOST_CELLS} cells")]);
    }
    Ok(axes)
}

/// `name=1..8` or `name=yes,no`.
fn axis(title: &str, inputs: &[(&str, &Field)], text: &str) -> anyhow::Result<Axis> {
    let (name, values) = pair(text)?;
    let Some((_, field)) = inputs.iter().find(|(known, _)| *known == name) else {
        let unknown = UnknownName::new(Noun::Input, name, inputs.iter().map(|(name, _)| *name));
        bail!("{title} has no input `{name}`: {}", nearest_or_all(&unknown));
    };
    let values: Vec<String> = match values.split_once("..") {
        Some((from, to)) => {
            let end = |text: &str| {
                text.trim().parse::<Number>().map_err(|_| {
                    anyhow!("--vary {name}: `{}` is not a number: write {name}=1..8", text.trim())
                })
            };
            let (from, to) = (end(from)?, end(to)?);
            let step =
                if let Accepts::Number { step, .. } = field.accepts { step } else { Number::ONE };
            let mut list = Vec::new();
            let mut at = from;
            while at <= to && list.len() <= MOST_CELLS {
                list.push(at.to_string());
                at = at.plus(step).said()?;
            }
            list
        }
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if values.is_empty() {
        bail!("--vary {name}: there is nothing between these ends");
    }
    for value in &values {
        field.accepts.read(value).map_err(|why| {
            anyhow!("--vary {name}: {}", adjutant_wording::en::answer_error(&why))
        })?;
    }
    Ok(Axis { name: name.to_owned(), label: field.label.to_string(), values })
}

/// The situation of every cell, row by row.
pub fn cells<S: TakesInputs>(situation: &S, axes: &[Axis]) -> Result<Vec<Vec<S>>, Vec<String>> {
    let [down, more @ ..] = axes else { return Ok(Vec::new()) };
    let mut grid = Vec::new();
    for value in &down.values {
        let mut row = Vec::new();
        for other in more.first().map_or(&[String::new()][..], |axis| &axis.values) {
            let mut here = situation.clone();
            here.give(&down.name, value)
                .map_err(|error| vec![adjutant_wording::en::input_error(&error)])?;
            if let Some(axis) = more.first() {
                here.give(&axis.name, other)
                    .map_err(|error| vec![adjutant_wording::en::input_error(&error)])?;
            }
            row.push(here);
        }
        grid.push(row);
    }
    Ok(grid)
}

/// The values of the varied inputs in a cell, for programs.
pub fn cell_place<'a>(axes: &'a [Axis], value: &'a str, place: usize) -> Entries<&'a str, &'a str> {
    let across =
        axes.get(1).and_then(|axis| Some((axis.name.as_str(), axis.values.get(place)?.as_str())));
    axes.first().map(|axis| (axis.name.as_str(), value)).into_iter().chain(across).collect()
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
