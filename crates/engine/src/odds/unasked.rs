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
/// dice and cards are. Which cards are left is luck, too: a question that only discarded cards ask
/// may come up. Where that cannot be found out within the limits of the options, it may.
///
/// [`odds`](super::odds) itself takes such answers: a table of odds has cells in which a question
/// comes up, and others.
pub fn check_answers(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> Result<(), UnaskedQuestions> {
    let may_come = |situation: &Situation<'_>, asked: &OddsOptions, key: &str| {
        let mut came = false;
        let found = branches(&mut |said| {
            let found = spread(situation, asked, said);
            came |= matches!(&found, Err(OddsError::Open(question)) if question.key == key);
            if came { Err(TooMany::Answers.beyond(0, 0)) } else { found }
        });
        came || found.is_err()
    };
    check_each(asked, |asked, key| {
        may_come(situation, asked, key)
            || reshuffled(situation).is_some_and(|fresh| may_come(&fresh, asked, key))
    })
}

/// The situation with all discards back in the decks that the chart draws from; none if there are
/// no discards.
fn reshuffled<'p>(situation: &Situation<'p>) -> Option<Situation<'p>> {
    let mut fresh = situation.clone();
    let mut changed = false;
    for deck in situation.decks_in_use() {
        changed |= fresh.decks[deck].reshuffle();
    }
    changed.then_some(fresh)
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
