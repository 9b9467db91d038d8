//! What a resolution changes. Units, statuses and memories are named by text, so that a resolution
//! can be written, logged and shown without its pack.

use adjutant_dice::{Answer, Text};
use adjutant_pack::{EffectKind, Terms};
use serde::ser::{Error, SerializeStruct};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The terms of a change: all is named by text, and values are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeTerms;

impl Terms for ChangeTerms {
    type Status = Text;
    type Attribute = Text;
    type Memory = Text;
    type Deck = Text;
    type Value = Answer;
    type NewUnits = Box<NewUnits>;
}

/// What a change does.
pub type ChangeKind = EffectKind<ChangeTerms>;

/// One change. Its JSON has the keys `on`, `all`, `kind`, `what`, `value`, `newcomers` and `says`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// What changes.
    pub kind: ChangeKind,
    /// The affected unit; the unit whose side remembers; the one of a group that a note is about.
    pub on: Option<Target>,
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
    /// The change in case notation: `target: rep -1`.
    pub fn says(&self) -> String {
        let text = match &self.kind {
            EffectKind::Status(status) => format!("status {status}"),
            EffectKind::Lift(status) => format!("lift {status}"),
            EffectKind::Set(attribute, value) => format!("{attribute} = {value}"),
            EffectKind::Add(attribute, by) => format!("{attribute} {}", signed(by)),
            EffectKind::Leaves(how) => format!("leaves ({how})"),
            EffectKind::Remember(memory, value) => format!("remember {memory} = {value}"),
            EffectKind::RememberMore(memory, by) => format!("remember {memory} {}", signed(by)),
            EffectKind::Appear(new) => new.says(),
            EffectKind::Reshuffle(deck) => format!("reshuffle {deck}"),
            EffectKind::Note(text) => text.to_string(),
        };
        match &self.on {
            Some(Target { role, nth: Some(nth), .. }) => {
                format!("{role}, unit {nth} of its group: {text}")
            }
            Some(on) if on.all => format!("{} and all with it: {text}", on.role),
            Some(on) => format!("{}: {text}", on.role),
            None => text,
        }
    }
}

fn signed(value: &Answer) -> String {
    let value = value.to_string();
    if value.starts_with('-') { value } else { format!("+{value}") }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, what, value) = match &self.kind {
            EffectKind::Appear(new) => ("appear", &new.kind, Some(&new.count)),
            EffectKind::Reshuffle(deck) => ("reshuffle", deck, None),
            kind => kind.written().ok_or_else(|| S::Error::custom("not a change"))?,
        };
        let on = self.on.as_ref();
        let mut written = serializer.serialize_struct("Change", 7)?;
        written.serialize_field("on", &on.map(|on| &on.role))?;
        if on.is_some_and(|on| on.all) {
            written.serialize_field("all", &true)?;
        }
        if let Some(nth) = on.and_then(|on| on.nth) {
            written.serialize_field("nth", &nth)?;
        }
        written.serialize_field("kind", kind)?;
        written.serialize_field("what", what)?;
        written.serialize_field("value", &value)?;
        if let Some(new) = self.kind.new_units().filter(|new| !new.is_plain()) {
            written.serialize_field("newcomers", new)?;
        }
        written.serialize_field("says", &self.says())?;
        written.end()
    }
}
