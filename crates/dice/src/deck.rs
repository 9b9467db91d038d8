//! A deck is the set of cards left. It has no hidden order: a draw picks one of the cards left,
//! each equally likely. That equals a shuffled pile, there is nothing to peek at, and undo and
//! replay need no special care.

use serde::{Deserialize, Serialize};

/// Where a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardPlace {
    /// In the deck: it can be drawn.
    Deck,
    /// Drawn and put down. A reshuffle brings it back.
    Discard,
    /// Out of the game.
    Removed,
    /// In the hand with this number.
    Hand(u32),
    /// On the pile with this number.
    Pile(u32),
}

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Deck {
    places: Vec<CardPlace>,
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
        /// The number of cards of the whole deck.
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
        Deck { places: vec![CardPlace::Deck; size as usize], left: size }
    }

    /// A deck from which these cards are gone.
    pub fn without(size: u32, gone: impl IntoIterator<Item = u32>) -> Result<Deck, DeckError> {
        let mut deck = Deck::full(size);
        for card in gone {
            deck.take(card)?;
        }
        Ok(deck)
    }

    /// The number of cards of the whole deck, drawn or not.
    pub fn size(&self) -> u32 {
        self.places.len() as u32
    }

    /// The number of cards not drawn yet.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Tells if every card has been drawn.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The cards left, in the order of their numbers (which is no order of drawing).
    pub fn cards(&self) -> impl Iterator<Item = u32> + '_ {
        self.cards_at(CardPlace::Deck)
    }

    /// The cards at one place, in the order of their numbers.
    pub fn cards_at(&self, place: CardPlace) -> impl Iterator<Item = u32> + '_ {
        (1..).zip(&self.places).filter(move |(_, at)| **at == place).map(|(card, _)| card)
    }

    /// Where a card is; `None` if the deck has no such card.
    pub fn place(&self, card: u32) -> Option<CardPlace> {
        self.places.get(card.checked_sub(1)? as usize).copied()
    }

    /// Checks that the card belongs to the deck and has not been drawn.
    pub fn can_take(&self, card: u32) -> Result<(), DeckError> {
        match self.place(card) {
            None => Err(DeckError::NoSuchCard { card, size: self.size() }),
            Some(CardPlace::Deck) => Ok(()),
            Some(_) => Err(DeckError::Gone { card }),
        }
    }

    /// Takes a card out and puts it down.
    pub fn take(&mut self, card: u32) -> Result<(), DeckError> {
        self.can_take(card)?;
        self.put(card, CardPlace::Discard)
    }

    /// Puts a card somewhere else, wherever it is.
    pub fn put(&mut self, card: u32, to: CardPlace) -> Result<(), DeckError> {
        let size = self.size();
        let place = card.checked_sub(1).and_then(|at| self.places.get_mut(at as usize));
        let place = place.ok_or(DeckError::NoSuchCard { card, size })?;
        self.left -= u32::from(*place == CardPlace::Deck);
        self.left += u32::from(to == CardPlace::Deck);
        *place = to;
        Ok(())
    }

    /// Brings one card back.
    pub fn put_back(&mut self, card: u32) -> Result<(), DeckError> {
        match self.can_take(card) {
            Ok(()) => Err(DeckError::Here { card }),
            Err(DeckError::Gone { .. }) => self.put(card, CardPlace::Deck),
            Err(fault) => Err(fault),
        }
    }

    /// Brings every card back that was put down. Hands, piles and cards out of the game stay.
    /// Says whether any came back.
    pub fn reshuffle(&mut self) -> bool {
        let before = self.left;
        for place in self.places.iter_mut().filter(|place| **place == CardPlace::Discard) {
            *place = CardPlace::Deck;
            self.left += 1;
        }
        self.left > before
    }
}
