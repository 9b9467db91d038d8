#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sampling agrees with the exact odds, and a seed gives the same counts for any number of threads.

use adjutant_dice::Answer;
use adjutant_engine::{
    AnswerOdds, Follow, OddsError, OddsOptions, PlayedSampler, Prepared, SampleRng, Sampler,
    Situation, Tally, chi_square, odds, wilson,
};
use adjutant_pack::{Files, Pack, read_pack};

fn pack(id: &str) -> Pack {
    read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
}

fn situation<'p>(pack: &'p Pack, chart: &str, given: &[(&str, &str)]) -> Situation<'p> {
    let mut situation = Situation::new(pack, chart).unwrap();
    given.iter().for_each(|(name, text)| situation.give(name, text).unwrap());
    situation
}

fn answered(key: &str, yes: u64, no: u64) -> OddsOptions {
    let weighed = AnswerOdds::Weighed(vec![(Answer::YesNo(true), yes), (Answer::YesNo(false), no)]);
    OddsOptions { answers: vec![(key.to_owned(), weighed)], ..OddsOptions::default() }
}

const FIRE: [(&str, &str); 3] = [("ammo", "hesa"), ("firer.hesa", "6"), ("target.def", "4")];
const FIGURES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/// A dozen figures that roll five dice each: far too many outcomes to list.
fn crowd(pack: &Pack) -> Situation<'_> {
    let mut situation = Situation::new(pack, "in-sight").unwrap();
    FIGURES.iter().for_each(|name| situation.give(&format!("figure.{name}.rep"), "5").unwrap());
    situation
}

fn sampled(sampler: &Sampler<'_>, seed: u64, samples: u64) -> Tally {
    let mut tally = Tally::default();
    (0..sampler.blocks(samples))
        .for_each(|block| sampler.sample_block(seed, block, samples, &mut tally).unwrap());
    tally
}

/// The 0.1 % point of chi-square, by the Wilson–Hilferty approximation.
fn beyond_chance(freedom: usize) -> f64 {
    let part = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - part + 3.090_23 * part.sqrt()).powi(3)
}

#[test]
fn samples_agree_with_the_exact_odds_by_chi_square() {
    let [panzer, leader, chain] = ["panzer8", "combat-leader", "chain-reaction"].map(pack);
    let jam = answered("jam", 1, 5);
    let charts = [
        (situation(&panzer, "fire", &FIRE), OddsOptions::default()),
        (situation(&panzer, "rally", &[("element.quality", "1")]), OddsOptions::default()),
        (situation(&leader, "accuracy", &[("mod_fp", "3"), ("clear", "yes")]), jam),
        (
            situation(&chain, "crisis", &[("reason", "fired_on"), ("figure.rep", "4")]),
            OddsOptions::default(),
        ),
    ];
    for (situation, asked) in &charts {
        let sampler = Sampler::new(situation, asked).unwrap();
        assert!(sampler.is_exact());
        for seed in [1, 2, 2026] {
            let lines = sampler.counted(&sampled(&sampler, seed, 2_500_000));
            assert_eq!(lines.iter().map(|line| line.count).sum::<u64>(), 2_500_000);
            let evidence = chi_square(&lines).unwrap();
            let most = beyond_chance(evidence.freedom);
            assert!(
                evidence.chi_square < most,
                "{}, seed {seed}: {evidence:?} is beyond {most}",
                situation.chart().id
            );
        }
    }
}

#[test]
fn the_chart_played_in_full_agrees_with_its_table() {
    let leader = pack("combat-leader");
    let situation = situation(&leader, "accuracy", &[("mod_fp", "3"), ("clear", "yes")]);
    let asked = answered("jam", 1, 5);
    let mut lines = Sampler::new(&situation, &asked).unwrap().counted(&Tally::default());
    let played = Sampler::Played(Box::new(PlayedSampler::new(&situation, &asked)));
    for found in played.counted(&sampled(&played, 5, 20_000)) {
        let same = |line: &&mut adjutant_engine::Counted| {
            (&line.what.id, &line.what.on) == (&found.what.id, &found.what.on)
        };
        lines.iter_mut().find(same).expect("play gives only what the table knows").count =
            found.count;
    }
    let evidence = chi_square(&lines).unwrap();
    assert!(evidence.chi_square < beyond_chance(evidence.freedom), "{evidence:?}");
}

/// Counts as several threads would, each taking the next free block.
fn by_threads(sampler: &Sampler<'_>, threads: u64, samples: u64) -> Tally {
    let blocks = sampler.blocks(samples);
    let mut whole = Tally::default();
    std::thread::scope(|scope| {
        let work = |first: u64| {
            let mut tally = Tally::default();
            let own = (first..blocks).step_by(threads as usize);
            own.for_each(|block| sampler.sample_block(9, block, samples, &mut tally).unwrap());
            tally
        };
        let hands: Vec<_> = (0..threads).map(|first| scope.spawn(move || work(first))).collect();
        hands.into_iter().for_each(|hand| whole.add(hand.join().unwrap()));
    });
    whole
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads() {
    let (panzer, chain) = (pack("panzer8"), pack("chain-reaction"));
    let table = Sampler::new(&situation(&panzer, "fire", &FIRE), &OddsOptions::default()).unwrap();
    let play =
        Sampler::Played(Box::new(PlayedSampler::new(&crowd(&chain), &OddsOptions::default())));
    for (sampler, samples) in [(&table, 5_000_001), (&play, 2_500)] {
        let one = by_threads(sampler, 1, samples);
        assert_eq!(one.samples(), samples);
        assert_eq!(one, by_threads(sampler, 2, samples));
        assert_eq!(one, by_threads(sampler, 3, samples));
    }
}

#[test]
fn a_seed_means_the_same_counts_for_ever() {
    let panzer = pack("panzer8");
    let sampler =
        Sampler::new(&situation(&panzer, "fire", &FIRE), &OddsOptions::default()).unwrap();
    let counts = |seed| {
        sampler
            .counted(&sampled(&sampler, seed, 1_000))
            .iter()
            .map(|line| line.count)
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(7), [164, 358, 287, 191]);
    assert_ne!(counts(7), counts(8));
}

#[test]
fn the_table_gives_every_word_to_an_outcome_and_none_is_off_by_one() {
    let panzer = pack("panzer8");
    let fire = Prepared::new(&situation(&panzer, "fire", &FIRE), &OddsOptions::default()).unwrap();
    let words = fire.words();
    assert_eq!(words.iter().sum::<u128>(), 1 << 64);
    for (outcome, words) in fire.outcomes().iter().zip(words) {
        let (ways, of) = (
            u128::try_from(outcome.chance.ways()).unwrap(),
            u128::try_from(outcome.chance.of()).unwrap(),
        );
        assert!(
            (words * of).abs_diff(ways << 64) < of,
            "{}: {words} words for {}",
            outcome.title,
            outcome.chance.exact()
        );
    }
}

#[test]
fn a_prepared_chart_lists_what_the_odds_list() {
    let panzer = pack("panzer8");
    let situation = situation(&panzer, "fire", &FIRE);
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    let prepared = Prepared::new(&situation, &OddsOptions::default()).unwrap();
    assert_eq!(prepared.outcomes().len(), report.branches[0].spread.results.len());
    for outcome in prepared.outcomes() {
        assert!(report.branches[0].spread.results.contains(outcome), "{outcome:?}");
    }
}

#[test]
fn a_sample_allocates_nothing() {
    let panzer = pack("panzer8");
    let fire = Prepared::new(&situation(&panzer, "fire", &FIRE), &OddsOptions::default()).unwrap();
    let mut luck = SampleRng::of_block(1, 0);
    let used = allocation_counter::measure(|| {
        std::hint::black_box((0..10_000).map(|_| fire.sample(&mut luck)).sum::<usize>());
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn too_many_ways_are_played_and_an_open_question_is_asked_for() {
    let text = "[pack]\nid = \"t\"\ntitle = \"T\"\n[result]\nlow = { title = \"Low\" }\nhigh = { title = \"High\" }\n\
                [chart.c]\ntitle = \"C\"\nstep = [{ roll = \"200d1000\", as = \"dr\" }]\n\
                read = { score = \"dr\", rows = [{ to = 100000, all = \"low\" }, { all = \"high\" }] }\n";
    let many = read_pack(&Files::of([("pack.toml", text)]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"));
    let leader = pack("combat-leader");
    let pile = Situation::new(&many, "c").unwrap();
    assert!(matches!(Prepared::new(&pile, &OddsOptions::default()), Err(OddsError::TooLarge(_))));
    let sampler = Sampler::new(&pile, &OddsOptions::default()).unwrap();
    assert!(!sampler.is_exact());
    assert_eq!(sampled(&sampler, 1, 100).samples(), 100);
    let open = situation(&leader, "accuracy", &[("mod_fp", "3"), ("clear", "yes")]);
    assert!(
        matches!(Sampler::new(&open, &OddsOptions::default()), Err(OddsError::Open(question)) if question.key == "jam")
    );
    let played = PlayedSampler::new(&open, &OddsOptions::default());
    let stop = (0..200).find_map(|block| played.play(&mut SampleRng::of_block(1, block)).err());
    assert!(matches!(stop, Some(OddsError::Open(question)) if question.key == "jam"));
}

#[test]
fn intervals_hold_the_share_and_stay_between_nought_and_one() {
    for (count, of) in [(0, 10), (10, 10), (1, 1_000_000), (360_000, 1_000_000), (0, 0)] {
        let (from, to) = wilson(count, of);
        let share = count as f64 / f64::max(of as f64, 1.0);
        assert!(
            0.0 <= from && from <= share && share <= to && to <= 1.0,
            "{count} of {of}: {from} to {to}"
        );
    }
}

#[test]
fn a_chain_that_is_played_ends_where_its_odds_say() {
    let chain = pack("chain-reaction");
    let situation = Situation::new(&chain, "pef-resolve").unwrap();
    let later = vec![("group".to_owned(), "5".to_owned())];
    let asked = OddsOptions { follow: Follow::chain(), later, ..OddsOptions::default() };
    let known = adjutant_engine::odds(&situation, &asked).unwrap();
    let ids: Vec<&str> =
        known.branches[0].spread.results.iter().map(|result| result.id.as_str()).collect();
    let played = Sampler::Played(Box::new(PlayedSampler::new(&situation, &asked)));
    let counted = played.counted(&sampled(&played, 5, 2_000));
    assert_eq!(counted.iter().map(|line| line.count).sum::<u64>(), 2_000);
    for line in counted {
        let ends = line.what.id.split(", ").all(|id| ids.contains(&id));
        assert!(ends, "{} is none of {ids:?}", line.what.id);
    }
}
