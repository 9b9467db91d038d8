//! A chart, tried without a table: the odds under the finger, our dice and the player's, cards,
//! questions on the way; and the sheet it stands on.

use crate::common::{House, browser, calm, faces, go, ready};
use serde_json::json;

const FIRE: &str = "#/chart/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=4";

#[test]
fn the_odds_follow_every_toggle() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.press_with(".game-charts a", "AP, HE or small-arms fire");
    // The examples have odds; the player's own values replace them.
    page.sees("The values are examples");
    page.sees_in("#odds", "%");
    page.press_with(".segment", "HE or small arms");
    page.fill("[id='in-firer.hesa']", "6");
    page.key("Enter");
    page.fill("[id='in-target.def']", "4");
    page.key("Enter");
    page.sees_in("#odds", "36.0 %");
    page.press_with(".tick", "Target within 4");
    page.sees_in("#odds", "28.0 %");
    assert!(
        page.eval("location.hash").as_str().unwrap().contains("close=yes"),
        "the address says the same"
    );
    page.press_with(".tick", "Target within 4");
    page.sees_in("#odds", "36.0 %");
    // What is not ticked stays in view.
    page.sees("The firer moved");
    calm(&page);
}

#[test]
fn a_roll_is_told_with_its_arithmetic_and_a_link_brings_the_form_back() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, FIRE);
    page.press(".button-main");
    page.sees_in("#out", "on the dice");
    page.sees_in("#out", "HE/SA value");
    page.sees("Roll again");
    page.reload();
    ready(&page);
    page.sees_in("#odds", "36.0 %");
    calm(&page);
}

#[test]
fn the_players_own_dice_are_taken_face_by_face() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, FIRE);
    page.press_text("My dice");
    page.sees_in("#out", "Roll 1d10");
    faces(&page, &[7]);
    page.sees_in(".ask-for", "Target");
    // A keyboard has the faces too: the pad's keys are its numbers.
    page.key("3");
    page.sees_in("#out", "Out of Action");
    page.sees_in("#out", "5 or more");
    calm(&page);
}

#[test]
fn cards_jam_and_are_reshuffled_and_a_question_is_asked_on_the_way() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/chart/combat-leader/accuracy?mod_fp=3&clear=yes");
    let card = |number: &str| {
        page.fill("#card-number", number);
        page.key("Enter");
    };
    page.press_text("My card");
    page.sees_in("#out", "Draw your card");
    // A Shuffle card first, then a Jam card that does not jam.
    card("57");
    page.sees_in("#out", "reshuffled");
    card("53");
    page.sees_in("#out", "Does the weapon jam?");
    page.press_text("No");
    page.sees_in("#out", "Draw your card");
    // What cannot be drawn is said, and the question stays.
    card("61");
    page.sees_in("#out .wrong", "61");
    card("4");
    page.sees_in("#out", "Accurate in Clear");
    page.sees_in("#out", "card 53");
    // The same, and this time it jams.
    page.press_text("My card");
    page.sees_in("#out", "Draw your card");
    card("54");
    page.sees_in("#out", "Does the weapon jam?");
    page.key("y");
    page.wait(
        "/jam/i.test(document.querySelector('#out .result-line, #result')?.innerText ?? '')",
        "the weapon jams",
    );
    calm(&page);
}

#[test]
fn several_roll_at_once_and_are_put_in_order() {
    let (house, browser) = (House::open(), browser());
    let page =
        house.visit(&browser, "#/chart/chain-reaction/in-sight?figure.1.rep=5&figure.2.rep=4");
    page.press_text("Add a figure");
    page.fill("[id='in-figure.3.rep']", "3");
    page.key("Enter");
    page.press(".button-main");
    page.sees_in("#out", "Order:");
    calm(&page);
}

#[test]
fn the_sheet_is_searched_and_every_chart_is_one_tap_away() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/sheet/panzer8");
    page.sees("Hand-to-hand combat");
    page.fill("input[type=search]", "rally");
    page.wait(
        "document.querySelectorAll('.sheet-chart').length < 6 && document.querySelector('#chart-rally')",
        "only what speaks of it is left",
    );
    page.fill("input[type=search]", "zeppelin");
    page.wait("document.querySelectorAll('.sheet-chart').length === 0", "nothing is left");
    page.sees("zeppelin");
    page.fill("input[type=search]", "rally");
    page.press("#chart-rally .sheet-play");
    page.sees_in("main h1", "Recover or rally");
    calm(&page);
}

#[test]
fn options_and_the_theme_are_remembered() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/chart/chain-reaction/shooting");
    page.sees("This chart needs an option that is off");
    page.press_text("Turn it on");
    page.wait(
        "document.querySelector('#actions .button-main')?.innerText.includes('Roll')",
        "it can be rolled",
    );
    page.press_text("Dark");
    page.wait("document.documentElement.dataset.theme === 'dark'", "it is dark");
    let dark = page.eval("getComputedStyle(document.documentElement).backgroundColor");
    page.reload();
    assert_eq!(
        page.eval("document.documentElement.dataset.theme"),
        json!("dark"),
        "before the engine is there"
    );
    ready(&page);
    page.wait(
        "document.querySelector('#actions .button-main')?.innerText.includes('Roll')",
        "the option is still on",
    );
    page.press_text("Light");
    page.wait("document.documentElement.dataset.theme === 'light'", "it is light");
    assert_ne!(page.eval("getComputedStyle(document.documentElement).backgroundColor"), dark);
    go(&page, "#/sheet/chain-reaction");
    page.sees("Options");
    calm(&page);
}
