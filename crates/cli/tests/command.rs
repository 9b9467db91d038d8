//! The command as it is typed: the README's tour, and the error sentences.
#![allow(missing_docs)]

#[test]
fn the_readme_tells_the_truth() {
    trycmd::TestCases::new()
        .env("ADJUTANT_PACKS", "")
        .env("XDG_DATA_HOME", "/nonexistent")
        .case("../../README.md")
        .case("tests/command/*.md");
}
