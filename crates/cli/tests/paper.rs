#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sheets, reports and records as files: the ending says the form, nothing is overwritten, and what
//! cannot be done leaves nothing behind.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder);
    command
        .env("ADJUTANT_STORE", folder.join("tables.db"))
        .stdin(Stdio::null())
        .args(words)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(code(output), 2);
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_sheet_takes_its_form_from_the_ending() {
    let dir = tempfile::tempdir().unwrap();
    for (name, begins) in [
        ("s.pdf", "%PDF-"),
        ("s.html", "<!DOCTYPE html>"),
        ("s.md", "# Panzer8"),
        ("s.svg", "<svg "),
        ("s.png", "\u{fffd}PNG"),
    ] {
        let dpi = if name == "s.png" { &["--dpi", "40"][..] } else { &[] };
        assert_eq!(
            code(&run(
                dir.path(),
                &[&["print", "panzer8", "fire", "--sheet", "--odds", "-o", name], dpi].concat()
            )),
            0,
            "{name}"
        );
        let bytes = std::fs::read(dir.path().join(name)).unwrap();
        assert!(String::from_utf8_lossy(&bytes).starts_with(begins), "{name}");
    }
    // Two pages are two pictures.
    assert_eq!(
        code(&run(
            dir.path(),
            &["print", "chain-reaction", "--sheet", "--dpi", "30", "-o", "c.png"]
        )),
        0
    );
    assert!(files(dir.path()).contains(&"c-2.png".to_owned()));
}

#[test]
fn what_cannot_be_printed_is_said_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let said = complaint(&run(
        dir.path(),
        &["print", "panzer8", "fyre", "fire-fight", "--sheet", "-o", "s.pdf"],
    ));
    assert!(
        said.contains("`fyre`: did you mean `fire`?") && said.contains("fire-fight is a fight"),
        "{said}"
    );
    assert!(
        complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "s.doc"]))
            .contains(".pdf, .html, .md, .svg or .png")
    );
    assert!(
        complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "nowhere/s.pdf"]))
            .contains("cannot be written")
    );
    std::fs::write(dir.path().join("there.md"), "mine").unwrap();
    assert!(
        complaint(&run(dir.path(), &["print", "panzer8", "--sheet", "-o", "there.md"]))
            .contains("--force")
    );
    assert_eq!(std::fs::read(dir.path().join("there.md")).unwrap(), b"mine");
    assert_eq!(files(dir.path()), ["there.md"]);
}

#[test]
fn an_option_that_would_change_nothing_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let all: [(&str, &[&str]); 14] = [
        ("--pages", &["--pages", "9"]),
        ("--columns", &["--columns", "2"]),
        ("--orientation", &["--orientation", "landscape"]),
        ("--paper", &["--paper", "letter"]),
        ("--size", &["--size", "tarot"]),
        ("--backs", &["--backs", "none"]),
        ("--backs duplex", &["--backs", "duplex"]),
        ("--bleed", &["--bleed", "3"]),
        ("--marks", &["--marks", "none"]),
        ("--key", &["--key"]),
        ("--low-ink", &["--low-ink"]),
        ("--large", &["--large"]),
        ("--cards", &["--cards", "20"]),
        ("--dpi", &["--dpi", "40"]),
    ];
    // Which of them mean something, by what is written. A single card as SVG, or as little as
    // possible, for speed.
    let sheet = ["--paper", "--low-ink", "--large", "--pages", "--columns", "--orientation"];
    let forms: [(&[&str], &[&str]); 10] = [
        (
            &["combat-leader", "-o", "x.pdf"],
            &[
                "--paper",
                "--size",
                "--backs",
                "--backs duplex",
                "--bleed",
                "--marks",
                "--key",
                "--low-ink",
                "--large",
                "--cards",
            ],
        ),
        (
            &["combat-leader", "-o", "x.svg"],
            &["--size", "--backs", "--bleed", "--low-ink", "--large", "--cards"],
        ),
        (
            &["combat-leader", "-o", "x.png"],
            &["--size", "--backs", "--bleed", "--low-ink", "--large", "--cards", "--dpi"],
        ),
        (&["panzer8", "rally", "--sheet", "-o", "x.pdf"], &sheet),
        (&["panzer8", "rally", "--sheet", "-o", "x.svg"], &sheet),
        (&["panzer8", "rally", "--sheet", "-o", "x.png"], &[&sheet[..], &["--dpi"]].concat()),
        (
            &["combat-leader", "--for", "print-service", "-o", "x"],
            &["--size", "--bleed", "--dpi", "--cards", "--large", "--low-ink"],
        ),
        (&["panzer8", "rally", "--sheet", "-o", "x.md"], &[]),
        (&["panzer8", "rally", "--sheet", "-o", "x.html"], &[]),
        (&["combat-leader", "--for", "csv", "-o", "x"], &[]),
    ];
    for (words, meant) in forms {
        for (flag, option) in &all {
            // Whether it means something is judged before a deck is drawn: only what is refused is
            // run in full.
            if meant.contains(flag) {
                continue;
            }
            let said = complaint(&run(dir.path(), &[&["print"], words, option].concat()));
            assert!(
                said.contains(option[0]) && said.contains("it has no effect here"),
                "{words:?} {flag}: {said}"
            );
        }
        if words.contains(&"panzer8") {
            for (_, option) in all.iter().filter(|(flag, _)| meant.contains(flag)) {
                assert_eq!(
                    code(&run(dir.path(), &[&["print", "--force"], words, option].concat())),
                    0,
                    "{words:?} {option:?}"
                );
            }
        }
    }
    // All of them at once, and none for a game without cards.
    let said = complaint(&run(
        dir.path(),
        &[
            "print", "panzer8", "--sheet", "--backs", "none", "--bleed", "3", "--dpi", "40", "-o",
            "y.pdf",
        ],
    ));
    assert!(
        said.contains("--backs") && said.contains("--bleed") && said.contains("--dpi"),
        "{said}"
    );
    for option in [&["--large"][..], &["--size", "mini"], &["--url", "https://example.org"]] {
        let said = complaint(&run(
            dir.path(),
            &[&["print", "panzer8", "--for", "foundry", "-o", "y"], option].concat(),
        ));
        assert!(said.contains(option[0]) && said.contains("has no deck"), "{said}");
    }
    assert!(!files(dir.path()).iter().any(|name| name.starts_with('y')));
}

#[test]
fn a_table_goes_onto_paper() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        code(&run(
            dir.path(),
            &["game", "new", "panzer8", "--name", "Hill", "--start", "first-game"]
        )),
        0
    );
    for form in ["pdf", "record", "roster"] {
        let piped = run(dir.path(), &["export", "Hill", "--as", form]);
        assert!(code(&piped) == 0 && piped.stdout.starts_with(b"%PDF-"), "{form}");
        let name = format!("{form}.pdf");
        assert_eq!(
            code(&run(
                dir.path(),
                &["export", "Hill", "--as", form, "--paper", "letter", "-o", &name]
            )),
            0
        );
        assert!(
            complaint(&run(dir.path(), &["export", "Hill", "--as", form, "-o", &name]))
                .contains("--force")
        );
    }
    for form in ["jsonl", "csv", "md", "html"] {
        assert!(
            complaint(&run(dir.path(), &["export", "Hill", "--as", form, "--paper", "letter"]))
                .contains("--paper is for")
        );
        assert!(
            complaint(&run(dir.path(), &["export", "Hill", "--as", form, "--force"]))
                .contains("--output")
        );
    }
    assert_eq!(code(&run(dir.path(), &["game", "new", "panzer8", "--name", "Empty"])), 0);
    assert!(
        complaint(&run(dir.path(), &["export", "Empty", "--as", "roster", "-o", "e.pdf"]))
            .contains("there are no units in the game")
    );
}

/// Read from the bytes of the picture: the header, and the chunk with its resolution.
fn size_and_density(png: &[u8]) -> (u32, u32, Option<u32>) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let density = png.windows(4).position(|part| part == b"pHYs").map(|at| number(at + 4));
    (number(16), number(20), density)
}

#[test]
fn a_print_service_gets_exact_pixels_with_bleed_and_resolution() {
    let dir = tempfile::tempdir().unwrap();
    let print = ["print", "combat-leader", "--for", "print-service", "--cards", "1,53"];
    let out = run(dir.path(), &[&print[..], &["-o", "deck"]].concat());
    assert_eq!(code(&out), 0, "{out:?}");
    let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    for name in ["front-001.png", "front-053.png", "back.png"] {
        // 2.5 × 3.5 inches and 36 pixels on each side; 300 dots per inch are 11811 per metre.
        assert_eq!(size_and_density(&read(&format!("deck/{name}"))), (822, 1122, Some(11811)));
    }
    assert!(size_and_density(&read("deck/contact-sheet.png")).0 > 300);
    // The corners are square: the background reaches into them.
    let picture = resvg::tiny_skia::Pixmap::decode_png(&read("deck/front-001.png")).unwrap();
    assert!(picture.pixels().iter().all(|dot| dot.alpha() == 255));
    let out = run(dir.path(), &[&print[..], &["--size", "mini", "-o", "mini"]].concat());
    assert_eq!(code(&out), 0);
    assert_eq!(size_and_density(&read("mini/back.png")), (597, 822, Some(11811)));
}

#[test]
fn a_sheet_that_does_not_fit_says_how_many_pages_it_needs() {
    let dir = tempfile::tempdir().unwrap();
    let print = ["print", "chain-reaction", "--sheet", "-o", "x.pdf", "--pages"];
    let said = complaint(&run(dir.path(), &[&print[..], &["1"]].concat()));
    assert!(said.contains("8 points") && said.contains("--pages 2"), "{said}");
    assert_eq!(code(&run(dir.path(), &[&print[..], &["2"]].concat())), 0);
}
