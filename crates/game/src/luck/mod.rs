//! Expected and actual luck. Every play that counts is weighed by the chart's exact odds, in the
//! situation just before the roll. Plays that cannot be weighed are counted separately. A report
//! looks at many counts, and among many some are unusual by luck alone. So each probability is
//! two-sided and multiplied by the number of counts (Bonferroni correction), and there is no
//! verdict on few rolls.

mod tail;
mod weigh;

pub use weigh::{Weigher, side_of_play};

use adjutant_dice::{Text, ThrownBy};
use tail::Counts;

/// The minimum number of rolls, or dice, for a verdict.
pub const ENOUGH: u32 = 10;
/// A verdict needs a probability of at most one in this many, after the correction.
pub const ONE_IN: u32 = 20;

/// Expected and actual luck of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LuckReport {
    /// The minimum number of rolls, or dice, for a verdict.
    pub enough: u32,
    /// A verdict needs a probability of at most one in this many, after the correction.
    pub one_in: u32,
    /// How many counts had enough rolls to be judged. Each probability is multiplied by it.
    pub looks: u32,
    /// One entry for each side, in the game's order. Rolls that belong to no side come last.
    pub sides: Vec<SideLuck>,
    /// All dice of the game, by kind and by source.
    pub dice: Vec<DiceLuck>,
}

/// The luck of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideLuck {
    /// The side's name; `None` for rolls that belong to no side.
    pub side: Option<String>,
    /// The side's dice, by kind and by source.
    pub dice: Vec<DiceLuck>,
    /// The side's cards.
    pub cards: Vec<CardLuck>,
    /// The charts that the side rolled.
    pub charts: Vec<ChartLuck>,
}

/// Dice of one kind from one source.
#[derive(Clone, Debug, PartialEq)]
pub struct DiceLuck {
    /// How many sides each die has.
    pub sides: u32,
    /// The source of the dice: program, player or sealed.
    pub source: ThrownBy,
    /// How many dice were rolled.
    pub dice: u32,
    /// The expected mean face.
    pub expected: f64,
    /// The actual mean face.
    pub actual: f64,
    /// How unusual the mean is.
    pub judged: Judged,
}

/// Cards drawn from one deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLuck {
    /// The deck's name.
    pub deck: String,
    /// The source of the cards.
    pub source: ThrownBy,
    /// How many cards were drawn.
    pub cards: u32,
}

/// The results of one chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartLuck {
    /// The chart's id.
    pub chart: String,
    /// The title that players see.
    pub title: String,
    /// How many rolls were weighed. A roll for several units counts once for each.
    pub rolls: u32,
    /// The results, in the order in which they first became possible.
    pub results: Vec<ResultLuck>,
    /// The rolls that were not weighed, by reason.
    pub not_weighed: Vec<NotWeighed>,
}

/// Rolls that were not weighed for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWeighed {
    /// The reason.
    pub why: NotWeighedReason,
    /// How many rolls.
    pub rolls: u32,
}

/// Why a roll is not weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWeighedReason {
    /// These rules cannot replay the roll.
    NotReplayable,
    /// The number of possible outcomes is too large.
    TooLarge,
    /// The odds depend on an answer that is not known.
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
    /// The title that players see.
    pub title: String,
    /// Whether the result holds in addition to another and so does not count in the sum of results.
    pub besides: bool,
    /// The number of rolls in which the result was neither certain nor impossible.
    pub open: u32,
    /// The expected count. If a player's answers during the roll matter, the lower bound.
    pub expected: f64,
    /// The upper bound of the expected count.
    pub expected_most: f64,
    /// The actual count.
    pub actual: u32,
    /// How unusual the count is.
    pub judged: Judged,
}

/// The verdict on a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LuckVerdict {
    /// No verdict: too few rolls.
    #[default]
    TooFew,
    /// No verdict: too many to compute.
    TooMany,
    /// Within ordinary luck.
    WithinLuck,
    /// More than ordinary luck explains.
    More,
    /// Less than ordinary luck explains.
    Less,
}

impl LuckVerdict {
    /// Whether the count is unusual, in either direction.
    pub fn is_said(self) -> bool {
        matches!(self, LuckVerdict::More | LuckVerdict::Less)
    }
}

/// What a count counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Rolls in which a result was neither certain nor impossible.
    #[default]
    Rolls,
    /// Single dice.
    Dice,
}

/// How unusual a count is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// What is counted.
    pub counted: Counted,
    /// How many there are. Zero means that a result was certain or impossible each time.
    pub n: u32,
    /// The probability of a count at least this far from the expected one, in that direction;
    /// `None` if there are too few rolls.
    pub tail: Option<f64>,
    /// The same in both directions, multiplied by the number of counts; at most 1.
    pub corrected: Option<f64>,
    /// The verdict.
    pub verdict: LuckVerdict,
}

/// A count before it is judged.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// The lower and upper bound of the probability in each roll.
    pub chances: Vec<(f64, f64)>,
    pub actual: u32,
}

impl Tally {
    pub fn open(&self) -> u32 {
        self.chances.iter().filter(|(least, most)| *most > 0.0 && *least < 1.0).count() as u32
    }

    pub fn expected(&self) -> (f64, f64) {
        (
            self.chances.iter().map(|(least, _)| least).sum(),
            self.chances.iter().map(|(_, most)| most).sum(),
        )
    }

    /// The upper and lower tail. If a probability has two bounds, each tail uses the bound that
    /// makes it larger.
    pub fn tails(&self) -> (f64, f64) {
        let actual = self.actual as usize;
        let up = Counts::of_chances(self.chances.iter().map(|(_, most)| *most)).at_least(actual);
        let down = Counts::of_chances(self.chances.iter().map(|(least, _)| *least)).at_most(actual);
        (up, down)
    }
}

/// Judges a count of `n` from its two tails. `looks` is the number of counts that are judged.
fn judge(
    counted: Counted,
    n: u32,
    tails: impl FnOnce() -> Option<(f64, f64)>,
    looks: u32,
) -> Judged {
    let judged = Judged { counted, n, ..Judged::default() };
    if n < ENOUGH {
        return judged;
    }
    let Some((up, down)) = tails() else {
        return Judged { verdict: LuckVerdict::TooMany, ..judged };
    };
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
            parts in prop::collection::vec((0_u32..=12, 0_u32..=12), 0..25), actual in 0_u32..25, looks in 1_u32..40,
        ) {
            let chances = parts.iter().map(|(a, b)| (f64::from(*a.min(b)) / 12.0, f64::from(*a.max(b)) / 12.0)).collect();
            let tally = Tally { chances, actual };
            let judged = judge(Counted::Rolls, tally.open(), || Some(tally.tails()), looks);
            if tally.open() < ENOUGH {
                prop_assert_eq!((judged.verdict, judged.tail, judged.corrected), (LuckVerdict::TooFew, None, None));
            } else {
                let (tail, corrected) = (judged.tail.unwrap(), judged.corrected.unwrap());
                prop_assert!(corrected >= tail, "looking at many never makes a count more unusual");
                prop_assert_eq!(judged.verdict.is_said(), corrected <= 0.05);
            }
            let (least, most) = tally.expected();
            let actual = f64::from(actual);
            match judged.verdict {
                LuckVerdict::More => prop_assert!(actual > most),
                LuckVerdict::Less => prop_assert!(actual < least),
                _ => {}
            }
        }
    }

    #[test]
    fn twelve_sixes_in_twelve_rolls_are_said() {
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], actual: 12 };
        assert_eq!(
            judge(Counted::Rolls, tally.open(), || Some(tally.tails()), 10).verdict,
            LuckVerdict::More
        );
        let tally = Tally { chances: vec![(1.0 / 6.0, 1.0 / 6.0); 12], actual: 4 };
        assert_eq!(
            judge(Counted::Rolls, tally.open(), || Some(tally.tails()), 10).verdict,
            LuckVerdict::WithinLuck
        );
    }
}
