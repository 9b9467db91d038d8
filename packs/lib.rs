//! The sheets that come with Adjutant, carried inside the program so that a built binary and the page
//! need no files beside them.
//!
//! ```
//! let pack = sheet::read_pack(&packs::files("panzer8").unwrap(), None).unwrap();
//! assert_eq!(pack.title, "Panzer8");
//! ```

use sheet::Files;

macro_rules! shipped {
    ($($id:literal: $($file:literal),+;)+) => {
        /// The ids of the sheets that come with the program.
        pub const IDS: &[&str] = &[$($id),+];

        /// The files of the sheet of this id.
        pub fn files(id: &str) -> Option<Files> {
            match id {
                $($id => Some(Files::of([$(($file, include_str!(concat!($id, "/", $file)))),+])),)+
                _ => None,
            }
        }
    };
}

shipped! {
    "combat-leader": "pack.toml", "cases.toml", "README.md", "deck.csv";
    "panzer8": "pack.toml", "cases.toml", "README.md";
    "chain-reaction": "pack.toml", "cases.toml", "README.md";
    "asl-starter-kit": "pack.toml", "cases.toml", "README.md", "grid.csv";
}
