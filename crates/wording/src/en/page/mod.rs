//! The labels and sentences of the page itself: one file for each screen, and here what several share. What a game's sheet says is
//! in its pack.

pub mod chart;
pub mod deck;
pub mod fight;
pub mod home;
pub mod lab;
pub mod pack_editor;
pub mod parts;
pub mod sheet;
pub mod table;
pub mod together;

/// The program.
pub const NAME: &str = "Adjutant";
/// What it is.
pub const ABOUT: &str =
    "Runs the quick-reference sheet of your wargame: the chances before the throw, the result explained, on the right unit.";
/// The way back.
pub const BACK: &str = "Back";
/// For those who use a keyboard.
pub const SKIP: &str = "To the content";
/// The bar at the bottom.
pub const BAR: &str = "Main";
/// Home.
pub const BAR_HOME: &str = "Home";
/// The sheet.
pub const BAR_SHEET: &str = "Sheet";
/// A chart, tried.
pub const BAR_TRY: &str = "Throw";
/// The odds lab.
pub const BAR_LAB: &str = "Odds";
/// The pack desk.
pub const BAR_PACK_EDITOR: &str = "Packs";
/// A table.
pub const TABLE: &str = "Table";
/// A fight.
pub const FIGHT: &str = "Fight";
/// A deck.
pub const DECK: &str = "Deck";
/// No network.
pub const OFFLINE: &str = "offline";
/// What that means.
pub const OFFLINE_MEANS: &str = "The place that this page came from cannot be reached. Sheets, odds and your own tables work without it.";
/// Closes the notice.
pub const DISMISS: &str = "Close this notice";
/// A newer page.
pub const NEWER: &str = "A newer Adjutant is ready. Your tables and your place stay as they are.";
/// Takes it.
pub const TAKE_NEWER: &str = "Take it";
/// The engine failed.
pub const BROKEN: &str =
    "Something in Adjutant broke. Nothing that was thrown is lost: every line was kept before it was shown. Load the page again to go on.";
/// Loads the page again.
pub const RELOAD: &str = "Load the page again";
/// What the engine said.
pub const BROKEN_DETAILS: &str = "What broke, for a report";
/// No script.
pub const NO_SCRIPT: &str = "Adjutant runs in your browser and needs JavaScript and WebAssembly to do so.";
/// The switch for dark and light: as the device says.
pub const THEME_AUTO: &str = "Dark or light as the device says";
/// The switch to dark.
pub const THEME_DARK: &str = "Dark";
/// The switch to light.
pub const THEME_LIGHT: &str = "Light";
/// Copied.
pub const COPIED: &str = "Copied.";
/// Not copied.
pub const NOT_COPIED: &str = "The browser did not let the page copy. Select the text and copy it by hand.";

/// The title of the window.
pub fn title(screen: &str) -> String {
    if screen.is_empty() { NAME.to_owned() } else { format!("{screen} – {NAME}") }
}

/// That nothing can be kept, and why, in the browser's own word.
pub fn cannot_keep(why: &str) -> String {
    match why {
        "QuotaExceededError" => "The browser's storage is full: nothing new is kept. Export your tables as files, or make room.".to_owned(),
        "SecurityError" | "InvalidStateError" | "NotSupportedError" => {
            "This browser keeps nothing for this page (a private window, or storage is turned off). Export a table as a file before you close it.".to_owned()
        }
        why => format!("The browser could not keep it ({why}). Export your tables as files to be safe."),
    }
}
