//! Versioned texts beside the logs, in the same file and as durable. A write carries the version
//! that the writer saw.

use super::Sqlite;
use super::database_file::DatabaseFile;
use super::group_commit::{WriteFn, Written};
use super::receipts::{OwnedReceipt, store_receipt};
use crate::store::{SHARED, shared_name};
use crate::{Receipt, StoreError, TableId, VersionedText, validate};
use rusqlite::{Connection, OptionalExtension, params};

impl Sqlite {
    pub(crate) fn read_text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError> {
        validate::text_name(name)?;
        self.with_reader(|reader| {
            // One transaction, so that the table and its text are from one snapshot.
            let transaction = reader.transaction().map_err(|e| self.fault(&e))?;
            let (game, _) = self.file.find(&transaction, id)?;
            look_up(&self.file, &transaction, game, name)
        })
    }

    pub(crate) fn write_text(
        &self,
        id: &TableId,
        (name, seen): (&str, u64),
        text: &str,
        receipt: Option<Receipt<'_>>,
    ) -> Result<Option<u64>, StoreError> {
        validate::text(name, text)?;
        validate::receipt(receipt.as_ref())?;
        let (table, name, text) = (*id, name.to_owned(), text.to_owned());
        let receipt = receipt.map(OwnedReceipt::from);
        let work: WriteFn = Box::new(move |file, transaction| {
            let (game, last) = file.find(transaction, &table)?;
            if look_up(file, transaction, game, &name)?.version != seen {
                return Ok(Written { last, version: None });
            }
            let version = seen.saturating_add(1);
            write(file, transaction, game, (&name, version), &text)?;
            store_receipt(file, transaction, game, receipt.as_ref())?;
            Ok(Written { last, version: Some(version) })
        });
        let written = self.commit(id, 0, work)?;
        if written.version.is_some() {
            self.hub.changed(id, written.last, true);
        }
        Ok(written.version)
    }

    pub(crate) fn read_shared(&self, name: &str) -> Result<Option<String>, StoreError> {
        validate::text_name(name)?;
        self.with_reader(|reader| {
            let shared = look_up(&self.file, reader, SHARED, &shared_name(name))?;
            Ok((shared.version > 0).then_some(shared.text))
        })
    }

    pub(crate) fn write_shared(&self, name: &str, text: &str) -> Result<(), StoreError> {
        validate::shared_text(name, text)?;
        let (name, text) = (shared_name(name), text.to_owned());
        let work: WriteFn = Box::new(move |file, transaction| {
            if look_up(file, transaction, SHARED, &name)?.version == 0 {
                write(file, transaction, SHARED, (&name, 1), &text)?;
            }
            Ok(Written { last: 0, version: None })
        });
        self.commit(&TableId::new()?, 0, work).map(drop)
    }
}

pub(crate) fn write(
    file: &DatabaseFile,
    connection: &Connection,
    game: i64,
    (name, version): (&str, u64),
    text: &str,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO texts (game, name, version, text) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (game, name) DO UPDATE SET version = excluded.version, text = excluded.text";
    let mut insert = connection.prepare_cached(sql).map_err(|e| file.fault(&e))?;
    insert.execute(params![game, name, version, text]).map(drop).map_err(|e| file.fault(&e))
}

pub(crate) fn look_up(
    file: &DatabaseFile,
    connection: &Connection,
    game: i64,
    name: &str,
) -> Result<VersionedText, StoreError> {
    let sql = "SELECT version, text FROM texts WHERE game = ?1 AND name = ?2";
    let mut select = connection.prepare_cached(sql).map_err(|e| file.fault(&e))?;
    let text = select
        .query_row(params![game, name], |row| {
            Ok(VersionedText { version: row.get(0)?, text: row.get(1)? })
        })
        .optional();
    text.map(Option::unwrap_or_default).map_err(|e| file.fault(&e))
}
