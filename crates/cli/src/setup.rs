//! Parts of what was typed: pairs, lists of numbers, faces, answers.

use adjutant_dice::AnswerError;
use adjutant_engine::{PossibleQuestion, find_question};
use adjutant_pack::{Chart, Pack, UnknownName, value_name};
use adjutant_wording::en::questions::unknown_question;
use std::collections::BTreeMap;

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
    #[error("{key}: {}", adjutant_wording::en::answer_error(.why))]
    Answer { key: String, why: AnswerError },
}

/// `name=value` in two parts.
pub fn pair(text: &str) -> Result<(&str, &str), ArgumentError> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value)),
        _ => Err(ArgumentError::NotAPair(adjutant_pack::clip(text).to_string())),
    }
}

/// Texts such as `name=value`, and what is wrong with them. The same name twice is a mistake, also
/// where it is written once as `armour[front]` and once as `armour_front`.
pub fn pairs(texts: &[String]) -> (BTreeMap<String, String>, Vec<String>) {
    let (mut found, mut wrong) = (BTreeMap::new(), Vec::new());
    for text in texts {
        match pair(text).map(|(name, value)| (value_name(name), value)) {
            Ok((name, _)) if found.contains_key(&*name) => {
                wrong.push(format!("`{name}` is given twice"));
            }
            Ok((name, value)) => drop(found.insert(name.into_owned(), value.to_owned())),
            Err(why) => wrong.push(why.to_string()),
        }
    }
    (found, wrong)
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
