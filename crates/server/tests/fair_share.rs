#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! One client cannot hold all workers, and a client that leaves frees its worker.

mod common;

use common::{Client, House, LONG, file_in};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A server with two workers behind a proxy, so that clients can be told apart.
fn house(folder: &tempfile::TempDir) -> House {
    House::with(&file_in(folder), |config| {
        config.origins = vec!["http://play.example.org".to_owned()];
        config.limits.workers = 2;
        config.limits.work = Duration::from_secs(300);
        config.limits.patience = Duration::from_secs(600);
        config.limits.burst = 1e6;
    })
}

fn fight(each: u32) -> Json {
    let sides = json!({ "ours": each, "theirs": each, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4 });
    json!({ "pack": "panzer8", "fight": "fire-fight", "given": sides })
}

/// Sends a request and does not read the answer.
fn send(client: &Client, body: &Json) -> TcpStream {
    let (body, from) = (body.to_string(), &client.headers[0].1);
    let mut stream = client.connect();
    write!(
        stream,
        "POST /api/fight HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {from}\r\nContent-Length: {}\r\n\r\n{body}",
        client.address,
        body.len()
    )
    .unwrap();
    stream
}

fn metric(owner: &Client, name: &str) -> u64 {
    let text = owner.get("/metrics").text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

#[track_caller]
fn wait_until(what: &str, done: impl Fn() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < LONG, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn many_large_fights_of_one_client_hold_up_no_other_and_end_when_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let house = house(&folder);
    let from = |address: &str| house.client().header("X-Forwarded-For", address);
    let owner = house.client().with(&house.owner_key);
    let greedy = from("192.0.2.1");
    let streams: Vec<TcpStream> = (0..12).map(|_| send(&greedy, &fight(8))).collect();
    let counts =
        || (metric(&owner, "adjutant_workers_busy"), metric(&owner, "adjutant_work_waiting"));
    wait_until("one fight runs and others wait", || counts().0 == 1 && counts().1 >= 8);
    // The other client does not wait for any of them.
    from("192.0.2.2").post("/api/fight", &fight(1)).must(200);
    assert!(counts().0 == 1 && counts().1 >= 1, "{:?}", counts());
    // Addresses of one IPv6 network are one client.
    let subnets: Vec<TcpStream> =
        (0..3).map(|n| send(&from(&format!("2001:db8:1:{n}::1")), &fight(8))).collect();
    wait_until("the network has the other worker", || counts().0 == 2);
    assert_eq!(metric(&owner, "adjutant_work_cancelled_total"), 0);
    drop((streams, subnets));
    wait_until("all work is cancelled", || counts() == (0, 0));
    assert!(metric(&owner, "adjutant_work_cancelled_total") >= 1);
    from("192.0.2.1").post("/api/fight", &fight(1)).must(200);
}

#[test]
fn a_fight_that_needs_more_memory_than_allowed_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let allowed = |memory: usize| {
        let house = House::with(&file_in(&folder), |config| {
            config.limits.work_memory = memory;
            config.limits.work = Duration::from_secs(4);
        });
        house.client().post("/api/fight", &fight(3)).must(200)["exact"].clone()
    };
    assert_eq!((allowed(64 << 20), allowed(10_000)), (Json::Bool(true), Json::Bool(false)));
}
