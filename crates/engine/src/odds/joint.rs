//! The odds of several checks in a row from one deck: how often each outcome occurs. Drawn cards
//! stay out until a reshuffle, so the checks depend on each other.
//!
//! No order is enumerated. Between two shuffles all orders are equally likely, so only the number
//! of cards drawn from each class matters. The draws between two shuffles are counted with
//! binomials. After a shuffle the whole deck is there again, with fewer checks left. A shuffle
//! before any check has ended changes nothing and is left out.

use super::cards::{CardPlan, Way};
use super::distribution::{Chance, OddsOutcome};
use super::whole::{Whole, Wide};
use adjutant_dice::Deck;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of combinations of outcomes, including those of fewer checks.
pub(super) const MOST_COMBINATIONS: u64 = 100_000;
/// The maximum number of products of combinations. This takes a few seconds.
const MOST_PRODUCTS: u64 = 4_000_000;

/// How often each outcome occurs in several checks: every combination with its probability.
///
/// ```
/// use adjutant_engine::{OddsOptions, CardPlan, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "d6").unwrap();
/// let plan = CardPlan::new(&situation, &OddsOptions::default()).expect("one card is one d6");
/// let two = plan.joint(&situation.decks[plan.deck()], 2).expect("two checks are few");
/// // Ten cards of sixty show a six; when one is out, nine of fifty-nine do.
/// assert_eq!(two.at_least(5, 2).exact(), "3/118");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    times: u32,
    outcomes: Vec<OddsOutcome>,
    /// The number of occurrences of each outcome, and the weight. Combinations of weight 0 are not
    /// listed.
    ways: Vec<(Vec<u32>, BigUint)>,
    total: BigUint,
}

impl Joint {
    /// Independent checks, each with these weights.
    pub(super) fn of_independent(
        weights: &BTreeMap<OddsOutcome, BigUint>,
        total: &BigUint,
        times: u32,
    ) -> Option<Joint> {
        let outcomes: Vec<OddsOutcome> = weights.keys().cloned().collect();
        if outcomes.is_empty() || times == 0 || count(outcomes.len() + 1, times) > MOST_COMBINATIONS
        {
            return None;
        }
        let powers: Vec<Vec<BigUint>> =
            weights.values().map(|weight| (0..=times).map(|n| weight.pow(n)).collect()).collect();
        let lists = Combinations::new(outcomes.len(), times);
        let of_list = |list: &[u32]| {
            let (mut ways, mut left) = (BigUint::from(1_u32), u64::from(times));
            for (n, powers) in list.iter().zip(&powers) {
                ways *= &powers[*n as usize] * choose::<BigUint>(left, *n).unwrap_or_default();
                left -= u64::from(*n);
            }
            ways
        };
        let ways = lists
            .of(times)
            .map(|list| (list.to_vec(), of_list(list)))
            .filter(|(_, ways)| *ways != BigUint::ZERO)
            .collect();
        Some(Joint { times, outcomes, ways, total: total.pow(times) })
    }

    /// Checks of which every combination is known, with its weight.
    pub(super) fn of_combinations(
        combinations: Vec<(BTreeMap<OddsOutcome, u32>, BigUint)>,
        total: BigUint,
        times: u32,
    ) -> Joint {
        let outcomes: BTreeSet<&OddsOutcome> =
            combinations.iter().flat_map(|(counts, _)| counts.keys()).collect();
        let outcomes: Vec<OddsOutcome> = outcomes.into_iter().cloned().collect();
        let listed = |(counts, weight): (BTreeMap<OddsOutcome, u32>, BigUint)| {
            let often = |outcome| counts.get(outcome).copied().unwrap_or(0);
            (outcomes.iter().map(often).collect(), weight)
        };
        let ways = combinations.into_iter().map(listed).collect();
        Joint { times, outcomes, ways, total }
    }

    /// The number of checks.
    pub fn times(&self) -> u32 {
        self.times
    }

    /// The possible outcomes. The counts of a combination are in this order.
    pub fn outcomes(&self) -> &[OddsOutcome] {
        &self.outcomes
    }

    /// Every possible combination: the number of occurrences of each outcome, and its weight out of
    /// [`Joint::total`].
    pub fn ways(&self) -> &[(Vec<u32>, BigUint)] {
        &self.ways
    }

    /// The total of all weights.
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// The probability of this weight.
    pub fn chance(&self, ways: &BigUint) -> Chance {
        Chance::new(ways.clone(), self.total.clone())
    }

    /// The expected number of occurrences of an outcome. It has the type of a probability but may
    /// exceed 1.
    pub fn expected(&self, outcome: usize) -> Chance {
        let times = |list: &[u32]| BigUint::from(list.get(outcome).copied().unwrap_or(0));
        self.chance(&self.ways.iter().map(|(list, ways)| times(list) * ways).sum())
    }

    /// The probability that an outcome occurs at least this many times.
    pub fn at_least(&self, outcome: usize, times: u32) -> Chance {
        self.that(outcome, |often| often >= times)
    }

    /// The probability that an outcome occurs exactly this many times.
    pub fn exactly(&self, outcome: usize, times: u32) -> Chance {
        self.that(outcome, |often| often == times)
    }

    fn that(&self, outcome: usize, holds: impl Fn(u32) -> bool) -> Chance {
        let holds = |list: &[u32]| holds(list.get(outcome).copied().unwrap_or(0));
        self.chance(&self.ways.iter().filter(|(list, _)| holds(list)).map(|(_, ways)| ways).sum())
    }
}

/// The number of combinations of outcomes in this many checks.
fn count(outcomes: usize, times: u32) -> u64 {
    let Some(rest) = (outcomes as u64).checked_sub(1) else { return 0 };
    choose::<u128>(rest + u64::from(times), times)
        .and_then(|n| u64::try_from(n).ok())
        .unwrap_or(u64::MAX)
}

/// The binomial coefficient.
fn choose<W: Whole>(of: u64, n: u32) -> Option<W> {
    if u64::from(n) > of {
        return Some(W::of(0));
    }
    (0..u64::from(n)).try_fold(W::of(1), |ways, k| Some(ways.scaled(of - k)?.over(k + 1)))
}

/// All lists of occurrence counts, grouped by the number of checks. Each list has an index.
struct Combinations {
    outcomes: usize,
    /// The lists, for each number of checks.
    lists: Vec<Vec<u32>>,
    /// The number of lists by number of outcomes and maximum number of checks.
    within: Vec<Vec<usize>>,
}

impl Combinations {
    fn new(outcomes: usize, times: u32) -> Combinations {
        let mut within = vec![vec![1; times as usize + 1]];
        for _ in 1..outcomes {
            let mut row = vec![1];
            let before = within.last().map_or(&[][..], Vec::as_slice);
            for n in 1..=times as usize {
                row.push(row[n - 1] + before[n]);
            }
            within.push(row);
        }
        let list = |n: u32| {
            let mut lists = Vec::new();
            fill(outcomes, n, &mut Vec::new(), &mut lists);
            lists
        };
        Combinations { outcomes, lists: (0..=times).map(list).collect(), within }
    }

    fn of(&self, times: u32) -> impl Iterator<Item = &[u32]> {
        self.lists[times as usize].chunks(self.outcomes)
    }

    fn len(&self, times: u32) -> usize {
        self.lists[times as usize].len() / self.outcomes
    }

    /// The index of the sum of two lists among those for this many checks.
    fn place(&self, a: &[u32], b: &[u32], times: u32) -> usize {
        let (mut left, mut place) = (times as usize, 0);
        for ((n, m), within) in a.iter().zip(b).zip(self.within.iter().rev()) {
            let rest = left - (n + m) as usize;
            // All lists with fewer of this outcome come before it.
            place += within[left] - within[rest];
            left = rest;
        }
        place
    }
}

fn fill(outcomes: usize, left: u32, started: &mut Vec<u32>, lists: &mut Vec<u32>) {
    if outcomes <= 1 {
        lists.extend(started.iter().chain([&left]));
        return;
    }
    for n in 0..=left {
        started.push(n);
        fill(outcomes - 1, left - n, started, lists);
        started.pop();
    }
}

/// The weight of each list, grouped by the number of checks.
type Lists<W> = Vec<Vec<W>>;

/// The draws from some cards to the next shuffle.
struct Stretch<W> {
    /// The weights by the results of the checks that have ended when the deck is full again.
    back: Lists<W>,
    /// The weights by the results if the last check ends before any shuffle.
    done: Lists<W>,
    of: W,
}

impl CardPlan {
    /// The odds of several checks one after another, with these cards left. Each check starts with
    /// the deck as the previous one left it; nothing else changes between them. `None` if there are
    /// too many combinations.
    pub fn joint(&self, deck: &Deck, times: u32) -> Option<Joint> {
        let left = self.left(deck);
        if times == 0
            || count(self.outcomes().len() + 1, times) > MOST_COMBINATIONS
            || self.products(times) > MOST_PRODUCTS
        {
            return None;
        }
        let lists = Combinations::new(self.outcomes().len(), times);
        let bits = self.bits(&left, times);
        let mut found = None;
        // In the browser the first width covers typical requests, and each further one would make
        // the module larger.
        let more = !cfg!(target_arch = "wasm32");
        if bits < 384.0 {
            found = self.found::<Wide<6>>(&lists, &left, times);
        } else if more && bits < 512.0 {
            found = self.found::<Wide<8>>(&lists, &left, times);
        } else if more && bits < 1024.0 {
            found = self.found::<Wide<16>>(&lists, &left, times);
        }
        let (ways, total) = found.or_else(|| self.found::<BigUint>(&lists, &left, times))?;
        let listed = lists.of(times).zip(ways).filter(|(_, ways)| *ways != BigUint::ZERO);
        Some(Joint {
            times,
            outcomes: self.outcomes().to_vec(),
            ways: listed.map(|(list, ways)| (list.to_vec(), ways)).collect(),
            total,
        })
    }

    /// The approximate number of products that the checks need.
    fn products(&self, times: u32) -> u64 {
        let (outcomes, whole) = (self.outcomes().len(), &self.whole);
        let (cards, most) = self.drawn(whole, times);
        let unsure = u64::from(self.unsure(whole, cards));
        let mut sum = 0_u64;
        if unsure > 0 {
            // Each uncertain card, for each list and each number of redraws; then the lists
            // combined with those of certain cards.
            let again = u64::from(most.saturating_sub(times)) + 1;
            let ends =
                self.fates.iter().filter(|fate| fate.len() > 1).flatten().filter_map(|way| way.end);
            let theirs = ends.collect::<BTreeSet<usize>>().len();
            sum = (unsure * again).saturating_mul(count(theirs + 1, times));
            sum = sum.saturating_add(count(outcomes + theirs + 1, times));
        }
        let shuffles = self.fates.iter().flatten().any(|way| way.shuffles);
        if shuffles || cards <= most {
            let pairs = (1..=times).flat_map(|m| (1..m).map(move |c| (c, m - c)));
            sum = pairs.fold(sum, |sum, (a, b)| {
                sum.saturating_add(count(outcomes, a).saturating_mul(count(outcomes, b)))
            });
        }
        sum
    }

    /// The number of cards that count, and the most of them that this many checks can draw without
    /// a shuffle.
    fn drawn(&self, left: &[u32], times: u32) -> (u32, u32) {
        let count = |class: &usize| left[*class];
        let busy = || (0..left.len()).filter(|class| !self.is_idle(*class));
        let cards: u32 = busy().map(|class| count(&class)).sum();
        let again: u32 =
            busy().filter(|class| self.again(*class) > 0).map(|class| count(&class)).sum();
        (cards, times.saturating_add(again).min(cards))
    }

    /// The maximum number of cards with an uncertain effect that can be drawn between two shuffles.
    fn unsure(&self, left: &[u32], most: u32) -> u32 {
        (0..left.len())
            .filter(|class| self.fates[*class].len() > 1)
            .map(|class| left[class])
            .sum::<u32>()
            .min(most)
    }

    /// The approximate number of bits of the weights.
    fn bits(&self, left: &[u32], times: u32) -> f64 {
        let of_stretch = |left: &[u32]| {
            let (cards, most) = self.drawn(left, times);
            let orders: f64 = (0..most).map(|k| f64::from(cards - k).log2()).sum();
            orders + f64::from(self.unsure(left, most)) * (self.over as f64).log2()
        };
        let first = if left == self.whole { 0.0 } else { of_stretch(left) };
        first + f64::from(times) * of_stretch(&self.whole) + 4.0
    }

    fn found<W: Whole>(
        &self,
        lists: &Combinations,
        left: &[u32],
        times: u32,
    ) -> Option<(Vec<BigUint>, BigUint)> {
        let first: Stretch<W> = Stretching::new(self, lists, left, times)?.stretch()?;
        let told = |ways: &[W], total: &W| (ways.iter().map(Whole::big).collect(), total.big());
        if first.back.iter().flatten().all(Whole::is_nothing) {
            return Some(told(&first.done[times as usize], &first.of));
        }
        let whole = match left == self.whole {
            true => None,
            false => Some(Stretching::new(self, lists, &self.whole, times)?.stretch()?),
        };
        let fresh: &Stretch<W> = whole.as_ref().unwrap_or(&first);
        // A shuffle before any check has ended returns to the same state, so its weight is left
        // out.
        let ending = fresh.of.less(&fresh.back[0][0])?;
        let mut from_whole: Lists<W> = vec![vec![W::of(1)]];
        for m in 1..=times {
            let sum =
                after(lists, &fresh.done[m as usize], &fresh.back, &from_whole, &ending, (1, m))?;
            from_whole.push(sum);
        }
        let mut total = W::of(1);
        for _ in 0..times {
            total = total.times(&ending)?;
        }
        if whole.is_none() {
            return Some(told(&from_whole[times as usize], &total));
        }
        let sum = after(
            lists,
            &first.done[times as usize],
            &first.back,
            &from_whole,
            &ending,
            (0, times),
        )?;
        Some(told(&sum, &total.times(&first.of)?))
    }
}

/// Adds what ends without a shuffle, and after each shuffle the rest from the full deck. The total
/// weight of n checks from the full deck is `ending` to the power n; here everything is scaled to
/// the highest power.
fn after<W: Whole>(
    lists: &Combinations,
    done: &[W],
    back: &Lists<W>,
    from_whole: &Lists<W>,
    ending: &W,
    (from, times): (u32, u32),
) -> Option<Vec<W>> {
    let mut sum = done.to_vec();
    for started in (from..times).rev() {
        for weight in &mut sum {
            *weight = weight.times(ending)?;
        }
        let rest = times - started;
        for (a, v) in
            lists.of(started).zip(&back[started as usize]).filter(|(_, v)| !v.is_nothing())
        {
            for (b, w) in
                lists.of(rest).zip(&from_whole[rest as usize]).filter(|(_, w)| !w.is_nothing())
            {
                sum[lists.place(a, b, times)].add_product(w, v)?;
            }
        }
    }
    Some(sum)
}

/// Cards with an uncertain effect: the occurrences of each outcome among them, and the weights by
/// the number of them that cause another draw.
type Unsure<W> = BTreeMap<Vec<u32>, Vec<W>>;

/// Counts the draws between two shuffles.
struct Stretching<'a, W> {
    plan: &'a CardPlan,
    lists: &'a Combinations,
    left: &'a [u32],
    times: u32,
    cards: u32,
    most: u32,
    /// The number of uncertain cards that the weights cover.
    unsure: u32,
    /// By the number of cards drawn: the orders of those drawn, and the orders of the rest.
    orders: Vec<(W, W)>,
    /// The powers of `over`.
    over: Vec<W>,
    /// The number of ways in which certain cards give each list.
    certain: Lists<W>,
}

impl<'a, W: Whole> Stretching<'a, W> {
    fn new(
        plan: &'a CardPlan,
        lists: &'a Combinations,
        left: &'a [u32],
        times: u32,
    ) -> Option<Self> {
        let (cards, most) = plan.drawn(left, times);
        let unsure = plan.unsure(left, most);
        let mut orders: Vec<(W, W)> = vec![(W::of(1), W::of(1)); most as usize + 1];
        for d in 0..most as usize {
            orders[d + 1].0 = orders[d].0.scaled(d as u64 + 1)?;
        }
        for d in (0..most).rev() {
            orders[d as usize].1 = orders[d as usize + 1].1.scaled(u64::from(cards - d))?;
        }
        let mut over = vec![W::of(1)];
        for n in 0..unsure as usize {
            over.push(over[n].scaled(plan.over)?);
        }
        let mut stretching = Stretching {
            plan,
            lists,
            left,
            times,
            cards,
            most,
            unsure,
            orders,
            over,
            certain: Vec::new(),
        };
        stretching.certain = stretching.certain()?;
        Some(stretching)
    }

    fn certain(&self) -> Option<Lists<W>> {
        let mut of_outcome = vec![0; self.lists.outcomes];
        for (fate, count) in self.plan.fates.iter().zip(self.left) {
            if let [Way { end: Some(end), shuffles: false, .. }] = fate.as_slice() {
                of_outcome[*end] += *count;
            }
        }
        let row = |count: u32| (0..=self.times).map(|n| choose(u64::from(count), n)).collect();
        let chosen: Option<Vec<Vec<W>>> = of_outcome.into_iter().map(row).collect();
        let chosen = chosen?;
        let of_list = |list: &[u32]| {
            let mut product = W::of(1);
            for (n, row) in list.iter().zip(&chosen).filter(|(n, _)| **n > 0) {
                product = product.times(&row[*n as usize])?;
            }
            Some(product)
        };
        (0..=self.times).map(|n| self.lists.of(n).map(of_list).collect()).collect()
    }

    /// All combinations of effects of the uncertain cards, with one card of a class removed.
    fn unsure_cards(&self, without: Option<usize>) -> Option<Unsure<W>> {
        let mut found: Unsure<W> =
            adjutant_dice::one_entry(vec![0; self.lists.outcomes], vec![W::of(1)]);
        for (class, fate) in self.plan.fates.iter().enumerate() {
            let kept: Vec<&Way> = fate.iter().filter(|way| !way.shuffles).collect();
            if fate.len() < 2 || kept.is_empty() {
                continue;
            }
            for _ in 0..self.left[class].saturating_sub(u32::from(without == Some(class))) {
                let before = found.clone();
                for (list, way) in
                    before.iter().flat_map(|entry| kept.iter().map(move |way| (entry, *way)))
                {
                    let (mut list, weights) = (list.0.clone(), list.1);
                    if let Some(end) = way.end {
                        list[end] += 1;
                        if list.iter().sum::<u32>() > self.times {
                            continue;
                        }
                    }
                    let shift = usize::from(way.end.is_none());
                    let entry = found.entry(list).or_default();
                    entry.resize(entry.len().max(weights.len() + shift), W::of(0));
                    for (place, weight) in weights.iter().enumerate() {
                        entry[place + shift].add_product(weight, &W::of(way.weight))?;
                    }
                }
            }
        }
        Some(found)
    }

    fn stretch(&self) -> Option<Stretch<W>> {
        let blank = || (0..=self.times).map(|n| vec![W::of(0); self.lists.len(n)]).collect();
        let of = self.orders[0].1.times(&self.over[self.unsure as usize])?;
        let mut stretch = Stretch { back: blank(), done: blank(), of };
        let unsure = self.unsure_cards(None)?;
        for (list, weights) in &unsure {
            self.without_shuffle(list, weights, &mut stretch)?;
        }
        for (class, fate) in
            self.plan.fates.iter().enumerate().filter(|(class, _)| self.left[*class] > 0)
        {
            if !fate.iter().any(|way| way.shuffles) {
                continue;
            }
            // The card that shuffles is not one of those drawn before it.
            let others = if fate.iter().all(|way| way.shuffles) {
                None
            } else {
                Some(self.unsure_cards(Some(class))?)
            };
            for (list, weights) in others.as_ref().unwrap_or(&unsure) {
                for way in fate.iter().filter(|way| way.shuffles) {
                    self.shuffled_by(class, way, list, weights, &mut stretch)?;
                }
            }
        }
        Some(stretch)
    }

    /// Adds the checks that end by a card that does not shuffle, and the return to a full deck when
    /// it runs out.
    fn without_shuffle(&self, list: &[u32], weights: &[W], stretch: &mut Stretch<W>) -> Option<()> {
        let ended: u32 = list.iter().sum();
        for ends in ended..=self.times {
            let (mut done, mut back) = (W::of(0), W::of(0));
            for (again, weight) in (0..).zip(weights).filter(|(_, weight)| !weight.is_nothing()) {
                let drawn = ends + again;
                if drawn > self.most {
                    continue;
                }
                let scaled = weight.times(&self.over[(self.unsure - ended - again) as usize])?;
                if ends > 0 {
                    // Of all orders of the drawn cards, those whose last card ends a check.
                    let orders = self.orders[drawn as usize - 1].0.scaled(u64::from(ends))?;
                    done.add_product(&scaled, &orders.times(&self.orders[drawn as usize].1)?)?;
                }
                if drawn == self.cards && ends < self.times {
                    back.add_product(&scaled, &self.orders[drawn as usize].0)?;
                }
            }
            self.add(list, ends, &done, &mut stretch.done)?;
            self.add(list, ends, &back, &mut stretch.back)?;
        }
        Some(())
    }

    /// Adds one effect of a card that shuffles, after cards that do not.
    fn shuffled_by(
        &self,
        class: usize,
        way: &Way,
        list: &[u32],
        weights: &[W],
        stretch: &mut Stretch<W>,
    ) -> Option<()> {
        let ended: u32 = list.iter().sum();
        let certain = self.plan.fates[class].len() == 1;
        let (weight_of_way, one) = if certain { (1, 0) } else { (way.weight, 1) };
        for ends in ended..self.times {
            let mut sum = W::of(0);
            for (again, weight) in (0..).zip(weights).filter(|(_, weight)| !weight.is_nothing()) {
                let drawn = ends + again;
                if drawn >= self.most {
                    continue;
                }
                let scaled =
                    weight.times(&self.over[(self.unsure - ended - again - one) as usize])?;
                sum.add_product(
                    &scaled,
                    &self.orders[drawn as usize].0.times(&self.orders[drawn as usize + 1].1)?,
                )?;
            }
            let sum = sum.scaled(u64::from(self.left[class]))?.scaled(weight_of_way)?;
            match way.end {
                None => self.add(list, ends, &sum, &mut stretch.back)?,
                Some(end) => {
                    let mut more = list.to_vec();
                    more[end] += 1;
                    self.add(&more, ends + 1, &sum, &mut stretch.done)?;
                    if ends + 1 < self.times {
                        self.add(&more, ends + 1, &sum, &mut stretch.back)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Adds a weight to every list that the certain cards and this list make together.
    fn add(&self, list: &[u32], times: u32, weight: &W, to: &mut Lists<W>) -> Option<()> {
        if weight.is_nothing() {
            return Some(());
        }
        let rest = times - list.iter().sum::<u32>();
        for (other, ways) in self
            .lists
            .of(rest)
            .zip(&self.certain[rest as usize])
            .filter(|(_, ways)| !ways.is_nothing())
        {
            to[times as usize][self.lists.place(list, other, times)].add_product(ways, weight)?;
        }
        Some(())
    }
}
