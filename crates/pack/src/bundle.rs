//! A pack as one file, `NAME.adjutant`: one line of JSON with the texts of the pack, the
//! fingerprint of its rules and a checksum of the whole. There is exactly one bundle of a pack with
//! given files, so a bundle in which a byte was changed is refused. Nothing is compressed, and no
//! name is a path: a bundle from a stranger can neither unfold nor write elsewhere.
//!
//! A bundle may carry what the player supplies, too: tables and decks. They are not part of the
//! fingerprint, as in a folder.

use crate::check::{TABLES_FILE, UserDeckFile, UserFiles, read_pack_with};
use crate::diagnostic::Diagnostic;
use crate::files::{Files, LARGEST_FILE, MOST_FILES, belongs};
use crate::pack::Pack;
use crate::problem::FileProblem;
use adjutant_dice::map_of;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The version of the bundle format.
pub const BUNDLE_FORMAT: u32 = 1;
/// The maximum size of a bundle, in bytes.
pub const LARGEST_BUNDLE: usize = 2 << 20;
/// How the name of a bundle ends.
pub const BUNDLE_ENDING: &str = "adjutant";

/// The longest name of a file in a bundle, in bytes.
const LONGEST_NAME: usize = 100;
/// How every bundle starts, of any format.
const START: &str = r#"{"adjutant":"pack","format":"#;
/// What stands before the checksum, which is over all bytes before this.
const BEFORE_SUM: &str = r#","sum":""#;
const AFTER_SUM: &str = r#""}"#;
const SUM_LENGTH: usize = 64;
/// Names that are devices in Windows, whatever follows the first dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Why a text is not a bundle, or a pack cannot be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are clear")]
pub enum BundleError {
    /// The file cannot be read.
    #[error("the bundle cannot be read: {error}")]
    Unreadable { error: String },
    #[error("not a regular file")]
    NotAFile,
    #[error("{size} bytes are more than {LARGEST_BUNDLE}")]
    TooLarge { size: u64 },
    /// It does not start as every bundle does.
    #[error("not a bundle")]
    NotABundle,
    #[error("format {format} is newer than {BUNDLE_FORMAT}")]
    Newer { format: u32 },
    /// The checksum is not that of the bytes.
    #[error("the checksum is wrong")]
    Damaged,
    /// The checksum is right, but this is not the bundle that the same files give.
    #[error("not in its only form")]
    NotCanonical,
    /// It is not JSON of the right form.
    #[error("not read: {detail}")]
    NotRead { detail: String },
    /// A name that is not that of a file in a pack.
    #[error("the file name `{name}`")]
    FileName { name: String },
    /// Two names that are the same on some systems.
    #[error("the file names `{first}` and `{second}`")]
    NamesClash { first: String, second: String },
    #[error("more than {MOST_FILES} files")]
    TooManyFiles,
    #[error("the file `{name}` has {size} bytes")]
    FileTooLarge { name: String, size: usize },
    #[error("no pack.toml")]
    NoPackToml,
    /// The rules have another fingerprint than the bundle says.
    #[error("the fingerprint is {found}, not {written}")]
    OtherRules { written: String, found: String },
}

/// What the player supplies for a pack: tables of the rule book, and decks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supplied {
    /// The text of the tables file.
    pub tables: Option<String>,
    /// Decks in files of their own.
    pub decks: Vec<UserDeckFile>,
}

impl Supplied {
    /// Whether the player supplies nothing.
    pub fn is_empty(&self) -> bool {
        self.tables.is_none() && self.decks.is_empty()
    }

    /// The same, borrowed.
    pub fn as_files(&self) -> UserFiles<'_> {
        UserFiles { tables: self.tables.as_deref(), decks: &self.decks }
    }

    fn texts(&self) -> BTreeMap<String, String> {
        let tables = self.tables.iter().map(|text| (TABLES_FILE.to_owned(), text.clone()));
        let decks = self.decks.iter().map(|deck| (format!("{}.csv", deck.deck), deck.text.clone()));
        map_of(tables.chain(decks))
    }

    fn of_texts(texts: BTreeMap<String, String>) -> Result<Supplied, BundleError> {
        let mut supplied = Supplied::default();
        for (file, text) in texts {
            if file == TABLES_FILE {
                supplied.tables = Some(text);
            } else if let Some(deck) = file.strip_suffix(".csv") {
                supplied.decks.push(UserDeckFile { deck: deck.to_owned(), file, text });
            } else {
                return Err(BundleError::FileName { name: crate::clip(&file).to_string() });
            }
        }
        Ok(supplied)
    }
}

/// A pack as one file.
///
/// ```
/// use adjutant_pack::{Bundle, BundleError, Files};
/// let bundle = Bundle::new(Files::of([("pack.toml", "[pack]\nid = \"coin\"")]));
/// let text = bundle.write().unwrap();
/// assert_eq!(Bundle::read(&text).unwrap(), bundle);
/// assert_eq!(Bundle::read(&text.replace("coin", "toss")), Err(BundleError::Damaged));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: Files,
    supplied: Supplied,
}

#[derive(Serialize)]
struct Written<'b> {
    adjutant: &'static str,
    format: u32,
    hash: &'b str,
    files: &'b BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    own: &'b BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadBack {
    #[serde(rename = "adjutant")]
    _adjutant: String,
    #[serde(rename = "format")]
    _format: u32,
    hash: String,
    files: BTreeMap<String, String>,
    #[serde(default)]
    own: BTreeMap<String, String>,
    sum: String,
}

impl Bundle {
    /// The bundle of a pack's files.
    pub fn new(files: Files) -> Bundle {
        Bundle { files, supplied: Supplied::default() }
    }

    /// The same with what the player supplies.
    pub fn with(self, supplied: Supplied) -> Bundle {
        Bundle { supplied, ..self }
    }

    /// The files of the pack.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// What the player supplies.
    pub fn supplied(&self) -> &Supplied {
        &self.supplied
    }

    /// The pack and what the player supplies, apart.
    pub fn into_parts(self) -> (Files, Supplied) {
        (self.files, self.supplied)
    }

    /// Parses and checks the pack in it, with what the player supplies.
    pub fn read_pack(&self) -> Result<Pack, Vec<Diagnostic>> {
        read_pack_with(&self.files, &self.supplied.as_files())
    }

    /// The bundle as text: one line, without a line break at its end.
    pub fn write(&self) -> Result<String, BundleError> {
        let (files, own) = (self.files.texts(), self.supplied.texts());
        check_files(files, &own)?;
        let hash = self.files.hash();
        let written =
            Written { adjutant: "pack", format: BUNDLE_FORMAT, hash: &hash, files, own: &own };
        let mut text = serde_json::to_string(&written)
            .map_err(|fault| BundleError::NotRead { detail: fault.to_string() })?;
        // The closing brace comes after the checksum.
        text.pop();
        let sum = hex(&Sha256::digest(text.as_bytes()));
        text.extend([BEFORE_SUM, &sum, AFTER_SUM]);
        match text.len() {
            size if size > LARGEST_BUNDLE => Err(BundleError::TooLarge { size: size as u64 }),
            _ => Ok(text),
        }
    }

    /// Reads a bundle. The text may end with one line break.
    pub fn read(text: &str) -> Result<Bundle, BundleError> {
        if text.len() > LARGEST_BUNDLE + 1 {
            return Err(BundleError::TooLarge { size: text.len() as u64 });
        }
        let text = text.strip_suffix('\n').unwrap_or(text);
        let format = text.strip_prefix(START).ok_or(BundleError::NotABundle)?;
        let digits = format.find(|c: char| !c.is_ascii_digit()).unwrap_or(format.len());
        match format[..digits].parse() {
            Ok(BUNDLE_FORMAT) => {}
            Ok(format) if format > BUNDLE_FORMAT => return Err(BundleError::Newer { format }),
            _ => return Err(BundleError::NotABundle),
        }
        let sum = sum_of(text).ok_or(BundleError::Damaged)?;
        let not_read = |fault: serde_json::Error| BundleError::NotRead { detail: detail(&fault) };
        let read: ReadBack = serde_json::from_str(text).map_err(not_read)?;
        if read.sum != sum {
            return Err(BundleError::Damaged);
        }
        check_files(&read.files, &read.own)?;
        let bundle =
            Bundle { files: Files::of(read.files), supplied: Supplied::of_texts(read.own)? };
        let found = bundle.files.hash();
        if found != read.hash {
            let written = crate::clip(&read.hash).to_string();
            return Err(BundleError::OtherRules { written, found });
        }
        match bundle.write()? == text {
            true => Ok(bundle),
            false => Err(BundleError::NotCanonical),
        }
    }

    /// Reads a bundle from a file, and no more of it than a bundle may have.
    pub fn from_file(path: &Path) -> Result<Bundle, BundleError> {
        let unreadable =
            |fault: std::io::Error| BundleError::Unreadable { error: fault.to_string() };
        // Opening a pipe would wait without end.
        let about = std::fs::metadata(path).map_err(unreadable)?;
        if !about.is_file() {
            return Err(BundleError::NotAFile);
        }
        if about.len() > LARGEST_BUNDLE as u64 + 1 {
            return Err(BundleError::TooLarge { size: about.len() });
        }
        let mut bytes = Vec::new();
        let most = LARGEST_BUNDLE as u64 + 2;
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
        Bundle::read(std::str::from_utf8(&bytes).map_err(|_| BundleError::NotABundle)?)
    }
}

impl BundleError {
    /// The same as a diagnostic of this file.
    pub fn into_diagnostic(self, file: impl Into<String>) -> Diagnostic {
        Diagnostic::of_file(file, FileProblem::Bundle(self))
    }
}

/// Whether a text claims to be a bundle: what follows may still be wrong.
pub fn looks_like_bundle(text: &str) -> bool {
    text.starts_with(START)
}

/// The checksum at the end of a bundle's text, if it is that of the bytes before it. It names the
/// bundle: no other has the same.
pub fn sum_of(text: &str) -> Option<&str> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let rest = text.strip_suffix(AFTER_SUM)?;
    let at = rest.len().checked_sub(SUM_LENGTH)?;
    let (before, sum) = (rest.get(..at)?, rest.get(at..)?);
    let body = before.strip_suffix(BEFORE_SUM)?;
    (hex(&Sha256::digest(body.as_bytes())) == sum).then_some(sum)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is wrong with the JSON. It quotes names out of the file, which may hold anything.
fn detail(fault: &serde_json::Error) -> String {
    crate::text::clip_to(&fault.to_string(), 3 * crate::CLIPPED).to_string()
}

fn check_files(
    files: &BTreeMap<String, String>,
    own: &BTreeMap<String, String>,
) -> Result<(), BundleError> {
    if files.len() + own.len() > MOST_FILES {
        return Err(BundleError::TooManyFiles);
    }
    let shown = |name: &str| crate::clip(name).to_string();
    if let Some(name) = files.keys().find(|name| !belongs(name) || !is_plain(name)) {
        return Err(BundleError::FileName { name: shown(name) });
    }
    if let Some(name) = own.keys().find(|name| !is_plain(name)) {
        return Err(BundleError::FileName { name: shown(name) });
    }
    for group in [files, own] {
        let mut seen = BTreeMap::new();
        for name in group.keys() {
            if let Some(first) = seen.insert(name.to_lowercase(), name) {
                return Err(BundleError::NamesClash { first: shown(first), second: shown(name) });
            }
        }
    }
    let large = |(_, text): &(&String, &String)| text.len() as u64 > LARGEST_FILE;
    if let Some((name, text)) = files.iter().chain(own).find(large) {
        return Err(BundleError::FileTooLarge { name: shown(name), size: text.len() });
    }
    match files.contains_key("pack.toml") {
        true => Ok(()),
        false => Err(BundleError::NoPackToml),
    }
}

/// Whether a name is that of a file in the same folder on every system, and no device.
fn is_plain(name: &str) -> bool {
    let fine = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ');
    let stem = name.split('.').next().unwrap_or_default().trim().to_lowercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|rest| rest.chars().count() == 1);
    name.len() <= LONGEST_NAME
        && !name.starts_with(['.', ' ', '-'])
        && name.chars().all(fine)
        && !DEVICES.contains(&stem.as_str())
        && !NUMBERED_DEVICES.iter().any(|device| numbered(device))
}
