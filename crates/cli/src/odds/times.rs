//! `adjutant odds --times`: several checks one after another. From one deck the cards drawn stay
//! out; dice are rolled again each time. Shown is how often each result comes, and which
//! combinations are likely.

use super::{branch_head, percent};
use crate::args::Odds;
use crate::paint::{DIM, HEAD, NAME, Table, in_style};
use crate::request::Request;
use adjutant_api::series_results;
use adjutant_engine::{Chance, SeriesBranch, Situation, Stop};
use adjutant_pack::Pack;
use adjutant_query::outcome_name;
use anstyle::Style;

/// The number of combinations that are shown in the terminal.
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
pub fn times(
    request: &mut Request<'_>,
    pack: &Pack,
    times: u32,
    json: bool,
) -> Result<String, Vec<String>> {
    let answer = request.ask(|query| adjutant_query::times(pack, query, times, Stop::default()))?;
    if json {
        return Ok(crate::json::pretty(&answer.data()));
    }
    let situation = &answer.situation;
    let title = in_style(HEAD, &situation.chart().title);
    let mut out = format!("{title}  {}\n", in_style(DIM, pack.title()));
    for branch in &answer.series.branches {
        out.push_str(&branch_head(&branch.answers));
        out.push_str(&branch_text(pack, situation, branch));
    }
    Ok(out)
}

/// A mean as players read it.
fn mean(expected: &Chance) -> String {
    format!("{:.2}", expected.value())
}

fn branch_text(pack: &Pack, situation: &Situation<'_>, branch: &SeriesBranch) -> String {
    let (joint, results) = (&branch.joint, series_results(situation, branch));
    let checks =
        if joint.times() == 1 { "1 check".to_owned() } else { format!("{} checks", joint.times()) };
    let how = if branch.one_deck {
        "from one deck: cards drawn stay out until they are shuffled in"
    } else {
        "each with luck of its own"
    };
    let mut out = format!("  {}\n\n", in_style(DIM, format!("{checks}, {how}")));
    let columns = joint.times().min(COLUMNS);
    let mut table = Table::new(2);
    let heads = ["result".to_owned(), "on average".to_owned(), "never".to_owned()];
    let often = (1..=columns)
        .map(|n| if n == joint.times() { format!("{n} times") } else { format!("{n} or more") });
    table.head(heads.into_iter().chain(often).collect::<Vec<_>>().iter().map(String::as_str));
    for (place, chanced) in &results {
        let never = percent(&joint.exactly(*place, 0));
        let mut row = vec![
            (outcome_name(pack, chanced), Style::new()),
            (mean(&chanced.chance), HEAD),
            (never, Style::new()),
        ];
        row.extend((1..=columns).map(|n| (percent(&joint.at_least(*place, n)), Style::new())));
        table.row(row);
    }
    out.push_str(&table.print());
    out.push_str(&format!("\n  {}\n", in_style(NAME, "Most likely together")));
    let (mut table, likeliest) = (Table::new(2), branch.likeliest());
    for (list, chance) in likeliest.iter().take(SHOWN) {
        let parts = results.iter().filter(|(place, _)| list[*place] > 0);
        let counts: Vec<String> = parts
            .map(|(place, chanced)| format!("{} × {}", list[*place], outcome_name(pack, chanced)))
            .collect();
        let exact = Some(chance.exact()).filter(|exact| exact.len() <= SHORT).unwrap_or_default();
        table.row([
            (format!("{:>8}", percent(chance)), HEAD),
            (counts.join(", "), Style::new()),
            (exact, DIM),
        ]);
    }
    out.push_str(&table.print());
    if likeliest.len() > SHOWN {
        let text = format!(
            "and {} more; --json has them all, with their fractions",
            likeliest.len() - SHOWN
        );
        out.push_str(&format!("  {}\n", in_style(DIM, text)));
    }
    out
}
