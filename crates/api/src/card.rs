//! Cards as data.

use crate::Entries;
use adjutant_dice::Answer;
use adjutant_pack::{Card, CardCell, DeckField, DeckFieldKind, DeckSheet, Pack};
use adjutant_wording::en;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A card.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CardData<'p> {
    /// Its number, from 1.
    pub card: u32,
    pub title: &'p str,
    pub fields: Entries<&'p str, CardValue<'p>>,
    /// Why each field that is blank, or blank in part, is so. Only for cards that are drawn.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub blank: Entries<&'p str, String>,
}

/// What a field of a card holds.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum CardValue<'p> {
    Blank,
    Text(&'p str),
    Value(#[cfg_attr(feature = "schema", schemars(with = "crate::schema::Answer"))] Answer),
    /// A row of numbers, each by the number under which it is looked up.
    Row(Entries<u32, CardValue<'p>>),
}

impl<'p> CardData<'p> {
    /// The card of this number; none if the deck has no such card.
    pub fn new(pack: &'p Pack, deck: &'p DeckSheet, number: u32) -> Option<CardData<'p>> {
        let card = deck.card(number)?;
        let cell = |place: usize| match card.cells.get(place).and_then(Option::as_ref) {
            None => CardValue::Blank,
            Some(CardCell::Text(text)) => CardValue::Text(text),
            Some(CardCell::Value(value)) => CardValue::Value(value.to_answer(pack.words())),
        };
        let fields = deck.fields.iter().map(|field| {
            let value = match field.kind {
                DeckFieldKind::Numbers { from, to } => CardValue::Row(
                    (from..=to)
                        .map(|n| (n, cell(field.first_cell + (n - from) as usize)))
                        .collect(),
                ),
                _ => cell(field.first_cell),
            };
            (field.id.as_str(), value)
        });
        let (fields, blank) = (fields.collect(), Entries(Vec::new()));
        Some(CardData { card: number, title: &card.title, fields, blank })
    }

    /// The same with the reason for every blank.
    pub fn explained(pack: &'p Pack, deck: &'p DeckSheet, number: u32) -> Option<CardData<'p>> {
        let (data, card) = (CardData::new(pack, deck, number)?, deck.card(number)?);
        let blank = deck.fields.iter().filter(|field| is_blank(card, field));
        let blank = blank.map(|field| (field.id.as_str(), en::blank_field(pack, field))).collect();
        Some(CardData { blank, ..data })
    }

    /// Every card of a deck.
    pub fn all(pack: &'p Pack, deck: &'p DeckSheet) -> Vec<Option<CardData<'p>>> {
        (1..=deck.cards.len() as u32).map(|number| CardData::new(pack, deck, number)).collect()
    }
}

/// Whether a field of a card is blank; of a row of numbers, whether one of them is.
pub fn is_blank(card: &Card, field: &DeckField) -> bool {
    let count = match field.kind {
        DeckFieldKind::Numbers { from, to } => (to - from) as usize + 1,
        _ => 1,
    };
    (0..count).any(|place| card.cells.get(field.first_cell + place).is_none_or(Option::is_none))
}

/// Cards that were drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DrawnCards<'p> {
    pub pack: &'p str,
    pub deck: &'p str,
    pub cards: Vec<Option<CardData<'p>>>,
    /// How many are left in the deck.
    pub left: u32,
    /// Whether the deck ran out and was reshuffled on the way.
    pub reshuffled: bool,
}

/// A deck as a file of its own, for other programs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DeckFile<'p> {
    pub pack: &'p str,
    pub deck: &'p str,
    pub title: &'p str,
    /// What the backs say.
    pub back: &'p str,
    pub cards: Vec<Option<CardData<'p>>>,
}

impl<'p> DeckFile<'p> {
    pub fn new(pack: &'p Pack, deck: &'p DeckSheet) -> DeckFile<'p> {
        DeckFile {
            pack: pack.id(),
            deck: &deck.id,
            title: &deck.title,
            back: &deck.back,
            cards: CardData::all(pack, deck),
        }
    }
}
