//! A table in memory: the fold of its log, its keys, presence, and the last 64 lines ready to send.
//! A line is made, stored, applied and sent, in this order, under one asynchronous lock for each
//! table; a request that waits for the lock holds no thread. A response means that the line is
//! durable.
//!
//! What other servers write comes in batches from the table cache ([`LiveTable::take_lines`]).
//!
//! Optimistic concurrency: a request names the last event that the client saw. If the table, or
//! another server's, has moved on, the client gets 409 and nothing is done. Remarks and joining do
//! not depend on it and are retried.

use crate::error::{ApiError, Conflict, Unplayable};
use crate::idempotency::Repeat;
use crate::keys::{self, Holder, Keys};
use crate::presence::Here;
use crate::store_handle::StoreHandle;
use adjutant_game::{LogLine, Seat, Table};
use adjutant_store::{Append, Guard, StoreError, StoredLine, TableId, VersionedText};
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, watch};

/// So many lines are kept ready to be sent.
const TAIL: usize = 64;
/// So many lines of a log are sent in one piece.
const LINES_AT_ONCE: usize = 64;
/// How often a wish that does not depend on what others did is tried again.
const TRIES: usize = 8;

/// How long a read waits for an event that is not stored yet.
const PATIENCE_FOR_EVENTS: Duration = Duration::from_secs(2);

/// What a request makes of the table, before anything is stored.
pub(crate) struct Made<T> {
    /// The line, if there is one.
    pub line: Option<LogLine>,
    /// The text that the line depends on, and the version that was seen.
    pub guard: Option<(String, u64)>,
    /// What the caller will be told; `None` if a repeated request need not be told the same.
    pub answer: Option<String>,
    pub more: T,
}

impl<T> Made<T> {
    /// Of a request that has no idempotency key.
    pub fn line(line: Option<LogLine>, more: T) -> Made<T> {
        Made { line, guard: None, answer: None, more }
    }
}

/// What became of a request.
pub(crate) enum Changed<T> {
    Done(Box<Made<T>>),
    /// It was done before; this was the answer.
    Repeated(String),
}

impl<T> Changed<T> {
    /// Whether a line was stored by this request.
    pub fn stored_line(&self) -> bool {
        matches!(self, Changed::Done(made) if made.line.is_some())
    }
}

/// What became of a change of the keys.
pub(crate) enum KeysChanged<T> {
    Done(T),
    /// It was done before. What was remembered, and the keys as they are now.
    Repeated {
        answer: String,
        keys: Keys,
    },
}

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
    /// Texts that a line depends on, as they were last seen. The store compares their versions
    /// when the line is stored.
    seen_texts: Mutex<HashMap<String, VersionedText>>,
    tail: Mutex<Tail>,
    pulse: watch::Sender<Pulse>,
    pub here: Here,
    /// The checksum of its pack, by which a browser fetches it.
    pub bundle: Option<String>,
    used: Mutex<Instant>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is replaced whole, so a thread that panicked left nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lines as a log has them.
fn joined(lines: &[String]) -> Bytes {
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    Bytes::from(text)
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
        (last, bundle): (u64, Option<String>),
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
            seen_texts: Mutex::default(),
            tail: Mutex::new(Tail { last, frames: VecDeque::new() }),
            pulse: watch::Sender::new(pulse),
            here: Here::new(server),
            bundle,
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

    /// The whole log behind `after` as it is now: its bytes, each line with its line feed, and how
    /// many they are. It is read in pieces, as fast as the client takes them.
    pub async fn log(
        self: &Arc<LiveTable>,
        after: u64,
    ) -> Result<(u64, impl Stream<Item = Result<Bytes, ApiError>> + use<>), ApiError> {
        let size = |lines: &mut dyn Iterator<Item = &str>| -> (u64, u64) {
            lines.fold((0, 0), |(count, size), line| (count + 1, size + line.len() as u64 + 1))
        };
        let game = self.game().await;
        let table = game.as_ref().ok();
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let known = table.map(|table| size(&mut table.lines().skip(skip)));
        drop(game);
        let (length, first, count) = match known {
            Some((count, length)) => (length, Vec::new(), count),
            None => {
                // The game cannot be played here, so its log is not in memory.
                let lines = self.lines(after, usize::MAX).await?;
                let (_, length) = size(&mut lines.iter().map(String::as_str));
                (length, lines, 0)
            }
        };
        let last = after.saturating_add(count);
        let live = Arc::clone(self);
        let pieces = unfold((first, after), move |(lines, at)| {
            let live = Arc::clone(&live);
            async move {
                let lines = match lines.is_empty() {
                    false => Ok(lines),
                    true if at >= last => return None,
                    true => {
                        let most = usize::try_from(last - at).unwrap_or(usize::MAX);
                        live.lines(at, most.min(LINES_AT_ONCE)).await
                    }
                };
                let piece = lines.and_then(|lines| match lines.len() as u64 {
                    0 => Err(ApiError::unavailable("a log has become shorter")),
                    count => Ok((joined(&lines), at.saturating_add(count))),
                });
                Some(match piece {
                    Ok((piece, next)) => (Ok(piece), (Vec::new(), next)),
                    Err(fault) => (Err(fault), (Vec::new(), last)),
                })
            }
        });
        Ok((length, pieces))
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
            self.put_on(game, line.number, &line.text);
        }
        Ok(())
    }

    /// Makes a line (or none), stores it, applies it to the table and sends it. `after` is the last
    /// event that the player saw, if the request depends on it.
    pub async fn change<T: Send + 'static>(
        self: &Arc<LiveTable>,
        after: Option<u64>,
        repeat: Option<Repeat>,
        mut make: impl FnMut(&Table) -> Result<Made<T>, ApiError> + Send + 'static,
    ) -> Result<Changed<T>, ApiError> {
        let mut game = self.game().await;
        let live = Arc::clone(self);
        blocking(move || {
            // The same request may have been carried out by another server, or by this one when the
            // store did not say whether it kept the line.
            let repeated = |game: &mut Game| -> Result<Option<String>, ApiError> {
                let Some(repeat) = &repeat else { return Ok(None) };
                let answer = repeat.answer(live.store.store()?, &live.id)?;
                if answer.is_some() {
                    // Who reads the log after this answer finds the event in it. The answer stands
                    // even if the store is gone again.
                    live.catch_up(game).ok();
                }
                Ok(answer)
            };
            for _ in 0..TRIES {
                if let Some(answer) = repeated(&mut game)? {
                    return Ok(Changed::Repeated(answer));
                }
                if after.is_some_and(|after| after > live.last()) {
                    live.catch_up(&mut game)?;
                }
                let table = opened(&game)?;
                let last = live.last();
                if after.is_some_and(|after| after != last) {
                    // The event that was faster may be this request, stored since the look above.
                    return match repeated(&mut game)? {
                        Some(answer) => Ok(Changed::Repeated(answer)),
                        None => Err(ApiError::MovedOn { last }),
                    };
                }
                let made = make(table)?;
                if made.line.is_none() || live.store_line(&mut game, &made, repeat.as_ref())? {
                    return Ok(Changed::Done(Box::new(made)));
                }
            }
            match repeated(&mut game)? {
                Some(answer) => Ok(Changed::Repeated(answer)),
                None => Err(ApiError::MovedOn { last: live.last() }),
            }
        })
        .await
    }

    /// Stores a line and applies it. False if another writer was faster. Blocks.
    fn store_line<T>(
        &self,
        game: &mut Game,
        made: &Made<T>,
        repeat: Option<&Repeat>,
    ) -> Result<bool, ApiError> {
        let Some(line) = &made.line else { return Ok(true) };
        let after = self.last();
        let append = Append {
            after,
            lines: &[&line.text],
            guard: made.guard.as_ref().map(|(name, version)| Guard { name, version: *version }),
            receipt: repeat.zip(made.answer.as_deref()).map(|(repeat, text)| repeat.receipt(text)),
        };
        match self.store.write(|store| store.append_with(&self.id, &append)) {
            Ok(_) => {
                self.put_on(game, line.n, &line.text);
                Ok(true)
            }
            Err(StoreError::MovedOn { .. }) => self.catch_up(game).map(|()| false),
            Err(StoreError::TextChanged { name, .. }) => {
                lock(&self.seen_texts).remove(&name);
                Ok(false)
            }
            Err(fault @ StoreError::Unsure { .. }) => {
                // It may be stored, and then it was done. If another line is there, it was not, and
                // another writer was faster: perhaps the same request, repeated on another server.
                // If there is none, or the store does not answer, the outcome is unknown.
                self.catch_up(game).map_err(|_| ApiError::from(fault.clone()))?;
                let there = game.as_ref().ok().and_then(|table| table.lines().nth(after as usize));
                match there {
                    Some(there) if there == line.text => Ok(true),
                    Some(_) => Ok(false),
                    None => Err(fault.into()),
                }
            }
            Err(fault) => Err(fault.into()),
        }
    }

    fn put_on(&self, game: &mut Game, number: u64, text: &str) {
        if let Ok(table) = game
            && let Err(fault) = table.append(text)
        {
            // Another program wrote what this one does not understand; it can still be passed on.
            *game = Err(Unplayable::Log(fault));
        }
        self.tell(number, text);
    }

    /// Reads everything that another server or program may have written: events up to `last` and,
    /// if `texts`, keys and presence.
    pub async fn refresh(self: &Arc<LiveTable>, last: u64, texts: bool) -> Result<(), ApiError> {
        if last > self.last() {
            let mut game = self.game().await;
            let live = Arc::clone(self);
            blocking(move || if last > live.last() { live.catch_up(&mut game) } else { Ok(()) })
                .await?;
        }
        if !texts {
            return Ok(());
        }
        lock(&self.seen_texts).clear();
        let live = Arc::clone(self);
        blocking(move || {
            live.look_at_present()?;
            live.look_at_keys()
        })
        .await
    }

    /// Whether a request of this server is at work on the game.
    pub fn is_busy(&self) -> bool {
        self.game.try_lock().is_err()
    }

    /// Applies lines that were read for this table. Those that are known are skipped; if some are
    /// missing before them, they are read.
    pub async fn take_lines(self: &Arc<LiveTable>, lines: Vec<StoredLine>) -> Result<(), ApiError> {
        let mut game = self.game().await;
        let mut gap = None;
        for line in lines {
            let last = self.last();
            if line.number == last.saturating_add(1) {
                self.put_on(&mut game, line.number, &line.text);
            } else if line.number > last {
                gap = Some(line.number);
                break;
            }
        }
        drop(game);
        match gap {
            Some(number) => self.refresh(number, false).await,
            None => Ok(()),
        }
    }

    /// Waits until event `wanted` is known here: reads the store, and waits a little if it is not
    /// there either.
    pub async fn reach(self: &Arc<LiveTable>, wanted: u64) -> Result<(), ApiError> {
        if self.last() >= wanted {
            return Ok(());
        }
        let mut pulse = self.listen();
        self.refresh(wanted, false).await?;
        let reached = async { while self.last() < wanted && pulse.changed().await.is_ok() {} };
        // Looks once more at the end: the notice may be lost.
        if tokio::time::timeout(PATIENCE_FOR_EVENTS, reached).await.is_err() {
            self.refresh(wanted, false).await?;
        }
        let last = self.last();
        if last >= wanted { Ok(()) } else { Err(ApiError::NotYet { wanted, last }) }
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

    /// The text as it was last seen, or as it is now if it was not. Blocks.
    pub fn seen_text(&self, name: &str) -> Result<VersionedText, ApiError> {
        if let Some(seen) = lock(&self.seen_texts).get(name) {
            return Ok(seen.clone());
        }
        self.fresh_text(name)
    }

    /// The text as it is now. Blocks.
    pub fn fresh_text(&self, name: &str) -> Result<VersionedText, ApiError> {
        let text = self.text(name)?;
        lock(&self.seen_texts).insert(name.to_owned(), text.clone());
        Ok(text)
    }

    /// Stores a small text beside the log, unless another writer was faster. Blocks.
    pub fn put_text(&self, name: &str, seen: u64, text: &str) -> Result<bool, ApiError> {
        self.put_text_with((name, seen), text, None)
    }

    /// The same with the receipt of a request and its answer. Blocks.
    pub fn put_text_with(
        &self,
        (name, seen): (&str, u64),
        text: &str,
        repeat: Option<(&Repeat, &str)>,
    ) -> Result<bool, ApiError> {
        lock(&self.seen_texts).remove(name);
        let receipt = repeat.map(|(repeat, answer)| repeat.receipt(answer));
        let put =
            self.store.write(|store| store.put_text_with(&self.id, (name, seen), text, receipt))?;
        Ok(put.is_some())
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
        let done = self.with_keys_once(None, move |keys| Ok((work(keys)?, String::new()))).await?;
        match done {
            KeysChanged::Done(done) => Ok(done),
            KeysChanged::Repeated { .. } => Err(ApiError::Conflict(Conflict::KeysInUse)),
        }
    }

    /// The same for a request that may be a repetition. `work` also returns what is remembered of
    /// it, without tokens.
    pub async fn with_keys_once<T: Send + 'static>(
        self: &Arc<LiveTable>,
        repeat: Option<Repeat>,
        mut work: impl FnMut(&mut Keys) -> Result<(T, String), ApiError> + Send + 'static,
    ) -> Result<KeysChanged<T>, ApiError> {
        let live = Arc::clone(self);
        blocking(move || {
            for _ in 0..TRIES {
                let store = live.store.store()?;
                let kept = store.text(&live.id, keys::KEPT_AS)?;
                let mut keys = match Keys::read(&kept.text)? {
                    Some(keys) => keys,
                    None => Keys::new()?,
                };
                if let Some(repeat) = &repeat
                    && let Some(answer) = repeat.answer(store, &live.id)?
                {
                    live.take_keys(kept.version, keys.clone());
                    return Ok(KeysChanged::Repeated { answer, keys });
                }
                let before = keys.clone();
                let (done, answer) = work(&mut keys)?;
                if keys == before && kept.version > 0 {
                    return Ok(KeysChanged::Done(done));
                }
                let receipt = repeat.as_ref().map(|repeat| repeat.receipt(&answer));
                let put = live.store.write(|store| {
                    let seen = (keys::KEPT_AS, kept.version);
                    store.put_text_with(&live.id, seen, &keys.write(), receipt)
                });
                if let Some(version) = put? {
                    live.take_keys(version, keys);
                    return Ok(KeysChanged::Done(done));
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
