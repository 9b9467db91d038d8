//! One die from its first roll to its finished face: re-rolled, then exploded.

use super::HandfulError;
use crate::{Number, gcd};
use std::collections::{BTreeMap, HashMap};

/// One face as it is on the die. A word is written as any number that no other word of the
/// handful has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieFace {
    /// The number on the face. Exploding dice add it; groups, runs and pairs compare it.
    pub value: Number,
    /// Of dice that a limited re-roll may take, those with the lowest `order` are taken first.
    pub order: Number,
    /// Bit `i` is set if rule `i` of [`Rules::rerolls`] applies to this face.
    pub rerolls: u32,
    /// The die is rolled again and the new face is added.
    pub explodes: bool,
    /// A finished die whose last face is this one brings one more die.
    pub brings_extra: bool,
}

impl DieFace {
    /// A number on which no rule acts.
    pub fn number(value: impl Into<Number>) -> DieFace {
        let value = value.into();
        DieFace { value, order: value, rerolls: 0, explodes: false, brings_extra: false }
    }
}

/// One re-roll rule. A die is re-rolled by one rule only: the first that applies to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reroll {
    /// The most times that one die is re-rolled while the rule applies to its new face. `None` has
    /// no end, so the die cannot finish on such a face.
    pub at_most: Option<u32>,
    /// The most dice of the first roll that are re-rolled. A rule with such a limit does not apply
    /// to extra dice.
    pub dice: Option<u32>,
}

/// The rules for dice before they are kept and counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// In the order in which they act.
    pub rerolls: Vec<Reroll>,
    /// The most times that one die explodes.
    pub explode_at_most: u32,
    /// The most dice that may follow from one die of the first roll, each from the one before.
    pub extra_at_most: u32,
    /// Makes [`Finished::rerolled`] tell dice apart.
    pub watch_rerolled: bool,
    /// The number of highest dice that are kept.
    pub keep_highest: Option<u32>,
    /// The number of lowest dice that are kept. With both, a die that is among the highest or among
    /// the lowest is kept.
    pub keep_lowest: Option<u32>,
    /// The number of highest dice that are dropped, if none of the two above is given.
    pub drop_highest: u32,
    /// The number of lowest dice that are dropped, if none of the two above is given.
    pub drop_lowest: u32,
}

impl Rules {
    /// Tells if the die at this place, counted from the highest of so many, is kept.
    pub fn keeps(&self, dice: u32, place: u32) -> bool {
        kept_between(self, dice, place, place + 1) == 1
    }

    /// Tells if a walk from either end must know the number of dice to see which are kept.
    pub(super) fn needs_total(&self) -> bool {
        match (self.keep_highest, self.keep_lowest) {
            (None, None) => self.drop_highest + self.drop_lowest > 0,
            (high, low) => high.is_some() && low.is_some(),
        }
    }
}

/// The number of dice kept among `from..to`, counted from the highest of `dice`.
pub(super) fn kept_between(rules: &Rules, dice: u32, from: u32, to: u32) -> u32 {
    let overlap = |start: u32, end: u32| to.min(end).saturating_sub(from.max(start));
    match (rules.keep_highest, rules.keep_lowest) {
        (None, None) => overlap(rules.drop_highest, dice.saturating_sub(rules.drop_lowest)),
        (high, low) => {
            let (high, low) = (high.unwrap_or(0).min(dice), low.unwrap_or(0).min(dice));
            if high + low >= dice {
                to - from
            } else {
                overlap(0, high) + overlap(dice - low, dice)
            }
        }
    }
}

/// An end of one die: its value, and if it was re-rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finished {
    /// The face, or the sum of an exploded die.
    pub value: Number,
    /// Set if the die was re-rolled. Always `false` unless [`Rules::watch_rerolled`] is set.
    pub rerolled: bool,
}

/// The rolls of one die, as places on the die (the first is 0).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Which kind of die, by its place in the call.
    pub kind: usize,
    /// Every face in order: those re-rolled, the one that stayed, then those added by exploding.
    pub places: Vec<usize>,
    /// The number of places, from the first, that were re-rolled.
    pub rerolls: usize,
    /// The rule that re-rolled the die.
    pub rule: Option<usize>,
    /// Set if an earlier die brought this one.
    pub extra: bool,
}

/// Up to so many faces, equal ones are found by looking at each.
const MOST_PLAIN_FACES: usize = 32;

/// A die with its rules: what it can come to.
#[derive(Clone, Debug)]
pub struct Die {
    faces: Vec<DieFace>,
    rerolls: Vec<Reroll>,
    finished: Vec<Finished>,
    /// For each face on which the die may lie after its first roll, what becomes of it.
    fates: Vec<Fate>,
    /// For each rule, what becomes of a die that it takes.
    taken: Vec<Fate>,
    /// The total of each fate.
    scale: u128,
    extras: bool,
}

/// Where one die ends, with weights whose sum is the die's scale.
pub(super) type Fate = Vec<DieEnd>;

#[derive(Clone, Debug)]
pub(super) struct DieEnd {
    /// Index in [`Die::finished`].
    pub finished: usize,
    pub brings_extra: bool,
    pub weight: u128,
    /// The faces after the first.
    pub then: Vec<usize>,
    pub rerolls: usize,
    pub rule: Option<usize>,
}

type Sums = BTreeMap<(Number, bool), (u128, Vec<usize>)>;

impl Die {
    /// Works out what a die can come to.
    pub fn new(faces: &[DieFace], rules: &Rules) -> Result<Die, HandfulError> {
        if faces.is_empty() {
            return Err(HandfulError::NoFaces);
        }
        let never = rules.rerolls.iter().enumerate().find(|(i, rule)| {
            rule.at_most.is_none() && faces.iter().all(|face| face.rerolls >> i & 1 == 1)
        });
        if let Some((rule, _)) = never {
            return Err(HandfulError::Endless { rule });
        }
        let explodes = rules.explode_at_most > 0 && faces.iter().any(|face| face.explodes);
        if rules.rerolls.is_empty() && !explodes && faces.len() <= MOST_PLAIN_FACES {
            return Ok(Die::plain(faces, rules));
        }
        let settled = settled(faces, rules.explode_at_most)?;
        let exploded: u128 = settled[0].values().map(|(weight, _)| weight).sum();
        let chains: Vec<(Vec<u128>, u128)> = (0..rules.rerolls.len())
            .map(|rule| after_reroll(faces, rule, rules.rerolls[rule].at_most))
            .collect::<Result<_, _>>()?;
        let mut common = 1_u128;
        for (_, total) in &chains {
            common = lcm(common, *total)?;
        }
        let mut builder =
            Builder { rules, finished: Vec::new(), known: HashMap::new(), settled: &settled };
        let mut taken = Vec::new();
        for (rule, (weights, total)) in chains.iter().enumerate() {
            taken.push(builder.rerolled(faces, rule, weights, common / total)?);
        }
        let mut fates = Vec::new();
        for (place, face) in faces.iter().enumerate() {
            let free = |(i, rule): &(usize, &Reroll)| {
                rule.dice.is_none() && rule.at_most != Some(0) && face.rerolls >> i & 1 == 1
            };
            fates.push(match rules.rerolls.iter().enumerate().find(free) {
                Some((rule, _)) => taken[rule].clone(),
                None => builder.stays(place, common)?,
            });
        }
        let scale = common.checked_mul(exploded).ok_or(HandfulError::DieTooLarge)?;
        let extras = rules.extra_at_most > 0 && faces.iter().any(|face| face.brings_extra);
        let finished = builder.finished;
        let (faces, rerolls) = (faces.to_vec(), rules.rerolls.clone());
        Ok(Die { faces, rerolls, finished, fates, taken, scale, extras })
    }

    /// A die that stays as it falls.
    fn plain(faces: &[DieFace], rules: &Rules) -> Die {
        let mut finished: Vec<Finished> = Vec::with_capacity(faces.len());
        let mut fates = Vec::with_capacity(faces.len());
        for face in faces {
            let one = Finished { value: face.value, rerolled: false };
            let place = finished.iter().position(|known| *known == one).unwrap_or_else(|| {
                finished.push(one);
                finished.len() - 1
            });
            fates.push(vec![DieEnd {
                finished: place,
                brings_extra: face.brings_extra,
                weight: 1,
                then: Vec::new(),
                rerolls: 0,
                rule: None,
            }]);
        }
        let extras = rules.extra_at_most > 0 && faces.iter().any(|face| face.brings_extra);
        let faces = faces.to_vec();
        Die { faces, rerolls: Vec::new(), finished, fates, taken: Vec::new(), scale: 1, extras }
    }

    /// In how many ways one die comes to each of [`Die::finished`], and all ways together. None if
    /// that depends on other dice.
    pub fn ways(&self) -> Option<(Vec<u128>, u128)> {
        if self.extras || self.rerolls.iter().any(|rule| rule.dice.is_some()) {
            return None;
        }
        let mut ways = vec![0_u128; self.finished.len()];
        for end in self.fates.iter().flatten() {
            ways[end.finished] = ways[end.finished].checked_add(end.weight)?;
        }
        Some((ways, self.scale.checked_mul(self.faces.len() as u128)?))
    }

    /// Everything the die can come to. Scores are given in this order.
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    pub(super) fn faces(&self) -> &[DieFace] {
        &self.faces
    }

    pub(super) fn extras(&self) -> bool {
        self.extras
    }

    pub(super) fn fate(&self, place: usize) -> &Fate {
        &self.fates[place]
    }

    pub(super) fn taken_by(&self, rule: usize) -> &Fate {
        &self.taken[rule]
    }

    /// The total of each fate: the weight of one face of the first roll.
    pub(super) fn scale(&self) -> u128 {
        self.scale
    }

    /// Tells if a limited rule may take a die that lies on this face.
    pub(super) fn may_take(&self, rule: usize, place: usize) -> bool {
        let bits = self.faces[place].rerolls;
        let earlier = self.rerolls[..rule].iter().enumerate();
        bits >> rule & 1 == 1
            && self.rerolls[rule].at_most != Some(0)
            && !earlier.into_iter().any(|(i, known)| {
                known.dice.is_none() && known.at_most != Some(0) && bits >> i & 1 == 1
            })
    }
}

struct Builder<'a> {
    rules: &'a Rules,
    finished: Vec<Finished>,
    known: HashMap<Finished, usize>,
    settled: &'a [Sums],
}

impl Builder<'_> {
    fn stays(&mut self, place: usize, factor: u128) -> Result<Fate, HandfulError> {
        let mut fate = BTreeMap::new();
        self.add(&mut fate, place, factor, None, &[])?;
        Ok(fate.into_values().collect())
    }

    /// A die that a rule took: on which face it stays at last, and what becomes of it there. The
    /// trail re-rolls the lowest face of the rule as often as needed.
    fn rerolled(
        &mut self,
        faces: &[DieFace],
        rule: usize,
        weights: &[u128],
        factor: u128,
    ) -> Result<Fate, HandfulError> {
        let mut fate = BTreeMap::new();
        let applies = |face: &DieFace| face.rerolls >> rule & 1 == 1;
        for (place, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
            let weight = weight.checked_mul(factor).ok_or(HandfulError::DieTooLarge)?;
            let more = match self.rules.rerolls[rule].at_most {
                Some(most) if applies(&faces[place]) => (most as usize).saturating_sub(1),
                _ => 0,
            };
            let mut before = vec![place; more];
            before.push(place);
            self.add(&mut fate, place, weight, Some(rule), &before)?;
        }
        Ok(fate.into_values().collect())
    }

    fn add(
        &mut self,
        fate: &mut BTreeMap<(usize, bool), DieEnd>,
        place: usize,
        factor: u128,
        rule: Option<usize>,
        before: &[usize],
    ) -> Result<(), HandfulError> {
        for ((value, brings_extra), (weight, more)) in &self.settled[place] {
            let weight = weight.checked_mul(factor).ok_or(HandfulError::DieTooLarge)?;
            let rerolled = rule.is_some() && self.rules.watch_rerolled;
            let one = Finished { value: *value, rerolled };
            let finished = *self.known.entry(one).or_insert_with(|| {
                self.finished.push(one);
                self.finished.len() - 1
            });
            let end = fate.entry((finished, *brings_extra)).or_insert_with(|| DieEnd {
                finished,
                brings_extra: *brings_extra,
                weight: 0,
                then: before.iter().chain(more).copied().collect(),
                rerolls: before.len(),
                rule,
            });
            end.weight = end.weight.checked_add(weight).ok_or(HandfulError::DieTooLarge)?;
        }
        Ok(())
    }
}

/// For each face, the sums to which a die that lies on it may explode; every total is the same.
fn settled(faces: &[DieFace], at_most: u32) -> Result<Vec<Sums>, HandfulError> {
    let any = faces.iter().any(|face| face.explodes);
    let at_most = if any { at_most } else { 0 };
    let sides = faces.len() as u128;
    let mut total = 1_u128;
    // What is added when a die is rolled again with so many explosions left.
    let mut added: Sums = BTreeMap::new();
    for level in 0..at_most {
        let mut next: Sums = BTreeMap::new();
        for (place, face) in faces.iter().enumerate() {
            if face.explodes && level > 0 {
                for ((sum, extra), (weight, more)) in &added {
                    let sum = face.value.plus(*sum).map_err(HandfulError::Number)?;
                    let faces = || std::iter::once(place).chain(more.iter().copied()).collect();
                    next.entry((sum, *extra)).or_insert_with(|| (0, faces())).0 += weight;
                }
            } else {
                let key = (face.value, face.brings_extra);
                next.entry(key).or_insert_with(|| (0, vec![place])).0 += total;
            }
        }
        added = next;
        total = total.checked_mul(sides).ok_or(HandfulError::DieTooLarge)?;
    }
    let one = |face: &DieFace| -> Result<Sums, HandfulError> {
        if !face.explodes || at_most == 0 {
            return Ok(Sums::from([((face.value, face.brings_extra), (total, Vec::new()))]));
        }
        let mut sums = Sums::new();
        for ((sum, extra), (weight, more)) in &added {
            let sum = face.value.plus(*sum).map_err(HandfulError::Number)?;
            sums.entry((sum, *extra)).or_insert_with(|| (0, more.clone())).0 += weight;
        }
        Ok(sums)
    };
    faces.iter().map(one).collect()
}

/// On which face a re-rolled die stays at last.
fn after_reroll(
    faces: &[DieFace],
    rule: usize,
    at_most: Option<u32>,
) -> Result<(Vec<u128>, u128), HandfulError> {
    let applies = |face: &DieFace| face.rerolls >> rule & 1 == 1;
    let sides = faces.len() as u128;
    let again = faces.iter().filter(|face| applies(face)).count() as u128;
    let Some(at_most) = at_most else {
        let weights = faces.iter().map(|face| u128::from(!applies(face)));
        return Ok((weights.collect(), sides - again));
    };
    let (mut stays, mut last, mut total) = (0_u128, 1_u128, 1_u128);
    for roll in 0..at_most.max(1) {
        let next = stays.checked_mul(sides).and_then(|stays| stays.checked_add(last));
        stays = next.ok_or(HandfulError::DieTooLarge)?;
        total = total.checked_mul(sides).ok_or(HandfulError::DieTooLarge)?;
        if roll + 1 < at_most {
            last *= again;
        }
    }
    let weights = faces.iter().map(|face| if applies(face) { last } else { stays });
    Ok((weights.collect(), total))
}

fn lcm(a: u128, b: u128) -> Result<u128, HandfulError> {
    (a / gcd(a, b)).checked_mul(b).ok_or(HandfulError::DieTooLarge)
}
