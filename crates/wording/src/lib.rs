//! English sentences about packs, charts and games.
//!
//! The crates below this one return data: resolutions, changes, log events, and errors as enums.
//! This crate turns them into sentences for players and pack authors. All sentences are in [`en`],
//! one file per subject; a second language would be a second folder beside it with the same
//! functions.

pub mod en;
pub mod report;
