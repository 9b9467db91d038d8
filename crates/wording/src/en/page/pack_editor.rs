//! Texts of the pack editor.

use adjutant_diff::{ChanceDiff, ChanceShift, ChartChange};
use adjutant_engine::percent_in_words;

pub const HEAD: &str = "Pack editor";
pub const LEAD: &str = "A sheet is a text file. Write or paste one. Errors show as you type, and the chart runs beside it.";
pub const START: &str = "Start with";
pub const NEW: &str = "A new pack";
pub const NEW_ID: &str = "my-game";
pub const PASTE: &str = "Paste a sheet";
pub const IMPORT: &str = "Import a file";
pub const IMPORT_HINT: &str = "A pack as one file (.adjutant); or pack.toml, cases.toml, README.md and .csv files, one after another.";
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
pub const FITS_HERE: &str = "What fits where you write";

pub const FORM: &str = "Form";
pub const FORM_TITLE: &str = "Title of the chart";
pub const FORM_HINT: &str = "The form writes into the files of the pack, and changes only what you change here. What it does not show is in the text.";
pub const NO_FORM: &str = "The form shows the chart that runs beside it.";
pub const QUESTIONS: &str = "Questions";
pub const ROWS: &str = "Rows, from the lowest score to the highest";
pub const ADD_MODIFIER: &str = "Add a modifier";
pub const NEW_MODIFIER: &str = "New modifier";
pub const COPY_ROW: &str = "Add a row above";
pub const REMOVE_QUESTION: &str = "Remove the question";
pub const REMOVE_MODIFIER: &str = "Remove the modifier";
pub const REMOVE_ROW: &str = "Remove the row";
pub const CONDITION: &str = "Counts";
pub const ALWAYS: &str = "always";
pub const NEW_TICK: &str = "if ticked (new question)";
pub const ADD_YES_NO: &str = "Add a yes-or-no question";
pub const ADD_NUMBER: &str = "Add a number";
pub const ADD_CHOICE_QUESTION: &str = "Add a choice";
pub const NEW_QUESTION: &str = "New question";
pub const ADD_CHOICE: &str = "Add an answer";
pub const NEW_CHOICE: &str = "New answer";
pub const NEW_CHOICES: [&str; 2] = ["First answer", "Second answer"];
pub const REMOVE_CHOICE: &str = "Remove the answer";
pub const RESULTS: &str = "Results of this chart";
pub const RESULT_TITLE: &str = "Result";
pub const RESULT_MEANS: &str = "What it means";
pub const RESULT_HARM: &str = "How bad";
pub const HARMS: [(&str, &str); 5] =
    [("", "not said"), ("0", "harmless"), ("1", "slight"), ("2", "serious"), ("3", "worst")];
pub const ADD_STATUS: &str = "Add a status";
pub const ADD_NOTE: &str = "Add an instruction";
pub const NEW_NOTE: &str = "New instruction";
pub const REMOVE_EFFECT: &str = "Remove this effect";
pub const MORE_KEYS: &str = "More";
pub const ADD_KEY: &str = "Add …";

/// A key that can be added, with its description.
pub fn open_key(key: &str, about: &str) -> String {
    format!("{}: {about}", form_key(key))
}

/// A modifier that counts when a question is ticked.
pub fn if_ticked(question: &str) -> String {
    format!("if ticked: {question}")
}

/// A modifier that counts for one answer to a question.
pub fn if_chosen(question: &str, answer: &str) -> String {
    format!("if {question}: {answer}")
}

/// One of the answers to a question.
pub fn choice_label(nth: usize) -> String {
    format!("Answer {nth}")
}

/// The rows that a file holds.
pub fn rows_of(file: &str) -> String {
    format!("Rows in {file}")
}

/// A file that is too large for the form.
pub fn large_sheet(file: &str) -> String {
    format!("{file} is too large for the form. Edit its text, or use a spreadsheet.")
}

/// A cell of a file. The line of headings is number 0.
pub fn cell(line: usize, column: usize) -> String {
    match line {
        0 => format!("Heading {column}"),
        line => format!("Row {line}, column {column}"),
    }
}

/// The modifiers of a step.
pub fn modifiers_of(step: &str) -> String {
    if step.is_empty() { "Modifiers".to_owned() } else { format!("Modifiers: {step}") }
}

/// The label of an entry of the form, by its key in the pack.
pub fn form_key(key: &str) -> &str {
    match key {
        "label" | "yes_no" | "number" | "title" => "Label",
        "plus" => "Amount",
        "times" => "Times",
        "dice" => "Dice",
        "when" => "Condition",
        "from" => "From",
        "to" => "Up to",
        "below" => "Below",
        "above" => "Above",
        "is" => "Score",
        "all" => "Result",
        "text" => "Text",
        "status" => "Status begins",
        "lift" => "Status ends",
        "note" => "Instruction",
        "leaves" => "Leaves the game: why",
        "default" => "Default",
        other => other,
    }
}

pub const COMPARE: &str = "What changes";
pub const COMPARING: &str = "Comparing …";
pub const NO_BASE: &str = "When the pack is in use, changes are compared with the version in use.";
pub const SAME_RULES: &str = "The rules are the same.";
pub const DEFINED_OTHERWISE: &str = "Also changed";
pub const CASES_THAT_FAIL: &str = "Test cases of that version that fail now";

/// What the pack is compared with.
pub fn compared_with(title: &str, shipped: bool) -> String {
    match shipped {
        true => format!("Compared with {title}, as it comes with Adjutant."),
        false => format!("Compared with {title}, the version in use on this device."),
    }
}

/// How a chart differs.
pub fn chart_change(change: ChartChange) -> &'static str {
    match change {
        ChartChange::Added => "new",
        ChartChange::Removed => "removed",
        ChartChange::Changed => "changed",
        ChartChange::Affected => "uses something that changed",
    }
}

/// A chance that moves: how much, and from what to what.
pub fn shift(shift: &ChanceShift) -> String {
    format!(
        "{} {} → {} ({:+.1})",
        shift.title,
        percent_in_words(shift.before.percent()),
        percent_in_words(shift.after.percent()),
        shift.points()
    )
}

/// The situation of a chance that moves.
pub fn situation(shift: &ChanceShift) -> String {
    let given = shift.given.iter().map(|given| format!("{}: {}", given.label, given.value));
    let answers = shift.answers.iter().map(|(key, answer)| format!("{key}: {answer}"));
    given.chain(answers).collect::<Vec<_>>().join(", ")
}

/// In how many situations the chances move.
pub fn moved(chances: &ChanceDiff) -> String {
    let of = match (chances.situations, chances.exhaustive) {
        (1, true) => "the only situation".to_owned(),
        (1, false) => "1 situation (there are more)".to_owned(),
        (n, true) => format!("all {n} situations"),
        (n, false) => format!("{n} situations (there are more)"),
    };
    match chances.moved {
        0 => format!("No chance moves in {of}."),
        n => format!("Chances move in {n} of {of}. The largest shifts:"),
    }
}

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
