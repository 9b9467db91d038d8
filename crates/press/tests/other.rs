//! What goes to other programs, read back by readers written here from what those programs' own code and documentation say:
//! every card is where the program looks for it, every picture exists, every text comes back as it was.

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

use press::other::{Freight, Parcel};
use press::paper::Fonts;
use sheet::Pack;

/// A parcel is the same twice, and no two files have one name.
fn twice(make: impl Fn() -> Parcel) -> Parcel {
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
    packs::IDS.iter().map(|id| given::shipped(id))
}

#[test]
fn whatever_the_pack_a_parcel_can_be_made_and_says_what_it_holds() {
    let fonts = Fonts::own();
    for pack in all_packs() {
        // The deck's pictures are tried elsewhere.
        let freight = Freight { decks: Vec::new(), ..Freight::all(&pack) };
        let name = |name: &str| name.to_owned();
        let parcels = [
            press::other::foundry(&freight, &fonts, &name).unwrap(),
            press::other::vassal(&freight, &fonts, "game.vmod").unwrap(),
            press::other::tables(&freight).unwrap(),
        ];
        for parcel in parcels {
            assert!(!parcel.files.is_empty() && !parcel.said.is_empty() && !parcel.to_do.is_empty(), "{}", pack.id);
        }
    }
}
