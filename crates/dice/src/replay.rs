//! A run recorded and run again: all that came through the seam, in order. Given the same inputs, a
//! replay yields the same account; a record that does not fit is refused at the first divergence.

use crate::{Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, ThrownBy, Unused};
use serde::{Deserialize, Serialize};

/// One thing that came through the seam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayedInput {
    /// Faces of dice.
    Dice(Vec<u32>),
    /// A card.
    Card(u32),
    /// A player's answer.
    Answer(Answer),
}

/// Notes what comes through another source.
pub struct Recorder<S> {
    from: S,
    came: Vec<ReplayedInput>,
}

impl<S: InputSource> Recorder<S> {
    /// Records what this source gives.
    pub fn new(from: S) -> Recorder<S> {
        Recorder { from, came: Vec::new() }
    }

    /// What came, in order.
    pub fn into_record(self) -> Vec<ReplayedInput> {
        self.came
    }
}

impl<S: InputSource> InputSource for Recorder<S> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let faces = self.from.dice(ask)?;
        self.came.push(ReplayedInput::Dice(faces.clone()));
        Ok(faces)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(ask)?;
        self.came.push(ReplayedInput::Card(card));
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let answer = self.from.answer(ask)?;
        self.came.push(ReplayedInput::Answer(answer.clone()));
        Ok(answer)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }
}

/// A record as a source.
///
/// ```
/// use adjutant_dice::{DiceRequest, RandomInput, Recorder, Replay, InputSource};
/// let ask = DiceRequest::new("dr", "a check", 2, 6);
/// let mut live = Recorder::new(RandomInput::seeded(1));
/// let faces = live.dice(&ask).unwrap();
/// let record = live.into_record();
/// let mut again = Replay::new(&record);
/// assert_eq!(again.dice(&ask).unwrap(), faces);
/// again.finish().unwrap();
/// ```
pub struct Replay<'a> {
    came: &'a [ReplayedInput],
    next: usize,
}

impl<'a> Replay<'a> {
    /// Gives what the record holds.
    pub fn new(came: &'a [ReplayedInput]) -> Replay<'a> {
        Replay { came, next: 0 }
    }

    /// That the whole record was used.
    pub fn finish(&self) -> Result<(), SourceError> {
        match self.came.len() - self.next {
            0 => Ok(()),
            rest => Err(SourceError::Unused(Unused::Recorded(rest))),
        }
    }

    fn next(&mut self, none: impl FnOnce() -> SourceError) -> Result<&'a ReplayedInput, SourceError> {
        let came = self.came.get(self.next).ok_or_else(none)?;
        self.next += 1;
        Ok(came)
    }

}

impl InputSource for Replay<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        match self.next(|| ask.missing())? {
            ReplayedInput::Dice(faces) if faces.len() == ask.count as usize && faces.iter().all(|f| (1..=ask.sides).contains(f)) => {
                Ok(faces.clone())
            }
            _ => Err(ask.mismatch()),
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        match self.next(|| ask.missing())? {
            ReplayedInput::Card(card) if ask.deck.can_take(*card).is_ok() => Ok(*card),
            _ => Err(ask.mismatch()),
        }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match self.next(|| ask.missing())? {
            ReplayedInput::Answer(answer) if ask.accepts.holds(answer) => Ok(answer.clone()),
            _ => Err(ask.mismatch()),
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Ours
    }
}
