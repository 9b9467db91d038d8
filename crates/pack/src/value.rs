//! The values and types of expressions. The words of choices are interned in [`Words`], so that a
//! value is small, `Copy` and cheap to compare.

use adjutant_dice::{Answer, Number, Text};
use std::collections::{BTreeSet, HashMap};

/// An interned word of a choice: an index into [`Words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub(crate) u32);

/// The interned words of all choices of a pack.
#[derive(Clone, Debug, Default)]
pub struct Words {
    texts: Vec<Text>,
    places: HashMap<String, Word>,
}

impl Words {
    /// Interns a text.
    pub(crate) fn intern(&mut self, text: &str) -> Word {
        if let Some(word) = self.places.get(text) {
            return *word;
        }
        let word = Word(self.texts.len() as u32);
        self.texts.push(text.into());
        self.places.insert(text.to_owned(), word);
        word
    }

    /// Looks up a text; `None` if no choice of the pack has it.
    pub fn find(&self, text: &str) -> Option<Word> {
        self.places.get(text).copied()
    }

    /// The text of a word.
    pub fn text(&self, word: Word) -> &str {
        self.texts.get(word.0 as usize).map_or("", Text::as_str)
    }
}

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An exact number.
    Number(Number),
    /// Yes or no.
    YesNo(bool),
    /// A word of a choice.
    Word(Word),
}

impl Value {
    /// The number; `None` for other types.
    pub fn number(self) -> Option<Number> {
        match self {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Whether it is a yes; false for other types.
    pub fn is_yes(self) -> bool {
        self == Value::YesNo(true)
    }

    /// Converts to an [`Answer`], which is independent of the pack.
    pub fn to_answer(self, words: &Words) -> Answer {
        match self {
            Value::Number(n) => Answer::Number(n),
            Value::YesNo(yes) => Answer::YesNo(yes),
            Value::Word(word) => {
                Answer::Choice(words.texts.get(word.0 as usize).cloned().unwrap_or_default())
            }
        }
    }

    /// Converts from an answer; `None` if the pack does not have the word.
    pub fn from_answer(answer: &Answer, words: &Words) -> Option<Value> {
        Some(match answer {
            Answer::Number(n) => Value::Number(*n),
            Answer::YesNo(yes) => Value::YesNo(*yes),
            Answer::Choice(text) => Value::Word(words.find(text)?),
        })
    }
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// Yes or no.
    YesNo,
    /// One of these words.
    Choice(BTreeSet<Word>),
}
