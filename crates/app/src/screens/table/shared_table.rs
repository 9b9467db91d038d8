//! A table that a server keeps. A request carries the number of the last line this player saw. The
//! event stream brings all lines to all players in the same order; a copy is stored here, for
//! reading without a network. A request that comes too late is not lost: the form stays, and the
//! page names the player who was faster.

use super::action_panel::ActionPanel;
use super::game::{Game, Waiting};
use super::reply_to;
use super::seals::Seals;
use crate::app::Shared;
use crate::message::{Command, HttpCall, Now, Reply, ServerEvent, StreamEvent};
use crate::server_api::{AboutTable, ErrorBody, PlayReply};
use adjutant_api::{Act, Invitations, Roll, Rotate, Seated};
use adjutant_dice::{Entry, Missing, RecordedInput};
use adjutant_game::{
    Attempt, ConsentFor, Event, EventKind, LogError, LogFault, PlayRequest, Rejection, Seat, Stamp,
};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;
use serde::Serialize;
use std::collections::BTreeMap;

/// The state of the event stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// It is being opened.
    #[default]
    Opening,
    /// It is open.
    Open,
    /// It broke off; the script opens it again.
    Lost,
    /// The server does not accept the token any more.
    Refused,
}

/// What is known of the server and of this player there.
#[derive(Debug, Default)]
pub struct SharedTable {
    pub token: String,
    pub connection: Connection,
    /// Whether the stream has brought all lines that were stored before it was opened. Until then an
    /// open call may be an old one.
    pub caught_up: bool,
    /// How many calls each other player withdrew before this player caught up.
    pub withdrawn: BTreeMap<String, u32>,
    pub present: Vec<Seated>,
    pub manages: bool,
    pub invitations: Option<Invitations>,
    /// The invitation that is about to be replaced: the player is asked first.
    pub resetting: Option<Rotate>,
    /// The invitation that is shown as a QR code.
    pub scanned: Option<String>,
    /// The unfinished roll that the server holds for this player.
    pub ticket: Option<String>,
    /// The secrets of this player for sealed rolls.
    pub seals: Seals,
    /// Whether the last request was a step of a sealed roll, which the player did not ask for.
    quiet: bool,
    /// How many such steps in a row did not reach the server.
    failed: u32,
}

/// How long a step of a sealed roll waits before it is sent again, in milliseconds: longer each
/// time.
fn pause(failed: u32) -> u32 {
    500_u32 << failed.min(5)
}

/// Whether a sentence only says that the server was silent: it is not so when it answers.
fn is_silence(why: &str) -> bool {
    [text::NOT_SENT, text::NO_CONNECTION, text::CONNECTING].contains(&why)
}

impl SharedTable {
    /// With a token, and the stored chains of secrets.
    pub fn new(token: &str, stored: Option<&String>) -> SharedTable {
        SharedTable {
            token: token.to_owned(),
            seals: Seals::read(stored.cloned()),
            ..SharedTable::default()
        }
    }
}

impl Game {
    /// Opens the event stream and asks for the name of this player.
    pub fn listen(&self) -> Vec<Command> {
        let Some(server) = &self.server else { return Vec::new() };
        let listen = Command::OpenStream {
            table: self.card.id.clone(),
            token: server.token.clone(),
            after: self.table.lines().len() as u64,
        };
        vec![listen, self.get("", reply_to::Server::About)]
    }

    /// Reads something of the table from the server.
    pub fn get(&self, path: &str, reply_to: reply_to::Server) -> Command {
        let token = self.server.as_ref().map(|server| server.token.clone()).unwrap_or_default();
        let call = HttpCall {
            path: format!("api/games/{}{path}", self.card.id),
            token,
            ..HttpCall::default()
        };
        Command::Http { reply_to: reply_to.into(), call }
    }

    /// Posts something to the table at the server.
    pub fn call(&self, path: &str, reply_to: reply_to::Server, body: &impl Serialize) -> Command {
        let token = self.server.as_ref().map_or("", |server| server.token.as_str());
        let call = HttpCall::post(format!("api/games/{}{path}", self.card.id), token, body);
        Command::Http { reply_to: reply_to.into(), call }
    }

    /// Why nothing can be sent.
    pub fn cannot_send(&self) -> Option<&'static str> {
        match self.server.as_ref()?.connection {
            Connection::Open => None,
            Connection::Opening => Some(text::CONNECTING),
            Connection::Lost => Some(text::NO_CONNECTION),
            Connection::Refused => Some(text::SHUT_OUT),
        }
    }

    /// Posts a request. A failure of a quiet request is not shown: the player did not ask for it.
    pub fn post(
        &mut self,
        path: &str,
        reply_to: reply_to::Server,
        body: &impl Serialize,
        quiet: bool,
    ) -> Vec<Command> {
        if let Some(why) = self.cannot_send() {
            return self.refuse([why.to_owned()]);
        }
        self.waiting = Some(Waiting::Sent);
        if let Some(server) = &mut self.server {
            server.quiet = quiet;
        }
        vec![self.call(path, reply_to, body)]
    }

    /// Asks the server for an event other than a roll.
    pub fn send_act(&mut self, what: &EventKind) -> Vec<Command> {
        // Joining the sealed group does not depend on what others do at the same time.
        let after =
            (!matches!(what, EventKind::Seal(_))).then_some(self.table.lines().len() as u64);
        self.post(
            "/act",
            reply_to::Server::Acted,
            &Act { after, what },
            matches!(what, EventKind::Reveal { .. }),
        )
    }

    /// Asks the server to roll the chart on the panel, with what the player entered.
    pub fn send_roll(&mut self, own: bool, entered: Option<Entry>) -> Vec<Command> {
        let ticket = self.server.as_ref().and_then(|server| server.ticket.clone());
        let Some(panel) = &mut self.panel else { return Vec::new() };
        panel.set_own(own);
        let mut body = Roll { own, ..Roll::default() };
        match ticket {
            // The server knows the line after which an unfinished roll goes on.
            Some(ticket) => body.ticket = Some(ticket),
            None => {
                (body.play, body.after) =
                    (Some(panel.attempt.request().clone()), Some(self.table.lines().len() as u64))
            }
        }
        match entered {
            Some(Entry::Dice(faces)) => body.dice = Some(faces),
            Some(Entry::Card(card)) => body.cards = Some(vec![card]),
            Some(Entry::Answer { key, text }) => {
                panel.said.insert(key, text);
                body.answers.clone_from(&panel.said);
            }
            Some(Entry::Program) | None => {}
        }
        self.post("/play", reply_to::Server::Played, &body, false)
    }

    /// Asks the server to take back what the player entered last in the unfinished roll.
    pub fn send_back(&mut self) -> Vec<Command> {
        let ticket = self.server.as_ref().and_then(|server| server.ticket.clone());
        let own = self.panel.as_ref().is_some_and(|panel| panel.is_own());
        self.post(
            "/play",
            reply_to::Server::Played,
            &Roll { ticket, own, back: true, ..Roll::default() },
            false,
        )
    }

    /// The server replied, or a waiting time is over.
    pub fn server_replied(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        to: reply_to::Server,
        reply: Reply,
    ) -> Vec<Command> {
        match (to, reply) {
            (reply_to::Server::ChainsStored, reply) => {
                let todo = self.chains_stored(reply);
                // For when the table is closed and opened again.
                if let Some(stored) =
                    self.server.as_ref().and_then(|server| server.seals.stored.clone())
                {
                    shared.chains.insert(self.card.id.clone(), stored);
                }
                todo
            }
            (reply_to::Server::Retry, _) => self.tend(),
            (reply_to::Server::LinesAwaited, _) => self.no_more_behind(),
            (reply_to::Server::About, Reply::Http { status: 200, body }) => self.about(&body),
            (reply_to::Server::Invitations, Reply::Http { status: 200, body }) => {
                let free = |(side, _): &&(String, String)| {
                    let has =
                        |seat: &Seat| matches!(seat, Seat::Player { side: known } if known == side);
                    !self.table.people().iter().any(|(_, seat)| has(seat))
                };
                let all: Option<Invitations> = serde_json::from_str(&body).ok();
                // On the board, the link for the first free side can be scanned at once.
                let first = all.as_ref().and_then(|all| all.sides.0.iter().find(free));
                let first = first.map(|(_, key)| key.clone()).filter(|_| self.inviting);
                if let Some(server) = &mut self.server {
                    (server.invitations, server.scanned) = (all, first.or(server.scanned.take()));
                }
                Vec::new()
            }
            (
                reply_to::Server::About | reply_to::Server::Invitations,
                Reply::Http { status, body },
            ) => self.not_done(status, &ErrorBody::read(&body)),
            (reply_to::Server::About | reply_to::Server::Invitations, _) => Vec::new(),
            (
                reply_to::Server::Acted | reply_to::Server::Played,
                Reply::Http { status: 200, body },
            ) => {
                self.waiting = None;
                if let Some(server) = &mut self.server {
                    server.failed = 0;
                }
                let mut todo = self.answered(&body);
                todo.extend(self.go_on(shared, now));
                todo.extend(self.roll_next(now));
                // The stream may have brought the line before this response; a link that was owed
                // then is sent now.
                todo.extend(self.tend());
                todo
            }
            (reply_to::Server::Acted | reply_to::Server::Played, Reply::Http { status, body }) => {
                let error = ErrorBody::read(&body);
                self.waiting = None;
                self.queue.clear();
                if to == reply_to::Server::Played && matches!(status, 409 | 422) {
                    self.forget_roll(&error);
                }
                self.not_done(status, &error)
            }
            (reply_to::Server::Acted | reply_to::Server::Played, Reply::Failed(_)) => {
                self.waiting = None;
                self.not_sent()
            }
            (reply_to::Server::Acted | reply_to::Server::Played, _) => Vec::new(),
        }
    }

    fn about(&mut self, body: &str) -> Vec<Command> {
        let Ok(about) = serde_json::from_str::<AboutTable>(body) else { return Vec::new() };
        self.me = about.you;
        self.note_turn();
        if let Some(server) = &mut self.server {
            // Who is connected comes from the stream only: this response may be older.
            server.manages = about.manages;
        }
        self.settle_panel();
        self.tend()
    }

    /// A line was stored, or something is missing.
    fn answered(&mut self, body: &str) -> Vec<Command> {
        let Ok(reply) = serde_json::from_str::<PlayReply>(body) else {
            return self.refuse([text::NOT_SENT.to_owned()]);
        };
        if let Some(line) = reply.line {
            if let Some(server) = &mut self.server {
                server.ticket = None;
            }
            if let Some(panel) = &mut self.panel {
                panel.said.clear();
            }
            return self.line_came(&line);
        }
        self.wanted(reply.ticket, &reply.needs, reply.inputs)
    }

    /// Asks the player for what is missing. `came` is what the server has recorded so far.
    fn wanted(
        &mut self,
        ticket: Option<String>,
        needs: &[Missing],
        inputs: Vec<RecordedInput>,
    ) -> Vec<Command> {
        if let Some(server) = &mut self.server {
            server.ticket = ticket;
        }
        match (&mut self.panel, needs.first().cloned()) {
            (Some(panel), Some(need)) => {
                panel.attempt.set_inputs(inputs);
                panel.ask_for(&self.table, &self.me, need);
                vec![Command::Focus("ask".into())]
            }
            _ => self.refuse([text::NOT_SENT.to_owned()]),
        }
    }

    /// There was no response. A step of a sealed roll is sent again: the same link for the same
    /// call.
    fn not_sent(&mut self) -> Vec<Command> {
        // Rolling another player's call takes a button, so the player must hear about it.
        let by_hand =
            self.table.open_call().is_some_and(|call| call.is_settled() && call.by != self.me);
        match &mut self.server {
            Some(server) if server.quiet && !by_hand => {
                let ms = pause(server.failed);
                server.failed += 1;
                vec![Command::After { reply_to: reply_to::Server::Retry.into(), ms }]
            }
            _ => {
                // It may have arrived, and the stream may have brought a call already.
                let mut todo = self.refuse([text::NOT_SENT.to_owned()]);
                todo.extend(self.tend());
                todo
            }
        }
    }

    /// The server rejected a request.
    fn not_done(&mut self, status: u16, error: &ErrorBody) -> Vec<Command> {
        if status == 409 && error.ticket.is_some() {
            self.take_up(error.play.as_ref());
            return self.wanted(error.ticket.clone(), &error.needs, error.inputs.clone());
        }
        if status == 409
            && let Some(last) = error.last
        {
            let quiet = self.server.as_ref().is_some_and(|server| server.quiet);
            let known = last <= self.table.lines().len() as u64;
            return match (quiet, known) {
                // A link that was too late is sent again when the line before it is there.
                (true, true) => self.tend(),
                (true, false) => Vec::new(),
                (false, true) => self
                    .refuse([text::overtaken(self.entries.last().map_or("", |entry| &entry.by))]),
                (false, false) => {
                    self.overtaken = true;
                    Vec::new()
                }
            };
        }
        // The server, or a proxy before it, is busy or starting.
        if (status == 429 || status >= 500)
            && self.server.as_ref().is_some_and(|server| server.quiet)
        {
            return self.not_sent();
        }
        if status == 401
            && let Some(server) = &mut self.server
        {
            server.connection = Connection::Refused;
        }
        self.refuse([error.sentence().unwrap_or_else(|| text::NOT_SENT.to_owned())])
    }

    /// The server rejected a roll. If it names no ticket, it does not hold the roll any more, and
    /// the form is free again.
    fn forget_roll(&mut self, error: &ErrorBody) {
        let Some(server) = &mut self.server else { return };
        if error.ticket.is_none()
            && server.ticket.take().is_some()
            && let Some(panel) = &mut self.panel
        {
            panel.attempt.set_inputs(Vec::new());
            panel.ask = None;
        }
    }

    /// The server holds an unfinished roll of this player: its chart goes to the panel.
    fn take_up(&mut self, play: Option<&PlayRequest>) {
        let Some(play) = play else { return };
        if self.panel.as_ref().is_some_and(|panel| panel.chart().id == play.chart) {
            return;
        }
        let attempt = Attempt::from(play.clone());
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), &play.chart, attempt) else {
            return;
        };
        panel.settle(&self.table, &self.me);
        self.panel = Some(panel);
    }

    /// Something happened to the event stream.
    pub fn stream(&mut self, event: StreamEvent) -> Vec<Command> {
        let Some(server) = &mut self.server else { return Vec::new() };
        match event {
            StreamEvent::Open => {
                (server.connection, server.caught_up) = (Connection::Open, false);
                // A request from before the break may never be replied to.
                if server.quiet && matches!(self.waiting, Some(Waiting::Sent)) {
                    self.waiting = None;
                }
                Vec::new()
            }
            StreamEvent::Lost => {
                server.connection = Connection::Lost;
                server.present.clear();
                vec![Command::Announce(text::NO_CONNECTION.to_owned())]
            }
            StreamEvent::Refused(_) => {
                server.connection = Connection::Refused;
                vec![Command::Announce(text::SHUT_OUT.to_owned())]
            }
            StreamEvent::Sent { name: ServerEvent::Line, data } => self.line_came(&data),
            StreamEvent::Sent { name: ServerEvent::Presence, data } => {
                server.present = serde_json::from_str(&data).unwrap_or_default();
                // The server sends it after all lines.
                if !std::mem::replace(&mut server.caught_up, true) {
                    self.wrong.retain(|why| !is_silence(why));
                }
                self.tend()
            }
            StreamEvent::Sent { name: ServerEvent::Unknown, .. } => Vec::new(),
        }
    }

    /// A line arrived. One that is known already, or that comes too early, is ignored: the stream
    /// brings all lines.
    pub fn line_came(&mut self, line: &str) -> Vec<Command> {
        let line = line.trim_end();
        let after = self.table.lines().len() as u64;
        let (was_asked, mut todo) = (self.is_asked(), Vec::new());
        let event = match self.apply(line, &mut todo) {
            Ok(event) => event,
            Err(LogError {
                fault: LogFault::OutOfOrder { .. } | LogFault::Rejected(Rejection::NotALine(_)),
                ..
            }) => return Vec::new(),
            Err(error) => return self.refuse([text::broken(&en::log_error(&error))]),
        };
        todo.extend(self.show_applied(was_asked));
        todo.extend(self.note_withdrawn(&event));
        self.card.at.clone_from(&event.at);
        let reply_to = reply_to::Game::CopyStored.into();
        todo.push(Command::AppendLines {
            reply_to,
            card: self.card.clone(),
            after,
            lines: vec![line.to_owned()],
        });
        if event.by == self.me {
            self.wrong.retain(|why| !is_silence(why));
        }
        if std::mem::take(&mut self.overtaken) {
            todo.extend(self.refuse([text::overtaken(&event.by)]));
        }
        todo.extend(self.remember_log(&event));
        todo.extend(self.carry_out());
        todo.extend(self.tend());
        todo
    }

    /// Notes a call that another player withdrew while this player was away.
    fn note_withdrawn(&mut self, event: &Event) -> Option<Command> {
        let server = self.server.as_mut().filter(|server| !server.caught_up)?;
        if !matches!(event.what, EventKind::Withdraw { .. }) || event.by == self.me {
            return None;
        }
        let count = server.withdrawn.entry(event.by.clone()).or_default();
        *count += 1;
        Some(Command::Announce(text::withdrew_away(&event.by, *count)))
    }

    /// Does what this player asked for when the others have consented. The server does an undo by
    /// itself, but makes no line in the name of a player who rolls sealed.
    fn carry_out(&mut self) -> Vec<Command> {
        let Some(asked) =
            self.table.asked().filter(|asked| asked.by == self.me && !asked.yes.is_empty())
        else {
            return Vec::new();
        };
        if self.waiting.is_some() || self.cannot_send().is_some() {
            return Vec::new();
        }
        let member = self.table.sealed_circle().iter().find(|member| member.seal == asked.event);
        let sealed = self.table.sealed_circle().iter().any(|member| member.name == self.me);
        let what = match (asked.want, member) {
            (ConsentFor::Undo, _) if sealed => self.table.undo_event(),
            (ConsentFor::Redo, _) if sealed => self.table.redo_event(),
            (ConsentFor::Withdraw, _) => self.table.withdraw_event(),
            (ConsentFor::Release, Some(member)) => {
                Ok(EventKind::Release { who: member.name.clone(), mark: None })
            }
            _ => return Vec::new(),
        };
        let chains = self.server.as_ref().map(|server| &server.seals.chains);
        let what = what
            .ok()
            .zip(chains)
            .and_then(|(what, chains)| chains.sign(&self.table, &self.me, what).ok());
        let line = what.and_then(|what| self.table.act(&Stamp::new("-", &self.me), what).ok());
        line.map(|line| self.send_act(&line.event.what)).unwrap_or_default()
    }
}
