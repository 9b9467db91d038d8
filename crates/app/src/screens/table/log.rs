//! The log: entries with the newest first, filters, notes, and undo, with consent where it is
//! needed.

use super::game::Game;
use super::result::ResultCard;
use crate::app::{self, Shared};
use crate::message::{Command, Now};
use crate::route::Route;
use adjutant_game::{ConsentFor, Event, EventKind, LogLine, Rejection, Table};
use adjutant_wording::en::page::table as text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many entries are shown at once.
const AT_ONCE: usize = 30;

/// What the player can do with the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Only entries with this text.
    Text(String),
    /// Only entries of this kind.
    Kind(String),
    /// Only entries of this side.
    Side(String),
    /// Only entries of this unit.
    Unit(String),
    /// Shows older entries.
    ShowOlder,
    /// Removes the filters.
    ClearFilter,
    /// Opens or closes an entry.
    ShowEntry(u64),
    /// Copies the link to an entry.
    CopyLink(u64),
    /// Adds a note.
    AddNote(BTreeMap<String, String>),
    /// Undoes the last event that counts.
    Undo,
    /// Redoes the event that was undone last.
    Redo,
    /// Asks the other players for consent.
    AskConsent(ConsentFor),
    /// Gives or refuses it.
    Consent(bool),
}

/// What an entry is about, for the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    Roll,
    Turn,
    Roster,
    Note,
    Back,
    Table,
}

impl EntryKind {
    const ALL: [EntryKind; 6] = [
        EntryKind::Roll,
        EntryKind::Turn,
        EntryKind::Roster,
        EntryKind::Note,
        EntryKind::Back,
        EntryKind::Table,
    ];

    /// The word in the page: the value of the filter's option, and a selector in the style sheet.
    pub fn id(self) -> &'static str {
        match self {
            EntryKind::Roll => "roll",
            EntryKind::Turn => "turn",
            EntryKind::Roster => "roster",
            EntryKind::Note => "note",
            EntryKind::Back => "back",
            EntryKind::Table => "table",
        }
    }

    fn of(what: &EventKind) -> EntryKind {
        match what {
            EventKind::Play(_)
            | EventKind::Call(_)
            | EventKind::Land { .. }
            | EventKind::Skip { .. } => EntryKind::Roll,
            EventKind::Phase(_) | EventKind::Start { .. } => EntryKind::Turn,
            EventKind::Add(_) | EventKind::Set(_) | EventKind::Remove { .. } => EntryKind::Roster,
            EventKind::Note { .. } => EntryKind::Note,
            EventKind::Undo { .. }
            | EventKind::Redo { .. }
            | EventKind::Ask { .. }
            | EventKind::Consent { .. } => EntryKind::Back,
            _ => EntryKind::Table,
        }
    }
}

/// A line of the log as the log view and its filters need it. Made once, when the line is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub n: u64,
    pub at: String,
    pub by: String,
    pub words: String,
    pub kind: EntryKind,
    pub units: Vec<String>,
    pub sides: Vec<usize>,
    pub sealed: bool,
    /// Whether it can be undone.
    pub counts: bool,
}

/// The filters, and what is shown.
#[derive(Debug)]
pub(super) struct Filter {
    pub text: String,
    pub kind: Option<EntryKind>,
    pub side: String,
    pub unit: String,
    pub shown: usize,
    /// The open entry, with its result.
    pub open: Option<(u64, Option<Box<ResultCard>>)>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            text: String::new(),
            kind: None,
            side: String::new(),
            unit: String::new(),
            shown: AT_ONCE,
            open: None,
        }
    }
}

impl Filter {
    /// Whether a filter is on.
    pub fn is_on(&self) -> bool {
        self.kind.is_some()
            || [&self.text, &self.side, &self.unit].iter().any(|text| !text.is_empty())
    }
}

/// The units that an event names.
fn units_of(what: &EventKind) -> Vec<String> {
    match what {
        EventKind::Play(played) => {
            let hit = played
                .effects
                .iter()
                .map(|effect| effect.on.clone())
                .filter(|unit| !unit.is_empty());
            let appear = played.appear.iter().map(|recruit| recruit.id.clone());
            played.request.units.values().flatten().cloned().chain(hit).chain(appear).collect()
        }
        EventKind::Call(called) => called.request.units.values().flatten().cloned().collect(),
        EventKind::Add(recruits) => recruits.iter().map(|recruit| recruit.id.clone()).collect(),
        EventKind::Set(change) => vec![change.unit.clone()],
        EventKind::Remove { unit, .. } => vec![unit.clone()],
        _ => Vec::new(),
    }
}

impl Entry {
    /// The entry of a line that was just applied.
    pub fn new(table: &Table, event: &Event, words: String) -> Entry {
        let mut units = units_of(&event.what);
        units.dedup();
        let mut sides: Vec<usize> =
            units.iter().filter_map(|id| table.state().unit(id)).map(|unit| unit.side).collect();
        sides.extend(table.side_of(&event.by).filter(|_| units.is_empty()));
        Entry {
            n: event.n,
            at: event.at.clone(),
            by: event.by.clone(),
            words,
            kind: EntryKind::of(&event.what),
            units,
            sides,
            sealed: matches!(&event.what, EventKind::Play(played) if played.call.is_some()),
            counts: event.what.counts(),
        }
    }
}

impl Game {
    /// The entries that pass the filters, newest first.
    pub fn shown_entries(&self) -> Vec<&Entry> {
        let (filter, text) = (&self.filter, self.filter.text.trim().to_lowercase());
        let side = self.table.sides().iter().position(|side| *side == filter.side);
        let fits = |entry: &&Entry| {
            filter.kind.is_none_or(|kind| entry.kind == kind)
                && (filter.unit.is_empty() || entry.units.contains(&filter.unit))
                && side.is_none_or(|side| entry.sides.contains(&side))
                && (text.is_empty() || entry.words.to_lowercase().contains(&text))
        };
        self.entries.iter().rev().filter(fits).collect()
    }

    /// Opens an entry.
    pub fn look_at(&mut self, n: u64) {
        if n == 0 || n > self.entries.len() as u64 {
            return;
        }
        let card = ResultCard::of_entry(&self.table, n).map(Box::new);
        let place = self.shown_entries().iter().position(|entry| entry.n == n);
        if let Some(place) = place {
            self.filter.shown = self.filter.shown.max(place + 5);
        }
        self.filter.open = Some((n, card));
    }

    /// The player did something with the log.
    pub fn logbook(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::Text(text) => self.filter.text = text,
            Message::Kind(id) => {
                self.filter.kind = EntryKind::ALL.into_iter().find(|kind| kind.id() == id)
            }
            Message::Side(side) => self.filter.side = side,
            Message::Unit(unit) => self.filter.unit = unit,
            Message::ShowOlder => self.filter.shown += AT_ONCE * 2,
            Message::ClearFilter => self.filter = Filter::default(),
            Message::ShowEntry(n)
                if self.filter.open.as_ref().is_some_and(|(open, _)| *open == n) =>
            {
                self.filter.open = None
            }
            Message::ShowEntry(n) => self.look_at(n),
            Message::CopyLink(n) => {
                let route = Route::Entry(self.card.id.clone(), n);
                return vec![Command::Copy {
                    reply_to: app::ReplyTo::Copied.into(),
                    text: shared.link(&route),
                }];
            }
            Message::AddNote(fields) => {
                let text =
                    fields.get("note").map(|text| text.trim().to_owned()).unwrap_or_default();
                return if text.is_empty() {
                    Vec::new()
                } else {
                    self.act(now, EventKind::Note { text })
                };
            }
            Message::Undo => {
                return self.act_marked(now, self.table.undo_event());
            }
            Message::Redo => {
                return self.act_marked(now, self.table.redo_event());
            }
            Message::AskConsent(want) => {
                return self.act_marked(now, self.table.ask_event(want));
            }
            Message::Consent(yes) => {
                return match self.marked(self.table.consent_event(yes)) {
                    Ok(what) => {
                        let line = self.table.act(&self.stamp(now), what);
                        self.keep_consent(now, line)
                    }
                    Err(todo) => todo,
                };
            }
        }
        Vec::new()
    }

    /// Stores a consent. At a table of this browser, the last consent that is needed is stored
    /// together with the undo or redo that it allows; a server does that by itself.
    fn keep_consent(&mut self, now: &Now, line: Result<LogLine, Rejection>) -> Vec<Command> {
        let line = match line {
            Ok(line) if self.server.is_none() => line,
            other => return self.keep(other),
        };
        let mut after = self.table.clone();
        let agreed = after.append(&line.text).ok().and_then(|()| after.agreed(&now.time));
        self.keep_lines([line].into_iter().chain(agreed).collect())
    }

    /// Why this player cannot act at all.
    pub fn cannot_act(&self) -> Option<String> {
        let lost = self.cannot_send().map(str::to_owned);
        lost.or_else(|| self.looks_on().then(|| text::LOOKING_ON.to_owned()))
    }

    /// Whether this player only watches. A spectator has no seat in the log of a shared table.
    pub fn looks_on(&self) -> bool {
        let seat =
            self.table.people().iter().find(|(name, _)| *name == self.me).map(|(_, seat)| seat);
        seat == Some(&adjutant_game::Seat::Spectator) || (self.server.is_some() && seat.is_none())
    }
}
