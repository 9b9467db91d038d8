//! What an event changed. Compared once, when a line is applied, so that no screen compares states.

use crate::state::{HeldPlay, PendingTest, State, Unit};
use adjutant_pack::{AttributeId, DeckId, MemoryId, StatusId, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an event changed in the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The units that changed, in the order of the roster; units that an undo removed are last.
    pub units: Vec<UnitDiff>,
    /// The remembered values that changed, each with the index of its side if it is a side's own.
    pub memory: Vec<(Option<usize>, MemoryId)>,
    /// The decks that changed, each with the index of its side. Shared decks have index 0.
    pub decks: Vec<(usize, DeckId)>,
    /// The tests that became due. A test for several units that only lost some of them stays due
    /// and is in neither list.
    pub pending_added: Vec<Arc<PendingTest>>,
    /// The tests that are no longer due.
    pub pending_removed: Vec<Arc<PendingTest>>,
    /// Whether a play is held back, or no longer.
    pub held: bool,
}

/// What an event changed on a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitDiff {
    /// The unit joined the roster.
    Appeared(Arc<Unit>),
    /// The unit is different.
    Changed(UnitChange),
    /// The unit was removed from the roster: the event that added it was undone.
    Removed(Arc<Unit>),
}

/// A unit before and after an event that changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitChange {
    /// The unit before the event.
    pub before: Arc<Unit>,
    /// The unit after the event.
    pub after: Arc<Unit>,
}

/// An attribute that changed. An unknown value is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// Its place in the unit's kind.
    pub attribute: AttributeId,
    /// The value before the event.
    pub before: Option<Value>,
    /// The value after the event.
    pub after: Option<Value>,
}

impl UnitDiff {
    /// The unit as it is now; a removed unit as it was.
    pub fn unit(&self) -> &Unit {
        match self {
            UnitDiff::Appeared(unit) | UnitDiff::Removed(unit) => unit,
            UnitDiff::Changed(change) => &change.after,
        }
    }
}

impl UnitChange {
    /// The statuses that the unit has now and did not have before.
    pub fn statuses_added(&self) -> impl Iterator<Item = StatusId> {
        missing_in(&self.after.statuses, &self.before.statuses)
    }

    /// The statuses that the unit no longer has.
    pub fn statuses_lifted(&self) -> impl Iterator<Item = StatusId> {
        missing_in(&self.before.statuses, &self.after.statuses)
    }

    /// The attributes that changed.
    pub fn values(&self) -> impl Iterator<Item = ValueChange> {
        let both = self.before.attributes.iter_enumerated().zip(&self.after.attributes);
        both.filter(|((_, before), after)| before != after).map(|((attribute, before), after)| {
            ValueChange { attribute, before: *before, after: *after }
        })
    }

    /// How the unit left the game, if it did so now.
    pub fn left(&self) -> Option<&str> {
        self.after.gone.as_deref().filter(|_| self.before.gone.is_none())
    }

    /// Whether the unit had left and is back.
    pub fn returned(&self) -> bool {
        self.before.gone.is_some() && self.after.gone.is_none()
    }

    /// The index of the unit's new side, if that changed.
    pub fn side(&self) -> Option<usize> {
        Some(self.after.side).filter(|side| *side != self.before.side)
    }

    /// The unit's new group, if that changed; empty if the unit is now alone.
    pub fn group(&self) -> Option<&str> {
        Some(self.after.group.as_str()).filter(|group| *group != self.before.group)
    }
}

impl Changes {
    /// Compares the state after an event with the state before it. Most units are shared by both,
    /// which is seen without comparing them.
    pub(crate) fn between(before: &State, after: &State) -> Changes {
        let held = |state: &State| state.held.iter().map(|held: &Arc<HeldPlay>| held.n).collect();
        let (held_before, held_after): (Vec<u64>, Vec<u64>) = (held(before), held(after));
        Changes {
            units: unit_diffs(&before.units, &after.units),
            memory: differing(before.memory.iter_enumerated(), &after.memory)
                .map(|memory| (None, memory))
                .chain(of_sides(before, after))
                .collect(),
            decks: decks(before, after),
            pending_added: pending_missing_in(&after.pending, &before.pending),
            pending_removed: pending_missing_in(&before.pending, &after.pending),
            held: held_before != held_after,
        }
    }

    /// Whether other tests or held plays are due than before.
    pub fn due(&self) -> bool {
        self.held || !self.pending_added.is_empty() || !self.pending_removed.is_empty()
    }
}

/// A unit keeps its place in the roster, so units are compared place by place.
fn unit_diffs(before: &[Arc<Unit>], after: &[Arc<Unit>]) -> Vec<UnitDiff> {
    let same = before.len().min(after.len());
    let changed = before
        .iter()
        .zip(after)
        .filter(|(before, after)| !Arc::ptr_eq(before, after) && before != after)
        .map(|(before, after)| {
            UnitDiff::Changed(UnitChange { before: before.clone(), after: after.clone() })
        });
    let appeared = after[same..].iter().cloned().map(UnitDiff::Appeared);
    let removed = before[same..].iter().cloned().map(UnitDiff::Removed);
    changed.chain(appeared).chain(removed).collect()
}

fn decks(before: &State, after: &State) -> Vec<(usize, DeckId)> {
    let sides = before.decks.iter().zip(&after.decks).enumerate();
    sides
        .flat_map(|(side, (before, after))| {
            differing(before.iter_enumerated(), after).map(move |deck| (side, deck))
        })
        .collect()
}

/// The places at which two lists differ.
fn differing<'a, I: Copy + 'a, T: PartialEq + 'a>(
    before: impl Iterator<Item = (I, &'a T)>,
    after: impl IntoIterator<Item = &'a T>,
) -> impl Iterator<Item = I> {
    before.zip(after).filter(|((_, before), after)| before != after).map(|((place, _), _)| place)
}

fn missing_in(these: &[StatusId], those: &[StatusId]) -> impl Iterator<Item = StatusId> {
    these.iter().filter(|status| !those.contains(status)).copied()
}

/// The memory of sides that differs.
fn of_sides(before: &State, after: &State) -> impl Iterator<Item = (Option<usize>, MemoryId)> {
    let keys = before.side_memory.keys().chain(after.side_memory.keys());
    let differs =
        |key: &&(usize, MemoryId)| before.side_memory.get(key) != after.side_memory.get(key);
    let keys: BTreeSet<(usize, MemoryId)> = adjutant_dice::set_of(keys.filter(differs).copied());
    keys.into_iter().map(|(side, memory)| (Some(side), memory))
}

fn pending_missing_in(
    these: &[Arc<PendingTest>],
    those: &[Arc<PendingTest>],
) -> Vec<Arc<PendingTest>> {
    let known = |test: &Arc<PendingTest>| those.iter().any(|other| other.due.id == test.due.id);
    these.iter().filter(|test| !known(test)).cloned().collect()
}
