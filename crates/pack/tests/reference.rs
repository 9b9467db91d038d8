//! The key tables of `docs/guide/reference.md` are made from the declared keys.
//! `BLESS=1 cargo test -p adjutant-pack --test reference` writes them.
#![allow(missing_docs, clippy::unwrap_used)]

use adjutant_pack::format::{CasesFile, Key, Kind, Need, PackFile, Section};
use std::fmt::Write;
use std::path::Path;

const START: &str = "<!-- The tables of keys are made from crates/pack/src/format. -->\n";
const END: &str = "<!-- End of the tables of keys. -->\n";

/// The tables of all sections, each base before the sections that share it.
fn tables() -> String {
    let mut text = String::new();
    let mut shown: Vec<&str> = Vec::new();
    for file in [&PackFile::SECTION, &CasesFile::SECTION] {
        for section in file.all() {
            for one in section.base.iter().copied().chain([section]) {
                if !shown.contains(&one.name) {
                    shown.push(one.name);
                    table(&mut text, one);
                }
            }
        }
    }
    text
}

fn table(text: &mut String, section: &Section) {
    let _ = write!(text, "\n### {}\n\n{}", heading(section), section.about);
    for base in section.base {
        let _ = write!(text, " It has the keys of {}, and:", link(base));
    }
    if let Some(others) = section.others.first() {
        let _ = write!(text, " Any other name is a key, too: {}.", value(others));
    }
    text.push_str("\n\n| key | value | meaning | example |\n|---|---|---|---|\n");
    section.own.iter().for_each(|key| row(text, key));
}

fn row(text: &mut String, key: &Key) {
    let need = match key.need {
        Need::Optional => "",
        Need::Required => " required",
        Need::OneOf => " one of these",
    };
    let (name, value, doc) = (key.name, value(&key.kind), key.doc);
    let _ = writeln!(text, "| `{name}`{need} | {value} | {doc} | `{}` |", key.example);
}

fn heading(section: &Section) -> String {
    let mut heading = section.place.to_owned();
    heading[..1].make_ascii_uppercase();
    heading
}

/// A link to the table of a section.
fn link(section: &Section) -> String {
    let heading = heading(section).to_lowercase();
    let anchor: String = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect();
    let name = section.place.split(':').next().unwrap();
    format!("[{name}](#{anchor})")
}

fn value(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Name(section) => {
            format!("name of a {section}").replace("a option", "an option").replace('_', " ")
        }
        Kind::Formula => "expression".into(),
        Kind::Number | Kind::Plain => "number".into(),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Word(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        Kind::Pair => "two numbers".into(),
        Kind::OneOrMore(one) => format!("{}, or a list of them", value(one)),
        Kind::List(one) => format!("list of {}", value(one)),
        Kind::Named(one) => format!("by name: {}", value(one)),
        Kind::Keys(section) => link(section),
        Kind::Either(kinds) => kinds.iter().map(value).collect::<Vec<_>>().join("; or "),
        Kind::Any => "any value".into(),
    }
}

#[test]
fn the_reference_has_the_declared_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/reference.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(START).unwrap();
    let (now, after) = rest.split_once(END).unwrap();
    let made = format!("{}\n", tables());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{before}{START}{made}{END}{after}")).unwrap();
        return;
    }
    assert!(now == made, "docs/guide/reference.md is out of date; write it with BLESS=1");
}
