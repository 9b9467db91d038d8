//! `adjutant sim`: a chart or a fight sampled many times, and the counts beside the exact chances.
//! The work is cut into blocks with luck of their own, so a seed means the same counts for any
//! number of threads. Ctrl-C lets each finish its block, and what was counted is shown.

use crate::args::{Setup, Sim};
use crate::error::{CommandResult, Said};
use crate::fight::{self, FightTally};
use crate::odds::{fraction, name_of, prepare, sentences};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::setup::refuse_unasked;
use crate::worker_pool::{self, Work, cores, rate};
use adjutant_api::{Known, SampleData, SampledMean, SampledMeans, SampledOutcome};
use adjutant_dice::{DiceRequest, InputSource, RandomInput};
use adjutant_engine::{
    Chance, Counted, Evidence, FightOdds, FightSituation, OddsError, OutcomeChance, Sampler, Tally,
    check_answers, chi_square, wilson,
};
use adjutant_pack::{Id, Pack};
use adjutant_wording::en::numbers::grouped;
use anstyle::Style;
use std::time::{Duration, Instant};

/// The id of a fight that goes on without end, among its ends.
const NEVER: &str = "never";

/// What was asked for, and what came of it.
struct Sampled<'p> {
    pack: &'p Pack,
    /// `chart` or `fight`, its id and its name.
    what: (&'static str, &'p str, &'p str),
    lines: Vec<Counted>,
    /// Of a fight: rounds, and what each side lost.
    means: Vec<MeanLine>,
    /// Whether the chances are known.
    exact: bool,
    /// Whether these are only as good as exact.
    near: bool,
    asked: u64,
    done: u64,
    seed: u64,
    threads: usize,
    took: Duration,
}

/// Something counted on average.
struct MeanLine {
    id: String,
    title: String,
    mean: f64,
    /// Half the width of its 95 % interval.
    off: f64,
    exact: Option<Chance>,
}

pub fn sim(shelf: &PackRegistry, asked: &Sim) -> CommandResult {
    let opened = shelf.open(&asked.pack)?;
    let pack = &opened.pack;
    let seed = asked.seed.map_or_else(new_seed, Ok)?;
    let threads = asked.threads.map_or_else(cores, usize::from);
    let sampled = if pack.fight(&asked.what).is_some() {
        sample_fight(pack, asked, seed, threads)?
    } else {
        sample_chart(pack, asked, seed, threads)?
    };
    Ok(CommandOutput::done(if asked.json { as_json(&sampled) } else { as_text(&sampled) }))
}

fn sample_chart<'p>(
    pack: &'p Pack,
    asked: &Sim,
    seed: u64,
    threads: usize,
) -> Result<Sampled<'p>, Vec<String>> {
    if pack.chart(&asked.what).is_none() {
        return Err(vec![crate::show::unknown(pack, &asked.what)]);
    }
    let setup = Setup {
        pack: asked.pack.clone(),
        chart: Some(asked.what.clone()),
        given: asked.given.clone(),
        gone: asked.gone.clone(),
        hand: asked.hand.clone(),
    };
    let (situation, question) = prepare(pack, &setup, &asked.answer, asked.follow)?;
    refuse_unasked([check_answers(&situation, &question)]).map_err(|why| vec![why.to_string()])?;
    let wrong = |stop: OddsError| sentences(situation.closed_by(), &stop);
    let sampler = Sampler::new(&situation, &question).map_err(wrong)?;
    let started = Instant::now();
    let mut tally = Tally::default();
    let hand = |work: &Work| {
        let mut own = Tally::default();
        while let Some(block) = work.next() {
            let before = own.samples();
            sampler.sample_block(seed, block, asked.samples, &mut own)?;
            work.did(own.samples() - before);
        }
        Ok(own)
    };
    worker_pool::run((sampler.blocks(asked.samples), asked.samples, threads, None), hand, |part| {
        tally.add(part)
    })
    .map_err(wrong)?;
    let chart = situation.chart();
    let mut lines = sampler.counted(&tally);
    lines.sort_by_cached_key(|line| adjutant_engine::sheet_place(pack, chart, &line.what));
    Ok(Sampled {
        pack,
        what: ("chart", &chart.id, &chart.title),
        lines,
        means: Vec::new(),
        exact: sampler.is_exact(),
        near: false,
        asked: asked.samples,
        done: tally.samples(),
        seed,
        threads,
        took: started.elapsed(),
    })
}

fn sample_fight<'p>(
    pack: &'p Pack,
    asked: &Sim,
    seed: u64,
    threads: usize,
) -> Result<Sampled<'p>, Vec<String>> {
    if asked.follow {
        return Err(vec!["a fight plays every chart that follows: leave out --follow".into()]);
    }
    if asked.gone.is_some() {
        return Err(vec!["a fight begins with whole decks: leave out --gone".into()]);
    }
    let situation = fight::prepare(pack, &asked.what, &asked.given, &asked.answer)?;
    refuse_unasked([situation.check_answers()]).map_err(|why| vec![why.to_string()])?;
    let wrong = |stop: OddsError| sentences(situation.closed_by(), &stop);
    let odds = fight::weigh_if_small(&situation).map_err(wrong)?;
    let started = Instant::now();
    let tally = fight::play(&situation, seed, (asked.samples, threads, fight::memory()), None)
        .map_err(wrong)?;
    let fight = situation.fight();
    Ok(Sampled {
        pack,
        what: ("fight", &fight.id, &fight.title),
        lines: fight_lines(&situation, odds.as_ref(), &tally),
        means: fight_means(&situation, odds.as_ref(), &tally),
        exact: odds.is_some(),
        near: odds.as_ref().is_some_and(|odds| !odds.exact),
        asked: asked.samples,
        done: tally.fights,
        seed,
        threads,
        took: started.elapsed(),
    })
}

/// How often each decision came, beside its chance.
fn fight_lines(
    situation: &FightSituation<'_>,
    odds: Option<&FightOdds>,
    tally: &FightTally,
) -> Vec<Counted> {
    let none = Chance::sum([]);
    let line = |id: String, title: String, chance: Chance, count: u64| Counted {
        what: OutcomeChance {
            chart: None,
            of: None,
            id: id.into(),
            title: title.into(),
            on: None,
            label: None,
            chance,
        },
        count,
    };
    let known = |id: &str| {
        odds.and_then(|odds| odds.ends.iter().find(|end| end.id == id))
            .map_or(none.clone(), |end| end.chance.clone())
    };
    let ends = situation.decisions().into_iter().enumerate().map(|(place, (id, title))| {
        let (chance, count) = (known(&id), tally.count(|end| end.decision == place));
        line(id, title, chance, count)
    });
    let never = odds.map_or(none.clone(), |odds| odds.never.clone());
    ends.chain([line(NEVER.into(), "Never decided".into(), never, tally.undecided)]).collect()
}

fn fight_means(
    situation: &FightSituation<'_>,
    odds: Option<&FightOdds>,
    tally: &FightTally,
) -> Vec<MeanLine> {
    let rounds = tally.rounds().map(|(mean, off)| MeanLine {
        id: "rounds".into(),
        title: "Rounds".into(),
        mean,
        off,
        exact: odds.and_then(|odds| odds.rounds.clone()),
    });
    let lost = situation.fight().sides.iter_enumerated().map(|(place, side)| {
        let (mean, off) = tally.lost(place, situation.count(place));
        let exact = odds.map(|odds| odds.sides[place.index()].lost.clone());
        MeanLine {
            id: side.id.clone(),
            title: format!("{}: lost of {}", side.title, situation.count(place)),
            mean,
            off,
            exact,
        }
    });
    rounds.into_iter().chain(lost).collect()
}

/// A seed that no one chose, of nine digits, so that a player can type it in again.
pub fn new_seed() -> anyhow::Result<u64> {
    let ask = DiceRequest::new("seed", "a seed", 9, 10);
    let digits = RandomInput::from_system().and_then(|mut luck| luck.dice(&ask)).said()?;
    Ok(digits.into_iter().fold(0, |seed, digit| seed * 10 + u64::from(digit % 10)))
}

/// How often of all, and between which shares the true one lies.
fn shares(count: u64, done: u64) -> (f64, f64, f64) {
    let (from, to) = wilson(count, done);
    (count as f64 / done.max(1) as f64, from, to)
}

fn as_text(sampled: &Sampled<'_>) -> String {
    let pack = sampled.pack;
    let mut out = format!("{}  {}\n", in_style(HEAD, sampled.what.2), in_style(DIM, pack.title()));
    // As many decimals as the number of samples bears: the interval shrinks with its root.
    let decimals = ((sampled.done.max(1) as f64).log10() / 2.0).ceil().clamp(1.0, 6.0) as usize;
    let percent = |share: f64| {
        format!("{:>w$} %", adjutant_engine::percent_to(share * 100.0, decimals), w = decimals + 4)
    };
    let widest = sampled.lines.iter().map(|line| grouped(line.count).len()).max().unwrap_or(0);
    let mut table = Table::new(2);
    let heads = ["outcome", "count", "share", "95 % from", "to", "exactly", ""];
    let columns = if sampled.exact { heads.len() } else { 5 };
    table.head(heads.into_iter().take(columns));
    for line in &sampled.lines {
        let (share, from, to) = shares(line.count, sampled.done);
        let cells = [
            (name_of(pack, &line.what), Style::new()),
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
            (if sampled.near { String::new() } else { fraction(&line.what.chance) }, DIM),
        ];
        table.row(cells.into_iter().take(columns));
    }
    out.push_str(&table.print());
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
            .take(if sampled.exact { 5 } else { 4 }),
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

/// How many, how quickly, and how far from the exact chances.
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
    if !sampled.exact {
        let what = sampled.what.0;
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

fn as_json(sampled: &Sampled<'_>) -> String {
    let known = match (sampled.exact, sampled.near) {
        (false, _) => Known::No,
        (true, true) => Known::Near,
        (true, false) => Known::Exact,
    };
    let (kind, id, _) = sampled.what;
    let mean = |line: &MeanLine| {
        (line.id.clone(), SampledMean::new(line.mean, line.off, line.exact.as_ref(), sampled.near))
    };
    let (rounds, lost): (Vec<_>, Vec<_>) =
        sampled.means.iter().map(mean).partition(|(id, _)| id == "rounds");
    crate::json::pretty(&SampleData {
        pack: sampled.pack.id(),
        chart: (kind == "chart").then_some(id),
        fight: (kind == "fight").then_some(id),
        asked: sampled.asked,
        samples: sampled.done,
        seed: sampled.seed,
        threads: sampled.threads,
        seconds: sampled.took.as_secs_f64(),
        exact: known == Known::Exact,
        outcomes: sampled
            .lines
            .iter()
            .map(|line| SampledOutcome::new(line, sampled.done, known))
            .collect(),
        chi_square: chi_square(&sampled.lines).filter(|_| sampled.exact).map(Into::into),
        means: (kind == "fight").then(|| SampledMeans {
            rounds: rounds.into_iter().next().map(|(_, mean)| mean),
            lost: lost.into_iter().collect(),
        }),
    })
}
