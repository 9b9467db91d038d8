//! Packs from elsewhere: those of the server, those that a game brings along, and bundles that the
//! player opens. Each is checked like any pack of a stranger, under the same limits, and none takes
//! the place of another.

use crate::app::{self, Kept, Shared};
use crate::message::{Command, HttpCall, Reply, ReplyTo as AnyReplyTo};
use adjutant_dice::map_of;
use adjutant_pack::{
    Bundle, BundleError, Diagnostic, Files, Supplied, UserDeckFile, read_pack, sum_of,
};
use adjutant_wording::en::diagnostic;
use adjutant_wording::en::page::packs as text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most packs of a server that are fetched.
const MOST: usize = 50;

/// What is asked of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// The packs of the server.
    Listed,
    /// One of them, as a bundle.
    Fetched {
        /// Its checksum.
        sum: String,
        /// Where the server has it from.
        from: String,
    },
}

impl From<ReplyTo> for AnyReplyTo {
    fn from(to: ReplyTo) -> AnyReplyTo {
        AnyReplyTo::Packs(to)
    }
}

/// A pack in the list of the server.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Listed {
    id: String,
    hash: String,
    from: String,
    bundle: String,
    supplied: bool,
}

/// Asks the server for its packs.
pub fn list() -> Command {
    let call = HttpCall { path: "api/packs".to_owned(), ..HttpCall::default() };
    Command::Http { reply_to: ReplyTo::Listed.into(), call }
}

/// Asks for a bundle.
pub fn fetch(sum: &str, reply_to: impl Into<AnyReplyTo>) -> Command {
    let sum = crate::route::escape(sum);
    let call = HttpCall { path: format!("api/bundles/{sum}"), ..HttpCall::default() };
    Command::Http { reply_to: reply_to.into(), call }
}

/// Reads a bundle that was asked for by its checksum: another one is refused.
pub fn read(sum: &str, body: &str) -> Option<Bundle> {
    Some(body).filter(|body| sum_of(body) == Some(sum)).and_then(|body| Bundle::read(body).ok())
}

/// The server replied.
pub fn reply(shared: &mut Shared, to: ReplyTo, reply: Reply) -> Vec<Command> {
    let Reply::Http { status: 200, body } = reply else { return Vec::new() };
    match to {
        ReplyTo::Listed => {
            let listed: Vec<Listed> = serde_json::from_str(&body).unwrap_or_default();
            let wanted = listed.into_iter().filter(|pack| !pack.bundle.is_empty()).filter(|pack| {
                let here = shared.packs.hash(&pack.id);
                pack.supplied || here.is_none_or(|here| here != pack.hash)
            });
            let fetch = |pack: Listed| {
                let Listed { bundle: sum, from, .. } = pack;
                fetch(&sum.clone(), ReplyTo::Fetched { sum, from })
            };
            wanted.take(MOST).map(fetch).collect()
        }
        ReplyTo::Fetched { sum, from } => {
            if let Some(bundle) = read(&sum, &body) {
                shared.packs.put_served(bundle, from);
            }
            Vec::new()
        }
    }
}

/// The key under which a pack that came with a game is saved.
fn key(hash: &str) -> String {
    format!("pack:{hash}")
}

/// The packs that came with games, among the saved values.
pub fn brought(saved: &BTreeMap<String, String>) -> impl Iterator<Item = Bundle> {
    let texts = saved.iter().filter(|(key, _)| key.starts_with("pack:"));
    texts.filter_map(|(_, text)| Bundle::read(text).ok())
}

/// Keeps a pack that came with a game, to be used by games with this fingerprint only.
pub fn keep(shared: &mut Shared, bundle: Bundle) -> Vec<Command> {
    let (hash, text) = (bundle.files().hash(), bundle.write().ok());
    shared.packs.bring(bundle);
    text.map(|text| Command::SaveValue { key: key(&hash), value: Some(text) }).into_iter().collect()
}

/// Why a bundle is not installed.
#[derive(Debug)]
pub enum InstallError {
    Bundle(BundleError),
    Faults(Vec<Diagnostic>),
    /// A pack of this id comes with the page.
    Shipped(String),
    /// The server has another pack of this id.
    Served(String),
    /// The player has another pack of this id.
    Taken(String),
}

impl InstallError {
    /// The sentence for the player. `name` is the file's, or the title of the pack.
    pub fn sentence(&self, name: &str) -> String {
        match self {
            InstallError::Bundle(why) => {
                let diagnostic::Sentence { message, help } = diagnostic::bundle(why);
                text::refused(name, &message, &help)
            }
            InstallError::Faults(faults) => {
                let first = faults.first().map(|fault| diagnostic::diagnostic(fault).message);
                text::faulty(name, &first.unwrap_or_default())
            }
            InstallError::Shipped(id) => text::shipped(id),
            InstallError::Served(id) => text::served(id),
            InstallError::Taken(id) => text::other_of_name(id),
        }
    }
}

/// Installs a bundle that the player opened as one of the player's own packs.
pub fn install(shared: &mut Shared, body: &str) -> Result<Vec<Command>, InstallError> {
    let bundle = Bundle::read(body).map_err(InstallError::Bundle)?;
    let pack = bundle.read_pack().map_err(InstallError::Faults)?;
    let id = pack.id().to_string();
    if shared.packs.is_shipped(&id) {
        return Err(InstallError::Shipped(id));
    }
    if shared.packs.files(&id).is_some_and(|files| files != *bundle.files()) {
        let served = shared.packs.source(&id).is_some();
        return Err(if served { InstallError::Served(id) } else { InstallError::Taken(id) });
    }
    let value = serde_json::to_string(&texts(bundle.files())).unwrap_or_default();
    shared.packs.put(&id, bundle.files().clone());
    let mut values = vec![(format!("own:{id}"), Some(value))];
    let known = shared.settings.tables.get(&id).map(String::as_str);
    if let Some(tables) = own_tables(&bundle, known)
        && shared.packs.fill_in(&id, Some(&tables)).is_ok()
        && let Command::SaveValue { key, value } = shared.settings.set_tables(&id, Some(tables))
    {
        values.push((key, value));
    }
    let reply_to = app::ReplyTo::Kept(Kept::Pack(pack.title().to_string())).into();
    Ok(vec![Command::SaveValues { reply_to, values }])
}

/// The player's tables, else those that the author added for the player; with the decks of the
/// bundle that they lack. On the page, decks are a part of the tables.
fn own_tables(bundle: &Bundle, known: Option<&str>) -> Option<String> {
    let Supplied { tables, decks } = bundle.supplied();
    let tables = known.or(tables.as_deref());
    let pack = read_pack(bundle.files(), tables).ok()?;
    let lacks = |own: &&UserDeckFile| {
        pack.user_decks().any(|deck| deck.is_missing() && *deck.id == *own.deck)
    };
    let decks: String = decks.iter().filter(lacks).map(UserDeckFile::in_tables).collect();
    Some(tables.unwrap_or_default().to_owned() + &decks).filter(|text| !text.is_empty())
}

fn texts(files: &Files) -> BTreeMap<&str, &str> {
    map_of(files.names().filter_map(|name| Some((name, files.text(name)?))))
}
