//! Checks how bad results and statuses are, the symbols of units, and short labels.

use crate::look::{AttributeLook, Harm, LONGEST_SHORT, Sign, Symbol, is_meant_as_path, is_path};
use crate::problem::FieldProblem;
use crate::raw::RawField;
use crate::tree::{Diagnostics, Located};
use crate::unknown_name::Noun;
use crate::value::{Word, Words};
use adjutant_dice::{Number, Text};

pub(super) fn harm(raw: Option<&Located<Number>>, faults: &Diagnostics) -> Option<Harm> {
    let raw = raw?;
    let level = raw.it.as_whole().and_then(|level| usize::try_from(level).ok());
    let found = level.and_then(|level| Harm::ALL.get(level).copied());
    if found.is_none() {
        faults.add(&raw.at, FieldProblem::Harm { found: raw.it });
    }
    found
}

pub(super) fn symbol(raw: Option<&Located<String>>, faults: &Diagnostics) -> Option<Symbol> {
    let raw = raw?;
    if let Some(sign) = Sign::read(&raw.it) {
        return Some(Symbol::Named(sign));
    }
    if !is_meant_as_path(&raw.it) {
        faults.unknown(&raw.at, Noun::Symbol, &raw.it, Sign::ALL.map(Sign::name));
        return None;
    }
    if !is_path(&raw.it) {
        faults.add(&raw.at, FieldProblem::SymbolPath { found: raw.clip() });
        return None;
    }
    Some(Symbol::Path(raw.text()))
}

/// What a table of a field says about each word of its choice.
fn by_word<T>(
    field: &RawField,
    table: &[(Located<String>, Located<String>)],
    words: &mut Words,
    faults: &Diagnostics,
    read: impl Fn(&Located<String>) -> Option<T>,
) -> Vec<(Word, T)> {
    let known = field.accepts.words().unwrap_or_default();
    let mut found = Vec::new();
    for (word, value) in table {
        if !known.iter().any(|known| known.id == word.it) {
            let known = known.iter().map(|known| known.id.as_str());
            faults.unknown(&word.at, Noun::WordOf(field.id.text()), &word.it, known);
            continue;
        }
        let word = words.intern(&word.it);
        found.extend(read(value).map(|value| (word, value)));
    }
    found
}

/// A label of a few letters.
fn short(raw: &Located<String>, faults: &Diagnostics) -> Option<Text> {
    let length = raw.it.trim().chars().count();
    if length == 0 || length > LONGEST_SHORT {
        faults.add(&raw.at, FieldProblem::ShortLength { found: length });
        return None;
    }
    Some(raw.text())
}

/// The looks of the attributes of one kind of unit. No two have the same short label.
pub(super) fn attributes(
    has: &[RawField],
    words: &mut Words,
    faults: &Diagnostics,
) -> Vec<AttributeLook> {
    for (place, short) in has.iter().map(|field| field.short.as_ref()).enumerate() {
        let Some(short) = short else { continue };
        self::short(short, faults);
        let same = |other: &RawField| other.short.as_ref().is_some_and(|it| it.it == short.it);
        if has[..place].iter().any(same) {
            faults.add(&short.at, FieldProblem::ShortTaken { short: short.clip() });
        }
    }
    let look = |field: &RawField| AttributeLook {
        short: field.short.as_ref().map(Located::text).unwrap_or_default(),
        on_card: field.on_card,
        symbols: by_word(field, &field.symbols, words, faults, |raw| symbol(Some(raw), faults)),
        shorts: by_word(field, &field.shorts, words, faults, |raw| short(raw, faults)),
    };
    has.iter().map(look).collect()
}
