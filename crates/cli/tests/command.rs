//! The command as it is typed: the README's tour, the error sentences, and games in progress.
#![allow(missing_docs, clippy::unwrap_used)]

/// Cases in a store of their own, in which Anna plays.
fn cases(store: &tempfile::TempDir) -> trycmd::TestCases {
    let place = store.path().join("tables.db").to_string_lossy().into_owned();
    let cases = trycmd::TestCases::new();
    cases
        .env("ADJUTANT_PACKS", "")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("XDG_STATE_HOME", "/nonexistent")
        .env("ADJUTANT_STORE", &place)
        .env("ADJUTANT_NAME", "Anna")
        .insert_var("[STORE]", place)
        .unwrap();
    cases
}

#[test]
fn the_readme_tells_the_truth() {
    let store = tempfile::tempdir().unwrap();
    cases(&store).case("../../README.md").case("tests/command/*.md").run();
}

#[test]
fn the_page_on_the_command_tells_the_truth() {
    let store = tempfile::tempdir().unwrap();
    cases(&store).case("../../docs/command.md").run();
}

#[test]
fn games_in_progress_go_as_they_are_told() {
    let store = tempfile::tempdir().unwrap();
    cases(&store).case("tests/tables/*.md").run();
}
