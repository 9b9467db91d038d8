//! The results that a chart can give, as the form shows them.

use super::{
    List, ListKind, Step, Table, as_table, below, entry, list, pairs, table, table_in, value_in,
};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultForm {
    pub id: String,
    /// Its bytes in the text: its heading, or all of it in braces.
    pub at: Range<usize>,
    pub table: Table,
    pub effects: Option<List>,
}

/// What a section of the pack declares: id and title.
pub fn titles(text: &str, key: &str) -> Vec<(String, String)> {
    let (table, _) = DeTable::parse_recoverable(text);
    let known = table_in(table.get_ref(), key);
    let titled = |(id, value): (&str, &DeValue<'_>)| {
        let title = as_table(value).and_then(|table| entry(table, &[], "title"));
        (id.to_owned(), title.map_or_else(|| id.to_owned(), |title| title.text))
    };
    known.map(|known| pairs(known).map(titled).collect()).unwrap_or_default()
}

/// The results that are named in the table of a chart, in the order of the pack. If its rows are in
/// a file, all results of the pack.
pub(super) fn of_table(root: &DeTable<'_>, read: &DeTable<'_>) -> Vec<ResultForm> {
    let Some(known) = table_in(root, "result") else { return Vec::new() };
    let mut named = Vec::new();
    words(read, &mut named);
    let in_file = entry(read, &[], "rows").is_some();
    let result = |(id, value): (&str, &DeValue<'_>)| {
        let result = as_table(value).filter(|_| in_file || named.iter().any(|one| one == id))?;
        let path = below(&[Step::Key("result".to_owned())], id);
        Some(ResultForm {
            effects: list(result, &path, "effects", ListKind::Effects, String::new()),
            at: value_in(known, id)?.0,
            table: table(result, path),
            id: id.to_owned(),
        })
    };
    pairs(known).filter_map(result).collect()
}

/// Every text in a table.
fn words(table: &DeTable<'_>, into: &mut Vec<String>) {
    table.iter().for_each(|(_, value)| words_of(value.get_ref(), into));
}

fn words_of(value: &DeValue<'_>, into: &mut Vec<String>) {
    match value {
        DeValue::String(text) => into.push(text.to_string()),
        DeValue::Table(table) => words(table, into),
        DeValue::Array(list) => list.iter().for_each(|value| words_of(value.get_ref(), into)),
        _ => {}
    }
}
