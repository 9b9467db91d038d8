//! From a scan to a shared game: a sheet is pasted, mended, rolled on and played by a guest whose
//! browser never saw it. Pictures of the way are in target/screenshots; docs/guide/from-a-sheet.md
//! shows some of them (`BLESS=1` writes them again).

use crate::common::{House, Tab, adjutant, browser, calm, drop_file, faces, go, kept, ready};
use crate::game::{chart, explained, large, last, tab};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The scan that the tests of crate `draft` use.
fn scan() -> String {
    let file = "../draft/tests/sheets/scan/panzer8.txt";
    std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

fn paste(page: &Tab, text: &str) {
    page.fill(".paste-box", text);
    page.wait("document.querySelector('.pieces')", "the sheet is cut into pieces");
}

/// Shows a part of the screen, where a phone shows one at a time.
fn part(page: &Tab, name: &str) {
    page.press_with(".paste-tabs .tab", name);
}

/// A picture for the guide, of a phone or a wide window.
fn picture(page: &Tab, name: &str, (width, height): (u32, u32)) {
    page.size(width, height);
    page.eval("document.activeElement?.blur(); document.fonts.ready.then(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))");
    let file = kept("screenshots").join(format!("{name}.png"));
    page.picture(&file, false);
    if std::env::var_os("BLESS").is_some() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
        std::fs::copy(file, docs.join(format!("{name}.png"))).unwrap();
    }
    page.phone(390, 844);
}

const PHONE: (u32, u32) = (390, 700);

/// The label of the piece that holds a text.
fn label(page: &Tab, holds: &str) -> String {
    let found = format!(
        "[...document.querySelectorAll('.piece')].find((e) => e.innerText.includes({}))?.querySelector('.piece-kind').innerText",
        json!(holds)
    );
    page.eval(&found).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_pasted_scan_is_mended_rolled_on_and_played_by_a_guest() {
    let (house, browser) = (House::open(), browser());
    // From home: the full edition of the engine takes the place of the small one.
    let anna = house.visit(&browser, "");
    anna.phone(390, 844);
    anna.dark(false);
    anna.press_with("a", "Paste a sheet");
    anna.wait("document.querySelector('.paste-box')", "the box");
    paste(&anna, &scan());
    anna.sees_in(".paste-account", "charts");
    anna.fill("#paste-title", "Panzer Eight");
    anna.key("Enter");
    anna.wait("document.querySelector('#paste-title').value === 'Panzer Eight'", "it has a name");
    assert_eq!(label(&anna, "Soft cover"), "Modifiers");
    picture(&anna, "paste-source", (1200, 760));
    // A piece becomes something else, and back.
    anna.press_with(".piece", "Draw a card");
    anna.press_with(".piece-menu button", "Note");
    anna.wait(
        "document.querySelector('.piece-menu [aria-pressed=true]').innerText === 'Note'",
        "it is a note",
    );
    anna.press_with(".piece-menu button", "Find out by itself");
    anna.wait(
        "document.querySelector('.piece-menu [aria-pressed=true]').innerText === 'Phases'",
        "phases again",
    );
    anna.press_with(".piece-menu button", "Close");
    part(&anna, "To check");
    picture(&anna, "paste-check", PHONE);
    anna.press(".check-place");
    anna.wait("document.activeElement?.classList.contains('piece')", "the line is shown");
    anna.wait("document.querySelector('.piece-menu textarea')", "and can be corrected");
    picture(&anna, "paste-mend", PHONE);
    part(&anna, "Chart");
    // The same values on both sides, so that 7 against 3 wins by four.
    anna.press_with(".editor-actions button", "My dice");
    faces(&anna, &[7, 3]);
    anna.sees_in(".editor-out", "Suppressed");
    picture(&anna, "paste-roll", PHONE);
    anna.press("#paste-use");
    anna.sees_in(".paste-used", "is in use");
    // What was done is still there after a reload.
    anna.reload();
    ready(&anna);
    anna.sees_in(".paste-used", "Panzer Eight");
    let bob = guest(&house, &browser, &anna);
    chart(&bob, "Rally");
    bob.wait("document.querySelector('#t-act .button-main:not([disabled])')", "it can be rolled");
    large(&bob, "Roll");
    explained(&bob, "on the dice");
    anna.wait(
        &format!(
            "Number(document.querySelector('.log-list .entry-n')?.textContent) >= {}",
            last(&bob)
        ),
        "Anna sees it",
    );
    verified_elsewhere(&bob);
    calm(&anna);
    calm(&bob);
}

/// Anna starts a shared game with the pack, and Bob joins with a fresh browser.
fn guest(house: &House, browser: &crate::common::Browser, anna: &Tab) -> Tab {
    anna.wait("document.querySelector('.paste-used a[href*=new]')", "a way to a new game");
    anna.press_with(".paste-used a", "New game");
    anna.fill("#begin-who", "Anna");
    anna.wait(
        "!document.querySelector('input[value=server]')?.disabled",
        "the page knows its server",
    );
    anna.press_with(".segment", "Shared, by invitation");
    anna.press_with("button[type=submit]", "Start");
    anna.wait("document.querySelector('.table-screen')", "the game is there");
    anna.press_with(".head-invite", "Invite");
    let key = "[...document.querySelectorAll('.invitations li')].map((e) => JSON.parse(e.querySelector('[data-do*=copy]').dataset.do).copy)[1]";
    anna.wait(key, "an invitation");
    picture(anna, "paste-invite", PHONE);
    let link = anna.eval(key).as_str().unwrap().to_owned();
    assert!(link.contains(&house.address));
    let bob = browser.page(&link);
    bob.phone(390, 844);
    ready(&bob);
    bob.sees("You are invited to Panzer Eight");
    bob.sees("Panzer Eight, started by Anna");
    bob.fill("#join-name", "Bob");
    bob.press_text("Join the game");
    bob.wait("document.querySelector('.table-screen')", "Bob is in the game, with its pack");
    tab(&bob, "Play");
    bob
}

/// Exports the log, and verifies it with a command that has no such pack.
fn verified_elsewhere(page: &Tab) {
    let folder = tempfile::tempdir().unwrap();
    page.keep_files(folder.path());
    tab(page, "More");
    page.press_with("button", "Log (JSON Lines)");
    let file = page.file(folder.path(), ".jsonl");
    let home = folder.path().join("home");
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(["verify", file.to_str().unwrap()])
        .env("HOME", &home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env_remove("ADJUTANT_PACKS")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn cells_of_a_spreadsheet_keep_their_columns_and_files_are_dropped() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/editor/paste");
    let html = "<html><head><style>td {color: red}</style></head><body><!--StartFragment--><table class=x><tr><td>Move</td><td>Road</td><td>Open</td></tr><tr><td>Foot</td><td>8</td><td>6</td></tr><tr><td>Horse</td><td>12</td><td>10</td></tr></table><img src=x onerror='window.ran = 1'></body></html>";
    page.wait("document.querySelector('.paste-box')", "the box");
    page.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/html', {}); data.setData('text/plain', 'Move Road Open'); document.querySelector('.paste-box').dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()",
        json!(html)
    ));
    page.wait("document.querySelector('.piece-grid')", "it is a grid");
    assert_eq!(label(&page, "Horse"), "Grid");
    assert_eq!(page.eval("window.ran ?? null"), json!(null));
    page.press_text("Start again");
    page.press_text("Remove the text");
    page.wait("document.querySelector('.paste-box')?.value === ''", "an empty box");
    drop_file(&page, ".paste-box", "hill.txt", "HILL\nRoll 1d6.\n1-3  miss\n4-6  hit\n");
    page.wait("document.querySelector('.piece-bands')", "the dropped file is read");
    page.press("#paste-use");
    page.sees_in(".paste-used", "is in use");
    let folder = tempfile::tempdir().unwrap();
    page.keep_files(folder.path());
    page.press_with(".paste-used a", "Share the pack");
    page.press_text("Download the pack");
    let bundle = std::fs::read_to_string(page.file(folder.path(), ".adjutant")).unwrap();
    // The link goes to the clipboard, which a test may not read: it is caught on its way.
    page.eval("navigator.share = undefined; navigator.clipboard.writeText = (text) => (window.copied = text, Promise.resolve()); 0");
    page.press_text("Share a link");
    page.wait("window.copied", "the link is copied");
    let link = page.eval("window.copied").as_str().unwrap().to_owned();
    // A fresh browser opens the link; another one gets the file dropped on home.
    let other = browser.page(&link);
    ready(&other);
    other.press_text("Install");
    other.sees_in("main h1", "Hill");
    let third = house.visit(&browser, "");
    drop_file(&third, "main", "hill.adjutant", &bundle);
    third.sees("is installed");
    go(&third, "#/chart/hill/hill");
    third.press_text("My dice");
    faces(&third, &[5]);
    third.sees_in("#out", "hit");
    for page in [&page, &other, &third] {
        calm(page);
    }
    let file = folder.path().join("hill.adjutant");
    std::fs::write(&file, bundle).unwrap();
    assert!(adjutant(&["check", file.to_str().unwrap()]).contains("sound"));
}
