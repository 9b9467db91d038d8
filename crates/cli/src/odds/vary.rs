//! The chances of a chart over one or two inputs: of each result, or of each number where the chart
//! gives no results.

use super::{percent, plot};
use crate::args::Odds;
use crate::error::CommandError;
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::vary::{hot, two_ways};
use adjutant_engine::{Distribution, OddsReport};
use adjutant_pack::Pack;
use adjutant_query::{Axis, Followed, OddsGrid};

/// The most numbers with a column or a table of their own; where there are more, their ends and
/// their mean are shown.
const MOST_NUMBERS: usize = 12;

/// The odds of a cell; none if they are too large to be exact.
type CellOdds = Option<OddsReport>;

/// The text of a cell that is too large.
const TOO_LARGE: &str = "too large";

fn first(report: &OddsReport) -> Option<&Distribution> {
    report.branches.first().map(|branch| &branch.spread)
}

/// The table, as text or JSON, and as a picture where one is asked for.
pub fn shown(found: &OddsGrid<'_>, asked: &Odds) -> Result<String, CommandError> {
    let drawn = match &asked.plot {
        None => None,
        Some(_) if found.grid.iter().flatten().any(Option::is_none) => {
            let why =
                "some cells are too large for exact odds, so there is no picture: leave out --plot";
            return Err(CommandError::usage([why.to_owned()]));
        }
        Some(path) => Some((path, plot::write(path, &found.plot())?)),
    };
    if asked.json {
        return Ok(crate::json::pretty(&found.data()));
    }
    let mut out = as_text(found);
    match drawn {
        None => {}
        Some((path, drawn)) if drawn.is_empty() => out.push_str(&plot::written(path)),
        Some((_, drawn)) => out.push_str(&drawn),
    }
    Ok(out)
}

fn as_text(found: &OddsGrid<'_>) -> String {
    let OddsGrid { situation, axes, grid, lines, .. } = found;
    let pack = situation.pack();
    let numbers = matches!(lines.first(), Some(Followed::Value(_)));
    let many = lines.len() > MOST_NUMBERS && numbers;
    let shown = if many { &[] } else { lines.as_slice() };
    let mut out =
        format!("{}  {}\n", in_style(HEAD, &situation.chart().title), in_style(DIM, pack.title()));
    match axes.as_slice() {
        [] => {}
        [down] => out.push_str(&one_way(pack, down, grid, shown, many)),
        [down, across, ..] => {
            for line in shown {
                out.push_str(&format!("\n{}\n", in_style(HEAD, line.name(pack))));
                out.push_str(&two_ways(down, across, grid, |cell| match line.chance(cell) {
                    Some(chance) => (percent(&chance), chance.percent()),
                    None => (TOO_LARGE.to_owned(), 0.0),
                }));
            }
            if numbers {
                out.push_str(&means(down, across, grid));
            }
        }
    }
    out
}

/// The mean of the numbers of a cell, if it yields numbers.
fn mean(cell: &CellOdds) -> Option<f64> {
    first(cell.as_ref()?).and_then(Distribution::mean).map(|mean| mean.value())
}

fn one_way(
    pack: &Pack,
    down: &Axis,
    grid: &[Vec<CellOdds>],
    lines: &[Followed],
    many: bool,
) -> String {
    let mut table = Table::of_figures(2);
    let yields = grid
        .iter()
        .flatten()
        .flatten()
        .any(|report| report.branches.iter().any(|branch| branch.spread.values.len() > 1));
    let ends = if many { &["least", "most"][..] } else { &[] };
    let heads =
        lines.iter().map(|line| line.name(pack)).chain(ends.iter().map(|end| (*end).to_owned()));
    table.head(
        std::iter::once(down.label.clone()).chain(heads).chain(yields.then(|| "mean".to_owned())),
    );
    for (value, row) in down.values.iter().zip(grid) {
        let mut cells = vec![(value.clone(), HEAD)];
        for cell in row {
            let Some(report) = cell else {
                cells.push((TOO_LARGE.to_owned(), DIM));
                continue;
            };
            cells.extend(
                lines
                    .iter()
                    .filter_map(|line| line.chance(cell))
                    .map(|chance| hot(&percent(&chance), chance.percent())),
            );
            let values = first(report).map_or(&[][..], |spread| &spread.values);
            let ends = [values.first(), values.last()]
                .map(|end| end.map_or(String::new(), |(value, _)| value.to_string()));
            cells.extend(ends.into_iter().filter(|_| many).map(|end| (end, HEAD)));
            cells
                .extend(yields.then(|| {
                    (mean(cell).map_or(String::new(), |mean| format!("{mean:.2}")), HEAD)
                }));
        }
        table.row(cells);
    }
    table.print()
}

/// The means over two inputs, each in the colour of its place between the least and the greatest.
fn means(down: &Axis, across: &Axis, grid: &[Vec<CellOdds>]) -> String {
    let numbers = || grid.iter().flatten().filter_map(mean);
    let (least, most) =
        (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let place =
        |mean: f64| if most > least { (mean - least) / (most - least) * 100.0 } else { 0.0 };
    let table = two_ways(down, across, grid, |cell| {
        let none = if cell.is_some() { "–" } else { TOO_LARGE };
        mean(cell)
            .map_or_else(|| (none.to_owned(), 0.0), |mean| (format!("{mean:.2}"), place(mean)))
    });
    format!("\n{}\n{table}", in_style(HEAD, "mean"))
}
