//! Odds beside odds: which results either knows, how likely each is here and there, and which circumstances that do not
//! hold could. The command and the page compare alike.

use super::distribution::{Chance, OddsReport, OutcomeChance};
use crate::needs::relevant;
use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer};
use adjutant_pack::InputId;

impl OutcomeChance {
    /// Whether it is the same result, of the same chart and unit, whatever its chance.
    pub fn is(&self, other: &OutcomeChance) -> bool {
        (&self.chart, &self.of, &self.id, &self.on, &self.label) == (&other.chart, &other.of, &other.id, &other.on, &other.label)
    }
}

impl OddsReport {
    /// The chance of a result in the first branch; none of it if it cannot come.
    pub fn chance_of(&self, wanted: &OutcomeChance) -> Chance {
        let found = self.branches.first().and_then(|branch| branch.spread.results.iter().find(|known| known.is(wanted)));
        found.map_or_else(|| Chance::sum([]), |found| found.chance.clone())
    }
}

/// Every result that any of these reports knows, once, in the order in which they are met.
pub fn all_results<'r>(reports: impl IntoIterator<Item = &'r OddsReport>) -> Vec<OutcomeChance> {
    let mut all: Vec<OutcomeChance> = Vec::new();
    for chanced in reports.into_iter().flat_map(|report| &report.branches).flat_map(|branch| &branch.spread.results) {
        if !all.iter().any(|known| known.is(chanced)) {
            all.push(chanced.clone());
        }
    }
    all
}

/// The circumstances that matter, do not hold and could: yes/no inputs that are not given and that are no by default,
/// by their place.
pub fn could_hold(situation: &Situation<'_>) -> Vec<InputId> {
    let chart = situation.chart();
    let open = |place: &InputId| {
        let field = &chart.inputs[*place].field;
        field.accepts == Accepts::YesNo && field.default == Some(Answer::YesNo(false)) && !situation.is_given(*place)
    };
    relevant(situation).into_iter().filter(open).collect()
}
