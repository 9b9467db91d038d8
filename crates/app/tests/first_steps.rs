//! The first five minutes: a chart that can be rolled on the home screen, a sample game, charts
//! with example values, and the help page.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::Route;
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
    assert_eq!(stored, adjutant_app::WhoseMove::Side("Red".into()));
    assert!(on_card(&mut world).starts_with("Red to roll · "), "{}", said(&world, "main"));
    // One side is lost: the game is over.
    let mut world = common::table::suppressed();
    let out = serde_json::json!({ "roster": { "status": { "unit": "u3", "status": "lost", "on": true } } });
    common::table::table(&mut world, out);
    assert!(on_card(&mut world).starts_with("Over · "), "{}", said(&world, "main"));
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
