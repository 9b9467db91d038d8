//! A form for the questions, modifiers, rows and results of a chart. The text of the files stays the
//! truth: the form is read from it, and an entry changes its value and nothing else. The fields are the
//! keys that `adjutant_pack::format` declares.

mod edit;
mod results;
pub mod sheet;
#[cfg(test)]
mod tests;
pub mod view;

pub use edit::{Edit, apply};
pub use results::{ResultForm, titles};

use adjutant_pack::format::{self, Key, Kind, Section};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A step of the way to a part of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// The name of a key.
    Key(String),
    /// The place in a list.
    Place(usize),
}

/// The way from the file to a part of it.
pub type Path = Vec<Step>;

fn below(path: &[Step], key: &str) -> Path {
    [path, &[Step::Key(key.to_owned())]].concat()
}

fn nth_of(path: &[Step], place: usize) -> Path {
    [path, &[Step::Place(place)]].concat()
}

/// A plain value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub path: Path,
    /// Its bytes in the text.
    pub at: Range<usize>,
    pub text: String,
}

impl Entry {
    /// The key; empty for a word of a list.
    pub fn key(&self) -> &str {
        match self.path.last() {
            Some(Step::Key(key)) => key,
            _ => "",
        }
    }
}

/// A question of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub table: Table,
    /// The words of a choice.
    pub choices: Vec<Entry>,
}

/// A table of the file: a question, a modifier, a row, a result or an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub path: Path,
    /// The plain values that the form shows.
    pub entries: Vec<Entry>,
    /// The names of all its keys.
    names: Vec<String>,
}

impl Table {
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key() == key)
    }

    /// The plain keys of a section that can be added.
    pub fn open_keys(&self, section: &'static Section) -> impl Iterator<Item = &'static Key> {
        section.open_keys(&self.names).into_iter().filter(|key| key.is_plain())
    }
}

/// The modifiers of a step, the rows of a table or the effects of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub kind: ListKind,
    /// The name of the step.
    pub title: String,
    pub path: Path,
    /// Its bytes in the text.
    pub at: Range<usize>,
    pub items: Vec<Table>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    Modifiers,
    Rows,
    Effects,
}

impl ListKind {
    pub fn section(self) -> &'static Section {
        match self {
            ListKind::Modifiers => &format::Modifier::SECTION,
            ListKind::Rows => &format::Row::SECTION,
            ListKind::Effects => &format::Effect::SECTION,
        }
    }
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
    /// The first step with dice and without modifiers.
    step: Option<Path>,
}

impl ChartForm {
    fn path(&self) -> Path {
        below(&[Step::Key("chart".to_owned())], &self.chart)
    }

    fn all_lists(&self) -> impl Iterator<Item = &List> {
        self.lists.iter().chain(self.results.iter().filter_map(|result| result.effects.as_ref()))
    }

    fn items(&self) -> impl Iterator<Item = &Table> {
        self.all_lists().flat_map(|list| &list.items)
    }

    /// The tables of which the form shows values, each with the section of the pack format that it is.
    fn tables(&self) -> impl Iterator<Item = (&'static Section, &Table)> {
        let questions = self.questions.iter().map(|one| (&format::Question::SECTION, &one.table));
        let items = self
            .all_lists()
            .flat_map(|list| list.items.iter().map(|item| (list.kind.section(), item)));
        let results = self.results.iter().map(|result| (&format::Outcome::SECTION, &result.table));
        questions.chain(items).chain(results)
    }

    /// The section of the pack format that an entry is in. The words of a choice are in none.
    fn section(&self, entry: &Entry) -> Option<&'static Section> {
        if self.title.as_ref() == Some(entry) {
            return Some(&format::Chart::SECTION);
        }
        let (section, _) = self.tables().find(|(_, table)| table.entries.contains(entry))?;
        Some(section)
    }

    /// The key of the pack format that an entry is the value of. The columns of a row are none.
    pub fn key(&self, entry: &Entry) -> Option<&'static Key> {
        self.section(entry)?.key(entry.key())
    }

    /// The type of the value of an entry.
    pub fn kind(&self, entry: &Entry) -> Option<Kind> {
        let section = self.section(entry)?;
        let key = section.key(entry.key()).map(|key| key.kind);
        key.or_else(|| section.others.first().copied())
    }

    /// Every value that the form shows.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let choices = self.questions.iter().flat_map(|one| &one.choices);
        self.title.iter().chain(self.tables().flat_map(|(_, table)| &table.entries)).chain(choices)
    }

    /// Whether a question can be added: it needs a roll that it can change.
    pub fn takes_questions(&self) -> bool {
        self.step.is_some() || self.lists.iter().any(|list| list.kind == ListKind::Modifiers)
    }
}

/// Reads the form of a chart. Parts that are written in another way than the form knows are left
/// out; they stay as they are.
pub fn read(text: &str, id: &str) -> Option<ChartForm> {
    let (root, _) = DeTable::parse_recoverable(text);
    let chart = table_in(table_in(root.get_ref(), "chart")?, id)?;
    let mut form = ChartForm { chart: id.to_owned(), ..ChartForm::default() };
    let path = form.path();
    form.title = entry(chart, &path, "title");
    if let Some(ask) = table_in(chart, "ask") {
        let path = below(&path, "ask");
        form.questions = pairs(ask).filter_map(|(id, value)| question(&path, id, value)).collect();
    }
    for (place, step) in tables_in(chart, "step") {
        let path = nth_of(&below(&path, "step"), place);
        let name = entry(step, &path, "title").or_else(|| entry(step, &path, "as"));
        let title = name.map(|name| name.text).unwrap_or_default();
        form.lists.extend(list(step, &path, "add", ListKind::Modifiers, title));
        let plain = value_in(step, "roll").is_some() && value_in(step, "add").is_none();
        form.step = form.step.or_else(|| plain.then_some(path));
    }
    if let Some(read) = table_in(chart, "read") {
        let path = below(&path, "read");
        form.lists.extend(list(read, &path, "rows", ListKind::Rows, String::new()));
        form.sheet = entry(read, &path, "rows").map(|rows| rows.text);
        form.results = results::of_table(root.get_ref(), read);
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

fn tables_in<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Vec<(usize, &'a DeTable<'i>)> {
    match value_in(table, key) {
        Some((_, DeValue::Array(list))) => list
            .iter()
            .enumerate()
            .filter_map(|(place, one)| Some((place, as_table(one.get_ref())?)))
            .collect(),
        _ => Vec::new(),
    }
}

/// The keys and values of a table, in the order of the text.
fn pairs<'a, 'i>(table: &'a DeTable<'i>) -> impl Iterator<Item = (&'a str, &'a DeValue<'i>)> {
    let mut pairs: Vec<_> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    pairs.into_iter().map(|(key, value)| (key.get_ref().as_ref(), value.get_ref()))
}

/// The plain value of a table under a key.
fn entry(table: &DeTable<'_>, path: &[Step], key: &str) -> Option<Entry> {
    let (at, value) = value_in(table, key)?;
    let text = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(yes) => yes.to_string(),
        _ => return None,
    };
    Some(Entry { path: below(path, key), at, text })
}

/// A table with its plain values.
fn table(table: &DeTable<'_>, path: Path) -> Table {
    let names: Vec<String> = pairs(table).map(|(key, _)| key.to_owned()).collect();
    let entries = names.iter().filter_map(|key| entry(table, &path, key)).collect();
    Table { path, entries, names }
}

fn question(path: &[Step], id: &str, value: &DeValue<'_>) -> Option<Question> {
    let (path, question) = (below(path, id), as_table(value)?);
    let words = below(&path, "choice");
    let choices = match value_in(question, "choice") {
        Some((_, DeValue::Table(labels))) => table(labels, words).entries,
        Some((_, DeValue::Array(list))) => {
            let word = |(place, word)| self::word(nth_of(&words, place), word);
            list.iter().enumerate().filter_map(word).collect()
        }
        _ => Vec::new(),
    };
    let table = table(question, path);
    let shown = !table.entries.is_empty() || !choices.is_empty();
    shown.then(|| Question { id: id.to_owned(), table, choices })
}

/// A word of a choice that stands in a list.
fn word(path: Path, value: &toml::Spanned<DeValue<'_>>) -> Option<Entry> {
    let DeValue::String(text) = value.get_ref() else { return None };
    Some(Entry { path, at: value.span(), text: text.to_string() })
}

fn list(
    owner: &DeTable<'_>,
    path: &[Step],
    key: &str,
    kind: ListKind,
    title: String,
) -> Option<List> {
    let (at, value) = value_in(owner, key)?;
    let DeValue::Array(array) = value else { return None };
    let path = below(path, key);
    let item = |(place, value): (usize, &toml::Spanned<DeValue<'_>>)| {
        Some(table(as_table(value.get_ref())?, nth_of(&path, place)))
    };
    let items: Vec<Table> = array.iter().enumerate().map(item).collect::<Option<_>>()?;
    Some(List { kind, title, at, items, path })
}
