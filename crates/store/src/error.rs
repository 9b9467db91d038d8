//! Errors of the store. The `#[error]` lines are the user's sentences: what happened, where, and
//! what to do. Every error except [`StoreError::Unsure`] means that nothing was written. No error
//! contains a password: `StoreLocation` leaves it out.

use crate::TableId;
use crate::problem::{LocationProblem, NoStore, NotAStore, ReadOnlyCause, TextKind, TextProblem};
use std::path::PathBuf;
use thiserror::Error;

/// Why the store could not do what was asked.
///
/// ```
/// use adjutant_store::{StoreError, TableId};
///
/// let id = TableId::parse("0123456789abcdef").unwrap();
/// let fault = StoreError::MovedOn { id, last: 7 };
/// assert_eq!(fault.to_string(), "Table 0123456789abcdef has moved on to event 7. Nothing was written; read what is new and try again.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Optimistic concurrency: another writer was faster, or the caller claims to know events that
    /// do not exist.
    #[error(
        "Table {id} has moved on to event {last}. Nothing was written; read what is new and try again."
    )]
    MovedOn {
        id: TableId,
        /// The number of the table's last event now.
        last: u64,
    },
    /// Another writer changed the text that an append depends on.
    #[error(
        "What the event depends on (“{name}” of table {id}) was changed. Nothing was written; read it and try again."
    )]
    TextChanged { id: TableId, name: String },
    #[error("There is no table {id} in {place}. Look at the list of tables.")]
    NoTable { id: TableId, place: String },
    /// A new table has the id of an existing one.
    #[error("There is a table {id} in {place} already. Nothing was written; take a new id.")]
    Taken { id: TableId, place: String },
    /// The text is not a table id.
    #[error(
        "“{text}” is not the id of a table: an id is 16 letters and digits, such as 4k7m2x9qhv3t8rzc."
    )]
    BadId {
        /// The text given, shortened.
        text: String,
    },
    /// A line or name that cannot be stored.
    #[error("{what} cannot be kept: {why}. Nothing was written.")]
    BadText { what: TextKind, why: TextProblem },
    /// The text is not a location.
    #[error("“{text}” is not a place for tables: {why}.")]
    BadLocation {
        /// The text given, without secrets.
        text: String,
        why: LocationProblem,
    },
    /// The folder of the file does not exist.
    #[error("The folder {folder} is not there, so {place} cannot be opened. Make the folder, or choose another file.", folder = folder.display())]
    NoFolder { place: String, folder: PathBuf },
    /// There is no store to read.
    #[error("There are no games at {place}: {why}.")]
    Nothing { place: String, why: NoStore },
    /// The location holds something that is not a store.
    #[error("{place} is not a store of games: {what}. It was left as it is; choose another place.")]
    NotOurs { place: String, what: NotAStore },
    /// The schema is newer than this program.
    #[error(
        "{place} was written by a newer Adjutant (form {version}; this one knows forms up to {newest}). It was left as it is; use the newer program."
    )]
    Newer {
        place: String,
        /// The version of its schema.
        version: u64,
        /// The newest schema version this program knows.
        newest: u64,
    },
    /// The schema is older, and the store was opened for reading only.
    #[error(
        "{place} has an older form ({version}; this Adjutant reads {newest}). Open it once for writing, and it is brought up to date."
    )]
    Older {
        place: String,
        /// The version of its schema.
        version: u64,
        /// The newest version that this program reads.
        newest: u64,
    },
    /// Parts of the store cannot be read.
    #[error(
        "{place} is damaged ({detail}). It was left as it is: keep a copy, save what can be read table by table, and go on from a backup."
    )]
    Damaged { place: String, detail: String },
    /// Events are missing in a log.
    #[error(
        "The log of table {id} in {place} has a hole: event {missing} of {last} is not there. {readable}.",
        missing = intact.saturating_add(1),
        readable = readable(*intact)
    )]
    Hole {
        id: TableId,
        place: String,
        /// The last event before the hole.
        intact: u64,
        /// The number of the last event that the table should have.
        last: u64,
    },
    /// A line is not the one that was written. The store does not read lines, so it never returns
    /// this: the caller that verifies the hash chain does.
    #[error("The log of table {id} in {place} was altered: {why}. {written}.", written = written(*intact))]
    Altered {
        id: TableId,
        place: String,
        /// The last event before the altered one.
        intact: u64,
        /// Which line, and how that shows.
        why: String,
    },
    /// The store can be read but not written.
    #[error(
        "{place} cannot be written: {why}. Nothing was changed; make it writable, or open it for reading only."
    )]
    ReadOnly { place: String, why: ReadOnlyCause },
    /// The disk is full.
    #[error(
        "There is no room left where {place} is kept. Nothing was written; make room and try again."
    )]
    Full { place: String },
    /// Another program holds the lock for too long.
    #[error(
        "{place} is in use by another program that does not let go. Nothing was written; try again."
    )]
    Busy { place: String },
    /// The database cannot be reached.
    #[error(
        "The database {place} does not answer ({detail}). Nothing was written; start it or mend the address, then try again."
    )]
    Away { place: String, detail: String },
    /// The connection or the disk failed during a write, so the outcome is unknown.
    #[error(
        "{place} failed while table {id} was being written after event {after} ({detail}). Whether it was kept is not known: read the table again before going on."
    )]
    Unsure {
        place: String,
        id: TableId,
        /// The last event before the write.
        after: u64,
        detail: String,
    },
    /// The database rejects the login or a permission.
    #[error(
        "The database {place} refuses: {detail}. Nothing was written; mend the user, the password or the rights."
    )]
    Refused { place: String, detail: String },
    /// The system provides no random numbers for an id.
    #[error("The system gives no random numbers ({detail}), so no unguessable id can be made.")]
    NoEntropy { detail: String },
    /// Any other error of the database.
    #[error("{place} cannot be used: {detail}. Nothing was written.")]
    Other { place: String, detail: String },
}

/// Says which events before an altered one are as written.
fn written(intact: u64) -> String {
    match intact {
        0 => "Nothing stands before it".to_owned(),
        1 => "Event 1 is as it was written".to_owned(),
        last => format!("Events 1 to {last} are as they were written"),
    }
}

/// Says which events before a hole can be read.
fn readable(intact: u64) -> String {
    match intact {
        0 => "Nothing stands before it".to_owned(),
        1 => "Event 1 can be read".to_owned(),
        last => format!("Events 1 to {last} can be read"),
    }
}
