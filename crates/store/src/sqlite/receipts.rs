//! Receipts of requests that were carried out, in the same file and the same transaction as what
//! they did.

use super::database_file::DatabaseFile;
use super::{Sqlite, now};
use crate::{
    RECEIPT_LIFETIME, RECEIPTS_KEPT, Receipt, StoreError, StoredReceipt, TableId, validate,
};
use rusqlite::{Connection, OptionalExtension, params};

/// A receipt that can wait for its transaction.
pub(crate) struct OwnedReceipt {
    key: String,
    fingerprint: String,
    answer: String,
}

impl From<Receipt<'_>> for OwnedReceipt {
    fn from(receipt: Receipt<'_>) -> OwnedReceipt {
        OwnedReceipt {
            key: receipt.key.to_owned(),
            fingerprint: receipt.fingerprint.to_owned(),
            answer: receipt.answer.to_owned(),
        }
    }
}

/// Stores a receipt and deletes those that are too old or too many.
pub(crate) fn store_receipt(
    file: &DatabaseFile,
    connection: &Connection,
    game: i64,
    receipt: Option<&OwnedReceipt>,
) -> Result<(), StoreError> {
    let Some(receipt) = receipt else { return Ok(()) };
    let run = |sql: &str, params: &[&dyn rusqlite::ToSql]| {
        let mut statement = connection.prepare_cached(sql).map_err(|e| file.fault(&e))?;
        statement.execute(params).map(drop).map_err(|e| file.fault(&e))
    };
    let at = now();
    run(
        "INSERT INTO receipts (game, key, number, at, fingerprint, answer)
         VALUES (?1, ?2, (SELECT ifnull(max(number), 0) + 1 FROM receipts WHERE game = ?1), ?3, ?4, ?5)
         ON CONFLICT (game, key) DO NOTHING",
        params![game, receipt.key, at, receipt.fingerprint, receipt.answer],
    )?;
    run(
        "DELETE FROM receipts WHERE game = ?1
         AND (at < ?2 OR number <= (SELECT max(number) FROM receipts WHERE game = ?1) - ?3)",
        params![game, at.saturating_sub(RECEIPT_LIFETIME), RECEIPTS_KEPT],
    )
}

impl Sqlite {
    pub(crate) fn read_receipt(
        &self,
        id: &TableId,
        key: &str,
    ) -> Result<Option<StoredReceipt>, StoreError> {
        validate::text_name(key)?;
        self.with_reader(|reader| {
            // One transaction, so that the table and its receipt are from one snapshot.
            let transaction = reader.transaction().map_err(|e| self.fault(&e))?;
            let (game, _) = self.file.find(&transaction, id)?;
            let sql = "SELECT fingerprint, answer FROM receipts WHERE game = ?1 AND key = ?2 AND at >= ?3";
            let mut select = transaction.prepare_cached(sql).map_err(|e| self.fault(&e))?;
            let since = now().saturating_sub(RECEIPT_LIFETIME);
            let found = select.query_row(params![game, key, since], |row| {
                Ok(StoredReceipt { fingerprint: row.get(0)?, answer: row.get(1)? })
            });
            found.optional().map_err(|e| self.fault(&e))
        })
    }
}
