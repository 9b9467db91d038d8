//! Statuses that rule a play out, and `anyway`; which deck a play draws from; follow-ups for a unit
//! that the same result puts out.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{Decks, EventKind, PhaseStep, PlayError, PlayRequest, Table, UnitEdit, verify};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;
use adjutant_wording::report::report as battle_report;
use common::players::Players;
use common::sentence::{Sentence, log_in_words, sentences};
use common::{Game, rechain, shipped};
use std::sync::Arc;

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn cards(cards: &[u32]) -> EnteredInput {
    EnteredInput::new().with_cards(cards.iter().copied())
}

fn put_on(game: &mut Game, unit: &str, status: &str) {
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: unit.into(),
        put_on: vec![status.into()],
        ..UnitEdit::default()
    })));
}

fn due(game: &Game) -> Vec<String> {
    game.table.pending().map(|pending| en::pending_test(&game.table, pending)).collect()
}

fn anyway(play: PlayRequest) -> PlayRequest {
    PlayRequest { anyway: true, ..play }
}

/// The statuses that rule a play out.
fn why(game: &Game, play: &PlayRequest) -> Vec<String> {
    match game.table.play(&game.stamp(), play, &mut EnteredInput::new()) {
        Err(PlayError::RuledOut(found)) => sentences(&found),
        other => panic!("{other:?}"),
    }
}

fn needs_luck(game: &Game, play: &PlayRequest) -> bool {
    matches!(
        game.table.play(&game.stamp(), play, &mut EnteredInput::new()),
        Err(PlayError::Needs { .. })
    )
}

fn panzer8() -> Game {
    let mut game = Game::new(shipped("panzer8"), "Hill", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "hesa=5 ap=0 def=5");
    game.unit("element", "Grenadiers", "Axis", "", "hesa=5 ap=0 def=5");
    game
}

fn fire(firer: &str, target: &str) -> PlayRequest {
    PlayRequest::of("fire").unit("firer", firer).unit("target", target).given("ammo", "hesa")
}

/// The log with its last line forged.
fn forged(game: &Game, change: impl FnOnce(&mut serde_json::Value)) -> Vec<String> {
    let mut lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    let mut last: serde_json::Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    change(&mut last["do"]["play"]);
    *lines.last_mut().unwrap() = last.to_string();
    rechain(&mut lines);
    lines
}

#[test]
fn an_element_out_of_action_neither_fires_nor_is_fired_at() {
    let mut game = panzer8();
    put_on(&mut game, "u1", "out_of_action");
    let rules_out = ["Rifles: “Out of Action” rules out AP, HE or small-arms fire"];
    assert_eq!(why(&game, &fire("u1", "u2")), rules_out);
    assert_eq!(why(&game, &fire("u2", "u1")), rules_out);
    assert_eq!(
        why(&game, &PlayRequest::of("rally").unit("element", "u1")),
        ["Rifles: “Out of Action” rules out Recover or rally"]
    );
    let sentence = game
        .table
        .play(&game.stamp(), &fire("u1", "u2"), &mut EnteredInput::new())
        .unwrap_err()
        .sentence();
    assert_eq!(sentence, format!("{}; play it with `anyway` to allow it", rules_out[0]));
    // Other faults are reported together with it.
    let far = fire("u1", "u2").given("windy", "yes");
    assert!(
        matches!(game.table.play(&game.stamp(), &far, &mut EnteredInput::new()), Err(PlayError::Rejected(why)) if why.len() == 2)
    );
    assert!(game.table.situation(&fire("u1", "u2")).is_err());
    assert!(game.table.situation(&anyway(fire("u1", "u2"))).is_ok());
    // The chart is no longer offered, and without able units no unit can fire.
    let of = |unit: &str| [("firer".to_owned(), vec![unit.to_owned()])].into();
    assert!(!game.table.offered(&of("u1")).iter().any(|chart| chart.id == "fire"));
    assert!(game.table.offered(&of("u2")).iter().any(|chart| chart.id == "fire"));
}

#[test]
fn what_is_allowed_anyway_is_recorded_told_and_verified() {
    let mut game = panzer8();
    put_on(&mut game, "u1", "out_of_action");
    game.play(anyway(fire("u1", "u2")), dice(&[9, 1]));
    let line = game.table.lines().last().unwrap().to_owned();
    assert!(line.contains("\"anyway\":true"), "{line}");
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(
        words.starts_with("Anna: AP, HE or small-arms fire – firer Rifles, target Grenadiers. Allowed anyway: Rifles (Out of Action)."),
        "{words}"
    );
    let report = battle_report(&game.table).unwrap();
    let entry = report
        .turns
        .iter()
        .flat_map(|turn| &turn.phases)
        .flat_map(|phase| &phase.entries)
        .find(|entry| entry.n == 5)
        .unwrap();
    assert_eq!(entry.anyway, "Allowed anyway: Rifles (Out of Action).");
    assert_eq!(game.table.state().anyway, [5]);
    verify(shipped("panzer8"), game.table.lines(), Some(game.table.head())).unwrap();
    // A forger leaves `anyway` out, or adds it where no status rules the play out.
    let fault = verify(
        shipped("panzer8"),
        forged(&game, |play| drop(play["request"].as_object_mut().unwrap().remove("anyway"))),
        None,
    )
    .unwrap_err();
    assert_eq!(
        fault.sentence(),
        "event 5: the chart cannot be rolled like this: Rifles: “Out of Action” rules out AP, HE or small-arms fire; play it with `anyway` to allow it"
    );
    game.unit("element", "Guns", "Allies", "", "hesa=5 ap=0 def=5");
    let step = PlayRequest::of("move").unit("mover", "u3").given("ground", "road");
    game.play(anyway(step), dice(&[]));
    assert!(!game.table.lines().last().unwrap().contains("anyway"), "nothing ruled it out");
    let fault = verify(
        shipped("panzer8"),
        forged(&game, |play| play["request"]["anyway"] = true.into()),
        None,
    )
    .unwrap_err();
    assert_eq!(
        fault.sentence(),
        "event 7: the chart cannot be rolled like this: it is recorded as allowed anyway, and nothing rules it out"
    );
    // An undo also reverts the mark.
    for _ in 0..3 {
        let undo = game.table.undo(&game.stamp()).unwrap();
        game.apply(&undo);
    }
    assert!(game.table.state().anyway.is_empty());
}

#[test]
fn a_jammed_or_broken_weapon_does_not_fire_and_a_broken_one_is_not_repaired() {
    let mut game = Game::new(shipped("combat-leader"), "Crossroads", &["Red", "Blue"], &[]);
    game.unit("soldier", "Novak", "Red", "", "");
    game.unit("soldier", "Hale", "Blue", "", "");
    let shot =
        PlayRequest::of("accuracy").unit("firer", "u1").unit("target", "u2").given("mod_fp", "3");
    let repair = PlayRequest::of("repair").unit("firer", "u1");
    put_on(&mut game, "u1", "jammed");
    assert_eq!(why(&game, &shot), ["Novak: “Weapon jammed” rules out Accuracy"]);
    let back =
        PlayRequest::of("accuracy").unit("firer", "u2").unit("target", "u1").given("mod_fp", "3");
    assert!(needs_luck(&game, &back), "he can still be shot at");
    game.play(repair.clone(), cards(&[12]));
    assert_eq!(
        game.table.pack().statuses()[game.table.state().unit("u1").unwrap().statuses[0]].id,
        "broken_weapon"
    );
    assert_eq!(why(&game, &shot), ["Novak: “Weapon broken” rules out Accuracy"]);
    assert_eq!(why(&game, &repair), ["Novak: “Weapon broken” rules out Repair"]);
    // Even with `anyway` the repair does nothing.
    game.play(anyway(repair), cards(&[1]));
    assert_eq!(
        en::meaning_of(&game.table, game.table.lines().len() as u64).unwrap()[0],
        "Novak: Stays broken (no repair helps a broken weapon). The weapon is jammed for good."
    );
    assert!(!needs_luck(&game, &shot));
    verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
}

#[test]
fn a_figure_that_hunkers_down_does_not_fire_charge_or_fight() {
    let options = [("shooting", "yes"), ("melee", "yes")];
    let mut game = Game::new(shipped("chain-reaction"), "Farm", &["Us", "Them"], &options);
    game.unit("figure", "Ana", "Us", "", "rep=4 impact=2");
    game.unit("figure", "Bob", "Them", "", "rep=4 impact=2");
    put_on(&mut game, "u1", "hunker_down");
    for (chart, acts, other) in [
        ("shooting", "shooter", "target"),
        ("charge", "charger", "target"),
        ("melee", "figure", "opponent"),
    ] {
        assert!(
            why(&game, &PlayRequest::of(chart).unit(acts, "u1").unit(other, "u2"))[0]
                .starts_with("Ana: “Hunkers down” rules out ")
        );
        let back = PlayRequest::of(chart).unit(acts, "u2").unit(other, "u1");
        assert!(
            !matches!(
                game.table.play(&game.stamp(), &back, &mut EnteredInput::new()),
                Err(PlayError::RuledOut(_))
            ),
            "{chart}"
        );
    }
    assert!(needs_luck(
        &game,
        &PlayRequest::of("recover").unit("figure", "u1").given("reason", "hunkered")
    ));
}

#[test]
fn what_is_allowed_anyway_is_bound_in_a_sealed_call() {
    let mut players = Players::new("panzer8", &[("Anna", "Allies"), ("Bert", "Axis")], 20);
    players.game.unit("element", "Rifles", "Allies", "", "");
    players.game.unit("element", "Guns", "Allies", "", "");
    put_on(&mut players.game, "u1", "out_of_action");
    put_on(&mut players.game, "u2", "suppressed");
    let rally = PlayRequest::of("rally").unit("element", "u1");
    let refused =
        players.table().call(&players.stamp("Anna"), &rally, &mut EnteredInput::new()).unwrap_err();
    assert!(matches!(refused, PlayError::RuledOut(_)), "{refused}");
    let line = players
        .table()
        .call(&players.stamp("Anna"), &anyway(rally), &mut EnteredInput::new())
        .unwrap();
    let EventKind::Call(called) = &line.event.what else { panic!("a call") };
    assert!(called.request.anyway);
    // A call that leaves `anyway` out, or has it without need, is rejected.
    let mut silent = called.clone();
    silent.request.anyway = false;
    assert!(
        players
            .forge("Anna", EventKind::Call(silent))
            .unwrap_err()
            .contains("“Out of Action” rules out")
    );
    let mut idle = called.clone();
    idle.request.units = [("element".to_owned(), vec!["u2".to_owned()])].into();
    idle.request.given = [("lost".to_owned(), "1".to_owned())].into();
    assert!(
        players.forge("Anna", EventKind::Call(idle)).unwrap_err().contains("nothing rules it out")
    );
    players.game.apply(&line);
    assert!(
        en::open_call(players.table()).unwrap().contains("Allowed anyway: Rifles (Out of Action).")
    );
    players.all_show();
    let line =
        players.table().sealed_play(&players.stamp("Bert"), &mut EnteredInput::new()).unwrap();
    let EventKind::Play(played) = &line.event.what else { panic!("a play") };
    assert!(played.request.anyway);
    let mut other = played.clone();
    other.request.anyway = false;
    assert!(
        players.forge("Bert", EventKind::Play(other)).unwrap_err().contains("not what was called")
    );
    players.game.apply(&line);
    players.checked();
}

/// Red shoots at Blue, and each side has its own deck.
fn two_decks() -> Game {
    let mut game = Game { table: Table::empty(shipped("combat-leader")), by: "Anna".into() };
    let begin = adjutant_game::Begin {
        name: "Decks".into(),
        sides: vec!["Red".into(), "Blue".into()],
        decks: Decks::PerSide,
        ..Default::default()
    };
    let line = game.table.begin(&game.stamp(), begin).unwrap();
    game.apply(&line);
    game.unit("soldier", "Novak", "Red", "", "");
    game.unit("soldier", "Hale", "Blue", "", "");
    game.play(
        PlayRequest::of("accuracy").unit("firer", "u1").unit("target", "u2").given("mod_fp", "3"),
        cards(&[13]),
    );
    game
}

#[test]
fn a_test_that_was_due_draws_from_the_same_deck_as_one_played_by_hand() {
    let left = |game: &Game| game.table.decks().iter().map(|deck| deck.left).collect::<Vec<_>>();
    let drawn = || cards(&[5]).with_answer("casualty", "pinned");
    // The soldier who fired draws, whichever player makes the line.
    for by in ["Anna", "Bert"] {
        let mut game = two_decks();
        assert_eq!(left(&game), [59, 60]);
        game.by = by.into();
        game.join("Bert", "Blue");
        let mut by_hand = Game { table: game.table.clone(), by: by.into() };
        game.play(game.first().given("terrain", "forest"), drawn());
        by_hand.play(
            PlayRequest::of("casualty")
                .unit("firer", "u1")
                .unit("target", "u2")
                .given("terrain", "forest")
                .given("minus_one", "no"),
            drawn(),
        );
        assert_eq!((left(&game), left(&by_hand)), (vec![58, 60], vec![58, 60]));
        verify(shipped("combat-leader"), by_hand.table.lines(), None).unwrap();
        verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
    }
}

const WRECKS: &str = r#"
[pack]
id = "wrecks"
title = "Wrecks"
[unit.tank]
title = "Tank"
[unit.tank.has]
crew = { number = "Crew", from = 0, to = 9, default = 4 }
[status.wreck]
title = "Wreck"
of = "tank"
out = true
[deck.fate]
title = "Fate"
file = "fate.csv"
[deck.fate.field]
luck = { number = "Luck", from = 1, to = 2 }
[chart.shot]
title = "Shot"
who = { by = "tank", at = "tank" }
lands_on = "at"
step = [ { draw = "fate", as = "card", read = "luck" } ]
read = { score = "card", rows = [ { to = 1, all = "miss" }, { all = "hit" } ] }
[chart.bail-out]
title = "Bail out"
who = { tank = "tank" }
step = [ { draw = "fate", as = "card", read = "luck", add = [ { label = "Crew", plus = "tank.crew" } ] } ]
read = { score = "card", rows = [ { all = "out" } ] }
[chart.burn]
title = "Burn"
who = { tank = "tank" }
step = [ { roll = "1d6", as = "die" } ]
read = { score = "die", rows = [ { to = 3, all = "smoke" }, { all = "blast" } ] }
[result]
miss  = { title = "Miss" }
smoke = { title = "Smoke" }
out   = { title = "The crew is out" }
blast = { title = "It blows up", of = "tank", effects = [ { leaves = "blown up" } ] }
[result.hit]
title   = "Hit"
of      = "tank"
effects = [ { status = "wreck" } ]
next    = [ { chart = "burn", why = "Hit", who = { tank = "it" }, now = true }, { chart = "bail-out", why = "Hit", who = { tank = "it" }, now = true } ]
"#;

fn wrecks() -> Arc<Pack> {
    let files = Files::of([
        ("pack.toml", WRECKS),
        ("fate.csv", "card,title,luck\n1,One,1\n2,Two,2\n3,Three,1\n4,Four,1\n"),
    ]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:?}")))
}

fn tanks() -> Game {
    let mut game = Game { table: Table::empty(wrecks()), by: "Anna".into() };
    let begin = adjutant_game::Begin {
        name: "Wrecks".into(),
        sides: vec!["Red".into(), "Blue".into()],
        decks: Decks::PerSide,
        ..Default::default()
    };
    let line = game.table.begin(&game.stamp(), begin).unwrap();
    game.apply(&line);
    game.unit("tank", "Tiger", "Red", "", "");
    game.unit("tank", "Sherman", "Blue", "", "");
    game.play(PlayRequest::of("shot").unit("by", "u1").unit("at", "u2"), cards(&[2]));
    game
}

#[test]
fn a_follow_up_at_once_happens_though_its_result_puts_the_unit_out() {
    let mut game = tanks();
    assert_eq!(due(&game), ["Burn – Sherman (Hit, at once)", "Bail out – Sherman (Hit, at once)"]);
    // No other play by hand is allowed for it.
    assert_eq!(
        why(&game, &PlayRequest::of("shot").unit("by", "u1").unit("at", "u2")),
        ["Sherman: “Wreck” rules out Shot"]
    );
    game.play(game.first(), dice(&[1]));
    assert_eq!(
        due(&game),
        ["Bail out – Sherman (Hit, at once)"],
        "what else changes does not end it"
    );
    // The tank that takes the test draws from its own side's deck.
    game.play(game.first(), cards(&[2]));
    assert_eq!(game.table.decks().iter().map(|deck| deck.left).collect::<Vec<_>>(), [3, 3]);
    assert!(due(&game).is_empty());
    let log: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert!(log.iter().all(|line| !line.contains("anyway")));
    verify(wrecks(), &log, None).unwrap();
    assert_eq!(Table::open(wrecks(), &log).unwrap().state(), game.table.state());
}

#[test]
fn a_test_lapses_when_its_unit_leaves_or_was_out_before() {
    let mut game = tanks();
    game.play(game.first(), dice(&[6]));
    assert!(due(&game).is_empty(), "a tank that blew up takes no test");
    // A unit that was out before the shot can be shot at only with `anyway`; then everything
    // happens as usual.
    let mut game = tanks();
    game.play(game.first(), dice(&[1]));
    game.play(game.first(), cards(&[2]));
    let again = PlayRequest::of("shot").unit("by", "u1").unit("at", "u2");
    game.act(EventKind::Deck {
        deck: "fate".into(),
        side: Some("Red".into()),
        act: adjutant_game::DeckAct::Reshuffle,
        cards: Vec::new(),
    });
    game.play(anyway(again), cards(&[2]));
    assert_eq!(due(&game).len(), 2);
    verify(wrecks(), game.table.lines(), None).unwrap();
}

#[test]
fn a_chart_that_is_not_for_a_unit_is_ruled_out_and_can_be_allowed() {
    let mut game = panzer8();
    let rally = PlayRequest::of("rally").unit("element", "u1");
    let only = "Rifles: Recover or rally is only for a suppressed element";
    assert_eq!(why(&game, &rally), [only]);
    assert!(game.table.situation(&rally).is_err());
    // It is not offered, and nobody can roll it now.
    let of = [("element".to_owned(), vec!["u1".to_owned()])].into();
    let offered = |game: &Game| game.table.offered(&of).iter().any(|chart| chart.id == "rally");
    game.act(EventKind::Phase(PhaseStep { to: "action".into(), ..PhaseStep::default() }));
    let guided = |game: &Game| game.table.guide().charts.iter().any(|chart| chart.id == "rally");
    assert!(!offered(&game) && !guided(&game));
    // Without a unit of the roster nothing is known, and nothing is ruled out.
    assert!(needs_luck(&game, &PlayRequest::of("rally")));
    game.play(anyway(rally.clone()), dice(&[1]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(
        words.starts_with("Anna: Recover or rally – Rifles. Allowed anyway: Rifles (only for a suppressed element)."),
        "{words}"
    );
    assert_eq!(game.table.state().anyway, [5]);
    verify(shipped("panzer8"), game.table.lines(), Some(game.table.head())).unwrap();
    let log: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert_eq!(Table::open(shipped("panzer8"), &log).unwrap().state(), game.table.state());
    let fault = verify(
        shipped("panzer8"),
        forged(&game, |play| drop(play["request"].as_object_mut().unwrap().remove("anyway"))),
        None,
    )
    .unwrap_err();
    assert_eq!(
        fault.sentence(),
        format!(
            "event 5: the chart cannot be rolled like this: {only}; play it with `anyway` to allow it"
        )
    );
    // A suppressed element rallies without it.
    put_on(&mut game, "u2", "suppressed");
    let rally = PlayRequest::of("rally").unit("element", "u2");
    assert!(guided(&game) && needs_luck(&game, &rally));
    game.play(anyway(rally.clone()), dice(&[7]));
    assert!(!game.table.lines().last().unwrap().contains("anyway"), "nothing ruled it out");
    assert_eq!(
        why(&game, &rally),
        ["Grenadiers: Recover or rally is only for a suppressed element"]
    );
    verify(shipped("panzer8"), game.table.lines(), None).unwrap();
}

#[test]
fn a_weapon_that_works_is_not_repaired() {
    let mut game = Game::new(shipped("combat-leader"), "Crossroads", &["Red", "Blue"], &[]);
    game.unit("soldier", "Novak", "Red", "", "");
    let repair = PlayRequest::of("repair").unit("firer", "u1");
    assert_eq!(why(&game, &repair), ["Novak: Repair is only for a soldier whose weapon is jammed"]);
    put_on(&mut game, "u1", "jammed");
    assert!(needs_luck(&game, &repair));
}

#[test]
fn a_recover_test_is_for_the_state_that_its_reason_names() {
    let options = [("shooting", "yes"), ("melee", "yes")];
    let mut game = Game::new(shipped("chain-reaction"), "Farm", &["Us", "Them"], &options);
    game.unit("figure", "Ana", "Us", "", "rep=4 impact=2");
    game.unit("figure", "Bob", "Them", "", "rep=4 impact=2");
    let recover =
        |reason: &str| PlayRequest::of("recover").unit("figure", "u1").given("reason", reason);
    let only = "Ana: Recover test is only for a figure knocked down by damage, or hunkered down";
    assert_eq!(why(&game, &recover("hunkered")), [only]);
    assert_eq!(why(&game, &recover("damage")), [only]);
    put_on(&mut game, "u1", "hunker_down");
    assert!(needs_luck(&game, &recover("hunkered")));
    assert_eq!(why(&game, &recover("damage")), [only]);
    // As long as the reason is not known, nothing is ruled out: it is asked before the dice.
    let open = PlayRequest::of("recover").unit("figure", "u1");
    let stop = game.table.play(&game.stamp(), &open, &mut EnteredInput::new()).unwrap_err();
    let PlayError::Needs { needs, inputs } = stop else { panic!("{stop:?}") };
    assert_eq!((needs[0].key.as_str(), inputs.len()), ("reason", 0));
    // A hunkered figure does not lead its group.
    let lead = PlayRequest::of("np-move").unit("force", "u1");
    assert_eq!(why(&game, &lead), ["Ana: “Hunkers down” rules out Non-player force movement"]);
    // A blow knocks Bob down: his test is due at once, and it lapses when he is up again.
    game.play(
        PlayRequest::of("melee-damage").unit("figure", "u2").given("impact", "3"),
        dice(&[5]),
    );
    assert_eq!(due(&game), ["Recover test – Bob (Suffered damage, at once)"]);
    let before = game.table.clone();
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: "u2".into(),
        lift: vec!["knocked_down".into()],
        ..UnitEdit::default()
    })));
    assert!(due(&game).is_empty());
    game.table = before;
    // “Carries on” ends ducking back, as after any reaction test.
    put_on(&mut game, "u2", "duck_back");
    game.play(game.first(), dice(&[1, 2]));
    let statuses = &game.table.state().unit("u2").unwrap().statuses;
    let ids: Vec<&str> =
        statuses.iter().map(|status| game.table.pack().statuses()[*status].id.as_str()).collect();
    assert_eq!(ids, ["knocked_down"]);
    verify(shipped("chain-reaction"), game.table.lines(), None).unwrap();
}

#[test]
fn a_charge_at_a_hunkered_figure_gives_no_shot_and_he_surrenders() {
    let options = [("shooting", "yes"), ("melee", "yes")];
    let mut game = Game::new(shipped("chain-reaction"), "Farm", &["Us", "Them"], &options);
    game.unit("figure", "Ana", "Us", "", "rep=4 impact=2");
    game.unit("figure", "Bob", "Them", "", "rep=4 impact=2");
    put_on(&mut game, "u2", "hunker_down");
    // The target passes two and the charger none.
    game.play(
        PlayRequest::of("charge").unit("charger", "u1").unit("target", "u2"),
        dice(&[5, 6, 1, 2]),
    );
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Target may not fire") && !words.contains("Target fires"), "{words}");
    assert_eq!(due(&game), ["Melee – Ana, opponent Bob (Charged into melee)"]);
    game.play(game.first(), dice(&[]));
    assert_eq!(game.table.state().unit("u2").unwrap().gone.as_deref(), Some("captured"));
    verify(shipped("chain-reaction"), game.table.lines(), None).unwrap();
}

#[test]
fn nobody_fires_at_his_own_side() {
    let refused = |pack: &str, kind: &str, charts: &[(&str, &str, &str)]| {
        let mut game = Game::new(shipped(pack), "Hill", &["Red", "Blue"], &[]);
        game.unit(kind, "One", "Red", "", "");
        game.unit(kind, "Two", "Red", "", "");
        for (chart, by, at) in charts {
            let play = PlayRequest::of(*chart).unit(*by, "u1").unit(*at, "u2");
            for play in [anyway(play.clone()), play] {
                let stop = game.table.play(&game.stamp(), &play, &mut EnteredInput::new());
                assert!(
                    matches!(&stop, Err(PlayError::Rejected(why)) if sentences(why).iter().any(|why| why.contains("same side"))),
                    "{pack} {chart}: {stop:?}"
                );
            }
        }
    };
    let panzer8 = [
        ("fire", "firer", "target"),
        ("tank-hunt", "hunter", "target"),
        ("hand-to-hand", "attacker", "defender"),
        ("overrun", "attacker", "defender"),
    ];
    refused("panzer8", "element", &panzer8);
    let combat_leader = [("accuracy", "firer", "target"), ("casualty", "firer", "target")];
    refused("combat-leader", "soldier", &combat_leader);
    let chain_reaction = [("charge", "charger", "target")];
    refused("chain-reaction", "figure", &chain_reaction);
}
