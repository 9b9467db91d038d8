//! The kinds of effect, listed once. An effect is written four times on its way: in a pack's text,
//! in a checked rule, in a resolution and in a log. The four differ only in their [`Terms`]: how they
//! name a status or a memory, and whether a value is a formula or a number. [`Translate`] leads from
//! one to the next.
//!
//! Callers ask an effect about itself (which status, which value, which formulas) and match on its
//! kind only to say it in words. So a new kind is added here, in `format` and `raw`, and in `wording`.

use crate::expr::Formula;
use crate::ids::{DeckId, MemoryId, RoleId, StatusId};
use crate::turn::Newcomers;
use adjutant_dice::{Accepts, Number, NumberError, Text};
use std::iter;

/// How an effect names what it changes, and what its values are.
pub trait Terms {
    /// A status.
    type Status;
    /// An attribute of the unit.
    type Attribute;
    /// A memory.
    type Memory;
    /// A deck.
    type Deck;
    /// A new value, or a number to add.
    type Value;
    /// Units that join the game.
    type NewUnits;
}

/// The terms of a rule in a checked pack: ids and formulas.
#[derive(Clone, Copy, Debug)]
pub struct RuleTerms;

impl Terms for RuleTerms {
    type Status = StatusId;
    type Attribute = Text;
    type Memory = MemoryId;
    type Deck = DeckId;
    type Value = Formula;
    type NewUnits = Box<Newcomers>;
}

/// What an effect does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind<T: Terms = RuleTerms> {
    /// Adds a status.
    Status(T::Status),
    /// Removes a status.
    Lift(T::Status),
    /// Sets an attribute.
    Set(T::Attribute, T::Value),
    /// Adds to an attribute, within its limits.
    Add(T::Attribute, T::Value),
    /// Removes the unit from the game. The text says how.
    Leaves(Text),
    /// Sets a value that the game remembers.
    Remember(T::Memory, T::Value),
    /// Adds to a value that the game remembers.
    RememberMore(T::Memory, T::Value),
    /// Adds new units.
    Appear(T::NewUnits),
    /// Reshuffles a deck.
    Reshuffle(T::Deck),
    /// Tells the player what to do.
    Note(Text),
}

/// How a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// It becomes the value of the effect.
    Set,
    /// The number of the effect is added.
    Add,
}

impl Operation {
    /// Whether the value before makes no difference.
    pub fn replaces(self) -> bool {
        self == Operation::Set
    }

    /// The number after a change, within what is accepted: a sheet may say “one worse” of the worst
    /// value.
    pub fn applied(
        self,
        known: Number,
        operand: Number,
        accepts: &Accepts,
    ) -> Result<Number, NumberError> {
        let changed = match self {
            Operation::Set => operand,
            Operation::Add => known.plus(operand)?,
        };
        Ok(match accepts {
            Accepts::Number { from, to, .. } => changed.max(*from).min(*to),
            _ => changed,
        })
    }
}

/// Leads from the terms of one stage to those of the next.
pub trait Translate<A: Terms, B: Terms> {
    /// Why an effect has no counterpart.
    type Fault;
    /// Names a status.
    fn status(&mut self, status: &A::Status) -> Result<B::Status, Self::Fault>;
    /// Names an attribute and gives its value or the number to add.
    fn attribute(
        &mut self,
        attribute: &A::Attribute,
        operation: Operation,
        value: &A::Value,
    ) -> Result<(B::Attribute, B::Value), Self::Fault>;
    /// Names a memory and gives its value or the number to add.
    fn memory(
        &mut self,
        memory: &A::Memory,
        operation: Operation,
        value: &A::Value,
    ) -> Result<(B::Memory, B::Value), Self::Fault>;
    /// Describes new units.
    fn new_units(&mut self, new: &A::NewUnits) -> Result<B::NewUnits, Self::Fault>;
    /// Names a deck.
    fn deck(&mut self, deck: &A::Deck) -> Result<B::Deck, Self::Fault>;
}

impl<T: Terms> EffectKind<T> {
    /// The same effect in other terms.
    pub fn translate<U: Terms, X: Translate<T, U>>(
        &self,
        by: &mut X,
    ) -> Result<EffectKind<U>, X::Fault> {
        Ok(match self {
            EffectKind::Status(status) => EffectKind::Status(by.status(status)?),
            EffectKind::Lift(status) => EffectKind::Lift(by.status(status)?),
            EffectKind::Set(attribute, to) => {
                let (attribute, to) = by.attribute(attribute, Operation::Set, to)?;
                EffectKind::Set(attribute, to)
            }
            EffectKind::Add(attribute, more) => {
                let (attribute, more) = by.attribute(attribute, Operation::Add, more)?;
                EffectKind::Add(attribute, more)
            }
            EffectKind::Leaves(how) => EffectKind::Leaves(how.clone()),
            EffectKind::Remember(memory, to) => {
                let (memory, to) = by.memory(memory, Operation::Set, to)?;
                EffectKind::Remember(memory, to)
            }
            EffectKind::RememberMore(memory, more) => {
                let (memory, more) = by.memory(memory, Operation::Add, more)?;
                EffectKind::RememberMore(memory, more)
            }
            EffectKind::Appear(new) => EffectKind::Appear(by.new_units(new)?),
            EffectKind::Reshuffle(deck) => EffectKind::Reshuffle(by.deck(deck)?),
            EffectKind::Note(text) => EffectKind::Note(text.clone()),
        })
    }

    /// The status that the unit gets (true) or loses.
    pub fn status(&self) -> Option<(&T::Status, bool)> {
        match self {
            EffectKind::Status(status) => Some((status, true)),
            EffectKind::Lift(status) => Some((status, false)),
            _ => None,
        }
    }

    /// The status that the unit gets.
    pub fn gives(&self) -> Option<&T::Status> {
        self.status().filter(|(_, on)| *on).map(|(status, _)| status)
    }

    /// The status that the unit loses.
    pub fn lifts(&self) -> Option<&T::Status> {
        self.status().filter(|(_, on)| !*on).map(|(status, _)| status)
    }

    /// The attribute that changes.
    pub fn attribute(&self) -> Option<(&T::Attribute, Operation, &T::Value)> {
        match self {
            EffectKind::Set(attribute, to) => Some((attribute, Operation::Set, to)),
            EffectKind::Add(attribute, by) => Some((attribute, Operation::Add, by)),
            _ => None,
        }
    }

    /// The attribute that changes, so that the caller can name another.
    pub fn attribute_mut(&mut self) -> Option<&mut T::Attribute> {
        match self {
            EffectKind::Set(attribute, _) | EffectKind::Add(attribute, _) => Some(attribute),
            _ => None,
        }
    }

    /// The way in which the unit leaves the game.
    pub fn leaves(&self) -> Option<&Text> {
        match self {
            EffectKind::Leaves(how) => Some(how),
            _ => None,
        }
    }

    /// The memory that changes.
    pub fn memory(&self) -> Option<(&T::Memory, Operation, &T::Value)> {
        match self {
            EffectKind::Remember(memory, to) => Some((memory, Operation::Set, to)),
            EffectKind::RememberMore(memory, by) => Some((memory, Operation::Add, by)),
            _ => None,
        }
    }

    /// The units that join the game.
    pub fn new_units(&self) -> Option<&T::NewUnits> {
        match self {
            EffectKind::Appear(new) => Some(new),
            _ => None,
        }
    }

    /// The deck that is reshuffled.
    pub fn reshuffled(&self) -> Option<&T::Deck> {
        match self {
            EffectKind::Reshuffle(deck) => Some(deck),
            _ => None,
        }
    }

    /// The instruction to the player.
    pub fn note(&self) -> Option<&Text> {
        match self {
            EffectKind::Note(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it changes a unit, so that it needs one.
    pub fn is_on_unit(&self) -> bool {
        self.status().is_some() || self.attribute().is_some() || self.leaves().is_some()
    }

    /// How an attribute or a memory changes, and the new value or the number to add.
    pub fn change(&self) -> Option<(Operation, &T::Value)> {
        let attribute = self.attribute().map(|(_, operation, value)| (operation, value));
        attribute.or_else(|| self.memory().map(|(_, operation, value)| (operation, value)))
    }
}

/// The kinds that a log names, as they are written.
pub const LOGGED_KINDS: &[&str] =
    &["status", "lift", "set", "add", "leaves", "remember", "remember_more", "note"];

impl<T: Terms<Status = Text, Attribute = Text, Memory = Text>> EffectKind<T> {
    /// Its kind as written in a log and in JSON, what it is about, and its value. None for new units
    /// and a reshuffle, which have no single name and value.
    pub fn written(&self) -> Option<(&'static str, &Text, Option<&T::Value>)> {
        Some(match self {
            EffectKind::Status(status) => ("status", status, None),
            EffectKind::Lift(status) => ("lift", status, None),
            EffectKind::Set(attribute, to) => ("set", attribute, Some(to)),
            EffectKind::Add(attribute, by) => ("add", attribute, Some(by)),
            EffectKind::Leaves(how) => ("leaves", how, None),
            EffectKind::Remember(memory, to) => ("remember", memory, Some(to)),
            EffectKind::RememberMore(memory, by) => ("remember_more", memory, Some(by)),
            EffectKind::Note(text) => ("note", text, None),
            EffectKind::Appear(_) | EffectKind::Reshuffle(_) => return None,
        })
    }

    /// Reads what [`EffectKind::written`] gives. None if the kind is unknown, or has a value that it
    /// cannot have or lacks one.
    pub fn read(kind: &str, what: Text, value: Option<T::Value>) -> Option<EffectKind<T>> {
        Some(match (kind, value) {
            ("status", None) => EffectKind::Status(what),
            ("lift", None) => EffectKind::Lift(what),
            ("set", Some(to)) => EffectKind::Set(what, to),
            ("add", Some(by)) => EffectKind::Add(what, by),
            ("leaves", None) => EffectKind::Leaves(what),
            ("remember", Some(to)) => EffectKind::Remember(what, to),
            ("remember_more", Some(by)) => EffectKind::RememberMore(what, by),
            ("note", None) => EffectKind::Note(what),
            _ => return None,
        })
    }
}

impl EffectKind {
    /// The formulas of its values.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let of_new = self.new_units().into_iter();
        let of_new = of_new.flat_map(|new| {
            new.has.iter().map(|(_, formula)| formula).chain(iter::once(&new.count))
        });
        self.change().map(|(_, value)| value).into_iter().chain(of_new)
    }
}

/// A change that a result makes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EffectRule {
    /// What changes.
    pub kind: EffectKind,
    /// The condition; `None` means always.
    pub when: Option<Formula>,
    /// The role whose unit changes.
    pub on: Option<RoleId>,
    /// Whether it also applies to the other units of the same group that take part.
    pub all: bool,
    /// The number of the unit that it applies to instead: the units of the group are counted from
    /// 1, in the order of the roster.
    pub nth: Option<Formula>,
    /// The author's words for the whole effect. Empty if there are none.
    pub text: Text,
}

impl EffectRule {
    /// The formulas that it reads once its condition holds.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.nth.iter().chain(self.kind.formulas())
    }

    /// The roles whose units it is about.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> {
        let place = self.kind.new_units().and_then(|new| new.place);
        self.on.into_iter().chain(place)
    }
}
