//! What the script and the page say to each other, as text: the script builds some messages itself
//! and reads the answer's fields.

#![allow(clippy::unwrap_used)]

use adjutant_app::bridge::Bridge;
use serde_json::{Value, json};

fn step(bridge: &mut Bridge, message: Value) -> Value {
    let now = json!({ "time": "2026-11-17T05:00:00Z", "ms": 1, "random": vec![7; 32] });
    serde_json::from_str(&bridge.step(&json!({ "now": now, "message": message }).to_string()))
        .unwrap()
}

fn started(route: &str) -> Bridge {
    let mut bridge = Bridge::default();
    let out = step(
        &mut bridge,
        json!({ "start": { "route": route, "base_url": "http://localhost/", "online": true } }),
    );
    assert_eq!((&out["accepted"], &out["error"]), (&json!(true), &Value::Null), "{out}");
    bridge
}

#[test]
fn the_answer_says_whether_the_message_was_accepted() {
    // An import that is no log, and tables that do not fit the sheet: what was typed must stay.
    let mut bridge = started("#/");
    let out = step(
        &mut bridge,
        json!({ "home": { "import": { "name": "notes.txt", "text": "no log" } } }),
    );
    assert_eq!(out["accepted"], false, "{out}");
    let out = step(&mut bridge, json!({ "home": { "confirm_forget": null } }));
    assert_eq!(out["accepted"], true, "{out}");

    let mut bridge = started("#/sheet/panzer8");
    let out =
        step(&mut bridge, json!({ "sheet": { "tables": { "tables": "no = toml = at all" } } }));
    assert_eq!(out["accepted"], false, "{out}");
    let out = step(&mut bridge, json!({ "sheet": { "search": "fire" } }));
    assert_eq!(out["accepted"], true, "{out}");

    let mut bridge = started("#/join/t/key");
    let out = step(&mut bridge, json!({ "table": { "join": { "name": " " } } }));
    assert_eq!(out["accepted"], false, "{out}");
    let out = step(&mut bridge, json!({ "table": { "join": { "name": "Anna" } } }));
    assert_eq!(out["accepted"], true, "{out}");
}

#[test]
fn a_typed_card_that_cannot_be_is_not_accepted() {
    let mut bridge = started("#/chart/combat-leader/accuracy?mod_fp=3&clear=yes");
    assert_eq!(step(&mut bridge, json!({ "chart": "own_dice" }))["accepted"], true);
    for card in ["", "x", "61"] {
        let out = step(&mut bridge, json!({ "chart": { "answer": { "card": card } } }));
        assert_eq!(out["accepted"], false, "{card}: {out}");
    }
    assert_eq!(
        step(&mut bridge, json!({ "chart": { "answer": { "card": "4" } } }))["accepted"],
        true
    );
}

#[test]
fn a_message_that_cannot_be_read_is_not_accepted() {
    let mut bridge = started("#/");
    let out = step(&mut bridge, json!({ "no_such": 1 }));
    assert!(out["accepted"] == false && out["error"].is_string(), "{out}");
}

#[test]
fn messages_that_the_script_builds_are_read() {
    let mut bridge = started("#/");
    let messages = [
        // commands.js: a value that could not be saved
        json!({ "reply": { "to": { "app": "saved" }, "reply": { "failed": "QuotaExceededError" } } }),
        // server.js
        json!({ "stream": { "table": "t", "event": "open" } }),
        json!({ "stream": { "table": "t", "event": "lost" } }),
        json!({ "stream": { "table": "t", "event": { "refused": 401 } } }),
        json!({ "stream": { "table": "t", "event": { "sent": { "name": "line", "data": "{}" } } } }),
        json!({ "stream": { "table": "t", "event": { "sent": { "name": "here", "data": "[]" } } } }),
        json!({ "stream": { "table": "t", "event": { "sent": { "name": "of a newer server", "data": "" } } } }),
        json!({ "reply": { "to": { "table": "lines_fetched" }, "reply": { "http": { "status": 200, "body": "" } } } }),
        json!({ "online": true }),
        json!({ "has_server": false }),
        json!({ "go": "#/sheet/panzer8" }),
        json!("update_ready"),
    ];
    for message in messages {
        let out = step(&mut bridge, message.clone());
        assert_eq!(out["error"], Value::Null, "{message}");
    }
    let out = step(
        &mut bridge,
        json!({ "reply": { "to": { "app": "saved" }, "reply": { "failed": "QuotaExceededError" } } }),
    );
    assert!(
        out["regions"].to_string().contains("storage is full")
            || out["commands"].to_string().contains("storage is full"),
        "{out}"
    );
}
