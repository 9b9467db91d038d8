//! Headings of rows and columns as sheets print them: `6-8`, `12+`, `<=3`, `3:1`.

use crate::chart::Band;
use adjutant_dice::Number;

/// A heading that stands for numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Heading {
    Band(Band),
    /// Odds: this ratio or better, up to the next one of the table.
    Ratio(Number),
}

/// The numbers of a heading. None if it is a word.
pub(crate) fn read(text: &str) -> Option<Heading> {
    let text = text.trim();
    if let Ok(n) = text.parse() {
        return Some(band(Some((n, true)), Some((n, true))));
    }
    if let Some((us, them)) = text.split_once(':') {
        let (us, them): (Number, Number) = (us.parse().ok()?, them.parse().ok()?);
        return us.over(them).ok().filter(|_| them > Number::ZERO).map(Heading::Ratio);
    }
    let sign = |signs: &[&str]| signs.iter().find_map(|sign| text.strip_prefix(sign)?.parse().ok());
    if let Some(n) = sign(&["<=", "≤"]) {
        return Some(band(None, Some((n, true))));
    }
    if let Some(n) = sign(&[">=", "≥"]) {
        return Some(band(Some((n, true)), None));
    }
    if let Some(n) = sign(&["<"]) {
        return Some(band(None, Some((n, false))));
    }
    if let Some(n) = sign(&[">"]) {
        return Some(band(Some((n, false)), None));
    }
    if let Some(n) = text.strip_suffix('+').and_then(|n| n.parse().ok()) {
        return Some(band(Some((n, true)), None));
    }
    // The first sign may belong to the first number: `-2-0`.
    text.char_indices().skip(1).filter(|(_, sign)| ['-', '–', '…'].contains(sign)).find_map(
        |(at, sign)| {
            let (from, to) = (text[..at].parse().ok()?, text[at + sign.len_utf8()..].parse().ok()?);
            Some(band(Some((from, true)), Some((to, true))))
        },
    )
}

fn band(from: Option<(Number, bool)>, to: Option<(Number, bool)>) -> Heading {
    Heading::Band(Band { from, to })
}

/// The bands of all headings of a table. Odds end where the next better ones start. A heading that
/// is a word has none.
pub(crate) fn bands(headings: &[Option<Heading>]) -> Vec<Option<Band>> {
    let mut ratios: Vec<Number> = headings
        .iter()
        .filter_map(|heading| match heading {
            Some(Heading::Ratio(n)) => Some(*n),
            _ => None,
        })
        .collect();
    adjutant_dice::sort(&mut ratios);
    let band = |heading: &Option<Heading>| match (*heading)? {
        Heading::Band(band) => Some(band),
        Heading::Ratio(n) => {
            let to = ratios.iter().find(|other| **other > n).map(|n| (*n, false));
            Some(Band { from: Some((n, true)), to })
        }
    };
    headings.iter().map(band).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    fn said(text: &str) -> String {
        match read(text) {
            Some(Heading::Band(band)) => crate::row::band_in_words(band),
            Some(Heading::Ratio(n)) => format!("odds {n}"),
            None => "a word".into(),
        }
    }

    #[test]
    fn headings_are_read_as_sheets_print_them() {
        let known = [
            ("7", "7"),
            ("-1", "-1"),
            ("6-8", "6 to 8"),
            ("6–8", "6 to 8"),
            ("-2-0", "-2 to 0"),
            ("-3--1", "-3 to -1"),
            ("12+", "12 or more"),
            (">=12", "12 or more"),
            ("≥ 12", "12 or more"),
            (">12", "more than 12"),
            ("<=3", "3 or less"),
            ("≤3", "3 or less"),
            ("<3", "less than 3"),
            ("3:1", "odds 3"),
            ("1:2", "odds 1/2"),
            ("1:0", "a word"),
            ("wood", "a word"),
            ("semi-open", "a word"),
            ("", "a word"),
        ];
        for (text, meaning) in known {
            assert_eq!(said(text), meaning, "{text}");
        }
    }

    #[test]
    fn odds_end_where_better_odds_start() {
        let found = bands(&[read("2:1"), read("1:2"), read("1:1")]);
        let said: Vec<String> =
            found.into_iter().map(|band| crate::row::band_in_words(band.unwrap())).collect();
        assert_eq!(said, ["2 or more", "1/2 to less than 1", "1 to less than 2"]);
    }
}
