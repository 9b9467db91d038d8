//! The modifiers of a roll: a question for each, and what it adds.

use super::pen::Pen;
use super::rows::Reach;
use super::toml::{clip, quoted};
use crate::amount::Amount;
use crate::link::{Chart, ScoreTable};
use crate::model::{GuessKind, Modifier};
use crate::num::Num;
use std::fmt::Write;

/// The most modifiers of a step, by the limits of a pack.
const MOST_MODIFIERS: usize = 90;

/// Writes a list of modifiers with their questions, and widens the reach of the total.
#[allow(clippy::too_many_arguments, reason = "all of it belongs to one roll")]
pub(crate) fn modifiers(
    list: &[Modifier],
    prefix: &str,
    extra: bool,
    pool: bool,
    sides: u32,
    reach: &mut Reach,
    chart: &Chart,
    pen: &mut Pen<'_>,
) -> String {
    let mut text = String::new();
    for modifier in list.iter().take(MOST_MODIFIERS) {
        if let Amount::Shift(by) = modifier.amount {
            let columns =
                matches!(&chart.reading, ScoreTable::Bands(table) if table.columns.len() > 1);
            if columns {
                let when = pen.question(&modifier.label.text, Some(prefix), |label| {
                    format!("yes_no = {label}")
                });
                let label = quoted(&clip(&modifier.label.text, 150));
                let _ =
                    writeln!(pen.shift, "  {{ label = {label}, plus = {by}, when = \"{when}\" }},");
                continue;
            }
        }
        text.push_str(&one(modifier, prefix, pool, sides, reach, pen));
    }
    if list.len() > MOST_MODIFIERS {
        pen.guess(
            GuessKind::Cut,
            list[MOST_MODIFIERS].line,
            list[MOST_MODIFIERS].label.at.clone(),
            &list[MOST_MODIFIERS].label.text,
        );
    }
    if extra {
        let id = pen.question("Other modifiers", Some(prefix), |label| {
            format!("number = {label}, from = -20, to = 20, default = 0")
        });
        let _ = writeln!(text, "  {{ label = \"Other modifiers\", plus = \"{id}\" }},");
        *reach = (reach.0.map(|n| n - 20), reach.1.map(|n| n + 20));
    }
    text
}

/// Writes the modifiers of a chart without a roll. In a pool they change the number of dice or passes.
pub(crate) fn of_chart(chart: &Chart, pool: bool, reach: &mut Reach, pen: &mut Pen<'_>) -> String {
    let prefix = chart.id.replace('-', "_");
    modifiers(&chart.loose, &prefix, false, pool, 6, reach, chart, pen)
}

/// The thing that is counted, as a noun: "for each hit on the firer" asks for "Hits on the firer".
pub(crate) fn counted(label: &str) -> String {
    let tokens = crate::token::tokens(label);
    let Some(at) = tokens.iter().position(|t| t.is_any(&["per", "each", "every"])) else {
        return label.to_owned();
    };
    let numbered = tokens.get(at + 1).is_some_and(|t| t.num().is_some());
    let from = at + 1 + usize::from(numbered);
    let inches = tokens.get(from).is_some_and(|t| t.sign('"'));
    let from = from + usize::from(inches);
    let words = tokens.get(from..).unwrap_or(&[]);
    let end = words.iter().position(|t| {
        t.word().is_none() || t.is_any(&["max", "maximum", "at", "up", "beyond", "over", "after"])
    });
    let words = &words[..end.unwrap_or(words.len())];
    let before: String = label.chars().take(tokens[at].start).collect();
    let before = before.trim().trim_end_matches("for").trim_end_matches("For").trim();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return if inches { "Inches".to_owned() } else { label.to_owned() };
    };
    let noun: String = label.chars().take(first.end).skip(first.start).collect();
    let rest: String = label.chars().take(last.end).skip(first.end).collect();
    let noun = match () {
        () if inches => format!("inches {noun}"),
        () if numbered && words[0].is_any(&AFTER_NOUN) => format!("number {noun}"),
        () if numbered => noun,
        () if words.len() == 1 || words[1].is_any(&AFTER_NOUN) => plural(&noun),
        // "supporting rank", "enemy base": the last word of the group is the noun.
        () => {
            let after = words[1..].iter().position(|t| t.is_any(&AFTER_NOUN));
            let stop = after.map_or(words.len(), |at| at + 1);
            let head: String = label.chars().take(words[stop - 1].end).skip(first.start).collect();
            let tail: String = label.chars().take(last.end).skip(words[stop - 1].end).collect();
            return crate::capital(format!("{} {before}", plural(&head) + &tail).trim());
        }
    };
    crate::capital(format!("{noun}{rest} {before}").trim())
}

/// The number of dice as a noun: "hit on the firer" asks for "Hits on the firer"; a value of the unit
/// keeps its name.
pub(crate) fn several(per: &str) -> String {
    let value =
        per.contains('\'') || per.split(' ').any(|word| word.starts_with(char::is_uppercase));
    if value { crate::capital(per) } else { counted(&format!("per {per}")) }
}

/// Words after which a noun is complete: "hit on the firer", "stand lost".
const AFTER_NOUN: [&str; 24] = [
    "on", "in", "of", "at", "by", "from", "within", "near", "with", "to", "that", "who", "which",
    "lost", "taken", "killed", "behind", "this", "last", "already", "suffered", "engaged", "next",
    "out",
];

fn plural(noun: &str) -> String {
    let ends = |tails: &[&str]| tails.iter().any(|tail| noun.ends_with(tail));
    match () {
        () if ends(&["men", "s"]) && !ends(&["ss"]) => noun.to_owned(),
        () if ends(&["ss", "x", "ch", "sh"]) => format!("{noun}es"),
        () if ends(&["ay", "ey", "oy", "uy"]) => format!("{noun}s"),
        () => match (noun.strip_suffix("man"), noun.strip_suffix('y')) {
            (Some(start), _) => format!("{start}men"),
            (None, Some(start)) => format!("{start}ies"),
            (None, None) => format!("{noun}s"),
        },
    }
}

/// Writes one modifier and widens the reach by it.
fn one(
    modifier: &Modifier,
    prefix: &str,
    pool: bool,
    sides: u32,
    reach: &mut Reach,
    pen: &mut Pen<'_>,
) -> String {
    let text = modifier.label.text.trim_end_matches('.').to_owned();
    let label = quoted(&clip(&text, 150));
    let widen = |reach: &mut Reach, by: i32| {
        if by < 0 {
            reach.0 = reach.0.map(|n| n.saturating_add(by));
        } else {
            reach.1 = reach.1.map(|n| n.saturating_add(by));
        }
    };
    let always =
        text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| word == "always");
    let when = |pen: &mut Pen<'_>| {
        if always {
            return String::new();
        }
        let id = pen.question(&text, Some(prefix), |label| format!("yes_no = {label}"));
        format!(", when = \"{id}\"")
    };
    if pool && matches!(modifier.amount, Amount::Times(_)) {
        pen.guess(
            GuessKind::Passes,
            modifier.line,
            modifier.label.at.clone(),
            &modifier.label.text,
        );
    }
    match &modifier.amount {
        Amount::Plus(n) => {
            widen(reach, n.as_whole().unwrap_or(1));
            let when = when(pen);
            match n.as_whole() {
                Some(n) => format!("  {{ label = {label}, plus = {n}{when} }},\n"),
                None => format!("  {{ label = {label}, plus = \"{n}\"{when} }},\n"),
            }
        }
        Amount::Shift(n) => {
            let when = when(pen);
            widen(reach, *n);
            format!("  {{ label = {label}, plus = {n}{when} }},\n")
        }
        Amount::Value { .. } | Amount::Signed => {
            *reach = (None, None);
            // Quality that may be good or bad is 0 for most.
            let (sign, default) = match modifier.amount {
                Amount::Signed => ("", ", default = 0"),
                Amount::Value { minus: true } => ("-", ""),
                _ => ("", ""),
            };
            let id = pen.question(&text, Some(prefix), |label| {
                format!("number = {label}, from = -100, to = 100{default}")
            });
            // "Def value, maximum 4"
            let sum = match (crate::amount::cap(&text), crate::amount::floor(&text)) {
                (Some(most), _) => format!("{sign}min({id}, {most})"),
                (None, Some(least)) => format!("{sign}max({id}, {least})"),
                (None, None) => format!("{sign}{id}"),
            };
            format!("  {{ label = {label}, plus = \"{sum}\" }},\n")
        }
        Amount::Times(n) => {
            *reach = (reach.0.map(|_| -1000), reach.1.map(|_| 1000));
            let when = when(pen);
            format!("  {{ label = {label}, times = \"{n}\"{when} }},\n")
        }
        Amount::Dice(n) => {
            widen(reach, if pool { *n } else { n.saturating_mul(sides as i32) });
            let when = when(pen);
            format!("  {{ label = {label}, dice = {n}{when} }},\n")
        }
        Amount::Each { by, per, most, dice } => {
            *reach = (None, None);
            let count = pen.question(&counted(&text), Some(prefix), |label| {
                format!("number = {label}, from = 0, to = 100, default = 0")
            });
            let groups = if *per == 1 { count } else { format!("floor({count} / {per})") };
            let sum = match by.as_whole() {
                Some(1) => groups,
                Some(-1) => format!("-{groups}"),
                _ => format!("{by} * {groups}"),
            };
            let sum = match most {
                Some(most) if *by < Num::whole(0) => format!(
                    "max({sum}, {})",
                    if *most > Num::whole(0) { most.negative() } else { *most }
                ),
                Some(most) => format!("min({sum}, {most})"),
                None => sum,
            };
            let key = if *dice { "dice" } else { "plus" };
            format!("  {{ label = {label}, {key} = \"{sum}\", text = {label} }},\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_asked_as_a_noun() {
        for (label, asked) in [
            ("for each hit on the firer", "Hits on the firer"),
            ("per zombie in the room", "Zombies in the room"),
            ("Each stand lost", "Stands lost"),
            ("Each supporting rank (max +2)", "Supporting ranks"),
            ("For every 3 lost", "Number lost"),
            ("Per 10\" of range", "Inches of range"),
            ("per casualty this turn", "Casualties this turn"),
            ("per enemy base", "Enemy bases"),
            ("Supporting unit, each", "Supporting unit, each"),
        ] {
            assert_eq!(counted(label), asked, "{label}");
        }
    }
}
