//! Renders values as texts, pictures and pages: a game's reference sheet, its cards, battle
//! reports, the units of a table, plots of odds. Formats are Markdown, HTML and SVG; with the
//! feature `paper` also PDF and PNG, and the formats of other programs. It decides nothing, rolls
//! nothing and knows no game in progress.
//!
//! ```
//! use std::sync::Arc;
//! use adjutant_game::{Begin, Stamp, Table};
//!
//! let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
//! let mut table = Table::empty(pack);
//! let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
//! let line = table.begin(&Stamp::new("2026-11-16T02:14:05Z", "Anna"), begin).unwrap();
//! table.apply(&line.text).unwrap();
//! let report = adjutant_wording::report::report(&table).unwrap();
//! assert!(adjutant_render::report::markdown(&report).starts_with("# Hill 112\n"));
//! assert!(adjutant_render::report::html(&report).contains("<h1>Hill 112</h1>"));
//! ```

#![allow(
    missing_docs,
    reason = "types and functions are documented; fields and variants only where the name does not say it"
)]

pub mod card;
pub mod draw;
#[cfg(feature = "paper")]
mod error;
#[cfg(feature = "paper")]
pub mod export;
mod html_file;
#[cfg(feature = "paper")]
pub mod imposition;
#[cfg(feature = "paper")]
pub mod paper;
pub mod plot;
pub mod record;
pub mod reference;
pub mod report;
#[cfg(feature = "paper")]
mod typeset;

#[cfg(feature = "paper")]
pub use error::RenderError;

/// The pack with its version, if it has one.
pub(crate) fn edition(id: &str, version: &str) -> String {
    if version.is_empty() { format!("{id} pack") } else { format!("{id} pack, version {version}") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_pack_without_a_version_is_named_without() {
        assert_eq!(super::edition("panzer8", "1"), "panzer8 pack, version 1");
        assert_eq!(super::edition("my-game", ""), "my-game pack");
    }
}
