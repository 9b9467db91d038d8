//! Where the secrets of sealed rolls are: the state folder (`XDG_STATE_HOME`), which belongs to this
//! device. The data folder is for what may be copied to other devices, and a copy of secrets could
//! reveal a link twice. Secrets that an earlier version put into the data folder are moved when they
//! are next used.

use anyhow::{Context, bail};
use etcetera::BaseStrategy;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of the secrets. Windows has no state folder, so there they stay in the data folder.
pub fn sealed_folder() -> Option<PathBuf> {
    let state = etcetera::choose_base_strategy().ok()?.state_dir();
    Some(
        state
            .map_or_else(crate::pack_registry::data_folder, |state| Some(state.join("adjutant")))?
            .join("sealed"),
    )
}

/// The folder that earlier versions used.
pub fn former_folder() -> Option<PathBuf> {
    Some(crate::pack_registry::data_folder()?.join("sealed"))
}

/// Moves a file of secrets from the former folder, if it is there. The caller holds the lock of the
/// new file. The new file is on the disk before the old one is removed. Two files that differ are
/// refused: each remembers other links.
pub fn move_from(former: &Path, place: &Path) -> anyhow::Result<()> {
    let Some(name) = place.file_name() else { return Ok(()) };
    let old = former.join(name);
    if old == place || !old.exists() {
        return Ok(());
    }
    let cannot =
        || format!("the secrets in {} cannot be moved to {}", old.display(), place.display());
    // An earlier version of the program may be using it.
    let old_lock = old.with_extension("lock");
    let lock = own_file(&old_lock, false).with_context(cannot)?;
    lock.lock().with_context(cannot)?;
    let secrets = std::fs::read(&old).with_context(cannot)?;
    if place.exists() {
        if std::fs::read(place).with_context(cannot)? != secrets {
            bail!(
                "this game has two files of secrets: {} and, from an earlier version, {}. Each remembers other links, so no link is shown. \
                 Keep the one that was used last, and remove the other",
                place.display(),
                old.display()
            );
        }
    } else {
        write_whole(place, &secrets).with_context(cannot)?;
    }
    std::fs::remove_file(&old).and_then(|()| sync_folder(former)).with_context(cannot)?;
    // Empty leftovers do no harm.
    let _ = std::fs::remove_file(&old_lock);
    let _ = std::fs::remove_dir(former);
    Ok(())
}

/// Writes a file that no one else may read, in full and to the disk, or not at all.
pub fn write_whole(place: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = place.with_extension("part");
    own_file(&beside, true)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, place))
        .and_then(|()| place.parent().map_or(Ok(()), sync_folder))
}

/// A file that no one else may read.
pub fn own_file(path: &Path, fresh: bool) -> std::io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(fresh);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    // One that was there may have been open to others.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

/// A name in a folder is on the disk when the folder is.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
