//! What the screen of a table says.

pub use super::together::*;
use adjutant_game::ConsentFor;

macro_rules! say {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => { $($(#[$doc])* pub const $name: &str = $text;)+ };
}

say! {
    /// The parts of the screen.
    TAB_PLAY = "Play";
    /// The units.
    TAB_ROSTER = "Roster";
    /// The log.
    TAB_LOG = "Log";
    /// The rest.
    TAB_MORE = "More";
    /// The table is being read.
    OPENING = "The table is being opened …";
    /// No such table.
    NO_TABLE = "No such table";
    /// What that means.
    NO_TABLE_MEANS = "There is no table of this address on this device. It may be kept on another, or its link is cut off. An exported log can be taken in at home.";
    /// Lines of a table that cannot be opened.
    BROKEN_LINES = "Nothing of it is lost: its lines are below, as they were kept.";
    /// No lines.
    NOT_BEGUN = "its first line is missing";
    /// Not kept.
    NOT_KEPT = "The line was not kept. Load the page again; nothing that was kept is lost.";
    /// Another window acted.
    OTHER_WINDOW = "Another window acted first: look again. What you had filled in is still there, and dice that were thrown stay thrown.";
    /// Attacks declared together.
    TOGETHER = "Attacks declared together";
    /// They landed.
    LANDED = "They take effect";
    /// After an undo.
    UNDONE = "Taken back";
    /// After a redo.
    REDONE = "Counts again";
    /// The game begins.
    BEGINS = "The game begins";
    /// A unit that is no longer there after an undo.
    TAKEN_BACK = "was never there";
    /// A unit that left is there again.
    BACK_AGAIN = "is back";
    /// A value nobody has said.
    UNKNOWN = "unknown";
    /// Who says so.
    FROM_TEST = "the test that is due";
    /// Counted.
    FROM_ROSTER = "the roster, counted";
    /// A test without a reason.
    NO_REASON = "does not apply";
    /// A throw has begun.
    THROW_FIRST = "a throw has begun: finish it first";
    /// A player allows what a status rules out.
    ALLOW = "Allow it";
    /// It is allowed.
    ALLOWED = "Allowed although a status rules it out. The log shows it.";
    /// A unit taken off without a word.
    TAKEN_OFF = "taken off";
    /// A change of nothing.
    NOTHING_CHANGED = "Nothing was changed.";
    /// Verified.
    SEALED = "sealed · verified";
    /// Effects wait.
    HELD = "It takes effect with the other attacks declared together.";
    /// They wait.
    HELD_NOW = "Attacks declared together wait: throw the rest of them, then let them take effect.";
    /// Under the result.
    ARITHMETIC = "How it came about";
    /// What is to be done now.
    NOW = "Now";
    /// Nothing is due.
    NOTHING_DUE = "Nothing is due";
    /// Puts the chart aside.
    CLOSE = "Put this chart aside";
    /// Nothing is due, beside the button that goes on.
    OR_GO_ON = "Nothing is due. Play a chart, or go on.";
    /// The side of those who appear.
    APPEAR_ON = "Those who appear";
    /// Nobody says.
    AS_THE_SHEET = "as the sheet has it";
    /// The pending tests.
    DUE = "Due";
    /// Before anything else.
    AT_ONCE = "at once";
    /// The reason.
    WHY_STRIKE = "Why it is not thrown";
    /// Strikes a test out.
    STRIKE = "Strike out";
    /// Not so.
    NOT = "Leave it";
    /// A question is open.
    ANSWER_ABOVE = "Answer above to go on.";
    /// Attacks land.
    LAND = "Let them take effect";
    /// The battle report.
    REPORT = "Battle report";
    /// The same, as text.
    REPORT_TEXT = "Battle report as text (Markdown)";
    /// Plays on.
    PLAY_ON = "Play on";
    /// To the roster.
    ADD_UNITS = "Add units";
    /// The game begins.
    START = "Begin the game";
    /// A side that nobody plays.
    RUN_BY_SHEET = "Nobody plays this side: the sheet says what it does.";
    /// The same, short.
    SHEET_RUNS = "run by the sheet";
    /// A kind of unit.
    KIND = "Kind";
    /// A unit's name.
    UNIT_NAME = "Name";
    /// A unit's group.
    GROUP = "Group";
    /// How many.
    HOW_MANY = "How many";
    /// Adds by hand.
    ADD_BY_HAND = "Add by hand";
    /// A roster from elsewhere.
    IMPORT = "Take in a roster";
    /// How it looks.
    IMPORT_HINT = "CSV with the columns template or kind, name, side, group, statuses, notes, count and any attribute; or TOML with a [[unit]] for each.";
    /// A file.
    CHOOSE_FILE = "Choose a file";
    /// Typed or pasted.
    PASTE = "Or paste it here";
    /// Takes it in.
    TAKE_IN = "Take in";
    /// Changes a unit.
    CHANGE_UNIT = "Change";
    /// Takes a unit off.
    TAKE_OFF = "Take off the table";
    /// The reason.
    WHY_OFF = "With what word";
    /// Other parts in charts.
    OTHER_ROLES = "In another part";
    /// Statuses.
    STATUSES = "Statuses";
    /// A side.
    SIDE = "Side";
    /// A unit.
    UNIT = "Unit";
    /// A remark.
    NOTES = "Remark";
    /// Saves.
    SAVE = "Save";
    /// A remark in the log.
    NOTE = "A remark for the log";
    /// Notes it.
    NOTE_IT = "Note";
    /// No entry fits.
    NO_ENTRY = "No entry fits.";
    /// Takes back.
    UNDO = "Undo";
    /// Brings back.
    REDO = "Redo";
    /// Consents.
    CONSENT = "I consent";
    /// After a refusal.
    CONSENT_AFTER_ALL = "I consent after all";
    /// Does not.
    NO_CONSENT = "I do not";
    /// The filters.
    FILTER = "Find in the log";
    /// They are on.
    FILTERED = "filtered";
    /// By text.
    FILTER_TEXT = "Text";
    /// By kind.
    FILTER_KIND = "Kind of entry";
    /// Off.
    FILTER_OFF = "Show all";
    /// No filter.
    ALL = "all";
    /// What was undone.
    UNDONE_TAG = "undone";
    /// A link.
    ENTRY_LINK = "Copy a link to this entry";
    /// A spectator.
    LOOKING_ON = "You look on: only players and umpires act.";
    /// Takes a while.
    WORKING = "Working it out … long games take a few seconds.";
    /// Done.
    WEIGHED = "The throws are weighed.";
    /// Renamed.
    RENAMED = "The table has another name on this device.";
    /// No name.
    NAME_MISSING = "the table's name is missing";
    /// The next turn.
    NEXT_TURN = "Next turn";
    /// The phase now.
    HERE_NOW = "now";
    /// What the table remembers.
    MEMORY = "What the table remembers";
    /// Decks.
    DECKS = "Decks";
    /// By hand.
    DECK_BY_HAND = "Cards by hand";
    /// All cards back.
    RESHUFFLE = "Reshuffle";
    /// Cards out.
    TAKE_OUT = "Numbers of cards to take out";
    /// Does it.
    TAKE_OUT_DO = "Take out";
    /// Cards back.
    PUT_BACK = "Numbers of cards to put back";
    /// Does it.
    PUT_BACK_DO = "Put back";
    /// An umpire.
    UMPIRE = "Umpire";
    /// A spectator.
    SPECTATOR = "Spectator";
    /// Who plays.
    PEOPLE = "Players";
    /// Nobody has a seat.
    NOBODY_SEATED = "Nobody has taken a seat: whoever holds this device acts for all, and may take back anything.";
    /// Yourself.
    YOU = "you";
    /// Takes a seat.
    SEAT = "Take a seat";
    /// As what.
    AS = "As";
    /// Sits down.
    SIT = "Sit down";
    /// Statistics.
    LUCK = "Luck, expected against actual";
    /// What that is.
    LUCK_HINT = "Every throw is weighed by the exact odds that it had.";
    /// Weighs.
    WEIGH = "Weigh the throws";
    /// Files.
    FILES = "Take it with you";
    /// What for.
    FILES_HINT = "The log holds everything: take it in on another device, or have it checked by adjutant verify.";
    /// The log.
    LOG_FILE = "Log (JSON Lines)";
    /// The throws.
    THROWS_FILE = "Throws (CSV)";
    /// Options.
    OPTIONS = "Options";
    /// The table itself.
    THIS_TABLE = "This table";
    /// Renames.
    RENAME = "Rename";
    /// What that does.
    RENAME_HINT = "The name on this device; the log keeps the one it began with.";
    /// No throws.
    NO_THROWS = "Nothing has been thrown yet.";
    /// No side.
    NO_SIDE = "No side";
    /// Dice.
    LUCK_DICE = "Dice";
    /// How many.
    LUCK_COUNT = "Thrown";
    /// Expected.
    EXPECTED = "Expected";
    /// Actual.
    ACTUAL = "Came";
    /// A result.
    LUCK_RESULT = "Result";
    /// A way to begin.
    WAY = "How it begins";
    /// By hand.
    BY_HAND = "An empty table";
    /// What that is.
    BY_HAND_MEANS = "Name the sides and add your units.";
    /// Whose decks.
    WHOSE_DECKS = "Decks";
    /// One for all.
    DECKS_SHARED = "One for all";
    /// Each its own.
    DECKS_OWN = "Each side its own";
}

/// The kinds of entries.
pub const KINDS: &[(&str, &str)] = &[
    ("", ALL),
    ("throw", "throws"),
    ("turn", "turn"),
    ("roster", "roster"),
    ("note", "remarks"),
    ("back", "taken back"),
    ("table", "table"),
];

/// A text that ends like a sentence and begins like one.
pub fn sentence(text: &str) -> String {
    let text = adjutant_pack::capital(text.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

/// A table whose lines do not fit.
pub fn broken(why: &str) -> String {
    format!("This table cannot be opened: {why}.")
}

/// So many lines.
pub fn lines(n: usize) -> String {
    format!("{n} lines")
}

/// A turn.
pub fn turn(n: u32) -> String {
    format!("Turn {n}")
}

/// An event by its number.
pub fn event(n: u64) -> String {
    format!("event {n}")
}

/// Above an undo.
pub fn undone_title(n: u64) -> String {
    format!("Event {n}")
}

/// Above a redo.
pub fn redone_title(n: u64) -> String {
    undone_title(n)
}

/// A status is put on.
pub fn now(status: &str) -> String {
    format!("now: {status}")
}

/// A status is lifted.
pub fn no_longer(status: &str) -> String {
    format!("no longer {status}")
}

/// An attribute changes.
pub fn becomes(label: &str, was: &str, is: &str) -> String {
    format!("{label} {was} → {is}")
}

/// A unit leaves.
pub fn left(word: &str) -> String {
    format!("leaves ({word})")
}

/// A unit changes its group.
pub fn group(group: &str) -> String {
    if group.is_empty() { "stands alone".to_owned() } else { format!("joins {group}") }
}

/// A unit comes.
pub fn appears(side: &str) -> String {
    format!("appears ({side})")
}

/// A throw has begun, with dice, cards or both.
pub fn underway(dice: bool, cards: bool) -> &'static str {
    match (dice, cards) {
        (false, true) => "A card has been drawn for this: it cannot be changed until it is finished.",
        (true, true) => "Dice have been thrown and cards drawn for this: it cannot be changed until it is finished.",
        _ => "Dice have been thrown for this: it cannot be changed until it is finished.",
    }
}

/// A unit that is named once more.
pub fn nth_time(name: &str, before: usize) -> String {
    if before == 0 { name.to_owned() } else { format!("{name}, once more ({})", before + 1) }
}

/// What must be said first.
pub fn say_first(what: &str) -> String {
    format!("Say first: {what}.")
}

/// The other charts of the sheet.
pub fn other_charts(all: bool) -> &'static str {
    if all { "The charts of the sheet" } else { "Other charts of the sheet" }
}

/// A role that waits.
pub fn choose(several: bool) -> &'static str {
    if several { "tap one or more" } else { "tap one" }
}

/// The same, at the button.
pub fn choose_role(role: &str) -> String {
    format!("{role}: tap who it is.")
}

/// Somebody not on the roster.
pub fn stranger(waits: bool) -> &'static str {
    if waits { "Somebody not on the roster" } else { "Not on the roster: say his values" }
}

/// One more die for a unit.
pub fn once_more(name: &str) -> String {
    format!("{name} once more")
}

/// Strikes a test out.
pub fn strike(title: &str) -> String {
    format!("Strike out: {title}")
}

/// So many units.
pub fn units(n: usize) -> String {
    if n == 1 { "1 unit".to_owned() } else { format!("{n} units") }
}

/// The button that goes on.
pub fn next_phase(turn: Option<u32>, phase: Option<&str>) -> String {
    match (turn, phase) {
        (Some(turn), Some(phase)) => format!("Turn {turn}: {phase}"),
        (None, Some(phase)) => format!("Next: {phase}"),
        (Some(turn), None) => format!("Turn {turn}"),
        (None, None) => NEXT_TURN.to_owned(),
    }
}

/// What a phase brings.
pub fn brings(lifted: &[String], due: usize) -> String {
    let due = match due {
        0 => None,
        1 => Some("1 test falls due".to_owned()),
        n => Some(format!("{n} tests fall due")),
    };
    let ends = match lifted {
        [] => None,
        [one] => Some(one.clone()),
        more => Some(format!("{} statuses end", more.len())),
    };
    ends.into_iter().chain(due).collect::<Vec<_>>().join(" · ")
}

/// Those who left.
pub fn gone(n: usize) -> String {
    format!("Left the game: {n}")
}

/// Faults that are not shown.
pub fn more_faults(n: usize) -> String {
    format!("and {n} more faults")
}

/// The unit takes a part.
pub fn take_as(role: &str) -> String {
    format!("Take as {}", role.to_lowercase())
}

/// In which part.
pub fn as_role(role: &str) -> String {
    format!("as {}", role.replace(['_', '-'], " "))
}

/// What a unit can throw.
pub fn throw_with(name: &str) -> String {
    format!("Throw with {name}")
}

/// Takes it off.
pub fn take_off(name: &str) -> String {
    format!("Take {name} off")
}

/// Nothing said.
pub fn unsaid(default: &str) -> String {
    if default.is_empty() { UNKNOWN.to_owned() } else { format!("as the sheet has it ({default})") }
}

/// Older entries.
pub fn older(n: usize) -> String {
    format!("Older entries ({n})")
}

/// Undo or redo, free or with consent.
pub fn back(word: &str, free: bool) -> String {
    if free { word.to_owned() } else { format!("Ask to {}", word.to_lowercase()) }
}

/// Consent is asked for.
pub fn asks(by: &str, want: ConsentFor, event: u64) -> String {
    match want {
        ConsentFor::Undo => format!("{by} asks to undo event {event}"),
        ConsentFor::Redo => format!("{by} asks to redo event {event}"),
        ConsentFor::Withdraw => format!("{by} asks to take back the call of event {event}"),
        ConsentFor::Release => format!("{by} asks to let somebody out of the sealed circle"),
    }
}

/// A request for consent that ended.
pub fn lapsed(by: &str, want: ConsentFor, event: u64) -> String {
    let what = match want {
        ConsentFor::Undo => format!("undo event {event}"),
        ConsentFor::Redo => format!("redo event {event}"),
        ConsentFor::Withdraw => format!("take back the call of event {event}"),
        ConsentFor::Release => "let a player out of the sealed circle".to_owned(),
    };
    format!("The request of {by} to {what} has lapsed: the game went on.")
}

/// Consent was given or refused.
pub fn consents(sides: &str, yes: bool) -> String {
    if yes { format!("Consent: {sides}") } else { format!("No consent: {sides}") }
}

/// When.
pub fn at(time: &str) -> String {
    time.replace('T', " ").replace('Z', " UTC")
}

/// Who acts.
pub fn acts_as(name: &str) -> String {
    format!("{name} acts")
}

/// Acts under this name.
pub fn act_as(name: &str) -> String {
    format!("Act as {name}")
}

/// The sheet.
pub fn the_sheet(title: &str) -> String {
    format!("The sheet of {title}")
}

/// Cards left.
pub fn left_of(left: u32, size: u32) -> String {
    format!("{left} of {size} cards left")
}

/// When a verdict is given.
pub fn luck_rule(enough: u32, one_in: u32) -> String {
    format!(
        "A verdict needs at least {enough} throws and a chance of at most 1 in {one_in}, after correction for the number of counts looked at."
    )
}

/// So many throws.
pub fn throws(n: u32) -> String {
    if n == 1 { "1 throw".to_owned() } else { format!("{n} throws") }
}

/// An expectation, or its bounds.
pub fn about(least: f64, most: f64) -> String {
    if (most - least).abs() < 0.005 { format!("{least:.2}") } else { format!("{least:.2}–{most:.2}") }
}

/// Throws that were not weighed.
pub fn not_weighed(n: u32, why: &str) -> String {
    format!("{} not weighed: {why}.", throws(n))
}

/// A side before it has a name.
pub fn side_n(n: usize) -> String {
    format!("Side {n}")
}
