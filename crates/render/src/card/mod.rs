//! Drawing cards. Where things are is data ([`adjutant_pack::Layout`], in millimetres): a pack can
//! give it (`[[deck.x.place]]`), or it is derived from the deck's fields. One routine makes a
//! [`Drawing`] of it, for screen and paper, in any size.
//!
//! Nothing here knows a game. A suit is a word that players know. A die is a row that some chart
//! reads as one. The table beside the rank is a chart that adds the rank to one number, inverted.

mod back;
mod chart_data;
mod default_layout;
mod draw_card;
mod flow;
mod key;
mod number_rows;
mod suit;
mod text_fit;

pub use chart_data::{ChartBands, table_of};
pub use key::key;

use crate::draw::{Drawing, Ink, Mark, Size};
use adjutant_pack::{DeckSheet, FieldId, Layout, Pack};

/// 63 × 88 mm, the size of common card sleeves.
pub const POKER: Size = Size { width: adjutant_pack::CARD.0, height: adjutant_pack::CARD.1 };
/// 44 × 63 mm.
pub const MINI: Size = Size { width: 44.0, height: 63.0 };
/// 70 × 120 mm.
pub const TAROT: Size = Size { width: 70.0, height: 120.0 };

/// What is being read on a card: a field, and which number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub field: FieldId,
    /// Which number, if the field has several.
    pub by: Option<u32>,
}

/// How cards are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardStyle {
    /// Larger letters, and fewer things beside them.
    pub large: bool,
    /// Outlines and hairlines instead of tints.
    pub low_ink: bool,
    /// For cutting out: no edge and no background.
    pub cut: bool,
}

/// The front of a card. What is being read is highlighted.
///
/// ```
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let front = adjutant_render::card::front(&pack, pack.deck("action").unwrap(), 20, adjutant_render::card::POKER, None);
/// assert!(front.svg().contains("No. 20"));
/// ```
pub fn front(
    pack: &Pack,
    deck: &DeckSheet,
    number: u32,
    size: Size,
    reading: Option<Reading>,
) -> Drawing {
    draw_card::front(pack, deck, number, size, CardStyle::default(), reading)
}

/// The front of a card in another style.
pub fn front_as(
    pack: &Pack,
    deck: &DeckSheet,
    number: u32,
    size: Size,
    style: CardStyle,
) -> Drawing {
    finished(draw_card::front(pack, deck, number, size, style, None), style)
}

/// The back of all cards of a deck.
pub fn back(deck: &DeckSheet, size: Size) -> Drawing {
    back::back(deck, size, CardStyle::default())
}

/// The back in another style.
pub fn back_as(deck: &DeckSheet, size: Size, style: CardStyle) -> Drawing {
    finished(back::back(deck, size, style), style)
}

/// Where things are on the cards of a deck: the pack's own layout, or the default layout for its
/// fields.
pub fn layout(pack: &Pack, deck: &DeckSheet, size: Size, style: CardStyle) -> Layout {
    match deck.layout.places.is_empty() {
        true => default_layout::layout(pack, deck, (size.width, size.height), style),
        false => draw_card::stretched(&deck.layout, (size.width, size.height)),
    }
}

/// The size of the smallest letters of a drawing, in millimetres.
pub fn smallest_letters(drawing: &Drawing) -> Option<f64> {
    let size = |mark: &Mark| match mark {
        Mark::Text { size, words, .. } if !words.is_empty() => Some(*size),
        Mark::Inset { drawing, .. } => smallest_letters(drawing),
        _ => None,
    };
    drawing.marks.iter().filter_map(size).min_by(f64::total_cmp)
}

fn finished(drawing: Drawing, style: CardStyle) -> Drawing {
    if style.low_ink { drawing.low_ink() } else { drawing }
}

/// The card itself, behind everything else.
fn background((width, height): (f64, f64), style: CardStyle) -> Option<Mark> {
    let edge = (width - 0.3, height - 0.3);
    (!style.cut).then_some(Mark::Box {
        at: (0.15, 0.15),
        size: edge,
        round: 3.0,
        fill: Some(Ink::Paper),
        edge: Some((0.3, Ink::Grey)),
    })
}
