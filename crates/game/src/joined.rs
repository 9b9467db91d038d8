//! Units that take a role together. A pack may say that units of the group join the one in a role
//! (`joined`): all of them that may take it and meet the pack's condition, without those that the
//! player leaves out. They are counted, change and are tested with it. If the unit in the role
//! cannot take part any more, one of the others takes its place in the pending tests.

use crate::event::{DueTest, UnitsByRole, Values};
use crate::play::PlayRequest;
use crate::rejection::{Rejection, RequestRejection};
use crate::state::{PendingTest, State, Unit, no_unit};
use crate::table::Table;
use crate::turn::of_unit;
use adjutant_pack::{Chart, ChartId, Pack, Role, RoleId, Value};
use std::sync::Arc;

/// The units that take each role with the one that the play names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined<'s>(Vec<(RoleId, Vec<&'s Unit>)>);

impl<'s> Joined<'s> {
    /// The units with the one in a role; `None` if nothing is known of it.
    pub fn with(&self, role: RoleId) -> Option<&[&'s Unit]> {
        self.0.iter().find(|(known, _)| *known == role).map(|(_, units)| units.as_slice())
    }

    /// Whether a unit is with the one in a role.
    pub fn has(&self, role: RoleId, unit: &Unit) -> bool {
        self.with(role).is_some_and(|units| units.iter().any(|known| known.id == unit.id))
    }

    /// Removes the units that the player leaves out.
    fn leave_out(&mut self, state: &State, left_out: &[String]) -> Vec<Rejection> {
        let count = |all: &Joined<'_>| all.0.iter().map(|(_, units)| units.len()).sum::<usize>();
        let mut faults = Vec::new();
        // One more than there are is in vain, so that a longer list need not be read to its end.
        for id in left_out.iter().take(count(self) + 1) {
            let before = count(self);
            self.0.iter_mut().for_each(|(_, units)| units.retain(|unit| unit.id != *id));
            if count(self) == before {
                faults.push(match state.unit(id) {
                    Some(unit) => {
                        RequestRejection::LeftOutInVain { unit: unit.name.as_str().into() }.into()
                    }
                    None => no_unit(id),
                });
            }
        }
        faults
    }
}

impl State {
    /// The units that join each role of a chart, and what is wrong with those that are left out.
    pub(crate) fn joined(
        &self,
        pack: &Pack,
        place: ChartId,
        (who, given): (&UnitsByRole, &Values),
        left_out: &[String],
    ) -> (Joined<'_>, Vec<Rejection>) {
        let chart = &pack.charts()[place];
        let mut joined = Joined::default();
        for role in chart.roles.ids() {
            if let Some(units) = self.able_to_join(pack, (place, role), who, given) {
                joined.0.push((role, units));
            }
        }
        let faults = joined.leave_out(self, left_out);
        (joined, faults)
    }

    /// The units that may join the one in a role, if the chart allows it and a unit has the role.
    fn able_to_join(
        &self,
        pack: &Pack,
        (place, role): (ChartId, RoleId),
        who: &UnitsByRole,
        given: &Values,
    ) -> Option<Vec<&Unit>> {
        let chart = &pack.charts()[place];
        let known = &chart.roles[role];
        let when = known.joined.as_ref()?;
        let with = self.unit(who.get(known.id.as_str())?.first()?)?;
        let able = |unit: &&Unit| {
            unit.kind == known.kind
                && unit.is_with(with)
                && !who.values().flatten().any(|id| *id == unit.id)
                && !unit.is_out(pack)
                && self.ruling(pack, (place, role), unit, given).is_none()
                && of_unit(pack, self, chart, unit, when).is_some_and(Value::is_yes)
        };
        Some(self.here().filter(able).collect())
    }

    /// The units that take over roles of a pending test, because the units of these roles cannot
    /// have them any more.
    pub(crate) fn taken_over(
        &self,
        pack: &Pack,
        due: &DueTest,
        despite: bool,
    ) -> Vec<(String, String)> {
        let Some(place) = pack.chart_id(&due.chart) else { return Vec::new() };
        let taken_over = |(role, known): (RoleId, &Role)| {
            known.joined.as_ref()?;
            let unit = self.unit(due.units.get(known.id.as_str())?.first()?)?;
            let stopped =
                || !despite && self.ruling(pack, (place, role), unit, &due.with).is_some();
            if unit.gone.is_none() && !unit.is_out(pack) && !stopped() {
                return None;
            }
            let other = *self.able_to_join(pack, (place, role), &due.units, &due.with)?.first()?;
            Some((known.id.to_string(), other.id.clone()))
        };
        pack.charts()[place].roles.iter_enumerated().filter_map(taken_over).collect()
    }

    /// Gives the roles of a pending test to units of the same group, if their units cannot have
    /// them any more.
    pub(crate) fn hand_over(&self, pack: &Pack, pending: &mut Arc<PendingTest>) {
        for (role, unit) in self.taken_over(pack, &pending.due, pending.despite) {
            Arc::make_mut(pending).due.units.insert(role, vec![unit]);
        }
    }
}

impl Table {
    /// The units that may join the one in a role of a play, for a player to leave some of them out.
    /// `None` if the role is for one unit.
    pub fn able_to_join(
        &self,
        chart: &Chart,
        role: RoleId,
        play: &PlayRequest,
    ) -> Option<Vec<&Unit>> {
        let place = self.pack().chart_id(&chart.id)?;
        let (who, given) = (self.taking_part(play), self.answers(play));
        self.state().able_to_join(self.pack(), (place, role), &who, &given)
    }

    /// The units of a play that its player leaves out and that could take part.
    pub fn left_out(&self, chart: &Chart, play: &PlayRequest) -> Vec<&Unit> {
        let able = |role| self.able_to_join(chart, role, play);
        let able: Vec<&Unit> = chart.roles.ids().filter_map(able).flatten().collect();
        able.into_iter().filter(|unit| play.left_out.contains(&unit.id)).collect()
    }
}
