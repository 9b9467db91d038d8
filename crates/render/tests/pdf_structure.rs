//! What a PDF holds besides its pictures: the sizes of its letters, its colours, its structure for
//! screen readers, its bookmarks, and what it asks of the program that prints it. The tests read the
//! bytes of the PDF, and `pdfinfo` reads them as a viewer does.

#![cfg(feature = "paper")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use adjutant_pack::{Pack, read_pack};
use adjutant_render::card::{self, CardStyle, POKER};
use adjutant_render::draw::A4;
use adjutant_render::imposition::{self, Backs, Imposition};
use adjutant_render::paper::{Document, Fonts, Page, Sides, pdf};
use adjutant_render::reference::{PageOptions, SheetOptions, pages, sheet};
use std::io::Read;
use std::process::Command;
use std::sync::Arc;

fn shipped(id: &str) -> Pack {
    read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
}

fn sheet_pdf(id: &str, look: &PageOptions) -> Vec<u8> {
    let fonts = Fonts::bundled();
    let made = sheet(&shipped(id), &SheetOptions::default());
    let pages = pages(&made, look, &fonts).into_iter().map(Page::whole).collect();
    let document = Document {
        title: made.title.clone(),
        about: made.about.clone(),
        by: made.by.clone(),
        sides: Sides::Both,
        pages,
    };
    pdf(&document, &fonts).unwrap()
}

/// The texts of all compressed streams: the contents of the pages, among others.
fn streams(bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(start) = rest.windows(7).position(|part| part == b"stream\n") {
        rest = &rest[start + 7..];
        let mut text = Vec::new();
        if flate2::read::ZlibDecoder::new(rest).read_to_end(&mut text).is_ok() {
            found.push(String::from_utf8_lossy(&text).into_owned());
        }
        let end = rest.windows(9).position(|part| part == b"endstream").unwrap();
        rest = &rest[end + 9..];
    }
    found
}

/// The word before each use of an operator, as the 8 in `/F0 8 Tf`.
fn operands(streams: &[String], operator: &str) -> Vec<String> {
    let mut found = Vec::new();
    for text in streams.iter().filter(|text| text.contains("BT") && text.contains("ET")) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let uses = words.windows(2).filter(|pair| pair[1] == operator);
        found.extend(uses.map(|pair| pair[0].to_owned()));
    }
    found
}

fn pdfinfo(bytes: &[u8], name: &str, arguments: &[&str]) -> String {
    let path = std::env::temp_dir().join(format!("adjutant-{name}-{}.pdf", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let out = Command::new("pdfinfo")
        .args(arguments)
        .arg(&path)
        .output()
        .expect("pdfinfo is installed (poppler-utils)");
    std::fs::remove_file(&path).unwrap();
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn no_letter_in_the_pdf_of_a_sheet_is_below_eight_points() {
    for id in adjutant_bundled_packs::IDS {
        for low_ink in [false, true] {
            let look = PageOptions { low_ink, ..PageOptions::on(A4) };
            let sizes = operands(&streams(&sheet_pdf(id, &look)), "Tf");
            assert!(sizes.len() > 50, "{id}: {} texts", sizes.len());
            for size in sizes {
                let size: f64 = size.parse().unwrap();
                assert!(size >= 7.999, "{id}: letters of {size} points");
            }
        }
    }
}

#[test]
fn low_ink_needs_black_ink_only_and_colour_is_used_without_it() {
    let coloured = |bytes: &[u8]| {
        let streams = streams(bytes);
        ["rg", "RG", "k", "K"].iter().map(|op| operands(&streams, op).len()).sum::<usize>()
    };
    let plain = sheet_pdf("panzer8", &PageOptions::on(A4));
    let low = sheet_pdf("panzer8", &PageOptions { low_ink: true, ..PageOptions::on(A4) });
    let named = |bytes: &[u8]| bytes.windows(9).any(|part| part == b"DeviceRGB");
    assert!(coloured(&plain) > 0 || named(&plain));
    assert_eq!((coloured(&low), named(&low)), (0, false));
    let grey = |bytes: &[u8]| operands(&streams(bytes), "g").len();
    assert!(grey(&low) > 0 || low.windows(10).any(|part| part == b"DeviceGray"));
}

#[test]
fn a_screen_reader_reads_the_sheet_in_its_order() {
    let made = sheet(&shipped("panzer8"), &SheetOptions::default());
    let bytes = sheet_pdf("panzer8", &PageOptions { pages: Some(2), ..PageOptions::on(A4) });
    let tree = pdfinfo(&bytes, "struct", &["-struct-text"]);
    let place = |title: &str| {
        let heading = format!("H2 \"{title}\"");
        tree.find(&heading).unwrap_or_else(|| panic!("{heading} in\n{tree}"))
    };
    // A list may fill the space that is left before a chart; charts keep their order.
    let charts: Vec<usize> = made
        .sections
        .iter()
        .map(|section| (section.loose, place(&section.title)))
        .filter_map(|(loose, place)| (!loose).then_some(place))
        .collect();
    assert!(charts.len() > 5 && charts.is_sorted(), "{charts:?}");
    for kind in ["H1", "H3", "Table", "TR", "TH", "TD", "LBody"] {
        assert!(tree.lines().any(|line| line.trim_start().starts_with(kind)), "no {kind}");
    }
    // The amount of a modifier is in the same row as its label.
    let row = tree.split("TR\n").find(|row| row.contains("Target is open-topped")).unwrap();
    assert!(row.contains("+1"), "{row}");
    assert!(!tree.contains("Page 1 of"), "page numbers are not read aloud");
}

#[test]
fn the_pdf_says_how_it_is_shown_and_printed() {
    let bytes = sheet_pdf("panzer8", &PageOptions { pages: Some(2), ..PageOptions::on(A4) });
    let text = String::from_utf8_lossy(&bytes);
    for wanted in [
        "/DisplayDocTitle true",
        "/PrintScaling/None",
        "/Duplex/DuplexFlipLongEdge",
        "/Outlines",
        "/MarkInfo",
        "<dc:title>",
        "<dc:creator>",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in the PDF");
    }
    let sections = sheet(&shipped("panzer8"), &SheetOptions::default()).sections.len();
    let bookmarks = text.matches("/Dest").count();
    assert!(bookmarks >= sections, "{bookmarks} bookmarks for {sections} sections");
    let info = pdfinfo(&bytes, "info", &[]);
    for wanted in
        ["Title:           Panzer8", "Author:          Keith Barker", "Tagged:          yes"]
    {
        assert!(info.contains(wanted), "{wanted} in\n{info}");
    }
}

#[test]
fn cards_are_printed_on_both_sides_and_have_a_bookmark_for_each_page() {
    let (pack, fonts) = (shipped("combat-leader"), Fonts::bundled());
    let deck = &pack.decks().as_slice()[0];
    let style = CardStyle { cut: true, ..CardStyle::default() };
    let fronts: Vec<_> =
        (1..=12).map(|n| Arc::new(card::front_as(&pack, deck, n, POKER, style))).collect();
    let back = Arc::new(card::back_as(deck, POKER, style));
    let how = Imposition {
        paper: A4,
        card: POKER,
        bleed: 0.0,
        backs: Backs::Duplex,
        marks: true,
        name: "Action Deck".into(),
    };
    let made = imposition::pages(&fronts, &back, &how).unwrap();
    let count = made.len();
    let document = Document { pages: made, sides: Sides::Both, ..Document::default() };
    let bytes = pdf(&document, &fonts).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("/Duplex/DuplexFlipLongEdge"));
    assert_eq!(text.matches("/Dest").count(), count);
    let tree = pdfinfo(&bytes, "cards", &["-struct-text"]);
    // The cards one after the other, each as a part of its own.
    let place = |number: usize| tree.find(&format!("No. {number}\"")).unwrap_or(usize::MAX);
    assert!((1..12).all(|number| place(number) < place(number + 1)), "{tree}");
}
