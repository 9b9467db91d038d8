#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! The laws of a store. Each is written once and run against SQLite and PostgreSQL. A law can open
//! its store several times: two stores at one location stand for two programs or two servers.

mod common;

use adjutant_store::{
    LONGEST_LINE, LONGEST_NAME, LONGEST_SHARED_TEXT, NewTable, Notice, Store, StoreError,
    StoreLocation, TableId, VersionedText, Watch, open, open_to_read,
};
use common::{Server, file_in};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

struct TestStore {
    place: StoreLocation,
}

impl TestStore {
    fn open(&self) -> Box<dyn Store> {
        open(&self.place).unwrap()
    }
}

macro_rules! laws {
    ($($law:ident)*) => {
        mod sqlite {
            $(#[test] fn $law() {
                let folder = tempfile::tempdir().unwrap();
                super::$law(&super::TestStore { place: super::file_in(&folder) });
            })*
        }
        mod postgres {
            $(#[test] fn $law() {
                super::$law(&super::TestStore { place: super::StoreLocation::parse(&super::Server::shared().fresh()).unwrap() });
            })*
        }
    };
}

laws! {
    what_is_appended_is_read
    a_stale_append_is_rejected_and_writes_nothing
    a_table_is_created_whole_or_not_at_all
    an_unknown_table_is_named
    only_single_lines_are_stored
    names_and_archive
    the_list_begins_with_what_was_played_last
    everything_survives_closing
    many_writers_leave_no_gap_and_lose_nothing
    many_can_create_a_store_at_once
    readers_see_whole_appends
    a_watcher_is_notified_of_every_change
    a_watcher_of_one_table_is_not_notified_of_others
    reading_only_writes_nothing
    a_store_in_use_is_sound
    a_text_is_written_only_over_the_version_seen
    concurrent_text_writes_lose_nothing
    a_watcher_is_notified_of_texts
    a_probe_writes_and_changes_no_table
    a_shared_text_is_kept_once_and_never_changed
}

fn table(store: &dyn Store, lines: &[&str]) -> TableId {
    let id = TableId::new().unwrap();
    store.create(&NewTable { id, name: "Friday", pack: "panzer8", lines }).unwrap();
    id
}

fn texts(store: &dyn Store, id: &TableId, after: u64) -> Vec<String> {
    let lines = store.read(id, after).unwrap();
    assert!(lines.iter().zip(after + 1..).all(|(line, number)| line.number == number));
    lines.into_iter().map(|line| line.text).collect()
}

fn what_is_appended_is_read(test: &TestStore) {
    let store = test.open();
    let batches = proptest::collection::vec(
        proptest::collection::vec("[^\r\n\0]{1,40}|\\{\"é\":\\[[1-6],'\"%\\$1\\]\\}", 0..4),
        0..6,
    );
    TestRunner::new(Config { source_file: Some(file!()), ..Config::with_cases(24) })
        .run(&(batches, 0..24_u64), |(batches, after)| {
            let mut written: Vec<String> = Vec::new();
            let first: Vec<&str> =
                batches.first().into_iter().flatten().map(String::as_str).collect();
            let id = table(&*store, &first);
            written.extend(first.iter().map(|line| (*line).to_owned()));
            for batch in batches.iter().skip(1) {
                let lines: Vec<&str> = batch.iter().map(String::as_str).collect();
                let last = store.append(&id, written.len() as u64, &lines).unwrap();
                written.extend(batch.iter().cloned());
                prop_assert_eq!(last, written.len() as u64);
            }
            prop_assert_eq!(store.summary(&id).unwrap().last, written.len() as u64);
            prop_assert_eq!(texts(&*store, &id, 0), &written[..]);
            let rest = store
                .read(&id, after)
                .unwrap()
                .into_iter()
                .map(|line| line.text)
                .collect::<Vec<_>>();
            prop_assert_eq!(rest, written.get(after as usize..).unwrap_or_default());
            Ok(())
        })
        .unwrap();
}

fn a_stale_append_is_rejected_and_writes_nothing(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let id = table(&*store, &["one", "two"]);
    assert_eq!(other.append(&id, 2, &["three"]), Ok(3));
    for after in [0, 1, 2, 4, u64::MAX] {
        assert_eq!(
            store.append(&id, after, &["late", "later"]),
            Err(StoreError::MovedOn { id, last: 3 })
        );
    }
    assert_eq!(store.append(&id, 2, &[]), Err(StoreError::MovedOn { id, last: 3 }));
    assert_eq!(store.append(&id, 3, &[]), Ok(3));
    assert_eq!(texts(&*store, &id, 0), ["one", "two", "three"]);
}

fn a_table_is_created_whole_or_not_at_all(test: &TestStore) {
    let store = test.open();
    let id = TableId::new().unwrap();
    let bad = store.create(&NewTable {
        id,
        name: "Friday",
        pack: "panzer8",
        lines: &["good", "bad\nbad"],
    });
    assert!(matches!(bad, Err(StoreError::BadText { .. })), "{bad:?}");
    assert!(matches!(store.summary(&id), Err(StoreError::NoTable { .. })));
    let made = store
        .create(&NewTable { id, name: "Friday", pack: "panzer8", lines: &["a", "b"] })
        .unwrap();
    assert_eq!(
        (made.last, made.archived, made.name.as_str(), made.pack.as_str()),
        (2, false, "Friday", "panzer8")
    );
    assert_eq!(made, store.summary(&id).unwrap());
    assert!(made.created > 1_700_000_000_000 && made.created == made.changed);
    let again = store.create(&NewTable { id, name: "Saturday", pack: "panzer8", lines: &["c"] });
    assert!(matches!(again, Err(StoreError::Taken { .. })), "{again:?}");
    assert_eq!(
        (texts(&*store, &id, 0), store.summary(&id).unwrap().name.as_str()),
        (vec!["a".to_owned(), "b".to_owned()], "Friday")
    );
    let empty = TableId::new().unwrap();
    assert_eq!(
        store.create(&NewTable { id: empty, name: "Empty", pack: "p", lines: &[] }).unwrap().last,
        0
    );
    assert!(store.read(&empty, 0).unwrap().is_empty() && store.read(&empty, 9).unwrap().is_empty());
    assert_eq!(store.append(&empty, 0, &["first"]), Ok(1));
}

fn an_unknown_table_is_named(test: &TestStore) {
    let store = test.open();
    let id = TableId::new().unwrap();
    let faults = [
        store.append(&id, 0, &["x"]).unwrap_err(),
        store.append(&id, u64::MAX, &["x"]).unwrap_err(),
        store.read(&id, 0).unwrap_err(),
        store.salvage(&id, 7).unwrap_err(),
        store.summary(&id).unwrap_err(),
        store.rename(&id, "x").unwrap_err(),
        store.archive(&id, true).unwrap_err(),
    ];
    for fault in faults {
        assert_eq!(fault, StoreError::NoTable { id, place: test.place.to_string() });
        assert!(fault.to_string().contains(&id.to_string()));
    }
}

fn only_single_lines_are_stored(test: &TestStore) {
    let store = test.open();
    let id = table(&*store, &["one"]);
    let longest = "x".repeat(LONGEST_LINE);
    let too_long = "x".repeat(LONGEST_LINE + 1);
    for bad in ["", "a\nb", "a\r", "a\0b", &too_long] {
        let fault = store.append(&id, 1, &["good", bad]).unwrap_err();
        assert!(
            matches!(fault, StoreError::BadText { .. })
                && fault.to_string().starts_with("Event 3 cannot be kept"),
            "{fault}"
        );
    }
    for bad in ["", "a\nb", &"x".repeat(LONGEST_NAME + 1)] {
        assert!(matches!(store.rename(&id, bad), Err(StoreError::BadText { .. })));
    }
    assert_eq!(store.append(&id, 1, &[&longest, "🎲 \t\u{2028}\\ ' \""]), Ok(3));
    assert_eq!(texts(&*store, &id, 1), [longest.as_str(), "🎲 \t\u{2028}\\ ' \""]);
}

fn names_and_archive(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let (one, two) = (table(&*store, &["a"]), table(&*store, &["b"]));
    store.rename(&one, "Bocage ’44").unwrap();
    store.archive(&two, true).unwrap();
    let ids =
        |all| other.list(all).unwrap().into_iter().map(|table| table.id).collect::<HashSet<_>>();
    assert_eq!((ids(false), ids(true)), (HashSet::from([one]), HashSet::from([one, two])));
    assert_eq!(other.summary(&one).unwrap().name, "Bocage ’44");
    assert!(other.summary(&two).unwrap().archived);
    assert_eq!(texts(&*other, &two, 0), ["b"]);
    other.archive(&two, false).unwrap();
    assert_eq!(store.list(false).unwrap().len(), 2);
}

fn the_list_begins_with_what_was_played_last(test: &TestStore) {
    let store = test.open();
    let ids: Vec<TableId> = (0..3).map(|_| table(&*store, &["a"])).collect();
    let made = store.summary(&ids[0]).unwrap().created;
    // The clock must tick for the order to show.
    let mut last = 1;
    while store.summary(&ids[0]).unwrap().changed <= store.summary(&ids[2]).unwrap().changed {
        last = store.append(&ids[0], last, &["b"]).unwrap();
    }
    let order: Vec<TableId> =
        store.list(false).unwrap().into_iter().map(|table| table.id).collect();
    assert_eq!(order, [ids[0], ids[2], ids[1]]);
    assert_eq!(store.summary(&ids[0]).unwrap().created, made);
}

fn everything_survives_closing(test: &TestStore) {
    let store = test.open();
    let id = table(&*store, &["one"]);
    store.append(&id, 1, &["two", "three"]).unwrap();
    let before = store.summary(&id).unwrap();
    drop(store);
    for store in [test.open(), open_to_read(&test.place).unwrap()] {
        assert_eq!(texts(&*store, &id, 0), ["one", "two", "three"]);
        assert_eq!(store.list(true).unwrap(), std::slice::from_ref(&before));
    }
}

/// Appends until it succeeds, each time after the last known event.
fn append_at_last(store: &dyn Store, id: &TableId, lines: &[&str]) -> u64 {
    let mut after = 0;
    loop {
        match store.append(id, after, lines) {
            Ok(last) => return last,
            Err(StoreError::MovedOn { last, .. }) => after = last,
            Err(other) => panic!("{other}"),
        }
    }
}

fn many_writers_leave_no_gap_and_lose_nothing(test: &TestStore) {
    const WRITERS: usize = 6;
    const APPENDS: usize = 30;
    let stores = [test.open(), test.open()];
    let id = table(&*stores[0], &[]);
    let claimed = thread::scope(|scope| {
        let writer = |me: usize| {
            let store = &stores[me % 2];
            scope.spawn(move || {
                let write = |round: usize| {
                    let lines: Vec<String> =
                        (0..=(round % 3)).map(|part| format!("{me}-{round}-{part}")).collect();
                    let last = append_at_last(
                        &**store,
                        &id,
                        &lines.iter().map(String::as_str).collect::<Vec<_>>(),
                    );
                    lines
                        .into_iter()
                        .rev()
                        .zip((1..=last).rev())
                        .map(|(line, number)| (number, line))
                        .collect::<Vec<_>>()
                };
                (0..APPENDS).flat_map(write).collect::<Vec<_>>()
            })
        };
        let writers: Vec<_> = (0..WRITERS).map(writer).collect();
        let mut claimed: Vec<(u64, String)> =
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        claimed.sort();
        claimed
    });
    let there: Vec<(u64, String)> =
        stores[0].read(&id, 0).unwrap().into_iter().map(|line| (line.number, line.text)).collect();
    // Every writer finds each of its lines where the store said it was, and there is nothing else.
    assert_eq!(there, claimed);
    assert_eq!(there.len(), WRITERS * APPENDS * 2);
    assert!(stores[1].check().unwrap().sound());
}

fn many_can_create_a_store_at_once(test: &TestStore) {
    let ids: HashSet<TableId> = thread::scope(|scope| {
        let each = || scope.spawn(|| table(&*test.open(), &["a"]));
        let all: Vec<_> = (0..6).map(|_| each()).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let listed: HashSet<TableId> =
        test.open().list(true).unwrap().into_iter().map(|table| table.id).collect();
    assert_eq!((listed.len(), listed), (6, ids));
}

fn readers_see_whole_appends(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let id = table(&*store, &[]);
    thread::scope(|scope| {
        scope.spawn(|| {
            (0..60).fold(0, |last, _| store.append(&id, last, &["a", "b", "c"]).unwrap())
        });
        let mut seen = 0;
        while seen < 180 {
            let now = texts(&*other, &id, 0);
            assert!(now.len() >= seen && now.len().is_multiple_of(3), "{} after {seen}", now.len());
            seen = now.len();
        }
    });
}

/// Waits for the notice of this event and returns the other notices before it.
fn received(watch: &Watch, id: &TableId, last: u64) -> Vec<TableId> {
    let until = Instant::now() + Duration::from_secs(30);
    let mut others = Vec::new();
    while Instant::now() < until {
        match watch.wait(Duration::from_secs(30)) {
            Notice::Changed { id: of, last: number, .. } if of == *id && number == last => {
                return others;
            }
            Notice::Changed { id: of, .. } => others.push(of),
            Notice::LookAgain => {}
            heard => panic!("{heard:?}"),
        }
    }
    panic!("nothing was heard of {id}, event {last}");
}

fn a_watcher_is_notified_of_every_change(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let watch = store.watch(None).unwrap();
    let id = table(&*other, &["one"]);
    received(&watch, &id, 1);
    store.append(&id, 1, &["two"]).unwrap();
    received(&watch, &id, 2);
    other.append(&id, 2, &["three", "four"]).unwrap();
    received(&watch, &id, 4);
    // A store that starts to listen now must not be notified of anything older.
    let late = test.open();
    let late_watch = late.watch(None).unwrap();
    other.rename(&id, "Saturday").unwrap();
    received(&late_watch, &id, 4);
    let latest = test.open();
    let latest_watch = latest.watch(Some(&id)).unwrap();
    store.archive(&id, true).unwrap();
    received(&latest_watch, &id, 4);
    drop(store);
    while watch.wait(Duration::from_secs(30)) != Notice::Closed {}
}

fn a_watcher_of_one_table_is_not_notified_of_others(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let (mine, theirs) = (table(&*store, &["a"]), table(&*store, &["a"]));
    let watch = store.watch(Some(&mine)).unwrap();
    other.append(&theirs, 1, &["b"]).unwrap();
    store.append(&theirs, 2, &["c"]).unwrap();
    other.append(&mine, 1, &["b"]).unwrap();
    assert!(received(&watch, &mine, 2).iter().all(|heard| *heard == mine));
}

fn reading_only_writes_nothing(test: &TestStore) {
    assert!(matches!(open_to_read(&test.place).err(), Some(StoreError::Nothing { .. })));
    let writer = test.open();
    let id = table(&*writer, &["one"]);
    let store = open_to_read(&test.place).unwrap();
    let new = NewTable { id: TableId::new().unwrap(), name: "x", pack: "x", lines: &["x"] };
    let faults = [
        store.append(&id, 1, &["x"]).unwrap_err(),
        store.create(&new).unwrap_err(),
        store.rename(&id, "x").unwrap_err(),
        store.archive(&id, true).unwrap_err(),
    ];
    assert!(faults.iter().all(|fault| matches!(fault, StoreError::ReadOnly { .. })), "{faults:?}");
    // It sees and is notified of what the writer writes later.
    let watch = store.watch(None).unwrap();
    writer.append(&id, 1, &["two"]).unwrap();
    received(&watch, &id, 2);
    assert_eq!(texts(&*store, &id, 0), ["one", "two"]);
    assert_eq!((store.list(true).unwrap().len(), store.summary(&id).unwrap().archived), (1, false));
}

fn a_store_in_use_is_sound(test: &TestStore) {
    let store = test.open();
    let report = store.check().unwrap();
    assert!(report.sound() && report.tables.is_empty());
    let id = table(&*store, &["one", "two"]);
    let report = store.check().unwrap();
    assert!(report.sound(), "{report}");
    assert_eq!((report.tables[0].id, report.tables[0].intact, report.tables[0].last), (id, 2, 2));
    assert_eq!(
        report.to_string(),
        format!("{} is sound: 1 table, every event in its place.", test.place)
    );
}

fn a_text_is_written_only_over_the_version_seen(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let (id, second) = (table(&*store, &["one"]), table(&*store, &[]));
    assert_eq!(store.text(&id, "keys").unwrap(), VersionedText::default());
    assert_eq!(store.put_text(&id, "keys", 0, "{\"é\":1}"), Ok(Some(1)));
    for seen in [0, 2, 7, u64::MAX] {
        assert_eq!(other.put_text(&id, "keys", seen, "late"), Ok(None));
    }
    assert_eq!(
        other.text(&id, "keys").unwrap(),
        VersionedText { version: 1, text: "{\"é\":1}".into() }
    );
    assert_eq!(other.put_text(&id, "keys", 1, ""), Ok(Some(2)));
    assert_eq!(store.text(&id, "keys").unwrap(), VersionedText { version: 2, text: String::new() });
    assert_eq!(store.text(&id, "other").unwrap(), VersionedText::default());
    assert_eq!(store.text(&second, "keys").unwrap(), VersionedText::default());
    assert_eq!(
        (store.summary(&id).unwrap().last, texts(&*store, &id, 0)),
        (1, vec!["one".to_owned()]),
        "it appends no event"
    );
    let unknown = TableId::new().unwrap();
    assert!(matches!(store.text(&unknown, "keys"), Err(StoreError::NoTable { .. })));
    for seen in [0, 1, u64::MAX] {
        let put = store.put_text(&unknown, "keys", seen, "x");
        assert!(matches!(put, Err(StoreError::NoTable { .. })), "{put:?}");
    }
    for (name, text) in [("", "x"), ("keys", "a\nb"), ("keys", "a\0b"), ("a\nb", "x")] {
        assert!(matches!(store.put_text(&id, name, 0, text), Err(StoreError::BadText { .. })));
    }
    drop((store, other));
    assert_eq!(test.open().text(&id, "keys").unwrap().version, 2);
    assert_eq!(open_to_read(&test.place).unwrap().text(&id, "keys").unwrap().version, 2);
}

fn concurrent_text_writes_lose_nothing(test: &TestStore) {
    let id = table(&*test.open(), &[]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = test.open();
                for _ in 0..10 {
                    loop {
                        let current = store.text(&id, "count").unwrap();
                        let next = current.text.parse::<u32>().unwrap_or(0) + 1;
                        if store
                            .put_text(&id, "count", current.version, &next.to_string())
                            .unwrap()
                            .is_some()
                        {
                            break;
                        }
                    }
                }
            });
        }
    });
    assert_eq!(
        test.open().text(&id, "count").unwrap(),
        VersionedText { version: 40, text: "40".into() }
    );
}

fn a_watcher_is_notified_of_texts(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let id = table(&*store, &["one"]);
    let watch = store.watch(Some(&id)).unwrap();
    for seen in 0..3 {
        other.put_text(&id, "keys", seen, "x").unwrap();
        assert_eq!(
            watch.wait(Duration::from_secs(10)),
            Notice::Changed { id, last: 1, texts: true }
        );
    }
}

fn a_probe_writes_and_changes_no_table(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    let id = table(&*store, &["one"]);
    let (before, watch) = (store.list(true).unwrap(), other.watch(None).unwrap());
    for _ in 0..3 {
        store.probe().unwrap();
        other.probe().unwrap();
    }
    store.append(&id, 1, &["two"]).unwrap();
    assert!(received(&watch, &id, 2).is_empty(), "no watcher is notified of a probe");
    assert_eq!((before.len(), texts(&*store, &id, 0).len()), (1, 2));
    assert!(store.check().unwrap().sound() && other.check().unwrap().sound());
    drop((store, other));
    let fault = open_to_read(&test.place).unwrap().probe().unwrap_err();
    assert!(matches!(fault, StoreError::ReadOnly { .. }), "{fault}");
}

fn a_shared_text_is_kept_once_and_never_changed(test: &TestStore) {
    let (store, other) = (test.open(), test.open());
    assert_eq!(store.shared_text("pack x").unwrap(), None);
    let long = "x".repeat(LONGEST_SHARED_TEXT);
    store.keep_shared_text("pack x", &long).unwrap();
    other.keep_shared_text("pack x", "another").unwrap();
    assert_eq!(other.shared_text("pack x").unwrap().as_deref(), Some(long.as_str()));
    // Not even a probe has its name.
    store.probe().unwrap();
    assert_eq!(store.shared_text("probe").unwrap(), None);
    assert!(store.list(true).unwrap().is_empty() && store.check().unwrap().sound());
    for wrong in [format!("{long}x"), "two\nlines".to_owned(), String::new()] {
        let fault = store.keep_shared_text("pack y", &wrong).unwrap_err();
        assert!(matches!(fault, StoreError::BadText { .. }), "{fault}");
    }
    let fault = open_to_read(&test.place).unwrap().keep_shared_text("pack z", "x").unwrap_err();
    assert!(matches!(fault, StoreError::ReadOnly { .. }), "{fault}");
}
