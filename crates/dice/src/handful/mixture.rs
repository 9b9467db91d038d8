//! Re-rolls that take only some dice of a handful make the dice depend on each other. Given how
//! many dice such a rule takes and where it stops, they are independent again: the handful is a
//! mixture of handfuls in which every part is so many equal dice.

use super::HandfulError;
use super::die::{Die, DieEnd, Rules};
use crate::Number;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Dice with one fate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KindPart {
    pub kind: usize,
    /// The faces on which the dice may lie after the first roll; for dice that a limited rule
    /// took, one of them, as an example.
    pub starts: Vec<usize>,
    /// The limited rule that took these dice.
    pub taken: Option<usize>,
}

impl KindPart {
    /// Where one die of this part ends, each with the face on which its trail starts and with its
    /// weight.
    pub fn ends<'d>(&self, die: &'d Die) -> Vec<(usize, &'d DieEnd, u128)> {
        let mut merged: BTreeMap<(usize, bool), (usize, &DieEnd, u128)> = BTreeMap::new();
        for start in &self.starts {
            let fate = match self.taken {
                Some(rule) => die.taken_by(rule),
                None => die.fate(*start),
            };
            for end in fate {
                merged
                    .entry((end.finished, end.brings_extra))
                    .and_modify(|(_, _, weight)| *weight += end.weight)
                    .or_insert((*start, end, end.weight));
            }
        }
        merged.into_values().collect()
    }
}

/// One case of the mixture: its weight and how many dice each part has.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub weight: BigUint,
    pub parts: BTreeMap<KindPart, u32>,
}

const MOST_COMPONENTS: usize = 100_000;

/// The cases into which the limited re-rolls split the first roll.
pub(super) fn components(
    kinds: &[(u32, &Die)],
    rules: &Rules,
) -> Result<Vec<Component>, HandfulError> {
    let whole = |(kind, (_, die)): (usize, &(u32, &Die))| KindPart {
        kind,
        starts: (0..die.faces().len()).collect(),
        taken: None,
    };
    let parts = kinds.iter().enumerate().map(|one| (whole(one), one.1.0));
    let first = Component {
        weight: BigUint::from(1_u32),
        parts: crate::map_of(parts.filter(|(_, n)| *n > 0)),
    };
    let mut components = vec![first];
    for (rule, reroll) in rules.rerolls.iter().enumerate() {
        let Some(limit) = reroll.dice else { continue };
        let mut next = Vec::new();
        for component in &components {
            Split::new(component, kinds, rule, limit).cases(&mut next)?;
        }
        components = next;
    }
    Ok(components)
}

/// One component, looked at by one limited rule.
struct Split<'a> {
    rule: usize,
    limit: u32,
    weight: &'a BigUint,
    parts: Vec<(&'a KindPart, u32)>,
    /// Part and face of every die that the rule could take, lowest first.
    entries: Vec<(usize, usize)>,
}

impl<'a> Split<'a> {
    fn new(
        component: &'a Component,
        kinds: &[(u32, &'a Die)],
        rule: usize,
        limit: u32,
    ) -> Split<'a> {
        let parts: Vec<(&KindPart, u32)> =
            component.parts.iter().map(|(part, n)| (part, *n)).collect();
        let mut sorted: Vec<(Number, usize, usize, usize)> = Vec::new();
        for (at, (part, _)) in parts.iter().enumerate().filter(|(_, (p, _))| p.taken.is_none()) {
            let die = kinds[part.kind].1;
            let places = part.starts.iter().filter(|place| die.may_take(rule, **place));
            sorted.extend(places.map(|place| (die.faces()[*place].order, part.kind, *place, at)));
        }
        crate::sort::sort(&mut sorted);
        let entries = sorted.into_iter().map(|(_, _, place, at)| (at, place)).collect();
        Split { rule, limit, weight: &component.weight, parts, entries }
    }

    /// Every case: all candidates are taken, or the limit is passed at one entry.
    fn cases(&self, found: &mut Vec<Component>) -> Result<(), HandfulError> {
        for stop in 0..=self.entries.len() {
            let mut taken = vec![0; self.parts.len()];
            self.choose(stop, 0, &mut taken, found)?;
        }
        Ok(())
    }

    /// Chooses how many dice of each part lie before the entry at which the rule stops.
    fn choose(
        &self,
        stop: usize,
        part: usize,
        taken: &mut Vec<u32>,
        found: &mut Vec<Component>,
    ) -> Result<(), HandfulError> {
        let so_far: u32 = taken[..part].iter().sum();
        let Some((_, dice)) = self.parts.get(part) else {
            return self.stop(stop, so_far, taken, found);
        };
        let any = self.entries[..stop].iter().any(|(at, _)| *at == part);
        let most = if any { (*dice).min(self.limit - so_far) } else { 0 };
        for n in 0..=most {
            taken[part] = n;
            self.choose(stop, part + 1, taken, found)?;
        }
        Ok(())
    }

    fn stop(
        &self,
        stop: usize,
        so_far: u32,
        taken: &[u32],
        found: &mut Vec<Component>,
    ) -> Result<(), HandfulError> {
        let Some((at, _)) = self.entries.get(stop) else {
            found.extend(self.component(stop, taken, 0, 0));
            return Ok(());
        };
        let left = self.limit - so_far;
        for here in left + 1..=self.parts[*at].1 - taken[*at] {
            found.extend(self.component(stop, taken, here, left));
            if found.len() > MOST_COMPONENTS {
                return Err(HandfulError::TooLarge { cells: found.len() as u128 });
            }
        }
        Ok(())
    }

    /// `here` dice lie on the entry at which the rule stops, and it takes `left` of them.
    fn component(&self, stop: usize, taken: &[u32], here: u32, left: u32) -> Option<Component> {
        let mut weight = self.weight.clone();
        let mut parts: BTreeMap<KindPart, u32> = BTreeMap::new();
        let mut add = |part: KindPart, dice: u32| {
            if dice > 0 {
                *parts.entry(part).or_default() += dice;
            }
        };
        for (at, (part, dice)) in self.parts.iter().enumerate() {
            let before: Vec<usize> = self.of(at, &self.entries[..stop]).collect();
            let lies = self.entries.get(stop).filter(|(of, _)| *of == at).map(|(_, face)| *face);
            let on_stop = if lies.is_some() { here } else { 0 };
            weight *= choose(*dice, taken[at])
                * BigUint::from(before.len()).pow(taken[at])
                * choose(dice - taken[at], on_stop);
            let rest = dice - taken[at] - on_stop;
            let starts: Vec<usize> = (part.starts.iter().copied())
                .filter(|face| !before.contains(face) && lies != Some(*face))
                .collect();
            if rest > 0 && starts.is_empty() {
                return None;
            }
            let kind = part.kind;
            add(KindPart { kind, starts, taken: part.taken }, rest);
            let example = before.first().copied().or(lies);
            if let Some(example) = example {
                let took = taken[at] + if lies.is_some() { left } else { 0 };
                add(KindPart { kind, starts: vec![example], taken: Some(self.rule) }, took);
            }
            if let Some(face) = lies {
                add(KindPart { kind, starts: vec![face], taken: None }, on_stop - left);
            }
        }
        Some(Component { weight, parts })
    }

    fn of(&self, part: usize, entries: &'a [(usize, usize)]) -> impl Iterator<Item = usize> {
        entries.iter().filter(move |(at, _)| *at == part).map(|(_, face)| *face)
    }
}

pub(super) fn choose(n: u32, k: u32) -> BigUint {
    (0..k.min(n)).fold(BigUint::from(1_u32), |ways, i| ways * (n - i) / (i + 1))
}
