//! Dice in cells and headings: `2D6`, `d%`, `DR`. Sentences that tell to roll are read by `sentence`, what
//! the dice must show by `test`.

mod sentence;
mod test;

use crate::num::Num;
use crate::token::{Token, before, tokens};

pub(crate) use sentence::values;
pub(crate) use test::test_in;

/// Dice of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// The number of dice.
    pub count: u32,
    /// The number of sides of each die.
    pub sides: u32,
    /// The sheet names the sides; otherwise they are a guess.
    pub named: bool,
}

/// The condition that a die must meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// This number or more.
    AtLeast(Num),
    /// This number or less.
    AtMost(Num),
    /// A value of the unit or less: its name.
    AtMostValue(String),
    /// A value of the unit or more: its name.
    AtLeastValue(String),
}

/// The purpose of the numbers of a table below a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The dice must reach the number: "score needed:", "equal or beat".
    OrMore,
    /// The dice must not exceed it: "this or less", "equal or under".
    OrLess,
}

/// A sentence that says what is rolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RollLine {
    /// Who rolls, as printed.
    pub who: Option<String>,
    /// The dice, if the sentence says them.
    pub dice: Option<Dice>,
    /// The condition for the dice: each on its own, or their total.
    pub test: Option<Test>,
    /// The test is of the total: "2d6, equal or under Leadership".
    pub total: bool,
    /// One die for each of these, as printed.
    pub per: Option<String>,
    /// Set for an opposed roll.
    pub both: bool,
    /// The sentence announces numbers for the dice, which follow in a table.
    pub needs: Option<Needs>,
}

/// A sentence that tells to roll.
pub(crate) fn roll_line(text: &str) -> Option<RollLine> {
    let line = sentence::read(text)?;
    Some(RollLine { total: line.test.as_ref().is_some_and(|test| of_total(test, text)), ..line })
}

/// Tells if the total of the dice is compared, and not each of them. "2d6, need 6+" may be either;
/// it is marked.
pub(crate) fn of_total(test: &Test, text: &str) -> bool {
    const EACH: [&str; 8] =
        ["each", "every", "against", "versus", "vs", "successes", "passes", "individually"];
    const SUM: [&str; 9] =
        ["need", "needs", "needed", "total", "score", "scores", "sum", "result", "add"];
    let tokens = tokens(text);
    let has = |words: &[&str]| tokens.iter().any(|t| t.is_any(words));
    let number = matches!(test, Test::AtLeast(_) | Test::AtMost(_));
    !has(&EACH) && (!number || (has(&SUM) && !has(&["hits", "saves", "dice", "per"])))
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
        // "rolls 2 D6"
        let rolled = at
            .checked_sub(1)
            .is_some_and(|b| tokens[b].is_any(&["roll", "rolls", "throw", "throws"]));
        if d.is("d") && rolled && count <= 10 && glued(at + 1) {
            return dice(u32::try_from(count).ok()?, sides(at + 2)?, true, at + 3);
        }
        if d.is_any(&["dice", "die"])
            && !at.checked_sub(1).is_some_and(|b| tokens[b].sign('+') || tokens[b].sign('-'))
        {
            return dice(u32::try_from(count).ok()?, 6, false, at + 2);
        }
        return None;
    }
    // "d", "dr", "percentile", "ten" and the words for counts.
    if !token.may_begin(b"adefopst") {
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
    // "DR2" is a result.
    let result = glued(at) && tokens.get(at + 1).is_some_and(|t| t.num().is_some());
    if token.word() == Some("DR") && !result {
        return dice(2, 6, true, at + 1);
    }
    if token.word() == Some("dr") && !result {
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
    // "two dice (2d6)"
    if tokens.get(next + 1).is_some_and(|t| t.sign('('))
        && let Some((named, end)) = tokens.get(next + 2).and_then(|_| here(tokens, next + 2))
        && named.named
        && tokens.get(end).is_some_and(|t| t.sign(')'))
    {
        return Some((named, end + 1));
    }
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
            let usual = ["4", "6", "8", "10", "12", "20", "100"].contains(&sides.as_str());
            let dice = format!("{count}d{sides}");
            if !usual || dice.eq_ignore_ascii_case(word) || read.is_some() || count.len() > 2 {
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
    let tokens = tokens(text);
    let (dice, at, next) = find(&tokens)?;
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
    (tokens[..at].iter().all(noise) && tokens[next..].iter().all(noise)).then_some(dice)
}

/// A title without the dice and brackets at its end, and the dice.
pub(crate) fn of_title(text: &str) -> (String, Option<Dice>) {
    let tokens = tokens(text);
    let Some((dice, at, next)) = find(&tokens) else { return (text.to_owned(), None) };
    let noise = |t: &Token| {
        t.sign(')') || t.sign(']') || t.sign('.') || t.is_any(&["roll", "rolls", "test"])
    };
    // "WEATHER (2d6, before deployment)"
    let bracket = at > 0
        && tokens[at - 1].sign('(')
        && tokens.last().is_some_and(|t| t.sign(')'))
        && tokens[next].sign(',')
        && tokens.len() <= next + 7;
    if at == 0 || !dice.named || !(bracket || tokens[next..].iter().all(noise)) {
        return (text.to_owned(), Some(dice).filter(|dice| dice.named));
    }
    let mut end = tokens[at].start;
    if tokens.get(at - 1).is_some_and(|t| t.is_any(&["roll", "on"])) {
        end = tokens[at - 1].start;
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
