//! Charts that were rolled outside a game.

use adjutant_engine::Resolution;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A roll that stopped, as far as it came. Its `needs` say what is missing.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StoppedRoll<'r> {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Resolution"))]
    #[serde(flatten)]
    pub resolution: &'r Resolution,
    /// Why it cannot go on, if nothing is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
