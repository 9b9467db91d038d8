//! The reference algorithm: every way that a run can go. The run is repeated with a list of
//! choices. Where the list ends, the possibilities are noted, and each is tried in turn.

use super::distribution::{Distribution, OddsOutcome};
use super::reach::{reach, terms};
use super::request::{OddsError, OddsOptions, OpenQuestion};
use super::script::{End, ExploredChoice, Script};
use super::search::{Search, Tried, Weighed};
use super::states::Spread;
use super::unfollowed::Unfollowed;
use crate::decks::Decks;
use crate::error::{NoOdds, ResolveError};
use crate::resolution::Resolution;
use crate::run::{closed, run_ready};
use crate::situation::{Situation, Unit};
use adjutant_dice::{Answer, Number, Text, Wanted};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// How many rolls are made for one question at most, over all runs.
pub(super) const MAX_ROLLS: usize = 300_000;

/// What is kept of a run, to tell it from others. A chain of charts may have several ends.
pub(crate) type Classify<'a, K> = &'a dyn Fn(&Resolution, &Besides) -> K;

/// What a chain of charts came to besides its first end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Besides {
    /// Its other ends.
    pub(crate) ends: Vec<Resolution>,
    /// What was not followed.
    pub(crate) unfollowed: Vec<Unfollowed>,
}

pub(super) struct Explorer<'a, 'p, K> {
    situation: &'a Situation<'p>,
    units: Vec<Unit>,
    asked: &'a OddsOptions,
    said: &'a [(String, Answer)],
    pub(super) classes: HashMap<Text, Vec<u32>>,
    goes_round: bool,
    /// Whether something happens when a deck runs out or is reshuffled.
    deck_events: bool,
    kept: Classify<'a, K>,
    search: Search<K>,
}

/// All chances, given answers to the questions that were open.
pub(super) fn explore(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Distribution, OddsError> {
    let (outcomes, total) = weigh(situation, asked, said, &outcome)?;
    Ok(Distribution::new(&situation.chart().id, outcomes.into_iter().collect(), &total))
}

/// Everything that is kept of some run, with its weight, and the total of the weights.
pub(crate) fn weigh<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    kept: Classify<'_, K>,
) -> Result<(BTreeMap<K, BigUint>, BigUint), OddsError> {
    weigh_and_tell(situation, asked, said, kept).map(|(outcomes, total, _)| (outcomes, total))
}

/// The same with a number of rolls to spend, shared by several questions.
pub(crate) fn weigh_within<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    kept: Classify<'_, K>,
    rolls: &mut usize,
) -> Result<BTreeMap<K, BigUint>, OddsError> {
    let mut explorer = Explorer::new(situation, asked, &[], kept)?;
    explorer.search.rolls = MAX_ROLLS.saturating_sub(*rolls);
    // What is kept of a run may tell how often a deck was reshuffled.
    explorer.goes_round &= !explorer.deck_events;
    let started = explorer.search.rolls;
    let found = explorer.go();
    *rolls = rolls.saturating_sub(explorer.search.rolls - started);
    found.map(|found| found.outcomes)
}

/// The same, and whether a card was drawn for it.
pub(super) fn weigh_and_tell<K: Ord + Clone>(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    kept: Classify<'_, K>,
) -> Result<(BTreeMap<K, BigUint>, BigUint, bool), OddsError> {
    let mut explorer = Explorer::new(situation, asked, said, kept)?;
    let found = explorer.go()?;
    Ok((found.outcomes, found.total, explorer.search.drew))
}

/// An outcome, and the decks after it if they are not as before.
pub(super) type OneCheck = (OddsOutcome, Option<Decks>);

/// Every outcome together with the decks after it, if they are not as before. And whether a card was
/// drawn for it.
pub(super) fn weigh_with_decks(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<(Spread<OneCheck>, bool), OddsError> {
    let explorer = Explorer::new(situation, asked, said, &outcome)?;
    let mut search = Search::new(&situation.chart().title, asked);
    let found = search.go(
        &|picks| {
            let Tried { end, stood, deck, decks } = explorer.run(picks)?;
            let changed = (decks != situation.decks).then(|| decks.clone());
            Ok(Tried { end: end.map(|outcome| (outcome, changed)), stood, deck, decks })
        },
        &mut Vec::new(),
    )?;
    Ok((Spread { parts: found.outcomes, total: found.total }, search.drew))
}

/// The scores of one of several units with their weights, and whether a card was drawn for them.
pub(super) fn weigh_score(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    unit: Unit,
) -> Result<(BTreeMap<Number, BigUint>, BigUint, bool), OddsError> {
    let score = |resolution: &Resolution, _: &Besides| match resolution.score {
        Some(Answer::Number(score)) => score,
        _ => Number::ZERO,
    };
    let mut explorer = Explorer::new(situation, asked, said, &score)?;
    explorer.units = vec![unit];
    let found = explorer.go()?;
    Ok((found.outcomes, found.total, explorer.search.drew))
}

impl<'a, 'p, K: Ord + Clone> Explorer<'a, 'p, K> {
    /// For a chart that is open and has what it needs.
    pub(super) fn new(
        situation: &'a Situation<'p>,
        asked: &'a OddsOptions,
        said: &'a [(String, Answer)],
        kept: Classify<'a, K>,
    ) -> Result<Self, OddsError> {
        if let Some(error) = closed(situation) {
            return Err(OddsError::Refused(error.into()));
        }
        let units = situation.units();
        let missing = crate::needs::needs_of(situation, &units);
        if !missing.is_empty() {
            return Err(OddsError::Needs(missing));
        }
        let mut charts = Vec::new();
        reach(situation.pack(), situation.chart(), asked.follow.is_on(), &mut charts);
        let deck_events = charts.iter().any(|chart| !chart.deck_events.is_empty());
        let (classes, goes_round) = terms(situation, asked);
        Ok(Explorer {
            situation,
            units,
            asked,
            said,
            classes,
            goes_round,
            deck_events,
            kept,
            search: Search::new(&situation.chart().title, asked),
        })
    }
}

impl<K: Ord + Clone> Explorer<'_, '_, K> {
    fn go(&mut self) -> Result<Weighed<K>, OddsError> {
        let fresh = Search::new(&self.situation.chart().title, self.asked);
        let mut search = std::mem::replace(&mut self.search, fresh);
        let found = search.go(&|picks| self.run(picks), &mut Vec::new());
        self.search = search;
        found
    }

    /// One run: how it came out, or where the picks ended.
    pub(super) fn run(&self, picks: &[ExploredChoice]) -> Result<Tried<K>, OddsError> {
        let mut script = Script::new(picks, self.asked, self.said, &self.classes, self.goes_round);
        let Some(chain) = self.asked.follow.chain_odds() else {
            // Needs were settled before; inputs matter only to a chart that follows.
            let mut resolution =
                Resolution { chart: self.situation.chart().id.clone(), ..Resolution::default() };
            let mut decks = self.situation.decks.clone();
            let units = self.units.clone();
            let ran = run_ready(self.situation, &mut decks, &mut script, units, &mut resolution);
            let kept = ran.map(|()| (self.kept)(&resolution, &Besides::default()));
            return script.tried(kept, &resolution, decks);
        };
        let ran = (chain.run)(self.situation, self.asked, &mut script)?;
        let end = match ran.ends {
            Ok((first, besides)) => Ok((self.kept)(&first, &besides)),
            Err(end) => Err(end),
        };
        Ok(Tried { end, stood: script.stood, deck: script.deck, decks: ran.decks })
    }
}

/// Where a run that stopped has ended: at the end of its picks, or for good.
pub(super) fn ended(
    end: Option<End>,
    refused: Option<Box<ResolveError>>,
    resolution: &Resolution,
) -> Result<End, OddsError> {
    match (end, refused) {
        (Some(end), _) => Ok(end),
        (None, Some(error)) => Err(OddsError::Refused(NoOdds::Resolve(error))),
        (None, None) => Err(open_need(resolution)),
    }
}

/// What a run that stopped for want of something lacks.
pub(crate) fn open_need(resolution: &Resolution) -> OddsError {
    let answer = resolution.needs.iter().find_map(|need| match &need.wanted {
        Wanted::Answer { accepts } => Some(OpenQuestion {
            key: need.key.clone(),
            prompt: need.what_for.clone(),
            accepts: accepts.clone(),
        }),
        _ => None,
    });
    answer.map_or_else(|| OddsError::Needs(resolution.needs.clone()), OddsError::Open)
}

/// How a run came out, and what it came to besides.
pub(crate) fn outcome(resolution: &Resolution, besides: &Besides) -> OddsOutcome {
    let name = |result: &crate::ResultLine| (result.id.clone(), result.title.clone());
    let members = resolution.members.iter().map(|member| {
        let value = || member.value.map_or("Nothing".into(), |value| value.to_string().into());
        let (id, title) =
            member.result.as_ref().map(name).unwrap_or_else(|| ("none".into(), value()));
        (member.name.clone(), id, title)
    });
    OddsOutcome {
        chart: resolution.chart.clone(),
        result: resolution
            .result
            .as_ref()
            .map(|result| (result.id.clone(), result.title.clone(), result.on.clone())),
        value: resolution.value,
        also: resolution
            .also
            .iter()
            .map(|also| (also.id.clone(), also.title.clone(), also.because.clone()))
            .collect(),
        members: if resolution.members.len() > 1 { members.collect() } else { Vec::new() },
        besides: besides.ends.iter().map(alone).collect(),
        unfollowed: besides.unfollowed.clone(),
    }
}

/// How one chart came out.
pub(crate) fn alone(resolution: &Resolution) -> OddsOutcome {
    outcome(resolution, &Besides::default())
}
