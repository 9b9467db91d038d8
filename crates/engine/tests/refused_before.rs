#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Rolls that exact odds once refused, each with the count by hand beside it.

use adjutant_dice::Answer;
use adjutant_engine::{AnswerOdds, Follow, OddsError, OddsOptions, Situation, odds};
use adjutant_pack::{Files, Pack, read_pack};
use num_bigint::BigUint;
use std::collections::BTreeMap;

fn pack(text: &str) -> Pack {
    let text = format!("[pack]\nid = \"t\"\ntitle = \"T\"\n{text}");
    read_pack(&Files::of([("pack.toml", text)]), None).unwrap()
}

/// The exact chance of each value.
fn values(pack: &Pack, given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut situation = Situation::new(pack, "c").unwrap();
    given.iter().for_each(|(name, value)| situation.give(name, value).unwrap());
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    let values = report.branches[0].spread.values.iter();
    values.map(|(value, chance)| (value.to_string(), chance.exact())).collect()
}

/// Ways by value.
type Ways = BTreeMap<i64, BigUint>;

fn plus(a: &Ways, b: &Ways) -> Ways {
    let mut sum = Ways::new();
    for (x, ways) in a {
        for (y, more) in b {
            *sum.entry(x + y).or_default() += ways * more;
        }
    }
    sum
}

fn chances(ways: &Ways) -> BTreeMap<String, String> {
    let total: BigUint = ways.values().sum();
    let chance = |ways: &BigUint| adjutant_engine::Chance::new(ways.clone(), total.clone()).exact();
    ways.iter().map(|(value, ways)| (value.to_string(), chance(ways))).collect()
}

/// One percentile roll with so many tens dice of which the lowest counts.
fn percentile(tens: u32) -> Ways {
    let mut ways = Ways::new();
    for ones in 0..10_i64 {
        for all in 0..10_i64.pow(tens) {
            let digits = (0..tens).map(|place| all / 10_i64.pow(place) % 10);
            let roll = |ten: i64| if ten + ones == 0 { 100 } else { 10 * ten + ones };
            *ways.entry(digits.map(roll).min().unwrap()).or_default() += 1_u32;
        }
    }
    ways
}

/// 0 for a failure, 1 for a success, 2 for a fifth of the skill.
fn level(roll: i64, skill: i64) -> i64 {
    i64::from(roll <= skill) + i64::from(roll <= skill / 5)
}

#[test]
fn opposed_percentile_rolls_with_bonus_dice() {
    let side = |name: &str, edge: &str| {
        format!(
            "{{ roll = \"digit\", as = \"{name}_ones\" }},\n  {{ roll = \"digit\", count = \"1 + {edge}\", as = \"{name}\", each = \"if(face + {name}_ones == 0, 100, 10 * face + {name}_ones)\", keep_lowest = 1 }},\n  {{ work_out = \"if({name} <= {name}_skill, 1, 0) + if({name} <= floor({name}_skill / 5), 1, 0)\", as = \"{name}_level\" }}"
        )
    };
    let text = format!(
        "[die.digit]\nfaces = \"0-9\"\n[chart.c]\ntitle = \"C\"\nask = {{ us_skill = {{ number = \"Ours\", from = 1, to = 99 }}, them_skill = {{ number = \"Theirs\", from = 1, to = 99 }}, edge = {{ number = \"Bonus dice\", from = 0, to = 2 }} }}\nstep = [\n  {},\n  {}\n]\nread = {{ value = \"10 * (us_level - them_level) + if(us < them, 1, 0)\" }}\n",
        side("us", "edge"),
        side("them", "0")
    );
    let pack = pack(&text);
    for edge in [0, 1, 2] {
        let found =
            values(&pack, &[("us_skill", "60"), ("them_skill", "45"), ("edge", &edge.to_string())]);
        let (us, them) = (percentile(1 + edge), percentile(1));
        let mut expected = Ways::new();
        for (a, ways) in &us {
            for (b, more) in &them {
                let value = 10 * (level(*a, 60) - level(*b, 45)) + i64::from(a < b);
                *expected.entry(value).or_default() += ways * more;
            }
        }
        assert_eq!(found, chances(&expected), "{edge} bonus dice");
    }
}

/// Six weapons in six steps, each with its own number to hit and its own damage. Written out, the
/// dice fall in 36 to the sixth ways.
#[test]
fn a_volley_of_six_weapons() {
    let weapons = [(7, 5), (8, 5), (6, 2), (9, 10), (7, 3), (10, 15)];
    let steps: Vec<String> =
        (0..6).map(|place| format!("{{ roll = \"2d6\", as = \"w{place}\" }}")).collect();
    let sum: Vec<String> = (weapons.iter().enumerate())
        .map(|(place, (need, damage))| format!("if(w{place} >= {need}, {damage}, 0)"))
        .collect();
    let pack = pack(&format!(
        "[chart.c]\ntitle = \"C\"\nstep = [ {} ]\nread = {{ value = \"{}\" }}\n",
        steps.join(", "),
        sum.join(" + ")
    ));
    let mut expected = Ways::from([(0, 1_u32.into())]);
    for (need, damage) in weapons {
        let hits = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).filter(|sum| *sum >= need);
        let hits = hits.count() as u32;
        let one = Ways::from([(0, (36 - hits).into()), (damage, hits.into())]);
        expected = plus(&expected, &one);
    }
    assert_eq!(values(&pack, &[]), chances(&expected));
}

/// Six dice that are only added up, each in a step of its own.
#[test]
fn the_sum_of_six_steps() {
    let steps: Vec<String> =
        (0..6).map(|place| format!("{{ roll = \"1d20\", as = \"s{place}\" }}")).collect();
    let pack = pack(&format!(
        "[chart.c]\ntitle = \"C\"\nstep = [ {} ]\nread = {{ value = \"s0 + s1 + s2 + s3 + s4 - s5\" }}\n",
        steps.join(", ")
    ));
    let die = |sign: i64| (1..=20).map(|face| (sign * face, 1_u32.into())).collect::<Ways>();
    let mut expected = die(-1);
    for _ in 0..5 {
        expected = plus(&expected, &die(1));
    }
    assert_eq!(values(&pack, &[]), chances(&expected));
}

/// A die that is rolled again and added on its highest face, at most ten times.
fn exploding(sides: i64) -> Ways {
    let mut ways = Ways::new();
    for deep in 0..=10_u32 {
        for face in 1..=sides {
            if face < sides || deep == 10 {
                let weight = BigUint::from(sides as u32).pow(10 - deep);
                *ways.entry(i64::from(deep) * sides + face).or_default() += weight;
            }
        }
    }
    ways
}

#[test]
fn three_exploding_dice_together_and_one_by_one() {
    let together = pack(
        "[chart.c]\ntitle = \"C\"\nstep = [ { roll = \"3d6\", explode = 6 } ]\nread = { value = \"die\" }\n",
    );
    let (six, eight, ten) = (exploding(6), exploding(8), exploding(10));
    assert_eq!(values(&together, &[]), chances(&plus(&plus(&six, &six), &six)));
    let apart = pack(
        "[chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d6\", as = \"a\", explode = 6 }, { roll = \"1d8\", as = \"b\", explode = 8 }, { roll = \"1d10\", as = \"e\", explode = 10 } ]\nread = { value = \"floor(max(a, b) / 4) + if(e >= 5, 1, 0)\" }\n",
    );
    let mut best = Ways::new();
    for (a, ways) in &six {
        for (b, more) in &eight {
            *best.entry(a.max(b) / 4).or_default() += ways * more;
        }
    }
    let fifth = ten.iter().map(|(value, ways)| (i64::from(*value >= 5), ways.clone()));
    let mut wild = Ways::new();
    fifth.for_each(|(value, ways)| *wild.entry(value).or_default() += ways);
    assert_eq!(values(&apart, &[]), chances(&plus(&best, &wild)));
}

/// The check refused to change the number of dice that show words, because they have no total.
#[test]
fn dice_that_show_words_can_be_fewer() {
    let pack = pack(
        "[die.action]\nfaces = [\"move\", \"shoot\", \"blank\"]\n[chart.c]\ntitle = \"C\"\nask = { tired = { yes_no = \"Tired\" } }\nstep = [ { roll = \"action\", count = 3, as = \"pool\", add = [ { label = \"Tired\", dice = -1, when = \"tired\" } ] } ]\nread = { value = \"pool.move + pool.shoot\" }\n",
    );
    let one = Ways::from([(0, 1_u32.into()), (1, 2_u32.into())]);
    let two = plus(&one, &one);
    assert_eq!(values(&pack, &[("tired", "no")]), chances(&plus(&two, &one)));
    assert_eq!(values(&pack, &[("tired", "yes")]), chances(&two));
}

/// Asks for the odds of a chart of Combat Leader with at most so many states or rolls.
fn combat_leader(chart: &str, given: &[(&str, &str)], follow: bool, most: usize) -> bool {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let mut situation = Situation::new(&pack, chart).unwrap();
    given.iter().for_each(|(name, value)| situation.give(name, value).unwrap());
    let always = |name: &str, answer: Answer| (name.to_owned(), AnswerOdds::Always(answer));
    let number = |n: u32| Answer::Number(n.into());
    let asked = OddsOptions {
        answers: vec![
            always("attacker_value", number(2)),
            always("defender_value", number(2)),
            always("jam", Answer::YesNo(false)),
            always("melee", Answer::Choice("undecided".into())),
            always("casualty", Answer::Choice("killed".into())),
        ],
        follow: Follow::when(follow),
        later: vec![("terrain".to_owned(), "clear".to_owned())],
        most: Some(most),
        ..OddsOptions::default()
    };
    match odds(&situation, &asked) {
        Ok(_) => true,
        Err(OddsError::TooLarge(_)) => false,
        Err(other) => panic!("{other:?}"),
    }
}

/// States are counted, not seconds: forgotten names and merged states keep a large melee small.
#[test]
fn a_large_melee_takes_few_states() {
    let values = [("attacker_value", "3"), ("defender_value", "2")];
    let men = [("attackers", "9"), ("defenders", "11")];
    assert!(combat_leader("melee", &[men, values].concat(), false, 200_000));
    assert!(!combat_leader("melee", &[men, values].concat(), false, 10_000), "nothing is counted");
}

/// The same for a chain of charts, in rolls.
#[test]
fn a_followed_attack_takes_few_rolls() {
    let given = [("mod_fp", "2"), ("clear", "yes")];
    assert!(combat_leader("accuracy", &given, true, 100_000));
    assert!(!combat_leader("accuracy", &given, true, 3_000), "nothing is counted");
}

/// A roll or a draw that is made again for ever is called so, and not too large.
#[test]
fn what_never_ends_is_told_as_such() {
    let ask = "ask = { n = { number = \"N\", from = 0, to = 6 } }\nread = { value = \"x\" }\n";
    let dice = "step = [{ roll = \"1d6\", as = \"x\", again = [{ when = \"x <= n\", because = \"Low\" }] }]";
    let cards = "step = [{ draw = \"d\", read = \"rank\", as = \"x\", again = [{ when = \"x <= n\", because = \"Low\", reshuffle = true }] }]";
    let text = |step: &str| {
        format!(
            "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ rank = {{ number = \"Rank\", from = 1, to = 6 }} }}\n[chart.c]\ntitle = \"C\"\n{step}\n{ask}[chart.e]\ntitle = \"E\"\nstep = [{{ draw = \"d\", read = \"rank\" }}]\nread = {{ value = \"card\" }}\n"
        )
    };
    for step in [dice, cards] {
        let csv = "card,title,rank\n1,A,2\n2,B,6\n".to_owned();
        let files = Files::of([("pack.toml", text(step)), ("d.csv", csv)]);
        let pack = read_pack(&files, None).unwrap();
        let mut situation = Situation::new(&pack, "c").unwrap();
        situation.give("n", "6").unwrap();
        let refused = odds(&situation, &OddsOptions::default()).unwrap_err();
        assert_eq!(adjutant_wording::en::odds_error(&refused), "C would never end", "{step}");
        assert_eq!(values(&pack, &[("n", "5")]), BTreeMap::from([("6".into(), "1".into())]));
    }
}
