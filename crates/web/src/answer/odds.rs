//! Chances as JSON, and the answers to questions that they are asked with.

use chance::{Accepts, Answer, Number};
use serde_json::{Value as Json, json};
use sheet::{Chart, Pack, nearest};
use umpire::{AnswerOdds, Branch, Chance, PossibleQuestion, Report, Situation, in_sheet_order, questions};

/// `no`, `1/6` (the chance of yes), or `a:1/3,b:2/3`.
pub fn taken(accepts: &Accepts, text: &str) -> Result<AnswerOdds, String> {
    if let Ok(answer) = accepts.read(text) {
        return Ok(AnswerOdds::Always(answer));
    }
    let part = |text: &str| {
        let n: Number =
            text.trim().parse().map_err(|_| format!("`{}` is neither an answer ({accepts}) nor a chance such as 1/6", text.trim()))?;
        if n < Number::ZERO || n > Number::ONE { Err(format!("`{n}` is no chance: a chance lies between 0 and 1")) } else { Ok(n) }
    };
    let weight = |n: Number, over: i64| (n.numerator() * (over / n.denominator())).unsigned_abs();
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
        let (word, chance) =
            item.split_once(':').ok_or_else(|| format!("`{text}` is not accepted: {accepts}, or chances such as a:1/3,b:2/3"))?;
        parts.push((accepts.read(word)?, part(chance)?));
    }
    let sum = parts.iter().try_fold(Number::ZERO, |sum, (_, n)| sum.plus(*n)).map_err(|fault| fault.to_string())?;
    if sum != Number::ONE {
        return Err(format!("the chances of `{text}` make {sum}, not 1"));
    }
    let over = parts.iter().fold(1_i64, |over, (_, n)| over / gcd(over, n.denominator()) * n.denominator());
    Ok(AnswerOdds::Weighed(parts.into_iter().map(|(answer, n)| (answer, weight(n, over))).collect()))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The report for programs.
pub fn report(pack: &Pack, situation: &Situation<'_>, report: &Report) -> Json {
    let chart = situation.chart();
    let branch = |branch: &Branch| {
        let answers: serde_json::Map<String, Json> = branch.answers.iter().map(|(key, answer)| (key.clone(), json!(answer))).collect();
        let values: Vec<Json> = branch
            .spread
            .values
            .iter()
            .map(|(value, chance)| json!({ "value": value, "chance": chance, "at_least": branch.spread.at_least(*value), "at_most": branch.spread.at_most(*value) }))
            .collect();
        json!({
            "answers": answers,
            "results": in_sheet_order(pack, chart, &branch.spread.results),
            "values": values,
            "mean": branch.spread.mean().map(|mean| mean.exact()),
            "also": branch.spread.also,
        })
    };
    let branches: Vec<Json> = report.branches.iter().map(branch).collect();
    let only = |key: &str| if let [one] = branches.as_slice() { one[key].clone() } else { json!([]) };
    json!({ "pack": pack.id, "chart": chart.id, "results": only("results"), "values": only("values"), "mean": only("mean"), "also": only("also"), "branches": branches })
}

/// A fraction short enough to read, or nothing.
pub fn fraction(chance: &Chance) -> String {
    let exact = chance.exact();
    if exact.len() <= 24 { exact } else { "(--json has the fraction)".to_owned() }
}

/// The question that an answer is for, or the sentence that nobody asks it. The last charts are those that are
/// reached besides the first; a sentence speaks of `title` alone.
pub fn question(pack: &Pack, title: &str, charts: &[&Chart], key: &str) -> Result<PossibleQuestion, String> {
    let key: &str = &key.chars().filter(|c| !c.is_control()).take(60).collect::<String>();
    let mut known: Vec<PossibleQuestion> = Vec::new();
    for question in charts.iter().flat_map(|chart| questions(pack, chart)) {
        if !known.iter().any(|other| other.key == question.key) {
            known.push(question);
        }
    }
    if let Some(question) = known.iter().find(|question| question.key == key) {
        return Ok(question.clone());
    }
    let keys: Vec<&str> = known.iter().map(|question| question.key.as_str()).collect();
    let remedy = match nearest(key, keys.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if keys.is_empty() => "it asks none".to_owned(),
        None => format!("it may ask: {}", keys.join(", ")),
    };
    Err(format!("{title} asks no question `{key}`: {remedy}"))
}
