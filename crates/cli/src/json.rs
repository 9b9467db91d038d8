//! Packs and accounts as JSON, for scripts and other programs: the same that the server answers with.

use adjutant_dice::Answer;
use adjutant_engine::Resolution;
use serde::Serialize;
use serde_json::{Value as Json, json};

pub use adjutant_server::answer::{chart, fight, fights, listed, pack};

/// JSON on several lines, with a line's end.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}

/// The account of a run that stopped, with why.
pub fn stopped(account: &Resolution, refused: Option<&str>) -> String {
    let mut value = serde_json::to_value(account).unwrap_or_default();
    if let (Json::Object(map), Some(why)) = (&mut value, refused) {
        map.insert("error".into(), json!(why));
    }
    pretty(&value)
}

/// A default, in words.
pub fn default_text(default: Option<&Answer>) -> String {
    default.map_or_else(|| "required".to_owned(), |default| format!("default {default}"))
}
