//! The named scenarios of the four bundled packs, played to their endings as players would.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{Begin, PlayRequest, Table, verify};
use adjutant_wording::en;
use common::sentence::log_in_words;
use common::{Game, shipped};

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn scenario(pack: &str, start: &str) -> Game {
    let mut game = Game { table: Table::empty(shipped(pack)), by: "Anna".into() };
    let begin = Begin { name: "Evening".into(), ..Begin::default() };
    for line in game.table.begin_from(&game.stamp(), start, begin).unwrap() {
        game.apply(&line);
    }
    game
}

/// The game is over, this side has won, and the log verifies.
fn won(game: &Game, pack: &str, side: &str) {
    let says = en::guide(&game.table, &game.table.guide());
    assert!(says[0].ends_with(&format!("{side} won.")), "{says:?}");
    assert_eq!(game.table.endings().len(), 1);
    verify(shipped(pack), game.table.lines(), None).unwrap();
}

#[test]
fn the_crossroads_to_the_end() {
    let mut game = scenario("panzer8", "first-game");
    for target in ["u5", "u6", "u7", "u8"] {
        assert!(game.table.endings().is_empty());
        let fire = PlayRequest::of("fire").unit("firer", "u3").unit("target", target);
        game.play(fire.given("ammo", "hesa"), dice(&[10, 1]));
    }
    won(&game, "panzer8", "Allies");
}

#[test]
fn the_orchard_to_the_end() {
    let mut game = scenario("combat-leader", "the-orchard");
    let cards = [[13, 26], [12, 25], [11, 24], [10, 23]];
    for (target, [shot, casualty]) in ["u5", "u6", "u7", "u8"].into_iter().zip(cards) {
        assert!(game.table.endings().is_empty());
        let shoot = PlayRequest::of("accuracy").unit("firer", "u2").unit("target", target);
        game.play(
            shoot.given("mod_fp", "6").given("clear", "yes"),
            EnteredInput::new().with_cards([shot]),
        );
        game.play(
            game.first(),
            EnteredInput::new().with_cards([casualty]).with_answer("casualty", "killed"),
        );
    }
    won(&game, "combat-leader", "From the road");
}

#[test]
fn the_mill_to_the_end() {
    let mut game = scenario("chain-reaction", "the-mill");
    for section in [1, 3, 6] {
        game.play(game.first(), dice(&[section]));
    }
    let resolve = |pef: &str| PlayRequest::of("pef-resolve").unit("pef", pef).unit("seen_by", "u1");
    // Nerves, then something out there, then, of three dice, two passes: contact.
    game.play(resolve("u6"), dice(&[5, 6]));
    game.play(resolve("u7"), dice(&[4, 5]));
    game.play(resolve("u8"), dice(&[6, 4, 2]));
    assert!(game.table.endings().is_empty());
    // Five in the patrol, less three: two enemies.
    game.play(game.first(), dice(&[6, 1]));
    assert_eq!(game.table.state().here().filter(|unit| unit.side == 1).count(), 2);
    // Doyle has the most successes and fires first.
    let sight = game.first().unit("figure", "u1").unit("figure", "u9").unit("figure", "u10");
    game.play(sight, dice(&[1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]));
    for enemy in ["u9", "u10"] {
        let shoot = PlayRequest::of("shooting").unit("shooter", "u1").unit("target", enemy);
        game.play(shoot, dice(&[6]));
        // A 1 is obviously dead; the rest of his group takes a Crisis test, and runs.
        game.play(game.first(), dice(&[1]));
    }
    won(&game, "chain-reaction", "Doyle's patrol");
}

#[test]
fn the_tractor_works_to_the_end() {
    let mut game = scenario("asl-starter-kit", "tractor-works");
    let ambush = |attacker: &str, defender: &str| {
        PlayRequest::of("ambush").unit("attacker", attacker).unit("defender", defender)
    };
    // No ambush in the assembly hall: both attacks count at the same time.
    game.play(ambush("u1", "u6"), dice(&[6, 3]));
    game.play(game.first(), dice(&[1, 6]));
    game.play(game.first(), dice(&[6, 6]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("The results wait for the other simultaneous attacks."), "{words}");
    game.apply(&game.table.land(&game.stamp()).unwrap());
    // The kill number: a roll picks one of the stack, and he is wounded.
    game.play(game.first(), dice(&[1]));
    game.play(game.first(), dice(&[2]));
    let vogt = game.table.state().unit("u6").unwrap();
    assert_eq!(vogt.statuses.len(), 1, "wounded");
    // The guards ambush in the boiler room: there is no one left to reply.
    game.play(ambush("u4", "u8"), dice(&[1, 6]));
    game.play(game.first(), dice(&[2, 3]));
    assert!(game.table.pending().next().is_none());
    assert!(game.table.endings().is_empty());
    let attack = |attacker: &str, defender: &str| {
        let play = PlayRequest::of("close-combat").unit("attacker", attacker);
        play.unit("defender", defender).given("ambush", "none")
    };
    game.play(attack("u2", "u7"), dice(&[1, 1]));
    game.play(attack("u7", "u2"), dice(&[2, 2]));
    assert!(game.table.endings().is_empty(), "both attacks wait");
    game.apply(&game.table.land(&game.stamp()).unwrap());
    won(&game, "asl-starter-kit", "Guards");
}
