#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! A request that is repeated with its idempotency key is carried out once: on the same server, on
//! another one, after a restart, and when PostgreSQL restarts in mid-commit. A read can ask for at
//! least an event.

mod common;

use common::postgres_server::Server;
use common::{Answer, Client, House, file_in, recruit, shot, text};
use serde_json::{Value as Json, json};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

const KEY: &str = "Idempotency-Key";

fn count(client: &Client, id: &str) -> usize {
    client.get(&format!("/api/games/{id}/lines")).text().lines().count()
}

fn note(words: &str) -> Json {
    json!({ "do": { "note": { "text": words } } })
}

#[test]
fn a_repeated_request_gets_the_first_answer_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let (act, play) = (format!("/api/games/{id}/act"), format!("/api/games/{id}/play"));
    let (noted, rolled) = (anna.header(KEY, "one"), anna.header(KEY, "two"));
    let first = [noted.post(&act, &note("rain")).must(200), rolled.post(&play, &shot(4)).must(200)];
    let again = [noted.post(&act, &note("rain")).must(200), rolled.post(&play, &shot(4)).must(200)];
    assert_eq!((&first, count(&anna, &id)), (&again, 5));
    assert!(first[1]["resolution"].is_object());
    // Another body, another address, or a key that cannot be read.
    let reused = noted.post(&act, &note("snow")).must(422);
    assert!(text(&reused["error"]).contains("another request"), "{reused}");
    noted.post(&play, &shot(5)).must(422);
    anna.header(KEY, &"x".repeat(201)).post(&act, &note("rain")).must(400);
    // Another player may use the same key.
    let join = json!({ "key": made["invitations"]["sides"]["Axis"], "name": "Boris" });
    let joined = house.client().post(&format!("/api/games/{id}/join"), &join).must(200);
    let boris = house.client().with(text(&joined["token"])).header(KEY, "one");
    assert_eq!(boris.post(&act, &note("rain")).must(200)["n"], 7);
    // A request that failed was not carried out, so its key is free.
    let late = anna.header(KEY, "three");
    late.post(&play, &shot(4)).must(409);
    late.post(&play, &shot(7)).must(200);
    house.stop();
    let house = House::open(&file_in(&folder));
    let back = house.client().with(anna.token.as_deref().unwrap());
    assert_eq!(back.header(KEY, "two").post(&play, &shot(4)).must(200), first[1]);
    assert_eq!(count(&back, &id), 8);
}

#[test]
fn a_roll_that_stops_for_an_answer_is_not_rolled_twice() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table_of("combat-leader");
    let play = format!("/api/games/{}/play", text(&made["id"]));
    let asked = json!({ "play": { "chart": "accuracy", "given": { "mod_fp": 3 } }, "cards": [53] });
    let first = anna.header(KEY, "one").post(&play, &asked).must(200);
    assert_eq!(anna.header(KEY, "one").post(&play, &asked).must(200), first);
    let go_on = json!({ "ticket": first["ticket"], "answers": { "jam": "no" }, "cards": [7] });
    let second = anna.header(KEY, "two").post(&play, &go_on).must(200);
    assert_eq!(anna.header(KEY, "two").post(&play, &go_on).must(200), second);
}

#[test]
fn games_joins_and_invitations_are_made_once_and_no_token_is_stored() {
    let address = Server::shared().fresh();
    let (one, two) = (House::open(&address), House::open(&address));
    let begin = json!({ "name": "Hill 112", "pack": "panzer8", "sides": ["Allies", "Axis"], "who": "Anna" });
    let key = "a key of more than sixteen characters";
    let create = |house: &House| house.client().header(KEY, key).post("/api/games", &begin);
    let made = create(&one).must(201);
    assert_eq!(create(&two).must(201), made);
    let other = json!({ "name": "Hill 113", "pack": "panzer8", "who": "Anna" });
    two.client().header(KEY, key).post("/api/games", &other).must(422);
    one.client().header(KEY, "short").post("/api/games", &begin).must(400);
    assert_eq!(one.client().get("/api/games").must(200)["games"].as_array().unwrap().len(), 1);

    let path = |end: &str| format!("/api/games/{}/{end}", text(&made["id"]));
    let join = json!({ "key": made["invitations"]["sides"]["Axis"], "name": "Boris" });
    let joined = one.client().header(KEY, "join").post(&path("join"), &join).must(200);
    assert_eq!(two.client().header(KEY, "join").post(&path("join"), &join).must(200), joined);
    let boris = two.client().with(text(&joined["token"]));
    assert_eq!(boris.get(&format!("/api/games/{}", text(&made["id"]))).must(200)["you"], "Boris");
    let enter = json!({ "name": "Owner" });
    let entered = one.client().header(KEY, "enter").post(&path("enter"), &enter).must(200);
    assert_eq!(two.client().header(KEY, "enter").post(&path("enter"), &enter).must(200), entered);
    let lines = count(&boris, text(&made["id"]));

    let anna = |house: &House| house.client().with(text(&made["token"])).header(KEY, "rotate");
    let rotate = json!({ "rotate": { "side": "Axis" } });
    let rotated = anna(&one).post(&path("invitations"), &rotate).must(200);
    assert_eq!(anna(&two).post(&path("invitations"), &rotate).must(200), rotated);
    // The invitation was reset, so the repeated request opens nothing any more.
    two.client().header(KEY, "join").post(&path("join"), &join).must(403);

    let log = one.client().with(text(&made["token"])).get(&path("lines")).text();
    assert_eq!(log.lines().count(), lines);
    let import = |house: &House| {
        let client = house.client().header(KEY, "another key of sixteen characters");
        client.send("POST", "/api/games/import", log.as_bytes())
    };
    let imported = import(&one).must(201);
    assert_eq!(import(&two).must(201), imported);

    let mut database = Server::shared().client(address.rsplit('/').next().unwrap());
    let dump = "SELECT string_agg(t, '') FROM (SELECT text AS t FROM adjutant.texts UNION ALL SELECT key || answer FROM adjutant.receipts) AS stored";
    let stored: String = database.query_one(dump, &[]).unwrap().get(0);
    for token in [&made["token"], &joined["token"], &entered["token"], &imported["token"]] {
        assert!(!stored.contains(text(token)));
    }
}

#[test]
fn no_player_pushes_out_the_receipts_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let at = |end: &str| format!("/api/games/{id}/{end}");
    let axis = &made["invitations"]["sides"]["Axis"];
    let join = |key: &Json, name: &str| {
        let client = house.client().header(KEY, "join");
        client.post(&at("join"), &json!({ "key": key, "name": name }))
    };
    let joined = join(axis, "Boris").must(200);
    let boris = house.client().with(text(&joined["token"]));
    let rolled = anna.header(KEY, "roll").post(&at("play"), &shot(4)).must(200);
    for n in 0..300 {
        boris.header(KEY, &format!("note {n}")).post(&at("act"), &note("rain")).must(200);
    }
    let lines = count(&anna, &id);
    assert_eq!(anna.header(KEY, "roll").post(&at("play"), &shot(4)).must(200), rolled);
    assert_eq!((join(axis, "Boris").must(200), count(&anna, &id)), (joined, lines));
    // Who joins with the same key is someone else, with another token.
    join(axis, "Eve").must(422);
    let eve = join(&made["invitations"]["umpire"], "Eve").must(200);
    let about = format!("/api/games/{id}");
    assert_eq!(house.client().with(text(&eve["token"])).get(&about).must(200)["you"], "Eve");
    assert_eq!(boris.get(&about).must(200)["you"], "Boris");
}

#[test]
fn who_has_used_up_the_space_for_receipts_is_refused_before_the_dice() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| config.limits.receipts = 2_000);
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let [act, play] = ["act", "play"].map(|end| format!("/api/games/{id}/{end}"));
    let join = json!({ "key": made["invitations"]["sides"]["Axis"], "name": "Boris" });
    let joined = house.client().post(&format!("/api/games/{id}/join"), &join).must(200);
    let boris = house.client().with(text(&joined["token"]));
    let noted = |n: usize| boris.header(KEY, &format!("note {n}")).post(&act, &note("rain"));
    let first = noted(0).must(200);
    let many = (1..20).find(|n| noted(*n).status == 429).unwrap();
    let lines = count(&boris, &id);
    let refused = boris.header(KEY, "roll").post(&play, &shot(lines as u64)).must(429);
    assert!(text(&refused["error"]).contains("nothing was done"), "{refused}");
    noted(many).must(429);
    assert_eq!((noted(0).must(200), count(&boris, &id)), (first, lines));
    // Without a key, and by others.
    boris.post(&act, &note("rain")).must(200);
    anna.header(KEY, "note 0").post(&act, &note("rain")).must(200);
    assert_eq!(count(&boris, &id), lines + 2);
}

#[test]
fn two_servers_at_once_carry_a_request_out_once() {
    let address = Server::shared().fresh();
    let (one, two) = (House::open(&address), House::open(&address));
    let (anna, made) = one.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let there = two.client().with(anna.token.as_deref().unwrap());
    let (act, play) = (format!("/api/games/{id}/act"), format!("/api/games/{id}/play"));
    let gate = Barrier::new(2);
    for round in 0..10 {
        let last = 3 + 2 * round;
        let key = format!("round {round}");
        let both = |client: &Client| -> [Answer; 2] {
            let client = client.header(KEY, &key);
            gate.wait();
            let rolled = client.post(&play, &shot(last));
            gate.wait();
            [rolled, client.header("x-round", "2").post(&act, &note("rain"))]
        };
        let noted = |client: &Client| {
            gate.wait();
            client.header(KEY, &format!("note {round}")).post(&act, &note("rain"))
        };
        let (hers, his) = thread::scope(|scope| {
            let other = scope.spawn(|| (both(&there), noted(&there)));
            ((both(&anna), noted(&anna)), other.join().unwrap())
        });
        assert_eq!(hers.0[0].must(200), his.0[0].must(200));
        // The key of the roll is not one of a note.
        assert_eq!((hers.0[1].status, his.0[1].status), (422, 422));
        assert_eq!(hers.1.must(200), his.1.must(200));
        // Who was told of it finds it in the log at once, on either server.
        assert_eq!([count(&anna, &id), count(&there, &id)], [last as usize + 2; 2]);
    }
}

#[test]
fn a_read_can_ask_for_at_least_an_event() {
    let address = Server::shared().fresh();
    let (one, two) = (House::open(&address), House::open(&address));
    let (anna, made) = one.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    let there = two.client().with(anna.token.as_deref().unwrap());
    for last in 3..13 {
        let n = anna.post(&format!("/api/games/{id}/play"), &shot(last)).must(200)["n"].clone();
        let about = there.get(&format!("/api/games/{id}?at_least={n}")).must(200);
        assert_eq!(about["last"], n);
        let lines = there.get(&format!("/api/games/{id}/lines?after={last}&at_least={n}"));
        assert_eq!((lines.status, lines.text().lines().count()), (200, 1));
    }
    // An event that comes while the read waits.
    let waits = thread::scope(|scope| {
        let read = scope.spawn(|| there.get(&format!("/api/games/{id}?at_least=14")));
        anna.post(&format!("/api/games/{id}/play"), &shot(13)).must(200);
        read.join().unwrap()
    });
    assert_eq!(waits.must(200)["last"], 14);
    let not_yet = there.get(&format!("/api/games/{id}/lines?at_least=15"));
    assert_eq!(
        (not_yet.must(503)["last"].clone(), not_yet.header("retry-after")),
        (json!(14), Some("1"))
    );
    there.get(&format!("/api/games/{id}?at_least=x")).must(400);
}

/// 503 means that nothing was done. Anything else that is not an answer is repeated with the same
/// key, and then stored exactly once.
#[test]
fn while_the_database_restarts_every_answer_is_true() {
    let database = Server::new();
    let address = database.fresh();
    let houses = [House::open(&address), House::open(&address)];
    let (done, stored) = (AtomicBool::new(false), AtomicUsize::new(0));
    let write = |house: &House| {
        let (anna, made) = house.table();
        let id = text(&made["id"]).to_owned();
        let (mut expected, mut refused) = (Vec::new(), Vec::new());
        let mut serial = 0;
        while !done.load(SeqCst) {
            serial += 1;
            let words = format!("note {serial}");
            let act = || {
                let client = anna.header(KEY, &words);
                client.post(&format!("/api/games/{id}/act"), &note(&words))
            };
            let mut answer = act();
            while answer.status == 500 {
                assert_eq!(answer.json()["unknown"], true);
                answer = act();
                // The first attempt may have been stored, so 503 says nothing about it.
                if answer.status == 503 {
                    answer.status = 500;
                    answer.body = json!({ "unknown": true }).to_string().into_bytes();
                }
            }
            match answer.status {
                200 => expected.push(words),
                503 => refused.push(words),
                other => panic!("{other}: {}", answer.text()),
            }
            stored.store(stored.load(SeqCst) + 1, SeqCst);
        }
        (anna, id, expected, refused)
    };
    let written = thread::scope(|scope| {
        let writers: Vec<_> = (0..6)
            .map(|n| {
                scope.spawn({
                    let (write, house) = (&write, &houses[n % 2]);
                    move || write(house)
                })
            })
            .collect();
        for end in [Server::stop, Server::crash, Server::stop] {
            let seen = stored.load(SeqCst);
            while stored.load(SeqCst) < seen + 60 {
                thread::yield_now();
            }
            end(&database);
            database.start();
        }
        done.store(true, SeqCst);
        writers.into_iter().map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    for (anna, id, expected, refused) in written {
        let log = anna.get(&format!("/api/games/{id}/lines")).text();
        let there: Vec<String> = log
            .lines()
            .filter_map(|line| {
                let event: Json = serde_json::from_str(line).unwrap();
                event["do"]["note"]["text"].as_str().map(str::to_owned)
            })
            .collect();
        assert_eq!(there, expected, "refused: {refused:?}");
    }
}
