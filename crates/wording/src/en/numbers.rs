//! Numbers as players read them.

use adjutant_engine::Chance;

/// A longer fraction is not shown.
const LONGEST_FRACTION: usize = 24;

/// `359 998 712`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|part| std::str::from_utf8(part).ok())
        .collect();
    parts.join(" ")
}

/// A fraction, if it is short enough to read.
pub fn short_fraction(chance: &Chance) -> Option<String> {
    Some(chance.exact()).filter(|exact| exact.len() <= LONGEST_FRACTION)
}
