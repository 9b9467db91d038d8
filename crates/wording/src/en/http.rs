//! What the server says when it does not do what was asked. Nothing here quotes a key, a token, or
//! anything about a game that the caller is not in.

#![allow(missing_docs, reason = "the sentence says what the name means")]

use super::diagnostic::{Sentence, bundle};
use adjutant_pack::BundleError;

pub const NO_BODY: &str = "a body of JSON is needed";
pub const BODY_BROKE_OFF: &str = "the request ended too early";
pub const AFTER: &str = "after must be the number of an event";
pub const IDEMPOTENCY_KEY: &str = "the header Idempotency-Key must be one text of 1 to 200 letters, digits and signs (at least 16 to start or import a game)";
pub const KEY_REUSED: &str = "this Idempotency-Key belongs to another request: nothing was done. Use a new key for each new request";
pub const WHO: &str = "`who` must be a name";
pub const NOT_UTF8: &str = "a log is UTF-8 text, one JSON object a line";
pub const ONE_ACT: &str = "`do` names exactly one thing, such as {\"note\":{\"text\":…}}";
pub const WANT: &str = "`want` must be \"undo\", \"redo\", \"withdraw\" or \"release\"";
pub const YES: &str = "`yes` must be true or false";
pub const MARK_AFTER: &str =
    "an event with a mark needs `after`, the number of the event that the mark covers last";
pub const TEMPLATE: &str = "`template` must be a text";
pub const NOTHING_TO_ROLL: &str = "give `play` for a new roll, or `ticket` to continue one";
pub const BACK_WITHOUT_TICKET: &str = "`back` needs the `ticket` of a pending roll";
pub const NOT_INVITED: &str =
    "this game is open to invited players only: join it with an invitation link first";
pub const NOT_OWNER: &str =
    "only the owner of this server does this: show the key that it printed at its start";
pub const NOT_MANAGER: &str = "only an umpire or the player who started the game can do this";
pub const INVITATION_VOID: &str = "this invitation is not valid, or no longer: ask for a new one";
pub const OTHER_SITE: &str = "this request comes from another site";
pub const NO_ADDRESS: &str = "there is no such address: /api/openapi.json lists them";
pub const NO_GAME: &str = "there is no such game";
pub const NO_BUNDLE: &str = "there is no pack with this checksum here";
pub const OTHER_RULES: &str = "the pack that comes with the log has other rules than the game was started with: nothing was imported";
pub const WRONG_METHOD: &str = "this address does not take this method: see /api/openapi.json";
pub const TIMED_OUT: &str = "this took too long";
pub const TIMED_OUT_WRITING: &str =
    "this took too long: it is not known whether it was done. Reload the game before you continue";
pub const NO_PENDING_ROLL: &str =
    "no roll is pending under this ticket: it was finished, or it starts again";
pub const KEYS_IN_USE: &str =
    "another player changed the invitations at the same moment: try again";
pub const ROLL_PENDING: &str =
    "your last roll waits for an answer: finish it first, because a rolled die stays rolled";
pub const BODY_TOO_LONG: &str = "the request is too long";
pub const MANY_HOSTS: &str = "a request names its server once, in one Host header";
pub const OTHER_NAME: &str =
    "this server is not known by that name: use its address, or start it with --origin";
pub const NOTHING_TO_TAKE_BACK: &str =
    "you have entered nothing to take back: dice and cards of the server stay";
pub const TOO_MUCH_WORK: &str = "this takes too long here, and nothing was done: ask for less, or use the command on your own machine";
pub const NAME: &str =
    "a name has one to sixty characters on one line, none of them hidden, without blanks around it";
pub const FIRST_LINE: &str = "the first line of a log must start the game";
pub const MANY_REQUESTS: &str = "too many requests: wait a moment";
pub const MANY_ODDS: &str = "too many odds requests: wait a moment";
pub const WORKERS_BUSY: &str = "the server is busy with other odds: try again in a moment";
pub const MANY_STREAMS: &str = "there are too many streams: close one that is not used";
pub const MANY_GAMES: &str = "you have started many games: wait a while before the next";
pub const MANY_RECEIPTS: &str = "you have sent too many requests with an Idempotency-Key in this game within a day: nothing was done. Send the request without a key, or wait";
pub const OUTCOME_UNKNOWN: &str = "it is not known whether this was saved: the server or its store failed in the middle. Reload the game before you continue";
pub const UNAVAILABLE: &str =
    "the server cannot do this at the moment: nothing was done. Try again in a while";
pub const STORE_FULL: &str = "unwell: no disk space left for games";
pub const STORE_AWAY: &str = "unwell: the database does not answer";
pub const STORE_UNWELL: &str = "unwell: games cannot be read and saved";

/// A reason of the JSON reader.
pub fn bad_json(why: &str) -> String {
    format!("the JSON cannot be read: {why}")
}

pub fn bad_act(why: &str) -> String {
    format!("this cannot be done in a game: {why}")
}

pub fn bad_call(why: &str) -> String {
    format!("this cannot be called: {why}")
}

pub fn bad_log_line(why: &str) -> String {
    format!("not a line of a log: {why}")
}

pub fn spectator(name: &str) -> String {
    format!("{name} is a spectator and cannot act")
}

pub fn sealed_seat(name: &str) -> String {
    format!(
        "{name} has sealed in this game: only the device that sealed can take this seat. Enter under another name. If that device is lost, the other \
         players release {name} first"
    )
}

pub fn moved_on(last: u64) -> String {
    format!("another player acted first: nothing was changed. The game is now at event {last}")
}

pub fn game_full(most: usize) -> String {
    format!(
        "{most} players have joined this game, which is the limit: ask the umpire to reset the invitations"
    )
}

pub fn name_taken(name: &str) -> String {
    format!("a player in this game is already called {name}: choose another name")
}

pub fn names_look_alike(name: &str, known: &str) -> String {
    format!("the name {name} looks like {known}, who is in this game: choose another name")
}

pub fn unplayable(why: &str) -> String {
    format!("the game cannot be opened here: {why}")
}

pub fn no_pack_here(pack: &str) -> String {
    format!("this server does not have the pack `{pack}`")
}

pub fn bad_bundle(error: &BundleError) -> String {
    let Sentence { message, help } = bundle(error);
    format!("the pack that was sent cannot be used: {message}: {help}")
}

pub fn other_pack(wanted: &str, found: &str) -> String {
    format!("the pack that was sent is `{found}`, and `{wanted}` is to be played")
}

pub fn log_too_long(most: usize) -> String {
    format!("a log may have at most {most} bytes")
}

pub fn many_files(most: usize) -> String {
    format!("a pack may hold at most {most} files")
}

pub fn not_yet(wanted: u64, last: u64) -> String {
    format!("event {wanted} is not stored yet: the last is {last}. Try again in a while")
}
