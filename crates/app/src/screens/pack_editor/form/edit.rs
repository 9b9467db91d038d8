//! Edits of the text through the form. Each changes the bytes of one value, pair or item.

use super::{ChartForm, Entry, Item, List, ListKind, Question};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A change. Places are bytes of the text as the form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The value at this place is this. Nothing removes it, if it is a limit.
    Set(usize, String),
    /// Whether the modifier at this place holds only on a condition.
    Condition(usize, bool),
    /// Removes the question, modifier or row at this place.
    Remove(usize),
    /// Adds a modifier to the list at this place.
    Add(usize),
    /// Adds a copy of the row at this place above it.
    Copy(usize),
}

/// Keys whose values are words for players, never formulas.
const WORDS: [&str; 7] = ["title", "label", "text", "yes_no", "number", "note", "reading"];
/// Keys that may be left out.
const OPTIONAL: [&str; 6] = ["from", "to", "above", "below", "when", "default"];
/// The label of a modifier that was added.
pub const NEW_LABEL: &str = adjutant_wording::en::page::pack_editor::NEW_MODIFIER;

/// The text after a change; none if there is nothing at its place.
pub fn apply(text: &str, form: &ChartForm, edit: &Edit) -> Option<String> {
    match edit {
        Edit::Set(at, value) => {
            let entry = form.entries().find(|entry| entry.at.start == *at)?;
            let value = value.trim();
            if value.is_empty() && OPTIONAL.contains(&entry.key.as_str()) {
                return remove_pair(text, form, entry);
            }
            replaced(text, entry.at.clone(), &literal(&entry.key, value))
        }
        Edit::Condition(at, on) => {
            let (_, item) = form.items().find(|(_, item)| item.at.start == *at)?;
            match (item.entry("when"), on) {
                (Some(when), false) => remove_pair(text, form, when),
                (None, true) => add_condition(text, form, item),
                _ => None,
            }
        }
        Edit::Remove(at) => {
            if let Some(question) = form.questions.iter().find(|one| one.pair.start == *at) {
                return remove_question(text, form, question);
            }
            let (_, item) = form.items().find(|(_, item)| item.at.start == *at)?;
            remove_item(text, item)
        }
        Edit::Add(at) => {
            let list = form.lists.iter().find(|list| list.at.start == *at)?;
            add_modifier(text, list)
        }
        Edit::Copy(at) => {
            let (list, item) = form.items().find(|(_, item)| item.at.start == *at)?;
            let copy = text.get(item.at.clone())?;
            let between = before_item(text, list, item)?;
            replaced(text, item.at.start..item.at.start, &format!("{copy},{between}"))
        }
    }
}

fn replaced(text: &str, at: Range<usize>, with: &str) -> Option<String> {
    let (before, after) = (text.get(..at.start)?, text.get(at.end..)?);
    Some(format!("{before}{with}{after}"))
}

/// A value as TOML: a number as it is, all else in quotation marks.
fn literal(key: &str, value: &str) -> String {
    let number = value.strip_prefix('+').unwrap_or(value).parse::<i64>();
    match number {
        Ok(number) if !WORDS.contains(&key) => number.to_string(),
        _ => quoted(value),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The entries of the table that an entry is in.
fn siblings<'f>(form: &'f ChartForm, entry: &Entry) -> &'f [Entry] {
    let questions = form.questions.iter().map(|question| question.entries.as_slice());
    let items = form.items().map(|(_, item)| item.entries.as_slice());
    questions.chain(items).find(|entries| entries.contains(entry)).unwrap_or_default()
}

/// Removes a key with its value, and the comma beside it.
fn remove_pair(text: &str, form: &ChartForm, entry: &Entry) -> Option<String> {
    if siblings(form, entry).len() < 2 {
        return None;
    }
    remove_listed(text, entry.pair.clone())
}

/// Removes an item of a list.
fn remove_item(text: &str, item: &Item) -> Option<String> {
    remove_listed(text, item.at.clone())
}

/// Removes a part that commas separate from others: with the comma after it and the blanks before
/// it, or with the comma before it if it is the last.
fn remove_listed(text: &str, at: Range<usize>) -> Option<String> {
    let (before, after) = (text.get(..at.start)?, text.get(at.end..)?);
    let blank = |c: char| c.is_whitespace();
    let start = before.trim_end_matches(blank);
    let rest = after.trim_start_matches(blank);
    if let Some(rest) = rest.strip_prefix(',') {
        let first = start.ends_with(['{', '[']) && !before[start.len()..].contains('\n');
        // The first part of a line keeps the blank before it, and takes the one after it along.
        return match first {
            true => Some(format!("{before}{}", rest.trim_start_matches(' '))),
            false => Some(format!("{start}{rest}")),
        };
    }
    match start.strip_suffix(',') {
        Some(start) => Some(format!("{start}{after}")),
        None => Some(format!("{start}{after}")),
    }
}

/// Removes a question: its line, or its place in a table on one line.
fn remove_question(text: &str, form: &ChartForm, question: &Question) -> Option<String> {
    let before = text.get(..question.pair.start)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim().is_empty() && form.questions.len() > 1 {
        let rest = text.get(question.pair.end..)?;
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        if rest[..end].trim_start().is_empty() || rest.trim_start().starts_with('#') {
            return Some(format!("{}{}", &before[..before.len() - line.len()], &rest[end..]));
        }
    }
    if form.questions.len() < 2 { None } else { remove_listed(text, question.pair.clone()) }
}

/// The blanks before an item: after the bracket, or after the comma of the item before.
fn before_item<'t>(text: &'t str, list: &List, item: &Item) -> Option<&'t str> {
    let before = text.get(list.at.start..item.at.start)?;
    let cut = before.trim_end().len();
    before.get(cut..)
}

fn add_modifier(text: &str, list: &List) -> Option<String> {
    if list.kind != ListKind::Modifiers {
        return None;
    }
    let item = format!("{{ label = {}, plus = 1 }}", quoted(NEW_LABEL));
    match list.items.last() {
        Some(last) => {
            let between = before_item(text, list, last)?;
            replaced(text, last.at.end..last.at.end, &format!(",{between}{item}"))
        }
        None => replaced(text, list.at.start + 1..list.at.start + 1, &format!(" {item} ")),
    }
}

/// A question with a yes or no, named after the label, that the modifier depends on.
fn add_condition(text: &str, form: &ChartForm, item: &Item) -> Option<String> {
    let label = item.entry("label")?;
    let known = form.questions.iter().find(|one| {
        one.entries.iter().any(|entry| entry.key == "yes_no" && entry.text == label.text)
    });
    let id = known.map_or_else(|| free_id(form, &label.text), |known| known.id.clone());
    let last = item.entries.iter().map(|entry| entry.pair.end).max()?;
    let text_with = replaced(text, last..last, &format!(", when = \"{id}\""))?;
    if known.is_some() {
        return Some(text_with);
    }
    // Questions stand before the steps, so that the place of the last one is still right; where
    // they do not, both changes are made from the back.
    let question = format!("{id} = {{ yes_no = {} }}", quoted(&label.text));
    let after = form.questions.last()?;
    let line = text.get(..after.pair.start)?.rsplit('\n').next().unwrap_or_default();
    let add = if line.trim().is_empty() {
        format!("\n{line}{question}")
    } else {
        format!(", {question}")
    };
    let place = after.pair.end;
    match place <= last {
        true => replaced(&text_with, place..place, &add),
        false => replaced(text, place..place, &add)
            .and_then(|text| replaced(&text, last..last, &format!(", when = \"{id}\""))),
    }
}

/// An id made of a label that no question has.
fn free_id(form: &ChartForm, label: &str) -> String {
    let words: Vec<String> = label
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(4)
        .map(str::to_ascii_lowercase)
        .collect();
    let id = words.join("_");
    let id = if id.starts_with(|c: char| c.is_ascii_lowercase()) { id } else { format!("q_{id}") };
    let taken = |id: &String| form.questions.iter().any(|question| question.id == *id);
    let more = (2..).map(|n| format!("{id}_{n}"));
    std::iter::once(id.clone()).chain(more).find(|id| !taken(id)).unwrap_or(id)
}
