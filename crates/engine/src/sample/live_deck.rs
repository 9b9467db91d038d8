//! Samples from a deck that persists: drawn cards stay out from one check to the next, until a card
//! or the empty deck brings all of them back. The cards are in an array, drawn cards at its end. A
//! draw picks one of the cards left and swaps it with the last of them. A shuffle counts all cards
//! as left again.

use super::SampleRng;
use crate::odds::{CardPlan, OddsOutcome, Way};
use adjutant_dice::Deck;

/// The effect of a class of cards, for fast dispatch.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// It ends the check with this outcome.
    End(usize),
    /// One of several effects, to be looked up.
    Ways,
}

/// A deck of cards for one chart, compiled with its inputs and answers.
///
/// ```
/// use adjutant_engine::{OddsOptions, CardPlan, SampleRng, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "repair").unwrap();
/// let plan = CardPlan::new(&situation, &OddsOptions::default()).unwrap();
/// let mut live = plan.live(&situation.decks[plan.deck()]);
/// let outcome = live.sample(&mut SampleRng::of_block(7, 0));
/// assert!(plan.outcomes()[outcome].result.is_some());
/// assert!(live.left() < 60, "the card stays out");
/// ```
#[derive(Clone, Debug)]
pub struct LiveDeck<'p> {
    plan: &'p CardPlan,
    deeds: Vec<Deed>,
    /// The class of each card. The cards left come first.
    cards: Vec<u32>,
    left: u32,
}

impl CardPlan {
    /// A deck to sample from, with these cards left.
    pub fn live(&self, deck: &Deck) -> LiveDeck<'_> {
        let mut gone: Vec<u32> = Vec::new();
        let mut cards: Vec<u32> = Vec::new();
        for (card, class) in (1..).zip(self.class_of()) {
            if deck.can_take(card).is_ok() { cards.push(*class) } else { gone.push(*class) }
        }
        let left = cards.len() as u32;
        cards.extend(gone);
        let deed = |class: u32| match self.fate(class).0 {
            [Way { end: Some(end), shuffles: false, .. }] => Deed::End(*end),
            _ => Deed::Ways,
        };
        let classes = self.class_of().iter().max().map_or(0, |most| most + 1);
        LiveDeck { plan: self, deeds: (0..classes).map(deed).collect(), cards, left }
    }
}

impl LiveDeck<'_> {
    /// The possible outcomes. A sample is an index into this list.
    pub fn outcomes(&self) -> &[OddsOutcome] {
        self.plan.outcomes()
    }

    /// The number of cards left.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// Brings every card back.
    pub fn reshuffle(&mut self) {
        self.left = self.cards.len() as u32;
    }

    /// Samples one check. Does not allocate.
    #[inline]
    pub fn sample(&mut self, luck: &mut SampleRng) -> usize {
        loop {
            if self.left == 0 {
                self.reshuffle();
            }
            let place = luck.below_32(self.left) as usize;
            self.left -= 1;
            self.cards.swap(place, self.left as usize);
            let class = self.cards[self.left as usize];
            match self.deeds[class as usize] {
                Deed::End(outcome) => return outcome,
                Deed::Ways => {
                    if let Some(outcome) = self.by_weight(class, luck) {
                        return outcome;
                    }
                }
            }
        }
    }

    /// Chooses one of a card's several effects by weight. Returns an outcome if it ends the check.
    fn by_weight(&mut self, class: u32, luck: &mut SampleRng) -> Option<usize> {
        let (fate, over) = self.plan.fate(class);
        let mut place = if fate.len() > 1 { luck.below(over) } else { 0 };
        for way in fate {
            match place.checked_sub(way.weight) {
                Some(beyond) => place = beyond,
                None => {
                    if way.shuffles {
                        self.reshuffle();
                    }
                    return way.end;
                }
            }
        }
        None
    }
}
