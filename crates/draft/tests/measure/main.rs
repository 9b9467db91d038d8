#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! How much of a sheet a draft finds, and how much it gets wrong without saying so. Each set of sheets
//! has a floor for the first; the second must be nothing. The figures are printed:
//! `cargo test -p adjutant-draft --test measure -- --nocapture`.

mod cases;
mod items;
mod noise;
mod round_trip;
mod sets;
