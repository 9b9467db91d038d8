//! A game's reference sheet, from its pack. [`sheet()`] makes the content; [`markdown`] and
//! [`html`] render it for screens, and `pages` for paper.

mod chance_shapes;
mod chance_table;
mod chart;
mod chart_table;
mod content;
mod html;
mod markdown;
mod model;
#[cfg(feature = "paper")]
mod pages;
#[cfg(feature = "paper")]
mod readings;

#[cfg(feature = "paper")]
pub(crate) use content::{Held, beside};
pub use content::{SheetOptions, sheet};
pub use html::html;
pub use markdown::markdown;
pub use model::{Accent, Amount, Bar, Figure, Item, Part, Section, Sheet, Table, Tone};
#[cfg(feature = "paper")]
pub use pages::{PageOptions, pages};
