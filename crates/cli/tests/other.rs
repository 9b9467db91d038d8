//! `print --for`: folders and modules are put down whole or not at all, and what is not ours is
//! never overwritten.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command in a folder of its own: its exit code, what it said, and what it complained of.
fn run(folder: &Path, words: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn json(path: PathBuf) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn data_is_what_show_and_draw_say() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run(dir.path(), "print combat-leader --for json -o out");
    assert!(code == 0 && out.starts_with("out: 1 deck and 10 charts as data\n"), "{out}{err}");
    assert_eq!(names(dir.path()), ["out"]);
    assert_eq!(names(&dir.path().join("out")), ["README.txt", "cards", "charts"]);
    let shown: serde_json::Value =
        serde_json::from_str(&run(dir.path(), "show combat-leader accuracy --json").1).unwrap();
    assert_eq!(json(dir.path().join("out/charts/accuracy.json")), shown);
    let drawn: serde_json::Value =
        serde_json::from_str(&run(dir.path(), "draw combat-leader action 60 --seed 1 --json").1)
            .unwrap();
    let deck = json(dir.path().join("out/cards/action.json"));
    assert_eq!(deck["cards"].as_array().unwrap().len(), 60);
    for card in drawn["cards"].as_array().unwrap() {
        // Why a field is blank is told where a card is drawn.
        let mut card = card.clone();
        card.as_object_mut().unwrap().remove("blank");
        assert!(deck["cards"].as_array().unwrap().contains(&card), "{card}");
    }
}

#[test]
fn what_is_there_stays_and_only_our_own_folder_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), "print panzer8 --for csv -o out").0, 0);
    std::fs::write(dir.path().join("out/charts/stale.csv"), "old").unwrap();
    let (code, _, err) = run(dir.path(), "print panzer8 --for csv -o out");
    assert!(
        code == 2 && err.contains("out is there already: add --force to overwrite it"),
        "{err}"
    );
    assert_eq!(run(dir.path(), "print panzer8 --for csv -o out --force").0, 0);
    assert!(!dir.path().join("out/charts/stale.csv").exists());
    std::fs::create_dir(dir.path().join("mine")).unwrap();
    std::fs::write(dir.path().join("mine/letter.txt"), "Dear Anna").unwrap();
    std::fs::write(dir.path().join("note.txt"), "mine").unwrap();
    for place in ["mine", "note.txt"] {
        let (code, _, err) =
            run(dir.path(), &format!("print panzer8 --for csv -o {place} --force"));
        assert!(code == 2 && err.contains("adjutant did not write it"), "{err}");
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("mine/letter.txt")).unwrap(), "Dear Anna");
    let (code, _, err) = run(dir.path(), "print panzer8 --for csv -o nowhere/out");
    assert!(code == 2 && err.contains("nowhere/out cannot be written"), "{err}");
    assert_eq!(names(dir.path()), ["mine", "note.txt", "out"]);
}

#[test]
fn a_module_is_one_file_with_its_ending() {
    let dir = tempfile::tempdir().unwrap();
    let (code, _, err) = run(dir.path(), "print panzer8 --for vassal -o panzer8");
    assert!(code == 2 && err.contains("-o panzer8.vmod"), "{err}");
    let (code, out, err) = run(dir.path(), "print panzer8 fire --for vassal -o panzer8.vmod");
    assert!(
        code == 0 && out.contains("no deck and 1 chart as a page") && out.contains("Open Module"),
        "{out}{err}"
    );
    assert!(std::fs::read(dir.path().join("panzer8.vmod")).unwrap().starts_with(b"PK\x03\x04"));
    assert_eq!(run(dir.path(), "print panzer8 --for vassal -o panzer8.vmod").0, 2);
    assert_eq!(names(dir.path()), ["panzer8.vmod"]);
}

/// A small deck, because pictures take time.
fn small_deck(folder: &Path) {
    let text = "title,text\nRain,All fire is at −1\nDawn,The night is over\n";
    std::fs::write(folder.join("events.csv"), text).unwrap();
}

/// The only file of a folder with this ending, without it.
fn stem(folder: &Path, ending: &str) -> String {
    let names = names(folder);
    let mut stems = names.iter().filter_map(|name| name.strip_suffix(ending));
    let only = stems.next().unwrap().to_owned();
    assert_eq!(stems.next(), None, "{names:?}");
    only
}

#[test]
fn pictures_are_looked_for_where_they_are_or_where_they_will_be() {
    let dir = tempfile::tempdir().unwrap();
    small_deck(dir.path());
    let (code, out, err) = run(dir.path(), "print events.csv --for tabletop-simulator -o deck");
    assert!(
        code == 0 && out.contains("2 cards on 1 sheet of 819 × 1144 dots a card"),
        "{out}{err}"
    );
    assert!(out.contains("Saved Objects"), "{out}");
    let deck = stem(&dir.path().join("deck"), ".json");
    let face = || {
        json(dir.path().join(format!("deck/{deck}.json")))["ObjectStates"][0]["CustomDeck"]["1"]
            ["FaceURL"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let local = face();
    let path = PathBuf::from(local.strip_prefix("file:///").unwrap());
    assert!(path.is_absolute() && path.is_file(), "{local}");
    let elsewhere = "print events.csv --for tabletop-simulator -o deck --force --url https://example.org/cards/";
    assert_eq!(run(dir.path(), elsewhere).0, 0);
    assert_eq!(face(), format!("https://example.org/cards/{deck}-cards-1.png"));
}

#[test]
fn the_folder_is_the_module_and_its_pictures_are_in_it() {
    let dir = tempfile::tempdir().unwrap();
    small_deck(dir.path());
    let (code, out, err) = run(dir.path(), "print events.csv --for foundry -o events");
    assert!(code == 0 && out.contains("Data/modules/events"), "{out}{err}");
    let folder = dir.path().join("events");
    assert_eq!(json(folder.join("module.json"))["id"], "events");
    let file = format!("cards/{}.json", stem(&folder.join("cards"), ".json"));
    let deck = json(folder.join(&file));
    let picture = deck["cards"][0]["faces"][0]["img"].as_str().unwrap().to_owned();
    assert!(folder.join(picture.strip_prefix("modules/events/").unwrap()).is_file(), "{picture}");
    let elsewhere = "print events.csv --for foundry -o events --force --url https://x.org/a/";
    assert_eq!(run(dir.path(), elsewhere).0, 0);
    let back = json(folder.join(&file))["img"].as_str().unwrap().to_owned();
    assert!(back.starts_with("https://x.org/a/pictures/") && back.ends_with("-back.png"), "{back}");
}

#[test]
fn excel_has_files_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), "print asl-starter-kit --for excel -o asl").0, 0);
    let odds = std::fs::read_to_string(dir.path().join("asl/charts/odds.printed.csv")).unwrap();
    assert!(odds.starts_with('\u{feff}') && odds.contains("\"=\"\"1-2\"\"\""), "{odds}");
    let (code, _, err) = run(dir.path(), "print asl-starter-kit --for excel -o two --large");
    assert!(code == 2 && err.contains("--large is for drawn cards"), "{err}");
}

#[test]
fn what_cannot_be_is_said_all_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let (code, _, err) = run(dir.path(), "print panzer8 --for tabletop-simulator -o deck");
    assert!(
        code == 2
            && err.contains("Panzer8 has no deck")
            && err.contains("vassal, foundry, csv, excel or json"),
        "{err}"
    );
    let (code, _, err) = run(
        dir.path(),
        "print combat-leader acton acuracy --for vassal -o deck --cards 1-5 --url x",
    );
    assert_eq!(code, 2);
    for part in [
        "`acton`: did you mean `action`?",
        "`acuracy`: did you mean `accuracy`?",
        "--cards is for paper",
        "--url is for",
        "-o deck.vmod",
    ] {
        assert!(err.contains(part), "{part} in {err}");
    }
    assert!(names(dir.path()).is_empty());
}

#[test]
fn a_plain_csv_and_other_sizes_go_out_too() {
    let dir = tempfile::tempdir().unwrap();
    small_deck(dir.path());
    let (code, out, err) =
        run(dir.path(), "print events.csv --for tabletop-simulator -o tts --size tarot --large");
    assert!(code == 0 && out.contains("2 cards"), "{out}{err}");
    let (code, _, err) =
        run(dir.path(), "print events.csv --for csv -o plain --size 0x5mm --large");
    assert!(
        code == 2 && err.contains("--size") && err.contains("--large is for drawn cards"),
        "{err}"
    );
}
