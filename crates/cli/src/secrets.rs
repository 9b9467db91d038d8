//! The secrets of sealed rolls. Each player's chain at each table is in its own file in the state
//! folder, readable only by the player, and is synced to disk before anything of it is published: a
//! link that left the device and was forgotten here could be revealed twice. The file also has
//! which links were revealed for which calls and how far the log went (`adjutant_game::Chains`), so
//! that a log that was rolled back, cut or forked gets no link.

use crate::open_store::OpenTable;
use crate::sealed_folder::{former_folder, move_from, own_file, write_whole};
use adjutant_game::{
    Chain, Chains, Cut, EventKind, Forfeit, LogLine, NoLink, RevealedLink, Stamp, Table,
    fingerprint,
};
use adjutant_wording::en;
use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// What one player keeps secret at one table. While it is open, no other process of his writes it.
pub struct Secrets {
    place: PathBuf,
    /// What the table is called in the store.
    called: String,
    written: SecretsFile,
    _lock: File,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct SecretsFile {
    /// The fingerprint of the table's first line.
    table: String,
    name: String,
    #[serde(flatten)]
    chains: Chains,
}

impl Secrets {
    /// What a player keeps at a table; nothing yet where there is no file.
    pub fn open(kept: &OpenTable, name: &str) -> anyhow::Result<Secrets> {
        let (table, folder) = (
            &kept.table,
            kept.sealed.as_deref().context("there is no folder in which secrets can be kept")?,
        );
        make_folder(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        let first = table.fingerprint_of(1).unwrap_or_default();
        let stem = stem(&first, name);
        let place = folder.join(format!("{stem}.json"));
        let lock = own_file(&folder.join(format!("{stem}.lock")), false)
            .and_then(|lock| lock.lock().map(|()| lock))
            .with_context(|| format!("{} cannot be locked", place.display()))?;
        if let Some(former) = former_folder() {
            move_from(&former, &place)?;
        }
        let written = match std::fs::read_to_string(&place) {
            Ok(text) => serde_json::from_str::<SecretsFile>(&text).with_context(|| {
                format!("{} is not a file of secrets, or is damaged", place.display())
            })?,
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => SecretsFile {
                table: first.clone(),
                name: name.to_owned(),
                chains: Chains::default(),
            },
            Err(fault) => {
                return Err(fault).with_context(|| format!("{} cannot be read", place.display()));
            }
        };
        if written.table != first || written.name != name {
            bail!("{} holds the secrets of another game or player", place.display());
        }
        Ok(Secrets { place, called: kept.name.clone(), written, _lock: lock })
    }

    /// That a player may sit down under a name: that of a player who rolls sealed is taken only
    /// where the chain is.
    pub fn may_sit(kept: &OpenTable, name: &str) -> anyhow::Result<()> {
        match kept.table.sealed_circle().iter().any(|member| member.name == name) {
            true => Secrets::open(kept, name)?
                .in_use(&kept.table)
                .map_err(|why| anyhow!("{name} has sealed in this game, and {why:#}")),
            false => Ok(()),
        }
    }

    /// The line that seals: a new chain, kept before the line is handed out. With `accept`, the log
    /// as it is takes the place of what this device remembers. `forfeit` is what the group agrees on
    /// for silent players; without it, what the group has agreed on already.
    pub fn seal(
        &mut self,
        table: &Table,
        stamp: &Stamp,
        (length, accept, forfeit): (u32, bool, Option<Forfeit>),
    ) -> anyhow::Result<LogLine> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)
            .map_err(|fault| anyhow!("the system gives no random bytes: {fault}"))?;
        let chain = Chain::new(secret, length).map_err(|error| anyhow!(en::chain_error(&error)))?;
        if table.sealed_circle().iter().any(|member| member.name == stamp.by) {
            self.in_use(table)?;
        }
        let mut seal = self
            .written
            .chains
            .seal(table, &stamp.by, chain, accept)
            .map_err(|why| anyhow!(self.no_link(why)))?;
        seal.forfeit = forfeit.or(seal.forfeit);
        let line = table
            .act(stamp, EventKind::Seal(seal))
            .map_err(|rejection| anyhow!(en::rejection(&rejection)))?;
        self.write()?;
        Ok(line)
    }

    /// The link that is owed to the open call; that it was shown is kept before it is handed out.
    pub fn show(&mut self, table: &Table) -> anyhow::Result<RevealedLink> {
        self.can_show(table)?;
        let shown = self
            .written
            .chains
            .show(table, &self.written.name)
            .map_err(|why| anyhow!(self.no_link(why)))?;
        self.write()?;
        Ok(shown)
    }

    /// Whether the log lacks something that this device has seen or revealed.
    pub fn is_cut(&self, table: &Table) -> bool {
        self.written.chains.check(table, &self.written.name).is_err()
    }

    /// That a link can be shown at this table: who calls a roll and cannot show his own would
    /// leave it open.
    pub fn can_show(&self, table: &Table) -> anyhow::Result<()> {
        self.written
            .chains
            .check(table, &self.written.name)
            .map_err(|cut| anyhow!(self.cut(&cut)))?;
        self.in_use(table)
    }

    /// An event with this player's mark, if it is one that only the player may make.
    pub fn sign(&self, table: &Table, what: EventKind) -> anyhow::Result<EventKind> {
        self.in_use(table)?;
        let chains = &self.written.chains;
        chains.sign(table, &self.written.name, what).map_err(|why| anyhow!(self.no_link(why)))
    }

    /// Remembers the log as it is now, with what this player did last in it.
    pub fn saw(&mut self, table: &Table) -> anyhow::Result<()> {
        self.written
            .chains
            .saw(table, &self.written.name)
            .map_err(|cut| anyhow!(self.cut(&cut)))?;
        self.write()
    }

    fn no_link(&self, why: NoLink) -> String {
        match why {
            NoLink::Cut(cut) => self.cut(&cut),
            NoLink::Chain(error) => en::chain_error(&error),
        }
    }

    /// That the log was cut, and what to do.
    fn cut(&self, cut: &Cut) -> String {
        let (table, name) =
            (crate::game::quoted(&self.called), crate::game::quoted(&self.written.name));
        format!(
            "{}. Ask the other players for the whole log. If all of you agree that what is missing is lost, take the open call back and go on \
             from this log with a new chain: adjutant seal {table} --as {name} --accept-cut",
            en::cut(cut)
        )
    }

    /// That the chain its owner sealed with is here.
    fn in_use(&self, table: &Table) -> anyhow::Result<()> {
        let name = &self.written.name;
        let Some(member) = table.sealed_circle().iter().find(|member| member.name == *name) else {
            let names: Vec<&str> =
                table.sealed_circle().iter().map(|member| member.name.as_str()).collect();
            return Err(anyhow!("{name} is not in the sealed group: {}", names.join(", ")));
        };
        match self.written.chains.in_use(table, name) {
            Some(_) => Ok(()),
            None => {
                let what = if self.written.chains.is_empty() {
                    "is not there"
                } else {
                    "holds another chain"
                };
                Err(anyhow!(
                    "the secrets of the chain that {name} sealed with event {} are not on this device: {} {what}. Act where they are; if they \
                     are lost, the other players remove {name} from the sealed group (adjutant release GAME {name} --ask), and {name} seals again",
                    member.seal,
                    self.place.display()
                ))
            }
        }
    }

    /// Writes the file, in full and to the disk, or not at all.
    fn write(&self) -> anyhow::Result<()> {
        let cannot = |fault: std::io::Error| {
            anyhow!(
                "the secrets cannot be kept in {}: {fault}. Nothing was done",
                self.place.display()
            )
        };
        let text = serde_json::to_string(&self.written).map_err(|fault| cannot(fault.into()))?;
        write_whole(&self.place, text.as_bytes()).map_err(cannot)
    }
}

/// The name of the file of one player at the table whose first line has this fingerprint. A name
/// may hold anything that a file's name may not.
fn stem(first: &str, name: &str) -> String {
    [first, &fingerprint(name)]
        .map(|print| print.get(..20).unwrap_or_default().to_owned())
        .join("-")
}

/// Whether the secrets of a player at the table that begins with this line are on this device.
pub fn are_here(folder: &Path, first_line: &str, name: &str) -> bool {
    let file = format!("{}.json", stem(&fingerprint(first_line), name));
    let former = former_folder();
    [Some(folder), former.as_deref()]
        .into_iter()
        .flatten()
        .any(|folder| folder.join(&file).exists())
}

fn make_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}
