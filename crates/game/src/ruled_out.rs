//! Which units may not take part in a chart: units that are out and, in the first role, units with
//! a status that stops the chart. Their pending tests lapse. A test that is due at once stays if
//! its own result set that status.
//!
//! A play by hand with such units is rejected unless the request says `anyway`. This is recorded,
//! bound in a sealed call, and shown in the log and the report. `verify` rejects a line that needs
//! it and lacks it, or has it without need.

use crate::event::UnitsByRole;
use crate::state::{State, Unit};
use crate::table::Table;
use adjutant_pack::{Chart, ChartId, Pack, RoleId, Status, StatusId};

/// A status that rules a unit out of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The unit's id.
    pub unit: String,
    /// The unit's name.
    pub name: String,
    /// The id of the status.
    pub status: String,
    /// The title of the status.
    pub title: String,
    /// The title of the chart.
    pub chart: String,
}

impl Unit {
    /// The status that stops this unit from having a role of a chart.
    pub(crate) fn stopped_by(&self, pack: &Pack, chart: ChartId, role: RoleId) -> Option<StatusId> {
        let stops = |status: &&StatusId| {
            let status = &pack.statuses()[**status];
            (role == RoleId::FIRST && status.stops.contains(&chart))
                || (status.out && pack.charts()[chart].concerns(role))
        };
        self.statuses.iter().find(stops).copied()
    }
}

impl State {
    /// The units that may not have their role in a chart, each once with the status that forbids
    /// it.
    pub(crate) fn stopped(
        &self,
        pack: &Pack,
        chart: ChartId,
        who: &UnitsByRole,
    ) -> Vec<(&Unit, StatusId)> {
        let mut found: Vec<(&Unit, StatusId)> = Vec::new();
        for (role, known) in pack.charts()[chart].roles.iter_enumerated() {
            let units =
                who.get(known.id.as_str()).into_iter().flatten().filter_map(|id| self.unit(id));
            for (unit, status) in
                units.filter_map(|unit| Some((unit, unit.stopped_by(pack, chart, role)?)))
            {
                if !found.iter().any(|(known, _)| known.id == unit.id) {
                    found.push((unit, status));
                }
            }
        }
        found
    }
}

impl State {
    /// The units that may not have these roles of a chart, each with the status that forbids it.
    /// [`PlayRequest::anyway`](crate::PlayRequest::anyway) allows them.
    pub fn ruled_out(&self, pack: &Pack, chart: &str, who: &UnitsByRole) -> Vec<RuledOut> {
        let Some(place) = pack.chart_id(chart) else { return Vec::new() };
        self.stopped(pack, place, who)
            .into_iter()
            .map(|found| RuledOut::new(pack, place, found))
            .collect()
    }
}

impl Table {
    /// The status that rules a unit out of a role of a chart. Such a unit is not offered.
    pub fn ruled_out_by(&self, chart: &Chart, role: RoleId, unit: &Unit) -> Option<&Status> {
        let status = unit.stopped_by(self.pack(), self.pack().chart_id(&chart.id)?, role)?;
        Some(&self.pack().statuses()[status])
    }
}

impl RuledOut {
    pub(crate) fn new(pack: &Pack, chart: ChartId, (unit, status): (&Unit, StatusId)) -> RuledOut {
        let status = &pack.statuses()[status];
        RuledOut {
            unit: unit.id.clone(),
            name: unit.name.clone(),
            status: status.id.to_string(),
            title: status.title.to_string(),
            chart: pack.charts()[chart].title.to_string(),
        }
    }
}
