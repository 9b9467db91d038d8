//! A chart and the situation it is run in, from a request. All that is wrong is collected.

use crate::error::{InvalidInput, QueryError};
use adjutant_api::ChartQuery;
use adjutant_dice::Answer;
use adjutant_engine::{
    AnswerOdds, InputError, OddsOptions, PossibleQuestion, Situation, check_answers, find_question,
};
use adjutant_pack::{Chart, Pack};

/// The most rolls that are made to find out if a question can come up in a roll.
const CHECKED_ROLLS: usize = 5000;

/// An input by name and value, and why it was refused.
pub type RefusedInput<'g> = ((&'g str, &'g str), InputError);

/// Gives all inputs of the request. Returns those that are refused.
pub(crate) fn give_all(
    query: &ChartQuery,
    mut give: impl FnMut(&str, &str) -> Result<(), InputError>,
) -> Vec<RefusedInput<'_>> {
    let one = |(name, value)| give(name, value).err().map(|error| ((name, value), error));
    query
        .given
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .filter_map(one)
        .collect()
}

/// The situation of a chart, and the inputs it refuses: a chart that follows may take those.
pub fn situation<'p, 'g>(
    pack: &'p Pack,
    query: &'g ChartQuery,
) -> Result<(Situation<'p>, Vec<RefusedInput<'g>>), QueryError> {
    let mut situation = Situation::new(pack, query.topic.id())?;
    let inputs = give_all(query, |name, value| situation.give(name, value));
    let mut wrong: Vec<InputError> = Vec::new();
    wrong
        .extend(query.options.iter().filter_map(|(n, value)| situation.set_option(n, value).err()));
    wrong.extend(query.memory.iter().filter_map(|(n, value)| situation.set_memory(n, value).err()));
    wrong.extend(situation.take_out(&query.gone).err());
    wrong.extend(situation.put_in_hand(&query.hand).err());
    if wrong.is_empty() {
        return Ok((situation, inputs));
    }
    let inputs = inputs.into_iter().map(|(_, error)| error);
    Err(QueryError::Invalid(inputs.chain(wrong).map(InvalidInput::Input).collect()))
}

/// The question of this key that one of the charts may ask.
pub(crate) fn question_of(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    key: &str,
) -> Result<PossibleQuestion, InvalidInput> {
    find_question(pack, charts, key)
        .map_err(|unknown| InvalidInput::Question { title: title.into(), unknown })
}

/// The answers to questions: an answer, or a chance for it.
pub(crate) fn answer_odds(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    query: &ChartQuery,
) -> Result<Vec<(String, AnswerOdds)>, Vec<InvalidInput>> {
    let (mut by_question, mut wrong) = (Vec::new(), Vec::new());
    for (key, text) in query.all_answers() {
        let answer = question_of(pack, title, charts, key).and_then(|question| {
            let odds = AnswerOdds::read(&question.accepts, text);
            let odds =
                odds.map_err(|error| InvalidInput::AnswerOdds { key: key.to_owned(), error })?;
            Ok((question.key, odds))
        });
        match answer {
            Ok(answer) => by_question.push(answer),
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(by_question) } else { Err(wrong) }
}

/// The answers to questions that the chart may ask.
pub(crate) fn read_answers<'g>(
    situation: &Situation<'_>,
    answers: impl IntoIterator<Item = (&'g str, &'g str)>,
) -> Result<Vec<(String, AnswerOdds)>, Vec<InvalidInput>> {
    let (chart, mut wrong) = (situation.chart(), Vec::new());
    let mut by_question: Vec<(String, Vec<(Answer, u64)>)> = Vec::new();
    for (key, text) in answers {
        let read =
            question_of(situation.pack(), &chart.title, &[chart], key).and_then(|question| {
                let not_accepted = |error| InvalidInput::Answer { key: key.to_owned(), error };
                Ok((question.key, question.accepts.read(text).map_err(not_accepted)?))
            });
        match read {
            Ok((key, answer)) => match by_question.iter_mut().find(|(known, _)| *known == key) {
                Some((_, answers)) => answers.push((answer, 1)),
                None => by_question.push((key, vec![(answer, 1)])),
            },
            Err(error) => wrong.push(error),
        }
    }
    // A question that is answered several times may be answered in any of these ways.
    let taken = |(key, mut all): (String, Vec<(Answer, u64)>)| match all.len() {
        1 => (key, AnswerOdds::Always(all.remove(0).0)),
        _ => (key, AnswerOdds::Weighed(all)),
    };
    if wrong.is_empty() { Ok(by_question.into_iter().map(taken).collect()) } else { Err(wrong) }
}

/// Refuses answers that cannot be read and, unless the dice and cards are typed, answers to
/// questions that cannot come up.
pub fn refuse_answers<'g>(
    situation: &Situation<'_>,
    answers: impl IntoIterator<Item = (&'g str, &'g str)>,
    typed: bool,
) -> Result<(), QueryError> {
    let answers = read_answers(situation, answers).map_err(QueryError::Invalid)?;
    if typed {
        return Ok(());
    }
    let asked = OddsOptions { answers, most: Some(CHECKED_ROLLS), ..OddsOptions::default() };
    check_answers(situation, &asked)
        .map_err(|idle| QueryError::Invalid(vec![InvalidInput::Unasked(idle)]))
}
