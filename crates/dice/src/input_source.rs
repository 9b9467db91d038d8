//! The trait through which dice, cards and answers enter, and the requests that a running chart
//! makes of it.

use crate::{Accepts, Answer, Deck, Missing, SourceError, Text, Wanted};
use serde::{Deserialize, Serialize};

/// A request for dice.
#[derive(Clone, Copy, Debug)]
pub struct DiceRequest<'a> {
    /// The step's name in the chart.
    pub key: &'a str,
    /// For the player: what this roll is for.
    pub what_for: &'a str,
    /// The number of dice, each rolled once.
    pub count: u32,
    /// The number of sides of each die; its places are counted from 1.
    pub sides: u32,
    /// The names of the faces by their place on the die. Empty if the faces are 1, 2, 3 and so on.
    pub faces: &'a [Text],
    /// The part of the faces that the rule reads.
    pub relevance: Relevance,
    /// Where in the run it is made.
    pub site: Site,
}

/// A request for a card.
#[derive(Clone, Copy, Debug)]
pub struct CardRequest<'a> {
    /// The step's name in the chart.
    pub key: &'a str,
    /// For the player: what this card is for.
    pub what_for: &'a str,
    /// The deck's id in the pack.
    pub deck_id: &'a str,
    /// The cards left; never empty in a request.
    pub deck: &'a Deck,
    /// Where in the run it is made.
    pub site: Site,
}

/// A question to a player.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The name under which the answer is given.
    pub key: &'a str,
    /// For the player: the question.
    pub prompt: &'a str,
    /// The answers among which the player chooses.
    pub accepts: &'a Accepts,
    /// The answer that odds count with, if none is given.
    pub assume: Option<&'a Answer>,
    /// The answer of a player who says nothing; without one, the player must answer.
    pub default: Option<&'a Answer>,
}

impl<'a> DiceRequest<'a> {
    /// A request outside a run: every face matters.
    pub const fn new(key: &'a str, what_for: &'a str, count: u32, sides: u32) -> DiceRequest<'a> {
        DiceRequest {
            key,
            what_for,
            count,
            sides,
            faces: &[],
            relevance: Relevance::Order,
            site: Site::OUTSIDE,
        }
    }

    /// Tells if these are as many faces as requested, all of them on such a die.
    pub fn fits(&self, faces: &[u32]) -> bool {
        faces.len() == self.count as usize
            && faces.iter().all(|face| (1..=self.sides).contains(face))
    }

    /// The names of these faces; empty if the die has none.
    pub fn names(&self, faces: &[u32]) -> Vec<Text> {
        let name = |face: &u32| self.faces.get((*face as usize).checked_sub(1)?).cloned();
        faces.iter().filter_map(name).collect()
    }

    /// The error of a source that has no dice for this request.
    pub fn missing(&self) -> SourceError {
        SourceError::Missing(Box::new(self.wanted()))
    }

    /// The error of a record that holds something else.
    pub(crate) fn mismatch(&self) -> SourceError {
        SourceError::Mismatch(Box::new(self.wanted()))
    }

    fn wanted(&self) -> Missing {
        let wanted =
            Wanted::Dice { count: self.count, sides: self.sides, faces: self.faces.to_vec() };
        Missing { key: self.key.into(), what_for: self.what_for.into(), member: None, wanted }
    }
}

impl<'a> CardRequest<'a> {
    /// A request outside a run.
    pub const fn new(
        key: &'a str,
        what_for: &'a str,
        deck_id: &'a str,
        deck: &'a Deck,
    ) -> CardRequest<'a> {
        CardRequest { key, what_for, deck_id, deck, site: Site::OUTSIDE }
    }

    /// The error of a source that has no card for this request.
    pub fn missing(&self) -> SourceError {
        SourceError::Missing(Box::new(self.wanted()))
    }

    /// The error of a record that holds something else.
    pub(crate) fn mismatch(&self) -> SourceError {
        SourceError::Mismatch(Box::new(self.wanted()))
    }

    /// The card, if it is in the deck.
    pub fn checked(&self, card: u32) -> Result<u32, SourceError> {
        self.deck.can_take(card).map(|()| card).map_err(SourceError::BadCard)
    }

    fn wanted(&self) -> Missing {
        let wanted = Wanted::Card { deck: self.deck_id.into() };
        Missing { key: self.key.into(), what_for: self.what_for.into(), member: None, wanted }
    }
}

impl Question<'_> {
    /// The error of a source that has no answer to this question.
    pub fn missing(&self) -> SourceError {
        SourceError::Missing(Box::new(self.wanted()))
    }

    /// The error of a record that holds something else.
    pub(crate) fn mismatch(&self) -> SourceError {
        SourceError::Mismatch(Box::new(self.wanted()))
    }

    /// A player's text as an answer, if it is accepted.
    pub fn read(&self, text: &str) -> Result<Answer, SourceError> {
        self.accepts
            .read(text)
            .map_err(|error| SourceError::NotAccepted { key: self.key.into(), error })
    }

    fn wanted(&self) -> Missing {
        let wanted = Wanted::Answer { accepts: self.accepts.clone() };
        Missing { key: self.key.into(), what_for: self.prompt.into(), member: None, wanted }
    }
}

/// The part of the faces that a rule reads. A source that explores all outcomes may let one stand
/// for all that read the same. Other sources ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// The sum, or the number of dice that pass.
    Total {
        /// When only some dice count: how many, and whether the lowest.
        keep: Option<(u32, bool)>,
        /// When each die counts as one if it passes: how many of its faces pass, and whether the
        /// low ones.
        pass: Option<(u32, bool)>,
    },
    /// Which faces there are, in any order.
    Faces,
    /// Which face each die shows.
    Order,
}

/// Where in a run dice or a card are requested. A roll that is repeated within one step, with
/// nothing else changed, has the same site, so a source that explores all outcomes can stop going
/// round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The step, counted over the whole run.
    pub step: u32,
    /// Which set of inputs is in force. 0 is the set at the start of the step; a set that is new
    /// when inputs are asked again gets the next number.
    pub attempt: u32,
    /// Set if everything else is as it was at the start of the step.
    pub unchanged: bool,
}

impl Site {
    /// Not in a run.
    pub const OUTSIDE: Site = Site { step: 0, attempt: 0, unchanged: false };
}

/// Who rolled or drew. A log marks every roll with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ThrownBy {
    /// The program rolled or drew at random.
    #[default]
    #[serde(rename = "ours")]
    Program,
    /// A player, with real dice and cards, who typed them in.
    #[serde(rename = "typed")]
    Player,
    /// Several players together, so that none of them could foresee or choose it.
    #[serde(rename = "sealed")]
    Sealed,
}

/// Where faces, cards and answers come from.
///
/// An implementation gives exactly `count` faces, each from 1 to `sides`; a card that is in the
/// deck (the caller takes it out); an answer that is accepted. Or it says why not.
pub trait InputSource {
    /// Gives the faces of one roll, in the order of the dice.
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError>;
    /// Gives one card; the caller takes it out of the deck.
    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError>;
    /// Draws several cards, at most as many as are left. Their order does not matter.
    fn cards(&mut self, request: &CardRequest<'_>, count: u32) -> Result<Vec<u32>, SourceError> {
        let mut deck = request.deck.clone();
        let mut drawn = Vec::new();
        for _ in 0..count {
            let card = self.card(&CardRequest { deck: &deck, ..*request })?;
            deck.take(card).map_err(SourceError::BadCard)?;
            drawn.push(card);
        }
        Ok(drawn)
    }
    /// Gives an answer that the question accepts.
    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError>;
    /// Who rolled the dice or drew the card that came last. Answers are always a player's.
    fn thrown_by(&self) -> ThrownBy;
    /// Checks at the end of a run that nothing is left over of what was given beforehand.
    fn finish(&self) -> Result<(), SourceError> {
        Ok(())
    }
}

impl<S: InputSource + ?Sized> InputSource for &mut S {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        (**self).dice(request)
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        (**self).card(request)
    }

    fn cards(&mut self, request: &CardRequest<'_>, count: u32) -> Result<Vec<u32>, SourceError> {
        (**self).cards(request, count)
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError> {
        (**self).answer(question)
    }

    fn thrown_by(&self) -> ThrownBy {
        (**self).thrown_by()
    }

    fn finish(&self) -> Result<(), SourceError> {
        (**self).finish()
    }
}
