//! Who writes at the same moment goes to the disk together. A commit waits for the disk, and while it does others arrive; the first of them
//! then takes all that wait through one transaction and one wait. Each is still answered only when what he wrote is on the disk, and each is
//! judged as if he had come alone: what one is refused touches nobody else, and where a transaction of several fails each is tried by himself.

use super::errors::{at_commit, fault};
use super::opening::Opened;
use crate::watch::lock;
use crate::{StoreError, TableId};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// So many go together at most.
const MOST: usize = 64;

/// What came of a wish: the table's last event, and the version of a text that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) last: u64,
    pub(crate) version: Option<u64>,
}

pub(crate) type WriteResult = Result<Written, StoreError>;

/// Writes in the transaction it is given. It may be tried a second time, and refuses (a late writer, an unknown table) before it writes anything.
pub(crate) type Work = Box<dyn Fn(&Opened, &Transaction<'_>) -> WriteResult + Send>;

/// What somebody wants written, and where he finds what came of it.
struct QueuedWrite {
    id: TableId,
    after: u64,
    work: Work,
    told: Arc<Mutex<Option<WriteResult>>>,
}

#[derive(Default)]
struct WriteQueue {
    wishes: Vec<QueuedWrite>,
    /// Somebody is at the disk.
    busy: bool,
}

/// The one writer of a file, and those who wait for it.
pub(crate) struct GroupCommit {
    writer: Mutex<Connection>,
    waiting: Mutex<WriteQueue>,
    bell: Condvar,
}

impl GroupCommit {
    pub(crate) fn new(writer: Connection) -> GroupCommit {
        GroupCommit { writer: Mutex::new(writer), waiting: Mutex::default(), bell: Condvar::new() }
    }

    /// Has something written, alone or with others, and says what came of it once it is on the disk.
    pub(crate) fn write(&self, opened: &Opened, id: &TableId, after: u64, work: Work) -> WriteResult {
        let told = Arc::new(Mutex::new(None));
        let mut waiting = lock(&self.waiting);
        waiting.wishes.push(QueuedWrite { id: *id, after, work, told: Arc::clone(&told) });
        loop {
            if let Some(outcome) = lock(&told).take() {
                return outcome;
            }
            waiting =
                if waiting.busy { self.bell.wait(waiting).unwrap_or_else(PoisonError::into_inner) } else { self.lead(opened, waiting) };
        }
    }

    /// Takes those who wait to the disk.
    fn lead<'a>(&'a self, opened: &Opened, mut waiting: MutexGuard<'a, WriteQueue>) -> MutexGuard<'a, WriteQueue> {
        let count = waiting.wishes.len().min(MOST);
        let wishes: Vec<QueuedWrite> = waiting.wishes.drain(..count).collect();
        waiting.busy = true;
        drop(waiting);
        let group = Group { turns: self, opened, wishes };
        let outcomes = all(opened, &mut lock(&self.writer), &group.wishes);
        for (wish, outcome) in group.wishes.iter().zip(outcomes) {
            *lock(&wish.told) = Some(outcome);
        }
        drop(group);
        lock(&self.waiting)
    }
}

/// Those who go together. However it ends, each of them is told something and the next may go.
struct Group<'a> {
    turns: &'a GroupCommit,
    opened: &'a Opened,
    wishes: Vec<QueuedWrite>,
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        for wish in &self.wishes {
            let (place, detail) = (self.opened.place.clone(), "the writer ended in the midst of it".to_owned());
            lock(&wish.told).get_or_insert(Err(StoreError::Unsure { place, id: wish.id, after: wish.after, detail }));
        }
        lock(&self.turns.waiting).busy = false;
        self.turns.bell.notify_all();
    }
}

fn all(opened: &Opened, writer: &mut Connection, wishes: &[QueuedWrite]) -> Vec<WriteResult> {
    let together = if wishes.len() > 1 { together(opened, writer, wishes) } else { None };
    together.unwrap_or_else(|| wishes.iter().map(|wish| alone(opened, writer, wish)).collect())
}

fn alone(opened: &Opened, writer: &mut Connection, wish: &QueuedWrite) -> WriteResult {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate).map_err(|e| fault(&opened.place, &e))?;
    let written = (wish.work)(opened, &transaction)?;
    transaction.commit().map_err(|e| at_commit(&opened.place, &e, &wish.id, wish.after))?;
    Ok(written)
}

/// All in one transaction; none when it came to nothing and each must try by himself.
fn together(opened: &Opened, writer: &mut Connection, wishes: &[QueuedWrite]) -> Option<Vec<WriteResult>> {
    let transaction = match writer.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => return Some(wishes.iter().map(|_| Err(fault(&opened.place, &error))).collect()),
    };
    let mut outcomes = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let outcome = (wish.work)(opened, &transaction);
        let refused = matches!(outcome, Err(StoreError::MovedOn { .. } | StoreError::NoTable { .. } | StoreError::Taken { .. }));
        if outcome.is_err() && !refused {
            return None;
        }
        outcomes.push(outcome);
    }
    match transaction.commit() {
        Ok(()) => Some(outcomes),
        Err(error) => {
            let unsure = |wish: &QueuedWrite| at_commit(&opened.place, &error, &wish.id, wish.after);
            let faults: Vec<StoreError> = wishes.iter().map(unsure).collect();
            // What may stand there nevertheless must not be tried again.
            let sure = !faults.iter().any(|fault| matches!(fault, StoreError::Unsure { .. }));
            if sure { None } else { Some(faults.into_iter().map(Err).collect()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread;

    fn fresh() -> (tempfile::TempDir, Opened, Connection, TableId) {
        let folder = tempfile::tempdir().unwrap();
        let (opened, writer) = Opened::to_write(&folder.path().join("tables.db"), false).unwrap();
        (folder, opened, writer, TableId::new().unwrap())
    }

    fn wish(id: TableId, work: impl Fn(&Opened, &Transaction<'_>) -> WriteResult + Send + 'static) -> QueuedWrite {
        QueuedWrite { id, after: 0, work: Box::new(work), told: Arc::default() }
    }

    /// Puts a text down and says how many there are then.
    fn note(name: &'static str) -> impl Fn(&Opened, &Transaction<'_>) -> WriteResult + Send + 'static {
        move |opened, transaction| {
            let sql = "INSERT INTO texts (game, name, version, text) VALUES (1, ?1, 1, 'x')";
            transaction.execute(sql, [name]).map_err(|e| opened.fault(&e))?;
            Ok(Written { last: transaction.query_row("SELECT count(*) FROM texts", [], |row| row.get(0)).unwrap(), version: None })
        }
    }

    fn last(outcome: &WriteResult) -> Option<u64> {
        outcome.as_ref().ok().map(|written| written.last)
    }

    #[test]
    fn who_is_refused_holds_up_nobody() {
        let (_folder, opened, mut writer, id) = fresh();
        let late = move |_: &Opened, _: &Transaction<'_>| Err(StoreError::MovedOn { id, last: 7 });
        let told = all(&opened, &mut writer, &[wish(id, note("a")), wish(id, late), wish(id, note("b"))]);
        assert_eq!((last(&told[0]), &told[1], last(&told[2])), (Some(1), &Err(StoreError::MovedOn { id, last: 7 }), Some(2)));
    }

    #[test]
    fn who_fails_fails_alone_and_nothing_of_his_stays() {
        let (_folder, opened, mut writer, id) = fresh();
        let tries = Arc::new(AtomicUsize::new(0));
        let (count, half) = (Arc::clone(&tries), note("half"));
        let fails = move |opened: &Opened, transaction: &Transaction<'_>| {
            count.fetch_add(1, Relaxed);
            half(opened, transaction)?;
            Err(StoreError::Full { place: opened.place.clone() })
        };
        let told = all(&opened, &mut writer, &[wish(id, note("a")), wish(id, fails), wish(id, note("b"))]);
        assert_eq!((last(&told[0]), last(&told[2]), tries.load(Relaxed)), (Some(1), Some(2), 2));
        assert_eq!(told[1], Err(StoreError::Full { place: opened.place.clone() }));
    }

    #[test]
    fn a_commit_of_several_that_fails_is_undone_and_each_is_tried_alone() {
        let (_folder, opened, mut writer, id) = fresh();
        // An event of no table: refused at the commit, not before.
        let fails = |opened: &Opened, transaction: &Transaction<'_>| {
            let sql = "PRAGMA defer_foreign_keys = ON; INSERT INTO events (game, number, text) VALUES (99, 1, 'x')";
            transaction.execute_batch(sql).map_err(|e| opened.fault(&e))?;
            Ok(Written { last: 1, version: None })
        };
        let told = all(&opened, &mut writer, &[wish(id, note("a")), wish(id, fails), wish(id, note("b"))]);
        assert_eq!((last(&told[0]), last(&told[2])), (Some(1), Some(2)));
        assert!(matches!(told[1], Err(StoreError::Other { .. })), "{:?}", told[1]);
        let events: u64 = writer.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
        assert_eq!(events, 0);
    }

    #[test]
    fn who_waits_goes_with_the_next_and_a_panic_leaves_nobody_waiting() {
        let (_folder, opened, writer, id) = fresh();
        let turns = GroupCommit::new(writer);
        let write = |work: Work| turns.write(&opened, &id, 0, work);
        let names = ["a", "b", "c", "d"];
        thread::scope(|scope| {
            let busy = lock(&turns.writer);
            let first = scope.spawn(|| write(Box::new(|_, _| panic!("as a fault in our own work would"))));
            while !lock(&turns.waiting).busy {
                thread::yield_now();
            }
            let all: Vec<_> = names.iter().map(|name| scope.spawn(|| write(Box::new(note(name))))).collect();
            while lock(&turns.waiting).wishes.len() < names.len() {
                thread::yield_now();
            }
            drop(busy);
            assert!(first.join().is_err());
            let mut counts: Vec<_> = all.into_iter().map(|one| last(&one.join().unwrap())).collect();
            counts.sort();
            assert_eq!(counts, [Some(1), Some(2), Some(3), Some(4)]);
        });
    }
}
