//! The tables in memory. A table is opened on request and dropped when it is idle. What other
//! servers and the command write is noticed through `Store::watch`: tables catch up, keys are read
//! again, and streams whose token is no longer valid end.

use crate::error::{ApiError, Unplayable};
use crate::game_packs::{GAME_PACK, ServedPack, stored_pack};
use crate::live_table::{Game, LiveTable, blocking};
use crate::store_handle::StoreHandle;
use adjutant_game::{Event, EventKind, Table};
use adjutant_pack::{Bundle, Pack};
use adjutant_store::{Notice, StoreError, StoredLine, TableId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::OnceCell;

/// So often the watcher sees whether the server is still there.
const ATTENTION: Duration = Duration::from_millis(250);

type Slot = Arc<OnceCell<Arc<LiveTable>>>;

/// So many tables are read in one query.
const TABLES_AT_ONCE: usize = 256;

/// A table that a notice is about.
struct ChangedTable {
    live: Arc<LiveTable>,
    last: u64,
    texts: bool,
}

fn warn_of(done: Result<(), ApiError>) {
    if let Err(wrong) = done {
        tracing::warn!(why = %wrong, "what others wrote could not be read");
    }
}

/// The tables in memory.
pub(crate) struct TableCache {
    pub store: Arc<StoreHandle>,
    pub packs: Vec<ServedPack>,
    /// Packs that games were started with, while a game in memory uses them; by checksum.
    of_games: Mutex<HashMap<String, Weak<Pack>>>,
    /// What this server is called among those that share a database.
    server: Option<String>,
    slots: Mutex<HashMap<TableId, Slot>>,
    closing: AtomicBool,
    watcher: Mutex<Option<JoinHandle<()>>>,
}

impl TableCache {
    pub fn new(
        store: Arc<StoreHandle>,
        packs: Vec<ServedPack>,
        server: Option<String>,
    ) -> Arc<TableCache> {
        Arc::new(TableCache {
            store,
            packs,
            of_games: Mutex::default(),
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
        self.served(id).map(|served| &served.pack)
    }

    /// The same with its bundle.
    pub fn served(&self, id: &str) -> Option<&ServedPack> {
        self.packs.iter().find(|served| served.pack.id() == id)
    }

    /// The ids of the server's packs.
    pub fn pack_ids(&self) -> impl Iterator<Item = &str> {
        self.packs.iter().map(|served| served.pack.id().as_str())
    }

    /// The text of a pack by its checksum: one of the server's, or of a game. Blocks.
    pub fn bundle(&self, sum: &str) -> Result<Option<String>, StoreError> {
        let of = |served: &ServedPack| served.bundle.clone();
        match self.packs.iter().filter_map(of).find(|bundle| bundle.sum() == sum) {
            Some(found) => Ok(Some(found.text().to_owned())),
            None => stored_pack(self.store.store()?, sum),
        }
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
                    live.refresh(u64::MAX, true).await?;
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
        let first = salvage.lines.first().map_or("", |line| &line.text);
        let (pack, bundle) = self.pack_of(&id, &summary.pack, first)?;
        let game: Game = match (pack, salvage.fault) {
            (_, Some(fault)) => Err(Unplayable::Store(fault)),
            (None, _) => Err(Unplayable::NoPack(summary.pack)),
            (Some(pack), None) => Table::open(pack, salvage.lines.iter().map(|line| &line.text))
                .map_err(Unplayable::Log),
        };
        if let Err(why) = &game {
            tracing::warn!(%why, "a game cannot be opened");
        }
        let place = (Arc::clone(&self.store), self.server.clone());
        LiveTable::new(id, place, game, (last, bundle)).map(Arc::new)
    }

    /// The pack of a game, and the checksum by which a browser fetches it. The server's own pack is
    /// used if it has the rules that the game was started with, else the one that the game brought.
    /// Blocks.
    fn pack_of(
        &self,
        id: &TableId,
        named: &str,
        first: &str,
    ) -> Result<(Option<Arc<Pack>>, Option<String>), StoreError> {
        let begin = serde_json::from_str::<Event>(first).ok().map(|event| event.what);
        let hash = match begin {
            Some(EventKind::Begin(begin)) => begin.hash,
            _ => String::new(),
        };
        let store = self.store.store()?;
        let sum = store.text(id, GAME_PACK)?.text;
        let served = self.served(named);
        if let Some(served) = served.filter(|served| *served.pack.hash() == hash) {
            let own = served.bundle.as_ref().map(|bundle| bundle.sum().to_owned());
            return Ok((
                Some(Arc::clone(&served.pack)),
                Some(sum).filter(|s| !s.is_empty()).or(own),
            ));
        }
        let brought = self.brought(store, &sum)?.filter(|pack| *pack.hash() == hash);
        match brought {
            Some(pack) => Ok((Some(pack), Some(sum))),
            // With other rules: the log says how they differ.
            None => Ok((served.map(|served| Arc::clone(&served.pack)), None)),
        }
    }

    /// A pack that a game brought, by its checksum. Blocks.
    fn brought(
        &self,
        store: &dyn adjutant_store::Store,
        sum: &str,
    ) -> Result<Option<Arc<Pack>>, StoreError> {
        let known = |sum: &str| {
            let mut packs = self.of_games.lock().unwrap_or_else(PoisonError::into_inner);
            packs.retain(|_, pack| pack.strong_count() > 0);
            packs.get(sum).and_then(Weak::upgrade)
        };
        if let Some(pack) = known(sum) {
            return Ok(Some(pack));
        }
        let Some(text) = stored_pack(store, sum)? else { return Ok(None) };
        let Some(pack) = Bundle::read(&text).ok().and_then(|bundle| bundle.read_pack().ok()) else {
            return Ok(None);
        };
        let pack = Arc::new(pack);
        let mut packs = self.of_games.lock().unwrap_or_else(PoisonError::into_inner);
        packs.insert(sum.to_owned(), Arc::downgrade(&pack));
        Ok(Some(pack))
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
                let notices = watch.wait_for_all(ATTENTION);
                if notices.contains(&Notice::Closed) {
                    return;
                }
                let changed = hall.changed(&notices);
                for few in changed.chunks(TABLES_AT_ONCE) {
                    hall.follow(few, &runtime);
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

    /// The tables in memory that notices are about.
    fn changed(&self, notices: &[Notice]) -> Vec<ChangedTable> {
        if notices.contains(&Notice::LookAgain) {
            let changed = |live| ChangedTable { live, last: u64::MAX, texts: true };
            return self.all().into_iter().map(changed).collect();
        }
        let changed = |notice: &Notice| match *notice {
            Notice::Changed { id, last, texts } => {
                self.known(&id).map(|live| ChangedTable { live, last, texts })
            }
            _ => None,
        };
        notices.iter().filter_map(changed).collect()
    }

    /// Reads what is new in several tables at once. Blocks for one query.
    fn follow(&self, changed: &[ChangedTable], runtime: &tokio::runtime::Handle) {
        // A table that a request of this server is at work on has most likely been changed by it,
        // so it is looked at when that is done.
        let (busy, free): (Vec<_>, Vec<_>) = changed
            .iter()
            .filter(|changed| changed.texts || changed.last > changed.live.last())
            .partition(|changed| changed.live.is_busy());
        let behind: Vec<(TableId, u64)> = free
            .iter()
            .filter(|changed| changed.last > changed.live.last())
            .map(|changed| (changed.live.id, changed.live.last()))
            .collect();
        let read = match behind.is_empty() {
            true => Ok(Vec::new()),
            false => self.store.store().and_then(|store| store.read_several(&behind)),
        };
        let failed = read.is_err();
        let mut lines: HashMap<TableId, Vec<StoredLine>> =
            read.unwrap_or_default().into_iter().collect();
        for ChangedTable { live, last, texts } in free {
            let (live, new) = (Arc::clone(live), lines.remove(&live.id).unwrap_or_default());
            let (last, texts) = (if failed { *last } else { 0 }, *texts);
            runtime.spawn(async move {
                let done = live.take_lines(new).await;
                warn_of(done.and(live.refresh(last, texts).await));
            });
        }
        for ChangedTable { live, last, texts } in busy {
            let (live, last, texts) = (Arc::clone(live), *last, *texts);
            runtime.spawn(async move {
                drop(live.game().await);
                warn_of(live.refresh(last, texts).await);
            });
        }
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
