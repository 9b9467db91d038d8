//! Who acts first, where scores order several units. The units roll for themselves, so the chances of
//! their scores multiply; charts that draw cards are left out.

use super::Follow;
use super::distribution::{Chance, FirstChance};
use super::explore::weigh_score;
use super::request::{OddsError, OddsOptions};
use crate::situation::Situation;
use adjutant_dice::{Answer, Number, Text};
use adjutant_pack::Order;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The scores of one unit with their weights, and the total of the weights.
struct Scores {
    name: Text,
    weights: BTreeMap<Number, BigUint>,
    total: BigUint,
}

impl Scores {
    /// The weight of all scores that come after this one.
    fn after(&self, score: Number, order: Order) -> BigUint {
        let later = |other: Number| match order {
            Order::Highest => other < score,
            Order::Lowest => other > score,
        };
        self.weights.iter().filter(|(other, _)| later(**other)).map(|(_, weight)| weight).sum()
    }
}

/// The chance of each unit to act before all others, and that several act first together. Empty if
/// the chart has no order or a single unit.
pub(super) fn first(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Result<Vec<FirstChance>, OddsError> {
    let each = situation.chart().each.as_ref().filter(|each| each.random.is_none());
    let units = situation.units();
    let Some(order) = each.and_then(|each| each.order).filter(|_| units.len() > 1) else {
        return Ok(Vec::new());
    };
    let alone = OddsOptions { follow: Follow::default(), ..asked.clone() };
    let mut all = Vec::with_capacity(units.len());
    for unit in units {
        let name = unit.0.clone();
        let (weights, total, drew) = weigh_score(situation, &alone, said, unit)?;
        if drew {
            return Ok(Vec::new());
        }
        all.push(Scores { name, weights, total });
    }
    let total: BigUint = all.iter().map(|scores| &scores.total).product();
    let mut together = total.clone();
    let mut found = Vec::with_capacity(all.len() + 1);
    for (place, own) in all.iter().enumerate() {
        let before_all = |(score, weight): (&Number, &BigUint)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != place);
            others.fold(weight.clone(), |ways, (_, other)| ways * other.after(*score, order))
        };
        let ways: BigUint = own.weights.iter().map(before_all).sum();
        together -= &ways;
        found.push(FirstChance {
            of: Some(own.name.clone()),
            chance: Chance::new(ways, total.clone()),
        });
    }
    found.push(FirstChance { of: None, chance: Chance::new(together, total) });
    Ok(found)
}
