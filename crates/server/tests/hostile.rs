#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! What strangers may send: wrong methods, bodies, sizes, encodings and tokens on every route,
//! clients that are slow or never read. No answer is the server's fault, nothing panics, and no one
//! else notices.

mod common;

use common::{Client, House, file_in, recruit, shot, text};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};
use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// Notes whether anything panicked, on whatever thread.
static PANICS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

fn count_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            PANICS.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            before(about);
        }));
    });
}

/// A small value out of anything that JSON has.
fn some_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_filter("JSON has no such number", |n| n.is_finite()).prop_map(Json::from),
        "\\PC{0,12}".prop_map(Json::from),
        "(fire|rally|accuracy|panzer8|u1|u2|hesa|Anna|Allies|yes|no|jam|1/6)".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let key = "(after|do|play|chart|pack|given|who|dice|cards|answers|own|ticket|fight|name|seat|sides|options|start|key|rotate|text|files|\
                   note|undo|add|phase|set|skip|deck|land|consent|ask|join|remove|memory|option|firer|target|\\PC{0,6})";
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            proptest::collection::vec((key, inner), 0..5).prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Bodies near to what a route takes, and far from it.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let near = prop_oneof![
        some_json().prop_map(|what| json!({ "after": 3, "do": what })),
        some_json().prop_map(|given| json!({ "play": { "chart": "fire", "units": { "firer": "u1", "target": "u2" }, "given": given } })),
        some_json().prop_map(|given| json!({ "pack": "panzer8", "chart": "fire", "given": given })),
        some_json().prop_map(|dice| json!({ "pack": "combat-leader", "chart": "accuracy", "given": { "mod_fp": 3 }, "dice": dice, "answers": { "jam": dice } })),
        some_json().prop_map(|text| json!({ "text": text })),
        some_json(),
    ];
    prop_oneof![
        8 => near.prop_map(|json| json.to_string().into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..200),
        1 => Just(vec![b'['; 5000]),
        1 => Just(b"{\"do\":{\"note\":{\"text\":\"".iter().copied().chain(std::iter::repeat_n(b'x', 300_000)).collect()),
    ]
}

#[test]
fn no_route_fails_whatever_is_sent() {
    count_panics();
    let folder = tempfile::tempdir().unwrap();
    let house =
        House::with(&file_in(&folder), |config| config.limits.work = Duration::from_millis(500));
    let ((anna, mine), (_, other)) = (house.table(), house.table());
    let (id, there) = (text(&mine["id"]).to_owned(), text(&other["id"]).to_owned());
    recruit(&anna, &id);
    let secret = "the other table's secret remark";
    house
        .client()
        .with(text(&other["token"]))
        .post(&format!("/api/games/{there}/act"), &json!({ "do": { "note": { "text": secret } } }))
        .must(200);
    let paths: Vec<String> = adjutant_server::routes()
        .iter()
        .map(|(_, path)| path.to_string())
        .chain(["/".into(), "/nowhere/..%2f".into(), "/api/".into()])
        .collect();
    let method = "(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS|TRACE|BREW)";
    let token = prop_oneof![
        4 => Just(anna.token.clone()),
        1 => Just(None),
        1 => "[ -~]{0,140}".prop_map(Some),
    ];
    let header = prop_oneof![
        6 => Just(None),
        1 => Just(Some(("Content-Encoding".to_owned(), "gzip".to_owned()))),
        1 => Just(Some(("Content-Type".to_owned(), "text/plain; charset=utf-16".to_owned()))),
        1 => Just(Some(("Accept-Encoding".to_owned(), ";;q=,br;q=9e999,\u{7f}".to_owned()))),
        1 => "[!-~]{1,30}".prop_map(|value| Some(("If-None-Match".to_owned(), value))),
        1 => "[ -~]{0,30}".prop_map(|value| Some(("Last-Event-ID".to_owned(), value))),
        1 => "[ -~]{0,40}".prop_map(|value| Some(("X-Forwarded-For".to_owned(), value))),
    ];
    let query = prop_oneof![4 => Just(String::new()), 1 => "\\?after=[0-9a-z%-]{0,24}", 1 => "\\?[!-~&&[^#]]{0,40}"];
    let part = prop_oneof![4 => Just(id.clone()), 1 => Just(there.clone()), 1 => "[0-9a-zA-Z%._~-]{1,20}", 1 => Just("panzer8".to_owned()), 1 => Just("fire".to_owned())];
    let cases = (0..paths.len(), method, body(), token, header, query, part);
    let mut runner = TestRunner::new(Runs { source_file: Some(file!()), ..Runs::with_cases(1500) });
    runner
        .run(&cases, |(path, method, body, token, header, query, part)| {
            let path = paths[path]
                .replace("{id}", &part)
                .replace("{pack}", &part)
                .replace("{chart}", &part)
                + &query;
            let client = Client { token, headers: header.into_iter().collect(), ..house.client() };
            if path.contains("/events") && method != "POST" {
                return Ok(());
            }
            let answer = client.send(&method, &path, &body);
            prop_assert!(
                answer.status < 500,
                "{} {} → {} {}",
                method,
                path,
                answer.status,
                answer.text()
            );
            prop_assert!(!answer.text().contains(secret), "{} {}", method, path);
            Ok(())
        })
        .unwrap();
    assert_eq!(PANICS.load(std::sync::atomic::Ordering::SeqCst), 0);
    // The table still works, and its log is whole.
    let about = anna.get(&format!("/api/games/{id}")).must(200);
    anna.post(
        &format!("/api/games/{id}/act"),
        &json!({ "after": about["last"], "do": { "note": { "text": "still here" } } }),
    )
    .must(200);
    let log = anna.get(&format!("/api/games/{id}/lines")).text();
    adjutant_game::import(
        common::all_packs().into_iter().find(|pack| pack.id() == "panzer8").unwrap(),
        &log,
    )
    .unwrap();
}

#[test]
fn what_is_no_http_is_refused_quietly() {
    count_panics();
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.patience = Duration::from_millis(300)
    });
    let client = house.client();
    let mut long = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ".to_vec();
    long.extend(std::iter::repeat_n(b'x', 100_000));
    let many: String = (0..500).map(|n| format!("X-{n}: y\r\n")).collect();
    for bytes in [
        b"\0\0\0\0".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"GET / HTTP/1.0\r\n\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_vec(),
        b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n".to_vec(),
        b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_vec(),
        b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx".to_vec(),
        b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n{".to_vec(),
        long,
        format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n").into_bytes(),
    ] {
        if let Some(answer) = client.raw(&bytes) {
            assert!(answer.status < 500, "{} {}", answer.status, String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
        }
    }
    assert_eq!(PANICS.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert_eq!(client.get("/healthz").status, 200);
    let long = vec![b' '; 5 << 20];
    assert_eq!(client.send("POST", "/api/games/import", &long).status, 413);
    assert_eq!(client.send("POST", "/api/odds", &long).status, 413);
}

#[test]
fn slow_clients_and_such_as_never_read_hold_up_no_one() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.patience = Duration::from_millis(1500);
        config.limits.stall = Duration::from_millis(500);
    });
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    recruit(&anna, &id);
    // Heads that never end, bodies that never come.
    let mut slow: Vec<_> = (0..100).map(|_| anna.connect()).collect();
    for (place, stream) in slow.iter_mut().enumerate() {
        let head: &[u8] = if place % 2 == 0 {
            b"GET / HTTP/1.1\r\nHost: loc"
        } else {
            b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"
        };
        stream.write_all(head).unwrap();
    }
    // Streams that no one reads, at a table where much is said.
    let mut deaf: Vec<_> = (0..10).map(|_| anna.connect()).collect();
    for stream in &mut deaf {
        let token = anna.token.as_deref().unwrap();
        let head = format!(
            "GET /api/games/{id}/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
    }
    let mut good = anna.events(&id, 3);
    let long = "x".repeat(2000);
    let mut worst = Duration::ZERO;
    for n in 4..=203 {
        let started = Instant::now();
        let said = if n % 20 == 0 {
            json!({ "do": { "note": { "text": "short" } } })
        } else {
            json!({ "do": { "note": { "text": &long[..400] } } })
        };
        anna.post(&format!("/api/games/{id}/act"), &said).must(200);
        assert_eq!(good.line().0, n);
        worst = worst.max(started.elapsed());
    }
    assert!(worst < Duration::from_secs(2), "a throw took {worst:?}");
    anna.post(&format!("/api/games/{id}/play"), &shot(203)).must(200);
    // Who was slow is let go.
    for mut stream in slow {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        let said = String::from_utf8_lossy(&rest);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 408"), "{said}");
    }
}

#[test]
fn a_stop_finishes_what_was_started_and_keeps_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let house = House::open(&place);
    let (anna, made) = house.table();
    let id = text(&made["id"]).to_owned();
    let mut stream = anna.events(&id, 0);
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (anna, id) = (anna.clone(), id.clone());
            std::thread::spawn(move || {
                let mut kept: Vec<u64> = Vec::new();
                // Each request on a new connection; after the stop none is taken.
                while let Ok(mut stream) = std::net::TcpStream::connect(anna.address) {
                    let body = "{\"do\":{\"note\":{\"text\":\"x\"}}}";
                    let token = anna.token.as_deref().unwrap();
                    let head = format!("POST /api/games/{id}/act HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
                    let mut answer = String::new();
                    if stream.write_all(head.as_bytes()).is_err() || stream.read_to_string(&mut answer).is_err() {
                        continue;
                    }
                    if let Some((_, said)) = answer.split_once("\r\n\r\n")
                        && let Ok(said) = serde_json::from_str::<Json>(said)
                        && let Some(n) = said["n"].as_u64()
                    {
                        kept.push(n);
                    }
                }
                kept
            })
        })
        .collect();
    while stream.line().0 < 40 {}
    house.stop();
    let mut kept: Vec<u64> =
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
    kept.sort_unstable();
    assert!(kept.len() >= 30);
    let table = adjutant_store::TableId::parse(&id).unwrap();
    let last = common::store_at(&place).summary(&table).unwrap().last;
    assert!(
        kept.windows(2).all(|pair| pair[0] != pair[1]) && kept.last().is_some_and(|n| *n <= last)
    );
    while stream.next().is_some() {}
}
