//! The labels and sentences of the page itself: one file for each screen; what several share is
//! here. The texts of a sheet are in its pack.
#![allow(missing_docs, reason = "the texts explain themselves")]

pub mod chart;
pub mod deck;
pub mod fight;
pub mod home;
pub mod lab;
pub mod pack_editor;
pub mod packs;
pub mod parts;
pub mod paste_sheet;
pub mod sheet;
pub mod table;
pub mod together;

pub const NAME: &str = "Adjutant";
pub const ABOUT: &str =
    "See the odds before you roll. Get each result explained and applied to the right unit.";
pub const BACK: &str = "Back";
pub const SKIP: &str = "Skip to content";
pub const BAR: &str = "Main";
pub const BAR_HOME: &str = "Home";
pub const BAR_SHEET: &str = "Sheet";
pub const BAR_TRY: &str = "Roll";
pub const BAR_LAB: &str = "Odds";
pub const BAR_PACK_EDITOR: &str = "Packs";
pub const TABLE: &str = "Game";
pub const FIGHT: &str = "Fight";
pub const DECK: &str = "Deck";
pub const OFFLINE: &str = "offline";
pub const OFFLINE_MEANS: &str =
    "The server cannot be reached. Sheets, odds and games on this device still work.";
pub const DISMISS: &str = "Close";
pub const NEWER: &str = "A new version is ready. Your games stay as they are.";
pub const TAKE_NEWER: &str = "Update";
pub const BROKEN: &str = "Something went wrong. No roll is lost: every event was saved before it was shown. Reload the page to continue.";
pub const RELOAD: &str = "Reload the page";
/// While the workshop (the lab, fights, the pack editor, battle reports) is fetched.
pub const LOADING: &str = "Loading …";
/// The workshop cannot be fetched.
pub const NOT_LOADED: &str =
    "This part of the page could not be loaded. Check the connection, then try again.";
pub const BROKEN_DETAILS: &str = "Error details";
pub const NO_SCRIPT: &str = "Adjutant runs in your browser and needs JavaScript and WebAssembly.";
pub const THEME_AUTO: &str = "Follow the device's dark or light mode";
pub const THEME_DARK: &str = "Dark";
pub const THEME_LIGHT: &str = "Light";
pub const COPIED: &str = "Copied.";
pub const NOT_COPIED: &str =
    "The browser did not allow copying. Select the text and copy it yourself.";

/// The window title.
pub fn title(screen: &str) -> String {
    if screen.is_empty() { NAME.to_owned() } else { format!("{screen} – {NAME}") }
}

/// Nothing can be saved, with the browser's reason.
pub fn cannot_keep(why: &str) -> String {
    format!("{} Export your games to keep them.", no_room(why))
}

/// Why the browser saves nothing, and what the player can do about it.
fn no_room(why: &str) -> String {
    match why {
        "QuotaExceededError" => "The browser's storage is full, so nothing new is saved. Delete games and packs that you no longer need, or free space on the device.".to_owned(),
        "SecurityError" | "InvalidStateError" | "NotSupportedError" => {
            "This browser saves nothing for this page (private window, or storage is turned off)."
                .to_owned()
        }
        _ => "The browser could not save.".to_owned(),
    }
}
