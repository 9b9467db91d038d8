//! Laws of the game crate, as properties over random games on the four packs and on a test pack.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_game::{
    ConsentFor, Event, EventKind, PlayError, PlayRequest, Table, fingerprint, import, replay,
    verify,
};
use common::random::{RandomGame, meddle, pack};
use common::sentence::{Sentence, log_in_words};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A line as a forger would write it.
fn forged(table: &Table, by: &str, what: EventKind) -> String {
    let event = Event {
        n: table.lines().len() as u64 + 1,
        at: "t".into(),
        by: by.into(),
        prev: table.head().into(),
        what,
    };
    serde_json::to_string(&event).unwrap()
}

fn lines(table: &Table) -> Vec<String> {
    table.lines().map(str::to_owned).collect()
}

fn alike(a: &Table, b: &Table) -> bool {
    a.state() == b.state()
        && a.people() == b.people()
        && a.asked() == b.asked()
        && a.last_that_counts() == b.last_that_counts()
        && a.head() == b.head()
}

/// A few cases in every run; set `PROPTEST_CASES` for more.
fn cases() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        24
    };
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    /// A forged line with a correct hash chain is rejected with a sentence or leaves a working
    /// game. It never panics.
    #[test]
    fn a_forged_line_is_refused_or_leaves_a_working_table(which in 0_usize..5, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        game.run(30);
        let mut table = game.table.clone();
        for _ in 0..40 {
            let Ok(line) = game.attempt() else { continue };
            let mut value: serde_json::Value = serde_json::from_str(&line.text).unwrap();
            (0..=game.choose.below(2)).for_each(|_| meddle(&mut value["do"], &mut game.choose));
            value["n"] = (table.lines().len() as u64 + 1).into();
            value["prev"] = table.head().into();
            let before = table.clone();
            if table.append(&value.to_string()).is_err() {
                prop_assert!(alike(&before, &table));
            }
        }
        let log = lines(&table);
        prop_assert!(alike(&Table::open(pack(which), &log).unwrap(), &table));
        prop_assert_eq!(log_in_words(&table).len(), log.len());
        let _ = verify(pack(which), &log, None);
        let _ = adjutant_game::rolls_as_csv(&table);
        game.table = table;
        game.run(20);
    }

    #[test]
    fn replay_is_play(which in 0_usize..5, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        game.run(60);
        let log = lines(&game.table);
        prop_assert!(alike(&Table::open(pack(which), &log).unwrap(), &game.table));
        let (again, differences) = replay(pack(which), &log).unwrap();
        prop_assert!(differences.is_empty(), "{:?}", differences);
        prop_assert!(alike(&again, &game.table));
        let units = again.state().units.iter().filter(|unit| unit.gone.is_none());
        prop_assert!(units.map(|unit| &unit.id).eq(again.state().here().map(|unit| &unit.id)));
        prop_assert!(alike(&verify(pack(which), &log, Some(game.table.head())).unwrap(), &game.table));
    }

    #[test]
    fn undo_then_redo_is_identity(which in 0_usize..5, seed: u64, back in 1_usize..90) {
        let mut game = RandomGame::new(which, seed);
        // With only one player, everything can be undone.
        let alone = |table: &mut Table, line: Result<adjutant_game::LogLine, adjutant_game::Rejection>| line.is_ok_and(|line| table.append(&line.text).is_ok());
        // The state depends on the events that count, and these on the last of them.
        let mut by_last = BTreeMap::new();
        let mut is_what_it_was = |table: &Table| {
            let known = by_last.entry(table.last_that_counts()).or_insert_with(|| table.state().clone());
            *table.state() == *known
        };
        is_what_it_was(&game.table);
        for _ in 0..100 {
            let line = game.attempt();
            if let Ok(line) = line.as_ref() && !matches!(line.event.what, EventKind::Join { .. }) {
                game.table.append(&line.text).unwrap();
                prop_assert!(is_what_it_was(&game.table));
            }
        }
        let before = game.table.clone();
        let mut states = vec![before.state().clone()];
        let stamp = game.stamp("Anna");
        while states.len() <= back {
            let undo = game.table.undo(&stamp);
            if !alone(&mut game.table, undo) { break }
            prop_assert!(is_what_it_was(&game.table));
            states.push(game.table.state().clone());
        }
        states.pop();
        while let Some(state) = states.pop() {
            let redo = game.table.redo(&stamp);
            prop_assert!(alone(&mut game.table, redo));
            prop_assert!(*game.table.state() == state);
        }
        prop_assert!(game.table.last_that_counts() == before.last_that_counts());
        prop_assert!(alike(&Table::open(pack(which), lines(&game.table)).unwrap(), &game.table));
    }

    #[test]
    fn no_undo_across_luck_without_consent(which in 0_usize..5, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        for (who, side) in [("Anna", "Red"), ("Bert", "Blue")] {
            let role = adjutant_game::Seat::Player { side: side.into() };
            let line = game.table.act(&game.stamp(who), EventKind::Join { who: who.into(), role }).unwrap();
            game.table.append(&line.text).unwrap();
        }
        for _ in 0..30 {
            let play = game.random_play();
            let Ok(line) = game.roll(play, "Anna") else { continue };
            game.table.append(&line.text).unwrap();
            let free = !line.event.what.has_luck();
            prop_assert_eq!(game.table.undo(&game.stamp("Anna")).is_ok(), free);
            prop_assert!(game.table.undo(&game.stamp("Bert")).is_err(), "another side acted");
            if !free {
                let stray = forged(&game.table, "Anna", EventKind::Undo { event: line.n, mark: None });
                prop_assert!(game.table.clone().append(&stray).is_err());
                let mut table = game.table.clone();
                table.append(&table.ask(&game.stamp("Anna"), ConsentFor::Undo).unwrap().text).unwrap();
                prop_assert!(table.consent(&game.stamp("Anna"), true).is_err());
                let mut refused = table.clone();
                refused.append(&refused.consent(&game.stamp("Bert"), false).unwrap().text).unwrap();
                prop_assert!(refused.undo(&game.stamp("Anna")).is_err());
                table.append(&table.consent(&game.stamp("Bert"), true).unwrap().text).unwrap();
                table.append(&table.undo(&game.stamp("Anna")).unwrap().text).unwrap();
            }
        }
    }

    #[test]
    fn offered_is_accepted_and_refused_is_refused(which in 0_usize..5, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        for _ in 0..40 {
            let act = game.random_act();
            let by = "Anna";
            match game.table.act(&game.stamp(by), act.clone()) {
                Ok(line) => game.table.append(&line.text).unwrap(),
                Err(_) if matches!(act, EventKind::Add(_) | EventKind::Phase(_) | EventKind::Land { .. }) => {}
                Err(refusal) => {
                    let before = game.table.clone();
                    prop_assert!(game.table.append(&forged(&before, by, act.clone())).is_err(), "{:?} was refused: {}", act, refusal);
                    prop_assert!(alike(&before, &game.table));
                }
            }
            let Some(chart) = game.table.pack().charts().as_slice().get(game.choose.below(20)).map(|chart| chart.id.to_string()) else { continue };
            let who = game.random_who(&chart);
            let offered: Vec<String> = game.table.offered(&who).iter().map(|chart| chart.id.to_string()).collect();
            let charts: Vec<String> = game.table.pack().charts().iter().map(|chart| chart.id.to_string()).collect();
            for chart in charts {
                let play = PlayRequest { units: who.clone(), ..PlayRequest::of(chart.clone()) };
                match game.table.play(&game.stamp(by), &play, &mut adjutant_dice::EnteredInput::new()) {
                    // An attribute of the unit may still be a number that the chart cannot compute
                    // with. The run reports that.
                    Err(PlayError::Rejected(why)) if offered.contains(&chart) => {
                        prop_assert!(why[0].sentence().contains("is not accepted"), "{} {:?} is offered and refused: {:?}", chart, who, why);
                    }
                    Err(PlayError::Rejected(_)) => {}
                    Err(PlayError::RuledOut(found)) => {
                        prop_assert!(!offered.contains(&chart), "{} {:?} is offered, and {:?}", chart, who, found);
                        // With `anyway` it is no longer rejected for that reason.
                        let allowed = PlayRequest { anyway: true, ..play };
                        let again = game.table.play(&game.stamp(by), &allowed, &mut adjutant_dice::EnteredInput::new());
                        prop_assert!(!matches!(again, Err(PlayError::RuledOut(_))), "{} {:?}: {:?}", chart, who, again);
                    }
                    taken => prop_assert!(offered.contains(&chart), "{} {:?} is not offered, and then {:?}", chart, who, taken),
                }
            }
            game.step();
        }
    }

    #[test]
    fn every_prefix_is_a_table_and_export_is_import(which in 0_usize..5, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        game.run(40);
        let log = lines(&game.table);
        for end in 0..=log.len() {
            prop_assert!(Table::open(pack(which), &log[..end]).is_ok());
        }
        let text = game.table.to_json_lines();
        let again = import(pack(which), &text).unwrap();
        prop_assert_eq!(again.to_json_lines(), text);
        prop_assert_eq!(log_in_words(&game.table).len(), log.len());
        adjutant_game::rolls_as_csv(&game.table).unwrap();
    }

    #[test]
    fn a_tampered_log_is_found_at_its_place(which in 0_usize..5, seed: u64, at: prop::sample::Index, byte: prop::sample::Index, to in 32_u8..127) {
        let mut game = RandomGame::new(which, seed);
        game.run(40);
        let (pack, log, head) = (pack(which), lines(&game.table), game.table.head().to_owned());
        let at = at.index(log.len());
        let fault = |log: &[String]| verify(pack.clone(), log, Some(&head)).err().map(|fault| fault.event as usize);
        let mut changed = log.clone();
        let mut bytes = changed[at].clone().into_bytes();
        let place = byte.index(bytes.len());
        if bytes[place].is_ascii() && bytes[place] != to {
            bytes[place] = to;
            changed[at] = String::from_utf8(bytes).unwrap();
            // At the line itself, or at the next, whose `prev` no longer matches.
            let found = fault(&changed).expect("a changed byte is found");
            prop_assert!(found == at + 1 || found == at + 2, "line {} was changed, found at {}", at + 1, found);
        }
        let mut dropped = log.clone();
        dropped.remove(at);
        prop_assert_eq!(fault(&dropped), Some((at + 1).min(dropped.len())));
        let mut doubled = log.clone();
        doubled.insert(at, log[at].clone());
        prop_assert_eq!(fault(&doubled), Some(at + 2));
        if at + 1 < log.len() {
            let mut swapped = log.clone();
            swapped.swap(at, at + 1);
            prop_assert_eq!(fault(&swapped), Some(at + 1));
        }
    }
}

#[test]
fn a_recorded_result_that_the_chart_does_not_give_is_named() {
    let mut game = common::Game::new(common::shipped("panzer8"), "Forgery", &["Red", "Blue"], &[]);
    game.unit("element", "Rifles", "Red", "", "hesa=5 def=5");
    game.play(
        PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
        adjutant_dice::EnteredInput::new().with_dice([1]),
    );
    let mut log = lines(&game.table);
    log[2] = log[2].replace(
        "\"id\":\"out-of-action\",\"title\":\"Out of Action\"",
        "\"id\":\"no-effect\",\"title\":\"No effect\"",
    );
    let fault = verify(common::shipped("panzer8"), &log, None).unwrap_err();
    assert_eq!(
        fault.sentence(),
        "event 3: the result is recorded as No effect; the chart gives Out of Action"
    );
    assert_eq!(game.table.head(), fingerprint(game.table.lines().last().unwrap()));
}

/// Every part of a play's outcome is compared, not only its result.
#[test]
fn a_part_left_out_of_a_record_is_missed() {
    let parts = ["results", "value", "order", "effects", "appear", "next", "cards", "anyway"];
    let mut found = [0; 8];
    for (which, seed) in (0..5).flat_map(|which| [(which, 7_u64), (which, 11)]) {
        let mut game = RandomGame::new(which, seed);
        game.run(40);
        let log = lines(&game.table);
        for (at, line) in log.iter().enumerate() {
            let whole: serde_json::Value = serde_json::from_str(line).unwrap();
            for (part, count) in parts.iter().zip(&mut found) {
                let mut short = whole.clone();
                let play = &mut short["do"]["play"];
                let holder = if *part == "anyway" { play.get_mut("request") } else { Some(play) };
                if holder
                    .and_then(|holder| holder.as_object_mut())
                    .is_none_or(|holder| holder.remove(*part).is_none())
                {
                    continue;
                }
                let forged: Vec<String> =
                    log[..at].iter().cloned().chain([short.to_string()]).collect();
                let fault = verify(pack(which), &forged, None).expect_err(part);
                assert_eq!(fault.event as usize, at + 1, "{part}: {fault}");
                *count += 1;
            }
        }
    }
    for (part, count) in parts
        .iter()
        .zip(found)
        .filter(|(part, _)| ["results", "effects", "next", "cards", "anyway"].contains(part))
    {
        assert!(count > 0, "no {part} in any game");
    }
}
