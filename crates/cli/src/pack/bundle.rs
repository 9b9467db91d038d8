//! `adjutant pack bundle` and `unpack`: a pack as one file, and back.

use crate::atomic_file::{is_standard_output, write_folder, write_whole};
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use crate::paint::{DIM, RESULT, in_style};
use adjutant_pack::{BUNDLE_ENDING, Bundle, BundleError, Supplied};
use adjutant_wording::en;
use std::path::{Path, PathBuf};

/// Why a bundle cannot be made or read, as an error of the command.
pub fn refused(what: &Path, error: &BundleError) -> CommandError {
    let en::Sentence { message, help } = en::diagnostic::bundle(error);
    CommandError::faulty([format!("{}: {message}: {help}", what.display())])
}

pub fn bundle(
    shelf: &PackRegistry,
    pack: &str,
    output: Option<&Path>,
    with_tables: bool,
    force: bool,
) -> CommandResult {
    let OpenedPack { pack, files, supplied, .. } = shelf.open(pack)?;
    crate::uses::without_effect(
        &format!(
            "on {}, for which you have no tables and decks: name them with --tables",
            pack.id()
        ),
        &[("--with-tables", with_tables && supplied.is_empty())],
    )?;
    let usual = || PathBuf::from(format!("{}.{BUNDLE_ENDING}", pack.id()));
    let path = output.map_or_else(usual, Path::to_owned);
    let standard = is_standard_output(&path);
    if !standard && !crate::pack_registry::is_bundle(&path) {
        return Err(CommandError::usage([format!(
            "{}: the name of a bundle ends with .{BUNDLE_ENDING}",
            path.display()
        )]));
    }
    let left_out = !with_tables && !supplied.is_empty();
    let supplied = if with_tables { supplied } else { Supplied::default() };
    let text = Bundle::new(files).with(supplied).write().map_err(|why| refused(&path, &why))?;
    write_whole(&path, (text + "\n").as_bytes(), force)?;
    let mut out = String::new();
    if !standard {
        let written = in_style(DIM, "is written");
        out.push_str(&format!("{} {written}\n", in_style(RESULT, path.display())));
    }
    let fingerprint = in_style(DIM, format!("fingerprint {}", pack.hash()));
    out.push_str(&format!("{fingerprint}\n"));
    if left_out {
        out.push_str("Your own tables and decks are not in it: add them with --with-tables\n");
    }
    let output = CommandOutput::done(out);
    Ok(if standard { output.aside() } else { output })
}

pub fn unpack(file: &Path, output: Option<&Path>) -> CommandResult {
    let bundle = Bundle::from_file(file).map_err(|why| refused(file, &why))?;
    let usual = || bundle.read_pack().map(|pack| PathBuf::from(pack.id().as_str()));
    let folder = match output {
        Some(folder) => folder.to_owned(),
        None => usual().map_err(|_| {
            CommandError::usage([format!(
                "the pack in {} has faults: name a folder with -o",
                file.display()
            )])
        })?,
    };
    if folder.symlink_metadata().is_ok() {
        return Err(CommandError::usage([format!(
            "{} is there already: name a new folder with -o",
            folder.display()
        )]));
    }
    let texts = bundle
        .files()
        .names()
        .filter_map(|name| Some((name.to_owned(), bundle.files().text(name)?.as_bytes().to_vec())));
    write_folder(&folder, &texts.collect::<Vec<_>>(), false)?;
    let mut out = format!("{} is written\n", folder.display());
    if !bundle.supplied().is_empty() {
        out.push_str(
            "The tables and decks in the bundle are not part of the pack: they stay in it\n",
        );
    }
    Ok(CommandOutput::done(out))
}
