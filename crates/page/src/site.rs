//! The page as a folder of static files, for a server of ours or any other. The service worker knows the other files by a
//! fingerprint over all of them: a page that changed is fetched whole, and never half.

use crate::App;
use crate::frame::document;
use sha2::{Digest, Sha256};

/// The files that are there before anything is built; the style sheet is joined from its parts.
const PLAIN: &[(&str, &[u8])] = &[
    ("app.js", include_bytes!("../web/app.js")),
    ("early.js", include_bytes!("../web/early.js")),
    ("manifest.webmanifest", include_bytes!("../web/manifest.webmanifest")),
    ("icon.svg", include_bytes!("../web/icon.svg")),
    ("icon.png", include_bytes!("../web/icon.png")),
];

/// The parts of the style sheet, one for the whole, one for each screen.
const STYLE: &[&str] = &[
    include_str!("../web/css/base.css"),
    include_str!("../web/css/parts.css"),
    include_str!("../web/css/home.css"),
    include_str!("../web/css/sheet.css"),
    include_str!("../web/css/chart.css"),
    include_str!("../web/css/table.css"),
    include_str!("../web/css/lab.css"),
    include_str!("../web/css/deck.css"),
    include_str!("../web/css/desk.css"),
];

/// Where the fingerprint goes in the service worker.
const VERSION: &str = "__VERSION__";

/// All files of the page, by name, with this engine.
pub fn site(engine: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&str, Vec<u8>)> = PLAIN.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect();
    files.push(("app.css", STYLE.concat().into_bytes()));
    files.push(("engine.wasm", engine));
    files.push(("index.html", document(&App::new().view()).into_bytes()));
    let mut hash = Sha256::new();
    for (name, bytes) in &files {
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    let version: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    files.push(("sw.js", include_str!("../web/sw.js").replace(VERSION, &version).into_bytes()));
    files
}
