#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! `adjutant draft`: what is written passes the check and can be rolled, the report accounts for the
//! sheet, and what cannot be read is said.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const SHEET: &str = "LANTERN HILL\n\nSHOOTING\nRoll 2d6.\n+1  within six inches\n-2  target behind a wall\n\n6 or less   miss\n7 to 9      the target is shaken\n10 or more  the target is down\n\n§$%&§$ ///§§ $$$\n";

fn run(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("HOME", folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .args(words)
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_sheet_becomes_a_pack_that_rolls() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hill.txt"), SHEET).unwrap();
    let drafted = run(dir.path(), &["draft", "hill.txt"]);
    let report = out(&drafted);
    assert!(
        report.contains("8 lines used, 0 kept as notes, 0 ignored, 1 not understood"),
        "{report}{}",
        err(&drafted)
    );
    assert!(report.contains("not understood") && report.contains("table of scores"), "{report}");
    assert!(out(&run(dir.path(), &["check", "lantern-hill"])).contains("sound"));
    let rolled = out(&run(dir.path(), &["roll", "lantern-hill", "shooting", "--dice", "5,3"]));
    assert!(rolled.contains("the target is shaken"), "{rolled}");
    let readme = std::fs::read_to_string(dir.path().join("lantern-hill/README.md")).unwrap();
    assert!(readme.contains("## Not understood") && readme.contains("Line 12"), "{readme}");
    // Nothing is overwritten.
    let again = run(dir.path(), &["draft", "hill.txt"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(err(&again).contains("is there already"));
}

#[test]
fn json_writes_nothing_unless_a_folder_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hill.txt"), SHEET).unwrap();
    let text = out(&run(dir.path(), &["draft", "hill.txt", "--json"]));
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["charts"][0]["id"], "shooting");
    assert_eq!(found["lines"]["not_understood"], 1);
    assert!(found["files"]["pack.toml"].as_str().unwrap().contains("[chart.shooting]"));
    let bytes = &found["pieces"][0]["bytes"][0];
    assert_eq!(
        &SHEET[bytes[0].as_u64().unwrap() as usize..bytes[1].as_u64().unwrap() as usize],
        "LANTERN HILL"
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn several_files_are_the_pages_of_one_sheet() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.txt"), SHEET).unwrap();
    std::fs::write(dir.path().join("b.txt"), "NERVE\n\nRoll a die.\n\n1-3   runs\n4-6   stands\n")
        .unwrap();
    let report = out(&run(dir.path(), &["draft", "a.txt", "b.txt", "-o", "both"]));
    assert!(
        report.contains("b.txt:3") && report.contains("the sheet does not name the die: a d6"),
        "{report}"
    );
    assert!(out(&run(dir.path(), &["check", "both"])).contains("sound"));
}

#[test]
fn what_cannot_be_read_is_said() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("blank.txt"), "\n \n").unwrap();
    std::fs::write(dir.path().join("picture.png"), b"\x89PNG\0\0").unwrap();
    std::fs::write(dir.path().join("sheet.pdf"), b"%PDF-1.4 nothing").unwrap();
    assert!(err(&run(dir.path(), &["draft", "blank.txt"])).contains("it has no text"));
    assert!(err(&run(dir.path(), &["draft", "picture.png"])).contains("is not a text"));
    assert!(err(&run(dir.path(), &["draft", "nowhere.txt"])).contains("cannot be read"));
    let without = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .current_dir(dir.path())
        .env("PATH", dir.path())
        .args(["draft", "sheet.pdf"])
        .output()
        .unwrap();
    assert!(err(&without).contains("pdftotext is not installed"), "{}", err(&without));
}

/// The round trip of `crates/draft/tests/measure` reads stored texts: they are what the bundled packs
/// print today. `BLESS=1` writes them again.
#[test]
fn the_texts_of_the_round_trip_are_what_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../draft/tests/sheets/printed-now");
    for id in ["combat-leader", "panzer8", "chain-reaction", "asl-starter-kit"] {
        let printed = run(dir.path(), &["print", id, "--sheet", "-o", "sheet.pdf", "--force"]);
        assert!(printed.status.success(), "{}", err(&printed));
        let read = Command::new("pdftotext")
            .args(["-layout", "sheet.pdf", "-"])
            .current_dir(dir.path())
            .output()
            .expect("pdftotext is installed (poppler-utils)");
        let file = stored.join(format!("{id}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, out(&read)).unwrap();
        }
        // Another version of pdftotext may leave other blanks.
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let known = std::fs::read_to_string(&file).unwrap();
        assert_eq!(words(&out(&read)), words(&known), "{id}: print it again with BLESS=1");
    }
}
