#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! How fast odds and accounts are, beside hand-written Rust in the same run. Machines are noisy: hold the
//! ratios, not the times. A goal that is missed is said so.

use chance::Typed;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use sheet::{Files, Pack, read_pack};
use std::hint::black_box;
use std::time::Instant;
use umpire::{AnswerOdds, Asked, Plan, Sampler, Situation, Tally, odds, resolve};

/// The best of several rounds, in nanoseconds a call.
fn measure(mut work: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        if start.elapsed().as_millis() > 20 {
            break;
        }
        calls *= 2;
    }
    let round = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..7).map(|_| round(&mut work)).fold(f64::INFINITY, f64::min)
}

fn row(work: &str, ours: f64, hand: Option<f64>, goal: &str, met: bool) {
    let ratio = hand.map_or("      –".to_owned(), |hand| format!("{:>6.1}×", ours / hand));
    let hand = hand.map_or("–".to_owned(), |hand| format!("{hand:.1} ns"));
    println!("{work:<58} {ours:>10.1} ns  {hand:>10}  {ratio}  {goal:<22} {}", if met { "met" } else { "MISSED" });
}

fn shipped(id: &str) -> Pack {
    read_pack(&packs::files(id).unwrap(), None).unwrap()
}

fn situation<'p>(pack: &'p Pack, chart: &str, given: &[(&str, &str)]) -> Situation<'p> {
    let mut situation = Situation::new(pack, chart).unwrap();
    for (name, value) in given {
        situation.give(name, value).unwrap();
    }
    situation
}

/// The opposed test by hand, for any two dice, sums and bands.
fn by_hand(first: u32, second: u32, plus: i32, ends: &[i32]) -> [u32; 4] {
    let mut ways = [0; 4];
    for a in 1..=first as i32 {
        for b in 1..=second as i32 {
            let score = a + plus - b;
            let band = ends.iter().position(|end| score <= *end).unwrap_or(ends.len());
            ways[band.min(3)] += 1;
        }
    }
    ways
}

/// The pool contest by hand: binomials over halves, then who has more.
fn pools_by_hand(n: usize, m: usize) -> [u128; 3] {
    let row = |n: usize| {
        let mut row = vec![1_u128; n + 1];
        for k in 1..=n {
            row[k] = row[k - 1] * (n - k + 1) as u128 / k as u128;
        }
        row
    };
    let (a, b) = (row(n), row(m));
    let mut ways = [0; 3];
    for (x, v) in a.iter().enumerate() {
        for (y, w) in b.iter().enumerate() {
            ways[match x.cmp(&y) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            }] += v * w;
        }
    }
    ways
}

/// How many samples one measured call takes.
const SAMPLES: u64 = 1 << 20;

/// A fair d10 from half a word: multiply and shift, and throw again where that would be unfair.
fn d10(half: &mut impl FnMut() -> u32) -> i32 {
    loop {
        let wide = u64::from(half()) * 10;
        if wide as u32 >= 6 {
            return (wide >> 32) as i32 + 1;
        }
    }
}

/// Many opposed tests by hand: two d10, the sum, the bands.
fn sampled_by_hand(seed: u64, plus: i32, ends: &[i32; 3]) -> [u64; 4] {
    let mut words = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut kept = None;
    let mut half = || match kept.take() {
        Some(half) => half,
        None => {
            let word = words.next_u64();
            kept = Some((word >> 32) as u32);
            word as u32
        }
    };
    let mut counts = [0; 4];
    for _ in 0..SAMPLES {
        let score = d10(&mut half) + plus - d10(&mut half);
        counts[ends.iter().map(|end| usize::from(score > *end)).sum::<usize>()] += 1;
    }
    counts
}

const POOLS: &str = r#"
[pack]
id = "pools"
title = "Pools"
[result]
first = { title = "First" }
second = { title = "Second" }
even = { title = "Even" }
[chart.contest]
title = "Contest"
ask = { n = { number = "Dice", from = 1, to = 60 }, m = { number = "Dice against", from = 1, to = 60 } }
step = [ { throw = "d6", count = "n", pass_at_most = 3, as = "a" }, { throw = "d6", count = "m", pass_at_most = 3, as = "b" } ]
read = { score = "a - b", rows = [ { to = -1, all = "second" }, { to = 0, all = "even" }, { all = "first" } ] }
"#;

fn main() {
    println!("{:<58} {:>13}  {:>10}  {:>7}  {:<22}", "work", "here", "by hand", "ratio", "goal");
    let panzer8 = shipped("panzer8");
    let fire = situation(&panzer8, "fire", &[("ammo", "hesa"), ("firer.hesa", "6"), ("target.def", "4"), ("soft", "yes")]);
    let plan = Plan::new(&fire).expect("fire has a plan");
    let hand = measure(|| {
        black_box(by_hand(black_box(10), black_box(10), black_box(1), black_box(&[0, 2, 4])));
    });
    let ours = measure(|| drop(black_box(plan.ways())));
    row("W1 opposed d10 test (Panzer8 fire), inputs folded in", ours, Some(hand), "≤ 3 × by hand", ours <= 3.0 * hand);
    let whole = measure(|| drop(black_box(Plan::new(&fire).map(|plan| plan.ways()))));
    row("   the same with folding the inputs", whole, Some(hand), "(no goal)", true);

    let pools = read_pack(&Files::of([("pack.toml", POOLS)]), None).unwrap();
    for (n, limit) in [("12", 3.0), ("50", 3.0)] {
        let contest = situation(&pools, "contest", &[("n", n), ("m", n)]);
        let plan = Plan::new(&contest).expect("a contest has a plan");
        let size: usize = n.parse().unwrap();
        assert_eq!(plan.ways().0.iter().sum::<u128>(), plan.ways().1);
        let hand = measure(|| {
            black_box(pools_by_hand(black_box(size), black_box(size)));
        });
        let ours = measure(|| drop(black_box(plan.ways())));
        row(&format!("W2 pool contest, {n} and {n} d6, 1–3 succeed"), ours, Some(hand), "≤ 3 × by hand", ours <= limit * hand);
    }

    let chain = shipped("chain-reaction");
    let pass = situation(&chain, "pef-move", &[]);
    let plan = Plan::new(&pass).expect("2d6 against Rep has a plan");
    let ours = measure(|| drop(black_box(plan.ways())));
    row("W3 2d6 against Rep (PEF movement)", ours, None, "≤ 100 ns", ours <= 100.0);
    let mut lowest = situation(&chain, "pef-resolve", &[]);
    lowest.set_memory("something", "yes").unwrap();
    let plan = Plan::new(&lowest).expect("3d6 keeping two has a plan");
    let ours = measure(|| drop(black_box(plan.ways())));
    row("W3 3d6 keeping the lowest two (PEF resolution)", ours, None, "≤ 100 ns", ours <= 100.0);

    let leader = shipped("combat-leader");
    let shot = situation(&leader, "accuracy", &[("mod_fp", "3")]);
    let jam = AnswerOdds::Weighed(vec![(chance::Answer::YesNo(true), 1), (chance::Answer::YesNo(false), 5)]);
    let asked = Asked { answers: vec![("jam".into(), jam)], ..Asked::default() };
    let ours = measure(|| drop(black_box(odds(&shot, &asked))));
    row("W4a accuracy, full deck, Jam 1/6, Shuffle solved", ours, None, "≤ 1 µs", ours <= 1000.0);

    let each = |call: f64| call / SAMPLES as f64;
    let hand = each(measure(|| {
        black_box(sampled_by_hand(black_box(1), black_box(1), black_box(&[0, 2, 4])));
    }));
    let sampler = Sampler::new(&fire, &Asked::default()).unwrap();
    let sample = |sampler: &Sampler<'_>| {
        let mut tally = Tally::default();
        (0..sampler.blocks(SAMPLES)).for_each(|block| sampler.sample_block(1, block, SAMPLES, &mut tally).unwrap());
        black_box(tally);
    };
    let ours = each(measure(|| sample(&sampler)));
    row("W5 sampling an opposed test to its result, one core", ours, Some(hand), "by hand; ≤ 2 ns", ours <= hand && ours <= 2.0);
    let deck = Sampler::new(&shot, &asked).unwrap();
    let ours = each(measure(|| sample(&deck)));
    row("W5 sampling the accuracy check with its redraws, one core", ours, None, "≤ 2 ns", ours <= 2.0);

    let mut account = fire.clone();
    let ours = measure(|| drop(black_box(resolve(&mut account, &mut Typed::new().with_dice([7, 3])))));
    row("the full account of one resolution (Panzer8 fire)", ours, None, "≤ 2 µs", ours <= 2000.0);
}
