//! The form of the pack editor: a chart gets questions, answers, conditions, rows and effects
//! without a line of TOML, and runs beside the form after each change.

use crate::common::{House, browser, calm, faces, go, kept, ready};
use adjutant_browser_test::Tab;
use adjutant_pack::{Bundle, Files};
use serde_json::json;

/// Chooses an option of a list.
fn choose(page: &Tab, list: &str, option: &str) {
    page.eval(&format!(
        "(() => {{ const list = document.querySelector({}); list.value = [...list.options].find((one) => one.text.includes({})).value; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        json!(list), json!(option)
    ));
}

/// Fills a field in and leaves it.
fn enter(page: &Tab, field: &str, text: &str) {
    page.fill(field, text);
    page.key("Tab");
}

/// Chooses a file, in the chooser inside this element.
fn open_file(page: &Tab, inside: &str, name: &str, text: &str) {
    page.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {})); const input = document.querySelector({}); input.files = data.files; input.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        json!(text), json!(name), json!(format!("{inside} input[type=file]"))
    ));
}

#[test]
fn a_chart_is_extended_in_the_form_alone() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/editor");
    page.size(1440, 900);
    page.press(".tab-form");
    page.wait("document.querySelector('.pack-form input')", "the form");
    let questions = "document.querySelectorAll('.editor-chart .field, .editor-chart .tick').length";
    let before = page.eval(questions);
    page.press_with(".pack-form button", "Add a choice");
    page.wait(&format!("{questions} > {before}"), "the chart asks one more question");
    page.sees_in(".editor-chart", "New question");
    let field = "[...document.querySelectorAll('.pack-form input')].find((e) => e.value === 'Second answer').id";
    let answer = page.eval(field).as_str().unwrap().to_owned();
    enter(&page, &format!("#{answer}"), "In a swamp");
    page.sees_in(".editor-chart", "In a swamp");
    page.press_with(".pack-form button", "Add an answer");
    page.sees_in(".editor-chart", "New answer");
    // The modifier of the second answer counts for the third instead.
    let counts = "[...document.querySelectorAll('.pack-form select')].find((e) => e.selectedOptions[0]?.text.includes('In a swamp')).id";
    let counts = page.eval(counts).as_str().unwrap().to_owned();
    choose(&page, &format!("#{counts}"), "New answer");
    page.wait(
        &format!(
            "document.querySelector('#{counts}').selectedOptions[0].text.includes('New answer')"
        ),
        "another condition",
    );
    page.press_with(".pack-form button", "Add an instruction");
    page.wait(
        "[...document.querySelectorAll('.pack-form input')].some((e) => e.value === 'New instruction')",
        "an instruction to the players",
    );
    page.sees_in(".editor-faults", "No errors");
    page.press_with(".editor-actions button", "My dice");
    page.wait("document.querySelector('.pad-face')", "it can be rolled");
    calm(&page);
}

#[test]
fn a_table_in_a_spreadsheet_file_is_edited_cell_by_cell() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "#/editor");
    page.size(1440, 900);
    page.wait("document.querySelector('.editor-text textarea')", "the text");
    let pack = "[pack]\nid = \"hill\"\ntitle = \"Hill\"\nformat = 2\n\n[chart.fire]\ntitle = \"Fire\"\n\n[[chart.fire.step]]\nroll = \"1d6\"\nas = \"die\"\n\n[chart.fire.read]\nscore = \"die\"\nrows = \"fire.csv\"\n\n[result.miss]\ntitle = \"Miss\"\n\n[result.hit]\ntitle = \"Hit\"\n";
    for (name, text) in [("fire.csv", "die,result\n1-3,miss\n4+,hit\n"), ("pack.toml", pack)] {
        open_file(&page, ".editor-start", name, text);
        page.sees_in(".editor-files", name);
        page.wait(
            &format!(
                "document.querySelector('.editor-text textarea').value.startsWith({})",
                json!(&text[..6])
            ),
            name,
        );
    }
    page.press(".tab-form");
    page.wait("document.querySelector('#form-cell-1-0')?.value === '1-3'", "the cells");
    page.eval("document.querySelectorAll('.form-sheet tr')[2].querySelector('button').click()");
    page.wait("document.querySelector('#form-cell-3-0')", "one more row");
    enter(&page, "#form-cell-2-0", "4-5");
    page.wait("document.querySelector('#form-cell-2-0').value === '4-5'", "its score");
    enter(&page, "#form-cell-3-0", "6");
    page.sees_in(".editor-faults", "No errors");
    enter(&page, "#form-cell-3-1", "mis");
    page.wait("document.querySelector('.form-sheet .wrong')", "an error at its cell");
    enter(&page, "#form-cell-3-1", "miss");
    page.sees_in(".editor-faults", "No errors");
    page.press_with(".editor-actions button", "My dice");
    faces(&page, &[6]);
    page.sees_in(".editor-out", "Miss");
    calm(&page);
}

/// A newer version of an installed pack is refused at home, opened in the editor, compared and used.
#[test]
fn a_newer_version_of_a_pack_is_compared_and_used() {
    let (house, browser) = (House::open(), browser());
    let page = house.visit(&browser, "");
    page.phone(390, 844);
    let older = adjutant_bundled_packs::skeleton("my-game");
    let text = older.text("pack.toml").unwrap();
    assert!(text.contains("plus = 1, when = \"close\"") && text.contains("version = \"1\""));
    let mut newer = older.clone();
    newer.put(
        "pack.toml",
        text.replace("plus = 1, when = \"close\"", "plus = 3, when = \"close\"")
            .replace("version = \"1\"", "version = \"2\""),
    );
    let bundle = |files: &Files| Bundle::new(files.clone()).write().unwrap();
    open_file(&page, ".import", "my-game.adjutant", &bundle(&older));
    page.sees("My Game is installed.");
    open_file(&page, ".import", "my-game.adjutant", &bundle(&newer));
    page.sees("open the file in the pack editor");

    go(&page, "#/editor");
    page.wait("document.querySelector('.editor-start input[type=file]')", "the editor");
    open_file(&page, ".editor-start", "my-game.adjutant", &bundle(&newer));
    page.sees_in(".editor-faults", "No errors");
    page.sees_in(".editor-diff", "What changes");
    page.sees_in(".editor-diff", "Close");
    page.wait("document.querySelector('.diff-shifts li')", "a chance that moves");
    page.wait("!document.querySelector('.editor-diff .working')", "the comparison ends");
    let picture = |name: &str, part: &str| {
        page.eval(&format!("document.querySelector({}).scrollIntoView()", json!(part)));
        page.picture(&kept("screenshots").join(name), false);
    };
    picture("editor-newer-390.png", ".editor-diff");
    let width = page.eval("document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(width <= 390, "{width} wide");
    page.press("#editor-use .chips button");
    page.sees("My Game is in use");
    page.sees_in(".editor-diff", "the same");
    picture("editor-used-390.png", "#editor-use");
    // It stays after the page is closed.
    page.go(&house.url("#/chart/my-game/fire"));
    page.reload();
    ready(&page);
    page.press("#in-close");
    page.sees_in("main", "+3");
    calm(&page);
}
