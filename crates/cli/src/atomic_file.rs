//! Files and folders, written in full or not at all: what cannot be finished leaves nothing behind,
//! and what is there stays unless it is to be overwritten. A folder is only overwritten if we wrote
//! it: a mistake costs no one their documents. The path `-` is standard output.

use anyhow::{Context, bail, ensure};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Whether a path stands for standard output. A file of this name is `./-`.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses standard output where a folder is written, or several files are.
pub fn not_standard_output(path: &Path, what: &str) -> anyhow::Result<()> {
    ensure!(
        !is_standard_output(path),
        "-o -: standard output takes one file, and this is {what}: name a place (./- for one called -)"
    );
    Ok(())
}

/// Writes a file to standard output, byte for byte. A reader that closes the pipe has enough.
fn write_standard_output(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    ensure!(
        !out.is_terminal() || std::str::from_utf8(bytes).is_ok(),
        "this file is not for a terminal: name it with -o, or send it on to another program"
    );
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(fault) if fault.kind() != ErrorKind::BrokenPipe => {
            Err(fault).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// Writes a file; with `force` also over one that is there.
pub fn write_whole(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    if is_standard_output(path) {
        ensure!(!force, "--force has no effect on standard output: leave it out");
        return write_standard_output(bytes);
    }
    let name =
        path.file_name().with_context(|| format!("{} is not a file's name", path.display()))?;
    ensure!(
        force || !path.exists(),
        "{} is there already: add --force to overwrite it",
        path.display()
    );
    let beside =
        path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = std::fs::File::create_new(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| {
            match force {
                true => std::fs::rename(&beside, path),
                // A link is refused where a file has come up meanwhile.
                false => {
                    std::fs::hard_link(&beside, path).and_then(|()| std::fs::remove_file(&beside))
                }
            }
        });
    written.inspect_err(|_| drop(std::fs::remove_file(&beside))).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

/// Writes several files; none if one is there already, and none new if one cannot be written.
pub fn write_several(files: &[(PathBuf, Vec<u8>)], force: bool) -> anyhow::Result<()> {
    if let Some((there, _)) = files.iter().find(|(path, _)| !force && path.exists()) {
        bail!("{} is there already: add --force to overwrite it", there.display());
    }
    for (n, (path, bytes)) in files.iter().enumerate() {
        if let Err(why) = write_whole(path, bytes, force) {
            // What was there before is not taken away.
            files
                .iter()
                .take(n)
                .filter(|_| !force)
                .for_each(|(written, _)| drop(std::fs::remove_file(written)));
            return Err(why);
        }
    }
    Ok(())
}

/// `deck.png` as `deck-020.png`.
pub fn beside(path: &Path, what: &str) -> PathBuf {
    let (stem, ending) = (
        path.file_stem().unwrap_or_default().to_string_lossy(),
        path.extension().unwrap_or_default().to_string_lossy(),
    );
    path.with_file_name(format!("{stem}-{what}.{ending}"))
}

/// Writes a folder of files, each by its path in it; with `force` also over one that we wrote.
pub fn write_folder(path: &Path, files: &[(String, Vec<u8>)], force: bool) -> anyhow::Result<()> {
    not_standard_output(path, "a folder")?;
    let name =
        path.file_name().with_context(|| format!("{} is not a folder's name", path.display()))?;
    let there = path.symlink_metadata().is_ok();
    ensure!(force || !there, "{} is there already: add --force to overwrite it", path.display());
    if there && !is_ours(path) {
        bail!(
            "{} is there already, and adjutant did not write it: choose another place, or take it away",
            path.display()
        );
    }
    let beside = |ending: &str| {
        path.with_file_name(format!(".{}.{}.{ending}", name.to_string_lossy(), std::process::id()))
    };
    let (part, old) = (beside("part"), beside("old"));
    let written = fill(&part, files).and_then(|()| {
        if there {
            std::fs::rename(path, &old)?;
        }
        std::fs::rename(&part, path).inspect_err(|_| {
            if there {
                let _ = std::fs::rename(&old, path);
            }
        })
    });
    if written.is_err() {
        let _ = std::fs::remove_dir_all(&part);
    } else if there {
        let _ = std::fs::remove_dir_all(&old);
    }
    written.with_context(|| cannot_write(path))
}

/// A new folder with these files in it.
fn fill(folder: &Path, files: &[(String, Vec<u8>)]) -> std::io::Result<()> {
    std::fs::create_dir(folder)?;
    for (name, bytes) in files {
        let path = name.split('/').fold(folder.to_owned(), |path, part| path.join(part));
        if let Some(within) = path.parent() {
            std::fs::create_dir_all(within)?;
        }
        let mut file = std::fs::File::create_new(&path)?;
        file.write_all(bytes).and_then(|()| file.sync_all())?;
    }
    Ok(())
}

/// Whether a folder has the note that we leave in ours.
fn is_ours(folder: &Path) -> bool {
    let real = folder.symlink_metadata().is_ok_and(|about| about.is_dir());
    real && std::fs::read_to_string(folder.join(adjutant_render::export::NOTE_NAME))
        .is_ok_and(|note| note.starts_with(adjutant_render::export::NOTE))
}
