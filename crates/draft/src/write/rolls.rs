//! The rolls of a chart as steps, and the dice that a sheet leaves open.

use super::modifiers::modifiers;
use super::pen::Pen;
use super::rows::Reach;
use super::toml::{clip, quoted};
use crate::amount::Amount;
use crate::dice::{Dice, Test};
use crate::ids::{Style, slug};
use crate::link::{Chart, ChartRoll, ScoreTable};
use crate::model::{BandTable, GuessKind, Modifier};
use crate::num::Num;
use std::fmt::Write;

/// The rolls of a chart as steps: their names, and how far their totals reach.
pub(crate) fn rolls(chart: &Chart, extra: bool, pen: &mut Pen<'_>) -> Vec<(String, Reach)> {
    let mut made = Vec::new();
    let several = chart.rolls.len() > 1;
    for (place, roll) in chart.rolls.iter().take(2).enumerate() {
        let who = roll.line.who.clone().unwrap_or_default();
        let both = roll.line.both && several;
        let fallback = if several { ["first", "second"][place] } else { "die" };
        let name = if several && !both && !who.is_empty() {
            slug(&who, Style::Underscore, fallback)
        } else {
            fallback.to_owned()
        };
        let name =
            if name == fallback { name } else { pen.ids.take(name, None, Style::Underscore) };
        let title = if both { ["Our side", "Their side"][place].to_owned() } else { who.clone() };
        let prefix = if several { name.clone() } else { chart.id.replace('-', "_") };
        let reach = step(roll, &name, &title, &prefix, extra && place == 0, chart, pen);
        made.push((name, reach));
    }
    made
}

fn step(
    roll: &ChartRoll,
    name: &str,
    title: &str,
    prefix: &str,
    extra: bool,
    chart: &Chart,
    pen: &mut Pen<'_>,
) -> Reach {
    let guessed = roll.line.dice.or(chart.titled).unwrap_or(Dice {
        count: pool_size(chart),
        sides: 6,
        named: false,
    });
    if !guessed.named {
        pen.guess(
            GuessKind::Sides { count: guessed.count, sides: guessed.sides },
            roll.source,
            roll.at.clone(),
            "",
        );
    }
    let mut text = String::from("[[step]]\n");
    let one_by_one = roll.line.per.as_ref().filter(|_| reads_one_roll(chart, roll, guessed));
    if let Some(per) = one_by_one {
        let kind = GuessKind::OneByOne { per: per.clone() };
        pen.guess(kind, roll.source, roll.at.clone(), per);
    }
    let per = roll.line.per.as_ref().filter(|_| one_by_one.is_none());
    match per {
        Some(per) => {
            let count = pen.question(&super::modifiers::several(per), None, |label| {
                format!("number = {label}, from = 0, to = 40")
            });
            let _ = writeln!(text, "roll  = \"d{}\"\ncount = \"{count}\"", guessed.sides);
        }
        // Two dice, read as tens and ones.
        None if (guessed.count, guessed.sides) == (1, 66) => {
            let _ = writeln!(text, "roll  = \"d66\"");
        }
        None => {
            let _ = writeln!(text, "roll  = \"{}d{}\"", guessed.count, guessed.sides);
        }
    }
    let _ = writeln!(text, "as    = \"{name}\"");
    if !title.is_empty() {
        let _ = writeln!(text, "title = {}", quoted(&clip(&crate::capital(title), 100)));
    }
    if let Some(most) = roll.most {
        let _ = writeln!(text, "most  = {most}");
    }
    let pool = roll.line.test.is_some();
    let (on_each, on_roll): (Vec<Modifier>, Vec<Modifier>) =
        roll.modifiers.iter().cloned().partition(|modifier| pool && changes_each_die(modifier));
    let change = each_die(&on_each, prefix, chart, pen);
    write_test(roll, change.as_deref(), &mut text, pen);
    let mut reach: Reach = match (pool, per) {
        (true, None) => (Some(0), Some(guessed.count as i32)),
        (true, Some(_)) => (Some(0), Some(40)),
        (false, Some(_)) => (Some(0), Some(40 * guessed.sides as i32)),
        (false, None) if (guessed.count, guessed.sides) == (1, 66) => super::rows::TENS_AND_ONES,
        (false, None) => (Some(guessed.count as i32), Some((guessed.count * guessed.sides) as i32)),
    };
    let adds = modifiers(&on_roll, prefix, extra, pool, guessed.sides, &mut reach, chart, pen);
    if !adds.is_empty() {
        let _ = write!(text, "add   = [\n{adds}]\n");
    }
    pen.steps.push_str(&text);
    reach
}

/// In a pool, a modifier changes each die unless it changes the number of dice.
fn changes_each_die(modifier: &Modifier) -> bool {
    match modifier.amount {
        Amount::Plus(_) | Amount::Signed | Amount::Value { .. } => true,
        Amount::Each { dice, .. } => !dice,
        Amount::Times(_) | Amount::Dice(_) | Amount::Shift(_) => false,
    }
}

/// Writes the sum of the modifiers of each die as a step, and returns its name.
fn each_die(list: &[Modifier], prefix: &str, chart: &Chart, pen: &mut Pen<'_>) -> Option<String> {
    if list.is_empty() {
        return None;
    }
    let adds = modifiers(list, prefix, false, false, 6, &mut (None, None), chart, pen);
    let name = pen.ids.take("modifiers".to_owned(), Some(prefix), Style::Underscore);
    let _ = write!(
        pen.steps,
        "[[step]]\nwork_out = \"0\"\nas    = \"{name}\"\ntitle = \"Modifiers\"\nadd   = [\n{adds}]\n"
    );
    Some(name)
}

/// Tells if the table has rows for one roll of these dice, and no test comes before it.
fn reads_one_roll(chart: &Chart, roll: &ChartRoll, dice: Dice) -> bool {
    // Several dice for each of something are added up for each of them.
    if dice.count > 1 {
        return roll.line.test.is_none();
    }
    if chart.has_targets(true) {
        return true;
    }
    let ScoreTable::Bands(table) = &chart.reading else { return false };
    let mut ends = table.rows.iter().flat_map(|row| [row.band.low(), row.band.high()]).flatten();
    roll.line.test.is_none()
        && ends.all(|end| end.as_whole().is_some_and(|n| n >= 1 && n.unsigned_abs() <= dice.sides))
}

/// A test of the total: a single die, or a number that a single die cannot reach.
pub(crate) struct TotalTest {
    /// The chart without the test.
    pub chart: Chart,
    pub test: Test,
    /// It is made for each of these.
    pub per: Option<String>,
}

pub(crate) fn total_test(chart: &Chart) -> Option<TotalTest> {
    let [roll] = chart.rolls.as_slice() else { return None };
    let dice = roll.line.dice.or(chart.titled).unwrap_or(Dice {
        count: pool_size(chart),
        sides: 6,
        named: false,
    });
    if roll.modifiers.iter().any(|modifier| {
        matches!(modifier.amount, Amount::Dice(_) | Amount::Each { dice: true, .. })
    }) {
        return None;
    }
    let test = roll.line.test.clone()?;
    let beyond =
        matches!(&test, Test::AtLeast(n) | Test::AtMost(n) if *n > Num::whole(dice.sides as i32));
    // "2d6 for each observer, 8 or more": the total of two dice, once for each.
    let one_by_one = roll.line.per.is_some() && (beyond || (dice.count > 1 && dice.named));
    let summed = roll.line.total && roll.line.per.is_none();
    if !one_by_one && !summed && (roll.line.per.is_some() || (dice.count > 1 && !beyond)) {
        return None;
    }
    let mut plain = chart.clone();
    plain.rolls[0].line.test = None;
    let per = plain.rolls[0].line.per.take();
    Some(TotalTest { chart: plain, test, per })
}

/// The dice of a pool if the sheet does not say: the highest number of passes in the table.
fn pool_size(chart: &Chart) -> u32 {
    if let Some(count) = chart.count {
        return count;
    }
    let ScoreTable::Bands(table) = &chart.reading else { return 1 };
    let tested = chart.rolls.iter().any(|roll| roll.line.test.is_some());
    let most = table
        .rows
        .iter()
        .filter_map(|row| row.band.low())
        .filter_map(Num::as_whole)
        .max()
        .unwrap_or(1);
    if tested { most.clamp(1, 20) as u32 } else { 1 }
}

/// Writes the condition for each die of a pool. `change` is the name of the sum of its modifiers.
fn write_test(roll: &ChartRoll, change: Option<&str>, text: &mut String, pen: &mut Pen<'_>) {
    let Some(test) = &roll.line.test else { return };
    if change.is_some() {
        let kind = match test {
            Test::AtMostValue(_) => GuessKind::OnTheNumber,
            Test::AtLeast(_) | Test::AtMost(_) | Test::AtLeastValue(_) => GuessKind::OnTheDie,
        };
        pen.guess(kind, roll.source, roll.at.clone(), "");
    }
    let less = change.map(|name| format!(" - {name}")).unwrap_or_default();
    let more = change.map(|name| format!(" + {name}")).unwrap_or_default();
    let (key, value) = match test {
        Test::AtLeast(n) => ("pass_at_least", format!("{n}{less}")),
        Test::AtMost(n) => ("pass_at_most", format!("{n}{less}")),
        Test::AtMostValue(name) => ("pass_at_most", format!("{}{more}", value_question(name, pen))),
        Test::AtLeastValue(name) => {
            ("pass_at_least", format!("{}{less}", value_question(name, pen)))
        }
    };
    let _ = writeln!(text, "{key} = \"{value}\"\ncounted = \"passes\"");
}

/// Asks for a value that dice are compared with.
pub(crate) fn value_question(name: &str, pen: &mut Pen<'_>) -> String {
    pen.question(&crate::capital(name), None, |label| {
        format!("number = {label}, from = 1, to = 20")
    })
}

/// The chart with a roll, if the table shows that dice are rolled.
pub(crate) fn with_roll(chart: &Chart, table: &BandTable, pen: &mut Pen<'_>) -> Chart {
    let mut own = chart.clone();
    if !own.rolls.is_empty() {
        for roll in &mut own.rolls {
            if roll.line.dice.is_none() && roll.line.test.is_none() {
                let named = crate::dice::whole(&table.score).or(chart.titled);
                roll.line.dice = named.or_else(|| by_rows(table));
            }
            if roll.line.test.is_some() && roll.line.dice.is_none() {
                let count = pool_size(chart);
                pen.guess(GuessKind::PoolSize { count }, roll.source, roll.at.clone(), "");
                roll.line.dice = Some(Dice { count, sides: 6, named: true });
            }
        }
        return own;
    }
    if let Some(line) = crate::dice::roll_line(&table.score).filter(|line| line.test.is_some()) {
        own.rolls.push(ChartRoll::new(
            line,
            std::mem::take(&mut own.loose),
            chart.line,
            chart.at.clone(),
        ));
        return own;
    }
    let Some(dice) =
        chart.titled.or_else(|| of_head(&table.score)).or_else(|| unnamed(table, chart))
    else {
        return own;
    };
    let line = crate::dice::RollLine { dice: Some(dice), ..Default::default() };
    own.rolls.push(ChartRoll::new(
        line,
        std::mem::take(&mut own.loose),
        chart.line,
        chart.at.clone(),
    ));
    own
}

fn of_head(score: &str) -> Option<Dice> {
    let tokens = crate::token::tokens(score);
    if tokens.iter().any(|t| t.is_any(&["passed", "successes", "pass"])) {
        return None;
    }
    crate::dice::find(&tokens).map(|(dice, _, _)| dice).filter(|dice| dice.named)
}

/// Dice that the sheet does not name, by the scores of the table.
fn unnamed(table: &BandTable, chart: &Chart) -> Option<Dice> {
    let lower = table.score.to_lowercase();
    let rolled = ["roll", "die", "dice"].iter().any(|word| lower.contains(word));
    if !rolled && (chart.loose.is_empty() || !lower.is_empty() && !crate::score_head(&lower)) {
        return None;
    }
    if ["passed", "successes", "lose", "win", "differ"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    by_rows(table)
}

/// The dice that show all scores of a table.
fn by_rows(table: &BandTable) -> Option<Dice> {
    let low = table.rows.iter().filter_map(|row| row.band.low()).filter_map(Num::as_whole).min();
    let high = table
        .rows
        .iter()
        .filter_map(|row| row.band.high().or(row.band.low()))
        .filter_map(Num::as_whole)
        .max()?;
    let dice = |count, sides| Some(Dice { count, sides, named: false });
    match (low, high) {
        (Some(2), 11 | 12) => dice(2, 6),
        (Some(3), 17 | 18) => dice(3, 6),
        (Some(1) | None, 4) if low == Some(1) => dice(1, 4),
        (_, 8) if low == Some(1) => dice(1, 8),
        (_, 10) if low == Some(1) => dice(1, 10),
        (_, 12) if low == Some(1) => dice(1, 12),
        (_, 20) if low == Some(1) => dice(1, 20),
        (_, 96..=100) => dice(1, 100),
        _ => dice(1, 6),
    }
}

/// The reach of the total of the only roll, before anything is written.
pub(crate) fn dry_reach(chart: &Chart) -> Reach {
    let [roll] = chart.rolls.as_slice() else { return (None, None) };
    let dice = roll.line.dice.or(chart.titled).unwrap_or(Dice {
        count: pool_size(chart),
        sides: 6,
        named: false,
    });
    if roll.line.per.is_some() {
        return (Some(0), Some(40 * if roll.line.test.is_some() { 1 } else { dice.sides as i32 }));
    }
    let pool = roll.line.test.is_some();
    let mut reach: (i32, i32) = if pool {
        (0, dice.count as i32)
    } else {
        (dice.count as i32, (dice.count * dice.sides) as i32)
    };
    for modifier in &roll.modifiers {
        let by = match &modifier.amount {
            Amount::Plus(n) => n.as_whole().unwrap_or(1),
            Amount::Dice(n) if pool => *n,
            Amount::Dice(n) => n.saturating_mul(dice.sides as i32),
            Amount::Shift(_) => 0,
            // A factor below one takes from the total, one above adds to it.
            Amount::Times(n) if *n < Num::whole(1) && reach.0 >= 0 => {
                reach.0 = 0;
                0
            }
            Amount::Times(n) if reach.0 >= 0 => {
                let times = n.floor().max(1).saturating_add(i32::from(n.as_whole().is_none()));
                reach.1 = reach.1.saturating_mul(times);
                0
            }
            _ => return (None, None),
        };
        if by < 0 {
            reach.0 = reach.0.saturating_add(by)
        } else {
            reach.1 = reach.1.saturating_add(by)
        }
    }
    (Some(reach.0), Some(reach.1))
}
