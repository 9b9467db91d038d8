//! The same check several times: five shots of one squad, three repairs. With dice the checks are
//! independent; from one deck they are not. The result is how often each outcome occurs, exactly.

use super::cards::CardPlan;
use super::distribution::{Chance, OddsOutcome, OutcomeChance};
use super::explore::{OneCheck, weigh_with_decks};
use super::joint::Joint;
use super::plan::Plan;
use super::request::{OddsError, OddsOptions};
use super::states::{Mix, Spread};
use crate::decks::Decks;
use crate::error::NoOdds;
use crate::situation::Situation;
use adjutant_dice::Answer;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The odds of several checks under the condition that these answers are given.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesBranch {
    /// The answers that this branch assumes.
    pub answers: Vec<(String, Answer)>,
    /// Whether all checks draw from one deck, so that each check affects the next.
    pub one_deck: bool,
    /// How often each outcome occurs.
    pub joint: Joint,
    root: String,
}

impl SeriesBranch {
    /// Each outcome with its id and title. The `chance` field holds its expected number of
    /// occurrences.
    pub fn outcomes(&self) -> Vec<OutcomeChance> {
        let name = |(place, outcome): (usize, &OddsOutcome)| {
            outcome.chanced(&self.root, self.joint.expected(place))
        };
        self.joint.outcomes().iter().enumerate().map(name).collect()
    }

    /// All possible combinations with their probabilities, the most likely first.
    pub fn likeliest(&self) -> Vec<(&[u32], Chance)> {
        let mut sorted: Vec<&(Vec<u32>, BigUint)> = self.joint.ways().iter().collect();
        sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        sorted.into_iter().map(|(list, ways)| (list.as_slice(), self.joint.chance(ways))).collect()
    }
}

/// The odds of several checks, with one branch for each combination of answers to the open
/// questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The number of checks.
    pub times: u32,
    /// The branches; exactly one if no question is open.
    pub branches: Vec<SeriesBranch>,
}

/// The exact odds of several checks of one chart, one after another in the same situation. Outcomes
/// are distinguished by their result or, without one, by their value. If the chart draws its one
/// card from a deck, drawn cards stay out until a rule of the chart or the empty deck brings them
/// back.
///
/// ```
/// use adjutant_engine::{OddsOptions, Situation, odds_of_series};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let repair = Situation::new(&pack, "repair").unwrap();
/// let three = &odds_of_series(&repair, &OddsOptions::default(), 3).unwrap().branches[0];
/// let fixed = three.outcomes().iter().position(|outcome| outcome.id == "weapon-fixed").unwrap();
/// println!("{} %", three.joint.at_least(fixed, 1).percent());
/// ```
pub fn odds_of_series(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    times: u32,
) -> Result<Series, OddsError> {
    if asked.follow.is_on() {
        return Err(OddsError::Refused(NoOdds::SeriesOfChains));
    }
    let found = super::branches(&mut |said| of_one(situation, asked, said, times))?;
    let root = &situation.chart().id;
    let branch = |(answers, (joint, one_deck))| SeriesBranch {
        answers,
        one_deck,
        joint,
        root: root.to_string(),
    };
    Ok(Series { times, branches: found.into_iter().map(branch).collect() })
}

/// The odds with these answers, and whether the checks share one deck.
fn of_one(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    times: u32,
) -> Result<(Joint, bool), OddsError> {
    let mut merged: BTreeMap<OddsOutcome, BigUint> = BTreeMap::new();
    let mut total = BigUint::ZERO;
    if let Some(plan) = Plan::new(situation) {
        let (ways, of) = plan.ways();
        for (outcome, ways) in plan.outcomes().iter().zip(ways).filter(|(_, ways)| *ways > 0) {
            *merged.entry(outcome.clone().into_counted()).or_default() += ways;
        }
        total += of;
    } else {
        match CardPlan::with(situation, asked, said) {
            Ok(plan) => {
                let plan = plan.counted();
                return plan
                    .joint(&situation.decks[plan.deck()], times)
                    .map(|joint| (joint, true))
                    .ok_or_else(too_many);
            }
            Err(Some(open @ OddsError::Open(_))) => return Err(open),
            Err(_) => {}
        }
        let (found, drew) = weigh_with_decks(situation, asked, said)?;
        if drew {
            return Err(OddsError::Refused(NoOdds::SeriesOfCards {
                chart: situation.chart().title.clone(),
            }));
        }
        if found.parts.keys().any(|(_, decks)| decks.is_some()) {
            return in_turn(situation, asked, said, times).map(|joint| (joint, true));
        }
        for ((outcome, _), weight) in found.parts {
            *merged.entry(outcome.into_counted()).or_default() += weight;
        }
        total = found.total;
    }
    Joint::of_independent(&merged, &total, times).map(|joint| (joint, false)).ok_or_else(too_many)
}

fn too_many() -> OddsError {
    let most = super::joint::MOST_COMBINATIONS as usize;
    super::TooMany::Combinations.beyond(most + 1, most)
}

/// Where several checks stand: the cards, and how often each outcome has come.
type Standing = (Decks, BTreeMap<OddsOutcome, u32>);

/// Checks that are made one after another, each with the cards that those before it left: a card
/// that was played from a hand is not played again.
fn in_turn(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    times: u32,
) -> Result<Joint, OddsError> {
    let mut checks: BTreeMap<Decks, Spread<OneCheck>> = BTreeMap::new();
    let mut now: Spread<Standing> = Spread::sure((situation.decks.clone(), BTreeMap::new()));
    for _ in 0..times {
        let mut after: Mix<Standing> = Mix::default();
        for ((decks, counts), weight) in now.parts {
            if !checks.contains_key(&decks) {
                let mut there = situation.clone();
                there.decks.clone_from(&decks);
                checks.insert(decks.clone(), weigh_with_decks(&there, asked, said)?.0);
            }
            let Some(check) = checks.get(&decks) else { continue };
            let next = check.clone().map(|(outcome, changed)| {
                let mut counts = counts.clone();
                *counts.entry(outcome.into_counted()).or_default() += 1;
                (changed.unwrap_or_else(|| decks.clone()), counts)
            });
            after.add(&weight, next);
        }
        now = after.done(&now.total);
        if now.parts.len() as u64 > super::joint::MOST_COMBINATIONS {
            return Err(too_many());
        }
    }
    let mut combinations: BTreeMap<BTreeMap<OddsOutcome, u32>, BigUint> = BTreeMap::new();
    for ((_, counts), weight) in now.parts {
        *combinations.entry(counts).or_default() += weight;
    }
    Ok(Joint::of_combinations(combinations.into_iter().collect(), now.total, times))
}
