//! What the page calls saved is saved: a reload at once finds it, and a store that fails is told.

use crate::common::{House, Tab, browser, calm, drop_file, go, ready};
use crate::game::{begin, tab};
use serde_json::json;

const SHEET: &str = "HILL\nRoll 1d6.\n1-3  miss\n4-6  hit\n";

/// Reloads the page in the moment in which an element says something, and remembers whether the
/// values with this prefix were durable then.
fn reload_when(page: &Tab, selector: &str, says: &str, prefix: &str) {
    page.eval(&format!(
        "(() => {{
            window.before_reload = true;
            // Registered before the page's own listener.
            const [begin, put, meant] = [IDBDatabase.prototype.transaction, IDBObjectStore.prototype.put, new WeakSet()];
            IDBDatabase.prototype.transaction = function (...args) {{
                const made = begin.apply(this, args);
                made.addEventListener('complete', () => {{ if (meant.has(made)) sessionStorage.durable = 'yes'; }});
                return made;
            }};
            IDBObjectStore.prototype.put = function (...args) {{
                if (String(args[1]).startsWith({prefix})) meant.add(this.transaction);
                return put.apply(this, args);
            }};
            const look = () => {{
                if (sessionStorage.then || !document.querySelector({selector})?.textContent.includes({says})) return;
                sessionStorage.then = sessionStorage.durable ?? 'no';
                location.reload();
            }};
            new MutationObserver(look).observe(document.body, {{ childList: true, subtree: true, characterData: true }});
        }})()",
        prefix = json!(prefix),
        selector = json!(selector),
        says = json!(says),
    ));
}

/// The page was reloaded, and the value was durable before.
fn reloaded(page: &Tab) {
    page.wait(
        "sessionStorage.then && !window.before_reload && document.readyState === 'complete'",
        "it was reloaded",
    );
    ready(page);
    assert_eq!(
        page.eval("sessionStorage.then"),
        json!("yes"),
        "it was saved when the page said so"
    );
}

/// The sheet as a dropped file, which names the pack.
fn paste(page: &Tab) {
    page.wait("document.querySelector('.paste-box')", "the box");
    drop_file(page, ".paste-box", "hill.txt", SHEET);
    page.wait("document.querySelector('.pieces')", "the sheet is cut into pieces");
}

#[test]
fn a_pack_that_is_called_saved_is_there_after_a_reload_at_once() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/editor/paste");
    paste(&page);
    reload_when(&page, ".paste-used", "is in use", "own:");
    page.press("#paste-use");
    reloaded(&page);
    page.sees_in(".paste-used", "is in use");
    let bundle = bundle(&page);
    calm(&page);

    // A pack as a file.
    let page = house.visit(&browser, "");
    reload_when(&page, "#notice", "is installed", "own:");
    drop_file(&page, "main", "hill.adjutant", &bundle);
    reloaded(&page);
    go(&page, "#/sheet/hill");
    page.sees_in("main h1", "Hill");
    calm(&page);
}

/// The pack of the sheet as a file.
fn bundle(page: &Tab) -> String {
    let folder = tempfile::tempdir().unwrap();
    page.keep_files(folder.path());
    page.press_with(".paste-used a", "Share the pack");
    page.press_text("Download the pack");
    std::fs::read_to_string(page.file(folder.path(), ".adjutant")).unwrap()
}

#[test]
fn a_pack_that_cannot_be_saved_is_not_called_saved() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/editor/paste");
    page.phone(390, 844);
    paste(&page);
    // The store fails when it writes, as it does when the device is full.
    page.eval("(() => { const commit = IDBTransaction.prototype.commit; IDBTransaction.prototype.commit = function () { this.abort(); }; window.room = () => (IDBTransaction.prototype.commit = commit); })()");
    page.press("#paste-use");
    page.sees_in(".paste-used .wrong", "Hill is not saved");
    page.sees_in(".paste-used .wrong", "Download the pack");
    assert!(!page.text(".paste-used").contains("is in use"));
    page.picture(&crate::common::kept("screenshots").join("paste-not-saved-390.png"), false);
    // It can be handed on, and saved when there is room again.
    let file = bundle(&page);
    assert!(file.contains("hill"), "{file}");
    page.eval("history.back(), 0");
    page.press_with("#paste-use", "Try to save again");
    page.sees_in(".paste-used .wrong", "Hill is not saved");
    go(&page, "#/editor");
    page.press("#editor-use .chips button");
    page.sees_in("#notice", "Hill is not saved");
    page.eval("window.room()");
    page.press("#editor-use .chips button");
    page.sees_in("#notice", "Hill is in use on this device");
    page.reload();
    ready(&page);
    go(&page, "#/sheet/hill");
    page.sees_in("main h1", "Hill");
}

#[test]
fn a_dropped_file_neither_taps_a_unit_nor_leaves_the_page() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    begin(&page, "panzer8", "A first game", false);
    tab(&page, "Play");
    page.wait("document.querySelector('.counter')", "the board");
    let ignored = "(() => { const data = new DataTransfer(); data.items.add(new File(['x'], 'x.txt')); const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }); document.querySelector('.counter').dispatchEvent(event); return event.defaultPrevented; })()";
    assert_eq!(page.eval(ignored), json!(true), "the browser does not open the file");
    page.eval("new Promise((done) => setTimeout(done, 50))");
    assert_eq!(page.eval("document.querySelector('.counter[aria-pressed=true]')"), json!(null));
    calm(&page);
}
