//! The edge between the script and the engine, by hand: JSON text in, JSON text out. Crate `engine` gives it the names by which
//! the browser calls it.

use crate::{App, Command, Message, Now, View, ViewRegion};
use serde::{Deserialize, Serialize};

/// What the script sends.
#[derive(Deserialize)]
struct BridgeInput {
    moment: Now,
    message: Message,
}

/// What it gets.
#[derive(Serialize)]
struct BridgeOutput<'a> {
    title: &'a str,
    theme: &'a str,
    regions: Vec<&'a ViewRegion>,
    commands: &'a [Command],
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// A page and what the script shows of it.
#[derive(Default)]
pub struct Bridge {
    app: App,
    shown: Vec<ViewRegion>,
}

impl Bridge {
    /// One turn of the loop, from text to text. Only regions that changed are in the answer.
    pub fn step(&mut self, text: &str) -> String {
        let read = serde_json::from_str::<BridgeInput>(text);
        let (commands, refused) = match read {
            Ok(read) => (self.app.update(&read.moment, read.message), None),
            Err(fault) => (Vec::new(), Some(fault.to_string())),
        };
        let View { title, theme, regions } = self.app.view();
        let changed = regions.iter().filter(|region| !self.shown.contains(region)).collect();
        let out = BridgeOutput { title: &title, theme: theme.word(), regions: changed, commands: &commands, refused };
        let text = serde_json::to_string(&out).unwrap_or_default();
        self.shown = regions;
        text
    }
}
