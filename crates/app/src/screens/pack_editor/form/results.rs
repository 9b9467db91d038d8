//! The results that a chart can give, as the form shows them.

use super::{
    Entry, List, ListKind, TablePlace, as_table, entries, list, pairs, place, table_in, value_in,
};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultForm {
    pub id: String,
    pub place: TablePlace,
    /// Title, meaning and harm, as far as they are written.
    pub entries: Vec<Entry>,
    pub effects: Option<List>,
}

impl ResultForm {
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// The results of the pack: id and title.
pub fn results(text: &str) -> Vec<(String, String)> {
    titles(text, "result")
}

/// The statuses of the pack: id and title.
pub fn statuses(text: &str) -> Vec<(String, String)> {
    titles(text, "status")
}

fn titles(text: &str, key: &str) -> Vec<(String, String)> {
    let (table, _) = DeTable::parse_recoverable(text);
    let known = table_in(table.get_ref(), key);
    let titled = |(id, _, value): (String, Range<usize>, &DeValue<'_>)| {
        let title = as_table(value).and_then(|table| entries(table, &["title"]).pop());
        let title = title.map_or_else(|| id.clone(), |title| title.text);
        (id, title)
    };
    known.map(|known| pairs(known).map(titled).collect()).unwrap_or_default()
}

/// The results that are named in the table of a chart, in the order of the pack. If its rows are in
/// a file, all results of the pack.
pub(super) fn of_table(text: &str, root: &DeTable<'_>, read: &DeTable<'_>) -> Vec<ResultForm> {
    let Some(known) = table_in(root, "result") else { return Vec::new() };
    let mut named = Vec::new();
    words(read, &mut named);
    let in_file = !entries(read, &["rows"]).is_empty();
    let result = |(id, _, value): (String, Range<usize>, &DeValue<'_>)| {
        let table = as_table(value).filter(|_| in_file || named.contains(&id))?;
        Some(ResultForm {
            place: place(text, value_in(known, &id)?.0, table)?,
            entries: entries(table, &["title", "means", "harm"]),
            effects: list(text, table, "effects", ListKind::Effects, String::new()),
            id,
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
