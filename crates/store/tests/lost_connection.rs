#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! The connection to PostgreSQL is lost during a write: before the statement reaches the server, or
//! after the commit and before the response. In both cases the store finds out the outcome, or
//! reports that it is unknown.

mod common;

use adjutant_store::{NewTable, Store, StoreError, StoreLocation, TableId, open};
use common::Server;
use common::proxy::{Lost, Proxy, Trap};

/// The parts of the statements by which the proxy recognises them.
const CREATE: &str = "INSERT INTO adjutant.tables";
const APPEND: &str = "adjutant.append(";
const TEXT: &str = "adjutant.put_text(";
const CHANGE: &str = "UPDATE adjutant.tables SET";
const READ: &str = "LEFT JOIN adjutant.events";
const READ_TEXT: &str = "LEFT JOIN adjutant.texts";

struct Setup {
    proxy: Proxy,
    store: Box<dyn Store>,
    direct: Box<dyn Store>,
}

fn setup() -> Setup {
    let address = Server::shared().fresh();
    let proxy = Proxy::to(Server::shared());
    let open = |address: &str| open(&StoreLocation::parse(address).unwrap()).unwrap();
    let store = open(&proxy.address(address.rsplit('/').next().unwrap()));
    Setup { proxy, store, direct: open(&address) }
}

impl Setup {
    fn trap(&self, statement: &'static str, lost: Lost, shut: bool) {
        self.proxy.set(Trap { statement, lost, shut });
    }

    fn table(&self, lines: &[&str]) -> TableId {
        let id = TableId::new().unwrap();
        self.direct.create(&new(id, lines)).unwrap();
        id
    }

    fn lines(&self, id: &TableId) -> Vec<String> {
        self.direct.read(id, 0).unwrap().into_iter().map(|line| line.text).collect()
    }
}

fn new<'a>(id: TableId, lines: &'a [&'a str]) -> NewTable<'a> {
    NewTable { id, name: "Friday", pack: "panzer8", lines }
}

#[track_caller]
fn is_unsure<T: std::fmt::Debug>(done: Result<T, StoreError>) {
    let fault = done.unwrap_err();
    assert!(matches!(fault, StoreError::Unsure { .. }), "{fault}");
    let message = fault.to_string();
    assert!(message.contains("not known") && !message.contains("othing was written"), "{message}");
}

#[test]
fn a_write_whose_connection_is_lost_is_stored_once_and_acknowledged() {
    for lost in [Lost::Request, Lost::Answer] {
        let setup = setup();
        let id = setup.table(&["one"]);
        setup.trap(APPEND, lost, false);
        assert_eq!(setup.store.append(&id, 1, &["two"]), Ok(2));
        setup.trap(APPEND, lost, false);
        assert_eq!(setup.store.append(&id, 2, &["three", "four"]), Ok(4));
        assert_eq!(setup.lines(&id), ["one", "two", "three", "four"]);

        let other = TableId::new().unwrap();
        setup.trap(CREATE, lost, false);
        assert_eq!(setup.store.create(&new(other, &["one", "two"])).unwrap().last, 2);
        assert_eq!(setup.lines(&other), ["one", "two"]);

        setup.trap(TEXT, lost, false);
        assert_eq!(setup.store.put_text(&id, "keys", 0, "a"), Ok(Some(1)));
        setup.trap(TEXT, lost, false);
        assert_eq!(setup.store.put_text(&id, "keys", 1, "b"), Ok(Some(2)));
        let stored = setup.direct.text(&id, "keys").unwrap();
        assert_eq!((stored.version, stored.text.as_str()), (2, "b"));

        setup.trap(CHANGE, lost, false);
        setup.store.rename(&id, "Saturday").unwrap();
        setup.trap(CHANGE, lost, false);
        setup.store.archive(&id, true).unwrap();
        let summary = setup.direct.summary(&id).unwrap();
        assert_eq!((summary.name.as_str(), summary.archived), ("Saturday", true));
        assert!(setup.proxy.all_sprung() && setup.direct.check().unwrap().sound());
    }
}

#[test]
fn the_outcome_is_unknown_if_the_server_does_not_come_back() {
    // Each waits for the server for a few seconds, so they run at once.
    let append = |lost| {
        let setup = setup();
        let id = setup.table(&["one"]);
        setup.trap(APPEND, lost, true);
        is_unsure(setup.store.append(&id, 1, &["two", "three"]));
        let there = setup.lines(&id);
        assert_eq!(there.len(), if lost == Lost::Answer { 3 } else { 1 });
        // A caller that reads again and continues from there loses and duplicates nothing.
        setup.proxy.open_up();
        let last = setup.store.summary(&id).unwrap().last;
        assert_eq!(setup.store.append(&id, last, &["more"]), Ok(last + 1));
    };
    let create = |lost| {
        let (setup, id) = (setup(), TableId::new().unwrap());
        setup.trap(CREATE, lost, true);
        is_unsure(setup.store.create(&new(id, &["one"])));
        assert_eq!(setup.direct.summary(&id).is_ok(), lost == Lost::Answer);
    };
    let text = |lost| {
        let setup = setup();
        let id = setup.table(&[]);
        setup.trap(TEXT, lost, true);
        is_unsure(setup.store.put_text(&id, "keys", 0, "a"));
        assert_eq!(
            setup.direct.text(&id, "keys").unwrap().version,
            u64::from(lost == Lost::Answer)
        );
    };
    let rename = |lost| {
        let setup = setup();
        let id = setup.table(&[]);
        setup.trap(CHANGE, lost, true);
        is_unsure(setup.store.rename(&id, "Saturday"));
        assert_eq!(setup.direct.summary(&id).unwrap().name == "Saturday", lost == Lost::Answer);
    };
    std::thread::scope(|scope| {
        for lost in [Lost::Request, Lost::Answer] {
            scope.spawn(move || append(lost));
            scope.spawn(move || create(lost));
            scope.spawn(move || text(lost));
            scope.spawn(move || rename(lost));
        }
    });
}

#[test]
fn a_look_up_that_fails_leaves_the_outcome_unknown() {
    let setup = setup();
    let (id, other) = (setup.table(&["one"]), TableId::new().unwrap());
    // The response of the commit is lost, the statement runs again, and then the server disappears
    // before the outcome is read.
    setup.trap(APPEND, Lost::Answer, false);
    setup.trap(READ, Lost::Request, true);
    is_unsure(setup.store.append(&id, 1, &["two"]));
    setup.proxy.open_up();
    setup.trap(CREATE, Lost::Answer, false);
    setup.trap(READ, Lost::Request, true);
    is_unsure(setup.store.create(&new(other, &["one"])));
    setup.proxy.open_up();
    setup.trap(TEXT, Lost::Answer, false);
    setup.trap(READ_TEXT, Lost::Request, true);
    is_unsure(setup.store.put_text(&id, "keys", 0, "a"));
    setup.proxy.open_up();
    assert!(setup.proxy.all_sprung());
    assert_eq!(
        (
            setup.lines(&id).len(),
            setup.lines(&other).len(),
            setup.direct.text(&id, "keys").unwrap().version
        ),
        (2, 1, 1)
    );
}

#[test]
fn a_concurrent_write_is_not_taken_for_our_own() {
    let setup = setup();
    let id = setup.table(&["one"]);
    // The statement never arrives, and another writer is faster than the second attempt.
    setup.trap(APPEND, Lost::Request, false);
    setup.direct.append(&id, 1, &["theirs"]).unwrap();
    assert_eq!(setup.store.append(&id, 1, &["ours"]), Err(StoreError::MovedOn { id, last: 2 }));
    setup.trap(TEXT, Lost::Request, false);
    setup.direct.put_text(&id, "keys", 0, "theirs").unwrap();
    assert_eq!(setup.store.put_text(&id, "keys", 0, "ours"), Ok(None));
    // A text that was changed twice may have been ours in between.
    setup.direct.put_text(&id, "keys", 1, "again").unwrap();
    setup.trap(TEXT, Lost::Request, false);
    is_unsure(setup.store.put_text(&id, "keys", 0, "ours"));
}
