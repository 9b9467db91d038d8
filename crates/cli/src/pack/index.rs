//! An index: a static JSON file that lists packs, each with the checksum of its bundle.

use super::fetch::{FetchError, Place, fetch};
use adjutant_pack::{Bundle, BundleError, Diagnostic, LARGEST_BUNDLE, Pack, sum_of};
use adjutant_wording::en;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the index format.
pub const INDEX_FORMAT: u32 = 1;
/// The largest index that is read, in bytes.
pub const LARGEST_INDEX: usize = 1 << 20;
/// The most packs that an index may list.
pub const MOST_PACKS: usize = 5_000;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// The word `index`, which tells an index from a pack.
    pub adjutant: String,
    pub format: u32,
    #[serde(default)]
    pub title: String,
    pub packs: Vec<IndexEntry>,
}

/// A pack in an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexEntry {
    pub id: String,
    pub title: String,
    /// The author of the game.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub by: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    pub version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub license: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The fingerprint of the rules.
    pub hash: String,
    /// The checksum of the bundle.
    pub sum: String,
    /// Where the bundle is: a name below the index, or an `https://` address.
    pub address: String,
}

/// Why an index or a pack in it cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("{0}")]
    Fetch(#[from] FetchError),
    #[error("{place}: it is not an index of packs: {detail}")]
    NotAnIndex { place: String, detail: String },
    #[error(
        "{place}: it has format {format}, and this program reads {INDEX_FORMAT}: use a newer version"
    )]
    Newer { place: String, format: u32 },
    #[error("{place}: it lists {found} packs, and at most {MOST_PACKS} are read")]
    TooMany { place: String, found: usize },
    #[error("{place}: {}: {}", en::diagnostic::bundle(.error).message, en::diagnostic::bundle(.error).help)]
    Bundle { place: String, error: BundleError },
    #[error(
        "{place}: it is not the pack that the index names: the checksum is {found}, not {wanted}. Nothing was changed"
    )]
    OtherSum { place: String, wanted: String, found: String },
    #[error(
        "{place}: the pack in it is `{found}`, and the index calls it `{wanted}`. Nothing was changed"
    )]
    OtherId { place: String, wanted: String, found: String },
    #[error("{place}: the pack in it has faults, the first: {}", en::diagnostic(.fault).message)]
    Faulty { place: String, fault: Box<Diagnostic> },
}

impl Index {
    /// Reads an index from its place.
    pub fn fetch(place: &Place) -> Result<Index, IndexError> {
        let text = fetch(place, LARGEST_INDEX)?;
        Index::read(&place.to_string(), &text)
    }

    fn read(place: &str, text: &str) -> Result<Index, IndexError> {
        let place = || place.to_owned();
        let not = |detail: String| IndexError::NotAnIndex { place: place(), detail };
        let quoted = |fault: serde_json::Error| {
            not(adjutant_pack::clip_to(&fault.to_string(), 200).to_string())
        };
        let index: Index = serde_json::from_str(text).map_err(quoted)?;
        if index.adjutant != "index" {
            return Err(not("`adjutant` is not \"index\"".into()));
        }
        if index.format > INDEX_FORMAT {
            return Err(IndexError::Newer { place: place(), format: index.format });
        }
        if index.packs.len() > MOST_PACKS {
            return Err(IndexError::TooMany { place: place(), found: index.packs.len() });
        }
        let mut seen = BTreeSet::new();
        match index.packs.iter().find(|entry| !seen.insert(&entry.id)) {
            Some(twice) => {
                let id = adjutant_pack::clip(&twice.id);
                Err(not(format!("it lists `{id}` twice")))
            }
            None => Ok(index),
        }
    }
}

impl IndexEntry {
    /// The entry of a pack, for an index.
    pub fn of(pack: &Pack, sum: &str, address: String) -> IndexEntry {
        IndexEntry {
            id: pack.id().to_string(),
            title: pack.title().to_string(),
            by: pack.by().to_string(),
            about: pack.about().to_string(),
            version: pack.version().to_string(),
            license: pack.license().to_string(),
            language: pack.language().to_string(),
            hash: pack.hash().to_string(),
            sum: sum.to_owned(),
            address,
        }
    }

    /// Tells if all these words stand in it.
    pub fn matches(&self, words: &[String]) -> bool {
        let all = [&self.id, &self.title, &self.by, &self.about, &self.language, &self.license];
        let text = all.map(|text| text.to_lowercase()).join(" ");
        words.iter().all(|word| text.contains(&word.to_lowercase()))
    }

    /// Fetches the bundle and checks that it is the one that the index pins.
    pub fn fetch(&self, index: &Place) -> Result<Checked, IndexError> {
        let checked = Checked::fetch(&index.beside(&self.address)?)?;
        let place = index.to_string();
        let clip = |text: &str| adjutant_pack::clip_to(text, 64).to_string();
        if checked.sum != self.sum || *checked.pack.hash() != self.hash {
            let (wanted, found) = (clip(&self.sum), checked.sum);
            return Err(IndexError::OtherSum { place, wanted, found });
        }
        if checked.pack.id() != self.id.as_str() {
            let (wanted, found) = (clip(&self.id), checked.pack.id().to_string());
            return Err(IndexError::OtherId { place, wanted, found });
        }
        Ok(checked)
    }
}

/// A bundle that was fetched and has no faults.
pub struct Checked {
    pub text: String,
    pub sum: String,
    pub bundle: Bundle,
    pub pack: Pack,
}

impl Checked {
    pub fn fetch(place: &Place) -> Result<Checked, IndexError> {
        Checked::read(&place.to_string(), fetch(place, LARGEST_BUNDLE + 1)?)
    }

    /// Reads a bundle from its text.
    pub fn read(place: &str, text: String) -> Result<Checked, IndexError> {
        let wrong = |error| IndexError::Bundle { place: place.to_owned(), error };
        let bundle = Bundle::read(&text).map_err(wrong)?;
        let sum = sum_of(&text).ok_or(BundleError::Damaged).map_err(wrong)?.to_owned();
        let pack = bundle.read_pack().map_err(|faults| {
            let fault = faults.into_iter().next();
            match fault {
                Some(fault) => {
                    IndexError::Faulty { place: place.to_owned(), fault: Box::new(fault) }
                }
                None => wrong(BundleError::Damaged),
            }
        })?;
        Ok(Checked { text, sum, bundle, pack })
    }
}
