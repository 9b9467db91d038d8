//! The engine in the browser: crate `app` under the names that the script calls, with one buffer
//! for JSON in each direction. It is a crate of its own because Cargo leaves out link-time
//! optimisation for a library that others link too.
//!
//! The script writes its message into [`memory`] and calls `step`; the answer is there as well.
//!
//! What counts is the compressed size, so there is no `wasm-opt` and hardly any inlining at the
//! link: both make the file smaller and its compressed form larger. `docs/performance.md` has the
//! sizes.
#![cfg(target_arch = "wasm32")]
#![allow(unsafe_code)]

mod memory;

use adjutant_app::bridge::Bridge;
use std::cell::RefCell;

thread_local! {
    static BRIDGE: RefCell<Bridge> = RefCell::default();
}

/// Handles the message in the buffer and leaves the reply there.
#[unsafe(no_mangle)]
pub extern "C" fn step() {
    let message = memory::message();
    let text = String::from_utf8_lossy(&message);
    memory::reply(BRIDGE.with_borrow_mut(|bridge| bridge.step(&text)));
}
