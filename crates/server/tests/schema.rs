#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! `/api/check` answers as the OpenAPI document says, for good and for faulty packs.

mod common;

use common::{House, file_in};
use serde_json::{Value as Json, json};

/// What does not fit the schema, with its place. A key that the schema does not name does not fit.
fn misfits(document: &Json, schema: &Json, value: &Json, at: &str, found: &mut Vec<String>) {
    if let Some(place) = schema["$ref"].as_str() {
        let named = document.pointer(place.trim_start_matches('#')).unwrap();
        return misfits(document, named, value, at, found);
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[word].as_array() {
            let tried = |choice: &Json| {
                let mut found = Vec::new();
                misfits(document, choice, value, at, &mut found);
                found
            };
            let tried: Vec<_> = choices.iter().map(tried).collect();
            if tried.iter().all(|found| !found.is_empty()) {
                found.extend(tried.into_iter().flatten());
            }
            return;
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let fits = kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"));
    if !kinds.is_empty() && !fits {
        found.push(format!("{at}: {kind}, not {kinds:?}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of {words:?}"));
    }
    if let Some(one) = schema.get("const")
        && one != value
    {
        found.push(format!("{at}: {value} is not {one}"));
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        for (place, item) in list.iter().enumerate() {
            misfits(document, items, item, &format!("{at}/{place}"), found);
        }
    }
    if let Some(map) = value.as_object() {
        let wanted = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
        found.extend(
            wanted.filter(|key| !map.contains_key(*key)).map(|key| format!("{at}: no {key}")),
        );
        for (key, value) in map {
            let at = format!("{at}/{key}");
            match (schema["properties"].get(key), schema.get("additionalProperties")) {
                (Some(schema), _) => misfits(document, schema, value, &at, found),
                (None, Some(schema @ Json::Object(_))) => {
                    misfits(document, schema, value, &at, found)
                }
                (None, _) if kinds.is_empty() => {}
                (None, _) => found.push(format!("{at}: not in the schema")),
            }
        }
    }
}

#[test]
fn the_check_of_a_pack_answers_as_the_document_says() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let document: Json = serde_json::from_str(adjutant_server::openapi()).unwrap();
    let schema = document
        .pointer("/paths/~1api~1check/post/responses/200/content/application~1json/schema")
        .unwrap();
    let files = |id: &str| {
        let files = adjutant_bundled_packs::files(id).unwrap();
        let texts = files.names().map(|name| (name.to_owned(), files.text(name).unwrap().into()));
        Json::Object(texts.collect())
    };
    let with = |name: &str, text: &str| {
        let mut files = files("panzer8");
        files[name] = text.into();
        json!({ "files": files })
    };
    let mut asked: Vec<(Json, bool)> = adjutant_bundled_packs::IDS
        .iter()
        .map(|id| (json!({ "files": files(id) }), true))
        .collect();
    asked.extend([
        (json!({}), false),
        (json!({ "text": "" }), false),
        (json!({ "text": "[pack" }), false),
        (json!({ "text": "[pack]\nid = 3\nnonsense = true\n" }), false),
        // The pack is good and its cases are not.
        (with("cases.toml", "[[case]]\nchart = 3\n"), false),
    ]);
    for (body, sound) in asked {
        let answer = house.client().post("/api/check", &body).must(200);
        assert_eq!(answer["sound"], sound, "{answer}");
        let mut found = Vec::new();
        misfits(&document, schema, &answer, "", &mut found);
        assert!(found.is_empty(), "{found:#?}\n{:#}", answer["faults"]);
    }
}
