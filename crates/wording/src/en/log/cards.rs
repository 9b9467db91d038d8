//! Decks and the cards drawn from them.

use super::Words;
use adjutant_game::{Drawn, LoggedPlace};
use adjutant_pack::{HandOf, HandRule};

impl Words<'_> {
    /// The name of a deck, with its owner.
    pub(super) fn deck_title(&self, deck: &str, side: Option<&String>) -> String {
        let title = self.pack.deck(deck).map_or(deck, |deck| &deck.title);
        side.map_or_else(|| title.to_owned(), |side| format!("{title} of {side}"))
    }

    /// The cards that went from one place to another. Cards that go to a hand are counted, not
    /// named: the others do not look into it.
    pub(super) fn drawn(&self, drawn: &Drawn, from: &str, how: &str) -> String {
        let hand = |name: &String| match self.pack.deck(&drawn.deck).and_then(|deck| deck.hand) {
            Some(HandRule { of: HandOf::Unit, .. }) => self.name(name),
            _ => name.clone(),
        };
        if let (Some(unit), Some(left)) = (&drawn.unit, drawn.left) {
            let title = self.deck_title(&drawn.deck, None);
            return format!(" Drawn from the {title}: {}{how}, {left} left.", self.name(unit));
        }
        let cards = self.cards(&drawn.deck, &drawn.took);
        let place = |place: &LoggedPlace| match place {
            LoggedPlace::Discard => "the discards".to_owned(),
            LoggedPlace::Hand(whose) => format!("the hand of {}", hand(whose)),
            LoggedPlace::Removed => "the box".to_owned(),
            LoggedPlace::Deck => "the deck".to_owned(),
            LoggedPlace::Pile(pile) => format!("the pile {}", pile.replace('_', " ")),
        };
        match (&drawn.from, &drawn.to) {
            (None, None) => format!(" Drawn{from}: {cards}{how}."),
            (None, Some(to @ LoggedPlace::Hand(_))) => {
                let many = match drawn.took.len() {
                    1 => "1 card goes".to_owned(),
                    count => format!("{count} cards go"),
                };
                format!(" {many} to {}{how}.", place(to))
            }
            (None, Some(to)) => format!(" Drawn{from}: {cards}{how}, to {}.", place(to)),
            (Some(was), None) => format!(" Played from {}: {cards}.", place(was)),
            (Some(was), Some(to)) => {
                format!(" Played from {}: {cards}, to {}.", place(was), place(to))
            }
        }
    }

    pub(super) fn cards(&self, deck: &str, cards: &[u32]) -> String {
        let title = |card: &u32| {
            self.pack
                .deck(deck)
                .and_then(|deck| deck.card(*card))
                .map_or_else(|| card.to_string(), |card| card.title.to_string())
        };
        cards.iter().map(title).collect::<Vec<_>>().join(", ")
    }
}
