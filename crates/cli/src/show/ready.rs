//! Ready units, ways to begin and endings, to read: what a pack offers to a table.

use crate::paint::{NAME, Table};
use adjutant_pack::{Pack, PhaseDue, Start, Template, Value};
use anstyle::Style;

/// A value of an attribute in words.
fn value(pack: &Pack, value: Value) -> String {
    value.to_answer(pack.words()).to_string()
}

/// The values of a template, in words.
pub fn has(pack: &Pack, template: &Template) -> String {
    let fields = &pack.kinds()[template.kind].has;
    let has = template
        .has
        .iter()
        .map(|(place, known)| format!("{} {}", fields[*place].id, value(pack, *known)));
    has.chain(template.statuses.iter().map(|status| pack.statuses()[*status].title.to_string()))
        .collect::<Vec<_>>()
        .join(", ")
}

pub fn templates(pack: &Pack) -> Table {
    let mut table = Table::new(2);
    for template in pack.templates() {
        let has = has(pack, template);
        let has = if has.is_empty() { String::new() } else { format!(": {has}") };
        let note = if template.note.is_empty() {
            String::new()
        } else {
            format!(" – {}", template.note)
        };
        table.row([
            (template.id.to_string(), NAME),
            (format!("{}{has}{note}", template.title), Style::new()),
        ]);
    }
    table
}

pub fn starts(pack: &Pack) -> Table {
    let mut table = Table::new(2);
    for start in pack.starts() {
        table.row([
            (start.id.to_string(), NAME),
            (format!("{}. {} {}", start.title, start.about, sides(start)), Style::new()),
        ]);
    }
    table
}

fn sides(start: &Start) -> String {
    let side = |side: &adjutant_pack::StartSide| {
        if side.run_by_sheet {
            format!("{} (run by the sheet)", side.title)
        } else {
            side.title.to_string()
        }
    };
    let decks = if start.decks_per_side { " Each side has its own decks." } else { "" };
    format!("Sides: {}.{decks}", start.sides.iter().map(side).collect::<Vec<_>>().join(", "))
}

pub fn endings(pack: &Pack) -> Table {
    let mut table = Table::new(2);
    for ending in pack.endings() {
        table.row([(ending.title.to_string(), NAME), (ending.means.to_string(), Style::new())]);
    }
    table
}

/// The tests that fall due in a phase: ` Due: PEF movement.`
pub fn due(pack: &Pack, lines: &[PhaseDue]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let titles: Vec<&str> =
        lines.iter().map(|line| pack.charts()[line.chart].title.as_str()).collect();
    format!(" Due: {}.", titles.join(", "))
}

/// The option without which a phase is passed over: ` [--option activation=yes]`.
pub fn opening(pack: &Pack, phase: &adjutant_pack::Phase) -> String {
    phase
        .needs_option
        .map(|option| format!(" [--option {}=yes]", pack.options()[option].field.id))
        .unwrap_or_default()
}
