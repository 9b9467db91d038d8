#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Who may do what: invitations, owners, other sites' pages, consent, and rolls that wait for an
//! answer.

mod common;

use common::{Client, House, file_in, recruit, shot, text};
use serde_json::{Value as Json, json};

fn join(house: &House, id: &str, key: &Json, name: &str) -> common::Answer {
    house.client().post(&format!("/api/games/{id}/join"), &json!({ "key": key, "name": name }))
}

fn come(house: &House, id: &str, key: &Json, name: &str) -> Client {
    house.client().with(text(&join(house, id, key, name).must(200)["token"]))
}

#[test]
fn a_key_opens_its_role_and_a_new_one_voids_the_old() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let keys = &made["invitations"];
    let at = |path: &str| format!("/api/games/{id}{path}");
    let boris = come(&house, &id, &keys["sides"]["Axis"], "Boris");
    let eve = come(&house, &id, &keys["spectator"], "Eve");
    let umpire = come(&house, &id, &keys["umpire"], "Uli");
    // An invitation says what it is for, but only to who has its key.
    let told = house.client().post(&at("/invitation"), &json!({ "key": keys["sides"]["Axis"] }));
    let told = told.must(200);
    assert_eq!(told["role"], json!({ "player": { "side": "Axis" } }));
    assert_eq!((text(&told["name"]), text(&told["host"])), ("Hill 112", "Anna"));
    assert_eq!(text(&told["pack_title"]), "Panzer8");
    let begun: Json =
        serde_json::from_str(anna.get(&at("/lines")).text().lines().next().unwrap()).unwrap();
    assert_eq!(told["pack_hash"], begun["do"]["begin"]["hash"]);
    assert_eq!(told["pack_version"], begun["do"]["begin"]["version"]);
    assert!(told["people"].as_array().unwrap().iter().any(|one| one["name"] == "Boris"));
    let wrong = house.client().post(&at("/invitation"), &json!({ "key": "x" }));
    assert_eq!(wrong.status, 403);
    assert!(!wrong.text().contains("Anna"));
    // Names are one person's.
    for name in ["Anna", "Boris", "Eve"] {
        assert!(
            join(&house, &id, &keys["umpire"], name).must(409)["error"]
                .as_str()
                .unwrap()
                .contains(name)
        );
    }
    for (name, status) in [
        ("", 422),
        (" x", 422),
        ("a\nb", 422),
        ("Anna\u{200b}", 422),
        (&"x".repeat(61) as &str, 422),
    ] {
        assert_eq!(join(&house, &id, &keys["spectator"], name).status, status, "{name:?}");
    }
    // Who looks on writes nothing, not even that he came.
    let lines = eve.get(&at("/lines")).text();
    assert!(lines.contains("Boris") && lines.contains("Uli") && !lines.contains("Eve"));
    assert_eq!(eve.post(&at("/act"), &json!({ "do": { "note": { "text": "hi" } } })).status, 403);
    assert_eq!(eve.post(&at("/play"), &shot(4)).status, 403);
    // Only an umpire, or who began it, hands out invitations and changes seats.
    let rise = json!({ "do": { "join": { "who": "Boris", "role": "umpire" } } });
    assert_eq!(
        (boris.get(&at("/invitations")).status, eve.get(&at("/invitations")).status),
        (403, 403)
    );
    assert_eq!(
        (
            boris.post(&at("/act"), &rise).status,
            boris.post(&at("/invitations"), &json!({ "rotate": "all" })).status
        ),
        (403, 403)
    );
    assert_eq!(umpire.get(&at("/invitations")).must(200), *keys);
    assert_eq!(anna.get(&at("/invitations")).must(200), *keys);
    // A new invitation.
    let fresh = umpire.post(&at("/invitations"), &json!({ "rotate": "spectator" })).must(200);
    assert!(fresh["spectator"] != keys["spectator"] && fresh["umpire"] == keys["umpire"]);
    assert_eq!(
        (
            eve.get(&at("")).status,
            boris.get(&at("")).status,
            join(&house, &id, &keys["spectator"], "Eva").status
        ),
        (401, 200, 403)
    );
    umpire.post(&at("/invitations"), &json!({ "rotate": "all" })).must(200);
    assert_eq!(
        (boris.get(&at("")).status, umpire.get(&at("")).status, anna.get(&at("")).status),
        (401, 200, 200)
    );
    assert_eq!(
        umpire.post(&at("/invitations"), &json!({ "rotate": { "side": "Nobody" } })).status,
        422
    );
    // An umpire seats others: he who looks on from now on may not act.
    let keys = umpire.get(&at("/invitations")).must(200);
    let carl = come(&house, &id, &keys["sides"]["Axis"], "Carl");
    carl.post(&at("/act"), &json!({ "do": { "note": { "text": "here" } } })).must(200);
    umpire
        .post(&at("/act"), &json!({ "do": { "join": { "who": "Carl", "role": "spectator" } } }))
        .must(200);
    assert_eq!(
        carl.post(&at("/act"), &json!({ "do": { "note": { "text": "there" } } })).status,
        403
    );
    let about = carl.get(&at("")).must(200);
    assert_eq!(about["role"], "spectator");
    // How far the game is, for the list of the player's games.
    assert_eq!((&about["turn"], &about["next"]), (&json!(1), &json!("any")));
    assert!(text(&about["changed"]).ends_with('Z'), "{about}");
}

#[test]
fn a_player_comes_back_with_the_new_invitation_under_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let at = |path: &str| format!("/api/games/{id}{path}");
    let axis = &made["invitations"]["sides"]["Axis"];
    let boris = come(&house, &id, axis, "Boris");
    let lines = anna.get(&at("/lines")).text();
    let rotate = json!({ "rotate": { "side": "Axis" } });
    let fresh = anna.post(&at("/invitations"), &rotate).must(200);
    assert_eq!(boris.get(&at("")).status, 401);
    assert_eq!(join(&house, &id, axis, "Boris").status, 403);
    // The name stays that of a player of Axis.
    for key in ["umpire", "spectator"] {
        join(&house, &id, &fresh[key], "Boris").must(409);
    }
    join(&house, &id, &fresh["sides"]["Allies"], "Boris").must(409);
    let boris = come(&house, &id, &fresh["sides"]["Axis"], "Boris");
    assert_eq!(boris.get(&at("")).must(200)["role"], json!({ "player": { "side": "Axis" } }));
    assert_eq!(anna.get(&at("/lines")).text(), lines, "Boris has joined already");
    join(&house, &id, &fresh["sides"]["Axis"], "Boris").must(409);
}

#[test]
fn a_reset_removes_no_player_who_rolls_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let at = |path: &str| format!("/api/games/{id}{path}");
    let axis = &made["invitations"]["sides"]["Axis"];
    let (boris, carl) = (come(&house, &id, axis, "Boris"), come(&house, &id, axis, "Carl"));
    recruit(&anna, &id);
    let pack = common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap();
    let table = || {
        let log = anna.get(&at("/lines")).text();
        adjutant_game::Table::open(pack.clone(), log.lines()).unwrap()
    };
    let mut chains = [[1; 32], [2; 32]].map(|secret| adjutant_game::Chain::new(secret, 9).unwrap());
    let both = [("Anna", &anna), ("Boris", &boris)];
    for ((name, client), chain) in both.into_iter().zip(&chains) {
        let seal = chain.seal(&table(), name, None).unwrap();
        client.post(&at("/act"), &json!({ "do": { "seal": seal } })).must(200);
    }
    anna.post(&at("/act"), &json!({ "do": { "call": shot(0)["play"] } })).must(200);
    for what in [json!({ "side": "Axis" }), json!("all")] {
        anna.post(&at("/invitations"), &json!({ "rotate": what })).must(200);
    }
    assert_eq!((carl.get(&at("")).status, boris.get(&at("")).status), (401, 200));
    // No one else takes the name, and Boris is not late because of the reset.
    let keys = anna.get(&at("/invitations")).must(200);
    join(&house, &id, &keys["sides"]["Axis"], "Boris").must(409);
    for ((name, client), chain) in both.into_iter().zip(&mut chains) {
        let table = table();
        let shown = chain.show(&table, name).unwrap();
        let reveal = json!({ "reveal": { "link": shown.link, "mark": shown.mark } });
        let body = json!({ "after": table.lines().len(), "do": reveal });
        client.post(&at("/act"), &body).must(200);
    }
    boris.post(&at("/play"), &json!({ "sealed": true })).must(200);
}

#[test]
fn only_a_proxy_that_was_named_is_believed() {
    /// Whether requests that claim many addresses are limited as those of one client.
    fn limited(listen: &str, proxies: &[&str]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let house = House::with(&file_in(&folder), |config| {
            config.listen = listen.parse().unwrap();
            config.origins = vec!["http://clubpc:7112".into()];
            config.proxies = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
            config.limits.requests_a_second = 0.001;
            config.limits.burst = 30.0;
        });
        let from = |n: u32| house.client().header("X-Forwarded-For", &format!("203.0.113.{n}"));
        (1..60).any(|n| from(n).get("/healthz").status == 429)
    }
    // The advice for home: other machines reach the server, and it has one more name.
    assert!(limited("0.0.0.0:0", &[]));
    assert!(limited("0.0.0.0:0", &["192.0.2.1"]));
    assert!(!limited("0.0.0.0:0", &["192.0.2.1", "127.0.0.1"]));
    // Only this machine reaches the server, so the proxy runs on it, unless another is named.
    assert!(!limited("127.0.0.1:0", &[]));
    assert!(limited("127.0.0.1:0", &["192.0.2.1"]));
}

#[test]
fn nothing_of_a_table_is_told_to_who_has_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let ((anna, mine), (_, other)) = (house.table(), house.table());
    let (id, there) = (text(&mine["id"]).to_owned(), text(&other["id"]).to_owned());
    let none = "0000000000000000";
    let stranger = house.client().with("0123456789abcdefghjkmnpqrs");
    let mut answers = Vec::new();
    for client in [&house.client(), &stranger, &anna] {
        for table in [there.as_str(), none, "no-id", "..%2f..", "%00"] {
            for path in ["", "/lines", "/events", "/invitations"] {
                answers.push(client.get(&format!("/api/games/{table}{path}")));
            }
            for (path, body) in [
                ("/act", json!({ "do": { "undo": {} } })),
                ("/play", shot(2)),
                ("/invitations", json!({ "rotate": "all" })),
            ] {
                answers.push(client.post(&format!("/api/games/{table}{path}"), &body));
            }
        }
    }
    // One and the same answer, whether the table is there or not.
    let first = answers[0].text();
    assert!(
        answers.iter().all(|answer| answer.status == 401 && answer.text() == first),
        "{answers:?}"
    );
    let key = &mine["invitations"]["umpire"];
    let refusals: Vec<String> = [there.as_str(), none]
        .map(|table| join(&house, table, key, "Eve"))
        .iter()
        .map(|a| format!("{} {}", a.status, a.text()))
        .collect();
    assert_eq!(refusals[0], refusals[1]);
    assert!(refusals[0].starts_with("403"));
    assert_eq!(anna.get(&format!("/api/games/{id}")).status, 200);
}

#[test]
fn the_owner_is_who_sits_at_the_machine_or_shows_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let house = House::open(&place);
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let list = house.client().get("/api/games").must(200);
    assert_eq!(
        (&list["games"][0]["id"], &list["games"][0]["name"]),
        (&made["id"], &json!("Hill 112"))
    );
    let entered = house
        .client()
        .post(&format!("/api/games/{id}/enter"), &json!({ "name": "Anna" }))
        .must(200);
    assert_eq!(entered["role"], json!({ "player": { "side": "Allies" } }));
    assert_eq!(
        house.client().post("/api/games/0000000000000000/enter", &json!({ "name": "Anna" })).status,
        404
    );
    assert!(house.client().get("/metrics").text().contains("adjutant_tables 1"));
    // What a proxy passes on is not the machine itself, even if no one told us of the proxy.
    assert_eq!(
        house.client().header("X-Forwarded-For", "203.0.113.9").get("/api/games").status,
        401
    );
    drop(house);
    let open =
        House::with(&place, |config| config.origins = vec!["https://play.example.org".into()]);
    let proxied = Client { address: open.address, ..anna }.header("Host", "play.example.org");
    assert_eq!(proxied.get("/api/games").status, 401);
    assert_eq!(proxied.get("/metrics").status, 401);
    assert_eq!(
        proxied.with(&open.owner_key).get("/api/games").must(200)["games"][0]["id"],
        made["id"]
    );
    assert_eq!(proxied.get(&format!("/api/games/{id}")).must(200)["you"], "Anna");
}

#[test]
fn pages_of_other_sites_and_rebound_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let client = house.client();
    for host in ["evil.example", "evil.example:80", "192.168.1.5:80", "", "localhost.evil.example"]
    {
        assert_eq!(client.header("Host", host).get("/api/packs").status, 421, "{host}");
    }
    for host in ["localhost", "LOCALHOST:7", "127.0.0.1", "[::1]:7112"] {
        assert_eq!(client.header("Host", host).get("/api/packs").status, 200, "{host}");
    }
    // One name, said once.
    for second in ["evil.example", "localhost"] {
        let twice = client.header("Host", "localhost").header("Host", second);
        assert_eq!(twice.get("/api/packs").status, 400, "{second}");
    }
    for (named, host, status) in [
        ("evil.example", "localhost", 421),
        ("localhost:1", "localhost", 421),
        ("evil.example", "evil.example", 421),
        ("anna@localhost", "localhost", 421),
        ("localhost", "localhost", 200),
    ] {
        let answer = client.header("Host", host).get(&format!("http://{named}/api/packs"));
        assert_eq!(answer.status, status, "{named} {host}");
    }
    let body = json!({ "pack": "panzer8", "chart": "rally" });
    for origin in ["https://evil.example", "null", "http://localhost:1", "file://", ""] {
        assert_eq!(
            client.header("Origin", origin).post("/api/odds", &body).status,
            403,
            "{origin}"
        );
    }
    assert_eq!(
        client
            .header("Origin", &format!("http://{}", house.address))
            .post("/api/odds", &body)
            .status,
        200
    );
    assert_eq!(client.header("Sec-Fetch-Site", "cross-site").post("/api/odds", &body).status, 403);
    assert_eq!(client.header("Sec-Fetch-Site", "same-origin").post("/api/odds", &body).status, 200);
    let answer = client.get("/");
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"));
    assert_eq!(
        (answer.header("x-content-type-options"), answer.header("referrer-policy")),
        (Some("nosniff"), Some("no-referrer"))
    );
    assert!(
        answer.header("set-cookie").is_none()
            && answer.header("access-control-allow-origin").is_none()
    );
}

#[test]
fn no_one_joins_under_a_name_that_looks_like_another() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (_anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let (axis, spectator) =
        (&made["invitations"]["sides"]["Axis"], &made["invitations"]["spectator"]);
    come(&house, &id, spectator, "Boris");
    for name in ["anna", "An na", "\u{410}nna", "Anna\u{200d}", "BORIS", "B\u{43e}ris"] {
        for key in [axis, spectator] {
            let refused = join(&house, &id, key, name);
            assert_eq!(refused.status, 409, "{name}: {}", refused.text());
            assert!(refused.text().contains("looks like"), "{}", refused.text());
        }
        let enter = json!({ "name": name });
        let refused = house.client().post(&format!("/api/games/{id}/enter"), &enter);
        assert!([409, 422].contains(&refused.status), "{name}: {}", refused.text());
    }
    come(&house, &id, axis, "Hanna");
}

#[test]
fn a_roll_is_taken_back_with_consent() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let boris = come(&house, &id, &made["invitations"]["sides"]["Axis"], "Boris");
    recruit(&anna, &id);
    let act = |client: &Client, what: Json| {
        client.post(&format!("/api/games/{id}/act"), &json!({ "do": what }))
    };
    anna.post(&format!("/api/games/{id}/play"), &shot(4)).must(200);
    let refused = act(&anna, json!({ "undo": {} })).must(422);
    assert!(text(&refused["error"]).contains("consent of Axis"), "{refused}");
    act(&anna, json!({ "ask": { "want": "undo" } })).must(200);
    assert_eq!(act(&anna, json!({ "consent": { "yes": true } })).status, 422);
    let consented = act(&boris, json!({ "consent": { "yes": true } })).must(200);
    assert_eq!(consented["n"], 7);
    // The consent carries the undo out, in the name of the player who asked.
    let last = |client: &Client| {
        let lines = client.get(&format!("/api/games/{id}/lines?after=7")).text();
        serde_json::from_str::<Json>(lines.lines().last().unwrap_or("null")).unwrap()
    };
    assert_eq!(
        (&last(&anna)["n"], &last(&anna)["by"], &last(&anna)["do"]),
        (&json!(8), &json!("Anna"), &json!({ "undo": { "event": 5 } }))
    );
    act(&anna, json!({ "ask": { "want": "redo" } })).must(200);
    act(&boris, json!({ "consent": { "yes": false } })).must(200);
    assert_eq!(last(&anna)["n"], 10);
    act(&boris, json!({ "consent": { "yes": true } })).must(200);
    assert_eq!(
        (&last(&anna)["n"], &last(&anna)["do"]),
        (&json!(12), &json!({ "redo": { "event": 5 } }))
    );
    act(&anna, json!({ "phase": {} })).must(200);
    for (what, status) in [
        (json!({}), 400),
        (json!({ "undo": {}, "redo": {} }), 400),
        (json!({ "begin": {} }), 400),
        (json!({ "play": { "request": { "chart": "fire" } } }), 422),
        (json!({ "dance": {} }), 400),
        (json!({ "ask": {} }), 400),
        (json!({ "consent": {} }), 400),
        (json!({ "remove": { "unit": "u9", "word": "gone" } }), 422),
        (json!({ "join": { "who": "Anna", "role": { "player": { "side": "Nobody" } } } }), 422),
    ] {
        assert_eq!(act(&anna, what.clone()).status, status, "{what}");
    }
}

#[test]
fn what_a_player_gave_is_taken_back_and_what_the_server_threw_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, id) = deck_table(&house);
    let at = format!("/api/games/{id}/play");
    let wish = json!({ "chart": "accuracy", "given": { "mod_fp": 3, "clear": true } });
    assert_eq!(anna.post(&at, &json!({ "play": wish, "back": true })).status, 400);
    let first = anna.post(&at, &json!({ "play": wish, "own": true, "cards": [53] })).must(200);
    assert_eq!(
        (&first["inputs"][0]["card"], &first["needs"][0]["key"]),
        (&json!(53), &json!("jam"))
    );
    let second = anna
        .post(&at, &json!({ "ticket": first["ticket"], "own": true, "answers": { "jam": "no" } }))
        .must(200);
    assert_eq!(second["needs"][0]["wanted"], "card");
    // The answer, then the card.
    let back =
        anna.post(&at, &json!({ "ticket": second["ticket"], "own": true, "back": true })).must(200);
    assert_eq!(back["needs"][0]["key"], "jam");
    let back =
        anna.post(&at, &json!({ "ticket": back["ticket"], "own": true, "back": true })).must(200);
    assert_eq!((&back["needs"][0]["wanted"], &back["inputs"]), (&json!("card"), &json!([])));
    let none =
        anna.post(&at, &json!({ "ticket": back["ticket"], "own": true, "back": true })).must(422);
    assert_eq!(none["ticket"], back["ticket"], "the throw still waits");
    let done = anna.post(&at, &json!({ "ticket": back["ticket"], "cards": [7] })).must(200);
    assert!(!text(&done["line"]).contains("\"card\":53"), "{done}");
    // With cards of the server, only the answer is the player's.
    for _ in 0..200 {
        let drawn = anna.post(&at, &json!({ "play": wish })).must(200);
        if drawn.get("ticket").is_some() {
            assert_eq!(drawn["needs"][0]["key"], "jam");
            assert_eq!(
                anna.post(&at, &json!({ "ticket": drawn["ticket"], "back": true })).must(422)["ticket"],
                drawn["ticket"]
            );
            return;
        }
    }
    panic!("no Jam card in two hundred draws");
}

/// A table of Combat Leader at which a weapon may jam, with the play that asks.
fn deck_table(house: &House) -> (Client, String) {
    let (anna, made) = house.table_of("combat-leader");
    (anna, text(&made["id"]).to_owned())
}

#[test]
fn a_die_rolled_stays_rolled_until_its_question_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let house = House::open(&place);
    let (anna, id) = deck_table(&house);
    let at = format!("/api/games/{id}/play");
    let wish = json!({ "chart": "accuracy", "given": { "mod_fp": 3, "clear": true } });
    // Card 53 jams: a question comes after the card.
    let stopped = anna.post(&at, &json!({ "after": 2, "play": wish, "cards": [53] })).must(200);
    assert_eq!((&stopped["needs"][0]["key"], stopped.get("n")), (&json!("jam"), None));
    let ticket = stopped["ticket"].clone();
    assert_eq!(stopped["resolution"]["steps"][0]["cards"], json!([53]));
    // Another roll must wait; the first is shown again.
    let held = anna
        .post(
            &at,
            &json!({ "after": 2, "play": { "chart": "accuracy", "given": { "mod_fp": 5 } } }),
        )
        .must(409);
    assert_eq!((&held["ticket"], &held["needs"][0]["key"]), (&ticket, &json!("jam")));
    assert_eq!(
        anna.post(&at, &json!({ "ticket": "wrong", "answers": { "jam": "no" } })).status,
        409
    );
    assert_eq!(
        anna.post(&at, &json!({ "ticket": ticket, "answers": { "jam": "perhaps" } })).status,
        422
    );
    // Also after a restart.
    drop(house);
    let house = House::open(&place);
    let anna = house.client().with(anna.token.as_deref().unwrap());
    assert_eq!(anna.post(&at, &json!({ "after": 2, "play": wish })).must(409)["ticket"], ticket);
    let needs = anna.post(&at, &json!({ "ticket": ticket, "answers": { "jam": "no" } })).must(200);
    assert_eq!(
        (&needs["needs"][0]["wanted"], &needs["needs"][0]["deck"]),
        (&json!("card"), &json!("action")),
        "{needs}"
    );
    let done = anna
        .post(&at, &json!({ "ticket": needs["ticket"], "answers": { "jam": "no" }, "cards": [7] }))
        .must(200);
    assert_eq!(done["n"], 3);
    let line: Json = serde_json::from_str(text(&done["line"])).unwrap();
    assert_eq!(
        line["do"]["play"]["inputs"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|came| came["card"].as_u64())
            .collect::<Vec<_>>(),
        [53, 7]
    );
    // The ticket is used up, and the next roll is free.
    assert_eq!(anna.post(&at, &json!({ "ticket": needs["ticket"], "cards": [7] })).status, 409);
    anna.post(&at, &json!({ "after": 3, "play": wish, "answers": { "jam": "no" } })).must(200);
    // Faces that do not fit are said, and leave nothing behind.
    assert!(
        text(&anna.post(&at, &json!({ "play": wish, "cards": [99] })).must(422)["error"])
            .contains("cards 1 to 60")
    );
    assert!(
        text(&anna.post(&at, &json!({ "play": { "chart": "acuracy" } })).must(422)["error"])
            .contains("accuracy")
    );
    let own = anna.post(&at, &json!({ "play": wish, "own": true })).must(200);
    assert!(own["needs"][0]["what_for"].is_string());
    // Nothing had come yet: another wish may take its place.
    anna.post(&at, &json!({ "play": wish, "answers": { "jam": "no" } })).must(200);
}

#[test]
fn who_dislikes_a_roll_does_not_get_rid_of_it_by_changing_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, id) = deck_table(&house);
    let [at, act] = ["play", "act"].map(|what| format!("/api/games/{id}/{what}"));
    anna.post(
        &act,
        &json!({ "do": { "add": [{ "template": "soldier", "name": "Novak", "side": "Allies" }] } }),
    )
    .must(200);
    let wish = json!({ "chart": "accuracy", "units": { "firer": "u1" }, "given": { "mod_fp": 3 } });
    let ticket =
        anna.post(&at, &json!({ "play": wish, "cards": [53] })).must(200)["ticket"].clone();
    // The table goes on, and an answer cannot be read: the roll still waits.
    anna.post(&act, &json!({ "do": { "note": { "text": "hm" } } })).must(200);
    assert_eq!(
        anna.post(&at, &json!({ "ticket": ticket, "answers": { "jam": "perhaps" } })).status,
        422
    );
    assert_eq!(anna.post(&at, &json!({ "play": wish })).must(409)["ticket"], ticket);
    // It fits no more: what had come is told to all.
    anna.post(&act, &json!({ "do": { "remove": { "unit": "u1", "word": "gone" } } })).must(200);
    let refused =
        anna.post(&at, &json!({ "ticket": ticket, "answers": { "jam": "yes" } })).must(422);
    assert!(text(&refused["error"]).contains("has left"), "{refused}");
    let lines = anna.get(&format!("/api/games/{id}/lines")).text();
    let last: Json = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let stopped = &last["do"]["unfinished"];
    assert_eq!(stopped["inputs"], json!([{ "card": 53, "from": "typed" }]), "{lines}");
    assert_eq!(stopped["broken_off"], true);
    assert_eq!(anna.post(&at, &json!({ "ticket": ticket })).status, 409);
}

#[test]
fn a_roll_that_is_abandoned_under_another_name_is_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, id) = deck_table(&house);
    let at = format!("/api/games/{id}/play");
    let wish = json!({ "chart": "accuracy", "given": { "mod_fp": 3 } });
    // A card of the server may bring the question, whether the weapon jams.
    let stopped = (0..200).find_map(|_| {
        let drawn = anna.post(&at, &json!({ "play": wish })).must(200);
        drawn.get("ticket").is_some().then_some(drawn)
    });
    let stopped = stopped.expect("a jam among 200 cards");
    let last = || -> Json {
        let lines = anna.get(&format!("/api/games/{id}/lines")).text();
        serde_json::from_str(lines.lines().last().unwrap()).unwrap()
    };
    let event = last();
    assert_eq!(event["do"]["unfinished"]["inputs"], stopped["inputs"], "{event}");
    assert_eq!(stopped["ticket"], format!("event-{}", event["n"]));
    // What is left over or cannot be read changes nothing of what was drawn.
    let wrong = json!({ "ticket": stopped["ticket"], "answers": { "jam": "perhaps" } });
    let wrong = anna.post(&at, &wrong).must(422);
    let event = last();
    assert_eq!(event["do"]["unfinished"]["inputs"], stopped["inputs"], "{event}");
    assert_eq!(wrong["ticket"], format!("event-{}", event["n"]));
    let held = anna.post(&at, &json!({ "play": wish })).must(409);
    assert_eq!(held["ticket"], wrong["ticket"]);
    // The roll goes on from there.
    let mut done = held;
    while done.get("ticket").is_some() {
        let answer = json!({ "ticket": done["ticket"], "answers": { "jam": "no" } });
        done = anna.post(&at, &answer).must(200);
    }
    let played = last();
    let played = played["do"]["play"]["inputs"].as_array().unwrap();
    assert!(played.starts_with(stopped["inputs"].as_array().unwrap()));
    anna.post(&at, &json!({ "play": wish })).must(200);
}

#[test]
fn a_result_for_a_side_that_does_not_exist_is_refused_before_the_dice() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, id) = deck_table(&house);
    let at = format!("/api/games/{id}/play");
    let wish = json!({ "chart": "accuracy", "given": { "mod_fp": 3 }, "new_units_side": "Nobody" });
    for _ in 0..30 {
        let refused = anna.post(&at, &json!({ "play": wish })).must(422);
        assert!(text(&refused["error"]).contains("Nobody"), "{refused}");
    }
    // A card that had been drawn would be in the log.
    assert_eq!(anna.get(&format!("/api/games/{id}/lines")).text().lines().count(), 2);
}

#[test]
fn a_table_is_started_in_a_way_the_pack_offers_and_a_log_is_brought() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let packs = common::all_packs();
    let pack = packs.iter().find(|pack| !pack.starts().is_empty()).unwrap();
    let begin = json!({ "name": "One step", "pack": pack.id(), "start": pack.starts().as_slice()[0].id, "who": "Anna" });
    let made = house.client().post("/api/games", &begin).must(201);
    let anna = house.client().with(text(&made["token"]));
    let log = anna.get(&format!("/api/games/{}/lines", text(&made["id"]))).text();
    assert!(log.lines().count() >= 3, "{log}");
    let copy = house.client().send("POST", "/api/games/import?who=Boris", log.as_bytes()).must(201);
    let boris = house.client().with(text(&copy["token"]));
    let lines = boris.get(&format!("/api/games/{}/lines", text(&copy["id"]))).text();
    assert!(lines.starts_with(&log) && lines.lines().count() == log.lines().count() + 1);
    for (log, status) in
        [("", 422), ("{}", 422), ("nonsense", 422), (&log.replacen("Anna", "Eve!", 1) as &str, 422)]
    {
        let answer = house.client().send("POST", "/api/games/import", log.as_bytes());
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    for (begin, status) in [
        (json!({ "pack": "panzer8", "who": "Anna" }), 400),
        (json!({ "name": "x", "pack": "panzer9", "who": "Anna" }), 422),
        (json!({ "name": "x", "pack": "panzer8" }), 400),
        (json!({ "name": "x", "pack": "panzer8", "who": "Anna", "seat": "king" }), 400),
        (
            json!({ "name": "x", "pack": "panzer8", "who": "Anna", "seat": { "player": { "side": "Third" } } }),
            422,
        ),
        (json!({ "name": "x", "pack": "panzer8", "who": "Anna", "start": "nowhere" }), 422),
        (json!({ "name": "x", "pack": "panzer8", "who": "Anna", "colour": "red" }), 400),
    ] {
        let answer = house.client().post("/api/games", &begin);
        assert_eq!(answer.status, status, "{begin} {}", answer.text());
    }
}

#[test]
fn who_asks_too_much_is_told_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.spare_loopback = false;
        config.limits.requests_a_second = 0.001;
        config.limits.burst = 30.0;
        config.limits.tables_an_hour = 2.0;
        config.limits.streams_of_a_client = 1;
    });
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    house.table();
    let begin = json!({ "name": "x", "pack": "panzer8", "who": "Anna" });
    assert_eq!(house.client().post("/api/games", &begin).status, 429);
    let stream = anna.events(&id, 0);
    assert_eq!(anna.get(&format!("/api/games/{id}/events")).status, 429);
    let statuses: Vec<u16> = (0..40).map(|_| house.client().get("/healthz").status).collect();
    assert!(statuses.contains(&200) && statuses.ends_with(&[429, 429]), "{statuses:?}");
    drop(stream);
}

#[test]
fn sealed_rolls_go_through_the_server_and_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let boris = come(&house, &id, &made["invitations"]["sides"]["Axis"], "Boris");
    recruit(&anna, &id);
    let pack = common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap();
    // What a browser does: fold the log it has, show its link for the open call.
    let table = || {
        adjutant_game::Table::open(
            pack.clone(),
            anna.get(&format!("/api/games/{id}/lines")).text().lines(),
        )
        .unwrap()
    };
    let act = |client: &Client, what: Json| {
        client.post(&format!("/api/games/{id}/act"), &json!({ "do": what }))
    };
    let mut chains =
        [("Anna", &anna, [1; 32]), ("Boris", &boris, [2; 32])].map(|(name, client, secret)| {
            (name, client, adjutant_game::Chain::new(secret, 50).unwrap())
        });
    for (name, client, chain) in &chains {
        act(client, json!({ "seal": chain.seal(&table(), name, None).unwrap() })).must(200);
    }
    assert_eq!(
        anna.post(&format!("/api/games/{id}/play"), &shot(6)).status,
        422,
        "who throws sealed throws no other dice"
    );
    act(&anna, json!({ "call": shot(0)["play"] })).must(200);
    assert_eq!(anna.post(&format!("/api/games/{id}/play"), &json!({ "sealed": true })).status, 422);
    for (name, client, chain) in &mut chains {
        let table = table();
        let shown = chain.show(&table, name).unwrap();
        let reveal = json!({ "reveal": { "link": shown.link, "mark": shown.mark } });
        // A mark covers the lines before it: the server must not put it after another line.
        let refused = act(client, reveal.clone());
        assert_eq!(refused.status, 400, "{}", refused.text());
        assert!(refused.text().contains("`after`"), "{}", refused.text());
        let after = table.lines().len();
        client
            .post(&format!("/api/games/{id}/act"), &json!({ "after": after, "do": reveal }))
            .must(200);
    }
    let rolled = boris.post(&format!("/api/games/{id}/play"), &json!({ "sealed": true })).must(200);
    assert!(text(&rolled["line"]).contains("\"call\":7"), "{rolled}");
    adjutant_game::import(pack.clone(), &anna.get(&format!("/api/games/{id}/lines")).text())
        .unwrap();
}

#[test]
fn the_owner_does_not_take_the_seat_of_a_player_who_rolls_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let boris = come(&house, &id, &made["invitations"]["sides"]["Axis"], "Boris");
    let at = |what: &str| format!("/api/games/{id}{what}");
    let enter = |client: &Client, name: &str| client.post(&at("/enter"), &json!({ "name": name }));
    // The owner has taken a token in the name of Boris while no one rolled sealed.
    let owner = house.client().with(text(&enter(&house.client(), "Boris").must(200)["token"]));
    let pack = common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap();
    let mut chains =
        [[1; 32], [2; 32]].map(|secret| adjutant_game::Chain::new(secret, 50).unwrap());
    for ((name, client), chain) in [("Anna", &anna), ("Boris", &boris)].into_iter().zip(&chains) {
        let table =
            adjutant_game::Table::open(pack.clone(), anna.get(&at("/lines")).text().lines())
                .unwrap();
        let seal = chain.seal(&table, name, None).unwrap();
        client.post(&at("/act"), &json!({ "do": { "seal": seal } })).must(200);
    }
    assert_eq!(owner.get(&at("")).status, 401, "that token is void since Boris has sealed");
    let refused = enter(&house.client(), "Boris");
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("Boris has sealed in this game"), "{}", refused.text());
    let seated = house.client().post(&at("/enter"), &json!({ "name": "Boris", "seat": "umpire" }));
    assert_eq!(seated.status, 403);
    // Under another name he may; and Boris himself, with his token.
    enter(&house.client(), "Olga").must(200);
    assert_eq!(boris.get(&at("")).must(200)["you"], "Boris");
    enter(&boris, "Boris").must(200);
    // So no one but Boris consents to let him out, and only with a mark of his chain.
    let table = || {
        adjutant_game::Table::open(pack.clone(), anna.get(&at("/lines")).text().lines()).unwrap()
    };
    let post = |client: &Client, what: adjutant_game::EventKind| {
        client.post(&at("/act"), &json!({ "after": table().lines().len(), "do": what }))
    };
    let ask = table().ask_release_event("Boris").unwrap();
    let refused = post(&anna, ask.clone());
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("this has no mark of Anna"), "{}", refused.text());
    let ask = chains[0].sign(&table(), "Anna", ask).unwrap();
    post(&anna, ask).must(200);
    let consent = table().consent_event(true).unwrap();
    assert_eq!(post(&boris, consent.clone()).status, 422);
    post(&boris, chains[1].sign(&table(), "Boris", consent).unwrap()).must(200);
    let release = adjutant_game::EventKind::Release { who: "Boris".into(), mark: None };
    let early = post(&anna, chains[0].sign(&table(), "Anna", release.clone()).unwrap());
    assert!(early.text().contains("no link has confirmed"), "{}", early.text());
    for (place, (name, client)) in [("Anna", &anna), ("Boris", &boris)].into_iter().enumerate() {
        let new = adjutant_game::Chain::new([place as u8 + 9; 32], 50).unwrap();
        let seal = new.seal(&table(), name, Some(&mut chains[place])).unwrap();
        post(client, adjutant_game::EventKind::Seal(seal)).must(200);
        chains[place] = new;
    }
    post(&anna, chains[0].sign(&table(), "Anna", release).unwrap()).must(200);
    enter(&house.client(), "Boris").must(200);
}

#[test]
fn other_sites_that_the_owner_names_may_ask_but_not_play() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.allowed_origins = vec!["https://vtt.example.org".into()];
    });
    let site = |origin: &str| house.client().header("Origin", origin);
    let vtt = site("https://vtt.example.org").header("Sec-Fetch-Site", "cross-site");
    let odds = json!({ "pack": "panzer8", "chart": "rally" });
    let allow = "access-control-allow-origin";
    // Routes that store nothing are answered, and the browser may give the answer to the page.
    let answers = [
        vtt.get("/api/packs"),
        vtt.get("/api/packs/panzer8"),
        vtt.get("/api/openapi.json"),
        vtt.post("/api/odds", &odds),
        vtt.post("/api/roll", &odds),
        vtt.post("/api/check", &json!({ "text": "" })),
    ];
    for answer in answers {
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header(allow), Some("https://vtt.example.org"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert_eq!(answer.header("vary"), Some("Origin"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
    // An error is readable too.
    let wrong = vtt.post("/api/odds", &json!({ "pack": "panzer8", "chart": "ralli" }));
    assert_eq!((wrong.status, wrong.header(allow)), (404, Some("https://vtt.example.org")));
    // A browser asks beforehand whether it may send JSON.
    let asks = vtt.header("Access-Control-Request-Method", "POST");
    let asks = asks.header("Access-Control-Request-Headers", "authorization,content-type");
    let answer = asks.send("OPTIONS", "/api/odds", b"");
    assert_eq!((answer.status, answer.header(allow)), (204, Some("https://vtt.example.org")));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("content-type"));
    // Games are out of reach, also with a token.
    let (anna, made) = house.table();
    let id = text(&made["id"]);
    let begun = json!({ "name": "x", "pack": "panzer8", "who": "Eve" });
    let refused = vtt.post("/api/games", &begun);
    assert_eq!((refused.status, refused.header(allow)), (403, None));
    let refused = asks.send("OPTIONS", "/api/games", b"");
    assert_eq!((refused.status, refused.header(allow)), (403, None));
    for path in ["/api/games".to_owned(), format!("/api/games/{id}"), "/metrics".to_owned()] {
        assert_eq!(vtt.with(text(&made["token"])).get(&path).header(allow), None, "{path}");
    }
    assert_eq!(vtt.with(text(&made["token"])).post("/api/odds", &odds).status, 403);
    // Everyone else is refused as before, and the server's own page needs no permission.
    for origin in [
        "https://vtt.example.org.evil.org",
        "http://vtt.example.org",
        "null",
        "https://VTT.example.org",
    ] {
        let refused = site(origin).post("/api/odds", &odds);
        assert_eq!((refused.status, refused.header(allow)), (403, None), "{origin}");
        assert_eq!(site(origin).get("/api/packs").header(allow), None, "{origin}");
    }
    assert_eq!(anna.get(&format!("/api/games/{id}")).status, 200);
    // Without the option no answer depends on the origin.
    let other = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&other));
    let plain = house.client().header("Origin", "https://vtt.example.org").get("/api/packs");
    assert_eq!((plain.header(allow), plain.header("vary")), (None, None));
}
