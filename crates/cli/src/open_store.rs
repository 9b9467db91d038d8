//! The desk at which tables are kept and opened: the store that was named, the tables in it by name
//! or id, and one open table with the way a new line takes: first into the store, then onto the
//! table. So a store that fails leaves the table as it was, and what stands on the table is always
//! kept.

use crate::error::CommandError;
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::sealed_folder::sealed_folder;
use adjutant_game::{Applied, Event, EventKind, LogLine, Stamp, Table};
use adjutant_pack::{Bundle, Files, Noun, Pack, Supplied, UnknownName};
pub use adjutant_server::utc;
use adjutant_server::{GAME_PACK, WrittenPack};
use adjutant_store::{NewTable, Store, StoreError, StoreLocation, Summary, TableId};
use adjutant_wording::en;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A store and the packs its tables are played by.
pub struct TableStore<'s> {
    pub shelf: &'s PackRegistry,
    pub store: Arc<dyn Store>,
}

/// A table that is kept in a store.
pub struct OpenTable {
    pub id: TableId,
    /// Its name in the store, which may have changed since it began.
    pub name: String,
    pub table: Table,
    /// What was put on since it was opened, and not taken away from here.
    pub said: Vec<SaidLine>,
    /// The folder in which secrets of sealed rolls are kept.
    pub sealed: Option<PathBuf>,
    store: Arc<dyn Store>,
}

/// Why a line was not kept.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Others were faster; the table shows now what they did.
    #[error("another player acted first: nothing was changed. Look at the game again")]
    MovedOn,
    /// The store, or a log that does not fit.
    #[error("{0}")]
    Fault(String),
}

impl<'s> TableStore<'s> {
    /// Opens the store that was named, else the one in `ADJUTANT_STORE`, else the one in the data
    /// folder.
    pub fn open(
        shelf: &'s PackRegistry,
        named: Option<&str>,
    ) -> Result<TableStore<'s>, CommandError> {
        let store = place(named).and_then(|place| adjutant_store::open(&place))?;
        Ok(TableStore { shelf, store: store.into() })
    }

    /// A table by its id, the beginning of its id, or its name.
    pub fn find(&self, text: &str) -> Result<Summary, CommandError> {
        let all = self.store.list(true)?;
        let text = text.trim();
        if let Some(table) =
            TableId::parse(text).ok().and_then(|id| all.iter().find(|table| table.id == id))
        {
            return Ok(table.clone());
        }
        let named = |table: &&Summary| table.name.to_lowercase() == text.to_lowercase();
        let begins = |table: &&Summary| {
            text.len() >= 3 && table.id.to_string().starts_with(&text.to_lowercase())
        };
        let mut found: Vec<&Summary> = all.iter().filter(named).collect();
        if found.is_empty() {
            found = all.iter().filter(begins).collect();
        }
        match found[..] {
            [table] => Ok(table.clone()),
            [] => Err(CommandError::usage([unknown(text, &all, self.store.place())])),
            _ => {
                let ids: Vec<String> = found
                    .iter()
                    .map(|table| format!("{} (event {})", table.id, table.last))
                    .collect();
                Err(CommandError::usage([format!(
                    "{} games are called `{text}`: use an id: {}",
                    ids.len(),
                    ids.join(", ")
                )]))
            }
        }
    }

    /// Opens a table with the pack it is played by.
    pub fn table(&self, text: &str) -> Result<OpenTable, CommandError> {
        let summary = self.find(text)?;
        let lines = self.store.read(&summary.id, 0)?;
        let pack = self.pack_of(&summary, lines.first().map_or("", |line| &line.text))?;
        let table = Table::open(pack, lines.iter().map(|line| &line.text)).map_err(|fault| {
            let hint = format!("adjutant replay {} says what would differ, adjutant export {0} --as jsonl keeps it as it is", summary.id);
            CommandError::usage([format!("the game {} cannot be opened: {}", summary.name, en::log_error(&fault)), hint])
        })?;
        Ok(OpenTable {
            id: summary.id,
            name: summary.name,
            table,
            said: Vec::new(),
            sealed: sealed_folder(),
            store: self.store.clone(),
        })
    }

    /// The pack of a game: with the rules that it was started with, if they are here or the store
    /// has kept them. `first` is the first line of its log.
    fn pack_of(&self, summary: &Summary, first: &str) -> Result<Arc<Pack>, CommandError> {
        let hash = match serde_json::from_str::<Event>(first).map(|event| event.what) {
            Ok(EventKind::Begin(begin)) => begin.hash,
            _ => String::new(),
        };
        let brought = adjutant_server::pack_of_game(&*self.store, &summary.id)?;
        let opened = self.shelf.open_for_game(&summary.pack, &hash, brought)?;
        Ok(Arc::new(opened.pack))
    }

    /// Stores a new game together with its pack, so that it can be opened and handed on where the
    /// pack is not.
    pub fn create(
        &self,
        table: &NewTable<'_>,
        files: Files,
        supplied: Supplied,
    ) -> Result<Summary, CommandError> {
        // A pack that is too large to be handed on stays where it is.
        let bundle = WrittenPack::new(&Bundle::new(files).with(supplied)).ok();
        bundle.as_ref().map_or(Ok(()), |bundle| bundle.keep(&*self.store))?;
        let texts: Vec<(&str, &str)> =
            bundle.iter().map(|bundle| (GAME_PACK, bundle.sum())).collect();
        Ok(self.store.create_with(table, &texts, None)?)
    }

    /// Opens the store to look only: nothing is made, brought up to date or written, so a folder
    /// that cannot be written serves, and a damaged file stays as it is.
    pub fn open_to_read(
        shelf: &'s PackRegistry,
        named: Option<&str>,
    ) -> Result<TableStore<'s>, CommandError> {
        Ok(TableStore::open_at(shelf, named)?)
    }

    /// The same, with the fault of the store.
    pub fn open_at(
        shelf: &'s PackRegistry,
        named: Option<&str>,
    ) -> Result<TableStore<'s>, StoreError> {
        let place = place(named)?;
        let store = match adjutant_store::open_to_read(&place) {
            // An older form is read after it was brought up to date.
            Err(StoreError::Older { .. }) => adjutant_store::open(&place),
            other => other,
        };
        Ok(TableStore { shelf, store: store?.into() })
    }

    /// The lines of a table as far as they can be read, and why not further.
    pub fn lines(&self, summary: &Summary) -> Result<(Vec<String>, Option<String>), CommandError> {
        let salvage = self.store.salvage(&summary.id, 0)?;
        let fault = salvage.fault.map(|fault| fault.to_string());
        Ok((salvage.lines.into_iter().map(|line| line.text).collect(), fault))
    }

    /// A table to look at: as far as its log is intact, and also where the rules of its pack have
    /// changed since.
    pub fn seen(&self, text: &str) -> Result<ReadOnlyTable, CommandError> {
        let summary = self.find(text)?;
        let (lines, fault) = self.lines(&summary)?;
        let pack = self.pack_of(&summary, lines.first().map_or("", String::as_str))?;
        let mut faults: Vec<String> = fault.into_iter().collect();
        if lines.is_empty() && !faults.is_empty() {
            return Err(CommandError::faulty(faults));
        }
        let (table, fault) = as_far_as(pack.clone(), &lines);
        let table = match fault {
            None => table,
            Some(fault) if table.lines().len() > 0 => {
                faults.push(format!("{}: {}", summary.name, en::log_error(&fault)));
                table
            }
            Some(fault) => match adjutant_game::replay(pack, &lines) {
                Ok((table, _)) => {
                    faults.push(format!(
                        "{}: {}. It is shown as it was recorded",
                        summary.name,
                        en::log_error(&fault)
                    ));
                    table
                }
                Err(_) => {
                    let fault = format!(
                        "the game {} cannot be read: {}",
                        summary.name,
                        en::log_error(&fault)
                    );
                    return Err(CommandError::usage([fault]));
                }
            },
        };
        Ok(ReadOnlyTable { summary, table, faults })
    }
}

/// A table that is only looked at.
pub struct ReadOnlyTable {
    pub summary: Summary,
    pub table: Table,
    /// What is wrong with its log or its store.
    pub faults: Vec<String>,
}

impl ReadOnlyTable {
    /// The end of a verb that shows it: what is wrong goes to standard error.
    pub fn shown(&self, out: String) -> CommandOutput {
        if self.faults.is_empty() {
            CommandOutput::done(out)
        } else {
            CommandOutput::faulty(out, crate::output::sentences(&self.faults))
        }
    }
}

/// The table as far as its lines fit.
fn as_far_as(
    pack: Arc<adjutant_pack::Pack>,
    lines: &[String],
) -> (Table, Option<adjutant_game::LogError>) {
    match Table::open(pack.clone(), lines) {
        Ok(table) => (table, None),
        Err(fault) => {
            let intact = (fault.event as usize).saturating_sub(1).min(lines.len());
            (
                Table::open(pack.clone(), &lines[..intact]).unwrap_or_else(|_| Table::empty(pack)),
                Some(fault),
            )
        }
    }
}

/// A line that was applied, described with the names of that moment.
pub struct SaidLine {
    pub applied: Applied,
    /// What the log says of it.
    pub words: String,
    /// What it means.
    pub means: Vec<String>,
}

impl OpenTable {
    /// Keeps a line and puts it on the table.
    pub fn keep(&mut self, line: &LogLine) -> Result<(), AppendError> {
        match self.store.append(&self.id, line.n.saturating_sub(1), &[&line.text]) {
            Ok(_) => self.put_on(&line.text),
            Err(StoreError::MovedOn { .. }) => self.catch_up().and(Err(AppendError::MovedOn)),
            Err(fault) => Err(AppendError::Fault(fault.to_string())),
        }
    }

    /// Puts on what others have added; how many lines that were.
    pub fn catch_up(&mut self) -> Result<usize, AppendError> {
        let known = self.table.lines().len() as u64;
        let lines = self
            .store
            .read(&self.id, known)
            .map_err(|fault| AppendError::Fault(fault.to_string()))?;
        for line in &lines {
            self.put_on(&line.text)?;
        }
        Ok(lines.len())
    }

    fn put_on(&mut self, line: &str) -> Result<(), AppendError> {
        let applied =
            self.table.apply(line).map_err(|fault| AppendError::Fault(en::log_error(&fault)))?;
        self.said.push(SaidLine {
            words: en::log_line(&self.table, &applied),
            means: en::meaning(&self.table, &applied),
            applied,
        });
        Ok(())
    }

    /// Waits for what others add.
    pub fn watch(&self) -> Result<adjutant_store::Watch, StoreError> {
        self.store.watch(Some(&self.id))
    }
}

/// Where tables are kept.
pub fn place(named: Option<&str>) -> Result<StoreLocation, StoreError> {
    let set = std::env::var("ADJUTANT_STORE").ok().filter(|text| !text.is_empty());
    match named.map(str::to_owned).or(set) {
        Some(text) => StoreLocation::parse(&text),
        None => match crate::pack_registry::data_folder() {
            Some(folder) => Ok(StoreLocation::default_in(&folder)),
            None => StoreLocation::parse("adjutant-tables.db"),
        },
    }
}

/// The file of the store, if other users of this machine can read it.
pub fn exposed(named: Option<&str>) -> Option<PathBuf> {
    Some(place(named).ok()?.readable_by_others()?.to_owned())
}

/// What to say of a store that other users could read; `closed` if it is closed to them by now.
pub fn exposure(path: &std::path::Path, closed: bool) -> String {
    let path = path.display();
    let what = if closed {
        "It is closed to them now. If one of them is a player, reset the invitations".to_owned()
    } else {
        format!("To close it: chmod 600 {path}")
    };
    format!(
        "{path} could be read by other users of this machine, with all games and invitations in it. {what}"
    )
}

fn unknown(text: &str, all: &[Summary], place: &str) -> String {
    let unknown = UnknownName::new(Noun::Table, text, all.iter().map(|table| table.name.as_str()));
    let shown = &unknown.name;
    match &unknown.nearest {
        Some(close) => format!("there is no game `{shown}` in {place}: did you mean `{close}`?"),
        None if all.is_empty() => format!(
            "there is no game `{shown}`: {place} holds none yet. Start one: adjutant game new PACK"
        ),
        None => {
            format!("there is no game `{shown}` in {place}: adjutant game list shows the games")
        }
    }
}

/// Now, and who acts: the name given, else `ADJUTANT_NAME`, else the name of the system's user.
pub fn stamp(named: Option<&str>) -> Stamp {
    let from = |key: &str| std::env::var(key).ok().filter(|text| !text.trim().is_empty());
    let by = named
        .map(str::to_owned)
        .or_else(|| from("ADJUTANT_NAME"))
        .or_else(|| from("USER"))
        .or_else(|| from("USERNAME"));
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Stamp::new(utc(seconds), by.unwrap_or_else(|| "player".into()))
}
