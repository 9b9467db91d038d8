//! Settings of a request that have no effect on what is asked. They are refused, because the caller
//! expects something of them.

use crate::error::{InvalidInput, QueryError};
use adjutant_api::ChartQuery;

/// The kind of request, on which it depends which settings have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// One roll of a chart.
    Roll,
    /// The odds of a chart, or a table of them.
    Odds,
    /// The odds of several checks.
    Times,
    /// Samples of a chart.
    Sample,
    /// The odds or samples of a fight.
    Fight,
}

impl Asked {
    /// The words for it in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Asked::Roll => "a roll",
            Asked::Odds => "odds",
            Asked::Times => "the odds of several checks",
            Asked::Sample => "a simulation",
            Asked::Fight => "a fight",
        }
    }
}

/// Refuses settings that have no effect.
pub(crate) fn refuse_idle(query: &ChartQuery, asked: Asked) -> Result<(), QueryError> {
    use Asked::{Fight, Odds, Roll, Sample, Times};
    let settings: [(&str, bool, &[Asked]); 6] = [
        ("dice", query.dice.is_some(), &[Roll]),
        ("cards", query.cards.is_some(), &[Roll]),
        ("seed", query.seed.is_some(), &[Roll, Sample, Fight]),
        ("follow", query.follow, &[Odds, Sample]),
        ("gone", !query.gone.is_empty(), &[Roll, Odds, Times, Sample]),
        ("hand", !query.hand.is_empty(), &[Roll, Odds, Times, Sample]),
    ];
    let idle = settings.iter().filter(|(_, given, used_by)| *given && !used_by.contains(&asked));
    let wrong: Vec<InvalidInput> =
        idle.map(|(name, ..)| InvalidInput::NoEffect { name, asked }).collect();
    if wrong.is_empty() { Ok(()) } else { Err(QueryError::Invalid(wrong)) }
}
