//! What can go wrong, as sentences: what happened, where, and what to do. Every fault but [`StoreError::Unsure`] means that nothing was
//! written. No fault names a password: places are shown by `StoreLocation`, which leaves it out.

use crate::TableId;
use crate::problem::{LocationProblem, NoStore, NotAStore, ReadOnlyCause, TextKind, TextProblem};
use std::path::PathBuf;
use thiserror::Error;

/// Why the store did not do what was asked.
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
    /// Somebody else wrote first, or the writer claims to know events that are not there.
    #[error("Table {id} has moved on to event {last}. Nothing was written; read what is new and try again.")]
    MovedOn {
        /// The table.
        id: TableId,
        /// The number of its last event now.
        last: u64,
    },
    /// There is no such table here.
    #[error("There is no table {id} in {place}. Look at the list of tables.")]
    NoTable {
        /// The id asked for.
        id: TableId,
        /// Where it was looked for.
        place: String,
    },
    /// A new table was given the id of an old one.
    #[error("There is a table {id} in {place} already. Nothing was written; take a new id.")]
    Taken {
        /// The id.
        id: TableId,
        /// Where it is taken.
        place: String,
    },
    /// The text is not an id.
    #[error("“{text}” is not the id of a table: an id is 16 letters and digits, such as 4k7m2x9qhv3t8rzc.")]
    BadId {
        /// What was given, shortened.
        text: String,
    },
    /// A line or name that cannot be kept.
    #[error("{what} cannot be kept: {why}. Nothing was written.")]
    BadText {
        /// Which text.
        what: TextKind,
        /// What is wrong with it, and what is accepted.
        why: TextProblem,
    },
    /// The place of the store cannot be understood.
    #[error("“{text}” is not a place for tables: {why}.")]
    BadLocation {
        /// What was given, without secrets.
        text: String,
        /// What is wrong with it, and what is accepted.
        why: LocationProblem,
    },
    /// The folder of the file is not there.
    #[error("The folder {folder} is not there, so {place} cannot be opened. Make the folder, or choose another file.", folder = folder.display())]
    NoFolder {
        /// The file asked for.
        place: String,
        /// The missing folder.
        folder: PathBuf,
    },
    /// There is nothing to read at this place.
    #[error("There are no tables at {place}: {why}.")]
    Nothing {
        /// The place.
        place: String,
        /// What is missing.
        why: NoStore,
    },
    /// Something is there, and it is not ours.
    #[error("{place} is not a store of tables: {what}. It was left as it is; choose another place.")]
    NotOurs {
        /// The place.
        place: String,
        /// What it is.
        what: NotAStore,
    },
    /// Written by a newer Adjutant.
    #[error(
        "{place} was written by a newer Adjutant (form {found}; this one knows forms up to {known}). It was left as it is; use the newer program."
    )]
    Newer {
        /// The place.
        place: String,
        /// The form found.
        found: u64,
        /// The newest form known here.
        known: u64,
    },
    /// Written by an older Adjutant and opened for reading only.
    #[error("{place} has an older form ({found}; this Adjutant reads {known}). Open it once for writing, and it is brought up to date.")]
    Older {
        /// The place.
        place: String,
        /// The form found.
        found: u64,
        /// The form read here.
        known: u64,
    },
    /// Parts cannot be read.
    #[error(
        "{place} is damaged ({detail}). It was left as it is: keep a copy, save what can be read table by table, and go on from a backup."
    )]
    Damaged {
        /// The place.
        place: String,
        /// What the database says.
        detail: String,
    },
    /// Events are missing in a log.
    #[error(
        "The log of table {id} in {place} has a hole: event {missing} of {last} is not there. {readable}.",
        missing = intact.saturating_add(1),
        readable = readable(*intact)
    )]
    Hole {
        /// The table.
        id: TableId,
        /// The place.
        place: String,
        /// The last event before the hole.
        intact: u64,
        /// The number of the last event the table should have.
        last: u64,
    },
    /// A line is not the one that was written. The store does not look into lines: whoever knows how they are chained finds this.
    #[error("The log of table {id} in {place} was altered: {why}. {written}.", written = written(*intact))]
    Altered {
        /// The table.
        id: TableId,
        /// The place.
        place: String,
        /// The last event before the altered one.
        intact: u64,
        /// Which line, and how that shows.
        why: String,
    },
    /// It may be read and not written.
    #[error("{place} cannot be written: {why}. Nothing was changed; make it writable, or open it for reading only.")]
    ReadOnly {
        /// The place.
        place: String,
        /// The reason.
        why: ReadOnlyCause,
    },
    /// No room left.
    #[error("There is no room left where {place} is kept. Nothing was written; make room and try again.")]
    Full {
        /// The place.
        place: String,
    },
    /// Another program holds the file too long.
    #[error("{place} is in use by another program that does not let go. Nothing was written; try again.")]
    Busy {
        /// The place.
        place: String,
    },
    /// The database does not answer.
    #[error("The database {place} does not answer ({detail}). Nothing was written; start it or mend the address, then try again.")]
    Away {
        /// The place.
        place: String,
        /// What the client says.
        detail: String,
    },
    /// The database went away, or the disk failed, at the very moment of writing.
    #[error(
        "{place} failed while table {id} was being written after event {after} ({detail}). Whether it was kept is not known: read the table again before going on."
    )]
    Unsure {
        /// The place.
        place: String,
        /// The table.
        id: TableId,
        /// The last event before what was being written.
        after: u64,
        /// What the database says.
        detail: String,
    },
    /// The database refuses the login or a right.
    #[error("The database {place} refuses: {detail}. Nothing was written; mend the user, the password or the rights.")]
    Refused {
        /// The place.
        place: String,
        /// What the database says.
        detail: String,
    },
    /// The system gives no random numbers for an id.
    #[error("The system gives no random numbers ({detail}), so no id can be made that nobody could guess.")]
    NoEntropy {
        /// What the system says.
        detail: String,
    },
    /// Anything else the database says.
    #[error("{place} cannot be used: {detail}. Nothing was written.")]
    Other {
        /// The place.
        place: String,
        /// What the database says.
        detail: String,
    },
}

/// Which events before an altered one are sound.
fn written(intact: u64) -> String {
    match intact {
        0 => "Nothing stands before it".to_owned(),
        1 => "Event 1 is as it was written".to_owned(),
        last => format!("Events 1 to {last} are as they were written"),
    }
}

/// Which events before a hole can be read.
fn readable(intact: u64) -> String {
    match intact {
        0 => "Nothing stands before it".to_owned(),
        1 => "Event 1 can be read".to_owned(),
        last => format!("Events 1 to {last} can be read"),
    }
}
