//! The screens, each a room of its own: its state, its messages (`Message`), what it does with them (`update`), with the
//! answers to its commands (`heard`), and how it looks (`view`). `open` is called when the address leads there.

pub mod chart;
pub mod deck;
pub mod fight;
pub mod home;
pub mod lab;
pub mod pack_editor;
pub mod sheet;
pub mod table;
