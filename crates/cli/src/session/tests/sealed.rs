//! Sealed rolls, ready units and cards by hand, key by key.

use super::{Game, panzer8_suppressed, press, screens, seen, stamp, unit};
use crate::session::update::{Message, update};
use adjutant_game::{Event, EventKind, PlayRequest, Table};

fn lines(state: &crate::session::state::State) -> Vec<Event> {
    state.table().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_roll_is_called_and_the_last_link_makes_it() {
    let mut bench = panzer8_suppressed();
    let mut bert = bench.beside("Bert");
    bench.press("o");
    assert!(bench.seen(100, 30).contains("no roll was called"));
    bench.press("S<enter>");
    update(&mut bert, Message::Changed);
    press(&mut bert, "S<enter>");
    update(&mut bench.state, Message::Changed);
    assert!(bench.state.table().rolls_sealed() && bench.seen(100, 30).contains("[sealed]"));
    bench.press("<enter>fire<enter><enter>grena<enter>1t");
    assert!(screens(&bench.state).is_empty());
    assert!(bench.seen(100, 30).contains("it waits for Bert"), "{}", bench.seen(100, 30));
    update(&mut bert, Message::Changed);
    assert!(seen(&bert, 100, 30).contains("o reveals your link"), "{}", seen(&bert, 100, 30));
    press(&mut bert, "o");
    assert_eq!(screens(&bert), ["result"]);
    update(&mut bench.state, Message::Changed);
    assert_eq!(lines(&bench.state), lines(&bert));
    assert!(matches!(lines(&bert).last().unwrap().what, EventKind::Play(_)));
    assert!(
        bench.state.last.as_ref().is_some_and(|told| told.n == bert.last.as_ref().unwrap().n),
        "both are told"
    );
    // A call that no one answers is taken back.
    bench.press("<enter>rally<enter>tw");
    assert!(
        matches!(lines(&bench.state).last().unwrap().what, EventKind::Withdraw { .. }),
        "{:?}",
        bench.state.notice
    );
    adjutant_game::verify(
        std::sync::Arc::new(bert.table().pack().clone()),
        bench.state.table().lines(),
        None,
    )
    .unwrap();
}

#[test]
fn who_called_makes_the_roll_when_the_last_link_comes_by_itself() {
    let mut bench = panzer8_suppressed();
    let mut bert = bench.beside("Bert");
    bench.press("S<enter>");
    update(&mut bert, Message::Changed);
    press(&mut bert, "S<enter>");
    update(&mut bench.state, Message::Changed);
    bench.press("<enter>rally<enter>t");
    update(&mut bert, Message::Changed);
    let stamp = bert.stamp();
    crate::game::sealed::show_link(&mut bert.kept, &stamp).unwrap();
    update(&mut bench.state, Message::Changed);
    assert_eq!(screens(&bench.state), ["result"], "{:?}", bench.state.notice);
}

#[test]
fn a_log_that_was_cut_gets_no_second_link() {
    let mut bench = panzer8_suppressed();
    let mut bert = bench.beside("Bert");
    bench.press("S<enter>");
    update(&mut bert, Message::Changed);
    press(&mut bert, "S<enter>");
    update(&mut bench.state, Message::Changed);
    bench.press("<enter>rally<enter>t");
    let before: Vec<String> = bench.state.table().lines().map(str::to_owned).collect();
    update(&mut bert, Message::Changed);
    press(&mut bert, "o");
    assert_eq!(screens(&bert), ["result"]);
    // Another store has the log without Bert's link; there Anna takes the call back and calls
    // again.
    let mut forked = Game(Table::open(bert.table().pack().clone().into(), &before).unwrap());
    let withdraw = forked.0.withdraw_event().unwrap().with_mark(Some("ab".repeat(32)));
    let line = forked.0.act(&stamp("Anna"), withdraw).unwrap();
    forked.0.apply(&line.text).unwrap();
    let line = forked
        .0
        .call(
            &stamp("Anna"),
            &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
            &mut adjutant_dice::EnteredInput::new(),
        )
        .unwrap();
    forked.0.apply(&line.text).unwrap();
    let mut other = forked.bench("Bert");
    other.state.kept.sealed.clone_from(&bert.kept.sealed);
    other.press("o");
    assert!(
        !lines(&other.state)
            .iter()
            .any(|event| event.by == "Bert" && matches!(event.what, EventKind::Reveal { .. }))
    );
    let seen = other.seen(140, 40);
    assert!(seen.contains("cut or forked"), "{seen}");
    // Who has not the secrets of a player who rolls sealed does not sit down in that name either.
    assert!(crate::secrets::Secrets::may_sit(&other.state.kept, "Bert").is_ok());
    other.state.kept.sealed = Some(other.folder.path().join("sealed"));
    assert!(
        crate::secrets::Secrets::may_sit(&other.state.kept, "Bert")
            .unwrap_err()
            .to_string()
            .contains("not on this device")
    );
}

#[test]
fn a_ready_unit_fills_the_form_and_what_was_typed_stays() {
    let mut bench = Game::new("chain-reaction", "The farm", ["Patrol", "Enemy"], &[])
        .join("Anna", "Patrol")
        .bench("Anna");
    let ready = bench.state.table().pack().templates().first().unwrap().clone();
    let kinds = bench.state.table().pack().kinds().len();
    bench.press("a<up>");
    for _ in 0..kinds {
        bench.press("<right>");
    }
    bench.press("<enter>");
    let unit = bench.state.table().state().units.last().unwrap();
    assert_eq!((unit.name.as_str(), unit.kind), (ready.name.as_str(), ready.kind));
    for (place, value) in &ready.has {
        assert_eq!(unit.attributes[*place], Some(*value));
    }
}

#[test]
fn cards_are_taken_out_and_put_back_by_hand() {
    let mut bench = Game::new("combat-leader", "Night", ["Blue", "Red"], &[])
        .act(EventKind::Add(vec![unit("soldier", "Smith", "Blue", "", "")]))
        .join("Anna", "Blue")
        .bench("Anna");
    let left = |state: &crate::session::state::State| state.table().decks()[0].left;
    let all = left(&bench.state);
    bench.press("D<down><right><down>3, 4<enter>");
    assert_eq!(left(&bench.state), all - 2, "{:?}", bench.state.notice);
    bench.press("D<down><right><right><down>3<enter>");
    assert_eq!(left(&bench.state), all - 1, "{:?}", bench.state.notice);
    bench.press("D<down><right><down>x<enter>");
    assert!(bench.seen(100, 30).contains("is not a card's number"));
    bench.press("<esc>D<enter>");
    assert_eq!(left(&bench.state), all);
}
