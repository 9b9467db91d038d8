#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::type_complexity,
    clippy::unwrap_used,
    missing_docs
)]
//! The fast algorithm gives exactly the same weights as running the chart, for every chart and
//! random inputs.

use adjutant_dice::{Accepts, Number};
use adjutant_engine::{OddsOptions, Plan, Situation, odds, odds_by_running};
use adjutant_pack::{Pack, read_pack};
use proptest::prelude::*;

fn shipped() -> Vec<Pack> {
    adjutant_bundled_packs::IDS
        .iter()
        .map(|id| read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
        .collect()
}

/// A value that the input accepts, chosen by a number.
fn some_value(accepts: &Accepts, dice: u32) -> String {
    match accepts {
        Accepts::YesNo => if dice.is_multiple_of(3) { "yes" } else { "no" }.to_owned(),
        Accepts::Choice { words } => words[dice as usize % words.len()].id.to_string(),
        Accepts::Number { from, to, step } => {
            let steps =
                to.minus(*from).unwrap().over(*step).unwrap().floor().as_whole().unwrap().min(9);
            let at = i32::try_from(i64::from(dice) % (steps + 1)).unwrap();
            let low =
                (*from).max(Number::from(-3)).over(*step).unwrap().ceil().times(*step).unwrap();
            low.plus(step.times(Number::from(at)).unwrap()).unwrap().min(*to).to_string()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_short_way_agrees_with_running_the_chart(choices in prop::collection::vec(any::<u32>(), 24)) {
        for pack in shipped() {
            let chart = &pack.charts().as_slice()[choices[0] as usize % pack.charts().len()];
            let mut situation = Situation::new(&pack, &chart.id).unwrap();
            for (place, input) in chart.inputs.iter().enumerate() {
                situation.give(&input.name, &some_value(&input.field.accepts, choices[1 + place % 20])).unwrap();
            }
            for (place, option) in pack.options().iter().enumerate() {
                situation.set_option(&option.field.id, &some_value(&option.field.accepts, choices[21] >> (place % 16))).unwrap();
            }
            if Plan::new(&situation).is_some() && let Ok(run) = odds_by_running(&situation, &OddsOptions::default()) {
                let planned = odds(&situation, &OddsOptions::default()).unwrap();
                prop_assert_eq!(planned, run, "{}/{}: {:?}", pack.id(), chart.id, situation.given_inputs());
            }
        }
    }
}

#[test]
fn the_well_known_charts_have_a_short_way() {
    let given: [(&str, &str, &[(&str, &str)]); 8] = [
        (
            "panzer8",
            "fire",
            &[
                ("ammo", "hesa"),
                ("firer.hesa", "6"),
                ("target.def", "4"),
                ("soft", "yes"),
                ("hard", "yes"),
            ],
        ),
        ("panzer8", "tank-hunt", &[("target.def", "6"), ("hunter.tank_hunt", "5")]),
        ("panzer8", "rally", &[("lost", "4")]),
        ("chain-reaction", "pef-move", &[]),
        ("chain-reaction", "charge", &[("charger.rep", "4"), ("target.rep", "5")]),
        ("chain-reaction", "crisis", &[("reason", "fired_on"), ("figure.rep", "4")]),
        ("asl-starter-kit", "close-combat", &[("attacker.fp", "6"), ("defender.fp", "4")]),
        ("asl-starter-kit", "ambush", &[]),
    ];
    for (pack, chart, inputs) in given {
        let pack = read_pack(&adjutant_bundled_packs::files(pack).unwrap(), None).unwrap();
        let mut situation = Situation::new(&pack, chart).unwrap();
        for (name, value) in inputs {
            situation.give(name, value).unwrap();
        }
        assert!(Plan::new(&situation).is_some(), "{chart}");
        assert_eq!(
            odds(&situation, &OddsOptions::default()),
            odds_by_running(&situation, &OddsOptions::default()),
            "{chart}"
        );
    }
}
