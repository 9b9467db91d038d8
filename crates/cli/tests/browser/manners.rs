//! For everybody: a keyboard alone is enough, a phone in one hand is wide enough, and no one is
//! shut out by what he cannot see. Pictures of the main screens are kept in target/screenshots.

use crate::common::{House, Tab, browser, calm, go, kept, ready};
use crate::game::{begin, explained, tab, tap};
use serde_json::{Value, json};

/// The main screens, with names for their pictures.
pub const SCREENS: &[(&str, &str)] = &[
    ("home", "#/"),
    ("sheet", "#/sheet/panzer8"),
    ("sheet-cards", "#/sheet/combat-leader"),
    ("chart", "#/chart/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=4&close=yes"),
    ("chart-several", "#/chart/chain-reaction/in-sight?figure.1.rep=5&figure.2.rep=4"),
    ("lab", "#/lab/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=4"),
    ("fight", "#/fight/panzer8/fire-fight"),
    ("deck", "#/deck/combat-leader/action"),
    ("editor", "#/editor"),
    ("paste", "#/editor/paste"),
    ("begin", "#/game/new.chain-reaction"),
    ("help", "#/help"),
];

/// Shows each main screen, and last a table with a game under way.
pub fn each_screen(page: &Tab, mut look: impl FnMut(&str, &Tab)) {
    for (name, place) in SCREENS {
        go(page, place.split('?').next().unwrap());
        go(page, place);
        page.wait("document.querySelector('main h1')", name);
        settle(page);
        if *name == "chart" {
            page.press("#actions .button-main");
            page.sees_in("#out", "on the dice");
            settle(page);
        }
        look(name, page);
        match *name {
            "paste" => {
                page.press_text("Try an example");
                page.press_with(".piece", "within six inches");
                page.wait("document.querySelector('.piece-menu')", "the menu of a piece");
                for part in ["source", "chart"] {
                    settle(page);
                    look(&format!("paste-{part}"), page);
                    page.eval("document.querySelectorAll('.paste-tabs .tab')[2].click(), 0");
                }
            }
            "editor" => {
                page.press(".tab-form");
                page.wait("document.querySelector('.pack-form input')", "the form");
                settle(page);
                look("editor-form", page);
            }
            _ => {}
        }
    }
    begin(page, "panzer8", "A first game", false);
    for name in ["Roster", "Play"] {
        tab(page, name);
        settle(page);
        look(&format!("table-{}", name.to_lowercase()), page);
    }
    tap(page, "Tank");
    page.sees_in("#action", "Tank");
    settle(page);
    look("table-unit", page);
    tap(page, "Anti-tank gun");
    page.sees_in("#t-act .button-main:not([disabled])", "Roll");
    settle(page);
    look("table-chart", page);
    page.press("#t-act .button-main");
    page.wait("document.querySelector('.result-card .sums')", "the result is there");
    settle(page);
    look("table-result", page);
    explained(page, "on the dice");
    settle(page);
    look("table-explained", page);
    for name in ["Log", "More"] {
        tab(page, name);
        settle(page);
        look(&format!("table-{}", name.to_lowercase()), page);
    }
}

/// Two frames later, with nothing moving any more.
fn settle(page: &Tab) {
    page.eval("document.fonts.ready.then(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))");
}

#[test]
fn nothing_is_wider_than_a_phone_and_a_thumb_finds_every_control() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(360, 780);
    page.dark(false);
    let wide = "[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('svg, .visually-hidden') && \
                ![...(function* () { for (let up = e.parentElement; up; up = up.parentElement) yield up; })()].some((up) => up !== document.body && up !== document.documentElement && getComputedStyle(up).overflowX !== 'visible')) \
                .slice(0, 3).map((e) => `${e.nodeName}.${e.className} ${e.innerText?.slice(0, 40)}`)";
    let main = "button, a.button, a.chip, .bar-entry, .segment, .tick, .way, summary, select, input:not([type=checkbox]):not([type=radio]):not([type=file]):not([type=hidden])";
    let small = format!(
        "[...document.querySelectorAll({})].filter((e) => e.checkVisibility() && !e.closest('[hidden]')).map((e) => [e, e.getBoundingClientRect()]).filter(([, r]) => r.width > 1 && (r.width < 43.5 || r.height < 43.5)) \
         .slice(0, 6).map(([e, r]) => `${{e.nodeName}}.${{e.className}} “${{(e.innerText || e.getAttribute('aria-label') || '').slice(0, 30)}}” ${{Math.round(r.width)}}×${{Math.round(r.height)}}`)",
        json!(main)
    );
    let mut faults = Vec::new();
    each_screen(&page, |name, page| {
        let width = page.eval("document.documentElement.scrollWidth").as_u64().unwrap();
        if width > 360 {
            faults.push(format!("{name} is {width} wide: {}", page.eval(wide)));
        }
        let found = page.eval(&small);
        if found != json!([]) {
            faults.push(format!("{name} has controls under 44 pixels: {found:#}"));
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    calm(&page);
}

#[test]
fn the_narrowest_phone_scrolls_only_down() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(320, 568);
    let mut faults = Vec::new();
    let mut look = |name: &str, page: &Tab| {
        let width = page.eval("document.documentElement.scrollWidth").as_u64().unwrap();
        if width > 320 {
            faults.push(format!("{name} is {width} wide"));
        }
    };
    each_screen(&page, &mut look);
    for place in LABS {
        go(&page, place);
        page.wait("document.querySelector('#lab-changes h2, #lab-surface h2')", place);
        settle(&page);
        look(place, &page);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    calm(&page);
}

/// A chart of each pack in the lab.
const LABS: &[&str] = &[
    "#/lab/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=4",
    "#/lab/panzer8/rally",
    "#/lab/chain-reaction/recover",
    "#/lab/asl-starter-kit/close-combat",
    "#/lab/combat-leader/accuracy",
];

#[test]
fn the_odds_stay_beside_the_form_and_cover_nothing() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    for (width, height) in [(1280, 800), (1920, 1080)] {
        page.size(width, height);
        for place in LABS {
            go(&page, place);
            page.wait("document.querySelector('#lab-odds h2') && document.querySelector('#lab-changes h2, #lab-surface h2')", place);
            settle(&page);
            let covered = page.eval(
                "(() => { const found = []; for (let y = 0; y < document.documentElement.scrollHeight; y += 150) { scrollTo(0, y); \
                 const odds = document.querySelector('#lab-odds > *').getBoundingClientRect(); \
                 for (const one of document.querySelectorAll('.lab > section:not(#lab-odds), .lab > header')) { const at = one.getBoundingClientRect(); \
                 if (at.width && at.right > odds.left + 1 && at.left < odds.right - 1 && at.bottom > odds.top + 1 && at.top < odds.bottom - 1) found.push(`${one.id} at ${y}`); } } return found; })()",
            );
            assert_eq!(covered, json!([]), "{place}, {width} wide");
        }
    }
    calm(&page);
}

#[test]
fn pictures_of_the_main_screens() {
    let (house, browser) = (House::open(), browser());
    let folder = kept("screenshots");
    for (width, height) in [(360, 780), (390, 844), (768, 1024), (1440, 900)] {
        for (theme, dark) in [("light", false), ("dark", true)] {
            let page = house.visit(&browser, "");
            if width < 1000 {
                page.phone(width, height)
            } else {
                page.size(width, height)
            }
            page.dark(dark);
            each_screen(&page, |name, page| {
                page.eval("document.activeElement?.blur(); scrollTo(0, 0)");
                page.picture(&folder.join(format!("{name}-{width}x{height}-{theme}.png")), false);
            });
            calm(&page);
        }
    }
}

#[test]
fn no_one_is_shut_out() {
    let (house, browser) = (House::open(), browser());
    let file = kept("axe").join("axe.min.js");
    let axe = std::fs::read_to_string(&file).unwrap_or_else(|_| {
        panic!("{} is missing: tools/axe fetches it, as ./test does", file.display())
    });
    let mut faults = Vec::new();
    for (theme, dark, phone) in [("light", false, false), ("dark", true, true)] {
        let page = house.visit(&browser, "");
        if phone {
            page.phone(360, 780)
        }
        page.dark(dark);
        page.eval(&format!("{axe}; 0"));
        each_screen(&page, |name, page| {
            faults
                .extend(shut_out(page).into_iter().map(|fault| format!("{name}, {theme}: {fault}")))
        });
        calm(&page);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// What axe-core finds that is serious or critical.
fn shut_out(page: &Tab) -> Vec<String> {
    let run = "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)) \
               .map((one) => ({ id: one.id, help: one.help, where: one.nodes.slice(0, 3).map((node) => [node.html.slice(0, 160), node.failureSummary]) })))";
    match page.eval(run) {
        Value::Array(found) => found
            .iter()
            .map(|one| format!("{} – {}\n  {}", one["id"], one["help"], one["where"]))
            .collect(),
        other => panic!("axe-core gave {other}"),
    }
}

/// Where the focus is: what it says, and whether it can be seen there.
fn focus(page: &Tab) -> (String, bool) {
    let found = page.eval(
        "(() => { const e = document.activeElement; const shown = (x) => { const s = getComputedStyle(x); return (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || s.boxShadow !== 'none'; }; \
         const near = [e, e.closest('label'), e.nextElementSibling, e.closest('.stepper')].filter((x) => x); \
         return [(e.innerText || e.getAttribute('aria-label') || e.id || e.nodeName).trim(), near.some(shown), e.closest('label')?.innerText ?? '']; })()",
    );
    let text = |place: usize| found[place].as_str().unwrap_or_default();
    (format!("{} {}", text(0), text(2)), found[1] == json!(true))
}

/// Presses Tab until the focus is on something that says this. Each stop on the way must be seen.
fn tab_to(page: &Tab, wanted: &str) {
    let mut stops = Vec::new();
    for _ in 0..120 {
        page.key("Tab");
        let (says, seen) = focus(page);
        if says.contains(wanted) {
            return;
        }
        assert!(seen || says.starts_with("BODY"), "the focus on “{says}” cannot be seen");
        stops.push(says);
    }
    panic!("Tab never came to “{wanted}”: {stops:#?}");
}

#[test]
fn a_keyboard_alone_is_enough() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.key("Tab");
    assert_eq!(focus(&page), ("Skip to content ".into(), true));
    page.key("Enter");
    tab_to(&page, "AP, HE or small-arms fire");
    page.key("Enter");
    page.sees_in("main h1", "AP, HE or small-arms fire");
    page.wait(
        "document.activeElement.nodeName === 'H1'",
        "the focus is on the head of the new screen",
    );
    tab_to(&page, "HE or small arms");
    page.key(" ");
    tab_to(&page, "in-firer.hesa");
    page.write("6");
    page.key("Enter");
    tab_to(&page, "in-target.def");
    page.write("4");
    page.key("Enter");
    page.sees_in("#odds", "36.0 %");
    tab_to(&page, "Target within 4");
    page.key(" ");
    page.sees_in("#odds", "28.0 %");
    tab_to(&page, "Roll");
    page.key("Enter");
    page.sees_in("#out", "on the dice");
    page.wait("document.activeElement.id === 'result'", "the focus is on the result");
    page.wait(
        "document.querySelector('#live').textContent.trim().length > 0",
        "the result is said to those who cannot see it",
    );
    calm(&page);
}

#[test]
fn keys_undo_and_the_question_mark_helps() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.press(".button-strong");
    page.wait("document.querySelector('.counter')", "the board");
    tap(&page, "Tank");
    tap(&page, "Anti-tank gun");
    page.key("t");
    explained(&page, "on the dice");
    let control = |key: &str, shift: bool| {
        page.eval(&format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: {}, ctrlKey: true, shiftKey: {shift}, bubbles: true }})), 0",
            json!(key)
        ));
    };
    // With Shift, the key is `Z` or `z`, as the system likes; and Caps Lock alone is no Shift.
    for (undo, redo, shift) in [("z", "y", false), ("z", "z", true), ("Z", "Z", true)] {
        control(undo, false);
        page.wait("document.querySelector('.entry-undone')", "it is undone");
        control(redo, shift);
        page.wait("!document.querySelector('.entry-undone')", "it is done again");
    }
    page.key("?");
    page.sees_in("main", "Ctrl+Z");
    calm(&page);
}

#[test]
fn the_systems_back_closes_before_it_leaves() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    page.press(".button-strong");
    page.wait("document.querySelector('.counter')", "the board");
    let back = || page.eval("history.back(), 0");
    tap(&page, "Tank");
    page.sees_in("#action", "Tank");
    back();
    page.wait("!document.querySelector('#action')", "the unit is put back");
    tap(&page, "Tank");
    tab(&page, "Log");
    back();
    page.wait("document.querySelector('.table-screen').dataset.tab === 'play'", "the tab closes");
    page.wait("document.querySelector('#action')", "the unit is still there");
    back();
    page.wait("!document.querySelector('#action')", "then the unit");
    back();
    page.wait("location.hash === '#/' || location.hash === ''", "and then the game is left");
    calm(&page);
}

#[test]
fn who_wants_no_movement_gets_none() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/chart/panzer8/rally");
    page.ask(
        "Emulation.setEmulatedMedia",
        json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
    );
    page.press("#actions .button-main");
    page.sees_in("#out", "on the dice");
    let moving = "document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 20).length";
    assert_eq!(page.eval(moving), json!(0));
    page.reload();
    ready(&page);
}
