//! Foundry VTT documents meet the data models of versions 12 to 14: ids, types, faces, and ranges
//! that cover the formula without gap or overlap. The module's script is run by Node, in a world
//! that stands in for Foundry's.

use super::given::{HOSTILE, hostile, on_one_line, shipped};
use super::{all_packs, twice};
use adjutant_engine::{OddsOptions, Situation, odds};
use adjutant_pack::Pack;
use adjutant_render::export::{ExportRequest, ExportedFiles, FoundryModule, foundry};
use adjutant_render::paper::Fonts;
use resvg::tiny_skia::Pixmap;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

fn made(pack: &Pack) -> ExportedFiles {
    foundry(
        &ExportRequest::all(pack),
        &Fonts::bundled(),
        &FoundryModule::new("my-folder", Some("https://example.org/files")),
    )
    .unwrap()
}

fn tables(pack: &Pack) -> BTreeMap<String, Json> {
    let exported = foundry(
        &ExportRequest { decks: Vec::new(), ..ExportRequest::all(pack) },
        &Fonts::bundled(),
        &FoundryModule::new("my-folder", None),
    )
    .unwrap();
    let table = |(name, bytes): &(String, Vec<u8>)| {
        Some((
            name.strip_prefix("tables/")?.strip_suffix(".json")?.to_owned(),
            serde_json::from_slice(bytes).unwrap(),
        ))
    };
    exported.files.iter().filter_map(table).collect()
}

fn is_id(id: &Json) -> bool {
    id.as_str().is_some_and(|id| id.len() == 16 && id.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// The number of ways of each sum of a formula of dice and numbers.
fn ways(formula: &str) -> BTreeMap<i64, u64> {
    let mut all = BTreeMap::from([(0_i64, 1_u64)]);
    let mut sign = 1;
    for word in formula.split_whitespace() {
        match (word, word.split_once('d')) {
            ("+", _) => sign = 1,
            ("-", _) => sign = -1,
            (_, Some((count, sides))) => {
                for _ in 0..count.parse::<u32>().unwrap() {
                    let mut next = BTreeMap::new();
                    for (sum, ways) in &all {
                        (1..=sides.parse::<i64>().unwrap())
                            .for_each(|face| *next.entry(sum + sign * face).or_insert(0) += ways);
                    }
                    all = next;
                }
            }
            (number, None) => {
                all = all
                    .into_iter()
                    .map(|(sum, ways)| (sum + sign * number.parse::<i64>().unwrap(), ways))
                    .collect()
            }
        }
    }
    all
}

/// The results of a table, with their number of ways.
fn spread(table: &Json) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for (sum, ways) in ways(table["formula"].as_str().unwrap()) {
        let results = table["results"].as_array().unwrap().iter();
        let holds = |result: &&Json| {
            (result["range"][0].as_i64().unwrap()..=result["range"][1].as_i64().unwrap())
                .contains(&sum)
        };
        let hit: Vec<&Json> = results.filter(holds).collect();
        assert_eq!(hit.len(), 1, "{sum} in {}", table["name"]);
        let text = hit[0]["text"].as_str().unwrap();
        let title = text.strip_prefix("<strong>").unwrap().split_once("</strong>").unwrap().0;
        *found.entry(title.to_owned()).or_insert(0) += ways;
    }
    found
}

#[test]
fn every_table_has_what_foundry_asks_and_every_roll_finds_one_result() {
    let mut counts = Vec::new();
    for pack in all_packs() {
        let tables = tables(&pack);
        counts.push((pack.id().to_string(), tables.len()));
        for table in tables.values() {
            assert!(
                !table["name"].as_str().unwrap().is_empty()
                    && table["results"].as_array().is_some_and(|results| !results.is_empty())
            );
            assert_eq!(
                (&table["replacement"], &table["displayRoll"]),
                (&json!(true), &json!(true))
            );
            assert!(is_id(&table["_id"]));
            let mut ids = Vec::new();
            let mut last: Option<i64> = None;
            for result in table["results"].as_array().unwrap() {
                let (from, to) =
                    (result["range"][0].as_i64().unwrap(), result["range"][1].as_i64().unwrap());
                assert!(
                    is_id(&result["_id"]) && from <= to && result["weight"] == json!(to - from + 1)
                );
                assert_eq!(
                    (&result["type"], &result["drawn"], &result["text"]),
                    (&json!("text"), &json!(false), &result["description"])
                );
                assert!(
                    last.is_none_or(|last| from == last + 1),
                    "a gap or an overlap in {}",
                    table["name"]
                );
                last = Some(to);
                ids.push(result["_id"].as_str().unwrap());
            }
            ids.sort_unstable();
            assert!(ids.windows(2).all(|two| two[0] != two[1]));
            spread(table);
        }
    }
    let counts: Vec<(&str, usize)> =
        counts.iter().map(|(id, count)| (id.as_str(), *count)).collect();
    assert_eq!(
        counts,
        [("combat-leader", 17), ("panzer8", 7), ("chain-reaction", 14), ("asl-starter-kit", 2)]
    );
}

/// The odds of a chart with these inputs, by the table's titles.
fn chances(pack: &Pack, chart: &str, given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut situation = Situation::new(pack, chart).unwrap();
    given.iter().for_each(|(name, value)| situation.give(name, value).unwrap());
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    report.branches[0]
        .spread
        .results
        .iter()
        .map(|result| (result.title.to_string(), result.chance.exact()))
        .collect()
}

fn shares(table: &Json) -> BTreeMap<String, String> {
    let spread = spread(table);
    let all: u64 = spread.values().sum();
    let share = |ways: u64| adjutant_engine::Chance::new(ways.into(), all.into()).exact();
    spread.into_iter().map(|(title, ways)| (title, share(ways))).collect()
}

#[test]
fn a_table_gives_what_the_chart_gives() {
    let panzer8 = shipped("panzer8");
    let found = tables(&panzer8);
    assert_eq!(found["fire-ap"]["formula"], "1d10 - 1d10");
    // Which side lost follows from the sign of the difference.
    let equal = [("attacker.quality", "0"), ("defender.quality", "0"), ("defender.hesa", "0")];
    assert_eq!(found["overrun"]["formula"], "1d10 + 8 - 1d10");
    assert_eq!(found["hand-to-hand"]["formula"], "1d10 - 1d10");
    assert_eq!(shares(&found["hand-to-hand"])["No effect"], "1/10");
    let (table, chart) = (shares(&found["overrun"]), chances(&panzer8, "overrun", &equal));
    assert_eq!((table["No effect"].as_str(), &table["No effect"]), ("1/50", &chart["No effect"]));
    assert_eq!(table.keys().filter(|title| title.contains("Fall-back")).count(), 2, "{table:?}");
    assert_eq!(shares(&found["rally"]), chances(&panzer8, "rally", &[("element.quality", "0")]));
    let none = [
        ("firer.hesa", "0"),
        ("firer.quality", "0"),
        ("target.def", "0"),
        ("target.quality", "0"),
        ("ammo", "hesa"),
    ];
    assert_eq!(shares(&found["fire-hesa"]), chances(&panzer8, "fire", &none));
    let leader = shipped("combat-leader");
    let found = tables(&leader);
    // One table for each answer: a broken weapon stays broken.
    for broken in ["no", "yes"] {
        let table = &found[&format!("repair-{broken}")];
        assert_eq!(shares(table), chances(&leader, "repair", &[("firer.broken_weapon", broken)]));
    }
    assert_eq!(
        (found["repair-no"]["formula"].as_str(), found["dr"]["formula"].as_str()),
        (Some("1d14"), Some("1d354"))
    );
    assert_eq!(shares(&found["select-5"]).values().collect::<Vec<_>>(), ["1/5"; 5]);
    let reaction = shipped("chain-reaction");
    let found = tables(&reaction);
    // Rep 4: each of two dice passes on 4 or less.
    let passed = shares(&found["pef-move-4"]);
    assert_eq!(
        passed.values().collect::<std::collections::BTreeSet<_>>(),
        ["1/9", "4/9"].map(str::to_owned).iter().collect()
    );
    assert!(passed.keys().any(|title| title.contains("8 inches")), "{passed:?}");
}

#[test]
fn modifiers_stand_in_the_description_and_bands_go_on_beyond_the_dice() {
    let pack = shipped("panzer8");
    let tables = tables(&pack);
    let fire = &tables["fire-hesa"];
    let described = |table: &str| tables[table]["description"].as_str().unwrap().to_owned();
    // A modifier for AP stands in the table for AP alone, whatever else it asks for.
    for modifier in pack.chart("fire").unwrap().steps.iter().flat_map(|step| &step.add) {
        let (label, says) = (modifier.label.as_str(), modifier.when.as_ref().map(|it| &it.text));
        for (table, other) in [("fire-hesa", "'ap'"), ("fire-ap", "'hesa'")] {
            let wrong = says.is_some_and(|when| when.contains(other));
            let line = format!("</b> {label}");
            assert_eq!(described(table).contains(&line), !wrong, "{label} in {table}");
        }
    }
    assert!(described("fire-ap").contains("AP over half range"));
    let results = fire["results"].as_array().unwrap();
    assert!(
        results[0]["range"][0].as_i64().unwrap() < -20
            && results.last().unwrap()["range"][1].as_i64().unwrap() > 20
    );
}

#[test]
fn the_deck_has_all_cards_face_down_and_their_pictures_lie_beside_it() {
    let pack = shipped("combat-leader");
    let exported = made(&pack);
    let deck: Json = serde_json::from_slice(exported.file("cards/action.json").unwrap()).unwrap();
    assert_eq!((&deck["type"], &deck["name"]), (&json!("deck"), &json!("Action Deck")));
    let cards = deck["cards"].as_array().unwrap();
    assert_eq!(
        cards.iter().map(|card| card["name"].as_str().unwrap()).collect::<Vec<_>>(),
        pack.decks().as_slice()[0].cards.iter().map(|card| card.title.as_str()).collect::<Vec<_>>()
    );
    let mut ids: Vec<&str> = cards.iter().map(|card| card["_id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 60);
    let picture = |address: &Json| {
        Pixmap::decode_png(
            exported
                .file(address.as_str().unwrap().strip_prefix("https://example.org/files/").unwrap())
                .unwrap(),
        )
        .unwrap()
    };
    for (card, number) in cards.iter().zip(1..) {
        assert!(
            is_id(&card["_id"])
                && card["type"] == "base"
                && card["face"].is_null()
                && card["drawn"] == false
                && card["origin"].is_null()
        );
        // Foundry measures a card in grid squares, not in millimetres.
        assert_eq!((&card["width"], &card["height"]), (&json!(2), &json!(3)));
        assert!(card["rotation"] == 0 && card["sort"] == json!(number * 100));
        let [face] = card["faces"].as_array().unwrap().as_slice() else { panic!("one face") };
        let (front, back) = (picture(&face["img"]), picture(&card["back"]["img"]));
        assert_eq!((front.width(), front.height()), (back.width(), back.height()));
    }
    assert_eq!((&deck["width"], &deck["height"]), (&json!(2), &json!(3)));
    assert_eq!((&cards[19]["suit"], &cards[19]["value"]), (&json!("hearts"), &json!(7)));
    assert_eq!((&cards[52]["suit"], &cards[52]["value"]), (&json!(""), &Json::Null));
}

#[test]
fn hostile_texts_stay_texts_and_the_bytes_are_the_same() {
    let pack = hostile();
    let exported = twice(|| made(&pack));
    let deck: Json = serde_json::from_slice(exported.file("cards/cards.json").unwrap()).unwrap();
    assert_eq!(
        deck["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>(),
        HOSTILE.map(on_one_line)
    );
    let table: Json =
        serde_json::from_slice(exported.file("tables/test-left.json").unwrap()).unwrap();
    assert_eq!(table["formula"], "2d6 + 3");
    // HTML texts contain no elements but ours, and the texts come back complete.
    let shown = std::iter::once(&table["description"])
        .chain(table["results"].as_array().unwrap().iter().map(|result| &result["text"]));
    let cards = deck["cards"].as_array().unwrap().iter().map(|card| &card["description"]);
    let mut texts = String::new();
    for html in shown.chain(cards) {
        let html = format!("<x>{}</x>", html.as_str().unwrap());
        let read = roxmltree::Document::parse(&html).unwrap();
        for node in read.descendants() {
            let ours = ["x", "p", "b", "i", "strong", "em", "h2", "ul", "li"];
            let name = node.tag_name().name();
            assert!(!node.is_element() || ours.contains(&name), "{name}");
            texts.push_str(if node.is_text() { node.text().unwrap() } else { "" });
        }
    }
    for text in HOSTILE {
        assert!(texts.contains(text), "{text}");
    }
}

/// What the module does in a world of this version of Foundry.
fn played(exported: &ExportedFiles, version: u32) -> Json {
    use std::io::Write;
    let text = |name: &str| {
        String::from_utf8(exported.file(name).unwrap_or_else(|| panic!("no {name}")).to_vec())
            .unwrap()
    };
    let files: BTreeMap<String, String> = exported
        .files
        .iter()
        .filter(|(name, _)| name.ends_with(".json"))
        .map(|(name, _)| (format!("my-folder/{name}"), text(name)))
        .collect();
    let program = format!(
        "const VERSION = {version};\nconst FILES = {};\n{}\n{}\nawait check();\n",
        serde_json::to_string(&files).unwrap(),
        include_str!("foundry_world.mjs"),
        text("module.mjs"),
    );
    let mut node = std::process::Command::new("node")
        .args(["--input-type=module", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("this test runs the module with Node: install nodejs");
    node.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "the module fails in version {version}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_module_fills_compendia_once_and_leaves_the_players_own_documents() {
    let pack = shipped("combat-leader");
    let exported = made(&pack);
    let manifest: Json = serde_json::from_slice(exported.file("module.json").unwrap()).unwrap();
    assert_eq!(
        (&manifest["id"], &manifest["esmodules"], &manifest["compatibility"]["minimum"]),
        (&json!("my-folder"), &json!(["module.mjs"]), &json!("12"))
    );
    assert!(manifest["packs"].is_null(), "compendia of a module's own are binary databases");
    for version in [12, 13, 14] {
        let found = played(&exported, version);
        assert_eq!(
            found["first"],
            json!([
                ["world.my-folder-decks", "Cards", 1],
                ["world.my-folder-tables", "RollTable", 17]
            ])
        );
    }
    // A pack without a deck has no compendium of decks.
    let panzer8 = shipped("panzer8");
    assert_eq!(
        played(&made(&panzer8), 13)["first"],
        json!([["world.my-folder-tables", "RollTable", 7]])
    );
    played(&made(&hostile()), 13);
}

#[test]
fn a_folder_of_any_name_gives_a_module_that_foundry_accepts() {
    for (folder, id) in [("panzer8", "panzer8"), ("Hill 112 (2)", "Hill-112--2-"), ("", "deck")] {
        assert_eq!(FoundryModule::new(folder, None).id(), id);
    }
}
