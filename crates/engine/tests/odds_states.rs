#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Odds by states against full exploration, for random small charts with cards, look-ups, several
//! units and follow-ups.

use adjutant_engine::{
    Follow, OddsError, OddsOptions, OddsReport, Situation, odds, odds_by_running,
};
use adjutant_pack::{Files, Pack, read_pack};
use proptest::prelude::*;
use std::collections::BTreeMap;

const HEAD: &str = r#"[pack]
id = "t"
title = "T"
[unit.man]
title = "Man"
has = { skill = { number = "Skill", from = 0, to = 9, default = 2 } }
[status]
hurt = { title = "Hurt", of = ["man"] }
[deck.fate]
title = "Fate"
file = "deck.csv"
[deck.fate.field]
face = { label = "Face", choice = ["plain", "again", "shuffle", "jam"] }
rank = { number = "Rank", from = 1, to = 9 }
[result.miss]
title = "Miss"
[result.hit]
title = "Hit"
of = "man"
effects = [{ add = "skill", by = -1 }]
next = [{ chart = "after", why = "Hit", who = { man = "it" } }]
[result.stuck]
title = "Stuck"
of = "man"
effects = [{ status = "hurt" }]
[result.low]
title = "Low"
[result.high]
title = "High"
effects = [{ reshuffle = "fate" }]
[chart.sub]
title = "Sub"
step = [{ draw = "fate", as = "card", read = "rank" }]
[chart.sub.read]
score = "card"
rows = [{ to = 1, all = { result = "low", value = 7 } }, { all = { result = "high", value = "card" } }]
also = [{ when = "card == 2", result = "miss" }]
[chart.coin]
title = "Coin"
step = [{ roll = "1d2", as = "coin" }]
read = { rows = [{ to = 1, all = "low" }, { all = "miss" }] }
[chart.all]
title = "All"
who = { man = "man" }
step = [{ roll = "1d2", as = "die" }]
read = { rows = [{ to = 1, all = "hit" }, { all = "miss" }] }
[chart.after]
title = "After"
who = { man = "man" }
step = [{ draw = "fate", as = "card", read = "rank" }]
read = { score = "card + man.skill", rows = [{ to = 3, all = "stuck" }, { all = "miss" }] }
"#;

fn pack(deck: &[(usize, u32)], chart: &str) -> Pack {
    let faces = ["plain", "again", "shuffle", "jam"];
    let mut cards = "card,title,face,rank\n".to_owned();
    for (n, (face, rank)) in deck.iter().enumerate() {
        cards.push_str(&format!("{},Card,{},{rank}\n", n + 1, faces[*face]));
    }
    let files = Files::of([("pack.toml", format!("{HEAD}{chart}")), ("deck.csv", cards)]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{chart}\n{faults:#?}"))
}

/// A step called `name`, and names that it sets.
fn step(name: &'static str) -> impl Strategy<Value = (String, Vec<String>)> {
    let again = |rules: String| {
        format!("{{ draw = \"fate\", as = \"{name}\", read = \"rank\", again = [{rules}] }}")
    };
    let by = |face: &str, more: &str| {
        format!("{{ when = \"{name}.face == '{face}'\", because = \"{face}\"{more} }}")
    };
    let jam = ", look_up = \"sub\", as = \"jam_NAME\", stop = { when = \"jam_NAME.result == 'low'\", result = \"low\" }"
        .replace("NAME", name);
    let value = ", look_up = \"sub\", as = \"jam_NAME\", stop = { when = \"jam_NAME.value > NAME.rank\", result = \"low\" }"
        .replace("NAME", name);
    let total = vec![name.to_owned()];
    let ranks = vec![name.to_owned(), format!("{name}.rank")];
    prop_oneof![
        Just((format!("{{ draw = \"fate\", as = \"{name}\", read = \"rank\" }}"), ranks)),
        Just((again(by("again", "")), total.clone())),
        Just((again(by("again", ", at_most = 2")), total.clone())),
        Just((
            again(format!("{}, {}", by("shuffle", ", reshuffle = true"), by("jam", &jam))),
            total.clone()
        )),
        Just((again(format!("{}, {}", by("again", ""), by("jam", &value))), total.clone())),
        Just((format!("{{ roll = \"1d3\", as = \"{name}\" }}"), total.clone())),
        Just((
            format!(
                "{{ roll = \"1d3\", as = \"{name}\", again = [{{ when = \"{name} == 1\", because = \"One\", look_up = \"sub\", as = \"sub_{name}\", stop = {{ when = \"sub_{name}.result == 'high'\", result = \"miss\" }} }}] }}"
            ),
            total.clone()
        )),
        Just((format!("{{ look_up = \"sub\", as = \"{name}\" }}"), vec![format!("{name}.value")])),
        Just((
            format!("{{ look_up = \"sub\", as = \"{name}\" }}"),
            vec![format!("if({name}.result == 'low', 1, 4)")]
        )),
    ]
}

#[derive(Clone, Debug)]
struct Case {
    deck: Vec<(usize, u32)>,
    gone: Vec<u32>,
    chart: String,
}

fn case(head: &'static str, read: &'static str) -> impl Strategy<Value = Case> {
    let deck = prop::collection::vec((0..4_usize, 1..4_u32), 3..6);
    let steps = (step("a"), step("b"), step("c"), 1..4_usize, any::<prop::sample::Index>());
    (deck, steps, any::<u8>()).prop_map(move |(mut deck, (a, b, c, count, skip), gone)| {
        // Some card always counts, and every rank occurs. At most five names are summed up, each of
        // at least 1: every sum up to 5 can be reached, and a first row that ends there, too.
        deck[0].0 = 0;
        (0..3).for_each(|n| deck[n].1 = n as u32 + 1);
        let steps: Vec<_> = [a, b, c].into_iter().take(count).collect();
        let names: Vec<String> = steps.iter().flat_map(|(_, names)| names.clone()).collect();
        let names: Vec<&str> = names
            .iter()
            .enumerate()
            .filter(|(n, _)| names.len() == 1 || *n != skip.index(names.len()))
            .map(|(_, name)| name.as_str())
            .collect();
        let texts: Vec<&str> = steps.iter().map(|(text, _)| text.as_str()).collect();
        let chart = format!(
            "[chart.c]\ntitle = \"C\"\n{head}\nstep = [{}]\n{}\n",
            texts.join(",\n"),
            read.replace("SUM", &names.join(" + "))
        );
        let gone = (1..=deck.len() as u32).filter(|n| gone >> (n - 1) & 1 == 1 && gone % 3 == 0);
        Case { gone: gone.collect(), deck, chart }
    })
}

type Told = BTreeMap<String, String>;

fn told(report: &OddsReport) -> Vec<Told> {
    let of = |branch: &adjutant_engine::Branch| {
        let spread = &branch.spread;
        let results = spread
            .results
            .iter()
            .map(|r| (format!("{:?} {:?} {} {:?}", r.chart, r.of, r.id, r.on), r.chance.exact()));
        let values = spread.values.iter().map(|(n, chance)| (format!("= {n}"), chance.exact()));
        let also =
            spread.also.iter().map(|r| (format!("+ {} {:?}", r.id, r.label), r.chance.exact()));
        results.chain(values).chain(also).collect()
    };
    report.branches.iter().map(of).collect()
}

fn agree(case: &Case, members: usize, follow: bool) -> Result<(), TestCaseError> {
    let pack = pack(&case.deck, &case.chart);
    let mut situation = Situation::new(&pack, "c").unwrap();
    let deck = pack.deck_id("fate").unwrap();
    for card in &case.gone {
        situation.decks[deck].take(*card).unwrap();
    }
    for member in 1..=members {
        situation.give(&format!("man.{member}.skill"), &member.to_string()).unwrap();
    }
    let asked = OddsOptions { follow: Follow::when(follow), ..OddsOptions::default() };
    // Full exploration is slow: what needs long is not compared.
    let few = OddsOptions { most: Some(20_000), ..asked.clone() };
    let (fast, slow) = (odds(&situation, &asked), odds_by_running(&situation, &few));
    match (fast, slow) {
        (Ok(fast), Ok(slow)) => prop_assert_eq!(told(&fast), told(&slow)),
        (_, Err(OddsError::TooLarge(_))) => {}
        (fast, slow) => prop_assert_eq!(fast.is_ok(), slow.is_ok(), "{:?} {:?}", fast, slow),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn cards_and_look_ups_agree_with_running_every_way(case in case("", "read = { value = \"SUM\" }")) {
        agree(&case, 0, false)?;
    }

    #[test]
    fn results_by_rows_agree_too(
        case in case(
            "ask = { n = { number = \"N\", from = 0, to = 20, default = 2 } }",
            "read = { score = \"SUM + n\", rows = [{ to = 6, all = \"low\" }, { all = \"high\" }] }",
        )
    ) {
        agree(&case, 0, false)?;
    }

    #[test]
    fn several_units_agree_too(
        case in case(
            "who = { man = \"man\" }\neach = \"man\"\ntally = [{ count = \"man.skill > 0\", at_least = 2, result = \"miss\", label = \"Two\" }]",
            "read = { score = \"SUM + man.skill\", rows = [{ to = 5, all = \"low\" }, { all = \"high\" }] }",
        )
    ) {
        agree(&case, 2, false)?;
    }
}
