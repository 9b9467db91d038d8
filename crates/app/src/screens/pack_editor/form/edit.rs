//! Edits of the text through the form. Each changes the bytes of one value, pair or item.

use super::{ChartForm, Entry, Item, Layout, List, ListKind, Question, TablePlace, read, sheet};
use adjutant_pack::format::{Key, Kind, Outcome};
use adjutant_pack::toml_text;
use adjutant_wording::en::page::pack_editor as words;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A change. Places are bytes of the text as the form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The value at this place is this. Nothing removes it, if it may be left out.
    Set(usize, String),
    /// When the modifier at this place counts: a condition, [`OWN_QUESTION`], or nothing for always.
    Condition(usize, String),
    /// Removes the question, choice, modifier, row or effect at this place.
    Remove(usize),
    /// Adds a modifier to the list at this place.
    Add(usize),
    /// Adds a copy of the row at this place above it.
    Copy(usize),
    /// Adds a question, with modifiers that depend on it.
    AddQuestion(QuestionKind),
    /// Adds a choice to the question at this place.
    AddChoice(usize),
    /// The result at this place has this value under a key.
    Result(usize, ResultKey, String),
    /// Adds an effect to the result at this place: a status, or a note if it is empty.
    AddEffect(usize, String),
    /// The cell of the CSV file at this place is this.
    Cell(usize, String),
    /// Adds a copy of the line at this place of the CSV file above it.
    CopyLine(usize),
    /// Removes the line at this place of the CSV file.
    RemoveLine(usize),
}

/// What a new question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    YesNo,
    Number,
    Choice,
}

/// What the form sets of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultKey {
    Title,
    Means,
    Harm,
}

impl ResultKey {
    pub fn name(self) -> &'static str {
        match self {
            ResultKey::Title => "title",
            ResultKey::Means => "means",
            ResultKey::Harm => "harm",
        }
    }
}

/// Stands for a new question with the label of the modifier.
pub const OWN_QUESTION: &str = "?";

/// Optional keys that the form removes when their field is emptied: an empty text is no number and
/// no condition.
pub(super) const VANISHING: [&str; 7] = ["from", "to", "above", "below", "when", "default", "harm"];

/// The name and the text of the file that a change concerns; none if there is nothing at its place.
pub fn apply(
    form: &ChartForm,
    edit: &Edit,
    file: impl Fn(&str) -> String,
) -> Option<(String, String)> {
    let in_sheet = |change: &dyn Fn(&str) -> Option<String>| {
        let name = form.sheet.clone()?;
        let text = change(&file(&name))?;
        Some((name, text))
    };
    match edit {
        Edit::Cell(at, value) => in_sheet(&|text| sheet::set(text, *at, value)),
        Edit::CopyLine(at) => in_sheet(&|text| sheet::copy(text, *at)),
        Edit::RemoveLine(at) => in_sheet(&|text| sheet::remove(text, *at)),
        _ => Some(("pack.toml".to_owned(), apply_to_pack(&file("pack.toml"), form, edit)?)),
    }
}

/// The text of `pack.toml` after a change.
fn apply_to_pack(text: &str, form: &ChartForm, edit: &Edit) -> Option<String> {
    let item_at = |at: usize| form.items().find(move |(_, item)| item.at.start == at);
    match edit {
        Edit::Set(at, value) => {
            let entry = form.entries().find(|entry| entry.at.start == *at)?;
            let value = value.trim();
            if value.is_empty() && VANISHING.contains(&entry.key.as_str()) {
                return remove_pair(text, form, entry);
            }
            let choice = form.questions.iter().any(|question| question.choices.contains(entry));
            let written =
                if choice { toml_text(value) } else { literal(form.declared(entry), value) };
            replaced(text, entry.at.clone(), &written)
        }
        Edit::Condition(at, when) => {
            let (_, item) = item_at(*at)?;
            match (item.entry("when"), when.as_str()) {
                (Some(entry), "") => remove_pair(text, form, entry),
                (Some(_), OWN_QUESTION) | (None, "") => None,
                (Some(entry), when) => replaced(text, entry.at.clone(), &toml_text(when)),
                (None, OWN_QUESTION) => add_condition(text, form, item),
                (None, when) => with_condition(text, item, when),
            }
        }
        Edit::Remove(at) => remove(text, form, *at),
        Edit::Add(at) => {
            let list = form.lists.iter().find(|list| list.at.start == *at)?;
            let modifier = modifier(words::NEW_MODIFIER, "1", None);
            add_item(text, list, &modifier).filter(|_| list.kind == ListKind::Modifiers)
        }
        Edit::Copy(at) => {
            let (list, item) = item_at(*at)?;
            copy(text, list, item)
        }
        Edit::AddQuestion(kind) => add_question_of(text, form, *kind),
        Edit::AddChoice(at) => {
            add_choice(text, form.questions.iter().find(|one| one.pair.start == *at)?)
        }
        Edit::Result(at, key, value) => {
            let result = form.results.iter().find(|one| one.place.at.start == *at)?;
            match result.entry(key.name()) {
                Some(entry) => apply_to_pack(text, form, &Edit::Set(entry.at.start, value.clone())),
                None if value.trim().is_empty() => None,
                None => {
                    let value = literal(Outcome::SECTION.key(key.name()), value.trim());
                    with_pair(text, &result.place, &format!("{} = {value}", key.name()))
                }
            }
        }
        Edit::AddEffect(at, status) => {
            let result = form.results.iter().find(|one| one.place.at.start == *at)?;
            let effect = match status.as_str() {
                "" => format!("{{ note = {} }}", toml_text(words::NEW_NOTE)),
                status => format!("{{ status = {} }}", toml_text(status)),
            };
            match &result.effects {
                Some(list) => add_item(text, list, &effect),
                None => with_pair(text, &result.place, &format!("effects = [ {effect} ]")),
            }
        }
        Edit::Cell(..) | Edit::CopyLine(_) | Edit::RemoveLine(_) => None,
    }
}

fn replaced(text: &str, at: Range<usize>, with: &str) -> Option<String> {
    let (before, after) = (text.get(..at.start)?, text.get(at.end..)?);
    Some(format!("{before}{with}{after}"))
}

/// A value as TOML: a number as it is, all else in quotation marks.
fn literal(key: Option<&Key>, value: &str) -> String {
    let words = key.is_some_and(|key| matches!(key.kind, Kind::Text | Kind::Word(_)));
    let number = value.strip_prefix('+').unwrap_or(value).parse::<i64>();
    match number {
        Ok(number) if !words => number.to_string(),
        _ => toml_text(value),
    }
}

/// The entries of the table that an entry is in.
fn siblings<'f>(form: &'f ChartForm, entry: &Entry) -> &'f [Entry] {
    let found = form.tables().find(|(_, entries)| entries.contains(entry));
    found.map_or(&[], |(_, entries)| entries)
}

/// Removes a key with its value: its line, or its part of a line and the comma beside it.
fn remove_pair(text: &str, form: &ChartForm, entry: &Entry) -> Option<String> {
    if siblings(form, entry).len() < 2 {
        return None;
    }
    remove_line(text, &entry.pair).or_else(|| remove_listed(text, entry.pair.clone()))
}

fn remove(text: &str, form: &ChartForm, at: usize) -> Option<String> {
    if let Some(question) = form.questions.iter().find(|one| one.pair.start == at) {
        return remove_question(text, question);
    }
    let mut choices = form.questions.iter().flat_map(|question| &question.choices);
    if let Some(choice) = choices.find(|choice| choice.pair.start == at) {
        return remove_listed(text, choice.pair.clone());
    }
    let (list, item) = form.items().find(|(_, item)| item.at.start == at)?;
    match list.layout {
        Layout::Brackets => remove_listed(text, item.at.clone()),
        Layout::Headings => {
            let block = block(text, item)?;
            let rest = text.get(block.end..)?;
            Some(format!("{}{}", text.get(..block.start)?, rest.trim_start_matches('\n')))
        }
    }
}

/// The lines of an item that has a heading.
fn block(text: &str, item: &Item) -> Option<Range<usize>> {
    let end = text.get(item.at.end..)?.find('\n').map_or(text.len(), |end| item.at.end + end + 1);
    Some(item.at.start..end)
}

/// A copy of an item above it.
fn copy(text: &str, list: &List, item: &Item) -> Option<String> {
    let copied = match list.layout {
        Layout::Brackets => {
            format!("{},{}", text.get(item.at.clone())?, before_item(text, list, item)?)
        }
        Layout::Headings => format!("{}\n\n", text.get(block(text, item)?)?.trim_end()),
    };
    replaced(text, item.at.start..item.at.start, &copied)
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
fn remove_question(text: &str, question: &Question) -> Option<String> {
    remove_line(text, &question.pair).or_else(|| remove_listed(text, question.pair.clone()))
}

/// Removes a pair that is alone on its lines.
fn remove_line(text: &str, pair: &Range<usize>) -> Option<String> {
    let (before, rest) = (text.get(..pair.start)?, text.get(pair.end..)?);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let after = rest[..end].trim();
    let alone = line.trim().is_empty() && (after.is_empty() || after.starts_with('#'));
    alone.then(|| format!("{}{}", &before[..before.len() - line.len()], &rest[end..]))
}

/// The blanks before an item: after the bracket, or after the comma of the item before.
fn before_item<'t>(text: &'t str, list: &List, item: &Item) -> Option<&'t str> {
    let before = text.get(list.at.start..item.at.start)?;
    let cut = before.trim_end().len();
    before.get(cut..)
}

/// Adds an item at the end of a list.
fn add_item(text: &str, list: &List, item: &str) -> Option<String> {
    match (list.items.last(), list.layout) {
        (Some(last), Layout::Brackets) => {
            let between = before_item(text, list, last)?;
            replaced(text, last.at.end..last.at.end, &format!(",{between}{item}"))
        }
        (None, Layout::Brackets) => {
            replaced(text, list.at.start + 1..list.at.start + 1, &format!(" {item} "))
        }
        (last, Layout::Headings) => {
            let end = block(text, last?)?.end;
            let heading = text.get(list.at.clone())?;
            let pairs = item.trim_matches(['{', '}', ' ']);
            let start = if text.get(..end)?.ends_with('\n') { "" } else { "\n" };
            replaced(
                text,
                end..end,
                &format!("{start}\n{heading}\n{}\n", pairs.replace(", ", "\n")),
            )
        }
    }
}

/// Adds a pair to a table: after its last line, or before its brace.
fn with_pair(text: &str, place: &TablePlace, pair: &str) -> Option<String> {
    if text.get(place.at.clone())?.starts_with('{') {
        return match place.last {
            Some(end) => replaced(text, end..end, &format!(", {pair}")),
            None => replaced(text, place.at.clone(), &format!("{{ {pair} }}")),
        };
    }
    let from = place.last.unwrap_or(place.at.end);
    let end = text.get(from..)?.find('\n').map_or(text.len(), |end| from + end);
    replaced(text, end..end, &format!("\n{pair}"))
}

/// A modifier as it is written.
fn modifier(label: &str, plus: &str, when: Option<&str>) -> String {
    let when = when.map(|when| format!(", when = {}", toml_text(when))).unwrap_or_default();
    format!("{{ label = {}, plus = {plus}{when} }}", toml_text(label))
}

fn with_condition(text: &str, item: &Item, when: &str) -> Option<String> {
    let last = item.entries.iter().map(|entry| entry.pair.end).max()?;
    let line = text.get(item.at.start..)?.starts_with("[[");
    let between = if line { "\n" } else { ", " };
    replaced(text, last..last, &format!("{between}when = {}", toml_text(when)))
}

/// A question with a yes or no, named after the label, that the modifier depends on.
fn add_condition(text: &str, form: &ChartForm, item: &Item) -> Option<String> {
    let label = item.entry("label")?;
    let known = form.questions.iter().find(|one| {
        one.entries.iter().any(|entry| entry.key == "yes_no" && entry.text == label.text)
    });
    let id = known.map_or_else(|| free_id(form, &label.text), |known| known.id.clone());
    let text = with_condition(text, item, &id)?;
    if known.is_some() {
        return Some(text);
    }
    let form = read(&text, &form.chart)?;
    add_question(&text, &form, &format!("{id} = {{ yes_no = {} }}", toml_text(&label.text)))
}

/// Adds a question to those of the chart.
fn add_question(text: &str, form: &ChartForm, question: &str) -> Option<String> {
    match &form.ask {
        Some(ask) => with_pair(text, ask, question),
        None => with_pair(text, form.body.as_ref()?, &format!("ask = {{ {question} }}")),
    }
}

/// Adds a question of a kind, and the modifiers by which it counts.
fn add_question_of(text: &str, form: &ChartForm, kind: QuestionKind) -> Option<String> {
    let id = free_id(form, words::NEW_QUESTION);
    let label = toml_text(words::NEW_QUESTION);
    let (question, modifiers) = match kind {
        QuestionKind::YesNo => (
            format!("{id} = {{ yes_no = {label} }}"),
            vec![modifier(words::NEW_QUESTION, "1", Some(&id))],
        ),
        QuestionKind::Number => (
            format!("{id} = {{ number = {label}, from = 0, to = 10, default = 0 }}"),
            vec![modifier(words::NEW_QUESTION, &toml_text(&id), None)],
        ),
        QuestionKind::Choice => {
            let [first, second] = words::NEW_CHOICES;
            let choices = format!("first = {}, second = {}", toml_text(first), toml_text(second));
            let when = |word: &str| format!("{id} == '{word}'");
            (
                format!(
                    "{id} = {{ choice = {{ {choices} }}, label = {label}, default = \"first\" }}"
                ),
                vec![modifier(second, "1", Some(&when("second")))],
            )
        }
    };
    let mut text = add_question(text, form, &question)?;
    for modifier in modifiers {
        let form = read(&text, &form.chart)?;
        let list = form.lists.iter().find(|list| list.kind == ListKind::Modifiers);
        text = match list {
            Some(list) => add_item(&text, list, &modifier)?,
            None => with_pair(&text, form.step.as_ref()?, &format!("add = [ {modifier} ]"))?,
        };
    }
    Some(text)
}

/// Adds a word to a choice.
fn add_choice(text: &str, question: &Question) -> Option<String> {
    let last = question.choices.last()?;
    let taken = |id: &str| question.choices.iter().any(|one| one.key == id || one.text == id);
    let id = (1..).map(|n| if n == 1 { "new".to_owned() } else { format!("new_{n}") });
    let id = id.take(200).find(|id| !taken(id))?;
    let choice = match last.key.is_empty() {
        true => toml_text(&id),
        false => format!("{id} = {}", toml_text(words::NEW_CHOICE)),
    };
    replaced(text, last.pair.end..last.pair.end, &format!(", {choice}"))
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
