//! Chances as JSON, and the questions that can be answered before.

use adjutant_dice::{Answer, Number};
use adjutant_engine::{Branch, Chance, OddsReport, OutcomeChance, PossibleQuestion, Situation, in_sheet_order, questions};
use adjutant_pack::{Chart, Noun, Pack, UnknownName, clip};
use adjutant_wording::en::unknown_name::did_you_mean;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The report for programs. It is written as it is: a tree of values in between would cost more than the chances.
pub fn report<'r>(pack: &'r Pack, situation: &Situation<'r>, report: &'r OddsReport) -> impl Serialize + use<'r> {
    let chart = situation.chart();
    let branches: Vec<BranchTold<'r>> = report.branches.iter().map(|branch| BranchTold::new(pack, chart, branch)).collect();
    ReportTold { pack: pack.id(), chart: &chart.id, branches }
}

struct ReportTold<'r> {
    pack: &'r str,
    chart: &'r str,
    branches: Vec<BranchTold<'r>>,
}

impl Serialize for ReportTold<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("pack", self.pack)?;
        map.serialize_entry("chart", self.chart)?;
        // Where there is one branch it stands here as well.
        match self.branches.as_slice() {
            [one] => {
                map.serialize_entry("results", &one.results)?;
                map.serialize_entry("values", &one.values)?;
                map.serialize_entry("mean", &one.mean)?;
                map.serialize_entry("also", one.also)?;
                if one.several_ends {
                    map.serialize_entry("several_ends", &true)?;
                }
            }
            _ => ["results", "values", "mean", "also"].iter().try_for_each(|key| map.serialize_entry(key, &[(); 0]))?,
        }
        map.serialize_entry("branches", &self.branches)?;
        map.end()
    }
}

#[derive(Serialize)]
struct BranchTold<'r> {
    #[serde(serialize_with = "by_key")]
    answers: &'r [(String, Answer)],
    results: Vec<&'r OutcomeChance>,
    values: Vec<ValueTold<'r>>,
    mean: Option<String>,
    also: &'r [OutcomeChance],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    several_ends: bool,
}

#[derive(Serialize)]
struct ValueTold<'r> {
    value: Number,
    chance: &'r Chance,
    at_least: Chance,
    at_most: Chance,
}

fn by_key<S: Serializer>(answers: &[(String, Answer)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(answers.iter().map(|(key, answer)| (key, answer)))
}

impl<'r> BranchTold<'r> {
    fn new(pack: &Pack, chart: &Chart, branch: &'r Branch) -> BranchTold<'r> {
        let spread = &branch.spread;
        let value = |(value, chance): &'r (Number, Chance)| ValueTold {
            value: *value,
            chance,
            at_least: spread.at_least(*value),
            at_most: spread.at_most(*value),
        };
        BranchTold {
            answers: &branch.answers,
            results: in_sheet_order(pack, chart, &spread.results),
            values: spread.values.iter().map(value).collect(),
            mean: spread.mean().map(|mean| mean.exact()),
            also: &spread.also,
            several_ends: spread.several_ends,
        }
    }
}

/// A fraction short enough to read, or nothing.
pub fn fraction(chance: &Chance) -> String {
    let exact = chance.exact();
    if exact.len() <= 24 { exact } else { "(--json has the fraction)".to_owned() }
}

/// The question that an answer is for, or the sentence that nobody asks it. The last charts are those that are
/// reached besides the first; a sentence speaks of `title` alone.
pub fn question(pack: &Pack, title: &str, charts: &[&Chart], key: &str) -> Result<PossibleQuestion, String> {
    let key = clip(key);
    let mut known: Vec<PossibleQuestion> = Vec::new();
    for question in charts.iter().flat_map(|chart| questions(pack, chart)) {
        if !known.iter().any(|other| other.key == question.key) {
            known.push(question);
        }
    }
    if let Some(question) = known.iter().find(|question| question.key == key) {
        return Ok(question.clone());
    }
    let unknown = UnknownName::new(Noun::Question, &key, known.iter().map(|question| question.key.as_str()));
    let help = did_you_mean(&unknown, |keys| match keys {
        [] => "it asks none".to_owned(),
        keys => format!("it may ask: {}", keys.join(", ")),
    });
    Err(format!("{title} asks no question `{key}`: {help}"))
}
