#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]
//! Paste a sheet: the text becomes charts, every line is shown, corrections count and follow the
//! text, and the pack is used without taking another's place.

mod common;

use adjutant_app::{Command, Message, Reply};
use common::{HOSTILE, Store, World, ill_formed};
use proptest::prelude::*;
use serde_json::{Value, json};

const SHEET: &str = "LANTERN HILL\n\nSHOOTING\nRoll 2d6.\n+1  within six inches\n-2  target behind a wall\n+2  target in the open\n\n6 or less   miss\n7 to 9      the target is shaken\n10 or more  the target is down\n";

fn scan() -> &'static str {
    include_str!("../../draft/tests/sheets/scan/panzer8.txt")
}

fn send(world: &mut World, message: Value) {
    let message = json!({ "pack_editor": { "paste": message } });
    world.send(serde_json::from_value(message).unwrap());
}

fn pasted(source: &str) -> World {
    let mut world = World::at("#/editor/paste");
    send(&mut world, json!({ "source": source }));
    world
}

/// The text of a region without markup.
fn text(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = parts.collect();
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    signs.iter().fold(text, |text, (name, sign)| text.replace(name, sign))
}

/// The label of the piece that holds a text.
fn label(world: &World, holds: &str) -> String {
    let source = world.region("paste-source");
    let pieces = source.split("<li class=\"piece-item\"").skip(1);
    let piece = pieces.map(str::to_owned).find(|piece| text(piece).contains(holds)).unwrap();
    let kind = piece.split("<b class=\"piece-kind\">").nth(1).unwrap();
    kind.split('<').next().unwrap().to_owned()
}

/// The message of the button on the piece that holds a text.
fn select(world: &mut World, holds: &str) {
    let source = world.region("paste-source");
    let pieces = source.split("<li class=\"piece-item\"").skip(1);
    let piece = pieces.map(str::to_owned).find(|piece| text(piece).contains(holds)).unwrap();
    let start = piece.split("data-id=\"piece-").nth(1).unwrap().split('"').next().unwrap();
    let start: usize = start.parse().unwrap();
    send(world, json!({ "select": start }));
}

#[test]
fn a_pasted_sheet_runs_at_once_with_its_pieces_named() {
    let mut world = pasted(SHEET);
    assert_eq!(label(&world, "within six inches"), "Modifiers");
    assert_eq!(label(&world, "Roll 2d6."), "Dice");
    assert_eq!(label(&world, "10 or more"), "Table of scores");
    assert_eq!(label(&world, "SHOOTING"), "Title");
    let chart = world.region("paste-chart");
    assert!(chart.contains("within six inches") && chart.contains(" %"), "{chart}");
    send(&mut world, json!({ "chart": "roll" }));
    assert!(world.region("paste-chart").contains("on the dice"));
}

#[test]
fn a_piece_becomes_something_else_and_back() {
    let mut world = pasted(SHEET);
    select(&mut world, "within six inches");
    send(&mut world, json!({ "is": "note" }));
    assert_eq!(label(&world, "within six inches"), "Note");
    assert!(!world.region("paste-chart").contains("within six inches"));
    send(&mut world, json!("automatic"));
    assert_eq!(label(&world, "within six inches"), "Modifiers");
    assert!(world.region("paste-chart").contains("within six inches"));
    // Only one of its lines.
    send(&mut world, json!({ "to_line": "5" }));
    send(&mut world, json!({ "is": "note" }));
    assert_eq!(label(&world, "within six inches"), "Note");
    assert!(world.region("paste-chart").contains("behind a wall"));
}

#[test]
fn the_text_of_a_piece_is_corrected_and_corrections_follow_it() {
    let mut world = pasted(&SHEET.replace("Roll 2d6", "Roll two dice"));
    select(&mut world, "10 or more");
    send(&mut world, json!({ "is": "note" }));
    let check = world.region("paste-check");
    assert!(check.contains("line 4"), "{check}");
    send(&mut world, json!({ "show_check": 0 }));
    assert!(matches!(world.told.last(), Some(Command::Jump(_))), "{:?}", world.told.last());
    assert!(world.region("paste-source").contains("Text of these lines"));
    send(&mut world, json!({ "edit_lines": "Roll 2d8." }));
    assert!(world.region("paste-source").contains("Roll 2d8."));
    assert!(!world.region("paste-check").contains("line 4"), "{}", world.region("paste-check"));
    assert_eq!(label(&world, "10 or more"), "Note");
}

#[test]
fn what_is_to_be_checked_is_ticked_off_and_stays_so() {
    let mut world = pasted(&SHEET.replace("Roll 2d6", "Roll two dice"));
    let left = |world: &World| text(&world.region("paste-tabs"));
    assert!(left(&world).contains("To check (1)"), "{}", left(&world));
    send(&mut world, json!({ "tick": 0 }));
    assert!(left(&world).contains("To check (0)"), "{}", left(&world));
    let mut again = World { kept: world.kept.clone(), ..World::default() };
    again.start("#/editor/paste");
    assert!(left(&again).contains("To check (0)"), "{}", left(&again));
    assert_eq!(label(&again, "within six inches"), "Modifiers");
    send(&mut again, json!("clear"));
    assert!(!again.kept.contains_key("sheet"));
    assert!(again.region("paste-top").contains("<textarea"));
}

#[test]
fn the_pack_is_used_in_the_editor_and_with_the_others() {
    let mut world = pasted(SHEET);
    send(&mut world, json!("use"));
    assert!(world.app.shared().packs.pack("lantern-hill").is_some());
    let kept = &world.kept["own:lantern-hill"];
    assert!(kept.contains("README.md") && kept.contains("Drafted from a sheet that was pasted"));
    assert!(world.region("paste-top").contains("#/game/new.lantern-hill"));
    world.go("#/editor");
    assert!(world.region("editor-text").contains("lantern-hill"));
    world.go("#/sheet/lantern-hill");
    assert!(world.html().contains("within six inches"));
    // Once more after a correction: the same pack, changed.
    world.go("#/editor/paste");
    select(&mut world, "within six inches");
    send(&mut world, json!({ "is": "note" }));
    send(&mut world, json!("use"));
    let pack = world.app.shared().packs.files("lantern-hill").unwrap();
    assert!(!pack.text("pack.toml").unwrap().contains("within_six_inches"));
}

/// A drafted sheet asks for its values. Its game needs no units, so it opens where charts are.
#[test]
fn a_game_with_a_drafted_sheet_opens_on_its_charts() {
    let mut world = pasted(SHEET);
    send(&mut world, json!("use"));
    world.go("#/game/new.lantern-hill");
    common::table::table(
        &mut world,
        json!({ "new_table": { "create": { "name": "Hill", "who": "Anna" } } }),
    );
    assert!(world.region("main").contains("table-screen\" data-tab=\"play\""));
    assert!(common::table::said(&world, "t-play").contains("Shooting"));
    assert!(!world.region("t-act").contains("Add units"), "{}", world.region("t-act"));
}

#[test]
fn the_chart_beside_the_source_is_one_of_the_open_piece() {
    let mut world = pasted(scan());
    let shown = |world: &World| {
        let html = world.region("paste-chart");
        let chosen = html.split(" selected").nth(1).unwrap().split(['>', '<']).nth(1);
        chosen.unwrap().to_owned()
    };
    assert_eq!(shown(&world), "Fire");
    select(&mut world, "Unsupported");
    assert_eq!(shown(&world), "Rally");
    // A table of two charts leaves the one that is shown.
    select(&mut world, "Lose by");
    assert_eq!(shown(&world), "Hand to Hand");
    send(&mut world, json!({ "show_chart": "overrun" }));
    select(&mut world, "Lose by");
    select(&mut world, "Lose by");
    assert_eq!(shown(&world), "Overrun");
}

/// What is to be checked is shown with its line.
#[test]
fn a_thing_to_check_shows_its_line_of_the_source() {
    let world = pasted(scan());
    let shown = common::table::said(&world, "paste-check");
    assert!(shown.contains("The target rolls 1d10 and adds"), "{shown}");
    assert!(!shown.contains("ResultHE/SA"), "cells stay apart: {shown}");
}

/// On a slow device few situations are compared: those with a ticked modifier come first.
#[test]
fn a_pack_is_called_in_use_when_it_is_saved_and_not_before() {
    let mut world = World { holds_saves: true, ..pasted(SHEET) };
    send(&mut world, json!("use"));
    let top = text(&world.region("paste-top"));
    assert!(top.contains("Saving…") && !top.contains("is in use"), "{top}");
    // The text is changed and used again: the reply to the first save says nothing about the second.
    send(&mut world, json!({ "title": "Lamp Hill" }));
    send(&mut world, json!("use"));
    let (first, second) = (world.saves.remove(0), world.saves.remove(0));
    world.send(Message::Reply { to: first, reply: Reply::Done });
    assert!(!text(&world.region("paste-top")).contains("is in use"));
    world.send(Message::Reply { to: second, reply: Reply::Done });
    assert!(text(&world.region("paste-top")).contains("Lamp Hill is in use"));
    // The pack, the files in the editor and that it is in use are saved in one step.
    let values = world.told.iter().rev().find_map(|command| match command {
        Command::SaveValues { values, .. } => Some(values),
        _ => None,
    });
    let keys: Vec<&str> = values.unwrap().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert!(keys.contains(&"editor") && keys.contains(&"sheet"), "{keys:?}");
    assert!(keys.iter().any(|key| key.starts_with("own:")), "{keys:?}");

    let mut world = World { store: Store::Full, ..pasted(SHEET) };
    send(&mut world, json!("use"));
    let top = text(&world.region("paste-top"));
    assert!(top.contains("is not saved") && !top.contains("is in use"), "{top}");
    world.go("#/editor");
    let editor = text(&world.region("editor-use"));
    assert!(editor.contains("is not saved") && !editor.contains("In use"), "{editor}");
    // There is room again.
    world.store = Store::Keeps;
    world.press("\"install\"");
    assert!(world.html().contains("is in use on this device"));
    assert!(text(&world.region("editor-use")).contains("In use"));
    assert!(world.kept.keys().any(|key| key.starts_with("own:")));
}

#[test]
fn a_changed_modifier_is_found_in_few_situations() {
    let mut world = pasted(scan());
    send(&mut world, json!("use"));
    world.go("#/editor");
    let id = world.kept.keys().find_map(|key| key.strip_prefix("own:")).unwrap().to_owned();
    let files = world.app.shared().packs.files(&id).unwrap();
    let text = files.text("pack.toml").unwrap().replacen("plus = 1, when", "plus = 3, when", 1);
    let message = json!({ "pack_editor": { "edit": text } });
    world.send(serde_json::from_value(message).unwrap());
    for _ in 0..100 {
        let Some(to) = world.soon.pop() else { break };
        world.send(adjutant_app::Message::Reply { to, reply: adjutant_app::Reply::Elapsed(150) });
    }
    let found = world.region("editor-diff");
    assert!(found.contains("1 → 3") && found.contains("Chances move in"), "{found}");
    assert!(found.contains("128 situations (there are more)"), "{found}");
}

#[test]
fn no_work_in_the_editor_is_lost_and_no_pack_takes_anothers_place() {
    let mut world = World::at("#/editor");
    let message = json!({ "pack_editor": { "start_from": "panzer8" } });
    world.send(serde_json::from_value(message).unwrap());
    let mine = "[pack]\nid = \"mine\"\ntitle = \"Mine\"\n";
    let message = json!({ "pack_editor": { "edit": mine } });
    world.send(serde_json::from_value(message).unwrap());
    world.go("#/editor/paste");
    send(&mut world, json!({ "source": SHEET.replace("LANTERN HILL", "PANZER8") }));
    send(&mut world, json!("use"));
    assert!(world.region("paste-top").contains("holds other files"));
    send(&mut world, json!({ "confirm_use": false }));
    assert!(!world.kept.contains_key("own:panzer8-2"));
    send(&mut world, json!("use"));
    send(&mut world, json!({ "confirm_use": true }));
    // Panzer8 comes with the page.
    assert!(world.kept.contains_key("own:panzer8-2"), "{:?}", world.kept.keys());
    assert!(!world.kept.contains_key("own:panzer8"));
}

#[test]
fn the_scan_of_panzer8_gives_its_charts() {
    let world = pasted(scan());
    assert_eq!(label(&world, "Soft cover"), "Modifiers");
    assert_eq!(label(&world, "Unsuppressed, acts again"), "Table of scores");
    assert_eq!(label(&world, "WhX"), "Grid");
    assert_eq!(label(&world, "Draw a card"), "Phases");
    let charts = world.region("paste-chart");
    for title in ["Fire", "Hunting Tanks", "Hand to Hand", "Overrun", "Rally"] {
        assert!(charts.contains(&format!(">{title}</option>")), "{title}: {charts}");
    }
}

#[test]
fn tables_as_html_are_shown_as_text_and_nothing_becomes_markup() {
    let table = "<h2>Rally</h2>\n<p>Roll 1d6.</p>\n<table>\n<tr><td>1-2</td><td>Lost &amp; gone</td></tr>\n<tr><td>3-6</td><td>Rallied</td></tr>\n</table>";
    let world = pasted(table);
    assert_eq!(label(&world, "Lost & gone"), "Table of scores");
    assert!(!world.region("paste-source").contains("&lt;td"));
    let world = pasted(&format!("{HOSTILE}\nRoll 1d6.\n1-3 {HOSTILE}\n4-6 fine\n"));
    assert_eq!(ill_formed(&world.html()), None);
    assert!(!world.html().contains("<script") && !world.html().contains("<img src=x"));
}

#[test]
fn a_text_that_cannot_be_read_is_refused_with_the_reason() {
    let world = pasted(&format!("Roll 1d6.\n{}\n", "x".repeat(30_000)));
    assert!(
        world.region("paste-top").contains("line 2 is longer"),
        "{}",
        world.region("paste-top")
    );
    let long = "+1  cover\n".repeat(60_000);
    let world = pasted(&long);
    assert!(!world.kept.contains_key("sheet"));
    assert!(world.html().len() < 4 << 20, "the page stays small: {}", world.html().len());
}

/// The words of a text, in any order.
fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Every character of the source is shown once, wherever lines are cut, doubled or broken.
    #[test]
    fn every_line_of_the_source_is_shown(sheet in 0..4_usize, from in 0..60_usize, length in 0..8_usize, put in "[ -;=-~\n]{0,40}", seed in any::<u64>()) {
        let sheets = [
            SHEET,
            scan(),
            include_str!("../../draft/tests/sheets/side/river.txt"),
            include_str!("../../draft/tests/sheets/holdout/trench.txt"),
        ];
        let mut lines: Vec<&str> = sheets[sheet].lines().collect();
        let from = from.min(lines.len());
        let to = (from + length).min(lines.len());
        lines.splice(from..to, [put.as_str()]);
        let source = lines.join("\n");
        let mut world = pasted(&source);
        let shown = world.region("paste-source");
        let lines: String = shown.split("<span class=\"piece-line\">").skip(1)
            .map(|line| line.split("</span>").next().unwrap()).collect();
        if !shown.is_empty() && !source.contains("<") {
            prop_assert_eq!(letters(&text(&format!("<p>{lines}"))), letters(&source));
        }
        // Whatever is said about it, the page stands.
        let buttons = world.buttons("3");
        for n in 0..4_u64 {
            let place = (seed.rotate_left(n as u32 * 13) as usize) % buttons.len();
            world.send(serde_json::from_str(&buttons[place]).unwrap());
            prop_assert_eq!(ill_formed(&world.html()), None);
        }
    }
}
