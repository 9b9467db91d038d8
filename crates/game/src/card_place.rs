//! Places of cards in a log. A place in the state is a number (the second side's hand); a log names
//! it, so that it can be read without the pack.

use crate::event::Begin;
use adjutant_dice::CardPlace;
use adjutant_pack::{DeckSheet, HandOf};
use serde::{Deserialize, Serialize};

/// Where cards are, as a log names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoggedPlace {
    /// In the deck.
    Deck,
    /// Among the discards.
    Discard,
    /// Out of the game.
    Removed,
    /// In the hand of a side, or of the unit with this id.
    Hand(String),
    /// On the pile with this id.
    Pile(String),
}

impl LoggedPlace {
    /// Names a place.
    pub(crate) fn of(sheet: &DeckSheet, setup: &Begin, place: CardPlace) -> LoggedPlace {
        match (place, sheet.hand.map(|hand| hand.of)) {
            (CardPlace::Deck, _) => LoggedPlace::Deck,
            (CardPlace::Discard, _) => LoggedPlace::Discard,
            (CardPlace::Removed, _) => LoggedPlace::Removed,
            (CardPlace::Hand(unit), Some(HandOf::Unit)) => LoggedPlace::Hand(format!("u{unit}")),
            (CardPlace::Hand(side), _) => {
                LoggedPlace::Hand(setup.sides.get(side as usize).cloned().unwrap_or_default())
            }
            (CardPlace::Pile(pile), _) => {
                let pile = sheet.piles.get(pile as usize);
                LoggedPlace::Pile(pile.map(ToString::to_string).unwrap_or_default())
            }
        }
    }

    /// Finds the place; `None` if there is none.
    pub(crate) fn find(&self, sheet: &DeckSheet, setup: &Begin) -> Option<CardPlace> {
        Some(match self {
            LoggedPlace::Deck => CardPlace::Deck,
            LoggedPlace::Discard => CardPlace::Discard,
            LoggedPlace::Removed => CardPlace::Removed,
            LoggedPlace::Hand(whose) => CardPlace::Hand(match sheet.hand?.of {
                HandOf::Side => setup.sides.iter().position(|side| side == whose)? as u32,
                HandOf::Unit => whose.strip_prefix('u')?.parse().ok()?,
            }),
            LoggedPlace::Pile(id) => {
                CardPlace::Pile(sheet.piles.iter().position(|pile| pile == id)? as u32)
            }
        })
    }
}
