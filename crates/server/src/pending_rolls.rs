//! Rolls that wait for an answer. A die that was rolled stays rolled, so the recorded inputs are
//! stored beside the log, durable and shared by all servers, until the roll is finished. A player
//! who does not like the dice cannot roll others, not even by restarting the server.

use crate::error::ApiError;
use crate::live_table::LiveTable;
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_game::{Event, EventKind, PlayRequest, Table, UnitsByRole, Values};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What a player wants thrown, as it is sent and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RollRequest {
    pub chart: String,
    #[serde(deserialize_with = "one_or_many")]
    pub who: UnitsByRole,
    #[serde(deserialize_with = "texts")]
    pub given: Values,
    pub pending: Option<String>,
    pub side: Option<String>,
    pub deck_of: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub anyway: bool,
}

impl RollRequest {
    pub fn with(&self, came: Vec<RecordedInput>) -> PlayRequest {
        let RollRequest { chart, who, given, pending, side, deck_of, anyway } = self.clone();
        PlayRequest { chart, who, given, pending, side, deck_of, anyway, came }
    }
}

/// Values as players write them; programs may send numbers and true or false.
pub(crate) fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Values, D::Error> {
    let all = BTreeMap::<String, Json>::deserialize(from)?;
    all.into_iter().map(|(name, value)| Ok((name, text(&value).map_err(serde::de::Error::custom)?))).collect()
}

fn text(value: &Json) -> Result<String, &'static str> {
    match value {
        Json::String(text) => Ok(text.clone()),
        Json::Bool(yes) => Ok(if *yes { "yes" } else { "no" }.to_owned()),
        Json::Number(number) => Ok(number.to_string()),
        _ => Err("a value is a text, a number, true or false"),
    }
}

fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<UnitsByRole, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Units {
        One(String),
        Many(Vec<String>),
    }
    let all = BTreeMap::<String, Units>::deserialize(from)?;
    let list = |units| match units {
        Units::One(unit) => vec![unit],
        Units::Many(units) => units,
    };
    Ok(all.into_iter().map(|(role, units)| (role, list(units))).collect())
}

/// A throw that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingRoll {
    pub ticket: String,
    /// The last event when it stopped.
    pub after: u64,
    pub wish: RollRequest,
    pub came: Vec<RecordedInput>,
    pub own_dice: bool,
    pub own_cards: bool,
}

impl PendingRoll {
    /// Whether luck has entered, so that there is no way back.
    pub fn has_luck(&self) -> bool {
        self.came.iter().any(|heard| !heard.is_answer())
    }

    /// Takes back what the player gave last: an answer, or dice or a card of his own. What the server threw stays; then nothing is taken back.
    pub fn take_back(&mut self) -> bool {
        self.came.pop_if(|heard| heard.by() == ThrownBy::Player).is_some()
    }

    /// Whether it stands in the log already: the server ended before it could be forgotten.
    fn is_done(&self, table: &Table, by: &str) -> bool {
        let skip = usize::try_from(self.after).unwrap_or(usize::MAX);
        let events = table.lines().skip(skip).filter_map(|line| serde_json::from_str::<Event>(line).ok());
        events
            .filter(|event| event.by == by)
            .any(|event| matches!(&event.what, EventKind::Play(played) if played.came.starts_with(&self.came)))
    }
}

fn kept_as(name: &str) -> String {
    format!("throw/{name}")
}

/// The throw of somebody that waits, and the version of what is kept of it. Blocks.
pub(crate) fn waiting(live: &LiveTable, table: &Table, name: &str) -> Result<(Option<PendingRoll>, u64), ApiError> {
    let kept = live.text(&kept_as(name))?;
    let waiting: Option<PendingRoll> = if kept.text.is_empty() { None } else { serde_json::from_str(&kept.text).ok() };
    Ok((waiting.filter(|waiting| !waiting.has_luck() || !waiting.is_done(table, name)), kept.version))
}

/// Keeps, or forgets, the throw of somebody. Blocks.
pub(crate) fn keep(live: &LiveTable, name: &str, seen: u64, waiting: Option<&PendingRoll>) -> Result<(), ApiError> {
    let text = waiting.map(|waiting| serde_json::to_string(waiting).unwrap_or_default()).unwrap_or_default();
    match live.put_text(&kept_as(name), seen, &text)? {
        true => Ok(()),
        false => Err(ApiError::moved_on(live.last())),
    }
}
