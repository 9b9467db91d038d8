//! What the store accepts. Both databases must take exactly the same texts, so the limits are ours and stand in one place: one line each
//! (a log is exported as lines), no NUL (PostgreSQL has no place for it), of bounded length.

use crate::{LONGEST_LINE, LONGEST_NAME, NewTable, StoreError};

pub(crate) fn new_table(table: &NewTable<'_>) -> Result<(), StoreError> {
    name(table.name)?;
    text("The name of the pack", table.pack, LONGEST_NAME)?;
    lines(0, table.lines)
}

pub(crate) fn name(given: &str) -> Result<(), StoreError> {
    text("The name of the table", given, LONGEST_NAME)
}

pub(crate) fn lines(after: u64, given: &[&str]) -> Result<(), StoreError> {
    for (number, line) in (1..).zip(given) {
        text(&format!("Event {}", after.saturating_add(number)), line, LONGEST_LINE)?;
    }
    Ok(())
}

/// A small text beside a log: one line, or none.
pub(crate) fn kept(called: &str, given: &str) -> Result<(), StoreError> {
    text_name(called)?;
    if given.is_empty() { Ok(()) } else { text("The text", given, LONGEST_LINE) }
}

/// The name of a small text.
pub(crate) fn text_name(called: &str) -> Result<(), StoreError> {
    text("The name of the text", called, LONGEST_NAME)
}

fn text(what: &str, given: &str, longest: usize) -> Result<(), StoreError> {
    let why = if given.is_empty() {
        "it is empty".to_owned()
    } else if given.len() > longest {
        format!("it has {} bytes, and {longest} are accepted", given.len())
    } else if given.contains(['\n', '\r', '\0']) {
        "it must be a single line without line breaks and NUL".to_owned()
    } else {
        return Ok(());
    };
    Err(StoreError::BadText { what: what.to_owned(), why })
}
