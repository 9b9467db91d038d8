#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! A bag: a chit for each unit that a status has not taken out.

mod common;

use adjutant_dice::EnteredInput;
use adjutant_engine::{OddsOptions, Situation, odds, resolve};
use adjutant_game::{PlayRequest, Table, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use common::players::Players;
use common::sentence::{Sentence, log_in_words, sentences};
use std::sync::Arc;

fn pack() -> Arc<Pack> {
    let text = include_str!("../../../examples/order-bag/pack.toml");
    let files = Files::of([("pack.toml", text.to_owned())]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn platoons(game: &mut Game) {
    for (name, side) in [("Able", "Red"), ("Baker", "Red"), ("Anton", "Blue")] {
        game.unit("squad", name, side, "", "");
    }
}

fn game() -> Game {
    let mut game = Game::new(pack(), "Bag", &["Red", "Blue"], &[]);
    game.join("Anna", "Red");
    game.join("Ben", "Blue");
    platoons(&mut game);
    game
}

fn chit(number: u32) -> EnteredInput {
    EnteredInput::new().with_cards([number])
}

fn die(face: u32) -> EnteredInput {
    EnteredInput::new().with_dice([face])
}

fn in_bag(table: &Table) -> Vec<&str> {
    table.bags()[0].1.iter().map(|unit| unit.name.as_str()).collect()
}

#[test]
fn a_chit_is_drawn_for_each_unit_that_has_no_order_yet() {
    let mut game = game();
    assert_eq!(in_bag(&game.table), ["Able", "Baker", "Anton"]);
    game.play(PlayRequest::of("next-order"), chit(1));
    let line = game.table.lines().last().unwrap().to_owned();
    assert!(line.contains(r#""cards":[{"deck":"bag","took":[1],"unit":"u1","left":2}]"#), "{line}");
    assert!(line.contains(r#""value":"2""#), "{line}");
    assert!(line.contains(r#""role_sides":{"squad":"Red"}"#), "{line}");
    let told = log_in_words(&game.table).last().unwrap().clone();
    assert!(told.contains("Drawn from the Order bag: Able"), "{told}");
    assert!(told.contains("2 left"), "{told}");
    // A bag has no state: before the order is given, all chits are in it.
    assert_eq!(in_bag(&game.table), ["Able", "Baker", "Anton"]);
    // Any unit of the side may have the order, and no other.
    let request = game.first().unit("squad", "u3");
    let mut none = EnteredInput::new();
    let refused = game.table.play(&game.stamp(), &request, &mut none).unwrap_err();
    assert_eq!(refused.sentence(), "Anton cannot be the squad here: it must be a unit of Red");
    game.play(game.first().unit("squad", "u2"), die(5));
    assert_eq!(in_bag(&game.table), ["Able", "Anton"]);
    // Now chit 2 is Anton's.
    game.play(PlayRequest::of("next-order"), chit(2));
    game.play(game.first().unit("squad", "u3"), die(1));
    game.play(PlayRequest::of("next-order"), chit(1));
    game.play(game.first().unit("squad", "u1"), die(5));
    // The bag is empty: nothing is drawn, and nothing follows.
    game.play(PlayRequest::of("next-order"), EnteredInput::new());
    assert_eq!(game.table.pending().count(), 0);
    verify(pack(), game.table.lines(), None).unwrap();
}

#[test]
fn the_unit_drawn_takes_the_role_itself() {
    let mut game = game();
    game.play(PlayRequest::of("spotted"), chit(3));
    let line = game.table.lines().last().unwrap().to_owned();
    assert!(line.contains(r#""units":{"squad":["u3"]}"#), "{line}");
    game.play(game.first(), die(5));
    assert_eq!(in_bag(&game.table), ["Able", "Baker"]);
    verify(pack(), game.table.lines(), None).unwrap();
}

#[test]
fn the_odds_of_a_bag_are_those_of_its_chits() {
    let game = game();
    let situation = game.table.situation(&PlayRequest::of("next-order")).unwrap();
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    assert_eq!(report.branches[0].spread.values.len(), 1, "{report:?}");
    let situation = game.table.situation(&PlayRequest::of("spotted")).unwrap();
    odds(&situation, &OddsOptions::default()).unwrap();
}

#[test]
fn without_a_game_there_is_no_bag() {
    let pack = pack();
    let mut situation = Situation::new(&pack, "next-order").unwrap();
    let said = "Next order draws from Order bag, which holds a chit for each unit of a roster: play it in a game";
    let stopped = resolve(&mut situation, &mut chit(1)).unwrap_err();
    assert_eq!(adjutant_wording::en::resolve_error(&stopped.refused.unwrap()), said);
    assert!(odds(&situation, &OddsOptions::default()).is_err());
}

#[test]
fn a_forged_chit_is_refused() {
    let mut game = game();
    let request = PlayRequest::of("next-order");
    let line = game.table.play(&game.stamp(), &request, &mut chit(1)).unwrap();
    for (was, is) in [
        (r#""unit":"u1""#, r#""unit":"u2""#),
        (r#""took":[1]"#, r#""took":[2]"#),
        (r#""left":2"#, r#""left":3"#),
        (r#""unit":"u1","left":2"#, r#""left":2"#),
        (r#"{"squad":"Red"}"#, r#"{"squad":"Green"}"#),
    ] {
        let forged = line.text.replacen(was, is, 1);
        assert_ne!(forged, line.text);
        assert!(game.table.append(&forged).is_err(), "{forged}");
    }
    // Another side for the open role is found by the check of the whole log.
    let forged = line.text.replacen(r#"{"squad":"Red"}"#, r#"{"squad":"Blue"}"#, 1);
    if game.table.append(&forged).is_ok() {
        assert!(verify(pack(), game.table.lines(), None).is_err());
    }
}

#[test]
fn chits_are_not_moved_by_hand() {
    let game = game();
    let act = adjutant_game::EventKind::Deck {
        deck: "bag".into(),
        side: None,
        act: adjutant_game::DeckAct::Reshuffle,
        cards: Vec::new(),
    };
    let refused = game.table.act(&game.stamp(), act).unwrap_err();
    assert!(sentences(&[refused])[0].starts_with("a bag has no cards"));
}

#[test]
fn a_sealed_chit_can_be_verified() {
    let mut players = Players::of(pack(), &[("Anna", "Red"), ("Ben", "Blue")], 10);
    platoons(&mut players.game);
    players.call("Anna", &PlayRequest::of("next-order"));
    players.show("Anna");
    players.show("Ben");
    players.rolled("Ben");
    players.checked_with(pack(), &[]);
    let line = players.table().lines().last().unwrap().to_owned();
    assert!(line.contains(r#""left":2"#), "{line}");
}
