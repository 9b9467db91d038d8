//! A table in memory: the fold of its log, its keys, presence, and the last 64 lines ready to send.
//! A line is made, stored, applied and sent, in this order, under one asynchronous lock for each
//! table; a request that waits for the lock holds no thread. A response means that the line is
//! durable.
//!
//! Optimistic concurrency: a request names the last event that the client saw. If the table, or
//! another server's, has moved on, the client gets 409 and nothing is done. Remarks and joining do
//! not depend on it and are retried.

use crate::error::{ApiError, Conflict, Unplayable};
use crate::keys::{self, Holder, Keys};
use crate::presence::Here;
use crate::store_handle::StoreHandle;
use adjutant_game::{LogLine, Seat, Table};
use adjutant_store::{StoreError, TableId, VersionedText};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, watch};

/// So many lines are kept ready to be sent.
const TAIL: usize = 64;
/// How often a wish that does not depend on what others did is tried again.
const TRIES: usize = 8;

/// A game as it was opened, or why it cannot be.
pub(crate) type Game = Result<Table, Unplayable>;

/// What those who listen are told of.
#[derive(Clone, Debug)]
pub(crate) struct Pulse {
    /// The last event.
    pub last: u64,
    /// Who is here, ready to be sent.
    pub here: Bytes,
    /// The version of the keys.
    pub keys: u64,
}

#[derive(Default)]
struct Tail {
    /// The number of the last line.
    last: u64,
    frames: VecDeque<Bytes>,
}

/// A table in memory.
pub(crate) struct LiveTable {
    pub id: TableId,
    store: Arc<StoreHandle>,
    game: Arc<Turn<Game>>,
    keys: RwLock<(u64, Keys)>,
    tail: Mutex<Tail>,
    pulse: watch::Sender<Pulse>,
    pub here: Here,
    used: Mutex<Instant>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is replaced whole, so a thread that panicked left nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line as it is sent to those who listen.
fn frame(n: u64, text: &str) -> Bytes {
    Bytes::from(format!("event: line\nid: {n}\ndata: {text}\n\n"))
}

impl LiveTable {
    /// Blocks: reads the keys.
    pub fn new(
        id: TableId,
        (store, server): (Arc<StoreHandle>, Option<String>),
        game: Game,
        last: u64,
    ) -> Result<LiveTable, ApiError> {
        let kept = store.store()?.text(&id, keys::KEPT_AS)?;
        let keys = Keys::read(&kept.text)?.unwrap_or_default();
        let pulse = Pulse {
            last,
            here: Bytes::from_static(b"event: here\ndata: []\n\n"),
            keys: kept.version,
        };
        Ok(LiveTable {
            id,
            store,
            game: Arc::new(Turn::new(game)),
            keys: RwLock::new((kept.version, keys)),
            tail: Mutex::new(Tail { last, frames: VecDeque::new() }),
            pulse: watch::Sender::new(pulse),
            here: Here::new(server),
            used: Mutex::new(Instant::now()),
        })
    }

    pub fn listen(&self) -> watch::Receiver<Pulse> {
        self.pulse.subscribe()
    }

    /// Whether no one has looked at it since.
    pub fn idle_since(&self) -> Option<Instant> {
        (self.pulse.receiver_count() == 0).then(|| *lock(&self.used))
    }

    pub fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    /// The number of the last event that is known here.
    pub fn last(&self) -> u64 {
        lock(&self.tail).last
    }

    /// The game, when it is our turn.
    pub async fn game(&self) -> OwnedMutexGuard<Game> {
        self.game.clone().lock_owned().await
    }

    /// Lines behind `after` as they are sent, some of them if there are many; and the number of the
    /// last.
    pub async fn frames(&self, after: u64) -> Result<(Vec<Bytes>, u64), ApiError> {
        {
            let tail = lock(&self.tail);
            let first = tail.last - tail.frames.len() as u64;
            if after >= tail.last {
                return Ok((Vec::new(), after));
            }
            if after >= first {
                return Ok((
                    tail.frames.iter().skip((after - first) as usize).cloned().collect(),
                    tail.last,
                ));
            }
        }
        let lines = self.lines(after, 256).await?;
        let last = after + lines.len() as u64;
        Ok((lines.into_iter().zip(after + 1..).map(|(text, n)| frame(n, &text)).collect(), last))
    }

    /// At most so many lines behind `after`.
    pub async fn lines(&self, after: u64, most: usize) -> Result<Vec<String>, ApiError> {
        let game = self.game().await;
        if let Ok(table) = &*game {
            let skip = usize::try_from(after).unwrap_or(usize::MAX);
            return Ok(table.lines().skip(skip).take(most).map(str::to_owned).collect());
        }
        drop(game);
        let (store, id) = (self.store.clone(), self.id);
        let read = blocking(move || Ok(store.store()?.salvage(&id, after)?)).await?;
        Ok(read.lines.into_iter().take(most).map(|line| line.text).collect())
    }

    /// Tells those who listen of a line that is kept.
    fn tell(&self, n: u64, text: &str) {
        let mut tail = lock(&self.tail);
        if n <= tail.last {
            return;
        }
        tail.last = n;
        tail.frames.push_back(frame(n, text));
        if tail.frames.len() > TAIL {
            tail.frames.pop_front();
        }
        drop(tail);
        self.pulse.send_modify(|pulse| pulse.last = n);
    }

    /// Puts on what others have kept. Blocks.
    fn catch_up(&self, game: &mut Game) -> Result<(), ApiError> {
        let known = lock(&self.tail).last;
        for line in self.store.store()?.read(&self.id, known)? {
            if let Ok(table) = game
                && let Err(fault) = table.append(&line.text)
            {
                // Another program wrote what this one does not understand; it can still be passed
                // on.
                *game = Err(Unplayable::Log(fault));
            }
            self.tell(line.number, &line.text);
        }
        Ok(())
    }

    /// Makes a line (or none), keeps it, puts it on the table and tells it. `after` is the last
    /// event the player saw, if his wish depends on it.
    pub async fn change<T: Send + 'static>(
        self: &Arc<LiveTable>,
        after: Option<u64>,
        mut make: impl FnMut(&Table) -> Result<(Option<LogLine>, T), ApiError> + Send + 'static,
    ) -> Result<(Option<LogLine>, T), ApiError> {
        let mut game = self.game().await;
        let live = Arc::clone(self);
        blocking(move || {
            for _ in 0..TRIES {
                if after.is_some_and(|after| after > live.last()) {
                    live.catch_up(&mut game)?;
                }
                let table = opened(&game)?;
                let last = live.last();
                if after.is_some_and(|after| after != last) {
                    return Err(ApiError::MovedOn { last });
                }
                let (line, more) = match make(table)? {
                    (Some(line), more) => (line, more),
                    nothing => return Ok(nothing),
                };
                match live.store.write(|store| store.append(&live.id, last, &[&line.text])) {
                    Ok(_) => {
                        live.put_on(&mut game, &line);
                        return Ok((Some(line), more));
                    }
                    Err(StoreError::MovedOn { .. }) => live.catch_up(&mut game)?,
                    Err(fault @ StoreError::Unsure { .. }) => {
                        // It may stand there, and then it was done; if another stands there, it was
                        // not. If none does, or the store does not answer, no one knows.
                        live.catch_up(&mut game).map_err(|_| ApiError::from(fault.clone()))?;
                        let there =
                            game.as_ref().ok().and_then(|table| table.lines().nth(last as usize));
                        return match there {
                            Some(there) if there == line.text => Ok((Some(line), more)),
                            Some(_) => Err(ApiError::MovedOn { last: live.last() }),
                            None => Err(fault.into()),
                        };
                    }
                    Err(fault) => return Err(fault.into()),
                }
                if after.is_some() {
                    return Err(ApiError::MovedOn { last: live.last() });
                }
            }
            Err(ApiError::MovedOn { last: live.last() })
        })
        .await
    }

    fn put_on(&self, game: &mut Game, line: &LogLine) {
        if let Ok(table) = game
            && let Err(fault) = table.append(&line.text)
        {
            *game = Err(Unplayable::Log(fault));
        }
        self.tell(line.n, &line.text);
    }

    /// Looks whether another server or program has written.
    pub async fn refresh(self: &Arc<LiveTable>, last: u64) -> Result<(), ApiError> {
        let behind = last > self.last();
        let mut game = self.game().await;
        let live = Arc::clone(self);
        blocking(move || {
            if behind && last > live.last() {
                live.catch_up(&mut game)?;
            }
            drop(game);
            live.look_at_present()?;
            live.look_at_keys()
        })
        .await
    }

    /// Reads the keys again. Blocks.
    fn look_at_keys(&self) -> Result<(), ApiError> {
        let kept = self.store.store()?.text(&self.id, keys::KEPT_AS)?;
        if kept.version != self.keys.read().unwrap_or_else(PoisonError::into_inner).0 {
            self.take_keys(kept.version, Keys::read(&kept.text)?.unwrap_or_default());
        }
        Ok(())
    }

    fn take_keys(&self, version: u64, keys: Keys) {
        let mut known = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        if version > known.0 {
            *known = (version, keys);
            drop(known);
            self.pulse.send_modify(|pulse| pulse.keys = version);
        }
    }

    /// A small text beside the log. Blocks.
    pub fn text(&self, name: &str) -> Result<VersionedText, ApiError> {
        Ok(self.store.store()?.text(&self.id, name)?)
    }

    /// Keeps a small text beside the log, unless someone else was quicker. Blocks.
    pub fn put_text(&self, name: &str, seen: u64, text: &str) -> Result<bool, ApiError> {
        Ok(self.store.write(|store| store.put_text(&self.id, name, seen, text))?.is_some())
    }

    /// Who holds a token, as far as this server knows.
    pub fn holder(&self, print: &str) -> Option<Holder> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).1.holder(print).cloned()
    }

    /// The same; another server may have given the token a moment ago.
    pub async fn find_holder(self: &Arc<LiveTable>, print: &str) -> Result<Holder, ApiError> {
        if let Some(holder) = self.holder(print) {
            return Ok(holder);
        }
        let live = Arc::clone(self);
        blocking(move || live.look_at_keys()).await?;
        self.holder(print).ok_or(ApiError::NotInvited)
    }

    /// Changes the keys, again if another server was quicker.
    pub async fn with_keys<T: Send + 'static>(
        self: &Arc<LiveTable>,
        mut work: impl FnMut(&mut Keys) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let live = Arc::clone(self);
        blocking(move || {
            for _ in 0..TRIES {
                let kept = live.store.store()?.text(&live.id, keys::KEPT_AS)?;
                let mut keys = match Keys::read(&kept.text)? {
                    Some(keys) => keys,
                    None => Keys::new()?,
                };
                let before = keys.clone();
                let done = work(&mut keys)?;
                if keys == before && kept.version > 0 {
                    return Ok(done);
                }
                let put = live.store.write(|store| {
                    store.put_text(&live.id, keys::KEPT_AS, kept.version, &keys.write())
                });
                if let Some(version) = put? {
                    live.take_keys(version, keys);
                    return Ok(done);
                }
            }
            Err(ApiError::Conflict(Conflict::KeysInUse))
        })
        .await
    }

    /// Tells those who listen who is here, if that has changed.
    pub fn show_present(&self) {
        let frame = self.here.frame();
        self.pulse.send_if_modified(|pulse| {
            let changed = pulse.here != frame;
            pulse.here = frame;
            changed
        });
    }
}

/// The table, or why it cannot be opened.
pub(crate) fn opened(game: &Game) -> Result<&Table, ApiError> {
    game.as_ref().map_err(|why| ApiError::Conflict(Conflict::Unplayable(why.clone())))
}

/// The part of a player at a table: the log's word, else that of his invitation.
pub(crate) fn seat_of(game: &Game, holder: &Holder) -> Seat {
    let known = game
        .as_ref()
        .ok()
        .and_then(|table| table.people().iter().find(|(name, _)| *name == holder.name));
    known.map_or_else(|| holder.seat.clone(), |(_, seat)| seat.clone())
}

/// Does something that waits for the disk or takes long, on a thread that may.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(fault) => Err(ApiError::outcome_unknown(format!("a worker ended: {fault}"))),
    }
}
