#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Handfuls of dice: the example pack's cases, and odds that agree with running every way.

use adjutant_engine::{OddsOptions, OddsReport, Situation, odds, odds_by_running, try_suite};
use adjutant_pack::{Files, Pack, read_cases, read_pack};
use proptest::prelude::*;

fn example() -> (Files, Pack) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/odd-dice");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let files = Files::of([("pack.toml", text("pack.toml")), ("cases.toml", text("cases.toml"))]);
    let pack = read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
    (files, pack)
}

fn given<'p>(pack: &'p Pack, chart: &str, inputs: &[(&str, &str)]) -> Situation<'p> {
    let mut situation = Situation::new(pack, chart).unwrap();
    for (name, value) in inputs {
        situation.give(name, value).unwrap();
    }
    situation
}

/// Both ways to find the odds give the same fractions.
fn agree(situation: &Situation<'_>) {
    let asked = OddsOptions::default();
    let fast = odds(situation, &asked).unwrap();
    let slow = odds_by_running(situation, &asked).unwrap();
    assert_eq!(shown(&fast), shown(&slow), "{}", situation.chart().title);
}

fn shown(report: &OddsReport) -> Vec<String> {
    let mut lines = Vec::new();
    for branch in &report.branches {
        let spread = &branch.spread;
        lines.extend(
            spread.results.iter().map(|r| format!("{} {:?} {}", r.id, r.on, r.chance.exact())),
        );
        lines.extend(
            spread.values.iter().map(|(value, chance)| format!("{value} {}", chance.exact())),
        );
        lines.extend(spread.also.iter().map(|r| format!("also {} {}", r.id, r.chance.exact())));
    }
    lines
}

#[test]
fn the_cases_of_the_example_pass() {
    let (files, pack) = example();
    let suite = read_cases(&files).unwrap();
    let report = try_suite(&pack, None, &suite, |error| format!("{error:?}"));
    assert!(report.failures.is_empty(), "{:#?}", report.failures);
}

#[test]
fn every_mechanism_of_the_example_agrees_with_running_every_way() {
    let (_, pack) = example();
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("battle", &[("dice", "3"), ("target", "wheels")]),
        ("volley", &[("shots", "2"), ("skill", "4"), ("save", "5"), ("wounds", "3")]),
        ("trait", &[("skill", "4"), ("need", "4")]),
        ("trait", &[("skill", "4"), ("hero", "yes"), ("need", "5")]),
        ("strive", &[("body", "2")]),
        ("task", &[("will", "1"), ("craft", "1")]),
        ("sets", &[("dice", "4")]),
        ("brawl", &[("dice", "2"), ("us.strength", "3"), ("them.strength", "2")]),
        ("brawl", &[("dice", "2"), ("us.strength", "1"), ("them.strength", "2")]),
        ("skill", &[("skill", "40"), ("edge", "2")]),
        ("skill", &[("skill", "40"), ("edge", "-1")]),
        ("barrage", &[("guns", "1"), ("ground", "ruin")]),
        ("place", &[]),
    ];
    for (chart, inputs) in cases {
        agree(&given(&pack, chart, inputs));
    }
}

/// A pack of one chart that yields a number.
fn pack_of(steps: &str, value: &str) -> Pack {
    let text = format!(
        "[pack]\nid = \"t\"\ntitle = \"T\"\n[chart.c]\ntitle = \"C\"\nstep = [{steps}]\nread = {{ value = \"{value}\" }}\n"
    );
    let files = Files::of([("pack.toml", text)]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// The chance of each number, as fractions.
fn chances(pack: &Pack) -> Vec<(String, String)> {
    let situation = Situation::new(pack, "c").unwrap();
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    let values = &report.branches[0].spread.values;
    values.iter().map(|(value, chance)| (value.to_string(), chance.exact())).collect()
}

#[test]
fn twenty_attacks_that_hit_wound_and_are_saved_are_a_binomial() {
    let pack = pack_of(
        r#"{ roll = "d6", count = 20, as = "hit", tally = { hits = "face >= 3 and face < 6", sure = "face == 6" } },
           { roll = "d6", count = "hit.hits", as = "wound", pass_at_least = 4 },
           { roll = "d6", count = "wound + hit.sure", as = "through", each = "face < 5" }"#,
        "through",
    );
    // Each attack kills with 5/18: (3/6 × 1/2 + 1/6) × 4/6.
    let big = num_bigint::BigUint::from;
    let mut choose = big(1_u32);
    let found = chances(&pack);
    assert_eq!(found.len(), 21);
    for (k, (value, chance)) in found.into_iter().enumerate() {
        let k = k as u32;
        let ways = &choose * big(5_u32).pow(k) * big(13_u32).pow(20 - k);
        let expected = adjutant_engine::Chance::new(ways, big(18_u32).pow(20));
        assert_eq!((value, chance), (k.to_string(), expected.exact()));
        choose = choose * (20 - k) / (k + 1);
    }
}

#[test]
fn large_handfuls_have_exact_odds() {
    // Pool of 10 d6: all but ones and sixes are rolled once more.
    let pool = pack_of(
        r#"{ roll = "10d6", reroll = [{ when = "face > 1 and face < 6" }], tally = { sixes = "face == 6", ones = "face == 1" } }"#,
        "100 * die.sixes + die.ones",
    );
    assert_eq!(chances(&pool).len(), 66);
    // Ten exploding d10, three deep, the best five are kept.
    let kept = pack_of(
        r#"{ roll = "10d10", explode = { when = "face == 10", at_most = 3 }, keep_highest = 5 }"#,
        "die",
    );
    assert!(chances(&kept).len() > 100);
    // Ten d10, the widest set, then the highest.
    let sets = pack_of(r#"{ roll = "10d10" }"#, "100 * die.width + die.height");
    let sets = chances(&sets);
    assert_eq!(sets.last().unwrap(), &("1010".to_owned(), "1/10000000000".to_owned()));
}

/// A roll of a random chart: its keys, and the names that later steps may count by.
fn roll(at: usize) -> impl Strategy<Value = (String, Vec<String>)> {
    let name = format!("r{at}");
    let die = prop_oneof![Just("d2"), Just("d3")];
    let rule = prop_oneof![
        Just(String::new()),
        Just(", reroll = [{ when = \"face == 1\" }]".to_owned()),
        Just(", reroll = [{ when = \"face <= 2\", dice = 1 }]".to_owned()),
        Just(
            ", reroll = [{ when = \"face == 1\", ask = \"Again?\", assume = \"NAME < 2\" }]"
                .to_owned()
        ),
        Just(", explode = { when = \"face == 2\", at_most = 1 }".to_owned()),
        Just(", extra = { when = \"face == 2\", at_most = 1 }".to_owned()),
    ];
    let keep = prop_oneof![
        3 => Just(String::new()),
        1 => Just(", keep_highest = 1".to_owned()),
        1 => Just(", keep_lowest = 1".to_owned()),
    ];
    let each = prop_oneof![
        Just(String::new()),
        Just(", each = \"face >= 2\"".to_owned()),
        Just(", each = \"3 - face\"".to_owned()),
        Just(", pass_at_most = 1".to_owned()),
    ];
    let tally = prop_oneof![
        Just(String::new()),
        Just(", tally = { odd = \"face == 1\", twice = \"2 * face\" }".to_owned()),
    ];
    let fill = prop_oneof![4 => Just(String::new()), 1 => Just(", fill = { size = 3 }".to_owned())];
    let again = prop_oneof![
        3 => Just(String::new()),
        1 => Just(", again = [{ when = \"NAME == 2\", because = \"Two\", at_most = 1 }]".to_owned()),
        1 => Just(", again = [{ when = \"NAME.doubles\", because = \"Doubles\", at_most = 1 }]".to_owned()),
    ];
    let add = prop_oneof![
        Just(String::new()),
        Just(
            ", add = [{ label = \"One more\", plus = 1, when = \"NAME.natural > 1\" }], most = 3"
                .to_owned()
        ),
    ];
    let count = if at == 0 {
        prop_oneof![Just("1".to_owned()), Just("2".to_owned())].boxed()
    } else {
        let before = format!("r{}", at - 1);
        prop_oneof![
            Just("1".to_owned()),
            Just(format!("min(2, max(0, {before}))")),
            Just(format!("min(2, {before}.dice)")),
            Just(before.clone()),
            Just(format!("{before}.odd")),
            Just(format!("{before}.odd + {before}.twice")),
        ]
        .boxed()
    };
    let named = name.clone();
    (die, count, rule, keep, (each, tally), fill, again, add).prop_map(
        move |(die, count, rule, keep, (each, tally), fill, again, add)| {
            let mut names =
                vec![named.clone(), format!("{named}.dice"), format!("{named}.highest")];
            names.extend(
                ["lowest", "width", "height", "pair", "pairs", "run", "again"]
                    .map(|f| format!("{named}.{f}")),
            );
            names.push(format!("if({named}.doubles, 1, 0)"));
            if !tally.is_empty() {
                names.extend([format!("{named}.odd"), format!("{named}.twice")]);
            }
            if !rule.is_empty() && rule.contains("reroll") {
                names.push(format!("{named}.rerolled"));
            }
            if !fill.is_empty() {
                names.extend([
                    format!("{named}.filled"),
                    format!("{named}.partly"),
                    format!("{named}.die_2"),
                ]);
            }
            let keys =
                format!("{rule}{keep}{each}{tally}{fill}{again}{add}").replace("NAME", &named);
            (format!("{{ roll = \"{die}\", count = \"{count}\", as = \"{named}\"{keys} }}"), names)
        },
    )
}

fn chart() -> impl Strategy<Value = String> {
    (roll(0), roll(1), any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |((first, one), (second, two), a, b, alone)| {
            let (steps, names) = if alone {
                (first, one)
            } else {
                (format!("{first}, {second}"), [one, two].concat())
            };
            let value = format!("{} + 7 * {}", names[a.index(names.len())], names[b.index(names.len())]);
            format!(
                "[pack]\nid = \"t\"\ntitle = \"T\"\n[chart.c]\ntitle = \"C\"\nstep = [{steps}]\nread = {{ value = \"{value}\" }}\n"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 40, max_global_rejects: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The riskiest part of the odds is what they forget between two steps.
    #[test]
    fn random_charts_agree_with_running_every_way(text in chart()) {
        let files = Files::of([("pack.toml", text.clone())]);
        let Ok(pack) = read_pack(&files, None) else {
            // A rule that can never hold, for example, is refused.
            return Err(TestCaseError::reject("refused"));
        };
        let situation = Situation::new(&pack, "c").unwrap();
        let few = OddsOptions { most: Some(4000), ..OddsOptions::default() };
        let Ok(slow) = odds_by_running(&situation, &few) else {
            return Err(TestCaseError::reject("too many ways to run"));
        };
        let fast = odds(&situation, &OddsOptions::default()).unwrap();
        prop_assert_eq!(shown(&fast), shown(&slow), "{}", text);
    }
}

#[test]
fn what_is_too_large_says_where_how_large_and_how_much_is_allowed() {
    let pack = pack_of(r#"{ roll = "200d1000", as = "pile" }"#, "pile");
    let situation = Situation::new(&pack, "c").unwrap();
    let stop = odds(&situation, &OddsOptions::default()).unwrap_err();
    let adjutant_engine::OddsError::TooLarge(large) = &stop else { panic!("{stop:?}") };
    assert_eq!(large.step.as_deref(), Some("pile"));
    assert!(large.size > large.limit, "{large:?}");
    let sentence = adjutant_wording::en::too_large(large);
    assert!(sentence.starts_with("too large for exact odds at the step `pile`: "), "{sentence}");
}
