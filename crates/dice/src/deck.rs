//! A deck is the set of cards left. It has no hidden order: a draw picks one of the cards left,
//! each equally likely. That equals a shuffled pile, there is nothing to peek at, and undo and
//! replay need no special care.

use serde::{Deserialize, Serialize};

/// The cards of one deck, numbered from 1, some of them gone.
///
/// ```
/// use adjutant_dice::Deck;
/// let mut deck = Deck::full(60);
/// deck.take(23).unwrap();
/// assert_eq!(deck.left(), 59);
/// assert!(deck.take(23).is_err(), "a card is not drawn twice");
/// deck.reshuffle();
/// assert_eq!(deck.left(), 60);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck {
    here: Vec<bool>,
    left: u32,
}

/// Why a card cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum DeckError {
    /// The deck has no such card.
    NoSuchCard {
        /// The number asked for.
        card: u32,
        /// How many cards the deck has.
        size: u32,
    },
    /// The card is in the deck and cannot be put back into it.
    Here {
        /// The number asked for.
        card: u32,
    },
    /// The card was drawn before and has not been shuffled in again.
    Gone {
        /// The number asked for.
        card: u32,
    },
}

impl Deck {
    /// A whole deck of so many cards.
    pub fn full(size: u32) -> Deck {
        Deck { here: vec![true; size as usize], left: size }
    }

    /// A deck from which these cards are gone.
    pub fn without(size: u32, gone: impl IntoIterator<Item = u32>) -> Result<Deck, DeckError> {
        let mut deck = Deck::full(size);
        for card in gone {
            deck.take(card)?;
        }
        Ok(deck)
    }

    /// How many cards the whole deck has.
    pub fn size(&self) -> u32 {
        self.here.len() as u32
    }

    /// How many cards are left.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The cards left, in the order of their numbers (which is no order of drawing).
    pub fn cards(&self) -> impl Iterator<Item = u32> + '_ {
        (1..).zip(&self.here).filter(|(_, here)| **here).map(|(card, _)| card)
    }

    /// Whether the card could be drawn now.
    pub fn can_take(&self, card: u32) -> Result<(), DeckError> {
        match card.checked_sub(1).and_then(|place| self.here.get(place as usize)) {
            None => Err(DeckError::NoSuchCard { card, size: self.size() }),
            Some(false) => Err(DeckError::Gone { card }),
            Some(true) => Ok(()),
        }
    }

    /// Takes a card out.
    pub fn take(&mut self, card: u32) -> Result<(), DeckError> {
        self.can_take(card)?;
        if let Some(here) = self.here.get_mut(card as usize - 1) {
            *here = false;
            self.left -= 1;
        }
        Ok(())
    }

    /// Brings one card back.
    pub fn put_back(&mut self, card: u32) -> Result<(), DeckError> {
        match self.can_take(card) {
            Ok(()) => Err(DeckError::Here { card }),
            Err(DeckError::Gone { .. }) => {
                if let Some(here) = self.here.get_mut(card as usize - 1) {
                    *here = true;
                    self.left += 1;
                }
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    /// Brings every card back.
    pub fn reshuffle(&mut self) {
        self.here.fill(true);
        self.left = self.size();
    }
}
