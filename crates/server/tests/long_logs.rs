#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Long logs: they are sent whole, and an import that takes too long stores nothing.

mod common;

use adjutant_game::{Begin, EventKind, Seat, Stamp, Table};
use common::{House, file_in, text};
use serde_json::json;
use std::time::Duration;

/// A game of Anna with so many remarks.
fn log(remarks: usize) -> String {
    let pack = common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap();
    let (mut table, stamp) = (Table::empty(pack), Stamp::new("2026-11-16T02:00:00Z", "Anna"));
    let sides = vec!["Allies".to_owned(), "Axis".to_owned()];
    let begin = Begin { name: "Long".to_owned(), sides, ..Begin::default() };
    let join = EventKind::Join { who: "Anna".to_owned(), role: Seat::Umpire };
    let remark = |n: usize| EventKind::Note { text: format!("remark {n}") };
    for what in [EventKind::Begin(begin), join].into_iter().chain((0..remarks).map(remark)) {
        table.append(&table.act(&stamp, what).unwrap().text).unwrap();
    }
    table.to_json_lines()
}

#[test]
fn the_whole_log_is_sent_however_long_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.work = Duration::from_secs(300);
        config.limits.patience = Duration::from_secs(600);
    });
    let log = log(5_300);
    let made = house.client().send("POST", "/api/games/import", log.as_bytes()).must(201);
    let (anna, id) = (house.client().with(text(&made["token"])), text(&made["id"]));
    let sent = anna.get(&format!("/api/games/{id}/lines"));
    assert!(sent.text() == log, "{} of {} bytes", sent.body.len(), log.len());
    assert_eq!(sent.header("content-length"), Some(log.len().to_string().as_str()));
    let rest = anna.get(&format!("/api/games/{id}/lines?after=5000")).text();
    assert!(log.ends_with(&rest) && rest.lines().count() == 302);
    for after in [5_302, 9_999, u64::MAX] {
        let none = anna.get(&format!("/api/games/{id}/lines?after={after}"));
        assert_eq!((none.status, none.text()), (200, String::new()));
    }
}

#[test]
fn the_log_of_a_game_that_cannot_be_played_here_is_sent_whole() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let log = log(200);
    let made = house.client().send("POST", "/api/games/import", log.as_bytes()).must(201);
    house.stop();
    let house = House::with(&file_in(&folder), |config| config.packs.clear());
    let anna = house.client().with(text(&made["token"]));
    assert!(anna.get(&format!("/api/games/{}/lines", text(&made["id"]))).text() == log);
}

#[test]
fn an_import_that_takes_too_long_stores_nothing_and_frees_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| config.limits.work = Duration::ZERO);
    let refused = house.client().send("POST", "/api/games/import", log(50).as_bytes()).must(422);
    assert!(text(&refused["error"]).contains("takes too long"), "{refused}");
    assert_eq!(house.client().get("/api/games").must(200)["games"], json!([]));
    assert!(house.client().get("/metrics").text().contains("adjutant_workers_busy 0"));
}

#[test]
fn an_import_that_was_answered_with_408_stores_nothing_later() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.patience = Duration::from_millis(30);
        config.limits.work = Duration::from_secs(300);
    });
    house.client().send("POST", "/api/games/import", log(18_000).as_bytes()).must(408);
    // This waits for work that was started.
    drop(house);
    let house = House::open(&file_in(&folder));
    assert_eq!(house.client().get("/api/games").must(200)["games"], json!([]));
}
