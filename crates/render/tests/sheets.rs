//! Sheets on paper: everything in the pack is in the PDF, nothing is outside the margins, no two
//! texts overlap, and pages equal their goldens. `BLESS=1 cargo test -p adjutant-render --features
//! paper --test sheets` overwrites the goldens: look at the pictures.

#![cfg(feature = "paper")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

#[path = "../../game/tests/common/mod.rs"]
mod common;

use adjutant_pack::{Files, Pack, band_in_words, read_pack};
use adjutant_render::draw::{A4, Anchor, Drawing, LETTER, Mark, Size, Tag};
use adjutant_render::paper::{Document, Fonts, Page, pdf, png};
use adjutant_render::record::RosterSheet;
use adjutant_render::reference::{
    PageOptions, Part, Sheet, SheetOptions, html, markdown, pages, sheet,
};
use adjutant_wording::en;
use adjutant_wording::report::report as battle_report;
use resvg::tiny_skia::Pixmap;
use std::process::Command;

/// The smallest letters on paper, in millimetres.
const EIGHT_POINTS: f64 = 8.0 * 25.4 / 72.0;

fn shipped(id: &str) -> Pack {
    read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
}

fn whole(pack: &Pack, odds: bool) -> Sheet {
    sheet(pack, &SheetOptions { odds, ..SheetOptions::default() })
}

fn looks() -> Vec<PageOptions> {
    let of = |paper: Size| {
        [
            PageOptions::on(paper),
            PageOptions { low_ink: true, ..PageOptions::on(paper) },
            PageOptions { large: true, ..PageOptions::on(paper) },
        ]
    };
    [A4, LETTER].into_iter().flat_map(of).collect()
}

fn document(sheet: &Sheet, pages: Vec<Drawing>) -> Document {
    Document {
        title: sheet.title.clone(),
        about: sheet.about.clone(),
        pages: pages.into_iter().map(Page::whole).collect(),
        ..Document::default()
    }
}

/// The words of a PDF with single spaces.
fn words_of(bytes: &[u8], name: &str) -> String {
    let path = std::env::temp_dir().join(format!("adjutant-{name}-{}.pdf", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let out = Command::new("pdftotext")
        .args(["-raw", "-enc", "UTF-8"])
        .arg(&path)
        .arg("-")
        .output()
        .expect("pdftotext is installed (poppler-utils)");
    std::fs::remove_file(&path).unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    squeezed(&String::from_utf8(out.stdout).unwrap())
}

/// Without spaces, because line breaks do not matter.
fn squeezed(text: &str) -> String {
    // Compatibility characters that an extractor may expand.
    text.chars()
        .filter(|c| !c.is_whitespace() && !"⁰¹²³⁴⁵⁶⁷⁸⁹".contains(*c))
        .collect::<String>()
        .replace('−', "-")
}

/// The box of a text: left, top, right, bottom.
fn boxes(drawing: &Drawing, fonts: &Fonts, (dx, dy): (f64, f64)) -> Vec<([f64; 4], String)> {
    let mut found = Vec::new();
    for mark in &drawing.marks {
        match mark {
            Mark::Text { at, size, anchor, style, words, .. } => {
                let wide = fonts.width(words, *size, *style);
                let left = match anchor {
                    Anchor::Start => at.0,
                    Anchor::Middle => at.0 - wide / 2.0,
                    Anchor::End => at.0 - wide,
                };
                let (left, base) = (left + dx, at.1 + dy);
                found.push((
                    [left, base - size * 0.74, left + wide, base + size * 0.2],
                    words.clone(),
                ));
            }
            Mark::Inset { at, drawing, .. } => {
                found.extend(boxes(drawing, fonts, (at.0 + dx, at.1 + dy)))
            }
            _ => {}
        }
    }
    found
}

/// The law of every page: all within the margins, no two texts overlap, all letters large enough.
fn lawful(drawing: &Drawing, fonts: &Fonts, margin: f64, least: f64, name: &str) {
    let Size { width, height } = drawing.size;
    let mut boxes = boxes(drawing, fonts, (0.0, 0.0));
    boxes.sort_by(|(a, _), (b, _)| a[1].total_cmp(&b[1]));
    assert!(!boxes.is_empty(), "{name} is empty");
    for (place, (a, words)) in boxes.iter().enumerate() {
        let inside = a[0] >= margin - 0.01
            && a[1] >= margin - 0.7
            && a[2] <= width - margin + 0.05
            && a[3] <= height - margin + 0.3;
        assert!(inside, "{name}: “{words}” lies outside the margins: {a:?}");
        for (b, others) in boxes[place + 1..].iter().take_while(|(b, _)| b[1] < a[3]) {
            let over = a[0] + 0.05 < b[2]
                && b[0] + 0.05 < a[2]
                && a[1] + 0.05 < b[3]
                && b[1] + 0.05 < a[3];
            assert!(!over, "{name}: “{words}” and “{others}” overlap: {a:?} {b:?}");
        }
    }
    for mark in &drawing.marks {
        match mark {
            Mark::Text { size, words, .. } => {
                assert!(*size >= least - 0.001, "{name}: “{words}” is only {size} mm high")
            }
            Mark::Box { at, size, .. } => {
                let inside = at.0 >= margin - 0.01
                    && at.1 >= margin - 0.01
                    && at.0 + size.0 <= width - margin + 0.05
                    && at.1 + size.1 <= height - margin + 0.05;
                assert!(inside, "{name}: a box lies outside the margins: {at:?} {size:?}");
            }
            _ => {}
        }
    }
}

#[test]
fn every_page_of_every_pack_is_lawful() {
    let fonts = Fonts::bundled();
    for id in adjutant_bundled_packs::IDS {
        let pack = shipped(id);
        for odds in [false, true] {
            let made = whole(&pack, odds);
            for look in looks().into_iter().filter(|look| !odds || !look.low_ink) {
                let drawn = pages(&made, &look, &fonts);
                for (number, page) in drawn.iter().enumerate() {
                    let turned = Size { width: look.paper.height, height: look.paper.width };
                    assert!(page.size == look.paper || page.size == turned);
                    lawful(
                        page,
                        &fonts,
                        9.0,
                        EIGHT_POINTS,
                        &format!("{id} {look:?}, odds {odds}, page {}", number + 1),
                    );
                }
                // Two sheets of paper at most, on both sides; more only in large print and with odds.
                let most = if look.large { 12 } else { 4 + usize::from(odds) };
                assert!(
                    (1..=most).contains(&drawn.len()),
                    "{id} {look:?}, odds {odds}: {} pages",
                    drawn.len()
                );
            }
        }
    }
}

#[test]
fn large_print_is_large() {
    let fonts = Fonts::bundled();
    let drawn = pages(
        &whole(&shipped("panzer8"), false),
        &PageOptions { large: true, ..PageOptions::on(A4) },
        &fonts,
    );
    for page in &drawn {
        for mark in &page.marks {
            // The footer is not counted.
            if let Mark::Text { size, at, words, .. } = mark {
                let foot = at.1 > page.size.height - 22.0;
                assert!(*size >= 4.2 || foot, "“{words}” is only {size} mm high");
            }
        }
    }
}

#[test]
fn panzer8_and_combat_leader_stand_on_one_sheet_of_paper() {
    for id in ["panzer8", "combat-leader"] {
        for paper in [A4, LETTER] {
            let drawn =
                pages(&whole(&shipped(id), false), &PageOptions::on(paper), &Fonts::bundled());
            assert!(drawn.len() <= 2, "{id}: {} pages", drawn.len());
        }
    }
}

#[test]
fn the_number_of_pages_columns_and_the_direction_can_be_chosen() {
    let (made, fonts) = (whole(&shipped("panzer8"), false), Fonts::bundled());
    let with = |change: fn(&mut PageOptions)| {
        let mut look = PageOptions::on(A4);
        change(&mut look);
        pages(&made, &look, &fonts)
    };
    let largest = |drawn: &[Drawing]| {
        let texts = drawn.iter().flat_map(|page| &page.marks).filter_map(|mark| match mark {
            Mark::Text { size, words, .. } if words == "Target is open-topped" => Some(*size),
            _ => None,
        });
        texts.fold(0.0, f64::max)
    };
    let (two, four) = (with(|look| look.pages = Some(2)), with(|look| look.pages = Some(4)));
    assert!(two.len() <= 2 && four.len() <= 4);
    assert!(largest(&four) > largest(&two) * 1.1, "{} {}", largest(&four), largest(&two));
    assert!(with(|look| look.pages = Some(1)).is_empty(), "eight points do not fit on one page");
    let lying = with(|look| look.landscape = Some(true));
    assert!(lying.iter().all(|page| page.size.width == A4.height));
    let columns = |drawn: &[Drawing]| {
        let lefts = drawn[0].marks.iter().filter_map(|mark| match mark {
            Mark::Box { at, fill: None, edge: Some(_), .. } => Some((at.0 * 10.0) as i64),
            _ => None,
        });
        lefts.collect::<std::collections::BTreeSet<i64>>().len()
    };
    assert_eq!(columns(&with(|look| look.columns = Some(3))), 3);
    assert_eq!(columns(&with(|look| look.columns = Some(2))), 2);
}

/// What rarely matters does not take the place of what is looked up in every turn.
#[test]
fn readings_take_at_most_a_sixth_of_the_sheet() {
    let fonts = Fonts::bundled();
    for id in adjutant_bundled_packs::IDS {
        let drawn = pages(&whole(&shipped(id), false), &PageOptions::on(A4), &fonts);
        let area: f64 = drawn.iter().map(|page| page.size.width * page.size.height).sum();
        let mut readings = 0.0;
        for page in &drawn {
            // The frame of a block comes after its head.
            let mut ours = false;
            for mark in &page.marks {
                match mark {
                    Mark::Text { words, .. } if words.starts_with("Readings in force") => {
                        ours = true;
                    }
                    Mark::Box { size, fill: None, edge: Some(_), .. } => {
                        readings += if ours { size.0 * size.1 } else { 0.0 };
                        ours = false;
                    }
                    _ => {}
                }
            }
        }
        assert!(readings > 0.0 && readings * 6.0 <= area, "{id}: {:.3}", readings / area);
    }
}

/// A heading is never the last thing in its column.
#[test]
fn no_heading_stands_alone_and_no_chart_is_split() {
    let fonts = Fonts::bundled();
    for id in adjutant_bundled_packs::IDS {
        let pack = shipped(id);
        for look in looks().into_iter().filter(|look| look.paper == A4) {
            for page in pages(&whole(&pack, false), &look, &fonts) {
                for chart in pack.charts() {
                    let again = format!("{} – continued", chart.title);
                    let is = |mark: &Mark| matches!(mark, Mark::Text { words, .. } if words.starts_with(&again));
                    let split = page.marks.iter().any(is);
                    assert!(!split || look.large, "{id} {look:?}: {again}");
                }
                for (place, mark) in page.marks.iter().enumerate() {
                    if !matches!(mark, Mark::Tag(Tag::Heading)) {
                        continue;
                    }
                    // After the heading and its texts something else must come before the frame.
                    let rest = page.marks[place + 1..].iter();
                    let next = rest.clone().find(|mark| {
                        matches!(mark, Mark::Tag(tag) if *tag != Tag::Heading)
                            || matches!(mark, Mark::Box { fill: None, edge: Some(_), .. })
                    });
                    assert!(matches!(next, Some(Mark::Tag(_))), "{id} {look:?}: a heading alone");
                }
            }
        }
    }
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
                            let amount = en::amount_of(modifier, &en::die_of(step)).0;
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
                chart
                    .all_readings()
                    .into_iter()
                    .for_each(|reading| has(&pack.readings()[reading].text, "the reading"));
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
                    let amount = en::amount_of(modifier, &en::die_of(step)).0.replace('-', "−");
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
fn the_same_sheet_gives_the_same_bytes() {
    let made = whole(&shipped("asl-starter-kit"), true);
    let once = || {
        let fonts = Fonts::bundled();
        pdf(&document(&made, pages(&made, &PageOptions::on(A4), &fonts)), &fonts).unwrap()
    };
    assert_eq!(once(), once());
    assert!(once().starts_with(b"%PDF-"));
}

fn table_of(sheet: &Sheet, chart: &str) -> adjutant_render::reference::Table {
    let section = sheet.sections.iter().find(|section| section.title == chart).unwrap();
    let tables = section
        .parts
        .iter()
        .filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None });
    tables
        .rev()
        .find(|table| table.caption.contains('%'))
        .unwrap_or_else(|| panic!("{chart} has no chances"))
        .clone()
}

fn row<'t>(table: &'t adjutant_render::reference::Table, name: &str) -> &'t [String] {
    table
        .rows
        .iter()
        .find(|row| row[0] == name)
        .unwrap_or_else(|| panic!("no row {name} in {table:?}"))
}

/// Calculated by hand, not by the engine.
#[test]
fn chance_tables_say_what_the_dice_say() {
    let panzer8 = whole(&shipped("panzer8"), true);
    let fire = table_of(&panzer8, "AP, HE or small-arms fire");
    assert_eq!(fire.heads, ["Net", "0 or less", "1 to 2", "3 to 4", "5 or more"]);
    // Two d10: a difference of 0 or less in 55 of 100 ways; 1 or 2 in 9 + 8; 3 or 4 in 7 + 6; 5 and
    // more in 15.
    assert_eq!(row(&fire, "0"), ["0", "55", "17", "13", "15"]);
    assert_eq!(row(&fire, "+5"), ["+5", "15", "13", "17", "55"]);
    let rally = table_of(&panzer8, "Recover or rally");
    assert_eq!(row(&rally, "0")[1..], ["10", "40", "30", "20"]);
    // The vehicle's Def counts as 4 at most; a modifier of −1 must still be one worse than 0.
    let hunt = table_of(&panzer8, "Tank hunting");
    assert_eq!(row(&hunt, "0")[1..], ["55", "17", "13", "15"]);
    assert_eq!(row(&hunt, "−1")[1..], ["64", "15", "11", "10"]);
    let chain = whole(&shipped("chain-reaction"), true);
    let crisis = table_of(&chain, "Crisis test");
    // Rep 4: each d6 passes in 4 of 6 ways.
    assert_eq!(row(&crisis, "4")[1..], ["11", "44", "44"]);
    let asl = whole(&shipped("asl-starter-kit"), true);
    let combat = table_of(&asl, "Close combat");
    // 3-2 has the kill number 6: 10 of 36 below it, 5 equal, 21 above.
    assert_eq!(row(&combat, "3-2")[1..], ["28", "14", "58"]);
    assert_eq!(combat.rows.len(), 14, "every column of the odds");
    let ambush = table_of(&asl, "Ambush");
    assert_eq!(row(&ambush, "0")[1..], ["17", "67", "17"]);
    assert_eq!(row(&ambush, "−3")[1..], ["58", "42", "–"]);
    let leader = whole(&shipped("combat-leader"), true);
    let accuracy = table_of(&leader, "Accuracy");
    // Mod FP 0: ranks 1 to 6 miss, 7 and 8 hit in the clear, 9 to 11, 12 and 13 – each rank in 4 of
    // 52 cards.
    assert_eq!(row(&accuracy, "0"), ["0", "46", "15", "23", "15"]);
}

#[test]
fn a_chance_table_states_what_it_assumes_and_takes_typical_values() {
    let asl = whole(&shipped("asl-starter-kit"), true);
    let morale = table_of(&asl, "Morale check");
    assert_eq!(
        morale.caption,
        "Chances in % by Morale, assuming Type: Full squad, Experience level (ELR) 3"
    );
    // Morale 7: a check of 8 or 9 or 10 fails by less than the ELR of 3 allows.
    assert!(morale.heads.contains(&"Breaks, DM".to_owned()), "{:?}", morale.heads);
    let loss = table_of(&asl, "Leader loss task check");
    assert!(loss.caption.ends_with(" Morale 7"), "{}", loss.caption);
    // Inputs that shift the sum of modifiers are covered by the sum.
    let panzer8 = whole(&shipped("panzer8"), true);
    for title in ["AP, HE or small-arms fire", "Tank hunting"] {
        assert!(!table_of(&panzer8, title).caption.contains("assuming"), "{title}");
    }
}

#[test]
fn no_two_rows_of_a_chance_table_by_net_are_alike() {
    for id in adjutant_bundled_packs::IDS {
        let made = whole(&shipped(id), true);
        let parts = made.sections.iter().flat_map(|section| &section.parts);
        for table in parts
            .filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None })
            .filter(|table| table.caption.contains('%'))
        {
            assert!(
                (2..=18).contains(&table.rows.len()) && table.heads.len() <= 13,
                "{id}: {table:?}"
            );
            for pair in table.rows.windows(2).filter(|_| table.heads[0] == "Net") {
                assert_ne!(pair[0][1..], pair[1][1..], "{id}: {}", table.caption);
            }
        }
    }
}

fn made_up(text: &str) -> Pack {
    read_pack(&Files::of([("pack.toml", text)]), None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn a_pack_of_one_chart_and_nothing_else() {
    let pack = made_up(
        "[pack]\nid = \"coin\"\ntitle = \"Coin\"\n[result.heads]\ntitle = \"Heads\"\n[result.tails]\ntitle = \"Tails\"\n[chart.toss]\ntitle = \"Toss\"\nstep = [ { roll = \"1d2\", as = \"coin\" } ]\nread = { rows = [ { to = 1, all = \"heads\" }, { all = \"tails\" } ] }\n",
    );
    let fonts = Fonts::bundled();
    let drawn = pages(&whole(&pack, true), &PageOptions::on(A4), &fonts);
    assert_eq!(drawn.len(), 1);
    lawful(&drawn[0], &fonts, 9.0, EIGHT_POINTS, "coin");
}

#[test]
fn a_chart_of_forty_rows_a_label_without_end_and_letters_of_others() {
    let long = "a very long label that goes on and on ".repeat(12)
        + &"Donaudampfschifffahrtsgesellschaft".repeat(4);
    let rows: String = (2..42)
        .map(|n| format!("  {{ to = {n}, label = \"Row {n} of forty\", all = \"hit\" }},\n"))
        .collect();
    let text = format!(
        "[pack]\nid = \"odd\"\ntitle = \"Ἀθῆναι καὶ Σπάρτη 東京\"\n[result.hit]\ntitle = \"Hit\"\nmeans = \"{long}\"\n[chart.big]\ntitle = \"Big\"\nask = {{ plus = {{ number = \"Plus\", from = 0, to = 60 }} }}\n\
         step = [ {{ roll = \"2d20\", as = \"die\", add = [ {{ label = \"{long}\", plus = \"plus\" }} ] }} ]\n[chart.big.read]\nrows = [\n{rows}  {{ all = \"hit\" }},\n]\n"
    );
    let pack = made_up(&text);
    let fonts = Fonts::new();
    for look in looks() {
        let made = whole(&pack, true);
        let drawn = pages(&made, &look, &fonts);
        assert!(!drawn.is_empty());
        drawn.iter().enumerate().for_each(|(number, page)| {
            lawful(page, &fonts, 9.0, EIGHT_POINTS, &format!("odd {look:?} page {number}"))
        });
        let words = words_of(&pdf(&document(&made, drawn), &fonts).unwrap(), "odd");
        (2..42).for_each(|n| assert!(words.contains(&format!("Row{n}offorty")), "row {n}"));
        assert!(words.contains(&squeezed(&long)), "the long label");
        assert!(words.contains("Σπάρτη"), "Greek");
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

/// Compares with the golden pixel by pixel, with some tolerance for antialiasing.
fn golden(name: &str, drawing: &Drawing, fonts: &Fonts) {
    let mut drawing = drawing.clone();
    let size = (drawing.size.width, drawing.size.height);
    drawing.marks.insert(
        0,
        Mark::Box {
            at: (0.0, 0.0),
            size,
            round: 0.0,
            fill: Some(adjutant_render::draw::Ink::Paper),
            edge: None,
        },
    );
    let bytes = png(&drawing, 36.0, fonts).unwrap();
    let path = format!("{}/tests/goldens/{name}.png", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(format!("{}/tests/goldens", env!("CARGO_MANIFEST_DIR"))).unwrap();
        std::fs::write(&path, &bytes).unwrap();
    }
    let (now, then) = (
        Pixmap::decode_png(&bytes).unwrap(),
        Pixmap::decode_png(&std::fs::read(&path).unwrap_or_default()).unwrap(),
    );
    assert_eq!((now.width(), now.height()), (then.width(), then.height()), "{name}");
    let differs = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 40;
    let far = now.data().iter().zip(then.data()).filter(|pair| differs(*pair)).count();
    assert!(
        far * 200 < now.data().len(),
        "{name}: {far} of {} dots differ; with BLESS=1 it is drawn again",
        now.data().len()
    );
}

#[test]
fn pages_look_as_they_did() {
    let fonts = Fonts::bundled();
    for id in adjutant_bundled_packs::IDS {
        let drawn = pages(&whole(&shipped(id), false), &PageOptions::on(A4), &fonts);
        golden(&format!("sheet-{id}"), drawn.last().unwrap(), &fonts);
    }
    let drawn = pages(
        &whole(&shipped("panzer8"), true),
        &PageOptions { low_ink: true, ..PageOptions::on(LETTER) },
        &fonts,
    );
    golden("sheet-panzer8-odds-low-ink", &drawn[0], &fonts);
}

#[test]
fn reports_records_and_rosters_are_lawful() {
    let fonts = Fonts::new();
    for (name, game) in [
        ("panzer8", common::games::panzer8()),
        ("asl", common::games::asl()),
        ("leader", common::games::combat_leader()),
    ] {
        let report = adjutant_render::report::paged(&battle_report(&game.table).unwrap());
        let drawn = pages(
            &report,
            &PageOptions { columns: Some(2), reading: true, ..PageOptions::on(A4) },
            &fonts,
        );
        drawn.iter().for_each(|page| lawful(page, &fonts, 9.0, EIGHT_POINTS, name));
        let words = words_of(&pdf(&document(&report, drawn.clone()), &fonts).unwrap(), name);
        let facts = battle_report(&game.table).unwrap();
        for entry in
            facts.turns.iter().flat_map(|turn| &turn.phases).flat_map(|phase| &phase.entries)
        {
            assert!(words.contains(&squeezed(&entry.outcome)), "{name}: {}", entry.outcome);
        }
        let turned = Size { width: A4.height, height: A4.width };
        let muster = RosterSheet {
            name: &game.table.setup().unwrap().name,
            pack: game.table.pack(),
            sides: game.table.sides(),
            units: game.table.state().here().collect(),
        };
        let record = adjutant_render::record::sheet(&muster);
        let sheets = pages(
            &record,
            &PageOptions { columns: Some(1), reading: true, ..PageOptions::on(turned) },
            &fonts,
        );
        sheets.iter().for_each(|page| lawful(page, &fonts, 9.0, EIGHT_POINTS, name));
        let cards: Vec<Drawing> = adjutant_render::record::cards(&muster, false, &fonts)
            .iter()
            .map(|card| Drawing::clone(card))
            .collect();
        cards.iter().for_each(|card| lawful(card, &fonts, 0.0, EIGHT_POINTS, name));
        for (made, has_all) in [(&sheets, true), (&cards, false)] {
            let words = words_of(&pdf(&document(&record, made.clone()), &fonts).unwrap(), name);
            for unit in game.table.state().here() {
                let pack = game.table.pack();
                let out = unit.statuses.iter().any(|status| pack.statuses()[*status].out);
                // A unit that is out is named on the record, and has no card.
                let wanted = has_all || !out;
                assert_eq!(words.contains(&squeezed(&unit.name)), wanted, "{name}: {}", unit.name);
            }
        }
        if let Ok(folder) = std::env::var("PICTURES") {
            for (what, made) in [("report", drawn), ("record", sheets), ("roster", cards)] {
                std::fs::write(
                    format!("{folder}/{name}-{what}.pdf"),
                    pdf(&document(&record, made), &fonts).unwrap(),
                )
                .unwrap();
            }
        }
    }
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
