//! The close combat of ASL on a roster: who fights, what counts and what happens to them; and a
//! natural 12 on the leader of a stack.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{EnteredInput, Number};
use adjutant_engine::Resolution;
use adjutant_game::{
    EventKind, PlayError, PlayRequest, Rejection, RequestRejection, UnitEdit, verify,
};
use adjutant_wording::en;
use common::sentence::log_in_words;
use common::{Game, shipped};

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn due(game: &Game) -> Vec<String> {
    game.table.pending().map(|pending| en::pending_test(&game.table, pending)).collect()
}

fn put_on(game: &mut Game, unit: &str, status: &str) {
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: unit.into(),
        put_on: vec![status.into()],
        ..UnitEdit::default()
    })));
}

fn statuses(game: &Game, unit: &str) -> Vec<String> {
    let all = game.table.pack().statuses();
    let unit = game.table.state().unit(unit).unwrap();
    unit.statuses.iter().map(|status| all[*status].id.to_string()).collect()
}

/// The names of the units that have left.
fn lost(game: &Game) -> Vec<&str> {
    let units = game.table.state().units.iter();
    units.filter(|unit| unit.gone.is_some()).map(|unit| unit.name.as_str()).collect()
}

/// The modifiers that count, without a change of the game.
fn counted(game: &Game, play: &PlayRequest, faces: &[u32]) -> Vec<String> {
    modifiers(&resolved(game, play, faces))
}

fn resolved(game: &Game, play: &PlayRequest, faces: &[u32]) -> Resolution {
    let mut situation = game.table.situation(play).unwrap_or_else(|stop| panic!("{stop}"));
    adjutant_engine::resolve(&mut situation, &mut dice(faces)).unwrap()
}

fn modifiers(found: &Resolution) -> Vec<String> {
    let lines = found.rolls().flat_map(|roll| &roll.modifiers).filter(|line| line.counted);
    lines.map(|line| format!("{}: {}", line.label, line.value.unwrap())).collect()
}

fn faults(game: &Game, play: &PlayRequest) -> Vec<Rejection> {
    match game.table.situation(play) {
        Err(PlayError::Rejected(faults)) => faults,
        other => panic!("{other:?}"),
    }
}

fn verified(game: &Game) {
    verify(shipped("asl-starter-kit"), game.table.lines(), None).unwrap();
}

/// Orlov (u1), First (u2) and Second (u3) against Kern (u4), Lang (u5) and Crew (u6), all in a hex.
fn hex() -> Game {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "Orlov", "Guards", "F5", "type=smc fp=1 morale=8 leadership=-1 elr=3");
    game.unit("unit", "First", "Guards", "F5", "type=squad fp=4 morale=7 elr=3");
    game.unit("unit", "Second", "Guards", "F5", "type=squad fp=4 morale=7 elr=3");
    for name in ["Kern", "Lang"] {
        game.unit("unit", name, "Pioneers", "F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    }
    game.unit("unit", "Crew", "Pioneers", "F5", "type=crew fp=2 morale=8 elr=3");
    game.unit("unit", "Far", "Pioneers", "G5", "type=squad fp=4 morale=7 elr=3");
    game
}

fn attack(attacker: &str, defender: &str) -> PlayRequest {
    PlayRequest::of("close-combat")
        .unit("attacker", attacker)
        .unit("defender", defender)
        .given("ambush", "attacker")
}

#[test]
fn all_that_can_fight_and_a_player_leaves_units_out() {
    let mut game = hex();
    let all = counted(&game, &attack("u2", "u4"), &[3, 3]);
    assert_eq!(all[..2], ["Others in the group: 5", "Others attacked with it: 6"]);
    put_on(&mut game, "u3", "cx");
    put_on(&mut game, "u6", "cx");
    let with_cx = counted(&game, &attack("u2", "u4"), &[3, 3]);
    assert!(with_cx.contains(&"CX, by: 1".into()) && with_cx.contains(&"CX, against: -1".into()));
    // Who does not fight adds nothing and is no cause.
    let some = attack("u2", "u4").without("u1").without("u3").without("u6");
    assert_eq!(
        counted(&game, &some, &[3, 3]),
        ["Others attacked with it: 4", "Ambush, by the ambusher: -1"]
    );
    game.play(some, dice(&[6, 6]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(
        words.contains("attacker First, defender Kern, without Orlov, Second, Crew."),
        "{words}"
    );
    verified(&game);
}

#[test]
fn exactly_those_who_were_attacked_are_gone_or_drawn_from() {
    let mut game = hex();
    game.play(attack("u2", "u4").without("u5"), dice(&[1, 1]));
    assert_eq!(lost(&game), ["Kern", "Crew"]);

    let mut game = hex();
    // 9 against 8 is 1-1, kill number 5; a 7 less ambush and leadership.
    game.play(attack("u2", "u4").without("u6"), dice(&[3, 4]));
    assert_eq!(
        due(&game),
        ["Random selection – Kern, Lang (DR equal to the kill number, at once)"]
    );
    game.play(game.first(), dice(&[2]));
    assert_eq!(due(&game), ["Casualty Reduction – Lang (DR equal to the kill number, at once)"]);
    verified(&game);

    // Alone, Kern needs no choice: 9 against 4 is 2-1, kill number 7.
    let mut game = hex();
    game.play(attack("u2", "u4").without("u5").without("u6"), dice(&[4, 5]));
    assert_eq!(due(&game), ["Casualty Reduction – Kern (DR equal to the kill number, at once)"]);
}

#[test]
fn only_those_who_would_take_part_are_left_out_and_their_number_is_the_roster_s() {
    let mut game = hex();
    let in_vain =
        |unit: &str| Rejection::Request(RequestRejection::LeftOutInVain { unit: unit.into() });
    assert_eq!(faults(&game, &attack("u2", "u4").without("u7")), [in_vain("Far")]);
    assert_eq!(faults(&game, &attack("u2", "u4").without("u2")), [in_vain("First")]);
    assert_eq!(faults(&game, &attack("u2", "u4").without("u5").without("u5")), [in_vain("Lang")]);
    assert!(matches!(faults(&game, &attack("u2", "u4").without("u99"))[..], [Rejection::Unit(_)]));
    put_on(&mut game, "u3", "broken");
    assert_eq!(faults(&game, &attack("u2", "u4").without("u3")), [in_vain("Second")]);
    let number = attack("u2", "u4").given("defender.with_it", "1");
    let otherwise =
        RequestRejection::OtherThanJoined { name: "defender.with_it".into(), count: "2".into() };
    assert_eq!(faults(&game, &number), [Rejection::Request(otherwise)]);
    assert!(game.table.situation(&number.without("u6")).is_ok());
    // Firepower that is not on the roster may be added by hand.
    let more = attack("u2", "u4").given("attacker.joined_fp", "8");
    assert_eq!(counted(&game, &more, &[3, 3])[0], "Others in the group: 8");
}

#[test]
fn the_minus_two_needs_broken_units_only_whichever_is_named() {
    let mut game = hex();
    put_on(&mut game, "u4", "broken");
    let minus = |game: &Game, play: PlayRequest| {
        let found = counted(game, &play, &[3, 3]);
        found.iter().any(|line| line == "Against broken units only: -2")
    };
    assert!(!minus(&game, attack("u2", "u4")));
    assert!(!minus(&game, attack("u2", "u5")));
    assert!(minus(&game, attack("u2", "u4").without("u5").without("u6")));
    put_on(&mut game, "u5", "broken");
    put_on(&mut game, "u6", "broken");
    assert!(minus(&game, attack("u2", "u4")) && minus(&game, attack("u2", "u5")));
}

#[test]
fn close_combat_is_between_enemies() {
    let game = hex();
    for chart in ["close-combat", "ambush"] {
        let friends = PlayRequest::of(chart).unit("attacker", "u2").unit("defender", "u3");
        assert!(matches!(
            faults(&game, &friends)[..],
            [Rejection::Request(RequestRejection::SameSide { .. })]
        ));
    }
}

fn ambush(attacker: &str, defender: &str) -> PlayRequest {
    PlayRequest::of("ambush").unit("attacker", attacker).unit("defender", defender)
}

#[test]
fn after_an_ambush_that_names_a_broken_unit_its_companions_attack() {
    let mut game = hex();
    put_on(&mut game, "u4", "broken");
    game.play(ambush("u2", "u4"), dice(&[3, 3]));
    let both = [
        "Close combat – attacker First, defender Kern (Attacker's attack)",
        "Close combat – attacker Lang, defender First (Defender's attack)",
    ];
    assert_eq!(due(&game), both);
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("attacker Lang") && !words.contains("makes no attack"), "{words}");
    verified(&game);
}

#[test]
fn a_side_whose_units_are_all_broken_makes_no_attack_and_is_told_so() {
    let mut game = hex();
    for unit in ["u4", "u5", "u6"] {
        put_on(&mut game, unit, "broken");
    }
    game.play(ambush("u2", "u4"), dice(&[3, 3]));
    assert_eq!(due(&game), ["Close combat – attacker First, defender Kern (Attacker's attack)"]);
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("The defender makes no attack: all its units are broken."), "{words}");
    verified(&game);
}

#[test]
fn survivors_reply_though_the_unit_that_was_named_is_gone() {
    let mut game = hex();
    // With his leadership Orlov's side rolls a 1.
    game.play(ambush("u2", "u6"), dice(&[2, 5]));
    // 9 against 10 is 1-2, kill number 4; a 6 less ambush and leadership: one is reduced.
    game.play(game.first(), dice(&[3, 3]));
    game.play(game.first(), dice(&[1]));
    game.play(game.first(), dice(&[]));
    assert_eq!(lost(&game), ["Crew"]);
    assert_eq!(due(&game), ["Close combat – attacker Kern, defender First (Survivors reply)"]);
    game.play(game.first(), dice(&[6, 6]));
    verified(&game);
}

/// A squad (u1) with two leaders (u2, u3) and another squad (u4) against a vehicle (u5).
fn against_a_vehicle() -> Game {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "First", "Guards", "F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    game.unit("unit", "Orlov", "Guards", "F5", "type=smc fp=1 morale=8 leadership=-1 elr=3");
    game.unit("unit", "Petrov", "Guards", "F5", "type=smc fp=1 morale=9 leadership=-2 elr=3");
    game.unit("unit", "Second", "Guards", "F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    game.unit("vehicle", "Tank", "Pioneers", "F5", "fp=8");
    game
}

#[test]
fn the_smcs_with_an_attacker_of_a_vehicle_are_counted_on_the_roster() {
    let mut game = against_a_vehicle();
    put_on(&mut game, "u2", "cx");
    put_on(&mut game, "u4", "cx");
    let play = || PlayRequest::of("ccv-attack").unit("attacker", "u1").unit("vehicle", "u5");
    let ccv =
        |found: &Resolution| found.rolls().find(|roll| &*roll.name == "ccv").unwrap().total.clone();
    let value = |n: u32| Some(adjutant_dice::Answer::Number(Number::from(n)));
    let both = resolved(&game, &play(), &[3, 3]);
    let lines = modifiers(&both);
    for line in [
        "Full squad: 5",
        "SMC joined to a unit: 1",
        "Extra SMC: 1",
        "CX, by: 1",
        "Leadership of the SMC joined to it: -2",
    ] {
        assert!(lines.contains(&line.into()), "{line}: {lines:?}");
    }
    assert_eq!(ccv(&both), value(7));
    // The best is left out, then both.
    let one = resolved(&game, &play().without("u3"), &[3, 3]);
    assert_eq!(ccv(&one), value(6));
    assert!(modifiers(&one).contains(&"Leadership of the SMC joined to it: -1".into()));
    let alone = resolved(&game, &play().without("u2").without("u3"), &[3, 3]);
    assert_eq!(modifiers(&alone), ["Full squad: 5"]);
    // A squad does not join.
    let squad = play().without("u4");
    assert!(matches!(
        faults(&game, &squad)[..],
        [Rejection::Request(RequestRejection::LeftOutInVain { .. })]
    ));
}

#[test]
fn a_vehicle_takes_those_whom_it_attacks_and_not_their_hex() {
    let play =
        |unit: &str| PlayRequest::of("vehicle-attack").unit("vehicle", "u5").unit("defender", unit);
    // 8 against a CCV of 7 is 1-1, kill number 5.
    let mut game = against_a_vehicle();
    game.play(play("u1"), dice(&[1, 1]));
    assert_eq!(lost(&game), ["First", "Orlov", "Petrov"]);

    let mut game = against_a_vehicle();
    game.play(play("u1").without("u2").without("u3"), dice(&[1, 1]));
    assert_eq!(lost(&game), ["First"]);

    let mut game = against_a_vehicle();
    game.play(play("u1").without("u3"), dice(&[2, 3]));
    assert_eq!(
        due(&game),
        ["Random selection – First, Orlov (DR equal to the kill number, at once)"]
    );
    verified(&game);

    // An SMC who is not on the roster: only the unit named is on it.
    let mut game = against_a_vehicle();
    let not_here = play("u1").without("u2").without("u3").given("smc_joined", "yes");
    game.play(not_here, dice(&[1, 1]));
    assert_eq!(lost(&game), ["First"]);
    verified(&game);
}

#[test]
fn with_an_afv_the_attacks_take_turns_the_side_without_one_first() {
    let why = |game: &Game| -> Vec<String> {
        game.table.pending().map(|pending| pending.due.why.clone()).collect()
    };
    let mut game = hex();
    game.play(ambush("u2", "u4").given("attacker.afv", "yes"), dice(&[3, 4]));
    assert_eq!(
        why(&game),
        ["Defender's attack", "Attacker's attack, after the side without an AFV"]
    );
    // The first attack is applied at once, and survivors attack.
    game.play(game.first(), dice(&[1, 1]));
    assert_eq!(lost(&game), ["Orlov", "First", "Second"]);
    assert!(due(&game).is_empty());
    verified(&game);

    let mut game = hex();
    game.play(ambush("u2", "u4").given("defender.afv", "yes"), dice(&[4, 3]));
    assert_eq!(why(&game), ["Attacker's attack", "Defender's attack"]);
    let sequence = game.table.pending().all(|pending| pending.due.with["vehicles"] == "yes");
    assert!(sequence);

    let mut game = hex();
    game.play(ambush("u2", "u4"), dice(&[3, 3]));
    assert!(game.table.pending().all(|pending| pending.due.with["vehicles"] == "no"));
    game.play(game.first(), dice(&[1, 1]));
    assert!(game.table.guide().held, "without an AFV they are simultaneous");
}

/// A leader (u1) with squads of morale 8 (u2) and 6 (u3).
fn led(leader: &str) -> Game {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "Orlov", "Guards", "F5", &format!("type=smc fp=1 elr=3 {leader}"));
    game.unit("unit", "Eight", "Guards", "F5", "type=squad fp=4 morale=8 elr=3");
    game.unit("unit", "Six", "Guards", "F5", "type=squad fp=4 morale=6 elr=3");
    game
}

#[test]
fn a_leader_is_reduced_before_he_breaks_and_counts_as_he_was_before_the_roll() {
    let fails = |leader: &str, wound: u32| {
        let mut game = led(leader);
        game.play(PlayRequest::of("morale-check").unit("unit", "u1"), dice(&[6, 6]));
        assert_eq!(due(&game), ["Casualty Reduction – Orlov (Natural 12, at once)"]);
        assert!(statuses(&game, "u1").is_empty(), "he breaks after the Casualty Reduction");
        game.play(game.first(), dice(&[wound]));
        game
    };
    let killed =
        |name: &str| format!("Morale check – {name} (A leader stacked with it is eliminated)");
    let breaks =
        |name: &str| format!("Leader loss task check – {name} (A leader stacked with it breaks)");

    let game = fails("morale=9 broken_morale=7 leadership=-1", 5);
    assert_eq!(due(&game), [killed("Eight"), killed("Six")]);
    verified(&game);
    let game = fails("morale=7 broken_morale=9 leadership=-1", 6);
    assert_eq!(due(&game), [killed("Six")]);

    let game = fails("morale=9 broken_morale=7 leadership=-1", 4);
    assert_eq!(due(&game), [breaks("Eight"), breaks("Six")]);
    assert_eq!(statuses(&game, "u1"), ["wounded", "broken", "dm"]);
    // The leadership that he showed, and not that of the wounded man.
    let asked: Vec<&str> =
        game.table.pending().map(|pending| pending.due.with["lost_leadership"].as_str()).collect();
    assert_eq!(asked, ["-1", "-1"]);
    let game = fails("morale=7 broken_morale=9 leadership=-1", 1);
    assert_eq!(due(&game), [breaks("Six")]);
    verified(&game);
}

#[test]
fn a_squad_is_reduced_in_good_order_and_breaks_then() {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "First", "Guards", "F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    game.play(PlayRequest::of("morale-check").unit("unit", "u1"), dice(&[6, 6]));
    game.play(game.first(), dice(&[]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("First: Becomes a half-squad"), "{words}");
    assert_eq!(statuses(&game, "u1"), ["broken", "dm"]);
    verified(&game);
}
