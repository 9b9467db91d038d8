//! Boxes, and dice that are read one by one: each die is counted in turn.

use super::{Hand, Hands, Ready, face_of, single};
use crate::odds::request::OddsError;
use crate::odds::states::Spread;
use adjutant_dice::Number;
use adjutant_pack::{Facet, Slot, Value, Yields};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The most states while dice are counted one by one.
const MOST_ROWS: usize = 1_000_000;

impl<'p> Hands<'_, '_, 'p> {
    /// Boxes, and dice that are read one by one: each die in turn.
    pub(super) fn die_by_die(
        &self,
        values: &[Option<Value>],
        facets: &[(Facet, Slot)],
        ready: &Ready<'p>,
    ) -> Result<Option<Spread<Hand>>, OddsError> {
        let roll = self.roll;
        let plain = roll.keep.is_none()
            && roll.choose.is_none()
            && roll.extra.is_none()
            && roll.reroll.iter().all(|rule| rule.dice.is_none());
        let known = |(facet, _): &(Facet, Slot)| {
            matches!(
                facet,
                Facet::Total
                    | Facet::Natural
                    | Facet::Dice
                    | Facet::Die(_)
                    | Facet::Filled
                    | Facet::Partly
                    | Facet::Tally(_)
                    | Facet::FaceField(_)
                    | Facet::FaceCount(_)
            )
        };
        if !plain || !facets.iter().all(known) {
            return Ok(None);
        }
        let (fill, _) = self.states.at(self.chart, values, |run| run.fill_of(roll))?;
        let mut now: BTreeMap<Row, BigUint> =
            adjutant_dice::one_entry(Row::new(fill), 1_u32.into());
        let mut total = BigUint::from(1_u32);
        let firsts = facets.iter().filter_map(|(facet, _)| match facet {
            Facet::Die(place) => Some(*place as usize),
            _ => None,
        });
        let firsts = firsts.max().unwrap_or(0);
        let (sums, _) = self.states.at(self.chart, values, |run| {
            let mut all = Vec::new();
            for (at, die) in ready.dice.iter().enumerate() {
                let mut ends = Vec::new();
                for end in die.finished() {
                    let value = face_of(end.value, &ready.kinds);
                    let score = run.score(roll, &ready.kinds, at, value)?;
                    let of = |(facet, _): &(Facet, Slot)| match facet {
                        Facet::Tally(tally) => score.tallies[*tally as usize],
                        Facet::FaceField(field) => ready.kinds[at].field(value, *field),
                        Facet::FaceCount(word) => {
                            Number::from(u32::from(value == Value::Word(*word)))
                        }
                        Facet::Total | Facet::Natural => score.worth.unwrap_or(Number::ZERO),
                        _ => Number::ZERO,
                    };
                    let sums: Vec<Number> = facets.iter().map(of).collect();
                    ends.push((value, score.worth.unwrap_or(Number::ZERO), sums));
                }
                all.push(ends);
            }
            Ok(all)
        })?;
        for (at, kind) in ready.kinds.iter().enumerate() {
            let Some((ways, of_one)) = single(&ready.dice[at], &ready.rules)? else {
                return Ok(None);
            };
            for _ in 0..kind.count {
                let mut next: BTreeMap<Row, BigUint> = BTreeMap::new();
                for (row, weight) in &now {
                    for ((value, worth, sums), ways) in sums[at].iter().zip(&ways) {
                        let row = row.with(*value, *worth, sums, fill, firsts);
                        *next.entry(row).or_default() += weight * ways;
                    }
                    if next.len() > MOST_ROWS {
                        let large = crate::odds::TooMany::States.beyond(next.len(), MOST_ROWS);
                        return Err(large.in_step(&self.step.name));
                    }
                }
                total *= &of_one;
                now = next;
            }
        }
        let dice: u32 = ready.kinds.iter().map(|kind| kind.count).sum();
        let first = ready.kinds.first().map(|kind| kind.value(0));
        let nothing = match first {
            Some(Value::Word(_)) => {
                self.states.situation.pack().words().find("none").map(Value::Word)
            }
            _ => Some(Value::Number(Number::ZERO)),
        };
        let nothing = nothing.unwrap_or(Value::YesNo(false));
        let mut parts: BTreeMap<Hand, BigUint> = BTreeMap::new();
        for (row, weight) in now {
            let mut hand = Hand { values: Vec::new(), natural: None };
            for (at, (facet, slot)) in facets.iter().enumerate() {
                let sum = row.sums.get(at).copied().unwrap_or(Number::ZERO);
                let value = match facet {
                    Facet::Dice => Value::Number(Number::from(dice)),
                    Facet::Die(n) => row.firsts.get(*n as usize - 1).copied().unwrap_or(nothing),
                    Facet::Filled => Value::Number(Number::from(row.filled)),
                    Facet::Partly => Value::Number(row.partly),
                    Facet::Total | Facet::Natural if roll.yields == Yields::Face => {
                        row.firsts.first().copied().unwrap_or(nothing)
                    }
                    _ => Value::Number(sum),
                };
                if matches!(facet, Facet::Total | Facet::Natural) && roll.yields == Yields::Number {
                    hand.natural = Some(sum);
                }
                hand.values.push((*slot, value));
            }
            *parts.entry(hand).or_default() += weight;
        }
        Ok(Some(Spread { parts, total }))
    }
}

/// A state while dice are counted one by one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    sums: Vec<Number>,
    filled: u32,
    partly: Number,
    firsts: Vec<Value>,
}

impl Row {
    fn new(fill: Option<(Number, Number)>) -> Row {
        let partly = fill.map_or(Number::ZERO, |(_, begun)| begun);
        Row { sums: Vec::new(), filled: 0, partly, firsts: Vec::new() }
    }

    /// With one more die.
    fn with(
        &self,
        value: Value,
        worth: Number,
        sums: &[Number],
        fill: Option<(Number, Number)>,
        firsts: usize,
    ) -> Row {
        let mut row = self.clone();
        if row.sums.is_empty() {
            row.sums = sums.to_vec();
        } else {
            for (sum, more) in row.sums.iter_mut().zip(sums) {
                *sum = sum.plus(*more).unwrap_or(*sum);
            }
        }
        if let Some((size, _)) = fill.filter(|(size, _)| *size > Number::ZERO) {
            row.partly = row.partly.plus(worth).unwrap_or(row.partly);
            if row.partly >= size {
                row.filled += 1;
                row.partly = Number::ZERO;
            }
        }
        if row.firsts.len() < firsts.max(1) {
            row.firsts.push(value);
        }
        row
    }
}
