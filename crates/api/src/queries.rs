//! What a program asks of one pack: the requests of the Python and JavaScript libraries. The HTTP
//! API takes the [`ChartQuery`] inside them.

use crate::ChartQuery;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// One request, such as `{"odds": {"pack": "panzer8", "chart": "rally"}}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackRequest {
    Roll(ChartQuery),
    Odds(ChartQuery),
    /// What each modifier that does not apply would change.
    Modifiers(ChartQuery),
    Times(TimesQuery),
    Vary(VaryQuery),
    /// The same as a picture; without an input that varies, a picture of the odds.
    Plot(VaryQuery),
    Fight(FightQuery),
    Sim(SimQuery),
    Show(ShowQuery),
    Draw(DrawQuery),
}

/// Several checks one after another.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimesQuery {
    pub query: ChartQuery,
    pub times: u32,
}

/// Chances over one or two inputs of a chart or a fight.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VaryQuery {
    pub query: ChartQuery,
    pub over: Vec<AxisQuery>,
    /// Of a fight.
    #[serde(default)]
    pub limits: FightLimitsQuery,
}

/// An input and the values it goes through.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisQuery {
    pub input: String,
    /// The values, or one text such as `1..8` or `yes,no`.
    #[serde(deserialize_with = "one_or_many")]
    pub values: Vec<String>,
}

/// A fight, and what it may cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightQuery {
    pub query: ChartQuery,
    #[serde(default)]
    pub limits: FightLimitsQuery,
}

/// What a fight may cost. Beyond that it is simulated.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightLimitsQuery {
    /// How often to simulate a fight that is too large for exact odds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Time limit for exact odds, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<f64>,
    /// Approximate memory limit, in MB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_memory: Option<u64>,
}

/// A chart or a fight, sampled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimQuery {
    pub query: ChartQuery,
    pub samples: u64,
}

/// The pack, or one of its charts or fights.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowQuery {
    /// A chart or a fight; the whole pack without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Cards from a deck.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawQuery {
    pub deck: String,
    pub count: u32,
    /// Cards that are out of the deck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A value as players write it, or a list of them; programs may also send numbers, true and false.
pub(crate) fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let given = match Json::deserialize(from)? {
        Json::Array(list) => list,
        one => vec![one],
    };
    given
        .into_iter()
        .map(crate::requests::text)
        .collect::<Result<_, _>>()
        .map_err(serde::de::Error::custom)
}
