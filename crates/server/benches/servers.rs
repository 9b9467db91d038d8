//! Rolls on SQLite, on one server with PostgreSQL, and on two servers with one PostgreSQL and the
//! two sides of each game on different servers. Every roll has a time at which it is due; times are
//! counted from then, to the acknowledgement and to the moment when the other side sees the event.
//! Client, servers and database share one machine.
//!
//! `cargo bench -p adjutant-server --bench servers [-- [--against PROGRAM] [--games N] [--seconds N]
//! [--rates 200,400,800] [--idle CLIENTS,SECONDS]]`
//!
//! `PROGRAM` is an older build of this benchmark. It is measured in turns with this one, and the
//! ratios are printed: a shared machine is too noisy for single figures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;
#[path = "../../store/tests/common/mod.rs"]
mod postgres_server;

use common::{Client, Game, Process, at, begin, listen, memory_of, serve, shot};
use postgres_server::Server as Postgres;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc};

struct Options {
    against: Option<PathBuf>,
    games: usize,
    seconds: u64,
    rates: Vec<u64>,
    idle: Option<(usize, u64)>,
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if given.first().is_some_and(|word| word == "server") {
        return serve(&given[1]);
    }
    let option = |name: &str| {
        given.iter().position(|word| word == name).and_then(|place| given.get(place + 1)).cloned()
    };
    let number = |name: &str, usual: u64| option(name).map_or(usual, |text| text.parse().unwrap());
    let list = |text: String| text.split(',').map(|n| n.parse().unwrap()).collect::<Vec<u64>>();
    let options = Options {
        against: option("--against").map(PathBuf::from),
        games: number("--games", 200) as usize,
        seconds: number("--seconds", 10),
        rates: list(option("--rates").unwrap_or_else(|| "200,400,800".to_owned())),
        idle: option("--idle").map(list).map(|both| (both[0] as usize, both[1])),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    match options.idle {
        Some((clients, seconds)) => runtime.block_on(idle(clients, seconds)),
        None => matrix(&runtime, &options),
    }
}

/// Where the games are stored, and how many servers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Setup {
    Sqlite,
    OneServer,
    TwoServers,
}

const SETUPS: [Setup; 3] = [Setup::Sqlite, Setup::OneServer, Setup::TwoServers];

impl Setup {
    fn name(self) -> &'static str {
        match self {
            Setup::Sqlite => "SQLite",
            Setup::OneServer => "PostgreSQL, one server",
            Setup::TwoServers => "PostgreSQL, two servers",
        }
    }
}

/// What one run measured.
struct Times {
    acknowledged: [Duration; 2],
    seen: [Duration; 2],
    /// The longest time to an acknowledgement, and when after the start that roll was due.
    longest: (Duration, Duration),
    missed: usize,
    /// Transactions of the database for each roll. Other load on the machine does not change it.
    transactions: Option<f64>,
}

fn matrix(runtime: &tokio::runtime::Runtime, options: &Options) {
    let here = std::env::current_exe().unwrap();
    let programs: Vec<(&str, PathBuf)> =
        options.against.iter().map(|old| ("old", old.clone())).chain([("new", here)]).collect();
    println!(
        "{} games of two live clients, {} s each; median / 99 % within",
        options.games, options.seconds
    );
    println!(
        "| rolls/s | store | build | acknowledged | seen by the other side | longest | missed | transactions a roll |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut all = BTreeMap::new();
    for rate in &options.rates {
        for setup in SETUPS {
            for (build, program) in &programs {
                let times = run(runtime, setup, program, options, *rate);
                println!(
                    "| {rate} | {} | {build} | {} | {} | {:.1?}, at {:.1?} | {} | {} |",
                    setup.name(),
                    shown(times.acknowledged),
                    shown(times.seen),
                    times.longest.0,
                    times.longest.1,
                    times.missed,
                    times.transactions.map_or("–".to_owned(), |count| format!("{count:.1}"))
                );
                all.insert((*rate, setup, *build), times);
            }
        }
    }
    let ratio = |over: Duration, under: Duration| over.as_secs_f64() / under.as_secs_f64();
    for rate in &options.rates {
        let [one, two] = [Setup::OneServer, Setup::TwoServers].map(|s| &all[&(*rate, s, "new")]);
        println!(
            "{rate}/s: two servers ÷ one: median {:.2}, 99 % {:.2}",
            ratio(two.acknowledged[0], one.acknowledged[0]),
            ratio(two.acknowledged[1], one.acknowledged[1])
        );
        for setup in SETUPS {
            if let Some(old) = all.get(&(*rate, setup, "old")) {
                let new = &all[&(*rate, setup, "new")];
                println!(
                    "{rate}/s, {}: new ÷ old: acknowledged {:.2} / {:.2}, seen {:.2} / {:.2}",
                    setup.name(),
                    ratio(new.acknowledged[0], old.acknowledged[0]),
                    ratio(new.acknowledged[1], old.acknowledged[1]),
                    ratio(new.seen[0], old.seen[0]),
                    ratio(new.seen[1], old.seen[1])
                );
            }
        }
    }
}

fn shown([median, most]: [Duration; 2]) -> String {
    format!("{median:.1?} / {most:.1?}")
}

fn run(
    runtime: &tokio::runtime::Runtime,
    setup: Setup,
    program: &std::path::Path,
    options: &Options,
    rate: u64,
) -> Times {
    let folder = tempfile::tempdir_in(".").unwrap();
    let place = match setup {
        Setup::Sqlite => folder.path().join("tables.db").display().to_string(),
        Setup::OneServer | Setup::TwoServers => Postgres::shared().fresh(),
    };
    let count = if setup == Setup::TwoServers { 2 } else { 1 };
    let servers: Vec<Process> = (0..count).map(|_| Process::start(program, &place)).collect();
    let addresses = [servers[0].address.clone(), servers[count - 1].address.clone()];
    let count = || {
        let database = place.rsplit('/').next().filter(|_| setup != Setup::Sqlite)?;
        // Backends report their counts after a second at most.
        std::thread::sleep(Duration::from_millis(1500));
        let sql = "SELECT xact_commit FROM pg_stat_database WHERE datname = $1";
        Some(Postgres::shared().client("postgres").query_one(sql, &[&database]).unwrap().get(0))
    };
    runtime.block_on(rolls(addresses, options.games, options.seconds, rate, &count))
}

/// Starts games, a few at a time.
async fn begin_all(address: &str, count: usize) -> Vec<Game> {
    let few = Arc::new(Semaphore::new(8));
    let games: Vec<_> = (0..count)
        .map(|_| {
            let (address, few) = (address.to_owned(), few.clone());
            tokio::spawn(async move {
                let _one = few.acquire_owned().await.unwrap();
                begin(&address).await
            })
        })
        .collect();
    let mut all = Vec::new();
    for game in games {
        all.push(game.await.unwrap());
    }
    all
}

/// Each game's rolls in turns from both sides, at fixed times. The times of the other side are
/// taken from its stream.
async fn rolls(
    addresses: [String; 2],
    games: usize,
    seconds: u64,
    rate: u64,
    transactions: &dyn Fn() -> Option<i64>,
) -> Times {
    let all = begin_all(&addresses[0], games).await;
    let mut streams = Vec::new();
    for game in &all {
        let heard = [0, 1].map(|side| {
            let (tell, hear) = mpsc::unbounded_channel();
            let (id, token) = (game.id.clone(), game.tokens[side].clone());
            tokio::spawn(listen(addresses[side].clone(), id, token, tell));
            hear
        });
        streams.push(heard);
    }
    for hear in streams.iter_mut().flatten() {
        hear.recv().await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = tokio::task::block_in_place(transactions);
    let start = Instant::now() + Duration::from_millis(200);
    let each = (rate * seconds) as usize / games;
    let players: Vec<_> = all
        .into_iter()
        .enumerate()
        .map(|(place, game)| {
            let addresses = addresses.clone();
            let due = move |n: usize| {
                start + Duration::from_secs(1) * (n * games + place) as u32 / rate as u32
            };
            tokio::spawn(async move { play(&addresses, &game, each, due).await })
        })
        .collect();
    let (mut acknowledged, mut seen, mut missed) = (Vec::new(), Vec::new(), 0);
    let mut longest = (Duration::ZERO, Duration::ZERO);
    for (player, heard) in players.into_iter().zip(streams) {
        let done = player.await.unwrap();
        acknowledged.extend(done.iter().map(|(due, at)| at.duration_since(*due)));
        let slowest = done.iter().map(|(due, at)| (at.duration_since(*due), *due - start)).max();
        longest = longest.max(slowest.unwrap_or_default());
        missed += watch(&done, heard, &mut seen).await;
    }
    let after = tokio::task::block_in_place(transactions);
    let transactions = after
        .zip(before)
        .map(|(after, before)| (after - before) as f64 / acknowledged.len() as f64);
    let both = |times: &mut Vec<Duration>| [at(times, 0.5), at(times, 0.99)];
    Times {
        acknowledged: both(&mut acknowledged),
        seen: both(&mut seen),
        longest,
        missed,
        transactions,
    }
}

/// When each roll was due and when it was acknowledged.
async fn play(
    addresses: &[String; 2],
    game: &Game,
    count: usize,
    due: impl Fn(usize) -> Instant,
) -> Vec<(Instant, Instant)> {
    let mut clients = [Client::new(&addresses[0]).await, Client::new(&addresses[1]).await];
    let mut done = Vec::new();
    for n in 0..count {
        tokio::time::sleep_until(due(n).into()).await;
        let path = format!("/api/games/{}/play", game.id);
        let (status, answer) =
            clients[n % 2].post(&path, &game.tokens[n % 2], &shot(4 + n as u64)).await;
        assert_eq!(status, 200, "a roll was not stored: {answer}");
        assert_eq!(answer["n"], 5 + n as u64);
        done.push((due(n), Instant::now()));
    }
    done
}

/// Reads both streams to the end. Every event must come once and in order; those that do not come
/// are counted.
async fn watch(
    done: &[(Instant, Instant)],
    heard: [mpsc::UnboundedReceiver<(u64, Instant)>; 2],
    seen: &mut Vec<Duration>,
) -> usize {
    let mut missed = 0;
    for (side, mut hear) in heard.into_iter().enumerate() {
        let mut wanted = 5;
        while wanted < 5 + done.len() as u64 {
            match tokio::time::timeout(Duration::from_secs(10), hear.recv()).await {
                Ok(Some((0, _))) => {}
                Ok(Some((number, when))) => {
                    assert_eq!(number, wanted, "out of order");
                    let n = (number - 5) as usize;
                    if n % 2 != side {
                        seen.push(when.duration_since(done[n].0));
                    }
                    wanted += 1;
                }
                Ok(None) | Err(_) => {
                    missed += 5 + done.len() - wanted as usize;
                    break;
                }
            }
        }
    }
    missed
}

/// Memory of idle live clients, and whether each still gets an event after this time.
async fn idle(clients: usize, seconds: u64) {
    let folder = tempfile::tempdir_in(".").unwrap();
    let place = folder.path().join("tables.db").display().to_string();
    let server = Process::start(&std::env::current_exe().unwrap(), &place);
    let all = begin_all(&server.address, clients / 2).await;
    let before = memory_of(server.id());
    let mut streams = Vec::new();
    for game in &all {
        for token in &game.tokens {
            let (tell, hear) = mpsc::unbounded_channel();
            tokio::spawn(listen(server.address.clone(), game.id.clone(), token.clone(), tell));
            streams.push(hear);
        }
    }
    for hear in &mut streams {
        hear.recv().await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let each = |now: u64| now.saturating_sub(before) as f64 / clients as f64;
    println!("{clients} live clients: {:.1} KB each", each(memory_of(server.id())));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    println!("after {seconds} idle seconds: {:.1} KB each", each(memory_of(server.id())));
    let mut client = Client::new(&server.address).await;
    for game in &all {
        let path = format!("/api/games/{}/play", game.id);
        assert_eq!(client.post(&path, &game.tokens[0], &shot(4)).await.0, 200);
    }
    let mut missed = 0;
    for hear in &mut streams {
        let got = async {
            while let Some((number, _)) = hear.recv().await {
                if number == 5 {
                    return true;
                }
            }
            false
        };
        missed += usize::from(
            !tokio::time::timeout(Duration::from_secs(20), got).await.unwrap_or_default(),
        );
    }
    println!("one event in each game: missed by {missed} of {clients}");
}
