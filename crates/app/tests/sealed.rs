//! Sealed rolls at a table that a server keeps: they need no player's finger, no link is shown
//! twice, and a log that was cut is noticed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{HttpCall, Message, Reply, StreamEvent};
use adjutant_dice::EnteredInput;
use adjutant_game::{Chains, EventKind, PlayRequest};
use adjutant_wording::en;
use common::World;
use common::server::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// An event with the mark of a player whose chains the browser stores.
fn marked(server: &Server, player: &Player, name: &str, what: EventKind) -> EventKind {
    let chains: Chains = serde_json::from_str(&player.world.kept["chain:t"]).unwrap();
    chains.sign(&server.table, name, what).unwrap()
}

#[test]
fn sealed_rolls_need_no_finger_and_are_verified() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    // Every device draws its own luck.
    bob.world.ticks += 1000;
    anna.table(json!({ "more": "seal" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.table(json!({ "more": "seal" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.rolls_sealed());
    assert!(
        anna.world.kept.contains_key("chain:t"),
        "the chain is kept before its end is published"
    );
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let log = en::log(&server.table).unwrap();
    assert!(log.last().unwrap().text.contains("Sealed dice"), "{log:#?}");
    assert!(anna.world.region("t-play").contains("sealed · verified"));
    assert!(bob.world.region("t-log").contains("sealed · verified"));
    let pack = Arc::new(
        adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap(),
    );
    adjutant_game::verify(pack, server.table.lines(), None).unwrap();
}

#[test]
fn a_chain_that_an_opponent_has_burnt_is_replaced() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for player in [&mut anna, &mut bob] {
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
        // A second press changes nothing.
        player.streams(&server);
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    // Every call uses up a link of every chain, also one that is taken back at once.
    for _ in 0..500 {
        let line = server
            .table
            .call(
                &stamp("Bob"),
                &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
                &mut EnteredInput::new(),
            )
            .unwrap();
        server.table.apply(&line.text).unwrap();
        let withdraw = marked(&server, &bob, "Bob", server.table.withdraw_event().unwrap());
        server.act("Bob", withdraw).unwrap();
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.sealed_circle().iter().all(|member| member.left() == 0));
    for player in [&mut anna, &mut bob] {
        player.world.ticks += 7;
        player.table(json!({ "more": "seal" }));
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(
        server.table.sealed_circle().iter().all(|member| member.left() == 500),
        "{:?}",
        en::log(&server.table).unwrap().last()
    );
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Sealed dice"));
    let pack = Arc::new(
        adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap(),
    );
    adjutant_game::verify(pack, server.table.lines(), None).unwrap();
}

#[test]
fn a_sealed_roll_goes_on_also_when_the_stream_is_faster_than_the_answer() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    // Both seal at once; neither is too late.
    anna.table(json!({ "more": "seal" }));
    bob.table(json!({ "more": "seal" }));
    for player in [&mut anna, &mut bob] {
        player.calls_after_stream(&mut server);
    }
    assert!(server.table.rolls_sealed());
    anna.streams(&server);
    rally(&mut anna, "u1");
    for _ in 0..8 {
        for player in [&mut anna, &mut bob] {
            player.calls_after_stream(&mut server);
            player.streams(&server);
        }
    }
    assert!(
        anna.world.region("t-play").contains("sealed · verified"),
        "{:#?}",
        en::log(&server.table)
    );
    assert!(bob.world.region("t-play").contains("sealed · verified"));
}

/// Two players whose rolls are sealed.
fn two_who_roll_sealed() -> (Server, Player, Player) {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for player in [&mut anna, &mut bob] {
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
        player.streams(&server);
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    (server, anna, bob)
}

/// Two players whose rolls are sealed. Anna has called a roll and shown her link; Bob's link is on its way.
fn bobs_link_on_its_way() -> (Server, Player, Player) {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for who in 0..2 {
        if who == 0 { &mut anna } else { &mut bob }.table(json!({ "more": "seal" }));
        settle(&mut server, &mut [&mut anna, &mut bob]);
    }
    rally(&mut anna, "u1");
    for _ in 0..4 {
        anna.calls(&mut server);
        anna.streams(&server);
    }
    bob.streams(&server);
    // Bob's page shows its link for the call, and again for the line that came after it.
    while server.links_of("Bob") == 0
        && bob.world.calls.first().is_some_and(|(_, call)| stale(&server, call))
    {
        bob.answered_once(&mut server);
    }
    assert!(
        bob.world.calls.first().is_some_and(|(_, call)| call.body.contains("reveal")),
        "{:?}",
        bob.world.calls
    );
    (server, anna, bob)
}

fn stale(server: &Server, call: &HttpCall) -> bool {
    let body: Value = serde_json::from_str(&call.body).unwrap_or_default();
    body["after"].as_u64() != Some(server.table.lines().len() as u64)
}

#[test]
fn a_log_that_was_cut_gets_no_second_link() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    let before = server.table.lines().len();
    // The link arrives, Anna looks what comes of it, and the line is taken out of the log.
    let reply_to = bob.loses(&mut server, true);
    server.cut(before);
    bob.fails(reply_to);
    anna.table(json!({ "more": "withdraw" }));
    anna.calls(&mut server);
    anna.streams(&server);
    rally(&mut anna, "u1");
    anna.calls(&mut server);
    anna.streams(&server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.world.run_later();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 0, "{:#?}", en::log(&server.table));
    assert!(bob.world.region("t-head").contains("cut or forked"), "{}", bob.world.region("t-head"));
    assert!(bob.world.region("t-head").contains("Accept this log"));
    // Loaded again, it is the same; also where the copy of the log on this device is gone.
    for lines in [bob.world.lines.clone(), std::collections::BTreeMap::default()] {
        let world = World {
            holds_calls: true,
            cards: bob.world.cards.clone(),
            kept: bob.world.kept.clone(),
            lines,
            ..World::default()
        };
        let mut again = Player { world, seen: server.table.lines().len(), opened: false };
        again.world.start("#/game/t");
        again.calls(&mut server);
        again.table_event(StreamEvent::Open);
        again.streams(&server);
        again.calls(&mut server);
        assert_eq!(server.links_of("Bob"), 0);
        assert!(again.world.region("t-head").contains("cut or forked"), "{}", again.world.html());
    }
    // Nor does Bob call a roll that he would show no link for.
    anna.table(json!({ "more": "withdraw" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let lines = server.table.lines().len();
    rally(&mut bob, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.table.lines().len(), lines);
    // He may accept the log as it is: that stands in it, and the game goes on.
    bob.world.press("accept_cut");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(
        en::log(&server.table)
            .unwrap()
            .last()
            .unwrap()
            .text
            .contains("Bob ends one chain and seals another")
    );
    assert!(
        !bob.world.region("t-head").contains("cut or forked"),
        "{}",
        bob.world.region("t-head")
    );
    rally(&mut bob, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Sealed dice"));
    adjutant_game::verify(pack(), server.table.lines(), None).unwrap();
}

#[test]
fn a_window_that_slept_does_not_show_what_another_has_shown() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    let before = server.table.lines().len();
    let world = World {
        holds_calls: true,
        cards: bob.world.cards.clone(),
        kept: bob.world.kept.clone(),
        lines: bob.world.lines.clone(),
        ..World::default()
    };
    let mut other = Player { world, seen: before, opened: false };
    // The other window was opened before the link was shown.
    other.world.kept.insert("chain:t".into(), older(&bob));
    other.world.start("#/game/t");
    other.calls(&mut server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 1);
    // Both windows have one store. The log is cut, and the window that slept gets a call that goes
    // another way.
    other.world.kept.clone_from(&bob.world.kept);
    server.cut(before);
    let withdraw = marked(&server, &anna, "Anna", server.table.withdraw_event().unwrap());
    server.act("Anna", withdraw).unwrap();
    let line = server
        .table
        .call(
            &stamp("Anna"),
            &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u2") },
            &mut EnteredInput::new(),
        )
        .unwrap();
    server.table.apply(&line.text).unwrap();
    other.table_event(StreamEvent::Open);
    other.streams(&server);
    other.calls(&mut server);
    assert_eq!(server.links_of("Bob"), 0);
    assert!(
        other.world.region("t-head").contains("cut or forked"),
        "{}",
        other.world.region("t-head")
    );
}

#[test]
fn chains_that_older_pages_kept_are_read() {
    for old in [false, true] {
        let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
        settle(&mut server, &mut [&mut anna, &mut bob]);
        let kept: Value = serde_json::from_str(&bob.world.kept["chain:t"]).unwrap();
        let text = if old { kept["chains"][0].to_string() } else { kept["chains"].to_string() };
        let mut world = World {
            holds_calls: true,
            cards: bob.world.cards.clone(),
            lines: bob.world.lines.clone(),
            ..World::default()
        };
        world.kept.insert("chain:t".into(), text);
        let mut again = Player { world, seen: server.table.lines().len(), opened: false };
        again.world.start("#/game/t");
        again.calls(&mut server);
        again.table_event(StreamEvent::Open);
        rally(&mut anna, "u2");
        settle(&mut server, &mut [&mut anna, &mut again]);
        assert_eq!(server.links_of("Bob"), 2, "{:#?}", en::log(&server.table));
    }
}

/// Anna calls a roll, shows her link and withdraws the call.
fn anna_rolls_and_withdraws(server: &mut Server, anna: &mut Player) {
    rally(anna, "u1");
    for _ in 0..4 {
        anna.calls(server);
        anna.streams(server);
    }
    assert!(server.table.open_call().is_some());
    anna.table(json!({ "more": "withdraw" }));
    anna.calls(server);
    anna.streams(server);
    assert!(server.table.open_call().is_none());
}

/// The same browser after a reload, with the copy of the log that it had.
fn returns(player: &Player) -> Player {
    let world = World {
        holds_calls: true,
        cards: player.world.cards.clone(),
        kept: player.world.kept.clone(),
        lines: player.world.lines.clone(),
        ticks: 5000,
        ..World::default()
    };
    let mut again = Player { world, seen: player.seen, opened: false };
    again.world.start("#/game/t");
    again
}

#[test]
fn a_roll_withdrawn_while_a_player_was_away_is_told_and_is_no_alarm() {
    for (closed, slow) in [(true, false), (true, true), (false, false), (false, true)] {
        let (mut server, mut anna, mut bob) = two_who_roll_sealed();
        if !closed {
            bob.table_event(StreamEvent::Lost);
        }
        anna_rolls_and_withdraws(&mut server, &mut anna);
        let mut bob = if closed { returns(&bob) } else { bob };
        // A browser stores after the script has gone on.
        bob.world.holds_replaced = slow;
        bob.table_event(StreamEvent::Open);
        bob.calls(&mut server);
        bob.streams(&server);
        assert!(bob.world.calls.is_empty(), "no link for an old call: {:?}", bob.world.calls);
        bob.world.replace();
        bob.world.holds_replaced = false;
        settle(&mut server, &mut [&mut anna, &mut bob]);
        bob.world.run_later();
        let html = bob.world.html();
        assert!(!html.contains("cut or forked"), "{html}");
        assert!(html.contains("Anna withdrew a roll while you were away."), "{html}");
        // It is told once, and the game goes on with the same chains.
        bob.table(json!({ "tab": "log" }));
        assert!(!bob.world.html().contains("while you were away"));
        rally(&mut anna, "u1");
        settle(&mut server, &mut [&mut anna, &mut bob]);
        assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Sealed dice"));
        adjutant_game::verify(pack(), server.table.lines(), None).unwrap();
    }
}

#[test]
fn a_roll_withdrawn_while_the_link_is_being_stored_is_no_alarm() {
    let (mut server, mut anna, mut bob) = two_who_roll_sealed();
    bob.world.holds_replaced = true;
    rally(&mut anna, "u1");
    for _ in 0..4 {
        anna.calls(&mut server);
        anna.streams(&server);
        bob.streams(&server);
    }
    assert!(!bob.world.replaced.is_empty() && bob.world.calls.is_empty());
    anna.table(json!({ "more": "withdraw" }));
    anna.calls(&mut server);
    bob.streams(&server);
    assert!(!bob.world.html().contains("cut or forked"), "the link has not left the device");
    bob.world.holds_replaced = false;
    bob.world.replace();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(!bob.world.html().contains("cut or forked"), "{}", bob.world.html());
    assert_eq!(server.links_of("Bob"), 0);
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 1);
}

/// What the browser kept before the last link was shown.
fn older(player: &Player) -> String {
    let mut stored = player.world.told.iter().filter_map(|command| match command {
        adjutant_app::Command::ReplaceValue { before, .. } => before.clone(),
        _ => None,
    });
    stored.next_back().unwrap()
}

#[test]
fn a_link_is_sent_again_when_the_connection_returns() {
    for (arrives, answered) in [(false, true), (true, true), (false, false), (true, false)] {
        let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
        // The connection is back before the browser tells that the link was not sent; or it never
        // tells.
        let reply_to = bob.loses(&mut server, arrives);
        bob.table_event(StreamEvent::Lost);
        bob.table_event(StreamEvent::Open);
        if answered {
            bob.fails(reply_to);
            assert!(
                !bob.world.region("t-head").contains("did not answer"),
                "the page sends it again by itself"
            );
        }
        bob.world.run_later();
        settle(&mut server, &mut [&mut anna, &mut bob]);
        assert_eq!(server.links_of("Bob"), 1);
        for player in [&anna, &bob] {
            assert!(
                player.world.region("t-play").contains("sealed · verified"),
                "{arrives} {answered}: {:#?}",
                en::log(&server.table)
            );
        }
        adjutant_game::verify(pack(), server.table.lines(), None).unwrap();
    }
}

#[test]
fn a_table_that_was_left_and_opened_again_has_its_chain() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.world.go("#/game/another");
    bob.world.go("#/game/t");
    bob.calls(&mut server);
    bob.table_event(StreamEvent::Open);
    rally(&mut anna, "u2");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 2, "{:#?}", en::log(&server.table));
    assert!(server.table.open_call().is_none());
}

#[test]
fn a_link_is_sent_again_while_the_server_is_busy() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    for failure in 0..3 {
        let reply_to = bob.loses(&mut server, false);
        match failure {
            // The stream goes on; only this did not get through.
            0 => bob.fails(reply_to),
            _ => bob.world.send(Message::Reply {
                to: reply_to,
                reply: Reply::Http { status: 503, body: String::new() },
            }),
        }
        assert!(bob.world.calls.is_empty(), "not at once");
        assert_eq!(bob.world.later.len(), 1);
        bob.world.run_later();
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(
        bob.world.region("t-play").contains("sealed · verified"),
        "{:#?}",
        en::log(&server.table)
    );
    // Who called was offline when the roll was to be made.
    rally(&mut anna, "u2");
    for _ in 0..3 {
        for player in [&mut anna, &mut bob] {
            while player.world.calls.first().is_some_and(|(_, call)| !call.path.ends_with("/play"))
            {
                player.answered_once(&mut server);
            }
            player.streams(&server);
        }
    }
    let reply_to = anna.loses(&mut server, false);
    anna.table_event(StreamEvent::Lost);
    anna.table_event(StreamEvent::Open);
    anna.fails(reply_to);
    anna.world.run_later();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.open_call().is_none(), "{:#?}", en::log(&server.table));
}

#[test]
fn the_page_says_the_rules_before_a_player_joins_and_offers_a_closing_seal() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    let more = |player: &mut Player| {
        player.table(json!({ "tab": "more" }));
        player.world.region("t-more").to_owned()
    };
    let text = more(&mut anna);
    assert!(text.contains("who may take back what"), "{text}");
    assert!(text.contains("only with the consent of every other member"), "{text}");
    anna.table(json!({ "more": { "seal_with": "stands" } }));
    anna.calls(&mut server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let text = more(&mut bob);
    assert!(text.contains("a call stands once a link is shown"), "{text}");
    bob.table(json!({ "more": "seal" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.rolls_sealed());
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.table.confirmed(), Some(0));
    let text = more(&mut anna);
    assert!(text.contains("Anna: 1 call"), "{text}");
    assert!(text.contains("End of the evening"), "{text}");
    for player in [&mut anna, &mut bob] {
        player.world.ticks += 13;
        player.table(json!({ "more": "close" }));
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.confirmed().unwrap() > 0);
    let text = more(&mut anna);
    assert!(text.contains("confirmed the log up to event"), "{text}");
}

#[test]
fn a_restored_backup_of_the_browser_shows_no_further_link() {
    let (mut server, mut anna, mut bob) = two_who_roll_sealed();
    let backup = bob.world.kept.clone();
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 1);
    bob.world.kept = backup;
    bob.world.start("#/game/t");
    bob.calls(&mut server);
    bob.table_event(StreamEvent::Open);
    bob.streams(&server);
    rally(&mut anna, "u2");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.open_call().is_some(), "{:#?}", en::log(&server.table));
    assert_eq!(server.links_of("Bob"), 1);
    let head = bob.world.region("t-head");
    assert!(head.contains("this device does not remember"), "{head}");
}

#[test]
fn a_line_forged_in_the_players_name_stops_the_device() {
    let (mut server, mut anna, mut bob) = two_who_roll_sealed();
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    anna.table(json!({ "log": { "ask_consent": "undo" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let ask = server.table.asked().unwrap().n;
    let plain = EventKind::Consent { ask, yes: true, mark: None };
    assert!(server.act("Bob", plain).unwrap_err().contains("no mark of Bob"));
    server.act("Bob", EventKind::Consent { ask, yes: true, mark: Some("ab".repeat(32)) }).unwrap();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    rally(&mut anna, "u2");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 1, "no second link");
    let head = bob.world.region("t-head");
    assert!(head.contains("this device did not make it"), "{head}");
}

#[test]
fn in_a_sealed_circle_the_device_of_the_player_who_asked_carries_it_out() {
    let (mut server, mut anna, mut bob) = two_who_roll_sealed();
    assert!(server.table.rolls_sealed());
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    anna.table(json!({ "log": { "ask_consent": "undo" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.table(json!({ "log": { "consent": true } }));
    bob.calls(&mut server);
    assert!(server.table.asked().is_some(), "the server makes no line in Anna's name");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(bob.world.region("t-log").contains("entry-undone"), "{}", bob.world.region("t-log"));
    anna.table(json!({ "more": { "release": "Bob" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.asked().is_some() && server.table.rolls_sealed());
    bob.table(json!({ "log": { "consent": true } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    // Each confirms it with a new chain; only then is the release made.
    assert!(server.table.rolls_sealed());
    for player in [&mut anna, &mut bob] {
        assert!(player.world.region("t-play").contains("Confirm with a new chain"));
        player.world.ticks += 11;
        player.table(json!({ "more": "close" }));
        player.calls(&mut server);
        player.streams(&server);
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(!server.table.rolls_sealed(), "{:?}", en::log(&server.table).unwrap().last());
}
