//! Exact odds of a chart. The chart itself is run, once for every outcome that matters, so the odds
//! cannot disagree with play. A request tells the exploring source which property of the faces
//! matters (`Relevance`) and where in the run it is (`Site`): equal faces and cards are run once
//! and weighted. All weights are integers over one total; a float appears only when a percentage is
//! printed.
//!
//! A redraw or reshuffle that may continue without end is solved, not cut off: a roll in the same
//! position as before adds nothing, so the rest is weighted without it.
//!
//! [`Plan`] and [`CardPlan`] are faster algorithms for most charts. The tests compare each of them
//! with full exploration, and the integer weights must be equal.

mod answer;
mod cards;
mod chain;
mod compare;
mod compose;
mod distribution;
mod explore;
mod first;
mod follow;
mod hands;
mod joint;
mod order;
mod plan;
mod reach;
mod request;
mod script;
mod search;
mod series;
mod states;
mod stop;
mod unasked;
mod unfollowed;
mod whole;

pub use cards::CardPlan;
pub(crate) use cards::Fate;
pub(crate) use cards::Way;
pub(crate) use chain::played_chain;
pub use compare::{BranchChange, all_results, could_hold, differences};

pub use answer::AnswerOddsError;
pub use distribution::{
    Branch, Chance, Distribution, FirstChance, Mean, OddsOutcome, OddsReport, OutcomeChance,
    UnfollowedChance, ValueTable,
};
pub(crate) use explore::{Besides, alone, open_need, outcome, weigh_within};
pub use follow::Follow;
pub use joint::Joint;
pub use order::{in_sheet_order, percent_in_short, percent_in_words, percent_to, sheet_place};
pub use plan::Plan;
pub use request::{AnswerOdds, OddsError, OddsOptions, TooLarge, TooMany};
pub use series::{Series, SeriesBranch, odds_of_series};
pub use stop::Stop;
pub(crate) use unasked::check_each;
pub use unasked::{UnaskedQuestions, check_answers};
pub use unfollowed::{NotFollowed, Unfollowed};

use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The maximum number of combinations of answers in one report.
const MOST_BRANCHES: usize = 64;

/// The exact odds of a chart. A question that has no answer in the options becomes one branch for
/// each possible answer.
///
/// ```
/// use adjutant_engine::{OddsOptions, Situation, odds};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "rally").unwrap();
/// let report = odds(&situation, &OddsOptions::default()).unwrap();
/// let unsuppressed = report.branches[0].spread.results.iter().find(|r| r.id == "unsuppressed").unwrap();
/// assert_eq!(unsuppressed.chance.exact(), "3/10");
/// ```
pub fn odds(situation: &Situation<'_>, asked: &OddsOptions) -> Result<OddsReport, OddsError> {
    let found = branches(&mut |said| spread(situation, asked, said))?;
    let branch = |(answers, spread): (Vec<(String, Answer)>, Distribution)| {
        let first = first::first(situation, asked, &answers)?;
        Ok(Branch { answers, spread, first })
    };
    Ok(OddsReport { branches: found.into_iter().map(branch).collect::<Result<_, OddsError>>()? })
}

/// The distribution, given answers to questions that were open.
fn spread(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Distribution, OddsError> {
    if let Some((outcomes, total)) = outcomes(situation, asked, said)? {
        return Ok(Distribution::new(&situation.chart().id, outcomes, &total));
    }
    match states::weigh_members(situation, &asked_alone(asked, situation), said) {
        Some(found) => found,
        None => explore::explore(situation, &asked_alone(asked, situation), said),
    }
}

/// Every outcome with its weight, and the total. Where several units take the test together, an
/// outcome is that of all of them.
pub(crate) fn weigh(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> Result<states::Outcomes, OddsError> {
    if let Some(found) = outcomes(situation, asked, &[])? {
        return Ok(found);
    }
    let (outcomes, total) =
        explore::weigh(situation, &asked_alone(asked, situation), &[], &explore::outcome)?;
    Ok((outcomes.into_iter().collect(), total))
}

/// The same by the fastest algorithm. None if the chart can only be explored.
fn outcomes(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Option<states::Outcomes>, OddsError> {
    let asked = &asked_alone(asked, situation);
    if let Some(chain) = asked.follow.chain_odds() {
        return (chain.weigh)(situation, asked, said).map(Some);
    }
    if let Some(plan) = Plan::new(situation) {
        let (ways, total) = plan.ways();
        let ways = ways.into_iter().map(BigUint::from);
        return Ok(Some((merged(plan.outcomes(), ways), BigUint::from(total))));
    }
    if draws_once(situation)
        && let Ok(plan) = CardPlan::with(situation, asked, said)
    {
        let (ways, total) = plan.big_ways(&situation.decks[plan.deck()]);
        return Ok(Some((merged(plan.outcomes(), ways), total)));
    }
    states::weigh(situation, asked, said).transpose()
}

/// Outcomes that can occur, each once.
fn merged(
    outcomes: &[OddsOutcome],
    ways: impl IntoIterator<Item = BigUint>,
) -> Vec<(OddsOutcome, BigUint)> {
    let mut weights: BTreeMap<OddsOutcome, BigUint> = BTreeMap::new();
    for (outcome, ways) in outcomes.iter().zip(ways).filter(|(_, ways)| *ways != BigUint::ZERO) {
        *weights.entry(outcome.clone()).or_default() += ways;
    }
    weights.into_iter().collect()
}

/// The options without following, for a chart that nothing follows.
fn asked_alone<'a>(asked: &'a OddsOptions, situation: &Situation<'_>) -> Cow<'a, OddsOptions> {
    match asked.follow.is_on() && !has_follow_ups(situation) {
        true => Cow::Owned(OddsOptions { follow: Follow::default(), ..asked.clone() }),
        false => Cow::Borrowed(asked),
    }
}

/// Whether anything may follow from a chart or from those it looks up.
fn has_follow_ups(situation: &Situation<'_>) -> bool {
    let mut charts = Vec::new();
    reach::reach(situation.pack(), situation.chart(), false, &mut charts);
    charts.iter().any(|chart| chart.follow_ups().next().is_some())
}

/// Whether one draw is all that a chart and those it looks up have of cards. Then a [`CardPlan`] is
/// faster than states.
fn draws_once(situation: &Situation<'_>) -> bool {
    let mut charts = Vec::new();
    reach::reach(situation.pack(), situation.chart(), false, &mut charts);
    let steps = charts.iter().flat_map(|chart| &chart.steps);
    steps.filter(|step| matches!(step.kind, adjutant_pack::StepKind::Draw(_))).count() == 1
}

/// The same as [`odds`], for a chart that has a [`Plan`]: takes microseconds. `None` for any other
/// chart.
pub fn odds_at_once(situation: &Situation<'_>) -> Option<OddsReport> {
    let spread = Distribution::of_plan(&Plan::new(situation)?);
    Some(OddsReport { branches: vec![Branch { answers: Vec::new(), spread, first: Vec::new() }] })
}

/// The same as [`odds`], always by running the chart. The reference implementation for the fast
/// algorithms.
pub fn odds_by_running(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> Result<OddsReport, OddsError> {
    let spread = explore::explore(situation, asked, &[])?;
    let first = first::first(situation, asked, &[])?;
    Ok(OddsReport { branches: vec![Branch { answers: Vec::new(), spread, first }] })
}

/// A value for each combination of answers to the open questions.
type Branches<T> = Vec<(Vec<(String, Answer)>, T)>;
/// Computes a value, given answers to the open questions.
type Find<'a, T> = &'a mut dyn FnMut(&[(String, Answer)]) -> Result<T, OddsError>;

fn branches<T>(find: Find<'_, T>) -> Result<Branches<T>, OddsError> {
    let mut found = Vec::new();
    branch(find, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn branch<T>(
    find: Find<'_, T>,
    said: &mut Vec<(String, Answer)>,
    found: &mut Branches<T>,
) -> Result<(), OddsError> {
    match find(said) {
        Ok(here) => {
            found.push((said.clone(), here));
            Ok(())
        }
        Err(OddsError::Open(question)) => {
            let answers = match &question.accepts {
                Accepts::YesNo => vec![Answer::YesNo(true), Answer::YesNo(false)],
                Accepts::Choice { words } => {
                    words.iter().map(|word| Answer::Choice(word.id.clone())).collect()
                }
                Accepts::Number { .. } => return Err(OddsError::Open(question)),
            };
            for answer in answers {
                if found.len() >= MOST_BRANCHES {
                    return Err(TooMany::Answers.beyond(found.len() + 1, MOST_BRANCHES));
                }
                said.push((question.key.clone(), answer));
                branch(find, said, found)?;
                said.pop();
            }
            Ok(())
        }
        Err(stop) => Err(stop),
    }
}
