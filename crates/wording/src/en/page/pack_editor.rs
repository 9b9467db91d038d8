//! Texts of the pack editor.

pub const HEAD: &str = "Pack editor";
pub const LEAD: &str = "A sheet is a text file. Write or paste one. Errors show as you type, and the chart runs beside it.";
pub const START: &str = "Start with";
pub const NEW: &str = "A new pack";
pub const NEW_ID: &str = "my-game";
pub const IMPORT: &str = "Import a file";
pub const IMPORT_HINT: &str = "pack.toml, cases.toml, README.md and .csv files, one after another.";
pub const DOUBT: &str =
    "This replaces the files in the editor. Exported packs and packs in use stay.";
pub const REPLACE: &str = "Replace";
pub const LEAVE: &str = "Cancel";
pub const FILES: &str = "Files";
pub const ADD_FILE: &str = "Add a file";
pub const FILE_NAME: &str = "File name, such as deck.csv";
pub const ADD: &str = "Add";
pub const EXPORT: &str = "Export this file";
pub const EXPORT_ALL: &str = "Export all";
pub const DROP_FILE: &str = "Delete this file";
pub const FAULTS: &str = "Errors";
pub const SOUND: &str = "No errors: the pack can be played.";
pub const LAST_SOUND: &str = "The chart runs the last version without errors.";
pub const CHART: &str = "Try the chart";
pub const NO_CHART: &str = "Charts run here when the pack has no errors.";
pub const WHICH: &str = "Chart";
pub const CASES: &str = "Test cases";
pub const OLD_CASES: &str =
    "cases.toml is of the pack that was here before. Its cases are not tried.";
pub const RUN_CASES: &str = "Try them anyway";
pub const NO_CASES: &str = "No test cases yet. A file cases.toml tests the sheet with examples: these inputs and dice give this result.";
pub const RUNNING: &str = "Running the cases …";
pub const MISSING: &str = "Not covered by a case";
pub const USE: &str = "Use this pack on this device";
pub const USE_ABOUT: &str =
    "It then appears with the others: as a sheet, in the odds lab and for games on this device.";
pub const USE_AGAIN: &str = "Apply the changes";
pub const IN_USE: &str = "In use. Open its sheet:";
pub const TAKE_AWAY: &str = "Stop using it";
pub const NOT_YET: &str = "A pack with errors cannot be used.";
pub const SAVED: &str = "Saved on this device as you type.";
pub const TEXT: &str = "Text of";

pub fn too_large(name: &str, size: usize, most: usize) -> String {
    format!(
        "{name} would have {} KB. The editor takes at most {} KB per file. `adjutant check` reads larger files.",
        size.div_ceil(1024),
        most / 1024
    )
}

pub fn too_many(most: usize) -> String {
    format!("A pack in the editor has at most {most} files.")
}

pub fn not_a_name(name: &str) -> String {
    let shown = adjutant_pack::clip_to(name, 40);
    format!(
        "“{shown}” is not a valid file name: a pack has pack.toml, cases.toml, README.md and tables such as deck.csv."
    )
}

/// The pack comes with the page.
pub fn shipped(id: &str) -> String {
    format!(
        "“{id}” comes with Adjutant and cannot be replaced. Give your pack its own id, in the line id = \"…\"."
    )
}

pub fn faults(n: usize) -> String {
    if n == 1 { "1 error".to_owned() } else { format!("{n} errors") }
}

pub fn place(file: &str, line: usize, column: usize) -> String {
    format!("{file}, line {line}, column {column}")
}

pub fn more_faults(n: usize) -> String {
    format!("and {n} more")
}

/// How many cases passed.
pub fn passed(passed: usize, failed: usize) -> String {
    match failed {
        0 => format!("All {passed} cases pass."),
        failed => format!("{failed} of {} cases fail.", passed + failed),
    }
}

/// The coverage of the cases.
pub fn reach(reached: usize, of: usize) -> String {
    format!("They cover {reached} of {of} rows, modifiers and cells.")
}

/// The pack is now in use.
pub fn used(title: &str) -> String {
    format!("{title} is in use on this device.")
}

/// The pack is no longer in use.
pub fn unused(id: &str) -> String {
    format!("{id} is no longer in use. Its files stay in the editor.")
}
