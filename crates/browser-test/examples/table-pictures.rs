//! Plays a few turns in a real Chromium and saves screenshots, on a phone and on a desktop, light
//! and dark: `cargo run -p adjutant-browser-test --example table-pictures -- http://127.0.0.1:8000/
//! FOLDER`, with `target/page` served there.
#![allow(clippy::panic, clippy::expect_used)]

use adjutant_browser_test::{Browser, Tab};
use std::path::Path;

fn begin(page: &Tab, game: &str, way: &str) {
    page.wait("document.documentElement.dataset.ready === 'yes'", "the engine is there");
    page.eval("location.hash = '#/game/new'");
    page.sees("Scenario");
    page.press_text(game);
    page.wait(
        &format!(
            "[...document.querySelectorAll('.way')].some((e) => e.innerText.includes({way:?}))"
        ),
        "the way is offered",
    );
    page.eval(&format!("[...document.querySelectorAll('.way')].find((e) => e.innerText.includes({way:?})).querySelector('input').click()"));
    page.fill("#begin-name", "Hill 112");
    page.press_text("Begin");
    page.wait("document.querySelector('.table-screen')", "the table is open");
}

fn tap_main(page: &Tab) {
    let before = page.eval("document.querySelector('.table-act').innerText + document.querySelector('#t-log').innerText.length");
    page.press(".table-act .button-main");
    page.wait(
        &format!("document.querySelector('.table-act').innerText + document.querySelector('#t-log').innerText.length !== {before}"),
        "something happened",
    );
}

fn tab(page: &Tab, name: &str) {
    page.press(&format!(".table-tab[data-tab={name}]"));
    page.wait(
        &format!("document.querySelector('.table-screen').dataset.tab === '{name}'"),
        "the tab is there",
    );
    page.eval("scrollTo(0, 0)");
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (address, folder) = (args.next().expect("an address"), args.next().expect("a folder"));
    let folder = Path::new(&folder);
    let browser = Browser::start();
    for (theme, dark) in [("light", false), ("dark", true)] {
        let page = browser.page("about:blank");
        page.phone(360, 780);
        page.dark(dark);
        page.go(&address);
        let keep =
            |name: &str| page.picture(&folder.join(format!("phone-{theme}-{name}.png")), false);
        begin(&page, "Chain Reaction", "Solo: a patrol");
        keep("1-begun");
        tap_main(&page);
        page.wait("(() => { const r = document.querySelector('#result')?.getBoundingClientRect(); return r && r.top >= 0 && r.bottom < innerHeight; })()", "the result is in view");
        keep("2-result");
        tap_main(&page);
        tap_main(&page);
        keep("3-phase");
        tap_main(&page);
        keep("4-pef");
        tab(&page, "roster");
        keep("5-roster");
        page.press(".unit-open");
        page.wait("document.querySelector('.unit-panel')", "the unit is open");
        keep("6-unit");
        tab(&page, "log");
        keep("7-log");
        tab(&page, "more");
        keep("8-more");
        for line in page.complaints() {
            println!("phone {theme}: {line}");
        }
        let page = browser.page("about:blank");
        page.size(1280, 900);
        page.dark(dark);
        page.go(&address);
        let keep =
            |name: &str| page.picture(&folder.join(format!("desk-{theme}-{name}.png")), false);
        begin(&page, "Panzer8", "A first game");
        keep("1-begun");
        page.eval("[...document.querySelectorAll('.unit-open')].find((e) => e.innerText.includes('Tank')).click()");
        page.wait("document.querySelector('.unit-panel')", "the unit is open");
        page.press(".unit-charts .chip");
        page.wait("document.querySelector('.role-waits')", "the target is asked");
        keep("2-target");
        page.press(".role-waits .pick");
        page.wait("!document.querySelector('.role-waits')", "the target is taken");
        page.press(".action-panel .segment input");
        page.wait("document.querySelector('.action-panel .odds-bar')", "the odds are there");
        keep("3-form");
        tap_main(&page);
        page.wait("document.querySelector('.result-card')", "the result is there");
        keep("4-result");
        tab(&page, "more");
        keep("5-more");
        page.phone(360, 780);
        tab(&page, "play");
        keep("6-narrow");
        page.size(820, 1100);
        keep("7-tablet");
        for line in page.complaints() {
            println!("desk {theme}: {line}");
        }
    }
}
