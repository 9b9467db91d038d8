//! A checked draw of cards: from whose deck, and what is done with the cards.

use crate::binding::FollowUpRule;
use crate::effect::EffectRule;
use crate::expr::{Formula, Slot};
use crate::ids::{DeckId, FieldId, RoleId};
use crate::roll::{DieTally, FacePart, Keep, Worth};

/// A draw of one card, or of several at once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Draw {
    /// The deck to draw from.
    pub deck: DeckId,
    /// The role whose side's deck it is; without it, the deck of the side that takes the test.
    pub of: Option<RoleId>,
    /// The field whose number is the total, and the index into a field of several numbers.
    pub read: Option<(FieldId, Option<Formula>)>,
    /// Where the cards go.
    pub to: CardGoal,
    /// Set if a player picks the card from a hand or a pile.
    pub pick: Option<Box<PickCard>>,
    /// What is done with several cards.
    pub several: Option<Box<SeveralCards>>,
}

/// The choice of a card by a player. Inside it the name `face` is one card.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PickCard {
    /// Where the cards are: the hand or a pile.
    pub from: CardGoal,
    /// The cards that may be picked; all of them if left out.
    pub which: Option<Formula>,
    /// The names of one card that its expressions use.
    pub face: Vec<(FacePart, Slot)>,
}

/// Where cards go or come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardGoal {
    /// Put down: a reshuffle brings them back.
    Discard,
    /// The hand of the side or unit.
    Hand,
    /// Out of the game.
    Removed,
    /// Back into the deck.
    Deck,
    /// A pile of the deck, by its place in [`DeckSheet::piles`](crate::DeckSheet::piles).
    Pile(u32),
}

/// The hands that hold cards of a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandRule {
    /// Whose hands they are.
    pub of: HandOf,
    /// How many cards a full hand has.
    pub size: u32,
}

/// Whose hands they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOf {
    /// Each side has one.
    Side,
    /// Each unit has one.
    Unit,
}

/// What is done with several cards. Inside it the name `face` is one card.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SeveralCards {
    /// The number of cards; without it, as many as the hand lacks.
    pub count: Option<Formula>,
    /// If set, only some of the cards count.
    pub keep: Option<Keep>,
    /// What a card is worth; the field that is read if left out.
    pub each: Option<Worth>,
    /// Further sums over the cards that count.
    pub tally: Vec<DieTally>,
    /// The names of one card that its expressions use.
    pub face: Vec<(FacePart, Slot)>,
    /// Whether the cards have a total.
    pub adds_up: bool,
}

impl Draw {
    /// Every formula of the draw, for the inputs and names that it uses.
    pub fn formulas(&self) -> Vec<&Formula> {
        let mut all: Vec<&Formula> = self.read.iter().filter_map(|(_, by)| by.as_ref()).collect();
        all.extend(self.pick.iter().filter_map(|pick| pick.which.as_ref()));
        if let Some(several) = &self.several {
            all.extend(&several.count);
            let keep = several.keep.iter();
            all.extend(keep.flat_map(Keep::formulas));
            all.extend(several.each.iter().map(|worth| &worth.formula));
            all.extend(several.tally.iter().map(|tally| &tally.formula));
        }
        all
    }
}

/// What happens in a chart when a deck runs out or is reshuffled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeckEvent {
    /// The deck.
    pub deck: DeckId,
    /// When it happens.
    pub when: DeckMoment,
    /// What it changes.
    pub effects: Vec<EffectRule>,
    /// What follows.
    pub next: Vec<FollowUpRule>,
}

/// When something happens to a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckMoment {
    /// The last card was drawn.
    Empty,
    /// Cards went back.
    Reshuffled,
}

/// Which cards of a deck are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckCount {
    /// Those that can be drawn.
    Left,
    /// Those in the hand of the side or unit that takes the test.
    Hand,
    /// Those on a pile, by its place.
    Pile(u32),
}
