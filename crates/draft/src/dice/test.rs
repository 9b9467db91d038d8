//! What dice must show: "4+ to hit", "equal to or under Nerve", "on a 5 or 6 the arrow strikes home".

use super::sentence::name_at;
use super::{Test, find};
use crate::band;
use crate::num::Num;
use crate::token::{Token, tokens};

/// The condition for the dice, said in another sentence than the roll: "On 12 or more it is hit."
pub(crate) fn test_in(text: &str) -> Option<Test> {
    let tokens = tokens(text);
    // "Veterans pass on a 6 or more, levies on a 9 or more": the number is not the same for all.
    let mut scores = (0..tokens.len()).filter_map(|at| open_score(&tokens, at));
    let first = scores.next();
    if scores.any(|next| Some(next) != first) {
        return None;
    }
    test(&tokens, text)
}

/// The open band after "on" or "on a": "6 or more" of "pass on a 6 or more".
fn open_score(tokens: &[Token], at: usize) -> Option<band::Band> {
    tokens[at].is("on").then_some(())?;
    let next = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|t| t.is_any(&["a", "an"])));
    let band = tokens.get(next..).and_then(band::prefix)?.band;
    (band.from.is_none() || band.to.is_none()).then_some(band)
}

/// "2d6 ≤ Command", "d20 >= 12": a sign between the dice and what they are compared with.
pub(super) fn compared(tokens: &[Token], text: &str) -> Option<Test> {
    let (_, _, next) = find(tokens)?;
    let sign = tokens.get(next)?;
    let equal = tokens.get(next + 1).is_some_and(|t| t.sign('='));
    let (most, from) = match () {
        () if sign.sign('≤') => (true, next + 1),
        () if sign.sign('≥') => (false, next + 1),
        () if sign.sign('<') && equal => (true, next + 2),
        () if sign.sign('>') && equal => (false, next + 2),
        () => return None,
    };
    let after = tokens.get(from..)?;
    match (after.first()?.num(), most) {
        (Some(n), true) => Some(Test::AtMost(n)),
        (Some(n), false) => Some(Test::AtLeast(n)),
        (None, true) => name_at(after, text).map(Test::AtMostValue),
        (None, false) => None,
    }
}

/// "equal to or under Nerve", "Rep or less": the name of the value, or the number.
pub(super) fn under(tokens: &[Token], text: &str) -> Option<Test> {
    let at = tokens.windows(2).position(|pair| {
        pair[0].is("or") && pair[1].is_any(&["under", "below", "less", "lower"])
    })?;
    let equal = tokens[..at].iter().rev().take(2).any(|t| t.is_any(&["equal", "at"]));
    if !equal {
        return None;
    }
    let from = at + 2 + usize::from(tokens.get(at + 2).is_some_and(|t| t.is_any(&["than", "to"])));
    let after = tokens.get(from..)?;
    match after.first()?.num() {
        Some(n) => Some(Test::AtMost(n)),
        None => name_at(after, text).filter(|name| !is_announced(name)).map(Test::AtMostValue),
    }
}

/// "must score its Leadership or less": the name of the value stands before.
fn or_less(tokens: &[Token], text: &str) -> Option<Test> {
    const VERBS: [&str; 9] =
        ["score", "scores", "scoring", "roll", "rolling", "get", "of", "rolls", "throw"];
    let at = tokens.windows(2).position(|pair| {
        pair[0].is("or") && pair[1].is_any(&["under", "less", "lower", "more", "higher", "better"])
    })?;
    let verb = tokens[..at].iter().rposition(|t| t.is_any(&VERBS))?;
    let name = name_at(tokens.get(verb + 1..at)?, text)?;
    let whole = tokens[verb + 1..at].iter().all(|t| t.word().is_some() || t.sign('\''));
    let named = whole && name.split_whitespace().count() <= 3 && !is_announced(&name);
    let most = tokens[at + 1].is_any(&["under", "less", "lower"]);
    let dice = crate::token::tokens(&name)
        .iter()
        .any(|t| t.is_any(&["die", "dice", "equal", "this", "d"]));
    let test = if most { Test::AtMostValue(name) } else { Test::AtLeastValue(name) };
    (named && !dice).then_some(test)
}

/// "equal or under the number:" speaks of a table that follows, not of a value of the unit.
fn is_announced(name: &str) -> bool {
    const TABLES: [&str; 8] =
        ["number", "numbers", "score", "figure", "figures", "following", "table", "chance"];
    tokens(name).first().is_some_and(|t| t.is_any(&TABLES))
}

/// "Every die that matches or beats the model's Wits", "each die higher than the Resolve": a value that
/// each die must reach. Above it is not said by a value alone.
fn beats(tokens: &[Token], text: &str) -> Option<Test> {
    let die = tokens
        .windows(2)
        .position(|pair| pair[0].is_any(&["every", "each"]) && pair[1].is_any(&["die", "dice"]))?;
    let at = tokens[die..].windows(3).position(|words| {
        words[0].is_any(&["matches", "equals", "equal", "meets"])
            && words[1].is("or")
            && words[2].is_any(&["beats", "exceeds", "above", "higher"])
    })? + die
        + 3;
    let from = at + usize::from(tokens.get(at).is_some_and(|t| t.is_any(&["than", "to"])));
    name_at(tokens.get(from..)?, text).map(Test::AtLeastValue)
}

/// "4+ to hit", "hits on 5, 6", "versus Rep", "each die of Rep or less passes"
pub(super) fn test(tokens: &[Token], text: &str) -> Option<Test> {
    if let Some(test) = under(tokens, text) {
        return Some(test);
    }
    if let Some(test) = beats(tokens, text).or_else(|| or_less(tokens, text)) {
        return Some(test);
    }
    let sides = find(tokens).map_or(6, |(dice, _, _)| dice.sides as i32);
    if let Some(test) = compared(tokens, text) {
        return Some(test);
    }
    if let Some(at) = tokens.iter().position(|t| t.is_any(&["versus", "vs", "against"])) {
        let after = &tokens[at + 1..];
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
    if tokens.iter().any(|t| t.is("successes")) && tokens.first().is_some_and(|t| t.sign('(')) {
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
    let score = |at: usize| {
        let next = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|t| t.is_any(&["a", "an"])));
        tokens[at].is("on") && tokens.get(next..).and_then(band::prefix).is_some()
    };
    let scores = (0..tokens.len()).filter(|at| score(*at)).count();
    for at in 0..tokens.len() {
        let apart = tokens[at].sign(',') || tokens[at].sign(';') || tokens[at].sign(':');
        let needs = tokens[at].is_any(&["need", "needs", "needing", "needed", "requires"]);
        if needs
            || apart
            || tokens[at].is_any(&["on", "of", "scores", "scoring", "each", "every"])
            || at == 0
        {
            let from = if at == 0 && !tokens[0].is("on") { 0 } else { at + 1 };
            let from = from + usize::from(tokens.get(from).is_some_and(|t| t.is_any(&["a", "an"])));
            let Some(band) = tokens.get(from..).and_then(band::prefix) else { continue };
            // "On a 5 or 6 the arrow strikes home": the only score of the text.
            let only = tokens[at].is("on") && scores == 1;
            let around = needs || only || tokens.iter().any(|t| t.is_any(&hits));
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
