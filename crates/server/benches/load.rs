//! How much a server bears, on one machine over loopback: 1,000 tables with two live clients each,
//! 200 rolls a second in all, each durable in SQLite before it is answered; the memory of an idle
//! live client; and chances asked by programs. The server is a process of its own, so that its
//! memory is its own.
//!
//! `cargo bench -p adjutant-server --bench load [-- TABLES SECONDS]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Client, Game, Process, at, begin, listen, memory_of, serve, shot};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if given.first().is_some_and(|word| word == "server") {
        return serve(&given[1]);
    }
    let number = |place: usize, usual: u64| {
        given.get(place).and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (tables, seconds) = (number(0, 1000), number(1, 20));
    let folder = tempfile::tempdir_in(".").unwrap();
    let place = folder.path().join("tables.db").display().to_string();
    let server = Process::start(&std::env::current_exe().unwrap(), &place);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(load(server.address.clone(), server.id(), tables as usize, seconds));
}

async fn load(address: String, process: u32, tables: usize, seconds: u64) {
    let started = Instant::now();
    let few = Arc::new(Semaphore::new(16));
    let games = (0..tables).map(|_| {
        let (address, few) = (address.clone(), few.clone());
        tokio::spawn(async move {
            let _one = few.acquire_owned().await.unwrap();
            begin(&address).await
        })
    });
    let mut all = Vec::new();
    for game in games.collect::<Vec<_>>() {
        all.push(game.await.unwrap());
    }
    println!("{tables} games created in {:.1?}", started.elapsed());
    let before = memory_of(process);
    let mut heard = Vec::new();
    for game in &all {
        for token in &game.tokens {
            let (tell, hear) = mpsc::unbounded_channel();
            tokio::spawn(listen(address.clone(), game.id.clone(), token.clone(), tell));
            heard.push(hear);
        }
    }
    for hear in &mut heard {
        hear.recv().await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let clients = (tables * 2) as u64;
    let each = memory_of(process).saturating_sub(before) as f64 / clients as f64;
    println!(
        "{clients} live clients: {each:.1} KB of the server's memory each (goal: at most 16 KB)"
    );
    rolls(&address, &all, heard, seconds).await;
    chances(&address, 5).await;
}

/// So long a roll may take.
const GOAL: Duration = Duration::from_millis(10);

/// 200 rolls a second, each at its time whether or not those before are done.
async fn rolls(
    address: &str,
    games: &[Game],
    heard: Vec<mpsc::UnboundedReceiver<(u64, Instant)>>,
    seconds: u64,
) {
    let count = (200 * seconds) as usize;
    let (done, mut answers) = mpsc::unbounded_channel();
    let pool: Arc<tokio::sync::Mutex<Vec<Client>>> = Arc::default();
    let start = Instant::now() + Duration::from_millis(100);
    for n in 0..count {
        let due = start + Duration::from_millis(5) * n as u32;
        tokio::time::sleep_until(due.into()).await;
        let game = &games[n % games.len()];
        let (id, token, after) =
            (game.id.clone(), game.tokens[n % 2].clone(), 4 + (n / games.len()) as u64);
        let (pool, address, done) = (pool.clone(), address.to_owned(), done.clone());
        tokio::spawn(async move {
            let kept = pool.lock().await.pop();
            let mut client = match kept {
                Some(client) => client,
                None => Client::new(&address).await,
            };
            let (status, answer) =
                client.post(&format!("/api/games/{id}/play"), &token, &shot(after)).await;
            done.send((n, status, answer["n"].as_u64(), Instant::now() - due)).unwrap();
            pool.lock().await.push(client);
        });
    }
    drop(done);
    let (mut times, mut slow, mut kept) = (Vec::new(), Vec::new(), vec![4_u64; games.len()]);
    while let Some((n, status, number, took)) = answers.recv().await {
        assert!(status == 200 && number.is_some(), "a roll was not stored: {status}");
        times.push(took);
        slow.extend((took > GOAL).then_some(n));
        kept[n % games.len()] += 1;
    }
    let mut late = 0;
    for (place, mut hear) in heard.into_iter().enumerate() {
        for wanted in 5..=kept[place / 2] {
            loop {
                let (number, _) = tokio::time::timeout(Duration::from_secs(10), hear.recv())
                    .await
                    .expect("a line is lost")
                    .unwrap();
                if number > 0 {
                    assert_eq!(number, wanted, "out of order");
                    break;
                }
            }
            late += 1;
        }
    }
    let (middle, most, worst) = (at(&mut times, 0.5), at(&mut times, 0.99), at(&mut times, 1.0));
    println!(
        "{count} rolls at 200 a second: median {middle:.1?}, 99 % within {most:.1?} (goal: 10 ms), longest {worst:.1?}"
    );
    slow.sort_unstable();
    for group in slow.chunk_by(|a, b| b - a < 20) {
        println!(
            "  {} took longer, due {:.2} s after the start",
            group.len(),
            0.005 * group[0] as f64
        );
    }
    println!("{late} lines heard by {} clients, none lost or out of order", games.len() * 2);
}

/// What is asked: all values of both sides, both kinds of ammunition, and whatever else of the
/// situation is said.
fn questions() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (value, def) in (0..=20).flat_map(|value| (0..=20).map(move |def| (value, def))) {
        for bits in 0..128 {
            let ammo = if bits & 1 == 0 { "hesa" } else { "ap" };
            let said =
                ["close", "flank", "soft", "hard", "firer_moved", "over_half"].iter().zip(1..);
            let mut given =
                json!({ "ammo": ammo, format!("firer.{ammo}"): value, "target.def": def });
            said.for_each(|(name, place)| given[*name] = json!(bits >> place & 1 == 1));
            let body = json!({ "pack": "panzer8", "chart": "fire", "given": given }).to_string();
            all.push(format!("POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
        }
    }
    all
}

/// Chances over 32 connections, each asked for once; then some of them again and again.
async fn chances(address: &str, seconds: u64) {
    let questions = Arc::new(questions());
    let count = questions.len();
    for (kinds, again, how) in
        [(count, false, "each for the first time"), (4096, true, "of 4,096 kinds, again and again")]
    {
        let (asked, started) = (Arc::new(AtomicU64::new(0)), Instant::now());
        let hands = (0..32_usize).map(|hand| {
            let (address, questions, asked) =
                (address.to_owned(), questions.clone(), asked.clone());
            tokio::spawn(async move {
                let mut client = Client::new(&address).await;
                // All go through the list together, so that each question is asked by one.
                let mut place = hand;
                while started.elapsed() < Duration::from_secs(seconds) && (again || place < kinds) {
                    let (status, body) = client.ask(&questions[count - 1 - place % kinds]).await;
                    assert!(
                        status == 200 && body.starts_with(b"{\"pack\":\"panzer8\""),
                        "{status}"
                    );
                    asked.fetch_add(1, Relaxed);
                    place += 32;
                }
            })
        });
        for hand in hands.collect::<Vec<_>>() {
            hand.await.unwrap();
        }
        let rate = asked.load(Relaxed) as f64 / started.elapsed().as_secs_f64();
        println!(
            "{rate:.0} chances a second, {how}, with the client on the same cores (goal: 50,000 the first time)"
        );
    }
}
