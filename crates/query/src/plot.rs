//! The data of pictures: chances of one situation, or over one or two inputs.

use crate::odds::OddsAnswer;
use crate::vary::{Axis, Line, OddsGrid, VaryError, outcome_name};
use adjutant_dice::{Accepts, Answer, Number, Text};
use adjutant_engine::{Chance, Distribution, OddsReport, OutcomeChance, Situation, in_sheet_order};
use adjutant_render::plot::{Plot, Scale, Spread, SpreadBar, shades};

/// The shade of bars of numbers.
const NUMBERS: usize = 4;

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
        let chance = |line: &Line, cell| line.chance(cell).map_or(0.0, |chance| chance.percent());
        let percents = |cell| self.lines.iter().map(|line| chance(line, cell)).collect();
        let ids: Vec<&str> = self.lines.iter().filter_map(Line::result_id).collect();
        Plot {
            title: format!("{title}: chances in % by {}", labels.join(" and ")),
            below: circumstances(situation, &self.axes),
            down: self.axes.first().map(scale).unwrap_or_default(),
            across: self.axes.get(1).map(scale),
            names: self.lines.iter().map(|line| line.name(pack)).collect(),
            cells: self.grid.iter().map(|row| row.iter().map(percents).collect()).collect(),
            here: None,
            shades: shades(pack, ids),
        }
    }
}

impl OddsAnswer<'_> {
    /// The data of a picture.
    pub fn plot(&self) -> Result<Spread, VaryError> {
        spread_plot(&self.situation, &self.report)
    }
}

/// The data of a picture of one situation. Open questions must be answered: there is one picture.
fn spread_plot(situation: &Situation<'_>, report: &OddsReport) -> Result<Spread, VaryError> {
    let [branch] = report.branches.as_slice() else { return Err(VaryError::SeveralBranches) };
    Ok(Spread {
        title: format!("{}: chances", situation.chart().title),
        below: circumstances(situation, &[]),
        bars: bars(situation, &branch.spread),
    })
}

fn bars(situation: &Situation<'_>, spread: &Distribution) -> Vec<SpreadBar> {
    let pack = situation.pack();
    let results = in_sheet_order(pack, situation.chart(), &spread.results);
    if results.is_empty() {
        let number = |(value, chance): &(Number, Chance)| SpreadBar {
            name: value.to_string(),
            percent: chance.percent(),
            at_least: Some(spread.at_least(*value).percent()),
            shade: NUMBERS,
        };
        return spread.values.iter().map(number).collect();
    }
    let shades = shades(pack, results.iter().map(|chanced| chanced.id.as_str()));
    let bar = |(chanced, shade): (&&OutcomeChance, usize)| SpreadBar {
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
    let known = words.iter().find(|word| word.id == value);
    known.map_or_else(|| value.to_owned(), |word| word.label.to_string())
}

/// The other inputs, so that the picture says what it shows.
fn circumstances(situation: &Situation<'_>, axes: &[Axis]) -> String {
    let varied = |name: &str| axes.iter().any(|axis| axis.name == name);
    let given = situation.given_inputs().into_iter().filter(|(name, _)| !varied(name));
    let said = |(name, value): (Text, Answer)| {
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
    std::iter::once(title).chain(given.map(said)).collect::<Vec<_>>().join(" · ")
}
