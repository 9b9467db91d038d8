//! Edits of the text through the form. Comments, blanks and the order of all else stay as they are.

use super::{ChartForm, List, ListKind, Path, Step, Table, below, sheet};
use adjutant_pack::format::{Kind, Need};
use adjutant_pack::{toml_key, toml_text};
use adjutant_wording::en::page::pack_editor as words;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, InlineTable, Item, RawString, Table as TomlTable, Value};

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// This value is this. Nothing removes it, if it may be left out.
    Set(Path, String),
    /// Adds a key to a table, with the example of the pack format.
    AddKey(Path, String),
    /// When this modifier counts: a condition, [`OWN_QUESTION`], or nothing for always.
    Condition(Path, String),
    /// Removes this question, choice, modifier, row or effect.
    Remove(Path),
    /// Adds a modifier to this list.
    Add(Path),
    /// Adds a copy of this row above it.
    Copy(Path),
    /// Adds a question, with a modifier that depends on it.
    AddQuestion(QuestionKind),
    /// Adds a choice to this question.
    AddChoice(Path),
    /// Adds an effect to this result: a status, or a note if it is empty.
    AddEffect(Path, String),
    /// The cell of the CSV file at this byte is this.
    Cell(usize, String),
    /// Adds a copy of the line at this byte of the CSV file above it.
    CopyLine(usize),
    /// Removes the line at this byte of the CSV file.
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

/// Stands for a new question with the label of the modifier.
pub const OWN_QUESTION: &str = "?";

/// The name and the text of the file that a change concerns; none if there is nothing at its place,
/// or if the file is not valid TOML.
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
    let mut pack = Pack(text.parse().ok()?);
    pack.change(form, edit)?;
    let changed = pack.0.to_string();
    // The line ends stay as they are.
    let windows = text.contains("\r\n");
    Some(if windows { changed.replace("\r\n", "\n").replace('\n', "\r\n") } else { changed })
}

/// The file `pack.toml`.
struct Pack(DocumentMut);

impl Pack {
    fn change(&mut self, form: &ChartForm, edit: &Edit) -> Option<()> {
        let item_at = |path: &Path| form.items().find(|item| item.path == *path);
        match edit {
            Edit::Set(path, value) => self.set(form, path, value.trim()),
            Edit::AddKey(path, key) => {
                let (section, table) = form.tables().find(|(_, table)| table.path == *path)?;
                let key = table.open_keys(section).find(|open| open.name == *key)?;
                self.insert(path, key.name, key.example)
            }
            Edit::Condition(path, when) => {
                let item = item_at(path)?;
                let place = below(path, "when");
                match (item.entry("when"), when.as_str()) {
                    (Some(_), "") => self.remove(&place),
                    (Some(_), OWN_QUESTION) | (None, "") => None,
                    (Some(_), when) => self.replace(&place, &toml_text(when)),
                    (None, OWN_QUESTION) => self.add_condition(form, item),
                    (None, when) => self.insert(path, "when", &toml_text(when)),
                }
            }
            Edit::Remove(path) => {
                let questions = form.questions.iter().map(|question| &question.table.path);
                let choices = form.questions.iter().flat_map(|question| &question.choices);
                let items = form.items().map(|item| &item.path);
                let mut parts = questions.chain(choices.map(|choice| &choice.path)).chain(items);
                parts.any(|part| part == path).then(|| self.remove(path))?
            }
            Edit::Add(path) => {
                let list = form.lists.iter().find(|list| list.path == *path)?;
                let modifier = modifier(words::NEW_MODIFIER, "1", None);
                (list.kind == ListKind::Modifiers).then(|| self.push(path, &modifier))?
            }
            Edit::Copy(path) => item_at(path).and_then(|item| self.copy(&item.path)),
            Edit::AddQuestion(kind) => self.add_question_of(form, *kind),
            Edit::AddChoice(path) => self.add_choice(form, path),
            Edit::AddEffect(path, status) => {
                let result = form.results.iter().find(|result| result.table.path == *path)?;
                let effect = match status.as_str() {
                    "" => format!("{{ note = {} }}", toml_text(words::NEW_NOTE)),
                    status => format!("{{ status = {} }}", toml_text(status)),
                };
                match &result.effects {
                    Some(list) => self.push(&list.path, &effect),
                    None => self.insert(path, "effects", &format!("[ {effect} ]")),
                }
            }
            Edit::Cell(..) | Edit::CopyLine(_) | Edit::RemoveLine(_) => None,
        }
    }

    fn set(&mut self, form: &ChartForm, path: &Path, value: &str) -> Option<()> {
        if let Some(entry) = form.entries().find(|entry| entry.path == *path) {
            let key = form.key(entry);
            let is_optional = key.is_some_and(|key| key.need == Need::Optional);
            // The only value of a table stays: an empty one says nothing.
            let is_only = form.tables().any(|(_, table)| table.entries == [entry.clone()]);
            return match value {
                "" if is_optional && is_only => None,
                "" if is_optional => self.remove(path),
                _ => {
                    let is_choice = form.questions.iter().any(|one| one.choices.contains(entry));
                    let written = match is_choice {
                        true => toml_text(value),
                        false => literal(form.kind(entry), value),
                    };
                    self.replace(path, &written)
                }
            };
        }
        // A result has fields for keys that it lacks.
        let (Step::Key(name), owner) = path.split_last()? else { return None };
        let (section, _) = form.tables().find(|(_, table)| table.path == owner)?;
        let key = section.key(name).filter(|_| !value.is_empty())?;
        self.insert(owner, name, &literal(Some(key.kind), value))
    }

    fn at(&mut self, path: &[Step]) -> Option<&mut Item> {
        path.iter().try_fold(self.0.as_item_mut(), |item, step| match step {
            Step::Key(key) => item.as_table_like_mut()?.get_mut(key),
            Step::Place(place) => item.get_mut(*place),
        })
    }

    fn replace(&mut self, path: &[Step], value: &str) -> Option<()> {
        let old = self.at(path)?.as_value_mut()?;
        let mut new: Value = value.parse().ok()?;
        *new.decor_mut() = old.decor().clone();
        *old = new;
        Some(())
    }

    fn insert(&mut self, table: &[Step], key: &str, value: &str) -> Option<()> {
        let mut value: Value = value.parse().ok()?;
        let table = self.at(table)?;
        if let Some(inline) = table.as_inline_table_mut() {
            // The blanks before the brace come after the new value.
            let last = inline.iter_mut().last().map(|(_, last)| take_suffix(last));
            value.decor_mut().set_prefix(" ");
            value.decor_mut().set_suffix(last.unwrap_or_else(|| " ".to_owned()));
        }
        table.as_table_like_mut()?.insert(key, Item::Value(value));
        Some(())
    }

    fn push(&mut self, list: &[Step], value: &str) -> Option<()> {
        let mut value: Value = value.parse().ok()?;
        match self.at(list)? {
            Item::ArrayOfTables(tables) => {
                let mut table = match value {
                    Value::InlineTable(table) => table.into_table(),
                    _ => return None,
                };
                table.set_position(tables.iter().last().and_then(last_position));
                table.decor_mut().set_prefix("\n");
                tables.push(table);
            }
            Item::Value(Value::Array(array)) => {
                let Some(last) = array.len().checked_sub(1) else {
                    array.push_formatted(value.decorated(" ", " "));
                    return Some(());
                };
                let blanks = blanks_before(array.get(last)?);
                let end = match array.trailing_comma() {
                    true => text(array.trailing()),
                    false => take_suffix(array.get_mut(last)?),
                };
                let (comment, end) = split_comment(&end);
                value.decor_mut().set_prefix(format!("{comment}{blanks}"));
                match array.trailing_comma() {
                    true => array.set_trailing(end),
                    false => value.decor_mut().set_suffix(end),
                }
                array.push_formatted(value);
            }
            _ => return None,
        }
        Some(())
    }

    fn copy(&mut self, path: &[Step]) -> Option<()> {
        let (Step::Place(place), list) = path.split_last()? else { return None };
        match self.at(list)? {
            Item::ArrayOfTables(tables) => {
                let mut copy = tables.get(*place)?.clone();
                let position = copy.position();
                set_positions(&mut copy, position);
                tables.insert(*place, copy);
            }
            Item::Value(Value::Array(array)) => {
                let original = array.get_mut(*place)?;
                let mut copy = original.clone();
                copy.decor_mut().set_suffix("");
                let blanks = blanks_before(original);
                original.decor_mut().set_prefix(blanks);
                array.insert_formatted(*place, copy);
            }
            _ => return None,
        }
        Some(())
    }

    fn remove(&mut self, path: &[Step]) -> Option<()> {
        let (last, owner) = path.split_last()?;
        match (self.at(owner)?, last) {
            (Item::Value(Value::InlineTable(table)), Step::Key(key)) => {
                remove_from_line(table, key)?;
            }
            (Item::Table(table), Step::Key(key)) => {
                table.remove(key)?;
            }
            (Item::ArrayOfTables(tables), Step::Place(place)) => {
                tables.get(*place)?;
                tables.remove(*place);
            }
            (Item::Value(Value::Array(array)), Step::Place(place)) => {
                remove_from_list(array, *place)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// A question with a yes or no, named after the label, that the modifier depends on.
    fn add_condition(&mut self, form: &ChartForm, item: &Table) -> Option<()> {
        let label = item.entry("label")?.text.as_str();
        let asks = |table: &Table| table.entry("yes_no").is_some_and(|entry| entry.text == label);
        let asked = form.questions.iter().find(|question| asks(&question.table));
        let id = asked.map_or_else(|| free_id(form, label), |question| question.id.clone());
        self.insert(&item.path, "when", &toml_text(&id))?;
        match asked {
            Some(_) => Some(()),
            None => self.add_question(form, &id, &format!("{{ yes_no = {} }}", toml_text(label))),
        }
    }

    /// Adds a question to those of the chart.
    fn add_question(&mut self, form: &ChartForm, id: &str, question: &str) -> Option<()> {
        let chart = form.path();
        let questions = below(&chart, "ask");
        match self.at(&questions) {
            Some(_) => self.insert(&questions, id, question),
            None => self.insert(&chart, "ask", &format!("{{ {} = {question} }}", toml_key(id))),
        }
    }

    /// Adds a question of a kind, and the modifier by which it counts.
    fn add_question_of(&mut self, form: &ChartForm, kind: QuestionKind) -> Option<()> {
        let id = free_id(form, words::NEW_QUESTION);
        let label = toml_text(words::NEW_QUESTION);
        let (question, modifier) = match kind {
            QuestionKind::YesNo => {
                (format!("{{ yes_no = {label} }}"), modifier(words::NEW_QUESTION, "1", Some(&id)))
            }
            QuestionKind::Number => (
                format!("{{ number = {label}, from = 0, to = 10, default = 0 }}"),
                modifier(words::NEW_QUESTION, &toml_text(&id), None),
            ),
            QuestionKind::Choice => {
                let [first, second] = words::NEW_CHOICES;
                let (one, two) = (toml_text(first), toml_text(second));
                (
                    format!(
                        "{{ choice = {{ first = {one}, second = {two} }}, label = {label}, default = \"first\" }}"
                    ),
                    modifier(second, "1", Some(&format!("{id} == 'second'"))),
                )
            }
        };
        self.add_question(form, &id, &question)?;
        match form.lists.iter().find(|list| list.kind == ListKind::Modifiers) {
            Some(List { path, .. }) => self.push(path, &modifier),
            None => self.insert(form.step.as_ref()?, "add", &format!("[ {modifier} ]")),
        }
    }

    /// Adds a word to a choice.
    fn add_choice(&mut self, form: &ChartForm, path: &Path) -> Option<()> {
        let question = form.questions.iter().find(|question| question.table.path == *path)?;
        let taken = |id: &str| question.choices.iter().any(|one| one.key() == id || one.text == id);
        let id = (1..).map(|n| if n == 1 { "new".to_owned() } else { format!("new_{n}") });
        let id = id.take(200).find(|id| !taken(id))?;
        let choices = below(path, "choice");
        if self.at(&choices)?.is_table_like() {
            self.insert(&choices, &id, &toml_text(words::NEW_CHOICE))
        } else {
            self.push(&choices, &toml_text(&id))
        }
    }
}

/// A value as TOML: a number, true or false as it is where the format has one, all else in quotation
/// marks.
fn literal(kind: Option<Kind>, value: &str) -> String {
    match kind {
        Some(Kind::Text | Kind::Name(_) | Kind::Word(_)) => toml_text(value),
        Some(Kind::Flag) if matches!(value, "true" | "false") => value.to_owned(),
        _ => match value.strip_prefix('+').unwrap_or(value).parse::<i64>() {
            Ok(number) => number.to_string(),
            Err(_) => toml_text(value),
        },
    }
}

/// A modifier as it is written.
fn modifier(label: &str, plus: &str, when: Option<&str>) -> String {
    let when = when.map(|when| format!(", when = {}", toml_text(when))).unwrap_or_default();
    format!("{{ label = {}, plus = {plus}{when} }}", toml_text(label))
}

fn text(blanks: &RawString) -> String {
    blanks.as_str().unwrap_or_default().to_owned()
}

fn prefix(value: &Value) -> String {
    value.decor().prefix().map(text).unwrap_or_default()
}

fn take_suffix(value: &mut Value) -> String {
    let suffix = value.decor().suffix().map(text).unwrap_or_default();
    value.decor_mut().set_suffix("");
    suffix
}

/// The blanks right before an item of a list, as they stand before a new one: at least one.
fn blanks_before(item: &Value) -> String {
    let prefix = prefix(item);
    let blanks = &prefix[prefix.trim_end().len()..];
    if blanks.is_empty() { " ".to_owned() } else { blanks.to_owned() }
}

/// The comment on the line of the part before, and the lines after it.
fn split_comment(blanks: &str) -> (&str, &str) {
    let (line, rest) = blanks.split_at(blanks.find('\n').unwrap_or(0));
    if line.contains('#') { (line, rest) } else { ("", blanks) }
}

/// The blanks between what stands before a part that is removed and what comes after it: a comment on
/// the line before stays, and those about the part go.
fn joined(before: &str, after: &str) -> String {
    match after.find('\n') {
        Some(line) => format!("{}{}", split_comment(before).0, &after[line..]),
        None => before.to_owned(),
    }
}

fn remove_from_list(array: &mut Array, place: usize) -> Option<()> {
    let before = prefix(array.get(place)?);
    let end = take_suffix(&mut array.remove(place));
    if let Some(next) = array.get_mut(place) {
        let joined = joined(&before, &prefix(next));
        next.decor_mut().set_prefix(joined);
    } else if array.trailing_comma() {
        let trailing = format!("{}{}", split_comment(&before).0, text(array.trailing()));
        array.set_trailing(trailing);
    } else if let Some(last) = place.checked_sub(1).and_then(|last| array.get_mut(last)) {
        last.decor_mut().set_suffix(format!("{}{end}", split_comment(&before).0));
    }
    Some(())
}

/// Removes a pair of a table in braces.
fn remove_from_line(table: &mut InlineTable, key: &str) -> Option<()> {
    let place = table.iter().position(|(name, _)| name == key)?;
    let (removed, mut value) = table.remove_entry(key)?;
    let before = removed.leaf_decor().prefix().map(text).unwrap_or_default();
    let end = take_suffix(&mut value);
    if let Some((mut next, _)) = table.iter_mut().nth(place) {
        let after = next.leaf_decor().prefix().map(text).unwrap_or_default();
        next.leaf_decor_mut().set_prefix(joined(&before, &after));
    } else if let Some((_, last)) = table.iter_mut().last() {
        last.decor_mut().set_suffix(format!("{}{end}", split_comment(&before).0));
    }
    Some(())
}

/// The place of the last heading within a table.
fn last_position(table: &TomlTable) -> Option<isize> {
    let inner = table.iter().flat_map(|(_, item)| match item {
        Item::Table(table) => last_position(table),
        Item::ArrayOfTables(tables) => tables.iter().filter_map(last_position).max(),
        _ => None,
    });
    inner.chain(table.position()).max()
}

/// Puts a table and all within it at one place: they stay together, in their order.
fn set_positions(table: &mut TomlTable, position: Option<isize>) {
    table.set_position(position);
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => set_positions(table, position),
            Item::ArrayOfTables(tables) => {
                tables.iter_mut().for_each(|table| set_positions(table, position));
            }
            _ => {}
        }
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
