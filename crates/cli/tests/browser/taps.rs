//! How many taps a player needs on a phone. A tap is one press of the finger; typed names are
//! counted apart.

use crate::common::{House, Tab, browser, calm, ready};
use crate::game::{begin, last, tab};
use serde_json::json;

/// A phone whose presses are counted.
struct Thumb<'p> {
    page: &'p Tab,
    taps: usize,
}

impl Thumb<'_> {
    fn tap(&mut self, selector: &str, text: &str) {
        self.page.press_with(selector, text);
        self.taps += 1;
    }

    /// Rolls with the large button until the result is the wanted one. Only the first press
    /// counts: the others make up for the luck, and each is undone before the next.
    fn roll_until(&mut self, wanted: &str, again: impl Fn(&Tab)) {
        self.taps += 1;
        for seed in 1..60 {
            let before = last(self.page);
            self.page.eval(&format!("crypto.getRandomValues = (into) => into.fill({seed}), 0"));
            self.page.wait(
                &format!("performance.now() > {} + 650", self.page.eval("performance.now()")),
                "the thumb comes down again",
            );
            self.page.press_with("#t-act .button-main:not([disabled])", "Roll");
            self.page.wait(
                &format!(
                    "Number(document.querySelector('.log-list .entry-n')?.textContent) > {before}"
                ),
                "it is rolled",
            );
            if self.page.eval(wanted) == json!(true) {
                return;
            }
            self.page.press_with(".result-acts button", "Undo");
            self.page.wait(
                "document.querySelector('.log-list .entry-n + .entry-words')?.innerText.includes('undoes')",
                "it is undone",
            );
            again(self.page);
        }
        panic!("no luck was right: {wanted}");
    }
}

#[test]
fn twelve_taps_from_home_to_the_first_shot_of_an_enemy() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    let mut thumb = Thumb { page: &page, taps: 0 };
    thumb.tap("a.chip[href='#/game/new.chain-reaction']", "New game");
    thumb.tap("button[type=submit]", "Start");
    thumb.tap("#t-act button", "Roll all 3");
    page.wait("document.querySelectorAll('.counter').length >= 7", "three possible enemies");
    thumb.tap(".counter", "PEF 1");
    thumb.tap(".counter", "Star");
    page.sees_in("#action", "PEF resolution");
    thumb.roll_until(
        "document.querySelector('.result-line').innerText.includes('Contact')",
        |page| {
            page.press_with(".counter", "PEF 1");
            page.press_with(".counter", "Star");
        },
    );
    page.sees_in("#action", "How many enemy");
    thumb.roll_until("true", |_| {});
    page.sees_in("#action", "In Sight");
    thumb.tap(".pick-all", "Everyone");
    thumb.roll_until("document.querySelector('#action')?.innerText.startsWith('Enemy')", |page| {
        page.press_with(".pick-all", "Everyone");
    });
    page.sees_in("#action", "Shooting");
    if page.eval("Boolean(document.querySelector('.role-waits'))") == json!(true) {
        thumb.tap(".counter", "Star");
    }
    thumb.roll_until("true", |_| {});
    page.sees_in(".result-card .result-title", "Shooting");
    assert!(thumb.taps <= 12, "{} taps", thumb.taps);
    calm(&page);
}

#[test]
fn two_taps_from_home_to_a_result_on_any_sheet() {
    let (house, browser) = (House::open(), browser());
    for pack in ["panzer8", "chain-reaction", "combat-leader", "asl-starter-kit"] {
        let page = house.visit(&browser, "");
        page.phone(390, 844);
        page.press(&format!(".game-charts a[href^='#/chart/{pack}/']"));
        page.press("#actions .button-main:not([disabled])");
        page.wait("document.querySelector('#out .result-line')", pack);
        calm(&page);
    }
}

/// One tap invites, one follows the link, one joins, and the guest types a name.
#[test]
fn three_taps_and_one_name_to_play_together() {
    let (house, browser) = (House::open(), browser());
    let anna = house.visit(&browser, "");
    anna.phone(390, 844);
    begin(&anna, "panzer8", "A first game", false);
    tab(&anna, "Play");
    anna.press_with(".head-invite", "Invite");
    anna.wait("document.querySelector('.invite-panel .scan')", "a code to scan");
    let link = "JSON.parse([...document.querySelectorAll('.invitations li')].find((e) => e.querySelector('.scan')).querySelector('[data-do*=copy]').dataset.do).copy";
    let link = anna.eval(link).as_str().unwrap().to_owned();
    let bob = browser.page(&link);
    bob.phone(390, 844);
    ready(&bob);
    bob.sees("You are invited to");
    bob.sees("You join as Axis.");
    bob.fill("#join-name", "Bob");
    bob.press_text("Join the game");
    bob.sees_in(".turn-me", "You are Axis");
    anna.sees_in(".turn-me", "You are Allies");
    anna.wait("document.querySelector('.here')?.innerText.includes('Bob')", "Bob is here");
    // One tap asks for an undo, one allows it, and it is done.
    anna.press(".invite-panel .drop");
    anna.press_with(".counter", "Rifles 1");
    anna.press_with(".counter", "Grenadiers 1");
    anna.press_with("#t-act .button-main:not([disabled])", "Roll");
    for page in [&anna, &bob] {
        page.wait("document.querySelector('.result-card .result-line')", "both see the roll");
    }
    anna.press_with(".result-acts button", "Ask to undo");
    bob.press_text("Allow");
    for page in [&anna, &bob] {
        page.wait("document.querySelector('.entry-undone')", "it is undone");
        calm(page);
    }
    // Bob does not act for Anna by mistake.
    bob.press_with(".counter", "Rifles 1");
    bob.press_with(".counter", "Grenadiers 1");
    bob.press_with("#t-act .button-main:not([disabled])", "Roll");
    bob.sees_in("#t-act", "You are Axis. Roll for Allies?");
    bob.press_with("#t-act button", "Cancel");
    bob.sees_in("#t-act .button-main", "Roll");
}

/// Who watches sees the board and changes nothing.
#[test]
fn a_spectator_reads() {
    let (house, browser) = (House::open(), browser());
    let anna = house.visit(&browser, "");
    begin(&anna, "panzer8", "A first game", true);
    anna.press_with(".head-invite", "Invite");
    let link = "[...document.querySelectorAll('.invitations li')].filter((e) => e.querySelector('b').innerText === 'Spectator').map((e) => JSON.parse(e.querySelector('[data-do*=copy]').dataset.do).copy)[0]";
    anna.wait(link, "an invitation to watch");
    let eve = browser.page(anna.eval(link).as_str().unwrap());
    ready(&eve);
    eve.sees("Watches. Cannot change anything.");
    eve.fill("#join-name", "Eve");
    eve.press_text("Join the game");
    eve.wait("document.querySelectorAll('.counter').length > 4", "the board");
    eve.sees_in("#t-head", "You are watching");
    eve.sees_in("#t-act", "You are watching");
    let acts = "[...document.querySelectorAll('.back-row, .note-form, .add-units')].filter((e) => e.checkVisibility()).length";
    assert_eq!(eve.eval(acts), json!(0));
    calm(&eve);
}

#[test]
fn a_unit_is_dragged_to_its_target() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.press(".button-strong");
    page.wait("document.querySelector('.counter')", "the board");
    page.eval(
        "(() => { const card = (name) => [...document.querySelectorAll('.counter')].find((e) => e.querySelector('.counter-name').innerText === name); \
         const say = (on, type) => on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() })); \
         say(card('Tank'), 'dragstart'); say(card('Anti-tank gun'), 'dragover'); say(card('Anti-tank gun'), 'drop'); })()",
    );
    page.sees_in("#t-act .button-main:not([disabled])", "Roll");
    page.sees_in(".counter-aimed", "Anti-tank gun");
    calm(&page);
}

/// Dice roll on the screen for a moment, and never for longer than half a second.
#[test]
fn a_roll_has_its_moment() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.press(".button-strong");
    page.wait("document.querySelector('.counter')", "the board");
    page.press_with(".counter", "Tank");
    page.press_with(".counter", "Anti-tank gun");
    page.eval("window.moments = []; document.addEventListener('animationstart', (event) => window.moments.push([event.animationName, event.target.getAnimations()[0]?.effect.getComputedTiming().endTime])), 0");
    page.press_with("#t-act .button-main:not([disabled])", "Roll");
    page.wait("window.moments.some(([name]) => name === 'tumble')", "the dice roll");
    assert_eq!(page.eval("window.moments.every(([, end]) => !end || end <= 500)"), json!(true));
    page.wait("!document.documentElement.dataset.moment", "it is over");
    calm(&page);
}
