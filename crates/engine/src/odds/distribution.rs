//! Probability distributions as they are shown: each result, each number, each additional result.

use super::unfollowed::Unfollowed;
use adjutant_dice::{Answer, Number, Text, one_entry, sort_by};
use num_bigint::BigUint;
use num_integer::Integer;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An exact probability. It is kept as it was counted, and reduced where it is shown: most chances
/// of a long distribution are only summed or compared.
#[derive(Clone, Debug)]
pub struct Chance {
    ways: BigUint,
    of: BigUint,
}

impl PartialEq for Chance {
    fn eq(&self, other: &Chance) -> bool {
        match self.of == other.of {
            true => self.ways == other.ways,
            false => &self.ways * &other.of == &other.ways * &self.of,
        }
    }
}

impl Eq for Chance {}

impl Chance {
    /// The fraction `ways / of`. 0 / 0 counts as 0.
    pub fn new(ways: BigUint, of: BigUint) -> Chance {
        if of == BigUint::ZERO {
            return Chance { ways: BigUint::ZERO, of: BigUint::from(1_u32) };
        }
        Chance { ways, of }
    }

    /// The reduced fraction.
    pub fn reduced(&self) -> Chance {
        if let Some((ways, of)) = self.few() {
            let shared = ways.gcd(&of).max(1);
            return Chance { ways: (ways / shared).into(), of: (of / shared).into() };
        }
        let shared = gcd(&self.ways, &self.of);
        Chance { ways: &self.ways / &shared, of: &self.of / shared }
    }

    /// Both parts, if they fit in 64 bits.
    fn few(&self) -> Option<(u64, u64)> {
        Some((u64::try_from(&self.ways).ok()?, u64::try_from(&self.of).ok()?))
    }

    /// The reduced fraction: `17/100`, `0`, `1`.
    pub fn exact(&self) -> String {
        let Chance { ways, of } = self.reduced();
        if of == BigUint::from(1_u32) { ways.to_string() } else { format!("{ways}/{of}") }
    }

    /// Per cent, for display only. It is 0 only for probability 0 and 100 only for probability 1.
    pub fn percent(&self) -> f64 {
        let percent = self.rounded();
        match self.ways.cmp(&self.of) {
            Ordering::Less if self.ways == BigUint::ZERO => 0.0,
            Ordering::Less if percent <= 0.0 => (self.value() * 100.0).max(f64::MIN_POSITIVE),
            Ordering::Less => percent.min(100.0_f64.next_down()),
            _ => percent,
        }
    }

    /// Per cent as the nearest float.
    fn rounded(&self) -> f64 {
        // Eighteen decimal places are more than a float can show. A mean may also have digits
        // before the point.
        let scaled = match self.few() {
            Some((ways, of @ 1..)) => {
                Ok(u128::from(ways) * 1_000_000_000_000_000_000 / u128::from(of))
            }
            _ => u128::try_from(&self.ways * BigUint::from(10_u32).pow(18) / &self.of),
        };
        scaled.map_or_else(|_| self.value() * 100.0, |scaled| scaled as f64 / 1e16)
    }

    /// As a float, for display only. A mean may be far above 1.
    pub fn value(&self) -> f64 {
        let Chance { ways, of } = self.reduced();
        Chance::float(&ways, &of)
    }

    /// The quotient as a float.
    pub(crate) fn float(ways: &BigUint, of: &BigUint) -> f64 {
        // Sixty-four binary digits of the quotient are more than a float can show.
        let shift = (64 + of.bits()).saturating_sub(ways.bits());
        let quotient = (ways << shift) / of;
        let digits: f64 = quotient
            .iter_u64_digits()
            .rev()
            .fold(0.0, |sum, digit| sum * 2_f64.powi(64) + digit as f64);
        digits / 2_f64.powi(i32::try_from(shift).unwrap_or(i32::MAX))
    }

    /// The numerator. The fraction may not be reduced.
    pub fn ways(&self) -> &BigUint {
        &self.ways
    }

    /// The denominator. The fraction may not be reduced.
    pub fn of(&self) -> &BigUint {
        &self.of
    }

    /// The sum of the probabilities of mutually exclusive outcomes.
    pub fn sum<'a>(chances: impl IntoIterator<Item = &'a Chance>) -> Chance {
        let none = Chance { ways: BigUint::ZERO, of: BigUint::from(1_u32) };
        chances.into_iter().fold(none, |a, b| match a.of == b.of {
            true => Chance { ways: a.ways + &b.ways, of: a.of },
            false => {
                Chance { ways: &a.ways * &b.of + &b.ways * &a.of, of: &a.of * &b.of }.reduced()
            }
        })
    }
}

/// The greatest common divisor. Up to 128 bits without allocation, which is many times faster.
pub(super) fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    match (u128::try_from(a), u128::try_from(b)) {
        (Ok(mut a), Ok(mut b)) => {
            while b != 0 {
                match (u64::try_from(a), u64::try_from(b)) {
                    (Ok(a), Ok(b)) => return BigUint::from(a.gcd(&b)),
                    _ => (a, b) = (b, a % b),
                }
            }
            BigUint::from(a)
        }
        _ if *a == BigUint::ZERO || *b == BigUint::ZERO => a.gcd(b),
        // One step of Euclid brings a much longer number down to the other's length.
        _ if a.bits() > b.bits() + 64 => gcd(b, &(a % b)),
        _ if b.bits() > a.bits() + 64 => gcd(a, &(b % a)),
        _ => a.gcd(b),
    }
}

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            exact: String,
            percent: f64,
        }
        Shown { exact: self.exact(), percent: self.percent() }.serialize(serializer)
    }
}

/// The outcome of a run, with the details that odds distinguish.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OddsOutcome {
    /// The id of the chart that gave it: the last one, if the chain is followed.
    pub chart: Text,
    /// The result: id, title, and the role it applies to.
    pub result: Option<(Text, Text, Option<Text>)>,
    /// The number that the chart returned.
    pub value: Option<Number>,
    /// Additional results: id, title, and the label of the line on the sheet.
    pub also: Vec<(Text, Text, Option<Text>)>,
    /// The result of each of several units: unit name, result id and result title.
    pub members: Vec<(Text, Text, Text)>,
    /// The other end results, if several charts followed from one roll.
    pub besides: Vec<OddsOutcome>,
    /// What would follow and is not run.
    pub unfollowed: Vec<Unfollowed>,
}

impl OddsOutcome {
    /// Keeps only what a count distinguishes: the result; without one, the results of several
    /// units, else the value.
    pub(crate) fn into_counted(self) -> OddsOutcome {
        let value = self.value.filter(|_| self.result.is_none() && self.members.is_empty());
        let besides = self.besides.into_iter().map(OddsOutcome::into_counted).collect();
        let mut unfollowed = self.unfollowed;
        unfollowed.retain(|what| what.without_end().is_some());
        OddsOutcome { value, also: Vec::new(), besides, unfollowed, ..self }
    }

    /// This end result and all others.
    fn ends(&self) -> impl Iterator<Item = &OddsOutcome> {
        std::iter::once(self).chain(&self.besides)
    }

    /// The whole outcome under one id and title, with its probability.
    pub(crate) fn chanced(&self, root: &str, chance: Chance) -> OutcomeChance {
        if !self.besides.is_empty() {
            let ends: Vec<OutcomeChance> =
                self.ends().map(|end| end.alone(root, chance.clone())).collect();
            let list = |what: fn(&OutcomeChance) -> String| {
                ends.iter().map(what).collect::<Vec<_>>().join(", ").into()
            };
            let title = list(|end| {
                end.on
                    .as_ref()
                    .map_or_else(|| end.title.to_string(), |on| format!("{} ({on})", end.title))
            });
            return OutcomeChance {
                chart: None,
                of: None,
                id: list(|end| end.id.to_string()),
                title,
                on: None,
                label: None,
                chance,
            };
        }
        self.alone(root, chance)
    }

    /// Lists what this end result shows, each item once: results and additional results.
    fn list(
        &self,
        root: &str,
        values_too: bool,
        results: &mut Vec<OutcomeChance>,
        also: &mut Vec<OutcomeChance>,
    ) {
        let chart = Some(self.chart.clone()).filter(|chart| chart != root);
        let blank = |id: &str, title: &str| OutcomeChance {
            chart: chart.clone(),
            of: None,
            id: id.into(),
            title: title.into(),
            on: None,
            label: None,
            chance: Chance::new(BigUint::ZERO, BigUint::from(1_u32)),
        };
        match (&self.result, self.value) {
            (Some((id, title, on)), _) => {
                once(results, OutcomeChance { on: on.clone(), ..blank(id, title) })
            }
            (None, _) if self.members.len() > 1 => {
                for (member, id, title) in &self.members {
                    once(results, OutcomeChance { of: Some(member.clone()), ..blank(id, title) });
                }
            }
            (None, Some(value)) if chart.is_some() || values_too => {
                once(results, blank(&value.to_string(), &value.to_string()))
            }
            (None, Some(_)) => {}
            (None, None) => {
                let (id, title) = self.nothing();
                once(results, blank(id, title));
            }
        }
        for (id, title, label) in &self.also {
            once(also, OutcomeChance { label: label.clone(), ..blank(id, title) });
        }
    }

    /// The id and title of an outcome without a result.
    fn nothing(&self) -> (&'static str, &'static str) {
        let cut = self.unfollowed.iter().find_map(Unfollowed::without_end);
        cut.map_or(("none", "Nothing"), |title| ("cut", title))
    }

    /// The same without the other end results.
    fn alone(&self, root: &str, chance: Chance) -> OutcomeChance {
        let (id, title, on) = match (&self.result, self.value) {
            (Some((id, title, on)), _) => (id.clone(), title.clone(), on.clone()),
            (None, Some(value)) => (value.to_string().into(), value.to_string().into(), None),
            (None, None) if self.members.is_empty() => {
                let (id, title) = self.nothing();
                (id.into(), title.into(), None)
            }
            (None, None) => {
                let list = |sign: &str, what: fn(&(Text, Text, Text)) -> &Text| {
                    self.members
                        .iter()
                        .map(|member| format!("{}{sign}{}", member.0, what(member)))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                (list("=", |member| &member.1).into(), list(": ", |member| &member.2).into(), None)
            }
        };
        OutcomeChance {
            chart: Some(self.chart.clone()).filter(|chart| chart != root),
            of: None,
            id,
            title,
            on,
            label: None,
            chance,
        }
    }
}

/// A result and its probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutcomeChance {
    /// The chart that gave it, if the chain was followed beyond the first chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<Text>,
    /// The unit it is for, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Text>,
    /// The result's id.
    pub id: Text,
    /// The result's title.
    pub title: Text,
    /// The role it applies to. In a chain this is the unit's role in the first chart, if it has one
    /// there.
    pub on: Option<Text>,
    /// The label of its line on the sheet, for an additional result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Text>,
    /// Its probability.
    pub chance: Chance,
}

/// The numbers that one chart of a chain returns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueTable {
    /// The chart.
    pub chart: Text,
    /// Each number at the end of a chain, in ascending order. The probabilities add up to that of
    /// an end with this chart.
    pub values: Vec<(Number, Chance)>,
}

/// A chart that would follow and is not in the odds, and the probability that it would.
#[derive(Clone, Debug, PartialEq)]
pub struct UnfollowedChance {
    /// The chart, and why it is not run.
    pub what: Unfollowed,
    /// The probability that it would be run.
    pub chance: Chance,
}

/// The probability distribution of one chart in one situation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    /// Each result. The probabilities add up to exactly 1, unless `several_ends` is set.
    pub results: Vec<OutcomeChance>,
    /// Each number that the chart returns, in ascending order. With several end results, numbers
    /// are listed as results. So they are if several charts of a chain return numbers: what each
    /// of them returns is in `numbers`.
    pub values: Vec<(Number, Chance)>,
    /// The numbers of each chart of a chain, unless they are all of the first one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<ValueTable>,
    /// Additional results.
    pub also: Vec<OutcomeChance>,
    /// Whether one roll can lead to several end results, because more than one chart follows from
    /// it. Then each entry of `results` has the probability that it occurs, alone or together with
    /// others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub several_ends: bool,
    /// The charts that would follow and are not in these odds.
    #[serde(skip)]
    pub unfollowed: Vec<UnfollowedChance>,
    /// Each result together with each number that came with it.
    #[serde(skip)]
    pub(super) together: Vec<(OutcomeChance, Number)>,
}

impl Distribution {
    /// Makes a distribution from weights over a total, in the order of the outcomes.
    pub(super) fn new(
        root: &str,
        weights: Vec<(OddsOutcome, BigUint)>,
        total: &BigUint,
    ) -> Distribution {
        let several_ends = weights.iter().any(|(outcome, _)| !outcome.besides.is_empty());
        let mut with_numbers = weights.iter().filter(|(outcome, _)| outcome.value.is_some());
        let several_charts = with_numbers.next().is_some_and(|(outcome, _)| {
            with_numbers.any(|(other, _)| other.chart != outcome.chart)
        });
        let mut spread = Distribution { several_ends, ..Distribution::default() };
        let mut together: BTreeMap<Number, Vec<(OutcomeChance, BigUint)>> = BTreeMap::new();
        let mut results: Vec<(OutcomeChance, BigUint)> = Vec::new();
        let mut also: Vec<(OutcomeChance, BigUint)> = Vec::new();
        // There are few charts and few that are left out, and a map of them has its size in the page.
        let mut values: Vec<(Text, BTreeMap<Number, BigUint>)> = Vec::new();
        let mut unfollowed: Vec<(Unfollowed, BigUint)> = Vec::new();
        for (outcome, weight) in weights {
            // A result that occurs several times in one run (for several units, at several ends)
            // counts once.
            let (mut here, mut besides) = (Vec::new(), Vec::new());
            for end in outcome.ends() {
                end.list(root, several_ends || several_charts, &mut here, &mut besides);
            }
            if let (Some(value), Some(_), false) = (outcome.value, &outcome.result, several_ends) {
                let list = together.entry(value).or_default();
                here.iter().for_each(|chanced| add(list, chanced.clone(), &weight));
            }
            here.into_iter().for_each(|chanced| add(&mut results, chanced, &weight));
            besides.into_iter().for_each(|chanced| add(&mut also, chanced, &weight));
            for what in &outcome.unfollowed {
                add(&mut unfollowed, what.clone(), &weight);
            }
            if let Some(value) = outcome.value.filter(|_| !several_ends) {
                match values.iter_mut().find(|(chart, _)| *chart == outcome.chart) {
                    Some((_, values)) => add_weight(values, value, weight),
                    None => values.push((outcome.chart, one_entry(value, weight))),
                }
            }
        }
        let settle = |list: Vec<(OutcomeChance, BigUint)>| {
            list.into_iter()
                .map(|(chanced, ways)| OutcomeChance {
                    chance: Chance::new(ways, total.clone()),
                    ..chanced
                })
                .collect()
        };
        (spread.results, spread.also) = (settle(results), settle(also));
        for (value, list) in together {
            spread.together.extend(settle(list).into_iter().map(|chanced| (chanced, value)));
        }
        let chance = |ways| Chance::new(ways, total.clone());
        let followed = values.iter().any(|(chart, _)| chart != root);
        let first = |chart: &Text| chart == root;
        sort_by(&mut values, |(one, _), (other, _)| {
            first(other).cmp(&first(one)).then_with(|| one.cmp(other))
        });
        for (chart, values) in values {
            let values: Vec<(Number, Chance)> =
                values.into_iter().map(|(value, ways)| (value, chance(ways))).collect();
            if !several_charts {
                spread.values.clone_from(&values);
            }
            if followed {
                spread.numbers.push(ValueTable { chart, values });
            }
        }
        sort_by(&mut unfollowed, |(one, _), (other, _)| one.cmp(other));
        let left_out = unfollowed.into_iter();
        spread.unfollowed =
            left_out.map(|(what, ways)| UnfollowedChance { what, chance: chance(ways) }).collect();
        spread
    }

    /// The probability of a result on a role together with the number that came with it. `chart`
    /// gave the result, if it is not the first of a chain. `None` if the odds do not tell it apart
    /// from others.
    pub fn chance_of(
        &self,
        chart: Option<&str>,
        id: &str,
        on: Option<&str>,
        value: Option<Number>,
    ) -> Option<&Chance> {
        let is = |known: &&OutcomeChance| {
            known.chart.as_deref() == chart
                && known.id == id
                && known.on.as_deref() == on
                && known.of.is_none()
        };
        let found = match value {
            Some(value) => {
                let here = self.together.iter().filter(|(_, number)| *number == value);
                here.map(|(known, _)| known).find(is)
            }
            None => self.results.iter().find(is),
        };
        found.filter(|_| !self.several_ends).map(|known| &known.chance)
    }

    /// The distribution of a plan.
    pub(super) fn of_plan(plan: &super::Plan) -> Distribution {
        let (ways, total) = plan.ways();
        let weights = super::merged(plan.outcomes(), ways.into_iter().map(BigUint::from));
        let root = plan.outcomes().first().map_or("", |outcome| outcome.chart.as_str());
        Distribution::new(root, weights, &BigUint::from(total))
    }

    /// The exact mean of the value; `None` if some outcome has no value.
    pub fn mean(&self) -> Option<Mean> {
        if Chance::sum(self.values.iter().map(|(_, chance)| chance)).exact() != "1" {
            return None;
        }
        let part = |(n, chance): &(Number, Chance)| {
            Chance::new(
                &chance.ways * n.numerator().unsigned_abs(),
                &chance.of * n.denominator().unsigned_abs(),
            )
        };
        let sum = |below: bool| {
            let parts: Vec<Chance> = self
                .values
                .iter()
                .filter(|(n, _)| (*n < Number::ZERO) == below)
                .map(part)
                .collect();
            Chance::sum(&parts)
        };
        Some(Mean::difference(&sum(false), &sum(true)))
    }

    /// Additional results, each with the label of its line if another line gives the same result.
    pub fn labelled_also(&self) -> impl Iterator<Item = (&OutcomeChance, Option<&Text>)> {
        let same = |also: &OutcomeChance| (also.chart.clone(), also.id.clone());
        let again = move |also: &OutcomeChance| {
            self.also.iter().filter(|other| same(other) == same(also)).count() > 1
        };
        self.also.iter().map(move |also| (also, also.label.as_ref().filter(|_| again(also))))
    }

    /// The probability that the value is at least `n`.
    pub fn at_least(&self, n: Number) -> Chance {
        Chance::sum(self.values.iter().filter(|(value, _)| *value >= n).map(|(_, chance)| chance))
    }

    /// The probability that the value is at most `n`.
    pub fn at_most(&self, n: Number) -> Chance {
        Chance::sum(self.values.iter().filter(|(value, _)| *value <= n).map(|(_, chance)| chance))
    }
}

/// An exact mean. It may be negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mean {
    below_zero: bool,
    size: Chance,
}

impl Mean {
    /// The difference of two sums.
    fn difference(plus: &Chance, minus: &Chance) -> Mean {
        let (a, b) = (&plus.ways * &minus.of, &minus.ways * &plus.of);
        let (below_zero, size) = if a < b { (true, b - a) } else { (false, a - b) };
        Mean { below_zero, size: Chance::new(size, &plus.of * &minus.of) }
    }

    /// The reduced fraction: `7/2`, `-1/3`, `0`.
    pub fn exact(&self) -> String {
        format!("{}{}", if self.below_zero { "-" } else { "" }, self.size.exact())
    }

    /// As a float, for display only.
    pub fn value(&self) -> f64 {
        if self.below_zero { -self.size.value() } else { self.size.value() }
    }
}

/// Adds an entry to a list if it is not there yet.
fn once(list: &mut Vec<OutcomeChance>, chanced: OutcomeChance) {
    if !list.contains(&chanced) {
        list.push(chanced);
    }
}

/// Adds a weight to the entry that is equal except for its probability.
fn add<T: PartialEq>(list: &mut Vec<(T, BigUint)>, item: T, weight: &BigUint) {
    match list.iter_mut().find(|(known, _)| *known == item) {
        Some((_, ways)) => *ways += weight,
        None => list.push((item, weight.clone())),
    }
}

/// Adds a weight to that of a key.
pub(super) fn add_weight<K: Ord>(weights: &mut BTreeMap<K, BigUint>, key: K, weight: BigUint) {
    match weights.entry(key) {
        Entry::Occupied(mut known) => *known.get_mut() += weight,
        Entry::Vacant(free) => {
            free.insert(weight);
        }
    }
}

/// The odds under the condition that these answers are given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branch {
    /// The answers that this branch assumes.
    pub answers: Vec<(String, Answer)>,
    /// The odds with these answers.
    #[serde(flatten)]
    pub spread: Distribution,
    /// Who acts first, where scores order several units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<FirstChance>,
}

impl Branch {
    /// A branch in which nothing can happen.
    pub(super) const fn nothing() -> Branch {
        let spread = Distribution {
            results: Vec::new(),
            values: Vec::new(),
            numbers: Vec::new(),
            also: Vec::new(),
            several_ends: false,
            unfollowed: Vec::new(),
            together: Vec::new(),
        };
        Branch { answers: Vec::new(), spread, first: Vec::new() }
    }
}

/// The chance to act before all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstChance {
    /// The unit; `None` if several act first together.
    pub of: Option<Text>,
    /// Its probability.
    pub chance: Chance,
}

/// The odds of a chart, with one branch for each combination of answers to its open questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsReport {
    /// The branches; exactly one if no question is open.
    pub branches: Vec<Branch>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_beyond_eighteen_is_shown_whole() {
        let mean = Chance::new(BigUint::from(61_u32), BigUint::from(2_u32));
        assert_eq!((mean.value(), mean.percent()), (30.5, 3050.0));
        assert_eq!(Chance::new(BigUint::from(1_u32), BigUint::from(3_u32)).value(), 1.0 / 3.0);
    }

    #[test]
    fn a_few_ways_are_told_as_many_are() {
        for (ways, of) in [
            (0_u64, 0_u64),
            (0, 7),
            (5, 0),
            (6, 8),
            (7, 7),
            (1, 3),
            (61, 2),
            (u64::MAX, 3),
            (12, u64::MAX),
        ] {
            let few = Chance::new(BigUint::from(ways), BigUint::from(of));
            // The same fraction with parts that do not fit in 64 bits.
            let much = BigUint::from(u64::MAX).pow(2);
            let many = Chance::new(BigUint::from(ways) * &much, BigUint::from(of) * &much);
            assert_eq!((few.exact(), &few), (many.exact(), &many));
            if of > 0 {
                let long = BigUint::from(ways) * BigUint::from(10_u32).pow(18) / BigUint::from(of);
                let shown = u128::try_from(long).unwrap() as f64 / 1e16;
                assert_eq!(
                    few.percent(),
                    if shown == 0.0 { ways as f64 / of as f64 * 100.0 } else { shown }
                );
            }
        }
    }

    #[test]
    fn no_chance_is_shown_as_none_or_as_certain_that_is_not() {
        let tiny = Chance::new(BigUint::from(1_u32), BigUint::from(3_743_906_242_624_487_424_u64));
        assert!(tiny.percent() > 0.0 && tiny.percent() < 1e-16, "{}", tiny.percent());
        let of = BigUint::from(10_u32).pow(400);
        for (ways, words) in [
            (BigUint::from(1_u32), "< 0.01 %"),
            (&of - 1_u32, "> 99.99 %"),
            (of.clone(), "100 %"),
            (BigUint::ZERO, "0 %"),
        ] {
            assert_eq!(crate::percent_in_words(Chance::new(ways, of.clone()).percent()), words);
        }
    }

    #[test]
    fn a_mean_may_be_below_zero() {
        let number = |n: i64| Number::whole(n).unwrap();
        let part = |ways: u32| Chance::new(BigUint::from(ways), BigUint::from(6_u32));
        let spread = |values: &[(i64, u32)]| Distribution {
            values: values.iter().map(|(n, ways)| (number(*n), part(*ways))).collect(),
            ..Distribution::default()
        };
        let mean = |values| spread(values).mean().map(|mean| (mean.exact(), mean.value()));
        assert_eq!(mean(&[(-3, 1), (-1, 2), (2, 3)]), Some(("1/6".to_owned(), 1.0 / 6.0)));
        assert_eq!(mean(&[(-3, 3), (2, 3)]), Some(("-1/2".to_owned(), -0.5)));
        assert_eq!(mean(&[(-1, 3), (1, 3)]), Some(("0".to_owned(), 0.0)));
        assert_eq!(mean(&[(-1, 3), (1, 2)]), None, "some outcome has no value");
    }
}
