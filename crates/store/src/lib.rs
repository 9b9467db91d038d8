//! Stores tables: games in progress, each with a name, a pack and an append-only log of numbered
//! lines.
//!
//! The store knows no rules and does not read lines. It keeps them in order, numbers them from 1
//! without gaps, and acknowledges an append only when it is durable. There are two backends with
//! the same behaviour behind the trait [`Store`]: an SQLite file for one machine, and a PostgreSQL
//! database for several servers.
//!
//! Optimistic concurrency: an append carries the number of the last event that the writer knows. If
//! another writer was faster, the result is [`StoreError::MovedOn`] and nothing is written:
//!
//! ```
//! use adjutant_store::{NewTable, StoreLocation, StoreError, TableId, open};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let store = open(&StoreLocation::default_in(folder.path())).unwrap();
//! let id = TableId::new().unwrap();
//! store.create(&NewTable { id, name: "Friday", pack: "panzer8", lines: &[r#"{"opened":true}"#] }).unwrap();
//!
//! assert_eq!(store.append(&id, 1, &[r#"{"faces":[7,3]}"#]).unwrap(), 2);
//! assert!(matches!(store.append(&id, 1, &["late"]), Err(StoreError::MovedOn { last: 2, .. })));
//! assert_eq!(store.read(&id, 1).unwrap()[0].text, r#"{"faces":[7,3]}"#);
//! ```
//!
//! All calls block until the disk or the database has answered. In an asynchronous program call
//! them on a blocking thread (tokio's `spawn_blocking`): the PostgreSQL client panics on a thread
//! that drives a tokio runtime.

#![allow(
    missing_docs,
    reason = "types and functions are documented; fields and variants only where the name does not say it"
)]

mod check;
mod error;
mod group_commit;
mod id;
mod location;
mod postgres;
mod problem;
mod sqlite;
mod store;
mod validate;
mod watch;

pub use check::{StoreCheck, TableCheck};
pub use error::StoreError;
pub use id::TableId;
pub use location::{StoreLocation, open, open_to_read};
pub use problem::{LocationProblem, NoStore, NotAStore, ReadOnlyCause, TextKind, TextProblem};
pub use store::{
    Append, Guard, NewTable, RECEIPT_LIFETIME, RECEIPT_OVERHEAD, Receipt, Receipts, Salvage, Store,
    StoredLine, StoredReceipt, Summary, VersionedText,
};
pub use watch::{Notice, Watch};

/// The longest line in bytes: the size limit of a file in a pack.
pub const LONGEST_LINE: usize = 1 << 20;

/// The longest text that belongs to no table, in bytes.
pub const LONGEST_SHARED_TEXT: usize = 4 << 20;

/// The longest name of a table or pack in bytes.
pub const LONGEST_NAME: usize = 400;
