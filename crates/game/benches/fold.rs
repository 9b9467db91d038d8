#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! How fast a long log opens and replays, and how much memory open games use. Machines are noisy,
//! so the CPU time is printed beside the wall-clock time. A missed target is reported. `-- EVENTS
//! ROUNDS PACK` makes the run shorter, for profiling.

use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, RandomInput, SourceError, ThrownBy,
};
use adjutant_game::{
    Begin, Event, EventKind, NewUnit, PlayRequest, Stamp, Table, Unit, UnitEdit, fingerprint,
    replay,
};
use adjutant_pack::Pack;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// The number at a place of the command line, or the default.
fn said(place: usize, otherwise: usize) -> usize {
    std::env::args().filter_map(|word| word.parse().ok()).nth(place).unwrap_or(otherwise)
}

/// The CPU time of this thread in seconds, if the system reports it.
fn busy() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split_whitespace().next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// The best of several rounds in seconds: wall-clock time and CPU time of this thread.
fn best(mut work: impl FnMut()) -> (f64, f64) {
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..said(1, 15) {
        let (start, before) = (Instant::now(), busy());
        work();
        best = (best.0.min(start.elapsed().as_secs_f64()), best.1.min(busy() - before));
    }
    best
}

fn row(work: &str, here: String, busy: String, goal: &str, met: bool) {
    println!(
        "{work:<62} {here:>18} {busy:>18}   {goal:<20} {}",
        if met { "met" } else { "MISSED" }
    );
}

fn shipped(id: &str) -> Arc<Pack> {
    Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
}

/// Random dice and cards; questions get the first possible answer.
struct Luck(RandomInput);

impl InputSource for Luck {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.0.dice(ask)
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.0.card(ask)
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        ask.accepts
            .words()
            .and_then(|words| words.first())
            .map_or_else(|| Err(ask.missing()), |word| Ok(Answer::Choice(word.id.clone())))
    }

    fn thrown_by(&self) -> ThrownBy {
        self.0.thrown_by()
    }
}

fn started(pack: &Arc<Pack>, options: &[(&str, &str)]) -> (Table, Stamp) {
    let mut table = Table::empty(pack.clone());
    let stamp = Stamp::new("2026-11-16T02:14:05Z", "Anna");
    let options =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let begin = Begin {
        name: "Long".into(),
        sides: vec!["Red".into(), "Blue".into()],
        options,
        ..Begin::default()
    };
    table.append(&table.begin(&stamp, begin).unwrap().text).unwrap();
    (table, stamp)
}

fn add(table: &mut Table, stamp: &Stamp, kind: &str, count: usize, has: &[(&str, &str)]) {
    let has: adjutant_game::Values =
        has.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let before = table.state().units.len();
    let one = |place: usize| NewUnit {
        kind: kind.into(),
        name: format!("{kind} {place}"),
        side: if place.is_multiple_of(2) { "Red".into() } else { "Blue".into() },
        group: format!("group {}", before + place % 4),
        has: has.clone(),
        ..NewUnit::default()
    };
    table
        .append(&table.act(stamp, EventKind::Add((0..count).map(one).collect())).unwrap().text)
        .unwrap();
}

/// Lifts all statuses of a unit by hand.
fn healed(pack: &Pack, unit: &Unit) -> EventKind {
    let lift = unit.statuses.iter().map(|status| pack.statuses()[*status].id.to_string());
    let (unit, lift) = (unit.id.clone(), lift.collect());
    EventKind::Set(Box::new(UnitEdit { unit, lift, ..UnitEdit::default() }))
}

/// A long Panzer8 game: fire, rally, edits by hand, phases.
fn panzer8(pack: &Arc<Pack>, events: usize) -> Table {
    let (mut table, stamp) = started(pack, &[]);
    add(
        &mut table,
        &stamp,
        "element",
        30,
        &[("type", "inf"), ("hesa", "5"), ("ap", "4"), ("def", "5")],
    );
    let mut luck = Luck(RandomInput::seeded(1));
    while table.lines().len() < events {
        let n = table.lines().len();
        let (a, b) = (format!("u{}", n % 30 + 1), format!("u{}", (n + 7) % 30 + 1));
        let line = match n % 10 {
            0 => table.next_phase(&stamp).unwrap(),
            1 => table
                .act(
                    &stamp,
                    EventKind::Set(Box::new(UnitEdit {
                        unit: a,
                        group: Some(format!("hex {}", n % 9)),
                        ..UnitEdit::default()
                    })),
                )
                .unwrap(),
            _ => {
                let play = match n % 10 {
                    2 | 3 => PlayRequest::of("rally").unit("element", a.clone()).given("lost", "4"),
                    _ => PlayRequest::of("fire")
                        .unit("firer", a.clone())
                        .unit("target", b.clone())
                        .given("ammo", "hesa")
                        .given("soft", "yes"),
                };
                // An element that is out may not play; it is healed by hand.
                table.play(&stamp, &play, &mut luck).unwrap_or_else(|_| {
                    let units = [a, b].into_iter().filter_map(|id| table.state().unit(&id));
                    let hurt = units.into_iter().find(|unit| !unit.statuses.is_empty()).unwrap();
                    table.act(&stamp, healed(pack, hurt)).unwrap()
                })
            }
        };
        table.append(&line.text).unwrap();
    }
    table
}

/// A long Chain Reaction game: shots and all the tests that follow from them.
fn chain_reaction(pack: &Arc<Pack>, events: usize) -> Table {
    let (mut table, stamp) = started(pack, &[("shooting", "yes")]);
    let mut luck = Luck(RandomInput::seeded(2));
    while table.lines().len() < events {
        let here: Vec<(String, usize)> =
            table.state().here().map(|unit| (unit.id.clone(), unit.side)).collect();
        if here.len() < 8 {
            add(&mut table, &stamp, "figure", 10, &[("rep", "4"), ("impact", "2")]);
            continue;
        }
        let target = |shooter: &str| {
            let side = here.iter().find(|(id, _)| id == shooter).map(|(_, side)| *side);
            here.iter().find(|(_, known)| Some(*known) != side).map(|(id, _)| id.clone())
        };
        let first = table.pending().next().cloned();
        let line = match first {
            Some(pending) => {
                let mut play = PlayRequest::pending(pending.due.id.clone());
                let shooter = pending.due.units.get("shooter").and_then(|units| units.first());
                if let Some(target) = shooter.and_then(|shooter| target(shooter)) {
                    play = play.unit("target", target);
                }
                let skip = EventKind::Skip {
                    pending: pending.due.id.clone(),
                    reason: "no one there".into(),
                };
                table
                    .play(&stamp, &play, &mut luck)
                    .unwrap_or_else(|_| table.act(&stamp, skip).unwrap())
            }
            // The next figure that may shoot; if none may, one is healed by hand.
            None => {
                let (after, first) = here.split_at(table.lines().len() % here.len());
                let shot = first.iter().chain(after).find_map(|(shooter, _)| {
                    let play = PlayRequest::of("shooting").unit("shooter", shooter.clone());
                    let play = play.unit("target", target(shooter)?);
                    table.play(&stamp, &play, &mut luck).ok()
                });
                let hurt = table.state().here().find(|unit| !unit.statuses.is_empty());
                match (shot, hurt.map(|unit| healed(pack, unit))) {
                    (Some(line), _) => line,
                    (None, Some(healed)) => table.act(&stamp, healed).unwrap(),
                    (None, None) => {
                        add(&mut table, &stamp, "figure", 10, &[("rep", "4"), ("impact", "2")]);
                        continue;
                    }
                }
            }
        };
        table.append(&line.text).unwrap();
    }
    table
}

/// The resident memory of this process, in bytes.
fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

fn main() {
    println!("{:<62} {:>18} {:>18}   {:<20}", "work", "here", "processor's time", "goal");
    type Make = fn(&Arc<Pack>, usize) -> Table;
    let ms = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    let games = [("panzer8", panzer8 as Make), ("chain-reaction", chain_reaction)];
    let named = |id: &str| std::env::args().any(|word| word == id);
    let all = !games.iter().any(|(id, _)| named(id));
    for (id, make) in games.into_iter().filter(|(id, _)| all || named(id)) {
        let pack = shipped(id);
        let table = make(&pack, said(0, 10_000));
        let lines: Vec<String> = table.lines().map(str::to_owned).collect();
        let bytes: usize = lines.iter().map(String::len).sum::<usize>() / lines.len();
        let open = best(|| drop(black_box(Table::open(pack.clone(), black_box(&lines)).unwrap())));
        let what = format!("{id}: {} events open, {bytes} bytes a line", lines.len());
        row(&what, ms(open.0), ms(open.1), "≤ 50 ms", open.0 <= 0.05);
        let bare = best(|| {
            for line in &lines {
                black_box((
                    serde_json::from_str::<Event>(black_box(line)).unwrap(),
                    fingerprint(line),
                ));
            }
        });
        let what =
            format!("   the same lines only read as JSON and hashed ({:.1} ×)", open.1 / bare.1);
        row(&what, ms(bare.0), ms(bare.1), "(reference)", true);
        let again = best(|| drop(black_box(replay(pack.clone(), black_box(&lines)).unwrap())));
        let (rate, alone) = (lines.len() as f64 / again.0, lines.len() as f64 / again.1);
        let what = format!("{id}: replay, every chart thrown again");
        row(
            &what,
            format!("{rate:.0} events/s"),
            format!("{alone:.0} events/s"),
            "≥ 200000 events/s",
            rate >= 200_000.0,
        );
        let mut back = table.clone();
        let stamp = Stamp::new("t", "Anna");
        let undo = best(|| {
            for _ in 0..50 {
                back.append(&back.undo(&stamp).unwrap().text).unwrap();
            }
            for _ in 0..50 {
                back.append(&back.redo(&stamp).unwrap().text).unwrap();
            }
        });
        let us = |seconds: f64| format!("{:.1} µs", seconds * 1e4);
        row(
            &format!("{id}: one undo or redo after {} events", lines.len()),
            us(undo.0),
            us(undo.1),
            "(no goal)",
            true,
        );
    }
    let pack = shipped("chain-reaction");
    let lines: Vec<String> = chain_reaction(&pack, 200).lines().map(str::to_owned).collect();
    if let Some(before) = resident() {
        let tables: Vec<Table> =
            (0..1000).map(|_| Table::open(pack.clone(), &lines).unwrap()).collect();
        let cost = resident().unwrap_or(before).saturating_sub(before) as f64 / 1e6;
        row(
            "1,000 open tables of 200 events, resident",
            format!("{cost:.1} MB"),
            String::new(),
            "≤ 200 MB",
            cost <= 200.0,
        );
        drop(black_box(tables));
    }
}
