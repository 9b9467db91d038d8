//! The chances of a chart over one or two inputs.

use super::{percent, plot, sentences};
use crate::args::Odds;
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::vary::{axes, cells, hot, place_json, two_ways};
use serde_json::json;
use sheet::{Field, Pack};
use umpire::{Asked, Chanced, Report, Situation};

pub use crate::vary::Axis;

pub fn vary(pack: &Pack, situation: &Situation<'_>, question: &Asked, asked: &Odds) -> Result<String, Vec<String>> {
    let chart = situation.chart();
    let inputs: Vec<(&str, &Field)> = chart.inputs.iter().map(|input| (input.name.as_str(), &input.field)).collect();
    let axes = axes(&chart.title, &inputs, &asked.vary)?;
    let (down, across) = (&axes[0], axes.get(1));
    let mut grid: Vec<Vec<Report>> = Vec::new();
    for row in cells(situation, &axes)? {
        let report = |here: Situation<'_>| umpire::odds(&here, question).map_err(|stop| sentences(here.closed_by(), &stop));
        grid.push(row.into_iter().map(report).collect::<Result<_, _>>()?);
    }
    let results = results(pack, situation, &grid);
    if let Some(path) = &asked.plot {
        plot::write(path, pack, situation, &axes, &grid, &results).map_err(|why| vec![why])?;
    }
    if asked.json {
        return Ok(as_json(pack, situation, &axes, &grid, &results));
    }
    let mut out = format!("{}  {}\n", in_style(HEAD, &situation.chart().title), in_style(DIM, &pack.title));
    match across {
        None => out.push_str(&one_way(pack, down, &grid, &results)),
        Some(across) => {
            for chanced in &results {
                out.push_str(&format!("\n{}\n", in_style(HEAD, super::name_of(pack, chanced))));
                out.push_str(&two_ways(down, across, &grid, |report| {
                    let chance = report.chance_of(chanced);
                    (percent(&chance), chance.percent())
                }));
            }
        }
    }
    if let Some(path) = &asked.plot {
        out.push_str(&in_style(DIM, format!("\nthe picture is in {}\n", path.display())));
    }
    Ok(out)
}

/// Every result of every cell, in the order of the sheet.
fn results(pack: &Pack, situation: &Situation<'_>, grid: &[Vec<Report>]) -> Vec<Chanced> {
    let all = umpire::all_results(grid.iter().flatten());
    umpire::in_sheet_order(pack, situation.chart(), &all).into_iter().cloned().collect()
}

fn one_way(pack: &Pack, down: &Axis, grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let mut table = Table::new(2);
    let yields = grid.iter().flatten().any(|report| report.branches.iter().any(|branch| branch.spread.values.len() > 1));
    let heads = results.iter().map(|chanced| super::name_of(pack, chanced)).chain(yields.then(|| "mean".to_owned()));
    table.head(std::iter::once(down.label.clone()).chain(heads));
    for (value, row) in down.values.iter().zip(grid) {
        let mut cells = vec![(value.clone(), HEAD)];
        for report in row {
            cells.extend(results.iter().map(|chanced| report.chance_of(chanced)).map(|chance| hot(&percent(&chance), chance.percent())));
            let mean = report
                .branches
                .first()
                .and_then(|branch| branch.spread.mean())
                .map_or(String::new(), |mean| format!("{:.2}", mean.percent() / 100.0));
            cells.extend(yields.then_some((mean, HEAD)));
        }
        table.row(cells);
    }
    table.print()
}

fn as_json(pack: &Pack, situation: &Situation<'_>, axes: &[Axis], grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let mut cells = Vec::new();
    for (value, row) in axes[0].values.iter().zip(grid) {
        for (place, report) in row.iter().enumerate() {
            let at = place_json(axes, value, place);
            let chances: Vec<_> = results
                .iter()
                .map(|chanced| json!({ "id": chanced.id, "title": chanced.title, "on": chanced.on, "chance": report.chance_of(chanced) }))
                .collect();
            cells.push(json!({ "at": at, "results": chances }));
        }
    }
    crate::json::pretty(&json!({ "pack": pack.id, "chart": situation.chart().id, "cells": cells }))
}
