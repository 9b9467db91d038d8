//! Texts of the game screen.

pub use super::together::*;
use crate::en::ruled_out_by;
use adjutant_dice::{Answer, Number};
use adjutant_engine::RuledOutBy;
use adjutant_game::ConsentFor;
use adjutant_pack::capital;

macro_rules! say {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => { $($(#[$doc])* pub const $name: &str = $text;)+ };
}

say! {
    TAB_PLAY = "Play";
    TAB_ROSTER = "Roster";
    TAB_LOG = "Log";
    TAB_MORE = "More";
    BOARD = "Board";
    TAP_UNIT = "Tap a unit to act, then its target. Or choose a chart.";
    TAP_TARGET = "Tap its target on the board, or choose an action.";
    NO_UNITS = "No units yet. Add them on the roster.";
    NO_UNITS_YET = "No units yet. The sheet brings them during play.";
    NO_ACTION = "No chart of this sheet is for this unit.";
    NOT_NOW = "Not in this phase";
    DETAILS = "Statuses, values and notes";
    AGAIN = "Roll again";
    EVERYONE = "Everyone";
    ATTACK_WAITS = "Attack waits";
    HINT_ROLL = "3 of 3: Set the modifiers that apply, then roll.";
    FIND_UNIT = "Find a unit";
    OPENING = "Opening the game …";
    NO_TABLE = "Game not found";
    NO_TABLE_MEANS = "This device has no game with this address. It may be saved on another device, or the link is incomplete. You can import an exported game on the home screen.";
    BROKEN_LINES = "Nothing is lost. Its log is below, as it was saved.";
    NOT_STARTED = "the first line is missing";
    NOT_KEPT = "The last event was not saved. Reload the page; nothing that was saved is lost.";
    OTHER_WINDOW = "Another window acted first. Check the game again. Your inputs are still there, and rolled dice stay rolled.";
    TOGETHER = "Simultaneous attacks";
    LANDED = "Results applied";
    UNDONE = "Undone";
    REDONE = "Redone";
    BEGINS = "The game starts";
    TAKEN_BACK = "removed by undo";
    BACK_AGAIN = "is back";
    UNKNOWN = "unknown";
    FROM_TEST = "the pending test";
    FROM_ROSTER = "counted from the roster";
    NO_REASON = "does not apply";
    ROLL_FIRST = "finish the current roll first";
    ALLOW = "Allow it";
    RULED_OUT = "Ruled out";
    ALLOWED = "Allowed although it is ruled out. The log shows this.";
    TAKEN_OFF = "removed";
    NOTHING_CHANGED = "Nothing changed.";
    SEALED = "sealed · verified";
    HELD = "It is applied together with the other simultaneous attacks.";
    HELD_NOW = "Simultaneous attacks are waiting. Roll the others, then apply the results.";
    ARITHMETIC = "Why?";
    NOW = "Now";
    NOTHING_DUE = "What do you want to do?";
    CLOSE = "Close";
    OR_GO_ON = "No test is pending. Play a chart or continue.";
    APPEAR_ON = "New units join";
    AS_THE_SHEET = "default side";
    DUE = "Pending";
    AT_ONCE = "at once";
    WHY_STRIKE = "Reason";
    STRIKE = "Skip";
    NOT = "Cancel";
    ANSWER_ABOVE = "Answer the question above.";
    LAND = "Apply the results";
    REPORT = "Battle report";
    REPORT_TEXT = "Battle report as text (Markdown)";
    PLAY_ON = "Keep playing";
    ADD_UNITS = "Add units";
    START = "Start the game";
    RUN_BY_SHEET = "No player: the sheet decides what this side does.";
    SHEET_RUNS = "run by the sheet";
    KIND = "Kind";
    UNIT_NAME = "Name";
    GROUP = "Group";
    HOW_MANY = "How many";
    ADD_BY_HAND = "Add by hand";
    IMPORT = "Import an army list";
    IMPORT_HINT = "A unit on each line: how many, its name, and after commas its values by their labels. Or CSV with the columns template or kind, name, side, group, statuses, notes, count and any value of the unit. TOML and JSON are read, too.";
    IMPORT_SIDE = "Units that name no side join";
    LARGE_LIST = "This is too large: an army list has at most 1 MB.";
    CHOOSE_FILE = "Choose a file";
    PASTE = "Or paste the text here";
    TAKE_IN = "Import";
    CHANGE_UNIT = "Edit";
    TAKE_OFF = "Remove from the game";
    WHY_OFF = "Reason";
    OTHER_ROLES = "Use in another role";
    STATUSES = "Statuses";
    SIDE = "Side";
    UNIT = "Unit";
    NOTES = "Notes";
    SAVE = "Save";
    NOTE = "Add a note to the log";
    NOTE_IT = "Add";
    NO_ENTRY = "No matching entries.";
    UNDO = "Undo";
    REDO = "Redo";
    CONSENT = "Allow";
    CONSENT_AFTER_ALL = "Allow after all";
    NO_CONSENT = "Decline";
    FILTER = "Search the log";
    FILTERED = "filtered";
    FILTER_TEXT = "Text";
    FILTER_KIND = "Type";
    FILTER_OFF = "Show all";
    ALL = "all";
    UNDONE_TAG = "undone";
    ENTRY_LINK = "Copy a link to this entry";
    LOOKING_ON = "You are watching. Only players and umpires can act.";
    WORKING = "Working … long games take a few seconds.";
    WEIGHED = "Luck is shown.";
    RENAMED = "Renamed on this device.";
    NAME_MISSING = "the game needs a name";
    NEXT_TURN = "Next turn";
    HERE_NOW = "now";
    MEMORY = "Game memory";
    DECKS = "Decks";
    DECK_BY_HAND = "Move cards by hand";
    HANDS_ARE_A_COURTESY = "Hands are hidden from other players as a courtesy: the log holds every card.";
    RESHUFFLE = "Reshuffle";
    TAKE_OUT = "Numbers of cards to take out";
    TAKE_OUT_DO = "Take out";
    PUT_BACK = "Numbers of cards to put back";
    PUT_BACK_DO = "Put back";
    UMPIRE = "Umpire";
    SPECTATOR = "Spectator";
    PEOPLE = "Players";
    NO_PLAYER_SEATED = "No player has joined yet. Anyone with this device acts for all sides and can undo everything.";
    YOU = "you";
    SEAT = "Join";
    AS = "As";
    SIT = "Join";
    LUCK = "Luck: expected and actual";
    LUCK_HINT = "Compares every roll with its exact odds.";
    WEIGH = "Show luck";
    FILES = "Export";
    FILES_HINT = "The log holds the whole game. Import it on another device, or check it with adjutant verify.";
    LOG_FILE = "Log (JSON Lines)";
    ROLLS_FILE = "Rolls (CSV)";
    OPTIONS = "Options";
    THIS_TABLE = "This game";
    RENAME = "Rename";
    RENAME_HINT = "Changes the name on this device only. The log keeps its first name.";
    NO_ROLLS = "No rolls yet.";
    NO_SIDE = "No side";
    LUCK_DICE = "Dice";
    LUCK_COUNT = "Rolled";
    EXPECTED = "Expected";
    ACTUAL = "Actual";
    LUCK_RESULT = "Result";
    WAY = "Scenario";
    BY_HAND = "Empty game";
    BY_HAND_MEANS = "Name the sides and add your units.";
    WHOSE_DECKS = "Decks";
    DECKS_SHARED = "Shared by all sides";
    DECKS_OWN = "One per side";
}

pub const KINDS: &[(&str, &str)] = &[
    ("", ALL),
    ("roll", "rolls"),
    ("turn", "turn"),
    ("roster", "roster"),
    ("note", "notes"),
    ("back", "undo and redo"),
    ("table", "game"),
];

/// How many units of a side are in action.
pub fn in_action(left: usize, all: usize) -> String {
    if left == all { units(all) } else { format!("{left} of {all} in action") }
}

/// The heading of the charts that a unit can roll.
pub fn what_does(name: &str) -> String {
    format!("{name}: choose an action")
}

/// The first hint of a sample game.
pub fn hint_unit(name: &str) -> String {
    format!("1 of 3: Tap one of your units, such as {name}.")
}

/// The second hint of a sample game.
pub fn hint_target(name: &str) -> String {
    format!("2 of 3: Tap its target, such as {name}.")
}

/// The button that rolls all pending tests.
pub fn roll_all(count: usize) -> String {
    format!("Roll all {count}")
}

/// A pending test, with the units that roll as its subject.
pub fn must(who: &str, chart: &str) -> String {
    if who.is_empty() { chart.to_owned() } else { format!("{who} must roll: {chart}") }
}

/// The name of the button that rolls a pending test.
pub fn roll_due(who: &str, chart: &str) -> String {
    if who.is_empty() { format!("Roll: {chart}") } else { format!("Roll for {who}: {chart}") }
}

/// The chance of a pending test's best result.
pub fn due_chance(percent: &str, result: &str) -> String {
    format!("{percent} {result}")
}

/// Why a unit cannot roll a chart.
pub fn barred(by: &RuledOutBy) -> String {
    match by {
        RuledOutBy::Status { title, .. } => format!("Not while {}", title.to_lowercase()),
        RuledOutBy::Only { .. } => capital(&ruled_out_by(by)),
    }
}

/// The totals of a result and the chance that it had.
pub fn in_numbers(totals: &[Answer], chance: Option<&str>) -> String {
    let totals = match totals {
        [Answer::Number(first), Answer::Number(second)] => {
            let by = first.max(second).minus(*first.min(second)).ok();
            let by = by.filter(|by| *by != Number::ZERO);
            let by = by.map_or(String::new(), |by| format!(", by {by}"));
            Some(format!("{first} v {second}{by}"))
        }
        _ => None,
    };
    let chance = chance.map(|chance| format!("it had a {chance} chance"));
    totals.into_iter().chain(chance).collect::<Vec<_>>().join(" · ")
}

/// Makes a text start and end like a sentence.
pub fn sentence(text: &str) -> String {
    let text = adjutant_pack::capital(text.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

/// The log of the game does not fit.
pub fn broken(why: &str) -> String {
    format!("This game cannot be opened: {why}.")
}

pub fn lines(n: usize) -> String {
    format!("{n} lines")
}

pub fn turn(n: u32) -> String {
    format!("Turn {n}")
}

pub fn event(n: u64) -> String {
    format!("event {n}")
}

/// The heading of an undo.
pub fn undone_title(n: u64) -> String {
    format!("Event {n}")
}

/// The heading of a redo.
pub fn redone_title(n: u64) -> String {
    undone_title(n)
}

/// A status was added.
pub fn now(status: &str) -> String {
    format!("now: {status}")
}

/// A status was removed.
pub fn no_longer(status: &str) -> String {
    format!("no longer {status}")
}

/// An attribute changed.
pub fn becomes(label: &str, was: &str, is: &str) -> String {
    format!("{label} {was} → {is}")
}

/// A unit left.
pub fn left(word: &str) -> String {
    format!("removed ({word})")
}

/// A unit changed its group.
pub fn group(group: &str) -> String {
    if group.is_empty() { "leaves its group".to_owned() } else { format!("joins {group}") }
}

/// A unit joined.
pub fn appears(side: &str) -> String {
    format!("appears ({side})")
}

/// A roll is in progress, with dice, cards or both.
pub fn underway(dice: bool, cards: bool) -> &'static str {
    match (dice, cards) {
        (false, true) => "A card has been drawn. Finish this roll before you change anything.",
        (true, true) => {
            "Dice have been rolled and cards drawn. Finish this roll before you change anything."
        }
        _ => "Dice have been rolled. Finish this roll before you change anything.",
    }
}

/// A unit that is listed more than once.
pub fn nth_time(name: &str, before: usize) -> String {
    if before == 0 { name.to_owned() } else { format!("{name} again ({})", before + 1) }
}

/// The inputs that the player must choose first, or type, if one is a number.
pub fn say_first(what: &str, typed: bool) -> String {
    if typed { format!("Enter: {what}") } else { format!("Choose: {what}") }
}

pub fn other_charts(all: bool) -> &'static str {
    if all { "All charts" } else { "Other charts" }
}

/// A role that needs a unit.
pub fn choose(several: bool) -> &'static str {
    if several { "tap one or more" } else { "tap one" }
}

/// The same, at the button.
pub fn choose_role(role: &str) -> String {
    format!("Which unit is the {role}?")
}

/// The units that take part with the one in a role.
pub fn with_unit(name: &str) -> String {
    format!("With {name}")
}

/// A unit that is not on the roster.
pub fn stranger(waits: bool) -> &'static str {
    if waits { "Someone else" } else { "Someone else: enter stats" }
}

/// One more die for a unit.
pub fn once_more(name: &str) -> String {
    format!("{name} again")
}

pub fn strike(title: &str) -> String {
    format!("Skip: {title}")
}

pub fn units(n: usize) -> String {
    if n == 1 { "1 unit".to_owned() } else { format!("{n} units") }
}

/// The button to the next phase.
pub fn next_phase(turn: Option<u32>, phase: Option<&str>) -> String {
    match (turn, phase) {
        (Some(turn), Some(phase)) => format!("Turn {turn}: {phase}"),
        (None, Some(phase)) => format!("Next: {phase}"),
        (Some(turn), None) => format!("Turn {turn}"),
        (None, None) => NEXT_TURN.to_owned(),
    }
}

/// What the next phase lifts and makes due.
pub fn brings(lifted: &[String], due: usize) -> String {
    let due = match due {
        0 => None,
        1 => Some("1 test becomes due".to_owned()),
        n => Some(format!("{n} tests become due")),
    };
    let ends = match lifted {
        [] => None,
        [one] => Some(one.clone()),
        more => Some(format!("{} statuses end", more.len())),
    };
    ends.into_iter().chain(due).collect::<Vec<_>>().join(" · ")
}

/// The units that left.
pub fn gone(n: usize) -> String {
    format!("Left the game: {n}")
}

pub fn more_faults(n: usize) -> String {
    format!("and {n} more errors")
}

/// Units of a list, where the pack has none.
pub const LIST_EXAMPLE: [&str; 2] = ["Infantry", "Tank"];

pub fn take_as(role: &str) -> String {
    format!("Use as {}", role.to_lowercase())
}

pub fn as_role(role: &str) -> String {
    format!("as {}", role.replace(['_', '-'], " "))
}

/// The charts that a unit can roll.
pub fn roll_with(name: &str) -> String {
    format!("Roll with {name}")
}

pub fn take_off(name: &str) -> String {
    format!("Remove {name}")
}

/// A value that is not set.
pub fn unsaid(default: &str) -> String {
    if default.is_empty() { UNKNOWN.to_owned() } else { format!("default ({default})") }
}

pub fn older(n: usize) -> String {
    format!("Older entries ({n})")
}

/// Undo or redo, free or with consent.
pub fn back(word: &str, free: bool) -> String {
    if free { word.to_owned() } else { format!("Ask to {}", word.to_lowercase()) }
}

/// A request for consent.
pub fn asks(by: &str, want: ConsentFor, event: u64) -> String {
    match want {
        ConsentFor::Undo => format!("{by} asks to undo event {event}"),
        ConsentFor::Redo => format!("{by} asks to redo event {event}"),
        ConsentFor::Withdraw => format!("{by} asks to withdraw the roll called in event {event}"),
        ConsentFor::Release => format!("{by} asks to remove a player from the sealed group"),
    }
}

/// The player's own request for consent.
pub fn you_asked(want: ConsentFor, event: u64) -> String {
    match want {
        ConsentFor::Undo => format!("You asked to undo event {event}"),
        ConsentFor::Redo => format!("You asked to redo event {event}"),
        ConsentFor::Withdraw => format!("You asked to withdraw the roll called in event {event}"),
        ConsentFor::Release => "You asked to remove a player from the sealed group".to_owned(),
    }
}

/// The sides that have not answered yet.
pub fn waiting_for(sides: &str) -> String {
    format!("Waiting for {sides}.")
}

pub const ASKED_TO_UNDO: &str = "You asked to undo this.";

/// A request for consent that lapsed.
pub fn lapsed(by: &str, want: ConsentFor, event: u64) -> String {
    let what = match want {
        ConsentFor::Undo => format!("undo event {event}"),
        ConsentFor::Redo => format!("redo event {event}"),
        ConsentFor::Withdraw => format!("withdraw the roll called in event {event}"),
        ConsentFor::Release => "remove a player from the sealed group".to_owned(),
    };
    format!("{by}'s request to {what} expired because the game went on.")
}

pub fn consents(sides: &str, yes: bool) -> String {
    if yes { format!("Allowed by {sides}") } else { format!("Declined by {sides}") }
}

/// The time of an event.
pub fn at(time: &str) -> String {
    time.replace('T', " ").replace('Z', " UTC")
}

pub fn acts_as(name: &str) -> String {
    format!("{name} is acting")
}

pub fn act_as(name: &str) -> String {
    format!("Act as {name}")
}

pub fn the_sheet(title: &str) -> String {
    format!("{title} sheet")
}

pub fn left_of(left: u32, size: u32) -> String {
    format!("{left} of {size} cards left")
}

/// The heading of a hand of cards.
pub fn hand_of(deck: &str, whose: &str) -> String {
    format!("{deck}, hand of {whose}")
}

/// How many cards a hand has.
pub fn in_hand(count: u32, size: u32) -> String {
    format!("{count} of {size} cards")
}

/// The heading of a pile of cards.
pub fn pile_of(deck: &str, pile: &str, side: &str) -> String {
    let whose = if side.is_empty() { String::new() } else { format!(" of {side}") };
    format!("{deck}{whose}, pile {}", pile.replace('_', " "))
}

/// The rule for a luck verdict.
pub fn luck_rule(enough: u32, one_in: u32) -> String {
    format!(
        "A verdict needs at least {enough} rolls and a probability of at most 1 in {one_in}, corrected for the number of comparisons."
    )
}

pub fn rolls(n: u32) -> String {
    if n == 1 { "1 roll".to_owned() } else { format!("{n} rolls") }
}

/// An expected count, or its bounds.
pub fn about(least: f64, most: f64) -> String {
    if (most - least).abs() < 0.005 {
        format!("{least:.2}")
    } else {
        format!("{least:.2}–{most:.2}")
    }
}

/// Rolls that were not weighed.
pub fn not_weighed(n: u32, why: &str) -> String {
    format!("{} not included: {why}.", rolls(n))
}

/// The default name of a side.
pub fn side_n(n: usize) -> String {
    format!("Side {n}")
}
