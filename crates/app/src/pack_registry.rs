//! The packs: those that come with the page, and the player's own. A pack is read and checked once,
//! when it is first needed, because reading all of them is slow on a phone.

use crate::pack_summary::PackSummary;
use crate::settings::Settings;
use adjutant_pack::{Bundle, Diagnostic, Files, Pack, Supplied, UserFiles, read_pack_with};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

type Read = Result<Arc<Pack>, Vec<Diagnostic>>;

/// A pack: its files, the tables filled in by the player, and the checked pack.
#[derive(Debug)]
struct Slot {
    id: String,
    files: Option<Files>,
    tables: Option<String>,
    /// Tables and decks of the server's owner, used while the player has none.
    supplied: Supplied,
    /// Where the server has the pack from, if it came from there.
    served: Option<String>,
    read: OnceCell<Read>,
    /// The summary that came with the page.
    summary: Option<PackSummary>,
}

impl Slot {
    fn new(id: &str, files: Option<Files>) -> Slot {
        Slot {
            id: id.to_owned(),
            files,
            tables: None,
            supplied: Supplied::default(),
            served: None,
            read: OnceCell::new(),
            summary: None,
        }
    }

    fn files(&self) -> Files {
        let shipped = || adjutant_bundled_packs::files(&self.id).unwrap_or_default();
        self.files.clone().unwrap_or_else(shipped)
    }

    /// Tables and decks: the player's own, else those of the server's owner.
    fn own(&self) -> UserFiles<'_> {
        self.own_with(self.tables.as_deref())
    }

    /// The same with these tables of the player.
    fn own_with<'s>(&'s self, tables: Option<&'s str>) -> UserFiles<'s> {
        let supplied = self.supplied.as_files();
        UserFiles { tables: tables.or(supplied.tables), ..supplied }
    }
}

/// A pack that came with a game.
#[derive(Debug)]
struct Brought {
    pack: Arc<Pack>,
    text: String,
}

/// The packs.
#[derive(Debug)]
pub struct PackRegistry {
    slots: Vec<Slot>,
    /// Packs that came with games, by their fingerprint. Only games with this fingerprint use them.
    brought: BTreeMap<String, Brought>,
}

impl Default for PackRegistry {
    fn default() -> PackRegistry {
        PackRegistry {
            slots: adjutant_bundled_packs::IDS.iter().map(|id| Slot::new(id, None)).collect(),
            brought: BTreeMap::new(),
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
        Some(slot.read.get_or_init(|| read_pack_with(&slot.files(), &slot.own()).map(Arc::new)))
    }

    /// Fills in tables of the book, if the pack has no faults with them.
    pub fn fill_in(&mut self, id: &str, tables: Option<&str>) -> Result<(), Vec<Diagnostic>> {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id) else { return Ok(()) };
        let pack = read_pack_with(&slot.files(), &slot.own_with(tables))?;
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
        self.slots.push(Slot::new(id, Some(files)));
    }

    /// The fingerprint of a pack's rules.
    pub fn hash(&self, id: &str) -> Option<String> {
        self.slots.iter().find(|slot| slot.id == id).map(|slot| slot.files().hash())
    }

    /// Where the server has a pack from, with its fingerprint; none for other packs.
    pub fn source(&self, id: &str) -> Option<(&str, String)> {
        let slot = self.slots.iter().find(|slot| slot.id == id)?;
        Some((slot.served.as_deref()?, slot.files().hash()))
    }

    /// Adds a pack of the server, if its rules have no faults. It takes the place of no other: a
    /// pack that is here with the same rules gets the tables and decks of the server's owner.
    pub fn put_served(&mut self, bundle: Bundle, from: String) {
        let Ok(pack) = bundle.read_pack() else { return };
        let (files, supplied) = bundle.into_parts();
        let known = self.slots.iter_mut().find(|slot| *pack.id() == slot.id.as_str());
        match known {
            Some(slot) if slot.files().hash() == files.hash() => {
                (slot.supplied, slot.read) = (supplied, OnceCell::new());
            }
            Some(slot) if slot.served.is_none() => {}
            Some(slot) => {
                *slot = Slot { supplied, served: Some(from), ..Slot::new(pack.id(), Some(files)) };
            }
            None => {
                let slot = Slot::new(pack.id(), Some(files));
                self.slots.push(Slot { supplied, served: Some(from), ..slot });
            }
        }
    }

    /// Keeps a pack that came with a game, if it has no faults.
    pub fn bring(&mut self, bundle: Bundle) {
        if let (Ok(pack), Ok(text)) = (bundle.read_pack(), bundle.write()) {
            self.brought.insert(pack.hash().to_string(), Brought { pack: Arc::new(pack), text });
        }
    }

    /// The pack with these rules: of this id, or one that came with a game.
    pub fn with_rules(&self, id: &str, hash: &str) -> Option<Arc<Pack>> {
        let here = self.pack(id).filter(|pack| *pack.hash() == hash);
        let brought = || self.brought.get(hash).filter(|brought| *brought.pack.id() == id);
        here.or_else(|| brought().map(|brought| Arc::clone(&brought.pack)))
    }

    /// The bundle of the pack with these rules, to hand it on with a game. None for a pack that
    /// comes with every Adjutant.
    pub fn bundle(&self, id: &str, hash: &str) -> Option<String> {
        let slot = self.slots.iter().find(|slot| slot.id == id);
        if let Some(slot) = slot.filter(|slot| slot.files().hash() == hash) {
            let own = slot.own();
            let supplied =
                Supplied { tables: own.tables.map(str::to_owned), decks: own.decks.to_vec() };
            let plain = slot.files.is_none() && supplied.is_empty();
            let bundle = Bundle::new(slot.files()).with(supplied);
            return if plain { None } else { bundle.write().ok() };
        }
        self.brought.get(hash).map(|brought| brought.text.clone())
    }

    /// Removes one of the player's own packs.
    pub fn take_away(&mut self, id: &str) {
        if !self.is_shipped(id) {
            self.slots.retain(|slot| slot.id != id);
        }
    }
}
