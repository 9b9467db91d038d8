#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! Measures exact odds of handfuls through the public API: a chart in a pack, with its inputs. In the
//! same run the same is counted by hand, and by icepool if the variable `ICEPOOL_PYTHON` names an
//! interpreter that has it. All fractions must be equal.

use adjutant_engine::{AnswerOdds, Chance, Follow, OddsOptions, Situation, odds};
use adjutant_pack::{Files, Pack, read_pack};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

type Counts = BTreeMap<i64, u128>;
type Fractions = BTreeMap<String, String>;

/// The best of many short rounds, in nanoseconds per call: on a busy machine few long ones run
/// without a break.
fn measure(mut work: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        if start.elapsed().as_millis() >= 2 {
            break;
        }
        calls *= 2;
    }
    let round = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..60).map(|_| round(&mut work)).fold(f64::INFINITY, f64::min)
}

fn pack(dice: &str, ask: &str, steps: &str, value: &str) -> Pack {
    let text = format!(
        "[pack]\nid = \"t\"\ntitle = \"T\"\n{dice}\n[chart.c]\ntitle = \"C\"\nask = {ask}\nstep = [{steps}]\nread = {{ value = \"{value}\" }}\n"
    );
    read_pack(&Files::of([("pack.toml", text)]), None).unwrap()
}

/// Sums of so many equal dice.
fn sums(die: &Counts, count: u32) -> Counts {
    let mut found = Counts::from([(0, 1)]);
    for _ in 0..count {
        let mut next = Counts::new();
        for (sum, ways) in &found {
            for (face, more) in die {
                *next.entry(sum + face).or_default() += ways * more;
            }
        }
        found = next;
    }
    found
}

/// 20 attacks: hit on 3 or more, wound on 4 or more, saved on 5 or more.
fn volley(twice: bool) -> Fractions {
    // In 216ths: a hit that must wound and be saved, once or twice, or that is only saved.
    let one = |hits: u32| {
        let wound = Counts::from([(1, 12), (0, 24)]);
        sums(&wound, hits)
    };
    let mut attack = Counts::new();
    for face in 1..=6 {
        let (hits, scale): (Counts, u128) = match (face, twice) {
            (1 | 2, _) => (Counts::from([(0, 1)]), 1296),
            (6, true) => (one(2), 1),
            (6, false) => (Counts::from([(1, 4), (0, 2)]), 216),
            _ => (one(1), 36),
        };
        for (hits, ways) in hits {
            *attack.entry(hits).or_default() += ways * scale;
        }
    }
    let shared = attack.values().fold(0, |a, b| num_integer::gcd(a, *b));
    attack.values_mut().for_each(|ways| *ways /= shared);
    fractions(&sums(&attack, 20))
}

fn pool() -> Fractions {
    fractions(&sums(&Counts::from([(100, 10), (1, 10), (0, 16)]), 10))
}

/// Ten exploding d10, three deep, the best five: from the highest value down.
fn keep() -> Fractions {
    let mut die = Counts::new();
    for deep in 0..=3_i64 {
        for face in 1..=10 {
            if face < 10 || deep == 3 {
                *die.entry(deep * 10 + face).or_default() += 10_u128.pow(3 - deep as u32);
            }
        }
    }
    let choose =
        |n: u32, k: u32| (0..k).fold(1_u128, |c, i| c * u128::from(n - i) / u128::from(i + 1));
    // Dice not yet placed and the sum of those kept.
    let mut now: BTreeMap<(u32, i64), BigUint> = BTreeMap::from([((10, 0), BigUint::from(1_u32))]);
    for (value, ways) in die.iter().rev() {
        let mut next = BTreeMap::new();
        for ((dice, sum), known) in now {
            for here in 0..=dice {
                let kept = here.min(5_u32.saturating_sub(10 - dice));
                let key = (dice - here, sum + value * i64::from(kept));
                let more = BigUint::from(*ways).pow(here) * choose(dice, here);
                *next.entry(key).or_default() += &known * more;
            }
        }
        now = next;
    }
    let total = BigUint::from(10_u32).pow(40);
    let done = now.into_iter().filter(|((dice, _), _)| *dice == 0);
    done.map(|((_, sum), ways)| (sum.to_string(), Chance::new(ways, total.clone()).exact()))
        .collect()
}

/// Ten d10: the size of the widest set and its highest face.
fn sets() -> Fractions {
    let choose =
        |n: u32, k: u32| (0..k).fold(1_u128, |c, i| c * u128::from(n - i) / u128::from(i + 1));
    let mut now: BTreeMap<(u32, u32, i64), u128> = BTreeMap::from([((10, 0, 0), 1)]);
    for face in 1..=10 {
        let mut next = BTreeMap::new();
        for ((dice, width, height), ways) in now {
            for here in 0..=dice {
                let better = here > 0 && here >= width;
                let (width, height) = if better { (here, face) } else { (width, height) };
                *next.entry((dice - here, width, height)).or_default() += ways * choose(dice, here);
            }
        }
        now = next;
    }
    let done = now.into_iter().filter(|((dice, ..), _)| *dice == 0);
    let name = |width: u32, height: i64| i64::from(width) * 100 + height;
    fractions(&done.map(|((_, width, height), ways)| (name(width, height), ways)).collect())
}

fn symbols() -> Fractions {
    fractions(&sums(&Counts::from([(1, 4), (10, 1), (0, 3)]), 6))
}

/// Each value with its fraction.
fn fractions(counts: &Counts) -> Fractions {
    let total: u128 = counts.values().sum();
    let exact = |ways: &u128| Chance::new(BigUint::from(*ways), BigUint::from(total)).exact();
    counts.iter().map(|(value, ways)| (value.to_string(), exact(ways))).collect()
}

fn ours(situation: &Situation<'_>) -> Fractions {
    let report = odds(situation, &OddsOptions::default()).unwrap();
    let values = report.branches[0].spread.values.iter();
    values.map(|(value, chance)| (value.to_string(), chance.exact())).collect()
}

/// Nanoseconds of icepool's first call and of a later one, for which it has kept the counts of the
/// dice, and its fractions.
type Icepool = BTreeMap<String, (f64, f64, Fractions)>;

fn icepool() -> Icepool {
    let Ok(python) = std::env::var("ICEPOOL_PYTHON") else { return BTreeMap::new() };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/handfuls.py");
    let run = std::process::Command::new(python).arg(script).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ');
        let (name, time) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
        let later = words.next()?.parse().ok()?;
        let pair = |pair: &str| {
            let (value, fraction) = pair.split_once(':')?;
            let (ways, of) = fraction.split_once('/')?;
            let chance = Chance::new(ways.parse().ok()?, of.parse().ok()?);
            Some((value.to_owned(), chance.exact()))
        };
        Some((name, (time, later, words.map(pair).collect::<Option<_>>()?)))
    };
    text.lines().filter_map(line).collect()
}

fn row(
    name: &str,
    what: &str,
    goal: f64,
    pack: &Pack,
    by_hand: fn() -> Fractions,
    others: &Icepool,
) {
    if !wanted(name) {
        return;
    }
    let mut situation = Situation::new(pack, "c").unwrap();
    for input in &pack.charts().iter().next().unwrap().inputs {
        if input.name == "n" {
            situation.give("n", if name.starts_with("D5") { "6" } else { "10" }).unwrap();
        }
    }
    let expected = by_hand();
    assert!(ours(&situation) == expected, "{name}: fractions differ");
    let here = measure(|| {
        black_box(odds(black_box(&situation), &OddsOptions::default()).unwrap());
    });
    let hand = measure(|| {
        black_box(by_hand());
    });
    let icepool = others.get(name).map_or("no icepool".to_owned(), |(time, later, found)| {
        assert!(found == &expected, "{name}: icepool differs");
        let against = |time: f64| {
            let times = time / here;
            let met = if times >= goal { "met" } else { "MISSED" };
            format!("{:>8.1} µs {times:>6.1}× {met}", time / 1000.0)
        };
        format!("icepool {}, kept {}, goal {goal}×", against(*time), against(*later))
    });
    println!(
        "{name:<4} {what:<52} {:>8.1} µs  by hand {:>7.1} µs {:>5.1}×  {icepool}",
        here / 1000.0,
        hand / 1000.0,
        here / hand,
    );
}

/// Odds that were refused before: each must be exact, and the time is shown.
fn refused_before() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let asked = |follow: bool| OddsOptions {
        answers: [("attacker_value", "2"), ("defender_value", "2")]
            .into_iter()
            .map(|(name, n)| {
                let n = n.parse().unwrap();
                (name.to_owned(), AnswerOdds::Always(adjutant_dice::Answer::Number(n)))
            })
            .chain([
                (
                    "jam".to_owned(),
                    AnswerOdds::Weighed(vec![
                        (adjutant_dice::Answer::YesNo(true), 1),
                        (adjutant_dice::Answer::YesNo(false), 5),
                    ]),
                ),
                (
                    "melee".to_owned(),
                    AnswerOdds::Always(adjutant_dice::Answer::Choice("undecided".into())),
                ),
                (
                    "casualty".to_owned(),
                    AnswerOdds::Always(adjutant_dice::Answer::Choice("killed".into())),
                ),
            ])
            .collect(),
        follow: Follow::when(follow),
        later: vec![("terrain".to_owned(), "clear".to_owned())],
        ..OddsOptions::default()
    };
    for (attackers, defenders) in [(1, 1), (3, 3), (7, 12), (9, 11), (12, 12)] {
        for chart in ["melee-jam", "melee"] {
            let mut situation = Situation::new(&pack, chart).unwrap();
            situation.give("attackers", &attackers.to_string()).unwrap();
            situation.give("defenders", &defenders.to_string()).unwrap();
            if chart == "melee" {
                situation.give("attacker_value", "3").unwrap();
                situation.give("defender_value", "2").unwrap();
            }
            let start = Instant::now();
            let found = odds(&situation, &asked(false));
            let took = start.elapsed();
            println!("{chart} {attackers} v {defenders}: {took:.1?}, {}", outcome(&found));
        }
    }
    let mut situation = Situation::new(&pack, "accuracy").unwrap();
    situation.give("mod_fp", "2").unwrap();
    situation.give("clear", "yes").unwrap();
    let start = Instant::now();
    let found = odds(&situation, &asked(true));
    println!("accuracy --follow: {:.1?}, {}", start.elapsed(), outcome(&found));
}

fn outcome(
    found: &Result<adjutant_engine::OddsReport, adjutant_engine::OddsError>,
) -> &'static str {
    if found.is_ok() { "exact" } else { "REFUSED" }
}

/// Whether a row is measured: `cargo bench --bench handfuls -- D3 D4` names some.
fn wanted(name: &str) -> bool {
    let mut named = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    named.peek().is_none() || named.any(|word| word == name)
}

fn main() {
    if wanted("refused") {
        refused_before();
    }
    let others = icepool();
    let n = r#"{ n = { number = "Dice", from = 0, to = 40 } }"#;
    let volley_steps = |hit: &str, save: &str| {
        format!(
            r#"{{ roll = "d6", count = 20, as = "hit", {hit} }},
               {{ roll = "d6", count = "hit.hits", as = "wound", pass_at_least = 4 }},
               {{ roll = "d6", count = "{save}", as = "through", each = "face < 5" }}"#
        )
    };
    let d1 = volley_steps(
        r#"tally = { hits = "face >= 3 and face < 6", sure = "face == 6" }"#,
        "wound + hit.sure",
    );
    let d1b =
        volley_steps(r#"tally = { hits = "if(face == 6, 2, if(face >= 3, 1, 0))" }"#, "wound");
    let attacks = r#"{ attacks = { number = "Attacks", from = 0, to = 40, default = 20 } }"#;
    let with = |steps: &str| steps.replace("count = 20", "count = \"attacks\"");
    row(
        "D1",
        "20 attacks, sixes pass straight",
        50.0,
        &pack("", attacks, &with(&d1), "through"),
        || volley(false),
        &others,
    );
    row(
        "D1b",
        "20 attacks, sixes count twice",
        50.0,
        &pack("", attacks, &with(&d1b), "through"),
        || volley(true),
        &others,
    );
    let d2 = r#"{ roll = "d6", count = "n", reroll = [{ when = "face > 1 and face < 6" }], tally = { sixes = "face == 6", ones = "face == 1" } }"#;
    row(
        "D2",
        "10 d6 pushed, (sixes, ones)",
        50.0,
        &pack("", n, d2, "100 * die.sixes + die.ones"),
        pool,
        &others,
    );
    let d3 = r#"{ roll = "d10", count = "n", explode = { when = "face == 10", at_most = 3 }, keep_highest = 5 }"#;
    row("D3", "10 exploding d10, best 5", 20.0, &pack("", n, d3, "die"), keep, &others);
    let d4 = r#"{ roll = "d10", count = "n" }"#;
    row(
        "D4",
        "10d10, widest set, then highest",
        50.0,
        &pack("", n, d4, "100 * die.width + die.height"),
        sets,
        &others,
    );
    let die = "[die.battle]\nfaces = [\"foot\", \"foot\", \"foot\", \"wheels\", \"shell\", \"rout\", \"blank\", \"blank\"]";
    let d5 = r#"{ roll = "battle", count = "n", tally = { hits = "face in ['shell', 'foot']" } }"#;
    row(
        "D5",
        "6 symbol dice, (hits, flags)",
        50.0,
        &pack(die, n, d5, "10 * die.rout + die.hits"),
        symbols,
        &others,
    );
}
