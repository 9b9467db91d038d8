//! How much the page weighs and how soon it can be used. A test of its own, so that no other runs
//! beside it. Other work on the machine still counts: before each measure a fixed sum is done many
//! times over, and as much as it usually (the median) takes longer than at its best, the machine is
//! busy; as much as its best is slower than on the machine where the phone was defined, the machine
//! is slow. The limits are stretched by both and no more, and all is printed.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "browser/common.rs"]
mod common;

use common::{Browser, House, Tab, adjutant, ready};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most that a first visit fetches, compressed.
const WEIGHT: usize = 1_000_000;
/// Fetched for the lab, fights, the pack editor and battle reports, or when the first visit is done.
const WORKSHOP: &str = "workshop.wasm";
/// The most that the fonts weigh.
const LETTERS: usize = 45_000;
/// A phone is so many times slower than this machine.
const PHONE: u32 = 4;

/// The length of a file as the server sends it to a browser.
fn sent(house: &House, name: &str) -> usize {
    let mut stream = TcpStream::connect(&house.address).unwrap();
    write!(stream, "GET /{name} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n", house.address).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{name}");
    answer.len() - head - 4
}

/// What a first visit fetches, file by file, compressed.
fn weights() -> Vec<(usize, String)> {
    let house = House::open();
    let folder = tempfile::tempdir().unwrap();
    adjutant(&["page", "-o", folder.path().to_str().unwrap()]);
    let mut files: Vec<(usize, String)> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| (sent(&house, if name == "index.html" { "" } else { &name }), name))
        .collect();
    files.sort_unstable();
    assert!(
        files.iter().any(|(_, name)| name == "engine.wasm"),
        "the command was built without the page: run tools/page first"
    );
    files
}

/// One at a time: what is measured here must not be disturbed from here.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn the_page_is_light() {
    let _alone = alone();
    let (fonts, files): (Vec<_>, Vec<_>) =
        weights().into_iter().partition(|(_, name)| name.ends_with(".woff2"));
    // Fonts come after the first paint, and the page can be read without them.
    let letters: usize = fonts.iter().map(|(bytes, _)| bytes).sum();
    println!("the fonts: {letters} bytes of {LETTERS} allowed");
    assert!(letters <= LETTERS, "the fonts weigh {letters} bytes: {fonts:#?}");
    let first = files.iter().filter(|(_, name)| name != WORKSHOP);
    let all: usize = first.map(|(bytes, _)| bytes).sum();
    println!("the page, compressed: {all} bytes of {WEIGHT} allowed\n{files:#?}");
    assert!(
        all <= WEIGHT,
        "the page weighs {all} bytes compressed, more than {WEIGHT}: {files:#?}"
    );
}

/// What the sum takes at its best on the machine that a phone is four times slower than, in
/// milliseconds.
const REFERENCE: f64 = 2.4;

/// How busy and slow the machine is: 1 when nothing else runs, and it is as fast as the one of
/// reference.
fn busy(browser: &Browser) -> f64 {
    // On a page of its own, which no one has slowed down.
    let page = browser.page("about:blank");
    let sum = "(() => { const once = () => { const from = performance.now(); let x = 1; for (let i = 0; i < 2e6; i++) x = (x * 31 + i) | 0; window.sum = x; return performance.now() - from; }; \
               const warm = performance.now() + 500; while (performance.now() < warm) once(); const all = Array.from({ length: 60 }, once); all.sort((a, b) => a - b); return [all[30], all[0]]; })()";
    let told = page.eval(sum);
    let (usual, best) = (told[0].as_f64().unwrap(), told[1].as_f64().unwrap());
    println!("the sum: usually {usual:.2} ms, at best {best:.2} ms");
    (usual / best).clamp(1.0, 4.0) * (best / REFERENCE).clamp(1.0, 4.0)
}

/// Notes when the page became usable, counted from when it was asked for.
const NOTED: &str = "new MutationObserver(() => { if (document.documentElement?.dataset.ready && !window.usable) window.usable = performance.now(); }).observe(document, { subtree: true, childList: true, attributes: true });";

fn usable(page: &Tab) -> f64 {
    ready(page);
    page.wait("window.usable", "it was noted");
    page.eval("window.usable").as_f64().unwrap()
}

/// The best of some tries, each with the limit as it stood then: the first that keeps it will do.
fn keeps(what: &str, limit: f64, tries: usize, mut once: impl FnMut() -> (f64, f64)) {
    let mut told = Vec::new();
    for _ in 0..tries {
        let (took, busy) = once();
        told.push(format!("{took:.0} ms with the machine {busy:.2} times busy"));
        println!("{what}: {took:.0} ms (limit {limit:.0} ms × {busy:.2})");
        if took <= limit * busy {
            return;
        }
    }
    panic!("{what} takes longer than {limit:.0} ms: {told:#?}");
}

#[test]
fn it_can_be_used_in_two_seconds_on_a_phone_and_at_once_later() {
    let _alone = alone();
    let (house, browser) = (House::open(), Browser::start());
    let visit = || {
        let busy = busy(&browser);
        let page = browser.page("about:blank");
        page.before_all(NOTED);
        page.phone(360, 780);
        page.slow(PHONE);
        page.go(&house.url(""));
        (page, busy)
    };
    keeps("a first visit", 2000.0, 5, || {
        let (page, busy) = visit();
        (usable(&page), busy)
    });
    let (page, _) = visit();
    usable(&page);
    page.wait("navigator.serviceWorker.controller !== null", "the page is kept for later");
    // The goal is 500 ms; it varies by a third from try to try, and the test must not.
    keeps("a later visit", 750.0, 12, || {
        let busy = busy(&browser);
        page.reload();
        (usable(&page), busy)
    });
    page.eval("location.hash = '#/chart/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=4'");
    page.sees_in("#odds", "36.0 %");
    // From the tap to the new odds on the screen.
    let tap = "new Promise((done) => { const from = performance.now(); document.getElementById('in-close').click(); requestAnimationFrame(() => setTimeout(() => done(performance.now() - from), 0)); })";
    keeps("the odds after a tap", 100.0, 12, || {
        let busy = busy(&browser);
        (page.eval(tap).as_f64().unwrap(), busy)
    });
    assert_ne!(page.eval("document.getElementById('in-close')"), json!(null));
}

/// Forty units a side: from a tap on a unit to its answer on the screen.
#[test]
fn forty_units_a_side_answer_at_once_on_a_phone() {
    let _alone = alone();
    let (house, browser) = (House::open(), Browser::start());
    let page = browser.page("about:blank");
    page.phone(390, 844);
    page.go(&house.url(""));
    ready(&page);
    page.press(".button-strong");
    page.wait("document.querySelector('.counter')", "the board");
    page.press(".table-tab[data-tab=roster]");
    page.eval("document.querySelector('.import-roster').open = true");
    let list = "template,side,count\nrifles,Allies,36\nrifles,Axis,36\n";
    page.eval(&format!(
        "(() => {{ const area = document.querySelector('.import-roster textarea'); area.value = {}; area.form.requestSubmit(); }})()",
        json!(list)
    ));
    page.wait("document.querySelectorAll('.unit').length >= 80", "forty units a side");
    page.press(".table-tab[data-tab=play]");
    page.wait("document.querySelectorAll('.counter').length >= 80", "all on the board");
    page.slow(PHONE);
    let tap = "new Promise((done) => { const from = performance.now(); document.querySelectorAll('.board-side:last-of-type .counter')[0].click(); requestAnimationFrame(() => setTimeout(() => done(performance.now() - from), 0)); })";
    keeps("a tap on one of eighty units", 100.0, 12, || {
        let busy = busy(&browser);
        (page.eval(tap).as_f64().unwrap(), busy)
    });
}
