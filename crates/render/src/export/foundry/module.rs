//! A module for Foundry: its manifest, and the script that puts the documents into compendia. A
//! module's own compendia are LevelDB databases, which only Foundry and its tools write. So the
//! module brings plain JSON, and its script has Foundry make compendia of the world from it.

use super::super::{ExportRequest, ExportedFiles, in_path, one_line};
use super::{file, id};
use crate::RenderError;
use serde_json::{Value as Json, json};

/// The part of the script that is the same for all modules.
const SCRIPT: &str = include_str!("module.mjs");

/// A module: its id, which is the name of its folder in `Data/modules`, and where its pictures are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundryModule {
    id: String,
    pictures: String,
}

impl FoundryModule {
    /// A module for a folder of this name, with its pictures in it or at another address. Foundry
    /// accepts letters, digits, `-` and `_` in an id.
    pub fn new(folder: &str, pictures: Option<&str>) -> FoundryModule {
        let id = in_path(folder);
        let own = format!("modules/{id}");
        FoundryModule { pictures: pictures.map_or(own, str::to_owned), id }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where Foundry finds a picture.
    pub(super) fn address(&self, name: &str) -> String {
        format!("{}/{name}", self.pictures)
    }

    /// Adds the manifest and the script for the documents that were exported.
    pub(super) fn add_to(
        &self,
        exported: &mut ExportedFiles,
        request: &ExportRequest<'_>,
    ) -> Result<(), RenderError> {
        let pack = request.pack;
        let title = one_line(pack.title());
        let files = |folder: &str| -> Vec<&str> {
            let names = exported.files.iter().map(|(name, _)| name.as_str());
            names.filter(|name| name.starts_with(folder)).collect()
        };
        let compendium = |kind: &str, what: &str, files: Vec<&str>| {
            json!({
                "type": kind, "name": format!("{}-{what}", self.id).to_lowercase(),
                "label": format!("{title}: {what}"), "files": files,
            })
        };
        let all = [
            compendium("Cards", "decks", files("cards/")),
            compendium("RollTable", "tables", files("tables/")),
        ];
        let filled: Vec<&Json> =
            all.iter().filter(|one| one["files"] != Json::Array(Vec::new())).collect();
        let about = json!({
            "id": self.id, "title": title, "pack": pack.id(), "content": content(exported),
            "compendia": filled,
        });
        let script =
            format!("const MODULE = {};\n\n{SCRIPT}", serde_json::to_string_pretty(&about)?);
        exported.add("module.mjs", script);
        let manifest = json!({
            "id": self.id,
            "title": title,
            "description": one_line(&format!("{} {}", pack.about(), pack.notice())),
            "version": pack.version(),
            "compatibility": { "minimum": "12" },
            // The game has its own authors: they did not make this module.
            "authors": [{ "name": "adjutant" }],
            "esmodules": ["module.mjs"],
        });
        exported.add("module.json", file(&manifest)?);
        Ok(())
    }
}

/// A fingerprint of the documents: another one has the module fill its compendia again.
fn content(exported: &ExportedFiles) -> String {
    let documents = exported.files.iter().filter(|(name, _)| name.ends_with(".json"));
    let texts: Vec<String> = documents
        .flat_map(|(name, bytes)| [name.clone(), String::from_utf8_lossy(bytes).into_owned()])
        .collect();
    id(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}
