//! Table ids. An id is part of links and is typed from one screen to another. So it is short, has
//! no letters that look alike, and cannot be guessed: a player who does not know it cannot find the
//! table.

use crate::StoreError;
use std::fmt;
use std::str::FromStr;

/// Crockford's alphabet in lower case: no i, l, o, u.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Letters in an id: 5 bits each, 80 bits in all.
const LENGTH: usize = 16;

/// The id of a table: 16 letters and digits from the system's random generator.
///
/// ```
/// use adjutant_store::TableId;
///
/// let id = TableId::new().unwrap();
/// assert_eq!(TableId::parse(&id.to_string()).unwrap(), id);
/// // Letters that look alike are read as one: capitals, o and 0, l, i and 1.
/// assert_eq!(TableId::parse("O1L2k4m6n8p0q2r4").unwrap().to_string(), "0112k4m6n8p0q2r4");
/// assert!(TableId::parse("friday").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId([u8; LENGTH]);

impl TableId {
    /// A new random id.
    pub fn new() -> Result<TableId, StoreError> {
        let mut letters = [0; LENGTH];
        getrandom::fill(&mut letters)
            .map_err(|fault| StoreError::NoEntropy { detail: fault.to_string() })?;
        for letter in &mut letters {
            // 32 divides 256, so every letter is equally likely.
            *letter = LETTERS[usize::from(*letter) % LETTERS.len()];
        }
        Ok(TableId(letters))
    }

    /// Parses an id as a player types it.
    pub fn parse(text: &str) -> Result<TableId, StoreError> {
        let refused = || StoreError::BadId { text: text.chars().take(40).collect() };
        let mut letters = [0; LENGTH];
        let mut bytes = text.trim().bytes();
        for letter in &mut letters {
            *letter = read_letter(bytes.next().ok_or_else(refused)?).ok_or_else(refused)?;
        }
        if bytes.next().is_some() { Err(refused()) } else { Ok(TableId(letters)) }
    }
}

fn read_letter(byte: u8) -> Option<u8> {
    let letter = match byte.to_ascii_lowercase() {
        b'o' => b'0',
        b'i' | b'l' => b'1',
        other => other,
    };
    LETTERS.contains(&letter).then_some(letter)
}

impl FromStr for TableId {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<TableId, StoreError> {
        TableId::parse(text)
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| fmt::Write::write_char(f, char::from(*letter)))
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn ids_differ_and_use_every_letter() {
        let ids: HashSet<String> = (0..1000).map(|_| TableId::new().unwrap().to_string()).collect();
        assert_eq!(ids.len(), 1000);
        let letters: HashSet<char> = ids.iter().flat_map(|id| id.chars()).collect();
        assert_eq!(letters.len(), LETTERS.len());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_what_is_read_is_stable(text in "\\PC{0,24}|[0-9a-zA-Z]{16}") {
            if let Ok(id) = TableId::parse(&text) {
                prop_assert_eq!(TableId::parse(&id.to_string()).unwrap(), id);
            }
        }
    }
}
