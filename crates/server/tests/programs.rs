#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! The interface for programs: the document names every route, and the answers are those of the
//! engine.

mod common;

use common::{House, file_in, text};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

#[test]
fn the_document_and_the_routes_are_the_same() {
    let document: Json = serde_json::from_str(adjutant_server::openapi()).unwrap();
    let told: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone()))
        })
        .filter(|(method, _)| method != "parameters")
        .collect();
    let known: BTreeSet<(String, String)> = adjutant_server::routes()
        .iter()
        .map(|(method, path)| (method.to_string(), path.to_string()))
        .collect();
    assert_eq!(told, known);
    // Every name that is referred to is there, and every operation has a name, an answer and a
    // sentence.
    let mut wanted = BTreeSet::new();
    references(&document, &mut wanted);
    for name in wanted {
        assert!(document.pointer(name.trim_start_matches('#')).is_some(), "{name}");
    }
    let mut names = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, about) in
            methods.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters")
        {
            assert!(
                about["summary"].is_string() && about["responses"].is_object(),
                "{method} {path}"
            );
            assert!(names.insert(text(&about["operationId"]).to_owned()), "{method} {path}");
        }
    }
}

fn references(value: &Json, found: &mut BTreeSet<String>) {
    match value {
        Json::Object(map) => {
            found.extend(map.get("$ref").and_then(Json::as_str).map(str::to_owned));
            map.values().for_each(|value| references(value, found));
        }
        Json::Array(list) => list.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn programs_are_answered_as_the_command_answers() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let client = house.client();
    let packs = client.get("/api/packs").must(200);
    assert_eq!(packs.as_array().unwrap().len(), adjutant_bundled_packs::IDS.len());
    assert_eq!(
        client.get("/api/packs/panzer8").must(200)["charts"][0]["id"],
        client.get("/api/packs/panzer8").must(200)["charts"][0]["id"]
    );
    let fire = client.get("/api/packs/panzer8/charts/fire").must(200);
    assert_eq!(
        (&fire["id"], fire["inputs"].as_array().unwrap().is_empty()),
        (&json!("fire"), false)
    );
    assert_eq!(client.get("/api/packs/panzer8/charts/fire-fight").must(200)["id"], "fire-fight");
    assert!(text(&client.get("/api/packs/panzer9").must(404)["error"]).contains("panzer8"));
    assert!(
        text(&client.get("/api/packs/panzer8/charts/fier").must(404)["error"]).contains("fire")
    );

    let given = json!({ "ammo": "hesa", "firer.hesa": 6, "target.def": "3" });
    let rolled = client
        .post(
            "/api/roll",
            &json!({ "pack": "panzer8", "chart": "fire", "given": given, "dice": [7, 3] }),
        )
        .must(200);
    assert_eq!(
        (&rolled["steps"][0]["faces"], rolled["result"]["id"].is_string()),
        (&json!([7]), true)
    );
    let seeded = || {
        client
            .post(
                "/api/roll",
                &json!({ "pack": "panzer8", "chart": "fire", "given": given, "seed": 7 }),
            )
            .must(200)
    };
    assert_eq!(seeded(), seeded());
    let lacking =
        client.post("/api/roll", &json!({ "pack": "panzer8", "chart": "fire" })).must(422);
    assert!(
        lacking["needs"].as_array().unwrap().len() >= 2
            && lacking["resolution"]["needs"].is_array()
    );
    let wrong =
        client.post("/api/roll", &json!({ "pack": "panzer8", "chart": "fire", "given": { "amo": "x", "firer.hesa": "many" } })).must(422);
    assert_eq!(wrong["sentences"].as_array().unwrap().len(), 2, "{wrong}");
    assert!(
        text(
            &client
                .post(
                    "/api/roll",
                    &json!({ "pack": "panzer8", "chart": "rally", "dice": [1, 2, 3] })
                )
                .must(422)["error"]
        )
        .contains("too many")
    );

    let odds = client.post("/api/odds", &json!({ "pack": "panzer8", "chart": "rally" })).must(200);
    let chance = odds["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|result| result["id"] == "unsuppressed")
        .unwrap();
    assert_eq!(chance["chance"]["exact"], "3/10");
    let cards = json!({ "pack": "combat-leader", "chart": "accuracy", "given": { "mod_fp": 3 }, "answers": { "jam": "1/6" }, "gone": [1, 2] });
    assert!(client.post("/api/odds", &cards).must(200)["results"].as_array().unwrap().len() > 1);
    assert!(
        client
            .post("/api/odds", &json!({ "pack": "chain-reaction", "chart": "pef-resolve", "given": { "group": 5 }, "follow": true }))
            .status
            < 500
    );
    assert!(
        text(
            &client
                .post(
                    "/api/odds",
                    &json!({ "pack": "combat-leader", "chart": "accuracy", "given": { "mod_fp": 3 }, "answers": { "jm": "no" } })
                )
                .must(422)["error"]
        )
        .contains("jam")
    );

    let sides = json!({ "ours": 2, "theirs": 2, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4 });
    let fight = client
        .post("/api/fight", &json!({ "pack": "panzer8", "fight": "fire-fight", "given": sides }))
        .must(200);
    assert_eq!(
        (&fight["exact"], fight["ends"].as_array().unwrap().len() >= 2),
        (&json!(true), true)
    );
    assert!(text(&client.post("/api/fight", &json!({ "pack": "panzer8", "fight": "fire" })).must(404)["error"]).contains("fire-fight"));

    let sound = adjutant_bundled_packs::files("panzer8").unwrap();
    let told = client.post("/api/check", &json!({ "text": sound.text("pack.toml") })).must(200);
    assert_eq!((&told["sound"], &told["pack"]["id"]), (&json!(true), &json!("panzer8")));
    let told = client
        .post(
            "/api/check",
            &json!({ "text": sound.text("pack.toml").unwrap().replacen("\"1d10\"", "\"1d0\"", 1) }),
        )
        .must(200);
    assert!(
        told["sound"] == false && told["faults"][0]["line"].as_u64().unwrap() > 1,
        "{}",
        told["faults"]
    );
    assert_eq!(client.post("/api/check", &json!({})).must(200)["sound"], false);
}

#[test]
fn a_fight_too_large_to_weigh_is_played_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::with(&file_in(&folder), |config| {
        config.limits.work = std::time::Duration::from_millis(400)
    });
    let sides = json!({ "ours": 20, "theirs": 20, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4 });
    let answer = house
        .client()
        .post("/api/fight", &json!({ "pack": "panzer8", "fight": "fire-fight", "given": sides }));
    // Either it is played, or the pack does not take so many: never a worker lost for minutes.
    assert!([200, 422].contains(&answer.status), "{}", answer.text());
    if answer.status == 200 {
        assert_eq!(answer.json()["exact"], false);
    }
}

#[test]
fn an_answer_to_a_question_that_cannot_come_up_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let client = house.client();
    let crisis = |star: bool| {
        json!({ "pack": "chain-reaction", "chart": "crisis",
            "given": { "figure.rep": 4, "reason": "fired_on", "figure.star": star },
            "answers": { "free_will": "pass_2" } })
    };
    for path in ["/api/roll", "/api/odds"] {
        let refused = client.post(path, &crisis(false)).must(422);
        assert!(text(&refused["error"]).contains("`free_will` does not come up here"), "{refused}");
        client.post(path, &crisis(true)).must(200);
    }
    let fight =
        |answers: Json| json!({ "pack": "combat-leader", "fight": "stoppage", "answers": answers });
    client.post("/api/fight", &fight(json!({ "jam": "1/6" }))).must(200);
    let melee = client.post("/api/fight", &fight(json!({ "jam": "1/6", "casualty": "killed" })));
    assert_eq!(melee.status, 422, "{}", melee.text());
}
