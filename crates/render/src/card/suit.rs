//! The suits of playing cards, by the words that packs use for them, and the texts of ranks. The
//! shapes differ, so that suits can be distinguished without colour.

use crate::draw::Ink;
use adjutant_pack::{DeckField, DeckFieldKind, DeckSheet, FieldId};

const HEART: &str = "M50 92C20 67 5 50 5 31 5 16 17 6 29 6c10 0 17 6 21 14C54 12 61 6 71 6c12 0 24 10 24 25 0 19-15 36-45 61Z";
const DIAMOND: &str = "M50 3 88 50 50 97 12 50Z";
const SPADE: &str = "M50 4c5 16 42 34 42 58 0 14-10 22-21 22-8 0-14-4-18-10 1 10 5 18 13 22H34c8-4 12-12 13-22-4 6-10 10-18 10C18 84 8 76 8 62 8 38 45 20 50 4Z";
const CLUB: &str = "M50 4c12 0 21 9 21 21 0 6-2 11-6 15 3-2 6-3 10-3 12 0 21 9 21 21s-9 21-21 21c-9 0-17-6-20-13 1 13 5 25 13 30H32c8-5 12-17 13-30-3 7-11 13-20 13-12 0-21-9-21-21s9-21 21-21c4 0 7 1 10 3-4-4-6-9-6-15 0-12 9-21 21-21Z";

/// The shape and ink of a suit.
pub(super) fn shape(id: &str) -> Option<(&'static str, Ink)> {
    match id {
        "hearts" => Some((HEART, Ink::Red)),
        "diamonds" => Some((DIAMOND, Ink::Red)),
        "spades" => Some((SPADE, Ink::Black)),
        "clubs" => Some((CLUB, Ink::Black)),
        _ => None,
    }
}

/// The fields of suit and rank, if the deck has both.
pub(super) fn fields(deck: &DeckSheet) -> Option<(FieldId, FieldId)> {
    let is_suit = |field: &DeckField| {
        field.kind.words().is_some_and(|words| {
            !words.is_empty() && words.iter().all(|word| shape(&word.id).is_some())
        })
    };
    let is_rank = |field: &DeckField| {
        let whole = |n: Option<adjutant_dice::Number>| n.and_then(adjutant_dice::Number::as_whole);
        matches!(field.kind, DeckFieldKind::Number { from, to } if whole(from) == Some(1) && whole(to) == Some(13))
    };
    Some((deck.fields.position(is_suit)?, deck.fields.position(is_rank)?))
}

/// A rank as the corner of a card shows it.
pub(super) fn rank(n: i64) -> String {
    match n {
        1 => "A".into(),
        11 => "J".into(),
        12 => "Q".into(),
        13 => "K".into(),
        n => n.to_string(),
    }
}
