//! A chart and the situation it is run in, from what was typed. All that is wrong is reported at once.

use crate::args::Setup;
use sheet::{Chart, Pack, nearest};
use umpire::{PossibleQuestion, Situation, questions};

/// The situation, or every sentence on what is wrong with it.
pub fn prepare<'p>(pack: &'p Pack, setup: &Setup) -> Result<Situation<'p>, Vec<String>> {
    let mut wrong = Vec::new();
    let situation = prepare_with(pack, setup, |_, refusal| wrong.push(refusal))?;
    if wrong.is_empty() { Ok(situation) } else { Err(wrong) }
}

/// The same, with somebody else to judge the inputs that the chart refuses.
pub fn prepare_with<'p>(
    pack: &'p Pack,
    setup: &Setup,
    mut refused: impl FnMut((&str, &str), String),
) -> Result<Situation<'p>, Vec<String>> {
    let mut situation = Situation::new(pack, &setup.chart).map_err(|refusal| vec![refusal.0])?;
    let mut wrong = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for text in &setup.inputs {
        match pair(text) {
            Ok((name, _)) if !seen.insert(name) => wrong.push(format!("`{name}` is given twice")),
            Ok((name, value)) => {
                if let Err(refusal) = situation.give(name, value) {
                    refused((name, value), refusal.0);
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    for text in &setup.option {
        let set = pair(text).and_then(|(name, value)| situation.set_option(name, value).map_err(|refusal| refusal.0));
        wrong.extend(set.err());
    }
    for text in &setup.memory {
        let set = pair(text).and_then(|(name, value)| situation.set_memory(name, value).map_err(|refusal| refusal.0));
        wrong.extend(set.err());
    }
    let gone = numbers("--gone", setup.gone.as_deref()).and_then(|gone| situation.take_out(&gone).map_err(|refusal| refusal.0));
    wrong.extend(gone.err());
    if wrong.is_empty() {
        return Ok(situation);
    }
    // The inputs that were refused belong to the list as well.
    let inputs = setup
        .inputs
        .iter()
        .filter_map(|text| pair(text).ok())
        .filter_map(|(name, value)| Some(Situation::new(pack, &setup.chart).ok()?.give(name, value).err()?.0));
    Err(inputs.chain(wrong).collect())
}

/// `name=value` in two parts.
pub fn pair(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value)),
        _ => Err(format!("`{}` should be written as name=value", text.chars().filter(|c| !c.is_control()).take(60).collect::<String>())),
    }
}

/// A list of numbers such as 7,3; `0` may be a ten.
pub fn numbers(flag: &str, list: Option<&[String]>) -> Result<Vec<u32>, String> {
    let list = list.unwrap_or_default();
    let one = |text: &String| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("{flag}: `{}` is not a whole number: write {flag} 7,3", text.trim().chars().take(20).collect::<String>()))
    };
    list.iter().filter(|text| list.len() > 1 || !text.trim().is_empty()).map(one).collect()
}

/// The question that an answer is for, or the sentence that there is none.
pub fn question<'t>(pack: &Pack, chart: &Chart, text: &'t str) -> Result<(PossibleQuestion, &'t str), String> {
    let (key, answer) = pair(text)?;
    let known = questions(pack, chart);
    if let Some(question) = known.iter().find(|question| question.key == key) {
        return Ok((question.clone(), answer));
    }
    let keys: Vec<&str> = known.iter().map(|question| question.key.as_str()).collect();
    let remedy = match nearest(key, keys.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if keys.is_empty() => "it asks none".to_owned(),
        None => format!("it may ask: {}", keys.join(", ")),
    };
    Err(format!("{} asks no question `{key}`: {remedy}", chart.title))
}
