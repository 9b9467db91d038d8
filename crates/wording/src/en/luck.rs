//! Expected and actual luck.

use adjutant_dice::ThrownBy;
use adjutant_game::{Counted, ENOUGH, Judged, LuckVerdict, NotWeighedReason};

/// The verdict on a count.
pub fn judged(judged: &Judged) -> String {
    let n = judged.n;
    let (one, several, more, less) = match judged.counted {
        Counted::Rolls => ("roll", "rolls", "more often", "less often"),
        Counted::Dice => ("die", "dice", "higher", "lower"),
    };
    let chance = || one_in(judged.corrected.unwrap_or(1.0));
    match judged.verdict {
        LuckVerdict::TooFew if n == 0 => "No verdict: it was certain each time.".into(),
        LuckVerdict::TooFew => {
            let (what, are) = if n == 1 { (one, "is") } else { (several, "are") };
            format!("No verdict: {n} {what} {are} too few to tell, {ENOUGH} are needed.")
        }
        LuckVerdict::TooMany => {
            format!("No verdict: {n} {several} are too many to compare here.")
        }
        LuckVerdict::More => format!("Came {more} than luck commonly brings: {}.", chance()),
        LuckVerdict::Less => format!("Came {less} than luck commonly brings: {}.", chance()),
        LuckVerdict::WithinLuck => format!("No verdict: within what luck does ({}).", chance()),
    }
}

/// A probability as players say it.
fn one_in(chance: f64) -> String {
    match chance {
        chance if chance < 1e-6 => "less than 1 in a million".into(),
        chance if chance >= 0.5 => "it would be no surprise".into(),
        chance => format!("1 in {:.0}", (1.0 / chance).floor()),
    }
}

/// Who rolled dice or drew cards: `real dice`, `our cards`.
pub fn thrown_by(source: ThrownBy, what: &str) -> String {
    let whose = match source {
        ThrownBy::Player => "real",
        ThrownBy::Program => "our",
        ThrownBy::Sealed => "sealed",
    };
    format!("{whose} {what}")
}

/// Why rolls were not weighed.
pub fn not_weighed(why: &NotWeighedReason) -> String {
    match why {
        NotWeighedReason::NotReplayable => "it cannot be rolled again with these rules".into(),
        NotWeighedReason::TooLarge => "it has too many possible outcomes".into(),
        NotWeighedReason::Answer { prompt } => {
            format!("the chances depend on an answer ({prompt})")
        }
        NotWeighedReason::NotKnown => "the log does not hold enough to work out its chances".into(),
        NotWeighedReason::AnswerDecides => "a player's answer alone decides the result".into(),
    }
}
