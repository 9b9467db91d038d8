#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! Measures odds and resolutions against hand-written Rust in the same run. Machines are noisy:
//! compare the ratios, not the times. A missed goal is reported.

use adjutant_dice::EnteredInput;
use adjutant_engine::{
    AnswerOdds, CardPlan, FightChain, FightSituation, OddsOptions, Plan, SampleRng, Sampler,
    Situation, Tally, odds, resolve,
};
use adjutant_pack::{Files, Pack, read_pack};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::Instant;

/// The best of several rounds, in nanoseconds per call.
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
    println!(
        "{work:<58} {ours:>10.1} ns  {hand:>10}  {ratio}  {goal:<22} {}",
        if met { "met" } else { "MISSED" }
    );
}

fn shipped(id: &str) -> Pack {
    read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
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

/// The pool contest by hand: binomial distributions with p = 1/2, then which side has more.
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

/// The probability that one side's attack in a melee does nothing, costs one step, or all, by the
/// steps of both sides.
fn attacks_by_hand(n: usize) -> Vec<Vec<[f64; 3]>> {
    let kill = |a: usize, d: usize| {
        let columns = [
            (1, 8),
            (1, 6),
            (1, 4),
            (1, 2),
            (1, 1),
            (3, 2),
            (2, 1),
            (3, 1),
            (4, 1),
            (6, 1),
            (8, 1),
            (10, 1),
        ];
        columns.iter().take_while(|(over, under)| a * under >= d * over).count()
            + usize::from(a > 10 * d)
    };
    // The number of the 36 rolls of two dice that are below a number, and the number equal to it.
    let ways = |kill: usize| {
        let equal = |n: usize| if (2..=12).contains(&n) { 6 - n.abs_diff(7) } else { 0 };
        let (below, equal) =
            ((2..kill).map(equal).sum::<usize>() as f64 / 36.0, equal(kill) as f64 / 36.0);
        [1.0 - below - equal, equal, below]
    };
    (0..=n).map(|i| (0..=n).map(|j| ways(kill(i, j.max(1)))).collect()).collect()
}

/// A melee to its end by hand, in floats, with n steps on each side: the probability that each side
/// is the last.
fn melee_by_hand(n: usize, attacks: &[Vec<[f64; 3]>]) -> [f64; 3] {
    let mut mass = vec![vec![0.0; n + 1]; n + 1];
    mass[n][n] = 1.0;
    let mut ends = [0.0; 3];
    for (i, j) in (1..=n).rev().flat_map(|i| (1..=n).rev().map(move |j| (i, j))) {
        let (ours, theirs) = (attacks[i][j], attacks[j][i]);
        let share = mass[i][j] / (1.0 - ours[0] * theirs[0]);
        for (x, y) in (0..3).flat_map(|x| (0..3).map(move |y| (x, y))).skip(1) {
            let left = |had: usize, lost: usize| if lost == 2 { 0 } else { had - lost };
            let (to, weight) = ((left(i, y), left(j, x)), share * ours[x] * theirs[y]);
            match to {
                (0, 0) => ends[2] += weight,
                (_, 0) => ends[0] += weight,
                (0, _) => ends[1] += weight,
                (i, j) => mass[i][j] += weight,
            }
        }
    }
    ends
}

fn melee(pack: &Pack, count: &str) -> FightChain {
    let mut fight = FightSituation::new(pack, "melee").unwrap();
    for side in ["attackers", "defenders"] {
        fight.give(side, count).unwrap();
        fight.give(&format!("{side}.type"), "half-squad").unwrap();
        fight.give(&format!("{side}.fp"), "2").unwrap();
    }
    FightChain::new(&fight).unwrap()
}

/// The number of samples in one measured call.
const SAMPLES: u64 = 1 << 20;

/// A fair d10 from half a word: multiply and shift, and draw again if the value would be biased.
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
step = [ { roll = "d6", count = "n", pass_at_most = 3, as = "a" }, { roll = "d6", count = "m", pass_at_most = 3, as = "b" } ]
read = { score = "a - b", rows = [ { to = -1, all = "second" }, { to = 0, all = "even" }, { all = "first" } ] }
"#;

/// The accuracy check by hand: the cards that end it, Jam cards drawn again, Shuffle cards left
/// out.
fn shot_by_hand(plain: [u64; 3], jams: u64, shuffles: u64, jam: (u64, u64)) -> ([u64; 4], u64) {
    let cards = plain.iter().sum::<u64>() + jams + shuffles;
    let (holds, of) = (jam.1 - jam.0, jam.1);
    let mut all = 1;
    for k in 0..=jams {
        all *= (cards - k) * of;
    }
    let (mut ways, mut back, mut reached) = ([0; 4], 0, all);
    for k in 0..=jams {
        let card = reached / (cards - k);
        for (ways, count) in ways.iter_mut().zip(plain) {
            *ways += card * count;
        }
        back += card * shuffles;
        ways[3] += card / of * (jams - k) * jam.0;
        reached = card / of * (jams - k) * holds;
    }
    (ways, all - back)
}

/// Several accuracy checks by hand: every relevant state of the deck and every list of results,
/// drawn card by card, with floats.
fn shots_by_hand(plain: [u32; 3], jams: u32, shuffles: u32, jam: f64, times: usize) -> Vec<f64> {
    // The index of a list: the counts of the first three results and the number of checks, in base
    // six.
    type Lists = Vec<f64>;
    let size = 6_usize.pow(4);
    let mut from_whole: Vec<Lists> = vec![vec![0.0; size]];
    from_whole[0][0] = 1.0;
    for m in 1..=times {
        let (mut found, mut back) = (vec![0.0; size], 0.0);
        let mut open = std::collections::BTreeMap::from([((0_usize, 0_u32, [0_u32; 4]), 1.0)]);
        while let Some(((made, gone, list), weight)) = open.pop_first() {
            let cards = f64::from(
                plain.iter().sum::<u32>() + jams + shuffles - list[..3].iter().sum::<u32>() - gone,
            );
            let place = |list: [u32; 4]| list.iter().fold(0, |place, n| place * 6 + *n as usize);
            let share = weight * f64::from(shuffles) / cards;
            match made {
                0 => back += share,
                _ => {
                    for (rest, w) in
                        from_whole[m - made].iter().enumerate().filter(|(_, w)| **w > 0.0)
                    {
                        found[rest + place(list)] += w * share;
                    }
                }
            }
            let mut end = |made: usize, gone: u32, list: [u32; 4], weight: f64| match made == m {
                true => found[place(list)] += weight,
                false => *open.entry((made, gone, list)).or_insert(0.0) += weight,
            };
            for result in 0..3 {
                let mut more = list;
                more[result] += 1;
                end(made + 1, gone, more, weight * f64::from(plain[result] - list[result]) / cards);
            }
            let jammed = weight * f64::from(jams - gone) / cards;
            if jammed > 0.0 {
                let mut more = list;
                more[3] += 1;
                end(made + 1, gone + 1, more, jammed * jam);
                end(made, gone + 1, list, jammed * (1.0 - jam));
            }
        }
        found.iter_mut().for_each(|weight| *weight /= 1.0 - back);
        from_whole.push(found);
    }
    from_whole.pop().unwrap_or_default()
}

/// A deck of the accuracy check by hand: results 0 to 2, Jam 3, Shuffle 4.
struct HandDeck {
    cards: Vec<u8>,
    left: u64,
}

impl HandDeck {
    fn shot(&mut self, luck: &mut SampleRng) -> usize {
        loop {
            if self.left == 0 {
                self.left = 60;
            }
            let place = luck.below(self.left) as usize;
            self.left -= 1;
            self.cards.swap(place, self.left as usize);
            match self.cards[self.left as usize] {
                4 => self.left = 60,
                3 if luck.below(6) > 0 => {}
                result => return result.into(),
            }
        }
    }
}

/// One check, several checks and samples of the accuracy check from the Action Deck.
fn cards() {
    let leader = shipped("combat-leader");
    let shot = situation(&leader, "accuracy", &[("mod_fp", "3")]);
    let jam = AnswerOdds::Weighed(vec![
        (adjutant_dice::Answer::YesNo(true), 1),
        (adjutant_dice::Answer::YesNo(false), 5),
    ]);
    let asked = OddsOptions { answers: vec![("jam".into(), jam)], ..OddsOptions::default() };
    let plan = CardPlan::new(&shot, &asked).expect("one card has a plan");
    let deck = &shot.decks[plan.deck()];
    // With three added, ranks 1 to 5 miss, 6 to 8 hit less one, 9 to 13 hit.
    let (plain, jams, shuffles) = ([20, 12, 20], 4, 4);
    let (ways, total) = plan.ways(deck).expect("small numbers");
    let (by_hand, of) = shot_by_hand(plain, jams, shuffles, (1, 6));
    assert!(
        ways.iter()
            .zip(by_hand)
            .all(|(ours, hand)| ours * u128::from(of) == u128::from(hand) * total),
        "the same odds"
    );
    let hand = measure(|| {
        black_box(shot_by_hand(
            black_box(plain),
            black_box(jams),
            black_box(shuffles),
            black_box((1, 6)),
        ));
    });
    let ours = measure(|| drop(black_box(plan.ways(black_box(deck)))));
    row(
        "W4a accuracy, full deck, Jam 1/6, Shuffle solved",
        ours,
        Some(hand),
        "≤ 1 µs",
        ours <= 1000.0,
    );
    let mut used = deck.clone();
    [3, 17, 23, 53, 57].into_iter().for_each(|card| used.take(card).unwrap());
    let ours = measure(|| drop(black_box(plan.ways(black_box(&used)))));
    row("   the same, five cards gone", ours, None, "(no goal)", true);
    let whole = measure(|| drop(black_box(odds(&shot, &asked))));
    row("   the same with folding the inputs, as fractions", whole, None, "(no goal)", true);

    let plain = plain.map(|count| count as u32);
    let joint = plan.joint(deck, 5).expect("five checks");
    let by_hand = shots_by_hand(plain, jams as u32, shuffles as u32, 1.0 / 6.0, 5);
    for (list, ways) in joint.ways() {
        let place = list.iter().fold(0, |place, n| place * 6 + *n as usize);
        assert!(
            (joint.chance(ways).percent() / 100.0 - by_hand[place]).abs() < 1e-12,
            "the same odds"
        );
    }
    let hand = measure(|| {
        black_box(shots_by_hand(
            black_box(plain),
            black_box(jams as u32),
            black_box(shuffles as u32),
            black_box(1.0 / 6.0),
            5,
        ));
    });
    let ours = measure(|| drop(black_box(plan.joint(black_box(deck), 5))));
    row(
        "W4b five accuracy checks from one deck, exactly",
        ours,
        Some(hand),
        "≤ 1.5 ms",
        ours <= 1_500_000.0,
    );

    let rows =
        [(0_u8, plain[0]), (1, plain[1]), (2, plain[2]), (3, jams as u32), (4, shuffles as u32)];
    let cards = rows.into_iter().flat_map(|(kind, count)| (0..count).map(move |_| kind)).collect();
    let (mut by_hand, mut luck) = (HandDeck { cards, left: 60 }, SampleRng::of_block(1, 0));
    let hand = measure(|| {
        black_box(by_hand.shot(&mut luck));
    });
    let mut live = plan.live(deck);
    let ours = measure(|| {
        black_box(live.sample(&mut luck));
    });
    row(
        "W5b one accuracy check from a live deck, sampled",
        ours,
        Some(hand),
        "≤ 20 ns",
        ours <= 20.0,
    );
}

fn fights() {
    let asl = shipped("asl-starter-kit");
    let chain = melee(&asl, "10");
    let exact = chain.solve().unwrap();
    let attacks = attacks_by_hand(10);
    let floats = melee_by_hand(10, &attacks);
    assert!(
        exact
            .ends
            .iter()
            .zip(floats)
            .all(|(end, float)| (end.chance.value() - float).abs() < 1e-12),
        "{floats:?}"
    );
    let hand = measure(|| {
        black_box(melee_by_hand(black_box(10), &attacks));
    });
    let ours = measure(|| drop(black_box(chain.ways())));
    row(
        "W6 melee to the end, 10 v 10 steps, exact; by hand in floats",
        ours,
        Some(hand),
        "≤ 4 × by hand",
        ours <= 4.0 * hand,
    );
}

fn sampling(fire: &Situation<'_>) {
    let each = |call: f64| call / SAMPLES as f64;
    let hand = each(measure(|| {
        black_box(sampled_by_hand(black_box(1), black_box(1), black_box(&[0, 2, 4])));
    }));
    let sampler = Sampler::new(fire, &OddsOptions::default()).unwrap();
    let sample = |sampler: &Sampler<'_>| {
        let mut tally = Tally::default();
        (0..sampler.blocks(SAMPLES))
            .for_each(|block| sampler.sample_block(1, block, SAMPLES, &mut tally).unwrap());
        black_box(tally);
    };
    let ours = each(measure(|| sample(&sampler)));
    row(
        "W5 sampling an opposed test to its result, one core",
        ours,
        Some(hand),
        "by hand; ≤ 2 ns",
        ours <= hand && ours <= 2.0,
    );
}

fn main() {
    println!("{:<58} {:>13}  {:>10}  {:>7}  {:<22}", "work", "here", "by hand", "ratio", "goal");
    let panzer8 = shipped("panzer8");
    let fire = situation(
        &panzer8,
        "fire",
        &[("ammo", "hesa"), ("firer.hesa", "6"), ("target.def", "4"), ("soft", "yes")],
    );
    let plan = Plan::new(&fire).expect("fire has a plan");
    let hand = measure(|| {
        black_box(by_hand(black_box(10), black_box(10), black_box(1), black_box(&[0, 2, 4])));
    });
    let ours = measure(|| drop(black_box(plan.ways())));
    row(
        "W1 opposed d10 test (Panzer8 fire), inputs folded in",
        ours,
        Some(hand),
        "≤ 3 × by hand",
        ours <= 3.0 * hand,
    );
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
        row(
            &format!("W2 pool contest, {n} and {n} d6, 1–3 succeed"),
            ours,
            Some(hand),
            "≤ 3 × by hand",
            ours <= limit * hand,
        );
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

    cards();

    fights();
    sampling(&fire);

    let mut resolution = fire.clone();
    let ours = measure(|| {
        drop(black_box(resolve(&mut resolution, &mut EnteredInput::new().with_dice([7, 3]))))
    });
    row("the full account of one resolution (Panzer8 fire)", ours, None, "≤ 2 µs", ours <= 2000.0);
}
