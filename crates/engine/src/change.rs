//! What a resolution changes. Units, statuses and memories are named by text, so that a resolution
//! can be written, logged and shown without its pack.

use adjutant_dice::{Answer, Text};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// One change. Its JSON has the keys `on`, `all`, `kind`, `what`, `value`, `newcomers` and `says`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A unit gets a status.
    Status {
        /// The affected unit.
        on: Target,
        /// The status's id.
        status: Text,
    },
    /// A unit loses a status.
    Lift {
        /// The affected unit.
        on: Target,
        /// The status's id.
        status: Text,
    },
    /// An attribute of a unit gets a value.
    Set {
        /// The affected unit.
        on: Target,
        /// The attribute's id.
        attribute: Text,
        /// The new value.
        value: Answer,
    },
    /// A number is added to an attribute of a unit.
    Add {
        /// The affected unit.
        on: Target,
        /// The attribute's id.
        attribute: Text,
        /// The number to add; may be negative.
        by: Answer,
    },
    /// A unit leaves the game.
    Leave {
        /// The affected unit.
        on: Target,
        /// The way it leaves, in the pack's words.
        how: Text,
    },
    /// A memory gets a value.
    Remember {
        /// The unit whose side remembers; none for a memory of the whole game.
        on: Option<Target>,
        /// The memory's id.
        memory: Text,
        /// The new value.
        value: Answer,
    },
    /// A number is added to a memory.
    RememberMore {
        /// The unit whose side remembers; none for a memory of the whole game.
        on: Option<Target>,
        /// The memory's id.
        memory: Text,
        /// The number to add.
        by: Answer,
    },
    /// New units join the game.
    Appear(Box<NewUnits>),
    /// All cards go back into a deck.
    Reshuffle {
        /// The deck's id.
        deck: Text,
    },
    /// An instruction to the player.
    Note {
        /// The unit that it is about, if it is about one of a group.
        on: Option<Target>,
        /// The instruction.
        text: Text,
    },
}

/// The unit that a change affects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Its role; one of several units in a role has its name after a dot.
    pub role: Text,
    /// Whether the change also affects all units of its group that take part with it.
    pub all: bool,
    /// Which unit of its group changes instead, counted from 1 in the order of the roster.
    pub nth: Option<u32>,
}

/// Units that join the game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NewUnits {
    /// The id of their unit kind.
    #[serde(skip)]
    pub kind: Text,
    /// The number of units.
    #[serde(skip)]
    pub count: Answer,
    /// The template they are made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Text>,
    /// Attributes that differ from the template.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub has: BTreeMap<Text, Answer>,
    /// The role of the unit at whose position they appear.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<Text>,
    /// Whether they join an enemy of the unit that the chart is about.
    #[serde(skip_serializing_if = "is_false")]
    pub enemy: bool,
}

fn is_false(yes: &bool) -> bool {
    !yes
}

impl NewUnits {
    /// Whether only their kind and number are known.
    fn is_plain(&self) -> bool {
        self.template.is_none() && self.has.is_empty() && self.place.is_none() && !self.enemy
    }

    /// In case notation: `2 × unit appear as enemy (rep = 4) where pef stands`.
    fn says(&self) -> String {
        let template = self.template.as_ref().map(|id| format!(" as {id}")).unwrap_or_default();
        let has: Vec<String> =
            self.has.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let has = if has.is_empty() { String::new() } else { format!(" ({})", has.join(", ")) };
        let place =
            self.place.as_ref().map(|role| format!(" where {role} stands")).unwrap_or_default();
        let enemy = if self.enemy { " on the enemy's side" } else { "" };
        format!("{} × {} appear{template}{has}{place}{enemy}", self.count, self.kind)
    }
}

impl Change {
    /// The unit that the change affects, if any.
    pub fn on(&self) -> Option<&Target> {
        match self {
            Change::Status { on, .. }
            | Change::Lift { on, .. }
            | Change::Set { on, .. }
            | Change::Add { on, .. }
            | Change::Leave { on, .. } => Some(on),
            Change::Remember { on, .. }
            | Change::RememberMore { on, .. }
            | Change::Note { on, .. } => on.as_ref(),
            Change::Appear(_) | Change::Reshuffle { .. } => None,
        }
    }

    /// The affected unit, mutable, so that the caller can rename it.
    pub fn on_mut(&mut self) -> Option<&mut Target> {
        match self {
            Change::Status { on, .. }
            | Change::Lift { on, .. }
            | Change::Set { on, .. }
            | Change::Add { on, .. }
            | Change::Leave { on, .. } => Some(on),
            Change::Remember { on, .. }
            | Change::RememberMore { on, .. }
            | Change::Note { on, .. } => on.as_mut(),
            Change::Appear(_) | Change::Reshuffle { .. } => None,
        }
    }

    /// The change in case notation: `target: rep -1`.
    pub fn says(&self) -> String {
        let text = match self {
            Change::Status { status, .. } => format!("status {status}"),
            Change::Lift { status, .. } => format!("lift {status}"),
            Change::Set { attribute, value, .. } => format!("{attribute} = {value}"),
            Change::Add { attribute, by, .. } => format!("{attribute} {}", signed(by)),
            Change::Leave { how, .. } => format!("leaves ({how})"),
            Change::Remember { memory, value, .. } => format!("remember {memory} = {value}"),
            Change::RememberMore { memory, by, .. } => format!("remember {memory} {}", signed(by)),
            Change::Appear(new) => new.says(),
            Change::Reshuffle { deck } => format!("reshuffle {deck}"),
            Change::Note { text, .. } => text.to_string(),
        };
        match self.on() {
            Some(Target { role, nth: Some(nth), .. }) => {
                format!("{role}, unit {nth} of its group: {text}")
            }
            Some(on) if on.all => format!("{} and all with it: {text}", on.role),
            Some(on) => format!("{}: {text}", on.role),
            None => text,
        }
    }

    /// The JSON keys `kind`, `what` and `value`.
    fn parts(&self) -> (&'static str, &Text, Option<&Answer>) {
        match self {
            Change::Status { status, .. } => ("status", status, None),
            Change::Lift { status, .. } => ("lift", status, None),
            Change::Set { attribute, value, .. } => ("set", attribute, Some(value)),
            Change::Add { attribute, by, .. } => ("add", attribute, Some(by)),
            Change::Leave { how, .. } => ("leaves", how, None),
            Change::Remember { memory, value, .. } => ("remember", memory, Some(value)),
            Change::RememberMore { memory, by, .. } => ("remember_more", memory, Some(by)),
            Change::Appear(new) => ("appear", &new.kind, Some(&new.count)),
            Change::Reshuffle { deck } => ("reshuffle", deck, None),
            Change::Note { text, .. } => ("note", text, None),
        }
    }
}

fn signed(value: &Answer) -> String {
    let value = value.to_string();
    if value.starts_with('-') { value } else { format!("+{value}") }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, what, value) = self.parts();
        let mut written = serializer.serialize_struct("Change", 7)?;
        written.serialize_field("on", &self.on().map(|on| &on.role))?;
        if self.on().is_some_and(|on| on.all) {
            written.serialize_field("all", &true)?;
        }
        if let Some(nth) = self.on().and_then(|on| on.nth) {
            written.serialize_field("nth", &nth)?;
        }
        written.serialize_field("kind", kind)?;
        written.serialize_field("what", what)?;
        written.serialize_field("value", &value)?;
        if let Change::Appear(new) = self
            && !new.is_plain()
        {
            written.serialize_field("newcomers", new)?;
        }
        written.serialize_field("says", &self.says())?;
        written.end()
    }
}
