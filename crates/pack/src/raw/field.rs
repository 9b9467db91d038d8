//! Fields: one grammar for the inputs of a chart, the attributes of a unit, options, memory, questions.

use crate::tree::{Keys, Located, number_of, shown, text_of};
use adjutant_dice::{Accepts, Answer, ChoiceWord, Number};
use toml::de::DeValue;

pub(crate) struct RawField {
    pub id: Located<String>,
    pub label: String,
    pub note: String,
    pub accepts: Accepts,
    pub default: Option<Answer>,
    pub count: Option<super::RawCount>,
}

/// The keys a field may have.
pub(crate) const PLAIN: &[&str] = &["yes_no", "choice", "number", "label", "from", "to", "step", "default", "note"];
/// The keys a question of a chart may have.
pub(crate) const QUESTION: &[&str] = &["yes_no", "choice", "number", "label", "from", "to", "step", "default", "note", "count"];
/// The keys an option may have.
pub(crate) const OPTION: &[&str] = &["yes_no", "choice", "number", "label", "from", "to", "step", "default", "note", "standing", "origin"];

/// How far numbers reach when a field does not say.
const REACH: i32 = 1000;

/// Whether a table is a field rather than a group of fields.
pub(crate) fn is_field(keys: &Keys<'_>) -> bool {
    ["yes_no", "choice", "number"].iter().any(|key| keys.has(key))
}

/// All fields of a table.
pub(crate) fn read_all(keys: Keys<'_>) -> Vec<RawField> {
    let entries = keys.rest();
    entries
        .into_iter()
        .filter_map(|(name, value)| {
            let inner = keys.keys_of(&value, &name.it, format!("`{}`", shown(&name.it)))?;
            read(name, &inner, PLAIN)
        })
        .collect()
}

/// One field; `keys` may hold more than the field where `known` says so.
pub(crate) fn read(id: Located<String>, keys: &Keys<'_>, known: &[&str]) -> Option<RawField> {
    let given: Vec<&str> = ["yes_no", "choice", "number"].into_iter().filter(|key| keys.has(key)).collect();
    if given.len() != 1 {
        let message = match given.len() {
            0 => format!("`{}` does not say what it accepts", shown(&id.it)),
            _ => format!("`{}` is of two kinds at once: {}", shown(&id.it), given.join(" and ")),
        };
        keys.faults().add(&keys.at, message, "give it exactly one of yes_no = \"…\", choice = { … } or number = \"…\"");
        for (key, _) in keys.rest().into_iter().filter(|(key, _)| !known.contains(&key.it.as_str())) {
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
    let default = keys.take("default").and_then(|found| {
        let answer = read_value(found.it, &accepts);
        if answer.is_none() {
            keys.faults().add(
                &found.at,
                format!("the default of `{}` is not one that it accepts", shown(&id.it)),
                format!("accepted: {accepts}"),
            );
        }
        answer
    });
    let note = keys.text_or_empty("note");
    let count = if known.contains(&"count") { keys.table("count", "what is counted").map(super::turn::read_count) } else { None };
    for (key, _) in keys.rest() {
        unknown_key(&id, &key, known, keys);
    }
    let default = default.or((accepts == Accepts::YesNo).then_some(Answer::YesNo(false)));
    let label = own_label.or(label).filter(|l| !l.is_empty()).unwrap_or_else(|| id.it.replace('_', " "));
    Some(RawField { id, label, note, accepts, default, count })
}

fn unknown_key(id: &Located<String>, key: &Located<String>, known: &[&str], keys: &Keys<'_>) {
    let message = format!("`{}` has no key `{}`", shown(&id.it), shown(&key.it));
    keys.faults().add(&key.at, message, crate::tree::suggestion(&key.it, known.iter().copied()));
}

/// The words of `choice = { id = "Label" }` or `choice = ["a", "b"]`.
pub(crate) fn choice_words(keys: &Keys<'_>) -> Vec<ChoiceWord> {
    let Some(found) = keys.take("choice") else { return Vec::new() };
    let mut words: Vec<ChoiceWord> = Vec::new();
    match found.it {
        DeValue::Table(table) => {
            for (id, label) in table.iter() {
                let text = text_of(label.get_ref()).unwrap_or_default();
                crate::tree::clean(&text, &crate::tree::Place { file: found.at.file, span: label.span() }, keys.faults());
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
            let message = format!("`choice` is {}, but its words should stand here", crate::tree::kind(other));
            keys.faults().add(&found.at, message, "write choice = { ap = \"AP\", he = \"HE\" }");
            return words;
        }
    }
    if let Some(number) = words.iter().find(|w| w.id.parse::<Number>().is_ok()) {
        let message = format!("the word `{}` of a choice would be taken for a number", number.id);
        keys.faults().add(&found.at, message, "give it a letter: d1, or make it a number");
    }
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if let Some(bad) = words.iter().find(|w| w.id.is_empty() || !w.id.chars().all(good)) {
        let message = format!("the choice `{}` is not written in small letters, digits and hyphens", shown(&bad.id));
        keys.faults().add(&found.at, message, "write choice = { short-name = \"What is shown\" }");
    }
    if words.len() < 2 || words.len() > 100 {
        keys.faults().add(
            &found.at,
            format!("a choice has {} words", words.len()),
            "a choice has 2 to 100: choice = { ap = \"AP\", he = \"HE\" }",
        );
    }
    words
}

fn number_range(keys: &Keys<'_>, id: &Located<String>) -> Accepts {
    let from = keys.number("from").map_or(Number::from(-REACH), |n| n.it);
    let to = keys.number("to").map_or(Number::from(REACH), |n| n.it);
    let step = keys.number("step").map_or(Number::ONE, |n| n.it);
    if from > to {
        keys.faults().add(&keys.at, format!("`{}` goes from {from} to {to}", shown(&id.it)), "from must not be above to");
    }
    if step <= Number::ZERO {
        keys.faults().add(
            &keys.at,
            format!("`{}` goes in steps of {step}", shown(&id.it)),
            "a step is above zero: 1, or \"1/2\" for halves",
        );
        return Accepts::Number { from, to, step: Number::ONE };
    }
    Accepts::Number { from, to, step }
}

/// A TOML value as an answer to what is accepted.
pub(crate) fn read_value(value: &DeValue<'_>, accepts: &Accepts) -> Option<Answer> {
    let answer = match (accepts, value) {
        (Accepts::YesNo, DeValue::Boolean(yes)) => Answer::YesNo(*yes),
        (Accepts::Number { .. }, _) => Answer::Number(number_of(value)?),
        (_, DeValue::String(text)) => accepts.read(text).ok()?,
        _ => return None,
    };
    accepts.holds(&answer).then_some(answer)
}
