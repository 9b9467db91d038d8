//! What the pack desk says.

/// The head.
pub const HEAD: &str = "Pack desk";
/// What it is.
pub const LEAD: &str = "A sheet is a text. Write or paste one: its faults show as you type, and the chart runs beside it.";
/// Begin.
pub const START: &str = "Begin with";
/// A new pack.
pub const NEW: &str = "A new pack";
/// The id of a new pack.
pub const NEW_ID: &str = "my-game";
/// A file.
pub const IMPORT: &str = "Take in a file";
/// What may be taken in.
pub const IMPORT_HINT: &str = "pack.toml, cases.toml, README.md and .csv files, one after another.";
/// Would be replaced.
pub const DOUBT: &str = "This replaces what lies on the desk. What is exported or in use stays.";
/// Do it.
pub const REPLACE: &str = "Replace it";
/// Do not.
pub const LEAVE: &str = "Leave it as it is";
/// The files.
pub const FILES: &str = "Files";
/// Another file.
pub const ADD_FILE: &str = "Another file";
/// Its name.
pub const FILE_NAME: &str = "Name of the file, such as deck.csv";
/// Adds it.
pub const ADD: &str = "Add";
/// Downloads this file.
pub const EXPORT: &str = "Export this file";
/// Downloads all.
pub const EXPORT_ALL: &str = "Export all";
/// Takes a file away.
pub const DROP_FILE: &str = "Take this file away";
/// What is wrong.
pub const FAULTS: &str = "Faults";
/// Nothing is.
pub const SOUND: &str = "Sound: the pack can be played.";
/// The last sound one runs.
pub const LAST_SOUND: &str = "The chart beside runs the last text that was sound.";
/// The chart.
pub const CHART: &str = "The running chart";
/// None yet.
pub const NO_CHART: &str = "As soon as the pack is sound, its charts run here.";
/// Which chart.
pub const WHICH: &str = "Chart";
/// The cases.
pub const CASES: &str = "Cases";
/// None.
pub const NO_CASES: &str =
    "There are no cases yet. A file cases.toml with examples tests the sheet: given these inputs and these faces, this result.";
/// Cases of shipped packs.
pub const RUNNING: &str = "Trying the cases …";
/// What no case reaches.
pub const MISSING: &str = "What no case reaches";
/// Use it.
pub const USE: &str = "Use this pack on this device";
/// What that means.
pub const USE_ABOUT: &str = "It then stands beside the others: as a sheet, in the lab, and for tables on this device.";
/// Again.
pub const USE_AGAIN: &str = "Take over what was changed";
/// In use.
pub const IN_USE: &str = "In use. Open its sheet:";
/// Takes it away.
pub const TAKE_AWAY: &str = "Use it no longer";
/// Not while faulty.
pub const NOT_YET: &str = "A pack with faults cannot be used.";
/// Saved.
pub const SAVED: &str = "Kept on this device as you type.";
/// The text.
pub const TEXT: &str = "Text of";

/// Too large.
pub fn too_large(name: &str, size: usize, most: usize) -> String {
    format!(
        "{name} would have {} KB: the desk takes at most {} KB a file, so that the page does not stand still. adjutant check reads larger ones.",
        size.div_ceil(1024),
        most / 1024
    )
}

/// Too many files.
pub fn too_many(most: usize) -> String {
    format!("A pack on the desk has at most {most} files.")
}

/// Not a name.
pub fn not_a_name(name: &str) -> String {
    let shown = adjutant_pack::clip_to(name, 40);
    format!("“{shown}” cannot be a file of a pack: there are pack.toml, cases.toml, README.md, and tables such as deck.csv.")
}

/// Comes with the page.
pub fn shipped(id: &str) -> String {
    format!("“{id}” comes with Adjutant and is not replaced: give your pack an id of its own, in the line id = \"…\".")
}

/// So many faults.
pub fn faults(n: usize) -> String {
    if n == 1 { "1 fault".to_owned() } else { format!("{n} faults") }
}

/// Where a fault is.
pub fn place(file: &str, line: usize, column: usize) -> String {
    format!("{file}, line {line}, column {column}")
}

/// Faults that are not listed.
pub fn more_faults(n: usize) -> String {
    format!("and {n} more")
}

/// How the cases came out.
pub fn passed(passed: usize, failed: usize) -> String {
    match failed {
        0 => format!("All {passed} cases come out as expected."),
        failed => format!("{failed} of {} cases come out otherwise.", passed + failed),
    }
}

/// What they reach.
pub fn reach(reached: usize, of: usize) -> String {
    format!("They reach {reached} of {of} rows, modifiers and cells.")
}

/// In use.
pub fn used(title: &str) -> String {
    format!("{title} is in use on this device.")
}

/// No longer.
pub fn unused(id: &str) -> String {
    format!("{id} is no longer in use; its text stays on the desk.")
}
