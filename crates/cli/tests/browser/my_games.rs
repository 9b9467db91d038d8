//! My games, printing and a game by keyboard: what players do around a game.

use crate::common::{House, Tab, browser, calm, go, ready};
use crate::game::{begin, explained, tab};
use crate::together::two;
use serde_json::json;

/// The card of the one game on home.
fn card(page: &Tab) -> String {
    go(page, "#/help");
    go(page, "#/");
    page.wait("document.querySelector('.table-card')", "the game is listed");
    page.text(".table-card")
}

#[test]
fn my_games_asks_the_server_how_far_a_shared_game_is() {
    let (mut house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    // Anna is at home while Bob goes on to the next turn.
    card(&anna);
    anna.sees_in(".table-card", "Turn 1");
    for _ in 0..4 {
        if bob.text(".turn-phase").contains("Turn 2") || bob.text("#t-head").contains("Turn 2") {
            break;
        }
        let before = bob.text("#t-head");
        bob.press("#t-act .button-main:not([disabled])");
        bob.wait(
            &format!("document.querySelector('#t-head').innerText !== {}", json!(before)),
            "the next phase",
        );
        bob.wait(
            &format!("performance.now() > {} + 650", bob.eval("performance.now()")),
            "no double tap",
        );
    }
    card(&anna);
    anna.sees_in(".table-card", "Turn 2");
    anna.wait("document.querySelector('.table-card .table-move')", "whose move it is");
    assert!(!anna.text(".table-card").contains("when last seen"));
    calm(&anna);
    calm(&bob);
    // Without the server it is told as what it is: the past.
    house.stop();
    anna.offline(true);
    anna.reload();
    ready(&anna);
    anna.sees_in(".table-card", "when last seen");
    assert_eq!(anna.eval("document.querySelector('.table-card .table-move')"), json!(null));
    // When the server is back, it is asked again.
    anna.offline(false);
    house.start();
    anna.eval("dispatchEvent(new Event('online'))");
    anna.sees_in(".table-card", "Turn 2");
    anna.wait("document.querySelector('.table-card .table-move')", "the server has answered");
}

#[test]
fn the_sheet_is_printed_without_the_page_around_it() {
    let (house, browser) = (House::open(), browser());
    for pack in ["panzer8", "asl-starter-kit"] {
        let page = house.visit(&browser, &format!("#/sheet/{pack}"));
        page.eval("window.print = () => { window.printed = true; }, 0");
        page.press_with("button", "Print");
        page.wait("window.printed", "the browser is asked to print");
        page.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        let seen = "[...document.querySelectorAll('#top, #bar, #notice, main button, main input, main a.button')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height > 0).map((e) => `${e.nodeName}#${e.id}.${e.className} ${e.innerText.slice(0, 30)}`)";
        assert_eq!(page.eval(seen), json!([]), "{pack}: only the sheet is printed");
        let pdf = page.ask("Page.printToPDF", json!({ "printBackground": false }));
        let pages = pdf["data"].as_str().map_or(0, str::len);
        assert!(pages > 10_000, "{pack}: {pages} characters of PDF");
        calm(&page);
    }
}

/// Moves the focus with the Tab key to a unit, which Enter then picks.
fn tab_to_unit(page: &Tab, name: &str) {
    for _ in 0..80 {
        page.key("Tab");
        let here = "document.activeElement?.closest('.counter')?.querySelector('.counter-name')?.innerText ?? ''";
        if page.eval(here) == json!(name) {
            return;
        }
    }
    panic!("Tab never comes to {name}");
}

#[test]
fn a_shot_by_keyboard_alone() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    page.wait("document.querySelector('.counter')", "the board");
    tab_to_unit(&page, "Tank");
    page.key("Enter");
    page.sees_in("#action", "Tank");
    tab_to_unit(&page, "Anti-tank gun");
    page.key("Enter");
    page.sees_in("#t-act .button-main:not([disabled])", "Roll");
    page.key("t");
    explained(&page, "on the dice");
    page.key("u");
    page.wait("document.querySelector('.entry-undone')", "it is undone");
    calm(&page);
}
