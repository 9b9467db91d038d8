//! What long work of `adjutant_query` gets from the command: the time, luck, threads, Ctrl-C, and a
//! bar that says how far it is.

use adjutant_dice::RandomInput;
use adjutant_engine::Stop;
use adjutant_query::{Clock, Luck, Progress, Work};
use adjutant_wording::en::numbers::grouped;
use indicatif::{ProgressBar, ProgressFinish, ProgressState, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Ctrl-C was pressed. There is one keyboard, so there is one of these.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// The exit code of a program that Ctrl-C ended.
const KILLED: i32 = 130;

/// As many threads as the machine has cores for.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Work that is done at once, so that nothing has to stop it.
pub fn at_once() -> Work {
    let start = Instant::now();
    let clock = Clock::new(move || start.elapsed());
    Work::new(Stop::default(), clock, Luck::new(RandomInput::from_system))
}

/// Work on so many threads that may take long. Ctrl-C ends it, and what was counted is shown; a
/// second Ctrl-C ends the program.
pub fn long(threads: usize) -> Work {
    let pressed = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    };
    // Where no handler can be set, Ctrl-C ends the program as it ends any other: nothing is lost
    // but counts.
    let _ = ctrlc::set_handler(pressed);
    let progress = std::io::stderr().is_terminal().then(|| {
        let bar = bar();
        Progress::new(move |done, of| {
            bar.set_length(of);
            bar.set_position(done);
        })
    });
    let stop = Stop::when(|| INTERRUPTED.load(Ordering::Relaxed));
    Work { stop, progress, ..at_once() }.on_threads(threads)
}

/// A line on standard error that says how far the work is. It is wiped when the work is over.
fn bar() -> ProgressBar {
    const LINE: &str = "{bar:30} {percent:>3} %  {rate}, {eta} left  (Ctrl-C stops)";
    let style = ProgressStyle::with_template(LINE).unwrap_or_else(|_| ProgressStyle::default_bar());
    let per_second = |state: &ProgressState, line: &mut dyn std::fmt::Write| {
        // A line that takes no writing is no reason to stop counting.
        let _ = line.write_str(&rate(state.pos(), state.elapsed()));
    };
    ProgressBar::new(1)
        .with_style(style.with_key("rate", per_second).progress_chars("█░"))
        .with_finish(ProgressFinish::AndClear)
}

/// Samples a second, as one reads it.
pub fn rate(done: u64, took: Duration) -> String {
    let a_second = done as f64 / took.as_secs_f64().max(1e-9);
    match a_second {
        r if r >= 1e6 => format!("{:.0} million a second", r / 1e6),
        r => format!("{} a second", grouped(r as u64)),
    }
}
