//! A chart that is run for each of several units, one after another. Only what the next unit depends
//! on is carried along: the cards left, what came in addition, and the tallies. The results of each
//! unit are counted on the way, so the cost grows with the number of units, not with its power.

use super::decks::Left;
use super::spread::{Mix, Spread};
use super::{AlsoKey, Halted, Scope, State, States, also_key};
use crate::odds::distribution::{Chance, Distribution, OutcomeChance};
use crate::odds::request::{OddsError, OddsOptions};
use crate::run::{ChartOutcome, Skips, closed};
use crate::situation::{Situation, Unit};
use adjutant_dice::{Answer, Number, Text};
use adjutant_pack::Value;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// What the next unit depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Between {
    left: Left,
    also: Vec<AlsoKey>,
    counts: Vec<u32>,
}

/// The odds of a chart for several units. None if they can only be explored.
pub(in crate::odds) fn weigh_members(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Option<Result<Distribution, OddsError>> {
    let units = situation.units();
    if asked.follow.is_on()
        || situation.chart().each.as_ref().is_none_or(|each| each.random.is_some())
        || units.len() < 2
        || !super::weigh::fits(situation)
    {
        return None;
    }
    if let Some(error) = closed(situation) {
        return Some(Err(OddsError::Refused(error.into())));
    }
    let missing = crate::needs::needs_of(situation, &units);
    if !missing.is_empty() {
        return Some(Err(OddsError::Needs(missing)));
    }
    let mut states = States::new(situation, asked, said);
    loop {
        match states.members(&units) {
            Ok(found) => return Some(Ok(found)),
            Err(Halted::Odds(stop)) => return Some(Err(stop)),
            Err(Halted::Unfit) => return None,
            Err(Halted::Split) => states.start_again(),
        }
    }
}

impl States<'_, '_> {
    fn members(&mut self, units: &[Unit]) -> Result<Distribution, Halted> {
        let chart = self.situation.chart;
        let skips = Skips { value: false, changes: true };
        let none = vec![false; self.situation.decks.len()];
        let mut scope = Scope { chart, roles: None, skips, decks: none.clone() };
        let live = self.live(&scope);
        let drawn = (0..none.len()).map(|deck| live.drawn.iter().any(|step| step[deck]));
        let drawn: Vec<bool> = drawn.collect();
        let tallies = self.known(chart).each.as_ref().map_or(0, |each| each.tally.len());
        let start =
            Between { left: self.decks_now(&scope), also: Vec::new(), counts: vec![0; tallies] };
        let mut now = Spread::sure(start);
        let mut results = Vec::new();
        for (place, (name, values)) in units.iter().enumerate() {
            scope.decks = if place + 1 < units.len() { drawn.clone() } else { none.clone() };
            let mut mix = Mix::default();
            for (between, weight) in now.parts {
                let found = self.chart(&scope, values, between.left.clone())?;
                self.spend(found.parts.len())?;
                mix.add(
                    &weight,
                    found.map(|found| {
                        let mut done =
                            super::Done { also: between.also.clone(), ..Default::default() };
                        done.add(found.done.also.into_iter());
                        let mut counts = between.counts.clone();
                        for (count, counted) in counts.iter_mut().zip(&found.counts) {
                            *count += u32::from(*counted);
                        }
                        let result = match (found.result, found.value) {
                            (Some((id, title, _)), _) => (id, title),
                            (None, Some(value)) => ("none".into(), value.to_string().into()),
                            (None, None) => ("none".into(), "Nothing".into()),
                        };
                        (result, Between { left: found.left, also: done.also, counts })
                    }),
                );
            }
            let both = mix.done(&now.total);
            results.extend(marginals(name, &both));
            now = both.map(|(_, between)| between);
        }
        let also = self.tallied(&scope, &units[0], now)?;
        let (values, together) = (Vec::new(), Vec::new());
        Ok(Distribution { results, values, also, together, ..Distribution::default() })
    }

    /// The results in addition, with those of the tallies.
    fn tallied(
        &self,
        scope: &Scope,
        (_, values): &Unit,
        ends: Spread<Between>,
    ) -> Result<Vec<OutcomeChance>, OddsError> {
        let chart = self.known(scope.chart);
        let mut mix = Mix::default();
        for (end, weight) in ends.parts {
            let state = State {
                values: values.to_vec(),
                ended: None,
                left: end.left,
                done: super::Done { also: end.also, ..Default::default() },
            };
            let reached = self.tries(scope, &state, None, &|run| {
                let mut found = Vec::new();
                let tallies = chart.each.iter().flat_map(|each| &each.tally);
                for (tally, count) in tallies.zip(&end.counts) {
                    if *count >= tally.at_least {
                        run.set_outcome(&ChartOutcome {
                            score: Some(Value::Number(Number::from(*count))),
                            ..ChartOutcome::default()
                        });
                        found.push(also_key(&run.land(tally.landing, Some(tally.label.clone()))?));
                    }
                }
                Ok(found)
            })?;
            let all = reached.map(|(found, mut state)| {
                state.done.add(found.into_iter());
                state.done.also
            });
            mix.add(&weight, all);
        }
        let ends = mix.done(&ends.total);
        let mut weights: BTreeMap<&AlsoKey, BigUint> = BTreeMap::new();
        for (also, weight) in &ends.parts {
            also.iter().for_each(|also| *weights.entry(also).or_default() += weight);
        }
        let chanced = |((id, title, label), weight): (&AlsoKey, BigUint)| OutcomeChance {
            label: label.clone(),
            ..result(None, id, title, weight, &ends.total)
        };
        Ok(weights.into_iter().map(chanced).collect())
    }
}

/// The results of one unit.
fn marginals(name: &Text, both: &Spread<((Text, Text), Between)>) -> Vec<OutcomeChance> {
    let mut weights: BTreeMap<&(Text, Text), BigUint> = BTreeMap::new();
    for ((result, _), weight) in &both.parts {
        *weights.entry(result).or_default() += weight;
    }
    let chanced = |((id, title), weight): (&(Text, Text), BigUint)| {
        result(Some(name), id, title, weight, &both.total)
    };
    weights.into_iter().map(chanced).collect()
}

fn result(
    of: Option<&Text>,
    id: &Text,
    title: &Text,
    weight: BigUint,
    total: &BigUint,
) -> OutcomeChance {
    OutcomeChance {
        chart: None,
        of: of.cloned(),
        id: id.clone(),
        title: title.clone(),
        on: None,
        label: None,
        chance: Chance::new(weight, total.clone()),
    }
}
