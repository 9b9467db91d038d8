//! The page as a folder of static files, for our server or any other. The service worker caches all
//! files of one version under one hash, so a page is never half old and half new.

use crate::App;
use crate::frame::document;
use crate::pack_registry::PackRegistry;
use crate::pack_summary::PackSummary;
use base64::prelude::{BASE64_STANDARD as STANDARD, Engine as _};
use sha2::{Digest, Sha256};

/// The files that need no build. The style sheet is joined from its parts.
const PLAIN: &[(&str, &[u8])] = &[
    ("app.js", include_bytes!("../web/app.js")),
    ("commands.js", include_bytes!("../web/commands.js")),
    ("engine.js", include_bytes!("../web/engine.js")),
    ("events.js", include_bytes!("../web/events.js")),
    ("morph.js", include_bytes!("../web/morph.js")),
    ("paste.js", include_bytes!("../web/paste.js")),
    ("server.js", include_bytes!("../web/server.js")),
    ("store.js", include_bytes!("../web/store.js")),
    ("early.js", include_bytes!("../web/early.js")),
    ("manifest.webmanifest", include_bytes!("../web/manifest.webmanifest")),
    ("icon.svg", include_bytes!("../web/icon.svg")),
    ("icon.png", include_bytes!("../web/icon.png")),
    ("sans-400.woff2", include_bytes!("../web/fonts/sans-400.woff2")),
    ("sans-600.woff2", include_bytes!("../web/fonts/sans-600.woff2")),
    ("serif-600.woff2", include_bytes!("../web/fonts/serif-600.woff2")),
];

/// The parts of the style sheet. The last one of a table holds what differs on a wide screen.
const STYLE: &[&str] = &[
    include_str!("../web/css/base.css"),
    include_str!("../web/css/parts.css"),
    include_str!("../web/css/result.css"),
    include_str!("../web/css/home.css"),
    include_str!("../web/css/sheet.css"),
    include_str!("../web/css/chart.css"),
    include_str!("../web/css/table-roster.css"),
    include_str!("../web/css/table-more.css"),
    include_str!("../web/css/table.css"),
    include_str!("../web/css/table-board.css"),
    include_str!("../web/css/lab.css"),
    include_str!("../web/css/deck.css"),
    include_str!("../web/css/editor.css"),
    include_str!("../web/css/paste.css"),
];

/// The engine with the lab, fights and the pack editor.
const WORKSHOP: &str = "workshop.wasm";

/// Where the hash goes in the service worker.
const VERSION: &str = "__VERSION__";

/// Where the names of the files go, in quotes.
const FILES: &str = "\"__FILES__\"";

/// A style sheet without its comments and the blanks before its lines.
fn compact(css: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(css.len()), css);
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let lines = kept.lines().map(str::trim_start).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A script without the comments that have lines of their own, and without the blanks before its lines.
fn bare_script(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut inside = false;
    for line in script.lines().map(str::trim_start) {
        inside |= line.starts_with("/*");
        let comment = inside || line.is_empty() || line.starts_with("//");
        inside &= !line.trim_end().ends_with("*/");
        if !comment {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// All files of the page, by name, with the WebAssembly module that it starts with, and the one that
/// it fetches for the workshop. An engine that has the workshop itself needs no second one.
pub fn site(engine: Vec<u8>, workshop: Option<Vec<u8>>) -> Vec<(&'static str, Vec<u8>)> {
    let sent = |name: &str, bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(script) if name.ends_with(".js") => bare_script(script).into_bytes(),
        _ => bytes.to_vec(),
    };
    let mut files: Vec<(&str, Vec<u8>)> =
        PLAIN.iter().map(|(name, bytes)| (*name, sent(name, bytes))).collect();
    // The modules are preloaded at once; otherwise the browser finds them one after another.
    let modules: Vec<&str> = files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.ends_with(".js") && !["early.js", "app.js"].contains(name))
        .collect();
    files
        .push(("app.css", STYLE.iter().map(|part| compact(part)).collect::<String>().into_bytes()));
    files.push(("engine.wasm", engine));
    let packs = PackRegistry::default();
    let summaries: Vec<PackSummary> =
        adjutant_bundled_packs::IDS.iter().filter_map(|id| packs.summary(id)).collect();
    let integrity = workshop.as_deref().map(integrity_of);
    let html = document(&App::new().view(), &modules, &summaries, integrity.as_deref());
    files.push(("index.html", html.into_bytes()));
    let mut hash = Sha256::new();
    for (name, bytes) in &files {
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    let version: String =
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let names: Vec<String> = files
        .iter()
        .filter(|(name, _)| *name != "index.html")
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    let worker = bare_script(include_str!("../web/sw.js"))
        .replace(VERSION, &version)
        .replace(FILES, &names.join(", "));
    files.push(("sw.js", worker.into_bytes()));
    // After the worker has its list: it caches this file when it is first used.
    files.extend(workshop.map(|bytes| (WORKSHOP, bytes)));
    files
}

/// The hash of a file as browsers check it, so that the page never runs the workshop of another
/// version.
fn integrity_of(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::{PLAIN, STYLE, bare_script, compact};

    #[test]
    fn a_script_loses_whole_lines_of_comments_only() {
        let script = "// why\nlet a = 1; // kept\n/** A type\n * @type {x} */\n  b(`//${a}`);\n\n/* one */\nc();\n";
        assert_eq!(bare_script(script), "let a = 1; // kept\nb(`//${a}`);\nc();\n");
        for (name, bytes) in PLAIN.iter().filter(|(name, _)| name.ends_with(".js")) {
            let script = std::str::from_utf8(bytes).unwrap_or_default();
            // Code after a comment on the same line would be lost.
            let lost = |line: &str| {
                line.trim_start().starts_with("/*")
                    && line.split_once("*/").is_some_and(|(_, code)| !code.trim().is_empty())
            };
            assert!(!script.lines().any(lost), "{name}");
            // A text over several lines could look like a comment.
            assert!(
                bare_script(script).lines().all(|line| line.matches('`').count().is_multiple_of(2)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_style_sheet_loses_comments_and_blanks_only() {
        let css = "a {\n  color: red; /* why */\n}\n\n/* A note\n   on b */\nb { margin: 0 /* x */ auto }\n";
        assert_eq!(compact(css), "a {\ncolor: red; \n}\nb { margin: 0  auto }\n");
        let words = |css: &str| css.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for part in STYLE {
            let bare = compact(part);
            assert!(
                !bare.contains("/*")
                    && words(part).ends_with(&words(&bare)[words(&bare).len() - 5..])
            );
            assert_eq!(bare, compact(&bare));
        }
    }

    /// The colours of a style sheet under names that start like this, in order.
    fn colours(css: &str, name: &str) -> Vec<String> {
        let found = css.split(name).skip(1).filter_map(|rest| rest.split_once(": #"));
        let hex = |(_, rest): (&str, &str)| rest.chars().take(6).collect::<String>();
        found.filter(|(number, _)| number.chars().all(|c| c.is_ascii_digit())).map(hex).collect()
    }

    #[test]
    fn sides_have_the_same_colours_here_and_in_reports() {
        let page = colours(&STYLE.concat(), "--side-");
        let report = colours(adjutant_render::report::STYLE, "--s");
        // Light, dark by the device, dark by choice; a report has light, dark, and light again for
        // print.
        assert_eq!((page.len(), report.len()), (24, 24));
        assert_eq!((&page[..16], &page[..8]), (&report[..16], &report[16..]));
        assert_eq!(page[8..16], page[16..]);
    }
}
