//! The board: what taps on units do, and how few of them a shot takes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::World;
use common::table::*;
use serde_json::json;

fn touch(world: &mut World, unit: &str) {
    play(world, json!({ "touch": unit }));
}

/// The card of a unit on the board: its classes and what stands on it.
fn counter(world: &World, unit: &str) -> String {
    let html = world.region("t-board");
    let at = html.find(&format!("data-id=\"on-board-{unit}\"")).unwrap_or_else(|| panic!("{html}"));
    let from = html[..at].rfind("<button").unwrap();
    html[from..at + html[at..].find("</button>").unwrap()].to_owned()
}

/// Sends the message of the large button.
fn press_large(world: &mut World) {
    let message = large(world).unwrap_or_else(|| panic!("{}", world.region("t-act")));
    world.send(serde_json::from_str(&message).unwrap());
}

#[test]
fn unit_target_roll_and_one_tap_to_repeat() {
    let mut world = started("panzer8", "first-game");
    let before = lines(&world).len();
    touch(&mut world, "u3");
    assert!(said(&world, "t-play").contains("Tank: choose an action"));
    assert!(counter(&world, "u3").contains("counter-acts"));
    touch(&mut world, "u8");
    let shown = said(&world, "t-play");
    assert!(shown.contains("Firer Tank") && shown.contains("Target Anti-tank gun"), "{shown}");
    assert!(counter(&world, "u8").contains("counter-aimed"));
    press_large(&mut world);
    assert_eq!(lines(&world).len(), before + 1, "the ammunition was chosen from what it has");
    let result = said(&world, "t-play");
    assert!(result.contains(" v ") && result.contains("it had a "), "{result}");
    let request = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let play = line["do"]["play"].clone();
        (play["chart"].clone(), play["units"].clone(), play["given"].clone())
    };
    let first = request(&lines(&world)[before]);
    world.press("\"again\"");
    assert_eq!(lines(&world).len(), before + 2);
    assert_eq!(request(&lines(&world)[before + 1]), first);
    verified(&world, "panzer8");
}

#[test]
fn ammunition_is_remembered_for_each_unit_and_named_on_the_result() {
    let mut world = started("panzer8", "first-game");
    let ammo = |world: &World| {
        let html = world.region("t-play");
        let on =
            html.split("<input").find(|tag| tag.contains("in-ammo") && tag.contains(" checked"));
        on.map(|tag| if tag.contains("in-ammo-ap") { "ap" } else { "hesa" }).unwrap_or_default()
    };
    // The anti-tank gun has HE/SA 3 and AP 7, the rifles HE/SA 4 and no AP.
    let opens = |world: &mut World, firer: &str, target: &str| {
        touch(world, firer);
        touch(world, target);
        assert!(said(world, "t-play").contains("Firer"), "{}", said(world, "t-play"));
    };
    opens(&mut world, "u8", "u3");
    assert_eq!(ammo(&world), "ap");
    play(&mut world, json!({ "form": { "give": ["ammo", "hesa"] } }));
    play(&mut world, json!({ "form": { "give": ["close", "yes"] } }));
    press_large(&mut world);
    let shown = said(&world, "t-play");
    assert!(shown.contains("Tank · Ammunition: HE or small arms"), "{shown}");
    // Another unit has its own; what was true for one shot is not kept.
    opens(&mut world, "u3", "u8");
    assert_eq!(ammo(&world), "ap");
    press_large(&mut world);
    assert!(said(&world, "t-play").contains("Ammunition: AP"));
    opens(&mut world, "u8", "u3");
    assert_eq!(ammo(&world), "hesa");
    assert!(!world.region("t-play").contains("id=\"in-close\" checked"));
    play(&mut world, json!("close"));
    // It is known again after a reload.
    let route = world.route().to_string();
    let mut again = World {
        cards: world.cards.clone(),
        kept: world.kept.clone(),
        lines: world.lines.clone(),
        ..World::default()
    };
    again.start(&route);
    opens(&mut again, "u8", "u3");
    assert_eq!(ammo(&again), "hesa");
}

#[test]
fn the_chance_shown_is_that_of_the_result_with_its_number() {
    let mut world = started("chain-reaction", "");
    table(&mut world, json!({ "roster": { "add_from_template": ["pef", "Allies"] } }));
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20 {
        play(
            &mut world,
            json!({ "open_chart": { "chart": "pef-move", "role": "pef", "unit": "u1" } }),
        );
        press_large(&mut world);
        let shown = said(&world, "t-play");
        for (result, chance) in [
            ("Advances, 8 inches", "44.4 %"),
            ("Advances, 4 inches", "44.4 %"),
            ("Stays, 0 inches", "11.1 %"),
        ] {
            if shown.contains(&format!("{result} it had")) {
                assert!(shown.contains(&format!("it had a {chance} chance")), "{shown}");
                seen.insert(result);
            }
        }
    }
    assert!(seen.len() > 1, "{seen:?}: {}", said(&world, "t-play"));
}

#[test]
fn a_double_tap_on_again_rolls_once() {
    let mut world = started("panzer8", "first-game");
    touch(&mut world, "u3");
    touch(&mut world, "u8");
    press_large(&mut world);
    let before = lines(&world).len();
    world.quick = true;
    world.ms += 1000;
    play(&mut world, json!("again"));
    play(&mut world, json!("again"));
    play(&mut world, json!({ "phase": "" }));
    assert_eq!(lines(&world).len(), before + 1);
}

#[test]
fn a_friend_acts_instead_and_another_enemy_is_the_new_target() {
    let mut world = started("panzer8", "first-game");
    touch(&mut world, "u1");
    touch(&mut world, "u2");
    assert!(said(&world, "t-play").contains("choose an action"));
    assert!(counter(&world, "u2").contains("counter-acts"));
    touch(&mut world, "u5");
    touch(&mut world, "u7");
    assert!(counter(&world, "u7").contains("counter-aimed"), "{}", world.region("t-play"));
    assert!(!counter(&world, "u5").contains("counter-aimed"));
    touch(&mut world, "u3");
    assert!(said(&world, "t-play").contains("Tank: choose an action"));
    touch(&mut world, "u3");
    assert!(!world.region("t-play").contains("unit-acts"), "a second tap puts it back");
}

#[test]
fn who_is_out_is_no_target_and_is_told_what_it_cannot_do() {
    let mut world = started("panzer8", "first-game");
    let out =
        json!({ "roster": { "status": { "unit": "u5", "status": "out_of_action", "on": true } } });
    table(&mut world, out);
    assert!(said(&world, "t-board").contains("3 of 4 in action"), "{}", said(&world, "t-board"));
    touch(&mut world, "u3");
    touch(&mut world, "u5");
    assert!(!world.region("t-act").contains("button-main"), "{}", world.region("t-act"));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Not while out of action"), "{shown}");
    assert!(counter(&world, "u5").contains("counter-dim"));
}

#[test]
fn taps_fill_the_role_that_waits() {
    let mut world = started("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "fire", "role": "firer", "unit": "u1" } }));
    assert!(counter(&world, "u6").contains("counter-may"));
    assert!(counter(&world, "u2").contains("counter-dim"), "not at its own side");
    touch(&mut world, "u6");
    assert!(counter(&world, "u6").contains("counter-aimed"));
    assert!(large(&world).unwrap().contains("roll"), "{}", world.region("t-act"));
}

#[test]
fn cards_and_roster_have_labels_and_no_ids() {
    let world = started("panzer8", "first-game");
    let tank = counter(&world, "u3");
    for value in ["HE/SA\u{a0}5", "AP\u{a0}6", "Def\u{a0}7", "Mech"] {
        assert!(tank.contains(value), "{value}: {tank}");
    }
    for region in ["t-board", "t-roster"] {
        assert!(!said(&world, region).contains("hesa"), "{}", said(&world, region));
    }
}

#[test]
fn with_a_sheet_that_runs_the_enemy_the_players_side_is_near_the_thumb() {
    let world = started("chain-reaction", "solo");
    let board = said(&world, "t-board");
    assert!(board.find("The enemy") < board.find("Your patrol"), "{board}");
}

/// How bad a result is decides its colour: the attribute of its line and of its part of the bar.
#[test]
fn harm_decides_the_colour_of_a_result() {
    let mut world = started("panzer8", "first-game");
    for (faces, harm, title) in [([1, 9], "0", "No effect"), ([9, 1], "3", "Out of Action")] {
        touch(&mut world, "u3");
        touch(&mut world, "u8");
        play(&mut world, json!("own_dice"));
        for face in faces {
            play(&mut world, json!({ "answer": { "face": face } }));
        }
        let shown = world.region("t-play");
        let line = shown.split("id=\"result\"").nth(1).and_then(|rest| rest.split("</p>").next());
        let line = line.unwrap_or_else(|| panic!("{shown}"));
        assert!(line.contains(&format!("data-harm=\"{harm}\"")) && line.contains(title), "{line}");
        table(&mut world, json!({ "log": "undo" }));
    }
}

#[test]
fn tests_that_need_no_answer_are_rolled_with_one_tap() {
    let mut world = started("chain-reaction", "solo");
    let before = lines(&world).len();
    assert!(said(&world, "t-act").contains("Roll all 3"), "{}", said(&world, "t-act"));
    world.press("\"roll_all\"");
    assert_eq!(lines(&world).len(), before + 3);
    let shown = said(&world, "t-play");
    assert_eq!(shown.matches("Possible enemy placed").count(), 3, "all results are told: {shown}");
    assert!(!shown.contains("Pending"), "{shown}");
    verified(&world, "chain-reaction");
}

#[test]
fn everyone_takes_part_with_one_tap_and_stands_in_one_grid() {
    let mut world = started("chain-reaction", "solo");
    world.press("\"roll_all\"");
    play(&mut world, json!({ "open_chart": { "chart": "in-sight" } }));
    world.press("\"pick_all\"");
    let shown = world.region("t-play");
    let grid =
        shown.split("<table class=\"grid-form\"").nth(1).unwrap_or_else(|| panic!("{shown}"));
    let grid = grid.split("</table>").next().unwrap();
    assert_eq!(grid.matches("<tr>").count(), 5, "a head and four figures: {grid}");
    assert!(grid.contains("Recruit") && grid.contains("Rep)\u{a0}3"), "{grid}");
    world.press("\"give\":[\"figure.u4.moved\",\"yes\"]");
    assert!(world.region("t-play").contains("figure.u4.moved&quot;,&quot;no&quot;"));
    play(&mut world, json!("roll"));
    assert!(said(&world, "t-play").contains("Star"), "{}", said(&world, "t-play"));
    verified(&world, "chain-reaction");
}

#[test]
fn a_drag_from_unit_to_unit_is_two_taps() {
    let mut world = started("panzer8", "first-game");
    play(&mut world, json!({ "drag": ["u3", "u8"] }));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Firer Tank") && shown.contains("Target Anti-tank gun"), "{shown}");
    assert!(counter(&world, "u8").contains("&quot;drag&quot;:[&quot;$drag&quot;,&quot;u8&quot;]"));
}

#[test]
fn many_units_can_be_searched_and_folded() {
    let mut world = started("panzer8", "first-game");
    assert!(!world.region("t-board").contains("board-find"));
    for _ in 0..10 {
        table(&mut world, json!({ "roster": { "add_from_template": ["rifles", "Axis"] } }));
    }
    let board = world.region("t-board");
    assert!(board.contains("board-find") && board.matches("<details").count() == 2, "{board}");
    play(&mut world, json!({ "find": "tank" }));
    let board = said(&world, "t-board");
    assert!(board.contains("Anti-tank gun") && !board.contains("Grenadiers"), "{board}");
}

/// Whether the last message made the dice roll on the screen.
fn moments(world: &World, from: usize) -> usize {
    world.told[from..].iter().filter(|it| matches!(it, adjutant_app::Command::Moment(_))).count()
}

#[test]
fn a_roll_has_its_moment_unless_it_is_switched_off() {
    let mut world = started("panzer8", "first-game");
    touch(&mut world, "u3");
    touch(&mut world, "u8");
    let from = world.told.len();
    play(&mut world, json!("roll"));
    assert_eq!(moments(&world, from), 1);
    // Neither the player's own dice nor the history has one.
    let from = world.told.len();
    let route = world.route().to_string();
    world.go("#/");
    world.go(&route);
    assert_eq!(moments(&world, from), 0);
    world.send(serde_json::from_value(json!({ "set_switch": ["motion", false] })).unwrap());
    assert_eq!(world.kept["motion"], "off");
    let from = world.told.len();
    play(&mut world, json!("again"));
    assert_eq!(moments(&world, from), 0);
    // The choice lasts.
    let mut later = World { kept: world.kept.clone(), ..World::default() };
    later.start("#/help");
    assert!(later.region("main").contains("[&quot;motion&quot;,true]"), "{}", later.region("main"));
}

#[test]
fn a_pending_test_is_listed_with_its_chance_and_one_button() {
    let mut world = suppressed();
    play(&mut world, json!({ "phase": "" }));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Hare must roll: Rally"), "{shown}");
    assert!(shown.contains("suppressed last turn · 50.0 % no longer suppressed"), "{shown}");
    let rolls = |world: &World| -> Vec<String> {
        let buttons = in_region(world, "t-play").into_iter();
        buttons.filter(|message| message.contains("roll_pending")).collect()
    };
    assert_eq!(rolls(&world).len(), 2, "the first one has the large button");
    let before = lines(&world).len();
    let second = rolls(&world)[0].clone();
    world.send(serde_json::from_str(&second).unwrap());
    assert_eq!(lines(&world).len(), before + 1);
    assert!(lines(&world)[before].contains("u2"), "{}", lines(&world)[before]);
    // A second tap at the same place, too soon, rolls nothing.
    world.quick = true;
    world.ms += 1000;
    let next = rolls(&world)[0].clone();
    world.send(serde_json::from_str(&next).unwrap());
    world.send(serde_json::from_str(&next).unwrap());
    play(&mut world, json!("roll"));
    assert_eq!(lines(&world).len(), before + 2);
}

#[test]
fn every_pending_test_has_its_chance_or_says_what_it_needs() {
    let mut world = common::table::many_suppressed(false);
    play(&mut world, json!({ "phase": "" }));
    // Also those that come after the first ones, a frame later.
    let shown = said(&world, "t-play");
    assert_eq!(shown.matches("50.0 % no longer suppressed").count(), 13, "{shown}");
    let mut world = common::table::many_suppressed(true);
    play(&mut world, json!({ "phase": "" }));
    let shown = said(&world, "t-play");
    assert_eq!(shown.matches("suppressed last turn · Choose: How").count(), 13, "{shown}");
}
