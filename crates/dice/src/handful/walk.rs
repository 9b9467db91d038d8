//! Kept dice, sets and runs: the values are walked from one end, and at each so many of the dice
//! show it. A state is how many dice of each part are placed, and what the features are; each
//! state has an array of weights over the sums.

use super::count::Counting;
use super::die::kept_between;
use super::examples::example;
use super::features::{FeatureSpace, Situations};
use super::mixture::{Component, KindPart};
use super::plan::{Plan, Term, Terms, chains};
use super::weight::{U192, U256, Weight, Width};
use super::{Distribution, HandfulError, Live, Outcome, Over};
use crate::Number;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The most situations of chains of extra dice.
const MOST_CHAINS: u128 = 1_000_000;

/// Dice of one part that bring extra dice, or those that do not.
pub(super) struct WalkPart {
    pub part: KindPart,
    pub brings_extra: bool,
    pub terms: Vec<Term>,
}

/// One value that dice of one part can show.
pub(super) struct WalkSlot {
    pub part: usize,
    pub term: usize,
    value: u32,
    pub kept: i64,
    pub all: i64,
    /// No later slot of the walk belongs to this part.
    pub last: bool,
}

/// So many dice of each part, with the weight of this case.
type Targets = BTreeMap<Vec<u32>, BigUint>;

/// Which dice of the walk are kept.
#[derive(Clone, Copy)]
enum Keep {
    All,
    /// The first so many.
    First(u32),
    /// By their place among so many.
    Of(u32),
}

pub(super) struct Walk<'a> {
    pub plan: &'a Plan<'a>,
    pub parts: Vec<WalkPart>,
    pub groups: Vec<Vec<WalkSlot>>,
    space: FeatureSpace,
    pub situations: Situations,
    pub most: Vec<u32>,
    /// The most dice of all parts.
    dice: u32,
    /// The distance in states between one die of a part and the next.
    pub strides: Vec<usize>,
    pub states: usize,
    pub cells: usize,
    keep: Keep,
}

pub(super) fn distribution(plan: &Plan<'_>, examples: bool) -> Result<Distribution, HandfulError> {
    // Chains of extra dice are counted by how many go on, how many ended and how long they are.
    for kind in plan.kinds.iter().filter(|kind| kind.die.extras()) {
        let chains = u128::from(kind.count).pow(3) * u128::from(plan.rules.extra_at_most);
        if chains > MOST_CHAINS {
            return Err(HandfulError::TooLarge { cells: chains });
        }
    }
    let total = plan.total();
    // Binomials have fewer bits than there are dice.
    let dice: u64 = (0..plan.kinds.len()).map(|kind| u64::from(plan.most(kind))).sum();
    match Width::of(total.bits().max(dice)) {
        Width::U64 => counted::<u64>(plan, total, examples),
        Width::U128 => counted::<u128>(plan, total, examples),
        Width::U192 => counted::<U192>(plan, total, examples),
        Width::U256 => counted::<U256>(plan, total, examples),
        Width::Big => counted::<BigUint>(plan, total, examples),
    }
}

type WaysByValues<W> = BTreeMap<Vec<Number>, (W, Option<Vec<super::Trail>>)>;

fn counted<W: Weight>(
    plan: &Plan<'_>,
    total: BigUint,
    examples: bool,
) -> Result<Distribution, HandfulError> {
    let mut ways: WaysByValues<W> = BTreeMap::new();
    let bits = total.bits();
    for component in &plan.components {
        let (parts, targets) = targets(plan, component);
        if plan.certain || !plan.rules.needs_total() {
            Walk::new(plan, parts, &targets)?.run::<W>(&targets, examples, bits, &mut ways)?;
            continue;
        }
        let mut by_dice: BTreeMap<u32, Targets> = BTreeMap::new();
        for (counts, weight) in targets {
            by_dice.entry(counts.iter().sum()).or_default().insert(counts, weight);
        }
        for targets in by_dice.values() {
            let (parts, _) = self::targets(plan, component);
            Walk::new(plan, parts, targets)?.run::<W>(targets, examples, bits, &mut ways)?;
        }
    }
    let outcomes = ways.into_iter().map(|(values, (ways, example))| Outcome {
        values,
        ways: ways.to_big(),
        example,
    });
    Ok(Distribution { total, outcomes: outcomes.collect() })
}

/// The parts of a case, and every combination of their dice. Dice that bring extra dice are parts
/// of their own, so that given their number the extra dice are independent of all values.
fn targets(plan: &Plan<'_>, component: &Component) -> (Vec<WalkPart>, Targets) {
    let mut parts: Vec<WalkPart> = Vec::new();
    let mut sought: BTreeMap<Vec<u32>, BigUint> =
        crate::one_entry(Vec::new(), component.weight.clone());
    for kind in 0..plan.kinds.len() {
        let rolled = || component.parts.iter().filter(|(part, _)| part.kind == kind);
        let mut open: BTreeMap<(Vec<u32>, u32), BigUint> =
            crate::map_of(sought.into_iter().map(|(counts, weight)| ((counts, 0), weight)));
        for (part, dice) in rolled() {
            let (plain, extra) = places(plan, &mut parts, part);
            let mut next = BTreeMap::new();
            for ((counts, brought), weight) in open {
                for bring in 0..=if extra.is_some() { *dice } else { 0 } {
                    let counts = with(&counts, &[(plain, dice - bring), (extra, bring)]);
                    let Some(counts) = counts else { continue };
                    let ways = &weight * super::mixture::choose(*dice, bring);
                    *next.entry((counts, brought + bring)).or_insert(BigUint::ZERO) += ways;
                }
            }
            open = next;
        }
        sought = BTreeMap::new();
        if !plan.kinds[kind].die.extras() || rolled().next().is_none() {
            sought.extend(open.into_iter().map(|((counts, _), weight)| (counts, weight)));
            continue;
        }
        let (plain, extra) = places(plan, &mut parts, &plan.fresh(kind));
        let length = plan.rules.extra_at_most;
        let one = plan.one(kind);
        let mut chains_of = BTreeMap::new();
        for ((counts, brought), weight) in open {
            let most = plan.kinds[kind].count * length;
            for ((ends, goes_on), ways) in
                chains_of.entry(brought).or_insert_with(|| chains(brought, length))
            {
                let Some(counts) = with(&counts, &[(plain, *ends), (extra, *goes_on)]) else {
                    continue;
                };
                let unused = one.pow(most - *ends - *goes_on);
                *sought.entry(counts).or_insert(BigUint::ZERO) += &weight * &*ways * unused;
            }
        }
    }
    let parts_count = parts.len();
    let full = |(mut counts, weight): (Vec<u32>, BigUint)| {
        counts.resize(parts_count, 0);
        (counts, weight)
    };
    (parts, crate::map_of(sought.into_iter().map(full)))
}

/// Where the dice of a part stand that bring no extra die, and those that do.
fn places(
    plan: &Plan<'_>,
    parts: &mut Vec<WalkPart>,
    part: &KindPart,
) -> (Option<usize>, Option<usize>) {
    if !parts.iter().any(|known| known.part == *part) {
        let Terms { plain, extra } = plan.terms(part);
        for (terms, brings_extra) in [(plain, false), (extra, true)] {
            if !terms.is_empty() {
                parts.push(WalkPart { part: part.clone(), brings_extra, terms });
            }
        }
    }
    let place = |brings: bool| {
        parts.iter().position(|known| known.part == *part && known.brings_extra == brings)
    };
    (place(false), place(true))
}

/// The counts with more dice; nothing if a part that does not exist should have some.
fn with(counts: &[u32], more: &[(Option<usize>, u32)]) -> Option<Vec<u32>> {
    let mut counts = counts.to_vec();
    for (part, dice) in more {
        match part {
            Some(part) => {
                counts.resize(counts.len().max(part + 1), 0);
                counts[*part] += dice;
            }
            None if *dice == 0 => {}
            None => return None,
        }
    }
    Some(counts)
}

impl<'a> Walk<'a> {
    fn new(
        plan: &'a Plan<'a>,
        parts: Vec<WalkPart>,
        targets: &Targets,
    ) -> Result<Walk<'a>, HandfulError> {
        let most: Vec<u32> = (0..parts.len())
            .map(|part| targets.keys().map(|counts| counts[part]).max().unwrap_or(0))
            .collect();
        let mut values: Vec<Number> =
            parts.iter().flat_map(|part| &part.terms).map(|term| term.value).collect();
        values.sort_unstable();
        values.dedup();
        let space = FeatureSpace::new(plan.live, values);
        let keeps = plan.live.iter().any(|live| matches!(live, Live::Sum(_, Over::Kept)));
        let (high, low) = (plan.rules.keep_highest, plan.rules.keep_lowest);
        let (keep, upward) = match (high, low) {
            _ if !keeps => (Keep::All, false),
            (None, None) if !plan.rules.needs_total() => (Keep::All, false),
            (Some(high), None) => (Keep::First(high), false),
            (None, Some(low)) => (Keep::First(low), true),
            _ => (Keep::Of(targets.keys().next().map_or(0, |counts| counts.iter().sum())), false),
        };
        let groups = groups(plan, &parts, &space, matches!(keep, Keep::All), upward)?;
        let shown = |group: &Vec<WalkSlot>| {
            let mut parts: Vec<usize> = group.iter().map(|slot| slot.part).collect();
            parts.dedup();
            (group[0].value, parts.iter().map(|part| most[*part]).sum())
        };
        let shown: Vec<(u32, u32)> = groups.iter().map(shown).collect();
        let dice = targets.keys().map(|counts| counts.iter().sum()).max().unwrap_or(0);
        let situations = Situations::new(&space, &shown, dice);
        let mut states = situations.features.len();
        let mut strides = vec![0; parts.len()];
        for (stride, most) in strides.iter_mut().zip(&most).rev() {
            *stride = states;
            states = states.saturating_mul(*most as usize + 1);
        }
        let cells = plan.layout.array(states as u128)?;
        Ok(Walk {
            plan,
            parts,
            groups,
            space,
            situations,
            most,
            dice,
            strides,
            states,
            cells,
            keep,
        })
    }

    /// The number of dice of a part that can still come. Dice that bring others and dice that do
    /// not are parts of one kind, and not all combinations are possible.
    pub fn room(&self, part: usize, placed: &[u32]) -> u32 {
        let left = self.most[part] - placed[part];
        if self.plan.certain {
            return left;
        }
        let kind = self.parts[part].part.kind;
        let parts = self.parts.iter().zip(placed).filter(|(known, _)| known.part.kind == kind);
        let used: u32 = parts.map(|(_, placed)| placed).sum();
        let all: u32 = placed.iter().sum();
        left.min(self.plan.most(kind).saturating_sub(used)).min(self.dice.saturating_sub(all))
    }

    pub fn kept(&self, before: u32, dice: u32) -> u32 {
        match self.keep {
            Keep::All => dice,
            Keep::First(most) => dice.min(most.saturating_sub(before)),
            Keep::Of(all) => {
                kept_between(self.plan.rules, all, before.min(all), (before + dice).min(all))
            }
        }
    }

    fn run<W: Weight>(
        &self,
        targets: &Targets,
        examples: bool,
        bits: u64,
        ways_by_values: &mut WaysByValues<W>,
    ) -> Result<(), HandfulError> {
        let mut counting: Counting<'_, W> = Counting::new(self, examples, bits);
        for group in 0..self.groups.len() {
            counting.group(group)?;
        }
        for (counts, weight) in targets {
            let weight = W::from_big(weight);
            let first: usize = counts
                .iter()
                .zip(&self.strides)
                .map(|(dice, stride)| *dice as usize * stride)
                .sum();
            for (feature, known) in self.situations.features.iter().enumerate() {
                let start = (first + feature) * self.cells;
                for cell in start..start + self.cells {
                    if counting.weights[cell].is_zero() {
                        continue;
                    }
                    let mut values: Vec<Number> =
                        self.plan.live.iter().map(|live| self.space.live(*live, known)).collect();
                    self.plan.layout.read((cell - start) as i64, &mut values)?;
                    let (ways, dice) = ways_by_values.entry(values).or_default();
                    ways.add_product(&counting.weights[cell], &weight);
                    if let (Some(trace), None) = (&counting.trace, &dice) {
                        *dice = Some(example(self, trace, cell));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The values in the order of the walk, equal values together if they must be seen at once.
fn groups(
    plan: &Plan<'_>,
    parts: &[WalkPart],
    space: &FeatureSpace,
    keeps_all: bool,
    upward: bool,
) -> Result<Vec<Vec<WalkSlot>>, HandfulError> {
    let mut slots: Vec<_> = Vec::new();
    for (part, known) in parts.iter().enumerate() {
        for (term, end) in known.terms.iter().enumerate() {
            let rank = if keeps_all { Number::ZERO } else { end.rank };
            let rerolled = plan.rules.watch_rerolled && end.rerolls > 0;
            let value = space.value(end.value);
            let slot = WalkSlot { part, term, value, kept: end.kept, all: end.all, last: false };
            slots.push(((rank, end.value, known.part.kind, rerolled), slot));
        }
    }
    crate::sort::sort_by_key(&mut slots, |(key, _)| *key);
    if !upward {
        slots.reverse();
    }
    for part in 0..parts.len() {
        if let Some((_, slot)) = slots.iter_mut().rfind(|(_, slot)| slot.part == part) {
            slot.last = true;
        }
    }
    let slots = slots.into_iter().map(|(_, slot)| slot);
    if !space.grouped() {
        return Ok(slots.map(|slot| vec![slot]).collect());
    }
    let mut groups: Vec<Vec<WalkSlot>> = Vec::new();
    for slot in slots {
        match groups.last_mut() {
            Some(group) if group[0].value == slot.value => group.push(slot),
            _ => groups.push(vec![slot]),
        }
    }
    let order: Vec<u32> = groups.iter().map(|group| group[0].value).collect();
    let mut distinct = order.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let sorted = order.is_sorted() || order.is_sorted_by(|a, b| a >= b);
    if distinct.len() < order.len() || (space.follows_runs() && !sorted) {
        return Err(HandfulError::Order);
    }
    Ok(groups)
}
