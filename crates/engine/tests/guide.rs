#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Tests the rules author's guide: every example in docs/guide is a pack that can be read and whose
//! cases pass, or a pack whose error the guide quotes. So the guide cannot promise anything false.
//!
//! Marks on a fenced block: `toml pack=NAME file=pack.toml` (blocks of the same page, name and file
//! are joined in order; a pack without a `[pack]` section gets one), `csv pack=NAME file=deck.csv`,
//! `toml wrong="part of the error"` for a whole pack.toml that has exactly that one error, and
//! `text pack=NAME fight="duel ours=2"` for the command's output for a fight: each decision with
//! its probability.

use adjutant_engine::{FightChain, FightSituation, try_suite};
use adjutant_pack::{Files, read_cases, read_pack};
use adjutant_wording::en::{self, Sentence};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All sources that read a key: the quoted words in them are the keys of the format.
const READERS: [&str; 10] = [
    include_str!("../../pack/src/raw/mod.rs"),
    include_str!("../../pack/src/raw/field.rs"),
    include_str!("../../pack/src/raw/chart.rs"),
    include_str!("../../pack/src/raw/die.rs"),
    include_str!("../../pack/src/raw/roll.rs"),
    include_str!("../../pack/src/raw/read.rs"),
    include_str!("../../pack/src/raw/fight.rs"),
    include_str!("../../pack/src/raw/layout.rs"),
    include_str!("../../pack/src/raw/turn.rs"),
    include_str!("../../pack/src/cases.rs"),
];
/// The header that an example may leave out. It goes at the end, where no other key falls into its
/// section.
const HEAD: &str = "\n[pack]\nid = \"guide\"\ntitle = \"Guide\"\n";

struct Block {
    /// The name of the page and the line in it.
    place: String,
    language: String,
    marks: BTreeMap<String, String>,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide")
}

/// The pages of the guide, by file name.
fn pages() -> BTreeMap<String, String> {
    let pages: BTreeMap<String, String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    for page in ["tutorial.md", "cookbook.md", "reference.md"] {
        assert!(pages.contains_key(page), "the guide lacks {page}");
    }
    pages
}

/// The text of the reference's first page from a heading on, up to the next one.
fn chapter(heading: &str) -> String {
    let reference = &pages()["reference.md"];
    let (_, text) = reference
        .split_once(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("the reference has no chapter {heading}"));
    text.split_once("\n## ").map_or(text, |(chapter, _)| chapter).to_owned()
}

fn blocks() -> Vec<Block> {
    pages().iter().flat_map(|(page, text)| blocks_of(page, text)).collect()
}

fn blocks_of(page: &str, text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (line, text) in (1..).zip(text.lines()) {
        match (text.strip_prefix("```"), inside) {
            (Some(""), true) => inside = false,
            (Some(info), false) => {
                let (language, marks) = info.split_once(' ').unwrap_or((info, ""));
                let mut marks = read_marks(marks);
                if let Some(pack) = marks.get_mut("pack") {
                    *pack = format!("{page}: {pack}");
                }
                found.push(Block {
                    place: format!("{page}:{line}"),
                    language: language.into(),
                    marks,
                    text: String::new(),
                });
                inside = true;
            }
            (_, true) => {
                let block = found.last_mut().unwrap();
                block.text.push_str(text);
                block.text.push('\n');
            }
            (_, false) => {}
        }
    }
    assert!(!inside, "{page}: the last fenced block is never closed");
    found
}

/// Parses `pack=first file=pack.toml wrong="some words"` into names and values.
fn read_marks(text: &str) -> BTreeMap<String, String> {
    let mut marks = BTreeMap::new();
    let mut rest = text.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a mark's quotation mark is closed"),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        marks.insert(name.trim().to_owned(), value.to_owned());
        rest = left.trim();
    }
    marks
}

/// The packs of the guide by name, each a set of files.
fn packs_of_the_guide() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut packs: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for block in blocks() {
        if let (Some(pack), Some(file)) = (block.marks.get("pack"), block.marks.get("file")) {
            packs
                .entry(pack.clone())
                .or_default()
                .entry(file.clone())
                .or_default()
                .push_str(&block.text);
        }
    }
    for files in packs.values_mut() {
        let main = files.entry("pack.toml".into()).or_default();
        if !main.lines().any(|line| line.trim() == "[pack]") {
            main.push_str(HEAD);
        }
    }
    packs
}

#[test]
fn every_example_says_what_it_is() {
    for block in blocks().iter().filter(|block| block.language == "toml" || block.language == "csv")
    {
        let known: BTreeSet<&str> = block.marks.keys().map(String::as_str).collect();
        let fine = known == BTreeSet::from(["file", "pack"]) || known == BTreeSet::from(["wrong"]);
        assert!(fine, "{}: mark the block with pack=… file=…, or with wrong=\"…\"", block.place);
    }
}

#[test]
fn every_example_is_valid_toml_1_0() {
    for block in blocks().into_iter().filter(|block| block.language == "toml") {
        let files = Files::of([("pack.toml", block.text)]);
        let mut warned = adjutant_pack::warnings(&files);
        warned.retain(|warning| warning.problem.code() == "toml-1-1");
        assert_eq!(warned, [], "{}", block.place);
    }
}

#[test]
fn every_pack_reads_and_all_its_cases_pass() {
    let packs = packs_of_the_guide();
    assert!(packs.len() >= 20, "only {} packs were found", packs.len());
    for (name, texts) in packs {
        let own = texts
            .iter()
            .find(|(file, _)| file.ends_with(".tables.toml"))
            .map(|(_, text)| text.clone());
        let files = Files::of(texts);
        let read = |tables: Option<&str>| match read_pack(&files, tables) {
            Ok(pack) => pack,
            Err(faults) => {
                panic!(
                    "{name}:\n{}",
                    faults
                        .iter()
                        .map(|f| format!("{}: {f}", place(f, &files)))
                        .collect::<Vec<_>>()
                        .join("\n")
                )
            }
        };
        let pack = read(None);
        let suite = read_cases(&files).unwrap_or_else(|faults| panic!("{name}: {faults:#?}"));
        let filled = suite.tables.as_ref().or(own.as_ref()).map(|tables| read(Some(tables)));
        if let Some(own) = &own {
            read(Some(own));
        }
        let trial = try_suite(&pack, filled.as_ref(), &suite, en::case_error);
        let wrong: Vec<String> = trial
            .failures
            .iter()
            .map(|failure| format!("{}: {}", failure.name, en::case_failure(&failure.why)))
            .collect();
        assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
        assert!(trial.passed > 0, "{name} has no case");
    }
}

#[test]
fn every_fight_goes_as_the_guide_says() {
    let told: Vec<Block> =
        blocks().into_iter().filter(|block| block.marks.contains_key("fight")).collect();
    let packs = packs_of_the_guide();
    let with_fights = packs.iter().filter(|(_, files)| files["pack.toml"].contains("[fight."));
    for (name, _) in with_fights {
        assert!(
            told.iter().any(|block| &block.marks["pack"] == name),
            "it is not told how the fight of {name} goes"
        );
    }
    for block in told {
        let pack = read_pack(&Files::of(packs[&block.marks["pack"]].clone()), None).unwrap();
        let mut words = block.marks["fight"].split(' ');
        let mut fight = FightSituation::new(&pack, words.next().unwrap()).unwrap();
        for (name, value) in words.map(|word| word.split_once('=').unwrap()) {
            fight
                .give(name, value)
                .unwrap_or_else(|refusal| panic!("{}: {refusal:?}", block.place));
        }
        let odds = FightChain::new(&fight).unwrap().solve().unwrap();
        for end in &odds.ends {
            let said = format!("{:.1} %", end.chance.percent());
            let line = block
                .text
                .lines()
                .find(|line| line.trim_start().starts_with(&end.title))
                .unwrap_or_default();
            assert!(
                line.contains(&said),
                "{}: {} is {said}, exactly {}",
                block.place,
                end.title,
                end.chance.exact()
            );
        }
        let rounds = format!("{:.2} ", odds.rounds.unwrap().value());
        assert!(block.text.contains(&rounds), "{}: it takes {rounds}rounds", block.place);
    }
}

fn place(fault: &adjutant_pack::Diagnostic, files: &Files) -> String {
    let (line, column) = fault.line_and_column(files.text(&fault.file).unwrap_or(""));
    format!("line {line}, column {column}")
}

#[test]
fn every_faulty_example_has_the_fault_that_the_guide_quotes() {
    let faulty: Vec<Block> =
        blocks().into_iter().filter(|block| block.marks.contains_key("wrong")).collect();
    assert!(faulty.len() >= 2, "only {} faulty examples were found", faulty.len());
    for block in faulty {
        let head = if block.text.contains("[pack]") { "" } else { HEAD };
        let files = Files::of([("pack.toml", format!("{}{head}", block.text))]);
        let faults = read_pack(&files, None).err().unwrap_or_default();
        let [fault] = faults.as_slice() else {
            panic!("{}: not exactly one fault: {faults:#?}", block.place)
        };
        let part = &block.marks["wrong"];
        let Sentence { message, help } = adjutant_wording::en::diagnostic(fault);
        assert!(
            message.contains(part.as_str()),
            "{}: “{message}” does not say “{part}”",
            block.place
        );
        let page = &pages()[block.place.split(':').next().unwrap()];
        for said in [message, help] {
            assert!(
                page.contains(said.as_str()),
                "{}: the guide does not quote “{said}”",
                block.place
            );
        }
    }
}

#[test]
fn the_reference_names_every_key() {
    let tables = chapter("All keys");
    let known: BTreeSet<&str> =
        tables.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let is_key =
        |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    // Between two successive quotation marks there is either a string or the text between two
    // strings.
    let keys: BTreeSet<&str> =
        READERS.iter().flat_map(|reader| reader.split('"')).filter(is_key).collect();
    assert!(keys.len() > 100, "only {} keys were found in the readers", keys.len());
    let missing: Vec<&&str> = keys.iter().filter(|key| !known.contains(**key)).collect();
    assert!(missing.is_empty(), "the reference lacks {missing:?}");
}

#[test]
fn the_guide_gives_the_limits_as_they_are() {
    let limits = chapter("Limits");
    let real = [
        ("size of a file", adjutant_pack::LARGEST_FILE as usize),
        ("files in a pack", adjutant_pack::MOST_FILES),
        ("charts in a pack", adjutant_pack::MOST_CHARTS),
        ("fights in a pack", adjutant_pack::MOST_FIGHTS),
        ("options in a pack", adjutant_pack::MOST_OPTIONS),
        ("templates, starts or endings in a pack", adjutant_pack::MOST_TEMPLATES),
        ("steps in a chart", adjutant_pack::MOST_STEPS),
        ("rows in a chart", adjutant_pack::MOST_ROWS),
        ("cards in a deck", adjutant_pack::MOST_CARDS),
        ("length of an expression", adjutant_pack::expr::LONGEST),
        ("brackets within brackets", adjutant_pack::expr::DEEPEST),
        ("dice in a roll", adjutant_dice::MOST_DICE as usize),
        ("sides of a die", adjutant_dice::MOST_SIDES as usize),
        ("number, above or below the line of a fraction", adjutant_dice::LARGEST as usize),
    ];
    for (what, limit) in real {
        assert!(limits.contains(&format!("| {what} | {limit} |")), "{what}: the limit is {limit}");
    }
}

/// The anchors of a page: its headings as GitHub writes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let slug = |heading: &str| {
        heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.filter_map(|line| line.split_once("# ").map(|(_, heading)| slug(heading))).collect()
}

#[test]
fn every_link_of_the_guide_leads_somewhere() {
    for (page, text) in pages() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let (target, anchor) = link.0.split_once('#').unwrap_or((link.0, ""));
            if target.contains("://") {
                continue;
            }
            let path = folder().join(if target.is_empty() { &page } else { target });
            assert!(path.exists(), "{page}: there is no {target}");
            if !anchor.is_empty() {
                let there = std::fs::read_to_string(&path).unwrap();
                assert!(anchors(&there).contains(anchor), "{page}: {target} has no #{anchor}");
            }
        }
    }
}
