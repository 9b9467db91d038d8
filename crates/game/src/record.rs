//! From a resolution to its record: roles become units, changes to a group become changes to each
//! of its units, and follow-ups for others become one pending test for each unit that they concern,
//! checked against the roster now.
//!
//! A pending test's id is the number of its event and a count (`12.1`). Tests that are due at once
//! come first. A group is all units of one side with the same group text; a unit without one is
//! alone. New units join the side that the player names; else that of the unit that caused the
//! chart; else one that the sheet runs; else the last side that is not the player's.

use crate::event::{DueTest, NewUnit, PlayRecord, ResultRecord, UnitsByRole, Values};
use crate::fold::affect;
use crate::play::{PlayContext, PreparedPlay, first_unit, unit_of_member};
use crate::recorded_change::{RecordedChange, ToLog};
use crate::recording::unit_of_chit;
use crate::rejection::{Rejection, SetupRejection, UnitRejection, unknown};
use crate::state::{MOST_UNITS, Unit};
use adjutant_dice::{Answer, Text, map_of};
use adjutant_engine::{Change, FollowUp, NewUnits, Others, Resolution, ResultLine};
use adjutant_pack::{Chart, Noun, Relation, Value};
use std::collections::BTreeMap;

/// The maximum number of units that one result may add.
const MOST_APPEAR: i64 = 200;

pub(crate) struct RecordBuilder<'a, 'p> {
    pub ground: &'a PlayContext<'a>,
    pub chart: &'p Chart,
    pub ready: &'a PreparedPlay<'p, 'a>,
    pub resolution: &'a Resolution,
}

impl RecordBuilder<'_, '_> {
    pub fn fill(&self, played: &mut PlayRecord) -> Result<(), Rejection> {
        let resolution = self.resolution;
        played.results = self.results();
        played.value = resolution.value.map(|value| value.to_string()).unwrap_or_default();
        played.says = resolution.says.clone().unwrap_or_default();
        let unit = |member: &Text| unit_of_member(member).to_owned();
        played.order =
            resolution.order.iter().map(|group| group.iter().map(unit).collect()).collect();
        for effect in &resolution.effects {
            match effect.kind.new_units() {
                Some(new) => self.appear(new, &mut played.appear)?,
                None => self.effect(effect, &mut played.effects),
            }
        }
        played.held = resolution.lands_together;
        played.next = self.next(&played.effects)?;
        Ok(())
    }

    /// The unit with a role of the resolution: `target`, or `target.u4` for one of several.
    fn unit(&self, role: &str) -> Option<&Unit> {
        let state = self.ground.state;
        match role.split_once('.') {
            Some((_, member)) => state.unit(unit_of_member(member)),
            None => state.unit(self.ready.units.get(role)?.first()?),
        }
    }

    fn on(&self, role: Option<&Text>) -> String {
        role.and_then(|role| self.unit(role)).map(|unit| unit.id.clone()).unwrap_or_default()
    }

    fn results(&self) -> Vec<ResultRecord> {
        let found = |result: &ResultLine| ResultRecord {
            id: result.id.as_str().to_owned(),
            title: result.title.as_str().to_owned(),
            on: self.on(result.on.as_ref()),
            because: result.because.as_deref().unwrap_or_default().to_owned(),
        };
        let resolution = self.resolution;
        let mut list: Vec<ResultRecord> = match resolution.members.is_empty() {
            true => resolution.result.iter().map(found).collect(),
            false => resolution
                .members
                .iter()
                .filter_map(|member| {
                    let on =
                        if self.ready.units.is_empty() { "" } else { unit_of_member(&member.name) };
                    let (result, value) = (
                        member.result.as_ref().map(found),
                        member.value.map(|value| value.to_string()),
                    );
                    let title = value.filter(|_| result.is_none());
                    result.map(|found| ResultRecord { on: on.to_owned(), ..found }).or_else(|| {
                        Some(ResultRecord {
                            title: title?,
                            on: on.to_owned(),
                            ..ResultRecord::default()
                        })
                    })
                })
                .collect(),
        };
        list.extend(resolution.also.iter().map(found));
        list
    }

    fn effect(&self, effect: &Change, list: &mut Vec<RecordedChange>) {
        let Ok(kind) = effect.kind.translate(&mut ToLog) else { return };
        let one = |on: String| RecordedChange { kind: kind.clone(), on };
        let on = effect.on.as_ref();
        let Some((on, unit)) = on.and_then(|on| Some((on, self.unit(&on.role)?))) else {
            return list.push(one(String::new()));
        };
        let unit = match on.nth {
            // Without such a unit on the roster, the change is shown and falls on no unit.
            Some(nth) => match self.numbered(unit, nth) {
                Some(unit) => unit,
                None => return list.push(one(String::new())),
            },
            None => unit,
        };
        let with_it = if on.all { self.with_it(&on.role, unit) } else { Vec::new() };
        for unit in [unit].into_iter().chain(with_it) {
            let effect = one(unit.id.clone());
            if !self.idle(unit, &effect, list) {
                list.push(effect);
            }
        }
    }

    /// The units that change with the one in a role: those that joined it, or its group if the chart
    /// does not say who joins.
    fn with_it(&self, role: &str, unit: &Unit) -> Vec<&Unit> {
        let joined = self.chart.role(role).and_then(|role| self.ready.joined.with(role));
        let group = || {
            let with_it = |other: &&Unit| other.kind == unit.kind && unit.is_with(other);
            self.ground.state.here().filter(|other| other.id != unit.id).filter(with_it).collect()
        };
        joined.map_or_else(group, <[&Unit]>::to_vec)
    }

    /// The unit with a number in the group of another. Units that are out have no number, as they
    /// are not counted.
    fn numbered(&self, of: &Unit, nth: u32) -> Option<&Unit> {
        let pack = self.ground.pack;
        let mut group = self
            .ground
            .state
            .here()
            .filter(|unit| unit.kind == of.kind && !unit.is_out(pack) && unit.is_with(of));
        group.nth(usize::try_from(nth).ok()?.checked_sub(1)?)
    }

    /// Whether a change has no effect: it lifts a status that the unit does not have, or removes a
    /// unit that already leaves. Effects that wait for other attacks are kept, because the
    /// situation may be different when they are applied.
    fn idle(&self, unit: &Unit, effect: &RecordedChange, before: &[RecordedChange]) -> bool {
        let mut own = before.iter().filter(|known| known.on == unit.id);
        if effect.kind.leaves().is_some() {
            return own.any(|known| known.kind.leaves().is_some());
        }
        let Some(lifted) = effect.kind.lifts().filter(|_| !self.resolution.lands_together) else {
            return false;
        };
        let pack = self.ground.pack;
        let is_on =
            |unit: &Unit| unit.statuses.iter().any(|status| pack.statuses()[*status].id == *lifted);
        let mut given = own.filter(|known| known.kind.gives().is_some()).peekable();
        if given.peek().is_none() {
            return !is_on(unit);
        }
        let mut then = unit.clone();
        given.all(|known| affect(pack, &mut then, &known.kind).is_ok()) && !is_on(&then)
    }

    /// The side that new units join: the one that the player names; else an enemy, if the pack says
    /// so; else that of the unit that
    /// caused the chart; else one that the sheet runs; else the last side that is not the player's
    /// own.
    fn side_of_newcomers(&self, named: Option<&String>, enemy: bool) -> Result<String, Rejection> {
        let sides = &self.ground.setup.sides;
        if let Some(named) = named {
            let known = sides.iter().find(|side| *side == named);
            return known
                .cloned()
                .ok_or_else(|| unknown(Noun::Side, named, sides.iter().map(String::as_str)));
        }
        let cause = self.cause();
        if let (true, Some(own)) = (enemy, &cause) {
            let sheet = self.ground.setup.run_by_sheet.iter().find(|side| *side != own);
            let other = sheet.or_else(|| sides.iter().rfind(|side| *side != own));
            return Ok(other.unwrap_or(own).clone());
        }
        if let Some(side) = cause {
            return Ok(side);
        }
        if let Some(side) = self.ground.setup.run_by_sheet.first() {
            return Ok(side.clone());
        }
        let own = self.ground.side.unwrap_or(0);
        let other = sides
            .iter()
            .enumerate()
            .rev()
            .find(|(place, _)| *place != own)
            .or(sides.iter().enumerate().next());
        other.map(|(_, side)| side.clone()).ok_or_else(|| SetupRejection::NoSides.into())
    }

    /// The side of the unit that this play is about, or that caused it.
    fn cause(&self) -> Option<String> {
        let about = self.chart.roles.iter().find_map(|role| self.unit(&role.id));
        about
            .map(|unit| self.ground.setup.sides[unit.side].clone())
            .or_else(|| self.ready.side.cloned())
    }

    fn appear(&self, new: &NewUnits, list: &mut Vec<NewUnit>) -> Result<(), Rejection> {
        let count = match &new.count {
            Answer::Number(n) => n.as_whole().unwrap_or(0),
            _ => 0,
        };
        if count > MOST_APPEAR {
            return Err(UnitRejection::TooManyAppear { count, most: MOST_APPEAR }.into());
        }
        let (state, pack) = (self.ground.state, self.ground.pack);
        let Some(kind) = pack.kind_id(&new.kind) else { return Ok(()) };
        let side = self.side_of_newcomers(self.ready.new_units_side, new.enemy)?;
        let template = new.template.as_ref().and_then(|template| pack.template(template));
        let place = new.place.as_ref().and_then(|role| self.unit(role));
        let title = template.map_or(&pack.kinds()[kind].title, |template| &template.name);
        let number = |name: &str| name.strip_prefix(title.as_str())?.trim().parse::<usize>().ok();
        let names = state
            .units
            .iter()
            .map(|unit| unit.name.as_str())
            .chain(list.iter().map(|recruit| recruit.name.as_str()));
        let last = names.filter_map(number).max().unwrap_or(0).min(MOST_UNITS);
        let group = match place {
            Some(unit) if unit.group.is_empty() => unit.name.clone(),
            Some(unit) => unit.group.clone(),
            None if count > 1 => format!("group of event {}", self.ground.n),
            None => String::new(),
        };
        let notes = place.map(|unit| {
            if unit.notes.is_empty() {
                format!("where {} was", unit.name)
            } else {
                unit.notes.clone()
            }
        });
        for more in 0..usize::try_from(count).unwrap_or(0) {
            let mut recruit = NewUnit {
                id: format!("u{}", state.units.len() + list.len() + 1),
                kind: new.kind.as_str().to_owned(),
                name: format!("{title} {}", last + more + 1),
                side: side.clone(),
                group: group.clone(),
                has: written(&new.has),
                notes: notes.clone().unwrap_or_default(),
                ..NewUnit::default()
            };
            if let Some(template) = template {
                recruit.take_from(pack, template);
            }
            list.push(recruit);
        }
        Ok(())
    }

    /// The follow-ups, in the sheet's order, or by score if scores order the units.
    fn next(&self, effects: &[RecordedChange]) -> Result<Vec<DueTest>, Rejection> {
        let mut list = Vec::new();
        // Whether a unit is concerned is decided after the effects: a unit that has left takes no
        // test.
        let mut after: Option<Vec<Unit>> = None;
        for next in &self.resolution.next {
            let due = self.due(next);
            match &next.others {
                None => list.push(due),
                Some(others) => {
                    if after.is_none() {
                        after = Some(self.affected(effects)?);
                    }
                    self.for_others(after.as_deref().unwrap_or(&[]), next, others, &due, &mut list);
                }
            }
        }
        adjutant_dice::sort_by_key(&mut list, |due| due.order);
        for (place, due) in list.iter_mut().enumerate() {
            due.id = format!("{}.{}", self.ground.n, place + 1);
            if !due.now {
                let taken_over = self.ground.state.taken_over(self.ground.pack, due, false);
                due.units.extend(taken_over.into_iter().map(|(role, unit)| (role, vec![unit])));
            }
            let there = self.ground.pack.chart(&due.chart);
            if there.and_then(|chart| first_unit(self.ground.state, chart, &due.units)).is_some() {
                due.deck_side = None;
            }
        }
        Ok(list)
    }

    /// The units that change, as they are after the changes.
    fn affected(&self, effects: &[RecordedChange]) -> Result<Vec<Unit>, Rejection> {
        let mut units: Vec<Unit> = Vec::new();
        for effect in effects {
            let Some(unit) = self.ground.state.unit(&effect.on) else { continue };
            let place = units.iter().position(|known| known.id == unit.id).unwrap_or_else(|| {
                units.push(unit.clone());
                units.len() - 1
            });
            affect(self.ground.pack, &mut units[place], &effect.kind)?;
        }
        Ok(units)
    }

    /// The side whose decks were used, if each side has its own.
    fn deck_side(&self) -> Option<String> {
        let setup = self.ground.setup;
        setup
            .sides
            .get(self.ready.deck_side)
            .filter(|_| setup.has_own_decks(self.ground.pack))
            .cloned()
    }

    fn due(&self, next: &FollowUp) -> DueTest {
        let unit = |(role, here): (&Text, &Text)| {
            Some((role.as_str().to_owned(), vec![self.unit(here)?.id.clone()]))
        };
        let mut who: UnitsByRole = map_of(next.who.iter().filter_map(unit));
        let role_sides = self.chits(next, &mut who);
        let member = next
            .who
            .values()
            .chain(next.others.iter().map(|others| &others.of))
            .find_map(|role| role.split_once('.'));
        let order = member.and_then(|(_, member)| {
            self.resolution.order.iter().position(|group| group.iter().any(|name| name == member))
        });
        let roles = self.ground.pack.chart(&next.chart).map_or(&[][..], |chart| &chart.roles);
        let first = roles
            .iter()
            .find_map(|role| self.ground.state.unit(who.get(role.id.as_str())?.first()?));
        DueTest {
            id: String::new(),
            chart: next.chart.as_str().to_owned(),
            why: next.why.as_str().to_owned(),
            now: next.now,
            order: order.map(|place| place as u32 + 1),
            side: first
                .map(|unit| self.ground.setup.sides[unit.side].clone())
                .or_else(|| role_sides.values().next().cloned())
                .or_else(|| self.cause()),
            deck_side: self.deck_side().filter(|_| next.now),
            units: who,
            role_sides,
            with: written(&next.with),
        }
    }

    /// Gives roles to the units that were drawn from bags. Returns the roles that stay open for a
    /// side.
    fn chits(&self, next: &FollowUp, who: &mut UnitsByRole) -> Values {
        let mut sides = Values::new();
        for chit in &next.chits {
            let deck = self.ground.pack.deck_id(&chit.bag);
            let unit = deck.and_then(|deck| unit_of_chit(&self.ready.bags, deck, chit.chit));
            let Some(unit) = unit.and_then(|unit| self.ground.state.unit(unit)) else { continue };
            match (chit.any_of_side, self.ground.setup.sides.get(unit.side)) {
                (true, Some(side)) => drop(sides.insert(chit.role.to_string(), side.clone())),
                _ => drop(who.insert(chit.role.to_string(), vec![unit.id.clone()])),
            }
        }
        sides
    }

    /// One test for each other unit, one for all of them, or one with an open role if the roster
    /// cannot tell.
    fn for_others(
        &self,
        after: &[Unit],
        next: &FollowUp,
        others: &Others,
        due: &DueTest,
        list: &mut Vec<DueTest>,
    ) {
        let pack = self.ground.pack;
        let Some(there) = pack.chart(&next.chart) else { return };
        // One roll for many units: the players decide which units take part.
        let for_many =
            there.each.as_ref().is_some_and(|each| there.roles[each.role].id == others.role);
        let rule = pack.follow_up(next.rule).and_then(|rule| rule.others.as_ref());
        let together = for_many && rule.is_some_and(|rule| rule.all);
        let of = self.unit(&others.of).filter(|_| together || !for_many);
        let Some(of) = of else { return list.push(due.clone()) };
        let kind = there.role(&others.role).map(|role| there.roles[role].kind);
        let related = |unit: &&Unit| match others.relation {
            Relation::Group => unit.is_with(of),
            Relation::Joined => {
                self.chart.role(&others.of).is_some_and(|role| self.ready.joined.has(role, unit))
            }
            Relation::Side => unit.side == of.side,
            Relation::Enemy => unit.side != of.side,
            Relation::All => true,
        };
        let knowing = |name: &str| Value::from_answer(others.knowing.get(name)?, pack.words());
        let concerned = |unit: &&Unit| match &others.when {
            Some(_) => {
                adjutant_engine::concerns(pack, next.rule, &knowing, &|id| unit.facet(pack, id))
            }
            None => true,
        };
        let all = self
            .ground
            .state
            .here()
            .filter(|unit| unit.id != of.id && Some(unit.kind) == kind)
            .filter(related);
        let then = all.map(|unit| after.iter().find(|known| known.id == unit.id).unwrap_or(unit));
        let then = then.filter(|unit| unit.gone.is_none() && !unit.is_out(pack)).filter(concerned);
        if together {
            // Units that `who` gives the same role take the test together with them.
            let mut due = due.clone();
            let mut ids = due.units.remove(others.role.as_str()).unwrap_or_default();
            ids.extend(then.map(|unit| unit.id.clone()));
            let Some(first) = ids.first().and_then(|id| self.ground.state.unit(id)) else { return };
            due.side = Some(self.ground.setup.sides[first.side].clone());
            due.units.insert(others.role.as_str().to_owned(), ids);
            return list.push(due);
        }
        for unit in then {
            let mut due = due.clone();
            due.units.insert(others.role.as_str().to_owned(), vec![unit.id.clone()]);
            due.side = Some(self.ground.setup.sides[unit.side].clone());
            list.push(due);
        }
    }
}

/// Answers as the log has them.
fn written(answers: &BTreeMap<Text, Answer>) -> Values {
    map_of(answers.iter().map(|(name, answer)| (name.as_str().to_owned(), answer.to_string())))
}
