//! The state of a game: the fold of the events that count. An undo can take back all of it, so it
//! is cheap to copy: copies share units and pending tests.

use crate::event::{Begin, DueTest, RecordedChange};
use crate::rejection::{Noun, Rejection, UnitRejection, ValueError, ValueFault, clipped, unknown};
use adjutant_dice::{Accepts, Answer, Deck, Number};
use adjutant_pack::{AttributeId, DeckId, Field, IdVec, KindId, MemoryId, OptionId, Pack, PhaseId, StatusId, Value};
use std::sync::Arc;

/// How many units a table takes.
pub const MOST_UNITS: usize = 2000;

/// A unit on the roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: KindId,
    /// Its name.
    pub name: String,
    /// Its side, by its place in the table's sides.
    pub side: usize,
    /// Its group, stack or hex; empty if it stands alone.
    pub group: String,
    /// Its attributes, in the order of its kind, as far as they are known.
    pub attributes: IdVec<AttributeId, Option<Value>>,
    /// Its statuses, in the order in which they came.
    pub statuses: Vec<StatusId>,
    /// A remark.
    pub notes: String,
    /// The word with which it left the game.
    pub gone: Option<String>,
}

impl Unit {
    /// An attribute or status by its id; an attribute that nobody has said is what the pack takes it for.
    pub fn facet(&self, pack: &Pack, id: &str) -> Option<Value> {
        if let Some(place) = pack.kinds()[self.kind].has.position(|field| field.id == id) {
            return self.attribute(pack, place);
        }
        let status = pack.status_id(id)?;
        Some(Value::YesNo(self.statuses.contains(&status)))
    }

    /// An attribute by its place in the kind; one that was not said is what the pack takes it for.
    pub fn attribute(&self, pack: &Pack, place: AttributeId) -> Option<Value> {
        let known = self.attributes.get(place).copied().flatten();
        known.or_else(|| pack.kinds()[self.kind].has.get(place).and_then(|field| field.start))
    }

    /// Whether another unit stands with it: the same side and the same group. Units without a group stand alone.
    pub fn is_with(&self, other: &Unit) -> bool {
        self.id == other.id || (!self.group.is_empty() && self.side == other.side && self.group == other.group)
    }
}

/// A test that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingTest {
    /// What and for whom.
    pub due: DueTest,
    /// The event it stems from.
    pub stems: u64,
    /// Whether it is thrown although a status rules its unit out: the result that calls for it at once put that status on.
    pub despite: bool,
}

/// A play whose effects wait for those declared together with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPlay {
    /// Its event.
    pub n: u64,
    /// What it will change.
    pub effects: Vec<RecordedChange>,
    /// The tests that it will let fall due.
    pub next: Vec<DueTest>,
    /// Whether it was allowed although a status ruled it out.
    pub(crate) anyway: bool,
}

/// Where a game stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The options, in the order of the pack.
    pub options: IdVec<OptionId, Value>,
    /// What the table remembers, in the order of the pack.
    pub memory: IdVec<MemoryId, Value>,
    /// The decks, in the order of the pack: once, or once for each side that has its own.
    pub decks: Vec<IdVec<DeckId, Deck>>,
    /// The units: u1 first; those that have left stay, marked.
    pub units: Vec<Arc<Unit>>,
    /// The places of those that have not left, in order: in a long game most have.
    pub(crate) here: Vec<u32>,
    /// The tests that are due, in order.
    pub pending: Vec<Arc<PendingTest>>,
    /// Plays whose effects have not landed yet.
    pub held: Vec<Arc<HeldPlay>>,
    /// The events that players allowed although a status ruled them out.
    pub anyway: Vec<u64>,
    /// Whether the game was begun, with what was due then.
    pub started: bool,
    /// The turn, from 1.
    pub turn: u32,
    /// The phase.
    pub phase: PhaseId,
}

impl State {
    /// As a table begins.
    pub(crate) fn start(pack: &Pack, begin: &Begin) -> Result<State, Rejection> {
        let start = |start: &Option<Value>| start.unwrap_or(Value::YesNo(false));
        let decks: IdVec<DeckId, Deck> = pack.decks().iter().map(|deck| Deck::full(deck.cards.len() as u32)).collect();
        let mut state = State {
            options: pack.options().iter().map(|option| start(&option.field.start)).collect(),
            memory: pack.memory().iter().map(|memory| start(&memory.start)).collect(),
            decks: vec![decks; if begin.decks.is_shared() { 1 } else { begin.sides.len() }],
            turn: 1,
            ..State::default()
        };
        for (name, text) in &begin.options {
            state.set_option(pack, name, text)?;
        }
        state.phase = pack.phases().ids().find(|phase| state.is_open(pack, *phase)).unwrap_or(PhaseId::FIRST);
        Ok(state)
    }

    /// The unit of this id.
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

    /// Puts a unit on the roster.
    pub(crate) fn join(&mut self, unit: Unit) {
        self.here.push(self.units.len() as u32);
        self.units.push(Arc::new(unit));
    }

    /// Notes who has left among those that were here.
    pub(crate) fn note_left(&mut self) {
        let units = &self.units;
        self.here.retain(|place| units.get(*place as usize).is_some_and(|unit| unit.gone.is_none()));
    }

    /// The decks that a side draws from, in the order of the pack.
    pub fn decks_of(&self, side: usize) -> &IdVec<DeckId, Deck> {
        static NONE: IdVec<DeckId, Deck> = IdVec::new();
        self.decks.get(side).or(self.decks.first()).unwrap_or(&NONE)
    }

    pub(crate) fn unit_mut(&mut self, id: &str) -> Result<&mut Unit, Rejection> {
        match self.place(id).and_then(|place| self.units.get_mut(place)) {
            Some(unit) => Ok(Arc::make_mut(unit)),
            None => Err(no_unit(id)),
        }
    }

    pub(crate) fn set_option(&mut self, pack: &Pack, name: &str, text: &str) -> Result<(), Rejection> {
        let known = || pack.options().iter().map(|option| option.field.id.as_str());
        let Some(place) = pack.option_id(name) else {
            return Err(unknown(Noun::Option, name, known()));
        };
        self.options[place] = read_field(pack, &pack.options()[place].field, text)?;
        Ok(())
    }

    pub(crate) fn set_memory(&mut self, pack: &Pack, name: &str, text: &str, more: bool) -> Result<(), Rejection> {
        let Some(place) = pack.memory_id(name) else {
            return Err(unknown(Noun::Memory, name, pack.memory().iter().map(|memory| memory.id.as_str())));
        };
        let base = if more { Some(self.memory[place]) } else { None };
        if let Some(value) = within(pack, &pack.memory()[place], base, text)? {
            self.memory[place] = value;
        }
        Ok(())
    }
}

/// That there is no such unit.
pub(crate) fn no_unit(id: &str) -> Rejection {
    Rejection::Unit(UnitRejection::Unknown { id: clipped(id, 20) })
}

fn value_error(field: &Field, fault: ValueFault) -> ValueError {
    ValueError { field: field.id.clone(), fault }
}

/// A text as a value of a field.
pub(crate) fn read_field(pack: &Pack, field: &Field, text: &str) -> Result<Value, ValueError> {
    let answer = field.accepts.read(text).map_err(|error| value_error(field, ValueFault::NotAccepted(Box::new(error))))?;
    Value::from_answer(&answer, pack.words()).ok_or_else(|| value_error(field, ValueFault::NotAWord))
}

/// A new value, or an old one grown, within what the field accepts: a sheet may say “one worse” of the worst
/// there is. None where there is nothing to add to.
pub(crate) fn within(pack: &Pack, field: &Field, base: Option<Value>, text: &str) -> Result<Option<Value>, ValueError> {
    let Accepts::Number { from, to, .. } = &field.accepts else { return read_field(pack, field, text).map(Some) };
    let number: Number = text.parse().map_err(|error| value_error(field, ValueFault::NotANumber { text: text.into(), error }))?;
    let sum = match base {
        None => number,
        Some(Value::Number(base)) => base.plus(number).map_err(|error| value_error(field, ValueFault::Arithmetic(error)))?,
        Some(_) => return Ok(None),
    };
    Ok(Some(Value::Number(sum.max(*from).min(*to))))
}

/// A value as a text that can be read again.
pub(crate) fn written(pack: &Pack, value: Value) -> String {
    match value.to_answer(pack.words()) {
        Answer::Choice(word) => word.to_string(),
        other => other.to_string(),
    }
}
