//! The files of a pack in memory, under limits: regular files only, at most 1 MiB each. A pack
//! comes from a folder, from the program itself, or from a text field on the page. After this point
//! the source does not matter.

use crate::diagnostic::Diagnostic;
use crate::problem::FileProblem;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// The maximum size of a file in a pack, in bytes.
pub const LARGEST_FILE: u64 = 1 << 20;
/// The maximum number of files in a pack.
pub const MOST_FILES: usize = 32;

/// The files of one pack, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    texts: BTreeMap<String, String>,
}

impl Files {
    /// Makes a pack's files from texts in memory.
    ///
    /// ```
    /// let files = adjutant_pack::Files::of([("pack.toml", "[pack]")]);
    /// assert_eq!(files.text("pack.toml"), Some("[pack]"));
    /// ```
    pub fn of<N: Into<String>, T: Into<String>>(texts: impl IntoIterator<Item = (N, T)>) -> Files {
        let mut files = Files::default();
        for (name, text) in texts {
            files.put(name, text);
        }
        files
    }

    /// Reads a folder: `pack.toml`, `cases.toml`, `README.md` and the `.csv` files in it. It opens
    /// nothing else, and only regular files, so that an untrusted pack cannot point outside its
    /// folder.
    pub fn from_folder(folder: &Path) -> Result<Files, Vec<Diagnostic>> {
        let shown = folder.display().to_string();
        let cannot = |problem: FileProblem| vec![Diagnostic::of_file(shown.clone(), problem)];
        let unreadable = |error: std::io::Error| {
            cannot(FileProblem::FolderUnreadable { error: error.to_string() })
        };
        let entries = std::fs::read_dir(folder).map_err(unreadable)?;
        let (mut files, mut faults) = (Files::default(), Vec::new());
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !belongs(&name) {
                continue;
            }
            if files.texts.len() >= MOST_FILES {
                faults.push(Diagnostic::of_file(name, FileProblem::TooManyFiles));
                break;
            }
            match read_text(&entry.path(), &name) {
                Ok(text) => drop(files.texts.insert(name, text)),
                Err(fault) => faults.push(*fault),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        match files.texts.contains_key("pack.toml") {
            true => Ok(files),
            false => Err(cannot(FileProblem::NoPackToml)),
        }
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The file names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    pub(crate) fn texts(&self) -> &BTreeMap<String, String> {
        &self.texts
    }

    /// Adds or replaces a file.
    pub fn put(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(name.into(), text.into());
    }

    /// A hash of the rules: `pack.toml` and the data files, without the cases and the README.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (name, text) in &self.texts {
            if name == "pack.toml" || name.ends_with(".csv") {
                hash.update((name.len() as u64).to_be_bytes());
                hash.update(name.as_bytes());
                hash.update((text.len() as u64).to_be_bytes());
                hash.update(text.as_bytes());
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Whether a file of this name is part of a pack.
pub(crate) fn belongs(name: &str) -> bool {
    matches!(name, "pack.toml" | "cases.toml" | "README.md")
        || (name.ends_with(".csv") && !name.starts_with('.'))
}

/// The error for a file that is too large; `None` if it is not.
pub(crate) fn too_large(name: &str, size: u64) -> Option<Diagnostic> {
    (size > LARGEST_FILE).then(|| Diagnostic::of_file(name, FileProblem::TooLarge { size }))
}

/// Reads one regular file as UTF-8, under the size limit.
pub fn read_text(path: &Path, name: &str) -> Result<String, Box<Diagnostic>> {
    let fault = |problem: FileProblem| Box::new(Diagnostic::of_file(name, problem));
    let about = std::fs::symlink_metadata(path)
        .map_err(|error| fault(FileProblem::Missing { error: error.to_string() }))?;
    if !about.is_file() {
        return Err(fault(FileProblem::NotPlain));
    }
    if let Some(fault) = too_large(name, about.len()) {
        return Err(Box::new(fault));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| fault(FileProblem::Unreadable { error: error.to_string() }))?;
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(fault(FileProblem::Utf16));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let sound = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|byte| **byte == b'\n').count();
        fault(FileProblem::NotUtf8 { line })
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
