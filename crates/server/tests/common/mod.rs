//! What the tests of the server share: a server on a free port of loopback, and a client that
//! speaks HTTP by hand, so that it can also speak it badly.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "../../../store/tests/common/mod.rs"]
pub mod postgres_server;

use adjutant_server::{Config, Limits, Server};
use adjutant_store::{Store, StoreLocation};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

pub const LONG: Duration = Duration::from_secs(20);

/// A server with a runtime of its own, as another process would have.
pub struct House {
    pub address: SocketAddr,
    pub owner_key: String,
    server: Option<Server>,
    runtime: tokio::runtime::Runtime,
}

pub fn all_packs() -> Vec<Arc<adjutant_pack::Pack>> {
    adjutant_bundled_packs::IDS
        .iter()
        .map(|id| {
            Arc::new(
                adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None)
                    .unwrap(),
            )
        })
        .collect()
}

pub fn store_at(place: &str) -> Arc<dyn Store> {
    adjutant_store::open(&StoreLocation::parse(place).unwrap()).unwrap().into()
}

impl House {
    pub fn open(place: &str) -> House {
        House::with(place, |_| {})
    }

    pub fn with(place: &str, set: impl FnOnce(&mut Config)) -> House {
        let mut config = Config::new(store_at(place), all_packs());
        config.limits = Limits { heartbeat: Duration::from_millis(200), ..Limits::default() };
        set(&mut config);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(adjutant_server::serve(config)).unwrap();
        House {
            address: server.address(),
            owner_key: server.owner_key().to_owned(),
            server: Some(server),
            runtime,
        }
    }

    pub fn stop(mut self) {
        let server = self.server.take().unwrap();
        self.runtime.block_on(server.stop());
    }

    pub fn client(&self) -> Client {
        Client { address: self.address, token: None, headers: Vec::new() }
    }

    /// A table with two sides, started by Anna of the Allies.
    pub fn table(&self) -> (Client, Json) {
        self.table_of("panzer8")
    }

    pub fn table_of(&self, pack: &str) -> (Client, Json) {
        let begin = json!({ "name": "Hill 112", "pack": pack, "sides": ["Allies", "Axis"], "who": "Anna", "seat": { "player": { "side": "Allies" } } });
        let made = self.client().post("/api/games", &begin).must(201);
        (self.client().with(made["token"].as_str().unwrap()), made)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub token: Option<String>,
    pub headers: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    /// The JSON of an answer with this status.
    #[track_caller]
    pub fn must(&self, status: u16) -> Json {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

impl Client {
    pub fn with(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.clone() }
    }

    pub fn header(&self, name: &str, value: &str) -> Client {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, b"")
    }

    pub fn post(&self, path: &str, body: &Json) -> Answer {
        self.send("POST", path, body.to_string().as_bytes())
    }

    fn head(&self, method: &str, path: &str, length: Option<usize>) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {}\r\n", self.address);
        }
        if let Some(token) = &self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(length) = length {
            head += &format!("Content-Length: {length}\r\nConnection: close\r\n");
        }
        head + "\r\n"
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.set_write_timeout(Some(LONG)).unwrap();
        stream
    }

    pub fn send(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(self.head(method, path, Some(body.len())).as_bytes()).unwrap();
        // A server that refuses early may not read it all.
        let _ = stream.write_all(body);
        read_answer(&mut BufReader::new(stream), method == "HEAD")
            .unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    /// Anything at all, and what came back.
    pub fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        read_answer(&mut BufReader::new(stream), false)
    }

    pub fn events(&self, id: &str, after: u64) -> Stream {
        let mut stream = self.connect();
        stream
            .write_all(
                self.head("GET", &format!("/api/games/{id}/events?after={after}"), None).as_bytes(),
            )
            .unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader).expect("an answer");
        assert_eq!(status, 200, "{headers:?}");
        Stream { reader, text: String::new(), ended: false }
    }
}

fn read_head(reader: &mut impl BufRead) -> Option<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => return Some((status, headers)),
        }
    }
}

fn read_answer(reader: &mut impl BufRead, no_body: bool) -> Option<Answer> {
    let (status, headers) = read_head(reader)?;
    let mut answer = Answer { status, headers, body: Vec::new() };
    if no_body {
        return Some(answer);
    }
    match answer.header("content-length").and_then(|length| length.parse::<u64>().ok()) {
        Some(length) => drop(reader.take(length).read_to_end(&mut answer.body)),
        None => drop(reader.read_to_end(&mut answer.body)),
    }
    Some(answer)
}

/// A stream of events.
pub struct Stream {
    reader: BufReader<TcpStream>,
    text: String,
    ended: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub kind: String,
    pub id: Option<u64>,
    pub data: String,
}

impl Stream {
    /// The next event; none when the stream has ended.
    pub fn next(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let whole: String = self.text.drain(..end + 2).collect();
                let field = |name: &str| {
                    whole.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
                };
                if let (Some(kind), Some(data)) = (field("event: "), field("data: ")) {
                    return Some(Event {
                        kind,
                        id: field("id: ").and_then(|id| id.parse().ok()),
                        data,
                    });
                }
            }
            if self.ended {
                return None;
            }
            self.fill();
        }
    }

    fn fill(&mut self) {
        let mut size = String::new();
        let read = self.reader.read_line(&mut size);
        let length = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if !matches!(read, Ok(1..)) || length == 0 {
            self.ended = true;
            return;
        }
        let mut chunk = vec![0; length + 2];
        match self.reader.read_exact(&mut chunk) {
            Ok(()) => self.text.push_str(&String::from_utf8_lossy(&chunk[..length])),
            Err(_) => self.ended = true,
        }
    }

    /// The next line of the log.
    pub fn line(&mut self) -> (u64, Json) {
        loop {
            let event = self.next().expect("the stream goes on");
            if event.kind == "line" {
                return (event.id.unwrap(), serde_json::from_str(&event.data).unwrap());
            }
        }
    }

    /// Waits until exactly these are here.
    pub fn here(&mut self, wanted: &[&str]) {
        loop {
            let event = self.next().expect("the stream goes on");
            if event.kind == "here" {
                let here: Json = serde_json::from_str(&event.data).unwrap();
                let mut names: Vec<&str> = here
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| one["name"].as_str().unwrap())
                    .collect();
                names.sort_unstable();
                if names == wanted {
                    return;
                }
            }
        }
    }
}

pub fn file_in(folder: &tempfile::TempDir) -> String {
    folder.path().join("tables.db").display().to_string()
}

pub fn text(value: &Json) -> &str {
    value.as_str().unwrap()
}

/// Adds two elements, one for each side: u1 and u2.
pub fn recruit(client: &Client, id: &str) {
    let has = json!({ "hesa": "6", "ap": "4", "def": "4" });
    let unit = |name: &str, side: &str| json!({ "kind": "element", "name": name, "side": side, "has": has });
    client
        .post(
            &format!("/api/games/{id}/act"),
            &json!({ "do": { "add": [unit("Rifles", "Allies"), unit("Grenadiers", "Axis")] } }),
        )
        .must(200);
}

/// A shot of u1 at u2.
pub fn shot(after: u64) -> Json {
    let who = json!({ "firer": "u1", "target": ["u2"] });
    // One shot may put the target out of action; the next is allowed anyway.
    json!({ "after": after, "play": { "chart": "fire", "units": who, "given": { "ammo": "hesa" }, "anyway": true } })
}
