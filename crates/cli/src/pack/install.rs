//! `adjutant pack search`, `add`, `update`, `list`, `remove` and `index`. Packs from elsewhere are
//! bundles in the data folder; a file beside them remembers where each is from and pins it by its
//! checksum.

use super::fetch::{FetchError, INDEX_FILE, Place, fetch};
use super::index::{Checked, INDEX_FORMAT, Index, IndexEntry};
use crate::atomic_file::write_whole;
use crate::error::{CommandError, CommandResult};
use crate::json::pretty;
use crate::output::CommandOutput;
use crate::pack_registry::{data_folder, is_bundle};
use crate::paint::{DIM, NAME, RESULT, Table as Grid, in_style};
use adjutant_diff::{Effort, Version, diff};
use adjutant_pack::{BUNDLE_ENDING, Bundle, Files, LARGEST_BUNDLE, sum_of};
use adjutant_wording::en;
use anstyle::Style;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The file that remembers where packs are from.
const INSTALLED: &str = "installed.json";
/// The largest such file, in bytes.
const LARGEST_LIST: u64 = 4 << 20;

/// Where a pack is from.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Origin {
    /// The index it was found in; none for a bundle that was named itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<String>,
    /// The place of the bundle, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    version: String,
    hash: String,
    sum: String,
}

type Installed = BTreeMap<String, Origin>;

/// The folder of packs from elsewhere.
fn folder() -> Result<PathBuf, CommandError> {
    let none = || CommandError::usage(["this system has no data folder for packs".to_owned()]);
    Ok(data_folder().ok_or_else(none)?.join("packs"))
}

fn file_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.{BUNDLE_ENDING}"))
}

fn installed(folder: &Path) -> Result<Installed, CommandError> {
    let path = folder.join(INSTALLED);
    match std::fs::metadata(&path) {
        Err(_) => return Ok(Installed::new()),
        Ok(about) if about.len() > LARGEST_LIST => {
            return Err(CommandError::faulty([format!("{} is too large", path.display())]));
        }
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_str(&text).map_err(|fault| {
        CommandError::faulty([format!("{} cannot be read: {fault}", path.display())])
    })
}

fn remember(folder: &Path, list: &Installed) -> Result<(), CommandError> {
    Ok(write_whole(&folder.join(INSTALLED), pretty(list).as_bytes(), true)?)
}

fn wrong(error: impl std::fmt::Display) -> CommandError {
    CommandError::faulty([error.to_string()])
}

/// The indexes that are asked: those that are named, else those in `ADJUTANT_INDEX`, else those
/// that packs here are from.
fn indexes(named: &[String]) -> Result<Vec<Place>, CommandError> {
    let mut texts = named.to_vec();
    if texts.is_empty() {
        let set = std::env::var("ADJUTANT_INDEX").unwrap_or_default();
        texts.extend(set.split_whitespace().map(str::to_owned));
    }
    if texts.is_empty() {
        let used = installed(&folder()?)?.into_values().filter_map(|origin| origin.index);
        texts.extend(used);
        texts.sort();
        texts.dedup();
    }
    if texts.is_empty() {
        return Err(CommandError::usage([
            "name an index with --index: an https:// address, a file or a folder (also ADJUTANT_INDEX)"
                .to_owned(),
        ]));
    }
    let places: Result<Vec<Place>, FetchError> =
        texts.iter().map(|text| Place::read(text).map(Place::index)).collect();
    places.map_err(wrong)
}

/// A text of a stranger, for the terminal: nothing in it is hidden or changes the order of letters.
fn shown(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !adjutant_game::deceives(*c)).collect();
    adjutant_pack::clip_to(&plain, 80).to_string()
}

pub fn search(words: &[String], named: &[String], json: bool) -> CommandResult {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for place in indexes(named)? {
        match Index::fetch(&place) {
            Ok(index) => {
                let packs = index.packs.into_iter().filter(|entry| entry.matches(words));
                entries.extend(packs.map(|entry| (place.to_string(), entry)));
            }
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    let out = if json {
        #[derive(Serialize)]
        struct Found<'f> {
            index: &'f str,
            #[serde(flatten)]
            entry: &'f IndexEntry,
        }
        let list = entries.iter().map(|(index, entry)| Found { index, entry });
        pretty(&list.collect::<Vec<_>>())
    } else if entries.is_empty() {
        // Where an index was not read, nobody knows.
        if faults.is_empty() { "no pack matches\n".to_owned() } else { String::new() }
    } else {
        let mut grid = Grid::new(0);
        grid.head(["pack", "game", "version", "language", "licence", "index"]);
        for (index, entry) in &entries {
            let plain = |text: &str| (shown(text), Style::new());
            grid.row([
                (shown(&entry.id), NAME),
                plain(&entry.title),
                plain(&entry.version),
                plain(&entry.language),
                plain(&entry.license),
                (index.clone(), DIM),
            ]);
        }
        grid.print()
    };
    if faults.is_empty() {
        Ok(CommandOutput::done(out))
    } else {
        Ok(CommandOutput::faulty(out, crate::output::sentences(&faults)))
    }
}

/// A pack to be added, and where it is from.
fn wanted(what: &str, named: &[String]) -> Result<(Checked, Origin), CommandError> {
    let direct =
        what.starts_with("https://") || what.starts_with("file://") || is_bundle(Path::new(what));
    if direct {
        crate::uses::without_effect(
            "on a bundle, which is taken from where it is: name a pack of the index",
            &[("--index", !named.is_empty())],
        )?;
        let place = Place::read(what).map_err(wrong)?;
        let checked = Checked::fetch(&place).map_err(wrong)?;
        let origin = origin(&checked, None, Some(place.to_string()));
        return Ok((checked, origin));
    }
    let mut entries: Vec<(Place, IndexEntry)> = Vec::new();
    for place in indexes(named)? {
        let index = Index::fetch(&place).map_err(wrong)?;
        let packs = index.packs.into_iter().filter(|entry| entry.id == what);
        entries.extend(packs.map(|entry| (place.clone(), entry)));
    }
    // The same bundle in several indexes is one pack.
    let mut sums = std::collections::BTreeSet::new();
    entries.retain(|(_, entry)| sums.insert(entry.sum.clone()));
    match entries.as_slice() {
        [(place, entry)] => {
            let checked = entry.fetch(place).map_err(wrong)?;
            let origin = origin(&checked, Some(place.to_string()), None);
            Ok((checked, origin))
        }
        [] => Err(CommandError::usage([format!("no index has a pack `{}`", shown(what))])),
        several => {
            let places: Vec<String> = several.iter().map(|(place, _)| place.to_string()).collect();
            Err(CommandError::usage([format!(
                "several indexes have a pack `{}`: name one with --index: {}",
                shown(what),
                places.join(", ")
            )]))
        }
    }
}

fn origin(checked: &Checked, index: Option<String>, from: Option<String>) -> Origin {
    let pack = &checked.pack;
    Origin {
        index,
        from,
        version: pack.version().to_string(),
        hash: pack.hash().to_string(),
        sum: checked.sum.clone(),
    }
}

pub fn add(what: &str, named: &[String]) -> CommandResult {
    let (checked, origin) = wanted(what, named)?;
    let id = checked.pack.id().to_string();
    let folder = folder()?;
    let mut list = installed(&folder)?;
    // No pack takes the place of another.
    if adjutant_bundled_packs::IDS.contains(&id.as_str()) {
        return Err(CommandError::usage([format!(
            "a pack `{id}` comes with adjutant, and no other takes its place. To play by this one: adjutant game new FILE.{BUNDLE_ENDING}"
        )]));
    }
    if folder.join(&id).exists() {
        return Err(CommandError::usage([format!(
            "a pack of your own is in {}: nothing was changed",
            folder.join(&id).display()
        )]));
    }
    let path = file_of(&folder, &id);
    if let Some(present) = list.get(&id) {
        if present.sum == origin.sum {
            return Ok(CommandOutput::done(format!("{id} is here already\n")));
        }
        let how = if present.index == origin.index && present.from == origin.from {
            format!("adjutant pack update {id} shows what is new")
        } else {
            format!("it is from elsewhere. Remove it first: adjutant pack remove {id}")
        };
        return Err(CommandError::usage([format!("{id} is here already: {how}")]));
    }
    if path.exists() {
        return Err(CommandError::usage([format!("{} is there already", path.display())]));
    }
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    write_whole(&path, checked.text.as_bytes(), false)?;
    let out = format!(
        "{}  {}\n{}\n",
        in_style(RESULT, checked.pack.title()),
        in_style(DIM, format!("{id} {}", checked.pack.version())),
        in_style(DIM, format!("fingerprint {}", origin.hash))
    );
    list.insert(id, origin);
    remember(&folder, &list)?;
    Ok(CommandOutput::done(out))
}

pub fn list(json: bool) -> CommandResult {
    let list = installed(&folder()?)?;
    if json {
        return Ok(CommandOutput::done(pretty(&list)));
    }
    if list.is_empty() {
        return Ok(CommandOutput::done(
            "no packs were added. adjutant pack search finds some\n".to_owned(),
        ));
    }
    let mut grid = Grid::new(0);
    grid.head(["pack", "version", "fingerprint", "from"]);
    for (id, origin) in &list {
        let from = origin.index.as_ref().or(origin.from.as_ref());
        grid.row([
            (shown(id), NAME),
            (shown(&origin.version), Style::new()),
            (en::short_fingerprint(&origin.hash), Style::new()),
            (from.cloned().unwrap_or_default(), DIM),
        ]);
    }
    Ok(CommandOutput::done(grid.print()))
}

pub fn remove(id: &str) -> CommandResult {
    let folder = folder()?;
    let mut list = installed(&folder)?;
    if list.remove(id).is_none() {
        return Err(CommandError::usage([format!(
            "no pack `{}` was added: adjutant pack list shows those that were",
            shown(id)
        )]));
    }
    let path = file_of(&folder, id);
    match std::fs::remove_file(&path) {
        Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => {
            Err(fault).with_context(|| format!("{} cannot be removed", path.display()))?;
        }
        _ => {}
    }
    remember(&folder, &list)?;
    Ok(CommandOutput::done(format!("{id} is removed. Games that were started with it keep it\n")))
}

pub fn update(ids: &[String], yes: bool) -> CommandResult {
    let folder = folder()?;
    let mut list = installed(&folder)?;
    if let Some(unknown) = ids.iter().find(|id| !list.contains_key(*id)) {
        return Err(CommandError::usage([format!("no pack `{}` was added", shown(unknown))]));
    }
    let chosen: Vec<String> =
        list.keys().filter(|id| ids.is_empty() || ids.contains(id)).cloned().collect();
    let (mut out, mut faults, mut waiting) = (String::new(), Vec::new(), 0);
    for id in chosen {
        match newer(&id, &list[&id]) {
            Err(fault) => faults.push(format!("{id}: {}", fault.first_sentence())),
            Ok(None) => out.push_str(&format!(
                "{}  {}\n",
                in_style(NAME, &id),
                in_style(DIM, "is up to date")
            )),
            Ok(Some((checked, origin))) => {
                let (old, new) = (shown(&list[&id].version), shown(&origin.version));
                let version = match (old == new, origin.sum == list[&id].sum) {
                    (_, true) => format!("version {old}, whose file here was changed or is gone"),
                    (true, false) => format!("version {old}, with other rules"),
                    (false, false) => format!("version {old} → {new}"),
                };
                out.push_str(&format!("{}  {version}\n", in_style(NAME, &id)));
                let path = file_of(&folder, &id);
                out.push_str(&what_changes(&path, &checked));
                if !yes && !agreed(&id, &mut out) {
                    waiting += 1;
                    continue;
                }
                write_whole(&path, checked.text.as_bytes(), true)?;
                list.insert(id.clone(), origin);
                remember(&folder, &list)?;
                out.push_str(&format!("{id} is updated. Games in progress keep their rules\n"));
            }
        }
    }
    match waiting {
        0 => {}
        1 => out.push_str("1 update was not taken: add --yes to take it\n"),
        several => {
            out.push_str(&format!("{several} updates were not taken: add --yes to take them\n"))
        }
    }
    if faults.is_empty() {
        Ok(CommandOutput::done(out))
    } else {
        Ok(CommandOutput::faulty(out, crate::output::sentences(&faults)))
    }
}

/// Asks in a terminal, after what changes was shown. What was shown is not shown again.
fn agreed(id: &str, so_far: &mut String) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return false;
    }
    let shown = std::mem::take(so_far);
    let _ = std::io::Write::write_all(&mut anstream::stdout(), shown.as_bytes());
    inquire::Confirm::new(&format!("Update {id}?")).with_default(false).prompt().unwrap_or(false)
}

/// The pack that its index or its place has now, if it is another.
fn newer(id: &str, known: &Origin) -> Result<Option<(Checked, Origin)>, CommandError> {
    if let Some(text) = &known.index {
        let place = Place::read(text).map_err(wrong)?;
        let index = Index::fetch(&place).map_err(wrong)?;
        let entry = index.packs.into_iter().find(|entry| entry.id == *id);
        let entry = entry.ok_or_else(|| wrong(format!("{text} does not list it any more")))?;
        if entry.sum == known.sum && is_whole(id, known) {
            return Ok(None);
        }
        let checked = entry.fetch(&place).map_err(wrong)?;
        let origin = self::origin(&checked, Some(text.clone()), None);
        return Ok(Some((checked, origin)));
    }
    let from = known.from.clone().unwrap_or_default();
    let checked = Checked::fetch(&Place::read(&from).map_err(wrong)?).map_err(wrong)?;
    if checked.pack.id() != id {
        return Err(wrong(format!("{from} holds another pack now: {}", checked.pack.id())));
    }
    let origin = self::origin(&checked, None, Some(from));
    if checked.sum == known.sum && is_whole(id, known) {
        Ok(None)
    } else {
        Ok(Some((checked, origin)))
    }
}

/// Tells if the file in the data folder is the one that is pinned.
fn is_whole(id: &str, origin: &Origin) -> bool {
    let path = folder().map(|folder| file_of(&folder, id));
    let text = path.ok().and_then(|path| fetch(&Place::File(path), LARGEST_BUNDLE + 1).ok());
    text.is_some_and(|text| sum_of(&text) == Some(origin.sum.as_str()))
}

/// The changes that an update brings, by their consequences.
fn what_changes(path: &Path, after: &Checked) -> String {
    let before = Bundle::from_file(path).ok().and_then(|bundle| {
        let pack = bundle.read_pack().ok()?;
        Some((bundle, pack))
    });
    let Some((bundle, pack)) = before else {
        return "  the pack that is here cannot be read, so it is not compared\n".to_owned();
    };
    let one = Version { files: bundle.files(), pack: &pack };
    let other = Version { files: after.bundle.files(), pack: &after.pack };
    let effort =
        Effort { stop: crate::diff::stop_after(crate::diff::UPDATE_TIME), ..Effort::default() };
    let changes = diff(&one, &other, &effort);
    en::pack_diff(&changes).iter().map(|line| format!("  {line}\n")).collect()
}

/// Makes an index of the packs in a folder: bundles as they are, folders as new bundles.
pub fn index(dir: &Path, title: Option<&str>) -> CommandResult {
    let unreadable = |error: std::io::Error| {
        CommandError::usage([format!("{} cannot be read: {error}", dir.display())])
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    let (mut packs, mut faults) = (Vec::<IndexEntry>::new(), Vec::new());
    let folders = paths.iter().filter(|path| path.join("pack.toml").is_file());
    let bundles = paths.iter().filter(|path| is_bundle(path) && path.is_file());
    let made: Vec<(PathBuf, Result<IndexEntry, CommandError>)> = folders
        .map(|path| (path.clone(), bundle_of(dir, path)))
        .chain(bundles.map(|path| (path.clone(), entry_of(path))))
        .collect();
    for (path, entry) in made {
        match entry {
            Ok(entry) if packs.iter().any(|current| current.sum == entry.sum) => {}
            Ok(entry) if packs.iter().any(|current| current.id == entry.id) => {
                faults.push(format!(
                    "{}: another pack in {} has the id `{}`, too: an index lists one of them",
                    path.display(),
                    dir.display(),
                    entry.id
                ))
            }
            Ok(entry) => packs.push(entry),
            Err(fault) => faults.push(format!("{}: {}", path.display(), fault.first_sentence())),
        }
    }
    if !faults.is_empty() {
        return Err(CommandError::faulty(faults));
    }
    if packs.is_empty() {
        let what = if dir.join("pack.toml").is_file() {
            "is a pack itself: name the folder that holds it"
        } else {
            "holds no pack: it needs folders with a pack.toml, or bundles"
        };
        return Err(CommandError::usage([format!("{} {what}", dir.display())]));
    }
    packs.sort_by(|one, other| one.id.cmp(&other.id));
    let count = packs.len();
    // The title stays as it was unless another one is given.
    let current = || Index::fetch(&Place::File(dir.join(INDEX_FILE))).map(|index| index.title);
    let title = title.map_or_else(|| current().unwrap_or_default(), str::to_owned);
    let index = Index { adjutant: "index".into(), format: INDEX_FORMAT, title, packs };
    write_whole(&dir.join(INDEX_FILE), pretty(&index).as_bytes(), true)?;
    let packs = if count == 1 { "1 pack".to_owned() } else { format!("{count} packs") };
    Ok(CommandOutput::done(format!("{} lists {packs}\n", dir.join(INDEX_FILE).display())))
}

fn entry_of(path: &Path) -> Result<IndexEntry, CommandError> {
    let place = Place::File(path.to_owned());
    let checked = Checked::fetch(&place).map_err(wrong)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let index = Place::File(path.with_file_name(INDEX_FILE));
    index.beside(&name).map_err(wrong)?;
    Ok(IndexEntry::of(&checked.pack, &checked.sum, name.into_owned()))
}

/// Writes the bundle of a folder beside it.
fn bundle_of(dir: &Path, folder: &Path) -> Result<IndexEntry, CommandError> {
    let files = Files::from_folder(folder).map_err(|faults| {
        let first = faults.first().map(|fault| en::diagnostic(fault).message);
        CommandError::faulty([first.unwrap_or_default()])
    })?;
    let text = Bundle::new(files).write().map_err(|why| super::bundle::refused(folder, &why))?;
    let checked = Checked::read(&folder.display().to_string(), text + "\n").map_err(wrong)?;
    let path = file_of(dir, checked.pack.id());
    write_whole(&path, checked.text.as_bytes(), true)?;
    let address = format!("{}.{BUNDLE_ENDING}", checked.pack.id());
    Ok(IndexEntry::of(&checked.pack, &checked.sum, address))
}
