#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Chains of charts without a limit of their own: what comes back to where it was is solved, what is
//! too long is cut, and what cannot be followed is named with its chance.

#[allow(dead_code)]
mod twin;

use adjutant_engine::{
    Distribution, Follow, NotFollowed, OddsOptions, Sampler, Situation, Stop, Tally, odds,
    odds_by_running, odds_of_series,
};
use adjutant_pack::{Files, Pack, Relation, read_pack};
use std::collections::BTreeMap;
use twin::*;

const HEAD: &str = r#"
[pack]
id = "t"
title = "T"
[unit.man]
title = "Man"
has = { left = { number = "Left", from = 0, to = 50, default = 20 } }
[status.pinned]
title = "Pinned"
of = "man"
[status.dead]
title = "Dead"
of = "man"
out = true
[result]
stop = { title = "Stop" }
more = { title = "More" }
hurt = { title = "Hurt", of = "man", effects = [ { status = "pinned" }, { status = "dead" } ] }
[chart.all]
title = "All"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 1, all = "stop" }, { to = 2, all = "hurt" }, { all = "more" } ] }
"#;

fn pack(rest: &str) -> Pack {
    read_pack(&Files::of([("pack.toml", format!("{HEAD}{rest}"))]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn following() -> OddsOptions {
    OddsOptions { follow: Follow::chain(), ..OddsOptions::default() }
}

/// The distribution of a followed chain. Chains that end make exactly one together with those that
/// are cut.
fn followed(pack: &Pack, line: &str) -> Distribution {
    let report = odds(&situation(pack, line), &following()).unwrap();
    report.branches.into_iter().next().unwrap().spread
}

fn results(spread: &Distribution) -> BTreeMap<String, String> {
    let found = told(spread);
    shown(&found).into_iter().map(|(name, chance)| (name.to_owned(), chance)).collect()
}

fn list(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, chance)| ((*name).to_owned(), (*chance).to_owned())).collect()
}

/// What is left out: title, why, chance.
fn left_out(spread: &Distribution) -> Vec<(&str, NotFollowed, String)> {
    let list = spread.unfollowed.iter();
    list.map(|known| (known.what.title.as_str(), known.what.why, known.chance.exact())).collect()
}

#[test]
fn a_long_chain_is_followed_to_its_end() {
    let pack = pack(
        r#"
[chart.count]
title = "Count"
who = { man = "man" }
ask = { left = { number = "Left", from = 0, to = 900 } }
read = { rows = [ { when = "left == 0", label = "Done", all = "stop" }, { label = "Not yet", all = "more", next = [ { chart = "count", why = "again", who = { man = "man" }, with = { left = "left - 1" }, now = true } ] } ] }
"#,
    );
    for left in [8, 9, 50, 400] {
        let spread = followed(&pack, &format!("count left={left}"));
        assert_eq!(results(&spread), list(&[("stop", "1")]), "{left}");
        assert_eq!(left_out(&spread), [], "{left}");
    }
}

/// A test that is taken again on 5 and 6, and changes the man each time.
fn again(effects: &str, when: &str) -> Pack {
    pack(&format!(
        r#"
[chart.flip]
title = "Flip"
who = {{ man = "man" }}
step = [ {{ roll = "1d6" }} ]
read = {{ rows = [ {{ to = 1, all = "stop" }}, {{ to = 4, all = "fine" }}, {{ all = "again" }} ] }}
[result.fine]
title = "Fine"
of = "man"
[result.again]
title = "Again"
of = "man"
effects = [ {effects} ]
next = [ {{ chart = "flip", why = "again", who = {{ man = "it" }}, now = true{when} }} ]
"#
    ))
}

#[test]
fn a_chain_that_comes_back_is_solved() {
    // One of four that end: of the six faces two roll again.
    let all = list(&[("fine on man", "3/4"), ("stop", "1/4")]);
    for effects in
        ["", "{ status = \"pinned\" }", "{ set = \"left\", to = 3 }", "{ lift = \"pinned\" }"]
    {
        let spread = followed(&again(effects, ""), "flip");
        assert_eq!(results(&spread), all, "{effects}");
        assert_eq!(left_out(&spread), [], "{effects}");
    }
}

#[test]
fn a_chain_that_wears_a_value_down_ends_with_it() {
    let pack = pack(
        r#"
[chart.wear]
title = "Wear"
who = { man = "man" }
step = [ { roll = "1d2" } ]
read = { rows = [ { when = "man.left <= 1", label = "Last", all = "stop" }, { label = "Not yet", all = "tick" } ] }
[result.tick]
title = "Tick"
of = "man"
effects = [ { add = "left", by = -1 } ]
next = [ { chart = "wear", why = "again", who = { man = "it" }, now = true } ]
"#,
    );
    assert_eq!(results(&followed(&pack, "wear man.left=50")), list(&[("stop", "1")]));
}

#[test]
fn a_chain_without_an_end_says_so() {
    let spread = followed(
        &pack(
            r#"
[chart.flip]
title = "Flip"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 1, all = "stop" }, { all = "more", next = [ { chart = "ever", why = "on", who = { man = "man" } } ] } ] }
[chart.ever]
title = "Ever"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { all = "more", next = [ { chart = "ever", why = "on", who = { man = "man" } } ] } ] }
"#,
        ),
        "flip",
    );
    assert_eq!(results(&spread), list(&[("cut", "5/6"), ("stop", "1/6")]));
    assert_eq!(left_out(&spread), [("Flip", NotFollowed::Endless, "5/6".to_owned())]);
}

#[test]
fn a_chain_that_grows_is_cut_and_the_cut_has_its_chance() {
    // Each test is followed by none or by two more: as likely as not it never ends.
    let pack = pack(
        r#"
[chart.split]
title = "Split"
who = { man = "man" }
step = [ { roll = "1d4" } ]
read = { rows = [ { is = 1, all = "stop" }, { all = "more", next = [ { chart = "split", why = "two", who = { man = "man" }, times = 2 } ] } ] }
"#,
    );
    let report = odds(&situation(&pack, "split"), &following()).unwrap();
    let spread = &report.branches[0].spread;
    let found = results(spread);
    let (what, why, chance) = &left_out(spread)[0];
    assert_eq!((*what, *why), ("Split", NotFollowed::TooLong));
    assert_eq!(found["cut"], *chance);
    // By hand: such a chain dies out with a chance of 1/3, so more than 2/3 is cut.
    let percent = spread.unfollowed[0].chance.percent();
    assert!((66.6..75.0).contains(&percent), "{percent}");
    let all = adjutant_engine::Chance::sum(spread.results.iter().map(|one| &one.chance));
    assert_eq!(all.exact(), "1");
}

/// A move that enemies may fire at.
const MOVE: &str = r#"
[chart.move]
title = "Move"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 2, all = "stop" }, { all = "more", next = [ { chart = "fire", why = "seen", for = "enemy", of = "man", role = "man", when = "!other.dead" } ] } ] }
[chart.fire]
title = "Fire"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { all = "stop" } ] }
[chart.hit]
title = "Hit"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { all = "more", next = [ { chart = "who-falls", why = "one of them", who = { man = "man" }, for = "group", of = "man", role = "man", all = true, now = true } ] } ] }
[chart.who-falls]
title = "Who falls"
who = { man = "man" }
each = "man"
step = [ { roll = "1d6" } ]
read = { rows = [ { all = "stop" } ] }
"#;

#[test]
fn a_chart_for_other_units_is_named_with_its_chance() {
    let pack = pack(MOVE);
    let spread = followed(&pack, "move");
    assert_eq!(results(&spread), list(&[("more", "2/3"), ("stop", "1/3")]));
    let enemy = NotFollowed::Others(Relation::Enemy);
    assert_eq!(left_out(&spread), [("Fire", enemy, "2/3".to_owned())]);
    let spread = followed(&pack, "hit");
    let group = NotFollowed::Others(Relation::Group);
    assert_eq!(left_out(&spread), [("Who falls", group, "1".to_owned())]);
    // Running every way leaves out the same, and so do samples.
    let slow = odds_by_running(&situation(&pack, "move"), &following()).unwrap();
    assert_eq!(left_out(&slow.branches[0].spread), [("Fire", enemy, "2/3".to_owned())]);
    let sampler = Sampler::new(&situation(&pack, "move"), &following()).unwrap();
    let left = sampler.unfollowed(&Tally::default());
    assert_eq!(left.iter().map(|what| what.title.as_str()).collect::<Vec<_>>(), ["Fire"]);
}

#[test]
fn a_unit_that_was_destroyed_on_the_way_is_not_shot_again() {
    let pack = pack(
        r#"
[chart.volley]
title = "Volley"
who = { man = "man", foe = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { all = "more", next = [ { chart = "shot", why = "three shots", who = { man = "man" }, times = 3 } ] } ] }
[chart.shot]
title = "Shot"
who = { man = "man", foe = "man" }
step = [ { roll = "1d2" } ]
read = { rows = [ { to = 1, all = "miss" }, { all = "killed", on = "foe" } ] }
[result.miss]
title = "Miss"
[result.killed]
title = "Killed"
of = "man"
effects = [ { status = "dead" } ]
"#,
    );
    let spread = followed(&pack, "volley");
    // 1/2, 1/4, 1/8 with the first, second and third shot; then no more shots at him.
    let found = results(&spread);
    assert_eq!(found["killed on foe"], "7/8");
    assert_eq!(found["miss"], "1/2");
    assert_eq!(left_out(&spread), [("Shot", NotFollowed::NoUnit, "3/4".to_owned())]);
}

#[test]
fn who_returns_fire_hits_the_one_who_fired() {
    let pack = pack(
        r#"
[chart.shoot]
title = "Shoot"
who = { shooter = "man", target = "man" }
each = "target"
step = [ { roll = "1d6" } ]
read = { rows = [ { when = "die > target.left", label = "Over", all = "killed", on = "target" }, { all = "missed", on = "target" } ] }
[chart.react]
title = "React"
who = { man = "man", cause = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 4, all = "returns", on = "man" }, { all = "runs", on = "man" } ] }
[result.killed]
title = "Killed"
of = "man"
effects = [ { status = "dead" } ]
[result.missed]
title = "Missed"
of = "man"
next = [ { chart = "react", why = "missed", who = { man = "it", cause = "shooter" }, now = true } ]
[result.returns]
title = "Returns"
of = "man"
next = [ { chart = "shoot", why = "back", who = { shooter = "it", target = "cause" }, now = true } ]
[result.runs]
title = "Runs"
of = "man"
"#,
    );
    // The target falls on 5 or 6, the shooter on 4 to 6; who is missed returns fire on 1 to 4.
    // t = 1/3 + 2/3 · 2/3 · (1/2 · 2/3 · t) = 9/23.
    let later = ["shooter.left", "target.left"].map(str::to_owned);
    let later = later.into_iter().zip(["3".to_owned(), "4".to_owned()]).collect();
    let options = OddsOptions { later, ..following() };
    let report = odds(&situation(&pack, "shoot target.left=4"), &options).unwrap();
    let expected = list(&[
        ("killed on shooter", "6/23"),
        ("killed on target", "9/23"),
        ("runs on shooter", "2/23"),
        ("runs on target", "6/23"),
    ]);
    assert_eq!(results(&report.branches[0].spread), expected);
}

#[test]
fn what_was_passed_to_a_shot_does_not_hold_for_the_shot_after_the_next_test() {
    let pack = pack(
        r#"
[chart.shoot]
title = "Shoot"
who = { shooter = "man", target = "man" }
ask = { hasty = { yes_no = "Hasty" } }
step = [ { roll = "1d6" } ]
read = { rows = [ { when = "die == 6 || die == 5 && !hasty", label = "High", all = "killed", on = "target" }, { all = "missed", on = "target" } ] }
[chart.react]
title = "React"
who = { man = "man", cause = "man" }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 3, all = "hastily", on = "man" }, { all = "calmly", on = "man" } ] }
[result.killed]
title = "Killed"
of = "man"
effects = [ { status = "dead" } ]
[result.missed]
title = "Missed"
of = "man"
next = [ { chart = "react", why = "missed", who = { man = "it", cause = "shooter" }, now = true } ]
[result.hastily]
title = "Hastily"
of = "man"
next = [ { chart = "shoot", why = "back", who = { shooter = "it", target = "cause" }, with = { hasty = "yes" }, now = true } ]
[result.calmly]
title = "Calmly"
of = "man"
next = [ { chart = "shoot", why = "back", who = { shooter = "it", target = "cause" }, now = true } ]
"#,
    );
    // Who shoots next wins with s = (n + h)/2, calmly n = 1/3 + 2/3 · (1 − s), hastily
    // h = 1/6 + 5/6 · (1 − s): s = 4/7, n = 13/21.
    let expected = list(&[("killed on shooter", "8/21"), ("killed on target", "13/21")]);
    assert_eq!(results(&followed(&pack, "shoot")), expected);
}

#[test]
fn the_numbers_of_several_charts_are_told_apart() {
    let pack = pack(
        r#"
[chart.fire]
title = "Fire"
who = { man = "man" }
step = [ { roll = "1d6" } ]
read = { value = "die", next = [ { chart = "damage", why = "hit", who = { man = "man" }, when = "value >= 5" } ] }
[chart.damage]
title = "Damage"
who = { man = "man" }
step = [ { roll = "1d2" } ]
read = { value = "die" }
"#,
    );
    let spread = followed(&pack, "fire");
    assert!(spread.values.is_empty(), "{:?}", spread.values);
    let tables: Vec<(String, Vec<String>)> = spread
        .numbers
        .iter()
        .map(|table| {
            let chances = table.values.iter().map(|(n, chance)| format!("{n}: {}", chance.exact()));
            (table.chart.to_string(), chances.collect())
        })
        .collect();
    let sixth = |n: u32| format!("{n}: 1/6");
    assert_eq!(
        tables,
        [
            ("fire".to_owned(), (1..=4).map(sixth).collect()),
            ("damage".to_owned(), vec![sixth(1), sixth(2)])
        ]
    );
    let all = adjutant_engine::Chance::sum(spread.results.iter().map(|one| &one.chance));
    assert_eq!(all.exact(), "1");
}

#[test]
fn a_chain_that_takes_too_long_ends_at_its_limit() {
    let pack = again("", "");
    let stop = OddsOptions { stop: Stop::when(|| true), ..following() };
    assert!(odds(&situation(&pack, "flip"), &stop).is_err());
}

#[test]
fn samples_know_the_exact_chances_that_odds_know() {
    // A pool of so many dice has too many ways to try, but is counted at once.
    let pack = pack(
        r#"
[chart.pool]
title = "Pool"
step = [ { roll = "14d6", pass_at_least = 5 } ]
read = { value = "die" }
"#,
    );
    let pool = Situation::new(&pack, "pool").unwrap();
    assert!(odds(&pool, &OddsOptions::default()).is_ok());
    let sampler = Sampler::new(&pool, &OddsOptions::default()).unwrap();
    assert!(sampler.is_exact());
    let again = again("", "");
    let sampler = Sampler::new(&situation(&again, "flip"), &following()).unwrap();
    assert!(sampler.is_exact());
}

const HAND: &str = r#"
[pack]
id = "t"
title = "T"
[deck.fate]
title = "Fate"
file = "deck.csv"
hand = { of = "side", size = 2 }
[deck.fate.field]
luck = { number = "Luck" }
[chart.c]
title = "C"
step = [ { play = "fate", as = "card" } ]
read = { value = "card.luck" }
"#;

#[test]
fn a_card_that_was_played_is_used_up() {
    let text = HAND.to_owned();
    let cards = "card,title,luck\n1,One,1\n2,Two,2\n3,Three,3\n";
    let pack = read_pack(&Files::of([("pack.toml", text), ("deck.csv", cards.to_owned())]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut hand = Situation::new(&pack, "c").unwrap();
    hand.put_in_hand(&[1, 2]).unwrap();
    let series = odds_of_series(&hand, &OddsOptions::default(), 2).unwrap();
    for branch in &series.branches {
        let counts: Vec<(Vec<u32>, String)> = branch
            .likeliest()
            .into_iter()
            .map(|(counts, chance)| (counts.to_vec(), chance.exact()))
            .collect();
        assert_eq!(counts, [(vec![1, 1], "1".to_owned())], "{:?}", branch.answers);
        assert!(branch.one_deck);
    }
}
