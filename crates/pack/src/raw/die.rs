//! The raw form of dice and lists: names with number fields.

use super::each;
use crate::format;
use crate::problem::{DieProblem, Owner};
use crate::text::clip;
use crate::tree::{Keys, Located, Place, number_of, text_of};
use adjutant_dice::Number;
use toml::de::DeValue;

pub(crate) struct RawDie {
    pub id: Located<String>,
    pub title: String,
    pub faces: RawFaces,
    pub face: Vec<RawWord>,
}

pub(crate) enum RawFaces {
    Words(Vec<Located<String>>),
    Numbers(Vec<Number>),
}

pub(crate) struct RawList {
    pub id: Located<String>,
    pub words: Vec<RawWord>,
}

/// A word with its title and its number fields.
pub(crate) struct RawWord {
    pub word: Located<String>,
    pub title: Option<String>,
    pub symbol: String,
    pub fields: Vec<(Located<String>, Number)>,
}

/// The most faces of a die that a pack defines.
const MOST_FACES: usize = 100;

pub(super) fn read_die(id: Located<String>, keys: Keys<'_>) -> Option<RawDie> {
    let title = keys.text_or_empty("title");
    let faces = read_faces(&keys, &id);
    let owner = Owner::Section(format!("die.{}.face", clip(&id.it)).into());
    let face = keys.table("face", owner).map(|inner| read_words(&inner)).unwrap_or_default();
    keys.done(format::Die::KEYS);
    Some(RawDie { title, faces: faces?, face, id })
}

fn read_faces(keys: &Keys<'_>, id: &Located<String>) -> Option<RawFaces> {
    let Some(found) = keys.take("faces") else {
        keys.faults().add(&keys.at, DieProblem::NoFaces { die: id.clip() });
        return None;
    };
    let wrong = |at: &Place| {
        keys.faults().add(at, DieProblem::BadFaces { die: id.clip() });
        None
    };
    let faces = match found.it {
        DeValue::String(text) => match range(text) {
            Some(numbers) => RawFaces::Numbers(numbers),
            None => return wrong(&found.at),
        },
        DeValue::Array(list) => {
            let place = |span| Place { file: found.at.file.clone(), span };
            let number = |value: &DeValue<'_>| match value {
                DeValue::String(_) => None,
                other => number_of(other),
            };
            let numbers: Vec<Number> =
                list.iter().filter_map(|item| number(item.get_ref())).collect();
            let words: Vec<Located<String>> = list
                .iter()
                .filter_map(|item| {
                    Some(Located { it: text_of(item.get_ref())?, at: place(item.span()) })
                })
                .collect();
            match (numbers.len(), words.len()) {
                (0, n) if n == list.len() => RawFaces::Words(words),
                (n, 0) if n == list.len() => RawFaces::Numbers(numbers),
                _ => return wrong(&found.at),
            }
        }
        _ => return wrong(&found.at),
    };
    let count = match &faces {
        RawFaces::Words(words) => words.len(),
        RawFaces::Numbers(numbers) => numbers.len(),
    };
    if !(2..=MOST_FACES).contains(&count) {
        let problem = DieProblem::FaceCount { die: id.clip(), found: count, most: MOST_FACES };
        keys.faults().add(&found.at, problem);
        return None;
    }
    Some(faces)
}

/// The numbers of `0-9`.
fn range(text: &str) -> Option<Vec<Number>> {
    let (from, to) = text.split_once('-')?;
    let (from, to) = (from.trim().parse::<u32>().ok()?, to.trim().parse::<u32>().ok()?);
    (from < to && to <= 1000).then(|| (from..=to).map(Number::from).collect())
}

pub(super) fn read_lists(top: &Keys<'_>) -> Vec<RawList> {
    let Some(section) = top.table("list", Owner::Section("list".into())) else { return Vec::new() };
    let mut lists = Vec::new();
    for (id, value) in section.rest() {
        let owner = Owner::Section(format!("list.{}", clip(&id.it)).into());
        let words = match value.it {
            DeValue::Array(list) => list
                .iter()
                .filter_map(|item| {
                    let at = Place { file: value.at.file.clone(), span: item.span() };
                    let word = Located { it: text_of(item.get_ref())?, at };
                    Some(RawWord { word, title: None, symbol: String::new(), fields: Vec::new() })
                })
                .collect(),
            _ => match section.keys_of(&value, &id.it, owner) {
                Some(inner) => read_words(&inner),
                None => continue,
            },
        };
        lists.push(RawList { id, words });
    }
    lists
}

/// Words, each with a title, or with a title, a symbol and numbers.
fn read_words(keys: &Keys<'_>) -> Vec<RawWord> {
    let mut found = Vec::new();
    for (word, value) in keys.rest() {
        if let Some(title) = text_of(value.it) {
            crate::tree::clean(&title, &value.at, keys.faults());
            let (title, symbol) = (Some(title), String::new());
            found.push(RawWord { word, title, symbol, fields: Vec::new() });
            continue;
        }
        let owner = Owner::Named(word.clip());
        let Some(inner) = keys.keys_of(&value, &word.it, owner) else { continue };
        let title = inner.text("title").map(|title| title.it);
        let symbol = inner.text_or_empty("symbol");
        inner.asked_for(format::ListWord::KEYS);
        let fields = inner
            .rest()
            .into_iter()
            .filter_map(|(name, value)| match number_of(value.it) {
                Some(n) => Some((name, n)),
                None => {
                    inner
                        .faults()
                        .add(&value.at, DieProblem::FieldNotANumber { field: name.clip() });
                    None
                }
            })
            .collect();
        found.push(RawWord { word, title, symbol, fields });
    }
    found
}

pub(super) fn read_dice(top: &Keys<'_>) -> Vec<RawDie> {
    each(top, "die").filter_map(|(id, keys)| read_die(id, keys)).collect()
}
