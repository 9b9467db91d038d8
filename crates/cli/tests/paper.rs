#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sheets, reports and records as files: the ending says the form, nothing is overwritten, and what cannot be done leaves nothing behind.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command.current_dir(folder).env_remove("ADJUTANT_PACKS").env("XDG_DATA_HOME", folder.join("data")).env("HOME", folder);
    command.env("ADJUTANT_STORE", folder.join("tables.db")).stdin(Stdio::null()).args(words).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(code(output), 2);
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_sheet_takes_its_form_from_the_ending() {
    let dir = tempfile::tempdir().unwrap();
    for (name, begins) in
        [("s.pdf", "%PDF-"), ("s.html", "<!DOCTYPE html>"), ("s.md", "# Panzer8"), ("s.svg", "<svg "), ("s.png", "\u{fffd}PNG")]
    {
        assert_eq!(code(&run(dir.path(), &["print", "panzer8", "fire", "--sheet", "--odds", "--dpi", "40", "-o", name])), 0, "{name}");
        let bytes = std::fs::read(dir.path().join(name)).unwrap();
        assert!(String::from_utf8_lossy(&bytes).starts_with(begins), "{name}");
    }
    // Two pages are two pictures.
    assert_eq!(code(&run(dir.path(), &["print", "chain-reaction", "--sheet", "--dpi", "30", "-o", "c.png"])), 0);
    assert!(files(dir.path()).contains(&"c-2.png".to_owned()));
}

#[test]
fn what_cannot_be_printed_is_said_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let said = complaint(&run(dir.path(), &["print", "panzer8", "fyre", "fire-fight", "--sheet", "-o", "s.pdf"]));
    assert!(said.contains("`fyre`: did you mean `fire`?") && said.contains("fire-fight is a fight"), "{said}");
    assert!(complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "s.doc"])).contains(".pdf, .html, .md, .svg or .png"));
    assert!(complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "nowhere/s.pdf"])).contains("cannot be written"));
    std::fs::write(dir.path().join("there.md"), "mine").unwrap();
    assert!(complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "there.md"])).contains("--force"));
    assert_eq!(std::fs::read(dir.path().join("there.md")).unwrap(), b"mine");
    assert_eq!(files(dir.path()), ["there.md"]);
}

#[test]
fn a_table_goes_onto_paper() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(code(&run(dir.path(), &["table", "new", "panzer8", "--name", "Hill", "--start", "first-game"])), 0);
    for form in ["pdf", "record", "roster"] {
        let piped = run(dir.path(), &["export", "Hill", "--as", form]);
        assert!(code(&piped) == 0 && piped.stdout.starts_with(b"%PDF-"), "{form}");
        let name = format!("{form}.pdf");
        assert_eq!(code(&run(dir.path(), &["export", "Hill", "--as", form, "--paper", "letter", "-o", &name])), 0);
        assert!(complaint(&run(dir.path(), &["export", "Hill", "--as", form, "-o", &name])).contains("--force"));
    }
    assert_eq!(code(&run(dir.path(), &["table", "new", "panzer8", "--name", "Empty"])), 0);
    assert!(complaint(&run(dir.path(), &["export", "Empty", "--as", "roster", "-o", "e.pdf"])).contains("no units are on the table"));
}
