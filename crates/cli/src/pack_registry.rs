//! Where packs come from: the folders named with `--packs`, those in `ADJUTANT_PACKS`, the player's
//! data folder, and the program itself, in this order; the first of a name is taken. A
//! pack is a folder or a bundle, `NAME.adjutant`. A player's own tables lie beside a pack as `ID.tables.toml`, and the cards of a user deck as `ID.DECK.csv`, in
//! any of these folders.

use crate::error::{CommandError, FaultyPack, UserFile};
use adjutant_pack::{
    BUNDLE_ENDING, Bundle, Diagnostic, Files, Noun, Pack, Supplied, TABLES_FILE, UnknownName,
    UserDeckFile, UserFiles, read_pack_with,
};
use adjutant_wording::en::unknown_name::did_you_mean;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What kind of place a pack is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackSource {
    /// A folder or bundle that was named with `--packs`.
    Given,
    /// One in `ADJUTANT_PACKS`.
    Environment,
    DataFolder,
    /// The program itself.
    Shipped,
    /// A folder or bundle that was named as the pack.
    Named,
    /// It came with a game.
    Game,
}

impl PackSource {
    /// In a list of packs.
    fn said(self) -> &'static str {
        match self {
            PackSource::DataFolder => "your data folder",
            other => other.on_server(),
        }
    }

    /// For the players of a server, without a path.
    pub fn on_server(self) -> &'static str {
        match self {
            PackSource::Given => "--packs",
            PackSource::Environment => "ADJUTANT_PACKS",
            PackSource::DataFolder => "data folder",
            PackSource::Shipped => "comes with adjutant",
            PackSource::Named => "named",
            PackSource::Game => "came with the game",
        }
    }
}

/// All places where packs are looked for.
pub struct PackRegistry {
    folders: Vec<(PathBuf, PackSource)>,
    /// What was named with `--tables`: a tables file, and decks as CSV.
    named: Vec<PathBuf>,
    /// What the player should know of packs that were opened.
    noted: Mutex<Vec<String>>,
}

/// A pack's files and where they are from.
pub struct FoundPack {
    pub id: String,
    pub files: Result<Files, Vec<Diagnostic>>,
    /// What a bundle brings of the player's own tables and decks.
    pub supplied: Supplied,
    pub origin: String,
    pub source: PackSource,
    /// The folder or bundle, for faults; none for a pack inside the program.
    pub folder: Option<PathBuf>,
}

/// Where a pack is.
enum PackPlace {
    Folder {
        folder: PathBuf,
        source: PackSource,
        origin: String,
    },
    Bundle {
        file: PathBuf,
        source: PackSource,
        origin: String,
    },
    /// Inside the program.
    Bundled,
}

impl PackPlace {
    /// The pack in a folder or bundle, by the name that it has there.
    fn of(path: PathBuf, source: PackSource, origin: String) -> (String, PackPlace) {
        let name = |name: Option<&std::ffi::OsStr>| {
            name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        match is_bundle(&path) {
            true => (name(path.file_stem()), PackPlace::Bundle { file: path, source, origin }),
            false => (name(path.file_name()), PackPlace::Folder { folder: path, source, origin }),
        }
    }

    fn read(self, id: String) -> FoundPack {
        let none = Supplied::default();
        match self {
            PackPlace::Folder { folder, source, origin } => {
                let files = Files::from_folder(&folder);
                FoundPack { id, files, supplied: none, origin, source, folder: Some(folder) }
            }
            PackPlace::Bundle { file, source, origin } => {
                let read = Bundle::from_file(&file).map(Bundle::into_parts);
                let (files, supplied) = match read {
                    Ok((files, supplied)) => (Ok(files), supplied),
                    Err(why) => (Err(vec![why.into_diagnostic(file.display().to_string())]), none),
                };
                FoundPack { id, files, supplied, origin, source, folder: Some(file) }
            }
            PackPlace::Bundled => {
                let files = adjutant_bundled_packs::files(&id).ok_or_else(Vec::new);
                let source = PackSource::Shipped;
                let origin = source.said().to_owned();
                FoundPack { id, files, supplied: none, origin, source, folder: None }
            }
        }
    }
}

/// Whether a path is named as a bundle is.
pub fn is_bundle(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == BUNDLE_ENDING)
}

/// A pack that was read, with the player's own tables in it.
pub struct OpenedPack {
    pub pack: Pack,
    pub files: Files,
    /// The player's own tables and decks, as they were read.
    pub supplied: Supplied,
    pub origin: String,
    pub source: PackSource,
    pub tables: Option<PathBuf>,
    pub folder: Option<PathBuf>,
}

impl PackRegistry {
    pub fn new(given: &[PathBuf], named: &[PathBuf]) -> PackRegistry {
        let mut folders: Vec<(PathBuf, PackSource)> =
            given.iter().map(|dir| (dir.clone(), PackSource::Given)).collect();
        if let Some(list) = std::env::var_os("ADJUTANT_PACKS") {
            folders.extend(
                std::env::split_paths(&list)
                    .filter(|dir| !dir.as_os_str().is_empty())
                    .map(|dir| (dir, PackSource::Environment)),
            );
        }
        folders.extend(data_folder().map(|dir| (dir.join("packs"), PackSource::DataFolder)));
        PackRegistry { folders, named: named.to_vec(), noted: Mutex::default() }
    }

    /// The same places, without what was named with `--tables`.
    pub fn without_named(&self) -> PackRegistry {
        PackRegistry { folders: self.folders.clone(), named: Vec::new(), noted: Mutex::default() }
    }

    /// What the player should know of packs that were opened. Each is told once.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.noted())
    }

    fn noted(&self) -> MutexGuard<'_, Vec<String>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The arguments by which a command finds the same packs and tables.
    pub fn arguments(&self) -> Vec<String> {
        let given = self.folders.iter().filter(|(_, source)| *source == PackSource::Given);
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
            let origin = format!("{} ({})", dir.display(), what.said());
            if is_bundle(dir) {
                places.push(PackPlace::of(dir.clone(), *what, origin));
                continue;
            }
            let Ok(entries) = std::fs::read_dir(dir) else { continue };
            let is_pack = |path: &PathBuf| {
                path.join("pack.toml").is_file() || (is_bundle(path) && path.is_file())
            };
            let mut paths: Vec<PathBuf> =
                entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_pack).collect();
            paths.sort();
            places.extend(paths.into_iter().map(|path| PackPlace::of(path, *what, origin.clone())));
        }
        places.extend(
            adjutant_bundled_packs::IDS.iter().map(|id| ((*id).to_owned(), PackPlace::Bundled)),
        );
        let mut seen = std::collections::BTreeSet::new();
        places.retain(|(id, _)| seen.insert(id.clone()));
        places
    }

    /// A pack by its id, or by its folder, pack.toml or bundle. Reads only this pack.
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
        if is_bundle(path) {
            let (id, place) =
                PackPlace::of(path.to_owned(), PackSource::Named, path.display().to_string());
            return Ok(place.read(id));
        }
        if name.contains(['/', '\\']) || folder.is_dir() {
            let id = folder
                .canonicalize()
                .ok()
                .and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()))
                .unwrap_or_default();
            let origin = folder.display().to_string();
            return Ok(PackPlace::Folder { folder, source: PackSource::Named, origin }.read(id));
        }
        let ids: Vec<&str> = places.iter().map(|(id, _)| id.as_str()).collect();
        Err(CommandError::usage([unknown_pack(name, &ids)]))
    }

    /// A pack, read and checked, or the faults that keep it from being run.
    pub fn open(&self, name: &str) -> Result<OpenedPack, CommandError> {
        self.open_found(self.find(name)?)
    }

    /// The pack by whose rules a game was started: the one here if it has this fingerprint, else
    /// the one that the game brought along. A pack with other rules is the last resort.
    pub fn open_for_game(
        &self,
        name: &str,
        hash: &str,
        brought: Option<Bundle>,
    ) -> Result<OpenedPack, CommandError> {
        let found = self.find(name);
        let is_missing = found.is_err();
        let here = found.and_then(|found| self.open_found(found));
        if here.as_ref().is_ok_and(|opened| *opened.pack.hash() == hash) {
            return here;
        }
        let Some(bundle) = brought.filter(|bundle| bundle.files().hash() == hash) else {
            return if is_missing { Err(CommandError::usage(missing(name, hash))) } else { here };
        };
        if here.is_ok() {
            self.noted().push(format!(
                "the pack {} here has other rules than the game was started with: the game goes on by its own",
                adjutant_pack::clip(name)
            ));
        }
        let (files, supplied) = bundle.into_parts();
        let (id, origin) = (name.to_owned(), PackSource::Game.said().to_owned());
        let found = FoundPack {
            id,
            files: Ok(files),
            supplied,
            origin,
            source: PackSource::Game,
            folder: None,
        };
        self.open_found(found)
    }

    fn open_found(&self, found: FoundPack) -> Result<OpenedPack, CommandError> {
        let folder = found.folder.as_ref().map(|dir| dir.display().to_string());
        let faulty = |faults, files, own| {
            CommandError::Pack(Box::new(FaultyPack { faults, files, folder, own }))
        };
        let files = match found.files {
            Ok(files) => files,
            Err(faults) => return Err(faulty(faults, Files::default(), Vec::new())),
        };
        // What a game brought along is what it was played by; else the player's own come first.
        let brought = found.source == PackSource::Game;
        let tables = match brought && found.supplied.tables.is_some() {
            true => None,
            false => self.tables_for(&found.id, found.folder.as_deref()),
        };
        let mut own: Vec<UserFile> = Vec::new();
        match (&tables, found.supplied.tables) {
            (Some(path), _) => own.push(UserFile::read(TABLES_FILE, path)?),
            (None, Some(text)) => {
                let path = found.folder.clone().unwrap_or_else(|| PathBuf::from(TABLES_FILE));
                own.push(UserFile { name: TABLES_FILE.into(), path, text });
            }
            (None, None) => {}
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
                let supplied = found.supplied.decks.iter().find(|own| own.deck == *deck.id);
                match (self.beside(&name, found.folder.as_deref()), supplied) {
                    (_, Some(deck)) if brought => decks.push(deck.clone()),
                    (Some(path), _) => add_deck(deck.id.to_string(), &path, &mut decks, &mut own)?,
                    (None, Some(deck)) => decks.push(deck.clone()),
                    (None, None) => {}
                }
            }
            if decks.len() > before {
                outcome = read(&decks, &own);
            }
        }
        match outcome {
            Ok(pack) => {
                let text = own.into_iter().find(|file| file.name == TABLES_FILE);
                let supplied = Supplied { tables: text.map(|file| file.text), decks };
                let FoundPack { origin, source, folder, .. } = found;
                Ok(OpenedPack { pack, files, supplied, origin, source, tables, folder })
            }
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
        format!("there are {}, or name a pack's folder or bundle", ids.join(", "))
    });
    format!("there is no pack `{}`: {help}", unknown.name)
}

/// What to do about a game whose pack is not here.
fn missing(id: &str, hash: &str) -> Vec<String> {
    let fingerprint = match adjutant_wording::en::short_fingerprint(hash) {
        short if short.is_empty() => short,
        short => format!(" (fingerprint {short})"),
    };
    vec![
        format!(
            "there is no pack `{}`{fingerprint} on this machine, and the game needs it",
            adjutant_pack::clip(id)
        ),
        "ask the other player for the pack, then: adjutant pack add FILE. Or for the game together with its pack: adjutant export GAME --as jsonl --with-pack. \
         If you have the pack in a folder, name the folder: --packs FOLDER"
            .to_owned(),
    ]
}

/// The player's data folder: packs and their tables, games, secrets.
pub fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("adjutant"))
}
