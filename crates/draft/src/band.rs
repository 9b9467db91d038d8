//! Bands of scores as sheets print them: `0 or less`, `3–4`, `1 or 2`, `9+`, `natural 6`.

use crate::num::Num;
use crate::token::{Tok, Token, tokens};

/// The end of a band: a number, and whether it belongs to the band.
pub type BandEnd = (Num, bool);

/// A range of scores. `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lower end, or none for "and less".
    pub from: Option<BandEnd>,
    /// The upper end, or none for "and more".
    pub to: Option<BandEnd>,
    /// It is about the faces before modifiers.
    pub natural: bool,
}

impl Band {
    pub(crate) fn exactly(n: Num) -> Band {
        Band { from: Some((n, true)), to: Some((n, true)), natural: false }
    }

    pub(crate) fn between(from: Num, to: Num) -> Band {
        Band { from: Some((from, true)), to: Some((to, true)), natural: false }
    }

    fn above(n: Num, with: bool) -> Band {
        Band { from: Some((n, with)), to: None, natural: false }
    }

    fn below(n: Num, with: bool) -> Band {
        Band { from: None, to: Some((n, with)), natural: false }
    }

    /// One number and nothing else.
    pub fn is_single(&self) -> bool {
        self.from.is_some() && self.from == self.to
    }

    /// The lowest whole score; `None` if it is open.
    pub(crate) fn low(&self) -> Option<Num> {
        self.from.map(|(n, with)| if with || n.as_whole().is_none() { n } else { n.plus(1) })
    }

    /// The highest whole score; `None` if it is open.
    pub(crate) fn high(&self) -> Option<Num> {
        self.to.map(|(n, with)| if with || n.as_whole().is_none() { n } else { n.plus(-1) })
    }

    /// The ends as they are printed, for a band that has both.
    pub(crate) fn low_shown(&self) -> String {
        self.from.map(|(n, _)| n.to_string()).unwrap_or_default()
    }

    pub(crate) fn high_shown(&self) -> String {
        self.to.map(|(n, _)| n.to_string()).unwrap_or_default()
    }

    /// Tells if every score of this band is below every score of the other.
    pub(crate) fn is_before(&self, other: &Band) -> bool {
        match (self.to, other.from) {
            (Some((to, with_to)), Some((from, with_from))) => {
                to < from || (to == from && !(with_to && with_from))
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Band {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => write!(f, "{}", from.0),
            (Some((from, _)), Some((to, _))) => write!(f, "{from} to {to}"),
            (Some((from, _)), None) => write!(f, "{from} or more"),
            (None, Some((to, _))) => write!(f, "{to} or less"),
            (None, None) => Ok(()),
        }
    }
}

/// A band at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BandStart {
    pub band: Band,
    /// Where the text goes on, in tokens.
    pub next: usize,
    /// A dash with nothing after it: `6-`, which may mean "or less".
    pub dash: bool,
}

/// The band that the whole cell is.
pub(crate) fn whole(text: &str) -> Option<Band> {
    let tokens = tokens(text);
    let start = prefix(&tokens)?;
    let rest = &tokens[start.next..];
    let ends = |t: &Token| {
        matches!(t.it, Tok::Sign(':' | '.' | '=' | '"' | '\'' | ')' | '*' | '†' | '‡'))
            || t.is_any(&[
                "inches",
                "inch",
                "in",
                "cm",
                "hexes",
                "hex",
                "mm",
                "yards",
                "yds",
                "m",
                "steps",
                "passed",
                "passes",
                "pass",
                "successes",
                "success",
                "hits",
                "points",
            ])
    };
    if start.dash && rest.len() == 1 {
        return Some(Band::below(start.band.to?.0, true));
    }
    rest.iter().all(ends).then_some(start.band)
}

const MORE: [&str; 12] = [
    "more", "higher", "better", "greater", "above", "over", "up", "upward", "upwards", "plus",
    "beyond", "longer",
];
const LESS: [&str; 9] =
    ["less", "lower", "fewer", "below", "under", "worse", "smaller", "down", "lesser"];

/// The band at the start of the tokens.
pub(crate) fn prefix(tokens: &[Token]) -> Option<BandStart> {
    let mut at = 0;
    while tokens.get(at).is_some_and(|t| t.sign('"') || t.sign('\'') || t.sign('(')) {
        at += 1;
    }
    let mut natural = false;
    while tokens.get(at).is_some_and(|t| t.is_any(&["natural", "unmodified", "nat"])) {
        natural = true;
        at += 1;
        if tokens.get(at).is_some_and(|t| t.sign('.')) {
            at += 1;
        }
    }
    let (mut band, next, dash) = ends(tokens, at)?;
    band.natural = natural;
    let closed = tokens.get(next).is_some_and(|t| t.sign('"') || (t.sign(')') && at > 0));
    Some(BandStart { band, next: next + usize::from(closed), dash })
}

/// A number with its sign, and where the text goes on.
fn bound(tokens: &[Token], at: usize) -> Option<(Num, usize)> {
    let first = tokens.get(at)?;
    if let Tok::Num { value, padded } = &first.it {
        let hundred = *padded && *value == Num::whole(0);
        return Some((if hundred { Num::whole(100) } else { *value }, at + 1));
    }
    let number = tokens.get(at + 1)?;
    (first.sign('-') && number.start == first.end).then_some(())?;
    Some((number.num()?.negative(), at + 2))
}

fn is(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|t| t.is_any(words))
}

fn sign(tokens: &[Token], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|t| t.sign(sign))
}

/// The start of a comparison, whether it looks up, whether the end counts, and where it goes on.
fn comparison(tokens: &[Token], at: usize) -> Option<(bool, bool, usize)> {
    if sign(tokens, at, '≤') {
        return Some((false, true, at + 1));
    }
    if sign(tokens, at, '≥') {
        return Some((true, true, at + 1));
    }
    for (mark, up) in [('<', false), ('>', true)] {
        if sign(tokens, at, mark) {
            let with = sign(tokens, at + 1, '=');
            return Some((up, with, at + 1 + usize::from(with)));
        }
    }
    if is(tokens, at, &["less", "fewer", "lower"]) && is(tokens, at + 1, &["than"]) {
        return Some((false, false, at + 2));
    }
    if is(tokens, at, &["more", "greater", "higher"]) && is(tokens, at + 1, &["than"]) {
        return Some((true, false, at + 2));
    }
    if is(tokens, at, &["under", "below"]) {
        return Some((false, false, at + 1));
    }
    if is(tokens, at, &["over", "above"]) {
        return Some((true, false, at + 1));
    }
    if is(tokens, at, &["up"]) && is(tokens, at + 1, &["to"]) {
        return Some((false, true, at + 2));
    }
    if is(tokens, at, &["at"]) && is(tokens, at + 1, &["least"]) {
        return Some((true, true, at + 2));
    }
    if is(tokens, at, &["at"]) && is(tokens, at + 1, &["most"]) {
        return Some((false, true, at + 2));
    }
    if at == 0 && is(tokens, at, &["to"]) {
        return Some((false, true, at + 1));
    }
    None
}

fn ends(tokens: &[Token], at: usize) -> Option<(Band, usize, bool)> {
    if let Some((up, with, next)) = comparison(tokens, at) {
        let (n, next) = bound(tokens, next)?;
        if !up {
            return odds(tokens, next).then_some((Band::below(n, with), next, false));
        }
        // "more than 10, less than 11"
        let comma = next + usize::from(sign(tokens, next, ','));
        if let Some((false, to_with, after)) = comparison(tokens, comma)
            && let Some((to, after)) = bound(tokens, after)
        {
            return Some((
                Band { from: Some((n, with)), to: Some((to, to_with)), natural: false },
                after,
                false,
            ));
        }
        return odds(tokens, next).then_some((Band::above(n, with), next, false));
    }
    if sign(tokens, at, '+') {
        return signed(tokens, at);
    }
    let (first, next) = bound(tokens, at)?;
    if is(tokens, next, &["or", "and", "&"]) || sign(tokens, next, '&') {
        if is(tokens, next + 1, &MORE) {
            return Some((Band::above(first, true), next + 2, false));
        }
        if is(tokens, next + 1, &LESS) {
            return Some((Band::below(first, true), next + 2, false));
        }
    }
    // `40"+`
    let inches = usize::from(sign(tokens, next, '"') && sign(tokens, next + 1, '+'));
    let next = next + inches;
    if sign(tokens, next, '+')
        && !tokens.get(next + 1).is_some_and(|t| t.num().is_some() && t.start == tokens[next].end)
    {
        return Some((Band::above(first, true), next + 1, false));
    }
    let before = at.checked_sub(1).is_none();
    if before && is(tokens, next, &LESS) && next + 1 == tokens.len() {
        return Some((Band::below(first, true), next + 1, false));
    }
    if before && is(tokens, next, &["more", "higher", "better", "up"]) && next + 1 == tokens.len() {
        return Some((Band::above(first, true), next + 1, false));
    }
    range(tokens, first, next)
}

/// A difference with its sign: `+3 or better`, `+1 to +2`, `+1, +2`. A signed number alone is a modifier.
fn signed(tokens: &[Token], at: usize) -> Option<(Band, usize, bool)> {
    let number = |at: usize| {
        let (plus, n) = (tokens.get(at)?, tokens.get(at + 1)?);
        (plus.sign('+') && n.start == plus.end).then(|| n.num()).flatten()
    };
    let (first, next) = (number(at)?, at + 2);
    if is(tokens, next, &["or", "and"]) {
        if is(tokens, next + 1, &MORE) {
            return Some((Band::above(first, true), next + 2, false));
        }
        if is(tokens, next + 1, &LESS) {
            return Some((Band::below(first, true), next + 2, false));
        }
    }
    let between =
        is(tokens, next, &["to", "or"]) || sign(tokens, next, ',') || sign(tokens, next, '-');
    let to = number(next + 1).filter(|to| between && *to > first)?;
    let set = sign(tokens, next, ',') || is(tokens, next, &["or"]);
    (!set || to == first.plus(1)).then_some((Band::between(first, to), next + 3, false))
}

/// Tells if nothing follows that would make the number odds, as in `<1-8`.
fn odds(tokens: &[Token], next: usize) -> bool {
    !((sign(tokens, next, '-') || sign(tokens, next, ':'))
        && tokens.get(next + 1).is_some_and(|t| t.num().is_some()))
}

fn range(tokens: &[Token], first: Num, next: usize) -> Option<(Band, usize, bool)> {
    let to_word = is(tokens, next, &["to", "thru", "through", "till", "until"]);
    if to_word || sign(tokens, next, '-') || sign(tokens, next, '…') || sign(tokens, next, '~') {
        if to_word
            && is(tokens, next + 1, &["less"])
            && is(tokens, next + 2, &["than"])
            && let Some((to, after)) = bound(tokens, next + 3)
        {
            return Some((
                Band { from: Some((first, true)), to: Some((to, false)), natural: false },
                after,
                false,
            ));
        }
        if let Some((to, after)) = bound(tokens, next + 1) {
            if sign(tokens, next, '-') && after < tokens.len() && sign(tokens, after, '+') {
                return None;
            }
            if to < first {
                return None;
            }
            let (to, after) = run(tokens, to, after);
            return Some((Band::between(first, to), after, false));
        }
        if to_word {
            return (next + 1 == tokens.len()).then_some((
                Band::above(first, true),
                next + 1,
                false,
            ));
        }
        return Some((Band::exactly(first), next, next + 1 == tokens.len()));
    }
    if sign(tokens, next, '.') && sign(tokens, next + 1, '.') {
        let (to, after) = bound(tokens, next + 2 + usize::from(sign(tokens, next + 2, '.')))?;
        return (to >= first).then_some((Band::between(first, to), after, false));
    }
    if (sign(tokens, next, ':') || sign(tokens, next, '/'))
        && tokens.get(next + 1).is_some_and(|t| t.num().is_some() && t.start == tokens[next].end)
    {
        return None;
    }
    let (to, after) = run(tokens, first, next);
    Some((Band::between(first, to), after, false))
}

/// Further scores of a set, each one more than the last: `1 or 2`, `4-5-6`, `3, 4 or 5`.
fn run(tokens: &[Token], mut last: Num, mut next: usize) -> (Num, usize) {
    loop {
        let mut after = next;
        while sign(tokens, after, ',')
            || sign(tokens, after, '-')
            || sign(tokens, after, '&')
            || sign(tokens, after, '/')
            || is(tokens, after, &["or", "and"])
        {
            after += 1;
        }
        if after == next || after > next + 2 {
            return (last, next);
        }
        match bound(tokens, after) {
            Some((n, end)) if n == last.plus(1) && !is(tokens, end, &["d", "D"]) => {
                (last, next) = (n, end)
            }
            _ => return (last, next),
        }
    }
}

/// A figure that OCR may have misread, with its letters read as digits. None if it has no such letter.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let digit = |c: char| match c {
        'l' | 'I' | '|' | '!' => Some('1'),
        'O' | 'o' => Some('0'),
        'S' | 's' => Some('5'),
        'B' => Some('8'),
        'Z' => Some('2'),
        _ => None,
    };
    let mut changed = false;
    let words: Vec<String> =
        text.split(' ')
            .map(|word| {
                let core: Vec<char> = word.chars().collect();
                let figure = core.iter().all(|c| {
                    c.is_ascii_digit() || digit(*c).is_some() || "+-–−—,.:()".contains(*c)
                }) && core.len() <= 7
                    && core.iter().any(|c| c.is_ascii_digit() || digit(*c).is_some());
                if !figure || !core.iter().any(|c| digit(*c).is_some()) || is_word(word) {
                    return word.to_owned();
                }
                changed = true;
                core.iter().map(|c| digit(*c).unwrap_or(*c)).collect()
            })
            .collect();
    changed.then(|| words.join(" "))
}

/// Short words that consist of letters which look like digits.
fn is_word(word: &str) -> bool {
    [
        "so", "Is", "is", "SO", "OS", "Bo", "lo", "Lo", "oil", "soil", "ill", "Ill", "loss", "so,",
        "I",
    ]
    .contains(&word)
        && word != "I"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(text: &str) -> String {
        let Some(band) = whole(text) else { return "none".into() };
        let end = |end: Option<BandEnd>, marks: [&str; 2]| match end {
            None => String::new(),
            Some((n, with)) => format!("{}{n}", marks[usize::from(!with)]),
        };
        let natural = if band.natural { "natural " } else { "" };
        format!("{natural}{}..{}", end(band.from, ["", ">"]), end(band.to, ["", "<"]))
    }

    #[test]
    fn bands_in_the_usual_forms() {
        for (text, meaning) in [
            ("3", "3..3"),
            ("3-5", "3..5"),
            ("3 – 5", "3..5"),
            ("3 to 5", "3..5"),
            ("-3 to -1", "-3..-1"),
            ("–2–0", "-2..0"),
            ("0 or less", "..0"),
            ("≤3", "..3"),
            ("<= 3", "..3"),
            ("<1", "..<1"),
            ("up to 4", "..4"),
            ("to -5", "..-5"),
            ("6-", "..6"),
            ("9+", "9.."),
            ("5 +", "5.."),
            ("9 or more", "9.."),
            ("9 and up", "9.."),
            ("11 or better", "11.."),
            ("≥9", "9.."),
            ("5 to", "5.."),
            ("1 or 2", "1..2"),
            ("1,2", "1..2"),
            ("4-5-6", "4..6"),
            ("3, 4 or 5", "3..5"),
            ("01–05", "1..5"),
            ("96–00", "96..100"),
            ("00", "100..100"),
            ("natural 6", "natural 6..6"),
            ("Unmodified 1", "natural 1..1"),
            ("\"1\"", "1..1"),
            ("1/8 to less than 1/6", "1/8..<1/6"),
            ("more than 10, less than 11", ">10..<11"),
            ("less than 0", "..<0"),
            ("0-6\"", "0..6"),
            ("6 inches", "6..6"),
            ("2-1", "none"),
            ("1:3", "none"),
            ("<1-8", "none"),
            ("6-1+", "none"),
            ("Miss", "none"),
            ("3d6", "none"),
            ("1-2 Miss", "none"),
            ("+1", "none"),
        ] {
            assert_eq!(said(text), meaning, "{text}");
        }
    }

    #[test]
    fn letters_are_read_as_digits_only_in_figures() {
        assert_eq!(repaired("l-2").as_deref(), Some("1-2"));
        assert_eq!(repaired("1O or more").as_deref(), Some("10 or more"));
        assert_eq!(repaired("+l").as_deref(), Some("+1"));
        assert_eq!(repaired("loss"), None);
        assert_eq!(repaired("Miss"), None);
    }
}
