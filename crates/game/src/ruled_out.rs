//! Which units may not take part in a chart: units that are out, units that the chart is not for
//! and, in the first role, units with a status that stops the chart. Their pending tests lapse. A
//! test that is due at once stays if its own result ruled the unit out.
//!
//! A play by hand with such units is rejected unless the request says `anyway`. This is recorded,
//! bound in a sealed call, and shown in the log and the report. `verify` rejects a line that needs
//! it and lacks it, or has it without need.

use crate::event::{UnitsByRole, Values};
use crate::state::{State, Unit, read_field};
use crate::table::Table;
use adjutant_engine::RuledOutBy;
use adjutant_pack::{Chart, ChartId, Name, NameSource, Pack, RoleId, Ruling, Value};

/// A unit that is ruled out of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The unit's id.
    pub unit: String,
    /// The unit's name.
    pub name: String,
    /// What rules it out.
    pub by: RuledOutBy,
    /// The title of the chart.
    pub chart: String,
}

impl State {
    /// What rules a unit out of a role of a chart, with the answers that are known.
    pub(crate) fn ruling<'p>(
        &self,
        pack: &'p Pack,
        (chart, role): (ChartId, RoleId),
        unit: &Unit,
        given: &Values,
    ) -> Option<Ruling<'p>> {
        let known = pack.charts().get(chart)?;
        let answer = |name: &Name, input: &adjutant_pack::Input| match given.get(&*name.text) {
            Some(text) => read_field(pack, &input.field, text.trim()).ok(),
            None => input.field.start,
        };
        let value = |name: &Name| -> Option<Value> {
            match name.origin {
                NameSource::Option(option) => self.options.get(option).copied(),
                NameSource::Memory(memory) => self.memory.get(memory).copied(),
                NameSource::Input(input) if known.inputs[input].role.is_none() => {
                    answer(name, &known.inputs[input])
                }
                _ if unit.kind != known.roles[role].kind => None,
                _ => unit.facet(pack, name.text.split_once('.')?.1),
            }
        };
        pack.ruling(chart, role, &unit.statuses, value)
    }

    /// The units that may not have their role in a chart, each once with what rules it out.
    pub(crate) fn stopped<'s, 'p>(
        &'s self,
        pack: &'p Pack,
        chart: ChartId,
        who: &UnitsByRole,
        given: &Values,
    ) -> Vec<(&'s Unit, Ruling<'p>)> {
        let mut found: Vec<(&Unit, Ruling<'_>)> = Vec::new();
        for (role, known) in pack.charts()[chart].roles.iter_enumerated() {
            let units =
                who.get(known.id.as_str()).into_iter().flatten().filter_map(|id| self.unit(id));
            for unit in units {
                if let Some(ruling) = self.ruling(pack, (chart, role), unit, given)
                    && !found.iter().any(|(known, _)| known.id == unit.id)
                {
                    found.push((unit, ruling));
                }
            }
        }
        found
    }

    /// The units that may not have these roles of a chart, each with what rules it out.
    /// [`PlayRequest::anyway`](crate::PlayRequest::anyway) allows them.
    pub fn ruled_out(
        &self,
        pack: &Pack,
        chart: &str,
        who: &UnitsByRole,
        given: &Values,
    ) -> Vec<RuledOut> {
        let Some(place) = pack.chart_id(chart) else { return Vec::new() };
        self.stopped(pack, place, who, given)
            .into_iter()
            .map(|found| RuledOut::new(pack, place, found))
            .collect()
    }
}

impl Table {
    /// What rules a unit out of a role of a chart, with the answers that are known. Such a unit is
    /// not offered.
    pub fn ruled_out_by(
        &self,
        chart: &Chart,
        role: RoleId,
        unit: &Unit,
        given: &Values,
    ) -> Option<RuledOutBy> {
        let place = self.pack().chart_id(&chart.id)?;
        let ruling = self.state().ruling(self.pack(), (place, role), unit, given)?;
        Some(RuledOutBy::new(self.pack(), ruling))
    }
}

impl RuledOut {
    pub(crate) fn new(pack: &Pack, chart: ChartId, (unit, by): (&Unit, Ruling<'_>)) -> RuledOut {
        RuledOut {
            unit: unit.id.clone(),
            name: unit.name.clone(),
            by: RuledOutBy::new(pack, by),
            chart: pack.charts()[chart].title.to_string(),
        }
    }
}
