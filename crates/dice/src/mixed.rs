//! Real dice or cards beside random ones. This is the one place that decides who rolls. If the
//! player entered any dice, all dice are the player's: too few faces stop the run, the generator
//! never adds to them. The same goes for cards.

use crate::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Question, RandomInput,
    SourceError, Text, ThrownBy,
};
use serde::{Deserialize, Serialize};

/// The dice and cards that are the player's own. The program rolls and draws the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLuck {
    /// The player rolls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dice: bool,
    /// The player draws.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cards: bool,
}

impl OwnLuck {
    /// All of it is the player's own.
    pub const ALL: OwnLuck = OwnLuck { dice: true, cards: true };

    /// All of it is the program's.
    pub const NONE: OwnLuck = OwnLuck { dice: false, cards: false };
}

/// A reply to what a roll asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// All faces of one roll.
    Dice(Vec<u32>),
    /// The number of a card.
    Card(u32),
    /// An answer to the question of this name.
    Answer {
        /// The name of the question.
        key: String,
        /// The answer as it was typed.
        text: String,
    },
    /// The program rolls or draws this time.
    Program,
}

/// Typed faces or cards where the player gave any, a generator for the rest.
pub struct MixedInput<L = RandomInput> {
    typed: EnteredInput,
    luck: L,
    own: OwnLuck,
    own_seed: bool,
    /// Whether the program rolls or draws once although the luck is the player's own.
    program_once: bool,
    last: ThrownBy,
    used_luck: bool,
    defaults: bool,
}

impl<L: InputSource> MixedInput<L> {
    /// All dice and cards from the generator.
    pub fn new(luck: L) -> MixedInput<L> {
        MixedInput {
            typed: EnteredInput::new(),
            luck,
            own: OwnLuck::NONE,
            own_seed: false,
            program_once: false,
            last: ThrownBy::Program,
            used_luck: false,
            defaults: false,
        }
    }

    /// The player rolls and draws these.
    #[must_use]
    pub fn with_own(mut self, own: OwnLuck) -> MixedInput<L> {
        self.own = OwnLuck { dice: self.own.dice || own.dice, cards: self.own.cards || own.cards };
        self
    }

    /// The reply to what the roll asked for.
    #[must_use]
    pub fn with_entry(mut self, entry: impl Into<Option<Entry>>) -> MixedInput<L> {
        match entry.into() {
            None => {}
            Some(Entry::Dice(faces)) => self.typed = self.typed.with_dice(faces),
            Some(Entry::Card(card)) => self.typed = self.typed.with_cards([card]),
            Some(Entry::Answer { key, text }) => {
                self.typed = self.typed.with_answer_once(key, text);
            }
            Some(Entry::Program) => self.program_once = true,
        }
        self
    }

    /// The player's own dice.
    #[must_use]
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> MixedInput<L> {
        self.own.dice = true;
        self.typed = self.typed.with_dice(faces);
        self
    }

    /// The player's own dice, as players write their faces.
    #[must_use]
    pub fn with_faces<T: Into<Text>>(
        mut self,
        faces: impl IntoIterator<Item = T>,
    ) -> MixedInput<L> {
        self.own.dice = true;
        self.typed = self.typed.with_faces(faces);
        self
    }

    /// The player's own cards.
    #[must_use]
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> MixedInput<L> {
        self.own.cards = true;
        self.typed = self.typed.with_cards(cards);
        self
    }

    /// An answer given beforehand.
    #[must_use]
    pub fn with_answer(
        mut self,
        key: impl Into<String>,
        answer: impl Into<String>,
    ) -> MixedInput<L> {
        self.typed = self.typed.with_answer(key, answer);
        self
    }

    /// The player chose the seed, and with it the luck: it counts as the player's own.
    #[must_use]
    pub fn with_own_seed(mut self) -> MixedInput<L> {
        self.own_seed = true;
        self
    }

    /// Questions with a default need no answer.
    #[must_use]
    pub fn with_defaults(mut self) -> MixedInput<L> {
        self.defaults = true;
        self
    }

    /// For a roll that goes on: earlier inputs decided which questions came up, and a client may
    /// repeat the answers that it gave then.
    #[must_use]
    pub fn continued(mut self) -> MixedInput<L> {
        self.used_luck = true;
        self
    }

    /// Whether the player rolls or draws this time. Notes who does.
    fn is_own(&mut self, own: bool) -> bool {
        let own = own && !std::mem::take(&mut self.program_once);
        self.used_luck |= !own;
        self.last = if own || self.own_seed { ThrownBy::Player } else { ThrownBy::Program };
        own
    }
}

impl<L: InputSource> InputSource for MixedInput<L> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        if self.is_own(self.own.dice) { self.typed.dice(ask) } else { self.luck.dice(ask) }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        if self.is_own(self.own.cards) { self.typed.card(ask) } else { self.luck.card(ask) }
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
