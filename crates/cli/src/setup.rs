//! A chart and the situation it is run in, from what was typed. All that is wrong is reported at
//! once.

use crate::args::{InputArgs, Setup};
use adjutant_dice::AnswerError;
use adjutant_engine::{
    AnswerOddsError, FightSituation, InputError, PossibleQuestion, Situation, UnaskedQuestions,
    find_question,
};
use adjutant_pack::{Chart, Pack, UnknownName};
use adjutant_wording::en::questions::unknown_question;

/// What can be told of a chart before it is run, or of a fight before it begins.
pub trait TakesInputs: Clone {
    fn give(&mut self, name: &str, text: &str) -> Result<(), InputError>;
    fn set_option(&mut self, name: &str, text: &str) -> Result<(), InputError>;
    fn set_memory(&mut self, name: &str, text: &str) -> Result<(), InputError>;
}

macro_rules! told {
    ($what:ty) => {
        impl TakesInputs for $what {
            fn give(&mut self, name: &str, text: &str) -> Result<(), InputError> {
                self.give(name, text)
            }

            fn set_option(&mut self, name: &str, text: &str) -> Result<(), InputError> {
                self.set_option(name, text)
            }

            fn set_memory(&mut self, name: &str, text: &str) -> Result<(), InputError> {
                self.set_memory(name, text)
            }
        }
    };
}

told!(Situation<'_>);
told!(FightSituation<'_>);

/// The situation, or every sentence on what is wrong with it.
pub fn prepare<'p>(pack: &'p Pack, setup: &Setup) -> Result<Situation<'p>, Vec<String>> {
    let mut wrong = Vec::new();
    let situation = prepare_with(pack, setup, |_, refusal| wrong.push(refusal))?;
    if wrong.is_empty() { Ok(situation) } else { Err(wrong) }
}

/// The same; the caller judges the inputs that the chart refuses.
pub fn prepare_with<'p>(
    pack: &'p Pack,
    setup: &Setup,
    mut refused: impl FnMut((&str, &str), String),
) -> Result<Situation<'p>, Vec<String>> {
    let Some(chart) = &setup.chart else {
        return Err(vec![format!("which chart? `adjutant charts {}` lists them", pack.id())]);
    };
    if pack.fight(chart).is_some() {
        return Err(vec![format!(
            "`{0}` is a fight, not a chart: adjutant fight {1} {0}",
            chart,
            pack.id()
        )]);
    }
    let mut situation = Situation::new(pack, chart)
        .map_err(|error| vec![adjutant_wording::en::input_error(&error)])?;
    let (inputs, mut wrong) = tell(&mut situation, &setup.given);
    let gone = numbers("--gone", setup.gone.as_deref())
        .and_then(|gone| situation.take_out(&gone).map_err(ArgumentError::Input));
    wrong.extend(gone.err().map(|why| why.to_string()));
    let hand = numbers("--hand", setup.hand.as_deref())
        .and_then(|hand| situation.put_in_hand(&hand).map_err(ArgumentError::Input));
    wrong.extend(hand.err().map(|why| why.to_string()));
    if wrong.is_empty() {
        inputs.into_iter().for_each(|(pair, refusal)| refused(pair, refusal));
        return Ok(situation);
    }
    // The inputs that were refused belong to the list as well.
    Err(inputs.into_iter().map(|(_, refusal)| refusal).chain(wrong).collect())
}

/// An input that was refused, and why.
pub type RefusedInput<'t> = ((&'t str, &'t str), String);

/// Tells all that was typed: the inputs that were refused, and what else is wrong.
pub fn tell<'t>(
    told: &mut impl TakesInputs,
    given: &'t InputArgs,
) -> (Vec<RefusedInput<'t>>, Vec<String>) {
    let (mut refused, mut wrong) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    for text in &given.inputs {
        match pair(text) {
            Ok((name, _)) if !seen.insert(name) => wrong.push(format!("`{name}` is given twice")),
            Ok((name, value)) => refused.extend(
                told.give(name, value)
                    .err()
                    .map(|error| ((name, value), adjutant_wording::en::input_error(&error))),
            ),
            Err(why) => wrong.push(why.to_string()),
        }
    }
    for text in &given.option {
        let set = pair(text)
            .and_then(|(name, value)| told.set_option(name, value).map_err(ArgumentError::Input));
        wrong.extend(set.err().map(|why| why.to_string()));
    }
    for text in &given.memory {
        let set = pair(text)
            .and_then(|(name, value)| told.set_memory(name, value).map_err(ArgumentError::Input));
        wrong.extend(set.err().map(|why| why.to_string()));
    }
    (refused, wrong)
}

/// An argument that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    #[error("`{0}` should be written as name=value")]
    NotAPair(String),
    #[error("{flag}: `{text}` is not a whole number: write {flag} 7,3")]
    NotANumber { flag: String, text: String },
    /// An answer to a question that the chart or fight of this title does not ask.
    #[error("{}", unknown_question(title, unknown))]
    UnknownQuestion { title: String, unknown: UnknownName },
    #[error("{}", adjutant_wording::en::input_error(.0))]
    Input(InputError),
    #[error("{key}: {}", adjutant_wording::en::answer_error(.why))]
    Answer { key: String, why: AnswerError },
    #[error("{}", adjutant_wording::en::answer_odds_error(.0))]
    AnswerOdds(AnswerOddsError),
    #[error("{}", adjutant_wording::en::unasked(&.0.keys))]
    Unasked(#[from] UnaskedQuestions),
}

/// `name=value` in two parts.
pub fn pair(text: &str) -> Result<(&str, &str), ArgumentError> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value)),
        _ => Err(ArgumentError::NotAPair(adjutant_pack::clip(text).to_string())),
    }
}

/// A list of numbers such as 7,3; `0` may be a ten.
pub fn numbers(flag: &str, list: Option<&[String]>) -> Result<Vec<u32>, ArgumentError> {
    let list = list.unwrap_or_default();
    let one = |text: &String| {
        let wrong = |_| ArgumentError::NotANumber {
            flag: flag.to_owned(),
            text: text.trim().chars().take(20).collect(),
        };
        text.trim().parse::<u32>().map_err(wrong)
    };
    list.iter().filter(|text| list.len() > 1 || !text.trim().is_empty()).map(one).collect()
}

/// Faces as players write them: numbers, counts such as `6x3`, and names if dice have any.
pub fn faces(
    flag: &str,
    list: Option<&[String]>,
    named: bool,
) -> Result<Vec<String>, ArgumentError> {
    let list = list.unwrap_or_default();
    let number = |text: &str| text.trim().parse::<u32>().is_ok();
    let one = |text: &String| {
        let counted =
            text.rsplit_once(['x', 'X']).is_some_and(|(face, n)| number(face) && number(n));
        match named || counted || number(text) {
            true => Ok(text.trim().to_owned()),
            false => Err(ArgumentError::NotANumber {
                flag: flag.to_owned(),
                text: text.trim().chars().take(20).collect(),
            }),
        }
    };
    list.iter().filter(|text| list.len() > 1 || !text.trim().is_empty()).map(one).collect()
}

/// The question that an answer is for. The last charts are those that are reached besides the
/// first; an error names `title` alone.
pub fn question<'t>(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    text: &'t str,
) -> Result<(PossibleQuestion, &'t str), ArgumentError> {
    let (key, answer) = pair(text)?;
    let found = find_question(pack, charts, key);
    Ok((
        found.map_err(|unknown| ArgumentError::UnknownQuestion {
            title: title.to_owned(),
            unknown,
        })?,
        answer,
    ))
}

/// Refuses answers to questions that come up in none of several situations.
pub fn refuse_unasked(
    checks: impl IntoIterator<Item = Result<(), UnaskedQuestions>>,
) -> Result<(), ArgumentError> {
    let mut idle: Option<UnaskedQuestions> = None;
    for check in checks {
        let Err(mut here) = check else { return Ok(()) };
        if let Some(before) = &idle {
            here.keys.retain(|key| before.keys.contains(key));
        }
        if here.keys.is_empty() {
            return Ok(());
        }
        idle = Some(here);
    }
    idle.map_or(Ok(()), |idle| Err(idle.into()))
}
