//! The roster: units are added from templates, one by one or from a file, edited and removed.

use super::game::Game;
use crate::message::{Command, Now};
use adjutant_game::{EventKind, NewUnit, UnitEdit, UnitListForm, set_apart};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The largest army list that is read, in bytes.
const LARGEST_LIST: usize = 1 << 20;
/// How many faults of an army list are shown.
const MOST_FAULTS: usize = 12;

/// What the player can do with the roster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Shows or hides a unit.
    ShowUnit(String),
    /// Adds a unit from a template, on a side.
    AddFromTemplate(String, String),
    /// Adds units from the form.
    Add(BTreeMap<String, String>),
    /// Adds units from a file.
    Import {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Adds units from text.
    Paste(BTreeMap<String, String>),
    /// Imported units that name no side join this one.
    ImportSide(String),
    /// Sets or lifts a status.
    Status {
        /// The unit.
        unit: String,
        /// The status.
        status: String,
        /// Whether it is set.
        on: bool,
    },
    /// Changes a unit, by the fields of the form.
    Change(String, BTreeMap<String, String>),
    /// Removes a unit, with a reason.
    Remove(String, BTreeMap<String, String>),
}

/// What is shown of the roster.
#[derive(Debug, Default)]
pub(super) struct RosterSelection {
    /// The unit that is shown.
    pub unit: Option<String>,
    /// The side of imported units that name none.
    pub import_side: Option<String>,
}

impl Game {
    /// The player did something with the roster.
    pub fn roster(&mut self, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::ShowUnit(unit) => {
                self.selection.unit =
                    if self.selection.unit.as_ref() == Some(&unit) { None } else { Some(unit) };
                Vec::new()
            }
            Message::AddFromTemplate(template, side) => {
                match NewUnit::from_template(&self.pack, &template, "", &side) {
                    Err(unknown) => self.refuse([en::unknown_name(&unknown)]),
                    Ok(mut recruit) => {
                        recruit.name = self.free_name(&recruit.name);
                        self.act(now, EventKind::Add(vec![recruit]))
                    }
                }
            }
            Message::Add(fields) => self.add(now, &fields),
            Message::Import { name, text } => self.import(now, &name, &text),
            Message::Paste(fields) => {
                let text = fields.get("text").cloned().unwrap_or_default();
                self.import(now, "", &text)
            }
            Message::ImportSide(side) => {
                self.selection.import_side = Some(side);
                Vec::new()
            }
            Message::Status { unit, status, on } => {
                let list = vec![status];
                let (put_on, lift) = if on { (list, Vec::new()) } else { (Vec::new(), list) };
                self.act(
                    now,
                    EventKind::Set(Box::new(UnitEdit {
                        unit,
                        put_on,
                        lift,
                        ..UnitEdit::default()
                    })),
                )
            }
            Message::Change(unit, fields) => self.change_unit(now, unit, &fields),
            Message::Remove(unit, fields) => {
                let word = fields
                    .get("word")
                    .map(|word| word.trim())
                    .filter(|word| !word.is_empty())
                    .unwrap_or(text::TAKEN_OFF)
                    .to_owned();
                self.act(now, EventKind::Remove { unit, word })
            }
        }
    }

    /// A name that no unit has, with a number if necessary.
    fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.table.state().units.iter().any(|unit| unit.name == name);
        if !taken(name) {
            return name.to_owned();
        }
        (2..).map(|n| format!("{name} {n}")).find(|name| !taken(name)).unwrap_or_default()
    }

    fn add(&mut self, now: &Now, fields: &BTreeMap<String, String>) -> Vec<Command> {
        let field =
            |name: &str| fields.get(name).map(|text| text.trim().to_owned()).unwrap_or_default();
        let first =
            || self.pack.kinds().first().map(|kind| kind.id.to_string()).unwrap_or_default();
        let kind = Some(field("kind")).filter(|kind| !kind.is_empty()).unwrap_or_else(first);
        let recruit = NewUnit {
            kind,
            name: field("name"),
            side: field("side"),
            group: field("group"),
            ..NewUnit::default()
        };
        let count = field("count").parse::<usize>().unwrap_or(1).clamp(1, 30);
        let one = |nth: usize| NewUnit {
            name: if count > 1 { format!("{} {nth}", recruit.name) } else { recruit.name.clone() },
            ..recruit.clone()
        };
        let todo = self.act(now, EventKind::Add((1..=count).map(one).collect()));
        if self.wrong.is_empty() {
            self.selection.unit = Some(format!("u{}", self.table.state().units.len() + 1));
        }
        todo
    }

    /// The side of imported units that name none: the one that was chosen, else the player's own.
    pub(super) fn import_side(&self) -> Option<&str> {
        let own = || self.table.side_of(&self.me).and_then(|side| self.table.sides().get(side));
        let chosen = self.selection.import_side.as_ref();
        chosen.or_else(own).or_else(|| self.table.sides().first()).map(String::as_str)
    }

    fn import(&mut self, now: &Now, file: &str, text: &str) -> Vec<Command> {
        let Some(setup) = self.table.setup() else { return Vec::new() };
        if text.len() > LARGEST_LIST {
            return self.refuse([text::LARGE_LIST.to_owned()]);
        }
        let form = UnitListForm::of_file(file, text).unwrap_or_else(|| UnitListForm::of_text(text));
        match form.read(&self.pack, setup, self.import_side(), text) {
            Ok(recruits) => self.act(now, EventKind::Add(set_apart(recruits, &self.table))),
            Err(faults) => {
                let more = faults.len().saturating_sub(MOST_FAULTS);
                let shown = faults.iter().take(MOST_FAULTS).map(en::unit_file_error);
                self.refuse(shown.chain((more > 0).then(|| text::more_faults(more))))
            }
        }
    }

    /// Changes the fields that differ.
    fn change_unit(
        &mut self,
        now: &Now,
        id: String,
        fields: &BTreeMap<String, String>,
    ) -> Vec<Command> {
        let Some(unit) = self.table.state().unit(&id) else { return Vec::new() };
        let differs = |name: &str, is: &str| {
            fields.get(name).map(|text| text.trim().to_owned()).filter(|text| text != is)
        };
        let side = self.table.sides().get(unit.side).cloned().unwrap_or_default();
        let mut change = UnitEdit {
            unit: id.clone(),
            name: differs("name", &unit.name),
            side: differs("side", &side),
            group: differs("group", &unit.group),
            notes: differs("notes", &unit.notes),
            ..UnitEdit::default()
        };
        for (field, value) in self.pack.kinds()[unit.kind].has.iter().zip(&unit.attributes) {
            let is = value.map(|value| written(&self.pack, value)).unwrap_or_default();
            if let Some(text) = differs(&format!("has.{}", field.id), &is) {
                change.has.insert(field.id.to_string(), text);
            }
        }
        if change == (UnitEdit { unit: id, ..UnitEdit::default() }) {
            return vec![Command::Announce(text::NOTHING_CHANGED.to_owned())];
        }
        self.act(now, EventKind::Set(Box::new(change)))
    }
}

/// A value as text that can be read again.
pub fn written(pack: &adjutant_pack::Pack, value: adjutant_pack::Value) -> String {
    match value {
        adjutant_pack::Value::YesNo(yes) => if yes { "yes" } else { "no" }.to_owned(),
        other => other.to_answer(pack.words()).to_string(),
    }
}
