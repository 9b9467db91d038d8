//! Opening a file without damaging it. The file is inspected before SQLite touches it: SQLite takes
//! an empty file for a new database, checkpoints the write-ahead log when it closes, and deletes a
//! log whose file is empty.

use super::errors::fault;
use super::permissions;
use super::schema::{MIGRATIONS, migrate, schema_version};
use crate::{LocationProblem, NoStore, NotAStore, ReadOnlyCause, StoreError, TableId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that a writer waits for another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// An SQLite file starts with these bytes, and its header has 100.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_LENGTH: u64 = 100;

/// A file that passed the checks. It can open more readers.
pub(crate) struct DatabaseFile {
    pub(crate) place: String,
    path: PathBuf,
    /// The file is opened as immutable: its folder is not writable, or full.
    immutable: bool,
    /// Nothing is written, so a truncated file may be read as far as it goes.
    read_only: bool,
}

impl DatabaseFile {
    /// Opens the file for writing. Creates and migrates it as needed.
    pub(crate) fn to_write(
        path: &Path,
        make_folder: bool,
    ) -> Result<(DatabaseFile, Connection), StoreError> {
        let file = DatabaseFile {
            place: path.display().to_string(),
            path: path.to_owned(),
            immutable: false,
            read_only: false,
        };
        if !file.inspect()? {
            file.prepare_folder(make_folder)?;
            permissions::make_file(path);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut writer = Connection::open_with_flags(path, flags).map_err(|e| file.fault(&e))?;
        // Until the file is known to be ours, closing it must not checkpoint its log.
        writer
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map_err(|e| file.fault(&e))?;
        file.configure(&writer)?;
        schema_version(&writer, &file.place, MIGRATIONS)?;
        if writer.is_readonly("main").map_err(|e| file.fault(&e))? {
            return Err(StoreError::ReadOnly {
                place: file.place,
                why: ReadOnlyCause::ReadOnlyFile,
            });
        }
        file.configure_writer(&writer)?;
        migrate(&mut writer, &file.place, MIGRATIONS)?;
        writer
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
            .map_err(|e| file.fault(&e))?;
        file.restrict(make_folder);
        Ok((file, writer))
    }

    /// Opens the file for reading only, as it is.
    pub(crate) fn to_read(path: &Path) -> Result<DatabaseFile, StoreError> {
        let mut file = DatabaseFile {
            place: path.display().to_string(),
            path: path.to_owned(),
            immutable: false,
            read_only: true,
        };
        if !file.inspect()? {
            return Err(StoreError::Nothing { place: file.place, why: NoStore::NoFile });
        }
        let tried =
            file.reader().and_then(|reader| schema_version(&reader, &file.place, MIGRATIONS));
        let version = match tried {
            // The folder is not writable, or has no room for the shared-memory file of SQLite. The
            // log is empty, so everything is in the one file.
            Err(StoreError::ReadOnly { .. } | StoreError::Full { .. })
                if file.wal_length() == 0 =>
            {
                file.immutable = true;
                schema_version(&file.reader()?, &file.place, MIGRATIONS)?
            }
            Err(StoreError::ReadOnly { .. }) => {
                let why = ReadOnlyCause::WalNeedsFolder(file.sibling("-wal"));
                return Err(StoreError::ReadOnly { place: file.place, why });
            }
            other => other?,
        };
        let newest = MIGRATIONS.len() as u64;
        match version {
            0 => Err(StoreError::Nothing { place: file.place, why: NoStore::EmptyFile }),
            older if older < newest => {
                Err(StoreError::Older { place: file.place, version, newest })
            }
            _ => Ok(file),
        }
    }

    pub(crate) fn reader(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = if self.immutable {
            let uri = format!("file:{}?immutable=1", as_uri(&self.path));
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        } else {
            Connection::open_with_flags(&self.path, flags)
        };
        let reader = reader.map_err(|e| self.fault(&e))?;
        self.configure(&reader)?;
        if self.read_only {
            // SQLite refuses to read any page of a truncated file, except in this mode.
            reader
                .set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)
                .map_err(|e| self.fault(&e))?;
        }
        Ok(reader)
    }

    pub(crate) fn fault(&self, error: &rusqlite::Error) -> StoreError {
        fault(&self.place, error)
    }

    /// A read-only store scans the tables, because the index of ids may be damaged.
    pub(crate) fn if_indexed<'a>(&self, by_index: &'a str, walking: &'a str) -> &'a str {
        if self.read_only { walking } else { by_index }
    }

    /// The table's key in the file and the number of its last event.
    pub(crate) fn find(
        &self,
        connection: &Connection,
        id: &TableId,
    ) -> Result<(i64, u64), StoreError> {
        let sql = self.if_indexed(
            "SELECT key, last FROM tables WHERE id = ?1",
            "SELECT key, last FROM tables NOT INDEXED WHERE id = ?1",
        );
        let mut find = connection.prepare_cached(sql).map_err(|e| self.fault(&e))?;
        let key_and_last = find
            .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .map_err(|e| self.fault(&e))?;
        key_and_last.ok_or_else(|| StoreError::NoTable { id: *id, place: self.place.clone() })
    }

    /// Inspects the file. False if it does not exist or is empty; an error if it is not an SQLite
    /// file.
    fn inspect(&self) -> Result<bool, StoreError> {
        let other = |detail: String| StoreError::Other { place: self.place.clone(), detail };
        let metadata = match fs::metadata(&self.path) {
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(other(format!("the system says: {error}"))),
            Ok(metadata) => metadata,
        };
        let not_ours = |what| StoreError::NotOurs { place: self.place.clone(), what };
        if metadata.is_dir() {
            return Err(not_ours(NotAStore::Folder));
        }
        if !metadata.is_file() {
            return Err(not_ours(NotAStore::SpecialFile));
        }
        let damaged = |detail: &str| StoreError::Damaged {
            place: self.place.clone(),
            detail: detail.to_owned(),
        };
        if metadata.len() == 0 {
            let lost = "the file is empty, and the log beside it is not";
            return if self.wal_length() > 0 { Err(damaged(lost)) } else { Ok(false) };
        }
        let mut magic = Vec::new();
        let file =
            File::open(&self.path).map_err(|error| other(format!("it cannot be read: {error}")))?;
        file.take(MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(|error| other(format!("it cannot be read: {error}")))?;
        if magic != MAGIC {
            return Err(not_ours(NotAStore::NotSqlite));
        }
        if metadata.len() < HEADER_LENGTH {
            Err(damaged("it ends within its first page"))
        } else {
            Ok(true)
        }
    }

    /// Checks or creates the folder of a file that does not exist yet.
    fn prepare_folder(&self, make: bool) -> Result<(), StoreError> {
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => return Ok(()),
        };
        if folder.is_dir() {
            return Ok(());
        }
        if let Some(file) = folder.ancestors().find(|above| above.is_file()) {
            let why = LocationProblem::ParentIsFile(file.to_owned());
            return Err(StoreError::BadLocation { text: self.place.clone(), why });
        }
        if !make {
            return Err(StoreError::NoFolder {
                place: self.place.clone(),
                folder: folder.to_owned(),
            });
        }
        permissions::make_folder(folder).map_err(|error| StoreError::ReadOnly {
            place: self.place.clone(),
            why: ReadOnlyCause::NoFolder { folder: folder.to_owned(), error: error.to_string() },
        })
    }

    /// Removes the permissions of other users: a store holds the keys of its tables. Changes the
    /// folder only if it is our own.
    fn restrict(&self, own_folder: bool) {
        // SQLite keeps its other files beside the file itself, not beside a symlink to it.
        let Ok(path) = fs::canonicalize(&self.path) else { return };
        let real = DatabaseFile { path, place: String::new(), immutable: false, read_only: false };
        permissions::restrict(&real.path);
        ["-wal", "-shm"].iter().for_each(|ending| permissions::restrict(&real.sibling(ending)));
        if let Some(folder) = self.path.parent().filter(|_| own_folder) {
            permissions::restrict(folder);
        }
    }

    fn sibling(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(ending);
        PathBuf::from(name)
    }

    fn wal_length(&self) -> u64 {
        fs::metadata(self.sibling("-wal")).map_or(0, |metadata| metadata.len())
    }

    /// Settings of every connection: wait for locks, distrust the schema of the file, and report
    /// damage instead of reading on.
    fn configure(&self, connection: &Connection) -> Result<(), StoreError> {
        connection.busy_timeout(BUSY_TIMEOUT).map_err(|e| self.fault(&e))?;
        let pragmas =
            "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;";
        connection.execute_batch(pragmas).map_err(|e| self.fault(&e))
    }

    /// Settings of the writer: a commit is durable before it returns, and readers continue
    /// meanwhile.
    fn configure_writer(&self, writer: &Connection) -> Result<(), StoreError> {
        let set =
            || writer.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        let mut mode = set();
        // Two processes may create the file at the same moment. SQLite does not wait here by
        // itself.
        for _ in 0..100 {
            match &mode {
                Err(e)
                    if matches!(
                        e.sqlite_error_code(),
                        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
                    ) =>
                {
                    std::thread::sleep(Duration::from_millis(20));
                    mode = set();
                }
                _ => break,
            }
        }
        let mode = mode.map_err(|e| self.fault(&e))?;
        if !mode.eq_ignore_ascii_case("wal") {
            let detail =
                "its file system does not carry SQLite's write-ahead log; keep it on a local disk"
                    .to_owned();
            return Err(StoreError::Other { place: self.place.clone(), detail });
        }
        // fullfsync matters on macOS only, where fsync alone does not reach the disk.
        let pragmas = "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;";
        writer.execute_batch(pragmas).map_err(|e| self.fault(&e))
    }
}

/// The path as part of a URI, with special characters percent-encoded.
fn as_uri(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes
        .iter()
        .map(
            |byte| {
                if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02x}") }
            },
        )
        .collect()
}
