//! A table in the page, and what a test does at it.

use super::{World, unescaped};
use adjutant_app::Route;
use serde_json::{Value, json};
use std::sync::Arc;

pub fn table(world: &mut World, message: Value) {
    world.send(serde_json::from_value(json!({ "table": message })).unwrap());
}

pub fn play(world: &mut World, message: Value) {
    table(world, json!({ "play": message }));
}

/// A table of this pack, started this way.
pub fn started(pack: &str, start: &str) -> World {
    let mut world = World::at("#/game/new");
    table(&mut world, json!({ "new_table": { "pack": pack } }));
    table(&mut world, json!({ "new_table": { "start": start } }));
    table(&mut world, json!({ "new_table": { "create": { "name": "Hill 112", "who": "Anna" } } }));
    assert!(
        matches!(world.route(), Route::Table(_)),
        "{:?} {}",
        world.route(),
        world.region("main")
    );
    world
}

pub fn lines(world: &World) -> &Vec<String> {
    world.lines.values().next().unwrap()
}

/// Every line that was kept opens again, and every roll in it is as the sheet has it.
pub fn verified(world: &World, pack: &str) -> adjutant_game::Table {
    let pack = Arc::new(
        adjutant_pack::read_pack(&adjutant_bundled_packs::files(pack).unwrap(), None).unwrap(),
    );
    adjutant_game::verify(pack, lines(world), None).unwrap()
}

/// The messages of the buttons in a region.
pub fn in_region(world: &World, region: &str) -> Vec<String> {
    let html = world.region(region);
    html.split(" data-do=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(unescaped)
        .collect()
}

/// The large button, if it can be pressed.
pub fn large(world: &World) -> Option<String> {
    let html = world.region("t-act");
    let tag =
        html.split("<button class=\"button button-main\"").nth(1)?.split('>').next()?.to_owned();
    if tag.contains(" disabled") {
        return None;
    }
    tag.split(" data-do=\"").nth(1)?.split('"').next().map(unescaped)
}

/// What a region says, without its tags.
pub fn said(world: &World, region: &str) -> String {
    let html = world.region(region);
    let words = html
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, words)| words))
        .collect::<Vec<_>>()
        .join(" ");
    unescaped(&words).split_whitespace().collect::<Vec<_>>().join(" ")
}
