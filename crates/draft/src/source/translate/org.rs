//! Org: headings with stars, settings with `#+`. Its tables are those of Markdown.

use super::{Copy, Count, bytes};
use crate::source::SourceLine;

pub(super) fn is_one(count: Count<'_>) -> bool {
    count(&|text| text.starts_with("#+") && text.contains(':')) >= 1
        && count(&|text| heading(text).is_some()) >= 1
}

/// The level and the text of "** Modifiers".
fn heading(text: &str) -> Option<(usize, &str)> {
    let level = text.chars().take_while(|c| *c == '*').count();
    let name = text[level..].strip_prefix(' ')?.trim();
    // Tags stand at its end: ":test:".
    let name = match name.rsplit_once(" :") {
        Some((name, tags)) if tags.ends_with(':') && !tags.contains(' ') => name.trim(),
        _ => name,
    };
    ((1..=6).contains(&level) && !name.is_empty()).then_some((level, name))
}

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::markdown();
    for line in lines {
        let text = line.text;
        if let Some((level, name)) = heading(text) {
            made.line(&format!("{} {name}", "#".repeat(level)), bytes(*line));
        } else if let Some(title) = text.strip_prefix("#+TITLE:").or(text.strip_prefix("#+title:"))
        {
            made.line(&format!("# {}", title.trim()), bytes(*line));
        } else if text.starts_with("#+") || text.starts_with("# ") {
            made.skip(*line);
        } else {
            made.same(*line);
        }
    }
    made
}
