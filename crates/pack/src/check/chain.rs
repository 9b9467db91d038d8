//! Chains of charts. Lookups must not be cyclic. A chain of follow-ups that are rolled at once must
//! be able to end. No follow-up may be for a unit that the same result has already removed from the
//! game.

use crate::binding::FollowUpRule;
use crate::chart::{Chart, StepKind};
use crate::effect::EffectRule;
use crate::ids::{BindingId, ChartId, IdVec, RoleId, StatusId};
use crate::pack::Status;
use crate::problem::{ChainProblem, Lapse};
use crate::raw::{RawPack, RawStepKind};
use crate::tree::Diagnostics;
use crate::value::Value;
use std::collections::BTreeSet;

/// The maximum length of a chain of lookups.
const LONGEST_CHAIN: usize = 8;
/// The maximum number of lookups that one chart may cause in total.
const MOST_LOOK_UPS: usize = 500;

/// A topological order: each chart comes after the charts it looks up. Cycles are reported and left
/// out.
pub(super) fn order(raw: &RawPack, faults: &Diagnostics) -> Vec<ChartId> {
    let mut order = Vec::new();
    let mut state = IdVec::filled(State::New, raw.charts.len());
    for chart in raw.charts.ids() {
        visit(chart, raw, &mut state, &mut order, &mut Vec::new(), faults);
    }
    order
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    /// The length of the longest chain below, and the total number of lookups.
    Done(usize, usize),
}

fn looked_up(chart: ChartId, raw: &RawPack) -> Vec<(ChartId, &crate::tree::Located<String>)> {
    let chart = &raw.charts[chart];
    let steps = chart.steps.iter().filter_map(|step| match &step.kind {
        RawStepKind::LookUp(look_up) => Some(&look_up.chart),
        _ => None,
    });
    let agains = chart
        .steps
        .iter()
        .flat_map(|step| &step.again)
        .filter_map(|again| again.look_up.as_ref())
        .map(|look_up| &look_up.chart);
    steps
        .chain(agains)
        .filter_map(|name| Some((raw.charts.position(|c| c.id.it == name.it)?, name)))
        .collect()
}

/// Depth-first search. Returns the longest chain below and the number of lookups, or `None` if the
/// chart is in a cycle.
fn visit(
    chart: ChartId,
    raw: &RawPack,
    state: &mut IdVec<ChartId, State>,
    order: &mut Vec<ChartId>,
    path: &mut Vec<ChartId>,
    faults: &Diagnostics,
) -> Option<(usize, usize)> {
    match state[chart] {
        State::Done(depth, all) => return Some((depth, all)),
        State::Open => return None,
        State::New => {}
    }
    state[chart] = State::Open;
    path.push(chart);
    let (mut depth, mut all, mut below_is_more) = (0, 0_usize, false);
    for (next, name) in looked_up(chart, raw) {
        if state[next] == State::Open {
            let from = path.iter().position(|p| *p == next).unwrap_or(0);
            let charts =
                path[from..].iter().chain([&next]).map(|p| raw.charts[*p].id.text()).collect();
            faults.add(&name.at, ChainProblem::Circle { charts });
        } else {
            let (below, more) = visit(next, raw, state, order, path, faults).unwrap_or((0, 0));
            depth = depth.max(below + 1);
            below_is_more |= more > MOST_LOOK_UPS;
            all = all.saturating_add(more + 1).min(MOST_LOOK_UPS + 1);
        }
    }
    if depth > LONGEST_CHAIN {
        faults.add(&raw.charts[chart].id.at, ChainProblem::TooLong { most: LONGEST_CHAIN });
    } else if all > MOST_LOOK_UPS && !below_is_more {
        faults.add(&raw.charts[chart].id.at, ChainProblem::TooManyLookUps { most: MOST_LOOK_UPS });
    }
    path.pop();
    state[chart] = State::Done(depth, all);
    order.push(chart);
    Some((depth, all))
}

/// A chart can end if some path through it has no immediate follow-up, or only immediate follow-ups
/// that can end.
pub(super) fn check_ends(charts: &IdVec<ChartId, Chart>, raw: &RawPack, faults: &Diagnostics) {
    let mut ends = IdVec::filled(false, charts.len());
    loop {
        let before = ends.clone();
        for (place, chart) in charts.iter_enumerated() {
            ends[place] |= can_end(chart, &ends);
        }
        if ends == before {
            break;
        }
    }
    for (chart, _) in raw.charts.iter().zip(ends).filter(|(_, ends)| !ends) {
        faults.add(&chart.id.at, ChainProblem::NeverEnds { chart: chart.id.text() });
    }
}

fn can_end(chart: &Chart, ends: &IdVec<ChartId, bool>) -> bool {
    let always = |when: &Option<crate::expr::Formula>| {
        when.as_ref().is_none_or(|f| f.constant() == Some(Value::YesNo(true)))
    };
    let ended = |chart: ChartId| ends.get(chart) != Some(&false);
    let bound = |next: &FollowUpRule| next.now && next.others.is_none() && always(&next.when);
    let free = |next: &[FollowUpRule]| {
        next.iter().filter(|next| bound(next)).all(|next| ended(next.chart))
    };
    let lands = |landing: BindingId| free(&chart.landings[landing].next);
    // A result may also be replaced by another one.
    let may_land = |landing: BindingId| {
        lands(landing)
            || chart.landings[landing].instead.iter().any(|instead| lands(instead.landing))
    };
    let on_the_way =
        chart.steps.iter().filter(|step| always(&step.when)).all(|step| match &step.kind {
            StepKind::LookUp(look_up) => ended(look_up.chart),
            _ => true,
        });
    let stops =
        chart.steps.iter().flat_map(|step| &step.again).filter_map(|again| again.stop.as_ref());
    let also = chart
        .read
        .also
        .iter()
        .filter(|also| always(&also.when))
        .all(|also| may_land(also.landing) && free(&also.next));
    let plain = chart.read.rows.is_empty() && chart.read.user_landings.is_empty();
    let read = plain
        || chart.read.cells().any(|cell| cell.landing.is_none_or(may_land) && free(&cell.next))
        || chart.read.user_landings.iter().any(|landing| may_land(*landing));
    on_the_way
        && (stops.into_iter().any(|stop| may_land(stop.landing))
            || (also && read && free(&chart.read.next)))
}

/// Reports follow-ups that a game would never roll: their unit is always gone, or ruled out, by the
/// time they are due.
pub(super) fn check_lapses(
    charts: &IdVec<ChartId, Chart>,
    statuses: &IdVec<StatusId, Status>,
    raw: &RawPack,
    faults: &Diagnostics,
) {
    let mut told = BTreeSet::new();
    for (place, chart) in charts.iter_enumerated() {
        for landing in &chart.landings {
            let result = &raw.results[landing.result];
            for next in &landing.next {
                let Some(why) = lapses(&landing.effects, next, charts, statuses) else { continue };
                let line = result.next.iter().find(|line| charts[next.chart].id == line.chart.it);
                if told.insert((landing.result, next.chart)) {
                    let chart = charts[next.chart].id.clone();
                    let problem =
                        ChainProblem::ResultLapses { result: result.id.text(), chart, why };
                    faults.add(line.map_or(&result.id.at, |line| &line.at), problem);
                }
            }
        }
        let of_cells = chart.read.cells().map(|cell| (cell.landing, &cell.effects, &cell.next));
        let of_also =
            chart.read.also.iter().map(|also| (Some(also.landing), &also.effects, &also.next));
        let of_reading = [(None, &chart.read.effects, &chart.read.next)];
        for (landing, effects, next) in of_cells.chain(of_also).chain(of_reading) {
            // If a result may be replaced, its effects are not certain.
            let landed = landing
                .map(|landing| &chart.landings[landing])
                .filter(|landing| landing.instead.is_empty());
            let effects: Vec<EffectRule> = landed
                .iter()
                .flat_map(|landing| &landing.effects)
                .chain(effects)
                .cloned()
                .collect();
            for next in next {
                if let Some(why) = lapses(&effects, next, charts, statuses) {
                    faults.add(
                        &raw.charts[place].id.at,
                        ChainProblem::RowLapses { chart: charts[next.chart].id.clone(), why },
                    );
                }
            }
        }
    }
}

/// Why a follow-up never happens after these effects.
fn lapses(
    effects: &[EffectRule],
    next: &FollowUpRule,
    charts: &IdVec<ChartId, Chart>,
    statuses: &IdVec<StatusId, Status>,
) -> Option<Lapse> {
    let there = charts.get(next.chart)?;
    let lifted = |status: StatusId, on: RoleId| {
        effects.iter().any(|effect| effect.on == Some(on) && effect.kind.lifts() == Some(&status))
    };
    let taken = next.who.iter().filter_map(|(role, here)| Some((there.role(role)?, *here)));
    // Where units join, another one takes the role.
    let alone = |role: RoleId| there.concerns(role) && there.roles[role].joined.is_none();
    for (role, here) in taken.filter(|(role, _)| alone(*role)) {
        for effect in
            effects.iter().filter(|effect| effect.on == Some(here) && effect.when.is_none())
        {
            if effect.kind.leaves().is_some() {
                return Some(Lapse::Left);
            }
            let given = effect.kind.gives().filter(|place| !next.now && !lifted(**place, here));
            if let Some(status) = given.map(|place| &statuses[*place])
                && (status.out || (role == RoleId::FIRST && status.stops.contains(&next.chart)))
            {
                return Some(Lapse::Status(status.id.clone()));
            }
        }
    }
    None
}
