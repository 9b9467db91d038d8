//! The raw form of a draw: the keys of a step that draws cards.

use super::roll::{RawRoll, of_cards};
use crate::tree::{Keys, Located};

pub(crate) struct RawDraw {
    pub deck: Located<String>,
    /// The role whose side's deck it is.
    pub of: Option<Located<String>>,
    pub read: Option<Located<String>>,
    pub by: Option<Located<String>>,
    /// Where the cards go.
    pub to: Option<Located<String>>,
    /// Set if a player picks the card instead of drawing it.
    pub pick: Option<RawPick>,
    /// What is done with several cards, if there is more than one to draw or to count.
    pub several: Option<Box<RawRoll>>,
}

pub(crate) struct RawPick {
    /// A pile; else the hand.
    pub from: Option<Located<String>>,
    /// The cards that may be picked.
    pub which: Option<Located<String>>,
}

/// A card of a hand or a pile that a player picks.
pub(super) fn read_play(keys: &Keys<'_>) -> Option<RawDraw> {
    Some(RawDraw {
        deck: keys.text("play")?,
        of: keys.text("of"),
        read: keys.text("read"),
        by: keys.expr("by"),
        to: keys.text("to"),
        pick: Some(RawPick { from: keys.text("from"), which: keys.expr("which") }),
        several: None,
    })
}

/// The keys that make a draw a handful of cards.
const SEVERAL: [&str; 7] =
    ["count", "each", "tally", "keep_highest", "keep_lowest", "pass_at_most", "pass_at_least"];

pub(super) fn read(keys: &Keys<'_>) -> Option<RawDraw> {
    let deck = keys.text("draw")?;
    let to = keys.text("to");
    // A hand is filled up.
    let fills = to.as_ref().is_some_and(|to| to.it == "hand");
    let several = fills || SEVERAL.iter().any(|key| keys.has(key));
    Some(RawDraw {
        of: keys.text("of"),
        read: keys.text("read"),
        by: keys.expr("by"),
        to,
        pick: None,
        several: several.then(|| Box::new(of_cards(keys, &deck))),
        deck,
    })
}
