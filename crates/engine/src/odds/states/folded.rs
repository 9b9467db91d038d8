//! States that later formulas cannot tell apart. Of `if(a >= 7, 5, 0) + if(b >= 9, 3, 0) + c`, with
//! `c` still to be rolled, only the sum of the first two parts counts: not `a` and `b` themselves.
//!
//! After a step every later formula is cut into its largest parts that are known by then. Whatever is
//! read later is a function of these parts and of what is still to come, so states in which all of
//! them have the same values are one.

use super::spread::Spread;
use super::{State, States};
use crate::run::Skips;
use crate::situation::Values;
use adjutant_pack::{Chart, ChartId, Expr, Formula, Id, NameSource, Slot, StepId, Value};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// Fewer states than this are not worth the work.
const FEWEST: usize = 24;

/// The parts of later formulas that are known after a step. None if nothing can be merged by them.
pub(super) type Known = Option<Rc<Vec<Formula>>>;

impl States<'_, '_> {
    /// Merges the states after a step that nothing later tells apart.
    pub(super) fn folded(
        &mut self,
        (chart, skips): (ChartId, Skips),
        step: StepId,
        after: Spread<State>,
    ) -> Spread<State> {
        let last = step.index() + 1 == self.known(chart).steps.len();
        if last || after.parts.len() < FEWEST {
            return after;
        }
        let key = (chart, skips, step);
        let known = match self.folds.get(&key) {
            Some(known) => known.clone(),
            None => {
                let known = known_parts(self.known(chart), skips, step);
                self.folds.insert(key, known.clone());
                known
            }
        };
        let Some(known) = known else { return after };
        let mut parts: BTreeMap<FoldKey, (State, BigUint)> = BTreeMap::new();
        for (state, weight) in after.parts {
            let values: Values = state.values.iter().copied().collect();
            let part = |formula: &Formula| formula.eval(&values).ok();
            let (ended, done, left) = (state.ended.clone(), state.done.clone(), state.left.clone());
            // What ended early is not read any more.
            let known = match ended {
                Some(_) => Vec::new(),
                None => known.iter().map(part).collect(),
            };
            match parts.entry((known, ended, done, left)) {
                Entry::Occupied(mut same) => same.get_mut().1 += weight,
                Entry::Vacant(new) => drop(new.insert((state, weight))),
            }
        }
        Spread { parts: adjutant_dice::map_of(parts.into_values()), total: after.total }
    }
}

type FoldKey = (Vec<Option<Value>>, Option<super::Ended>, super::Done, super::Left);

fn known_parts(chart: &Chart, skips: Skips, step: StepId) -> Known {
    let origin = |slot: Slot| chart.names.get(slot).map(|name| name.origin);
    // Inputs are the same in all states, unless a rule asks for them again.
    let mut again = chart.steps.iter().flat_map(|step| &step.again);
    let asks_again = again.any(|rule| rule.ask_again.is_some());
    let varies = |slot: Slot| match origin(slot) {
        Some(NameSource::Step(of, _)) => of <= step,
        Some(NameSource::Input(_)) => asks_again,
        _ => false,
    };
    let is_known = |slot: Slot| match origin(slot) {
        Some(NameSource::Step(of, _)) => of <= step,
        Some(NameSource::Input(_) | NameSource::Option(_) | NameSource::Memory(_)) => true,
        _ => false,
    };
    let later = chart.steps.iter().skip(step.index() + 1).flat_map(|step| step.formulas());
    let after = chart.formulas_after_steps(!skips.value, !skips.changes);
    let mut found: Vec<&Expr> = Vec::new();
    for formula in later.chain(after) {
        if parts(&formula.expr, &is_known, &mut found) {
            found.push(&formula.expr);
        }
    }
    found.retain(|part| slots(part).into_iter().any(varies));
    let mut once: Vec<&Expr> = Vec::new();
    for part in found {
        if !once.contains(&part) {
            once.push(part);
        }
    }
    // Where only names themselves are read, their values already tell the states apart.
    if once.iter().all(|part| matches!(part, Expr::Slot(_))) {
        return None;
    }
    let formula = |expr: &Expr| Formula {
        expr: expr.clone(),
        text: adjutant_dice::Text::default(),
        kind: adjutant_pack::Type::Number,
    };
    Some(Rc::new(once.into_iter().map(formula).collect()))
}

/// Whether all of an expression is known. If not, its largest known parts are added to the list.
fn parts<'e>(expr: &'e Expr, is_known: &dyn Fn(Slot) -> bool, found: &mut Vec<&'e Expr>) -> bool {
    let inner: Vec<&Expr> = match expr {
        Expr::Fixed(_) => return true,
        Expr::Slot(slot) => return is_known(*slot),
        Expr::Not(inner) | Expr::Negative(inner) => vec![inner],
        Expr::Pair(_, a, b) => vec![a, b],
        Expr::Call(_, parts) => parts.iter().collect(),
    };
    let known: Vec<bool> = inner.iter().map(|part| parts(part, is_known, found)).collect();
    if known.iter().all(|known| *known) {
        return true;
    }
    found.extend(inner.into_iter().zip(known).filter(|(_, known)| *known).map(|(part, _)| part));
    false
}

fn slots(expr: &Expr) -> Vec<Slot> {
    match expr {
        Expr::Fixed(_) => Vec::new(),
        Expr::Slot(slot) => vec![*slot],
        Expr::Not(inner) | Expr::Negative(inner) => slots(inner),
        Expr::Pair(_, a, b) => slots(a).into_iter().chain(slots(b)).collect(),
        Expr::Call(_, parts) => parts.iter().flat_map(slots).collect(),
    }
}
