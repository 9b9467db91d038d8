#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Odds of whole chains: chart by chart they are the same as by trying every way, and they cost what
//! can happen, not its number of ways.

use adjutant_dice::{Accepts, Answer};
use adjutant_engine::{
    AnswerOdds, Follow, OddsError, OddsOptions, OddsReport, Situation, odds, odds_by_running,
};
use adjutant_pack::{Files, Pack, read_pack};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn told(report: &OddsReport) -> BTreeMap<String, String> {
    let spread = &report.branches[0].spread;
    let results = spread.results.iter().map(|chance| {
        let name = format!("{:?} {:?} {} {:?}", chance.chart, chance.of, chance.id, chance.on);
        (name, chance.chance.exact())
    });
    let values = spread.values.iter().map(|(n, chance)| (format!("= {n}"), chance.exact()));
    let also = spread.also.iter().map(|chance| {
        (format!("+ {:?} {} {:?}", chance.chart, chance.id, chance.label), chance.chance.exact())
    });
    results.chain(values).chain(also).collect()
}

fn follow() -> OddsOptions {
    OddsOptions { follow: Follow::chain(), ..OddsOptions::default() }
}

fn some_value(accepts: &Accepts, choice: u32) -> String {
    match accepts {
        Accepts::YesNo => (if choice.is_multiple_of(2) { "yes" } else { "no" }).into(),
        Accepts::Choice { words } => words[choice as usize % words.len()].id.to_string(),
        Accepts::Number { from, to, .. } => {
            let (from, to) = (from.ceil().as_whole().unwrap(), to.floor().as_whole().unwrap());
            (from + i64::from(choice) % (to - from + 1).clamp(1, 8)).to_string()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn chains_of_the_four_sheets_agree_with_trying_every_way(
        choices in prop::collection::vec(any::<u32>(), 24)
    ) {
        for id in ["panzer8", "chain-reaction", "asl-starter-kit", "combat-leader"] {
            let pack = read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap();
            let charts = pack.charts().as_slice();
            let chart = &charts[choices[0] as usize % charts.len()];
            let mut situation = Situation::new(&pack, &chart.id).unwrap();
            for (place, input) in chart.inputs.iter().enumerate() {
                let value = some_value(&input.field.accepts, choices[1 + place % 20]);
                situation.give(&input.name, &value).unwrap();
            }
            let few = OddsOptions { most: Some(4_000), ..follow() };
            let Ok(slow) = odds_by_running(&situation, &few) else { continue };
            let fast = odds(&situation, &follow()).unwrap();
            prop_assert_eq!(told(&fast), told(&slow), "{} {:?}", &chart.id, situation.given_inputs());
        }
    }
}

/// A brawl: symbol dice of which the stronger side picks one, then armour and injury of each player
/// who falls.
const BRAWL: &str = r#"
[pack]
id = "brawl"
title = "Brawl"

[die.brawl]
faces = ["fall", "both", "push", "push", "stumble", "floor"]

[unit.player]
title = "Player"
has = { armour = { number = "Armour", from = 3, to = 11, default = 8 } }

[status]
prone = { title = "Prone", of = "player" }
stunned = { title = "Stunned", of = "player" }

[chart.brawl]
title = "Brawl"
who = { us = "player", them = "player" }
lands_on = "them"
step = [ { roll = "brawl", count = 2, choose = { by = "us", best = "if(face == 'fall', -2, if(face == 'both', -1, if(face == 'push', 0, 1)))" } } ]

[chart.brawl.read]
score = "die"
rows = [
  { is = "fall", all = "down", on = "us" },
  { is = "both", all = "both" },
  { is = "push", all = "pushed" },
  { is = "stumble", all = "down" },
  { is = "floor", all = "down" },
]

[chart.armour]
title = "Armour"
who = { player = "player" }
step = [ { roll = "2d6" } ]
read = { rows = [ { when = "die > player.armour", label = "More than the armour", all = "broken" }, { all = "holds" } ] }

[chart.injury]
title = "Injury"
who = { player = "player" }
step = [ { roll = "2d6" } ]
read = { rows = [ { to = 7, all = "stunned" }, { to = 9, all = "out" }, { all = "hurt" } ] }

[result]
pushed = { title = "Pushed back", of = "player" }
holds = { title = "Armour holds" }
stunned = { title = "Stunned", of = "player", effects = [ { status = "stunned" } ] }
out = { title = "Knocked out", of = "player", effects = [ { leaves = "out" } ] }
hurt = { title = "Hurt", of = "player", effects = [ { leaves = "hurt" } ] }

[result.down]
title = "Down"
of = "player"
effects = [ { status = "prone" } ]
next = [ { chart = "armour", why = "down", who = { player = "it" }, now = true } ]

[result.both]
title = "Both down"
of = "player"
effects = [ { status = "prone" }, { status = "prone", on = "us" } ]
next = [
  { chart = "armour", why = "down", who = { player = "it" }, now = true },
  { chart = "armour", why = "down", who = { player = "us" }, now = true },
]

[result.broken]
title = "Armour broken"
of = "player"
next = [ { chart = "injury", why = "armour broken", who = { player = "it" }, now = true } ]
"#;

fn brawl() -> Pack {
    read_pack(&Files::of([("pack.toml", BRAWL.to_owned())]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

#[test]
fn a_chain_of_armour_and_injury_is_exact_and_cheap() {
    let pack = brawl();
    let situation = Situation::new(&pack, "brawl").unwrap();
    // The work is counted: trying every way needs more than 100 times as many rolls.
    let most = |rolls: usize| OddsOptions { most: Some(rolls), ..follow() };
    let slow = odds_by_running(&situation, &most(50_000)).unwrap_err();
    assert!(matches!(slow, OddsError::TooLarge(_)), "{slow:?}");
    let fast = odds(&situation, &most(500)).unwrap();
    assert_eq!(told(&fast), told(&odds_by_running(&situation, &follow()).unwrap()));
    // By hand: of two dice one side picks, 1/36 fall, 3/36 both down, 12/36 push, 20/36 down.
    // Armour 8 breaks on 10 of 36; injury 21/36, 9/36, 6/36.
    let chance = |chart: &str, id: &str, on: Option<&str>| {
        let results = &fast.branches[0].spread.results;
        let found = results.iter().find(|known| {
            known.id == id
                && known.on.as_deref() == on
                && known.chart.as_deref().unwrap_or("brawl") == chart
        });
        found.map(|known| known.chance.exact()).unwrap_or_else(|| panic!("{id}: {results:#?}"))
    };
    assert_eq!(chance("brawl", "pushed", Some("them")), "1/3");
    // 23/36 * 10/36 * 9/36 and 4/36 * 10/36 * 9/36.
    assert_eq!(chance("injury", "out", Some("them")), "115/2592");
    assert_eq!(chance("injury", "out", Some("us")), "5/648");
}

#[test]
fn a_series_of_tests_merges() {
    // Six tests of armour, each with its injury: 11^12 ways, and few outcomes.
    let text = BRAWL.to_owned()
        + r#"
[chart.salvo]
title = "Salvo"
who = { ship = "player" }
ask = { shells = { number = "Shells", from = 0, to = 12 } }
step = [ { roll = "1d6" } ]
read = { value = "shells", next = [ { chart = "armour", why = "a shell", who = { player = "ship" }, times = "shells" } ] }
"#;
    let pack = read_pack(&Files::of([("pack.toml", text)]), None).unwrap();
    let mut situation = Situation::new(&pack, "salvo").unwrap();
    situation.give("shells", "6").unwrap();
    let report = odds(&situation, &OddsOptions { most: Some(20_000), ..follow() }).unwrap();
    let results = &report.branches[0].spread.results;
    let holds = results.iter().find(|known| known.id == "holds").unwrap();
    // All six break, or one breaks and takes the ship off before any held: 10/36 each, of which a
    // ship stays with 21/36. So it never holds with the chance p + pq + … with p = 10/36 * 15/36.
    let (stays, goes) = (210_u64, 150_u64);
    let never: u64 =
        (0..6).map(|n| goes * stays.pow(n) * 1296_u64.pow(5 - n)).sum::<u64>() + 210_u64.pow(6);
    let total = 1296_u64.pow(6);
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let shared = gcd(total - never, total);
    assert_eq!(holds.chance.exact(), format!("{}/{}", (total - never) / shared, total / shared));
}

/// The least number of rolls, of some powers of two, that is enough for the odds.
fn work(situation: &Situation<'_>, asked: &OddsOptions) -> usize {
    let enough = |most: &usize| {
        let asked = OddsOptions { most: Some(*most), ..asked.clone() };
        !matches!(odds(situation, &asked), Err(OddsError::TooLarge(_)))
    };
    (12..20).map(|power| 1 << power).find(enough).expect("some limit is enough")
}

#[test]
fn the_work_of_a_followed_shot_stays_small() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let mut shot = Situation::new(&pack, "accuracy").unwrap();
    shot.give("mod_fp", "3").unwrap();
    shot.give("clear", "yes").unwrap();
    let always = |key: &str, answer: Answer| (key.to_owned(), AnswerOdds::Always(answer));
    let answers = vec![
        always("jam", Answer::YesNo(false)),
        always("casualty", Answer::Choice("pinned".into())),
    ];
    // A card, Jam and Shuffle cards, and another card for the casualty.
    let shots = work(&shot, &OddsOptions { answers, ..follow() });
    assert!(shots <= 1 << 17, "accuracy --follow takes {shots}");
}
