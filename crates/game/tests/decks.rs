#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Whose deck a card comes from, and where it goes.

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{Begin, Decks, PlayRequest, Table, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use std::sync::Arc;

const DECK: &str = "card,title,luck\n1,One,1\n2,Two,2\n3,Three,3\n4,Four,4\n5,Five,5\n";

fn pack(rest: &str) -> Arc<Pack> {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\n\
        [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n[deck.fate.field]\nluck = { number = \"Luck\" }\n";
    let files = Files::of([("pack.toml", format!("{head}{rest}")), ("deck.csv", DECK.to_owned())]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn per_side(pack: &Arc<Pack>) -> Game {
    let mut game = Game { table: Table::empty(pack.clone()), by: "Anna".into() };
    let begin = Begin {
        name: "Two decks".into(),
        sides: vec!["Red".into(), "Blue".into()],
        decks: Decks::PerSide,
        ..Begin::default()
    };
    let line = game.table.begin(&game.stamp(), begin).unwrap();
    game.apply(&line);
    game.join("Anna", "Red");
    game.unit("man", "Novak", "Red", "", "");
    game.unit("man", "Hale", "Blue", "", "");
    game
}

fn left(game: &Game) -> Vec<u32> {
    game.table.decks().iter().map(|deck| deck.left).collect()
}

const DUEL: &str = "[chart.duel]\ntitle = \"Duel\"\nlands_on = \"us\"\nwho = { us = \"man\", them = \"man\" }\n\
    step = [ { draw = \"fate\", as = \"ours\", read = \"luck\" }, { draw = \"fate\", of = \"them\", as = \"theirs\", read = \"luck\", count = 2 } ]\n\
    [chart.duel.read]\nscore = \"ours - theirs\"\nrows = [ { to = 0, all = \"lost\" }, { all = \"won\" } ]\n\
    [result]\nlost = { title = \"Lost\", of = \"man\", next = [ { chart = \"omen\", who = { us = \"us\" } } ] }\nwon = { title = \"Won\" }\n\
    [chart.omen]\ntitle = \"Omen\"\nwho = { us = \"man\", them = \"man\" }\nstep = [ { draw = \"fate\", of = \"them\", as = \"card\" } ]\nread = { value = \"card.number\" }\n";

#[test]
fn a_role_names_the_deck_that_a_card_comes_from() {
    let pack = pack(DUEL);
    let mut game = per_side(&pack);
    // Both sides have every card: each draws from its own deck.
    game.play(
        PlayRequest::of("duel").unit("us", "u1").unit("them", "u2"),
        EnteredInput::new().with_cards([5, 5, 4]),
    );
    assert_eq!(left(&game), [4, 3]);
    let record = game.table.lines().last().unwrap().to_owned();
    assert!(
        record.contains(r#""cards":[{"deck":"fate","side":"Red","took":[5]},{"deck":"fate","side":"Blue","took":[5,4]}]"#),
        "{record}"
    );
    // The same when the test falls due, whichever player rolls it.
    game.play(game.first().unit("them", "u2"), EnteredInput::new().with_cards([3]));
    assert_eq!(left(&game), [4, 2]);
    game.play(
        PlayRequest::of("omen").unit("us", "u2").unit("them", "u1"),
        EnteredInput::new().with_cards([1]),
    );
    assert_eq!(left(&game), [3, 2]);
    verify(pack, game.table.lines(), None).unwrap();
}

#[test]
fn a_shared_deck_belongs_to_all_sides() {
    let mut game = Game::new(pack(DUEL), "One deck", &["Red", "Blue"], &[]);
    game.unit("man", "Novak", "Red", "", "");
    game.unit("man", "Hale", "Blue", "", "");
    game.play(
        PlayRequest::of("duel").unit("us", "u1").unit("them", "u2"),
        EnteredInput::new().with_cards([5, 1, 2]),
    );
    assert_eq!(left(&game), [2]);
    verify(game.table.pack().clone().into(), game.table.lines(), None).unwrap();
}
