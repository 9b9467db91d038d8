//! Group commit: the appends of this server that come while a commit is under way share the next
//! transaction. So one server has one commit at a time, and PostgreSQL's lock for notifications,
//! which all commits with a notification take one after another, is taken once for a whole batch.
//!
//! A game that another transaction holds does not hold up the batch: that append runs alone. If a
//! batch fails, each append runs alone. If the connection is lost, each finds out its own outcome.

use super::append::{Outcome, OwnedAppend, append_all};
use super::errors::PostgresError;
use super::pool::Pool;
use crate::StoreError;
use crate::watch::lock;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The largest batch. Its notification stays far below PostgreSQL's limit of 8,000 bytes.
const MAX_BATCH: usize = 64;

/// What became of an append in a batch.
pub(crate) enum Batched {
    Done(Outcome),
    /// Nothing was written.
    Failed(StoreError),
    /// Nothing was written. It has to run alone.
    Alone,
    /// The connection was lost: it may have been stored.
    Lost,
}

struct Queued {
    append: OwnedAppend,
    result: Mutex<Option<Batched>>,
}

#[derive(Default)]
struct Waiting {
    appends: Vec<Arc<Queued>>,
    /// Whether a batch is being written.
    busy: bool,
}

/// The queue of a store.
#[derive(Default)]
pub(crate) struct GroupCommit {
    waiting: Mutex<Waiting>,
    wakeup: Condvar,
}

impl GroupCommit {
    /// Appends in the next batch. The first caller that finds no batch under way writes it.
    pub(crate) fn append(&self, pool: &Pool, append: OwnedAppend) -> Batched {
        let queued = Arc::new(Queued { append, result: Mutex::default() });
        let mut waiting = lock(&self.waiting);
        waiting.appends.push(Arc::clone(&queued));
        loop {
            if let Some(result) = lock(&queued.result).take() {
                return result;
            }
            waiting = if waiting.busy {
                self.wakeup.wait(waiting).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.run_batch(pool, waiting)
            };
        }
    }

    fn run_batch<'a>(
        &'a self,
        pool: &Pool,
        mut waiting: MutexGuard<'a, Waiting>,
    ) -> MutexGuard<'a, Waiting> {
        let count = waiting.appends.len().min(MAX_BATCH);
        let appends: Vec<Arc<Queued>> = waiting.appends.drain(..count).collect();
        waiting.busy = true;
        drop(waiting);
        let batch = Batch { group_commit: self, appends };
        let results = write_batch(pool, &batch.appends);
        for (queued, result) in batch.appends.iter().zip(results) {
            *lock(&queued.result) = Some(result);
        }
        drop(batch);
        lock(&self.waiting)
    }
}

/// A batch being written. Dropping it, even after a panic, gives every append a result and lets the
/// next batch start.
struct Batch<'a> {
    group_commit: &'a GroupCommit,
    appends: Vec<Arc<Queued>>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        for queued in &self.appends {
            lock(&queued.result).get_or_insert(Batched::Lost);
        }
        lock(&self.group_commit.waiting).busy = false;
        self.group_commit.wakeup.notify_all();
    }
}

fn write_batch(pool: &Pool, queued: &[Arc<Queued>]) -> Vec<Batched> {
    let mut client = match pool.take() {
        Ok(client) => client,
        Err(fault) => return queued.iter().map(|_| Batched::Failed(fault.clone())).collect(),
    };
    let appends: Vec<&OwnedAppend> = queued.iter().map(|queued| &queued.append).collect();
    match client.run(|connection| append_all(connection, &appends, false)) {
        Ok(outcomes) => {
            client.release();
            let batched = |outcome| match outcome {
                Outcome::Locked => Batched::Alone,
                other => Batched::Done(other),
            };
            outcomes.into_iter().map(batched).collect()
        }
        Err(PostgresError::Fault(fault)) => {
            client.release();
            match queued {
                [_] => vec![Batched::Failed(fault)],
                several => several.iter().map(|_| Batched::Alone).collect(),
            }
        }
        Err(PostgresError::Broken(_)) => queued.iter().map(|_| Batched::Lost).collect(),
    }
}
