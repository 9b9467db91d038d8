//! The JSON Schemas of `adjutant schema`: every pack, example and piece of the guide is valid, an
//! unknown key is not, and every key that the reader knows is in them.
#![allow(missing_docs, clippy::panic, clippy::unwrap_used)]

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema(which: &str) -> Value {
    match which {
        "pack.toml" => adjutant_pack::format::pack_schema(),
        _ => adjutant_pack::format::cases_schema(),
    }
}

fn json_of(text: &str) -> Value {
    fn value(toml: toml::Value) -> Value {
        match toml {
            toml::Value::String(text) => json!(text),
            toml::Value::Integer(n) => json!(n),
            toml::Value::Float(n) => json!(n),
            toml::Value::Boolean(yes) => json!(yes),
            toml::Value::Datetime(time) => json!(time.to_string()),
            toml::Value::Array(list) => list.into_iter().map(value).collect(),
            toml::Value::Table(table) => {
                table.into_iter().map(|(key, inner)| (key, value(inner))).collect()
            }
        }
    }
    value(toml::Value::Table(text.parse().unwrap()))
}

/// What the value breaks of the schema: the keywords that the schemas have.
fn broken(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let schema = match schema {
        Value::Bool(true) => return None,
        Value::Bool(false) => return Some(format!("{path}: not allowed")),
        Value::Object(schema) => schema,
        other => panic!("{other} is no schema"),
    };
    for (keyword, rule) in schema {
        let fault = match keyword.as_str() {
            "$ref" => {
                let target = root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
                broken(root, target, value, path)
            }
            "type" => wrong_type(rule, value, path),
            "enum" => (!rule.as_array().unwrap().contains(value))
                .then(|| format!("{path}: {value} is not one of {rule}")),
            "const" => (rule != value).then(|| format!("{path}: {value} is not {rule}")),
            "anyOf" | "oneOf" => {
                let all: Vec<Option<String>> = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| broken(root, one, value, path))
                    .collect();
                let fits = all.iter().any(Option::is_none);
                (!fits).then(|| all.into_iter().flatten().collect::<Vec<_>>().join(" / "))
            }
            "allOf" => {
                rule.as_array().unwrap().iter().find_map(|one| broken(root, one, value, path))
            }
            "items" => items(root, rule, value, path),
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .filter(|_| value.is_object())
                .find(|key| value.get(key.as_str().unwrap()).is_none())
                .map(|key| format!("{path}: {key} is missing")),
            "properties" | "additionalProperties" => None,
            "minItems" => value
                .as_array()
                .filter(|list| list.len() < rule.as_u64().unwrap() as usize)
                .map(|_| format!("{path}: fewer than {rule} items")),
            "maxItems" => value
                .as_array()
                .filter(|list| list.len() > rule.as_u64().unwrap() as usize)
                .map(|_| format!("{path}: more than {rule} items")),
            "$schema" | "title" | "description" | "examples" | "definitions" => None,
            other => panic!("the test does not know the keyword {other}"),
        };
        if fault.is_some() {
            return fault;
        }
    }
    value.as_object().and_then(|object| properties(root, schema, object, path))
}

fn items(root: &Value, rule: &Value, value: &Value, path: &str) -> Option<String> {
    let list = value.as_array()?;
    list.iter().enumerate().find_map(|(place, item)| {
        let rule = rule.as_array().map_or(Some(rule), |rules| rules.get(place))?;
        broken(root, rule, item, &format!("{path}[{place}]"))
    })
}

fn properties(
    root: &Value,
    schema: &Map<String, Value>,
    object: &Map<String, Value>,
    path: &str,
) -> Option<String> {
    object.iter().find_map(|(key, inner)| {
        let known = schema.get("properties").and_then(|known| known.get(key));
        let rule = known.or(schema.get("additionalProperties"))?;
        let path = format!("{path}.{key}");
        match rule {
            Value::Bool(false) => Some(format!("{path}: unknown key")),
            rule => broken(root, rule, inner, &path),
        }
    })
}

fn wrong_type(rule: &Value, value: &Value, path: &str) -> Option<String> {
    let names = match rule {
        Value::Array(names) => names.clone(),
        one => vec![one.clone()],
    };
    let fits = names.iter().any(|name| match name.as_str().unwrap() {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    });
    (!fits).then(|| format!("{path}: {value} is not {rule}"))
}

fn fault(file: &str, text: &str) -> Option<String> {
    let schema = schema(file);
    broken(&schema, &schema, &json_of(text), file)
}

#[test]
fn every_pack_and_example_fits_the_schema() {
    let mut seen = 0;
    for folder in ["packs", "examples"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            for file in ["pack.toml", "cases.toml"] {
                let path = entry.as_ref().unwrap().path().join(file);
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                assert_eq!(fault(file, &text), None, "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 12, "only {seen} files were found");
}

#[test]
fn unknown_keys_and_wrong_types_are_marked() {
    let pack = |more: &str| format!("[pack]\nid = \"x\"\ntitle = \"X\"\n{more}");
    let chart = |more: &str| pack(&format!("[chart.a]\ntitle = \"A\"\nread = {{ {more} }}"));
    assert_eq!(fault("pack.toml", &chart("value = 1")), None);
    for wrong in [
        pack("colour = 1"),
        pack("[charts.a]"),
        pack("[chart.a]\nread = { value = 1 }"),
        pack("[unit.a]\ntitle = 7"),
        chart("valeu = 1"),
        chart("rows = [ { all = \"hit\", effects = [ { statsu = \"x\" } ] } ]"),
    ] {
        assert!(fault("pack.toml", &wrong).is_some(), "{wrong}");
    }
    assert!(fault("cases.toml", "[[case]]\nname = \"x\"\nchart = \"a\"\ndise = [1]").is_some());
}

/// All properties of a schema, each with its name.
fn all_properties<'s>(schema: &'s Value, found: &mut Vec<(&'s str, &'s Value)>) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    found.extend(properties.map(|(key, property)| (key.as_str(), property)));
    for section in schema["definitions"].as_object().into_iter().flatten() {
        all_properties(section.1, found);
    }
}

#[test]
fn every_key_has_a_description_and_an_example_that_fits() {
    for file in ["pack.toml", "cases.toml"] {
        let schema = schema(file);
        let mut found = Vec::new();
        all_properties(&schema, &mut found);
        assert!(found.len() > 80, "only {} keys of {file} were found", found.len());
        for (key, property) in found {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{key}");
            let examples = property["examples"].as_array().unwrap();
            assert!(!examples.is_empty(), "{key} has no example");
            for example in examples {
                assert_eq!(broken(&schema, property, example, key), None);
            }
        }
    }
}

#[test]
fn the_schemas_name_every_key_of_the_reader() {
    let mut named = BTreeSet::new();
    for file in ["pack.toml", "cases.toml"] {
        gather(&schema(file), &mut named);
    }
    let folder = root().join("crates/pack/src/raw");
    let mut sources: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    sources.push(std::fs::read_to_string(root().join("crates/pack/src/cases.rs")).unwrap());
    let is_key =
        |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let keys: BTreeSet<&str> =
        sources.iter().flat_map(|source| source.split('"')).filter(is_key).collect();
    // Words that are not keys: a value, the name of a step, a column, a heading of an error.
    let values = BTreeSet::from(["die", "card", "yes", "no", "again", "all", "md"]);
    let missing: Vec<&&str> =
        keys.iter().filter(|key| !named.contains(**key) && !values.contains(**key)).collect();
    assert!(missing.is_empty(), "the schema lacks {missing:?}");
}

fn gather(schema: &Value, named: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                named.extend(properties.keys().cloned());
            }
            map.values().for_each(|inner| gather(inner, named));
        }
        Value::Array(list) => list.iter().for_each(|inner| gather(inner, named)),
        _ => {}
    }
}
