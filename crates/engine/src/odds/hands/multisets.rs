//! A player's decision that depends on the dice: every multiset of faces is tried.

use super::{Hand, Hands};
use crate::handful::{HandKind, HandfulOutcome, Lying, order};
use crate::odds::request::OddsError;
use crate::odds::states::Spread;
use crate::run::{Halt, Run};
use adjutant_dice::Number;
use adjutant_pack::{Facet, Slot, Value};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The most pairs of multisets that are tried for one decision.
const MOST_TRIED: u128 = 2_000_000;

impl<'p> Hands<'_, '_, 'p> {
    /// A re-roll that a player decides on when the dice lie there: every multiset of faces, and
    /// for those re-rolled every multiset again.
    pub(super) fn by_multisets(
        &self,
        values: &[Option<Value>],
        facets: &[(Facet, Slot)],
    ) -> Result<Option<Spread<Hand>>, OddsError> {
        let roll = self.roll;
        let ordered = facets
            .iter()
            .any(|(facet, _)| matches!(facet, Facet::Die(_) | Facet::Filled | Facet::Partly));
        let ([rule], [_]) = (roll.reroll.as_slice(), roll.kinds.as_slice()) else {
            return Ok(None);
        };
        let Some(assume) = rule.ask.as_ref().and_then(|ask| ask.assume.as_ref()) else {
            return Ok(None);
        };
        if ordered
            || rule.at_most > 1
            || rule.dice.is_some()
            || roll.explode.is_some()
            || roll.extra.is_some()
            || roll.choose.is_some()
        {
            return Ok(None);
        }
        let (found, _) = self.states.at(self.chart, values, |run| {
            let mut entry = run.new_roll(self.step, crate::resolution::RollKind::Dice);
            let kinds = run.hand_kinds(self.place, self.step, roll, &mut entry)?;
            let classes = self.classes(run, &kinds)?;
            let n = kinds[0].count;
            if multisets(n, classes.len()).saturating_mul(multisets(n, classes.len())) > MOST_TRIED
            {
                return Ok(None);
            }
            let sides = BigUint::from(kinds[0].faces() as u32);
            let mut parts: BTreeMap<Hand, BigUint> = BTreeMap::new();
            for (counts, ways) in all_multisets(n, &classes) {
                let lie = dice_of(&counts, &classes, 0);
                let taken: u32 =
                    counts.iter().zip(&classes).filter(|(_, c)| c.rerolls).map(|(n, _)| n).sum();
                let outcome = run.outcome_of(roll, &kinds, &lie)?;
                run.set_handful(self.step, roll, &kinds, &outcome);
                if taken == 0 || !run.holds(assume)? {
                    let hand = self.hand(run, facets, &outcome);
                    *parts.entry(hand).or_default() += ways * sides.pow(n);
                    continue;
                }
                let stay: Vec<u32> = counts
                    .iter()
                    .zip(&classes)
                    .map(|(n, class)| if class.rerolls { 0 } else { *n })
                    .collect();
                for (fresh, more) in all_multisets(taken, &classes) {
                    let mut dice = dice_of(&stay, &classes, 0);
                    dice.extend(dice_of(&fresh, &classes, 1));
                    let outcome = run.outcome_of(roll, &kinds, &dice)?;
                    run.set_handful(self.step, roll, &kinds, &outcome);
                    let hand = self.hand(run, facets, &outcome);
                    *parts.entry(hand).or_default() += &ways * more * sides.pow(n - taken);
                }
            }
            Ok(Some(Spread { parts, total: sides.pow(2 * n) }))
        })?;
        Ok(found)
    }

    fn hand(
        &self,
        run: &Run<'p, '_, '_>,
        facets: &[(Facet, Slot)],
        found: &HandfulOutcome,
    ) -> Hand {
        let values = facets.iter().filter_map(|(_, slot)| Some((*slot, run.slots.values[*slot]?)));
        Hand { values: values.collect(), natural: found.natural }
    }

    /// Faces that count alike for everything that is asked of the roll.
    fn classes(
        &self,
        run: &mut Run<'p, '_, '_>,
        kinds: &[HandKind<'p>],
    ) -> Result<Vec<Class>, Halt> {
        let sets = self.step.facets.iter().any(|(facet, _)| {
            !matches!(
                facet,
                Facet::Total
                    | Facet::Natural
                    | Facet::Dice
                    | Facet::Tally(_)
                    | Facet::Rerolled
                    | Facet::Again
            )
        });
        let mut found: Vec<(Vec<Number>, Class)> = Vec::new();
        for place in 0..kinds[0].faces() {
            let value = kinds[0].value(place);
            let score = run.score(self.roll, kinds, 0, value)?;
            let when = &self.roll.reroll[0].when;
            let rerolls = run.face_holds(self.roll, &kinds[0], value, when)?;
            let mut key = score.tallies.clone();
            key.push(score.worth.unwrap_or(Number::ZERO));
            key.push(Number::from(u32::from(rerolls)));
            if sets {
                key.push(order(value, kinds));
            }
            if self.roll.keep.is_some() {
                key.push(score.rank);
            }
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some((_, class)) => class.faces += 1,
                None => found.push((key, Class { place, faces: 1, rerolls })),
            }
        }
        Ok(found.into_iter().map(|(_, class)| class).collect())
    }
}

/// Faces that count alike.
struct Class {
    place: usize,
    faces: u32,
    rerolls: bool,
}

/// In how many ways `n` dice fall into so many classes.
fn multisets(n: u32, classes: usize) -> u128 {
    let mut ways = 1_u128;
    for place in 1..classes as u128 {
        ways = ways.saturating_mul(u128::from(n) + place) / place;
    }
    ways
}

/// Every multiset of classes, with its ways.
fn all_multisets(n: u32, classes: &[Class]) -> Vec<(Vec<u32>, BigUint)> {
    let mut found = vec![(Vec::new(), BigUint::from(1_u32), n)];
    for (at, class) in classes.iter().enumerate() {
        let mut next = Vec::new();
        for (counts, ways, left) in found {
            let least = if at + 1 == classes.len() { left } else { 0 };
            for here in least..=left {
                let mut counts: Vec<u32> = counts.clone();
                counts.push(here);
                let more = choose(left, here) * BigUint::from(class.faces).pow(here);
                next.push((counts, &ways * more, left - here));
            }
        }
        found = next;
    }
    found.into_iter().map(|(counts, ways, _)| (counts, ways)).collect()
}

fn choose(n: u32, k: u32) -> BigUint {
    (0..k).fold(BigUint::from(1_u32), |ways, at| ways * (n - at) / (at + 1))
}

/// Dice that show so many faces of each class.
fn dice_of(counts: &[u32], classes: &[Class], rerolls: usize) -> Vec<Lying> {
    let mut dice = Vec::new();
    for (count, class) in counts.iter().zip(classes) {
        for _ in 0..*count {
            let mut die = Lying::new(0, class.place, 0);
            if rerolls > 0 {
                die.places.insert(0, class.place);
                die.rerolls = 1;
            }
            dice.push(die);
        }
    }
    dice
}
