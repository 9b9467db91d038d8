//! What is on a sheet, chart by chart.

use super::*;
use adjutant_pack::{Chart, Modifier, Step};
use adjutant_wording::en::ChartWords;

fn figure(pack: &Pack, chart: &Chart, step: &Step, modifier: &Modifier) -> String {
    ChartWords::for_players(pack, chart).amount(modifier, &en::die_of(step)).figure("value")
}

/// Cell by cell from the pack itself, not from the rendered sheet.
#[test]
fn all_that_the_pack_says_is_in_the_pdf() {
    let fonts = Fonts::bundled();
    for id in adjutant_bundled_packs::IDS {
        let pack = shipped(id);
        let made = whole(&pack, false);
        for look in [PageOptions::on(A4), PageOptions { large: true, ..PageOptions::on(LETTER) }] {
            let words =
                words_of(&pdf(&document(&made, pages(&made, &look, &fonts)), &fonts).unwrap(), id);
            let has = |text: &str, what: &str| {
                assert!(words.contains(&squeezed(text)), "{id}: {what} “{text}” is not in the PDF");
            };
            [pack.title().as_str(), pack.source(), pack.notice(), pack.about()]
                .into_iter()
                .for_each(|text| has(text, "the head's"));
            for chart in pack.charts() {
                has(&chart.title, "the chart");
                has(&chart.about, "what it is about");
                chart.notes.iter().for_each(|note| has(note, "the remark"));
                for step in chart.steps.iter().filter(|step| step.on_sheet) {
                    for modifier in &step.add {
                        has(&modifier.label, "the modifier");
                        if modifier.amount.formula().constant().is_some() {
                            let amount = figure(&pack, chart, step, modifier);
                            has(&amount, "the amount");
                        }
                    }
                }
                for row in &chart.read.rows {
                    has(&row.label, "the row");
                    if let Some(band) =
                        row.band.filter(|band| band.from.is_some() || band.to.is_some())
                        && row.label.is_empty()
                    {
                        let words = if row.text.is_empty() {
                            band_in_words(band)
                        } else {
                            row.text.to_string()
                        };
                        has(&words, "the band");
                    }
                    for cell in &row.cells {
                        has(&cell.label, "the cell");
                        cell.landing.iter().for_each(|landing| {
                            has(
                                &pack.results()[chart.landings[*landing].result].title,
                                "the result",
                            )
                        });
                    }
                }
                // An ordinary sheet may leave readings out; large print has them all.
                let readings = chart.all_readings().into_iter().filter(|_| look.large);
                readings.for_each(|reading| has(&pack.readings()[reading].text, "the reading"));
            }
            for status in pack.statuses() {
                has(&format!("{} {}", status.title, status.means), "the status");
            }
            for phase in pack.phases() {
                has(&format!("{} {}", phase.title, phase.text), "the phase");
            }
            for option in pack.options() {
                has(&option.field.label, "the option");
                has(&option.origin, "where it comes from:");
            }
        }
    }
}

/// Every modifier is beside its own amount, in the model and in Markdown and HTML.
#[test]
fn each_modifier_has_its_amount_in_every_form() {
    for id in adjutant_bundled_packs::IDS {
        let pack = shipped(id);
        let made = whole(&pack, false);
        let (md, page) = (markdown(&made), html(&made));
        let lines: Vec<_> = made
            .sections
            .iter()
            .flat_map(|section| &section.parts)
            .filter_map(|part| if let Part::Amounts(lines) = part { Some(lines) } else { None })
            .flatten()
            .collect();
        for chart in pack.charts() {
            for step in chart.steps.iter().filter(|step| step.on_sheet) {
                for modifier in step
                    .add
                    .iter()
                    .filter(|modifier| modifier.amount.formula().constant().is_some())
                {
                    let amount = figure(&pack, chart, step, modifier);
                    let is = |line: &&&adjutant_render::reference::Amount| {
                        line.label.starts_with(modifier.label.as_str()) && line.amount == amount
                    };
                    assert!(
                        lines.iter().any(|line| is(&line)),
                        "{id}: {} {amount}",
                        modifier.label
                    );
                }
            }
        }
        for line in lines {
            assert!(page.contains(&line.amount), "{id}: {}", line.amount);
            assert!(md.contains(&line.amount.replace('<', "\\<")), "{id}: {}", line.amount);
        }
        assert!(!page.contains("<script") && page.ends_with("</html>\n"));
    }
}

#[test]
fn one_chart_alone() {
    let pack = shipped("panzer8");
    let fire = pack.chart_id("fire").unwrap();
    let made = sheet(&pack, &SheetOptions { charts: vec![fire], ..SheetOptions::default() });
    let titles: Vec<&str> = made.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["AP, HE or small-arms fire", "Options", "Readings in force"]);
}

#[test]
fn the_players_own_table_is_filled_in_and_else_a_form() {
    let blank = whole(&shipped("combat-leader"), false);
    let casualty = |sheet: &Sheet| {
        sheet.sections.iter().find(|section| section.title == "Casualty").unwrap().clone()
    };
    let form = |part: &Part| matches!(part, Part::Table(table) if table.form);
    assert!(casualty(&blank).parts.iter().any(form));
    let own = "[table.casualty]\nrows = [\n { to = 2, clear = \"no-effect\", forest = \"no-effect\", building = \"no-effect\" },\n { clear = \"killed\", forest = \"pinned\", building = \"pinned\" },\n]\n";
    let pack =
        read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), Some(own)).unwrap();
    let filled = casualty(&whole(&pack, false));
    assert!(!filled.parts.iter().any(form));
    let rows = filled
        .parts
        .iter()
        .find_map(
            |part| if let Part::Table(table) = part { Some(table.rows.clone()) } else { None },
        )
        .unwrap();
    assert_eq!(rows[1], ["3 or more", "Killed", "Pinned", "Pinned"]);
}

/// “HE/SA value” is the name of a number and does not say when that number counts.
#[test]
fn a_modifier_that_counts_for_one_choice_says_so_on_paper() {
    let (pack, fonts) = (shipped("panzer8"), Fonts::bundled());
    let made = whole(&pack, false);
    let words = words_of(
        &pdf(&document(&made, pages(&made, &PageOptions::on(A4), &fonts)), &fonts).unwrap(),
        "panzer8-choices",
    );
    for line in ["HE/SA value (Ammunition: HE or small arms)", "AP value (Ammunition: AP)"] {
        assert!(words.contains(&squeezed(line)), "“{line}” is not in the PDF");
        assert_eq!(markdown(&made).matches(line).count(), 1);
    }
    assert!(
        !words.contains(&squeezed("AP over half range (Ammunition")),
        "its label says it already"
    );
}

#[test]
fn the_authors_words_replace_formulas_and_hidden_steps_are_not_on_the_sheet() {
    let pack = made_up(
        r#"[pack]
id = "words"
title = "Words"
[unit.man]
title = "Man"
has = { nerve = { number = "Nerve" }, loss = { number = "Losses" } }
[result.shaken]
title = "Shaken"
of = "man"
effects = [ { add = "loss", by = "max(value, it.nerve) - it.loss", text = "Effect in words." } ]
next = [ { chart = "fire", why = "x", who = { man = "it" }, when = "it.nerve > it.loss + value", text = "Next in words" } ]
instead = [ { when = "it.nerve + it.loss > value", result = "safe", text = "Instead in words." } ]
[result.safe]
title = "Safe"
[chart.fire]
title = "Fire"
who = { man = "man" }
ask = { guns = { number = "Guns", from = 1, to = 9 }, range = { number = "Range", from = 1, to = 9 } }
[[chart.fire.step]]
work_out = "guns * range"
as = "secret"
sheet = false
[[chart.fire.step]]
roll = "d6"
count = "max(guns, range)"
when = "guns > range or secret > 3"
text = "Step in words"
add = [ { label = "Guns", plus = "if(guns > range, 1, secret)", text = "modifier in words" } ]
[chart.fire.read]
score = "die + guns - range"
text = "Score in words"
rows = [ { to = 3, all = "safe" }, { when = "guns > 2 and range > 3 and secret > 9", text = "Row in words", all = "safe" }, { all = { result = "shaken", value = 2 } } ]
also = [ { when = "guns > 1 and range > 1 and secret > 4", text = "also in words", result = "safe" } ]
"#,
    );
    let made = whole(&pack, false);
    for shown in [markdown(&made), html(&made)] {
        for words in ["Step", "modifier", "Score", "Row", "also", "Effect", "Next", "Instead"] {
            let words = format!("{words} in words");
            assert_eq!(shown.matches(&words).count(), 1, "“{words}” in\n{shown}");
        }
        for formula in ["guns", "Guns ×", "greatest", "Secret", "else"] {
            assert!(!shown.contains(formula), "“{formula}” is in\n{shown}");
        }
    }
}

#[test]
fn the_faces_of_dice_are_on_the_sheet_with_their_symbols() {
    let pack = made_up(
        r#"[pack]
id = "faces"
title = "Faces"
[die.battle]
title = "Battle die"
faces = ["foot", "foot", "flash", "blank"]
face = { flash = { title = "Flash", symbol = "✹" } }
[chart.c]
title = "C"
step = [ { roll = "battle", tally = { hits = "face == 'flash'" } } ]
read = { value = "die.hits" }
"#,
    );
    assert!(markdown(&whole(&pack, false)).contains("Foot ×2, ✹ Flash, Blank"));
}

/// Players read “as many d6 as Guns”, not “(guns)d6”.
#[test]
fn a_number_of_dice_is_said_in_words() {
    let pack = made_up(
        r#"[pack]
id = "many"
title = "Many"
[chart.c]
title = "C"
ask = { guns = { number = "Guns", from = 1, to = 9 } }
step = [ { roll = "d6", count = "guns" } ]
read = { value = "die" }
"#,
    );
    assert!(markdown(&whole(&pack, false)).contains("as many d6 as Guns"));
    for id in adjutant_bundled_packs::IDS {
        let text = markdown(&whole(&shipped(id), false));
        let formula = |sides: &str| text.contains(&format!(")d{sides}"));
        assert!(!["6", "8", "10", "20"].iter().any(|sides| formula(sides)), "{id}");
    }
}

/// A label of the columns is above the columns, and beside the rows once the table is turned.
#[test]
fn the_name_of_an_axis_is_at_its_axis() {
    let fonts = Fonts::bundled();
    let made = whole(&shipped("panzer8"), false);
    let drawn = pages(&made, &PageOptions { columns: Some(2), ..PageOptions::on(A4) }, &fonts);
    let all: Vec<_> = drawn.iter().flat_map(|page| boxes(page, &fonts, (0.0, 0.0))).collect();
    let place = |words: &str| all.iter().find(|(_, text)| text == words).unwrap().0;
    let (across, first, last) = (place("Ground (inches)"), place("Road"), place("Difficult"));
    assert!(across[3] <= first[1] + 0.5, "above: {across:?} {first:?}");
    let middle = (across[0] + across[2]) / 2.0;
    assert!(middle > first[0] && middle < last[2], "{across:?} {first:?} {last:?}");
    assert!(across[0] > place("Class")[2], "not above the names of the rows");
}

/// Players read words. A formula is shown only where an author wrote nothing better, and the four
/// packs leave no such place.
#[test]
fn no_formula_is_on_the_four_sheets() {
    let formula = |line: &str| {
        let signs = ["==", "!=", "&&", "||", "max(", "min(", "floor(", "ceil(", "if("];
        let name = |word: &str| {
            let letters = |part: &str| {
                !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            };
            word.contains('_') && letters(word)
                || word.split_once('.').is_some_and(|(role, of)| letters(role) && letters(of))
        };
        let words = line.split(|c: char| c.is_whitespace() || "()|*`,;:".contains(c));
        signs.iter().any(|sign| line.contains(sign)) || words.into_iter().any(name)
    };
    for id in adjutant_bundled_packs::IDS {
        let text = markdown(&whole(&shipped(id), false)).replace(".html", "");
        let odd: Vec<&str> = text.lines().filter(|line| formula(line)).collect();
        assert!(odd.is_empty(), "{id}: {odd:#?}");
        for word in ["declared together", "held back", " land ", " lands "] {
            assert!(!text.contains(word), "{id}: {word}");
        }
    }
    assert!(formula("Soldiers, if soldiers_here > 1") && formula("= attacker.fp"));
}
