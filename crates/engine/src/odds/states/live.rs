//! Which names and decks are still read after a step. All others are forgotten, so that equal states
//! merge.

use crate::odds::reach::reach;
use crate::run::Skips;
use crate::situation::Situation;
use adjutant_pack::{Chart, Formula, Id, NameSource, Step, StepKind, Value};

/// For each step, which names and which decks are read after it.
pub(super) struct Live {
    pub names: Vec<Vec<bool>>,
    pub decks: Vec<Vec<bool>>,
    /// The decks that each step itself draws from, directly or through a look-up.
    pub drawn: Vec<Vec<bool>>,
}

/// For each step, which names and decks are read after it.
pub(super) fn live_after(situation: &Situation<'_>, chart: &Chart, skips: Skips) -> Live {
    let mut now = vec![false; chart.names.len()];
    let mark = |now: &mut Vec<bool>, formulas: Vec<&Formula>| {
        for slot in formulas.into_iter().flat_map(Formula::slots) {
            now[slot.index()] = true;
        }
    };
    mark(&mut now, chart.formulas_after_steps(!skips.value, !skips.changes));
    let mut decks = vec![false; situation.decks.len()];
    let mut live = Live { names: Vec::new(), decks: Vec::new(), drawn: Vec::new() };
    for step in chart.steps.iter().rev() {
        let drawn = drawn_by(situation, step);
        live.names.push(now.clone());
        live.decks.push(decks.clone());
        mark(&mut now, step.formulas());
        decks.iter_mut().zip(&drawn).for_each(|(deck, drawn)| *deck |= drawn);
        live.drawn.push(drawn);
    }
    live.names.reverse();
    live.decks.reverse();
    live.drawn.reverse();
    live
}

/// The decks that a step draws from, directly or through a look-up.
fn drawn_by(situation: &Situation<'_>, step: &Step) -> Vec<bool> {
    let pack = situation.pack();
    let mut drawn = vec![false; situation.decks.len()];
    let mut charts = Vec::new();
    if let StepKind::LookUp(look_up) = &step.kind {
        reach(pack, &pack.charts()[look_up.chart], false, &mut charts);
    }
    for look_up in step.again.iter().filter_map(|again| again.look_up.as_ref()) {
        reach(pack, &pack.charts()[look_up.chart], false, &mut charts);
    }
    let steps = charts.iter().flat_map(|chart| &chart.steps).chain([step]);
    for step in steps {
        if let StepKind::Draw(draw) = &step.kind {
            drawn[draw.deck.index()] = true;
        }
    }
    drawn
}

/// Takes the value of every name of a step that nothing reads later.
pub(super) fn forget(chart: &Chart, values: &mut [Option<Value>], live: &[bool]) {
    for ((value, name), live) in values.iter_mut().zip(chart.names.iter()).zip(live) {
        if is_of_step(name.origin) && !live {
            *value = None;
        }
    }
}

pub(super) fn nothing_to_forget(chart: &Chart, values: &[Option<Value>], live: &[bool]) -> bool {
    let mut names = values.iter().zip(chart.names.iter()).zip(live);
    names.all(|((value, name), live)| value.is_none() || *live || !is_of_step(name.origin))
}

pub(super) fn is_of_step(origin: NameSource) -> bool {
    matches!(origin, NameSource::Step(..) | NameSource::Again(..) | NameSource::Face(..))
}
