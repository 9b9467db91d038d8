//! Maps SQLite's error codes, and runs its integrity check.

use crate::{ReadOnlyCause, StoreError, TableId};
use rusqlite::{Connection, Error, ErrorCode, ffi};

/// The longest list of integrity problems. A file with more is lost anyway.
const MAX_FINDINGS: usize = 100;

pub(crate) fn fault(place: &str, error: &Error) -> StoreError {
    let place = place.to_owned();
    let detail = error.to_string();
    let extended = error.sqlite_error().map_or(0, |e| e.extended_code);
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full { place },
        // The shared-memory file beside the log could not grow.
        Some(ErrorCode::SystemIoFailure) if extended == ffi::SQLITE_IOERR_SHMSIZE => {
            StoreError::Full { place }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { place },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            StoreError::ReadOnly { place, why: ReadOnlyCause::Denied(detail) }
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Damaged { place, detail }
        }
        Some(ErrorCode::SystemIoFailure)
            if [ffi::SQLITE_IOERR_SHORT_READ, ffi::SQLITE_IOERR_CORRUPTFS].contains(&extended) =>
        {
            StoreError::Damaged { place, detail }
        }
        Some(_) => StoreError::Other { place, detail },
        // Not an error code of SQLite: a value that this program did not write.
        None => StoreError::Damaged { place, detail },
    }
}

/// A commit that fails because of a full disk, a lock or a constraint is rolled back. After any
/// other error it may reappear when the log is recovered after a crash.
pub(crate) fn at_commit(place: &str, error: &Error, id: &TableId, after: u64) -> StoreError {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DiskFull
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::ConstraintViolation,
        ) => fault(place, error),
        _ => StoreError::Unsure {
            place: place.to_owned(),
            id: *id,
            after,
            detail: error.to_string(),
        },
    }
}

/// The problems that SQLite finds in the file.
pub(crate) fn integrity(connection: &Connection) -> Vec<String> {
    let mut problems = Vec::new();
    let mut ask = |sql: String, sound: &str| {
        let answer = connection.prepare(&sql).and_then(|mut ask| {
            let mut rows = ask.query([])?;
            while let Some(row) = rows.next()? {
                let finding = row.get::<_, String>(0)?;
                problems.extend(finding.lines().filter(|line| *line != sound).map(str::to_owned));
            }
            Ok(())
        });
        if let Err(error) = answer {
            problems.push(error.to_string());
        }
    };
    ask(format!("PRAGMA integrity_check({MAX_FINDINGS})"), "ok");
    ask("SELECT 'events of no table' FROM events WHERE game NOT IN (SELECT key FROM tables) LIMIT 1".to_owned(), "");
    ask(
        "SELECT 'events behind the last of table ' || id FROM tables WHERE last < (SELECT max(number) FROM events WHERE game = key)"
            .to_owned(),
        "",
    );
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_a_full_disk_is_full() {
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            let error = Error::SqliteFailure(ffi::Error::new(code), None);
            assert!(matches!(fault("here", &error), StoreError::Full { .. }), "{code}");
        }
    }

    #[test]
    fn a_failed_commit_is_unsure_unless_it_was_rolled_back() {
        let id = TableId::new().unwrap();
        let at =
            |code| at_commit("here", &Error::SqliteFailure(ffi::Error::new(code), None), &id, 7);
        for code in [
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_SHMSIZE,
            ffi::SQLITE_NOMEM,
            ffi::SQLITE_CORRUPT,
        ] {
            assert!(matches!(at(code), StoreError::Unsure { after: 7, .. }), "{code}");
        }
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_BUSY, ffi::SQLITE_CONSTRAINT_FOREIGNKEY] {
            assert!(!matches!(at(code), StoreError::Unsure { .. }), "{code}");
        }
    }
}
