//! A table through the page: what a thumb does, from the beginning to the end.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{Command, Message, Route};
use common::{HOSTILE, Store, World, ill_formed};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

fn table(world: &mut World, message: Value) {
    world.send(serde_json::from_value(json!({ "table": message })).unwrap());
}

fn play(world: &mut World, message: Value) {
    table(world, json!({ "play": message }));
}

/// A table of this pack, begun this way.
fn begun(pack: &str, start: &str) -> World {
    let mut world = World::at("#/game/new");
    table(&mut world, json!({ "new_table": { "pack": pack } }));
    table(&mut world, json!({ "new_table": { "start": start } }));
    table(&mut world, json!({ "new_table": { "create": { "name": "Hill 112", "who": "Anna" } } }));
    assert!(matches!(world.route(), Route::Table(_)), "{:?} {}", world.route(), world.region("main"));
    world
}

fn lines(world: &World) -> &Vec<String> {
    world.lines.values().next().unwrap()
}

/// Every line that was kept opens again, and every throw in it is as the sheet has it.
fn verified(world: &World, pack: &str) -> adjutant_game::Table {
    let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files(pack).unwrap(), None).unwrap());
    adjutant_game::verify(pack, lines(world), None).unwrap()
}

/// The messages of the buttons in a region.
fn in_region(world: &World, region: &str) -> Vec<String> {
    let html = world.region(region);
    html.split(" data-do=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(common::unescaped).collect()
}

/// The large button, if it can be pressed.
fn large(world: &World) -> Option<String> {
    let html = world.region("t-act");
    let tag = html.split("<button class=\"button button-main\"").nth(1)?.split('>').next()?.to_owned();
    if tag.contains(" disabled") {
        return None;
    }
    tag.split(" data-do=\"").nth(1)?.split('"').next().map(common::unescaped)
}

/// What a thumb does where the large button waits: taps who takes part, or answers.
fn what_waits(world: &World) -> Option<String> {
    let buttons = in_region(world, "t-play");
    let pick = |part: &str| buttons.iter().find(|message| message.contains(part)).cloned();
    if world.region("t-play").contains("class=\"ask\"") {
        return pick("\"answer\"");
    }
    if let Some(allow) = pick("\"allow\"") {
        return Some(allow);
    }
    if world.region("t-play").contains("role-waits") {
        let html = world.region("t-play");
        let waiting = html.split("role-pick role-waits").nth(1)?;
        return waiting.split(" data-do=\"").nth(1)?.split('"').next().map(common::unescaped);
    }
    // A number or a choice that is needed.
    let html = world.region("t-play");
    let first = |part: &str| {
        part.split(" data-do=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .map(common::unescaped)
            .find(|message| message.contains("\"give\"") && !message.contains("$value"))
    };
    if let Some(missing) = html.split("field-missing").nth(1) {
        return first(missing);
    }
    let open = |part: &&str| !part.split("</fieldset>").next().unwrap_or_default().contains(" checked");
    html.split("field field-choice").skip(1).find(open).and_then(first)
}

#[test]
fn a_whole_solo_game_with_only_a_thumb() {
    let mut world = begun("chain-reaction", "solo");
    assert!(world.region("t-act").contains("button-main"), "{}", world.region("t-act"));
    let (mut phases, mut taps) = (0, 0);
    while !world.region("t-play").contains("class=\"ending\"") && taps < 1500 {
        taps += 1;
        if taps % 25 == 0 {
            assert_eq!(ill_formed(&world.html()), None, "{}", world.html());
        }
        let pressed = match large(&world) {
            // In the free phases the player does what he likes: he looks for the enemy now and then.
            Some(message) if message.contains("\"phase\"") => {
                phases += 1;
                let free: Vec<String> = in_region(&world, "t-play").into_iter().filter(|message| message.contains("\"chart\"")).collect();
                let wanted = ["pef-resolve", "in-sight", "shooting"][phases % 3];
                match free.iter().find(|message| message.contains(wanted)) {
                    Some(chart) if phases % 2 == 0 => chart.clone(),
                    _ => message,
                }
            }
            Some(message) => message,
            None => what_waits(&world).unwrap_or_else(|| panic!("stuck:\n{}\n{}", world.region("t-act"), world.region("t-play"))),
        };
        if std::env::var_os("TELL").is_some() {
            eprintln!("{taps} {} {pressed}", lines(&world).len());
        }
        world.send(serde_json::from_str(&pressed).unwrap());
    }
    assert!(world.region("t-play").contains("class=\"ending\""), "no end after {taps} taps and {} lines", lines(&world).len());
    assert!(world.region("t-act").contains("Battle report"));
    let table = verified(&world, "chain-reaction");
    assert!(!table.endings().is_empty());
    world.send(serde_json::from_str(&large(&world).unwrap()).unwrap());
    let report = world.told.iter().rev().find_map(|command| match command {
        Command::Download { name, text, .. } => Some((name.clone(), text.clone())),
        _ => None,
    });
    let (name, text) = report.unwrap();
    assert_eq!(name, "hill-112.html");
    assert!(text.contains("Hill 112"));
}

#[test]
fn after_every_event_the_large_button_is_the_next_thing_to_do() {
    let mut world = begun("chain-reaction", "solo");
    for n in 1..=3 {
        assert!(world.region("t-act").contains("Setting up a possible enemy"), "{n}: {}", world.region("t-act"));
        world.send(serde_json::from_str(&large(&world).unwrap()).unwrap());
        assert!(world.region("t-play").contains("result-line"));
    }
    assert!(world.region("t-act").contains("Next: Possible enemies move"), "{}", world.region("t-act"));
    world.send(serde_json::from_str(&large(&world).unwrap()).unwrap());
    assert!(world.region("t-play").contains("Possible enemies move"));
    assert!(world.region("t-act").contains("PEF"), "{}", world.region("t-act"));
}

#[test]
fn fire_with_a_unit_on_a_unit() {
    let mut world = begun("panzer8", "first-game");
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
fn what_a_status_rules_out_is_refused_before_the_throw_and_can_be_allowed() {
    let mut world = begun("panzer8", "first-game");
    table(&mut world, json!({ "roster": { "status": { "unit": "u3", "status": "out_of_action", "on": true } } }));
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u3" } }));
    assert!(world.region("t-play").contains("“Out of Action” rules out Recover or rally"), "{}", world.region("t-play"));
    assert!(large(&world).is_none(), "nothing is thrown before it is allowed");
    world.press("\"play\":\"allow\"");
    assert!(world.region("t-play").contains("Allowed although a status rules it out"), "{}", world.region("t-play"));
    assert!(large(&world).is_some());
    // What was allowed was allowed for this unit.
    world.press("\"pick\":[\"element\",\"u3\"]");
    world.press("\"pick\":[\"element\",\"u3\"]");
    assert!(large(&world).is_none());
    world.press("\"play\":\"allow\"");
    play(&mut world, json!("throw"));
    assert!(world.region("t-log").contains("Allowed anyway: "), "{}", world.region("t-log"));
    assert_eq!(verified(&world, "panzer8").state().anyway.len(), 1);
}

#[test]
fn a_store_that_is_full_loses_no_die() {
    let mut world = begun("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    world.store = Store::Full;
    play(&mut world, json!("throw"));
    assert!(world.region("t-head").contains("storage is full"), "{}", world.region("t-head"));
    assert_eq!(lines(&world).len(), 3);
    assert!(world.region("t-play").contains("Dice have been thrown"));
    world.store = Store::Keeps;
    play(&mut world, json!("throw"));
    assert_eq!(lines(&world).len(), 4);
    verified(&world, "panzer8");
}

#[test]
fn undo_with_consent_asked_and_given() {
    let mut world = begun("panzer8", "first-game");
    for (who, role) in [("Anna", "side:Allies"), ("Bob", "side:Axis")] {
        table(&mut world, json!({ "more": { "seat": { "who": who, "role": role } } }));
    }
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    play(&mut world, json!("throw"));
    world.press("\"ask_consent\":\"undo\"");
    assert!(world.region("t-play").contains("Anna asks to undo"));
    table(&mut world, json!({ "more": { "act_as": "Bob" } }));
    world.press("\"consent\":true");
    // Consent carries it out: nobody need press Undo again.
    assert!(world.region("t-log").contains("entry-undone"), "{}", world.region("t-log"));
    assert!(said(&world, "t-play").contains("Taken back"), "{}", said(&world, "t-play"));
    verified(&world, "panzer8");
}

#[test]
fn a_request_that_lapses_is_told() {
    let mut world = begun("panzer8", "first-game");
    for (who, role) in [("Anna", "side:Allies"), ("Bob", "side:Axis")] {
        table(&mut world, json!({ "more": { "seat": { "who": who, "role": role } } }));
    }
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    play(&mut world, json!("throw"));
    let event = lines(&world).len();
    world.press("\"ask_consent\":\"undo\"");
    table(&mut world, json!({ "more": { "act_as": "Bob" } }));
    play(&mut world, json!({ "phase": "" }));
    let lapsed = format!("The request of Anna to undo event {event} has lapsed");
    assert!(said(&world, "t-play").contains(&lapsed), "{}", said(&world, "t-play"));
    assert!(said(&world, "t-log").contains(&lapsed), "{}", said(&world, "t-log"));
    assert!(world.told.iter().any(|command| matches!(command, Command::Announce(words) if words.contains(&lapsed))));
    play(&mut world, json!({ "phase": "" }));
    assert!(!said(&world, "t-play").contains(&lapsed), "it is told once");
}

#[test]
fn a_double_tap_does_one_thing() {
    let mut world = begun("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    let before = lines(&world).len();
    // The finger comes down again at once, where now another button is.
    world.quick = true;
    play(&mut world, json!("throw"));
    assert!(large(&world).unwrap().contains("phase"), "{}", world.region("t-act"));
    for _ in 0..3 {
        play(&mut world, json!({ "phase": "" }));
        assert_eq!(lines(&world).len(), before + 1, "the throw, and no phase");
    }
    // A little later it is meant; and twice is once again.
    world.ms += 600;
    play(&mut world, json!({ "phase": "" }));
    play(&mut world, json!({ "phase": "" }));
    assert_eq!(lines(&world).len(), before + 2);
    verified(&world, "panzer8");
}

#[test]
fn a_double_tap_is_one_also_where_keeping_takes_long() {
    let mut world = begun("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    let moment = world.moment();
    let message = |message: Value| serde_json::from_value(json!({ "table": { "play": message } })).unwrap();
    let kept = world.app.update(&moment, message(json!("throw")));
    let Some(Command::AppendLines { reply_to, lines, .. }) = kept.iter().find(|command| matches!(command, Command::AppendLines { .. }))
    else {
        panic!("{kept:?}")
    };
    assert_eq!(lines.len(), 1);
    // Two seconds later it is kept and the button changes; the impatient tap comes just after.
    let later = |ms: u64| adjutant_app::Now { ms: moment.ms + ms, ..moment.clone() };
    world.app.update(&later(2000), Message::Reply { to: reply_to.clone(), reply: adjutant_app::Reply::Done });
    assert!(world.app.update(&later(2300), message(json!({ "phase": "" }))).is_empty());
    assert!(!world.app.update(&later(2700), message(json!({ "phase": "" }))).is_empty());
}

#[test]
fn the_next_phase_stands_elsewhere_than_the_throw() {
    let mut world = begun("panzer8", "first-game");
    let next = world.region("t-act");
    assert!(next.contains("actions-row act-next") && next.contains("act-place"), "{next}");
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    assert!(!world.region("t-act").contains("act-next"), "{}", world.region("t-act"));
}

#[test]
fn a_card_is_played_when_it_is_sent_and_not_when_its_field_is_left() {
    let mut world = begun("combat-leader", "");
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
fn a_mistyped_die_is_taken_back_until_the_throw_is_done() {
    let mut world = begun("panzer8", "first-game");
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
    let mut world = begun("chain-reaction", "two-sides");
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
    assert!(said(&world, "t-play").contains("Throw 4d6 Boris"), "{}", said(&world, "t-play"));
    world.press("\"answer\":\"back\"");
    assert!(
        said(&world, "t-play").contains("Throw 4d6 Anna") && said(&world, "t-play").contains("face 4 of 4"),
        "{}",
        said(&world, "t-play")
    );
    play(&mut world, json!({ "answer": { "face": 1 } }));
    for _ in 0..4 {
        play(&mut world, json!({ "answer": { "face": 2 } }));
    }
    assert!(lines(&world).last().unwrap().contains("[6,5,4,1]"), "{}", lines(&world).last().unwrap());
}

#[test]
fn dice_of_the_program_are_not_taken_back() {
    let mut world = begun("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    // Draws until a Jam card comes.
    for _ in 0..200 {
        play(&mut world, json!("throw"));
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
    let mut world = begun("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    play(&mut world, json!("own_dice"));
    play(&mut world, json!({ "answer": { "card": "57" } }));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Shuffle card: deck reshuffled, draw again."), "{shown}");
    play(&mut world, json!({ "answer": { "card": "53" } }));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Does the weapon jam?") && shown.contains("card 53") && shown.contains("Jam card"), "{shown}");
    assert!(shown.contains("A card has been drawn for this") && !shown.contains("Dice have been thrown"), "{shown}");
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
fn nothing_is_due_is_not_said_while_attacks_wait() {
    let mut world = begun("asl-starter-kit", "one-hex");
    assert!(said(&world, "t-play").contains("Nothing is due"), "{}", said(&world, "t-play"));
    play(&mut world, json!({ "open_chart": { "chart": "close-combat", "role": "attacker", "unit": "u2" } }));
    play(&mut world, json!({ "pick": ["defender", "u4"] }));
    play(&mut world, json!("throw"));
    let shown = said(&world, "t-play");
    assert!(shown.contains("Attacks declared together wait") && !shown.contains("Nothing is due"), "{shown}");
    assert!(!said(&world, "t-act").contains("Nothing is due"), "{}", said(&world, "t-act"));
    play(&mut world, json!("land"));
    verified(&world, "asl-starter-kit");
}

#[test]
fn an_ending_is_told_also_while_something_is_due() {
    let mut world = begun("chain-reaction", "solo");
    for unit in ["u1", "u2", "u3", "u4"] {
        table(&mut world, json!({ "roster": { "remove": [unit, { "word": "killed" }] } }));
    }
    assert!(world.region("t-act").contains("Setting up a possible enemy"), "it is still due: {}", world.region("t-act"));
    assert!(said(&world, "t-play").contains("Your side is gone"), "{}", said(&world, "t-play"));
    assert!(world.region("t-act").contains("Battle report"), "{}", world.region("t-act"));
}

#[test]
fn hostile_names_stay_text() {
    let mut world = begun("panzer8", "two-players");
    table(
        &mut world,
        json!({ "roster": { "add": { "name": HOSTILE.chars().take(60).collect::<String>(), "side": "Allies", "group": "<b>x" } } }),
    );
    table(&mut world, json!({ "log": { "add_note": { "note": HOSTILE } } }));
    table(&mut world, json!({ "more": { "rename": { "name": HOSTILE } } }));
    for tab in ["play", "roster", "log", "more"] {
        table(&mut world, json!({ "tab": tab }));
        let html = world.html();
        assert_eq!(ill_formed(&html), None);
        assert!(!html.contains("<script>") && !html.contains("<b>x") && !html.contains("<img"), "{tab}");
    }
    verified(&world, "panzer8");
}

#[test]
fn a_reload_shows_the_same() {
    let mut world = begun("chain-reaction", "solo");
    for _ in 0..4 {
        let message = large(&world).unwrap();
        world.send(serde_json::from_str(&message).unwrap());
    }
    let Route::Table(id) = world.route().clone() else { panic!() };
    let mut again = World { cards: world.cards.clone(), lines: world.lines.clone(), kept: world.kept.clone(), ..World::default() };
    again.start(&format!("#/game/{id}"));
    assert_eq!(again.region("t-roster"), world.region("t-roster"));
    assert_eq!(again.region("t-log"), world.region("t-log"));
    assert_eq!(again.region("t-act"), world.region("t-act"));
    let mut linked = World { cards: world.cards.clone(), lines: world.lines.clone(), ..World::default() };
    linked.start(&format!("#/game/{id}.4"));
    assert!(linked.region("t-log").contains("entry-panel"));
}

const TYPED: &[&str] = &["", "3", "-1", "99999999999999999999", "½", "yes", "no", HOSTILE, "\u{0}x", "u1", "12", "name,side\nA,Allies"];
const STARTS: &[(&str, &str)] = &[
    ("chain-reaction", "solo"),
    ("panzer8", "first-game"),
    ("combat-leader", "own-decks"),
    ("asl-starter-kit", "one-hex"),
    ("panzer8", ""),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_pressed_every_line_that_is_kept_verifies(
        start in 0..STARTS.len(), deeds in prop::collection::vec((any::<usize>(), 0..TYPED.len(), 0..12_u8), 1..40),
    ) {
        let (pack, way) = STARTS[start];
        let mut world = begun(pack, way);
        for (button, typed, other) in deeds {
            match other {
                0 => world.store = Store::Full,
                1 => world.store = Store::MovedOn,
                2..=4 => world.store = Store::Keeps,
                5 => table(&mut world, json!({ "tab": "more" })),
                _ => {}
            }
            let buttons: Vec<String> = world.buttons(TYPED[typed]).into_iter().filter(|message| message.starts_with("{\"table\"") && !message.contains("\"forget\"")).collect();
            if let Some(message) = buttons.get(button % buttons.len().max(1)) {
                let message: Message = serde_json::from_str(message).unwrap_or_else(|fault| panic!("{fault}: {message}"));
                world.send(message);
            }
            let html = world.html();
            prop_assert_eq!(ill_formed(&html), None);
            prop_assert!(!html.contains("<script") && !html.contains("<img src=x"));
        }
        verified(&world, pack);
    }
}

#[test]
fn a_throw_that_has_begun_lies_there_after_a_reload() {
    let mut world = begun("combat-leader", "");
    play(&mut world, json!({ "open_chart": { "chart": "accuracy" } }));
    play(&mut world, json!({ "form": { "give": ["mod_fp", "3"] } }));
    play(&mut world, json!({ "form": { "give": ["clear", "yes"] } }));
    play(&mut world, json!("own_dice"));
    play(&mut world, json!({ "answer": { "card": "53" } }));
    assert!(world.region("t-play").contains("Does the weapon jam?"), "{}", world.region("t-play"));
    let before = lines(&world).len();
    // Loaded again: the card lies, the question is asked, and the form stays shut.
    let id = world.cards.keys().next().unwrap().clone();
    let mut again = World { cards: world.cards.clone(), lines: world.lines.clone(), kept: world.kept.clone(), ..World::default() };
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
    assert!(again.kept.keys().all(|key| !key.starts_with("throw:")), "what is done is kept as a line");
    verified(&again, "combat-leader");
}

/// What a region says, without its tags.
fn said(world: &World, region: &str) -> String {
    let html = world.region(region);
    let words = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words)).collect::<Vec<_>>().join(" ");
    common::unescaped(&words).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn own_dice_can_be_left_as_long_as_none_lies() {
    let mut world = begun("panzer8", "first-game");
    play(&mut world, json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }));
    play(&mut world, json!({ "form": { "give": ["lost", "3"] } }));
    let before = said(&world, "t-act");
    play(&mut world, json!("own_dice"));
    assert!(said(&world, "t-play").contains("Throw 1d10"), "{}", said(&world, "t-play"));
    world.press("\"answer\":\"back\"");
    assert!(!world.region("t-play").contains("class=\"ask\""));
    assert_eq!(said(&world, "t-act"), before);

    // Once a die lies the throw cannot be left; going back asks for that die again.
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
    let mut world = begun("chain-reaction", "two-sides");
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
    assert!(said(&world, "t-play").contains("Throw 4d6 Anna – In Sight"), "{}", said(&world, "t-play"));
    for _ in 0..4 {
        world.press("\"answer\":{\"face\":6}");
    }
    assert!(said(&world, "t-play").contains("Throw 4d6 Boris – In Sight"), "{}", said(&world, "t-play"));
    for _ in 0..4 {
        world.press("\"answer\":{\"face\":1}");
    }
    assert!(said(&world, "t-play").contains("Anna, Boris: Fires"), "{}", said(&world, "t-play"));
}

#[test]
fn who_caused_a_test_is_asked_only_where_it_is_used_and_of_enemies_only() {
    let mut world = begun("chain-reaction", "two-sides");
    for (name, side) in [("Anna", "First side"), ("Boris", "First side"), ("Carl", "Second side")] {
        let fields = json!({ "side": side, "kind": "figure", "name": name, "group": "", "count": "1", "rep": "4" });
        table(&mut world, json!({ "roster": { "add": fields } }));
    }
    let offered = |world: &World| -> Vec<&str> {
        let buttons = in_region(world, "t-play");
        let takes = |unit: &str| buttons.iter().any(|message| message.contains(&format!("[\"caused_by\",\"{unit}\"]")));
        ["u1", "u2", "u3"].into_iter().filter(|unit| takes(unit)).collect()
    };
    play(&mut world, json!({ "open_chart": { "chart": "crisis", "role": "figure", "unit": "u1" } }));
    play(&mut world, json!({ "form": { "give": ["figure.rep", "4"] } }));
    assert!(offered(&world).is_empty(), "{}", said(&world, "t-play"));
    for reason in ["outgunned", "man_down"] {
        play(&mut world, json!({ "form": { "give": ["reason", reason] } }));
        assert!(offered(&world).is_empty() && large(&world).is_some(), "{reason}: {}", said(&world, "t-play"));
    }
    play(&mut world, json!({ "form": { "give": ["reason", "fired_on"] } }));
    assert_eq!(offered(&world), ["u3"]);
    assert!(large(&world).is_none(), "{}", said(&world, "t-play"));
}

#[test]
fn a_phase_is_told_once_and_a_tab_begins_at_its_top() {
    let mut world = begun("panzer8", "first-game");
    play(&mut world, json!({ "phase": "" }));
    let shown = said(&world, "t-play");
    assert_eq!(shown.matches("Your elements act one after another").count(), 1, "{shown}");
    table(&mut world, json!({ "tab": "roster" }));
    assert_eq!(world.told.last(), Some(&Command::ScrollToTop));
}

#[test]
fn a_refusal_is_seen_on_every_tab() {
    let mut world = begun("panzer8", "first-game");
    table(&mut world, json!({ "tab": "roster" }));
    table(&mut world, json!({ "roster": { "paste": { "text": "nonsense" } } }));
    assert!(said(&world, "t-head").contains("No unit is written here"), "{}", said(&world, "t-head"));
}
