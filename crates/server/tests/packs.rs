#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Packs that travel with games: kept by the server, fetched by guests, refused when changed.

mod common;

use adjutant_pack::{Bundle, Files, Supplied, sum_of};
use adjutant_server::ServedPack;
use common::{Answer, Client, House};
use serde_json::{Value as Json, json};
use std::sync::Arc;

fn place(folder: &tempfile::TempDir) -> String {
    folder.path().join("tables.db").to_str().unwrap().to_owned()
}

/// A small pack that no server comes with.
fn files() -> Files {
    adjutant_bundled_packs::skeleton("my-game")
}

fn served(files: Files, supplied: Supplied) -> ServedPack {
    let pack = Bundle::new(files.clone()).with(supplied.clone()).read_pack().unwrap();
    ServedPack::new(Arc::new(pack), files, supplied, "--packs".into())
}

fn new_game(pack: &str, bundle: Option<&str>) -> Json {
    let mut new = json!({ "name": "Mine", "pack": pack, "sides": ["Blue", "Red"], "who": "Anna" });
    if let Some(bundle) = bundle {
        new["bundle"] = bundle.into();
    }
    new
}

fn fire(client: &Client, id: &str) -> Answer {
    let given = json!({ "firer.attack": "3", "target.defence": "1" });
    let play = json!({ "play": { "chart": "fire", "given": given }, "dice": [5, 3] });
    client.post(&format!("/api/games/{id}/play"), &play)
}

#[test]
fn a_game_brings_its_pack_and_a_guest_fetches_what_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&place(&folder));
    house.client().post("/api/games", &new_game("my-game", None)).must(422);
    let bundle = Bundle::new(files()).write().unwrap();
    let made = house.client().post("/api/games", &new_game("my-game", Some(&bundle))).must(201);
    let (id, anna) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    fire(&house.client().with(anna), id).must(200);

    let key = made["invitations"]["sides"]["Red"].as_str().unwrap();
    let join = json!({ "key": key, "name": "Bert" });
    let joined = house.client().post(&format!("/api/games/{id}/join"), &join).must(200);
    let bert = house.client().with(joined["token"].as_str().unwrap());
    let about = bert.get(&format!("/api/games/{id}")).must(200);
    let sum = about["bundle"].as_str().unwrap();
    let fetched = bert.get(&format!("/api/bundles/{sum}"));
    assert_eq!((fetched.status, fetched.text()), (200, bundle.clone()));
    assert!(fetched.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(sum_of(&fetched.text()), Some(sum));
    let hash = Bundle::read(&fetched.text()).unwrap().files().hash();
    assert_eq!(about["hash"], hash.as_str());
    house.stop();

    // Another server with the same store, which never had the pack.
    let house = House::open(&place(&folder));
    fire(&house.client().with(anna), id).must(200);
    assert_eq!(house.client().get(&format!("/api/bundles/{sum}")).text(), bundle);
}

#[test]
fn a_game_goes_on_by_its_own_rules_when_the_pack_of_the_server_changes() {
    let folder = tempfile::tempdir().unwrap();
    let with = |files: Files| {
        House::with(&place(&folder), |config| config.packs.push(served(files, Supplied::default())))
    };
    let house = with(files());
    let made = house.client().post("/api/games", &new_game("my-game", None)).must(201);
    let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    house.stop();
    let mut changed = files();
    changed.put("pack.toml", files().text("pack.toml").unwrap().replace("{ to = 3,", "{ to = 9,"));
    assert_ne!(changed.hash(), files().hash());
    let house = with(changed.clone());
    let line = fire(&house.client().with(token), id).must(200)["line"].to_string();
    assert!(line.contains("destroyed"), "{line}");
    let other = house.client().post("/api/games", &new_game("my-game", None)).must(201);
    let (id, token) = (other["id"].as_str().unwrap(), other["token"].as_str().unwrap());
    let line = fire(&house.client().with(token), id).must(200)["line"].to_string();
    assert!(!line.contains("destroyed"), "{line}");
}

#[test]
fn the_packs_of_the_server_are_listed_with_source_hash_and_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let own = Supplied { tables: Some("# none".into()), decks: Vec::new() };
    let house = House::with(&place(&folder), |config| config.packs = vec![served(files(), own)]);
    let listed = house.client().get("/api/packs").must(200);
    let pack = &listed[0];
    assert_eq!((&pack["id"], &pack["from"]), (&"my-game".into(), &"--packs".into()));
    assert_eq!((&pack["hash"], &pack["supplied"]), (&files().hash().into(), &true.into()));
    let text =
        house.client().get(&format!("/api/bundles/{}", pack["bundle"].as_str().unwrap())).text();
    let bundle = Bundle::read(&text).unwrap();
    assert_eq!((bundle.files(), bundle.supplied().tables.as_deref()), (&files(), Some("# none")));
    for sum in ["0".repeat(64), "..".into(), "x".repeat(64), "%2e%2e%2fkeys".into()] {
        assert_eq!(house.client().get(&format!("/api/bundles/{sum}")).status, 404, "{sum}");
    }
}

#[test]
fn a_pack_that_was_changed_or_has_faults_or_another_name_starts_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&place(&folder));
    let bundle = Bundle::new(files()).write().unwrap();
    let refused = |pack: &str, bundle: &str| {
        let answer = house.client().post("/api/games", &new_game(pack, Some(bundle)));
        answer.must(422)["error"].as_str().unwrap().to_owned()
    };
    assert!(refused("my-game", &bundle.replacen("1d6", "1d8", 1)).contains("checksum"));
    assert!(refused("panzer8", &bundle).contains("`my-game`"));
    let faulty = Bundle::new(Files::of([("pack.toml", "[pack]\nid = \"my-game\"")]));
    assert!(refused("my-game", &faulty.write().unwrap()).contains("pack.toml, line"));
    assert_eq!(house.client().get("/api/games").must(200)["games"], json!([]));
}

#[test]
fn a_log_with_its_pack_is_imported_where_the_pack_never_was() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&place(&folder));
    let bundle = Bundle::new(files()).write().unwrap();
    let made = house.client().post("/api/games", &new_game("my-game", Some(&bundle))).must(201);
    let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    fire(&house.client().with(token), id).must(200);
    let log = house.client().with(token).get(&format!("/api/games/{id}/lines")).text();
    house.stop();

    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&place(&folder));
    let import =
        |body: String| house.client().send("POST", "/api/games/import?who=Anna", body.as_bytes());
    import(log.clone()).must(422);
    import(format!("{}\n{log}", bundle.replacen("1d6", "1d8", 1))).must(422);
    let mut other = files();
    other.put("pack.toml", files().text("pack.toml").unwrap().replace("{ to = 3,", "{ to = 9,"));
    let other = Bundle::new(other).write().unwrap();
    assert!(import(format!("{other}\n{log}")).text().contains("other rules"));
    let made = import(format!("{bundle}\n{log}")).must(201);
    let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    fire(&house.client().with(token), id).must(200);
}
