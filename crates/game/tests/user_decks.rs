#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Decks that a player supplies: Panzer8's event cards.

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{PlayError, PlayRequest, Table, replay, verify};
use adjutant_pack::{Pack, read_pack};
use common::Game;
use std::sync::Arc;

const CARDS: &str = "title,text\nRain,All roads are mud.\nFog,No one sees far.\nQuiet,\n";

fn panzer8(cards: Option<&str>) -> Arc<Pack> {
    let tables = cards.map(|cards| format!("[deck.events]\ncards = \'\'\'\n{cards}\'\'\'\n"));
    let files = adjutant_bundled_packs::files("panzer8").unwrap();
    Arc::new(read_pack(&files, tables.as_deref()).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn game(cards: Option<&str>) -> Game {
    Game::new(panzer8(cards), "Hill", &["Allies", "Axis"], &[])
}

fn phase(table: &Table) -> String {
    table.turn().0.unwrap().id.to_string()
}

fn next_phase(game: &mut Game) {
    let line = game.table.next_phase(&game.stamp()).unwrap();
    game.apply(&line);
}

#[test]
fn without_cards_the_event_phase_is_passed_over() {
    let mut game = game(None);
    assert_eq!(phase(&game.table), "action");
    let phases: Vec<&str> = game.table.open_phases().map(|(_, phase)| phase.id.as_str()).collect();
    assert_eq!(phases, ["action", "close-combat", "end"]);
    assert_eq!(game.table.decks().len(), 0);
    for _ in 0..3 {
        next_phase(&mut game);
    }
    assert_eq!((phase(&game.table).as_str(), game.table.turn().1), ("action", 2));
    assert_eq!(game.table.state().pending.len(), 0);
    assert!(!game.table.lines().next().unwrap().contains("user_decks"));
}

#[test]
fn with_cards_each_event_phase_draws_one() {
    let mut game = game(Some(CARDS));
    assert!(
        game.table
            .lines()
            .next()
            .unwrap()
            .contains(r#""user_decks":{"events":{"cards":3,"hash":""#)
    );
    assert_eq!(phase(&game.table), "event");
    for _ in 0..4 {
        next_phase(&mut game);
    }
    let due = game.table.state().pending[0].due.clone();
    assert_eq!((due.chart.as_str(), due.why.as_str()), ("event", "event phase"));
    game.play(PlayRequest::pending(due.id), EnteredInput::new().with_cards([2]));
    assert!(game.table.lines().last().unwrap().contains("Fog: No one sees far."));
    assert_eq!((game.table.decks()[0].left, game.table.decks()[0].size), (2, 3));
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert!(verify(panzer8(Some(CARDS)), &lines, None).is_ok());
}

#[test]
fn a_game_opens_without_the_cards_but_does_not_draw() {
    let mut game = game(Some(CARDS));
    game.play(PlayRequest::of("event"), EnteredInput::new().with_cards([1]));
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    for (cards, said) in [
        (None, "They are not here"),
        (Some("title,text\nSnow,\nMud,\nSun,\n"), "other cards than those supplied here"),
    ] {
        let mut there =
            Game { table: Table::open(panzer8(cards), &lines).unwrap(), by: "Anna".into() };
        assert_eq!((phase(&there.table).as_str(), there.table.decks()[0].left), ("event", 2));
        let again = there.table.play(
            &there.stamp(),
            &PlayRequest::of("event"),
            &mut EnteredInput::new().with_cards([2]),
        );
        let Err(PlayError::Rejected(why)) = again else { panic!("{again:?}") };
        assert!(adjutant_wording::en::rejection(&why[0]).contains(said), "{why:?}");
        next_phase(&mut there);
        assert_eq!(phase(&there.table), "action");
        let (_, differences) = replay(panzer8(cards), &lines).unwrap();
        assert_eq!(differences.len(), 1);
    }
}
