//! Versioned texts and receipts beside the logs, shared by all servers. A write is one call that
//! changes nothing unless the version is the one the writer saw.

use super::{Postgres, ReceiptParams};
use crate::store::{SHARED, shared_name};
use crate::{Receipt, Receipts, StoreError, StoredReceipt, TableId, VersionedText, validate};

const LOOK_UP: &str = "
    SELECT coalesce(t.version, 0), coalesce(t.text, '') FROM adjutant.tables g
    LEFT JOIN adjutant.texts t ON t.game = g.key AND t.name = $2 WHERE g.id = $1";

const PUT: &str = "SELECT adjutant.put_text($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

const RECEIPT: &str = "
    SELECT r.fingerprint, r.answer, coalesce(
        (SELECT max(u.ends) FROM adjutant.receipts u WHERE u.game = g.key AND u.player = $2)
        - (SELECT u.starts FROM adjutant.receipts u WHERE u.game = g.key AND u.player = $2
            AND u.at >= adjutant.now_ms() - $4 ORDER BY u.ends LIMIT 1), 0)
    FROM adjutant.tables g
    LEFT JOIN adjutant.receipts r
        ON r.game = g.key AND r.player = $2 AND r.key = $3 AND r.at >= adjutant.now_ms() - $4
    WHERE g.id = $1";

const LOOK_UP_SHARED: &str = "SELECT text FROM adjutant.texts WHERE game = $1 AND name = $2";

// A second time it changes nothing, so it may run again after a lost connection.
const KEEP_SHARED: &str = "
    INSERT INTO adjutant.texts (game, name, version, text) VALUES ($1, $2, 1, $3)
    ON CONFLICT (game, name) DO NOTHING";

impl Postgres {
    pub(crate) fn read_shared(&self, name: &str) -> Result<Option<String>, StoreError> {
        validate::text_name(name)?;
        let rows = self.rows(LOOK_UP_SHARED, &[&SHARED, &shared_name(name)])?;
        rows.first().map(|row| self.value(row, 0)).transpose()
    }

    pub(crate) fn write_shared(&self, name: &str, text: &str) -> Result<(), StoreError> {
        validate::shared_text(name, text)?;
        self.rows(KEEP_SHARED, &[&SHARED, &shared_name(name), &text]).map(drop)
    }

    pub(crate) fn read_text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError> {
        validate::text_name(name)?;
        let rows = self.rows(LOOK_UP, &[&id.to_string(), &name])?;
        let row = rows.first().ok_or_else(|| self.no_table(id))?;
        let text = self.value(row, 1)?;
        Ok(VersionedText { version: self.number(row, 0)?, text })
    }

    pub(crate) fn read_receipt(
        &self,
        id: &TableId,
        player: &str,
        key: &str,
    ) -> Result<Receipts, StoreError> {
        validate::text_name(player)?;
        validate::text_name(key)?;
        let lifetime = ReceiptParams::LIFETIME;
        let rows = self.rows(RECEIPT, &[&id.to_string(), &player, &key, &lifetime])?;
        let row = rows.first().ok_or_else(|| self.no_table(id))?;
        let receipt: (Option<String>, Option<String>) = (self.value(row, 0)?, self.value(row, 1)?);
        let receipt = match receipt {
            (Some(fingerprint), Some(answer)) => Some(StoredReceipt { fingerprint, answer }),
            _ => None,
        };
        Ok(Receipts { receipt, used: self.number(row, 2)? })
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
        let Ok(known) = i64::try_from(seen) else { return self.read_text(id, name).map(|_| None) };
        let ReceiptParams { player, key, fingerprint, answer } = ReceiptParams::of(receipt);
        let (rows, retried) = self.write(
            (id, 0),
            PUT,
            &[
                &id.to_string(),
                &name,
                &known,
                &text,
                &player,
                &key,
                &fingerprint,
                &answer,
                &ReceiptParams::OVERHEAD,
                &ReceiptParams::LIFETIME,
            ],
        )?;
        let row = rows.first().ok_or_else(|| self.no_table(id))?;
        match self.value::<Option<i64>>(row, 0)? {
            None => return Err(self.no_table(id)),
            Some(0) if !retried => return Ok(None),
            Some(0) => {}
            Some(version) => return Ok(u64::try_from(version).ok()),
        }
        // After a lost connection our own text may be there. If it was changed since, it could be
        // ours or another writer's.
        let there = self.or_unsure((id, 0), self.read_text(id, name))?;
        match there.version.checked_sub(seen) {
            Some(1) => Ok(Some(there.version).filter(|_| there.text == text)),
            Some(2..) => {
                let detail = "the text was changed again meanwhile".to_owned();
                Err(StoreError::Unsure { place: self.place.clone(), id: *id, after: 0, detail })
            }
            _ => Ok(None),
        }
    }
}
