//! Sentences that tell to roll: "each side rolls a die", "Both sides 1D6, high goes first", "Take 1D6 for
//! every trooper".

use super::test::{compared, test, under};
use super::{Needs, RollLine, Test, find, here};
use crate::band;
use crate::num::Num;
use crate::token::{Token, tokens};

/// A sentence that tells to roll.
pub(super) fn read(text: &str) -> Option<RollLine> {
    let tokens = tokens(text);
    let verb = tokens.iter().enumerate().position(|(at, t)| {
        (t.is_any(&["roll", "rolls", "throw", "throws"])
            || tests(&tokens, at)
            || takes(&tokens, at))
            && !at.checked_sub(1).is_some_and(|b| {
                // "the hit roll", but not "for every hit roll 2d6"
                let counted =
                    b.checked_sub(1).is_some_and(|c| tokens[c].is_any(&["each", "every"]))
                        && t.is_any(&["roll", "throw"]);
                tokens[b].is_any(&["die", "dice", "a", "the", "this", "modified", "per", "by"])
                    || (tokens[b].is("hit") && !counted)
            })
    });
    if verb.is_none()
        && let Some(line) = named(&tokens, text)
    {
        return Some(line);
    }
    if verb.is_none()
        && let Some(line) = terse(&tokens, text)
    {
        return Some(line);
    }
    // "Missions arrive according to 1D6:"
    if verb.is_none()
        && let [.., colon] = tokens.as_slice()
        && colon.sign(':')
        && let Some((dice, _, next)) = find(&tokens).filter(|(dice, ..)| dice.named)
        && next + 1 == tokens.len()
        && (tokens.len() >= 8 || tokens[0].is("then"))
    {
        let dice = Some(dice);
        return Some(RollLine { dice, ..RollLine::default() });
    }
    // "Slip away: d6 <= Mobility"
    if verb.is_none()
        && let Some((dice, ..)) = find(&tokens).filter(|(dice, ..)| dice.named)
        && let Some(test) = compared(&tokens, text)
    {
        let (dice, test) = (Some(dice), Some(test));
        return Some(RollLine { dice, test, ..RollLine::default() });
    }
    // "2d6 equal or under Nerve"
    if verb.is_none()
        && let Some((dice, 0, _)) = find(&tokens).filter(|(dice, ..)| dice.named)
        && let Some(test @ Test::AtMostValue(_)) = under(&tokens, text)
    {
        let (dice, test) = (Some(dice), Some(test));
        return Some(RollLine { dice, test, ..RollLine::default() });
    }
    let taken = tokens.first().is_some_and(|t| t.sign('('))
        && tokens.iter().any(|t| t.is_any(&["versus", "vs", "against", "looking"]));
    if verb.is_none() && !taken {
        return None;
    }
    let test = test(&tokens, text);
    let from = verb.unwrap_or(0);
    let dice = find(&tokens[from..])
        .map(|(dice, at, next)| (dice, at + from, next + from))
        // "1d6 per division, roll the number or higher"
        .or_else(|| find(&tokens).filter(|(dice, at, _)| dice.named && *at == 0));
    if dice.is_none() && test.is_none() {
        return None;
    }
    let who = verb.and_then(|verb| roller(&tokens[..verb], text));
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
        per(&tokens[*next..], text).or_else(|| as_many_as(&tokens, *at, *next, text))
    });
    let needs = needs(&tokens).filter(|_| test.is_none());
    Some(RollLine {
        who,
        dice: dice.map(|(dice, _, _)| dice),
        test,
        per,
        both,
        needs,
        ..RollLine::default()
    })
}

/// "Test on 2D6, equal to or under Morale": the dice follow at once.
fn tests(tokens: &[Token], at: usize) -> bool {
    if !tokens[at].is_any(&["test", "tests", "cast", "casts"]) {
        return false;
    }
    let after = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|t| t.is_any(&["on", "with"])));
    after < tokens.len() && here(tokens, after).is_some_and(|(dice, _)| dice.named)
}

/// "Take 1D6 for every trooper", "Musketry is one d6 per company": dice for each of something.
fn takes(tokens: &[Token], at: usize) -> bool {
    const VERBS: [&str; 10] =
        ["take", "takes", "is", "are", "gets", "get", "has", "have", "receives", "uses"];
    let counted = |next: usize| {
        tokens.get(next).is_some_and(|t| t.is("per"))
            || tokens.get(next).is_some_and(|t| t.is("for"))
                && tokens.get(next + 1).is_some_and(|t| t.is_any(&["each", "every"]))
    };
    // "Score this or less on D10"
    if tokens[at].is_any(&["score", "scores"])
        && tokens.get(at + 1).is_some_and(|t| t.is_any(&["this", "the", "equal"]))
    {
        let on = tokens[at..].iter().take(8).position(|t| t.is_any(&["on", "with"]));
        return on.is_some_and(|on| {
            tokens.get(at + on + 1).is_some()
                && here(tokens, at + on + 1).is_some_and(|(dice, _)| dice.named)
        });
    }
    tokens[at].is_any(&VERBS)
        && at + 1 < tokens.len()
        && here(tokens, at + 1).is_some_and(|(dice, next)| dice.named && counted(next))
}

/// "Charger: 2d6 against Rep", "2d6 against Rep", "Figure: Rep d6, each 1 to 3 a success"
fn named(tokens: &[Token], text: &str) -> Option<RollLine> {
    let colon = tokens
        .iter()
        .position(|t| t.sign(':'))
        .filter(|at| (1..=3).contains(at) && tokens[..*at].iter().all(|t| t.word().is_some()));
    let from = colon.map_or(0, |at| at + 1);
    let (dice, at, next) = find(tokens.get(from..)?)?;
    if !dice.named || at > 1 || tokens.len() > from + 14 {
        return None;
    }
    let (at, next) = (at + from, next + from);
    let against = tokens.get(next).is_some_and(|t| t.is_any(&["against", "versus", "vs"]));
    let each = tokens[next..].iter().position(|t| t.is("each")).map(|place| next + place + 1);
    let per = (at == from + 1).then(|| tokens[from].word().map(str::to_owned)).flatten();
    let test = match (against, each) {
        (true, _) => test(&tokens[next..], text),
        (false, Some(each)) => {
            let band = band::prefix(&tokens[each..])?.band;
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
    let heads = tokens.last().is_some_and(|t| t.is_any(&["result", "results", "effect"]));
    // "Test: 2d6, need the number or higher"
    let announced = colon == Some(1) && tokens[0].is_any(&["test", "roll", "dice", "check"]);
    let adds = at == from && !heads && (announced || !values(text).is_empty());
    // "One D6 per two bases shooting."
    let per = per.or_else(|| (at == from).then(|| self::per(&tokens[next..], text)).flatten());
    if test.is_none() && !adds && (per.is_none() || at > from) {
        return None;
    }
    let who = colon
        .map(|colon| text.chars().take(tokens[colon].start).collect::<String>().trim().to_owned());
    let needs = needs(tokens).filter(|_| test.is_none());
    Some(RollLine { who, dice: Some(dice), test, per, needs, ..RollLine::default() })
}

/// "Both sides 1D6, high goes first.", "1D6 when the mission lands:", "2D6, equal or under Quality": a line
/// that starts with its dice and leaves out the verb.
fn terse(tokens: &[Token], text: &str) -> Option<RollLine> {
    const SIDES: [&str; 9] =
        ["both", "each", "sides", "side", "players", "player", "the", "two", "opponents"];
    const JOINS: [&str; 12] =
        ["when", "at", "on", "for", "after", "before", "to", "and", "per", "versus", "plus", "if"];
    let colon = tokens
        .iter()
        .position(|t| t.sign(':'))
        .filter(|at| *at + 1 < tokens.len() && (1..=4).contains(at))
        .filter(|at| tokens[..*at].iter().all(|t| t.word().is_some()));
    let from = colon.map_or(0, |at| at + 1);
    // "After the battle, 1D6 for each lord out of combat:"
    let clause = tokens
        .iter()
        .position(|t| t.sign(','))
        .filter(|at| (2..=6).contains(at) && colon.is_none())
        .filter(|_| tokens[0].is_any(&["after", "before", "at", "when", "for", "each", "once"]));
    let from = clause.map_or(from, |at| at + 1);
    let lead = tokens[from..].iter().take_while(|t| t.is_any(&SIDES)).count();
    let both = lead > 0 && tokens[from].is_any(&["both", "each"]);
    let (dice, next) = tokens.get(from + lead).and_then(|_| here(tokens, from + lead))?;
    // "One d6 at the start: on 1-2 the sky is clear": what follows the colon is read by itself.
    let cut =
        tokens[next..].iter().position(|t| t.sign(':')).map_or(tokens.len(), |at| next + at + 1);
    let short = cut < tokens.len();
    let tokens = &tokens[..cut];
    if !dice.named || tokens.len() > 24 || (lead > 0 && !both) || (colon.is_some() && both) {
        return None;
    }
    let after = tokens.get(next);
    let goes_on =
        after.is_some_and(|t| t.sign(',') || t.sign('+') || t.sign('-') || t.is_any(&JOINS));
    let closed = short
        || text.trim_end().ends_with([':', '.'])
        || (both && after.is_none_or(|t| t.sign(',')));
    if !closed || !goes_on || tokens.iter().any(|t| t.sign('=') || t.sign('→')) {
        return None;
    }
    let who = both
        .then(|| text.chars().take(tokens[lead - 1].end).skip(tokens[0].start).collect::<String>());
    let test = under(tokens, text).or_else(|| test(&tokens[next..], text));
    let per = per(&tokens[next..], text);
    let needs = needs(tokens).filter(|_| test.is_none());
    Some(RollLine { who, dice: Some(dice), test, per, both, needs, ..RollLine::default() })
}

/// The purpose of the numbers that follow a sentence.
pub(crate) fn needs(tokens: &[Token]) -> Option<Needs> {
    let pair = |first: &[&str], second: &[&str]| {
        tokens.windows(2).any(|pair| pair[0].is_any(first) && pair[1].is_any(second))
    };
    if pair(&["or", "roll"], &["less", "under", "lower", "below"]) {
        return Some(Needs::OrLess);
    }
    let verbs = ["needed", "need", "needs", "required", "reach", "reaches", "beat"];
    let more = pair(&["or"], &["more", "better", "higher", "beat", "above", "over"])
        || tokens.iter().any(|t| t.is_any(&verbs))
        || (pair(&["to"], &["hit", "pass", "act"]) && tokens.last().is_some_and(|t| t.sign(':')));
    // "Roll 1D20 for each shot:" above a table of numbers.
    let announced = tokens.last().is_some_and(|t| t.sign(':'));
    (more || announced).then_some(Needs::OrMore)
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
    let label: String = text.chars().take(last.end).skip(first.start).collect();
    Some(label)
}

/// "a number of d6 equal to the shooter's Firepower", "dice equal to Rep", "as many d6 as ranks"
fn as_many_as(tokens: &[Token], at: usize, next: usize, text: &str) -> Option<String> {
    let after = &tokens[next..];
    let equal = after.first()?.is("equal") && after.get(1)?.is("to");
    let many = after[0].is("as") && at >= 2 && tokens[at - 1].is("many");
    let number = at >= 2 && tokens[at - 1].is("of") && tokens[at - 2].is("number");
    let dice = tokens[at..next].iter().any(|t| t.is("dice"));
    let from = match () {
        () if equal && (number || dice) => 2,
        () if many => 1,
        () => return None,
    };
    name_at(&after[from..], text)
}

/// A name of at most four words: "the shooter's Firepower" is "shooter's Firepower".
pub(super) fn name_at(tokens: &[Token], text: &str) -> Option<String> {
    const ENDS: [&str; 26] = [
        "and", "or", "to", "on", "if", "when", "with", "then", "plus", "minus", "for", "against",
        "are", "is", "that", "in", "gives", "brings", "counts", "hits", "passes", "succeeds",
        "scores", "causes", "inflicts", "saves",
    ];
    const JOINTS: [&str; 8] = ["of", "at", "from", "by", "near", "twice", "half", "double"];
    let skip = tokens
        .iter()
        .take_while(|t| {
            t.is_any(&["the", "his", "her", "its", "their", "there", "your", "a", "an"])
        })
        .count();
    let words: Vec<&Token> = tokens[skip..]
        .iter()
        .take_while(|t| (t.word().is_some() || t.sign('\'')) && !t.is_any(&ENDS))
        // "Leadership the test is passed" is two things, "Armour at the place hit" is one.
        .enumerate()
        .take_while(|(at, t)| *at == 0 || !t.is("the") || tokens[skip + at - 1].is_any(&JOINTS))
        .map(|(_, t)| t)
        .take(6)
        .collect();
    let (first, last) = (words.first()?, words.last()?);
    let name: String = text.chars().take(last.end).skip(first.start).collect();
    // "fol1owing" is one word that OCR misread.
    let glued =
        tokens.get(skip + words.len()).is_some_and(|t| t.start == last.end && t.num().is_some());
    let count = words.iter().filter(|t| t.word().is_some()).count();
    // "Fight value of the model"
    let of = words.iter().any(|t| t.is("of"));
    (!glued && count <= if of { 6 } else { 4 }).then_some(name)
}

/// Values of the roller that are added to the dice: "2d6 + quality", "roll 1d6 and add their Grit".
/// Each has its sign and its name.
pub(crate) fn values(text: &str) -> Vec<(bool, String)> {
    const NO_VALUE: [&str; 22] = [
        "these",
        "those",
        "this",
        "that",
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
    let all = tokens(text);
    let mut list = Vec::new();
    let Some((_, _, mut at)) = find(&all) else { return list };
    let name = |from: usize| {
        let after =
            all.get(from..).filter(|after| after.first().is_some_and(|t| t.word().is_some()));
        name_at(after?, text).filter(|name| {
            let words = tokens(name);
            let lists = ["modifiers", "factors", "bonuses", "results", "dice", "below"];
            !words.first().is_some_and(|t| t.is_any(&NO_VALUE))
                && !words.last().is_some_and(|t| t.is_any(&lists))
        })
    };
    // "2d6 + quality - armour"
    while all.get(at).is_some_and(|t| t.sign('+') || t.sign('-'))
        && let Some(value) = name(at + 1)
    {
        let words = tokens(&value).len();
        list.push((all[at].sign('-'), value));
        at += 1 + words;
    }
    while let Some(token) = all.get(at).filter(|t| !t.sign('.') && !t.sign(';') && !t.is("if")) {
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
