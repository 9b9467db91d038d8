//! Values by a word: `armour = { number = "Armour", by = … }` is a value for each word of the
//! list or for each result of the chart `part`. Each becomes an attribute of its own, called
//! `armour_head`; `armour[…]` in an expression picks one of them.

use super::field::RawField;
use super::{RawKind, RawPack, RawRead, RawRows};
use crate::check::table_cells;
use crate::files::Files;
use crate::problem::FieldProblem;
use crate::text::clip;
use crate::tree::{Diagnostics, Keys, Located};
use crate::unknown_name::Noun;
use adjutant_dice::Answer;
use toml::de::DeValue;

/// What a value is kept by.
pub(crate) enum RawBy {
    /// The name of a list or a chart.
    Named(Located<String>),
    /// Words with their titles.
    Words(Vec<(String, String)>),
}

/// A value by a word, after its attributes were made.
pub(crate) struct RawKeyed {
    pub id: String,
    pub label: String,
    /// The words, each with the attribute that holds its value.
    pub words: Vec<(String, String)>,
}

/// Reads `by`.
pub(super) fn read_by(keys: &Keys<'_>) -> Option<RawBy> {
    let found = keys.take("by")?;
    match found.it {
        DeValue::String(name) => {
            Some(RawBy::Named(Located { it: name.as_ref().to_owned(), at: found.at }))
        }
        DeValue::Array(list) => {
            let words = list.iter().filter_map(|word| word.get_ref().as_str());
            let words: Vec<(String, String)> =
                words.map(|word| (word.to_owned(), word.replace(['_', '-'], " "))).collect();
            if words.len() != list.len() || words.is_empty() {
                keys.faults().add(&found.at, FieldProblem::BadBy);
                return None;
            }
            Some(RawBy::Words(words))
        }
        DeValue::Table(table) => {
            let words = table.iter().filter_map(|(word, title)| {
                Some((word.get_ref().to_string(), title.get_ref().as_str()?.to_owned()))
            });
            let words: Vec<(String, String)> = words.collect();
            if words.len() != table.len() || words.is_empty() {
                keys.faults().add(&found.at, FieldProblem::BadBy);
                return None;
            }
            Some(RawBy::Words(words))
        }
        _ => {
            keys.faults().add(&found.at, FieldProblem::BadBy);
            None
        }
    }
}

/// Makes an attribute for each word.
pub(super) fn expand(pack: &mut RawPack, files: &Files, faults: &Diagnostics) {
    let mut kinds = std::mem::take(&mut pack.kinds);
    for kind in kinds.iter_mut() {
        let has = std::mem::take(&mut kind.has);
        for mut field in has {
            match field.by.take() {
                None => kind.has.push(field),
                Some(by) => {
                    if let Some(words) = words_of(pack, by, files, faults) {
                        expand_one(kind, field, words, faults);
                    }
                }
            }
        }
    }
    pack.kinds = kinds;
}

fn expand_one(
    kind: &mut RawKind,
    field: RawField,
    words: Vec<(String, String)>,
    faults: &Diagnostics,
) {
    for (word, _) in &field.defaults {
        if !words.iter().any(|(known, _)| *known == word.it) {
            let known = words.iter().map(|(word, _)| word.as_str());
            faults.unknown(&word.at, Noun::Key, &word.it, known);
        }
    }
    let mut keyed =
        RawKeyed { id: field.id.it.clone(), label: field.label.clone(), words: Vec::new() };
    for (word, title) in words {
        let id = crate::by_word(&field.id.it, &word);
        let own = field.defaults.iter().find(|(known, _)| known.it == word);
        let own: Option<Answer> = own.map(|(_, answer)| answer.clone());
        let short = field.short.as_ref().map(|short| Located {
            it: format!("{} {title}", short.it).trim().to_owned(),
            at: short.at.clone(),
        });
        let bare = |short: &Located<String>| Located { it: title.clone(), at: short.at.clone() };
        let fits = |short: &Located<String>| short.it.chars().count() <= crate::look::LONGEST_SHORT;
        let short = short.map(|short| if fits(&short) { short } else { bare(&short) });
        kind.has.push(RawField {
            id: Located { it: id.clone(), at: field.id.at.clone() },
            label: format!("{}, {title}", field.label),
            note: field.note.clone(),
            accepts: field.accepts.clone(),
            default: own.or_else(|| field.default.clone()),
            count: None,
            short: short.filter(fits),
            on_card: field.on_card,
            symbols: Vec::new(),
            shorts: Vec::new(),
            per: None,
            by: None,
            defaults: Vec::new(),
        });
        keyed.words.push((word, id));
    }
    kind.keyed.push(keyed);
}

/// The words of a list or a chart, with their titles.
fn words_of(
    pack: &RawPack,
    by: RawBy,
    files: &Files,
    faults: &Diagnostics,
) -> Option<Vec<(String, String)>> {
    let name = match by {
        RawBy::Words(words) => return Some(words),
        RawBy::Named(name) => name,
    };
    if let Some(list) = pack.lists.iter().find(|list| list.id.it == name.it) {
        let words = list.words.iter().map(|word| {
            let title = word.title.as_ref().unwrap_or(&word.word.it);
            (word.word.it.clone(), title.clone())
        });
        return Some(words.collect());
    }
    let Some(chart) = pack.charts.iter().find(|chart| chart.id.it == name.it) else {
        let lists = pack.lists.iter().map(|list| list.id.it.as_str());
        let charts = pack.charts.iter().map(|chart| chart.id.it.as_str());
        faults.unknown(&name.at, Noun::List, &name.it, lists.chain(charts));
        return None;
    };
    let mut words: Vec<(String, String)> = Vec::new();
    for result in chart.read.iter().flat_map(|read| results_of(pack, read, files)) {
        if !words.iter().any(|(known, _)| *known == result) {
            let known = pack.results.iter().find(|known| known.id.it == result);
            let title = known.map_or(&result, |known| &known.title).clone();
            words.push((result, title));
        }
    }
    if words.is_empty() {
        faults.add(&name.at, FieldProblem::ByWithoutResults { chart: clip(&name.it) });
        return None;
    }
    Some(words)
}

/// The results in the rows of a chart, in order.
fn results_of(pack: &RawPack, read: &RawRead, files: &Files) -> Vec<String> {
    match &read.rows {
        Some(RawRows::Inline(rows)) => {
            let cells = rows.iter().flat_map(|row| &row.cells);
            cells.filter_map(|(_, cell)| Some(cell.result.as_ref()?.it.clone())).collect()
        }
        Some(RawRows::File(file)) => {
            let lead = 1 + usize::from(read.page.is_some());
            let result = |cell: &str| {
                let code = read.codes.iter().find(|(code, _)| code.it == cell);
                let known = pack.results.iter().any(|known| known.id.it == cell);
                match code {
                    Some((_, cell)) => Some(cell.result.as_ref()?.it.clone()),
                    None => known.then(|| cell.to_owned()),
                }
            };
            let found = table_cells(files, &file.it, lead).into_iter().filter_map(|cell| {
                result(&cell).or_else(|| result(crate::check::without_number(&cell)?))
            });
            found.collect()
        }
        None => Vec::new(),
    }
}
