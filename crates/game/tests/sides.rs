//! Memory of a side, endings by a condition, who has won, and new units of the enemy.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{EventKind, PlayRequest, verify};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;
use common::Game;
use common::sentence::log_in_words;
use std::sync::Arc;

const PACK: &str = r#"
[pack]
id = "sides"
title = "Sides"
[unit.squad]
title = "Squad"
[memory]
lost = { number = "Squads lost", from = 0, to = 20, default = 0, per = "side" }
time = { number = "Time", from = 0, to = 12, default = 0 }
[chart.fire]
title = "Fire"
who = { firer = "squad", target = "squad" }
lands_on = "target"
step = [ { roll = "1d6", as = "die", add = [ { label = "Shaken", plus = 1, when = "target.side.lost >= 2 and side.lost < 5" } ] } ]
read = { rows = [ { to = 3, all = "miss" }, { to = 4, all = "ambush" }, { all = "hit" } ] }
[result]
miss = { title = "Miss", effects = [ { remember = "time", by = 6 } ] }
hit = { title = "Destroyed", of = "squad", effects = [ { remember = "lost", by = 1 } ] }
ambush = { title = "Ambush", effects = [ { appear = "squad", count = 1, side = "enemy" } ] }
[ending.broken]
title = "The army breaks"
when = "side.lost >= 3"
wins = "enemy"
[ending.dusk]
title = "Night falls"
when = "memory.time >= 12"
wins = { most = "-side.lost" }
"#;

fn pack() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PACK)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn game() -> Game {
    let mut game = Game::new(pack(), "Ford", &["Red", "Blue"], &[]);
    game.unit("squad", "Fox", "Red", "", "");
    game.unit("squad", "Owl", "Blue", "", "");
    game
}

fn fire(game: &mut Game, by: &str, at: &str, face: u32) {
    let request = PlayRequest::of("fire").unit("firer", by).unit("target", at);
    game.play(request, EnteredInput::new().with_dice([face]));
}

fn endings(game: &Game) -> Vec<String> {
    let guide = game.table.guide();
    en::guide(&game.table, &guide).into_iter().take(guide.endings.len()).collect()
}

#[test]
fn each_side_remembers_its_own_and_the_enemy_of_a_broken_side_wins() {
    let mut game = game();
    fire(&mut game, "u1", "u2", 5);
    fire(&mut game, "u1", "u2", 6);
    fire(&mut game, "u2", "u1", 5);
    let last = log_in_words(&game.table).pop().unwrap();
    assert!(last.ends_with("Side of Fox: Squads lost is now 1."), "{last}");
    assert_eq!(endings(&game), [""; 0]);
    // Blue has lost two: a 4 is now a hit.
    fire(&mut game, "u1", "u2", 4);
    assert_eq!(endings(&game), ["The army breaks. Red won."]);
    let report = adjutant_wording::report::report(&game.table).unwrap();
    assert_eq!(report.endings, ["The army breaks: Red won."]);
    verify(pack(), game.table.lines(), None).unwrap();
    // Undone, the loss is forgotten.
    let event = game.table.lines().len() as u64;
    game.act(EventKind::Undo { event, mark: None });
    assert_eq!(endings(&game), [""; 0]);
}

#[test]
fn at_dusk_the_side_with_fewer_losses_wins_and_equal_sides_do_not() {
    let mut game = game();
    fire(&mut game, "u1", "u2", 1);
    fire(&mut game, "u1", "u2", 1);
    assert_eq!(endings(&game), ["Night falls. No side won."]);
    fire(&mut game, "u2", "u1", 5);
    assert_eq!(endings(&game), ["Night falls. Blue won."]);
}

#[test]
fn new_units_of_the_enemy_join_the_other_side() {
    let mut game = game();
    fire(&mut game, "u2", "u1", 4);
    let state = game.table.state();
    assert_eq!(game.table.sides()[state.units[2].side], "Red");
    fire(&mut game, "u1", "u2", 4);
    assert_eq!(game.table.sides()[game.table.state().units[3].side], "Blue");
}

#[test]
fn a_player_sets_the_memory_of_a_side_that_is_named() {
    let mut game = game();
    let memory = |name: &str, side: Option<&str>| EventKind::Memory {
        name: name.into(),
        side: side.map(str::to_owned),
        value: "2".into(),
    };
    for (name, side, why) in [
        ("lost", None, "each side has a `lost` of its own: name the side"),
        ("time", Some("Red"), "`time` is the same for all sides: name no side"),
        ("lost", Some("Rde"), "there is no side `Rde`: did you mean `Red`?"),
        ("lots", Some("Red"), "there is no memory `lots`: did you mean `lost`?"),
    ] {
        let stop = game.table.act(&game.stamp(), memory(name, side)).unwrap_err();
        assert_eq!(en::rejection(&stop), why);
    }
    game.act(memory("lost", Some("Blue")));
    assert!(log_in_words(&game.table).pop().unwrap().ends_with(" notes: Blue, Squads lost – 2."));
    // Blue has lost two: a 4 is now a hit, and Blue breaks.
    fire(&mut game, "u1", "u2", 4);
    assert_eq!(endings(&game), ["The army breaks. Red won."]);
    verify(pack(), game.table.lines(), None).unwrap();
}
