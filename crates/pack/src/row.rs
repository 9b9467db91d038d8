//! Rows in words. Every resolution names the row it read, so the text is made once, with the pack.

use crate::chart::{Band, Row};
use crate::ids::{Id, RowId};
use crate::value::Words;

/// The text for a row that always applies.
pub const ALWAYS: &str = "always";

/// The condition of a row as the player reads it: `3 to 4`, `5 or more`, its label, or its number.
pub(crate) fn row_in_words(words: &Words, row: &Row, place: RowId) -> String {
    [&row.text, &row.label]
        .into_iter()
        .find(|said| !said.is_empty())
        .map_or_else(|| condition_in_words(words, row, place), ToString::to_string)
}

/// The condition of a row without regard to its label.
pub fn condition_in_words(words: &Words, row: &Row, place: RowId) -> String {
    if let Some(word) = row.is_word {
        return words.text(word).to_owned();
    }
    if let Some(band) = row.band.filter(|band| band.from.is_some() || band.to.is_some()) {
        return band_in_words(band);
    }
    match &row.when {
        Some(when) => when.text.to_string(),
        None if place.index() > 0 => "otherwise".to_owned(),
        None => ALWAYS.to_owned(),
    }
}

/// A band as players write it.
pub fn band_in_words(band: Band) -> String {
    match (band.from, band.to) {
        (None, None) => "any".into(),
        (None, Some((n, true))) => format!("{n} or less"),
        (None, Some((n, false))) => format!("less than {n}"),
        (Some((n, true)), None) => format!("{n} or more"),
        (Some((n, false)), None) => format!("more than {n}"),
        (Some((a, true)), Some((b, true))) if a == b => a.to_string(),
        (Some((a, true)), Some((b, true))) => format!("{a} to {b}"),
        (Some((a, true)), Some((b, false))) => format!("{a} to less than {b}"),
        (Some((a, false)), Some((b, true))) => format!("more than {a}, to {b}"),
        (Some((a, false)), Some((b, false))) => format!("more than {a}, less than {b}"),
    }
}
