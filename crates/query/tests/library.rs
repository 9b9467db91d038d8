#![allow(clippy::unwrap_used, missing_docs)]
//! Requests as JSON: answers, every kind of fault, and work that is stopped.

use adjutant_dice::RandomInput;
use adjutant_engine::Stop;
use adjutant_query::{Clock, Library, Luck, PackSource, Work, check_json, load};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

fn work(stop: Stop) -> Work {
    let start = Instant::now();
    let clock = Clock::new(move || start.elapsed());
    Work::new(stop, clock, Luck::new(RandomInput::from_system))
}

fn panzer8() -> Library {
    load(PackSource::Id("panzer8".into()), None).unwrap()
}

fn ask(library: &Library, request: &Json) -> Json {
    serde_json::from_str(&library.ask(&request.to_string(), &work(Stop::default()))).unwrap()
}

fn shot(more: &Json) -> Json {
    let mut query = json!({
        "pack": "panzer8", "chart": "fire",
        "given": { "ammo": "hesa", "firer.hesa": 6, "target.def": 4 },
    });
    query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    query
}

#[test]
fn a_cell_of_a_table_has_the_chances_of_the_chart() {
    let pack = panzer8();
    let over = json!([{ "input": "firer.hesa", "values": "1..8" }]);
    let table = ask(&pack, &json!({ "vary": { "query": shot(&json!({})), "over": over } }));
    let cells = table["ok"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8);
    let odds = ask(&pack, &json!({ "odds": shot(&json!({})) }));
    for result in odds["ok"]["results"].as_array().unwrap() {
        let cell = cells[5]["results"].as_array().unwrap();
        assert!(cell.iter().any(|other| other["chance"] == result["chance"]), "{result}");
    }
}

const ARMOUR: &str = r#"
[pack]
id = "armour"
title = "Armour"
[unit.tank]
title = "Tank"
[unit.tank.has]
armour = { number = "Armour", from = 0, to = 20, default = 0, by = ["front", "side"] }
[chart.fire]
title = "Fire"
who = { firer = "tank", target = "tank" }
lands_on = "target"
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 3, all = "miss" }, { all = "hit", next = [ { chart = "save", why = "Hit", who = { tank = "target" }, now = true } ] } ] }
[chart.save]
title = "Save"
who = { tank = "tank" }
step = [ { roll = "1d6", as = "die", add = [ { label = "Armour", plus = "tank.armour_front" } ] } ]
read = { rows = [ { to = 6, all = "lost" }, { all = "safe" } ] }
[result]
miss = { title = "Miss" }
hit = { title = "Hit", of = "tank" }
safe = { title = "Safe", of = "tank" }
lost = { title = "Lost", of = "tank", effects = [ { leaves = "lost" } ] }
"#;

fn chance(odds: &Json, result: &str) -> String {
    let results = odds["results"].as_array().unwrap();
    let known = results.iter().find(|known| known["id"] == result);
    known.map_or("0", |known| known["chance"]["exact"].as_str().unwrap()).to_owned()
}

#[test]
fn a_value_for_a_chart_that_follows_counts_however_it_is_written() {
    let pack = load(PackSource::Text(ARMOUR.into()), None).unwrap();
    let fire = |name: &str, value: Json| {
        let query =
            json!({ "pack": "armour", "chart": "fire", "follow": true, "given": { name: value } });
        ask(&pack, &json!({ "odds": query }))
    };
    for name in ["target.armour_front", "target.armour[front]", "target.armour.front"] {
        assert_eq!(chance(&fire(name, json!(4))["ok"], "lost"), "1/6", "{name}");
    }
    for name in ["tank.armour_front", "tank.armour[front]", "tank.armour.front"] {
        assert_eq!(chance(&fire(name, json!(4))["ok"], "lost"), "1/6", "{name}");
        for value in [json!(99), json!("thick")] {
            let fault = fire(name, value)["fault"].clone();
            assert_eq!(fault["inputs"][0]["accepts"]["kind"], "number", "{fault}");
        }
    }
    assert_eq!(fire("tank.armuor", json!(4))["fault"]["kind"], "input");
    // A table over it.
    let query = json!({ "pack": "armour", "chart": "fire", "follow": true });
    for name in ["target.armour[front]", "tank.armour_front"] {
        let over = json!([{ "input": name, "values": "0..6" }]);
        let table = ask(&pack, &json!({ "vary": { "query": query, "over": over } }));
        let cells = table["ok"]["cells"].as_array().unwrap();
        let lost: Vec<String> = cells.iter().map(|cell| chance(cell, "lost")).collect();
        assert_eq!(lost, ["1/2", "5/12", "1/3", "1/4", "1/6", "1/12", "0"], "{name}");
    }
}

#[test]
fn odds_and_tables_have_pictures() {
    let pack = panzer8();
    let ammo = json!([{ "input": "ammo", "values": ["hesa", "ap"] }]);
    let values = json!({ "firer.hesa": 6, "firer.ap": 5, "target.def": 4 });
    for (query, over, label) in [
        (shot(&json!({})), json!([]), "Suppressed"),
        (shot(&json!({ "given": values })), ammo, "Ammunition"),
    ] {
        let answer = ask(&pack, &json!({ "plot": { "query": query, "over": over } }));
        let svg = answer["ok"].as_str().unwrap_or_default();
        assert!(svg.starts_with("<svg") && svg.contains(label), "{answer}");
    }
}

#[test]
fn faults_say_what_is_accepted_and_what_was_meant() {
    let pack = panzer8();
    let fault = |request: Json| ask(&pack, &request)["fault"].clone();
    let unknown = fault(json!({ "odds": shot(&json!({ "chart": "fier" })) }));
    assert_eq!(
        (&unknown["kind"], &unknown["inputs"][0]["nearest"]),
        (&json!("not_found"), &json!("fire"))
    );
    let wrong =
        fault(json!({ "odds": shot(&json!({ "given": { "ammo": "x", "firer.hes": 6 } })) }));
    assert_eq!(wrong["kind"], "input");
    assert_eq!(wrong["sentences"].as_array().unwrap().len(), 2);
    assert_eq!(wrong["inputs"][0]["name"], "ammo");
    assert_eq!(wrong["inputs"][0]["accepts"]["kind"], "choice");
    assert_eq!(wrong["inputs"][1]["nearest"], "firer.hesa");
    let missing = fault(json!({ "odds": shot(&json!({ "given": {} })) }));
    assert_eq!((&missing["kind"], &missing["needs"][0]["key"]), (&json!("needs"), &json!("ammo")));
    let stopped = fault(json!({ "roll": shot(&json!({ "dice": [7] })) }));
    assert_eq!(
        (&stopped["kind"], &stopped["needs"][0]["wanted"]),
        (&json!("needs"), &json!("dice"))
    );
    assert!(stopped["stopped"]["chart"].is_string());
    let unused = fault(json!({ "roll": shot(&json!({ "dice": [7, 3, 1] })) }));
    assert_eq!(unused["kind"], "input");
    let face = fault(json!({ "roll": shot(&json!({ "dice": ["x", 3] })) }));
    assert_eq!((&face["kind"], &face["inputs"][0]["name"]), (&json!("input"), &json!("dice")));
    let deck = fault(json!({ "draw": { "deck": "x", "count": 1 } }));
    assert_eq!(deck["kind"], "not_found");
    let axis = json!([{ "input": "firer.hes", "values": "1..8" }]);
    let vary = fault(json!({ "vary": { "query": shot(&json!({})), "over": axis } }));
    assert_eq!(vary["inputs"][0]["nearest"], "firer.hesa");
    assert_eq!(fault(json!({ "odd": {} }))["kind"], "request");
}

#[test]
fn a_request_is_about_a_chart_or_a_fight() {
    let pack = panzer8();
    let fault = |query: Json| ask(&pack, &json!({ "odds": query }))["fault"].clone();
    let both = json!({ "pack": "panzer8", "chart": "fire", "fight": "fire-fight" });
    for (query, why) in [
        (both, "`chart` and `fight` are both given"),
        (json!({ "pack": "panzer8" }), "`chart` or `fight` is missing"),
        (json!({ "pack": "panzer8", "chrat": "fire" }), "unknown field `chrat`, expected one of"),
    ] {
        let fault = fault(query);
        assert_eq!(fault["kind"], "request");
        assert!(fault["message"].as_str().unwrap().starts_with(why), "{fault}");
    }
    let unknown = fault(json!({ "pack": "panzer8", "fight": "fire-fight" }));
    assert_eq!(unknown["kind"], "not_found", "odds are of a chart: {unknown}");
}

#[test]
fn a_pack_with_faults_lists_them_with_their_places() {
    let text = "[pack]\nid = \"x\"\nid = 3\n";
    let fault = load(PackSource::Text(text.into()), None).unwrap_err();
    let data = serde_json::to_value(fault.data()).unwrap();
    assert_eq!(data["kind"], "pack");
    let faults = data["faults"].as_array().unwrap();
    assert!(faults.len() > 1 && faults.iter().any(|fault| fault["line"] == 3), "{faults:?}");
    let checked: Json =
        serde_json::from_str(&check_json(&adjutant_pack::Files::of([("pack.toml", text)])))
            .unwrap();
    assert_eq!((&checked["sound"], &checked["faults"]), (&json!(false), &data["faults"]));
    let unknown = load(PackSource::Id("panzer".into()), None).unwrap_err();
    assert_eq!(serde_json::to_value(unknown.data()).unwrap()["inputs"][0]["nearest"], "panzer8");
}

#[test]
fn a_bundle_brings_the_same_pack() {
    let pack = panzer8();
    let text: Json = serde_json::from_str(&pack.bundle()).unwrap();
    let same = load(PackSource::Text(text["ok"].as_str().unwrap().into()), None).unwrap();
    assert_eq!(ask(&same, &json!({ "show": {} })), ask(&pack, &json!({ "show": {} })));
}

#[test]
fn a_seed_means_the_same_samples_and_cards() {
    let pack = panzer8();
    let request = json!({ "sim": { "query": shot(&json!({ "seed": 7 })), "samples": 10_000 } });
    let (first, second) = (ask(&pack, &request), ask(&pack, &request));
    assert_eq!(first["ok"]["outcomes"], second["ok"]["outcomes"]);
    let count = |outcome: &Json| outcome["count"].as_u64().unwrap();
    let outcomes = first["ok"]["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.iter().map(count).sum::<u64>(), 10_000);
}

#[test]
fn a_fight_is_exact_or_simulated_within_its_limits() {
    let pack = panzer8();
    let given = json!({
        "ours": 2, "theirs": 1, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4,
    });
    let query = json!({ "pack": "panzer8", "fight": "fire-fight", "given": given, "seed": 3 });
    let exact = ask(&pack, &json!({ "fight": { "query": query } }));
    assert_eq!(exact["ok"]["exact"], true);
    let limits = json!({ "max_time": 0.0, "samples": 50 });
    let none = ask(&pack, &json!({ "fight": { "query": query, "limits": limits } }));
    assert_eq!(none["fault"]["kind"], "limit", "{none}");
    let counted = ask(&pack, &json!({ "sim": { "query": query, "samples": 50 } }));
    assert_eq!(
        (&counted["ok"]["samples"], &counted["ok"]["fight"]),
        (&json!(50), &json!("fire-fight"))
    );
}

#[test]
fn work_that_is_stopped_has_no_answer() {
    let pack = panzer8();
    let start = Instant::now();
    let stop = Stop::when(move || start.elapsed() > Duration::from_millis(20));
    let request = json!({ "sim": { "query": shot(&json!({})), "samples": 1_000_000_000_000_u64 } });
    let answer: Json = serde_json::from_str(&pack.ask(&request.to_string(), &work(stop))).unwrap();
    assert_eq!(answer["fault"]["kind"], "stopped");
}

/// Everything but the time and the number of threads.
fn counts(library: &Library, request: &Json, threads: usize) -> Json {
    let work = work(Stop::default()).on_threads(threads);
    let text = library.ask(&request.to_string(), &work);
    let mut answer: Json = serde_json::from_str(&text).unwrap();
    let found = answer["ok"].as_object_mut().unwrap();
    found.retain(|key, _| !["threads", "seconds"].contains(&key.as_str()));
    answer
}

#[test]
fn a_seed_gives_the_same_counts_for_any_number_of_threads() {
    let pack = panzer8();
    let fight = json!({
        "pack": "panzer8", "fight": "fire-fight", "seed": 7,
        "given": {
            "ours": 2, "theirs": 2, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 5, "theirs.def": 4,
        },
    });
    let limits = json!({ "samples": 4000, "max_memory": 0 });
    let over = json!([{ "input": "ours", "values": "1..2" }]);
    let requests = [
        json!({ "sim": { "query": shot(&json!({ "seed": 7 })), "samples": 200_000 } }),
        json!({ "sim": { "query": fight, "samples": 4000 } }),
        json!({ "fight": { "query": fight, "limits": limits } }),
        json!({ "vary": { "query": fight, "over": over, "limits": limits } }),
    ];
    for request in requests {
        let one = counts(&pack, &request, 1);
        for threads in [2, 3, 16] {
            assert_eq!(counts(&pack, &request, threads), one, "{threads} threads: {request}");
        }
    }
}

#[test]
fn a_setting_without_an_effect_is_refused() {
    let pack = panzer8();
    let fight = json!({ "pack": "panzer8", "fight": "fire-fight", "gone": [3], "follow": true });
    for (request, why) in [
        (json!({ "odds": shot(&json!({ "seed": 7 })) }), "`seed` has no effect on odds"),
        (json!({ "modifiers": shot(&json!({ "dice": [7] })) }), "`dice` has no effect on odds"),
        (json!({ "roll": shot(&json!({ "follow": true })) }), "`follow` has no effect on a roll"),
        (
            json!({ "times": { "query": shot(&json!({ "follow": true })), "times": 2 } }),
            "`follow` has no effect on the odds of several checks",
        ),
        (
            json!({ "sim": { "query": shot(&json!({ "cards": [3] })), "samples": 10 } }),
            "`cards` has no effect on a simulation",
        ),
        (
            json!({ "fight": { "query": fight } }),
            "`follow` has no effect on a fight: leave it out\n`gone` has no effect on a fight",
        ),
    ] {
        let fault = ask(&pack, &request)["fault"].clone();
        assert_eq!(fault["kind"], "input", "{request}");
        assert!(fault["message"].as_str().unwrap().starts_with(why), "{request}: {fault}");
    }
}
