//! A form for the questions, modifiers and rows of a chart. The text of `pack.toml` stays the truth:
//! the form is read from it, and an entry replaces the bytes of its value and no others.

mod edit;
#[cfg(test)]
mod tests;
pub mod view;

pub use edit::{Edit, apply};

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    /// From the key to the end of the value.
    pub pair: Range<usize>,
    /// The value.
    pub at: Range<usize>,
    pub text: String,
}

/// A question of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub pair: Range<usize>,
    /// The label, and the limits of a number.
    pub entries: Vec<Entry>,
}

/// A modifier or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub at: Range<usize>,
    pub entries: Vec<Entry>,
}

impl Item {
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// The modifiers of a step, or the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub kind: ListKind,
    /// The name of the step.
    pub title: String,
    pub at: Range<usize>,
    pub items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Modifiers,
    Rows,
}

/// A chart as the form shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartForm {
    pub title: Option<Entry>,
    pub questions: Vec<Question>,
    pub lists: Vec<List>,
}

impl ChartForm {
    fn items(&self) -> impl Iterator<Item = (&List, &Item)> {
        self.lists.iter().flat_map(|list| list.items.iter().map(move |item| (list, item)))
    }

    /// Every value that the form shows.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let questions = self.questions.iter().flat_map(|question| &question.entries);
        let items = self.items().flat_map(|(_, item)| &item.entries);
        self.title.iter().chain(questions).chain(items)
    }
}

/// Reads the form of a chart. Parts that are written in another way than the form knows are left
/// out; they stay as they are.
pub fn read(text: &str, chart: &str) -> Option<ChartForm> {
    let (table, _) = DeTable::parse_recoverable(text);
    let chart = table_in(table_in(table.get_ref(), "chart")?, chart)?;
    let mut form = ChartForm { title: entries(chart, &["title"]).pop(), ..ChartForm::default() };
    if let Some(ask) = table_in(chart, "ask") {
        form.questions =
            pairs(ask).filter_map(|(id, pair, value)| question(id, pair, value)).collect();
    }
    for step in tables_in(chart, "step") {
        let name = entries(step, &["title"]).pop().or_else(|| entries(step, &["as"]).pop());
        let title = name.map(|name| name.text).unwrap_or_default();
        form.lists.extend(list(step, "add", ListKind::Modifiers, title));
    }
    if let Some(read) = table_in(chart, "read") {
        form.lists.extend(list(read, "rows", ListKind::Rows, String::new()));
    }
    Some(form)
}

/// The results of the pack: id and title.
pub fn results(text: &str) -> Vec<(String, String)> {
    let (table, _) = DeTable::parse_recoverable(text);
    let known = table_in(table.get_ref(), "result");
    let result = |(id, _, value): (String, Range<usize>, &DeValue<'_>)| {
        let titled = as_table(value).and_then(|table| entries(table, &["title"]).pop());
        let title = titled.map_or_else(|| id.clone(), |title| title.text);
        (id, title)
    };
    known.map(|known| pairs(known).map(result).collect()).unwrap_or_default()
}

fn as_table<'a, 'i>(value: &'a DeValue<'i>) -> Option<&'a DeTable<'i>> {
    match value {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn value_in<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<(Range<usize>, &'a DeValue<'i>)> {
    let (_, value) = table.iter().find(|(known, _)| known.get_ref().as_ref() == key)?;
    Some((value.span(), value.get_ref()))
}

fn table_in<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
    as_table(value_in(table, key)?.1)
}

fn tables_in<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Vec<&'a DeTable<'i>> {
    match value_in(table, key) {
        Some((_, DeValue::Array(list))) => {
            list.iter().filter_map(|value| as_table(value.get_ref())).collect()
        }
        _ => Vec::new(),
    }
}

/// The keys and values of a table, in the order of the text.
fn pairs<'a, 'i>(
    table: &'a DeTable<'i>,
) -> impl Iterator<Item = (String, Range<usize>, &'a DeValue<'i>)> {
    let mut found: Vec<_> = table.iter().collect();
    found.sort_by_key(|(key, _)| key.span().start);
    found.into_iter().map(|(key, value)| {
        (key.get_ref().to_string(), key.span().start..value.span().end, value.get_ref())
    })
}

/// The plain values of a table under these keys, or under all if none is given.
fn entries(table: &DeTable<'_>, wanted: &[&str]) -> Vec<Entry> {
    let found = pairs(table).filter_map(|(key, pair, value)| {
        let (at, _) = value_in(table, &key)?;
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => return None,
        };
        Some(Entry { key, pair, at, text })
    });
    found.filter(|entry| wanted.is_empty() || wanted.contains(&entry.key.as_str())).collect()
}

fn question(id: String, pair: Range<usize>, value: &DeValue<'_>) -> Option<Question> {
    let keys = ["yes_no", "number", "label", "from", "to", "default"];
    let entries = entries(as_table(value)?, &keys);
    (!entries.is_empty()).then_some(Question { id, pair, entries })
}

fn list(table: &DeTable<'_>, key: &str, kind: ListKind, title: String) -> Option<List> {
    let (at, value) = value_in(table, key)?;
    let DeValue::Array(array) = value else { return None };
    let item = |value: &toml::Spanned<DeValue<'_>>| {
        let table = as_table(value.get_ref())?;
        Some(Item { at: value.span(), entries: entries(table, &[]) })
    };
    let items: Option<Vec<Item>> = array.iter().map(item).collect();
    // `[[…rows]]`: the parts are no list in brackets.
    let items = items.filter(|items| {
        items.iter().all(|item| item.at.start >= at.start && item.at.end <= at.end)
    })?;
    Some(List { kind, title, at, items })
}
