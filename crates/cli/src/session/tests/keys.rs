//! Whole ways through a session, key by key.

use super::{Game, chain_reaction, panzer8, panzer8_suppressed, press, screens, unit};
use crate::session::odds::Chances;
use crate::session::state::Tone;
use crate::session::update::{Message, update};
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_game::{Attempt, Event, EventKind};
use adjutant_pack::{Id, StatusId};

fn last_event(bench: &super::Bench) -> Event {
    serde_json::from_str(bench.stored().table.lines().last().unwrap()).unwrap()
}

fn fault(state: &crate::session::state::State) -> &str {
    match &state.notice {
        Some((Tone::Fault, text)) => text,
        other => panic!("no fault is shown: {other:?}"),
    }
}

#[test]
fn a_shot_with_own_dice_from_the_first_key_to_the_log() {
    let mut bench = panzer8();
    bench.press("<enter>fire");
    assert_eq!(screens(&bench.state), ["charts"]);
    bench.press("<enter>");
    assert_eq!(screens(&bench.state), ["form"], "the unit chosen fires; the target is asked");
    assert_eq!(bench.state.form().unwrap().entries.chosen().unwrap().key, "target");
    bench.press("<enter>grena<enter>");
    assert_eq!(bench.state.form().unwrap().entries.chosen().unwrap().key, "ammo");
    assert!(matches!(&bench.state.chances, Chances::Not(why) if why.contains("Ammunition")));
    bench.press("1");
    let Chances::Known(before) = bench.state.chances.clone() else { panic!("no odds") };
    bench.press("<down> ");
    let Chances::Known(after) = bench.state.chances.clone() else { panic!("no odds") };
    assert_ne!(before, after, "the odds follow every change");
    bench.press("o");
    assert_eq!(screens(&bench.state), ["form", "ask"]);
    bench.press("<enter>");
    assert!(fault(&bench.state).contains("0 of 1 dice entered"), "{:?}", bench.state.notice);
    bench.press("8<back>0<enter>2<enter>");
    assert_eq!(screens(&bench.state), ["result"]);
    let EventKind::Play(played) = last_event(&bench).what else { panic!("no play") };
    let inputs: Vec<_> =
        played.inputs.iter().map(|input| (input.faces().unwrap().to_vec(), input.by())).collect();
    assert_eq!(inputs, [(vec![10], ThrownBy::Player), (vec![2], ThrownBy::Player)]);
    assert_eq!(played.request.given.get("close").map(String::as_str), Some("yes"));
    assert!(
        bench.state.table().state().unit("u3").unwrap().statuses.contains(&StatusId::from_index(1)),
        "out of action"
    );
    assert!(bench.seen(80, 24).contains("Out of Action – Grenadiers"));
}

#[test]
fn a_pending_test_is_rolled_and_the_next_one_follows() {
    let mut bench = chain_reaction();
    let due = bench.state.table().state().pending.len();
    assert!(due > 0);
    let first = bench.state.table().pending().next().unwrap().due.id.clone();
    bench.press("<enter>");
    assert_eq!(bench.state.form().unwrap().attempt.request().pending.as_ref(), Some(&first));
    bench.press("<esc>s<enter>");
    assert!(fault(&bench.state).contains("Reason is missing"));
    bench.press("he holds his fire<enter>");
    assert_eq!(bench.state.table().state().pending.len(), due - 1);
    assert!(
        matches!(last_event(&bench).what, EventKind::Skip { reason, .. } if reason == "he holds his fire")
    );
}

#[test]
fn all_pending_tests_are_rolled_with_one_key() {
    let mut bench = chain_reaction();
    let ids: Vec<String> = bench.state.table().pending().map(|test| test.due.id.clone()).collect();
    bench.press("T");
    let left = bench.state.table().pending().filter(|test| ids.contains(&test.due.id)).count();
    assert!(left < ids.len(), "{:?}", bench.state.notice);
}

#[test]
fn a_number_does_not_roll_and_an_undone_roll_is_gone() {
    let mut bench = panzer8_suppressed();
    bench.press("<enter>rally<enter>");
    let before = bench.state.table().lines().len();
    while !matches!(
        bench.state.form().unwrap().entries.chosen().unwrap().kind,
        crate::session::entries::Kind::Number(_)
    ) {
        bench.press("<down>");
    }
    bench.press("2<enter>");
    assert_eq!(bench.state.table().lines().len(), before);
    bench.press("t");
    assert_eq!(bench.state.table().lines().len(), before + 1);
    assert!(bench.state.last.is_some());
    bench.press("<esc>u<enter>");
    press(&mut bench.beside("Bert"), "y");
    update(&mut bench.state, Message::Changed);
    assert!(bench.state.last.is_none(), "what was undone is not shown");
}

#[test]
fn undo_across_luck_waits_for_the_other_side() {
    let mut bench = panzer8();
    let before = bench.state.table().state().clone();
    bench.press("u");
    assert_eq!(screens(&bench.state), ["confirm"]);
    bench.press("<enter>u");
    assert!(bench.seen(100, 30).contains("Axis has not answered yet"));
    let mut bert = bench.beside("Bert");
    assert!(super::seen(&bert, 100, 30).contains("Anna asks to undo"));
    // His consent carries it out.
    press(&mut bert, "y");
    update(&mut bench.state, Message::Changed);
    assert!(bench.state.table().state().unit("u3").unwrap().statuses.is_empty());
    bench.press("U");
    assert_eq!(screens(&bench.state), ["confirm"], "to bring luck back needs consent as well");
    bench.press("<esc>");
    assert_ne!(*bench.state.table().state(), before);
}

#[test]
fn who_loses_a_race_is_told_and_no_die_is_rolled_twice() {
    let mut bench = panzer8_suppressed();
    bench.press("<enter>rally<enter>");
    let mut bert = bench.beside("Bert");
    press(&mut bert, "rwatch this<enter>");
    bench.press("t");
    assert!(fault(&bench.state).contains("another player acted first"), "{:?}", bench.state.notice);
    assert!(bench.state.log.last().unwrap().text.contains("watch this"));
    let inputs = bench.state.form().unwrap().attempt.inputs().to_vec();
    assert_eq!(inputs.len(), 1);
    bench.press("t");
    let EventKind::Play(played) = last_event(&bench).what else {
        panic!("no play: {:?}", bench.state.notice)
    };
    assert_eq!(played.inputs, inputs, "the die that was thrown counts");
}

#[test]
fn others_appear_while_a_form_is_open() {
    let mut bench = panzer8();
    bench.press("<enter>fire<enter>");
    let mut bert = bench.beside("Bert");
    press(&mut bert, "rlook out<enter>");
    update(&mut bench.state, Message::Changed);
    assert!(bench.seen(140, 40).contains("look out"));
    assert_eq!(screens(&bench.state), ["form"]);
    assert_eq!(bench.state.form().unwrap().attempt.request().units["firer"], ["u1"]);
}

#[test]
fn units_are_added_changed_and_taken_off() {
    let mut bench = panzer8();
    bench.press("aStug III<down><right><down><back><back><enter>");
    let units = bench.state.table().state().units.len();
    assert_eq!(bench.state.chosen_unit().unwrap().name, "Stug III");
    assert_eq!(bench.state.my_side(), Some("Allies"));
    assert_eq!(bench.state.chosen_unit().unwrap().side, 1, "the side was turned");
    bench.press("e <enter>");
    assert_eq!(bench.state.chosen_unit().unwrap().statuses, [StatusId::FIRST]);
    bench.press("d<enter>");
    assert_eq!(bench.state.table().state().here().count(), units - 1);
    bench.press("uu");
    assert_eq!(bench.stored().table.state().units.last().unwrap().statuses, []);
}

#[test]
fn a_roll_that_is_left_after_the_program_drew_is_in_the_log() {
    let game = Game::new("combat-leader", "The crossroads", ["Red", "Blue"], &[]);
    let mut bench = game
        .act(EventKind::Add(vec![
            unit("soldier", "Novak", "Red", "", ""),
            unit("soldier", "Hale", "Blue", "", ""),
        ]))
        .bench("Anna");
    bench.press("<enter>accuracy<enter><enter>hale<enter>");
    // Card 53 asks whether the weapon jams. The program has drawn it.
    let (form, table) = bench.state.form_mut().unwrap();
    let request = form.attempt.request().clone().given("mod_fp", "3");
    let card = RecordedInput::Card { card: 53, by: ThrownBy::Program, left: None };
    form.attempt = Attempt::continued(request, vec![card]);
    form.fill(table);
    bench.press("<esc>");
    assert_eq!(screens(&bench.state), ["form", "confirm"]);
    bench.press("<enter>");
    let EventKind::Unfinished(left) = last_event(&bench).what else {
        panic!("{:?}", bench.state.notice)
    };
    assert!(left.broken_off && left.inputs[0].is_drawn());
}

#[test]
fn an_answer_in_mid_course_keeps_the_card_that_was_drawn() {
    let game = Game::new("combat-leader", "The crossroads", ["Red", "Blue"], &[]);
    let mut bench = game
        .act(EventKind::Add(vec![
            unit("soldier", "Novak", "Red", "", ""),
            unit("soldier", "Hale", "Blue", "", ""),
        ]))
        .bench("Anna");
    let jam = (1..)
        .zip(&bench.state.table().pack().decks().as_slice()[0].cards)
        .find(|(_, card)| card.title.contains("Jam"))
        .map(|(n, _)| n)
        .unwrap();
    bench.press("<enter>accuracy<enter><enter>hale<enter>");
    let place = bench
        .state
        .form()
        .unwrap()
        .entries
        .list
        .iter()
        .position(|entry| entry.key == "mod_fp")
        .unwrap();
    while bench.state.form().unwrap().entries.at != place {
        bench.press("<down>");
    }
    bench.press(&format!("3o{jam}<enter>"));
    assert_eq!(screens(&bench.state), ["form", "ask"], "did the weapon jam?");
    bench.press("<esc>");
    assert!(bench.state.form().unwrap().attempt.is_underway());
    bench.press("<esc>");
    assert_eq!(
        screens(&bench.state),
        ["form", "confirm"],
        "what was drawn is not thrown away unasked"
    );
    bench.press("<esc>o");
    assert_eq!(screens(&bench.state), ["form", "ask"]);
    bench.press("n");
    assert_eq!(screens(&bench.state), ["form", "ask"], "the next card");
    bench.press(&format!("{jam}<enter>"));
    assert!(fault(&bench.state).contains("drawn already"));
    bench.press("<back><back>8<enter>");
    let EventKind::Play(played) = last_event(&bench).what else {
        panic!("no play: {:?}", bench.state.notice)
    };
    assert_eq!(played.inputs.len(), 3);
    assert!(bench.seen(100, 30).contains("58/60"), "{}", bench.seen(100, 30));
}

#[test]
fn odds_that_take_long_do_not_hold_up_the_keys() {
    let mut bench = panzer8_suppressed();
    let (jobs, wanted) = std::sync::mpsc::channel();
    bench.state.jobs = Some(jobs);
    bench.press("<enter>rally<enter><down> <down>");
    assert!(bench.state.weighing && bench.seen(100, 30).contains("weighing"));
    bench.state.jobs = None;
    let (tell, told) = std::sync::mpsc::channel();
    crate::session::odds::serve(&wanted, &tell);
    let answers: Vec<Message> = told.try_iter().collect();
    assert_eq!(answers.len(), 1, "only the last form is weighed");
    answers.into_iter().for_each(|answer| update(&mut bench.state, answer));
    assert!(!bench.state.weighing && matches!(bench.state.chances, Chances::Known(_)));
    update(&mut bench.state, Message::Chances(1, Chances::Waiting));
    assert!(
        matches!(bench.state.chances, Chances::Known(_)),
        "odds of an older form are not shown"
    );
}

#[test]
fn several_units_are_ticked_for_one_roll() {
    let mut bench = chain_reaction();
    bench.press("pin sight<enter><enter> <down> <down> <enter>");
    assert_eq!(bench.state.form().unwrap().attempt.request().units["figure"].len(), 3);
    bench.press("t");
    assert_eq!(screens(&bench.state), ["result"], "{:?}", bench.state.notice);
    // One key ticks all.
    let mut bench = chain_reaction();
    bench.press("pin sight<enter><enter>*<enter>");
    assert_eq!(bench.state.form().unwrap().attempt.request().units["figure"].len(), 5);
}

#[test]
fn attacks_declared_together_are_held_and_land() {
    let squads = vec![
        unit(
            "unit",
            "4-4-7 squad",
            "Russian",
            "hex G5",
            "type=squad fp=4 half_fp=2 morale=7 elr=3",
        ),
        unit("unit", "Half-squad", "German", "hex G5", "type=half-squad fp=2 morale=7 elr=4"),
    ];
    let ambush =
        adjutant_game::PlayRequest::of("ambush").unit("attacker", "u2").unit("defender", "u1");
    let game = Game::new("asl-starter-kit", "The factory", ["Russian", "German"], &[])
        .act(EventKind::Add(squads));
    let mut bench = game.play("Anna", ambush, &[3, 4]).bench("Anna");
    bench.press("t");
    assert_eq!(screens(&bench.state), ["form"], "{:?}", bench.state.notice);
    bench.press("t<enter>t<esc>");
    assert_eq!(bench.state.table().state().held.len(), 2, "{:?}", bench.state.notice);
    assert!(bench.seen(80, 24).contains("[2 attacks waiting]"));
    for key in ["t", "T"] {
        bench.press(key);
        let hint = format!("{:?}", bench.state.notice);
        assert!(hint.contains("simultaneous attacks are waiting"), "{key}: {hint}");
    }
    bench.press("n");
    assert!(fault(&bench.state).contains("apply their results first"));
    bench.press("l<enter>");
    assert!(bench.stored().table.state().held.is_empty());
}

#[test]
fn wide_letters_keep_the_columns() {
    let units = vec![
        unit("element", "戦車一号", "Axis", "", "hesa=5"),
        unit("element", "Pak", "Axis", "", "hesa=4"),
    ];
    let bench = Game::new("panzer8", "Ölberg", ["Allies", "Axis"], &[])
        .act(EventKind::Add(units))
        .bench("Zoë");
    // A wide letter fills two cells, the second of which is blank in the buffer.
    let column = |row: &str| row.split("HE/SA").next().map(|before| before.chars().count());
    let seen = bench.seen(80, 24);
    let of_roster = |row: &&str| ["HE/SA 5", "HE/SA 4"].iter().any(|value| row.contains(value));
    let rows: Vec<&str> = seen.lines().filter(of_roster).collect();
    assert_eq!(rows.len(), 2, "{seen}");
    assert_eq!(column(rows[0]), column(rows[1]), "{seen}");
}

#[test]
fn options_memory_seats_and_phases_go_through_the_log() {
    let mut bench = chain_reaction();
    bench.press("m <enter>");
    assert!(
        matches!(last_event(&bench).what, EventKind::Option { .. }),
        "{:?}",
        bench.state.notice
    );
    bench.press("J<right><enter>");
    assert!(matches!(last_event(&bench).what, EventKind::Join { .. }));
    bench.press("n<enter>");
    assert!(matches!(last_event(&bench).what, EventKind::Phase(_)));
    bench.press("n<esc>");
    assert!(screens(&bench.state).is_empty());
}

#[test]
fn leaving_asks_only_when_something_is_half_done() {
    let mut bench = panzer8();
    bench.press("q");
    assert!(bench.state.over);
    let mut bench = panzer8();
    bench.press("pfire<enter><down><down>1q");
    assert_eq!(screens(&bench.state), ["form", "confirm"]);
    bench.press("<esc><ctrl-c>");
    assert!(bench.state.over);
}
