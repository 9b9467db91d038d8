//! Modifiers: which count, how much, and why one that holds may not count. Those that did not count
//! stay listed, because a forgotten modifier is the classic mistake.

use crate::account::{ModifierAccount, ThrowAccount};
use crate::coverage::Mark;
use crate::run::{Halt, Run};
use chance::{MOST_DICE, Number};
use sheet::{Amount, Modifier, Step, Throw};

impl Run<'_, '_, '_> {
    /// How many dice are thrown, after the modifiers that add or take dice.
    pub fn number_of_dice(&mut self, place: usize, step: &Step, throw: &Throw, account: &mut ThrowAccount) -> Result<u32, Halt> {
        let mut count = self.number(&throw.count)?;
        let lines = self.weigh_all(step, |amount| matches!(amount, Amount::Dice(_)))?;
        for (number, (modifier, line)) in step.add.iter().zip(&lines).enumerate() {
            let Some(ModifierAccount { counted: true, value: Some(value), .. }) = line else { continue };
            count = self.sum(count.plus(*value))?;
            self.counted(place, number, modifier);
        }
        account.modifiers = lines.into_iter().flatten().collect();
        let whole = count.floor().as_whole().unwrap_or(0);
        if whole > i64::from(MOST_DICE) {
            return Err(Halt::Refused(format!(
                "{}: {} would be {whole} dice: at most {MOST_DICE} can be thrown",
                self.chart.title, step.title
            )));
        }
        Ok(whole.max(0) as u32)
    }

    /// The total, after the modifiers that add or multiply, in the sheet's order.
    pub fn modify(&mut self, place: usize, step: &Step, natural: Number, account: &mut ThrowAccount) -> Result<Number, Halt> {
        let lines = self.weigh_all(step, |amount| !matches!(amount, Amount::Dice(_)))?;
        let mut total = natural;
        for (number, (modifier, line)) in step.add.iter().zip(&lines).enumerate() {
            let Some(ModifierAccount { counted: true, value: Some(value), .. }) = line else { continue };
            total = match modifier.amount {
                Amount::Times(_) => self.sum(total.times(*value))?,
                _ => self.sum(total.plus(*value))?,
            };
            self.counted(place, number, modifier);
        }
        account.modifiers = in_sheet_order(&step.add, lines, std::mem::take(&mut account.modifiers));
        if let Some(most) = &step.most {
            total = total.min(self.number(most)?);
        }
        if let Some(least) = &step.least {
            total = total.max(self.number(least)?);
        }
        Ok(total)
    }

    fn counted(&mut self, step: usize, number: usize, modifier: &Modifier) {
        self.shared.account.marks.push(Mark::Modifier(self.place, step, number));
        self.reading(modifier.reading);
    }

    fn sum(&self, sum: Result<Number, chance::NumberFault>) -> Result<Number, Halt> {
        sum.map_err(|fault| Halt::Refused(format!("{}: {fault}", self.chart.title)))
    }

    /// The modifiers of one sort, each in its place.
    fn weigh_all(&self, step: &Step, sort: fn(&Amount) -> bool) -> Result<Vec<Option<ModifierAccount>>, Halt> {
        let weighed = |modifier: &Modifier| sort(&modifier.amount).then(|| self.weigh(modifier)).transpose();
        let mut lines = step.add.iter().map(weighed).collect::<Result<Vec<_>, Halt>>()?;
        drop_all_but_best(&step.add, &mut lines);
        Ok(lines)
    }

    /// Whether a modifier holds and how much it is. One that does not hold need not be known.
    fn weigh(&self, modifier: &Modifier) -> Result<ModifierAccount, Halt> {
        let counted = self.holds_or(modifier.when.as_ref(), true)?;
        let formula = modifier.amount.formula();
        let value = match counted {
            true => Some(self.number(formula)?),
            false => formula.eval_partly(&self.slots, &mut Vec::new()).and_then(sheet::Value::number),
        };
        let kind = match modifier.amount {
            Amount::Plus(_) => "plus",
            Amount::Times(_) => "times",
            Amount::Dice(_) => "dice",
        };
        Ok(ModifierAccount { label: modifier.label.clone(), value, kind, counted, because: None })
    }
}

/// Of the modifiers with the same `best_of`, only the best counts; of equals the first.
fn drop_all_but_best(modifiers: &[Modifier], lines: &mut [Option<ModifierAccount>]) {
    for number in 0..lines.len() {
        let Some(group) = &modifiers[number].best_of else { continue };
        let counting =
            |place: &usize| lines[*place].as_ref().is_some_and(|line| line.counted) && modifiers[*place].best_of.as_ref() == Some(group);
        let value = |place: &usize| lines[*place].as_ref().and_then(|line| line.value);
        let best = (0..lines.len()).filter(counting).rev().max_by_key(value);
        let Some(best) = best.filter(|best| *best != number && counting(&number)) else { continue };
        let because = lines[best].as_ref().map(|line| format!("“{}” counts instead", line.label));
        if let Some(line) = &mut lines[number] {
            line.because = because;
        }
    }
    for line in lines.iter_mut().flatten().filter(|line| line.because.is_some()) {
        line.counted = false;
    }
}

/// The lines of the dice and of the total, back in the order of the sheet.
fn in_sheet_order(modifiers: &[Modifier], lines: Vec<Option<ModifierAccount>>, dice: Vec<ModifierAccount>) -> Vec<ModifierAccount> {
    let mut dice = dice.into_iter();
    modifiers.iter().zip(lines).filter_map(|(_, line)| line.or_else(|| dice.next())).collect()
}
