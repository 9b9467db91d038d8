//! How two versions of a pack differ, in lines for a terminal.

use adjutant_diff::{
    AxisKind, ChanceDiff, ChanceShift, ChartChange, ChartDiff, Definition, PackDiff, PartChange,
};
use adjutant_engine::percent_in_words;

/// The lines of a comparison, without indentation of the whole.
pub fn pack_diff(found: &PackDiff) -> Vec<String> {
    if found.is_empty() {
        return vec!["The rules are the same.".to_owned()];
    }
    let mut lines = Vec::new();
    for chart in &found.charts {
        lines.extend(chart_lines(chart));
    }
    if !found.parts.is_empty() {
        lines.push("Other changes".to_owned());
        let part = |part: &PartChange| format!("  {}{}", definition(part), part_change(part));
        lines.extend(found.parts.iter().map(part));
    }
    lines
}

fn chart_lines(chart: &ChartDiff) -> Vec<String> {
    let how = match chart.change {
        ChartChange::Added => "is new",
        ChartChange::Removed => "is gone",
        ChartChange::Changed => "changed",
        ChartChange::Affected => "uses something that changed",
    };
    let mut lines = vec![format!("{} ({}) {how}", chart.title, chart.id)];
    // Of a chart that is new or gone, nothing more need be said.
    if matches!(chart.change, ChartChange::Changed) {
        lines.extend(chart.parts.iter().map(|part| format!("  {}", part_change(part))));
    }
    if let Some(chances) = &chart.chances {
        lines.extend(chance_lines(chances).into_iter().map(|line| format!("  {line}")));
    }
    lines
}

/// What a change belongs to, before its path.
fn definition(part: &PartChange) -> String {
    let of = match &part.definition {
        Definition::Head => "pack".to_owned(),
        Definition::Chart => format!("chart {}", part.name),
        Definition::Result => format!("result {}", part.name),
        Definition::Section(section) => format!("{section} {}", part.name),
        Definition::File => part.name.clone(),
    };
    format!("{} › ", of.trim())
}

/// One change: `step firer › add Close › plus: 1 → 2`.
pub fn part_change(part: &PartChange) -> String {
    let mark = if part.modifier { "modifier, " } else { "" };
    let path = match part.path.is_empty() {
        true => "all of it".to_owned(),
        false => part.path.join(" › "),
    };
    match (&part.before, &part.after) {
        (Some(before), Some(after)) => format!("{mark}{path}: {before} → {after}"),
        (None, Some(after)) => format!("{mark}{path}: new: {after}"),
        (Some(before), None) => format!("{mark}{path}: gone: {before}"),
        (None, None) => format!("{mark}{path}"),
    }
}

fn chance_lines(chances: &ChanceDiff) -> Vec<String> {
    let compared = match (chances.situations, chances.exhaustive) {
        (1, true) => "the one situation that there is".to_owned(),
        (1, false) => "the one situation that was compared".to_owned(),
        (count, true) => format!("all {count} situations"),
        (count, false) => format!("the {count} situations that were compared"),
    };
    let mut lines = Vec::new();
    lines.push(match (chances.moved, chances.situations) {
        (0, _) => format!("no chance moves in {compared}"),
        (_, 1) => format!("chances move in {compared}; the largest shifts:"),
        (moved, _) => format!("chances move in {moved} of {compared}; the largest shifts:"),
    });
    if chances.without > 0 {
        lines.push(format!("in {} of them there are no exact chances to compare", chances.without));
    }
    lines.extend(chances.shifts.iter().map(|shift| format!("  {}", chance_shift(shift))));
    lines
}

/// A chance that moves: `Destroyed 16.7 % → 27.8 % (+11.1) with close=yes`.
pub fn chance_shift(shift: &ChanceShift) -> String {
    let given = shift.given.iter().map(|given| match given.kind {
        AxisKind::Input => format!("{}={}", given.name, given.value),
        AxisKind::Option => format!("option {}={}", given.name, given.value),
        AxisKind::Memory => format!("memory {}={}", given.name, given.value),
    });
    let answers = shift.answers.iter().map(|(key, answer)| format!("answer {key}={answer}"));
    let given: Vec<String> = given.chain(answers).collect();
    let with = if given.is_empty() { String::new() } else { format!(" with {}", given.join(" ")) };
    format!(
        "{} {} → {} ({:+.1}){with}",
        shift.title,
        percent_in_words(shift.before.percent()),
        percent_in_words(shift.after.percent()),
        shift.points()
    )
}
