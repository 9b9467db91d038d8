//! The raw form of a draw: the keys of a step that draws cards.

use super::roll::{RawRoll, of_cards};
use crate::tree::{Keys, Located};

pub(crate) struct RawDraw {
    pub deck: Located<String>,
    /// The role whose side's deck it is.
    pub of: Option<Located<String>>,
    pub read: Option<Located<String>>,
    pub by: Option<Located<String>>,
    /// What is done with several cards, if there is more than one to draw or to count.
    pub several: Option<Box<RawRoll>>,
}

/// The keys that make a draw a handful of cards.
const SEVERAL: [&str; 7] =
    ["count", "each", "tally", "keep_highest", "keep_lowest", "pass_at_most", "pass_at_least"];

pub(super) fn read(keys: &Keys<'_>) -> Option<RawDraw> {
    let deck = keys.text("draw")?;
    let several = SEVERAL.iter().any(|key| keys.has(key));
    Some(RawDraw {
        of: keys.text("of"),
        read: keys.text("read"),
        by: keys.expr("by"),
        several: several.then(|| Box::new(of_cards(keys, &deck))),
        deck,
    })
}
