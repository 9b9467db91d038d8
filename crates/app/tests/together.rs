//! Two players at one table that a server keeps. The server here is a few lines around the same `Table`; what matters is
//! what the pages do: nothing is lost, nothing is done twice, and sealed throws need nobody's finger.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{HttpCall, Message, Reply, ServerEvent, StreamEvent};
use adjutant_dice::{EnteredInput, RandomInput};
use adjutant_game::{Begin, EventKind, NewUnit, PlayError, PlayRequest, Seat, Stamp, Table};
use adjutant_wording::en;
use common::World;
use serde_json::{Value, json};
use std::sync::Arc;

struct Server {
    table: Table,
    luck: RandomInput,
}

fn pack() -> Arc<adjutant_pack::Pack> {
    Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap())
}

fn stamp(by: &str) -> Stamp {
    Stamp::new("2026-11-16T04:00:00Z", by)
}

impl Server {
    fn new() -> Server {
        let mut server = Server { table: Table::empty(pack()), luck: RandomInput::from_bytes([9; 32]) };
        let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
        let line = server.table.begin(&stamp("Anna"), begin).unwrap();
        server.table.apply(&line.text).unwrap();
        for (who, side) in [("Anna", "Allies"), ("Bob", "Axis")] {
            server.act(who, EventKind::Join { who: who.into(), role: Seat::Player { side: side.into() } }).unwrap();
        }
        for (name, side) in [("Rifles", "Allies"), ("Grenadiers", "Axis")] {
            let recruit = NewUnit::from_template(server.table.pack(), "rifles", name, side).unwrap();
            server.act("Anna", EventKind::Add(vec![recruit])).unwrap();
        }
        server
    }

    fn act(&mut self, by: &str, what: EventKind) -> Result<String, String> {
        let line = self.table.act(&stamp(by), what).map_err(|rejection| adjutant_wording::en::rejection(&rejection))?;
        self.table.apply(&line.text).map_err(|fault| adjutant_wording::en::log_error(&fault))?;
        Ok(line.text)
    }

    fn answer(&mut self, call: &HttpCall) -> (u16, Value) {
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
            "lines?after=0" => (200, json!(self.table.to_json_lines())),
            "act" => {
                match serde_json::from_value(body["do"].clone()).map_err(|fault| fault.to_string()).and_then(|what| self.act(by, what)) {
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

    fn play(&mut self, by: &str, body: &Value) -> (u16, Value) {
        let made = if body["sealed"] == true {
            self.table.sealed_play(&stamp(by), &mut EnteredInput::new())
        } else {
            let wish = &body["play"];
            let play = PlayRequest {
                chart: wish["chart"].as_str().unwrap().into(),
                who: serde_json::from_value(wish["who"].clone()).unwrap(),
                given: serde_json::from_value(wish["given"].clone()).unwrap(),
                ..PlayRequest::default()
            };
            if body["own"] == true && body.get("dice").is_none() {
                let stop = self.table.play(&stamp(by), &play, &mut EnteredInput::new());
                let Err(PlayError::Needs { needs, .. }) = stop else { panic!("{stop:?}") };
                return (200, json!({ "needs": needs, "ticket": "ticket-1", "account": {} }));
            }
            self.table.play(&stamp(by), &play, &mut self.luck)
        };
        match made {
            Ok(line) => {
                self.table.apply(&line.text).unwrap();
                (200, json!({ "n": line.n, "line": line.text, "account": {} }))
            }
            Err(stop) => {
                let sentence = adjutant_wording::en::play_error(&stop);
                (422, json!({ "error": sentence, "sentences": [sentence] }))
            }
        }
    }
}

impl Server {
    /// The log as it was: somebody has put an older copy back.
    fn cut(&mut self, lines: usize) {
        let kept: Vec<String> = self.table.lines().take(lines).map(str::to_owned).collect();
        self.table = Table::open(pack(), kept).unwrap();
    }

    /// How many links somebody has shown.
    fn links_of(&self, who: &str) -> usize {
        self.table.lines().filter(|line| line.contains(&format!("\"by\":\"{who}\"")) && line.contains("\"do\":{\"reveal\"")).count()
    }
}

/// A player's page, with how many lines came down its stream.
struct Player {
    world: World,
    seen: usize,
}

impl Player {
    fn joins(server: &mut Server, name: &str) -> Player {
        let mut player = Player { world: World { holds_calls: true, ..World::default() }, seen: server.table.lines().len() };
        player.world.start("#/join/t/secret-key");
        assert!(!player.world.route().to_string().contains("secret"), "the key has left the address");
        player.table(json!({ "join": { "name": name } }));
        player.calls(server);
        player.table_event(StreamEvent::Open);
        player
    }

    fn table(&mut self, message: Value) {
        self.world.send(serde_json::from_value(json!({ "table": message })).unwrap());
    }

    fn table_event(&mut self, event: StreamEvent) {
        self.world.send(Message::Stream { table: "t".into(), event });
    }

    /// The server answers what is open.
    fn calls(&mut self, server: &mut Server) {
        while !self.world.calls.is_empty() {
            let (reply_to, call) = self.world.calls.remove(0);
            let (status, body) = server.answer(&call);
            let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
            self.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body } });
        }
    }

    /// The same, and the stream is faster than the answer, as it is for whoever lives next to the server.
    fn calls_after_stream(&mut self, server: &mut Server) {
        while !self.world.calls.is_empty() {
            let (reply_to, call) = self.world.calls.remove(0);
            let (status, body) = server.answer(&call);
            self.streams(server);
            self.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body: body.to_string() } });
        }
    }

    /// Lines come down the stream.
    fn streams(&mut self, server: &Server) {
        let new: Vec<String> = server.table.lines().skip(self.seen).map(str::to_owned).collect();
        self.seen += new.len();
        for data in new {
            self.table_event(StreamEvent::Sent { name: ServerEvent::Line, data });
        }
    }

    fn lines(&self) -> usize {
        self.world.lines.get("t").map_or(0, Vec::len)
    }
}

fn settle(server: &mut Server, players: &mut [&mut Player]) {
    for _ in 0..8 {
        for player in players.iter_mut() {
            player.calls(server);
            player.streams(server);
        }
    }
}

fn rally(player: &mut Player, unit: &str) {
    player.table(json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": unit } } }));
    player.table(json!({ "play": "throw" }));
}

#[test]
fn both_see_the_same_and_who_is_late_is_told() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    assert!(anna.world.region("t-roster").contains("Grenadiers"), "{}", anna.world.html());
    // Both throw at once: Anna's is first.
    rally(&mut anna, "u1");
    rally(&mut bob, "u2");
    anna.calls(&mut server);
    bob.calls(&mut server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(bob.world.region("t-head").contains("Anna acted first"), "{}", bob.world.region("t-head"));
    assert!(bob.world.region("t-play").contains("class=\"desk\""), "the form is still there");
    bob.table(json!({ "play": "throw" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(anna.world.region("t-log").replace("Ask to undo", "Undo"), bob.world.region("t-log").replace("Ask to undo", "Undo"));
    assert_eq!(server.table.lines().len(), 7);
    assert_eq!((anna.lines(), bob.lines()), (7, 7), "both keep a copy");
}

#[test]
fn without_a_network_all_is_readable_and_a_throw_is_refused() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table_event(StreamEvent::Lost);
    anna.table(json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }));
    assert!(anna.world.region("t-play").contains("odds-bar"), "odds go on");
    assert!(anna.world.region("t-act").contains("No connection"));
    anna.table(json!({ "play": "throw" }));
    assert!(anna.world.calls.is_empty());
    assert!(anna.world.region("t-head").contains("No connection"));
    // Loaded again without a network, it is still there.
    let mut again = World { cards: anna.world.cards.clone(), lines: anna.world.lines.clone(), ..World::default() };
    again.start("#/game/t");
    assert!(again.region("t-roster").contains("Rifles"));
    anna.table_event(StreamEvent::Open);
    anna.table(json!({ "play": "throw" }));
    settle(&mut server, &mut [&mut anna]);
    assert_eq!(server.table.lines().len(), 6);
}

#[test]
fn own_dice_are_asked_for_by_the_server() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table(json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }));
    anna.table(json!({ "play": "own_dice" }));
    anna.calls(&mut server);
    assert!(anna.world.region("t-play").contains("pad-face"), "{}", anna.world.region("t-play"));
    anna.table(json!({ "play": { "answer": { "face": 7 } } }));
    let (_, call) = anna.world.calls.last().unwrap();
    assert!(call.body.contains("ticket-1") && call.body.contains("[7]"), "{}", call.body);
}

#[test]
fn a_throw_that_was_left_is_not_taken_up_by_the_next() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    for way_out in [json!({ "answer": "back" }), json!("close"), json!({ "form": { "give": ["lost", "3"] } })] {
        anna.table(json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }));
        anna.table(json!({ "play": "own_dice" }));
        anna.calls(&mut server);
        assert!(anna.world.region("t-play").contains("pad-face"));
        anna.table(json!({ "play": way_out }));
        rally(&mut anna, "u2");
        let (_, call) = anna.world.calls.last().unwrap();
        assert!(!call.body.contains("ticket-1") && call.body.contains("u2"), "{way_out}: {}", call.body);
        settle(&mut server, &mut [&mut anna]);
    }
}

#[test]
fn sealed_throws_need_no_finger_and_are_verified() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    // Every device draws its own luck.
    bob.world.ticks += 1000;
    anna.table(json!({ "more": "seal" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.table(json!({ "more": "seal" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.throws_sealed());
    assert!(anna.world.kept.contains_key("chain:t"), "the chain is kept before its end is published");
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let log = en::log(&server.table).unwrap();
    assert!(log.last().unwrap().text.contains("Sealed dice"), "{log:#?}");
    assert!(anna.world.region("t-play").contains("sealed · verified"));
    assert!(bob.world.region("t-log").contains("sealed · verified"));
    let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
    adjutant_game::verify(pack, server.table.lines(), None).unwrap();
}

#[test]
fn a_chain_that_an_opponent_has_burnt_is_replaced() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for player in [&mut anna, &mut bob] {
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
        // A second press changes nothing.
        player.streams(&server);
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    // Every call uses up a link of every chain, also one that is taken back at once.
    for _ in 0..500 {
        let line = server.table.call(&stamp("Bob"), &PlayRequest::of("rally").who("element", "u1"), &mut EnteredInput::new()).unwrap();
        server.table.apply(&line.text).unwrap();
        server.act("Bob", EventKind::Withdraw { call: line.n }).unwrap();
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.sealed_circle().iter().all(|member| member.left() == 0));
    for player in [&mut anna, &mut bob] {
        player.world.ticks += 7;
        player.table(json!({ "more": "seal" }));
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.sealed_circle().iter().all(|member| member.left() == 500), "{:?}", en::log(&server.table).unwrap().last());
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Sealed dice"));
    let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
    adjutant_game::verify(pack, server.table.lines(), None).unwrap();
}

#[test]
fn a_sealed_throw_goes_on_also_when_the_stream_is_faster_than_the_answer() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    // Both seal at once; neither is too late.
    anna.table(json!({ "more": "seal" }));
    bob.table(json!({ "more": "seal" }));
    for player in [&mut anna, &mut bob] {
        player.calls_after_stream(&mut server);
    }
    assert!(server.table.throws_sealed());
    anna.streams(&server);
    rally(&mut anna, "u1");
    for _ in 0..8 {
        for player in [&mut anna, &mut bob] {
            player.calls_after_stream(&mut server);
            player.streams(&server);
        }
    }
    assert!(anna.world.region("t-play").contains("sealed · verified"), "{:#?}", en::log(&server.table));
    assert!(bob.world.region("t-play").contains("sealed · verified"));
}

#[test]
fn who_is_here_is_what_the_stream_said_last() {
    let mut server = Server::new();
    let mut bob = Player { world: World { holds_calls: true, ..World::default() }, seen: server.table.lines().len() };
    bob.world.start("#/join/t/secret-key");
    bob.table(json!({ "join": { "name": "Bob" } }));
    // The answer about the table was made before Bob's own stream was open, and comes after what the stream says.
    while !bob.world.calls.is_empty() {
        let (reply_to, call) = bob.world.calls.remove(0);
        let (status, body) = server.answer(&call);
        bob.table_event(StreamEvent::Open);
        bob.table_event(StreamEvent::Sent {
            name: ServerEvent::Presence,
            data: r#"[{"name":"Anna","role":"Allies"},{"name":"Bob","role":"Axis"}]"#.into(),
        });
        let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
        bob.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body } });
    }
    let head = bob.world.region("t-head");
    assert!(head.contains("Anna") && head.contains("Bob"), "{head}");
}

/// Two who throw sealed. Anna has called a throw and shown her link; Bob's link is on its way.
fn bobs_link_on_its_way() -> (Server, Player, Player) {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for who in 0..2 {
        if who == 0 { &mut anna } else { &mut bob }.table(json!({ "more": "seal" }));
        settle(&mut server, &mut [&mut anna, &mut bob]);
    }
    rally(&mut anna, "u1");
    for _ in 0..4 {
        anna.calls(&mut server);
        anna.streams(&server);
    }
    bob.streams(&server);
    // Bob's page shows its link for the call, and again for the line that came after it.
    while server.links_of("Bob") == 0 && bob.world.calls.first().is_some_and(|(_, call)| stale(&server, call)) {
        bob.answered_once(&mut server);
    }
    assert!(bob.world.calls.first().is_some_and(|(_, call)| call.body.contains("reveal")), "{:?}", bob.world.calls);
    (server, anna, bob)
}

fn stale(server: &Server, call: &HttpCall) -> bool {
    let body: Value = serde_json::from_str(&call.body).unwrap_or_default();
    body["after"].as_u64() != Some(server.table.lines().len() as u64)
}

impl Player {
    fn answered_once(&mut self, server: &mut Server) {
        let (reply_to, call) = self.world.calls.remove(0);
        let (status, body) = server.answer(&call);
        self.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body: body.to_string() } });
    }

    /// What was sent last does not come back: it arrived, or it did not.
    fn loses(&mut self, server: &mut Server, arrives: bool) -> adjutant_app::ReplyTo {
        let (reply_to, call) = self.world.calls.remove(0);
        if arrives {
            assert_eq!(server.answer(&call).0, 200);
        }
        reply_to
    }

    fn fails(&mut self, reply_to: adjutant_app::ReplyTo) {
        self.world.send(Message::Reply { to: reply_to, reply: Reply::Failed("TypeError".into()) });
    }
}

#[test]
fn a_log_that_was_cut_gets_no_second_link() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    let before = server.table.lines().len();
    // The link arrives, Anna looks what comes of it, and the line is taken out of the log.
    let reply_to = bob.loses(&mut server, true);
    server.cut(before);
    bob.fails(reply_to);
    anna.table(json!({ "more": "withdraw" }));
    anna.calls(&mut server);
    anna.streams(&server);
    rally(&mut anna, "u1");
    anna.calls(&mut server);
    anna.streams(&server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.world.run_later();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 0, "{:#?}", en::log(&server.table));
    assert!(bob.world.region("t-head").contains("cut or forked"), "{}", bob.world.region("t-head"));
    assert!(bob.world.region("t-head").contains("Accept this log"));
    // Loaded again, it is the same; also where the copy of the log on this device is gone.
    for lines in [bob.world.lines.clone(), std::collections::BTreeMap::default()] {
        let world = World { holds_calls: true, cards: bob.world.cards.clone(), kept: bob.world.kept.clone(), lines, ..World::default() };
        let mut again = Player { world, seen: server.table.lines().len() };
        again.world.start("#/game/t");
        again.calls(&mut server);
        again.table_event(StreamEvent::Open);
        again.calls(&mut server);
        assert_eq!(server.links_of("Bob"), 0);
        assert!(again.world.region("t-head").contains("cut or forked"), "{}", again.world.html());
    }
    // Nor does Bob call a throw that he would show no link for.
    anna.table(json!({ "more": "withdraw" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    let lines = server.table.lines().len();
    rally(&mut bob, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.table.lines().len(), lines);
    // He may accept the log as it is: that stands in it, and the game goes on.
    bob.world.press("accept_cut");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Bob ends one chain and seals another"));
    assert!(!bob.world.region("t-head").contains("cut or forked"), "{}", bob.world.region("t-head"));
    rally(&mut bob, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(en::log(&server.table).unwrap().last().unwrap().text.contains("Sealed dice"));
    adjutant_game::verify(pack(), server.table.lines(), None).unwrap();
}

#[test]
fn a_window_that_slept_does_not_show_what_another_has_shown() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    let before = server.table.lines().len();
    let world = World {
        holds_calls: true,
        cards: bob.world.cards.clone(),
        kept: bob.world.kept.clone(),
        lines: bob.world.lines.clone(),
        ..World::default()
    };
    let mut other = Player { world, seen: before };
    // The other window was opened before the link was shown.
    other.world.kept.insert("chain:t".into(), older(&bob));
    other.world.start("#/game/t");
    other.calls(&mut server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 1);
    // Both windows have one store. The log is cut, and the window that slept gets a call that goes another way.
    other.world.kept.clone_from(&bob.world.kept);
    server.cut(before);
    server.act("Anna", EventKind::Withdraw { call: before as u64 - 1 }).unwrap();
    let line = server.table.call(&stamp("Anna"), &PlayRequest::of("rally").who("element", "u2"), &mut EnteredInput::new()).unwrap();
    server.table.apply(&line.text).unwrap();
    other.table_event(StreamEvent::Open);
    other.streams(&server);
    other.calls(&mut server);
    assert_eq!(server.links_of("Bob"), 0);
    assert!(other.world.region("t-head").contains("cut or forked"), "{}", other.world.region("t-head"));
}

#[test]
fn chains_that_older_pages_kept_are_read() {
    for old in [false, true] {
        let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
        settle(&mut server, &mut [&mut anna, &mut bob]);
        let kept: Value = serde_json::from_str(&bob.world.kept["chain:t"]).unwrap();
        let text = if old { kept["chains"][0].to_string() } else { kept["chains"].to_string() };
        let mut world = World { holds_calls: true, cards: bob.world.cards.clone(), lines: bob.world.lines.clone(), ..World::default() };
        world.kept.insert("chain:t".into(), text);
        let mut again = Player { world, seen: server.table.lines().len() };
        again.world.start("#/game/t");
        again.calls(&mut server);
        again.table_event(StreamEvent::Open);
        rally(&mut anna, "u1");
        settle(&mut server, &mut [&mut anna, &mut again]);
        assert_eq!(server.links_of("Bob"), 2, "{:#?}", en::log(&server.table));
    }
}

/// What the browser kept before the last link was shown.
fn older(player: &Player) -> String {
    let mut stored = player.world.told.iter().filter_map(|command| match command {
        adjutant_app::Command::ReplaceValue { before, .. } => before.clone(),
        _ => None,
    });
    stored.next_back().unwrap()
}

#[test]
fn a_link_is_sent_again_when_the_connection_returns() {
    for (arrives, answered) in [(false, true), (true, true), (false, false), (true, false)] {
        let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
        // The connection is back before the browser tells that the link was not sent; or it never tells.
        let reply_to = bob.loses(&mut server, arrives);
        bob.table_event(StreamEvent::Lost);
        bob.table_event(StreamEvent::Open);
        if answered {
            bob.fails(reply_to);
            assert!(!bob.world.region("t-head").contains("did not reach"), "the page sends it again by itself");
        }
        bob.world.run_later();
        settle(&mut server, &mut [&mut anna, &mut bob]);
        assert_eq!(server.links_of("Bob"), 1);
        for player in [&anna, &bob] {
            assert!(player.world.region("t-play").contains("sealed · verified"), "{arrives} {answered}: {:#?}", en::log(&server.table));
        }
        adjutant_game::verify(pack(), server.table.lines(), None).unwrap();
    }
}

#[test]
fn a_table_that_was_left_and_opened_again_has_its_chain() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.world.go("#/game/another");
    bob.world.go("#/game/t");
    bob.calls(&mut server);
    bob.table_event(StreamEvent::Open);
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(server.links_of("Bob"), 2, "{:#?}", en::log(&server.table));
    assert!(server.table.open_call().is_none());
}

#[test]
fn a_link_is_sent_again_while_the_server_is_busy() {
    let (mut server, mut anna, mut bob) = bobs_link_on_its_way();
    for failure in 0..3 {
        let reply_to = bob.loses(&mut server, false);
        match failure {
            // The stream goes on; only this did not get through.
            0 => bob.fails(reply_to),
            _ => bob.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status: 503, body: String::new() } }),
        }
        assert!(bob.world.calls.is_empty(), "not at once");
        assert_eq!(bob.world.later.len(), 1);
        bob.world.run_later();
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(bob.world.region("t-play").contains("sealed · verified"), "{:#?}", en::log(&server.table));
    // Who called was offline when the throw was to be made.
    rally(&mut anna, "u1");
    for _ in 0..3 {
        for player in [&mut anna, &mut bob] {
            while player.world.calls.first().is_some_and(|(_, call)| !call.path.ends_with("/play")) {
                player.answered_once(&mut server);
            }
            player.streams(&server);
        }
    }
    let reply_to = anna.loses(&mut server, false);
    anna.table_event(StreamEvent::Lost);
    anna.table_event(StreamEvent::Open);
    anna.fails(reply_to);
    anna.world.run_later();
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.open_call().is_none(), "{:#?}", en::log(&server.table));
}

#[test]
fn consent_carries_an_undo_out_on_both_pages() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    anna.table(json!({ "log": { "ask_consent": "undo" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.table(json!({ "log": { "consent": true } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    for player in [&anna, &bob] {
        assert!(player.world.region("t-log").contains("entry-undone"), "{}", player.world.region("t-log"));
        assert!(!player.world.region("t-play").contains("asks to undo"), "{}", player.world.region("t-play"));
    }
}

#[test]
fn in_a_sealed_circle_the_device_of_the_player_who_asked_carries_it_out() {
    let mut server = Server::new();
    let (mut anna, mut bob) = (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    bob.world.ticks += 1000;
    for player in [&mut anna, &mut bob] {
        player.table(json!({ "more": "seal" }));
        player.calls(&mut server);
        player.streams(&server);
    }
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.throws_sealed());
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    anna.table(json!({ "log": { "ask_consent": "undo" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    bob.table(json!({ "log": { "consent": true } }));
    bob.calls(&mut server);
    assert!(server.table.asked().is_some(), "the server makes no line in Anna's name");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(bob.world.region("t-log").contains("entry-undone"), "{}", bob.world.region("t-log"));
    anna.table(json!({ "more": { "release": "Bob" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(server.table.asked().is_some() && server.table.throws_sealed());
    bob.table(json!({ "log": { "consent": true } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(!server.table.throws_sealed(), "{:?}", en::log(&server.table).unwrap().last());
}

#[test]
fn a_die_given_to_the_server_is_taken_back() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table(json!({ "play": { "open_chart": { "chart": "fire", "role": "firer", "unit": "u1" } } }));
    anna.table(json!({ "play": { "pick": ["target", "u2"] } }));
    anna.table(json!({ "play": { "form": { "give": ["ammo", "hesa"] } } }));
    anna.table(json!({ "play": "own_dice" }));
    // The server has the first die, and asks for the second.
    let fire = PlayRequest::of("fire").who("firer", "u1").who("target", "u2").given("ammo", "hesa");
    let stop = server.table.play(&stamp("Anna"), &fire, &mut EnteredInput::new().with_dice([4]));
    let Err(PlayError::Needs { needs, came }) = stop else { panic!("{stop:?}") };
    let reply = |player: &mut Player, body: Value| {
        let (reply_to, call) = player.world.calls.remove(0);
        player.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status: 200, body: body.to_string() } });
        call
    };
    reply(&mut anna, json!({ "needs": needs, "ticket": "ticket-2", "came": came, "account": {} }));
    let shown = anna.world.region("t-play");
    assert!(shown.contains("Dice have been thrown for this"), "{shown}");
    assert!(!shown.contains("Not now"), "{shown}");
    anna.world.press("\"answer\":\"back\"");
    let stop = server.table.play(&stamp("Anna"), &fire, &mut EnteredInput::new());
    let Err(PlayError::Needs { needs, came }) = stop else { panic!("{stop:?}") };
    let call = reply(&mut anna, json!({ "needs": needs, "ticket": "ticket-3", "came": came, "account": {} }));
    assert!(call.body.contains("ticket-2") && call.body.contains("\"back\":true"), "{}", call.body);
    assert!(!anna.world.region("t-play").contains("Dice have been thrown for this"), "{}", anna.world.region("t-play"));
    // A throw that the server holds no longer leaves the form free.
    anna.world.press("\"answer\":{\"face\":4}");
    let (reply_to, _) = anna.world.calls.remove(0);
    let body = json!({ "error": "no throw waits under this ticket: it was finished, or begins anew" }).to_string();
    anna.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status: 409, body } });
    assert!(anna.world.region("t-head").contains("No throw waits"), "{}", anna.world.region("t-head"));
    assert!(!anna.world.region("t-play").contains("class=\"ask\""), "{}", anna.world.region("t-play"));
}
