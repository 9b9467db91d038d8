//! The report of a check: everything that is not sound, table by table, so that a player learns what can be saved before he touches
//! anything.

use crate::{Store, StoreError, TableId};
use std::fmt;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCheck {
    /// What was checked.
    pub place: String,
    /// What the database itself says is wrong.
    pub damage: Vec<String>,
    /// Each table.
    pub tables: Vec<TableCheck>,
}

/// What a check found about one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCheck {
    /// The table.
    pub id: TableId,
    /// Its name.
    pub name: String,
    /// The number of its last event.
    pub last: u64,
    /// Events 1 to this one can be read.
    pub intact: u64,
    /// What is wrong, if anything.
    pub fault: Option<StoreError>,
}

impl StoreCheck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.damage.is_empty() && self.tables.iter().all(|table| table.fault.is_none())
    }

    /// Reads every table of a store whose list can be read; a list that cannot be read is damage too.
    pub(crate) fn gather(store: &dyn Store, mut damage: Vec<String>) -> Result<StoreCheck, StoreError> {
        let list = match store.list(true) {
            Ok(list) => list,
            Err(fault @ StoreError::Damaged { .. }) => {
                damage.push(fault.to_string());
                Vec::new()
            }
            Err(other) => return Err(other),
        };
        let mut tables = Vec::new();
        for table in list {
            let (intact, fault) = match store.salvage(&table.id, 0) {
                Ok(salvage) => (salvage.lines.last().map_or(0, |line| line.number), salvage.fault),
                // In the list and not to be found: its index is damaged.
                Err(fault @ (StoreError::Damaged { .. } | StoreError::NoTable { .. })) => (0, Some(fault)),
                Err(other) => return Err(other),
            };
            tables.push(TableCheck { id: table.id, name: table.name, last: table.last, intact, fault });
        }
        Ok(StoreCheck { place: store.place().to_owned(), damage, tables })
    }
}

fn events(count: u64) -> String {
    if count == 1 { "1 event".into() } else { format!("{count} events") }
}

impl fmt::Display for StoreCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sound() {
            let tables = if self.tables.len() == 1 { "1 table".to_owned() } else { format!("{} tables", self.tables.len()) };
            return write!(f, "{} is sound: {tables}, every event in its place.", self.place);
        }
        writeln!(f, "{} is not sound.", self.place)?;
        for sentence in &self.damage {
            writeln!(f, "  The database says: {sentence}")?;
        }
        for table in &self.tables {
            match &table.fault {
                None => writeln!(f, "  Table {} ({}): all {} can be read.", table.id, table.name, events(table.last))?,
                Some(fault @ StoreError::Altered { .. }) => writeln!(f, "  Table {} ({}): {fault}", table.id, table.name)?,
                Some(fault) => {
                    writeln!(f, "  Table {} ({}): {} of {} can be read. {fault}", table.id, table.name, table.intact, events(table.last))?;
                }
            }
        }
        Ok(())
    }
}
