#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! `adjutant print PACK DECK`: cards on paper and as pictures, a deck from a spreadsheet, and what
//! is said when it cannot be. Whatever happens, no half-written file is left behind.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the command in a folder; exit code, standard output and standard error.
fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder);
    let output = command.arg("print").args(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The width and height of the picture of a card in the units of an SVG file, and the sizes of its
/// texts.
fn measured(svg: &str) -> (f64, f64, Vec<f64>) {
    let numbers = |key: &str| -> Vec<f64> {
        let key = format!(" {key}=\"");
        let found = svg.split(&key).skip(1);
        found.filter_map(|rest| rest.split(['"', 'm']).next()?.parse().ok()).collect()
    };
    (numbers("width")[0], numbers("height")[0], numbers("font-size"))
}

/// Everything on a card of large print is larger: the rank, the tables, the numbers.
#[test]
fn large_print_enlarges_the_whole_card() {
    let dir = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(run(dir.path(), &["combat-leader", "--cards", "7", "-o", "plain.svg"]).0, 0);
    assert_eq!(run(dir.path(), &["combat-leader", "--cards", "7", "--large", "-o", "l.svg"]).0, 0);
    let (plain, large) = (measured(&read("plain.svg")), measured(&read("l.svg")));
    assert_eq!((plain.0, plain.1, large.0, large.1), (63.0, 88.0, 88.2, 123.2));
    assert!(plain.2.len() > 20 && plain.2.len() == large.2.len());
    for (plain, large) in plain.2.iter().zip(&large.2) {
        assert!((large / plain - 1.4).abs() < 0.02, "{plain} {large}");
    }
    let (code, out, _) = run(dir.path(), &["combat-leader", "--large", "-o", "large.pdf"]);
    assert_eq!((code, out.as_str()), (0, "large.pdf: 60 cards, 30 pages\n"));
}

#[test]
fn a_key_explains_what_is_on_the_cards() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, _) = run(dir.path(), &["combat-leader", "--key", "-o", "deck.pdf"]);
    assert_eq!((code, out.as_str()), (0, "deck.pdf: 60 cards, 14 pages and a key\n"));
    let said = Command::new("pdftotext")
        .args(["-f", "15", "deck.pdf", "-"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&said.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "Key to the cards",
        "Repair Fixed, No change, Broken.",
        "The die stands for 6: read it as a d6.",
        "R where there is none.",
        "Cards that interrupt",
        "R Draw another card.",
    ] {
        assert!(said.contains(words), "“{words}” is not in: {said}");
    }
}

#[test]
fn a_deck_is_printed_whole_and_the_same_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run(dir.path(), &["combat-leader", "-o", "deck.pdf"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "deck.pdf: 60 cards, 14 pages\n", ""));
    assert_eq!(run(dir.path(), &["combat-leader", "action", "-o", "again.pdf"]).0, 0);
    let bytes = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert!(bytes("deck.pdf").starts_with(b"%PDF-") && bytes("deck.pdf") == bytes("again.pdf"));
    let (code, _, err) = run(dir.path(), &["combat-leader", "-o", "deck.pdf"]);
    assert!(code == 2 && err.contains("is there already: add --force"), "{err}");
    let asked = [
        "combat-leader",
        "-o",
        "deck.pdf",
        "--force",
        "--paper",
        "letter",
        "--backs",
        "gutterfold",
        "--bleed",
        "2",
        "--marks",
        "none",
        "--low-ink",
    ];
    let (code, out, _) = run(dir.path(), &asked);
    assert_eq!((code, out.as_str()), (0, "deck.pdf: 60 cards, 15 pages\n"));
    assert_eq!(names(dir.path()), ["again.pdf", "deck.pdf"]);
}

#[test]
fn cards_become_pictures_one_or_several() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, _) =
        run(dir.path(), &["combat-leader", "-o", "card.png", "--cards", "20", "--dpi", "100"]);
    assert_eq!((code, out.as_str()), (0, "card.png: 1 card\n"));
    let picture =
        resvg::tiny_skia::Pixmap::decode_png(&std::fs::read(dir.path().join("card.png")).unwrap())
            .unwrap();
    assert_eq!((picture.width(), picture.height()), (248, 346));
    let (code, out, _) =
        run(dir.path(), &["combat-leader", "-o", "c.svg", "--cards", "5,7-8", "--size", "tarot"]);
    assert_eq!((code, out.as_str()), (0, "c-005.svg … c-back.svg: 4 pictures\n"));
    assert_eq!(
        names(dir.path()),
        ["c-005.svg", "c-007.svg", "c-008.svg", "c-back.svg", "card.png"]
    );
    let svg = std::fs::read_to_string(dir.path().join("c-007.svg")).unwrap();
    assert!(svg.contains("width=\"70mm\" height=\"120mm\"") && svg.contains("No. 7"));
    // One of the files is there: none is written.
    std::fs::remove_file(dir.path().join("c-005.svg")).unwrap();
    let (code, _, err) = run(dir.path(), &["combat-leader", "-o", "c.svg", "--cards", "5,7-8"]);
    assert!(
        code == 2
            && err.contains("c-007.svg is there already")
            && !dir.path().join("c-005.svg").exists(),
        "{err}"
    );
}

#[test]
fn a_picture_grows_by_the_bleed_and_its_ground_runs_to_the_edge() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run(
        dir.path(),
        &[
            "combat-leader",
            "-o",
            "c.png",
            "--cards",
            "20",
            "--dpi",
            "100",
            "--bleed",
            "3",
            "--backs",
            "separate",
        ],
    );
    assert_eq!((code, out.as_str(), err.as_str()), (0, "c.png … c-back.png: 2 pictures\n", ""));
    let read = |name: &str| {
        resvg::tiny_skia::Pixmap::decode_png(&std::fs::read(dir.path().join(name)).unwrap())
            .unwrap()
    };
    for (name, ground) in [
        ("c.png", adjutant_render::draw::Ink::Paper),
        ("c-back.png", adjutant_render::draw::Ink::Tint),
    ] {
        let picture = read(name);
        // 69 × 94 mm.
        assert_eq!((picture.width(), picture.height()), (272, 370), "{name}");
        let dot =
            |x, y| picture.pixel(x, y).map(|dot| [dot.red(), dot.green(), dot.blue(), dot.alpha()]);
        let [red, green, blue] = ground.colour();
        for (x, y) in [(0, 0), (271, 0), (0, 369), (271, 369), (10, 185), (136, 10)] {
            assert_eq!(dot(x, y), Some([red, green, blue, 255]), "{name} {x} {y}");
        }
    }
    assert_eq!(
        run(dir.path(), &["combat-leader", "-o", "c.svg", "--cards", "20", "--bleed", "2.5"]).0,
        0
    );
    let svg = std::fs::read_to_string(dir.path().join("c.svg")).unwrap();
    assert!(
        svg.contains("width=\"68mm\" height=\"93mm\"") && svg.contains("No. 20"),
        "{}",
        &svg[..200]
    );
    let (code, _, err) =
        run(dir.path(), &["combat-leader", "-o", "d.png", "--cards", "20", "--bleed", "11"]);
    assert!(
        code == 2 && err.contains("a bleed of 11 mm cannot be printed: it has 0 to 10 mm"),
        "{err}"
    );
}

#[test]
fn what_cannot_be_done_is_said_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("folder.pdf")).unwrap();
    for (words, said) in [
        (
            &["combat-leader", "acton", "-o", "x.pdf"][..],
            "has no deck `acton`: did you mean `action`?",
        ),
        (
            &["combat-leader", "action", "more", "-o", "x.pdf"],
            "one deck is printed at a time: leave out `more`",
        ),
        (&["panzer8", "-o", "x.pdf"], "has no deck: its charts are printed with --sheet"),
        (&["combat-leader", "-o", "x.doc"], "x.doc: cards are written as .pdf, .svg or .png"),
        (
            &["combat-leader", "-o", "x.pdf", "--size", "0x88mm"],
            "--size: `0x88mm` is no card size: poker (63×88), mini (44×63), tarot (70×120) or WxHmm",
        ),
        (
            &["combat-leader", "-o", "x.pdf", "--size", "250x250mm"],
            "a card of 250 × 250 mm does not fit on paper of 210 × 297 mm",
        ),
        (
            &["combat-leader", "-o", "x.pdf", "--size", "20x20mm"],
            "which is too small to read: a card of",
        ),
        (
            &["combat-leader", "-o", "x.pdf", "--bleed", "NaN"],
            "a bleed of NaN mm cannot be printed",
        ),
        (&["combat-leader", "-o", "x.pdf", "--bleed=-3"], "a bleed of -3 mm cannot be printed"),
        (
            &["combat-leader", "-o", "x.pdf", "--cards", "0,61,x"],
            "--cards: there is no card `61`: the deck has cards 1 to 60",
        ),
        (
            &["combat-leader", "-o", "x.png", "--cards", "1", "--dpi", "9"],
            "--dpi: 9 dots to the inch cannot be drawn: 30 to 1200",
        ),
        (&["combat-leader", "-o", "nowhere/x.pdf"], "nowhere/x.pdf cannot be written"),
        (&["combat-leader", "-o", "folder.pdf"], "folder.pdf is there already"),
        (&["combat-leader", "-o", "folder.pdf", "--force"], "folder.pdf cannot be written"),
        (&["nothing.csv", "-o", "x.pdf"], "nothing.csv: it cannot be read"),
    ] {
        let (code, out, err) = run(dir.path(), words);
        assert!(code == 2 && out.is_empty() && err.contains(said), "{words:?}: {code} {err}");
    }
    assert_eq!(names(dir.path()), ["folder.pdf"]);
}

#[test]
fn a_spreadsheet_is_a_deck() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/desert-events.csv");
    assert_eq!(
        run(dir.path(), &[example, "-o", "events.pdf"]),
        (0, "events.pdf: 16 cards, 4 pages\n".into(), String::new())
    );
    put("bad.csv", b"title,text\nRain,All roads, all fields\n");
    let (code, _, err) = run(dir.path(), &["bad.csv", "-o", "x.pdf"]);
    assert!(
        code == 1
            && err.contains("card 1 has 3 cells, but the first line has 2 cells")
            && err.contains("bad.csv:2"),
        "{err}"
    );
    put("latin.csv", b"title\nR\xe9g\xed\n");
    let (code, _, err) = run(dir.path(), &["latin.csv", "-o", "x.pdf"]);
    assert!(
        code == 2 && err.contains("it is not UTF-8 text") && err.contains("save the file as UTF-8"),
        "{err}"
    );
    // Letters that no font has: the cards are printed, and the letters named.
    put("runes.csv", "title\nA \u{10ffff} B\n".as_bytes());
    let (code, out, err) = run(dir.path(), &["runes.csv", "-o", "runes.pdf"]);
    assert!(
        code == 0
            && out == "runes.pdf: 1 card, 2 pages\n"
            && err.contains("no font here has the letters"),
        "{code} {out} {err}"
    );
    assert!(!dir.path().join("x.pdf").exists());
}
