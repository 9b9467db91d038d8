//! The tables in memory. A table is opened on request and dropped when it is idle. What other
//! servers and the command write is noticed through `Store::watch`: tables catch up, keys are read
//! again, and streams whose token is no longer valid end.

use crate::error::{ApiError, Unplayable};
use crate::live_table::{Game, LiveTable, blocking};
use crate::store_handle::StoreHandle;
use adjutant_game::Table;
use adjutant_pack::Pack;
use adjutant_store::{Notice, StoreError, TableId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::OnceCell;

/// So often the watcher sees whether the server is still there.
const ATTENTION: Duration = Duration::from_millis(250);

type Slot = Arc<OnceCell<Arc<LiveTable>>>;

/// The tables in memory.
pub(crate) struct TableCache {
    pub store: Arc<StoreHandle>,
    pub packs: Vec<Arc<Pack>>,
    /// What this server is called among those that share a database.
    server: Option<String>,
    slots: Mutex<HashMap<TableId, Slot>>,
    closing: AtomicBool,
    watcher: Mutex<Option<JoinHandle<()>>>,
}

impl TableCache {
    pub fn new(
        store: Arc<StoreHandle>,
        packs: Vec<Arc<Pack>>,
        server: Option<String>,
    ) -> Arc<TableCache> {
        Arc::new(TableCache {
            store,
            packs,
            server,
            slots: Mutex::default(),
            closing: AtomicBool::new(false),
            watcher: Mutex::default(),
        })
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<TableId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many tables are in memory.
    pub fn count(&self) -> usize {
        self.slots().len()
    }

    /// A pack by its id.
    pub fn pack(&self, id: &str) -> Option<&Arc<Pack>> {
        self.packs.iter().find(|pack| pack.id() == id)
    }

    /// A table, opened if need be.
    pub async fn live(self: &Arc<TableCache>, id: TableId) -> Result<Arc<LiveTable>, ApiError> {
        let slot = Arc::clone(self.slots().entry(id).or_default());
        let (hall, fresh) = (Arc::clone(self), !slot.initialized());
        let opened = slot.get_or_try_init(|| blocking(move || hall.open(id))).await;
        match opened {
            Ok(live) => {
                live.touch();
                let live = Arc::clone(live);
                if fresh {
                    // What was written while it was being read has been told to no one.
                    live.refresh(u64::MAX).await?;
                }
                Ok(live)
            }
            Err(wrong) => {
                let mut slots = self.slots();
                if slots.get(&id).is_some_and(|known| !known.initialized()) {
                    slots.remove(&id);
                }
                Err(wrong)
            }
        }
    }

    /// Blocks: reads and folds the log.
    fn open(&self, id: TableId) -> Result<Arc<LiveTable>, ApiError> {
        let summary = self.store.store()?.summary(&id)?;
        let salvage = self.store.store()?.salvage(&id, 0)?;
        let last = salvage.lines.len() as u64;
        let game: Game = match (self.pack(&summary.pack), salvage.fault) {
            (_, Some(fault)) => Err(Unplayable::Store(fault)),
            (None, _) => Err(Unplayable::NoPack(summary.pack)),
            (Some(pack), None) => {
                Table::open(Arc::clone(pack), salvage.lines.iter().map(|line| &line.text))
                    .map_err(Unplayable::Log)
            }
        };
        if let Err(why) = &game {
            tracing::warn!(%why, "a game cannot be opened");
        }
        LiveTable::new(id, (Arc::clone(&self.store), self.server.clone()), game, last).map(Arc::new)
    }

    /// Puts away what no one looks at.
    pub fn sweep(&self, idle: Duration) {
        self.slots().retain(|_, slot| {
            // A table that a player has in hand stays: two of one table would not know of one
            // another.
            let in_hand = Arc::strong_count(slot) > 1
                || slot.get().is_some_and(|live| Arc::strong_count(live) > 1);
            in_hand
                || slot
                    .get()
                    .and_then(|live| live.idle_since())
                    .is_none_or(|since| since.elapsed() < idle)
        });
    }

    /// Says again who is here, so that other servers know that this one is.
    pub fn spread_present(&self) {
        self.all().iter().filter(|live| live.here.is_shared()).for_each(LiveTable::spread_present);
    }

    fn known(&self, id: &TableId) -> Option<Arc<LiveTable>> {
        self.slots().get(id).and_then(|slot| slot.get().cloned())
    }

    fn all(&self) -> Vec<Arc<LiveTable>> {
        self.slots().values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// Brings in what others write, from now on. Blocks for a moment.
    pub fn watch(
        self: &Arc<TableCache>,
        runtime: tokio::runtime::Handle,
    ) -> Result<(), StoreError> {
        let watch = self.store.store()?.watch(None)?;
        let hall = Arc::clone(self);
        let look = move || {
            while !hall.closing.load(Relaxed) {
                let found = match watch.wait(ATTENTION) {
                    Notice::Changed { id, last } => {
                        hall.known(&id).map(|live| (live, last)).into_iter().collect()
                    }
                    // A client that compares with this number is behind, so that it fetches.
                    Notice::LookAgain => {
                        hall.all().into_iter().map(|live| (live, u64::MAX)).collect()
                    }
                    Notice::Nothing => Vec::new(),
                    Notice::Closed => return,
                };
                for (live, last) in found {
                    runtime.spawn(async move {
                        if let Err(wrong) = live.refresh(last).await {
                            tracing::warn!(why = %wrong, "what others wrote could not be read");
                        }
                    });
                }
            }
        };
        let thread =
            std::thread::Builder::new().name("web: what others write".to_owned()).spawn(look);
        let thread = thread.map_err(|fault| StoreError::Other {
            place: String::new(),
            detail: fault.to_string(),
        })?;
        *self.watcher.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(())
    }

    /// Ends the watching. Blocks for a moment.
    pub fn close(&self) {
        self.closing.store(true, Relaxed);
        let thread = self.watcher.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // It ends by itself; a panic in it has been told already.
            let _ = thread.join();
        }
    }
}
