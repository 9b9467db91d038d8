//! Texts of the screen that turns a pasted sheet into a pack.

use adjutant_draft::{Account, PieceKind};

/// Where a draft comes from, in its README.
pub const PASTED: &str = "a sheet that was pasted";
pub const HEAD: &str = "Paste a sheet";
pub const LEAD: &str = "Paste the text of a quick-reference sheet. It becomes charts that you can roll on. Nothing leaves this device.";
pub const BOX: &str = "Text of the sheet";
pub const PLACEHOLDER: &str = "Paste text, Markdown, HTML, or cells from a spreadsheet or a web page.\nFrom a scan: the text that an OCR program or a phone's camera gives.";
pub const OPEN_FILE: &str = "Open a file";
pub const FILE_HINT: &str = "A .txt, .md, .html, .csv or .tsv file. You can also drop it anywhere on this page. For a PDF, select all in a viewer and copy.";
pub const EXAMPLE: &str = "Try an example";
pub const TITLE: &str = "Name of the game";
pub const EDIT_ALL: &str = "Edit the whole text";
pub const SHOW_PIECES: &str = "Show the pieces";
pub const START_AGAIN: &str = "Start again";
pub const CLEAR_DOUBT: &str =
    "This removes the pasted text and your corrections. Packs in use stay.";
pub const CLEAR: &str = "Remove the text";
pub const CANCEL: &str = "Cancel";
pub const TABS: &str = "Parts of this page";
pub const SOURCE: &str = "Source";
pub const CHECK: &str = "To check";
pub const CHART: &str = "Chart";
pub const SOURCE_HINT: &str = "Tap a piece to change what it is or to correct its text.";
pub const CHECK_HINT: &str =
    "The sheet leaves these open. Tap one to see its line. Tick it if it is right.";
pub const ALL_CHECKED: &str = "Nothing left to check.";
pub const NOT_UNDERSTOOD: &str = "this was not understood: say what it is, or correct the text";
pub const RIGHT: &str = "This is right";
pub const KIND: &str = "What is this?";
pub const FROM_LINE: &str = "From line";
pub const TO_LINE: &str = "to line";
pub const LINES_TEXT: &str = "Text of these lines";
pub const AUTOMATIC: &str = "Find out by itself";
pub const CLOSE: &str = "Close";
pub const NO_CHARTS: &str =
    "No chart yet. Say what the pieces are: dice, modifiers and a table of scores make a chart.";
pub const SHOW_IN_SOURCE: &str = "Show in the source";
pub const USE: &str = "Use this pack";
pub const USE_AGAIN: &str = "Use the changes";
pub const USE_DOUBT: &str = "The pack editor holds other files. This replaces them.";
pub const REPLACE: &str = "Replace and use";
pub const NOT_SAVED: &str =
    "This text is too long to be saved. It is gone when the page is closed.";
pub const OPEN_SHEET: &str = "Open the sheet";
pub const NEW_GAME: &str = "New game";
pub const SHARE: &str = "Share the pack";
pub const EDIT_PACK: &str = "Edit the pack";

/// A sheet to try.
pub const EXAMPLE_SHEET: &str = "LANTERN HILL\n\nSHOOTING\nRoll 2d6.\n+1  within six inches\n-2  target behind a wall\n\n6 or less   miss\n7 to 9      the target is shaken\n10 or more  the target is down\n\nMOVE      Road   Open   Wood\nFoot      8      6      4\nHorse     12     10     4\n";

/// What a piece is, as a label.
pub fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Title => "Title",
        PieceKind::Roll => "Dice",
        PieceKind::Modifiers => "Modifiers",
        PieceKind::Bands => "Table of scores",
        PieceKind::Grid => "Grid",
        PieceKind::Definitions => "Terms",
        PieceKind::Phases => "Phases",
        PieceKind::Note => "Note",
        PieceKind::Ignored => "Ignored",
        PieceKind::NotUnderstood => "Not understood",
    }
}

pub fn line(line: u32) -> String {
    format!("line {line}")
}

/// The lines of a piece.
pub fn lines(first: u32, last: u32) -> String {
    if first == last { line(first) } else { format!("lines {first}–{last}") }
}

/// How many lines became what, and how many charts there are.
pub fn account(charts: usize, account: &Account) -> String {
    let made = match charts {
        0 => "No chart".to_owned(),
        1 => "1 chart".to_owned(),
        n => format!("{n} charts"),
    };
    let Account { used, notes, ignored, not_understood } = account;
    format!(
        "{made}. Lines: {used} used, {notes} kept as notes, {ignored} ignored, {not_understood} not understood."
    )
}

/// How many guesses are left.
pub fn to_check(n: usize) -> String {
    format!("{CHECK} ({n})")
}

/// The guesses of one piece.
pub fn piece_checks(n: usize) -> String {
    format!("{n} to check")
}

/// The button that shows a chart.
pub fn show_chart(title: &str) -> String {
    format!("Show the chart: {title}")
}

/// What does not fit on the page.
pub fn more_lines(n: usize) -> String {
    format!("{n} more lines are read, but not shown here.")
}

/// The source is not read.
pub fn refused(why: &str) -> String {
    format!("The text cannot be read: {why}.")
}

/// The pack is in use.
pub fn used(title: &str) -> String {
    format!("{title} is in use on this device. It is also in the pack editor.")
}
