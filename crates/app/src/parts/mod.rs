//! Parts that several screens share: the form of a chart, its odds, what a roll asks of a player,
//! the result with its arithmetic, the printed chart. A part knows neither the screen nor where its
//! state is; it is told how to wrap its messages.

pub mod ask;
pub mod axis;
pub mod chart_table;
pub mod dice;
pub mod field;
pub mod form;
mod grid;
pub mod icon;
pub mod odds;
pub mod plot;
pub mod resolution;
pub mod symbol;
pub mod term;

use crate::message::Message;
use std::collections::BTreeMap;

/// Stands in a message for the typed or chosen value.
pub const VALUE: &str = "$value";
/// Stands in a message for the name of the chosen file.
pub const FILE_NAME: &str = "$name";
/// Stands in a message for the text of the chosen file.
pub const FILE_TEXT: &str = "$text";
/// Stands in a message for the id of what was dragged.
pub const DRAGGED: &str = "$drag";

/// Stands in a message for all fields of the form, by name.
pub fn form_fields() -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    fields.insert("$form".to_owned(), String::new());
    fields
}

/// A message as the text of the attribute `data-do`.
pub fn act(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

/// Wraps the messages of a part as messages of the page.
pub type Wrap<'a, M> = &'a dyn Fn(M) -> Message;
