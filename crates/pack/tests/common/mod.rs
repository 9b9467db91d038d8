#![allow(dead_code)]
//! Shared helpers for the tests of diagnostics. `▸` marks the position of an error in the text of a
//! pack.

use adjutant_pack::{Diagnostic, Files, read_pack};
use adjutant_wording::en::{Sentence, diagnostic};

pub const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n";
pub const RESULTS: &str = "[result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\n";
pub const ROWS: &str = "read = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";
pub const DIE: &str = "step = [ { roll = \"1d6\", as = \"die\" } ]\n";
pub const UNITS: &str = "[unit.tank]\ntitle = \"Tank\"\nhas = { armour = { number = \"Armour\", from = 0, to = 9 } }\n\
                     [unit.man]\ntitle = \"Man\"\n[status.pinned]\ntitle = \"Pinned\"\nof = \"tank\"\n";

/// The diagnostics of the files, each as `file line:column message (remedy)`.
pub fn faults(files: &Files, tables: Option<&str>) -> Vec<String> {
    let show = |fault: &Diagnostic| {
        let text = if fault.file == adjutant_pack::TABLES_FILE {
            tables.unwrap_or("")
        } else {
            files.text(&fault.file).unwrap_or("")
        };
        assert!(
            fault.span.start <= fault.span.end && fault.span.end <= text.len(),
            "{fault:?} lies outside its file"
        );
        let (line, column) = fault.line_and_column(text);
        let Sentence { message, help } = diagnostic(fault);
        format!("{} {line}:{column} {message} ({help})", fault.file)
    };
    read_pack(files, tables).err().unwrap_or_default().iter().map(show).collect()
}

/// The text without its mark, and the line and column of the mark.
pub fn unmarked(text: &str) -> (String, usize, usize) {
    let (before, after) = text.split_once('▸').expect("a mark");
    let line = before.matches('\n').count() + 1;
    (format!("{before}{after}"), line, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
}

pub fn only(found: &[String], file: &str, (line, column): (usize, usize), fault: &str) {
    assert_eq!(found, [format!("{file} {line}:{column} {fault}")]);
}

/// Checks that `pack.toml`, after its head, has exactly this error at the mark.
#[track_caller]
pub fn pack(text: &str, fault: &str) {
    let (text, line, column) = unmarked(&format!("{HEAD}{text}"));
    only(&faults(&Files::of([("pack.toml", text)]), None), "pack.toml", (line, column), fault);
}

/// The same for the lines of one chart.
#[track_caller]
pub fn chart(lines: &str, fault: &str) {
    pack(&format!("{RESULTS}{UNITS}[chart.c]\ntitle = \"C\"\n{lines}"), fault);
}

/// The same for the rows of a chart that rolls a d6.
#[track_caller]
pub fn rows(rows: &str, fault: &str) {
    chart(&format!("{DIE}read = {{ rows = [ {rows} ] }}\n"), fault);
}

/// The same for the condition of a modifier in a chart with some inputs.
#[track_caller]
pub fn when(expression: &str, fault: &str) {
    let asks = "who = { tank = \"tank\" }\nask = { ammo = { choice = [\"ap\", \"he\"] }, close = { yes_no = \"Close\" }, \
                range = { number = \"Range\", from = 0, to = 9 } }\n";
    let add = format!(
        "step = [ {{ roll = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, when = \"{expression}\" }} ] }} ]\n"
    );
    chart(&format!("{asks}{add}{ROWS}"), fault);
}

/// Checks that a pack made of these lines has no errors.
#[track_caller]
pub fn sound(text: &str) {
    assert_eq!(faults(&Files::of([("pack.toml", format!("{HEAD}{text}"))]), None), [""; 0]);
}

#[track_caller]
pub fn sound_chart(lines: &str) {
    sound(&format!("{RESULTS}{UNITS}[chart.c]\ntitle = \"C\"\n{lines}"));
}
