//! Records which inputs each part of a chart uses. Before a run, the engine asks whether an unknown
//! input may matter. With this record it looks only at the parts that use one.

use crate::binding::{FollowUpRule, ResultBinding};
use crate::chart::{Again, Chart, Modifier, NameSource, Read, Saying, Step, StepKind};
use crate::effect::EffectRule;
use crate::expr::Formula;
use crate::ids::{InputId, Slot};

/// Records the inputs that each step, each modifier, and the reading with everything after it use.
pub(super) fn note(chart: &mut Chart) {
    let mut of_read = Vec::new();
    read(&chart.read, true, true, &mut of_read);
    of_read.extend(&chart.together);
    of_read.extend(chart.each.iter().flat_map(|each| &each.tally).map(|tally| &tally.count));
    chart.landings.iter().for_each(|known| landing(known, true, &mut of_read));
    chart
        .deck_events
        .iter()
        .for_each(|event| extras(&event.effects, &event.next, true, &mut of_read));
    let of_read = inputs(chart, &of_read);
    let of_steps: Vec<Vec<InputId>> =
        chart.steps.iter().map(|known| inputs(chart, &step(known))).collect();
    let modifiers = chart.steps.iter().flat_map(|step| &step.add);
    let of_modifiers: Vec<Vec<InputId>> =
        modifiers.map(|known| inputs(chart, &modifier(known))).collect();
    chart.read.names = of_read;
    for (known, names) in chart.steps.iter_mut().zip(of_steps) {
        known.names = names;
    }
    for (known, names) in chart.steps.iter_mut().flat_map(|step| &mut step.add).zip(of_modifiers) {
        known.names = names;
    }
}

fn inputs(chart: &Chart, formulas: &[&Formula]) -> Vec<InputId> {
    let input = |slot: Slot| match chart.names.get(slot)?.origin {
        NameSource::Input(input) => Some(input),
        _ => None,
    };
    let mut found: Vec<InputId> =
        formulas.iter().flat_map(|formula| formula.slots()).filter_map(input).collect();
    adjutant_dice::sort(&mut found);
    found.dedup();
    found
}

impl Step {
    /// Every formula of the step, its modifiers and its rules.
    pub fn formulas(&self) -> Vec<&Formula> {
        step(self)
    }
}

impl Chart {
    /// Every formula that is evaluated after the last step: the reading and the results; if wanted
    /// the value, and the changes (effects and follow-ups). A reshuffle is always wanted.
    pub fn formulas_after_steps(&self, value: bool, changes: bool) -> Vec<&Formula> {
        let mut all = Vec::new();
        read(&self.read, value, changes, &mut all);
        all.extend(&self.together);
        all.extend(self.each.iter().flat_map(|each| &each.tally).map(|tally| &tally.count));
        self.landings.iter().for_each(|known| landing(known, changes, &mut all));
        for event in &self.deck_events {
            extras(&event.effects, &event.next, changes, &mut all);
        }
        if !changes {
            return all;
        }
        let next = self.follow_ups().flat_map(|next| {
            let with = next.with.iter().map(|(_, formula)| formula);
            let times = next.times.iter().map(|series| &series.times);
            with.chain(next.chits.iter().map(|chit| &chit.number)).chain(times)
        });
        all.extend(next);
        all
    }
}

fn step(step: &Step) -> Vec<&Formula> {
    let mut all: Vec<&Formula> = step.when.iter().chain(&step.most).chain(&step.least).collect();
    match &step.kind {
        StepKind::Roll(roll) => {
            all.extend(roll.formulas());
        }
        StepKind::Draw(draw) => all.extend(draw.formulas()),
        StepKind::LookUp(look_up) => {
            all.extend(look_up.times.iter().map(|series| &series.times));
            all.extend(look_up.given.iter().map(|(_, formula)| formula));
        }
        StepKind::WorkOut(formula) => all.push(formula),
        StepKind::Ask(_) => {}
    }
    all.extend(step.add.iter().flat_map(modifier));
    step.again.iter().for_each(|rule| again(rule, &mut all));
    all
}

fn modifier(modifier: &Modifier) -> Vec<&Formula> {
    modifier.when.iter().chain([modifier.amount.formula()]).collect()
}

fn again<'a>(again: &'a Again, all: &mut Vec<&'a Formula>) {
    all.push(&again.when);
    all.extend(again.look_up.iter().flat_map(|look_up| &look_up.given).map(|(_, formula)| formula));
    all.extend(again.stop.iter().filter_map(|stop| stop.when.as_ref()));
    all.extend(again.ask_again.iter().filter_map(|fresh| fresh.when.as_ref()));
    all.extend(again.ask.iter().filter_map(|ask| ask.assume.as_ref()));
}

fn read<'a>(read: &'a Read, value: bool, changes: bool, all: &mut Vec<&'a Formula>) {
    all.extend(read.score.iter().chain(read.column.iter().map(|column| &column.by)));
    all.extend(read.value.iter().filter(|_| value));
    all.extend(read.saying.iter().filter_map(|part| match part {
        Saying::Name(formula) => Some(formula),
        _ => None,
    }));
    let shifts = read.column.iter().flat_map(|column| &column.shift);
    all.extend(shifts.flat_map(modifier));
    for row in &read.rows {
        all.extend(&row.when);
        for cell in &row.cells {
            all.extend(cell.value.iter().filter(|_| value));
            extras(&cell.effects, &cell.next, changes, all);
        }
    }
    for also in &read.also {
        all.extend(&also.when);
        extras(&also.effects, &also.next, changes, all);
    }
    extras(&read.effects, &read.next, changes, all);
}

fn landing<'a>(landing: &'a ResultBinding, changes: bool, all: &mut Vec<&'a Formula>) {
    all.extend(landing.instead.iter().map(|instead| &instead.when));
    extras(&landing.effects, &landing.next, changes, all);
}

fn extras<'a>(
    effects: &'a [EffectRule],
    next: &'a [FollowUpRule],
    changes: bool,
    all: &mut Vec<&'a Formula>,
) {
    let wanted = |effect: &&EffectRule| changes || effect.kind.reshuffled().is_some();
    for effect in effects.iter().filter(wanted) {
        all.extend(&effect.when);
        all.extend(effect.formulas());
    }
    all.extend(next.iter().filter(|_| changes).filter_map(|next| next.when.as_ref()));
}
