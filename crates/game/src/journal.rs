//! What an event changed in the state. An undo puts the old values back and a redo the new ones.
//! Neither reads a line nor applies an event again, so a log full of them costs no more than any
//! other log of its length.

use crate::state::{HeldPlay, PendingTest, State, Unit};
use adjutant_dice::{CardPlace, Deck};
use adjutant_pack::{AttributeId, DeckId, MemoryId, OptionId, PhaseId, StatusId, Value};
use std::sync::Arc;

/// A value of the state with an event, or of the state without it, whichever the state is not now.
/// To swap it goes from one to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Swap {
    Option(OptionId, Value),
    Memory(MemoryId, Value),
    SideMemory((usize, MemoryId), Option<Value>),
    /// The cards of a side's deck that were moved.
    Cards(usize, DeckId, Vec<(u32, CardPlace)>),
    /// A unit with another name, side, group or remark.
    Unit(usize, Arc<Unit>),
    Attribute(usize, AttributeId, Option<Value>),
    Statuses(usize, Vec<StatusId>),
    Gone(usize, Option<String>),
    /// The last unit of the roster, while it is not there.
    Joined(Option<Arc<Unit>>),
    Pending(Box<PendingSwap>),
    /// The last play that is held back, while it is not there.
    Held(Option<Arc<HeldPlay>>),
    Landed(Vec<Arc<HeldPlay>>),
    /// The last play that a player allowed, while it is not there.
    Anyway(Option<u64>),
    Turn(bool, u32, PhaseId),
}

/// The pending tests that only one of the two states has, each with its place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingSwap {
    here: Box<[usize]>,
    other: Box<[(usize, PackedTest)]>,
}

/// A pending test as JSON, which takes a tenth of the memory: a long game has used up many tests.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PackedTest {
    due: Box<str>,
    stems: u64,
    despite: bool,
}

impl PackedTest {
    fn pack(test: &PendingTest) -> PackedTest {
        let due = serde_json::to_string(&test.due).unwrap_or_default();
        PackedTest { due: due.into(), stems: test.stems, despite: test.despite }
    }

    /// The test again. What was packed can be read.
    fn unpack(&self) -> Option<Arc<PendingTest>> {
        let due = serde_json::from_str(&self.due).ok()?;
        Some(Arc::new(PendingTest { due, stems: self.stems, despite: self.despite }))
    }
}

/// What the event in progress has changed. Between two events it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Journal {
    swaps: Vec<Swap>,
    /// The pending tests before the event, if it has changed them.
    pending: Option<Vec<Arc<PendingTest>>>,
}

/// What an event changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta(Box<[Swap]>);

impl Delta {
    pub(crate) fn undo(&mut self, state: &mut State) {
        let roster = self.0.iter_mut().rev().fold(false, |roster, swap| swap.run(state) | roster);
        if roster {
            state.note_here();
        }
    }

    pub(crate) fn redo(&mut self, state: &mut State) {
        let roster = self.0.iter_mut().fold(false, |roster, swap| swap.run(state) | roster);
        if roster {
            state.note_here();
        }
    }
}

/// What only an edit by hand changes.
fn about(unit: &Unit) -> (&str, usize, &str, &str) {
    (&unit.name, unit.side, &unit.group, &unit.notes)
}

/// Moves the last item between a list and a place beside it.
fn swap_last<T>(list: &mut Vec<T>, last: &mut Option<T>) {
    match last.take() {
        Some(item) => list.push(item),
        None => *last = list.pop(),
    }
}

impl Swap {
    /// Swaps the values, and says whether other units are on the roster now.
    fn run(&mut self, state: &mut State) -> bool {
        use std::mem::swap;
        #[cfg(test)]
        WORK.set(WORK.get() + 1);
        match self {
            Swap::Option(id, value) => swap(&mut state.options[*id], value),
            Swap::Memory(id, value) => swap(&mut state.memory[*id], value),
            Swap::SideMemory(key, value) => {
                let now = match *value {
                    Some(value) => state.side_memory.insert(*key, value),
                    None => state.side_memory.remove(key),
                };
                *value = now;
            }
            Swap::Cards(side, deck, cards) => {
                let deck = state.decks.get_mut(*side).and_then(|decks| decks.get_mut(*deck));
                let Some(deck) = deck else { return false };
                for (card, place) in cards {
                    let now = deck.place(*card).unwrap_or(*place);
                    // The card was in this deck before.
                    let _ = deck.put(*card, *place);
                    *place = now;
                }
            }
            Swap::Unit(place, unit) => {
                let Some(now) = state.units.get_mut(*place) else { return false };
                let left = now.gone.is_some() != unit.gone.is_some();
                swap(now, unit);
                return left;
            }
            Swap::Attribute(place, attribute, value) => {
                let unit = state.units.get_mut(*place).map(Arc::make_mut);
                let now = unit.and_then(|unit| unit.attributes.get_mut(*attribute));
                now.into_iter().for_each(|now| swap(now, value));
            }
            Swap::Statuses(place, statuses) => {
                let unit = state.units.get_mut(*place).map(Arc::make_mut);
                unit.into_iter().for_each(|unit| swap(&mut unit.statuses, statuses));
            }
            Swap::Gone(place, gone) => {
                let unit = state.units.get_mut(*place).map(Arc::make_mut);
                unit.into_iter().for_each(|unit| swap(&mut unit.gone, gone));
                return true;
            }
            Swap::Joined(unit) => {
                swap_last(&mut state.units, unit);
                return true;
            }
            Swap::Pending(pending) => pending.run(&mut state.pending),
            Swap::Held(held) => swap_last(&mut state.held, held),
            Swap::Landed(held) => swap(&mut state.held, held),
            Swap::Anyway(play) => swap_last(&mut state.anyway, play),
            Swap::Turn(started, turn, phase) => {
                swap(&mut state.started, started);
                swap(&mut state.turn, turn);
                swap(&mut state.phase, phase);
            }
        }
        false
    }
}

impl PendingSwap {
    /// How two lists differ. An event removes, replaces and inserts tests. It never changes their
    /// order.
    fn between(before: &[Arc<PendingTest>], after: &[Arc<PendingTest>]) -> PendingSwap {
        let addresses = |list: &[Arc<PendingTest>]| {
            let mut all: Vec<*const PendingTest> = list.iter().map(Arc::as_ptr).collect();
            adjutant_dice::sort(&mut all);
            all
        };
        let (old, new) = (addresses(before), addresses(after));
        let missing = |all: &[*const PendingTest], test: &Arc<PendingTest>| {
            all.binary_search(&Arc::as_ptr(test)).is_err()
        };
        let only_old = before.iter().enumerate().filter(|(_, test)| missing(&new, test));
        let only_new = after.iter().enumerate().filter(|(_, test)| missing(&old, test));
        PendingSwap {
            here: only_new.map(|(place, _)| place).collect(),
            other: only_old.map(|(place, test)| (place, PackedTest::pack(test))).collect(),
        }
    }

    fn run(&mut self, list: &mut Vec<Arc<PendingTest>>) {
        let mut here = self.here.iter().peekable();
        let (mut taken, mut stay) = (Vec::new(), Vec::with_capacity(list.len()));
        for (place, test) in list.drain(..).enumerate() {
            match here.next_if_eq(&&place) {
                Some(_) => taken.push((place, PackedTest::pack(&test))),
                None => stay.push(test),
            }
        }
        let mut stay = stay.into_iter();
        for (place, test) in &self.other {
            let before = place.saturating_sub(list.len());
            list.extend(stay.by_ref().take(before));
            list.extend(test.unpack());
        }
        list.extend(stay);
        self.here = self.other.iter().map(|(place, _)| *place).collect();
        self.other = taken.into();
    }
}

impl State {
    pub(crate) fn note(&mut self, swap: Swap) {
        self.journal.swaps.push(swap);
    }

    /// Notes the pending tests before they change.
    pub(crate) fn note_pending(&mut self) {
        if self.journal.pending.is_none() {
            self.journal.pending = Some(self.pending.clone());
        }
    }

    pub(crate) fn note_turn(&mut self) {
        self.note(Swap::Turn(self.started, self.turn, self.phase));
    }

    /// Notes the cards of a deck that were elsewhere before.
    pub(crate) fn note_cards(&mut self, side: usize, deck: DeckId, before: &Deck) {
        let Some(now) = self.decks.get(side).and_then(|decks| decks.get(deck)) else { return };
        let moved = (1..=before.size()).filter_map(|card| {
            before
                .place(card)
                .filter(|place| now.place(card) != Some(*place))
                .map(|was| (card, was))
        });
        let moved: Vec<(u32, CardPlace)> = moved.collect();
        if !moved.is_empty() {
            self.note(Swap::Cards(side, deck, moved));
        }
    }

    /// What was noted since this was asked last.
    pub(crate) fn take_noted(&mut self) -> Delta {
        if let Some(before) = self.journal.pending.take() {
            let pending = PendingSwap::between(&before, &self.pending);
            if !(pending.here.is_empty() && pending.other.is_empty()) {
                self.note(Swap::Pending(Box::new(pending)));
            }
        }
        let mut noted = std::mem::take(&mut self.journal.swaps);
        let (mut swaps, mut done) = (Vec::with_capacity(noted.len()), Vec::new());
        for swap in noted.drain(..) {
            match swap {
                // A unit may be noted several times. It was first noted as it was before the event.
                Swap::Unit(place, _) if done.contains(&place) => {}
                Swap::Unit(place, before) => {
                    done.push(place);
                    self.note_unit(place, before, &mut swaps);
                }
                other => swaps.push(other),
            }
        }
        self.journal.swaps = noted;
        Delta(swaps.into())
    }

    /// Notes how a unit has changed.
    fn note_unit(&self, place: usize, before: Arc<Unit>, swaps: &mut Vec<Swap>) {
        let Some(now) = self.units.get(place) else { return };
        if about(&before) != about(now) {
            return swaps.push(Swap::Unit(place, before));
        }
        let values = before.attributes.iter_enumerated();
        let changed = values.filter(|(id, value)| now.attributes.get(*id) != Some(*value));
        swaps.extend(changed.map(|(id, value)| Swap::Attribute(place, id, *value)));
        if before.statuses != now.statuses {
            swaps.push(Swap::Statuses(place, before.statuses.clone()));
        }
        if before.gone != now.gone {
            swaps.push(Swap::Gone(place, before.gone.clone()));
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How many events were applied and how many values swapped by this thread.
    pub(crate) static WORK: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Begin, DueTest, EventKind, NewUnit, UnitEdit};
    use crate::log_line::Stamp;
    use crate::table::Table;

    /// A game with so many large events, and then so many pairs of an undo and a redo of the last.
    fn log(events: usize, pairs: usize) -> (Table, Vec<String>) {
        let files = adjutant_bundled_packs::files("panzer8").unwrap();
        let mut table = Table::empty(Arc::new(adjutant_pack::read_pack(&files, None).unwrap()));
        let stamp = Stamp::new("t", "Anna");
        let put = |table: &mut Table, what: EventKind| {
            let line = table.act(&stamp, what).unwrap();
            table.append(&line.text).unwrap();
        };
        let sides = vec!["Allies".to_owned(), "Axis".to_owned()];
        let begin = Begin { name: "Long".to_owned(), sides, ..Begin::default() };
        put(&mut table, EventKind::Begin(begin));
        let unit = NewUnit {
            kind: "element".to_owned(),
            name: "Rifles".to_owned(),
            side: "Allies".to_owned(),
            ..NewUnit::default()
        };
        for _ in 0..events {
            put(&mut table, EventKind::Add(vec![unit.clone(); 20]));
        }
        for _ in 0..pairs {
            let undo = table.undo_event().unwrap();
            put(&mut table, undo);
            let redo = table.redo_event().unwrap();
            put(&mut table, redo);
        }
        let lines = table.lines().map(str::to_owned).collect();
        (table, lines)
    }

    #[test]
    fn undo_and_redo_lines_cost_what_the_event_changed() {
        let work = |events: usize, pairs: usize| {
            let (table, lines) = log(events, pairs);
            WORK.set(0);
            let opened = Table::open(Arc::clone(&table.pack), &lines).unwrap();
            assert!(opened.state == table.state && opened.state.here().count() == events * 20);
            WORK.get()
        };
        // Each event is applied once, with one swap for each of its units in an undo and a redo.
        for (events, pairs) in [(3, 0), (3, 50), (3, 100), (63, 50), (63, 100)] {
            assert_eq!(work(events, pairs), (events + 2 * 20 * pairs) as u64, "{events} {pairs}");
        }
    }

    #[test]
    fn an_event_that_is_not_accepted_changes_nothing() {
        let (table, _) = log(1, 0);
        let (mut state, setup) = (table.state.clone(), table.started().unwrap());
        let fresh = NewUnit { id: "u21".to_owned(), ..NewUnit::default() };
        let kind = || NewUnit {
            kind: "element".to_owned(),
            name: "A".to_owned(),
            side: "Axis".to_owned(),
            ..fresh.clone()
        };
        // The second unit has the wrong id.
        let mut add = EventKind::Add(vec![kind(), kind()]);
        state.apply(&table.pack, &setup, 3, &mut add).unwrap_err();
        assert!(state == table.state);
        let edit =
            UnitEdit { unit: "u1".to_owned(), name: Some("B".to_owned()), ..UnitEdit::default() };
        let mut delta =
            state.apply(&table.pack, &setup, 3, &mut EventKind::Set(Box::new(edit))).unwrap();
        let after = state.clone();
        delta.undo(&mut state);
        assert!(state == table.state && state != after);
        delta.redo(&mut state);
        assert!(state == after);
    }

    #[test]
    fn pending_tests_come_back_in_their_places() {
        let test =
            |n: u64| Arc::new(PendingTest { due: DueTest::default(), stems: n, despite: false });
        let all: Vec<Arc<PendingTest>> = (0..6).map(test).collect();
        let of = |places: &[usize]| -> Vec<Arc<PendingTest>> {
            places.iter().map(|place| Arc::clone(&all[*place])).collect()
        };
        for (before, after) in [
            (&[0, 1, 2][..], &[][..]),
            (&[], &[0, 1]),
            (&[0, 1, 2, 3], &[4, 1, 3, 5]),
            (&[0, 1, 2], &[3, 0, 1, 4, 2, 5]),
            (&[0, 1], &[0, 1]),
        ] {
            let mut swap = PendingSwap::between(&of(before), &of(after));
            let mut list = of(after);
            for wanted in [before, after, before] {
                swap.run(&mut list);
                assert_eq!(list, of(wanted));
            }
        }
    }
}
