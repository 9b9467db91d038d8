#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The odds of the example packs, compared with fractions that `tools/example-odds.py` works out by
//! brute force from the rules alone.

use adjutant_engine::{OddsOptions, Situation, odds};
use adjutant_pack::{Files, Pack, read_pack};
use serde_json::Value;
use std::collections::BTreeMap;

fn example(name: &str) -> Pack {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let paths = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let of_pack = paths.filter(|path| path.extension().is_some_and(|end| end != "md"));
    let files = Files::of(of_pack.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    }));
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{name}: {faults:#?}"))
}

fn texts(of: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    of.as_object().unwrap().iter().map(|(name, value)| (name.clone(), text(value))).collect()
}

#[test]
fn the_odds_of_the_examples_are_those_counted_by_brute_force() {
    let counted: Vec<Value> = serde_json::from_str(include_str!("example_odds.json")).unwrap();
    assert!(counted.len() >= 30, "{} distributions", counted.len());
    for entry in &counted {
        let pack = example(entry["pack"].as_str().unwrap());
        let mut situation = Situation::new(&pack, entry["chart"].as_str().unwrap()).unwrap();
        for (name, value) in texts(&entry["given"]) {
            situation.give(&name, &value).unwrap_or_else(|error| panic!("{entry}: {error}"));
        }
        let report = odds(&situation, &OddsOptions::default()).unwrap();
        let [branch] = report.branches.as_slice() else { panic!("{entry}: a question is open") };
        if entry.get("results").is_some() {
            let found = branch.spread.results.iter().map(|result| {
                let on = result.on.as_ref().map_or(String::new(), |on| format!("@{on}"));
                (format!("{}{on}", result.id), result.chance.exact())
            });
            assert_eq!(found.collect::<BTreeMap<_, _>>(), texts(&entry["results"]), "{entry}");
        }
        if entry.get("values").is_some() {
            let found = branch.spread.values.iter();
            let found = found.map(|(value, chance)| (value.to_string(), chance.exact()));
            assert_eq!(found.collect::<BTreeMap<_, _>>(), texts(&entry["values"]), "{entry}");
        }
    }
}
