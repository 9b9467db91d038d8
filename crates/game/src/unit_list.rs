//! Army lists in other forms: the JSON of `unit list --json`, the units of a game, and pasted text
//! with a unit on each line, such as `3 Rifles, HE 4, Def 3`.

use crate::event::{Begin, NewUnit};
use crate::new_units::{
    UnitFields, UnitFileError, UnitFileFault, recruits, recruits_from_csv, recruits_from_toml,
};
use crate::table::Table;
use adjutant_dice::{Accepts, Text};
use adjutant_pack::{Field, KindId, Pack, clip};
use serde_json::Value as Json;

/// Keys of a unit's JSON that do not belong to a new unit: the game gives it an id and works the
/// rest out.
const NOT_TAKEN: [&str; 3] = ["id", "worked_out", "gone"];
/// What may stand before a unit in a list.
const BULLETS: [char; 5] = ['-', '*', '•', '–', '·'];

/// How an army list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitListForm {
    /// A table with a first line that names its columns.
    Csv,
    /// `[[unit]]` for each unit.
    Toml,
    /// As `unit list --json` writes it.
    Json,
    /// A unit on each line.
    Text,
}

impl UnitListForm {
    /// The form of a file with this name; none if its ending says nothing. A `.txt` file may hold
    /// any of them.
    pub fn of_file(name: &str, text: &str) -> Option<UnitListForm> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(UnitListForm::Csv),
            "toml" => Some(UnitListForm::Toml),
            "json" => Some(UnitListForm::Json),
            "txt" => Some(UnitListForm::of_text(text)),
            _ => None,
        }
    }

    /// The form of a text that was pasted.
    pub fn of_text(text: &str) -> UnitListForm {
        let text = text.trim_start();
        if text.lines().any(|line| line.trim() == "[[unit]]") {
            return UnitListForm::Toml;
        }
        if text.starts_with(['[', '{']) {
            return UnitListForm::Json;
        }
        let head = text.lines().next().unwrap_or_default();
        let names = |cell: &str| {
            let cell = cell.trim().trim_matches('"');
            ["name", "template"].iter().any(|column| cell.eq_ignore_ascii_case(column))
        };
        match head.split([',', ';', '\t']).any(names) {
            true => UnitListForm::Csv,
            false => UnitListForm::Text,
        }
    }

    /// Units from a text of this form, or all faults in it. `side` is that of units that name none.
    pub fn read(
        self,
        pack: &Pack,
        setup: &Begin,
        side: Option<&str>,
        text: &str,
    ) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
        match self {
            UnitListForm::Csv => recruits_from_csv(pack, setup, side, text),
            UnitListForm::Toml => recruits_from_toml(pack, setup, side, text),
            UnitListForm::Json => recruits_from_json(pack, setup, side, text),
            UnitListForm::Text => recruits_from_text(pack, setup, side, text),
        }
    }
}

/// Units from JSON: a list as `unit list --json` writes it, or an object with `units`. Units that
/// have left are left out.
pub fn recruits_from_json(
    pack: &Pack,
    setup: &Begin,
    side: Option<&str>,
    text: &str,
) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
    let whole = |fault| vec![UnitFileError { line: None, fault }];
    let json: Json = serde_json::from_str(text)
        .map_err(|fault| whole(UnitFileFault::Json(fault.to_string())))?;
    let list = json.get("units").unwrap_or(&json).as_array();
    let list = list.ok_or_else(|| whole(UnitFileFault::NoList))?;
    let (mut written, mut faults) = (Vec::new(), Vec::new());
    for (number, unit) in (1..).zip(list) {
        if unit.get("gone").is_some_and(|gone| !gone.is_null()) {
            continue;
        }
        match unit_cells(unit) {
            Ok(cells) => written.push(UnitFields { line: number, cells }),
            Err(fault) => faults.push(UnitFileError { line: Some(number), fault }),
        }
    }
    // JSON has no lines of its own: a fault names the unit by its number.
    recruits(pack, setup, side, written, faults).map_err(|faults| {
        let of_unit = |error: UnitFileError| match error.line {
            Some(number) => UnitFileError {
                line: None,
                fault: UnitFileFault::OfUnit { number, fault: Box::new(error.fault) },
            },
            None => error,
        };
        faults.into_iter().map(of_unit).collect()
    })
}

/// The fields of one unit.
fn unit_cells(unit: &Json) -> Result<Vec<(String, String)>, UnitFileFault> {
    let table = unit.as_object().ok_or(UnitFileFault::NotATable)?;
    let mut cells = Vec::new();
    for (key, value) in table.iter().filter(|(key, _)| !NOT_TAKEN.contains(&key.as_str())) {
        let wrong = || UnitFileFault::WrongType { key: clip(key) };
        match value {
            Json::Null => {}
            Json::Object(values) if key == "has" => {
                for (name, value) in values.iter().filter(|(_, value)| !value.is_null()) {
                    let wrong = || UnitFileFault::WrongType { key: clip(name) };
                    cells.push((name.clone(), cell(value).ok_or_else(wrong)?));
                }
            }
            value => {
                let text = cell(value).ok_or_else(wrong)?;
                if !text.is_empty() {
                    cells.push((key.clone(), text));
                }
            }
        }
    }
    Ok(cells)
}

fn cell(value: &Json) -> Option<String> {
    Some(match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Json::Array(list) => list.iter().map(cell).collect::<Option<Vec<_>>>()?.join(" "),
        _ => return None,
    })
}

/// The units of a game as they stand, as new units of another.
pub fn recruits_of_game(table: &Table) -> Vec<NewUnit> {
    let pack = table.pack();
    let unit = |unit: &crate::Unit| {
        let kind = &pack.kinds()[unit.kind];
        let has = kind.has.iter_enumerated().filter_map(|(place, field)| {
            let value = unit.attributes.get(place).copied().flatten()?;
            Some((field.id.to_string(), crate::state::written(pack, value)))
        });
        NewUnit {
            id: String::new(),
            kind: kind.id.to_string(),
            name: unit.name.clone(),
            side: table.sides().get(unit.side).cloned().unwrap_or_default(),
            group: unit.group.clone(),
            has: has.collect(),
            statuses: unit.statuses.iter().map(|id| pack.statuses()[*id].id.to_string()).collect(),
            notes: unit.notes.clone(),
        }
    };
    table.state().here().map(unit).collect()
}

/// Units from text, one on each line: how many, the name, and after commas values and statuses by
/// their labels. A line that names a side and ends with a colon starts its units.
pub fn recruits_from_text(
    pack: &Pack,
    setup: &Begin,
    side: Option<&str>,
    text: &str,
) -> Result<Vec<NewUnit>, Vec<UnitFileError>> {
    let (mut written, mut faults) = (Vec::new(), Vec::new());
    let mut under = None;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim().trim_start_matches(BULLETS).trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(named) = text.strip_suffix(':').and_then(|named| side_named(setup, named)) {
            under = Some(named);
            continue;
        }
        let (mut cells, unknown) = line_cells(pack, text);
        if let Some(side) = &under {
            cells.push(("side".to_owned(), side.clone()));
        }
        faults.extend(unknown.into_iter().map(|part| UnitFileError {
            line: Some(line),
            fault: UnitFileFault::NotUnderstood { text: part },
        }));
        written.push(UnitFields { line, cells });
    }
    recruits(pack, setup, side, written, faults)
}

fn side_named(setup: &Begin, text: &str) -> Option<String> {
    setup.sides.iter().find(|side| plain(side) == plain(text)).cloned()
}

/// Letters and digits only, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The fields of a line, and the parts that say nothing.
fn line_cells(pack: &Pack, text: &str) -> (Vec<(String, String)>, Vec<Text>) {
    let mut parts = text.split([',', ';', '(', ')', ':']).map(str::trim);
    let (count, name) = counted(parts.next().unwrap_or_default());
    let mut cells = Vec::new();
    if let Some(count) = count {
        cells.push(("count".to_owned(), count.to_owned()));
    }
    let template = pack.templates().iter().find(|template| {
        [&template.id, &template.title, &template.name].iter().any(|of| plain(of) == plain(name))
    });
    let kind = template.map(|template| template.kind).or_else(|| only_kind(pack));
    cells.push(("name".to_owned(), name.to_owned()));
    cells.extend(template.map(|template| ("template".to_owned(), template.id.to_string())));
    let (mut statuses, mut unknown) = (Vec::new(), Vec::new());
    for part in parts.filter(|part| !part.is_empty()) {
        match value_of(pack, kind, part) {
            Some(Part::Value(name, value)) => cells.push((name, value)),
            Some(Part::Status(status)) => statuses.push(status),
            None => unknown.push(clip(part)),
        }
    }
    if !statuses.is_empty() {
        cells.push(("statuses".to_owned(), statuses.join(" ")));
    }
    (cells, unknown)
}

fn only_kind(pack: &Pack) -> Option<KindId> {
    let mut kinds = pack.kinds().iter_enumerated();
    match (kinds.next(), kinds.next()) {
        (Some((kind, _)), None) => Some(kind),
        _ => None,
    }
}

/// How many, and the name: `3 Rifles`, `3x Rifles`, `Rifles x3`.
fn counted(text: &str) -> (Option<&str>, &str) {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let times = ['x', 'X', '×'];
    if is_number(text) {
        return (Some(text), "");
    }
    if let Some((first, rest)) = text.split_once(char::is_whitespace) {
        let number = first.trim_end_matches(times);
        if is_number(number) {
            return (Some(number), rest.trim().trim_start_matches(times).trim());
        }
    }
    if let Some((rest, last)) = text.rsplit_once(char::is_whitespace) {
        let number = last.trim_start_matches(times);
        if number.len() < last.len() && is_number(number) {
            return (Some(number), rest.trim());
        }
    }
    (None, text)
}

enum Part {
    Value(String, String),
    Status(String),
}

/// What a part of a line says: `HE 4`, `HE: 4`, `4 HE`, `Engineers`, `inf`, `suppressed`.
fn value_of(pack: &Pack, kind: Option<KindId>, part: &str) -> Option<Part> {
    let kinds =
        pack.kinds().iter_enumerated().filter(|(id, _)| kind.is_none_or(|kind| kind == *id));
    let fields: Vec<(&Field, &str)> = kinds
        .flat_map(|(_, kind)| {
            kind.has
                .iter_enumerated()
                .map(|(place, field)| (field, kind.looks[place].short.as_str()))
        })
        .collect();
    let part = part.replace('=', " ");
    let halves = [part.rsplit_once(char::is_whitespace), part.split_once(char::is_whitespace)];
    let pairs = halves.iter().flatten().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    for (label, value) in pairs {
        if let Some(field) = labelled(&fields, label)
            && let Some(value) = read(&field.accepts, value)
        {
            return Some(Part::Value(field.id.to_string(), value));
        }
    }
    // A number that is too large is said to be that, not a part that nobody understands.
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let pairs = halves.iter().flatten().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let mut numbers = pairs.filter(|(_, value)| is_number(value.trim()));
    if let Some((field, value)) =
        numbers.find_map(|(label, value)| Some((labelled(&fields, label)?, value)))
    {
        return Some(Part::Value(field.id.to_string(), value.trim().to_owned()));
    }
    if let Some(field) = labelled(&fields, &part)
        && matches!(field.accepts, Accepts::YesNo)
    {
        return Some(Part::Value(field.id.to_string(), "yes".to_owned()));
    }
    let status = pack
        .statuses()
        .iter()
        .find(|status| [&status.id, &status.title].iter().any(|of| plain(of) == plain(&part)));
    if let Some(status) = status {
        return Some(Part::Status(status.id.to_string()));
    }
    let mut words = fields.iter().filter(|(field, _)| field.accepts.words().is_some());
    let word =
        |(field, _): &(&Field, &str)| Some((field.id.to_string(), read(&field.accepts, &part)?));
    words.by_ref().find_map(word).map(|(name, value)| Part::Value(name, value))
}

/// A value that is accepted; a word also by the beginning of its label.
fn read(accepts: &Accepts, text: &str) -> Option<String> {
    if let Ok(answer) = accepts.read(text) {
        return Some(answer.to_string());
    }
    let words = accepts.words()?.iter();
    let mut same = words.filter(|word| plain(&word.label) == plain(text));
    same.next().map(|word| word.id.to_string())
}

/// The one field with this label, short label or name, or whose label begins like this.
fn labelled<'f>(fields: &[(&'f Field, &str)], label: &str) -> Option<&'f Field> {
    let wanted = plain(label);
    if wanted.is_empty() {
        return None;
    }
    let exact = |(field, short): &&(&Field, &str)| {
        [field.id.as_str(), field.label.as_str(), *short].iter().any(|name| plain(name) == wanted)
    };
    if let Some((field, _)) = fields.iter().find(exact) {
        return Some(field);
    }
    let begins = |(field, short): &&(&Field, &str)| {
        [field.id.as_str(), field.label.as_str(), *short]
            .iter()
            .any(|name| plain(name).starts_with(&wanted))
    };
    let mut found = fields.iter().filter(begins);
    match (found.next(), found.next()) {
        (Some((field, _)), None) => Some(field),
        _ => None,
    }
}
