//! Input that players type in: the faces of real dice, real cards, and answers given beforehand.
//! Every face is checked (no 7 on a d6, no card twice). What is left over is an error: the player
//! and the chart disagree on what was rolled.

use crate::{
    Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, ThrownBy, Unused,
};
use std::collections::{BTreeMap, VecDeque};

/// Faces, cards and answers given beforehand, used in the order in which they are asked for.
///
/// An answer given once stands for every time its question is asked; given several times, they are
/// used in order and the last stands for the rest.
#[derive(Clone, Debug, Default)]
pub struct EnteredInput {
    dice: VecDeque<u32>,
    cards: VecDeque<u32>,
    answers: BTreeMap<String, VecDeque<String>>,
}

impl EnteredInput {
    /// Nothing typed yet.
    pub fn new() -> EnteredInput {
        EnteredInput::default()
    }

    /// With these faces.
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> EnteredInput {
        self.dice.extend(faces);
        self
    }

    /// With these cards.
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> EnteredInput {
        self.cards.extend(cards);
        self
    }

    /// With this answer to the question of this name.
    pub fn with_answer(
        mut self,
        key: impl Into<String>,
        answer: impl Into<String>,
    ) -> EnteredInput {
        self.answers.entry(key.into()).or_default().push_back(answer.into());
        self
    }

    /// Checks that all faces and cards were used.
    pub fn finish(&self) -> Result<(), SourceError> {
        if !self.dice.is_empty() {
            return Err(SourceError::Unused(Unused::Faces(self.dice.iter().copied().collect())));
        }
        if !self.cards.is_empty() {
            return Err(SourceError::Unused(Unused::Cards(self.cards.iter().copied().collect())));
        }
        Ok(())
    }
}

impl InputSource for EnteredInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let count = ask.count as usize;
        if ask.sides == 10 {
            // The face marked 0 on a ten-sided die is its ten.
            self.dice.iter_mut().take(count).filter(|face| **face == 0).for_each(|face| *face = 10);
        }
        if let Some(face) =
            self.dice.iter().take(count).find(|face| !(1..=ask.sides).contains(face))
        {
            return Err(SourceError::BadFace {
                face: *face,
                sides: ask.sides,
                what_for: ask.what_for.into(),
            });
        }
        if self.dice.len() < count {
            return Err(ask.missing());
        }
        Ok(self.dice.drain(..count).collect())
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.cards.front().copied().ok_or_else(|| ask.missing())?;
        ask.checked(card)?;
        self.cards.pop_front();
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let given = self.answers.get_mut(ask.key).ok_or_else(|| ask.missing())?;
        let text = if given.len() > 1 { given.pop_front() } else { given.front().cloned() };
        let text = text.ok_or_else(|| ask.missing())?;
        ask.read(&text)
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Player
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accepts, Deck, DeckError, Wanted};

    const D6: DiceRequest<'_> = DiceRequest::new("dr", "check", 2, 6);

    #[test]
    fn faces_are_used_in_order_and_checked() {
        let mut typed = EnteredInput::new().with_dice([6, 1, 7, 2]);
        assert_eq!(typed.dice(&D6).unwrap(), [6, 1]);
        assert_eq!(
            typed.dice(&D6),
            Err(SourceError::BadFace { face: 7, sides: 6, what_for: "check".into() })
        );
    }

    #[test]
    fn nought_on_a_ten_sided_die_is_ten() {
        let ask = DiceRequest::new("d", "", 1, 10);
        assert_eq!(EnteredInput::new().with_dice([0]).dice(&ask).unwrap(), [10]);
        assert!(EnteredInput::new().with_dice([0, 1]).dice(&D6).is_err());
    }

    #[test]
    fn too_few_faces_name_the_roll_and_too_many_are_refused() {
        let mut typed = EnteredInput::new().with_dice([6]);
        let SourceError::Missing(need) = typed.dice(&D6).unwrap_err() else {
            panic!("expected a need")
        };
        assert_eq!(need.wanted, Wanted::Dice { count: 2, sides: 6 });
        assert_eq!(typed.finish(), Err(SourceError::Unused(Unused::Faces(vec![6]))));
    }

    #[test]
    fn a_card_is_not_drawn_twice() {
        let deck = Deck::without(60, [23]).unwrap();
        let ask = CardRequest::new("card", "", "action", &deck);
        assert_eq!(
            EnteredInput::new().with_cards([23]).card(&ask),
            Err(SourceError::BadCard(DeckError::Gone { card: 23 }))
        );
        assert_eq!(
            EnteredInput::new().with_cards([61]).card(&ask),
            Err(SourceError::BadCard(DeckError::NoSuchCard { card: 61, size: 60 }))
        );
    }

    #[test]
    fn a_single_answer_stands_and_several_are_used_in_order() {
        let ask = Question { key: "jam", prompt: "?", accepts: &Accepts::YesNo };
        let mut typed = EnteredInput::new().with_answer("jam", "no").with_answer("jam", "yes");
        let mut said = || typed.answer(&ask).unwrap();
        assert_eq!(
            [said(), said(), said()],
            [Answer::YesNo(false), Answer::YesNo(true), Answer::YesNo(true)]
        );
    }
}
