//! Fills the open roles of a chart: with equal probability among the preferred units.
//! Interchangeable units are counted together.

use super::rules::FightRules;
use super::state::{FightState, Fighter, Roles, Who};
use super::view::View;
use adjutant_pack::{ChartId, FightSideId, Formula, IdVec, RoleId, Value};
use num_bigint::BigUint;

/// A way to fill the roles of a chart, with its weight.
pub(super) type Filled = (BigUint, Roles);

impl<'p> FightRules<'p> {
    /// All ways to fill the open roles, with equal probability among the preferred units.
    pub(super) fn filled(
        &self,
        standing: &FightState,
        units: Roles,
        sides: &IdVec<RoleId, FightSideId>,
        prefer: &[Formula],
    ) -> Vec<Filled> {
        let mut ways = vec![(BigUint::from(1_u32), units)];
        for role in sides.ids() {
            let mut more = Vec::new();
            for (weight, units) in ways {
                if units[role].is_some() {
                    more.push((weight, units));
                    continue;
                }
                let taken = |who: &Who| units.contains(&Some(*who));
                let mut can: Vec<Who> = (0..standing.sides[sides[role]].len())
                    .map(|place| (sides[role], place))
                    .filter(|who| !taken(who))
                    .collect();
                for formula in prefer {
                    let mut liked = Vec::new();
                    for who in &can {
                        let mut with = units.clone();
                        with[role] = Some(*who);
                        // A condition that depends on another open role does not rule this unit
                        // out.
                        if formula
                            .eval_partly(
                                &View { ring: self, standing, units: &with },
                                &mut Vec::new(),
                            )
                            .is_some_and(Value::is_yes)
                        {
                            liked.push(*who);
                        }
                    }
                    if !liked.is_empty() {
                        can = liked;
                    }
                }
                more.extend(self.among(standing, &can).into_iter().map(|(count, who)| {
                    let mut with = units.clone();
                    with[role] = who;
                    (&weight * count, with)
                }));
            }
            ways = more;
        }
        ways
    }

    /// One of these units, with equal probability. Interchangeable units are counted together.
    pub(super) fn among(&self, standing: &FightState, can: &[Who]) -> Vec<(u32, Option<Who>)> {
        if can.is_empty() {
            return vec![(1, None)];
        }
        let mut groups: Vec<((Fighter, Vec<usize>), u32, Who)> = Vec::new();
        for who in can {
            let mark = standing.mark(*who);
            match groups.iter_mut().find(|(known, _, first)| *known == mark && first.0 == who.0) {
                Some((_, count, _)) => *count += 1,
                None => groups.push((mark, 1, *who)),
            }
        }
        groups.into_iter().map(|(_, count, who)| (count, Some(who))).collect()
    }

    /// Fills the roles that a follow-up leaves open: with the enemy that caused it, else with any
    /// enemy.
    pub(super) fn opponents(
        &self,
        standing: &FightState,
        chart: ChartId,
        roles: Roles,
        cause: Option<Who>,
    ) -> Vec<Filled> {
        let there = &self.situation.pack.charts()[chart];
        let own = roles.iter().flatten().next().map(|who| who.0);
        let mut ways = vec![(BigUint::from(1_u32), roles)];
        for (role, known) in there.roles.iter_enumerated() {
            let fits =
                |who: &Who| Some(who.0) != own && self.fight().sides[who.0].kind == known.kind;
            let all = standing
                .sides
                .iter_enumerated()
                .flat_map(|(side, units)| (0..units.len()).map(move |place| (side, place)));
            let can: Vec<Who> = match cause.filter(fits) {
                Some(cause) => vec![cause],
                None => all.filter(fits).collect(),
            };
            ways = ways
                .into_iter()
                .flat_map(|(weight, units)| {
                    let open = units[role].is_none();
                    let choices =
                        if open { self.among(standing, &can) } else { vec![(1, units[role])] };
                    choices.into_iter().map(move |(count, who)| {
                        let mut with = units.clone();
                        with[role] = who;
                        (&weight * count, with)
                    })
                })
                .collect();
        }
        ways
    }
}
