//! `adjutant odds --times`: several checks one after another. From one deck the cards drawn stay out; dice
//! are thrown anew each time. Shown is how often each result comes, and which combinations are likely.

use super::{branch_head, name_of, percent, sentences};
use crate::args::Odds;
use crate::paint::{DIM, HEAD, NAME, Table, in_style};
use adjutant_engine::{Chance, OddsError, OddsOptions, OutcomeChance, SeriesBranch, Situation};
use adjutant_pack::Pack;
use anstyle::Style;
use serde_json::{Value as Json, json};

/// How many combinations are shown in the terminal.
const SHOWN: usize = 8;
/// A fraction longer than this is for programs only.
const SHORT: usize = 24;
/// Up to how often a result is followed in the terminal.
const COLUMNS: u32 = 5;

/// A sentence, if something else is asked for that cannot be told of several checks.
pub fn clash(asked: &Odds) -> Option<String> {
    asked.times?;
    let others = [
        ("--vary", !asked.vary.is_empty()),
        ("--plot", asked.plot.is_some()),
        ("--modifiers", asked.modifiers),
        ("--follow", asked.follow),
    ];
    let (other, _) = others.into_iter().find(|(_, given)| *given)?;
    Some(format!("--times tells of several checks and {other} of one: give one of them"))
}

/// The odds of so many checks, as text or JSON.
pub fn times(pack: &Pack, situation: &Situation<'_>, question: &OddsOptions, asked: &Odds, times: u32) -> Result<String, Vec<String>> {
    let series = adjutant_engine::odds_of_series(situation, question, times).map_err(|stop| match stop {
        OddsError::TooLarge => vec![format!("--times {times} has too many combinations to list them all exactly: ask for fewer checks")],
        other => sentences(situation.closed_by(), &other),
    })?;
    let chart = situation.chart();
    if asked.json {
        let branches: Vec<Json> = series.branches.iter().map(|branch| branch_json(pack, situation, branch)).collect();
        let told = json!({ "pack": pack.id(), "chart": chart.id, "times": times, "branches": branches });
        return Ok(crate::json::pretty(&told));
    }
    let mut out = format!("{}  {}\n", in_style(HEAD, &chart.title), in_style(DIM, pack.title()));
    for branch in &series.branches {
        out.push_str(&branch_head(&branch.answers));
        out.push_str(&branch_text(pack, situation, branch));
    }
    Ok(out)
}

/// The results that can come, in the order of the sheet, each with its place in the combinations.
fn in_order(pack: &Pack, situation: &Situation<'_>, branch: &SeriesBranch) -> Vec<(usize, OutcomeChance)> {
    let mut sorted: Vec<(usize, OutcomeChance)> = branch.outcomes().into_iter().enumerate().collect();
    sorted.sort_by_cached_key(|(place, chanced)| {
        let value = branch.joint.outcomes().get(*place).and_then(|outcome| outcome.value);
        (adjutant_engine::sheet_place(pack, situation.chart(), chanced), value)
    });
    sorted.retain(|(_, chanced)| chanced.chance.exact() != "0");
    sorted
}

/// A mean as players read it.
fn mean(expected: &Chance) -> String {
    format!("{:.2}", expected.value())
}

fn branch_text(pack: &Pack, situation: &Situation<'_>, branch: &SeriesBranch) -> String {
    let (joint, results) = (&branch.joint, in_order(pack, situation, branch));
    let checks = if joint.times() == 1 { "1 check".to_owned() } else { format!("{} checks", joint.times()) };
    let how = if branch.one_deck { "from one deck: cards drawn stay out until they are shuffled in" } else { "each with luck of its own" };
    let mut out = format!("  {}\n\n", in_style(DIM, format!("{checks}, {how}")));
    let columns = joint.times().min(COLUMNS);
    let mut table = Table::new(2);
    let heads = ["result".to_owned(), "on average".to_owned(), "never".to_owned()];
    let often = (1..=columns).map(|n| if n == joint.times() { format!("{n} times") } else { format!("{n} or more") });
    table.head(heads.into_iter().chain(often).collect::<Vec<_>>().iter().map(String::as_str));
    for (place, chanced) in &results {
        let never = percent(&joint.exactly(*place, 0));
        let mut row = vec![(name_of(pack, chanced), Style::new()), (mean(&chanced.chance), HEAD), (never, Style::new())];
        row.extend((1..=columns).map(|n| (percent(&joint.at_least(*place, n)), Style::new())));
        table.row(row);
    }
    out.push_str(&table.print());
    out.push_str(&format!("\n  {}\n", in_style(NAME, "Most likely together")));
    let (mut table, likeliest) = (Table::new(2), branch.likeliest());
    for (list, chance) in likeliest.iter().take(SHOWN) {
        let parts = results.iter().filter(|(place, _)| list[*place] > 0);
        let told: Vec<String> = parts.map(|(place, chanced)| format!("{} × {}", list[*place], name_of(pack, chanced))).collect();
        let exact = Some(chance.exact()).filter(|exact| exact.len() <= SHORT).unwrap_or_default();
        table.row([(format!("{:>8}", percent(chance)), HEAD), (told.join(", "), Style::new()), (exact, DIM)]);
    }
    out.push_str(&table.print());
    if likeliest.len() > SHOWN {
        let text = format!("and {} more; --json has them all, with their fractions", likeliest.len() - SHOWN);
        out.push_str(&format!("  {}\n", in_style(DIM, text)));
    }
    out
}

/// One branch for programs. The counts of a combination stand in the order of the results.
fn branch_json(pack: &Pack, situation: &Situation<'_>, branch: &SeriesBranch) -> Json {
    let (joint, results) = (&branch.joint, in_order(pack, situation, branch));
    let answers: serde_json::Map<String, Json> = branch.answers.iter().map(|(key, answer)| (key.clone(), json!(answer))).collect();
    let result = |(place, chanced): &(usize, OutcomeChance)| {
        let often = |n: u32| json!({ "times": n, "chance": joint.exactly(*place, n), "at_least": joint.at_least(*place, n) });
        json!({
            "id": chanced.id,
            "title": chanced.title,
            "on": chanced.on,
            "expected": { "exact": chanced.chance.exact(), "number": chanced.chance.value() },
            "counts": (0..=joint.times()).map(often).collect::<Vec<Json>>(),
        })
    };
    let combination = |(list, chance): &(&[u32], Chance)| {
        let counts: Vec<u32> = results.iter().map(|(place, _)| list[*place]).collect();
        json!({ "counts": counts, "chance": chance })
    };
    json!({
        "answers": answers,
        "one_deck": branch.one_deck,
        "results": results.iter().map(result).collect::<Vec<Json>>(),
        "combinations": branch.likeliest().iter().map(combination).collect::<Vec<Json>>(),
    })
}
