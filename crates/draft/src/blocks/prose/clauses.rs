//! Modifiers in sentences: "add 1 if in cover", "veterans have +2".

use super::runs::without_joints;
use crate::amount::{self, Amount};
use crate::num::Num;
use crate::token::{Token, before, tokens};

/// The longest condition of a modifier, in words and signs.
pub(super) const LONGEST_CLAUSE: usize = 40;

/// "add 1 if in cover", "-1 for each loss", "subtract 2 when shaken"
pub(super) fn clauses(text: &str) -> Vec<(Amount, String)> {
    let tokens = tokens(text);
    let mut list = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let token = &tokens[place];
        if let Some((amount, label, end)) =
            factor(text, &tokens, place).or_else(|| shift(text, &tokens, place))
        {
            list.push((amount, label));
            place = end;
            continue;
        }
        let fresh = place == 0
            || tokens[place - 1].num().is_none()
                && (tokens[place - 1].end < token.start || tokens[place - 1].sign('('));
        let signed = token.sign('+')
            || token.sign('-')
            || token.is_any(&[
                "add",
                "adds",
                "subtract",
                "subtracts",
                "deduct",
                "deducts",
                "minus",
                "plus",
                "adding",
                "subtracting",
                "deducting",
                "take",
                "takes",
            ]);
        let read = (fresh && signed).then(|| amount::prefix(&tokens[place..])).flatten();
        let Some((amount, next)) = read else {
            place += 1;
            continue;
        };
        let mut from = place + next;
        // "add 1 to the roll if"
        if tokens.get(from).is_some_and(|t| t.is_any(&["to", "from"])) {
            // "deduct 2 from the die over 24 paces"
            let opens = |t: &Token| {
                t.is_any(&["if", "when", "for", "per", "over", "beyond", "within", "against"])
            };
            let sentence = |t: &&Token| !t.sign('.') && !t.sign(';');
            let skip = tokens[from..].iter().take(5).take_while(sentence).position(opens);
            from += skip.unwrap_or(0);
        }
        let verb = !token.sign('+') && !token.sign('-');
        let opens = tokens.get(from).is_some_and(|t| {
            t.is_any(&["if", "when", "for", "per", "each", "while", "against"])
                || ((verb || !list.is_empty()) && t.is_any(&PLACES))
        });
        let end = clause_end(&tokens, from);
        if opens && end > from + 1 && matches!(amount, Amount::Plus(_) | Amount::Dice(_)) {
            let counted = tokens[from].is_any(&["per", "each"])
                || (tokens[from].is("for")
                    && tokens.get(from + 1).is_some_and(|t| t.is_any(&["each", "every"])));
            let start = if counted || tokens[from].is("against") || tokens[from].is_any(&PLACES) {
                tokens[from].start
            } else {
                tokens[from + 1].start
            };
            let label = before(
                &text.chars().take(tokens[end - 1].end).collect::<String>(),
                tokens[end - 1].end,
            );
            let label: String = label.chars().skip(start).collect();
            // "A berserk adds 3 in the first round": the verb has a subject.
            let third = token.is_any(&["adds", "subtracts", "deducts", "takes"]);
            // "A berserk has +3 in the first round"
            let gives = place > 0 && tokens[place - 1].is_any(&GIVES) && !verb;
            let who = match (third, gives) {
                (true, _) => who_adds(text, &tokens, place),
                (false, true) => who_adds(text, &tokens, place - 1),
                (false, false) => None,
            };
            let label = match who {
                Some(who) if tokens[from].is_any(&PLACES) => format!("{who} {}", label.trim()),
                _ => label.trim().to_owned(),
            };
            list.push((amount, label));
            place = end;
            place += further(text, &tokens, place, &mut list);
        } else if let Some((label, end)) = terse(text, &tokens, place, from)
            && matches!(amount, Amount::Plus(_))
        {
            list.push((amount, label));
            place = end;
        } else if let Some(label) = subject(text, &tokens, place)
            .or_else(|| subject_alone(text, &tokens, place, place + next))
            && matches!(amount, Amount::Plus(_))
        {
            list.push((amount, label));
            place += next.max(1);
        } else {
            place += next.max(1);
        }
    }
    list.retain(|(_, label)| {
        label.chars().any(char::is_alphabetic) && label.split_whitespace().count() <= 14
    });
    list
}

/// "-1 cover." as a sentence of its own: the label, and where it ends.
fn terse(text: &str, tokens: &[Token], place: usize, from: usize) -> Option<(String, usize)> {
    let ends = |t: &Token| t.sign('.') || t.sign(';') || t.sign(',');
    let starts = tokens[place].sign('+') || tokens[place].sign('-');
    // "Modifiers: -1 cover, …", but not "Heavy shell: +1 box lost".
    let named = |at: usize| {
        let word = at.checked_sub(1).map(|at| &tokens[at]);
        tokens[at].sign(':') && word.is_some_and(|t| t.is_any(&["modifiers", "drm", "drms"]))
    };
    let alone = place.checked_sub(1).is_none_or(|at| ends(&tokens[at]) || named(at));
    let end = (from..tokens.len()).find(|at| ends(&tokens[*at])).unwrap_or(tokens.len());
    let words = tokens.get(from..end).filter(|words| (1..=7).contains(&words.len()))?;
    let plain = words.iter().all(|t| t.word().is_some());
    let label: String = text.chars().take(words.last()?.end).skip(words.first()?.start).collect();
    (starts && alone && plain).then_some((label, end))
}

/// "Halve the losses if the ground is soft", "double the hits against columns": the factor, its condition
/// and where it ends.
fn factor(text: &str, tokens: &[Token], place: usize) -> Option<(Amount, String, usize)> {
    let first = &tokens[place];
    let starts = place == 0 || !tokens[place - 1].is_any(&["or", "to", "is", "are"]);
    let number = match () {
        () if first.is_any(&["halve", "halves"]) => Num::ratio(1, 2),
        () if first.is_any(&["double", "doubles"]) => Num::whole(2),
        () => return None,
    };
    // What is doubled is named: "the dice", "hits".
    let open = tokens[place..]
        .iter()
        .take(6)
        .position(|t| t.is_any(&["if", "when", "against", "while"]))
        .filter(|at| *at >= 2 && starts)?
        + place;
    let plain = tokens[place + 1..open].iter().all(|t| t.word().is_some());
    let end = clause_end(tokens, open);
    if !plain || end <= open + 1 {
        return None;
    }
    let from = if tokens[open].is("against") { open } else { open + 1 };
    let label: String = text.chars().take(tokens[end - 1].end).skip(tokens[from].start).collect();
    // "Improved munitions double the figure against armour"
    let label = match who_adds(text, tokens, place) {
        Some(who) => format!("{who} {}", label.trim()),
        None => label.trim().to_owned(),
    };
    Some((Amount::Times(number), label, end))
}

/// "Shift two columns to the left if it has flown straight": the shift, its condition and where it ends.
fn shift(text: &str, tokens: &[Token], place: usize) -> Option<(Amount, String, usize)> {
    const COUNTS: [(&str, i32); 4] = [("one", 1), ("two", 2), ("three", 3), ("a", 1)];
    if !tokens[place].is_any(&["shift", "move", "shifts"]) {
        return None;
    }
    let count = tokens.get(place + 1)?;
    let number = match count.num() {
        Some(n) => n.as_whole()?,
        None => COUNTS.iter().find(|(word, _)| count.is(word))?.1,
    };
    tokens.get(place + 2).filter(|t| t.is_any(&["column", "columns", "col"]))?;
    let mut at = place + 3;
    while tokens.get(at).is_some_and(|t| t.is_any(&["to", "the"])) {
        at += 1;
    }
    let way = match () {
        () if tokens.get(at)?.is("right") => 1,
        () if tokens[at].is("left") => -1,
        () => return None,
    };
    let open = at + 1;
    tokens.get(open).filter(|t| t.is_any(&["if", "when", "for", "while", "against"]))?;
    let end = clause_end(tokens, open);
    let label: String = text
        .chars()
        .take(tokens.get(end.checked_sub(1)?)?.end)
        .skip(tokens.get(open + 1)?.start)
        .collect();
    (end > open + 1).then(|| (Amount::Shift(way * number), label.trim().to_owned(), end))
}

/// The words before a verb, from the last stop on: "A berserk" of "…. A berserk adds 3".
pub(super) fn who_adds(text: &str, tokens: &[Token], place: usize) -> Option<String> {
    let stops = |t: &Token| t.sign('.') || t.sign(';') || t.sign(',') || t.is("and");
    let start = tokens[..place].iter().rposition(stops).map_or(0, |at| at + 1);
    let words = &tokens[start..place];
    let (first, last) = (words.first()?, words.last()?);
    (words.len() <= 5 && words.iter().all(|t| t.word().is_some()))
        .then(|| text.chars().take(last.end).skip(first.start).collect())
}

/// Words of place and time after an amount: "subtract 1 at night".
pub(super) const PLACES: [&str; 12] = [
    "at", "in", "after", "before", "during", "behind", "with", "without", "under", "over",
    "beyond", "within",
];

/// "…, and a further 2 if it is far away": another amount with the sign of the last one. Returns how
/// many tokens it takes.
pub(super) fn further(
    text: &str,
    tokens: &[Token],
    from: usize,
    list: &mut Vec<(Amount, String)>,
) -> usize {
    let Some(at) = further_at(tokens, from) else { return 0 };
    let (Some(n), Some((Amount::Plus(last), _))) = (tokens[at].num(), list.last()) else {
        return 0;
    };
    let by = if last.to_string().starts_with('-') { n.negative() } else { n };
    let opens = tokens.get(at + 1).is_some_and(|t| t.is_any(&["if", "when", "for", "with"]));
    let end = clause_end(tokens, at + 1);
    if !opens || end <= at + 2 {
        return 0;
    }
    let label: String = text.chars().take(tokens[end - 1].end).skip(tokens[at + 2].start).collect();
    list.push((Amount::Plus(by), label.trim().to_owned()));
    end - from
}

/// The figure of ", and a further 2" or "and another 1".
pub(super) fn further_at(tokens: &[Token], from: usize) -> Option<usize> {
    let mut at = from;
    while tokens.get(at).is_some_and(|t| t.sign(',') || t.is_any(&["and", "a"])) {
        at += 1;
    }
    let more = tokens.get(at)?.is_any(&["further", "another"]) && at > from;
    if more && tokens.get(at + 1)?.num().is_some() {
        return Some(at + 1);
    }
    // "subtract 1 for leather, 2 for plate"
    let next = at > from && tokens[at].num().is_some();
    let opens = tokens.get(at + 1)?.is_any(&["for", "if", "when", "with"]);
    (next && opens && tokens.get(at + 2)?.word().is_some()).then_some(at)
}

/// Verbs before a signed figure: "Veterans have +2".
pub(super) const GIVES: [&str; 11] = [
    "gives", "give", "grants", "gets", "get", "have", "has", "worth", "receives", "suffers", "adds",
];

/// The words before an amount that say when it counts: "If it moved, add 1", "Attacking from behind
/// gives +3", "Raiders in mail subtract 1 from this roll".
pub(super) fn subject(text: &str, tokens: &[Token], place: usize) -> Option<String> {
    let start =
        tokens[..place].iter().rposition(|t| t.sign('.') || t.sign(';')).map_or(0, |at| at + 1);
    let words = &tokens[start..place];
    let first = words.first()?;
    let sign = tokens[place].sign('+') || tokens[place].sign('-');
    let (from, to) = match () {
        () if first.is_any(&["if", "when"]) && !sign => (1, words.len()),
        () if words.last()?.is_any(&GIVES) && sign => {
            // "A club is worth +1"
            let two = words.len() >= 2 && words[words.len() - 2].is_any(&["is", "are"]);
            (0, words.len() - 1 - usize::from(two && words.last()?.is("worth")))
        }
        // "… subtract 1 from this roll": the verb has a subject, and the amount a roll.
        () if !sign
            && tokens[place..].iter().take(6).any(|t| t.is_any(&["roll", "die", "score"])) =>
        {
            (0, words.len())
        }
        () => return None,
    };
    let mut words = words.get(from..to)?;
    while words.last().is_some_and(|t| t.sign(',') || t.is("then")) {
        words = &words[..words.len() - 1];
    }
    let rolls = words.iter().any(|t| {
        t.is_any(&["roll", "rolls", "d", "add", "adds", "subtract", "and", "then"]) || t.sign(':')
    });
    let (first, last) = (words.first()?, words.last()?);
    let label: String = text.chars().take(last.end).skip(first.start).collect();
    (!rolls && (1..=10).contains(&words.len())).then(|| without_joints(&label))
}

/// "Gallopers add 1.": the words before the verb say when it counts, and nothing follows the amount.
fn subject_alone(text: &str, tokens: &[Token], place: usize, end: usize) -> Option<String> {
    let verbs = ["add", "adds", "deduct", "deducts", "subtract", "subtracts"];
    let joined = |at: usize| {
        tokens.get(at).is_some_and(|t| t.sign(','))
            && tokens.get(at + 1).is_some_and(|t| t.is("and"))
    };
    let closed = tokens.get(end).is_none_or(|t| t.sign('.') || t.sign(';')) || joined(end);
    if !tokens[place].is_any(&verbs) || !closed {
        return None;
    }
    let stops = |t: &Token| t.sign('.') || t.sign(';') || t.sign(':');
    let start = tokens[..place].iter().rposition(stops).map_or(0, |at| at + 1);
    // "A unit that charged adds 2, and a unit uphill adds 1."
    let start = (start..place).rev().find(|at| joined(*at)).map_or(start, |at| at + 2);
    let start = start + unit(&tokens[start..place]);
    let words = &tokens[start..place];
    let verbs_and_joints =
        ["roll", "rolls", "throw", "throws", "and", "then", "if", "or", "may", "must"];
    let (first, last) = (words.first()?, words.last()?);
    let plain = words.iter().all(|t| t.word().is_some() && !t.is_any(&verbs_and_joints));
    ((1..=8).contains(&words.len()) && plain)
        .then(|| text.chars().take(last.end).skip(first.start).collect())
}

/// The number of words that only say that a unit is meant: "a unit that" of "a unit that charged
/// this turn", "one who is" of "one who is wounded".
fn unit(words: &[Token]) -> usize {
    let is = |at: usize, known: &[&str]| words.get(at).is_some_and(|t| t.is_any(known));
    if is(0, &["one", "those"]) && is(1, &["who", "that", "which"]) && is(2, &["is", "are"]) {
        return if words.len() > 3 { 3 } else { 0 };
    }
    let article = usize::from(is(0, &["a", "any", "the", "each", "every"]));
    if !is(article, &["unit", "units"]) {
        return 0;
    }
    let taken = article + 1 + usize::from(is(article + 1, &["that", "which"]));
    if taken < words.len() { taken } else { 0 }
}

/// Where a condition ends: at a stop, or before the next amount.
pub(super) fn clause_end(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    while at < tokens.len() {
        // No condition is that long.
        if at > from + LONGEST_CLAUSE {
            return from;
        }
        let token = &tokens[at];
        let opened = tokens[from..at].iter().filter(|t| t.sign('(')).count();
        let closed = tokens[from..at].iter().filter(|t| t.sign(')')).count();
        if token.sign('.') || token.sign(';') || (token.sign(')') && opened <= closed) {
            return at;
        }
        if further_at(tokens, at).is_some() {
            return at;
        }
        let joins = token.sign(',') || token.is_any(&["and", "or", "but"]);
        if joins {
            let next = tokens[at + 1..]
                .iter()
                .position(|t| !t.is_any(&["and", "or", "but", "then"]))
                .map(|n| at + 1 + n);
            if let Some(next) = next
                && amount::prefix(&tokens[next..])
                    .is_some_and(|(amount, _)| matches!(amount, Amount::Plus(_) | Amount::Dice(_)))
            {
                return at;
            }
            if token.sign(',')
                && tokens.get(at + 1).is_some_and(|t| t.is_any(&["on", "then", "a", "if"]))
            {
                return at;
            }
        }
        at += 1;
    }
    at
}
