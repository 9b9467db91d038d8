//! The screens. Each has its state, its messages (`Message`), and functions for opening (`open`),
//! messages (`update`), replies to its commands and HTML (`view`).
//!
//! The lab, fights, the pack editor, packs in links, and the luck and the battle reports of a game
//! are the *workshop*. A first visit seldom needs them, so they are a feature: the page first
//! fetches an engine without it, and the full one on demand.

pub mod chart;
pub mod deck;
#[cfg(feature = "workshop")]
pub mod fight;
pub mod home;
#[cfg(feature = "workshop")]
pub mod lab;
#[cfg(feature = "workshop")]
pub mod pack_editor;
#[cfg(feature = "workshop")]
pub mod pack_link;
pub mod sheet;
pub mod table;
#[cfg(not(feature = "workshop"))]
mod without_workshop;

#[cfg(not(feature = "workshop"))]
pub use without_workshop::{fight, lab, pack_editor, pack_link};
