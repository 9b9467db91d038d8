//! Texts of the sheet screen.

pub const LOST: &str = "Sheet not found";
pub const SEARCH: &str = "Search this sheet";
pub const PLAY: &str = "Roll";
pub const ODDS: &str = "Odds";
pub const CONTENTS: &str = "On this sheet";
pub const TURN: &str = "Turn";
pub const TERMS: &str = "Terms";
pub const DICE: &str = "Dice";
pub const STATUSES: &str = "Statuses";
pub const READINGS: &str = "How unclear rules are read";
pub const OPTIONS: &str = "Options";
pub const OPTIONS_HINT: &str = "Saved on this device and used for new games.";
pub const TABLES: &str = "Tables from your rulebook";
pub const TABLES_HINT: &str = "These are in your rulebook and are not printed here. Remove the # and write the rows. Until then you are asked for the result. A deck that you do not supply is passed over.";
pub const KEEP_TABLES: &str = "Save these tables";
pub const NO_TABLES: &str = "Remove my tables";
pub const TABLES_KEPT: &str = "Your tables are in use and saved on this device.";

/// Tables that are in use, but could not be saved; why, in the browser's words.
pub fn tables_not_saved(why: &str) -> String {
    let why = super::no_room(why);
    format!("Your tables are not saved and are gone when you close this page. {why}")
}

pub const TABLES_WRONG: &str = "Your tables cannot be used as they are.";
pub const RESULT: &str = "Result";
pub const WHEN: &str = "When";
pub const SCORE: &str = "Score";
pub const READINGS_HERE: &str = "Readings";
pub const COLUMNS_TO_THE_RIGHT: &str = "Columns to the right";
pub const AGAIN: &str = "again";
pub const AT_MOST: &str = "at most";
pub const AT_LEAST: &str = "at least";

pub fn not_found(wanted: &str) -> String {
    format!("No match for “{wanted}” on this sheet.")
}

/// Whether the cards of a user deck are there, and where they are found.
pub fn supplied(deck: &adjutant_pack::DeckSheet) -> String {
    let place = deck.user.as_ref().map_or("", |user| user.place.as_str());
    match deck.cards.len() {
        0 => format!("your own cards. {place}").trim_end().into(),
        1 => "your own card".into(),
        many => format!("your own {many} cards"),
    }
}

/// Whether a user table is filled in.
pub fn filled(filled: bool) -> &'static str {
    if filled { "filled in by you" } else { "to fill in" }
}

pub fn fault_at(line: usize, message: &str) -> String {
    format!("Line {line}: {message}")
}

pub fn ends_with(phase: &str) -> String {
    format!("Ends with the phase {phase}.")
}

pub fn for_each(role: &str, random: bool) -> String {
    match random {
        true => format!("For one {role} of several, picked by a roll."),
        false => format!("For each {role}."),
    }
}

/// The chart needs an option.
pub fn behind(option: &str) -> String {
    format!("Needs the option: {option}.")
}

/// The chart reads a table that the player fills in.
pub fn read_on(title: &str) -> String {
    format!("Uses your own table: {title}.")
}

/// How many cells differ from the rule.
pub fn departs(n: usize, of: usize) -> String {
    format!("{n} of {of} cells differ from the rule and are marked with a star.")
}

pub const PRINT: &str = "Print";

/// Shows or hides a chart.
pub fn fold(open: bool) -> &'static str {
    if open { "Hide" } else { "Show" }
}
