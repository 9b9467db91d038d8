//! Rolls at a table of this browser: who takes part, real dice and cards, going back, questions on
//! the way.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::table::*;
use common::{Store, World};
use serde_json::json;

#[test]
fn fire_with_a_unit_on_a_unit() {
    let mut world = started("panzer8", "first-game");
    table(&mut world, json!({ "roster": { "show_unit": "u3" } }));
    world.press("\"chart\":\"fire\",\"role\":\"firer\",\"unit\":\"u3\"");
    assert!(world.region("t-play").contains("role-waits"));
    assert!(large(&world).is_none());
    world.press("\"pick\":[\"target\",\"u5\"]");
    // What the units know is filled in; what is left is asked, with the odds at once.
    assert!(world.region("t-play").contains("from Tank"));
    world.press("\"give\":[\"ammo\",\"hesa\"]");
    assert!(world.region("t-play").contains("odds-bar"), "{}", world.region("t-play"));
    play(&mut world, json!("own_dice"));
    play(&mut world, json!({ "answer": { "face": 10 } }));
    play(&mut world, json!({ "answer": { "face": 1 } }));
    let html = world.region("t-play");
    assert!(html.contains("result-line") && html.contains("Grenadiers 1"), "{html}");
    assert!(world.region("t-log").contains("real dice"));
    verified(&world, "panzer8");
}

#[test]
fn what_a_status_rules_out_is_refused_before_the_roll_and_can_be_allowed() {
    let mut world = started("panzer8", "first-game");
    table(
        &mut world,
        json!({ "roster": { "status": { "unit": "u3", "status": "out_of_action", "on": true } } }),
    );
    table(
        &mut world,
        json!({ "roster": { "status": { "unit": "u1", "status": "suppressed", "on": true } } }),
    );
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u3" } }),
    );
    assert!(
        world.region("t-play").contains("“Out of Action” rules out Recover or rally"),
        "{}",
        world.region("t-play")
    );
    assert!(large(&world).is_none(), "nothing is rolled before it is allowed");
    world.press("\"play\":\"allow\"");
    assert!(
        world.region("t-play").contains("Allowed although it is ruled out"),
        "{}",
        world.region("t-play")
    );
    assert!(large(&world).is_some());
    // What was allowed was allowed for this unit.
    world.press("\"pick\":[\"element\",\"u3\"]");
    let html = world.region("t-play");
    let (offered, ruled_out) = html.split_once("Ruled out").expect("a list of them");
    assert!(offered.contains("\"pick\":[\"element\",\"u1\"]".replace('"', "&quot;").as_str()));
    assert!(ruled_out.contains("\"pick\":[\"element\",\"u3\"]".replace('"', "&quot;").as_str()));
    world.press("\"pick\":[\"element\",\"u3\"]");
    assert!(large(&world).is_none());
    world.press("\"play\":\"allow\"");
    play(&mut world, json!("roll"));
    assert!(world.region("t-log").contains("Allowed anyway: "), "{}", world.region("t-log"));
    assert_eq!(verified(&world, "panzer8").state().anyway.len(), 1);
}

#[test]
fn a_store_that_is_full_loses_no_die() {
    let mut world = started("panzer8", "first-game");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    world.store = Store::Full;
    play(&mut world, json!("roll"));
    assert!(world.region("t-head").contains("storage is full"), "{}", world.region("t-head"));
    assert_eq!(lines(&world).len(), 3);
    assert!(world.region("t-play").contains("Dice have been rolled"));
    world.store = Store::Keeps;
    play(&mut world, json!("roll"));
    assert_eq!(lines(&world).len(), 4);
    verified(&world, "panzer8");
}

#[test]
fn a_card_is_played_when_it_is_sent_and_not_when_its_field_is_left() {
    let mut world = started("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    play(&mut world, json!("own_dice"));
    let html = world.region("t-play");
    let field = html.split("id=\"card-number\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(!field.contains("data-do"), "{field}");
    assert!(html.contains("<form class=\"ask-card\"") && html.contains("Use this card"), "{html}");
    let before = lines(&world).len();
    world.type_in("\"answer\":{\"card\":", "4");
    assert_eq!(lines(&world).len(), before + 1);
}

#[test]
fn a_mistyped_die_is_taken_back_until_the_roll_is_done() {
    let mut world = started("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "fire", "role": "firer", "unit": "u1" } }));
    play(&mut world, json!({ "pick": ["target", "u5"] }));
    play(&mut world, json!({ "form": { "give": ["ammo", "hesa"] } }));
    play(&mut world, json!("own_dice"));
    let first = said(&world, "t-play");
    world.press("\"answer\":{\"face\":4}");
    // What lies there is shown, and can be taken back.
    assert!(said(&world, "t-play").contains("Firer 1d10"), "{}", said(&world, "t-play"));
    assert!(said(&world, "t-play").contains("Go back one step"), "{}", said(&world, "t-play"));
    world.press("\"answer\":\"back\"");
    assert_eq!(said(&world, "t-play"), first, "the first die is asked for again");
    world.press("\"answer\":{\"face\":10}");
    world.press("\"answer\":{\"face\":1}");
    let line = lines(&world).last().unwrap();
    assert!(line.contains("[10]") && line.contains("[1]") && !line.contains("[4]"), "{line}");
    verified(&world, "panzer8");
}

#[test]
fn of_several_dice_only_the_last_is_tapped_again() {
    let mut world = started("chain-reaction", "two-sides");
    for name in ["Anna", "Boris"] {
        let fields = json!({ "side": "First side", "kind": "figure", "name": name, "group": "", "count": "1" });
        table(&mut world, json!({ "roster": { "add": fields } }));
    }
    play(&mut world, json!({ "open_chart": { "chart": "in-sight" } }));
    for unit in ["u1", "u2"] {
        play(&mut world, json!({ "pick": ["figure", unit] }));
        play(&mut world, json!({ "form": { "give": [format!("figure.{unit}.rep"), "4"] } }));
    }
    play(&mut world, json!("own_dice"));
    for face in [6, 5, 4, 3] {
        play(&mut world, json!({ "answer": { "face": face } }));
    }
    assert!(said(&world, "t-play").contains("Roll 4d6 Boris"), "{}", said(&world, "t-play"));
    world.press("\"answer\":\"back\"");
    assert!(
        said(&world, "t-play").contains("Roll 4d6 Anna")
            && said(&world, "t-play").contains("face 4 of 4"),
        "{}",
        said(&world, "t-play")
    );
    play(&mut world, json!({ "answer": { "face": 1 } }));
    for _ in 0..4 {
        play(&mut world, json!({ "answer": { "face": 2 } }));
    }
    assert!(
        lines(&world).last().unwrap().contains("[6,5,4,1]"),
        "{}",
        lines(&world).last().unwrap()
    );
}

#[test]
fn dice_of_the_program_are_not_taken_back() {
    let mut world = started("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    // Draws until a Jam card comes.
    for _ in 0..200 {
        play(&mut world, json!("roll"));
        if world.region("t-play").contains("Does the weapon jam?") {
            break;
        }
        play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
        play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
        play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    }
    let asked = said(&world, "t-play");
    assert!(asked.contains("Does the weapon jam?"), "{asked}");
    play(&mut world, json!({ "answer": "back" }));
    assert_eq!(said(&world, "t-play"), asked);
}

#[test]
fn a_jam_question_shows_its_card_and_a_shuffle_card_is_told() {
    let mut world = started("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    play(&mut world, json!("own_dice"));
    play(&mut world, json!({ "answer": { "card": "57" } }));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Shuffle card: deck reshuffled, draw again."), "{shown}");
    play(&mut world, json!({ "answer": { "card": "53" } }));
    let shown = said(&world, "t-play");
    assert!(
        shown.contains("Does the weapon jam?")
            && shown.contains("card 53")
            && shown.contains("Jam card"),
        "{shown}"
    );
    assert!(
        shown.contains("A card has been drawn") && !shown.contains("Dice have been rolled"),
        "{shown}"
    );
    assert!(!shown.contains("draw again."), "that is over: {shown}");
    play(&mut world, json!({ "answer": { "text": "no" } }));
    assert!(said(&world, "t-play").contains("Jam card: draw again."), "{}", said(&world, "t-play"));
    // A card that was mistyped is taken back, too: the answer, then the card.
    world.press("\"answer\":\"back\"");
    assert!(said(&world, "t-play").contains("Does the weapon jam?"));
    world.press("\"answer\":\"back\"");
    assert!(said(&world, "t-play").contains("Draw your card"), "{}", said(&world, "t-play"));
    play(&mut world, json!({ "answer": { "card": "4" } }));
    verified(&world, "combat-leader");
}

#[test]
fn a_roll_that_has_started_lies_there_after_a_reload() {
    let mut world = started("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    play(&mut world, json!("own_dice"));
    play(&mut world, json!({ "answer": { "card": "53" } }));
    assert!(world.region("t-play").contains("Does the weapon jam?"), "{}", world.region("t-play"));
    let before = lines(&world).len();
    // Loaded again: the card lies, the question is asked, and the form stays shut.
    let id = world.cards.keys().next().unwrap().clone();
    let mut again = World {
        cards: world.cards.clone(),
        lines: world.lines.clone(),
        kept: world.kept.clone(),
        ..World::default()
    };
    again.start(&format!("#/game/{id}"));
    assert!(again.region("t-play").contains("Does the weapon jam?"), "{}", again.region("t-play"));
    assert!(again.region("t-play").contains("disabled"));
    let answers = in_region(&again, "t-play");
    let yes = answers.iter().find(|message| message.contains("\"answer\"")).unwrap().clone();
    again.send(serde_json::from_str(&yes).unwrap());
    if lines(&again).len() == before {
        play(&mut again, json!({ "answer": { "card": "4" } }));
    }
    assert_eq!(lines(&again).len(), before + 1, "{}", again.region("t-play"));
    assert!(lines(&again).last().unwrap().contains("53"), "the card that was seen counts");
    assert!(
        again.kept.keys().all(|key| !key.starts_with("roll:")),
        "what is done is kept as a line"
    );
    verified(&again, "combat-leader");
}

#[test]
fn own_dice_can_be_left_as_long_as_none_lies() {
    let mut world = started("panzer8", "first-game");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    play(&mut world, json!({ "form": { "give": ["lost", "3"] } }));
    let before = said(&world, "t-act");
    play(&mut world, json!("own_dice"));
    assert!(said(&world, "t-play").contains("Roll 1d10"), "{}", said(&world, "t-play"));
    world.press("\"answer\":\"back\"");
    assert!(!world.region("t-play").contains("class=\"ask\""));
    assert_eq!(said(&world, "t-act"), before);

    // Once a die lies the roll cannot be left; going back asks for that die again.
    play(&mut world, json!({ "open_chart": { "chart": "fire", "role": "firer", "unit": "u1" } }));
    play(&mut world, json!({ "pick": ["target", "u5"] }));
    play(&mut world, json!({ "form": { "give": ["ammo", "hesa"] } }));
    play(&mut world, json!("own_dice"));
    world.press("\"answer\":{\"face\":4}");
    assert!(!said(&world, "t-play").contains("Not now"), "{}", said(&world, "t-play"));
    let asked = said(&world, "t-play");
    play(&mut world, json!("close"));
    assert_eq!(said(&world, "t-play"), asked);
}

#[test]
fn of_several_units_each_is_called_by_its_name() {
    let mut world = started("chain-reaction", "two-sides");
    for name in ["Anna", "Boris"] {
        let fields = json!({ "side": "First side", "kind": "figure", "name": name, "group": "", "count": "1" });
        table(&mut world, json!({ "roster": { "add": fields } }));
    }
    play(&mut world, json!({ "open_chart": { "chart": "in-sight" } }));
    for unit in ["u1", "u2"] {
        play(&mut world, json!({ "pick": ["figure", unit] }));
        play(&mut world, json!({ "form": { "give": [format!("figure.{unit}.rep"), "4"] } }));
    }
    assert!(said(&world, "t-play").contains("Anna: Fires"), "{}", said(&world, "t-play"));
    play(&mut world, json!("own_dice"));
    assert!(
        said(&world, "t-play").contains("Roll 4d6 Anna – In Sight"),
        "{}",
        said(&world, "t-play")
    );
    for _ in 0..4 {
        world.press("\"answer\":{\"face\":6}");
    }
    assert!(
        said(&world, "t-play").contains("Roll 4d6 Boris – In Sight"),
        "{}",
        said(&world, "t-play")
    );
    for _ in 0..4 {
        world.press("\"answer\":{\"face\":1}");
    }
    assert!(said(&world, "t-play").contains("Anna, Boris: Fires"), "{}", said(&world, "t-play"));
}

#[test]
fn who_caused_a_test_is_asked_only_where_it_is_used_and_of_enemies_only() {
    let mut world = started("chain-reaction", "two-sides");
    for (name, side) in [("Anna", "First side"), ("Boris", "First side"), ("Carl", "Second side")] {
        let fields = json!({ "side": side, "kind": "figure", "name": name, "group": "", "count": "1", "rep": "4" });
        table(&mut world, json!({ "roster": { "add": fields } }));
    }
    let offered = |world: &World| -> Vec<&str> {
        let buttons = in_region(world, "t-play");
        let takes = |unit: &str| {
            buttons.iter().any(|message| message.contains(&format!("[\"caused_by\",\"{unit}\"]")))
        };
        ["u1", "u2", "u3"].into_iter().filter(|unit| takes(unit)).collect()
    };
    play(
        &mut world,
        json!({ "open_chart": { "chart": "crisis", "role": "figure", "unit": "u1" } }),
    );
    play(&mut world, json!({ "form": { "give": ["figure.rep", "4"] } }));
    assert!(offered(&world).is_empty(), "{}", said(&world, "t-play"));
    for reason in ["outgunned", "man_down"] {
        play(&mut world, json!({ "form": { "give": ["reason", reason] } }));
        assert!(
            offered(&world).is_empty() && large(&world).is_some(),
            "{reason}: {}",
            said(&world, "t-play")
        );
    }
    play(&mut world, json!({ "form": { "give": ["reason", "fired_on"] } }));
    assert_eq!(offered(&world), ["u3"]);
    assert!(large(&world).is_none(), "{}", said(&world, "t-play"));
}
