//! Which charts can be roll tables. A chart that rolls dice, adds them and reads the sum on bands
//! becomes one table for each of its columns: the formula is the dice, and the player adds the
//! modifiers that are true now. Any other chart becomes tables if its result depends on few enough
//! inputs: one table for each combination, with a die that has as many sides as there are ways, by
//! the engine's exact odds. A chart that is neither is left out; no table is an approximation.

use super::super::text_tables;
use super::{Band, plain, roll_table};
use adjutant_dice::{Accepts, Answer, Number, Text};
use adjutant_engine::{
    CardPlan, Chance, InputError, OddsOptions, OddsOutcome, Plan, Situation, in_sheet_order, odds,
    relevant,
};
use adjutant_pack::{
    Amount, Chart, ColumnId, Expr, Facet, HeadingKey, Id, IdVec, Lookup, Pack, PlainRoll, RowId,
    Slot, Step, StepKind, Value,
};
use adjutant_wording::en::ChartWords;
use serde_json::Value as Json;
use thiserror::Error;

/// The most tables for one chart.
const MAX_WAYS: usize = 12;
/// The most sides of the die of an exact table.
const MAX_SIDES: u64 = 1_000_000;
/// How far bands extend beyond the dice, for modifiers.
const BEYOND: i64 = 30;
/// The most rolls made to find odds. A chart that needs more has no short table anyway.
const MAX_ROLLS: usize = 20_000;

/// Why a chart has no roll table.
#[derive(Debug, Error)]
pub(super) enum NoRollTable {
    #[error("nothing is rolled")]
    NothingRolled,
    #[error("it depends on a number with many values")]
    ManyValues,
    #[error("it depends on {0} inputs")]
    ManyInputs(usize),
    #[error("it is rolled for several units at once")]
    SeveralUnits,
    #[error("its chances are too fine for a die")]
    TooFine,
    #[error("its chances depend on an answer during the roll")]
    AnswerMidway,
    #[error("a player decides in mid-course")]
    DecisionMidway,
    #[error("its results come with numbers of their own")]
    OwnNumbers,
    #[error("{}", adjutant_wording::en::input_error(.0))]
    Input(InputError),
}

/// The roll tables of a chart with their file names.
pub(super) fn roll_tables(pack: &Pack, chart: &Chart) -> Result<Vec<(String, Json)>, NoRollTable> {
    if !has_luck(pack, chart) {
        return Err(NoRollTable::NothingRolled);
    }
    match banded_tables(pack, chart) {
        Some(tables) => Ok(tables),
        None => exact_tables(pack, chart),
    }
}

fn has_luck(pack: &Pack, chart: &Chart) -> bool {
    chart.steps.iter().any(|step| match &step.kind {
        StepKind::Roll(_) | StepKind::Draw(_) => true,
        // Look-ups are acyclic, so this ends.
        StepKind::LookUp(look_up) => has_luck(pack, &pack.charts()[look_up.chart]),
        StepKind::Ask(_) | StepKind::WorkOut(_) => false,
    })
}

/// Some dice of a score, with their sign and what is always added.
struct Dice<'c> {
    minus: bool,
    step: &'c Step,
    count: i64,
    sides: i64,
    always: i64,
}

/// A score as a sum of dice and of numbers that the players know.
#[derive(Default)]
struct Sum<'c> {
    dice: Vec<Dice<'c>>,
    /// The label and sign of what else is added: a unit's morale, the value of another chart.
    known: Vec<(bool, String)>,
    /// Whether the score is only the size of the sum: `abs(attacker - defender)`.
    only_size: bool,
}

/// Dice that are only rolled and added up. They may have modifiers.
fn dice(step: &Step, minus: bool) -> Option<Dice<'_>> {
    let StepKind::Roll(roll) = &step.kind else { return None };
    let PlainRoll { count, sides, test: None, keep: None } = roll.plain()? else { return None };
    let bare =
        step.when.is_none() && step.again.is_empty() && step.most.is_none() && step.least.is_none();
    let whole = |formula: &adjutant_pack::Formula| {
        formula.constant().and_then(Value::number).and_then(Number::as_whole)
    };
    let plus = step.add.iter().all(|modifier| matches!(modifier.amount, Amount::Plus(_)));
    let always = step.add.iter().filter(|modifier| always(modifier));
    let always = always.filter_map(|modifier| whole(modifier.amount.formula())).sum();
    let count = whole(count).filter(|count| (1..=100).contains(count) && bare && plus)?;
    Some(Dice { minus, step, count, sides: i64::from(sides), always })
}

/// The score of a chart, if it is a sum or difference of rolls and known numbers: `firer - target`,
/// `dr - unit.morale`.
fn sum<'c>(pack: &Pack, chart: &'c Chart) -> Option<Sum<'c>> {
    let mut minus = false;
    let mut sum = Sum::default();
    let score = chart.read.score.as_ref()?.text.trim();
    let size = score.strip_prefix("abs(").and_then(|rest| rest.strip_suffix(')'));
    sum.only_size = size.is_some();
    for (place, word) in size.unwrap_or(score).split_whitespace().enumerate() {
        match (place % 2, word) {
            (0, name) => match chart.steps.iter().find(|step| step.name == name) {
                Some(step) if matches!(step.kind, StepKind::Roll(_)) => {
                    sum.dice.push(dice(step, minus)?)
                }
                _ => sum.known.push((minus, known(chart, name)?)),
            },
            (_, "+") => minus = false,
            (_, "-") => minus = true,
            _ => return None,
        }
    }
    let others = chart.steps.iter().any(|step| match &step.kind {
        StepKind::WorkOut(_) => false,
        StepKind::LookUp(look_up) => has_luck(pack, &pack.charts()[look_up.chart]),
        StepKind::Roll(_) => !sum.dice.iter().any(|dice| dice.step.name == step.name),
        StepKind::Draw(_) | StepKind::Ask(_) => true,
    });
    (!others && !sum.dice.is_empty()).then_some(sum)
}

/// The label of a number that a score names.
fn known(chart: &Chart, name: &str) -> Option<String> {
    if let Some(input) = chart.input(name) {
        return Some(input.field.label.to_string());
    }
    let step = chart.steps.iter().find(|step| {
        name == step.name.as_str() || name.strip_suffix(".value") == Some(step.name.as_str())
    })?;
    Some(step.title.to_string())
}

/// The tables of a chart that is read on bands.
fn banded_tables(pack: &Pack, chart: &Chart) -> Option<Vec<(String, Json)>> {
    let sum = sum(pack, chart)?;
    let rows = &chart.read.rows;
    let banded = !rows.is_empty()
        && rows.iter().all(|row| row.band.is_some() && row.is_word.is_none() && row.when.is_none());
    if !banded || chart.read.by_conditions() || chart.each.is_some() {
        return None;
    }
    let formula = formula(&sum.dice);
    let ends = sum.dice.iter().map(|dice| {
        let (low, high) = (dice.count + dice.always, dice.count * dice.sides + dice.always);
        if dice.minus { (-high, -low) } else { (low, high) }
    });
    let (low, high) = ends.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    let added = !sum.known.is_empty()
        || sum.dice.iter().any(|dice| dice.step.add.iter().any(|modifier| !always(modifier)));
    let (low, high) = if added { (low - BEYOND, high + BEYOND) } else { (low, high) };
    let column = text_tables::columns(chart);
    if sum.only_size {
        let results = bands(pack, chart, low..=high, &|score| signed_cell(chart, &sum, score))?;
        let (file, text) = (chart.id.to_string(), description(pack, chart, &sum, None));
        let key = [pack.id().as_str(), chart.id.as_str(), file.as_str()];
        let table = roll_table(&key, &chart.title, &formula, text, &results);
        return Some(vec![(file, table)]);
    }
    let heads: IdVec<ColumnId, Option<String>> = column.map_or_else(
        || vec![None].into(),
        |column| column.heads.iter().cloned().map(Some).collect(),
    );
    let mut tables = Vec::new();
    for (place, head) in heads.iter_enumerated() {
        let results =
            bands(pack, chart, low..=high, &|score| Some((row_of(chart, score)?, place)))?;
        let name = head
            .as_ref()
            .map_or_else(|| chart.title.to_string(), |head| format!("{}: {head}", chart.title));
        let file = column.map_or_else(
            || chart.id.to_string(),
            |column| format!("{}-{}", chart.id, file_part(&column.ids[place], place)),
        );
        let key = [pack.id().as_str(), chart.id.as_str(), file.as_str()];
        tables.push((
            file.clone(),
            roll_table(
                &key,
                &name,
                &formula,
                description(pack, chart, &sum, column.map(|_| place)),
                &results,
            ),
        ));
    }
    Some(tables)
}

/// Whether a modifier is a number that always counts, and so belongs to the formula.
fn always(modifier: &adjutant_pack::Modifier) -> bool {
    modifier.when.is_none()
        && modifier.best_of.is_none()
        && modifier.amount.formula().constant().is_some()
}

/// The value of one name.
struct Known(Slot, Value);

impl Lookup for Known {
    fn get(&self, slot: Slot) -> Option<Value> {
        (slot == self.0).then_some(self.1)
    }
}

/// Whether a modifier can count in a column: one for AP cannot in the column for HE. It is only
/// ruled out where the column is that of one word or of yes or no.
fn can_count(chart: &Chart, column: Option<ColumnId>, modifier: &adjutant_pack::Modifier) -> bool {
    let known = column.zip(text_tables::columns(chart)).and_then(|(place, column)| {
        let Expr::Slot(slot) = column.by.expr else { return None };
        match column.keys.get(place)? {
            HeadingKey::Word(word) => Some(Known(slot, Value::Word(*word))),
            HeadingKey::YesNo(yes) => Some(Known(slot, Value::YesNo(*yes))),
            HeadingKey::Band(_) => None,
        }
    });
    match (known, &modifier.when) {
        (Some(known), Some(when)) => when.holds(&known) != Ok(false),
        _ => true,
    }
}

/// The dice in Foundry's notation: `1d10 + 8 - 1d10`.
fn formula(dice: &[Dice<'_>]) -> String {
    let mut text = String::new();
    for one in dice {
        match (text.is_empty(), one.minus) {
            (true, false) => {}
            (true, true) => text.push('-'),
            (false, minus) => text.push_str(if minus { " - " } else { " + " }),
        }
        text.push_str(&format!("{}d{}", one.count, one.sides));
        let always = if one.minus { -one.always } else { one.always };
        match always {
            0 => {}
            less if less < 0 => text.push_str(&format!(" - {}", -less)),
            more => text.push_str(&format!(" + {more}")),
        }
    }
    text
}

/// A row and a column of the table.
type Cell = (RowId, ColumnId);

fn row_of(chart: &Chart, score: i64) -> Option<RowId> {
    let score = Number::whole(score).ok()?;
    chart.read.rows.position(|row| row.band.is_some_and(|band| band.holds(score)))
}

/// The values of two rolls.
struct Rolled([(Slot, Value); 2]);

impl Lookup for Rolled {
    fn get(&self, slot: Slot) -> Option<Value> {
        self.0.iter().find(|(known, _)| *known == slot).map(|(_, value)| *value)
    }
}

/// The cell for a difference of two rolls of which the score is the size. The column says which
/// side is ahead: it must be the same for all rolls with this difference.
fn signed_cell(chart: &Chart, sum: &Sum<'_>, difference: i64) -> Option<Cell> {
    let row = row_of(chart, difference.abs())?;
    let Some(column) = text_tables::columns(chart) else {
        return Some((row, ColumnId::from_index(0)));
    };
    let [first, second] = sum.dice.as_slice() else { return None };
    if first.minus || !second.minus || !sum.known.is_empty() || !column.shift.is_empty() {
        return None;
    }
    let total = |dice: &Dice<'_>| {
        dice.step.facets.iter().find(|(facet, _)| *facet == Facet::Total).map(|(_, slot)| *slot)
    };
    let slots = (total(first)?, total(second)?);
    let mut places = (-BEYOND..=BEYOND).map(|low| {
        let number = |n: i64| Number::whole(n).ok().map(Value::Number);
        let rolled = Rolled([(slots.0, number(low + difference)?), (slots.1, number(low)?)]);
        column.place(column.by.eval(&rolled).ok()?)
    });
    let place = places.next()??;
    places.all(|other| other == Some(place)).then_some((row, place))
}

/// The result for each number of a range, merged into bands.
fn bands(
    pack: &Pack,
    chart: &Chart,
    range: std::ops::RangeInclusive<i64>,
    cell_of: &dyn Fn(i64) -> Option<Cell>,
) -> Option<Vec<Band>> {
    let say_role = !chart.one_role();
    let mut found: Vec<(i64, i64, Cell)> = Vec::new();
    for score in range {
        let cell = cell_of(score)?;
        match found.last_mut() {
            Some((_, to, last)) if *last == cell => *to = score,
            _ => found.push((score, score, cell)),
        }
    }
    let band_text = |(from, to, (row, column)): (i64, i64, Cell)| {
        let row = &chart.read.rows[row];
        let cell = row.cells.get(column).or(row.cells.first())?;
        let means = cell
            .landing
            .map_or("", |landing| pack.results()[chart.landings[landing].result].means.as_str());
        Some((
            from,
            to,
            result_html(&ChartWords::as_written(pack, chart).cell(cell, say_role), means),
        ))
    };
    found.into_iter().map(band_text).collect()
}

fn result_html(title: &str, means: &str) -> String {
    match means.is_empty() {
        true => format!("<strong>{}</strong>", plain(title)),
        false => format!("<strong>{}</strong>: {}", plain(title), plain(means)),
    }
}

/// What the chart is about, and which modifiers to add to the formula.
fn description(pack: &Pack, chart: &Chart, sum: &Sum<'_>, column: Option<ColumnId>) -> String {
    let mut text = format!("<p>{}</p>", plain(&chart.about));
    if !sum.known.is_empty() {
        let known: Vec<String> = sum
            .known
            .iter()
            .map(|(minus, name)| format!("{} {}", if *minus { "−" } else { "+" }, plain(name)))
            .collect();
        text.push_str(&format!("<p>Write behind the formula: {}</p>", known.join(" ")));
    }
    for one in &sum.dice {
        let line = |modifier: &adjutant_pack::Modifier| {
            let (sign, formula) = text_tables::sign(one.step, modifier);
            let formula =
                formula.map_or(String::new(), |formula| format!(" <em>{}</em>", plain(&formula)));
            format!(
                "<li>{} {}{formula}</li>",
                plain(&sign),
                plain(&text_tables::label(pack, chart, modifier))
            )
        };
        let open: String = one
            .step
            .add
            .iter()
            .filter(|modifier| !always(modifier) && can_count(chart, column, modifier))
            .map(line)
            .collect();
        if !open.is_empty() {
            let what = if one.minus {
                "take their sum off the formula"
            } else {
                "add their sum to the formula"
            };
            text.push_str(&format!(
                "<p>Modifiers of {}, as far as they hold; {what}:</p><ul>{open}</ul>",
                plain(&one.step.title)
            ));
        }
    }
    text
}

/// One table for each combination of the inputs that the result depends on.
fn exact_tables(pack: &Pack, chart: &Chart) -> Result<Vec<(String, Json)>, NoRollTable> {
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
            "<p>{}</p><p>Exact chances: the die stands for the whole chart{}.</p>",
            plain(&chart.about),
            if pack.decks().is_empty() { "" } else { ", drawn from a whole deck" }
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

/// A column in the name of a file. A heading such as `<=3` or `3:1` becomes its number.
fn file_part(id: &str, place: ColumnId) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || sign == '-' || sign == '_';
    if id.chars().all(plain) { id.to_owned() } else { format!("column-{}", place.index() + 1) }
}
