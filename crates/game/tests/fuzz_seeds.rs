//! The committed fuzz seeds (`fuzz/seeds/TARGET`), run through the functions that the fuzz targets
//! call.
//!
//! Most seeds are made from the bundled packs and from scripted games. `BLESS=1 cargo test --test
//! fuzz_seeds` writes them again. This is needed when the format of packs, cases or logs changes.
#![allow(missing_docs, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/src/lib.rs"]
mod checks;
mod common;

use adjutant_game::{PlayRequest, Table};
use common::games;
use common::players::Players;
use std::fs;
use std::path::PathBuf;

/// The largest seed in bytes: the fuzzer works best with small ones.
const LARGEST: usize = 12_000;

fn folder(target: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds")).join(target)
}

/// The seeds of a target by name. With `BLESS` set, the generated seeds are written first; without
/// it they must exist.
fn seeds(target: &str, made: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    let folder = folder(target);
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(&folder).unwrap();
        made.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    }
    let mut seeds: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .expect("fuzz/seeds has a folder for each target")
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    seeds.sort();
    for (name, bytes) in &seeds {
        assert!(
            bytes.len() <= LARGEST,
            "fuzz/seeds/{target}/{name} has {} bytes, at most {LARGEST}",
            bytes.len()
        );
    }
    for (name, _) in made {
        assert!(
            seeds.iter().any(|(known, _)| *known == name),
            "fuzz/seeds/{target}/{name} is missing: write it with BLESS=1"
        );
    }
    seeds
}

/// A seed must be accepted, or rejected if its name starts with `bad-`. Otherwise it is out of date
/// and no use to the fuzzer.
fn assert_used(target: &str, name: &str, used: bool) {
    let wanted = !name.starts_with("bad-");
    assert!(
        used == wanted,
        "fuzz/seeds/{target}/{name} is {}: correct it, or write it again with BLESS=1",
        if used { "read" } else { "refused" }
    );
}

fn as_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// As many blocks from the start of a file as fit. A block starts at an empty line before a `[`.
fn first_blocks(text: &str, most: usize) -> &str {
    let ends = text.match_indices("\n\n[").map(|(at, _)| at + 1).take_while(|at| *at <= most);
    ends.last().map_or("", |end| &text[..end])
}

#[test]
fn packs() {
    let skeleton = adjutant_bundled_packs::skeleton("fuzz").text("pack.toml").unwrap().to_owned();
    for (name, bytes) in seeds("pack", vec![("skeleton".into(), skeleton.into_bytes())]) {
        assert_used("pack", &name, checks::check_pack(as_text(&bytes)));
    }
}

#[test]
fn bundles() {
    let skeleton = adjutant_pack::Bundle::new(adjutant_bundled_packs::skeleton("fuzz"));
    let text = skeleton.write().unwrap();
    let made = vec![
        ("skeleton".into(), text.clone().into_bytes()),
        ("bad-changed".into(), text.replace("1d6", "1d8").into_bytes()),
        ("bad-name".into(), text.replace("README.md", "../README.md").into_bytes()),
    ];
    for (name, bytes) in seeds("bundle", made) {
        assert_used("bundle", &name, checks::check_bundle(as_text(&bytes)));
    }
}

#[test]
fn drafts() {
    for (name, bytes) in seeds("draft", Vec::new()) {
        assert_used("draft", &name, checks::check_draft(as_text(&bytes)));
    }
}

#[test]
fn expressions() {
    for (name, bytes) in seeds("expression", Vec::new()) {
        assert_used("expression", &name, checks::check_expression(as_text(&bytes)));
    }
}

#[test]
fn cases() {
    let skeleton = adjutant_bundled_packs::skeleton("fuzz");
    let mut made =
        vec![("skeleton".to_owned(), skeleton.text("cases.toml").unwrap().as_bytes().to_vec())];
    for id in adjutant_bundled_packs::IDS {
        let files = adjutant_bundled_packs::files(id).unwrap();
        let text = first_blocks(files.text("cases.toml").unwrap(), 5000);
        made.push(((*id).to_owned(), text.as_bytes().to_vec()));
    }
    for (name, bytes) in seeds("cases", made) {
        assert_used("cases", &name, checks::check_cases(as_text(&bytes)));
    }
}

/// A list in the encoding of the crate `arbitrary`: before each item, a byte that says whether the
/// list continues.
fn list(items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    items.into_iter().flat_map(|item| [vec![1], item].concat()).chain([0]).collect()
}

/// The entered inputs of a chart: always the same face, card and answer.
fn entered(pack: u8, chart: u8, n: u8) -> Vec<u8> {
    let same = |count: usize| list(vec![vec![n]; count]);
    let answers = list(vec![vec![n, n, 0]; 2]);
    [vec![pack, chart], list([]), vec![0, 0], same(12), same(4), answers, list([])].concat()
}

#[test]
fn faces() {
    let mut made = Vec::new();
    for (pack, id) in (0..).zip(adjutant_bundled_packs::IDS) {
        let charts = common::shipped(id).charts().len() as u8;
        let results = (0..charts).filter_map(|chart| {
            (1..5).map(|n| entered(pack, chart, n)).find(|bytes| checks::check_faces(bytes))
        });
        made.extend((1..).zip(results.take(5)).map(|(n, bytes)| (format!("{id}-{n}"), bytes)));
    }
    assert!(made.len() >= 15, "only {} charts came to a result", made.len());
    for (name, bytes) in seeds("faces", made) {
        assert_used("faces", &name, checks::check_faces(&bytes));
    }
}

/// As many of the first lines of a log as a seed may have.
fn log(table: &Table) -> Vec<u8> {
    let mut text = String::new();
    for line in table.lines().take_while(|line| line.len() < LARGEST) {
        if text.len() + line.len() + 1 > LARGEST {
            break;
        }
        text += line;
        text += "\n";
    }
    text.into_bytes()
}

/// Two players who roll sealed dice: commitments, a call, reveals and the play.
fn sealed() -> Table {
    let mut players = Players::new("panzer8", &[("Anna", "Allies"), ("Bert", "Axis")], 8);
    players.game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    players.call(
        "Anna",
        &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
    );
    players.all_show();
    players.rolled("Bert");
    players.game.table.clone()
}

#[test]
fn logs() {
    let tables = [
        ("panzer8", games::panzer8().table),
        ("asl-starter-kit", games::asl().table),
        ("combat-leader", games::combat_leader().table),
        ("chain-reaction", games::chain_reaction().game.table),
        ("sealed", sealed()),
    ];
    for (name, bytes) in
        seeds("log", tables.iter().map(|(name, table)| ((*name).to_owned(), log(table))).collect())
    {
        let (accepted, lines) =
            (checks::check_log(&bytes), String::from_utf8_lossy(&bytes).lines().count());
        // Not all lines: sealed dice depend on the pack's hash, so a later version of the pack
        // rejects those plays.
        assert_used("log", &name, accepted * 2 > lines);
    }
}
