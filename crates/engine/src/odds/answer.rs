//! Parses how odds treat a question: a fixed answer, or a probability for each answer.

use super::request::AnswerOdds;
use adjutant_dice::{Accepts, Answer, AnswerError, Number, NumberError, Text, gcd};

/// Why a text is neither an answer nor a probability.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub enum AnswerOddsError {
    /// Neither an answer nor a probability.
    NotAChance {
        /// The text as written.
        text: Text,
        /// The accepted answers.
        accepts: Accepts,
    },
    /// A number outside 0 to 1.
    OutOfRange(Number),
    /// Neither an answer nor a list of probabilities.
    NotAccepted {
        /// The text as written.
        text: Text,
        /// The accepted answers.
        accepts: Accepts,
    },
    /// A probability is given for something that is not an accepted answer.
    Answer(#[from] AnswerError),
    /// The probabilities cannot be added.
    Sum(#[from] NumberError),
    /// The probabilities do not add up to 1.
    NotOne {
        /// The text as written.
        text: Text,
        /// The sum of the probabilities.
        sum: Number,
    },
}

impl AnswerOdds {
    /// Parses `no`, `1/6` (the probability of yes), or `a:1/3,b:2/3`.
    pub fn read(accepts: &Accepts, text: &str) -> Result<AnswerOdds, AnswerOddsError> {
        if let Ok(answer) = accepts.read(text) {
            return Ok(AnswerOdds::Always(answer));
        }
        let part = |text: &str| {
            let not_a_chance = |_| AnswerOddsError::NotAChance {
                text: text.trim().into(),
                accepts: accepts.clone(),
            };
            let n: Number = text.trim().parse().map_err(not_a_chance)?;
            if n < Number::ZERO || n > Number::ONE {
                Err(AnswerOddsError::OutOfRange(n))
            } else {
                Ok(n)
            }
        };
        let weight =
            |n: Number, over: i64| (n.numerator() * (over / n.denominator())).unsigned_abs();
        if *accepts == Accepts::YesNo {
            let yes = part(text)?;
            let over = yes.denominator();
            return Ok(AnswerOdds::Weighed(vec![
                (Answer::YesNo(true), weight(yes, over)),
                (Answer::YesNo(false), over.unsigned_abs() - weight(yes, over)),
            ]));
        }
        let mut parts = Vec::new();
        for item in text.split(',') {
            let no_chance =
                || AnswerOddsError::NotAccepted { text: text.into(), accepts: accepts.clone() };
            let (word, chance) = item.split_once(':').ok_or_else(no_chance)?;
            parts.push((accepts.read(word)?, part(chance)?));
        }
        let sum = parts.iter().try_fold(Number::ZERO, |sum, (_, n)| sum.plus(*n))?;
        if sum != Number::ONE {
            return Err(AnswerOddsError::NotOne { text: text.into(), sum });
        }
        let over = parts.iter().try_fold(1_i64, |over, (_, n)| {
            let bottom = n.denominator();
            let shared = gcd(over.unsigned_abs().into(), bottom.unsigned_abs().into()) as i64;
            (over / shared).checked_mul(bottom).ok_or(NumberError::TooLarge)
        })?;
        Ok(AnswerOdds::Weighed(
            parts.into_iter().map(|(answer, n)| (answer, weight(n, over))).collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_dice::ChoiceWord;

    #[test]
    fn an_answer_a_chance_or_an_error() {
        assert_eq!(
            AnswerOdds::read(&Accepts::YesNo, "no"),
            Ok(AnswerOdds::Always(Answer::YesNo(false)))
        );
        let sixth = AnswerOdds::Weighed(vec![(Answer::YesNo(true), 1), (Answer::YesNo(false), 5)]);
        assert_eq!(AnswerOdds::read(&Accepts::YesNo, "1/6"), Ok(sixth));
        assert!(matches!(
            AnswerOdds::read(&Accepts::YesNo, "7/6"),
            Err(AnswerOddsError::OutOfRange(_))
        ));
        assert!(matches!(
            AnswerOdds::read(&Accepts::YesNo, "perhaps"),
            Err(AnswerOddsError::NotAChance { .. })
        ));
    }

    #[test]
    fn chances_without_a_common_denominator_in_bounds_are_refused() {
        // The sums are 1/999983, 1/999961, 1/999959, 1/999953, 1: each is small.
        let chances =
            ["1/999983", "22/999944000663", "2/999920001599", "6/999912001927", "999952/999953"];
        let words =
            ["a", "b", "c", "d", "e"].map(|id| ChoiceWord { id: id.into(), label: id.into() });
        let accepts = Accepts::Choice { words: words.to_vec() };
        let text: Vec<String> = words
            .iter()
            .zip(chances)
            .map(|(word, chance)| format!("{}:{chance}", word.id))
            .collect();
        assert_eq!(
            AnswerOdds::read(&accepts, &text.join(",")),
            Err(AnswerOddsError::Sum(NumberError::TooLarge))
        );
    }
}
