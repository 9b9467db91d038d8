//! Limits on texts. Both backends must accept the same texts, so the limits are checked here: each
//! text is one line (a log is exported as lines), without NUL (PostgreSQL cannot store it), and of
//! limited length.

use crate::{
    Append, LONGEST_LINE, LONGEST_NAME, LONGEST_SHARED_TEXT, NewTable, Receipt, StoreError,
    TextKind, TextProblem,
};

pub(crate) fn new_table(table: &NewTable<'_>) -> Result<(), StoreError> {
    name(table.name)?;
    check(TextKind::PackName, table.pack, LONGEST_NAME)?;
    lines(0, table.lines)
}

pub(crate) fn name(text: &str) -> Result<(), StoreError> {
    check(TextKind::TableName, text, LONGEST_NAME)
}

pub(crate) fn lines(after: u64, lines: &[&str]) -> Result<(), StoreError> {
    for (number, line) in (1..).zip(lines) {
        check(TextKind::Event(after.saturating_add(number)), line, LONGEST_LINE)?;
    }
    Ok(())
}

/// A text beside a log: one line, or empty.
pub(crate) fn text(name: &str, text: &str) -> Result<(), StoreError> {
    text_name(name)?;
    if text.is_empty() { Ok(()) } else { check(TextKind::Text, text, LONGEST_LINE) }
}

pub(crate) fn append(append: &Append<'_>) -> Result<(), StoreError> {
    lines(append.after, append.lines)?;
    append.guard.map_or(Ok(()), |guard| text_name(guard.name))?;
    receipt(append.receipt.as_ref())
}

/// A receipt: three short keys and the answer, each one line.
pub(crate) fn receipt(receipt: Option<&Receipt<'_>>) -> Result<(), StoreError> {
    let Some(receipt) = receipt else { return Ok(()) };
    check(TextKind::TextName, receipt.player, LONGEST_NAME)?;
    check(TextKind::TextName, receipt.key, LONGEST_NAME)?;
    check(TextKind::TextName, receipt.fingerprint, LONGEST_NAME)?;
    check(TextKind::Text, receipt.answer, LONGEST_LINE)
}

pub(crate) fn text_name(name: &str) -> Result<(), StoreError> {
    check(TextKind::TextName, name, LONGEST_NAME)
}

/// A text that belongs to no table: one line.
pub(crate) fn shared_text(name: &str, text: &str) -> Result<(), StoreError> {
    text_name(name)?;
    check(TextKind::Text, text, LONGEST_SHARED_TEXT)
}

fn check(what: TextKind, text: &str, limit: usize) -> Result<(), StoreError> {
    let why = if text.is_empty() {
        TextProblem::Empty
    } else if text.len() > limit {
        TextProblem::TooLong { bytes: text.len(), limit }
    } else if text.contains(['\n', '\r', '\0']) {
        TextProblem::NotOneLine
    } else {
        return Ok(());
    };
    Err(StoreError::BadText { what, why })
}
