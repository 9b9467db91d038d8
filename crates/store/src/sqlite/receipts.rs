//! Receipts of requests that were carried out, in the same file and the same transaction as what
//! they did.

use super::database_file::DatabaseFile;
use super::{Sqlite, now};
use crate::{
    RECEIPT_LIFETIME, RECEIPT_OVERHEAD, Receipt, Receipts, StoreError, StoredReceipt, TableId,
    validate,
};
use rusqlite::{Connection, OptionalExtension, params};

/// A receipt that can wait for its transaction.
pub(crate) struct OwnedReceipt {
    player: String,
    key: String,
    fingerprint: String,
    answer: String,
}

impl From<Receipt<'_>> for OwnedReceipt {
    fn from(receipt: Receipt<'_>) -> OwnedReceipt {
        OwnedReceipt {
            player: receipt.player.to_owned(),
            key: receipt.key.to_owned(),
            fingerprint: receipt.fingerprint.to_owned(),
            answer: receipt.answer.to_owned(),
        }
    }
}

/// Stores a receipt and deletes those of the game that are too old.
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
        "DELETE FROM receipts WHERE game = ?1 AND at < ?2",
        params![game, at.saturating_sub(RECEIPT_LIFETIME)],
    )?;
    let size = RECEIPT_OVERHEAD.saturating_add(receipt.answer.len() as u64);
    run(
        "INSERT INTO receipts (game, player, key, at, starts, ends, fingerprint, answer)
         SELECT ?1, ?2, ?3, ?4, used, used + ?5, ?6, ?7
         FROM (SELECT ifnull(max(ends), 0) AS used FROM receipts WHERE game = ?1 AND player = ?2)
         WHERE true
         ON CONFLICT (game, player, key) DO NOTHING",
        params![game, receipt.player, receipt.key, at, size, receipt.fingerprint, receipt.answer],
    )
}

impl Sqlite {
    pub(crate) fn read_receipt(
        &self,
        id: &TableId,
        player: &str,
        key: &str,
    ) -> Result<Receipts, StoreError> {
        validate::text_name(player)?;
        validate::text_name(key)?;
        self.with_reader(|reader| {
            // One transaction, so that the table and its receipts are from one snapshot.
            let transaction = reader.transaction().map_err(|e| self.fault(&e))?;
            let (game, _) = self.file.find(&transaction, id)?;
            let since = now().saturating_sub(RECEIPT_LIFETIME);
            let sql = "SELECT fingerprint, answer FROM receipts WHERE game = ?1 AND player = ?2 AND key = ?3 AND at >= ?4";
            let mut select = transaction.prepare_cached(sql).map_err(|e| self.fault(&e))?;
            let receipt = select.query_row(params![game, player, key, since], |row| {
                Ok(StoredReceipt { fingerprint: row.get(0)?, answer: row.get(1)? })
            });
            let receipt = receipt.optional().map_err(|e| self.fault(&e))?;
            let sql = "SELECT ifnull((SELECT max(ends) FROM receipts WHERE game = ?1 AND player = ?2)
                - (SELECT starts FROM receipts WHERE game = ?1 AND player = ?2 AND at >= ?3 ORDER BY ends LIMIT 1), 0)";
            let mut select = transaction.prepare_cached(sql).map_err(|e| self.fault(&e))?;
            let used = select.query_row(params![game, player, since], |row| row.get(0));
            Ok(Receipts { receipt, used: used.map_err(|e| self.fault(&e))? })
        })
    }
}
