//! The decks that a run draws from. In a game each side may have its own: the decks of the side
//! that takes the test come first, those of other sides are reached through a role (`of`).

use adjutant_dice::{CardPlace, Deck, Text};
use adjutant_pack::{CardGoal, DeckId, DeckSheet, HandOf, IdVec};
use std::ops::{Deref, DerefMut};

/// The decks of the side that takes the test, and those of other sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decks {
    own: IdVec<DeckId, Deck>,
    others: Vec<IdVec<DeckId, Deck>>,
    /// The bags that were filled, with the name on each chit.
    bags: Vec<(DeckId, Vec<Text>)>,
    /// The decks that all sides share although others have their own.
    shared: Vec<DeckId>,
}

impl From<IdVec<DeckId, Deck>> for Decks {
    fn from(own: IdVec<DeckId, Deck>) -> Decks {
        Decks { own, others: Vec::new(), bags: Vec::new(), shared: Vec::new() }
    }
}

impl Deref for Decks {
    type Target = IdVec<DeckId, Deck>;

    fn deref(&self) -> &IdVec<DeckId, Deck> {
        &self.own
    }
}

impl DerefMut for Decks {
    fn deref_mut(&mut self) -> &mut IdVec<DeckId, Deck> {
        &mut self.own
    }
}

impl Decks {
    /// Adds the decks of another side, and returns their number for [`CardOwner::decks`].
    pub fn add(&mut self, decks: IdVec<DeckId, Deck>) -> u32 {
        self.others.push(decks);
        self.others.len() as u32
    }

    /// Has all sides share a deck although they have others of their own.
    pub fn share(&mut self, deck: DeckId) {
        self.shared.push(deck);
    }

    /// Fills a bag with one chit for each name. Chit 1 is the first.
    pub fn fill_bag(&mut self, bag: DeckId, names: Vec<Text>) {
        if let Some(deck) = self.own.get_mut(bag) {
            *deck = Deck::full(names.len() as u32);
        }
        self.bags.push((bag, names));
    }

    /// Whether a bag was filled.
    pub(crate) fn is_filled(&self, bag: DeckId) -> bool {
        self.bags.iter().any(|(known, _)| *known == bag)
    }

    /// The name on a chit.
    pub(crate) fn chit(&self, bag: DeckId, chit: u32) -> Option<&Text> {
        let (_, names) = self.bags.iter().find(|(known, _)| *known == bag)?;
        names.get(chit.checked_sub(1)? as usize)
    }

    /// Whether other sides have decks of their own.
    pub(crate) fn are_several(&self) -> bool {
        !self.others.is_empty()
    }

    /// A deck of an owner.
    pub(crate) fn of(&self, owner: CardOwner, deck: DeckId) -> &Deck {
        let owner = if self.shared.contains(&deck) { 0 } else { owner.decks as usize };
        let other = owner.checked_sub(1).and_then(|at| self.others.get(at));
        &other.unwrap_or(&self.own)[deck]
    }

    /// The same, to change it.
    pub(crate) fn of_mut(&mut self, owner: CardOwner, deck: DeckId) -> &mut Deck {
        let owner = if self.shared.contains(&deck) { 0 } else { owner.decks as usize };
        let other = owner.checked_sub(1).and_then(|at| self.others.get_mut(at));
        &mut other.unwrap_or(&mut self.own)[deck]
    }
}

/// Whose decks are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardOwner {
    /// 0 for the decks of the side that takes the test, else the number that [`Decks::add`] gave.
    pub decks: u32,
    /// The number of the side, for its hand.
    pub side: u32,
    /// The number of the unit, for its hand; 0 if there is none.
    pub unit: u32,
}

impl CardOwner {
    /// The place that a rule names: the owner's hand is one of several.
    pub fn place(self, sheet: &DeckSheet, goal: CardGoal) -> CardPlace {
        match goal {
            CardGoal::Discard => CardPlace::Discard,
            CardGoal::Removed => CardPlace::Removed,
            CardGoal::Deck => CardPlace::Deck,
            CardGoal::Pile(pile) => CardPlace::Pile(pile),
            CardGoal::Hand => CardPlace::Hand(match sheet.hand.map(|hand| hand.of) {
                Some(HandOf::Unit) => self.unit,
                _ => self.side,
            }),
        }
    }
}

/// Whose decks a run uses: the side's that takes the test, or by role.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// The owner where a draw names no role.
    pub acting: CardOwner,
    /// The owners by the name of the role in the resolution: `firer`, or `figure.u3`.
    pub roles: Vec<(Text, CardOwner)>,
}

impl Owners {
    /// The owner of a role.
    pub(crate) fn of(&self, role: &str) -> CardOwner {
        let found = self.roles.iter().find(|(known, _)| known == role);
        found.map_or(self.acting, |(_, owner)| *owner)
    }
}

/// What happened to a deck in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardMove {
    /// The deck.
    pub deck: DeckId,
    /// Whose it is.
    pub owner: CardOwner,
    /// What was done.
    pub kind: CardMoveKind,
}

/// The kinds of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardMoveKind {
    /// The cards that were put down went back.
    Reshuffled,
    /// A card went from one place to another.
    Moved {
        /// The card.
        card: u32,
        /// Where it was.
        from: CardPlace,
        /// Where it is now.
        to: CardPlace,
    },
}
