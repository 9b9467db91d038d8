//! The fast algorithm for a chart that draws one card. With inputs, options and answers fixed, each
//! card of the deck has one effect: it ends the check, or another is drawn, or the deck is
//! reshuffled and another is drawn. If a player answers with given probabilities, it is one of
//! these by weight. Cards with the same effect are one class, and only the number left of each
//! class matters.
//!
//! A card's effect is found by running the chart with that card, so plan and play cannot disagree.
//! A more complex chart has no plan and is explored instead.

use super::distribution::OddsOutcome;
use super::explore::{Classify, Explorer, outcome};
use super::reach::reach;
use super::request::{OddsError, OddsOptions};
use super::script::{End, ExploredChoice, RunState};
use super::whole::Whole;
use crate::situation::Situation;
use adjutant_dice::{Answer, Deck};
use adjutant_pack::{CardGoal, Chart, DeckId, NameSource, StepKind};
use num_bigint::BigUint;

/// The maximum number of runs to make a plan.
const MOST_RUNS: usize = 5000;

/// One possible effect of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// The index of the outcome if it ends the check; otherwise another card is drawn.
    pub(crate) end: Option<usize>,
    /// Whether the whole deck is reshuffled.
    pub(crate) shuffles: bool,
    /// Its weight. The weights of all effects of a card add up to the plan's `over`.
    pub(crate) weight: u64,
}

/// All possible effects of a card.
pub(crate) type Fate = Vec<Way>;

/// A chart that draws one card, compiled with its inputs and answers.
///
/// ```
/// use adjutant_engine::{OddsOptions, CardPlan, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "repair").unwrap();
/// let plan = CardPlan::new(&situation, &OddsOptions::default()).expect("one card settles a repair");
/// let (ways, total) = plan.ways(&situation.decks[plan.deck()]).expect("the numbers are small");
/// assert_eq!(ways.iter().sum::<u128>(), total);
/// ```
#[derive(Clone, Debug)]
pub struct CardPlan<K = OddsOutcome> {
    deck: DeckId,
    /// The class of each card.
    class_of: Vec<u32>,
    /// The number of cards of each class in the full deck.
    pub(super) whole: Vec<u32>,
    pub(super) fates: Vec<Fate>,
    outcomes: Vec<K>,
    /// The total weight of the effects of each card.
    pub(super) over: u64,
}

/// The weight of each outcome, and the total.
type Weights<W> = (Vec<W>, W);

/// The draws until the check ends or the deck is full again.
struct Pass<W> {
    ends: Vec<W>,
    /// The weight of a return to the full deck, by a card or because the deck ran out.
    back: W,
    of: W,
}

impl Pass<u64> {
    fn widened(self) -> Pass<u128> {
        Pass {
            ends: self.ends.into_iter().map(u128::from).collect(),
            back: self.back.into(),
            of: self.of.into(),
        }
    }
}

impl CardPlan {
    /// The plan of a chart in a situation. `None` if the chart is too complex.
    pub fn new(situation: &Situation<'_>, asked: &OddsOptions) -> Option<CardPlan> {
        CardPlan::with(situation, asked, &[]).ok()
    }

    /// The same, given answers to the open questions. The error is the question that must be
    /// answered first.
    pub(super) fn with(
        situation: &Situation<'_>,
        asked: &OddsOptions,
        said: &[(String, Answer)],
    ) -> Result<CardPlan, Option<OddsError>> {
        CardPlan::keeping(situation, asked, said, &outcome)
    }

    /// The same plan with only those outcomes kept apart that counts distinguish.
    pub(super) fn counted(mut self) -> CardPlan {
        let mut outcomes: Vec<OddsOutcome> = Vec::new();
        let places: Vec<usize> = self
            .outcomes
            .into_iter()
            .map(|outcome| place_of(&mut outcomes, outcome.into_counted()))
            .collect();
        self.outcomes = outcomes;
        for way in self.fates.iter_mut().flatten() {
            way.end = way.end.and_then(|end| places.get(end).copied());
        }
        let fates: Vec<Fate> = std::mem::take(&mut self.fates).into_iter().map(merged).collect();
        let mut known: Vec<Fate> = Vec::new();
        let classes: Vec<u32> =
            fates.into_iter().map(|fate| place_of(&mut known, fate) as u32).collect();
        for class in &mut self.class_of {
            *class = classes[*class as usize];
        }
        self.fates = known;
        self.whole = tally(self.fates.len(), self.class_of.iter().copied());
        self
    }
}

impl<K: Ord + Clone> CardPlan<K> {
    /// The plan with another key for each run than its outcome.
    pub(crate) fn keeping(
        situation: &Situation<'_>,
        asked: &OddsOptions,
        said: &[(String, Answer)],
        kept: Classify<'_, K>,
    ) -> Result<CardPlan<K>, Option<OddsError>> {
        if asked.follow.is_on() || situation.pack().decks().is_empty() {
            return Err(None);
        }
        let first = Explorer::new(situation, asked, said, kept)?.run(&[])?;
        let (Err(End::Fork(_, Some(started))), Some(id)) = (first.end, first.deck) else {
            return Err(None);
        };
        let deck = situation.pack().deck_id(&id).ok_or(None)?;
        let mut whole = situation.clone();
        whole.decks[deck].reshuffle();
        if !is_simple(&whole, deck) {
            return Err(None);
        }
        let explorer = Explorer::new(&whole, asked, said, kept)?;
        let classes = explorer.classes.get(id.as_str()).cloned().unwrap_or_default();
        let mut folding =
            Folding { explorer, started, deck, classes, runs: 0, outcomes: Vec::new(), open: None };
        folding.plan().ok_or(folding.open)
    }

    /// The possible outcomes. [`CardPlan::ways`] uses this order.
    pub fn outcomes(&self) -> &[K] {
        &self.outcomes
    }

    /// The deck of the pack that the chart draws from.
    pub fn deck(&self) -> DeckId {
        self.deck
    }

    /// The class of each card, in card order.
    pub(crate) fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// The possible effects of the cards of a class, and their total weight.
    pub(crate) fn fate(&self, class: u32) -> (&[Way], u64) {
        (self.fates.get(class as usize).map_or(&[], Vec::as_slice), self.over)
    }

    /// The weight of each outcome with these cards left, and the total. `None` if the numbers do
    /// not fit in 128 bits.
    pub fn ways(&self, deck: &Deck) -> Option<(Vec<u128>, u128)> {
        // Usually 64 bits are enough for one pass, and much faster.
        self.weights(deck, |left| {
            self.pass::<u64>(left).map(Pass::widened).or_else(|| self.pass(left))
        })
    }

    /// The same with big integers.
    pub fn big_ways(&self, deck: &Deck) -> (Vec<BigUint>, BigUint) {
        match self.ways(deck) {
            Some((ways, total)) => {
                (ways.into_iter().map(BigUint::from).collect(), BigUint::from(total))
            }
            // Big integers never overflow.
            None => self.weights(deck, |left| self.pass(left)).unwrap_or_default(),
        }
    }

    /// The number of cards left in each class.
    pub(super) fn left(&self, deck: &Deck) -> Vec<u32> {
        match deck.left() == deck.size() {
            true => self.whole.clone(),
            false => tally(
                self.fates.len(),
                deck.cards().filter_map(|card| self.class_of.get(card as usize - 1).copied()),
            ),
        }
    }

    /// Whether a card of the class only causes another draw. Such a card changes nothing: the order
    /// of the others does not depend on it, and the deck runs out when they are drawn.
    pub(super) fn is_idle(&self, class: usize) -> bool {
        matches!(self.fates[class].as_slice(), [Way { end: None, shuffles: false, .. }])
    }

    /// The weight of the effect that another card is drawn and the deck stays as it is.
    pub(super) fn again(&self, class: usize) -> u64 {
        self.fates[class]
            .iter()
            .find(|way| way.end.is_none() && !way.shuffles)
            .map_or(0, |way| way.weight)
    }

    fn weights<W: Whole>(
        &self,
        deck: &Deck,
        pass: impl Fn(&[u32]) -> Option<Pass<W>>,
    ) -> Option<Weights<W>> {
        let left = self.left(deck);
        let first = pass(&left)?;
        if left == self.whole {
            // A reshuffle returns to the same state, so its weight is left out.
            return Some((first.ends, first.of.less(&first.back)?));
        }
        if first.back.is_nothing() {
            return Some((first.ends, first.of));
        }
        let fresh = pass(&self.whole)?;
        let ending = fresh.of.less(&fresh.back)?;
        let mut ways = Vec::with_capacity(first.ends.len());
        for (at_once, later) in first.ends.iter().zip(&fresh.ends) {
            let mut sum = at_once.times(&ending)?;
            sum.add_product(&first.back, later)?;
            ways.push(sum);
        }
        Some((ways, first.of.times(&ending)?))
    }

    /// Draws from these cards until the check ends or the deck is full again. Whether k given cards
    /// all cause another draw does not depend on their order, so no order is enumerated: the weight
    /// for k cards is a coefficient of the product of (1 + weight · x) over all cards.
    fn pass<W: Whole>(&self, left: &[u32]) -> Option<Pass<W>> {
        let classes = || (0..left.len()).filter(|class| left[*class] > 0 && !self.is_idle(*class));
        let cards: u32 = classes().map(|class| left[class]).sum();
        let mut pass =
            Pass { ends: vec![W::of(0); self.outcomes.len()], back: W::of(0), of: W::of(1) };
        if cards == 0 {
            pass.back = W::of(1);
            return Some(pass);
        }
        let mut sets = vec![W::of(1)];
        for class in classes().filter(|class| self.again(*class) > 0) {
            let times = self.again(class);
            for _ in 0..left[class] {
                sets.push(W::of(0));
                for place in (1..sets.len()).rev() {
                    sets[place] = sets[place].plus(&sets[place - 1].scaled(times)?)?;
                }
            }
        }
        let again = sets.len() as u32 - 1;
        let last = again.min(cards - 1);
        // Of all orders of the first `last + 1` cards: those that start with k given cards and a
        // given next card.
        let mut orders = vec![W::of(1); last as usize + 1];
        for k in (0..last).rev() {
            orders[k as usize] =
                orders[k as usize + 1].scaled(u64::from(cards - k - 1).checked_mul(self.over)?)?;
        }
        pass.of = orders[0].scaled(u64::from(cards).checked_mul(self.over)?)?;
        let mut of_k = W::of(1);
        for k in 1..=last {
            of_k = of_k.scaled(u64::from(k))?;
            orders[k as usize] = orders[k as usize].times(&of_k)?;
        }
        if again == cards {
            // Every card caused another draw, in any order.
            pass.back = of_k.scaled(u64::from(cards))?.times(&sets[again as usize])?;
        }
        self.end_by_card(left, &sets, &orders, &mut pass)?;
        Some(pass)
    }

    /// Adds the weight of each class as the card after k cards that caused another draw.
    fn end_by_card<W: Whole>(
        &self,
        left: &[u32],
        sets: &[W],
        orders: &[W],
        pass: &mut Pass<W>,
    ) -> Option<()> {
        let mut plain = W::of(0);
        for (set, order) in sets.iter().zip(orders) {
            plain.add_product(set, order)?;
        }
        for (class, fate) in self
            .fates
            .iter()
            .enumerate()
            .filter(|(class, _)| left[*class] > 0 && !self.is_idle(*class))
        {
            let again = self.again(class);
            let mut reached = plain.clone();
            if again > 0 {
                // The card itself is not among the k, so its factor is divided out.
                let mut without = W::of(1);
                reached = orders[0].clone();
                for (set, order) in sets.iter().zip(orders).skip(1) {
                    without = set.less(&without.scaled(again)?)?;
                    reached.add_product(&without, order)?;
                }
            }
            let reached = reached.scaled(u64::from(left[class]))?;
            for way in fate {
                let place = match (way.end, way.shuffles) {
                    (Some(end), _) => &mut pass.ends[end],
                    (None, true) => &mut pass.back,
                    (None, false) => continue,
                };
                place.add_product(&reached, &W::of(way.weight))?;
            }
        }
        Some(())
    }
}

/// Whether a card's effect depends on nothing but the card: it is drawn alone from the acting
/// side's deck, and nothing counts the cards.
fn is_simple(whole: &Situation<'_>, deck: DeckId) -> bool {
    let mut charts = Vec::new();
    reach(whole.pack(), whole.chart(), false, &mut charts);
    let counts = |chart: &&Chart| {
        chart.other_names.iter().any(|(origin, _)| matches!(origin, NameSource::Deck(..)))
    };
    let alone = |step: &adjutant_pack::Step| match &step.kind {
        StepKind::Draw(draw) => {
            draw.several.is_none()
                && draw.pick.is_none()
                && draw.to == CardGoal::Discard
                && (draw.of.is_none() || !whole.decks.are_several())
        }
        _ => true,
    };
    whole.decks[deck].left() == whole.decks[deck].size()
        && whole.pack().decks()[deck].reshuffles
        && !charts.iter().any(|chart| counts(chart) || !chart.deck_events.is_empty())
        && charts.iter().flat_map(|chart| &chart.steps).all(alone)
}

/// The number of cards in each class.
fn tally(classes: usize, cards: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut counts = vec![0; classes];
    for class in cards {
        if let Some(count) = counts.get_mut(class as usize) {
            *count += 1;
        }
    }
    counts
}

/// The index of an item in a list. Adds the item if it is not there.
fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> usize {
    list.iter().position(|known| *known == wanted).unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    })
}

/// Sorts the effects and merges equal ones.
fn merged(mut fate: Fate) -> Fate {
    adjutant_dice::sort(&mut fate);
    let mut once: Fate = Vec::with_capacity(fate.len());
    for way in fate {
        match once.last_mut().filter(|known| (known.end, known.shuffles) == (way.end, way.shuffles))
        {
            Some(known) => known.weight += way.weight,
            None => once.push(way),
        }
    }
    once
}

/// State while a plan is made.
struct Folding<'a, 'p, K> {
    explorer: Explorer<'a, 'p, K>,
    /// The state of the run at its first draw.
    started: RunState,
    deck: DeckId,
    classes: Vec<u32>,
    runs: usize,
    outcomes: Vec<K>,
    /// The question that is open.
    open: Option<OddsError>,
}

/// An effect of a card with a fractional weight.
struct Part {
    way: Way,
    of: u64,
}

impl<K: Ord + Clone> Folding<'_, '_, K> {
    fn plan(&mut self) -> Option<CardPlan<K>> {
        let kinds = *self.classes.iter().max()? + 1;
        let mut parts = Vec::new();
        for kind in 0..kinds {
            let mut found = Vec::new();
            self.follow(&mut vec![ExploredChoice::Card(kind)], (1, 1), &mut found)?;
            parts.push(found);
        }
        let over = parts.iter().flatten().try_fold(1_u64, |over, part| {
            (over / num_integer::gcd(over, part.of)).checked_mul(part.of)
        })?;
        let mut fates: Vec<Fate> = Vec::new();
        let mut classes = Vec::new();
        for found in parts {
            let scaled =
                |part: Part| Way { weight: part.way.weight * (over / part.of), ..part.way };
            classes
                .push(place_of(&mut fates, merged(found.into_iter().map(scaled).collect())) as u32);
        }
        let class_of: Vec<u32> = self.classes.iter().map(|kind| classes[*kind as usize]).collect();
        let whole = tally(fates.len(), class_of.iter().copied());
        // If no card ends the check, it would never end.
        fates.iter().flatten().find(|way| way.end.is_some())?;
        Some(CardPlan {
            deck: self.deck,
            class_of,
            whole,
            fates,
            outcomes: std::mem::take(&mut self.outcomes),
            over,
        })
    }

    /// Collects all paths from here to an outcome or another draw. `None` if the run needs anything
    /// else.
    fn follow(
        &mut self,
        picks: &mut Vec<ExploredChoice>,
        weight: (u64, u64),
        found: &mut Vec<Part>,
    ) -> Option<()> {
        self.runs += 1;
        if self.runs > MOST_RUNS {
            return None;
        }
        let tried = self.explorer.run(picks).ok()?;
        let size = self.classes.len() as u32;
        let (end, shuffles) = match tried.end {
            Ok(outcome) => {
                let shuffles = tried.decks.get(self.deck)?.left() == size;
                (Some(place_of(&mut self.outcomes, outcome)), shuffles)
            }
            Err(End::Round(standing) | End::Fork(_, Some(standing))) => {
                (None, self.stands_whole(&standing)?)
            }
            Err(End::Fork(ways, None)) => return self.fork(ways, picks, weight, found),
            Err(End::Stop(stop)) => {
                self.open = Some(stop).filter(|stop| matches!(stop, OddsError::Open(_)));
                return None;
            }
        };
        found.push(Part { way: Way { end, shuffles, weight: weight.0 }, of: weight.1 });
        Some(())
    }

    /// Whether the next card comes from the full deck; `None` if it is not the same draw.
    fn stands_whole(&self, standing: &RunState) -> Option<bool> {
        let left = standing.left.iter().sum::<u32>();
        (standing.step == self.started.step && left > 0)
            .then_some(left == self.classes.len() as u32)
    }

    /// Branches on a question to the player by the weight of each answer.
    fn fork(
        &mut self,
        ways: Vec<(ExploredChoice, BigUint)>,
        picks: &mut Vec<ExploredChoice>,
        weight: (u64, u64),
        found: &mut Vec<Part>,
    ) -> Option<()> {
        let parts: Option<Vec<(ExploredChoice, u64)>> = ways
            .into_iter()
            .map(|(pick, ways)| {
                matches!(pick, ExploredChoice::Answer(_))
                    .then_some((pick, u64::try_from(ways).ok()?))
            })
            .collect();
        let parts = parts?;
        let total = parts.iter().try_fold(0_u64, |total, (_, part)| total.checked_add(*part))?;
        for (pick, part) in parts.into_iter().filter(|(_, part)| *part > 0) {
            picks.push(pick);
            let (above, below) = (weight.0.checked_mul(part)?, weight.1.checked_mul(total)?);
            let shared = num_integer::gcd(above, below).max(1);
            self.follow(picks, (above / shared, below / shared), found)?;
            picks.pop();
        }
        Some(())
    }
}
