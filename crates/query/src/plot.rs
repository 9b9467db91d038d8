//! The data of pictures: chances of one situation, or over one or two inputs.

use crate::odds::OddsAnswer;
use crate::vary::{Axis, Followed, OddsGrid, VaryError, first, outcome_name};
use adjutant_dice::{Accepts, Answer, Number, Text};
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, OddsOptions, OddsReport, OutcomeChance, Situation,
    find_question, in_sheet_order,
};
use adjutant_pack::Chart;
use adjutant_render::plot::{Plot, Scale, Shade, Spread, SpreadBar, shades};
use std::collections::BTreeSet;

/// The shade of bars of numbers.
const NUMBERS: Shade = Shade::plain(4);

impl OddsGrid<'_> {
    /// The data of a picture. A cell that is too large is empty.
    pub fn plot(&self) -> Plot {
        let (situation, pack) = (&self.situation, self.situation.pack());
        let title = &situation.chart().title;
        let scale = |axis: &Axis| Scale {
            label: axis.label.clone(),
            values: axis.values.iter().map(|value| shown(situation, &axis.name, value)).collect(),
        };
        let labels: Vec<&str> = self.axes.iter().map(|axis| axis.label.as_str()).collect();
        let plot = Plot {
            title: format!("{title}: chances in % by {}", labels.join(" and ")),
            below: circumstances(situation, &self.options, &self.axes),
            down: self.axes.first().map(scale).unwrap_or_default(),
            ..Plot::default()
        };
        if let Some(numbers) = self.numbers() {
            return self.plot_of_numbers(plot, &numbers);
        }
        let chance =
            |line: &Followed, cell| line.chance(cell).map_or(0.0, |chance| chance.percent());
        let percents = |cell| self.lines.iter().map(|line| chance(line, cell)).collect();
        let ids: Vec<&str> = self.lines.iter().filter_map(Followed::result_id).collect();
        Plot {
            across: self.axes.get(1).map(scale),
            names: self.lines.iter().map(|line| line.name(pack)).collect(),
            cells: self.grid.iter().map(|row| row.iter().map(percents).collect()).collect(),
            shades: shades(pack, ids),
            ..plot
        }
    }

    /// The numbers that come up over one input, if the chart gives no more than one result, and so
    /// no chance but theirs is of interest.
    fn numbers(&self) -> Option<Vec<Number>> {
        let spreads = self.grid.iter().flatten().flatten().filter_map(first);
        let values: BTreeSet<Number> =
            spreads.flat_map(|spread| &spread.values).map(|(value, _)| *value).collect();
        let results = self.lines.iter().filter(|line| line.result_id().is_some()).count();
        let one_way = self.axes.len() == 1 && results <= 1 && values.len() > 1;
        one_way.then(|| values.into_iter().collect())
    }

    /// A heat map: the varied input down, the numbers across.
    fn plot_of_numbers(&self, plot: Plot, numbers: &[Number]) -> Plot {
        let result = self.lines.iter().find(|line| line.result_id().is_some());
        let name = result.map(|line| line.name(self.situation.pack()));
        let percents = |cell: &Option<OddsReport>| -> Vec<Vec<f64>> {
            let spread = cell.as_ref().and_then(first);
            let chance = |number: &Number| {
                let same = spread?.values.iter().find(|(value, _)| value == number);
                same.map(|(_, chance)| chance.percent())
            };
            numbers.iter().map(|number| vec![chance(number).unwrap_or(0.0)]).collect()
        };
        Plot {
            across: Some(Scale {
                label: "Number".to_owned(),
                values: numbers.iter().map(Number::to_string).collect(),
            }),
            names: vec![name.unwrap_or_else(|| self.situation.chart().title.to_string())],
            cells: self.grid.iter().map(|row| row.iter().flat_map(percents).collect()).collect(),
            shades: vec![NUMBERS],
            ..plot
        }
    }
}

impl OddsAnswer<'_> {
    /// The data of a picture.
    pub fn plot(&self) -> Result<Spread, VaryError> {
        spread_plot(&self.situation, &self.options, &self.report)
    }
}

/// The data of a picture of one situation. Open questions must be answered: there is one picture.
fn spread_plot(
    situation: &Situation<'_>,
    options: &OddsOptions,
    report: &OddsReport,
) -> Result<Spread, VaryError> {
    let [branch] = report.branches.as_slice() else { return Err(VaryError::SeveralBranches) };
    Ok(Spread {
        title: format!("{}: chances", situation.chart().title),
        below: circumstances(situation, options, &[]),
        bars: bars(situation, &branch.spread),
    })
}

fn bars(situation: &Situation<'_>, spread: &Distribution) -> Vec<SpreadBar> {
    let pack = situation.pack();
    let results = in_sheet_order(pack, situation.chart(), &spread.results);
    // One result that says a number: how many enemies, for example.
    if results.is_empty() || results.len() == 1 && spread.values.len() > 1 {
        let number = |(value, chance): &(Number, Chance)| SpreadBar {
            name: value.to_string(),
            percent: chance.percent(),
            at_least: Some(spread.at_least(*value).percent()),
            shade: NUMBERS,
        };
        return spread.values.iter().map(number).collect();
    }
    let shades = shades(pack, results.iter().map(|chanced| chanced.id.as_str()));
    let bar = |(chanced, shade): (&&OutcomeChance, Shade)| SpreadBar {
        name: outcome_name(pack, chanced),
        percent: chanced.chance.percent(),
        at_least: None,
        shade,
    };
    results.iter().zip(shades).map(bar).collect()
}

/// A value of an input as players see it.
fn shown(situation: &Situation<'_>, name: &str, value: &str) -> String {
    let input = situation.chart().input(name);
    let words = input.and_then(|input| input.field.accepts.words()).unwrap_or(&[]);
    let word = words.iter().find(|word| word.id == value);
    word.map_or_else(|| value.to_owned(), |word| word.label.to_string())
}

/// The other inputs and answers, so that the picture says what it shows.
fn circumstances(situation: &Situation<'_>, options: &OddsOptions, axes: &[Axis]) -> String {
    let varied = |name: &str| axes.iter().any(|axis| axis.name == name);
    let given = situation.given_inputs().into_iter().filter(|(name, _)| !varied(name));
    let in_words = |(name, value): (Text, Answer)| {
        let name: &str = &name;
        let input = situation.chart().input(name);
        let label = input.map_or(name, |input| &input.field.label);
        match (input.map(|input| &input.field.accepts), &value) {
            (Some(Accepts::YesNo), Answer::YesNo(true)) => label.to_owned(),
            (Some(Accepts::YesNo), Answer::YesNo(false)) => format!("{label}: no"),
            (Some(Accepts::Choice { .. }), value) => {
                format!("{label}: {}", shown(situation, name, &value.to_string()))
            }
            (_, value) => format!("{label} {value}"),
        }
    };
    let title = situation.pack().title().to_string();
    std::iter::once(title)
        .chain(given.map(in_words))
        .chain(later_inputs(situation, options))
        .chain(options.answers.iter().map(|(key, odds)| answer_in_words(situation, key, odds)))
        .collect::<Vec<_>>()
        .join(" · ")
}

/// The inputs of charts that follow.
fn later_inputs(situation: &Situation<'_>, options: &OddsOptions) -> Vec<String> {
    let charts = situation.pack().charts();
    let here = |name: &str| situation.chart().input(name).is_some();
    let in_words = |(name, value): &(String, String)| {
        let input = charts.iter().find_map(|chart| chart.input(name))?;
        Some(format!("{} {value}", input.field.label))
    };
    options.later.iter().filter(|(name, _)| !here(name)).filter_map(in_words).collect()
}

/// A question and how it is answered: `Does the weapon jam? yes 1/6`.
fn answer_in_words(situation: &Situation<'_>, key: &str, odds: &AnswerOdds) -> String {
    let charts: Vec<&Chart> = situation.pack().charts().iter().collect();
    let prompt = find_question(situation.pack(), &charts, key).map(|question| question.prompt);
    let prompt = prompt.as_deref().unwrap_or(key);
    let short = prompt.split_inclusive('?').next().unwrap_or(prompt);
    match odds {
        AnswerOdds::Always(answer) => format!("{short} {answer}"),
        AnswerOdds::Weighed(all) => {
            let sum: u64 = all.iter().map(|(_, weight)| weight).sum();
            let in_words = |(answer, weight): &(Answer, u64)| format!("{answer} {weight}/{sum}");
            format!("{short} {}", all.iter().map(in_words).collect::<Vec<_>>().join(", "))
        }
    }
}
