//! A table through the page, from the beginning to the end: the turn, the log, names, reloads.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{Command, Message, Route};
use common::table::*;
use common::{HOSTILE, Store, World, ill_formed};
use proptest::prelude::*;
use serde_json::{Value, json};

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
    let open =
        |part: &&str| !part.split("</fieldset>").next().unwrap_or_default().contains(" checked");
    html.split("field field-choice").skip(1).find(open).and_then(first)
}

#[test]
fn a_whole_solo_game_with_only_a_thumb() {
    let mut world = started("chain-reaction", "solo");
    assert!(world.region("t-act").contains("button-main"), "{}", world.region("t-act"));
    let (mut phases, mut taps) = (0, 0);
    while !world.region("t-play").contains("class=\"ending\"") && taps < 1500 {
        taps += 1;
        if taps % 25 == 0 {
            assert_eq!(ill_formed(&world.html()), None, "{}", world.html());
        }
        let pressed = match large(&world) {
            // In the free phases the player does what he likes: he looks for the enemy now and
            // then.
            Some(message) if message.contains("\"phase\"") => {
                phases += 1;
                let free: Vec<String> = in_region(&world, "t-play")
                    .into_iter()
                    .filter(|message| message.contains("\"chart\""))
                    .collect();
                let wanted = ["pef-resolve", "in-sight", "shooting"][phases % 3];
                match free.iter().find(|message| message.contains(wanted)) {
                    Some(chart) if phases % 2 == 0 => chart.clone(),
                    _ => message,
                }
            }
            Some(message) => message,
            None => what_waits(&world).unwrap_or_else(|| {
                panic!("stuck:\n{}\n{}", world.region("t-act"), world.region("t-play"))
            }),
        };
        if std::env::var_os("TELL").is_some() {
            eprintln!("{taps} {} {pressed}", lines(&world).len());
        }
        world.send(serde_json::from_str(&pressed).unwrap());
    }
    assert!(
        world.region("t-play").contains("class=\"ending\""),
        "no end after {taps} taps and {} lines",
        lines(&world).len()
    );
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
    let mut world = started("chain-reaction", "solo");
    for n in 1..=3 {
        assert!(
            world.region("t-act").contains("Setting up a possible enemy"),
            "{n}: {}",
            world.region("t-act")
        );
        world.send(serde_json::from_str(&large(&world).unwrap()).unwrap());
        assert!(world.region("t-play").contains("result-line"));
    }
    assert!(
        world.region("t-act").contains("Next: Possible enemies move"),
        "{}",
        world.region("t-act")
    );
    world.send(serde_json::from_str(&large(&world).unwrap()).unwrap());
    assert!(world.region("t-play").contains("Possible enemies move"));
    assert!(world.region("t-act").contains("PEF"), "{}", world.region("t-act"));
}

#[test]
fn undo_with_consent_asked_and_given() {
    let mut world = started("panzer8", "first-game");
    for (who, role) in [("Anna", "side:Allies"), ("Bob", "side:Axis")] {
        table(&mut world, json!({ "more": { "seat": { "who": who, "role": role } } }));
    }
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    play(&mut world, json!("roll"));
    world.press("\"ask_consent\":\"undo\"");
    assert!(world.region("t-play").contains("Anna asks to undo"));
    table(&mut world, json!({ "more": { "act_as": "Bob" } }));
    world.press("\"consent\":true");
    // Consent carries it out: no one need press Undo again.
    assert!(world.region("t-log").contains("entry-undone"), "{}", world.region("t-log"));
    assert!(said(&world, "t-play").contains("Undone"), "{}", said(&world, "t-play"));
    verified(&world, "panzer8");
}

#[test]
fn a_request_that_lapses_is_told() {
    let mut world = started("panzer8", "first-game");
    for (who, role) in [("Anna", "side:Allies"), ("Bob", "side:Axis")] {
        table(&mut world, json!({ "more": { "seat": { "who": who, "role": role } } }));
    }
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    play(&mut world, json!("roll"));
    let event = lines(&world).len();
    world.press("\"ask_consent\":\"undo\"");
    table(&mut world, json!({ "more": { "act_as": "Bob" } }));
    play(&mut world, json!({ "phase": "" }));
    let lapsed = format!("Anna's request to undo event {event} expired");
    assert!(said(&world, "t-play").contains(&lapsed), "{}", said(&world, "t-play"));
    assert!(said(&world, "t-log").contains(&lapsed), "{}", said(&world, "t-log"));
    assert!(
        world
            .told
            .iter()
            .any(|command| matches!(command, Command::Announce(words) if words.contains(&lapsed)))
    );
    play(&mut world, json!({ "phase": "" }));
    assert!(!said(&world, "t-play").contains(&lapsed), "it is told once");
}

#[test]
fn a_double_tap_does_one_thing() {
    let mut world = started("panzer8", "first-game");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    let before = lines(&world).len();
    // The finger comes down again at once, where now another button is.
    world.quick = true;
    play(&mut world, json!("roll"));
    assert!(large(&world).unwrap().contains("phase"), "{}", world.region("t-act"));
    for _ in 0..3 {
        play(&mut world, json!({ "phase": "" }));
        assert_eq!(lines(&world).len(), before + 1, "the roll, and no phase");
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
    let mut world = started("panzer8", "first-game");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    let moment = world.moment();
    let message =
        |message: Value| serde_json::from_value(json!({ "table": { "play": message } })).unwrap();
    let kept = world.app.update(&moment, message(json!("roll")));
    let Some(Command::AppendLines { reply_to, lines, .. }) =
        kept.iter().find(|command| matches!(command, Command::AppendLines { .. }))
    else {
        panic!("{kept:?}")
    };
    assert_eq!(lines.len(), 1);
    // Two seconds later it is kept and the button changes; the impatient tap comes just after.
    let later = |ms: u64| adjutant_app::Now { ms: moment.ms + ms, ..moment.clone() };
    world.app.update(
        &later(2000),
        Message::Reply { to: reply_to.clone(), reply: adjutant_app::Reply::Done },
    );
    assert!(world.app.update(&later(2300), message(json!({ "phase": "" }))).is_empty());
    assert!(!world.app.update(&later(2700), message(json!({ "phase": "" }))).is_empty());
}

#[test]
fn the_next_phase_stands_elsewhere_than_the_roll() {
    let mut world = started("panzer8", "first-game");
    let next = world.region("t-act");
    assert!(next.contains("actions-row act-next") && next.contains("act-place"), "{next}");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } }),
    );
    play(&mut world, json!("allow"));
    assert!(!world.region("t-act").contains("act-next"), "{}", world.region("t-act"));
}

#[test]
fn nothing_is_due_is_not_said_while_attacks_wait() {
    let mut world = started("asl-starter-kit", "one-hex");
    assert!(
        said(&world, "t-play").contains("What do you want to do?"),
        "{}",
        said(&world, "t-play")
    );
    play(
        &mut world,
        json!({ "open_chart": { "chart": "close-combat", "role": "attacker", "unit": "u2" } }),
    );
    play(&mut world, json!({ "pick": ["defender", "u4"] }));
    play(&mut world, json!("roll"));
    let shown = said(&world, "t-play");
    assert!(
        shown.contains("Simultaneous attacks are waiting")
            && !shown.contains("What do you want to do?")
            && !shown.contains("No test is pending"),
        "{shown}"
    );
    assert!(!said(&world, "t-act").contains("No test is pending"), "{}", said(&world, "t-act"));
    play(&mut world, json!("land"));
    verified(&world, "asl-starter-kit");
}

#[test]
fn a_tap_leaves_a_unit_of_the_stack_out() {
    let mut world = started("asl-starter-kit", "one-hex");
    play(
        &mut world,
        json!({ "open_chart": { "chart": "close-combat", "role": "attacker", "unit": "u2" } }),
    );
    play(&mut world, json!({ "pick": ["defender", "u4"] }));
    let shown = said(&world, "t-play");
    assert!(
        shown.contains("With Squad 1 Leader") && shown.contains("With Squad Half-squad"),
        "{shown}"
    );
    play(&mut world, json!({ "leave_out": "u5" }));
    // A second tap takes it back.
    play(&mut world, json!({ "leave_out": "u3" }));
    play(&mut world, json!({ "leave_out": "u3" }));
    play(&mut world, json!("roll"));
    play(&mut world, json!("land"));
    let log = said(&world, "t-log");
    assert!(log.contains("without Half-squad.") && !log.contains("without Squad"), "{log}");
    verified(&world, "asl-starter-kit");
    // The same again: how many are attacked is counted again.
    play(&mut world, json!("again"));
    assert!(!said(&world, "t-play").contains("on the roster"), "{}", said(&world, "t-play"));
}

#[test]
fn an_ending_is_told_also_while_something_is_due() {
    let mut world = started("chain-reaction", "solo");
    for unit in ["u1", "u2", "u3", "u4"] {
        table(&mut world, json!({ "roster": { "remove": [unit, { "word": "killed" }] } }));
    }
    assert!(
        world.region("t-act").contains("Setting up a possible enemy"),
        "it is still due: {}",
        world.region("t-act")
    );
    let shown = said(&world, "t-play");
    assert!(shown.contains("The fight is over") && shown.contains("The enemy won"), "{shown}");
    assert!(world.region("t-act").contains("Battle report"), "{}", world.region("t-act"));
}

#[test]
fn hostile_names_stay_text() {
    let mut world = started("panzer8", "two-players");
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
        assert!(
            !html.contains("<script>") && !html.contains("<b>x") && !html.contains("<img"),
            "{tab}"
        );
    }
    verified(&world, "panzer8");
}

#[test]
fn a_reload_shows_the_same() {
    let mut world = started("chain-reaction", "solo");
    for _ in 0..4 {
        let message = large(&world).unwrap();
        world.send(serde_json::from_str(&message).unwrap());
    }
    let Route::Table(id) = world.route().clone() else { panic!() };
    let mut again = World {
        cards: world.cards.clone(),
        lines: world.lines.clone(),
        kept: world.kept.clone(),
        ..World::default()
    };
    again.start(&format!("#/game/{id}"));
    assert_eq!(again.region("t-roster"), world.region("t-roster"));
    assert_eq!(again.region("t-log"), world.region("t-log"));
    assert_eq!(again.region("t-act"), world.region("t-act"));
    let mut linked =
        World { cards: world.cards.clone(), lines: world.lines.clone(), ..World::default() };
    linked.start(&format!("#/game/{id}.4"));
    assert!(linked.region("t-log").contains("entry-panel"));
}

/// The small edition of the engine hands its tasks to the full one by these addresses.
#[test]
fn an_address_opens_a_game_and_does_something_with_it() {
    let world = started("chain-reaction", "solo");
    let Route::Table(id) = world.route().clone() else { panic!() };
    let begun = |task: &str| {
        let mut begun = World {
            cards: world.cards.clone(),
            lines: world.lines.clone(),
            kept: world.kept.clone(),
            ..World::default()
        };
        begun.start(&format!("#/game/{id}.{task}"));
        // Back and reload lead to the game, and do nothing again.
        assert_eq!(begun.route(), &Route::Table(id.clone()));
        let address = Command::Go { to: format!("#/game/{id}"), replace: true };
        assert!(begun.told.contains(&address), "{task}: {:?}", begun.told);
        assert!(begun.region("main").contains("data-tab=\"more\""), "{task}");
        begun
    };
    let files = |world: &World| -> Vec<String> {
        let files = world.told.iter().filter_map(|command| match command {
            Command::Download { name, text, .. } => {
                assert!(text.contains("Hill 112"));
                Some(name.clone())
            }
            _ => None,
        });
        files.collect()
    };
    assert_eq!(files(&begun("report")), ["hill-112.html"]);
    assert_eq!(files(&begun("report-text")), ["hill-112.md"]);
    let luck = begun("luck");
    assert!(
        said(&luck, "t-more").contains("A verdict needs at least"),
        "{}",
        said(&luck, "t-more")
    );
    assert!(files(&luck).is_empty());
    // In a game that is open, too.
    let mut open = world;
    open.send(adjutant_app::Message::Go(format!("#/game/{id}.report")));
    assert_eq!(files(&open), ["hill-112.html"]);
    assert_eq!(open.route(), &Route::Table(id));
}

/// The game stays on the screen when the full edition of the engine cannot be fetched.
#[test]
fn a_game_goes_on_without_the_workshop() {
    let mut world = started("chain-reaction", "solo");
    let Route::Table(id) = world.route().clone() else { panic!() };
    let shown = world.region("t-act");
    world.told.clear();
    world.send(adjutant_app::Message::NoWorkshop);
    assert!(said(&world, "notice").contains("could not be loaded"));
    assert_eq!(world.region("t-act"), shown);
    let address = Command::Go { to: format!("#/game/{id}"), replace: true };
    assert!(world.told.contains(&address), "{:?}", world.told);
}

const TYPED: &[&str] = &[
    "",
    "3",
    "-1",
    "99999999999999999999",
    "½",
    "yes",
    "no",
    HOSTILE,
    "\u{0}x",
    "u1",
    "12",
    "name,side\nA,Allies",
];
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
        let mut world = started(pack, way);
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
fn a_phase_is_told_once_and_a_tab_begins_at_its_top() {
    let mut world = started("panzer8", "first-game");
    play(&mut world, json!({ "phase": "action" }));
    let shown = said(&world, "t-play");
    assert_eq!(shown.matches("Your elements act one after another").count(), 1, "{shown}");
    table(&mut world, json!({ "tab": "roster" }));
    assert_eq!(world.told.last(), Some(&Command::ScrollToTop));
}

#[test]
fn a_refusal_is_seen_on_every_tab() {
    let mut world = started("panzer8", "first-game");
    table(&mut world, json!({ "tab": "roster" }));
    table(&mut world, json!({ "roster": { "paste": { "text": "Rifles, sense" } } }));
    assert!(said(&world, "t-head").contains("neither a value nor"), "{}", said(&world, "t-head"));
}

#[test]
fn a_hand_is_shown_to_its_owner_alone() {
    let deck = "card,title,luck\n1,Ember,1\n2,Gust,2\n3,Tide,3\n";
    let pack = "[pack]\nid = \"hands\"\ntitle = \"Hands\"\n[unit.man]\ntitle = \"Man\"\n[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n\
        hand = { of = \"side\", size = 2 }\n[deck.fate.field]\nluck = { number = \"Luck\" }\n\
        [chart.deal]\ntitle = \"Deal\"\nwho = { man = \"man\" }\nstep = [ { draw = \"fate\", to = \"hand\" } ]\nread = { value = \"card.cards\" }\n";
    let texts = [("pack.toml", pack), ("deck.csv", deck)];
    let read = adjutant_pack::read_pack(&adjutant_pack::Files::of(texts), None).unwrap();
    let mut game = adjutant_game::Table::empty(std::sync::Arc::new(read));
    let stamp =
        |by: &str| adjutant_game::Stamp { by: by.into(), at: "2026-11-16T04:00:00Z".into() };
    let begin = adjutant_game::Begin {
        name: "Hands".into(),
        sides: vec!["Red".into(), "Blue".into()],
        ..adjutant_game::Begin::default()
    };
    let line = game.begin(&stamp("Anna"), begin).unwrap();
    game.apply(&line.text).unwrap();
    for (who, side) in [("Anna", "Red"), ("Bob", "Blue")] {
        let role = adjutant_game::Seat::Player { side: side.into() };
        let join = adjutant_game::EventKind::Join { who: who.into(), role };
        let line = game.act(&stamp(who), join).unwrap();
        game.apply(&line.text).unwrap();
    }
    let man = adjutant_game::NewUnit {
        kind: "man".into(),
        name: "Novak".into(),
        side: "Red".into(),
        ..adjutant_game::NewUnit::default()
    };
    let line = game.act(&stamp("Anna"), adjutant_game::EventKind::Add(vec![man])).unwrap();
    game.apply(&line.text).unwrap();
    let play = adjutant_game::PlayRequest::of("deal").unit("man", "u1");
    let mut cards = adjutant_dice::EnteredInput::new().with_cards([1, 3]);
    let line = game.play(&stamp("Anna"), &play, &mut cards).unwrap();
    game.apply(&line.text).unwrap();

    let mut world = World::default();
    world
        .kept
        .insert("own:hands".into(), json!({ "pack.toml": pack, "deck.csv": deck }).to_string());
    world.lines.insert("t1".into(), game.lines().map(str::to_owned).collect());
    let card = adjutant_app::TableCard {
        id: "t1".into(),
        name: "Hands".into(),
        pack: "hands".into(),
        last: game.lines().len() as u64,
        ..adjutant_app::TableCard::default()
    };
    world.cards.insert("t1".into(), card);
    world.start("#/game/t1");
    table(&mut world, json!({ "tab": "more" }));
    let mut seen = |who: &str| {
        table(&mut world, json!({ "more": { "act_as": who } }));
        said(&world, "t-more")
    };
    let (anna, bob) = (seen("Anna"), seen("Bob"));
    assert!(anna.contains("Ember") && anna.contains("Tide") && !anna.contains("Gust"), "{anna}");
    assert!(!bob.contains("Ember") && !bob.contains("Tide"), "{bob}");
    // Both see how many cards there are, and that hiding them is a courtesy.
    for text in [&anna, &bob] {
        assert!(text.contains(adjutant_wording::en::page::table::HANDS_ARE_A_COURTESY), "{text}");
    }
}

/// Who shares a sample game is asked for a name first: the others see who rolls.
#[test]
fn a_game_is_shared_under_the_players_own_name() {
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/");
    world.send(adjutant_app::Message::HasServer(true));
    world.press("\"sample\"");
    world.calls.clear();
    table(&mut world, json!({ "more": "invite" }));
    assert!(world.calls.is_empty() && world.region("t-play").contains("What's your name?"));
    table(&mut world, json!({ "more": { "host": { "name": "  " } } }));
    assert!(world.calls.is_empty(), "a blank is no name");
    table(&mut world, json!({ "more": { "host": { "name": " Anna " } } }));
    let (_, call) = &world.calls[0];
    assert_eq!(call.path, "api/games/import?who=Anna");
    assert!(call.body.contains(r#""join":{"who":"Anna""#), "{}", call.body);
    assert_eq!(world.kept["name"], "Anna");
    // The form for a new game asks, too.
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/game/new");
    world.send(adjutant_app::Message::HasServer(true));
    world.calls.clear();
    table(&mut world, json!({ "new_table": { "shared": true } }));
    table(&mut world, json!({ "new_table": { "create": { "name": "Hill", "who": " " } } }));
    assert!(world.calls.is_empty() && world.html().contains("Enter your name first."));
}

/// An army list is pasted in any form. Units of one name are numbered.
#[test]
fn an_army_list_is_pasted() {
    let mut world = started("panzer8", "");
    let names = |world: &World| -> Vec<String> {
        let table = verified(world, "panzer8");
        let side = |unit: &adjutant_game::Unit| table.sides()[unit.side].clone();
        table.state().units.iter().map(|unit| format!("{} {}", side(unit), unit.name)).collect()
    };
    let paste = |world: &mut World, text: &str| {
        table(world, json!({ "roster": { "paste": { "text": text } } }));
    };
    paste(&mut world, "name,hesa,count\nRifles,4,3\nSherman,5,1\n");
    let sides = verified(&world, "panzer8").sides().to_vec();
    let first = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("{} {name}", sides[0])).collect()
    };
    assert_eq!(names(&world), first(&["Rifles 1", "Rifles 2", "Rifles 3", "Sherman"]));
    // The same again: the numbers go on.
    paste(&mut world, "name,count\nRifles,2\n");
    assert_eq!(names(&world)[4..], first(&["Rifles 4", "Rifles 5"]));
    table(&mut world, json!({ "roster": { "import_side": sides[1] } }));
    paste(&mut world, "name,hesa\nGrenadiers,5\n");
    assert_eq!(names(&world)[6], format!("{} Grenadiers", sides[1]));
    // The other forms, pasted and as files; a side in the text counts.
    paste(&mut world, &format!("{}:\n- 2 Scouts, HE 4\n", sides[0]));
    paste(&mut world, "[[unit]]\nname = \"Mortar\"\nhesa = 4\n");
    let json = json!([{ "id": "u1", "kind": "element", "name": "Tank", "side": sides[0], "has": { "hesa": 5 } }]);
    for (name, text) in [("list.json", json.to_string()), ("list.txt", "Gun, HE 5".to_owned())] {
        table(&mut world, json!({ "roster": { "import": { "name": name, "text": text } } }));
    }
    let (ours, theirs) = (&sides[0], &sides[1]);
    let added = [
        format!("{ours} Scouts 1"),
        format!("{ours} Scouts 2"),
        format!("{theirs} Mortar"),
        format!("{ours} Tank"),
        format!("{theirs} Gun"),
    ];
    assert_eq!(names(&world)[7..], added, "{}", world.region("t-head"));
    // What is wrong is said, and nothing is added.
    for (text, why) in [
        ("name,zeal\nRifles,4\n", "zeal"),
        ("name,hesa\nRifles,99\n", "is not accepted"),
        ("3 Rifles, zeal 4\n", "neither a value nor a status"),
        ("[1]", "this is not a unit"),
        ("{\"n\":1}\n{\"n\":2}\n", "It is not JSON"),
        (&"x".repeat(2 << 20), "too large"),
    ] {
        paste(&mut world, text);
        let head = world.region("t-head");
        assert!(head.contains(why), "{why}: {head}");
        assert_eq!(names(&world).len(), 12);
    }
}
