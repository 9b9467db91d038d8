//! Tables in a PostgreSQL database, for several servers. An append locks the table's row, moves it
//! from the known number to the next, inserts the events and sends the notification, in one
//! transaction. So two servers cannot leave gaps or duplicates: the slower one gets `MovedOn`.
//! Concurrent appends of one server share a transaction (`group_commit`).

mod append;
mod errors;
mod group_commit;
mod listen;
mod pool;
mod schema;
mod texts;
mod tls;

use crate::store::{PROBE, collect_lines, probe_text};
use crate::watch::{Hub, lock};
use crate::{
    Append, NewTable, RECEIPT_LIFETIME, RECEIPT_OVERHEAD, Receipt, Receipts, Salvage, Store,
    StoreCheck, StoreError, StoredLine, Summary, TableId, VersionedText, Watch, validate,
};
use errors::{PostgresError, ValueError, detail_of};
use group_commit::GroupCommit;
use pool::{Connection, Pool};
use postgres::types::{FromSql, ToSql};
use postgres::{Config, Row};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
pub(crate) use tls::TlsMode;

/// The channel on which servers notify each other of changes. The payload has a line
/// "id last" for each game that changed, with " text" behind it if a text beside its log did.
const CHANNEL: &str = "adjutant";

/// Attempts of a read: one more on a new connection if the first breaks.
const ATTEMPTS: usize = 2;

/// The time that a write whose connection was lost waits for the server, to find out the outcome.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest and the longest pause between two attempts of such a write.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(400)];

const CREATE: &str = "
    WITH made AS (
        INSERT INTO adjutant.tables (id, name, pack, created, changed, last, archived)
        SELECT $1, $2, $3, at.now, at.now, cardinality($4::text[]), false FROM (SELECT adjutant.now_ms() AS now OFFSET 0) AS at
        ON CONFLICT (id) DO NOTHING
        RETURNING key, id, name, pack, created, changed, last, archived
    ), inserted AS (
        INSERT INTO adjutant.events (game, number, text)
        SELECT made.key, line.number, line.text FROM made, unnest($4::text[]) WITH ORDINALITY AS line (text, number)
    ), beside AS (
        INSERT INTO adjutant.texts (game, name, version, text)
        SELECT made.key, t.name, 1, t.text FROM made, unnest($5::text[], $6::text[]) AS t (name, text)
    ), remembered AS (
        INSERT INTO adjutant.receipts (game, player, key, at, starts, ends, fingerprint, answer)
        SELECT made.key, $7::text, $8::text, adjutant.now_ms(), 0, $11::bigint + octet_length($10::text), $9::text, $10::text
        FROM made WHERE $7 IS NOT NULL
    )
    SELECT id, name, pack, created, changed, last, archived, pg_notify('adjutant', id || ' ' || last)::text FROM made";

// One statement, so that the last number and the events are from one snapshot.
const READ: &str = "
    SELECT t.last, e.number, e.text FROM adjutant.tables t
    LEFT JOIN adjutant.events e ON e.game = t.key AND e.number > $2 AND e.number <= t.last
    WHERE t.id = $1 ORDER BY e.number";

// A table that does not exist gives no row, one without new events a row of nulls.
const READ_SEVERAL: &str = "
    SELECT t.id, t.last, e.number, e.text
    FROM unnest($1::text[], $2::bigint[]) AS asked (id, after)
    JOIN adjutant.tables t ON t.id = asked.id
    LEFT JOIN adjutant.events e ON e.game = t.key AND e.number > asked.after AND e.number <= t.last
    ORDER BY t.id, e.number";

const PROBE_TEXT: &str = "
    INSERT INTO adjutant.texts AS t (game, name, version, text) VALUES ($1, $2, 1, $3)
    ON CONFLICT (game, name) DO UPDATE SET version = t.version + 1, text = excluded.text";

const SUMMARY: &str =
    "SELECT id, name, pack, created, changed, last, archived FROM adjutant.tables";

/// A store in a PostgreSQL database.
pub(crate) struct Postgres {
    place: String,
    pool: Pool,
    group_commit: GroupCommit,
    hub: Arc<Hub>,
    listening: Mutex<bool>,
}

impl Postgres {
    pub(crate) fn open(
        config: &Config,
        tls: &TlsMode,
        place: String,
        read_only: bool,
    ) -> Result<Postgres, StoreError> {
        let pool = Pool::new(config, tls.connector(&place)?, &place, read_only);
        pool.with(|connection| {
            schema::migrate(&mut connection.client, schema::MIGRATIONS, read_only)
        })?
        .map_err(|refused| refused.at(&place))?;
        let group_commit = GroupCommit::default();
        Ok(Postgres { place, pool, group_commit, hub: Arc::default(), listening: Mutex::default() })
    }

    fn rows(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        self.pool.with(|client| client.query(sql, params))
    }

    fn no_table(&self, id: &TableId) -> StoreError {
        StoreError::NoTable { id: *id, place: self.place.clone() }
    }

    /// Runs a statement that writes, and returns its rows. If the connection is lost, the outcome
    /// is unknown, so the statement runs again on a new connection. Each of these statements does
    /// nothing the second time. The flag tells the caller that the statement ran more than once, so
    /// that it may find its own rows. A server that restarts is waited for. If it does not come
    /// back in time, the error is `Unsure`.
    fn write(
        &self,
        write: (&TableId, u64),
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<(Vec<Row>, bool), StoreError> {
        self.write_with(write, None, |connection| connection.query(sql, params))
    }

    /// The same with any work. `lost` is when an attempt before it lost its connection.
    fn write_with<T>(
        &self,
        (id, after): (&TableId, u64),
        lost: Option<Instant>,
        mut work: impl FnMut(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<(T, bool), StoreError> {
        let mut retried: Option<Instant> = lost.map(|lost| lost + RECONNECT_TIMEOUT);
        let mut pause = Duration::ZERO;
        loop {
            let detail = match self.pool.take() {
                Ok(mut client) => match client.run(&mut work) {
                    Ok(done) => {
                        client.release();
                        return Ok((done, retried.is_some()));
                    }
                    Err(PostgresError::Fault(fault)) => {
                        client.release();
                        // This attempt wrote nothing, but the one before may have.
                        return Err(if retried.is_some() {
                            self.unsure((id, after), &fault)
                        } else {
                            fault
                        });
                    }
                    Err(PostgresError::Broken(detail)) => detail,
                },
                Err(fault) if retried.is_none() => return Err(fault),
                Err(fault) => detail_of(&fault),
            };
            let until = *retried.get_or_insert_with(|| Instant::now() + RECONNECT_TIMEOUT);
            if Instant::now() + pause >= until {
                return Err(StoreError::Unsure {
                    place: self.place.clone(),
                    id: *id,
                    after,
                    detail,
                });
            }
            thread::sleep(pause);
            pause = (pause * 2).clamp(RETRY_PAUSES[0], RETRY_PAUSES[1]);
        }
    }

    /// The error of a write whose connection was lost and whose outcome could not be read.
    fn unsure(&self, (id, after): (&TableId, u64), fault: &StoreError) -> StoreError {
        StoreError::Unsure { place: self.place.clone(), id: *id, after, detail: detail_of(fault) }
    }

    /// The outcome of a write, read back after a lost connection. If reading fails, the outcome
    /// stays unknown.
    fn or_unsure<T>(
        &self,
        write: (&TableId, u64),
        outcome: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        outcome.map_err(|fault| match fault {
            StoreError::NoTable { .. } => fault,
            other => self.unsure(write, &other),
        })
    }

    fn last_of(&self, id: &TableId) -> Result<u64, StoreError> {
        self.summary(id).map(|summary| summary.last)
    }

    /// The lines of one table from rows whose columns are, from `first` on, the table's last number,
    /// the number of an event and its text. A table without new events gives one row of nulls.
    fn lines_of<'r>(
        &self,
        id: &TableId,
        after: u64,
        rows: impl IntoIterator<Item = &'r Row, IntoIter: Clone>,
        first: usize,
    ) -> Result<Salvage, StoreError> {
        let rows = rows.into_iter();
        let some = rows.clone().next().ok_or_else(|| self.no_table(id))?;
        let last = self.number(some, first)?;
        let after = after.min(last);
        let lines = rows
            .filter(|row| !matches!(row.try_get::<_, Option<i64>>(first + 1), Ok(None)))
            .map(|row| {
                let text = self.value(row, first + 2)?;
                Ok((self.number(row, first + 1)?, text))
            });
        Ok(collect_lines((id, &self.place), (after, last), lines))
    }

    /// Tells if exactly these lines follow event `after`.
    fn holds_lines(&self, id: &TableId, after: u64, lines: &[&str]) -> Result<bool, StoreError> {
        let there = self.salvage(id, after)?.lines;
        Ok(there.len() >= lines.len()
            && there.iter().zip(lines).all(|(there, line)| there.text == *line))
    }

    fn change(
        &self,
        id: &TableId,
        set: &str,
        value: &(dyn ToSql + Sync),
    ) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE adjutant.tables SET {set} = $2 WHERE id = $1 RETURNING pg_notify('{CHANNEL}', id || ' ' || last)::text"
        );
        let (updated, _) = self.write((id, 0), &sql, &[&id.to_string(), value])?;
        if updated.is_empty() { Err(self.no_table(id)) } else { Ok(()) }
    }

    fn summary_of(&self, row: &Row) -> Result<Summary, StoreError> {
        let id = TableId::parse(&self.value::<String>(row, 0)?)
            .map_err(|e| ValueError::from(e).at(&self.place))?;
        Ok(Summary {
            id,
            name: self.value(row, 1)?,
            pack: self.value(row, 2)?,
            created: self.number(row, 3)?,
            changed: self.number(row, 4)?,
            last: self.number(row, 5)?,
            archived: self.value(row, 6)?,
        })
    }

    fn value<'r, T: FromSql<'r>>(&self, row: &'r Row, column: usize) -> Result<T, StoreError> {
        row.try_get(column).map_err(|e| ValueError::from(e).at(&self.place))
    }

    /// A number from 0 on. PostgreSQL has no unsigned numbers.
    fn number(&self, row: &Row, column: usize) -> Result<u64, StoreError> {
        let number: i64 = self.value(row, column)?;
        u64::try_from(number).map_err(|_| ValueError::Negative(number).at(&self.place))
    }
}

impl Store for Postgres {
    fn create_with(
        &self,
        table: &NewTable<'_>,
        texts: &[(&str, &str)],
        receipt: Option<Receipt<'_>>,
    ) -> Result<Summary, StoreError> {
        validate::new_table(table)?;
        texts.iter().try_for_each(|(name, text)| validate::text(name, text))?;
        validate::receipt(receipt.as_ref())?;
        let (names, texts): (Vec<&str>, Vec<&str>) = texts.iter().copied().unzip();
        let ReceiptParams { player, key, fingerprint, answer } = ReceiptParams::of(receipt);
        let params: [&(dyn ToSql + Sync); 11] = [
            &table.id.to_string(),
            &table.name,
            &table.pack,
            &table.lines,
            &names,
            &texts,
            &player,
            &key,
            &fingerprint,
            &answer,
            &ReceiptParams::OVERHEAD,
        ];
        let (rows, retried) = self.write((&table.id, 0), CREATE, &params)?;
        match rows.first() {
            Some(row) => self.summary_of(row),
            None if retried
                && self
                    .or_unsure((&table.id, 0), self.holds_lines(&table.id, 0, table.lines))? =>
            {
                self.or_unsure((&table.id, 0), self.summary(&table.id))
            }
            None => Err(StoreError::Taken { id: table.id, place: self.place.clone() }),
        }
    }

    fn append_with(&self, id: &TableId, append: &Append<'_>) -> Result<u64, StoreError> {
        self.write_lines(id, append)
    }

    fn receipt(&self, id: &TableId, player: &str, key: &str) -> Result<Receipts, StoreError> {
        self.read_receipt(id, player, key)
    }

    fn read_several(
        &self,
        tables: &[(TableId, u64)],
    ) -> Result<Vec<(TableId, Vec<StoredLine>)>, StoreError> {
        let ids: Vec<String> = tables.iter().map(|(id, _)| id.to_string()).collect();
        let afters: Vec<i64> =
            tables.iter().map(|(_, after)| i64::try_from(*after).unwrap_or(i64::MAX)).collect();
        let rows = self.rows(READ_SEVERAL, &[&ids, &afters])?;
        let id_of = |row: &Row| row.try_get::<_, String>(0).unwrap_or_default();
        rows.chunk_by(|one, next| id_of(one) == id_of(next))
            .map(|rows| {
                let id = TableId::parse(&id_of(&rows[0]))
                    .map_err(|e| ValueError::from(e).at(&self.place))?;
                let after = tables.iter().find(|(asked, _)| *asked == id).map_or(0, |(_, a)| *a);
                let Salvage { lines, fault } = self.lines_of(&id, after, rows, 1)?;
                fault.map_or(Ok((id, lines)), Err)
            })
            .collect()
    }

    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError> {
        let rows =
            self.rows(READ, &[&id.to_string(), &i64::try_from(after).unwrap_or(i64::MAX)])?;
        self.lines_of(id, after, &rows, 0)
    }

    fn summary(&self, id: &TableId) -> Result<Summary, StoreError> {
        let rows = self.rows(&format!("{SUMMARY} WHERE id = $1"), &[&id.to_string()])?;
        self.summary_of(rows.first().ok_or_else(|| self.no_table(id))?)
    }

    fn list(&self, include_archived: bool) -> Result<Vec<Summary>, StoreError> {
        let sql = format!("{SUMMARY} WHERE $1 OR NOT archived ORDER BY changed DESC, key DESC");
        self.rows(&sql, &[&include_archived])?.iter().map(|row| self.summary_of(row)).collect()
    }

    fn rename(&self, id: &TableId, name: &str) -> Result<(), StoreError> {
        validate::name(name)?;
        self.change(id, "name", &name)
    }

    fn archive(&self, id: &TableId, archived: bool) -> Result<(), StoreError> {
        self.change(id, "archived", &archived)
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
        let mut listening = lock(&self.listening);
        if !*listening {
            listen::start(self.pool.connector(), Arc::clone(&self.hub))?;
            *listening = true;
        }
        Ok(watch)
    }

    fn probe(&self) -> Result<(), StoreError> {
        let text = probe_text()?;
        self.rows(PROBE_TEXT, &[&PROBE.0, &PROBE.1, &text]).map(drop)
    }

    fn check(&self) -> Result<StoreCheck, StoreError> {
        let behind = "SELECT 'events behind the last of table ' || id FROM adjutant.tables
            WHERE last < (SELECT max(number) FROM adjutant.events WHERE game = key)";
        let damage = match self.rows(behind, &[]) {
            Ok(rows) => rows.iter().filter_map(|row| row.try_get(0).ok()).collect(),
            Err(StoreError::Damaged { detail, .. }) => vec![detail],
            Err(other) => return Err(other),
        };
        StoreCheck::gather(self, damage)
    }

    fn place(&self) -> &str {
        &self.place
    }
}

/// A receipt, or none, as parameters of a statement.
struct ReceiptParams<'a> {
    player: Option<&'a str>,
    key: Option<&'a str>,
    fingerprint: Option<&'a str>,
    answer: Option<&'a str>,
}

impl ReceiptParams<'_> {
    const OVERHEAD: i64 = RECEIPT_OVERHEAD as i64;
    const LIFETIME: i64 = RECEIPT_LIFETIME as i64;

    fn of(receipt: Option<Receipt<'_>>) -> ReceiptParams<'_> {
        ReceiptParams {
            player: receipt.map(|receipt| receipt.player),
            key: receipt.map(|receipt| receipt.key),
            fingerprint: receipt.map(|receipt| receipt.fingerprint),
            answer: receipt.map(|receipt| receipt.answer),
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.hub.close();
    }
}
