//! Ids made of printed words.

use std::collections::BTreeSet;

/// The character between the words of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Charts, results, phases, words of a choice.
    Hyphen,
    /// Questions and steps, which expressions use.
    Underscore,
}

/// Names that expressions and rows use themselves.
const TAKEN: [&str; 36] = [
    "yes", "no", "true", "false", "and", "or", "not", "if", "min", "max", "floor", "ceil", "abs",
    "option", "memory", "it", "other", "cell", "in", "list", "nth", "from", "to", "below", "above",
    "is", "when", "label", "text", "on", "reading", "effects", "next", "all", "none", "score",
];

/// Words that say little.
const SMALL: [&str; 3] = ["the", "a", "an"];

/// An id of at most four words. `otherwise` is used if the text has no letters or figures.
pub(crate) fn slug(text: &str, style: Style, otherwise: &str) -> String {
    let plain: String = text.chars().map(ascii).collect();
    let plain = match plain.trim_start().chars().next() {
        Some('<') => format!("under {plain}"),
        Some('>') => format!("over {plain}"),
        _ => plain,
    };
    let words: Vec<String> = plain
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '\'')
        .map(|word| word.replace('\'', "").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let telling: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !SMALL.contains(word)).collect();
    let chosen =
        if telling.is_empty() { words.iter().map(String::as_str).collect() } else { telling };
    let mark = if style == Style::Hyphen { "-" } else { "_" };
    let mut id: String =
        chosen.into_iter().take(4).collect::<Vec<_>>().join(mark).chars().take(40).collect();
    id = id.trim_end_matches(['-', '_']).to_owned();
    if id.is_empty() {
        id = otherwise.to_owned();
    }
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        id = format!("d{id}");
    }
    if TAKEN.contains(&id.as_str()) {
        id = format!("{id}{mark}{}", if style == Style::Hyphen { "row" } else { "value" });
    }
    id
}

/// A text in capitals as a title: "ANTI-TANK FIRE" is "Anti-Tank Fire". Abbreviations stay.
pub(crate) fn title_case(text: &str) -> String {
    const JOINTS: [&str; 16] = [
        "of", "the", "and", "in", "on", "to", "a", "an", "at", "by", "for", "or", "from", "with",
        "vs", "as",
    ];
    const ABBREVIATIONS: [&str; 14] = [
        "AFV", "AFVS", "PEF", "PEFS", "LOS", "IFT", "ATGM", "USA", "USSR", "RAF", "MMG", "SMG",
        "AA", "III",
    ];
    let mut shown = String::new();
    let mut first = true;
    for part in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        let rest = &part[word.len()..];
        let lower = word.to_lowercase();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let short = letters <= 2 && !["my", "no", "go", "up", "is", "we"].contains(&lower.as_str());
        let vowels = lower.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        let kept = word.chars().any(|c| c.is_ascii_digit())
            || ABBREVIATIONS.contains(&word)
            || (letters <= 4 && !vowels);
        match () {
            () if JOINTS.contains(&lower.as_str()) && !first => shown.push_str(&lower),
            () if kept || (short && !JOINTS.contains(&lower.as_str())) => shown.push_str(word),
            () => shown.push_str(&crate::capital(&lower)),
        }
        shown.push_str(rest);
        first &= word.is_empty();
    }
    shown
}

fn ascii(c: char) -> char {
    match c {
        'à'..='å' | 'À'..='Å' => 'a',
        'è'..='ë' | 'È'..='Ë' => 'e',
        'ì'..='ï' | 'Ì'..='Ï' => 'i',
        'ò'..='ö' | 'Ò'..='Ö' => 'o',
        'ù'..='ü' | 'Ù'..='Ü' => 'u',
        'ç' | 'Ç' => 'c',
        'ñ' | 'Ñ' => 'n',
        '’' | '‘' => '\'',
        c => c,
    }
}

/// Ids of one place, each used once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    used: BTreeSet<String>,
    /// The next number of an id that is taken.
    next: std::collections::BTreeMap<String, usize>,
}

impl Ids {
    pub fn with(taken: &[&str]) -> Ids {
        Ids { used: taken.iter().map(|id| (*id).to_owned()).collect(), ..Ids::default() }
    }

    /// The id, or on a clash the id with a prefix, or with a number.
    pub fn take(&mut self, id: String, prefix: Option<&str>, style: Style) -> String {
        let mark = if style == Style::Hyphen { '-' } else { '_' };
        if self.used.insert(id.clone()) {
            return id;
        }
        if let Some(prefix) = prefix.filter(|p| !p.is_empty()) {
            let longer: String = format!("{prefix}{mark}{id}").chars().take(60).collect();
            if self.used.insert(longer.clone()) {
                return longer;
            }
        }
        let number = self.next.entry(id.clone()).or_insert(2);
        loop {
            let next = format!("{}{mark}{number}", id.chars().take(56).collect::<String>());
            if self.used.insert(next.clone()) {
                return next;
            }
            *number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_in_capitals_become_titles() {
        for (text, shown) in [
            ("ANTI-TANK FIRE", "Anti-Tank Fire"),
            ("TO HIT", "To Hit"),
            ("KING'S MEN OF THE WEST", "King's Men of the West"),
            ("CRT", "CRT"),
            ("HE FIRE (MG)", "HE Fire (MG)"),
            ("PEF MOVES", "PEF Moves"),
            ("WORLD WAR II", "World War II"),
        ] {
            assert_eq!(title_case(text), shown);
        }
    }

    #[test]
    fn ids_come_from_the_printed_words() {
        for (text, style, id) in [
            ("Target is in soft cover", Style::Underscore, "target_is_in_soft"),
            ("The Firer moved", Style::Underscore, "firer_moved"),
            ("Out Of Action", Style::Hyphen, "out-of-action"),
            ("1", Style::Hyphen, "d1"),
            ("All", Style::Hyphen, "all-row"),
            ("–", Style::Hyphen, "nothing"),
            ("Défaite", Style::Hyphen, "defaite"),
        ] {
            assert_eq!(slug(text, style, "nothing"), id, "{text}");
        }
        let mut ids = Ids::default();
        assert_eq!(ids.take("cover".into(), Some("target"), Style::Underscore), "cover");
        assert_eq!(ids.take("cover".into(), Some("target"), Style::Underscore), "target_cover");
        assert_eq!(ids.take("cover".into(), Some("target"), Style::Underscore), "cover_2");
    }
}
