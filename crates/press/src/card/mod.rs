//! A card, drawn. What a card carries is laid out once, in millimetres, as a [`Drawing`]; the screen shows it as SVG, and paper
//! prints the same. Nothing here knows a game: a suit is a word that players know, a die is a row that some chart reads as
//! one, a table beside the rank is a chart that adds the rank to one number, turned round.

mod layout;
mod read;
mod suit;

pub use read::{Told, table_of};

use crate::draw::{Drawing, Size};
use sheet::{DeckSheet, Pack};

/// 63 × 88 mm, which sleeves are made for.
pub const POKER: Size = Size { width: 63.0, height: 88.0 };

/// What is read of a card just now: a field, and which of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The field, by its place.
    pub field: usize,
    /// Which number, where it has several.
    pub by: Option<u32>,
}

/// The front of a card. What is read is lit.
///
/// ```
/// let pack = sheet::read_pack(&packs::files("combat-leader").unwrap(), None).unwrap();
/// let front = press::card::front(&pack, pack.deck("action").unwrap(), 20, press::card::POKER, None);
/// assert!(front.svg().contains("No. 20"));
/// ```
pub fn front(pack: &Pack, deck: &DeckSheet, number: u32, size: Size, reading: Option<Reading>) -> Drawing {
    layout::front(pack, deck, number, size, reading)
}

/// The back of all cards of a deck.
pub fn back(deck: &DeckSheet, size: Size) -> Drawing {
    layout::back(deck, size)
}
