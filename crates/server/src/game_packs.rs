//! The packs of the server and of its games. A game keeps the pack it was started with, in the
//! store and by its checksum, so that a guest's browser can fetch it, and so that the game goes on
//! when the server's own pack has changed or is gone.

use adjutant_pack::{Bundle, BundleError, Files, Pack, Supplied, sum_of};
use adjutant_store::{Store, StoreError, TableId};
use std::sync::Arc;

/// The name of the text beside a log that holds the checksum of the game's pack.
pub const GAME_PACK: &str = "pack";

/// A pack as one file, ready to be sent and stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPack {
    text: Arc<str>,
    sum: Arc<str>,
}

impl WrittenPack {
    /// Writes a bundle.
    pub fn new(bundle: &Bundle) -> Result<WrittenPack, BundleError> {
        let text = bundle.write()?;
        let sum = sum_of(&text).ok_or(BundleError::Damaged)?.into();
        Ok(WrittenPack { sum, text: text.into() })
    }

    /// The bundle as one line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The checksum, which names it.
    pub fn sum(&self) -> &str {
        &self.sum
    }

    /// Stores it, once for all games that use it.
    pub fn keep(&self, store: &dyn Store) -> Result<(), StoreError> {
        store.keep_shared_text(&name(&self.sum), &self.text)
    }
}

fn name(sum: &str) -> String {
    format!("pack {sum}")
}

/// The text of a stored pack, if there is one with this checksum and it is intact.
pub fn stored_pack(store: &dyn Store, sum: &str) -> Result<Option<String>, StoreError> {
    if sum.len() != 64 || !sum.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(None);
    }
    let text = store.shared_text(&name(sum))?;
    Ok(text.filter(|text| sum_of(text) == Some(sum)))
}

/// The pack that a game was started with, if the store has it.
pub fn pack_of_game(store: &dyn Store, game: &TableId) -> Result<Option<Bundle>, StoreError> {
    let sum = store.text(game, GAME_PACK)?.text;
    let text = stored_pack(store, &sum)?;
    Ok(text.and_then(|text| Bundle::read(&text).ok()))
}

/// A pack that the server offers.
#[derive(Clone, Debug)]
pub struct ServedPack {
    pub(crate) pack: Arc<Pack>,
    pub(crate) source: Option<String>,
    /// Whether the bundle has tables or decks of the owner.
    pub(crate) supplied: bool,
    pub(crate) bundle: Option<WrittenPack>,
}

impl ServedPack {
    /// A pack with its files and what the player supplies for it. `source` says for players where
    /// the server has it from. A pack that is too large for a bundle does not travel.
    pub fn new(pack: Arc<Pack>, files: Files, supplied: Supplied, source: String) -> ServedPack {
        let has_own = !supplied.is_empty();
        let bundle = WrittenPack::new(&Bundle::new(files).with(supplied));
        if let Err(why) = &bundle {
            tracing::warn!(pack = %pack.id(), %why, "browsers cannot fetch this pack");
        }
        ServedPack { pack, source: Some(source), supplied: has_own, bundle: bundle.ok() }
    }
}

/// A pack without its files: it can be played, but no browser can fetch it.
impl From<Arc<Pack>> for ServedPack {
    fn from(pack: Arc<Pack>) -> ServedPack {
        ServedPack { pack, source: None, supplied: false, bundle: None }
    }
}
