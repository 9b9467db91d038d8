//! Reading ahead. A second thread, if there is one, parses and hashes lines while the first folds
//! those before. Used events go back to the thread that allocated them to be freed, which is the
//! fast case for allocators. The results and their order are the same on one thread. A browser has
//! only one.

use crate::event::Event;
use crate::log_line;
use crate::rejection::Rejection;
use crate::table::LogError;

/// The parsed line, or why it is not accepted, and its hash.
pub(crate) type Read = (Result<Event, Rejection>, String);

fn read(line: &&str) -> Read {
    (log_line::read(line), log_line::fingerprint(line))
}

/// Passes each parsed line to the callback, in order, until there is an error or the callback
/// returns no event.
pub(crate) fn read_ahead(
    lines: &[&str],
    mut each: impl FnMut(&str, Read) -> Result<Option<Event>, LogError>,
) -> Result<(), LogError> {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(ended) = by_two(lines, &mut each) {
        return ended;
    }
    for line in lines {
        if each(line, read(line))?.is_none() {
            break;
        }
    }
    Ok(())
}

/// A shorter log is not worth a thread.
#[cfg(not(target_arch = "wasm32"))]
const WORTH: usize = 512;

/// How many lines are handed over at once.
#[cfg(not(target_arch = "wasm32"))]
const BLOCK: usize = 64;

/// The same on two threads. Returns `None` if there is only one processor or no thread can be
/// started.
#[cfg(not(target_arch = "wasm32"))]
fn by_two(
    lines: &[&str],
    mut each: impl FnMut(&str, Read) -> Result<Option<Event>, LogError>,
) -> Option<Result<(), LogError>> {
    use std::sync::mpsc;
    if lines.len() < WORTH
        || std::thread::available_parallelism().is_ok_and(|processors| processors.get() < 2)
    {
        return None;
    }
    let (send, come) = mpsc::sync_channel::<Vec<Read>>(4);
    let (back, used) = mpsc::channel::<Vec<Event>>();
    let reader = move || {
        for block in lines.chunks(BLOCK) {
            used.try_iter().for_each(drop);
            if send.send(block.iter().map(read).collect()).is_err() {
                return;
            }
        }
        used.iter().for_each(drop);
    };
    std::thread::scope(|scope| {
        std::thread::Builder::new().spawn_scoped(scope, reader).ok()?;
        for (block, read) in lines.chunks(BLOCK).zip(come) {
            let mut done = Vec::with_capacity(BLOCK);
            for (line, read) in block.iter().zip(read) {
                match each(line, read) {
                    Ok(Some(event)) => done.push(event),
                    Ok(None) => return Some(Ok(())),
                    Err(fault) => return Some(Err(fault)),
                }
            }
            // The reader drops what it gets back, also after its last line.
            let _ = back.send(done);
        }
        drop(back);
        Some(Ok(()))
    })
}
