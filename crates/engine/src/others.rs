//! Follow-ups for other units: which units they concern. The engine does not know the units of a
//! game, so the caller that has them (a fight, a game) asks for each of its units.

use crate::situation::Values;
use adjutant_pack::{FollowUpId, NameSource, Pack, Value};

/// Whether a follow-up for others concerns a unit. `knowing` is what the resolution knows of the
/// names in the rule's condition, `facet` gives the attributes and statuses of the unit by their
/// ids.
pub fn concerns(
    pack: &Pack,
    rule: FollowUpId,
    knowing: &dyn Fn(&str) -> Option<Value>,
    facet: &dyn Fn(&str) -> Option<Value>,
) -> bool {
    let Some(formula) = pack.follow_up(rule).and_then(|rule| rule.when.as_ref()) else {
        return true;
    };
    let names = &pack.charts()[rule.chart].names;
    let mut values = Values::filled(None, names.len());
    for slot in formula.slots() {
        let name = &names[slot];
        values[slot] =
            match name.text.strip_prefix("other.").filter(|_| name.origin == NameSource::Other) {
                Some(id) => facet(id),
                None => knowing(&name.text),
            };
    }
    formula.eval_partly(&values, &mut Vec::new()).is_some_and(Value::is_yes)
}
