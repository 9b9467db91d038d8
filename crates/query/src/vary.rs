//! The chances of a chart over one or two inputs.

use crate::Work;
use crate::error::{InvalidInput, QueryError, accepting, misnamed, of_answer};
use crate::idle::{Asked, refuse_idle};
use crate::odds::{Question, question};
use adjutant_api::{
    AxisQuery, CellNumbers, CellResult, CellValue, ChartQuery, Entries, InputFault, MeanData,
    OddsCell, OddsTable,
};
use adjutant_dice::{Accepts, AnswerError, Number, NumberError};
use adjutant_engine::{
    Chance, Distribution, FightSituation, InputError, OddsError, OddsOptions, OddsReport,
    OutcomeChance, Situation, TooLarge, UnaskedQuestions, check_answers,
};
use adjutant_pack::{Chart, Field, Noun, Pack, UnknownName, value_name};
use adjutant_wording::en::{self, unknown_name::nearest_or_all};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most cells a table may have.
const MOST_CELLS: usize = 2000;

/// Why inputs cannot be varied like this.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum VaryError {
    #[error("name an input to vary")]
    Nothing,
    /// A picture shows one way in which the open questions are answered.
    #[error("the chances depend on an answer: give it, then there is one picture")]
    SeveralBranches,
    #[error("at most two inputs can be varied")]
    TooManyInputs,
    #[error("`{0}` is varied twice")]
    Twice(String),
    #[error("the table would have more than {MOST_CELLS} cells")]
    TooManyCells,
    #[error("{title} has no input `{}`: {}", .unknown.name, nearest_or_all(.unknown))]
    Unknown { title: String, unknown: UnknownName },
    #[error("vary {name}: `{text}` is not a number: write 1..8")]
    NotANumber { name: String, text: String, accepts: Accepts },
    #[error("vary {name}: {}", en::number_error(*.error))]
    Number { name: String, error: NumberError },
    #[error("vary {0}: there is nothing between these ends")]
    Empty(String),
    #[error("vary {name}: {}", en::answer_error(.error))]
    NotAccepted { name: String, error: AnswerError },
}

impl VaryError {
    pub(crate) fn input(&self) -> Option<InputFault> {
        let message = self.to_string();
        match self {
            VaryError::Unknown { unknown, .. } => Some(misnamed(unknown, message)),
            VaryError::NotAccepted { name, error } => Some(of_answer(name.clone(), message, error)),
            VaryError::NotANumber { name, accepts, .. } => {
                Some(accepting(name.clone(), message, accepts))
            }
            _ => None,
        }
    }
}

/// A chart or a fight, to which inputs can be given before it is run.
pub(crate) trait TakesInputs: Clone {
    /// Reads the text as a value of this input.
    fn give(&mut self, name: &str, text: &str) -> Result<(), InputError>;
}

impl TakesInputs for FightSituation<'_> {
    fn give(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        self.give(name, text)
    }
}

/// An input and the values it goes through.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are clear")]
pub struct Axis {
    pub name: String,
    pub label: String,
    pub values: Vec<String>,
}

/// The axes that were asked for, by the inputs there are.
pub(crate) fn axes(
    title: &str,
    inputs: &[(Cow<'_, str>, &Field)],
    over: &[AxisQuery],
) -> Result<Vec<Axis>, VaryError> {
    match over.len() {
        0 => return Err(VaryError::Nothing),
        1 | 2 => {}
        _ => return Err(VaryError::TooManyInputs),
    }
    let axes: Vec<Axis> =
        over.iter().map(|asked| axis(title, inputs, asked)).collect::<Result<_, _>>()?;
    if let [down, across] = axes.as_slice()
        && down.name == across.name
    {
        return Err(VaryError::Twice(down.name.clone()));
    }
    if axes.iter().map(|axis| axis.values.len()).product::<usize>() > MOST_CELLS {
        return Err(VaryError::TooManyCells);
    }
    Ok(axes)
}

fn axis(
    title: &str,
    inputs: &[(Cow<'_, str>, &Field)],
    asked: &AxisQuery,
) -> Result<Axis, VaryError> {
    let name = &*value_name(&asked.input);
    let Some((_, field)) = inputs.iter().find(|(known, _)| *known == name) else {
        let unknown = UnknownName::new(Noun::Input, name, inputs.iter().map(|(name, _)| &**name));
        return Err(VaryError::Unknown { title: title.to_owned(), unknown });
    };
    let values = match asked.values.as_slice() {
        [one] => match one.split_once("..") {
            Some(ends) => between(name, ends, field)?,
            None => one.split(',').map(|value| value.trim().to_owned()).collect(),
        },
        many => many.iter().map(|value| value.trim().to_owned()).collect(),
    };
    if values.is_empty() {
        return Err(VaryError::Empty(name.to_owned()));
    }
    for value in &values {
        field
            .accepts
            .read(value)
            .map_err(|error| VaryError::NotAccepted { name: name.to_owned(), error })?;
    }
    Ok(Axis { name: name.to_owned(), label: field.label.to_string(), values })
}

/// Every value from the first to the last, in the steps of the input.
fn between(name: &str, ends: (&str, &str), field: &Field) -> Result<Vec<String>, VaryError> {
    let end = |text: &str| {
        let text = text.trim();
        text.parse::<Number>().map_err(|_| VaryError::NotANumber {
            name: name.to_owned(),
            text: text.to_owned(),
            accepts: field.accepts.clone(),
        })
    };
    let (mut at, to) = (end(ends.0)?, end(ends.1)?);
    let step = if let Accepts::Number { step, .. } = field.accepts { step } else { Number::ONE };
    let mut list = Vec::new();
    while at <= to && list.len() <= MOST_CELLS {
        list.push(at.to_string());
        let number = |error| VaryError::Number { name: name.to_owned(), error };
        at = at.plus(step).map_err(number)?;
    }
    Ok(list)
}

/// The situation of every cell, row by row.
pub(crate) fn cells<S: TakesInputs>(
    situation: &S,
    axes: &[Axis],
) -> Result<Vec<Vec<S>>, InputError> {
    let [down, more @ ..] = axes else { return Ok(Vec::new()) };
    let mut grid = Vec::new();
    for value in &down.values {
        let mut row = Vec::new();
        for other in more.first().map_or(&[String::new()][..], |axis| &axis.values) {
            let mut here = situation.clone();
            here.give(&down.name, value)?;
            if let Some(axis) = more.first() {
                here.give(&axis.name, other)?;
            }
            row.push(here);
        }
        grid.push(row);
    }
    Ok(grid)
}

/// The values of the varied inputs in a cell, for programs.
pub(crate) fn cell_place<'a>(
    axes: &'a [Axis],
    value: &'a str,
    place: usize,
) -> Entries<&'a str, &'a str> {
    let across =
        axes.get(1).and_then(|axis| Some((axis.name.as_str(), axis.values.get(place)?.as_str())));
    axes.first().map(|axis| (axis.name.as_str(), value)).into_iter().chain(across).collect()
}

/// Refuses answers to questions that come up in none of several situations.
pub(crate) fn refuse_unasked(
    checks: impl IntoIterator<Item = Result<(), UnaskedQuestions>>,
) -> Result<(), QueryError> {
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
    let unasked = |idle| Err(QueryError::Invalid(vec![InvalidInput::Unasked(idle)]));
    idle.map_or(Ok(()), unasked)
}

/// One of the things that are followed from cell to cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Followed {
    /// A result with its chance in one cell.
    Result(OutcomeChance),
    /// A number, where the chart gives no results.
    Value(Number),
}

impl Followed {
    /// Its name, with the chart and the unit where they are not plain.
    pub fn name(&self, pack: &Pack) -> String {
        match self {
            Followed::Value(value) => value.to_string(),
            Followed::Result(chanced) => outcome_name(pack, chanced),
        }
    }

    /// The id of a result.
    pub fn result_id(&self) -> Option<&str> {
        match self {
            Followed::Result(chanced) => Some(&chanced.id),
            Followed::Value(_) => None,
        }
    }

    /// Its chance; none if the cell is too large.
    pub fn chance(&self, cell: &Option<OddsReport>) -> Option<Chance> {
        let report = cell.as_ref()?;
        Some(match self {
            Followed::Result(chanced) => report.chance_of(chanced),
            Followed::Value(value) => {
                let same = first(report)
                    .and_then(|spread| spread.values.iter().find(|(same, _)| same == value));
                same.map_or_else(|| Chance::sum([]), |(_, chance)| chance.clone())
            }
        })
    }
}

/// A result's name, with the chart and the unit where they are not plain.
pub fn outcome_name(pack: &Pack, chanced: &OutcomeChance) -> String {
    let OutcomeChance { chart, of, title, on, .. } = chanced;
    let chart = chart.as_ref().and_then(|id| pack.chart(id));
    let chart = chart.map_or(String::new(), |chart| format!("{}: ", chart.title));
    let of = of.as_ref().map_or(String::new(), |of| format!("{of}: "));
    // `figure.1` is the first of several figures.
    let on = on.as_ref().map_or(String::new(), |on| format!(" ({})", on.replace(".", " ")));
    format!("{of}{chart}{title}{on}")
}

pub(crate) fn first(report: &OddsReport) -> Option<&Distribution> {
    report.branches.first().map(|branch| &branch.spread)
}

/// The chances of a chart over one or two inputs.
#[derive(Debug)]
pub struct OddsGrid<'p> {
    /// The chart with the inputs given, without those that vary.
    pub situation: Situation<'p>,
    /// Answers, and inputs of the charts that follow.
    pub options: OddsOptions,
    /// Down, and across if two inputs vary.
    pub axes: Vec<Axis>,
    /// Row by row; a cell is none if its odds are too large to be exact.
    pub grid: Vec<Vec<Option<OddsReport>>>,
    /// Every result of every cell in the order of the sheet, else every number.
    pub lines: Vec<Followed>,
}

/// The chances of a chart over one or two inputs.
pub fn vary<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    over: &[AxisQuery],
    work: &Work,
) -> Result<OddsGrid<'p>, QueryError> {
    refuse_idle(query, Asked::Odds)?;
    let asked = question(pack, query, work.stop.clone())?;
    let chart = asked.situation.chart();
    let axes = axes(&chart.title, &inputs(&asked), over)?;
    OddsGrid::new(asked, &axes)
}

/// The inputs that may vary: those of the chart and, if the chain is followed, what the charts that
/// follow may read.
fn inputs<'p>(asked: &Question<'p>) -> Vec<(Cow<'p, str>, &'p Field)> {
    let (pack, chart) = (asked.situation.pack(), asked.situation.chart());
    let of_chart = |chart: &'p Chart| {
        chart.inputs.iter().map(|input| (Cow::Borrowed(input.name.as_str()), &input.field))
    };
    let mut inputs: Vec<(Cow<'_, str>, &Field)> = of_chart(chart).collect();
    if asked.options.follow.is_on() {
        for role in &chart.roles {
            let values = pack.kinds()[role.kind].has.iter();
            inputs.extend(values.map(|field| (format!("{}.{}", role.id, field.id).into(), field)));
        }
        inputs.extend(pack.charts().iter().flat_map(of_chart));
        let mut seen = BTreeSet::new();
        inputs.retain(|(name, _)| seen.insert(name.clone()));
    }
    inputs
}

impl<'p> OddsGrid<'p> {
    /// Works out every cell. If all are too large for exact odds, that is the error.
    pub fn new(asked: Question<'p>, axes: &[Axis]) -> Result<OddsGrid<'p>, QueryError> {
        let invalid = |error| QueryError::Invalid(vec![InvalidInput::Input(error)]);
        let cells = cells(&asked, axes).map_err(invalid)?;
        let checks = cells.iter().flatten();
        refuse_unasked(checks.map(|cell| check_answers(&cell.situation, &cell.options)))?;
        let mut large: Option<TooLarge> = None;
        let mut grid = Vec::new();
        for row in cells {
            let mut report =
                |here: Question<'_>| match adjutant_engine::odds(&here.situation, &here.options) {
                    Ok(report) => Ok(Some(report)),
                    Err(OddsError::TooLarge(why)) => {
                        large = Some(why);
                        Ok(None)
                    }
                    Err(stop) => Err(stop),
                };
            grid.push(row.into_iter().map(&mut report).collect::<Result<Vec<_>, _>>()?);
        }
        if let Some(large) = large.filter(|_| grid.iter().flatten().all(Option::is_none)) {
            return Err(OddsError::TooLarge(large).into());
        }
        let Question { situation, options } = asked;
        let lines = lines(&situation, &grid);
        Ok(OddsGrid { situation, options, axes: axes.to_vec(), grid, lines })
    }

    /// The answer as the JSON API has it.
    pub fn data(&self) -> OddsTable<'_> {
        let (pack, chart) = (self.situation.pack(), self.situation.chart());
        let reports = self.grid.iter().flatten().flatten();
        let yields = reports.filter_map(first).any(|spread| !spread.values.is_empty());
        let down = self.axes.first().map_or(&[][..], |axis| &axis.values);
        let mut cells = Vec::new();
        for (value, row) in down.iter().zip(&self.grid) {
            for (place, cell) in row.iter().enumerate() {
                cells.push(OddsCell {
                    at: cell_place(&self.axes, value, place),
                    results: self.lines.iter().filter_map(|line| result(line, cell)).collect(),
                    numbers: cell.as_ref().and_then(first).filter(|_| yields).map(numbers),
                    too_large: cell.is_none(),
                });
            }
        }
        OddsTable { pack: pack.id(), chart: &chart.id, cells }
    }
}

fn result<'l>(line: &'l Followed, cell: &Option<OddsReport>) -> Option<CellResult<'l>> {
    let Followed::Result(known) = line else { return None };
    let on = known.on.as_deref();
    Some(CellResult { id: &known.id, title: &known.title, on, chance: line.chance(cell)? })
}

fn numbers(spread: &Distribution) -> CellNumbers<'_> {
    let values = spread.values.iter();
    CellNumbers {
        values: values.map(|(value, chance)| CellValue { value: *value, chance }).collect(),
        mean: spread.mean().map(|mean| MeanData::exactly(mean.exact(), mean.value())),
    }
}

/// Every result of every cell, in the order of the sheet; every number where there are no results.
fn lines(situation: &Situation<'_>, grid: &[Vec<Option<OddsReport>>]) -> Vec<Followed> {
    let reports = || grid.iter().flatten().flatten();
    let all = adjutant_engine::all_results(reports());
    if !all.is_empty() {
        let sorted = adjutant_engine::in_sheet_order(situation.pack(), situation.chart(), &all);
        return sorted.into_iter().cloned().map(Followed::Result).collect();
    }
    let values = reports().filter_map(first).flat_map(|spread| &spread.values);
    let values: BTreeSet<Number> = values.map(|(value, _)| *value).collect();
    values.into_iter().map(Followed::Value).collect()
}
