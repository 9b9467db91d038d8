//! Chained handfuls as one. Where the number of dice of the next handful is a sum over the dice of
//! this one, each die can carry its own dice of the next: hit, wound and save of 20 attacks are then
//! the 20th power of one attack.

use super::distribution::gcd;
use super::hands::Hands;
use super::request::OddsError;
use super::states::States;
use super::whole::{Whole, Wide};
use adjutant_dice::{MOST_DICE, Number};
use adjutant_pack::{
    Chart, ChartId, Expr, Facet, Formula, Id, LinearSum, Roll, RolledDie, Slot, Step, StepId,
    StepKind, Value, Yields,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// What one die of the first handful has come to, in the order of the names carried.
type Carried = BTreeMap<Vec<Number>, BigUint>;

/// The most different values that one die may carry.
const MOST_CARRIED: usize = 4000;

/// A chain of handfuls, worked out for one die of the first.
pub(super) struct Chain {
    /// The steps that it covers.
    pub steps: usize,
    /// All values after the last of them, with the names that are read later. No two are equal.
    pub after: Vec<(Vec<Option<Value>>, BigUint)>,
    /// The sum of the weights.
    pub total: BigUint,
}

/// The chain that starts at a step, if at least one handful follows from its dice.
pub(super) fn chain(
    states: &States<'_, '_>,
    chart: ChartId,
    first: StepId,
    values: &[Option<Value>],
    live: &[Vec<bool>],
) -> Result<Option<Chain>, OddsError> {
    let known = &states.situation.pack().charts()[chart];
    let Some(mut names) = link(known, first, live) else { return Ok(None) };
    let next = StepId::from_index(first.index() + 1);
    let follows = |names: &[Slot]| {
        let roll = following(known, next, live)?;
        dice_sum(&roll.kinds[0].count.expr, names, values).filter(fits)
    };
    if follows(&names).is_none() {
        return Ok(None);
    }
    let Some((count, mut one, mut total)) = first_die(states, chart, first, values, live, &names)?
    else {
        return Ok(None);
    };
    let mut steps = 1;
    let mut most = count;
    for place in known.steps.ids().skip(first.index() + 1) {
        let Some(roll) = following(known, place, live) else { break };
        let Some(sum) = dice_sum(&roll.kinds[0].count.expr, &names, values).filter(fits) else {
            break;
        };
        if reads_else(&known.steps[place], &roll.kinds[0].count, &names) {
            break;
        }
        let Some(own) = link(known, place, live) else { break };
        let dice =
            one.keys().filter_map(|carried| following_dice(&sum, carried)).max().unwrap_or(0);
        most = most.saturating_mul(dice.max(1));
        if most > MOST_DICE {
            break;
        }
        let zero: Vec<Option<Value>> = zeroed(values, &names);
        let Some((_, die, of_die)) = first_die(states, chart, place, &zero, live, &own)? else {
            break;
        };
        let after = &live[place.index()];
        let keep: Vec<usize> = (0..names.len()).filter(|at| after[names[*at].index()]).collect();
        let powers = powers(&die, own.len(), dice);
        let mut next: Carried = BTreeMap::new();
        for (carried, weight) in &one {
            let Some(dice_here) = following_dice(&sum, carried) else { return Ok(None) };
            // All ways get the same total, as if each had rolled the most dice.
            let scale = weight * of_die.pow(dice - dice_here);
            for (more, ways) in &powers[dice_here as usize] {
                let mut key: Vec<Number> = keep.iter().map(|at| carried[*at]).collect();
                key.extend(more.iter().copied());
                *next.entry(key).or_default() += &scale * ways;
            }
        }
        if next.len() > MOST_CARRIED {
            break;
        }
        total *= of_die.pow(dice);
        names = keep.into_iter().map(|at| names[at]).chain(own).collect();
        one = next;
        reduce(&mut one, &mut total);
        steps += 1;
    }
    if steps == 1 {
        return Ok(None);
    }
    let all = dense_power(&one, &total, count)
        .unwrap_or_else(|| power(&one, names.len(), count).into_iter().collect());
    // Different sums are different values.
    let after = |(carried, weight): (Vec<Number>, BigUint)| {
        let mut values = values.to_vec();
        for (slot, n) in names.iter().zip(carried) {
            values[slot.index()] = Some(Value::Number(n));
        }
        (values, weight)
    };
    let after = all.into_iter().map(after).collect();
    Ok(Some(Chain { steps, after, total: total.pow(count) }))
}

/// The names of a roll that are read later, if its dice are independent and these are sums.
fn link(chart: &Chart, place: StepId, live: &[Vec<bool>]) -> Option<Vec<Slot>> {
    let step = &chart.steps[place];
    let StepKind::Roll(roll) = &step.kind else { return None };
    let bare = step.when.is_none()
        && step.again.is_empty()
        && step.add.is_empty()
        && step.most.is_none()
        && step.least.is_none();
    let independent = roll.keep.is_none()
        && roll.choose.is_none()
        && roll.fill.is_none()
        && roll.extra.is_none()
        && roll.kinds.len() == 1
        && roll.reroll.iter().all(|rule| rule.dice.is_none() && rule.ask.is_none());
    if !bare || !independent {
        return None;
    }
    let mut names = Vec::new();
    for (facet, slot) in &step.facets {
        if !live[place.index()][slot.index()] {
            continue;
        }
        match facet {
            Facet::Total | Facet::Natural if roll.yields == Yields::Number => {}
            Facet::Tally(_) | Facet::FaceField(_) | Facet::FaceCount(_) => {}
            _ => return None,
        }
        names.push(*slot);
    }
    Some(names)
}

/// The roll of a step that may follow in a chain.
fn following<'p>(chart: &'p Chart, place: StepId, live: &[Vec<bool>]) -> Option<&'p Roll> {
    let StepKind::Roll(roll) = &chart.steps.get(place)?.kind else { return None };
    link(chart, place, live)?;
    let sized = matches!(roll.kinds[0].die, RolledDie::Sized(_));
    (!sized).then_some(roll)
}

/// Whether a step reads carried names anywhere but in its number of dice.
fn reads_else(step: &Step, count: &Formula, names: &[Slot]) -> bool {
    step.formulas()
        .into_iter()
        .filter(|formula| !std::ptr::eq(*formula, count))
        .any(|formula| formula.slots().iter().any(|slot| names.contains(slot)))
}

/// The number of dice of a roll, and what one of them comes to.
fn first_die(
    states: &States<'_, '_>,
    chart: ChartId,
    place: StepId,
    values: &[Option<Value>],
    live: &[Vec<bool>],
    names: &[Slot],
) -> Result<Option<(u32, Carried, BigUint)>, OddsError> {
    let step = &states.situation.pack().charts()[chart].steps[place];
    let StepKind::Roll(roll) = &step.kind else { return Ok(None) };
    let hands = Hands { states, chart, place, step, roll, live: &live[place.index()] };
    let Some((count, ends, mut total)) = hands.one_die(values, names)? else { return Ok(None) };
    let mut one: Carried = BTreeMap::new();
    for (sums, weight) in ends {
        if weight > BigUint::ZERO {
            *one.entry(sums).or_default() += weight;
        }
    }
    reduce(&mut one, &mut total);
    Ok(Some((count, one, total)))
}

/// Divides the weights by what they have in common.
fn reduce(one: &mut Carried, total: &mut BigUint) {
    let shared = one.values().fold(total.clone(), |shared, weight| gcd(&shared, weight));
    if shared > BigUint::from(1_u32) {
        one.values_mut().for_each(|weight| *weight /= &shared);
        *total /= shared;
    }
}

fn zeroed(values: &[Option<Value>], names: &[Slot]) -> Vec<Option<Value>> {
    let mut values = values.to_vec();
    for slot in names {
        values[slot.index()] = Some(Value::Number(Number::ZERO));
    }
    values
}

/// The first powers of one die's distribution, from none to `most` dice.
fn powers(die: &Carried, width: usize, most: u32) -> Vec<Carried> {
    let mut found = vec![Carried::from([(vec![Number::ZERO; width], BigUint::from(1_u32))])];
    for dice in 0..most as usize {
        let next = product(&found[dice], die);
        found.push(next);
    }
    found
}

/// The same by places in one list, for whole numbers that are not negative. None if the list would
/// be long.
fn dense_power(die: &Carried, total: &BigUint, count: u32) -> Option<Vec<(Vec<Number>, BigUint)>> {
    let most = die.keys().try_fold(Vec::new(), |most: Vec<u64>, key| {
        let whole = key.iter().map(|n| u64::try_from(n.as_whole()?).ok());
        let key: Vec<u64> = whole.collect::<Option<_>>()?;
        if most.is_empty() {
            return Some(key);
        }
        Some(most.into_iter().zip(key).map(|(a, b)| a.max(b)).collect())
    })?;
    let mut size = 1_u64;
    let mut strides = Vec::new();
    for most in &most {
        strides.push(size);
        size = size.checked_mul(most.checked_mul(count.into())? + 1)?;
    }
    if size.checked_mul(die.len() as u64)?.checked_mul(count.into())? > MOST_PLACES {
        return None;
    }
    let place = |key: &Vec<Number>| {
        let places =
            key.iter().zip(&strides).map(|(n, stride)| n.as_whole().unwrap_or(0) as u64 * stride);
        places.sum::<u64>() as usize
    };
    let terms: Vec<(usize, &BigUint)> = die.iter().map(|(key, ways)| (place(key), ways)).collect();
    let found = match total.bits() * u64::from(count) {
        0..=126 => sums::<u128>(&terms, count, size)?,
        127..=254 => sums::<Wide<4>>(&terms, count, size)?,
        _ => sums::<BigUint>(&terms, count, size)?,
    };
    let key = |mut at: u64| {
        let mut key = vec![Number::ZERO; strides.len()];
        for (n, stride) in key.iter_mut().zip(&strides).rev() {
            *n = Number::whole((at / stride) as i64).ok()?;
            at %= stride;
        }
        Some(key)
    };
    let found = (0_u64..).zip(found).filter(|(_, ways)| *ways != BigUint::ZERO);
    found.map(|(at, ways)| Some((key(at)?, ways))).collect()
}

/// The most products that a list of places may take.
const MOST_PLACES: u64 = 4_000_000;

/// The weight of each sum of the places of so many equal dice.
fn sums<W: Whole>(terms: &[(usize, &BigUint)], count: u32, size: u64) -> Option<Vec<BigUint>> {
    let terms: Vec<(usize, W)> =
        terms.iter().map(|(at, ways)| Some((*at, W::of_big(ways)?))).collect::<Option<_>>()?;
    let most = terms.iter().map(|(at, _)| *at).max()?;
    let mut now = vec![W::of(0); size as usize];
    now[0] = W::of(1);
    for dice in 0..count as usize {
        // From the top down: a die only adds, so no place is read after it was written.
        for from in (0..=dice * most).rev() {
            let ways = std::mem::replace(&mut now[from], W::of(0));
            if !ways.is_nothing() {
                for (at, more) in &terms {
                    now[from + at].add_product(&ways, more)?;
                }
            }
        }
    }
    Some(now.iter().map(Whole::big).collect())
}

fn power(die: &Carried, width: usize, count: u32) -> Carried {
    let mut found = Carried::from([(vec![Number::ZERO; width], BigUint::from(1_u32))]);
    let mut square = die.clone();
    let mut left = count;
    while left > 0 {
        if left % 2 == 1 {
            found = product(&found, &square);
        }
        left /= 2;
        if left > 0 {
            square = product(&square, &square);
        }
    }
    found
}

fn product(a: &Carried, b: &Carried) -> Carried {
    let mut found: Carried = BTreeMap::new();
    for (left, ways) in a {
        for (right, more) in b {
            let key = left.iter().zip(right).map(|(x, y)| x.plus(*y).unwrap_or(*x)).collect();
            *found.entry(key).or_default() += ways * more;
        }
    }
    found
}

/// A number of dice as a sum of carried numbers, by their places.
type DiceSum = LinearSum<usize>;

/// Whether it is a number of dice for each die of the first handful.
fn fits(sum: &DiceSum) -> bool {
    let whole = |n: &Number| n.is_whole() && *n >= Number::ZERO;
    sum.fixed == Number::ZERO
        && sum.parts.iter().all(|(_, times)| whole(times))
        && sum.constant().is_none()
}

/// How many dice follow from the carried numbers.
fn following_dice(sum: &DiceSum, carried: &[Number]) -> Option<u32> {
    let mut all = Number::ZERO;
    for (place, times) in &sum.parts {
        let n = carried.get(*place)?;
        if *times > Number::ZERO && (!n.is_whole() || *n < Number::ZERO) {
            return None;
        }
        all = all.plus(times.times(*n).ok()?).ok()?;
    }
    u32::try_from(all.as_whole()?).ok()
}

/// A formula as a sum of carried names, each times a number.
fn dice_sum(expr: &Expr, names: &[Slot], values: &[Option<Value>]) -> Option<DiceSum> {
    expr.linear(&mut |leaf| {
        let Expr::Slot(slot) = leaf else { return None };
        match names.iter().position(|name| name == slot) {
            Some(place) => Some(DiceSum::part(place)),
            None => Some(DiceSum::number((*values.get(slot.index())?)?.number()?)),
        }
    })
}
