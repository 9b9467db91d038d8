//! All the rest: the turn by hand, what the table remembers, options, decks, who plays, statistics, files, and the table's name.

use super::game::Game;
use super::re;
use crate::app::Shared;
use crate::message::{Answer, Command, Moment, TableCard};
use crate::words::{self, table as text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::{DeckAct, Do, Luck, Seat};

/// What can be done here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// An option of the pack, at this table.
    Option(String, String),
    /// What the table remembers.
    Memory(String, String),
    /// Something is done with a deck.
    Deck {
        /// Which.
        deck: String,
        /// Whose, where each side has its own.
        #[serde(default)]
        side: Option<String>,
        /// What.
        act: DeckAct,
        /// The cards, as typed.
        #[serde(default)]
        cards: BTreeMap<String, String>,
    },
    /// Somebody takes a seat.
    Seat(BTreeMap<String, String>),
    /// Acts under this name from now on.
    ActAs(String),
    /// Weighs the throws.
    Luck,
    /// Hands the table out as a file.
    Export(String),
    /// Another name for the table on this device.
    Rename(BTreeMap<String, String>),
    /// Asks before the table is taken off this device.
    Doubt(bool),
    /// Takes it off.
    Forget,
}

/// Throws, weighed or about to be.
#[derive(Debug)]
pub(super) enum Weighed {
    /// They are being weighed.
    Soon,
    /// They are.
    Done(Box<Luck>),
    /// They cannot be.
    Not(String),
}

/// What is known here.
#[derive(Debug, Default)]
pub(super) struct More {
    pub luck: Option<Weighed>,
    pub doubted: bool,
}

impl Game {
    /// Something was done here.
    pub fn more(&mut self, shared: &mut Shared, moment: &Moment, message: Message) -> Vec<Command> {
        match message {
            Message::Option(name, value) => self.act(moment, Do::Option { name, value }),
            Message::Memory(name, value) => self.act(moment, Do::Memory { name, value }),
            Message::Deck { deck, side, act, cards } => {
                let typed = cards.get("cards").map_or("", String::as_str);
                let cards = typed.split([' ', ',', ';']).filter_map(|text| text.trim().parse().ok()).collect();
                self.act(moment, Do::Deck { deck, side, act, cards })
            }
            Message::Seat(fields) => self.seat(moment, &fields),
            Message::ActAs(name) => {
                self.me = name;
                self.settle_desk();
                Vec::new()
            }
            Message::Luck => {
                self.more.luck = Some(Weighed::Soon);
                vec![Command::Later { re: re("luck") }]
            }
            Message::Export(kind) if kind == "html" || kind == "md" => {
                vec![Command::Say(text::WORKING.to_owned()), Command::Later { re: re(&format!("export-{kind}")) }]
            }
            Message::Export(kind) => self.export(&kind),
            Message::Rename(fields) => {
                let name: String = fields.get("name").map(|name| name.trim().chars().take(80).collect()).unwrap_or_default();
                if name.is_empty() {
                    return self.refuse([text::NAME_MISSING.to_owned()]);
                }
                self.card.name = name;
                if let Some(known) = shared.tables.iter_mut().find(|known| known.id == self.card.id) {
                    known.name.clone_from(&self.card.name);
                }
                vec![Command::KeepCard {
                    re: re("renamed"),
                    card: TableCard { last: self.table.lines().len() as u64, ..self.card.clone() },
                }]
            }
            Message::Doubt(doubted) => {
                self.more.doubted = doubted;
                Vec::new()
            }
            Message::Forget => vec![Command::Forget { re: re("forgot"), table: self.card.id.clone() }],
        }
    }

    fn seat(&mut self, moment: &Moment, fields: &BTreeMap<String, String>) -> Vec<Command> {
        let field = |name: &str| fields.get(name).map(|text| text.trim().to_owned()).unwrap_or_default();
        let role = match field("role").as_str() {
            "umpire" => Seat::Umpire,
            "spectator" => Seat::Spectator,
            side => Seat::Player { side: side.strip_prefix("side:").unwrap_or(side).to_owned() },
        };
        self.act(moment, Do::Join { who: field("who"), role })
    }

    /// A command was answered.
    pub fn heard_more(&mut self, shared: &mut Shared, _moment: &Moment, what: &str, answer: Answer) -> Vec<Command> {
        match (what, answer) {
            ("luck", Answer::Done) => {
                self.more.luck = Some(match self.table.report() {
                    Ok(report) => Weighed::Done(Box::new(report.luck)),
                    Err(fault) => Weighed::Not(fault.to_string()),
                });
                vec![Command::Say(text::WEIGHED.to_owned())]
            }
            ("export-html", Answer::Done) => self.export("html"),
            ("export-md", Answer::Done) => self.export("md"),
            ("renamed", Answer::Done) => vec![Command::Say(text::RENAMED.to_owned())],
            (_, Answer::Failed(why)) => vec![shared.tell(words::cannot_keep(&why))],
            _ => Vec::new(),
        }
    }

    fn export(&mut self, kind: &str) -> Vec<Command> {
        let made = match kind {
            "jsonl" => Ok(("application/jsonl", self.table.to_json_lines())),
            "csv" => table::throws_as_csv(&self.table).map(|text| ("text/csv", text)),
            "md" => self.table.report().map(|report| ("text/markdown", press::report::markdown(&report))),
            "html" => self.table.report().map(|report| ("text/html", press::report::html(&report))),
            _ => return Vec::new(),
        };
        match made {
            Ok((mime, text)) => {
                let name = format!("{}.{kind}", file_name(&self.card.name));
                vec![Command::Download { name, kind: mime.to_owned(), text }]
            }
            Err(fault) => self.refuse([fault.to_string()]),
        }
    }
}

/// A name that every system takes for a file.
fn file_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(60).collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "table".to_owned() } else { parts.join("-") }
}
