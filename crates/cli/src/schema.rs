//! `adjutant schema`: JSON Schemas of the files of a pack, for editors.

use crate::error::CommandResult;
use crate::output::CommandOutput;
use anyhow::Context;

/// A file of a pack that has a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SchemaFile {
    #[default]
    Pack,
    Cases,
}

impl SchemaFile {
    /// The schema as JSON.
    pub fn json(self) -> anyhow::Result<String> {
        let schema = match self {
            SchemaFile::Pack => adjutant_pack::format::pack_schema(),
            SchemaFile::Cases => adjutant_pack::format::cases_schema(),
        };
        let text = serde_json::to_string_pretty(&schema).context("the schema cannot be written")?;
        Ok(text + "\n")
    }
}

pub fn schema(file: SchemaFile) -> CommandResult {
    Ok(CommandOutput::done(file.json()?))
}
