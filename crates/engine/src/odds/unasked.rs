//! Answers that are given in advance to questions which cannot come up.

use super::request::{OddsError, OddsOptions, TooMany};
use super::{branches, spread};
use crate::situation::Situation;

/// Answers were given to questions that cannot come up here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:?}", self)]
pub struct UnaskedQuestions {
    /// The names of the questions.
    pub keys: Vec<String>,
}

/// Checks that every question which the options answer can come up in this situation, whatever the
/// dice and cards are. Where that cannot be found out within the limits of the options, it may.
///
/// [`odds`](super::odds) itself takes such answers: a table of odds has cells in which a question
/// comes up, and others.
pub fn check_answers(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> Result<(), UnaskedQuestions> {
    check_each(asked, |asked, key| {
        let mut came = false;
        let found = branches(&mut |said| {
            let found = spread(situation, asked, said);
            came |= matches!(&found, Err(OddsError::Open(question)) if question.key == key);
            if came { Err(TooMany::Answers.beyond(0, 0)) } else { found }
        });
        came || found.is_err()
    })
}

/// Asks for each answer whether its question may come up if it is left open.
pub(crate) fn check_each(
    asked: &OddsOptions,
    mut may_come: impl FnMut(&OddsOptions, &str) -> bool,
) -> Result<(), UnaskedQuestions> {
    let mut keys: Vec<String> = Vec::new();
    for (at, (key, _)) in asked.answers.iter().enumerate() {
        if asked.answers[..at].iter().any(|(known, _)| known == key) {
            continue;
        }
        let mut open = asked.clone();
        open.answers.retain(|(known, _)| known != key);
        open.left_open = Some(key.clone());
        if !may_come(&open, key) {
            keys.push(key.clone());
        }
    }
    if keys.is_empty() { Ok(()) } else { Err(UnaskedQuestions { keys }) }
}
