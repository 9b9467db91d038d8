//! Chances of fights.

use super::numbers::{grouped, short_fraction};
use adjutant_engine::{FightMean, Limit, Outlook, Share, percent_to};

/// Said of chances that were computed in floats.
pub const NEARLY: &str = "Right to about twelve digits: the exact fractions would have thousands.";

/// The fraction of a chance where it is short enough to read, or the interval of a count.
pub fn share_detail(share: &Share) -> Option<String> {
    match share {
        Share::Exact(chance) => short_fraction(chance),
        Share::Near(_) => None,
        Share::Counted { .. } => share.interval().map(|(from, to)| {
            format!("{} to {} %", percent_to(from * 100.0, 2), percent_to(to * 100.0, 2))
        }),
    }
}

/// The fraction of a mean where it is short enough to read, or how far off a count may be.
pub fn mean_detail(mean: &FightMean) -> Option<String> {
    match mean {
        FightMean::Exact(mean) => short_fraction(mean).filter(|text| text.contains('/')),
        FightMean::Near(_) => None,
        FightMean::Counted { off, .. } => Some(format!("± {off:.3}")),
    }
}

/// How an outlook is known, where it is not exact.
pub fn caveat(outlook: &Outlook) -> Option<String> {
    if outlook.is_near() {
        return Some(NEARLY.to_owned());
    }
    let played = outlook.played?;
    let why = match outlook.over {
        None => "This fight has too many possible states for exact odds",
        Some(Limit::Time) => "Exact odds of this fight take more time than is allowed",
        Some(Limit::Memory) => "Exact odds of this fight take more memory than is allowed",
    };
    Some(format!(
        "{why}: it was played {} times, with seed {}.",
        grouped(played.fights),
        played.seed
    ))
}
