//! `adjutant odds`: the exact chances of a chart, as bars, tables, pictures and JSON.

mod plot;
mod terminal_plot;
mod times;
mod vary;

use crate::args::Odds;
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, NAME, RESULT, Table, in_style, paragraph};
use crate::request::{Request, WhenLarge};
use crate::uses::without_effect;
use crate::work;
use adjutant_dice::{Answer, Number};
use adjutant_engine::{
    BranchChange, Chance, Distribution, FirstChance, OddsReport, Situation, Stop, UnfollowedChance,
    differences, in_sheet_order, percent_in_words,
};
use adjutant_pack::{Chart, Pack};
use adjutant_query::{ModifiersAnswer, OddsAnswer, outcome_name};
use adjutant_wording::en::numbers::short_fraction;
use anstyle::Style;

/// Said where more than one chart follows from a result.
const SEVERAL_ENDS: &str =
    "One roll can give several of these, so the chances need not add up to 100 %.";

const AGAINST_IS_FOR_DICE: &str =
    "--against is for dice notation: adjutant odds 2d6+1 --against 2d6";

pub fn odds(shelf: &PackRegistry, asked: &Odds) -> CommandResult {
    if let Some(wrong) = times::clash(asked) {
        return Err(CommandError::usage([wrong]));
    }
    if let Some(formula) = crate::notation::named(shelf, &asked.setup)? {
        return crate::notation::odds(&formula, asked);
    }
    if asked.against.is_some() {
        return Err(CommandError::usage([AGAINST_IS_FOR_DICE.to_owned()]));
    }
    if let Some(path) = &asked.plot {
        plot::check(path)?;
        let terminal = crate::atomic_file::is_standard_output(path);
        without_effect(
            "beside --plot -, which draws in the terminal: name a file for the picture",
            &[("--json", asked.json && terminal)],
        )?;
    }
    let opened = shelf.open(&asked.setup.pack)?;
    let pack = &opened.pack;
    let request = Request::of_chart(pack, &asked.setup, &asked.answer, asked.follow)?;
    let mut request = request.when_large(WhenLarge::Sample(shelf.arguments()));
    let over = request.axes(&asked.vary);
    let mut request = request.asking(asked.json, &over)?;
    let shown = if let Some(times) = asked.times {
        let mut request = request.when_large(WhenLarge::FewerChecks(times));
        times::times(&mut request, pack, times, asked.json)?
    } else if !asked.vary.is_empty() {
        let work = work::at_once();
        let grid = request.ask(|query| adjutant_query::vary(pack, query, &over, &work))?;
        vary::shown(&grid, asked)?
    } else if asked.modifiers {
        let answer =
            request.ask(|query| adjutant_query::modifiers(pack, query, Stop::default()))?;
        if asked.json { crate::json::pretty(&answer.data()) } else { modifiers(&answer) }
    } else {
        let answer = request.ask(|query| adjutant_query::odds(pack, query, Stop::default()))?;
        plain(&mut request, &answer, asked)?
    };
    Ok(CommandOutput::done(shown))
}

/// The odds in words, as JSON or as a picture.
fn plain(
    request: &mut Request<'_>,
    answer: &OddsAnswer<'_>,
    asked: &Odds,
) -> Result<String, CommandError> {
    let drawn = match &asked.plot {
        None => None,
        Some(path) => {
            let plot = request.ask(|_| Ok(answer.plot()?))?;
            Some((path, plot::write_one(path, &plot)?))
        }
    };
    if asked.json {
        return Ok(crate::json::pretty(&answer.data()));
    }
    let text = || bars(&answer.situation, &answer.report);
    Ok(match drawn {
        None => text(),
        Some((_, drawn)) if !drawn.is_empty() => drawn,
        Some((path, _)) => text() + &plot::written(path),
    })
}

/// A fraction short enough to read, or where to find it.
pub fn fraction(chance: &Chance) -> String {
    short_fraction(chance).unwrap_or_else(|| "(--json has the fraction)".to_owned())
}

/// A per cent as players read it.
pub fn percent(chance: &Chance) -> String {
    percent_in_words(chance.percent())
}

/// A bar of so many blocks, each of eight eighths.
pub fn bar(percent: f64, blocks: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (percent * blocks as f64 * 8.0 / 100.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

fn bars(situation: &Situation<'_>, report: &OddsReport) -> String {
    let (pack, chart) = (situation.pack(), situation.chart());
    let mut out = format!("{}  {}\n", in_style(HEAD, &chart.title), in_style(DIM, pack.title()));
    for branch in &report.branches {
        out.push_str(&branch_head(&branch.answers));
        out.push_str(&spread_text(pack, chart, &branch.spread));
        out.push_str(&first_text(&branch.first));
    }
    out
}

/// Who acts first, where scores order several units.
fn first_text(first: &[FirstChance]) -> String {
    let mut table = Table::new(2);
    for FirstChance { of, chance } in first {
        table.row([
            (adjutant_wording::en::acts_first(of.as_deref()), Style::new()),
            (format!("{:>8}", percent(chance)), HEAD),
            (format!("{:<30}", bar(chance.percent(), 30)), RESULT),
            (fraction(chance), DIM),
        ]);
    }
    if first.is_empty() { String::new() } else { format!("\n{}", table.print()) }
}

fn branch_head(answers: &[(String, Answer)]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    format!("\n{}\n", in_style(NAME, format!("If {}", in_words(answers))))
}

fn in_words(answers: &[(String, Answer)]) -> String {
    let words = answers.iter().map(|(key, answer)| format!("{key} = {answer}"));
    words.collect::<Vec<_>>().join(" and ")
}

fn spread_text(pack: &Pack, chart: &Chart, spread: &Distribution) -> String {
    let mut table = Table::new(2);
    let row = |table: &mut Table, name: String, chance: &Chance| {
        table.row([
            (name, Style::new()),
            (format!("{:>8}", percent(chance)), HEAD),
            (format!("{:<30}", bar(chance.percent(), 30)), RESULT),
            (fraction(chance), DIM),
        ]);
    };
    for chanced in in_sheet_order(pack, chart, &spread.results) {
        row(&mut table, outcome_name(pack, chanced), &chanced.chance);
    }
    for (also, label) in spread.labelled_also() {
        let label = label.map_or(String::new(), |label| format!(" – {label}"));
        row(&mut table, format!("also: {}{label}", outcome_name(pack, also)), &also.chance);
    }
    let mut out = table.print();
    if spread.several_ends {
        out.push_str(&paragraph(2, DIM, SEVERAL_ENDS));
    }
    let several = spread.values.len() > 1 || spread.results.is_empty();
    if !spread.numbers.is_empty() {
        for numbers in &spread.numbers {
            let title = pack.chart(&numbers.chart).map_or("", |chart| chart.title.as_str());
            out.push_str(&format!("  {}\n", in_style(NAME, title)));
            out.push_str(&values_text(&numbers.values));
        }
    } else if several && !spread.values.is_empty() {
        out.push_str(&values_text(&spread.values));
        if let Some(mean) = spread.mean() {
            out.push_str(&format!(
                "  mean {} = {:.3}\n",
                in_style(HEAD, mean.exact()),
                mean.value()
            ));
        }
    }
    let mut table = Table::new(2);
    for UnfollowedChance { what, chance } in &spread.unfollowed {
        row(&mut table, adjutant_wording::en::not_followed(what), chance);
    }
    if !spread.unfollowed.is_empty() {
        out.push_str(&table.print());
    }
    out
}

/// The numbers that a chart gives, each with its chance.
fn values_text(values: &[(Number, Chance)]) -> String {
    let mut table = Table::new(2);
    table.head(["value", "chance", "", "at least", "at most", "exactly"]);
    for (place, (value, chance)) in values.iter().enumerate() {
        let sum = |part: &[(Number, Chance)]| percent(&Chance::sum(part.iter().map(|one| &one.1)));
        table.row([
            (value.to_string(), HEAD),
            (percent(chance), HEAD),
            (bar(chance.percent(), 30), RESULT),
            (sum(&values[place..]), Style::new()),
            (sum(&values[..=place]), Style::new()),
            (fraction(chance), DIM),
        ]);
    }
    table.print()
}

/// The change that each circumstance that does not hold now would make.
fn modifiers(answer: &ModifiersAnswer<'_>) -> String {
    let ModifiersAnswer { situation, report, changes } = answer;
    let mut out = bars(situation, report);
    out.push_str(&format!("\n{}\n", in_style(HEAD, "What would change")));
    if changes.is_empty() {
        out.push_str("  Nothing: no yes-or-no input of the chart is open.\n");
    }
    let mut table = Table::new(2);
    for (input, changed) in changes {
        let mut label = input.field.label.to_string();
        let rows: Vec<(String, String)> = differences(situation, report, changed)
            .iter()
            .flat_map(|change| change_rows(situation.pack(), change))
            .collect();
        if rows.is_empty() {
            let nothing = "changes nothing here".to_owned();
            table.row([(label, DIM), (nothing, DIM), (String::new(), DIM)]);
            continue;
        }
        for (what, change) in rows {
            table.row([(std::mem::take(&mut label), NAME), (what, Style::new()), (change, HEAD)]);
        }
    }
    out.push_str(&table.print());
    out
}

/// The changes in one branch, each with its name.
fn change_rows(pack: &Pack, change: &BranchChange<'_>) -> Vec<(String, String)> {
    let moved =
        |before: &Chance, after: &Chance| format!("{} → {}", percent(before), percent(after));
    let mut rows: Vec<(String, String)> = Vec::new();
    for (result, before, after) in &change.results {
        rows.push((outcome_name(pack, result), moved(before, after)));
    }
    for (of, before, after) in &change.first {
        rows.push((adjutant_wording::en::acts_first(of.as_deref()), moved(before, after)));
    }
    if let Some([before, after]) = change.numbers {
        let (was, is) = (mean_in_words(before), mean_in_words(after));
        rows.push(("mean".to_owned(), format!("{was} → {is}")));
        if was == is {
            rows.push(("numbers".to_owned(), format!("{} → {}", ends(before), ends(after))));
        }
    }
    if !change.answers.is_empty() {
        let answers = in_words(change.answers);
        rows.iter_mut().for_each(|(what, _)| *what = format!("{what}, if {answers}"));
    }
    rows
}

/// The mean of the numbers: a whole one, else with three decimals.
fn mean_in_words(spread: &Distribution) -> String {
    match spread.mean() {
        None => "–".to_owned(),
        Some(mean) if !mean.exact().contains('/') => mean.exact(),
        Some(mean) => format!("{:.3}", mean.value()),
    }
}

/// The least and the greatest number.
fn ends(spread: &Distribution) -> String {
    match spread.values.as_slice() {
        [] => "–".to_owned(),
        [(only, _)] => only.to_string(),
        [(least, _), .., (most, _)] => format!("{least} to {most}"),
    }
}
