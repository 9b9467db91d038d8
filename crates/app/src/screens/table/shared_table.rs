//! A table that a server keeps. What is done is sent with the number of the last line that was seen; lines come down the
//! stream, to everybody in the same order, and are kept here as well, so that all stays readable without a network. A
//! throw that came too late is not lost: the form stays as it was, and who was faster is named.

use super::action_panel::ActionPanel;
use super::game::{Game, Waiting};
use super::re;
use super::seals::Seals;
use crate::app::Shared;
use crate::body::Body;
use crate::message::{Command, HttpCall, Now, Reply, Stream};
use crate::parts::ask::EnteredFace;
use crate::screens::home::error_sentence;
use crate::words::table as text;
use adjutant_dice::{Missing, RecordedInput};
use adjutant_game::{ConsentFor, Event, EventKind, Stamp};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// How the stream stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// It is being opened.
    #[default]
    Opening,
    /// Lines come.
    Open,
    /// It broke off and is tried again.
    Lost,
    /// The server does not let this token in any more.
    Refused,
}

/// Somebody who is here now.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Presence {
    pub name: String,
}

/// The keys of invitations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Invitations {
    pub umpire: String,
    pub spectator: String,
    pub sides: BTreeMap<String, String>,
}

/// What is known of the server's side of a table.
#[derive(Debug, Default)]
pub struct SharedTable {
    pub token: String,
    pub wire: Connection,
    pub here: Vec<Presence>,
    pub manages: bool,
    pub invitations: Option<Invitations>,
    /// The invitation that is shown as a picture to scan.
    pub scanned: Option<String>,
    /// The throw that waits at the server for an answer.
    pub ticket: Option<String>,
    /// The secrets of this player, for sealed throws.
    pub seals: Seals,
    /// Whether what was sent last was a step of a sealed throw, of which the player knows nothing.
    quiet: bool,
    /// How many such steps in a row did not reach the server.
    failed: u32,
}

/// How long a step of a sealed throw waits before it is sent again: longer each time, in milliseconds.
fn pause(failed: u32) -> u32 {
    500_u32 << failed.min(5)
}

impl SharedTable {
    /// With a token, and the chains that this device keeps for the table.
    pub fn new(token: &str, kept: Option<&String>) -> SharedTable {
        SharedTable { token: token.to_owned(), seals: Seals::read(kept.cloned()), ..SharedTable::default() }
    }
}

impl Game {
    /// Opens the stream of a shared table, and asks who one is there.
    pub fn listen(&self) -> Vec<Command> {
        let Some(net) = &self.net else { return Vec::new() };
        let listen = Command::Listen { table: self.card.id.clone(), token: net.token.clone(), after: self.table.lines().len() as u64 };
        vec![listen, self.call("GET", "", "about", "")]
    }

    pub fn call(&self, method: &str, path: &str, what: &str, body: &str) -> Command {
        let token = self.net.as_ref().map(|net| net.token.clone()).unwrap_or_default();
        let call = HttpCall { method: method.into(), path: format!("api/tables/{}{path}", self.card.id), token, body: body.to_owned() };
        Command::Call { re: re(&format!("net-{what}")), call }
    }

    /// Why nothing can be sent just now.
    pub fn cannot_send(&self) -> Option<&'static str> {
        match self.net.as_ref()?.wire {
            Connection::Open => None,
            Connection::Opening => Some(text::CONNECTING),
            Connection::Lost => Some(text::NO_CONNECTION),
            Connection::Refused => Some(text::SHUT_OUT),
        }
    }

    /// Asks the server for something; what is asked of itself, without the player, is not told when it fails.
    pub fn post(&mut self, path: &str, what: &str, body: &Body, quiet: bool) -> Vec<Command> {
        if let Some(why) = self.cannot_send() {
            return self.refuse([why.to_owned()]);
        }
        self.waiting = Some(Waiting::Sent);
        if let Some(net) = &mut self.net {
            net.quiet = quiet;
        }
        vec![self.call("POST", path, what, &body.text())]
    }

    /// Has the server do something other than a throw.
    pub fn send_act(&mut self, what: &EventKind) -> Vec<Command> {
        let body = Body::new().with("do", what);
        // Who joins the circle of sealed throws does so whatever others do meanwhile.
        let body = match what {
            EventKind::Seal(_) => body,
            _ => body.with("after", &self.table.lines().len()),
        };
        self.post("/act", "sent", &body, matches!(what, EventKind::Reveal { .. }))
    }

    /// Has the server throw what lies on the desk; what the player said just now goes with it.
    pub fn send_throw(&mut self, own: bool, given: Option<EnteredFace>) -> Vec<Command> {
        let ticket = self.net.as_ref().and_then(|net| net.ticket.clone());
        let Some(desk) = &mut self.desk else { return Vec::new() };
        desk.own = own;
        let mut body = match &ticket {
            Some(ticket) => Body::new().with("ticket", ticket),
            None => {
                let play = desk.play();
                let wish = Body::new().with("chart", &play.chart).with("who", &play.who).with("given", &play.given);
                let wish = wish.with("pending", &play.pending).with("side", &play.side);
                Body::new().within("play", &if play.anyway { wish.with("anyway", &true) } else { wish })
            }
        };
        if own {
            body = body.with("own", &true);
        }
        body = match given {
            Some(EnteredFace::Dice(faces)) => body.with("dice", &faces),
            Some(EnteredFace::Card(card)) => body.with("cards", &[card]),
            Some(EnteredFace::Answer(key, answer)) => {
                desk.said.insert(key, answer);
                body.with("answers", &desk.said)
            }
            None => body,
        };
        // A throw that goes on knows its place.
        if ticket.is_none() {
            body = body.with("after", &self.table.lines().len());
        }
        self.post("/play", "thrown", &body, false)
    }

    /// Has the server take back what the player gave last in the throw that waits there.
    pub fn send_back(&mut self) -> Vec<Command> {
        let ticket = self.net.as_ref().and_then(|net| net.ticket.clone());
        let mut body = Body::new().with("ticket", &ticket).with("back", &true);
        if self.desk.as_ref().is_some_and(|desk| desk.own) {
            body = body.with("own", &true);
        }
        self.post("/play", "thrown", &body, false)
    }

    /// The server answered, or did not.
    pub fn heard_net(&mut self, shared: &mut Shared, moment: &Now, what: &str, answer: Reply) -> Vec<Command> {
        let (status, body) = match answer {
            Reply::Reply { status, body } => (status, body),
            answer if what == "chain" => {
                let todo = self.chains_stored(answer);
                // The table may be closed and opened again.
                if let Some(kept) = self.net.as_ref().and_then(|net| net.seals.kept.clone()) {
                    shared.chains.insert(self.card.id.clone(), kept);
                }
                return todo;
            }
            Reply::Took(_) if what == "again" => return self.tend(),
            Reply::Took(_) if what == "behind" => return self.no_more_behind(),
            Reply::Failed(_) if matches!(what, "sent" | "thrown") => {
                self.waiting = None;
                return self.not_sent();
            }
            _ => return Vec::new(),
        };
        match (what, status) {
            ("about", 200) => self.about(&body),
            ("invitations", 200) => {
                if let Some(net) = &mut self.net {
                    net.invitations = serde_json::from_str(&body).ok();
                }
                Vec::new()
            }
            ("sent" | "thrown", 200) => {
                self.waiting = None;
                if let Some(net) = &mut self.net {
                    net.failed = 0;
                }
                let mut todo = self.answered(&body);
                todo.extend(self.go_on(shared, moment));
                // The stream may have brought the line before the answer came; what was owed then is tended to now.
                todo.extend(self.tend());
                todo
            }
            ("sent" | "thrown", status) => {
                self.waiting = None;
                self.queue.clear();
                if what == "thrown" && matches!(status, 409 | 422) {
                    self.forget_throw(&body);
                }
                self.not_done(status, &body)
            }
            (_, status) => self.not_done(status, &body),
        }
    }

    fn about(&mut self, body: &str) -> Vec<Command> {
        #[derive(Deserialize)]
        struct About {
            you: String,
            #[serde(default)]
            manages: bool,
        }
        let Ok(about) = serde_json::from_str::<About>(body) else { return Vec::new() };
        self.me = about.you;
        if let Some(net) = &mut self.net {
            // Who is here is told by the stream alone: this answer may be older than what came down it.
            net.manages = about.manages;
        }
        self.settle_desk();
        self.tend()
    }

    /// A line was kept, or something is still wanted.
    fn answered(&mut self, body: &str) -> Vec<Command> {
        #[derive(Deserialize)]
        struct ServerReply {
            line: Option<String>,
            ticket: Option<String>,
            #[serde(default)]
            needs: Vec<Missing>,
            #[serde(default)]
            came: Vec<RecordedInput>,
        }
        let Ok(reply) = serde_json::from_str::<ServerReply>(body) else { return self.refuse([text::NOT_SENT.to_owned()]) };
        if let Some(line) = reply.line {
            if let Some(net) = &mut self.net {
                net.ticket = None;
            }
            if let Some(desk) = &mut self.desk {
                desk.said.clear();
            }
            return self.line_came(&line);
        }
        self.wanted(reply.ticket, &reply.needs, reply.came)
    }

    /// The server stopped for want of something; `came` is what lies there already.
    fn wanted(&mut self, ticket: Option<String>, needs: &[Missing], came: Vec<RecordedInput>) -> Vec<Command> {
        if let Some(net) = &mut self.net {
            net.ticket = ticket;
        }
        match (&mut self.desk, needs.first().cloned()) {
            (Some(desk), Some(need)) => {
                desk.came = came;
                desk.ask_for(&self.table, &self.me, need);
                vec![Command::Focus("ask".into())]
            }
            _ => self.refuse([text::NOT_SENT.to_owned()]),
        }
    }

    /// Nothing came back. A step of a sealed throw is sent again by itself: the same link for the same call.
    fn not_sent(&mut self) -> Vec<Command> {
        // Who throws the call of another has pressed a button for it.
        let by_hand = self.table.open_call().is_some_and(|call| call.is_settled() && call.by != self.me);
        match &mut self.net {
            Some(net) if net.quiet && !by_hand => {
                let ms = pause(net.failed);
                net.failed += 1;
                vec![Command::Later { re: re("net-again"), ms }]
            }
            _ => {
                // It may have arrived nevertheless, and the stream has brought a call already.
                let mut todo = self.refuse([text::NOT_SENT.to_owned()]);
                todo.extend(self.tend());
                todo
            }
        }
    }

    /// Nothing was done.
    fn not_done(&mut self, status: u16, body: &str) -> Vec<Command> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Conflict {
            ticket: Option<String>,
            needs: Vec<Missing>,
            came: Vec<RecordedInput>,
            play: Option<Value>,
            last: Option<u64>,
        }
        let conflict: Conflict = serde_json::from_str(body).unwrap_or_default();
        if status == 409 && conflict.ticket.is_some() {
            self.take_up(conflict.play.as_ref());
            return self.wanted(conflict.ticket, &conflict.needs, conflict.came);
        }
        if status == 409
            && let Some(last) = conflict.last
        {
            let quiet = self.net.as_ref().is_some_and(|net| net.quiet);
            let known = last <= self.table.lines().len() as u64;
            return match (quiet, known) {
                // A link that came too late is shown again by itself, as soon as the line before it is there.
                (true, true) => self.tend(),
                (true, false) => Vec::new(),
                (false, true) => self.refuse([text::overtaken(&self.last_by())]),
                (false, false) => {
                    self.overtaken = true;
                    Vec::new()
                }
            };
        }
        // The server, or what stands before it, has too much to do or is starting.
        if (status == 429 || status >= 500) && self.net.as_ref().is_some_and(|net| net.quiet) {
            return self.not_sent();
        }
        if status == 401
            && let Some(net) = &mut self.net
        {
            net.wire = Connection::Refused;
        }
        self.refuse([error_sentence(body).unwrap_or_else(|| text::NOT_SENT.to_owned())])
    }

    /// The server refused to go on with a throw, and where it names no ticket it does not hold that throw any more: the form is free again.
    fn forget_throw(&mut self, body: &str) {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Held {
            ticket: Option<String>,
        }
        let held: Held = serde_json::from_str(body).unwrap_or_default();
        let Some(net) = &mut self.net else { return };
        if held.ticket.is_none()
            && net.ticket.take().is_some()
            && let Some(desk) = &mut self.desk
        {
            (desk.came, desk.ask) = (Vec::new(), None);
        }
    }

    /// Who made the last line.
    fn last_by(&self) -> String {
        let last = self.table.lines().last().and_then(|line| serde_json::from_str::<Event>(line).ok());
        last.map(|event| event.by).unwrap_or_default()
    }

    /// A throw of this player waits at the server, from before: its chart lies on the desk again.
    fn take_up(&mut self, play: Option<&Value>) {
        let Some(chart) = play.and_then(|play| play["chart"].as_str()) else { return };
        if self.desk.as_ref().is_some_and(|desk| desk.chart().id == *chart) {
            return;
        }
        let Some(mut desk) = ActionPanel::new(self.pack.clone(), chart) else { return };
        desk.who = play.and_then(|play| serde_json::from_value(play["who"].clone()).ok()).unwrap_or_default();
        desk.form.given = play.and_then(|play| serde_json::from_value(play["given"].clone()).ok()).unwrap_or_default();
        desk.anyway = play.is_some_and(|play| play["anyway"] == Value::Bool(true));
        desk.settle(&self.table, &self.me);
        self.desk = Some(desk);
    }

    /// Something came down the stream.
    pub fn streamed(&mut self, what: Stream) -> Vec<Command> {
        let Some(net) = &mut self.net else { return Vec::new() };
        match what {
            Stream::Open => {
                net.wire = Connection::Open;
                // What was sent before the break may never be answered.
                if net.quiet && matches!(self.waiting, Some(Waiting::Sent)) {
                    self.waiting = None;
                }
                self.tend()
            }
            Stream::Lost => {
                net.wire = Connection::Lost;
                net.here.clear();
                vec![Command::Say(text::NO_CONNECTION.to_owned())]
            }
            Stream::Refused(_) => {
                net.wire = Connection::Refused;
                vec![Command::Say(text::SHUT_OUT.to_owned())]
            }
            Stream::Event { event, data } => match event.as_str() {
                "line" => self.line_came(&data),
                "here" => {
                    net.here = serde_json::from_str(&data).unwrap_or_default();
                    Vec::new()
                }
                _ => Vec::new(),
            },
        }
    }

    /// A line of a shared table; one that is known already, or that comes before its time, is passed over: the stream brings all.
    pub fn line_came(&mut self, line: &str) -> Vec<Command> {
        let line = line.trim_end();
        let Ok(event) = serde_json::from_str::<Event>(line) else { return Vec::new() };
        let after = self.table.lines().len() as u64;
        if event.n != after + 1 {
            return Vec::new();
        }
        let mut todo = self.take(&[line.to_owned()]);
        if self.table.lines().len() as u64 == after + 1 {
            self.card.at.clone_from(&event.at);
            todo.push(Command::Keep { re: re("copied"), card: self.card.clone(), after, lines: vec![line.to_owned()] });
        }
        if std::mem::take(&mut self.overtaken) {
            todo.extend(self.refuse([text::overtaken(&event.by)]));
        }
        todo.extend(self.remember_log(&event));
        todo.extend(self.carry_out());
        todo.extend(self.tend());
        todo
    }

    /// Does what this player asked for as soon as the others have consented. The server carries out an undo by itself, but makes no line in
    /// the name of a player who throws sealed.
    fn carry_out(&mut self) -> Vec<Command> {
        let Some(asked) = self.table.asked().filter(|asked| asked.by == self.me && !asked.yes.is_empty()) else { return Vec::new() };
        if self.waiting.is_some() || self.cannot_send().is_some() {
            return Vec::new();
        }
        let stamp = Stamp::new("-", &self.me);
        let member = self.table.sealed_circle().iter().find(|member| member.seal == asked.event);
        let sealed = self.table.sealed_circle().iter().any(|member| member.name == self.me);
        let line = match (asked.want, member) {
            (ConsentFor::Undo, _) if sealed => self.table.undo(&stamp),
            (ConsentFor::Redo, _) if sealed => self.table.redo(&stamp),
            (ConsentFor::Withdraw, _) => self.table.withdraw(&stamp),
            (ConsentFor::Release, Some(member)) => self.table.release(&stamp, &member.name),
            _ => return Vec::new(),
        };
        line.map(|line| self.send_act(&line.event.what)).unwrap_or_default()
    }
}
