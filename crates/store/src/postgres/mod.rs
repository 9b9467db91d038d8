//! Tables in a PostgreSQL database, for several servers. An append is one statement: it moves the
//! table's row from the known number to the next, inserts the events and sends the notification.
//! PostgreSQL runs one such statement at a time for each row, so two servers cannot leave gaps or
//! duplicates. The slower one updates no row and gets `MovedOn`.

mod errors;
mod listen;
mod pool;
mod schema;
mod texts;

use crate::store::{PROBE, collect_lines, probe_text};
use crate::watch::{Hub, lock};
use crate::{
    NewTable, Salvage, Store, StoreCheck, StoreError, Summary, TableId, VersionedText, Watch,
    validate,
};
use errors::{PostgresError, ValueError, detail_of};
use pool::Pool;
use postgres::types::{FromSql, ToSql};
use postgres::{Config, Row};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The channel on which servers notify each other of changes. The payload is "id last".
const CHANNEL: &str = "adjutant";

/// Attempts of a read: one more on a new connection if the first breaks.
const ATTEMPTS: usize = 2;

/// How long a write whose connection was lost waits for the server, to find out the outcome.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest and the longest pause between two attempts of such a write.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(400)];

const CREATE: &str = "
    WITH made AS (
        INSERT INTO adjutant.tables (id, name, pack, created, changed, last, archived)
        SELECT $1, $2, $3, adjutant.now_ms(), adjutant.now_ms(), cardinality($4::text[]), false
        ON CONFLICT (id) DO NOTHING
        RETURNING key, id, name, pack, created, changed, last, archived
    ), inserted AS (
        INSERT INTO adjutant.events (game, number, text)
        SELECT made.key, line.number, line.text FROM made, unnest($4::text[]) WITH ORDINALITY AS line (text, number)
    )
    SELECT id, name, pack, created, changed, last, archived, pg_notify('adjutant', id || ' ' || last)::text FROM made";

const APPEND: &str = "
    WITH moved AS (
        UPDATE adjutant.tables SET last = last + cardinality($3::text[]), changed = greatest(changed, adjutant.now_ms())
        WHERE id = $1 AND last = $2
        RETURNING key, id, last
    ), inserted AS (
        INSERT INTO adjutant.events (game, number, text)
        SELECT moved.key, $2 + line.number, line.text FROM moved, unnest($3::text[]) WITH ORDINALITY AS line (text, number)
    )
    SELECT last, pg_notify('adjutant', id || ' ' || last)::text FROM moved";

// One statement, so that the last number and the events are from one snapshot.
const READ: &str = "
    SELECT t.last, e.number, e.text FROM adjutant.tables t
    LEFT JOIN adjutant.events e ON e.game = t.key AND e.number > $2 AND e.number <= t.last
    WHERE t.id = $1 ORDER BY e.number";

const PROBE_TEXT: &str = "
    INSERT INTO adjutant.texts AS t (game, name, version, text) VALUES ($1, $2, 1, $3)
    ON CONFLICT (game, name) DO UPDATE SET version = t.version + 1, text = excluded.text";

const SUMMARY: &str =
    "SELECT id, name, pack, created, changed, last, archived FROM adjutant.tables";

/// A store in a PostgreSQL database.
pub(crate) struct Postgres {
    place: String,
    pool: Pool,
    hub: Arc<Hub>,
    listening: Mutex<bool>,
}

impl Postgres {
    pub(crate) fn open(
        config: &Config,
        place: String,
        read_only: bool,
    ) -> Result<Postgres, StoreError> {
        let pool = Pool::new(config, &place, read_only);
        pool.with(|client| schema::migrate(client, schema::MIGRATIONS, read_only))?
            .map_err(|refused| refused.at(&place))?;
        Ok(Postgres { place, pool, hub: Arc::default(), listening: Mutex::default() })
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
        (id, after): (&TableId, u64),
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<(Vec<Row>, bool), StoreError> {
        let mut retried: Option<Instant> = None;
        let mut pause = Duration::ZERO;
        loop {
            let detail = match self.pool.take() {
                Ok(mut client) => match client.run(|client| client.query(sql, params)) {
                    Ok(rows) => {
                        client.release();
                        return Ok((rows, retried.is_some()));
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
        found: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        found.map_err(|fault| match fault {
            StoreError::NoTable { .. } => fault,
            other => self.unsure(write, &other),
        })
    }

    /// Whether exactly these lines follow event `after`.
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
        let (found, _) = self.write((id, 0), &sql, &[&id.to_string(), value])?;
        if found.is_empty() { Err(self.no_table(id)) } else { Ok(()) }
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
    fn create(&self, table: &NewTable<'_>) -> Result<Summary, StoreError> {
        validate::new_table(table)?;
        let params: [&(dyn ToSql + Sync); 4] =
            [&table.id.to_string(), &table.name, &table.pack, &table.lines];
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

    fn append(&self, id: &TableId, after: u64, lines: &[&str]) -> Result<u64, StoreError> {
        validate::lines(after, lines)?;
        let moved_on = |last| StoreError::MovedOn { id: *id, last };
        let Ok(known) = i64::try_from(after) else { return Err(moved_on(self.summary(id)?.last)) };
        let (rows, retried) =
            self.write((id, after), APPEND, &[&id.to_string(), &known, &lines])?;
        match rows.first() {
            Some(row) => self.number(row, 0),
            None if retried
                && !lines.is_empty()
                && self.or_unsure((id, after), self.holds_lines(id, after, lines))? =>
            {
                Ok(after.saturating_add(lines.len() as u64))
            }
            None => Err(moved_on(self.summary(id)?.last)),
        }
    }

    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError> {
        let rows =
            self.rows(READ, &[&id.to_string(), &i64::try_from(after).unwrap_or(i64::MAX)])?;
        let last = self.number(rows.first().ok_or_else(|| self.no_table(id))?, 0)?;
        let after = after.min(last);
        // A table without events after `after` gives one row of nulls.
        let lines = rows
            .iter()
            .filter(|row| !matches!(row.try_get::<_, Option<i64>>(1), Ok(None)))
            .map(|row| {
                let text = self.value(row, 2)?;
                Ok((self.number(row, 1)?, text))
            });
        Ok(collect_lines((id, &self.place), (after, last), lines))
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

    fn put_text(
        &self,
        id: &TableId,
        name: &str,
        seen: u64,
        text: &str,
    ) -> Result<Option<u64>, StoreError> {
        self.write_text(id, name, seen, text)
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

impl Drop for Postgres {
    fn drop(&mut self) {
        self.hub.close();
    }
}
