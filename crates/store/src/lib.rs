//! Keeps tables: games in progress, each a name, a pack and a log of numbered lines.
//!
//! The store knows no rules. Whoever plays hands it lines of text; it keeps them in order, numbers them from 1 without gaps, and has them
//! on the disk before it says so. Two places: an SQLite file (one house) and a PostgreSQL database (several servers). Both answer to
//! the one trait [`Store`] and obey the same laws.
//!
//! A writer says which event he saw last. If somebody else was quicker he is told [`StoreError::MovedOn`], and nothing is written:
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
//! All calls block until the disk or the database has answered. In an asynchronous program call them from a thread that may block (tokio's
//! `spawn_blocking`); the PostgreSQL client panics when it is called on a thread that drives a tokio runtime.

#![allow(missing_docs, reason = "types and functions are documented; fields and variants only where the name does not say it")]

mod check;
mod error;
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
pub use store::{NewTable, Salvage, Store, StoredLine, Summary, VersionedText};
pub use watch::{Notice, Watch};

/// The longest line in bytes: as much as a pack's file may hold.
pub const LONGEST_LINE: usize = 1 << 20;

/// The longest name of a table or pack in bytes.
pub const LONGEST_NAME: usize = 400;
