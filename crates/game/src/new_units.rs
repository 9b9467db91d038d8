//! Imports a roster. A CSV file has columns for kind, template, name, side, group, statuses, notes
//! and count; every other column is an attribute. A TOML file has one `[[unit]]` for each row, with
//! the attributes beside the other keys. All faults are reported at once, each with its line.

use crate::event::{Begin, NewUnit};
use crate::rejection::{Rejection, display_as_debug, unknown};
use crate::roster::checked;
use crate::state::{MOST_UNITS, Unit};
use crate::table::Table;
use adjutant_dice::{Text, set_of};
use adjutant_pack::{Noun, Pack, by_word, value_name};
use std::collections::{BTreeMap, BTreeSet};
use toml::de::{DeTable, DeValue};

/// A fault in a file of units, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFileError {
    /// The line, from 1; `None` if the fault concerns the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: UnitFileFault,
}

/// What is wrong with a file of units.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum UnitFileFault {
    /// The text comes from the CSV reader.
    Csv(String),
    CellCount {
        cells: u64,
        columns: u64,
    },
    ColumnTwice {
        column: Text,
    },
    /// The text comes from the TOML parser.
    Toml(String),
    /// Only `[[unit]]` is allowed at the top level.
    UnknownKey {
        key: Text,
    },
    NotATable,
    WrongType {
        key: Text,
    },
    Count {
        text: Text,
    },
    Unit(Rejection),
    /// Units without a side, in a game with several.
    NoSide {
        units: usize,
        sides: Vec<String>,
    },
    TooMany,
    Empty,
    /// The text comes from the JSON reader.
    Json(String),
    /// JSON that is not a list of units.
    NoList,
    /// In JSON, the unit of this number.
    OfUnit {
        number: usize,
        fault: Box<UnitFileFault>,
    },
    /// A part of a line of text that is neither a value nor a status.
    NotUnderstood {
        text: Text,
    },
}

display_as_debug!(UnitFileError);

impl UnitFileError {
    fn at(line: usize, fault: UnitFileFault) -> UnitFileError {
        UnitFileError { line: Some(line), fault }
    }
}

/// One unit of the file: its line and its fields by name.
pub(crate) struct UnitFields {
    pub line: usize,
    pub cells: Vec<(String, String)>,
}

/// The delimiter: a comma or, if the first line has none, one that spreadsheets use in other
/// countries.
fn delimiter(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or_default();
    [b',', b';', b'\t'].into_iter().find(|byte| head.as_bytes().contains(byte)).unwrap_or(b',')
}

fn csv_fault(fault: &csv::Error) -> UnitFileError {
    let line = fault.position().map_or(0, csv::Position::line) as usize;
    let what = match fault.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            UnitFileFault::CellCount { cells: *len, columns: *expected_len }
        }
        _ => UnitFileFault::Csv(fault.to_string()),
    };
    UnitFileError::at(line, what)
}

/// Units from CSV, or all faults in it. `side` is that of units that name none. If there is only one
/// kind or one side, its column may be left out.
pub fn recruits_from_csv(
    pack: &Pack,
    setup: &Begin,
    side: Option<&str>,
    text: &str,
) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let head: Vec<String> = match reader.headers() {
        Ok(head) => head.iter().map(str::to_owned).collect(),
        Err(fault) => {
            return Err(vec![UnitFileError::at(1, UnitFileFault::Csv(fault.to_string()))]);
        }
    };
    let twice = |(place, name): (usize, &String)| {
        (!name.is_empty() && head[..place].contains(name)).then(|| Text::from(name))
    };
    let repeated = head.iter().enumerate().filter_map(twice);
    let mut faults: Vec<UnitFileError> = repeated
        .map(|column| UnitFileError::at(1, UnitFileFault::ColumnTwice { column }))
        .collect();
    let mut written = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, |position| position.line() as usize);
                let cells = head
                    .iter()
                    .cloned()
                    .zip(record.iter().map(str::to_owned))
                    .filter(|(_, cell)| !cell.is_empty());
                written.push(UnitFields { line, cells: cells.collect() });
            }
            Err(fault) => faults.push(csv_fault(&fault)),
        }
    }
    recruits(pack, setup, side, written, faults)
}

/// Units from TOML, or all faults in it.
pub fn recruits_from_toml(
    pack: &Pack,
    setup: &Begin,
    side: Option<&str>,
    text: &str,
) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
    let line = |place: usize| text.bytes().take(place).filter(|byte| *byte == b'\n').count() + 1;
    let (document, errors) = DeTable::parse_recoverable(text);
    let told = |fault: &toml::de::Error| {
        UnitFileError::at(
            line(fault.span().map_or(0, |span| span.start)),
            UnitFileFault::Toml(fault.message().to_owned()),
        )
    };
    let mut faults: Vec<UnitFileError> = errors.iter().map(told).collect();
    let mut written = Vec::new();
    for (key, value) in document.get_ref() {
        let list = match value.get_ref() {
            DeValue::Array(list) if *key.get_ref() == "unit" => list,
            _ => {
                let fault = UnitFileFault::UnknownKey { key: Text::from(key.get_ref().as_ref()) };
                faults.push(UnitFileError::at(line(key.span().start), fault));
                continue;
            }
        };
        for item in list {
            let DeValue::Table(table) = item.get_ref() else {
                faults.push(UnitFileError::at(line(item.span().start), UnitFileFault::NotATable));
                continue;
            };
            let mut cells = Vec::new();
            for (key, value) in table {
                // The values by a word: `armour = { head = 6 }` is `armour_head = 6`.
                if let DeValue::Table(words) = value.get_ref() {
                    cells.extend(words.iter().filter_map(|(word, value)| {
                        Some((by_word(key.get_ref(), word.get_ref()), text_of(value.get_ref())?))
                    }));
                    continue;
                }
                match text_of(value.get_ref()) {
                    Some(text) => cells.push((key.get_ref().to_string(), text)),
                    None => {
                        let fault =
                            UnitFileFault::WrongType { key: Text::from(key.get_ref().as_ref()) };
                        faults.push(UnitFileError::at(line(value.span().start), fault));
                    }
                }
            }
            let first = table.keys().map(|key| key.span().start).min().unwrap_or(item.span().start);
            written.push(UnitFields { line: line(first), cells });
        }
    }
    recruits(pack, setup, side, written, faults)
}

fn text_of(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        DeValue::Array(list) => {
            list.iter().map(|item| text_of(item.get_ref())).collect::<Option<Vec<_>>>()?.join(" ")
        }
        _ => return None,
    })
}

pub(crate) fn recruits(
    pack: &Pack,
    setup: &Begin,
    side: Option<&str>,
    written: Vec<UnitFields>,
    mut faults: Vec<UnitFileError>,
) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
    let mut found: Vec<NewUnit> = Vec::new();
    let mut without_side = 0;
    for UnitFields { line, cells } in written {
        let mut recruit = NewUnit { id: "u1".into(), ..NewUnit::default() };
        let (mut count, mut template) = (1, String::new());
        for (name, text) in cells {
            match name.as_str() {
                "kind" => recruit.kind = text,
                "template" => template = text,
                "name" => recruit.name = text,
                "side" => recruit.side = text,
                "group" => recruit.group = text,
                "notes" => recruit.notes = text,
                "statuses" => {
                    recruit.statuses = text
                        .split([' ', ';', ','])
                        .filter(|id| !id.is_empty())
                        .map(str::to_owned)
                        .collect()
                }
                "count" => match text.parse::<usize>() {
                    Ok(n) if (1..=100).contains(&n) => count = n,
                    _ => faults
                        .push(UnitFileError::at(line, UnitFileFault::Count { text: text.into() })),
                },
                _ => {
                    recruit.has.insert(value_name(&name).into_owned(), text);
                }
            }
        }
        match pack.template(&template) {
            Some(template) => recruit.take_from(pack, template),
            None if template.is_empty() => {}
            None => {
                let known = pack.templates().iter().map(|template| template.id.as_str());
                faults.push(UnitFileError::at(
                    line,
                    UnitFileFault::Unit(unknown(Noun::Template, &template, known)),
                ));
            }
        }
        if let ("", [kind]) = (recruit.kind.as_str(), pack.kinds().as_slice()) {
            recruit.kind = kind.id.to_string();
        }
        let only = || match setup.sides.as_slice() {
            [only] => Some(only.as_str()),
            _ => None,
        };
        if let ("", Some(side)) = (recruit.side.as_str(), side.or_else(only)) {
            recruit.side = side.to_owned();
        }
        if recruit.side.is_empty() && !setup.sides.is_empty() {
            // This is said once for the whole list.
            without_side += count;
            recruit.side.clone_from(&setup.sides[0]);
        }
        if let Err(wrong) = checked(pack, setup, &recruit) {
            faults.extend(
                wrong
                    .into_iter()
                    .map(|rejection| UnitFileError::at(line, UnitFileFault::Unit(rejection))),
            );
        }
        recruit.id.clear();
        // Far more units than a game may have need not be made one by one.
        let room = (MOST_UNITS + 1).saturating_sub(found.len());
        found.extend(std::iter::repeat_n(recruit, count.min(room)));
    }
    if without_side > 0 {
        let fault = UnitFileFault::NoSide { units: without_side, sides: setup.sides.clone() };
        faults.push(UnitFileError { line: None, fault });
    }
    if found.len() > MOST_UNITS {
        faults.push(UnitFileError { line: None, fault: UnitFileFault::TooMany });
    }
    if faults.is_empty() && found.is_empty() {
        faults.push(UnitFileError { line: None, fault: UnitFileFault::Empty });
    }
    if faults.is_empty() { Ok(numbered(found)) } else { Err(faults) }
}

/// Where a name must be the only one: in its group of its side, whatever its capitals.
type Place = (String, String, String);

fn place_of(unit: &NewUnit) -> Place {
    (unit.side.clone(), unit.group.clone(), unit.name.to_lowercase())
}

/// Numbers the units of a list that have the same name: those of a count, or of equal lines.
fn numbered(units: Vec<NewUnit>) -> Vec<NewUnit> {
    let mut often: BTreeMap<Place, usize> = BTreeMap::new();
    for unit in &units {
        *often.entry(place_of(unit)).or_default() += 1;
    }
    let mut taken = set_of(often.keys().cloned());
    let mut last: BTreeMap<Place, usize> = BTreeMap::new();
    let name = |unit: NewUnit| {
        let place = place_of(&unit);
        match often.get(&place).is_some_and(|often| *often > 1) {
            true => with_number(unit, last.entry(place).or_default(), &mut taken),
            false => unit,
        }
    };
    units.into_iter().map(name).collect()
}

/// The unit with the first number after `last` that makes its name one that is not taken.
fn with_number(unit: NewUnit, last: &mut usize, taken: &mut BTreeSet<Place>) -> NewUnit {
    // `Panzer 4` is no fourth Panzer: its number gets brackets.
    let ends_in_number = unit.name.ends_with(|c: char| c.is_ascii_digit());
    loop {
        *last += 1;
        let name = match ends_in_number {
            true => format!("{} ({last})", unit.name),
            false => format!("{} {last}", unit.name),
        };
        let named = NewUnit { name, ..unit.clone() };
        if taken.insert(place_of(&named)) {
            return named;
        }
    }
}

/// The name without the number that we gave it: `Rifles 2` is one of several Rifles if `is_series`
/// says that Rifles are numbered, and a number in brackets is always ours.
fn base<'n>(name: &'n str, is_series: &dyn Fn(&str) -> bool) -> Option<&'n str> {
    let (base, last) = name.rsplit_once(' ')?;
    let inner = last.strip_prefix('(').and_then(|last| last.strip_suffix(')'));
    let number = inner.unwrap_or(last);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && (inner.is_some() || is_series(base))).then_some(base)
}

/// Gives units that join a game other names than the units that are there have: a number that goes
/// on from theirs.
pub fn set_apart(units: Vec<NewUnit>, table: &Table) -> Vec<NewUnit> {
    let side = |unit: &Unit| table.sides().get(unit.side).cloned().unwrap_or_default();
    let place = |unit: &Unit| (side(unit), unit.group.clone(), unit.name.to_lowercase());
    let here = set_of(table.state().units.iter().map(|unit| place(unit)));
    // A unit with the name that it would have without our number. The game numbers from 1.
    let of_series = |unit: &NewUnit| {
        let first = |base: &str| place_of(&NewUnit { name: format!("{base} 1"), ..unit.clone() });
        let base = base(&unit.name, &|base| here.contains(&first(base)))?;
        Some(NewUnit { name: base.to_owned(), ..unit.clone() })
    };
    let collides = |unit: &&NewUnit| here.contains(&place_of(unit));
    // If one of several units must be numbered again, all of them are, so that they stay in order.
    let colliding = units.iter().filter(collides).filter_map(of_series);
    let anew = set_of(colliding.map(|unit| place_of(&unit)));
    let of_series = |unit: &NewUnit| of_series(unit).filter(|base| anew.contains(&place_of(base)));
    let kept = units.iter().filter(|unit| of_series(unit).is_none()).map(place_of);
    let mut taken = set_of(here.iter().cloned().chain(kept));
    let mut last: BTreeMap<Place, usize> = BTreeMap::new();
    let name = |unit: NewUnit| match of_series(&unit) {
        Some(base) => {
            let last = last.entry(place_of(&base)).or_default();
            with_number(base, last, &mut taken)
        }
        None if here.contains(&place_of(&unit)) => {
            let last = last.entry(place_of(&unit)).or_insert(1);
            with_number(unit, last, &mut taken)
        }
        None => unit,
    };
    units.into_iter().map(name).collect()
}
