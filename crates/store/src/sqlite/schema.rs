//! The schema of the file and its migrations. A file carries its schema version (`user_version`)
//! and our `application_id`. Migrations are only ever added; all missing ones run in one
//! transaction.

use super::errors::fault;
use crate::{NotAStore, StoreError};
use rusqlite::{Connection, TransactionBehavior};

/// "Adjt". It lets `file` and this program recognise our files.
pub(crate) const APPLICATION_ID: i64 = 0x4164_6A74;

/// The migrations. Version 1 has tables and events; version 2 adds texts beside the logs,
/// version 3 receipts of requests, version 4 keeps these by player.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE tables (
        key      INTEGER PRIMARY KEY,
        id       TEXT    NOT NULL UNIQUE,
        name     TEXT    NOT NULL,
        pack     TEXT    NOT NULL,
        created  INTEGER NOT NULL,
        changed  INTEGER NOT NULL,
        last     INTEGER NOT NULL CHECK (last >= 0),
        archived INTEGER NOT NULL CHECK (archived IN (0, 1))
    ) STRICT;
    CREATE TABLE events (
        game   INTEGER NOT NULL REFERENCES tables (key),
        number INTEGER NOT NULL CHECK (number > 0),
        text   TEXT    NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE texts (
        game    INTEGER NOT NULL,
        name    TEXT    NOT NULL,
        version INTEGER NOT NULL CHECK (version > 0),
        text    TEXT    NOT NULL,
        PRIMARY KEY (game, name)
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE receipts (
        game        INTEGER NOT NULL REFERENCES tables (key),
        key         TEXT    NOT NULL,
        number      INTEGER NOT NULL,
        at          INTEGER NOT NULL,
        fingerprint TEXT    NOT NULL,
        answer      TEXT    NOT NULL,
        PRIMARY KEY (game, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_by_number ON receipts (game, number);
",
    // What a player's receipts take is the end of the last minus the start of the first.
    "
    DROP TABLE receipts;
    CREATE TABLE receipts (
        game        INTEGER NOT NULL REFERENCES tables (key),
        player      TEXT    NOT NULL,
        key         TEXT    NOT NULL,
        at          INTEGER NOT NULL,
        starts      INTEGER NOT NULL,
        ends        INTEGER NOT NULL,
        fingerprint TEXT    NOT NULL,
        answer      TEXT    NOT NULL,
        PRIMARY KEY (game, player, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_by_size ON receipts (game, player, ends);
    CREATE INDEX receipts_by_age ON receipts (game, at);
",
];

/// The schema version of one of our files, 0 for an empty one. A foreign or newer file is an error.
pub(crate) fn schema_version(
    connection: &Connection,
    place: &str,
    steps: &[&str],
) -> Result<u64, StoreError> {
    // One snapshot, even while another process migrates the file.
    let _moment = connection
        .is_autocommit()
        .then(|| connection.unchecked_transaction())
        .transpose()
        .map_err(|e| fault(place, &e))?;
    let number = |sql: &str| {
        connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(|e| fault(place, &e))
    };
    let (application_id, version) =
        (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    if application_id != APPLICATION_ID {
        let empty = number("SELECT count(*) FROM sqlite_schema")? == 0
            && application_id == 0
            && version == 0;
        return if empty {
            Ok(0)
        } else {
            Err(StoreError::NotOurs { place: place.to_owned(), what: NotAStore::OtherSqlite })
        };
    }
    let newest = u64::try_from(steps.len()).unwrap_or_default();
    let damaged = |detail: String| Err(StoreError::Damaged { place: place.to_owned(), detail });
    match u64::try_from(version) {
        Ok(version) if version > newest => {
            Err(StoreError::Newer { place: place.to_owned(), version, newest })
        }
        // Our header without our tables: the first page was overwritten behind its header.
        Ok(_)
            if number("SELECT count(*) FROM sqlite_schema WHERE name IN ('tables', 'events')")?
                != 2 =>
        {
            damaged("it has our mark and not our tables".to_owned())
        }
        Ok(version) => Ok(version),
        Err(_) => damaged(format!("its form has the number {version}")),
    }
}

/// Migrates the file to the newest version.
pub(crate) fn migrate(
    connection: &mut Connection,
    place: &str,
    steps: &[&str],
) -> Result<(), StoreError> {
    let done = usize::try_from(schema_version(connection, place, steps)?).unwrap_or(usize::MAX);
    if done == steps.len() {
        return Ok(());
    }
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(|e| fault(place, &e))?;
    // Another process may have migrated it meanwhile.
    let done = usize::try_from(schema_version(&transaction, place, steps)?).unwrap_or(usize::MAX);
    for step in steps.iter().skip(done) {
        transaction.execute_batch(step).map_err(|e| fault(place, &e))?;
    }
    transaction
        .pragma_update(None, "application_id", APPLICATION_ID)
        .map_err(|e| fault(place, &e))?;
    transaction
        .pragma_update(None, "user_version", steps.len() as i64)
        .map_err(|e| fault(place, &e))?;
    transaction.commit().map_err(|e| fault(place, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_in_order_once_and_all_or_nothing() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate(&mut file, "here", MIGRATIONS).unwrap();
        file.execute_batch("INSERT INTO tables VALUES (1, 'a', 'n', 'p', 0, 0, 0, 0)").unwrap();
        let next = [
            MIGRATIONS[0],
            MIGRATIONS[1],
            MIGRATIONS[2],
            MIGRATIONS[3],
            "ALTER TABLE tables ADD COLUMN motto TEXT NOT NULL DEFAULT 'none'",
            "UPDATE tables SET motto = 'ad arma'",
        ];
        let broken =
            [next[0], next[1], next[2], next[3], next[4], "UPDATE tables SET motto = nonsense"];
        assert!(migrate(&mut file, "here", &broken).is_err());
        assert_eq!(schema_version(&file, "here", MIGRATIONS).unwrap(), 4);
        migrate(&mut file, "here", &next).unwrap();
        migrate(&mut file, "here", &next).unwrap();
        let motto: String =
            file.query_row("SELECT motto FROM tables", [], |row| row.get(0)).unwrap();
        assert_eq!((motto.as_str(), schema_version(&file, "here", &next).unwrap()), ("ad arma", 6));
        assert_eq!(
            schema_version(&file, "here", MIGRATIONS),
            Err(StoreError::Newer { place: "here".into(), version: 6, newest: 4 })
        );
    }
}
