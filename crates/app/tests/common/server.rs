//! A server for the page, a few lines around the same `Table`, and players at it. What matters is
//! what the pages do.

use super::World;
use adjutant_app::{HttpCall, Message, Reply, ReplyTo, ServerEvent, StreamEvent};
use adjutant_dice::{EnteredInput, RandomInput};
use adjutant_game::{Begin, EventKind, NewUnit, PlayError, PlayRequest, Seat, Stamp, Table};
use serde_json::{Value, json};
use std::sync::Arc;

pub struct Server {
    pub table: Table,
    pub luck: RandomInput,
}

pub fn pack() -> Arc<adjutant_pack::Pack> {
    Arc::new(
        adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap(),
    )
}

pub fn stamp(by: &str) -> Stamp {
    Stamp::new("2026-11-16T04:00:00Z", by)
}

impl Server {
    pub fn new() -> Server {
        let mut server =
            Server { table: Table::empty(pack()), luck: RandomInput::from_bytes([9; 32]) };
        let begin = Begin {
            name: "Hill 112".into(),
            sides: vec!["Allies".into(), "Axis".into()],
            ..Begin::default()
        };
        let line = server.table.begin(&stamp("Anna"), begin).unwrap();
        server.table.apply(&line.text).unwrap();
        for (who, side) in [("Anna", "Allies"), ("Bob", "Axis")] {
            server
                .act(
                    who,
                    EventKind::Join { who: who.into(), role: Seat::Player { side: side.into() } },
                )
                .unwrap();
        }
        for (name, side) in [("Rifles", "Allies"), ("Grenadiers", "Axis")] {
            let recruit =
                NewUnit::from_template(server.table.pack(), "rifles", name, side).unwrap();
            server.act("Anna", EventKind::Add(vec![recruit])).unwrap();
        }
        server
    }

    pub fn act(&mut self, by: &str, what: EventKind) -> Result<String, String> {
        let line = self
            .table
            .act(&stamp(by), what)
            .map_err(|rejection| adjutant_wording::en::rejection(&rejection))?;
        self.table.apply(&line.text).map_err(|fault| adjutant_wording::en::log_error(&fault))?;
        Ok(line.text)
    }

    pub fn answer(&mut self, call: &HttpCall) -> (u16, Value) {
        let body: Value = serde_json::from_str(&call.body).unwrap_or_default();
        let by = call.token.strip_prefix("token-").unwrap_or_default();
        let last = self.table.lines().len() as u64;
        if body["after"].as_u64().is_some_and(|after| after != last) {
            return (409, json!({ "error": "the table has moved on", "last": last }));
        }
        match call.path.rsplit('/').next().unwrap_or_default() {
            "join" => {
                let name = body["name"].as_str().unwrap();
                (200, json!({ "token": format!("token-{name}"), "name": name, "role": "umpire" }))
            }
            "invitation" => (
                200,
                json!({ "name": "Hill 112", "pack": "panzer8", "pack_title": "", "pack_version": "", "pack_hash": "", "host": "Anna", "sides": ["Allies", "Axis"], "people": [{ "name": "Anna", "role": { "player": { "side": "Allies" } } }], "role": { "player": { "side": "Axis" } } }),
            ),
            "invitations" => (
                200,
                json!({ "umpire": "key-u", "spectator": "key-s", "sides": { "Allies": "key-0", "Axis": "key-1" } }),
            ),
            "lines?after=0" => (200, json!(self.table.to_json_lines())),
            "act" => {
                match serde_json::from_value(body["do"].clone())
                    .map_err(|fault| fault.to_string())
                    .and_then(|what| self.act(by, what))
                {
                    Ok(line) => {
                        if let Some(agreed) = self.table.agreed("2026-11-16T04:00:00Z") {
                            self.table.apply(&agreed.text).unwrap();
                        }
                        (200, json!({ "n": last + 1, "line": line }))
                    }
                    Err(why) => (422, json!({ "error": why, "sentences": [why] })),
                }
            }
            "play" => self.play(by, &body),
            _ => (
                200,
                json!({ "id": "t", "you": by, "name": "Hill 112", "pack": "panzer8", "manages": by == "Anna", "here": [{ "name": "Anna" }] }),
            ),
        }
    }

    pub fn play(&mut self, by: &str, body: &Value) -> (u16, Value) {
        let made = if body["sealed"] == true {
            self.table.sealed_play(&stamp(by), &mut EnteredInput::new())
        } else {
            let play: PlayRequest = serde_json::from_value(body["play"].clone()).unwrap();
            if body["own"] == true && body.get("dice").is_none() {
                let stop = self.table.play(&stamp(by), &play, &mut EnteredInput::new());
                let Err(PlayError::Needs { needs, .. }) = stop else { panic!("{stop:?}") };
                return (200, json!({ "needs": needs, "ticket": "ticket-1", "resolution": {} }));
            }
            self.table.play(&stamp(by), &play, &mut self.luck)
        };
        match made {
            Ok(line) => {
                self.table.apply(&line.text).unwrap();
                (200, json!({ "n": line.n, "line": line.text, "resolution": {} }))
            }
            Err(stop) => {
                let sentence = adjutant_wording::en::play_error(&stop);
                (422, json!({ "error": sentence, "sentences": [sentence] }))
            }
        }
    }
}

impl Server {
    /// The log as it was: an older copy was put back.
    pub fn cut(&mut self, lines: usize) {
        let kept: Vec<String> = self.table.lines().take(lines).map(str::to_owned).collect();
        self.table = Table::open(pack(), kept).unwrap();
    }

    /// How many links a member has revealed.
    pub fn links_of(&self, who: &str) -> usize {
        self.table
            .lines()
            .filter(|line| {
                line.contains(&format!("\"by\":\"{who}\"")) && line.contains("\"do\":{\"reveal\"")
            })
            .count()
    }
}

/// A player's page, with how many lines came down its stream.
pub struct Player {
    pub world: World,
    pub seen: usize,
    /// Whether the stream was just opened: who is here follows after the lines.
    pub opened: bool,
}

impl Player {
    pub fn joins(server: &mut Server, name: &str) -> Player {
        let mut player = Player {
            world: World { holds_calls: true, ..World::default() },
            seen: server.table.lines().len(),
            opened: false,
        };
        player.world.start("#/join/t/secret-key");
        assert!(
            !player.world.route().to_string().contains("secret"),
            "the key has left the address"
        );
        player.table(json!({ "join": { "name": name } }));
        player.calls(server);
        player.table_event(StreamEvent::Open);
        player
    }

    pub fn table(&mut self, message: Value) {
        self.world.send(serde_json::from_value(json!({ "table": message })).unwrap());
    }

    pub fn table_event(&mut self, event: StreamEvent) {
        self.opened |= event == StreamEvent::Open;
        self.world.send(Message::Stream { table: "t".into(), event });
    }

    /// The server answers what is open.
    pub fn calls(&mut self, server: &mut Server) {
        while !self.world.calls.is_empty() {
            let (reply_to, call) = self.world.calls.remove(0);
            let (status, body) = server.answer(&call);
            let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
            self.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body } });
        }
    }

    /// The same, and the stream is faster than the answer, as it is for a client close to the
    /// server.
    pub fn calls_after_stream(&mut self, server: &mut Server) {
        while !self.world.calls.is_empty() {
            let (reply_to, call) = self.world.calls.remove(0);
            let (status, body) = server.answer(&call);
            self.streams(server);
            self.world.send(Message::Reply {
                to: reply_to,
                reply: Reply::Http { status, body: body.to_string() },
            });
        }
    }

    /// Lines come down the stream.
    pub fn streams(&mut self, server: &Server) {
        let new: Vec<String> = server.table.lines().skip(self.seen).map(str::to_owned).collect();
        self.seen += new.len();
        for data in new {
            self.table_event(StreamEvent::Sent { name: ServerEvent::Line, data });
        }
        if std::mem::take(&mut self.opened) {
            let data =
                json!([{ "name": "Anna", "role": "umpire" }, { "name": "Bob", "role": "umpire" }])
                    .to_string();
            self.table_event(StreamEvent::Sent { name: ServerEvent::Presence, data });
        }
    }

    pub fn lines(&self) -> usize {
        self.world.lines.get("t").map_or(0, Vec::len)
    }
}

pub fn settle(server: &mut Server, players: &mut [&mut Player]) {
    for _ in 0..8 {
        for player in players.iter_mut() {
            player.calls(server);
            player.streams(server);
        }
    }
}

pub fn rally(player: &mut Player, unit: &str) {
    player.table(
        json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": unit } } }),
    );
    // Whatever state the unit is in.
    player.table(json!({ "play": "allow" }));
    player.table(json!({ "play": "roll" }));
    // A unit of the other side: the page asks first.
    if player.world.region("t-act").contains("for_other") {
        player.table(json!({ "play": { "for_other": true } }));
    }
}

impl Player {
    pub fn answered_once(&mut self, server: &mut Server) {
        let (reply_to, call) = self.world.calls.remove(0);
        let (status, body) = server.answer(&call);
        self.world.send(Message::Reply {
            to: reply_to,
            reply: Reply::Http { status, body: body.to_string() },
        });
    }

    /// What was sent last does not come back: it arrived, or it did not.
    pub fn loses(&mut self, server: &mut Server, arrives: bool) -> ReplyTo {
        let (reply_to, call) = self.world.calls.remove(0);
        if arrives {
            assert_eq!(server.answer(&call).0, 200);
        }
        reply_to
    }

    pub fn fails(&mut self, reply_to: ReplyTo) {
        self.world.send(Message::Reply { to: reply_to, reply: Reply::Failed("TypeError".into()) });
    }
}
