//! Exports for other programs, read back by readers written here from those programs' own code and
//! documentation: every card is where the program looks for it, every picture exists, every text
//! comes back as it was.

#![cfg(feature = "paper")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "other/csv.rs"]
mod csv_;
#[path = "other/foundry.rs"]
mod foundry;
#[path = "other/packs.rs"]
mod given;
#[path = "other/tabletop.rs"]
mod tabletop;
#[path = "other/vassal.rs"]
mod vassal;

use adjutant_pack::Pack;
use adjutant_render::export::{CsvReader, ExportRequest, ExportedFiles, FoundryModule};
use adjutant_render::paper::Fonts;

/// An export is reproducible, and no two files have the same name.
fn twice(make: impl Fn() -> ExportedFiles) -> ExportedFiles {
    let (one, two) = (make(), make());
    assert!(one == two, "not the same bytes");
    let mut names: Vec<&str> = one.files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let before = names.len();
    names.dedup();
    assert_eq!(names.len(), before, "two files of one name");
    one
}

fn all_packs() -> impl Iterator<Item = Pack> {
    adjutant_bundled_packs::IDS.iter().map(|id| given::shipped(id))
}

#[test]
fn whatever_the_pack_a_parcel_can_be_made_and_says_what_it_holds() {
    let fonts = Fonts::bundled();
    for pack in all_packs() {
        // The deck's pictures are tested elsewhere.
        let request = ExportRequest { decks: Vec::new(), ..ExportRequest::all(&pack) };
        let module = FoundryModule::new("game", None);
        let parcels = [
            adjutant_render::export::foundry(&request, &fonts, &module).unwrap(),
            adjutant_render::export::vassal(&request, &fonts, "game.vmod").unwrap(),
            adjutant_render::export::csv(&request, CsvReader::Any).unwrap(),
            adjutant_render::export::csv(&request, CsvReader::Excel).unwrap(),
        ];
        for exported in parcels {
            assert!(
                !exported.files.is_empty()
                    && !exported.summary.is_empty()
                    && !exported.instructions.is_empty(),
                "{}",
                pack.id()
            );
        }
    }
}

/// “HE/SA value” is the name of a number and does not say when that number counts.
#[test]
fn a_modifier_that_counts_for_one_choice_says_so_in_every_program() {
    let pack = given::shipped("panzer8");
    let request = ExportRequest { decks: Vec::new(), ..ExportRequest::all(&pack) };
    let text = |exported: &ExportedFiles, name: &str| {
        String::from_utf8(exported.file(name).unwrap_or_else(|| panic!("no {name}")).to_vec())
            .unwrap()
    };
    let csv = text(
        &adjutant_render::export::csv(&request, CsvReader::Any).unwrap(),
        "charts/fire.rolls.csv",
    );
    let html = adjutant_render::export::page(&pack, pack.chart("fire").unwrap());
    let foundry = adjutant_render::export::foundry(
        &request,
        &Fonts::bundled(),
        &FoundryModule::new("game", None),
    )
    .unwrap();
    let foundry: String = foundry
        .files
        .iter()
        .filter(|(name, _)| name.contains("tables/fire"))
        .map(|(name, _)| text(&foundry, name))
        .collect();
    for (program, text) in [("CSV", csv), ("VASSAL", html), ("Foundry", foundry)] {
        for line in ["HE/SA value (Ammunition: HE or small arms)", "AP value (Ammunition: AP)"] {
            assert!(text.contains(line), "{program} lacks “{line}”:\n{text}");
        }
    }
}
