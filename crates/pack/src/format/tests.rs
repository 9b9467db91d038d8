//! The readers accept every declared key with its example, and ask for no other.

use super::*;
use crate::files::Files;
use crate::tree::{self, Diagnostics};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

thread_local! {
    /// What readers asked for, by the names of the section that they read.
    static ASKED: RefCell<BTreeMap<&'static [&'static str], BTreeSet<String>>> =
        RefCell::default();
}

/// Remembers which keys the reader of a section asked for.
pub(crate) fn record(names: &'static [&'static str], asked: &[String]) {
    ASKED.with_borrow_mut(|all| all.entry(names).or_default().extend(asked.iter().cloned()));
}

/// A file of a pack.
#[derive(Clone, Copy, PartialEq)]
enum File {
    Pack,
    Cases,
    Tables,
}

const FILES: [(File, &Section); 3] = [
    (File::Pack, &PackFile::SECTION),
    (File::Cases, &CasesFile::SECTION),
    (File::Tables, &TablesFile::SECTION),
];

/// A file with a section in it; `@` stands for its keys.
fn around(section: &str) -> &'static str {
    match section {
        "Head" => "pack = @",
        "Term" => "term.x = @",
        "OptionField" => "option.x = @",
        "Memory" => "memory.x = @",
        "Unit" => "unit.x = @",
        "Attribute" => "unit.x = { title = 'X', has = { v = @ } }",
        "Status" => "status.x = @",
        "Reading" => "reading.x = @",
        "Turn" => "turn = @",
        "Phase" => "turn = { phase = [@] }",
        "PhaseLift" => "turn = { phase = [{ id = 'a', title = 'A', lift = [@] }] }",
        "Due" => "turn = { phase = [{ id = 'a', title = 'A', due = [@] }] }",
        "Die" => "die.x = @",
        "ListWord" => "list.x = { head = @ }",
        "Deck" => "deck.x = @",
        "UserDeck" => "user_deck.x = @",
        "Chits" => "deck.x = { title = 'X', chits = @ }",
        "Hand" => "deck.x = { title = 'X', file = 'x.csv', hand = @ }",
        "Empty" => "deck.x = { title = 'X', file = 'x.csv', empty = @ }",
        "Reshuffled" => "deck.x = { title = 'X', file = 'x.csv', reshuffled = @ }",
        "DeckField" => "deck.x = { title = 'X', file = 'x.csv', field = { f = @ } }",
        "CardPlace" => "deck.x = { title = 'X', file = 'x.csv', place = [@] }",
        "Outcome" => "result.x = @",
        "Instead" => "result.x = { title = 'X', instead = [@] }",
        "Effect" => "result.x = { title = 'X', effects = [@] }",
        "FollowUp" => "result.x = { title = 'X', next = [@] }",
        "UserTable" => "user_table.x = @",
        "Chart" => "chart.x = @",
        "Only" => "chart.x = { title = 'X', read = {}, only = { r = @ } }",
        "Tally" => "chart.x = { title = 'X', read = {}, tally = [@] }",
        "Printed" => "chart.x = { title = 'X', read = {}, printed = @ }",
        "Question" => "chart.x = { title = 'X', read = {}, ask = { q = @ } }",
        "Count" => {
            "chart.x = { title = 'X', read = {}, ask = { q = { number = 'Q', count = @ } } }"
        }
        "Step" => "chart.x = { title = 'X', read = {}, step = [@] }",
        "Field" => "chart.x = { title = 'X', read = {}, step = [{ as = 'a', ask = @ }] }",
        "Reroll" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', reroll = [@] }] }",
        "Explode" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', explode = @ }] }",
        "Fill" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', fill = @ }] }",
        "Choose" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', choose = @ }] }",
        "Again" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', again = [@] }] }",
        "Stop" => {
            "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', again = [{ ask = '?', stop = @ }] }] }"
        }
        "AskAgain" => {
            "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', again = [{ ask = '?', ask_again = @ }] }] }"
        }
        "Modifier" => "chart.x = { title = 'X', read = {}, step = [{ roll = '2d6', add = [@] }] }",
        "Read" => "chart.x = { title = 'X', read = @ }",
        "Row" => "chart.x = { title = 'X', read = { rows = [@] } }",
        "Cell" => "chart.x = { title = 'X', read = { rows = [{ all = @ }] } }",
        "Also" => "chart.x = { title = 'X', read = { also = [@] } }",
        "Fight" => "fight.x = @",
        "FightSide" => "fight.x = { title = 'X', side = { a = @ } }",
        "FightRoll" | "FightLift" => "fight.x = { title = 'X', action = [@] }",
        "Followed" => "fight.x = { title = 'X', follow = { c = @ } }",
        "Over" => "fight.x = { title = 'X', over = { e = @ } }",
        "Template" => "template.x = @",
        "Start" => "start.x = @",
        "StartSide" => "start.x = { title = 'X', side = { a = @ } }",
        "StartUnit" => "start.x = { title = 'X', units = [@] }",
        "Ending" => "ending.x = @",
        "UnitsLeft" => "ending.x = { title = 'X', none = [@] }",
        "Most" => "ending.x = { title = 'X', wins = @ }",
        "TestCase" => "case = [@]",
        "TestGrid" => "grid = [@]",
        "ExpectKeys" => "case = [{ name = 'A', chart = 'a', expect = @ }]",
        "PlayersTable" => "table.x = @",
        "PlayersDeck" => "deck.x = @",
        _ => "",
    }
}

/// The faults of a section with these keys.
fn faults(file: File, section: &Section, keys: &[&Key]) -> usize {
    let pairs: Vec<String> =
        keys.iter().map(|key| format!("{} = {}", key.name, key.example)).collect();
    let mut text = match around(section.name) {
        "" => pairs.join("\n"),
        around => around.replace('@', &format!("{{ {} }}", pairs.join(", "))),
    };
    let faults = Diagnostics::default();
    match file {
        File::Cases => {
            let files = Files::of([("cases.toml", text.as_str())]);
            return crate::read_cases(&files).map_or_else(|faults| faults.len(), |_| 0);
        }
        File::Tables => {
            let document = tree::parse("tables.toml", &text, &faults);
            crate::check::read_tables(document.get_ref(), &text, &faults);
        }
        File::Pack => {
            // Keys that refer to a list need one.
            if section.name != "PackFile" {
                text.push_str("\nlist.part = ['head', 'legs']");
                if section.name != "Head" {
                    text.push_str("\npack = { id = 'x', title = 'X' }");
                }
            }
            let document = tree::parse("pack.toml", &text, &faults);
            crate::raw::read_pack(document.get_ref(), &Files::of([("", "")]), &faults);
        }
    }
    faults.count()
}

/// Whether the reader accepts a key with its example, beside the keys that are required and at most
/// two others.
fn is_accepted(file: File, section: &Section, key: &Key) -> bool {
    let all: Vec<&Key> = section.keys().collect();
    let needed = |one: &&Key| one.need == Need::Required && one.name != key.name;
    let mut keys: Vec<&Key> = all.iter().copied().filter(needed).collect();
    keys.push(key);
    if faults(file, section, &keys) == 0 {
        return true;
    }
    let free: Vec<&Key> =
        all.into_iter().filter(|one| keys.iter().all(|key| key.name != one.name)).collect();
    let with = |more: &[&Key]| faults(file, section, &[&keys, more].concat()) == 0;
    free.iter().any(|one| with(&[one]))
        || free.iter().any(|one| {
            let leads = one.need == Need::OneOf || key.need == Need::OneOf;
            leads && free.iter().any(|two| two.name != one.name && with(&[one, two]))
        })
        || free.iter().any(|one| free.iter().any(|two| one.name < two.name && with(&[one, two])))
}

#[test]
fn the_readers_accept_every_example_and_ask_for_the_declared_keys() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    let mut seen = BTreeSet::new();
    for (file, root) in FILES {
        for section in root.all().into_iter().filter(|section| seen.insert(section.name)) {
            for key in section.keys() {
                tried += 1;
                if !is_accepted(file, section, key) {
                    wrong.push(format!("{}.{} = {}", section.name, key.name, key.example));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "the readers refuse {wrong:#?}");
    assert!(tried > 400, "only {tried} keys were tried");

    let asked = ASKED.take();
    assert!(asked.len() > 55, "only {} sections were read", asked.len());
    for (names, asked) in asked {
        // The cell for all columns is read with the other cells.
        let with_cells = |name: &str| names == Row::KEYS && name == "all";
        let declared = names.iter().filter(|name| !with_cells(name));
        let declared: BTreeSet<String> = declared.map(|name| (*name).to_owned()).collect();
        assert_eq!(asked, declared);
    }
}

#[test]
fn every_key_has_a_description_and_an_example() {
    for (_, root) in FILES {
        for section in root.all() {
            assert!(section.about.ends_with('.'), "{}", section.name);
            for key in section.keys() {
                let place = format!("{}.{}", section.name, key.name);
                assert!(key.doc.ends_with('.') && key.doc.len() > 5, "{place}: {}", key.doc);
                assert!(example_as_json(key.example).is_some(), "{place}: {}", key.example);
            }
        }
    }
}
