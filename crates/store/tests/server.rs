#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! A PostgreSQL server with problems: it crashes, restarts, rejects, or holds another program's
//! data. Each test that stops a server has its own.

mod common;

use adjutant_store::{
    NewTable, Notice, Store, StoreError, StoreLocation, TableId, open, open_to_read,
};
use common::Server;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn at(address: &str) -> StoreLocation {
    StoreLocation::parse(address).unwrap()
}

fn table(store: &dyn Store, lines: &[&str]) -> TableId {
    let id = TableId::new().unwrap();
    store.create(&NewTable { id, name: "Friday", pack: "panzer8", lines }).unwrap();
    id
}

fn database(address: &str) -> &str {
    address.rsplit('/').next().unwrap()
}

#[test]
fn a_lost_server_is_an_error_until_it_returns() {
    let server = Server::new();
    let place = at(&server.fresh());
    let store = open(&place).unwrap();
    let id = table(&*store, &["one"]);
    let watch = store.watch(None).unwrap();
    for (round, end) in [Server::stop, Server::crash].into_iter().enumerate() {
        let last = round as u64 + 1;
        end(&server);
        for fault in [
            store.append(&id, last, &["lost"]).unwrap_err(),
            store.read(&id, 0).unwrap_err(),
            open(&place).err().unwrap(),
        ] {
            assert!(matches!(fault, StoreError::Away { .. }), "{fault}");
            assert!(
                fault.to_string().contains("does not answer")
                    && fault.to_string().contains("Nothing was written"),
                "{fault}"
            );
        }
        assert!(store.watch(None).is_ok(), "who listens already may go on");
        server.start();
        // Old connections are recognised as dead: the first call succeeds.
        assert_eq!(store.append(&id, last, &["two"]), Ok(last + 1));
        assert_eq!(store.read(&id, 0).unwrap().len() as u64, last + 1);
        // The watcher reconnects by itself and reports that notices may be lost.
        let until = Instant::now() + Duration::from_secs(30);
        while watch.wait(Duration::from_secs(30)) != Notice::LookAgain {
            assert!(Instant::now() < until, "no word of looking again");
        }
        store.rename(&id, "Saturday").unwrap();
        while !matches!(watch.wait(Duration::from_secs(30)), Notice::Changed { .. }) {
            assert!(Instant::now() < until, "nothing is heard any more");
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_crashes_in_the_middle() {
    let server = Server::new();
    let place = at(&server.fresh());
    let store = open(&place).unwrap();
    let id = table(&*store, &[]);
    let done = AtomicBool::new(false);
    let end = Instant::now() + Duration::from_secs(90);
    let (stored, unsure) = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (mut stored, mut unsure, mut serial) = (Vec::new(), 0, 0);
            while !done.load(Ordering::Relaxed) && Instant::now() < end {
                let (one, two) = (format!("{serial} a"), format!("{serial} b"));
                serial += 1;
                let after = stored.len() as u64;
                match store.append(&id, after, &[&one, &two]) {
                    Ok(last) => {
                        assert_eq!(last, after + 2);
                        stored.extend([one, two]);
                    }
                    Err(StoreError::Away { .. }) => {}
                    Err(StoreError::Unsure { .. }) => {
                        unsure += 1;
                        // As the error says: read again before continuing.
                        let now = loop {
                            match store.read(&id, 0) {
                                Ok(lines) => break lines,
                                Err(fault) => assert!(Instant::now() < end, "{fault}"),
                            }
                        };
                        stored = now.into_iter().map(|line| line.text).collect();
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            (stored, unsure)
        });
        let mut seen = 0;
        for _ in 0..5 {
            server.crash();
            server.start();
            let until = Instant::now() + Duration::from_secs(30);
            while store.summary(&id).map_or(0, |summary| summary.last) < seen + 20 {
                assert!(Instant::now() < until, "the writer does not get on");
            }
            seen = store.summary(&id).unwrap().last;
        }
        done.store(true, Ordering::Relaxed);
        writer.join().unwrap()
    });
    let there: Vec<String> =
        store.read(&id, 0).unwrap().into_iter().map(|line| line.text).collect();
    assert_eq!(there, stored, "unsure {unsure} times");
    assert!(
        there.chunks(2).all(|pair| pair[0].replace('a', "b") == pair[1])
            && store.check().unwrap().sound()
    );
}

#[test]
fn a_password_is_never_shown() {
    let server = Server::shared();
    let address = server.fresh();
    let make = "DO $$ BEGIN CREATE ROLE anna LOGIN SUPERUSER PASSWORD 'ri9ht'; EXCEPTION WHEN duplicate_object THEN NULL; END $$";
    server.client(database(&address)).batch_execute(make).unwrap();
    let right = server.address("anna:ri9ht", database(&address));
    let store = open(&at(&right)).unwrap();
    assert!(!store.place().contains("ri9ht"));
    let missing = store.summary(&TableId::new().unwrap()).unwrap_err();
    let wrong = open(&at(&right.replace("ri9ht", "wr0ng"))).err().unwrap();
    let nowhere = open(&at("postgres://anna:wr0ng@%2Fno%2Fsuch%2Ffolder/club")).err().unwrap();
    let no_database = open(&at(&server.address("anna:ri9ht", "no_such"))).err().unwrap();
    assert!(
        matches!((&wrong, &no_database), (StoreError::Refused { .. }, StoreError::Refused { .. })),
        "{wrong} {no_database}"
    );
    assert!(matches!(nowhere, StoreError::Away { .. }), "{nowhere}");
    for fault in [missing, wrong, nowhere, no_database] {
        let said = format!("{fault} {fault:?}");
        assert!(!said.contains("ri9ht") && !said.contains("wr0ng"), "{said}");
    }
}

#[test]
fn what_is_newer_or_not_ours_is_refused_and_untouched() {
    let server = Server::shared();
    let newer = server.fresh();
    drop(open(&at(&newer)).unwrap());
    server.client(database(&newer)).batch_execute("UPDATE adjutant.form SET version = 99").unwrap();
    for fault in [open(&at(&newer)).err().unwrap(), open_to_read(&at(&newer)).err().unwrap()] {
        assert!(matches!(fault, StoreError::Newer { version: 99, newest: 4, .. }), "{fault}");
    }
    let foreign = server.fresh();
    server
        .client(database(&foreign))
        .batch_execute("CREATE SCHEMA adjutant; CREATE TABLE adjutant.stamps (year int)")
        .unwrap();
    assert!(matches!(open(&at(&foreign)).err(), Some(StoreError::NotOurs { .. })));
    let latin = "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0";
    server.client("postgres").batch_execute(latin).unwrap();
    let fault = open(&at(&server.address("adjutant", "latin"))).err().unwrap();
    assert!(fault.to_string().contains("it must be UTF8"), "{fault}");
}

#[test]
fn a_user_without_write_permission_gets_an_error() {
    let server = Server::shared();
    let address = server.fresh();
    let store = open(&at(&address)).unwrap();
    let id = table(&*store, &["one"]);
    let grant = "CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA adjutant TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA adjutant TO guest";
    server.client(database(&address)).batch_execute(grant).unwrap();
    let guest = open(&at(&server.address("guest", database(&address)))).unwrap();
    assert_eq!(guest.read(&id, 0).unwrap().len(), 1);
    let fault = guest.append(&id, 1, &["two"]).unwrap_err();
    assert!(matches!(fault, StoreError::Refused { .. }), "{fault}");
    assert_eq!(store.summary(&id).unwrap().last, 1);
}

#[test]
fn a_hole_is_reported_and_the_events_before_it_are_readable() {
    let server = Server::shared();
    let address = server.fresh();
    let store = open(&at(&address)).unwrap();
    let (id, sound) = (table(&*store, &["one", "two", "three", "four"]), table(&*store, &["one"]));
    server
        .client(database(&address))
        .batch_execute("DELETE FROM adjutant.events WHERE number = 3")
        .unwrap();
    let hole = StoreError::Hole { id, place: store.place().to_owned(), intact: 2, last: 4 };
    assert_eq!(store.read(&id, 0), Err(hole.clone()));
    assert_eq!(store.salvage(&id, 0).unwrap().lines.len(), 2);
    assert_eq!(store.read(&sound, 0).unwrap().len(), 1);
    let report = store.check().unwrap();
    assert_eq!(
        report.tables.iter().filter_map(|table| table.fault.clone()).collect::<Vec<_>>(),
        [hole]
    );
}

#[test]
fn a_commit_is_durable_even_if_the_database_default_is_asynchronous() {
    let server = Server::shared();
    let address = server.fresh();
    let hurry = format!(
        "ALTER DATABASE {0} SET synchronous_commit = off; ALTER DATABASE {0} SET default_transaction_isolation = 'serializable'",
        database(&address)
    );
    server.client("postgres").batch_execute(&hurry).unwrap();
    let store = open(&at(&address)).unwrap();
    let id = table(&*store, &["one"]);
    let witness = "CREATE TABLE witness (said text); CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO witness VALUES (current_setting('synchronous_commit') || ', ' || current_setting('transaction_isolation')); RETURN NEW; END $$;
        CREATE TRIGGER look AFTER INSERT ON adjutant.events FOR EACH ROW EXECUTE FUNCTION look()";
    let mut client = server.client(database(&address));
    client.batch_execute(witness).unwrap();
    store.append(&id, 1, &["two"]).unwrap();
    let said: String = client.query_one("SELECT said FROM witness", &[]).unwrap().get(0);
    assert_eq!(said, "on, read committed");
}
