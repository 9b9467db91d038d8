#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! A store in trouble behind a server: what clients are told when the database is lost in the
//! middle of a write, and when the disk is full.

mod common;

use adjutant_store::{
    Append, NewTable, Receipt, Receipts, Salvage, Store, StoreCheck, StoreError, Summary, TableId,
    VersionedText, Watch,
};
use common::postgres_server::Server;
use common::postgres_server::proxy::{Lost, Proxy, Trap};
use common::{House, file_in, store_at, text};
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CREATE: &str = "INSERT INTO adjutant.tables";
const APPEND: &str = "adjutant.append(";
const KEY: &str = "Idempotency-Key";

fn through_a_proxy() -> (Proxy, House) {
    let address = Server::shared().fresh();
    let proxy = Proxy::to(Server::shared());
    let house = House::open(&proxy.address(address.rsplit('/').next().unwrap()));
    (proxy, house)
}

/// A unit is added only where no one acted meanwhile.
fn added(words: &str, after: usize) -> Json {
    json!({ "after": after, "do": { "add": [{ "kind": "element", "name": words, "side": "Allies", "has": { "hesa": "6", "ap": "4", "def": "4" } }] } })
}

#[track_caller]
fn must_be_unknown(answer: &common::Answer) {
    let said = answer.must(500);
    assert_eq!(said["unknown"], json!(true));
    assert!(
        text(&said["error"]).contains("not known")
            && !text(&said["error"]).contains("nothing was done"),
        "{said}"
    );
    assert_eq!(answer.header("retry-after"), None);
}

#[test]
fn an_event_whose_commit_was_not_answered_is_looked_up_and_acknowledged() {
    let (proxy, house) = through_a_proxy();
    let (anna, made) = house.table();
    let id = text(&made["id"]);
    let lines = || anna.get(&format!("/api/games/{id}/lines")).text().lines().count();
    for lost in [Lost::Request, Lost::Answer] {
        let before = lines();
        proxy.set(Trap { statement: APPEND, lost, shut: false });
        let kept = anna.post(&format!("/api/games/{id}/act"), &added("Rifles", before)).must(200);
        assert_eq!((kept["n"].as_u64(), lines()), (Some(before as u64 + 1), before + 1));
    }
    assert!(proxy.all_sprung());
}

#[test]
fn where_no_one_knows_whether_an_event_was_kept_the_answer_says_so() {
    for lost in [Lost::Request, Lost::Answer] {
        let (proxy, house) = through_a_proxy();
        let (anna, made) = house.table();
        let id = text(&made["id"]);
        let act = |after| anna.post(&format!("/api/games/{id}/act"), &added("Rifles", after));
        let before = anna.get(&format!("/api/games/{id}/lines")).text().lines().count();
        proxy.set(Trap { statement: APPEND, lost, shut: true });
        must_be_unknown(&act(before));
        proxy.open_up();
        // Sent again as it was, it is kept once: refused if it stands there already.
        assert_eq!(act(before).status, if lost == Lost::Answer { 409 } else { 200 });
        let lines = anna.get(&format!("/api/games/{id}/lines")).text();
        assert_eq!(lines.lines().count(), before + 1, "{lines}");
    }
}

#[test]
fn a_table_that_may_have_been_made_is_not_said_to_be_not() {
    let begin = json!({ "name": "Hill 112", "pack": "panzer8", "sides": ["Allies", "Axis"], "who": "Anna" });
    for lost in [Lost::Answer, Lost::Request] {
        let (proxy, house) = through_a_proxy();
        proxy.set(Trap { statement: CREATE, lost, shut: true });
        must_be_unknown(&house.client().post("/api/games", &begin));
    }
}

/// A store whose disk is full while `full` is set, and read-only while `read_only` is. The next
/// append is lost, its outcome unknown, after what happens `meanwhile`.
struct Disk {
    inner: Arc<dyn Store>,
    full: AtomicBool,
    read_only: AtomicBool,
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Disk {
    fn room(&self) -> Result<(), StoreError> {
        if self.full.load(SeqCst) {
            Err(StoreError::Full { place: "/secret/place".to_owned() })
        } else if self.read_only.load(SeqCst) {
            let why = adjutant_store::ReadOnlyCause::ReadOnlyFile;
            Err(StoreError::ReadOnly { place: "/secret/place".to_owned(), why })
        } else {
            Ok(())
        }
    }
}

impl Store for Disk {
    fn create_with(
        &self,
        table: &NewTable<'_>,
        texts: &[(&str, &str)],
        receipt: Option<Receipt<'_>>,
    ) -> Result<Summary, StoreError> {
        self.room().and_then(|()| self.inner.create_with(table, texts, receipt))
    }
    fn append_with(&self, id: &TableId, append: &Append<'_>) -> Result<u64, StoreError> {
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some(happens) = meanwhile {
            happens();
            let (place, id) = ("a place".to_owned(), *id);
            let detail = "the connection was lost".to_owned();
            return Err(StoreError::Unsure { place, id, after: append.after, detail });
        }
        self.room().and_then(|()| self.inner.append_with(id, append))
    }
    fn receipt(&self, id: &TableId, player: &str, key: &str) -> Result<Receipts, StoreError> {
        self.inner.receipt(id, player, key)
    }
    fn salvage(&self, id: &TableId, after: u64) -> Result<Salvage, StoreError> {
        self.inner.salvage(id, after)
    }
    fn summary(&self, id: &TableId) -> Result<Summary, StoreError> {
        self.inner.summary(id)
    }
    fn list(&self, include_archived: bool) -> Result<Vec<Summary>, StoreError> {
        self.inner.list(include_archived)
    }
    fn rename(&self, id: &TableId, name: &str) -> Result<(), StoreError> {
        self.room().and_then(|()| self.inner.rename(id, name))
    }
    fn archive(&self, id: &TableId, archived: bool) -> Result<(), StoreError> {
        self.room().and_then(|()| self.inner.archive(id, archived))
    }
    fn text(&self, id: &TableId, name: &str) -> Result<VersionedText, StoreError> {
        self.inner.text(id, name)
    }
    fn put_text_with(
        &self,
        id: &TableId,
        seen: (&str, u64),
        text: &str,
        receipt: Option<Receipt<'_>>,
    ) -> Result<Option<u64>, StoreError> {
        self.room().and_then(|()| self.inner.put_text_with(id, seen, text, receipt))
    }
    fn shared_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.inner.shared_text(name)
    }
    fn keep_shared_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        self.room().and_then(|()| self.inner.keep_shared_text(name, text))
    }
    fn watch(&self, of: Option<&TableId>) -> Result<Watch, StoreError> {
        self.inner.watch(of)
    }
    fn probe(&self) -> Result<(), StoreError> {
        self.room().and_then(|()| self.inner.probe())
    }
    fn check(&self) -> Result<StoreCheck, StoreError> {
        self.inner.check()
    }
    fn place(&self) -> &str {
        self.inner.place()
    }
}

fn on_a_disk(folder: &tempfile::TempDir, probe: Duration) -> (Arc<Disk>, House) {
    behind_a_disk(&file_in(folder), probe)
}

fn behind_a_disk(place: &str, probe: Duration) -> (Arc<Disk>, House) {
    let (full, read_only) = (AtomicBool::new(false), AtomicBool::new(false));
    let disk =
        Arc::new(Disk { inner: store_at(place), full, read_only, meanwhile: Mutex::default() });
    let store: Arc<dyn Store> = disk.clone();
    let house = House::with(place, |config| {
        config.store = store;
        config.limits.probe = probe;
    });
    (disk, house)
}

fn health(house: &House) -> u16 {
    let answer = house.client().get("/healthz");
    assert!(!answer.text().contains("secret"), "{}", answer.text());
    answer.status
}

#[test]
fn a_server_on_a_full_or_read_only_disk_is_unwell_until_it_can_write() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, house) = on_a_disk(&folder, Duration::ZERO);
    assert_eq!(health(&house), 200);
    for trouble in [&disk.full, &disk.read_only] {
        trouble.store(true, SeqCst);
        assert_eq!(health(&house), 503, "no one has tried to save anything");
        trouble.store(false, SeqCst);
        assert_eq!(health(&house), 200);
    }
}

#[test]
fn an_event_that_cannot_be_saved_makes_the_server_unwell_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, house) = on_a_disk(&folder, Duration::from_secs(3600));
    let (anna, made) = house.table();
    let act = format!("/api/games/{}/act", text(&made["id"]));
    let remark = json!({ "do": { "note": { "text": "Rain" } } });
    assert_eq!(health(&house), 200);
    disk.full.store(true, SeqCst);
    assert_eq!(anna.post(&act, &remark).status, 503);
    assert_eq!(health(&house), 503);
    // Too soon for another probe: what the last event said counts.
    disk.full.store(false, SeqCst);
    assert_eq!(health(&house), 503);
    assert_eq!(anna.post(&act, &remark).status, 200);
    assert_eq!(health(&house), 200);
}

/// A client repeats a request on a second server, which carries it out while the first one loses
/// its connection. Found by `tools/soak`: the first server said that nothing was done.
#[test]
fn a_request_that_another_server_carried_out_is_acknowledged_after_a_lost_write() {
    let address = Server::shared().fresh();
    let (disk, one) = behind_a_disk(&address, Duration::from_secs(3600));
    let two = House::open(&address);
    let (anna, made) = one.table();
    let id = text(&made["id"]).to_owned();
    let act = format!("/api/games/{id}/act");
    let lines = || anna.get(&format!("/api/games/{id}/lines")).text().lines().count();
    let before = lines();
    let note = |words: &str| json!({ "do": { "note": { "text": words } } });
    let (there, path) = (two.client().with(anna.token.as_deref().unwrap()), act.clone());
    *disk.meanwhile.lock().unwrap() = Some(Box::new(move || {
        there.post(&path, &note("Fog")).must(200);
        there.header(KEY, "once").post(&path, &note("Rain")).must(200);
    }));
    let answer = anna.header(KEY, "once").post(&act, &note("Rain")).must(200);
    assert_eq!((answer["n"].as_u64(), lines()), (Some(before as u64 + 2), before + 2));
}
