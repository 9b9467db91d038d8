//! JSON Schemas of `pack.toml` and `cases.toml`, for editors: they complete keys, explain them and
//! mark unknown ones. The types here stand for what the reader in `adjutant-pack` accepts; none is
//! ever made. A test keeps their keys equal to those that the reader knows.
//!
//! A schema cannot check names, types of expressions or bands. `adjutant check` does.

#![allow(dead_code, reason = "the types describe files; their fields are never read")]

mod cases;
mod chart;
mod field;
mod game;
mod pack;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use std::collections::BTreeMap;

/// Named things: a section for each.
type Named<T> = BTreeMap<String, T>;
/// Answers to questions of another chart: expressions in this chart's names.
type With = Named<Nested>;
/// Roles of the other chart, each with the role here.
type Who = Named<String>;

/// A number, a condition or a word as an expression, such as "firer.skill + 1".
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Formula {
    Number(f64),
    YesNo(bool),
    Text(String),
}

/// An expression, or several by the values of a unit.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Nested {
    One(Formula),
    OfUnit(Named<Formula>),
}

/// A number, or a fraction in quotes: "1/2".
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Number {
    Number(f64),
    Fraction(String),
}

/// true or false, or "yes" or "no".
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Flag {
    YesNo(bool),
    Word(YesNo),
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum YesNo {
    Yes,
    No,
}

/// One, or a list.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum OneOrMore<T> {
    One(T),
    Several(Vec<T>),
}

/// The JSON Schema of `pack.toml`.
pub fn pack_schema() -> Schema {
    schema_of::<pack::PackFile>("Adjutant pack: pack.toml")
}

/// The JSON Schema of `cases.toml`.
pub fn cases_schema() -> Schema {
    schema_of::<cases::CasesFile>("Adjutant pack: cases.toml")
}

fn schema_of<T: JsonSchema>(title: &str) -> Schema {
    let settings = SchemaSettings::draft07();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
