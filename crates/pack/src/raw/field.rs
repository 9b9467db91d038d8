//! Fields: one grammar for chart inputs, unit attributes, options, memory and questions.

use crate::format;
use crate::problem::{FieldProblem, KeyProblem, NameProblem, Owner, Part};
use crate::text::clip;
use crate::tree::{Keys, Located, number_of, text_of, toml_type};
use crate::unknown_name::{Noun, UnknownName};
use adjutant_dice::{Accepts, Answer, ChoiceWord, Number};
use toml::de::DeValue;

pub(crate) struct RawField {
    pub id: Located<String>,
    pub label: String,
    pub note: String,
    pub accepts: Accepts,
    pub default: Option<Answer>,
    pub count: Option<super::RawCount>,
    /// Only of attributes.
    pub short: Option<Located<String>>,
    /// Only of attributes.
    pub on_card: bool,
    /// Only of attributes: the unit's symbol by the word of a choice.
    pub symbols: Vec<(Located<String>, Located<String>)>,
    pub shorts: Vec<(Located<String>, Located<String>)>,
    /// Only of memory: what has a value of its own.
    pub per: Option<Located<String>>,
    /// Only of attributes: a value for each of these.
    pub by: Option<super::keyed::RawBy>,
    /// The defaults of single words.
    pub defaults: Vec<(Located<String>, Answer)>,
}

/// The default limits of a number field: from `-REACH` to `REACH`.
const REACH: i32 = 1000;

/// Whether a table is a field rather than a group of fields.
pub(crate) fn is_field(keys: &Keys<'_>) -> bool {
    format::Field::ONE_OF.iter().any(|key| keys.has(key))
}

/// Reads all fields of a table.
pub(crate) fn read_all(keys: Keys<'_>) -> Vec<RawField> {
    read_each(keys, format::Question::KEYS)
}

/// Reads the attributes of a kind of unit.
pub(crate) fn read_attributes(keys: Keys<'_>) -> (Vec<RawField>, Vec<super::RawDerived>) {
    let (mut has, mut derived) = (Vec::new(), Vec::new());
    keys.above("has", "unit", |key, value| {
        ["title", "symbol"].contains(&key) && value.as_str().is_some()
    });
    for (name, value) in keys.rest() {
        let Some(inner) = keys.keys_of(&value, &name.it, Owner::Named(name.clip())) else {
            continue;
        };
        if let Some(kind) = format::Field::ONE_OF
            .iter()
            .copied()
            .find(|kind| inner.has("work_out") && inner.has(kind))
        {
            let problem =
                FieldProblem::TwoKinds { name: name.clip(), kinds: vec![kind, "work_out"] };
            inner.faults().add(&inner.at, problem);
            continue;
        }
        if !inner.has("work_out") || is_field(&inner) {
            has.extend(read(name, &inner, format::Attribute::KEYS));
            continue;
        }
        let label = inner.text("label").map_or_else(|| name.it.replace('_', " "), |t| t.it);
        if let Some(work_out) = inner.expr("work_out") {
            derived.push(super::RawDerived { id: name, label, work_out });
        }
        inner.done(format::Attribute::KEYS);
    }
    (has, derived)
}

fn read_each(keys: Keys<'_>, known: &'static [&'static str]) -> Vec<RawField> {
    let entries = keys.rest();
    entries
        .into_iter()
        .filter_map(|(name, value)| {
            let inner = keys.keys_of(&value, &name.it, Owner::Named(name.clip()))?;
            read(name, &inner, known)
        })
        .collect()
}

/// Reads one field. `known` lists all keys that `keys` may have, including those that are not part
/// of the field.
pub(crate) fn read(
    id: Located<String>,
    keys: &Keys<'_>,
    known: &'static [&'static str],
) -> Option<RawField> {
    let given: Vec<&'static str> = keys.given(format::Field::ONE_OF);
    if given.len() != 1 {
        let name = id.clip();
        let problem = if given.is_empty() {
            FieldProblem::NoKind { name }
        } else {
            FieldProblem::TwoKinds { name, kinds: given }
        };
        keys.faults().add(&keys.at, problem);
        for (key, _) in keys.rest().into_iter().filter(|(key, _)| !known.contains(&key.it.as_str()))
        {
            unknown_key(&id, &key, known, keys);
        }
        return None;
    }
    let label = keys.text("label").map(|t| t.it);
    let (own_label, accepts) = match given[0] {
        "yes_no" => (keys.text("yes_no").map(|t| t.it), Accepts::YesNo),
        "choice" => (None, Accepts::Choice { words: choice_words(keys) }),
        _ => (keys.text("number").map(|t| t.it), number_range(keys, &id)),
    };
    let attribute = known.contains(&"short");
    let by = if attribute { super::keyed::read_by(keys) } else { None };
    let defaults = if by.is_some() { defaults_by_word(keys, &id, &accepts) } else { Vec::new() };
    let one = keys.take("default").filter(|_| by.is_none() || !keys.is_table("default"));
    let default = one.and_then(|found| {
        let answer = read_value(found.it, &accepts);
        if answer.is_none() {
            keys.faults().add(
                &found.at,
                FieldProblem::BadDefault { name: id.clip(), accepts: accepts.clone() },
            );
        }
        answer
    });
    let note = keys.text_or_empty("note");
    let count = if known.contains(&"count") {
        keys.table("count", Part::Count).map(super::turn::read_count)
    } else {
        None
    };
    let short = if attribute { keys.text("short") } else { None };
    let on_card = attribute && keys.flag("on_card");
    let symbols = if attribute { keys.texts_by_name("symbols", Part::Symbols) } else { Vec::new() };
    let shorts = if attribute { keys.texts_by_name("shorts", Part::Shorts) } else { Vec::new() };
    let per = if known.contains(&"per") { keys.text("per") } else { None };
    keys.asked_for(known);
    for (key, _) in keys.rest() {
        unknown_key(&id, &key, known, keys);
    }
    let default = default.or((accepts == Accepts::YesNo).then_some(Answer::YesNo(false)));
    let label =
        own_label.or(label).filter(|l| !l.is_empty()).unwrap_or_else(|| id.it.replace('_', " "));
    Some(RawField {
        id,
        label,
        note,
        accepts,
        default,
        count,
        short,
        on_card,
        symbols,
        shorts,
        per,
        by,
        defaults,
    })
}

/// `default = { head = 6, legs = 12 }` of a value by a word.
fn defaults_by_word(
    keys: &Keys<'_>,
    id: &Located<String>,
    accepts: &Accepts,
) -> Vec<(Located<String>, Answer)> {
    if !keys.is_table("default") {
        return Vec::new();
    }
    let Some(inner) = keys.table("default", Owner::Key("default")) else { return Vec::new() };
    let mut found = Vec::new();
    for (word, value) in inner.rest() {
        match read_value(value.it, accepts) {
            Some(answer) => found.push((word, answer)),
            None => keys.faults().add(
                &value.at,
                FieldProblem::BadDefault { name: id.clip(), accepts: accepts.clone() },
            ),
        }
    }
    found
}

fn unknown_key(id: &Located<String>, key: &Located<String>, known: &[&str], keys: &Keys<'_>) {
    let unknown = UnknownName::brief(Noun::Key, &key.it, known.iter().copied());
    keys.faults()
        .add(&key.at, KeyProblem::Unknown { owner: Owner::Named(id.clip()), key: unknown });
}

/// The words of `choice = { id = "Label" }`, `choice = ["a", "b"]`, or `choice = "list"`.
pub(crate) fn choice_words(keys: &Keys<'_>) -> Vec<ChoiceWord> {
    let Some(found) = keys.take("choice") else { return Vec::new() };
    let mut words: Vec<ChoiceWord> = Vec::new();
    match found.it {
        DeValue::String(name) => {
            let known = keys.lists().iter().map(|list| list.id.it.as_str());
            match keys.lists().iter().find(|list| list.id.it == name.as_ref()) {
                Some(list) => {
                    return list
                        .words
                        .iter()
                        .map(|word| ChoiceWord {
                            id: word.word.it.as_str().into(),
                            label: word.title.as_ref().unwrap_or(&word.word.it).as_str().into(),
                        })
                        .collect();
                }
                None => keys.faults().unknown(&found.at, Noun::List, name, known),
            }
            return words;
        }
        DeValue::Table(table) => {
            for (id, label) in table.iter() {
                if matches!(label.get_ref(), DeValue::Table(_)) {
                    let at = crate::tree::Place { file: found.at.file.clone(), span: label.span() };
                    let word = crate::text::clip(id.get_ref());
                    keys.faults().add(&at, FieldProblem::WordWithFields { word });
                }
                let text = text_of(label.get_ref()).unwrap_or_default();
                crate::tree::clean(
                    &text,
                    &crate::tree::Place { file: found.at.file.clone(), span: label.span() },
                    keys.faults(),
                );
                let label = if text.is_empty() { id.get_ref().to_string() } else { text };
                words.push(ChoiceWord { id: id.get_ref().as_ref().into(), label: label.into() });
            }
        }
        DeValue::Array(list) => {
            for text in list.iter().filter_map(|item| text_of(item.get_ref())) {
                words.push(ChoiceWord { id: text.as_str().into(), label: text.into() });
            }
        }
        other => {
            keys.faults().add(&found.at, FieldProblem::NoWords { found: toml_type(other) });
            return words;
        }
    }
    if let Some(number) = words.iter().find(|w| w.id.parse::<Number>().is_ok()) {
        keys.faults().add(&found.at, NameProblem::WordIsNumber { word: number.id.clone() });
    }
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if let Some(bad) = words.iter().find(|w| w.id.is_empty() || !w.id.chars().all(good)) {
        keys.faults().add(&found.at, NameProblem::NotAWord { word: clip(&bad.id) });
    }
    if words.len() < 2 || words.len() > 100 {
        keys.faults().add(&found.at, FieldProblem::WordCount { found: words.len() });
    }
    words
}

fn number_range(keys: &Keys<'_>, id: &Located<String>) -> Accepts {
    let from = keys.number("from").map_or(Number::from(-REACH), |n| n.it);
    let to = keys.number("to").map_or(Number::from(REACH), |n| n.it);
    let step = keys.number("step").map_or(Number::ONE, |n| n.it);
    if from > to {
        keys.faults().add(&keys.at, FieldProblem::Backwards { name: id.clip(), from, to });
    }
    if step <= Number::ZERO {
        keys.faults().add(&keys.at, FieldProblem::BadStep { name: id.clip(), step });
        return Accepts::Number { from, to, step: Number::ONE };
    }
    Accepts::Number { from, to, step }
}

/// Converts a TOML value to an answer, if `accepts` allows it.
pub(crate) fn read_value(value: &DeValue<'_>, accepts: &Accepts) -> Option<Answer> {
    let answer = match (accepts, value) {
        (Accepts::YesNo, DeValue::Boolean(yes)) => Answer::YesNo(*yes),
        (Accepts::Number { .. }, _) => Answer::Number(number_of(value)?),
        (_, DeValue::String(text)) => accepts.read(text).ok()?,
        _ => return None,
    };
    accepts.holds(&answer).then_some(answer)
}
