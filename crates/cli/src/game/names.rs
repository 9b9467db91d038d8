//! Units by what players call them: the id, or the name as it stands on the roster. What is not there is told with the
//! nearest name; a name that several have, with their ids.

use adjutant_game::{Table, Unit};
use adjutant_pack::{Noun, UnknownName, clip};
use adjutant_wording::en::unknown_name::{did_you_mean, nearest_or_all};

/// A text for a sentence: short and harmless.
pub fn shown(text: &str) -> String {
    clip(text).to_string()
}

/// A unit with what tells it from others.
pub fn label(table: &Table, unit: &Unit) -> String {
    let side = table.sides().get(unit.side).map_or("", String::as_str);
    format!("{} ({}, {side})", unit.name, unit.id)
}

/// The unit of this id or name.
pub fn unit<'t>(table: &'t Table, text: &str) -> Result<&'t Unit, String> {
    let text = text.trim();
    let state = table.state();
    if let Some(unit) = state.unit(&text.to_lowercase()) {
        return Ok(unit);
    }
    let called = |unit: &&Unit| unit.name.to_lowercase() == text.to_lowercase();
    let mut found: Vec<&Unit> = state.here().filter(called).collect();
    if found.is_empty() {
        found = state.units.iter().map(AsRef::as_ref).filter(called).collect();
    }
    match found[..] {
        [unit] => Ok(unit),
        [] => Err(unknown(table, text)),
        _ => {
            let ids: Vec<String> = found.iter().map(|unit| label(table, unit)).collect();
            Err(format!("{} units are called `{}`: name one by its id: {}", found.len(), shown(text), ids.join(", ")))
        }
    }
}

fn unknown(table: &Table, text: &str) -> String {
    let unknown = UnknownName::new(Noun::Unit, text, table.state().here().map(|unit| unit.name.as_str()));
    let help = did_you_mean(&unknown, |names| match names.len() {
        0 => "the roster is empty".into(),
        1..=12 => format!("there are: {}", names.join(", ")),
        n => format!("there are {n}: adjutant unit list shows them"),
    });
    format!("there is no unit `{}`: {help}", unknown.name)
}

/// One unit or several, with commas between them, as ids.
pub fn units(table: &Table, text: &str) -> Result<Vec<String>, Vec<String>> {
    if let Ok(unit) = unit(table, text) {
        return Ok(vec![unit.id.clone()]);
    }
    let (mut ids, mut wrong) = (Vec::new(), Vec::new());
    for part in text.split(',') {
        match unit(table, part) {
            Ok(unit) => ids.push(unit.id.clone()),
            Err(why) => wrong.push(why),
        }
    }
    if wrong.is_empty() { Ok(ids) } else { Err(wrong) }
}

/// A side by its name, whatever the capitals.
pub fn side(table: &Table, text: &str) -> Result<String, String> {
    let sides = table.sides();
    if let Some(side) = sides.iter().find(|side| side.to_lowercase() == text.trim().to_lowercase()) {
        return Ok(side.clone());
    }
    let unknown = UnknownName::new(Noun::Side, text, sides.iter().map(String::as_str));
    Err(format!("there is no side `{}`: {}", unknown.name, nearest_or_all(&unknown)))
}
