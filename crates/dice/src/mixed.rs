//! Real dice or cards beside random ones. If the player entered any dice, all dice are the
//! player's: too few faces stop the run, the generator never adds to them. The same goes for cards.

use crate::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Question, RandomInput,
    SourceError, Text, ThrownBy,
};

/// Typed faces or cards where the player gave any, a generator for the rest.
pub struct MixedInput {
    typed: EnteredInput,
    luck: RandomInput,
    own_dice: bool,
    own_cards: bool,
    own_seed: bool,
    last: ThrownBy,
    used_luck: bool,
    defaults: bool,
}

impl MixedInput {
    /// All dice and cards from the generator.
    pub fn new(luck: RandomInput) -> MixedInput {
        MixedInput {
            typed: EnteredInput::new(),
            luck,
            own_dice: false,
            own_cards: false,
            own_seed: false,
            last: ThrownBy::Program,
            used_luck: false,
            defaults: false,
        }
    }

    /// The player's own dice.
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> MixedInput {
        self.own_dice = true;
        self.typed = self.typed.with_dice(faces);
        self
    }

    /// The player's own dice, as players write their faces.
    pub fn with_faces<T: Into<Text>>(mut self, faces: impl IntoIterator<Item = T>) -> MixedInput {
        self.own_dice = true;
        self.typed = self.typed.with_faces(faces);
        self
    }

    /// The player's own cards.
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> MixedInput {
        self.own_cards = true;
        self.typed = self.typed.with_cards(cards);
        self
    }

    /// An answer given beforehand.
    pub fn with_answer(mut self, key: impl Into<String>, answer: impl Into<String>) -> MixedInput {
        self.typed = self.typed.with_answer(key, answer);
        self
    }

    /// The player chose the seed, and with it the luck: it counts as the player's own.
    pub fn with_own_seed(mut self) -> MixedInput {
        self.own_seed = true;
        self
    }

    /// Questions with a default need no answer.
    pub fn with_defaults(mut self) -> MixedInput {
        self.defaults = true;
        self
    }

    /// For a roll that goes on: earlier inputs decided which questions came up, and a client may
    /// repeat the answers that it gave then.
    pub fn continued(mut self) -> MixedInput {
        self.used_luck = true;
        self
    }

    fn thrower(&self, own: bool) -> ThrownBy {
        if own || self.own_seed { ThrownBy::Player } else { ThrownBy::Program }
    }
}

impl InputSource for MixedInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.last = self.thrower(self.own_dice);
        self.used_luck |= !self.own_dice;
        if self.own_dice { self.typed.dice(ask) } else { self.luck.dice(ask) }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.last = self.thrower(self.own_cards);
        self.used_luck |= !self.own_cards;
        if self.own_cards { self.typed.card(ask) } else { self.luck.card(ask) }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match (self.typed.answer(ask), ask.default.filter(|_| self.defaults)) {
            (Err(SourceError::Missing(_)), Some(default)) => Ok(default.clone()),
            (given, _) => given,
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.last
    }

    /// Checks that all typed faces and cards were used and, unless luck of the program decided
    /// which questions came up, all answers.
    fn finish(&self) -> Result<(), SourceError> {
        self.typed.finish()?;
        if self.used_luck { Ok(()) } else { self.typed.finish_answers() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Accepts, Unused};

    const JAM: Question<'static> = Question {
        key: "jam",
        prompt: "?",
        accepts: &Accepts::YesNo,
        assume: None,
        default: Some(&Answer::YesNo(true)),
    };

    fn input() -> MixedInput {
        MixedInput::new(RandomInput::seeded(1))
    }

    #[test]
    fn an_answer_to_a_question_that_did_not_come_is_left_over() {
        let idle = input().with_dice([3]).with_answer("jam", "no");
        let idle = {
            let mut idle = idle;
            idle.dice(&DiceRequest::new("d", "", 1, 6)).unwrap();
            idle.finish()
        };
        assert_eq!(idle, Err(SourceError::Unused(Unused::Answers(vec!["jam".into()]))));
        let mut asked = input().with_answer("jam", "no");
        assert_eq!(asked.answer(&JAM), Ok(Answer::YesNo(false)));
        assert_eq!(asked.finish(), Ok(()));
        // Where luck decides which questions come up, an answer may be given in advance.
        let mut lucky = input().with_answer("jam", "no");
        lucky.dice(&DiceRequest::new("d", "", 1, 6)).unwrap();
        assert_eq!(lucky.finish(), Ok(()));
    }

    #[test]
    fn a_default_stands_for_an_answer_only_if_defaults_do() {
        assert!(matches!(input().answer(&JAM), Err(SourceError::Missing(_))));
        assert_eq!(input().with_defaults().answer(&JAM), Ok(Answer::YesNo(true)));
        let mut answered = input().with_defaults().with_answer("jam", "no");
        assert_eq!(answered.answer(&JAM), Ok(Answer::YesNo(false)));
    }
}
