#![allow(clippy::expect_used, clippy::panic, missing_docs)]
//! Runs every case of every bundled pack, and checks that together they reach every rule.

use adjutant_engine::{CaseReport, try_suite};
use adjutant_pack::{Files, Pack, read_cases, read_pack, warnings};
use adjutant_wording::en;
use std::path::Path;

/// The packs of the folder `examples`, by name.
fn examples() -> Vec<(String, Files)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(folder).expect("the folder is there");
    let paths = folders.map(|entry| entry.expect("a folder").path()).filter(|path| path.is_dir());
    paths
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            assert!(path.join("README.md").exists(), "{name} has no README");
            (name, Files::from_folder(&path).expect("the example is there"))
        })
        .collect()
}

fn tried(id: &str) -> (Pack, CaseReport) {
    tried_files(id, &adjutant_bundled_packs::files(id).expect("the pack is shipped"))
}

fn tried_files(id: &str, files: &Files) -> (Pack, CaseReport) {
    let pack = read_pack(files, None).unwrap_or_else(|faults| panic!("{id}: {faults:#?}"));
    let suite = read_cases(files).unwrap_or_else(|faults| panic!("{id}: {faults:#?}"));
    let filled = suite.tables.as_ref().map(|tables| {
        read_pack(files, Some(tables)).unwrap_or_else(|faults| panic!("{id}: {faults:#?}"))
    });
    let trial = try_suite(&pack, filled.as_ref(), &suite, en::case_error);
    (pack, trial)
}

#[test]
fn every_case_of_every_pack_comes_out_as_expected() {
    for id in adjutant_bundled_packs::IDS {
        let (_, trial) = tried(id);
        let wrong: Vec<String> = trial
            .failures
            .iter()
            .take(20)
            .map(|failure| format!("{}: {}", failure.name, en::case_failure(&failure.why)))
            .collect();
        assert!(
            wrong.is_empty(),
            "{id}: {} of {} cases fail:\n{}",
            trial.failures.len(),
            trial.failures.len() + trial.passed,
            wrong.join("\n")
        );
        assert!(trial.passed > 200, "{id}: only {} cases", trial.passed);
    }
}

#[test]
fn the_cases_reach_every_row_modifier_and_card_of_every_pack() {
    for id in adjutant_bundled_packs::IDS {
        let (pack, trial) = tried(id);
        let missing = en::coverage_lines(&pack, &trial.coverage.missing(&pack));
        assert!(
            missing.is_empty(),
            "{id}: {} marks are not reached:\n{}",
            missing.len(),
            missing[..missing.len().min(40)].join("\n")
        );
    }
}

#[test]
fn every_pack_is_free_of_warnings_and_so_valid_toml_1_0() {
    let bundled = adjutant_bundled_packs::IDS.iter().map(|id| {
        ((*id).to_owned(), adjutant_bundled_packs::files(id).expect("the pack is shipped"))
    });
    let skeleton = ("skeleton".to_owned(), adjutant_bundled_packs::skeleton("my-game"));
    for (id, files) in bundled.chain([skeleton]).chain(examples()) {
        assert!(files.text("cases.toml").is_some(), "{id}: the cases are looked at too");
        assert_eq!(warnings(&files), [], "{id}");
    }
}

#[test]
fn every_example_passes_its_cases_and_they_reach_everything() {
    let examples = examples();
    assert!(examples.len() >= 2, "only {} examples were found", examples.len());
    for (id, files) in examples {
        let (pack, trial) = tried_files(&id, &files);
        let wrong: Vec<String> = trial
            .failures
            .iter()
            .map(|failure| format!("{}: {}", failure.name, en::case_failure(&failure.why)))
            .collect();
        assert!(wrong.is_empty(), "{id}:\n{}", wrong.join("\n"));
        let missing = en::coverage_lines(&pack, &trial.coverage.missing(&pack));
        assert!(missing.is_empty(), "{id} does not reach:\n{}", missing.join("\n"));
    }
}
