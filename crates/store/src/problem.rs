//! The causes inside a [`StoreError`](crate::StoreError), as data. Each `Display` is the middle
//! part of the error's sentence.

use std::path::PathBuf;
use thiserror::Error;

/// Which text was given to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextKind {
    #[error("The name of the table")]
    TableName,
    #[error("The name of the pack")]
    PackName,
    /// The event with this number.
    #[error("Event {0}")]
    Event(u64),
    /// The name of a text beside the log.
    #[error("The name of the text")]
    TextName,
    /// A text beside the log.
    #[error("The text")]
    Text,
}

/// Why a text cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextProblem {
    #[error("it is empty")]
    Empty,
    #[error("it has {bytes} bytes, and {limit} are accepted")]
    TooLong { bytes: usize, limit: usize },
    /// The text contains a line break or NUL.
    #[error("it must be a single line without line breaks and NUL")]
    NotOneLine,
}

/// Why a text is not the location of a store.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocationProblem {
    /// Neither a path nor the address of a PostgreSQL database.
    #[error("give the path of a file, or postgres://user@host/database")]
    NotALocation,
    #[error("the address names no host")]
    NoHost,
    #[error(
        "the address cannot be read; it is postgres://user:password@host:port/database, with special characters of the password as %40"
    )]
    BadAddress,
    #[error("sslmode is disable, require or verify-full, and sslrootcert belongs to verify-full")]
    BadTls,
    /// The file of `sslrootcert`.
    #[error("the certificates in {} cannot be used ({detail})", file.display())]
    Certificates { file: PathBuf, detail: String },
    /// A parent of the path is a file.
    #[error("{} is a file, not a folder", .0.display())]
    ParentIsFile(PathBuf),
}

/// Why there is no store to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoStore {
    #[error("there is no such file")]
    NoFile,
    #[error("the file is empty")]
    EmptyFile,
    #[error("the database has no schema “adjutant” with tables")]
    NoSchema,
}

/// The thing at the location that is no store.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotAStore {
    #[error("it is a folder; give a file in it")]
    Folder,
    /// A device, socket or pipe.
    #[error("it is not a plain file")]
    SpecialFile,
    #[error("it does not begin as an SQLite file does")]
    NotSqlite,
    #[error("it is an SQLite file of another program")]
    OtherSqlite,
    #[error("the database keeps texts as {0}; it must be UTF8")]
    Encoding(String),
    #[error("its schema “adjutant” holds another program's tables")]
    OtherSchema,
    #[error("its table adjutant.form does not hold one number")]
    NoSchemaVersion,
}

/// Why a store cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadOnlyCause {
    #[error("it was opened for reading only")]
    OpenedToRead,
    #[error("the file may only be read")]
    ReadOnlyFile,
    /// The operating system denies access; SQLite's message.
    #[error("the system does not let its file or folder be written ({0})")]
    Denied(String),
    /// Reading the write-ahead log at this path needs a writable folder.
    #[error("its newest events are in {} and can be read only where a folder can be written; copy both files", .0.display())]
    WalNeedsFolder(PathBuf),
    #[error("its folder {} cannot be made ({error})", folder.display())]
    NoFolder { folder: PathBuf, error: String },
    #[error("{0}")]
    Database(String),
}
