//! Writes every case of packs as JSON, one in a line: the request of the libraries and the arguments
//! of the command that ask the same. `tools/libraries` compares the answers.
//!
//! `cargo run -p adjutant-query --example cases -- packs/panzer8 examples/crt`

use adjutant_api::{Answers, ChartQuery, Topic};
use adjutant_pack::{CaseInputs, Files, Grid, Suite, read_cases};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for folder in std::env::args().skip(1) {
        let no_cases = |faults: Vec<adjutant_pack::Diagnostic>| format!("{folder}: {faults:?}");
        let files = Files::from_folder(Path::new(&folder)).map_err(no_cases)?;
        let Suite { cases, grids, tables } = read_cases(&files).map_err(no_cases)?;
        let cells = grids.iter().flat_map(cells);
        let all = cases.into_iter().map(|case| case.given).chain(cells);
        for given in all {
            println!("{}", one(&folder, &given, tables.as_deref().filter(|_| given.tables)));
        }
    }
    Ok(())
}

fn one(folder: &str, given: &CaseInputs, tables: Option<&str>) -> serde_json::Value {
    let texts = |list: &[(String, String)]| list.iter().cloned().collect::<BTreeMap<_, _>>();
    let mut answers: BTreeMap<String, Answers> = BTreeMap::new();
    for (key, answer) in &given.answers {
        answers.entry(key.clone()).or_default().0.push(answer.clone());
    }
    let query = ChartQuery {
        given: texts(&given.inputs),
        options: texts(&given.options),
        memory: texts(&given.memory),
        answers,
        gone: given.gone.clone(),
        hand: given.hand.clone(),
        dice: Some(Answers(given.dice.clone())),
        cards: Some(given.cards.clone()),
        ..ChartQuery::new(folder, Topic::Chart(given.chart.clone()))
    };
    let numbers = |list: &[u32]| list.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let mut words = vec!["roll".to_owned(), folder.to_owned(), given.chart.clone()];
    words.extend(given.inputs.iter().map(|(name, value)| format!("{name}={value}")));
    let named = [("--option", &given.options), ("--memory", &given.memory)];
    for (flag, list) in named.into_iter().chain([("--answer", &given.answers)]) {
        for (name, value) in list {
            words.extend([flag.to_owned(), format!("{name}={value}")]);
        }
    }
    words.push(format!("--dice={}", given.dice.join(",")));
    words.push(format!("--cards={}", numbers(&given.cards)));
    for (flag, cards) in [("--gone", &given.gone), ("--hand", &given.hand)] {
        words.extend((!cards.is_empty()).then(|| format!("{flag}={}", numbers(cards))));
    }
    words.push("--json".to_owned());
    json!({ "folder": folder, "tables": tables, "request": { "roll": query }, "arguments": words })
}

/// The case of every cell of a grid.
fn cells(grid: &Grid) -> Vec<CaseInputs> {
    let single = (String::new(), vec![String::new()]);
    let (across, values) = grid.across.as_ref().unwrap_or(&single);
    let mut all = Vec::new();
    for (key, _) in &grid.rows {
        for value in values {
            let mut given = grid.given.clone();
            put(&mut given, across, value);
            put(&mut given, &grid.down, key);
            all.push(given);
        }
    }
    all
}

/// Sets one value of an axis. Faces and cards go before those given for all.
fn put(given: &mut CaseInputs, axis: &str, value: &str) {
    let each = || value.split(['+', ',']).map(str::trim);
    let pair = |key: &str| (key.to_owned(), value.to_owned());
    match axis.split_once('.') {
        _ if axis.is_empty() => {}
        _ if axis == "dice" => drop(given.dice.splice(0..0, each().map(str::to_owned))),
        _ if axis == "cards" => {
            drop(given.cards.splice(0..0, each().filter_map(|card| card.parse().ok())));
        }
        Some(("answer", key)) => given.answers.push(pair(key)),
        Some(("option", key)) => given.options.push(pair(key)),
        Some(("memory", key)) => given.memory.push(pair(key)),
        _ => given.inputs.push(pair(axis)),
    }
}
