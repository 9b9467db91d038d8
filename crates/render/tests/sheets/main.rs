//! Sheets on paper: everything in the pack is in the PDF, nothing is outside the margins, no two
//! texts overlap, and pages equal their goldens. `BLESS=1 cargo test -p adjutant-render --features
//! paper --test sheets` overwrites the goldens: look at the pictures.

#![cfg(feature = "paper")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod amounts;
mod chances;
#[path = "../../../game/tests/common/mod.rs"]
mod common;
mod content;
#[path = "../every_pack.rs"]
mod every_pack;
mod layout;
mod texts;

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
/// The margin of reports and large print, in millimetres.
const MARGIN: f64 = 8.0;
/// The margin of a compact sheet whose lines are close, to save a page.
const TIGHT_MARGIN: f64 = 6.5;

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

/// Whether a page has this text, in one piece.
fn says(drawn: &[Drawing], part: &str) -> bool {
    let mut marks = drawn.iter().flat_map(|page| &page.marks);
    marks.any(|mark| matches!(mark, Mark::Text { words, .. } if words.contains(part)))
}

fn made_up(text: &str) -> Pack {
    read_pack(&Files::of([("pack.toml", text)]), None).unwrap_or_else(|faults| panic!("{faults:?}"))
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
