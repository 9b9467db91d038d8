//! Texts of the home screen.

use adjutant_pack::Pack;

pub const HEAD: &str = "Your wargame's quick-reference sheet, automated";
pub const TRY: &str = "Try it";
pub const SAMPLE: &str = "Play a sample game";
pub const SAMPLE_NAME: &str = "Sample game";
pub const GAMES: &str = "Sheets";
pub const MY_TABLES: &str = "My games";
pub const WHOLE_SHEET: &str = "The whole sheet";
pub const BEGIN: &str = "New game";
pub const BEGIN_HINT: &str =
    "Units with statuses, pending tests, turns and a log of every roll. Play alone or with others.";
pub const BEGIN_BUTTON: &str = "Start";
pub const GAME: &str = "Game";
pub const TABLE_NAME: &str = "Name of the game";
pub const YOUR_NAME: &str = "Your name";
pub const PLAYER: &str = "Player";
pub const SIDES_LABEL: &str = "Sides, separated by commas";
pub const SIDES: [&str; 2] = ["Allies", "Axis"];
pub const WHERE: &str = "Saved";
pub const HERE: &str = "On this device";
pub const SHARED: &str = "Shared, by invitation";
pub const NO_SERVER_HERE: &str =
    "To play together, open the page from a running server (adjutant serve).";
pub const OFFLINE_HERE: &str = "You are offline. To share a game, start it when you are online.";
pub const PASTE: &str = "Paste a sheet";
pub const PASTE_HINT: &str =
    "The text of another game's sheet becomes charts that you can roll on.";
pub const IMPORT: &str = "Import a game or a pack";
pub const IMPORT_HINT: &str = "An exported game (.jsonl), of which every roll is verified, or a pack (.adjutant). You can also drop the file anywhere on this screen.";
pub const CHOOSE_FILE: &str = "Choose a file";
pub const FORGOTTEN: &str = "Deleted from this device.";
pub const FORGET: &str = "Delete from this device";
pub const KEEP: &str = "Keep it";
pub const NO_SERVER: &str =
    "The server does not answer. Start the game on this device, or try again.";
pub const SERVER_REFUSED: &str = "The server did not start the game.";
pub const NOWHERE: &str = "Page not found";
pub const HELP: &str = "Help and settings";
pub const HELP_STEPS: &[&str] = &[
    "Start a game. In the game, tap one of your units: you see what it can do in this phase.",
    "Tap its target. The odds appear. Set the modifiers that apply.",
    "Roll, or enter your own dice. The result is put on the units. Why? shows every step of it.",
    "Undo takes back the last event. In a shared game the other side is asked first.",
    "Without a game: open a sheet and try any chart.",
];
pub const SETTINGS: &str = "Settings";
pub const MOTION: &str = "Dice roll and cards turn on the screen";
pub const SOUND: &str = "Sound with a roll";
pub const VIBRATION: &str = "Vibrate with a roll";
pub const KEYS: &str = "Keys";
/// Keys, separated by spaces, and what they do.
pub const KEY_LIST: &[(&str, &str)] = &[
    ("t", "Press the large button: roll, or next phase"),
    ("o", "Roll with my own dice or cards"),
    ("a", "Roll the same again"),
    ("l", "Roll all pending tests"),
    ("1 – 9", "Enter the face of a die"),
    ("y n", "Answer yes or no"),
    ("u Ctrl+Z", "Undo"),
    ("r Ctrl+Y", "Redo"),
    ("Esc", "Close the chart or the unit"),
    ("/", "Search the sheet"),
    ("?", "This page"),
];

/// Where a game is saved.
pub fn where_kept(shared: bool) -> &'static str {
    if shared { "shared" } else { "on this device" }
}

/// The label of the button that deletes a game.
pub fn forget(name: &str) -> String {
    format!("Delete {name} from this device")
}

/// The question before a game is deleted.
pub fn forget_doubt(shared: bool) -> &'static str {
    match shared {
        true => "The game stays on the server. To return to it you need an invitation link.",
        false => "The game is saved only on this device. Export it first if you want to keep it.",
    }
}

/// What a sheet contains, in one line.
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
        count(pack.user_tables().len(), "table to fill in", "tables to fill in"),
        count(pack.user_decks().count(), "deck to supply", "decks to supply"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

pub fn no_pack(id: &str) -> String {
    format!("There is no sheet “{id}” on this device. Add it in the pack editor first.")
}

pub fn unsound(id: &str) -> String {
    format!("The sheet “{id}” has errors and cannot be used.")
}

/// What a file may be that is neither a game nor a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFile {
    /// A file of a pack's folder.
    PackFile,
    /// A ZIP archive.
    Archive,
    /// The text of a sheet.
    Sheet,
    Unknown,
}

impl OtherFile {
    /// Guesses by the file's name and its text.
    pub fn of(name: &str, text: &str) -> OtherFile {
        let name = name.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if text.starts_with("PK\u{3}\u{4}") {
            OtherFile::Archive
        } else if ends(&[".toml", "readme.md"]) {
            OtherFile::PackFile
        } else if ends(&[".txt", ".md", ".html", ".htm", ".csv", ".tsv"]) && !text.is_empty() {
            OtherFile::Sheet
        } else {
            OtherFile::Unknown
        }
    }
}

/// A file that is neither a game nor a pack, and what to do with it.
pub fn not_a_log(file: &str, what: OtherFile) -> String {
    let help = match what {
        OtherFile::PackFile => " Open the files of a pack in the pack editor.",
        OtherFile::Archive => " Unpack it, then: adjutant pack bundle FOLDER.",
        OtherFile::Sheet => " For a sheet choose “Paste a sheet”.",
        OtherFile::Unknown => "",
    };
    format!("{file} is neither an exported game (JSON Lines) nor a pack (.adjutant).{help}")
}

pub fn too_large(file: &str) -> String {
    format!("{file} is too large: at most 32 MB are imported.")
}

pub fn bad_log(file: &str, why: &str) -> String {
    format!("{file} was not imported. {why}.")
}

pub fn nowhere(address: &str) -> String {
    format!("There is no page “{address}”. The link may be incomplete.")
}

/// Whose move it was when this device saw the game last.
pub fn last_seen(whose: &str) -> String {
    format!("{whose} when last seen")
}

/// The side that has a test to roll.
pub fn to_roll(side: &str) -> String {
    format!("{side} to roll")
}

/// How long ago a game was played. Both times are as in a log: `2026-11-16T04:07:27Z`.
///
/// ```
/// use adjutant_wording::en::page::home::last_played;
/// let now = "2026-11-16T12:00:00Z";
/// assert_eq!(last_played("2026-11-16T10:00:00Z", now), "2 h ago");
/// assert_eq!(last_played("2026-11-14T10:00:00Z", now), "2 days ago");
/// ```
pub fn last_played(at: &str, now: &str) -> String {
    let date = || at.get(..10).unwrap_or(at).to_owned();
    let seconds = |text: &str| {
        let time = humantime::parse_rfc3339(text).ok()?;
        time.duration_since(std::time::UNIX_EPOCH).ok().map(|since| since.as_secs())
    };
    let (Some(at), Some(now)) = (seconds(at), seconds(now)) else { return date() };
    let minutes = now.saturating_sub(at) / 60;
    let (hours, days) = (minutes / 60, minutes / (60 * 24));
    match (minutes, hours, days) {
        (0, ..) => "just now".to_owned(),
        (1..60, ..) => format!("{minutes} min ago"),
        (_, 1..24, _) => format!("{hours} h ago"),
        (_, _, 1) => "yesterday".to_owned(),
        (_, _, 2..30) => format!("{days} days ago"),
        _ => date(),
    }
}

pub const YOUR_MOVE: &str = "Your move";
pub const ANY_MOVE: &str = "Any side may act";
pub const ANSWER: &str = "Your answer is needed";
pub const OVER: &str = "Over";

pub const NO_TABLES_YET: &str = "Your games will be here. Start with the sample game.";
