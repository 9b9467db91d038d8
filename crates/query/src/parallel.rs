//! Work that is cut into numbered blocks and done by several threads. Each thread takes the next
//! block. The luck of a block depends on the seed and its number, so the counts are the same for
//! any number of threads.

use crate::Work;
use adjutant_engine::Stop;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// The time after which the calling thread looks if it is to stop, and reports the progress.
const BEAT: Duration = Duration::from_millis(50);

/// The blocks that are left, and what was done.
pub(crate) struct Blocks {
    count: u64,
    next: AtomicU64,
    done: AtomicU64,
    halted: AtomicBool,
    stop: Stop,
}

impl Blocks {
    /// The next block, while there is one and the work is not stopped.
    pub(crate) fn next(&self) -> Option<u64> {
        if self.is_halted() {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|block| *block < self.count)
    }

    /// Tells if a long block should be broken off: the caller stopped the work, or a thread failed.
    pub(crate) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.stop.is_due()
    }

    /// Tells if anything was done yet.
    pub(crate) fn has_started(&self) -> bool {
        self.done.load(Ordering::Relaxed) > 0
    }

    /// Counts what was done.
    pub(crate) fn did(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }
}

/// Does the blocks, which hold `total` samples together. Each thread runs `part`; what it returns
/// is given to `add`. With one thread and no one to tell how far the work is, no thread is started.
pub(crate) fn run<T: Send, E: Send>(
    work: &Work,
    (blocks, total): (u64, u64),
    part: impl Fn(&Blocks) -> Result<T, E> + Sync,
    mut add: impl FnMut(T),
) -> Result<(), E> {
    let left = Blocks {
        count: blocks,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        halted: AtomicBool::new(false),
        stop: work.stop.clone(),
    };
    let threads = u64::try_from(work.threads).unwrap_or(u64::MAX).min(blocks).max(1);
    if threads == 1 && work.progress.is_none() {
        return part(&left).map(add);
    }
    std::thread::scope(|scope| {
        let (give, take) = channel();
        let mut started = 0;
        for _ in 0..threads {
            let (give, part, left) = (give.clone(), &part, &left);
            let one = move || {
                let outcome = part(left);
                left.halted.fetch_or(outcome.is_err(), Ordering::Relaxed);
                give.send(outcome)
            };
            // A system that has no more threads leaves the work to those that there are.
            started += usize::from(Builder::new().spawn_scoped(scope, one).is_ok());
        }
        drop(give);
        if started == 0 {
            return part(&left).map(add);
        }
        let mut whole = Ok(());
        loop {
            match take.recv_timeout(BEAT) {
                Ok(Ok(part)) => add(part),
                Ok(Err(error)) => whole = Err(error),
                Err(RecvTimeoutError::Timeout) => {
                    left.halted.fetch_or(work.stop.is_due(), Ordering::Relaxed);
                    work.tell(left.done.load(Ordering::Relaxed), total);
                }
                Err(RecvTimeoutError::Disconnected) => return whole,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{Clock, Luck};
    use adjutant_dice::RandomInput;

    fn work(threads: usize) -> Work {
        let clock = Clock::new(Duration::default);
        Work::new(Stop::default(), clock, Luck::new(RandomInput::from_system)).on_threads(threads)
    }

    fn take_all(blocks: &Blocks) -> Result<Vec<u64>, u64> {
        Ok(std::iter::from_fn(|| blocks.next().inspect(|_| blocks.did(1))).collect())
    }

    #[test]
    fn every_block_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 7, 2000] {
            let mut all = Vec::new();
            run(&work(threads), (300, 300), take_all, |part| all.extend(part)).unwrap();
            all.sort_unstable();
            assert_eq!(all, (0..300).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn an_error_of_one_thread_is_the_error_of_all() {
        let fail = |blocks: &Blocks| match blocks.next() {
            Some(0) => Err("block 0"),
            _ => Ok(()),
        };
        assert_eq!(run(&work(3), (300, 300), fail, drop), Err("block 0"));
    }

    #[test]
    fn work_that_is_stopped_takes_no_further_block() {
        let stopped = Work { stop: Stop::when(|| true), ..work(3) };
        let mut all: Vec<u64> = Vec::new();
        run(&stopped, (300, 300), take_all, |part| all.extend(part)).unwrap();
        assert!(all.is_empty(), "{all:?}");
    }
}
