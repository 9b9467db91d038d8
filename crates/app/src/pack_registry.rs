//! The sheets at hand: those that come with the page and those of the player's own. A sheet is read and checked when
//! it is first wanted, and once: a phone should not read four packs to show one.

use crate::pack_summary::PackSummary;
use crate::settings::Settings;
use adjutant_pack::{Diagnostic, Files, Pack};
use std::cell::OnceCell;
use std::sync::Arc;

type Read = Result<Arc<Pack>, Vec<Diagnostic>>;

/// One sheet: its files, the tables filled in, and the pack once it was read.
#[derive(Debug)]
struct Slot {
    id: String,
    files: Option<Files>,
    tables: Option<String>,
    read: OnceCell<Read>,
    /// What was known of it before it was read.
    summary: Option<PackSummary>,
}

/// The sheets at hand.
#[derive(Debug)]
pub struct PackRegistry {
    slots: Vec<Slot>,
}

impl Default for PackRegistry {
    fn default() -> PackRegistry {
        PackRegistry {
            slots: adjutant_bundled_packs::IDS
                .iter()
                .map(|id| Slot { id: (*id).to_owned(), files: None, tables: None, read: OnceCell::new(), summary: None })
                .collect(),
        }
    }
}

impl PackRegistry {
    /// The ids, those that come with the page first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().map(|slot| slot.id.as_str())
    }

    /// Whether a sheet came with the page.
    pub fn is_shipped(&self, id: &str) -> bool {
        adjutant_bundled_packs::IDS.contains(&id)
    }

    /// The sheet of this id, if there is one and it is sound.
    pub fn pack(&self, id: &str) -> Option<Arc<Pack>> {
        self.read(id)?.as_ref().ok().cloned()
    }

    /// A sheet in summary, without reading it where that is known; nothing if it is not sound.
    pub fn summary(&self, id: &str) -> Option<PackSummary> {
        let slot = self.slots.iter().find(|slot| slot.id == id)?;
        match (&slot.summary, slot.read.get()) {
            (Some(summary), None) => Some(summary.clone()),
            _ => self.pack(id).map(|pack| PackSummary::of(&pack)),
        }
    }

    /// Takes in what is known of the sheets that came with the page.
    pub fn know(&mut self, summaries: Vec<PackSummary>) {
        for summary in summaries {
            if let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == summary.id && slot.files.is_none()) {
                slot.summary = Some(summary);
            }
        }
    }

    /// What is wrong with a sheet, or with the tables that were filled in.
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

    /// Takes the tables that a player filled in, if the pack stands with them; the faults if not.
    pub fn fill_in(&mut self, id: &str, tables: Option<&str>) -> Result<(), Vec<Diagnostic>> {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id) else { return Ok(()) };
        let files = slot.files.clone().or_else(|| adjutant_bundled_packs::files(id)).unwrap_or_default();
        let pack = adjutant_pack::read_pack(&files, tables)?;
        slot.tables = tables.map(str::to_owned);
        slot.read = OnceCell::from(Ok(Arc::new(pack)));
        Ok(())
    }

    /// Takes in what was remembered. Tables that no longer fit are left out; they stay remembered.
    pub fn settle(&mut self, settings: &Settings, own: &[(String, Files)]) {
        for (id, files) in own {
            self.put(id, files.clone());
        }
        for (id, text) in &settings.tables {
            let _ = self.fill_in(id, Some(text));
        }
    }

    /// The files of a sheet of the player's own.
    pub fn files(&self, id: &str) -> Option<Files> {
        self.slots.iter().find(|slot| slot.id == id)?.files.clone()
    }

    /// Puts a sheet of the player's own on the packs, or changes it. Those that came with the page cannot be changed.
    pub fn put(&mut self, id: &str, files: Files) {
        if self.is_shipped(id) {
            return;
        }
        self.slots.retain(|slot| slot.id != id);
        self.slots.push(Slot { id: id.to_owned(), files: Some(files), tables: None, read: OnceCell::new(), summary: None });
    }

    /// Takes a sheet of the player's own away.
    pub fn take_away(&mut self, id: &str) {
        if !self.is_shipped(id) {
            self.slots.retain(|slot| slot.id != id);
        }
    }
}
