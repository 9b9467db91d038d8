//! Compares odds: the results of two reports, the probability of each in both, and the
//! circumstances that do not hold but could. The command and the page share this code.

use super::distribution::{Branch, Chance, Distribution, OddsReport, OutcomeChance};
use super::order::in_sheet_order;
use crate::needs::relevant;
use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer, Text};
use adjutant_pack::InputId;
use std::collections::BTreeSet;

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

/// What differs between two reports in one branch.
#[derive(Clone, Debug)]
pub struct BranchChange<'r> {
    /// The answers of the branch.
    pub answers: &'r [(String, Answer)],
    /// Results, then additional results, with their probability before and after.
    pub results: Vec<(OutcomeChance, Chance, Chance)>,
    /// Who acts first, with the probability before and after.
    pub first: Vec<(Option<Text>, Chance, Chance)>,
    /// The distributions before and after, if their numbers differ.
    pub numbers: Option<[&'r Distribution; 2]>,
}

/// Everything that differs between two reports on one chart, branch by branch. Branches in which
/// nothing differs are left out. A branch that is in one report only is compared with one in which
/// nothing can happen.
pub fn differences<'r>(
    situation: &Situation<'_>,
    before: &'r OddsReport,
    after: &'r OddsReport,
) -> Vec<BranchChange<'r>> {
    static NOTHING: Branch = Branch::nothing();
    let of = |report: &'r OddsReport, answers: &[(String, Answer)]| {
        report.branches.iter().find(|branch| branch.answers == answers)
    };
    let kept = before
        .branches
        .iter()
        .map(|branch| (&*branch.answers, branch, of(after, &branch.answers).unwrap_or(&NOTHING)));
    let added = after.branches.iter().filter(|branch| of(before, &branch.answers).is_none());
    kept.chain(added.map(|branch| (&*branch.answers, &NOTHING, branch)))
        .map(|(answers, before, after)| branch_change(situation, answers, before, after))
        .filter(|change| {
            !change.results.is_empty() || !change.first.is_empty() || change.numbers.is_some()
        })
        .collect()
}

fn branch_change<'r>(
    situation: &Situation<'_>,
    answers: &'r [(String, Answer)],
    before: &'r Branch,
    after: &'r Branch,
) -> BranchChange<'r> {
    let (pack, chart) = (situation.pack(), situation.chart());
    let moved = |list: fn(&Branch) -> &[OutcomeChance]| {
        let mut all: Vec<OutcomeChance> = list(before).to_vec();
        let new = list(after).iter().filter(|one| !list(before).iter().any(|known| known.is(one)));
        all.extend(new.cloned());
        let chance = |branch: &Branch, wanted: &OutcomeChance| {
            let found = list(branch).iter().find(|known| known.is(wanted));
            found.map_or_else(|| Chance::sum([]), |found| found.chance.clone())
        };
        let change = |one: &OutcomeChance| (one.clone(), chance(before, one), chance(after, one));
        in_sheet_order(pack, chart, &all)
            .into_iter()
            .map(change)
            .filter(|(_, before, after)| before != after)
            .collect::<Vec<_>>()
    };
    let mut results = moved(|branch| &branch.spread.results);
    results.extend(moved(|branch| &branch.spread.also));
    let first = |branch: &Branch, of: &Option<Text>| {
        let found = branch.first.iter().find(|first| first.of == *of);
        found.map_or_else(|| Chance::sum([]), |found| found.chance.clone())
    };
    let firsts: BTreeSet<&Option<Text>> =
        before.first.iter().chain(&after.first).map(|first| &first.of).collect();
    let firsts = firsts.into_iter().map(|of| (of.clone(), first(before, of), first(after, of)));
    BranchChange {
        answers,
        results,
        first: firsts.filter(|(_, before, after)| before != after).collect(),
        numbers: (before.spread.values != after.spread.values)
            .then_some([&before.spread, &after.spread]),
    }
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
