//! Cards from a deck.

use crate::Work;
use crate::error::QueryError;
use adjutant_api::{CardData, DrawQuery, DrawnCards};
use adjutant_dice::{CardRequest, Deck, DeckError, InputSource, SourceError};
use adjutant_pack::{DeckSheet, Noun, Pack, UnknownName};
use adjutant_wording::en::{self, unknown_name::nearest_or_all};

/// The most cards that are drawn at once.
const MOST: u32 = 1000;

/// Why cards cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum DrawError {
    #[error("{title} has no deck `{}`: {}", .unknown.name, nearest_or_all(.unknown))]
    Unknown { title: String, unknown: UnknownName },
    /// The cards of the deck are the player's to supply.
    #[error("the cards of {title} are yours to supply")]
    Unsupplied { title: String },
    #[error("{0} cards cannot be drawn: 1 to {MOST} can")]
    Count(u32),
    #[error("{}", en::deck_error(*.0))]
    Deck(#[from] DeckError),
    #[error("{}", en::source_error(.0))]
    Source(#[from] SourceError),
}

/// Draws cards. A deck that runs out is reshuffled.
pub fn drawn<'p>(
    pack: &'p Pack,
    query: &DrawQuery,
    work: &Work,
) -> Result<DrawnCards<'p>, QueryError> {
    let Some(sheet) = pack.deck(&query.deck).filter(|deck| deck.chits.is_none()) else {
        let ids = pack.card_decks().map(|deck| deck.id.as_str());
        let unknown = UnknownName::new(Noun::Deck, &query.deck, ids);
        return Err(DrawError::Unknown { title: pack.title().to_string(), unknown }.into());
    };
    if sheet.is_missing() {
        return Err(DrawError::Unsupplied { title: sheet.title.to_string() }.into());
    }
    if query.count == 0 || query.count > MOST {
        return Err(DrawError::Count(query.count).into());
    }
    let (cards, left, reshuffled) = pick(sheet, query, work)?;
    let cards = cards.iter().map(|card| CardData::explained(pack, sheet, *card)).collect();
    Ok(DrawnCards { pack: pack.id(), deck: &sheet.id, cards, left, reshuffled })
}

fn pick(
    sheet: &DeckSheet,
    query: &DrawQuery,
    work: &Work,
) -> Result<(Vec<u32>, u32, bool), DrawError> {
    let mut deck = Deck::without(sheet.cards.len() as u32, query.gone.iter().copied())?;
    let mut luck = work.luck(query.seed)?;
    let (mut cards, mut shuffled) = (Vec::new(), false);
    for _ in 0..query.count {
        if deck.is_empty() {
            deck.reshuffle();
            shuffled = true;
        }
        let card = luck.card(&CardRequest::new("card", &sheet.title, &sheet.id, &deck))?;
        deck.take(card)?;
        cards.push(card);
    }
    Ok((cards, deck.left(), shuffled))
}
