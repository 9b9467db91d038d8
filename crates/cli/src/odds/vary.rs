//! Chances over one or two inputs, as a table whose colours go with the numbers.

use super::{chance_in, percent, plot, sentences};
use crate::args::Odds;
use crate::paint::{DIM, HEAD, Table, in_style};
use anstyle::{Ansi256Color, Style};
use chance::{Accepts, Number};
use serde_json::json;
use sheet::Pack;
use umpire::{Asked, Chanced, Report, Situation};

/// The most cells a table may have.
const MOST_CELLS: usize = 2000;

/// An input and the values it goes through.
pub struct Axis {
    pub name: String,
    pub label: String,
    pub values: Vec<String>,
}

pub fn vary(pack: &Pack, situation: &Situation<'_>, question: &Asked, asked: &Odds) -> Result<String, Vec<String>> {
    if asked.vary.len() > 2 {
        return Err(vec!["at most two inputs can be varied".into()]);
    }
    let axes: Result<Vec<Axis>, String> = asked.vary.iter().map(|text| axis(situation, text)).collect();
    let axes = axes.map_err(|why| vec![why])?;
    if axes.iter().map(|axis| axis.values.len()).product::<usize>() > MOST_CELLS {
        return Err(vec![format!("the table would have more than {MOST_CELLS} cells")]);
    }
    let (down, across) = (&axes[0], axes.get(1));
    let mut grid: Vec<Vec<Report>> = Vec::new();
    for value in &down.values {
        let mut row = Vec::new();
        for other in across.map_or(&[String::new()][..], |axis| &axis.values) {
            let mut here = situation.clone();
            here.give(&down.name, value).map_err(|refusal| vec![refusal.0])?;
            if let Some(axis) = across {
                here.give(&axis.name, other).map_err(|refusal| vec![refusal.0])?;
            }
            row.push(umpire::odds(&here, question).map_err(|stop| sentences(&here, &stop))?);
        }
        grid.push(row);
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
                out.push_str(&two_ways(down, across, &grid, chanced));
            }
        }
    }
    if let Some(path) = &asked.plot {
        out.push_str(&in_style(DIM, format!("\nthe picture is in {}\n", path.display())));
    }
    Ok(out)
}

/// `name=1..8` or `name=yes,no`.
fn axis(situation: &Situation<'_>, text: &str) -> Result<Axis, String> {
    let (name, values) = crate::setup::pair(text)?;
    let chart = situation.chart();
    let Some(input) = chart.input(name) else {
        let known: Vec<&str> = chart.inputs.iter().map(|input| input.name.as_str()).collect();
        let remedy = sheet::nearest(name, known.iter().copied())
            .map_or_else(|| format!("there are: {}", known.join(", ")), |close| format!("did you mean `{close}`?"));
        return Err(format!("{} has no input `{name}`: {remedy}", chart.title));
    };
    let values: Vec<String> = match values.split_once("..") {
        Some((from, to)) => {
            let end = |text: &str| {
                text.trim().parse::<Number>().map_err(|_| format!("--vary {name}: `{}` is not a number: write {name}=1..8", text.trim()))
            };
            let (from, to) = (end(from)?, end(to)?);
            let step = if let Accepts::Number { step, .. } = input.field.accepts { step } else { Number::ONE };
            let mut list = Vec::new();
            let mut at = from;
            while at <= to && list.len() <= MOST_CELLS {
                list.push(at.to_string());
                at = at.plus(step).map_err(|fault| fault.to_string())?;
            }
            list
        }
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if values.is_empty() {
        return Err(format!("--vary {name}: there is nothing between these ends"));
    }
    for value in &values {
        input.field.accepts.read(value).map_err(|why| format!("--vary {name}: {why}"))?;
    }
    Ok(Axis { name: name.to_owned(), label: input.field.label.to_string(), values })
}

/// Every result of every cell, in the order of the sheet.
fn results(pack: &Pack, situation: &Situation<'_>, grid: &[Vec<Report>]) -> Vec<Chanced> {
    let mut all: Vec<Chanced> = Vec::new();
    for chanced in grid.iter().flatten().flat_map(|report| &report.branches).flat_map(|branch| &branch.spread.results) {
        if !all.iter().any(|known| super::same(known, chanced)) {
            all.push(chanced.clone());
        }
    }
    super::in_sheet_order(pack, situation.chart(), &all).into_iter().cloned().collect()
}

/// From blue through grey to orange: told apart by the colour-blind, and the number says it anyway.
fn heat(percent: f64) -> Style {
    const STEPS: [u8; 6] = [24, 31, 67, 101, 136, 172];
    let step = ((percent / 100.0 * STEPS.len() as f64) as usize).min(STEPS.len() - 1);
    Style::new().fg_color(Some(Ansi256Color(231).into())).bg_color(Some(Ansi256Color(STEPS[step]).into()))
}

fn one_way(pack: &Pack, down: &Axis, grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let mut table = Table::new(2);
    let yields = grid.iter().flatten().any(|report| report.branches.iter().any(|branch| branch.spread.values.len() > 1));
    let heads = results.iter().map(|chanced| super::name_of(pack, chanced)).chain(yields.then(|| "mean".to_owned()));
    table.head(std::iter::once(down.label.clone()).chain(heads));
    for (value, row) in down.values.iter().zip(grid) {
        let mut cells = vec![(value.clone(), HEAD)];
        for report in row {
            cells.extend(
                results
                    .iter()
                    .map(|chanced| chance_in(report, chanced))
                    .map(|chance| (format!(" {:>8} ", percent(&chance)), heat(chance.percent()))),
            );
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

fn two_ways(down: &Axis, across: &Axis, grid: &[Vec<Report>], chanced: &Chanced) -> String {
    let mut table = Table::new(2);
    table.head(
        std::iter::once(format!("{} \\ {}", down.label, across.label)).chain(across.values.iter().map(|value| format!("{value:>9}"))),
    );
    for (value, row) in down.values.iter().zip(grid) {
        let cells = row
            .iter()
            .map(|report| chance_in(report, chanced))
            .map(|chance| (format!(" {:>8} ", percent(&chance)), heat(chance.percent())));
        table.row(std::iter::once((value.clone(), HEAD)).chain(cells));
    }
    table.print()
}

fn as_json(pack: &Pack, situation: &Situation<'_>, axes: &[Axis], grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let mut cells = Vec::new();
    for (value, row) in axes[0].values.iter().zip(grid) {
        for (place, report) in row.iter().enumerate() {
            let mut at = serde_json::Map::from_iter([(axes[0].name.clone(), json!(value))]);
            if let Some(axis) = axes.get(1) {
                at.insert(axis.name.clone(), json!(axis.values[place]));
            }
            let chances: Vec<_> = results
                .iter()
                .map(|chanced| json!({ "id": chanced.id, "title": chanced.title, "on": chanced.on, "chance": chance_in(report, chanced) }))
                .collect();
            cells.push(json!({ "at": at, "results": chances }));
        }
    }
    crate::json::pretty(&json!({ "pack": pack.id, "chart": situation.chart().id, "cells": cells }))
}
