//! What an input or a question accepts, and the answer read from a player's text. One grammar
//! serves the inputs of a chart, the attributes of a unit, switches, and questions asked in
//! mid-course.

use crate::{Number, NumberError, Text};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One word of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceWord {
    /// The word as it is typed and stored.
    pub id: Text,
    /// The word as a player reads it.
    pub label: Text,
}

/// The values that an input or a question accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Accepts {
    /// `yes` or `no`, and the other words of [`Accepts::read`].
    YesNo,
    /// One of some words.
    Choice {
        /// The words, in the sheet's order.
        words: Vec<ChoiceWord>,
    },
    /// A number in a range, in steps.
    Number {
        /// The least number.
        from: Number,
        /// The greatest number.
        to: Number,
        /// The steps between them, counted from zero: 1 for whole numbers, 1/2 for halves.
        step: Number,
    },
}

/// An answer or an input's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// Stands for `yes` or `no`.
    YesNo(bool),
    /// Stands in the range and on a step, if it was read.
    Number(Number),
    /// The id of one of the words.
    Choice(Text),
}

/// Why a text is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum AnswerError {
    /// A number that cannot be held exactly.
    Number {
        /// The player's text, clipped so that a message stays short.
        text: Text,
        /// The reason from the number's reader.
        error: NumberError,
    },
    /// Something else is accepted.
    NotAccepted {
        /// The player's text, clipped so that a message stays short.
        text: Text,
        /// The values that the player may give instead.
        accepts: Accepts,
    },
}

impl Accepts {
    /// Tests an answer of any origin: its kind, its word or its range and step.
    pub fn holds(&self, answer: &Answer) -> bool {
        match (self, answer) {
            (Accepts::YesNo, Answer::YesNo(_)) => true,
            (Accepts::Choice { words }, Answer::Choice(word)) => {
                words.iter().any(|w| w.id == *word)
            }
            (Accepts::Number { from, to, step }, Answer::Number(n)) => {
                from <= n && n <= to && n.is_multiple_of(*step)
            }
            _ => false,
        }
    }

    /// The words of a choice.
    pub fn words(&self) -> Option<&[ChoiceWord]> {
        match self {
            Accepts::Choice { words } => Some(words),
            _ => None,
        }
    }

    /// Reads a player's text.
    ///
    /// ```
    /// use adjutant_dice::{Accepts, Answer};
    /// assert_eq!(Accepts::YesNo.read("yes"), Ok(Answer::YesNo(true)));
    /// assert!(Accepts::YesNo.read("maybe").is_err());
    /// ```
    pub fn read(&self, text: &str) -> Result<Answer, AnswerError> {
        let text = text.trim();
        let answer = match self {
            Accepts::YesNo => {
                let is =
                    |words: [&str; 5]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
                let yes = is(["yes", "y", "true", "on", "1"]);
                (yes || is(["no", "n", "false", "off", "0"])).then_some(Answer::YesNo(yes))
            }
            Accepts::Choice { words } => words
                .iter()
                .find(|w| w.id.eq_ignore_ascii_case(text))
                .map(|w| Answer::Choice(w.id.clone())),
            Accepts::Number { .. } => match text.parse::<Number>() {
                Ok(n) => Some(Answer::Number(n)).filter(|answer| self.holds(answer)),
                Err(NumberError::NotANumber) => None,
                Err(error) => return Err(AnswerError::Number { text: clipped(text), error }),
            },
        };
        answer
            .ok_or_else(|| AnswerError::NotAccepted { text: clipped(text), accepts: self.clone() })
    }
}

/// A stranger's text may be long or hold control characters; a sentence shows only its beginning.
fn clipped(text: &str) -> Text {
    let clean: Text = text.chars().filter(|c| !c.is_control()).collect();
    match clean.char_indices().nth(60) {
        Some((end, _)) => ecow::eco_format!("{}…", &clean[..end]),
        None => clean,
    }
}

/// The sentence part that says what is accepted.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::YesNo(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Answer::Number(n) => n.fmt(f),
            Answer::Choice(word) => f.write_str(word),
        }
    }
}

// A text that is a number is read as a number.
impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        struct AnswerVisitor;
        impl Visitor<'_> for AnswerVisitor {
            type Value = Answer;

            fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
                words.write_str("yes or no, a number, or a word")
            }

            fn visit_bool<E: de::Error>(self, yes: bool) -> Result<Answer, E> {
                Ok(Answer::YesNo(yes))
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Answer, E> {
                Number::whole(n).map(Answer::Number).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Answer, E> {
                i64::try_from(n)
                    .map_err(|_| NumberError::TooLarge)
                    .and_then(Number::whole)
                    .map(Answer::Number)
                    .map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Answer, E> {
                Ok(text.parse().map_or_else(|_| Answer::Choice(text.into()), Answer::Number))
            }
        }
        deserializer.deserialize_any(AnswerVisitor)
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Answer::YesNo(yes) => serializer.serialize_bool(*yes),
            Answer::Number(n) => n.serialize(serializer),
            Answer::Choice(word) => serializer.serialize_str(word),
        }
    }
}
