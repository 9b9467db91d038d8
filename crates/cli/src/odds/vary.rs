//! The chances of a chart over one or two inputs: of each result, or of each number where the chart
//! gives no results.

use super::{percent, plot, sentences};
use crate::args::Odds;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::setup::refuse_unasked;
use crate::vary::{axes, cell_place, cells, hot, two_ways};
use adjutant_api::{CellNumbers, CellResult, CellValue, MeanData, OddsCell, OddsTable};
use adjutant_dice::Number;
use adjutant_engine::{
    Chance, Distribution, OddsError, OddsOptions, OddsReport, OutcomeChance, Situation,
    check_answers,
};
use adjutant_pack::{Field, Pack};
use std::collections::BTreeSet;

pub use crate::vary::Axis;

/// How many numbers have a column or a table of their own; where there are more, their ends and
/// their mean are shown.
const MOST_NUMBERS: usize = 12;

/// The odds of a cell; none if they are too large to be exact.
pub type Cell = Option<OddsReport>;

/// What a cell says that is too large.
const TOO_LARGE: &str = "too large";

/// What is followed from cell to cell.
pub enum Line {
    Result(OutcomeChance),
    Value(Number),
}

impl Line {
    pub fn name(&self, pack: &Pack) -> String {
        match self {
            Line::Result(chanced) => super::name_of(pack, chanced),
            Line::Value(value) => value.to_string(),
        }
    }

    /// The id of a result.
    pub fn result_id(&self) -> Option<&str> {
        match self {
            Line::Result(chanced) => Some(&chanced.id),
            Line::Value(_) => None,
        }
    }

    /// None if the cell is too large.
    pub fn chance(&self, cell: &Cell) -> Option<Chance> {
        let report = cell.as_ref()?;
        Some(match self {
            Line::Result(chanced) => report.chance_of(chanced),
            Line::Value(value) => {
                let known = first(report)
                    .and_then(|spread| spread.values.iter().find(|(known, _)| known == value));
                known.map_or_else(|| Chance::sum([]), |(_, chance)| chance.clone())
            }
        })
    }
}

fn first(report: &OddsReport) -> Option<&Distribution> {
    report.branches.first().map(|branch| &branch.spread)
}

pub fn vary(
    shelf: &PackRegistry,
    pack: &Pack,
    situation: &Situation<'_>,
    question: &OddsOptions,
    asked: &Odds,
) -> Result<String, Vec<String>> {
    let chart = situation.chart();
    let inputs: Vec<(&str, &Field)> =
        chart.inputs.iter().map(|input| (input.name.as_str(), &input.field)).collect();
    let axes = axes(&chart.title, &inputs, &asked.vary)?;
    let (down, across) = (&axes[0], axes.get(1));
    let cells = cells(situation, &axes)?;
    let checks = cells.iter().flatten().map(|cell| check_answers(cell, question));
    refuse_unasked(checks).map_err(|why| vec![why.to_string()])?;
    let mut grid: Vec<Vec<Cell>> = Vec::new();
    let mut last = None;
    for row in cells {
        let mut report = |here: Situation<'_>| match adjutant_engine::odds(&here, question) {
            Ok(report) => Ok(Some(report)),
            Err(OddsError::TooLarge(large)) => {
                last = Some(large);
                Ok(None)
            }
            Err(stop) => Err(sentences(here.closed_by(), &stop)),
        };
        grid.push(row.into_iter().map(&mut report).collect::<Result<_, _>>()?);
    }
    if let Some(large) = last.filter(|_| grid.iter().flatten().all(Option::is_none)) {
        return Err(super::too_large(&large, shelf, asked));
    }
    let lines = lines(pack, situation, &grid);
    if asked.plot.is_some() && grid.iter().flatten().any(Option::is_none) {
        let why =
            "some cells are too large for exact odds, so there is no picture: leave out --plot";
        return Err(vec![why.into()]);
    }
    let drawn = match &asked.plot {
        Some(path) => plot::write(path, pack, situation, &axes, &grid, &lines)
            .map_err(|why| vec![format!("{why:#}")])?,
        None => String::new(),
    };
    if asked.json {
        return Ok(as_json(pack, situation, &axes, &grid, &lines));
    }
    let many = lines.len() > MOST_NUMBERS && matches!(lines.first(), Some(Line::Value(_)));
    let shown = if many { &[] } else { lines.as_slice() };
    let mut out =
        format!("{}  {}\n", in_style(HEAD, &situation.chart().title), in_style(DIM, pack.title()));
    match across {
        None => out.push_str(&one_way(pack, down, &grid, shown, many)),
        Some(across) => {
            for line in shown {
                out.push_str(&format!("\n{}\n", in_style(HEAD, line.name(pack))));
                out.push_str(&two_ways(down, across, &grid, |cell| match line.chance(cell) {
                    Some(chance) => (percent(&chance), chance.percent()),
                    None => (TOO_LARGE.to_owned(), 0.0),
                }));
            }
            if matches!(lines.first(), Some(Line::Value(_))) {
                out.push_str(&means(down, across, &grid));
            }
        }
    }
    match &asked.plot {
        Some(_) if !drawn.is_empty() => out.push_str(&drawn),
        Some(path) => {
            out.push_str(&in_style(DIM, format!("\nthe picture is in {}\n", path.display())));
        }
        None => {}
    }
    Ok(out)
}

/// Every result of every cell, in the order of the sheet; every number where there are no results.
fn lines(pack: &Pack, situation: &Situation<'_>, grid: &[Vec<Cell>]) -> Vec<Line> {
    let all = adjutant_engine::all_results(grid.iter().flatten().flatten());
    if !all.is_empty() {
        return adjutant_engine::in_sheet_order(pack, situation.chart(), &all)
            .into_iter()
            .cloned()
            .map(Line::Result)
            .collect();
    }
    let values = grid
        .iter()
        .flatten()
        .flatten()
        .filter_map(first)
        .flat_map(|spread| spread.values.iter().map(|(value, _)| *value));
    values.collect::<BTreeSet<Number>>().into_iter().map(Line::Value).collect()
}

/// The mean of the numbers of a cell, if it yields numbers.
fn mean(cell: &Cell) -> Option<f64> {
    first(cell.as_ref()?).and_then(Distribution::mean).map(|mean| mean.value())
}

fn one_way(pack: &Pack, down: &Axis, grid: &[Vec<Cell>], lines: &[Line], many: bool) -> String {
    let mut table = Table::new(2);
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
fn means(down: &Axis, across: &Axis, grid: &[Vec<Cell>]) -> String {
    let known = || grid.iter().flatten().filter_map(mean);
    let (least, most) =
        (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let place =
        |mean: f64| if most > least { (mean - least) / (most - least) * 100.0 } else { 0.0 };
    let table = two_ways(down, across, grid, |cell| {
        let none = if cell.is_some() { "–" } else { TOO_LARGE };
        mean(cell)
            .map_or_else(|| (none.to_owned(), 0.0), |mean| (format!("{mean:.2}"), place(mean)))
    });
    format!("\n{}\n{table}", in_style(HEAD, "mean"))
}

fn as_json(
    pack: &Pack,
    situation: &Situation<'_>,
    axes: &[Axis],
    grid: &[Vec<Cell>],
    lines: &[Line],
) -> String {
    let yields =
        grid.iter().flatten().flatten().filter_map(first).any(|spread| !spread.values.is_empty());
    let mut cells = Vec::new();
    for (value, row) in axes[0].values.iter().zip(grid) {
        for (place, cell) in row.iter().enumerate() {
            let results = lines.iter().filter_map(|line| match line {
                Line::Result(known) => Some(CellResult {
                    id: &known.id,
                    title: &known.title,
                    on: known.on.as_deref(),
                    chance: line.chance(cell)?,
                }),
                Line::Value(_) => None,
            });
            let numbers =
                cell.as_ref().and_then(first).filter(|_| yields).map(|spread| CellNumbers {
                    values: spread
                        .values
                        .iter()
                        .map(|(value, chance)| CellValue { value: *value, chance })
                        .collect(),
                    mean: spread.mean().map(|mean| MeanData::exactly(mean.exact(), mean.value())),
                });
            cells.push(OddsCell {
                at: cell_place(axes, value, place),
                results: results.collect(),
                numbers,
                too_large: cell.is_none(),
            });
        }
    }
    crate::json::pretty(&OddsTable { pack: pack.id(), chart: &situation.chart().id, cells })
}
