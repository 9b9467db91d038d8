//! `adjutant sim`: a chart sampled many times, and the counts beside the exact chances. Threads take the
//! blocks of the sampler one by one from a common number, so a seed means the same counts for any number
//! of them. Ctrl-C lets each finish its block, and what was counted is shown.

use crate::args::Sim;
use crate::odds::{fraction, name_of, prepare, sentences, sheet_place};
use crate::paint::{DIM, HEAD, Table, in_style};
use crate::shelf::Shelf;
use crate::verdict::Verdict;
use anstyle::Style;
use chance::{DiceAsk, Random, Seam};
use serde_json::json;
use sheet::{Chart, Pack};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use umpire::{Counted, Evidence, OddsStop, Sampler, Tally, chi_square, wilson};

/// How often the bar is drawn.
const BEAT: Duration = Duration::from_millis(100);

/// What was asked for, and what came of it.
struct Sampled {
    lines: Vec<Counted>,
    /// Whether the exact chances are known.
    exact: bool,
    asked: u64,
    done: u64,
    seed: u64,
    threads: usize,
    took: Duration,
}

pub fn sim(shelf: &Shelf, asked: &Sim) -> Verdict {
    let opened = match shelf.open(&asked.setup.pack) {
        Ok(opened) => opened,
        Err(verdict) => return verdict,
    };
    let pack = &opened.pack;
    let (situation, question) = match prepare(pack, &asked.setup, &asked.answer, false) {
        Ok(prepared) => prepared,
        Err(wrong) => return Verdict::wrong(&wrong),
    };
    let seed = match asked.seed.map_or_else(new_seed, Ok) {
        Ok(seed) => seed,
        Err(why) => return Verdict::wrong(&[why]),
    };
    let sampled = Sampler::new(&situation, &question).and_then(|sampler| {
        let threads = asked.threads.map_or_else(cores, usize::from);
        let begun = Instant::now();
        let tally = run(&sampler, seed, asked.samples, threads)?;
        let mut lines = sampler.counted(&tally);
        lines.sort_by_cached_key(|line| sheet_place(pack, situation.chart(), &line.what));
        let (exact, done) = (sampler.is_exact(), tally.samples());
        Ok(Sampled { lines, exact, asked: asked.samples, done, seed, threads, took: begun.elapsed() })
    });
    match sampled {
        Ok(sampled) if asked.json => Verdict::done(as_json(pack, situation.chart(), &sampled)),
        Ok(sampled) => Verdict::done(as_text(pack, situation.chart(), &sampled)),
        Err(stop) => Verdict::wrong(&sentences(&situation, &stop)),
    }
}

/// A seed that nobody chose, of nine digits, so that a player can type it in again.
fn new_seed() -> Result<u64, String> {
    let ask = DiceAsk { key: "seed", what_for: "a seed", count: 9, sides: 10 };
    let digits = Random::from_system().and_then(|mut luck| luck.throw(&ask)).map_err(|stop| stop.to_string())?;
    Ok(digits.into_iter().fold(0, |seed, digit| seed * 10 + u64::from(digit % 10)))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Takes all samples, or as many as there is time for until Ctrl-C.
fn run(sampler: &Sampler<'_>, seed: u64, samples: u64, threads: usize) -> Result<Tally, OddsStop> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // Where no handler can be set, Ctrl-C ends the program as it ends any other: nothing is lost but counts.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    let (next, done, blocks) = (AtomicU64::new(0), AtomicU64::new(0), sampler.blocks(samples));
    let work = || {
        let mut tally = Tally::default();
        while !stop.load(Ordering::Relaxed) {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                break;
            }
            let before = tally.samples();
            if let Err(fault) = sampler.sample_block(seed, block, samples, &mut tally) {
                stop.store(true, Ordering::Relaxed);
                return Err(fault);
            }
            done.fetch_add(tally.samples() - before, Ordering::Relaxed);
        }
        Ok(tally)
    };
    let mut bar = Bar::new(samples);
    std::thread::scope(|scope| {
        let (give, take) = channel();
        for _ in 0..threads {
            let give = give.clone();
            // The taker waits until every giver is gone, so it is always there to take.
            scope.spawn(move || give.send(work()));
        }
        drop(give);
        let mut whole = Ok(Tally::default());
        loop {
            match take.recv_timeout(BEAT) {
                Ok(Ok(part)) => whole = whole.map(|mut tally: Tally| (tally.add(part), tally).1),
                Ok(Err(fault)) => whole = Err(fault),
                Err(RecvTimeoutError::Timeout) => bar.draw(done.load(Ordering::Relaxed)),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        bar.clear();
        whole
    })
}

/// A line on standard error that says how far it is; only where somebody looks at it.
struct Bar {
    samples: u64,
    begun: Instant,
    seen: bool,
    drawn: bool,
}

impl Bar {
    fn new(samples: u64) -> Bar {
        Bar { samples, begun: Instant::now(), seen: std::io::stderr().is_terminal(), drawn: false }
    }

    fn draw(&mut self, done: u64) {
        if !self.seen {
            return;
        }
        self.drawn = true;
        let filled = (done as f64 / self.samples as f64 * 30.0) as usize;
        let (full, empty) = ("█".repeat(filled), "░".repeat(30 - filled.min(30)));
        let percent = done as f64 * 100.0 / self.samples as f64;
        // A terminal that takes no writing is no reason to stop counting.
        let _ = write!(anstream::stderr(), "\r{full}{empty} {percent:5.1} %  {}  (Ctrl-C stops) ", rate(done, self.begun.elapsed()));
    }

    fn clear(&self) {
        if self.drawn {
            let _ = write!(anstream::stderr(), "\r{}\r", " ".repeat(76));
        }
    }
}

/// Samples a second, as one reads it.
fn rate(done: u64, took: Duration) -> String {
    let a_second = done as f64 / took.as_secs_f64().max(1e-9);
    match a_second {
        r if r >= 1e6 => format!("{:.0} million a second", r / 1e6),
        r => format!("{} a second", grouped(r as u64)),
    }
}

/// `359 998 712`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(" ")
}

/// How often of all, and between which shares the true one lies.
fn shares(count: u64, done: u64) -> (f64, f64, f64) {
    let (from, to) = wilson(count, done);
    (count as f64 / done.max(1) as f64, from, to)
}

fn as_text(pack: &Pack, chart: &Chart, sampled: &Sampled) -> String {
    let mut out = format!("{}  {}\n", in_style(HEAD, &chart.title), in_style(DIM, &pack.title));
    // As many decimals as the number of samples bears: the interval shrinks with its root.
    let decimals = ((sampled.done.max(1) as f64).log10() / 2.0).ceil().clamp(1.0, 6.0) as usize;
    let percent = |share: f64| format!("{:>w$.decimals$} %", share * 100.0, w = decimals + 4);
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
            (percent(line.what.chance.percent() / 100.0), HEAD),
            (fraction(&line.what.chance), DIM),
        ];
        table.row(cells.into_iter().take(columns));
    }
    out.push_str(&table.print());
    out + &below(sampled)
}

/// How many, how quickly, and how far from the exact chances.
fn below(sampled: &Sampled) -> String {
    let threads = if sampled.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", sampled.threads) };
    let done = grouped(sampled.done);
    let mut out = format!("  {done} samples with seed {}, {threads}: {}\n", sampled.seed, rate(sampled.done, sampled.took));
    if sampled.done < sampled.asked {
        out.push_str(&format!("  stopped before the end: {done} of {} were done\n", grouped(sampled.asked)));
    }
    if !sampled.exact {
        out.push_str("  there are too many ways for exact chances: the chart itself was played each time\n");
    } else if let Some(Evidence { chi_square, freedom }) = chi_square(&sampled.lines) {
        let degrees = if freedom == 1 { "degree" } else { "degrees" };
        out.push_str(&format!("  chi-square {chi_square:.2} with {freedom} {degrees} of freedom\n"));
    }
    out
}

fn as_json(pack: &Pack, chart: &Chart, sampled: &Sampled) -> String {
    let line = |line: &Counted| {
        let (share, from, to) = shares(line.count, sampled.done);
        json!({
            "chart": line.what.chart, "id": line.what.id, "title": line.what.title, "on": line.what.on,
            "count": line.count, "share": share, "interval_95": [from, to],
            "chance": sampled.exact.then_some(&line.what.chance),
        })
    };
    let evidence = chi_square(&sampled.lines).filter(|_| sampled.exact);
    crate::json::pretty(&json!({
        "pack": pack.id,
        "chart": chart.id,
        "asked": sampled.asked,
        "samples": sampled.done,
        "seed": sampled.seed,
        "threads": sampled.threads,
        "seconds": sampled.took.as_secs_f64(),
        "exact": sampled.exact,
        "outcomes": sampled.lines.iter().map(line).collect::<Vec<_>>(),
        "chi_square": evidence.map(|evidence| json!({ "value": evidence.chi_square, "freedom": evidence.freedom })),
    }))
}
