//! A follow-up for others that fills a role of several units.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{PlayRequest, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use std::sync::Arc;

const PACK: &str = r#"
[pack]
id = "morale"
title = "Morale"
[unit.man]
title = "Man"
has = { nerve = { number = "Nerve", from = 0, to = 9, default = 7 } }
[status.stunned]
title = "Stunned"
of = "man"
stops = ["morale"]
[chart.shot]
title = "Shot"
who = { target = "man" }
lands_on = "target"
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 3, all = "stuns" }, { all = "falls" } ] }
[chart.morale]
title = "Morale"
who = { man = "man" }
each = "man"
step = [ { roll = "2d6" } ]
read = { score = "die - man.nerve", rows = [ { to = 0, all = "stands" }, { all = "runs" } ] }
[result]
stands = { title = "Stands" }
runs = { title = "Runs", of = "man", effects = [ { leaves = "ran" } ] }
stuns = { title = "Stunned", of = "man", effects = [ { status = "stunned" } ] }
[result.falls]
title = "Falls"
of = "man"
effects = [ { leaves = "fallen" } ]
next = [ { chart = "morale", why = "{it} fell", for = "group", all = true, when = "other.nerve < 9" } ]
"#;

fn pack() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PACK)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn game() -> Game {
    let mut game = Game::new(pack(), "Hedge", &["Red", "Blue"], &[]);
    for (name, side, group, has) in [
        ("Ann", "Red", "a", ""),
        ("Bob", "Red", "a", ""),
        ("Cid", "Red", "a", "nerve=9"),
        ("Dan", "Red", "b", ""),
        ("Eve", "Red", "a", "nerve=5"),
        ("Flo", "Blue", "a", ""),
    ] {
        game.unit("man", name, side, group, has);
    }
    game
}

fn shoot(game: &mut Game, at: &str, face: u32) {
    let request = PlayRequest::of("shot").unit("target", at);
    game.play(request, EnteredInput::new().with_dice([face]));
}

/// The pending tests, each with its units.
fn due(game: &Game) -> Vec<(String, Vec<String>)> {
    let pending = &game.table.state().pending;
    pending.iter().map(|test| (test.due.id.clone(), test.due.units["man"].clone())).collect()
}

#[test]
fn one_test_is_due_for_all_of_the_group_that_meet_the_condition() {
    let mut game = game();
    shoot(&mut game, "u1", 6);
    let pending = due(&game);
    let [(id, units)] = pending.as_slice() else { panic!("{pending:?}") };
    assert_eq!(units, &["u2", "u5"]);
    game.play(PlayRequest::pending(id), EnteredInput::new().with_dice([3, 4, 1, 5]));
    assert!(due(&game).is_empty());
    let gone = |id: &str| game.table.state().unit(id).unwrap().gone.is_some();
    assert_eq!(["u1", "u2", "u5"].map(gone), [true, false, true]);
    verify(pack(), game.table.lines(), None).unwrap();
}

#[test]
fn a_unit_that_cannot_take_part_any_more_leaves_the_others_their_test() {
    let mut game = game();
    shoot(&mut game, "u1", 6);
    shoot(&mut game, "u2", 1);
    assert_eq!(due(&game).iter().map(|(_, units)| units.clone()).collect::<Vec<_>>(), [["u5"]]);
    shoot(&mut game, "u5", 1);
    assert!(due(&game).is_empty());
}

#[test]
fn an_empty_group_takes_no_test() {
    let mut game = game();
    shoot(&mut game, "u4", 6);
    assert!(due(&game).is_empty());
}
