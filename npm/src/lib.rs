//! The boundary to JavaScript: JSON text in each direction. The script writes its message into
//! [`memory`] and calls `call`; the answer is there as well. `adjutant.js` around it makes objects
//! and errors of the answers.
#![cfg(target_arch = "wasm32")]
#![allow(unsafe_code)]

#[path = "../../crates/wasm/src/memory.rs"]
mod memory;

use adjutant_dice::RandomInput;
use adjutant_engine::Stop;
use adjutant_pack::Files;
use adjutant_query::{Clock, Library, Luck, PackSource, Work};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

#[link(wasm_import_module = "adjutant")]
unsafe extern "C" {
    /// The time in milliseconds since some moment.
    safe fn now() -> f64;
}

thread_local! {
    static PACKS: RefCell<Vec<Option<Library>>> = const { RefCell::new(Vec::new()) };
}

/// A message of the script.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Message {
    /// Loads a pack. The answer is its number.
    Load { source: PackSource, tables: Option<String> },
    /// Asks something of a pack.
    Ask { pack: usize, request: String, luck: [u8; 32] },
    /// The pack as the text of a bundle.
    Bundle { pack: usize },
    /// A pack is no longer needed.
    Free { pack: usize },
    /// Everything that is wrong with the files of a pack.
    Check { files: BTreeMap<String, String> },
    /// The ids of the packs that come with Adjutant.
    Ids {},
}

fn handle(message: Message) -> String {
    match message {
        Message::Load { source, tables } => match adjutant_query::load(source, tables) {
            Ok(library) => PACKS.with_borrow_mut(|packs| {
                packs.push(Some(library));
                format!("{{\"ok\":{}}}", packs.len() - 1)
            }),
            Err(error) => serde_json::json!({ "fault": error.data() }).to_string(),
        },
        Message::Ask { pack, request, luck } => of_pack(pack, |library| {
            let clock = Clock::new(|| Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default());
            let luck = Luck::new(move || Ok(RandomInput::from_bytes(luck)));
            library.ask(&request, &Work::new(Stop::default(), clock, luck))
        }),
        Message::Bundle { pack } => of_pack(pack, Library::bundle),
        Message::Free { pack } => PACKS.with_borrow_mut(|packs| {
            if let Some(place) = packs.get_mut(pack) {
                *place = None;
            }
            "{\"ok\":null}".to_owned()
        }),
        Message::Check { files } => {
            format!("{{\"ok\":{}}}", adjutant_query::check_json(&Files::of(files)))
        }
        Message::Ids {} => serde_json::json!({ "ok": adjutant_bundled_packs::IDS }).to_string(),
    }
}

fn of_pack(pack: usize, answer: impl FnOnce(&Library) -> String) -> String {
    PACKS.with_borrow(|packs| match packs.get(pack) {
        Some(Some(library)) => answer(library),
        _ => unread("this pack was freed"),
    })
}

fn unread(why: &str) -> String {
    serde_json::json!({ "fault": { "kind": "request", "message": why } }).to_string()
}

/// Handles the message in the buffer and leaves the reply there.
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    memory::reply(match serde_json::from_slice(&memory::message()) {
        Ok(message) => handle(message),
        Err(error) => unread(&error.to_string()),
    });
}
