//! Forms for what is done by hand: units added, changed and taken off, a test struck out, options
//! and what the table remembers, remarks, seats, decks. Each is a list of entries and the events
//! that it comes to.

use super::entries::{Entries, Entry, Kind};
use super::form::field_entry;
use super::state::State;
use crate::game::remembered;
use adjutant_dice::{Answer, ChoiceWord};
use adjutant_game::{DeckAct, EventKind, NewUnit, Seat, Table, Unit, UnitEdit};
use adjutant_pack::Value;
use anyhow::{anyhow, bail};

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
    Deck,
}

/// A form for something done by hand.
pub struct Edit {
    pub purpose: Purpose,
    pub title: String,
    pub entries: Entries,
    /// As it was when the form was opened.
    before: Vec<Entry>,
    /// What a ready unit filled in, so that another one can take its place.
    filled: Vec<(String, String)>,
    /// The kind and the statuses of the unit to be added.
    kind: String,
    statuses: Vec<String>,
}

/// How a choice names a ready unit, apart from the kinds.
const READY: &str = "ready ";

impl Edit {
    fn new(purpose: Purpose, title: impl Into<String>, list: Vec<Entry>) -> Edit {
        let (filled, kind, statuses) = (Vec::new(), String::new(), Vec::new());
        Edit {
            purpose,
            title: title.into(),
            before: list.clone(),
            entries: Entries::new(list),
            filled,
            kind,
            statuses,
        }
    }

    /// Whether something was said that is not kept yet.
    pub fn touched(&self) -> bool {
        self.entries.list.iter().any(|entry| {
            self.before.iter().any(|before| before.key == entry.key && before.value != entry.value)
        })
    }

    /// A new unit; side, group and kind are those of the unit chosen.
    pub fn add(state: &State) -> Edit {
        let table = state.table();
        let like = state.chosen_unit();
        let mut kinds: Vec<ChoiceWord> = table
            .pack()
            .kinds()
            .iter()
            .map(|kind| ChoiceWord { id: kind.id.clone(), label: kind.title.clone() })
            .collect();
        kinds.extend(table.pack().templates().iter().map(|ready| ChoiceWord {
            id: format!("{READY}{}", ready.id).into(),
            label: format!("{} (ready)", ready.title).into(),
        }));
        let kind = like
            .map(|unit| table.pack().kinds()[unit.kind].id.to_string())
            .or(kinds.first().map(|kind| kind.id.to_string()));
        let mut list = Vec::new();
        if kinds.len() > 1 {
            let mut entry =
                Entry::new("kind", "Kind", Kind::Choice(kinds), &kind.clone().unwrap_or_default());
            entry.note =
                "A kind, to be filled in by hand, or a unit that the sheet has ready.".into();
            list.push(entry);
        }
        let side = state
            .my_side()
            .map(str::to_owned)
            .or(like.and_then(|unit| table.sides().get(unit.side).cloned()));
        list.push(required("name", "Name", ""));
        list.push(sides(table, &side.or(table.sides().first().cloned()).unwrap_or_default()));
        list.push(Entry::new(
            "group",
            "Group, stack or hex",
            Kind::Text,
            like.map_or("", |unit| unit.group.as_str()),
        ));
        let mut edit = Edit::new(Purpose::Add, "Add a unit", list);
        edit.entries.at =
            edit.entries.list.iter().position(|entry| entry.key == "name").unwrap_or(0);
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
        let ready = chosen.strip_prefix(READY).and_then(|id| pack.template(id));
        let named = pack.kinds().iter().find(|kind| kind.id == chosen).or(pack.kinds().first());
        let Some(kind) = ready.map(|ready| &pack.kinds()[ready.kind]).or(named) else { return };
        self.kind = kind.id.to_string();
        self.statuses = ready.map_or(Vec::new(), |ready| {
            ready.statuses.iter().map(|place| pack.statuses()[*place].id.to_string()).collect()
        });
        let fills: Vec<(String, String)> = ready.map_or(Vec::new(), |ready| {
            let has = ready.has.iter().map(|(place, value)| {
                (format!("has.{}", kind.has[*place].id), written(table, *value))
            });
            has.chain([("name".to_owned(), ready.name.to_string())]).collect()
        });
        // What was typed stays; what another ready unit had filled in makes room.
        for entry in &mut self.entries.list {
            if self.filled.iter().any(|(key, value)| *key == entry.key && *value == entry.value) {
                entry.value.clear();
            }
        }
        let mut said: Vec<(String, String)> = self
            .entries
            .list
            .iter()
            .map(|entry| (entry.key.clone(), entry.value.clone()))
            .collect();
        said.retain(|(_, value)| !value.is_empty());
        said.extend(fills.iter().cloned());
        if let (Some(name), Some((_, value))) = (
            self.entries
                .list
                .iter_mut()
                .find(|entry| entry.key == "name" && entry.value.is_empty()),
            fills.iter().find(|(key, _)| key == "name"),
        ) {
            name.value.clone_from(value);
        }
        self.filled = fills;
        let mut list: Vec<Entry> = self
            .entries
            .list
            .iter()
            .filter(|entry| !entry.key.contains('.') && entry.key != "notes")
            .cloned()
            .collect();
        for field in &kind.has {
            let key = format!("has.{}", field.id);
            let value = said
                .iter()
                .find(|(known, _)| *known == key)
                .map_or("", |(_, value)| value.as_str());
            list.push(field_entry(&key, &field.label, field, value));
        }
        let notes =
            said.iter().find(|(known, _)| known == "notes").map_or("", |(_, value)| value.as_str());
        list.push(Entry::new("notes", "Remark", Kind::Text, notes));
        self.entries.replace(list);
    }

    /// A unit's name, side, group, statuses, attributes and remark.
    pub fn change(table: &Table, unit: &Unit) -> Edit {
        let pack = table.pack();
        let side = table.sides().get(unit.side).cloned().unwrap_or_default();
        let mut list = Vec::new();
        for (place, status) in
            pack.statuses().iter_enumerated().filter(|(_, status)| status.of.contains(&unit.kind))
        {
            let value = if unit.statuses.contains(&place) { "yes" } else { "no" };
            let mut entry =
                Entry::new(&format!("status.{}", status.id), &status.title, Kind::YesNo, value);
            entry.note = status.means.to_string();
            list.push(entry);
        }
        for (field, known) in pack.kinds()[unit.kind].has.iter().zip(&unit.attributes) {
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
        Edit::new(
            Purpose::Remove(unit.id.clone()),
            format!("Remove {} from the game", unit.name),
            vec![word],
        )
    }

    pub fn strike(table: &Table, pending: &adjutant_game::PendingTest) -> Edit {
        let title =
            table.pack().chart(&pending.due.chart).map_or("the test", |chart| chart.title.as_str());
        Edit::new(
            Purpose::Strike(pending.due.id.clone()),
            format!("Strike out: {title}"),
            vec![required("reason", "Reason", "")],
        )
    }

    pub fn note() -> Edit {
        Edit::new(Purpose::Note, "A remark for the log", vec![required("text", "Remark", "")])
    }

    /// Options of the pack and what the table remembers.
    pub fn settings(table: &Table) -> Edit {
        let (pack, state) = (table.pack(), table.state());
        let options = pack.options().iter().zip(&state.options).map(|(option, value)| {
            let mut entry = field_entry(
                &format!("option.{}", option.field.id),
                &option.field.label,
                &option.field,
                &written(table, *value),
            );
            entry.note = format!("Option, {}. {}", option.standing.name(), option.origin);
            entry
        });
        let memory = pack.memory().iter_enumerated().flat_map(|(place, memory)| {
            remembered(table, place).into_iter().map(move |(side, value)| {
                let (key, label) = match side {
                    Some(side) => (
                        format!("memory.{}.{side}", memory.id),
                        format!("{side}, {}", memory.label),
                    ),
                    None => (format!("memory.{}", memory.id), memory.label.to_string()),
                };
                let mut entry = field_entry(&key, &label, memory, &written(table, value));
                entry.note = format!("What the game remembers. {}", entry.note);
                entry
            })
        });
        Edit::new(Purpose::Settings, "Options and memory", options.chain(memory).collect())
    }

    pub fn seat(state: &State) -> Edit {
        let table = state.table();
        let word = |id: &str, label: String| ChoiceWord { id: id.into(), label: label.into() };
        let mut words: Vec<ChoiceWord> = table
            .sides()
            .iter()
            .map(|side| word(&format!("side {side}"), format!("plays {side}")))
            .collect();
        words.extend([word("umpire", "umpire".into()), word("spectator", "looks on".into())]);
        let now = match state.my_seat() {
            Some(Seat::Player { side }) => format!("side {side}"),
            Some(Seat::Umpire) => "umpire".into(),
            Some(Seat::Spectator) => "spectator".into(),
            None => String::new(),
        };
        Edit::new(
            Purpose::Seat,
            format!("{} joins the game", state.me),
            vec![Entry::new("seat", "Takes part as", Kind::Choice(words), &now)],
        )
    }

    /// Cards moved by hand.
    pub fn deck(table: &Table, me: &str) -> Edit {
        let one = |left: adjutant_game::DeckLeft<'_>| {
            let title = table.pack().deck(left.deck).map_or(left.deck, |deck| deck.title.as_str());
            match left.side.and_then(|side| table.sides().get(side)) {
                Some(side) => ChoiceWord {
                    id: format!("{} {side}", left.deck).into(),
                    label: format!("{title} of {side}").into(),
                },
                None => ChoiceWord { id: left.deck.into(), label: title.into() },
            }
        };
        let decks: Vec<ChoiceWord> = table.decks().into_iter().map(one).collect();
        let first = decks.first().map(|deck| deck.id.to_string()).unwrap_or_default();
        let word = |id: &str, label: &str| ChoiceWord { id: id.into(), label: label.into() };
        let acts = vec![
            word("reshuffle", "all cards come back"),
            word("take_out", "cards are taken out"),
            word("put_back", "cards are put back"),
        ];
        let mut cards = Entry::new("cards", "Which cards", Kind::Text, "");
        cards.note =
            "Their numbers, with spaces or commas between them; none where all come back.".into();
        let list = vec![
            Entry::new("deck", "Deck", Kind::Choice(decks), &first),
            Entry::new("act", "What", Kind::Choice(acts), "reshuffle"),
            cards,
        ];
        let mut edit = Edit::new(Purpose::Deck, "Cards by hand", list);
        let hands: Vec<String> =
            table.hands(me).iter().map(|hand| hand_line(table, hand)).collect();
        if let Some(entry) = edit.entries.list.iter_mut().find(|entry| entry.key == "act") {
            entry.under = hands.join("; ");
        }
        edit.cards_left(table);
        edit
    }

    /// Which cards are left of the deck that is chosen, where the table shows them; else how many.
    pub fn cards_left(&mut self, table: &Table) {
        let (deck, side) = deck_said(self.entries.value("deck"));
        let left = table.decks().into_iter().find(|left| {
            left.deck == deck
                && left.side.and_then(|place| table.sides().get(place)).map(String::as_str)
                    == side.as_deref()
        });
        let told = left.map(|left| match left.cards {
            Some(cards) => {
                format!("left: {}", cards.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
            }
            None => format!("{} of {} left", left.left, left.size),
        });
        if let Some(entry) = self.entries.list.iter_mut().find(|entry| entry.key == "deck") {
            entry.under = told.unwrap_or_default();
        }
    }

    /// The entries that were changed, with the part of their name behind the prefix.
    fn changed<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let before = |entry: &Entry| {
            self.before
                .iter()
                .find(|before| before.key == entry.key)
                .map_or("", |before| before.value.as_str())
        };
        let other = move |entry: &&Entry| before(entry) != entry.value;
        let list = self.entries.list.iter().filter(other);
        list.filter_map(move |entry| {
            Some((entry.key.strip_prefix(prefix)?.to_owned(), entry.value.trim().to_owned()))
        })
    }

    /// What is to be done, in order; or the sentence that says what is missing.
    pub fn events(&self, me: &str) -> anyhow::Result<Vec<EventKind>> {
        let said = |key: &str| self.entries.value(key).trim().to_owned();
        if let Some(fault) = self
            .entries
            .list
            .iter()
            .find_map(|entry| Some(format!("{}: {}", entry.label, entry.fault()?)))
        {
            bail!(fault);
        }
        if let Some(empty) =
            self.entries.list.iter().find(|entry| entry.missing && entry.value.trim().is_empty())
        {
            bail!("{} is missing", empty.label);
        }
        Ok(match &self.purpose {
            Purpose::Add => vec![EventKind::Add(vec![self.recruit()])],
            Purpose::Change(unit) => self.change_of(unit).into_iter().collect(),
            Purpose::Remove(unit) => {
                vec![EventKind::Remove { unit: unit.clone(), word: said("word") }]
            }
            Purpose::Strike(pending) => {
                vec![EventKind::Skip { pending: pending.clone(), reason: said("reason") }]
            }
            Purpose::Note => vec![EventKind::Note { text: said("text") }],
            Purpose::Settings => {
                let options =
                    self.changed("option.").map(|(name, value)| EventKind::Option { name, value });
                options
                    .chain(self.changed("memory.").map(|(key, value)| {
                        // An id has no point; the name of a side may have some.
                        let (name, side) = match key.split_once('.') {
                            Some((name, side)) => (name.to_owned(), Some(side.to_owned())),
                            None => (key, None),
                        };
                        EventKind::Memory { name, side, value }
                    }))
                    .collect()
            }
            Purpose::Seat => {
                let seat = said("seat");
                let role = match (seat.strip_prefix("side "), seat.as_str()) {
                    (Some(side), _) => Seat::Player { side: side.to_owned() },
                    (None, "umpire") => Seat::Umpire,
                    (None, "spectator") => Seat::Spectator,
                    _ => bail!("choose a seat with ← and →"),
                };
                vec![EventKind::Join { who: me.to_owned(), role }]
            }
            Purpose::Deck => {
                let named = said("deck");
                let (deck, side) = deck_said(&named);
                let cards = said("cards");
                let numbers = cards.split([' ', ',']).filter(|part| !part.is_empty()).map(|part| {
                    part.parse::<u32>()
                        .map_err(|_| anyhow!("Which cards: `{part}` is not a card's number"))
                });
                let cards = numbers.collect::<anyhow::Result<Vec<u32>>>()?;
                let act = match said("act").as_str() {
                    "take_out" => DeckAct::TakeOut,
                    "put_back" => DeckAct::PutBack,
                    _ => DeckAct::Reshuffle,
                };
                vec![EventKind::Deck { deck: deck.to_owned(), side, act, cards }]
            }
        })
    }

    fn recruit(&self) -> NewUnit {
        let said = |key: &str| self.entries.value(key).trim().to_owned();
        let has = self.entries.list.iter().filter(|entry| !entry.value.is_empty());
        let has = has
            .filter_map(|entry| {
                Some((entry.key.strip_prefix("has.")?.to_owned(), entry.value.clone()))
            })
            .collect();
        NewUnit {
            kind: self.kind.clone(),
            statuses: self.statuses.clone(),
            name: said("name"),
            side: said("side"),
            group: said("group"),
            notes: said("notes"),
            has,
            ..NewUnit::default()
        }
    }

    fn change_of(&self, unit: &str) -> Option<EventKind> {
        let one = |key: &'static str| {
            self.changed(key).find(|(rest, _)| rest.is_empty()).map(|(_, value)| value)
        };
        let mut change = UnitEdit {
            unit: unit.to_owned(),
            name: one("name"),
            side: one("side"),
            group: one("group"),
            ..UnitEdit::default()
        };
        change.notes = one("notes");
        change.has = self.changed("has.").collect();
        for (status, value) in self.changed("status.") {
            if value == "yes" { &mut change.put_on } else { &mut change.lift }.push(status);
        }
        (change != UnitEdit { unit: unit.to_owned(), ..UnitEdit::default() })
            .then(|| EventKind::Set(Box::new(change)))
    }
}

/// A deck and whose it is, as a choice names them.
/// A hand of cards in a few words. The cards of other players are counted only, as a courtesy.
fn hand_line(table: &Table, hand: &adjutant_game::HandOfCards<'_>) -> String {
    let side = table.sides().get(hand.side).map_or("", String::as_str);
    let whose = hand.unit.map_or(side, |unit| unit.name.as_str());
    let title = |card: &u32| {
        let known = hand.deck.card(*card).map_or("", |known| known.title.as_str());
        format!("{card} {known}")
    };
    match &hand.cards {
        Some(cards) if !cards.is_empty() => {
            let cards: Vec<String> = cards.iter().map(title).collect();
            format!("hand of {whose}: {}", cards.join(", "))
        }
        _ => format!("hand of {whose}: {} of {} cards", hand.count, hand.size),
    }
}

fn deck_said(said: &str) -> (&str, Option<String>) {
    said.split_once(' ').map_or((said, None), |(deck, side)| (deck, Some(side.to_owned())))
}

fn required(key: &str, label: &str, value: &str) -> Entry {
    Entry { missing: true, ..Entry::new(key, label, Kind::Text, value) }
}

fn sides(table: &Table, side: &str) -> Entry {
    let words = table
        .sides()
        .iter()
        .map(|side| ChoiceWord { id: side.into(), label: side.into() })
        .collect();
    Entry::new("side", "Side", Kind::Choice(words), side)
}

/// A value as a text that can be read again.
fn written(table: &Table, value: Value) -> String {
    match value.to_answer(table.pack().words()) {
        Answer::Choice(word) => word.to_string(),
        other => other.to_string(),
    }
}
