//! JSON Schemas (draft 7) of the files of a pack, for editors: they complete keys, explain them and
//! mark unknown ones. A schema cannot check names, types of expressions or bands; the check does.

use super::{CasesFile, Key, Kind, Need, PackFile, Section};
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

/// The JSON Schema of `pack.toml`.
pub fn pack_schema() -> Value {
    schema_of(&PackFile::SECTION, "Adjutant pack: pack.toml")
}

/// The JSON Schema of `cases.toml`.
pub fn cases_schema() -> Value {
    schema_of(&CasesFile::SECTION, "Adjutant pack: cases.toml")
}

fn schema_of(file: &'static Section, title: &str) -> Value {
    let inner = file.all().into_iter().skip(1);
    let definitions: Map<String, Value> =
        inner.map(|section| (section.name.to_owned(), object(section))).collect();
    let mut schema = object(file);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!(title);
    schema["definitions"] = definitions.into();
    schema
}

fn object(section: &Section) -> Value {
    let properties: Map<String, Value> =
        section.keys().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> =
        section.keys().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    json!({
        "type": "object",
        "description": section.about,
        "properties": properties,
        "required": required,
        "additionalProperties": section.others.first().map_or(json!(false), value),
    })
}

fn property(key: &Key) -> Value {
    let mut property = value(&key.kind);
    // Draft 7 ignores what stands beside a reference.
    if property.get("$ref").is_some() {
        property = json!({ "allOf": [property] });
    }
    property["description"] = json!(key.doc);
    property["examples"] = Value::Array(example_as_json(key.example).into_iter().collect());
    property
}

fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Text | Kind::Name(_) => json!({ "type": "string" }),
        Kind::Formula => json!({ "type": ["string", "number", "boolean"] }),
        Kind::Number => json!({ "type": ["number", "string"] }),
        Kind::Plain => json!({ "type": "number" }),
        Kind::Flag => json!({ "enum": [true, false, "yes", "no"] }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Pair => json!({
            "type": "array",
            "items": value(&Kind::Number),
            "minItems": 2,
            "maxItems": 2,
        }),
        Kind::OneOrMore(one) => json!({ "anyOf": [value(one), value(&Kind::List(one))] }),
        Kind::List(one) => json!({ "type": "array", "items": value(one) }),
        Kind::Named(one) => json!({ "type": "object", "additionalProperties": value(one) }),
        Kind::Keys(section) => json!({ "$ref": format!("#/definitions/{}", section.name) }),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(value).collect::<Vec<_>>() }),
        Kind::Any => json!({}),
    }
}

/// A value that is written as TOML; none if it is not valid.
pub fn example_as_json(example: &str) -> Option<Value> {
    let text = format!("it = {example}");
    let table = DeTable::parse(&text).ok()?;
    table.get_ref().get("it").and_then(|value| as_json(value.get_ref()))
}

fn as_json(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => json!(text),
        DeValue::Boolean(yes) => json!(yes),
        DeValue::Integer(n) => json!(n.as_str().parse::<i64>().ok()?),
        DeValue::Float(n) => json!(n.as_str().parse::<f64>().ok()?),
        DeValue::Datetime(time) => json!(time.to_string()),
        DeValue::Array(list) => {
            list.iter().map(|item| as_json(item.get_ref())).collect::<Option<Vec<_>>>()?.into()
        }
        DeValue::Table(table) => table
            .iter()
            .map(|(key, inner)| Some((key.get_ref().to_string(), as_json(inner.get_ref())?)))
            .collect::<Option<Map<_, _>>>()?
            .into(),
    })
}
