//! The turn: effects of phases, starts, counts on the roster, ready units, endings.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{
    Begin, Decks, EventKind, NewUnit, PhaseStep, PlayError, PlayRequest, Table, UnitEdit,
    recruits_from_csv, replay, verify,
};
use adjutant_pack::{Id, RoleId};
use adjutant_wording::en;
use common::sentence::{Sentence, log_in_words, sentences};
use common::{Game, shipped};

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn named(name: &str) -> Begin {
    Begin { name: name.into(), ..Begin::default() }
}

/// Chain Reaction solo, with the three possible enemies placed.
fn solo() -> Game {
    let mut game = Game { table: Table::empty(shipped("chain-reaction")), by: "Anna".into() };
    for line in game.table.begin_from(&game.stamp(), "solo", named("The farm")).unwrap() {
        game.apply(&line);
    }
    for section in [2, 5, 5] {
        game.play(game.first(), dice(&[section]));
    }
    game
}

fn phase(game: &mut Game, to: &str) {
    game.act(EventKind::Phase(PhaseStep { to: to.into(), ..PhaseStep::default() }));
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

fn skip(game: &mut Game) {
    let pending = game.table.pending().next().unwrap().due.id.clone();
    game.act(EventKind::Skip { pending, reason: "not in sight".into() });
}

/// The patrol meets two enemies.
fn met(game: &mut Game) {
    game.play(
        PlayRequest::of("pef-resolve").unit("pef", "u5").unit("seen_by", "u1"),
        dice(&[1, 1]),
    );
    game.play(game.first(), dice(&[3, 1]));
}

#[test]
fn a_start_sets_up_sides_options_units_and_what_is_due() {
    let game = solo();
    let table = &game.table;
    assert_eq!(table.sides(), ["Your patrol", "The enemy"]);
    assert!(!table.is_run_by_sheet(0) && table.is_run_by_sheet(1));
    assert_eq!(table.turn().0.unwrap().id, "yours");
    let units: Vec<(&str, usize)> =
        table.state().units.iter().map(|unit| (unit.name.as_str(), unit.side)).collect();
    let patrol = [("Star", 0), ("Figure 1", 0), ("Figure 2", 0), ("Recruit", 0)];
    assert_eq!(units, [&patrol[..], &[("PEF 1", 1), ("PEF 2", 1), ("PEF 3", 1)]].concat());
    assert_eq!(
        table.state().unit("u6").unwrap().facet(table.pack(), "section"),
        Some(adjutant_pack::Value::Number(5.into()))
    );
    assert!(due(&game).is_empty() && table.endings().is_empty());
    verify(shipped("chain-reaction"), table.lines(), None).unwrap();
    let again = table.act(&game.stamp(), EventKind::Start { due: Vec::new() }).unwrap_err();
    assert_eq!(again.sentence(), "the game has already started");
}

#[test]
fn a_start_takes_other_names_and_refuses_other_numbers() {
    let table = Table::empty(shipped("combat-leader"));
    let stamp = adjutant_game::Stamp::new("t", "Anna");
    let names = Begin { sides: vec!["Red".into(), "Blue".into()], ..named("Crossroads") };
    let lines = table.begin_from(&stamp, "own-decks", names).unwrap();
    let EventKind::Begin(begin) = &lines[0].event.what else { panic!("the first line begins") };
    assert_eq!(
        (begin.decks, &begin.sides[..]),
        (Decks::PerSide, &["Red".to_owned(), "Blue".to_owned()][..])
    );
    let one = Begin { sides: vec!["Red".into()], ..named("Crossroads") };
    assert!(
        table
            .begin_from(&stamp, "own-decks", one)
            .unwrap_err()
            .sentence()
            .ends_with("has 2 sides, not 1")
    );
    let unknown = table.begin_from(&stamp, "own-deck", named("Crossroads")).unwrap_err().sentence();
    assert_eq!(unknown, "there is no way to begin `own-deck`: did you mean `own-decks`?");
}

#[test]
fn phases_lift_statuses_and_let_tests_fall_due_for_the_units_named() {
    let mut game = solo();
    met(&mut game);
    assert_eq!(due(&game), ["In Sight (Enemies in sight: name all who see each other)"]);
    skip(&mut game);
    put_on(&mut game, "u2", "duck_back");
    put_on(&mut game, "u3", "hunker_down");
    put_on(&mut game, "u8", "duck_back");
    phase(&mut game, "possible");
    assert_eq!(
        due(&game),
        [
            "PEF movement – PEF 2 (Possible enemies move)",
            "PEF movement – PEF 3 (Possible enemies move)"
        ]
    );
    game.play(game.first(), dice(&[1, 1]));
    game.play(game.first(), dice(&[6, 6]));
    // One test for the enemy group. Its figures that ducked back are up again; the player's are
    // not.
    phase(&mut game, "enemy");
    assert_eq!(due(&game), ["Non-player force movement – Enemy 1 (The enemy group moves)"]);
    let statuses = |game: &Game, unit: &str| game.table.state().unit(unit).unwrap().statuses.len();
    assert_eq!((statuses(&game, "u8"), statuses(&game, "u2")), (0, 1));
    game.play(game.first(), dice(&[1, 6]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(
        words.contains("Figures of the non-player force: 2; Figures of the player: 4."),
        "{words}"
    );
    phase(&mut game, "yours");
    assert_eq!(due(&game), ["Recover test – Figure 2 (Hunkered down and active)"]);
    assert_eq!((game.table.turn().1, statuses(&game, "u2")), (2, 0));
    game.play(game.first(), dice(&[1, 6]));
    verify(shipped("chain-reaction"), game.table.lines(), None).unwrap();
}

#[test]
fn a_phase_recorded_otherwise_than_the_sheet_has_it_is_found() {
    let mut game = solo();
    phase(&mut game, "possible");
    let mut lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    let mut event: adjutant_game::Event = serde_json::from_str(lines.last().unwrap()).unwrap();
    let EventKind::Phase(step) = &mut event.what else { panic!("a phase comes last") };
    step.due.pop();
    *lines.last_mut().unwrap() = serde_json::to_string(&event).unwrap();
    let fault = verify(shipped("chain-reaction"), &lines, None).unwrap_err();
    assert_eq!(
        fault.sentence(),
        "event 7: the tests due in this phase are not recorded as the sheet gives them"
    );
    assert_eq!(replay(shipped("chain-reaction"), &lines).unwrap().1.len(), 1);
}

#[test]
fn a_group_is_counted_where_there_is_no_doubt_and_asked_otherwise() {
    let mut game = solo();
    let contact = PlayRequest::of("pef-resolve").unit("pef", "u5");
    game.play(contact, dice(&[1, 1]));
    // The request names no unit, but there is only one group: four figures, one of them out.
    put_on(&mut game, "u4", "out_of_the_fight");
    let line = game.table.play(&game.stamp(), &game.first(), &mut dice(&[1, 1])).unwrap();
    let EventKind::Play(played) = &line.event.what else { panic!("a play") };
    assert_eq!((played.request.given["group"].as_str(), played.appear.len()), ("3", 2));
    assert_eq!(
        (played.appear[0].group.as_str(), played.appear[0].has["rep"].as_str()),
        ("PEF 1", "4")
    );
    // With two groups the count is asked for, unless the request names a unit of one of them.
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: "u2".into(),
        group: Some("scouts".into()),
        ..UnitEdit::default()
    })));
    let stop = game.table.play(&game.stamp(), &game.first(), &mut dice(&[1, 1])).unwrap_err();
    assert!(matches!(&stop, PlayError::Needs { needs, .. } if needs[0].key == "group"), "{stop}");
    let line = game
        .table
        .play(&game.stamp(), &game.first().unit("found_by", "u2"), &mut dice(&[1, 4]))
        .unwrap();
    let EventKind::Play(played) = &line.event.what else { panic!("a play") };
    assert_eq!((played.request.given["group"].as_str(), played.appear.len()), ("1", 2));
}

#[test]
fn a_rally_counts_the_friends_lost_on_the_roster() {
    let mut game = Game::new(shipped("panzer8"), "Hill", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "");
    game.unit("element", "Grenadiers", "Axis", "", "");
    for name in ["One", "Two", "Three", "Four"] {
        game.unit("element", name, "Allies", "", "");
    }
    put_on(&mut game, "u1", "suppressed");
    let rally = |game: &mut Game, face: u32| {
        game.play(PlayRequest::of("rally").unit("element", "u1"), dice(&[face]));
        let event: adjutant_game::Event =
            serde_json::from_str(game.table.lines().last().unwrap()).unwrap();
        let EventKind::Play(played) = event.what else { panic!("a play") };
        (played.request.given["lost"].clone(), played.results[0].title.clone())
    };
    put_on(&mut game, "u3", "out_of_action");
    put_on(&mut game, "u4", "out_of_action");
    // An enemy and a unit that withdrew are not friends lost.
    put_on(&mut game, "u2", "out_of_action");
    game.act(EventKind::Remove { unit: "u6".into(), word: "withdrawn".into() });
    let before = game.table.clone();
    assert_eq!(rally(&mut game, 6), ("2".into(), "Unsuppressed".into()));
    game.table = before;
    put_on(&mut game, "u5", "out_of_action");
    assert_eq!(rally(&mut game, 6), ("3".into(), "No effect".into()));
    // Units that were removed still count as lost.
    game.act(EventKind::Remove { unit: "u3".into(), word: "removed".into() });
    assert_eq!(rally(&mut game, 6), ("3".into(), "No effect".into()));
    // The player may override the count.
    game.play(PlayRequest::of("rally").unit("element", "u1").given("lost", "0"), dice(&[6]));
    assert!(game.table.state().unit("u1").unwrap().statuses.is_empty());
    verify(shipped("panzer8"), game.table.lines(), None).unwrap();
}

#[test]
fn tests_lapse_for_who_is_out_or_stopped_but_not_for_want_of_a_bystander() {
    let mut game = solo();
    met(&mut game);
    skip(&mut game);
    let shot = |shooter: &str, target: &str| {
        PlayRequest::of("shooting").unit("shooter", shooter).unit("target", target)
    };
    game.play(shot("u8", "u2"), dice(&[1]));
    game.play(shot("u8", "u3"), dice(&[1]));
    let fired_on = |name: &str, by: &str| format!("Crisis test – {name}{by} (Fired on)");
    assert_eq!(
        due(&game),
        [fired_on("Figure 1", ", caused by Enemy 1"), fired_on("Figure 2", ", caused by Enemy 1")]
    );
    // The unit that fired leaves: the others were still fired on.
    game.act(EventKind::Remove { unit: "u8".into(), word: "gone".into() });
    assert_eq!(due(&game), [fired_on("Figure 1", ""), fired_on("Figure 2", "")]);
    put_on(&mut game, "u2", "out_of_the_fight");
    assert_eq!(due(&game), [fired_on("Figure 2", "")]);
    put_on(&mut game, "u3", "leave_the_battlefield");
    assert!(due(&game).is_empty());
}

#[test]
fn who_is_fired_on_fires_back_at_the_firer_and_the_end_is_told() {
    let mut game = solo();
    met(&mut game);
    for unit in ["u6", "u7"] {
        game.act(EventKind::Remove { unit: unit.into(), word: "off".into() });
    }
    skip(&mut game);
    game.play(PlayRequest::of("shooting").unit("shooter", "u1").unit("target", "u9"), dice(&[1]));
    game.play(game.first(), dice(&[1, 1]));
    assert_eq!(due(&game), ["Shooting – shooter Enemy 2, target Star (Returns fire, at once)"]);
    let told = en::meaning_of(&game.table, game.table.lines().len() as u64).unwrap();
    assert_eq!(
        told,
        ["Enemy 2 – passes 2: Returns fire. Fires back at once at what caused the test."]
    );
    let guide = game.table.guide();
    assert_eq!(
        en::guide(&game.table, &guide),
        [
            "Next: Shooting – shooter Enemy 2, target Star (Returns fire, at once) (The enemy, run by the sheet)."
        ]
    );
    put_on(&mut game, "u8", "out_of_the_fight");
    put_on(&mut game, "u9", "out_of_the_fight");
    let guide = game.table.guide();
    assert_eq!((guide.endings[0].id.as_str(), guide.next.is_none()), ("last-side", true));
    let says = en::guide(&game.table, &guide);
    assert!(says[0].starts_with("The fight is over. "), "{says:?}");
    assert!(says[0].ends_with("Your patrol won."), "{says:?}");
}

#[test]
fn units_are_made_from_templates_and_own_values_go_first() {
    let pack = shipped("chain-reaction");
    let made = NewUnit::from_template(&pack, "rep-3", "Pvt. Diaz", "Patrol").unwrap();
    assert_eq!(
        (made.kind.as_str(), made.name.as_str(), made.has["rep"].as_str()),
        ("figure", "Pvt. Diaz", "3")
    );
    let wrong = NewUnit::from_template(&pack, "rep-33", "", "Patrol").unwrap_err().sentence();
    assert_eq!(wrong, "there is no template `rep-33`: did you mean `rep-3`?");
    let setup = Begin { sides: vec!["Patrol".into()], ..named("Farm") };
    let csv = "template,name,rep\nrep-4,,\nrep-4,Sgt. Lee,5\n";
    let made = recruits_from_csv(&pack, &setup, None, csv).unwrap();
    let told: Vec<(&str, &str, &str)> = made
        .iter()
        .map(|unit| (unit.name.as_str(), unit.has["rep"].as_str(), unit.has["impact"].as_str()))
        .collect();
    assert_eq!(told, [("Figure", "4", "2"), ("Sgt. Lee", "5", "2")]);
    let faults = recruits_from_csv(&pack, &setup, None, "template,name\nrep-9,X\n").unwrap_err();
    assert!(
        faults[0].sentence().starts_with("line 2: there is no template `rep-9`: "),
        "{faults:?}"
    );
}

/// A patrol and two enemies in play, with the option for shooting on.
fn met_and_skipped() -> Game {
    let mut game = solo();
    met(&mut game);
    skip(&mut game);
    game
}

fn statuses(game: &Game, unit: &str) -> Vec<String> {
    let unit = game.table.state().unit(unit).unwrap();
    unit.statuses
        .iter()
        .map(|status| game.table.pack().statuses()[*status].id.to_string())
        .collect()
}

#[test]
fn a_second_hunker_down_is_leaving_also_when_the_first_was_set_by_hand() {
    let crisis = || {
        PlayRequest::of("crisis")
            .unit("figure", "u2")
            .unit("caused_by", "u8")
            .given("reason", "outgunned")
    };
    let mut game = met_and_skipped();
    put_on(&mut game, "u2", "hunker_down");
    game.play(crisis(), dice(&[6, 6]));
    assert_eq!(statuses(&game, "u2"), ["leave_the_battlefield"]);
    // The unit recovers in between.
    let mut game = met_and_skipped();
    put_on(&mut game, "u2", "hunker_down");
    game.play(
        PlayRequest::of("recover").unit("figure", "u2").given("reason", "hunkered"),
        dice(&[1, 1]),
    );
    assert!(statuses(&game, "u2").is_empty());
    game.play(crisis(), dice(&[6, 6]));
    assert_eq!(statuses(&game, "u2"), ["leave_the_battlefield"]);
    verify(shipped("chain-reaction"), game.table.lines(), None).unwrap();
}

#[test]
fn outgunned_stops_what_ducking_back_stops_until_a_test_lets_it_fire() {
    for status in ["duck_back", "outgunned"] {
        let mut game = met_and_skipped();
        game.play(PlayRequest::of("in-sight").unit("figure", "u2"), dice(&[1, 1, 1, 1]));
        assert_eq!(due(&game), ["Shooting – shooter Figure 1 (Fires on sight)"]);
        put_on(&mut game, "u2", status);
        assert!(due(&game).is_empty(), "{status}: {:?}", due(&game));
        let fired_on = PlayRequest::of("crisis")
            .unit("figure", "u2")
            .unit("caused_by", "u8")
            .given("reason", "fired_on");
        game.play(fired_on, dice(&[1, 1]));
        assert!(statuses(&game, "u2").is_empty());
        assert_eq!(
            due(&game),
            ["Shooting – shooter Figure 1, target Enemy 1 (Returns fire, at once)"]
        );
    }
}

#[test]
fn no_reaction_test_is_taken_in_a_charge() {
    let charge = || PlayRequest::of("charge").unit("charger", "u2").unit("target", "u8");
    let melee = "Melee – Figure 1, opponent Enemy 1 (Charged into melee)";
    // A 3 with Rep 4 misses; a 6 hits, and the damage is a 1, a 2, or more than the Impact of 2.
    for (faces, then) in
        [(&[3][..], &[melee][..]), (&[6, 1], &[]), (&[6, 2], &[]), (&[6, 5], &[melee])]
    {
        let mut game = met_and_skipped();
        game.play(charge(), dice(&[6, 6, 1, 1]));
        assert_eq!(due(&game).len(), 2);
        for face in faces {
            game.play(game.first(), dice(&[*face]));
        }
        assert_eq!(due(&game), then, "{faces:?}");
    }
    // Elsewhere the same shots make tests due.
    for (faces, tests) in [(&[3][..], 1), (&[6, 1], 3), (&[6, 2], 3), (&[6, 5], 1)] {
        let mut game = met_and_skipped();
        game.play(
            PlayRequest::of("shooting").unit("shooter", "u8").unit("target", "u2"),
            dice(&faces[..1]),
        );
        faces[1..].iter().for_each(|face| game.play(game.first(), dice(&[*face])));
        assert_eq!(due(&game).len(), tests, "{faces:?}");
    }
}

#[test]
fn one_s_own_men_are_no_enemies() {
    let game = met_and_skipped();
    let table = &game.table;
    let refused = |play: PlayRequest| match table.play(&game.stamp(), &play, &mut dice(&[1, 1])) {
        Err(PlayError::Rejected(why)) => sentences(&why).join("; "),
        other => panic!("{other:?}"),
    };
    let own = refused(
        PlayRequest::of("crisis")
            .unit("figure", "u2")
            .unit("caused_by", "u1")
            .given("reason", "fired_on"),
    );
    assert_eq!(
        own,
        "Star and Figure 1 are on the same side, and caused_by must be an enemy of figure"
    );
    let own = refused(
        PlayRequest::of("shooting").unit("shooter", "u1").unit("target", "u8").unit("target", "u2"),
    );
    assert_eq!(
        own,
        "Figure 1 and Star are on the same side, and target must be an enemy of shooter"
    );
    let could = |chart: &str, role: &str, play: PlayRequest| -> Vec<&str> {
        let chart = table.pack().chart(chart).unwrap();
        let (place, who) = (chart.role(role).unwrap(), table.taking_part(&play));
        table
            .state()
            .here()
            .filter(|unit| table.can_take(chart, place, unit, &who))
            .map(|unit| unit.name.as_str())
            .collect()
    };
    assert_eq!(
        could("crisis", "caused_by", PlayRequest::default().unit("figure", "u2")),
        ["Enemy 1", "Enemy 2"]
    );
    assert_eq!(
        could("shooting", "target", PlayRequest::default().unit("shooter", "u8")),
        ["Star", "Figure 1", "Figure 2", "Recruit"]
    );
    assert_eq!(
        could("shooting", "shooter", PlayRequest::default().unit("target", "u8")),
        ["Star", "Figure 1", "Figure 2", "Recruit"]
    );
    assert_eq!(could("shooting", "target", PlayRequest::default()).len(), 6);
}

#[test]
fn after_the_shooter_is_gone_a_figure_fires_back_at_enemies_only() {
    let mut game = met_and_skipped();
    game.play(PlayRequest::of("shooting").unit("shooter", "u8").unit("target", "u2"), dice(&[1]));
    game.act(EventKind::Remove { unit: "u8".into(), word: "ran".into() });
    assert_eq!(due(&game), ["Crisis test – Figure 1 (Fired on)"]);
    let table = &game.table;
    let chart = table.pack().chart("crisis").unwrap();
    let who = table.taking_part(&game.first());
    let could: Vec<&str> = table
        .state()
        .here()
        .filter(|unit| table.can_take(chart, RoleId::from_index(1), unit, &who))
        .map(|unit| unit.name.as_str())
        .collect();
    assert_eq!(could, ["Enemy 2"]);
    let in_use =
        |play: &PlayRequest| adjutant_engine::roles_in_use(&table.situation(play).unwrap()).len();
    assert_eq!(in_use(&game.first()), 2);
    for (reason, roles) in [("fired_on", 2), ("man_down", 1), ("outgunned", 1)] {
        assert_eq!(
            in_use(&PlayRequest::of("crisis").unit("figure", "u2").given("reason", reason)),
            roles,
            "{reason}"
        );
    }
    assert_eq!(
        in_use(&PlayRequest::of("crisis").unit("figure", "u2")),
        1,
        "the reason comes first"
    );
    game.act(EventKind::Option { name: "shooting".into(), value: "no".into() });
    assert_eq!(
        adjutant_engine::roles_in_use(&game.table.situation(&game.first()).unwrap()),
        [RoleId::FIRST]
    );
}

#[test]
fn with_all_enemies_gone_no_one_fires() {
    let mut game = met_and_skipped();
    game.play(PlayRequest::of("shooting").unit("shooter", "u8").unit("target", "u2"), dice(&[1]));
    game.play(PlayRequest::of("in-sight").unit("figure", "u3"), dice(&[1, 1, 1, 1]));
    game.act(EventKind::Remove { unit: "u8".into(), word: "ran".into() });
    assert_eq!(
        due(&game),
        ["Crisis test – Figure 1 (Fired on)", "Shooting – shooter Figure 2 (Fires on sight)"]
    );
    game.act(EventKind::Remove { unit: "u9".into(), word: "ran".into() });
    assert_eq!(due(&game), ["Crisis test – Figure 1 (Fired on)"]);
    game.play(game.first(), dice(&[1, 1]));
    assert!(due(&game).is_empty(), "{:?}", due(&game));
    verify(shipped("chain-reaction"), game.table.lines(), None).unwrap();
}

#[test]
fn contact_forgets_only_what_was_remembered() {
    let mut game = solo();
    game.play(
        PlayRequest::of("pef-resolve").unit("pef", "u5").unit("seen_by", "u1"),
        dice(&[1, 1]),
    );
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Contact!") && !words.contains("No longer"), "{words}");
    let mut game = solo();
    game.play(
        PlayRequest::of("pef-resolve").unit("pef", "u5").unit("seen_by", "u1"),
        dice(&[1, 5]),
    );
    game.play(
        PlayRequest::of("pef-resolve").unit("pef", "u6").unit("seen_by", "u1"),
        dice(&[1, 1, 5]),
    );
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Contact! No longer: Something is out there"), "{words}");
}

#[test]
fn a_leader_loss_task_check_lapses_when_its_unit_breaks() {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Russian", "German"], &[]);
    game.unit("unit", "Leader", "Russian", "F5", "type=smc fp=1 morale=9 leadership=-1 elr=3");
    game.unit("unit", "Squad", "Russian", "F5", "type=squad fp=4 morale=7 elr=3");
    game.unit("unit", "Other", "Russian", "F5", "type=squad fp=4 morale=7 elr=3");
    game.play(PlayRequest::of("morale-check").unit("unit", "u1"), dice(&[4, 6]));
    let waits =
        |name: &str| format!("Leader loss task check – {name} (A leader stacked with it breaks)");
    assert_eq!(due(&game), [waits("Squad"), waits("Other")]);
    game.play(PlayRequest::of("morale-check").unit("unit", "u2"), dice(&[4, 5]));
    assert_eq!(due(&game), [waits("Other")]);
    // The loss of a -1 leader adds 1: a 7 against morale 7 fails.
    game.play(game.first(), dice(&[3, 4]));
    assert_eq!(statuses(&game, "u3"), ["pinned"]);
    verify(shipped("asl-starter-kit"), game.table.lines(), None).unwrap();
}
