//! What the screen of a chart says.

/// No such chart.
pub const LOST: &str = "No such chart";
/// The way to the sheet.
pub const ON_THE_SHEET: &str = "On the sheet";
/// The way to the lab.
pub const IN_THE_LAB: &str = "In the odds lab";
/// A roll waited for an answer, and the situation changed.
pub const STALE: &str = "what came before does not fit any more; throw again";
/// The result.
pub const RESULT: &str = "Result";
/// The odds.
pub const ODDS: &str = "Odds";
/// The form.
pub const FORM: &str = "Situation";
/// Empties the form.
pub const CLEAR: &str = "Clear the form";
/// Copies the address.
pub const COPY_LINK: &str = "Copy link";
/// Options of the chart.
pub const OPTIONS: &str = "Options";
/// Switches an option on.
pub const SWITCH_ON: &str = "Switch it on";

/// No such chart.
pub fn lost(pack: &str, chart: &str) -> String {
    format!("There is no chart “{chart}” in a pack “{pack}” here. The link may be misspelt, or the pack is not on this device.")
}

/// Behind an option.
pub fn closed_by(option: &str) -> String {
    format!("This chart is behind an option that is off: {option}.")
}

/// The large button.
pub fn throw(throws: bool, cards: bool, again: bool) -> &'static str {
    match (throws, cards, again) {
        (false, ..) => "Look it up",
        (true, true, false) => "Draw",
        (true, true, true) => "Draw again",
        (true, false, false) => "Throw",
        (true, false, true) => "Throw again",
    }
}

/// The button beside it.
pub fn own(cards: bool) -> &'static str {
    if cards { "My own card" } else { "My own dice" }
}
