//! The first five minutes: a chart that can be rolled on the home screen, a sample game, charts
//! with example values, and the help page.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{Message, Reply, Route, TableCard};
use common::table::{said, verified};
use common::{Store, World};

#[test]
fn one_tap_at_home_gives_an_explained_result() {
    let mut world = World::at("");
    assert!(!world.region("main").contains("\"roll\""), "the first frame does not wait for a pack");
    world.run_soon(20);
    assert!(world.region("main").contains("odds-bar"), "{}", world.region("main"));
    world.press("\"demo\":\"roll\"");
    let shown = said(&world, "main");
    assert!(shown.contains("on the dice") && shown.contains("total"), "{shown}");
    assert_eq!(*world.route(), Route::Home);
    // A modifier can be tried, and the address stays.
    world.press("\"demo\":{\"form\":{\"give\"");
    assert_eq!(*world.route(), Route::Home);
    assert!(!said(&world, "main").contains("on the dice"), "the result was for other inputs");
}

#[test]
fn one_tap_starts_a_sample_game_with_units_on_both_sides() {
    let mut world = World::at("");
    world.press("\"sample\"");
    assert!(matches!(world.route(), Route::Table(_)), "{:?}", world.route());
    let board = said(&world, "t-board");
    assert!(board.contains("Tank") && board.contains("Grenadiers 1"), "{board}");
    verified(&world, "panzer8");
}

#[test]
fn three_hints_lead_to_the_first_roll_and_the_list_tells_how_far_a_game_is() {
    let mut world = World::at("");
    assert!(said(&world, "main").contains("Your games will be here"));
    world.press("\"sample\"");
    let hint = |world: &World| said(world, "t-play");
    assert!(hint(&world).contains("1 of 3: Tap one of your units"), "{}", hint(&world));
    common::table::play(&mut world, serde_json::json!({ "touch": "u3" }));
    assert!(hint(&world).contains("2 of 3: Tap its target"), "{}", hint(&world));
    common::table::play(&mut world, serde_json::json!({ "touch": "u8" }));
    assert!(hint(&world).contains("3 of 3:"), "{}", hint(&world));
    common::table::play(&mut world, serde_json::json!("roll"));
    assert!(!hint(&world).contains("of 3:"), "{}", hint(&world));
    world.go("#/");
    let shown = said(&world, "main");
    assert!(shown.contains("Panzer8 · Turn 1 · on this device"), "{shown}");
    assert!(shown.contains("Any side may act · just now"), "{shown}");
}

/// The move and the time on the card of the only game.
fn on_card(world: &mut World) -> String {
    world.go("#/");
    let shown = said(world, "main");
    let card = shown.split("on this device").nth(1).unwrap_or_else(|| panic!("{shown}"));
    card.trim_start().chars().take(40).collect()
}

#[test]
fn the_list_of_games_says_whose_move_it_is() {
    // The sheet runs the enemy, so every move is the player's.
    let mut world = common::table::started("chain-reaction", "solo");
    assert!(on_card(&mut world).starts_with("Your move · "), "{}", said(&world, "main"));
    // Two sides on one device: the side with a test to roll is named.
    let mut world = common::table::suppressed();
    let route = world.route().to_string();
    assert!(on_card(&mut world).starts_with("Any side may act · "), "{}", said(&world, "main"));
    world.go(&route);
    common::table::play(&mut world, serde_json::json!({ "phase": "" }));
    // It is stored before the player leaves: the window may be closed.
    let stored = world.cards.values().next().unwrap().next.clone();
    assert_eq!(stored, adjutant_game::WhoseMove::Side("Red".into()));
    assert!(on_card(&mut world).starts_with("Red to roll · "), "{}", said(&world, "main"));
    // One side is lost: the game is over.
    let mut world = common::table::suppressed();
    let out = serde_json::json!({ "roster": { "status": { "unit": "u3", "status": "lost", "on": true } } });
    common::table::table(&mut world, out);
    assert!(on_card(&mut world).starts_with("Over · "), "{}", said(&world, "main"));
}

#[test]
fn the_server_is_asked_how_far_shared_games_are() {
    let card = TableCard {
        id: "h".into(),
        name: "Hill 112".into(),
        pack: "panzer8".into(),
        at: "2026-11-16T03:00:00Z".into(),
        token: "token".into(),
        turn: 2,
        next: adjutant_game::WhoseMove::Yours,
        ..TableCard::default()
    };
    let mut world = World { holds_calls: true, ..World::default() };
    world.cards.insert("h".into(), card);
    world.start("#/");
    assert!(world.calls.is_empty(), "there is no server yet");
    // Others may have played on: what this device saw is told as the past.
    let old = said(&world, "main");
    assert!(old.contains("Turn 2 · shared Your move when last seen"), "{old}");
    assert!(!world.region("main").contains("data-yours"));
    world.send(Message::HasServer(true));
    let asked = |world: &mut World| {
        let place = world.calls.iter().position(|(_, call)| call.path == "api/games/h");
        world.calls.remove(place.unwrap_or_else(|| panic!("{:?}", world.calls)))
    };
    let (to, call) = asked(&mut world);
    assert!(call.token == "token" && call.limit.is_some(), "{call:?}");
    let body = serde_json::json!({ "you": "Anna", "turn": 5, "next": "yours", "changed": "2026-11-16T04:00:00Z" });
    world.send(Message::Reply { to, reply: Reply::Http { status: 200, body: body.to_string() } });
    let now = said(&world, "main");
    assert!(now.contains("Turn 5 · shared Your move · just now"), "{now}");
    assert!(world.region("main").contains("data-yours"));
    // It is asked again with every visit. No answer in time, or one that says nothing: the past.
    for reply in [
        Reply::Failed("TimeoutError".into()),
        Reply::Http { status: 404, body: "{}".into() },
        Reply::Http { status: 200, body: "<html>".into() },
    ] {
        world.go("#/help");
        world.go("#/");
        let (to, _) = asked(&mut world);
        world.send(Message::Reply { to, reply });
        assert!(said(&world, "main").contains("when last seen"), "{}", said(&world, "main"));
        assert!(world.app.shared().notice.is_none(), "quietly");
    }
    world.send(Message::Online(false));
    world.go("#/help");
    world.go("#/");
    assert!(world.calls.iter().all(|(_, call)| call.path != "api/games/h"), "offline");
}

#[test]
fn a_sample_game_that_cannot_be_stored_is_told_and_can_be_tried_again() {
    let mut world = World::at("");
    world.store = Store::Full;
    world.press("\"sample\"");
    assert_eq!(*world.route(), Route::Home);
    assert!(said(&world, "notice").contains("storage"), "{}", said(&world, "notice"));
    world.store = Store::Keeps;
    world.press("\"sample\"");
    assert!(matches!(world.route(), Route::Table(_)));
}

#[test]
fn a_chart_to_try_has_examples_so_that_the_first_tap_can_be_roll() {
    for chart in ["panzer8/fire", "panzer8/rally", "asl-starter-kit/close-combat"] {
        let mut world = World::at(&format!("#/chart/{chart}"));
        assert!(world.region("odds").contains("odds-row"), "{chart}: {}", world.region("odds"));
        world.press("\"chart\":\"roll\"");
        assert!(world.region("out").contains("class=\""), "{chart}");
    }
    let mut world = World::at("#/chart/panzer8/fire");
    assert!(said(&world, "form").contains("The values are examples"));
    world.press("\"give\":[\"close\"");
    assert!(!said(&world, "form").contains("The values are examples"));
    // An address with values has no examples.
    let world = World::at("#/chart/panzer8/fire?ammo=hesa");
    assert!(said(&world, "odds").contains("Odds need these inputs"), "{}", said(&world, "odds"));
}

#[test]
fn help_lists_the_keys() {
    let world = World::at("#/help");
    let shown = said(&world, "main");
    assert!(shown.contains("Ctrl+Z") && shown.contains("Undo"), "{shown}");
    assert!(world.region("top").contains("data-key=\"?\""));
}

#[test]
fn the_hint_names_a_target_on_the_other_side_whichever_unit_was_tapped() {
    for (unit, target) in [("u1", "Grenadiers 1"), ("u5", "Rifles 1")] {
        let mut world = World::at("");
        world.press("\"sample\"");
        common::table::play(&mut world, serde_json::json!({ "touch": unit }));
        let shown = said(&world, "t-play");
        assert!(shown.contains(&format!("Tap its target, such as {target}.")), "{unit}: {shown}");
    }
}
