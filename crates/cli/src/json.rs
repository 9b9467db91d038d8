//! Writes JSON for scripts and other programs. The types are those of `adjutant_api`, as in the
//! server's answers.

use serde::Serialize;

/// JSON on several lines, with a line's end.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}
