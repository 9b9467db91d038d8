//! Compares odds: the results of two reports, the probability of each in both, and the
//! circumstances that do not hold but could. The command and the page share this code.

use super::distribution::{Chance, OddsReport, OutcomeChance};
use crate::needs::relevant;
use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer};
use adjutant_pack::InputId;

impl OutcomeChance {
    /// Whether it is the same result of the same chart and unit, regardless of its probability.
    pub fn is(&self, other: &OutcomeChance) -> bool {
        (&self.chart, &self.of, &self.id, &self.on, &self.label)
            == (&other.chart, &other.of, &other.id, &other.on, &other.label)
    }
}

impl OddsReport {
    /// The probability of a result in the first branch; 0 if it cannot occur.
    pub fn chance_of(&self, wanted: &OutcomeChance) -> Chance {
        let found = self
            .branches
            .first()
            .and_then(|branch| branch.spread.results.iter().find(|known| known.is(wanted)));
        found.map_or_else(|| Chance::sum([]), |found| found.chance.clone())
    }
}

/// Every result in any of these reports, once, in order of first appearance.
pub fn all_results<'r>(reports: impl IntoIterator<Item = &'r OddsReport>) -> Vec<OutcomeChance> {
    let mut all: Vec<OutcomeChance> = Vec::new();
    for chanced in reports
        .into_iter()
        .flat_map(|report| &report.branches)
        .flat_map(|branch| &branch.spread.results)
    {
        if !all.iter().any(|known| known.is(chanced)) {
            all.push(chanced.clone());
        }
    }
    all
}

/// The circumstances that matter and could hold but do not: yes/no inputs that the player has not
/// answered and whose default is no. By their index.
pub fn could_hold(situation: &Situation<'_>) -> Vec<InputId> {
    let chart = situation.chart();
    let open = |place: &InputId| {
        let field = &chart.inputs[*place].field;
        field.accepts == Accepts::YesNo
            && field.default == Some(Answer::YesNo(false))
            && !situation.is_given(*place)
    };
    relevant(situation).into_iter().filter(open).collect()
}
