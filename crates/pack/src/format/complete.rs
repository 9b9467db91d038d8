//! Completion: the keys and values that fit at a place of a file that is being written.

use super::{Key, Kind, Section};
use crate::toml_text::toml_text;
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The keys or values that fit at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes that one of them replaces: what is typed of it.
    pub at: Range<usize>,
    /// What fits, in the order of the declaration.
    pub list: Vec<Completion>,
}

/// A key or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The key, or the value as TOML.
    pub name: String,
    /// A sentence about the key.
    pub about: &'static str,
    /// All that is written: a key comes with its example.
    pub written: String,
}

/// What fits at a byte of a file; `names` gives the names that a section of `pack.toml` declares.
pub fn complete(
    file: &'static Section,
    text: &str,
    at: usize,
    names: impl Fn(&str) -> Vec<String>,
) -> Completions {
    let Some((before, after)) = text.split_at_checked(at) else { return Completions::default() };
    let place = Place::read(before);
    let Some(typed) = place.typed else { return Completions::default() };
    let typed_text = &before[typed.start..];
    let list = match place.value_of {
        None => {
            let with_value = !place.in_heading && !after.trim_start_matches(' ').starts_with('=');
            let keys = sections(file, &place.path);
            let open = keys.into_iter().flat_map(|section| section.open_keys(&place.siblings));
            let completion = |key: &Key| Completion {
                name: key.name.to_owned(),
                about: key.doc,
                written: match with_value {
                    true => format!("{} = {}", key.name, key.example),
                    false => key.name.to_owned(),
                },
            };
            open.map(completion).collect()
        }
        Some(name) => {
            let keys = sections(file, &place.path);
            let key = keys.into_iter().find_map(|section| section.key(&name));
            key.map_or_else(Vec::new, |key| values(key, place.in_list, names))
        }
    };
    let fits = |one: &Completion| one.name.starts_with(typed_text) && one.name != typed_text;
    Completions { at: typed, list: list.into_iter().filter(fits).collect() }
}

/// The values of a key: its words, the names that it takes, and its example.
fn values(
    key: &'static Key,
    in_list: bool,
    names: impl Fn(&str) -> Vec<String>,
) -> Vec<Completion> {
    let mut values: Vec<String> = match (key.kind, key.kind.names()) {
        (Kind::Flag, _) => vec!["true".to_owned(), "false".to_owned()],
        (Kind::Word(words), _) => words.iter().map(|word| toml_text(word)).collect(),
        (_, Some(section)) => names(section).iter().map(|name| toml_text(name)).collect(),
        _ => Vec::new(),
    };
    if values.is_empty() && !in_list {
        values.push(key.example.to_owned());
    }
    let completion = |name: String| Completion { written: name.clone(), name, about: key.doc };
    values.into_iter().map(completion).collect()
}

/// The sections that a table can be, by the way to it.
fn sections(file: &'static Section, path: &[String]) -> Vec<&'static Section> {
    let Some((first, rest)) = path.split_first() else { return vec![file] };
    let mut all = Vec::new();
    if let Some(kind) = file.key(first).map(|key| &key.kind).or(file.others.first()) {
        gather(kind, rest, &mut all);
    }
    all
}

fn gather(kind: &'static Kind, path: &[String], all: &mut Vec<&'static Section>) {
    match kind {
        Kind::Keys(section) => all.extend(sections(section, path)),
        Kind::OneOrMore(one) | Kind::List(one) => gather(one, path, all),
        Kind::Either(kinds) => kinds.iter().for_each(|kind| gather(kind, path, all)),
        Kind::Named(one) => {
            if let Some((_, rest)) = path.split_first() {
                gather(one, rest, all);
            }
        }
        _ => {}
    }
}

/// The place at the end of a text.
#[derive(Default)]
struct Place {
    /// The way to the table.
    path: Vec<String>,
    /// The keys that the table has before.
    siblings: Vec<String>,
    /// The key whose value is due; none if a key is.
    value_of: Option<String>,
    in_heading: bool,
    in_list: bool,
    /// The part of the key or value that is typed; none where nothing can follow.
    typed: Option<Range<usize>>,
}

/// A table or a list that is open.
#[derive(Default)]
struct Open {
    /// The names from the table outside to this one.
    names: Vec<String>,
    keys: Vec<String>,
    is_list: bool,
}

impl Place {
    fn read(text: &str) -> Place {
        let mut open = vec![Open::default()];
        // The dotted key that is being read, and whether its value is due.
        let (mut key, mut in_value, mut in_heading) = (Vec::<String>::new(), false, false);
        let mut typed = Some(text.len()..text.len());
        for token in Source::new(text).lex() {
            let span = token.span().start()..token.span().end();
            let word = &text[span.clone()];
            let top = open.len() == 1;
            let fresh = Some(text.len()..text.len());
            match token.kind() {
                TokenKind::Eof => break,
                TokenKind::Whitespace if in_value || key.is_empty() => {}
                // A key ends with a blank.
                TokenKind::Whitespace => typed = None,
                TokenKind::Newline if top => {
                    (in_value, in_heading, typed) = (false, false, fresh);
                    key.clear();
                }
                TokenKind::Newline => {}
                TokenKind::Comment => typed = fresh.filter(|_| span.end < text.len()),
                TokenKind::LeftSquareBracket if top && !in_value => {
                    (in_heading, typed) = (true, fresh);
                    key.clear();
                }
                TokenKind::RightSquareBracket if in_heading => {
                    let names = std::mem::take(&mut key);
                    if !names.is_empty() {
                        open = vec![Open { names, ..Open::default() }];
                    }
                    typed = None;
                }
                TokenKind::Dot if !in_value => typed = fresh,
                TokenKind::Equals if !in_value => {
                    if let (Some(open), Some(first)) = (open.last_mut(), key.first()) {
                        open.keys.push(first.clone());
                    }
                    (in_value, typed) = (true, fresh);
                }
                TokenKind::Comma => {
                    in_value = open.last().is_some_and(|open| open.is_list);
                    if !in_value {
                        key.clear();
                    }
                    typed = fresh;
                }
                kind @ (TokenKind::LeftCurlyBracket | TokenKind::LeftSquareBracket) => {
                    let is_list = kind == TokenKind::LeftSquareBracket;
                    // A list has the name of its key for what is in it.
                    let names = std::mem::take(&mut key);
                    open.push(Open { names, keys: Vec::new(), is_list });
                    (in_value, typed) = (is_list, fresh);
                }
                TokenKind::RightCurlyBracket | TokenKind::RightSquareBracket => {
                    if !top {
                        open.pop();
                    }
                    (in_value, typed) = (true, None);
                }
                _ if in_value => typed = (span.end == text.len()).then_some(span),
                _ => {
                    key.push(word.trim_matches(['"', '\'']).to_owned());
                    typed = (span.end == text.len()).then_some(span);
                }
            }
        }
        let in_list = open.last().is_some_and(|open| open.is_list);
        let mut path: Vec<String> =
            open.iter().flat_map(|open| open.names.iter().cloned()).collect();
        let siblings = open.pop().map(|open| open.keys).unwrap_or_default();
        if in_heading {
            path.clear();
        }
        // What is typed of a key is not part of the way to it.
        if !in_value && typed.as_ref().is_some_and(|typed| !typed.is_empty()) {
            key.pop();
        }
        path.append(&mut key);
        let value_of = if in_value { path.pop() } else { None };
        let siblings = if in_heading { Vec::new() } else { siblings };
        Place { path, siblings, value_of, in_heading, in_list, typed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{CasesFile, PackFile};

    /// The names of what fits where the mark `|` stands.
    fn names(file: &'static Section, text: &str) -> Vec<String> {
        let at = text.find('|').unwrap_or_default();
        let found = complete(file, &text.replace('|', ""), at, |section| {
            if section == "status" {
                vec!["pinned".to_owned(), "lost".to_owned()]
            } else {
                Vec::new()
            }
        });
        found.list.into_iter().map(|one| one.name).collect()
    }

    #[track_caller]
    fn pack(text: &str, wanted: &[&str]) {
        assert_eq!(names(&PackFile::SECTION, text), wanted, "{text}");
    }

    #[test]
    fn keys_fit_by_the_table_and_what_is_typed() {
        pack("[status.x]\nti|", &["title"]);
        pack("[status.x]\ntitle = 'X'\nti|", &[]);
        pack("[chart.a.read]\nrows = [ { bel|", &["below"]);
        pack("[chart.a.read]\nrows = [ { to = 4, all = { v|", &["value"]);
        pack("[[chart.a.step]]\nroll = '1d6'\nadd = [ { label = 'A', pl| }, { label", &["plus"]);
        pack("[chart.a.ask]\nq = { yes|", &["yes_no"]);
        pack("[chart.a.ask.unit]\nq = { yes|", &["yes_no"]);
        pack("[chart.a.re|", &["readings", "read"]);
        pack("[cha|", &["chart"]);
        pack("[chart.my|", &[]);
        pack("[[chart.a.step]]\nroll = '2d6'\ndr|", &[]);
        pack("[status.x]\n# ti|", &[]);
        assert_eq!(names(&CasesFile::SECTION, "[[case]]\nnam|"), ["name"]);
    }

    #[test]
    fn values_are_words_names_or_an_example() {
        pack("[result.x]\neffects = [ { status = | } ]", &["\"pinned\"", "\"lost\""]);
        pack("[result.x]\neffects = [ { status = \"pi|", &["\"pinned\""]);
        pack("[status.x]\nkeeps_off = [\"lost\", |]", &["\"pinned\"", "\"lost\""]);
        pack("[[chart.a.step]]\nsheet = f|", &["false"]);
        pack("[status.x]\ntitle = |", &["\"Pinned\""]);
        pack("[status.x]\ntitle = \"Pinned\" |", &[]);
    }

    #[test]
    fn a_key_comes_with_its_example_unless_it_has_a_value() {
        let written = |text: &str, at: usize| {
            let found = complete(&PackFile::SECTION, text, at, |_| Vec::new());
            found.list.into_iter().map(|one| one.written).collect::<Vec<_>>()
        };
        assert_eq!(written("[status.x]\ntit", 14), ["title = \"Pinned\""]);
        assert_eq!(written("[status.x]\ntit = \"A\"", 14), ["title"]);
        assert_eq!(written("[stat", 5), ["status"]);
        // Any text and place is safe.
        let text = "[[é.\"]{ [ = ,} \n x = [{ a = 'é\n]";
        (0..=text.len() + 1).for_each(|at| drop(written(text, at)));
    }
}
