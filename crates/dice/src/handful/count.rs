//! Counts the ways of a walk. Dice are only added, so a group is counted in place from the last
//! state to the first.

use super::HandfulError;
use super::examples::Trace;
use super::power::MOST_PRODUCTS;
use super::walk::{Walk, WalkSlot};
use super::weight::{Weight, binomials};

/// The weights of a walk under way.
pub(super) struct Counting<'w, W> {
    walk: &'w Walk<'w>,
    /// The sums of each state.
    pub weights: Vec<W>,
    /// Which cells of a state may hold something.
    used: Vec<(u32, u32)>,
    binomials: Vec<Vec<W>>,
    pub trace: Option<Trace>,
    work: u64,
    cost: u64,
}

/// The state from which dice are placed, and the dice of this group so far.
struct Placing<'w> {
    from: usize,
    /// The first state with the same dice placed.
    base: usize,
    /// The situations that one, two, three … dice of this group lead to.
    next: &'w [u32],
    /// Dice of each part.
    placed: Vec<u32>,
    /// Dice before this group.
    before: u32,
    /// Dice of each slot.
    chosen: Vec<u32>,
}

/// Where the dice of a group lead to.
#[derive(Clone)]
struct Laid<W> {
    state: usize,
    shown: u32,
    shift: i64,
    ways: W,
}

impl<'w, W: Weight> Counting<'w, W> {
    pub fn new(walk: &'w Walk<'w>, examples: bool, bits: u64) -> Counting<'w, W> {
        let cost = W::cost(bits);
        let size = walk.states * walk.cells;
        let mut weights = vec![W::default(); size];
        let mut used = vec![(0, 0); walk.states];
        let origin = walk.plan.layout.origin as u32;
        weights[origin as usize] = W::one();
        used[0] = (origin, origin + 1);
        let most = walk.most.iter().max().map_or(0, |most| *most as usize);
        let trace = examples.then(|| Trace::new(size));
        Counting { walk, weights, used, binomials: binomials(most), trace, work: 0, cost }
    }

    pub fn group(&mut self, group: usize) -> Result<(), HandfulError> {
        let walk = self.walk;
        let slots = &walk.groups[group];
        let ways: Vec<Vec<Vec<W>>> = slots.iter().map(|slot| self.ways(slot)).collect();
        let (placed, chosen) = (vec![0; walk.parts.len()], vec![0; slots.len()]);
        let mut placing = Placing { from: 0, base: 0, next: &[], placed, before: 0, chosen };
        for state in (0..walk.states).rev() {
            if self.used[state].0 == self.used[state].1 {
                continue;
            }
            placing.from = state;
            let mut rest = state;
            for (placed, stride) in placing.placed.iter_mut().zip(&walk.strides) {
                *placed = (rest / stride) as u32;
                rest %= stride;
            }
            (placing.base, placing.next) = (state - rest, walk.situations.next(group, rest));
            placing.before = placing.placed.iter().sum();
            let none = Laid { state: 0, shown: 0, shift: 0, ways: W::one() };
            self.lay(group, 0, &mut placing, &ways, &none);
            if self.work > MOST_PRODUCTS {
                return Err(HandfulError::TooLarge { cells: self.work.into() });
            }
        }
        Ok(())
    }

    /// In how many ways dice of a slot join those of its part, by dice placed and dice to join.
    fn ways(&self, slot: &WalkSlot) -> Vec<Vec<W>> {
        let weight = W::widened(&self.walk.parts[slot.part].terms[slot.term].weight);
        let most = self.walk.most[slot.part] as usize;
        let mut powers = vec![W::one()];
        for at in 0..most {
            powers.push(powers[at].times(&weight));
        }
        let row = |placed: usize| {
            let joins = |more: usize| self.binomials[placed + more][more].times(&powers[more]);
            (0..=most - placed).map(joins).collect()
        };
        (0..=most).map(row).collect()
    }

    /// Chooses how many dice show each slot of a group, then adds the state to the one it leads to.
    fn lay(
        &mut self,
        group: usize,
        at: usize,
        placing: &mut Placing<'_>,
        ways: &[Vec<Vec<W>>],
        laid: &Laid<W>,
    ) {
        let walk = self.walk;
        let slots = &walk.groups[group];
        let slot = &slots[at];
        let last = at + 1 == slots.len();
        let start = placing.placed[slot.part];
        let mut next = laid.clone();
        let (stride, ways_here) = (walk.strides[slot.part], &ways[at][start as usize]);
        let room = walk.room(slot.part, &placing.placed);
        // If the number of dice is certain, the last slot of a part takes all that are left.
        let least = if slot.last && walk.plan.certain { room } else { 0 };
        for dice in least..=room {
            if dice > 0 {
                let kept = walk.kept(placing.before + laid.shown, dice);
                next.shown = laid.shown + dice;
                next.shift = laid.shift + slot.kept * i64::from(kept) + slot.all * i64::from(dice);
                next.state = laid.state + dice as usize * stride;
                let more = &ways_here[dice as usize];
                next.ways = if at == 0 { more.clone() } else { laid.ways.times(more) };
            }
            placing.chosen[at] = dice;
            if !last {
                placing.placed[slot.part] = start + dice;
                self.lay(group, at + 1, placing, ways, &next);
                placing.placed[slot.part] = start;
            } else if next.shown > 0 {
                self.step(group, placing, &next);
            }
        }
    }

    fn step(&mut self, group: usize, placing: &Placing<'_>, laid: &Laid<W>) {
        let (walk, from) = (self.walk, placing.from);
        let next = placing.next.get(laid.shown as usize - 1).map_or(0, |next| *next as usize);
        let to = placing.base + laid.state + next;
        let (low, high) = self.used[from];
        self.work += (u64::from(high - low) + 1) * self.cost;
        let (source, target) = self.weights.split_at_mut(to * walk.cells);
        let start = from * walk.cells;
        let source = &source[start + low as usize..start + high as usize];
        let moved = (i64::from(low) + laid.shift) as usize;
        let target = &mut target[moved..moved + source.len()];
        if let Some(trace) = &mut self.trace {
            let reached = |at: usize| !source[at].is_zero();
            let first = (start + low as usize, to * walk.cells + moved);
            trace.add(group, &placing.chosen, first, source.len(), reached);
        }
        for (sum, weight) in target.iter_mut().zip(source) {
            sum.add_product(weight, &laid.ways);
        }
        let (low, high) = (moved as u32, (moved + source.len()) as u32);
        let used = &mut self.used[to];
        *used = if used.0 == used.1 { (low, high) } else { (used.0.min(low), used.1.max(high)) };
    }
}
