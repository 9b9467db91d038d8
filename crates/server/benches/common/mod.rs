//! What the benchmarks of the server share: a server in a process of its own, and clients.
#![allow(dead_code)]

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// The server, until its standard input closes.
pub fn serve(place: &str) {
    let packs = ["panzer8"].map(|id| {
        Arc::new(
            adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap(),
        )
    });
    let store =
        adjutant_store::open(&adjutant_store::StoreLocation::parse(place).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = adjutant_server::serve(adjutant_server::Config::new(store.into(), packs))
            .await
            .unwrap();
        println!("{}", server.address());
        std::io::stdout().flush().unwrap();
        let _ =
            tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await;
        server.stop().await;
    });
}

/// A server in a process of its own, so that its memory is its own and it can be killed.
pub struct Process {
    child: Child,
    pub address: String,
}

impl Process {
    /// `program` is called with `server PLACE` and prints its address.
    pub fn start(program: &Path, place: &str) -> Process {
        let mut child = Command::new(program)
            .args(["server", place])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Process { child, address: address.trim().to_owned() }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub async fn new(address: &str) -> Client {
        Client::try_new(address).await.unwrap()
    }

    pub async fn try_new(address: &str) -> std::io::Result<Client> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Client { stream, buffer: Vec::new() })
    }

    pub async fn post(&mut self, path: &str, token: &str, body: &Json) -> (u16, Json) {
        self.try_post(path, token, &[], body).await.expect("the server hung up")
    }

    /// `None` if the server hung up.
    pub async fn try_post(
        &mut self,
        path: &str,
        token: &str,
        headers: &[(&str, &str)],
        body: &Json,
    ) -> Option<(u16, Json)> {
        let body = body.to_string();
        let more: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{more}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (status, body) = self.try_ask(head.as_bytes()).await?;
        Some((status, serde_json::from_slice(body).unwrap()))
    }

    pub async fn try_get(&mut self, path: &str, token: &str) -> Option<(u16, Vec<u8>)> {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        let (status, body) = self.try_ask(head.as_bytes()).await?;
        Some((status, body.to_vec()))
    }

    /// Asks and waits for the whole answer; its status and body.
    pub async fn ask(&mut self, request: &[u8]) -> (u16, &[u8]) {
        self.try_ask(request).await.expect("the server hung up")
    }

    async fn try_ask(&mut self, request: &[u8]) -> Option<(u16, &[u8])> {
        self.buffer.clear();
        self.stream.write_all(request).await.ok()?;
        loop {
            if self.stream.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
            let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(&self.buffer[..end]).unwrap();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |text| text.parse().unwrap());
            let status = head[9..12].parse().unwrap();
            if self.buffer.len() >= end + 4 + length {
                return Some((status, &self.buffer[end + 4..end + 4 + length]));
            }
        }
    }
}

/// A game of two players.
#[derive(Clone)]
pub struct Game {
    pub id: String,
    pub tokens: [String; 2],
}

/// Starts a game with a unit on each side. Its last event is number 4.
pub async fn begin(address: &str) -> Game {
    let mut client = Client::new(address).await;
    let seat = json!({ "player": { "side": "Allies" } });
    let started = json!({ "name": "Load", "pack": "panzer8", "sides": ["Allies", "Axis"], "who": "Anna", "seat": seat });
    let (_, made) = client.post("/api/games", "", &started).await;
    let id = made["id"].as_str().unwrap().to_owned();
    let key = &made["invitations"]["sides"]["Axis"];
    let (_, joined) = client
        .post(&format!("/api/games/{id}/join"), "", &json!({ "key": key, "name": "Boris" }))
        .await;
    let tokens =
        [made["token"].as_str().unwrap().to_owned(), joined["token"].as_str().unwrap().to_owned()];
    let has = json!({ "hesa": "6", "def": "4" });
    let unit =
        |side: &str| json!({ "kind": "element", "name": "Rifles", "side": side, "has": has });
    let (status, _) = client
        .post(
            &format!("/api/games/{id}/act"),
            &tokens[0],
            &json!({ "do": { "add": [unit("Allies"), unit("Axis")] } }),
        )
        .await;
    assert_eq!(status, 200);
    Game { id, tokens }
}

/// A shot after this event.
pub fn shot(after: u64) -> Json {
    json!({ "after": after, "play": { "chart": "fire", "units": { "firer": "u1", "target": "u2" }, "given": { "ammo": "hesa" }, "anyway": true } })
}

/// Listens; sends the number of every line as it comes, and 0 for a list of players.
pub async fn listen(
    address: String,
    id: String,
    token: String,
    told: mpsc::UnboundedSender<(u64, Instant)>,
) {
    listen_after(&address, &id, &token, 4, &told).await;
}

/// The same after any event, until the stream ends; the last number that came.
pub async fn listen_after(
    address: &str,
    id: &str,
    token: &str,
    after: u64,
    told: &mpsc::UnboundedSender<(u64, Instant)>,
) -> u64 {
    let mut last = after;
    let Ok(mut stream) = TcpStream::connect(address).await else { return last };
    let head = format!(
        "GET /api/games/{id}/events?after={after} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    if stream.write_all(head.as_bytes()).await.is_err() {
        return last;
    }
    let mut text = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut text).await {
        let now = Instant::now();
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let frame = String::from_utf8_lossy(&text[..end]).into_owned();
            text.drain(..end + 2);
            let number = match frame.lines().find_map(|line| line.strip_prefix("id: ")) {
                Some(number) => number.trim().parse().unwrap(),
                None if frame.contains("event: here") => 0,
                None => continue,
            };
            last = last.max(number);
            if told.send((number, now)).is_err() {
                return last;
            }
        }
    }
    last
}

/// The resident memory of a process in KB.
pub fn memory_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|text| text.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// The time within which this share of all came.
pub fn at(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times
        .get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}
