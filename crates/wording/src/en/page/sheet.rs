//! What the sheet says.

/// No such sheet.
pub const LOST: &str = "No such sheet";
/// The field to search in.
pub const SEARCH: &str = "Search this sheet";
/// Plays a chart.
pub const PLAY: &str = "Throw";
/// Weighs a chart.
pub const ODDS: &str = "Odds";
/// All charts.
pub const CONTENTS: &str = "On this sheet";
/// The turn.
pub const TURN: &str = "Turn";
/// The statuses.
pub const STATUSES: &str = "Statuses";
/// The readings.
pub const READINGS: &str = "How this sheet is read where the print is not plain";
/// The options.
pub const OPTIONS: &str = "Options";
/// What they are.
pub const OPTIONS_HINT: &str = "Set once; remembered on this device and used for new tables.";
/// The player's tables.
pub const TABLES: &str = "Tables from your rule book";
/// How they are filled in.
pub const TABLES_HINT: &str = "These stand in the book you own and are not printed here. Take the # away and write the rows; until then you are asked for the result.";
/// Keeps them.
pub const KEEP_TABLES: &str = "Keep these tables";
/// Takes them away.
pub const NO_TABLES: &str = "Take mine away";
/// Kept.
pub const TABLES_KEPT: &str = "Your tables are in use and are remembered on this device.";
/// Not kept.
pub const TABLES_WRONG: &str = "Your tables cannot be used as they are.";
/// What a row gives.
pub const RESULT: &str = "Result";
/// Rows by conditions.
pub const WHEN: &str = "When";
/// Rows on a score.
pub const SCORE: &str = "Score";
/// Of several only the best counts.
pub const ONLY_BEST: &str = "only the best counts";
/// A bracket around what is read.
pub const READINGS_HERE: &str = "Readings";
/// A throw made again.
pub const AGAIN: &str = "again";
/// A limit.
pub const AT_MOST: &str = "at most";
/// A limit.
pub const AT_LEAST: &str = "at least";

/// Nothing found.
pub fn not_found(wanted: &str) -> String {
    format!("Nothing on this sheet speaks of “{wanted}”.")
}

/// Whether a table is filled in.
pub fn filled(filled: bool) -> &'static str {
    if filled { "filled in by you" } else { "yours to fill in" }
}

/// A fault at its line.
pub fn fault_at(line: usize, message: &str) -> String {
    format!("Line {line}: {message}")
}

/// When a status is lifted.
pub fn ends_with(phase: &str) -> String {
    format!("Ends with the phase {phase}.")
}

/// For each of several units.
pub fn for_each(role: &str) -> String {
    format!("For each {role}.")
}

/// Behind an option.
pub fn behind(option: &str) -> String {
    format!("Behind an option: {option}.")
}

/// A table that the book keeps.
pub fn read_on(title: &str) -> String {
    format!("Read on your own table: {title}.")
}

/// What also holds.
pub fn also(title: &str, when: &str) -> String {
    if when.is_empty() { format!("Also: {title}.") } else { format!("Also: {title}, if {when}.") }
}

/// A tally over several units.
pub fn tally(label: &str, result: &str, least: u32) -> String {
    format!("{label}: {result} from {least} on.")
}

/// The cells that depart from the rule.
pub fn departs(n: usize, of: usize) -> String {
    format!("{n} of {of} cells depart from the rule and are marked with a star.")
}
