//! A log against the rules, with all processors. Lines are read and hashed side by side, and so are charts thrown again, each on a copy
//! of the state before it; only the fold goes line by line, as it must. What is told, and in which order, is the same
//! for any number of threads; in a browser there is one.

use crate::event::{Do, Event};
use crate::line;
use crate::play::Ground;
use crate::state::State;
use crate::table::{Fault, Table};
use crate::verify::{Difference, differs_on};

/// How many lines are read, folded and compared at a time: enough to share out, and no more in memory than that.
const BLOCK: usize = 2048;

/// Fewer than these are not worth a thread.
const WORTH: usize = 256;

/// An event to be compared with what the sheet gives.
enum Compared {
    /// With what came of it.
    Done(Difference),
    /// A play that is to be thrown again.
    Play(Box<Waiting>),
}

/// A play, and the table as it stood before it.
struct Waiting {
    event: Event,
    state: State,
    side: Option<usize>,
}

/// Folds lines and tells of each event that comes out otherwise, in order, until the listener has heard enough.
pub(crate) fn compare<L: AsRef<str>>(
    table: &mut Table,
    lines: impl IntoIterator<Item = L>,
    mut tell: impl FnMut(Difference) -> bool,
) -> Result<(), Fault> {
    let mut lines = lines.into_iter().peekable();
    while lines.peek().is_some() {
        let block: Vec<L> = lines.by_ref().take(BLOCK).collect();
        let texts: Vec<&str> = block.iter().map(AsRef::as_ref).collect();
        let read = side_by_side(&texts, |line| (line::read(line), line::fingerprint(line)));
        let mut found = Vec::new();
        let folded = texts.iter().zip(read).try_for_each(|(line, (event, print))| {
            let event = table.follows(event)?;
            let before = look(table, &event, &mut found);
            let taken = table.take_hashed(&event, line, Some(print));
            found.extend(before.map(|(state, side)| Compared::Play(Box::new(Waiting { event, state, side }))));
            taken
        });
        let differences = side_by_side(&found, |found| match found {
            Compared::Done(difference) => Some(difference.clone()),
            Compared::Play(waiting) => waiting.differs(table),
        });
        if !differences.into_iter().flatten().all(&mut tell) {
            return Ok(());
        }
        folded?;
    }
    Ok(())
}

/// Compares what can be compared at once. A play waits, to be thrown again together with others, on the table as it stands now.
fn look(table: &Table, event: &Event, found: &mut Vec<Compared>) -> Option<(State, Option<usize>)> {
    if table.throws_sealed() && !table.any_rules {
        // There the fold itself compares.
        return None;
    }
    if matches!(event.what, Do::Play(_)) && table.setup.is_some() && table.open_call().is_none() {
        return Some((table.state.clone(), table.side_of(&event.by)));
    }
    found.extend(table.differs(event).map(|what| Compared::Done(Difference { event: event.n, what })));
    None
}

impl Waiting {
    fn differs(&self, table: &Table) -> Option<Difference> {
        let (Do::Play(played), Some(setup)) = (&self.event.what, table.setup.as_deref()) else { return None };
        let ground = Ground { pack: &table.pack, setup, state: &self.state, n: self.event.n, side: self.side };
        differs_on(&ground, played).map(|what| Difference { event: self.event.n, what })
    }
}

/// Does something with each of a list, on all processors; the answers come in the order of the list.
fn side_by_side<T: Sync, R: Send>(list: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let share = list.len().div_ceil(processors).max(WORTH);
    std::thread::scope(|scope| {
        let mut parts = list.chunks(share);
        // The first part is ours; the others get a thread each, or are ours as well if there is none to be had.
        let first = parts.next().unwrap_or_default();
        let rest: Vec<_> = parts
            .map(|part| {
                let work = &work;
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || part.iter().map(work).collect::<Vec<R>>());
                (part, thread.ok())
            })
            .collect();
        let mut answers: Vec<R> = first.iter().map(&work).collect();
        for (part, thread) in rest {
            match thread.map(std::thread::ScopedJoinHandle::join) {
                Some(Ok(more)) => answers.extend(more),
                Some(Err(fault)) => std::panic::resume_unwind(fault),
                None => answers.extend(part.iter().map(&work)),
            }
        }
        answers
    })
}
