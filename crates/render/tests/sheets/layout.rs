//! Where it is: margins, pages, columns, large print, goldens.

use super::*;

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
                        if look.large { MARGIN } else { TIGHT_MARGIN },
                        EIGHT_POINTS,
                        &format!("{id} {look:?}, odds {odds}, page {}", number + 1),
                    );
                }
                // Three pages at most; more only in large print and with odds.
                let most = if look.large { 12 } else { 3 + 2 * usize::from(odds) };
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
fn sheets_stand_on_few_pages() {
    let fonts = Fonts::bundled();
    let counts = [
        ("panzer8", 1, 1),
        ("combat-leader", 1, 2),
        ("chain-reaction", 2, 3),
        ("asl-starter-kit", 3, 3),
    ];
    for (id, a4, letter) in counts {
        let made = whole(&shipped(id), false);
        let count = |paper| pages(&made, &PageOptions::on(paper), &fonts).len();
        assert!(count(A4) <= a4 && count(LETTER) <= letter, "{id}");
    }
}

/// A table that is longer than a page goes on where a reader looks for it.
#[test]
fn the_pieces_of_a_long_table_are_on_consecutive_pages() {
    let look = PageOptions { large: true, ..PageOptions::on(A4) };
    let drawn = pages(&whole(&shipped("asl-starter-kit"), false), &look, &Fonts::bundled());
    for title in ["Morale check", "Close combat odds: the table"] {
        let on = |words: &str| {
            let has = |page: &Drawing| {
                page.marks
                    .iter()
                    .any(|mark| matches!(mark, Mark::Text { words: known, .. } if known == words))
            };
            drawn.iter().position(has)
        };
        let (first, second) = (on(title), on(&format!("{title} – continued")));
        if let Some(second) = second {
            assert_eq!(first, Some(second - 1), "{title}");
        }
    }
}

/// A short list is not broken for columns of the same height.
#[test]
fn the_key_to_the_cards_has_no_broken_list() {
    let pack = shipped("combat-leader");
    let key = adjutant_render::card::key(&pack, pack.deck("action").unwrap());
    let look = PageOptions { reading: true, ..PageOptions::on(A4) };
    for look in [look, PageOptions::on(LETTER)] {
        let drawn = pages(&key, &look, &Fonts::bundled());
        assert!(drawn.len() == 1 && !says(&drawn, "continued"), "{look:?}");
    }
}

/// Readings are left out only to save a page, and the sheet says so. No number refers to a reading
/// that is not there.
#[test]
fn a_sheet_without_readings_says_where_they_are() {
    let (made, fonts) = (whole(&shipped("panzer8"), false), Fonts::bundled());
    let one = pages(&made, &PageOptions::on(A4), &fonts);
    assert_eq!(one.len(), 1);
    assert!(!says(&one, "Readings in force") && says(&one, "Readings: in the sheet for screens"));
    for raised in ["¹", "²", "³", "⁴"] {
        assert!(!says(&one, raised), "{raised} refers to nothing");
    }
    let two = pages(&made, &PageOptions { pages: Some(2), ..PageOptions::on(A4) }, &fonts);
    assert_eq!(two.len(), 2);
    assert!(says(&two, "Readings in force") && says(&two, "¹"));
    assert!(!says(&two, "in the sheet for screens"));
}

/// The grid of odds has 28 columns. Upright paper would cut it in two. The whole sheet of ASL is
/// upright: lying paper would take a page more.
#[test]
fn paper_lies_on_its_side_for_a_table_that_would_else_be_in_pieces() {
    let (fonts, pack) = (Fonts::bundled(), shipped("asl-starter-kit"));
    let charts = ["odds", "close-combat", "ambush"].map(|id| pack.chart_id(id).unwrap());
    let part = sheet(&pack, &SheetOptions { charts: charts.into(), ..SheetOptions::default() });
    let drawn = pages(&part, &PageOptions::on(A4), &fonts);
    assert_eq!(drawn[0].size.width, A4.height);
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
    assert_eq!(with(|look| look.pages = Some(1)).len(), 1);
    let long = whole(&shipped("chain-reaction"), false);
    let one = PageOptions { pages: Some(1), ..PageOptions::on(A4) };
    assert!(pages(&long, &one, &fonts).is_empty(), "eight points do not fit on one page");
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
        assert!(readings * 6.0 <= area, "{id}: {:.3}", readings / area);
        assert!(readings > 0.0 || says(&drawn, "in the sheet for screens"), "{id}");
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

#[test]
fn a_pack_of_one_chart_and_nothing_else() {
    let pack = made_up(
        "[pack]\nid = \"coin\"\ntitle = \"Coin\"\n[result.heads]\ntitle = \"Heads\"\n[result.tails]\ntitle = \"Tails\"\n[chart.toss]\ntitle = \"Toss\"\nstep = [ { roll = \"1d2\", as = \"coin\" } ]\nread = { rows = [ { to = 1, all = \"heads\" }, { all = \"tails\" } ] }\n",
    );
    let fonts = Fonts::bundled();
    let drawn = pages(&whole(&pack, true), &PageOptions::on(A4), &fonts);
    assert_eq!(drawn.len(), 1);
    lawful(&drawn[0], &fonts, MARGIN, EIGHT_POINTS, "coin");
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
            let margin = if look.large { MARGIN } else { TIGHT_MARGIN };
            lawful(page, &fonts, margin, EIGHT_POINTS, &format!("odd {look:?} page {number}"))
        });
        let words = words_of(&pdf(&document(&made, drawn), &fonts).unwrap(), "odd");
        (2..42).for_each(|n| assert!(words.contains(&format!("Row{n}offorty")), "row {n}"));
        assert!(words.contains(&squeezed(&long)), "the long label");
        assert!(words.contains("Σπάρτη"), "Greek");
    }
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
        drawn.iter().for_each(|page| lawful(page, &fonts, MARGIN, EIGHT_POINTS, name));
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
        sheets.iter().for_each(|page| lawful(page, &fonts, MARGIN, EIGHT_POINTS, name));
        let cards: Vec<Drawing> = adjutant_render::record::cards(&muster, false, &fonts)
            .iter()
            .map(|card| Drawing::clone(card))
            .collect();
        cards.iter().for_each(|card| lawful(card, &fonts, 0.0, EIGHT_POINTS, name));
        let pack = game.table.pack();
        let out = |status: &adjutant_pack::StatusId| pack.statuses()[*status].out;
        let in_play = game.table.state().here().filter(|unit| !unit.statuses.iter().any(out));
        assert_eq!(cards.len(), in_play.count(), "{name}: one card for a unit");
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
