//! Rules for faces before modifiers: "On a natural 1 the gun jams", "The general dies on a natural 1".

use super::sentences;
use crate::band::{self, Band};
use crate::token::{Token, rest, tokens};

/// Faces before modifiers, and what they do.
pub(super) struct Natural {
    pub band: Band,
    pub result: String,
    /// The sentence is about something else that happens, too: "The general dies on a natural 1".
    pub besides: bool,
}

/// The faces and what they do.
pub(super) fn naturals(text: &str) -> Vec<Natural> {
    // Most texts have none, and tokens take time.
    if !["atural", "nmodified", "atürlich", "nat ", "Nat "].iter().any(|part| text.contains(part))
    {
        return Vec::new();
    }
    let clauses = |text: &str| {
        let mut starts = vec![0];
        for word in [", a natural", ", an unmodified", ", on a natural", " and a natural"] {
            starts.extend(text.match_indices(word).map(|(at, _)| at + 1));
        }
        starts.sort_unstable();
        starts.push(text.len());
        starts.windows(2).map(|part| text[part[0]..part[1]].to_owned()).collect::<Vec<_>>()
    };
    sentences(text)
        .into_iter()
        .flat_map(|text| text.split(';'))
        .flat_map(clauses)
        .filter_map(|text| natural(text.trim_end_matches([',', ' '])))
        .collect()
}

fn natural(sentence: &str) -> Option<Natural> {
    let all = tokens(sentence);
    if all.iter().any(|t| t.sign('→')) {
        return None;
    }
    let at = all.iter().position(|t| t.is_any(&["natural", "unmodified", "nat"]))?;
    let own = band::prefix(&all[at..]).filter(|own| own.band.natural)?;
    let (before, next) = (&all[..at], at + own.next);
    let joints = [
        "on", "a", "an", "if", "when", "any", "roll", "of", "rolling", "with", "the", "each", "up",
    ];
    let opens = before.len() <= 7
        && before.first().is_some_and(|t| t.is_any(&["on", "if", "when", "should"]))
        && !before.iter().any(|t| t.sign(','));
    let besides = !opens && !before.iter().all(|t| t.is_any(&joints));
    let result = if opens || before.iter().all(|t| t.is_any(&joints)) {
        let verb = all.get(next).is_some_and(|t| t.is_any(&["means", "then", "and"]));
        let from = all.get(next + usize::from(verb)).map(|t| t.start)?;
        rest(sentence, from)
    } else {
        // "… on a natural 1." ends the sentence.
        let ends = all[next..].iter().all(|t| t.word().is_none() && t.num().is_none());
        let last = before.iter().rposition(|t| !t.is_any(&joints)).filter(|_| ends)?;
        sentence.chars().take(before[last].end).collect()
    };
    let result = result.trim_end_matches(['.', ';', ',', ' ']).to_owned();
    let words = tokens(&result);
    let other = |at: usize| words[at].is_any(&["natural", "unmodified", "nat"]);
    let clear = !(0..words.len()).any(other) && !result.contains(". ");
    let letters = words.iter().filter_map(Token::word).map(str::len).sum::<usize>();
    (clear && letters >= 4 && words.len() <= 20).then_some(Natural {
        band: own.band,
        result,
        besides,
    })
}
