//! Tests of the driver itself: it clicks, types, waits, and reports errors of the page.

use adjutant_browser_test::Browser;

const PAGE: &str = "data:text/html,<title>t</title><button onclick=\"setTimeout(()=>document.querySelector('p').textContent='pressed',50)\">Press me</button><p>not yet</p><input id=i>";

#[test]
fn it_does_what_a_player_does() {
    let browser = Browser::start();
    let page = browser.page(PAGE);
    page.press_text("Press me");
    page.sees_in("p", "pressed");
    page.fill("#i", "Grüße");
    page.key("Backspace");
    assert_eq!(page.eval("document.querySelector('#i').value"), "Grüß");
    assert!(page.complaints().is_empty());
    page.eval("setTimeout(() => { setTimeout(() => { window.after = true }, 0); throw new Error('oh') }, 0)");
    page.eval("console.error('ah')");
    page.wait("window.after", "the exception");
    assert_eq!(page.complaints().len(), 2);
    let folder = tempfile::tempdir().unwrap();
    page.phone(360, 780);
    page.picture(&folder.path().join("a/page.png"), false);
    assert!(std::fs::read(folder.path().join("a/page.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
#[should_panic(expected = "never came true")]
fn a_wait_for_nothing_ends() {
    Browser::start().page(PAGE).wait_within(
        200,
        "performance.now() > 1e9 || (() => { throw 1 })()",
        "nothing",
    );
}
