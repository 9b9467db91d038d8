//! What a modifier does: `+1`, `- 2`, `+ HESA`, `+ or -`, `x2`, `+1d6`, `1L`.

use crate::num::Num;
use crate::token::{Token, before, rest, tokens};

/// The effect of a modifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Adds a number, negative for a penalty.
    Plus(Num),
    /// Adds a value that the player knows; `minus` subtracts it.
    Value {
        /// The value is subtracted.
        minus: bool,
    },
    /// Adds a value that may be negative.
    Signed,
    /// Multiplies the total by a whole number or a fraction.
    Times(Num),
    /// Rolls more or fewer dice.
    Dice(i32),
    /// Moves the column: to the right if positive.
    Shift(i32),
    /// Adds a number for each group of a count.
    Each {
        /// The number that one group adds.
        by: Num,
        /// The size of a group.
        per: i32,
        /// The most that it can add or take.
        most: Option<Num>,
        /// It adds dice, not points.
        dice: bool,
    },
}

/// An amount with the words beside it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labelled {
    pub amount: Amount,
    pub label: String,
}

/// The most brackets around an amount.
const DEEPEST: usize = 4;

/// Reads an amount at the start of tokens: it, and where the text goes on.
pub(crate) fn prefix(tokens: &[Token]) -> Option<(Amount, usize)> {
    tokens.first()?;
    let opens = |t: &&Token| t.sign('(') || t.sign('[');
    let depth = tokens.iter().take(DEEPEST + 1).take_while(opens).count();
    if depth > DEEPEST {
        return None;
    }
    if depth > 0 {
        let (amount, next) = prefix(&tokens[depth..])?;
        let after = tokens.get(depth + next..)?;
        let closed = tokens[..depth]
            .iter()
            .rev()
            .zip(after)
            .all(|(open, close)| close.sign(if open.sign('(') { ')' } else { ']' }));
        return (closed && after.len() >= depth).then_some((amount, next + 2 * depth));
    }
    signed(tokens).or_else(|| factor(tokens)).or_else(|| in_words(tokens)).or_else(|| shift(tokens))
}

fn signed(tokens: &[Token]) -> Option<(Amount, usize)> {
    let first = tokens.first()?;
    let at = |place: usize, sign: char| tokens.get(place).is_some_and(|t| t.sign(sign));
    if first.sign('±') {
        return Some((Amount::Signed, 1));
    }
    if first.sign('+') && (at(1, '/') || tokens.get(1).is_some_and(|t| t.is("or"))) && at(2, '-') {
        return Some((Amount::Signed, 3));
    }
    let minus = first.sign('-');
    if !minus && !first.sign('+') {
        return None;
    }
    let number = tokens.get(1)?.num()?;
    if minus && tokens[1].start > first.end + 1 {
        return None;
    }
    let number = if minus { number.negative() } else { number };
    if tokens.get(2).is_some_and(|t| t.is("d") && t.start == tokens[1].end)
        && tokens.get(3).is_some_and(|t| t.num().is_some())
    {
        return Some((Amount::Dice(number.as_whole()?), 4));
    }
    // "+2D Flank shot": dice, as the sheet calls them.
    if tokens.get(2).is_some_and(|t| {
        matches!(t.word(), Some("D" | "d"))
            && t.start == tokens[1].end
            && tokens.get(3).is_none_or(|next| next.start > t.end)
    }) {
        return Some((Amount::Dice(number.as_whole()?), 3));
    }
    if tokens.get(2).is_some_and(|t| t.is_any(&["die", "dice"]))
        && !tokens.get(3).is_some_and(|t| t.is_any(&["roll", "rolls"]))
    {
        return Some((Amount::Dice(number.as_whole()?), 3));
    }
    // "+1-2" or "-1:2" is no amount.
    if tokens.get(2).is_some_and(|t| (t.sign(':') || t.sign('-')) && t.start == tokens[1].end)
        && tokens.get(3).is_some_and(|t| t.num().is_some() && t.start == tokens[2].end)
    {
        return None;
    }
    if tokens.get(2).is_some_and(|t| t.is_any(&["column", "columns", "col", "cols"])) {
        let mut next = 3;
        if at(next, '.') {
            next += 1;
        }
        return Some((Amount::Shift(number.as_whole()?), next));
    }
    let mut next = 2;
    if tokens.get(next).is_some_and(|t| t.is_any(&["drm", "drms"])) {
        next += 1;
    }
    Some((Amount::Plus(number), next))
}

fn factor(tokens: &[Token]) -> Option<(Amount, usize)> {
    let first = tokens.first()?;
    let number =
        |place: usize| tokens.get(place).and_then(Token::num).filter(|n| *n > Num::whole(0));
    if first.sign('×') || first.is("times") || first.is("x") || first.is("multiply") {
        let next = 1 + usize::from(tokens.get(1).is_some_and(|t| t.is("by")));
        return Some((Amount::Times(number(next)?), next + 1));
    }
    // "Double 1" is a roll of equal dice, and "Doubled:" says by how much a side won.
    if tokens.get(1).is_none_or(|t| t.num().is_some() || t.sign(':') || t.sign('='))
        && tokens.len() > 1
    {
        return None;
    }
    if first.is_any(&["halve", "halved"]) {
        return Some((Amount::Times(Num::ratio(1, 2)), 1));
    }
    if first.is_any(&["double", "doubled"]) {
        return Some((Amount::Times(Num::whole(2)), 1));
    }
    None
}

const COUNTS: [(&str, i32); 6] =
    [("one", 1), ("two", 2), ("three", 3), ("four", 4), ("a", 1), ("an", 1)];

fn in_words(tokens: &[Token]) -> Option<(Amount, usize)> {
    let first = tokens.first()?;
    let minus = first.is_any(&[
        "minus",
        "subtract",
        "subtracts",
        "subtracting",
        "deduct",
        "deducts",
        "deducting",
        "lose",
    ]);
    let plus = first.is_any(&["plus", "add", "adds", "adding"]);
    let less = first.is("less") && tokens.get(1)?.num().is_some();
    // "one extra die", "two more dice"
    if let Some((_, n)) = COUNTS[..4].iter().find(|(word, _)| first.is(word))
        && tokens.get(1)?.is_any(&["extra", "more", "additional"])
        && tokens.get(2)?.is_any(&["die", "dice"])
    {
        return Some((Amount::Dice(*n), 3));
    }
    // "Take off 1", "knock off 2"
    let off =
        first.is_any(&["take", "takes", "knock"]) && tokens.get(1).is_some_and(|t| t.is("off"));
    let tokens = if off { &tokens[1..] } else { tokens };
    // "Take 1 from the die"
    let takes = first.is_any(&["take", "takes"])
        && tokens.get(2).is_some_and(|t| t.is_any(&["from", "off"]));
    let minus = minus || takes || off;
    let shift = usize::from(off);
    if !plus && !minus && !less {
        return None;
    }
    let second = tokens.get(1)?;
    let number = match second.num() {
        Some(number) => number,
        None => Num::whole(COUNTS[..4].iter().find(|(word, _)| second.is(word))?.1),
    };
    let number = if plus { number } else { number.negative() };
    if tokens.get(2).is_some_and(|t| t.is("d")) && tokens.get(3).is_some_and(|t| t.num().is_some())
    {
        return Some((Amount::Dice(number.as_whole()?), 4 + shift));
    }
    if tokens.get(2).is_some_and(|t| t.is_any(&["die", "dice"])) {
        return Some((Amount::Dice(number.as_whole()?), 3 + shift));
    }
    Some((Amount::Plus(number), 2 + shift))
}

fn shift(tokens: &[Token]) -> Option<(Amount, usize)> {
    let side = |t: &Token| match () {
        () if t.word() == Some("L") || t.is("left") => Some(-1),
        () if t.word() == Some("R") || t.is("right") => Some(1),
        () => None,
    };
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    for (arrow, way) in [('←', -1), ('→', 1)] {
        if first.sign(arrow) {
            return Some((Amount::Shift(way * second.num()?.as_whole()?), 2));
        }
    }
    if let (Some(way), Some(n)) = (side(first), second.num())
        && first.end == second.start
    {
        return Some((Amount::Shift(way * n.as_whole()?), 2));
    }
    let n = first.num()?.as_whole()?;
    let spelt = second.is_any(&["left", "right"]) || tokens.len() == 2;
    if let Some(way) = side(second).filter(|_| first.end == second.start || spelt) {
        return Some((Amount::Shift(way * n), 2));
    }
    if second.is_any(&["column", "columns", "col"]) {
        let next = 2 + usize::from(tokens.get(2).is_some_and(|t| t.is("shift") || t.is("to")));
        let way = side(tokens.get(next)?)?;
        return Some((Amount::Shift(way * n), next + 1));
    }
    None
}

/// The amount that a whole cell is. A name after the sign is a value: `+ HESA`.
pub(crate) fn whole(text: &str) -> Option<Labelled> {
    whole_up_to(text, 3)
}

/// The same, with at most so many words after the amount that say how often it counts.
fn whole_up_to(text: &str, words: usize) -> Option<Labelled> {
    let tokens = tokens(text);
    let first = tokens.first()?;
    if let Some((amount, next)) = prefix(&tokens) {
        let rest_tokens = &tokens[next..];
        let factor = matches!(amount, Amount::Times(_));
        let noise = |t: &Token| {
            t.sign('.')
                || t.sign(':')
                || t.sign('*')
                || t.is_any(&["drm", "drms", "to", "hit"])
                || (factor
                    && t.is_any(&["dice", "the", "hits", "move", "score", "fire", "strength"]))
        };
        if rest_tokens.iter().all(noise) {
            return Some(Labelled { amount, label: String::new() });
        }
        // "-1 (torch cancels)"
        let (opens, closes) = (rest_tokens.first(), rest_tokens.last());
        if words > 3
            && opens.is_some_and(|t| t.sign('('))
            && closes.is_some_and(|t| t.sign(')'))
            && rest_tokens.len() <= 9
            && (rest_tokens.iter().all(|t| t.num().is_none())
                || prefix(&rest_tokens[1..]).is_some())
        {
            let label: String = text.chars().skip(rest_tokens[0].start).collect();
            return Some(Labelled { amount, label });
        }
        if let Some(each) = each_of(&amount, rest_tokens).filter(|_| rest_tokens.len() <= words) {
            let label = if rest_tokens.len() > 1 {
                rest(text, tokens[next - 1].end)
            } else {
                String::new()
            };
            return Some(Labelled { amount: each, label });
        }
        if amount == Amount::Signed && rest_tokens.len() <= 4 {
            return Some(Labelled { amount, label: rest(text, tokens[next - 1].end) });
        }
        return None;
    }
    let minus = first.sign('-');
    if !minus && !first.sign('+') {
        return None;
    }
    let named = &tokens[1..];
    // `+ value d6`: so many dice.
    if let [value, d, sides] = named
        && value.is("value")
        && d.is("d")
        && sides.num().is_some()
    {
        let by = Num::whole(if minus { -1 } else { 1 });
        return Some(Labelled {
            amount: Amount::Each { by, per: 1, most: None, dice: true },
            label: String::new(),
        });
    }
    // `+l` is a misread figure.
    if let [only] = named
        && only.word().is_some_and(|word| ["l", "I", "i", "O", "o", "S", "B", "Z"].contains(&word))
    {
        return None;
    }
    // "+ Melee rating of the unit"
    let longest = if named.iter().any(|t| t.is("of")) { 6 } else { 4 };
    let name = named.len() <= longest
        && named.iter().all(|t| t.word().is_some() || t.sign('/') || t.sign('.') || t.sign('\''));
    // A dash before a word is a bullet, but "- value" is a sum.
    let bullet = minus
        && named.first().is_some_and(|t| t.start > first.end)
        && !matches!(named, [only] if only.is("value"));
    (name && !bullet).then(|| Labelled {
        amount: Amount::Value { minus },
        label: if named.is_empty() { String::new() } else { rest(text, first.end) },
    })
}

/// `+1 each`, `+1 per hex`: so much for each of something.
fn each_of(amount: &Amount, after: &[Token]) -> Option<Amount> {
    let (by, dice) = match amount {
        Amount::Plus(n) => (*n, false),
        Amount::Dice(n) => (Num::whole(*n), true),
        _ => return None,
    };
    let words = after.iter().all(|t| t.word().is_some());
    let each = match after {
        [only] => only.is("each"),
        [first, second, ..] if first.is("for") => {
            second.is_any(&["each", "every"]) && after.len() <= 7
        }
        [first, ..] => first.is("per") && after.len() <= 5,
        [] => false,
    };
    (each && words).then_some(Amount::Each { by, per: 1, most: None, dice })
}

/// The words of a condition: "uphill" of "if uphill".
pub(crate) fn without_if(text: &str) -> &str {
    let rest = ["if ", "when "].iter().find_map(|word| {
        text.get(..word.len())
            .filter(|start| start.eq_ignore_ascii_case(word))
            .map(|_| &text[word.len()..])
    });
    rest.map_or(text, str::trim_start)
}

/// An amount and its words in one text: `+1 text`, `text +1`, `text (+1)`, `text: -2`.
pub(crate) fn beside(text: &str) -> Option<Labelled> {
    leading(text).or_else(|| trailing(text))
}

/// An amount before its words: `+1 text`.
pub(crate) fn leading(text: &str) -> Option<Labelled> {
    let tokens = tokens(text);
    let (amount, mut next) = prefix(&tokens)?;
    // "-3 or less" and "-2 to 0" are bands.
    if crate::band::prefix(&tokens).is_some_and(|band| band.next > next) {
        return None;
    }
    if matches!(amount, Amount::Times(_) | Amount::Shift(_)) && tokens.get(next).is_none() {
        return None;
    }
    // "halve the dice when banking"
    while matches!(amount, Amount::Times(_))
        && tokens
            .get(next)
            .is_some_and(|t| t.is_any(&["the", "dice", "all", "move", "moves", "hits"]))
        && tokens.len() > next + 1
    {
        next += 1;
    }
    // "Add 1 to the location die if the firer is higher"
    if tokens.get(next).is_some_and(|t| t.is_any(&["to", "from"])) {
        let opens = |t: &Token| t.is_any(&["if", "when", "while", "for"]);
        next += tokens[next..].iter().take(6).position(opens).unwrap_or(0);
    }
    while tokens.get(next).is_some_and(|t| t.is_any(&["if", "when", "while"]) || t.sign(':'))
        && tokens.len() > next + 1
    {
        next += 1;
    }
    let label = rest(text, tokens.get(next)?.start);
    label.chars().any(char::is_alphabetic).then_some(Labelled { amount, label })
}

/// An amount after its words: `text +1`.
pub(crate) fn trailing(text: &str) -> Option<Labelled> {
    // "Defender in town 1L": a column shift is the last word.
    let is_shift = |left: &[Token]| match left {
        [number, way] => {
            let glued = number.num().is_some() && way.start == number.end;
            glued && way.word().is_some_and(|word| word == "L" || word == "R")
        }
        _ => false,
    };
    let tokens = tokens(text);
    let from = tokens.len().saturating_sub(11).max(1);
    for start in from..tokens.len() {
        let (token, last) = (&tokens[start], &tokens[start - 1]);
        let bound = token.sign('+')
            || token.sign('-')
            || token.sign('±')
            || token.sign('(')
            || token.sign('[')
            || token.sign('×')
            || token.is("x")
            || token.is("times")
            || is_shift(&tokens[start..]);
        if !bound
            || (token.start == last.end
                && !token.sign('(')
                && !last.sign(':')
                && !last.sign('.')
                && !last.sign('…'))
        {
            continue;
        }
        let tail: String = text.chars().skip(token.start).collect();
        let Some(end) = whole_up_to(&tail, 7) else { continue };
        // A sign alone stands in a cell of its own.
        if matches!(end.amount, Amount::Value { .. }) && end.label.is_empty() {
            continue;
        }
        let label = before(text, token.start);
        if ends_open(&label) {
            continue;
        }
        if label.chars().any(char::is_alphabetic) {
            let label = if end.label.is_empty() || end.label.eq_ignore_ascii_case("value") {
                label
            } else if matches!(end.amount, Amount::Each { .. }) {
                format!("{label}, {}", end.label)
            } else {
                format!("{label} {}", end.label)
            };
            return Some(Labelled { amount: end.amount, label });
        }
    }
    None
}

/// Words that go on with the figure: "the loser tests at -2" is a sentence, not a modifier.
fn ends_open(label: &str) -> bool {
    const OPEN: [&str; 14] = [
        "at", "by", "to", "with", "is", "are", "of", "add", "adds", "gets", "get", "a", "the",
        "from",
    ];
    label.rsplit(' ').next().is_some_and(|last| OPEN.contains(&last.to_lowercase().as_str()))
}

/// Reads `per`, `each`, `for every 3` and `(max +2)` out of the words of a modifier.
pub(crate) fn counted(amount: Amount, label: &str) -> Amount {
    let (by, dice) = match &amount {
        Amount::Plus(n) => (*n, false),
        Amount::Dice(n) => (Num::whole(*n), true),
        _ => return amount,
    };
    let tokens = tokens(label);
    let Some(at) = tokens.iter().position(|t| t.is_any(&["per", "each", "every"])) else {
        return amount;
    };
    // "each side", "on each flank" say where, not how often.
    let leads = at == 0
        || at + 1 == tokens.len()
        || (at == 1 && tokens[0].is_any(&["for", "if", "drm"]))
        || tokens[at].is("per")
        || tokens.get(at.wrapping_sub(1)).is_some_and(|t| t.is("for"))
        || in_bracket(&tokens, at);
    if !leads {
        return amount;
    }
    let count = tokens.get(at + 1).and_then(|t| {
        t.num()
            .and_then(Num::as_whole)
            .or_else(|| COUNTS[1..4].iter().find(|(word, _)| t.is(word)).map(|(_, n)| *n))
    });
    let count = misread_count(label).or(count);
    let most = cap(label);
    Amount::Each { by, per: count.filter(|n| (1..=1000).contains(n)).unwrap_or(1), most, dice }
}

/// "Shooter wounded (each wound)": a bracket that says nothing else.
fn in_bracket(tokens: &[Token], at: usize) -> bool {
    const WHERE: [&str; 6] = ["side", "flank", "player", "turn", "end", "phase"];
    let opens = at.checked_sub(1).is_some_and(|b| tokens[b].sign('('));
    let closes = tokens.get(at + 2).is_some_and(|t| t.sign(')'));
    opens && closes && tokens[at + 1].word().is_some() && !tokens[at + 1].is_any(&WHERE)
}

/// The number of a group that OCR misread: 10 of "per l0 paces".
pub(crate) fn misread_count(label: &str) -> Option<i32> {
    let tokens = tokens(label);
    let at = tokens.iter().position(|t| t.is_any(&["per", "every"]))?;
    let (letters, digits) = (tokens.get(at + 1)?, tokens.get(at + 2)?);
    let word = letters.word().filter(|word| word.chars().all(|c| "lIOo".contains(c)))?;
    if digits.num().is_none() || digits.start != letters.end {
        return None;
    }
    let figures: String = label.chars().take(digits.end).skip(digits.start).collect();
    crate::band::repaired(&format!("{word}{figures}"))?.parse().ok()
}

/// The most that a modifier can add, if its words say so: "(max +2)", "maximum 4".
pub(crate) fn cap(label: &str) -> Option<Num> {
    let tokens = tokens(label);
    if let Some(at) = tokens.windows(2).position(|pair| pair[0].is("at") && pair[1].is("most")) {
        return tokens.get(at + 2).and_then(Token::num);
    }
    let at = tokens.iter().position(|t| t.is_any(&["max", "maximum"]))?;
    let after = tokens.iter().skip(at + 1).take(3).find_map(Token::num);
    after.or_else(|| at.checked_sub(1).and_then(|at| tokens[at].num()))
}

/// The least that a value counts, if the words say so: "at least 4".
pub(crate) fn floor(label: &str) -> Option<Num> {
    let tokens = tokens(label);
    let at = tokens.windows(2).position(|pair| pair[0].is("at") && pair[1].is("least"))?;
    tokens.get(at + 2).and_then(Token::num)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(text: &str) -> Option<(Amount, String)> {
        beside(text).map(|found| (counted(found.amount, &found.label), found.label))
    }

    #[test]
    fn amounts_beside_words() {
        let plus = |n| Amount::Plus(Num::whole(n));
        for (text, amount, label) in [
            ("+1 Target in cover", plus(1), "Target in cover"),
            ("- 2 Smoke", plus(-2), "Smoke"),
            ("–1 Unsupported.", plus(-1), "Unsupported."),
            ("(+1) uphill", plus(1), "uphill"),
            ("Uphill (+1)", plus(1), "Uphill"),
            ("Uphill: -2", plus(-2), "Uphill"),
            ("Uphill ........ +3", plus(3), "Uphill"),
            ("Plus 1 – flank", plus(1), "flank"),
            ("subtract 2 if shaken", plus(-2), "shaken"),
            ("Target in cover +1d6", Amount::Dice(1), "Target in cover"),
            ("x2 charging", Amount::Times(Num::whole(2)), "charging"),
            ("In motion ×½", Amount::Times(Num::ratio(1, 2)), "In motion"),
            ("+ or - Quality", Amount::Signed, "Quality"),
            ("Firer's quality + value", Amount::Value { minus: false }, "Firer's quality"),
            ("2L Woods", Amount::Shift(-2), "Woods"),
            (
                "-1 For every 3 lost",
                Amount::Each { by: Num::whole(-1), per: 3, most: None, dice: false },
                "For every 3 lost",
            ),
            (
                "+1 per rank (max +2)",
                Amount::Each { by: Num::whole(1), per: 1, most: Some(Num::whole(2)), dice: false },
                "per rank (max +2)",
            ),
        ] {
            assert_eq!(of(text), Some((amount, label.to_owned())), "{text}");
        }
        for text in
            ["0 - Routs", "Range 0-6", "No effect", "1-2 Miss", "Semi-open", "3 hits", "Roll 2d6"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
