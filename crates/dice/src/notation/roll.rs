//! Rolls a formula with dice from a source.

use super::{Formula, FormulaNode, MOST_EXPLOSIONS, Shape, Term};
use crate::handful::DieFace;
use crate::{DiceRequest, InputSource, Number, NumberError, SourceError};

/// One die of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieRecord {
    /// Faces that were re-rolled.
    pub rerolled: Vec<Number>,
    /// The face that stayed, and those that an exploding die added to it.
    pub faces: Vec<Number>,
    /// The face, or the sum of an exploded die.
    pub value: Number,
    /// The amount that the die adds: its value, or 1, 0 or −1 if dice are counted.
    pub worth: Number,
    /// Set if an earlier die brought this one.
    pub extra: bool,
    /// Set if the die counts for the total.
    pub kept: bool,
    last: usize,
}

/// The dice of one part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermRoll {
    /// As it was written.
    pub text: String,
    /// In the order in which they were rolled.
    pub dice: Vec<DieRecord>,
    /// Set if dice are counted (`cs`, `cf`) rather than added up.
    pub counts: bool,
    /// The sum of the dice kept.
    pub total: Number,
}

/// A formula that was rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaRoll {
    /// Every handful, in the order of the text.
    pub terms: Vec<TermRoll>,
    /// The number that the whole formula comes to.
    pub total: Number,
}

/// Why a formula could not be rolled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RollError {
    /// The dice did not come.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A number outgrows its bounds, or something is divided by 0.
    #[error(transparent)]
    Number(#[from] NumberError),
}

impl Formula {
    /// Rolls every handful from left to right. A d66 is asked for as two d6, a Fudge die as a d3
    /// (1 is −1, 2 is 0, 3 is 1).
    pub fn roll(&self, source: &mut dyn InputSource) -> Result<FormulaRoll, RollError> {
        let mut terms = Vec::new();
        let total = roll(&self.root, source, &mut terms)?;
        Ok(FormulaRoll { terms, total })
    }
}

fn roll(
    node: &FormulaNode,
    source: &mut dyn InputSource,
    terms: &mut Vec<TermRoll>,
) -> Result<Number, RollError> {
    match node {
        FormulaNode::Number(n) => Ok(*n),
        FormulaNode::Minus(inner) => roll(inner, source, terms).map(|n| -n),
        FormulaNode::Both(operator, a, b) => {
            let (a, b) = (roll(a, source, terms)?, roll(b, source, terms)?);
            Ok(operator.apply(a, b)?)
        }
        FormulaNode::Dice(term) => {
            let faces = term.faces();
            let rolled = Rolling { term, faces, source }.roll()?;
            let total = rolled.total;
            terms.push(rolled);
            Ok(total)
        }
    }
}

struct Rolling<'a> {
    term: &'a Term,
    faces: Vec<DieFace>,
    source: &'a mut dyn InputSource,
}

impl Rolling<'_> {
    /// So many places on the die.
    fn places(&mut self, count: usize) -> Result<Vec<usize>, RollError> {
        let (each, sides) = match self.term.shape {
            Shape::Sides(sides) => (1, sides),
            Shape::Fudge => (1, 3),
            Shape::Digits(digits) => (digits as usize, 6),
        };
        let request = DiceRequest::new("roll", &self.term.text, (count * each) as u32, sides);
        let faces = self.source.dice(&request)?;
        let place = |digits: &[u32]| digits.iter().fold(0, |n, face| n * sides + face - 1) as usize;
        Ok(faces.chunks(each).map(place).collect())
    }

    /// New dice, re-rolled and exploded.
    fn dice(&mut self, count: usize, extra: bool) -> Result<Vec<DieRecord>, RollError> {
        let mut dice: Vec<DieRecord> = self
            .places(count)?
            .into_iter()
            .map(|last| DieRecord {
                rerolled: Vec::new(),
                faces: Vec::new(),
                value: Number::ZERO,
                worth: Number::ZERO,
                extra,
                kept: true,
                last,
            })
            .collect();
        for (rule, (_, until)) in self.term.rerolls.iter().enumerate() {
            let mut hit: Vec<usize> =
                (0..dice.len()).filter(|at| dice[*at].rerolled.is_empty()).collect();
            loop {
                hit.retain(|at| self.faces[dice[*at].last].rerolls >> rule & 1 == 1);
                if hit.is_empty() {
                    break;
                }
                for (at, place) in hit.iter().zip(self.places(hit.len())?) {
                    let die = &mut dice[*at];
                    die.rerolled.push(self.faces[die.last].value);
                    die.last = place;
                }
                if !until {
                    break;
                }
            }
        }
        for die in &mut dice {
            die.value = self.faces[die.last].value;
            die.faces.push(die.value);
        }
        if self.term.explode.is_some() {
            self.explode(&mut dice)?;
        }
        Ok(dice)
    }

    fn explode(&mut self, dice: &mut [DieRecord]) -> Result<(), RollError> {
        for _ in 0..MOST_EXPLOSIONS {
            let hit: Vec<usize> =
                (0..dice.len()).filter(|at| self.faces[dice[*at].last].explodes).collect();
            // A die that stopped exploding keeps its last face, which does not explode.
            if hit.is_empty() {
                break;
            }
            for (at, place) in hit.iter().zip(self.places(hit.len())?) {
                let die = &mut dice[*at];
                die.last = place;
                die.faces.push(self.faces[place].value);
                die.value = die.value.plus(self.faces[place].value)?;
            }
        }
        Ok(())
    }

    fn roll(mut self) -> Result<TermRoll, RollError> {
        let mut dice = self.dice(self.term.count as usize, false)?;
        let mut from = 0;
        for _ in 0..if self.term.extra.is_some() { MOST_EXPLOSIONS } else { 0 } {
            let brings = |die: &&DieRecord| self.faces[die.last].brings_extra;
            let more = dice[from..].iter().filter(brings).count();
            from = dice.len();
            if more == 0 {
                break;
            }
            dice.extend(self.dice(more, true)?);
        }
        self.keep(&mut dice);
        let mut total = Number::ZERO;
        for die in &mut dice {
            die.worth = self.term.worth(die.value);
            if die.kept {
                total = total.plus(die.worth)?;
            }
        }
        let counts = self.term.successes.is_some() || self.term.failures.is_some();
        Ok(TermRoll { text: self.term.text.clone(), dice, counts, total })
    }

    fn keep(&self, dice: &mut [DieRecord]) {
        let mut order: Vec<usize> = (0..dice.len()).collect();
        order.sort_by(|a, b| dice[*b].value.cmp(&dice[*a].value));
        let (rules, all) = (self.term.rules(), dice.len() as u32);
        for (rank, at) in (0_u32..).zip(order) {
            dice[at].kept = rules.keeps(all, rank);
        }
    }
}
