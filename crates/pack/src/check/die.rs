//! Checks the dice and the lists of a pack.

use super::vocabulary::{check_name, is_name};
use crate::die::{Die, DieFace, ListWord, WordList};
use crate::problem::{DieProblem, NameProblem};
use crate::raw::{RawDie, RawFaces, RawList, RawWord};
use crate::text::clip;
use crate::tree::{Diagnostics, Located};
use crate::value::{Value, Word, Words};
use adjutant_dice::{Number, Text};

pub(super) fn die(raw: &RawDie, words: &mut Words, faults: &Diagnostics) -> Die {
    check_name(&raw.id, faults);
    let values: Vec<(Text, Value)> = match &raw.faces {
        RawFaces::Numbers(numbers) => {
            numbers.iter().map(|n| (n.to_string().into(), Value::Number(*n))).collect()
        }
        RawFaces::Words(list) => list
            .iter()
            .map(|word| {
                check_word(word, faults);
                (word.text(), Value::Word(words.intern(&word.it)))
            })
            .collect(),
    };
    for face in &raw.face {
        if !values.iter().any(|(name, _)| *name == face.word.it) {
            let mut known: Vec<Text> = values.iter().map(|(name, _)| name.clone()).collect();
            known.dedup();
            let (die, face_name) = (raw.id.clip(), face.word.clip());
            faults.add(&face.word.at, DieProblem::UnknownFace { die, face: face_name, known });
        }
    }
    let title = |name: &Text, told: Option<&RawWord>| match told.and_then(|face| face.title.clone())
    {
        Some(title) => title.into(),
        None => crate::text::capital(&name.as_str().replace(['-', '_'], " ")).into(),
    };
    let faces = values
        .iter()
        .map(|(name, value)| {
            let told = raw.face.iter().find(|face| *name == face.word.it);
            DieFace {
                value: *value,
                title: title(name, told),
                symbol: told.map(|face| face.symbol.as_str().into()).unwrap_or_default(),
                fields: told.map(|face| fields(face, words, faults)).unwrap_or_default(),
            }
        })
        .collect();
    let own =
        if raw.title.is_empty() { super::names::titled(&raw.id.it) } else { raw.title.clone() };
    Die {
        id: raw.id.text(),
        title: own.into(),
        faces,
        names: values.into_iter().map(|(name, _)| name).collect(),
    }
}

pub(super) fn list(raw: &RawList, words: &mut Words, faults: &Diagnostics) -> WordList {
    check_name(&raw.id, faults);
    if raw.words.is_empty() || raw.words.len() > 100 {
        let (list, found) = (raw.id.clip(), raw.words.len());
        faults.add(&raw.id.at, DieProblem::ListWords { list, found });
    }
    let one = |word: &RawWord, words: &mut Words| {
        check_word(&word.word, faults);
        ListWord {
            word: words.intern(&word.word.it),
            title: word.title.as_ref().unwrap_or(&word.word.it).as_str().into(),
            fields: fields(word, words, faults),
        }
    };
    WordList { id: raw.id.text(), words: raw.words.iter().map(|word| one(word, words)).collect() }
}

fn fields(raw: &RawWord, words: &mut Words, faults: &Diagnostics) -> Vec<(Word, Number)> {
    raw.fields
        .iter()
        .map(|(name, n)| {
            if !is_name(&name.it) {
                faults.add(&name.at, NameProblem::NotAName { name: name.clip() });
            }
            (words.intern(&name.it), *n)
        })
        .collect()
}

fn check_word(word: &Located<String>, faults: &Diagnostics) {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if word.it.is_empty() || !word.it.chars().all(good) {
        faults.add(&word.at, NameProblem::NotAWord { word: clip(&word.it) });
    } else if word.it.parse::<Number>().is_ok() {
        faults.add(&word.at, NameProblem::WordIsNumber { word: word.text() });
    }
}
