#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Appends that share a transaction, guards, receipts and reading several tables: what servers on
//! one store rely on. Laws run against SQLite and PostgreSQL.

mod common;

use adjutant_store::{
    Append, Guard, NewTable, RECEIPT_OVERHEAD, Receipt, Store, StoreError, StoreLocation, TableId,
    open,
};
use common::proxy::{Lost, Proxy, Trap};
use common::{Server, file_in};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

macro_rules! laws {
    ($($law:ident)*) => {
        mod sqlite {
            $(#[test] fn $law() {
                let folder = tempfile::tempdir().unwrap();
                super::$law(&super::file_in(&folder));
            })*
        }
        mod postgres {
            $(#[test] fn $law() {
                super::$law(&super::at(&super::Server::shared().fresh()));
            })*
        }
    };
}

laws! {
    an_append_is_stored_only_if_its_guard_holds
    a_receipt_is_stored_with_what_it_belongs_to
    receipts_of_a_player_are_counted_and_none_is_pushed_out
    several_tables_are_read_at_once
    concurrent_appends_to_many_tables_lose_nothing
}

fn at(address: &str) -> StoreLocation {
    StoreLocation::parse(address).unwrap()
}

fn new<'a>(id: TableId, lines: &'a [&'a str]) -> NewTable<'a> {
    NewTable { id, name: "Friday", pack: "panzer8", lines }
}

fn table(store: &dyn Store, lines: &[&str]) -> TableId {
    let id = TableId::new().unwrap();
    store.create(&new(id, lines)).unwrap();
    id
}

fn lines(store: &dyn Store, id: &TableId) -> Vec<String> {
    store.read(id, 0).unwrap().into_iter().map(|line| line.text).collect()
}

fn an_append_is_stored_only_if_its_guard_holds(place: &StoreLocation) {
    let (store, other) = (open(place).unwrap(), open(place).unwrap());
    let id = table(&*store, &["one"]);
    let guarded = |after, version| {
        let guard = Some(Guard { name: "roll", version });
        store.append_with(&id, &Append { after, lines: &["x"], guard, receipt: None })
    };
    assert_eq!(guarded(1, 0), Ok(2));
    other.put_text(&id, "roll", 0, "waits").unwrap();
    let changed = StoreError::TextChanged { id, name: "roll".to_owned() };
    assert_eq!((guarded(2, 0), guarded(2, 2)), (Err(changed.clone()), Err(changed)));
    assert_eq!(guarded(1, 1), Err(StoreError::MovedOn { id, last: 2 }));
    assert_eq!((guarded(2, 1), lines(&*other, &id).len()), (Ok(3), 3));
}

fn a_receipt_is_stored_with_what_it_belongs_to(place: &StoreLocation) {
    let (store, other) = (open(place).unwrap(), open(place).unwrap());
    let receipt =
        |key| Some(Receipt { player: "Anna", key, fingerprint: "body", answer: "{\"n\":2}" });
    let answer = |id: &TableId, key| {
        let known = other.receipt(id, "Anna", key).unwrap();
        known.receipt.map(|own| (own.fingerprint, own.answer))
    };
    let wanted = Some(("body".to_owned(), "{\"n\":2}".to_owned()));
    let id = TableId::new().unwrap();
    store.create_with(&new(id, &["one"]), &[("keys", "k")], receipt("create")).unwrap();
    assert_eq!((answer(&id, "create"), answer(&id, "other")), (wanted.clone(), None));
    assert_eq!(other.text(&id, "keys").unwrap().text, "k");
    let append = |after, key| {
        let append = Append { after, lines: &["two"], guard: None, receipt: receipt(key) };
        store.append_with(&id, &append)
    };
    assert_eq!((append(1, "append"), answer(&id, "append")), (Ok(2), wanted.clone()));
    assert!(matches!(append(1, "late"), Err(StoreError::MovedOn { .. })));
    assert_eq!(store.put_text_with(&id, ("keys", 1), "l", receipt("text")), Ok(Some(2)));
    assert_eq!(store.put_text_with(&id, ("keys", 1), "m", receipt("slow")), Ok(None));
    assert_eq!(answer(&id, "text"), wanted);
    assert_eq!((answer(&id, "late"), answer(&id, "slow")), (None, None));
    let unknown = TableId::new().unwrap();
    assert!(matches!(store.receipt(&unknown, "Anna", "create"), Err(StoreError::NoTable { .. })));
    assert!(matches!(store.receipt(&id, "Anna", ""), Err(StoreError::BadText { .. })));
    assert!(matches!(store.receipt(&id, "", "create"), Err(StoreError::BadText { .. })));
}

/// The caller refuses requests of a player who has used up the space. To drop a receipt would carry
/// its request out again.
fn receipts_of_a_player_are_counted_and_none_is_pushed_out(place: &StoreLocation) {
    let store = open(place).unwrap();
    let id = table(&*store, &[]);
    let remember = |after: u64, player: &str, key: &str, answer: &str| {
        let receipt = Some(Receipt { player, key, fingerprint: "body", answer });
        let append = Append { after, lines: &["x"], guard: None, receipt };
        store.append_with(&id, &append).unwrap();
    };
    remember(0, "Anna", "key", "{}");
    for number in 0..300 {
        remember(number + 1, "Bert", &format!("key {number}"), "{\"n\":1}");
    }
    // A key belongs to its player.
    remember(301, "Bert", "key", "[]");
    let known = |player: &str, key: &str| store.receipt(&id, player, key).unwrap();
    let answer = |player: &str, key: &str| known(player, key).receipt.map(|own| own.answer);
    assert_eq!(answer("Anna", "key").as_deref(), Some("{}"));
    assert_eq!(answer("Bert", "key").as_deref(), Some("[]"));
    assert!(known("Bert", "key 0").receipt.is_some() && known("Bert", "key 299").receipt.is_some());
    assert_eq!(known("Anna", "other").used, RECEIPT_OVERHEAD + 2);
    assert_eq!(known("Bert", "other").used, 301 * RECEIPT_OVERHEAD + 300 * 7 + 2);
    assert_eq!(known("Cleo", "key").used, 0);
}

fn several_tables_are_read_at_once(place: &StoreLocation) {
    let store = open(place).unwrap();
    let (one, two, none) =
        (table(&*store, &["a", "b", "c"]), table(&*store, &["d"]), TableId::new().unwrap());
    let mut read = store.read_several(&[(one, 1), (none, 0), (two, 1)]).unwrap();
    read.sort_by_key(|(id, _)| *id != one);
    let shown: Vec<(TableId, Vec<(u64, &str)>)> = read
        .iter()
        .map(|(id, lines)| (*id, lines.iter().map(|l| (l.number, l.text.as_str())).collect()))
        .collect();
    assert_eq!(shown, [(one, vec![(2, "b"), (3, "c")]), (two, vec![])]);
    assert_eq!(store.read_several(&[]).unwrap(), []);
}

/// Two servers, several writers each, some tables shared: every append has its own outcome.
fn concurrent_appends_to_many_tables_lose_nothing(place: &StoreLocation) {
    let stores = [open(place).unwrap(), open(place).unwrap()];
    let shared = table(&*stores[0], &[]);
    let gate = Barrier::new(8);
    thread::scope(|scope| {
        for writer in 0..8 {
            let (store, gate) = (&stores[writer % 2], &gate);
            scope.spawn(move || {
                let own = table(&**store, &[]);
                gate.wait();
                for number in 0..15 {
                    assert_eq!(store.append(&own, number, &["x"]), Ok(number + 1));
                    let mut after = 0;
                    let line = format!("{writer} {number}");
                    while let Err(fault) = store.append(&shared, after, &[&line]) {
                        let StoreError::MovedOn { last, .. } = fault else { panic!("{fault}") };
                        after = last;
                    }
                }
            });
        }
    });
    let mut there = lines(&*stores[0], &shared);
    assert_eq!(there.len(), 120);
    there.sort_unstable();
    there.dedup();
    assert!(there.len() == 120 && stores[1].check().unwrap().sound());
}

#[test]
fn a_game_that_another_program_holds_does_not_hold_up_others() {
    let server = Server::shared();
    let address = server.fresh();
    let store = open(&at(&address)).unwrap();
    let (held, free) = (table(&*store, &[]), table(&*store, &[]));
    let mut client = server.client(address.rsplit('/').next().unwrap());
    let mut holding = client.transaction().unwrap();
    let hold = "SELECT 1 FROM adjutant.tables WHERE id = $1 FOR UPDATE";
    holding.execute(hold, &[&held.to_string()]).unwrap();
    thread::scope(|scope| {
        let waits = scope.spawn(|| store.append(&held, 0, &["waits"]));
        for number in 0..20 {
            assert_eq!(store.append(&free, number, &["x"]), Ok(number + 1));
        }
        assert!(!waits.is_finished());
        holding.commit().unwrap();
        assert_eq!(waits.join().unwrap(), Ok(1));
    });
}

#[test]
fn each_append_of_a_lost_batch_finds_out_its_own_outcome() {
    for lost in [Lost::Request, Lost::Answer] {
        let address = Server::shared().fresh();
        let proxy = Proxy::to(Server::shared());
        let store = open(&at(&proxy.address(address.rsplit('/').next().unwrap()))).unwrap();
        let tables: Vec<TableId> = (0..8).map(|_| table(&*store, &["one"])).collect();
        for round in 1..4 {
            proxy.set(Trap { statement: "adjutant.append(", lost, shut: false });
            let gate = Barrier::new(tables.len());
            thread::scope(|scope| {
                for id in &tables {
                    let (store, gate) = (&store, &gate);
                    scope.spawn(move || {
                        gate.wait();
                        assert_eq!(store.append(id, round, &["more"]), Ok(round + 1));
                    });
                }
            });
        }
        assert!(proxy.all_sprung());
        assert!(tables.iter().all(|id| lines(&*store, id) == ["one", "more", "more", "more"]));
    }
}

/// An error other than `Unsure` means that nothing was written, also if PostgreSQL restarts in the
/// middle of a commit that several appends share.
#[test]
fn no_append_that_is_said_to_have_failed_is_stored() {
    let server = Server::new();
    let store = open(&at(&server.fresh())).unwrap();
    let done = AtomicBool::new(false);
    let write = || {
        let id = table(&*store, &[]);
        let (mut expected, mut serial) = (Vec::<String>::new(), 0);
        while !done.load(SeqCst) {
            serial += 1;
            let line = serial.to_string();
            match store.append(&id, expected.len() as u64, &[&line]) {
                Ok(_) => expected.push(line),
                Err(StoreError::Unsure { .. }) => {
                    let there = std::iter::repeat_with(|| store.read(&id, 0)).find_map(Result::ok);
                    expected = there.unwrap().into_iter().map(|line| line.text).collect();
                }
                Err(StoreError::Away { .. }) => thread::yield_now(),
                Err(other) => panic!("{other}"),
            }
        }
        (id, expected)
    };
    let written = thread::scope(|scope| {
        let writers: Vec<_> = (0..6).map(|_| scope.spawn(write)).collect();
        // Each restart comes after more events were stored, so that it meets writers at work.
        for end in [Server::stop, Server::crash, Server::stop, Server::crash] {
            let count = || store.list(true).map_or(0, |all| all.iter().map(|one| one.last).sum());
            let seen: u64 = count();
            while count() < seen + 60 {
                thread::yield_now();
            }
            end(&server);
            server.start();
        }
        done.store(true, SeqCst);
        writers.into_iter().map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    for (id, expected) in written {
        assert_eq!(lines(&*store, &id), expected);
    }
}
