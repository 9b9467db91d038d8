#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Chains of charts followed to their ends: every follow-up counts, and so does every change to a
//! unit in between.

#[allow(dead_code)]
mod twin;

use adjutant_engine::{Follow, OddsError, OddsOptions, OddsReport, odds};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;
use std::collections::BTreeMap;
use twin::*;

const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n\
    [unit.man]\ntitle = \"Man\"\nhas = { skill = { number = \"Skill\", from = 0, to = 9, default = 2 } }\n\
    [status.hurt]\ntitle = \"Hurt\"\nof = \"man\"\n[status.dead]\ntitle = \"Dead\"\nof = \"man\"\nout = true\n\
    [result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\nsaved = { title = \"Saved\", of = \"man\" }\n\
    dead = { title = \"Dead\", of = \"man\", effects = [ { status = \"dead\" } ] }\n\
    [chart.all]\ntitle = \"All\"\nwho = { man = \"man\" }\nlands_on = \"man\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
    read = { rows = [ { to = 1, all = \"miss\" }, { to = 2, all = \"hit\" }, { to = 3, all = \"saved\" }, { all = \"dead\" } ] }\n";

fn read(rest: &str) -> Pack {
    read_pack(&Files::of([("pack.toml", format!("{HEAD}{rest}"))]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// The odds at the ends of the chain, with a command's inputs: those of the first chart are for
/// later charts too.
fn follow(pack: &Pack, line: &str, later: &[(&str, &str)]) -> Result<OddsReport, OddsError> {
    let given = line.split_whitespace().skip(1).map(|word| word.split_once('=').unwrap());
    let later = given
        .chain(later.iter().copied())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    odds(
        &situation(pack, line),
        &OddsOptions { follow: Follow::chain(), later, ..OddsOptions::default() },
    )
}

fn ends(pack: &Pack, line: &str, later: &[(&str, &str)]) -> BTreeMap<String, String> {
    let report = follow(pack, line, later).unwrap_or_else(|stop| panic!("{line}: {stop:?}"));
    shown(&told(&report.branches[0].spread))
        .into_iter()
        .map(|(name, chance)| (name.to_owned(), chance))
        .collect()
}

fn list(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, chance)| ((*name).to_owned(), (*chance).to_owned())).collect()
}

/// A shot hits on 4+; then each man in `next` rolls for armour, which fails on a 6.
fn shot(next: &str) -> Pack {
    read(&format!(
        "[chart.shot]\ntitle = \"Shot\"\nwho = {{ a = \"man\", b = \"man\" }}\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\n\
         read = {{ rows = [ {{ to = 3, all = \"miss\" }}, {{ all = \"hit\", next = [ {next} ] }} ] }}\n\
         [chart.armour]\ntitle = \"Armour\"\nwho = {{ man = \"man\" }}\nlands_on = \"man\"\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\n\
         read = {{ rows = [ {{ to = 5, all = \"saved\" }}, {{ all = \"dead\" }} ] }}\n"
    ))
}

#[test]
fn every_one_of_several_follow_ups_is_followed() {
    let both = "{ chart = \"armour\", who = { man = \"b\" } }, { chart = \"armour\", who = { man = \"a\" } }";
    let pack = shot(both);
    let want = [
        ("miss", "1/2"),
        ("saved on a", "5/12"),
        ("saved on b", "5/12"),
        ("dead on a", "1/12"),
        ("dead on b", "1/12"),
    ];
    assert_eq!(ends(&pack, "shot", &[]), list(&want));
    let spread = &follow(&pack, "shot", &[]).unwrap().branches[0].spread;
    assert!(spread.several_ends, "the chances add up to more than one, and the report says so");
    assert!(spread.mean().is_none() && spread.values.is_empty());
    // With one follow-up all ends are mutually exclusive.
    let one = shot("{ chart = \"armour\", who = { man = \"b\" } }");
    assert_eq!(
        ends(&one, "shot", &[]),
        list(&[("miss", "1/2"), ("saved on b", "5/12"), ("dead on b", "1/12")])
    );
    assert!(!follow(&one, "shot", &[]).unwrap().branches[0].spread.several_ends);
}

#[test]
fn what_comes_twice_counts_as_coming_once() {
    // Two rolls for the same man: saved at least once unless the first kills. The second is not
    // rolled for a dead man.
    let twice = "{ chart = \"armour\", who = { man = \"a\" } }, { chart = \"armour\", who = { man = \"a\" } }";
    let want = [("miss", "1/2"), ("saved on a", "5/12"), ("dead on a", "11/72")];
    assert_eq!(ends(&shot(twice), "shot", &[]), list(&want));
}

#[test]
fn attacks_that_land_together_are_both_rolled() {
    let duel = |together: &str| {
        read(&format!(
            "[chart.duel]\ntitle = \"Duel\"\nwho = {{ a = \"man\", b = \"man\" }}\nread = {{ rows = [ {{ all = \"hit\", next = [ \
             {{ chart = \"blow\", who = {{ by = \"a\", at = \"b\" }} }}, {{ chart = \"blow\", who = {{ by = \"b\", at = \"a\" }} }} ] }} ] }}\n\
             [chart.blow]\ntitle = \"Blow\"\nwho = {{ by = \"man\", at = \"man\" }}\nlands_on = \"at\"\n{together}\
             step = [ {{ roll = \"1d2\", as = \"die\" }} ]\nread = {{ rows = [ {{ to = 1, all = \"saved\" }}, {{ all = \"dead\" }} ] }}\n"
        ))
    };
    let half =
        [("saved on a", "1/2"), ("saved on b", "1/2"), ("dead on a", "1/2"), ("dead on b", "1/2")];
    assert_eq!(ends(&duel("together = true\n"), "duel", &[]), list(&half));
    // One after the other, a dead man does not strike back.
    let first =
        [("saved on a", "1/4"), ("saved on b", "1/2"), ("dead on a", "1/4"), ("dead on b", "1/2")];
    assert_eq!(ends(&duel(""), "duel", &[]), list(&first));
}

#[test]
fn a_unit_keeps_its_values_whatever_role_it_takes() {
    let pack = read(
        "[chart.meet]\ntitle = \"Meet\"\nwho = { a = \"man\", b = \"man\" }\nread = { rows = [ { all = \"hit\", next = [ \
         { chart = \"test\", who = { a = \"b\", b = \"a\" } } ] } ] }\n\
         [chart.test]\ntitle = \"Test\"\nwho = { a = \"man\", b = \"man\" }\nread = { value = \"10 * a.skill + b.skill\" }\n",
    );
    // In the second chart the roles are swapped.
    let found = ends(&pack, "meet", &[("a.skill", "3"), ("b.skill", "4")]);
    assert_eq!(found, list(&[("43", "1"), ("= 43", "1")]));
}

/// Two hits kill a man: the first wounds, and the chart calls itself while rolls are left.
fn bleeding() -> Pack {
    let again = "next = [ { chart = \"bleed\", when = \"left > 1\", who = { man = \"man\" }, with = { left = \"left - 1\" } } ]";
    read(&format!(
        "[chart.bleed]\ntitle = \"Bleed\"\nwho = {{ man = \"man\" }}\nlands_on = \"man\"\n\
         ask = {{ left = {{ number = \"Left\", from = 1, to = 9 }} }}\nstep = [ {{ roll = \"1d2\", as = \"die\" }} ]\n\
         read = {{ rows = [ {{ when = \"die == 1\", all = \"miss\", {again} }}, {{ when = \"man.hurt\", all = \"dead\" }}, \
         {{ all = \"hit\", effects = [ {{ on = \"man\", status = \"hurt\" }} ], {again} }} ] }}\n"
    ))
}

#[test]
fn a_change_to_a_given_value_is_not_forgotten() {
    let pack = bleeding();
    // Two of three coins, two of four.
    for (line, chance) in [
        ("left=3", "1/2"),
        ("man.hurt=no left=3", "1/2"),
        ("left=4", "11/16"),
        ("man.hurt=no left=4", "11/16"),
    ] {
        assert_eq!(ends(&pack, &format!("bleed {line}"), &[])["dead on man"], chance, "{line}");
    }
}

#[test]
fn a_change_to_a_given_number_is_not_forgotten() {
    let again = "next = [ { chart = \"learn\", when = \"left > 1\", who = { man = \"man\" }, with = { left = \"left - 1\" } } ]";
    let pack = read(&format!(
        "[chart.learn]\ntitle = \"Learn\"\nwho = {{ man = \"man\" }}\nlands_on = \"man\"\n\
         ask = {{ left = {{ number = \"Left\", from = 1, to = 9 }} }}\nstep = [ {{ roll = \"1d2\", as = \"die\" }} ]\n\
         read = {{ rows = [ {{ when = \"die == 1\", all = {{ result = \"miss\", value = \"man.skill\" }}, {again} }}, \
         {{ all = {{ result = \"hit\", value = \"man.skill\" }}, effects = [ {{ on = \"man\", add = \"skill\", by = 1 }} ], {again} }} ] }}\n"
    ));
    // The last of three charts reads the skill after two coins.
    let want = [("= 2", "1/4"), ("= 3", "1/2"), ("= 4", "1/4")];
    for line in ["learn left=3", "learn man.skill=2 left=3"] {
        let found: BTreeMap<String, String> =
            ends(&pack, line, &[]).into_iter().filter(|(name, _)| name.starts_with('=')).collect();
        assert_eq!(found, list(&want), "{line}");
    }
    // It never leaves its range.
    assert_eq!(ends(&pack, "learn man.skill=9 left=3", &[])["= 9"], "1");
}

#[test]
fn a_change_counts_also_where_the_first_chart_does_not_read_the_value() {
    let pack = read(
        "[chart.teach]\ntitle = \"Teach\"\nwho = { pupil = \"man\" }\nread = { rows = [ { all = \"hit\", \
         effects = [ { on = \"pupil\", add = \"skill\", by = 3 } ], next = [ { chart = \"exam\", who = { man = \"pupil\" } } ] } ] }\n\
         [chart.exam]\ntitle = \"Exam\"\nwho = { man = \"man\" }\nread = { value = \"man.skill\" }\n",
    );
    assert!(ends(&pack, "teach", &[]).contains_key("= 5"), "the default and three");
    assert!(
        ends(&pack, "teach", &[("pupil.skill", "4")]).contains_key("= 7"),
        "as the first chart calls him"
    );
    assert!(
        ends(&pack, "teach", &[("man.skill", "1")]).contains_key("= 4"),
        "as the last chart calls him"
    );
}

#[test]
fn of_several_units_those_without_a_follow_up_are_told_too() {
    let pack = read(
        "[result.due]\ntitle = \"Due\"\nof = \"man\"\nnext = [ { chart = \"armour\", who = { man = \"it\" } } ]\n\
         [chart.volley]\ntitle = \"Volley\"\nwho = { man = \"man\" }\neach = \"man\"\nlands_on = \"man\"\nstep = [ { roll = \"1d2\", as = \"die\" } ]\n\
         read = { rows = [ { to = 1, all = \"saved\" }, { all = \"due\" } ] }\n\
         [chart.armour]\ntitle = \"Armour\"\nwho = { man = \"man\" }\nlands_on = \"man\"\nread = { rows = [ { all = \"dead\" } ] }\n",
    );
    let found = ends(&pack, "volley man.x.skill=1 man.y.skill=1", &[]);
    for (name, chance) in [
        ("saved on man.x", "1/2"),
        ("saved on man.y", "1/2"),
        ("dead on man.x", "1/2"),
        ("dead on man.y", "1/2"),
    ] {
        assert_eq!(found.get(name).map(String::as_str), Some(chance), "{name}: {found:?}");
    }
}

#[test]
fn both_attacks_after_an_ambush_are_told() {
    let pack = pack("asl-starter-kit");
    let line = "ambush attacker.type=squad defender.type=squad";
    let found = ends(pack, line, &[("attacker.fp", "4"), ("defender.fp", "8")]);
    assert!(
        found.contains_key("all-eliminated on attacker")
            && found.contains_key("all-eliminated on defender"),
        "{found:?}"
    );
    // A missing input is named as in the first chart.
    let stop = follow(pack, line, &[("attacker.fp", "4")]).unwrap_err();
    assert!(en::odds_error(&stop).contains("Firepower"), "{stop:?}");
    assert!(
        matches!(&stop, OddsError::Needs(needs) if needs.iter().any(|need| need.key == "defender.fp")),
        "{stop:?}"
    );
}

#[test]
fn a_follow_up_lapses_as_in_a_game_if_its_own_result_puts_the_unit_out() {
    // A 6 kills at once. Then armour is rolled only as an immediate follow-up.
    let blow = |now: &str| {
        read(&format!(
            "[chart.blow]\ntitle = \"Blow\"\nwho = {{ man = \"man\" }}\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\n\
             read = {{ rows = [ {{ to = 3, all = \"miss\" }}, {{ all = \"hit\", effects = [ {{ status = \"dead\", on = \"man\", when = \"die == 6\" }} ], \
             next = [ {{ chart = \"armour\", who = {{ man = \"man\" }}{now} }} ] }} ] }}\n\
             [chart.armour]\ntitle = \"Armour\"\nwho = {{ man = \"man\" }}\nlands_on = \"man\"\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\n\
             read = {{ rows = [ {{ to = 5, all = \"saved\" }}, {{ all = \"dead\" }} ] }}\n"
        ))
    };
    let later =
        [("miss", "1/2"), ("hit", "1/6"), ("saved on man", "5/18"), ("dead on man", "1/18")];
    assert_eq!(ends(&blow(""), "blow", &[]), list(&later));
    let at_once = [("miss", "1/2"), ("saved on man", "5/12"), ("dead on man", "1/12")];
    assert_eq!(ends(&blow(", now = true"), "blow", &[]), list(&at_once));
}

/// A squad and its support fight one foe. The squad may lose men, and its support looks at what
/// their side has lost.
const ONE_SIDE: &str = "[memory]\nlost = { number = \"Lost\", from = 0, to = 9, default = 0, per = \"side\" }\n\
    [result.loses]\ntitle = \"Loses\"\nof = \"man\"\neffects = [ { remember = \"lost\", by = 1 } ]\n\
    [chart.clash]\ntitle = \"Clash\"\nwho = { squad = \"man\", support = \"man\", foe = \"man\" }\nlands_on = \"squad\"\n\
    enemies = { squad = \"foe\", support = \"foe\" }\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
    read = { rows = [ { to = 2, all = \"loses\" }, { all = \"saved\" } ], next = [ { chart = \"waver\", who = { man = \"WHO\" } } ] }\n\
    [chart.waver]\ntitle = \"Waver\"\nwho = { man = \"man\" }\nlands_on = \"man\"\nstep = [ { work_out = \"side.lost\", as = \"lost\" } ]\n\
    read = { rows = [ { to = 0, all = \"hit\" }, { all = \"miss\" } ] }\n";

#[test]
fn what_a_side_remembers_is_shared_by_its_units() {
    let pack = |who: &str| read(&ONE_SIDE.replace("WHO", who));
    let wavers = list(&[("hit", "2/3"), ("miss", "1/3")]);
    assert_eq!(ends(&pack("squad"), "clash", &[]), wavers, "its own loss");
    assert_eq!(ends(&pack("support"), "clash", &[]), wavers, "they have an enemy in common");
    assert_eq!(ends(&pack("foe"), "clash", &[]), list(&[("hit", "1")]), "not the enemy's");
    let given = ends(&pack("support"), "clash", &[("squad.side.lost", "1")]);
    assert_eq!(given, list(&[("miss", "1")]), "a value given for one unit is its side's");
}

#[test]
fn a_memory_that_grows_stays_within_its_limits_as_in_a_game() {
    let chart = |id: &str, row: &str| {
        format!(
            "[chart.{id}]\ntitle = \"{id}\"\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\nread = {{ rows = [ {row} ] }}\n"
        )
    };
    let louder = |next: &str| {
        format!(
            "{{ all = \"miss\", effects = [ {{ remember = \"alarm\", by = 2 }} ], next = [ {{ chart = \"{next}\" }} ] }}"
        )
    };
    let pack = read(&format!(
        "[memory]\nalarm = {{ number = \"Alarm\", from = 0, to = 3, default = 0 }}\n{}{}{}",
        chart("one", &louder("two")),
        chart("two", &louder("three")),
        chart("three", "{ when = \"memory.alarm == 3\", all = \"hit\" }, { all = \"miss\" }"),
    ));
    assert_eq!(ends(&pack, "one", &[]), list(&[("hit", "1")]));
}
