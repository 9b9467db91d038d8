//! `adjutant odds`: the exact chances of a chart, as bars, tables, pictures and JSON.

mod plot;
mod terminal_plot;
mod times;
mod vary;

use crate::args::{Odds, Setup};
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, NAME, RESULT, Table, in_style, paragraph};
use crate::setup::{self, ArgumentError};
use adjutant_api::{ChangedOdds, ModifierOdds, OddsData};
use adjutant_dice::Answer;
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, FirstChance, Follow, OddsError, OddsOptions, OddsReport,
    OutcomeChance, Situation, TooLarge, check_answers, in_sheet_order, percent_in_words,
};
use adjutant_pack::{Chart, Pack, PackOption};
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
    }
    let opened = shelf.open(&asked.setup.pack)?;
    let pack = &opened.pack;
    let (situation, question) = prepare(pack, &asked.setup, &asked.answer, asked.follow)?;
    if asked.vary.is_empty() {
        setup::refuse_unasked([check_answers(&situation, &question)])?;
    }
    let shown = if let Some(times) = asked.times {
        times::times(pack, &situation, &question, asked, times)
    } else if !asked.vary.is_empty() {
        vary::vary(shelf, pack, &situation, &question, asked)
    } else {
        match adjutant_engine::odds(&situation, &question) {
            Ok(report) if asked.modifiers => {
                Ok(modifiers(pack, &situation, &question, &report, asked.json))
            }
            Ok(report) if asked.plot.is_some() => plotted(pack, &situation, &report, asked),
            Ok(report) if asked.json => {
                Ok(crate::json::pretty(&OddsData::new(&situation, &report)))
            }
            Ok(report) => Ok(bars(pack, situation.chart(), &report)),
            Err(OddsError::TooLarge(large)) => Err(too_large(&large, shelf, asked)),
            Err(stop) => Err(sentences(situation.closed_by(), &stop)),
        }
    };
    Ok(CommandOutput::done(shown?))
}

/// The odds as a picture, and in words as they are without it.
fn plotted(
    pack: &Pack,
    situation: &Situation<'_>,
    report: &OddsReport,
    asked: &Odds,
) -> Result<String, Vec<String>> {
    let Some(path) = &asked.plot else { return Ok(String::new()) };
    let drawn =
        plot::write_one(path, pack, situation, report).map_err(|why| vec![format!("{why:#}")])?;
    if asked.json {
        return Ok(crate::json::pretty(&OddsData::new(situation, report)));
    }
    if !drawn.is_empty() {
        return Ok(drawn);
    }
    let told = bars(pack, situation.chart(), report);
    Ok(told + &in_style(DIM, format!("\nthe picture is in {}\n", path.display())))
}

/// How large the odds would be, and the command that samples them.
fn too_large(large: &TooLarge, shelf: &PackRegistry, asked: &Odds) -> Vec<String> {
    vec![format!("{}:\n  {}", adjutant_wording::en::too_large(large), sim_command(shelf, asked))]
}

/// The command that samples what was asked for, with all inputs.
fn sim_command(shelf: &PackRegistry, asked: &Odds) -> String {
    let setup = &asked.setup;
    let mut words = vec!["adjutant".to_owned(), "sim".to_owned(), setup.pack.clone()];
    words.extend(setup.chart.clone());
    words.extend(setup.given.inputs.iter().cloned());
    let mut add = |name: &str, values: &[String]| {
        for value in values {
            words.extend([name.to_owned(), value.clone()]);
        }
    };
    add("--option", &setup.given.option);
    add("--memory", &setup.given.memory);
    for (name, cards) in [("--gone", &setup.gone), ("--hand", &setup.hand)] {
        add(name, &cards.iter().map(|cards| cards.join(",")).collect::<Vec<_>>());
    }
    add("--answer", &asked.answer);
    if asked.follow {
        words.push("--follow".to_owned());
    }
    words.extend(shelf.arguments());
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The situation, and what goes beyond it.
pub fn prepare<'p>(
    pack: &'p Pack,
    setup: &Setup,
    answers: &[String],
    follow: bool,
) -> Result<(Situation<'p>, OddsOptions), Vec<String>> {
    let mut question = OddsOptions { follow: Follow::when(follow), ..OddsOptions::default() };
    let mut wrong = Vec::new();
    let later =
        |name: &str| follow && pack.charts().iter().any(|chart| chart.input(name).is_some());
    let situation = setup::prepare_with(pack, setup, |(name, value), refusal| match later(name) {
        true => question.later.push((name.to_owned(), value.to_owned())),
        false => wrong.push(refusal),
    })?;
    let mut reached = vec![situation.chart()];
    if follow {
        question.later.extend(
            setup
                .given
                .inputs
                .iter()
                .filter_map(|text| setup::pair(text).ok())
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        reached.extend(pack.charts());
    }
    match answers_of(pack, &situation.chart().title, &reached, answers) {
        Ok(taken) => question.answers = taken,
        Err(more) => wrong.extend(more),
    }
    if wrong.is_empty() { Ok((situation, question)) } else { Err(wrong) }
}

/// The answers to questions of these charts, or every sentence on what is wrong with them.
pub fn answers_of(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    answers: &[String],
) -> Result<Vec<(String, AnswerOdds)>, Vec<String>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for text in answers {
        match setup::question(pack, title, charts, text).and_then(|(q, answer)| {
            Ok((q.key, AnswerOdds::read(&q.accepts, answer).map_err(ArgumentError::AnswerOdds)?))
        }) {
            Ok(answer) => found.push(answer),
            Err(why) => wrong.push(why.to_string()),
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Why there are no odds, in sentences that say what to give.
pub fn sentences(closed_by: Option<&PackOption>, stop: &OddsError) -> Vec<String> {
    if let Some(option) = closed_by {
        return vec![format!(
            "{}: add --option {}=yes",
            adjutant_wording::en::odds_error(stop),
            option.field.id
        )];
    }
    match stop {
        OddsError::Needs(needs) => needs
            .iter()
            .map(|need| match &need.wanted {
                adjutant_dice::Wanted::Input { accepts } => {
                    format!(
                        "missing: {}={}  ({})",
                        need.key,
                        adjutant_wording::en::accepted(accepts),
                        need.what_for
                    )
                }
                _ => adjutant_wording::en::missing(need),
            })
            .collect(),
        OddsError::Open(question) => vec![format!(
            "{}: give --answer {}=…  accepted: {}",
            adjutant_wording::en::odds_error(stop),
            question.key,
            adjutant_wording::en::accepted(&question.accepts)
        )],
        other => vec![adjutant_wording::en::odds_error(other)],
    }
}

/// A result's name, with the chart and the unit where they are not plain.
pub fn name_of(pack: &Pack, chanced: &OutcomeChance) -> String {
    let chart = chanced
        .chart
        .as_ref()
        .and_then(|id| pack.chart(id))
        .map_or(String::new(), |chart| format!("{}: ", chart.title));
    let of = chanced.of.as_ref().map_or(String::new(), |of| format!("{of}: "));
    let on = chanced.on.as_ref().map_or(String::new(), |on| format!(" ({on})"));
    format!("{of}{chart}{}{on}", chanced.title)
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

fn bars(pack: &Pack, chart: &Chart, report: &OddsReport) -> String {
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
    let said: Vec<String> =
        answers.iter().map(|(key, answer)| format!("{key} = {answer}")).collect();
    format!("\n{}\n", in_style(NAME, format!("If {}", said.join(" and "))))
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
        row(&mut table, name_of(pack, chanced), &chanced.chance);
    }
    for (also, label) in spread.labelled_also() {
        let label = label.map_or(String::new(), |label| format!(" – {label}"));
        row(&mut table, format!("also: {}{label}", name_of(pack, also)), &also.chance);
    }
    let mut out = table.print();
    if spread.several_ends {
        out.push_str(&paragraph(2, DIM, SEVERAL_ENDS));
    }
    let several = spread.values.len() > 1 || spread.results.is_empty();
    if several && !spread.values.is_empty() {
        let mut table = Table::new(2);
        table.head(["value", "chance", "", "at least", "at most", "exactly"]);
        for (value, chance) in &spread.values {
            let ends = [percent(&spread.at_least(*value)), percent(&spread.at_most(*value))];
            table.row([
                (value.to_string(), HEAD),
                (percent(chance), HEAD),
                (bar(chance.percent(), 30), RESULT),
                (ends[0].clone(), Style::new()),
                (ends[1].clone(), Style::new()),
                (fraction(chance), DIM),
            ]);
        }
        out.push_str(&table.print());
        if let Some(mean) = spread.mean() {
            out.push_str(&format!(
                "  mean {} = {:.3}\n",
                in_style(HEAD, mean.exact()),
                mean.value()
            ));
        }
    }
    out
}

/// What each circumstance that does not hold would change.
fn modifiers(
    pack: &Pack,
    situation: &Situation<'_>,
    asked: &OddsOptions,
    report: &OddsReport,
    as_json: bool,
) -> String {
    let chart = situation.chart();
    let mut changes = Vec::new();
    for place in adjutant_engine::could_hold(situation) {
        let input = &chart.inputs[place];
        let mut other = situation.clone();
        if other.give(&input.name, "yes").is_err() {
            continue;
        }
        if let Ok(changed) = adjutant_engine::odds(&other, asked) {
            changes.push((input.name.clone(), input.field.label.clone(), changed));
        }
    }
    if as_json {
        let changed = changes.iter().map(|(input, label, odds)| ChangedOdds {
            input,
            label,
            odds: OddsData::new(situation, odds),
        });
        return crate::json::pretty(&ModifierOdds {
            now: OddsData::new(situation, report),
            changes: changed.collect(),
        });
    }
    let mut out = bars(pack, chart, report);
    out.push_str(&format!("\n{}\n", in_style(HEAD, "What would change")));
    let mut table = Table::new(2);
    for (_, label, changed) in &changes {
        let mut told = false;
        for chanced in in_sheet_order(pack, chart, &adjutant_engine::all_results([report, changed]))
        {
            let (before, after) = (report.chance_of(chanced), changed.chance_of(chanced));
            if before == after {
                continue;
            }
            let head = if told { String::new() } else { label.to_string() };
            told = true;
            table.row([
                (head, NAME),
                (name_of(pack, chanced), Style::new()),
                (format!("{} → {}", percent(&before), percent(&after)), HEAD),
            ]);
        }
        if !told {
            table.row([
                (label.to_string(), DIM),
                ("changes nothing here".to_owned(), DIM),
                (String::new(), DIM),
            ]);
        }
    }
    out.push_str(&table.print());
    out
}
