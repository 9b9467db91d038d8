//! `adjutant sim`: a chart or a fight sampled many times, and the counts beside the exact chances.
//! Ctrl-C ends it, and what was counted is shown.

use crate::args::{Setup, Sim};
use crate::error::{CommandError, CommandResult};
use crate::odds::fraction;
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::request::Request;
use crate::uses::without_effect;
use crate::work::{self, cores, rate};
use adjutant_api::Known;
use adjutant_engine::{Evidence, chi_square, wilson};
use adjutant_pack::Pack;
use adjutant_query::{Sampled, Subject, outcome_name, sample};
use adjutant_wording::en::numbers::grouped;
use anstyle::Style;

pub fn sim(shelf: &PackRegistry, asked: &Sim) -> CommandResult {
    let opened = shelf.open(&asked.pack)?;
    let pack = &opened.pack;
    let mut request = request(pack, asked)?.with_seed(asked.seed).asking(asked.json, &[])?;
    let work = work::long(asked.threads.map_or_else(cores, usize::from));
    let sampled = request.ask(|query| sample(pack, query, asked.samples, &work))?;
    let shown = if asked.json { crate::json::pretty(&sampled.data()) } else { as_text(&sampled) };
    Ok(CommandOutput::done(shown))
}

fn request<'p>(pack: &'p Pack, asked: &Sim) -> Result<Request<'p>, CommandError> {
    if pack.fight(&asked.what).is_some() {
        without_effect(
            "on a fight, which plays every chart that follows: name a chart",
            &[("--follow", asked.follow)],
        )?;
        without_effect(
            "on a fight, which begins with whole decks and empty hands: name a chart",
            &[("--gone", asked.gone.is_some()), ("--hand", asked.hand.is_some())],
        )?;
        return Ok(Request::of_fight(pack, &asked.what, &asked.given, &asked.answer)?);
    }
    if pack.chart(&asked.what).is_none() {
        return Err(CommandError::usage([crate::show::unknown(pack, &asked.what)]));
    }
    let setup = Setup {
        pack: asked.pack.clone(),
        chart: Some(asked.what.clone()),
        given: asked.given.clone(),
        gone: asked.gone.clone(),
        hand: asked.hand.clone(),
    };
    Ok(Request::of_chart(pack, &setup, &asked.answer, asked.follow)?)
}

/// The share of a count, and the shares between which the true one lies.
fn shares(count: u64, done: u64) -> (f64, f64, f64) {
    let (from, to) = wilson(count, done);
    (count as f64 / done.max(1) as f64, from, to)
}

fn as_text(sampled: &Sampled<'_>) -> String {
    let (pack, exact) = (sampled.pack, sampled.known != Known::No);
    let (Subject::Chart(_, title) | Subject::Fight(_, title)) = sampled.what;
    let mut out = format!("{}  {}\n", in_style(HEAD, title), in_style(DIM, pack.title()));
    // As many decimals as the number of samples bears: the interval shrinks with its root.
    let decimals = ((sampled.done.max(1) as f64).log10() / 2.0).ceil().clamp(1.0, 6.0) as usize;
    let percent = |share: f64| {
        format!("{:>w$} %", adjutant_engine::percent_to(share * 100.0, decimals), w = decimals + 4)
    };
    let widest = sampled.lines.iter().map(|line| grouped(line.count).len()).max().unwrap_or(0);
    let mut table = Table::new(2);
    let heads = ["outcome", "count", "share", "95 % from", "to", "exactly", ""];
    let columns = if exact { heads.len() } else { 5 };
    table.head(heads.into_iter().take(columns));
    for line in &sampled.lines {
        let (share, from, to) = shares(line.count, sampled.done);
        let cells = [
            (outcome_name(pack, &line.what), Style::new()),
            (format!("{:>widest$}", grouped(line.count)), Style::new()),
            (percent(share), HEAD),
            (percent(from), DIM),
            (percent(to), DIM),
            (
                format!(
                    "{:>w$} %",
                    adjutant_engine::percent_to(line.what.chance.percent(), decimals),
                    w = decimals + 4
                ),
                HEAD,
            ),
            (
                if sampled.known == Known::Near {
                    String::new()
                } else {
                    fraction(&line.what.chance)
                },
                DIM,
            ),
        ];
        table.row(cells.into_iter().take(columns));
    }
    out.push_str(&table.print());
    for what in &sampled.unfollowed {
        out.push_str(&format!("  {}\n", adjutant_wording::en::not_followed(what)));
    }
    if !sampled.means.is_empty() {
        out.push_str(&means(sampled, decimals));
    }
    out + &below(sampled)
}

/// Rounds and losses on average.
fn means(sampled: &Sampled<'_>, decimals: usize) -> String {
    let mut table = Table::new(2);
    table.head(
        ["on average", "counted", "95 % from", "to", "exactly"]
            .into_iter()
            .take(if sampled.known == Known::No { 4 } else { 5 }),
    );
    for line in &sampled.means {
        // None of them is below nothing, not even by the sign of a rounded 0.
        let number = |n: f64| format!("{:.decimals$}", n.max(0.0) + 0.0);
        let exact = line.exact.as_ref().map_or(String::new(), |exact| number(exact.value()));
        table.row([
            (line.title.clone(), Style::new()),
            (number(line.mean), HEAD),
            (number(line.mean - line.off), DIM),
            (number(line.mean + line.off), DIM),
            (exact, HEAD),
        ]);
    }
    table.print()
}

/// The number of samples, the time, and the distance from the exact chances.
fn below(sampled: &Sampled<'_>) -> String {
    let threads = if sampled.threads == 1 {
        "1 thread".to_owned()
    } else {
        format!("{} threads", sampled.threads)
    };
    let done = grouped(sampled.done);
    let mut out = format!(
        "  {done} samples with seed {}, {threads}: {}\n",
        sampled.seed,
        rate(sampled.done, sampled.took)
    );
    if sampled.done < sampled.asked {
        out.push_str(&format!(
            "  stopped before the end: {done} of {} were done\n",
            grouped(sampled.asked)
        ));
    }
    if sampled.known == Known::No {
        let what = if matches!(sampled.what, Subject::Chart(..)) { "chart" } else { "fight" };
        out.push_str(&format!(
            "  there are too many ways for exact chances: the {what} itself was played each time\n"
        ));
    } else if let Some(Evidence { chi_square, freedom }) = chi_square(&sampled.lines) {
        let degrees = if freedom == 1 { "degree" } else { "degrees" };
        out.push_str(&format!(
            "  chi-square {chi_square:.2} with {freedom} {degrees} of freedom\n"
        ));
    }
    out
}
