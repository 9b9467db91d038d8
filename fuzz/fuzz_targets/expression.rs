#![no_main]
//! Any text is read as an expression or refused, at a place inside it.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(fault) = sheet::expr::read(text) {
        assert!(fault.from <= fault.to && fault.to <= text.len(), "{fault:?}");
        assert!(text.is_char_boundary(fault.from) && text.is_char_boundary(fault.to), "{fault:?}");
    }
    let _ = text.parse::<chance::Number>();
    let _ = text.parse::<chance::Dice>();
});
