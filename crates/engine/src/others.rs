//! Follow-ups for others: whether one concerns a unit. Only where the units are – in a fight, at a table – can
//! that be settled; the condition stands in the chart, or in a chart that it looked up on the way.

use crate::situation::Values;
use adjutant_pack::{Chart, FollowUpRule, Formula, NameSource, Pack, StepKind, Value};

/// Whether a follow-up for others is for a unit. `when` is its condition as the account has it, `knowing` what the
/// account knows of the chart's names, `facet` the attributes and statuses of the unit, by their ids.
pub fn concerns(
    pack: &Pack,
    chart: &Chart,
    when: &str,
    knowing: &dyn Fn(&str) -> Option<Value>,
    facet: &dyn Fn(&str) -> Option<Value>,
) -> bool {
    let Some((chart, formula)) = condition(pack, chart, when) else { return true };
    let mut values = Values::filled(None, chart.names.len());
    for slot in formula.slots() {
        let name = &chart.names[slot];
        values[slot] = match name.text.strip_prefix("other.").filter(|_| name.origin == NameSource::Other) {
            Some(id) => facet(id),
            None => knowing(&name.text),
        };
    }
    formula.eval_partly(&values, &mut Vec::new()).is_some_and(Value::is_yes)
}

/// The chart in which a condition on others stands, and the condition.
fn condition<'p>(pack: &'p Pack, chart: &'p Chart, when: &str) -> Option<(&'p Chart, &'p Formula)> {
    let all = chart.follow_ups();
    let known = |next: &'p FollowUpRule| next.when.as_ref().filter(|formula| next.others.is_some() && formula.text == *when);
    if let Some(formula) = all.into_iter().find_map(known) {
        return Some((chart, formula));
    }
    // Look-ups are acyclic by the check of the pack.
    let looked_up = chart.steps.iter().flat_map(|step| {
        let own = match &step.kind {
            StepKind::LookUp(look_up) => Some(look_up.chart),
            _ => None,
        };
        own.into_iter().chain(step.again.iter().filter_map(|again| again.look_up.as_ref().map(|look_up| look_up.chart)))
    });
    looked_up.into_iter().find_map(|there| condition(pack, pack.charts().get(there)?, when))
}
