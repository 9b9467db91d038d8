//! Many hands for work that is cut into blocks: each takes the next block from a common number, so
//! a seed means the same counts for any number of them. A bar says how far they are; Ctrl-C, or a
//! limit of time, lets each finish what it has in hand.

use adjutant_wording::en::numbers::grouped;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the bar is drawn.
const BEAT: Duration = Duration::from_millis(100);
/// Ctrl-C was pressed. There is one keyboard, so there is one of these.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// As many hands as the machine has cores for.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What is to be done, and what has been.
pub struct Work {
    blocks: u64,
    /// After this no further block is started.
    until: Option<Instant>,
    next: AtomicU64,
    done: AtomicU64,
    failed: AtomicBool,
}

impl Work {
    /// So many blocks, none started after a certain time.
    pub fn new(blocks: u64, until: Option<Instant>) -> Work {
        Work {
            blocks,
            until,
            next: AtomicU64::new(0),
            done: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// The next block for a worker, while there is one and the run is not stopped.
    pub fn next(&self) -> Option<u64> {
        if self.halted() || self.until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|block| *block < self.blocks)
    }

    /// Whether a long block should be broken off.
    pub fn halted(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Whether anything was done yet.
    pub fn has_started(&self) -> bool {
        self.done.load(Ordering::Relaxed) > 0
    }

    /// So many more are done.
    pub fn did(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }
}

/// Lets so many hands work on so many blocks, which hold `samples` together; what each has in the
/// end is given to `add`.
pub fn run<T: Send, E: Send>(
    (blocks, samples, threads, until): (u64, u64, usize, Option<Instant>),
    hand: impl Fn(&Work) -> Result<T, E> + Sync,
    mut add: impl FnMut(T),
) -> Result<(), E> {
    // Where no handler can be set, Ctrl-C ends the program as it ends any other: nothing is lost
    // but counts.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let work = Work::new(blocks, until);
    let mut bar = Bar::new(samples);
    std::thread::scope(|scope| {
        let (give, take) = channel();
        for _ in 0..threads.max(1) {
            let give = give.clone();
            let (hand, work) = (&hand, &work);
            scope.spawn(move || {
                let found = hand(work);
                work.failed.fetch_or(found.is_err(), Ordering::Relaxed);
                // The taker waits until every giver is gone, so it is always there to take.
                give.send(found)
            });
        }
        drop(give);
        let mut whole = Ok(());
        loop {
            match take.recv_timeout(BEAT) {
                Ok(Ok(part)) => add(part),
                Ok(Err(fault)) => whole = Err(fault),
                Err(RecvTimeoutError::Timeout) => bar.draw(work.done.load(Ordering::Relaxed)),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        bar.clear();
        whole
    })
}

/// A line on standard error that says how far it is; only if standard error is a terminal.
struct Bar {
    samples: u64,
    started: Instant,
    seen: bool,
    drawn: bool,
}

impl Bar {
    fn new(samples: u64) -> Bar {
        Bar {
            samples,
            started: Instant::now(),
            seen: std::io::stderr().is_terminal(),
            drawn: false,
        }
    }

    fn draw(&mut self, done: u64) {
        if !self.seen {
            return;
        }
        self.drawn = true;
        let filled = (done as f64 / self.samples as f64 * 30.0) as usize;
        let (full, empty) = ("█".repeat(filled), "░".repeat(30 - filled.min(30)));
        let percent = done as f64 * 100.0 / self.samples as f64;
        // A terminal that takes no writing is no reason to stop counting.
        let _ = write!(
            anstream::stderr(),
            "\r{full}{empty} {percent:5.1} %  {}  (Ctrl-C stops) ",
            rate(done, self.started.elapsed())
        );
    }

    fn clear(&self) {
        if self.drawn {
            let _ = write!(anstream::stderr(), "\r{}\r", " ".repeat(76));
        }
    }
}

/// Samples a second, as one reads it.
pub fn rate(done: u64, took: Duration) -> String {
    let a_second = done as f64 / took.as_secs_f64().max(1e-9);
    match a_second {
        r if r >= 1e6 => format!("{:.0} million a second", r / 1e6),
        r => format!("{} a second", grouped(r as u64)),
    }
}
