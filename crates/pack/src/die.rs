//! Dice with faces of their own, and lists of words. A face, like a card or a word of a list, is a
//! name with number fields.

use crate::value::{Value, Word};
use adjutant_dice::{Number, Text};

/// A die of the pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Die {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// The faces, by their place on the die.
    pub faces: Vec<DieFace>,
    /// The names of the faces, in the same order, as players type them.
    pub names: Vec<Text>,
}

impl Die {
    /// Whether the faces are words rather than numbers.
    pub fn has_words(&self) -> bool {
        matches!(self.faces.first(), Some(DieFace { value: Value::Word(_), .. }))
    }
}

/// A face of a die.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DieFace {
    /// The number or word that it shows.
    pub value: Value,
    /// The name that the player sees.
    pub title: Text,
    /// A symbol to show beside the name; may be empty.
    pub symbol: Text,
    /// Its number fields.
    pub fields: Vec<(Word, Number)>,
}

impl DieFace {
    /// A number field; 0 if the face does not have it.
    pub fn field(&self, name: Word) -> Number {
        self.fields.iter().find(|(known, _)| *known == name).map_or(Number::ZERO, |(_, n)| *n)
    }
}

/// A list of words that questions and expressions share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WordList {
    /// The id in the pack.
    pub id: Text,
    /// The words in order.
    pub words: Vec<ListWord>,
}

impl WordList {
    /// The titles of the words, as a list.
    pub fn titles(&self) -> String {
        self.words.iter().map(|word| word.title.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// A word of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListWord {
    /// The word in expressions.
    pub word: Word,
    /// The name that the player sees.
    pub title: Text,
    /// Its number fields.
    pub fields: Vec<(Word, Number)>,
}
