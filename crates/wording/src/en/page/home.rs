//! What home says.

use adjutant_pack::Pack;

/// The head.
pub const HEAD: &str = "The sheet beside the table";
/// The games.
pub const GAMES: &str = "Sheets";
/// The player's tables.
pub const MY_TABLES: &str = "My tables";
/// The whole sheet.
pub const WHOLE_SHEET: &str = "The whole sheet";
/// Begins a table.
pub const BEGIN: &str = "Begin a table";
/// What that is.
pub const BEGIN_HINT: &str = "Units with their statuses, what is due, turns, and a log of every throw: alone, or with others.";
/// The button.
pub const BEGIN_BUTTON: &str = "Begin";
/// Which game.
pub const GAME: &str = "Game";
/// The table's name.
pub const TABLE_NAME: &str = "Name of the table";
/// The player's name.
pub const YOUR_NAME: &str = "Your name";
/// A player without one.
pub const PLAYER: &str = "Player";
/// The sides.
pub const SIDES_LABEL: &str = "Sides, with commas between";
/// Usual sides.
pub const SIDES: [&str; 2] = ["Allies", "Axis"];
/// Where it is kept.
pub const WHERE: &str = "Kept";
/// In this browser.
pub const HERE: &str = "On this device";
/// By a server.
pub const SHARED: &str = "Shared, with invitations";
/// No server.
pub const NO_SERVER_HERE: &str = "To play together, open the page from a running Adjutant (adjutant serve).";
/// Takes a log in.
pub const IMPORT: &str = "Take in a log";
/// What that is.
pub const IMPORT_HINT: &str = "A table that was exported as JSON Lines. Every throw in it is checked.";
/// The button.
pub const CHOOSE_FILE: &str = "Choose a file";
/// A table is gone from the browser.
pub const FORGOTTEN: &str = "The table was taken off this device.";
/// Takes it off.
pub const FORGET: &str = "Take off this device";
/// Or not.
pub const KEEP: &str = "Keep it";
/// No server answered.
pub const NO_SERVER: &str = "The server does not answer. Begin the table on this device, or try again.";
/// The server said no.
pub const SERVER_REFUSED: &str = "The server did not begin the table.";
/// No such place.
pub const NOWHERE: &str = "Nothing is here";

/// Where a table is kept.
pub fn where_kept(shared: bool) -> &'static str {
    if shared { "shared" } else { "on this device" }
}

/// The button that takes a table off.
pub fn forget(name: &str) -> String {
    format!("Take {name} off this device")
}

/// Before it is done.
pub fn forget_doubt(shared: bool) -> &'static str {
    match shared {
        true => "The server keeps the table; your way to it is gone from this device until you follow an invitation again.",
        false => "This device is the only place that keeps the table. Export it first if you want it back.",
    }
}

/// What a sheet offers, in one line.
pub fn offers(pack: &Pack) -> String {
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts = [
        count(pack.charts().len(), "chart", "charts"),
        count(pack.decks().iter().map(|deck| deck.cards.len()).sum(), "card", "cards"),
        count(pack.statuses().len(), "status", "statuses"),
        count(pack.options().len(), "option", "options"),
        count(pack.fights().len(), "fight", "fights"),
        count(pack.user_tables().len(), "table of yours", "tables of yours"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// No such pack.
pub fn no_pack(id: &str) -> String {
    format!("There is no sheet “{id}” on this device. Put it on the pack desk first.")
}

/// A pack with faults.
pub fn unsound(id: &str) -> String {
    format!("The sheet “{id}” has faults and cannot be used.")
}

/// Not a log.
pub fn not_a_log(file: &str) -> String {
    format!("{file} is not a log of Adjutant: its first line must begin a table.")
}

/// A log with a fault.
pub fn bad_log(file: &str, why: &str) -> String {
    format!("{file} was not taken in. {why}.")
}

/// An address that leads nowhere.
pub fn nowhere(address: &str) -> String {
    format!("The address “{address}” leads nowhere. The link may be cut off.")
}
