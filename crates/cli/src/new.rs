//! `adjutant new`: a small pack that is sound from the first minute, to be changed line by line.

use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::schema::SchemaFile;
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
        "made {name}/ with pack.toml, cases.toml, README.md and their schemas for editors\n\n  adjutant check {name}\n  adjutant test {name} --coverage\n  adjutant roll {name} fire\n\nThe guide is docs/guide/tutorial.md.\n"
    )))
}

/// Writes into a folder beside it first, so that a failure leaves nothing half made.
fn write(folder: &Path, name: &str) -> anyhow::Result<()> {
    let making = folder.with_file_name(format!(".{name}.new"));
    let made = fill(&making, name)
        .and_then(|()| std::fs::rename(&making, folder).map_err(anyhow::Error::from));
    if made.is_err() {
        let _ = std::fs::remove_dir_all(&making);
    }
    made
}

/// Writes the pack, and beside each file that has a schema the schema. Its first line refers to it,
/// as editors with Taplo expect.
fn fill(folder: &Path, name: &str) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let files = adjutant_bundled_packs::skeleton(name);
    for name in files.names() {
        let mut text = files.text(name).unwrap_or_default().to_owned();
        let schema = match name {
            "pack.toml" => Some(("pack.schema.json", SchemaFile::Pack)),
            "cases.toml" => Some(("cases.schema.json", SchemaFile::Cases)),
            _ => None,
        };
        if let Some((file, schema)) = schema {
            text.insert_str(0, &format!("#:schema ./{file}\n"));
            std::fs::write(folder.join(file), schema.json()?)?;
        }
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
