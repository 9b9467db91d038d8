//! Cards as data.

use crate::Entries;
use adjutant_dice::Answer;
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Pack};
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
        Some(CardData { card: number, title: &card.title, fields: fields.collect() })
    }

    /// Every card of a deck.
    pub fn all(pack: &'p Pack, deck: &'p DeckSheet) -> Vec<Option<CardData<'p>>> {
        (1..=deck.cards.len() as u32).map(|number| CardData::new(pack, deck, number)).collect()
    }
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
