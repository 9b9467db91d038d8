//! The inputs of a roll that is not finished. A die that was rolled stays rolled: the roll goes on
//! from its inputs, and only what the player gave last can be taken back.

use crate::{RecordedInput, ThrownBy};
use serde::{Deserialize, Serialize};

/// Dice, cards and answers of a roll so far, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RollSoFar(Vec<RecordedInput>);

/// The way out of a roll that asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayBack {
    /// The player leaves the roll: nothing was given yet.
    Leave,
    /// The player takes back what they gave last.
    TakeBack,
    /// There is none: the program rolled or drew last.
    Closed,
}

impl RollSoFar {
    /// The inputs.
    pub fn inputs(&self) -> &[RecordedInput] {
        &self.0
    }

    /// Whether dice or cards have come. Then nothing of the situation can be changed any more.
    pub fn has_luck(&self) -> bool {
        self.0.iter().any(|input| !input.is_answer())
    }

    /// Whether dice or cards have come that are not the player's own.
    pub fn has_drawn(&self) -> bool {
        self.0.iter().any(RecordedInput::is_drawn)
    }

    /// The way out of the roll.
    pub fn way_back(&self) -> WayBack {
        match self.0.last() {
            None => WayBack::Leave,
            Some(last) if last.by() == ThrownBy::Player => WayBack::TakeBack,
            Some(_) => WayBack::Closed,
        }
    }

    /// Takes back what the player gave last. What the program rolled or drew stays.
    pub fn take_back(&mut self) -> Option<RecordedInput> {
        self.0.pop_if(|input| input.by() == ThrownBy::Player)
    }
}

impl From<Vec<RecordedInput>> for RollSoFar {
    fn from(inputs: Vec<RecordedInput>) -> RollSoFar {
        RollSoFar(inputs)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn dice(by: ThrownBy) -> RecordedInput {
        RecordedInput::Dice { faces: vec![3], by, sides: None, names: Vec::new() }
    }

    #[test]
    fn only_what_the_player_gave_last_is_taken_back() {
        let answer = RecordedInput::Answer { answer: "yes".into() };
        let mut roll = RollSoFar::default();
        assert_eq!((roll.way_back(), roll.take_back()), (WayBack::Leave, None));
        roll = vec![dice(ThrownBy::Program), dice(ThrownBy::Player), answer.clone()].into();
        assert_eq!(roll.way_back(), WayBack::TakeBack);
        assert_eq!(roll.take_back(), Some(answer));
        assert_eq!(roll.take_back(), Some(dice(ThrownBy::Player)));
        assert_eq!((roll.way_back(), roll.take_back()), (WayBack::Closed, None));
        assert!(roll.has_luck() && roll.has_drawn());
    }

    #[test]
    fn answers_are_no_luck_and_own_dice_are_not_drawn() {
        let answers: RollSoFar = vec![RecordedInput::Answer { answer: "yes".into() }].into();
        assert!(!answers.has_luck());
        let own: RollSoFar = vec![dice(ThrownBy::Player)].into();
        assert!(own.has_luck() && !own.has_drawn());
    }
}
