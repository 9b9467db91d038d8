//! The engine in the browser: crate `app` under the names that the script calls, with one buffer
//! for JSON in each direction. It is a crate of its own because Cargo leaves out link-time
//! optimisation for a library that others link too.
//!
//! The script asks for `room` for its message, writes it there and calls `step`; the answer is at
//! `answer` and is `answer_length` bytes long. A panic leaves its message there as well, for the
//! script to show.
//!
//! What counts is the compressed size, so there is no `wasm-opt` and hardly any inlining at the
//! link: both make the file smaller and its compressed form larger. `docs/performance.md` has the
//! sizes.
#![cfg(target_arch = "wasm32")]
#![allow(unsafe_code)]

use adjutant_app::bridge::Bridge;
use std::cell::RefCell;

thread_local! {
    static BRIDGE: RefCell<Bridge> = RefCell::default();
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reserves space for a message of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Handles the message.
#[unsafe(no_mangle)]
pub extern "C" fn step() {
    let text =
        INPUT.with_borrow_mut(|input| String::from_utf8_lossy(&std::mem::take(input)).into_owned());
    let answer = BRIDGE.with_borrow_mut(|bridge| bridge.step(&text));
    OUTPUT.with_borrow_mut(|output| *output = answer.into_bytes());
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// The length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Makes a panic leave its message where answers are.
#[unsafe(no_mangle)]
pub extern "C" fn wake() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        OUTPUT.with_borrow_mut(|output| *output = text.into_bytes());
    }));
}
