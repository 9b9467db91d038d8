//! Rows in sentences: "1-2: miss 3-4: hit", "on a 6 it stands; on 1 to 3 it runs".

use super::sentences;
use crate::band::{self, Band};
use crate::num::Num;
use crate::token::{Token, rest, tokens};

/// "1-2: x 3-4: y 5+: z", "on a 6 it stands; on 1 to 3 it runs". All bands of a run are marked alike.
pub(super) fn runs(text: &str) -> Vec<(Band, String)> {
    // "A roll of 1 always fails" is an exception, not a row.
    let exception = |text: &&str| {
        let tokens = tokens(text);
        tokens.iter().any(|t| t.is_any(&["always", "automatically"]))
            && tokens.iter().any(|t| t.is_any(&["natural", "unmodified", "roll", "score"]))
    };
    let kept: Vec<&str> = sentences(text).into_iter().filter(|text| !exception(text)).collect();
    let text = kept.join(" ");
    let text = text.as_str();
    let tokens = tokens(text);
    let marked = run_of(text, &tokens, |_, next| {
        tokens.get(next).is_some_and(|t| t.sign(':') || t.sign('='))
            && tokens.get(next + 1).is_some_and(|t| t.word().is_some())
    });
    if marked.len() >= 2 {
        return marked;
    }
    let listed = listed(text);
    if listed.len() >= 2 {
        return listed;
    }
    run_of(text, &tokens, |place, next| {
        opens(&tokens, place)
            && tokens.get(next).is_some_and(|t| t.word().is_some() || t.sign(',') || t.sign(':'))
    })
}

/// "roll a die: 1 dies, 2-4 no change, 5-6 patched up", or a sentence of its own: "10+ pass, 7 to 9 fall
/// back, 6 or less rout". The bands must follow each other without a gap.
pub(super) fn listed(text: &str) -> Vec<(Band, String)> {
    let announced = text.rsplit_once(':').and_then(|(_, list)| list.split('.').next());
    if let Some(rows) = announced.and_then(rows_of) {
        return rows;
    }
    text.split(". ").find_map(rows_of).unwrap_or_default()
}

/// The rows of a list that holds nothing else.
fn rows_of(list: &str) -> Option<Vec<(Band, String)>> {
    if !list.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut rows: Vec<(Band, String)> = Vec::new();
    for part in list.trim_end_matches(['.', ' ']).split([',', ';']) {
        let part = part.trim().trim_start_matches("and ").trim_start_matches("on ");
        let tokens = tokens(part);
        let at = band::prefix(&tokens)?;
        tokens.get(at.next).filter(|t| t.word().is_some() && !t.is("d"))?;
        rows.push((at.band, rest(part, tokens[at.next - 1].end)));
    }
    let last = rows.len().saturating_sub(1);
    for (_, text) in &mut rows[..last] {
        *text = without_joints(text);
    }
    let downward = rows.len() > 1 && rows[1].0.is_before(&rows[0].0);
    if downward {
        rows.reverse();
    }
    let follows = rows.windows(2).all(|pair| {
        pair[0].0.high().zip(pair[1].0.low()).is_some_and(|(high, low)| high.plus(1) == low)
    });
    // Single scores count only if they are all of a die: "1 hat, 2 arm, 3 leg, 4 body, 5 chest, 6 head".
    let all = rows.len() >= 4 && rows[0].0 == Band::exactly(Num::whole(1));
    let bands = all || rows.iter().any(|(band, _)| !band.is_single());
    let hidden = rows.iter().any(|(_, text)| hides_row(text));
    (follows && bands && !hidden && rows.len() >= 2).then_some(rows)
}

pub(super) fn run_of(
    text: &str,
    tokens: &[Token],
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<(Band, String)> {
    let mut starts: Vec<(usize, usize, Band)> = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let dice =
            place > 0 && tokens[place - 1].is("d") && tokens[place - 1].end == tokens[place].start;
        if let Some(next) = tie(tokens, place) {
            starts.push((place, next, Band::exactly(Num::whole(0))));
            place = next;
            continue;
        }
        match band::prefix(&tokens[place..]) {
            Some(at) if !dice && fits(place, place + at.next) => {
                starts.push((place, place + at.next, at.band));
                place += at.next;
            }
            _ => place += 1,
        }
    }
    // Equal totals are a row of a table of differences only.
    let zero = Band::exactly(Num::whole(0));
    let differs = tokens.iter().any(|t| t.is_any(&["difference", "margin", "lead", "by"]));
    let others = starts.iter().filter(|start| start.2 != zero).count();
    if !differs
        || others < 2
        || starts.iter().any(|start| start.2 != zero && start.2.low().is_none())
    {
        starts.retain(|start| start.2 != zero || tie(tokens, start.0).is_none());
    }
    let mut list: Vec<(Band, String)> = Vec::new();
    for (at, (_, next, band)) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(tokens.len(), |(start, _, _)| *start);
        let words = &tokens[*next..end];
        let stop = words.iter().position(|t| t.sign('.') || t.sign(';')).unwrap_or(words.len());
        // "It burns on 3+; on 2 it goes out": the words stand before the first score.
        let empty = words[..stop].iter().all(|t| t.word().is_none());
        if empty && at == 0 {
            let Some(label) = words_before(text, tokens, starts[0].0) else { return Vec::new() };
            list.push((*band, label));
            continue;
        }
        let Some(last) = words[..stop].last() else { return Vec::new() };
        let until: String = text.chars().take(last.end).collect();
        let shown = rest(&until, tokens[next - 1].end);
        // "5-6 flies straight on": nothing follows the last result.
        let shown =
            if at + 1 == starts.len() { without_lead(&shown) } else { without_joints(&shown) };
        if hides_row(&shown)
            || shown.chars().filter(|c| c.is_alphabetic()).count() < 2
            || shown.split_whitespace().count() > 20
        {
            return Vec::new();
        }
        list.push((*band, shown));
    }
    let up = list.windows(2).all(|pair| pair[0].0.is_before(&pair[1].0));
    let down = list.windows(2).all(|pair| pair[1].0.is_before(&pair[0].0));
    if list.len() >= 2 && (up || down) { list } else { Vec::new() }
}

/// "If the totals are equal," is a difference of 0: where the text goes on.
fn tie(tokens: &[Token], place: usize) -> Option<usize> {
    tokens[place].is_any(&["if", "when"]).then_some(())?;
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|t| t.is_any(words));
    let the = place + 1 + usize::from(is(place + 1, &["the", "both"]));
    let are = the + usize::from(is(the, &["totals", "scores", "rolls", "results", "they", "both"]));
    let same = are + 1 + usize::from(is(are + 1, &["the"]));
    (are > the && is(are, &["are"]) && is(same, &["equal", "tied", "same"])).then_some(())?;
    tokens.get(same + 1).filter(|t| t.sign(',')).map(|_| same + 2)
}

/// The words of a sentence before the score at its end: "The crew holds" of "The crew holds on a 4+".
pub(super) fn words_before(text: &str, tokens: &[Token], place: usize) -> Option<String> {
    let start =
        tokens[..place].iter().rposition(|t| t.sign('.') || t.sign(';')).map_or(0, |at| at + 1);
    let words = &tokens[start..place];
    let (first, last) = (words.first()?, words.last()?);
    let rolls = words.iter().any(|t| t.num().is_some() || t.is_any(&["roll", "rolls", "d"]));
    let label: String = text.chars().take(last.end).skip(first.start).collect();
    let label = without_joints(&label);
    (!rolls && words.len() <= 8 && label.split_whitespace().count() >= 2).then_some(label)
}

/// "two chests and 7 or more a relic": another row is hidden in the words.
fn hides_row(text: &str) -> bool {
    let words = tokens(text);
    (0..words.len()).any(|at| {
        band::prefix(&words[at..])
            .is_some_and(|own| own.band.to.is_none() || own.band.from.is_none())
    })
}

/// A result without the unit that it is about.
pub(super) fn without_lead(text: &str) -> String {
    let mut shown = text.trim().to_owned();
    for lead in ["it ", "the unit ", "they "] {
        if let Some(cut) = shown.strip_prefix(lead).filter(|cut| !cut.starts_with("is ")) {
            shown = cut.to_owned();
        }
    }
    shown
}

/// A result without the words that join it to the next one.
pub(super) fn without_joints(text: &str) -> String {
    let mut shown = without_lead(text);
    loop {
        let before = shown.len();
        for tail in [
            " on a",
            " bei",
            " on",
            ",",
            " and",
            " a roll of",
            " but",
            " if",
            " with",
            " or",
            " while",
            " a score of",
            " a total of",
        ] {
            if let Some(cut) = shown.trim_end().strip_suffix(tail) {
                shown = cut.trim_end().to_owned();
            }
        }
        if shown.len() == before {
            return shown;
        }
    }
}

/// Tells if the words before say that a score stands here: "on", "on a", "a roll of".
pub(super) fn opens(tokens: &[Token], place: usize) -> bool {
    let word = |back: usize, words: &[&str]| {
        place.checked_sub(back).is_some_and(|at| tokens[at].is_any(words))
    };
    word(1, &["on"])
        || (word(1, &["a", "an"]) && word(2, &["on"]))
        || (word(1, &["of"])
            && word(
                2,
                &["roll", "score", "total", "result", "rolls", "scores", "lead", "difference"],
            ))
        || (word(1, &["is"])
            && word(2, &["difference", "score", "total", "result", "lead", "margin", "it"]))
        || (word(1, &["by"])
            && word(
                2,
                &["win", "wins", "lose", "loses", "fails", "failed", "beaten", "won", "lost"],
            ))
        || (word(1, &["natural", "modified"]) && word(2, &["a", "on"]))
}
