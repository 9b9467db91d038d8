//! One buffer in each direction between the script and the engine. The script asks for `room` for
//! its message and writes it there; the answer is at `answer` and is `answer_length` bytes long. A
//! panic leaves its message there as well, for the script to show. The npm package uses this file,
//! too.

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The message of the script.
pub(crate) fn message() -> Vec<u8> {
    INPUT.with_borrow_mut(std::mem::take)
}

/// Leaves an answer for the script.
pub(crate) fn reply(answer: String) {
    OUTPUT.with_borrow_mut(|output| *output = answer.into_bytes());
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
    std::panic::set_hook(Box::new(|panic| reply(panic.to_string())));
}
