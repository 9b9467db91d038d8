//! Two players, each with a browser of his own, at one table.

use crate::common::{Browser, House, Tab, browser, calm, ready};
use crate::game::{begin, chart, explained, fire, large, last, own, pick_anyway, tab, verified};
use crate::postgres_server::Server;
use serde_json::json;

/// Anna begins a shared table and Bob follows his invitation, at the same house or another.
pub fn two(browser: &Browser, hers: &House, his: &House) -> (Tab, Tab) {
    let anna = hers.visit(browser, "");
    anna.wait(
        "!document.querySelector('input[value=server]')?.disabled",
        "the page knows its server",
    );
    begin(&anna, "panzer8", "A first game", true);
    tab(&anna, "More");
    anna.press_text("Invite players");
    let key = "[...document.querySelectorAll('.invitations li')].filter((e) => e.querySelector('b').innerText === 'Axis').map((e) => JSON.parse(e.querySelector('[data-do*=copy]').dataset.do).copy)[0]";
    anna.wait(key, "an invitation for the Axis");
    let link = anna.eval(key).as_str().unwrap().to_owned();
    let link = link.replacen(&hers.address, &his.address, 1);
    let bob = browser.page(&link);
    ready(&bob);
    bob.sees("You are invited");
    assert!(
        !bob.eval("location.href").as_str().unwrap().contains(link.rsplit('/').next().unwrap()),
        "the key leaves the address"
    );
    bob.fill("#join-name", "Bob");
    bob.press_text("Join the game");
    bob.wait("document.querySelector('.table-screen')", "Bob is at the table");
    for page in [&anna, &bob] {
        page.wait("['Anna', 'Bob'].every((name) => document.querySelector('.here')?.innerText.includes(name))", "both are here");
        tab(page, "Play");
    }
    (anna, bob)
}

/// Waits until a page has as many events as another.
pub fn level(page: &Tab, with: &Tab) {
    page.wait(
        &format!(
            "Number(document.querySelector('.log-list .entry-n')?.textContent) >= {}",
            last(with)
        ),
        "the other's event is here",
    );
}

/// The details of an invitation come from the server. They never move the button under the finger.
#[test]
fn the_join_button_stays_where_it_was_first_shown() {
    let (house, browser) = (House::open(), browser());
    let anna = house.visit(&browser, "");
    begin(&anna, "panzer8", "A first game", true);
    anna.press_with(".head-invite", "Invite");
    let link =
        "JSON.parse(document.querySelector('.invitations li [data-do*=copy]').dataset.do).copy";
    anna.wait(link, "an invitation");
    let link = anna.eval(link).as_str().unwrap().to_owned();
    for (width, height) in [(360, 640), (1280, 900)] {
        let bob = browser.page("about:blank");
        bob.size(width, height);
        // Every frame's place of the button is noted. The details wait until the page has been drawn.
        bob.before_all(
            "window.places = []; const real = window.fetch; \
             const held = new Promise((go) => { window.answer = go; }); \
             window.fetch = async (path, ...rest) => { if (String(path).endsWith('/invitation')) await held; return real(path, ...rest); }; \
             const look = () => { const e = document.querySelector('form.begin-form .button-main'); \
               if (e) { const r = e.getBoundingClientRect(); window.places.push([r.x, r.y, r.width, r.height].map(Math.round).join(' ')); } \
               requestAnimationFrame(look); }; requestAnimationFrame(look);",
        );
        bob.go(&link);
        ready(&bob);
        bob.sees("You are invited");
        bob.eval("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))");
        bob.eval("window.answer()");
        bob.sees("started by Anna");
        bob.sees("Join the game");
        // A name that is missing is told below the button.
        bob.eval("document.querySelector('#join-name').required = false");
        bob.press_text("Join the game");
        bob.sees("Enter your name first.");
        let places = bob.eval("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([...new Set(window.places)])))))");
        assert_eq!(places.as_array().unwrap().len(), 1, "{width}: the button was at {places}");
        calm(&bob);
    }
}

#[test]
fn a_full_exchange_each_sees_the_others_rolls_and_undo_needs_consent() {
    let (house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    own(&anna, &[7, 3], "Suppressed");
    bob.sees_in(".result-card .result-line", "Suppressed");
    bob.sees_in(".result-card .changes", "Grenadiers");
    fire(&bob, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    large(&bob, "Roll");
    explained(&bob, "on the dice");
    level(&anna, &bob);
    anna.sees_in(".result-card", "Machine-gun");
    let rolls = last(&bob);
    tab(&bob, "Log");
    bob.press_text("Ask to undo");
    tab(&anna, "Play");
    anna.sees(&format!("Bob asks to undo event {rolls}"));
    anna.press_text("Allow");
    // Consent carries it out.
    anna.wait("document.querySelector('.entry-undone')", "it is undone on both sides");
    bob.wait("document.querySelector('.entry-undone')", "it is undone");
    verified(&anna);
    verified(&bob);
    calm(&anna);
    calm(&bob);
}

#[test]
fn the_server_restarts_and_nothing_is_missed() {
    let (mut house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    house.stop();
    for page in [&anna, &bob] {
        page.sees_in(".here", "no connection");
        // All stays readable, and odds go on.
        page.sees("Rifles");
    }
    chart(&anna, "Recover or rally");
    pick_anyway(&anna, "Element", "Rifles", "Allies");
    anna.sees_in(".action-odds", "%");
    anna.sees("Rolls wait until the connection is back");
    house.start();
    for page in [&anna, &bob] {
        page.wait(
            "document.querySelector('.here')?.dataset.wire === 'open'",
            "the connection is back, by itself",
        );
    }
    large(&anna, "Roll");
    explained(&anna, "on the dice");
    level(&bob, &anna);
    bob.sees_in(".result-card", "Recover or rally");
    verified(&bob);
}

#[test]
fn two_servers_on_one_database_and_a_browser_on_each() {
    let place = Server::shared().fresh();
    let (hers, his, browser) = (House::at(&place), House::at(&place), browser());
    let (anna, bob) = two(&browser, &hers, &his);
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    own(&anna, &[7, 3], "Suppressed");
    bob.sees_in(".result-card .result-line", "Suppressed");
    fire(&bob, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    own(&bob, &[9, 4], "Out of Action");
    anna.sees_in(".result-card .result-line", "Out of Action");
    verified(&anna);
    calm(&anna);
    calm(&bob);
}

#[test]
fn two_roll_at_once_and_one_is_told() {
    let (house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    let before = last(&anna);
    // Neither fires at the other's firer: one that is lost could not fire afterwards.
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    fire(&bob, ("Machine-gun", "Axis"), ("Tank", "Allies"));
    // Bob's page does not hear of Anna's roll before he presses.
    bob.eval("document.querySelector('#t-act .button-main').scrollIntoView()");
    std::thread::scope(|both| {
        both.spawn(|| anna.press("#t-act .button-main"));
        both.spawn(|| bob.press("#t-act .button-main"));
    });
    let at_least =
        format!("Number(document.querySelector('.log-list .entry-n')?.textContent) > {before}");
    anna.wait(&at_least, "one of them has rolled");
    bob.wait(&at_least, "one of them has rolled");
    // Who came second still has his form, and rolls it now.
    for page in [&anna, &bob] {
        if page.eval("document.querySelector('#action') !== null") == json!(true) {
            page.press("#t-act .button-main");
        }
    }
    let both = format!(
        "Number(document.querySelector('.log-list .entry-n')?.textContent) === {}",
        before + 2
    );
    anna.wait(&both, "both rolls are in the log");
    bob.wait(&both, "both rolls are in the log");
    verified(&anna);
}

#[test]
fn a_press_counts_though_the_page_changes_under_the_finger() {
    let (house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    let before = last(&anna);
    fire(&bob, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    let finger =
        bob.hold("[...document.querySelectorAll('#t-act .button-main')]", "Bob's large button");
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    own(&anna, &[7, 3], "Suppressed");
    bob.sees_in(".result-card .result-line", "Suppressed");
    bob.release(&finger);
    bob.wait(
        &format!(
            "Number(document.querySelector('.log-list .entry-n')?.textContent) === {}",
            before + 2
        ),
        "Bob has rolled",
    );
    // What stands before a button comes and goes; the button stays the same, and stays in its
    // place.
    let same = "import('./morph.js').then(({ morphChildren }) => { const place = document.createElement('div'); \
                place.innerHTML = '<div class=strip></div><p>a</p><div class=row><button>Throw</button></div>'; const button = place.querySelector('button'); \
                let moved = 0; const watch = new MutationObserver((all) => { for (const one of all) for (const node of one.removedNodes) if (node.contains?.(button)) moved += 1; }); \
                watch.observe(place, { childList: true, subtree: true }); \
                for (const html of ['<div class=row><button>Wait</button></div>', '<p>b</p><div class=strip></div><div class=row><button>Throw</button></div>', '<div class=row><button>Go</button><button>On</button></div>']) { \
                const fresh = document.createElement('template'); fresh.innerHTML = html; morphChildren(place, fresh.content); } \
                return new Promise((done) => setTimeout(() => done([place.querySelector('button') === button, button.textContent, moved]))); })";
    assert_eq!(bob.eval(same), json!([true, "Go", 0]));
    calm(&bob);
}

/// Both roll sealed from now on.
pub fn seal(anna: &Tab, bob: &Tab) {
    for page in [anna, bob] {
        tab(page, "More");
        page.press_text("Seal my rolls from now on");
        page.sees_in("#t-more", "rolls left");
    }
    for page in [anna, bob] {
        page.wait(
            "(document.querySelector('#t-more').innerText.match(/rolls left/g) ?? []).length === 2",
            "both are in the circle",
        );
        tab(page, "Play");
    }
}

#[test]
fn a_sealed_roll_goes_on_when_the_connection_returns() {
    let (house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    seal(&anna, &bob);
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    bob.offline(true);
    large(&anna, "Roll");
    anna.sees("waiting for Bob");
    bob.offline(false);
    for page in [&anna, &bob] {
        page.sees_in(".result-card", "sealed · verified");
    }
    // What the browser remembers of the link outlives the page, and the next link fits it.
    bob.reload();
    ready(&bob);
    bob.wait("document.querySelector('.here')?.dataset.wire === 'open'", "the connection is there");
    fire(&bob, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    large(&bob, "Roll");
    for page in [&anna, &bob] {
        page.sees_in(".result-card", "Machine-gun");
        page.sees_in(".result-card", "sealed · verified");
    }
    assert!(verified(&bob).contains("2 rolls were sealed"));
}

#[test]
fn sealed_rolls_are_made_in_the_browsers_and_verified_from_the_exported_log() {
    let (house, browser) = (House::open(), browser());
    let (anna, bob) = two(&browser, &house, &house);
    seal(&anna, &bob);
    fire(&anna, ("Rifles", "Allies"), ("Grenadiers", "Axis"));
    large(&anna, "Roll");
    for page in [&anna, &bob] {
        page.sees_in(".result-card", "sealed · verified");
        explained(page, "on the dice");
    }
    fire(&bob, ("Machine-gun", "Axis"), ("Rifles", "Allies"));
    large(&bob, "Roll");
    for page in [&anna, &bob] {
        page.sees_in(".result-card", "Machine-gun");
        page.sees_in(".result-card", "sealed · verified");
    }
    for page in [&anna, &bob] {
        let said = verified(page);
        assert!(said.contains("2 rolls were sealed"), "{said}");
    }
    // Two links at once: the later one is refused and shown again by itself. A browser notes the
    // refusal; nothing else went wrong.
    for page in [&anna, &bob] {
        let complaints: Vec<String> =
            page.complaints().into_iter().filter(|said| !said.contains("409 (Conflict)")).collect();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
