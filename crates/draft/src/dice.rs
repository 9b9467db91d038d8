//! Dice in sentences and headings: `2D6`, `d%`, `DR`, "each side rolls a die".

use crate::band;
use crate::num::Num;
use crate::token::{Token, before, tokens};

/// Dice of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// How many.
    pub count: u32,
    /// Their sides.
    pub sides: u32,
    /// The sheet names the sides; otherwise they are a guess.
    pub named: bool,
}

/// What a die must show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// This number or more.
    AtLeast(Num),
    /// This number or less.
    AtMost(Num),
    /// A value of the unit or less: its name.
    AtMostValue(String),
}

/// A sentence that says what is rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollLine {
    /// Who rolls, as printed.
    pub who: Option<String>,
    /// The dice, if the sentence says them.
    pub dice: Option<Dice>,
    /// Each die is tested on its own.
    pub test: Option<Test>,
    /// One die for each of these, as printed.
    pub per: Option<String>,
    /// Both sides roll.
    pub both: bool,
}

const COUNTS: [(&str, u32); 8] = [
    ("a", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("single", 1),
];

/// The first dice in the tokens, with their place.
pub(crate) fn find(tokens: &[Token]) -> Option<(Dice, usize, usize)> {
    (0..tokens.len()).find_map(|at| here(tokens, at).map(|(dice, next)| (dice, at, next)))
}

fn here(tokens: &[Token], at: usize) -> Option<(Dice, usize)> {
    let token = &tokens[at];
    let dice = |count: u32, sides: u32, named: bool, next: usize| {
        ((1..=50).contains(&count) && (2..=1000).contains(&sides))
            .then_some((Dice { count, sides, named }, next))
    };
    let glued = |a: usize| tokens.get(a + 1).is_some_and(|next| next.start == tokens[a].end);
    let sides = |place: usize| {
        let token = tokens.get(place)?;
        if token.sign('%') {
            return Some(100);
        }
        token.num().and_then(Num::as_whole).and_then(|n| u32::try_from(n).ok())
    };
    if let Some(count) = token.num().and_then(Num::as_whole) {
        let d = tokens.get(at + 1)?;
        if d.is("d") && glued(at) && glued(at + 1) {
            return dice(u32::try_from(count).ok()?, sides(at + 2)?, true, at + 3);
        }
        if d.is_any(&["dice", "die"])
            && !at.checked_sub(1).is_some_and(|b| tokens[b].sign('+') || tokens[b].sign('-'))
        {
            return dice(u32::try_from(count).ok()?, 6, false, at + 2);
        }
        return None;
    }
    let fraction = at
        .checked_sub(1)
        .is_some_and(|b| tokens[b].num().is_some() && tokens[b].end == token.start);
    // "D2r" is a code.
    let code = tokens.get(at + 2).is_some_and(|t| {
        t.start == tokens[at + 1].end && t.word().is_some_and(|word| !t.is("s") && word.len() < 3)
    });
    if token.is("d") && !fraction && glued(at) && !code {
        return dice(1, sides(at + 1)?, true, at + 2);
    }
    if token.word() == Some("DR") {
        return dice(2, 6, true, at + 1);
    }
    if token.word() == Some("dr") {
        return dice(1, 6, true, at + 1);
    }
    if token.is("percentile") && tokens.get(at + 1)?.is_any(&["dice", "die"]) {
        return dice(1, 100, true, at + 2);
    }
    // "the ten-sided die"
    let sided = ["six", "eight", "ten", "twelve", "twenty"].iter().zip([6, 8, 10, 12, 20]);
    if let Some((_, sides)) = sided.into_iter().find(|(word, _)| token.is(word))
        && tokens.get(at + 1).is_some_and(|t| t.sign('-'))
        && tokens.get(at + 2).is_some_and(|t| t.is("sided"))
        && tokens.get(at + 3).is_some_and(|t| t.is_any(&["die", "dice"]))
    {
        return dice(1, sides, true, at + 4);
    }
    let (_, count) = COUNTS.iter().find(|(word, _)| token.is(word))?;
    let next = at + 1;
    if tokens.get(next)?.is("d") && glued(next) {
        return dice(*count, sides(next + 1)?, true, next + 2);
    }
    tokens.get(next).filter(|t| t.is_any(&["die", "dice"]))?;
    dice(*count, 6, false, next + 1)
}

/// A text with dice that OCR misread, such as `ldl0`: the text with `1d10`, and the dice as read.
pub(crate) fn mended(text: &str) -> Option<(String, String)> {
    let mut read = None;
    let words: Vec<String> = text
        .split(' ')
        .map(|word| {
            let digits = |part: &str| {
                part.chars()
                    .map(|c| match c {
                        'l' | 'I' | '|' => Some('1'),
                        'O' | 'o' => Some('0'),
                        c if c.is_ascii_digit() => Some(c),
                        _ => None,
                    })
                    .collect::<Option<String>>()
            };
            let Some((count, sides)) = word.split_once(['d', 'D']) else { return word.to_owned() };
            let (Some(count), Some(sides)) = (digits(count), digits(sides)) else {
                return word.to_owned();
            };
            let known = ["4", "6", "8", "10", "12", "20", "100"].contains(&sides.as_str());
            let dice = format!("{count}d{sides}");
            if !known || dice.eq_ignore_ascii_case(word) || read.is_some() || count.len() > 2 {
                return word.to_owned();
            }
            read = Some(dice.clone());
            dice
        })
        .collect();
    read.map(|read| (words.join(" "), read))
}

/// The dice that a whole cell names: `1d10`, `D6 roll`, `Roll (2d6)`.
pub(crate) fn whole(text: &str) -> Option<Dice> {
    let found = tokens(text);
    let (dice, at, next) = find(&found)?;
    let noise = |t: &Token| {
        !t.sign('+')
            && !t.sign('-')
            && t.word().is_none_or(|_| {
                t.is_any(&[
                    "roll", "rolls", "die", "dice", "result", "score", "total", "modified", "the",
                ])
            })
            && t.num().is_none()
    };
    (found[..at].iter().all(noise) && found[next..].iter().all(noise)).then_some(dice)
}

/// A sentence that tells to roll.
pub(crate) fn roll_line(text: &str) -> Option<RollLine> {
    let found = tokens(text);
    let verb = found.iter().enumerate().position(|(at, t)| {
        (t.is_any(&["roll", "rolls", "throw", "throws"]) || tests(&found, at))
            && !at.checked_sub(1).is_some_and(|b| {
                found[b]
                    .is_any(&["die", "dice", "a", "the", "this", "modified", "per", "by", "hit"])
            })
    });
    if verb.is_none()
        && let Some(line) = named(&found, text)
    {
        return Some(line);
    }
    // "Missions arrive according to 1D6:"
    if verb.is_none()
        && let [.., colon] = found.as_slice()
        && colon.sign(':')
        && let Some((dice, _, next)) = find(&found).filter(|(dice, ..)| dice.named)
        && next + 1 == found.len()
        && (found.len() >= 8 || found[0].is("then"))
    {
        let dice = Some(dice);
        return Some(RollLine { who: None, dice, test: None, per: None, both: false });
    }
    // "Slip away: d6 <= Mobility"
    if verb.is_none()
        && let Some((dice, ..)) = find(&found).filter(|(dice, ..)| dice.named)
        && let Some(test) = compared(&found, text)
    {
        let (dice, test) = (Some(dice), Some(test));
        return Some(RollLine { who: None, dice, test, per: None, both: false });
    }
    let taken = found.first().is_some_and(|t| t.sign('('))
        && found.iter().any(|t| t.is_any(&["versus", "vs", "against", "looking"]));
    if verb.is_none() && !taken {
        return None;
    }
    let test = test(&found, text);
    let from = verb.unwrap_or(0);
    let dice = find(&found[from..]).map(|(dice, at, next)| (dice, at + from, next + from));
    if dice.is_none() && test.is_none() {
        return None;
    }
    let who = verb.and_then(|verb| roller(&found[..verb], text));
    let both = who.as_deref().is_some_and(|who| {
        let who = who.to_lowercase();
        who.contains(" and ")
            || who.starts_with("each side")
            || who.split(' ').any(|word| word == "both")
            || who.starts_with("each player")
            || who.starts_with("each opponent")
            || ["jeder", "beide", "chaque joueur"].iter().any(|word| who.starts_with(word))
            || who.starts_with("opponents")
    });
    let per = dice.as_ref().and_then(|(_, at, next)| {
        per(&found[*next..], text).or_else(|| as_many_as(&found, *at, *next, text))
    });
    Some(RollLine { who, dice: dice.map(|(dice, _, _)| dice), test, per, both })
}

/// "Test on 2D6, equal to or under Morale": the dice follow at once.
fn tests(found: &[Token], at: usize) -> bool {
    let after = at + 1 + usize::from(found.get(at + 1).is_some_and(|t| t.is_any(&["on", "with"])));
    found[at].is_any(&["test", "tests"])
        && after < found.len()
        && here(found, after).is_some_and(|(dice, _)| dice.named)
}

/// "Charger: 2d6 against Rep", "2d6 against Rep", "Figure: Rep d6, each 1 to 3 a success"
fn named(found: &[Token], text: &str) -> Option<RollLine> {
    let colon = found
        .iter()
        .position(|t| t.sign(':'))
        .filter(|at| (1..=3).contains(at) && found[..*at].iter().all(|t| t.word().is_some()));
    let from = colon.map_or(0, |at| at + 1);
    let (dice, at, next) = find(found.get(from..)?)?;
    if !dice.named || at > 1 || found.len() > from + 14 {
        return None;
    }
    let (at, next) = (at + from, next + from);
    let against = found.get(next).is_some_and(|t| t.is_any(&["against", "versus", "vs"]));
    let each = found[next..].iter().position(|t| t.is("each")).map(|place| next + place + 1);
    let per = (at == from + 1).then(|| found[from].word().map(str::to_owned)).flatten();
    let test = match (against, each) {
        (true, _) => test(&found[next..], text),
        (false, Some(each)) => {
            let band = band::prefix(&found[each..])?.band;
            let whole = |n: Option<Num>| n.and_then(Num::as_whole);
            match (whole(band.low()), whole(band.high())) {
                (Some(1) | None, Some(high)) => Some(Test::AtMost(Num::whole(high))),
                (Some(low), None) => Some(Test::AtLeast(Num::whole(low))),
                (Some(low), Some(high)) if high == dice.sides as i32 => {
                    Some(Test::AtLeast(Num::whole(low)))
                }
                _ => None,
            }
        }
        (false, None) => None,
    };
    // "2d6 + Penetration - Armour, then:"
    let heads = found.last().is_some_and(|t| t.is_any(&["result", "results", "effect"]));
    // "Test: 2d6, need the number or higher"
    let told = colon == Some(1) && found[0].is_any(&["test", "roll", "dice", "check"]);
    let adds = at == from && !heads && (told || !values(text).is_empty());
    // "One D6 per two bases shooting."
    let per = per.or_else(|| (at == from).then(|| self::per(&found[next..], text)).flatten());
    if test.is_none() && !adds && (per.is_none() || at > from) {
        return None;
    }
    let who = colon
        .map(|colon| text.chars().take(found[colon].start).collect::<String>().trim().to_owned());
    Some(RollLine { who, dice: Some(dice), test, per, both: false })
}

/// The words before the verb: who rolls.
fn roller(words: &[Token], text: &str) -> Option<String> {
    let stop = words.iter().rposition(|t| t.sign(',') || t.sign('.') || t.sign(':') || t.sign(';'));
    let words = &words[stop.map_or(0, |at| at + 1)..];
    let skip =
        usize::from(words.first().is_some_and(|t| t.is_any(&["the", "a", "an", "then", "to"])));
    let words = &words[skip..];
    if words.is_empty()
        || words.len() > 4
        || words.iter().any(|t| {
            t.word().is_none() || t.is_any(&["if", "when", "must", "may", "can", "unit's"])
        })
    {
        return None;
    }
    let all: String = text.chars().take(words.last()?.end).skip(words.first()?.start).collect();
    Some(all)
}

/// "one die per base", "a die for each gun"
fn per(after: &[Token], text: &str) -> Option<String> {
    let first = after.first()?;
    let start = match () {
        () if first.is("per") => 1,
        () if first.is("for") && after.get(1)?.is_any(&["each", "every"]) => 2,
        () => return None,
    };
    let mut words: Vec<&Token> = after[start..]
        .iter()
        .take_while(|t| {
            t.word().is_some() && !t.is_any(&["and", "that", "which", "in", "to", "then"])
        })
        .take(5)
        .collect();
    while words.last().is_some_and(|t| t.is_any(&["on", "the", "of", "a", "at", "with", "for"])) {
        words.pop();
    }
    let (first, last) = (words.first()?, words.last()?);
    let said: String = text.chars().take(last.end).skip(first.start).collect();
    Some(said)
}

/// "a number of d6 equal to the shooter's Firepower", "dice equal to Rep", "as many d6 as ranks"
fn as_many_as(found: &[Token], at: usize, next: usize, text: &str) -> Option<String> {
    let after = &found[next..];
    let equal = after.first()?.is("equal") && after.get(1)?.is("to");
    let many = after[0].is("as") && at >= 2 && found[at - 1].is("many");
    let number = at >= 2 && found[at - 1].is("of") && found[at - 2].is("number");
    let dice = found[at..next].iter().any(|t| t.is("dice"));
    let from = match () {
        () if equal && (number || dice) => 2,
        () if many => 1,
        () => return None,
    };
    name_at(&after[from..], text)
}

/// A name of at most four words: "the shooter's Firepower" is "shooter's Firepower".
fn name_at(tokens: &[Token], text: &str) -> Option<String> {
    const ENDS: [&str; 16] = [
        "and", "or", "to", "on", "if", "when", "with", "then", "plus", "minus", "for", "against",
        "are", "is", "that", "in",
    ];
    let skip = tokens
        .iter()
        .take_while(|t| t.is_any(&["the", "his", "her", "its", "their", "your", "a", "an"]))
        .count();
    let words: Vec<&Token> = tokens[skip..]
        .iter()
        .take_while(|t| (t.word().is_some() || t.sign('\'')) && !t.is_any(&ENDS))
        .take(6)
        .collect();
    let (first, last) = (words.first()?, words.last()?);
    let name: String = text.chars().take(last.end).skip(first.start).collect();
    // "fol1owing" is one word that OCR misread.
    let glued =
        tokens.get(skip + words.len()).is_some_and(|t| t.start == last.end && t.num().is_some());
    (!glued && words.iter().filter(|t| t.word().is_some()).count() <= 4).then_some(name)
}

/// Values of the roller that are added to the dice: "2d6 + quality", "roll 1d6 and add their Grit".
/// Each has its sign and its name.
pub(crate) fn values(text: &str) -> Vec<(bool, String)> {
    const NO_VALUE: [&str; 18] = [
        "modifier",
        "modifiers",
        "factor",
        "factors",
        "following",
        "below",
        "any",
        "all",
        "dice",
        "together",
        "up",
        "them",
        "it",
        "bonus",
        "bonuses",
        "result",
        "results",
        "drm",
    ];
    let found = tokens(text);
    let mut list = Vec::new();
    let Some((_, _, mut at)) = find(&found) else { return list };
    let name = |from: usize| {
        let after =
            found.get(from..).filter(|after| after.first().is_some_and(|t| t.word().is_some()));
        name_at(after?, text).filter(|name| {
            let words = tokens(name);
            let lists = ["modifiers", "factors", "bonuses", "results", "dice", "below"];
            !words.first().is_some_and(|t| t.is_any(&NO_VALUE))
                && !words.last().is_some_and(|t| t.is_any(&lists))
        })
    };
    // "2d6 + quality - armour"
    while found.get(at).is_some_and(|t| t.sign('+') || t.sign('-'))
        && let Some(value) = name(at + 1)
    {
        let words = tokens(&value).len();
        list.push((found[at].sign('-'), value));
        at += 1 + words;
    }
    while let Some(token) = found.get(at).filter(|t| !t.sign('.') && !t.sign(';') && !t.is("if")) {
        let adds = token.is_any(&["add", "adds", "adding", "plus"]);
        let takes = token.is_any(&["subtract", "subtracts", "subtracting", "minus"]);
        if (adds || takes)
            && let Some(value) = name(at + 1)
        {
            list.push((takes, value));
        }
        at += 1;
    }
    list
}

/// What the dice must reach, said in another sentence than the roll: "On 12 or more it is hit."
pub(crate) fn test_in(text: &str) -> Option<Test> {
    test(&tokens(text), text)
}

/// "2d6 ≤ Command", "d20 >= 12": a sign between the dice and what they are compared with.
fn compared(found: &[Token], text: &str) -> Option<Test> {
    let (_, _, next) = find(found)?;
    let sign = found.get(next)?;
    let equal = found.get(next + 1).is_some_and(|t| t.sign('='));
    let (most, from) = match () {
        () if sign.sign('≤') => (true, next + 1),
        () if sign.sign('≥') => (false, next + 1),
        () if sign.sign('<') && equal => (true, next + 2),
        () if sign.sign('>') && equal => (false, next + 2),
        () => return None,
    };
    let after = found.get(from..)?;
    match (after.first()?.num(), most) {
        (Some(n), true) => Some(Test::AtMost(n)),
        (Some(n), false) => Some(Test::AtLeast(n)),
        (None, true) => name_at(after, text).map(Test::AtMostValue),
        (None, false) => None,
    }
}

/// "equal to or under Nerve", "Rep or less": the name of the value, or the number.
fn under(found: &[Token], text: &str) -> Option<Test> {
    let at = found.windows(2).position(|pair| {
        pair[0].is("or") && pair[1].is_any(&["under", "below", "less", "lower"])
    })?;
    let equal = found[..at].iter().rev().take(2).any(|t| t.is_any(&["equal", "at"]));
    if !equal {
        return None;
    }
    let from = at + 2 + usize::from(found.get(at + 2).is_some_and(|t| t.is_any(&["than", "to"])));
    let after = found.get(from..)?;
    match after.first()?.num() {
        Some(n) => Some(Test::AtMost(n)),
        None => name_at(after, text).map(Test::AtMostValue),
    }
}

/// "4+ to hit", "hits on 5, 6", "versus Rep", "each die of Rep or less passes"
fn test(found: &[Token], text: &str) -> Option<Test> {
    if let Some(test) = under(found, text) {
        return Some(test);
    }
    let sides = find(found).map_or(6, |(dice, _, _)| dice.sides as i32);
    if let Some(test) = compared(found, text) {
        return Some(test);
    }
    if let Some(at) = found.iter().position(|t| t.is_any(&["versus", "vs", "against"])) {
        let after = &found[at + 1..];
        let dice = |place: usize| {
            after.get(place + 1).is_some_and(|t| t.is("d") && t.start == after[place].end)
        };
        let stop = (0..after.len())
            .find(|place| {
                after[*place].sign(')')
                    || after[*place].sign('.')
                    || after[*place].sign(',')
                    || dice(*place)
            })
            .unwrap_or(after.len());
        let rest: Vec<&Token> = after[..stop].iter().collect();
        if let Some(number) = rest.iter().find_map(|t| t.num()) {
            return Some(Test::AtMost(number));
        }
        let words: Vec<&&Token> = rest
            .iter()
            .filter(|t| t.word().is_some() && !t.is_any(&["the", "his", "its", "their", "a"]))
            .collect();
        if let (Some(first), Some(last)) = (words.first(), words.last())
            && words.len() <= 3
        {
            return Some(Test::AtMostValue(
                text.chars().take(last.end).skip(first.start).collect(),
            ));
        }
    }
    if found.iter().any(|t| t.is("successes")) && found.first().is_some_and(|t| t.sign('(')) {
        return None;
    }
    let hits = [
        "hit",
        "hits",
        "pass",
        "passes",
        "save",
        "saves",
        "succeed",
        "succeeds",
        "success",
        "successes",
        "kill",
        "kills",
        "wound",
        "wounds",
    ];
    for at in 0..found.len() {
        let apart = found[at].sign(',') || found[at].sign(';') || found[at].sign(':');
        let needs = found[at].is_any(&["need", "needs", "needing", "needed", "requires"]);
        if needs
            || apart
            || found[at].is_any(&["on", "of", "scores", "scoring", "each", "every"])
            || at == 0
        {
            let from = if at == 0 && !found[0].is("on") { 0 } else { at + 1 };
            let from = from + usize::from(found.get(from).is_some_and(|t| t.is("a")));
            let Some(band) = found.get(from..).and_then(band::prefix) else { continue };
            let around = needs || found.iter().any(|t| t.is_any(&hits));
            let (low, high) = (band.band.low(), band.band.high());
            match (low, high) {
                (Some(low), None) if around => return Some(Test::AtLeast(low)),
                (Some(low), Some(high))
                    if around && high == Num::whole(sides) && low > Num::whole(1) && from > 0 =>
                {
                    return Some(Test::AtLeast(low));
                }
                (None, Some(high)) if around => return Some(Test::AtMost(high)),
                _ => {}
            }
        }
    }
    None
}

/// A title without the dice and brackets at its end, and the dice.
pub(crate) fn of_title(text: &str) -> (String, Option<Dice>) {
    let found = tokens(text);
    let Some((dice, at, next)) = find(&found) else { return (text.to_owned(), None) };
    let noise = |t: &Token| {
        t.sign(')') || t.sign(']') || t.sign('.') || t.is_any(&["roll", "rolls", "test"])
    };
    // "WEATHER (2d6, before deployment)"
    let bracket = at > 0
        && found[at - 1].sign('(')
        && found.last().is_some_and(|t| t.sign(')'))
        && found[next].sign(',')
        && found.len() <= next + 7;
    if at == 0 || !dice.named || !(bracket || found[next..].iter().all(noise)) {
        return (text.to_owned(), Some(dice).filter(|dice| dice.named));
    }
    let mut end = found[at].start;
    if found.get(at - 1).is_some_and(|t| t.is_any(&["roll", "on"])) {
        end = found[at - 1].start;
    }
    let title = before(text, end);
    // "Magazine (l D6)", as OCR reads it.
    let title =
        ["(l", "(I", "(1"].iter().find_map(|tail| title.strip_suffix(tail)).unwrap_or(&title);
    let title = title.trim_end().to_owned();
    if title.is_empty() { (text.to_owned(), Some(dice)) } else { (title, Some(dice)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn dice_in_sentences() {
        let dice = |text: &str| {
            roll_line(text).and_then(|line| line.dice).map(|d| (d.count, d.sides, d.named))
        };
        assert_eq!(dice("The firer rolls 1d10 and adds the following..."), Some((1, 10, true)));
        assert_eq!(dice("Roll 2D6 and apply any modifiers"), Some((2, 6, true)));
        assert_eq!(dice("Roll a die."), Some((1, 6, false)));
        assert_eq!(dice("Roll d%"), Some((1, 100, true)));
        assert_eq!(dice("The roll is halved"), None);
        assert_eq!(roll_line("The tank hunter rolls 1d10").unwrap().who.unwrap(), "tank hunter");
        assert!(roll_line("Each side rolls 1d6 and adds").unwrap().both);
        assert_eq!(roll_line("Roll one die per base, 5+ hits").unwrap().per.unwrap(), "base");
        assert_eq!(
            roll_line("(Taken versus the Rep of 4)").unwrap().test,
            Some(Test::AtMost(Num::whole(4)))
        );
        assert_eq!(
            roll_line("(Taken versus Rep)").unwrap().test,
            Some(Test::AtMostValue("Rep".into()))
        );
        assert_eq!(
            roll_line("Roll 3D6, each 4+ hits").unwrap().test,
            Some(Test::AtLeast(Num::whole(4)))
        );
        assert_eq!(
            roll_line("Roll 1d10. Each 9 or 10 is a hit").unwrap().test,
            Some(Test::AtLeast(Num::whole(9)))
        );
        assert_eq!(
            roll_line("Roll 1d6 equal to or under Nerve to pass").unwrap().test,
            Some(Test::AtMostValue("Nerve".into()))
        );
        let per = |text: &str| roll_line(text).unwrap().per.unwrap();
        assert_eq!(per("Roll 1d6 per hit on the firer"), "hit on the firer");
        assert_eq!(
            per("Roll a number of d6 equal to the shooter's Firepower."),
            "shooter's Firepower"
        );
        assert_eq!(
            roll_line("Roll 1d6 per gun; hits on 5, 6").unwrap().test,
            Some(Test::AtLeast(Num::whole(5)))
        );
    }

    #[test]
    fn values_that_are_added_to_the_dice() {
        let shown = |text: &str| {
            values(text)
                .into_iter()
                .map(|(minus, name)| format!("{}{name}", if minus { '-' } else { '+' }))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown("Roll 2d6 + quality"), "+quality");
        assert_eq!(shown("(2d6 + gun factor - armour)"), "+gun factor -armour");
        assert_eq!(shown("Both fighters roll 1d6 and add their Grit."), "+Grit");
        assert_eq!(shown("roll a d20 and add his Shoot stat. Add 1 if it runs"), "+Shoot stat");
        assert_eq!(shown("Roll 2d6 and add the modifiers below"), "");
        assert_eq!(shown("Roll 1d6 and add 2"), "");
    }

    #[test]
    fn dice_of_cells_and_titles() {
        assert_eq!(whole("1d10").unwrap().sides, 10);
        assert_eq!(whole("D6 roll").unwrap().count, 1);
        assert!(whole("D6 passed").is_none());
        assert_eq!(
            of_title("Morale test (2D6)"),
            ("Morale test".into(), Some(Dice { count: 2, sides: 6, named: true }))
        );
        assert_eq!(of_title("Close combat").1, None);
    }
}
