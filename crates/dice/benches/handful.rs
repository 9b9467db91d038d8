#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! Measures the algebra of handfuls beside icepool (PyPI), in the same run, and compares every
//! fraction. Each call starts from the faces. icepool is looked for in `target/icepool/venv`
//! (`python3 -m venv target/icepool/venv && target/icepool/venv/bin/pip install icepool`), then in
//! the system's Python; without it, only our times are shown.

use adjutant_dice::Number;
use adjutant_dice::handful::{
    DiceKind, Die, DieFace, Distribution, Finished, Live, Over, Reroll, Rules, Score, distribution,
};
use num_bigint::BigUint;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// The best of several rounds, in nanoseconds per call.
fn measure(mut work: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        if start.elapsed().as_micros() > 500 {
            break;
        }
        calls *= 2;
    }
    let round = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..100).map(|_| round(&mut work)).fold(f64::INFINITY, f64::min)
}

fn handful(
    count: u32,
    faces: &[DieFace],
    rules: &Rules,
    live: &[Live],
    sums: impl Fn(&Finished) -> Vec<Number>,
) -> Distribution {
    let die = Die::new(faces, rules).unwrap();
    let score = |end: &Finished| Score { rank: end.value, sums: sums(end) };
    let scores: Vec<Score> = die.finished().iter().map(score).collect();
    distribution(&[DiceKind { count, die: &die, scores: &scores }], rules, live, false).unwrap()
}

fn yes(holds: bool) -> Number {
    Number::from(u32::from(holds))
}

const TWO_SUMS: [Live; 2] = [Live::Sum(0, Over::Kept), Live::Sum(1, Over::Kept)];

fn sixes_and_ones() -> Distribution {
    let rules =
        Rules { rerolls: vec![Reroll { at_most: Some(1), dice: None }], ..Rules::default() };
    let face = |n: u32| DieFace { rerolls: u32::from(n != 1 && n != 6), ..DieFace::number(n) };
    let faces: Vec<DieFace> = (1..=6).map(face).collect();
    handful(10, &faces, &rules, &TWO_SUMS, |end| {
        vec![yes(end.value == Number::from(6)), yes(end.value == Number::ONE)]
    })
}

fn exploding_keep() -> Distribution {
    let rules = Rules { explode_at_most: 3, keep_highest: Some(5), ..Rules::default() };
    let face = |n: u32| DieFace { explodes: n == 10, ..DieFace::number(n) };
    let faces: Vec<DieFace> = (1..=10).map(face).collect();
    handful(10, &faces, &rules, &TWO_SUMS[..1], |end| vec![end.value])
}

fn widest() -> Distribution {
    let faces: Vec<DieFace> = (1_u32..=10).map(DieFace::number).collect();
    handful(10, &faces, &Rules::default(), &[Live::Width, Live::Height], |_| Vec::new())
}

fn symbols() -> Distribution {
    // foot, foot, foot, wheels, shell, rout, blank, blank
    let faces: Vec<DieFace> = [0_u32, 0, 0, 1, 2, 3, 4, 4].map(DieFace::number).to_vec();
    handful(6, &faces, &Rules::default(), &TWO_SUMS, |end| {
        let word = end.value.as_whole();
        vec![yes(word == Some(0) || word == Some(2)), yes(word == Some(3))]
    })
}

/// The times of icepool in nanoseconds, with its distributions.
fn reference() -> Option<Vec<serde_json::Value>> {
    let folder = env!("CARGO_MANIFEST_DIR");
    let venv = format!("{folder}/../../target/icepool/venv/bin/python");
    for python in [venv.as_str(), "python3"] {
        let script = format!("{folder}/benches/reference.py");
        if let Ok(done) = Command::new(python).arg(script).output()
            && done.status.success()
        {
            let lines = String::from_utf8_lossy(&done.stdout).into_owned();
            return lines.lines().map(|line| serde_json::from_str(line).ok()).collect();
        }
    }
    None
}

fn same(ours: &Distribution, theirs: &serde_json::Value) -> bool {
    let big = |value: &serde_json::Value| value.as_str().unwrap().parse::<BigUint>().unwrap();
    let total = big(&theirs["total"]);
    let rows = theirs["rows"].as_array().unwrap();
    rows.len() == ours.outcomes.len()
        && rows.iter().all(|row| {
            let values: Vec<Number> = row[0]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| Number::whole(value.as_i64().unwrap()).unwrap())
                .collect();
            let known = ours.outcomes.iter().find(|outcome| outcome.values == values);
            known.is_some_and(|known| &known.ways * &total == big(&row[1]) * &ours.total)
        })
}

fn main() {
    type Work = (&'static str, &'static str, f64, fn() -> Distribution);
    let work: [Work; 4] = [
        ("D2", "10d6, all but 1s and 6s re-rolled once, (sixes, ones)", 50.0, sixes_and_ones),
        ("D3", "10d10 exploding 3 deep, best 5, sum", 20.0, exploding_keep),
        ("D4", "10d10, widest set, then highest", 50.0, widest),
        ("D5", "6 symbol dice, (hits, flags)", 50.0, symbols),
    ];
    let theirs = reference();
    if theirs.is_none() {
        println!("icepool is not installed: no ratios, and no fractions were compared");
    }
    println!("{:<60} {:>10} {:>10} {:>7}  fractions", "work", "ours", "icepool", "ratio");
    for (name, words, goal, work) in work {
        let ours = measure(|| {
            black_box(work());
        }) / 1000.0;
        let known = theirs.iter().flatten().find(|line| line["name"] == name);
        let Some(known) = known else {
            println!("{name} {words:<57} {ours:>7.1} µs");
            continue;
        };
        let other = known["ns"].as_f64().unwrap() / 1000.0;
        println!(
            "{name} {words:<57} {ours:>7.1} µs {other:>7.1} µs {:>6.0}×  {} (goal {goal}×: {})",
            other / ours,
            if same(&work(), known) { "identical" } else { "DIFFERENT" },
            if other / ours >= goal { "met" } else { "MISSED" },
        );
    }
}
