//! The packs that are bundled with Adjutant. They are inside the program, so that the binary and
//! the page need no files. The feature `cases` adds the cases and the README of each pack.
//!
//! ```
//! let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
//! assert_eq!(pack.title(), "Panzer8");
//! ```

use adjutant_pack::Files;

/// The bundled pack that a newcomer tries first: a shot is two dice and a table.
pub const SAMPLE: &str = "panzer8";

macro_rules! bundled {
    ($($id:literal: $($file:literal),+;)+) => {
        /// The ids of the bundled packs.
        pub const IDS: &[&str] = &[$($id),+];

        /// The files of a bundled pack.
        pub fn files(id: &str) -> Option<Files> {
            match id {
                $($id => {
                    #[allow(unused_mut, reason = "only the feature `cases` puts more in")]
                    let mut files = Files::of([$(($file, include_str!(concat!("../../../packs/", $id, "/", $file)))),+]);
                    #[cfg(feature = "cases")]
                    {
                        files.put("cases.toml", include_str!(concat!("../../../packs/", $id, "/cases.toml")));
                        files.put("README.md", include_str!(concat!("../../../packs/", $id, "/README.md")));
                    }
                    Some(files)
                })+
                _ => None,
            }
        }
    };
}

/// A small valid pack as a starting point: `pack.toml`, `cases.toml`, `README.md`. Its title is
/// made from its id.
///
/// ```
/// assert!(adjutant_pack::read_pack(&adjutant_bundled_packs::skeleton("my-game"), None).is_ok());
/// ```
pub fn skeleton(id: &str) -> Files {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    let title = id.split('-').map(capital).collect::<Vec<_>>().join(" ");
    let fill = |text: &str| text.replace("{id}", id).replace("{title}", &title);
    Files::of([
        ("pack.toml", fill(include_str!("../../../packs/skeleton/pack.toml"))),
        ("cases.toml", fill(include_str!("../../../packs/skeleton/cases.toml"))),
        ("README.md", fill(include_str!("../../../packs/skeleton/README.md"))),
    ])
}

bundled! {
    "combat-leader": "pack.toml", "deck.csv";
    "panzer8": "pack.toml";
    "chain-reaction": "pack.toml";
    "asl-starter-kit": "pack.toml", "grid.csv";
}
