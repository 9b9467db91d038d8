//! A run recorded and run again: all that came through the seam, in order. Given the same inputs, a
//! replay yields the same account; a record that does not fit is refused at the first divergence.

use crate::{Answer, CardAsk, DiceAsk, Question, Seam, Stop};
use serde::{Deserialize, Serialize};

/// One thing that came through the seam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
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
    came: Vec<Came>,
}

impl<S: Seam> Recorder<S> {
    /// Records what this source gives.
    pub fn new(from: S) -> Recorder<S> {
        Recorder { from, came: Vec::new() }
    }

    /// What came, in order.
    pub fn into_record(self) -> Vec<Came> {
        self.came
    }
}

impl<S: Seam> Seam for Recorder<S> {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        let faces = self.from.throw(ask)?;
        self.came.push(Came::Dice(faces.clone()));
        Ok(faces)
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        let card = self.from.draw(ask)?;
        self.came.push(Came::Card(card));
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        let answer = self.from.answer(ask)?;
        self.came.push(Came::Answer(answer.clone()));
        Ok(answer)
    }
}

/// A record as a source.
///
/// ```
/// use adjutant_dice::{DiceAsk, Random, Recorder, Replay, Seam};
/// let ask = DiceAsk { key: "dr", what_for: "a check", count: 2, sides: 6 };
/// let mut live = Recorder::new(Random::seeded(1));
/// let faces = live.throw(&ask).unwrap();
/// let record = live.into_record();
/// let mut again = Replay::new(&record);
/// assert_eq!(again.throw(&ask).unwrap(), faces);
/// again.finish().unwrap();
/// ```
pub struct Replay<'a> {
    came: &'a [Came],
    next: usize,
}

impl<'a> Replay<'a> {
    /// Gives what the record holds.
    pub fn new(came: &'a [Came]) -> Replay<'a> {
        Replay { came, next: 0 }
    }

    /// That the whole record was used.
    pub fn finish(&self) -> Result<(), Stop> {
        match self.came.len() - self.next {
            0 => Ok(()),
            rest => Err(Stop::Refused(format!("the record holds {rest} entries that this run did not ask for"))),
        }
    }

    fn next(&mut self, none: impl FnOnce() -> Stop) -> Result<&'a Came, Stop> {
        let came = self.came.get(self.next).ok_or_else(none)?;
        self.next += 1;
        Ok(came)
    }

    fn misfit(&self, asked: String) -> Stop {
        Stop::Refused(format!("entry {} of the record does not fit: the run asks for {asked}", self.next))
    }
}

impl Seam for Replay<'_> {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        match self.next(|| ask.need())? {
            Came::Dice(faces) if faces.len() == ask.count as usize && faces.iter().all(|f| (1..=ask.sides).contains(f)) => {
                Ok(faces.clone())
            }
            _ => Err(self.misfit(format!("{}d{} for {}", ask.count, ask.sides, ask.key))),
        }
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        match self.next(|| ask.need())? {
            Came::Card(card) if ask.deck.can_take(*card).is_ok() => Ok(*card),
            _ => Err(self.misfit(format!("a card left in {} for {}", ask.deck_id, ask.key))),
        }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        match self.next(|| ask.need())? {
            Came::Answer(answer) if ask.accepts.holds(answer) => Ok(answer.clone()),
            _ => Err(self.misfit(format!("an answer to {}", ask.key))),
        }
    }
}
