//! The trait [`Store`] and the values it returns.

use crate::{StoreCheck, StoreError, TableId, Watch};

/// A new table with its first lines.
#[derive(Debug, Clone, Copy)]
pub struct NewTable<'a> {
    /// An id from [`TableId::new`] that no table has yet.
    pub id: TableId,
    /// The name for players. Names need not be unique.
    pub name: &'a str,
    /// The id of its pack.
    pub pack: &'a str,
    /// The first events, numbered from 1.
    pub lines: &'a [&'a str],
}

/// A table in the list of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub id: TableId,
    /// The name for players.
    pub name: String,
    /// The id of its pack.
    pub pack: String,
    /// When it was created, in milliseconds since 1970 (UTC).
    pub created: u64,
    /// When its last event was appended, in milliseconds since 1970 (UTC).
    pub changed: u64,
    /// The number of its last event; 0 if it has none.
    pub last: u64,
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

/// A text beside a table's log, with optimistic concurrency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionedText {
    /// Grows by one with every write; 0 if there never was a text of this name.
    pub version: u64,
    /// The text; empty if there is none.
    pub text: String,
}

/// Lines to append, what must still hold, and what is remembered with them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Append<'a> {
    /// The last event that the writer knows.
    pub after: u64,
    pub lines: &'a [&'a str],
    /// A text on which the lines depend.
    pub guard: Option<Guard<'a>>,
    pub receipt: Option<Receipt<'a>>,
}

/// The version of a text that the writer saw (0: there was none).
#[derive(Debug, Clone, Copy)]
pub struct Guard<'a> {
    pub name: &'a str,
    pub version: u64,
}

/// The receipt of a request, kept in the transaction that carries it out, so that the same request
/// is not carried out twice, not even by another server or after a restart.
#[derive(Debug, Clone, Copy)]
pub struct Receipt<'a> {
    /// The hash of who made the request. Each player has receipts of their own.
    pub player: &'a str,
    /// Identifies the request among those of the player. The caller passes a hash, so that the
    /// client's own key is not stored.
    pub key: &'a str,
    /// Tells two requests with the same key apart.
    pub fingerprint: &'a str,
    /// The answer that the request gets again.
    pub answer: &'a str,
}

/// A receipt as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReceipt {
    pub fingerprint: String,
    pub answer: String,
}

/// The receipts that matter for a request of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipts {
    /// The receipt of the request, if it was carried out less than a day ago.
    pub receipt: Option<StoredReceipt>,
    /// The bytes that the receipts of the player take: the answers, and
    /// [`RECEIPT_OVERHEAD`] for each.
    pub used: u64,
}

/// The bytes that a receipt takes besides its answer.
pub const RECEIPT_OVERHEAD: u64 = 256;

/// The lifetime of a receipt in milliseconds: a day. Older ones are deleted when the next one of
/// their table is written. None is deleted earlier, because its request could then be carried out
/// again: the caller refuses a request whose player has used up the space.
pub const RECEIPT_LIFETIME: u64 = 24 * 60 * 60 * 1000;

/// The readable part of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// The lines before the first that is missing or unreadable.
    pub lines: Vec<StoredLine>,
    /// The hole or damage after them; `None` if the log is complete.
    pub fault: Option<StoreError>,
}

/// A store of tables. The crate's front page has an example.
///
/// An error leaves the table unchanged, with one exception: [`StoreError::Unsure`].
pub trait Store: Send + Sync {
    /// Creates a table with its first lines in one transaction.
    fn create(&self, table: &NewTable<'_>) -> Result<Summary, StoreError> {
        self.create_with(table, &[], None)
    }

    /// Creates a table with its first lines, its first texts (name and text) and a receipt, all in
    /// one transaction.
    fn create_with(
        &self,
        table: &NewTable<'_>,
        texts: &[(&str, &str)],
        receipt: Option<Receipt<'_>>,
    ) -> Result<Summary, StoreError>;

    /// Appends lines after event `after` in one transaction, and returns the number of the last.
    /// They are durable when this returns. If `after` is not the table's last event, nothing is
    /// written and the error is [`StoreError::MovedOn`].
    fn append(&self, id: &TableId, after: u64, lines: &[&str]) -> Result<u64, StoreError> {
        self.append_with(id, &Append { after, lines, ..Append::default() })
    }

    /// Appends lines if the guard holds too, and stores the receipt with them. If the guard does not
    /// hold, nothing is written and the error is [`StoreError::TextChanged`].
    fn append_with(&self, id: &TableId, append: &Append<'_>) -> Result<u64, StoreError>;

    /// The receipt of a player's request, if it was carried out and is still kept.
    fn receipt(&self, id: &TableId, player: &str, key: &str) -> Result<Receipts, StoreError>;

    /// The events after event `after` (0: all of them), in order. A hole or damage is an error;
    /// [`Store::salvage`] reads up to it.
    fn read(&self, id: &TableId, after: u64) -> Result<Vec<StoredLine>, StoreError> {
        let salvage = self.salvage(id, after)?;
        salvage.fault.map_or(Ok(salvage.lines), Err)
    }

    /// The events of several tables, each after an event. Tables that do not exist are left out; a
    /// hole or damage in one is an error for all.
    fn read_several(
        &self,
        tables: &[(TableId, u64)],
    ) -> Result<Vec<(TableId, Vec<StoredLine>)>, StoreError> {
        let read = |(id, after): &(TableId, u64)| match self.read(id, *after) {
            Err(StoreError::NoTable { .. }) => None,
            found => Some(found.map(|lines| (*id, lines))),
        };
        tables.iter().filter_map(read).collect()
    }

    /// The events after event `after` as far as the log is intact.
    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError>;

    /// One table as the list shows it.
    fn summary(&self, id: &TableId) -> Result<Summary, StoreError>;

    /// All tables, the last changed first.
    fn list(&self, include_archived: bool) -> Result<Vec<Summary>, StoreError>;

    fn rename(&self, id: &TableId, name: &str) -> Result<(), StoreError>;

    /// Archives a table, or restores it. Its events stay.
    fn archive(&self, id: &TableId, archived: bool) -> Result<(), StoreError>;

    /// The text of a name beside a table's log: data that a server keeps for a table and no player
    /// reads.
    fn text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError>;

    /// Writes a text beside a table's log. It is durable when this returns; an empty text deletes.
    /// `seen` is the version that the writer knows (0: none). Returns the new version, or `None` if
    /// another writer was faster and nothing was written. Watchers are notified.
    fn put_text(
        &self,
        id: &TableId,
        name: &str,
        seen: u64,
        text: &str,
    ) -> Result<Option<u64>, StoreError> {
        self.put_text_with(id, (name, seen), text, None)
    }

    /// Writes a text and stores a receipt with it.
    fn put_text_with(
        &self,
        id: &TableId,
        seen: (&str, u64),
        text: &str,
        receipt: Option<Receipt<'_>>,
    ) -> Result<Option<u64>, StoreError>;

    /// A text that belongs to no table, such as a pack that several games use.
    fn shared_text(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Stores a text that belongs to no table, unless there is one of this name: it is never
    /// changed, so its name should say what it holds. It is durable when this returns. Watchers are
    /// not notified.
    fn keep_shared_text(&self, name: &str, text: &str) -> Result<(), StoreError>;

    /// Notifies of changes of one table, or of any (`None`): by this store, another process or
    /// another server.
    fn watch(&self, of: Option<&TableId>) -> Result<Watch, StoreError>;

    /// Writes a text that belongs to no table, to check that the store is writable now. Watchers
    /// are not notified.
    fn probe(&self) -> Result<(), StoreError>;

    /// Reads everything and reports damage. Changes nothing.
    fn check(&self) -> Result<StoreCheck, StoreError>;

    /// The location for people, without secrets.
    fn place(&self) -> &str;
}

/// A probe's text: as long as a long event and different each time, so that it needs disk space as
/// an event does.
pub(crate) fn probe_text() -> Result<String, StoreError> {
    const PARTS: usize = 512;
    (0..PARTS).map(|_| TableId::new().map(|id| id.to_string())).collect()
}

/// The key of texts that belong to no table. Tables have keys from 1.
pub(crate) const SHARED: i64 = 0;

/// The key and the name of a probe's text.
pub(crate) const PROBE: (i64, &str) = (SHARED, "probe");

/// The name under which a shared text is stored, apart from the probe.
pub(crate) fn shared_name(name: &str) -> String {
    format!("shared {name}")
}

/// Collects lines as long as their numbers are consecutive from `after` to `last`.
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
    let fault = (intact < last).then(|| StoreError::Hole {
        id: *id,
        place: place.to_owned(),
        intact,
        last,
    });
    Salvage { lines, fault }
}
