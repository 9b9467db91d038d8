//! What the store accepts. Both databases must take exactly the same texts, so the limits are ours and stand in one place: one line each
//! (a log is exported as lines), no NUL (PostgreSQL has no place for it), of bounded length.

use crate::{LONGEST_LINE, LONGEST_NAME, NewTable, StoreError};

pub(crate) fn new_table(table: &NewTable<'_>) -> Result<(), StoreError> {
    name(table.name)?;
    check("The name of the pack", table.pack, LONGEST_NAME)?;
    lines(0, table.lines)
}

pub(crate) fn name(text: &str) -> Result<(), StoreError> {
    check("The name of the table", text, LONGEST_NAME)
}

pub(crate) fn lines(after: u64, text: &[&str]) -> Result<(), StoreError> {
    for (number, line) in (1..).zip(text) {
        check(&format!("Event {}", after.saturating_add(number)), line, LONGEST_LINE)?;
    }
    Ok(())
}

/// A small text beside a log: one line, or none.
pub(crate) fn text(name: &str, text: &str) -> Result<(), StoreError> {
    text_name(name)?;
    if text.is_empty() { Ok(()) } else { check("The text", text, LONGEST_LINE) }
}

/// The name of a small text.
pub(crate) fn text_name(name: &str) -> Result<(), StoreError> {
    check("The name of the text", name, LONGEST_NAME)
}

fn check(what: &str, text: &str, longest: usize) -> Result<(), StoreError> {
    let why = if text.is_empty() {
        "it is empty".to_owned()
    } else if text.len() > longest {
        format!("it has {} bytes, and {longest} are accepted", text.len())
    } else if text.contains(['\n', '\r', '\0']) {
        "it must be a single line without line breaks and NUL".to_owned()
    } else {
        return Ok(());
    };
    Err(StoreError::BadText { what: what.to_owned(), why })
}
