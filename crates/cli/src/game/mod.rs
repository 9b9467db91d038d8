//! A game in progress, from the command line. Each command opens a table, makes one line, stores
//! it, and prints the outcome. A command that only reads opens the store for reading.
//!
//! An event that depends on what the player saw (a roll, a phase, an undo) is not made if others
//! were faster. One that does not (a remark, a unit) is made again after theirs.

mod act;
mod data;
pub mod names;
mod paper;
mod play;
mod prompt;
mod proof;
pub mod sealed;
mod tables;
mod told;
mod turn;
mod units;
mod view;

use crate::args::{At, Verb};
use crate::error::CommandError;
pub use crate::error::CommandResult;
use crate::open_store::{self, AppendError, OpenTable, TableStore, stamp};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::setup::ArgumentError;
use adjutant_game::{LogLine, Rejection, Stamp, Table};
use adjutant_pack::UnknownName;
use adjutant_wording::en;
use names::NameError;
pub use proof::{OtherRules, Tried};
pub use told::remembered;
pub use view::quoted;

/// Where packs and tables are.
pub struct Game<'a> {
    pub shelf: &'a PackRegistry,
    pub store: Option<&'a str>,
}

/// How often a line that depends on nothing that others do is made again when another player was
/// faster.
const PATIENCE: usize = 50;

impl Game<'_> {
    /// Runs a command, and warns if other users could read the store before it.
    pub fn run(&self, verb: &Verb) -> CommandResult {
        let exposed = open_store::exposed(self.store);
        let output = self.carry_out(verb)?;
        let warning = exposed
            .map(|path| open_store::exposure(&path, open_store::exposed(self.store).is_none()));
        let notes = self.shelf.take_notes();
        Ok(output.with_warnings(&warning.into_iter().chain(notes).collect::<Vec<_>>()))
    }

    fn carry_out(&self, verb: &Verb) -> CommandResult {
        match verb {
            Verb::Game { verb } => tables::run(self, verb),
            Verb::Unit { verb } => units::run(self, verb),
            Verb::Play(play) => play::play(self, play),
            Verb::Next(next) => play::next(self, next),
            Verb::Pending(of) => play::pending(self, of),
            Verb::Phase { at, to } => turn::phase(self, at, to.as_deref()),
            Verb::Land(at) => act::once(self, at, |table, stamp| table.land(stamp)),
            Verb::Undo(back) => turn::back(self, back, adjutant_game::ConsentFor::Undo),
            Verb::Redo(back) => turn::back(self, back, adjutant_game::ConsentFor::Redo),
            Verb::Consent { at, no } => turn::consent(self, at, !no),
            Verb::Seal(seal) => sealed::seal(self, seal),
            Verb::Reveal(reveal) => sealed::reveal(self, reveal),
            Verb::Withdraw(back) => sealed::withdraw(self, back),
            Verb::Release(release) => sealed::release(self, release),
            Verb::Deck(deck) => turn::deck(self, deck),
            Verb::Option { at, set } => turn::option(self, at, set),
            Verb::Memory { at, set, side } => turn::memory(self, at, set, side.as_deref()),
            Verb::Export(export) => paper::export(self, export),
            Verb::Import { file, name, json } => paper::import(self, file, name.as_deref(), *json),
            Verb::Replay { log, all, json } => proof::replay(self, log.as_deref(), *all, *json),
            Verb::Verify { log, head } => proof::verify(self, log, head.as_deref()),
            // The verbs without a table are run before.
            _ => Ok(CommandOutput::default()),
        }
    }

    /// The store, to write.
    fn store(&self) -> Result<TableStore<'_>, CommandError> {
        TableStore::open(self.shelf, self.store)
    }

    /// The store, to look.
    fn look(&self) -> Result<TableStore<'_>, CommandError> {
        TableStore::open_to_read(self.shelf, self.store)
    }

    /// A table to act at, and who acts when.
    fn table(&self, at: &At) -> Result<(OpenTable, Stamp), CommandError> {
        Ok((self.store()?.table(&at.of.table)?, stamp(at.who.by.as_deref())))
    }
}

/// Why a line is not made.
enum LineError {
    /// The table does not accept it.
    Rejected(Rejection),
    /// An argument cannot be read.
    Argument(ArgumentError),
    /// There is no unit or side of this name.
    Name(NameError),
    /// The arguments do not say enough. The text is for the player.
    Arguments(String),
}

impl LineError {
    fn sentence(&self) -> String {
        match self {
            LineError::Rejected(rejection) => en::rejection(rejection),
            LineError::Argument(why) => why.to_string(),
            LineError::Name(why) => why.to_string(),
            LineError::Arguments(text) => text.clone(),
        }
    }
}

impl From<ArgumentError> for LineError {
    fn from(why: ArgumentError) -> LineError {
        LineError::Argument(why)
    }
}

impl From<NameError> for LineError {
    fn from(why: NameError) -> LineError {
        LineError::Name(why)
    }
}

impl From<Rejection> for LineError {
    fn from(rejection: Rejection) -> LineError {
        LineError::Rejected(rejection)
    }
}

impl From<UnknownName> for LineError {
    fn from(unknown: UnknownName) -> LineError {
        LineError::Rejected(unknown.into())
    }
}

/// A line that was not made.
fn refused(error: impl Into<LineError>) -> CommandError {
    CommandError::usage([error.into().sentence()])
}

/// Makes a line and keeps it.
fn keep<E: Into<LineError>>(
    kept: &mut OpenTable,
    stamp: &Stamp,
    make: impl Fn(&Table, &Stamp) -> Result<LogLine, E>,
) -> Result<LogLine, CommandError> {
    let line = make(&kept.table, stamp).map_err(refused)?;
    kept.keep(&line)?;
    Ok(line)
}

/// The same for what does not depend on what others do meanwhile: if another player was faster, it
/// is made again after their line.
fn keep_behind<E: Into<LineError>>(
    kept: &mut OpenTable,
    stamp: &Stamp,
    make: impl Fn(&Table, &Stamp) -> Result<LogLine, E>,
) -> Result<LogLine, CommandError> {
    for _ in 0..PATIENCE {
        let line = make(&kept.table, stamp).map_err(refused)?;
        match kept.keep(&line) {
            Ok(()) => return Ok(line),
            Err(AppendError::MovedOn) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Err(AppendError::MovedOn.into())
}
