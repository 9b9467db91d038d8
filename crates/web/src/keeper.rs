//! The store, shared by all. Its calls block, and so does closing it: a client of PostgreSQL panics when it is closed on a thread
//! that drives requests. Whoever lets go of it last therefore has it closed elsewhere.

use std::sync::Arc;
use store::{Store, StoreFault};

/// The store, closed on a thread of its own.
pub(crate) struct Keeper {
    /// There until the end.
    store: Option<Arc<dyn Store>>,
}

impl Keeper {
    pub fn of(store: Arc<dyn Store>) -> Arc<Keeper> {
        Arc::new(Keeper { store: Some(store) })
    }

    /// The store; a fault for who comes after the end, which nobody can.
    pub fn store(&self) -> Result<&dyn Store, StoreFault> {
        self.store.as_deref().ok_or_else(|| StoreFault::Other { place: "the store".to_owned(), detail: "it is closed".to_owned() })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let store = self.store.take();
        let closing = std::thread::Builder::new().name("web: closing the store".to_owned()).spawn(move || drop(store));
        if let Ok(closing) = closing {
            // A panic while closing has been told already.
            let _ = closing.join();
        }
    }
}
