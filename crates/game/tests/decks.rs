#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Whose deck a card comes from, and where it goes.

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{Begin, Decks, PlayRequest, Table, verify};
use adjutant_pack::{Files, Pack, read_pack};
use common::Game;
use common::players::Players;
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

const HANDS: &str = "hand = { of = \"side\", size = 2 }\npiles = [\"used_up\"]\n";

const ORDERS: &str = "[chart.order]\ntitle = \"Order\"\nwho = { us = \"man\", them = \"man\" }\n\
    step = [ { play = \"fate\", as = \"order\", read = \"luck\", which = \"face >= 2\", to = \"used_up\" }, \
    { draw = \"fate\", as = \"luck_card\", read = \"luck\" }, { draw = \"fate\", to = \"hand\", as = \"fresh\" } ]\n\
    [chart.order.read]\nvalue = \"order * 10000 + luck_card * 1000 + deck.fate.left * 100 + deck.fate.hand * 10 + deck.fate.used_up\"\n\
    [chart.deal]\ntitle = \"Deal\"\nwho = { us = \"man\", them = \"man\" }\nstep = [ { draw = \"fate\", to = \"hand\" }, { draw = \"fate\", to = \"hand\", of = \"them\", as = \"theirs\", count = 1 } ]\nread = { value = \"card.cards * 10 + theirs.cards\" }\n";

fn with_hands() -> Arc<Pack> {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\n\
        [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n";
    let field = "[deck.fate.field]\nluck = { number = \"Luck\" }\n";
    let text = format!("{head}{HANDS}{field}{ORDERS}");
    let files = Files::of([("pack.toml", text), ("deck.csv", DECK.to_owned())]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn two_men(pack: Arc<Pack>) -> Game {
    let mut game = Game::new(pack, "Hands", &["Red", "Blue"], &[]);
    game.join("Anna", "Red");
    game.join("Ben", "Blue");
    game.unit("man", "Novak", "Red", "", "");
    game.unit("man", "Hale", "Blue", "", "");
    game
}

fn hands(game: &Game, who: &str) -> Vec<(usize, u32, Option<Vec<u32>>)> {
    let hands = game.table.hands(who).into_iter();
    hands.map(|hand| (hand.side, hand.count, hand.cards)).collect()
}

#[test]
fn cards_are_drawn_to_a_hand_and_played_from_it() {
    let mut game = two_men(with_hands());
    game.play(
        PlayRequest::of("deal").unit("us", "u1").unit("them", "u2"),
        EnteredInput::new().with_cards([2, 5, 3]),
    );
    assert_eq!(left(&game), [2]);
    // Each player sees one hand; without a seat none is seen.
    assert_eq!(hands(&game, "Anna"), [(0, 2, Some(vec![2, 5])), (1, 1, None)]);
    assert_eq!(hands(&game, "Ben"), [(0, 2, None), (1, 1, Some(vec![3]))]);
    assert_eq!(hands(&game, "Carl"), [(0, 2, None), (1, 1, None)]);
    let told = common::sentence::log_in_words(&game.table);
    let told = told.last().unwrap();
    assert!(told.contains("2 cards go to the hand of Red"), "{told}");
    assert!(told.contains("1 card goes to the hand of Blue"), "{told}");
    assert!(!told.contains("Five"), "{told}");
    // Anna is asked which of the two cards she plays. It goes to the pile, and the hand is filled
    // up again.
    let request = PlayRequest::of("order").unit("us", "u1").unit("them", "u2");
    let mut cards = EnteredInput::new().with_cards([1, 4]);
    let asked = game.table.play(&game.stamp(), &request, &mut cards).unwrap_err();
    assert!(format!("{asked:?}").contains("which card?"), "{asked:?}");
    game.play(request, EnteredInput::new().with_cards([1, 4]).with_answer("order", "5"));
    assert_eq!(hands(&game, "Anna")[0], (0, 2, Some(vec![2, 4])));
    let line = game.table.lines().last().unwrap().to_owned();
    assert!(line.contains(r#""value":"51021""#), "{line}");
    assert!(
        line.contains(
            r#""cards":[{"deck":"fate","took":[5],"from":{"hand":"Red"},"to":{"pile":"used_up"}},{"deck":"fate","took":[1]},{"deck":"fate","took":[4],"to":{"hand":"Red"}}]"#
        ),
        "{line}"
    );
    // Blue has one card: it is played without a question. Only the discards are reshuffled.
    game.by = "Ben".into();
    game.play(
        PlayRequest::of("order").unit("us", "u2").unit("them", "u1"),
        EnteredInput::new().with_cards([1, 1]),
    );
    let line = game.table.lines().last().unwrap().to_owned();
    assert!(line.contains(r#""reshuffled":true"#), "{line}");
    assert!(line.contains(r#""value":"31012""#), "{line}");
    assert_eq!(game.table.piles()[0].3, [3, 5]);
    assert_eq!(left(&game), [0]);
    verify(with_hands(), game.table.lines(), None).unwrap();
}

#[test]
fn a_forged_hand_is_refused() {
    let mut game = two_men(with_hands());
    game.play(
        PlayRequest::of("deal").unit("us", "u1").unit("them", "u2"),
        EnteredInput::new().with_cards([2, 5, 3]),
    );
    let request = PlayRequest::of("order").unit("us", "u1").unit("them", "u2");
    let mut source = EnteredInput::new().with_cards([1, 4]).with_answer("order", "3");
    let refused = game.table.play(&game.stamp(), &request, &mut source).unwrap_err();
    assert!(format!("{refused:?}").contains("NotAccepted"), "{refused:?}");
    let mut source = EnteredInput::new().with_cards([1, 4]).with_answer("order", "5");
    let line = game.table.play(&game.stamp(), &request, &mut source).unwrap();
    for (was, is) in [
        (r#""from":{"hand":"Red"}"#, r#""from":{"pile":"used_up"}"#),
        (r#""to":{"hand":"Red"}"#, r#""to":{"hand":"Green"}"#),
        (r#""to":{"pile":"used_up"}"#, r#""to":{"pile":"nowhere"}"#),
        (r#""to":{"pile":"used_up"}"#, r#""to":"nowhere""#),
    ] {
        let forged = line.text.replacen(was, is, 1);
        assert_ne!(forged, line.text);
        assert!(game.table.append(&forged).is_err(), "{forged}");
    }
}

#[test]
fn hands_are_filled_and_played_with_sealed_cards() {
    let mut players = Players::of(with_hands(), &[("Anna", "Red"), ("Ben", "Blue")], 40);
    players.game.unit("man", "Novak", "Red", "", "");
    players.game.unit("man", "Hale", "Blue", "", "");
    let roles = |chart: &str| PlayRequest::of(chart).unit("us", "u1").unit("them", "u2");
    players.call("Anna", &roles("deal"));
    players.all_show();
    players.rolled("Ben");
    let hand = hands(&players.game, "Anna")[0].2.clone().unwrap();
    assert_eq!(hand.len(), 2);
    assert_eq!(left(&players.game), [2]);
    // The card that Anna plays is an answer, so she gives it before the call. It leaves the hand,
    // and the sealed draw after it fills the hand up.
    let open: Vec<u32> = hand.iter().copied().filter(|card| *card >= 2).collect();
    players.call_with("Anna", &roles("order"), &mut answers(&open));
    players.all_show();
    players.rolled("Ben");
    let now = hands(&players.game, "Anna")[0].2.clone().unwrap();
    assert_eq!(now.len(), 2);
    assert!(!now.contains(&open[open.len() - 1]), "{now:?} {open:?}");
    players.checked_with(with_hands(), &[("fate", 5)]);
}

/// The last of several cards is played; a single one needs no answer.
fn answers(open: &[u32]) -> EnteredInput {
    match open {
        [_] => EnteredInput::new(),
        several => EnteredInput::new().with_answer("order", several[several.len() - 1].to_string()),
    }
}

const OWN: &str = "[deck.shared]\ntitle = \"Shared\"\nfile = \"deck.csv\"\n[deck.shared.field]\nluck = { number = \"Luck\" }\n\
    [chart.duel]\ntitle = \"Duel\"\nwho = { us = \"man\", them = \"man\" }\n\
    step = [ { draw = \"fate\", as = \"ours\", read = \"luck\" }, { draw = \"fate\", of = \"them\", as = \"theirs\", read = \"luck\" }, { draw = \"shared\", of = \"them\", as = \"wind\", read = \"luck\" }, { draw = \"shared\", as = \"rain\", read = \"luck\" } ]\n\
    read = { value = \"10 * deck.fate.left + deck.shared.left\" }\n";

#[test]
fn a_deck_of_each_side_stands_beside_a_shared_one() {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\n\
        [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\nper = \"side\"\n[deck.fate.field]\nluck = { number = \"Luck\" }\n";
    let files = Files::of([("pack.toml", format!("{head}{OWN}")), ("deck.csv", DECK.to_owned())]);
    let pack = Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")));
    let mut game = Game::new(pack.clone(), "Mixed", &["Red", "Blue"], &[]);
    game.unit("man", "Novak", "Red", "", "");
    game.unit("man", "Hale", "Blue", "", "");
    let of = |game: &Game| -> Vec<(String, Option<usize>, u32)> {
        let decks = game.table.decks();
        decks.iter().map(|deck| (deck.deck.to_owned(), deck.side, deck.left)).collect()
    };
    let (fate, shared) = (|| "fate".to_owned(), || "shared".to_owned());
    assert_eq!(of(&game), [(fate(), Some(0), 5), (shared(), None, 5), (fate(), Some(1), 5)]);
    // Both have the 5 of fate, but the 4 of the shared deck is gone after it was drawn.
    let duel = || PlayRequest::of("duel").unit("us", "u1").unit("them", "u2");
    game.play(duel(), EnteredInput::new().with_cards([5, 5, 4, 3]));
    assert_eq!(of(&game), [(fate(), Some(0), 4), (shared(), None, 3), (fate(), Some(1), 4)]);
    let record = game.table.lines().last().unwrap().to_owned();
    assert!(
        record.contains(
            r#""cards":[{"deck":"fate","side":"Red","took":[5]},{"deck":"fate","side":"Blue","took":[5]},{"deck":"shared","took":[4,3]}]"#
        ) && record.contains(r#""value":"43""#),
        "{record}"
    );
    let back = PlayRequest::of("duel").unit("us", "u2").unit("them", "u1");
    let gone =
        game.table.play(&game.stamp(), &back, &mut EnteredInput::new().with_cards([1, 1, 4]));
    assert!(gone.is_err());
    game.play(back, EnteredInput::new().with_cards([4, 4, 2, 1]));
    assert_eq!(of(&game), [(fate(), Some(0), 3), (shared(), None, 1), (fate(), Some(1), 3)]);
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert!(verify(pack, &lines, None).is_ok());
}
