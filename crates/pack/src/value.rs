//! What an expression can be worth, and what kind of thing that is. Words of choices are kept once, in
//! [`Words`], so that a value is small, copyable and compared as a number.

use adjutant_dice::{Answer, Number, Text};
use std::collections::{BTreeSet, HashMap};

/// A word of some choice, by its place in [`Words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub(crate) u32);

/// All the words of a pack's choices.
#[derive(Clone, Debug, Default)]
pub struct Words {
    texts: Vec<Text>,
    places: HashMap<String, Word>,
}

impl Words {
    /// The word for this text, made if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> Word {
        if let Some(word) = self.places.get(text) {
            return *word;
        }
        let word = Word(self.texts.len() as u32);
        self.texts.push(text.into());
        self.places.insert(text.to_owned(), word);
        word
    }

    /// The word for this text, if the pack has it.
    pub fn find(&self, text: &str) -> Option<Word> {
        self.places.get(text).copied()
    }

    /// The text of a word.
    pub fn text(&self, word: Word) -> &str {
        self.texts.get(word.0 as usize).map_or("", Text::as_str)
    }
}

/// A number, a yes or no, or a word.
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
    /// The number, if it is one.
    pub fn number(self) -> Option<Number> {
        match self {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Whether it is a yes.
    pub fn is_yes(self) -> bool {
        self == Value::YesNo(true)
    }

    /// As an answer that can leave the pack.
    pub fn to_answer(self, words: &Words) -> Answer {
        match self {
            Value::Number(n) => Answer::Number(n),
            Value::YesNo(yes) => Answer::YesNo(yes),
            Value::Word(word) => Answer::Choice(words.texts.get(word.0 as usize).cloned().unwrap_or_default()),
        }
    }

    /// From an answer, if its word is one of the pack's.
    pub fn from_answer(answer: &Answer, words: &Words) -> Option<Value> {
        Some(match answer {
            Answer::Number(n) => Value::Number(*n),
            Answer::YesNo(yes) => Value::YesNo(*yes),
            Answer::Choice(text) => Value::Word(words.find(text)?),
        })
    }
}

/// The kind of thing an expression yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// Yes or no.
    YesNo,
    /// One of these words.
    Choice(BTreeSet<Word>),
}
