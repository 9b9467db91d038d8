//! Tables in one SQLite file. One connection writes, with group commit; others read beside it
//! (write-ahead log). A commit is durable before it returns (`synchronous=FULL`), so an append
//! needs nothing but a transaction.

mod database_file;
mod errors;
mod external_changes;
mod group_commit;
mod permissions;
mod receipts;
mod schema;
mod texts;

pub(crate) use permissions::is_readable_by_others;

use crate::store::{PROBE, collect_lines, probe_text};
use crate::watch::{Hub, lock};
use crate::{
    Append, NewTable, ReadOnlyCause, Receipt, Receipts, Salvage, Store, StoreCheck, StoreError,
    Summary, TableId, VersionedText, Watch, validate,
};
use database_file::DatabaseFile;
use errors::fault;
use external_changes::ExternalChanges;
use group_commit::{GroupCommit, WriteFn, WriteResult, Written};
use receipts::{OwnedReceipt, store_receipt};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row, params};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

/// The number of idle readers that are kept. More are opened when needed and closed after use.
const IDLE_READERS: usize = 4;

/// A store in an SQLite file.
pub(crate) struct Sqlite {
    // Fields drop in this order: the writer closes last and checkpoints the write-ahead log.
    external_changes: Mutex<Option<ExternalChanges>>,
    readers: Mutex<Vec<Connection>>,
    group_commit: Option<GroupCommit>,
    file: DatabaseFile,
    hub: Arc<Hub>,
}

impl Sqlite {
    pub(crate) fn open(path: &Path, make_folder: bool) -> Result<Sqlite, StoreError> {
        let (file, writer) = DatabaseFile::to_write(path, make_folder)?;
        Ok(Sqlite::of(file, Some(writer)))
    }

    pub(crate) fn open_to_read(path: &Path) -> Result<Sqlite, StoreError> {
        let file = DatabaseFile::to_read(path)?;
        Ok(Sqlite::of(file, None))
    }

    fn of(file: DatabaseFile, writer: Option<Connection>) -> Sqlite {
        Sqlite {
            external_changes: Mutex::default(),
            readers: Mutex::default(),
            group_commit: writer.map(GroupCommit::new),
            file,
            hub: Arc::default(),
        }
    }

    fn fault(&self, error: &rusqlite::Error) -> StoreError {
        fault(&self.file.place, error)
    }

    /// Commits `work` and notifies the watchers.
    fn write(&self, id: &TableId, after: u64, work: WriteFn) -> WriteResult {
        let written = self.commit(id, after, work)?;
        self.hub.changed(id, written.last, false);
        Ok(written)
    }

    /// Runs `work` in a transaction.
    fn commit(&self, id: &TableId, after: u64, work: WriteFn) -> WriteResult {
        let Some(group_commit) = &self.group_commit else {
            return Err(StoreError::ReadOnly {
                place: self.file.place.clone(),
                why: ReadOnlyCause::OpenedToRead,
            });
        };
        group_commit.write(&self.file, id, after, work)
    }

    fn with_reader<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let idle = lock(&self.readers).pop();
        let mut reader = idle.map_or_else(|| self.file.reader(), Ok)?;
        let done = work(&mut reader);
        let mut readers = lock(&self.readers);
        if readers.len() < IDLE_READERS {
            readers.push(reader);
        }
        done
    }

    fn change(
        &self,
        id: &TableId,
        sql: &'static str,
        value: rusqlite::types::Value,
    ) -> Result<(), StoreError> {
        let table = *id;
        let work: WriteFn = Box::new(move |file, transaction| {
            let (key, last) = file.find(transaction, &table)?;
            transaction.execute(sql, params![key, value]).map_err(|e| file.fault(&e))?;
            Ok(Written { last, version: None })
        });
        self.write(id, 0, work).map(drop)
    }

    fn summaries(
        &self,
        what: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Summary>, StoreError> {
        self.with_reader(|reader| {
            let sql = format!(
                "SELECT id, name, pack, created, changed, last, archived FROM tables {} {what}",
                self.file.if_indexed("", "NOT INDEXED")
            );
            let mut select = reader.prepare_cached(&sql).map_err(|e| self.fault(&e))?;
            let mut rows = select.query(params).map_err(|e| self.fault(&e))?;
            let mut summaries = Vec::new();
            while let Some(row) = rows.next().map_err(|e| self.fault(&e))? {
                summaries.push(summary_of(row).map_err(|e| self.fault(&e))?);
            }
            Ok(summaries)
        })
    }
}

impl Store for Sqlite {
    fn create_with(
        &self,
        table: &NewTable<'_>,
        texts: &[(&str, &str)],
        receipt: Option<Receipt<'_>>,
    ) -> Result<Summary, StoreError> {
        validate::new_table(table)?;
        texts.iter().try_for_each(|(name, text)| validate::text(name, text))?;
        validate::receipt(receipt.as_ref())?;
        let texts: Vec<(String, String)> =
            texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let receipt = receipt.map(OwnedReceipt::from);
        let (id, name, pack, lines) =
            (table.id, table.name.to_owned(), table.pack.to_owned(), owned(table.lines));
        let work: WriteFn = Box::new(move |file, transaction| {
            match file.find(transaction, &id) {
                Err(StoreError::NoTable { .. }) => {}
                Err(other) => return Err(other),
                Ok(_) => return Err(StoreError::Taken { id, place: file.place.clone() }),
            }
            let sql = "INSERT INTO tables (id, name, pack, created, changed, last, archived) VALUES (?1, ?2, ?3, ?4, ?4, ?5, 0) RETURNING key";
            let last = u64::try_from(lines.len()).unwrap_or(u64::MAX);
            let mut insert = transaction.prepare_cached(sql).map_err(|e| file.fault(&e))?;
            let key = insert
                .query_row(params![id.to_string(), name, pack, now(), last], |row| row.get(0))
                .map_err(|e| file.fault(&e))?;
            let last = insert_lines(file, transaction, key, 0, &lines)?;
            for (name, text) in &texts {
                texts::write(file, transaction, key, (name, 1), text)?;
            }
            store_receipt(file, transaction, key, receipt.as_ref())?;
            Ok(Written { last, version: None })
        });
        self.write(&table.id, 0, work)?;
        self.summary(&table.id)
    }

    fn append_with(&self, id: &TableId, append: &Append<'_>) -> Result<u64, StoreError> {
        validate::append(append)?;
        let (table, after, lines) = (*id, append.after, owned(append.lines));
        let guard = append.guard.map(|guard| (guard.name.to_owned(), guard.version));
        let receipt = append.receipt.map(OwnedReceipt::from);
        let work: WriteFn = Box::new(move |file, transaction| {
            let (key, last) = file.find(transaction, &table)?;
            if last != after {
                return Err(StoreError::MovedOn { id: table, last });
            }
            if let Some((name, version)) = &guard
                && texts::look_up(file, transaction, key, name)?.version != *version
            {
                return Err(StoreError::TextChanged { id: table, name: name.clone() });
            }
            let last = insert_lines(file, transaction, key, after, &lines)?;
            // By key and without RETURNING, which makes SQLite use a temporary table and takes
            // twice as long as everything else.
            let sql = "UPDATE tables SET last = ?2, changed = max(changed, ?3) WHERE key = ?1";
            let mut update = transaction.prepare_cached(sql).map_err(|e| file.fault(&e))?;
            update.execute(params![key, last, now()]).map_err(|e| file.fault(&e))?;
            store_receipt(file, transaction, key, receipt.as_ref())?;
            Ok(Written { last, version: None })
        });
        Ok(self.write(id, after, work)?.last)
    }

    fn receipt(&self, id: &TableId, player: &str, key: &str) -> Result<Receipts, StoreError> {
        self.read_receipt(id, player, key)
    }

    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError> {
        self.with_reader(|reader| {
            // One transaction, so that the last number and the events are from one snapshot.
            let transaction = reader.transaction().map_err(|e| self.fault(&e))?;
            let (key, last) = self.file.find(&transaction, id)?;
            let after = after.min(last);
            let sql = "SELECT number, text FROM events WHERE game = ?1 AND number > ?2 AND number <= ?3 ORDER BY number";
            let mut select = transaction.prepare_cached(sql).map_err(|e| self.fault(&e))?;
            let rows = select.query_map(params![key, after, last], |row| Ok((row.get(0)?, row.get(1)?))).map_err(|e| self.fault(&e))?;
            Ok(collect_lines((id, &self.file.place), (after, last), rows.map(|row| row.map_err(|e| self.fault(&e)))))
        })
    }

    fn summary(&self, id: &TableId) -> Result<Summary, StoreError> {
        let summaries = self.summaries("WHERE id = ?1", [id.to_string()])?;
        summaries
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::NoTable { id: *id, place: self.file.place.clone() })
    }

    fn list(&self, include_archived: bool) -> Result<Vec<Summary>, StoreError> {
        self.summaries("WHERE archived <= ?1 ORDER BY changed DESC, key DESC", [include_archived])
    }

    fn rename(&self, id: &TableId, name: &str) -> Result<(), StoreError> {
        validate::name(name)?;
        self.change(id, "UPDATE tables SET name = ?2 WHERE key = ?1", name.to_owned().into())
    }

    fn archive(&self, id: &TableId, archived: bool) -> Result<(), StoreError> {
        self.change(id, "UPDATE tables SET archived = ?2 WHERE key = ?1", archived.into())
    }

    fn text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError> {
        self.read_text(id, name)
    }

    fn put_text_with(
        &self,
        id: &TableId,
        seen: (&str, u64),
        text: &str,
        receipt: Option<Receipt<'_>>,
    ) -> Result<Option<u64>, StoreError> {
        self.write_text(id, seen, text, receipt)
    }

    fn shared_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read_shared(name)
    }

    fn keep_shared_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        self.write_shared(name, text)
    }

    fn watch(&self, of: Option<&TableId>) -> Result<Watch, StoreError> {
        let watch = self.hub.watch(of);
        let mut external_changes = lock(&self.external_changes);
        if external_changes.is_none() {
            *external_changes = Some(ExternalChanges::start(
                self.file.reader()?,
                &self.file.place,
                Arc::clone(&self.hub),
            )?);
        }
        Ok(watch)
    }

    fn probe(&self) -> Result<(), StoreError> {
        let (id, text) = (TableId::new()?, probe_text()?);
        let work: WriteFn = Box::new(move |file, transaction| {
            let sql = "INSERT INTO texts (game, name, version, text) VALUES (?1, ?2, 1, ?3)
                ON CONFLICT (game, name) DO UPDATE SET version = version + 1, text = excluded.text";
            let mut insert = transaction.prepare_cached(sql).map_err(|e| file.fault(&e))?;
            insert.execute(params![PROBE.0, PROBE.1, text]).map_err(|e| file.fault(&e))?;
            Ok(Written { last: 0, version: None })
        });
        self.commit(&id, 0, work).map(drop)
    }

    fn check(&self) -> Result<StoreCheck, StoreError> {
        let damage = self.with_reader(|reader| Ok(errors::integrity(reader)))?;
        StoreCheck::gather(self, damage)
    }

    fn place(&self) -> &str {
        &self.file.place
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.hub.close();
    }
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// Inserts lines after an event and returns the number of the last.
fn insert_lines(
    file: &DatabaseFile,
    connection: &Connection,
    key: i64,
    after: u64,
    lines: &[String],
) -> Result<u64, StoreError> {
    let sql = "INSERT INTO events (game, number, text) VALUES (?1, ?2, ?3)";
    let mut insert = connection.prepare_cached(sql).map_err(|e| file.fault(&e))?;
    let mut last = after;
    for line in lines {
        last = last.saturating_add(1);
        insert.execute(params![key, last, line]).map_err(|e| file.fault(&e))?;
    }
    Ok(last)
}

fn summary_of(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let (id, name, pack) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Summary {
        id,
        name,
        pack,
        created: row.get(3)?,
        changed: row.get(4)?,
        last: row.get(5)?,
        archived: row.get(6)?,
    })
}

impl FromSql for TableId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<TableId> {
        TableId::parse(value.as_str()?).map_err(FromSqlError::other)
    }
}

/// Milliseconds since 1970. A clock before 1970 counts as 1970.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .unwrap_or_default()
}
