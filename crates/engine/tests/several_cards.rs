#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Several cards at once: what they come to, and their odds against every order in which the cards
//! can come.

use adjutant_dice::{EnteredInput, InputSource};
use adjutant_engine::{OddsOptions, Situation, odds, odds_by_running, resolve};
use adjutant_pack::{Files, Pack, read_pack};
use proptest::prelude::*;
use std::collections::BTreeMap;

const DECK: &str = "card,title,luck,suit\n1,One,1,red\n2,Two,2,red\n3,Three,3,black\n4,Four,4,black\n\
    5,Again,1,black\n6,Blank,,\n";

fn pack(charts: &str) -> Pack {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.fate-deck]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n\
        [deck.fate-deck.field]\nluck = { number = \"Luck\", from = 0, to = 9 }\n\
        suit = { label = \"Suit\", choice = [\"red\", \"black\"] }\n";
    let files =
        Files::of([("pack.toml", format!("{head}{charts}")), ("deck.csv", DECK.to_owned())]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn chart(step: &str, value: &str) -> Pack {
    pack(&format!(
        "[chart.c]\ntitle = \"C\"\nask = {{ n = {{ number = \"Cards\", from = 0, to = 9 }} }}\n\
         step = [{{ draw = \"fate-deck\", {step} }}]\nread = {{ value = \"{value}\" }}\n"
    ))
}

fn situation<'p>(pack: &'p Pack, n: u32, gone: &[u32]) -> Situation<'p> {
    let mut situation = Situation::new(pack, "c").unwrap();
    if situation.chart().input("n").is_some() {
        situation.give("n", &n.to_string()).unwrap();
    }
    situation.take_out(gone).unwrap();
    situation
}

fn value_of(situation: &Situation<'_>, cards: &[u32]) -> i64 {
    let mut source = EnteredInput::new().with_cards(cards.to_vec());
    let found = resolve(&mut situation.clone(), &mut source).unwrap();
    source.finish().unwrap();
    found.value.unwrap().as_whole().unwrap()
}

/// Every order in which the cards can come, played: the reference.
fn played(situation: &Situation<'_>) -> BTreeMap<i64, (u64, u64)> {
    fn go(
        situation: &Situation<'_>,
        cards: &mut Vec<u32>,
        weight: (u64, u64),
        found: &mut BTreeMap<i64, (u64, u64)>,
    ) {
        let mut source = EnteredInput::new().with_cards(cards.clone());
        match resolve(&mut situation.clone(), &mut source) {
            Ok(resolution) => {
                let value = resolution.value.unwrap().as_whole().unwrap();
                let known = found.entry(value).or_insert((0, 1));
                *known = (known.0 * weight.1 + weight.0 * known.1, known.1 * weight.1);
                let shared = gcd(known.0, known.1);
                *known = (known.0 / shared, known.1 / shared);
            }
            Err(_) => {
                let fits: Vec<u32> = (1..=6)
                    .filter(|card| {
                        let next: Vec<u32> = cards.iter().copied().chain([*card]).collect();
                        let mut source = EnteredInput::new().with_cards(next);
                        let ran = resolve(&mut situation.clone(), &mut source);
                        ran.is_ok() || ran.is_err_and(|stopped| stopped.refused.is_none())
                    })
                    .collect();
                for card in &fits {
                    cards.push(*card);
                    go(situation, cards, (weight.0, weight.1 * fits.len() as u64), found);
                    cards.pop();
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    go(situation, &mut Vec::new(), (1, 1), &mut found);
    found
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn exact(situation: &Situation<'_>) -> BTreeMap<i64, String> {
    let asked = OddsOptions::default();
    let report = odds(situation, &asked).unwrap();
    let slow = odds_by_running(situation, &asked).unwrap();
    assert_eq!(format!("{:?}", report.branches), format!("{:?}", slow.branches));
    let values = report.branches[0].spread.values.iter();
    values.map(|(value, chance)| (value.as_whole().unwrap(), chance.exact())).collect()
}

#[test]
fn odds_of_several_cards_are_those_of_every_order() {
    let ways = [
        ("read = \"luck\", count = \"n\"", "card + 100 * card.cards"),
        ("read = \"luck\", count = \"n\", keep_highest = 2", "card + 10 * card.luck"),
        (
            "read = \"luck\", count = \"n\", keep_lowest = 1, tally = { red = \"face.suit == 'red'\" }",
            "card + 10 * card.red",
        ),
        (
            "count = \"n\", tally = { red = \"face.suit == 'red'\", high = \"face.luck >= 3\" }",
            "card.red + 10 * card.high + 100 * deck.fate_deck.left",
        ),
        ("read = \"luck\", count = \"n\", pass_at_least = 3", "card + 10 * card.highest"),
        ("count = \"n\", each = \"if(face.suit == 'none', 5, face.luck)\"", "card"),
    ];
    for (step, value) in ways {
        let pack = chart(step, value);
        for (n, gone) in
            [(0, &[][..]), (1, &[]), (3, &[]), (3, &[1, 4]), (4, &[1, 2, 3]), (2, &[1, 2, 3, 4, 5])]
        {
            let situation = situation(&pack, n, gone);
            let wanted: BTreeMap<i64, String> = played(&situation)
                .into_iter()
                .map(|(value, (ways, of))| {
                    (value, if of == 1 { ways.to_string() } else { format!("{ways}/{of}") })
                })
                .collect();
            assert_eq!(exact(&situation), wanted, "{step} {n} {gone:?}");
        }
    }
}

#[test]
fn several_cards_are_counted_like_dice() {
    let pack = chart(
        "read = \"luck\", count = \"n\", tally = { red = \"face.suit == 'red'\" }, keep_highest = 2",
        "card + 100 * card.red",
    );
    // 4 and 3 count; none of them is red.
    assert_eq!(value_of(&situation(&pack, 3, &[]), &[1, 3, 4]), 7);
    // 2 is red, the blank card counts as nothing.
    assert_eq!(value_of(&situation(&pack, 2, &[]), &[2, 6]), 102);
}

#[test]
fn the_number_of_cards_left_changes_while_a_chart_runs() {
    let pack = pack(
        "[chart.c]\ntitle = \"C\"\nstep = [ { work_out = \"deck.fate_deck.left\", as = \"before\" }, { draw = \"fate-deck\" }, \
         { look_up = \"two\", as = \"two\" } ]\nread = { value = \"before * 100 + two.value * 10 + deck.fate_deck.left\" }\n\
         [chart.two]\ntitle = \"Two\"\nstep = [ { draw = \"fate-deck\", count = 2 } ]\nread = { value = \"deck.fate_deck.left\" }\n",
    );
    let situation = situation(&pack, 0, &[3]);
    assert_eq!(value_of(&situation, &[1, 2, 4]), 522);
    assert_eq!(exact(&situation), BTreeMap::from([(522, "1".to_owned())]));
}

/// A step that draws, and what the value reads of it.
fn any_step(n: usize) -> impl Strategy<Value = (String, String)> {
    let name = format!("s{n}");
    let places = ["discard", "deck", "removed", "spent", "hand"];
    let one = (0..4_usize, any::<bool>()).prop_map({
        let name = name.clone();
        move |(to, again)| {
            let more = match again && to < 2 {
                true => format!(
                    "again = [ {{ when = \"{name}.suit == 'red'\", because = \"Red\", at_most = 1 }} ]"
                ),
                false => format!("when = \"deck.fate.left != {to}\""),
            };
            let step = format!(
                "{{ draw = \"fate\", as = \"{name}\", to = \"{}\", {more} }}",
                places[to]
            );
            (step, format!("{name}.number"))
        }
    });
    let several = (0..5_usize, 0..4_u32, 0..3_u32).prop_map(move |(to, count, keep)| {
        let keep = match keep {
            0 => String::new(),
            1 => ", keep_highest = 1".to_owned(),
            _ => ", keep_lowest = 2".to_owned(),
        };
        let count = if to == 4 { String::new() } else { format!(", count = {count}") };
        let step = format!(
            "{{ draw = \"fate\", as = \"{name}\", read = \"luck\", to = \"{}\"{count}{keep}, tally = {{ red = \"face.suit == 'red'\" }} }}",
            places[to]
        );
        (step, format!("({name} + 7 * {name}.red + 20 * {name}.cards)"))
    });
    prop_oneof![one, several]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_draws_have_the_odds_of_every_order(
        cards in prop::collection::vec((0..3_u32, 0..3_usize), 3..5),
        steps in (any_step(1), any_step(2)),
        reshuffles in any::<bool>(),
        gone in 0..4_u32,
    ) {
        let mut deck = "card,title,luck,suit\n".to_owned();
        for (n, (luck, suit)) in cards.iter().enumerate() {
            let suit = ["red", "black", ""][*suit];
            let luck = if *luck == 0 { String::new() } else { luck.to_string() };
            deck.push_str(&format!("{},Card {n},{luck},{suit}\n", n + 1));
        }
        let empty = if reshuffles { "" } else { "empty = { reshuffle = false }\n" };
        let ((one, first), (two, second)) = steps;
        let text = format!(
            "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n{empty}piles = [\"spent\"]\nhand = {{ of = \"side\", size = 2 }}\n\
             [deck.fate.field]\nluck = {{ number = \"Luck\", from = 0, to = 9 }}\nsuit = {{ label = \"Suit\", choice = [\"red\", \"black\"] }}\n\
             [chart.c]\ntitle = \"C\"\nstep = [ {one}, {two} ]\nread = {{ value = \"{first} * 1000 + {second} * 10 + deck.fate.left\" }}\n"
        );
        let files = Files::of([("pack.toml", text.clone()), ("deck.csv", deck)]);
        let pack = read_pack(&files, None).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
        let mut situation = Situation::new(&pack, "c").unwrap();
        situation.take_out(&(1..=gone.min(cards.len() as u32)).collect::<Vec<_>>()).unwrap();
        let wanted: BTreeMap<i64, String> = played(&situation)
            .into_iter()
            .map(|(value, (ways, of))| {
                (value, if of == 1 { ways.to_string() } else { format!("{ways}/{of}") })
            })
            .collect();
        prop_assert_eq!(exact(&situation), wanted, "{}", text);
    }
}
