#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! The store against plain SQLite in the same run and on the same disk: an append with full
//! durability against a plain insert with the same pragmas, and opening and reading a long table.
//! Disks are noisy: compare the ratios, not the times. A missed goal is reported.

use adjutant_store::{NewTable, Store, StoreLocation, TableId, open};
use rusqlite::{Connection, params};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: usize = 41;
const APPENDS: usize = 50;
const LONG: usize = 10_000;

/// About as long as an event of a fire fight.
fn text(number: usize) -> String {
    format!(
        "{{\"number\":{number},\"who\":\"anna\",\"chart\":\"fire\",\"faces\":[7,3],\"filler\":\"{}\"}}",
        "x".repeat(280)
    )
}

fn bare(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
             CREATE TABLE events (game INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;",
        )
        .unwrap();
    connection
}

fn insert_bare(connection: &Connection, number: usize) {
    let mut insert = connection.prepare_cached("INSERT INTO events VALUES (1, ?1, ?2)").unwrap();
    insert.execute(params![number, text(number)]).unwrap();
}

fn append(store: &dyn Store, id: &TableId, number: usize) {
    store.append(id, number as u64 - 1, &[&text(number)]).unwrap();
}

fn micros(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / 1000.0
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn row(work: &str, ours: f64, hand: Option<f64>, goal: &str, met: bool) {
    let ratio = hand.map_or("      –".to_owned(), |hand| format!("{:>6.2}×", ours / hand));
    let hand = hand.map_or("–".to_owned(), |hand| format!("{hand:.1} µs"));
    println!(
        "{work:<58} {ours:>10.1} µs  {hand:>10}  {ratio}  {goal:<22} {}",
        if met { "met" } else { "MISSED" }
    );
}

fn appends(folder: &Path) {
    let store = open(&StoreLocation::default_in(folder)).unwrap();
    let id = TableId::new().unwrap();
    store.create(&NewTable { id, name: "Friday", pack: "panzer8", lines: &[] }).unwrap();
    let bare = bare(&folder.join("bare.db"));
    let (mut ours, mut hand) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let numbers = round * APPENDS + 1..=(round + 1) * APPENDS;
        ours.push(micros(|| numbers.clone().for_each(|number| append(&*store, &id, number))));
        hand.push(micros(|| numbers.clone().for_each(|number| insert_bare(&bare, number))));
    }
    let each = |times: Vec<f64>| median(times) / APPENDS as f64;
    let (ours, hand) = (each(ours), each(hand));
    row(
        "an append, durable, against a bare insert",
        ours,
        Some(hand),
        "≤ 1.5 × bare",
        ours <= 1.5 * hand,
    );
}

fn opening(folder: &Path) {
    let place = StoreLocation::default_in(&folder.join("long"));
    let store = open(&place).unwrap();
    let id = TableId::new().unwrap();
    let lines: Vec<String> = (1..=LONG).map(text).collect();
    store
        .create(&NewTable {
            id,
            name: "Long",
            pack: "panzer8",
            lines: &lines.iter().map(String::as_str).collect::<Vec<_>>(),
        })
        .unwrap();
    drop(store);
    let read = |store: &dyn Store| assert_eq!(black_box(store.read(&id, 0).unwrap()).len(), LONG);
    let cold = median((0..15).map(|_| micros(|| read(&*open(&place).unwrap()))).collect());
    row(
        "open the file and read 10,000 events",
        cold,
        None,
        "≤ 50 ms with the fold",
        cold <= 50_000.0,
    );
    let store = open(&place).unwrap();
    let warm = median((0..15).map(|_| micros(|| read(&*store))).collect());
    row("   read them from an open store", warm, None, "(no goal)", true);
    let tail = median(
        (0..101)
            .map(|_| micros(|| drop(black_box(store.read(&id, LONG as u64 - 1).unwrap()))))
            .collect(),
    );
    row("   read the last one", tail, None, "(no goal)", true);
}

fn main() {
    println!("{:<58} {:>13}  {:>10}  {:>7}  {:<22}", "work", "here", "bare", "ratio", "goal");
    let folder = tempfile::tempdir().unwrap();
    appends(folder.path());
    opening(folder.path());
}
