//! Rolls a handful of dice: the first roll, re-rolls, explosions, extra dice, then which dice count
//! and what they are worth. Every request goes through the input source, so each is one entry of a
//! log.

mod outcome;
mod roll;
mod show;

use adjutant_dice::{Number, Text};
use adjutant_pack::{Die, Value, Word};

/// Dice of one kind, with their number and faces worked out.
pub(crate) struct HandKind<'p> {
    pub count: u32,
    pub word: Word,
    die: HandDie<'p>,
}

#[derive(Clone, Copy)]
enum HandDie<'p> {
    Plain(u32),
    Digits { sides: u32, digits: u32 },
    Named(&'p Die),
}

impl<'p> HandKind<'p> {
    /// The number of faces.
    pub fn faces(&self) -> usize {
        match self.die {
            HandDie::Plain(sides) => sides as usize,
            HandDie::Digits { sides, digits } => sides.pow(digits) as usize,
            HandDie::Named(die) => die.faces.len(),
        }
    }

    /// What the face at this place shows.
    pub fn value(&self, place: usize) -> Value {
        match self.die {
            HandDie::Plain(_) => Value::Number(Number::from(place as u32 + 1)),
            HandDie::Digits { sides, digits } => {
                let (mut rest, mut number, mut unit) = (place as u32, 0, 1);
                for _ in 0..digits {
                    number += (rest % sides + 1) * unit;
                    rest /= sides;
                    unit *= 10;
                }
                Value::Number(Number::from(number))
            }
            HandDie::Named(die) => {
                die.faces.get(place).map_or(Value::YesNo(false), |face| face.value)
            }
        }
    }

    /// The highest face, or the number of faces if they are words.
    fn highest(&self) -> Number {
        match self.die {
            HandDie::Plain(sides) => Number::from(sides),
            HandDie::Digits { sides, digits } => {
                Number::from((0..digits).fold(0, |number, _| number * 10 + sides))
            }
            HandDie::Named(die) => {
                let numbers = die.faces.iter().filter_map(|face| face.value.number());
                numbers.max().unwrap_or(Number::from(die.faces.len() as u32))
            }
        }
    }

    /// A number field of a face; 0 if it has none.
    pub fn field(&self, value: Value, name: Word) -> Number {
        match self.die {
            HandDie::Named(die) => {
                let face = die.faces.iter().find(|face| face.value == value);
                face.map_or(Number::ZERO, |face| face.field(name))
            }
            _ => Number::ZERO,
        }
    }

    /// The title of a face, if the die has names.
    fn title(&self, value: Value) -> Option<Text> {
        let HandDie::Named(die) = self.die else { return None };
        die.faces.iter().find(|face| face.value == value).map(|face| face.title.clone())
    }

    fn written(&self, count: u32) -> Text {
        match self.die {
            HandDie::Plain(sides) => format!("{count}d{sides}").into(),
            HandDie::Digits { sides, digits } => {
                format!("{count}d{}", sides.to_string().repeat(digits as usize)).into()
            }
            HandDie::Named(die) if count == 1 => die.title.clone(),
            HandDie::Named(die) => format!("{count} × {}", die.title).into(),
        }
    }
}

/// One die that lies there.
#[derive(Clone, Debug)]
pub(crate) struct Lying {
    /// Its place among the kinds.
    pub kind: usize,
    /// The places of all its faces in order: those re-rolled, the one that stayed, then those that
    /// exploding added.
    pub places: Vec<usize>,
    /// How many of them were re-rolled.
    pub rerolls: usize,
    /// How many extra dice came before it from the same first die; 0 for a die of the first roll.
    pub extra: u32,
}

impl Lying {
    pub fn new(kind: usize, place: usize, extra: u32) -> Lying {
        Lying { kind, places: vec![place], rerolls: 0, extra }
    }

    /// The face rolled last.
    fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// The face, or the sum of an exploded die.
    fn value(&self, kinds: &[HandKind<'_>]) -> Value {
        let kind = &kinds[self.kind];
        match &self.places[self.rerolls..] {
            [only] => kind.value(*only),
            all => {
                let numbers = all.iter().filter_map(|place| kind.value(*place).number());
                let sum = numbers.fold(Number::ZERO, |sum, n| sum.plus(n).unwrap_or(sum));
                Value::Number(sum)
            }
        }
    }
}

/// What a finished die counts for.
#[derive(Clone, Debug)]
pub(crate) struct DieScore {
    /// What it adds to the total; `None` if words are not added.
    pub worth: Option<Number>,
    /// By what dice are kept.
    pub rank: Number,
    pub tallies: Vec<Number>,
}

/// What a handful comes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandfulOutcome {
    pub dice: Vec<FinishedDie>,
    pub natural: Option<Number>,
    /// The face of the one die that counts.
    pub face: Option<Value>,
    pub filled: u32,
    pub partly: Number,
    /// How often the whole roll was made again.
    pub again: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct FinishedDie {
    pub lying: Lying,
    pub value: Value,
    pub score: DieScore,
    pub kept: bool,
}

/// The number that stands for a value where values are put in order. Words that come first on
/// their die are the higher.
pub(crate) fn order(value: Value, kinds: &[HandKind<'_>]) -> Number {
    if let Value::Number(n) = value {
        return n;
    }
    let all = kinds.iter().flat_map(|kind| (0..kind.faces()).map(|place| kind.value(place)));
    let place = all.into_iter().position(|known| known == value).unwrap_or(0);
    -Number::from(place as u32 + 1)
}
