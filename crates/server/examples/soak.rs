//! A soak test: mixed load on two servers with one PostgreSQL while servers and database are killed
//! and restarted at random. Clients repeat what was not answered, with the same idempotency key and
//! perhaps on the other server. At the end every acknowledged event must be in its log, every
//! request carried out once, every stream complete, and every log must verify.
//!
//! `tools/soak [--minutes 30] [--games 40] [--seed N]`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

#[path = "../benches/common/mod.rs"]
mod common;
#[path = "../../store/tests/common/mod.rs"]
mod postgres_server;

use common::{Client, Game, Process, begin, listen_after, serve, shot};
use postgres_server::Server as Postgres;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if given.first().is_some_and(|word| word == "server") {
        return serve(&given[1]);
    }
    let number = |name: &str, usual: f64| {
        let place = given.iter().position(|word| word == name);
        place.and_then(|place| given.get(place + 1)).map_or(usual, |text| text.parse().unwrap())
    };
    let (minutes, games) = (number("--minutes", 30.0), number("--games", 40.0) as usize);
    let seed = number("--seed", f64::from(std::process::id())) as u64;
    println!("{minutes} minutes, {games} games, seed {seed}");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let database = Postgres::new();
    let place = database.fresh();
    let soak = Arc::new(Soak::new(&place));
    let (all, streams) = runtime.block_on(start(&soak, games));
    let players: Vec<_> = (all.iter().zip(0..))
        .map(|(game, number)| {
            let random = Random(seed.wrapping_mul(1_000_003).wrapping_add(number));
            runtime.spawn(play(Arc::clone(&soak), game.clone(), random))
        })
        .collect();
    disturb(&soak, &database, &place, Duration::from_secs_f64(minutes * 60.0), Random(seed));
    soak.done.store(true, Relaxed);
    let played: Vec<_> =
        players.into_iter().map(|player| runtime.block_on(player).unwrap()).collect();
    let faults = runtime.block_on(judge(&soak, &all, &played, streams));
    let check = adjutant_store::open(&adjutant_store::StoreLocation::parse(&place).unwrap());
    let sound = check.unwrap().check().unwrap().sound();
    println!("{}", soak.counts());
    println!("store sound: {sound}; faults: {}", faults.len());
    faults.iter().for_each(|fault| println!("FAULT: {fault}"));
    drop(soak);
    assert!(sound && faults.is_empty());
}

/// A small generator of numbers: the same seed gives the same kills.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 = self.0.max(1);
        (self.0 >> 11) % limit
    }
}

struct Soak {
    servers: [Mutex<Option<Process>>; 2],
    addresses: [Mutex<String>; 2],
    done: AtomicBool,
    /// Answers by their status; 0 if there was none.
    answers: Mutex<BTreeMap<u16, u64>>,
    kills: [AtomicU64; 2],
}

impl Soak {
    fn new(place: &str) -> Soak {
        let servers = [(); 2].map(|()| Process::start(&std::env::current_exe().unwrap(), place));
        let addresses = [0, 1].map(|n| Mutex::new(servers[n].address.clone()));
        Soak {
            servers: servers.map(|server| Mutex::new(Some(server))),
            addresses,
            done: AtomicBool::new(false),
            answers: Mutex::default(),
            kills: Default::default(),
        }
    }

    fn address(&self, server: usize) -> String {
        self.addresses[server].lock().unwrap().clone()
    }

    fn counts(&self) -> String {
        let [servers, databases] = self.kills.each_ref().map(|count| count.load(Relaxed));
        format!(
            "servers killed {servers} times, database {databases} times; answers by status: {:?}",
            self.answers.lock().unwrap()
        )
    }
}

async fn start(
    soak: &Arc<Soak>,
    count: usize,
) -> (Vec<Game>, Vec<mpsc::UnboundedReceiver<(u64, Instant)>>) {
    let (mut all, mut streams) = (Vec::new(), Vec::new());
    for number in 0..count {
        let game = begin(&soak.address(number % 2)).await;
        for side in 0..2 {
            let (tell, hear) = mpsc::unbounded_channel();
            let (soak, id, token) = (soak.clone(), game.id.clone(), game.tokens[side].clone());
            tokio::spawn(async move {
                let mut last = 4;
                while !tell.is_closed() {
                    last = listen_after(&soak.address(side), &id, &token, last, &tell).await;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            });
            streams.push(hear);
        }
        all.push(game);
    }
    (all, streams)
}

/// Kills servers and database until the time is over, and leaves all running.
fn disturb(soak: &Soak, database: &Postgres, place: &str, time: Duration, mut random: Random) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1000 + random.below(4000)));
        match random.below(5) {
            0 => database.crash(),
            1 => database.stop(),
            _ => {
                let server = random.below(2) as usize;
                let mut slot = soak.servers[server].lock().unwrap();
                slot.take().unwrap().kill();
                let fresh = Process::start(&std::env::current_exe().unwrap(), place);
                *soak.addresses[server].lock().unwrap() = fresh.address.clone();
                *slot = Some(fresh);
                soak.kills[0].fetch_add(1, Relaxed);
                continue;
            }
        }
        std::thread::sleep(Duration::from_millis(random.below(3000)));
        database.start();
        soak.kills[1].fetch_add(1, Relaxed);
    }
}

/// What a player knows: the text of each acknowledged event by its number, the words of the notes
/// that were acknowledged, and of those that were refused.
#[derive(Default)]
struct Played {
    acknowledged: BTreeMap<u64, String>,
    noted: Vec<String>,
    refused: Vec<String>,
}

/// Rolls and notes in one game, each repeated until there is an answer.
async fn play(soak: Arc<Soak>, game: Game, mut random: Random) -> Played {
    let (mut played, mut last, mut serial) = (Played::default(), 4, 0);
    while !soak.done.load(Relaxed) {
        serial += 1;
        let side = random.below(2) as usize;
        let words = format!("note {serial}");
        let (path, body) = match random.below(3) {
            0 => ("act", json!({ "do": { "note": { "text": words } } })),
            _ => ("play", shot(last)),
        };
        let (status, answer) =
            answer(&soak, &game, side, path, &format!("{serial}"), &body, &mut random).await;
        match (status, path) {
            (200, _) => {
                last = answer["n"].as_u64().unwrap();
                let line = answer["line"].as_str().unwrap().to_owned();
                played.acknowledged.insert(last, line);
                if path == "act" {
                    played.noted.push(words);
                }
            }
            (409, "play") => last = answer["last"].as_u64().unwrap(),
            (503, "act") => played.refused.push(words),
            (503, _) => {}
            other => panic!("{other:?} {answer}"),
        }
        tokio::time::sleep(Duration::from_millis(random.below(100))).await;
    }
    played
}

/// Sends until it is known what became of it. 503 counts only if every attempt before it was
/// answered with 503 as well: one without an answer may have been carried out.
async fn answer(
    soak: &Soak,
    game: &Game,
    side: usize,
    path: &str,
    key: &str,
    body: &Json,
    random: &mut Random,
) -> (u16, Json) {
    let mut lost = false;
    loop {
        let server = random.below(2) as usize;
        let address = soak.address(server);
        let sent = async {
            let mut client = Client::try_new(&address).await.ok()?;
            let path = format!("/api/games/{}/{path}", game.id);
            client.try_post(&path, &game.tokens[side], &[("Idempotency-Key", key)], body).await
        };
        let got = tokio::time::timeout(Duration::from_secs(30), sent).await.ok().flatten();
        let status = got.as_ref().map_or(0, |(status, _)| *status);
        *soak.answers.lock().unwrap().entry(status).or_default() += 1;
        match got {
            None | Some((500 | 408, _)) => lost = true,
            Some((503, _)) if lost => {}
            Some(answer) => return answer,
        }
        tokio::time::sleep(Duration::from_millis(20 + random.below(100))).await;
    }
}

/// Compares the logs with what the players know, and verifies each.
async fn judge(
    soak: &Soak,
    games: &[Game],
    played: &[Played],
    mut streams: Vec<mpsc::UnboundedReceiver<(u64, Instant)>>,
) -> Vec<String> {
    let files = adjutant_bundled_packs::files("panzer8").unwrap();
    let pack = Arc::new(adjutant_pack::read_pack(&files, None).unwrap());
    let mut faults = Vec::new();
    for (number, (game, played)) in games.iter().zip(played).enumerate() {
        let mut fault = |what: String| faults.push(format!("game {}: {what}", game.id));
        let known = played.acknowledged.keys().next_back().copied().unwrap_or(4);
        let log = read_log(soak, game, known).await;
        let lines: Vec<&str> = log.lines().collect();
        if let Err(wrong) = adjutant_game::import(pack.clone(), &log) {
            fault(format!("does not verify: {wrong}"));
        }
        for (n, line) in &played.acknowledged {
            if lines.get(*n as usize - 1) != Some(&line.as_str()) {
                fault(format!("acknowledged event {n} is not there"));
            }
        }
        let notes: Vec<String> = lines
            .iter()
            .filter_map(|line| {
                let event: Json = serde_json::from_str(line).unwrap();
                event["do"]["note"]["text"].as_str().map(str::to_owned)
            })
            .collect();
        if notes != played.noted {
            fault(format!("{} notes, {} acknowledged", notes.len(), played.noted.len()));
        }
        for words in played.refused.iter().filter(|words| notes.contains(words)) {
            fault(format!("“{words}” was refused and stored"));
        }
        for hear in &mut streams[2 * number..2 * number + 2] {
            if let Err(missing) = complete(hear, lines.len() as u64).await {
                fault(format!("a stream lacks event {missing}"));
            }
        }
    }
    println!("{} events", played.iter().map(|played| played.acknowledged.len()).sum::<usize>());
    faults
}

/// The whole log, up to event `known` at least: this server may not have heard of the last events
/// yet. The server gives it in parts.
async fn read_log(soak: &Soak, game: &Game, known: u64) -> String {
    let mut log = String::new();
    let path = format!("/api/games/{}?at_least={known}", game.id);
    let reached = Client::new(&soak.address(0)).await.try_get(&path, &game.tokens[0]).await;
    assert_eq!(reached.map(|(status, _)| status), Some(200), "event {known} of game {}", game.id);
    loop {
        let path = format!("/api/games/{}/lines?after={}", game.id, log.lines().count());
        let mut client = Client::new(&soak.address(0)).await;
        let (status, part) = client.try_get(&path, &game.tokens[0]).await.unwrap();
        assert_eq!(status, 200);
        if part.is_empty() {
            return log;
        }
        log += &String::from_utf8(part).unwrap();
    }
}

/// Every event from 5 to the last, in order; else the first that is missing.
async fn complete(
    hear: &mut mpsc::UnboundedReceiver<(u64, Instant)>,
    last: u64,
) -> Result<(), u64> {
    let mut wanted = 5;
    while wanted <= last {
        match tokio::time::timeout(Duration::from_secs(20), hear.recv()).await {
            Ok(Some((0, _))) => {}
            Ok(Some((number, _))) if number == wanted => wanted += 1,
            _ => return Err(wanted),
        }
    }
    Ok(())
}
