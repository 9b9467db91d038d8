//! The state of a fight: the units of each side with their attributes and statuses, what is still
//! to be carried out, and the position in the round. Equal units are interchangeable, so a state is
//! kept in a canonical order. That keeps the number of states small.

use super::run_effects::EffectOnUnit;
use adjutant_pack::{
    AttributeId, ChartId, DeckId, FightSideId, IdVec, InputId, MemoryId, RoleId, StatusId, Value,
};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// The attributes and statuses of a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct UnitState {
    /// In the order of the unit's kind.
    pub attributes: IdVec<AttributeId, Option<Value>>,
    /// In the order of the pack.
    pub statuses: IdVec<StatusId, bool>,
}

/// All unit states met so far, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitStates {
    states: Vec<UnitState>,
    places: HashMap<UnitState, u32>,
}

impl UnitStates {
    pub fn place(&mut self, state: UnitState) -> u32 {
        if let Some(place) = self.places.get(&state) {
            return *place;
        }
        let place = self.states.len() as u32;
        self.states.push(state.clone());
        self.places.insert(state, place);
        place
    }

    pub fn state(&self, place: u32) -> &UnitState {
        &self.states[place as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fighter {
    /// Its state, as an index into [`UnitStates`].
    pub state: u32,
    /// Whether it has had its turn in the current action.
    pub acted: bool,
}

/// Hashes a fighter in one call: states are looked up often and consist mostly of fighters.
impl Hash for Fighter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.state) << 1 | u64::from(self.acted));
    }
}

/// A unit: its side and its index there.
pub(super) type Who = (FightSideId, usize);

/// The units in the roles of a chart.
pub(super) type Roles = IdVec<RoleId, Option<Who>>;

/// Something still to be carried out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PendingStep {
    /// Effects that wait for others, to apply at the same time.
    Land { roles: Roles, effects: Vec<EffectOnUnit> },
    /// A chart that follows from another.
    Run {
        chart: ChartId,
        /// The units in its roles, as far as they are known.
        roles: Roles,
        /// Inputs that are already known, by index.
        with: Vec<(InputId, Value)>,
        /// The enemy that caused it.
        cause: Option<Who>,
    },
}

impl PendingStep {
    /// Every unit that it refers to.
    fn units_mut(&mut self) -> impl Iterator<Item = &mut Option<Who>> {
        let (roles, cause) = match self {
            PendingStep::Land { roles, .. } => (roles, None),
            PendingStep::Run { roles, cause, .. } => (roles, Some(cause)),
        };
        roles.iter_mut().chain(cause)
    }

    fn units(&self) -> impl Iterator<Item = Option<Who>> {
        let (roles, cause) = match self {
            PendingStep::Land { roles, .. } => (roles, None),
            PendingStep::Run { roles, cause, .. } => (roles, *cause),
        };
        roles.iter().copied().chain([cause])
    }
}

/// The state of a fight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FightState {
    pub sides: IdVec<FightSideId, Vec<Fighter>>,
    pub due: Vec<PendingStep>,
    /// The next action.
    pub action: usize,
    /// Whether pending effects wait for the end of actions that apply at the same time.
    pub holding: bool,
    /// The decision that a result has caused.
    pub decided: Option<usize>,
    pub memory: IdVec<MemoryId, Value>,
    /// The number of cards left in each class, by deck.
    pub cards: IdVec<DeckId, Vec<u32>>,
}

impl FightState {
    /// Whether a round starts in this state.
    pub fn begins_round(&self) -> bool {
        self.action == 0
            && self.due.is_empty()
            && !self.holding
            && self.sides.iter().flatten().all(|unit| !unit.acted)
    }

    /// Removes units and drops the charts that were pending for them.
    pub fn remove(&mut self, gone: &[Who]) {
        if gone.is_empty() {
            return;
        }
        let moved = |who: Who| {
            let before =
                gone.iter().filter(|(side, place)| *side == who.0 && *place < who.1).count();
            (!gone.contains(&who)).then(|| (who.0, who.1 - before))
        };
        self.due.retain_mut(|due| {
            let named = |due: &PendingStep| match due {
                PendingStep::Land { roles, .. } | PendingStep::Run { roles, .. } => {
                    roles.iter().flatten().count()
                }
            };
            let before = named(due);
            due.units_mut().for_each(|unit| *unit = unit.and_then(moved));
            // Effects apply to the units that are left; a chart whose unit is gone is not run.
            matches!(due, PendingStep::Land { .. }) || named(due) == before
        });
        for (side, units) in self.sides.iter_mut_enumerated() {
            let mut place = 0;
            units.retain(|_| {
                place += 1;
                !gone.contains(&(side, place - 1))
            });
        }
    }

    /// What distinguishes a unit from others of its side: its state, and where pending items refer
    /// to it.
    pub fn mark(&self, who: Who) -> (Fighter, Vec<usize>) {
        let spoken = self.due.iter().flat_map(PendingStep::units).enumerate();
        let fighter = self.sides[who.0][who.1];
        (fighter, spoken.filter(|(_, unit)| *unit == Some(who)).map(|(place, _)| place).collect())
    }

    /// The canonical order of the state.
    pub fn in_order(mut self) -> FightState {
        let mut places: IdVec<FightSideId, Vec<usize>> = IdVec::with_capacity(self.sides.len());
        for side in self.sides.ids() {
            let marks: Vec<_> =
                (0..self.sides[side].len()).map(|place| self.mark((side, place))).collect();
            let mut order: Vec<usize> = (0..marks.len()).collect();
            order.sort_by(|a, b| marks[*a].cmp(&marks[*b]));
            let mut place = vec![0; order.len()];
            order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
            self.sides[side] = order.iter().map(|old| self.sides[side][*old]).collect();
            places.push(place);
        }
        for unit in self.due.iter_mut().flat_map(PendingStep::units_mut).flatten() {
            unit.1 = places[unit.0][unit.1];
        }
        self
    }
}
