//! Forms for what is done by hand: units added, changed and taken off, a test struck out, options and what the
//! table remembers, remarks, seats, decks. Each is a list of entries and the events that it comes to.

use super::entries::{Entries, Entry, Kind};
use super::form::field_entry;
use super::state::State;
use chance::{Answer, ChoiceWord};
use sheet::Value;
use table::{Change, DeckAct, Do, Recruit, Seat, Table, Unit};

/// What is being done.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    Add,
    Change(String),
    Remove(String),
    Strike(String),
    Settings,
    Note,
    Seat,
    Reshuffle,
}

/// A form for something done by hand.
pub struct Edit {
    pub purpose: Purpose,
    pub title: String,
    pub entries: Entries,
    /// As it was when the form was opened.
    before: Vec<Entry>,
}

impl Edit {
    fn new(purpose: Purpose, title: impl Into<String>, list: Vec<Entry>) -> Edit {
        Edit { purpose, title: title.into(), before: list.clone(), entries: Entries::new(list) }
    }

    /// Whether something was said that is not kept yet.
    pub fn touched(&self) -> bool {
        self.entries.list.iter().any(|entry| self.before.iter().any(|before| before.key == entry.key && before.value != entry.value))
    }

    /// A new unit; side, group and kind are those of the unit chosen.
    pub fn add(state: &State) -> Edit {
        let table = state.table();
        let like = state.chosen_unit();
        let kinds = table.pack().kinds.iter().map(|kind| ChoiceWord { id: kind.id.clone(), label: kind.title.clone() }).collect::<Vec<_>>();
        let kind = like.map(|unit| table.pack().kinds[unit.kind].id.to_string()).or(kinds.first().map(|kind| kind.id.to_string()));
        let mut list = Vec::new();
        if kinds.len() > 1 {
            list.push(Entry::new("kind", "Kind", Kind::Choice(kinds), &kind.clone().unwrap_or_default()));
        }
        let side = state.my_side().map(str::to_owned).or(like.and_then(|unit| table.sides().get(unit.side).cloned()));
        list.push(required("name", "Name", ""));
        list.push(sides(table, &side.or(table.sides().first().cloned()).unwrap_or_default()));
        list.push(Entry::new("group", "Group, stack or hex", Kind::Text, like.map_or("", |unit| unit.group.as_str())));
        let mut edit = Edit::new(Purpose::Add, "Add a unit", list);
        edit.entries.at = edit.entries.list.iter().position(|entry| entry.key == "name").unwrap_or(0);
        edit.attributes(table);
        edit
    }

    /// The attributes of the kind that is chosen, after what every unit has.
    pub fn attributes(&mut self, table: &Table) {
        if self.purpose != Purpose::Add {
            return;
        }
        let chosen = self.entries.value("kind").to_owned();
        let pack = table.pack();
        let Some(kind) = pack.kinds.iter().find(|kind| kind.id == chosen).or(pack.kinds.first()) else { return };
        let said: Vec<(String, String)> = self.entries.list.iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect();
        let mut list: Vec<Entry> =
            self.entries.list.iter().filter(|entry| !entry.key.contains('.') && entry.key != "notes").cloned().collect();
        for field in &kind.has {
            let key = format!("has.{}", field.id);
            let value = said.iter().find(|(known, _)| *known == key).map_or("", |(_, value)| value.as_str());
            list.push(field_entry(&key, &field.label, field, value));
        }
        let notes = said.iter().find(|(known, _)| known == "notes").map_or("", |(_, value)| value.as_str());
        list.push(Entry::new("notes", "Remark", Kind::Text, notes));
        self.entries.replace(list);
    }

    /// A unit's name, side, group, statuses, attributes and remark.
    pub fn change(table: &Table, unit: &Unit) -> Edit {
        let pack = table.pack();
        let side = table.sides().get(unit.side).cloned().unwrap_or_default();
        let mut list = Vec::new();
        for (place, status) in pack.statuses.iter().enumerate().filter(|(_, status)| status.of.contains(&unit.kind)) {
            let value = if unit.statuses.contains(&place) { "yes" } else { "no" };
            let mut entry = Entry::new(&format!("status.{}", status.id), &status.title, Kind::YesNo, value);
            entry.note = status.means.to_string();
            list.push(entry);
        }
        for (field, known) in pack.kinds[unit.kind].has.iter().zip(&unit.attributes) {
            let value = known.map(|value| written(table, value)).unwrap_or_default();
            list.push(field_entry(&format!("has.{}", field.id), &field.label, field, &value));
        }
        list.push(required("name", "Name", &unit.name));
        list.push(sides(table, &side));
        list.push(Entry::new("group", "Group, stack or hex", Kind::Text, &unit.group));
        list.push(Entry::new("notes", "Remark", Kind::Text, &unit.notes));
        Edit::new(Purpose::Change(unit.id.clone()), format!("Change {}", unit.name), list)
    }

    pub fn remove(unit: &Unit) -> Edit {
        let mut word = Entry::new("word", "With what word", Kind::Text, "");
        word.default = "taken off".into();
        Edit::new(Purpose::Remove(unit.id.clone()), format!("Take {} off the table", unit.name), vec![word])
    }

    pub fn strike(table: &Table, pending: &table::Pending) -> Edit {
        let title = table.pack().chart(&pending.due.chart).map_or("the test", |chart| chart.title.as_str());
        Edit::new(Purpose::Strike(pending.due.id.clone()), format!("Strike out: {title}"), vec![required("reason", "Reason", "")])
    }

    pub fn note() -> Edit {
        Edit::new(Purpose::Note, "A remark for the log", vec![required("text", "Remark", "")])
    }

    /// Options of the pack and what the table remembers.
    pub fn settings(table: &Table) -> Edit {
        let (pack, state) = (table.pack(), table.state());
        let options = pack.options.iter().zip(&state.options).map(|(option, value)| {
            let mut entry =
                field_entry(&format!("option.{}", option.field.id), &option.field.label, &option.field, &written(table, *value));
            entry.note = format!("Option, {}. {}", option.standing.name(), option.origin);
            entry
        });
        let memory = pack.memory.iter().zip(&state.memory).map(|(memory, value)| {
            let mut entry = field_entry(&format!("memory.{}", memory.id), &memory.label, memory, &written(table, *value));
            entry.note = format!("What the table remembers. {}", entry.note);
            entry
        });
        Edit::new(Purpose::Settings, "Options and memory", options.chain(memory).collect())
    }

    pub fn seat(state: &State) -> Edit {
        let table = state.table();
        let word = |id: &str, label: String| ChoiceWord { id: id.into(), label: label.into() };
        let mut words: Vec<ChoiceWord> = table.sides().iter().map(|side| word(&format!("side {side}"), format!("plays {side}"))).collect();
        words.extend([word("umpire", "umpire".into()), word("spectator", "looks on".into())]);
        let now = match state.my_seat() {
            Some(Seat::Player { side }) => format!("side {side}"),
            Some(Seat::Umpire) => "umpire".into(),
            Some(Seat::Spectator) => "spectator".into(),
            None => String::new(),
        };
        Edit::new(Purpose::Seat, format!("{} at the table", state.me), vec![Entry::new("seat", "Takes part as", Kind::Choice(words), &now)])
    }

    pub fn reshuffle(table: &Table) -> Edit {
        let one = |left: table::DeckLeft<'_>| {
            let title = table.pack().deck(left.deck).map_or(left.deck, |deck| deck.title.as_str());
            match left.side.and_then(|side| table.sides().get(side)) {
                Some(side) => ChoiceWord { id: format!("{} {side}", left.deck).into(), label: format!("{title} of {side}").into() },
                None => ChoiceWord { id: left.deck.into(), label: title.into() },
            }
        };
        let decks: Vec<ChoiceWord> = table.decks().into_iter().map(one).collect();
        let first = decks.first().map(|deck| deck.id.to_string()).unwrap_or_default();
        Edit::new(Purpose::Reshuffle, "Reshuffle: all cards come back", vec![Entry::new("deck", "Deck", Kind::Choice(decks), &first)])
    }

    /// The entries that were changed, with the part of their name behind the prefix.
    fn changed<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let before = |entry: &Entry| self.before.iter().find(|before| before.key == entry.key).map_or("", |before| before.value.as_str());
        let other = move |entry: &&Entry| before(entry) != entry.value;
        let list = self.entries.list.iter().filter(other);
        list.filter_map(move |entry| Some((entry.key.strip_prefix(prefix)?.to_owned(), entry.value.trim().to_owned())))
    }

    /// What is to be done, in order; or the sentence that says what is missing.
    pub fn events(&self, me: &str) -> Result<Vec<Do>, String> {
        let said = |key: &str| self.entries.value(key).trim().to_owned();
        if let Some(fault) = self.entries.list.iter().find_map(|entry| Some(format!("{}: {}", entry.label, entry.fault()?))) {
            return Err(fault);
        }
        if let Some(empty) = self.entries.list.iter().find(|entry| entry.missing && entry.value.trim().is_empty()) {
            return Err(format!("{} is missing", empty.label));
        }
        Ok(match &self.purpose {
            Purpose::Add => vec![Do::Add(vec![self.recruit()])],
            Purpose::Change(unit) => self.change_of(unit).into_iter().collect(),
            Purpose::Remove(unit) => vec![Do::Remove { unit: unit.clone(), word: said("word") }],
            Purpose::Strike(pending) => vec![Do::Skip { pending: pending.clone(), reason: said("reason") }],
            Purpose::Note => vec![Do::Note { text: said("text") }],
            Purpose::Settings => {
                let options = self.changed("option.").map(|(name, value)| Do::Option { name, value });
                options.chain(self.changed("memory.").map(|(name, value)| Do::Memory { name, value })).collect()
            }
            Purpose::Seat => {
                let seat = said("seat");
                let role = match (seat.strip_prefix("side "), seat.as_str()) {
                    (Some(side), _) => Seat::Player { side: side.to_owned() },
                    (None, "umpire") => Seat::Umpire,
                    (None, "spectator") => Seat::Spectator,
                    _ => return Err("choose a seat with ← and →".into()),
                };
                vec![Do::Join { who: me.to_owned(), role }]
            }
            Purpose::Reshuffle => {
                let said = said("deck");
                let (deck, side) = said.split_once(' ').map_or((said.as_str(), None), |(deck, side)| (deck, Some(side.to_owned())));
                vec![Do::Deck { deck: deck.to_owned(), side, act: DeckAct::Reshuffle, cards: Vec::new() }]
            }
        })
    }

    fn recruit(&self) -> Recruit {
        let said = |key: &str| self.entries.value(key).trim().to_owned();
        let has = self.entries.list.iter().filter(|entry| !entry.value.is_empty());
        let has = has.filter_map(|entry| Some((entry.key.strip_prefix("has.")?.to_owned(), entry.value.clone()))).collect();
        Recruit {
            kind: said("kind"),
            name: said("name"),
            side: said("side"),
            group: said("group"),
            notes: said("notes"),
            has,
            ..Recruit::default()
        }
    }

    fn change_of(&self, unit: &str) -> Option<Do> {
        let one = |key: &'static str| self.changed(key).find(|(rest, _)| rest.is_empty()).map(|(_, value)| value);
        let mut change = Change { unit: unit.to_owned(), name: one("name"), side: one("side"), group: one("group"), ..Change::default() };
        change.notes = one("notes");
        change.has = self.changed("has.").collect();
        for (status, value) in self.changed("status.") {
            if value == "yes" { &mut change.put_on } else { &mut change.lift }.push(status);
        }
        (change != Change { unit: unit.to_owned(), ..Change::default() }).then(|| Do::Set(Box::new(change)))
    }
}

fn required(key: &str, label: &str, value: &str) -> Entry {
    Entry { missing: true, ..Entry::new(key, label, Kind::Text, value) }
}

fn sides(table: &Table, side: &str) -> Entry {
    let words = table.sides().iter().map(|side| ChoiceWord { id: side.into(), label: side.into() }).collect();
    Entry::new("side", "Side", Kind::Choice(words), side)
}

/// A value as a text that can be read again.
fn written(table: &Table, value: Value) -> String {
    match value.to_answer(&table.pack().words) {
        Answer::Choice(word) => word.to_string(),
        other => other.to_string(),
    }
}
