//! Modifiers: which count, how much, and why one that holds may not count. Those that did not count
//! stay listed, because a forgotten modifier is the classic mistake.

use crate::coverage::CoveragePoint;
use crate::error::ResolveError;
use crate::resolution::{ModifierKind, ModifierLine, RollStep};
use crate::run::{ChartOutcome, Halt, Run};
use adjutant_dice::{MOST_DICE, Number};
use adjutant_pack::{
    Amount, Column, ColumnId, Formula, Modifier, ModifierId, Roll, Step, StepId, Value,
};

impl Run<'_, '_, '_> {
    /// The number of dice to roll, after the modifiers that add or remove dice.
    pub fn number_of_dice(
        &mut self,
        place: StepId,
        step: &Step,
        roll: &Roll,
        entry: &mut RollStep,
    ) -> Result<u32, Halt> {
        let mut count = match roll.kinds.first() {
            Some(kind) => self.number(&kind.count)?,
            None => Number::ZERO,
        };
        let lines = self.weigh_all(of_sort(step, true).map(|(_, modifier)| modifier))?;
        for ((number, modifier), line) in of_sort(step, true).zip(&lines) {
            let ModifierLine { counted: true, value: Some(value), .. } = line else { continue };
            count = self.sum(count.plus(*value))?;
            self.counted(place, number, modifier);
        }
        entry.modifiers = lines;
        self.checked_count(step, count)
    }

    /// A number of dice that can be rolled.
    pub fn checked_count(&self, step: &Step, count: Number) -> Result<u32, Halt> {
        let whole = count.floor().as_whole().unwrap_or(0);
        if whole > i64::from(MOST_DICE) {
            return Err(self.too_many_dice(step, whole));
        }
        Ok(whole.max(0) as u32)
    }

    pub fn too_many_dice(&self, step: &Step, dice: i64) -> Halt {
        let (chart, step) = (self.chart.title.clone(), step.title.clone());
        ResolveError::TooManyDice { chart, step, dice, most: MOST_DICE }.into()
    }

    /// The total, after the modifiers that add or multiply, in the sheet's order.
    pub fn modify(
        &mut self,
        place: StepId,
        step: &Step,
        natural: Number,
        entry: &mut RollStep,
    ) -> Result<Number, Halt> {
        let lines = self.weigh_all(of_sort(step, false).map(|(_, modifier)| modifier))?;
        let mut total = natural;
        for ((number, modifier), line) in of_sort(step, false).zip(&lines) {
            let ModifierLine { counted: true, value: Some(value), .. } = line else { continue };
            total = match modifier.amount {
                Amount::Times(_) => self.sum(total.times(*value))?,
                _ => self.sum(total.plus(*value))?,
            };
            self.counted(place, number, modifier);
        }
        entry.modifiers = in_sheet_order(&step.add, lines, std::mem::take(&mut entry.modifiers));
        if let Some(most) = &step.most {
            total = total.min(self.number(most)?);
        }
        if let Some(least) = &step.least {
            total = total.max(self.number(least)?);
        }
        Ok(total)
    }

    /// Moves the column by the modifiers that count, within the table.
    pub fn shift(&mut self, column: &Column, found: &mut ChartOutcome) -> Result<(), Halt> {
        let Some(from) = found.column.filter(|_| !column.shift.is_empty()) else { return Ok(()) };
        let lines = self.weigh_all(column.shift.iter())?;
        let mut by = Number::ZERO;
        for ((place, modifier), line) in column.shift.iter_enumerated().zip(&lines) {
            let ModifierLine { counted: true, value: Some(value), .. } = line else { continue };
            by = self.sum(by.plus(*value))?;
            self.shared.resolution.marks.push(CoveragePoint::Shift(self.place, place));
            self.reading(modifier.reading);
        }
        found.column = Some(column.shifted(from, by));
        found.shifts = lines;
        Ok(())
    }

    fn counted(&mut self, step: StepId, number: ModifierId, modifier: &Modifier) {
        self.shared.resolution.marks.push(CoveragePoint::Modifier(self.place, step, number));
        self.reading(modifier.reading);
    }

    pub fn sum(&self, sum: Result<Number, adjutant_dice::NumberError>) -> Result<Number, Halt> {
        sum.map_err(|error| {
            ResolveError::Arithmetic { chart: self.chart.title.clone(), error }.into()
        })
    }

    /// The lines of the modifiers of the dice, or of the total: whether each holds, and its value.
    fn weigh_all<'m>(
        &self,
        modifiers: impl Iterator<Item = &'m Modifier> + Clone,
    ) -> Result<Vec<ModifierLine>, Halt> {
        let mut lines = Vec::new();
        for modifier in modifiers.clone() {
            let counted = self.holds_or(modifier.when.as_ref(), true)?;
            let (kind, formula) = match &modifier.amount {
                Amount::Plus(formula) => (ModifierKind::Plus, formula),
                Amount::Times(formula) => (ModifierKind::Times, formula),
                Amount::Dice(formula) => (ModifierKind::Dice, formula),
            };
            // The value of a modifier that does not hold may be unknown.
            let value = match counted {
                true => Some(self.number(formula)?),
                false => formula
                    .eval_partly(&self.slots, &mut Vec::new())
                    .and_then(adjutant_pack::Value::number),
            };
            lines.push(ModifierLine {
                label: modifier.label.clone(),
                value,
                kind,
                counted,
                because: None,
            });
        }
        let vying = modifiers
            .clone()
            .zip(&lines)
            .filter(|(modifier, line)| line.counted && modifier.best_of.is_some());
        if vying.count() > 1 {
            let modifiers: Vec<&Modifier> = modifiers.collect();
            drop_all_but_best(&modifiers, &mut lines);
        }
        Ok(lines)
    }
}

/// The column that is read, as far as the formulas are known: none if one of them is not.
pub(crate) fn column_known(
    column: &Column,
    mut known: impl FnMut(&Formula) -> Option<Value>,
) -> Option<ColumnId> {
    let from = known(&column.by).and_then(|by| column.place(by));
    let mut lines: Vec<(Option<&String>, Number)> = Vec::new();
    let mut open = from.is_none();
    for shift in &column.shift {
        let counts = shift.when.as_ref().map_or(Some(true), |when| Some(known(when)?.is_yes()));
        if counts == Some(false) {
            continue;
        }
        let value = known(shift.amount.formula()).and_then(Value::number);
        open |= counts.is_none() || value.is_none();
        lines.push((shift.best_of.as_ref(), value.unwrap_or(Number::ZERO)));
    }
    let best = |(place, (group, value)): (usize, &(Option<&String>, Number))| {
        let better = |(other, (its, more)): (usize, &(Option<&String>, Number))| {
            its == group && (*more > *value || (*more == *value && other < place))
        };
        let beaten = group.is_some() && lines.iter().enumerate().any(better);
        if beaten { Number::ZERO } else { *value }
    };
    let by = lines.iter().enumerate().map(best).try_fold(Number::ZERO, Number::plus).ok()?;
    from.filter(|_| !open).map(|from| column.shifted(from, by))
}

/// The modifiers of a step that change its dice, or those that change its total, each with its
/// index.
fn of_sort(step: &Step, of_dice: bool) -> impl Iterator<Item = (ModifierId, &Modifier)> + Clone {
    step.add
        .iter_enumerated()
        .filter(move |(_, modifier)| matches!(modifier.amount, Amount::Dice(_)) == of_dice)
}

/// Of the modifiers with the same `best_of`, only the best counts; of equal ones the first.
fn drop_all_but_best(modifiers: &[&Modifier], lines: &mut [ModifierLine]) {
    for number in 0..lines.len() {
        let Some(group) = &modifiers[number].best_of else { continue };
        let counting = |place: &usize| {
            lines[*place].counted && modifiers[*place].best_of.as_ref() == Some(group)
        };
        let best = (0..lines.len()).filter(counting).rev().max_by_key(|place| lines[*place].value);
        let Some(best) = best.filter(|best| *best != number && counting(&number)) else { continue };
        lines[number].because = Some(format!("“{}” counts instead", lines[best].label).into());
    }
    for line in lines.iter_mut().filter(|line| line.because.is_some()) {
        line.counted = false;
    }
}

/// Merges the lines of the dice and of the total back into the order of the sheet.
fn in_sheet_order(
    modifiers: &[Modifier],
    lines: Vec<ModifierLine>,
    dice: Vec<ModifierLine>,
) -> Vec<ModifierLine> {
    if dice.is_empty() {
        return lines;
    }
    let (mut lines, mut dice) = (lines.into_iter(), dice.into_iter());
    let line = |modifier: &Modifier| {
        if matches!(modifier.amount, Amount::Dice(_)) { dice.next() } else { lines.next() }
    };
    modifiers.iter().filter_map(line).collect()
}
