//! Chances as JSON, and the questions that can be answered before.

use serde_json::{Value as Json, json};
use sheet::{Chart, Pack, nearest};
use umpire::{Branch, Chance, PossibleQuestion, Report, Situation, in_sheet_order, questions};

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
