//! What to expect of a fight: exact chances where they can be computed, counts of played fights
//! where they cannot. Callers show both the same way.

use super::{
    FightOdds, FightSituation, FightTally, Limit, NO_SIDE_LEFT, SideAtStart, SideOdds, TotalOdds,
};
use crate::odds::Chance;
use crate::sample::wilson;
use adjutant_dice::Number;

/// How likely something is.
#[derive(Clone, Debug, PartialEq)]
pub enum Share {
    /// As a fraction.
    Exact(Chance),
    /// Computed in floats, right to about twelve digits.
    Near(Chance),
    /// Counted in played fights.
    Counted {
        /// In how many fights it came.
        count: u64,
        /// Of how many.
        of: u64,
    },
}

impl Share {
    /// In per cent.
    pub fn percent(&self) -> f64 {
        match self {
            Share::Exact(chance) | Share::Near(chance) => chance.percent(),
            Share::Counted { count, of } => *count as f64 * 100.0 / (*of).max(1) as f64,
        }
    }

    /// The 95 % interval of a count.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Share::Counted { count, of } => Some(wilson(*count, *of)),
            Share::Exact(_) | Share::Near(_) => None,
        }
    }

    /// Whether it never comes.
    pub fn is_zero(&self) -> bool {
        self.percent() == 0.0
    }
}

/// A number on average.
#[derive(Clone, Debug, PartialEq)]
pub enum FightMean {
    /// As a fraction.
    Exact(Chance),
    /// Computed in floats, right to about twelve digits.
    Near(Chance),
    /// The mean of played fights.
    Counted {
        /// The mean.
        mean: f64,
        /// Half the width of its 95 % interval.
        off: f64,
    },
}

impl FightMean {
    /// As a float.
    pub fn value(&self) -> f64 {
        match self {
            FightMean::Exact(mean) | FightMean::Near(mean) => mean.value(),
            FightMean::Counted { mean, .. } => *mean,
        }
    }
}

/// A decision, with how likely it is.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionOutlook {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// How likely it is.
    pub share: Share,
}

/// What becomes of a side.
#[derive(Clone, Debug, PartialEq)]
pub struct SideOutlook {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// How many units it has at the start.
    pub began: u32,
    /// How many it loses on average.
    pub lost: FightMean,
    /// How likely so many units are left.
    pub left: Vec<(u32, Share)>,
    /// The totals that the fight asks for.
    pub totals: Vec<TotalOutlook>,
}

/// What becomes of the total of a value over the units of a side, such as men or firepower.
#[derive(Clone, Debug, PartialEq)]
pub struct TotalOutlook {
    /// The id of the value.
    pub id: String,
    /// The label of the value.
    pub title: String,
    /// The total at the start.
    pub began: Number,
    /// How much is left on average.
    pub mean_left: FightMean,
    /// How likely each total is left.
    pub left: Vec<(Number, Share)>,
}

/// How an outlook was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedFights {
    /// How many fights were played.
    pub fights: u64,
    /// With which seed.
    pub seed: u64,
}

/// What to expect of a fight.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Whether every chance is an exact fraction.
    pub exact: bool,
    /// The decisions.
    pub ends: Vec<DecisionOutlook>,
    /// How likely it is never decided.
    pub never: Share,
    /// How many rounds it takes; none if it may never end.
    pub rounds: Option<FightMean>,
    /// What becomes of each side.
    pub sides: Vec<SideOutlook>,
    /// How many states the fight can be in when a round starts, where its chances were computed.
    pub standings: Option<usize>,
    /// How it was played, where it was.
    pub played: Option<PlayedFights>,
    /// The limit that stopped the computation, where the fight was played instead.
    pub over: Option<Limit>,
}

impl DecisionOutlook {
    /// Whether it is worth a line: the built-in end that no side is left is not if it never comes.
    pub fn is_shown(&self) -> bool {
        self.id != NO_SIDE_LEFT || !self.share.is_zero()
    }
}

impl Outlook {
    /// From computed chances, and how many states the fight can be in.
    pub fn weighed(odds: FightOdds, standings: usize) -> Outlook {
        let share = if odds.exact { Share::Exact } else { Share::Near };
        let mean = if odds.exact { FightMean::Exact } else { FightMean::Near };
        let total = |total: TotalOdds| TotalOutlook {
            id: total.id,
            title: total.title,
            began: total.began,
            mean_left: mean(total.mean_left),
            left: total.left.into_iter().map(|(number, chance)| (number, share(chance))).collect(),
        };
        let side = |side: SideOdds| SideOutlook {
            totals: side.totals.into_iter().map(total).collect(),
            left: side.left.into_iter().map(|(units, chance)| (units, share(chance))).collect(),
            lost: mean(side.lost),
            id: side.id,
            title: side.title,
            began: side.began,
        };
        Outlook {
            exact: odds.exact,
            ends: odds
                .ends
                .into_iter()
                .map(|end| DecisionOutlook {
                    id: end.id,
                    title: end.title,
                    share: share(end.chance),
                })
                .collect(),
            never: share(odds.never),
            rounds: odds.rounds.map(mean),
            sides: odds.sides.into_iter().map(side).collect(),
            standings: Some(standings),
            played: None,
            over: None,
        }
    }

    /// From fights that were played with this seed.
    pub fn played(situation: &FightSituation<'_>, tally: &FightTally, seed: u64) -> Outlook {
        let share = |count: u64| Share::Counted { count, of: tally.fights };
        let counted = |(mean, off): (f64, f64)| FightMean::Counted { mean, off };
        let sides = situation.fight().sides.ids().map(|place| {
            let SideAtStart { id, title, began, totals } = situation.at_start(place);
            let totals = totals.into_iter().enumerate().map(|(total, known)| TotalOutlook {
                id: known.id,
                title: known.title,
                began: known.began,
                mean_left: counted(tally.mean_total(place, total)),
                left: (tally.totals(place, total).into_iter())
                    .map(|(number, count)| (number, share(count)))
                    .collect(),
            });
            let left = (0..=began)
                .map(|units| (units, tally.count(|end| end.left.get(place) == Some(&units))));
            SideOutlook {
                id,
                title,
                began,
                totals: totals.collect(),
                lost: counted(tally.lost(place, began)),
                left: left
                    .filter(|(_, count)| *count > 0)
                    .map(|(units, count)| (units, share(count)))
                    .collect(),
            }
        });
        let ends = situation.decisions().into_iter().enumerate().map(|(place, (id, title))| {
            let share = share(tally.count(|end| end.decision == place));
            DecisionOutlook { id, title, share }
        });
        Outlook {
            exact: false,
            ends: ends.collect(),
            never: share(tally.undecided),
            rounds: tally.rounds().map(counted),
            sides: sides.collect(),
            standings: None,
            played: Some(PlayedFights { fights: tally.fights, seed }),
            over: None,
        }
    }

    /// Whether its chances were computed, but in floats.
    pub fn is_near(&self) -> bool {
        !self.exact && self.played.is_none()
    }
}
