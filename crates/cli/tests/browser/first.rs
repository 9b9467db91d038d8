//! The first seconds: something is there before the engine is, nothing jumps, and nothing that the
//! page does is forbidden to it.

use crate::common::{House, browser, calm, ready};
use serde_json::json;

#[test]
fn home_is_there_before_the_engine_and_does_not_jump_when_it_comes() {
    let (house, browser) = (House::open(), browser());
    let page = browser.page("about:blank");
    page.eval("0");
    // The engine is held back at the door.
    page.ask("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*engine.wasm" }] }));
    page.ask("Page.navigate", json!({ "url": house.url("") }));
    page.sees("Your wargame's quick-reference sheet, automated");
    for game in ["Combat Leader", "Panzer8", "Chain Reaction", "ASL Starter Kit"] {
        page.sees(game);
    }
    page.wait(
        "performance.getEntriesByName('first-contentful-paint').length > 0",
        "it was painted",
    );
    assert_eq!(page.eval("document.documentElement.dataset.ready ?? null"), json!(null));
    let before = page.eval("document.querySelector('main').getBoundingClientRect().height");
    page.eval("window.jumps = 0; new PerformanceObserver((list) => { for (const jump of list.getEntries()) if (!jump.hadRecentInput) window.jumps += jump.value; }).observe({ type: 'layout-shift', buffered: true }); 0");
    page.ask("Fetch.disable", json!({}));
    ready(&page);
    page.wait("document.querySelector('.demo .button-main')", "the chart to try is there");
    page.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    let jumps = page.eval("window.jumps").as_f64().unwrap();
    let after = page.eval("document.querySelector('main').getBoundingClientRect().height");
    assert!(
        jumps < 0.05,
        "the page jumped by {jumps} when the engine came ({before} high before, {after} after)"
    );
    calm(&page);
}

/// The lab, fights and the pack editor are in a second file, which a first visit does not fetch.
#[test]
fn the_workshop_is_fetched_when_it_is_needed_and_its_absence_is_told() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    let fetched = "performance.getEntriesByType('resource').some((file) => file.name.endsWith('workshop.wasm'))";
    assert_eq!(page.eval(fetched), json!(false));
    page.eval("window.whole = window.fetch; window.fetch = (file, how) => String(file).includes('workshop') ? Promise.reject(new TypeError('gone')) : window.whole(file, how); 0");
    page.eval("location.hash = '#/lab/panzer8/fire'; 0");
    page.sees("could not be loaded");
    page.eval("window.fetch = window.whole; location.hash = '#/'; 0");
    page.sees("Your wargame's quick-reference sheet, automated");
    page.eval("location.hash = '#/lab/panzer8/fire'; 0");
    page.sees("Number of rolls");
    assert_eq!(page.eval(fetched), json!(true));
    // The address leads there directly too, and the page is ready when the screen is.
    let page = house.visit(&browser, "#/editor");
    assert_eq!(page.eval("document.querySelector('main textarea') !== null"), json!(true));
    calm(&page);
}

/// A cold page on a phone: one tap to an explained result, one to a real game.
#[test]
fn one_tap_from_home_to_an_explained_result_and_one_to_a_sample_game() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    let above = |what: &str| {
        let found = format!(
            "document.querySelector({}).getBoundingClientRect().bottom <= document.querySelector('#bar').getBoundingClientRect().top",
            json!(what)
        );
        page.wait(&format!("document.querySelector({})", json!(what)), what);
        assert_eq!(page.eval(&found), json!(true), "{what} is above the fold");
    };
    above(".demo .button-main");
    above(".button-strong");
    page.press(".demo .button-main");
    page.sees_in(".demo", "on the dice");
    page.press(".button-strong");
    page.wait("document.querySelectorAll('.counter').length > 4", "both sides are on the board");
    calm(&page);
}

#[test]
fn what_strangers_would_put_into_the_page_does_not_run() {
    let (house, browser) = (House::open(), browser());
    let page =
        house.visit(&browser, "#/chart/panzer8/fire?ammo=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E");
    page.sees("AP, HE or small-arms fire");
    assert_eq!(page.eval("document.querySelectorAll('main img').length"), json!(0));
    calm(&page);
    page.eval("(() => { const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script); })()");
    page.eval("(() => { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 2\">'); })()");
    page.eval("new Promise((done) => { const image = document.querySelector('img'); image.complete ? done() : image.onerror = done; })");
    assert_eq!(page.eval("window.ran ?? null"), json!(null));
    assert!(
        page.complaints().iter().any(|said| said.contains("Content Security Policy")),
        "the policy speaks"
    );
}

#[test]
fn no_request_goes_anywhere_else() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    for place in
        ["#/sheet/panzer8", "#/chart/combat-leader/accuracy", "#/lab/panzer8/fire", "#/editor"]
    {
        crate::common::go(&page, place);
        page.wait("document.querySelector('main h1')", "a head");
    }
    let elsewhere = "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith(location.origin + '/'))";
    assert_eq!(page.eval(elsewhere), json!([]));
    calm(&page);
}
