//! Dice notation without a pack: `adjutant roll 4d6kh3`, `adjutant odds 2d8!`.

use crate::fight::MeanData;
use crate::odds::ValueData;
use adjutant_dice::Number;
use adjutant_dice::notation::{Comparison, Formula, FormulaRoll, NumberOdds};
use adjutant_engine::Chance;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A roll of dice notation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotationRoll<'r> {
    pub notation: &'r str,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub total: Number,
    /// Every handful of dice, from left to right.
    pub handfuls: Vec<NotationHandful<'r>>,
}

/// One handful of a roll.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotationHandful<'r> {
    pub notation: &'r str,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub total: Number,
    pub dice: Vec<NotationDie<'r>>,
}

/// One die of a roll.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotationDie<'r> {
    /// The face, or the sum of an exploded die.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub value: Number,
    /// What the die counts for.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub worth: Number,
    /// The face that stayed, then those that exploding added.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Number>"))]
    pub faces: &'r [Number],
    /// Faces that were re-rolled.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Number>"))]
    pub rerolled: &'r [Number],
    /// Whether an earlier die brought this one.
    pub extra: bool,
    /// Whether the die counts.
    pub kept: bool,
}

impl<'r> NotationRoll<'r> {
    /// The JSON of a roll.
    pub fn new(notation: &'r str, roll: &'r FormulaRoll) -> NotationRoll<'r> {
        let die = |die: &'r adjutant_dice::notation::DieRecord| NotationDie {
            value: die.value,
            worth: die.worth,
            faces: &die.faces,
            rerolled: &die.rerolled,
            extra: die.extra,
            kept: die.kept,
        };
        let handfuls = roll.terms.iter().map(|term| NotationHandful {
            notation: &term.text,
            total: term.total,
            dice: term.dice.iter().map(die).collect(),
        });
        NotationRoll { notation, total: roll.total, handfuls: handfuls.collect() }
    }
}

/// The exact chances of dice notation.
#[derive(Debug)]
pub struct NotationChances {
    /// Value, chance, at least, at most.
    pub values: Vec<(Number, Chance, Chance, Chance)>,
    /// The mean, reduced.
    pub mean: String,
    /// The mean for display only.
    pub about: f64,
}

impl NotationChances {
    /// The chances that the ways make.
    pub fn new(odds: &NumberOdds) -> NotationChances {
        let mut above = odds.total.clone();
        let mut values = Vec::with_capacity(odds.ways.len());
        for (value, ways) in &odds.ways {
            let at_least = above.clone();
            above -= ways;
            let at_most = &odds.total - &above;
            let chance = |ways| Chance::new(ways, odds.total.clone());
            values.push((*value, chance(ways.clone()), chance(at_least), chance(at_most)));
        }
        let mean = odds.mean();
        let sign = if mean.negative { "-" } else { "" };
        let size = Chance::new(mean.over, mean.under);
        let about = if mean.negative { -size.value() } else { size.value() };
        NotationChances { values, mean: format!("{sign}{}", size.exact()), about }
    }
}

/// The chances of dice notation as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotationOdds<'r> {
    pub notation: &'r str,
    pub values: Vec<ValueData<'r>>,
    pub mean: MeanData,
    /// After how many explosions a die stops, if any explodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_explosions: Option<u32>,
    /// How it does against other dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<NotationAgainst<'r>>,
}

/// The chances of an opposed roll.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotationAgainst<'r> {
    pub notation: &'r str,
    /// The first is higher.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub win: Chance,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub tie: Chance,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub lose: Chance,
}

impl<'r> NotationOdds<'r> {
    /// The JSON of chances.
    pub fn new(formula: &'r Formula, chances: &'r NotationChances) -> NotationOdds<'r> {
        let values = chances.values.iter().map(|(value, chance, at_least, at_most)| ValueData {
            value: *value,
            chance,
            at_least: at_least.clone(),
            at_most: at_most.clone(),
        });
        NotationOdds {
            notation: formula.text(),
            values: values.collect(),
            mean: MeanData::exactly(chances.mean.clone(), chances.about),
            most_explosions: formula.most_explosions(),
            against: None,
        }
    }
}

impl<'r> NotationAgainst<'r> {
    /// The JSON of an opposed roll.
    pub fn new(notation: &'r str, found: &Comparison) -> NotationAgainst<'r> {
        let chance = |ways: &_| Chance::new(Clone::clone(ways), found.total.clone());
        NotationAgainst {
            notation,
            win: chance(&found.wins),
            tie: chance(&found.ties),
            lose: chance(&found.loses),
        }
    }
}
