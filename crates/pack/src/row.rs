//! Rows in words. Every resolution names the row it read, so the text is made once, with the pack.

use crate::chart::{Band, Row};
use crate::expr::Formula;
use crate::ids::{Id, RowId};
use crate::value::Words;
use adjutant_dice::Number;

/// The text for a row that always applies.
pub const ALWAYS: &str = "always";

/// The condition of a row as the player reads it: `3 to 4`, `5 or more`, its label, or its number.
pub(crate) fn row_in_words(words: &Words, row: &Row, place: RowId) -> String {
    let said = [&row.text, &row.label].into_iter().find(|said| !said.is_empty());
    match said {
        Some(said) => on_page(row, said.to_string()),
        None => condition_in_words(words, row, place),
    }
}

/// The condition of a row without regard to its label.
pub fn condition_in_words(words: &Words, row: &Row, place: RowId) -> String {
    on_page(row, own_condition(words, row, place))
}

fn own_condition(words: &Words, row: &Row, place: RowId) -> String {
    if let Some(word) = row.is_word {
        return words.text(word).to_owned();
    }
    if let Some(ends) = row.ends_in_words(&|formula| formula.text.to_string()) {
        return ends;
    }
    match &row.own_when {
        Some(when) => when.text.to_string(),
        None if place.index() > 0 => "otherwise".to_owned(),
        None => ALWAYS.to_owned(),
    }
}

fn on_page(row: &Row, text: String) -> String {
    match &row.page {
        Some(page) => format!("{page}: {text}"),
        None => text,
    }
}

impl Row {
    /// The scores of the row, with the ends that are worked out in the caller's words. None if it
    /// is for any score.
    pub fn ends_in_words(&self, say: &dyn Fn(&Formula) -> String) -> Option<String> {
        let number = |end: Option<(Number, bool)>| end.map(|(n, belongs)| (n.to_string(), belongs));
        let worked_out = |end: &Option<(Formula, bool)>| {
            end.as_ref().map(|(formula, belongs)| (say(formula), *belongs))
        };
        let from = worked_out(&self.limits.from).or(number(self.band.and_then(|band| band.from)));
        let to = worked_out(&self.limits.to).or(number(self.band.and_then(|band| band.to)));
        (from.is_some() || to.is_some()).then(|| ends_in_words(from, to))
    }
}

/// A band as players write it.
pub fn band_in_words(band: Band) -> String {
    let text = |end: Option<(Number, bool)>| end.map(|(n, belongs)| (n.to_string(), belongs));
    ends_in_words(text(band.from), text(band.to))
}

fn ends_in_words(from: Option<(String, bool)>, to: Option<(String, bool)>) -> String {
    match (from, to) {
        (None, None) => "any".into(),
        (None, Some((n, true))) => format!("{n} or less"),
        (None, Some((n, false))) => format!("less than {n}"),
        (Some((n, true)), None) => format!("{n} or more"),
        (Some((n, false)), None) => format!("more than {n}"),
        (Some((a, true)), Some((b, true))) if a == b => a,
        (Some((a, true)), Some((b, true))) => format!("{a} to {b}"),
        (Some((a, true)), Some((b, false))) => format!("{a} to less than {b}"),
        (Some((a, false)), Some((b, true))) => format!("more than {a}, to {b}"),
        (Some((a, false)), Some((b, false))) => format!("more than {a}, less than {b}"),
    }
}
