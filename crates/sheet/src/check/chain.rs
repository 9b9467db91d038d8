//! Chains of charts: those that look each other up must not go in a circle, and a chain of follow-ups
//! that must be thrown at once must be able to end.

use crate::chart::Chart;
use crate::dom::Faults;
use crate::raw::{RawPack, RawStepKind};

/// How many charts may look each other up in a row.
const LONGEST_CHAIN: usize = 8;

/// The charts in an order in which each comes after all it looks up; circles are faults and left out.
pub(super) fn order(raw: &RawPack, faults: &Faults) -> Vec<usize> {
    let mut order = Vec::new();
    let mut state = vec![State::New; raw.charts.len()];
    for chart in 0..raw.charts.len() {
        visit(chart, raw, &mut state, &mut order, &mut Vec::new(), faults);
    }
    order
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done(usize),
}

fn looked_up(chart: usize, raw: &RawPack) -> Vec<(usize, &crate::dom::At<String>)> {
    let chart = &raw.charts[chart];
    let steps = chart.steps.iter().filter_map(|step| match &step.kind {
        RawStepKind::LookUp(look_up) => Some(&look_up.chart),
        _ => None,
    });
    let agains = chart.steps.iter().flat_map(|step| &step.again).filter_map(|again| again.look_up.as_ref()).map(|look_up| &look_up.chart);
    steps.chain(agains).filter_map(|name| Some((raw.charts.iter().position(|c| c.id.it == name.it)?, name))).collect()
}

/// Depth first; gives the length of the longest chain below, or none if the chart is in a circle.
fn visit(
    chart: usize,
    raw: &RawPack,
    state: &mut [State],
    order: &mut Vec<usize>,
    path: &mut Vec<usize>,
    faults: &Faults,
) -> Option<usize> {
    match state[chart] {
        State::Done(depth) => return Some(depth),
        State::Open => return None,
        State::New => {}
    }
    state[chart] = State::Open;
    path.push(chart);
    let mut depth = 0;
    for (next, name) in looked_up(chart, raw) {
        if state[next] == State::Open {
            let from = path.iter().position(|p| *p == next).unwrap_or(0);
            let circle: Vec<&str> = path[from..].iter().chain([&next]).map(|p| raw.charts[*p].id.it.as_str()).collect();
            faults.add(&name.at, format!("this can never end: {}", circle.join(" looks up ")), "break the circle");
        } else {
            depth = depth.max(visit(next, raw, state, order, path, faults).unwrap_or(0) + 1);
        }
    }
    if depth > LONGEST_CHAIN {
        faults.add(&raw.charts[chart].id.at, format!("more than {LONGEST_CHAIN} charts look each other up in a row"), "join some of them");
    }
    path.pop();
    state[chart] = State::Done(depth);
    order.push(chart);
    Some(depth)
}

/// A chart can end if some result of it has no follow-up that must come at once, or only such as can end.
pub(super) fn check_ends(charts: &[Chart], raw: &RawPack, faults: &Faults) {
    let mut ends = vec![false; charts.len()];
    loop {
        let before = ends.clone();
        for (place, chart) in charts.iter().enumerate() {
            ends[place] |= chart.landings.is_empty()
                || chart.landings.iter().any(|landing| {
                    let bound = landing.next.iter().filter(|next| next.now && next.when.is_none() && next.others.is_none());
                    bound.clone().all(|next| ends.get(next.chart) == Some(&true))
                });
        }
        if ends == before {
            break;
        }
    }
    for (place, _) in ends.iter().enumerate().filter(|(_, ends)| !**ends) {
        let chart = &raw.charts[place];
        faults.add(
            &chart.id.at,
            format!("the chain of charts from `{}` can never end", chart.id.it),
            "let one of its results be without a follow-up",
        );
    }
}
