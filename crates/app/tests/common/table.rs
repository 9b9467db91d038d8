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

/// A pack in which every suppressed squad must rally: 50 % without and with another action.
const RALLY: &str = r#"
[pack]
id = "rally"
title = "Rally"
[unit.squad]
title = "Squad"
[status.suppressed]
title = "Suppressed"
of = "squad"
harm = 2
[status.lost]
title = "Lost"
of = "squad"
out = true
[[turn.phase]]
id = "fire"
title = "Fire"
text = "Everybody fires."
[[turn.phase]]
id = "rally"
title = "Rally"
text = "Squads rally."
due = [ { chart = "rally", for = "each", why = "suppressed last turn", when = "unit.suppressed" } ]
[chart.rally]
title = "Rally"
who = { squad = "squad" }
lands_on = "squad"
step = [ { roll = "1d10", as = "die" } ]
read = { rows = [ { to = 1, all = "lost" }, { to = 5, all = "stays" }, { to = 8, all = "rallies" }, { all = "acts" } ] }
[result.lost]
title = "Lost"
harm = 3
of = "squad"
effects = [ { status = "lost" } ]
[result.stays]
title = "No effect"
harm = 0
[result.rallies]
title = "Rallies"
harm = 0
of = "squad"
effects = [ { lift = "suppressed" } ]
[result.acts]
title = "Rallies and acts"
harm = 0
of = "squad"
effects = [ { lift = "suppressed" } ]
[ending.last]
title = "The battle is over"
none = [ { of = "squad", sides = "each" } ]
wins = "enemy"
"#;

/// Two squads of Red and one of Blue, all suppressed, one phase before they rally.
pub fn suppressed() -> World {
    suppressed_by(RALLY, &[("Fox", "Red"), ("Hare", "Red"), ("Owl", "Blue")])
}

/// Twelve squads, of which each must choose how it rallies if `choice` says so.
pub fn many_suppressed(choice: bool) -> World {
    let step = "step = [ { roll = \"1d10\", as = \"die\" } ]";
    let asks = "ask = { how = { label = \"How\", choice = { run = \"Run\", crawl = \"Crawl\" } } }\nstep = [ { roll = \"1d10\", as = \"die\", add = [ { label = \"Runs\", plus = 1, when = \"how == 'run'\" } ] } ]";
    assert!(RALLY.contains(step));
    let rules = if choice { RALLY.replacen(step, asks, 1) } else { RALLY.to_owned() };
    let names: Vec<String> = (1..=12).map(|n| format!("Squad {n}")).collect();
    let units: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "Red")).collect();
    suppressed_by(&rules, &units)
}

fn suppressed_by(rules: &str, units: &[(&str, &str)]) -> World {
    let files = adjutant_pack::Files::of([("pack.toml", rules)]);
    let pack = adjutant_pack::read_pack(&files, None).unwrap_or_else(|why| panic!("{why:#?}"));
    let stamp = adjutant_game::Stamp::new("2026-11-16T04:00:00Z", "Anna");
    let begin = adjutant_game::Begin {
        name: "Ford".into(),
        sides: vec!["Red".into(), "Blue".into()],
        ..adjutant_game::Begin::default()
    };
    let mut game = adjutant_game::Table::empty(Arc::new(pack));
    let unit = |name: &str, side: &str| adjutant_game::NewUnit {
        kind: "squad".into(),
        name: name.into(),
        side: side.into(),
        statuses: vec!["suppressed".into()],
        ..adjutant_game::NewUnit::default()
    };
    let units = units.iter().map(|(name, side)| unit(name, side)).collect();
    let line = game.begin(&stamp, begin).unwrap();
    game.apply(&line.text).unwrap();
    let line = game.act(&stamp, adjutant_game::EventKind::Add(units)).unwrap();
    game.apply(&line.text).unwrap();
    let mut world = World::default();
    world.kept.insert("own:rally".into(), json!({ "pack.toml": rules }).to_string());
    world.lines.insert("t1".into(), game.lines().map(str::to_owned).collect());
    let card = adjutant_app::TableCard {
        id: "t1".into(),
        name: "Ford".into(),
        pack: "rally".into(),
        last: game.lines().len() as u64,
        ..adjutant_app::TableCard::default()
    };
    world.cards.insert("t1".into(), card);
    world.start("#/game/t1");
    world
}
