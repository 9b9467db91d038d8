//! What players do at a table, for the tests that play.

use crate::common::{Tab, adjutant, faces, go};
use serde_json::json;

/// Begins a table in one of the ways of its sheet, under the name of Anna.
pub fn begin(page: &Tab, pack: &str, way: &str, shared: bool) {
    go(page, &format!("#/game/new.{pack}"));
    page.press_with(".way", way);
    page.fill("#begin-who", "Anna");
    if shared {
        page.press_with(".segment", "Shared, by invitation");
        page.wait(
            "[...document.querySelectorAll('.segment')].some((e) => e.innerText.includes('Shared') && e.querySelector('input').checked)",
            "it will be shared",
        );
    }
    page.press_with("button[type=submit]", "Start");
    page.wait("document.querySelector('.table-screen')", "the table is there");
}

/// Shows a part of the table. On a wide screen the roster, the chart and the log stand side by
/// side.
pub fn tab(page: &Tab, name: &str) {
    let button = format!(
        "[...document.querySelectorAll('.table-tab')].filter((e) => e.innerText.includes({}))",
        json!(name)
    );
    page.wait(&format!("{button}.length"), "the parts of the table");
    if page.eval(&format!("{button}[0].checkVisibility()")) == json!(false) {
        return tab(page, "Play");
    }
    page.press_what(&button, name);
    page.wait(
        &format!(
            "document.querySelector('.table-screen')?.dataset.tab === {}",
            json!(name.to_lowercase())
        ),
        name,
    );
}

/// Presses the one large button, which must say this.
pub fn large(page: &Tab, says: &str) {
    page.press_with("#t-act .button-main", says);
    // What it did is shown before anything else is pressed.
    page.wait(
        &format!(
            "!document.querySelector('#t-act .button-main')?.innerText.includes({})",
            json!(says)
        ),
        "it was done",
    );
}

/// Takes up a chart of the sheet.
pub fn chart(page: &Tab, title: &str) {
    page.wait("document.querySelector('.offer')", "charts are offered");
    page.eval("document.querySelectorAll('.other-charts').forEach((more) => more.open = true)");
    page.press_with(".offer", title);
    page.sees_in("#action", title);
}

/// Picks a unit of a side for a role.
pub fn pick(page: &Tab, role: &str, unit: &str, side: &str) {
    let picks = format!(
        "[...document.querySelectorAll('.role-pick')].filter((e) => e.querySelector('legend').innerText.startsWith({}))\
         .flatMap((e) => [...e.querySelectorAll('.pick')]).filter((e) => e.innerText.includes({}) && e.innerText.includes({}))",
        json!(role),
        json!(unit),
        json!(side)
    );
    page.press_what(&picks, &format!("{unit} of {side} as {role}"));
    page.wait(
        &format!("{picks}.some((e) => e.ariaPressed === 'true')"),
        &format!("{unit} is taken as {role}"),
    );
}

/// Picks a unit that is ruled out, and allows it.
pub fn pick_anyway(page: &Tab, role: &str, unit: &str, side: &str) {
    page.eval("document.querySelectorAll('.picks-out').forEach((out) => out.open = true)");
    pick(page, role, unit, side);
    page.press_with(".action-panel button", "Allow it");
}

/// Rolls what is on the desk with the player's own dice, and waits for the result.
pub fn own(page: &Tab, dice: &[u32], result: &str) {
    page.press_text("My dice");
    faces(page, dice);
    page.sees_in(".result-card .result-line", result);
}

/// Opens the arithmetic of the result, and waits until it says this.
pub fn explained(page: &Tab, says: &str) {
    page.wait(
        &format!(
            "(() => {{ const why = document.querySelector('.result-card .sums'); if (why) why.open = true; \
             return document.querySelector('.result-card')?.innerText.includes({}); }})()",
            json!(says)
        ),
        says,
    );
}

/// Taps a unit on the board.
pub fn tap(page: &Tab, unit: &str) {
    page.press_with(".counter", unit);
}

/// Fires small arms from one unit at another.
pub fn fire(page: &Tab, firer: (&str, &str), target: (&str, &str)) {
    chart(page, "AP, HE or small-arms fire");
    pick(page, "Firer", firer.0, firer.1);
    pick(page, "Target", target.0, target.1);
    page.press_with(".segment", "HE or small arms");
    page.sees_in("#t-act .button-main:not([disabled])", "Roll");
}

/// The number of the last event.
pub fn last(page: &Tab) -> u64 {
    let newest = "Number(document.querySelector('.log-list .entry-n')?.textContent ?? 0)";
    page.eval(newest).as_u64().unwrap()
}

/// Exports the log and has it checked by the command, to the last face.
pub fn verified(page: &Tab) -> String {
    let folder = tempfile::tempdir().unwrap();
    page.keep_files(folder.path());
    tab(page, "More");
    page.press_with("button", "Log (JSON Lines)");
    let file = page.file(folder.path(), ".jsonl");
    let said = adjutant(&["verify", file.to_str().unwrap()]);
    let log = std::fs::read_to_string(file).unwrap();
    assert_eq!(log.lines().count() as u64, last(page), "{said}");
    said
}
