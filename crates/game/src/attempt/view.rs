//! Everything that a front end shows of a roll in progress, worked out from the game. It contains
//! no sentence and no widget.

use super::{Attempt, Refusal};
use crate::event::DueTest;
use crate::play::{PlayError, member_name, unit_of_member};
use crate::state::Unit;
use crate::table::Table;
use adjutant_dice::Answer;
use adjutant_engine::{RuledOutBy, Situation, needs, relevant, roles_in_use};
use adjutant_pack::{Chart, FilledFrom, Input, InputId, Role, RoleId, Value};

/// A roll in progress as a player sees it.
#[derive(Clone, Debug)]
pub struct AttemptView<'t> {
    /// The chart.
    pub chart: &'t Chart,
    /// The pending test that it settles.
    pub test: Option<&'t DueTest>,
    /// The roles, in the order of the chart.
    pub roles: Vec<RoleView<'t>>,
    /// The inputs that matter, in the order of the sheet; all of them if the request is not valid.
    pub inputs: Vec<InputView<'t>>,
    /// The situation, for its odds. `None` if the request is not valid.
    pub situation: Option<Situation<'t>>,
    /// Why the request is not valid, if it is not.
    pub refusal: Option<Refusal>,
    /// The progress of the attempt.
    pub stage: Stage,
}

/// The progress of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Something must be chosen, given or allowed before the roll.
    Open,
    /// It can be rolled.
    Ready,
    /// Dice or cards have come: nothing of the situation can be changed.
    Underway,
}

/// A role, and the units that have it.
#[derive(Clone, Debug)]
pub struct RoleView<'t> {
    /// The role's place in the chart.
    pub place: RoleId,
    /// The role.
    pub role: &'t Role,
    /// Whether several units can take it.
    pub several: bool,
    /// The ids of its units. A unit that rolls twice is listed twice.
    pub units: Vec<String>,
    /// The names of its values in a request, if each of several units has its own: one for each of
    /// the units.
    pub members: Vec<String>,
    /// Whether the role has what it needs.
    pub state: RoleState,
}

/// Whether a role has what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleState {
    /// The pending test fixes its units.
    Settled,
    /// Units have it.
    Taken,
    /// Someone has it who is not on the roster: the values are asked for.
    Unlisted,
    /// It makes no difference in this situation.
    Idle,
    /// It waits for a unit.
    Waits,
    /// No unit of the roster can take it: the values are asked for.
    NoUnit,
}

/// A unit that can take a role.
#[derive(Clone, Debug)]
pub struct Candidate<'t> {
    /// The unit.
    pub unit: &'t Unit,
    /// The rule that forbids it, unless the player allows it.
    pub ruled_out: Option<RuledOutBy>,
}

/// An input and its value.
#[derive(Clone, Debug)]
pub struct InputView<'t> {
    /// The input.
    pub input: &'t Input,
    /// The name in a request: `ammo`, `target.def`, or for one of several units `figure.u3.moved`.
    pub name: String,
    /// One of several units, by the name of its values.
    pub member: Option<String>,
    /// The value as it is typed; `None` if there is none.
    pub value: Option<String>,
    /// The origin of the value.
    pub from: ValueFrom<'t>,
    /// Whether the player cannot change it.
    pub settled: bool,
    /// Whether nothing can be rolled without it.
    pub missing: bool,
}

/// The origin of the value of an input.
#[derive(Clone, Copy, Debug)]
pub enum ValueFrom<'t> {
    /// The player gave it.
    Player,
    /// The pending test fixes it.
    Test,
    /// It was counted on the roster.
    Roster,
    /// The unit has it.
    Unit(&'t Unit),
    /// The side of the unit remembers it.
    Side(&'t Unit),
    /// The pack's default.
    Default,
    /// There is no value.
    Nothing,
}

impl<'t> AttemptView<'t> {
    /// The roles that wait for a unit.
    pub fn waiting(&self) -> impl Iterator<Item = &RoleView<'t>> {
        self.roles.iter().filter(|role| role.state == RoleState::Waits)
    }

    /// The names of the inputs without which nothing can be rolled. The values of a role that waits
    /// for a unit are not among them.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let waits = |input: &&InputView<'t>| {
            self.waiting().any(|role| Some(role.place) == input.input.role)
        };
        let missing = self.inputs.iter().filter(|input| input.missing);
        missing.filter(move |input| !waits(input)).map(|input| input.name.as_str())
    }
}

impl Attempt {
    /// The attempt as a player sees it. `None` if its test is no longer pending.
    pub fn view<'t>(&self, table: &'t Table, player: &str) -> Option<AttemptView<'t>> {
        let chart = self.chart(table)?;
        let (situation, refusal) = match table.situation_for(player, &self.request) {
            Ok(situation) => (Some(situation), None),
            Err(PlayError::RuledOut(units)) => (None, Some(Refusal::RuledOut(units))),
            Err(PlayError::Rejected(why)) => (None, Some(Refusal::Rejected(why))),
            // Without a roll nothing of it can be missing.
            Err(PlayError::Needs { .. } | PlayError::Unusable { .. }) => (None, None),
        };
        let in_use = situation.as_ref().map(roles_in_use);
        let matters = |place: RoleId| in_use.as_ref().is_none_or(|in_use| in_use.contains(&place));
        let roles: Vec<RoleView<'t>> = chart
            .roles
            .iter_enumerated()
            .map(|(place, role)| self.role_view(table, chart, (place, role), matters(place)))
            .collect();
        let inputs = self.input_views(table, chart, &roles, situation.as_ref());
        let mut view = AttemptView {
            chart,
            test: self.test(table),
            roles,
            inputs,
            situation,
            refusal,
            stage: Stage::Open,
        };
        if self.is_underway() {
            view.stage = Stage::Underway;
        } else if view.situation.is_some()
            && view.waiting().next().is_none()
            && view.missing().next().is_none()
        {
            view.stage = Stage::Ready;
        }
        Some(view)
    }

    fn role_view<'t>(
        &self,
        table: &'t Table,
        chart: &'t Chart,
        (place, role): (RoleId, &'t Role),
        matters: bool,
    ) -> RoleView<'t> {
        let units = self.units(table, &role.id).to_vec();
        let several = chart.is_for_each(place);
        let unlisted = self.unlisted.iter().any(|listed| role.id == listed.as_str());
        let state = if self.is_settled(table, &role.id) {
            RoleState::Settled
        } else if !units.is_empty() {
            RoleState::Taken
        } else if unlisted {
            RoleState::Unlisted
        } else if !matters {
            RoleState::Idle
        } else if self.able(table, chart, place).next().is_some() {
            RoleState::Waits
        } else {
            RoleState::NoUnit
        };
        let members = match several {
            true if units.is_empty() && unlisted => vec!["1".to_owned()],
            true => (0..units.len()).map(|nth| member_name(&units, nth).into_owned()).collect(),
            false => Vec::new(),
        };
        RoleView { place, role, several, units, members, state }
    }

    /// The units that can take a role, apart from what rules them out.
    fn able<'t>(
        &self,
        table: &'t Table,
        chart: &'t Chart,
        place: RoleId,
    ) -> impl Iterator<Item = &'t Unit> {
        let taking_part = table.taking_part(&self.request);
        let role = chart.roles[place].id.clone();
        let pending = self.request.pending.clone();
        table.state().here().filter(move |unit| {
            let elsewhere = taking_part
                .iter()
                .any(|(other, units)| role != other.as_str() && units.contains(&unit.id));
            table.can_take(chart, place, unit, &taking_part)
                && !elsewhere
                && !table.is_of_other_side(pending.as_ref(), &role, unit)
        })
    }

    /// The units that can take a role. Units of the other side come first as soon as a unit has
    /// another role; those that are ruled out come last.
    pub fn candidates<'t>(&self, table: &'t Table, place: RoleId) -> Vec<Candidate<'t>> {
        let Some(chart) = self.chart(table) else { return Vec::new() };
        let others = chart.roles.iter_enumerated().filter(|(other, _)| *other != place);
        let mut elsewhere = others.flat_map(|(_, role)| self.units(table, &role.id));
        let against = elsewhere.find_map(|id| table.state().unit(id)).map(|unit| unit.side);
        let answers = table.answers(&self.request);
        let candidate = |unit: &'t Unit| {
            let ruled_out = table.ruled_out_by(chart, place, unit, &answers);
            Candidate { unit, ruled_out }
        };
        let mut candidates: Vec<Candidate<'t>> =
            self.able(table, chart, place).map(candidate).collect();
        adjutant_dice::sort_by_key(&mut candidates, |candidate| {
            let side = candidate.unit.side;
            (candidate.ruled_out.is_some(), against == Some(side), side)
        });
        candidates
    }

    /// The units that can join the one in a role, each with whether the player leaves it out.
    pub fn joining<'t>(&self, table: &'t Table, place: RoleId) -> Vec<(&'t Unit, bool)> {
        let Some(chart) = self.chart(table) else { return Vec::new() };
        let able = table.able_to_join(chart, place, &self.request).unwrap_or_default();
        able.into_iter().map(|unit| (unit, self.request.left_out.contains(&unit.id))).collect()
    }

    fn input_views<'t>(
        &self,
        table: &'t Table,
        chart: &'t Chart,
        roles: &[RoleView<'t>],
        situation: Option<&Situation<'t>>,
    ) -> Vec<InputView<'t>> {
        let places = match situation {
            Some(situation) => relevant(situation),
            None => chart.inputs.ids().collect(),
        };
        let counted = situation.map(Situation::given_inputs).unwrap_or_default();
        let missing: Vec<String> =
            situation.map(needs).into_iter().flatten().map(|need| need.key).collect();
        let settled = self.test(table).map(|due| &due.with);
        let underway = self.is_underway();
        let look = |place: InputId, member: Option<&String>| {
            let input = &chart.inputs[place];
            let name = match (member, input.name.split_once('.')) {
                (Some(member), Some((role, id))) => format!("{role}.{member}.{id}"),
                _ => input.name.to_string(),
            };
            let (value, from, fixed) = if let Some(value) = settled.and_then(|with| with.get(&name))
            {
                (Some(value.clone()), ValueFrom::Test, true)
            } else if let Some(value) = self.request.given.get(&name) {
                (Some(value.clone()), ValueFrom::Player, false)
            } else if let Some((value, joined)) = count_of(input, &counted) {
                (Some(value), ValueFrom::Roster, joined)
            } else if let Some((value, from)) = of_unit(table, input, member, roles) {
                (Some(value.to_answer(table.pack().words()).to_string()), from, false)
            } else if let Some(default) = &input.field.default {
                (Some(default.to_string()), ValueFrom::Default, false)
            } else {
                (None, ValueFrom::Nothing, false)
            };
            // Before a unit is named, its value is needed under the name of the role.
            let missing = missing.iter().any(|key| *key == name || *key == input.name.as_str());
            let member = member.cloned();
            InputView { input, name, member, value, from, settled: fixed || underway, missing }
        };
        let views = places.into_iter().flat_map(|place| {
            let role = chart.inputs[place].role;
            let members = roles.iter().find(|view| view.several && Some(view.place) == role);
            match members.map_or(&[][..], |view| view.members.as_slice()) {
                [] => vec![look(place, None)],
                members => members.iter().map(|member| look(place, Some(member))).collect(),
            }
        });
        views.collect()
    }
}

/// The value of an input that is counted on the roster, and whether only the units that take part
/// decide it.
fn count_of(input: &Input, counted: &[(adjutant_dice::Text, Answer)]) -> Option<(String, bool)> {
    let count = input.count.as_ref()?;
    let (_, value) = counted.iter().find(|(name, _)| *name == input.name)?;
    Some((value.to_string(), count.is_of_joined()))
}

/// The value that a unit or its side has.
fn of_unit<'t>(
    table: &'t Table,
    input: &Input,
    member: Option<&String>,
    roles: &[RoleView<'t>],
) -> Option<(Value, ValueFrom<'t>)> {
    let role = roles.iter().find(|view| Some(view.place) == input.role)?;
    let id = match member {
        Some(member) => unit_of_member(member),
        None => role.units.first()?,
    };
    let unit = table.state().unit(id)?;
    let value = table.value_for(unit, input)?;
    let from = match input.source {
        FilledFrom::SideMemory(_) => ValueFrom::Side(unit),
        _ => ValueFrom::Unit(unit),
    };
    Some((value, from))
}
