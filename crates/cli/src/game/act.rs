//! One event and its telling: the sentence that the log will tell of it, and what is due now.

use super::{CommandResult, Game, LineError, data, keep, keep_behind, view};
use crate::args::At;
use crate::json::pretty;
use crate::open_store::OpenTable;
use crate::output::CommandOutput;
use crate::paint::{DIM, paragraph};
use adjutant_game::{EventKind, LogLine, Stamp, Table};

/// An event that stands on what was seen: if others were faster, nothing is done.
pub(super) fn once<E: Into<LineError>>(
    game: &Game<'_>,
    at: &At,
    make: impl Fn(&Table, &Stamp) -> Result<LogLine, E>,
) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let line = keep(&mut kept, &stamp, make)?;
    Ok(told(&kept, &line, at.of.json))
}

/// An event that does not depend on what others do.
pub(super) fn behind<E: Into<LineError>>(
    game: &Game<'_>,
    at: &At,
    make: impl Fn(&Table, &Stamp) -> Result<LogLine, E>,
) -> CommandResult {
    let (mut kept, stamp) = game.table(at)?;
    let line = keep_behind(&mut kept, &stamp, make)?;
    Ok(told(&kept, &line, at.of.json))
}

/// What the line that was kept last says.
pub fn words(kept: &OpenTable) -> &str {
    kept.said.last().map_or("", |said| &said.words)
}

/// A kept line in words or as data; what is due is told where that has changed.
pub fn told(kept: &OpenTable, line: &LogLine, json: bool) -> CommandOutput {
    if json {
        return CommandOutput::done(pretty(&data::event(kept, &line.event)));
    }
    let phase = match (&line.event.what, view::guide(&kept.table, &kept.name)) {
        (EventKind::Phase(_), guide) if guide.is_empty() => {
            kept.table.turn().0.map_or(String::new(), |phase| paragraph(2, DIM, &phase.text))
        }
        (EventKind::Phase(_), guide) => guide,
        _ => String::new(),
    };
    let other = kept.said.iter().any(|said| said.applied.changes.due());
    let now = if other { view::due(&kept.table) } else { String::new() };
    CommandOutput::done(format!("{}\n{phase}{now}", words(kept)))
}
