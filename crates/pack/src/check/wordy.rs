//! Formulas that are hard to read on a sheet. A formula of one name, or of two with one sign
//! between them, reads well in players' words. Anything longer deserves a `text`.

use crate::diagnostic::Diagnostic;
use crate::expr::{self, Op, ParsedExpr, Part};
use crate::problem::ExprProblem;
use crate::raw::{
    RawBand, RawChart, RawDice, RawEffect, RawEnd, RawInstead, RawNext, RawPack, RawRead, RawRoll,
    RawRow, RawStep, RawStepKind,
};
use crate::tree::{self, Diagnostics, Located, Place};
use std::collections::BTreeSet;

/// The formulas of a `pack.toml` that a sheet prints and that have no words of their own.
pub(super) fn formulas(text: &str) -> Vec<Diagnostic> {
    let faults = Diagnostics::default();
    let document = tree::parse("pack.toml", text, &faults);
    let raw = crate::raw::read_pack(document.get_ref(), &crate::files::Files::default(), &faults);
    let found = Diagnostics::default();
    for (at, _) in printed(&raw).all.into_iter().filter(|(_, formula)| is_hard(formula)) {
        found.add(at, ExprProblem::Wordless);
    }
    found.into_sorted()
}

/// Formulas and where they stand.
#[derive(Default)]
struct Formulas<'r> {
    all: Vec<(&'r Place, &'r str)>,
}

impl<'r> Formulas<'r> {
    fn add(&mut self, more: impl IntoIterator<Item = &'r Located<String>>) {
        self.all.extend(more.into_iter().map(|formula| (&formula.at, formula.it.as_str())));
    }
}

/// Every formula that a sheet prints.
fn printed(raw: &RawPack) -> Formulas<'_> {
    let mut found = Formulas::default();
    for result in &raw.results {
        changes(&result.effects, &result.next, &mut found);
        found.add(unsaid(&result.instead).map(|instead: &RawInstead| &instead.when));
    }
    for chart in &raw.charts {
        of_chart(chart, &mut found);
    }
    found
}

fn unsaid(lines: &[RawInstead]) -> impl Iterator<Item = &RawInstead> {
    lines.iter().filter(|line| line.text.is_empty())
}

fn of_chart<'r>(chart: &'r RawChart, found: &mut Formulas<'r>) {
    for step in chart.steps.iter().filter(|step| step.sheet) {
        of_step(step, found);
        let unsaid =
            step.again.iter().filter(|rule| rule.text.is_empty() && rule.because.is_empty());
        found.add(unsaid.map(|rule| &rule.when));
        for modifier in step.add.iter().filter(|modifier| modifier.text.is_empty()) {
            found.add([&modifier.plus, &modifier.times, &modifier.dice].into_iter().flatten());
        }
    }
    if let Some(read) = &chart.read {
        of_read(read, found);
    }
}

fn of_step<'r>(step: &'r RawStep, found: &mut Formulas<'r>) {
    found.add([&step.most, &step.least].into_iter().flatten());
    if !step.text.is_empty() {
        return;
    }
    found.add(&step.when);
    match &step.kind {
        RawStepKind::Roll(roll) => of_roll(roll, found),
        RawStepKind::Draw(draw) => {
            found.add(&draw.by);
            found.add(draw.pick.iter().filter_map(|pick| pick.which.as_ref()));
            if let Some(several) = &draw.several {
                of_roll(several, found);
            }
        }
        RawStepKind::WorkOut(formula) => found.add([formula]),
        RawStepKind::LookUp(look_up) => found.add(&look_up.times),
        RawStepKind::Ask(_) => {}
    }
}

fn of_roll<'r>(roll: &'r RawRoll, found: &mut Formulas<'r>) {
    let RawRoll { count, sides, keep_highest, keep_lowest, each, .. } = roll;
    let RawRoll { pass_at_most, pass_at_least, explode, extra, fill, choose, .. } = roll;
    found.add([count, sides, keep_highest, keep_lowest].into_iter().flatten());
    found.add([each, pass_at_most, pass_at_least].into_iter().flatten());
    found.add([explode, extra].into_iter().flatten().map(|rule| &rule.when));
    found.add(roll.reroll.iter().map(|rule| &rule.when));
    found.add(roll.reroll.iter().filter_map(|rule| rule.dice.as_ref()));
    found.add(roll.tally.iter().map(|(_, formula)| formula));
    found.add(fill.iter().map(|fill| &fill.size));
    found.add(choose.iter().filter_map(|choose| choose.by.as_ref()));
    if let RawDice::Kinds(_, kinds) = &roll.dice {
        found.add(kinds.iter().map(|(_, count)| count));
    }
}

fn of_read<'r>(read: &'r RawRead, found: &mut Formulas<'r>) {
    let rows = read.inline_rows().iter();
    for row in rows.chain(&read.also) {
        of_row(row, found);
    }
    if read.text.is_empty() {
        found.add(&read.value);
    }
    // A table of conditions does not print the score.
    let rows = read.inline_rows().iter();
    let mut banded = rows.filter(|row| row.band.any() || row.is_word.is_some());
    if banded.next().is_some() && (read.text.is_empty() || read.value.is_some()) {
        found.add(&read.score);
    }
}

fn of_row<'r>(row: &'r RawRow, found: &mut Formulas<'r>) {
    if row.text.is_empty() {
        let RawBand { from, to, below, above, .. } = &row.band;
        for end in [from, to, below, above].into_iter().flatten() {
            if let RawEnd::WorkedOut(formula) = &end.it {
                found.all.push((&end.at, formula));
            }
        }
    }
    if row.text.is_empty() && row.label.is_empty() {
        found.add(&row.when);
    }
    changes(&row.effects, &row.next, found);
    for (_, cell) in &row.cells {
        if cell.label.is_empty() {
            found.add(&cell.value);
        }
        changes(&cell.effects, &cell.next, found);
    }
}

fn changes<'r>(effects: &'r [RawEffect], next: &'r [RawNext], found: &mut Formulas<'r>) {
    for effect in effects.iter().filter(|effect| effect.text.is_empty()) {
        found.add(&effect.when);
        found.add(&effect.nth);
        found.add(effect.kind.change().map(|(_, value)| value));
        found.add(effect.kind.new_units().map(|new| &new.count));
    }
    for next in next.iter().filter(|next| next.text.is_empty()) {
        found.add(&next.when);
        found.add(next.with.iter().map(|(_, formula)| formula));
    }
}

/// Whether a formula has at least two names, and more than one sign between them or a function. What
/// a die shows is no name of its own, but functions within functions are hard to read of it too.
fn is_hard(text: &str) -> bool {
    let Ok(parsed) = expr::read(text) else { return false };
    let mut load = Load::default();
    load.weigh(&parsed);
    load.names.len() > 2 || load.names.len() == 2 && load.signs > 1 || load.of_die && load.calls > 1
}

#[derive(Default)]
struct Load<'e> {
    names: BTreeSet<&'e str>,
    signs: usize,
    calls: usize,
    of_die: bool,
}

impl<'e> Load<'e> {
    fn weigh(&mut self, expr: &'e ParsedExpr) {
        match &expr.part {
            Part::Number(_) | Part::YesNo(_) | Part::Word(_) => {}
            // What a die shows reads well: “5 or more”.
            Part::Name(name) if name == "face" => self.of_die = true,
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
                self.calls += 1;
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
        assert!(is_hard("if(face == 6, 2, if(face >= skill, 1, 0))"));
        assert!(!is_hard("if(face == 6, 2, 1)") && !is_hard("face >= 3 and face < 6"));
        assert!(is_hard("a + b - c") && is_hard("10 * tens + ones"));
    }
}
