//! Expected against actual luck. Every play that counts is weighed by the chart's exact odds, in the situation as it stood
//! before the roll; what cannot be weighed is counted separately. A report looks at many counts, and among many some are
//! unusual by luck alone: so each chance is taken in both directions, times the number of counts looked at, and there is no
//! verdict on few rolls.

mod tail;
mod weigh;

pub use weigh::{Weigher, side_of_play};

use adjutant_dice::{Text, ThrownBy};
use tail::Counts;

/// How many throws, or dice, a verdict needs at least.
pub const ENOUGH: u32 = 10;
/// A verdict needs a chance of at most one in so many, after the correction.
pub const ONE_IN: u32 = 20;

/// Luck, expected against actual.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct DiceLuck {
    /// How many sides each has.
    pub sides: u32,
    /// Who threw them.
    pub source: ThrownBy,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLuck {
    /// The deck's name.
    pub deck: String,
    /// Who drew them.
    pub source: ThrownBy,
    /// How many.
    pub cards: u32,
}

/// The results of one chart.
#[derive(Clone, Debug, Default, PartialEq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWeighed {
    /// Why.
    pub why: NotWeighedReason,
    /// How many.
    pub throws: u32,
}

/// Why a roll is not weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWeighedReason {
    /// It cannot be rolled again by these rules.
    NotReplayable,
    /// There are too many ways it can go.
    TooLarge,
    /// The chances depend on an answer that is not known.
    Answer {
        /// The question.
        prompt: Text,
    },
    /// The log does not hold what the odds need.
    NotKnown,
    /// An answer alone decides the result.
    AnswerDecides,
}

/// One result of a chart.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What a count counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Rolls in which a result was open.
    #[default]
    Rolls,
    /// Dice.
    Dice,
}

/// How unusual a count is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// What is counted.
    pub counted: Counted,
    /// How many there are. None at all means that a result was certain or impossible each time.
    pub n: u32,
    /// The chance of a count at least so far from what is expected, in that direction; none where too few were thrown.
    pub tail: Option<f64>,
    /// The same in both directions and times the number of counts looked at; at most one.
    pub corrected: Option<f64>,
    /// What may be said.
    pub verdict: LuckVerdict,
}

/// A count before it is judged.
#[derive(Clone, Debug, Default)]
struct Tally {
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

/// Judges a count: how many, its two tails, how many counts are looked at in all.
fn judge(counted: Counted, n: u32, tails: impl FnOnce() -> Option<(f64, f64)>, looks: u32) -> Judged {
    let judged = Judged { counted, n, ..Judged::default() };
    if n < ENOUGH {
        return judged;
    }
    let Some((up, down)) = tails() else { return Judged { verdict: LuckVerdict::TooMany, ..judged } };
    let tail = up.min(down);
    let corrected = (2.0 * tail * f64::from(looks.max(1))).min(1.0);
    let verdict = match corrected * f64::from(ONE_IN) <= 1.0 {
        true if up < down => LuckVerdict::More,
        true => LuckVerdict::Less,
        false => LuckVerdict::WithinLuck,
    };
    Judged { tail: Some(tail), corrected: Some(corrected), verdict, ..judged }
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
            let judged = judge(Counted::Rolls, tally.open(), || Some(tally.tails()), looks);
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
                _ => {}
            }
        }
    }

    #[test]
    fn twelve_sixes_in_twelve_throws_are_said() {
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], came: 12 };
        assert_eq!(judge(Counted::Rolls, tally.open(), || Some(tally.tails()), 10).verdict, LuckVerdict::More);
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], came: 4 };
        assert_eq!(judge(Counted::Rolls, tally.open(), || Some(tally.tails()), 10).verdict, LuckVerdict::WithinLuck);
    }
}
