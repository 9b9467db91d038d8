//! The tab “More”: phases, the table's memory, options, decks, players, statistics, files, and the
//! table's name.

use super::Tab;
use super::game::Game;
use super::reply_to;
use super::report::Luck;
use super::seals::Sealing;
use crate::app::{self, Shared};
use crate::message::{Command, HttpCall, Method, Now, TableCard};
use crate::route::{GameTask, escape};
use adjutant_api::{CreatedGame, Rotate, RotateInvitations};
use adjutant_game::{DeckAct, EventKind, Forfeit, Seat, Table};
use adjutant_wording::en;
use adjutant_wording::en::page::{self as words, table as text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Sets an option at this table.
    Option(String, String),
    /// Sets a value that the table remembers.
    Memory(String, String),
    /// Does something with a deck.
    Deck {
        /// The deck's id.
        deck: String,
        /// The side, where each side has its own.
        #[serde(default)]
        side: Option<String>,
        /// What to do.
        act: DeckAct,
        /// The cards, as typed.
        #[serde(default)]
        cards: BTreeMap<String, String>,
    },
    /// Gives a player a seat.
    Seat(BTreeMap<String, String>),
    /// Acts under this name.
    ActAs(String),
    /// Shows the statistics, or exports a battle report.
    Task(GameTask),
    /// Exports the table as a file.
    Export(ExportFormat),
    /// Renames the table on this device.
    Rename(BTreeMap<String, String>),
    /// Asks before the table is deleted from this device, or closes the question.
    ConfirmForget(bool),
    /// Deletes the table from this device.
    Forget,
    /// Uploads the table of this browser to the server.
    Upload,
    /// Shows the invitations on the board, and shares the game first if it is only in this browser.
    Invite,
    /// The player's name, which the others will see; then the game is shared.
    Host(BTreeMap<String, String>),
    /// Closes the invitations on the board.
    CloseInvite,
    /// Shows the invitations.
    ShowInvitations,
    /// Replaces an invitation; the old link becomes invalid.
    RenewInvitation(Rotate),
    /// Asks before an invitation is replaced; none closes the question.
    ConfirmReset(Option<Rotate>),
    /// Shows or hides an invitation as a QR code.
    ShowQr(String),
    /// Shares an invitation by the device's own means.
    ShareLink(String),
    /// Joins the sealed group.
    Seal,
    /// Joins the sealed group as its first member, and chooses what happens while a player is
    /// silent.
    SealWith(Forfeit),
    /// Replaces a chain that still serves, so that its next link confirms what this player did.
    Close,
    /// Accepts a log that was cut, with a new chain.
    AcceptCut,
    /// Withdraws the open call.
    Withdraw,
    /// Rolls the open call, when all links are there.
    FinishCall,
    /// Asks the others to release a player from the sealed group.
    Release(String),
}

/// A file that a table can be exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// The log.
    Jsonl,
    /// The rolls, for a spreadsheet.
    Csv,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub(super) struct More {
    pub luck: Option<Luck>,
    pub doubted: bool,
}

impl Game {
    /// The player did something.
    pub fn more(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::Option(name, value) => self.act(now, EventKind::Option { name, value }),
            Message::Memory(name, value) => {
                self.act(now, EventKind::Memory { name, side: None, value })
            }
            Message::Deck { deck, side, act, cards } => {
                let typed = cards.get("cards").map_or("", String::as_str);
                let cards = typed
                    .split([' ', ',', ';'])
                    .filter_map(|text| text.trim().parse().ok())
                    .collect();
                self.act(now, EventKind::Deck { deck, side, act, cards })
            }
            Message::Seat(fields) => self.seat(now, &fields),
            Message::ActAs(name) => {
                self.me = name;
                self.settle_panel();
                Vec::new()
            }
            Message::Task(task) => self.begin(shared, task),
            Message::Export(format) => self.export(shared, format),
            Message::Rename(fields) => {
                let name: String = fields
                    .get("name")
                    .map(|name| name.trim().chars().take(80).collect())
                    .unwrap_or_default();
                if name.is_empty() {
                    return self.refuse([text::NAME_MISSING.to_owned()]);
                }
                self.card.name = name;
                if let Some(known) = shared.tables.iter_mut().find(|known| known.id == self.card.id)
                {
                    known.name.clone_from(&self.card.name);
                }
                vec![Command::SaveCard {
                    reply_to: reply_to::Game::Renamed.into(),
                    card: TableCard { last: self.table.lines().len() as u64, ..self.card.clone() },
                }]
            }
            Message::ConfirmForget(doubted) => {
                self.more.doubted = doubted;
                Vec::new()
            }
            Message::Forget => vec![
                Command::SaveValue { key: format!("roll:{}", self.card.id), value: None },
                Command::DeleteTable {
                    reply_to: reply_to::Game::Forgotten.into(),
                    table: self.card.id.clone(),
                },
            ],
            together => self.together(shared, now, together),
        }
    }

    /// What concerns other players.
    fn together(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::Invite if self.server.is_none() => {
                if shared.settings.name.trim().is_empty() {
                    return self.ask_name();
                }
                shared.invite = true;
                self.share(shared, now)
            }
            Message::Host(fields) => {
                let name = fields.get("name").map(|name| name.trim()).unwrap_or_default();
                if name.is_empty() {
                    return self.ask_name();
                }
                let save = shared.settings.set_name(name);
                (self.me, self.inviting, shared.invite) = (name.to_owned(), false, true);
                [save].into_iter().chain(self.share(shared, now)).collect()
            }
            Message::Invite => {
                (self.inviting, self.tab) = (true, Tab::Play);
                vec![
                    self.get("/invitations", reply_to::Server::Invitations),
                    Command::Focus("invite".into()),
                ]
            }
            Message::CloseInvite => {
                self.inviting = false;
                Vec::new()
            }
            Message::Seal => self.seal(now, Sealing::Join(None)),
            Message::SealWith(forfeit) => self.seal(now, Sealing::Join(Some(forfeit))),
            Message::Close => self.seal(now, Sealing::Close),
            Message::AcceptCut => self.seal(now, Sealing::AcceptCut),
            Message::Withdraw => self.act_marked(now, self.table.withdraw_event()),
            Message::FinishCall => self.send_sealed(None),
            Message::Release(who) => {
                let what = match self.table.consent_to_release(&self.me, &who).is_empty() {
                    true => Ok(EventKind::Release { who, mark: None }),
                    false => self.table.ask_release_event(&who),
                };
                self.act_marked(now, what)
            }
            Message::Upload if shared.settings.name.trim().is_empty() => self.ask_name(),
            Message::Upload => self.share(shared, now),
            Message::ShowInvitations => {
                vec![self.get("/invitations", reply_to::Server::Invitations)]
            }
            Message::ConfirmReset(which) => {
                self.server.iter_mut().for_each(|server| server.resetting.clone_from(&which));
                which.map(|_| Command::Focus("reset".into())).into_iter().collect()
            }
            Message::RenewInvitation(which) => {
                self.server.iter_mut().for_each(|server| server.resetting = None);
                vec![self.call(
                    "/invitations",
                    reply_to::Server::Invitations,
                    &RotateInvitations { rotate: which },
                )]
            }
            Message::ShowQr(key) => {
                if let Some(server) = &mut self.server {
                    server.scanned =
                        if server.scanned.as_ref() == Some(&key) { None } else { Some(key) };
                }
                Vec::new()
            }
            Message::ShareLink(key) => {
                let text = shared.link(&crate::Route::Join(self.card.id.clone(), key));
                vec![Command::Share {
                    reply_to: app::ReplyTo::Copied.into(),
                    title: self.card.name.clone(),
                    text,
                }]
            }
            _ => Vec::new(),
        }
    }

    /// Asks for the player's name on the board: the others will see it.
    fn ask_name(&mut self) -> Vec<Command> {
        (self.inviting, self.tab) = (true, Tab::Play);
        vec![Command::Focus("host-name".into())]
    }

    /// Uploads the lines. A player without a seat plays the side that is nearest on the board.
    fn share(&mut self, shared: &Shared, now: &Now) -> Vec<Command> {
        let path = format!("api/games/import?who={}", escape(&self.me));
        let mut table = self.table.clone();
        let seated = table.people().iter().any(|(name, _)| *name == self.me);
        if let Some(side) = self.near_side().filter(|_| !seated) {
            let role = Seat::Player { side: table.sides()[side].clone() };
            let join = table.act(&self.stamp(now), EventKind::Join { who: self.me.clone(), role });
            if let Ok(line) = join {
                // A line that was just made fits.
                let _ = table.append(&line.text);
            }
        }
        let call = HttpCall {
            method: Method::Post,
            path,
            token: String::new(),
            body: self.with_pack(shared, &table),
            ..HttpCall::default()
        };
        vec![Command::Http { reply_to: reply_to::Game::Uploaded.into(), call }]
    }

    /// The log, after its pack if that does not come with every Adjutant.
    fn with_pack(&self, shared: &Shared, table: &Table) -> String {
        let log = table.to_json_lines();
        match shared.packs.bundle(self.pack.id(), self.pack.hash()) {
            Some(bundle) => format!("{bundle}\n{log}"),
            None => log,
        }
    }

    /// The server keeps the table under its own id; this browser keeps its copy.
    pub(super) fn uploaded(&mut self, shared: &mut Shared, body: &str) -> Vec<Command> {
        let Ok(CreatedGame { id, token, .. }) = serde_json::from_str(body) else {
            return self.refuse([words::home::SERVER_REFUSED.to_owned()]);
        };
        let card = TableCard { id: id.clone(), token, last: 0, ..self.card.clone() };
        shared.tables.push(card.clone());
        vec![
            Command::SaveCard { reply_to: reply_to::Game::CopyStored.into(), card },
            Command::Go { to: crate::Route::Table(id).to_string(), replace: false },
        ]
    }

    fn seat(&mut self, now: &Now, fields: &BTreeMap<String, String>) -> Vec<Command> {
        let field =
            |name: &str| fields.get(name).map(|text| text.trim().to_owned()).unwrap_or_default();
        let role = match field("role").as_str() {
            "umpire" => Seat::Umpire,
            "spectator" => Seat::Spectator,
            side => Seat::Player { side: side.strip_prefix("side:").unwrap_or(side).to_owned() },
        };
        self.act(now, EventKind::Join { who: field("who"), role })
    }

    fn export(&mut self, shared: &Shared, format: ExportFormat) -> Vec<Command> {
        match format {
            ExportFormat::Jsonl => {
                let text = self.with_pack(shared, &self.table);
                vec![self.download("jsonl", "application/jsonl", text)]
            }
            ExportFormat::Csv => match adjutant_game::rolls_as_csv(&self.table) {
                Ok(text) => vec![self.download("csv", "text/csv", text)],
                Err(fault) => self.refuse([en::log_error(&fault)]),
            },
        }
    }

    /// Hands a file of this game to the player.
    pub(super) fn download(&self, ending: &str, kind: &str, text: String) -> Command {
        let name = format!("{}.{ending}", file_name(&self.card.name));
        Command::Download { name, kind: kind.to_owned(), text }
    }
}

/// A file name that every system accepts.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(60)
        .collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "table".to_owned() } else { parts.join("-") }
}
