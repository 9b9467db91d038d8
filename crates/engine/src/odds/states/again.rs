//! Rolls and draws that are made again until one counts.
//!
//! Each attempt leads to a state after the step, or to another attempt from a state that may have
//! been met before: a reshuffle leads back to the whole deck. A way back adds nothing, so the rest
//! is weighted without it.

use super::decks::{Left, Seen};
use super::spread::{Mix, Spread, common, one, shared};
use super::{Ended, Halted, Live, Scope, State, States, forget, read_in_step};
use crate::error::NoOdds;
use crate::odds::hands::Hand;
use crate::odds::request::{OddsError, TooMany};
use adjutant_dice::Number;
use adjutant_pack::{
    AgainId, DeckId, Draw, Facet, FieldId, Id, IdVec, NameSource, Slot, Step, StepId, StepKind,
    Value,
};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The most attempts in a row that all lead to new states.
const MOST_ATTEMPTS: usize = 1000;

/// Before an attempt: how often each rule has been used, and the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    held: Vec<u32>,
    state: State,
}

/// Where an attempt leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Again(Node),
    End(State),
}

/// Weights over a total, and how much of it leads back to a node on the way here.
#[derive(Clone)]
struct Weighed {
    ends: BTreeMap<State, BigUint>,
    back: BTreeMap<Node, BigUint>,
    total: BigUint,
}

/// After a card was drawn: the rule that asks for another one, and the state.
pub(super) type Drawn = Spread<(Option<AgainId>, State)>;

/// Cards of a block that lead to the same place.
struct Group {
    /// What tells them from others of the block; none if nothing later depends on it.
    sign: Option<Drawn>,
    drawn: Drawn,
    cards: Vec<u32>,
}

/// Where the cards of one block lead, whatever cards are left.
#[derive(Default)]
pub(super) struct Fan {
    /// The groups of its cards that lead to different places.
    groups: Vec<Group>,
    /// Where nothing later depends on the card: how many cards come to what.
    last: Vec<(usize, Drawn)>,
}

impl Fan {
    fn add(&mut self, sign: Option<Drawn>, drawn: Drawn, cards: Vec<u32>) {
        if sign.is_none() {
            match self.last.iter_mut().find(|(_, known)| *known == drawn) {
                Some((count, _)) => *count += cards.len(),
                None => self.last.push((cards.len(), drawn.clone())),
            }
        }
        match self.groups.iter_mut().find(|group| group.sign == sign) {
            Some(group) => group.cards.extend(cards),
            None => self.groups.push(Group { sign, drawn, cards }),
        }
    }
}

/// The fans of a draw, by its rules used so far and the state before it, without the cards left.
pub(super) type Fans = HashMap<(Scope, StepId), BTreeMap<(Vec<u32>, State), Vec<Option<Rc<Fan>>>>>;

/// A step that is being rolled or drawn.
struct Attempts<'t, 'p> {
    scope: &'t Scope,
    place: StepId,
    step: &'p Step,
    /// The outcomes of one roll; none for a draw.
    hands: Option<&'t Spread<Hand>>,
    /// Which names and decks are read after the step, or by another attempt.
    names: &'t [bool],
    decks_after: Vec<bool>,
    decks_again: Vec<bool>,
    /// The nodes on the way to the present one.
    path: Vec<Node>,
    known: BTreeMap<Node, Rc<Weighed>>,
}

impl<'p> States<'_, 'p> {
    /// All states after a step that is rolled or drawn until no rule sends it back.
    pub(super) fn until_read(
        &mut self,
        scope: &Scope,
        place: StepId,
        state: &State,
        hands: Option<&Spread<Hand>>,
        live: &Live,
    ) -> Result<Spread<State>, Halted> {
        let step = &self.known(scope.chart).steps[place];
        let at = place.index();
        let or = |a: &[bool], b: &[bool]| -> Vec<bool> {
            a.iter().zip(b).map(|(a, b)| *a || *b).collect()
        };
        let decks_after = or(&live.decks[at], &scope.decks);
        let decks_again = or(&live.drawn[at], &decks_after);
        let mut attempts = Attempts {
            scope,
            place,
            step,
            hands,
            names: &live.names[at],
            decks_after,
            decks_again,
            path: Vec::new(),
            known: BTreeMap::new(),
        };
        let start = Node { held: vec![0; step.again.len()], state: state.clone() };
        let found = self.from(&mut attempts, start)?;
        Ok(Spread { parts: found.ends.clone(), total: found.total.clone() })
    }

    /// How it goes from a node.
    fn from(&mut self, attempts: &mut Attempts<'_, 'p>, node: Node) -> Result<Rc<Weighed>, Halted> {
        let mut node = node;
        self.clear(attempts, &mut node.state.values);
        if attempts.path.contains(&node) {
            let back = adjutant_dice::one_entry(node, one());
            return Ok(Rc::new(Weighed { ends: BTreeMap::new(), back, total: one() }));
        }
        if let Some(found) = attempts.known.get(&node)
            && found.back.keys().all(|back| attempts.path.contains(back))
        {
            return Ok(found.clone());
        }
        if attempts.path.len() > MOST_ATTEMPTS {
            let large = TooMany::States.beyond(attempts.path.len(), MOST_ATTEMPTS);
            return Err(large.into());
        }
        let turn = self.attempt(attempts, &node)?;
        self.spend(turn.parts.len() + 1)?;
        attempts.path.push(node.clone());
        let mut parts = Vec::new();
        for (target, weight) in turn.parts {
            let part = match target {
                Target::Again(next) => self.from(attempts, next)?,
                Target::End(state) => Rc::new(Weighed {
                    ends: adjutant_dice::one_entry(state, one()),
                    back: BTreeMap::new(),
                    total: one(),
                }),
            };
            parts.push((weight, part));
        }
        attempts.path.pop();
        let found = together(parts, &node);
        if found.total == BigUint::ZERO {
            let chart = self.known(attempts.scope.chart).title.clone();
            return Err(OddsError::Refused(NoOdds::Endless { chart }).into());
        }
        let found = Rc::new(found);
        attempts.known.insert(node, found.clone());
        Ok(found)
    }

    /// Takes the values of the step's own names: the next attempt sets them.
    fn clear(&self, attempts: &Attempts<'_, '_>, values: &mut [Option<Value>]) {
        let chart = self.known(attempts.scope.chart);
        for (value, name) in values.iter_mut().zip(chart.names.iter()) {
            if matches!(name.origin, NameSource::Step(step, _) | NameSource::Again(step, ..) | NameSource::Face(step, _) if step == attempts.place)
            {
                *value = None;
            }
        }
    }

    /// One roll or draw. Its large frame must not be part of `from`, which calls itself for each
    /// card of a deck.
    #[inline(never)]
    fn attempt(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
    ) -> Result<Spread<Target>, Halted> {
        match (attempts.hands, &attempts.step.kind) {
            (Some(hands), _) => self.roll_once(attempts, node, hands),
            (None, StepKind::Draw(draw)) => self.draw_once(attempts, node, draw),
            _ => Err(Halted::Unfit),
        }
    }

    fn roll_once(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
        hands: &Spread<Hand>,
    ) -> Result<Spread<Target>, Halted> {
        let (step, place) = (attempts.step, attempts.place);
        let held: IdVec<AgainId, u32> = node.held.iter().copied().collect();
        let mut mix = Mix::default();
        for (hand, weight) in &hands.parts {
            let rolled = self.tries(attempts.scope, &node.state, None, &|run| {
                for rule in &step.again {
                    run.set_looked_up(&rule.facets, &crate::run::ChartOutcome::default());
                }
                for (slot, value) in &hand.values {
                    run.set(*slot, *value);
                }
                let times = Number::from(held.iter().sum::<u32>());
                run.set_facet(step, Facet::Again, Value::Number(times));
                let rule = run.again_rule(step, &held)?;
                if let (None, Some(natural)) = (rule, hand.natural) {
                    let mut entry = run.new_roll(step, crate::resolution::RollKind::Dice);
                    let total = run.modify(place, step, natural, &mut entry)?;
                    run.set_facet(step, Facet::Total, Value::Number(total));
                }
                Ok(rule)
            })?;
            mix.add(weight, self.targets(attempts, node, rolled)?);
        }
        Ok(mix.done(&hands.total))
    }

    fn draw_once(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
        draw: &Draw,
    ) -> Result<Spread<Target>, Halted> {
        let deck = draw.deck;
        let at = super::decks::deck_at(deck);
        let mut state = node.state.clone();
        let Some(cards) = state.left[at].as_mut() else { return Err(Halted::Unfit) };
        if cards.is_empty() {
            *cards = self.blocks.full(deck);
        }
        let (cards, weights) = (cards.clone(), cards.weights());
        let fans = self.fans(attempts, node, &state, draw, &weights)?;
        let fans = || (0..).zip(&fans).filter_map(|(block, fan)| Some((block, fan.as_deref()?)));
        let common = (0..weights.len()).fold(1_u64, |common, block| {
            common.lcm(&u64::from(self.blocks.size(deck, block)).max(1))
        });
        let with_left = |drawn: &Drawn, left: &Left| {
            drawn.clone().map(|(rule, after)| (rule, State { left: left.clone(), ..after }))
        };
        let mut mix = Mix::default();
        for (block, fan) in fans().filter(|(block, _)| weights[*block] != BigUint::ZERO) {
            let share = common / u64::from(self.blocks.size(deck, block)).max(1);
            for (count, drawn) in &fan.last {
                let weight = &weights[block] * BigUint::from(*count) * BigUint::from(share);
                mix.add(&weight, self.targets(attempts, node, with_left(drawn, &state.left))?);
            }
        }
        // Blocks that lead to the same place are not told apart.
        let mut alike: Vec<(&Group, Vec<usize>)> = Vec::new();
        for (block, fan) in fans().filter(|(block, _)| weights[*block] != BigUint::ZERO) {
            let Some(group) = fan.groups.first().filter(|group| group.sign.is_some()) else {
                continue;
            };
            match alike.iter_mut().find(|(known, _)| known.sign == group.sign) {
                Some((_, blocks)) => blocks.push(block),
                None => alike.push((group, vec![block])),
            }
        }
        for (group, blocks) in alike {
            for piece in cards.pieces(&blocks) {
                let weight: BigUint = piece.iter().map(|block| &weights[*block]).sum();
                let mut left = state.left.clone();
                left[at] = Some(cards.without(&piece));
                let drawn = with_left(&group.drawn, &left);
                mix.add(&(weight * common), self.targets(attempts, node, drawn)?);
            }
        }
        let total = weights.iter().sum::<BigUint>() * common;
        Ok(mix.done(&total))
    }

    /// Where the cards of each block lead, for the blocks that have a card left at least.
    fn fans(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
        state: &State,
        draw: &Draw,
        weights: &[BigUint],
    ) -> Result<Vec<Option<Rc<Fan>>>, Halted> {
        let step = (attempts.scope.clone(), attempts.place);
        let bare = State { left: Vec::new(), ..state.clone() };
        let from = (node.held.clone(), bare);
        let known = self.fans.get(&step).and_then(|known| known.get(&from));
        let mut fans = known.cloned().unwrap_or_default();
        fans.resize(weights.len(), None);
        let missing = |block: usize| weights[block] != BigUint::ZERO && fans[block].is_none();
        if !(0..weights.len()).any(missing) {
            return Ok(fans);
        }
        let seen = self.seen(attempts, state, draw)?;
        let mut found: BTreeMap<usize, Fan> = BTreeMap::new();
        for class in self.blocks.classes(self.situation.pack(), &seen) {
            let Some(card) = class.cards.first().filter(|_| missing(class.block)) else { continue };
            let drawn = self.drawn(attempts, state, &node.held, draw, *card)?;
            let sign = self.sign(attempts, super::decks::deck_at(draw.deck), &drawn);
            found.entry(class.block).or_default().add(sign, drawn, class.cards);
        }
        self.split(draw.deck, found.values().map(|fan| fan.groups.as_slice()))?;
        for (block, fan) in found {
            fans[block] = Some(Rc::new(fan));
        }
        self.fans.entry(step).or_default().insert(from, fans.clone());
        Ok(fans)
    }

    /// What comes of one card. That does not depend on the cards left, so it is kept.
    fn drawn(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        state: &State,
        held: &[u32],
        draw: &Draw,
        card: u32,
    ) -> Result<Drawn, OddsError> {
        let (step, place) = (attempts.step, attempts.place);
        let bare = State { left: Vec::new(), ..state.clone() };
        let key = (attempts.scope.chart, place, held.to_vec(), bare, card);
        let keeps = attempts.scope.roles.is_none();
        let known = match self.drawn.get(&key).filter(|_| keeps) {
            Some(known) => known.clone(),
            None => {
                let held: IdVec<AgainId, u32> = held.iter().copied().collect();
                let drawn = self.tries(attempts.scope, state, Some((draw.deck, card)), &|run| {
                    run.draw_once(place, step, draw, &held)
                })?;
                let drawn = drawn.map(|(rule, after)| (rule, State { left: Vec::new(), ..after }));
                if keeps {
                    self.drawn.insert(key, drawn.clone());
                }
                drawn
            }
        };
        Ok(known)
    }

    /// Splits the blocks whose cards lead to different places.
    fn split<'g>(
        &mut self,
        deck: DeckId,
        groups: impl Iterator<Item = &'g [Group]>,
    ) -> Result<(), Halted> {
        let mut split = false;
        for groups in groups.filter(|groups| groups.len() > 1) {
            let groups: Vec<Vec<u32>> = groups.iter().map(|group| group.cards.clone()).collect();
            self.blocks.split(deck, &groups);
            split = true;
        }
        if split { Err(Halted::Split) } else { Ok(()) }
    }

    /// What tells a card from others of its block, if the deck is still read: where the run stands
    /// after it.
    fn sign(&self, attempts: &Attempts<'_, 'p>, deck: usize, drawn: &Drawn) -> Option<Drawn> {
        let counts = |rule: &Option<AgainId>| rule.is_some() || attempts.decks_after[deck];
        if !drawn.parts.keys().any(|(rule, _)| counts(rule)) {
            return None;
        }
        Some(drawn.clone().map(|(rule, mut state)| {
            match rule.map(|rule| &attempts.step.again[rule]) {
                None => {
                    let chart = self.known(attempts.scope.chart);
                    forget(chart, &mut state.values, attempts.names);
                }
                Some(rule)
                    if rule.look_up.is_none()
                        && rule.stop.is_none()
                        && rule.ask_again.is_none() =>
                {
                    self.clear(attempts, &mut state.values);
                }
                Some(_) => {}
            }
            (rule, state)
        }))
    }

    /// What this draw can see of a card.
    fn seen(
        &self,
        attempts: &Attempts<'_, 'p>,
        state: &State,
        draw: &Draw,
    ) -> Result<Seen, OddsError> {
        let step = attempts.step;
        let read = |slot: &Slot| attempts.names[slot.index()] || read_in_step(step, *slot);
        let of = |(facet, slot): &(Facet, Slot)| match facet {
            Facet::Field(field) if read(slot) => Some(*field),
            _ => None,
        };
        let fields: Vec<FieldId> = step.facets.iter().filter_map(of).collect();
        let has = |wanted: &[Facet]| {
            step.facets.iter().any(|(facet, slot)| wanted.contains(facet) && read(slot))
        };
        let number = has(&[Facet::Card]);
        let read = match &draw.read {
            Some((field, by)) => {
                let by = match by {
                    Some(by) => {
                        let at = self.at(attempts.scope.chart, &state.values, |run| run.number(by));
                        Some(at?.0)
                    }
                    None => None,
                };
                Some((*field, by, has(&[Facet::Total, Facet::Natural])))
            }
            None => None,
        };
        Ok(Seen { deck: draw.deck, read, fields, number })
    }

    /// Where an attempt leads: to the end of the step, or by a rule to another attempt.
    fn targets(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
        rolled: Drawn,
    ) -> Result<Spread<Target>, Halted> {
        let mut mix = Mix::default();
        for ((rule, state), weight) in rolled.parts {
            let found = match rule {
                None => Spread::sure(self.end(attempts, state)),
                Some(rule) => self.by_rule(attempts, node, rule, state)?,
            };
            mix.add(&weight, found);
        }
        Ok(mix.done(&rolled.total))
    }

    fn end(&self, attempts: &Attempts<'_, '_>, mut state: State) -> Target {
        forget(self.known(attempts.scope.chart), &mut state.values, attempts.names);
        super::decks::forget_decks(&mut state.left, &attempts.decks_after);
        Target::End(state)
    }

    fn by_rule(
        &mut self,
        attempts: &Attempts<'_, 'p>,
        node: &Node,
        rule: AgainId,
        mut state: State,
    ) -> Result<Spread<Target>, Halted> {
        let (step, place) = (attempts.step, attempts.place);
        let again = &step.again[rule];
        let mut held = node.held.clone();
        held[rule.index()] += u32::from(again.at_most.is_some());
        if let (true, StepKind::Draw(draw)) = (again.reshuffle, &step.kind) {
            state.left[super::decks::deck_at(draw.deck)] = Some(self.blocks.full(draw.deck));
        }
        let between = match &again.look_up {
            None => Spread::sure(state),
            Some(look_up) => {
                let (start, _) =
                    self.at(attempts.scope.chart, &state.values, |run| run.look_up_start(look_up))?;
                let value = super::steps::reads_value(&again.facets);
                let (scope, decks) = (attempts.scope, &attempts.decks_again);
                let found = self.look_up(scope, look_up, start, &state.left, value, decks)?;
                let mut parts: BTreeMap<State, BigUint> = BTreeMap::new();
                for (found, weight) in &found.parts {
                    let after =
                        self.after_look_up(scope, &state, &state.values, &again.facets, found)?;
                    *parts.entry(after).or_default() += weight;
                }
                Spread { parts, total: found.total.clone() }
            }
        };
        let mut mix = Mix::default();
        for (state, weight) in between.parts {
            let after = self.tries(attempts.scope, &state, None, &|run| {
                Ok(run.stop_or_ask(place, step, rule)?.map(Ended::from))
            })?;
            let after = after.map(|(ended, mut state)| match ended {
                Some(ended) => self.end(attempts, State { ended: Some(ended), ..state }),
                None => {
                    self.clear(attempts, &mut state.values);
                    Target::Again(Node { held: held.clone(), state })
                }
            });
            mix.add(&weight, after);
        }
        Ok(mix.done(&between.total))
    }
}

/// The parts of an attempt over one common total; what leads back to its own node is left out.
fn together(parts: Vec<(BigUint, Rc<Weighed>)>, node: &Node) -> Weighed {
    let common = common(parts.iter().map(|(_, part)| &part.total));
    let mut whole = Weighed { ends: BTreeMap::new(), back: BTreeMap::new(), total: BigUint::ZERO };
    for (ways, part) in parts {
        let scale = ways * (&common / &part.total);
        whole.total += &scale * &part.total;
        for (end, weight) in &part.ends {
            *whole.ends.entry(end.clone()).or_default() += weight * &scale;
        }
        for (back, weight) in &part.back {
            *whole.back.entry(back.clone()).or_default() += weight * &scale;
        }
    }
    if let Some(weight) = whole.back.remove(node) {
        whole.total -= weight;
    }
    let shared = shared(&whole.total, whole.ends.values().chain(whole.back.values()));
    if shared > one() {
        let weights = whole.ends.values_mut().chain(whole.back.values_mut());
        weights.for_each(|weight| *weight /= &shared);
        whole.total /= shared;
    }
    whole
}
