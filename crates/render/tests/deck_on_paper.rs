//! The Action Deck as a PDF. The text of each card, as `pdftotext` finds it, is compared cell by
//! cell and by position with the deck's own file and the sheet's rule. Pages, cards and backs are
//! where they should be. Pictures equal their goldens.

#![cfg(feature = "paper")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]

use adjutant_pack::{Pack, read_pack};
use adjutant_render::card::{self, CardStyle, MINI, POKER, TAROT};
use adjutant_render::draw::{A4, Drawing, LETTER, Mark, Size};
use adjutant_render::imposition::{Backs, Fold, Grid, Imposition, pages};
use adjutant_render::paper::{Document, Fonts, Page, pdf, png};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;

const CUT: CardStyle = CardStyle { large: false, low_ink: false, cut: true };

fn action() -> Pack {
    read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap()
}

fn how(paper: Size, card: Size, backs: Backs) -> Imposition {
    Imposition { paper, card, bleed: 0.0, backs, marks: true, name: "Action Deck".into() }
}

fn printed(cards: impl Iterator<Item = u32>, how: &Imposition, look: CardStyle) -> Vec<Page> {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    let fronts: Vec<_> =
        cards.map(|number| Arc::new(card::front_as(&pack, deck, number, how.card, look))).collect();
    pages(&fronts, &Arc::new(card::back_as(deck, how.card, look)), how).unwrap()
}

fn written(pages: Vec<Page>) -> Vec<u8> {
    let document = Document { title: "Action Deck".into(), pages, ..Document::default() };
    pdf(&document, &Fonts::bundled()).unwrap()
}

/// A word on a page: its centre in millimetres, and its text.
struct Word {
    x: f64,
    y: f64,
    text: String,
}

/// The pages of a PDF, as `pdftotext` reads them: size and words, in millimetres.
fn read(bytes: &[u8]) -> Vec<((f64, f64), Vec<Word>)> {
    let file = std::env::temp_dir().join(format!(
        "adjutant-{}-{:x}.pdf",
        std::process::id(),
        bytes.as_ptr() as usize
    ));
    std::fs::write(&file, bytes).unwrap();
    let out = Command::new("pdftotext")
        .args(["-bbox", file.to_str().unwrap(), "-"])
        .output()
        .expect("poppler-utils is installed");
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let number = |line: &str, key: &str| -> f64 {
        let from = line.split(&format!("{key}=\"")).nth(1).unwrap();
        from.split('"').next().unwrap().parse::<f64>().unwrap() * 25.4 / 72.0
    };
    let mut pages: Vec<((f64, f64), Vec<Word>)> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("<page") {
            pages.push(((number(line, "width"), number(line, "height")), Vec::new()));
        } else if line.starts_with("<word") {
            let (x, y) = (
                (number(line, "xMin") + number(line, "xMax")) / 2.0,
                (number(line, "yMin") + number(line, "yMax")) / 2.0,
            );
            let text =
                line.split('>').nth(1).unwrap().split('<').next().unwrap().replace("&amp;", "&");
            pages.last_mut().unwrap().1.push(Word { x, y, text });
        }
    }
    pages
}

/// The words of one card, relative to its corner, row by row.
fn of_card(words: &[Word], at: (f64, f64), card: Size) -> Vec<(f64, f64, String)> {
    let inside = |word: &&Word| {
        word.x > at.0 && word.x < at.0 + card.width && word.y > at.1 && word.y < at.1 + card.height
    };
    words
        .iter()
        .filter(inside)
        .map(|word| (word.x - at.0, word.y - at.1, word.text.clone()))
        .collect()
}

/// The words between two heights as lines, each from left to right.
fn lines(words: &[(f64, f64, String)], from: f64, to: f64) -> Vec<String> {
    let mut rows: BTreeMap<i64, Vec<(f64, String)>> = BTreeMap::new();
    for (x, y, text) in words.iter().filter(|(_, y, _)| *y > from && *y < to) {
        rows.entry((y / 1.6).round() as i64).or_default().push((*x, text.clone()));
    }
    let line = |mut row: Vec<(f64, String)>| {
        row.sort_by(|a, b| a.0.total_cmp(&b.0));
        row.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    };
    rows.into_values().map(line).collect()
}

#[test]
fn every_cell_of_every_card_stands_in_its_place_in_the_pdf() {
    let grid = Grid::new(&how(A4, POKER, Backs::Duplex)).unwrap();
    let found = read(&written(printed(1..=60, &how(A4, POKER, Backs::Duplex), CUT)));
    let files = adjutant_bundled_packs::files("combat-leader").unwrap();
    let deck: Vec<Vec<&str>> = files
        .text("deck.csv")
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(deck.len(), 60);
    for (n, cells) in deck.iter().enumerate() {
        let words = of_card(&found[n / 9 * 2].1, grid.slots[n % 9].front, POKER);
        let number = n + 1;
        // All eleven rows: the head above, the card's number below. The die replaces the sixth
        // head.
        for (column, by) in (2..=12).enumerate() {
            let middle = 4.0 + 5.0 * (column as f64 + 0.5);
            let at = |from: f64, to: f64| {
                let here = |(x, y, _): &&(f64, f64, String)| {
                    (x - middle).abs() < 1.0 && *y > from && *y < to
                };
                words.iter().filter(here).map(|(.., text)| text.as_str()).collect::<Vec<_>>()
            };
            let wanted = if cells[6 + column].is_empty() { "R" } else { cells[6 + column] };
            assert_eq!(at(77.2, 84.0), [wanted], "card {number}, row {by}");
            assert_eq!(
                at(72.4, 77.2),
                if by == 6 { vec![] } else { vec![by.to_string()] },
                "card {number}, row {by}"
            );
        }
        let head = lines(&words, 0.0, 17.0).join(" ");
        assert!(head.contains(&format!("No. {number}")), "card {number}: {head}");
        // The rank, and the suit as a sign: the title would say the same again.
        let rank = match cells[3] {
            "" => cells[1].split(' ').next().unwrap(),
            "1" => "A",
            "11" => "J",
            "12" => "Q",
            "13" => "K",
            number => number,
        };
        let shown = words.iter().any(|(_, y, text)| text == rank && *y < 17.0);
        assert!(shown, "card {number}: {head}");
        let repair = ["fixed", "none", "broken"]
            .iter()
            .position(|word| *word == cells[5])
            .map(|place| ["Fixed", "No change", "Broken"][place]);
        let found = lines(&words, 60.0, 68.0);
        assert_eq!(
            found.first().map(String::as_str),
            repair.map(|word| format!("Repair {word}")).as_deref(),
            "card {number}: {found:?}"
        );
        accuracy(number, cells[3], &lines(&words, 18.0, 60.0));
    }
}

/// The bands that the sheet prints for a rank: those of an Ace, minus the rank.
fn accuracy(number: usize, rank: &str, found: &[String]) {
    let Ok(rank) = rank.parse::<i32>() else {
        return assert!(
            found.join(" ").to_lowercase().contains("draw again")
                && !found.iter().any(|line| line.contains("Miss")),
            "{number}: {found:?}"
        );
    };
    let n = |n: i32| n.to_string().replace('-', "−");
    let low = 6 - rank;
    let wanted = [
        "Mod FP Accuracy".to_owned(),
        format!("{} or less Miss", n(low)),
        format!("{} to {} Accurate in Clear (−1)", n(low + 1), n(low + 2)),
        "otherwise: Miss".to_owned(),
        format!("{} to {} Accurate (−1)", n(low + 3), n(low + 5)),
        format!("{} or more Accurate", n(low + 6)),
    ];
    assert_eq!(found, wanted, "card {number}");
}

#[test]
fn pages_and_cards_have_their_sizes_to_the_hundredth() {
    for (paper, size) in [(A4, (210.0, 297.0)), (LETTER, (215.9, 279.4))] {
        let options = how(paper, POKER, Backs::Duplex);
        let found = read(&written(printed(1..=60, &options, CUT)));
        assert_eq!(found.len(), 14);
        assert!(
            found
                .iter()
                .all(|(page, _)| (page.0 - size.0).abs() < 0.01 && (page.1 - size.1).abs() < 0.01)
        );
        let grid = Grid::new(&options).unwrap();
        assert_eq!((grid.slots.len(), grid.across), (9, 3));
        for (n, slot) in grid.slots.iter().enumerate() {
            let (x, y) = (
                (size.0 - 189.0) / 2.0 + 63.0 * (n % 3) as f64,
                (size.1 - 264.0) / 2.0 + 88.0 * (n / 3) as f64,
            );
            assert!((slot.front.0 - x).abs() < 1e-9 && (slot.front.1 - y).abs() < 1e-9, "{slot:?}");
        }
        // The trim box of the page.
        let page = &printed(1..=1, &options, CUT)[0];
        assert_eq!(page.trim, Some((grid.slots[0].front, Size { width: 189.0, height: 264.0 })));
    }
    for (card, paper, most) in [
        (MINI, A4, 18),
        (TAROT, A4, 4),
        (TAROT, LETTER, 4),
        (Size { width: 57.0, height: 87.0 }, A4, 10),
    ] {
        assert_eq!(
            Grid::new(&how(paper, card, Backs::Duplex)).unwrap().slots.len(),
            most,
            "{card:?}"
        );
    }
}

#[test]
fn backs_come_to_lie_behind_their_fronts() {
    for (card, backs, bleed) in [
        (POKER, Backs::Duplex, 0.0),
        (POKER, Backs::Duplex, 3.0),
        (MINI, Backs::Separate, 0.0),
        (POKER, Backs::Gutterfold, 0.0),
        (TAROT, Backs::Gutterfold, 2.0),
    ] {
        for paper in [A4, LETTER] {
            let grid = Grid::new(&Imposition { bleed, ..how(paper, card, backs) }).unwrap();
            let Size { width, height } = grid.paper;
            for slot in &grid.slots {
                // At the long edge, or at the fold in the middle: one coordinate is mirrored, the
                // other stays.
                let sideways = grid.fold.map_or(height >= width, |fold| fold == Fold::Down);
                let mirrored = match sideways {
                    true => (width - slot.front.0 - card.width, slot.front.1),
                    false => (slot.front.0, height - slot.front.1 - card.height),
                };
                assert!(
                    (slot.back.0 - mirrored.0).abs() < 1e-9
                        && (slot.back.1 - mirrored.1).abs() < 1e-9,
                    "{slot:?}"
                );
                assert_eq!(slot.turned, !sideways);
                let inside = |at: (f64, f64)| {
                    at.0 >= bleed
                        && at.1 >= bleed
                        && at.0 + card.width + bleed <= width
                        && at.1 + card.height + bleed <= height
                };
                assert!(inside(slot.front) && inside(slot.back));
                // No bleed reaches another card or crosses the fold.
                for other in grid.slots.iter().filter(|other| *other != slot) {
                    let (x, y) = (
                        (other.front.0 - slot.front.0).abs(),
                        (other.front.1 - slot.front.1).abs(),
                    );
                    assert!(
                        x >= card.width + 2.0 * bleed - 1e-6
                            || y >= card.height + 2.0 * bleed - 1e-6
                    );
                }
                if grid.fold == Some(Fold::Down) {
                    assert!(slot.front.0 + card.width + bleed < width / 2.0);
                }
            }
        }
    }
    // In the PDF, on a last page that is not full: card 4 starts the second row, so its back ends
    // it.
    let found = read(&written(printed(1..=4, &how(A4, POKER, Backs::Duplex), CUT)));
    let middles = |word: &str| {
        found[1]
            .1
            .iter()
            .filter(|found| found.text == word)
            .map(|found| (found.x, found.y))
            .collect::<Vec<_>>()
    };
    let names = middles("Combat");
    assert_eq!(names.len(), 4);
    assert!(
        (names[3].0 - (10.5 + 63.0 * 2.5)).abs() < 0.5 && names[3].1 > 16.5 + 88.0,
        "{names:?}"
    );
    // Fronts beside backs: at the same distance from the fold.
    let found = read(&written(printed(1..=4, &how(A4, POKER, Backs::Gutterfold), CUT)));
    assert_eq!(found.len(), 1);
    let names: Vec<f64> =
        found[0].1.iter().filter(|word| word.text == "Combat").map(|word| word.x).collect();
    assert!(names.len() == 4 && names.iter().all(|x| *x > found[0].0.0 / 2.0), "{names:?}");
}

#[test]
fn separate_backs_follow_all_fronts_and_none_are_left_out() {
    let words = |backs| {
        read(&written(printed(1..=10, &how(A4, POKER, backs), CUT)))
            .into_iter()
            .map(|(_, words)| words)
            .collect::<Vec<_>>()
    };
    let is_back = |page: &Vec<Word>| page.iter().any(|word| word.text == "Combat");
    assert_eq!(
        words(Backs::Separate).iter().map(is_back).collect::<Vec<_>>(),
        [false, false, true, true]
    );
    assert_eq!(
        words(Backs::Duplex).iter().map(is_back).collect::<Vec<_>>(),
        [false, true, false, true]
    );
    assert_eq!(words(Backs::None).iter().map(is_back).collect::<Vec<_>>(), [false, false]);
}

#[test]
fn the_ruler_is_true_and_nothing_is_written_over_a_card() {
    for (paper, card, backs) in [
        (A4, POKER, Backs::Duplex),
        (LETTER, POKER, Backs::Duplex),
        (A4, MINI, Backs::Duplex),
        (LETTER, TAROT, Backs::None),
        (A4, POKER, Backs::Gutterfold),
    ] {
        let options = how(paper, card, backs);
        let grid = Grid::new(&options).unwrap();
        let page = &printed(1..=60, &options, CUT)[0].drawing;
        let lengths: Vec<f64> = page
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Line { from, to, .. } => Some((from.0 - to.0).hypot(from.1 - to.1)),
                _ => None,
            })
            .collect();
        assert!(lengths.iter().any(|long| (long - 50.8).abs() < 1e-9), "2 inches");
        let (w, h) = (card.width, card.height);
        let over = |x: f64, y: f64| {
            grid.slots.iter().any(|slot| {
                x > slot.front.0 && x < slot.front.0 + w && y > slot.front.1 && y < slot.front.1 + h
            })
        };
        for mark in &page.marks {
            match mark {
                Mark::Line { from, to, .. } => {
                    assert!(
                        !over(from.0, from.1) && !over(to.0, to.1) && to.0 > 2.0 && from.0 > 2.0,
                        "{mark:?} {card:?}"
                    )
                }
                Mark::Text { at, words, .. } => assert!(
                    !over(at.0, at.1) && at.1 > 3.0 && at.1 < grid.paper.height - 2.0,
                    "{words}"
                ),
                _ => {}
            }
        }
        assert!(page.marks.iter().any(
            |mark| matches!(mark, Mark::Text { words, .. } if words.contains("Print at 100 %"))
        ));
    }
}

#[test]
fn what_cannot_be_printed_is_refused_with_a_sentence() {
    let refused = |card: (f64, f64), bleed: f64, backs| {
        let options =
            Imposition { bleed, ..how(A4, Size { width: card.0, height: card.1 }, backs) };
        Grid::new(&options).expect_err("refused").to_string()
    };
    assert!(
        refused((250.0, 250.0), 0.0, Backs::None).contains("does not fit on paper of 210 × 297 mm")
    );
    assert!(refused((150.0, 150.0), 0.0, Backs::Gutterfold).contains("beside its back"));
    for bad in [f64::NAN, -63.0, 0.0, 1e300, f64::INFINITY] {
        assert!(refused((bad, 88.0), 0.0, Backs::None).contains("20 to 300 mm"), "{bad}");
        assert!(
            refused((63.0, 88.0), if bad == 0.0 { -0.1 } else { bad }, Backs::None)
                .contains("0 to 10 mm"),
            "{bad}"
        );
    }
}

#[test]
fn the_deck_is_small_and_the_same_bytes_every_time() {
    let one = written(printed(1..=60, &how(A4, POKER, Backs::Duplex), CUT));
    assert!(one.len() < 1_500_000, "{} bytes", one.len());
    assert!(one == written(printed(1..=60, &how(A4, POKER, Backs::Duplex), CUT)));
}

#[test]
fn letters_in_greek_and_japanese_are_set_or_named() {
    let files = adjutant_pack::pack_of_csv(
        "snow.csv",
        "title,text\nΧιονοθύελλα στην κοιλάδα,Όλοι μένουν στη θέση τους.\n雪の夜,A quiet night.\n",
    )
    .unwrap();
    let pack = read_pack(&files, None).unwrap();
    let fonts = Fonts::bundled();
    let words = |number| {
        let text =
            |mark: Mark| if let Mark::Text { words, .. } = mark { words } else { String::new() };
        card::front_as(&pack, &pack.decks().as_slice()[0], number, POKER, CUT)
            .marks
            .into_iter()
            .map(text)
            .collect::<String>()
    };
    assert!(fonts.lacking(&words(1)).is_empty());
    assert_eq!(fonts.lacking(&words(2)), ['の', '夜', '雪']);
    // The card is made all the same, with all letters that have a font.
    let card = Arc::new(card::front_as(&pack, &pack.decks().as_slice()[0], 2, POKER, CUT));
    let made = pages(
        &[card],
        &Arc::new(card::back_as(&pack.decks().as_slice()[0], POKER, CUT)),
        &how(A4, POKER, Backs::None),
    )
    .unwrap();
    let found = read(&written(made));
    assert!(found[0].1.iter().any(|word| word.text == "quiet"));
}

/// Compares a picture with its golden; `BLESS=1` overwrites it.
fn golden(name: &str, drawing: &Drawing, dots: f64) {
    let made = png(drawing, dots, &Fonts::bundled()).unwrap();
    let path = format!("{}/tests/goldens/{name}.png", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let open = |bytes: &[u8]| resvg::tiny_skia::Pixmap::decode_png(bytes).unwrap();
    let (kept, made) = (open(&std::fs::read(&path).unwrap()), open(&made));
    assert_eq!((kept.width(), kept.height()), (made.width(), made.height()), "{name}");
    let off = |a: &u8, b: &u8| u64::from(a.abs_diff(*b));
    let sum: u64 = kept.data().iter().zip(made.data()).map(|(a, b)| off(a, b)).sum();
    let differing = kept.data().iter().zip(made.data()).filter(|(a, b)| off(a, b) > 40).count();
    let all = kept.data().len();
    assert!(
        sum < all as u64 && differing * 200 < all,
        "{name}: off by {:.2} on average, {differing} of {all} clearly",
        sum as f64 / all as f64
    );
}

#[test]
fn cards_and_pages_look_as_they_did() {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    let large = CardStyle { large: true, ..CardStyle::default() };
    let low = CardStyle { low_ink: true, ..CardStyle::default() };
    golden("card-36", &card::front(&pack, deck, 36, POKER, None), 75.0);
    golden("card-53-jam", &card::front(&pack, deck, 53, POKER, None), 75.0);
    golden("card-25-large", &card::front_as(&pack, deck, 25, POKER, large), 75.0);
    golden("card-20-low-ink", &card::front_as(&pack, deck, 20, POKER, low), 75.0);
    golden("card-back", &card::back(deck, POKER), 60.0);
    golden(
        "page-letter",
        &printed(1..=60, &how(LETTER, POKER, Backs::Duplex), CUT)[0].drawing,
        40.0,
    );
}
