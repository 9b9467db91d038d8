//! Expected against actual luck. Every play that counts is weighed by the chart's exact odds, in the situation as it stood
//! before the throw; what cannot be weighed is counted and said. A report looks at many counts, and among many some are
//! odd by luck alone: so each chance is taken in both directions, times the number of counts looked at, and there is no
//! verdict on few throws.

use super::tail::Counts;
use adjutant_dice::ThrownBy;
use serde::Serialize;

/// How many throws, or dice, a verdict needs at least.
pub const ENOUGH: u32 = 10;
/// A verdict needs a chance of at most one in so many, after the correction.
pub const ONE_IN: u32 = 20;

/// Luck, expected against actual.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LuckReport {
    /// How many throws, or dice, a verdict needs at least.
    pub enough: u32,
    /// A verdict needs a chance of at most one in so many, after the correction.
    pub one_in: u32,
    /// How many counts had enough throws to be looked at: each chance is multiplied by it.
    pub looks: u32,
    /// By side, in the table's order; what belongs to no side comes last.
    pub sides: Vec<SideLuck>,
    /// All dice of the table, by kind and by who threw them.
    pub dice: Vec<DiceLuck>,
}

/// The luck of one side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SideLuck {
    /// The side; none for throws that belong to no side.
    pub side: Option<String>,
    /// Its dice, by kind and by who threw them.
    pub dice: Vec<DiceLuck>,
    /// Its cards.
    pub cards: Vec<CardLuck>,
    /// Its charts.
    pub charts: Vec<ChartLuck>,
}

/// Dice of one kind from one source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiceLuck {
    /// How many sides each has.
    pub sides: u32,
    /// Who threw them.
    pub source: ThrownBy,
    /// The same in words: real dice, our dice.
    pub thrown_by: String,
    /// How many.
    pub dice: u32,
    /// The mean face that is expected.
    pub expected: f64,
    /// The mean face that came.
    pub actual: f64,
    /// How unusual that is.
    pub judged: Judged,
}

/// Cards drawn from one deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardLuck {
    /// The deck's name.
    pub deck: String,
    /// Who drew them.
    pub source: ThrownBy,
    /// The same in words: real cards, our cards.
    pub drawn_by: String,
    /// How many.
    pub cards: u32,
}

/// The results of one chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ChartLuck {
    /// The chart's id.
    pub chart: String,
    /// Its name.
    pub title: String,
    /// How many throws were weighed; one thrown for several units counts once for each.
    pub throws: u32,
    /// What came, in the order in which it was first possible.
    pub results: Vec<ResultLuck>,
    /// What was not weighed, and why.
    pub not_weighed: Vec<NotWeighed>,
}

/// Throws that were not weighed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotWeighed {
    /// Why.
    pub why: String,
    /// How many.
    pub throws: u32,
}

/// One result of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultLuck {
    /// Its name.
    pub title: String,
    /// Whether it holds in addition to another, so that it does not count in the sum of results.
    pub besides: bool,
    /// In how many throws it was open: neither certain nor impossible.
    pub open: u32,
    /// How often it was expected; where a player's answers along the way decide, at the least.
    pub expected: f64,
    /// The same at the most.
    pub expected_most: f64,
    /// How often it came.
    pub came: u32,
    /// How unusual that is.
    pub judged: Judged,
}

/// What may be said of a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LuckVerdict {
    /// Nothing: too few throws.
    #[default]
    TooFew,
    /// Nothing: too many to be weighed.
    TooMany,
    /// Nothing: luck commonly does this.
    WithinLuck,
    /// More than luck commonly brings.
    More,
    /// Less than luck commonly brings.
    Less,
}

impl LuckVerdict {
    /// Whether something is said at all.
    pub fn is_said(self) -> bool {
        matches!(self, LuckVerdict::More | LuckVerdict::Less)
    }
}

/// How unusual a count is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judged {
    /// The chance of a count at least so far from what is expected, in that direction; none where too few were thrown.
    pub tail: Option<f64>,
    /// The same in both directions and times the number of counts looked at; at most one.
    pub corrected: Option<f64>,
    /// What may be said.
    pub verdict: LuckVerdict,
    /// The same in words.
    pub says: String,
}

/// A count before it is judged.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// The chances in each throw, at the least and at the most.
    pub chances: Vec<(f64, f64)>,
    pub came: u32,
}

impl Tally {
    pub fn open(&self) -> u32 {
        self.chances.iter().filter(|(least, most)| *most > 0.0 && *least < 1.0).count() as u32
    }

    pub fn expected(&self) -> (f64, f64) {
        (self.chances.iter().map(|(least, _)| least).sum(), self.chances.iter().map(|(_, most)| most).sum())
    }

    /// The tails up and down. Where a chance lies between two bounds each tail takes the bound that makes it larger.
    pub fn tails(&self) -> (f64, f64) {
        let came = self.came as usize;
        let up = Counts::of_chances(self.chances.iter().map(|(_, most)| *most)).at_least(came);
        let down = Counts::of_chances(self.chances.iter().map(|(least, _)| *least)).at_most(came);
        (up, down)
    }
}

/// One and several of what is counted.
pub(super) const THROWS: (&str, &str) = ("throw", "throws");
pub(super) const DICE: (&str, &str) = ("die", "dice");
/// Words for more and for less.
pub(super) const OFTEN: (&str, &str) = ("more often", "less often");
pub(super) const HIGH: (&str, &str) = ("higher", "lower");

/// Judges a count: so many throws, its two tails, so many looks in all.
pub(super) fn judge(n: u32, tails: impl FnOnce() -> Option<(f64, f64)>, looks: u32, what: (&str, &str), words: (&str, &str)) -> Judged {
    if n < ENOUGH {
        let (what, are) = if n == 1 { (what.0, "is") } else { (what.1, "are") };
        let says = format!("No verdict: {n} {what} {are} too few to tell, {ENOUGH} are needed.");
        return Judged { says, ..Judged::default() };
    }
    let Some((up, down)) = tails() else {
        let says = format!("No verdict: {n} {} are too many to be weighed here.", what.1);
        return Judged { verdict: LuckVerdict::TooMany, says, ..Judged::default() };
    };
    let tail = up.min(down);
    let corrected = (2.0 * tail * f64::from(looks.max(1))).min(1.0);
    let verdict = match corrected * f64::from(ONE_IN) <= 1.0 {
        true if up < down => LuckVerdict::More,
        true => LuckVerdict::Less,
        false => LuckVerdict::WithinLuck,
    };
    let says = match verdict {
        LuckVerdict::More => format!("Came {} than luck commonly brings: {}.", words.0, one_in(corrected)),
        LuckVerdict::Less => format!("Came {} than luck commonly brings: {}.", words.1, one_in(corrected)),
        _ => format!("No verdict: within what luck does ({}).", one_in(corrected)),
    };
    Judged { tail: Some(tail), corrected: Some(corrected), verdict, says }
}

/// A chance as players say it.
fn one_in(chance: f64) -> String {
    match chance {
        chance if chance < 1e-6 => "less than 1 in a million".into(),
        chance if chance >= 0.5 => "it would be no surprise".into(),
        chance => format!("1 in {:.0}", (1.0 / chance).floor()),
    }
}

/// Who stood behind dice or cards, in words.
pub(super) fn source_in_words(source: ThrownBy, what: &str) -> String {
    let whose = match source {
        ThrownBy::Player => "real",
        ThrownBy::Program => "our",
        ThrownBy::Sealed => "sealed",
    };
    format!("{whose} {what}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_verdict_on_thin_evidence(
            parts in prop::collection::vec((0_u32..=12, 0_u32..=12), 0..25), came in 0_u32..25, looks in 1_u32..40,
        ) {
            let chances = parts.iter().map(|(a, b)| (f64::from(*a.min(b)) / 12.0, f64::from(*a.max(b)) / 12.0)).collect();
            let tally = Tally { chances, came };
            let judged = judge(tally.open(), || Some(tally.tails()), looks, THROWS, OFTEN);
            if tally.open() < ENOUGH {
                prop_assert_eq!((judged.verdict, judged.tail, judged.corrected), (LuckVerdict::TooFew, None, None));
            } else {
                let (tail, corrected) = (judged.tail.unwrap(), judged.corrected.unwrap());
                prop_assert!(corrected >= tail, "looking at many never makes a count more unusual");
                prop_assert_eq!(judged.verdict.is_said(), corrected <= 0.05);
            }
            let (least, most) = tally.expected();
            let came = f64::from(came);
            match judged.verdict {
                LuckVerdict::More => prop_assert!(came > most),
                LuckVerdict::Less => prop_assert!(came < least),
                _ => prop_assert!(judged.says.starts_with("No verdict")),
            }
        }
    }

    #[test]
    fn twelve_sixes_in_twelve_throws_are_said() {
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], came: 12 };
        assert_eq!(judge(tally.open(), || Some(tally.tails()), 10, THROWS, OFTEN).verdict, LuckVerdict::More);
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], came: 4 };
        assert_eq!(judge(tally.open(), || Some(tally.tails()), 10, THROWS, OFTEN).verdict, LuckVerdict::WithinLuck);
    }
}
