//! Notices writes by other processes. SQLite cannot notify, but `PRAGMA data_version` tells in
//! microseconds whether another connection has committed. It is polled while the store is watched,
//! and only if it changed is the list of tables compared.

use super::errors::fault;
use crate::watch::Hub;
use crate::{StoreError, TableId};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The parts of a table that another process can change.
type Snapshot = HashMap<TableId, (u64, String, bool, u64)>;

/// The polling thread. It ends with the store.
pub(crate) struct ExternalChanges {
    hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

impl ExternalChanges {
    /// Takes the first snapshot before it returns, so that every later write is noticed.
    pub(crate) fn start(
        reader: Connection,
        place: &str,
        hub: Arc<Hub>,
    ) -> Result<ExternalChanges, StoreError> {
        let first = version(&reader)
            .and_then(|seen| Ok((seen, snapshot(&reader)?)))
            .map_err(|e| fault(place, &e))?;
        let theirs = Arc::clone(&hub);
        let thread = thread::Builder::new()
            .name("store: other processes".to_owned())
            .spawn(move || look(&reader, &theirs, first));
        let thread = thread.map_err(|error| StoreError::Other {
            place: place.to_owned(),
            detail: format!("no thread to watch it: {error}"),
        })?;
        Ok(ExternalChanges { hub, thread: Some(thread) })
    }
}

impl Drop for ExternalChanges {
    fn drop(&mut self) {
        self.hub.close();
        if let Some(thread) = self.thread.take() {
            // Joining fails only after a panic, and then there is nothing to wait for.
            let _ = thread.join();
        }
    }
}

fn look(reader: &Connection, hub: &Hub, (mut seen, mut before): (i64, Snapshot)) {
    while hub.pause(POLL_INTERVAL) {
        // A file that cannot be read now is polled again next time.
        let Ok(now) = version(reader) else { continue };
        if now == seen {
            continue;
        }
        let Ok(snapshot) = snapshot(reader) else { continue };
        for (id, state) in &snapshot {
            let before = before.get(id);
            if before != Some(state) {
                let texts = before.is_none_or(|before| before.3 != state.3);
                hub.changed(id, state.0, texts);
            }
        }
        (seen, before) = (now, snapshot);
    }
}

fn version(reader: &Connection) -> rusqlite::Result<i64> {
    reader.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

fn snapshot(reader: &Connection) -> rusqlite::Result<Snapshot> {
    let mut select = reader
        .prepare_cached("SELECT id, last, name, archived, (SELECT ifnull(sum(version), 0) FROM texts WHERE game = key) FROM tables")?;
    select
        .query_map([], |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        })?
        .collect()
}
