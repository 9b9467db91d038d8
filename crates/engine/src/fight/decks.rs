//! Decks in a fight: a drawn card stays out until a reshuffle, also from one check to the next.
//! Cards that have the same effect in every check of the fight are one class, and the number left
//! of each class is part of the state. The checks are found by a first pass over the fight with
//! full decks. A check that draws more than one card, or also rolls dice, always uses a full deck.

use super::rules::{Changes, FightRules, RunKey};
use super::run_effects::RunEffects;
use crate::error::NoOdds;
use crate::odds::{CardPlan, Fate, OddsError};
use adjutant_pack::{DeckId, IdVec};
use num_bigint::BigUint;
use num_integer::Integer;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A check that draws a card: the possible effects of the cards of each class, and what they cause.
pub(super) struct Check {
    pub deck: DeckId,
    fates: Vec<Fate>,
    changes: Vec<RunEffects>,
    /// Cache of draw outcomes, by the cards left.
    known: RefCell<HashMap<Vec<u32>, Rc<Drawn>>>,
    /// Cache of the check's changes, by the cards left.
    drawn: RefCell<HashMap<Vec<u32>, Changes>>,
}

#[derive(Default)]
pub(super) struct Decks {
    pub checks: HashMap<RunKey, Rc<Check>>,
    /// The number of cards of each class in a full deck.
    pub whole: IdVec<DeckId, Vec<u32>>,
}

/// The possible outcomes of a check: a change and the cards left, each with its weight. `None`
/// stands for another draw from the full deck.
type Drawn = (BTreeMap<Option<(usize, Vec<u32>)>, BigUint>, BigUint);

impl FightRules<'_> {
    /// Tracks the decks from now on: all checks met so far keep their drawn cards out. Returns
    /// whether there are any such checks.
    pub fn keep_decks(&mut self) -> Result<bool, OddsError> {
        let mut plans: Vec<(RunKey, CardPlan<RunEffects>)> = Vec::new();
        for key in self.runs.keys() {
            let there = self.chart_situation(key.0, key.1.clone(), &key.2)?;
            if there.deck_in_use().is_none() {
                continue;
            }
            let (pack, fight) = (self.situation.pack, self.fight());
            let kept = |resolution: &crate::Resolution, _: &crate::odds::Besides| {
                RunEffects::of(pack, fight, &pack.charts()[key.0], resolution)
            };
            if let Ok(plan) = CardPlan::keeping(&there, &self.situation.asked, &[], &kept) {
                plans.push((key.clone(), plan));
            }
        }
        // Hash map order varies between runs; the classes must not.
        plans.sort_by(|a, b| a.0.cmp(&b.0));
        let pack = self.situation.pack;
        self.decks.whole = pack.decks().iter().map(|_| Vec::new()).collect();
        for (deck, sheet) in pack.decks().iter_enumerated() {
            let of_deck: Vec<&(RunKey, CardPlan<RunEffects>)> =
                plans.iter().filter(|(_, plan)| plan.deck() == deck).collect();
            if of_deck.is_empty() {
                continue;
            }
            let mut kinds: Vec<Vec<u32>> = Vec::new();
            for card in 0..sheet.cards.len() {
                let kind: Vec<u32> =
                    of_deck.iter().map(|(_, plan)| plan.class_of()[card]).collect();
                let place = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                    kinds.push(kind);
                    self.decks.whole[deck].push(0);
                    kinds.len() - 1
                });
                self.decks.whole[deck][place] += 1;
            }
            for (place, (key, plan)) in of_deck.into_iter().enumerate() {
                let fates = kinds.iter().map(|kind| plan.fate(kind[place]).0.to_vec()).collect();
                self.decks.checks.insert(
                    key.clone(),
                    Rc::new(Check::new(deck, fates, plan.outcomes().to_vec())),
                );
            }
        }
        self.runs.clear();
        Ok(!self.decks.checks.is_empty())
    }
}

impl Check {
    fn new(deck: DeckId, fates: Vec<Fate>, changes: Vec<RunEffects>) -> Check {
        Check { deck, fates, changes, known: RefCell::default(), drawn: RefCell::default() }
    }

    /// What the check may do with these cards left.
    pub fn drawn(&self, left: &[u32], whole: &[u32]) -> Result<Changes, OddsError> {
        if let Some(known) = self.drawn.borrow().get(left) {
            return Ok(known.clone());
        }
        let first = self.from(left, whole);
        let mut ends = first.0.clone();
        if let Some(back) = ends.remove(&None) {
            // A restart has the distribution of a check with the full deck; restarts within it are
            // left out.
            let fresh = self.from(whole, whole);
            let total = &fresh.1 - fresh.0.get(&None).unwrap_or(&BigUint::ZERO);
            if total == BigUint::ZERO {
                return Err(OddsError::Refused(NoOdds::EndlessCards));
            }
            ends.values_mut().for_each(|weight| *weight *= &total);
            for (end, weight) in fresh.0.iter().filter(|(end, _)| end.is_some()) {
                *ends.entry(end.clone()).or_default() += weight * &back;
            }
        }
        let shared = ends.values().fold(BigUint::ZERO, |shared, weight| shared.gcd(weight));
        let ends = ends.into_iter().filter_map(|(end, weight)| {
            let (change, left) = end?;
            let change =
                RunEffects { cards: Some((self.deck, left)), ..self.changes[change].clone() };
            Some((weight / &shared, change))
        });
        let changes: Changes = Rc::new(ends.collect());
        self.drawn.borrow_mut().insert(left.to_vec(), changes.clone());
        Ok(changes)
    }

    /// Draws from these cards until the check ends or the deck is whole again.
    fn from(&self, left: &[u32], whole: &[u32]) -> Rc<Drawn> {
        if let Some(found) = self.known.borrow().get(left) {
            return found.clone();
        }
        let one = BigUint::from(1_u32);
        let just = |end| Rc::new((adjutant_dice::one_entry(end, one.clone()), one.clone()));
        if left.iter().all(|count| *count == 0) {
            return just(None);
        }
        let mut parts: Vec<(BigUint, Rc<Drawn>)> = Vec::new();
        for class in (0..left.len()).filter(|class| left[*class] > 0) {
            let mut after = left.to_vec();
            after[class] -= 1;
            for way in &self.fates[class] {
                let to = match (way.end, way.shuffles) {
                    (Some(end), true) => just(Some((end, whole.to_vec()))),
                    (Some(end), false) => just(Some((end, after.clone()))),
                    (None, true) => just(None),
                    (None, false) => self.from(&after, whole),
                };
                parts.push((BigUint::from(left[class]) * way.weight, to));
            }
        }
        let common = parts.iter().fold(one.clone(), |common, (_, to)| common.lcm(&to.1));
        let mut found: Drawn = (BTreeMap::new(), BigUint::ZERO);
        for (weight, to) in parts {
            let scale = weight * (&common / &to.1);
            found.1 += &scale * &to.1;
            for (end, weight) in &to.0 {
                *found.0.entry(end.clone()).or_default() += weight * &scale;
            }
        }
        let found = Rc::new(found);
        self.known.borrow_mut().insert(left.to_vec(), found.clone());
        found
    }
}
