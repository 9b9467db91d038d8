//! Parts that several screens share: the form of a chart, its odds, what a roll asks of a player,
//! the result with its arithmetic, the printed chart. A part knows neither the screen nor where its
//! state is; it is told how to wrap its messages.

pub mod ask;
pub mod axis;
pub mod chart_table;
pub mod dice;
pub mod field;
pub mod form;
pub mod icon;
pub mod luck;
pub mod odds;
pub mod plot;
pub mod resolution;

use crate::message::Message;
use std::collections::BTreeMap;

/// Stands in a message for what was typed or chosen.
pub const VALUE: &str = "$value";
/// Stands for the name of a file that was chosen.
pub const FILE_NAME: &str = "$name";
/// Stands for its text.
pub const FILE_TEXT: &str = "$text";

/// Stands in a message for all fields of the form that is sent, by name.
pub fn form_fields() -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    fields.insert("$form".to_owned(), String::new());
    fields
}

/// A message as the attribute `data-do` carries it.
pub fn act(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

/// How a part's messages become messages of the page.
pub type Wrap<'a, M> = &'a dyn Fn(M) -> Message;
