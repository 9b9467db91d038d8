//! Parses TOML into a tree with the span of every key and value. Serde stops at the first thing
//! that does not fit, but an author wants to see all problems at once. So the document is parsed
//! with recovery. [`Keys`] walks the tree and notes which keys were read: the rest are unknown.

use crate::diagnostic::Diagnostic;
use crate::problem::{KeyProblem, Owner, Part, Problem, TomlProblem, TomlSlip, TomlType, Wanted};
use crate::syntax::{Syntax, SyntaxKind};
use crate::text::clip;
use crate::unknown_name::{Noun, UnknownName, nearest_by_words, usual_name};
use adjutant_dice::{Number, Text};
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The maximum length of a text that a pack shows.
pub const LONGEST_TEXT: usize = 2000;

/// The maximum number of diagnostics that are reported at once.
const MOST_FAULTS: usize = 500;

/// The maximum number of syntax errors that are reported for a file.
const MOST_ERRORS: usize = 50;

/// Keys whose texts the player reads.
const SHOWN: [&str; 6] = ["title", "label", "because", "text", "why", "name"];

/// A value with its position in its file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Located<T> {
    pub it: T,
    pub at: Place,
}

impl Located<String> {
    /// The text, clipped, for use in a problem.
    pub fn clip(&self) -> Text {
        clip(&self.it)
    }

    /// The whole text, for values that are known to be names.
    pub fn text(&self) -> Text {
        self.it.as_str().into()
    }
}

/// A span in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub file: Text,
    pub span: Range<usize>,
}

impl Place {
    pub fn start_of(file: &'static str) -> Place {
        Place { file: file.into(), span: 0..0 }
    }
}

/// The diagnostics so far. All readers share it, so that reading needs no mutable borrow.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    found: RefCell<Vec<Diagnostic>>,
    /// The files that are not TOML, with their syntax errors. Other problems in such a file mostly
    /// follow from these.
    broken: RefCell<Vec<Diagnostic>>,
}

impl Diagnostics {
    pub fn add(&self, at: &Place, problem: impl Into<Problem>) {
        self.push(Diagnostic {
            problem: problem.into(),
            file: at.file.to_string(),
            span: at.span.clone(),
        });
    }

    pub fn push(&self, fault: Diagnostic) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_FAULTS && !found.contains(&fault) {
            found.push(fault);
        }
    }

    /// Reports an unknown name, with the nearest known one.
    pub fn unknown<'a>(
        &self,
        at: &Place,
        noun: Noun,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        if self.count() >= MOST_FAULTS {
            return;
        }
        self.add(at, UnknownName::brief(noun, name, known));
    }

    pub fn count(&self) -> usize {
        self.found.borrow().len() + self.broken.borrow().len()
    }

    /// Whether any diagnostic is about this file.
    pub fn any_in(&self, file: &str) -> bool {
        self.found
            .borrow()
            .iter()
            .chain(self.broken.borrow().iter())
            .any(|fault| fault.file == file)
    }

    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let (mut found, broken) = (self.found.into_inner(), self.broken.into_inner());
        found.retain(|fault| broken.iter().all(|known| known.file != fault.file));
        found.extend(broken);
        adjutant_dice::sort_by(&mut found, |a, b| {
            (&a.file, a.span.start).cmp(&(&b.file, b.span.start))
        });
        found
    }
}

/// Parses a file with recovery: reports the syntax errors and returns what could be read.
pub(crate) fn parse<'t>(
    file: &'static str,
    text: &'t str,
    faults: &Diagnostics,
) -> Spanned<DeTable<'t>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return table;
    }
    let mut syntax = Syntax::of(text);
    for error in errors.iter().take(MOST_ERRORS) {
        let span = error.span().unwrap_or(0..0);
        let kind = syntax.kind(error.span());
        let detail = error.message().to_owned();
        let problem = match kind {
            SyntaxKind::TooDeep => TomlProblem::TooDeep { detail },
            SyntaxKind::NameTwice => TomlProblem::NameTwice { detail },
            _ if curly(text, &span) => TomlProblem::CurlyQuotes { detail },
            _ => match slip(text, span.start) {
                Some(slip) => TomlProblem::Slip { detail, slip },
                None => TomlProblem::Syntax { detail },
            },
        };
        if kind == SyntaxKind::NameTwice {
            faults.add(&Place { file: file.into(), span }, problem);
            continue;
        }
        let mut broken = faults.broken.borrow_mut();
        if broken.last().is_none_or(|known| known.span.start != span.start || known.file != file) {
            broken.push(Diagnostic { problem: problem.into(), file: file.into(), span });
        }
        // After an unclosed bracket every following line seems wrong, so only the first error is
        // useful.
        if kind == SyntaxKind::Bracket {
            break;
        }
    }
    table
}

/// Whether a span starts with the curly quotation marks of a word processor.
fn curly(text: &str, span: &Range<usize>) -> bool {
    text.get(span.start..).is_some_and(|rest| rest.starts_with(['“', '”', '„', '‘', '’', '«', '»']))
}

/// What was most likely meant where a file is not valid TOML, by the line of the error.
fn slip(text: &str, at: usize) -> Option<TomlSlip> {
    let (before, after) = text.split_at_checked(at)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let key =
        line.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || "_-.".contains(c));
    let comma = |value: &str| {
        let rest = value.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        value.trim_start().starts_with(|c: char| c.is_ascii_digit())
            && rest
                .strip_prefix(',')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match after.chars().next() {
        Some('−' | '–') => Some(TomlSlip::Minus),
        _ if line.trim_start().starts_with("//") => Some(TomlSlip::SlashComment),
        _ if key.trim_start().starts_with(':') => Some(TomlSlip::Colon),
        Some(c) if c.is_alphabetic() && !c.is_ascii() => Some(TomlSlip::Letter),
        _ if line.contains("== \"") || line.contains("!= \"") => Some(TomlSlip::QuotesInExpression),
        _ if line.split('=').skip(1).any(comma) => Some(TomlSlip::DecimalComma),
        _ => None,
    }
}

/// The keys of one table. Tracks which keys have been read.
pub(crate) struct Keys<'t> {
    table: &'t DeTable<'t>,
    pub at: Place,
    owner: Owner,
    taken: RefCell<Vec<&'t str>>,
    faults: &'t Diagnostics,
    /// The lists of the pack, which questions refer to by name.
    lists: &'t [crate::raw::RawList],
    /// All keys that a reader asked for, for the test that compares them with the declared ones.
    #[cfg(test)]
    asked: RefCell<Vec<String>>,
}

impl<'t> Keys<'t> {
    pub fn new(
        table: &'t DeTable<'t>,
        at: Place,
        owner: impl Into<Owner>,
        faults: &'t Diagnostics,
    ) -> Keys<'t> {
        Keys {
            table,
            at,
            owner: owner.into(),
            taken: RefCell::default(),
            faults,
            lists: &[],
            #[cfg(test)]
            asked: RefCell::default(),
        }
    }

    pub fn with_lists(self, lists: &'t [crate::raw::RawList]) -> Keys<'t> {
        Keys { lists, ..self }
    }

    pub fn lists(&self) -> &'t [crate::raw::RawList] {
        self.lists
    }

    /// The keys of a table within this one.
    fn inner(&self, table: &'t DeTable<'t>, at: Place, owner: impl Into<Owner>) -> Keys<'t> {
        Keys::new(table, at, owner, self.faults).with_lists(self.lists)
    }

    pub fn faults(&self) -> &'t Diagnostics {
        self.faults
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place { file: self.at.file.clone(), span }
    }

    /// Reads the value of a key.
    pub fn take(&self, key: &str) -> Option<Located<&'t DeValue<'t>>> {
        #[cfg(test)]
        self.asked.borrow_mut().push(key.to_owned());
        let (known, value) = self.table.iter().find(|(k, _)| k.get_ref().as_ref() == key)?;
        self.taken.borrow_mut().push(known.get_ref().as_ref());
        Some(Located { it: value.get_ref(), at: self.place(value.span()) })
    }

    /// All keys that have not been read, with their values. Marks them as read.
    pub fn rest(&self) -> Vec<(Located<String>, Located<&'t DeValue<'t>>)> {
        let left: Vec<_> = self
            .table
            .iter()
            .filter(|(k, _)| !self.taken.borrow().contains(&k.get_ref().as_ref()))
            .collect();
        left.into_iter()
            .map(|(key, value)| {
                self.taken.borrow_mut().push(key.get_ref().as_ref());
                let name = Located { it: key.get_ref().to_string(), at: self.place(key.span()) };
                (name, Located { it: value.get_ref(), at: self.place(value.span()) })
            })
            .collect()
    }

    /// Whether the value of a key is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Table(_)))
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(k, _)| k.get_ref().as_ref() == key)
    }

    /// Those of these keys that are present.
    pub fn given(&self, keys: &[&'static str]) -> Vec<&'static str> {
        keys.iter().copied().filter(|key| self.has(key)).collect()
    }

    /// Whether any value is itself a table.
    pub fn holds_tables(&self) -> bool {
        self.table.iter().any(|(_, value)| value.get_ref().is_table())
    }

    /// Reports unknown keys. Returns whether there are any: if a thing's main key is misspelt,
    /// other errors about it do not help.
    pub fn strange(&self, known: &[&str]) -> bool {
        let strange: Vec<Located<String>> = self
            .rest()
            .into_iter()
            .map(|(key, _)| key)
            .filter(|key| !known.contains(&key.it.as_str()))
            .collect();
        strange.iter().for_each(|key| self.unknown_key(key, known));
        !strange.is_empty()
    }

    fn unknown_key(&self, key: &Located<String>, known: &[&str]) {
        let mut unknown = UnknownName::brief(Noun::Key, &key.it, known.iter().copied());
        if unknown.nearest.is_none() {
            let near = || nearest_by_words(&key.it, known);
            unknown.nearest = usual_name(&key.it, known).or_else(near).map(Text::from);
        }
        self.faults.add(&key.at, KeyProblem::Unknown { owner: self.owner.clone(), key: unknown });
    }

    /// Reports keys that belong to the section around this one, and marks them as read.
    pub fn above(
        &self,
        part: &'static str,
        section: &'static str,
        belongs: impl Fn(&str, &DeValue<'_>) -> bool,
    ) {
        for (key, value) in self.table {
            let name = key.get_ref().as_ref();
            if belongs(name, value.get_ref()) {
                self.take(name);
                let problem = KeyProblem::BelongsAbove { key: clip(name), part, section };
                self.faults.add(&self.place(key.span()), problem);
            }
        }
    }

    /// Tells the tests that a reader of these keys has asked for all of them.
    pub fn asked_for(&self, _known: &'static [&'static str]) {
        #[cfg(test)]
        crate::format::record(_known, &self.asked.borrow());
    }

    /// Reports the keys that were not read.
    pub fn done(self, known: &'static [&'static str]) {
        self.asked_for(known);
        for (key, _) in self.rest() {
            match known.contains(&key.it.as_str()) {
                true => self.faults.add(
                    &key.at,
                    KeyProblem::Misplaced { owner: self.owner.clone(), key: key.text() },
                ),
                false => self.unknown_key(&key, known),
            }
        }
    }

    fn wrong(&self, key: &str, value: &Located<&DeValue<'_>>, wanted: Wanted) {
        let (key, found) = (clip(key), toml_type(value.it));
        let problem = match (found, wanted) {
            (TomlType::Number, Wanted::Number | Wanted::Expression) => {
                KeyProblem::InexactNumber { key }
            }
            _ => KeyProblem::WrongType { key, found, wanted },
        };
        self.faults.add(&value.at, problem);
    }

    pub fn text(&self, key: &str) -> Option<Located<String>> {
        let found = self.take(key)?;
        match text_of(found.it) {
            Some(text) => {
                clean(&text, &found.at, self.faults);
                Some(Located { it: text, at: found.at })
            }
            None => {
                self.wrong(key, &found, Wanted::Text);
                None
            }
        }
    }

    pub fn need_text(&self, key: &str) -> Option<Located<String>> {
        if !self.has(key) {
            self.faults.add(
                &self.at,
                KeyProblem::MissingText { owner: self.owner.clone(), key: key.into() },
            );
        }
        let found = self.text(key)?;
        // A blank name is reported by its lookup. A blank text that is only shown would leave a gap
        // on the sheet.
        if found.it.trim().is_empty() && SHOWN.contains(&key) {
            self.faults.add(&found.at, KeyProblem::Empty { key: key.into() });
        }
        Some(found)
    }

    /// A file inside a file: a required text of any length, whose parts are checked later.
    pub fn need_data(&self, key: &str) -> Option<Located<String>> {
        let Some(found) = self.take(key) else {
            let (owner, key) = (self.owner.clone(), key.into());
            self.faults.add(&self.at, KeyProblem::MissingText { owner, key });
            return None;
        };
        let text = text_of(found.it);
        if text.is_none() {
            self.wrong(key, &found, Wanted::Text);
        }
        Some(Located { it: text?, at: found.at })
    }

    /// A text; empty if the key is missing.
    pub fn text_or_empty(&self, key: &str) -> String {
        self.text(key).map(|t| t.it).unwrap_or_default()
    }

    pub fn number(&self, key: &str) -> Option<Located<Number>> {
        let found = self.take(key)?;
        match number_of(found.it) {
            Some(n) => Some(Located { it: n, at: found.at }),
            None => {
                self.wrong(key, &found, Wanted::Number);
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
                self.wrong(key, &found, Wanted::YesNo);
                false
            }
        }
    }

    /// An expression: a text, or a plain number or yes/no as a shorthand.
    pub fn expr(&self, key: &str) -> Option<Located<String>> {
        let found = self.take(key)?;
        match expr_of(found.it) {
            Some(text) => Some(Located { it: text, at: found.at }),
            None => {
                self.wrong(key, &found, Wanted::Expression);
                None
            }
        }
    }

    pub fn table(&self, key: &str, owner: impl Into<Owner>) -> Option<Keys<'t>> {
        let found = self.take(key)?;
        match found.it {
            DeValue::Table(table) => Some(self.inner(table, found.at, owner)),
            _ => {
                self.wrong(key, &found, Wanted::Table);
                None
            }
        }
    }

    /// A list of tables.
    pub fn tables(&self, key: &str, part: Part) -> Vec<Keys<'t>> {
        let Some(found) = self.take(key) else { return Vec::new() };
        let DeValue::Array(list) = found.it else {
            self.wrong(key, &found, Wanted::Tables);
            return Vec::new();
        };
        list.iter().filter_map(|item| self.item_table(key, part, item)).collect()
    }

    fn item_table(
        &self,
        key: &str,
        part: Part,
        item: &'t Spanned<DeValue<'t>>,
    ) -> Option<Keys<'t>> {
        let at = self.place(item.span());
        match item.get_ref() {
            DeValue::Table(table) => Some(self.inner(table, at, part)),
            other => {
                self.wrong(key, &Located { it: other, at }, Wanted::Table);
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
                self.wrong(key, &Located { it: value, at }, Wanted::Text);
                None
            }
        };
        match found.it {
            DeValue::Array(list) => list
                .iter()
                .filter_map(|item| one(item.get_ref(), self.place(item.span())))
                .collect(),
            other => one(other, found.at).into_iter().collect(),
        }
    }

    /// A table from names to texts.
    pub fn texts_by_name(
        &self,
        key: &str,
        owner: impl Into<Owner>,
    ) -> Vec<(Located<String>, Located<String>)> {
        let Some(inner) = self.table(key, owner) else { return Vec::new() };
        let names: Vec<Located<String>> = inner
            .table
            .iter()
            .map(|(name, _)| Located {
                it: name.get_ref().to_string(),
                at: self.place(name.span()),
            })
            .collect();
        names.into_iter().filter_map(|name| inner.text(&name.it).map(|text| (name, text))).collect()
    }

    /// A table from names to expressions.
    pub fn exprs(
        &self,
        key: &str,
        owner: impl Into<Owner>,
    ) -> Vec<(Located<String>, Located<String>)> {
        let Some(inner) = self.table(key, owner) else { return Vec::new() };
        inner
            .rest()
            .into_iter()
            .filter_map(|(name, value)| match expr_of(value.it) {
                Some(text) => Some((name, Located { it: text, at: value.at })),
                None => {
                    inner.wrong(&name.it, &value, Wanted::Expression);
                    None
                }
            })
            .collect()
    }

    /// The keys of a value that [`Keys::rest`] or [`Keys::take`] returned.
    pub fn keys_of(
        &self,
        value: &Located<&'t DeValue<'t>>,
        key: &str,
        owner: impl Into<Owner>,
    ) -> Option<Keys<'t>> {
        match value.it {
            DeValue::Table(table) => Some(self.inner(table, value.at.clone(), owner)),
            _ => {
                self.wrong(key, value, Wanted::Table);
                None
            }
        }
    }
}

/// Checks a text that will be shown. It must be short and free of control characters, because it
/// goes to terminals and pages.
pub(crate) fn clean(text: &str, at: &Place, faults: &Diagnostics) {
    for problem in unclean(text) {
        faults.add(at, problem);
    }
}

/// The problems of a text that will be shown.
pub(crate) fn unclean(text: &str) -> impl Iterator<Item = KeyProblem> + use<> {
    let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || is_reordering(*c));
    let control = bad.map(|character| KeyProblem::ControlCharacter { character });
    let long = (text.len() > LONGEST_TEXT).then_some(KeyProblem::TextTooLong { bytes: text.len() });
    control.into_iter().chain(long)
}

/// Whether a character changes the display order of text (bidirectional control).
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

pub(crate) fn toml_type(value: &DeValue<'_>) -> TomlType {
    match value {
        DeValue::String(_) => TomlType::Text,
        DeValue::Integer(_) | DeValue::Float(_) => TomlType::Number,
        DeValue::Boolean(_) => TomlType::YesNo,
        DeValue::Datetime(_) => TomlType::Date,
        DeValue::Array(_) => TomlType::List,
        DeValue::Table(_) => TomlType::Table,
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
