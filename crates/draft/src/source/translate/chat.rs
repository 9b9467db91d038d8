//! A chat that was exported: each message stands after its time and its author.

use super::{Copy, bytes};
use crate::source::SourceLine;

/// The fewest messages that make a chat.
const LEAST: usize = 3;

pub(super) fn is_one(lines: &[SourceLine<'_>]) -> bool {
    let filled = lines.iter().filter(|line| !line.text.trim().is_empty()).count();
    let messages = lines.iter().filter(|line| message(line.text).is_some()).count();
    messages >= LEAST && messages * 8 >= filled
}

/// The text of "[12/03/2024, 19:02:11] Hank: +1 aimed" or "12/03/2024, 19:02 - Hank: +1 aimed".
fn message(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['\u{200e}', ' ']);
    let (time, rest) = match line.strip_prefix('[') {
        Some(inner) => inner.split_once("] ")?,
        None => line.split_once(" - ")?,
    };
    let figures = time.chars().filter(char::is_ascii_digit).count();
    let clock = time.contains(':') && (6..=18).contains(&figures) && time.len() <= 26;
    let (author, said) = rest.split_once(':')?;
    let named = author.chars().count() <= 40 && author.starts_with(|c: char| !c.is_ascii_digit());
    (clock && named).then(|| said.trim_start())
}

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::markdown();
    for line in lines {
        let spoken = message(line.text);
        if spoken.is_some() {
            made.blank();
        }
        let spoken = spoken.unwrap_or(line.text).trim_end();
        let start = line.start + line.text.trim_end().len() - spoken.len();
        made.line(&emphasis(spoken), start..bytes(*line).end.max(start));
    }
    made
}

/// "*Fire*" is bold in a chat.
fn emphasis(text: &str) -> String {
    let parts: Vec<&str> = text.split('*').collect();
    let marked = parts.len() == 3
        && !parts[1].is_empty()
        && !parts[1].starts_with(' ')
        && !parts[1].ends_with(' ');
    if marked { parts.join("**") } else { text.to_owned() }
}
