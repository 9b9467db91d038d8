//! Where packs come from: the folders named with `--packs`, those in `ADJUTANT_PACKS`, the player's
//! data folder, and the program itself, in this order; the first of a name is taken. A player's own
//! tables lie beside a pack as `ID.tables.toml`, and the cards of a user deck as `ID.DECK.csv`, in
//! any of these folders.

use crate::error::{CommandError, FaultyPack, UserFile};
use adjutant_pack::{
    Diagnostic, Files, Noun, Pack, TABLES_FILE, UnknownName, UserDeckFile, UserFiles,
    read_pack_with,
};
use adjutant_wording::en::unknown_name::did_you_mean;
use std::path::{Path, PathBuf};

/// Said of a folder that was named on the command line.
const GIVEN: &str = "--packs";

/// All places where packs are looked for.
pub struct PackRegistry {
    folders: Vec<(PathBuf, &'static str)>,
    /// What was named with `--tables`: a tables file, and decks as CSV.
    named: Vec<PathBuf>,
}

/// A pack's files and where they are from.
pub struct FoundPack {
    pub id: String,
    pub files: Result<Files, Vec<Diagnostic>>,
    pub origin: String,
    /// The folder, for faults; none for a pack inside the program.
    pub folder: Option<PathBuf>,
}

/// Where a pack is.
enum PackPlace {
    Folder {
        folder: PathBuf,
        origin: String,
    },
    /// Inside the program.
    Bundled,
}

impl PackPlace {
    fn read(self, id: String) -> FoundPack {
        match self {
            PackPlace::Folder { folder, origin } => {
                FoundPack { id, files: Files::from_folder(&folder), origin, folder: Some(folder) }
            }
            PackPlace::Bundled => {
                let files = adjutant_bundled_packs::files(&id).ok_or_else(Vec::new);
                FoundPack { id, files, origin: "comes with adjutant".into(), folder: None }
            }
        }
    }
}

/// A pack that was read, with the player's own tables in it.
pub struct OpenedPack {
    pub pack: Pack,
    pub origin: String,
    pub tables: Option<PathBuf>,
    pub folder: Option<PathBuf>,
}

impl PackRegistry {
    pub fn new(given: &[PathBuf], named: &[PathBuf]) -> PackRegistry {
        let mut folders: Vec<(PathBuf, &'static str)> =
            given.iter().map(|dir| (dir.clone(), GIVEN)).collect();
        if let Some(list) = std::env::var_os("ADJUTANT_PACKS") {
            folders.extend(
                std::env::split_paths(&list)
                    .filter(|dir| !dir.as_os_str().is_empty())
                    .map(|dir| (dir, "ADJUTANT_PACKS")),
            );
        }
        folders.extend(data_folder().map(|dir| (dir.join("packs"), "your data folder")));
        PackRegistry { folders, named: named.to_vec() }
    }

    /// The arguments by which a command finds the same packs and tables.
    pub fn arguments(&self) -> Vec<String> {
        let given = self.folders.iter().filter(|(_, origin)| *origin == GIVEN);
        let folders = given.map(|(folder, _)| ("--packs", folder));
        let tables = self.named.iter().map(|file| ("--tables", file));
        let words = |(flag, path): (&str, &PathBuf)| [flag.to_owned(), path.display().to_string()];
        folders.chain(tables).flat_map(words).collect()
    }

    /// Every pack that can be named, the first of each name.
    pub fn all(&self) -> Vec<FoundPack> {
        self.places().into_iter().map(|(id, place)| place.read(id)).collect()
    }

    /// Where every pack that can be named is, the first of each name. Reads no pack.
    fn places(&self) -> Vec<(String, PackPlace)> {
        let mut places = Vec::new();
        for (dir, what) in &self.folders {
            let Ok(entries) = std::fs::read_dir(dir) else { continue };
            let mut folders: Vec<PathBuf> = entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.join("pack.toml").is_file())
                .collect();
            folders.sort();
            for folder in folders {
                let id = folder
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                places.push((
                    id,
                    PackPlace::Folder { folder, origin: format!("{} ({what})", dir.display()) },
                ));
            }
        }
        places.extend(
            adjutant_bundled_packs::IDS.iter().map(|id| ((*id).to_owned(), PackPlace::Bundled)),
        );
        let mut seen = std::collections::BTreeSet::new();
        places.retain(|(id, _)| seen.insert(id.clone()));
        places
    }

    /// A pack by its id, or by its folder or pack.toml. Reads only this pack.
    pub fn find(&self, name: &str) -> Result<FoundPack, CommandError> {
        let path = Path::new(name);
        let folder = match path.file_name() {
            Some(file) if file == "pack.toml" => match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                _ => PathBuf::from("."),
            },
            _ => path.to_owned(),
        };
        let mut places = self.places();
        if let Some(found) = places.iter().position(|(id, _)| id == name) {
            let (id, place) = places.swap_remove(found);
            return Ok(place.read(id));
        }
        if name.contains(['/', '\\']) || folder.is_dir() {
            let id = folder
                .canonicalize()
                .ok()
                .and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()))
                .unwrap_or_default();
            let origin = folder.display().to_string();
            return Ok(PackPlace::Folder { folder, origin }.read(id));
        }
        let ids: Vec<&str> = places.iter().map(|(id, _)| id.as_str()).collect();
        Err(CommandError::usage([unknown_pack(name, &ids)]))
    }

    /// A pack, read and checked, or the faults that keep it from being run.
    pub fn open(&self, name: &str) -> Result<OpenedPack, CommandError> {
        let found = self.find(name)?;
        let folder = found.folder.as_ref().map(|dir| dir.display().to_string());
        let faulty = |faults, files, own| {
            CommandError::Pack(Box::new(FaultyPack { faults, files, folder, own }))
        };
        let files = match found.files {
            Ok(files) => files,
            Err(faults) => return Err(faulty(faults, Files::default(), Vec::new())),
        };
        let tables = self.tables_for(&found.id, found.folder.as_deref());
        let mut own: Vec<UserFile> = Vec::new();
        if let Some(path) = &tables {
            own.push(UserFile::read(TABLES_FILE, path)?);
        }
        let mut decks: Vec<UserDeckFile> = Vec::new();
        for path in self.named.iter().filter(|path| is_csv(path)) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let deck = stem.strip_prefix(&format!("{}.", found.id)).unwrap_or(&stem).to_owned();
            add_deck(deck, path, &mut decks, &mut own)?;
        }
        let read = |decks: &[UserDeckFile], own: &[UserFile]| {
            let tables = own.iter().find(|file| file.name == TABLES_FILE);
            let tables = tables.map(|file| file.text.as_str());
            read_pack_with(&files, &UserFiles { tables, decks })
        };
        let mut outcome = read(&decks, &own);
        // Which files to look for beside the pack is known when it is read.
        if let Ok(pack) = &outcome {
            let before = decks.len();
            for deck in pack.user_decks().filter(|deck| deck.is_missing()) {
                let name = format!("{}.{}.csv", found.id, deck.id);
                if let Some(path) = self.beside(&name, found.folder.as_deref()) {
                    add_deck(deck.id.to_string(), &path, &mut decks, &mut own)?;
                }
            }
            if decks.len() > before {
                outcome = read(&decks, &own);
            }
        }
        match outcome {
            Ok(pack) => Ok(OpenedPack { pack, origin: found.origin, tables, folder: found.folder }),
            Err(faults) => Err(faulty(faults, files, own)),
        }
    }

    /// The player's own tables for a pack: named by hand, beside its folder, or on any shelf.
    fn tables_for(&self, id: &str, folder: Option<&Path>) -> Option<PathBuf> {
        let named = self.named.iter().find(|path| !is_csv(path)).cloned();
        named.or_else(|| self.beside(&format!("{id}.tables.toml"), folder))
    }

    /// A file of the player: beside the folder of a pack, or on any shelf.
    fn beside(&self, name: &str, folder: Option<&Path>) -> Option<PathBuf> {
        let beside = folder
            .and_then(|dir| dir.canonicalize().ok())
            .and_then(|dir| Some(dir.parent()?.join(name)));
        beside
            .into_iter()
            .chain(self.folders.iter().map(|(dir, _)| dir.join(name)))
            .find(|path| path.is_file())
    }

    /// Where a new tables file for a pack would be found: beside its folder, or in the data folder.
    pub fn tables_place(&self, id: &str, folder: Option<&Path>) -> Option<PathBuf> {
        let name = format!("{id}.tables.toml");
        match folder
            .and_then(|dir| dir.canonicalize().ok())
            .and_then(|dir| Some(dir.parent()?.join(&name)))
        {
            Some(beside) => Some(beside),
            None => self.folders.last().map(|(dir, _)| dir.join(name)),
        }
    }
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "csv")
}

/// Reads the cards of a user deck.
fn add_deck(
    deck: String,
    path: &Path,
    decks: &mut Vec<UserDeckFile>,
    own: &mut Vec<UserFile>,
) -> Result<(), CommandError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = UserFile::read(&name, path)?;
    decks.push(UserDeckFile { deck, file: name, text: file.text.clone() });
    own.push(file);
    Ok(())
}

impl UserFile {
    fn read(name: &str, path: &Path) -> Result<UserFile, CommandError> {
        let text = adjutant_pack::read_text(path, name).map_err(|fault| {
            let message = adjutant_wording::en::diagnostic(&fault).message;
            CommandError::usage([format!("{}: {message}", path.display())])
        })?;
        Ok(UserFile { name: name.to_owned(), path: path.to_owned(), text })
    }
}

fn unknown_pack(name: &str, ids: &[&str]) -> String {
    let unknown = UnknownName::new(Noun::Pack, name, ids.iter().copied());
    let help = did_you_mean(&unknown, |ids| {
        format!("there are {}, or name a pack's folder", ids.join(", "))
    });
    format!("there is no pack `{}`: {help}", unknown.name)
}

/// The player's data folder: packs and their tables, games, secrets.
pub fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("adjutant"))
}
