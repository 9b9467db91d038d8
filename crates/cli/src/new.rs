//! `adjutant new`: a small pack that is sound from the first minute, to be changed line by line.

use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use anyhow::Context;
use std::path::Path;

pub fn new(name: &str) -> CommandResult {
    let fine = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !fine {
        let shown = adjutant_pack::clip(name);
        return Err(CommandError::usage([format!(
            "`{shown}` cannot be a game's id: begin with a small letter and use small letters, digits and hyphens, as in my-game"
        )]));
    }
    let folder = Path::new(name);
    if folder.exists() {
        return Err(CommandError::usage([format!(
            "`{name}` is there already: nothing was changed"
        )]));
    }
    write(folder, name).with_context(|| format!("{name} cannot be written"))?;
    Ok(CommandOutput::done(format!(
        "made {name}/ with pack.toml, cases.toml and README.md\n\n  adjutant check {name}\n  adjutant test {name} --coverage\n  adjutant roll {name} fire\n\nThe guide is docs/guide/tutorial.md.\n"
    )))
}

/// Writes into a folder beside it first, so that a failure leaves nothing half made.
fn write(folder: &Path, name: &str) -> std::io::Result<()> {
    let making = folder.with_file_name(format!(".{name}.new"));
    let files = adjutant_bundled_packs::skeleton(name);
    let made = std::fs::create_dir_all(&making)
        .and_then(|()| {
            files.names().try_for_each(|name| {
                std::fs::write(making.join(name), files.text(name).unwrap_or_default())
            })
        })
        .and_then(|()| std::fs::rename(&making, folder));
    if made.is_err() {
        let _ = std::fs::remove_dir_all(&making);
    }
    made
}
