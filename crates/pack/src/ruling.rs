//! Which units may not have a role of a chart: by a status, or because the chart is for other
//! units.

use crate::chart::Name;
use crate::expr::Formula;
use crate::ids::{ChartId, IdVec, RoleId, Slot, StatusId};
use crate::pack::Pack;
use crate::value::Value;
use adjutant_dice::Text;

/// The units that a role is for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Only {
    /// The condition. It names values and statuses of the unit, questions of the chart that belong
    /// to no role, options and memory.
    pub when: Formula,
    /// The units in words, after “only for”.
    pub label: Text,
}

/// Why a unit may not have a role of a chart.
#[derive(Clone, Copy, Debug)]
pub enum Ruling<'p> {
    /// A status of the unit.
    Status(StatusId),
    /// The chart is for other units.
    Only(&'p Only),
}

impl Pack {
    /// Why a unit with these statuses may not have a role of a chart. `value` gives the value of a
    /// name of the chart, as far as it is known. A condition on which an unknown value decides
    /// rules nothing out.
    pub fn ruling(
        &self,
        chart: ChartId,
        role: RoleId,
        statuses: &[StatusId],
        value: impl Fn(&Name) -> Option<Value>,
    ) -> Option<Ruling<'_>> {
        let known = self.charts().get(chart)?;
        let stops = |status: &&StatusId| {
            let status = &self.statuses()[**status];
            (role == RoleId::FIRST && status.stops.contains(&chart))
                || (status.out && known.concerns(role))
        };
        if let Some(status) = statuses.iter().find(stops) {
            return Some(Ruling::Status(*status));
        }
        let only = known.roles.get(role)?.only.as_ref()?;
        let mut values: IdVec<Slot, Option<Value>> = IdVec::filled(None, known.names.len());
        for slot in only.when.slots() {
            values[slot] = value(&known.names[slot]);
        }
        let holds = only.when.eval_partly(&values, &mut Vec::new());
        (holds == Some(Value::YesNo(false))).then_some(Ruling::Only(only))
    }
}
