#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! The connection to PostgreSQL is lost while something is being written: before the statement reaches the server, or after it is committed
//! and before the client learns it. Either way the store finds out what became of it, or says that it does not know.

mod common;

use adjutant_store::{NewTable, Store, StoreError, StoreLocation, TableId, open};
use common::Server;
use common::proxy::{Lost, Proxy, Trap};

/// The parts of the statements by which the proxy knows them.
const CREATE: &str = "INSERT INTO adjutant.tables";
const APPEND: &str = "UPDATE adjutant.tables SET last";
const FIRST_TEXT: &str = "INSERT INTO adjutant.texts";
const LATER_TEXT: &str = "UPDATE adjutant.texts";
const CHANGE: &str = "UPDATE adjutant.tables SET";
const READ: &str = "LEFT JOIN adjutant.events";
const READ_TEXT: &str = "LEFT JOIN adjutant.texts";

struct House {
    proxy: Proxy,
    /// Through the proxy.
    store: Box<dyn Store>,
    /// Past it.
    truth: Box<dyn Store>,
}

fn house() -> House {
    let address = Server::shared().fresh();
    let proxy = Proxy::to(Server::shared());
    let open = |address: &str| open(&StoreLocation::parse(address).unwrap()).unwrap();
    let store = open(&proxy.address(address.rsplit('/').next().unwrap()));
    House { proxy, store, truth: open(&address) }
}

impl House {
    fn trap(&self, statement: &'static str, lost: Lost, shut: bool) {
        self.proxy.set(Trap { statement, lost, shut });
    }

    fn table(&self, lines: &[&str]) -> TableId {
        let id = TableId::new().unwrap();
        self.truth.create(&new(id, lines)).unwrap();
        id
    }

    fn lines(&self, id: &TableId) -> Vec<String> {
        self.truth.read(id, 0).unwrap().into_iter().map(|line| line.text).collect()
    }
}

fn new<'a>(id: TableId, lines: &'a [&'a str]) -> NewTable<'a> {
    NewTable { id, name: "Friday", pack: "panzer8", lines }
}

#[track_caller]
fn is_unsure<T: std::fmt::Debug>(done: Result<T, StoreError>) {
    let fault = done.unwrap_err();
    assert!(matches!(fault, StoreError::Unsure { .. }), "{fault}");
    let said = fault.to_string();
    assert!(said.contains("not known") && !said.contains("othing was written"), "{said}");
}

#[test]
fn what_was_lost_on_the_way_is_kept_once_and_acknowledged() {
    for lost in [Lost::Request, Lost::Answer] {
        let house = house();
        let id = house.table(&["one"]);
        house.trap(APPEND, lost, false);
        assert_eq!(house.store.append(&id, 1, &["two"]), Ok(2));
        house.trap(APPEND, lost, false);
        assert_eq!(house.store.append(&id, 2, &["three", "four"]), Ok(4));
        assert_eq!(house.lines(&id), ["one", "two", "three", "four"]);

        let other = TableId::new().unwrap();
        house.trap(CREATE, lost, false);
        assert_eq!(house.store.create(&new(other, &["one", "two"])).unwrap().last, 2);
        assert_eq!(house.lines(&other), ["one", "two"]);

        house.trap(FIRST_TEXT, lost, false);
        assert_eq!(house.store.put_text(&id, "keys", 0, "a"), Ok(Some(1)));
        house.trap(LATER_TEXT, lost, false);
        assert_eq!(house.store.put_text(&id, "keys", 1, "b"), Ok(Some(2)));
        let kept = house.truth.text(&id, "keys").unwrap();
        assert_eq!((kept.version, kept.text.as_str()), (2, "b"));

        house.trap(CHANGE, lost, false);
        house.store.rename(&id, "Saturday").unwrap();
        house.trap(CHANGE, lost, false);
        house.store.archive(&id, true).unwrap();
        let summary = house.truth.summary(&id).unwrap();
        assert_eq!((summary.name.as_str(), summary.archived), ("Saturday", true));
        assert!(house.proxy.all_sprung() && house.truth.check().unwrap().sound());
    }
}

#[test]
fn where_the_server_does_not_come_back_the_outcome_is_called_unknown() {
    // Each waits for the server for a few seconds: all at once.
    let append = |lost| {
        let house = house();
        let id = house.table(&["one"]);
        house.trap(APPEND, lost, true);
        is_unsure(house.store.append(&id, 1, &["two", "three"]));
        let there = house.lines(&id);
        assert_eq!(there.len(), if lost == Lost::Answer { 3 } else { 1 });
        // Who reads again and goes on from there loses and doubles nothing.
        house.proxy.open_up();
        let last = house.store.summary(&id).unwrap().last;
        assert_eq!(house.store.append(&id, last, &["more"]), Ok(last + 1));
    };
    let create = |lost| {
        let (house, id) = (house(), TableId::new().unwrap());
        house.trap(CREATE, lost, true);
        is_unsure(house.store.create(&new(id, &["one"])));
        assert_eq!(house.truth.summary(&id).is_ok(), lost == Lost::Answer);
    };
    let text = |lost| {
        let house = house();
        let id = house.table(&[]);
        house.trap(FIRST_TEXT, lost, true);
        is_unsure(house.store.put_text(&id, "keys", 0, "a"));
        assert_eq!(house.truth.text(&id, "keys").unwrap().version, u64::from(lost == Lost::Answer));
    };
    let rename = |lost| {
        let house = house();
        let id = house.table(&[]);
        house.trap(CHANGE, lost, true);
        is_unsure(house.store.rename(&id, "Saturday"));
        assert_eq!(house.truth.summary(&id).unwrap().name == "Saturday", lost == Lost::Answer);
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
    let house = house();
    let (id, other) = (house.table(&["one"]), TableId::new().unwrap());
    // The commit's answer is lost, the statement is run again, and then the server is gone before the look-up.
    house.trap(APPEND, Lost::Answer, false);
    house.trap(READ, Lost::Request, true);
    is_unsure(house.store.append(&id, 1, &["two"]));
    house.proxy.open_up();
    house.trap(CREATE, Lost::Answer, false);
    house.trap(READ, Lost::Request, true);
    is_unsure(house.store.create(&new(other, &["one"])));
    house.proxy.open_up();
    house.trap(FIRST_TEXT, Lost::Answer, false);
    house.trap(READ_TEXT, Lost::Request, true);
    is_unsure(house.store.put_text(&id, "keys", 0, "a"));
    house.proxy.open_up();
    assert!(house.proxy.all_sprung());
    assert_eq!((house.lines(&id).len(), house.lines(&other).len(), house.truth.text(&id, "keys").unwrap().version), (2, 1, 1));
}

#[test]
fn what_another_wrote_meanwhile_is_not_taken_for_ours() {
    let house = house();
    let id = house.table(&["one"]);
    // The statement never arrives, and somebody else is quicker with the second try.
    house.trap(APPEND, Lost::Request, false);
    house.truth.append(&id, 1, &["theirs"]).unwrap();
    assert_eq!(house.store.append(&id, 1, &["ours"]), Err(StoreError::MovedOn { id, last: 2 }));
    house.trap(FIRST_TEXT, Lost::Request, false);
    house.truth.put_text(&id, "keys", 0, "theirs").unwrap();
    assert_eq!(house.store.put_text(&id, "keys", 0, "ours"), Ok(None));
    // A text that was changed twice may have been ours in between.
    house.truth.put_text(&id, "keys", 1, "again").unwrap();
    house.trap(FIRST_TEXT, Lost::Request, false);
    is_unsure(house.store.put_text(&id, "keys", 0, "ours"));
}
