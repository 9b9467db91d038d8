//! The boundary between the script and the page: JSON text in, JSON text out. Crate `wasm` exports
//! it to the browser.

use crate::{App, Command, Message, Now, Theme, View, ViewRegion};
use serde::{Deserialize, Serialize};

/// What the script sends.
#[derive(Deserialize)]
struct BridgeInput {
    now: Now,
    message: Message,
}

/// What it gets.
#[derive(Serialize)]
struct BridgeOutput<'a> {
    title: &'a str,
    theme: Theme,
    /// The regions that changed.
    regions: Vec<&'a ViewRegion>,
    commands: &'a [Command],
    /// Whether the message did what it was for. A form whose message was not accepted keeps what
    /// was typed.
    accepted: bool,
    /// Why the message could not be read; a fault of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A page, and what the script shows of it.
#[derive(Default)]
pub struct Bridge {
    app: App,
    shown: Vec<ViewRegion>,
}

impl Bridge {
    /// Sends one message to the page. Only regions that changed are in the answer.
    pub fn step(&mut self, text: &str) -> String {
        let (commands, error) = match serde_json::from_str::<BridgeInput>(text) {
            Ok(input) => (self.app.update(&input.now, input.message), None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let accepted = error.is_none()
            && !commands.iter().any(|command| matches!(command, Command::Reject { .. }));
        let View { title, theme, regions } = self.app.view();
        let changed = regions.iter().filter(|region| !self.shown.contains(region)).collect();
        let output = BridgeOutput {
            title: &title,
            theme,
            regions: changed,
            commands: &commands,
            accepted,
            error,
        };
        let text = serde_json::to_string(&output).unwrap_or_default();
        self.shown = regions;
        text
    }
}
