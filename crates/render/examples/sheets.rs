//! Writes the sheets of all packs into a folder, for review: `cargo run -p adjutant-render
//! --features paper --example sheets -- FOLDER`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use adjutant_render::draw::{A4, LETTER};
use adjutant_render::paper::{Document, Fonts, Page, pdf};
use adjutant_render::reference::{PageOptions, SheetOptions, html, markdown, pages, sheet};

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let fonts = Fonts::new();
    for id in adjutant_bundled_packs::IDS {
        let pack =
            adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap();
        for odds in [false, true] {
            let made = sheet(&pack, &SheetOptions { odds, ..SheetOptions::default() });
            for (name, look) in [
                ("a4", PageOptions::on(A4)),
                ("letter", PageOptions::on(LETTER)),
                ("large", PageOptions { large: true, ..PageOptions::on(A4) }),
                ("low", PageOptions { low_ink: true, ..PageOptions::on(A4) }),
            ] {
                let began = std::time::Instant::now();
                let drawn = pages(&made, &look, &fonts);
                let took = began.elapsed();
                let document = Document {
                    by: made.by.clone(),
                    sides: adjutant_render::paper::Sides::Both,
                    title: made.title.clone(),
                    about: made.about.clone(),
                    pages: drawn.into_iter().map(Page::whole).collect(),
                };
                println!("{id} {name} odds {odds}: {} pages, {took:?}", document.pages.len());
                std::fs::write(
                    format!("{folder}/{id}-{name}{}.pdf", if odds { "-odds" } else { "" }),
                    pdf(&document, &fonts).unwrap(),
                )
                .unwrap();
            }
            std::fs::write(format!("{folder}/{id}.html"), html(&made)).unwrap();
            std::fs::write(format!("{folder}/{id}.md"), markdown(&made)).unwrap();
        }
    }
}
