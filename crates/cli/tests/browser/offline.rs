//! Without a network: what was opened once works on, and a reload finds it.

use crate::common::{House, browser, go, ready};

/// Waits until the service worker has put everything by.
pub fn put_by(page: &adjutant_browser_test::Tab) {
    page.wait(
        "navigator.serviceWorker?.controller || navigator.serviceWorker?.ready",
        "the page can be kept",
    );
    page.eval("navigator.serviceWorker.ready.then(() => 0)");
    page.wait("navigator.serviceWorker.controller !== null", "the page is kept for later");
}

#[test]
fn the_server_is_gone_and_the_sheet_the_chart_and_the_odds_are_not() {
    let (mut house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    put_by(&page);
    house.stop();
    page.offline(true);
    page.reload();
    ready(&page);
    page.sees("offline");
    go(&page, "#/sheet/panzer8");
    page.press("#chart-rally .sheet-play");
    page.sees_in("main h1", "Recover or rally");
    page.wait(
        "/\\d %/.test(document.querySelector('#odds')?.innerText ?? '')",
        "the odds are shown",
    );
    page.press_with(".tick", "commander");
    page.press("#actions .button-main");
    page.sees_in("#out", "on the dice");
    // Also when the network is there and only the server is not.
    page.offline(false);
    page.reload();
    ready(&page);
    page.sees_in("main h1", "Recover or rally");
    page.sees_in("#top", "offline");
    // And it says so no longer when the server is back.
    house.start();
    page.eval("dispatchEvent(new Event('online'))");
    page.wait("!document.querySelector('#top').innerText.includes('offline')", "it is found again");
}
