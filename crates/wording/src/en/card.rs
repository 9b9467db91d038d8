//! What a card shows, field by field.

use adjutant_engine::CardFieldLine;
use adjutant_pack::{DeckField, Pack};

/// What a field shows that is not on a card and has no sign for that.
pub const NOT_ON_CARD: &str = "not on this card";

/// What a field of a card shows. A row of numbers has the number before each: `7→R`.
pub fn card_field(field: &CardFieldLine) -> String {
    let blank = if field.blank.is_empty() { NOT_ON_CARD } else { field.blank.as_str() };
    let shown = field.values.iter().map(|value| value.as_deref().unwrap_or(blank));
    if field.by.is_empty() {
        return shown.collect();
    }
    let pairs = field.by.iter().zip(shown).map(|(by, value)| format!("{by}→{value}"));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Why a field of a card is blank: what its sign means, or that the card does not have it.
pub fn blank_field(pack: &Pack, field: &DeckField) -> String {
    if field.blank.is_empty() {
        return NOT_ON_CARD.to_owned();
    }
    let meant = pack.terms().iter().find(|term| term.title == field.blank);
    match meant {
        Some(term) => format!("{}: {}", field.blank, term.text),
        None => format!("the card shows {} here", field.blank),
    }
}
