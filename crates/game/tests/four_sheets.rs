//! What a status means in play, and what the roster knows, in the four bundled packs.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{EventKind, PlayError, PlayRequest, UnitEdit, verify};
use common::sentence::log_in_words;
use common::{Game, shipped};

fn put_on(game: &mut Game, unit: &str, status: &str) {
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: unit.into(),
        put_on: vec![status.into()],
        ..UnitEdit::default()
    })));
}

fn is_ruled_out(game: &Game, play: &PlayRequest) -> bool {
    let made = game.table.play(&game.stamp(), play, &mut EnteredInput::new());
    matches!(made, Err(PlayError::RuledOut(_)))
}

fn statuses(game: &Game, unit: &str) -> Vec<String> {
    let statuses = &game.table.state().unit(unit).unwrap().statuses;
    statuses.iter().map(|status| game.table.pack().statuses()[*status].id.to_string()).collect()
}

#[test]
fn a_rally_counts_the_friends_that_are_out_of_action() {
    let mut game = Game::new(shipped("panzer8"), "Hill", &["Allies", "Axis"], &[]);
    for name in ["A", "B", "C", "D", "E"] {
        game.unit("element", name, "Allies", "", "hesa=5 ap=0 def=5");
    }
    game.unit("element", "Foe", "Axis", "", "hesa=5 ap=0 def=5");
    for (unit, counted) in [("u1", "1"), ("u2", "2"), ("u6", "2"), ("u3", "3")] {
        put_on(&mut game, unit, "out_of_action");
        put_on(&mut game, "u4", "suppressed");
        game.play(
            PlayRequest::of("rally").unit("element", "u4"),
            EnteredInput::new().with_dice([6]),
        );
        let log = log_in_words(&game.table).pop().unwrap();
        assert!(log.contains(&format!("Friendly elements lost: {counted}.")), "{log}");
        let rallies = counted != "3";
        assert_eq!(log.contains("Unsuppressed"), rallies, "three lost: a 6 is a 5: {log}");
    }
    verify(shipped("panzer8"), game.table.lines(), None).unwrap();
}

#[test]
fn a_jam_in_melee_falls_on_the_soldier_of_that_number() {
    let mut game = Game::new(shipped("combat-leader"), "Hex", &["Red", "Blue"], &[]);
    for name in ["Novak", "Orlov", "Petrov"] {
        game.unit("soldier", name, "Red", "5/3", "");
    }
    game.unit("soldier", "Rear", "Red", "", "");
    for name in ["Hale", "Hill"] {
        game.unit("soldier", name, "Blue", "5/3", "");
    }
    let melee = PlayRequest::of("melee")
        .unit("attacker", "u2")
        .unit("defender", "u5")
        .given("attacker_value", "4")
        .given("defender_value", "3");
    // Jam, attacker, third of three; then Jam, defender, second of two; then a 10.
    let source = EnteredInput::new()
        .with_cards([53, 1, 3, 54, 2, 4, 10])
        .with_answer("jam", "yes")
        .with_answer("attacker_value", "2")
        .with_answer("defender_value", "2")
        .with_answer("melee", "undecided");
    game.play(melee, source);
    let jammed: Vec<&str> = ["u1", "u2", "u3", "u4", "u5", "u6"]
        .into_iter()
        .filter(|unit| statuses(&game, unit) == ["jammed"])
        .collect();
    assert_eq!(jammed, ["u3", "u6"], "{:?}", log_in_words(&game.table).last());
    let log = log_in_words(&game.table).pop().unwrap();
    assert!(
        log.contains("Attacking soldiers: 3") && log.contains("Defending soldiers: 2"),
        "{log}"
    );
    let shot =
        PlayRequest::of("accuracy").unit("firer", "u3").unit("target", "u5").given("mod_fp", "3");
    assert!(is_ruled_out(&game, &shot));
    verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
}

#[test]
fn clear_terrain_is_asked_once() {
    let mut game = Game::new(shipped("combat-leader"), "Field", &["Red", "Blue"], &[]);
    game.unit("soldier", "Novak", "Red", "", "");
    game.unit("soldier", "Hale", "Blue", "", "");
    let shot = |clear: &str| {
        PlayRequest::of("accuracy")
            .unit("firer", "u1")
            .unit("target", "u2")
            .given("mod_fp", "12")
            .given("clear", clear)
    };
    game.play(shot("yes"), EnteredInput::new().with_cards([5]));
    let casualty = game.first();
    let contradicts = casualty.clone().given("clear", "no");
    assert!(game.table.situation(&contradicts).is_err(), "the shot said Clear");
    game.play(casualty, EnteredInput::new().with_cards([2]).with_answer("casualty", "no-effect"));
    game.play(shot("no"), EnteredInput::new().with_cards([6]));
    let casualty = game.first();
    let situation = game.table.situation(&casualty).unwrap();
    let needs: Vec<String> =
        adjutant_engine::needs(&situation).into_iter().map(|need| need.key).collect();
    assert_eq!(needs, ["terrain"], "only what is not Clear is asked");
    assert!(game.table.situation(&casualty.given("terrain", "clear")).is_err());
}

#[test]
fn a_figure_that_hunkered_down_neither_returns_fire_nor_carries_on() {
    let options = [("shooting", "yes"), ("melee", "yes")];
    let mut game = Game::new(shipped("chain-reaction"), "Farm", &["Us", "Them"], &options);
    game.unit("figure", "Ana", "Us", "", "rep=4 impact=2");
    game.unit("figure", "Bob", "Them", "", "rep=4 impact=2");
    put_on(&mut game, "u1", "hunker_down");
    let crisis = |reason: &str| {
        PlayRequest::of("crisis")
            .unit("figure", "u1")
            .unit("caused_by", "u2")
            .given("reason", reason)
    };
    for reason in ["fired_on", "man_down", "outgunned"] {
        game.play(crisis(reason), EnteredInput::new().with_dice([1, 2]));
        let log = log_in_words(&game.table).pop().unwrap();
        assert!(log.contains("Stays hunkered down"), "{log}");
        assert_eq!(game.table.pending().count(), 0, "{log}");
        assert_eq!(statuses(&game, "u1"), ["hunker_down"]);
    }
    put_on(&mut game, "u2", "obviously_dead");
    assert!(is_ruled_out(
        &game,
        &PlayRequest::of("recover").unit("figure", "u2").given("reason", "damage")
    ));
}

#[test]
fn a_broken_unit_does_not_attack_and_can_be_attacked() {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Us", "Them"], &[]);
    game.unit("unit", "Ours", "Us", "", "type=squad fp=4 morale=7 elr=3");
    game.unit("unit", "Theirs", "Them", "", "type=squad fp=4 morale=7 elr=3");
    put_on(&mut game, "u1", "broken");
    let attack = |by: &str, on: &str| {
        PlayRequest::of("close-combat").unit("attacker", by).unit("defender", on)
    };
    assert!(is_ruled_out(&game, &attack("u1", "u2")));
    assert!(!is_ruled_out(&game, &attack("u2", "u1")));
    game.play(
        PlayRequest { anyway: true, ..attack("u1", "u2") },
        EnteredInput::new().with_dice([6, 6]),
    );
    let log = log_in_words(&game.table).pop().unwrap();
    assert!(log.contains("Allowed anyway: Ours (Broken)."), "{log}");
    verify(shipped("asl-starter-kit"), game.table.lines(), None).unwrap();
}

#[test]
fn the_loser_of_a_close_combat_suffers_by_his_margin() {
    let mut game = Game::new(shipped("panzer8"), "Wood", &["Allies", "Axis"], &[]);
    game.unit("element", "A", "Allies", "", "hesa=5 ap=0 def=5");
    game.unit("element", "B", "Axis", "", "hesa=5 ap=0 def=5");
    let fight = || PlayRequest::of("hand-to-hand").unit("attacker", "u1").unit("defender", "u2");
    for (faces, says) in [
        ([5, 5], "No effect"),
        ([5, 7], "A: Fall-back"),
        ([7, 5], "B: Fall-back"),
        ([1, 5], "A: Suppressed"),
        ([10, 5], "B: Out of Action"),
    ] {
        game.play(fight(), EnteredInput::new().with_dice(faces));
        let log = log_in_words(&game.table).pop().unwrap();
        assert!(log.contains(says), "{log}");
    }
}

#[test]
fn a_jam_in_melee_does_nothing_to_a_broken_weapon() {
    let mut game = Game::new(shipped("combat-leader"), "Hex", &["Red", "Blue"], &[]);
    for name in ["Novak", "Orlov", "Petrov"] {
        game.unit("soldier", name, "Red", "5/3", "");
    }
    game.unit("soldier", "Hale", "Blue", "5/3", "");
    put_on(&mut game, "u3", "broken_weapon");
    let melee = PlayRequest::of("melee")
        .unit("attacker", "u1")
        .unit("defender", "u4")
        .given("attacker_value", "4")
        .given("defender_value", "3");
    // Jam, attacker, third of three; then a 10.
    let source = EnteredInput::new()
        .with_cards([53, 1, 3, 10])
        .with_answer("jam", "yes")
        .with_answer("attacker_value", "2")
        .with_answer("defender_value", "2")
        .with_answer("melee", "undecided");
    game.play(melee, source);
    assert_eq!(statuses(&game, "u3"), ["broken_weapon"]);
    // A player may still note it by hand.
    put_on(&mut game, "u3", "jammed");
    assert_eq!(statuses(&game, "u3"), ["broken_weapon", "jammed"]);
    verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
}

#[test]
fn soldier_selection_names_the_soldier_on_the_roster() {
    let mut game = Game::new(shipped("combat-leader"), "Hex", &["Red", "Blue"], &[]);
    for name in ["Novak", "Orlov", "Petrov"] {
        game.unit("soldier", name, "Red", "5/3", "");
    }
    game.unit("soldier", "Rear", "Red", "", "");
    // Card 2 shows 2 in the row for three soldiers.
    game.play(PlayRequest::of("select").unit("hex", "u3"), EnteredInput::new().with_cards([2]));
    let log = log_in_words(&game.table).pop().unwrap();
    assert!(log.contains("Soldier 2") && log.contains("Orlov: Selected"), "{log}");
    // One soldier needs no card.
    game.play(PlayRequest::of("select").unit("hex", "u4"), EnteredInput::new());
    let log = log_in_words(&game.table).pop().unwrap();
    assert!(log.contains("Rear: Selected"), "{log}");
    // Without the hex nobody is named.
    game.play(
        PlayRequest::of("select").given("soldiers", "3"),
        EnteredInput::new().with_cards([4]),
    );
    let log = log_in_words(&game.table).pop().unwrap();
    assert!(log.contains("Soldier 1") && !log.contains(": Selected"), "{log}");
    verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
}
