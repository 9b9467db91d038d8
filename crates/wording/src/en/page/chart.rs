//! Texts of the chart screen.

pub const LOST: &str = "Chart not found";
pub const ON_THE_SHEET: &str = "On the sheet";
pub const IN_THE_LAB: &str = "In the odds lab";
pub const STALE: &str = "the earlier rolls no longer fit; roll again";
pub const RESULT: &str = "Result";
pub const ODDS: &str = "Odds";
pub const FORM: &str = "Situation";
pub const CLEAR: &str = "Clear";
pub const EXAMPLES: &str = "The values are examples. Enter your own.";
pub const COPY_LINK: &str = "Copy link";
pub const OPTIONS: &str = "Options";
pub const SWITCH_ON: &str = "Turn it on";

pub fn lost(pack: &str, chart: &str) -> String {
    format!(
        "There is no chart “{chart}” in a pack “{pack}” here. The link may be wrong, or the pack is not on this device."
    )
}

/// The chart needs an option that is off.
pub fn closed_by(option: &str) -> String {
    format!("This chart needs an option that is off: {option}.")
}

/// The label of the large button.
pub fn roll(rolls: bool, cards: bool, again: bool) -> &'static str {
    match (rolls, cards, again) {
        (false, ..) => "Look it up",
        (true, true, false) => "Draw",
        (true, true, true) => "Draw again",
        (true, false, false) => "Roll",
        (true, false, true) => "Roll again",
    }
}

/// The label of the button for dice or cards of the player's own.
pub fn own(cards: bool) -> &'static str {
    if cards { "My card" } else { "My dice" }
}
