//! Export and import. JSON Lines is the log itself, byte for byte. CSV has one row for each roll,
//! for statistics.

use crate::event::EventKind;
use crate::play::Rolled;
use crate::table::{LogError, LogFault, Table};
use crate::verify;
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_engine::{RollKind, RollStep, Stop};
use adjutant_pack::Pack;
use std::sync::Arc;

impl Table {
    /// The log as JSON Lines, byte for byte.
    pub fn to_json_lines(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_ref(), "\n"]).collect()
    }
}

/// Imports a game from JSON Lines and verifies every line.
pub fn import(pack: Arc<Pack>, text: &str) -> Result<Table, LogError> {
    verify::checked(pack, lines_of(text), &Stop::default())
}

/// The same, unless `stop` ends it first.
pub fn import_until(pack: Arc<Pack>, text: &str, stop: &Stop) -> Result<Option<Table>, LogError> {
    let table = verify::checked(pack, lines_of(text), stop)?;
    let whole = table.lines.len() == lines_of(text).count();
    Ok(whole.then_some(table))
}

fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// Escapes a cell that a spreadsheet would read as a formula.
fn cell(text: String) -> String {
    let formula =
        text.starts_with(['=', '+', '-', '@']) && text.parse::<adjutant_dice::Number>().is_err();
    if formula { format!("'{text}") } else { text }
}

/// All rolls as CSV. Each chart is replayed with the recorded faces, to compute the totals.
pub fn rolls_as_csv(table: &Table) -> Result<String, LogError> {
    let mut text = String::new();
    let head = [
        "event", "turn", "by", "chart", "units", "roll", "dice", "faces", "source", "total",
        "result", "counts",
    ];
    write_row(&mut text, &head.map(str::to_owned));
    let mut before = Table::empty(table.pack.clone());
    before.any_rules = table.any_rules;
    for line in &table.lines {
        let event = before.read_next(line)?;
        if let EventKind::Play(played) = &event.what {
            let Rolled { resolution, .. } = before.again(&event, played).map_err(|stop| {
                LogError { event: event.n, fault: LogFault::NotReplayable(stop) }
            })?;
            let name = |id: &str| {
                before.state.unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
            };
            let all = || {
                played
                    .request
                    .units
                    .values()
                    .flatten()
                    .map(|id| name(id))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let result = played
                .results
                .iter()
                .map(|found| found.title.as_str())
                .collect::<Vec<_>>()
                .join(", ");
            let counts = if table.acts.binary_search_by_key(&event.n, |act| act.n).is_ok() {
                "yes"
            } else {
                "undone"
            };
            for roll in resolution.rolls().filter(|roll| roll.kind != RollKind::Sum) {
                let units = roll
                    .of
                    .as_ref()
                    .filter(|_| !played.request.units.is_empty())
                    .map_or_else(all, |of| name(crate::play::unit_of_member(of)));
                let (dice, faces, source) = (what(roll), faces(roll), source(roll, played));
                let total =
                    roll.total.as_ref().map(adjutant_dice::Answer::to_string).unwrap_or_default();
                let (n, turn) = (event.n.to_string(), before.state.turn.to_string());
                let row = [
                    n,
                    turn,
                    event.by.clone(),
                    resolution.title.to_string(),
                    units,
                    roll.title.to_string(),
                    dice,
                    faces,
                    source,
                    total,
                    result.clone(),
                    counts.into(),
                ];
                write_row(&mut text, &row.map(cell));
            }
        }
        before.take_read(&event, line)?;
    }
    Ok(text)
}

/// Writes a row of CSV. The writer of the crate `csv` is not used: it would add float parsing with
/// its tables to the WebAssembly module.
fn write_row(text: &mut String, cells: &[String]) {
    for (place, cell) in cells.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(cell);
        }
    }
    text.push('\n');
}

fn what(roll: &RollStep) -> String {
    if roll.kind == RollKind::Card { "card".into() } else { roll.dice.to_string() }
}

fn faces(roll: &RollStep) -> String {
    let list = |faces: &[u32]| faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    if roll.kind == RollKind::Card { list(&roll.cards) } else { list(&roll.faces) }
}

/// The source of the dice or cards of a play.
fn source(roll: &RollStep, played: &crate::event::PlayRecord) -> String {
    let cards = roll.kind == RollKind::Card;
    let of_kind = played
        .inputs
        .iter()
        .filter(|input| if cards { input.card().is_some() } else { input.faces().is_some() });
    let from: Vec<ThrownBy> = of_kind.map(RecordedInput::by).collect();
    let all =
        [(ThrownBy::Program, "ours"), (ThrownBy::Player, "typed"), (ThrownBy::Sealed, "sealed")];
    let names: Vec<&str> =
        all.iter().filter(|(source, _)| from.contains(source)).map(|(_, name)| *name).collect();
    if names.is_empty() { "ours".into() } else { names.join(" and ") }
}
