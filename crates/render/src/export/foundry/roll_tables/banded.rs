//! A chart that rolls dice, adds them and reads the sum on bands: one table for each column. The
//! formula is the dice, and the player adds the modifiers that are true now.

use super::super::{Band, plain, roll_table};
use super::{has_luck, not_in_the_table, result_html};
use crate::reference::Held;
use adjutant_dice::Number;
use adjutant_pack::{
    Amount, Chart, Column, ColumnId, Expr, Facet, Func, HeadingKey, Id, IdVec, Lookup, NameSource,
    Pack, PlainRoll, RowId, Slot, Step, StepKind, Value,
};
use adjutant_wording::en::{ChartText, ChartWords, LineText, StepText, TableText};
use serde_json::Value as Json;

/// How far bands extend beyond the dice, for modifiers.
const BEYOND: i64 = 30;

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
    let score = &chart.read.score.as_ref()?.expr;
    let (size, score) = match score {
        Expr::Call(Func::Abs, parts) => (true, parts.first()?),
        score => (false, score),
    };
    let mut sum = Sum { only_size: size, ..Sum::default() };
    for (slot, minus) in score.signed_names()? {
        let label = match chart.names.get(slot)?.origin {
            NameSource::Input(input) => &chart.inputs[input].field.label,
            NameSource::Step(step, Facet::Total | Facet::Value) => {
                let step = &chart.steps[step];
                if matches!(step.kind, StepKind::Roll(_)) {
                    sum.dice.push(dice(step, minus)?);
                    continue;
                }
                &step.title
            }
            _ => return None,
        };
        sum.known.push((minus, label.to_string()));
    }
    let others = chart.steps.iter().any(|step| match &step.kind {
        StepKind::WorkOut(_) => false,
        StepKind::LookUp(look_up) => has_luck(pack, &pack.charts()[look_up.chart]),
        StepKind::Roll(_) => !sum.dice.iter().any(|dice| dice.step.name == step.name),
        StepKind::Draw(_) | StepKind::Ask(_) => true,
    });
    (!others && !sum.dice.is_empty()).then_some(sum)
}

/// The tables of a chart that is read on bands.
pub(super) fn banded_tables(pack: &Pack, chart: &Chart) -> Option<Vec<(String, Json)>> {
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
    let column = columns(chart);
    let text = ChartWords::for_players(pack, chart).text();
    let table = text.table.as_ref()?;
    if sum.only_size {
        let results = bands(pack, table, low..=high, &|score| signed_cell(chart, &sum, score))?;
        let (file, text) = (chart.id.to_string(), description(pack, &text, &sum, None));
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
            bands(pack, table, low..=high, &|score| Some((row_of(chart, score)?, place)))?;
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
                description(pack, &text, &sum, column.map(|_| place)),
                &results,
            ),
        ));
    }
    Some(tables)
}

/// The columns of a chart, if its rows distinguish them.
fn columns(chart: &Chart) -> Option<&Column> {
    chart.read.column.as_ref().filter(|_| chart.read.rows.iter().any(|row| row.cells.len() > 1))
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
    let known = column.zip(columns(chart)).and_then(|(place, column)| {
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
    let Some(column) = columns(chart) else {
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
    table: &TableText<'_>,
    range: std::ops::RangeInclusive<i64>,
    cell_of: &dyn Fn(i64) -> Option<Cell>,
) -> Option<Vec<Band>> {
    let mut found: Vec<(i64, i64, Cell)> = Vec::new();
    for score in range {
        let cell = cell_of(score)?;
        match found.last_mut() {
            Some((_, to, last)) if *last == cell => *to = score,
            _ => found.push((score, score, cell)),
        }
    }
    let band_text = |(from, to, (row, column)): (i64, i64, Cell)| {
        let cell = table.rows.get(row.index())?.cell(column.index())?;
        let means = cell.result.map_or("", |result| pack.results()[result].means.as_str());
        Some((from, to, result_html(&cell.without_head(), means)))
    };
    found.into_iter().map(band_text).collect()
}

/// What the chart is about, and which modifiers to add to the formula.
fn description(
    pack: &Pack,
    words: &ChartText<'_>,
    sum: &Sum<'_>,
    column: Option<ColumnId>,
) -> String {
    let chart = words.chart;
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
        let line = |line: &LineText<'_>| {
            let more: String = [&line.spelt, &line.when]
                .into_iter()
                .flatten()
                .map(|part| format!(" <i>({})</i>", plain(part)))
                .collect();
            let (amount, label) = (line.amount.figure("value"), line.label());
            format!("<li><b>{}</b> {}{more}</li>", plain(&amount), plain(&label))
        };
        let step = words.steps.iter().filter(|step| std::ptr::eq(step.step, one.step));
        let open: String = step
            .flat_map(|step| &step.lines)
            .filter(|line| !always(line.modifier) && can_count(chart, column, line.modifier))
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
    let rolled =
        |step: &StepText<'_>| sum.dice.iter().any(|dice| std::ptr::eq(dice.step, step.step));
    text.push_str(&not_in_the_table(pack, chart, &Held { steps: &rolled, table: true }));
    text
}

/// A column in the name of a file. A heading such as `<=3` or `3:1` becomes its number.
fn file_part(id: &str, place: ColumnId) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || sign == '-' || sign == '_';
    if id.chars().all(plain) { id.to_owned() } else { format!("column-{}", place.index() + 1) }
}
