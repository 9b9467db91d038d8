#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Valid packs that a careless check would reject.

mod common;

use common::*;

#[test]
fn the_check_knows_what_dice_can_give() {
    let kept = |more: &str| {
        format!("step = [ {{ roll = \"3d6\", as = \"die\", keep_lowest = 2{more} }} ]\n")
    };
    sound_chart(&format!(
        "{}read = {{ rows = [ {{ is = 2, all = \"miss\" }}, {{ to = 12, all = \"hit\" }} ] }}\n",
        kept("")
    ));
    sound_chart(&format!(
        "{DIE}read = {{ score = \"die.highest\", rows = [ {{ is = 1, all = \"miss\" }}, {{ from = 2, all = \"hit\" }} ] }}\n"
    ));
    sound_chart(
        "step = [ { roll = \"d6\", count = \"3 / 2\", as = \"die\" } ]\nread = { rows = [ { is = 1, all = \"miss\" }, { to = 6, all = \"hit\" } ] }\n",
    );
    sound_chart(
        "step = [ { roll = \"d6\", count = 1, as = \"die\", add = [ { label = \"A\", dice = 1, best_of = \"x\" }, { label = \"B\", dice = 2, best_of = \"x\" } ] } ]\nread = { rows = [ { is = 1, all = \"miss\" }, { to = 24, all = \"hit\" } ] }\n",
    );
}

#[test]
fn a_step_that_may_be_skipped_counts_as_nothing() {
    let skipped = "ask = { far = { yes_no = \"Far\" } }\nstep = [ { roll = \"1d6\", as = \"die\", when = \"far\" } ]\n";
    sound_chart(&format!(
        "{skipped}read = {{ rows = [ {{ when = \"die.natural == 0\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
    ));
    sound_chart(&format!(
        "{skipped}read = {{ rows = [ {{ when = \"die.highest == 0\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
    ));
    sound_chart(&format!(
        "{skipped}read = {{ rows = [ {{ to = 0, all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
    ));
}

#[test]
fn a_limit_that_has_no_limit_does_not_bound_the_total() {
    let ratio = "ask = { a = { number = \"A\", from = 0, to = 9 }, b = { number = \"B\", from = 0, to = 9 } }\n";
    let clamp = |key: &str, to: &str| {
        format!(
            "{ratio}step = [ {{ roll = \"1d6\", as = \"die\", {key} = \"a / b\" }} ]\nread = {{ rows = [ {{ to = {to}, all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
        )
    };
    sound_chart(&clamp("most", "0"));
    sound_chart(&clamp("least", "6"));
}

#[test]
fn an_again_rule_speaks_of_the_roll_before_its_modifiers() {
    sound_chart(&format!(
        "step = [ {{ roll = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1 }} ], again = [ {{ when = \"die == 1\", because = \"B\" }} ] }} ]\n{ROWS}"
    ));
}

#[test]
fn a_chart_looked_up_may_yield_nothing() {
    let there = "[chart.there]\ntitle = \"There\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\nread = { rows = [ { to = 3, all = { value = 5 } }, { all = \"hit\" } ] }\n";
    let here = |when: &str| {
        format!(
            "step = [ {{ look_up = \"there\", as = \"l\" }} ]\nread = {{ rows = [ {{ when = \"{when}\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n{there}"
        )
    };
    sound_chart(&here("l.value == 0"));
    sound_chart(&here("l.result == 'none'"));
}

#[test]
fn a_chart_is_told_with_the_units_it_changes_and_what_follows() {
    let text = "[result]\nback = { title = \"Back\", of = \"tank\", effects = [ { add = \"armour\", by = -1 }, { status = \"pinned\", all = true } ], \
                next = [ { chart = \"run\", why = \"Beaten\", who = { tank = \"foe\" }, with = { far = 2 }, now = true } ] }\n";
    let charts = "[chart.c]\ntitle = \"C\"\nwho = { own = \"tank\", foe = \"tank\" }\nlands_on = \"own\"\n\
                  ask = { ours = { number = \"Ours\", from = 1, to = 9 } }\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
                  read = { column = \"if(ours > 5, '2-1', 'one-to-one')\", rows = [ { 2-1 = \"back\", one-to-one = \"back\" } ] }\n\
                  [chart.run]\ntitle = \"Run\"\nwho = { tank = \"tank\" }\nask = { far = { number = \"Far\", from = 1, to = 3 } }\nread = { value = \"far\" }\n";
    let pack = adjutant_pack::read_pack(
        &adjutant_pack::Files::of([("pack.toml", format!("{HEAD}{UNITS}{text}{charts}"))]),
        None,
    )
    .unwrap();
    let chart = pack.charts().first().unwrap();
    let told = [
        "own: armour −1",
        "own and all with it: Now Pinned",
        "→ Run (Beaten) for foe, with Far: 2, at once",
    ];
    let text = adjutant_wording::en::ChartWords::as_written(&pack, chart).text();
    let changes = &text.results.first().unwrap().changes;
    assert_eq!(adjutant_wording::en::phrases(changes), told);
    let heads = &chart.read.column.as_ref().unwrap().heads;
    assert!(
        heads.iter().any(|head| head == "2-1") && heads.iter().any(|head| head == "one to one"),
        "{heads:?}"
    );
}

#[test]
fn a_role_called_unit_reads_values_that_are_worked_out() {
    let pack = "[pack]\nid = \"role\"\ntitle = \"Role\"\n[unit.man]\ntitle = \"Man\"\n[unit.man.has]\nnerve = { number = \"Nerve\", from = 1, to = 6 }\ntwice = { label = \"Twice\", work_out = \"unit.nerve * 2\" }\n[chart.test]\ntitle = \"Test\"\nwho = { unit = \"man\" }\nread = { value = \"unit.twice\" }\n";
    let files = adjutant_pack::Files::of([("pack.toml", pack)]);
    adjutant_pack::read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
}
