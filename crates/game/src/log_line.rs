//! Log lines and the hash chain. The bytes of a line are stored and hashed as they are, never
//! rewritten. A line that was dropped, repeated, replaced or altered is found at that line or the
//! next. Only the last line has no successor: a player who kept its hash can pass it to `verify`.

use crate::event::{Event, EventKind, LOG_FORMAT};
use crate::rejection::{Rejection, SetupRejection, TextError, TextFault, TextField};
use adjutant_dice::Text;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The time and author of an event, as the caller gives them. This crate has no clock and no
/// accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The time, for example `2026-11-16T02:14:05Z`.
    pub at: String,
    /// The player's name.
    pub by: String,
}

impl Stamp {
    /// Makes a stamp from a time and a name.
    pub fn new(at: impl Into<String>, by: impl Into<String>) -> Stamp {
        Stamp { at: at.into(), by: by.into() }
    }
}

/// A new line. The caller stores it and then applies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The line's number.
    pub n: u64,
    /// The line itself: one line of JSON.
    pub text: String,
    /// The event in the line.
    pub event: Event,
}

/// The SHA-256 of a line's bytes, in lower-case hex.
pub fn fingerprint(line: &str) -> String {
    let mut hex = String::with_capacity(64);
    fingerprint_into(line, &mut hex);
    hex
}

/// The same, written into an existing string: opening a log computes one for each line.
pub(crate) fn fingerprint_into(line: &str, hex: &mut String) {
    let mut digits = [0; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(Sha256::digest(line.as_bytes())) {
        for (digit, half) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
            *digit = b"0123456789abcdef"[usize::from(half)];
        }
    }
    hex.clear();
    hex.push_str(std::str::from_utf8(&digits).unwrap_or_default());
}

/// Writes the line of an event.
pub(crate) fn write(
    n: u64,
    stamp: &Stamp,
    prev: &str,
    what: EventKind,
) -> Result<LogLine, Rejection> {
    fine(TextField::Time, &stamp.at, 1, 40)?;
    fine(TextField::Actor, &stamp.by, 1, 60)?;
    let event =
        Event { n, at: stamp.at.clone(), by: stamp.by.clone(), prev: prev.to_owned(), what };
    let text =
        serde_json::to_string(&event).map_err(|fault| Rejection::NotALine(fault.to_string()))?;
    Ok(LogLine { n, text, event })
}

/// Parses a line.
pub(crate) fn read(text: &str) -> Result<Event, Rejection> {
    let event: Event = serde_json::from_str(text).map_err(|fault| match other_format(text) {
        Some(found) => SetupRejection::Format { found }.into(),
        None => Rejection::NotALine(fault.to_string()),
    })?;
    fine(TextField::Time, &event.at, 1, 40)?;
    fine(TextField::Actor, &event.by, 1, 60)?;
    Ok(event)
}

/// The log format of a first line that this program cannot read. Format 1 called the key `form`.
fn other_format(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Line {
        #[serde(rename = "do")]
        what: What,
    }
    #[derive(Deserialize)]
    struct What {
        begin: Begin,
    }
    #[derive(Deserialize)]
    struct Begin {
        #[serde(alias = "form")]
        format: u32,
    }
    let found = serde_json::from_str::<Line>(text).ok()?.what.begin.format;
    (found != LOG_FORMAT).then_some(found)
}

/// Why the text of a log is not byte for byte what was written. Reading it line by line would hide
/// this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlain {
    /// A line ends with CR LF.
    #[error("CR LF at the end of line {line}")]
    CarriageReturn {
        /// The line number, from 1.
        line: usize,
    },
    /// A line is blank.
    #[error("blank line {line}")]
    Blank {
        /// The line number, from 1.
        line: usize,
    },
}

/// Checks that a log's text consists of its lines and line feeds only. The line feed after the last
/// line may be missing.
pub fn is_plain(text: &str) -> Result<(), NotPlain> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    for (line, content) in (1..).zip(text.split('\n')) {
        if content.trim().is_empty() {
            return Err(NotPlain::Blank { line });
        }
        if content.ends_with('\r') {
            return Err(NotPlain::CarriageReturn { line });
        }
    }
    Ok(())
}

/// Characters that can make one text look like another and that no name or remark needs: control
/// characters, line breaks, bidirectional controls and invisible blanks. Joiners are allowed,
/// because some scripts need them.
pub fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Checks that a text has an allowed length and no control characters, which could forge lines on a
/// screen.
pub(crate) fn fine(
    field: TextField,
    text: &str,
    least: usize,
    most: usize,
) -> Result<(), TextError> {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if plain
        && (least..=most).contains(&text.len())
        && (least == 0 || text.bytes().any(|byte| byte != b' '))
    {
        return Ok(());
    }
    let length = text.chars().count();
    if length < least || (least > 0 && text.trim().is_empty()) {
        return Err(TextError { field, fault: TextFault::Missing });
    }
    if length > most {
        return Err(TextError { field, fault: TextFault::TooLong { length, most } });
    }
    if text.chars().any(deceives) {
        let shown: Text = text.chars().filter(|c| !deceives(*c)).take(40).collect();
        return Err(TextError { field, fault: TextFault::Hidden { shown } });
    }
    Ok(())
}
