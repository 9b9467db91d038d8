//! Formulas that are hard to read on a sheet. A formula of one name, or of two with one sign
//! between them, reads well in players' words. Anything longer deserves a `text`.

use crate::diagnostic::Diagnostic;
use crate::expr::{self, Op, ParsedExpr, Part};
use crate::problem::ExprProblem;
use crate::raw::{
    RawChart, RawDice, RawEffect, RawEffectKind, RawInstead, RawNext, RawPack, RawRead, RawRoll,
    RawRow, RawStep, RawStepKind,
};
use crate::tree::{self, Diagnostics, Located};
use std::collections::BTreeSet;

/// The formulas of a `pack.toml` that a sheet prints and that have no words of their own.
pub(super) fn formulas(text: &str) -> Vec<Diagnostic> {
    let faults = Diagnostics::default();
    let document = tree::parse("pack.toml", text, &faults);
    let raw = crate::raw::read_pack(document.get_ref(), &faults);
    let found = Diagnostics::default();
    for formula in printed(&raw).into_iter().filter(|formula| is_hard(&formula.it)) {
        found.add(&formula.at, ExprProblem::Wordless);
    }
    found.into_sorted()
}

/// Every formula that a sheet prints.
fn printed(raw: &RawPack) -> Vec<&Located<String>> {
    let mut found = Vec::new();
    for result in &raw.results {
        changes(&result.effects, &result.next, &mut found);
        found.extend(unsaid(&result.instead).map(|instead: &RawInstead| &instead.when));
    }
    for chart in &raw.charts {
        of_chart(chart, &mut found);
    }
    found
}

fn unsaid(lines: &[RawInstead]) -> impl Iterator<Item = &RawInstead> {
    lines.iter().filter(|line| line.text.is_empty())
}

fn of_chart<'r>(chart: &'r RawChart, found: &mut Vec<&'r Located<String>>) {
    for step in chart.steps.iter().filter(|step| step.sheet) {
        of_step(step, found);
        for modifier in step.add.iter().filter(|modifier| modifier.text.is_empty()) {
            found.extend([&modifier.plus, &modifier.times, &modifier.dice].into_iter().flatten());
        }
    }
    if let Some(read) = &chart.read {
        of_read(read, found);
    }
}

fn of_step<'r>(step: &'r RawStep, found: &mut Vec<&'r Located<String>>) {
    found.extend([&step.most, &step.least].into_iter().flatten());
    if !step.text.is_empty() {
        return;
    }
    found.extend(&step.when);
    match &step.kind {
        RawStepKind::Roll(roll) => of_roll(roll, found),
        RawStepKind::Draw(draw) => {
            found.extend(&draw.by);
            found.extend(draw.pick.iter().filter_map(|pick| pick.which.as_ref()));
            if let Some(several) = &draw.several {
                of_roll(several, found);
            }
        }
        RawStepKind::WorkOut(formula) => found.push(formula),
        RawStepKind::LookUp(look_up) => found.extend(&look_up.times),
        RawStepKind::Ask(_) => {}
    }
}

fn of_roll<'r>(roll: &'r RawRoll, found: &mut Vec<&'r Located<String>>) {
    let RawRoll { count, sides, keep_highest, keep_lowest, each, .. } = roll;
    let RawRoll { pass_at_most, pass_at_least, explode, extra, fill, choose, .. } = roll;
    found.extend([count, sides, keep_highest, keep_lowest].into_iter().flatten());
    found.extend([each, pass_at_most, pass_at_least].into_iter().flatten());
    found.extend([explode, extra].into_iter().flatten().map(|rule| &rule.when));
    found.extend(roll.reroll.iter().map(|rule| &rule.when));
    found.extend(roll.reroll.iter().filter_map(|rule| rule.dice.as_ref()));
    found.extend(roll.tally.iter().map(|(_, formula)| formula));
    found.extend(fill.iter().map(|fill| &fill.size));
    found.extend(choose.iter().filter_map(|choose| choose.by.as_ref()));
    if let RawDice::Kinds(_, kinds) = &roll.dice {
        found.extend(kinds.iter().map(|(_, count)| count));
    }
}

fn of_read<'r>(read: &'r RawRead, found: &mut Vec<&'r Located<String>>) {
    let rows = read.inline_rows().iter();
    for row in rows.chain(&read.also) {
        of_row(row, found);
    }
    if read.text.is_empty() {
        found.extend(&read.value);
    }
    // A table of conditions does not print the score.
    let rows = read.inline_rows().iter();
    let mut banded = rows.filter(|row| row.band.any() || row.is_word.is_some());
    if banded.next().is_some() && (read.text.is_empty() || read.value.is_some()) {
        found.extend(&read.score);
    }
}

fn of_row<'r>(row: &'r RawRow, found: &mut Vec<&'r Located<String>>) {
    if row.text.is_empty() && row.label.is_empty() {
        found.extend(&row.when);
    }
    changes(&row.effects, &row.next, found);
    for (_, cell) in &row.cells {
        if cell.label.is_empty() {
            found.extend(&cell.value);
        }
        changes(&cell.effects, &cell.next, found);
    }
}

fn changes<'r>(
    effects: &'r [RawEffect],
    next: &'r [RawNext],
    found: &mut Vec<&'r Located<String>>,
) {
    for effect in effects.iter().filter(|effect| effect.text.is_empty()) {
        found.extend(&effect.when);
        found.extend(&effect.nth);
        match &effect.kind {
            RawEffectKind::Set { to, .. } => found.push(to),
            RawEffectKind::Add { by, .. } => found.push(by),
            RawEffectKind::Remember { to, by, .. } => found.extend(to.iter().chain(by)),
            RawEffectKind::Appear(new) => found.push(&new.count),
            _ => {}
        }
    }
    for next in next.iter().filter(|next| next.text.is_empty()) {
        found.extend(&next.when);
        found.extend(next.with.iter().map(|(_, formula)| formula));
    }
}

/// Whether a formula has at least two names, and more than one sign between them or a function.
fn is_hard(text: &str) -> bool {
    let Ok(parsed) = expr::read(text) else { return false };
    let mut load = Load::default();
    load.weigh(&parsed);
    load.names.len() > 2 || load.names.len() == 2 && load.signs > 1
}

#[derive(Default)]
struct Load<'e> {
    names: BTreeSet<&'e str>,
    signs: usize,
}

impl<'e> Load<'e> {
    fn weigh(&mut self, expr: &'e ParsedExpr) {
        match &expr.part {
            Part::Number(_) | Part::YesNo(_) | Part::Word(_) => {}
            // What a die shows reads well: “5 or more”.
            Part::Name(name) if name == "face" => {}
            Part::Name(name) => {
                self.names.insert(name);
            }
            Part::Not(inner) | Part::Negative(inner) | Part::InList(inner, _) => self.weigh(inner),
            Part::Pair(op, a, b) => {
                let fixed = [a, b].iter().any(|side| !matches!(side.part, Part::Name(_)));
                self.signs += usize::from(!(is_comparison(*op) && fixed));
                self.weigh(a);
                self.weigh(b);
            }
            Part::Call(_, parts) => {
                self.signs += 2;
                parts.iter().for_each(|part| self.weigh(part));
            }
            // Players would read a line for each word.
            Part::Keyed(name, key) => {
                self.signs += if matches!(key.part, Part::Word(_)) { 0 } else { 2 };
                self.names.insert(name);
                self.weigh(key);
            }
            Part::In(inner, parts) => {
                self.weigh(inner);
                parts.iter().for_each(|part| self.weigh(part));
            }
        }
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Same | Op::Differs | Op::Below | Op::AtMost | Op::Above | Op::AtLeast)
}

#[cfg(test)]
mod tests {
    use super::is_hard;

    #[test]
    fn one_sign_between_two_names_reads_well() {
        for easy in ["die", "2 * die + 1", "firer - target", "close and not firer.pinned"] {
            assert!(!is_hard(easy), "{easy}");
        }
        assert!(!is_hard("ammo == 'ap' and range > 6") && !is_hard("floor(men / 5)"));
    }

    #[test]
    fn more_signs_names_or_a_function_do_not() {
        assert!(is_hard("if(side == 1, ours, 2)") && is_hard("max(a, b)"));
        assert!(is_hard("a + b - c") && is_hard("10 * tens + ones"));
    }
}
