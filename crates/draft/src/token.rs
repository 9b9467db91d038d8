//! Printed text as tokens. Dashes, quotes and blanks are folded to one form, character by character,
//! so that a position in the tokens is a position in the printed text.

use crate::num::Num;
use std::borrow::Cow;

/// A word, a number or a sign, with its place in characters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'t> {
    pub it: Tok<'t>,
    pub start: usize,
    pub end: usize,
    /// The English word for a word of another language.
    means: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tok<'t> {
    /// A number without sign; `padded` if it has a leading zero.
    Num {
        value: Num,
        padded: bool,
    },
    /// Part of the text, unless it has a quote of another form.
    Word(Cow<'t, str>),
    Sign(char),
}

impl Token<'_> {
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
        self.is_any(&[word])
    }

    pub fn is_any(&self, words: &[&str]) -> bool {
        let Some(known) = self.word() else { return false };
        // Most words differ in their length or their first letter.
        let first = |word: &str| word.as_bytes().first().map(|byte| byte | 0x20);
        let (length, letter) = (known.len(), first(known));
        words.iter().any(|word| {
            word.len() == length && first(word) == letter && known.eq_ignore_ascii_case(word)
        }) || self.means.is_some_and(|means| words.contains(&means))
    }

    /// Tells if it may be a word that begins with one of these small letters.
    pub fn may_begin(&self, letters: &[u8]) -> bool {
        let first = self.word().and_then(|word| word.as_bytes().first());
        self.means.is_some() || first.is_some_and(|byte| letters.contains(&(byte | 0x20)))
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

/// The tokens of a text. Very long numbers are words. Texts are read again by every reader, so this
/// copies nothing.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(text.len() / 4 + 2);
    // The place in bytes and in characters.
    let (mut at, mut start) = (0, 0);
    while let Some(printed) = text[at..].chars().next() {
        let c = fold(printed);
        let (it, bytes, chars) = if c.is_whitespace() {
            (at, start) = (at + printed.len_utf8(), start + 1);
            continue;
        } else if let Some(value) = fraction(c) {
            (Tok::Num { value, padded: false }, c.len_utf8(), 1)
        } else if c.is_ascii_digit()
            || (c == '.'
                && text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit)
                && !text[..at].chars().next_back().is_some_and(|before| {
                    (before.is_alphanumeric() && !matches!(before, 'x' | 'X')) || before == '.'
                }))
        {
            number(&text[at..])
        } else if c.is_alphabetic() {
            word(&text[at..])
        } else {
            (Tok::Sign(c), printed.len_utf8(), 1)
        };
        let after = at + bytes;
        let means = match &it {
            Tok::Word(word) => meaning(word, text.as_bytes().get(after)),
            _ => None,
        };
        tokens.push(Token { it, start, end: start + chars, means });
        (at, start) = (after, start + chars);
    }
    tokens
}

/// The word at the start of a text, its length in bytes and in characters.
fn word(text: &str) -> (Tok<'_>, usize, usize) {
    let mut chars = 0;
    let mut folded = false;
    let mut left = text.char_indices();
    let mut end = text.len();
    while let Some((at, c)) = left.next() {
        let quote = !c.is_alphabetic();
        if quote
            && !(fold(c) == '\'' && left.clone().next().is_some_and(|(_, c)| c.is_alphabetic()))
        {
            end = at;
            break;
        }
        folded |= quote && c != '\'';
        chars += 1;
    }
    let word = &text[..end];
    let word = if folded { word.chars().map(fold).collect() } else { Cow::Borrowed(word) };
    (Tok::Word(word), end, chars)
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

/// Which of the meanings begin with a byte, one bit for each.
const BY_FIRST: [u128; 256] = {
    let mut masks = [0; 256];
    let mut place = 0;
    while place < MEANINGS.len() {
        masks[MEANINGS[place].0.as_bytes()[0] as usize] |= 1 << place;
        place += 1;
    }
    masks
};

/// The meaning of a word of another language. `W6` is a die, as in `1W6`.
fn meaning(word: &str, next: Option<&u8>) -> Option<&'static str> {
    if word == "W" {
        return next.is_some_and(u8::is_ascii_digit).then_some("d");
    }
    if word.len() > 13 {
        return None;
    }
    let mut left = BY_FIRST[word.as_bytes().first()?.to_ascii_lowercase() as usize];
    while left != 0 {
        let (known, means) = MEANINGS[left.trailing_zeros() as usize];
        if known.eq_ignore_ascii_case(word) {
            return Some(means);
        }
        left &= left - 1;
    }
    None
}

/// The number at the start of a text, its length in bytes and in characters: `12`, `0.5`, `1/2`, `1½`.
/// A point before a long row of digits is only a point.
fn number(text: &str) -> (Tok<'_>, usize, usize) {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let read = |from: usize, to: usize| text[from..to].parse::<i32>().ok();
    let end = digits(0);
    if end > 6 {
        return (Tok::Word(Cow::Borrowed(&text[..end])), end, end);
    }
    let whole = read(0, end).unwrap_or(0);
    let padded = end > 1 && bytes[0] == b'0';
    let plain = match end {
        0 => (Tok::Sign('.'), 1, 1),
        _ => (Tok::Num { value: Num::whole(whole), padded }, end, end),
    };
    let after = text[end..].chars().next();
    if let Some(part) = after.and_then(fraction) {
        let value = Tok::Num { value: part.plus(whole), padded: false };
        return (value, end + after.map_or(0, char::len_utf8), end + 1);
    }
    let Some(mark @ ('.' | '/')) = after else { return plain };
    let to = digits(end + 1);
    // Neither "1.2.3" nor "1/2/3" is a number.
    if to == end + 1 || to - end > 4 || text[to..].starts_with(mark) {
        return plain;
    }
    let value = match (mark, read(end + 1, to)) {
        ('.', Some(part)) => {
            let scale = 10_i32.pow((to - end - 1) as u32);
            Num::ratio(whole.saturating_mul(scale).saturating_add(part), scale)
        }
        ('/', Some(below)) if below > 0 => Num::ratio(whole, below),
        _ => return plain,
    };
    (Tok::Num { value, padded: false }, to, to)
}

/// Where a character begins in a text, in bytes.
fn byte_of(text: &str, place: usize) -> usize {
    text.char_indices().nth(place).map_or(text.len(), |(at, _)| at)
}

/// The printed text from a place on, in characters, without the signs that only separate.
pub(crate) fn rest(text: &str, from: usize) -> String {
    tidy(text[byte_of(text, from)..].trim_start_matches([
        ':', '.', ')', ']', '=', '-', '–', '—', '|', '…', ' ', ',', '"', '”', '\t', '_', '~',
    ]))
}

/// The printed text up to a place, in characters, without leaders and separators at its end.
pub(crate) fn before(text: &str, to: usize) -> String {
    tidy(text[..byte_of(text, to)].trim_end_matches([
        ':', '.', '(', '[', '=', '-', '–', '—', '|', '…', '_', ' ', ',', '·', '\t',
    ]))
}

/// Blanks made single, note marks at the end taken off.
pub(crate) fn tidy(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    let kept = joined.trim_end_matches(['*', '†', '‡', '§']).trim_end().len();
    joined.truncate(kept);
    joined
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
        let shown: Vec<String> = tokens("–3 to 1½, d6 x.5 96–00 1/2")
            .iter()
            .map(|t| match &t.it {
                Tok::Num { value, padded } => format!("{value}{}", if *padded { "p" } else { "" }),
                Tok::Word(w) => w.to_string(),
                Tok::Sign(c) => c.to_string(),
            })
            .collect();
        assert_eq!(
            shown,
            ["-", "3", "to", "3/2", ",", "d", "6", "x", "1/2", "96", "-", "0p", "1/2"]
        );
    }
}
