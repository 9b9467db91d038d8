//! The page as players use it: the command serves it, a real Chromium shows it, and a finger or a
//! keyboard does the rest.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

mod charts;
mod common;
mod dropped;
mod first;
mod form;
mod game;
mod manners;
mod my_games;
mod offline;
#[path = "../../../store/tests/common/mod.rs"]
mod postgres_server;
mod saved;
mod sheets;
mod tables;
mod taps;
mod together;
mod wire;
