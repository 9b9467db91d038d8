//! A checked roll of dice. Its parts act in the order of the fields: roll, re-roll, explode, extra
//! dice, keep, what each die is worth, tallies, boxes to fill, one die to choose. Inside them the
//! name `face` is one die.

use crate::expr::{Formula, Slot};
use crate::ids::{DieId, FieldId};
use crate::value::Word;
use adjutant_dice::Text;

/// The most dice that lie there after extra dice were rolled.
pub const MOST_ROLLED: u32 = 1000;

/// A roll of dice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Roll {
    /// The kinds of dice, at least one. Modifiers change the number of the first.
    pub kinds: Vec<RolledKind>,
    /// Rules for rolling single dice again.
    pub reroll: Vec<Reroll>,
    /// A die that is rolled again and added to itself.
    pub explode: Option<Explode>,
    /// A die that brings another die.
    pub extra: Option<Explode>,
    /// If set, only some of the dice count.
    pub keep: Option<Keep>,
    /// What a die is worth; its face if left out.
    pub each: Option<Worth>,
    /// Further sums over the dice that count.
    pub tally: Vec<DieTally>,
    /// Boxes that the dice fill in order.
    pub fill: Option<Fill>,
    /// If set, one die counts.
    pub choose: Option<Choose>,
    /// What the step's own name stands for.
    pub yields: Yields,
    /// The names of one die that its expressions use.
    pub face: Vec<(FacePart, Slot)>,
    /// The number and notation of the dice (`2d6`), if they are fixed.
    pub written: Option<(u32, Text)>,
    /// The word for what is counted, such as hits.
    pub counted: String,
}

/// Dice of one kind in a roll.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RolledKind {
    /// The die.
    pub die: RolledDie,
    /// The number of dice.
    pub count: Formula,
    /// The name of the kind in `face.die`.
    pub word: Word,
}

/// What is rolled.
#[derive(Clone, Debug)]
pub enum RolledDie {
    /// A die with faces from 1 up to this number.
    Plain(u32),
    /// The same, with a number of sides that a formula gives.
    Sized(Formula),
    /// Several dice that are read as the digits of one number: d66.
    Digits {
        /// The sides of each die.
        sides: u32,
        /// The number of digits.
        digits: u32,
    },
    /// A die of the pack.
    Named(DieId),
}

/// A rule for rolling single dice again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reroll {
    /// The dice that are rolled again.
    pub when: Formula,
    /// The reason, for the player; may be empty.
    pub because: Text,
    /// How often one die is rolled again at most.
    pub at_most: u32,
    /// How many dice are rolled again at most, the lowest first.
    pub dice: Option<Formula>,
    /// Set if a player decides.
    pub ask: Option<Decision>,
}

/// A decision of a player during a roll.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// The question.
    pub prompt: Text,
    /// What odds take the answer to be.
    pub assume: Option<Formula>,
}

/// When a die is rolled again and added, or brings another die.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explode {
    /// The condition on the face rolled last.
    pub when: Formula,
    /// How often at most, for each die.
    pub at_most: u32,
}

/// The dice or cards of a roll that count, by how many of them.
#[derive(Clone, Debug)]
pub enum Keep {
    /// So many of the highest.
    Highest(Formula),
    /// So many of the lowest.
    Lowest(Formula),
    /// Those that are among the highest or among the lowest.
    #[allow(missing_docs, reason = "the variants above say it")]
    Both { highest: Formula, lowest: Formula },
}

impl Keep {
    pub(crate) fn of(highest: Option<Formula>, lowest: Option<Formula>) -> Option<Keep> {
        match (highest, lowest) {
            (Some(highest), Some(lowest)) => Some(Keep::Both { highest, lowest }),
            (Some(highest), None) => Some(Keep::Highest(highest)),
            (None, Some(lowest)) => Some(Keep::Lowest(lowest)),
            (None, None) => None,
        }
    }

    /// The number of the highest that count, if any do.
    pub fn highest(&self) -> Option<&Formula> {
        match self {
            Keep::Highest(highest) | Keep::Both { highest, .. } => Some(highest),
            Keep::Lowest(_) => None,
        }
    }

    /// The number of the lowest that count, if any do.
    pub fn lowest(&self) -> Option<&Formula> {
        match self {
            Keep::Lowest(lowest) | Keep::Both { lowest, .. } => Some(lowest),
            Keep::Highest(_) => None,
        }
    }

    /// The formulas of both ends.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.highest().into_iter().chain(self.lowest())
    }
}

/// What a die is worth.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Worth {
    /// A number, or yes for 1.
    pub formula: Formula,
    /// The same as a limit, if it is `face >= limit` or `face <= limit`.
    pub test: Option<Test>,
}

/// A test that each die passes or fails.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Test {
    /// Whether low faces pass.
    pub low: bool,
    /// The last face that passes.
    pub limit: Formula,
}

/// A sum over the dice that count.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DieTally {
    /// Its name: `die.NAME`.
    pub name: Text,
    /// What one die adds: a number, or yes for 1.
    pub formula: Formula,
}

/// Boxes that dice fill in order. What overflows a box is lost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fill {
    /// The size of a box.
    pub size: Formula,
    /// What is in the first box already.
    pub begun: Option<Formula>,
}

/// The choice of one die.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choose {
    /// The role whose player picks, as a word; without it, the best die counts.
    pub by: Option<Formula>,
    /// How good a die is. Odds take the best one; so does play if no player picks.
    pub best: Option<Formula>,
}

/// What the name of a roll stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// The total.
    Number,
    /// The word on the one die that counts.
    Face,
    /// Nothing: words cannot be added.
    Nothing,
}

/// What an expression can ask of one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacePart {
    /// The number or word that it shows.
    Face,
    /// A number field of its face.
    Field(Word),
    /// The kind of die.
    Die,
    /// Its highest face, or the number of its faces if they are words.
    Sides,
    /// A field of a card.
    Card(FieldId),
}

/// A roll of equal plain dice, of which some may be kept and each may be tested.
#[derive(Clone, Copy, Debug)]
pub struct PlainRoll<'r> {
    /// The number of dice, before modifiers.
    pub count: &'r Formula,
    /// The number of sides of each.
    pub sides: u32,
    /// If set, the test that each die must pass.
    pub test: Option<&'r Test>,
    /// If set, how many dice count, and whether they are the lowest.
    pub keep: Option<(&'r Formula, bool)>,
}

impl Roll {
    /// The roll, if it is a plain one.
    pub fn plain(&self) -> Option<PlainRoll<'_>> {
        let [RolledKind { die: RolledDie::Plain(sides), count, .. }] = self.kinds.as_slice() else {
            return None;
        };
        let bare = self.reroll.is_empty()
            && self.explode.is_none()
            && self.extra.is_none()
            && self.tally.is_empty()
            && self.fill.is_none()
            && self.choose.is_none();
        let keep = match &self.keep {
            None => None,
            Some(Keep::Highest(count)) => Some((count, false)),
            Some(Keep::Lowest(count)) => Some((count, true)),
            Some(Keep::Both { .. }) => return None,
        };
        let test = match &self.each {
            None => None,
            Some(Worth { test: Some(test), .. }) => Some(test),
            Some(_) => return None,
        };
        bare.then_some(PlainRoll { count, sides: *sides, test, keep })
    }

    /// The test that each die must pass, if there is one.
    pub fn test(&self) -> Option<&Test> {
        self.each.as_ref()?.test.as_ref()
    }

    /// Every formula of the roll, for the inputs and names that it uses.
    pub fn formulas(&self) -> Vec<&Formula> {
        let mut all: Vec<&Formula> = Vec::new();
        for kind in &self.kinds {
            all.push(&kind.count);
            if let RolledDie::Sized(sides) = &kind.die {
                all.push(sides);
            }
        }
        for rule in &self.reroll {
            all.push(&rule.when);
            all.extend(&rule.dice);
            all.extend(rule.ask.iter().filter_map(|ask| ask.assume.as_ref()));
        }
        all.extend(self.explode.iter().chain(&self.extra).map(|rule| &rule.when));
        all.extend(self.keep.iter().flat_map(Keep::formulas));
        all.extend(self.each.iter().map(|worth| &worth.formula));
        all.extend(self.tally.iter().map(|tally| &tally.formula));
        all.extend(self.fill.iter().flat_map(|fill| [&fill.size].into_iter().chain(&fill.begun)));
        all.extend(self.choose.iter().flat_map(|choose| choose.by.iter().chain(&choose.best)));
        all
    }
}
