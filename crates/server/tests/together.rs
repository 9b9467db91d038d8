#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Several at one table: they see each other's rolls, one wins a race, and no one misses anything.

mod common;

use common::{Client, House, file_in, recruit, shot, text};
use serde_json::json;
use std::sync::Barrier;
use std::thread;

fn joined(house: &House, made: &serde_json::Value, side: &str, name: &str) -> Client {
    let key = &made["invitations"]["sides"][side];
    let answer = house
        .client()
        .post(
            &format!("/api/games/{}/join", text(&made["id"])),
            &json!({ "key": key, "name": name }),
        )
        .must(200);
    assert_eq!(answer["role"], json!({ "player": { "side": side } }));
    house.client().with(text(&answer["token"]))
}

#[test]
fn two_clients_see_each_others_rolls_and_who_is_here() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let boris = joined(&house, &made, "Axis", "Boris");
    recruit(&anna, &id);
    let mut hers = anna.events(&id, 0);
    hers.here(&["Anna"]);
    let mut his = boris.events(&id, 4);
    hers.here(&["Anna", "Boris"]);
    let rolled = anna.post(&format!("/api/games/{id}/play"), &shot(4)).must(200);
    assert_eq!(rolled["n"], 5);
    assert!(rolled["resolution"]["steps"].as_array().unwrap().len() >= 2, "{rolled}");
    assert_eq!(his.line(), (5, serde_json::from_str(text(&rolled["line"])).unwrap()));
    let back = boris
        .post(
            &format!("/api/games/{id}/act"),
            &json!({ "after": 5, "do": { "note": { "text": "well shot" } } }),
        )
        .must(200);
    assert_eq!((back["n"].clone(), his.line().0), (json!(6), 6));
    drop(his);
    hers.here(&["Anna"]);
    let mut all = anna.events(&id, 0);
    let numbers: Vec<u64> = (0..6).map(|_| all.line().0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    let lines = anna.get(&format!("/api/games/{id}/lines?after=2"));
    assert_eq!(
        (lines.status, lines.text().lines().count(), lines.header("content-type")),
        (200, 4, Some("application/jsonl"))
    );
    let about = boris.get(&format!("/api/games/{id}")).must(200);
    assert_eq!(
        (&about["you"], &about["last"], &about["pack"], &about["manages"]),
        (&json!("Boris"), &json!(6), &json!("panzer8"), &json!(false))
    );
    assert_eq!(about["hash"].as_str().unwrap().len(), 64);
}

#[test]
fn of_two_who_act_at_once_one_wins_the_other_is_told_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let boris = joined(&house, &made, "Axis", "Boris");
    recruit(&anna, &id);
    let gate = Barrier::new(2);
    let mut last = 4;
    for _ in 0..20 {
        let race = |client: &Client| {
            gate.wait();
            client.post(&format!("/api/games/{id}/play"), &shot(last))
        };
        let (hers, his) = thread::scope(|scope| {
            let his = scope.spawn(|| race(&boris));
            (race(&anna), his.join().unwrap())
        });
        let mut statuses = [hers.status, his.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", hers.text(), his.text());
        last += 1;
        let told = if hers.status == 409 { hers } else { his };
        assert_eq!(told.json()["last"], last);
    }
    let lines = anna.get(&format!("/api/games/{id}/lines?after=0")).text();
    assert_eq!(lines.lines().count() as u64, last);
    adjutant_game::import(
        common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap(),
        &lines,
    )
    .unwrap();
    // A remark does not depend on what others do: no one is told to try again.
    let note = || {
        (0..20).map(|_| {
            anna.post(
                &format!("/api/games/{id}/act"),
                &json!({ "after": 1, "do": { "note": { "text": "x" } } }),
            )
            .status
        })
    };
    let notes = thread::scope(|scope| {
        let other = scope.spawn(|| note().collect::<Vec<_>>());
        note().collect::<Vec<_>>().into_iter().chain(other.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(notes.iter().all(|status| *status == 200), "{notes:?}");
}

#[test]
fn a_play_that_a_status_rules_out_is_refused_until_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let out = json!({ "do": { "set": { "unit": "u1", "put_on": ["out_of_action"] } } });
    anna.post(&format!("/api/games/{id}/act"), &out).must(200);
    let mut wish =
        json!({ "play": { "chart": "rally", "units": { "element": "u1" } }, "dice": [5] });
    let refused = anna.post(&format!("/api/games/{id}/play"), &wish).must(422);
    assert_eq!(
        refused["stopped"],
        json!([{ "unit": "u1", "status": "out_of_action" }]),
        "{refused}"
    );
    assert!(
        text(&refused["error"]).ends_with(
            "“Out of Action” rules out Recover or rally; play it with `anyway` to allow it"
        ),
        "{refused}"
    );
    wish["play"]["anyway"] = true.into();
    let rolled = anna.post(&format!("/api/games/{id}/play"), &wish).must(200);
    assert!(text(&rolled["line"]).contains("\"anyway\":true"), "{rolled}");
}

#[test]
fn who_comes_back_after_a_restart_misses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let house = House::open(&place);
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let mut stream = anna.events(&id, 0);
    assert_eq!((1..=3).map(|_| stream.line().0).collect::<Vec<_>>(), [1, 2, 3]);
    anna.post(&format!("/api/games/{id}/play"), &shot(3)).must(200);
    house.stop();
    while stream.next().is_some() {}
    let house = House::open(&place);
    let anna = house.client().with(anna.token.as_deref().unwrap());
    anna.post(&format!("/api/games/{id}/play"), &shot(4)).must(200);
    let mut stream = anna.events(&id, 3);
    assert_eq!((1..=2).map(|_| stream.line().0).collect::<Vec<_>>(), [4, 5]);
    // A browser that reconnects by itself says so in a header.
    let mut stream = anna.header("Last-Event-ID", "4").events(&id, 0);
    assert_eq!(stream.line().0, 5);
}

#[test]
fn what_the_command_writes_is_seen_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let house = House::open(&place);
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let mut stream = anna.events(&id, 2);
    stream.here(&["Anna"]);
    let other = common::store_at(&place);
    let table_id = adjutant_store::TableId::parse(&id).unwrap();
    let pack = common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap();
    let there = adjutant_game::Table::open(
        pack,
        other.read(&table_id, 0).unwrap().iter().map(|line| &line.text),
    )
    .unwrap();
    let line = there
        .act(
            &adjutant_game::Stamp::new("2026-11-16T00:00:00Z", "Carl"),
            adjutant_game::EventKind::Note { text: "from the terminal".into() },
        )
        .unwrap();
    other.append(&table_id, 2, &[&line.text]).unwrap();
    assert_eq!(stream.line().0, 3);
    // The server does not know better than its store.
    anna.post(&format!("/api/games/{id}/act"), &json!({ "after": 3, "do": { "phase": {} } }))
        .must(200);
}

#[test]
fn two_servers_on_one_postgres_are_one_table() {
    let place = common::postgres_server::Server::shared().fresh();
    let (one, two) = (House::open(&place), House::open(&place));
    let (anna, made) = one.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let boris = joined(&two, &made, "Axis", "Boris");
    let (mut hers, mut his) = (anna.events(&id, 4), boris.events(&id, 4));
    hers.here(&["Anna", "Boris"]);
    his.here(&["Anna", "Boris"]);
    anna.post(&format!("/api/games/{id}/play"), &shot(4)).must(200);
    assert_eq!((his.line().0, hers.line().0), (5, 5));
    boris.post(&format!("/api/games/{id}/play"), &shot(5)).must(200);
    assert_eq!((his.line().0, hers.line().0), (6, 6));
    // The player who acts on what he has not seen is told, whichever server he asks.
    assert_eq!(anna.post(&format!("/api/games/{id}/play"), &shot(5)).must(409)["last"], 6);
    // A token counts on both, and a new invitation voids it on both.
    let boris_there = one.client().with(boris.token.as_deref().unwrap());
    assert_eq!(boris_there.get(&format!("/api/games/{id}")).must(200)["you"], "Boris");
    anna.post(&format!("/api/games/{id}/invitations"), &json!({ "rotate": { "side": "Axis" } }))
        .must(200);
    while his.next().is_some() {}
    assert_eq!(boris.get(&format!("/api/games/{id}")).status, 401);
    let gate = Barrier::new(2);
    let there = two.client().with(anna.token.as_deref().unwrap());
    for last in 6..16 {
        let race = |client: &Client| {
            gate.wait();
            client.post(&format!("/api/games/{id}/play"), &shot(last)).status
        };
        let (a, b) = thread::scope(|scope| {
            let other = scope.spawn(|| race(&there));
            (race(&anna), other.join().unwrap())
        });
        assert_eq!(a.min(b) + a.max(b), 609, "{a} {b}");
    }
    let lines = there.get(&format!("/api/games/{id}/lines")).text();
    adjutant_game::import(
        common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap(),
        &lines,
    )
    .unwrap();
}
