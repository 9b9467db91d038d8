//! Units by what players call them: the id, or the name as it stands on the roster. What is not
//! there is told with the nearest name; a name that several have, with their ids.

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
pub fn unit<'t>(table: &'t Table, text: &str) -> Result<&'t Unit, NameError> {
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
        _ => Err(NameError::SeveralUnits {
            name: shown(text),
            units: found.iter().map(|unit| label(table, unit)).collect(),
        }),
    }
}

fn unknown(table: &Table, text: &str) -> NameError {
    NameError::NoUnit(UnknownName::new(
        Noun::Unit,
        text,
        table.state().here().map(|unit| unit.name.as_str()),
    ))
}

/// A name that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    #[error("there is no unit `{}`: {}", .0.name, known_units(.0))]
    NoUnit(UnknownName),
    #[error("{} units are called `{name}`: name one by its id: {}", units.len(), units.join(", "))]
    SeveralUnits { name: String, units: Vec<String> },
    #[error("there is no side `{}`: {}", .0.name, nearest_or_all(.0))]
    NoSide(UnknownName),
}

fn known_units(unknown: &UnknownName) -> String {
    did_you_mean(unknown, |names| match names.len() {
        0 => "the roster is empty".into(),
        1..=12 => format!("there are: {}", names.join(", ")),
        n => format!("there are {n}: adjutant unit list shows them"),
    })
}

/// One unit or several, with commas between them, as ids.
pub fn units(table: &Table, text: &str) -> Result<Vec<String>, Vec<NameError>> {
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

/// A side by its name, or by its id or title in the start of the pack, whatever the capitals.
pub fn side(table: &Table, text: &str) -> Result<String, NameError> {
    let sides = table.sides();
    let wanted = text.trim().to_lowercase();
    let is_meant = |name: &str| name.to_lowercase() == wanted;
    let start = table.setup().and_then(|setup| table.pack().start(&setup.start));
    let of_start = start.and_then(|start| {
        let known = start.sides.iter();
        let place = known.clone().position(|side| is_meant(&side.id));
        sides.get(place.or_else(|| known.clone().position(|side| is_meant(&side.title)))?)
    });
    if let Some(side) = sides.iter().find(|side| is_meant(side)).or(of_start) {
        return Ok(side.clone());
    }
    Err(NameError::NoSide(UnknownName::new(Noun::Side, text, sides.iter().map(String::as_str))))
}
