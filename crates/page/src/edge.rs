//! The edge between the script and the engine, by hand: JSON text in, JSON text out, through one buffer each way. The only
//! code here that the compiler does not vouch for is the naming of four functions for the browser.
//!
//! The script asks for `room` for its message, writes it there and calls `step`; the answer stands at `answer` and is
//! `answer_length` bytes long. A panic leaves its words there as well, for the script to show.

use crate::{App, Command, Message, Moment, View, ViewRegion};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// What the script sends.
#[derive(Deserialize)]
struct In {
    moment: Moment,
    message: Message,
}

/// What it gets.
#[derive(Serialize)]
struct Out<'a> {
    title: &'a str,
    theme: &'a str,
    regions: Vec<&'a ViewRegion>,
    commands: &'a [Command],
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// A page and what the script shows of it.
#[derive(Default)]
pub struct Edge {
    app: App,
    shown: Vec<ViewRegion>,
}

impl Edge {
    /// One turn of the loop, from text to text. Only regions that changed are in the answer.
    pub fn step(&mut self, text: &str) -> String {
        // Through a value: one reader of texts for all messages keeps the engine small.
        let read = serde_json::from_str::<serde_json::Value>(text).and_then(serde_json::from_value::<In>);
        let (commands, refused) = match read {
            Ok(read) => (self.app.update(&read.moment, read.message), None),
            Err(fault) => (Vec::new(), Some(fault.to_string())),
        };
        let View { title, theme, regions } = self.app.view();
        let changed = regions.iter().filter(|region| !self.shown.contains(region)).collect();
        let out = Out { title: &title, theme: theme.word(), regions: changed, commands: &commands, refused };
        let text = serde_json::to_string(&out).unwrap_or_default();
        self.shown = regions;
        text
    }
}

thread_local! {
    static EDGE: RefCell<Edge> = RefCell::default();
    static INWARD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTWARD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The functions that the browser knows by name.
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod names {
    use super::{EDGE, INWARD, OUTWARD};

    /// Room for a message of this many bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn room(length: usize) -> *mut u8 {
        INWARD.with_borrow_mut(|inward| {
            inward.clear();
            inward.resize(length, 0);
            inward.as_mut_ptr()
        })
    }

    /// Takes the message that was written there.
    #[unsafe(no_mangle)]
    pub extern "C" fn step() {
        let text = INWARD.with_borrow_mut(|inward| String::from_utf8_lossy(&std::mem::take(inward)).into_owned());
        let said = EDGE.with_borrow_mut(|edge| edge.step(&text));
        OUTWARD.with_borrow_mut(|outward| *outward = said.into_bytes());
    }

    /// Where the answer stands.
    #[unsafe(no_mangle)]
    pub extern "C" fn answer() -> *const u8 {
        OUTWARD.with_borrow(|outward| outward.as_ptr())
    }

    /// How long it is.
    #[unsafe(no_mangle)]
    pub extern "C" fn answer_length() -> usize {
        OUTWARD.with_borrow(Vec::len)
    }

    /// From now on a panic leaves its words where answers stand.
    #[unsafe(no_mangle)]
    pub extern "C" fn wake() {
        std::panic::set_hook(Box::new(|panic| {
            let words = panic.to_string();
            OUTWARD.with_borrow_mut(|outward| *outward = words.into_bytes());
        }));
    }
}
