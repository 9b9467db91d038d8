//! Group commit: writes that come while a batch is being written share the next batch, and so one
//! transaction and one wait for the disk. Each write has its own result.

use crate::watch::lock;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The largest batch. The notification of 64 writes stays far below PostgreSQL's limit of 8,000 bytes.
const MAX_BATCH: usize = 64;

type ResultSlot<R> = Arc<Mutex<Option<R>>>;

struct Waiting<W, R> {
    writes: Vec<W>,
    results: Vec<ResultSlot<R>>,
    /// Set while a batch is being written.
    busy: bool,
}

/// Writes that wait for the next batch.
pub(crate) struct GroupCommit<W, R> {
    waiting: Mutex<Waiting<W, R>>,
    wakeup: Condvar,
}

impl<W, R> Default for GroupCommit<W, R> {
    fn default() -> Self {
        let waiting = Waiting { writes: Vec::new(), results: Vec::new(), busy: false };
        GroupCommit { waiting: Mutex::new(waiting), wakeup: Condvar::new() }
    }
}

impl<W, R> GroupCommit<W, R> {
    /// Returns the result of a write. The first caller that finds no batch under way writes everything
    /// that waits, with `write_batch`. If that panics, each write of the batch gets the result `lost`.
    pub(crate) fn submit(
        &self,
        write: W,
        write_batch: impl Fn(&[W]) -> Vec<R>,
        lost: impl Fn(&W) -> R,
    ) -> R {
        let slot = ResultSlot::<R>::default();
        let mut waiting = lock(&self.waiting);
        waiting.writes.push(write);
        waiting.results.push(Arc::clone(&slot));
        loop {
            if let Some(result) = lock(&slot).take() {
                return result;
            }
            waiting = if waiting.busy {
                self.wakeup.wait(waiting).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.run_batch(waiting, &write_batch, &lost)
            };
        }
    }

    fn run_batch<'a>(
        &'a self,
        mut waiting: MutexGuard<'a, Waiting<W, R>>,
        write_batch: &impl Fn(&[W]) -> Vec<R>,
        lost: &impl Fn(&W) -> R,
    ) -> MutexGuard<'a, Waiting<W, R>> {
        let count = waiting.writes.len().min(MAX_BATCH);
        let writes = waiting.writes.drain(..count).collect();
        let results = waiting.results.drain(..count).collect();
        waiting.busy = true;
        drop(waiting);
        let batch = Batch { group_commit: self, writes, results, lost };
        for (slot, result) in batch.results.iter().zip(write_batch(&batch.writes)) {
            *lock(slot) = Some(result);
        }
        drop(batch);
        lock(&self.waiting)
    }

    #[cfg(test)]
    pub(crate) fn is_busy(&self) -> bool {
        lock(&self.waiting).busy
    }

    /// The number of writes that wait for the next batch.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        lock(&self.waiting).writes.len()
    }
}

/// A batch being written. Dropping it, even after a panic, gives every write a result and lets the
/// next batch start.
struct Batch<'a, W, R, L: Fn(&W) -> R> {
    group_commit: &'a GroupCommit<W, R>,
    writes: Vec<W>,
    results: Vec<ResultSlot<R>>,
    lost: &'a L,
}

impl<W, R, L: Fn(&W) -> R> Drop for Batch<'_, W, R, L> {
    fn drop(&mut self) {
        for (write, slot) in self.writes.iter().zip(&self.results) {
            lock(slot).get_or_insert_with(|| (self.lost)(write));
        }
        lock(&self.group_commit.waiting).busy = false;
        self.group_commit.wakeup.notify_all();
    }
}
