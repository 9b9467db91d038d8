//! The screens. Each has its state, its messages (`Message`), and functions for opening (`open`),
//! messages (`update`), replies to its commands and HTML (`view`).

pub mod chart;
pub mod deck;
pub mod fight;
pub mod home;
pub mod lab;
pub mod pack_editor;
pub mod sheet;
pub mod table;
