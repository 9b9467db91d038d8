//! The packs: those that come with the page, and the player's own. A pack is read and checked once,
//! when it is first needed, because reading all of them is slow on a phone.

use crate::pack_summary::PackSummary;
use crate::settings::Settings;
use adjutant_pack::{Diagnostic, Files, Pack};
use std::cell::OnceCell;
use std::sync::Arc;

type Read = Result<Arc<Pack>, Vec<Diagnostic>>;

/// A pack: its files, the tables filled in by the player, and the checked pack.
#[derive(Debug)]
struct Slot {
    id: String,
    files: Option<Files>,
    tables: Option<String>,
    read: OnceCell<Read>,
    /// The summary that came with the page.
    summary: Option<PackSummary>,
}

/// The packs.
#[derive(Debug)]
pub struct PackRegistry {
    slots: Vec<Slot>,
}

impl Default for PackRegistry {
    fn default() -> PackRegistry {
        PackRegistry {
            slots: adjutant_bundled_packs::IDS
                .iter()
                .map(|id| Slot {
                    id: (*id).to_owned(),
                    files: None,
                    tables: None,
                    read: OnceCell::new(),
                    summary: None,
                })
                .collect(),
        }
    }
}

impl PackRegistry {
    /// The ids. Packs that came with the page are first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().map(|slot| slot.id.as_str())
    }

    /// Whether a pack came with the page.
    pub fn is_shipped(&self, id: &str) -> bool {
        adjutant_bundled_packs::IDS.contains(&id)
    }

    /// The pack of this id, if it exists and has no faults.
    pub fn pack(&self, id: &str) -> Option<Arc<Pack>> {
        self.read(id)?.as_ref().ok().cloned()
    }

    /// A summary of a pack. Does not read the pack if the summary came with the page. None for a
    /// pack with faults.
    pub fn summary(&self, id: &str) -> Option<PackSummary> {
        let slot = self.slots.iter().find(|slot| slot.id == id)?;
        match (&slot.summary, slot.read.get()) {
            (Some(summary), None) => Some(summary.clone()),
            _ => self.pack(id).map(|pack| PackSummary::of(&pack)),
        }
    }

    /// Adds the summaries that came with the page.
    pub fn know(&mut self, summaries: Vec<PackSummary>) {
        for summary in summaries {
            if let Some(slot) =
                self.slots.iter_mut().find(|slot| slot.id == summary.id && slot.files.is_none())
            {
                slot.summary = Some(summary);
            }
        }
    }

    /// The faults of a pack, or of the tables filled in for it.
    pub fn faults(&self, id: &str) -> &[Diagnostic] {
        self.read(id).and_then(|read| read.as_ref().err()).map_or(&[], Vec::as_slice)
    }

    fn read(&self, id: &str) -> Option<&Read> {
        let slot = self.slots.iter().find(|slot| slot.id == id)?;
        Some(slot.read.get_or_init(|| {
            let shipped;
            let files = match &slot.files {
                Some(files) => files,
                None => {
                    shipped = adjutant_bundled_packs::files(id).unwrap_or_default();
                    &shipped
                }
            };
            adjutant_pack::read_pack(files, slot.tables.as_deref()).map(Arc::new)
        }))
    }

    /// Fills in tables of the book, if the pack has no faults with them.
    pub fn fill_in(&mut self, id: &str, tables: Option<&str>) -> Result<(), Vec<Diagnostic>> {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id) else { return Ok(()) };
        let files =
            slot.files.clone().or_else(|| adjutant_bundled_packs::files(id)).unwrap_or_default();
        let pack = adjutant_pack::read_pack(&files, tables)?;
        slot.tables = tables.map(str::to_owned);
        slot.read = OnceCell::from(Ok(Arc::new(pack)));
        Ok(())
    }

    /// Adds the saved packs and tables. Tables that no longer fit are ignored; they stay saved.
    pub fn settle(&mut self, settings: &Settings, own: &[(String, Files)]) {
        for (id, files) in own {
            self.put(id, files.clone());
        }
        for (id, text) in &settings.tables {
            let _ = self.fill_in(id, Some(text));
        }
    }

    /// The files of one of the player's own packs.
    pub fn files(&self, id: &str) -> Option<Files> {
        self.slots.iter().find(|slot| slot.id == id)?.files.clone()
    }

    /// Adds or replaces one of the player's own packs. Packs that came with the page cannot be
    /// replaced.
    pub fn put(&mut self, id: &str, files: Files) {
        if self.is_shipped(id) {
            return;
        }
        self.slots.retain(|slot| slot.id != id);
        self.slots.push(Slot {
            id: id.to_owned(),
            files: Some(files),
            tables: None,
            read: OnceCell::new(),
            summary: None,
        });
    }

    /// Removes one of the player's own packs.
    pub fn take_away(&mut self, id: &str) {
        if !self.is_shipped(id) {
            self.slots.retain(|slot| slot.id != id);
        }
    }
}
