//! Sums over every die: the distribution of one die, multiplied by itself.

use super::mixture::Component;
use super::plan::{Plan, Term};
use super::weight::{U192, U256, Weight, Width};
use super::{Distribution, HandfulError, MOST_CELLS, Outcome};
use crate::Number;
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// Weights by place, in ascending order.
type Polynomial<W> = Vec<(i64, W)>;

/// The most products of two weights that are added up.
pub(super) const MOST_PRODUCTS: u64 = 200_000_000;

pub(super) fn distribution(plan: &Plan<'_>) -> Result<Distribution, HandfulError> {
    if let [component] = plan.components.as_slice()
        && plan.certain
    {
        return plain(plan, component);
    }
    let total = plan.total();
    match Width::of(total.bits()) {
        Width::U64 => mixed::<u64>(plan, total),
        Width::U128 => mixed::<u128>(plan, total),
        Width::U192 => mixed::<U192>(plan, total),
        Width::U256 => mixed::<U256>(plan, total),
        Width::Big => mixed::<BigUint>(plan, total),
    }
}

/// Independent dice: each kind's distribution is divided by what its weights share.
fn plain(plan: &Plan<'_>, component: &Component) -> Result<Distribution, HandfulError> {
    let mut powers = Vec::new();
    let mut total = BigUint::from(1_u32);
    for (part, dice) in &component.parts {
        let mut die: Polynomial<u128> = merged(&plan.terms(part).plain, |weight| weight);
        let shared = die.iter().fold(0, |shared, (_, weight)| crate::gcd(shared, *weight));
        let one: BigUint = die
            .iter_mut()
            .map(|(_, weight)| {
                *weight /= shared.max(1);
                BigUint::from(*weight)
            })
            .sum();
        total *= one.pow(*dice);
        powers.push((die, *dice));
    }
    match Width::of(total.bits()) {
        Width::U64 => product::<u64>(plan, &powers, total),
        Width::U128 => product::<u128>(plan, &powers, total),
        Width::U192 => product::<U192>(plan, &powers, total),
        Width::U256 => product::<U256>(plan, &powers, total),
        Width::Big => match packed(&powers, &total) {
            Some(found) => outcomes(plan, found, total),
            None => product::<BigUint>(plan, &powers, total),
        },
    }
}

fn product<W: Weight>(
    plan: &Plan<'_>,
    powers: &[(Polynomial<u128>, u32)],
    total: BigUint,
) -> Result<Distribution, HandfulError> {
    let mut all = one::<W>();
    for (die, dice) in powers {
        let die = die.iter().map(|(at, weight)| (*at, W::widened(weight))).collect();
        all = times(&all, &power(die, *dice)?)?;
    }
    outcomes(plan, all, total)
}

/// Kronecker substitution: a polynomial is written into one long integer, with room for the total
/// at every place, and the integer is raised to the power. Nothing if it would be too long.
fn packed(powers: &[(Polynomial<u128>, u32)], total: &BigUint) -> Option<Polynomial<BigUint>> {
    let words = total.bits() as usize / 64 + 1;
    let (mut low, mut span) = (0_i64, 1_i128);
    for (die, dice) in powers {
        let (first, last) = (die.first()?.0, die.last()?.0);
        low += first * i64::from(*dice);
        span += i128::from(last - first) * i128::from(*dice);
    }
    if span as u128 * words as u128 > MOST_CELLS {
        return None;
    }
    let mut all = BigUint::from(1_u32);
    for (die, dice) in powers {
        let (first, last) = (die.first()?.0, die.last()?.0);
        let mut digits = vec![0_u32; ((last - first) as usize + 1) * words * 2];
        for (at, weight) in die {
            let start = (at - first) as usize * words * 2;
            for (digit, part) in digits[start..].iter_mut().zip([0, 32, 64, 96]) {
                *digit |= (*weight >> part) as u32;
            }
        }
        all *= BigUint::new(digits).pow(*dice);
    }
    let places = all.to_u64_digits();
    let weight = |digits: &[u64]| {
        BigUint::new(digits.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect())
    };
    let weights = (low..).zip(places.chunks(words).map(weight));
    Some(weights.filter(|(_, weight)| *weight != BigUint::ZERO).collect())
}

/// Several cases, or dice that bring more.
fn mixed<W: Weight>(plan: &Plan<'_>, total: BigUint) -> Result<Distribution, HandfulError> {
    let chains: Vec<Polynomial<W>> =
        (0..plan.kinds.len()).map(|kind| chain(plan, kind)).collect::<Result<_, _>>()?;
    let mut all: BTreeMap<i64, W> = BTreeMap::new();
    for component in &plan.components {
        let mut case = vec![(0, W::from_big(&component.weight))];
        for (part, dice) in &component.parts {
            let terms = plan.terms(part);
            let length = chain_length(plan, part.kind);
            let rest = W::from_big(&plan.one(part.kind).pow(length));
            let plain: Polynomial<W> = merged(&terms.plain, |weight| W::widened(&weight));
            let extra: Polynomial<W> = merged(&terms.extra, |weight| W::widened(&weight));
            let die = add(&times(&plain, &vec![(0, rest)])?, &times(&extra, &chains[part.kind])?);
            case = times(&case, &power(die, *dice)?)?;
        }
        for (at, weight) in case {
            all.entry(at).or_default().add_product(&weight, &W::one());
        }
    }
    outcomes(plan, all.into_iter().collect(), total)
}

fn chain_length(plan: &Plan<'_>, kind: usize) -> u32 {
    if plan.kinds[kind].die.extras() { plan.rules.extra_at_most } else { 0 }
}

/// The sums of the dice that follow from one die.
fn chain<W: Weight>(plan: &Plan<'_>, kind: usize) -> Result<Polynomial<W>, HandfulError> {
    let terms = plan.terms(&plan.fresh(kind));
    let plain: Polynomial<W> = merged(&terms.plain, |weight| W::widened(&weight));
    let extra: Polynomial<W> = merged(&terms.extra, |weight| W::widened(&weight));
    let (one_die, mut scale) = (plan.one(kind), BigUint::from(1_u32));
    let mut chain = one::<W>();
    for _ in 0..chain_length(plan, kind) {
        let ends = times(&plain, &vec![(0, W::from_big(&scale))])?;
        chain = add(&ends, &times(&extra, &chain)?);
        scale *= &one_die;
    }
    Ok(chain)
}

fn one<W: Weight>() -> Polynomial<W> {
    vec![(0, W::one())]
}

fn merged<W: Weight>(terms: &[Term], weigh: impl Fn(u128) -> W) -> Polynomial<W> {
    let mut weights: BTreeMap<i64, u128> = BTreeMap::new();
    for term in terms {
        *weights.entry(term.kept + term.all).or_default() += term.weight;
    }
    weights.into_iter().map(|(at, weight)| (at, weigh(weight))).collect()
}

fn add<W: Weight>(a: &Polynomial<W>, b: &Polynomial<W>) -> Polynomial<W> {
    let mut sum: BTreeMap<i64, W> = BTreeMap::new();
    sum.extend(a.iter().cloned());
    for (at, weight) in b {
        sum.entry(*at).or_default().add_product(weight, &W::one());
    }
    sum.into_iter().collect()
}

fn power<W: Weight>(
    mut base: Polynomial<W>,
    mut times_over: u32,
) -> Result<Polynomial<W>, HandfulError> {
    let mut product: Option<Polynomial<W>> = None;
    loop {
        if times_over & 1 == 1 {
            product = Some(match product {
                Some(product) => times(&product, &base)?,
                None => base.clone(),
            });
        }
        times_over >>= 1;
        if times_over == 0 {
            return Ok(product.unwrap_or_else(one));
        }
        base = times(&base, &base)?;
    }
}

fn times<W: Weight>(a: &Polynomial<W>, b: &Polynomial<W>) -> Result<Polynomial<W>, HandfulError> {
    let (Some((a_low, _)), Some((a_high, _))) = (a.first(), a.last()) else {
        return Ok(Vec::new());
    };
    let (Some((b_low, _)), Some((b_high, _))) = (b.first(), b.last()) else {
        return Ok(Vec::new());
    };
    let bits = |weights: &Polynomial<W>| weights[weights.len() / 2].1.bits();
    let products = a.len() as u128 * b.len() as u128;
    if products * u128::from(W::cost(bits(a) + bits(b))) > u128::from(MOST_PRODUCTS) {
        return Err(HandfulError::TooLarge { cells: products });
    }
    let low = a_low + b_low;
    let span = (i128::from(a_high + b_high) - i128::from(low)) as u128 + 1;
    if span > MOST_CELLS || span > 64 * products {
        return sparse(a, b);
    }
    let mut weights = vec![W::default(); span as usize];
    for (at, weight) in a {
        let row = (at - a_low) as usize;
        for (to, other) in b {
            weights[row + (to - b_low) as usize].add_product(weight, other);
        }
    }
    let cells = (low..).zip(weights).filter(|(_, weight)| !weight.is_zero());
    Ok(cells.collect())
}

fn sparse<W: Weight>(a: &Polynomial<W>, b: &Polynomial<W>) -> Result<Polynomial<W>, HandfulError> {
    let mut weights: HashMap<i64, W> = HashMap::new();
    for (at, weight) in a {
        for (to, other) in b {
            weights.entry(at + to).or_default().add_product(weight, other);
        }
        if weights.len() as u128 > MOST_CELLS {
            return Err(HandfulError::TooLarge { cells: weights.len() as u128 });
        }
    }
    let mut weights: Vec<(i64, W)> = weights.into_iter().collect();
    crate::sort::sort_by_key(&mut weights, |(at, _)| *at);
    Ok(weights)
}

fn outcomes<W: Weight>(
    plan: &Plan<'_>,
    all: Polynomial<W>,
    total: BigUint,
) -> Result<Distribution, HandfulError> {
    let mut outcomes = Vec::with_capacity(all.len());
    for (at, weight) in all {
        let mut values = vec![Number::ZERO; plan.live.len()];
        plan.layout.read(at + plan.layout.origin, &mut values)?;
        outcomes.push(Outcome { values, ways: weight.to_big(), example: None });
    }
    crate::sort::sort_by(&mut outcomes, |a, b| a.values.cmp(&b.values));
    Ok(Distribution { total, outcomes })
}
