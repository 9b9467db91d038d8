//! Parses TOML into a tree with the span of every key and value. Serde stops at the first thing
//! that does not fit, but an author wants to see all problems at once. So the document is parsed
//! with recovery. [`Keys`] walks the tree and notes which keys were read: the rest are unknown.

use crate::diagnostic::{Diagnostic, nearest};
use adjutant_dice::Number;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The longest text a pack may show.
pub(crate) const LONGEST_TEXT: usize = 2000;

/// The most faults reported at once.
const MOST_FAULTS: usize = 500;

/// Keys whose texts players read.
const SHOWN: [&str; 6] = ["title", "label", "because", "text", "why", "name"];

/// A thing with its place in its file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Located<T> {
    pub it: T,
    pub at: Place,
}

/// A place in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub file: &'static str,
    pub span: Range<usize>,
}

impl Place {
    pub fn start_of(file: &'static str) -> Place {
        Place { file, span: 0..0 }
    }
}

/// The faults found so far. Shared by all that read, so that reading needs no mutable borrow.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    found: RefCell<Vec<Diagnostic>>,
    /// The files that are not TOML, with the faults of their form. What else seems wrong in such a file mostly follows from these.
    broken: RefCell<Vec<Diagnostic>>,
}

impl Diagnostics {
    pub fn add(&self, at: &Place, message: impl Into<String>, remedy: impl Into<String>) {
        self.push(Diagnostic { file: at.file.into(), place: at.span.clone(), message: message.into(), remedy: Some(remedy.into()) });
    }

    pub fn push(&self, fault: Diagnostic) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_FAULTS && !found.contains(&fault) {
            found.push(fault);
        }
    }

    /// An unknown name, with the nearest known one.
    pub fn unknown<'a>(&self, at: &Place, what: &str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) {
        if self.count() >= MOST_FAULTS {
            return;
        }
        self.add(at, format!("there is no {what} `{name}`"), suggestion(name, known));
    }

    pub fn count(&self) -> usize {
        self.found.borrow().len() + self.broken.borrow().len()
    }

    /// Whether any fault lies in this file.
    pub fn any_in(&self, file: &str) -> bool {
        self.found.borrow().iter().chain(self.broken.borrow().iter()).any(|fault| fault.file == file)
    }

    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let (mut found, broken) = (self.found.into_inner(), self.broken.into_inner());
        found.retain(|fault| broken.iter().all(|known| known.file != fault.file));
        found.extend(broken);
        found.sort_by(|a, b| (&a.file, a.place.start).cmp(&(&b.file, b.place.start)));
        found
    }
}

/// "did you mean …?" or the list of what there is.
pub(crate) fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(close) = nearest(name, known.clone()) {
        return format!("did you mean `{}`?", shown(close));
    }
    let all: Vec<String> = known.into_iter().map(shown).collect();
    match all.len() {
        0 => "none is defined yet".into(),
        1..=12 => format!("there are: {}", all.join(", ")),
        n => format!("there are {n}: {}, …", all[..10].join(", ")),
    }
}

/// Parses a file; faults of the form are noted and what could be read is walked on.
pub(crate) fn parse<'t>(file: &'static str, text: &'t str, faults: &Diagnostics) -> Spanned<DeTable<'t>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    // After a bracket that is never closed every line that follows seems wrong: there the first fault is the only one to mend.
    let open = |message: &str| message.contains("array") || message.contains("inline table");
    let last = errors.iter().position(|error| open(error.message())).unwrap_or(49);
    for error in errors.iter().take(last + 1) {
        let place = Place { file, span: error.span().unwrap_or(0..0) };
        let remedy = match error.message() {
            text if text.contains("recursion") => "a pack need not be nested more than a few tables deep",
            text if text.contains("duplicate key") => "this name stands twice: write each [section.name] and each key once",
            _ if curly(text, &place.span) => "write plain quotation marks \"…\", not the curly ones of a word processor",
            _ => "this is not valid TOML: look for a missing quotation mark, comma, bracket or equals sign at or before this place",
        };
        let message = format!("the file cannot be read here: {}", error.message());
        if error.message().contains("duplicate key") {
            faults.add(&place, message, remedy);
            continue;
        }
        let mut broken = faults.broken.borrow_mut();
        if broken.last().is_none_or(|known| known.place.start != place.span.start || known.file != file) {
            broken.push(Diagnostic { file: file.into(), place: place.span, message, remedy: Some(remedy.into()) });
        }
    }
    table
}

/// Whether a place begins with quotation marks as a word processor sets them.
fn curly(text: &str, span: &Range<usize>) -> bool {
    text.get(span.start..).is_some_and(|rest| rest.starts_with(['“', '”', '„', '‘', '’', '«', '»']))
}

/// The keys of one table, noting which have been taken.
pub(crate) struct Keys<'t> {
    table: &'t DeTable<'t>,
    pub at: Place,
    what: String,
    taken: RefCell<Vec<&'t str>>,
    faults: &'t Diagnostics,
}

impl<'t> Keys<'t> {
    pub fn new(table: &'t DeTable<'t>, at: Place, what: impl Into<String>, faults: &'t Diagnostics) -> Keys<'t> {
        Keys { table, at, what: what.into(), taken: RefCell::default(), faults }
    }

    pub fn faults(&self) -> &'t Diagnostics {
        self.faults
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place { file: self.at.file, span }
    }

    /// Takes a key's value.
    pub fn take(&self, key: &str) -> Option<Located<&'t DeValue<'t>>> {
        let (known, value) = self.table.iter().find(|(k, _)| k.get_ref().as_ref() == key)?;
        self.taken.borrow_mut().push(known.get_ref().as_ref());
        Some(Located { it: value.get_ref(), at: self.place(value.span()) })
    }

    /// All keys not yet taken, with their values; they count as taken.
    pub fn rest(&self) -> Vec<(Located<String>, Located<&'t DeValue<'t>>)> {
        let left: Vec<_> = self.table.iter().filter(|(k, _)| !self.taken.borrow().contains(&k.get_ref().as_ref())).collect();
        left.into_iter()
            .map(|(key, value)| {
                self.taken.borrow_mut().push(key.get_ref().as_ref());
                let name = Located { it: key.get_ref().to_string(), at: self.place(key.span()) };
                (name, Located { it: value.get_ref(), at: self.place(value.span()) })
            })
            .collect()
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(k, _)| k.get_ref().as_ref() == key)
    }

    /// Whether any of its values is itself a table.
    pub fn holds_tables(&self) -> bool {
        self.table.iter().any(|(_, value)| value.get_ref().is_table())
    }

    /// Whether there are keys that are not known here; they are reported. Of a thing whose one word is misspelt nothing else need be said.
    pub fn strange(&self, known: &[&str]) -> bool {
        let strange: Vec<Located<String>> =
            self.rest().into_iter().map(|(key, _)| key).filter(|key| !known.contains(&key.it.as_str())).collect();
        strange.iter().for_each(|key| self.unknown_key(key, known));
        !strange.is_empty()
    }

    fn unknown_key(&self, key: &Located<String>, known: &[&str]) {
        let message = format!("{} has no key `{}`", self.what, shown(&key.it));
        self.faults.add(&key.at, message, suggestion(&key.it, known.iter().copied()));
    }

    /// Reports the keys that nobody took.
    pub fn done(self, known: &[&str]) {
        for (key, _) in self.rest() {
            match known.contains(&key.it.as_str()) {
                true => self.faults.add(
                    &key.at,
                    format!("`{}` does not go with the rest of {}", key.it, self.what),
                    "it goes with something else than what is said here: take it out",
                ),
                false => self.unknown_key(&key, known),
            }
        }
    }

    fn wrong(&self, key: &str, found: &Located<&DeValue<'_>>, wanted: &str) {
        let found_kind = kind(found.it);
        let number = found_kind == "a number" && matches!(wanted, "a number" | "an expression");
        let (message, remedy) = if number {
            let message = format!("`{}` is not a number that can be held exactly", shown(key));
            (message, "write it as 3, -1, 2.5 or \"1/2\", below a million million".to_owned())
        } else {
            let message = format!("`{}` is {found_kind}, but {wanted} should stand here", shown(key));
            (message, format!("write {} = {}", shown(key), example(wanted)))
        };
        self.faults.add(&found.at, message, remedy);
    }

    pub fn text(&self, key: &str) -> Option<Located<String>> {
        let found = self.take(key)?;
        match text_of(found.it) {
            Some(text) => {
                clean(&text, &found.at, self.faults);
                Some(Located { it: text, at: found.at })
            }
            None => {
                self.wrong(key, &found, "a text");
                None
            }
        }
    }

    pub fn need_text(&self, key: &str) -> Option<Located<String>> {
        if !self.has(key) {
            self.faults.add(&self.at, format!("{} has no `{key}`", self.what), format!("add {key} = \"…\""));
        }
        let found = self.text(key)?;
        // A name that is looked up is missed there; what is only shown would be a blank on the sheet.
        if found.it.trim().is_empty() && SHOWN.contains(&key) {
            self.faults.add(&found.at, format!("`{key}` is empty"), format!("write {key} = \"…\""));
        }
        Some(found)
    }

    /// A text, or nothing.
    pub fn text_or_empty(&self, key: &str) -> String {
        self.text(key).map(|t| t.it).unwrap_or_default()
    }

    pub fn number(&self, key: &str) -> Option<Located<Number>> {
        let found = self.take(key)?;
        match number_of(found.it) {
            Some(n) => Some(Located { it: n, at: found.at }),
            None => {
                self.wrong(key, &found, "a number");
                None
            }
        }
    }

    pub fn flag(&self, key: &str) -> bool {
        let Some(found) = self.take(key) else { return false };
        match found.it {
            DeValue::Boolean(yes) => *yes,
            DeValue::String(text) if text == "yes" => true,
            DeValue::String(text) if text == "no" => false,
            _ => {
                self.wrong(key, &found, "yes or no");
                false
            }
        }
    }

    /// An expression: a text, or a plain number or yes/no for short.
    pub fn expr(&self, key: &str) -> Option<Located<String>> {
        let found = self.take(key)?;
        match expr_of(found.it) {
            Some(text) => Some(Located { it: text, at: found.at }),
            None => {
                self.wrong(key, &found, "an expression");
                None
            }
        }
    }

    pub fn table(&self, key: &str, what: impl Into<String>) -> Option<Keys<'t>> {
        let found = self.take(key)?;
        match found.it {
            DeValue::Table(table) => Some(Keys::new(table, found.at, what, self.faults)),
            _ => {
                self.wrong(key, &found, "a table");
                None
            }
        }
    }

    /// A list of tables.
    pub fn tables(&self, key: &str, what: &str) -> Vec<Keys<'t>> {
        let Some(found) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = found.it else {
            self.wrong(key, &found, "a list of tables");
            return Vec::new();
        };
        list.iter().filter_map(|item| self.item_table(key, what, item)).collect()
    }

    fn item_table(&self, key: &str, what: &str, item: &'t Spanned<DeValue<'t>>) -> Option<Keys<'t>> {
        let at = self.place(item.span());
        match item.get_ref() {
            DeValue::Table(table) => Some(Keys::new(table, at, what, self.faults)),
            other => {
                self.wrong(key, &Located { it: other, at }, "a table");
                None
            }
        }
    }

    /// A text or a list of texts.
    pub fn texts(&self, key: &str) -> Vec<Located<String>> {
        let Some(found) = self.take(key) else { return Vec::new() };
        let one = |value: &DeValue<'_>, at: Place| match text_of(value) {
            Some(text) => {
                clean(&text, &at, self.faults);
                Some(Located { it: text, at })
            }
            None => {
                self.wrong(key, &Located { it: value, at }, "a text");
                None
            }
        };
        match found.it {
            DeValue::Array(list) => list.iter().filter_map(|item| one(item.get_ref(), self.place(item.span()))).collect(),
            other => one(other, found.at).into_iter().collect(),
        }
    }

    /// A table of names to expressions.
    pub fn exprs(&self, key: &str, what: &str) -> Vec<(Located<String>, Located<String>)> {
        let Some(inner) = self.table(key, what) else { return Vec::new() };
        inner
            .rest()
            .into_iter()
            .filter_map(|(name, value)| match expr_of(value.it) {
                Some(text) => Some((name, Located { it: text, at: value.at })),
                None => {
                    inner.wrong(&name.it, &value, "an expression");
                    None
                }
            })
            .collect()
    }

    /// The place of a value found by [`Keys::rest`] or [`Keys::take`], as keys.
    pub fn keys_of(&self, value: &Located<&'t DeValue<'t>>, key: &str, what: impl Into<String>) -> Option<Keys<'t>> {
        match value.it {
            DeValue::Table(table) => Some(Keys::new(table, value.at.clone(), what, self.faults)),
            _ => {
                self.wrong(key, value, "a table");
                None
            }
        }
    }
}

/// A name shortened and without control characters, for a sentence.
pub(crate) fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// A text that will be shown must be short and hold no control characters: it goes to terminals and pages.
pub(crate) fn clean(text: &str, at: &Place, faults: &Diagnostics) {
    for (message, remedy) in unclean(text) {
        faults.add(at, message, remedy);
    }
}

/// What is wrong with a text that will be shown, and the remedy.
pub(crate) fn unclean(text: &str) -> impl Iterator<Item = (String, &'static str)> + use<> {
    let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || is_reordering(*c));
    let control = bad.map(|c| (format!("the text holds a control character ({})", c.escape_unicode()), "take it out: texts are plain"));
    let long = (text.len() > LONGEST_TEXT)
        .then(|| (format!("the text is {} bytes long: at most {LONGEST_TEXT} are shown", text.len()), "shorten it"));
    control.into_iter().chain(long)
}

/// Characters that make text appear in another order than it is read.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

pub(crate) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "yes or no",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn example(wanted: &str) -> &'static str {
    match wanted {
        "a text" => "\"…\"",
        "a number" => "3",
        "yes or no" => "true",
        "an expression" => "\"close && !firer.suppressed\"",
        "a table" => "{ … }",
        _ => "[ { … }, { … } ]",
    }
}

pub(crate) fn text_of(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

pub(crate) fn number_of(value: &DeValue<'_>) -> Option<Number> {
    match value {
        DeValue::Integer(n) if n.radix() == 10 => n.as_str().parse().ok(),
        DeValue::Float(n) => n.as_str().parse().ok(),
        DeValue::String(text) => text.parse().ok(),
        _ => None,
    }
}

pub(crate) fn expr_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        DeValue::Integer(_) | DeValue::Float(_) => number_of(value).map(|n| n.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_shows_no_control_characters_of_other_names() {
        assert_eq!(suggestion("hunter", ["\0", "\0.dice"]), "there are: , .dice");
        assert_eq!(suggestion("flanks", ["flank\0"]), "did you mean `flank`?");
    }
}
