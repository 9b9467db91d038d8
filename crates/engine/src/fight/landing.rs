//! Applies the effects of a chart to the units of a fight and queues its follow-ups.

use super::rules::FightRules;
use super::run_effects::{EffectOnUnit, FightFollowUp, FightTerms, OtherWhen, RunEffects};
use super::state::{FightState, PendingStep, Roles, UnitState, Who};
use crate::error::NoOdds;
use crate::odds::OddsError;
use adjutant_pack::{ChartId, EffectKind, FightSideId, Status, UnitFacet, Value};

impl<'p> FightRules<'p> {
    /// Applies the effects of a chart to the units, or holds them back, and queues the follow-ups.
    pub(super) fn land(
        &mut self,
        standing: &mut FightState,
        roles: &Roles,
        cause: Option<Who>,
        change: &RunEffects,
    ) -> Result<(), OddsError> {
        standing.decided = standing.decided.or(change.decides);
        if let Some((deck, left)) = &change.cards {
            standing.cards[*deck].clone_from(left);
        }
        let mut at_once = Vec::new();
        let mut later = Vec::new();
        for next in &change.next {
            let due = self.follows(standing, roles, cause, next);
            if next.now { at_once.extend(due) } else { later.extend(due) }
        }
        for (memory, operation, value) in &change.remember {
            let accepts = &self.situation.pack.memory()[*memory].accepts;
            standing.memory[*memory] = match (standing.memory[*memory].number(), value.number()) {
                (Some(known), Some(by)) => Value::Number(
                    operation
                        .applied(known, by, accepts)
                        .map_err(|error| OddsError::Refused(NoOdds::Arithmetic(error)))?,
                ),
                _ => *value,
            };
        }
        if standing.holding {
            if !change.effects.is_empty() {
                standing.due.push(PendingStep::Land {
                    roles: roles.clone(),
                    effects: change.effects.clone(),
                });
            }
            standing.due.extend(at_once.into_iter().chain(later));
            return Ok(());
        }
        let waiting = std::mem::take(&mut standing.due);
        standing.due = at_once.into_iter().chain(waiting).chain(later).collect();
        self.apply(standing, roles, &change.effects)
    }

    pub(super) fn apply(
        &mut self,
        standing: &mut FightState,
        roles: &Roles,
        effects: &[EffectOnUnit],
    ) -> Result<(), OddsError> {
        let mut gone = Vec::new();
        for effect in effects {
            let Some(Some(who)) = roles.get(effect.role).copied() else { continue };
            let places: Vec<usize> =
                if effect.all { (0..standing.sides[who.0].len()).collect() } else { vec![who.1] };
            for place in places {
                if effect.change.leaves().is_some() {
                    gone.push((who.0, place));
                    continue;
                }
                let mut state = self.barracks.state(standing.sides[who.0][place].state).clone();
                self.change_unit(&mut state, who.0, &effect.change)?;
                standing.sides[who.0][place].state = self.barracks.place(state);
            }
        }
        self.sweep(standing, &gone)
    }

    pub(super) fn change_unit(
        &self,
        state: &mut UnitState,
        side: FightSideId,
        change: &EffectKind<FightTerms>,
    ) -> Result<(), OddsError> {
        match change.status() {
            Some((status, true)) => {
                let known = self.situation.pack.statuses().iter().zip(&state.statuses);
                let keeps_off = |known: &Status| known.keeps_off.contains(status);
                if !known.into_iter().any(|(known, on)| *on && keeps_off(known)) {
                    state.statuses[*status] = true;
                }
            }
            Some((status, false)) => state.statuses[*status] = false,
            None => {}
        }
        let Some((attribute, operation, value)) = change.attribute() else { return Ok(()) };
        let field = &self.situation.pack.kinds()[self.fight().sides[side].kind].has[*attribute];
        match (operation, state.attributes[*attribute], *value) {
            (_, _, value) if operation.replaces() => state.attributes[*attribute] = Some(value),
            (_, Some(Value::Number(known)), Value::Number(by)) => {
                let number = operation
                    .applied(known, by, &field.accepts)
                    .map_err(|error| OddsError::Refused(NoOdds::Arithmetic(error)))?;
                state.attributes[*attribute] = Some(Value::Number(number));
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes the units that have left or take no further part. Pending charts that a status stops
    /// are dropped, as in a game.
    pub(super) fn sweep(&self, standing: &mut FightState, gone: &[Who]) -> Result<(), OddsError> {
        let mut gone = gone.to_vec();
        for (side, known) in self.fight().sides.iter_enumerated() {
            for who in (0..standing.sides[side].len()).map(|place| (side, place)) {
                let out = || {
                    known
                        .out
                        .as_ref()
                        .map_or(Ok(false), |out| self.holds(Some(out), standing, &[Some(who)]))
                };
                if !gone.contains(&who)
                    && (self.has_status(standing, who, |status| status.out) || out()?)
                {
                    gone.push(who);
                }
            }
        }
        standing.remove(&gone);
        let mut due = std::mem::take(&mut standing.due);
        due.retain(|due| !matches!(due, PendingStep::Run { chart, roles, .. } if self.is_stopped(standing, *chart, roles)));
        standing.due = due;
        Ok(())
    }

    /// Whether a status of the unit in its first role stops a chart from being rolled.
    pub(super) fn is_stopped(
        &self,
        standing: &FightState,
        chart: ChartId,
        roles: &[Option<Who>],
    ) -> bool {
        roles.first().copied().flatten().is_some_and(|who| {
            self.has_status(standing, who, |status| status.stops.contains(&chart))
        })
    }

    fn has_status(
        &self,
        standing: &FightState,
        who: Who,
        is_such: impl Fn(&Status) -> bool,
    ) -> bool {
        let state = self.barracks.state(standing.sides[who.0][who.1].state);
        self.situation
            .pack
            .statuses()
            .iter()
            .zip(&state.statuses)
            .any(|(status, on)| *on && is_such(status))
    }

    /// The follow-up charts, one for each unit they are for.
    pub(super) fn follows(
        &self,
        standing: &FightState,
        roles: &Roles,
        cause: Option<Who>,
        next: &FightFollowUp,
    ) -> Vec<PendingStep> {
        let pack = self.situation.pack;
        let there = &pack.charts()[next.chart];
        let run = |taken: Roles| {
            let first = taken.iter().flatten().next().copied();
            let enemy = roles
                .iter()
                .flatten()
                .find(|who| first.is_some_and(|first| first.0 != who.0))
                .copied();
            PendingStep::Run {
                chart: next.chart,
                roles: taken,
                with: next.with.clone(),
                cause: enemy.or(cause),
            }
        };
        let mut taken = Roles::filled(None, there.roles.len());
        for (role, here) in &next.who {
            taken[*role] = roles.get(*here).copied().flatten();
        }
        let Some((role, relation, when)) = &next.others else { return vec![run(taken)] };
        let Some(Some(of)) = roles.get(relation.of).copied() else { return Vec::new() };
        let kind = there.roles[*role].kind;
        let mut found = Vec::new();
        for (side, units) in standing.sides.iter_enumerated() {
            let related = if side == of.0 { relation.friend } else { relation.enemy };
            if !related || self.fight().sides[side].kind != kind {
                continue;
            }
            let mut others: Vec<Who> =
                (0..units.len()).map(|place| (side, place)).filter(|who| *who != of).collect();
            others.sort_by(|a, b| self.like(standing, *a).cmp(self.like(standing, *b)));
            for who in others {
                if when.as_ref().is_none_or(|when| self.concerns(standing, when, who)) {
                    let mut taken = taken.clone();
                    taken[*role] = Some(who);
                    found.push(run(taken));
                }
            }
        }
        found
    }

    /// Whether a follow-up for others is for this unit.
    pub(super) fn concerns(&self, standing: &FightState, when: &OtherWhen, who: Who) -> bool {
        let pack = self.situation.pack;
        let kind = &pack.kinds()[self.fight().sides[who.0].kind];
        let knowing = |name: &str| {
            when.knowing.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
        };
        let facet = |id: &str| {
            let attribute = kind.has.position(|field| field.id == id).map(UnitFacet::Attribute);
            let status = || pack.status_id(id).map(UnitFacet::Status);
            self.facet(standing, who, attribute.or_else(status)?)
        };
        crate::others::concerns(pack, when.rule, &knowing, &facet)
    }
}
