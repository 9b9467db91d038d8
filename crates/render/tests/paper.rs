//! What a drawing says is in the PDF, in place, in any script.

#![cfg(feature = "paper")]
#![allow(clippy::unwrap_used)]

use adjutant_pack::read_pack;
use adjutant_render::card::{self, POKER};
use adjutant_render::draw::{Anchor, Drawing, Ink, Mark, Size, Style, text_width};
use adjutant_render::paper::{Document, Fonts, Page, pdf, png};
use std::sync::Arc;

#[test]
fn the_estimate_of_a_screen_is_never_too_narrow_for_paper() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = pack.deck("action").unwrap();
    let fonts = Fonts::bundled();
    for number in 1..=60 {
        for mark in card::front(&pack, deck, number, POKER, None).marks {
            let Mark::Text { size, style, words, .. } = mark else { continue };
            let (guess, true_) = (
                text_width(&words, size, style.bold) * if style.serif { 1.2 } else { 1.0 },
                fonts.width(&words, size, style),
            );
            assert!(
                true_ <= guess * 1.001,
                "“{words}” is {true_:.2} wide, thought to be {guess:.2}"
            );
        }
    }
}

#[test]
fn the_same_drawing_gives_the_same_bytes() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = pack.deck("action").unwrap();
    let mut page =
        Drawing { size: Size { width: 210.0, height: 297.0 }, says: "Nine".into(), marks: vec![] };
    for n in 0..9_u32 {
        let drawing = Arc::new(card::front(&pack, deck, 6 * n + 1, POKER, None));
        page.marks.push(Mark::Inset {
            at: (10.5 + 63.0 * f64::from(n % 3), 16.5 + 88.0 * f64::from(n / 3)),
            turned: n == 8,
            drawing,
        });
    }
    let text = Mark::Text {
        at: (105.0, 8.0),
        size: 4.0,
        anchor: Anchor::Middle,
        style: Style::ITALIC,
        ink: Ink::Black,
        words: "Ἀθῆναι ♠ ½ → ".into(),
    };
    page.marks.push(text);
    let document = Document {
        title: "Nine cards".into(),
        pages: vec![Page::whole(page.clone())],
        ..Document::default()
    };
    let one = pdf(&document, &Fonts::new()).unwrap();
    assert_eq!(one, pdf(&document, &Fonts::new()).unwrap());
    if let Ok(folder) = std::env::var("PICTURES") {
        std::fs::write(format!("{folder}/nine.pdf"), &one).unwrap();
        std::fs::write(format!("{folder}/nine.png"), png(&page, 100.0, &Fonts::new()).unwrap())
            .unwrap();
    }
}
