//! The desk at which tables are kept and opened: the store that was named, the tables in it by name or id, and one
//! open table with the way a new line takes: first into the store, then onto the table. So a store that fails
//! leaves the table as it was, and what stands on the table is always kept.

use crate::shelf::Shelf;
use crate::verdict::Verdict;
use adjutant_game::{Line, Said, Stamp, Table};
use adjutant_pack::nearest;
pub use adjutant_server::utc;
use adjutant_store::{Place, Store, StoreFault, Summary, TableId};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A store and the packs its tables are played by.
pub struct Desk<'s> {
    pub shelf: &'s Shelf,
    pub store: Arc<dyn Store>,
}

/// A table that is kept in a store.
pub struct Kept {
    pub id: TableId,
    /// Its name in the store, which may have changed since it began.
    pub name: String,
    pub table: Table,
    /// What was put on since it was opened, and not taken away from here.
    pub said: Vec<Said>,
    /// The folder in which secrets of sealed throws are kept.
    pub sealed: Option<PathBuf>,
    store: Arc<dyn Store>,
}

/// Why a line was not kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// Others were faster; the table shows now what they did.
    #[error("somebody else has acted meanwhile: nothing was done. Look at the table again")]
    MovedOn,
    /// The store, or a log that does not fit.
    #[error("{0}")]
    Fault(String),
}

impl<'s> Desk<'s> {
    /// Opens the store that was named, else the one in `ADJUTANT_STORE`, else the one in the data folder.
    pub fn open(shelf: &'s Shelf, named: Option<&str>) -> Result<Desk<'s>, Verdict> {
        let store = place(named).and_then(|place| adjutant_store::open(&place)).map_err(wrong)?;
        Ok(Desk { shelf, store: store.into() })
    }

    /// A table by its id, the beginning of its id, or its name.
    pub fn find(&self, text: &str) -> Result<Summary, Verdict> {
        let all = self.store.list(true).map_err(wrong)?;
        let text = text.trim();
        if let Some(table) = TableId::parse(text).ok().and_then(|id| all.iter().find(|table| table.id == id)) {
            return Ok(table.clone());
        }
        let named = |table: &&Summary| table.name.to_lowercase() == text.to_lowercase();
        let begins = |table: &&Summary| text.len() >= 3 && table.id.to_string().starts_with(&text.to_lowercase());
        let mut found: Vec<&Summary> = all.iter().filter(named).collect();
        if found.is_empty() {
            found = all.iter().filter(begins).collect();
        }
        match found[..] {
            [table] => Ok(table.clone()),
            [] => Err(Verdict::wrong(&[unknown(text, &all, self.store.place())])),
            _ => {
                let ids: Vec<String> = found.iter().map(|table| format!("{} (event {})", table.id, table.last)).collect();
                Err(Verdict::wrong(&[format!("{} tables are called `{text}`: name one by its id: {}", ids.len(), ids.join(", "))]))
            }
        }
    }

    /// Opens a table with the pack it is played by.
    pub fn table(&self, text: &str) -> Result<Kept, Verdict> {
        let summary = self.find(text)?;
        let pack = Arc::new(self.shelf.open(&summary.pack)?.pack);
        let lines = self.store.read(&summary.id, 0).map_err(wrong)?;
        let table = Table::open(pack, lines.iter().map(|line| &line.text)).map_err(|fault| {
            let hint = format!("adjutant replay {} says what would differ, adjutant export {0} --as jsonl keeps it as it is", summary.id);
            Verdict::wrong(&[format!("the table {} cannot be opened: {fault}", summary.name), hint])
        })?;
        Ok(Kept { id: summary.id, name: summary.name, table, said: Vec::new(), sealed: sealed_folder(), store: self.store.clone() })
    }

    /// Opens the store to look only: nothing is made, brought up to date or written, so a folder that cannot be written serves,
    /// and a damaged file stays as it is.
    pub fn open_to_read(shelf: &'s Shelf, named: Option<&str>) -> Result<Desk<'s>, Verdict> {
        Desk::open_at(shelf, named).map_err(wrong)
    }

    /// The same, with the fault of the store.
    pub fn open_at(shelf: &'s Shelf, named: Option<&str>) -> Result<Desk<'s>, StoreFault> {
        let place = place(named)?;
        let store = match adjutant_store::open_to_read(&place) {
            // An older form is read after it was brought up to date.
            Err(StoreFault::Older { .. }) => adjutant_store::open(&place),
            other => other,
        };
        Ok(Desk { shelf, store: store?.into() })
    }

    /// The lines of a table as far as they can be read, and why not further.
    pub fn lines(&self, summary: &Summary) -> Result<(Vec<String>, Option<String>), Verdict> {
        let salvage = self.store.salvage(&summary.id, 0).map_err(wrong)?;
        let fault = salvage.fault.map(|fault| fault.to_string());
        Ok((salvage.lines.into_iter().map(|line| line.text).collect(), fault))
    }

    /// A table to look at: as far as its log is intact, and also where the rules of its pack have changed since.
    pub fn seen(&self, text: &str) -> Result<Seen, Verdict> {
        let summary = self.find(text)?;
        let pack = Arc::new(self.shelf.open(&summary.pack)?.pack);
        let (lines, fault) = self.lines(&summary)?;
        let mut faults: Vec<String> = fault.into_iter().collect();
        if lines.is_empty() && !faults.is_empty() {
            return Err(Verdict::faulty(String::new(), crate::verdict::sentences(&faults)));
        }
        let (table, fault) = as_far_as(pack.clone(), &lines);
        let table = match fault {
            None => table,
            Some(fault) if table.lines().len() > 0 => {
                faults.push(format!("{}: {fault}", summary.name));
                table
            }
            Some(fault) => match adjutant_game::replay(pack, &lines) {
                Ok((table, _)) => {
                    faults.push(format!("{}: {fault}. It is shown as it was recorded", summary.name));
                    table
                }
                Err(_) => return Err(Verdict::wrong(&[format!("the table {} cannot be read: {fault}", summary.name)])),
            },
        };
        Ok(Seen { summary, table, faults })
    }
}

/// A table that is only looked at.
pub struct Seen {
    pub summary: Summary,
    pub table: Table,
    /// What is wrong with its log or its store.
    pub faults: Vec<String>,
}

impl Seen {
    /// The end of a verb that shows it: what is wrong goes to standard error.
    pub fn shown(&self, out: String) -> Verdict {
        if self.faults.is_empty() { Verdict::done(out) } else { Verdict::faulty(out, crate::verdict::sentences(&self.faults)) }
    }
}

/// The table as far as its lines fit.
fn as_far_as(pack: Arc<adjutant_pack::Pack>, lines: &[String]) -> (Table, Option<adjutant_game::Fault>) {
    match Table::open(pack.clone(), lines) {
        Ok(table) => (table, None),
        Err(fault) => {
            let intact = (fault.event as usize).saturating_sub(1).min(lines.len());
            (Table::open(pack.clone(), &lines[..intact]).unwrap_or_else(|_| Table::empty(pack)), Some(fault))
        }
    }
}

impl Kept {
    /// Keeps a line and puts it on the table.
    pub fn keep(&mut self, line: &Line) -> Result<(), NotKept> {
        match self.store.append(&self.id, line.n.saturating_sub(1), &[&line.text]) {
            Ok(_) => self.put_on(&line.text),
            Err(StoreFault::MovedOn { .. }) => self.catch_up().and(Err(NotKept::MovedOn)),
            Err(fault) => Err(NotKept::Fault(fault.to_string())),
        }
    }

    /// Puts on what others have added; how many lines that were.
    pub fn catch_up(&mut self) -> Result<usize, NotKept> {
        let known = self.table.lines().len() as u64;
        let lines = self.store.read(&self.id, known).map_err(|fault| NotKept::Fault(fault.to_string()))?;
        for line in &lines {
            self.put_on(&line.text)?;
        }
        Ok(lines.len())
    }

    fn put_on(&mut self, line: &str) -> Result<(), NotKept> {
        self.said.push(self.table.apply_and_tell(line).map_err(|fault| NotKept::Fault(fault.to_string()))?);
        Ok(())
    }

    /// Waits for what others add.
    pub fn watch(&self) -> Result<adjutant_store::Watch, StoreFault> {
        self.store.watch(Some(&self.id))
    }
}

pub fn sealed_folder() -> Option<PathBuf> {
    Some(crate::shelf::data_folder()?.join("sealed"))
}

/// The sentence of a store, as the end of a verb.
pub fn wrong(fault: StoreFault) -> Verdict {
    Verdict::wrong(&[fault.to_string()])
}

/// Where tables are kept.
pub fn place(named: Option<&str>) -> Result<Place, StoreFault> {
    let set = std::env::var("ADJUTANT_STORE").ok().filter(|text| !text.is_empty());
    match named.map(str::to_owned).or(set) {
        Some(text) => Place::parse(&text),
        None => match crate::shelf::data_folder() {
            Some(folder) => Ok(Place::default_in(&folder)),
            None => Place::parse("adjutant-tables.db"),
        },
    }
}

fn unknown(text: &str, all: &[Summary], place: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    let names: Vec<&str> = all.iter().map(|table| table.name.as_str()).collect();
    match nearest(&shown, names.iter().copied()) {
        Some(close) => format!("there is no table `{shown}` in {place}: did you mean `{close}`?"),
        None if names.is_empty() => format!("there is no table `{shown}`: {place} holds none yet. Begin one: adjutant table new PACK"),
        None => format!("there is no table `{shown}` in {place}: adjutant table list shows those there are"),
    }
}

/// Now, and who acts: the name given, else `ADJUTANT_NAME`, else the name of the system's user.
pub fn stamp(named: Option<&str>) -> Stamp {
    let from = |key: &str| std::env::var(key).ok().filter(|text| !text.trim().is_empty());
    let by = named.map(str::to_owned).or_else(|| from("ADJUTANT_NAME")).or_else(|| from("USER")).or_else(|| from("USERNAME"));
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Stamp::new(utc(seconds), by.unwrap_or_else(|| "player".into()))
}
