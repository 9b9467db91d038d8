//! What a deck says.

/// No such deck.
pub const LOST: &str = "No such deck";
/// Draws.
pub const DRAW: &str = "Draw";
/// Draws again.
pub const NEXT: &str = "Draw the next";
/// Puts the last card back.
pub const PUT_BACK: &str = "Put it back";
/// Reshuffles.
pub const RESHUFFLE: &str = "Reshuffle";
/// The pile.
pub const PILE: &str = "Pile";
/// The cards drawn.
pub const DISCARD: &str = "Drawn";
/// What is read.
pub const READ: &str = "Read on the card";
/// Nothing in particular.
pub const READ_NOTHING: &str = "the whole card";
/// Which number.
pub const WHICH: &str = "Which";
/// All cards.
pub const BROWSE: &str = "All cards";
/// The page before.
pub const BEFORE: &str = "Before";
/// The page after.
pub const AFTER: &str = "After";
/// No card yet.
pub const NONE_YET: &str = "No card has been drawn. The deck has no hidden order: each draw takes any of the cards left, all alike.";
/// Nothing stands there.
pub const BLANK: &str = "nothing";
/// What the pile is.
pub const KEPT: &str = "The pile is kept on this device. At a table the deck belongs to the table and stands in its log.";
/// Empty.
pub const EMPTY: &str = "The pile is empty: the next draw reshuffles first.";
/// The last card.
pub const LAST: &str = "The card";
/// Charts that draw.
pub const USED_BY: &str = "Used by";

/// No such deck.
pub fn lost(pack: &str, deck: &str) -> String {
    format!("There is no deck “{deck}” in a pack “{pack}” here. The link may be misspelt, or the pack is not on this device.")
}

/// How many are left.
pub fn left(left: u32, of: usize) -> String {
    format!("{left} of {of} left")
}

/// How many were drawn.
pub fn drawn(n: usize) -> String {
    if n == 1 { "1 card drawn".to_owned() } else { format!("{n} cards drawn") }
}

/// Reshuffled.
pub fn reshuffled(n: usize) -> String {
    format!("Reshuffled: all {n} cards are in the pile again.")
}

/// What is read.
pub fn reads(label: &str, value: &str) -> String {
    format!("{label}: {value}")
}

/// One of several numbers.
pub fn of_row(label: &str, by: u32) -> String {
    format!("{label}, {by}")
}

/// A page of cards.
pub fn cards(from: usize, to: usize, of: usize) -> String {
    format!("Cards {from} to {to} of {of}")
}
