//! The commonest walk: equal dice, the highest or the lowest of them kept and summed. As soon as
//! enough dice are placed the others may be anything lower, so only states with fewer dice are
//! followed, and their weights are narrow.

use super::plan::{Plan, Term};
use super::weight::{U192, U256, Weight, Width, binomials};
use super::{Distribution, HandfulError, Live, Outcome, Over, power};
use crate::Number;
use num_bigint::BigUint;

struct Kept<'a> {
    plan: &'a Plan<'a>,
    /// From the end that is kept, with equal places merged.
    terms: Vec<(i64, u128)>,
    dice: usize,
    kept: usize,
    cells: usize,
}

/// The distribution, if this is such a handful.
pub(super) fn distribution(plan: &Plan<'_>) -> Result<Option<Distribution>, HandfulError> {
    let (count, upward) = match (plan.rules.keep_highest, plan.rules.keep_lowest) {
        (Some(high), None) => (high, false),
        (None, Some(low)) => (low, true),
        _ => return Ok(None),
    };
    let [component] = plan.components.as_slice() else { return Ok(None) };
    let sums = plan.live.iter().all(|live| matches!(live, Live::Sum(_, Over::Kept)));
    let mut parts = component.parts.iter();
    let (Some((part, dice)), None) = (parts.next(), parts.next()) else { return Ok(None) };
    if !sums || !plan.certain || count == 0 || count >= *dice {
        return Ok(None);
    }
    let (kept, dice) = (count as usize, *dice as usize);
    let cells = plan.layout.array(kept as u128)?;
    let (terms, one) = sorted(plan.terms(part).plain, upward);
    let kept_dice = Kept { plan, terms, dice, kept, cells };
    let total = one.pow(dice as u32);
    let cost = if total.bits() > 256 { BigUint::cost(total.bits()) } else { 1 };
    let pairs = kept_dice.terms.len() as u64 * (kept * (kept + dice)) as u64;
    let work = pairs.saturating_mul(cells as u64).saturating_mul(cost);
    if work > power::MOST_PRODUCTS {
        return Err(HandfulError::TooLarge { cells: work.into() });
    }
    let open = one.pow(count - 1).bits().max(dice as u64);
    let distribution = match (Width::of(open), Width::of(total.bits())) {
        (Width::U64, Width::U64) => kept_dice.count::<u64, u64>(total),
        (Width::U64, Width::U128) => kept_dice.count::<u64, u128>(total),
        (Width::U64, Width::U192) => kept_dice.count::<u64, U192>(total),
        (Width::U64, Width::U256) => kept_dice.count::<u64, U256>(total),
        (Width::U128, Width::U64 | Width::U128) => kept_dice.count::<u128, u128>(total),
        (Width::U128, Width::U192 | Width::U256) => kept_dice.count::<u128, U256>(total),
        _ => kept_dice.count::<BigUint, BigUint>(total),
    };
    distribution.map(Some)
}

/// Places and weights in the order of the walk, divided by what they share; and their sum.
fn sorted(mut terms: Vec<Term>, upward: bool) -> (Vec<(i64, u128)>, BigUint) {
    crate::sort::sort_by_key(&mut terms, |term| (term.rank, term.value, term.rule.is_some()));
    if !upward {
        terms.reverse();
    }
    let shared = terms.iter().fold(0, |shared, term| crate::gcd(shared, term.weight)).max(1);
    let mut merged: Vec<(i64, u128)> = Vec::with_capacity(terms.len());
    for term in terms {
        match merged.last_mut() {
            Some((at, weight)) if *at == term.kept => *weight += term.weight / shared,
            _ => merged.push((term.kept, term.weight / shared)),
        }
    }
    let one = merged.iter().map(|(_, weight)| BigUint::from(*weight)).sum();
    (merged, one)
}

impl Kept<'_> {
    /// `S` holds the weight of dice that are not yet enough, `W` that of the whole handful.
    fn count<S: Weight, W: Weight>(&self, total: BigUint) -> Result<Distribution, HandfulError> {
        let (dice, kept) = (self.dice, self.kept);
        let narrow: Vec<Vec<S>> = binomials(kept);
        let ends = self.choices::<W>();
        let mut rows = vec![vec![S::default(); self.cells]; kept];
        let mut used = vec![(0, 0); kept];
        rows[0][0] = S::one();
        used[0] = (0, 1);
        let mut totals = vec![W::default(); self.cells];
        let mut lower: u128 = self.terms.iter().map(|(_, weight)| weight).sum();
        for (shift, weight) in &self.terms {
            lower -= weight;
            let shift = *shift as usize;
            let (weights, rest) = (powers::<W>(*weight, dice), powers::<W>(lower, dice));
            for (placed, row) in rows.iter().enumerate() {
                let (low, high) = used[placed];
                if low == high {
                    continue;
                }
                let mut ways = W::default();
                for (show, choose) in (kept - placed..).zip(&ends[placed]) {
                    ways.add_product(&choose.times(&weights[show]), &rest[dice - placed - show]);
                }
                let moved = low + (kept - placed) * shift;
                for (sum, state) in totals[moved..].iter_mut().zip(&row[low..high]) {
                    sum.add_narrow(state, &ways);
                }
            }
            let weights = powers::<S>(*weight, kept - 1);
            for placed in (0..kept).rev() {
                let (low, high) = used[placed];
                for show in (1..kept - placed).filter(|_| low < high) {
                    let ways = narrow[placed + show][show].times(&weights[show]);
                    let (before, after) = rows.split_at_mut(placed + show);
                    let (from, to) = (low + show * shift, high + show * shift);
                    let target = after[0][from..to].iter_mut();
                    for (sum, state) in target.zip(&before[placed][low..high]) {
                        sum.add_product(state, &ways);
                    }
                    let span = &mut used[placed + show];
                    *span = match *span {
                        (a, b) if a == b => (from, to),
                        (a, b) => (a.min(from), b.max(to)),
                    };
                }
            }
        }
        self.outcomes(&totals, total)
    }

    /// For each number of dice placed: in how many ways these are chosen of all dice, and of the
    /// others as many as are still to be kept, or more.
    fn choices<W: Weight>(&self) -> Vec<Vec<W>> {
        let binomials: Vec<Vec<W>> = binomials(self.dice);
        let row = |placed: usize| {
            let left = self.dice - placed;
            (self.kept - placed..=left)
                .map(|show| binomials[self.dice][placed].times(&binomials[left][show]))
                .collect()
        };
        (0..self.kept).map(row).collect()
    }

    fn outcomes<W: Weight>(
        &self,
        totals: &[W],
        total: BigUint,
    ) -> Result<Distribution, HandfulError> {
        let mut outcomes = Vec::new();
        for (at, weight) in totals.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let mut values = vec![Number::ZERO; self.plan.live.len()];
            self.plan.layout.read(at as i64, &mut values)?;
            outcomes.push(Outcome { values, ways: weight.to_big(), example: None });
        }
        crate::sort::sort_by(&mut outcomes, |a, b| a.values.cmp(&b.values));
        Ok(Distribution { total, outcomes })
    }
}

fn powers<W: Weight>(weight: u128, most: usize) -> Vec<W> {
    let weight = W::widened(&weight);
    let mut powers = Vec::with_capacity(most + 1);
    powers.push(W::one());
    for at in 0..most {
        powers.push(powers[at].times(&weight));
    }
    powers
}
