//! Versioned texts beside the logs, shared by all servers. A write is one statement that changes
//! nothing unless the version is the one the writer saw.

use super::Postgres;
use crate::{StoreError, TableId, VersionedText, validate};

const LOOK_UP: &str = "
    SELECT coalesce(t.version, 0), coalesce(t.text, '') FROM adjutant.tables g
    LEFT JOIN adjutant.texts t ON t.game = g.key AND t.name = $2 WHERE g.id = $1";

// Two concurrent first writes meet at the primary key, later ones at the version.
const FIRST: &str = "
    WITH game AS (SELECT key, id, last FROM adjutant.tables WHERE id = $1), written AS (
        INSERT INTO adjutant.texts (game, name, version, text) SELECT key, $2::text, $3::bigint + 1, $4::text FROM game
        ON CONFLICT (game, name) DO NOTHING RETURNING version
    )
    SELECT version, pg_notify('adjutant', id || ' ' || last)::text FROM written, game";

const LATER: &str = "
    WITH game AS (SELECT key, id, last FROM adjutant.tables WHERE id = $1), written AS (
        UPDATE adjutant.texts t SET version = $3::bigint + 1, text = $4::text FROM game
        WHERE t.game = game.key AND t.name = $2 AND t.version = $3 RETURNING version
    )
    SELECT version, pg_notify('adjutant', id || ' ' || last)::text FROM written, game";

impl Postgres {
    pub(crate) fn read_text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError> {
        validate::text_name(name)?;
        let rows = self.rows(LOOK_UP, &[&id.to_string(), &name])?;
        let row = rows.first().ok_or_else(|| self.no_table(id))?;
        let text = self.value(row, 1)?;
        Ok(VersionedText { version: self.number(row, 0)?, text })
    }

    pub(crate) fn write_text(
        &self,
        id: &TableId,
        name: &str,
        seen: u64,
        text: &str,
    ) -> Result<Option<u64>, StoreError> {
        validate::text(name, text)?;
        let Ok(known) = i64::try_from(seen) else { return self.read_text(id, name).map(|_| None) };
        let sql = if seen == 0 { FIRST } else { LATER };
        let (rows, retried) = self.write((id, 0), sql, &[&id.to_string(), &name, &known, &text])?;
        if let Some(row) = rows.first() {
            return self.number(row, 0).map(Some);
        }
        if !retried {
            return self.read_text(id, name).map(|_| None);
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
