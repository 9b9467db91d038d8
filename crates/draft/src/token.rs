//! Printed text as tokens. Dashes, quotes and blanks are folded to one form, character by character,
//! so that a position in the tokens is a position in the printed text.

use crate::num::Num;

/// A word, a number or a sign, with its place in characters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub it: Tok,
    pub start: usize,
    pub end: usize,
    /// The English word for a word of another language.
    means: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tok {
    /// A number without sign; `padded` if it has a leading zero.
    Num {
        value: Num,
        padded: bool,
    },
    Word(String),
    Sign(char),
}

impl Token {
    pub fn num(&self) -> Option<Num> {
        match &self.it {
            Tok::Num { value, .. } => Some(*value),
            _ => None,
        }
    }

    pub fn word(&self) -> Option<&str> {
        match &self.it {
            Tok::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is(&self, word: &str) -> bool {
        self.word().is_some_and(|known| known.eq_ignore_ascii_case(word))
            || self.means == Some(word)
    }

    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    pub fn sign(&self, sign: char) -> bool {
        self.it == Tok::Sign(sign)
    }
}

/// One form of dash, quote and blank.
pub(crate) fn fold(c: char) -> char {
    match c {
        '–' | '—' | '−' | '‐' | '‑' | '‒' | '―' | '\u{ad}' => '-',
        '‘' | '’' | '`' | '´' | '′' => '\'',
        '“' | '”' | '″' | '„' => '"',
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{3000}' | '\t' => ' ',
        '＋' => '+',
        '＝' => '=',
        c => c,
    }
}

fn fraction(c: char) -> Option<Num> {
    let (n, d) = match c {
        '½' => (1, 2),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '⅛' => (1, 8),
        '⅙' => (1, 6),
        _ => return None,
    };
    Some(Num::ratio(n, d))
}

/// The tokens of a text. Very long numbers are words.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().map(fold).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let (it, end) = if c.is_whitespace() {
            at += 1;
            continue;
        } else if let Some(value) = fraction(c) {
            (Tok::Num { value, padded: false }, at + 1)
        } else if c.is_ascii_digit()
            || (c == '.'
                && chars.get(at + 1).is_some_and(char::is_ascii_digit)
                && !at.checked_sub(1).is_some_and(|b| {
                    (chars[b].is_alphanumeric() && !matches!(chars[b], 'x' | 'X'))
                        || chars[b] == '.'
                }))
        {
            match number(&chars, at) {
                // A point before a long row of digits is only a point.
                (_, end) if end == at => (Tok::Sign(c), at + 1),
                read => read,
            }
        } else if c.is_alphabetic() {
            let mut end = at;
            while end < chars.len()
                && (chars[end].is_alphabetic()
                    || (chars[end] == '\''
                        && chars.get(end + 1).is_some_and(|c| c.is_alphabetic())))
            {
                end += 1;
            }
            (Tok::Word(chars[at..end].iter().collect()), end)
        } else {
            (Tok::Sign(c), at + 1)
        };
        let means = match &it {
            Tok::Word(word) => meaning(word, chars.get(end)),
            _ => None,
        };
        found.push(Token { it, start: at, end, means });
        at = end;
    }
    found
}

/// German and French words that bands, rolls and modifiers are written with.
const MEANINGS: [(&str, &str); 39] = [
    ("werfen", "roll"),
    ("wirft", "rolls"),
    ("wurf", "roll"),
    ("beide", "both"),
    ("natürliche", "natural"),
    ("natürlicher", "natural"),
    ("höchstens", "max"),
    ("bei", "on"),
    ("zählen", "add"),
    ("gegen", "against"),
    // As OCR reads it.
    ("rnore", "more"),
    ("oder", "or"),
    ("ou", "or"),
    ("und", "and"),
    ("et", "and"),
    ("weniger", "less"),
    ("moins", "less"),
    ("darunter", "less"),
    ("mehr", "more"),
    ("darüber", "more"),
    ("höher", "higher"),
    ("bis", "to"),
    ("à", "to"),
    ("je", "per"),
    ("pro", "per"),
    ("par", "per"),
    ("jede", "each"),
    ("jeder", "each"),
    ("jedes", "each"),
    ("jeden", "each"),
    ("chaque", "each"),
    ("würfle", "roll"),
    ("würfelt", "rolls"),
    ("würfeln", "roll"),
    ("wirf", "roll"),
    ("lancez", "roll"),
    ("gewinnt", "wins"),
    ("mit", "by"),
    ("gleich", "equal"),
];

/// What a word of another language means. `W6` is a die, as in `1W6`.
fn meaning(word: &str, next: Option<&char>) -> Option<&'static str> {
    if word == "W" {
        return next.is_some_and(char::is_ascii_digit).then_some("d");
    }
    if word.len() > 13 {
        return None;
    }
    MEANINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, means)| *means)
}

/// A number: `12`, `0.5`, `1/2`, `1½`.
fn number(chars: &[char], start: usize) -> (Tok, usize) {
    let digits = |from: usize| {
        let mut end = from;
        while chars.get(end).is_some_and(char::is_ascii_digit) {
            end += 1;
        }
        end
    };
    let read =
        |from: usize, to: usize| chars[from..to].iter().collect::<String>().parse::<i32>().ok();
    let end = digits(start);
    if end - start > 6 {
        return (Tok::Word(chars[start..end].iter().collect()), end);
    }
    let whole = if end == start { Some(0) } else { read(start, end) };
    let padded = end - start > 1 && chars[start] == '0';
    let Some(whole) = whole else { return (Tok::Sign(chars[start]), start + 1) };
    let plain = Tok::Num { value: Num::whole(whole), padded };
    match chars.get(end) {
        Some('.') if digits(end + 1) > end + 1 && digits(end + 1) - end <= 4 => {
            let to = digits(end + 1);
            let scale = 10_i32.pow((to - end - 1) as u32);
            match read(end + 1, to) {
                Some(part) if chars.get(to) != Some(&'.') => (
                    Tok::Num {
                        value: Num::ratio(whole.saturating_mul(scale).saturating_add(part), scale),
                        padded: false,
                    },
                    to,
                ),
                _ => (plain, end),
            }
        }
        Some('/') if digits(end + 1) > end + 1 && digits(end + 1) - end <= 4 => {
            let to = digits(end + 1);
            match read(end + 1, to) {
                Some(below) if below > 0 && chars.get(to) != Some(&'/') => {
                    (Tok::Num { value: Num::ratio(whole, below), padded: false }, to)
                }
                _ => (plain, end),
            }
        }
        Some(c) if fraction(*c).is_some() => {
            let part = fraction(*c).unwrap_or(Num::whole(0));
            (Tok::Num { value: part.plus(whole), padded: false }, end + 1)
        }
        _ => (plain, end),
    }
}

/// The printed text from a place on, in characters, without the signs that only separate.
pub(crate) fn rest(text: &str, from: usize) -> String {
    let rest: String = text.chars().skip(from).collect();
    tidy(rest.trim_start_matches([
        ':', '.', ')', ']', '=', '-', '–', '—', '|', '…', ' ', ',', '"', '”', '\t',
    ]))
}

/// The printed text up to a place, in characters, without leaders and separators at its end.
pub(crate) fn before(text: &str, to: usize) -> String {
    let text: String = text.chars().take(to).collect();
    tidy(text.trim_end_matches([
        ':', '.', '(', '[', '=', '-', '–', '—', '|', '…', '_', ' ', ',', '·', '\t',
    ]))
}

/// Blanks made single, note marks at the end taken off.
pub(crate) fn tidy(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.trim_end_matches(['*', '†', '‡', '§']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_point_before_many_digits_is_read_once() {
        assert_eq!(tokens(".99999999999").len(), 2);
        assert_eq!(tokens("x.12345").len(), 3);
    }

    #[test]
    fn numbers_words_and_signs() {
        let said: Vec<String> = tokens("–3 to 1½, d6 x.5 96–00 1/2")
            .iter()
            .map(|t| match &t.it {
                Tok::Num { value, padded } => format!("{value}{}", if *padded { "p" } else { "" }),
                Tok::Word(w) => w.clone(),
                Tok::Sign(c) => c.to_string(),
            })
            .collect();
        assert_eq!(
            said,
            ["-", "3", "to", "3/2", ",", "d", "6", "x", "1/2", "96", "-", "0p", "1/2"]
        );
    }
}
