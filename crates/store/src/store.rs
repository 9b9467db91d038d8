//! What a store keeps and the one trait both stores answer to.

use crate::{StoreCheck, StoreError, TableId, Watch};

/// A table to be created, with its first lines.
#[derive(Debug, Clone, Copy)]
pub struct NewTable<'a> {
    /// Its id, fresh from [`TableId::new`].
    pub id: TableId,
    /// Its name to players. Names need not differ.
    pub name: &'a str,
    /// The pack it is played by.
    pub pack: &'a str,
    /// The first events; they get the numbers from 1.
    pub lines: &'a [&'a str],
}

/// What a list of tables shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The id of the table.
    pub id: TableId,
    /// Its name to players.
    pub name: String,
    /// The pack it is played by.
    pub pack: String,
    /// When it was created, in milliseconds since 1970 (UTC).
    pub created: u64,
    /// When its last event came, in milliseconds since 1970 (UTC).
    pub changed: u64,
    /// The number of its last event; 0 when it has none.
    pub last: u64,
    /// Whether it is put away.
    pub archived: bool,
}

/// One event of a table: its number and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLine {
    /// Numbers run from 1 without gaps.
    pub number: u64,
    /// A single line, exactly as it was appended.
    pub text: String,
}

/// A small text kept beside a table's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionedText {
    /// Grows by one with every change; 0 when nothing was ever kept under this name.
    pub version: u64,
    /// The text; empty when there is none.
    pub text: String,
}

/// What can be read of a log, and why it ends there if it should not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// The lines up to the first that is missing or cannot be read.
    pub lines: Vec<StoredLine>,
    /// A hole or damage behind them; `None` when the log is whole.
    pub fault: Option<StoreError>,
}

/// A place that keeps tables. See the crate's first page for an example.
///
/// Whatever fails leaves the table as it was, with one exception that says so: [`StoreError::Unsure`].
pub trait Store: Send + Sync {
    /// Creates a table together with its first lines, all or nothing.
    fn create(&self, table: &NewTable<'_>) -> Result<Summary, StoreError>;

    /// Appends lines behind event `after`, all or nothing, and returns the number of the last. They are durable when this returns. If
    /// `after` is not the table's last event, nothing is written and the fault is [`StoreError::MovedOn`].
    fn append(&self, id: &TableId, after: u64, lines: &[&str]) -> Result<u64, StoreError>;

    /// The events behind event `after` (0: all of them), in order. A hole or damage is a fault; [`Store::salvage`] reads up to it.
    fn read(&self, id: &TableId, after: u64) -> Result<Vec<StoredLine>, StoreError> {
        let salvage = self.salvage(id, after)?;
        salvage.fault.map_or(Ok(salvage.lines), Err)
    }

    /// The events behind event `after` as far as the log is intact.
    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError>;

    /// One table's line in the list.
    fn summary(&self, id: &TableId) -> Result<Summary, StoreError>;

    /// The tables, those played last first.
    fn list(&self, include_archived: bool) -> Result<Vec<Summary>, StoreError>;

    /// Gives a table another name.
    fn rename(&self, id: &TableId, name: &str) -> Result<(), StoreError>;

    /// Puts a table away, or takes it out again. Its events stay.
    fn archive(&self, id: &TableId, archived: bool) -> Result<(), StoreError>;

    /// The small text that is kept under a name beside a table's log: what a server must remember of a table and no player reads.
    fn text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError>;

    /// Keeps a small text beside a table's log, durable when this returns; an empty one takes it away. Whoever writes says which version he
    /// saw (0: none) and gets the number of the new one, or `None` if somebody else was quicker: then nothing was written. Watchers are told.
    fn put_text(&self, id: &TableId, name: &str, seen: u64, text: &str) -> Result<Option<u64>, StoreError>;

    /// Gives notice whenever one table, or any (`None`), changes: by this store, another process or another server.
    fn watch(&self, of: Option<&TableId>) -> Result<Watch, StoreError>;

    /// Writes a text that belongs to no table, durable when this returns: tells whether the store can be written now. Watchers are not told.
    fn probe(&self) -> Result<(), StoreError>;

    /// Reads everything and reports what is not sound. Changes nothing.
    fn check(&self) -> Result<StoreCheck, StoreError>;

    /// Where this is, for people; without secrets.
    fn place(&self) -> &str;
}

/// What a probe writes: as long as a longer event, and always another, so that it needs room as an event does.
pub(crate) fn probe_text() -> Result<String, StoreError> {
    const PARTS: usize = 512;
    (0..PARTS).map(|_| TableId::new().map(|id| id.to_string())).collect()
}

/// The number and the name under which a probe is kept: tables count from 1.
pub(crate) const PROBE: (i64, &str) = (0, "probe");

/// Takes numbered texts for as long as they follow one another from `after` to `last`.
pub(crate) fn collect_lines(
    (id, place): (&TableId, &str),
    (after, last): (u64, u64),
    rows: impl Iterator<Item = Result<(u64, String), StoreError>>,
) -> Salvage {
    let mut lines = Vec::new();
    let mut intact = after;
    for row in rows {
        match row {
            Ok((number, text)) if number == intact.saturating_add(1) => {
                lines.push(StoredLine { number, text });
                intact = number;
            }
            Ok(_) => break,
            Err(fault) => return Salvage { lines, fault: Some(fault) },
        }
    }
    let fault = (intact < last).then(|| StoreError::Hole { id: *id, place: place.to_owned(), intact, last });
    Salvage { lines, fault }
}
