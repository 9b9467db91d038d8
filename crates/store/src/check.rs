//! The result of checking a store: everything that is damaged, table by table. It shows what can be
//! saved before anything is changed.

use crate::{Store, StoreError, TableId};
use std::fmt;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCheck {
    /// The location that was checked.
    pub place: String,
    /// The damage that the database itself reports.
    pub damage: Vec<String>,
    pub tables: Vec<TableCheck>,
}

/// The result of checking one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCheck {
    pub id: TableId,
    pub name: String,
    /// The number of its last event.
    pub last: u64,
    /// Events 1 to this number can be read.
    pub intact: u64,
    pub fault: Option<StoreError>,
}

impl StoreCheck {
    #[must_use]
    pub fn sound(&self) -> bool {
        self.damage.is_empty() && self.tables.iter().all(|table| table.fault.is_none())
    }

    /// Reads every table. A list of tables that cannot be read counts as damage too.
    pub(crate) fn gather(
        store: &dyn Store,
        mut damage: Vec<String>,
    ) -> Result<StoreCheck, StoreError> {
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
                // The table is listed but cannot be found: the index is damaged.
                Err(fault @ (StoreError::Damaged { .. } | StoreError::NoTable { .. })) => {
                    (0, Some(fault))
                }
                Err(other) => return Err(other),
            };
            tables.push(TableCheck {
                id: table.id,
                name: table.name,
                last: table.last,
                intact,
                fault,
            });
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
            let tables = if self.tables.len() == 1 {
                "1 table".to_owned()
            } else {
                format!("{} tables", self.tables.len())
            };
            return write!(f, "{} is sound: {tables}, every event in its place.", self.place);
        }
        writeln!(f, "{} is not sound.", self.place)?;
        for sentence in &self.damage {
            writeln!(f, "  The database says: {sentence}")?;
        }
        for table in &self.tables {
            match &table.fault {
                None => writeln!(
                    f,
                    "  Table {} ({}): all {} can be read.",
                    table.id,
                    table.name,
                    events(table.last)
                )?,
                Some(fault @ StoreError::Altered { .. }) => {
                    writeln!(f, "  Table {} ({}): {fault}", table.id, table.name)?
                }
                Some(fault) => {
                    writeln!(
                        f,
                        "  Table {} ({}): {} of {} can be read. {fault}",
                        table.id,
                        table.name,
                        table.intact,
                        events(table.last)
                    )?;
                }
            }
        }
        Ok(())
    }
}
