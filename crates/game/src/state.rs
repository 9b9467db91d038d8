//! The state of a game: the fold of the events that count. An undo can revert all of it, so it is
//! cheap to copy: copies share units and pending tests.

use crate::event::{Begin, DueTest};
use crate::journal::{Journal, Swap};
use crate::recorded_change::RecordedChange;
use crate::rejection::{Rejection, SetupRejection, UnitRejection, ValueError, ValueFault, unknown};
use adjutant_dice::{Accepts, Answer, Deck, Number};
use adjutant_pack::{
    AttributeId, DeckId, Field, IdVec, KindId, MemoryId, Noun, Operation, OptionId, Pack, PhaseId,
    StatusId, Value, clip_to,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of units in a game.
pub const MOST_UNITS: usize = 2000;

/// A unit on the roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The unit's id: `u1`, `u2` ….
    pub id: String,
    /// The unit's kind.
    pub kind: KindId,
    /// The name that players see.
    pub name: String,
    /// The index of the unit's side.
    pub side: usize,
    /// The group, stack or hex; empty if the unit is alone.
    pub group: String,
    /// The attributes, in the order of the kind. An unknown attribute is `None`.
    pub attributes: IdVec<AttributeId, Option<Value>>,
    /// The statuses, oldest first.
    pub statuses: Vec<StatusId>,
    /// A remark for the players.
    pub notes: String,
    /// How the unit left the game, for example “destroyed”. `None` while it is in the game.
    pub gone: Option<String>,
}

impl Unit {
    /// The value of an attribute or status, by id. An unknown attribute has the pack's default.
    pub fn facet(&self, pack: &Pack, id: &str) -> Option<Value> {
        if let Some(place) = pack.kinds()[self.kind].has.position(|field| field.id == id) {
            return self.attribute(pack, place);
        }
        let status = pack.status_id(id)?;
        Some(Value::YesNo(self.statuses.contains(&status)))
    }

    /// The value of an attribute, by its place in the kind. An unknown attribute has the pack's
    /// default.
    pub fn attribute(&self, pack: &Pack, place: AttributeId) -> Option<Value> {
        let known = self.attributes.get(place).copied().flatten();
        known.or_else(|| pack.kinds()[self.kind].has.get(place).and_then(|field| field.start))
    }

    /// Whether both units have the same side and group. A unit without a group is only with itself.
    pub fn is_with(&self, other: &Unit) -> bool {
        self.id == other.id
            || (!self.group.is_empty() && self.side == other.side && self.group == other.group)
    }
}

/// A test that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingTest {
    /// The chart, the units and the known inputs.
    pub due: DueTest,
    /// The event that caused the test.
    pub stems: u64,
    /// Whether it is rolled although a status rules its unit out, because the result that made it
    /// due at once set that status.
    pub despite: bool,
}

/// A play whose effects wait for other simultaneous attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPlay {
    /// The play's event.
    pub n: u64,
    /// The changes that will be applied.
    pub effects: Vec<RecordedChange>,
    /// The tests that will become due.
    pub next: Vec<DueTest>,
    /// Whether the player allowed it although a status ruled it out.
    pub(crate) anyway: bool,
}

/// The state of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The options, in the order of the pack.
    pub options: IdVec<OptionId, Value>,
    /// The values that the game remembers, in the order of the pack.
    pub memory: IdVec<MemoryId, Value>,
    /// What the game remembers for a side, where it differs from the start.
    pub side_memory: BTreeMap<(usize, MemoryId), Value>,
    /// The decks, in the order of the pack: one list for all, or one for each side.
    pub decks: Vec<IdVec<DeckId, Deck>>,
    /// The units: `u1` first. Units that have left stay in the list, marked.
    pub units: Vec<Arc<Unit>>,
    /// The places of the units that have not left, in order. In a long game most units have left.
    pub(crate) here: Vec<u32>,
    /// The tests that are due, in order.
    pub pending: Vec<Arc<PendingTest>>,
    /// Plays whose effects are held back.
    pub held: Vec<Arc<HeldPlay>>,
    /// The events that players allowed although a status ruled them out.
    pub anyway: Vec<u64>,
    /// Whether the game has started, with the tests that were due then.
    pub started: bool,
    /// The current turn, from 1.
    pub turn: u32,
    /// The current phase.
    pub phase: PhaseId,
    /// What the event in progress has changed.
    pub(crate) journal: Journal,
}

impl State {
    /// The state of a new game.
    pub(crate) fn start(pack: &Pack, begin: &Begin) -> Result<State, Rejection> {
        let start = |start: &Option<Value>| start.unwrap_or(Value::YesNo(false));
        let cards = |deck: &adjutant_pack::DeckSheet| match deck.user {
            // The log must fold where the cards are not at hand.
            Some(_) => begin.user_decks.get(deck.id.as_str()).map_or(0, |record| record.cards),
            None => deck.cards.len() as u32,
        };
        let decks: IdVec<DeckId, Deck> =
            pack.decks().iter().map(|deck| Deck::full(cards(deck))).collect();
        let mut state = State {
            options: pack.options().iter().map(|option| start(&option.field.start)).collect(),
            memory: pack.memory().iter().map(|memory| start(&memory.start)).collect(),
            decks: vec![decks; if begin.has_own_decks(pack) { begin.sides.len() } else { 1 }],
            turn: 1,
            ..State::default()
        };
        for (name, text) in &begin.options {
            state.set_option(pack, name, text)?;
        }
        state.take_noted();
        state.phase =
            pack.phases().ids().find(|phase| state.is_open(pack, *phase)).unwrap_or(PhaseId::FIRST);
        Ok(state)
    }

    /// The unit with this id.
    pub fn unit(&self, id: &str) -> Option<&Unit> {
        self.place(id).map(|place| self.units[place].as_ref())
    }

    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        let place = id.strip_prefix('u')?.parse::<usize>().ok()?.checked_sub(1)?;
        self.units.get(place).filter(|unit| unit.id == id).map(|_| place)
    }

    /// The units that have not left.
    pub fn here(&self) -> impl Iterator<Item = &Unit> {
        self.here.iter().filter_map(|place| self.units.get(*place as usize)).map(AsRef::as_ref)
    }

    /// Adds a unit to the roster.
    pub(crate) fn join(&mut self, unit: Unit) {
        self.here.push(self.units.len() as u32);
        self.units.push(Arc::new(unit));
        self.note(Swap::Joined(None));
    }

    /// Finds the units that have not left.
    pub(crate) fn note_here(&mut self) {
        let here = (0..).zip(&self.units).filter(|(_, unit)| unit.gone.is_none());
        self.here = here.map(|(place, _)| place).collect();
    }

    /// Updates `here` after units have left.
    pub(crate) fn note_left(&mut self) {
        let units = &self.units;
        self.here
            .retain(|place| units.get(*place as usize).is_some_and(|unit| unit.gone.is_none()));
    }

    /// What the game remembers for a side.
    pub fn memory_of(&self, pack: &Pack, side: usize, memory: MemoryId) -> Option<Value> {
        let start = || pack.memory().get(memory).and_then(|field| field.start);
        self.side_memory.get(&(side, memory)).copied().or_else(start)
    }

    /// The decks that a side draws from, in the order of the pack.
    pub fn decks_of(&self, side: usize) -> &IdVec<DeckId, Deck> {
        static NONE: IdVec<DeckId, Deck> = IdVec::new();
        self.decks.get(side).or(self.decks.first()).unwrap_or(&NONE)
    }

    pub(crate) fn unit_mut(&mut self, id: &str) -> Result<&mut Unit, Rejection> {
        let place = self.place(id).ok_or_else(|| no_unit(id))?;
        self.note(Swap::Unit(place, Arc::clone(&self.units[place])));
        Ok(Arc::make_mut(&mut self.units[place]))
    }

    pub(crate) fn set_option(
        &mut self,
        pack: &Pack,
        name: &str,
        text: &str,
    ) -> Result<(), Rejection> {
        let known = || pack.options().iter().map(|option| option.field.id.as_str());
        let Some(place) = pack.option_id(name) else {
            return Err(unknown(Noun::Option, name, known()));
        };
        let value = read_field(pack, &pack.options()[place].field, text)?;
        let before = std::mem::replace(&mut self.options[place], value);
        self.note(Swap::Option(place, before));
        Ok(())
    }

    /// Sets what the game remembers, by hand.
    pub(crate) fn set_memory(
        &mut self,
        pack: &Pack,
        name: &str,
        text: &str,
    ) -> Result<(), Rejection> {
        let memory = memory_id(pack, name)?;
        if pack.is_per_side(memory) {
            return Err(SetupRejection::MemoryOfSides { name: name.into() }.into());
        }
        self.change_memory(pack, (name, ""), Operation::Set, text)
    }
}

fn memory_id(pack: &Pack, name: &str) -> Result<MemoryId, Rejection> {
    let known = || pack.memory().iter().map(|memory| memory.id.as_str());
    pack.memory_id(name).ok_or_else(|| unknown(Noun::Memory, name, known()))
}

impl State {
    /// Sets what the game remembers for a side, by hand.
    pub(crate) fn set_memory_of(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        (name, side): (&str, &str),
        text: &str,
    ) -> Result<(), Rejection> {
        let memory = memory_id(pack, name)?;
        if !pack.is_per_side(memory) {
            return Err(SetupRejection::MemoryOfGame { name: name.into() }.into());
        }
        let Some(place) = setup.sides.iter().position(|known| known == side) else {
            return Err(unknown(Noun::Side, side, setup.sides.iter().map(String::as_str)));
        };
        if let Some(value) = changed(pack, &pack.memory()[memory], None, Operation::Set, text)? {
            self.side_memory.insert((place, memory), value);
        }
        Ok(())
    }

    /// Sets or adds to what the game remembers, for the side of a unit if each side has its own.
    pub(crate) fn change_memory(
        &mut self,
        pack: &Pack,
        (name, unit): (&str, &str),
        operation: Operation,
        text: &str,
    ) -> Result<(), Rejection> {
        let memory = memory_id(pack, name)?;
        let field = &pack.memory()[memory];
        if !pack.is_per_side(memory) {
            let known = Some(self.memory[memory]);
            if let Some(value) = changed(pack, field, known, operation, text)? {
                let before = std::mem::replace(&mut self.memory[memory], value);
                self.note(Swap::Memory(memory, before));
            }
            return Ok(());
        }
        // Without a unit of the roster there is no side.
        if unit.is_empty() {
            return Ok(());
        }
        let side = self.unit(unit).ok_or_else(|| no_unit(unit))?.side;
        let known = self.memory_of(pack, side, memory);
        if let Some(value) = changed(pack, field, known, operation, text)? {
            let before = self.side_memory.insert((side, memory), value);
            self.note(Swap::SideMemory((side, memory), before));
        }
        Ok(())
    }
}

/// The rejection for an unknown unit.
pub(crate) fn no_unit(id: &str) -> Rejection {
    Rejection::Unit(UnitRejection::Unknown { id: clip_to(id, 20) })
}

fn value_error(field: &Field, fault: ValueFault) -> ValueError {
    ValueError { field: field.id.clone(), fault }
}

/// Parses a text as a value of a field.
pub(crate) fn read_field(pack: &Pack, field: &Field, text: &str) -> Result<Value, ValueError> {
    let answer = field
        .accepts
        .read(text)
        .map_err(|error| value_error(field, ValueFault::NotAccepted(Box::new(error))))?;
    Value::from_answer(&answer, pack.words())
        .ok_or_else(|| value_error(field, ValueFault::NotAWord))
}

/// A value after a change, clamped to what the field accepts. `None` if there is no number to add to.
pub(crate) fn changed(
    pack: &Pack,
    field: &Field,
    known: Option<Value>,
    operation: Operation,
    text: &str,
) -> Result<Option<Value>, ValueError> {
    if !matches!(field.accepts, Accepts::Number { .. }) {
        return read_field(pack, field, text).map(Some);
    }
    let number: Number = text
        .parse()
        .map_err(|error| value_error(field, ValueFault::NotANumber { text: text.into(), error }))?;
    let before = match known {
        Some(Value::Number(before)) => before,
        Some(_) if !operation.replaces() => return Ok(None),
        _ => Number::ZERO,
    };
    operation
        .applied(before, number, &field.accepts)
        .map(|number| Some(Value::Number(number)))
        .map_err(|error| value_error(field, ValueFault::Arithmetic(error)))
}

/// Writes a value as text that can be parsed again.
pub(crate) fn written(pack: &Pack, value: Value) -> String {
    match value.to_answer(pack.words()) {
        Answer::Choice(word) => word.to_string(),
        other => other.to_string(),
    }
}
