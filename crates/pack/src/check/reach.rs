//! Checks whether a row, a modifier or a rule can ever apply. Names are treated as independent, so
//! what the check reports is really unreachable. It may miss some unreachable rows, but never
//! reports a reachable one.

use super::builder::Builder;
use crate::chart::{Again, Read};
use crate::expr::{Formula, Slot};
use crate::ids::IdVec;
use crate::problem::{CanNeverHold, RowProblem, StepProblem};
use crate::raw::{RawAgain, RawRow};
use crate::tree::Place;
use crate::value::{Type, Value};
use adjutant_dice::Number;

/// The maximum number of combinations to try for one condition or table.
const MOST_TRIES: usize = 20_000;
/// The maximum number of conditions and rows to try for one pack. What exceeds it passes unchecked.
pub(super) const MOST_WORK: usize = 5_000_000;

/// A value for each name of the chart; `None` if it is not set.
type Values = IdVec<Slot, Option<Value>>;

impl Builder<'_, '_> {
    /// Reports a condition that can never hold.
    pub fn check_can_hold(&self, when: &Formula, at: &Place, what: CanNeverHold) {
        let mut found = false;
        let tried = self.try_all(&when.slots(), 1, &mut |values| {
            found |= when.holds(values).unwrap_or(true);
            found
        });
        if tried && !found {
            self.faults().add(at, StepProblem::NeverHolds { what });
        }
    }

    /// Reports again rules that always hold, whatever is rolled.
    pub fn check_endless(&self, rules: &[Again], raw: &[RawAgain]) {
        let bound = |rule: &Again| {
            rule.at_most.is_some() || rule.stop.as_ref().is_some_and(|stop| stop.when.is_none())
        };
        let free: Vec<(&Again, &RawAgain)> = rules
            .iter()
            .zip(raw)
            .filter(|(rule, _)| !bound(rule))
            .filter(|_| rules.len() == raw.len())
            .collect();
        let alone = free.iter().find(|(rule, _)| self.always(&[&rule.when]));
        let whens: Vec<&Formula> = free.iter().map(|(rule, _)| &rule.when).collect();
        if let Some((_, raw)) = alone {
            self.faults().add(&raw.when.at, StepProblem::Endless { several: false });
        } else if let Some((_, raw)) = free.last()
            && free.len() > 1
            && self.always(&whens)
        {
            self.faults().add(&raw.when.at, StepProblem::Endless { several: true });
        }
    }

    /// Whether at least one of these conditions holds for every combination of values.
    fn always(&self, whens: &[&Formula]) -> bool {
        let slots = joined(whens.iter().copied());
        let mut fails = false;
        let tried = self.try_all(&slots, whens.len(), &mut |values| {
            fails = !whens.iter().any(|when| when.holds(values).unwrap_or(false));
            fails
        });
        tried && !fails
    }

    /// Reports rows that no input can reach.
    pub fn check_reach(&self, read: &Read, raw: &[RawRow]) {
        let slots = joined(read.rows.iter().filter_map(|row| row.when.as_ref()));
        let Some(scores) = self.scores(read) else {
            return self.check_outside(read, raw);
        };
        let mut reached = vec![false; read.rows.len()];
        // If the score is itself a name, it takes the value of that name. Otherwise it is treated
        // as free.
        let own = read.score.as_ref().and_then(|score| match score.expr {
            crate::expr::Expr::Slot(slot) if slots.contains(&slot) => Some(slot),
            _ => None,
        });
        let tried = self.try_all(&slots, read.rows.len() * scores.len().max(1), &mut |values| {
            let open: Vec<bool> = read
                .rows
                .iter()
                .map(|row| row.when.as_ref().is_none_or(|when| when.holds(values).unwrap_or(true)))
                .collect();
            for score in &scores {
                if own.is_some_and(|slot| values.get(slot).copied().flatten() != *score) {
                    continue;
                }
                if let Some(row) = read.rows.iter().zip(&open).position(|(row, open)| {
                    *open
                        && row.band.is_none_or(|band| {
                            score.and_then(Value::number).is_none_or(|n| band.holds(n))
                        })
                        && row.is_word.is_none_or(|word| *score == Some(Value::Word(word)))
                }) {
                    reached[row] = true;
                }
            }
            reached.iter().all(|row| *row)
        });
        if !tried {
            return self.check_outside(read, raw);
        }
        let range = read
            .score
            .as_ref()
            .filter(|score| score.kind == Type::Number)
            .map(|score| self.range(score));
        for (row, _) in raw.iter().zip(reached).filter(|(_, reached)| !reached) {
            let limits = range.filter(|_| row.band.any()).map(|range| (range.from, range.to));
            self.faults().add(&row.at, RowProblem::Unreachable { limits });
        }
    }

    /// The simple check: a band outside the range of the score.
    fn check_outside(&self, read: &Read, raw: &[RawRow]) {
        let Some(range) = read.score.as_ref().map(|score| self.range(score)) else { return };
        for (row, raw) in read.rows.iter().zip(raw) {
            let Some(band) = row.band else { continue };
            let below = band
                .to
                .zip(range.from)
                .is_some_and(|((to, belongs), from)| to < from || (to == from && !belongs));
            let above = band
                .from
                .zip(range.to)
                .is_some_and(|((from, belongs), to)| from > to || (from == to && !belongs));
            if below || above {
                self.faults()
                    .add(&raw.at, RowProblem::OutsideScore { from: range.from, to: range.to });
            }
        }
    }

    /// Every possible score, if they can be listed.
    fn scores(&self, read: &Read) -> Option<Vec<Option<Value>>> {
        let Some(score) = &read.score else { return Some(vec![None]) };
        match &score.kind {
            Type::Choice(words) => Some(words.iter().map(|w| Some(Value::Word(*w))).collect()),
            Type::YesNo => Some(vec![Some(Value::YesNo(true)), Some(Value::YesNo(false))]),
            Type::Number => {
                let range = self.range(score);
                let (from, to) = (range.from?.as_whole()?, range.to?.as_whole()?);
                let listed = range.whole && to - from <= 2000;
                listed.then(|| {
                    (from..=to)
                        .filter_map(|n| Number::whole(n).ok())
                        .map(|n| Some(Value::Number(n)))
                        .collect()
                })
            }
        }
    }

    /// Tries all values of some names, at a cost of `work` for each try. Returns false if there are
    /// too many, or the budget is used up. Stops when `enough` returns true.
    fn try_all(
        &self,
        slots: &[Slot],
        work: usize,
        enough: &mut dyn FnMut(&Values) -> bool,
    ) -> bool {
        let mut domains: Vec<Vec<Value>> = Vec::new();
        let mut tries = 1_usize;
        for slot in slots {
            let Some(domain) = self.domain(*slot) else { return false };
            tries = tries.saturating_mul(domain.len().max(1));
            domains.push(domain);
        }
        let left = self.ground.work.get();
        if tries > MOST_TRIES || tries.saturating_mul(work) > left {
            return false;
        }
        self.ground.work.set(left - tries * work);
        let mut values = Values::filled(None, self.names.len());
        for mut turn in 0..tries {
            for (slot, domain) in slots.iter().zip(&domains) {
                values[*slot] = domain.get(turn % domain.len().max(1)).copied();
                turn /= domain.len().max(1);
            }
            if enough(&values) {
                break;
            }
        }
        true
    }

    fn domain(&self, slot: Slot) -> Option<Vec<Value>> {
        let name = self.names.get(slot)?;
        match &name.kind {
            Type::YesNo => Some(vec![Value::YesNo(true), Value::YesNo(false)]),
            Type::Choice(words) => Some(words.iter().map(|w| Value::Word(*w)).collect()),
            Type::Number => {
                let (from, to) = (name.range.from?.as_whole()?, name.range.to?.as_whole()?);
                let listed = name.range.whole && to - from < 2000;
                listed.then(|| {
                    (from..=to).filter_map(|n| Number::whole(n).ok()).map(Value::Number).collect()
                })
            }
        }
    }
}

/// All names of some conditions.
fn joined<'f>(formulas: impl Iterator<Item = &'f Formula>) -> Vec<Slot> {
    let mut slots: Vec<Slot> = formulas.flat_map(Formula::slots).collect();
    adjutant_dice::sort(&mut slots);
    slots.dedup();
    slots
}
