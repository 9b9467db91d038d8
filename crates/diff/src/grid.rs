//! The situations in which a chart is compared: each input, option and memory that it uses is an
//! axis with the values that both versions accept.

use adjutant_dice::{Accepts, Answer, Number};
use adjutant_engine::Situation;
use adjutant_pack::{Chart, Field, NameSource, Pack};
use serde::Serialize;

/// The most values of one axis. A number with more is tried at these many places, spread evenly.
const MOST_VALUES: usize = 64;

/// The kind of value that an axis sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisKind {
    /// An input of the chart.
    Input,
    /// An option of the pack.
    Option,
    /// Something that the game remembers.
    Memory,
}

/// One input, option or memory, and its values.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The kind of value that it sets.
    pub kind: AxisKind,
    /// The name by which it is given.
    pub name: String,
    /// The label that a player reads.
    pub label: String,
    /// The values, as a player types them.
    pub values: Vec<String>,
    /// The place of the value that is tried first: the default, or a middle one.
    pub usual: usize,
    /// Set if that value is the default, which need not be given.
    pub has_default: bool,
    /// Set if these are all values that both versions accept.
    pub complete: bool,
}

/// A place on each axis.
pub(crate) type Point = Vec<u16>;

/// The axes of a chart in two versions.
pub(crate) struct SituationGrid {
    pub axes: Vec<Axis>,
}

impl SituationGrid {
    /// The axes that the chart has in either version, with the values that both accept.
    pub fn new(before: &Pack, after: &Pack, chart: &str) -> SituationGrid {
        let (Some(one), Some(other)) = (before.chart(chart), after.chart(chart)) else {
            return SituationGrid { axes: Vec::new() };
        };
        let mut axes = Vec::new();
        for input in &other.inputs {
            let field = one.input(&input.name).map(|input| &input.field);
            axes.push(axis(AxisKind::Input, &input.name, &input.field, field));
        }
        for input in one.inputs.iter().filter(|input| other.input(&input.name).is_none()) {
            axes.push(axis(AxisKind::Input, &input.name, &input.field, None));
        }
        for (pack, chart) in [(after, other), (before, one)] {
            for (kind, field) in beside(pack, chart) {
                if !axes.iter().any(|axis| axis.kind == kind && axis.name == *field.id) {
                    axes.push(axis(kind, &field.id, field, None));
                }
            }
        }
        SituationGrid { axes }
    }

    /// The number of situations.
    pub fn size(&self) -> u128 {
        let sizes = self.axes.iter().map(|axis| axis.values.len() as u128);
        sizes.fold(1, u128::saturating_mul)
    }

    /// Tells if every value of every axis is among them.
    pub fn is_complete(&self) -> bool {
        self.axes.iter().all(|axis| axis.complete)
    }

    pub fn usual(&self) -> Point {
        self.axes.iter().map(|axis| axis.usual as u16).collect()
    }

    /// The point of this number, if all points are counted.
    pub fn point(&self, mut number: u128) -> Point {
        let place = |axis: &Axis| {
            let values = axis.values.len().max(1) as u128;
            let place = number % values;
            number /= values;
            place as u16
        };
        self.axes.iter().map(place).collect()
    }

    /// The value of each axis at this point.
    pub fn values<'g>(&'g self, point: &[u16]) -> impl Iterator<Item = (&'g Axis, &'g str)> {
        let values = self.axes.iter().zip(point.to_vec());
        values.filter_map(|(axis, place)| Some((axis, axis.values.get(place as usize)?.as_str())))
    }

    /// The situation of a point in one version. An axis that the version does not have does not
    /// matter there.
    pub fn situation<'p>(
        &self,
        pack: &'p Pack,
        chart: &str,
        point: &[u16],
    ) -> Option<Situation<'p>> {
        let mut situation = Situation::new(pack, chart).ok()?;
        let known = situation.chart();
        if let Some(option) = known.needs_option {
            situation.set_option(&pack.options()[option].field.id, "yes").ok()?;
        }
        for (axis, value) in self.values(point) {
            let done = match axis.kind {
                AxisKind::Input if known.input(&axis.name).is_some() => {
                    situation.give(&axis.name, value)
                }
                AxisKind::Option if pack.option_id(&axis.name).is_some() => {
                    situation.set_option(&axis.name, value)
                }
                AxisKind::Memory if pack.memory_id(&axis.name).is_some() => {
                    situation.set_memory(&axis.name, value)
                }
                _ => Ok(()),
            };
            done.ok()?;
        }
        Some(situation)
    }
}

/// The options and memories that a chart and those it looks up use.
fn beside<'p>(pack: &'p Pack, chart: &'p Chart) -> Vec<(AxisKind, &'p Field)> {
    let mut reached = vec![chart];
    let mut next = 0;
    while let Some(chart) = reached.get(next).copied() {
        next += 1;
        for look_up in chart.look_ups() {
            let chart = &pack.charts()[look_up.chart];
            if !reached.iter().any(|known| known.id == chart.id) {
                reached.push(chart);
            }
        }
    }
    let names = reached.iter().flat_map(|chart| &chart.other_names);
    let field = |(source, _): &(NameSource, _)| match source {
        NameSource::Option(option) => Some((AxisKind::Option, &pack.options()[*option].field)),
        NameSource::Memory(memory) => Some((AxisKind::Memory, &pack.memory()[*memory])),
        _ => None,
    };
    names.filter_map(field).collect()
}

fn axis(kind: AxisKind, name: &str, field: &Field, other: Option<&Field>) -> Axis {
    let (mut values, complete) = values(&field.accepts);
    if let Some(other) = other {
        values.retain(|value| other.accepts.read(value).is_ok());
    }
    let default = field.default.as_ref().map(Answer::to_string);
    let usual = default.and_then(|text| values.iter().position(|value| *value == text));
    let middle = match field.accepts {
        Accepts::Number { .. } => values.len() / 2,
        _ => 0,
    };
    let has_default = usual.is_some();
    let usual = usual.unwrap_or(middle);
    Axis {
        kind,
        name: name.to_owned(),
        label: field.label.to_string(),
        values,
        usual,
        has_default,
        complete,
    }
}

/// The values that are tried, and whether they are all that are accepted.
fn values(accepts: &Accepts) -> (Vec<String>, bool) {
    match accepts {
        Accepts::YesNo => (vec!["no".into(), "yes".into()], true),
        Accepts::Choice { words } => (words.iter().map(|word| word.id.to_string()).collect(), true),
        Accepts::Number { from, to, step } => numbers(*from, *to, *step),
    }
}

fn numbers(from: Number, to: Number, step: Number) -> (Vec<String>, bool) {
    let whole = |n: Number| n.as_whole().unwrap_or(0);
    // Steps are counted from zero.
    let first = from.over(step).map_or(0, |n| whole(n.ceil()));
    let last = to.over(step).map_or(0, |n| whole(n.floor()));
    let count = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
    let text = |place: i64| {
        let n = Number::whole(place).and_then(|place| place.times(step));
        n.map_or_else(|_| place.to_string(), |n| n.to_string())
    };
    if count <= MOST_VALUES {
        return ((first..=last).map(text).collect(), true);
    }
    let spread = (0..MOST_VALUES as i128).map(|n| {
        let span = i128::from(last) - i128::from(first);
        i64::try_from(i128::from(first) + span * n / (MOST_VALUES as i128 - 1)).unwrap_or(last)
    });
    (spread.map(text).collect(), false)
}
