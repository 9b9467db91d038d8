//! Texts of the deck screen.

pub const LOST: &str = "Deck not found";
pub const DRAW: &str = "Draw";
pub const NEXT: &str = "Draw another";
pub const PUT_BACK: &str = "Put it back";
pub const RESHUFFLE: &str = "Reshuffle";
pub const PILE: &str = "Pile";
pub const DISCARD: &str = "Drawn";
pub const READ: &str = "Read on the card";
pub const READ_NOTHING: &str = "the whole card";
pub const WHICH: &str = "Which";
pub const BROWSE: &str = "All cards";
pub const BEFORE: &str = "Previous";
pub const AFTER: &str = "Next";
pub const NONE_YET: &str =
    "No card drawn yet. The deck has no hidden order: each card left is equally likely.";
pub const BLANK: &str = "blank";
pub const KEPT: &str =
    "This pile is saved on this device. In a game, the deck belongs to the game and its log.";
pub const EMPTY: &str = "The pile is empty. The next draw reshuffles it.";
pub const LAST: &str = "The card";
pub const USED_BY: &str = "Used by";

pub fn lost(pack: &str, deck: &str) -> String {
    format!(
        "There is no deck “{deck}” in a pack “{pack}” here. The link may be wrong, or the pack is not on this device."
    )
}

pub fn left(left: u32, of: usize) -> String {
    format!("{left} of {of} left")
}

pub fn drawn(n: usize) -> String {
    if n == 1 { "1 card drawn".to_owned() } else { format!("{n} cards drawn") }
}

pub fn reshuffled(n: usize) -> String {
    format!("Reshuffled: all {n} cards are back in the pile.")
}

/// A label with the value on the card.
pub fn reads(label: &str, value: &str) -> String {
    format!("{label}: {value}")
}

/// The label of one of several numbers.
pub fn of_row(label: &str, by: u32) -> String {
    format!("{label}, {by}")
}

pub fn cards(from: usize, to: usize, of: usize) -> String {
    format!("Cards {from} to {to} of {of}")
}
