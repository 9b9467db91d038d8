//! Change notifications. A store has one hub, and each watcher has a subscriber that holds only the
//! newest number for each table. So a slow watcher needs no more memory than there are tables, and
//! misses nothing: notices merge, they are not dropped.

use crate::TableId;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A notice to a watcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A table was created, renamed, archived or restored, or got events. One change may be
    /// reported more than once, and several changes of one table may be reported as one.
    Changed {
        id: TableId,
        /// The number of its last event.
        last: u64,
        /// Set if a text beside its log may have changed.
        texts: bool,
    },
    /// Notices may be lost, because the database was unreachable: look at every table again.
    LookAgain,
    /// The time is over and nothing happened.
    Nothing,
    /// The store is closed; there will be no more notices.
    Closed,
}

/// Receives change notices. Made by [`crate::Store::watch`].
///
/// ```
/// use std::time::Duration;
/// use adjutant_store::{NewTable, Notice, StoreLocation, TableId, open};
///
/// let folder = tempfile::tempdir().unwrap();
/// let store = open(&StoreLocation::default_in(folder.path())).unwrap();
/// let watch = store.watch(None).unwrap();
/// let id = TableId::new().unwrap();
/// store.create(&NewTable { id, name: "Friday", pack: "panzer8", lines: &["{}"] }).unwrap();
/// assert_eq!(watch.wait(Duration::from_secs(10)), Notice::Changed { id, last: 1, texts: false });
/// ```
#[derive(Debug)]
pub struct Watch {
    subscriber: Arc<Subscriber>,
}

impl Watch {
    /// Waits for the next notice, at most this long.
    #[must_use]
    pub fn wait(&self, at_most: Duration) -> Notice {
        self.wait_until(at_most, PendingNotices::take).unwrap_or(Notice::Nothing)
    }

    /// Waits for the next notice, at most this long, and returns all there are.
    #[must_use]
    pub fn wait_for_all(&self, at_most: Duration) -> Vec<Notice> {
        let all = |pending: &mut PendingNotices| {
            let mut notices: Vec<Notice> = Vec::new();
            while let Some(notice) = pending.take() {
                notices.push(notice);
                if notice == Notice::Closed {
                    break;
                }
            }
            (!notices.is_empty()).then_some(notices)
        };
        self.wait_until(at_most, all).unwrap_or_default()
    }

    fn wait_until<T>(
        &self,
        at_most: Duration,
        take: impl Fn(&mut PendingNotices) -> Option<T>,
    ) -> Option<T> {
        let until = Instant::now().checked_add(at_most);
        let mut pending = lock(&self.subscriber.pending);
        loop {
            if let Some(taken) = take(&mut pending) {
                return Some(taken);
            }
            let left = until.map_or(Duration::from_secs(3600), |until| {
                until.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return None;
            }
            pending = self
                .subscriber
                .wakeup
                .wait_timeout(pending, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

#[derive(Debug)]
struct Subscriber {
    of: Option<TableId>,
    pending: Mutex<PendingNotices>,
    wakeup: Condvar,
}

#[derive(Debug, Default)]
struct PendingNotices {
    look_again: bool,
    /// The last event of each, and whether a text may have changed.
    changed: BTreeMap<TableId, (u64, bool)>,
    closed: bool,
}

impl PendingNotices {
    fn take(&mut self) -> Option<Notice> {
        if std::mem::take(&mut self.look_again) {
            return Some(Notice::LookAgain);
        }
        if let Some((id, (last, texts))) = self.changed.pop_first() {
            return Some(Notice::Changed { id, last, texts });
        }
        self.closed.then_some(Notice::Closed)
    }
}

/// Distributes notices to the watchers of a store.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    subscribers: Mutex<Vec<Weak<Subscriber>>>,
    closed: Mutex<bool>,
    closing: Condvar,
}

impl Hub {
    pub(crate) fn watch(&self, of: Option<&TableId>) -> Watch {
        let subscriber = Arc::new(Subscriber {
            of: of.copied(),
            pending: Mutex::default(),
            wakeup: Condvar::new(),
        });
        lock(&self.subscribers).push(Arc::downgrade(&subscriber));
        Watch { subscriber }
    }

    pub(crate) fn changed(&self, id: &TableId, last: u64, texts: bool) {
        self.all_changed(&[(*id, last, texts)]);
    }

    /// Several changes at once: each watcher wakes once.
    pub(crate) fn all_changed(&self, changes: &[(TableId, u64, bool)]) {
        self.notify(|subscriber, pending| {
            for (id, last, texts) in changes {
                if subscriber.of.is_none_or(|of| of == *id) {
                    let change = pending.changed.entry(*id).or_default();
                    *change = (change.0.max(*last), change.1 || *texts);
                }
            }
        });
    }

    pub(crate) fn look_again(&self) {
        self.notify(|_, pending| pending.look_again = true);
    }

    /// Ends all watches and wakes every thread that pauses.
    pub(crate) fn close(&self) {
        *lock(&self.closed) = true;
        self.closing.notify_all();
        self.notify(|_, pending| pending.closed = true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        *lock(&self.closed)
    }

    /// Waits this long, or until the hub closes. Returns whether it is still open.
    pub(crate) fn pause(&self, length: Duration) -> bool {
        let closed = lock(&self.closed);
        let (closed, _) = self
            .closing
            .wait_timeout_while(closed, length, |closed| !*closed)
            .unwrap_or_else(PoisonError::into_inner);
        !*closed
    }

    fn notify(&self, update: impl Fn(&Subscriber, &mut PendingNotices)) {
        lock(&self.subscribers).retain(|subscriber| {
            let Some(subscriber) = subscriber.upgrade() else { return false };
            update(&subscriber, &mut lock(&subscriber.pending));
            subscriber.wakeup.notify_all();
            true
        });
    }
}

/// Locks a mutex and ignores poisoning: guarded values are only ever replaced as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_merge_and_none_is_lost() {
        let (hub, id) = (Hub::default(), TableId::new().unwrap());
        let (all, one, other) =
            (hub.watch(None), hub.watch(Some(&id)), hub.watch(Some(&TableId::new().unwrap())));
        (1..=100_000).for_each(|last| hub.changed(&id, last, last == 7));
        hub.look_again();
        hub.close();
        let received = |watch: &Watch| {
            std::iter::repeat_with(|| watch.wait(Duration::ZERO))
                .take_while(|n| *n != Notice::Closed)
                .collect::<Vec<_>>()
        };
        let both = [Notice::LookAgain, Notice::Changed { id, last: 100_000, texts: true }];
        assert_eq!(
            (received(&all), received(&one), received(&other)),
            (both.to_vec(), both.to_vec(), vec![Notice::LookAgain])
        );
    }

    #[test]
    fn a_watch_that_is_dropped_leaves_nothing_behind() {
        let hub = Hub::default();
        (0..10).for_each(|_| drop(hub.watch(None)));
        hub.look_again();
        assert!(lock(&hub.subscribers).is_empty());
    }
}
