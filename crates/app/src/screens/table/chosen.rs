//! What was chosen for a unit: its ammunition, the ground that it moves on. The next roll of the unit
//! on the same chart opens with it. Numbers and circumstances are of the moment and are not kept.

use adjutant_dice::Accepts;
use adjutant_game::{Event, EventKind, PlayRequest, UnitsByRole};
use adjutant_pack::{Chart, Input, Pack};
use adjutant_wording::en::page::parts;
use std::collections::BTreeMap;

/// The choices, by unit, chart and input.
#[derive(Debug, Default)]
pub(super) struct Chosen(BTreeMap<(String, String, String), String>);

/// The unit that an input is about: that of its role, else the unit that acts.
fn unit_of<'u>(chart: &Chart, input: &Input, units: &'u UnitsByRole) -> Option<&'u String> {
    let role = input.role.map(|role| &chart.roles[role]).or_else(|| chart.roles.first())?;
    units.get(role.id.as_str())?.first()
}

/// The inputs of a request that are choices, with the words that were chosen.
fn choices<'a>(
    chart: &'a Chart,
    request: &'a PlayRequest,
) -> impl Iterator<Item = (&'a Input, &'a String)> {
    let given = request.given.iter().filter_map(|(key, word)| Some((chart.input(key)?, word)));
    given.filter(|(input, _)| matches!(input.field.accepts, Accepts::Choice { .. }))
}

impl Chosen {
    /// Notes the choices of a roll.
    pub fn note(&mut self, pack: &Pack, event: &Event) {
        let EventKind::Play(played) = &event.what else { return };
        let request = &played.request;
        let Some(chart) = pack.chart(&request.chart) else { return };
        for (input, word) in choices(chart, request) {
            if let Some(unit) = unit_of(chart, input, &request.units) {
                let key = (unit.clone(), request.chart.clone(), input.name.to_string());
                self.0.insert(key, word.clone());
            }
        }
    }

    /// What was chosen last for the unit that an input is about.
    pub fn last(&self, chart: &Chart, input: &Input, units: &UnitsByRole) -> Option<&String> {
        let unit = unit_of(chart, input, units)?.clone();
        self.0.get(&(unit, chart.id.to_string(), input.name.to_string()))
    }
}

/// The choices of a roll, in words.
pub(super) fn in_words(pack: &Pack, request: &PlayRequest) -> String {
    let Some(chart) = pack.chart(&request.chart) else { return String::new() };
    let choice = |(input, word): (&Input, &String)| {
        let shown = crate::parts::form::shown_value(&input.field.accepts, word);
        parts::choice(&input.own_label, &shown)
    };
    choices(chart, request).map(choice).collect()
}
