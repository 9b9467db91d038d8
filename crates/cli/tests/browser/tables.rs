//! A game on this device alone: whole exchanges, undo, files, and a store that refuses.

use crate::common::{House, browser, calm, faces, go, ready};
use crate::game::{begin, chart, explained, fire, large, last, own, pick, tab, tap, verified};
use crate::offline::put_by;
use serde_json::json;

#[test]
fn a_full_exchange_of_panzer8_is_on_the_right_units_and_a_reload_keeps_it() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(360, 780);
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    // 4 + 7 against 5 + 3: by three.
    own(&page, &[7, 3], "Suppressed");
    page.sees_in(".result-card .changes", "Grenadiers");
    fire(&page, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    own(&page, &[9, 4], "Out of Action");
    chart(&page, "Recover or rally");
    pick(&page, "Element", "Grenadiers", "Suppressed");
    own(&page, &[7], "Unsuppressed");
    tab(&page, "Roster");
    let row = |text: &str| {
        format!(
            "[...document.querySelectorAll('.unit-open')].filter((e) => e.innerText.includes({})).length",
            json!(text)
        )
    };
    assert_eq!(page.eval(&row("Out of Action")), json!(1));
    assert_eq!(page.eval(&row("Suppressed")), json!(0));
    let events = last(&page);
    page.reload();
    ready(&page);
    page.wait("document.querySelector('.table-screen')", "the table is there again");
    assert_eq!(last(&page), events);
    go(&page, "#/");
    page.sees_in(".my-tables", "Panzer8");
    page.press(".table-open");
    page.wait("document.querySelector('.table-screen')", "and from home");
    verified(&page);
    calm(&page);
}

#[test]
fn a_solo_turn_of_chain_reaction_with_only_a_thumb() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(360, 780);
    begin(&page, "chain-reaction", "Solo: a patrol among possible enemies", false);
    tab(&page, "Play");
    let next = "['#t-play .ask-answers button', '#t-play .role-waits .pick', '#t-act .button-main:not([disabled])', '#t-play .field-missing .step:last-of-type', '#t-play .field-choice .segment', '#t-act .button']\
                .flatMap((wanted) => [...document.querySelectorAll(wanted)]).filter((e) => e.checkVisibility())";
    let shown = "document.querySelector('main').innerText";
    let mut presses = 0;
    while page.eval("document.querySelector('.turn-number').innerText") != json!("Turn 2") {
        let before = page.eval(shown);
        page.press_what(next, "something to press");
        page.wait(&format!("{shown} !== {before}"), "something happened");
        // A second tap within 600 ms is taken for a double tap.
        page.wait(
            &format!("performance.now() > {} + 650", page.eval("performance.now()")),
            "the thumb comes down again",
        );
        presses += 1;
        assert!(presses < 80, "a turn takes too many taps: {}", page.text("main"));
    }
    verified(&page);
    calm(&page);
}

/// From a running game to the next result: unit, target, roll. The same again: one tap.
#[test]
fn a_shot_takes_three_taps_and_its_repetition_one() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    begin(&page, "panzer8", "A first game", false);
    page.wait("document.querySelector('.counter')", "the board is there");
    let events = last(&page);
    for unit in ["Tank", "Anti-tank gun"] {
        let seen = format!(
            "[...document.querySelectorAll('.counter')].some((e) => e.innerText.includes({}) && e.getBoundingClientRect().bottom < innerHeight / 2)",
            json!(unit)
        );
        assert_eq!(page.eval(&seen), json!(true), "{unit} is in view without scrolling down");
        tap(&page, unit);
    }
    page.press("#t-act .button-main");
    page.wait("document.querySelector('.result-card .sums')", "the first result");
    assert_eq!(last(&page), events + 1);
    page.sees_in(".result-numbers", "chance");
    page.wait(
        &format!("performance.now() > {} + 650", page.eval("performance.now()")),
        "the thumb comes down again",
    );
    // A shot that puts no one out can be repeated whatever it brought.
    tap(&page, "Command");
    tap(&page, "Grenadiers");
    page.press_with(".segment", "AP");
    page.press_with("#t-play label", "half range");
    large(&page, "Roll");
    page.wait(
        &format!("performance.now() > {} + 650", page.eval("performance.now()")),
        "the thumb comes down again",
    );
    let events = last(&page);
    page.press_with(".result-acts button", "Roll again");
    page.wait(
        &format!(
            "Number(document.querySelector('.log-list .entry-n')?.textContent) === {}",
            events + 1
        ),
        "the same again",
    );
    verified(&page);
    calm(&page);
}

/// Every press of the thumb above falls where the large button was seen a moment before. So it may
/// not move by itself: not with the page's own scrolling to the result, and not with the player's.
#[test]
fn the_large_button_stays_where_it_is_however_the_page_is_scrolled() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(360, 780);
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    let place = "(() => { const row = document.querySelector('#t-act, #actions, .begin-act').getBoundingClientRect(); return [Math.round(row.bottom), Math.round(document.querySelector('#bar').getBoundingClientRect().top)]; })()";
    let stands = |name: &str| {
        for to in ["0", "99999", "document.documentElement.scrollHeight / 2"] {
            // The page goes there at once: half way is nowhere.
            let at = page.eval(&format!("(scrollTo(0, {to}), [scrollY, {place}])"));
            let later = page.eval(&format!(
                "new Promise((done) => setTimeout(() => done([scrollY, {place}]), 120))"
            ));
            assert_eq!(at, later, "{name}: the page moves by itself");
            assert_eq!(
                at[1][0], at[1][1],
                "{name}, scrolled to {}: the row stands on the bar",
                at[0]
            );
        }
    };
    stands("a table with little in it");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    stands("a chart on the desk");
    large(&page, "Roll");
    explained(&page, "on the dice");
    stands("a result");
    go(&page, "#/chart/panzer8/rally");
    page.sees_in("main h1", "Recover or rally");
    stands("a chart that is tried");
    // The form that begins a table is longer than a phone; its button is there all the same.
    for (width, height) in [(820, 1180), (390, 844), (320, 568)] {
        page.phone(width, height);
        for pack in ["panzer8", "chain-reaction", "combat-leader", "asl-starter-kit"] {
            go(&page, &format!("#/game/new.{pack}"));
            page.sees_in("main h1", "New game");
            page.wait(
                &format!(
                    "document.querySelector('input[name=pack]:checked')?.value === {}",
                    json!(pack)
                ),
                pack,
            );
            stands(&format!("the form that begins a table of {pack}, {width} wide"));
        }
    }
    calm(&page);
}

/// Both taps of a double tap fall on the same place of the screen.
#[test]
fn a_double_tap_rolls_and_does_not_skip_the_phase() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    let place = |what: &str| {
        page.sees_in("#t-act .button-main:not([disabled])", what);
        let found = page.eval(
            "(() => { const r = document.querySelector('#t-act .button-main').getBoundingClientRect(); return [r.top, r.bottom]; })()",
        );
        (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
    };
    let next = place("Next: ");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    let roll = place("Roll");
    assert!(next.1 <= roll.0, "the next phase stands above the roll: {next:?}, {roll:?}");
    let (events, phase) = (last(&page), page.text(".turn-phase"));
    for event in ["mousePressed", "mouseReleased", "mousePressed", "mouseReleased"] {
        page.ask(
            "Input.dispatchMouseEvent",
            json!({ "type": event, "x": 120, "y": (roll.0 + roll.1) / 2.0, "button": "left", "clickCount": 1 }),
        );
    }
    explained(&page, "on the dice");
    // The key that presses the large button is no way around.
    page.key("t");
    assert_eq!((last(&page), page.text(".turn-phase")), (events + 1, phase));
    calm(&page);
}

#[test]
fn not_now_plays_no_card_and_a_mistyped_die_is_taken_back() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "combat-leader", "Empty game", false);
    tab(&page, "Play");
    chart(&page, "Repair");
    let events = last(&page);
    page.press_text("My card");
    page.fill("#card-number", "1");
    page.press_text("Not now");
    page.wait("!document.querySelector('.ask')", "the card is not asked for any more");
    assert_eq!(last(&page), events, "no card was played");
    // A button sends it as the key does.
    page.press_text("My card");
    page.fill("#card-number", "57");
    page.press_text("Use this card");
    page.sees_in(".ask", "Shuffle card: deck reshuffled, draw again.");
    page.fill("#card-number", "3");
    page.press_text("Use this card");
    explained(&page, "card 3");
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    page.press_text("My dice");
    page.press(".pad-face[aria-label='2']");
    page.wait("document.querySelector('.action-panel .roll')", "the die lies there");
    page.press_text("Go back one step");
    page.wait("!document.querySelector('.action-panel .roll')", "the die is taken back");
    faces(&page, &[7, 3]);
    page.sees_in(".result-card .result-line", "Suppressed");
    verified(&page);
    calm(&page);
}

#[test]
fn an_asl_close_combat_after_an_ambush() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "asl-starter-kit", "One hex", false);
    chart(&page, "Ambush");
    pick(&page, "Attacker", "Squad", "Attacker");
    pick(&page, "Defender", "Squad", "Defender");
    own(&page, &[1, 4], "The attacker ambushes");
    // The ambusher attacks first; both attacks are due, with all that is known filled in.
    page.sees_in(".pending", "Ambusher attacks first");
    page.sees_in(".pending", "Survivors reply");
    page.sees_in("#action", "Close combat");
    own(&page, &[6, 5], "No effect");
    explained(&page, "Ambush, by the ambusher");
    page.sees_in(".action-why", "Survivors reply");
    own(&page, &[1, 1], "All eliminated");
    page.wait("!document.querySelector('.pending')", "nothing is due any more");
    verified(&page);
    calm(&page);
}

#[test]
fn cards_of_a_table_leave_the_deck_and_come_back_with_a_shuffle() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "combat-leader", "Empty game", false);
    tab(&page, "Play");
    let draw = |title: &str, cards: &[&str]| {
        chart(&page, title);
        page.press_text("My card");
        for card in cards {
            page.fill("#card-number", card);
            page.key("Enter");
        }
    };
    let left = |count: &str| {
        tab(&page, "More");
        page.sees_in(".deck-left", count);
        tab(&page, "Play");
    };
    draw("Repair", &["1"]);
    explained(&page, "card 1");
    left("59 of 60 cards left");
    // A card that is out cannot come again.
    draw("Repair", &["1"]);
    page.sees_in(".ask .wrong", "1");
    page.fill("#card-number", "57");
    page.key("Enter");
    page.fill("#card-number", "2");
    page.key("Enter");
    explained(&page, "reshuffled");
    left("59 of 60 cards left");
    verified(&page);
    calm(&page);
}

#[test]
fn a_store_that_is_full_or_refused_is_said_and_no_die_is_lost() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    let events = last(&page);
    // A browser gives no way to fill its store on demand: what it says when it is full is put into
    // its mouth.
    page.eval("(() => { const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function () { throw new DOMException('full', 'QuotaExceededError'); }; window.more_room = () => { IDBObjectStore.prototype.put = put; }; })()");
    page.press_text("My dice");
    faces(&page, &[7, 3]);
    page.sees_in("#wrong", "storage is full");
    assert_eq!(last(&page), events, "what is not kept does not count");
    page.eval("window.more_room()");
    // The dice lie where they lay.
    page.press("#t-act .button-main");
    page.sees_in(".result-card .result-line", "Suppressed");
    assert_eq!(last(&page), events + 1);
    verified(&page);

    let page = browser.page("about:blank");
    page.before_all("IDBFactory.prototype.open = () => { throw new DOMException('not here', 'SecurityError'); };");
    page.go(&house.url(""));
    ready(&page);
    page.sees("This browser saves nothing for this page");
    go(&page, "#/chart/panzer8/rally");
    page.press("#actions .button-main");
    page.sees_in("#out", "on the dice");
}

#[test]
fn a_solo_game_goes_on_without_a_server_and_is_exported() {
    let (mut house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    put_by(&page);
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    own(&page, &[7, 3], "Suppressed");
    house.stop();
    page.offline(true);
    page.reload();
    ready(&page);
    page.wait("document.querySelector('.table-screen')", "the table is there without a server");
    fire(&page, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    large(&page, "Roll");
    explained(&page, "on the dice");
    let events = last(&page);
    page.reload();
    ready(&page);
    page.wait("document.querySelector('.table-screen')", "and still");
    assert_eq!(last(&page), events);
    verified(&page);
}

/// The luck and the battle report of a game are made by a second file, with which the game starts
/// again.
#[test]
fn luck_and_the_battle_report_are_fetched_and_a_roll_in_progress_stays() {
    let (mut house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    fire(&page, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    own(&page, &[7, 3], "Suppressed");
    fire(&page, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    page.press_text("My dice");
    faces(&page, &[9]);
    let game = page.eval("location.hash");
    page.eval("window.whole = window.fetch; window.fetch = (file, how) => String(file).includes('workshop') ? Promise.reject(new TypeError('gone')) : window.whole(file, how); 0");
    tab(&page, "More");
    page.press_with("button", "Show luck");
    page.sees("could not be loaded");
    assert_eq!(page.eval("location.hash"), game);
    page.eval("window.fetch = window.whole; 0");
    page.press_with("button", "Show luck");
    page.sees_in("#t-more", "A verdict needs at least");
    assert_eq!(page.eval("location.hash"), game);
    assert_eq!(page.eval("document.body.innerText.includes('could not be loaded')"), json!(false));
    // The second die is still asked for, and the first is as it was.
    tab(&page, "Play");
    faces(&page, &[4]);
    page.sees_in(".result-card .result-line", "Out of Action");
    // The file is kept after a first visit, so that the report needs no network later.
    put_by(&page);
    page.wait(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((shelf) => shelf.match('workshop.wasm')))).then((files) => files.some(Boolean)))",
        "the second file is kept",
    );
    calm(&page);
    house.stop();
    page.offline(true);
    page.reload();
    ready(&page);
    let folder = tempfile::tempdir().unwrap();
    page.keep_files(folder.path());
    tab(&page, "More");
    page.press_with("button", "Battle report as text");
    let report = std::fs::read_to_string(page.file(folder.path(), ".md")).unwrap();
    assert!(report.contains("Out of Action"), "{report}");
}
