//! The exact chances of a chart.

use crate::error::{InvalidInput, QueryError};
use crate::given::{answer_odds, situation};
use crate::idle::{Asked, refuse_idle};
use crate::vary::TakesInputs;
use adjutant_api::{ChangedOdds, ChartQuery, ModifierOdds, OddsData, SeriesBranchData, SeriesData};
use adjutant_engine::{
    Follow, InputError, OddsOptions, OddsReport, Series, Situation, Stop, check_answers,
    could_hold, odds_of_series,
};
use adjutant_pack::{Input, Pack};

/// A situation, and what goes beyond it.
#[derive(Clone, Debug)]
pub struct Question<'p> {
    /// The chart and its inputs.
    pub situation: Situation<'p>,
    /// Answers, and whether the chain of charts is followed.
    pub options: OddsOptions,
}

/// Reads a request for odds. It does not yet check whether every answer can be of use.
pub fn question<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    stop: Stop,
) -> Result<Question<'p>, QueryError> {
    let (situation, refused) = situation(pack, query)?;
    let options =
        OddsOptions { follow: Follow::when(query.follow), stop, ..OddsOptions::default() };
    let mut asked = Question { situation, options };
    let mut wrong: Vec<InvalidInput> = Vec::new();
    let mut reached = vec![asked.situation.chart()];
    if query.follow {
        let later = query.given.iter().map(|(name, text)| asked.give(name, text));
        wrong.extend(later.filter_map(Result::err).map(InvalidInput::Input));
        reached.extend(pack.charts());
    } else {
        wrong.extend(refused.into_iter().map(|(_, error)| InvalidInput::Input(error)));
    }
    match answer_odds(pack, &asked.situation.chart().title, &reached, query) {
        Ok(answers) => asked.options.answers = answers,
        Err(more) => wrong.extend(more),
    }
    if wrong.is_empty() { Ok(asked) } else { Err(QueryError::Invalid(wrong)) }
}

impl TakesInputs for Question<'_> {
    /// Gives an input of the chart or, if the chain is followed, of one that may come later.
    fn give(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        let given = self.situation.give(name, text);
        if !self.options.follow.is_on() {
            return given;
        }
        let name = self.situation.whole_name(name).into_owned();
        if let Err(error) = given {
            accepted_later(self.situation.pack(), &name, text, error)?;
        }
        self.options.later.retain(|(known, _)| *known != name);
        self.options.later.push((name, text.to_owned()));
        Ok(())
    }
}

/// Refuses an input that no chart has, and a value that none of those that have it accepts.
fn accepted_later(
    pack: &Pack,
    name: &str,
    text: &str,
    mut refused: InputError,
) -> Result<(), InputError> {
    for chart in pack.charts().iter().filter(|chart| chart.input(name).is_some()) {
        match Situation::new(pack, &chart.id)?.give(name, text) {
            Ok(()) => return Ok(()),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

impl Question<'_> {
    /// Refuses answers to questions that cannot come up.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        check_answers(&self.situation, &self.options)
            .map_err(|idle| QueryError::Invalid(vec![InvalidInput::Unasked(idle)]))
    }
}

/// The chances of a chart.
#[derive(Debug)]
pub struct OddsAnswer<'p> {
    /// The chart with the inputs given.
    pub situation: Situation<'p>,
    /// Answers, and inputs of the charts that follow.
    pub options: OddsOptions,
    /// The outcomes with their exact chances.
    pub report: OddsReport,
}

impl OddsAnswer<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> OddsData<'_> {
        OddsData::new(&self.situation, &self.report)
    }
}

/// The exact chances of a chart.
pub fn odds<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    stop: Stop,
) -> Result<OddsAnswer<'p>, QueryError> {
    refuse_idle(query, Asked::Odds)?;
    let asked = question(pack, query, stop)?;
    asked.check()?;
    let report = adjutant_engine::odds(&asked.situation, &asked.options)?;
    Ok(OddsAnswer { situation: asked.situation, options: asked.options, report })
}

/// The chances now, and if each yes-or-no input that does not hold now did.
#[derive(Debug)]
pub struct ModifiersAnswer<'p> {
    /// The chart with the inputs given.
    pub situation: Situation<'p>,
    /// The chances with these inputs.
    pub report: OddsReport,
    /// The chances if this input held.
    pub changes: Vec<(&'p Input, OddsReport)>,
}

impl ModifiersAnswer<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> ModifierOdds<'_> {
        let change = |(input, report)| {
            let input: &Input = input;
            ChangedOdds {
                input: &input.name,
                label: &input.field.label,
                odds: OddsData::new(&self.situation, report),
            }
        };
        ModifierOdds {
            now: OddsData::new(&self.situation, &self.report),
            changes: self.changes.iter().map(|(input, report)| change((*input, report))).collect(),
        }
    }
}

/// The chances now, and if each yes-or-no input that does not hold now did.
pub fn modifiers<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    stop: Stop,
) -> Result<ModifiersAnswer<'p>, QueryError> {
    refuse_idle(query, Asked::Odds)?;
    let asked = question(pack, query, stop)?;
    asked.check()?;
    let Question { situation, options } = asked;
    let report = adjutant_engine::odds(&situation, &options)?;
    let mut changes = Vec::new();
    for place in could_hold(&situation) {
        let input = &situation.chart().inputs[place];
        let mut other = situation.clone();
        if other.give(&input.name, "yes").is_ok()
            && let Ok(report) = adjutant_engine::odds(&other, &options)
        {
            changes.push((input, report));
        }
    }
    Ok(ModifiersAnswer { situation, report, changes })
}

/// The chances of several checks one after another.
#[derive(Debug)]
pub struct SeriesAnswer<'p> {
    /// The chart with the inputs given.
    pub situation: Situation<'p>,
    /// The number of checks.
    pub times: u32,
    /// The outcomes of the whole series, with their exact chances.
    pub series: Series,
}

impl SeriesAnswer<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> SeriesData<'_> {
        let branches = self.series.branches.iter();
        SeriesData {
            pack: self.situation.pack().id(),
            chart: &self.situation.chart().id,
            times: self.times,
            branches: branches.map(|one| SeriesBranchData::new(&self.situation, one)).collect(),
        }
    }
}

/// The chances of several checks one after another.
pub fn times<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    times: u32,
    stop: Stop,
) -> Result<SeriesAnswer<'p>, QueryError> {
    refuse_idle(query, Asked::Times)?;
    let asked = question(pack, query, stop)?;
    asked.check()?;
    let series = odds_of_series(&asked.situation, &asked.options, times)?;
    Ok(SeriesAnswer { situation: asked.situation, times, series })
}
