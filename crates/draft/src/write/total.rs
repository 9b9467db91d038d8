//! A chart without a table: the total of its rolls or modifiers is the answer.

use super::modifiers::{modifiers, of_chart};
use super::pen::Pen;
use super::rolls::{TotalTest, rolls, total_test, value_question};
use super::toml::{clip, quoted};
use crate::amount::Amount;
use crate::dice::Test;
use crate::ids::Style;
use crate::link::Chart;
use crate::model::GuessKind;
use crate::num::Num;
use std::fmt::Write;

/// Rolls or modifiers without a table: the total is the answer.
pub(crate) fn value_read(chart: &Chart, pen: &mut Pen<'_>) -> String {
    if let Some(test) = total_test(chart) {
        return test_read(&test, pen);
    }
    let made = rolls(chart, false, pen);
    // Rules for some faces and no table: nothing is said of the others.
    if let [(name, _)] = made.as_slice()
        && !chart.natural.is_empty()
    {
        let natural = super::rows::naturals(chart.natural.iter(), &[], false, name, pen);
        let missing = pen.results.id(super::rows::NOT_ON_SHEET);
        return format!(
            "score  = \"{name}\"\nrows   = [\n{natural}  {{ all = \"{missing}\" }},\n]\n"
        );
    }
    match made.as_slice() {
        [] if chart.loose.iter().any(|modifier| matches!(modifier.amount, Amount::Dice(_))) => {
            // Dice are added to a number of dice that the player knows.
            let mut reach = (Some(0), None);
            let count =
                pen.question("Dice", None, |label| format!("number = {label}, from = 0, to = 40"));
            let adds = of_chart(chart, true, &mut reach, pen);
            pen.guess(
                GuessKind::Sides { count: 1, sides: 6 },
                chart.line,
                chart.at.clone(),
                &chart.title,
            );
            let _ = write!(
                pen.steps,
                "[[step]]\nroll  = \"d6\"\ncount = \"{count}\"\nas    = \"die\"\nadd   = [\n{adds}]\n"
            );
            "value = \"die\"\n".into()
        }
        [] => {
            let mut reach = (Some(0), Some(0));
            let adds = of_chart(chart, false, &mut reach, pen);
            let _ = write!(
                pen.steps,
                "[[step]]\nwork_out = \"0\"\nas    = \"total\"\ntitle = \"Modifiers\"\nadd   = [\n{adds}]\n"
            );
            "value = \"total\"\n".into()
        }
        [(name, _)] => format!("value = \"{name}\"\n"),
        [(first, _), (second, _), ..] => {
            difference(chart, GuessKind::Difference, pen);
            format!("value = \"{first} - {second}\"\n")
        }
    }
}

/// A test of the total: two rows.
fn test_read(test: &TotalTest, pen: &mut Pen<'_>) -> String {
    let roll = &test.chart.rolls[0];
    if let Some(per) = &test.per {
        let kind = GuessKind::OneByOne { per: per.clone() };
        pen.guess(kind, roll.source, roll.at.clone(), per);
    }
    let dice = roll.line.dice.or(test.chart.titled);
    let each = |n: &Num| dice.is_some_and(|d| d.count > 1 && *n <= Num::whole(d.sides as i32));
    if matches!(&test.test, Test::AtLeast(n) | Test::AtMost(n) if each(n)) && test.per.is_none() {
        pen.guess(GuessKind::Total, roll.source, roll.at.clone(), "");
    }
    let whole = |n: &Num| n.as_whole().unwrap_or_else(|| n.floor());
    let (score, to, results) = match &test.test {
        Test::AtLeast(n) => ("die".to_owned(), whole(n).saturating_sub(1), ["Failure", "Success"]),
        Test::AtMost(n) => ("die".to_owned(), whole(n), ["Success", "Failure"]),
        Test::AtMostValue(name) => {
            let needed = needed(name, &test.chart, pen);
            (format!("die - {needed}"), 0, ["Success", "Failure"])
        }
        Test::AtLeastValue(name) => {
            (format!("die - {}", value_question(name, pen)), -1, ["Failure", "Success"])
        }
    };
    if matches!(test.test, Test::AtMostValue(_)) {
        let mut plain = test.chart.clone();
        plain.rolls[0].modifiers.clear();
        rolls(&plain, false, pen);
    } else {
        rolls(&test.chart, false, pen);
    }
    if !roll.modifiers.is_empty() {
        let value = matches!(test.test, Test::AtMostValue(_));
        let kind = if value { GuessKind::OnTheNumber } else { GuessKind::OnTheDie };
        pen.guess(kind, roll.source, roll.at.clone(), "");
    }
    let natural = super::rows::naturals(test.chart.natural.iter(), &[], false, "die", pen);
    let [first, last] = results.map(|text| pen.results.id(text));
    format!(
        "score  = \"{score}\"\nrows   = [\n{natural}  {{ to = {to}, all = \"{first}\" }},\n  {{ all = \"{last}\" }},\n]\n"
    )
}

/// The value that a die must not exceed, with the modifiers.
fn needed(name: &str, chart: &Chart, pen: &mut Pen<'_>) -> String {
    let value = value_question(name, pen);
    let list = &chart.rolls[0].modifiers;
    if list.is_empty() {
        return value;
    }
    let prefix = chart.id.replace('-', "_");
    let adds = modifiers(list, &prefix, false, false, 6, &mut (None, None), chart, pen);
    let needed = pen.ids.take("needed".to_owned(), Some(&prefix), Style::Underscore);
    let _ = write!(
        pen.steps,
        "[[step]]\nwork_out = \"{value}\"\nas    = \"{needed}\"\ntitle = {}\nadd   = [\n{adds}]\n",
        quoted(&clip(&crate::capital(name), 100))
    );
    needed
}

pub(crate) fn difference(chart: &Chart, kind: GuessKind, pen: &mut Pen<'_>) {
    if let Some(second) = chart.rolls.get(1) {
        pen.guess(kind, second.source, second.at.clone(), second.line.who.as_deref().unwrap_or(""));
    }
}
