//! The main screens as they are, word for word. `BLESS=1 cargo test -p page --test goldens` writes
//! them again.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::World;
use std::path::Path;

/// One tag on a line, so that a difference can be read.
fn broken_up(html: &str) -> String {
    html.replace("><", ">\n<") + "\n"
}

fn golden(name: &str, html: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(format!("{name}.html"));
    let now = broken_up(html);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, now).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (was, is))) =
        (1..).zip(known.lines().zip(now.lines())).find(|(_, (was, is))| was != is)
    {
        panic!(
            "{name}.html, line {line}:\n  was {was}\n  is  {is}\nBLESS=1 writes the goldens again"
        );
    }
    assert_eq!(
        known.len(),
        now.len(),
        "{name}.html differs in length; BLESS=1 writes the goldens again"
    );
}

#[test]
fn home() {
    let mut world = World::at("#/game/new.panzer8");
    world.type_in("{\"new_table\":{\"create\":{", "Hill 112 & <others>");
    world.go("#/");
    golden("home", &world.html());
}

#[test]
fn the_sheet_of_panzer8() {
    golden("sheet-panzer8", &World::at("#/sheet/panzer8").html());
}

#[test]
fn a_search_on_the_sheet() {
    let mut world = World::at("#/sheet/chain-reaction");
    world.type_in("search", "Charge");
    golden("sheet-search", &world.region("charts"));
}

#[test]
fn fire_before_and_after_the_roll() {
    let mut world = World::at("#/chart/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=3&soft=yes");
    golden("chart-fire", &world.html());
    world.press("\"own_dice\"");
    golden("chart-fire-pad", &world.region("out"));
    world.press("\"face\":9");
    world.press("\"face\":1");
    golden("chart-fire-result", &world.region("out"));
}

#[test]
fn several_at_once() {
    let mut world =
        World::at("#/chart/chain-reaction/in-sight?figure.anna.rep=5&figure.boris.rep=4");
    world.press("\"roll\"");
    golden("chart-in-sight", &world.html());
}

#[test]
fn a_table_begins() {
    let mut world = World::at("#/game/new.chain-reaction");
    golden("table-new", &world.region("main"));
    world.press("\"new_table\":{\"create\"");
    golden(
        "table-started",
        &(world.region("t-head")
            + &world.region("t-roster")
            + &world.region("t-play")
            + &world.region("t-act")
            + &world.region("bar")),
    );
    world.press("\"play\":\"roll\"");
    golden(
        "table-result",
        &(world.region("t-play") + &world.region("t-act") + &world.region("t-log")),
    );
}

#[test]
fn a_table_fires() {
    let mut world = World::at("#/game/new.panzer8");
    world.press("\"new_table\":{\"create\"");
    world.press("\"show_unit\":\"u3\"");
    golden("table-unit", &world.region("t-roster"));
    world.press("\"chart\":\"fire\",\"role\":\"firer\",\"unit\":\"u3\"");
    world.press("\"pick\":[\"target\",\"u5\"]");
    world.press("\"give\":[\"ammo\",\"hesa\"]");
    golden("table-form", &(world.region("t-play") + &world.region("t-act")));
    world.press("\"tab\":\"more\"");
    golden("table-more", &world.region("t-more"));
}

#[test]
fn the_lab_and_a_fight() {
    let mut world = World::at(
        "#/lab/panzer8/rally?element.quality=1&lost=2&~a.element.quality=0&~vary=lost,0..3&~times=2",
    );
    world.run_soon(20);
    golden(
        "lab-rally",
        &["lab-odds", "lab-form", "lab-surface", "lab-changes", "lab-times"]
            .map(|id| world.region(id))
            .concat(),
    );
    let mut world =
        World::at("#/fight/panzer8/fire-fight?ours.hesa=6&ours.def=4&theirs.hesa=5&theirs.def=4");
    world.run_soon(20);
    golden(
        "fight",
        &["main", "fight-odds", "fight-form", "fight-vary"].map(|id| world.region(id)).concat(),
    );
}

#[test]
fn a_card_and_the_editor() {
    let mut world = World::at("#/deck/combat-leader/action");
    world.press("\"draw\"");
    world.press("\"read_field\":4");
    golden(
        "deck",
        &["main", "deck-card", "deck-piles", "deck-actions"].map(|id| world.region(id)).concat(),
    );
    let mut world = World::at("#/editor");
    world.press("\"start_from\":\"\"");
    world.run_soon(20);
    golden(
        "editor",
        &[
            "editor-start",
            "editor-files",
            "editor-faults",
            "editor-chart",
            "editor-cases",
            "editor-use",
        ]
        .map(|id| world.region(id))
        .concat(),
    );
}

#[test]
fn home_says_the_same_with_and_without_reading_the_packs() {
    let read = World::at("");
    let shelf = adjutant_app::PackRegistry::default();
    let summaries: Vec<adjutant_app::PackSummary> =
        adjutant_bundled_packs::IDS.iter().filter_map(|id| shelf.summary(id)).collect();
    assert_eq!(summaries.len(), adjutant_bundled_packs::IDS.len());
    let mut told = World::default();
    told.send(adjutant_app::Message::Start(Box::new(adjutant_app::Start {
        summaries,
        online: true,
        ..adjutant_app::Start::default()
    })));
    for region in ["top", "main", "bar"] {
        assert_eq!(told.region(region), read.region(region), "{region}");
    }
    // What is said of a sheet is what was told, until it is read.
    let mut odd = World::default();
    let brief = adjutant_app::PackSummary {
        id: "panzer8".into(),
        title: "Hearsay".into(),
        ..adjutant_app::PackSummary::default()
    };
    odd.send(adjutant_app::Message::Start(Box::new(adjutant_app::Start {
        summaries: vec![brief],
        ..adjutant_app::Start::default()
    })));
    assert!(odd.region("main").contains("Hearsay"));
    odd.send(adjutant_app::Message::Go("#/sheet/panzer8".into()));
    assert!(!odd.region("top").contains("Hearsay"));
}
