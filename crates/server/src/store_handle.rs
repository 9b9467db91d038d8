//! The shared store. Its calls block, and so does closing it: the PostgreSQL client panics if it is
//! closed on a thread that drives requests. So the last owner closes it on another thread.

use crate::live_table::lock;
use adjutant_store::{Store, StoreError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The store, closed on a thread of its own.
pub(crate) struct StoreHandle {
    /// There until the end.
    store: Option<Arc<dyn Store>>,
    /// Whether the last write succeeded, and when that was found out; `None` before the first.
    last_write: Mutex<Option<(Instant, Result<(), StoreError>)>>,
}

impl StoreHandle {
    pub fn of(store: Arc<dyn Store>) -> Arc<StoreHandle> {
        Arc::new(StoreHandle { store: Some(store), last_write: Mutex::default() })
    }

    /// The store; a fault for who comes after the end, which no one can.
    pub fn store(&self) -> Result<&dyn Store, StoreError> {
        self.store.as_deref().ok_or_else(|| StoreError::Other {
            place: "the store".to_owned(),
            detail: "it is closed".to_owned(),
        })
    }
}

impl StoreHandle {
    /// Writes, and remembers whether the store could be written.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = work(self.store()?);
        let outcome = match &done {
            Ok(_) => Ok(()),
            // The store works; it is the request that does not fit.
            Err(
                StoreError::MovedOn { .. }
                | StoreError::TextChanged { .. }
                | StoreError::NoTable { .. }
                | StoreError::Taken { .. }
                | StoreError::BadId { .. }
                | StoreError::BadText { .. },
            ) => return done,
            Err(fault) => Err(fault.clone()),
        };
        *lock(&self.last_write) = Some((Instant::now(), outcome));
        done
    }

    /// Whether the store can be written: what the last write said, or a new one if that is older
    /// than `interval`.
    pub fn can_write(&self, interval: Duration) -> Result<(), StoreError> {
        let mut last_write = lock(&self.last_write);
        if let Some((at, outcome)) = &*last_write
            && at.elapsed() < interval
        {
            return outcome.clone();
        }
        // Other requests get the last answer meanwhile: one probe at a time is enough.
        if let Some((at, _)) = &mut *last_write {
            *at = Instant::now();
        }
        drop(last_write);
        self.write(|store| store.probe())
    }
}

impl Drop for StoreHandle {
    fn drop(&mut self) {
        let store = self.store.take();
        let closing = std::thread::Builder::new()
            .name("web: closing the store".to_owned())
            .spawn(move || drop(store));
        if let Ok(closing) = closing {
            // A panic while closing has been told already.
            let _ = closing.join();
        }
    }
}
