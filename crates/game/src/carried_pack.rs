//! A log that brings its pack along: the first line of the file is the pack as a bundle, the log
//! follows. The log itself is the same, byte for byte.

use adjutant_pack::{Bundle, BundleError, looks_like_bundle};

/// The parts of a file: the line with the pack, if there is one, and the log.
///
/// ```
/// let file = "{\"adjutant\":\"pack\",\"format\":1}\n{\"n\":1}\n";
/// assert_eq!(adjutant_game::split_pack(file).1, "{\"n\":1}\n");
/// assert_eq!(adjutant_game::split_pack("{\"n\":1}\n"), (None, "{\"n\":1}\n"));
/// ```
pub fn split_pack(text: &str) -> (Option<&str>, &str) {
    match text.split_once('\n') {
        Some((first, log)) if looks_like_bundle(first) => (Some(first), log),
        None if looks_like_bundle(text) => (Some(text), ""),
        _ => (None, text),
    }
}

/// The pack that a file brings along, and the log.
pub fn carried_pack(text: &str) -> Result<(Option<Bundle>, &str), BundleError> {
    let (line, log) = split_pack(text);
    // A mail program may have changed the ends of lines; the log says what it thinks of that.
    let line = line.map(|line| line.strip_suffix('\r').unwrap_or(line));
    Ok((line.map(Bundle::read).transpose()?, log))
}
