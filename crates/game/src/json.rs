//! One door for reading JSON into types. On a server and in the command a text is read straight into its type, which is fast. The
//! engine in the browser reads every text into a value first and the value into the type: each type then has one reader instead of
//! two (messages come as values anyway), which makes the engine much smaller, and what it reads there is short.

use serde::de::DeserializeOwned;

/// Reads a text.
#[cfg(not(target_arch = "wasm32"))]
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

/// Reads a text.
#[cfg(target_arch = "wasm32")]
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    value(text).and_then(serde_json::from_value)
}

/// The one reader of texts in the browser.
#[cfg(target_arch = "wasm32")]
#[inline(never)]
fn value(text: &str) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_str(text)
}
