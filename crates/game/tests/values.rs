//! Values of units that are worked out from others, and sums over the roster.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{PlayRequest, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use std::sync::Arc;

const PACK: &str = r#"
[pack]
id = "values"
title = "Values"
[list.grade]
raw = { title = "Raw", morale = 4 }
elite = { title = "Elite", morale = 8 }
[unit.squad]
title = "Squad"
[unit.squad.has]
grade = { choice = "grade", label = "Grade" }
pins = { number = "Pins", from = 0, to = 9, default = 0 }
fp = { number = "Firepower", from = 0, to = 9 }
morale = { label = "Morale", work_out = "unit.grade.morale - unit.pins" }
steady = { label = "Steady", work_out = "unit.morale >= 5" }
[chart.rally]
title = "Rally"
who = { squad = "squad" }
lands_on = "squad"
step = [ { roll = "1d10" } ]
read = { rows = [ { to = "squad.morale", all = "stands" }, { all = "pinned" } ] }
[chart.fire]
title = "Fire"
who = { squad = "squad" }
ask = { power = { number = "Firepower", from = 0, to = 99, count = { of = "squad", for = "side", from = "squad", when = "other.steady", sum = "other.fp" } } }
read = { value = "power" }
[result]
stands = { title = "Stands" }
pinned = { title = "Pinned", of = "squad", effects = [ { add = "pins", by = 1 } ] }
"#;

fn pack() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PACK)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn rally(game: &mut Game, face: u32) -> String {
    let request = PlayRequest::of("rally").unit("squad", "u1");
    game.play(request, EnteredInput::new().with_dice([face]));
    common::sentence::log_in_words(&game.table).pop().unwrap()
}

#[test]
fn a_value_follows_what_it_is_worked_out_from() {
    let mut game = Game::new(pack(), "Ford", &["Red", "Blue"], &[]);
    game.unit("squad", "Fox", "Red", "", "grade=elite fp=3");
    assert!(rally(&mut game, 9).contains("Pinned"));
    assert!(rally(&mut game, 7).contains("Stands"));
    assert!(rally(&mut game, 8).contains("Pinned"), "one pin: the morale is 7");
    let fox = game.table.state().unit("u1").unwrap();
    let shown: Vec<String> = game
        .table
        .worked_out(fox)
        .into_iter()
        .map(|(value, now)| format!("{} {}", value.label, now.to_answer(game.table.pack().words())))
        .collect();
    assert_eq!(shown, ["Morale 6", "Steady yes"]);
    verify(pack(), game.table.lines(), None).unwrap();
}

#[test]
fn a_question_sums_a_value_over_the_roster() {
    let mut game = Game::new(pack(), "Ford", &["Red", "Blue"], &[]);
    game.unit("squad", "Fox", "Red", "", "grade=elite fp=3");
    game.unit("squad", "Owl", "Red", "", "grade=elite fp=2");
    game.unit("squad", "Elk", "Red", "", "grade=raw fp=9");
    game.unit("squad", "Bat", "Blue", "", "grade=elite fp=9");
    game.play(PlayRequest::of("fire").unit("squad", "u1"), EnteredInput::new());
    let last = common::sentence::log_in_words(&game.table).pop().unwrap();
    // Elk is not steady, and Bat is on the other side.
    assert!(last.contains('5'), "{last}");
    verify(pack(), game.table.lines(), None).unwrap();
}
