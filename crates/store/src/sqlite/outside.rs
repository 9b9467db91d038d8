//! Notice of what other processes write to the same file. SQLite has no bell for that, but `PRAGMA data_version` says in microseconds
//! whether anybody else committed; it is asked as long as the store is watched. Only then is the list of tables compared.

use super::errors::fault;
use crate::watch::Hub;
use crate::{StoreError, TableId};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Less than a blink.
const BETWEEN: Duration = Duration::from_millis(50);

/// What of a table can change.
type Picture = HashMap<TableId, (u64, String, bool, u64)>;

/// The thread that looks; it ends with the store.
pub(crate) struct Outside {
    hub: Arc<Hub>,
    looker: Option<JoinHandle<()>>,
}

impl Outside {
    /// Takes the first picture before it returns: whatever is written later is noticed.
    pub(crate) fn start(reader: Connection, place: &str, hub: Arc<Hub>) -> Result<Outside, StoreError> {
        let first = version(&reader).and_then(|seen| Ok((seen, picture(&reader)?))).map_err(|e| fault(place, &e))?;
        let theirs = Arc::clone(&hub);
        let looker = thread::Builder::new().name("store: other processes".to_owned()).spawn(move || look(&reader, &theirs, first));
        let looker =
            looker.map_err(|error| StoreError::Other { place: place.to_owned(), detail: format!("no thread to watch it: {error}") })?;
        Ok(Outside { hub, looker: Some(looker) })
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        self.hub.close();
        if let Some(looker) = self.looker.take() {
            // It cannot fail but by a panic, and then there is nothing left to wait for.
            let _ = looker.join();
        }
    }
}

fn look(reader: &Connection, hub: &Hub, (mut seen, mut known): (i64, Picture)) {
    while hub.pause(BETWEEN) {
        // A file that cannot be read just now is looked at again the next time.
        let Ok(now) = version(reader) else { continue };
        if now == seen {
            continue;
        }
        let Ok(picture) = picture(reader) else { continue };
        for (id, state) in &picture {
            if known.get(id) != Some(state) {
                hub.changed(id, state.0);
            }
        }
        (seen, known) = (now, picture);
    }
}

fn version(reader: &Connection) -> rusqlite::Result<i64> {
    reader.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

fn picture(reader: &Connection) -> rusqlite::Result<Picture> {
    let mut select = reader
        .prepare_cached("SELECT id, last, name, archived, (SELECT ifnull(sum(version), 0) FROM texts WHERE game = key) FROM tables")?;
    select.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))))?.collect()
}
