//! Writes of this process in shared transactions. A rejected write does not affect the others of its
//! batch, and if a shared transaction fails, each write is tried alone.

use super::database_file::DatabaseFile;
use super::errors::{at_commit, fault};
use crate::watch::lock;
use crate::{StoreError, TableId, group_commit};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::sync::Mutex;

/// The result of a write: the number of the table's last event, and the version of a text that was
/// written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) last: u64,
    pub(crate) version: Option<u64>,
}

pub(crate) type WriteResult = Result<Written, StoreError>;

/// Writes in the given transaction. It may run twice, and it must reject (a stale append, an
/// unknown table) before it writes anything.
pub(crate) type WriteFn = Box<dyn Fn(&DatabaseFile, &Transaction<'_>) -> WriteResult + Send>;

struct QueuedWrite {
    id: TableId,
    after: u64,
    work: WriteFn,
}

/// The one writing connection of a file, and the queue for it.
pub(crate) struct GroupCommit {
    writer: Mutex<Connection>,
    queue: group_commit::GroupCommit<QueuedWrite, WriteResult>,
}

impl GroupCommit {
    pub(crate) fn new(writer: Connection) -> GroupCommit {
        GroupCommit { writer: Mutex::new(writer), queue: group_commit::GroupCommit::default() }
    }

    /// Writes alone or in a batch, and returns when the result is durable.
    pub(crate) fn write(
        &self,
        file: &DatabaseFile,
        id: &TableId,
        after: u64,
        work: WriteFn,
    ) -> WriteResult {
        let lost = |write: &QueuedWrite| {
            let detail = "the writer stopped before it was done".to_owned();
            let (place, id, after) = (file.place.clone(), write.id, write.after);
            Err(StoreError::Unsure { place, id, after, detail })
        };
        let write_batch =
            |writes: &[QueuedWrite]| write_batch(file, &mut lock(&self.writer), writes);
        self.queue.submit(QueuedWrite { id: *id, after, work }, write_batch, lost)
    }
}

fn write_batch(
    file: &DatabaseFile,
    writer: &mut Connection,
    writes: &[QueuedWrite],
) -> Vec<WriteResult> {
    let together = if writes.len() > 1 { write_together(file, writer, writes) } else { None };
    together
        .unwrap_or_else(|| writes.iter().map(|write| write_single(file, writer, write)).collect())
}

fn write_single(file: &DatabaseFile, writer: &mut Connection, write: &QueuedWrite) -> WriteResult {
    let transaction = writer
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(|e| fault(&file.place, &e))?;
    let written = (write.work)(file, &transaction)?;
    transaction.commit().map_err(|e| at_commit(&file.place, &e, &write.id, write.after))?;
    Ok(written)
}

/// Writes all in one transaction; `None` if it failed and each must be tried alone.
fn write_together(
    file: &DatabaseFile,
    writer: &mut Connection,
    writes: &[QueuedWrite],
) -> Option<Vec<WriteResult>> {
    let transaction = match writer.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            return Some(writes.iter().map(|_| Err(fault(&file.place, &error))).collect());
        }
    };
    let mut results = Vec::with_capacity(writes.len());
    for write in writes {
        let result = (write.work)(file, &transaction);
        let refused = matches!(
            result,
            Err(StoreError::MovedOn { .. }
                | StoreError::TextChanged { .. }
                | StoreError::NoTable { .. }
                | StoreError::Taken { .. })
        );
        if result.is_err() && !refused {
            return None;
        }
        results.push(result);
    }
    match transaction.commit() {
        Ok(()) => Some(results),
        Err(error) => {
            let unsure =
                |write: &QueuedWrite| at_commit(&file.place, &error, &write.id, write.after);
            let faults: Vec<StoreError> = writes.iter().map(unsure).collect();
            // A write that may have been committed must not be tried again.
            let sure = !faults.iter().any(|fault| matches!(fault, StoreError::Unsure { .. }));
            if sure { None } else { Some(faults.into_iter().map(Err).collect()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread;

    fn fresh() -> (tempfile::TempDir, DatabaseFile, Connection, TableId) {
        let folder = tempfile::tempdir().unwrap();
        let (file, writer) =
            DatabaseFile::to_write(&folder.path().join("tables.db"), false).unwrap();
        (folder, file, writer, TableId::new().unwrap())
    }

    fn write(
        id: TableId,
        work: impl Fn(&DatabaseFile, &Transaction<'_>) -> WriteResult + Send + 'static,
    ) -> QueuedWrite {
        QueuedWrite { id, after: 0, work: Box::new(work) }
    }

    /// Inserts a text and returns how many there are.
    fn note(
        name: &'static str,
    ) -> impl Fn(&DatabaseFile, &Transaction<'_>) -> WriteResult + Send + 'static {
        move |file, transaction| {
            let sql = "INSERT INTO texts (game, name, version, text) VALUES (1, ?1, 1, 'x')";
            transaction.execute(sql, [name]).map_err(|e| file.fault(&e))?;
            Ok(Written {
                last: transaction
                    .query_row("SELECT count(*) FROM texts", [], |row| row.get(0))
                    .unwrap(),
                version: None,
            })
        }
    }

    fn last(result: &WriteResult) -> Option<u64> {
        result.as_ref().ok().map(|written| written.last)
    }

    #[test]
    fn a_rejected_write_does_not_affect_the_others() {
        let (_folder, file, mut writer, id) = fresh();
        let late =
            move |_: &DatabaseFile, _: &Transaction<'_>| Err(StoreError::MovedOn { id, last: 7 });
        let result = write_batch(
            &file,
            &mut writer,
            &[write(id, note("a")), write(id, late), write(id, note("b"))],
        );
        assert_eq!(
            (last(&result[0]), &result[1], last(&result[2])),
            (Some(1), &Err(StoreError::MovedOn { id, last: 7 }), Some(2))
        );
    }

    #[test]
    fn a_failed_write_fails_alone_and_leaves_nothing() {
        let (_folder, file, mut writer, id) = fresh();
        let tries = Arc::new(AtomicUsize::new(0));
        let (count, half) = (Arc::clone(&tries), note("half"));
        let fails = move |file: &DatabaseFile, transaction: &Transaction<'_>| {
            count.fetch_add(1, Relaxed);
            half(file, transaction)?;
            Err(StoreError::Full { place: file.place.clone() })
        };
        let result = write_batch(
            &file,
            &mut writer,
            &[write(id, note("a")), write(id, fails), write(id, note("b"))],
        );
        assert_eq!(
            (last(&result[0]), last(&result[2]), tries.load(Relaxed)),
            (Some(1), Some(2), 2)
        );
        assert_eq!(result[1], Err(StoreError::Full { place: file.place.clone() }));
    }

    #[test]
    fn a_commit_of_several_that_fails_is_undone_and_each_is_tried_alone() {
        let (_folder, file, mut writer, id) = fresh();
        // An event of no table: rejected at the commit, not before.
        let fails = |file: &DatabaseFile, transaction: &Transaction<'_>| {
            let sql = "PRAGMA defer_foreign_keys = ON; INSERT INTO events (game, number, text) VALUES (99, 1, 'x')";
            transaction.execute_batch(sql).map_err(|e| file.fault(&e))?;
            Ok(Written { last: 1, version: None })
        };
        let result = write_batch(
            &file,
            &mut writer,
            &[write(id, note("a")), write(id, fails), write(id, note("b"))],
        );
        assert_eq!((last(&result[0]), last(&result[2])), (Some(1), Some(2)));
        assert!(matches!(result[1], Err(StoreError::Other { .. })), "{:?}", result[1]);
        let events: u64 =
            writer.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
        assert_eq!(events, 0);
    }

    #[test]
    fn waiting_writes_share_the_next_commit_even_after_a_panic() {
        let (_folder, file, writer, id) = fresh();
        let group_commit = GroupCommit::new(writer);
        let write = |work: WriteFn| group_commit.write(&file, &id, 0, work);
        let names = ["a", "b", "c", "d"];
        thread::scope(|scope| {
            let busy = lock(&group_commit.writer);
            let first =
                scope.spawn(|| write(Box::new(|_, _| panic!("as a fault in our own work would"))));
            while !group_commit.queue.is_busy() {
                thread::yield_now();
            }
            let all: Vec<_> =
                names.iter().map(|name| scope.spawn(|| write(Box::new(note(name))))).collect();
            while group_commit.queue.waiting() < names.len() {
                thread::yield_now();
            }
            drop(busy);
            assert!(first.join().is_err());
            let mut counts: Vec<_> =
                all.into_iter().map(|one| last(&one.join().unwrap())).collect();
            counts.sort();
            assert_eq!(counts, [Some(1), Some(2), Some(3), Some(4)]);
        });
    }
}
