//! A chart whose result depends on few inputs: one table for each combination, with a die that has
//! as many sides as there are ways, by the engine's exact odds.

use super::super::{Band, plain, roll_table};
use super::{NoRollTable, not_in_the_table, result_html};
use crate::reference::Held;
use adjutant_dice::{Accepts, Answer, Number, Text};
use adjutant_engine::{
    CardPlan, Chance, OddsOptions, OddsOutcome, Plan, Situation, in_sheet_order, odds, relevant,
};
use adjutant_pack::{Chart, Pack};
use serde_json::Value as Json;

/// The most tables for one chart.
const MAX_WAYS: usize = 12;
/// The most sides of the die of an exact table.
const MAX_SIDES: u64 = 1_000_000;
/// The most rolls made to find odds. A chart that needs more has no short table anyway.
const MAX_ROLLS: usize = 20_000;

/// One table for each combination of the inputs that the result depends on.
pub(super) fn exact_tables(pack: &Pack, chart: &Chart) -> Result<Vec<(String, Json)>, NoRollTable> {
    let situation = situation_of(pack, chart)?;
    let inputs = relevant(&situation);
    let choices: Vec<Vec<Answer>> =
        inputs.iter().map(|input| answers(&chart.inputs[*input].field.accepts)).collect();
    let ways: usize =
        choices.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul).unwrap_or(usize::MAX);
    if ways > MAX_WAYS {
        let things = inputs.len();
        return Err(if things == 1 {
            NoRollTable::ManyValues
        } else {
            NoRollTable::ManyInputs(things)
        });
    }
    let mut tables = Vec::new();
    for way in 0..ways {
        let (mut situation, mut left, mut answers_given) = (situation.clone(), way, Vec::new());
        for (input, choices) in inputs.iter().zip(&choices) {
            let (field, answer) = (&chart.inputs[*input], &choices[left % choices.len()]);
            left /= choices.len();
            situation.give_answer(&field.name, answer).map_err(NoRollTable::Input)?;
            answers_given.push((
                field.field.label.to_string(),
                in_words(&field.field.accepts, answer),
                answer.to_string(),
            ));
        }
        let name =
            answers_given.iter().fold(chart.title.to_string(), |name, (label, answer, _)| {
                format!("{name}: {label} {answer}")
            });
        let file = answers_given
            .iter()
            .fold(chart.id.to_string(), |file, (_, _, id)| format!("{file}-{id}"));
        let (sides, results) = exact(pack, chart, &situation)?;
        let key = [pack.id().as_str(), chart.id.as_str(), file.as_str()];
        let description = format!(
            "<p>{}</p><p>Exact chances: the die stands for the whole chart, with its modifiers{}.</p>{}",
            plain(&chart.about),
            if pack.decks().is_empty() { "" } else { ", drawn from a whole deck" },
            not_in_the_table(pack, chart, &Held { steps: &|_| true, table: true })
        );
        tables.push((
            file.clone(),
            roll_table(&key, &name, &format!("1d{sides}"), description, &results),
        ));
    }
    Ok(tables)
}

/// The chart with no inputs, and with its option on.
fn situation_of<'p>(pack: &'p Pack, chart: &Chart) -> Result<Situation<'p>, NoRollTable> {
    if chart.each.is_some() {
        return Err(NoRollTable::SeveralUnits);
    }
    let mut situation = Situation::new(pack, &chart.id).map_err(NoRollTable::Input)?;
    if let Some(option) = chart.needs_option {
        situation
            .set_option(&pack.options()[option].field.id, "yes")
            .map_err(NoRollTable::Input)?;
    }
    Ok(situation)
}

/// All possible answers.
fn answers(accepts: &Accepts) -> Vec<Answer> {
    match accepts {
        Accepts::YesNo => vec![Answer::YesNo(false), Answer::YesNo(true)],
        Accepts::Choice { words } => {
            words.iter().map(|word| Answer::Choice(word.id.clone())).collect()
        }
        Accepts::Number { from, to, step } => {
            let next = |number: &Number| number.plus(*step).ok().filter(|number| number <= to);
            std::iter::successors(Some(*from), next)
                .take(MAX_WAYS + 1)
                .map(Answer::Number)
                .collect()
        }
    }
}

fn in_words(accepts: &Accepts, answer: &Answer) -> String {
    let id = answer.to_string();
    accepts
        .words()
        .and_then(|words| words.iter().find(|word| word.id == id))
        .map_or(id, |word| word.label.to_string())
}

/// The number of sides of the die, and the bands of its results.
fn exact(
    pack: &Pack,
    chart: &Chart,
    situation: &Situation<'_>,
) -> Result<(u64, Vec<Band>), NoRollTable> {
    let mut sides = 1_u64;
    let mut outcomes = outcomes(pack, chart, situation)?;
    outcomes.iter_mut().for_each(|(_, chance)| *chance = chance.reduced());
    for (_, chance) in &outcomes {
        let of = u64::try_from(chance.of()).map_err(|_| NoRollTable::TooFine)?;
        sides = least_common_multiple(sides, of)
            .filter(|sides| *sides <= MAX_SIDES)
            .ok_or(NoRollTable::TooFine)?;
    }
    let (mut from, mut bands) = (1_i64, Vec::new());
    for (text, chance) in outcomes {
        let (Ok(ways), Ok(of)) = (u64::try_from(chance.ways()), u64::try_from(chance.of())) else {
            return Err(NoRollTable::TooFine);
        };
        let share = i64::try_from(sides / of * ways).map_err(|_| NoRollTable::TooFine)?;
        if share > 0 {
            bands.push((from, from + share - 1, text));
            from += share;
        }
    }
    Ok((sides, bands))
}

/// Every outcome with its chance. The plans come first, because they keep a result and its number
/// together.
fn outcomes(
    pack: &Pack,
    chart: &Chart,
    situation: &Situation<'_>,
) -> Result<Vec<(String, Chance)>, NoRollTable> {
    let options = OddsOptions { most: Some(MAX_ROLLS), ..OddsOptions::default() };
    let joint: Option<Vec<(OddsOutcome, Chance)>> = if let Some(plan) = Plan::new(situation) {
        let (ways, of) = plan.ways();
        Some(
            plan.outcomes()
                .iter()
                .cloned()
                .zip(ways.into_iter().map(|ways| Chance::new(ways.into(), of.into())))
                .collect(),
        )
    } else if let Some(plan) = CardPlan::new(situation, &options) {
        let (ways, of) = plan.big_ways(&situation.decks[plan.deck()]);
        Some(
            plan.outcomes()
                .iter()
                .cloned()
                .zip(ways.into_iter().map(|ways| Chance::new(ways, of.clone())))
                .collect(),
        )
    } else {
        None
    };
    if let Some(joint) = joint {
        let mut outcomes: Vec<(String, Chance)> = Vec::new();
        for (outcome, chance) in joint {
            let text = outcome_in_words(pack, chart, &outcome);
            match outcomes.iter_mut().find(|(known, _)| *known == text) {
                Some((_, sum)) => *sum = Chance::sum([&*sum, &chance]),
                None => outcomes.push((text, chance)),
            }
        }
        return Ok(outcomes);
    }
    let report = odds(situation, &options).map_err(|_| NoRollTable::AnswerMidway)?;
    let [branch] = report.branches.as_slice() else { return Err(NoRollTable::DecisionMidway) };
    let means = |id: &str| {
        pack.results().iter().find(|known| known.id == id).map_or("", |known| known.means.as_str())
    };
    let named = branch
        .spread
        .results
        .iter()
        .any(|result| pack.results().iter().any(|known| known.id == result.id));
    let values = |result: Option<(Text, Text, Option<Text>)>| {
        let outcome = |value| OddsOutcome {
            result: result.clone(),
            value: Some(value),
            ..OddsOutcome::default()
        };
        branch
            .spread
            .values
            .iter()
            .map(|(value, chance)| {
                (outcome_in_words(pack, chart, &outcome(*value)), chance.clone())
            })
            .collect()
    };
    match branch.spread.results.as_slice() {
        _ if !named && !branch.spread.values.is_empty() => return Ok(values(None)),
        [only] if branch.spread.values.len() > 1 => {
            return Ok(values(Some((only.id.clone(), only.title.clone(), None))));
        }
        _ if branch.spread.values.len() > 1 => return Err(NoRollTable::OwnNumbers),
        _ => {}
    }
    let results = in_sheet_order(pack, chart, &branch.spread.results);
    Ok(results
        .into_iter()
        .map(|result| (result_html(&result.title, means(&result.id)), result.chance.clone()))
        .collect())
}

/// A result with its number and additional results, as HTML.
fn outcome_in_words(pack: &Pack, chart: &Chart, outcome: &OddsOutcome) -> String {
    let value =
        outcome.value.map(|value| match (chart.read.says.is_empty(), chart.read.unit.is_empty()) {
            // A card or a name in the sentence is known in play only.
            (false, _) if chart.read.says.matches('{').count() == 1 => {
                chart.read.says.replace("{value}", &value.to_string())
            }
            (false, _) => value.to_string(),
            (true, false) => format!("{value} {}", chart.read.unit),
            (true, true) => value.to_string(),
        });
    let mut parts: Vec<String> =
        outcome.result.iter().map(|(_, title, _)| title.to_string()).chain(value).collect();
    parts.extend(outcome.also.iter().map(|(_, title, _)| format!("also {title}")));
    let means = outcome
        .result
        .as_ref()
        .and_then(|(id, ..)| pack.results().iter().find(|known| known.id == *id));
    result_html(
        &if parts.is_empty() { "Nothing".to_owned() } else { parts.join(", ") },
        means.map_or("", |known| known.means.as_str()),
    )
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut large, mut small) = (a.max(b), a.min(b));
    while small > 0 {
        (large, small) = (small, large % small);
    }
    (a / large.max(1)).checked_mul(b)
}
