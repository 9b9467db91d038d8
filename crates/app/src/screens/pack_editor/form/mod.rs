//! A form for the questions, modifiers, rows and results of a chart. The text of the files stays the
//! truth: the form is read from it, and an entry replaces the bytes of its value and no others.

mod edit;
mod results;
pub mod sheet;
#[cfg(test)]
mod tests;
pub mod view;

pub use edit::{Edit, apply};
pub use results::{ResultForm, results, statuses};

use adjutant_pack::format::{self, Key, Section};
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

/// A table in the text, to which pairs can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePlace {
    /// Its heading in brackets, or all of it in braces.
    pub at: Range<usize>,
    /// The end of its last pair.
    last: Option<usize>,
}

/// A question of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub pair: Range<usize>,
    /// The label, and the limits of a number.
    pub entries: Vec<Entry>,
    /// The words of a choice. The key of one that has no label is empty.
    pub choices: Vec<Entry>,
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

/// The modifiers of a step, the rows of a table or the effects of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub kind: ListKind,
    /// The name of the step.
    pub title: String,
    pub at: Range<usize>,
    pub layout: Layout,
    pub items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Modifiers,
    Rows,
    Effects,
}

impl ListKind {
    fn section(self) -> &'static Section {
        match self {
            ListKind::Modifiers => &format::Modifier::SECTION,
            ListKind::Rows => &format::Row::SECTION,
            ListKind::Effects => &format::Effect::SECTION,
        }
    }
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `[ { … }, { … } ]`.
    Brackets,
    /// A heading `[[…]]` for each item. The place of an item ends with its last line.
    Headings,
}

/// A chart as the form shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartForm {
    /// The id of the chart.
    pub chart: String,
    pub title: Option<Entry>,
    pub questions: Vec<Question>,
    pub lists: Vec<List>,
    /// The results of its rows.
    pub results: Vec<ResultForm>,
    /// The CSV file of its rows.
    pub sheet: Option<String>,
    /// Where a question can be added: to its questions, or to the chart.
    ask: Option<TablePlace>,
    body: Option<TablePlace>,
    /// The first step with dice.
    step: Option<TablePlace>,
}

impl ChartForm {
    fn all_lists(&self) -> impl Iterator<Item = &List> {
        self.lists.iter().chain(self.results.iter().filter_map(|result| result.effects.as_ref()))
    }

    fn items(&self) -> impl Iterator<Item = (&List, &Item)> {
        self.all_lists().flat_map(|list| list.items.iter().map(move |item| (list, item)))
    }

    /// The tables whose values the form shows, each with the section of the pack format that it is.
    fn tables(&self) -> impl Iterator<Item = (&'static Section, &[Entry])> {
        let title = (&format::Chart::SECTION, self.title.as_slice());
        let questions =
            self.questions.iter().map(|one| (&format::Question::SECTION, one.entries.as_slice()));
        let items = self.items().map(|(list, item)| (list.kind.section(), item.entries.as_slice()));
        let results = self
            .results
            .iter()
            .map(|result| (&format::Outcome::SECTION, result.entries.as_slice()));
        std::iter::once(title).chain(questions).chain(items).chain(results)
    }

    /// The key of the pack format that an entry is the value of. The words of a choice and the
    /// columns of a row are none.
    fn declared(&self, entry: &Entry) -> Option<&'static Key> {
        let (section, _) = self.tables().find(|(_, entries)| entries.contains(entry))?;
        section.key(&entry.key)
    }

    /// Every value that the form shows.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let choices = self.questions.iter().flat_map(|one| &one.choices);
        self.tables().flat_map(|(_, entries)| entries).chain(choices)
    }

    /// Whether a question can be added: it needs a roll that it can change.
    pub fn takes_questions(&self) -> bool {
        let modifiers = self.lists.iter().any(|list| list.kind == ListKind::Modifiers);
        (self.ask.is_some() || self.body.is_some()) && (modifiers || self.step.is_some())
    }
}

/// Reads the form of a chart. Parts that are written in another way than the form knows are left
/// out; they stay as they are.
pub fn read(text: &str, id: &str) -> Option<ChartForm> {
    let (root, _) = DeTable::parse_recoverable(text);
    let charts = table_in(root.get_ref(), "chart")?;
    let (chart_at, _) = value_in(charts, id)?;
    let chart = table_in(charts, id)?;
    let mut form = ChartForm {
        chart: id.to_owned(),
        title: entries(chart, &["title"]).pop(),
        body: place(text, chart_at, chart),
        ..ChartForm::default()
    };
    if let (Some((at, _)), Some(ask)) = (value_in(chart, "ask"), table_in(chart, "ask")) {
        form.ask = place(text, at, ask);
        form.questions =
            pairs(ask).filter_map(|(id, pair, value)| question(id, pair, value)).collect();
    }
    for (at, step) in tables_in(chart, "step") {
        let name = entries(step, &["title"]).pop().or_else(|| entries(step, &["as"]).pop());
        let title = name.map(|name| name.text).unwrap_or_default();
        form.lists.extend(list(text, step, "add", ListKind::Modifiers, title));
        let plain = value_in(step, "roll").is_some() && value_in(step, "add").is_none();
        form.step = form.step.or_else(|| place(text, at, step).filter(|_| plain));
    }
    if let Some(read) = table_in(chart, "read") {
        form.lists.extend(list(text, read, "rows", ListKind::Rows, String::new()));
        form.sheet = entries(read, &["rows"]).pop().map(|rows| rows.text);
        form.results = results::of_table(text, root.get_ref(), read);
    }
    Some(form)
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

fn tables_in<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Vec<(Range<usize>, &'a DeTable<'i>)> {
    match value_in(table, key) {
        Some((_, DeValue::Array(list))) => {
            list.iter().filter_map(|one| Some((one.span(), as_table(one.get_ref())?))).collect()
        }
        _ => Vec::new(),
    }
}

/// Where pairs can be added to a table. A table of dotted keys has no place of its own.
fn place(text: &str, at: Range<usize>, table: &DeTable<'_>) -> Option<TablePlace> {
    if !text.get(at.clone())?.starts_with(['[', '{']) {
        return None;
    }
    // The heading of a table inside stands before its key.
    let own = table.iter().filter(|(key, value)| value.span().start >= key.span().end);
    Some(TablePlace { at, last: own.map(|(_, value)| value.span().end).max() })
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
    let table = as_table(value)?;
    let entries = entries(table, &keys);
    let choices = match value_in(table, "choice") {
        Some((_, DeValue::Table(words))) => self::entries(words, &[]),
        Some((_, DeValue::Array(words))) => words.iter().filter_map(word).collect(),
        _ => Vec::new(),
    };
    let shown = !entries.is_empty() || !choices.is_empty();
    shown.then_some(Question { id, pair, entries, choices })
}

/// A word of a choice that stands in a list.
fn word(value: &toml::Spanned<DeValue<'_>>) -> Option<Entry> {
    let DeValue::String(text) = value.get_ref() else { return None };
    let at = value.span();
    Some(Entry { key: String::new(), pair: at.clone(), at, text: text.to_string() })
}

fn list(text: &str, table: &DeTable<'_>, key: &str, kind: ListKind, title: String) -> Option<List> {
    let (at, value) = value_in(table, key)?;
    let DeValue::Array(array) = value else { return None };
    let headings = text.get(at.clone())?.starts_with("[[");
    let item = |value: &toml::Spanned<DeValue<'_>>| {
        let table = as_table(value.get_ref())?;
        let end = if headings { last_byte(table).max(value.span().end) } else { value.span().end };
        Some(Item { at: value.span().start..end, entries: entries(table, &[]) })
    };
    let items: Vec<Item> = array.iter().map(item).collect::<Option<_>>()?;
    let layout = if headings { Layout::Headings } else { Layout::Brackets };
    Some(List { kind, title, at, layout, items })
}

/// Where the last value in a table ends, also in the tables inside it.
fn last_byte(table: &DeTable<'_>) -> usize {
    let end = |value: &toml::Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Table(inside) => last_byte(inside).max(value.span().end),
        _ => value.span().end,
    };
    table.iter().map(|(_, value)| end(value)).max().unwrap_or_default()
}
