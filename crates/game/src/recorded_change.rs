//! A change as a log records it: an effect on one unit of the roster or on a memory. New units and
//! reshuffled decks are recorded with the units that appear and with the cards.

use adjutant_dice::{Answer, Text};
use adjutant_engine::{ChangeTerms, NewUnits};
use adjutant_pack::{EffectKind, LOGGED_KINDS, Operation, Terms, Translate};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::convert::Infallible;

/// The terms of a recorded change. A value is text: what it may be is decided by the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogTerms;

impl Terms for LogTerms {
    type Status = Text;
    type Attribute = Text;
    type Memory = Text;
    type Deck = Infallible;
    type Value = String;
    type NewUnits = Infallible;
}

/// One change in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedChange {
    /// What changes.
    pub kind: EffectKind<LogTerms>,
    /// The unit's id; empty if the role has no unit of the roster, or if the change is not about a
    /// unit.
    pub on: String,
}

/// A change as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    on: String,
    what: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl Serialize for RecordedChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = self.kind.written().ok_or_else(|| S::Error::custom("not a change"))?;
        let (kind, what, value) = (written.0.to_owned(), written.1.clone(), written.2.cloned());
        Line { kind, on: self.on.clone(), what, value }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RecordedChange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RecordedChange, D::Error> {
        let Line { kind, on, what, value } = Line::deserialize(deserializer)?;
        if !LOGGED_KINDS.contains(&kind.as_str()) {
            return Err(D::Error::unknown_variant(&kind, LOGGED_KINDS));
        }
        let needs_value = value.is_none();
        let kind = EffectKind::read(&kind, what, value).ok_or_else(|| {
            if needs_value {
                D::Error::missing_field("value")
            } else {
                D::Error::unknown_field("value", &["kind", "on", "what"])
            }
        })?;
        Ok(RecordedChange { kind, on })
    }
}

/// Leads from a resolution to the log.
pub(crate) struct ToLog;

/// A change that is recorded elsewhere.
pub(crate) struct Elsewhere;

impl Translate<ChangeTerms, LogTerms> for ToLog {
    type Fault = Elsewhere;

    fn status(&mut self, status: &Text) -> Result<Text, Elsewhere> {
        Ok(status.clone())
    }

    fn attribute(
        &mut self,
        attribute: &Text,
        _: Operation,
        value: &Answer,
    ) -> Result<(Text, String), Elsewhere> {
        Ok((attribute.clone(), value.to_string()))
    }

    fn memory(
        &mut self,
        memory: &Text,
        _: Operation,
        value: &Answer,
    ) -> Result<(Text, String), Elsewhere> {
        Ok((memory.clone(), value.to_string()))
    }

    fn new_units(&mut self, _: &Box<NewUnits>) -> Result<Infallible, Elsewhere> {
        Err(Elsewhere)
    }

    fn deck(&mut self, _: &Text) -> Result<Infallible, Elsewhere> {
        Err(Elsewhere)
    }
}
