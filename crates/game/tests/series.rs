#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Follow-ups in series, and values by a word, in a game.

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{PlayRequest, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use std::sync::Arc;

const PACK: &str = r#"
[pack]
id = "t"
title = "T"
[list.part]
bow = "Bow"
stern = "Stern"
[unit.ship]
title = "Ship"
has = { hull = { number = "Hull", by = "part", from = 0, to = 9, default = { bow = 3, stern = 2 } } }
[template.cutter]
title = "Cutter"
kind = "ship"
has = { hull = { bow = 1 } }
[chart.broadside]
title = "Broadside"
who = { ship = "ship" }
ask = { hits = { number = "Hits", from = 0, to = 6 } }
read = { value = "hits", next = [ { chart = "damage", why = "hit", who = { ship = "ship" }, times = "hits", with = { deck = "nth" } } ] }
[chart.damage]
title = "Damage"
who = { ship = "ship" }
ask = { deck = { number = "Deck", from = 1, to = 6 } }
step = [ { roll = "1d6" }, { work_out = "if(die <= deck, 'bow', 'stern')", as = "where" } ]
read = { rows = [ { when = "ship.hull[where] <= 1", text = "Hull 1 or less there", all = "holed" }, { all = "hit" } ] }
[result]
hit = { title = "Hit", of = "ship", effects = [ { add = "hull[where]", by = -1 } ] }
holed = { title = "Holed", of = "ship", effects = [ { set = "hull[where]", to = 0 } ] }
"#;

fn pack() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PACK)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn value(game: &Game, unit: usize, name: &str) -> Option<adjutant_dice::Number> {
    let pack = pack();
    game.table.state().units[unit].facet(&pack, name).and_then(adjutant_pack::Value::number)
}

#[test]
fn each_hit_of_a_broadside_is_a_test_of_its_own() {
    let mut game = Game::new(pack(), "Sea", &["Red", "Blue"], &[]);
    game.unit("ship", "Ajax", "Red", "", "");
    game.play(
        PlayRequest::of("broadside").unit("ship", "u1").given("hits", "3"),
        EnteredInput::new(),
    );
    let pending = game.table.state().pending.clone();
    let decks: Vec<&str> = pending.iter().map(|test| test.due.with["deck"].as_str()).collect();
    assert_eq!(decks, ["1", "2", "3"]);
    // 1 hits the bow, 6 the stern, 5 the stern again.
    for (test, die) in pending.iter().zip([1, 6, 5]) {
        game.play(PlayRequest::pending(test.due.id.clone()), EnteredInput::new().with_dice([die]));
    }
    assert_eq!(
        (value(&game, 0, "hull_bow"), value(&game, 0, "hull_stern")),
        (Some(2.into()), Some(0.into()))
    );
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert!(verify(pack(), &lines, None).is_ok());
}

#[test]
fn a_template_and_a_file_of_units_give_values_by_a_word() {
    let pack = pack();
    let cutter = adjutant_game::NewUnit::from_template(&pack, "cutter", "Swift", "Red").unwrap();
    assert_eq!(
        (cutter.has.get("hull_bow").map(String::as_str), cutter.has.get("hull_stern")),
        (Some("1"), None)
    );
    let game = Game::new(pack.clone(), "Sea", &["Red", "Blue"], &[]);
    let text = "[[unit]]\nname = \"Ajax\"\nside = \"Red\"\nhull = { bow = 5, stern = 4 }\n";
    let units =
        adjutant_game::recruits_from_toml(&pack, game.table.setup().unwrap(), None, text).unwrap();
    assert_eq!(
        (units[0].has["hull_bow"].as_str(), units[0].has["hull_stern"].as_str()),
        ("5", "4")
    );
}
